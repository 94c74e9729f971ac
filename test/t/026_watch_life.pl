# A watch over its lifetime: dump and restore, by superusers and others, also while pairs wait for
# a dwell time; DROP of its tables before and after use; DROP EXTENSION; notifications; prepared transactions; logical
# replication of the events; unlogged tables after a crash; reads on a standby.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my ($node, $standby) = primary_and_standby('watch_life', primary => q(
wal_level = logical
max_prepared_transactions = 5
));
my $dump = $node->basedir . '/dump.sql';

my $tables = q(
	CREATE TABLE vehicles (id int PRIMARY KEY, pos point, note text);
	CREATE TABLE zones (id int PRIMARY KEY, area box);
	INSERT INTO vehicles VALUES (1, '(1,1)', 'a'), (2, '(9,9)', 'a'), (3, '(1,1)', 'B');
	INSERT INTO zones VALUES (10, '(0,0),(5,5)'), (20, '(8,8),(9,9)');
	CREATE FUNCTION small(text) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 = lower($1)';
	SELECT spqtree_watch('in_zone', 'vehicles', 'pos', 'zones', 'area', object_condition => 'small(note)', distance => 0.1);
	SELECT spqtree_watch('close', 'vehicles', 'pos', distance => 3, events => 'log'););
my $state = q(SELECT object, fence FROM in_zone ORDER BY 1, 2; SELECT object, fence FROM close ORDER BY 1, 2;
	SELECT kind, object, fence FROM in_zone_events ORDER BY id; SELECT kind, object, fence FROM log ORDER BY id;
	SELECT watch, objects, fences, distance, object_condition, events FROM spqtree_watches ORDER BY watch::text);

# Run SQL.  Return its output, or the messages of errors.
sub gets
{
	my ($database, $sql) = @_;
	my ($stdout, $stderr);
	$node->psql($database, "SET client_min_messages = error;\n$sql", stdout => \$stdout, stderr => \$stderr);
	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g;
}

# Create a database from a dump.
sub restore
{
	my ($name, %option) = @_;
	my @role = $option{role} ? ('-U', $option{role}) : ();

	$node->safe_psql('postgres', "CREATE DATABASE $name" . ($option{role} ? " OWNER $option{role}" : ''));
	command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', @role, '-d', $node->connstr($name), '-f', $dump, '-o', '/dev/null' ], "$name: restored");
	return $name;
}

$node->safe_psql('postgres', 'CREATE ROLE life_user LOGIN; CREATE DATABASE life OWNER life_user');
$node->safe_psql('life', "CREATE EXTENSION spqtree; SET client_min_messages = error; $tables
	UPDATE vehicles SET pos = '(2,2)' WHERE id = 2;");
my $before = gets('life', $state);
like($before, qr/^leave\|2\|20\nenter\|2\|10$/m, 'there are events');

# Dump and restore cause no events, and then the watch continues.
command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('life') ], 'a dump');
restore('restored');
is(gets('restored', $state), $before, 'restored: pairs, events and definitions are the same');
is(gets('restored', q(UPDATE vehicles SET pos = '(30,30)' WHERE id = 1; SELECT kind, object, fence FROM in_zone_events ORDER BY id DESC LIMIT 1;
	SELECT * FROM spqtree_check_watch('in_zone'); SELECT * FROM spqtree_check_watch('close'))), 'leave|1|10', 'restored: the watches work');

# DROP TABLE ends the watch, before and after its first use; also if that was rolled back,
# and repeated in the same session.
my $update = q(UPDATE vehicles SET pos = '(0,0)';);
my %uses = (unused => '', used => $update, again => "BEGIN; $update ROLLBACK; $update");
foreach my $label (sort keys %uses)
{
	my $use = $uses{$label};

	foreach my $order ([ 'vehicles', 'zones' ], [ 'zones', 'vehicles' ])
	{
		my ($first, $second) = @$order;
		my $name = restore("drop_${first}_$label");
		is(gets($name, "$use DROP TABLE $first"), '', "$name: dropped");
		is(gets($name, $second eq 'zones' ? 'UPDATE zones SET area = area; DELETE FROM zones' : q(UPDATE vehicles SET pos = '(5,5)'; DELETE FROM vehicles)),
			'', "$name: the other table is free");
		# a watch without use since the restore does not know yet which tables end it
		is(gets($name, q(SELECT count(*) FROM spqtree_watches WHERE fences = 'public.zones')), 0, "$name: the watch is gone") if $use;
		is(gets($name, 'SELECT count(spqtree_unwatch(watch)) >= 0 FROM spqtree_watches'), 't', "$name: ended");
		is(gets($name, "DROP TABLE $second; SELECT count(*) FROM spqtree_watches; SELECT count(*) > 0 FROM in_zone_events"), "0\nt", "$name: nothing is left but the events");
	}
}

# As the owner of the database, who is not a superuser.
$node->safe_psql('postgres', 'CREATE DATABASE plain OWNER life_user');
$node->safe_psql('plain', 'GRANT ALL ON SCHEMA public TO life_user');
$node->safe_psql('plain', "SET client_min_messages = error; CREATE EXTENSION spqtree; $tables UPDATE vehicles SET pos = '(2,2)' WHERE id = 2", extra_params => [ '-U', 'life_user' ]);
$before = gets('plain', $state);
command_ok([ 'pg_dump', '--no-comments', '-U', 'life_user', '-f', $dump, '-d', $node->connstr('plain') ], 'a dump by a user');
restore('plain_restored', role => 'life_user');
is(gets('plain_restored', $state), $before, 'restored by a user: all is the same');
is(gets('plain_restored', q(SET ROLE life_user; DELETE FROM zones WHERE id = 10; SELECT kind, object, fence FROM in_zone_events ORDER BY id DESC LIMIT 1;
	SELECT owner FROM spqtree_watches)), "leave|2|10\nlife_user\nlife_user", 'restored by a user: the watches work');

# A dump of one schema; a dump of the data alone.
command_ok([ 'pg_dump', '-n', 'public', '--no-comments', '-f', $dump, '-d', $node->connstr('life') ], 'a dump of a schema');
$node->safe_psql('postgres', 'CREATE DATABASE one_schema');
$node->safe_psql('one_schema', 'DROP SCHEMA public; CREATE EXTENSION IF NOT EXISTS plpgsql');
my ($out, $err);
$node->psql('one_schema', 'CREATE SCHEMA public; CREATE EXTENSION spqtree');
$node->psql('one_schema', "\\o /dev/null\n" . join('', grep { !/^CREATE SCHEMA public/ } split /^/m, slurp_file($dump)), stderr => \$err);
is($err, '', 'a dump of a schema is restored');
is(gets('one_schema', $state), gets('life', $state), 'a dump of a schema has the watches');

command_ok([ 'pg_dump', '--data-only', '--disable-triggers', '-f', $dump, '-d', $node->connstr('life') ], 'a dump of the data');
$node->safe_psql('postgres', 'CREATE DATABASE data_only');
$node->safe_psql('data_only', "CREATE EXTENSION spqtree; SET client_min_messages = error; $tables ALTER TABLE vehicles DISABLE TRIGGER USER; ALTER TABLE zones DISABLE TRIGGER USER;
	DELETE FROM vehicles; DELETE FROM zones; DELETE FROM in_zone; DELETE FROM close; ALTER TABLE vehicles ENABLE TRIGGER USER; ALTER TABLE zones ENABLE TRIGGER USER");
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('data_only'), '-f', $dump, '-o', '/dev/null' ], 'data alone, without triggers: restored');
is(gets('data_only', $state), gets('life', $state), 'data alone: pairs and events are the same');

# A dwell time: pairs that wait do so during a dump, and enter or leave afterwards, once.
my $stays = q(
	CREATE TABLE trucks (id int PRIMARY KEY, pos point);
	CREATE TABLE yards (id int PRIMARY KEY, area box);
	INSERT INTO trucks VALUES (1, '(1,1)'), (2, '(50,50)'), (3, '(1,1)'), (4, '(50,50)'), (5, '(1,1)');
	INSERT INTO yards VALUES (10, '(0,0),(5,5)'), (20, '(20,20),(25,25)');
	SELECT spqtree_watch('visits', 'trucks', 'pos', 'yards', 'area', dwell => '1 month 2 hours 0.5 seconds');
	-- 1 will leave and 2 enter; 3 and 4 are due, too
	UPDATE trucks SET pos = '(50,50)' WHERE id IN (1, 3);
	UPDATE trucks SET pos = '(21,21)' WHERE id IN (2, 4);
	UPDATE visits SET since = since - interval '40 days', waiting = waiting - interval '40 days' WHERE object IN (3, 4););
my $stay_state = q(SELECT * FROM visits ORDER BY object, fence; SELECT * FROM visits_events ORDER BY id; SELECT watch, dwell FROM spqtree_watches; SELECT * FROM spqtree_check_watch('visits'););
my $stay_news = q(SELECT kind, object, fence FROM visits_events ORDER BY id;);
$node->safe_psql('postgres', 'CREATE DATABASE stay OWNER life_user');
$node->safe_psql('stay', 'GRANT ALL ON SCHEMA public TO life_user');
$node->safe_psql('stay', "SET client_min_messages = error; CREATE EXTENSION spqtree; $stays", extra_params => [ '-U', 'life_user' ]);
my $waiting = gets('stay', $stay_state);
like($waiting, qr/^1\|10\|[^|]*\|t\|2.*\n2\|20\|[^|]*\|f\|2.*\n3\|10.*\n4\|20.*\n5\|10\|[^|]*\|t\|\nvisits\|722:00:00.5$/, 'pairs wait to enter and to leave');
command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr('stay') ], 'a dump while pairs wait');
restore('stay_restored');
is(gets('stay_restored', $stay_state), $waiting, 'restored: pairs wait as before, without events');
is(gets('stay_restored', "SELECT spqtree_settle_watch('visits', 1); SELECT spqtree_settle_watch('visits'); SELECT spqtree_settle_watch('visits'); $stay_news"),
	"1\n1\n0\nleave|3|10\nenter|4|20", 'restored: what is due enters and leaves, once');
is(gets('stay_restored', "UPDATE visits SET waiting = waiting - interval '40 days'; UPDATE trucks SET pos = pos WHERE id = 1; UPDATE trucks SET pos = '(1,1)' WHERE id = 2;
	$stay_news SELECT object, fence, entered, waiting IS NULL FROM visits ORDER BY 1, 2"),
	"leave|3|10\nenter|4|20\nleave|1|10\nenter|2|20\n2|10|f|f\n2|20|t|f\n4|20|t|t\n5|10|t|t", 'restored: statements let their pairs enter and leave');
command_ok([ 'pg_dump', '--no-comments', '-U', 'life_user', '-f', $dump, '-d', $node->connstr('stay') ], 'a dump by a user while pairs wait');
restore('stay_plain', role => 'life_user');
is(gets('stay_plain', $stay_state), $waiting, 'restored by a user: pairs wait as before');
is(gets('stay_plain', "SET ROLE life_user; SELECT spqtree_settle_watch('visits'); $stay_news"), "2\nleave|3|10\nenter|4|20", 'restored by a user: what is due enters and leaves');
command_ok([ 'pg_dump', '--data-only', '--disable-triggers', '-f', $dump, '-d', $node->connstr('stay') ], 'a dump of the data while pairs wait');
$node->safe_psql('postgres', 'CREATE DATABASE stay_data');
$node->safe_psql('stay_data', "CREATE EXTENSION spqtree; SET client_min_messages = error; $stays ALTER TABLE trucks DISABLE TRIGGER USER; ALTER TABLE yards DISABLE TRIGGER USER;
	DELETE FROM trucks; DELETE FROM yards; DELETE FROM visits; ALTER TABLE trucks ENABLE TRIGGER USER; ALTER TABLE yards ENABLE TRIGGER USER");
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('stay_data'), '-f', $dump, '-o', '/dev/null' ], 'data alone: restored');
is(gets('stay_data', $stay_state), $waiting, 'data alone: pairs wait as before');

# ... a prepared transaction holds the pairs that it settles; a crash forgets nothing.
$node->safe_psql('stay', q(BEGIN; UPDATE trucks SET pos = '(60,60)' WHERE id = 4; PREPARE TRANSACTION 'stay'));
$node->stop('immediate');
$node->start;
is(gets('stay', "SELECT spqtree_settle_watch('visits'); $stay_news"), "1\nleave|3|10", 'the timer skips what a prepared transaction has changed');
$node->safe_psql('stay', q(COMMIT PREPARED 'stay'));
is(gets('stay', "SELECT spqtree_settle_watch('visits'); $stay_news SELECT * FROM spqtree_check_watch('visits')"), "0\nenter|4|20\nleave|3|10", 'which lets it enter');

# ... while pairs wait: tables are truncated, renamed, dropped.
is(gets('stay', "TRUNCATE trucks, yards; SELECT object, fence, entered, waiting IS NULL FROM visits ORDER BY 1, 2; SELECT * FROM spqtree_check_watch('visits')"),
	"1|10|t|f\n4|20|t|f\n5|10|t|f", 'TRUNCATE of both tables: what has entered waits to leave, what has not is gone');
my $renamed = 'table "places" of watch public.visits was renamed';
like(gets('stay', "ALTER TABLE yards RENAME TO places; SELECT spqtree_settle_watch('visits')"), qr/^$renamed$/, 'a watched table is renamed: the timer says so');
is(gets('stay', "ALTER TABLE places RENAME TO yards; UPDATE visits SET waiting = waiting - interval '40 days'; SELECT spqtree_settle_watch('visits'); SELECT count(*) FROM visits"), "3\n0", 'renamed back, it goes on');
like(gets('stay', "ALTER TABLE visits_events RENAME TO news; SELECT spqtree_settle_watch('visits')"), qr/event table public.visits_events of watch public.visits does not exist/, 'so with the log');
is(gets('stay', "ALTER TABLE news RENAME TO visits_events; INSERT INTO yards VALUES (10, '(0,0),(5,5)'); INSERT INTO trucks VALUES (1, '(1,1)'); DROP TABLE yards;
	SELECT count(*) FROM spqtree_watches; SELECT to_regclass('visits') IS NULL; UPDATE trucks SET pos = NULL"), "0\nt", 'DROP TABLE ends the watch while a pair waits');
like(gets('stay', "SELECT spqtree_settle_watch('visits')"), qr/relation "visits" does not exist/, 'and the timer fails');

# ... for the owner, who needs no right of others; others may not.
$node->safe_psql('postgres', 'CREATE ROLE life_other LOGIN; GRANT life_user TO life_other');
$node->safe_psql('postgres', 'CREATE ROLE life_third LOGIN');
is(gets('stay_plain', "SET ROLE life_other; SELECT spqtree_settle_watch('visits')"), '0', 'a member of the owner may call the timer');
like(gets('stay_plain', "GRANT ALL ON visits TO life_third; SET ROLE life_third; SELECT spqtree_settle_watch('visits', 5)"), qr/^must be owner of table visits$/, 'others may not, whatever they may do with the table');

# Notifications: one per transaction.
$node->safe_psql('life', q(SELECT spqtree_watch('loud', 'vehicles', 'pos', 'zones', 'area', notify => 'Zone events')));
$out = $node->safe_psql('life', q(LISTEN "Zone events"; UPDATE vehicles SET pos = '(40,40)'; UPDATE vehicles SET note = 'x'; UPDATE vehicles SET pos = '(41,41)';
	BEGIN; UPDATE vehicles SET pos = '(1,1)'; ROLLBACK; BEGIN; UPDATE vehicles SET pos = '(1,1)'; SAVEPOINT s; DELETE FROM vehicles; ROLLBACK TO s; COMMIT));
is(join("\n", $out =~ /payload "(.*)" received/g), "public.loud\npublic.loud", 'one notification a transaction that has events');
like(gets('life', q(BEGIN; UPDATE vehicles SET pos = '(2,2)'; UPDATE vehicles SET pos = '(50,50)'; PREPARE TRANSACTION 'p')), qr/cannot PREPARE.*NOTIFY/, 'a transaction that notifies is not prepared');
$node->safe_psql('life', q(SELECT spqtree_unwatch('loud')));

# Prepared transactions keep their events until they end, and the lock.
$node->safe_psql('life', q(BEGIN; UPDATE vehicles SET pos = '(9,9)' WHERE id = 1; PREPARE TRANSACTION 'p'));
like(gets('life', q(SET lock_timeout = 100; UPDATE zones SET area = '(0,0),(1,1)' WHERE id = 10)), qr/lock timeout/, 'a prepared transaction keeps its lock');
$node->restart;
my $count = gets('life', q(SELECT count(*) FROM in_zone_events));
$node->safe_psql('life', q(COMMIT PREPARED 'p'));
cmp_ok(gets('life', q(SELECT count(*) FROM in_zone_events)), '>', $count, 'then there are events');
is(gets('life', q(SELECT c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) c)), '', 'and the pairs are right');

# A standby reads pairs, definitions and checks.
$node->wait_for_catchup($standby);
is($standby->safe_psql('life', $state), gets('life', $state), 'a standby reads the same');
is($standby->safe_psql('life', q(SELECT * FROM spqtree_check_watch('in_zone'))), '', 'a standby checks');
like(($standby->psql('life', q(SELECT spqtree_refresh_watch('in_zone'))))[2], qr/recovery|read-only/, 'a standby does not refresh');

# Logical replication of the objects and the events: no event occurs twice.
$node->safe_psql('postgres', 'CREATE DATABASE copy');
$node->safe_psql('copy', "CREATE EXTENSION spqtree; SET client_min_messages = error; $tables
	ALTER TABLE vehicles DISABLE TRIGGER USER; DELETE FROM vehicles; ALTER TABLE vehicles ENABLE TRIGGER USER; TRUNCATE in_zone_events;");
$node->safe_psql('life', q(TRUNCATE in_zone_events; CREATE PUBLICATION p FOR TABLE vehicles, in_zone_events; SELECT pg_create_logical_replication_slot('s', 'pgoutput')));
my $life = $node->connstr('life') =~ s/'//gr;
$node->safe_psql('copy', "CREATE SUBSCRIPTION s CONNECTION '$life' PUBLICATION p WITH (create_slot = false, slot_name = s, copy_data = false)");
$node->safe_psql('life', q(INSERT INTO vehicles VALUES (100, '(1,1)', 'a'); UPDATE vehicles SET pos = '(77,77)' WHERE id = 100));
$node->wait_for_catchup('s');
is(gets('copy', q(SELECT kind, object, fence FROM in_zone_events ORDER BY id)), gets('life', q(SELECT kind, object, fence FROM in_zone_events ORDER BY id)), 'the events are replicated, and given once');
is(gets('copy', q(SELECT id, pos FROM vehicles WHERE id = 100)), '100|(77,77)', 'and so are the objects');
$node->safe_psql('copy', 'DROP SUBSCRIPTION s');

# Unlogged tables: pairs are lost with the objects.
$node->safe_psql('life', q(SET client_min_messages = error; CREATE UNLOGGED TABLE fast (id int PRIMARY KEY, pos point); INSERT INTO fast VALUES (1, '(1,1)');
	SELECT spqtree_watch('fast_in_zone', 'fast', 'pos', 'zones', 'area'); CHECKPOINT));
$node->stop('immediate');
$node->start;
is(gets('life', q(SELECT (SELECT count(*) FROM fast), (SELECT count(*) FROM fast_in_zone), (SELECT count(*) FROM spqtree_check_watch('fast_in_zone')))), '0|0|0', 'after a crash, unlogged objects and their pairs are gone');
is(gets('life', q(INSERT INTO fast VALUES (1, '(1,1)'); SELECT kind, object, fence FROM fast_in_zone_events ORDER BY id DESC LIMIT 1)), 'enter|1|10', 'and the watch works');

# The extension moves to another schema, and is dropped; pairs and events stay.
is(gets('restored', q(CREATE SCHEMA ext; UPDATE vehicles SET pos = '(1,1)'; ALTER EXTENSION spqtree SET SCHEMA ext; UPDATE vehicles SET pos = '(40,40)';
	SELECT kind, object, fence FROM in_zone_events ORDER BY id DESC LIMIT 1)), 'leave|2|10', 'after ALTER EXTENSION SET SCHEMA the watches work');
like(gets('restored', 'DROP EXTENSION spqtree'), qr/cannot drop extension/, 'DROP EXTENSION is refused');
is(gets('restored', q(DROP EXTENSION spqtree CASCADE; UPDATE vehicles SET pos = '(1,1)'; SELECT count(*) FROM in_zone; SELECT count(*) > 0 FROM in_zone_events; SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)),
	"0\nt\n0", 'DROP EXTENSION CASCADE keeps pairs and events, and drops the triggers');

done_testing();
