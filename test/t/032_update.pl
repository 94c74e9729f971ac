# Updates of the extensions from version 0.2.0, whose scripts are in test/upgrade: the new
# library works with the old catalog; ALTER EXTENSION UPDATE makes exactly what CREATE
# EXTENSION does; tables, indexes, constraints, watches and views made before work before and
# after, and in a dump.  Indexes of geography are rebuilt; where one is not, a scan is an
# error.  All of it in a copy of PostgreSQL's directories that has the old scripts, too.
#
# SPQTREE_OLD_LIBRARY names a directory with the libraries of 0.2.0, built for this server.
# Then they make the indexes, and are replaced by the new ones.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $old = '0.2.0';

#
# PostgreSQL finds its directories relative to the program, so a copy with the same layout
# works.  All but the programs can be links.
#
my $root = PostgreSQL::Test::Utils::tempdir_short;
my ($bindir, $libdir, $sharedir) = map { my ($dir) = run_command([ 'pg_config', "--$_" ]); $dir } qw(bindir pkglibdir sharedir);
my ($new) = slurp_file("$sharedir/extension/spqtree.control") =~ /default_version = '(.*)'/;
my %from = ($bindir => \&copy, $libdir => sub { symlink $_[0], $_[1] }, $sharedir => sub { symlink $_[0], $_[1] });
for my $dir ($libdir, $sharedir, $bindir)
{
	find({ no_chdir => 1, follow => 0, wanted => sub {
			my $to = "$root$_";
			return make_path($to) if -d && !-l;
			unlink $to;
			$from{$dir}->($_, $to) or die "cannot make $to: $!";
			chmod 0755, $to if $dir eq $bindir;
		} }, $dir);
}
my $extensions = "$root$sharedir/extension";

# The companion is there if PostGIS is, and it is installed or can be built. The pg_config that knows
# the headers is that of "make check-tap"; a copy of the server may have none.
my @names = ('spqtree', -e "$extensions/cube.control" ? 'spqtree_cube' : ());
my $postgis = -e "$extensions/postgis.control";
if ($postgis && !-e "$extensions/spqtree_postgis--$new.sql")
{
	my $sources = "$ENV{TESTDIR}/postgis";
	my $pg_config = $ENV{PG_CONFIG} // "$bindir/pg_config";
	my $status = -e "$sources/Makefile" ? system("env -u MAKEFLAGS make -s -C '$sources' install PG_CONFIG='$pg_config' DESTDIR='$root' pkglibdir='$libdir' datadir='$sharedir' >&2") : 1;
	$postgis = 0 if $status != 0;
	ok($status == 0, 'the companion for PostGIS is built') if -e "$sources/Makefile";
}
push @names, 'spqtree_postgis' if $postgis;
note 'extensions: ', join(', ', @names);

for my $name (@names)
{
	copy("$FindBin::RealBin/../upgrade/$old/$name--$old.sql", "$extensions/") or die "no script of $name: $!";
	ok(-e "$extensions/$name--$old--$new.sql", "$name has a script from $old to $new");
}

my $node = PostgreSQL::Test::Cluster->new('update', install_path => dirname("$root$bindir"));
$node->init(auth_extra => [ '--create-role', 'update_owner,mallory' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\nlog_statement = none\nmax_parallel_workers_per_gather = 0\n");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE update_owner LOGIN; CREATE ROLE mallory LOGIN');

sub database
{
	my ($name, $owner) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name" . ($owner ? " OWNER $owner" : ''));
	return $name;
}

# Run SQL.  Return its output, or its errors.
sub gets
{
	my ($database, $sql, $role) = @_;
	my ($stdout, $stderr);
	$node->psql($database, "SET client_min_messages = error;\n$sql", stdout => \$stdout, stderr => \$stderr, extra_params => $role ? [ '-U', $role ] : []);
	return $stderr =~ /ERROR|FATAL|server closed/ ? $stderr : $stdout;
}

# Create the extensions.  version: of all of ours
sub create
{
	my ($version) = @_;
	return ($postgis ? 'CREATE EXTENSION postgis;' : '') . (grep({ /cube/ } @names) ? 'CREATE EXTENSION cube;' : '')
	  . join('', map { "CREATE EXTENSION $_ VERSION '$version';" } @names);
}
my $update = join('', map { "ALTER EXTENSION $_ UPDATE;" } @names);

#
# Objects that use the extensions: for each class an expression that makes a value of x, y and
# a size s, conditions, and an order
#
my %class = (
	box => [ 'box', 'spqtree (v)', 'box(point(x, y), point(x + s, y + s))', [ '&&', q('(20,20),(45,40)') ], [ '@>', q('(50,50),(50.1,50.1)') ], [ '<<', q('(7,0),(8,1)') ], [ '~=', q('(20,20),(21,21)') ], [ '<->', q(point '(30,30)') ] ],
	quadtree => [ 'box', 'spgist (v spqtree_box_ops)', 'box(point(x, y), point(x + s, y + s))', [ '&&', q('(20,20),(45,40)') ], [ '|>>', q('(7,80),(8,81)') ], [ '<->', q(point '(30,30)') ] ],
	compact => [ 'box', 'spgist (v spqtree_box_compact_ops)', 'box(point(x, y), point(x + s, y + s))', [ '&&', q('(20,20),(45,40)') ], [ '<@', q('(20,20),(45,40)') ], [ '<->', q(point '(30,30)') ] ],
	point => [ 'point', 'spqtree (v)', 'point(x, y)', [ '<@', q(box '(20,20),(45,40)') ], [ '<@', q(circle '<(50,50),10>') ], [ '<->', q(point '(30,30)') ] ],
	circle => [ 'circle', 'spqtree (v)', 'circle(point(x, y), s)', [ '&&', q(circle '<(50,50),10>') ], [ '@>', q(circle '<(50,50),0.1>') ], [ '<->', q(point '(30,30)') ] ],
	polygon => [ 'polygon', 'spqtree (v)', 'polygon(8, circle(point(x, y), s))', [ '&&', q(polygon '(20,20),(45,25),(30,50)') ], [ '<->', q(point '(30,30)') ] ],
	lseg => [ 'lseg', 'spqtree (v)', 'lseg(point(x, y), point(x + s, y - s))', [ '?#', q(box '(20,20),(45,40)') ], [ '<@', q(box '(20,20),(45,40)') ], [ '<->', q(box '(30,30),(31,31)') ] ],
	path => [ 'path', 'spqtree (v)', 'path(polygon(5, circle(point(x, y), s)))', [ '?#', q(path '[(20,20),(45,25),(30,50)]') ] ],
	box3 => [ 'box3', 'spqtree (v)', 'box3(point3(x, y, s), point3(x + s, y + s, 2 * s))', [ '&&', q(box3 '(20,20,1),(45,40,2)') ], [ '&&', q(sphere3 '<(50,50,2),9>') ], [ '<->', q(point3 '(30,30,1)') ] ],
	point3 => [ 'point3', 'spqtree (v)', 'point3(x, y, s)', [ '<@', q(box3 '(20,20,1),(45,40,2)') ], [ '<->', q(point3 '(30,30,1)') ] ],
	order3 => [ 'box3', 'btree (v)', 'box3(point3(x, y, s), point3(x + s, y + s, 2 * s))', [ '<', q(box3 '(20,20,1),(45,40,2)') ] ],
	hash3 => [ 'point3', 'hash (v)', 'point3(floor(x / 9), floor(y / 9), 0)', [ '=', q(point3 '(3,3,0)') ] ],
	scalars => [ 'box', 'spqtree (kind, during, label, v) INCLUDE (id)', 'box(point(x, y), point(x + s, y + s))', [ '&&', q('(0,0),(99,99)' AND kind = 3) ], [ '&&', q{'(0,0),(60,99)' AND during = '[3,4)' AND label IN ('label 1', 'label 2')} ] ],
	$postgis ? (
		geometry => [ 'geometry', 'spqtree (v)', 'ST_MakeEnvelope(x, y, x + s, y + s)', [ '&&', q('LINESTRING(20 20,45 40)'::geometry) ], [ '~', q('POINT(50 50)'::geometry) ], [ '<->', q('POINT(30 30)'::geometry) ] ],
		geometry_point => [ 'geometry', 'spqtree (v)', 'ST_MakePoint(x, y)', [ '@', q('LINESTRING(20 20,45 40)'::geometry) ], [ '<->', q('POINT(30 30)'::geometry) ] ],
		geometry_nd => [ 'geometry', 'spqtree (v spqtree_geometry_nd_ops)', 'ST_MakeLine(ST_MakePoint(x, y, s), ST_MakePoint(x + s, y, 2 * s))', [ '&&&', q('LINESTRING(20 20 1,45 40 2)'::geometry) ], [ '<<->>', q('POINT(30 30 1)'::geometry) ] ],
		geography => [ 'geography', 'spqtree (v)', 'ST_MakePoint(x, y / 2)::geography', [ '&&', q('LINESTRING(20 10,45 20)'::geography) ], [ '<->', q('POINT(30 30)'::geography) ] ],
		geography_line => [ 'geography', 'spqtree (v)', 'ST_MakeLine(ST_MakePoint(x, y / 2), ST_MakePoint(x + s, y / 2 + s))::geography', [ '&&', q('LINESTRING(20 10,45 20)'::geography) ] ]) : ());

sub rows
{
	my ($from, $to) = @_;
	return qq((SELECT i AS id, 100 * abs(sin(i)) AS x, 100 * abs(sin(i * 1.7)) AS y, 0.5 + 2 * abs(sin(i * 2.3)) AS s,
		i % 7 AS kind, int4range(i % 5, i % 5 + 1) AS during, 'label ' || i % 3 AS label FROM generate_series($from, $to) i) r);
}

# Some rows are there before the index is made, some are inserted.
sub make
{
	my $sql = '';
	for my $name (sort keys %class)
	{
		my ($type, $access, $value) = @{ $class{$name} };
		$sql .= qq(
		CREATE TABLE t_$name (id int, kind int, during int4range, label text, v $type);
		INSERT INTO t_$name SELECT id, kind, during, label, $value FROM ${\ rows(1, 2000)};
		CREATE INDEX i_$name ON t_$name USING $access;
		INSERT INTO t_$name VALUES (0, 1, NULL, NULL, NULL);
		INSERT INTO t_$name SELECT id, kind, during, label, $value FROM ${\ rows(2001, 3000)};
		DELETE FROM t_$name WHERE id % 9 = 0; VACUUM ANALYZE t_$name;);
	}
	$sql .= q(
		CREATE TABLE apart (id int, b box, EXCLUDE USING spqtree (b WITH &&));
		INSERT INTO apart SELECT i, box(point(i, 0), point(i + 0.5, 1)) FROM generate_series(1, 300) i;
		CREATE VIEW close AS SELECT * FROM spqtree_self_join('SELECT id, v FROM t_box', 0.1);
		CREATE VIEW near AS SELECT a.id AS id1, b.id AS id2 FROM t_box a JOIN t_circle b ON a.v && b.v;
		CREATE FUNCTION cells(box) RETURNS SETOF bigint IMMUTABLE LANGUAGE sql BEGIN ATOMIC SELECT spqtree_cells($1, 4); END;
		CREATE INDEX cell ON t_point (spqtree_cell(v, 4));
		CREATE TABLE divided AS SELECT spqtree_partition('SELECT v FROM t_box', 4) AS p;
		CREATE TABLE generated (v box3, c point3 GENERATED ALWAYS AS (center(v)) STORED);
		INSERT INTO generated SELECT v FROM t_box3;
		CREATE TABLE vehicle (id int PRIMARY KEY, pos point); INSERT INTO vehicle SELECT i, point(i, i) FROM generate_series(1, 50) i;
		CREATE TABLE zone (id int PRIMARY KEY, area box); INSERT INTO zone VALUES (1, '(0,0),(9.5,9.5)'), (2, '(20,20),(30.5,30.5)');
		SELECT spqtree_watch('in_zone', 'vehicle', 'pos', 'zone', 'area'););
	return $sql;
}

my $by_index = 'SET enable_seqscan = off; SET enable_sort = off;';
my $by_table = 'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;';

sub questions
{
	my ($name) = @_;
	my (undef, undef, undef, @conditions) = @{ $class{$name} };
	return map { my ($op, $value) = @$_;
		$op =~ /<->/
		  ? "SELECT count(*), round(sum(d)::numeric, 6) FROM (SELECT v $op $value AS d FROM t_$name WHERE v IS NOT NULL ORDER BY v $op $value LIMIT 50) q"
		  : "SELECT count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM t_$name WHERE v $op $value" } @conditions;
}
my $others = q(
	SELECT count(*), sum(id1 + id2) FROM close;
	SELECT count(*), sum(id1 + id2) FROM near;
	SELECT count(*) FROM cells('(1,1),(20,20)');
	SELECT spqtree_part(point '(3,3)', p) FROM divided;
	SELECT count(*), sum(c <-> point3 '(0,0,0)') FROM generated;
	SELECT count(*), sum(object * fence) FROM in_zone;);

# Check that the indexes are used, that they return what the tables do, and are sound.
sub works
{
	my ($database, $name, $role) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	for my $class (sort keys %class)
	{
		my $ask = join(';', questions($class));
		my $answer = gets($database, "$by_index $ask", $role);
		my $truth = gets($database, "$by_table $ask", $role);
		is($answer, $truth, "$name, $class: the index returns what the table does");
		like($truth, qr/^[1-9].*/, "$name, $class: some rows");
		my $plans = gets($database, $by_index . join(';', map { "EXPLAIN $_" } questions($class)), $role);
		is(scalar(() = $plans =~ /i_$class/g), scalar(() = questions($class)), "$name, $class: each question uses the index") or diag $plans;
		is(gets($database, "SELECT * FROM spqtree_check('i_$class', true)"), '', "$name, $class: spqtree_check finds nothing") if $class{$class}[1] =~ /^sp/;
	}
	is(gets($database, "SELECT * FROM spqtree_check('apart_b_excl', true); SELECT * FROM spqtree_check_watch('in_zone')"), '', "$name: constraint and watch are sound");
	like(gets($database, q(INSERT INTO apart VALUES (0, '(5.2,0),(5.3,1)')), $role), qr/violates exclusion constraint/, "$name: the constraint holds");
	return gets($database, $others, $role);
}

#
# The catalog after an update is that of a new installation
#
database('made');
$node->safe_psql('made', create($new));
my %made = map { $_ => $node->safe_psql('made', members($_)) } @names;

my $old_library = $ENV{SPQTREE_OLD_LIBRARY};
my @libraries = map { "$root$libdir/$_.so" } 'spqtree', $postgis ? 'spqtree_postgis' : ();
my $answers;
if ($old_library)
{
	for my $library (@libraries)
	{
		rename($library, "$library.new") and symlink($old_library . $library =~ s{.*/}{/}r, $library) or die $!;
	}
	$node->restart;
}
database('aged');
$node->safe_psql('aged', create($old) . make());
if ($old_library)
{
	$answers = works('aged', "library $old");
	rename("$_.new", $_) or die $! for @libraries;
	$node->restart;
}
my $same = works('aged', "library $new, catalog $old");
is($same, $answers // $same, 'the new library returns what the old one does');
$answers = $same;

# sessions that used the extension before: one goes on, with its plans
my $session = $node->background_psql('aged', on_error_stop => 0);
$session->query_safe("LOAD 'spqtree'");
$session->query_safe('PREPARE p AS SELECT count(*) FROM near');
my $count = $session->query_safe('EXECUTE p');
my $geographies = 'SELECT count(*) FROM t_geography WHERE v && \'LINESTRING(20 10,45 20)\'::geography';
$session->query_safe("SET enable_seqscan = off; $geographies") if $postgis;

my $files = q(SELECT relname, relfilenode FROM pg_class WHERE relname ~ '^i_' AND relname !~ 'geography' ORDER BY 1);
my $files_before = $node->safe_psql('aged', $files);
like(gets('aged', 'ALTER EXTENSION spqtree_postgis UPDATE'), qr/before extension "spqtree"/, 'the companion cannot be updated before spqtree') if $postgis;
like(gets('aged', "BEGIN; SET enable_seqscan = off; $geographies; $update; COMMIT"), qr/operator class of index "i_geography" was updated during this session/,
	'a session that used the class of geography does not build its indexes again in their old form')
  if $postgis;
is(gets('aged', $update), '', "all extensions are updated from $old");
for my $name (@names)
{
	my @is = split /\n/, $node->safe_psql('aged', members($name));
	my @wanted = split /\n/, $made{$name};
	my (%is, %wanted);
	@is{@is} = @wanted{@wanted} = ();
	ok("@is" eq "@wanted", "$name: an update makes what CREATE EXTENSION does")
	  or diag join("\n", (map { "- $_" } grep { !exists $is{$_} } @wanted), (map { "+ $_" } grep { !exists $wanted{$_} } @is));
}
is($node->safe_psql('aged', $files), $files_before, 'no index is rebuilt but those of geography');
is($session->query_safe('EXECUTE p'), $count, 'a prepared statement goes on');
if ($postgis)
{
	my ($out, $failed) = $session->query($geographies);
	like($session->{stderr}, qr/operator class of index "i_geography" was updated during this session/, 'a session that used the class of geography has to connect again');
}
$session->quit;
is(works('aged', 'updated'), $answers, 'updated: views, functions, watch and stored values return what they did');

# changes after the update
$node->safe_psql('aged', "INSERT INTO t_$_ SELECT id, kind, during, label, $class{$_}[2] FROM ${\ rows(3001, 4000)}; DELETE FROM t_$_ WHERE id % 11 = 0; VACUUM t_$_") for sort keys %class;
$node->safe_psql('aged', 'UPDATE vehicle SET pos = pos + point(1, 1)');
my $later = works('aged', 'updated, with more rows');
is(gets('aged', 'REINDEX DATABASE aged'), '', 'REINDEX');
is(works('aged', 'updated, rebuilt'), $later, 'updated, rebuilt: views and others return the same');

# dump and restore
my $dump = $node->basedir . '/aged.sql';
local $ENV{PATH} = "$root$bindir:$ENV{PATH}";
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('aged') ], 'pg_dump');
database('restored');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('restored') ], 'a dump of the updated database is restored');
is(works('restored', 'restored'), $later, 'restored: views and others return the same');
is($node->safe_psql('restored', members($_)), $made{$_}, "restored: $_ is the same") for @names;

# an update to the installed version changes nothing
is(gets('made', $update), '', 'no update is needed');
is($node->safe_psql('made', members($_)), $made{$_}, "no update is needed: $_ is the same") for @names;

#
# Owners of databases, who are not superusers; other schemas; objects of others
#
database('owned', 'update_owner');
is(gets('owned', "CREATE EXTENSION spqtree VERSION '$old'", 'update_owner'), '', 'the owner of a database installs');
is(gets('owned', 'ALTER EXTENSION spqtree UPDATE', 'update_owner'), '', '... and updates');
unlike(gets('owned', members('spqtree'), 'update_owner'), qr/depends on role|of update_owner for/, '... without owning what a superuser does');
database('elsewhere');
$node->safe_psql('elsewhere', 'CREATE SCHEMA "far Away"; ' . create($old) =~ s/(EXTENSION spqtree\w*) /$1 SCHEMA "far Away" /gr);
is(gets('elsewhere', $update), '', 'extensions in another schema are updated');
$node->safe_psql('elsewhere', join('', map { "ALTER EXTENSION $_ SET SCHEMA public;" } @names));
is($node->safe_psql('elsewhere', members($_)), $made{$_}, "moved to public, $_ is the same") for @names;
for my $function ('spqtree_reach(box, float8)', 'spqtree_range_box(anyrange)', $postgis ? 'spqtree_bounds3(geography)' : ())
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS crowded');
	database('crowded');
	$node->safe_psql('crowded', create($old) . "GRANT ALL ON SCHEMA public TO public; SET ROLE mallory; CREATE FUNCTION $function RETURNS box LANGUAGE sql AS 'SELECT NULL::box'");
	like(gets('crowded', $update), qr/already exists/, "an update takes no $function of somebody else");
}

#
# An index of geography of the old class that was not rebuilt
#
if ($postgis)
{
	database('kept');
	$node->safe_psql('kept', create($new));
	my $symbol = q(SELECT prosrc FROM pg_proc WHERE proname = 'spqtree_geography_ends');
	my $is = $node->safe_psql('kept', $symbol);
	# doubles in place of floats are what tells the old leaves
	$node->safe_psql('kept', q(UPDATE pg_proc SET prosrc = 'spq_rtree_extension_ends3' WHERE proname = 'spqtree_geography_ends'));
	$node->safe_psql('kept', "CREATE TABLE t_geography (id int, v geography); INSERT INTO t_geography SELECT id, ST_MakePoint(x, y / 2)::geography FROM ${\ rows(1, 3000)}; CREATE INDEX i_geography ON t_geography USING spqtree (v)");
	$node->safe_psql('kept', "UPDATE pg_proc SET prosrc = '$is' WHERE proname = 'spqtree_geography_ends'");
	for my $question ($geographies, "SELECT id FROM t_geography ORDER BY v <-> 'POINT(1 1)'::geography LIMIT 1")
	{
		like(gets('kept', "SET enable_seqscan = off; $question"), qr/index "i_geography" was made by an older version of its operator class.*REINDEX/s, 'an old index of geography is noticed');
	}
	$node->safe_psql('kept', "INSERT INTO t_geography VALUES (0, 'POINT(30 15)')");
	is(gets('kept', "REINDEX INDEX i_geography; SET enable_seqscan = off; $geographies"), gets('kept', $geographies), 'REINDEX mends it');
}
else
{
	note 'no PostGIS: the companion is not tested';
}

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal/, 'nothing crashed');

done_testing();
