# Foreign keys with PERIOD that refer to exclusion constraints of the access method, and
# subscribers of tables without a key that find rows by its indexes: what PostgreSQL 18 asks an
# access method about its strategies.  The keys survive dump and restore, in which the constraints
# are made by name, and the index of the exclusion constraint has the lowest OID.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my ($version) = (run_command([ 'postgres', '--version' ]))[0] =~ /(\d+)/;
plan skip_all => "PostgreSQL $version has no foreign keys with PERIOD" if $version < 18;

my $node = Server->new('publisher');
$node->init(allows_streaming => 'logical');
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

# Return the output of SQL, or the messages of its errors.
sub gets
{
	my ($database, $sql) = @_;
	my ($stdout, $stderr);
	$node->psql($database, "SET client_min_messages = error;\n$sql", stdout => \$stdout, stderr => \$stderr);
	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g;
}

# Return the temporal foreign keys of a database, with the access methods of their indexes.
sub keys_of
{
	my ($database) = @_;
	return gets($database, q(
		SELECT c.conrelid::regclass, pg_get_constraintdef(c.oid), amname, convalidated
		FROM pg_constraint c JOIN pg_class i ON i.oid = conindid JOIN pg_am a ON a.oid = i.relam
		WHERE contype = 'f' AND conperiod ORDER BY 1, 2));
}

# What the keys of a database must do.
my @statements = (
	[ q{INSERT INTO %s VALUES (1, '[2026-01-02,2026-01-04)')}, '' ],
	[ q{INSERT INTO %s VALUES (1, '[2026-01-04,2026-01-08)')}, '' ],    # two rows together
	[ q{INSERT INTO %s VALUES (1, '[2026-01-09,2026-01-12)')}, 'violates' ],
	[ q{INSERT INTO %s VALUES (2, '[2026-01-02,2026-01-04)')}, 'violates' ],
	[ q{INSERT INTO %s VALUES (1, '(,)')}, 'violates' ],
	[ q{INSERT INTO %s VALUES (3, '[2026-01-02,)'), (NULL, '[2026-01-02,2026-01-04)'), (1, NULL)}, '' ],
	[ q{DELETE FROM %s WHERE id = 1 AND during @> timestamp '2026-01-07'}, 'violates' ],
	[ q{UPDATE %s SET during = '[2026-01-01,2026-01-03)' WHERE during @> timestamp '2026-01-02' AND id = 1}, 'violates' ],
	[ q{UPDATE %s SET during = '[2026-01-05,2026-01-09)' WHERE id = 1 AND during @> timestamp '2026-01-07'}, '' ],
	[ q{DELETE FROM %s WHERE id = 4}, '' ]);

sub check_keys
{
	my ($database, $room, $booking, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my @wrong;

	for (@statements)
	{
		my ($statement, $expected) = @$_;
		my $sql = sprintf($statement, $statement =~ /^INSERT/ ? $booking : $room);
		my $got = gets($database, "BEGIN; $sql; ROLLBACK");
		my $kept = $got eq '' ? gets($database, $sql) : $got;

		push @wrong, "$sql: $kept" if $expected eq '' ? $kept ne '' : $kept !~ /$expected.*foreign key constraint/;
	}
	is(join("\n", @wrong), '', "$name: the key holds");
	return;
}

my $rooms = q{INSERT INTO %s VALUES (1, '[2026-01-01,2026-01-05)'), (1, '[2026-01-05,2026-01-10)'), (3, '[2026-01-01,)'),
	(4, 'empty'), (4, '[2026-01-01,2026-01-02)'), (NULL, '(,)'), (5, NULL)};
my $both = 'EXCLUDE USING spqtree (id WITH =, during WITH &&)';
my $key = 'UNIQUE (id, during WITHOUT OVERLAPS)';

$node->safe_psql('postgres', 'CREATE DATABASE db');
$node->safe_psql('db', 'CREATE EXTENSION btree_gist; CREATE EXTENSION spqtree;');
my %keys = (exclude_first => "$both, $key", unique_first => "$key, $both", only_exclude => $both);
for my $table (sort keys %keys)
{
	# a table of rooms without those that a UNIQUE forbids
	$node->safe_psql('db', join ';', "CREATE TABLE $table (id int, during tsrange, $keys{$table})", sprintf($rooms =~ s/\(4, 'empty'\), //r, $table));
	is( gets('db', "CREATE TABLE booking_$table (id int, during tsrange, FOREIGN KEY (id, PERIOD during) REFERENCES $table (id, PERIOD during))"),
		'', "$table: a foreign key can refer to it");
}
my $keys = keys_of('db');
is($keys, join("\n", map { "booking_$_|FOREIGN KEY (id, PERIOD during) REFERENCES $_(id, PERIOD during)|" . ($_ eq 'unique_first' ? 'gist' : 'spqtree') . '|t' } sort keys %keys),
	'the keys use the index of the lowest OID');

# A restored dump: constraints are made in the order of their names.
my $dump = $node->basedir . '/dump.sql';
command_ok([ 'pg_dump', '--no-sync', '-f', $dump, $node->connstr('db') ], 'the database is dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('restored'), '-f', $dump, '-o', '/dev/null' ], 'and restored');
is(keys_of('restored'), $keys =~ s/\|gist\|/|spqtree|/r, 'with all keys, by the index of the exclusion constraint');
for my $database ('db', 'restored')
{
	check_keys($database, $_, "booking_$_", "$database, $_") for sort keys %keys;
}

# Each type of a scalar column, by itself and as the type of the family beside it.
my $types = $node->safe_psql('db', q{
	SELECT DISTINCT t FROM (SELECT CASE opcintype WHEN 'anyarray'::regtype THEN 'int4[]' WHEN 'anyenum'::regtype THEN 'mood' WHEN 'record'::regtype THEN 'couple'
	                                              WHEN 'anyrange'::regtype THEN 'int4range' WHEN 'anymultirange'::regtype THEN 'int4multirange'
	                                              ELSE opcintype::regtype::text END AS t
	FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
	WHERE amname = 'spqtree' AND EXISTS (SELECT FROM pg_amproc p WHERE amprocfamily = opcfamily AND amproclefttype = opcintype AND amprocnum = 4
	                                     UNION ALL SELECT FROM pg_amop WHERE amopfamily = opcfamily AND amoplefttype = opcintype AND amopstrategy = 1 AND amopopr::regoperator::text LIKE '=(%')) t ORDER BY 1});
$node->safe_psql('db', q(CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE TYPE couple AS (a int, b text)));
my @types = split /\n/, $types;
cmp_ok(scalar @types, '>=', 34, scalar @types . ' types of scalar columns');
my @wrong = grep { $_ ne '' } map {
	my $got = gets('db', qq(BEGIN;
		CREATE TABLE kind (k $_, d daterange, EXCLUDE USING spqtree (k WITH =, d WITH &&));
		CREATE TABLE of_kind (k $_, d daterange, FOREIGN KEY (k, PERIOD d) REFERENCES kind (k, PERIOD d));
		ROLLBACK;));
	$got eq '' ? '' : "$_: $got"
} @types;
# a range before the last column is a spatial column as well
is(join("\n", @wrong), '', 'a key may begin with each of them');
is( gets('db', q{
		CREATE TABLE term (id int, d datemultirange, EXCLUDE USING spqtree (id WITH =, d WITH &&));
		CREATE TABLE of_term (id int, d datemultirange, FOREIGN KEY (id, PERIOD d) REFERENCES term (id, PERIOD d));
		INSERT INTO term VALUES (1, '{[2026-01-01,2026-02-01),[2026-03-01,2026-04-01)}'), (1, '{[2026-02-01,2026-03-01)}');
		INSERT INTO of_term VALUES (1, '{[2026-01-10,2026-01-20),[2026-01-25,2026-03-20)}');
		SELECT count(*) FROM of_term}),
	'1', 'multiranges: a key refers to an exclusion constraint');
like(gets('db', q{INSERT INTO of_term VALUES (1, '{[2026-01-10,2026-04-20)}')}), qr/violates foreign key/, 'multiranges: and holds');
like(gets('db', q(
		CREATE TABLE area (id int, b box, EXCLUDE USING spqtree (id WITH =, b WITH &&));
		CREATE TABLE of_area (id int, b box, FOREIGN KEY (id, PERIOD b) REFERENCES area (id, PERIOD b)))),
	qr/^invalid type for PERIOD part of foreign key$/, 'boxes are no periods');

#
# A subscriber: which index it takes for a table without a key.
#
my $subscriber = Server->new('subscriber');
$subscriber->init(allows_streaming => 'logical');
$subscriber->append_conf('postgresql.conf', "autovacuum = off\n");
$subscriber->start;
my $tables = q(
	CREATE EXTENSION spqtree;
	CREATE TABLE span (during int4range, note text);
	CREATE TABLE spans (during int4multirange, note text);
	CREATE TABLE tenant (tenant int, name text, during int4range);
	CREATE TABLE pair (valid int4range, known int4range, n numeric);
	CREATE TABLE solid (id int, b3 box3););
$_->safe_psql('postgres', $tables) for $node, $subscriber;
my @tables = qw(span spans tenant pair solid);
$node->safe_psql('postgres', join ';', map { "ALTER TABLE $_ REPLICA IDENTITY FULL" } @tables);
$subscriber->safe_psql('postgres', q(
	CREATE INDEX ON span USING spqtree (during) INCLUDE (note);
	CREATE INDEX ON spans USING spqtree (during);
	CREATE INDEX ON tenant USING spqtree (tenant, name, during);
	CREATE INDEX ON pair USING spqtree (valid, known);
	CREATE INDEX ON solid USING spqtree (id, b3);));
$node->safe_psql('postgres', q(
	INSERT INTO span SELECT CASE i % 50 WHEN 0 THEN NULL WHEN 1 THEN 'empty' WHEN 2 THEN int4range(i, NULL) ELSE int4range(i % 100, i % 100 + 5) END, i % 3 FROM generate_series(1, 1000) i;
	INSERT INTO spans SELECT int4multirange(int4range(i, i + 3), int4range(i + 5, i + 9)), i FROM generate_series(1, 1000) i;
	INSERT INTO tenant SELECT i % 10, CASE WHEN i % 7 > 0 THEN 'n' || i % 3 END, int4range(i, i + 9) FROM generate_series(1, 1000) i;
	INSERT INTO pair SELECT int4range(i, i + 9), CASE WHEN i % 20 > 0 THEN int4range(i, NULL) END, i FROM generate_series(1, 1000) i;
	INSERT INTO solid SELECT i, box3(i, i, i, i + 1, i + 1, i + 1) FROM generate_series(1, 1000) i;
	CREATE PUBLICATION p FOR ALL TABLES;));
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION s CONNECTION '" . $node->connstr('postgres') =~ s/'/''/gr . "' PUBLICATION p");
$subscriber->wait_for_subscription_sync($node, 's');
# CREATE INDEX has read the tables, too
$subscriber->safe_psql('postgres', 'SELECT pg_stat_force_next_flush()');
$subscriber->safe_psql('postgres', 'SELECT pg_stat_reset()');
$node->safe_psql('postgres', q(
	UPDATE span SET note = note || 'x' WHERE during IS NULL AND note = '1';
	UPDATE span SET during = int4range(7, 8) WHERE isempty(during) AND note <> '0';
	DELETE FROM span WHERE during && int4range(10, 20) AND note = '2';
	DELETE FROM spans WHERE during @> 500;
	UPDATE spans SET during = during + int4multirange(int4range(2000, 2001)) WHERE during @> 600;
	UPDATE tenant SET tenant = 77 WHERE during @> 300;
	DELETE FROM tenant WHERE name IS NULL AND tenant = 3;
	UPDATE pair SET n = n + 0.5, known = NULL WHERE valid @> 100;
	DELETE FROM pair WHERE known IS NULL AND valid && int4range(300, 400);
	UPDATE solid SET b3 = box3(0, 0, 0, 1, 1, 1) WHERE id % 100 = 3;
	DELETE FROM solid WHERE id % 100 = 4;));
$node->wait_for_catchup('s');
# Before anything else reads the tables: when the statistics have come, from each of them.
$subscriber->poll_query_until('postgres', q(
	SELECT bool_and(n_tup_upd > 0 AND n_tup_del > 0 AND coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0) FROM pg_stat_user_tables));
# The index of solid cannot be used: its class has no equality.
is( $subscriber->safe_psql('postgres', q(SELECT relname, seq_scan > 0, idx_scan > 0 FROM pg_stat_user_tables ORDER BY 1)),
	"pair|f|t\nsolid|t|f\nspan|f|t\nspans|f|t\ntenant|f|t", 'a subscriber finds rows by the indexes, and reads no table');
for my $table (@tables)
{
	my $rows = "SELECT count(*), md5(string_agg(t::text, ',' ORDER BY t::text)) FROM $table t";

	is($subscriber->safe_psql('postgres', $rows), $node->safe_psql('postgres', $rows), "$table: the subscriber has the rows");
}

done_testing();
