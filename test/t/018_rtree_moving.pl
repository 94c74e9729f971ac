# Moving objects in an index of access method spqtree: every row of two tables is updated a
# hundred times, in one table by small steps, in the other by jumps, and VACUUM comes late.
# The indexes stay small, because dead rows are removed before a page is split, and queries
# still visit few pages.  A GiST index on the same rows shows what to expect.  Then queries
# of a standby still see the rows that are removed on the primary.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

my $rounds = 100;
my $rows = 4000;

# Rounds between two vacuums.
my $every = 6;

# The largest size of an index, relative to a new one, and the most pages that a query may
# visit, relative to a new index.
my $bound = 3;
my $page_bound = 2;

my $seed = seed();
my ($node, $standby) = primary_and_standby('rtree_moving',
	primary => 'synchronous_commit = off',
	standby => "hot_standby_feedback = off\nmax_standby_streaming_delay = -1");

prepare($node);
$node->safe_psql('postgres', qq(
	CREATE TABLE step (id int, b box);
	CREATE TABLE jump (id int, b box);
	INSERT INTO step
	SELECT i, box(point(x, y), point(x + w, y + w))
	FROM generate_series(1, $rows) i, LATERAL (SELECT tst.rnd($seed, i, 1) * 1000 AS x, tst.rnd($seed, i, 2) * 1000 AS y, tst.rnd($seed, i, 3) ^ 4 * 10 AS w) v;
	INSERT INTO jump TABLE step;
	CREATE TABLE looks AS SELECT box(point(x, y), point(x + 30, y + 30)) AS q
	FROM generate_series(1, 200) i, LATERAL (SELECT tst.rnd($seed, i, 8) * 1000 AS x, tst.rnd($seed, i, 9) * 1000 AS y) v));

my %move = (
	step => "b + point(tst.rnd($seed + %1\$d, id, 1) * 2 - 1, tst.rnd($seed + %1\$d, id, 2) * 2 - 1)",
	jump => "box(point(tst.rnd($seed + %1\$d, id, 1) * 1000, tst.rnd($seed + %1\$d, id, 2) * 1000), point(tst.rnd($seed + %1\$d, id, 1) * 1000 + tst.rnd($seed + %1\$d, id, 3) ^ 4 * 10, tst.rnd($seed + %1\$d, id, 2) * 1000 + tst.rnd($seed + %1\$d, id, 3) ^ 4 * 10))");
my @tables = sort keys %move;
$node->safe_psql('postgres', "CREATE INDEX ${_}_b ON $_ USING spqtree (b); CREATE INDEX ${_}_gist ON $_ USING gist (b)") foreach @tables;

sub sizes
{
	return split /\|/, $node->safe_psql('postgres', 'SELECT ' . join(', ', map { "pg_relation_size('${_}_b'), pg_relation_size('${_}_gist')" } @tables));
}

sub pages
{
	my ($table) = @_;
	return $node->safe_psql('postgres', "SELECT sum(e.pages) FROM looks, LATERAL spqtree_explain('${table}_b', q) e");
}

# Return the updates of one round, a tenth of the rows at a time.
sub round_of
{
	my ($round) = @_;
	my $sql = '';
	for my $tenth (0 .. 9)
	{
		$sql .= "UPDATE $_ SET b = " . sprintf($move{$_}, $round) . " WHERE id % 10 = $tenth;\n" foreach @tables;
	}
	return $sql;
}

my @most = sizes();
for my $round (1 .. $rounds)
{
	$node->safe_psql('postgres', round_of($round) . ($round % $every == 0 ? "VACUUM step; VACUUM jump;\n" : ''));
	my @now = sizes();
	foreach my $i (0 .. $#now)
	{
		$most[$i] = $now[$i] if $now[$i] > $most[$i];
	}
}
$node->safe_psql('postgres', "DROP INDEX ${_}_gist; VACUUM $_") foreach @tables;
my %pages = map { $_ => pages($_) } @tables;
foreach my $table (@tables)
{
	is($node->safe_psql('postgres', "SELECT count(*), sum(id::bigint) FROM $table"), $rows . '|' . $rows * ($rows + 1) / 2, "$table: every row is there");
	is($node->safe_psql('postgres', "SELECT * FROM spqtree_check('${table}_b', true)"), '', "$table: the index is sound");
	is($node->safe_psql('postgres', qq(SET enable_seqscan = off;
		SELECT count(*) FROM looks WHERE (SELECT count(*) FROM $table WHERE b && q) <> (SELECT count(*) FROM $table WHERE (b && q) IS TRUE))), '0', "$table: answers are right");
	$node->safe_psql('postgres', "REINDEX INDEX ${table}_b; CREATE INDEX ${table}_gist ON $table USING gist (b)");
}
my @fresh = sizes();
foreach my $i (0 .. $#tables)
{
	my ($table, $ours, $gist) = ($tables[$i], 2 * $i, 2 * $i + 1);
	my $fresh_pages = pages($table);
	note sprintf('%s: %d rows, each updated %d times; kB new, most, factor: ours %d %d %.2f, GiST %d %d %.2f; pages of 200 queries: new %d, then %d',
		$table, $rows, $rounds, (map { $fresh[$_] / 1024, $most[$_] / 1024, $most[$_] / $fresh[$_] } $ours, $gist), $fresh_pages, $pages{$table});
	cmp_ok($most[$ours], '<=', $bound * $fresh[$ours], "$table: at most $bound times the size of a new index");
	cmp_ok($pages{$table}, '<=', $page_bound * $fresh_pages, "$table: at most $page_bound times the pages");
}

# A query of the standby has begun earlier, and sees the rows that are dead on the primary.
$node->safe_psql('postgres', "DROP INDEX ${_}_gist") foreach @tables;
catch_up($node, $standby);
my $answer = "SELECT sum(n), sum(ids) FROM looks, LATERAL (SELECT count(*) AS n, sum(id) AS ids FROM %s WHERE b && q) s";
my $reader = $standby->background_psql('postgres');
$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL enable_seqscan = off');
my %before = map { $_ => $reader->query_safe(sprintf $answer, $_) } @tables;
my $from = $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
$node->safe_psql('postgres', round_of($rounds + $_)) foreach 1 .. 4;
my $to = $node->safe_psql('postgres', 'SELECT pg_switch_wal()');
my ($wal, $errors) = run_command([ 'pg_waldump', '--rmgr=Gist', "--path=" . $node->data_dir . '/pg_wal', "--start=$from", "--end=$to" ]);
is($errors, '', 'the WAL can be read');
my $conflicts = () = $wal =~ /PAGE_REUSE/g;
cmp_ok($conflicts, '>', 10, "rows were removed before splits: $conflicts records");
sleep 1;
is($reader->query_safe(sprintf $answer, $_), $before{$_}, "$_: the standby's transaction finds what it found") foreach @tables;
$reader->query_safe('COMMIT');
$reader->quit;
catch_up($node, $standby);
is($standby->safe_psql('postgres', "SET enable_seqscan = off; " . sprintf $answer, $_), $node->safe_psql('postgres', sprintf $answer, $_), "$_: then what the primary does") foreach @tables;
is($standby->safe_psql('postgres', "SELECT * FROM spqtree_check('${_}_b', true)"), '', "$_: the standby's index is sound") foreach @tables;
$standby->stop;
$node->stop;

done_testing();
