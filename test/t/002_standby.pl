# A standby replays all kinds of changes of the index: splits, added nodes, tuples pushed
# down, deletions, vacuum, removed redirections.  Every page is compared with the
# primary's (wal_consistency_checking), every operator gives the same answers on both, and
# a scan that is open on the standby continues undisturbed.
#
# Then clients change the primary while others search on the standby, where the index is
# checked repeatedly.  During this load the standby is promoted.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

seed();
my ($primary, $standby) = primary_and_standby('standby',
	primary => "wal_consistency_checking = 'spgist'",
	standby => "hot_standby_feedback = on\nmax_standby_streaming_delay = -1");
prepare($primary);

sub both_ok
{
	my ($name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	catch_up($primary, $standby);
	index_ok($primary, "$name, primary");
	index_ok($standby, "$name, standby");
	is(rows_of($standby), rows_of($primary), "$name: the same rows");
	check_ok($_, 'house_b', "$name, " . $_->name, 1) foreach $primary, $standby;
	return;
}

my @steps = (
	[ 'first rows', fill(1, 500) ],
	[ 'splits', fill(2, 6000) ],
	[ 'outwards', 'INSERT INTO house SELECT 10000000 + i, box(point(-i * i, i * i), point(i - i * i, i + i * i)) FROM generate_series(1, 500) i' ],
	[ 'growing sizes', 'INSERT INTO house SELECT 20000000 + i, box(point(50 - 1.02::float8 ^ i, 50), point(50 + 1.02::float8 ^ i, 50 + 1.01::float8 ^ i)) FROM generate_series(1, 800) i' ],
	[ 'all the same', q(INSERT INTO house SELECT 30000000 + i, '((7,7),(8,8))' FROM generate_series(1, 3000) i) ],
	[ 'others among them', q(INSERT INTO house SELECT 40000000 + i, box(point(7.5 - i / 300.0, 7.5 - i / 300.0), point(7.5 + i / 300.0, 7.5 + i / 300.0)) FROM generate_series(1, 500) i) ],
	[ 'tiny and negative', 'INSERT INTO house SELECT 50000000 + i, box(point(-1e-300 * i, 1e-30 / i), point(-1e-280 / i, 1e-20 * i)) FROM generate_series(1, 300) i' ],
	[ 'deletion', 'DELETE FROM house WHERE id % 3 = 0' ],
	[ 'vacuum', 'VACUUM house' ],
	[ 'more rows', fill(3, 3000) ],
	[ 'update', 'UPDATE house SET b = b + point(1, 1) WHERE id % 2 = 0' ],
	[ 'second vacuum', 'VACUUM house' ],
	[ 'index rebuilt', 'REINDEX TABLE house' ],
	[ 'rows after that', fill(4, 2000) ]);
for my $step (@steps)
{
	$primary->safe_psql('postgres', $step->[1]);
	both_ok($step->[0]);
}

scan_beside_replay($primary, $standby, 'Index Only Scan');
both_ok('after that');

# Clients work on both servers, with pauses to compare.
$primary->safe_psql('postgres', load_functions() . 'TRUNCATE house;' . fill(10, 4000));
catch_up($primary, $standby);
my %changes = (insert => 8, taken_back => 1, update => 4, delete => 6, vacuum => 2);
my %look = (look => "\\set seed random(1, 1000000000)\nBEGIN ISOLATION LEVEL REPEATABLE READ; SELECT search(:seed); COMMIT;");
my ($changed, $searched, $checks) = (0, 0, 0);
for my $pause (1 .. 3)
{
	my $writers = start_load($primary, clients => 3, seconds => 3, scripts => \%changes);
	my $readers = start_load($standby, clients => 2, seconds => 3, scripts => { look => 1 }, more => \%look);
	while (load_runs($writers))
	{
		check_ok($standby, 'house_b', 'standby while it replays', $checks++ % 2);
		usleep(100_000);
	}
	my ($n, $error) = end_load($writers);
	is($error, '', 'changes on the primary, without an error');
	$changed += $n;
	($n, $error) = end_load($readers);
	is($error, '', 'searches on the standby, without an error or a wrong answer');
	$searched += $n;
	both_ok("pause $pause");
}
note "$changed transactions, $searched searches and $checks checks on the standby";
cmp_ok($changed, '>', 10, 'there were changes');
cmp_ok($searched, '>', 0, 'searches on the standby');
cmp_ok($checks, '>=', 4, 'and checks');

# The primary stops during a load, and the standby is promoted.
my $writers = start_load($primary, clients => 3, seconds => 300, scripts => \%changes);
my $readers = start_load($standby, clients => 2, seconds => 3, scripts => { look => 1 }, more => \%look);
usleep(1_000_000 + int(rand(1_000_000)));
ok(load_runs($writers), 'changes go on');
$standby->promote;
check_ok($standby, 'house_b', 'just promoted', 1);
crash($primary);
end_load($writers);
is((end_load($readers))[1], '', 'searches that go on while the standby takes over find no wrong answer');
check_ok($standby, 'house_b', 'after promotion', 1);
index_ok($standby, 'after promotion');
$standby->safe_psql('postgres', fill(20, 3000));
$standby->safe_psql('postgres', 'DELETE FROM house WHERE id % 3 = 0');
$standby->safe_psql('postgres', 'VACUUM house');
check_ok($standby, 'house_b', 'after promotion, changes and a vacuum', 1);
index_ok($standby, 'after promotion, changes and a vacuum');

unlike(slurp_file($standby->logfile), qr/inconsistent page found|PANIC|TRAP/, 'replay gave the same pages');
$standby->stop;

done_testing();
