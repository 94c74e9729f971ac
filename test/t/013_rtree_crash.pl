# The access method spqtree and crashes: at injected points between the records of a split,
# of growth of the tree and of a widening, and when a page is freed or reused; also a second
# time, while an insertion repairs what the first crash left.  And by SIGKILL for all
# processes at a random moment, eight times (SPQTREE_ROUNDS), while several clients insert,
# update, delete, vacuum and build indexes.
#
# After each crash the index has the rows of the table, answers as the table does, and
# accepts more rows.  Half of the rounds run without full-page images, so that every change
# of the index must be recovered from its own WAL record; in another half of the rounds, the
# table has boxes of three dimensions.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

my $rounds = $ENV{SPQTREE_ROUNDS} || 8;

seed();
my $node = Server->new('rtree_crash');
$node->init;
$node->append_conf('postgresql.conf', qq(
full_page_writes = off
restart_after_crash = on
autovacuum = off
checkpoint_timeout = 1h
max_wal_size = 4GB
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node, 'spqtree (b)');
$node->safe_psql('postgres', load_functions());
my $prepared = -s $node->logfile;

# Committed rows are there after the crash, uncommitted ones are not.
$node->safe_psql('postgres', fill(1, 3000));
$node->safe_psql('postgres', 'CHECKPOINT');
$node->safe_psql('postgres', fill(2, 3000));
$node->safe_psql('postgres', 'CREATE UNLOGGED TABLE unlogged (LIKE house);
	CREATE INDEX unlogged_b ON unlogged USING spqtree (b) INCLUDE (id);
	INSERT INTO unlogged SELECT * FROM house');
my $before = rows_of($node);
my $open = $node->background_psql('postgres');
$open->query_safe('BEGIN;' . fill(3, 2000));
crash($node);
$open->quit;
$node->start;
is(rows_of($node), $before, 'committed rows are there after a crash, others not');
rtree_ok($node, 'after a crash');

# The unlogged index is reset.
is($node->safe_psql('postgres', 'SELECT count(*) FROM unlogged'), '0', 'unlogged table is empty');
$node->safe_psql('postgres', 'INSERT INTO unlogged SELECT * FROM house');
index_ok($node, 'unlogged, filled again', 'unlogged');
$node->safe_psql('postgres', 'DROP TABLE unlogged');

# Return SQL that leaves the index with rows, and with free pages for the next splits.
sub free_leaves
{
	my ($number) = @_;
	return 'TRUNCATE house;' . fill($number, 6000) . q(DELETE FROM house WHERE b <@ box '((0,0),(100,200))' OR id % 3 = 0);
}

# Insert rows, delete some and vacuum, until the backend crashes at a point.  Return
# whether it did.
my $seed = 100;
sub crash_at
{
	my ($point, $one_in) = @_;
	my ($stdout, $stderr);
	my $log = -s $node->logfile;

	$seed++;
	$node->psql('postgres', qq(
		LOAD 'spqtree';
		SET spqtree.inject = '$point crash $one_in';
		DO \$\$
		BEGIN
		  FOR i IN 1 .. 200 LOOP
		    INSERT INTO house SELECT nextval('id'), any_box($seed, 20 * i + j) FROM generate_series(1, 20) j;
		    COMMIT;
		  END LOOP;
		END \$\$;
		DELETE FROM house WHERE id % 2 = 0 OR b <@ box '((0,0),(60,200))';
		VACUUM house),
		stdout => \$stdout, stderr => \$stderr);
	return 0 if $stderr !~ /connection to server was lost|server closed the connection/;
	$node->wait_for_recovery($log);
	return 1;
}

SKIP:
{
	skip 'this library injects nothing', 1
	  if $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $out, stderr => \my $err) != 0;

	# Each list is a sequence of crashes.  An index of 3000 rows also splits pages on its
	# upper level; an empty one grows.
	my @crashes = (
		[ 'split', 3 ], [ 'unposted', 2 ], [ 'posted', 1 ], [ 'widened', 2 ],
		[ 'split', 1, 'split', 1, 'split', 1, 'unposted', 1, 'unposted', 1, 'posted', 1 ],
		[ 'unposted', 1, 'unposted', 2, 'widened', 1, 'split', 1, 'unposted', 1 ],
		[ 'TRUNCATE house;' . fill(90, 100), 'grow', 1, 'split', 1, 'unposted', 1, 'split', 1 ],
		[ 'widened', 1, 'widened', 2, 'widened', 3 ],
		[ free_leaves(91), 'taken', 1, 'taken', 2, 'split', 1, 'unposted', 1 ],
		[ free_leaves(92), 'freed', 1, 'freed', 3, 'taken', 1, 'unposted', 1, 'freed', 2 ]);

	for my $images ('off', 'on')
	{
		$node->safe_psql('postgres', "ALTER SYSTEM SET full_page_writes = $images");
		$node->reload;
		for my $n (0 .. $#crashes)
		{
			my @list = @{ $crashes[$n] };
			my $steps = int(@list / 2);
			my $done = 0;

			if ($n % 5 == 0)
			{
				my $type = $n < 5 == ($images eq 'off') ? 'box' : 'box3';
				houses($node, 'spqtree (b)', $type);
				$node->safe_psql('postgres', fill($seed, 6000));
				note "now of $type";
			}
			if (@list % 2)
			{
				$node->safe_psql('postgres', shift @list);
				$node->safe_psql('postgres', 'VACUUM house');
			}
			my $name = join(' ', @list);
			while (my ($point, $one_in) = splice(@list, 0, 2))
			{
				# the point is reached only by chance
				my $tries = 0;
				until (crash_at($point, $one_in))
				{
					last if ++$tries == 10;
				}
				$done += $tries < 10;
			}
			is($done, $steps, "crashes ($name), full-page images $images");
			rtree_ok($node, "after crashes ($name)");
			$seed++;
			$node->safe_psql('postgres', "INSERT INTO house SELECT nextval('id'), any_box($seed, i) FROM generate_series(1, 3000) i");
			rtree_ok($node, "after crashes ($name) and more rows");
			$node->safe_psql('postgres', 'DELETE FROM house WHERE id % 3 < 2');
			$node->safe_psql('postgres', 'VACUUM house');
			rtree_ok($node, "after crashes ($name) and a vacuum");
		}
	}
}

my ($work, $processes) = (0, 0);
for my $round (1 .. $rounds)
{
	# full-page images and wal_level depend on the round, too, and alternate faster
	if ($round % 4 == 1)
	{
		houses($node, 'spqtree (b)', $round % 8 == 1 ? 'box' : 'box3');
		$node->safe_psql('postgres', fill(50, 3000));
	}
	my ($drawn, $killed) = crash_under_load($node, $round, 'spqtree (b)');
	$work += $drawn;
	$processes += $killed;

	# so that it is clear which index answers
	$node->safe_psql('postgres', 'DROP INDEX IF EXISTS house_new, house_later');
	$node->safe_psql('postgres', "DROP INDEX $_")
	  foreach split /\n/, $node->safe_psql('postgres', q(SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'house'::regclass AND NOT indisvalid));
	rtree_ok($node, "after crash $round");
	$node->safe_psql('postgres', fill(1000 * $round, 1000) . "DELETE FROM house WHERE id BETWEEN 10000000 * $round AND 10000000 * $round + 9999");
	$node->safe_psql('postgres', 'VACUUM house');
	rtree_ok($node, "after crash $round, more rows and a vacuum");
}
note "$rounds crashes, $processes processes killed, $work ids drawn";
cmp_ok($work, '>', 3 * $rounds, 'there was work to lose');
cmp_ok($processes, '>=', 6 * $rounds, 'of processes that were killed');
$node->stop;

# a load ends early if a client fails, but the log has the error
my @errors = grep { !/inject/ } substr(slurp_file($node->logfile), $prepared) =~ /(?:ERROR|PANIC|TRAP): .*/g;
is(join("\n", @errors), '', 'no error in the log');

done_testing();
