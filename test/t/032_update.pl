# Updates of the extensions: the library works with an older catalog; ALTER EXTENSION UPDATE
# makes exactly what CREATE EXTENSION does, object by object; tables, indexes, constraints,
# watches and views made before work before and after, and in a dump.  All of it in a copy of
# PostgreSQL's directories, to which scripts are added.
#
# The older versions are the released ones, whose scripts are in test/upgrade, and an imagined
# one: today's less some objects, with a script that makes them.  For another imagined version
# that script makes them differently, and the comparison must find each difference.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);
use Checked;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

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
my @names = ('spqtree', map { -e "$extensions/$_.control" ? "spqtree_$_" : () } qw(cube ip4r seg));
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


#
# Scripts of older versions.  Each of these is taken out of a script, or replaced, and made by the
# update.
#
my ($imagined, $wrong) = ('0.0.1', '0.0.2');
my %change = (
	spqtree => [
		[ qr/CREATE FUNCTION spqtree_refresh_watch\(.*?;\n\nCOMMENT ON .*?;\n/s, '', sub { $_[0] } ],
		[ qr/,\n\tOPERATOR 35\t\?# \(box, lseg\)/, '', sub { 'ALTER OPERATOR FAMILY box_ops USING spqtree ADD OPERATOR 35 ?# (box, lseg);' } ],
		[ qr/spqtree_dwithin\(box, box, distance float8\)\n.*\n.*\n\KLEAKPROOF\n/, '', sub { 'ALTER FUNCTION spqtree_dwithin(box, box, float8) LEAKPROOF;' } ],
	],
	spqtree_cube => [ [ qr/CREATE CAST \(box3 AS cube\).*?;/, '', sub { $_[0] } ], [ qr/COMMENT ON CAST \(box3 AS cube\).*?;\n/s, '', sub { $_[0] } ] ],
	spqtree_ip4r => [ [ qr/COMMENT ON OPERATOR CLASS spqtree_iprange_ops.*?;\n/s, '', sub { $_[0] } ] ],
	spqtree_seg => [ [ qr/COMMENT ON OPERATOR CLASS spqtree_seg_ops.*?;\n/s, '', sub { $_[0] } ] ],
	spqtree_postgis => [ [ qr/CREATE FUNCTION spqtree_part\(geometry, .*?;\n\nCOMMENT ON .*?;\n/s, '', sub { $_[0] } ] ]);

sub write_script
{
	my ($name, $text) = @_;
	append_to_file("$extensions/$name.sql", $text);
	return;
}
for my $name (@names)
{
	my $script = slurp_file("$extensions/$name--$new.sql");
	my $update = '';
	for my $change (@{ $change{$name} })
	{
		my ($what, $instead, $make) = @$change;
		$script =~ s/$what/$instead/ or die "the script of $name has no $what";
		$update .= $make->($&) . "\n";
	}
	write_script("$name--$_", $script) for $imagined, $wrong;
	write_script("$name--$imagined--$new", $update);
	write_script("$name--$wrong--$new", $update =~ s/^IS '/IS 'a /gmr =~ s/ LEAKPROOF;/ LEAKPROOF COST 2;/r =~ s/PARALLEL SAFE/PARALLEL RESTRICTED/r);
}

my @released = map { /([^\/]*)\/$/ } glob "$FindBin::RealBin/../upgrade/*/";
for my $version (@released)
{
	for my $name (@names)
	{
		gunzip("$FindBin::RealBin/../upgrade/$version/$name--$version.sql.gz", "$extensions/$name--$version.sql") or die $GunzipError;
		ok(-e "$extensions/$name--$version--$new.sql", "$name has a script from $version to $new");
	}
}

my $node = Checked->new('update', install_path => dirname("$root$bindir"));
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
	return ($postgis ? 'CREATE EXTENSION postgis;' : '') . join('', map { /spqtree_(cube|ip4r|seg)/ ? "CREATE EXTENSION $1;" : () } @names)
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
	grep({ /ip4r/ } @names) ? (
		iprange => [ 'iprange', 'spqtree (v)', 'iprange(ip4((x * 1e6)::bigint), ip4(((x + s) * 1e6)::bigint))', [ '&&', q(iprange '0.0.0.0/8') ], [ '>>=', q(ip4 '3.5.6.7') ] ]) : (),
	grep({ /seg/ } @names) ? (
		seg => [ 'seg', 'spqtree (v)', q{(x || ' .. ' || x + s)::seg}, [ '&&', q('20 .. 45') ], [ '@>', q('50 .. 50.1') ], [ '>>', q('7 ..') ] ]) : (),
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
		CREATE FUNCTION cell_of(box) RETURNS bigint IMMUTABLE LANGUAGE sql BEGIN ATOMIC SELECT spqtree_cell(center($1), 4); END;
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
	SELECT cell_of('(1,1),(20,20)');
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

# Return the objects in which an installation differs from a new one.
sub differences
{
	my ($database, $name) = @_;
	my @is = split /\n/, $node->safe_psql($database, members($name));
	my @wanted = split /\n/, $made{$name};
	my (%is, %wanted);
	@is{@is} = @wanted{@wanted} = ();
	return ((map { "- $_" } grep { !exists $is{$_} } @wanted), (map { "+ $_" } grep { !exists $wanted{$_} } @is));
}

for my $old (@released, $imagined)
{
	my $database = database('from_' . $old =~ s/\W/_/gr);
	$node->safe_psql($database, create($old) . make());
	ok(scalar(map { differences($database, $_) } @names), "$old: the catalog is not that of $new");
	my $answers = works($database, "library $new, catalog $old");

	# a session that used the extension before goes on, with its plans
	my $session = $node->background_psql($database, on_error_stop => 0);
	$session->query_safe("LOAD 'spqtree'");
	$session->query_safe('PREPARE p AS SELECT count(*) FROM near');
	my $count = $session->query_safe('EXECUTE p');
	my $files = q(SELECT relname, relfilenode FROM pg_class WHERE relname ~ '^i_' ORDER BY 1);
	my $files_before = $node->safe_psql($database, $files);
	is(gets($database, $update), '', "all extensions are updated from $old");
	for my $name (@names)
	{
		my @differences = differences($database, $name);
		ok(!@differences, "$name: an update from $old makes what CREATE EXTENSION does") or diag join("\n", @differences);
	}
	is($node->safe_psql($database, $files), $files_before, "$old: no index is rebuilt");
	is($session->query_safe('EXECUTE p'), $count, "$old: a prepared statement goes on");
	$session->quit;
	is(works($database, "updated from $old"), $answers, "updated from $old: views, functions, watch and stored values return what they did");

	# changes after the update
	$node->safe_psql($database, "INSERT INTO t_$_ SELECT id, kind, during, label, $class{$_}[2] FROM ${\ rows(3001, 4000)}; DELETE FROM t_$_ WHERE id % 11 = 0; VACUUM t_$_") for sort keys %class;
	$node->safe_psql($database, 'UPDATE vehicle SET pos = pos + point(1, 1)');
	my $later = works($database, "updated from $old, with more rows");

	my $dump = $node->basedir . "/$database.sql";
	local $ENV{PATH} = "$root$bindir:$ENV{PATH}";
	$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr($database) ], "updated from $old: pg_dump");
	database("restored_$database");
	$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr("restored_$database") ], '... is restored');
	is(works("restored_$database", "updated from $old, restored"), $later, '... and its views and others return the same');
	is($node->safe_psql("restored_$database", members($_)), $made{$_}, "... $_ is the same") for @names;

	# owners of databases, who are not superusers, and other schemas
	$database = database('owned_' . $old =~ s/\W/_/gr, 'update_owner');
	is(gets($database, "CREATE EXTENSION spqtree VERSION '$old'", 'update_owner'), '', "$old: the owner of a database installs");
	is(gets($database, 'ALTER EXTENSION spqtree UPDATE', 'update_owner'), '', '... and updates');
	unlike(gets($database, members('spqtree'), 'update_owner'), qr/depends on role|of update_owner for/, '... without owning what a superuser does');
	$database = database('elsewhere_' . $old =~ s/\W/_/gr);
	$node->safe_psql($database, 'CREATE SCHEMA "far Away"; ' . create($old) =~ s/(EXTENSION spqtree\w*) /$1 SCHEMA "far Away" /gr);
	is(gets($database, $update), '', "$old: extensions in another schema are updated");
	$node->safe_psql($database, join('', map { "ALTER EXTENSION $_ SET SCHEMA public;" } @names));
	is($node->safe_psql($database, members($_)), $made{$_}, "... moved to public, $_ is the same") for @names;
}

# an update takes no function of somebody else
database('crowded');
$node->safe_psql('crowded', create($imagined) . q(GRANT ALL ON SCHEMA public TO public; SET ROLE mallory; CREATE FUNCTION spqtree_refresh_watch(regclass) RETURNS int LANGUAGE sql AS 'SELECT 1'));
like(gets('crowded', $update), qr/already exists/, 'an update takes no function of somebody else');

# an update to the installed version changes nothing
is(gets('made', $update), '', 'no update is needed');
is($node->safe_psql('made', members($_)), $made{$_}, "no update is needed: $_ is the same") for @names;

# a wrong update is found
database('wrong');
$node->safe_psql('wrong', create($wrong) . $update);
my $found = join "\n", map { differences('wrong', $_) } @names;
like($found, $_, "a wrong update: $_") for
  qr/^\+ function spqtree_refresh_watch.* is a /m,
  qr/^\+ spqtree_dwithin\(box,box,double precision\): .*"procost": ?2\b/m,
  $postgis ? qr/^\+ spqtree_part\(geometry,spqtree_partitioning\): .*"proparallel": ?"r"/m : ();

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal/, 'nothing crashed');

done_testing();
