# Eight clients at once insert, move, delete, vacuum and search, for a minute or
# SPQTREE_SECONDS.  Every search is done in one snapshot with plain and bitmap index
# scans and without the index, and fails if the answers differ; a client that
# fails in any way, by a deadlock for one, fails the test.  Meanwhile the index is
# checked again and again, and never found at fault.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

my $seconds = $ENV{SPQTREE_SECONDS} || 60;

seed();
my $node = PostgreSQL::Test::Cluster->new('concurrent');
$node->init;
$node->append_conf('postgresql.conf', qq(
autovacuum = off
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node);
$node->safe_psql('postgres', load_functions());
$node->safe_psql('postgres', fill(1, 4000));
is( $node->safe_psql('postgres',
		q(SELECT tst.planned('SELECT id FROM house t WHERE b && box ''((1,1),(2,2))''', plan)
		  FROM unnest('{index,bitmap}'::text[]) plan, tst.allow(plan))),
	"t\nt", 'searches use the index');

my $load = start_load($node, clients => 8, seconds => $seconds,
	scripts => { insert => 8, taken_back => 1, update => 4, delete => 6, vacuum => 1, search => 6 });
my $checks = 0;
while (load_runs($load))
{
	check_ok($node, 'house_b', 'beside writers', $checks++ % 2);
	usleep(500_000);
}
my ($transactions, $errors) = end_load($load);
is($errors, '', 'insertions, deletions, vacuums and searches at once, without an error');
note "$transactions transactions, $checks checks meanwhile";
cmp_ok($transactions, '>', 10 * $seconds, 'there were many');
cmp_ok($checks, '>=', 3, 'and checks among them');

cmp_ok($node->safe_psql('postgres', 'SELECT sum(n) FROM found'), '>', 10000, 'searches found rows');
check_ok($node, 'house_b', 'in the end', 1);
index_ok($node, 'in the end');
$node->safe_psql('postgres', 'VACUUM house');
check_ok($node, 'house_b', 'after a vacuum', 1);
index_ok($node, 'after a vacuum');
$node->stop;

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|deadlock|leak|terminated by signal/, 'no crash, deadlock or leak in the log');

done_testing();
