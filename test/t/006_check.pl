# spqtree_check finds damage.  Each kind of damage is written into the file of one index
# while the server is down; the check must name the block and the item, and say what is
# wrong.  With random damage, the check must end.  Undamaged indexes must be sound, also on
# a standby, and beside writers.
#
# All indexes are on one table and have the same columns, so the file of one of them, after
# insertions, deletions and VACUUM, is copied to each.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Damage;
use IndexFile;
use SpqTest;
use Test::More;
use Time::HiRes qw(time);

my ($primary, $standby) = primary_and_standby('check', damage => 1);

#
# One index with all kinds of tuples and pages
#

prepare($primary);
$primary->safe_psql('postgres', q(
	CREATE TABLE home (id int, b box, note text) WITH (autovacuum_enabled = off);
	CREATE FUNCTION homes(seed int, first int, last int) RETURNS SETOF home LANGUAGE sql AS $$
	SELECT i, box(point(x, y), point(x + w, y + w)),
	       CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN repeat('long', 50) ELSE 'note ' || i END
	FROM generate_series(first, last) i,
	     LATERAL (SELECT tst.rnd(seed, i, 1) * 100 AS x, tst.rnd(seed, i, 2) * 100 AS y,
	                     tst.rnd(seed, i, 3) ^ 4 * 60 AS w) v $$;
	INSERT INTO home SELECT * FROM homes(1, 1, 1500);
	CREATE INDEX template ON home USING spgist (b spqtree_box_ops) INCLUDE (note);
	INSERT INTO home SELECT * FROM homes(2, 1501, 2500);
	INSERT INTO home SELECT i, '((7,7),(8,8))', 'same ' || i FROM generate_series(3001, 3400) i;
	INSERT INTO home SELECT i, NULL, CASE WHEN i % 4 > 0 THEN 'no box ' || i END FROM generate_series(4001, 4800) i;
	INSERT INTO home SELECT i, box(point(i, 500 + i % 7), point(i + 1, 510)), NULL FROM generate_series(5001, 5300) i;
	VACUUM home;
	-- some chains vanish as a whole, of others a part
	DELETE FROM home WHERE id BETWEEN 5051 AND 5250 OR id % 10 = 3 AND id < 4000;
	VACUUM home;
	-- what is moved now leaves redirections
	INSERT INTO home SELECT * FROM homes(3, 6001, 6800);
	UPDATE home SET b = b + point(0.5, 0.5) WHERE id % 20 = 8;
	DELETE FROM home WHERE id % 20 = 5;
	CREATE TABLE hut (b box) WITH (autovacuum_enabled = off);
	INSERT INTO hut SELECT box(point(i, i), point(i + 1, i + 1)) FROM generate_series(1, 20) i;
	CREATE INDEX hut_b ON hut USING spgist (b spqtree_box_ops);
	CREATE UNLOGGED TABLE fleeting (b box);
	CREATE INDEX fleeting_b ON fleeting USING spgist (b spqtree_box_ops);
	CREATE TABLE other_home AS SELECT id, b + point(3, 3) AS b, note FROM home;
	CREATE INDEX other_template ON other_home USING spgist (b spqtree_box_ops) INCLUDE (note);

	) . look_function('data_corrupted OR index_corrupted OR internal_error OR serialization_failure') . q(

	-- Rows by an index, and by none; the other indexes are taken for invalid.
	CREATE FUNCTION answers(index_name text, OUT used boolean, OUT equal boolean) LANGUAGE plpgsql AS $$
	DECLARE
	  query text := $q$
	    SELECT array_agg(h ORDER BY h) FROM (
	      SELECT ROW(w, h.ctid, h.b::text, h.note)::text AS h
	      FROM (VALUES (box '((-1e9,-1e9),(1e9,1e9))'), ('((7,7),(7.5,7.5))'), ('((20,20),(30,40))'), ('((5060,500),(5300,505))')) v (w),
	           LATERAL (SELECT ctid, b, note FROM home WHERE b && w) h
	      UNION ALL SELECT ROW(h.ctid, h.note)::text FROM home h WHERE b IS NULL) all_rows $q$;
	  line text;
	  by_index text[];
	  by_table text[];
	BEGIN
	  UPDATE pg_index SET indisvalid = (indexrelid = index_name::regclass) WHERE indrelid = 'home'::regclass;
	  SET LOCAL enable_seqscan = off;
	  SET LOCAL enable_bitmapscan = off;
	  used := false;
	  FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
	    used := used OR line LIKE '%Index Scan using ' || index_name || ' %';
	  END LOOP;
	  EXECUTE query INTO by_index;
	  SET LOCAL enable_seqscan = on;
	  SET LOCAL enable_indexscan = off;
	  SET LOCAL enable_indexonlyscan = off;
	  EXECUTE query INTO by_table;
	  SET LOCAL enable_indexscan = on;
	  equal := by_index = by_table;
	END $$;
));

my $all_sound = q(
	SELECT count(*), count(c.problem), min(c.problem)
	FROM pg_class i LEFT JOIN LATERAL spqtree_check(i.oid, true) c ON true
	WHERE i.relname IN ('template', 'other_template', 'hut_b', 'house_b'));
is($primary->safe_psql('postgres', $all_sound), '4|0|', 'indexes are sound');
catch_up($primary, $standby);
is($standby->safe_psql('postgres', $all_sound), '4|0|', 'indexes are sound on a standby');
my ($status, $out, $err) = $standby->psql('postgres', q(SELECT * FROM spqtree_check('fleeting_b')));
like($err, qr/cannot check unlogged index "fleeting_b" during recovery/, 'unlogged index on a standby');

# Only now, because the vacuums above must remove dead rows.
hold_back_vacuum($standby);
$primary->safe_psql('postgres', fill(1, 3000));
check_beside_writers($primary, $standby, 'house', rows => 30, by => 'point(0.25, -0.5)', vacuum => 'VACUUM');

# A concurrent index build does not wait for the transactions of a standby.  (Replay would
# wait with the drop of the old index if this transaction had used it.)
my $reader = $standby->background_psql('postgres');
$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$reader->query_safe('SET enable_indexonlyscan = off; SET enable_indexscan = off; SET enable_bitmapscan = off');
$reader->query_safe('SELECT count(*) FROM question');
$primary->safe_psql('postgres', 'UPDATE house SET b = b + point(1, 1) WHERE id % 10 = 1');
$primary->safe_psql('postgres', 'REINDEX INDEX CONCURRENTLY house_b');
catch_up($primary, $standby);
like($reader->query_safe(q(SELECT problem FROM look('house_b'))),
	qr/^40001: index "house_b" cannot be compared with its table in this transaction$/, 'with one that was made since then it cannot be compared');
$reader->quit;
is($standby->safe_psql('postgres', q(SELECT count(*) FROM spqtree_check('house_b', true))), '0', 'a new transaction of the standby can');
# from here on the standby replays no earlier changes
$primary->safe_psql('postgres', 'CHECKPOINT');
catch_up($primary, $standby);
$standby->safe_psql('postgres', 'CHECKPOINT');
$standby->stop;

# A transaction that sees rows from before the index was made cannot compare them with it.
$primary->safe_psql('postgres', q(CREATE TABLE late (b box); INSERT INTO late VALUES ('((1,1),(2,2))')));
my $old = $primary->background_psql('postgres');
$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
$old->query_safe('SELECT count(*) FROM late');
$primary->safe_psql('postgres', q(UPDATE late SET b = b + point(5, 5); CREATE INDEX late_b ON late USING spgist (b spqtree_box_ops)));
is($old->query_safe(q(SELECT count(*) FROM spqtree_check('late_b'))), '0', 'index that is younger than the transaction is sound');
like($old->query_safe(q(SELECT problem FROM look('late_b'))),
	qr/^40001: index "late_b" cannot be compared with its table in this transaction$/, 'it cannot be compared with the table');
$old->quit;
is($primary->safe_psql('postgres', q(SELECT count(*) FROM spqtree_check('late_b', true))), '0', 'a new transaction can');

#
# Kinds of damage.  Each is a function that changes the file and returns what the check
# must find: pairs of a position ("block item", "block", "" for no block, "any") and a
# pattern.
#

my $file;    # the damaged file
my (@inner, @inner_nulls, @tuples);

# Return the first item that fits.
sub first_of
{
	my ($what, $fits, @list) = @_;
	for (@list)
	{
		return $_ if $fits->($_);
	}
	die "the index has no $what";
}

# Return a tuple that splits, and is not the root.
sub splitting
{
	return first_of('inner tuple that splits', sub { !$_->{same} && $_->{depth} > 0 }, @inner);
}

# Return a tuple and one of its nodes that has a chain of at least this many leaf tuples
# and the last label with its number.
sub tuple_and_node
{
	my ($least, $fits, @list) = @_;
	@list = @inner unless @list;
	for my $tuple (@list)
	{
		for my $node (@{ $tuple->{nodes} })
		{
			next if ($tuple->{same} && !$tuple->{nulls}) || !$node->{chain} || @{ $node->{chain} } < $least;
			next if !$tuple->{nulls} && grep { $_->{number} == $node->{number} && $_ != $node } @{ $tuple->{nodes} };
			return ($tuple, $node) if !$fits || $fits->($tuple, $node);
		}
	}
	die "the index has no such chain of $least";
}

sub place { my ($tuple) = @_; return "$tuple->{block} $tuple->{item}"; }

sub a_chain { my ($least) = @_; my ($t, $n) = tuple_and_node($least || 4); return @{ $n->{chain} }; }

# Return a tuple in this state that fits.
sub in_state
{
	my ($state, $fits) = @_;
	return first_of("tuple in state $state", sub { $_->{state} == $state && (!$fits || $fits->($_)) }, @tuples);
}

sub label_damage
{
	my ($change) = @_;
	return sub {
		my ($tuple, $node) = tuple_and_node(4);
		$file->put($tuple->{block}, $node->{at} + 8, 'Q<', $change->($node->{label}));
		return $tuple;
	};
}

# Damage a prefix: a value at an offset of the tuple.
sub prefix_damage
{
	my ($pattern, $at, $template, $change) = @_;
	return sub {
		my $tuple = splitting();
		my ($old) = $file->get($tuple->{block}, $tuple->{at} + $at, $template);
		$file->put($tuple->{block}, $tuple->{at} + $at, $template, $change->($old, $tuple));
		return (place($tuple) => $pattern);
	};
}

# Damage a downlink: point it elsewhere.
sub downlink_damage
{
	my ($pattern, $where) = @_;
	return sub {
		my ($tuple, $node) = tuple_and_node(2);
		my ($block, $item) = $where->($tuple, $node);
		$file->put_downlink($tuple, $node, $block, $item);
		return (place($tuple) => qr/^node $node->{index} $pattern/,
			place($node->{chain}[0]) => qr/no downlink points to this chain/);
	};
}

sub bits_damage
{
	my ($tuple, $pattern, $clear, $set) = @_;
	return sub {
		my $t = $tuple->();
		$file->put_bits($t, $clear, $set);
		return (place($t) => $pattern);
	};
}

# Damage the special space of a page with leaf tuples that is not a root.
sub opaque_damage
{
	my ($pattern, $at, $change, $kind) = @_;
	return sub {
		my $block = $kind ? $kind->() : (a_chain())[0]{block};
		my ($old) = $file->get($block, 8184 + $at, 'v');
		$file->put($block, 8184 + $at, 'v', $change->($old));
		return ($block => $pattern);
	};
}

sub pointer_damage
{
	my ($pattern, $change) = @_;
	return sub {
		my $leaf = (a_chain())[1];
		$file->put_line_pointer($leaf->{block}, $leaf->{item}, $change->($file->line_pointer($leaf->{block}, $leaf->{item})));
		return (place($leaf) => $pattern);
	};
}

sub header_damage
{
	my ($at, $value) = @_;
	return sub {
		my $leaf = (a_chain())[0];
		$file->put($leaf->{block}, $at, 'v', $value);
		return (-1 => qr/^XX001: invalid page in block $leaf->{block} of relation/);
	};
}

# Damage the included text of the first leaf tuple that fits, given where it begins.
sub note_damage
{
	my ($long, $pattern, $change) = @_;
	return sub {
		my ($tuple, $node, $leaf);
		for my $t (@inner)
		{
			for my $l (map { @{ $_->{chain} || [] } } @{ $t->{nodes} })
			{
				$leaf ||= $l if $l->{length} > ($long ? 200 : 50) && $l->{length} < ($long ? 1000 : 100);
			}
		}
		$change->($leaf->{block}, $leaf->{at} + 48);
		return (place($leaf) => $pattern);
	};
}

my $outside = qr/is outside the bounds of node/;
my $elsewhere = qr/(does|do) not belong/;
my %damage = (
	# labels
	narrow_label => sub {
		my $tuple = label_damage(sub { $_[0] & ~(0x3FFF << 14 | 0x3FFF) | ($_[0] >> 28 & 0x3FFF) | ($_[0] >> 42 & 0x3FFF) << 14 })->();
		return (place($tuple) => qr/\d+ boxes below node \d+ are outside its bounds/);
	},
	spare_label_bits => sub { return (place(label_damage(sub { $_[0] | 1 << 57 })->()) => qr/invalid label \w{16} of node \d+/) },
	label_node_31 => sub { return (place(label_damage(sub { $_[0] | 31 << 59 })->()) => qr/invalid label \w{16} of node \d+/) },
	label_code => sub { return (place(label_damage(sub { $_[0] & ~0x3FFF })->()) => qr/invalid label \w{16} of node \d+/) },
	labels_swapped => sub {
		my ($tuple, $node) = tuple_and_node(4);
		my $other = first_of('other node', sub { $_ != $node && $_->{chain} && @{ $_->{chain} } > 1 && $_->{number} != $node->{number} }, @{ $tuple->{nodes} });
		$file->put($tuple->{block}, $node->{at} + 8, 'Q<', $other->{label});
		$file->put($tuple->{block}, $other->{at} + 8, 'Q<', $node->{label});
		return (place($tuple) => qr/\d+ boxes below node $node->{index} do not belong there/, place($node->{chain}[0]) => $elsewhere);
	},
	label_of_another => sub {
		my ($tuple, $node) = tuple_and_node(4);
		my $other = first_of('earlier or later node', sub { $_ != $node && $_->{item} }, @{ $tuple->{nodes} });
		$file->put($tuple->{block}, $node->{at} + 8, 'Q<', $other->{label});
		return (place($tuple) => qr/has a duplicate downlink for node number/);
	},
	marker_with_downlink => sub {
		my ($tuple, $marker);
		for my $t (@inner)
		{
			my %seen;
			for my $n (@{ $t->{nodes} })
			{
				($tuple, $marker) = ($t, $n) if !$t->{same} && !$marker && $seen{ $n->{number} }++ && !$n->{item};
			}
		}
		my @chain = a_chain();
		$file->put_downlink($tuple, $marker, $chain[0]{block}, $chain[0]{item});
		return (place($tuple) => qr/node $marker->{index} has a duplicate downlink for node number/);
	},

	# prefix
	cell_shifted => prefix_damage(qr/cell of the inner tuple is not within that of node|boxes below node \d+ do not belong/, 8, 'd<',
		sub { my ($x, $t) = @_; return $x + 2.0**$file->get($t->{block}, $t->{at} + 24, 's<'); }),
	cell_off_lattice => prefix_damage(qr/cell at .* is not on the lattice/, 16, 'd<',
		sub { my ($y, $t) = @_; return $y + 2.0**($file->get($t->{block}, $t->{at} + 24, 's<') - 1); }),
	cell_nan => prefix_damage(qr/cell at .* is not on the lattice/, 8, 'd<', sub { 'NaN' }),
	cell_exponent => prefix_damage(qr/cell at .* is not on the lattice/, 24, 's<', sub { 2000 }),
	cell_exponent_low => prefix_damage(qr/cell at .* is not on the lattice/, 24, 's<', sub { -1001 }),
	range_exponent => prefix_damage(qr/invalid range of side/, 26, 's<', sub { -1000 }),
	range_exponent_high => prefix_damage(qr/invalid range of side/, 26, 's<', sub { 1002 }),
	cuts => prefix_damage(qr/cannot be cut 3 times/, 30, 'C', sub { 3 }),
	flags => prefix_damage(qr/invalid prefix flags 1\w/, 31, 'C', sub { $_[0] | 0x10 }),
	labels_void => prefix_damage(qr/invalid prefix flags \w\w/, 31, 'C', sub { $_[0] | 8 }),
	range_uniform => prefix_damage(qr/invalid prefix flags \w\w/, 31, 'C', sub { $_[0] & ~1 | 2 }),
	size_bound => prefix_damage(qr/invalid size bound/, 28, 's<', sub { -999 }),

	# downlinks
	to_beyond_end => downlink_damage('points to block 1000000, beyond the end of the index', sub { (1000000, 1) }),
	to_no_block => downlink_damage('points to block 4294967295, beyond the end of the index', sub { (0xFFFFFFFF, 1) }),
	marker_to_no_block => sub {
		my ($tuple, $node);
		for my $t (grep { !$_->{same} } @inner)
		{
			for my $n (@{ $t->{nodes} }) { ($tuple, $node) = ($t, $n) if !$node && !$n->{item}; }
		}
		die 'the index has no node without a downlink' unless $node;
		$file->put_downlink($tuple, $node, 0xFFFFFFFF, 1);
		return (place($tuple) => qr/node $node->{index} has a duplicate downlink for node number \d+|node $node->{index} points to block 4294967295, /);
	},
	to_metapage => downlink_damage('points to block 0, which cannot hold a child', sub { (0, 1) }),
	to_root => downlink_damage('points to block 1, which cannot hold a child', sub { (1, 1) }),
	to_null_root => downlink_damage('points to block 2, which cannot hold a child', sub { (2, 1) }),
	to_empty_page => downlink_damage('points to block \d+, which is empty',
		sub { push @{ $file->{pages} }, "\0" x 8192; return ($#{ $file->{pages} }, 1); }),
	to_no_item => downlink_damage('points to block \d+, item 900, which does not exist', sub { ($_[1]->{block}, 900) }),
	to_placeholder => downlink_damage('points to block \d+, item \d+, which is a placeholder',
		sub { my $t = in_state(IndexFile::PLACEHOLDER, sub { !($file->flags($_->{block}) & IndexFile::NULLS) }); return ($t->{block}, $t->{item}); }),
	to_redirection => downlink_damage('points to block \d+, item \d+, which is a redirection',
		sub { my $t = in_state(IndexFile::REDIRECT, sub { !($file->flags($_->{block}) & IndexFile::NULLS) }); return ($t->{block}, $t->{item}); }),
	to_middle_of_chain => downlink_damage('points to block \d+, item \d+, which is in the middle of a chain',
		sub { my ($l) = (a_chain())[1]; return ($l->{block}, $l->{item}); }),
	to_null_page => downlink_damage('points to block \d+, which is of nulls',
		sub { my ($l) = map { @{ $_->{chain} || [] } } map { @{ $_->{nodes} } } @inner_nulls; return ($l->{block}, $l->{item}); }),
	null_node_to_boxes => sub {
		my ($tuple, $node) = tuple_and_node(2, undef, @inner_nulls);
		my @chain = a_chain();
		$file->put_downlink($tuple, $node, $chain[0]{block}, $chain[0]{item});
		return (place($tuple) => qr/^node $node->{index} points to block $chain[0]{block}, which is not of nulls/,
			place($node->{chain}[0]) => qr/no downlink points to this chain/);
	},
	to_dead_tuple => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my $dead = in_state(IndexFile::DEAD);
		$file->put_downlink($tuple, $node, $dead->{block}, $dead->{item});
		return (place($dead) => qr/two downlinks point here/, place($node->{chain}[0]) => qr/no downlink points to this chain/);
	},
	to_itself => sub {
		my ($tuple, $node) = tuple_and_node(2, sub { $_[0]->{depth} > 0 });
		$file->put_downlink($tuple, $node, $tuple->{block}, $tuple->{item});
		return (place($tuple) => qr/^node $node->{index} points back to block $tuple->{block}, item $tuple->{item}, which is above it/);
	},
	to_one_above => sub {
		my ($tuple, $node) = tuple_and_node(1, sub { $_[0]->{depth} > 1 });
		my $above = $tuple->{above};
		$file->put_downlink($tuple, $node, $above->{block}, $above->{item});
		return (place($tuple) => qr/^node $node->{index} points back to block $above->{block}, item $above->{item}, which is above it/);
	},
	to_redirection_ring => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my $ring = in_state(IndexFile::REDIRECT, sub { !($file->flags($_->{block}) & IndexFile::NULLS) });
		$file->put($ring->{block}, $ring->{at} + 6, 'v3', 0, $ring->{block}, $ring->{item});
		$file->put_downlink($tuple, $node, $ring->{block}, $ring->{item});
		return (place($tuple) => qr/^node $node->{index} points to an endless chain of redirections/);
	},
	# no cycle, but more paths than can be visited
	too_many_ways => sub {
		my ($child) = sort { $b->{depth} <=> $a->{depth} } @inner;
		my @found;
		for (my $above = $child->{above}; $above; ($child, $above) = ($above, $above->{above}))
		{
			my %seen;
			for my $node (@{ $above->{nodes} })
			{
				$file->put_downlink($above, $node, $child->{block}, $child->{item}) unless $seen{ $node->{number} }++;
			}
			# the walk ends before it visits those above a second time
			@found = (place($child) => qr/two downlinks point here/) unless @found;
		}
		return (@found, 'any' => qr/walk has visited more tuples than the index can hold/);
	},
	chain_of_two_nodes => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my ($t, $n) = tuple_and_node(2, sub { $_[1]->{block} != $node->{block} || $_[1]->{item} != $node->{item} });
		$file->put_downlink($t, $n, $node->{block}, $node->{item});
		return (place($node) => qr/two downlinks point here: node \d+ of block/, place($n->{chain}[0]) => qr/no downlink points to this chain/);
	},
	chain_cleared => sub {
		my ($tuple, $node) = tuple_and_node(2);
		$file->put_downlink($tuple, $node);
		return (place($node) => qr/^no downlink points to this chain of leaf tuples/, '' => qr/^row .* is missing from the index/);
	},
	null_chain_cleared => sub {
		my ($tuple, $node) = tuple_and_node(2, undef, @inner_nulls);
		$file->put_downlink($tuple, $node);
		return (place($node) => qr/^no downlink points to this chain of leaf tuples/, '' => qr/^row .* with key null is missing from the index/);
	},
	dead_cleared => sub {
		my $dead = in_state(IndexFile::DEAD);
		for my $tuple (@inner)
		{
			for my $node (@{ $tuple->{nodes} })
			{
				$file->put_downlink($tuple, $node) if $node->{block} == $dead->{block} && $node->{item} == $dead->{item};
			}
		}
		return (place($dead) => qr/^no downlink points to this chain of leaf tuples/);
	},
	subtree_cleared => sub {
		my ($tuple, $node);
		for my $t (@inner)
		{
			for my $n (@{ $t->{nodes} })
			{
				($tuple, $node) = ($t, $n) if !$node && $n->{item} && !$n->{chain} && $file->tuple($n->{block}, $n->{item})->{nodes};
			}
		}
		$file->put_downlink($tuple, $node);
		return (place($node) => qr/^no downlink points to this inner tuple/);
	},

	# leaf tuples
	box_far_away => sub {
		my $leaf = (a_chain())[1];
		my ($hx, $hy, $lx, $ly) = $file->box($leaf);
		$file->put_box($leaf, $hx + 1e6, $hy, $lx + 1e6, $ly);
		return (place($leaf) => $outside, place($leaf) => $elsewhere, '' => qr/has other values there/);
	},
	box_of_other_node => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my $leaf = $node->{chain}[1];
		my ($other) = first_of('other chain', sub { $_ != $node && $_->{chain} && $_->{number} != $node->{number} }, @{ $tuple->{nodes} });
		$file->put_box($leaf, $file->box($other->{chain}[0]));
		return (place($leaf) => $elsewhere);
	},
	box_of_other_size => sub {
		my ($tuple, $node) = tuple_and_node(1, sub { $_[1]->{number} == 16 || $_[1]->{number} == 21 });
		my $leaf = $node->{chain}[0];
		my ($hx, $hy, $lx, $ly) = $file->box($leaf);
		my ($x, $y) = (($hx + $lx) / 2, ($hy + $ly) / 2);
		$file->put_box($leaf, $x, $y, $x, $y);
		return (place($leaf) => qr/^box .* does not belong in the cell or size bound of node $node->{index} of the inner tuple in block $tuple->{block}, item $tuple->{item}/);
	},
	box_nan => sub {
		my $leaf = (a_chain())[1];
		$file->put_box($leaf, ('NaN') x 4);
		return (place($leaf) => qr/^box \(NaN,NaN\),\(NaN,NaN\) is outside the bounds/);
	},
	row_invalid => sub {
		my $leaf = (a_chain())[1];
		$file->put($leaf->{block}, $leaf->{at} + 10, 'v', 0);
		return (place($leaf) => qr/leaf tuple has an invalid row pointer/);
	},
	row_of_no_table => sub {
		my $leaf = (a_chain())[1];
		$file->put($leaf->{block}, $leaf->{at} + 10, 'v', 1000);
		return (place($leaf) => qr/leaf tuple points to row \(\d+,1000\), which cannot exist/);
	},
	row_beyond_table => sub {
		my $leaf = (a_chain())[1];
		$file->put($leaf->{block}, $leaf->{at} + 6, 'v', 0x20);
		return (place($leaf) => qr/leaf tuple points to row \(20\d+,\d+\), but the table has \d+ blocks/);
	},
	row_of_another => sub {
		my @chain = a_chain();
		my ($high, $low, $offset) = $file->get($chain[0]{block}, $chain[0]{at} + 6, 'v3');
		my @lost = $file->get($chain[1]{block}, $chain[1]{at} + 6, 'v3');
		$file->put($chain[1]{block}, $chain[1]{at} + 6, 'v3', $high, $low, $offset);
		return (place($chain[1]) => qr/^row \($low,$offset\) is in the index twice, also in block $chain[0]{block}, item $chain[0]{item}$/,
			'' => qr/^row \($lost[1],$lost[2]\) with .* is missing from the index/);
	},
	leaf_size => bits_damage(sub { (a_chain())[1] }, qr/leaf tuple size is \d+, but its line pointer has length/, 1 << 5, 1 << 9),
	next_itself => sub {
		my $leaf = (a_chain())[0];
		$file->put_next($leaf, $leaf->{item});
		# one more tuple links to the second, or no tuple links to the chain any more
		return (place($leaf) => qr/chain is circular/);
	},
	next_ring => sub {
		my @chain = a_chain();
		$file->put_next($chain[-1], $chain[0]{item});
		my ($first) = sort { $a <=> $b } map { $_->{item} } @chain;
		return ("$chain[0]{block} $first" => qr/chain is circular/);
	},
	next_beyond_last => sub {
		my $leaf = (a_chain())[-1];
		my $max = $file->last_item($leaf->{block});
		$file->put_next($leaf, $max + 1);
		return (place($leaf) => qr/^chain link points to item @{[ $max + 1 ]}, but the last item is $max/);
	},
	next_placeholder => sub {
		my $gone = in_state(IndexFile::PLACEHOLDER, sub { my $b = $_->{block}; $file->flags($b) & IndexFile::LEAF && grep { $_->{leaf} && $_->{block} == $b } @tuples });
		my $leaf = first_of('tuple beside a placeholder', sub { $_->{leaf} && $_->{block} == $gone->{block} && !$_->{next} }, @tuples);
		$file->put_next($leaf, $gone->{item});
		return (place($leaf) => qr/^chain link points to item $gone->{item}, which is not live/);
	},
	next_other_chain => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my ($t, $n) = tuple_and_node(2, sub { $_[1]->{block} == $node->{block} && $_[1]->{item} != $node->{item} });
		$file->put_next($node->{chain}[-1], $n->{item});
		return (place($t) => qr/^node $n->{index} points to block $n->{block}, item $n->{item}, which is in the middle of a chain/);
	},
	next_into_other_chain => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my ($t, $n) = tuple_and_node(2, sub { $_[1]->{block} == $node->{block} && $_[1]->{item} != $node->{item} });
		$file->put_next($node->{chain}[-1], $n->{chain}[1]{item});
		return ($node->{block} => qr/^chain link points to item $n->{chain}[1]{item}, and so does another/);
	},
	live_to_dead => bits_damage(sub { (a_chain())[1] }, qr/tuple that is not live has size/, 0, 2),
	live_to_placeholder => bits_damage(sub { (a_chain())[1] }, qr/tuple that is not live has size/, 0, 3),
	live_to_redirection => bits_damage(sub { (a_chain())[1] }, qr/tuple that is not live has size/, 0, 1),
	inner_to_dead => bits_damage(sub { splitting() }, qr/tuple that is not live has size/, 0, 2),
	root_inner_dead => bits_damage(sub { $inner[0] }, qr/tuple on the root page is not live/, 0, 2),
	null_root_placeholder => bits_damage(sub { $inner_nulls[0] }, qr/tuple on the root page is not live/, 0, 3),
	last_null_to_dead => sub {
		my $leaf = first_of('short last tuple of a chain', sub { $_->{nulls} && $_->{leaf} && $_->{size} == 16 && !$_->{next} }, @tuples);
		$file->put_bits($leaf, 0, 2);
		return ($leaf->{block} => qr/^chain link points to item $leaf->{item}, which is not live|no downlink points/);
	},
	dead_to_placeholder => sub {
		my $dead = in_state(IndexFile::DEAD);
		$file->put_bits($dead, 0, 3);
		return ($dead->{block} => qr/special space counts \d+ placeholders, but there are/);
	},
	placeholder_to_live => sub {
		my $gone = in_state(IndexFile::PLACEHOLDER, sub { !($file->flags($_->{block}) & IndexFile::NULLS) });
		$file->put_bits($gone, 3, 0);
		return (place($gone) => qr/leaf tuple has an invalid row pointer|extends beyond the end of the leaf tuple|inner tuple size is/);
	},
	dead_linked => sub {
		my $gone = in_state(IndexFile::PLACEHOLDER);
		$file->put($gone->{block}, $gone->{at} + 4, 'v', 1);
		return (place($gone) => qr/tuple that is not live has a link to another one/);
	},
	dead_inner => sub {
		my $tuple = splitting();
		$file->put_line_pointer($tuple->{block}, $tuple->{item}, $tuple->{at}, 1, 16);
		$file->put($tuple->{block}, $tuple->{at}, 'V v', 16 << 2 | IndexFile::DEAD, 0);
		return (place($tuple) => qr/dead tuple on an inner page/);
	},
	map({
		my ($name, $block, $item, $pattern) = @$_;
		$name => sub {
			my $redirection = in_state(IndexFile::REDIRECT);
			$file->put($redirection->{block}, $redirection->{at} + 6, 'v3', $block >> 16, $block & 0xFFFF, $item);
			return (place($redirection) => $pattern);
		}
	} [ 'redirection_to_metapage', 0, 1, qr/redirection points to block 0, item 1, where no moved tuple can be/ ],
		[ 'redirection_to_root', 1, 1, qr/redirection points to block 1, item 1, where no moved tuple can be/ ],
		[ 'redirection_to_no_item', 5, 0, qr/redirection points to block 5, item 0, where no moved tuple can be/ ],
		[ 'redirection_beyond_end', 1000000, 1, qr/redirection points to block 1000000, beyond the end of the index/ ]),

	# inner tuples
	all_the_same_set => bits_damage(sub { first_of('splitting tuple', sub { !$_->{same} && $_->{depth} > 0 && @{ $_->{nodes} } > 1 }, @inner) },
		qr/labels of nodes 0 and \d+ of an allTheSame tuple differ/, 0, 4),
	all_the_same_cleared => bits_damage(sub { first_of('tuple of identical boxes', sub { $_->{same} && 1 < grep { $_->{item} } @{ $_->{nodes} } }, @inner) },
		qr/has a duplicate downlink for node number|invalid prefix flags \w\w/, 4, 0),
	null_all_the_same_cleared => bits_damage(sub { $inner_nulls[0] }, qr/inner tuple of nulls is not allTheSame/, 4, 0),
	one_node_more => sub {
		my $tuple = splitting();
		$file->put_bits($tuple, 0xFFF8, (1 + @{ $tuple->{nodes} }) << 3);
		return (place($tuple) => qr/inner tuple of \d+ bytes cannot have \d+ nodes/);
	},
	no_nodes => bits_damage(sub { splitting() }, qr/inner tuple of \d+ bytes cannot have 0 nodes/, 0xFFF8, 0),
	prefix_size => bits_damage(sub { splitting() }, qr/inner tuple has a prefix of 32 bytes, not 24/, 0xFFFF0000, 32 << 16),
	null_prefix_size => bits_damage(sub { $inner_nulls[0] }, qr/inner tuple has a prefix of 24 bytes, not 0/, 0xFFFF0000, 24 << 16),
	inner_size => sub {
		my $tuple = splitting();
		$file->put($tuple->{block}, $tuple->{at} + 4, 'v', $tuple->{size} - 16);
		return (place($tuple) => qr/inner tuple size is \d+, but its line pointer has length/);
	},
	node_size => sub {
		my $tuple = splitting();
		$file->put($tuple->{block}, $tuple->{nodes}[0]{at} + 6, 'v', 24);
		return (place($tuple) => qr/node 0 has size 24, not 16/);
	},
	node_size_zero => sub {
		my $tuple = splitting();
		$file->put($tuple->{block}, $tuple->{nodes}[0]{at} + 6, 'v', 0);
		return (place($tuple) => qr/node 0 has size 0, not 16/);
	},
	node_null => sub {
		my $tuple = splitting();
		$file->put($tuple->{block}, $tuple->{nodes}[0]{at} + 6, 'v', 0x8000 | 16);
		return (place($tuple) => qr/node 0 has/);
	},

	# special space
	leaf_to_inner => opaque_damage(qr/inner tuple size is|line pointer/, 0, sub { $_[0] & ~4 }),
	inner_to_leaf => opaque_damage(qr/leaf tuple|column/, 0, sub { $_[0] | 4 }, sub { splitting()->{block} }),
	leaf_of_nulls => opaque_damage(qr/leaf tuple has a non-null key on a page of null keys|extends beyond the end of the leaf tuple|its columns take/, 0, sub { $_[0] | 8 }),
	inner_of_nulls => opaque_damage(qr/inner tuple has a prefix of 24 bytes, not 0/, 0, sub { $_[0] | 8 }, sub { splitting()->{block} }),
	nulls_of_leaf => opaque_damage(qr/leaf tuple has a null key/, 0, sub { $_[0] & ~8 },
		sub { first_of('leaf of null values', sub { $_->{nulls} && $_->{leaf} }, @tuples)->{block} }),
	page_flags => opaque_damage(qr/invalid page flags 0104/, 0, sub { $_[0] | 0x100 }),
	meta_flag => opaque_damage(qr/invalid page flags 0005/, 0, sub { $_[0] | 1 }),
	null_root_flag => opaque_damage(qr/invalid page flags 0000/, 0, sub { $_[0] & ~8 }, sub { 2 }),
	root_flag => opaque_damage(qr/invalid page flags 0008/, 0, sub { $_[0] | 8 }, sub { 1 }),
	page_id => opaque_damage(qr/page is not an SP-GiST page: page ID is FF83/, 6, sub { $_[0] ^ 1 }),
	redirections => opaque_damage(qr/special space counts \d+ redirections, but there are/, 2, sub { $_[0] + 1 }),
	placeholders => opaque_damage(qr/special space counts \d+ placeholders, but there are/, 4, sub { $_[0] + 1 }),
	special_space => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 16, 'v', 8176);
		return ($block => qr/special space begins at byte 8176, not 8184/) if $file->get($block, 14, 'v') <= 8176;
		die 'page without a tuple';
	},
	magic => sub { $file->put(0, 24, 'V', 0xBA0BABEF); return (0 => qr/invalid metapage magic number BA0BABEF/) },
	metapage_list => sub { $file->put(0, 28, 'V', 1000000); return (0 => qr/metapage lists block 1000000 as having free space/) },
	metapage_list_root => sub { $file->put(0, 28, 'V', 1); return (0 => qr/metapage lists block 1 as having free space/) },
	page_version => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 18, 'v', 8192 | 3);
		return ($block => qr/layout version is 3/);
	},
	page_size => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 18, 'v', 4096 | 4);
		return ($block => qr/page size is 4096/);
	},

	# line pointers and header
	pointer_offset => pointer_damage(qr/overlaps|line pointer|bytes|columns|column|is outside|invalid row pointer/, sub { ($_[0] + 8, $_[1], $_[2]) }),
	pointer_into_header => pointer_damage(qr/invalid line pointer to bytes 24 to \d+/, sub { (24, $_[1], $_[2]) }),
	pointer_unaligned => pointer_damage(qr/invalid line pointer to bytes \d+ to \d+/, sub { ($_[0] + 1, $_[1], $_[2]) }),
	pointer_length => pointer_damage(qr/leaf tuple size is \d+, but its line pointer has length/, sub { ($_[0], $_[1], $_[2] - 8) }),
	pointer_length_zero => pointer_damage(qr/invalid line pointer to bytes \d+ to \d+/, sub { ($_[0], $_[1], 0) }),
	pointer_too_long => pointer_damage(qr/invalid line pointer to bytes \d+ to \d+/, sub { ($_[0], $_[1], 0x7FF8) }),
	pointer_unused => pointer_damage(qr/line pointer is not in use/, sub { (0, 0, 0) }),
	pointer_redirected => pointer_damage(qr/line pointer is not in use/, sub { ($_[0], 2, $_[2]) }),
	pointer_dead => pointer_damage(qr/line pointer is not in use/, sub { ($_[0], 3, $_[2]) }),
	pointers_same => sub {
		my ($leaf, $other) = sort { $a->{item} <=> $b->{item} } (a_chain())[0, 1];
		$file->put_line_pointer($other->{block}, $other->{item}, $file->line_pointer($leaf->{block}, $leaf->{item}));
		return (place($other) => qr/tuple overlaps item $leaf->{item}/);
	},
	items_cut_off => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 12, 'v', $file->get($block, 12, 'v') - 4);
		return ($block => qr/bytes from .* no item|chain link points to item/);
	},
	all_items_cut_off => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 12, 'v', 24);
		return ($block => qr/bytes from .* no item/);
	},
	free_space => sub {
		my $block = (a_chain())[0]{block};
		$file->put($block, 12, 'v', $file->get($block, 12, 'v') + 2);
		return ($block => qr/invalid free space from byte \d+ to \d+/);
	},
	header_order => header_damage(14, 8190),
	header_flags => header_damage(10, 0xFFFF),
	header_special => header_damage(16, 9000),
	upper_zero => header_damage(14, 0),

	# included text
	text_too_long => note_damage(0, qr/column 2 extends beyond the end of the leaf tuple/, sub { $file->put(@_, 'C', 0xFF) }),
	text_elsewhere => note_damage(0, qr/column 2 of the leaf tuple is stored out of line/, sub { $file->put(@_, 'C', 1) }),
	text_short => note_damage(0, qr/leaf tuple size is \d+, but its columns take/, sub { $file->put(@_, 'C', 3) }),
	long_text_too_long => note_damage(1, qr/column 2 extends beyond the end of the leaf tuple/, sub { $file->put(@_, 'V', 0x3FFFFFFC) }),
	text_compressed => note_damage(1, qr/column 2 of the leaf tuple is compressed/, sub { $file->put(@_, 'V', $file->get(@_, 'V') | 2) }),
	text_length_zero => note_damage(1, qr/column 2 extends beyond the end of the leaf tuple|has invalid length 0|leaf tuple size is \d+, but its columns take/, sub { $file->put(@_, 'V', 0) }),
	text_changed => sub {
		note_damage(0, qr/./, sub { my ($b, $at) = @_; $file->put($b, $at + 1, 'a', 'N') })->();
		return ('' => qr/^row \(\d+,\d+\) with key \(.*\) is missing from the index, or has other values there$/);
	},
	null_bit_of_key => sub {
		my $leaf = (a_chain())[1];
		$file->put($leaf->{block}, $leaf->{at} + 4, 'v', $file->get($leaf->{block}, $leaf->{at} + 4, 'v') | 0x8000);
		$file->put($leaf->{block}, $leaf->{at} + 12, 'V', 2);
		return (place($leaf) => qr/leaf tuple has a null key on a page of non-null keys/);
	},

	# pages and files
	page_zeroed => sub {
		my ($tuple, $node) = tuple_and_node(2);
		$file->{pages}[ $node->{block} ] = "\0" x 8192;
		return (place($tuple) => qr/node $node->{index} points to block $node->{block}, which is empty/);
	},
	root_zeroed => sub { $file->{pages}[1] = "\0" x 8192; return (1 => qr/metapage or root page was never written/) },
	null_root_zeroed => sub { $file->{pages}[2] = "\0" x 8192; return (2 => qr/metapage or root page was never written/) },
	metapage_zeroed => sub { $file->{pages}[0] = "\0" x 8192; return (0 => qr/metapage or root page was never written/) },
	pages_exchanged => sub {
		my ($tuple, $node) = tuple_and_node(2);
		my ($t, $n) = tuple_and_node(2, sub { $_[1]->{block} != $node->{block} });
		@{ $file->{pages} }[ $node->{block}, $n->{block} ] = @{ $file->{pages} }[ $n->{block}, $node->{block} ];
		return ($node->{block} => qr/./, $n->{block} => qr/./);
	},
	file_truncated => sub {
		my $last = $#{ $file->{pages} };
		pop @{ $file->{pages} };
		my ($tuple, $node);
		for my $t (@inner, @inner_nulls)
		{
			for my $n (@{ $t->{nodes} }) { ($tuple, $node) = ($t, $n) if !$node && $n->{item} && $n->{block} == $last; }
		}
		return (place($tuple) => qr/node $node->{index} points to block $last, beyond the end of the index/);
	},
	file_almost_gone => sub { $#{ $file->{pages} } = 0; return (1 => qr/index has no root page/, 2 => qr/index has no root page/) },
	file_empty => sub { $file->{pages} = []; return (1 => qr/index has no root page/, 2 => qr/index has no root page/) },
	file_of_another => sub { $file = IndexFile->new($main::other_path); return ('' => qr/^row .* is missing from the index/) },
);
my @kinds = sort keys %damage;

# A root that is a leaf.
my %hut_damage = (
	root_leaf_linked => sub { $file->put_next($file->tuple(1, 3), 5); return ('1 3' => qr/leaf tuple on the root page has a link to item 5/) },
	root_leaf_dead => sub { $file->put_bits($file->tuple(1, 4), 0, 3); return ('1 4' => qr/tuple on the root page is not live/) },
	root_leaf_row => sub { $file->put(1, $file->tuple(1, 2)->{at} + 10, 'v', 0); return ('1 2' => qr/leaf tuple has an invalid row pointer/) },
	root_leaf_box => sub { $file->put_box($file->tuple(1, 7), 1, 2, 0, 0); return ('' => qr/has other values there/) });

# Random damage
my $seed = seed();
my $n_random = $ENV{SPQTREE_DAMAGED} || 60;

sub random_damage
{
	my ($n) = @_;
	srand($seed * 1000 + $n);
	for (0 .. int(rand(5)))
	{
		my $block = int(rand(@{ $file->{pages} }));
		# line pointers and both ends of the page are hit as often as other places
		my $at = (sub { int(rand(8190)) }, sub { int(rand(400)) }, sub { 8100 + int(rand(90)) })[ int(rand(3)) ]->();
		my @value = rand() < 0.3 ? ('C', int(rand(256))) : rand() < 0.5 ? ('v', int(rand(65536))) : ('C', $file->get($block, $at, 'C') ^ 1 << int(rand(8)));
		$file->put($block, $at, @value);
	}
	return;
}

my %index_of = (
	map({ ("k_$_" => 'home (b spqtree_box_ops) INCLUDE (note)') } @kinds, 'sound1', 'sound2'),
	map({ ("h_$_" => 'hut (b spqtree_box_ops)') } sort(keys %hut_damage), 'sound'),
	map({ (sprintf("r_%04d", $_) => 'home (b spqtree_box_ops) INCLUDE (note)') } 1 .. $n_random));
(my $create = join '', map { "CREATE INDEX $_ ON $index_of{$_};\n" } sort keys %index_of) =~ s/ON (\w+)/ON $1 USING spgist/g;
$primary->safe_psql('postgres', $create);
my %path = index_paths($primary, 'spgist');
$primary->stop;

my $data = $primary->data_dir;
our $other_path = "$data/$path{other_template}";
my $template = IndexFile->new("$data/$path{template}");
my $hut = IndexFile->new("$data/$path{hut_b}");

sub use_file
{
	my ($of) = @_;
	$file = bless { pages => [ @{ $of->{pages} } ] }, 'IndexFile';
	return;
}

use_file($template);
@tuples = $file->tuples;
@inner = $file->tree(1);
@inner_nulls = $file->tree(2);
my %expected;
for my $kind (@kinds)
{
	use_file($template);
	$expected{"k_$kind"} = [ eval { $damage{$kind}->() } ];
	BAIL_OUT("$kind: $@") if $@;
	$file->write("$data/$path{\"k_$kind\"}");
}
for my $kind (sort keys %hut_damage)
{
	use_file($hut);
	$expected{"h_$kind"} = [ $hut_damage{$kind}->() ];
	$file->write("$data/$path{\"h_$kind\"}");
}
for my $n (1 .. $n_random)
{
	use_file($template);
	random_damage($n);
	$file->write("$data/" . $path{ sprintf "r_%04d", $n });
}
for my $sound (qw(k_sound1 k_sound2 h_sound))
{
	use_file($sound =~ /^k/ ? $template : $hut);
	$file->write("$data/$path{$sound}");
}
$primary->start;

# Check all in one session: an error of the server must not end it.
sub check_all
{
	my ($pattern) = @_;
	my %found;
	my $rows = $primary->safe_psql('postgres', qq(
		SET statement_timeout = '600s';
		SELECT l.* FROM pg_class c, LATERAL look(c.relname) l WHERE c.relname ~ '$pattern' ORDER BY c.relname));
	for (split /\n/, $rows)
	{
		my ($name, $block, $item, $problem) = split /\|/, $_, 4;
		push @{ $found{$name} }, [ $block, $item, $problem ];
	}
	return %found;
}

my %found = check_all('^[kh]_');
found_as_expected(\%expected, \%found);
is(join(' ', map { $_->[2] } map { @{ $found{$_} || [] } } qw(k_sound1 k_sound2 h_sound)), '', 'indexes beside them are sound');

%found = check_all('^r_');
ok(scalar(keys %found), 'random damage is found: ' . scalar(keys %found) . " of $n_random");

# Damage that is not found is harmless: in free space, in the entry of a removed
# row, or bounds that are wider than necessary.
my @harmless = grep { !$found{$_} } grep { /^r_/ } sort keys %index_of;
is( $primary->safe_psql('postgres', join ';', map({ "BEGIN; SELECT '$_', (answers('$_')).*; ROLLBACK" } 'template', @harmless)),
	join("\n", map { "$_|t|t" } 'template', @harmless),
	'damage that is not found does no harm');

# Scans and insertions raise an error on a zeroed page.  Servers with assertions are left out.
my $asserts = $primary->safe_psql('postgres', 'SHOW debug_assertions') eq 'on';
for my $name ($asserts ? () : qw(k_page_zeroed k_root_zeroed))
{
	for my $sql (q(SELECT count(*) FROM home WHERE b && '((-1e9,-1e9),(1e9,1e9))'),
		q(SELECT count(*) FROM (SELECT id FROM home ORDER BY b <-> point(0,0)) s),
		q(INSERT INTO home SELECT * FROM home WHERE b IS NOT NULL))
	{
		my $err;
		$primary->psql('postgres', qq(\\set VERBOSITY sqlstate
			BEGIN;
			UPDATE pg_index SET indisvalid = (indexrelid = '$name'::regclass), indisready = (indexrelid = '$name'::regclass)
			WHERE indrelid = 'home'::regclass;
			SET LOCAL enable_seqscan = off;
			SET LOCAL enable_sort = off;
			$sql), stderr => \$err, on_error_stop => 0);
		like($err, qr/ERROR:  XX002/, "$name: an error ends " . substr($sql, 0, 40));
	}
}

is($primary->safe_psql('postgres', q(SELECT count(*) FROM spqtree_check('template', true))), '0', 'server goes on');

# On a standby, apparent damage may be a change that is being replayed.  The check must not
# wait for each problem if everything has been replayed.
use_file($template);
$#{ $file->{pages} } = int(@{ $file->{pages} } / 2);
$file->write($standby->data_dir . "/$path{template}");
$standby->start;
my $start = time;
my $problems = $standby->safe_psql('postgres', q(SELECT count(*) FROM spqtree_check('template')));
cmp_ok($problems, '>', 50, 'damage on a standby is found');
cmp_ok(time - $start, '<', 20, 'and takes no time for each');
$standby->stop;
$primary->stop;
no_crash($primary, $standby);

done_testing();
