# The planner's spatial hash join on servers of its own: how it is loaded, early ends,
# memory, parallel workers, a standby.
#
# A join leaves no file and no waiting process behind, however it ends; its answer is that
# of the same server without the node.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Checked;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

my $node = Checked->new('node');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', qq(
shared_buffers = 8MB
autovacuum = off
log_min_error_statement = panic
jit = off
hash_mem_multiplier = 1
max_parallel_workers_per_gather = 0
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
max_worker_processes = 8
max_parallel_workers = 8
));
$node->start;
$node->safe_psql('postgres', q(
	CREATE TABLE l AS
	SELECT i AS id, box(point(x, y), point(x + 1, y + 1)) AS b, i % 10 AS k, repeat('l', i % 100) AS pad
	FROM generate_series(1, 100000) i,
	     LATERAL (SELECT abs(hashint8extended(i, 1)) % 1000000 / 1500.0 AS x, abs(hashint8extended(i, 2)) % 1000000 / 1500.0 AS y) v;
	CREATE TABLE r AS SELECT id, b + point(0.5, 0.25) AS b, k, repeat('r', k * 10) AS pad FROM l WHERE id <= 50000;
	-- all in one place
	CREATE TABLE same AS SELECT i AS id, box '(0,0),(1,1)' AS b FROM generate_series(1, 20000) i;
	CREATE TABLE shape AS SELECT id, polygon(300, circle(center(b), 0.5)) AS p FROM l WHERE id <= 10000;
	VACUUM ANALYZE l, r, same, shape));

#
# Ways to load it
#
my $plan = 'EXPLAIN (COSTS OFF) SELECT count(*) FROM l JOIN r ON l.b && r.b';
my $used = qr/Custom Scan \(Spqtree Spatial Hash Join\)/;

unlike($node->safe_psql('postgres', $plan), $used, 'not loaded: PostgreSQL plans as ever');
like($node->safe_psql('postgres', "LOAD 'spqtree'; $plan"), $used, 'LOAD: the planner takes the node, with nothing forbidden');
$node->safe_psql('postgres', "ALTER DATABASE postgres SET session_preload_libraries = 'spqtree'");
like($node->safe_psql('postgres', $plan), $used, 'session_preload_libraries: it is there, without CREATE EXTENSION');
$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
like($node->safe_psql('postgres', $plan), $used, 'and with the extension');
$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET session_preload_libraries');
unlike($node->safe_psql('postgres', $plan), $used, 'the extension alone loads nothing');
$node->append_conf('postgresql.conf', qq(
shared_preload_libraries = 'spqtree'
spqtree.enable_hashjoin = off
));
$node->restart;
unlike($node->safe_psql('postgres', $plan), $used, 'shared_preload_libraries: settings are read from postgresql.conf');
$node->append_conf('postgresql.conf', 'spqtree.enable_hashjoin = on');
$node->reload;
$node->poll_query_until('postgres', q(SELECT current_setting('spqtree.enable_hashjoin') = 'on'));
like($node->safe_psql('postgres', $plan), $used, '  and again on reload');
SKIP:
{
	skip 'no options of extensions in EXPLAIN', 1 if $node->pg_version < 18;
	like($node->safe_psql('postgres', 'EXPLAIN (ANALYZE, SPQTREE) SELECT 1'), qr/^Result /, '  and so does the option of EXPLAIN');
}

#
# In memory, in batches, in parallel: the digest of the rows is that of PostgreSQL's
# own joins, which join by cells of a grid.
#
my %join = (
	'inner' => 'SELECT l.id, r.id, l.pad, r.pad FROM l JOIN r ON l.b && r.b',
	'equality' => 'SELECT l.id, r.id, l.pad, r.pad FROM l JOIN r ON l.b && r.b AND l.k = r.k',
	'left' => 'SELECT l.id, r.id, l.pad, r.pad FROM l LEFT JOIN r ON l.b && r.b AND l.k < r.k',
	'right' => 'SELECT l.id, r.id, l.pad, r.pad FROM r LEFT JOIN l ON l.b && r.b AND l.k + r.k < 4',
	'semi' => 'SELECT l.id, l.k, l.pad, l.pad FROM l WHERE EXISTS (SELECT FROM r WHERE l.b && r.b AND l.pad <> r.pad)',
	'anti' => 'SELECT r.id, r.k, r.pad, r.pad FROM r WHERE NOT EXISTS (SELECT FROM l WHERE l.b && r.b AND l.id <> r.id)',
	'full' => 'SELECT l.id, r.id, l.pad, r.pad FROM l FULL JOIN r ON l.b && r.b AND l.k = r.k AND l.id <> r.id');

# The pairs of overlapping boxes, computed once, without the node.
$node->safe_psql('postgres', q(
	SET spqtree.enable_hashjoin = off;
	CREATE FUNCTION cells(box) RETURNS SETOF int IMMUTABLE ROWS 4 LANGUAGE sql AS $$
	  SELECT i * 10000 + j FROM generate_series(floor(($1[1])[0])::int, floor(($1[0])[0])::int) i, generate_series(floor(($1[1])[1])::int, floor(($1[0])[1])::int) j
	$$;
	CREATE TABLE l_cell AS SELECT *, cells(b) AS cell FROM l;
	CREATE TABLE r_cell AS SELECT *, cells(b) AS cell FROM r;
	ANALYZE l_cell, r_cell;
	CREATE TABLE pair AS SELECT DISTINCT l.id AS l, r.id AS r, l.k AS lk, r.k AS rk FROM l_cell l JOIN r_cell r USING (cell) WHERE l.b && r.b;
	ANALYZE pair));
my %truth = (
	'inner' => 'SELECT l.id, r.id, l.pad, r.pad FROM pair JOIN l ON l.id = pair.l JOIN r ON r.id = pair.r',
	'equality' => 'SELECT l.id, r.id, l.pad, r.pad FROM pair JOIN l ON l.id = pair.l JOIN r ON r.id = pair.r WHERE l.k = r.k',
	'left' => 'SELECT l.id, r.id, l.pad, r.pad FROM l LEFT JOIN (pair JOIN r ON r.id = pair.r) ON l.id = pair.l AND l.k < r.k',
	'right' => 'SELECT l.id, r.id, l.pad, r.pad FROM r LEFT JOIN (pair JOIN l ON l.id = pair.l) ON r.id = pair.r AND l.k + r.k < 4',
	'semi' => 'SELECT l.id, l.k, l.pad, l.pad FROM l WHERE EXISTS (SELECT FROM pair JOIN r ON r.id = pair.r WHERE l.id = pair.l AND l.pad <> r.pad)',
	'anti' => 'SELECT r.id, r.k, r.pad, r.pad FROM r WHERE NOT EXISTS (SELECT FROM pair JOIN l ON l.id = pair.l WHERE r.id = pair.r AND l.id <> r.id)',
	'full' => 'SELECT l.id, r.id, l.pad, r.pad FROM (SELECT * FROM pair WHERE lk = rk AND l <> r) pair
		FULL JOIN l ON l.id = pair.l FULL JOIN r ON r.id = pair.r');
my $digest = 'SELECT count(*), sum(hashtextextended(q::text, 0)) FROM';
my $forced = 'SET spqtree.enable_hashjoin = always; SET enable_nestloop = off; SET enable_hashjoin = off; SET enable_mergejoin = off;';
my $workers = 'SET max_parallel_workers_per_gather = 2;';
my %answer;
for my $name (sort keys %join)
{
	$answer{$name} = $node->safe_psql('postgres', "SET spqtree.enable_hashjoin = off; $digest ($truth{$name}) q");
	like($answer{$name}, qr/^\d{3,}\|/, "$name: there are rows");
	for my $mode (
		[ 'in memory', "SET work_mem = '256MB'; SET temp_file_limit = 0;" ],
		[ 'in batches', "SET work_mem = '256kB';" ],
		[ 'in many batches', "SET work_mem = '64kB';" ],
		[ 'in parallel', "$workers SET work_mem = '256MB';" ],
		[ 'in parallel, in batches', "$workers SET work_mem = '64kB';" ],
		[ 'by workers alone', "$workers SET parallel_leader_participation = off; SET work_mem = '1MB';" ],
		[ 'in parallel, the build side not shared', "$workers SET enable_parallel_hash = off; SET work_mem = '64kB';" ])
	{
		my $explain = $node->safe_psql('postgres', "$forced $mode->[1] EXPLAIN (COSTS OFF) $digest ($join{$name}) q");
		like($explain, qr/Spatial Hash Join/, "$name, $mode->[0]: by the node");
		like($explain, qr/Gather/, "$name, $mode->[0]: with workers") if $mode->[0] =~ /parallel|workers/ && $name =~ /inner|equality/;
		is($node->safe_psql('postgres', "$forced $mode->[1] $digest ($join{$name}) q"), $answer{$name}, "$name, $mode->[0]: the rows are right");
	}
}
ok( $node->poll_query_until('postgres', q(SELECT temp_files > 0 FROM pg_stat_database WHERE datname = 'postgres')),
	'temporary files were used');

#
# Joins that end early
#

# Run SQL that must fail with this SQLSTATE; check that the session continues, and that no
# files or workers are left.
sub fails
{
	my ($name, $sqlstate, $sql, $before) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	my ($stdout, $stderr);
	my $start = time;
	$node->psql('postgres', qq(BEGIN;\nSET LOCAL enable_nestloop = off;\n$before\n\\set VERBOSITY sqlstate\n$sql;\nROLLBACK;
		SELECT 'files ' || count(*) FROM pg_ls_tmpdir();
		SELECT 'pairs ' || count(*) FROM r a JOIN r b ON a.b ~= b.b),
		stdout => \$stdout, stderr => \$stderr, on_error_stop => 0, timeout => 120);
	like($stderr, qr/ERROR:  $sqlstate$/m, "$name: SQLSTATE $sqlstate");
	is($stdout, "files 0\npairs 50000", "$name: the session goes on, without files");
	ok( $node->poll_query_until('postgres', q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'parallel worker'))),
		"$name: no worker is left");
	return time - $start;
}

my $small = q(SET LOCAL work_mem = '64kB';);
my $parallel = q(SET LOCAL max_parallel_workers_per_gather = 2; SET LOCAL work_mem = '64kB';);
for my $way ([ 'alone', $small ], [ 'in parallel', $parallel ])
{
	my ($how, $set) = @$way;
	fails("temp_file_limit, $how", '53400', "$digest ($join{inner}) q", "$set SET LOCAL temp_file_limit = '300kB';");
	fails("temp_file_limit of a full join, $how", '53400', "$digest ($join{full}) q", "$set SET LOCAL temp_file_limit = '300kB';");
	fails("error in a key of the build side, $how", '22012', 'SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && (r.b + point(1 / (r.id - 40000), 0))', $set);
	fails("error in a key of the probe side, $how", '22012', 'SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON (l.b + point(1 / (l.id - 90000), 0)) && r.b', $set);
	fails("error in a filter, $how", '22012', 'SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b AND 1 / ((l.id + r.id) % 1000) >= 0', $set);
	fails("error above, $how", '22012', 'SELECT sum(1 / ((l.id + r.id) % 1000)), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b', $set);
	fails("error in a savepoint, $how", '22012', "SAVEPOINT s; SELECT sum(1 / ((l.id + r.id) % 1000)), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b; ROLLBACK TO s;
		SELECT 'still there' FROM pg_ls_tmpdir()", $set);
	# at several moments of a large join, and of one that would take minutes
	for my $timeout (1, 20, 60, 150)
	{
		cmp_ok(fails("timeout after $timeout ms, $how", '57014', 'SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b CROSS JOIN generate_series(1, 1000000)',
			"$set SET LOCAL statement_timeout = $timeout;"), '<', 20, '  and it ends soon');
	}
	cmp_ok(fails("timeout among identical boxes, $how", '57014', 'SELECT count(*) FROM same a JOIN same b ON a.b && b.b AND a.id + b.id < 0', "$set SET LOCAL statement_timeout = 300;"),
		'<', 20, '  and it ends soon');
}

# pg_cancel_backend and pg_terminate_backend, from another session.
for my $workers (0, 2)
{
	for my $what ('cancel', 'terminate')
	{
		my ($stdout, $stderr) = ('', '');
		my $session = IPC::Run::start(
			[ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', "SET application_name = 'victim'", '-c', "SET work_mem = '64kB'", '-c', 'SET enable_nestloop = off',
				'-c', "SET max_parallel_workers_per_gather = $workers", '-c', 'SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b CROSS JOIN generate_series(1, 1000000)' ],
			'>', \$stdout, '2>', \$stderr);
		$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'victim' AND query LIKE 'SELECT count%' AND backend_type = 'client backend')
			AND EXISTS (SELECT FROM pg_ls_tmpdir())));
		my $start = time;
		$node->safe_psql('postgres', "SELECT pg_${what}_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim' AND backend_type = 'client backend'");
		$session->finish;
		cmp_ok(time - $start, '<', 20, "$what with $workers workers: it ends soon");
		like($stderr, $what eq 'cancel' ? qr/canceling statement due to user request/ : qr/terminating connection due to administrator command/, '  with an error');
		ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_ls_tmpdir()'), '  without files');
	}
}

# With a LIMIT, a cursor, a savepoint: files are removed when they can no longer be read.
is( $node->safe_psql('postgres', q(
	SET work_mem = '64kB';
	SET enable_nestloop = off;
	BEGIN;
	SELECT count(*) FROM (SELECT l.pad FROM l JOIN r ON l.b && r.b LIMIT 10) s;
	SELECT 'after LIMIT ' || count(*) FROM pg_ls_tmpdir();
	DECLARE c CURSOR FOR SELECT l.pad, r.pad FROM l JOIN r ON l.b && r.b;
	MOVE 10 FROM c;
	SELECT 'open ' || (count(*) > 0)::text FROM pg_ls_tmpdir();
	CLOSE c;
	SELECT 'closed ' || count(*) FROM pg_ls_tmpdir();
	DECLARE c CURSOR FOR SELECT l.pad, r.pad FROM l FULL JOIN r ON l.b && r.b;
	SAVEPOINT s;
	MOVE 100 FROM c;
	ROLLBACK TO s;
	SELECT 'open ' || (count(*) > 0)::text FROM pg_ls_tmpdir();
	COMMIT;
	SELECT 'committed ' || count(*) FROM pg_ls_tmpdir();
	BEGIN;
	DECLARE c CURSOR FOR SELECT l.pad, r.pad FROM l JOIN r ON l.b && r.b;
	MOVE 10 FROM c;
	ROLLBACK;
	SELECT 'rolled back ' || count(*) FROM pg_ls_tmpdir();)),
	"10\nafter LIMIT 0\nopen true\nclosed 0\nopen true\ncommitted 0\nrolled back 0",
	'temporary files go with what reads them');

#
# Memory: the peak of the backend, including shared buffers, which are 8 MB
#
SKIP:
{
	skip 'no /proc', 5 unless -r "/proc/$$/status";
	my $peak = q(SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)'))[1]::int AS kb);

	# return the kilobytes that a query adds to the peak of a backend that has read the
	# tables and joined a few rows
	my $growth = sub {
		my ($name, $limit, $work_mem, $sql) = @_;
		my @lines = split /\n/, $node->safe_psql('postgres', qq(
			SET work_mem = '$work_mem';
			$forced
			SELECT count(*), sum(length(pad)) FROM l WHERE b && b;
			SELECT count(*), sum(length(pad)) FROM r WHERE b && b;
			SELECT count(*), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b AND l.k = r.k WHERE l.id < 100 AND r.id < 100;
			$peak;
			$sql;
			$peak));
		my $grown = $lines[-1] - $lines[3];
		cmp_ok($grown, '<', $limit, "$name at work_mem $work_mem: $grown kB");
	};
	$growth->('inner', 30 * 1024, '4MB', "$digest ($join{inner}) q");
	$growth->('full', 30 * 1024, '4MB', "$digest ($join{full}) q");
	$growth->('20 million pairs of identical boxes', 20 * 1024, '4MB', 'SELECT count(*) FROM same a JOIN same b ON a.b && b.b WHERE a.id <= 1000');
	# memory allocated for a key or a filter is freed with its row
	$growth->('polygons stored apart', 30 * 1024, '4MB', 'SELECT count(*) FROM shape a JOIN shape b ON a.p && b.p');
	$growth->('3,000 rescans', 20 * 1024, '4MB', 'SELECT sum(n) FROM generate_series(1, 3000) x, LATERAL (SELECT count(*) AS n FROM (SELECT * FROM l LIMIT 100) l JOIN (SELECT * FROM r LIMIT 100) r ON l.b && r.b AND l.k <> x) q');
}

#
# A standby, which must not write
#
$node->backup('backup');
my $standby = Checked->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->safe_psql('postgres', q(UPDATE r SET b = b + point(0, 0.5) WHERE id % 7 = 0));
$node->wait_for_catchup($standby, 'replay', $node->lsn('write'));
for my $set ("SET work_mem = '256MB';", "SET work_mem = '64kB';", "$workers SET work_mem = '64kB';")
{
	for my $name ('inner', 'full')
	{
		my $sql = "$forced $set $digest ($join{$name}) q";
		like($standby->safe_psql('postgres', "$forced $set EXPLAIN $join{$name}"), qr/Spatial Hash Join/, "standby, $name: by the node");
		is($standby->safe_psql('postgres', $sql), $node->safe_psql('postgres', $sql), "standby, $name: as on the primary");
	}
}
isnt($standby->safe_psql('postgres', "$forced $digest ($join{inner}) q"), $answer{inner}, 'standby: the change is seen');
$standby->stop;
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_ls_tmpdir()'), '0', 'no temporary file is left in the end');
$node->stop;

# The logs would show leaks and crashes.
for my $server ($node, $standby)
{
	my $log = slurp_file($server->logfile);
	unlike($log, qr/leak/i, $server->name . ': nothing leaked');
	unlike($log, qr/PANIC|TRAP|terminated by signal/, $server->name . ': nothing crashed');
}

done_testing();
