# A type of another extension takes part by one descriptor (src/types/type.h): test/toy has the type.
# Its operators are indexed, joined and estimated; without its operator class they are not, and
# a library for another version of the descriptor is refused.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $node = Server->new('toy_type');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_parallel_workers_per_gather = 0\njit = off\n");
$node->start;

my $source  = "$FindBin::RealBin/../toy";
my $library = $node->basedir . '/diamond.so';
chomp(my $include = `$ENV{PG_CONFIG} --includedir-server`);
system_or_bail('cc', '-shared', '-fPIC', '-O1', '-Wall', '-Werror', "-I$source/../../src", '-isystem', $include,
	'-o', $library, "$source/diamond.c", '-lm');

$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
$node->safe_psql('postgres', "\\set library $library\n" . slurp_file("$source/diamond.sql"));
is($node->safe_psql('postgres', "SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'diamond_ops'"),
	't', 'the operator class is valid');

# Diamonds of all sizes, one without an end, one that is no number, and NULL.
my $seed = $ENV{TOY_SEED} || 1 + int rand 1e6;
note "seed $seed";
$node->safe_psql('postgres', qq(
	SELECT setseed(1.0 / $seed);
	CREATE TABLE a AS SELECT i AS id, format('%s %s %s', random() * 100, random() * 100, random() ^ 3 * 2)::diamond AS d
	FROM generate_series(1, 3000) i;
	INSERT INTO a VALUES (3001, '50 50 Infinity'), (3002, 'NaN 50 1'), (3003, '50 50 NaN'), (3004, NULL), (3005, '1e300 0 1');
	CREATE TABLE b AS SELECT id, d FROM a ORDER BY id DESC LIMIT 2000;
	CREATE TABLE p AS SELECT i AS id, point(random() * 100, random() * 100) AS p FROM generate_series(1, 3000) i;
	ANALYZE;));

# Compare a query with and without us; return the plan with us.
sub same
{
	my ($query, $name, $set) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$set //= '';
	my $plan   = $node->safe_psql('postgres', "LOAD 'spqtree'; $set EXPLAIN $query");
	my $with   = $node->safe_psql('postgres', "LOAD 'spqtree'; $set $query");
	my $without = $node->safe_psql('postgres',
		"LOAD 'spqtree'; SET spqtree.enable = off; SET enable_indexscan = off; SET enable_bitmapscan = off; $query");

	is($with, $without, "$name: " . ($with =~ tr/\n// + 1) . ' rows');
	cmp_ok(length $without, '>', 20, "$name: there are rows");
	return $plan;
}

my %join = (
	'a && b'    => 'SELECT a.id, b.id FROM a JOIN b ON a.d && b.d ORDER BY 1, 2',
	'a @> p'    => 'SELECT a.id, p.id FROM a JOIN p ON a.d @> p.p ORDER BY 1, 2',
	'p <@ a'    => 'SELECT a.id, p.id FROM a JOIN p ON p.p <@ a.d ORDER BY 1, 2',
	'left join' => 'SELECT a.id, p.id FROM a LEFT JOIN p ON p.p <@ a.d ORDER BY 1, 2',
	'exists'    => 'SELECT a.id FROM a WHERE EXISTS (SELECT FROM p WHERE p.p <@ a.d) ORDER BY 1',
	'not exists' => 'SELECT a.id FROM a WHERE NOT EXISTS (SELECT FROM p WHERE p.p <@ a.d) ORDER BY 1');
for my $name (sort keys %join)
{
	like(same($join{$name}, $name), qr/Spatial Hash Join/, "$name: the join node");
}
like(same($join{'a && b'}, 'workers', 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;'),
	qr/Parallel.*Spatial Hash Join|Gather.*Spatial Hash Join/s, 'workers find the descriptor');

# Estimates: a sample of boxes, and the fraction of the descriptor.
my ($estimate) = $node->safe_psql('postgres', "LOAD 'spqtree'; EXPLAIN SELECT FROM a JOIN b ON a.d && b.d") =~ /rows=(\d+)/;
my $pairs = $node->safe_psql('postgres', 'SELECT count(*) FROM a JOIN b ON a.d && b.d');
cmp_ok($estimate, '>', $pairs / 3, "estimate of $pairs pairs: $estimate");
cmp_ok($estimate, '<', $pairs * 3, "not more than three times");

# The index.
$node->safe_psql('postgres', 'CREATE INDEX a_d ON a USING spqtree (d); VACUUM ANALYZE a');
my $force = 'SET enable_seqscan = off;';
for my $query (
	"SELECT id FROM a WHERE d && '40 40 5' ORDER BY id",
	"SELECT id FROM a WHERE point '(50,50)' <@ d OR d && '20 20 8' ORDER BY id",
	"SELECT p.id, x.id FROM (SELECT * FROM p LIMIT 200) p, LATERAL (SELECT id FROM a WHERE d @> p.p OFFSET 0) x ORDER BY 1, 2")
{
	like(same($query, $query, $force), qr/using a_d|on a_d/, 'by the index');
}
is($node->safe_psql('postgres', "SELECT count(*) FROM spqtree_check('a_d', true)"), '0', 'nothing is wrong in the index');

# Arguments without a box, or with other axes: the operator decides.
$node->safe_psql('postgres', qq(
	CREATE FUNCTION in_box3(diamond, box3) RETURNS boolean IMMUTABLE STRICT LANGUAGE sql
		BEGIN ATOMIC SELECT split_part(\$1::text, ' ', 1)::float8 BETWEEN x(low(\$2)) AND x(high(\$2)); END;
	CREATE OPERATOR <@ (LEFTARG = diamond, RIGHTARG = box3, FUNCTION = in_box3, RESTRICT = contsel, JOIN = contjoinsel);
	CREATE FUNCTION in_frustum(diamond, frustum3) RETURNS boolean IMMUTABLE STRICT LANGUAGE sql
		BEGIN ATOMIC SELECT split_part(\$1::text, ' ', 1)::float8 < 20; END;
	CREATE OPERATOR <@ (LEFTARG = diamond, RIGHTARG = frustum3, FUNCTION = in_frustum, RESTRICT = contsel, JOIN = contjoinsel);
	ALTER OPERATOR FAMILY diamond_ops USING spqtree ADD OPERATOR 8 <@ (diamond, box3), OPERATOR 8 <@ (diamond, frustum3);));
for my $query (
	"SELECT id FROM a WHERE d <@ box3(point3(3,3,3), point3(9,9,9)) ORDER BY id",
	"SELECT id FROM a WHERE d <@ (SELECT frustum3('{{1,0,0,1},{-1,0,0,1},{0,1,0,1},{0,-1,0,1},{0,0,1,1},{0,0,-1,1}}'::float8[])) ORDER BY id")
{
	like(same($query, $query, "$force SET enable_bitmapscan = off;"), qr/using a_d/, 'by the index');
}

# Another class, not the default one, has operators of its own: a diamond is near another one if the
# distance of the two is at most ten.  Its index stores larger ends; the descriptor says nothing of it.
$node->safe_psql('postgres', qq(
	CREATE FUNCTION diamond_near(diamond, diamond) RETURNS boolean AS '$library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
	CREATE OPERATOR |~| (LEFTARG = diamond, RIGHTARG = diamond, FUNCTION = diamond_near, COMMUTATOR = |~|,
		RESTRICT = areasel, JOIN = areajoinsel);
	CREATE OPERATOR CLASS diamond_near_ops FOR TYPE diamond USING spqtree AS OPERATOR 3 |~|,
		FUNCTION 1 diamond_ends(diamond, internal), FUNCTION 2 _spqtree_bounds_condition(internal, internal), STORAGE box;));
unlike(same('SELECT a.id, b.id FROM (SELECT * FROM a LIMIT 300) a JOIN (SELECT * FROM b LIMIT 300) b ON a.d |~| b.d ORDER BY 1, 2', 'near'),
	qr/Spatial/, 'operators of other classes are not joined');

# Hints.
my ($out, $hint);
$node->psql('postgres', q(SELECT * FROM spqtree_explain('a_d', box '(45,45),(55,55)', '~=')), stdout => \$out, stderr => \$hint);
like($hint, qr/HINT:  Supported operators are .*such as the bounds of a diamond/, 'a hint without spqtree_bounds');

# A plan that is kept is made again without the class.
is($node->safe_psql('postgres', qq(
	LOAD 'spqtree';
	SET plan_cache_mode = force_generic_plan;
	PREPARE q AS SELECT count(*) FROM a JOIN p ON a.d @> p.p;
	EXECUTE q \\gset first_
	DROP OPERATOR FAMILY diamond_ops USING spqtree CASCADE;
	EXECUTE q \\gset second_
	SELECT :first_count > 0 AND :first_count = :second_count;)), 't', 'a kept plan without the class');
unlike($node->safe_psql('postgres', "LOAD 'spqtree'; EXPLAIN $join{'a && b'}"), qr/Spatial/, 'no class, no join node');

# A descriptor of another version.
my ($stdout, $stderr);
$node->psql('postgres', qq(
	LOAD 'spqtree';
	CREATE FUNCTION old_diamond_type(internal) RETURNS internal AS '$library' LANGUAGE C IMMUTABLE PARALLEL SAFE;
	CREATE OPERATOR CLASS diamond_ops DEFAULT FOR TYPE diamond USING spqtree AS
		OPERATOR 3 &&,
		FUNCTION 1 diamond_ends(diamond, internal),
		FUNCTION 2 _spqtree_bounds_condition(internal, internal),
		FUNCTION 5 old_diamond_type(internal),
		STORAGE box;
	SELECT count(*) FROM a JOIN b ON a.d && b.d;), stdout => \$stdout, stderr => \$stderr);
like($stderr, qr/type diamond is described for another version of spqtree.*HINT:.*old_diamond_type/s, 'a version of the past');

done_testing();
