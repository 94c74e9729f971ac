# Databases of an older PostgreSQL work under this one, after pg_upgrade with copies
# and with links, and after dump and restore.  Index scans return what the sequential
# scan returns and what they returned before, constraints hold, views and functions on
# joins return the same pairs, and rows can be added.
#
# SPQTREE_OLD names the older PostgreSQL, with spqtree installed: "scripts/test
# --postgres 15,17 upgrade" sets it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t";

use Checked;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

die "SPQTREE_OLD is not set: run scripts/test --postgres OLD,NEW upgrade\n"
  unless $ENV{SPQTREE_OLD};

# Both clusters need the same initdb options.
my @initdb = ('--locale=C', '--encoding=UTF8');

my $old = Checked->new('old', install_path => $ENV{SPQTREE_OLD});
$old->init(extra => \@initdb);
$old->start;
my $version = $old->safe_psql('postgres', 'SHOW server_version');
cmp_ok(int($version), '<', int((split ' ', `postgres --version`)[2]),
	"the old server has an older major version: $version");

# A minor release with a security fix may write dumps that a newer major version reads
# only in the minor release with the same fix (pg_attver, in November 2026), and Debian's
# releases do not get it on the same day.  Where a table without anything of spqtree
# cannot be restored, there is nothing to test.
my $restored = Checked->new('restored');
$restored->init(extra => \@initdb);
$restored->start;
$old->safe_psql('postgres', 'CREATE DATABASE bare');
$old->safe_psql('bare', 'CREATE TABLE bare (id int PRIMARY KEY, b box)');
my $complaint = restore($restored, 'bare', 'pg_dump', '--create', '-d', $old->connstr('bare'));
SKIP:
{
	skip "PostgreSQL itself cannot upgrade $version to this version: $complaint", 1 if $complaint ne '';
	pass('PostgreSQL can upgrade a table');
}
if ($complaint ne '')
{
	done_testing();
	exit;
}
$old->safe_psql('postgres', 'DROP DATABASE bare');
$restored->safe_psql('postgres', 'DROP DATABASE bare');

# Restore the output of a command.  Return the errors.
sub restore
{
	my ($node, $name, @command) = @_;
	my $dump = PostgreSQL::Test::Utils::tempdir . "/$name.sql";
	command_ok([ @command, '--no-sync', '-f', $dump ], "$command[0] of the old server: $name");
	my (undef, undef, $complaints) = $node->psql('postgres', slurp_file($dump), on_error_stop => 0);
	return join(', ', grep { /ERROR/ && !/role "[^"]*" already exists/ } split /\n/, $complaints);
}

# A table for each kind of index.  Some indexes are filled by insertions, others are
# built on existing rows.  prepare() creates house with its index.
prepare($old);
$old->safe_psql('postgres', fill(1, 3000));
$old->safe_psql(
	'postgres', q(
	CREATE TABLE plain AS SELECT * FROM house;
	CREATE INDEX plain_b ON plain USING spgist (b spqtree_box_ops);
	CREATE TABLE native AS SELECT * FROM house WHERE id % 2 = 0;
	CREATE INDEX native_b ON native USING spqtree (b) INCLUDE (id);
	INSERT INTO native SELECT * FROM house WHERE id % 2 = 1;
	CREATE TABLE partial AS SELECT * FROM house;
	CREATE INDEX partial_b ON partial USING spgist (b spqtree_box_ops) WHERE id % 2 = 0;
	CREATE TABLE expression AS SELECT id, b[0] AS high, b[1] AS low FROM house;
	CREATE INDEX expression_b ON expression USING spgist (box(high, low) spqtree_box_ops);
	CREATE UNLOGGED TABLE unlogged (id int, b box);
	CREATE INDEX unlogged_b ON unlogged USING spgist (b spqtree_box_ops);
	INSERT INTO unlogged SELECT * FROM house;
	CREATE TABLE partitioned (id int, b box) PARTITION BY RANGE (id);
	CREATE TABLE partitioned_1 PARTITION OF partitioned FOR VALUES FROM (0) TO (11000);
	CREATE TABLE partitioned_2 PARTITION OF partitioned DEFAULT;
	CREATE INDEX partitioned_b ON partitioned USING spgist (b spqtree_box_ops);
	INSERT INTO partitioned SELECT * FROM house;
	CREATE TABLE excluding (id int, b box, CONSTRAINT apart EXCLUDE USING spgist (b spqtree_box_ops WITH &&));
	INSERT INTO excluding SELECT i, box(point(i, i), point(i + 0.5, i + 0.5)) FROM generate_series(1, 500) i;
	INSERT INTO excluding VALUES (501, '((NaN,NaN),(NaN,NaN))'), (502, '((Infinity,5),(Infinity,6))');

	CREATE TABLE booking (room int, during tsrange, CONSTRAINT once EXCLUDE USING spqtree (room WITH =, during WITH &&));
	INSERT INTO booking
	SELECT i % 10, CASE WHEN i = 7 THEN 'empty' ELSE tsrange(t, t + interval '1 hour') END
	FROM generate_series(1, 500) i, LATERAL (SELECT timestamp '2026-01-01' + i * interval '1 hour' AS t) x;
	INSERT INTO booking VALUES (3, tsrange('2027-01-01', NULL)), (4, NULL);
	CREATE TABLE salary (person int, valid daterange, system tsrange, CONSTRAINT known EXCLUDE USING spqtree (person WITH =, valid WITH &&, system WITH &&));
	INSERT INTO salary
	SELECT i % 10, CASE WHEN i <> 9 THEN daterange(d, d + 1) END, tsrange(d, CASE WHEN i % 3 = 0 THEN d + interval '1 day' END)
	FROM generate_series(1, 500) i, LATERAL (SELECT date '2026-01-01' + i AS d) x;

	CREATE VIEW near AS
	SELECT * FROM spqtree_join('SELECT id, b FROM excluding', 'SELECT id, b FROM plain', '&&');
	CREATE FUNCTION neighbors(distance float8) RETURNS TABLE (id1 bigint, id2 bigint) STABLE LANGUAGE sql
	BEGIN ATOMIC
		SELECT j.id1, j.id2 FROM spqtree_self_join('SELECT id, b FROM plain', distance) j;
	END;
	CREATE MATERIALIZED VIEW cells AS
	SELECT id, spqtree_cell(center(b), 10) AS cell FROM excluding WHERE id <= 500;
	CREATE INDEX cells_cell ON cells (cell);

	DELETE FROM plain WHERE id % 7 = 0;
	VACUUM plain;));

# A foreign key that refers to an exclusion constraint.
my $periods = int($version) >= 18;
$old->safe_psql(
	'postgres', q{
	CREATE TABLE stay (room int, during tsrange, FOREIGN KEY (room, PERIOD during) REFERENCES booking (room, PERIOD during));
	INSERT INTO stay VALUES (2, '[2026-01-01 12:00,2026-01-01 12:30)'), (3, '[2027-01-01,2028-01-01)')}) if $periods;

# Two watches, one with a dwell time: a pair that has entered, one that waits, one that is due.
$old->safe_psql(
	'postgres', q(
	SET client_min_messages = warning;
	CREATE TABLE mover (id int PRIMARY KEY, pos point);
	CREATE TABLE zone (id int PRIMARY KEY, area box);
	CREATE INDEX zone_area ON zone USING spqtree (area);
	INSERT INTO zone VALUES (1, '(10,10),(0,0)'), (2, '(30,10),(20,0)');
	INSERT INTO mover VALUES (1, '(5,5)'), (2, '(15,5)'), (3, '(15,5)');
	SELECT spqtree_watch('at_zone', 'mover', 'pos', 'zone', 'area');
	SELECT spqtree_watch('visit', 'mover', 'pos', 'zone', 'area', dwell => '1 hour');
	UPDATE mover SET pos = '(25,5)' WHERE id > 1;
	UPDATE visit SET since = since - interval '2 hours', waiting = waiting - interval '2 hours' WHERE object = 3));
my $watched = q(
	SELECT * FROM at_zone ORDER BY object; SELECT * FROM at_zone_events ORDER BY id;
	SELECT * FROM visit ORDER BY object; SELECT * FROM visit_events ORDER BY id;
	SELECT * FROM spqtree_watches ORDER BY watch::text;
	SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) c;);
my $watches = $old->safe_psql('postgres', $watched);
like($watches, qr/^public\.visit\||^visit\|/m, 'there are watches');

# An extension that was never updated: of the oldest version that an update script in
# sql/ starts from, or of the current one if there is none.
my $extension = $old->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'spqtree'));
my ($first) = (older_versions($old), $extension);
$old->safe_psql('postgres', 'CREATE DATABASE aged');
$old->safe_psql(
	'aged', qq(
	CREATE SCHEMA shapes;
	CREATE EXTENSION spqtree SCHEMA shapes VERSION '$first';
	CREATE TABLE aged AS SELECT i AS id, box(point(i % 40, i / 40), point(i % 40 + 2, i / 40 + 1)) AS b FROM generate_series(1, 2000) i;
	CREATE INDEX aged_b ON aged USING spgist (b shapes.spqtree_box_ops)));

my %index = (
	house => 'house_b', plain => 'plain_b', native => 'native_b', partial => 'partial_b', expression => 'expression_b',
	unlogged => 'unlogged_b', partitioned => 'partitioned_1_b_idx', excluding => 'apart');

# Return queries for the rows of a table that satisfy various conditions.
sub question
{
	my ($table) = @_;
	my $b = $table eq 'expression' ? 'box(t.high, t.low)' : 't.b';
	my $where = $table eq 'partial' ? 't.id % 2 = 0' : 'true';
	my @conditions = map { my $op = $_; map { "$b $op box '$_'" }
		  ('((20,20),(60,60))', '((60,60),(61,61))', '((-Infinity,10),(12,Infinity))', '((NaN,NaN),(NaN,NaN))') }
	  ('&&', '@>', '<@', '~=', '<<', '|>>', '&<');
	return map { "SELECT count(*), md5(string_agg(t.id::text, ',' ORDER BY t.id)) FROM $table t WHERE $where AND $_" } @conditions;
}

sub answers
{
	my ($node, $table, $setting, $database) = @_;
	return $node->safe_psql($database || 'postgres', "SET max_parallel_workers_per_gather = 0; $setting;"
		  . join(';', question($table)));
}

my $by_index = 'SET enable_seqscan = off';
my $by_table = 'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off';

# Digests of the view, the function and the materialized view, for comparison.
my $pairs = q(
	SELECT count(*), md5(string_agg(left_id || ' ' || right_id, ',' ORDER BY left_id, right_id)) FROM near;
	SELECT count(*), md5(string_agg(id1 || ' ' || id2, ',' ORDER BY least(id1, id2), greatest(id1, id2), id1)) FROM neighbors(0.01);
	SELECT count(*), sum(cell) FROM cells;);

my $kept = $old->safe_psql('postgres', $pairs);
like($kept, qr/^[1-9]\d+\|[^\n]*\n[1-9]\d+\|[^\n]*\n[1-9]\d+\|/, 'view, function and materialized view have rows');
my %before = map { $_ => answers($old, $_, $by_table) } keys %index;

# Check that every index is sound, if this version has spqtree_check.
sub sound
{
	my ($node, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $check = $node->safe_psql($database, q(SELECT oid::regproc FROM pg_proc WHERE proname = 'spqtree_check'));
  SKIP:
	{
		skip 'this version of the extension has no spqtree_check', 1 if $check eq '';
		is( $node->safe_psql(
				$database, qq(
				SELECT c.relname, r.* FROM pg_class c JOIN pg_am a ON a.oid = c.relam, LATERAL $check(c.oid, true) r
				WHERE a.amname IN ('spgist', 'spqtree') AND c.relkind = 'i')),
			'', "$name: spqtree_check finds nothing");
	}
	return;
}

# Check everything in a new cluster.
sub works
{
	my ($node, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	is($node->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'spqtree')),
		$extension, "$name: the extension has version $extension");
	is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_index WHERE NOT indisvalid)), '0', "$name: every index is valid");
	is($node->safe_psql('postgres', $pairs), $kept, "$name: view and functions on joins return the same");
	index_ok($node, $name);
	for my $table (sort keys %index)
	{
		is(answers($node, $table, $by_index), $before{$table}, "$name, $table: the index returns what the old server's table did");
		my ($any) = question($table);
		like($node->safe_psql('postgres', "$by_index; EXPLAIN (COSTS OFF) $any"), qr/$index{$table}/, "$name, $table: the index is used");
	}
	sound($node, 'postgres', $name);

	my $join = 'SELECT count(*) FROM plain p JOIN excluding e ON p.b && e.b';
	my $node_on = 'SET enable_nestloop = off';
	like($node->safe_psql('postgres', "LOAD 'spqtree'; $node_on; EXPLAIN (COSTS OFF) $join"),
		qr/Spatial Hash Join/, "$name: the planner uses the join node");
	my $loop = $node->safe_psql('postgres', $join);
	cmp_ok($loop, '>', 0, "$name: a join has rows");
	is($node->safe_psql('postgres', "LOAD 'spqtree'; $node_on; $join"), $loop, "$name: the join node returns as many pairs");

	# watches
	is($node->safe_psql('postgres', $watched), $watches, "$name: watches, pairs and events are the same");
	is($node->safe_psql('postgres', q(SELECT spqtree_settle_watch('visit'); SELECT kind, object, fence FROM visit_events)), "1\nenter|3|2", "$name: the pair that is due enters");
	$node->safe_psql('postgres', q(UPDATE mover SET pos = '(5,5)'));
	is($node->safe_psql('postgres', q(SELECT kind, object, fence FROM at_zone_events ORDER BY id DESC, object LIMIT 4)), "enter|3|1\nenter|2|1\nleave|3|2\nleave|2|2", "$name: a watch works");
	is($node->safe_psql('postgres', q(SELECT object, fence, entered, waiting IS NULL FROM visit ORDER BY object, fence)), "1|1|t|t\n2|1|f|f\n3|1|f|f\n3|2|t|f", "$name: a watch with a dwell time works");
	is($node->safe_psql('postgres', q(SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) c)), '', "$name: spqtree_check_watch finds nothing");

	# more rows, and deletions
	for my $table (grep { $_ !~ /^(expression|excluding|house)$/ } sort keys %index)
	{
		$node->safe_psql('postgres', "INSERT INTO $table SELECT id + 5000000, b + point(0.25, 0.25) FROM house");
	}
	$node->safe_psql(
		'postgres', q(
		INSERT INTO expression SELECT id + 5000000, high + point(1, 1), low FROM expression;
		INSERT INTO excluding SELECT i, box(point(i, i), point(i + 0.5, i + 0.5)) FROM generate_series(1001, 1500) i;
		DELETE FROM plain WHERE id % 5 = 0;
		VACUUM plain;));
	$node->safe_psql('postgres', fill(2, 2000));
	my ($status, $out, $error) = $node->psql('postgres', q(INSERT INTO excluding VALUES (0, '((7.2,7.2),(7.3,7.3))')));
	like($error, qr/violates exclusion constraint "apart"/, "$name: the exclusion constraint holds");
	for my $booking ("2, '[2026-01-01 12:30,2026-01-01 12:40)'", "3, '[2030-01-01,2030-01-02)'")
	{
		($status, $out, $error) = $node->psql('postgres', "INSERT INTO booking VALUES ($booking)");
		like($error, qr/violates exclusion constraint "once"/, "$name: no double booking: $booking");
	}
	if ($periods)
	{
		$node->safe_psql('postgres', q{INSERT INTO stay VALUES (2, '[2026-01-01 12:30,2026-01-01 13:00)')});
		for my $statement (q{INSERT INTO stay VALUES (2, '[2026-01-01 12:30,2026-01-01 13:30)')}, q{DELETE FROM booking WHERE room = 3 AND upper_inf(during)})
		{
			($status, $out, $error) = $node->psql('postgres', $statement);
			like($error, qr/violates foreign key constraint "stay_room_during_fkey"/, "$name: the foreign key holds: $statement");
		}
	}
	($status, $out, $error) = $node->psql('postgres', q{INSERT INTO salary VALUES (2, '[2026-01-23,2026-01-24)', '[2026-02-01,)')});
	like($error, qr/violates exclusion constraint "known"/, "$name: two ranges of a constraint");
	$node->safe_psql('postgres', q{INSERT INTO salary VALUES (2, '[2026-01-13,2026-01-14)', '[2026-01-15,)'), (2, '[2026-01-23,2026-01-24)', '(,2026-01-12)')});
	$node->safe_psql('postgres', q(INSERT INTO booking VALUES (2, tsrange('2026-01-01 13:00', '2026-01-01 14:00')), (3, 'empty'), (5, tsrange('2030-01-01', NULL))));
	index_ok($node, "$name, with more rows");
	for my $table (sort keys %index)
	{
		my $found = answers($node, $table, $by_index);
		isnt($found, $before{$table}, "$name, $table: the index finds new rows") unless $table =~ /^excluding$/;
		is($found, answers($node, $table, $by_table), "$name, $table: with more rows, index and sequential scan agree");
	}
	sound($node, 'postgres', "$name, with more rows");

	# the extension that was never updated
	my $aged = q(SELECT count(*) FROM aged WHERE b && box '((3,3),(9.5,20.5))');
	my $count = $node->safe_psql('aged', "$by_table; $aged");
	is($node->safe_psql('aged', q(SELECT extversion FROM pg_extension WHERE extname = 'spqtree')),
		$name eq 'restored' ? $extension : $first, "$name: the extension keeps its version, except in a dump, which names none");
	is($node->safe_psql('aged', "$by_index; $aged"), $count, "$name: its index works");
	$node->safe_psql('aged', 'ALTER EXTENSION spqtree UPDATE; INSERT INTO aged SELECT id + 10000, b FROM aged');
	is($node->safe_psql('aged', q(SELECT extversion = default_version FROM pg_extension JOIN pg_available_extensions ON name = extname WHERE extname = 'spqtree')),
		't', "$name: it can be updated");
	is($node->safe_psql('aged', "$by_index; $aged"), $count * 2, "$name: its index works after that");
	sound($node, 'aged', "$name, updated");
	return;
}

# Dump and restore, with the new pg_dumpall.
is(restore($restored, 'all', 'pg_dumpall', '-d', $old->connstr('postgres')), '', 'restored without an error');
works($restored, 'restored');
$restored->stop;
$old->stop;

for my $how ('copied', 'linked')
{
	my $new = Checked->new($how);
	$new->init(extra => \@initdb);
	# it writes scripts to the current directory, and needs a short socket path
	chdir PostgreSQL::Test::Utils::tempdir or die;
	command_ok(
		[ 'pg_upgrade', '--no-sync',
			'--old-datadir', $old->data_dir, '--new-datadir', $new->data_dir,
			'--old-bindir', "$ENV{SPQTREE_OLD}/bin", '--new-bindir', $new->config_data('--bindir'),
			'--old-port', $old->port, '--new-port', $new->port,
			'--socketdir', $new->host,
			$how eq 'linked' ? '--link' : () ],
		"pg_upgrade from $version, files $how") or print_logs($new);
	$new->start;
	works($new, $how);
	$new->stop;
}

# Show the logs of pg_upgrade, whose messages only name these files.
sub print_logs
{
	my ($node) = @_;
	for my $log (glob($node->data_dir . '/pg_upgrade_output.d/*/*.txt ' . $node->data_dir . '/pg_upgrade_output.d/*/log/*.log'))
	{
		diag("$log:\n", substr(slurp_file($log), -3000));
	}
	return;
}

done_testing();
