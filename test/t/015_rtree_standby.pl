# The access method spqtree: a standby replays all kinds of changes of the index.  Every
# page is compared with the primary's (wal_consistency_checking), every operator gives the
# same answers on both, and a scan that is open on the standby continues undisturbed.  Then
# clients change the primary while others search on the standby, at the end without that
# comparison.  During this load the standby is promoted.

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
my ($primary, $standby) = primary_and_standby('rtree_standby',
	primary => "wal_consistency_checking = 'generic'",
	standby => "hot_standby_feedback = on\nmax_standby_streaming_delay = -1");
prepare($primary, 'spqtree (b)');

# For points, other shapes, three dimensions and ranges, with and without a scalar before them,
# and with and without INCLUDE columns.
my $region = "box '((20,10),(90,80))'";
my %class = (
	house_point => [ '(center(b))', "center(b) <@ $region" ],
	house_path => [ '(path(polygon(b)))', "point '(60,60)' <@ path(polygon(b))", 'id' ],
	house_key_wide => [ '(lpad((id % 9)::text, 6)), (center(b))', "lpad((id % 9)::text, 6) = lpad('4', 6) AND center(b) <@ $region" ],
	house_solid => [ '(tst.raised(b))', "tst.raised(b) && box3($region, 10, 50)", 'id' ],
	house_key_solid => [ '(id % 9), (tst.raised(b))', "id % 9 = 2 AND tst.raised(b) && sphere3 '<(60,50,40),40>'" ],
	house_range => [ '(tst.range_across(b))', 'tst.range_across(b) && numrange(20, 90)', 'id' ],
	house_key_range => [ '(id % 9), (tst.range_across(b))', 'id % 9 = 2 AND tst.range_across(b) <@ numrange(20, 90)' ],
	house_ranges => [ '(tst.range_up(b)), (tst.range_up(b + point(0, 10)))', 'tst.range_up(b) @> 30.0 AND tst.range_up(b + point(0, 10)) && numrange(35, 60)', 'id' ],
	house_point3 => [ '(tst.raised(center(b)))', "tst.raised(center(b)) <@ box3($region, 10, 50)" ]);
$primary->safe_psql('postgres', raised() . ranges_of() . join '', map { "CREATE INDEX $_ ON house USING spqtree ($class{$_}[0])" . ($class{$_}[2] ? " INCLUDE ($class{$_}[2]);" : ';') } sort keys %class);

# Check that each of them has the rows of the table.
sub classes_ok
{
	my ($node, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	for my $index (sort keys %class)
	{
		my $query = "SELECT count(*), sum(id) FROM house WHERE $class{$index}[1]";
		my ($plan, $count, $truth, $problems) = split /\n--\n/, $node->safe_psql('postgres', join "SELECT '--';", map { "$_;" } (
			"SET enable_seqscan = off; SET enable_indexscan = off; EXPLAIN (COSTS OFF) $query",
			$query,
			"SET enable_seqscan = on; SET enable_bitmapscan = off; $query",
			"SELECT count(*) FROM spqtree_check('$index', true)"));

		like($plan, qr/Bitmap Index Scan on $index\b/, "$name, $index: its plan");
		isnt($truth, '0|', "$name, $index: there are rows");
		is("$count $problems", "$truth 0", "$name, $index: the rows of the table");
	}
	return;
}

sub both_ok
{
	my ($name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	catch_up($primary, $standby);
	classes_ok($standby, $name) if $name =~ /taken|again|after|vacuum|pause/;
	rtree_ok($primary, "$name, primary");
	rtree_ok($standby, "$name, standby");
	is(rows_of($standby), rows_of($primary), "$name: the same rows");
	return;
}

# In a library with assertions: unfinished splits.
my $give_up = q(
	SET spqtree.inject = 'split error 2, unposted error 2';
	DO $$
	BEGIN
	  FOR i IN 1 .. 60 LOOP
	    BEGIN
	      INSERT INTO house SELECT 60000000 + 100 * i + j, box(point(i, j), point(i + 1, j + 1)) FROM generate_series(1, 90) j;
	    EXCEPTION WHEN triggered_action_exception THEN
	      NULL;
	    END;
	  END LOOP;
	END $$;
	VACUUM house);
my $injects = $primary->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $out, stderr => \my $err) == 0;

my @steps = (
	[ 'first rows', fill(1, 500) ],
	[ 'splits', fill(2, 6000) ],
	[ 'outwards', 'INSERT INTO house SELECT 10000000 + i, box(point(-i * i, i * i), point(i - i * i, i + i * i)) FROM generate_series(1, 500) i' ],
	[ 'growing sizes', 'INSERT INTO house SELECT 20000000 + i, box(point(50 - 1.02::float8 ^ i, 50), point(50 + 1.02::float8 ^ i, 50 + 1.01::float8 ^ i)) FROM generate_series(1, 800) i' ],
	[ 'all the same', q(INSERT INTO house SELECT 30000000 + i, '((7,7),(8,8))' FROM generate_series(1, 3000) i) ],
	[ 'no box', q(INSERT INTO house SELECT 40000000 + i, NULL FROM generate_series(1, 2000) i) ],
	$injects ? [ 'unfinished splits', $give_up ] : (),
	[ 'deletion', 'DELETE FROM house WHERE id % 3 = 0' ],
	[ 'vacuum', 'VACUUM house' ],
	[ 'more rows', fill(3, 3000) ],
	[ 'update', 'UPDATE house SET b = b + point(1, 1) WHERE id % 2 = 0' ],
	[ 'second vacuum', 'VACUUM house' ],
	[ 'free pages', q(DELETE FROM house WHERE b <@ '((0,-10),(110,120))' AND NOT b ~= '((60,60),(61,61))') ],
	[ 'third vacuum', 'VACUUM house' ],
	[ 'free pages taken', fill(7, 4000) ],
	[ 'index built again', 'REINDEX TABLE house' ],
	[ 'and again, in parallel', 'ALTER TABLE house SET (parallel_workers = 2); ALTER INDEX house_b SET (fillfactor = 10); REINDEX TABLE house' ],
	[ 'rows after that', fill(4, 2000) ]);
for my $step (@steps)
{
	$primary->safe_psql('postgres', "LOAD 'spqtree'; $step->[1]");
	both_ok($step->[0]);
}

scan_beside_replay($primary, $standby, 'Index Scan');
both_ok('after that');

# Clients work on both servers, with pauses to compare.  After two of them the table has boxes
# of three dimensions, and a second index in two.  At the end pages are not compared: then
# scans on the primary mark dead rows, and the standby gets the marks with page images.
$primary->safe_psql('postgres', load_functions() . 'TRUNCATE house;' . fill(10, 4000));
catch_up($primary, $standby);
my %changes = (insert => 8, taken_back => 1, update => 4, delete => 6, vacuum => 2);
my %look = (look => "\\set seed random(1, 1000000000)\nBEGIN ISOLATION LEVEL REPEATABLE READ; SELECT search(:seed); COMMIT;");
my ($changed, $searched) = (0, 0);
for my $pause (1 .. 4)
{
	if ($pause == 3)
	{
		houses($primary, 'spqtree (b)', 'box3');
		%class = (house_flat => [ '(box(b))', "box(b) && $region" ]);
		$primary->safe_psql('postgres', "CREATE INDEX house_flat ON house USING spqtree ($class{house_flat}[0]);" . fill(11, 4000));
		catch_up($primary, $standby);
	}
	if ($pause == 4)
	{
		$primary->safe_psql('postgres', "ALTER SYSTEM SET wal_consistency_checking = ''");
		$primary->reload;
		$primary->safe_psql('postgres', 'CHECKPOINT');
		$changes{search} = 4;
	}
	my $writers = start_load($primary, clients => 3, seconds => 3, scripts => \%changes);
	my $readers = start_load($standby, clients => 2, seconds => 3, scripts => { look => 1 }, more => \%look);
	my ($n, $error) = end_load($writers);
	is($error, '', 'changes on the primary, without an error');
	$changed += $n;
	($n, $error) = end_load($readers);
	is($error, '', 'searches on the standby, without an error or a wrong answer');
	$searched += $n;
	both_ok("pause $pause");
}
note "$changed transactions, $searched searches on the standby";
cmp_ok($changed, '>', 10, 'there were changes');
cmp_ok($searched, '>', 0, 'and searches on the standby');

# The primary stops during a load, and the standby is promoted.
my $writers = start_load($primary, clients => 3, seconds => 300, scripts => \%changes);
my $readers = start_load($standby, clients => 2, seconds => 3, scripts => { look => 1 }, more => \%look);
usleep(1_000_000 + int(rand(1_000_000)));
ok(load_runs($writers), 'changes go on');
$standby->promote;
crash($primary);
end_load($writers);
is((end_load($readers))[1], '', 'searches that go on while the standby takes over find no wrong answer');
rtree_ok($standby, 'after promotion');
$standby->safe_psql('postgres', fill(20, 3000));
$standby->safe_psql('postgres', 'DELETE FROM house WHERE id % 3 = 0');
$standby->safe_psql('postgres', 'VACUUM house');
rtree_ok($standby, 'after promotion, changes and a vacuum');
classes_ok($standby, 'after promotion, changes and a vacuum');
index_ok($standby, 'after promotion, changes and a vacuum');

unlike(slurp_file($standby->logfile), qr/inconsistent page found|PANIC|TRAP/, 'replay gave the same pages');
$standby->stop;

done_testing();
