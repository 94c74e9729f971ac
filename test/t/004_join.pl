# Limits of the spatial join: memory, disk, time and privileges.
#
# Joins that do not fit into memory return the same pairs; a join leaves no file behind,
# however it ends; a backend does not exceed its memory limit; and no role sees pairs of
# rows that are hidden from it.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use Test::More;
use Time::HiRes qw(time usleep);

my $node = Server->new('join');
$node->init;
$node->append_conf('postgresql.conf', qq(
shared_buffers = 8MB
autovacuum = off
log_statement = none
log_min_error_statement = panic
max_parallel_workers_per_gather = 0
jit = off
));
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	-- many, with about one neighbor each
	CREATE TABLE l AS
	SELECT i AS id, box(point(x, y), point(x + 1, y + 1)) AS b
	FROM generate_series(1, 300000) i,
	     LATERAL (SELECT abs(hashint8extended(i, 1)) % 1000000 / 1000.0 AS x, abs(hashint8extended(i, 2)) % 1000000 / 1000.0 AS y) v;
	CREATE TABLE r AS SELECT id, b + point(0.5, 0.25) AS b FROM l;
	CREATE TABLE part AS SELECT * FROM l WHERE id <= 30000;
	CREATE VIEW same AS SELECT i AS id, box '(0,0),(1,1)' AS b FROM generate_series(1, 10000) i;
	VACUUM ANALYZE l, r, part));

# Return the number of temporary files.
sub files
{
	return $node->safe_psql('postgres', 'SELECT count(*) FROM pg_ls_tmpdir()');
}

my $join = q(spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 40000'));
my $digest = 'SELECT count(*), sum(hashint8extended(left_id, right_id)) FROM';

#
# Spilling
#
my %settings = (
	"&&" => $join,
	"distance" => q(spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 40000', distance => 0.7)),
	"the larger side on the left" => q(spqtree_join('SELECT id, b FROM r WHERE id <= 100000', 'SELECT id, b FROM l WHERE id <= 10000')),
	"contains" => q(spqtree_join('TABLE part', 'SELECT id, box(center(b), center(b)) FROM r WHERE id <= 80000', '@>')),
	"itself" => q((SELECT * FROM spqtree_self_join('TABLE part', 0.7)) AS s(left_id, right_id)),
	"changes" => q((SELECT * FROM spqtree_self_join_changes('SELECT id, b FROM part WHERE id % 3 > 0', 'SELECT id, b FROM part WHERE id % 4 > 0', 1.5)) AS s(kind, left_id, right_id)),
	"changes of pairs" => q((SELECT * FROM spqtree_self_join_changes('SELECT i, i + 1 FROM generate_series(1, 9000) i', 'TABLE part', 0.5, 1.5)) AS s(kind, left_id, right_id)),
	"many in one place" =>
	  q(spqtree_join('SELECT id, b FROM part UNION ALL SELECT -id, box ''(500,500),(501,501)'' FROM part WHERE id <= 3000', 'SELECT id, b FROM r WHERE id <= 60000')));
for my $name (sort keys %settings)
{
	my @answers = map { $node->safe_psql('postgres', "SET work_mem = '$_'; $digest $settings{$name}") } ('256MB', '1MB', '64kB');
	like($answers[0], qr/^\d{4,}\|/, "$name: there are pairs");
	is($answers[1], $answers[0], "$name: the same at work_mem 1MB");
	is($answers[2], $answers[0], "$name: the same at work_mem 64kB");
}
ok( $node->poll_query_until('postgres', q(SELECT temp_files > 0 FROM pg_stat_database WHERE datname = 'postgres')),
	'temporary files were used');
is(files(), '0', 'no temporary file is left');

# With enough memory there is no file.
$node->safe_psql('postgres', "SET work_mem = '256MB'; SET temp_file_limit = 0; $digest $join");
pass('no file where there is memory');

#
# Joins that end early
#

# Run SQL that must fail with this SQLSTATE; check that the session continues and that no
# files are left.
sub fails
{
	my ($name, $sqlstate, $sql, $before) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	my ($stdout, $stderr);
	my $start = time;
	# settings end with the transaction, the timeout with the error
	$node->psql('postgres', qq(BEGIN;\n$before\n\\set VERBOSITY sqlstate\n$sql;\nROLLBACK;
		SELECT 'files ' || count(*) FROM pg_ls_tmpdir();
		SELECT 'pairs ' || count(*) FROM spqtree_join('SELECT 1, box ''(0,0),(1,1)''', 'SELECT 1, box ''(0,0),(1,1)''')),
		stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	like($stderr, qr/ERROR:  $sqlstate$/m, "$name: SQLSTATE $sqlstate");
	is($stdout, "files 0\npairs 1", "$name: the session goes on, without files");
	return time - $start;
}

fails('temp_file_limit', '53400', "$digest $join", q(SET LOCAL work_mem = '64kB'; SET LOCAL temp_file_limit = '1MB';));
fails('temp_file_limit, with itself', '53400', q(SELECT count(*) FROM spqtree_self_join('TABLE part')), q(SET LOCAL work_mem = '64kB'; SET LOCAL temp_file_limit = '1MB';));
fails('temp_file_limit, changes', '53400', q(SELECT count(*) FROM spqtree_self_join_changes('SELECT i, i FROM generate_series(1, 100000) i', 'TABLE same')), q(SET LOCAL work_mem = '64kB'; SET LOCAL temp_file_limit = '1MB';));
fails('error in the state after', '22012', q(SELECT count(*) FROM spqtree_self_join_changes('TABLE part', 'SELECT id / (id - 20000), b FROM part')), q(SET LOCAL work_mem = '64kB';));
fails('error in the caller of changes', '22012', q(SELECT sum(1 / (id1 - 20000)) FROM spqtree_self_join_changes('SELECT i, i FROM generate_series(1, 100000) i', 'TABLE part', 1)), q(SET LOCAL work_mem = '64kB';));
fails('error on the build side', '22012', q(SELECT count(*) FROM spqtree_join('SELECT id / (id - 20000), b FROM part', 'TABLE r')), q(SET LOCAL work_mem = '64kB';));
fails('error on the probe side', '22012', q(SELECT count(*) FROM spqtree_join('TABLE part', 'SELECT id / (id - 60000), b FROM r')), q(SET LOCAL work_mem = '64kB';));
fails('error in the caller', '22012', q(SELECT sum(1 / (left_id - 5000)) FROM spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 60000')), q(SET LOCAL work_mem = '64kB';));
fails('error in a savepoint', '22012', q(SAVEPOINT s; SELECT sum(1 / (left_id - 5000)) FROM spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 60000'); ROLLBACK TO s;
	SELECT 'still there' FROM pg_ls_tmpdir()), q(SET LOCAL work_mem = '64kB';));

# statement_timeout at several moments of a large join, and of one with so many pairs
# that it would take minutes.
for my $timeout (1, 10, 40, 100, 250)
{
	my $took = fails("timeout after $timeout ms, large", '57014',
		q(SELECT count(*) FROM spqtree_join('TABLE l', 'SELECT l.id, l.b FROM l, generate_series(1, 50)')),
		qq(SET LOCAL work_mem = '64kB'; SET LOCAL statement_timeout = $timeout;));
	cmp_ok($took, '<', 20, "timeout after $timeout ms: it ends quickly");
}
for my $timeout (5, 100, 400)
{
	my $took = fails("timeout after $timeout ms, identical", '57014',
		q(SELECT count(*) FROM generate_series(1, 1000) i, LATERAL spqtree_join('SELECT id + ' || i || ', b FROM same', 'TABLE same')),
		qq(SET LOCAL statement_timeout = $timeout;));
	cmp_ok($took, '<', 20, "timeout after $timeout ms, identical: it ends quickly");
}

for my $timeout (5, 100, 400)
{
	my $took = fails("timeout after $timeout ms, changes", '57014',
		q(SELECT count(*) FROM spqtree_self_join_changes('TABLE same', 'SELECT id + 5000, b FROM same')),
		qq(SET LOCAL work_mem = '64kB'; SET LOCAL statement_timeout = $timeout;));
	cmp_ok($took, '<', 20, "timeout after $timeout ms, changes: it ends quickly");
}

# pg_cancel_backend, as seen by the canceled session.
for my $sql (
	q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM same UNION ALL SELECT id, b FROM same UNION ALL SELECT a.id, a.b FROM same a, generate_series(1, 30)')),
	q(SELECT count(*) FROM spqtree_self_join_changes('TABLE same', 'SELECT id + 5000, b FROM same')),
	q(SELECT count(*) FROM spqtree_join('TABLE l', 'SELECT l.id, l.b FROM l, generate_series(1, 50)')))
{
	for my $delay (20, 150, 500)
	{
		my $session = $node->background_psql('postgres', on_error_stop => 0);
		my $pid = $session->query("SELECT pg_backend_pid()");
		$session->query("SET work_mem = '64kB'");
		$session->query_until(qr/begun/, "\\echo begun\n$sql;\n\\echo ended\n");
		$node->poll_query_until('postgres', "SELECT state = 'active' FROM pg_stat_activity WHERE pid = $pid");
		usleep($delay * 1000);
		my $start = time;
		$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
		$session->query_until(qr/ended/, '');
		cmp_ok(time - $start, '<', 20, "canceled after $delay ms: it ends quickly");
		like($session->{stderr}, qr/canceling statement due to user request/, '  with an error');
		is($session->query('SELECT count(*) FROM pg_ls_tmpdir()'), '0', '  without files');
		is($session->query(q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM same WHERE id <= 100'))), '4950', '  and the session goes on');
		$session->quit;
	}
}

# With a LIMIT, and with a cursor that is not read to its end: files are removed at the end
# of the statement, by CLOSE, and at the end of the transaction.
is( $node->safe_psql('postgres', q(
	SET work_mem = '64kB';
	BEGIN;
	SELECT count(*) FROM (SELECT FROM spqtree_join('TABLE part', 'TABLE part') LIMIT 10) s;
	SELECT 'after LIMIT ' || count(*) FROM pg_ls_tmpdir();
	DECLARE c CURSOR FOR SELECT 1 FROM spqtree_join('TABLE part', 'TABLE part');
	MOVE 10 FROM c;
	SELECT 'open ' || (count(*) > 0)::text FROM pg_ls_tmpdir();
	CLOSE c;
	SELECT 'closed ' || count(*) FROM pg_ls_tmpdir();
	DECLARE c CURSOR FOR SELECT 1 FROM spqtree_self_join('TABLE part');
	MOVE 10 FROM c;
	SAVEPOINT s;
	MOVE 100 FROM c;
	ROLLBACK TO s;
	MOVE 100 FROM c;
	SELECT 'open ' || (count(*) > 0)::text FROM pg_ls_tmpdir();
	COMMIT;
	SELECT 'committed ' || count(*) FROM pg_ls_tmpdir();
	BEGIN;
	DECLARE c CURSOR FOR SELECT 1 FROM spqtree_self_join_changes('SELECT 1, 1', 'TABLE part', 1);
	MOVE 10 FROM c;
	SAVEPOINT s;
	MOVE 3000 FROM c;
	ROLLBACK TO s;
	MOVE 3000 FROM c;
	SELECT 'open ' || (count(*) > 0)::text FROM pg_ls_tmpdir();
	COMMIT;
	SELECT 'committed ' || count(*) FROM pg_ls_tmpdir();
	BEGIN;
	DECLARE c CURSOR FOR SELECT 1 FROM spqtree_self_join('TABLE part');
	MOVE 10 FROM c;
	ROLLBACK;
	SELECT 'rolled back ' || count(*) FROM pg_ls_tmpdir();)),
	"10\nafter LIMIT 0\nopen true\nclosed 0\nopen true\ncommitted 0\nopen true\ncommitted 0\nrolled back 0",
	'temporary files go when nobody can read them any more');

# A cursor with files returns all pairs, in pieces, across savepoints.
is( $node->safe_psql('postgres', q(
	SET work_mem = '64kB';
	CREATE FUNCTION in_pieces() RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE
	  c CURSOR FOR SELECT * FROM spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 40000');
	  pair record;
	  n bigint := 0;
	  digest numeric := 0;
	BEGIN
	  OPEN c;
	  LOOP
	    BEGIN
	      FOR i IN 1 .. 1000 LOOP
	        FETCH c INTO pair;
	        EXIT WHEN NOT FOUND;
	        n := n + 1;
	        digest := digest + hashint8extended(pair.left_id, pair.right_id);
	      END LOOP;
	      PERFORM 1 / (n % 3);
	    EXCEPTION WHEN division_by_zero THEN NULL;
	    END;
	    EXIT WHEN pair IS NULL;
	  END LOOP;
	  RETURN (SELECT (count(*), sum(hashint8extended(left_id, right_id))) = (n, digest)
	          FROM spqtree_join('TABLE part', 'SELECT id, b FROM r WHERE id <= 40000'));
	END $$;
	SELECT in_pieces())), 't', 'a cursor read in pieces, with errors in between, has all pairs');

is( $node->safe_psql('postgres', q(
	SET work_mem = '64kB';
	CREATE FUNCTION changes_in_pieces() RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE
	  c CURSOR FOR SELECT * FROM spqtree_self_join_changes('SELECT i, i + 1 FROM generate_series(1, 150) i', 'TABLE part', 1.5);
	  pair record;
	  n bigint := 0;
	  digest numeric := 0;
	BEGIN
	  OPEN c;
	  LOOP
	    BEGIN
	      FOR i IN 1 .. 100 LOOP
	        FETCH c INTO pair;
	        EXIT WHEN NOT FOUND;
	        n := n + 1;
	        digest := digest + hashint8extended(pair.id1, pair.id2) + hashtext(pair.kind);
	      END LOOP;
	      PERFORM 1 / (n % 3);
	    EXCEPTION WHEN division_by_zero THEN NULL;
	    END;
	    EXIT WHEN pair IS NULL;
	  END LOOP;
	  SET work_mem = '64MB';
	  RETURN (SELECT (count(*), sum(hashint8extended(id1, id2) + hashtext(kind))) = (n, digest)
	          FROM spqtree_self_join_changes('SELECT i, i + 1 FROM generate_series(1, 150) i', 'TABLE part', 1.5));
	END $$;
	SELECT changes_in_pieces())), 't', 'so has one of changes');

#
# Memory: the peak of the backend, including shared buffers, which are 8 MB
#
SKIP:
{
	skip 'no /proc', 5 unless -r "/proc/$$/status";
	my $peak = q(SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)'))[1]::int AS kb);

	# return the kilobytes that a query adds to the peak of a backend that has run the
	# same query on less data
	my $growth = sub {
		my ($work_mem, $sql) = @_;
		my $out = $node->safe_psql('postgres', qq(
			SET work_mem = '$work_mem';
			SELECT count(*) FROM l, generate_series(1, 1) WHERE b && b;
			SELECT count(*) FROM r WHERE b && b;
			SELECT count(*) FROM spqtree_join('SELECT id, b FROM l WHERE id < 100', 'SELECT id, b FROM r WHERE id < 100');
			$peak;
			$sql;
			$peak));
		my @lines = split /\n/, $out;
		note "work_mem $work_mem: " . join(' ', @lines);
		return ($lines[-1] - $lines[-3], $lines[-2]);
	};

	my ($grown, $pairs) = $growth->('4MB', q(SELECT count(*) FROM spqtree_join('TABLE l', 'TABLE r')));
	cmp_ok($grown, '<', 40 * 1024, "300,000 x 300,000 rows at work_mem 4MB: $grown kB");
	($grown, $pairs) = $growth->('4MB', q(SELECT count(*) FROM spqtree_self_join('TABLE l', 0.5)));
	cmp_ok($grown, '<', 40 * 1024, "300,000 rows with themselves at work_mem 4MB: $grown kB");
	($grown, $pairs) = $growth->('4MB', q(SELECT count(*) FROM spqtree_self_join_changes('SELECT i, i + 1 FROM generate_series(1, 3000000) i', 'TABLE l', 3)));
	cmp_ok($grown, '<', 40 * 1024, "changes of three million pairs at work_mem 4MB: $grown kB");
	($grown, $pairs) = $growth->('4MB', q(SELECT count(*) FROM spqtree_join('TABLE same', 'SELECT id, b FROM same WHERE id <= 5000')));
	is($pairs, '50000000', 'ten thousand identical boxes have fifty million pairs with half of them');
	cmp_ok($grown, '<', 20 * 1024, "which take no memory: $grown kB");
}

#
# Privileges
#
$node->safe_psql('postgres', q(
	CREATE ROLE owner;
	CREATE ROLE reader;
	CREATE ROLE stranger;
	GRANT ALL ON SCHEMA public TO owner;
	SET ROLE owner;
	CREATE TABLE secret (id int, b box, who text, note text);
	INSERT INTO secret SELECT i, '((0,0),(1,1))', CASE i % 2 WHEN 0 THEN 'reader' ELSE 'other' END, 'x' FROM generate_series(1, 6) i;
	ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
	CREATE POLICY own ON secret USING (who = current_user);
	GRANT SELECT ON secret TO reader;
	CREATE FUNCTION pairs_of_owner() RETURNS bigint SECURITY DEFINER LANGUAGE sql
	  AS $$ SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM secret') $$;
	CREATE FUNCTION pairs_of_owner_plpgsql() RETURNS bigint SECURITY DEFINER LANGUAGE plpgsql
	  AS $$ BEGIN RETURN (SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM secret')); END $$;
	CREATE FUNCTION pairs_of_caller() RETURNS bigint LANGUAGE sql
	  AS $$ SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM secret') $$;
	CREATE FUNCTION query_as_owner(text) RETURNS refcursor SECURITY DEFINER LANGUAGE plpgsql
	  AS $$ DECLARE c refcursor := 'c'; BEGIN OPEN c FOR SELECT * FROM spqtree_self_join($1); RETURN c; END $$;
	CREATE VIEW pairs AS SELECT * FROM spqtree_self_join('SELECT id, b FROM secret');
	GRANT SELECT ON pairs TO reader, stranger;
	CREATE TABLE columns (id int, b box, hidden text);
	INSERT INTO columns SELECT id, b, 'x' FROM secret;
	GRANT SELECT (id, b) ON columns TO reader;
	RESET ROLE;));

# Return the result of a role's statement: a number, or the SQLSTATE.
sub gets
{
	my ($role, $sql) = @_;
	my ($stdout, $stderr);
	$node->psql('postgres', "\\set VERBOSITY sqlstate\nSET ROLE $role;\n$sql", stdout => \$stdout, stderr => \$stderr, on_error_stop => 0);
	return $stderr =~ /ERROR:  (\w+)/ ? $1 : $stdout;
}
my $self = q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM secret'));
my $two = q(SELECT count(*) FROM spqtree_join('SELECT id, b FROM secret', 'SELECT 1, box ''(0,0),(1,1)'''));
is(gets('owner', $self), '15', 'the owner sees all pairs');
is(gets('reader', $self), '3', 'a reader sees those of the rows that the policy shows');
is(gets('reader', $two), '3', 'of two sides, too');
is(gets('reader', q(SELECT count(*) FROM spqtree_join('SELECT 1, box ''(0,0),(1,1)''', 'SELECT id, b FROM secret'))), '3', 'and on the right');
is(gets('reader', "SET row_security = off; $self"), '42501', 'row_security = off is an error, not a way in');
is(gets('stranger', $self), '42501', 'without SELECT there are none');
is(gets('stranger', $two), '42501', 'of two sides, too');
is(gets('reader', 'SELECT pairs_of_owner()'), '15', 'a SECURITY DEFINER function has the rights of its owner');
is(gets('reader', 'SELECT pairs_of_owner_plpgsql()'), '15', 'in PL/pgSQL, too');
is(gets('stranger', 'SELECT pairs_of_owner()'), '15', 'whoever calls it');
is(gets('reader', 'SELECT pairs_of_caller()'), '3', 'other functions have the rights of the caller');
is(gets('stranger', 'SELECT pairs_of_caller()'), '42501', 'who may have none');
is(gets('reader', 'SELECT count(*) FROM pairs'), '3', 'in a view the function runs with the rights of the caller, as functions do');
is(gets('stranger', 'SELECT count(*) FROM pairs'), '42501', 'who may have none, there too');
# one session, one plan, several roles
is( $node->safe_psql('postgres', qq(
	SET plan_cache_mode = force_generic_plan;
	PREPARE p AS $self;
	SET ROLE owner;
	EXECUTE p;
	SET ROLE reader;
	EXECUTE p;
	SET ROLE owner;
	EXECUTE p;
	SET ROLE reader;
	EXECUTE p;)), "15\n3\n15\n3", 'after SET ROLE the rights are those of the new role, in a prepared statement as well');
# a cursor opened by another role never shows more than either role may see
is(gets('reader', q(BEGIN; SELECT query_as_owner('SELECT id, b FROM secret') \gset
	MOVE ALL FROM c; SELECT 'end')), 'end', 'a cursor of another role can be read');
is(gets('stranger', q(BEGIN; DECLARE c CURSOR FOR SELECT * FROM spqtree_self_join('SELECT id, b FROM secret'); MOVE ALL FROM c;)), '42501', 'a cursor of his own cannot');

# Column privileges.
is(gets('reader', q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM columns'))), '15', 'columns that may be read can be joined');
is(gets('reader', q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM columns WHERE hidden IS NOT NULL'))), '42501', 'others cannot');
is(gets('reader', q(SELECT count(*) FROM spqtree_self_join('SELECT length(hidden), b FROM columns'))), '42501', 'nor as an id');

# The extension is trusted: CREATE on the database is sufficient, and required.
$node->safe_psql('postgres', q(
	CREATE DATABASE of_owner OWNER owner;
	CREATE DATABASE of_other));
my ($stdout, $stderr);
$node->psql('of_owner', q(SET ROLE owner; SET client_min_messages = warning; CREATE SCHEMA s; CREATE EXTENSION spqtree SCHEMA s;
	SELECT count(*) FROM s.spqtree_self_join('VALUES (1, box ''(0,0),(1,1)''), (2, ''(1,1),(2,2)'')')), stdout => \$stdout, stderr => \$stderr);
is("$stdout$stderr", '1', 'the owner of a database can create the extension, in any schema, and join');
$node->psql('of_other', 'SET ROLE owner; CREATE EXTENSION spqtree', stdout => \$stdout, stderr => \$stderr);
like($stderr, qr/permission denied to create extension/, 'others cannot');

is(files(), '0', 'no temporary file is left in the end');
$node->stop;

# The log would show leaks and crashes.
my $log = slurp_file($node->logfile);
unlike($log, qr/leak/i, 'nothing leaked');
unlike($log, qr/PANIC|TRAP|terminated by signal/, 'nothing crashed');

done_testing();
