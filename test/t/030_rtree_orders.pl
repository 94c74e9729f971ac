# The access method spqtree, in a library with assertions: two or three sessions are stepped
# through all orders in which they can lock pages, as far as these have two preemptions
# (SPQTREE_PREEMPTIONS; SPQTREE_ORDERS=PATTERN: only those whose name matches; Orders.pm says what that is): insertions beside each other, beside
# VACUUM and scans, free pages, growth of the root, and crashes.  A few rows make a tree of
# several levels, because pages count as full that have three ("page full").
#
# After each order the index is sound and answers as the table does; a scan returned
# each row that its snapshot has, once, and no other one.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Orders;
use Server;
use Test::More;

my $preemptions = $ENV{SPQTREE_PREEMPTIONS} || 2;
my $only = $ENV{SPQTREE_ORDERS} || '.';

# With so few buffers a scan in order of distance keeps one pin.  No process but the
# stepped sessions locks or pins pages.  Without statistics, which come at any time, an
# insertion always looks for dead rows.
my $node = Server->new('rtree_orders');
$node->init;
$node->append_conf('postgresql.conf', q(
autovacuum = off
track_counts = off
log_statement = none
session_preload_libraries = spqtree
shared_buffers = 1MB
bgwriter_lru_maxpages = 0
checkpoint_timeout = 1h
max_wal_size = 4GB
wal_level = replica
spqtree.enable = off
));
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
if ($node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $shown, stderr => \my $hidden) != 0)
{
	$node->stop;
	plan skip_all => 'this library injects nothing';
}

# Rows lie on a diagonal, in the order of their ids.  Five fill a page of the table, so that
# VACUUM can mark it all-visible although the rows inserted meanwhile are not.
$node->safe_psql('postgres', q(
	CREATE TABLE spot (id int, b box, pad text DEFAULT repeat('x', 1400));
	ALTER TABLE spot ALTER pad SET STORAGE plain;
	CREATE INDEX spot_b ON spot USING spqtree (b) INCLUDE (id);
	CREATE FUNCTION place(id int) RETURNS box IMMUTABLE LANGUAGE sql RETURN box(point(id, id), point(id, id));

	CREATE FUNCTION by_table() RETURNS int[] LANGUAGE plpgsql
	SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off AS
	$$BEGIN RETURN ARRAY(SELECT id FROM spot WHERE b && '((-1000,-1000),(1000,1000))' ORDER BY id); END $$;
	CREATE FUNCTION by_index() RETURNS int[] LANGUAGE plpgsql
	SET enable_seqscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off AS
	$$BEGIN RETURN ARRAY(SELECT id FROM spot WHERE b && '((-1000,-1000),(1000,1000))' ORDER BY id); END $$;
	CREATE FUNCTION by_distance() RETURNS int[] LANGUAGE plpgsql
	SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS
	$$BEGIN RETURN ARRAY(SELECT id FROM spot ORDER BY b <-> point '(-1000,-1000)'); END $$;

	CREATE FUNCTION verdict() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
	  truth int[] := by_table();
	  found int[] := by_index();
	  problems text := (SELECT string_agg(c::text, ', ') FROM spqtree_check('spot_b', true) c);
	BEGIN
	  RETURN concat_ws('; ', 'check: ' || problems,
	                   CASE WHEN found <> truth THEN format('the index has %s, the table %s', found, truth) END,
	                   CASE WHEN by_distance() <> truth THEN format('by distance %s, in the table %s', by_distance(), truth) END);
	END $$));

my $orders = Orders->new($node);

# SQL that makes the table again, with these ids, one row after the other.
sub rows
{
	my (@ids) = @_;
	return 'BEGIN; TRUNCATE spot; INSERT INTO spot SELECT id, place(id) FROM unnest(ARRAY[' . join(',', @ids) . ']) id; COMMIT';
}

sub deletion
{
	my (@ids) = @_;
	return 'DELETE FROM spot WHERE id IN (' . join(',', @ids) . ')';
}

# Sessions.
sub insertion
{
	my ($id) = @_;
	return { name => "insertion of $id", sql => "INSERT INTO spot VALUES ($id, place($id))", adds => [$id] };
}
sub vacuum
{
	return { name => 'VACUUM', sql => 'VACUUM (INDEX_CLEANUP on, TRUNCATE off) spot' };
}
my $plain = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off';
sub scan
{
	my ($name) = @_;
	my $sql = q(SELECT id FROM spot WHERE b && '((-1000,-1000),(1000,1000))');
	return { name => 'scan', scan => 'any order', sql => $sql, settings => "$plain; SET enable_indexonlyscan = off" } if $name eq 'plain';
	return { name => 'index-only scan', scan => 'any order', sql => $sql, settings => $plain } if $name eq 'index-only';
	return { name => 'nearest scan', scan => 'in order', sql => q(SELECT id FROM spot ORDER BY b <-> point '(-1000,-1000)'), settings => $plain };
}

my @seven = (10, 20, 30, 40, 50, 60, 70);
my @scenarios = (
	{
		name => 'insertions at a root that is a full leaf',
		setup => [ rows(10, 20, 30) ],
		sessions => [ insertion(15), insertion(25) ],
	},
	{
		name => 'insertions at a full leaf below a full root',
		setup => [ rows(@seven) ],
		sessions => [ insertion(65), insertion(66) ],
	},
	{
		name => 'an insertion that widens bounds beside one that splits',
		setup => [ rows(@seven) ],
		sessions => [ insertion(5), insertion(65) ],
	},
	{
		name => 'split beside VACUUM',
		setup => [ rows(@seven), deletion(20, 60) ],
		sessions => [ insertion(65), vacuum() ],
	},
	{
		name => 'insertion into a leaf that VACUUM empties',
		setup => [ rows(@seven), deletion(30) ],
		sessions => [ insertion(31), vacuum() ],
	},
	# of five rows, one that is dead is not removed before a split
	{
		name => 'index-only scan beside growth of the root and VACUUM',
		full => 5,
		setup => [ rows(10, 20, 30, 40, 50), deletion(30) ],
		rows => [ 10, 20, 40, 50 ],
		sessions => [ scan('index-only'), insertion(25), vacuum() ],
		fewer => 1,
	},
	{
		name => 'nearest scan beside splits',
		setup => [ rows(@seven) ],
		rows => \@seven,
		sessions => [ scan('nearest'), insertion(65), insertion(15) ],
		fewer => 1,
	},
	{
		name => 'nearest scan beside VACUUM',
		setup => [ rows(10, 20, 30, 40, 50), deletion(20, 40) ],
		rows => [ 10, 30, 50 ],
		sessions => [ scan('nearest'), vacuum() ],
	},
	{
		name => 'free page beside a scan',
		setup => [ rows(@seven), deletion(30) ],
		rows => [ 10, 20, 40, 50, 60, 70 ],
		sessions => [ scan('plain'), vacuum(), insertion(65) ],
		fewer => 1,
	},
	{
		name => 'free page beside an insertion',
		setup => [ rows(@seven), deletion(30) ],
		sessions => [ insertion(31), vacuum(), insertion(65) ],
		fewer => 1,
	},
	# the insertion takes the place of the dead row in the table and in the leaf
	{
		name => 'scan that marks a dead row beside VACUUM and an insertion',
		full => 5,
		setup => [ rows(10, 20, 30), deletion(30) ],
		rows => [ 10, 20 ],
		sessions => [ scan('plain'), vacuum(), insertion(25) ],
		fewer => 1,
	});

for my $scenario (grep { $_->{name} =~ /$only/ } @scenarios)
{
	my $most = $preemptions - ($scenario->{fewer} || 0);
	is($orders->try_all(full => 3, preemptions => $most, %$scenario), '', $scenario->{name});
}

is($orders->crash_in_all(
		name => 'splits beside a crash',
		full => 3,
		setup => [ rows(@seven) ],
		sessions => [ insertion(65), insertion(5) ],
		points => 'descended split unposted posted grow widened',
		afterwards => [ deletion(30, 60), 'VACUUM (INDEX_CLEANUP on) spot', 'INSERT INTO spot SELECT i, place(i) FROM generate_series(1, 100, 9) i' ],
		every => $preemptions > 2 ? 1 : 2,
		preemptions => $preemptions - 1),
	'', 'splits beside a crash')
  if 'splits beside a crash' =~ /$only/;

$node->stop;
done_testing();
