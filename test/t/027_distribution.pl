# Tables distributed by parts over two servers behind postgres_fdw: joins are shipped whole,
# run on both servers at the same time, use the node there, and return the rows of whole
# tables on one server.  A query with a window reads only servers with parts in it.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use Test::More;

# One server has the whole tables, makes the partitioning, and is the coordinator.
my $coordinator = Server->new('coordinator');
my @workers = map { Server->new("worker$_") } 1, 2;
for my $node ($coordinator, @workers)
{
	$node->init;
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'spqtree'\nautovacuum = off\njit = off\nmax_parallel_workers_per_gather = 0\n");
	$node->start;
	$node->safe_psql('postgres', q(
		CREATE EXTENSION spqtree;
		CREATE TABLE whole_a AS
		SELECT i AS id, CASE i % 500 WHEN 1 THEN NULL WHEN 2 THEN box(point('NaN', y), point(x, y)) WHEN 3 THEN box(point(x, y), point(x + 300, y + 300))
		                ELSE box(point(x, y), point(x + 2, y + 1)) END AS b
		FROM generate_series(1, 8000) i,
		     LATERAL (SELECT abs(hashint8extended(i, 1)) % 1000 * (abs(hashint8extended(i, 2)) % 1000) / 1000.0 AS x, abs(hashint8extended(i, 3)) % 10000 / 10.0 AS y) v;
		CREATE TABLE whole_b AS SELECT id, b + point(0.5, 0.25) AS b FROM whole_a WHERE id % 2 = 0;
		CREATE TABLE small AS SELECT id, b FROM whole_b WHERE id % 100 = 0;
		ANALYZE));
}
my $limited = $coordinator->safe_psql('postgres', q(SELECT spqtree_partition('SELECT b FROM whole_a UNION ALL SELECT b FROM whole_b', 32, 2)));
my $p = $coordinator->safe_psql('postgres', q(SELECT spqtree_partition('SELECT b FROM whole_a UNION ALL SELECT b FROM whole_b', 32)));

# Parts 0 to 16 on the first server, 17 to 32 on the second.
my @range = ([ 0, 17 ], [ 17, 33 ]);
$coordinator->safe_psql('postgres', join '', map { "$_;" }
	'CREATE EXTENSION postgres_fdw',
	map({ "CREATE TABLE $_ (id int, b box, part int) PARTITION BY RANGE (part)" } 'a', 'b', 'near'),
	'CREATE TABLE big (id int, b box) PARTITION BY RANGE (id)');
for my $i (0, 1)
{
	my ($worker, $name) = ($workers[$i], 'worker' . ($i + 1));
	my ($from, $to) = @{ $range[$i] };
	my ($host, $port) = ($worker->host, $worker->port);

	# limited_a and limited_b have rows of part 0 on each server
	$worker->safe_psql('postgres', join '', map { "CREATE TABLE limited_$_ AS SELECT id, b, part FROM whole_$_, unnest(spqtree_parts(b, '$limited')) part WHERE part = 0 OR part >= $from AND part < $to;" } 'a', 'b');

	# "near" is b for a join within a distance of 3; "big" has each row once, anywhere; "small" is
	# copied to each server
	$worker->safe_psql('postgres', join '', map { "$_;" }
		map({ "CREATE TABLE $_ AS SELECT id, b, part FROM whole_$_, unnest(spqtree_parts(b, '$p')) part WHERE part >= $from AND part < $to" } 'a', 'b'),
		"CREATE TABLE near AS SELECT id, b, part FROM whole_b, unnest(spqtree_parts(spqtree_expand(b, 3), '$p')) part WHERE part >= $from AND part < $to",
		"CREATE TABLE big AS SELECT id, b FROM whole_a WHERE id % 2 = $i",
		'ANALYZE');
	$coordinator->safe_psql('postgres', join '', map { "$_;" }
		"CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres',
		 extensions 'spqtree', use_remote_estimate 'true', async_capable 'true', fetch_size '10000')",
		"CREATE USER MAPPING FOR CURRENT_USER SERVER $name",
		map({ "CREATE FOREIGN TABLE ${_}_$name PARTITION OF $_ FOR VALUES FROM ($from) TO ($to) SERVER $name OPTIONS (table_name '$_')" } 'a', 'b', 'near'),
		map({ "CREATE FOREIGN TABLE limited_${_}_$name (id int, b box, part int) SERVER $name OPTIONS (table_name 'limited_$_')" } 'a', 'b'),
		map({ "CREATE FOREIGN TABLE ${_}_$name (id int, b box) SERVER $name OPTIONS (table_name '$_')" } 'big', 'small'));
}

# without statistics on parts, fetching both sides would seem cheap
$coordinator->safe_psql('postgres', 'ANALYZE a, b, near, ' . join(', ', map { ("big_worker$_", "small_worker$_") } 1, 2));

# the coordinator does not join
my $set = 'SET spqtree.enable_hashjoin = off; SET enable_partitionwise_join = on; SET enable_partitionwise_aggregate = on;';

# digest QUERY: return the number and a digest of the rows
sub digest
{
	my ($query) = @_;
	return $coordinator->safe_psql('postgres', "$set SELECT count(*), md5(string_agg(q::text, ',' ORDER BY q::text)) FROM ($query) q");
}

# ships NAME, TRUTH, QUERY, MOST: check that the query returns the rows of TRUTH, fetches at
# most MOST result rows of shipped joins or aggregates, from both servers at the same time, and
# that the servers use the node
sub ships
{
	my ($name, $truth, $query, $most) = @_;
	my $plan = $coordinator->safe_psql('postgres', "$set EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) $query");
	my $rows = 0;
	my @remote = $plan =~ /Remote SQL: (.*)/g;

	$rows += $_ foreach $plan =~ /Foreign Scan.*\(actual rows=(\d+)/g;
	my $expected = digest($truth);
	unlike($expected, qr/^0\|/, "$name: there are rows");
	is(digest($query), $expected, "$name: the rows of whole tables");
	is(scalar(() = $plan =~ /Async Foreign Scan/g), 2, "$name: on both servers at the same time") or note $plan;
	is(scalar(grep { /JOIN/ } @remote), 2, "$name: joins are shipped") or note $plan;
	cmp_ok($rows, '<=', $most, "$name: $rows rows are fetched");
	for my $i (0 .. $#remote)
	{
		like($workers[$i]->safe_psql('postgres', "EXPLAIN (COSTS OFF) $remote[$i]"), qr/Custom Scan \(Spqtree Spatial Hash Join\)/, "$name: the node on server " . ($i + 1));
	}
	return;
}

my $truth = 'FROM whole_a a JOIN whole_b b ON (a.b && b.b) IS TRUE';
my $join = "FROM a JOIN b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '$p') = part";
my $pairs = $coordinator->safe_psql('postgres', "SELECT count(*) $truth");

ships('count', "SELECT count(*) $truth", "SELECT sum(n)::bigint FROM (SELECT part, count(*) AS n $join GROUP BY part) s", 32);
ships('pairs', "SELECT a.id, b.id $truth", "SELECT a.id, b.id $join", $pairs);

# SEMI: each row once a part, then once
my $matched = $coordinator->safe_psql('postgres', "SELECT count(DISTINCT a.id) $truth");
ships('semi', 'SELECT id FROM whole_a a WHERE EXISTS (SELECT FROM whole_b b WHERE (a.b && b.b) IS TRUE)',
	"SELECT DISTINCT id FROM (SELECT part, a.id $join GROUP BY part, a.id) s", 2 * $matched);

# ANTI: rows without a match in any of their parts; a server returns rows without a match in a
# part
my $unmatched = $coordinator->safe_psql('postgres', "SELECT count(*) FROM a LEFT JOIN b ON a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, '$p') = a.part WHERE b.id IS NULL");
my $anti = "SELECT id FROM (SELECT a.part, a.id, cardinality(spqtree_parts(a.b, '$p')) AS parts
                            FROM a LEFT JOIN b ON a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, '$p') = a.part
                            GROUP BY a.part, a.id, cardinality(spqtree_parts(a.b, '$p')) HAVING count(b.id) = 0) s
            GROUP BY id HAVING count(*) = min(parts)";
my $anti_truth = 'SELECT id FROM whole_a a WHERE NOT EXISTS (SELECT FROM whole_b b WHERE (a.b && b.b) IS TRUE)';
ships('anti', $anti_truth, $anti, $unmatched);

# LEFT: the pairs, and the rows without one
is(digest("SELECT a.id, b.id $join UNION ALL SELECT id, NULL FROM ($anti) n"), digest("SELECT a.id, b.id FROM whole_a a LEFT JOIN whole_b b ON (a.b && b.b) IS TRUE"), 'left: the rows of whole tables');

# Within a distance, by which one side was grown
my $near = 'FROM whole_a a JOIN whole_b b ON spqtree_dwithin(a.b, b.b, 3)';
ships('distance', "SELECT a.id, b.id $near", "SELECT a.id, b.id FROM a JOIN near b USING (part) WHERE spqtree_dwithin(a.b, b.b, 3) AND spqtree_pair_part(a.b, spqtree_expand(b.b, 3), '$p') = part",
	$coordinator->safe_psql('postgres', "SELECT count(*) $near"));

# A small table copied to each server: no parts, and no copies of the large one
ships('small', 'SELECT a.id, s.id FROM whole_a a JOIN small s ON (a.b && s.b) IS TRUE',
	join(' UNION ALL ', map { "SELECT a.id, s.id FROM big_worker$_ a JOIN small_worker$_ s ON a.b && s.b" } 1, 2), $pairs);

# Arms of one server each: plain aggregates are shipped whole, too
my @arms = map { "FROM a_worker$_ a JOIN b_worker$_ b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '$p') = part" } 1, 2;
ships('arms', "SELECT count(*) $truth", 'SELECT sum(n)::bigint FROM (' . join(' UNION ALL ', map { "SELECT count(*) AS n $_" } @arms) . ') s', 2);
ships('pairs of arms', "SELECT a.id, b.id $truth", join(' UNION ALL ', map { "SELECT a.id, b.id $_" } @arms), $pairs);

# A window within the parts of one server
for my $i (0, 1)
{
	my ($from, $to) = @{ $range[$i] };
	my $window = $workers[$i]->safe_psql('postgres', "SELECT box(b[1], b[1]) FROM a WHERE part > $from AND spqtree_parts(b, '$p') = ARRAY[part] ORDER BY id LIMIT 1");
	my $query = "SELECT id FROM a WHERE b && '$window' AND part = ANY (spqtree_window_parts(box '$window', '$p')) AND (part = 0 OR spqtree_pair_part(b, '$window', '$p') = part)";
	my $plan = $coordinator->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS OFF) $query");
	my $other = 2 - $i;

	is(digest($query), digest("SELECT id FROM whole_a WHERE b && '$window'"), 'window: the rows of whole tables');
	unlike($plan, qr/a_worker$other/, "window: server $other is not asked");
	like($plan, qr/Remote SQL: .*&&/, 'window: the condition is shipped');
}

# Boxes in more than two parts are in part 0 of each server: three arms; only the first server
# is asked for part 0 alone
my $arms = join ' UNION ALL ', map {
	my $from = "SELECT a.id AS a, b.id AS b FROM limited_a_worker$_ a JOIN limited_b_worker$_ b";
	my $where = "WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '$limited')";
	("$from USING (part) $where = part" . ($_ == 1 ? '' : ' AND part > 0'), "$from ON a.part = 0 AND b.part > 0 $where = b.part", "$from ON a.part > 0 AND b.part = 0 $where = a.part")
} 1, 2;
cmp_ok($workers[1]->safe_psql('postgres', "SELECT count(*) FROM limited_a WHERE part = 0 AND NOT b::text LIKE '%NaN%'"), '>', 10, 'max_copies: there are rows of part 0');
is(digest($arms), digest("SELECT a.id, b.id $truth"), 'max_copies: the rows of whole tables');
is(digest("SELECT id FROM whole_a EXCEPT SELECT a FROM ($arms) s"), digest($anti_truth), 'max_copies: rows without a match');
my $window = '(100,100),(140,130)';
is(digest(join ' UNION ALL ', map { "SELECT id FROM limited_a_worker$_ WHERE b && '$window' AND part = ANY (spqtree_window_parts(box '$window', '$limited')) AND " .
	  ($_ == 1 ? "(part = 0 OR spqtree_pair_part(b, '$window', '$limited') = part)" : "part > 0 AND spqtree_pair_part(b, '$window', '$limited') = part") } 1, 2),
	digest("SELECT id FROM whole_a WHERE b && '$window'"), 'max_copies: rows in a window');

done_testing();
