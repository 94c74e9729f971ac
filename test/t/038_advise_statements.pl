# spqtree_advise() reads the statements of pg_stat_statements: those that the current role sent,
# and no others, since planning evaluates functions.  A statement that cannot be planned any more,
# or whose table is locked, costs nothing but its own line.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $node = Server->new('advise_statements');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nsession_preload_libraries = spqtree\n");
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	CREATE SCHEMA "the statistics";
	CREATE EXTENSION pg_stat_statements SCHEMA "the statistics";
	CREATE ROLE alice;
	CREATE ROLE bob;
	CREATE ROLE monitor IN ROLE pg_monitor;
	GRANT CREATE ON SCHEMA public TO bob;
	GRANT USAGE ON SCHEMA "the statistics" TO alice, bob, monitor;
	CREATE TABLE a AS SELECT i AS id, box(point(i, i), point(i + 1, i + 1)) AS b FROM generate_series(1, 3000) i;
	CREATE TABLE c AS TABLE a;
	CREATE TABLE gone AS TABLE a;
	CREATE TABLE locked AS TABLE a;
	GRANT SELECT ON ALL TABLES IN SCHEMA public TO alice, bob, monitor;
	ANALYZE));

# Run SQL as a role; return its output and errors.
sub runs
{
	my ($role, $sql, %option) = @_;
	my ($stdout, $stderr);
	$node->psql('postgres', ($role ? "SET ROLE $role;\n" : '') . $sql, stdout => \$stdout, stderr => \$stderr, %option);
	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /((?:ERROR|NOTICE):.*)/g;
}

# What is said of statements, without what differs between runs.
my $advised = q(SELECT regexp_replace(object, '-?\d+', 'N') || ': ' || regexp_replace(finding, '\d+(\.\d)? m?s$', 'T') || ' -> ' || advice
	FROM spqtree_advise() WHERE object LIKE 'query %');

is(runs('', $advised), '', 'a library that is not loaded is no error');

$node->append_conf('postgresql.conf', "shared_preload_libraries = pg_stat_statements\npg_stat_statements.track = all\n");
$node->restart;
is(runs('', $advised), '', 'no statement yet');

# Immutable functions of bob's, which planning evaluates.
runs('bob', q(
	CREATE FUNCTION trap() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
	BEGIN
		RAISE NOTICE 'evaluated as %', current_user;
		RETURN 7;
	END $$));
my $or = 'SELECT count(*) FROM a JOIN c ON a.b && c.b OR a.id = c.id AND a.id > trap()';
like(runs('bob', $or), qr/evaluated as bob/, 'bob runs his function');
runs('alice', q(
	SELECT count(*) FROM a WHERE b && box '((3,3),(4,4))';
	SELECT count(*) FROM a WHERE b && box '((5,5),(6,6))';
	SELECT count(*) FROM c WHERE b @> pg_catalog.point '(1,1)' AND id BETWEEN 1 AND int '7' LIMIT 1;
	SELECT count(*) FROM c WHERE b @> point '(1,1)';
	SELECT count(*) FROM gone WHERE b && box '((3,3),(4,4))';
	SELECT count(*) FROM locked WHERE b && box '((3,3),(4,4))';
	DO $$ BEGIN PERFORM count(*) FROM a JOIN c ON a.b && c.b OR a.id = c.id; END $$));
runs('', 'DROP TABLE gone');

my $session = $node->background_psql('postgres');
$session->query_safe('BEGIN; LOCK TABLE locked');
my $of_alice = join "\n",
	'query N: condition a.b && $1: no index, so all rows are read; 2 calls took T -> CREATE INDEX CONCURRENTLY ON a USING spqtree (b)',
	'query N: condition c.b @> $1: no index, so all rows are read; 1 call took T -> CREATE INDEX CONCURRENTLY ON c USING spqtree (b)';
sub sorted { return join "\n", sort split /\n/, $_[0]; }
is(sorted(runs('alice', "SET statement_timeout = '60s';\n$advised")), $of_alice,
	'what alice sent: types of literals, no table that is gone or locked, nothing twice, nothing of functions');
is(runs('alice', "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'a'::regclass"), '0', 'planning leaves no locks');
$session->query_safe('COMMIT');
$session->quit;
like(sorted(runs('alice', $advised)), qr/condition locked\.b && \$1/, 'the table that was locked');
is(runs('alice', "BEGIN; SELECT count(*) > 0 FROM spqtree_advise(); SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'locked'::regclass; COMMIT"),
	"t\n0", 'no lock is kept');
like(runs('alice', "SET statement_timeout = 1; SELECT spqtree_advise() FROM generate_series(1, 1000)"), qr/canceling statement/, 'it can be canceled');

# Whoever may see all statements plans only what is his own.
is(runs('monitor', $advised), '', 'a monitor plans nothing of others');
is(runs('', $advised), '', 'nor does a superuser');
my $of_bob = runs('bob', $advised);
like($of_bob, qr/evaluated as bob/, "bob's own function is evaluated");
like($of_bob, qr/query N: condition .* OR .*: an OR is no key; .*; 1 call took T -> SELECT \.\.\. WHERE .* UNION ALL/, 'what bob sent');

# A standby, a read-only transaction, and a schema that may not be used.
is(sorted(runs('alice', "BEGIN READ ONLY;\n$advised")), sorted(runs('alice', $advised)), 'a transaction that is read-only');
runs('', 'REVOKE USAGE ON SCHEMA "the statistics" FROM alice');
is(runs('alice', $advised), '', 'no right to read statements is no error');
$node->stop;

done_testing();
