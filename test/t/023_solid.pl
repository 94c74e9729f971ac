# Tables with types of three dimensions are dumped and restored, and copied in both formats:
# every value comes back bit by bit, with indexes, partitions, defaults, constraints, and the
# extensions that have casts.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

my $node = Server->new('solid');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nlog_statement = none\n");
$node->start;

my $dir = $node->basedir;

# Return all rows, as bits, in an order that does not depend on the types.
my $bits = q(
	SELECT string_agg(concat_ws(' ', id, encode(point3_send(p), 'hex'), encode(box3_send(b), 'hex'), encode(lseg3_send(s), 'hex'),
	                            encode(sphere3_send(o), 'hex'), encode(ray3_send(r), 'hex'), encode(frustum3_send(f), 'hex')), E'\n' ORDER BY id)
	FROM thing);

$node->safe_psql('postgres', 'CREATE DATABASE solid');
$node->safe_psql(
	'solid', q(
	CREATE EXTENSION spqtree;
	CREATE EXTENSION spqtree_cube CASCADE;
	CREATE TABLE thing (id int, p point3 DEFAULT '(1,2,3)', b box3 CHECK (b @> low(b) OR b::text ~ 'NaN'), s lseg3, o sphere3, r ray3, f frustum3,
	                    c cube GENERATED ALWAYS AS (b::cube) STORED);
	INSERT INTO thing
	SELECT i, p, box3(p, q), lseg3(p, q), sphere3(p, abs(x(q))), ray3(p, point3(1 + i % 3, i % 5, -(i % 7) / 3.0)), frustum3(ARRAY(SELECT (i * 31 + j * j) % 17 / 7.0 FROM generate_series(1, 24) j))
	FROM (SELECT i, point3(n[1 + i % 13], n[1 + i / 13 % 13], n[1 + i * 7 % 13]) AS p, point3(n[1 + i * 3 % 13], n[1 + i * 5 % 13], n[1 + i / 7 % 13]) AS q
	      FROM generate_series(1, 2000) i, (VALUES ('{0,-0,1,-1,0.1,1e300,-1e-300,5e-324,1.7976931348623157e308,Infinity,-Infinity,NaN,3.141592653589793}'::float8[])) v(n)) v;
	INSERT INTO thing (id) VALUES (0);
	CREATE INDEX thing_b ON thing (b);
	CREATE INDEX thing_s ON thing USING hash (s);
	CREATE TABLE part (b box3) PARTITION BY HASH (b);
	CREATE TABLE part_0 PARTITION OF part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE part_1 PARTITION OF part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	INSERT INTO part SELECT b FROM thing WHERE b IS NOT NULL;
	CREATE VIEW low_ones AS SELECT id, b && box3 '(0,0,0),(1,1,1)' AS near, p <-> point3 '(0,0,0)' AS distance FROM thing WHERE b <</ box3(0, 0, 5, 1, 1, 6);
));
my $expected = $node->safe_psql('solid', $bits);
is(scalar(split /\n/, $expected), 2001, 'rows');
my $partitions = $node->safe_psql('solid', 'SELECT count(*) > 100, (SELECT count(*) > 100 FROM part_1) FROM part_0');
is($partitions, 't|t', 'both partitions have rows');

# COPY
foreach my $format ('binary', 'text', 'csv')
{
	$node->safe_psql('solid', qq(
		\\copy (SELECT id, p, b, s, o, r, f FROM thing) TO '$dir/thing.$format' WITH (FORMAT $format)
		TRUNCATE thing;
		\\copy thing (id, p, b, s, o, r, f) FROM '$dir/thing.$format' WITH (FORMAT $format)
	));
	is($node->safe_psql('solid', $bits), $expected, "every value after COPY, $format");
}

# Invalid binary input: too short, and boxes with their corners in another order.
my $header = "PGCOPY\n\xff\r\n\0" . pack('N N', 0, 0);
append_to_file("$dir/short", $header . pack('n N', 1, 16) . pack('d>2', 1, 2) . pack('n', 0xffff));
append_to_file("$dir/long", $header . pack('n N', 1, 32) . pack('d>4', 1, 2, 3, 4) . pack('n', 0xffff));
append_to_file("$dir/swapped", $header . pack('n N', 1, 48) . pack('d>6', 1, 5, 3, 4, 2, 'NaN') . pack('n', 0xffff));
$node->safe_psql('solid', 'CREATE TABLE short (p point3); CREATE TABLE swapped (b box3)');
foreach my $file ('short', 'long')
{
	my $stderr;
	$node->psql('solid', "\\copy short FROM '$dir/$file' WITH (FORMAT binary)", stderr => \$stderr);
	like($stderr, $file eq 'short' ? qr/insufficient data left in message/ : qr/incorrect binary data format/, "a value that is too $file");
}
$node->safe_psql('solid', "\\copy swapped FROM '$dir/swapped' WITH (FORMAT binary)");
is($node->safe_psql('solid', 'TABLE swapped'), '(4,5,NaN),(1,2,3)', 'corners are put in order by binary input, too');

# Dump and restore
$node->command_ok([ 'pg_dump', '-f', "$dir/plain.sql", '-d', $node->connstr('solid') ], 'pg_dump, plain');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/custom", '-d', $node->connstr('solid') ], 'pg_dump, custom');
$node->safe_psql('postgres', 'CREATE DATABASE plain');
$node->safe_psql('postgres', 'CREATE DATABASE custom');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain.sql", '-d', $node->connstr('plain') ], 'a plain dump is restored');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('custom'), "$dir/custom" ], 'a custom dump is restored');
foreach my $database ('plain', 'custom')
{
	is($node->safe_psql($database, $bits), $expected, "restored, $database: every value");
	is($node->safe_psql($database, 'SELECT count(*) = (SELECT count(*) FROM thing) - 1 FROM part'), 't', "restored, $database: partitions");
	is($node->safe_psql($database, 'SELECT count(*) > 0 FROM low_ones'), 't', "restored, $database: a view");
	is($node->safe_psql($database, 'SET enable_seqscan = off; SELECT count(*) = 1 FROM (SELECT DISTINCT c FROM thing WHERE b = (SELECT b FROM thing WHERE id = 5)) v'), 't', "restored, $database: an index, and a generated column");
	is($node->safe_psql($database, "INSERT INTO thing (id) VALUES (-1) RETURNING p"), '(1,2,3)', "restored, $database: a default");
}

# A use of a type prevents DROP EXTENSION; after it is gone, nothing is left.
my $stderr;
$node->psql('solid', 'DROP EXTENSION spqtree', stderr => \$stderr);
like($stderr, qr/other objects depend on it/, 'the extension is kept by tables');
$node->safe_psql('solid', 'DROP TABLE thing, part, short, swapped CASCADE; DROP EXTENSION spqtree CASCADE');
is($node->safe_psql('solid', q(SELECT count(*) FROM pg_type WHERE typname ~ '^_?(point|box|lseg|sphere|ray|frustum)3$')), '0', 'the types are gone');
is($node->safe_psql('solid', q(SELECT string_agg(extname, ' ' ORDER BY extname) FROM pg_extension)), 'cube plpgsql', 'and the extension with the casts');

$node->stop;
done_testing();
