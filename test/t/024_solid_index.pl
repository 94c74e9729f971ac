# Indexes in three dimensions on a standby, after a crash, and damaged: spqtree_check finds
# damage of the third axis.  016_rtree_check.pl has the damage that any page can have; here it
# is that of the axes: the flag for their number, the metapage, bounds and boxes.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Damage;
use SpqTest;
use Test::More;
use TreeFile;

# Positions of the ends with three axes: high x, y, z, low x, y, z.
use constant {
	HIGH_Z => 2,
	LOW_Z => 5,
	META_DIMENSIONS => 24 + 6,
};

my ($primary, $standby) = primary_and_standby('solid_index', damage => 1);

prepare($primary);
$primary->safe_psql('postgres', q(
	CREATE TABLE thing (id int, b box3, p point3) WITH (autovacuum_enabled = off);
	CREATE FUNCTION things(seed int, first int, last int) RETURNS SETOF thing LANGUAGE sql AS $$
	SELECT i, CASE WHEN i % 60 <> 7 THEN box3(point3(x, y, z), point3(x + w, y + w, z + w)) END, point3(x, y, z)
	FROM generate_series(first, last) i,
	     LATERAL (SELECT tst.rnd(seed, i, 1) * 100 AS x, tst.rnd(seed, i, 2) * 100 AS y, tst.rnd(seed, i, 3) * 100 AS z, tst.rnd(seed, i, 4) ^ 4 * 60 AS w) v $$;
	INSERT INTO thing SELECT * FROM things(1, 1, 6000);
	CREATE INDEX thing_b ON thing USING spqtree (b);
	CREATE INDEX thing_p ON thing USING spqtree (p);
	CREATE INDEX thing_keyed ON thing USING spqtree ((id % 5), b) INCLUDE (id);
	INSERT INTO thing SELECT * FROM things(2, 7001, 9000);
	INSERT INTO thing VALUES (10001, box3(point3('NaN', 0, 1), point3(1, 1, 2)), point3(1, 2, 'NaN')), (10002, box3(point3(0, 0, '-Infinity'), point3(1, 1, 2)), point3(1, 2, 'Infinity'));
	DELETE FROM thing WHERE id % 11 = 3;
	VACUUM thing;
	UPDATE thing SET b = box3(p, point3(1, 2, 3)) WHERE id % 30 = 8;
	) . look_function('data_corrupted OR index_corrupted'));

my $all_sound = q(SELECT count(*), count(c.problem), min(c.problem) FROM pg_class i LEFT JOIN LATERAL spqtree_check(i.oid, true) c ON true WHERE i.relname ~ '^thing_[bpk]' AND i.relkind = 'i');
is($primary->safe_psql('postgres', $all_sound), '3|0|', 'indexes are sound');
catch_up($primary, $standby);
is($standby->safe_psql('postgres', $all_sound), '3|0|', 'on a standby as well');

# changes after the checkpoint are redone
$primary->safe_psql('postgres', q(CHECKPOINT; INSERT INTO thing SELECT * FROM things(3, 11001, 14000); DELETE FROM thing WHERE id % 13 = 5; VACUUM thing; INSERT INTO thing SELECT * FROM things(4, 15001, 16000)));
$primary->stop('immediate');
$primary->start;
is($primary->safe_psql('postgres', $all_sound), '3|0|', 'after a crash');
my $count = q(SET enable_seqscan = off; SELECT count(*), sum(id) FROM thing WHERE b && box3 '(20,20,20),(70,60,50)');
my $truth = $primary->safe_psql('postgres', $count =~ s/enable_seqscan = off/enable_indexscan = off; SET enable_bitmapscan = off/r);
is($primary->safe_psql('postgres', $count), $truth, 'a search finds the same rows as the table has');
catch_up($primary, $standby);
is($standby->safe_psql('postgres', $all_sound), '3|0|', 'and the standby that has redone the same');
is($standby->safe_psql('postgres', $count), $truth, 'whose search finds the same rows');
$standby->stop;

#
# Kinds of damage.  Each changes the file and returns pairs of a position and a pattern.
#

my $file;
sub page_of { my ($level) = @_; my ($block) = grep { $_ > 2 && $file->count($_) > 1 && !($file->flags($_) & TreeFile::HAS_NAN) && abs($file->get($_, $file->promise_at($_, LOW_Z), 'd<')) < 9**9**9 } $file->blocks_of_level($level); return $block; }
sub root_entry_end { my ($end, $value) = @_; $file->put(1, $file->end_at(1, 1, $end), 'd<', $value // $file->get(1, $file->end_at(1, 1, 7 - $end), 'd<')); return; }

my %damage = (
	sound => sub { return (); },
	flag_missing => sub { my $b = page_of(0); $file->put_flags($b, $file->flags($b) & ~TreeFile::SOLID); return ($b => qr/page cannot be read|invalid page flags/, '' => qr/is missing/); },
	flag_missing_root => sub { $file->put_flags(1, $file->flags(1) & ~TreeFile::SOLID); return (1 => qr/page cannot be read|invalid page flags/); },
	meta_dimensions => sub { $file->put(0, META_DIMENSIONS, 'v', 2); return (0 => qr/metapage is of version \d+ for 2 dimensions, not \d+ for 3/); },
	bounds_z_narrow => sub { root_entry_end(HIGH_Z, $file->get(1, $file->end_at(1, 1, LOW_Z), 'd<')); return ("1 2" => qr/bounds of the downlink do not enclose what block \d+ promises/); },
	bounds_z_reversed => sub { root_entry_end(HIGH_Z, -1e10); return ("1 2" => qr/wrong way round/); },
	bounds_z_nan => sub { root_entry_end(LOW_Z, 'NaN'); return ("1 2" => qr/wrong way round, or no numbers/); },
	promise_z_narrow => sub { my $b = page_of(0); $file->put($b, $file->promise_at($b, LOW_Z), 'd<', $file->get($b, $file->promise_at($b, HIGH_Z), 'd<')); return ($b => qr/bounds are outside the bounds that the page promises/); },
	promise_z_nan => sub { my $b = page_of(0); $file->put($b, $file->promise_at($b, HIGH_Z), 'd<', 'NaN'); return ($b => qr/that the page promises are the wrong way round, or no numbers/); },
	box_z_moved => sub { my $b = page_of(0); $file->put($b, $file->end_at($b, 1, HIGH_Z), 'd<', 1e6); return ("$b 2" => qr/bounds are outside the bounds that the page promises/); },
	# the check may miss a single missing row
	box_z_less => sub { my $b = page_of(0); $file->put($b, $file->end_at($b, $_, HIGH_Z), 'd<', $file->get($b, $file->end_at($b, $_, LOW_Z), 'd<')) for 0 .. $file->count($b) - 1; return ('' => qr/is missing from the index, or has other values there/); },
	box_z_nan => sub { my $b = page_of(0); $file->put($b, $file->end_at($b, 1, LOW_Z), 'd<', 'NaN'); return ("$b 2" => qr/box has a NaN, but the page is not flagged/); },
	box_z_reversed => sub { my $b = page_of(0); for my $entry (0 .. $file->count($b) - 1) { my ($high, $low) = map { $file->end_at($b, $entry, $_) } HIGH_Z, LOW_Z; my @ends = map { $file->get($b, $_, 'd<') } $low, $high; $file->put($b, $high, 'd<', $ends[0]); $file->put($b, $low, 'd<', $ends[1]); } return ('' => qr/is missing from the index, or has other values there/); },
	place_z_not_zero => sub { my ($b) = grep { $_ > 2 && $file->count($_) % 8 } $file->blocks_of_level(0); $file->put($b, $file->end_at($b, $file->count($b), LOW_Z), 'd<', 1); return ($b => qr/place behind the last entry is not zero/); },
);

my @names = sort keys %damage;
$primary->safe_psql('postgres', 'VACUUM thing');
$primary->safe_psql('postgres', join '', map { "CREATE INDEX k_$_ ON thing USING spqtree (b);\n" } @names);
my %path = index_paths($primary, 'spqtree');
my $data = $primary->data_dir;
$primary->stop;
my %expected;
for my $name (@names)
{
	$file = TreeFile->new("$data/$path{\"k_$name\"}");
	$expected{"k_$name"} = [ $damage{$name}->() ];
	$file->write("$data/$path{\"k_$name\"}");
}
$primary->start;
my %found;
for (split /\n/, $primary->safe_psql('postgres', q(SELECT l.* FROM pg_class c, LATERAL look(c.relname) l WHERE c.relname ~ '^k_' AND c.relkind = 'i')))
{
	my ($name, $block, $item, $problem) = split /\|/, $_, 4;
	push @{ $found{$name} }, [ $block, $item, $problem ];
}
found_as_expected(\%expected, \%found);

# Scans, also by distance, end with an answer or report that the index is damaged.
for my $name (map { "k_$_" } @names)
{
	my $sql = "UPDATE pg_index SET indisvalid = (indexrelid = '$name'::regclass) WHERE indrelid = 'thing'::regclass; SET enable_seqscan = off; SET enable_sort = off; SET statement_timeout = '20s';\n"
	  . join '', map { "SELECT count(*) FROM (SELECT FROM thing ORDER BY b <-> point3($_, $_, $_)) s; SELECT count(*) FROM thing WHERE b && ray3(point3(0, 0, $_), point3(1, 1, 0));\n" } map { 10 * $_ } 0 .. 10;
	my ($failed, $answers, $error) = $primary->psql('postgres', $sql, on_error_stop => 0);

	is(join("\n", grep { /ERROR|FATAL|PANIC|connection/ && !/ERROR:  index ".*" is damaged/ } split /\n/, $error), '', "$name: no other error");
}
$primary->stop;
no_crash($primary, $standby);

done_testing();
