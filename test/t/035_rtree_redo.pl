# The access method: PostgreSQL's redo makes the same pages, bit by bit.  Most records of the
# access method are written in the form of GenericXLog, but not by it (src/rtree/store/wal.c).
# A standby replays them without this library, and its files of the indexes become those of
# the primary, with LSNs and checksums.  Only new pages have images, so each change comes out
# of its own record.  No scan marks dead rows: marks are not logged.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my ($primary, $standby) = primary_and_standby('rtree_redo');

# Without images of changed pages, from here on; the backup wrote some.
$primary->safe_psql('postgres', 'ALTER SYSTEM SET full_page_writes = off');
$primary->reload;
prepare($primary, 'spqtree (b)');
my %columns = (
	house_point => '((center(b)))',
	house_wide => '(b) INCLUDE (id)',
	house_key => '((id % 9), b) INCLUDE (id)',
	house_text => '((lpad((id % 9)::text, 6)), (center(b)))',
	house_solid => '((tst.raised(b)))',
	house_key_solid => '((id % 9), (tst.raised(b)))',
	house_ranges => '((tst.range_across(b)), (tst.range_up(b)))');
my @indexes = ('house_b', sort keys %columns);
$primary->safe_psql('postgres', raised() . ranges_of() . join '', map { "CREATE INDEX $_ ON house USING spqtree $columns{$_};" } sort keys %columns);
my $start = $primary->lsn('insert');

# Single rows, splits, growth beyond the bounds, removed rows, tightened bounds, free pages
# that are taken again, and dead rows that an insertion removes.
$primary->safe_psql('postgres', $_) for (
	fill(1, 300),
	fill(2, 3000),
	'INSERT INTO house SELECT 10000000 + i, box(point(-i * i, i * i), point(i - i * i, i + i * i)) FROM generate_series(1, 200) i',
	q(INSERT INTO house SELECT 30000000 + i, '((7,7),(8,8))' FROM generate_series(1, 1000) i),
	'INSERT INTO house SELECT 40000000 + i, NULL FROM generate_series(1, 500) i',
	'DELETE FROM house WHERE id % 3 = 0',
	'VACUUM house',
	fill(3, 1500),
	'UPDATE house SET b = b + point(1, 1) WHERE id % 2 = 0',
	'UPDATE house SET id = id WHERE id % 5 = 0',
	'VACUUM house',
	q(DELETE FROM house WHERE b <@ '((0,-10),(110,120))'),
	'VACUUM house',
	fill(7, 2000));

my $end = $primary->lsn('insert');
my @records = run_command([ 'pg_waldump', '--rmgr=Generic', '--path', $primary->data_dir . '/pg_wal', '--start', $start, '--end', $end ]);
is($records[1], '', 'the WAL can be read');
my $n = () = $records[0] =~ /^rmgr: Generic/mg;
my $images = () = $records[0] =~ /\bFPW\b/g;
cmp_ok($n, '>', 10000, 'many changes have records');
cmp_ok($images, '<', $n / 20, 'few have images of pages, for they are new');
note "$n records, $images with images";

# All pages to disk.  The checkpoint on the primary allows one on the standby.
$primary->safe_psql('postgres', 'CHECKPOINT');
catch_up($primary, $standby);
$standby->safe_psql('postgres', 'CHECKPOINT');
my %file = map { $_ => $primary->safe_psql('postgres', "SELECT pg_relation_filepath('$_')") } @indexes;
$standby->stop;
$primary->stop;
for my $index (@indexes)
{
	my @pages = map { [ unpack '(a8192)*', slurp_file($_->data_dir . "/$file{$index}") ] } $primary, $standby;
	my @different = grep { ($pages[0][$_] // '') ne ($pages[1][$_] // '') } 0 .. $#{ $pages[0] };

	cmp_ok(scalar @{ $pages[0] }, '>', 20, "$index: many pages");
	is(scalar @{ $pages[1] }, scalar @{ $pages[0] }, "$index: as many on the standby");
	is("@different", '', "$index: the same pages");
}

done_testing();
