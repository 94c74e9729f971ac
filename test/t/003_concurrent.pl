# Four sessions at once insert, move and delete boxes, vacuum and search.  Every
# search is done in one snapshot with plain and bitmap index scans and without
# the index, and fails if the answers differ.
#
# There are no index-only scans here: in PostgreSQL those of GiST and SP-GiST may
# yield a row that was deleted before, if vacuum removes it between the moment
# when the scan reads the index page and the moment when it returns the row,
# whatever the operator class.
#
# No vacuum waits for another: one that has waited long enough for its snapshot
# to be old can fail in SP-GiST ("unexpected SPGiST tuple state: 3"), again with
# any class that adds nodes, core's text_ops for one.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('concurrent');
$node->init;
$node->append_conf('postgresql.conf', qq(
autovacuum = off
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node);
$node->safe_psql('postgres', fill(1, 2000));
$node->safe_psql(
	'postgres', q(
	-- A box somewhere in the crowd, or far out, or of any size.
	CREATE FUNCTION any_box() RETURNS box LANGUAGE sql AS $$
	  SELECT CASE floor(random() * 12) WHEN 0 THEN box(point(-x, -y) * point(s, 0), point(w - x, w - y) * point(s, 0))
	                                   WHEN 1 THEN box(point(x, y), point(x + w * s, y + w))
	                                   WHEN 2 THEN box(point(x, 'NaN'), point('Infinity', y))
	                                   ELSE box(point(x, y), point(x + w, y + w)) END
	  FROM (SELECT random() * 100 AS x, random() * 100 AS y, random() ^ 4 * 10 AS w, 2 ^ floor(random() * 40 - 20) AS s) v
	$$;
	CREATE FUNCTION search() RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
	  q box := any_box();
	  query text;
	  plan text;
	  answer text[];
	  truth text[];
	  total int := 0;
	BEGIN
	  FOREACH query IN ARRAY ARRAY[
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b && $1',
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b @> center($1)',
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b &< $1 AND b <<| $1',
	    'SELECT array_agg(d) FROM (SELECT (b <-> $1)::text AS d FROM house WHERE b <@ box ''((-1e9,-1e9),(1e9,1e9))''
	                               ORDER BY b <-> $1) s',
	    'SELECT array_agg(d) FROM (SELECT (b <-> center($1))::text AS d FROM house ORDER BY b <-> center($1) LIMIT 50) s'] LOOP
	    PERFORM tst.allow('seq');
	    EXECUTE query INTO truth USING q;
	    FOREACH plan IN ARRAY CASE WHEN query ~ 'ORDER BY b <->' THEN '{index}' ELSE '{index,bitmap}' END::text[] LOOP
	      PERFORM tst.allow(plan);
	      EXECUTE query INTO answer USING q;
	      IF answer IS DISTINCT FROM truth THEN
	        RAISE 'different answers by % scan for % with %', plan, query, q
	          USING DETAIL = format('%s rows, should be %s', cardinality(answer), cardinality(truth));
	      END IF;
	    END LOOP;
	    total := total + coalesce(cardinality(truth), 0);
	  END LOOP;
	  RETURN total;
	END $$;
	CREATE SEQUENCE id START 100000000;
	CREATE TABLE found (n int)));
is( $node->safe_psql('postgres',
		q(SELECT tst.planned('SELECT id FROM house t WHERE b && box ''((1,1),(2,2))''', plan)
		  FROM unnest('{index,bitmap}'::text[]) plan, tst.allow(plan))),
	"t\nt", 'searches use the index');

$node->pgbench(
	'--no-vacuum --client=4 --jobs=2 --transactions=250',
	0,
	[qr/processed: 1000\/1000/],
	[qr/^(?:WARNING:  skipping vacuum of "house" --- lock not available\n)*$/],
	'insertions, deletions, vacuums and searches at once',
	{
		'insert@6' => q(INSERT INTO house SELECT nextval('id'), any_box() FROM generate_series(1, 30);),
		'update@2' => q(UPDATE house SET b = any_box() WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT 20 FOR UPDATE SKIP LOCKED);),
		'delete@3' => q(DELETE FROM house WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT 40 FOR UPDATE SKIP LOCKED);),
		'vacuum@1' => q(VACUUM (SKIP_LOCKED) house;),
		'search@8' => q(
			BEGIN ISOLATION LEVEL REPEATABLE READ;
			INSERT INTO found SELECT search();
			COMMIT;),
	});
cmp_ok($node->safe_psql('postgres', 'SELECT sum(n) FROM found'), '>', 10000, 'searches found rows');
index_ok($node, 'in the end');
$node->safe_psql('postgres', 'VACUUM house');
index_ok($node, 'after a vacuum');
$node->stop;

done_testing();
