# The access method spqtree: a scan marks rows in the index that it finds dead to all, and
# later scans do not visit them in the table.  Rows that some snapshot sees are not marked.
# A standby, whose queries may still see the rows, ignores the marks.  An insertion into a full
# leaf looks for dead rows if some are marked, or expected for another reason, and not otherwise.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my ($primary, $standby) = primary_and_standby('rtree_dead',
	primary => 'jit = off',
	standby => "hot_standby_feedback = off\nmax_standby_streaming_delay = -1");

# Rows 1 .. 2000 are in heap pages of their own, far from their neighbors.  Pages of table and
# index have so much room that only VACUUM removes rows: otherwise a standby would wait for
# its queries.
sub fill_table
{
	$primary->safe_psql('postgres', q(
		CREATE EXTENSION IF NOT EXISTS spqtree;
		DROP TABLE IF EXISTS place;
		CREATE TABLE place (id int, b box) WITH (autovacuum_enabled = off, fillfactor = 50);
		INSERT INTO place SELECT i, box(point(i % 100, i / 100), point(i % 100, i / 100)) FROM generate_series(1, 4000) i ORDER BY i > 2000, hashint4(i);
		CREATE INDEX place_b ON place USING spqtree (b) INCLUDE (id) WITH (fillfactor = 50);));
	return;
}

my $window = q(b && '((0,0),(100,100))');
my $order = q(ORDER BY b <-> '(0,0)'::point);
my %queries = (
	index => "SET enable_bitmapscan = off; SET enable_indexonlyscan = off; QUERY SELECT id FROM place WHERE $window",
	'index only' => "SET enable_bitmapscan = off; QUERY SELECT b FROM place WHERE $window",
	'in order' => "SET enable_bitmapscan = off; SET enable_sort = off; SET enable_indexonlyscan = off; QUERY SELECT id FROM place $order",
	bitmap => "SET enable_indexscan = off; SET enable_indexonlyscan = off; QUERY SELECT id FROM place WHERE $window");

# Run a query.  Return the number of rows, and the number of page visits to table and index.
sub run
{
	my ($node, $kind, $before) = @_;
	(my $sql = $queries{$kind}) =~ s/QUERY/EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, COSTS OFF, FORMAT JSON)/;
	my $plan = $node->safe_psql('postgres', 'SET enable_seqscan = off; ' . ($before || '') . $sql);
	my ($rows) = $plan =~ /"Actual Rows": (\d+)/ or die $plan;
	my ($hit) = $plan =~ /"Shared Hit Blocks": (\d+)/;
	my ($read) = $plan =~ /"Shared Read Blocks": (\d+)/;
	like($plan, qr/"Node Type": "(Index Scan|Index Only Scan|Bitmap Index Scan)"/, "$kind: uses the index");
	return ($rows, $hit + $read);
}

sub dead_rows { my ($node) = @_; return $node->safe_psql('postgres', q(SELECT dead_tuples FROM spqtree_stats('place_b'))); }

for my $kind (sort keys %queries)
{
	fill_table();
	# an index-only scan must visit the table to find out
	$primary->safe_psql('postgres', 'DELETE FROM place WHERE id <= 2000');
	is(dead_rows($primary), 0, "$kind: nothing is marked before");
	my ($rows, $first) = run($primary, $kind);
	is($rows, 2000, "$kind: deleted rows are not found");
	if ($kind eq 'bitmap')
	{
		is(dead_rows($primary), 0, "$kind: does not mark rows");
		run($primary, 'index');
	}
	is(dead_rows($primary), 2000, "$kind: deleted rows are marked");
	is($primary->safe_psql('postgres', q(SELECT dead_bytes > 2000 * (38 + 16) FROM spqtree_stats('place_b'))), 't', "$kind: and their bytes counted");
	my ($again, $second) = run($primary, $kind);
	is($again, 2000, "$kind: the same rows by a second scan");
	cmp_ok($second, '<', 0.8 * $first, "$kind: that visits $second pages, not $first");
	check_ok($primary, 'place_b', $kind, 1);
	$primary->safe_psql('postgres', 'VACUUM place');
	is(dead_rows($primary), 0, "$kind: VACUUM removes them");
	check_ok($primary, 'place_b', "$kind, after VACUUM", 1);
}

# Rows that some snapshot sees, or whose deletion was rolled back, are not marked.
fill_table();
my $old = $primary->background_psql('postgres');
$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$old->query_safe('SET enable_seqscan = off; SET enable_bitmapscan = off');
is($old->query_safe("SELECT count(*) FROM place WHERE $window"), '4000', 'an old snapshot sees all');
$primary->safe_psql('postgres', 'BEGIN; DELETE FROM place WHERE id > 3000; ROLLBACK; DELETE FROM place WHERE id <= 2000');
my ($rows) = run($primary, 'index');
is($rows, 2000, 'a new one does not');
is(dead_rows($primary), 0, 'rows are not marked while somebody sees them');
is($old->query_safe("SELECT count(*) FROM place WHERE $window"), '4000', 'the old snapshot still sees all');
$old->query_safe('COMMIT');
$old->quit;
$primary->forget_session;    # which would not compute the horizon again

# Marks are hints that are not in the WAL, so pages would differ from redo's.
run($primary, 'index', 'SET wal_consistency_checking = generic; ');
is(dead_rows($primary), 0, 'rows are not marked while pages are compared');
run($primary, 'index');
is(dead_rows($primary), 2000, 'but then');

# The standby gets marks with page images.
fill_table();
catch_up($primary, $standby);
my $reader = $standby->background_psql('postgres');
$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$reader->query_safe('SET enable_seqscan = off; SET enable_bitmapscan = off');
is($reader->query_safe("SELECT count(*) FROM place WHERE $window"), '4000', 'a snapshot on the standby');
$primary->safe_psql('postgres', 'DELETE FROM place WHERE id <= 2000');
run($primary, 'index');
is(dead_rows($primary), 2000, 'rows are marked on the primary');
$primary->safe_psql('postgres', 'CHECKPOINT');
$primary->safe_psql('postgres', q(INSERT INTO place SELECT i, box(point(i % 100, i / 100), point(i % 100, i / 100)) FROM generate_series(1, 2000, 20) i));
catch_up($primary, $standby);
cmp_ok(dead_rows($standby), '>', 100, 'the standby has marks: ' . dead_rows($standby));
is($reader->query_safe("SELECT count(*) FROM place WHERE $window"), '4000', 'its old snapshot sees the rows all the same');
is($reader->query_safe("SELECT count(*) FROM (SELECT FROM place $order) s"), '4000', 'in order of distance, too');
$reader->query_safe('SET enable_indexscan = off; SET enable_bitmapscan = on');
is($reader->query_safe("SELECT count(*) FROM place WHERE $window"), '4000', 'and by a bitmap');
$reader->query_safe('COMMIT');
$reader->quit;
($rows) = run($standby, 'index');
is($rows, 2100, 'a new one sees what the primary has');
check_ok($_, 'place_b', $_->name, 1) for $primary, $standby;

# An insertion into a full leaf looks for dead rows only if there is a reason.  Return how many
# pages of the table a statement visits, per row.
sub visits
{
	my ($table, $sql, $rows) = @_;
	my $visited = "SELECT pg_stat_force_next_flush(); SELECT pg_stat_clear_snapshot(); SELECT pg_stat_get_blocks_fetched('$table'::regclass)";
	my ($before) = $primary->safe_psql('postgres', $visited) =~ /(\d+)$/;
	$primary->safe_psql('postgres', $sql);
	# in a session that has reported what it has done
	my ($after) = $primary->safe_psql('postgres', $visited) =~ /(\d+)$/;
	return ($after - $before) / $rows;
}

sub index_pages { my ($table) = @_; return $primary->safe_psql('postgres', "SELECT pg_relation_size('${table}_b') / 8192"); }

my $some_box = 'box(point(hashint4(i) % 1000, hashint4(i + 7) % 1000), point(hashint4(i) % 1000, hashint4(i + 7) % 1000))';
$primary->safe_psql('postgres', qq(
	CREATE TABLE grow (id int, b box) WITH (autovacuum_enabled = off);
	INSERT INTO grow SELECT i, $some_box FROM generate_series(1, 20000) i;
	CREATE INDEX grow_b ON grow USING spqtree (b)));
my $visits = visits('grow', "INSERT INTO grow SELECT i, $some_box FROM generate_series(20001, 40000) i", 20000);
cmp_ok($visits, '<', 1.1, sprintf 'no row was ever deleted: %.3f visits of the table for each new row', $visits);

# Rows in a corner, less than a twentieth, are deleted.  A scan marks them, and insertions there
# remove them.
$primary->safe_psql('postgres', q(
	INSERT INTO grow SELECT 100000 + i, box(point(2000 + i % 40, 2000 + i / 40), point(2000 + i % 40, 2000 + i / 40)) FROM generate_series(1, 1500) i;
	VACUUM ANALYZE grow;
	DELETE FROM grow WHERE id > 100000));
my $before = index_pages('grow');
my $again = 'INSERT INTO grow SELECT 200000 + i, box(point(2000 + i % 40, 2000 + i / 40), point(2000 + i % 40, 2000 + i / 40)) FROM generate_series(1, 1500) i';
is($primary->safe_psql('postgres', q(SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT count(*) FROM grow WHERE b && '((2000,2000),(2100,2100))')), '0', 'deleted rows of a corner');
is($primary->safe_psql('postgres', q(SELECT dead_tuples FROM spqtree_stats('grow_b'))), 1500, 'are marked');
$primary->safe_psql('postgres', $again);
cmp_ok(index_pages('grow'), '<=', $before + 2, 'marked rows are removed: ' . (index_pages('grow') - $before) . ' more pages');
check_ok($primary, 'grow_b', 'after that', 1);

# Rows of a corner get new versions with the same box, less than a twentieth of all.
$primary->safe_psql('postgres', 'VACUUM ANALYZE grow; CREATE INDEX ON grow (id)');
$before = index_pages('grow');
$primary->safe_psql('postgres', "UPDATE grow SET id = id + 1000000 WHERE b && '((2000,2000),(2039,2002))'") for 1 .. 15;
cmp_ok(index_pages('grow'), '<=', $before + 3, 'versions with the same box are removed: ' . (index_pages('grow') - $before) . ' more pages');
check_ok($primary, 'grow_b', 'after that', 1);

$standby->stop;
$primary->stop;
done_testing();
