# An index-only scan beside VACUUM must not return rows that were deleted before the
# scan began.
#
# The scan reads a leaf with entries of deleted rows, and returns one row.  In small tables
# that leaf is the root, which then becomes an inner page.  Then VACUUM is about to remove
# these entries; after that, it would mark the heap's pages all-visible, and the scan, which
# relies on the visibility map, would return deleted rows, as happens with GiST and SP-GiST.
# So VACUUM must wait for the scan, which keeps its pin.  Afterwards new rows take the place
# of the deleted ones, and VACUUM runs again.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Server;
use Test::More;
use Time::HiRes qw(time);
use TreeFile;

my $node = Server->new('index_only');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nlog_statement = none\n");
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	CREATE TABLE progress (what text);

	-- Run a query whose first column is the id of a row, as a cursor.  After its
	-- first row, wait until VACUUM waits for a pin, or has ended.
	CREATE FUNCTION ids(query text) RETURNS TABLE (id int, waited bool) LANGUAGE plpgsql AS $$
	DECLARE c refcursor := 'c'; waits bool := false; runs bool;
	BEGIN
	  OPEN c FOR EXECUTE query;
	  FETCH c INTO id;
	  PERFORM pg_advisory_lock(1);
	  FOR i IN 1 .. 3000 LOOP
	    PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	    SELECT count(*) > 0, bool_or(wait_event IN ('BufferPin', 'BufferCleanup')) INTO runs, waits
	    FROM pg_stat_activity a WHERE a.query LIKE 'VACUUM%' AND a.state = 'active';
	    EXIT WHEN waits OR EXISTS (SELECT FROM progress);
	  END LOOP;
	  waited := coalesce(waits, false);
	  RETURN NEXT;
	  LOOP
	    FETCH c INTO id;
	    EXIT WHEN NOT FOUND;
	    RETURN NEXT;
	  END LOOP;
	  PERFORM pg_advisory_unlock(1);
	END $$));

# Name, query, rows, and a statement between the scan's first row and VACUUM.  A hundred rows
# fit one page, the root, which becomes an inner page when more are inserted, while the scan
# has it pinned as a leaf.
my $window = q(SELECT id FROM house WHERE b && '((0,0),(200,200))');
my $nearest = q(SELECT id FROM house ORDER BY b <-> point '(50,50)');
my $grow = q(INSERT INTO house SELECT 100001 + 2 * i, box(point(5000 + i, i), point(5001 + i, i)) FROM generate_series(1, 1000) i);
foreach my $case (
	[ 'a search in the root', $window, 100, $grow ],
	[ 'nearest neighbors in the root', $nearest, 100, $grow ],
	[ 'rows without a box', 'SELECT id FROM house WHERE b IS NULL', 100, 'SELECT', 'NULL' ],
	[ 'a search', $window, 4000 ],
	[ 'nearest neighbors', $nearest, 4000 ])
{
	my ($name, $query, $rows, $meanwhile, $box) = @$case;
	my $left = $rows / 2;
	$meanwhile ||= 'SELECT';
	$box ||= 'box(point(x, y), point(x + 1, y + 1))';

	$node->safe_psql('postgres', qq(
		TRUNCATE progress;
		DROP TABLE IF EXISTS house;
		CREATE TABLE house (id int, b box, pad text DEFAULT repeat('x', 500));
		ALTER TABLE house ALTER pad SET STORAGE plain;
		INSERT INTO house
		SELECT i, $box
		FROM generate_series(1, $rows) i, LATERAL (SELECT i * 377 % 1000 / 10.0 AS x, i * 611 % 1009 / 10.0 AS y) v;
		CREATE INDEX house_b ON house USING spqtree (b) INCLUDE (id);));
	$node->safe_psql('postgres', 'VACUUM ANALYZE house');
	$node->safe_psql('postgres', 'DELETE FROM house WHERE id % 2 = 0');

	# begins when the scan has its first row
	my $vacuum = IPC::Run::start(
		[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'),
		  '-c', q(DO $$ BEGIN
			WHILE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted) LOOP
			  PERFORM pg_sleep(0.01);
			END LOOP; END $$),
		  '-c', $meanwhile,
		  '-c', 'VACUUM (INDEX_CLEANUP on) house',
		  '-c', q(INSERT INTO progress VALUES ('vacuumed')) ],
		'>', \my $printed);

	my $settings = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off';
	like($node->safe_psql('postgres', "$settings; EXPLAIN (COSTS OFF) $query"),
		qr/^Index Only Scan/m, "$name: the scan is index-only");
	$query =~ s/'/''/g;
	is($node->safe_psql('postgres', "$settings;
			SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id % 2 = 0), bool_or(waited) FROM ids('$query')"),
		"$left|$left|0|t", "$name: VACUUM waits, and no deleted row is returned");
	ok($vacuum->finish, "$name: VACUUM goes on after the scan");

	# new rows take places in the heap
	$node->safe_psql('postgres', q(
		INSERT INTO house SELECT 10000 + id, b FROM house WHERE id % 4 = 1 AND id < 10000));
	$node->safe_psql('postgres', 'VACUUM house');
	$query =~ s/''/'/g;
	is($node->safe_psql('postgres', "$settings; SELECT count(*), count(DISTINCT id) FROM ($query) q WHERE id < 100000"),
		join('|', ($left + $left / 2) x 2), "$name: all rows in the end");
	is($node->safe_psql('postgres', q(SELECT * FROM spqtree_check('house_b', true))), '', "$name: the index is sound");
}

# The root, where all searches and insertions begin, has become an inner page: VACUUM waits
# for a moment when it is not pinned.  That comes soon, even in a busy index, and VACUUM
# does not wait again.
$node->safe_psql('postgres', 'CREATE TABLE busy (b box); CREATE INDEX busy_b ON busy USING spqtree (b);
	ALTER DATABASE postgres SET enable_seqscan = off; ALTER DATABASE postgres SET enable_bitmapscan = off');
my $script = $node->basedir . '/busy.sql';
append_to_file($script, "\\set x random(0, 1000)\n" . q(INSERT INTO busy VALUES (box(point(:x, :x), point(:x, :x)));)
	. q(SELECT count(*) FROM busy WHERE b && box(point(:x, :x), point(:x, :x));) x 5);
my $busy = IPC::Run::start(
	[ 'pgbench', '-n', '-M', 'prepared', '-c', 8, '-j', 2, '-T', 300, '-f', $script, $node->connstr('postgres') ],
	'<', '/dev/null', '>', \my $out, '2>', \my $err);
my $root = sub {
	$node->safe_psql('postgres', 'CHECKPOINT');
	return TreeFile->new($node->data_dir . '/' . $node->safe_psql('postgres', q(SELECT pg_relation_filepath('busy_b'))));
};
for my $round (1 .. 3)
{
	$node->safe_psql('postgres', 'TRUNCATE busy');
	$node->poll_query_until('postgres', q(SELECT pg_relation_size('busy_b') > 8 * 8192)) or die 'the index does not grow';
	my $file = $root->();
	is($file->flags(1) & TreeFile::SETTLED, 0, "busy $round: the root may still be pinned as a leaf");
	$node->safe_psql('postgres', 'DELETE FROM busy WHERE (b[0])[0] < 100');
	my $begin = time;
	is($node->psql('postgres', q(SET statement_timeout = '30s'; VACUUM (INDEX_CLEANUP on) busy), on_error_stop => 1), 0, "busy $round: VACUUM ends");
	note sprintf 'VACUUM took %.3f s', time - $begin;
	$file = $root->();
	is($file->flags(1) & TreeFile::SETTLED, TreeFile::SETTLED, "busy $round: and will not wait for the root again");
}
$busy->pump_nb;
ok($busy->pumpable, 'clients were busy all the time') or diag $err;
$busy->signal('TERM');
$busy->finish;
is($node->safe_psql('postgres', q(SELECT * FROM spqtree_check('busy_b', true))), '', 'the index is sound');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET ALL');

# With few buffers, a scan keeps one pin: each leaf that it reads puts another one back into
# the queue, to be read again, even if it has been split since.
$node->append_conf('postgresql.conf', "shared_buffers = 128kB\n");
$node->restart;
$node->safe_psql('postgres', q(
	UPDATE house SET b = box(point(floor((b[0])[0] / 10), 0), point(floor((b[0])[0] / 10), 0)) WHERE id % 3 = 0));
$node->safe_psql('postgres', 'VACUUM house');
is($node->safe_psql('postgres', q(
	CREATE FUNCTION nearest() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
	  c CURSOR FOR SELECT id, b <-> point '(50,50)' AS d FROM house ORDER BY b <-> point '(50,50)';
	  r record; last float8 := 0; ids int[]; truth int[]; disorder int := 0;
	BEGIN
	  truth := ARRAY(SELECT id FROM house ORDER BY id);
	  OPEN c;
	  LOOP
	    FETCH c INTO r;
	    EXIT WHEN NOT FOUND;
	    ids := ids || r.id;
	    disorder := disorder + (r.d < last)::int;
	    last := r.d;
	    IF cardinality(ids) = 300 THEN
	      INSERT INTO house
	      SELECT 20000 + i, box(point(x, y), point(x + 1, y + 1))
	      FROM generate_series(1, 4000) i, LATERAL (SELECT i * 377 % 1000 / 10.0 + 0.05 AS x, i * 611 % 1009 / 10.0 AS y) v;
	    END IF;
	  END LOOP;
	  RETURN format('all rows: %s, %s in disorder', ARRAY(SELECT unnest(ids) ORDER BY 1) = truth, disorder);
	END $$;
	SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
	SELECT nearest())), 'all rows: t, 0 in disorder', 'nearest neighbors with one pin');

$node->stop;
done_testing();
