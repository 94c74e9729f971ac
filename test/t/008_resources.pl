# Out of disk, memory or time: an index build, an insertion, a scan, a nearest-neighbor
# scan, a check and a join end with an error; the session continues, nothing is left
# behind, and the same statement works once there are resources again.  (Temporary files
# that exceed temp_file_limit, and joins that are canceled or time out, are in 004_join and
# 005_node.)
#
# The limits are those of the operating system, set for one backend from outside:
#
#   RLIMIT_FSIZE   limits the size of files.  The system calls fail that fail on a
#                  full disk, in the same places, with EFBIG instead of ENOSPC.
#                  WAL segments are smaller than the limit.
#   RLIMIT_AS      malloc() fails, as it does if memory is not overcommitted
#
# With SPQTREE_SMALL_DISK=directory, an empty directory of the test's user on a file system
# of 4 MB, the disk really gets full.
#
# The test looks for leftover memory (pg_backend_memory_contexts, before and after many
# failures), pins (pg_buffercache; the server logs a leak that it notices), and files
# (pg_ls_tmpdir, files that belong to no relation, open descriptors).

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use Time::HiRes qw(time usleep);

plan skip_all => 'limits of a process that runs are those of Linux' if $^O ne 'linux';
like(`prlimit --version`, qr/prlimit/, 'there is prlimit, of util-linux') or BAIL_OUT('install util-linux');

my $mb = 1024 * 1024;
my $node = Server->new('resources');
$node->init(extra => ['--wal-segsize=1']);
$node->append_conf('postgresql.conf', qq(
shared_preload_libraries = 'spqtree'
shared_buffers = 64MB
max_wal_size = 512MB
checkpoint_timeout = 1h
autovacuum = off
jit = off
log_statement = none
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
));
$node->start;
prepare($node);
my $prepared = -s $node->logfile;
$node->safe_psql('postgres', q(
	CREATE EXTENSION pg_buffercache;
	CREATE TABLE big AS
	SELECT i AS id, box(point(x, y), point(x + 1, y + 1)) AS b
	FROM generate_series(1, 120000) i, LATERAL (SELECT tst.rnd(1, i, 1) * 1000 AS x, tst.rnd(1, i, 2) * 1000 AS y) v;
	-- all in one place, so that a nearest-neighbor scan has to remember all of them
	CREATE TABLE pile AS SELECT i AS id, box '(0,0),(1,1)' AS b FROM generate_series(1, 100000) i;
	CREATE INDEX big_b ON big USING spgist (b spqtree_box_ops);
	CREATE INDEX pile_b ON pile USING spgist (b spqtree_box_ops);
	CREATE TABLE few (LIKE big);
	CREATE INDEX few_b ON few USING spgist (b spqtree_box_ops);
	-- for build and insertion, which need next to nothing by themselves
	CREATE FUNCTION needs_memory(id int, b box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS
	$$ BEGIN RETURN b + point(CASE WHEN id % 10000 = 5000 THEN length(repeat('x', id * 1000)) ELSE 0 END, 0); END $$;
	CREATE TABLE needy (LIKE big);
	CREATE INDEX needy_b ON needy USING spgist (needs_memory(id, b) spqtree_box_ops);
	VACUUM ANALYZE big, pile, few;
	CHECKPOINT));

# Leftovers, seen from the session itself and from outside.
my $contexts = 'SELECT sum(used_bytes) FROM pg_backend_memory_contexts';
my $orphans = q(SELECT count(*) FROM (SELECT oid FROM pg_database WHERE datname = current_database()) d, LATERAL pg_ls_dir('base/' || oid) f
	WHERE f ~ '^[0-9]+([._].*)?$' AND pg_filenode_relation(0, substring(f, '^[0-9]+')::oid) IS NULL
	  AND pg_relation_filenode('pg_class') <> substring(f, '^[0-9]+')::oid);

sub limit
{
	my ($pid, $what, $value) = @_;
	system_or_bail('prlimit', '--pid', $pid, "--$what=$value:unlimited");
	return;
}

# Return the temporary files that a process has open.
sub open_files
{
	my ($pid) = @_;
	my @links = grep { defined } map { readlink } glob("/proc/$pid/fd/*");
	return (scalar(@links), scalar(grep { /pgsql_tmp/ } @links));
}

sub address_space
{
	my ($pid) = @_;
	my ($kb) = slurp_file("/proc/$pid/status") =~ /VmSize:\s+(\d+) kB/;
	return $kb * 1024;
}

# Return a session that has done everything once, so that its caches are filled, and whose
# stack has been as deep as it may get: if the stack had to grow in a full address space,
# the process would die.
sub session
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	$session->query_safe(q(
		\set VERBOSITY verbose
		SELECT json_typeof((repeat('[', 4000) || repeat(']', 4000))::json);
		SET enable_seqscan = off;
		SET enable_nestloop = off;
		SET client_min_messages = error;));
	return ($session, $session->query_safe('SELECT pg_backend_pid()'));
}

# Run a statement that may fail under a limit.  Return its SQLSTATE, or '' on success.
sub attempt
{
	my ($session, $sql) = @_;
	$session->{stderr} = '';
	my $out = $session->query($sql);
	# early minor releases of 16 leave this where there is no output
	$out =~ s/^background_psql: QUERY_SEPARATOR\n?\z//;
	my ($code) = $session->{stderr} =~ /(?:ERROR|FATAL):  (\w{5}):/;
	# this error has no SQLSTATE of its own
	$code = 'EFBIG' if $session->{stderr} =~ /could not (?:extend|write to) file .*: File too large/;
	note $session->{stderr} if $session->{stderr} ne '';
	$session->{stderr} = '';
	return wantarray ? ($code || '', $out) : $code || '';
}

# Run a statement many times under a limit that makes it fail; then without the limit.
#   setup, sql, undo  the statements; setup and undo run without the limit
#   limit             a function of the process that returns (resource, value)
#   code              the result that is expected of attempt()
#   retry             the statement's output without the limit, by default none
sub fails_and_works
{
	my ($name, %case) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($session, $pid) = session();
	my %codes;
	my (@memory, @files);

	attempt($session, $_) foreach grep { $_ } $case{setup};
	for my $i (0 .. 10)
	{
		my ($what, $value) = $case{limit}->($pid);
		limit($pid, $what, $value);
		$codes{ attempt($session, $case{sql}) }++;
		limit($pid, $what, 'unlimited');
		# what the first failures leave is cached
		if ($i == 3 || $i == 10)
		{
			push @memory, $session->query_safe($contexts);
			push @files, [ open_files($pid) ];
		}
	}
	is(join(' ', sort keys %codes), $case{code}, "$name: fails, each time");
	cmp_ok($memory[1] - $memory[0], '<', 7 * 1024, "  contexts do not grow ($memory[0], later $memory[1] bytes)");
	cmp_ok($files[1][0] - $files[0][0], '<=', 2, '  nor do open files');
	is($files[1][1], 0, '  and no temporary file is open');
	is($session->query_safe('SELECT count(*) FROM pg_buffercache WHERE pinning_backends > 0 AND reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND relfilenode IN (SELECT relfilenode FROM pg_class WHERE relname ~ \'^(big|pile|few|new|needy)\')'), '0', '  no page is pinned');
	is($session->query_safe('SELECT count(*) FROM pg_ls_tmpdir()'), '0', '  no temporary file exists');
	$session->query_safe('CHECKPOINT');
	is($session->query_safe($orphans), '0', '  every file has its relation');
	my ($code, $out) = attempt($session, $case{sql});
	is("$code:$out", ':' . (defined $case{retry} ? $case{retry} : ''), '  in the same session it works where there is room');
	attempt($session, $_) foreach grep { $_ } $case{undo};
	$session->quit;
	return;
}

my $join = q(SELECT count(*) > 100000 FROM spqtree_join('TABLE big', 'TABLE big'));
my $by_node = q(SELECT count(*) > 100000 FROM big l JOIN big r ON l.b && r.b);
my $nearest = q(SELECT count(*) FROM (SELECT b <-> point '(5,5)' AS d FROM pile ORDER BY b <-> point '(5,5)') s);
my $has_check = $node->safe_psql('postgres', q(SELECT count(*) FROM pg_proc WHERE proname = 'spqtree_check'));

#
# Disk
#
my $small_files = sub { return ('fsize', $mb + 65536) };

fails_and_works('disk full, build', limit => $small_files, code => 'EFBIG', sql => 'CREATE INDEX new_b ON big USING spgist (b spqtree_box_ops)', undo => 'DROP INDEX new_b');
fails_and_works('disk full, insertion', limit => $small_files, code => 'EFBIG', sql => 'INSERT INTO few SELECT * FROM big', undo => 'TRUNCATE few');
fails_and_works('disk full, spqtree_join', limit => $small_files, code => 'EFBIG', setup => q(SET work_mem = '2MB'), sql => $join, retry => 't');
fails_and_works('disk full, the node', limit => $small_files, code => 'EFBIG', setup => q(SET work_mem = '2MB'), sql => $by_node, retry => 't');
check_ok($node, 'few_b', 'disk full', 1);

SKIP:
{
	skip 'SPQTREE_SMALL_DISK does not say where', 6 unless $ENV{SPQTREE_SMALL_DISK};
	my $place = "$ENV{SPQTREE_SMALL_DISK}/tablespace";
	mkdir $place or die "$place: $!";
	$node->safe_psql('postgres', "CREATE TABLESPACE small LOCATION '$place'");
	my ($session, $pid) = session();
	my $there = q(CREATE TABLE there (LIKE big) TABLESPACE small; CREATE INDEX there_b ON there USING spgist (b spqtree_box_ops) TABLESPACE small);
	$session->query_safe("SET temp_tablespaces = 'small'; SET work_mem = '64kB'; $there");
	is(attempt($session, 'CREATE INDEX new_b ON big USING spgist (b spqtree_box_ops) TABLESPACE small'), '53100', 'small disk: build');
	is(attempt($session, 'INSERT INTO there TABLE big'), '53100', 'small disk: insertion');
	# the uncommitted rows keep their space until it is freed, which TRUNCATE cannot do: it
	# makes a new file first
	$session->query_safe('DROP TABLE there; CHECKPOINT');
	is(attempt($session, $join), '53100', 'small disk: spqtree_join');
	is(attempt($session, 'SELECT count(*), sum(l.id + r.id) FROM big l JOIN big r ON l.b && r.b'), '53100', 'small disk: the node');
	$session->query_safe($there);
	is(attempt($session, 'INSERT INTO there SELECT * FROM big LIMIT 1000'), '', 'and what is small enough goes in');
	check_ok($node, 'there_b', 'small disk', 1);
	is($session->query_safe(q(SELECT count(*) FROM pg_ls_tmpdir((SELECT oid FROM pg_tablespace WHERE spcname = 'small')))), '0', 'no file is left there');
	$session->query_safe('DROP TABLE there');
	$session->quit;
	$node->safe_psql('postgres', 'DROP TABLESPACE small');
	rmdir $place;
}

#
# Memory
#
my $little_memory = sub { my ($pid) = @_; return ('as', address_space($pid) + $mb) };

fails_and_works('out of memory, build', limit => $little_memory, code => '53200', sql => 'CREATE INDEX new_b ON big USING spgist (needs_memory(id, b) spqtree_box_ops)', undo => 'DROP INDEX new_b');
fails_and_works('out of memory, insertion', limit => $little_memory, code => '53200', sql => 'INSERT INTO needy SELECT * FROM big', undo => 'TRUNCATE needy');
fails_and_works('out of memory, spqtree_join', limit => $little_memory, code => '53200', setup => q(SET work_mem = '256MB'), sql => $join, retry => 't');
fails_and_works('out of memory, the node', limit => $little_memory, code => '53200', setup => q(SET work_mem = '256MB'), sql => $by_node, retry => 't');
fails_and_works('out of memory, nearest-neighbor scan', limit => $little_memory, code => '53200', setup => 'SET enable_sort = off', sql => $nearest, retry => '100000');
fails_and_works('out of memory, check', limit => $little_memory, code => '53200', setup => q(SET maintenance_work_mem = '256MB'),
	sql => q(SELECT count(*) FROM spqtree_check('big_b', true)), retry => '0') if $has_check;

# Statements that need little memory fail early, late or not at all, depending on the limit.
# Each runs in a session of its own, whose heap has no room.  They must not raise another
# error, and must succeed under the highest limit.
my %statement = (
	'insertion' => 'INSERT INTO few SELECT * FROM big LIMIT 30000',
	'scan' => q(SELECT sum(n) FROM generate_series(1, 50) i, LATERAL (SELECT count(*) AS n FROM big WHERE b && box(point(i, i), point(i + 10, i + 10))) s),
	'vacuum' => 'DELETE FROM few WHERE id % 2 = 0; VACUUM few',
	'nearest-neighbor scan' => $nearest,
	'spqtree_join' => $join,
	'the node' => $by_node,
	$has_check ? ('check' => q(SELECT * FROM spqtree_check('big_b', true))) : ());
for my $name (sort keys %statement)
{
	my %codes;
	for my $kb (0, 64, 300, 1000, 2000, 8000, 128_000)
	{
		my ($session, $pid) = session();
		limit($pid, 'as', address_space($pid) + $kb * 1024);
		$codes{ attempt($session, $statement{$name}) }++;
		limit($pid, 'as', 'unlimited');
		is(attempt($session, q(SELECT count(*) FROM pile WHERE b && box '(0,0),(0,0)')), '', "$name with $kb kB: the session goes on");
		$session->quit;
	}
	note join(', ', map { ($_ || 'success') . ": $codes{$_}" } sort keys %codes);
	ok($codes{''} && keys %codes == ($codes{'53200'} ? 2 : 1), "$name: fails for want of memory, or works");
}
check_ok($node, $_, 'out of memory', 1) foreach 'few_b', 'big_b', 'pile_b';

#
# Time: long statements can be ended at any moment
#
sub builds
{
	my $table = shift;
	return "DO 'BEGIN FOR i IN 1..100 LOOP CREATE INDEX new_b ON $table USING spgist (b spqtree_box_ops); DROP INDEX new_b; END LOOP; END'";
}
my %long = (
	'build' => builds('big'),
	'build of a pile' => builds('pile'),
	'insertion' => 'INSERT INTO few SELECT id, b + point(i, i) FROM generate_series(1, 100) i, big',
	'scan' => q(SELECT count(*) FROM generate_series(1, 1000000) i, LATERAL (SELECT FROM pile WHERE b && box(point(0, 0), point(i, i)) AND id > i * 10) s),
	'nearest-neighbor scan' => "SELECT count(*) FROM generate_series(1, 1000) i, LATERAL (SELECT b <-> point(i, i) AS d FROM pile ORDER BY b <-> point(i, i) OFFSET i) s",
	$has_check ? ('check' => q(SELECT count(*) FROM generate_series(1, 1000) i, LATERAL spqtree_check('big_b', i > 0) s)) : ());
for my $name (sort keys %long)
{
	for my $how ('timeout', 'cancel', 'terminate')
	{
		for my $ms ($how eq 'timeout' ? (1, 10, 100) : 50)
		{
			my ($session, $pid) = session();
			my ($start, $stop);
			if ($how eq 'timeout')
			{
				# the setting ends with the transaction, so it affects no other statement
				$start = time;
				is(attempt($session, "BEGIN;\nSET LOCAL statement_timeout = $ms;\n$long{$name};\nROLLBACK"), '57014', "$name: timeout after $ms ms");
				$stop = time;
			}
			else
			{
				$session->{stdin} .= "$long{$name};\n\\warn over\n";
				$session->{run}->pump_nb;
				$node->poll_query_until('postgres', "SELECT state = 'active' FROM pg_stat_activity WHERE pid = $pid");
				usleep($ms * 1000);
				$start = time;
				$node->safe_psql('postgres', "SELECT pg_${how}_backend($pid)");
				$session->{run}->pump until $session->{stderr} =~ /over|terminating/ || $session->{timeout}->is_expired;
				$stop = time;
				like($session->{stderr}, $how eq 'cancel' ? qr/ERROR:  57014:/ : qr/FATAL:  57P01:/, "$name: $how after $ms ms");
				$session->{stderr} = '';
			}
			cmp_ok($stop - $start, '<', 20, '  it ends soon');
			is(attempt($session, q(SELECT count(*) FROM pile WHERE b && box '(0,0),(0,0)')), '', '  the session goes on') if $how ne 'terminate';
			eval { $session->quit };
		}
	}
}
$node->safe_psql('postgres', 'CHECKPOINT');
is($node->safe_psql('postgres', $orphans), '0', 'every file has its relation');
$node->safe_psql('postgres', 'VACUUM few');
check_ok($node, $_, 'in the end', 1) foreach 'few_b', 'big_b', 'pile_b';
$node->safe_psql('postgres', 'CREATE INDEX new_b ON big USING spgist (b spqtree_box_ops)');
check_ok($node, 'new_b', 'in the end', 1);
$node->safe_psql('postgres', 'INSERT INTO few SELECT * FROM house');
$node->stop;

my $log = substr(slurp_file($node->logfile), $prepared);
unlike($log, qr/WARNING:|leak/i, 'nothing leaked');
unlike($log, qr/PANIC|TRAP|terminated by signal/, 'nothing crashed');

done_testing();
