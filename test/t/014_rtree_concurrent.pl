# The access method spqtree: eight clients at once insert, move, delete, vacuum and
# search, for half a minute or SPQTREE_SECONDS.  Every search is done in one snapshot
# with plain and bitmap index scans and without the index, and fails if the
# answers differ; a client that fails in any way fails the test.
#
# In a library with assertions, insertions sleep now and then between the records of
# a split and of a widening, or give up there: that leaves splits which others
# have to finish.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

my $seconds = $ENV{SPQTREE_SECONDS} || 30;

seed();
my $node = PostgreSQL::Test::Cluster->new('rtree_concurrent');
$node->init;
$node->append_conf('postgresql.conf', qq(
autovacuum = off
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node, 'spqtree (b)');
$node->safe_psql('postgres', load_functions());
$node->safe_psql('postgres', fill(1, 4000));
is( $node->safe_psql('postgres',
		q(SELECT tst.planned('SELECT id FROM house t WHERE b && box ''((1,1),(2,2))''', plan)
		  FROM unnest('{index,bitmap}'::text[]) plan, tst.allow(plan))),
	"t\nt", 'searches use the index');

my %scripts = (insert => 8, taken_back => 1, update => 4, delete => 6, vacuum => 1, search => 6);
my %more;
my $injects = $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject)) == 0;
if ($injects)
{
	$node->append_conf('postgresql.conf', q(spqtree.inject = 'split sleep 10, unposted sleep 10, posted sleep 10, grow sleep 1, widened sleep 20'));
	$node->reload;
	$scripts{give_up} = 4;
	$more{give_up} = q(\set seed random(1, 1000000000)
SET spqtree.inject = 'split error 2, unposted error 2, posted error 2, grow error 1, widened error 20';
DO $$
BEGIN
  FOR i IN 1 .. 20 LOOP
    BEGIN
      INSERT INTO house SELECT nextval('id'), any_box(:seed, i * 100 + j) FROM generate_series(1, 10) j;
    EXCEPTION WHEN triggered_action_exception THEN
      NULL;
    END;
  END LOOP;
END $$;
RESET spqtree.inject;);
}
note $injects ? 'with injected delays and errors' : 'this library injects nothing';

my $load = start_load($node, clients => 8, seconds => $seconds, scripts => \%scripts, more => \%more);
my ($transactions, $errors) = end_load($load);
is($errors, '', 'insertions, deletions, vacuums and searches at once, without an error');
note "$transactions transactions";
cmp_ok($transactions, '>', 10 * $seconds, 'there were many');
cmp_ok($node->safe_psql('postgres', 'SELECT sum(n) FROM found'), '>', 10000, 'searches found rows');

rtree_ok($node, 'in the end');
$node->safe_psql('postgres', 'VACUUM house');
rtree_ok($node, 'after a vacuum');
$node->safe_psql('postgres', fill(2, 2000));
rtree_ok($node, 'after more rows');
$node->stop;

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|deadlock|leak|terminated by signal/, 'no crash, deadlock or leak in the log');

done_testing();
