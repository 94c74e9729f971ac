# The access method spqtree, in a library with assertions: sequences of events too rare for a
# load to produce.  Sessions wait for advisory locks at points of the code (spqtree.inject,
# "wait"), or raise errors there, and pages count as full with few entries ("page full").

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use TreeFile;

my $node = Server->new('rtree_faults');
$node->init;
# without statistics, which come at any time, an insertion always looks for dead rows
$node->append_conf('postgresql.conf', "autovacuum = off\ntrack_counts = off\nlog_statement = none\nsession_preload_libraries = spqtree\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION spqtree');
if ($node->psql('postgres', q(LOAD 'spqtree'; SHOW spqtree.inject), stdout => \my $shown, stderr => \my $hidden) != 0)
{
	$node->stop;
	plan skip_all => 'this library injects nothing';
}

# Start statements in a session of their own.
sub begin
{
	my (@statements) = @_;
	my %session = (out => '', err => '');
	$session{run} = IPC::Run::start(
		[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), map { ('-c', $_) } @statements ],
		'<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
	return \%session;
}

# Return the session's output and errors when it has finished.
sub end
{
	my ($session) = @_;
	$session->{run}->finish;
	return $session->{out} . $session->{err};
}

# Wait until some session waits for this advisory lock.
sub reached
{
	my ($number) = @_;
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND objid = $number AND NOT granted")
	  or die "nobody comes to where he waits for $number";
	return;
}

#
# A free page that a scan has pinned.  VACUUM finds a leaf empty; a transaction fills it, an
# index-only scan reads it and keeps the pin; the transaction aborts; an insertion removes all
# its rows, and fails; VACUUM frees the page.  The next VACUUM must wait for the scan before
# it reuses the places of the rows in the table.
#
my $gate = $node->background_psql('postgres');
$gate->query_safe('SELECT pg_advisory_lock(n) FROM generate_series(1, 2) n');
my $spots = q(SELECT i, box(point(1000 + i, 1000), point(1000 + i, 1000)) FROM generate_series(FIRST, LAST) i);
sub spots { my ($first, $last) = @_; return ($spots =~ s/FIRST/$first/r) =~ s/LAST/$last/r; }
$node->safe_psql('postgres', q(
	CREATE TABLE spot (id int, b box, pad text DEFAULT repeat('x', 700));
	ALTER TABLE spot ALTER pad SET STORAGE plain;
	CREATE INDEX spot_b ON spot USING spqtree (b) INCLUDE (id);
	SET spqtree.inject = 'page full 8';
	INSERT INTO spot ) . spots(1, 4) . q(;
	INSERT INTO spot SELECT -i, box(point(i, i), point(i, i)) FROM generate_series(1, 40) i));
$node->safe_psql('postgres', 'DELETE FROM spot WHERE id > 0');
my $vacuum = begin("SET spqtree.inject = 'passed wait 1'", 'VACUUM (INDEX_CLEANUP on, TRUNCATE off) spot');
reached(1);
my $writer = $node->background_psql('postgres');
$writer->query_safe("SET spqtree.inject = 'page full 8'; BEGIN");
$writer->query_safe('INSERT INTO spot ' . spots(11, 18));
my $query = q(SELECT id FROM spot WHERE b && '((1000,1000),(2000,2000))');
my $settings = 'SET enable_seqscan = off; SET enable_bitmapscan = off';
like($node->safe_psql('postgres', "$settings; EXPLAIN (COSTS OFF) $query"), qr/^Index Only Scan/m, 'free page: the scan is index-only');
my $scan = begin($settings, "SET spqtree.inject = 'entered wait 2'", $query);
reached(2);
$writer->query_safe('ROLLBACK');
$writer->quit;
my ($out, $err);
$node->psql('postgres', "SET spqtree.inject = 'page full 8, pruned error 1'; INSERT INTO spot " . spots(20, 20), stdout => \$out, stderr => \$err);
like($err, qr/injected error at point "pruned"/, 'free page: an insertion removes the rows');
$gate->query_safe('SELECT pg_advisory_unlock(1)');
is(end($vacuum), '', 'free page: VACUUM ends');
$node->safe_psql('postgres', 'CHECKPOINT');
my $file = TreeFile->new($node->data_dir . '/' . $node->safe_psql('postgres', q(SELECT pg_relation_filepath('spot_b'))));
is(scalar(grep { $file->flags($_) & TreeFile::FREE } 1 .. $#{ $file->{pages} }), 1, 'free page: VACUUM has freed it');
$vacuum = begin('VACUUM (INDEX_CLEANUP on, TRUNCATE off) spot');
my $waits = q(SELECT count(*) FILTER (WHERE wait_event IN ('BufferPin', 'BufferCleanup')) > 0 FROM pg_stat_activity WHERE query LIKE 'VACUUM%' AND state = 'active');
ok($node->poll_query_until('postgres', $waits), 'free page: the next VACUUM waits for the scan');
$gate->query_safe('SELECT pg_advisory_unlock(2)');
is(end($scan), '', 'free page: the scan returns no row of the transaction that aborted');
is(end($vacuum), '', 'free page: VACUUM goes on after the scan');
is($node->safe_psql('postgres', q(SELECT * FROM spqtree_check('spot_b', true))), '', 'free page: the index is sound');
$gate->quit;

#
# The search for a page's parent meets INCOMPLETE pages.  An insertion has descended to a leaf.
# Others insert next to it, and split the pages above it; the last of them fail after the
# topmost split that they begin, before the parent has the downlink.  Then the insertion
# continues: it finishes those splits, finds the leaf's parent and the parent's, and does not
# fail.  Each seed is a sequence of events; only a few of these, found by trying many
# (SPQTREE_FAULTS), put the parent of a page that was split to the right of its neighbor's.
#
my @seeds = $ENV{SPQTREE_FAULTS} ? (1 .. $ENV{SPQTREE_FAULTS}) : (147, 1515, 1631);
$node->safe_psql('postgres', q(
	CREATE TABLE tree (id serial, b box);
	CREATE INDEX tree_b ON tree USING spqtree (b);
	CREATE FUNCTION any_box(seed int, i int, x float8 DEFAULT 0, y float8 DEFAULT 0, size float8 DEFAULT 1) RETURNS box IMMUTABLE LANGUAGE sql
	RETURN (SELECT box(p, p) FROM (SELECT point(x + size * (hashint8extended(i, 2 * seed) & 1048575) / 1048576.0,
	                                            y + size * (hashint8extended(i, 2 * seed + 1) & 1048575) / 1048576.0) AS p) s);

	-- Others insert near the place of the one that waits.
	CREATE FUNCTION others(seed int) RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
	  place box := any_box(seed, 0);
	  size float8 := 0.5 ^ (seed % 4);
	  good int := 8 + seed * 7 % 24;
	  failed int := 0;
	BEGIN
	  FOR i IN 1 .. good + 4 LOOP
	    PERFORM set_config('spqtree.inject', CASE WHEN i <= good THEN 'page full 4' ELSE 'page full 4, unposted error 1' END, true);
	    BEGIN
	      INSERT INTO tree (b) VALUES (any_box(seed, 1000 + i, (place[0])[0] - size / 2, (place[0])[1] - size / 2, size));
	    EXCEPTION WHEN triggered_action_exception THEN
	      failed := failed + 1;
	    END;
	  END LOOP;
	  RETURN failed;
	END $$));
$gate = $node->background_psql('postgres');
my $failed = 0;
my @wrong;
for my $seed (@seeds)
{
	$node->safe_psql('postgres', "TRUNCATE tree; SET spqtree.inject = 'page full 4'; INSERT INTO tree (b) SELECT any_box($seed, i) FROM generate_series(1, 80) i");
	$gate->query_safe('SELECT pg_advisory_lock(1)');
	my $late = begin("SET spqtree.inject = 'page full 4, descended wait 1'", "INSERT INTO tree (b) VALUES (any_box($seed, 0))");
	reached(1);
	$failed += $node->safe_psql('postgres', "SELECT others($seed)");
	$gate->query_safe('SELECT pg_advisory_unlock(1)');
	my $message = end($late);
	push @wrong, "$seed: $message" if $message ne '';
}
$gate->quit;
cmp_ok($failed, '>', @seeds / 2, 'parents: splits are left unfinished');
is(join('', @wrong), '', 'parents: insertions do not fail');
is($node->safe_psql('postgres', q(SELECT * FROM spqtree_check('tree_b', true))), '', 'parents: the index is sound');

$node->stop;
done_testing();
