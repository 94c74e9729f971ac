# spqtree_check finds damage of indexes of access method spqtree.  Each kind of damage is
# written into the file of one index while the server is down; the check must name the block
# and the entry, and say what is wrong.  With random damage, the check must end, and scans,
# insertions and VACUUM must end or raise an error, but not crash the server.  Undamaged
# indexes must be sound, also on a standby, and beside writers.
#
# All indexes are on one table and have the same columns, so the file of one of them, after
# insertions, deletions and VACUUM, is copied to each; half of those with random damage
# index its boxes in three dimensions.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Damage;
use List::Util qw(max min);
use SpqTest;
use Test::More;
use TreeFile;

my $seed = seed();
my $n_random = $ENV{SPQTREE_DAMAGED} || 100;

my ($primary, $standby) = primary_and_standby('rtree_check', damage => 1);
hold_back_vacuum($standby);

#
# One index with all kinds of pages and entries
#

prepare($primary);
$primary->safe_psql('postgres', raised() . ranges_of() . q(
	CREATE TABLE home (id int, b box, note text) WITH (autovacuum_enabled = off);
	CREATE FUNCTION homes(seed int, first int, last int) RETURNS SETOF home LANGUAGE sql AS $$
	SELECT i, box(point(x, y), point(x + w, y + w)),
	       CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN repeat('long', 150) ELSE repeat('note ' || i, 25) END
	FROM generate_series(first, last) i,
	     LATERAL (SELECT tst.rnd(seed, i, 1) * 100 AS x, tst.rnd(seed, i, 2) * 100 AS y,
	                     tst.rnd(seed, i, 3) ^ 4 * 60 AS w) v $$;
	INSERT INTO home SELECT * FROM homes(1, 1, 6000);
	CREATE INDEX template ON home USING spqtree (b) INCLUDE (note);
	CREATE INDEX template_solid ON home USING spqtree ((tst.raised(b))) INCLUDE (note);
	INSERT INTO home SELECT * FROM homes(2, 10001, 12000);
	INSERT INTO home SELECT i, '((7,7),(8,8))', 'same ' || i FROM generate_series(13001, 13100) i;
	INSERT INTO home SELECT i, NULL, 'no box ' || i FROM generate_series(14001, 14600) i;
	INSERT INTO home VALUES (15001, '((1,1),(NaN,2))', 'nan'), (15002, '((3,NaN),(NaN,2))', NULL), (15003, '((-Infinity,1),(Infinity,2))', NULL);
	INSERT INTO home SELECT i, box(point(i, 500 + i % 7), point(i + 1, 510)), NULL FROM generate_series(16001, 16300) i;
	VACUUM home;
	DELETE FROM home WHERE id BETWEEN 16051 AND 16250 OR id % 10 = 3 AND id < 13000;
	VACUUM home;
	INSERT INTO home SELECT * FROM homes(3, 17001, 17800);
	UPDATE home SET b = b + point(0.5, 0.5) WHERE id % 20 = 8;
	CREATE TABLE hut (b box) WITH (autovacuum_enabled = off);
	INSERT INTO hut SELECT box(point(i, i), point(i + 1, i + 1)) FROM generate_series(1, 20) i;
	CREATE INDEX hut_b ON hut USING spqtree (b);
	CREATE TABLE nothing (b box);
	CREATE INDEX nothing_b ON nothing USING spqtree (b);
	CREATE UNLOGGED TABLE fleeting (b box);
	CREATE INDEX fleeting_b ON fleeting USING spqtree (b);
	CREATE TABLE yard (id int, b box) WITH (autovacuum_enabled = off);
	CREATE INDEX yard_b ON yard USING spqtree (b) INCLUDE (id);
	CREATE INDEX yard_solid ON yard USING spqtree ((tst.raised(b)));

	) . look_function('data_corrupted OR index_corrupted') . inspect_function() . q(

	-- What a statement does with one index; the others are taken for invalid.
	CREATE FUNCTION try(index_name text, query text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
	  state text;
	  hint text;
	BEGIN
	  UPDATE pg_index SET indisvalid = (indexrelid = index_name::regclass), indisready = (indexrelid = index_name::regclass)
	  WHERE indrelid = 'home'::regclass;
	  SET LOCAL enable_seqscan = off;
	  SET LOCAL enable_sort = off;
	  BEGIN
	    EXECUTE query;
	    state := 'done';
	  EXCEPTION WHEN OTHERS THEN
	    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, hint = PG_EXCEPTION_HINT;
	    -- a block far beyond the end, of the index or the table; a row that cannot exist
	    IF SQLERRM LIKE 'could not open file %: previous segment is only %' THEN
	      state := 'no file';
	    ELSIF SQLERRM LIKE 'tuple offset out of range: %' THEN
	      state := 'no row';
	    ELSIF state = 'XX000' THEN
	      state := state || ': ' || SQLERRM;
	    ELSIF SQLERRM LIKE 'index "%' THEN
	      state := state || CASE WHEN hint LIKE '%REINDEX%' THEN ' with hint' ELSE ' without hint' END;
	    END IF;
	  END;
	  RETURN state;
	END $$;
));

my $all_sound = q(
	SELECT count(*), count(c.problem), min(c.problem)
	FROM pg_class i LEFT JOIN LATERAL spqtree_check(i.oid, true) c ON true
	WHERE i.relname IN ('template', 'template_solid', 'hut_b', 'nothing_b', 'yard_b', 'yard_solid'));
is($primary->safe_psql('postgres', $all_sound), '6|0|', 'indexes are sound');
catch_up($primary, $standby);
is($standby->safe_psql('postgres', $all_sound), '6|0|', 'indexes are sound on a standby');
my ($status, $out, $err) = $standby->psql('postgres', q(SELECT * FROM spqtree_check('fleeting_b')));
like($err, qr/cannot check unlogged index "fleeting_b" during recovery/, 'unlogged index on a standby');

check_beside_writers($primary, $standby, 'yard', rows => 60, by => 'point(3 * sin(:s), 3 * cos(:s))', vacuum => 'VACUUM (TRUNCATE off)',
	also => q(SELECT 'inspected' FROM spqtree_stats('yard_b') s, spqtree_explain('yard_b', '((10,10),(40,40))') e,
		spqtree_svg('yard_b', show_boxes => true, query => '((10,10),(40,40))') picture
		WHERE s.used_bytes + s.dead_bytes + s.free_bytes <> s.bytes OR e.rows > e.leaf_tuples OR picture !~ '^<svg .*</svg>$'
		UNION ALL SELECT problem FROM spqtree_check('yard_solid', true)));
$standby->stop;

#
# Kinds of damage.  Each is a function that changes the file and returns what the check
# must find: pairs of a position ("block item", "block", "" for no block, "any") and a
# pattern.
#

my $file;

# Return a page of this level that is not the root, has a right neighbor and these entries.
sub page_of
{
	my ($level, $least) = @_;
	for my $block ($file->blocks_of_level($level))
	{
		return $block if $block > 2 && $file->next_of($block) != TreeFile::NONE && $file->count($block) >= ($least || 2);
	}
	die "the index has no such page of level $level";
}

sub end { my ($block, $entry, $end) = @_; return $file->get($block, $file->end_at($block, $entry, $end), 'd<'); }
sub put_end { my ($block, $entry, $end, $value) = @_; $file->put($block, $file->end_at($block, $entry, $end), 'd<', $value); return; }

# Return the place of the downlink to a page.
sub parent_of
{
	my ($child) = @_;
	for my $block ($file->blocks_of_level($file->level($child) + 1))
	{
		for my $entry (0 .. $file->count($block) - 1)
		{
			return "$block " . ($entry + 1) if $file->child($block, $entry) == $child;
		}
	}
	die "no downlink points to block $child";
}

sub put_child { my ($block, $entry, $child) = @_; $file->put($block, $file->child_at($block, $entry), 'V', $child); return; }
sub put_stop { my ($block, $entry, $stop) = @_; $file->put($block, $file->stop_at($block, $entry), 'V', $stop); return; }
sub put_flag { my ($block, $set, $clear) = @_; $file->put_flags($block, ($file->flags($block) | $set) & ~($clear || 0)); return; }

# Remove a downlink of an inner page, as if the split that made its child were unfinished:
# flag the page to the left of the child, and widen that page's downlink by the stop and bounds of
# the removed one, whose place the last downlink takes.  Return the place of the widened
# downlink and the two pages.
sub unfinish_split
{
	my $b = page_of(1, 3);
	my $last = $file->count($b) - 1;
	my ($before, $gone);
	for my $entry (0 .. $last - 1)
	{
		next if abs(end($b, $entry, 0)) == 9**9**9;
		($gone) = grep { $file->child($b, $_) == $file->next_of($file->child($b, $entry)) } 0 .. $last;
		$before = $entry and last if defined $gone && $entry > 0;
	}
	my ($left, $right) = map { $file->child($b, $_) } $before, $gone;
	put_stop($b, $before, $file->stop($b, $gone));
	for my $end (0 .. 3)
	{
		my @ends = map { end($b, $_, $end) } $before, $gone;
		put_end($b, $before, $end, $end < 2 ? max(@ends) : min(@ends));
		put_end($b, $gone, $end, end($b, $last, $end));
		put_end($b, $last, $end, 0);
	}
	put_child($b, $gone, $file->child($b, $last));
	put_stop($b, $gone, $file->stop($b, $last));
	put_child($b, $last, 0);
	put_stop($b, $last, 0);
	$file->put_count($b, $last);
	$file->put($b, 12, 'v', $file->get($b, 12, 'v') - 320) if $last % 8 == 0;
	put_flag($left, TreeFile::INCOMPLETE);
	$file->put_splits($left, $file->splits($right) + 1);
	return ("$b " . ($before + 1), $left, $right);
}

# Return a leaf with a gap of at least this many bytes; and the place of the included columns
# of the first row that fits.
sub leaf_with_gap { my ($gap) = @_; my ($b) = grep { $_ > 2 && $file->get($_, 14, 'v') - $file->get($_, 12, 'v') >= $gap } $file->blocks_of_level(0); return $b; }
sub payload_that
{
	my ($fits) = @_;
	for my $b (grep { $_ > 2 } $file->blocks_of_level(0))
	{
		for my $entry (0 .. $file->count($b) - 1)
		{
			my $at = $file->get($b, $file->payload_at($b, $entry), 'v');
			return ($b, $entry, $at) if $fits->($file->get($b, $at + 6, 'v'), $file->get($b, $at + 8, 'C'), $at);
		}
	}
	die 'the index has no such columns';
}
my $not_null = sub { my ($info) = @_; return !($info & 0x8000) };

my %damage = (
	split_unfinished => sub { unfinish_split(); return (); },
	split_unfinished_narrow => sub { my ($place, $left, $right) = unfinish_split(); my ($b, $item) = split / /, $place; put_end($b, $item - 1, $_, $file->get($left, $file->promise_at($left, $_), 'd<')) for 0 .. 3; return ($place => qr/bounds of the downlink do not enclose what block $right promises, split off the child/); },
	split_unfinished_twice => sub { my ($place, $left, $right) = unfinish_split(); put_flag($right, TreeFile::INCOMPLETE); return ($place => qr/block $right, split off the child, does not end the downlink's part/); },
	split_unfinished_zeroed => sub { my ($place, $left, $right) = unfinish_split(); $file->{pages}[$right] = "\0" x 8192; return ($right => qr/^page is in use, but all zeros/); },
	split_of_last => sub { my ($b) = grep { $_ > 2 && $file->next_of($_) == TreeFile::NONE } $file->blocks_of_level(0); put_flag($b, TreeFile::INCOMPLETE); return ($b => qr/split is flagged as incomplete, but there is no page to the right/); },
	lost_and_damaged => sub { my $b = page_of(1); my $child = $file->child($b, 1); put_child($b, 1, 1000000); put_flag($child, 0x8000); return ("$b 2" => qr/the index has only/, $child => qr/invalid page flags/); },
	layout_version => sub { my $b = page_of(0); $file->put($b, 18, 'v', 8192 | 5); return ($b => qr/page layout version is 5/); },
	meta_layout_version => sub { $file->put(0, 18, 'v', 8192 | 5); return (0 => qr/page layout version is 5/); },
	inner_of_nulls => sub { my $b = page_of(1); put_flag($b, TreeFile::IS_NULLS); return ($b => qr/invalid page flags/); },
	inner_empty => sub { my $b = page_of(1); $file->put_count($b, 0); $file->put($b, 12, 'v', 24); return ($b => qr/inner page has no downlinks/); },
	payload_compressed => sub { my ($b, $entry, $at) = payload_that(sub { my ($info, $first) = @_; return $not_null->($info) && ($first & 3) == 2 }); $file->put($b, $at + 16, 'C8', (255) x 8); return ("$b " . ($entry + 1) => qr/included columns cannot be decompressed/); },
	payload_short => sub { my ($b, $entry, $at) = payload_that($not_null); $file->put($b, $at + 6, 'v', 0x8008); return ("$b " . ($entry + 1) => qr/included columns of 8 bytes are too short for their header/); },
	payload_column => sub { my ($b, $entry, $at) = payload_that(sub { my ($info, $first) = @_; return $not_null->($info) && $first % 2 && $first < 200 }); $file->put($b, $at + 8, 'C', 255); return ("$b " . ($entry + 1) => qr/column 2/); },
	payload_long => sub { my ($b, $entry, $at) = payload_that(sub { my ($info, $first, $at) = @_; return $not_null->($info) && $first % 2 && $at + ($info & 0x1FFF) + 16 < TreeFile::SPECIAL }); $file->put($b, $at + 6, 'v', $file->get($b, $at + 6, 'v') + 8); return ("$b " . ($entry + 1) => qr/included columns have \d+ bytes, but take \d+/); },
	payloads_begin => sub { my $b = leaf_with_gap(8); $file->put($b, 14, 'v', $file->get($b, 14, 'v') - 4); return ($b => qr/included columns begin at byte \d+/); },
	payloads_gap => sub { my $b = leaf_with_gap(8); $file->put($b, 14, 'v', $file->get($b, 14, 'v') - 8); return ($b => qr/bytes from \d+ on belong to no entry/); },
	bounds_too_narrow => sub { my $b = page_of(1); put_end($b, 1, 0, end($b, 1, 2)); return ("$b 2" => qr/bounds of the downlink do not enclose what block \d+ promises/); },
	bounds_nan => sub { my $b = page_of(1); put_end($b, 1, 0, 'NaN'); return ("$b 2" => qr/bounds of the downlink are the wrong way round, or no numbers/); },
	bounds_reversed => sub { my $b = page_of(1); put_end($b, 1, 0, -1e10); return ("$b 2" => qr/wrong way round/); },
	promise_too_narrow => sub { my $b = page_of(0); $file->put($b, $file->promise_at($b, 0), 'd<', $file->get($b, $file->promise_at($b, 2), 'd<')); return ($b => qr/bounds are outside the bounds that the page promises/); },
	promise_of_inner => sub { my $b = page_of(1); $file->put($b, $file->promise_at($b, 1), 'd<', $file->get($b, $file->promise_at($b, 3), 'd<')); return ($b => qr/bounds are outside the bounds that the page promises/); },
	box_moved => sub { my $b = page_of(0); put_end($b, 1, 0, 1e6); return ("$b 2" => qr/bounds are outside the bounds that the page promises/, '' => qr/is missing from the index, or has other values there/); },
	box_nan => sub { my ($b) = grep { $_ > 2 && !($file->flags($_) & TreeFile::HAS_NAN) } $file->blocks_of_level(0); put_end($b, 0, 0, 'NaN'); return ("$b 1" => qr/box has a NaN, but the page is not flagged/); },
	child_beyond_end => sub { my $b = page_of(1); put_child($b, 1, 1000000); return ("$b 2" => qr/points to block 1000000, but the index has only \d+ blocks/, any => qr/no downlink leads to this page/); },
	child_root => sub { my $b = page_of(1); put_child($b, 1, 1); return ("$b 2" => qr/points to block 1, where no child can be/); },
	child_itself => sub { my $b = page_of(1); put_child($b, 1, $b); return ("$b 2" => qr/where no child can be/); },
	child_of_its_level => sub { my $b = page_of(1); my $other = $file->next_of($b); put_child($b, 1, $other); return ("$b 2" => qr/points to block $other, but that page is of level 1, not 0/); },
	child_above => sub { my $b = page_of(1); my ($above) = $file->blocks_of_level(2); put_child($b, 1, $above); return ("$b 2" => $above == 1 ? qr/where no child can be/ : qr/but that page is of level 2, not 0/); },
	child_twice => sub { my $b = page_of(1); my $child = $file->child($b, 0); put_child($b, 1, $child); return ("$b 2" => qr/duplicate downlink to block $child, also in item 1/); },
	child_of_other => sub { my $b = page_of(1); my $other = $file->child($file->next_of($b), 0); put_child($b, 1, $other); return ("$b 2" => qr/bounds of the downlink do not enclose what block $other promises/, any => qr/block \d+, but another link leads there, too/); },
	child_of_nulls => sub { my $b = page_of(1); my ($null) = grep { $_ > 2 } $file->blocks_of_nulls; put_child($b, 1, $null); return ("$b 2" => qr/points to block $null, but that page is in the chain of nulls/); },
	stop_other => sub { my $b = page_of(1); my $c = $file->child($b, 1); put_stop($b, 1, $file->splits($c) + 1); return ("$b 2" => qr/child, block $c, was split \d+ times, but the downlink's stop is \d+/); },
	splits_other => sub { my $b = page_of(0); $file->put_splits($b, 1000000); return (parent_of($b) => qr/child, block $b, was split 1000000 times, but the downlink's stop is \d+/); },
	splits_of_root => sub { $file->put_splits(1, 3); return (1 => qr/page was split 3 times, which cannot be/); },
	splits_of_nulls => sub { $file->put_splits(2, 3); return (2 => qr/page was split 3 times, which cannot be/); },
	link_to_itself => sub { my $b = page_of(0); $file->put_next($b, $b); return ($b => qr/invalid right link to block $b/); },
	link_to_left => sub { my $b = page_of(1); my $right = $file->next_of($b); $file->put_next($right, $b); return ($right => qr/right link points to block $b, which is to the left; pages of level 1 that right links miss: \d+/); },
	link_skips => sub { my $b = page_of(1); my $right = $file->next_of($b); $file->put_next($b, $file->next_of($right)); return ($file->get(0, 36, 'V') => qr/right links from here, where level 1 begins according to the metapage, miss 1 of its pages/); },
	link_ends => sub { my $b = page_of(1); $file->put_next($b, TreeFile::NONE); return ($file->get(0, 36, 'V') => qr/right links from here, .* miss \d+ of its pages/); },
	link_to_other_level => sub { my $b = page_of(1); $file->put_next($b, page_of(0)); return ($b => qr/right link points to block \d+, which is not of this level; pages of level 1/); },
	free_page => sub { my $b = page_of(0); my $p = parent_of($b); $file->put_count($b, 0); put_flag($b, TreeFile::FREE, TreeFile::HAS_NAN); $file->put($b, 12, 'v', 24 + 16); $file->put($b, 14, 'v', TreeFile::SPECIAL); $file->put($b, 24, "a" . (TreeFile::SPECIAL - 24), ''); return ($p => qr/downlink points to block $b, which is free/, '' => qr/is missing/); },
	free_and_full => sub { my $b = page_of(0); put_flag($b, TreeFile::FREE); return ($b => qr/page cannot be read: it is free and has entries/, '' => qr/is missing/); },
	meta_free => sub { my $b = page_of(0); $file->put(0, 32 + 4 * 33, 'V', $b); return (0 => qr/metapage lists block $b as free, but it is in use/); },
	link_of_root => sub { $file->put_next(1, page_of(0)); return (1 => qr/invalid right link to block \d+/); },
	incomplete => sub { my $b = page_of(0); put_flag($b, TreeFile::INCOMPLETE); return (parent_of($b) => qr/split of the child, block $b, is flagged as incomplete, but is not/); },
	incomplete_root => sub { put_flag(1, TreeFile::INCOMPLETE); return (1 => qr/invalid page flags/); },
	settled_leaf => sub { my $b = page_of(0); put_flag($b, TreeFile::SETTLED); return ($b => qr/invalid page flags/); },
	flags_unknown => sub { my $b = page_of(0); put_flag($b, 0x8000); return ($b => qr/invalid page flags/); },
	not_wide => sub { my $b = page_of(0); put_flag($b, 0, TreeFile::WIDE); return ($b => qr/page cannot be read|invalid page flags/); },
	flag_of_nan => sub { my ($b) = grep { $file->flags($_) & TreeFile::HAS_NAN } $file->blocks_of_level(0); put_flag($b, 0, TreeFile::HAS_NAN); return ($b => qr/box has a NaN, but the page is not flagged/); },
	flag_of_nulls => sub { my ($b) = grep { $_ > 2 && $file->splits($_) == 0 } $file->blocks_of_level(0); put_flag($b, TreeFile::IS_NULLS, TreeFile::HAS_NAN); return (parent_of($b) => qr/that page is in the chain of nulls/); },
	level_changed => sub { my $b = page_of(1); $file->put_level($b, 2); return (parent_of($b) => qr/that page is of level 2, not 1/) if 0; return (any => qr/points to block $b, but that page is of level 2, not 1/); },
	level_impossible => sub { my $b = page_of(1); $file->put_level($b, 77); return ($b => qr/page cannot be read/); },
	count_too_large => sub { my $b = page_of(0); $file->put_count($b, $file->count($b) + 8); return ($b => qr/page cannot be read/); },
	count_one_less => sub { my ($b) = grep { $_ > 2 && $file->count($_) % 8 != 1 } $file->blocks_of_level(0); $file->put_count($b, $file->count($b) - 1); return ($b => qr/place behind the last entry is not zero/); },
	tid_invalid => sub { my $b = page_of(0); $file->put($b, $file->tid_at($b, 1) + 4, 'v', 0); return ("$b 2" => qr/invalid row pointer/, '' => qr/is missing/); },
	tid_impossible => sub { my $b = page_of(0); $file->put($b, $file->tid_at($b, 1) + 4, 'v', 9999); return ("$b 2" => qr/which cannot exist/, '' => qr/is missing/); },
	tid_beyond_table => sub { my $b = page_of(0); $file->put($b, $file->tid_at($b, 1), 'v', 100); return ("$b 2" => qr/but the table has \d+ blocks/, '' => qr/is missing/); },
	tid_nowhere => sub { my $b = page_of(0); $file->put($b, $file->tid_at($b, 1), 'V', TreeFile::NONE); return ("$b 2" => qr/invalid row pointer/, '' => qr/is missing/); },
	# some of these rows are deleted
	tid_twice => sub { my $b = page_of(0, 20); $file->put($b, $file->tid_at($b, 2 * $_ + 1), 'a6', $file->get($b, $file->tid_at($b, 2 * $_), 'a6')) for 0 .. 9; return ($b => qr/is in the index twice, also in block $b/, '' => qr/is missing/); },
	all_dead => sub { my $b = page_of(0); $file->put($b, $file->dead_at($b, 0), 'C', 255); return ('' => qr/is missing/); },
	hole_not_zero => sub { my $b = page_of(0); $file->put($b, $file->get($b, 12, 'v'), 'C', 1); return ($b => qr/free space from byte \d+ to \d+ is not zero/); },
	payload_outside => sub { my $b = page_of(0); $file->put($b, $file->payload_at($b, 1), 'v', 8184); return ($b => qr/included columns are not within the page|page cannot be read/, '' => qr/is missing/); },
	payload_shared => sub { my $b = page_of(0); $file->put($b, $file->payload_at($b, 1), 'v', $file->get($b, $file->payload_at($b, 0), 'v')); return ("$b 2" => qr/included columns overlap those of item 1/, '' => qr/is missing/); },
	payload_size => sub { my $b = page_of(0); my $at = $file->get($b, $file->payload_at($b, 1), 'v'); $file->put($b, $at + 6, 'v', 0x1FFF); return ($b => qr/included columns are not within the page|page cannot be read/); },
	leaf_zeroed => sub { my $b = page_of(0); $file->{pages}[$b] = "\0" x 8192; return ($b => qr/^page is in use, but all zeros/, '' => qr/is missing/); },
	second_inner_zeroed => sub { my $b = page_of(1); my $right = $file->next_of($b); $file->{pages}[$right] = "\0" x 8192; return ($right => qr/^page is in use, but all zeros/, $b => qr/right link points to block $right, which is all zeros; pages of level 1 that right links miss: \d+/); },
	inner_zeroed => sub { my $b = page_of(1); $file->{pages}[$b] = "\0" x 8192; return ($b => qr/^page is in use, but all zeros/, any => qr/no downlink leads to this page/); },
	root_zeroed => sub { $file->{pages}[1] = "\0" x 8192; return (1 => qr/^root page is in use, but all zeros/); },
	meta_zeroed => sub { $file->{pages}[0] = "\0" x 8192; return (0 => qr/^metapage is in use, but all zeros/); },
	meta_magic => sub { $file->put(0, 24, 'V', 7); return (0 => qr/invalid metapage magic number/); },
	meta_version => sub { $file->put(0, 28, 'v', 77); return (0 => qr/metapage is of version 77/); },
	meta_first_lost => sub { $file->put(0, 32, 'V', TreeFile::NONE); return (0 => qr/metapage has no first page of level 0/); },
	meta_first_second => sub { my $f = $file->get(0, 36, 'V'); $file->put(0, 36, 'V', $file->next_of($f)); return ($file->next_of($f) => qr/right links from here, .* miss 1 of its pages/); },
	meta_first_of_other => sub { $file->put(0, 36, 'V', page_of(0)); return (0 => qr/metapage says that level 1 begins at block \d+, which is not of this level/); },
	meta_too_many => sub { $file->put(0, 32 + 4 * 9, 'V', page_of(1)); return (0 => qr/metapage has a first page of level 9, but the root is of level/); },
	meta_null_page => sub { my $b = page_of(0); $file->put(0, 32 + 4 * 32, 'V', $b); return (0 => qr/metapage names block $b for new nulls, but/); },
	nulls_circle => sub { my @n = $file->blocks_of_nulls; $file->put_next($n[-1], $n[1]); return ($n[1] => qr/right links from block 2, the first page of nulls, lead to block $n[1], but another link leads there, too/); },
	nulls_leave => sub { my @n = $file->blocks_of_nulls; my $b = page_of(0); $file->put_next($n[-1], $b); return ($b => qr/right links from block 2, the first page of nulls, lead to block $b, but another link leads there, too/); },
	nulls_cut => sub { my @n = $file->blocks_of_nulls; $file->put_next(2, TreeFile::NONE); return (any => qr/no downlink leads to this page/, '' => qr/with key null is missing/); },
	file_truncated => sub { $#{ $file->{pages} } = int(@{ $file->{pages} } / 2); return (any => qr/but the index has only \d+ blocks/, '' => qr/is missing/); },
	file_empty => sub { $file->{pages} = []; return (1 => qr/root page is beyond the end of the index, which has 0 blocks/, '' => qr/is missing/); },
	sound => sub { return (); });

# Write random bytes anywhere, or point links anywhere.
sub random_damage
{
	my ($n) = @_;
	srand($seed * 1000 + $n);
	for (0 .. int(rand(5)))
	{
		my $block = int(rand(@{ $file->{pages} }));
		if ($n % 3 == 0)
		{
			my @inner = (1, $file->blocks_of_level(1));
			$block = $inner[ int(rand(@inner)) ];
			my $entry = int(rand($file->count($block)));
			my $at = rand() < 0.5 ? $file->child_at($block, $entry) : $file->stop_at($block, $entry);
			$file->put($block, $at, 'V', int(rand(@{ $file->{pages} })));
		}
		elsif ($n % 3 == 1)
		{
			# the right link of a leaf that is not INCOMPLETE leads nowhere
			my @inner = $file->blocks_of_level(1);
			$file->put_next($inner[ int(rand(@inner)) ], int(rand(@{ $file->{pages} })));
			$file->put_splits($block, int(rand(3)));
		}
		else
		{
			# both ends of the page are hit as often as other places
			my $at = (sub { int(rand(8190)) }, sub { int(rand(400)) }, sub { 8140 + int(rand(50)) })[ int(rand(3)) ]->();
			$file->put($block, $at, rand() < 0.5 ? ('v', int(rand(65536))) : ('C', $file->get($block, $at, 'C') ^ 1 << int(rand(8))));
		}
	}
	return;
}

my @names = (map({ "k_$_" } sort keys %damage), map({ sprintf('r_%04d', $_) } 1 .. $n_random));
my %solid = map { $_ => /^r_(.*)/ && $1 > $n_random / 2 } @names;
$primary->safe_psql('postgres', join '', map { "CREATE INDEX $_ ON home USING spqtree (" . ($solid{$_} ? '(tst.raised(b))' : 'b') . ") INCLUDE (note);\n" } @names);
my %path = index_paths($primary, 'spqtree');
$primary->stop;
my $data = $primary->data_dir;
my ($template, $template_solid) = map { TreeFile->new("$data/$path{$_}") } qw(template template_solid);
my %expected;
for my $name (@names)
{
	$file = bless { pages => [ @{ ($solid{$name} ? $template_solid : $template)->{pages} } ] }, 'TreeFile';
	if ($name =~ /^k_(.*)/)
	{
		$expected{$name} = [ $damage{$1}->() ];
	}
	else
	{
		random_damage($name =~ /(\d+)/);
	}
	$file->write("$data/$path{$name}");
}
$primary->start;

my %found;
for (split /\n/, $primary->safe_psql('postgres', q(SET statement_timeout = '600s'; SELECT l.* FROM pg_class c, LATERAL look(c.relname) l WHERE c.relname ~ '^[kr]_' AND c.relkind = 'i')))
{
	my ($name, $block, $item, $problem) = split /\|/, $_, 4;
	push @{ $found{$name} }, [ $block, $item, $problem ];
}
found_as_expected(\%expected, \%found);
my @found_random = grep { /^r_/ } keys %found;
cmp_ok(scalar(@found_random), '>', $n_random * 0.7, 'random damage is found: ' . scalar(@found_random) . " of $n_random");

# The functions that inspect or draw an index raise an error for damage that their walk over
# the pages tests for, and return an answer otherwise.
my %inspected = inspected($primary);
my $errors = inspected_all(\@names, \%inspected);
cmp_ok($errors, '>', scalar(@names), "damage is an error of inspections: $errors of " . 4 * @names);
for my $name (map { "k_$_" } qw(bounds_nan bounds_reversed promise_too_narrow promise_of_inner box_moved box_nan child_beyond_end
	child_root child_itself child_of_its_level child_above child_twice child_of_nulls link_to_itself splits_of_root free_and_full
	link_of_root incomplete_root flags_unknown not_wide flag_of_nan flag_of_nulls level_changed level_impossible count_too_large
	count_one_less tid_invalid tid_impossible tid_nowhere hole_not_zero payload_outside payload_shared payload_size leaf_zeroed inner_zeroed root_zeroed
	file_truncated file_empty))
{
	is($inspected{$name}{$_}{state}, 'XX002', "$name: $_ says that it is damaged") for sort keys %{ $inspected{$name} };
}
is($inspected{k_sound}{$_}{state}, '00000', "k_sound: $_ answers") for sort keys %{ $inspected{k_sound} };

# Scans, insertions and VACUUM raise an error if they notice damage.
my %queries = (
	search => q(SELECT count(*) FROM home WHERE b && '((-1e9,-1e9),(1e9,1e9))'),
	nearest => q(SELECT count(*) FROM (SELECT note FROM home ORDER BY b <-> point(0,0)) s),
	nulls => q(SELECT count(*) FROM home WHERE b IS NULL),
	insert => q(INSERT INTO home SELECT * FROM home WHERE id % 5 = 0));
my %solid_queries = (
	search => q(SELECT count(*) FROM home WHERE tst.raised(b) && box3 '((-1e9,-1e9,-1e9),(1e9,1e9,1e9))'),
	nearest => q(SELECT count(*) FROM (SELECT note FROM home ORDER BY tst.raised(b) <-> point3(0,0,0)) s),
	nulls => q(SELECT count(*) FROM home WHERE tst.raised(b) IS NULL),
	insert => $queries{insert});
my %states;
for my $name (@names)
{
	my $asked = $solid{$name} ? \%solid_queries : \%queries;
	my $sql = "SET statement_timeout = '20s';\n" . join '', map { "BEGIN; SELECT '$_', try('$name', \$q\$$asked->{$_}\$q\$); ROLLBACK;\n" } sort keys %queries;
	my ($failed, $answers, $error) = $primary->psql('postgres', $sql, on_error_stop => 0);
	is($error, '', "$name: no other error");
	for (split /\n/, $answers)
	{
		my ($query, $state) = split /\|/;
		$states{$state}++;
		fail("$name: $query: $state") if $state !~ /^(done|XX00[12]|no file|no row|XX00[12] with hint)$/;
		isnt($state, 'done', "$name: $query raises an error") if $name =~ /^k_(root_zeroed|file_empty)$/ && $query ne 'nulls';
		is($state, 'XX002 with hint', "$name: $query raises an error") if $name =~ /^k_tid_(invalid|nowhere)$/ && $query =~ /^(search|nearest)$/;
	}
}
note "$_: $states{$_}" for sort keys %states;
cmp_ok($states{'XX002 with hint'}, '>', 50, 'many raise an error with a hint');

for my $name (@names)
{
	my ($failed, $answers, $error) = $primary->psql('postgres', "SET statement_timeout = '20s'; UPDATE pg_index SET indisvalid = (indexrelid = '$name'::regclass), indisready = (indexrelid = '$name'::regclass) WHERE indrelid = 'home'::regclass; DELETE FROM home WHERE ctid = (SELECT min(ctid) FROM home); VACUUM (INDEX_CLEANUP ON) home;");
	my $zeros = qr/WARNING:  index ".*" is damaged at block \d+: it is all zeros, but block \d+ has a downlink to it/;
	like($error, qr/a row has no place in the table/, "$name: VACUUM raises an error") if $name =~ /^k_tid_(invalid|nowhere)$/;
	like($error, $zeros, "$name: VACUUM warns") if $name eq 'k_leaf_zeroed';
	$error =~ s/^.*$zeros\n.*HINT: .*\n?//mg;
	ok($error =~ /^$|ERROR:  (index ".*" (is damaged|has format version)|invalid page in block|could not read block|could not open file)/, "$name: VACUUM ends") or diag $error;
}
is($primary->safe_psql('postgres', q(SELECT count(*) FROM spqtree_check('hut_b', true))), '0', 'server goes on');

# The metapage of an index with one page names a first page of a level that it does not have.
$primary->safe_psql('postgres', 'CREATE TABLE few (b box); CREATE INDEX few_b ON few USING spqtree (b); CHECKPOINT');
my $few = $primary->data_dir . '/' . $primary->safe_psql('postgres', "SELECT pg_relation_filepath('few_b')");
$primary->stop;
open(my $few_file, '+<:raw', $few) or die "$few: $!";
seek($few_file, 32, 0);
print $few_file pack('V', 1);
close($few_file);
$primary->start;
my ($grown, $grows, $no_room) = $primary->psql('postgres', "INSERT INTO few SELECT '((0,0),(1,1))' FROM generate_series(1, 1000)");
like($no_room, qr/index "few_b" is damaged at block 0: it has a level of the tree that does not exist/, 'a root that cannot grow');

# Random bytes in leaves of points, in pages with codes, and in those of ranges: the columns before
# the last one, that one, and shapes to search with. Ranges have no order, and no explanation.
my @plane = ("box '((10,10),(60,60))'", "point '(30,30)'", 'spqtree_explain');
my @space = ("box3 '((10,10,10),(60,60,60))'", "point3 '(30,30,30)'", 'spqtree_explain3');
my @line = ('numrange(10, 60)');
my @kinds = (
	[ '', 'center(b)', '<@', @plane ], [ '(id % 9), ', 'tst.raised(b)', '&&', @space ],
	[ "(lpad((id % 9)::text, 5)), ", 'center(b)', '<@', @plane ], [ '', 'tst.raised(center(b))', '<@', @space ],
	[ '(id % 9), ', 'b', '&&', @plane ], [ '', 'tst.raised(b)', '&&', @space ],
	[ '', 'tst.range_across(b)', '&&', @line ], [ '(id % 9), (tst.range_across(b)), ', 'tst.range_up(b)', '&&', @line ]);
my @others = map { sprintf('s_%03d', $_) } 1 .. $n_random / 3;
my %kind = map { $others[$_] => $kinds[ $_ % @kinds ] } 0 .. $#others;
my $valid = q(UPDATE pg_index SET indisvalid = (indexrelid = 'NAME'::regclass), indisready = (indexrelid = 'NAME'::regclass) WHERE indrelid = 'home'::regclass;);
$primary->safe_psql('postgres', 'DROP INDEX ' . join(', ', @names, 'template', 'template_solid'));
$primary->safe_psql('postgres', join '', map { "CREATE INDEX $_ ON home USING spqtree ($kind{$_}[0]($kind{$_}[1]));\n" } @others);
%path = index_paths($primary, 'spqtree');
$primary->stop;
for my $n (0 .. $#others)
{
	$file = TreeFile->new("$data/$path{$others[$n]}");
	random_damage(3 * $n + 2) for 1 .. 2;
	$file->write("$data/$path{$others[$n]}");
}
$primary->start;
my $problems = 0;

# The last two messages are PostgreSQL's, about a row that cannot exist: by a bitmap scan, if
# the planner chooses one, and by the removal of dead rows.
my $damaged = qr/index ".*" (is damaged|has format version)|invalid page in block|could not (read block|open file)|tuple offset out of range|heap tid from index tuple/;
for my $name (@others)
{
	my ($scalars, $column, $sign, $region, $point, $explain) = @{ $kind{$name} };
	my $found = "$column $sign $region";
	my ($failed, $answers, $error) = $primary->psql('postgres', "SET statement_timeout = '20s'; SET enable_seqscan = off;\n" . $valid =~ s/NAME/$name/gr . qq(
		SELECT count(*) FROM spqtree_check('$name', true);
		SELECT spqtree_stats('$name');
		SELECT count(*) FROM spqtree_nodes('$name');
		SELECT length(spqtree_svg('$name'));
		) . ($explain ? "SELECT rows FROM $explain('$name', $region, '$sign');" : '') . qq(
		SELECT count(*) FROM home WHERE $found;
		SELECT count(*) FROM home WHERE id % 9 = 3 AND $found;
		SELECT count(*) FROM home WHERE lpad((id % 9)::text, 5) = '    3' AND $found;
		SELECT count(*) FROM home WHERE $column IS NULL;
		) . ($point ? "SELECT count(*) FROM (SELECT FROM home ORDER BY $column <-> $point) s;" : '') . qq(
		BEGIN; INSERT INTO home SELECT * FROM home WHERE id % 5 = 0; ROLLBACK;
		VACUUM home;), on_error_stop => 0);
	my @unexpected = grep { /ERROR|FATAL|PANIC|connection/ && !/ERROR:  $damaged/ } split /\n/, $error;

	$problems += ($answers =~ /^(\d+)/ && $1 > 0) || $error =~ /ERROR/;
	is(join("\n", @unexpected), '', "$name ($scalars$column): no other error");
}
cmp_ok($problems, '>', @others / 2, "damage is noticed: $problems of " . @others);
$primary->stop;
no_crash($primary, $standby);

done_testing();
