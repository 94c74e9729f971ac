# Crash recovery: the server is killed in the midst of insertions that split
# pages, and of a vacuum; the index that is left answers as the table does, and
# takes more.
#
# Without full-page images, so that every change of the index has to come out
# of its own WAL record.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('crash');
$node->init;
$node->append_conf('postgresql.conf', qq(
full_page_writes = off
autovacuum = off
checkpoint_timeout = 1h
max_wal_size = 4GB
log_statement = none
));
$node->start;
prepare($node);

# What was committed before the crash is there, what was not is gone.
$node->safe_psql('postgres', fill(1, 3000));
$node->safe_psql('postgres', 'CHECKPOINT');
$node->safe_psql('postgres', fill(2, 3000));
$node->safe_psql('postgres', 'CREATE UNLOGGED TABLE unlogged (LIKE house);
	CREATE INDEX ON unlogged USING spgist (b spqtree_box_ops) INCLUDE (id);
	INSERT INTO unlogged SELECT * FROM house');
my $before = rows_of($node);
my $open = $node->background_psql('postgres');
$open->query_safe('BEGIN;' . fill(3, 2000));
$node->stop('immediate');
$open->quit;
$node->start;
is(rows_of($node), $before, 'committed rows are there after a crash, others not');
index_ok($node, 'after a crash');

# The unlogged index is as new.
is($node->safe_psql('postgres', 'SELECT count(*) FROM unlogged'), '0', 'unlogged table is empty');
$node->safe_psql('postgres', 'INSERT INTO unlogged SELECT * FROM house');
index_ok($node, 'unlogged, filled again', 'unlogged');

# Killed in the midst of insertions, deletions and vacuums that a client goes on
# asking for, some times, a little later each time.
for my $round (1 .. 4)
{
	my $script = '';
	for my $n (1 .. 400)
	{
		my $seed = 1000 * $round + $n;
		$script .= fill($seed, 40);
		$script .= "DELETE FROM house WHERE id % 31 = $n % 31;\n" if $n % 7 == 3;
		$script .= "VACUUM house;\n" if $n % 25 == 24;
		$script .= "UPDATE house SET b = b + point(0.25, -0.5) WHERE id % 53 = $n % 53;\n" if $n % 11 == 0;
		$script .= "SELECT nextval('step');\n";
	}
	$node->safe_psql('postgres', 'DROP SEQUENCE IF EXISTS step; CREATE SEQUENCE step');
	my $file = $node->basedir . '/client.sql';
	append_to_file($file, $script);
	my $client = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', $file ],
		'>', '/dev/null', '2>', '/dev/null');
	$node->poll_query_until('postgres', 'SELECT last_value >= ' . 20 * $round . ' FROM step')
	  or die 'client does not get on';
	$node->stop('immediate');
	$client->finish;
	unlink $file;
	$node->start;
	index_ok($node, "after crash $round in the midst of it");
	$node->safe_psql('postgres', fill(10000 * $round, 1000));
	$node->safe_psql('postgres', 'VACUUM house');
	index_ok($node, "after crash $round and more rows");
}
$node->stop;

done_testing();
