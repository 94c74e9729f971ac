# The access method spqtree: eight clients insert, move, delete, vacuum and search at once,
# for half a minute or SPQTREE_SECONDS.  A search runs plain, index-only and bitmap scans
# and a sequential scan in one snapshot, and fails if the answers differ; any failure of a
# client fails the test.  At the same time the index is checked repeatedly, and is always
# sound.
#
# Half of the searches are parallel.  In the first half of the time, scans mark dead rows; in
# the second, wal_consistency_checking is on, which prevents that.
#
# Joins of the index with itself, leaf by leaf, return what a hash join of the table with itself
# does in the same snapshot: by index-only and plain scans, inner and anti, half of them in
# parallel.
#
# Clients empty a strip of the map at once, so that VACUUM frees leaves, whose pages splits
# elsewhere reuse.
#
# In a library with assertions, insertions sometimes sleep between the records of a split
# and of a widening, or fail there, so that other insertions must finish their splits.
# Scans and insertions sleep before they follow a link, and VACUUM after it has freed a leaf;
# processes of a parallel scan sleep when they take and when they give work.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use SpqTest;
use Test::More;

my $strip = q(\set seed random(1, 1000000000)
\set x random(0, 85)
WITH gone AS (
  DELETE FROM house WHERE id IN (SELECT id FROM house WHERE b <@ box(point(:x, -5), point(:x + 15, 110)) FOR UPDATE SKIP LOCKED) RETURNING id)
INSERT INTO house SELECT nextval('id'), any_box(:seed, id) FROM gone;);

my $pairs = q(\set seed random(1, 1000000000)
BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pairs(:seed); COMMIT;);

my $pairs_function = q(
CREATE TABLE joined (n bigint);
CREATE FUNCTION join_by(indexes boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_indexjoin', indexes::text, true), set_config('spqtree.enable_hashjoin', (NOT indexes)::text, true),
         set_config('enable_hashjoin', (NOT indexes)::text, true), set_config('enable_seqscan', (NOT indexes)::text, true),
         set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_indexscan', indexes::text, true), set_config('enable_indexonlyscan', indexes::text, true),
         set_config('jit', 'off', true)
$$;
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line || E'\n';
  END LOOP;
  RETURN plan;
END $$;
CREATE FUNCTION pairs(seed bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  query text;
  truth text;
  answer text;
BEGIN
  PERFORM set_config('max_parallel_workers_per_gather', (seed % 2 * 2)::text, true);
  FOREACH query IN ARRAY ARRAY[
    'SELECT count(*) || '':'' || sum(hashtext(l.b::text)) || '':'' || sum(hashtext(r.b::text)) FROM house l JOIN house r ON l.b && r.b',
    'SELECT count(*) || '':'' || sum(l.id) || '':'' || sum(r.id) FROM house l JOIN house r ON l.b @> r.b WHERE l.b && ''((0,0),(70,60))''',
    'SELECT count(*) || '':'' || sum(l.id) FROM house l WHERE NOT EXISTS (SELECT FROM house r WHERE l.b <@ r.b AND l.id <> r.id)'] LOOP
    PERFORM join_by(false);
    EXECUTE query INTO truth;
    PERFORM join_by(true);
    IF plan_of(query) !~ 'Spqtree Index Join' THEN
      RAISE 'the indexes are not joined: %', query;
    END IF;
    EXECUTE query INTO answer;
    IF answer IS DISTINCT FROM truth THEN
      RAISE 'different pairs by the indexes: %', query USING DETAIL = format('%s, should be %s', answer, truth);
    END IF;
  END LOOP;
  INSERT INTO joined VALUES (split_part(truth, ':', 1)::bigint);
  RETURN 0;
END $$;);

# Return the clients' scripts.  If this library injects faults, delays are on for all clients,
# and one script has errors.
my $injects;
sub scripts
{
	my ($node) = @_;
	$injects = $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject)) == 0;

	$node->append_conf('postgresql.conf', q(
parallel_setup_cost = 0
parallel_tuple_cost = 0
min_parallel_table_scan_size = 0
min_parallel_index_scan_size = 0
));
	$node->reload;
	$node->safe_psql('postgres', 'ALTER TABLE house SET (parallel_workers = 2)');
	like($node->safe_psql('postgres', q(SET enable_seqscan = off; SET enable_bitmapscan = off;
			EXPLAIN SELECT array_agg(id::text ORDER BY id) FROM house WHERE b &< '((0,0),(50,50))')),
		qr/Parallel Index (Only )?Scan using house_b/, 'searches are parallel');

	$node->safe_psql('postgres', $pairs_function);
	note $injects ? 'with injected delays and errors' : 'this library injects nothing';
	return ({ strip => $strip, pairs => $pairs }, { strip => 2, vacuum => 2, pairs => 3 }) if !$injects;
	$node->safe_psql('postgres', 'CREATE TABLE given_up (message text)');
	$node->append_conf('postgresql.conf', q(spqtree.inject = 'split sleep 10, unposted sleep 10, posted sleep 10, grow sleep 1, widened sleep 20, follow sleep 300, descended sleep 50, freed sleep 3, taken sleep 3, shared sleep 50, give sleep 10'));
	$node->reload;
	my $give_up = q(\set seed random(1, 1000000000)
SET spqtree.inject = 'split error 2, unposted error 2, posted error 2, grow error 1, widened error 20, taken error 3';
DO $$
DECLARE
  added int := 0;
BEGIN
  FOR i IN 1 .. 20 LOOP
    BEGIN
      INSERT INTO house SELECT nextval('id'), any_box(:seed, i * 100 + j) FROM generate_series(1, 10) j;
      added := added + 10;
    EXCEPTION WHEN triggered_action_exception THEN
      INSERT INTO given_up VALUES (SQLERRM);
    END;
  END LOOP;
  -- the table must not grow as long as the test runs
  DELETE FROM house WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT added FOR UPDATE SKIP LOCKED);
END $$;
RESET spqtree.inject;);
	return ({ strip => $strip, give_up => $give_up, pairs => $pairs },
		{ strip => 2, vacuum => 2, give_up => 4, pairs => 3 });
}

# Return how often an insertion failed when it took a free page.
sub taken
{
	my ($node) = @_;
	return $node->safe_psql('postgres', "SELECT count(*) FROM given_up WHERE message ~ 'taken'");
}

# Free pages and take one, in one session.  Clients on a busy machine may not get to it.
sub take_page
{
	my ($node) = @_;
	$node->safe_psql('postgres', $_) for "DELETE FROM house WHERE b <@ box '((0,-5),(60,110))'", 'VACUUM house',
	  "SET spqtree.inject = 'taken error 1'; DO \$\$
BEGIN
  FOR i IN 1 .. 200 LOOP
    INSERT INTO house SELECT nextval('id'), any_box(7, i * 100 + j) FROM generate_series(1, 20) j;
  END LOOP;
EXCEPTION WHEN triggered_action_exception THEN
  INSERT INTO given_up VALUES (SQLERRM);
END \$\$";
	return;
}

sub sound
{
	my ($node, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	my $joins = $node->safe_psql('postgres', 'SELECT count(*) FROM joined');
	note "$joins joins of the index with itself";
	cmp_ok($joins, '>', 3, 'the index was joined');
	if ($injects)
	{
		for (my $tries = 0; $tries < 10 && taken($node) == 0; $tries++)
		{
			take_page($node);
		}
		cmp_ok(taken($node), '>', 0, 'free pages were taken');
	}
	rtree_ok($node, $name);
	return;
}

seed();
concurrent_load('rtree_concurrent',
	access => 'spqtree (b)',
	seconds => int(($ENV{SPQTREE_SECONDS} || 30) / 2),
	index_only => 1,
	change => sub { my ($node) = @_; $node->append_conf('postgresql.conf', "wal_consistency_checking = 'generic'"); $node->reload; },
	ready => \&scripts,
	sound => \&sound);

done_testing();
