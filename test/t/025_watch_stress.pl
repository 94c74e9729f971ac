# Watches beside writers: eight clients move, insert and delete objects and fences in every
# way, at all isolation levels, with rollbacks; then pairs and events are compared with the
# truth.  Deadlocks and serialization failures are expected, and retried.  Then the same with
# a crash in the middle.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);
use Watched;

my $seconds = $ENV{SPQTREE_SECONDS} || 15;
my $seed = seed();

my $node = Server->new('watch_stress');
$node->init;
$node->append_conf('postgresql.conf', qq(
log_statement = none
log_min_error_statement = panic
deadlock_timeout = 20ms
max_pred_locks_per_transaction = 1024
));
$node->start;
watched_tables($node);
watched_ok($node, 'alone');

my %scripts = watched_scripts();
my @files;
foreach my $name (sort keys %scripts)
{
	my $file = $node->basedir . '/' . @files . '.sql';
	append_to_file($file, $scripts{$name});
	push @files, '-f', $file . ($name =~ /READ COMMITTED/ ? '@2' : '@1');
}

# Start the clients.
sub start_clients
{
	my ($for, $clients) = @_;
	my %run = (out => '', err => '');
	$run{run} = IPC::Run::start(
		[ 'pgbench', '-n', '-c', 8, '-j', 2, '-T', $for, '--max-tries=100', '--failures-detailed',
			'--random-seed', $seed + $clients, @files, $node->connstr('postgres') ],
		'<', '/dev/null', '>', \$run{out}, '2>', \$run{err});
	return \%run;
}

my $clients = start_clients($seconds, 1);
my $looks = 0;
while ($clients->{run}->pumpable)
{
	$clients->{run}->pump_nb;
	if ($looks++ % 3 == 0)
	{
		# any committed state is correct; but TRUNCATE of gates is seen at once.  Print what is
		# wrong, whether it also is without indexes, and the affected rows.
		my $check = q(SELECT watch, c.* FROM truth, LATERAL spqtree_check_watch(watch::regclass) AS c WHERE watch <> 'at_gate');
		my $plain = 'SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL spqtree.enable_hashjoin = off;';
		my ($found, $again) = split /again\n?/, $node->safe_psql('postgres', "BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE TEMP TABLE wrong ON COMMIT DROP AS $check;
			TABLE wrong; SELECT 'again'; $plain $check;
			SELECT 'player', p.ctid, p.xmin, p.xmax, p.cmin, p.*, pg_current_snapshot() FROM player p WHERE EXISTS (SELECT FROM wrong w WHERE p.id::text IN (w.object, w.fence));
			SELECT 'sees', p.ctid, p.xmin, p.xmax, p.cmin, p.* FROM sees p WHERE EXISTS (SELECT FROM wrong w WHERE p.fence::text = w.fence);
			SELECT 'event', e.xmin, e.* FROM sees_events e WHERE EXISTS (SELECT FROM wrong w WHERE e.fence::text = w.fence) ORDER BY e.id; COMMIT;") . "\n", -1;
		diag "found:\n${found}without indexes, and the rows:\n$again" if $found ne '';
		is($found, '', 'beside writers: spqtree_check_watch finds nothing');
	}
	usleep(100_000);
}
$clients->{run}->finish;
note "$1 transactions processed, $2 retried, $3 retries" if $clients->{out} =~ /actually processed: (\d+).*?retried: (\d+).*?retries: (\d+)/s;
is(join('', grep { !/setting random seed/ } split /^/m, $clients->{err}), '', 'no client failed');
my ($transactions) = $clients->{out} =~ /actually processed: (\d+)/;
cmp_ok($transactions, '>', $seconds, 'there were many transactions');
watched_ok($node, 'after the writers');
like($node->safe_psql('postgres', 'SELECT events()'), qr/^(?:\w+ [1-9]\d+ )+$/, 'every watch had tens of events');

# crash in the middle of a load
$clients = start_clients(60, 2);
usleep(3_000_000);
$node->stop('immediate');
$clients->{run}->finish;
$node->start;
watched_ok($node, 'after a crash');
$node->safe_psql('postgres', 'SELECT change(i) FROM generate_series(1001, 1100) AS i');
watched_ok($node, 'and some more');

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|leak|terminated by signal/, 'no crash or leak in the log');

done_testing();
