# A load of several clients that insert, move, delete, vacuum and search, for tests of
# concurrency, crashes and standbys.
package Load;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(load_functions start_load load_runs end_load concurrent_load crash crash_under_load);

# SQL that the load needs: boxes, counters, and a search that compares index scans with the
# sequential scan in one snapshot and fails if they differ.
#
# The search uses index-only scans only if the caller says so: in PostgreSQL, those of GiST and
# SP-GiST may return a row that was deleted before, with any operator class, if VACUUM removes
# it between the scan's reading the index page and returning the row.
sub load_functions
{
	my ($index_only) = @_;
	my $plans = $index_only ? 'index,index only' : 'index';

	return qq(CREATE FUNCTION search_plans(ordered boolean) RETURNS text[] IMMUTABLE LANGUAGE sql
	RETURN CASE WHEN ordered THEN '{$plans}' ELSE '{$plans,bitmap}' END::text[];) . q(
	-- A box somewhere in the crowd, or far out, or of any size, or one of a pile.
	CREATE FUNCTION any_box(seed bigint, i bigint) RETURNS box IMMUTABLE LANGUAGE sql AS $$
	  SELECT CASE tst.rndint(seed, i, 1, 0, 15)
	           WHEN 0 THEN box(point(-x, -y) * point(s, 0), point(w - x, w - y) * point(s, 0))
	           WHEN 1 THEN box(point(x, y), point(x + w * s, y + w))
	           WHEN 2 THEN box(point(x, 'NaN'), point('Infinity', y))
	           WHEN 3 THEN '((60,60),(61,61))'
	           WHEN 4 THEN NULL
	           ELSE box(point(x, y), point(x + w, y + w)) END
	  FROM (SELECT tst.rnd(seed, i, 2) * 100 AS x, tst.rnd(seed, i, 3) * 100 AS y, tst.rnd(seed, i, 4) ^ 4 * 10 AS w,
	               2 ^ tst.rndint(seed, i, 5, -20, 20) AS s) v
	$$;
	CREATE FUNCTION search(seed bigint) RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
	  q box := coalesce(any_box(seed, 0), '((0,0),(70,60))');
	  query text;
	  plan text;
	  answer text[];
	  truth text[];
	  total int := 0;
	BEGIN
	  -- half of them parallel, on a server that thinks nothing of it
	  PERFORM set_config('max_parallel_workers_per_gather', (seed % 2 * 2)::text, true);
	  FOREACH query IN ARRAY ARRAY[
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b && $1',
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b @> center($1)',
	    'SELECT array_agg(id::text ORDER BY id) FROM house WHERE b &< $1 AND b <<| $1',
	    'SELECT array_agg(d) FROM (SELECT (b <-> $1)::text AS d FROM house WHERE b <@ box ''((-1e9,-1e9),(1e9,1e9))''
	                               ORDER BY b <-> $1) s',
	    'SELECT array_agg(d) FROM (SELECT (b <-> center($1))::text AS d FROM house ORDER BY b <-> center($1) LIMIT 50) s'] LOOP
	    PERFORM tst.allow('seq');
	    EXECUTE query INTO truth USING q;
	    FOREACH plan IN ARRAY search_plans(query ~ 'ORDER BY b <->') LOOP
	      PERFORM tst.allow(plan);
	      EXECUTE query INTO answer USING q;
	      IF answer IS DISTINCT FROM truth THEN
	        RAISE 'different answers by % scan for % with %', plan, query, q
	          USING DETAIL = format('%s rows, should be %s', cardinality(answer), cardinality(truth));
	      END IF;
	    END LOOP;
	    total := total + coalesce(cardinality(truth), 0);
	  END LOOP;
	  RETURN total;
	END $$;
	CREATE SEQUENCE id START 100000000;
	CREATE TABLE found (n int););
}

# pgbench scripts that keep the number of rows roughly constant.
#
# No vacuum waits for another: a vacuum that has waited until its snapshot is old can fail in
# SP-GiST ("unexpected SPGiST tuple state: 3"), with any class that adds nodes, such as core's
# text_ops.
my $seeded = "\\set seed random(1, 1000000000)\n";
my %script = (
	insert => $seeded . q(INSERT INTO house SELECT nextval('id'), any_box(:seed, i) FROM generate_series(1, 30) i;),
	taken_back => $seeded . q(BEGIN; INSERT INTO house SELECT nextval('id'), any_box(:seed, i) FROM generate_series(1, 20) i; ROLLBACK;),
	update => $seeded . q(UPDATE house SET b = any_box(:seed, id) WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT 20 FOR UPDATE SKIP LOCKED);),
	delete => q(DELETE FROM house WHERE id IN (SELECT id FROM house ORDER BY random() LIMIT 40 FOR UPDATE SKIP LOCKED);),
	vacuum => q(VACUUM (SKIP_LOCKED) house;),
	search => $seeded . q(BEGIN ISOLATION LEVEL REPEATABLE READ; INSERT INTO found SELECT search(:seed); COMMIT;));

# Start a load.  scripts: name => weight; more: the caller's own scripts.
# pgbench ends the load by itself after some seconds, or when the server is gone.
my $loads = 0;
sub start_load
{
	my ($node, %option) = @_;
	my %text = (%script, %{ $option{more} || {} });
	my @files;

	$loads++;
	for my $name (sort keys %{ $option{scripts} })
	{
		my $file = $node->basedir . "/load_${loads}_$name";
		append_to_file($file, $text{$name});
		push @files, '-f', "$file\@$option{scripts}{$name}";
	}
	my %load = (out => '', err => '');
	$load{run} = IPC::Run::start(
		[ 'pgbench', '-n', '-M', 'simple', '-c', $option{clients}, '-j', 1, '-T', $option{seconds},
			'--random-seed', 1 + int(rand(2**30)), @files, $node->connstr('postgres') ],
		'<', '/dev/null', '>', \$load{out}, '2>', \$load{err});
	return \%load;
}

sub load_runs
{
	my ($load) = @_;
	$load->{run}->pump_nb;
	return $load->{run}->pumpable;
}

# Wait for the end.  Return the number of transactions, and the errors: after any error
# of a client, pgbench ends with a status.
sub end_load
{
	my ($load) = @_;
	$load->{run}->finish;
	my $err = $load->{err};
	$err =~ s/^WARNING:  skipping vacuum of "house" --- lock not available\n//mg;
	$err =~ s/^pgbench: setting random seed.*\n//mg;
	my ($count) = $load->{out} =~ /actually processed: (\d+)/;
	$err ||= 'pgbench failed' if $load->{run}->result != 0;
	return ($count || 0, $err);
}

# Test a server with one index of this access method and class, while eight clients insert,
# move, delete, vacuum and search for some seconds: there is no error and no deadlock, every
# answer is that of its snapshot, and the index, which is checked repeatedly, is always sound.
# index_only: searches also by index-only scans; ready: a function that is called before the
# load and returns more scripts and their weights; change: one that changes the server, for a
# second load of the same duration; sound: one that compares index and table.
# and table.
sub concurrent_load
{
	my ($name, %option) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my %scripts = (insert => 8, taken_back => 1, update => 4, delete => 6, vacuum => 1, search => 6);
	my ($more, $weights) = ({}, {});
	my $plans = $option{index_only} ? 'index,index only,bitmap' : 'index,bitmap';
	my $checks = 0;

	my $node = Server->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', qq(
autovacuum = off
log_statement = none
log_min_error_statement = panic
));
	$node->start;
	prepare($node, $option{access});
	$node->safe_psql('postgres', load_functions($option{index_only}));
	$node->safe_psql('postgres', fill(1, 4000));
	is( $node->safe_psql('postgres',
			qq(SELECT DISTINCT tst.planned('SELECT id FROM house t WHERE b && box ''((1,1),(2,2))''', plan)
			  FROM unnest('{$plans}'::text[]) plan, tst.allow(plan))),
		't', 'searches use the index');
	($more, $weights) = $option{ready}->($node) if $option{ready};

	my $transactions = 0;
	for my $before (sub { }, $option{change} || ())
	{
		$before->($node);
		my $load = start_load($node, clients => 8, seconds => $option{seconds}, scripts => { %scripts, %$weights }, more => $more);
		while (load_runs($load))
		{
			check_ok($node, 'house_b', 'beside writers', $checks++ % 2);
			usleep(500_000);
		}
		my ($n, $errors) = end_load($load);
		is($errors, '', 'insertions, deletions, vacuums and searches at once, without an error');
		$transactions += $n;
	}
	my ($searches, $rows) = split /\|/, $node->safe_psql('postgres', 'SELECT count(*), sum(n) FROM found');
	note "$transactions transactions, of them $searches searches with $rows rows found; $checks checks meanwhile";
	cmp_ok($transactions, '>', $option{seconds}, 'there were many');
	cmp_ok($checks, '>=', 3, 'and checks among them');
	cmp_ok($rows, '>', 10000, 'searches found rows');

	$option{sound}->($node, 'in the end');
	$node->safe_psql('postgres', 'VACUUM house');
	$option{sound}->($node, 'after a vacuum');
	$node->safe_psql('postgres', fill(2, 2000));
	$option{sound}->($node, 'after more rows');
	$node->stop;

	unlike(slurp_file($node->logfile), qr/PANIC|TRAP|deadlock|leak|terminated by signal/, 'no crash, deadlock or leak in the log');
	return;
}

# Kill the server as the kernel, not a power failure, would: the postmaster and all its
# children by SIGKILL, so that none of them can do anything more.
sub crash
{
	my ($node) = @_;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my $alive = sub {
		my ($pid) = @_;
		open(my $stat, '<', "/proc/$pid/stat") or return kill(0, $pid) && !-d '/proc/self';
		my $line = <$stat>;
		return $line && $line =~ /^\d+ \(.*\) ([A-Z]) (\d+) / && $1 ne 'Z' && $2;
	};

	# while it is stopped, it starts no more children
	kill('STOP', $postmaster);
	my @pids = grep { ($alive->($_) || 0) == $postmaster } map { m{/(\d+)$} } glob('/proc/[0-9]*');
	kill('KILL', @pids, $postmaster);
	$node->kill9;
	for my $pid ($postmaster, @pids)
	{
		my $tries = 0;
		while ($alive->($pid))
		{
			die "process $pid does not die" if ++$tries > 6000;
			usleep(10_000);
		}
	}
	# the next server tests whether the postmaster's process id is in use, and that of a dead
	# process is until its parent has waited for it, which not every init does
	for (1 .. 500)
	{
		last if !kill(0, $postmaster);
		usleep(10_000);
	}
	unlink $node->data_dir . '/postmaster.pid' if kill(0, $postmaster);
	return scalar @pids;
}

# crash_under_load NODE, ROUND, ACCESS: kill all processes of the node while clients
# change the table and make indexes of this kind, and start it again.  The round determines
# full-page images and WAL level.  Return the number of ids drawn and of processes killed.
sub crash_under_load
{
	my ($node, $round, $access) = @_;
	my $images = $round % 2 ? 'off' : 'on';
	my $wal = $round % 3 ? 'replica' : 'minimal';
	my ($work, $processes);

	# Statements whose locks exclude others of their kind run in a single client.
	my %changes = (
		vacuum => 'VACUUM house;',
		checkpoint => 'CHECKPOINT;',
		reindex => 'REINDEX INDEX house_b;',
		reindex_concurrently => 'REINDEX INDEX CONCURRENTLY house_b;',
		create => "DROP INDEX IF EXISTS house_new;\nCREATE INDEX house_new ON house USING $access;",
		create_concurrently => "DROP INDEX IF EXISTS house_later;\nCREATE INDEX CONCURRENTLY house_later ON house USING $access WITH (fillfactor = 50);");

	$node->safe_psql('postgres', "ALTER SYSTEM SET full_page_writes = $images");
	$node->reload;
	my $id = $node->safe_psql('postgres', 'SELECT last_value FROM id');
	my $writers = start_load($node, clients => 4, seconds => 300,
		scripts => { insert => 8, taken_back => 1, update => 3, delete => 5, search => 1 });
	my $keeper = start_load($node, clients => 1, seconds => 300, more => \%changes,
		scripts => { vacuum => 6, checkpoint => 1, reindex => 1, reindex_concurrently => 2, create => 2, create_concurrently => 3 });
	$node->poll_query_until('postgres', "SELECT last_value > $id FROM id") or die 'no client gets on';
	usleep(int(rand(1_000_000)));
	ok(load_runs($writers) && load_runs($keeper), "round $round: no client has failed");
	$work = $node->safe_psql('postgres', 'SELECT last_value FROM id') - $id;
	# what that query began is finished by now, the rest continues
	usleep(int(rand(50_000)));
	$node->safe_psql('postgres', "ALTER SYSTEM SET wal_level = $wal");
	$processes = crash($node);
	end_load($_) foreach $writers, $keeper;
	$node->start;
	return ($work, $processes);
}

1;
