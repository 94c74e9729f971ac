# The extension in a database: updates from older versions, dump and restore by
# superusers and others, other schemas, other owners, and DROP EXTENSION.  Objects that
# use it work after each step, and a dropped extension leaves nothing in the catalogs.
#
# Updates are tested from every version that an update script in sql/ starts from.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Checked;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $node = Checked->new('life');
$node->init(auth_extra => [ '--create-role', 'life_owner,life_other' ]);
$node->append_conf('postgresql.conf', qq(
autovacuum = off
session_preload_libraries = 'spqtree'
log_statement = none
));
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE life_owner LOGIN; CREATE ROLE life_other LOGIN');

# Create a database.
sub database
{
	my ($name, $owner) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name" . ($owner ? " OWNER $owner" : ''));
	return $name;
}

# Run SQL as a role.  Return its output, or the SQLSTATE of the error.
sub gets
{
	my ($database, $sql, $role) = @_;
	my ($stdout, $stderr);
	$node->psql($database, "\\set VERBOSITY sqlstate\nSET client_min_messages = error;\n$sql",
		stdout => \$stdout, stderr => \$stderr, extra_params => $role ? [ '-U', $role ] : []);
	return $stderr =~ /(?:ERROR|FATAL):  (\w+)/ ? $1 : $stdout;
}

my $members = members('spqtree');

# The catalogs that could keep traces of an object, in full.
my $catalogs = join(' UNION ALL ', map { "SELECT '$_ ' || x::text FROM $_ x" }
	  qw(pg_proc pg_am pg_opclass pg_opfamily pg_amop pg_amproc pg_depend pg_shdepend pg_description pg_init_privs pg_extension pg_class pg_index pg_attribute pg_type pg_rewrite pg_constraint pg_attrdef pg_namespace pg_cast pg_operator pg_default_acl))
  . ' ORDER BY 1';
# (except row and page counts in pg_class, and other databases)
$catalogs =~ s/SELECT 'pg_class ' \|\| x::text FROM pg_class x/SELECT 'pg_class ' || concat_ws(' ', oid, relname, relacl) FROM pg_class x/;
$catalogs =~ s/FROM pg_shdepend x/FROM pg_shdepend x WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())/;

# Create objects of all kinds that use the extension.  s: its schema, with a dot.
# Queries given as text name all schemas, because a restore runs them without a search
# path.
sub use_it
{
	my ($s, $more) = @_;
	return qq(
	CREATE TABLE public.house (id int PRIMARY KEY, b box, kind text);
	INSERT INTO public.house SELECT i, CASE WHEN i % 100 > 0 THEN box(point(i % 50, i / 50), point(i % 50 + i % 3, i / 50 + i % 2)) END, 'kind ' || i % 5 FROM generate_series(1, 3000) i;
	INSERT INTO public.house VALUES (5001, '((1,1),(NaN,2))', 'odd'), (5002, '((-Infinity,3),(1,Infinity))', 'odd');
	CREATE INDEX house_b ON public.house USING spgist (b ${s}spqtree_box_ops) INCLUDE (id) WITH (fillfactor = 70);
	CREATE INDEX house_part ON public.house USING spqtree (b) INCLUDE (kind) WITH (fillfactor = 70) WHERE kind = 'kind 1';
	CREATE INDEX house_expression ON public.house USING spgist ((b + point(1, 1)) ${s}spqtree_box_ops);
	CREATE INDEX house_cell ON public.house (${s}spqtree_cell(center(b), 4)) WHERE kind <> 'odd';
	CREATE TABLE public.place (id int, b box, EXCLUDE USING spqtree (b WITH &&));
	INSERT INTO public.place SELECT i, box(point(i, 0), point(i + 0.5, 1)) FROM generate_series(1, 200) i;
	CREATE VIEW public.neighbor AS SELECT * FROM ${s}spqtree_self_join('SELECT id, b FROM public.house');
	CREATE MATERIALIZED VIEW public.pair AS SELECT * FROM ${s}spqtree_join('SELECT id, b FROM public.house', 'SELECT id, b FROM public.place');
	CREATE FUNCTION public.cell_of(box) RETURNS bigint IMMUTABLE LANGUAGE sql BEGIN ATOMIC SELECT ${s}spqtree_cell(center(\$1), 4); END;
	ANALYZE;);
}

# Check that the answers are those without the extension, and that the indexes and the
# node are used.
my $questions = q(
	SELECT count(*), sum(id) FROM public.house WHERE b && box '((3,3),(20,40))';
	SELECT count(*), sum(id) FROM public.house WHERE b << box '((40,3),(41,40))' AND kind = 'kind 1';
	SELECT count(*), sum(id) FROM public.house WHERE (b + point(1, 1)) @> point '(4,4)';
	SELECT string_agg(d::text, ',' ORDER BY d) FROM (SELECT b <-> point '(7.3,9.1)' AS d FROM public.house ORDER BY d LIMIT 5) s;
	SELECT count(*), sum(h.id + p.id) FROM public.house h JOIN public.place p ON h.b && p.b;);
my $ours = q(
	SELECT count(*), sum(left_id + right_id) FROM public.pair;
	SELECT count(*), sum(id1 + id2) FROM public.neighbor;
	SELECT public.cell_of(box '((1,1),(30,20))') - public.cell_of(box '((0,0),(1,1))'););
my $theirs = q(
	SELECT count(*), sum(h.id + p.id) FROM public.house h JOIN public.place p ON h.b && p.b;
	SELECT count(*), sum(a.id + b.id) FROM public.house a JOIN public.house b ON a.b && b.b AND a.id < b.id;
	SELECT 13;);
my $truth;
sub works
{
	my ($database, $name, $role, $s) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	# computed on the first call
	$truth = gets($database, 'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;' . $questions . $theirs) unless $truth;
	my $plans = q(
		SET enable_seqscan = off; SET enable_nestloop = off; SET enable_bitmapscan = off; SET enable_mergejoin = off; SET enable_hashjoin = off; SET spqtree.enable_hashjoin = always;
		EXPLAIN (COSTS OFF) SELECT id FROM public.house WHERE b && box '((3,3),(20,40))';
		EXPLAIN (COSTS OFF) SELECT kind FROM public.house WHERE (b + point(1, 1)) @> point '(4,4)';
		EXPLAIN (COSTS OFF) SELECT count(*) FROM public.house h JOIN public.place p ON h.b && p.b;);
	is(gets($database, q(SET enable_seqscan = off; SET enable_nestloop = off; SET jit = off;) . $questions . $ours, $role), $truth, "$name: answers");
	my $plan = gets($database, $plans, $role);
	ok($plan =~ /using house_b/ && $plan =~ /using house_expression/ && $plan =~ /Spatial Hash Join/, "$name: by the indexes and the node") or diag $plan;
	is(gets($database, q(INSERT INTO public.place VALUES (1000, '((5.2,0),(5.3,1))')), $role), '23P01', "$name: the exclusion constraint holds");
	check_ok($node, $_, $name, 1, $database, $s) foreach 'public.house_b', 'public.house_part', 'public.house_expression', 'public.place_b_excl';
	return;
}

#
# A new extension, and updates from each older version that has a script
#
database('fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION spqtree');
my $made = $node->safe_psql('fresh', $members);
unlike($made, qr/without a comment/, 'every member has a comment');
database('used');
$node->safe_psql('used', 'CREATE EXTENSION spqtree;' . use_it(''));
$node->safe_psql('used', 'ALTER EXTENSION spqtree UPDATE');
is($node->safe_psql('used', $members), $made, 'an update to the installed version changes nothing');
works('used', 'new');

my @older = older_versions($node);
foreach my $older (@older)
{
	my $database = database('from_' . $older =~ s/\W/_/gr);
	$node->safe_psql($database, "CREATE EXTENSION spqtree VERSION '$older';" . use_it(''));
	# a session that keeps its plans during the update
	my $session = $node->background_psql($database);
	$session->query_safe('PREPARE p AS SELECT count(*) FROM neighbor');
	my $count = $session->query_safe('EXECUTE p');
	$node->safe_psql($database, 'ALTER EXTENSION spqtree UPDATE');
	is($session->query_safe('EXECUTE p'), $count, "from $older: a prepared statement still works");
	$session->quit;
	is($node->safe_psql($database, $members), $made, "from $older: the same as a new extension, including dependencies and privileges");
	works($database, "from $older");
}

#
# Dump and restore
#
my $dir = $node->basedir;
$node->safe_psql('used', 'GRANT EXECUTE ON FUNCTION spqtree_check TO life_other; REVOKE EXECUTE ON FUNCTION spqtree_cell FROM public; GRANT EXECUTE ON FUNCTION spqtree_cell TO life_owner');
$node->command_ok([ 'pg_dump', '-f', "$dir/plain.sql", '-d', $node->connstr('used') ], 'pg_dump, plain');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/custom", '-d', $node->connstr('used') ], 'pg_dump, custom');
$node->command_ok([ 'pg_dump', '-s', '-f', "$dir/schema.sql", '-d', $node->connstr('used') ], 'pg_dump --schema-only');

database('plain');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain.sql", '-d', $node->connstr('plain') ], 'a plain dump is restored');
database('custom');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('custom'), "$dir/custom" ], 'a custom dump is restored');
database('schema_only');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/schema.sql", '-d', $node->connstr('schema_only') ], 'a schema is restored');
database('of_owner', 'life_owner');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--no-owner', '--no-privileges', '-U', 'life_owner', '-d', $node->connstr('of_owner'), "$dir/custom" ], 'a dump is restored by the owner of a database, who is not a superuser');
foreach my $database ('plain', 'custom')
{
	works($database, "restored, $database");
	is($node->safe_psql($database, $members), $node->safe_psql('used', $members), "restored, $database: members and privileges are the same, including changed ones");
}
works('of_owner', 'restored by the owner', 'life_owner');
is($node->safe_psql('schema_only', 'SELECT count(*) FROM house'), '0', 'a schema-only restore has no rows');
$node->safe_psql('schema_only', q(INSERT INTO house SELECT i, box(point(i, i), point(i, i)), '' FROM generate_series(1, 1000) i));
is($node->safe_psql('schema_only', q(SET enable_seqscan = off; SELECT count(*) FROM house WHERE b && box '((1,1),(10,10))')), '10', 'and its tables and indexes work');
# a dump of the restored database is equal to the dump that it was restored from
$node->command_ok([ 'pg_dump', '-f', "$dir/again.sql", '-d', $node->connstr('custom') ], 'pg_dump once more');
my ($first, $again) = map { join("\n", grep { !/^\\(un)?restrict/ } split /\n/, slurp_file("$dir/$_")) } 'plain.sql', 'again.sql';
ok($first eq $again, 'a dump of the restored database is the same');

#
# Schemas
#
database('elsewhere');
$node->safe_psql('elsewhere', 'CREATE SCHEMA "far Away"; CREATE EXTENSION spqtree SCHEMA "far Away"; ' . use_it('"far Away".'));
works('elsewhere', 'in a schema that is not in the search path', undef, '"far Away".');
is(gets('elsewhere', 'CREATE INDEX ON house USING spgist (b spqtree_box_ops)'), '42704', 'where its names are not visible');
is($node->safe_psql('elsewhere', q(SELECT count(*) FROM "far Away".spqtree_self_join('SELECT id, b FROM house') WHERE id1 < 50)), $node->safe_psql('elsewhere', 'SELECT count(*) FROM neighbor WHERE id1 < 50'), 'but can be used with their schema');
$node->safe_psql('elsewhere', 'CREATE SCHEMA near; ALTER EXTENSION spqtree SET SCHEMA near');
works('elsewhere', 'moved to another schema', undef, 'near.');
is($node->safe_psql('elsewhere', q(SELECT count(*) FROM pg_depend d WHERE refclassid = 'pg_namespace'::regclass AND refobjid = '"far Away"'::regnamespace)), '0', 'nothing remains in the old schema');
$node->safe_psql('elsewhere', 'DROP SCHEMA "far Away"; ALTER EXTENSION spqtree SET SCHEMA public');
works('elsewhere', 'moved to public');
is($node->safe_psql('elsewhere', $members), $made, 'and is the same as an extension created there');
$node->safe_psql('elsewhere', 'ALTER EXTENSION spqtree SET SCHEMA near');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/near", '-d', $node->connstr('elsewhere') ], 'pg_dump, in a schema of its own');
database('elsewhere_again');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('elsewhere_again'), "$dir/near" ], 'which is restored');
works('elsewhere_again', 'restored, in a schema of its own', undef, 'near.');
is(gets('elsewhere', 'DROP SCHEMA near'), '2BP01', 'its schema cannot be dropped');
is(gets('fresh', 'CREATE SCHEMA second; CREATE EXTENSION spqtree SCHEMA second'), '42710', 'a database has one extension, in one schema');

#
# Owners
#
is($node->safe_psql('of_owner', q(SELECT extowner::regrole FROM pg_extension WHERE extname = 'spqtree')), 'life_owner', 'its creator owns the extension');
is($node->safe_psql('of_owner', q(SELECT count(*) FROM pg_proc WHERE probin = 'spqtree' AND proowner <> 10)), '0', 'but not its C functions');
is(gets('of_owner', q(CREATE OR REPLACE FUNCTION spqtree_cell(point, float8) RETURNS bigint LANGUAGE sql AS 'SELECT 1'), 'life_owner'), '42501', 'so its owner cannot replace them');
is(gets('of_owner', q(SELECT * FROM spqtree_check('house_b')), 'life_owner'), '42501', 'nor call the function that is not granted to everybody');
is(gets('of_owner', 'ALTER EXTENSION spqtree UPDATE', 'life_other'), '42501', 'other roles may not update it');
is(gets('of_owner', 'DROP EXTENSION spqtree CASCADE', 'life_other'), '42501', 'nor drop it');
is(gets('of_owner', 'CREATE SCHEMA mine; ALTER EXTENSION spqtree SET SCHEMA mine', 'life_owner'), '42501', 'its owner may not move it, because of the functions');
foreach my $older (@older)
{
	my $database = database('by_owner_' . $older =~ s/\W/_/gr, 'life_owner');
	is(gets($database, "CREATE EXTENSION spqtree VERSION '$older'; ALTER EXTENSION spqtree UPDATE", 'life_owner'), '', "its owner may update it, from $older");
	is($node->safe_psql($database, $members), $made, '  to the same');
}
$node->safe_psql('of_owner', 'REASSIGN OWNED BY life_owner TO life_other');
is($node->safe_psql('of_owner', q(SELECT extowner::regrole FROM pg_extension WHERE extname = 'spqtree')), 'life_other', 'REASSIGN OWNED changes the owner');
works('of_owner', 'with another owner', 'life_other');
is(gets('of_owner', 'DROP OWNED BY life_other CASCADE; SELECT count(*) FROM pg_extension WHERE extname = \'spqtree\''), '0', 'DROP OWNED drops it');
is($node->safe_psql('of_owner', q(SELECT count(*) FROM pg_proc WHERE probin = 'spqtree')), '0', 'with its functions');

#
# DROP EXTENSION
#
database('ended');
my $nothing = $node->safe_psql('ended', $catalogs);
$node->safe_psql('ended', 'CREATE EXTENSION spqtree');
isnt($node->safe_psql('ended', $catalogs), $nothing, 'CREATE EXTENSION changes the catalogs');
$node->safe_psql('ended', 'DROP EXTENSION spqtree');
is($node->safe_psql('ended', $catalogs), $nothing, 'DROP EXTENSION restores them');
$node->safe_psql('ended', 'CREATE EXTENSION spqtree;' . use_it('') . 'GRANT EXECUTE ON FUNCTION spqtree_cell TO life_other');
is(gets('ended', 'DROP EXTENSION spqtree'), '2BP01', 'it is not dropped while objects depend on it');
works('ended', 'not dropped');
$node->safe_psql('ended', 'SET client_min_messages = warning; DROP EXTENSION spqtree CASCADE');
is($node->safe_psql('ended', q(SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace)), 'house house_pkey place', 'CASCADE drops indexes and views, but no tables');
is($node->safe_psql('ended', q(SELECT count(*) FROM house)), '3002', 'which keep their rows');
is($node->safe_psql('ended', q(SELECT count(*) FROM pg_constraint WHERE conrelid = 'place'::regclass)), '0', 'the exclusion constraint is dropped with its index');
$node->safe_psql('ended', 'DROP TABLE house, place');
is($node->safe_psql('ended', $catalogs), $nothing, 'and nothing remains in the catalogs');
# in a session that has used it
is(gets('ended', q(CREATE EXTENSION spqtree; CREATE TABLE t AS SELECT i AS id, box(point(i, i), point(i, i)) AS b FROM generate_series(1, 100) i;
	CREATE INDEX ON t USING spgist (b spqtree_box_ops);
	SET enable_seqscan = off;
	PREPARE p AS SELECT count(*) FROM t WHERE b && box '((1,1),(10,10))';
	EXECUTE p;
	DROP EXTENSION spqtree CASCADE;
	EXECUTE p;
	CREATE EXTENSION spqtree;
	CREATE INDEX ON t USING spgist (b spqtree_box_ops);
	EXECUTE p;
	SELECT count(*) FROM spqtree_self_join('TABLE t'))), "10\n10\n10\n0", 'a session still works after it is dropped and created again');
$node->stop;

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal|leak/, 'nothing crashed or leaked');

done_testing();
