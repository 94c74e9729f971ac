# The access method spqtree with scalar columns before the box: a standby has the same pages
# (wal_consistency_checking) and answers; after crashes under load the index is sound; and
# clients that write, search and vacuum at the same time find no wrong answer.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

my $rounds = $ENV{SPQTREE_ROUNDS} || 3;

# One index whose codes are values, and one whose codes are hashes, with payloads.
my %access = (
	exact => 'spqtree (((id % 9)::int), b)',
	hashed => "spqtree ((lpad((id % 9)::text, 6, '-')), ((id % 5)::int2), b)");

# Inserts rows of other codes into leaves that a build made for one code.
my $other_codes = q(INSERT INTO house SELECT -i, box(point(i % 100, i % 77), point(i % 100 + 1, i % 77 + 2)) FROM generate_series(1, 500) i);

seed();
for my $kind (sort keys %access)
{
	my ($primary, $standby) = primary_and_standby("rtree_columns_$kind",
		primary => "wal_consistency_checking = 'generic'",
		standby => "hot_standby_feedback = on\nmax_standby_streaming_delay = -1");
	prepare($primary, $access{$kind});
	for my $step (
		[ 'rows', fill(1, 5000) ],
		[ 'no box', q(INSERT INTO house SELECT 40000000 + i, NULL FROM generate_series(1, 1000) i) ],
		[ 'deletion', 'DELETE FROM house WHERE id % 3 = 0 OR id % 9 = 4; ' ],
		[ 'vacuum', 'VACUUM house' ],
		[ 'more rows', fill(3, 3000) ],
		[ 'update', 'UPDATE house SET b = b + point(1, 1) WHERE id % 2 = 0' ],
		[ 'free pages', q(DELETE FROM house WHERE b <@ '((0,-10),(110,120))' AND id % 9 < 8) ],
		[ 'second vacuum', 'VACUUM house' ],
		[ 'free pages taken', fill(7, 4000) ],
		[ 'index built again', 'REINDEX TABLE house' ],
		[ 'rows after that', fill(4, 2000) ],
		[ 'rows of other codes', $other_codes ])
	{
		$primary->safe_psql('postgres', $step->[1]);
		catch_up($primary, $standby);
		rtree_ok($primary, "$kind, $step->[0], primary");
		rtree_ok($standby, "$kind, $step->[0], standby");
	}
	unlike(slurp_file($standby->logfile), qr/inconsistent page found|PANIC|TRAP/, 'replay gave the same pages');
	$standby->stop;
	$primary->stop;
}

my $node = Server->new('rtree_columns_crash');
$node->init;
$node->append_conf('postgresql.conf', qq(
restart_after_crash = on
autovacuum = off
checkpoint_timeout = 1h
log_statement = none
log_min_error_statement = panic
));
$node->start;
prepare($node, $access{exact});
$node->safe_psql('postgres', load_functions() . fill(50, 3000));
for my $round (1 .. $rounds)
{
	crash_under_load($node, $round, $access{exact});
	$node->safe_psql('postgres', 'DROP INDEX IF EXISTS house_new, house_later');
	$node->safe_psql('postgres', "DROP INDEX $_")
	  foreach split /\n/, $node->safe_psql('postgres', q(SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'house'::regclass AND NOT indisvalid));
	rtree_ok($node, "after crash $round");
}

SKIP:
{
	skip 'this library injects nothing', 1
	  if $node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $out, stderr => \my $err) != 0;
	for my $crash (1 .. 2)
	{
		my $stderr;
		my $log = -s $node->logfile;

		$node->safe_psql('postgres', 'REINDEX TABLE house');
		$node->psql('postgres', "LOAD 'spqtree'; SET spqtree.inject = 'codes crash 1'; $other_codes", stderr => \$stderr);
		like($stderr, qr/connection to server was lost|server closed the connection/, "crash $crash when rows have been given codes");
		$node->wait_for_recovery($log);
		rtree_ok($node, "after crash $crash when rows have been given codes");
	}
}
$node->stop;

concurrent_load('rtree_columns_load', access => $access{hashed}, seconds => 5, sound => \&rtree_ok);

done_testing();
