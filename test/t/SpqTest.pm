# What the tests in this folder share: a server with the extension and with the
# functions of test/sql/compare.sql, and comparisons of index and table.
package SpqTest;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(prepare fill index_ok rows_of);

my $compare = dirname(abs_path(__FILE__)) . '/../sql/compare.sql';

# Create the extension, the functions, a table with an index, and queries.
sub prepare
{
	my ($node) = @_;

	$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
	# it proves by an error that a wrong plan is noticed, so go on after that
	$node->psql('postgres', slurp_file($compare), on_error_stop => 0);
	$node->safe_psql(
		'postgres', q(
		CREATE TABLE house (id int, b box) WITH (autovacuum_enabled = off);
		CREATE INDEX house_b ON house USING spgist (b spqtree_box_ops) INCLUDE (id);
		CREATE TABLE question AS
		SELECT i::int AS qid,
		       CASE i % 4 WHEN 0 THEN box(point(x, y), point(x + w, y + w)) WHEN 1 THEN box(point(x, y), point(x, y))
		                  WHEN 2 THEN CASE i WHEN 2 THEN '((60,60),(61,61))' ELSE box(point(-w, -w), point(x, y)) END
		                  ELSE box(point(x - w, 'NaN'), point('-Infinity', y)) END AS b,
		       point(x, y) AS p
		FROM generate_series(1, 8) i,
		     LATERAL (SELECT tst.rnd(1, i, 1) * 100 AS x, tst.rnd(1, i, 2) * 100 AS y, tst.rnd(1, i, 3) * 30 AS w) v));
	return;
}

# SQL that inserts n rows: many in one place, a few that reach far, some that are
# the same always, and some with NaN or infinite corners.  The seed, which no
# other call may have, decides on the place and the ids.
sub fill
{
	my ($seed, $n) = @_;
	return qq(
		INSERT INTO house
		SELECT $seed * 10000 + i,
		       CASE WHEN i % 50 = 0 THEN box(point(x, y), point(x + w * 40, y + w * 50))
		            WHEN i % 97 = 0 THEN box(point(-x * $seed, -y), point(-x * $seed + w, -y + w))
		            WHEN i % 23 = 0 THEN '((60,60),(61,61))'
		            WHEN i % 301 = 0 THEN box(point(x, 'NaN'), point('Infinity', y))
		            WHEN i % 302 = 0 THEN NULL
		            ELSE box(point(x, y), point(x + w, y + w)) END
		FROM generate_series(1, $n) i,
		     LATERAL (SELECT tst.rnd(100, $seed, 1) * 60 + tst.rnd($seed, i, 1) * 40 AS x,
		                     tst.rnd(100, $seed, 2) * 60 + tst.rnd($seed, i, 2) * 40 AS y,
		                     tst.rnd($seed, i, 3) ^ 3 * 4 AS w) v;);
}

# Every operator by three kinds of index scan, and both orders, against the
# sequential scan; the comparison fails if the index is not used.
sub index_ok
{
	my ($node, $name, $table) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$table ||= 'house';

	is( $node->safe_psql(
			'postgres', qq(
			SELECT count(*), count(*) FILTER (WHERE rows > 0), sum("index"), sum("index only"), sum(bitmap)
			FROM tst.compare('$table', 'question'))),
		'13|13|0|0|0',
		"$name: 13 operators find rows, and the same as without the index");
	is( $node->safe_psql(
			'postgres', qq(
			SELECT count(*), sum("index"), sum("index only")
			FROM tst.compare_order('$table', 'question', 200) WHERE rows > 0)),
		'2|0|0',
		"$name: nearest-neighbour orders are right");
	return;
}

# A digest of all that is in the table, read through the index.
sub rows_of
{
	my ($node) = @_;
	return $node->safe_psql(
		'postgres', q(
		SET enable_seqscan = off;
		SET enable_bitmapscan = off;
		SELECT count(*), sum(id::bigint), md5(string_agg(id || coalesce(b::text, ''), ',' ORDER BY id))
		FROM (SELECT id, b FROM house WHERE b IS NOT NULL UNION ALL SELECT id, b FROM house WHERE b IS NULL) h));
}

1;
