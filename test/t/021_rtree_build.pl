# The access method spqtree, built in parallel: pages that workers wrote survive a crash,
# with WAL and, at wal_level = minimal, without; terminating a worker ends the build, which
# leaves nothing behind.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Load;
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;

seed();
my $node = Server->new('rtree_build');
$node->init;
$node->append_conf('postgresql.conf', q(
autovacuum = off
checkpoint_timeout = 1h
wal_level = replica
min_parallel_table_scan_size = 0
maintenance_work_mem = '128MB'
max_parallel_maintenance_workers = 2
));
$node->start;
prepare($node, 'spqtree (b)');
$node->safe_psql('postgres', fill(1, 20000));
$node->safe_psql('postgres', 'ALTER INDEX house_b SET (fillfactor = 10)');

# A build in which each process takes part: after its first row, the leader waits until all
# workers that were started wait for groups.
$node->safe_psql('postgres', q(
	CREATE FUNCTION tst.after_workers(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
	BEGIN
	  WHILE (SELECT backend_type <> 'parallel worker' FROM pg_stat_get_activity(pg_backend_pid()))
	        AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE leader_pid = pg_backend_pid() AND wait_event = 'ParallelCreateIndexScan') LOOP
	    PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	  END LOOP;
	  RETURN b;
	END $$));
my $build = 'CREATE INDEX after_workers ON house USING spqtree (tst.after_workers(b)) WITH (fillfactor = 10)';

# For comparisons with the table, use an expression that does not wait.
my $as_is = q(CREATE OR REPLACE FUNCTION tst.after_workers(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE sql AS 'SELECT b');

foreach my $level ('replica', 'minimal')
{
	$node->append_conf('postgresql.conf', "wal_level = $level\nmax_wal_senders = 0");
	$node->restart;
	$node->safe_psql('postgres', 'CHECKPOINT');
	$node->safe_psql('postgres', "BEGIN; REINDEX INDEX house_b; $build; COMMIT");
	$node->safe_psql('postgres', q(
		BEGIN;
		CREATE TABLE young AS TABLE house;
		CREATE INDEX young_b ON young USING spqtree (b) INCLUDE (id) WITH (fillfactor = 10);
		COMMIT));
	crash($node);
	$node->start;
	rtree_ok($node, "after a crash, wal_level = $level");
	check_ok($node, 'after_workers', "after a crash, wal_level = $level");
	check_ok($node, 'young_b', "after a crash, wal_level = $level", 1);
	$node->safe_psql('postgres', 'DROP TABLE young; DROP INDEX after_workers');
}

# A worker is terminated.
$node->safe_psql('postgres', q(
	CREATE OR REPLACE FUNCTION tst.after_workers(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
	DECLARE
	  n int;
	BEGIN
	  IF (SELECT backend_type <> 'parallel worker' FROM pg_stat_get_activity(pg_backend_pid())) THEN
	    FOR i IN 1 .. 6000 LOOP
	      PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	      SELECT count(pg_terminate_backend(pid)) INTO n FROM pg_stat_activity
	      WHERE leader_pid = pg_backend_pid() AND wait_event = 'ParallelCreateIndexScan';
	    END LOOP;
	  END IF;
	  RETURN b;
	END $$));
my ($status, $out, $err) = $node->psql('postgres', $build);
like($err, qr/terminating .*due to administrator command/, 'a worker is terminated: an error');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_class WHERE relname = 'after_workers')), '0', 'and no index');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker')), '0', 'and no worker');
$node->safe_psql('postgres', $as_is);
$node->safe_psql('postgres', $build);
check_ok($node, 'after_workers', 'built again', 1);

$node->stop;
done_testing();
