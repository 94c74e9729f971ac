# Malicious users: objects of the same names earlier in the search path; queries given as
# text that do more than select; functions of an index that would act with the privileges
# of the role that checks it; estimates that reveal hidden rows.
#
# (Row security, column privileges, SECURITY DEFINER and roles that change are in 004_join
# for the functions and in sql/node_rights for the node; queries that write, lock, raise
# errors, do DDL or call themselves endlessly are in sql/join_errors.)

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

my $node = Server->new('hostile');
$node->init(auth_extra => [ '--create-role', 'mallory,alice,checker' ]);
$node->append_conf('postgresql.conf', qq(
session_preload_libraries = 'spqtree'
autovacuum = off
jit = off
log_statement = none
max_parallel_workers_per_gather = 0
));
$node->start;

# Run SQL as a role.  Return the output, or the SQLSTATE of the first error.
sub gets
{
	my ($role, $sql, $database) = @_;
	my ($stdout, $stderr);
	$node->psql($database || 'postgres', "\\set VERBOSITY sqlstate\nSET client_min_messages = error;\n$sql",
		stdout => \$stdout, stderr => \$stderr, extra_params => [ '-U', $role ]);
	return $stderr =~ /(?:ERROR|FATAL):  (\w+)/ ? $1 : $stdout;
}

my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
$node->safe_psql('postgres', q(
	CREATE ROLE mallory LOGIN;
	CREATE ROLE alice LOGIN;
	CREATE ROLE checker LOGIN;
	CREATE SCHEMA evil AUTHORIZATION mallory;
	GRANT ALL ON SCHEMA evil TO public;
	GRANT ALL ON SCHEMA public TO alice, mallory));

#
# Installation in a schema that already has objects
#
my $trap = q(BEGIN RAISE 'a function of mallory was called by %', current_user USING ERRCODE = 'XXEVL'; END);
my $traps = qq(
	CREATE FUNCTION %1\$s.trap(box, box) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE FUNCTION %1\$s.trap_distance(box, box) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE FUNCTION %1\$s.trap_distance(box, point) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE FUNCTION %1\$s.trap(bigint, bigint) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE FUNCTION %1\$s.box(point, point) RETURNS box IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE FUNCTION %1\$s.point(float8, float8) RETURNS point IMMUTABLE LANGUAGE plpgsql AS \$\$ $trap \$\$;
	CREATE OPERATOR %1\$s.&& (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.@> (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.<@ (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.~= (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.= (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = %1\$s.trap);
	CREATE OPERATOR %1\$s.<-> (LEFTARG = box, RIGHTARG = box, FUNCTION = %1\$s.trap_distance);
	CREATE OPERATOR %1\$s.<-> (LEFTARG = box, RIGHTARG = point, FUNCTION = %1\$s.trap_distance);
	CREATE DOMAIN %1\$s.int8 AS text;
	CREATE DOMAIN %1\$s.regclass AS text;
	CREATE DOMAIN %1\$s.float8 AS text;);
for my $function ('spqtree_cell(point, float8)', 'spqtree_join(text, text, text, float8, float8)', '_spqtree_join_pairs(text, text, text, float8, float8)', 'spqtree_check(regclass, boolean)')
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS was_here');
	$node->safe_psql('postgres', 'CREATE DATABASE was_here');
	$node->safe_psql('was_here', "GRANT ALL ON SCHEMA public TO public; SET ROLE mallory; CREATE FUNCTION $function RETURNS bigint LANGUAGE sql AS 'SELECT 1'");
	is(gets($superuser, 'CREATE EXTENSION spqtree', 'was_here'), '42723', "the extension takes no $function of somebody else");
	is(gets($superuser, "CREATE EXTENSION spqtree SCHEMA public VERSION '$_'; ALTER EXTENSION spqtree UPDATE", 'was_here'), '42723', "  nor in an update from $_")
	  foreach older_versions($node);
}
$node->safe_psql('was_here', 'DROP FUNCTION public.spqtree_check(regclass, boolean); GRANT ALL ON SCHEMA public TO public; SET ROLE mallory;' . sprintf($traps, 'public'));
is(gets($superuser, 'DROP EXTENSION IF EXISTS spqtree; SET search_path = public, pg_catalog; CREATE EXTENSION spqtree', 'was_here'), '', 'where mallory has operators, functions and types of the same names it is made');
is( $node->safe_psql('was_here', q(
		SELECT count(*) FROM pg_depend d
		WHERE refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
		  AND pg_describe_object(refclassid, refobjid, 0) ~ 'mallory|public\.(trap|box|point|int8|float8|regclass)'
		  AND (classid, objid) IN (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'))), '0', '  of PostgreSQL\'s');
is( $node->safe_psql('was_here', q(
		SELECT count(*), count(*) FILTER (WHERE oprnamespace = 'pg_catalog'::regnamespace)
		FROM pg_amop JOIN pg_operator o ON o.oid = amopopr JOIN pg_opfamily f ON f.oid = amopfamily WHERE opfname = 'spqtree_box_ops')), '15|15', '  with PostgreSQL\'s operators');

# what takes an object that is there already, and may be mallory's
my ($share) = $node->safe_psql('postgres', q(SELECT setting FROM pg_config WHERE name = 'SHAREDIR'));
my @scripts = glob("$share/extension/spqtree*--*.sql");
cmp_ok(scalar @scripts, '>=', 2, 'scripts are installed');
foreach my $script (@scripts)
{
	my $text = slurp_file($script);
	$text =~ s/--.*//g;
	unlike($text, qr/\b(OR\s+REPLACE|IF\s+NOT\s+EXISTS|SECURITY\s+DEFINER|SET\s+search_path|EXECUTE\s+format)\b/i, $script =~ s/.*\///r . ' takes and trusts nothing that is there');
}

#
# Another user's objects in the search path of a caller
#
$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	CREATE TABLE house AS SELECT i AS id, box(point(i % 50, i / 50), point(i % 50 + 1, i / 50 + 1)) AS b FROM generate_series(1, 2500) i;
	CREATE INDEX house_b ON house USING spgist (b spqtree_box_ops);
	GRANT SELECT ON house TO public;
	ANALYZE house));
$node->safe_psql('postgres', 'SET ROLE mallory;' . sprintf($traps, 'evil')
	  . q(CREATE FUNCTION evil._spqtree_join_pairs(text, text, text, float8, float8) RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RAISE 'trap' USING ERRCODE = 'XXEVL'; END $$;));
my $alone = $node->safe_psql('postgres', q(SELECT count(*), sum(left_id * right_id) FROM spqtree_join('SELECT id, b FROM house', 'SELECT id, b FROM house', '@>')));
for my $path ('evil, public', 'evil, pg_catalog, public', 'evil, pg_temp, public, pg_catalog')
{
	my $set = "SET search_path = $path;";
	is(gets('alice', "$set SELECT count(*), sum(left_id OPERATOR(pg_catalog.*) right_id) FROM public.spqtree_join('SELECT id, b FROM public.house', 'SELECT id, b FROM public.house', '\@>')"), $alone, "search_path $path: spqtree_join");
	is(gets('alice', "$set SELECT count(*) FROM public.spqtree_self_join('SELECT id, b FROM public.house', 0.5::pg_catalog.float8)"), $node->safe_psql('postgres', q(SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM house', 0.5))), '  spqtree_self_join');
	is(gets('alice', "$set SELECT public.spqtree_cell('(1,0)'::pg_catalog.point, 1) OPERATOR(pg_catalog.-) public.spqtree_cell('(0,0)'::pg_catalog.point, 1)"), '1', '  spqtree_cell');
	is(gets($superuser, "$set SELECT count(*) FROM public.spqtree_check('public.house_b', true)"), '0', '  spqtree_check');
	is(gets($superuser, "$set REINDEX INDEX public.house_b; SELECT count(*) FROM public.house WHERE b OPERATOR(pg_catalog.&&) '((1,1),(5,5))'::pg_catalog.box"), $node->safe_psql('postgres', q(SELECT count(*) FROM house WHERE b && '((1,1),(5,5))'::box)), '  an index that is built');
}
# An operator of the same name is another operator: neither index nor node mistakes it for
# the one that they know.
my $forced = 'SET enable_seqscan = off; SET enable_nestloop = off; SET search_path = evil, pg_catalog, public;';
my $plan = gets('alice', "$forced EXPLAIN (COSTS OFF) SELECT FROM public.house WHERE b && '((1,1),(2,2))'::pg_catalog.box; EXPLAIN (COSTS OFF) SELECT FROM public.house h JOIN public.house i ON h.b && i.b; EXPLAIN (COSTS OFF) SELECT FROM public.house ORDER BY b <-> '((1,1),(2,2))'::pg_catalog.box");
unlike($plan, qr/Index Cond|Order By|Spatial/, 'operators of the same name are not ours');
is(gets('alice', "$forced SELECT count(*) FROM public.house WHERE b && '((1,1),(2,2))'::pg_catalog.box"), 'XXEVL', '  they are what was asked for, as without us');
$forced =~ s/evil/public/;
like(gets('alice', "$forced EXPLAIN (COSTS OFF) SELECT FROM public.house WHERE b && '((1,1),(2,2))'::pg_catalog.box; EXPLAIN (COSTS OFF) SELECT FROM public.house h JOIN public.house i ON h.b && i.b"), qr/Index Cond.*Spatial/s, '  which this test would see');
# the temporary schema, which is searched first for tables and types
is(gets('alice', q(CREATE TEMP TABLE house (id int, b box); CREATE DOMAIN pg_temp.box AS text; CREATE DOMAIN pg_temp.int8 AS text;
	CREATE TEMP TABLE _spqtree_join_pairs (x int); CREATE TEMP TABLE pairs (x int);
	SELECT count(*), sum(left_id * right_id) FROM spqtree_join('SELECT id, b FROM public.house', 'SELECT id, b FROM public.house', '@>'))), $alone, 'tables and types of a temporary schema do not come between');

#
# A query given as text that has side effects
#
$node->safe_psql('postgres', q(
	CREATE TABLE diary (who text DEFAULT current_user, what text);
	GRANT INSERT, SELECT ON diary TO public;
	CREATE FUNCTION public.act(command text, i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF i % 500 = 0 THEN EXECUTE command; END IF; RETURN i; END $$;
	CREATE FUNCTION public.act_and_forget(command text, i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF i % 500 = 0 THEN EXECUTE command; END IF; RETURN i; EXCEPTION WHEN OTHERS THEN RETURN i; END $$;));
my $pairs = $node->safe_psql('postgres', q(SELECT count(*), sum(left_id * right_id) FROM spqtree_join('SELECT id, b FROM house', 'SELECT id, b FROM house')));
sub acts
{
	my ($function, $command) = @_;
	$command =~ s/'/''/g;
	my $query = "SELECT $function('$command', id), b FROM house";
	return "SELECT count(*), sum(left_id * right_id) FROM spqtree_join(\$q\$$query\$q\$, \$q\$$query\$q\$)";
}
is(gets('alice', acts('act', $_->[0])), $_->[1], "a query that does $_->[0]")
  foreach ([ 'COMMIT', '0A000' ], [ 'ROLLBACK', '0A000' ], [ 'SET ROLE ' . $superuser, '42501' ], [ 'SET SESSION AUTHORIZATION ' . $superuser, '42501' ],
	[ q(COPY diary TO '/tmp/x'), '42501' ], [ 'ALTER EXTENSION spqtree UPDATE', '42501' ], [ 'DROP TABLE house', '42501' ], [ 'VACUUM house', '25001' ], [ 'DISCARD ALL', '25001' ],
	[ q(DO 'BEGIN COMMIT; END'), '2D000' ],
	[ 'CLOSE ALL', $pairs ], [ 'DEALLOCATE ALL', $pairs ], [ 'DISCARD PLANS', $pairs ], [ 'RESET ALL', $pairs ],
	[ q(SET work_mem = '64kB'), $pairs ], [ 'SET search_path = evil', $pairs ], [ 'SET spqtree.enable_hashjoin = off', $pairs ],
	[ q(SELECT FROM spqtree_join('SELECT id, b FROM house', 'SELECT id, b FROM house')), $pairs ],
	[ q(CREATE TEMP TABLE IF NOT EXISTS t (i int)), $pairs ]);
is(gets('alice', acts('act_and_forget', $_)), $pairs, "a query that fails in a subtransaction: $_")
  foreach ('SELECT 1 / 0', 'COMMIT', q(SELECT FROM spqtree_join('SELECT 1 / 0, b FROM house', 'SELECT id, b FROM house')));
is(gets('alice', acts('act', q(INSERT INTO diary (what) VALUES ('written by a query'))) . '; SELECT DISTINCT who FROM diary'), "$pairs\nalice", 'a query whose functions write does so as its caller');
is(gets('alice', 'SET default_transaction_read_only = on;' . acts('act', q(INSERT INTO diary (what) VALUES ('read only')))), '25006', '  and not in a transaction that only reads');
$node->safe_psql('postgres', 'TRUNCATE diary');

#
# A check of an index whose functions belong to another user
#
is(gets('alice', q(SELECT * FROM spqtree_check('house_b'))), '42501', 'not everybody may call spqtree_check');
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION spqtree_check TO checker');
is(gets('checker', q(SELECT count(*) FROM spqtree_check('house_b', true))), '0', 'who was granted it may');
is($node->safe_psql('postgres', q(
	SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc
	WHERE probin = 'spqtree' AND NOT has_function_privilege('alice', oid, 'EXECUTE'))), 'spqtree_check', 'all other functions are for everybody');
$node->safe_psql('postgres', q(
	SET ROLE mallory;
	CREATE TABLE bait (id int, b box);
	INSERT INTO bait SELECT i, box(point(i, i), point(i + 1, i + 1)) FROM generate_series(1, 100) i;
	CREATE FUNCTION harmless(b box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN b; END $$;
	CREATE FUNCTION harmless(id int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN id > 0; END $$;
	CREATE FUNCTION do_it(command text) RETURNS void VOLATILE LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; END $$;
	CREATE INDEX bait_b ON bait USING spgist (harmless(b) spqtree_box_ops) WHERE harmless(id);
	CREATE TABLE fires (i int);
	CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.diary (what) VALUES ('trigger'); RETURN NEW; END $$;
	CREATE CONSTRAINT TRIGGER later AFTER INSERT ON fires DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fire()));
my $check = q(SELECT count(*) FROM spqtree_check('public.bait_b', true));
is(gets($superuser, $check), '0', 'an index with functions of mallory is checked');
for my $part ('expression', 'condition')
{
	my ($argument, $result) = $part eq 'expression' ? ('b box', 'box') : ('id int', 'boolean');
	my $return = $part eq 'expression' ? 'b' : 'id > 0';
	my $hostile = sub {
		my ($do) = @_;
		$node->safe_psql('postgres', "SET ROLE mallory; CREATE OR REPLACE FUNCTION harmless($argument) RETURNS $result IMMUTABLE LANGUAGE plpgsql AS \$\$ BEGIN PERFORM public.do_it(\$do\$ $do \$do\$); RETURN $return; END \$\$");
	};
	for my $call ([ $superuser, 'a superuser' ], [ 'checker', 'another' ])
	{
		my ($role, $who) = @$call;
		my $name = "$part, checked by $who";

		$node->safe_psql('postgres', 'TRUNCATE diary, fires');
		$hostile->(q(INSERT INTO public.diary (what) VALUES (session_user || ' ' || current_setting('search_path'))));
		is(gets($role, "$check; SELECT string_agg(DISTINCT who, ' ') FROM diary"), "0\nmallory", "$name: functions run as the table's owner");
		$hostile->("SET ROLE $superuser");
		is(gets($role, $check), '42501', '  cannot change to another role');
		$hostile->("SET SESSION AUTHORIZATION $superuser");
		is(gets($role, $check), '42501', '  nor session');
		$hostile->('RESET ROLE');
		is(gets($role, $check), '42501', '  nor back');
		$hostile->('CREATE TEMP TABLE t (i int)');
		is(gets($role, $check), '42501', '  make no temporary table');
		$hostile->('DECLARE c CURSOR WITH HOLD FOR SELECT 1');
		is(gets($role, $check), '42501', '  no cursor for later');
		$hostile->(q(INSERT INTO public.fires VALUES (1)));
		is(gets($role, $check), '42501', '  no trigger for later');
		is(gets($role, 'SELECT count(*) FROM diary WHERE what = \'trigger\''), '0', '  and none has fired');
		$hostile->(q(SELECT set_config('search_path', 'evil', false), set_config('work_mem', '64kB', false), set_config('enable_seqscan', 'off', false)));
		is(gets($role, "SET search_path = public; SET work_mem = '5MB'; $check; SHOW search_path; SHOW work_mem; SHOW enable_seqscan"), "0\npublic\n5MB\non", '  settings are as before');
		$hostile->('SELECT 1 / 0');
		is(gets($role, "SET search_path = public; DO \$\$ BEGIN PERFORM count(*) FROM spqtree_check('public.bait_b', true); EXCEPTION WHEN division_by_zero THEN NULL; END \$\$; SELECT current_user, current_setting('search_path')"),
			"$role|public", '  after an error the caller is who he was');
		$hostile->(q(SELECT FROM public.spqtree_check('public.house_b')));
		is(gets($role, $check), '42501', '  what only the caller may, they may not');
		$hostile->('SELECT 1');
	}
}
is(gets($superuser, $check), '0', 'harmless again, it is sound');

#
# Estimates do not reveal hidden rows
#
$node->safe_psql('postgres', q(
	CREATE TABLE secret (id int, b box, owner name, part int) PARTITION BY LIST (part);
	CREATE TABLE secret_1 PARTITION OF secret FOR VALUES IN (1);
	CREATE TABLE secret_2 PARTITION OF secret FOR VALUES IN (2);
	INSERT INTO secret SELECT i, box(point(500 + i % 30, 500 + i / 30 % 30), point(501 + i % 30, 501 + i / 30 % 30)), 'other', 1 + i % 2 FROM generate_series(1, 20000) i;
	CREATE TABLE plain AS TABLE secret;
	CREATE VIEW behind WITH (security_barrier) AS SELECT * FROM plain WHERE owner = current_user;
	CREATE VIEW before AS SELECT * FROM plain;
	CREATE TABLE columns AS TABLE secret;
	CREATE TABLE protected AS TABLE secret;
	ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
	ALTER TABLE protected ENABLE ROW LEVEL SECURITY;
	CREATE POLICY own ON secret USING (owner = current_user);
	CREATE POLICY own ON protected USING (owner = current_user);
	GRANT SELECT ON secret, protected, behind, before TO alice;
	GRANT SELECT (id, b) ON columns TO alice;
	-- where they are, and where they are not
	CREATE TABLE near AS SELECT i AS id, box '((505,505),(510,510))' AS b FROM generate_series(1, 100) i;
	CREATE TABLE far AS SELECT i AS id, box '((105,105),(110,110))' AS b FROM generate_series(1, 100) i;
	GRANT SELECT ON near, far TO alice;
	ANALYZE));
sub estimates
{
	my ($role, $from) = @_;
	my @plans;
	for my $other ('near', 'far')
	{
		for my $sql ("SELECT FROM $from s JOIN $other o ON s.b && o.b", "SELECT FROM $other o WHERE EXISTS (SELECT FROM $from s WHERE s.b && o.b)", "SELECT FROM $other o LEFT JOIN $from s ON o.b <@ s.b")
		{
			my $text = gets($role, "EXPLAIN $sql");
			$text =~ s/\b$other\b/other/g;
			push @plans, $text;
		}
	}
	return (join("\n", @plans[ 0 .. 2 ]), join("\n", @plans[ 3 .. 5 ]));
}
for my $from ('secret', 'protected', 'behind', '(SELECT id, b FROM protected UNION ALL SELECT id, b FROM house)', '(SELECT * FROM behind OFFSET 0)')
{
	my ($near, $far) = estimates('alice', $from);
	is($near, $far, "$from: the plan is the same for boxes where hidden rows are and where they are not");
	($near, $far) = estimates($superuser, $from);
	isnt($near, $far, '  but not for who sees them') if $from =~ /^(secret|protected)$/;
}
foreach my $from ('before', '(SELECT b FROM columns)')
{
	my ($near, $far) = estimates('alice', $from);
	isnt($near, $far, "$from: what may be seen is estimated");
}
# debug_print_plan shows a plan before privileges are checked
$node->safe_psql('postgres', 'REVOKE ALL ON columns FROM alice');
my %rows;
foreach my $other ('near', 'far')
{
	my ($stdout, $stderr);
	$node->psql('postgres', "SET debug_print_plan = on; SET client_min_messages = log; SELECT FROM columns s JOIN $other o ON s.b && o.b", stdout => \$stdout, stderr => \$stderr, extra_params => [ '-U', 'alice' ]);
	like($stderr, qr/permission denied/, "$other: no right to see it");
	$rows{$other} = join(' ', $stderr =~ /plan_rows (\S+)/g);
	like($rows{$other}, qr/^\S+ \S+/, '  but the plan');
}
is($rows{near}, $rows{far}, '  which tells nothing');
$node->stop;

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal|leak/, 'nothing crashed or leaked');

done_testing();
