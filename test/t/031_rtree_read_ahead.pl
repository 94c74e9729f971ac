# Scans that ask for blocks before they read them: the answers stay the same, and requests are
# made only if reads miss the buffers and the settings allow it.
#
# The server has few buffers, so that most reads of a table and its index miss them.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

my $seed = seed();
my $node = Server->new('read_ahead');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nlog_statement = none\nshared_buffers = 1MB\ntemp_buffers = 800kB\n");
$node->start;
plan skip_all => 'this system takes no requests for blocks'
  if $node->psql('postgres', 'SET effective_io_concurrency = 16') != 0;

my $setseed = 'SELECT setseed(' . ($seed % 1000) / 1000 . ');';
my $make = q(
	CREATE %1$s TABLE item (id int, kind int, b box, pad text);
	INSERT INTO item
	SELECT i, i %% 7, CASE WHEN i %% 50 > 0 THEN box(point(x, y), point(x + random() * 3, y + random() * 3)) END, repeat('x', 300)
	FROM generate_series(1, 20000) i, LATERAL (SELECT i AS k, random() * 300 AS x, random() * 300 AS y OFFSET 0) v;
	CREATE INDEX item_b ON item USING spqtree (b) INCLUDE (id);
	DELETE FROM item WHERE id %% 11 = 0;
	INSERT INTO item SELECT id + 100000, kind, b + point(1, 1), pad FROM item WHERE id %% 5 = 0;
	VACUUM ANALYZE item;
	DELETE FROM item WHERE id %% 13 = 0;
);
$node->safe_psql('postgres', 'CREATE EXTENSION spqtree;' . $setseed . sprintf($make, ''));

# Name, settings, query.  The distances of rows are compared, and rows where no two are at the same
# distance.
my $plain = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;';
my $bitmap = 'SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;';
my $only = 'SET enable_seqscan = off; SET enable_bitmapscan = off;';
my $workers = 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_index_scan_size = 0; SET max_parallel_workers_per_gather = 2;';
my $windows = q((SELECT g, box(point(g * 13 % 280, g * 29 % 280), point(g * 13 % 280 + 40, g * 29 % 280 + 40)) AS w FROM generate_series(1, 30) g OFFSET 0) v);
my @queries = (
	[ 'plain', $plain, 'Index Scan', qq(SELECT md5(string_agg(g || ' ' || s, ',' ORDER BY g)) FROM $windows, LATERAL (SELECT sum(id + length(pad)) AS s FROM item WHERE b && w) x) ],
	[ 'bitmap', $bitmap, 'Bitmap', qq(SELECT md5(string_agg(g || ' ' || s, ',' ORDER BY g)) FROM $windows, LATERAL (SELECT sum(id + length(pad)) AS s FROM item WHERE b && w) x) ],
	[ 'index-only', $only, 'Index Only', qq(SELECT md5(string_agg(g || ' ' || s, ',' ORDER BY g)) FROM $windows, LATERAL (SELECT sum(id) AS s FROM item WHERE b && w) x) ],
	[ 'all rows, by workers', $plain . $workers, 'Parallel Index Scan', q(SELECT sum(id + length(pad)) FROM item WHERE b && '((-1e9,-1e9),(1e9,1e9))') ],
	[ 'without a box', $plain, 'Index Scan', 'SELECT sum(id + length(pad)) FROM item WHERE b IS NULL' ],
	[ 'one row', $plain, 'Index Scan', qq(SELECT count(*) FROM $windows WHERE EXISTS (SELECT FROM item WHERE b && w AND pad IS NOT NULL OFFSET 0)) ],
	[ 'nearest', $plain, 'Index Scan', qq(SELECT md5(string_agg(g || ' ' || s, ',' ORDER BY g)) FROM $windows, LATERAL (SELECT string_agg(d || pad, ' ' ORDER BY d) AS s FROM (SELECT b <-> center(w) AS d, pad FROM item WHERE b IS NOT NULL ORDER BY b <-> center(w) LIMIT 60) y) x) ],
	[ 'nearest, all rows', $plain, 'Index Scan', q(SELECT md5(string_agg(d || pad, ' ')) FROM (SELECT b <-> point(7, 8) AS d, pad FROM item ORDER BY b <-> point(7, 8)) y) ],
	[ 'a cursor', $plain, 'Index Scan', q(SELECT count(*) FROM (SELECT pad FROM item WHERE b && '((0,0),(99,99))' LIMIT 17) x) ]);

# Return the answers to all queries.
sub answers
{
	my ($settings) = @_;
	my @answers;

	foreach my $case (@queries)
	{
		my ($name, $plan, $scan, $query) = @$case;

		push @answers, $node->safe_psql('postgres', "$settings $plan SET spqtree.enable_nearest = off; $query");
	}
	return @answers;
}

$node->safe_psql('postgres', "LOAD 'spqtree'");
my @truth = map { $node->safe_psql('postgres', "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0; $_->[3]") } @queries;
foreach my $case (@queries)
{
	my ($name, $plan, $scan, $query) = @$case;

	like($node->safe_psql('postgres', "LOAD 'spqtree'; $plan SET spqtree.enable_nearest = off; EXPLAIN (COSTS OFF) $query"), qr/$scan.* item_b|$scan.* on item/, "$name: the plan");
}
foreach my $requests (0, 1, 16, 1000)
{
	my @found = answers("LOAD 'spqtree'; SET effective_io_concurrency = $requests;");

	is($found[$_], $truth[$_], "$requests requests at a time: $queries[$_][0]") foreach 0 .. $#queries;
}

# A temporary table, whose blocks are in buffers of the session.
is( $node->safe_psql(
		'postgres', "SET effective_io_concurrency = 16; $setseed" . sprintf($make, 'TEMPORARY') . "$plain
		SELECT count(*) FROM $windows, LATERAL (SELECT sum(id) AS s FROM pg_temp.item WHERE b && w) i
		JOIN LATERAL (SELECT sum(id) AS s FROM public.item WHERE b && w) x USING (s)"),
	"\n30", 'a temporary table');

# Scans with a LIMIT, of rows that few leaves have: requests for the table's blocks do not make a scan
# read leaves to find rows that nobody wants.
$node->safe_psql('postgres', "$setseed
	CREATE TABLE sparse AS SELECT (random() * 40000)::int AS a, (random() * 4000)::int AS c, (random() * 40000)::int AS d, box(point(random(), random()), point(1, 1)) AS b, repeat('x', 300) AS pad
	FROM generate_series(1, 20000);
	CREATE INDEX sparse_i ON sparse USING spqtree (a, c, d, b);
	VACUUM ANALYZE sparse");
my $pages = sub {
	my ($requests, @queries) = @_;
	my $sum = 0;

	foreach my $query (@queries)
	{
		my $plan = $node->safe_psql('postgres', "SET effective_io_concurrency = $requests; $plain EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) $query");

		die $plan if $plan !~ /Index Scan using sparse_i/ || $plan !~ /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/;
		$sum += ($1 // 0) + ($2 // 0);
	}
	return $sum;
};
my @again = q(SELECT pad FROM generate_series(1, 200) g, LATERAL (SELECT pad FROM sparse WHERE c = g LIMIT 3) x);
my @once = map { "SELECT pad FROM sparse WHERE c = $_ LIMIT 2" } 1 .. 40;
cmp_ok($pages->(16, @again), '<', $pages->(0, @again) + 300, 'a LIMIT in a scan that is started again');
cmp_ok($pages->(16, @once), '<', $pages->(0, @once) + 10 * @once, 'a LIMIT in a scan that is started once');

# An unlogged table, whose scans keep the pin of their leaf, and so take no leaves ahead.
my $unlogged = 'SET search_path = unlogged, public; SET effective_io_concurrency = 16;';
$node->safe_psql('postgres', "CREATE SCHEMA unlogged; $unlogged $setseed" . sprintf($make, 'UNLOGGED'));
my ($some, $warnings) = ('', '');
$node->psql('postgres', "$unlogged $plain
	SELECT count(*) FROM $windows, LATERAL (SELECT sum(id) AS s FROM unlogged.item WHERE b && w) i
	JOIN LATERAL (SELECT sum(id) AS s FROM public.item WHERE b && w) x USING (s);
	SELECT count(*) FROM $windows, LATERAL (SELECT pad FROM item WHERE b && w LIMIT 20) x", stdout => \$some, stderr => \$warnings);
is($some, "30\n600", 'an unlogged table');
is($warnings, '', '... whose scans end before their last row, and leave no pin');

# An error at each request shows whether there are any.
SKIP:
{
	skip 'this library injects nothing', 1
	  if $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $out, stderr => \my $err) != 0;

	my $requests = sub {
		my ($settings, $case) = @_;
		my ($out, $err) = ('', '');

		$node->psql('postgres', "LOAD 'spqtree'; SET spqtree.inject = 'ahead error 1'; SET spqtree.enable_nearest = off; $settings $case->[1] $case->[3]", stdout => \$out, stderr => \$err);
		return $err =~ /inject/ ? 'requests' : $err || 'none';
	};
	foreach my $case (@queries)
	{
		is($requests->('SET effective_io_concurrency = 16;', $case), 'requests', "$case->[0]: requests") if $case->[0] !~ /without/;
		is($requests->('SET effective_io_concurrency = 0;', $case), 'none', "$case->[0]: no requests without the setting");
	}
	$node->safe_psql('postgres', 'ALTER TABLESPACE pg_default SET (effective_io_concurrency = 0)');
	is($requests->('SET effective_io_concurrency = 16;', $queries[0]), 'none', 'the setting of a tablespace');
	$node->safe_psql('postgres', 'ALTER TABLESPACE pg_default RESET (effective_io_concurrency)');

	# VACUUM and the check, in a table whose leaves have all lost rows at their ends
	my $maintenance = sub {
		my ($requests, $command) = @_;
		my ($out, $err) = ('', '');

		$node->psql('postgres', "SET maintenance_io_concurrency = $requests;\nLOAD 'spqtree';\nSET spqtree.inject = 'ahead error 1';\n$command;", stdout => \$out, stderr => \$err);
		return $err =~ /inject/ ? 'requests' : $err || 'none';
	};
	my $few_rows = 'DELETE FROM item WHERE id % 3 > 0';

	foreach my $command ('VACUUM (INDEX_CLEANUP on) item', "SELECT count(*) FROM spqtree_check('item_b')")
	{
		$node->safe_psql('postgres', $few_rows);
		is($maintenance->(0, $command), 'none', "$command: no requests without the setting") if $command !~ /VACUUM/;
		is($maintenance->(16, $command), 'requests', "$command: requests");
	}
	$node->safe_psql('postgres', "SET maintenance_io_concurrency = 16; VACUUM (INDEX_CLEANUP on) item");
	is($node->safe_psql('postgres', "SET maintenance_io_concurrency = 16; SELECT count(*) FROM spqtree_check('item_b', true)"), '0', 'after VACUUM, spqtree_check finds nothing');
	# what is left after VACUUM by a session with no requests
	$node->safe_psql('postgres', 'DELETE FROM item WHERE id % 2 > 0');
	is($maintenance->(0, 'VACUUM (INDEX_CLEANUP on) item'), 'none', 'VACUUM: no requests without the setting');

	# in buffers
	$node->append_conf('postgresql.conf', "shared_buffers = 64MB\n");
	$node->restart;
	$node->safe_psql('postgres', "LOAD 'spqtree';" . join(';', map { "$_->[1] $_->[3]; RESET ALL" } @queries));
	is($requests->('SET effective_io_concurrency = 16;', $_), 'none', "$_->[0]: no requests if all is in buffers") foreach @queries;
}
$node->stop;
done_testing();
