# Crash recovery: twenty times (SPQTREE_ROUNDS), SIGKILL ends the server and all its
# processes at a random moment, while several clients insert rows (which splits pages),
# update, delete, vacuum and build indexes.  Then each remaining index is sound, has all
# rows, answers as the table does, and accepts more rows.
#
# Half of the rounds run without full-page images, so that every change of the index must
# be recovered from its own WAL record; some with a WAL without index builds.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

my $rounds = $ENV{SPQTREE_ROUNDS} || 20;

seed();
my $node = Server->new('crash');
$node->init;
$node->append_conf('postgresql.conf', qq(
full_page_writes = off
autovacuum = off
checkpoint_timeout = 1h
max_wal_size = 4GB
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node);
my $prepared = -s $node->logfile;
$node->safe_psql('postgres', load_functions());

# Committed rows are there after the crash, uncommitted ones are not.
$node->safe_psql('postgres', fill(1, 3000));
$node->safe_psql('postgres', 'CHECKPOINT');
$node->safe_psql('postgres', fill(2, 3000));
$node->safe_psql('postgres', 'CREATE UNLOGGED TABLE unlogged (LIKE house);
	CREATE INDEX unlogged_b ON unlogged USING spgist (b spqtree_box_ops) INCLUDE (id);
	INSERT INTO unlogged SELECT * FROM house');
my $before = rows_of($node);
my $open = $node->background_psql('postgres');
$open->query_safe('BEGIN;' . fill(3, 2000));
crash($node);
$open->quit;
$node->start;
is(rows_of($node), $before, 'committed rows are there after a crash, others not');
check_ok($node, 'house_b', 'after a crash', 1);
index_ok($node, 'after a crash');

# The unlogged index is reset.
is($node->safe_psql('postgres', 'SELECT count(*) FROM unlogged'), '0', 'unlogged table is empty');
check_ok($node, 'unlogged_b', 'unlogged and empty', 1);
$node->safe_psql('postgres', 'INSERT INTO unlogged SELECT * FROM house');
check_ok($node, 'unlogged_b', 'unlogged, filled again', 1);
index_ok($node, 'unlogged, filled again', 'unlogged');
$node->safe_psql('postgres', 'DROP TABLE unlogged');

my ($work, $processes, $invalid) = (0, 0, 0);
for my $round (1 .. $rounds)
{
	my ($drawn, $killed) = crash_under_load($node, $round, 'spgist (b spqtree_box_ops)');
	$work += $drawn;
	$processes += $killed;

	# An index that was being built concurrently is invalid: drop it, or rebuild it unless
	# it is left over from REINDEX.
	for my $index (split /\n/, $node->safe_psql('postgres', q(SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'house'::regclass AND NOT indisvalid)))
	{
		$invalid++;
		$node->safe_psql('postgres', $index =~ /_cc(new|old)/ || $round % 4 < 2 ? "DROP INDEX $index" : "REINDEX INDEX CONCURRENTLY $index");
	}
	for my $index (split /\n/, $node->safe_psql('postgres', q(SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'house'::regclass)))
	{
		check_ok($node, $index, "after crash $round", 1);
	}
	# so that it is clear which index answers
	$node->safe_psql('postgres', 'DROP INDEX IF EXISTS house_new, house_later');
	index_ok($node, "after crash $round");
	$node->safe_psql('postgres', fill(1000 * $round, 1000) . "DELETE FROM house WHERE id BETWEEN 10000000 * $round AND 10000000 * $round + 9999");
	$node->safe_psql('postgres', 'VACUUM house');
	check_ok($node, 'house_b', "after crash $round, more rows and a vacuum", 1);
	index_ok($node, "after crash $round, more rows and a vacuum") if $round == $rounds;
}
note "$rounds crashes, $processes processes killed, $work ids drawn, $invalid invalid indexes left";
cmp_ok($work, '>', 3 * $rounds, 'there was work to lose');
cmp_ok($processes, '>=', 6 * $rounds, 'of processes that were killed');
$node->stop;

# a load ends early if a client fails, but the log has the error
my @errors = substr(slurp_file($node->logfile), $prepared) =~ /(?:ERROR|PANIC|TRAP): .*/g;
is(join("\n", @errors), '', 'no error in the log');

done_testing();
