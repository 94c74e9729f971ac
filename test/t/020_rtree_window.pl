# The access method spqtree and a table whose rows move on for good: they are inserted at one
# end of the map and deleted at the other.  VACUUM frees the leaves that are left behind, and
# splits elsewhere reuse their pages, so the index keeps its size.  A page is not reused while
# a snapshot is open that is older than the time when it was freed, here or on a standby; on a
# standby without feedback, a query in the way is canceled.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

# Rows inserted in a round, and rounds until they are deleted.
my $rows = 3000;
my $keep = 5;

my $seed = seed();
my ($node, $standby) = primary_and_standby('rtree_window',
	# its launcher takes snapshots
	primary => "synchronous_commit = off\nmax_logical_replication_workers = 0",
	standby => "hot_standby_feedback = off\nmax_standby_streaming_delay = 0");
prepare($node);

# The changes of a round.
sub come
{
	my ($table, $round) = @_;
	$node->safe_psql('postgres', qq(
		INSERT INTO $table
		SELECT $round * $rows + i, box(point(x, y), point(x + 1, y + 1))
		FROM generate_series(0, $rows - 1) i,
		     LATERAL (SELECT ($round + tst.rnd($seed, $round * $rows + i, 1)) * 100 AS x, tst.rnd($seed, $round * $rows + i, 2) * 1000 AS y) v));
	return;
}

sub go
{
	my ($table, $round) = @_;
	$node->safe_psql('postgres', "DELETE FROM $table WHERE id < ($round + 1 - $keep) * $rows");
	return;
}

# Run a round.  Return the number of pages afterwards.
sub turn
{
	my ($table, $round) = @_;
	come($table, $round);
	go($table, $round);
	$node->safe_psql('postgres', "VACUUM $table");
	return pages($table);
}

sub pages
{
	my ($table) = @_;
	return $node->safe_psql('postgres', "SELECT pg_relation_size('${table}_b') / 8192");
}

# With a few rows that stay, so that no inner page becomes empty, and without.
for my $kind ('', 'UNLOGGED')
{
	for my $rest (0, 1)
	{
		my $name = lc("$kind $rest");
		my @pages;

		$node->safe_psql('postgres', qq(
			DROP TABLE IF EXISTS w;
			CREATE $kind TABLE w (id int, b box) WITH (autovacuum_enabled = off);
			CREATE INDEX w_b ON w USING spqtree (b)));
		$node->safe_psql('postgres', q(INSERT INTO w SELECT 1000000 + i, box(point(i * 10, i), point(i * 10, i)) FROM generate_series(1, 200) i)) if $rest;
		for my $round (0 .. 24)
		{
			push @pages, turn('w', $round);
			check_ok($node, 'w_b', "table $name, round $round", 1) if $round % 4 == 0;
		}
		# Without reuse it would be five times as many.  If another process has a snapshot for a
		# moment, or a pin on a page of the table, the pages of that round are free
		# only after the next one, which may take new pages: a fifth of those in use.
		my $round = $pages[ $keep - 1 ] / $keep;
		cmp_ok($pages[-1], '<=', 1.25 * $pages[ $keep + 4 ] + 2 * $round, "table $name: the index keeps its size (pages: @pages)");
		cmp_ok($pages[-1], '<=', 1.6 * $pages[ $keep - 1 ] + 2 * $round, "table $name: which is that of its rows");
	}
}

# An older snapshot prevents the reuse of pages until it ends.
$node->safe_psql('postgres', q(
	DROP TABLE w;
	CREATE TABLE w (id int, b box) WITH (autovacuum_enabled = off);
	CREATE INDEX w_b ON w USING spqtree (b)));
turn('w', $_) for 0 .. 11;
my $before = pages('w');
my $session = $node->background_psql('postgres');
$session->query_safe('SET enable_seqscan = off');
$session->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; DECLARE c CURSOR FOR SELECT id FROM w WHERE b && box '((0,0),(10000,1000))'");
my $first = $session->query_safe('FETCH 10 FROM c');
turn('w', $_) for 12 .. 14;
cmp_ok(pages('w'), '>', $before, 'no page is taken while there is an older snapshot');
my @ids = (split(/\n/, $first), split(/\n/, $session->query_safe('FETCH ALL FROM c')));
is(join(' ', sort { $a <=> $b } @ids), join(' ', $rows * (12 - $keep) .. $rows * 12 - 1), 'its scan yields each row once');
$session->query_safe('COMMIT');
$session->quit;
turn('w', 15);
$before = pages('w');
turn('w', $_) for 16 .. 24;
cmp_ok(pages('w'), '<=', $before + 5, 'then pages are taken again');
check_ok($node, 'w_b', 'after that', 1);

# On a standby, a transaction with an older snapshot is canceled not when dead rows that it
# does not see are removed, but when a page is reused.
come('w', 25);
go('w', 25);
catch_up($node, $standby);
check_ok($standby, 'w_b', 'on the standby', 1);
$session = $standby->background_psql('postgres');
$session->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM w");
$node->safe_psql('postgres', 'VACUUM w');
catch_up($node, $standby);
is($session->query_safe('SELECT count(*) FROM w'), $keep * $rows, 'a transaction on the standby goes on while pages get free');
my $conflicts = q(SELECT confl_snapshot FROM pg_stat_database_conflicts WHERE datname = 'postgres');
my $before_conflicts = $standby->safe_psql('postgres', $conflicts);
come('w', $_) for 26 .. 29;
catch_up($node, $standby);
ok($standby->poll_query_until('postgres', "SELECT ($conflicts) > $before_conflicts"), 'it ends when one is taken');
eval { $session->quit };
go('w', 29);
catch_up($node, $standby);
check_ok($standby, 'w_b', 'on the standby, after that', 1);
is($standby->safe_psql('postgres', q(SET enable_seqscan = off; SELECT count(*) FROM w WHERE b && box '((0,0),(10000,1000))')), $keep * $rows, 'its index has all rows');

# Delete all rows, and insert others.
$node->safe_psql('postgres', 'DELETE FROM w');
$node->safe_psql('postgres', 'VACUUM w');
$before = pages('w');
$node->safe_psql('postgres', "INSERT INTO w SELECT i, box(point(tst.rnd(3, i, 1) * 1000, tst.rnd(3, i, 2) * 1000), point(tst.rnd(3, i, 1) * 1000 + 1, tst.rnd(3, i, 2) * 1000 + 1)) FROM generate_series(1, $keep * $rows) i");
cmp_ok(pages('w'), '<=', 1.05 * $before, 'other rows take the same pages');
check_ok($node, 'w_b', 'with other rows', 1);

$standby->stop;
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP/, 'no crash');
done_testing();
