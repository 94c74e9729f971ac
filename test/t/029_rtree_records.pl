# The access method spqtree at every WAL record: a workload is replayed to the end of each
# record that changes an index, and of the commits after it.  There the check finds
# nothing, and scans of the index return what a sequential scan returns.  At some of the
# records the primary crashes, or a standby is promoted: then insertions finish the splits
# that were left, also followed by VACUUM.
#
#	base      a primary, crashed after a checkpoint, with empty indexes
#	primary   base + the workload, whose WAL is kept
#	standby   base + the WAL up to the end of record 1, 2, 3, ...; checks at each
#	crash     base + the WAL up to the end of some record; recovery; changes
#
# The standby has no primary: it reads its pg_wal, to which this test writes (Wal.pm).  (It
# would look without a pause if wal_retrieve_retry_interval were 1 ms.)
#
# The workload is the same in each run.  Its first half writes no full-page images, so that
# every change comes out of its own record; in its second half there is a checkpoint every
# few transactions.
#
# SPQTREE_RECORDS: how many records are drawn, or "all"; SPQTREE_CRASHES: how many crashes
# and promotions.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use File::Path qw(rmtree);
use IO::Select;
use IPC::Open3;
use List::Util qw(first min shuffle);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Server;
use SpqTest;
use Test::More;
use Time::HiRes qw(time);
use TreeFile;
use Wal;

my $records = $ENV{SPQTREE_RECORDS} || 200;
my $all = $records eq 'all';
my $crashes = $ENV{SPQTREE_CRASHES} || ($all ? 200 : int(($records + 19) / 20));
my $timeout = $PostgreSQL::Test::Utils::timeout_default;
my $segment_size = 1024 * 1024;

seed();

#
# Tables and questions
#

# Each table is there twice, for the halves of the workload, with an index that exists from
# the beginning, and perhaps one that is built later, on other values.
#	value	what is indexed		columns	of the index
#	key		a condition on the scalar column
#	window	what is searched, and the operator; place: what is near
my %plane = (window => '&& rec.area(n)', place => 'rec.place(n)');
my %solid = (window => '&& rec.space(n)', place => 'rec.place3(n)');
my %index = (
	plain => { %plane, value => 'b', columns => '(b)' },
	wide => { %plane, value => 'b', columns => '(b) INCLUDE (id, pad)' },
	keyed => { %plane, value => 'b', columns => '(k, b) INCLUDE (pad)', key => 'k = n % 5 AND ' },
	solid => { %solid, value => 's', columns => '(s) INCLUDE (id, pad)' },
	solid_keyed => { %solid, value => 's', columns => '(k, s)', key => 'k = n % 5 AND ' },
	plain_built => { %plane, value => 'center(b)', columns => '(center(b)) WITH (fillfactor = 10)', window => '<@ rec.area(n)', table => 'plain' },
	solid_built => { %solid, value => 'low(s)', columns => '(k, low(s)) INCLUDE (id, pad)', window => '<@ rec.space(n)', key => 'k = n % 5 AND ', table => 'solid' });
my @kinds_of_table = grep { !$index{$_}{table} } sort keys %index;

# Pads are stored as they are, so that a leaf has few rows and the tree is high.
sub tables
{
	return join '', map {
		my $half = $_;
		map { qq(
			CREATE TABLE ${_}_$half (id int, k int, b box, s box3, pad text) WITH (autovacuum_enabled = off);
			ALTER TABLE ${_}_$half ALTER pad SET STORAGE PLAIN;
			CREATE INDEX ${_}_${half}_i ON ${_}_$half USING spqtree $index{$_}{columns};) } @kinds_of_table
	} 1, 2;
}

sub table_of { my ($kind, $half) = @_; return ($index{$kind}{table} || $kind) . "_$half"; }

# What an index is asked: for all values, for none, in a window, and for the nearest.
# Answers are the same by any plan.
sub question
{
	my ($kind, $half, $with_nearest) = @_;
	my ($index, $table) = ($index{$kind}, table_of($kind, $half));
	my $value = $index->{value};
	my $key = $index->{key} || '';
	my $digest = q(count(*) || ' ' || coalesce(sum(id), 0) || ' ' || coalesce(bit_xor(hashint8extended(id, 1)), 0));

	return join ",\n", (map { "(SELECT $digest FROM $table WHERE $_)" } "$value IS NOT NULL", "$value IS NULL", "$key$value $index->{window}"),
	  $with_nearest ? "(SELECT string_agg(d::text, ' ') FROM (SELECT $value <-> $index->{place} AS d FROM $table WHERE $key$value IS NOT NULL ORDER BY $value <-> $index->{place} LIMIT 10) q)" : ();
}

# A question for each kind of scan, as a function, whose plan is kept.
my %allowed = (
	seq => { indexscan => 'off', indexonlyscan => 'off', bitmapscan => 'off' },
	index => { seqscan => 'off', bitmapscan => 'off' },
	bitmap => { seqscan => 'off', indexscan => 'off', indexonlyscan => 'off' });

sub questions
{
	my $sql = '';

	for my $kind (sort keys %index)
	{
		for my $half (1, 2)
		{
			for my $plan (sort keys %allowed)
			{
				my $settings = join "\n", map { "SET enable_$_ = $allowed{$plan}{$_}" } sort keys %{ $allowed{$plan} };
				$sql .= "CREATE FUNCTION rec.${kind}_${half}_i_$plan(n int) RETURNS text[] LANGUAGE plpgsql $settings AS \$\$
					BEGIN RETURN ARRAY[" . question($kind, $half, $plan ne 'bitmap') . "]; END \$\$;\n";
			}
		}
	}
	return $sql;
}

my $functions = q(
	CREATE SCHEMA rec;
	CREATE FUNCTION rec.rnd(seed int, i int, n int) RETURNS float8 IMMUTABLE LANGUAGE sql
	RETURN (hashint8extended(i::bigint << 32 | seed, n) & 1048575)::float8 / 1048576;
	CREATE FUNCTION rec.place(n int) RETURNS point IMMUTABLE LANGUAGE sql
	RETURN point(rec.rnd(1, n, 1) * 100, rec.rnd(1, n, 2) * 100);
	CREATE FUNCTION rec.place3(n int) RETURNS point3 IMMUTABLE LANGUAGE sql
	RETURN point3(rec.rnd(1, n, 1) * 100, rec.rnd(1, n, 2) * 100, rec.rnd(1, n, 3) * 100);
	CREATE FUNCTION rec.area(n int) RETURNS box IMMUTABLE LANGUAGE sql
	RETURN box(rec.place(n), point(rec.rnd(2, n, 1) * 100, rec.rnd(2, n, 2) * 100));
	CREATE FUNCTION rec.space(n int) RETURNS box3 IMMUTABLE LANGUAGE sql
	RETURN box3(rec.area(n), rec.rnd(3, n, 1) * 50, 50 + rec.rnd(3, n, 2) * 50);

	-- Rows: most small, some that reach far, without a box, or with NaN.
	CREATE FUNCTION rec.rows(seed int, first int, last int, fat boolean)
	RETURNS TABLE (id int, k int, b box, s box3, pad text) LANGUAGE sql AS $$
	  SELECT i, CASE WHEN i % 17 > 0 THEN i % 5 END, b, box3(b, z - w, z + w), repeat('x', CASE WHEN fat THEN 1150 + i % 7 * 50 ELSE i % 3 END)
	  FROM generate_series(first, last) i,
	       LATERAL (SELECT rec.rnd(seed, i, 1) * 100 AS x, rec.rnd(seed, i, 2) * 100 AS y, rec.rnd(seed, i, 3) * 100 AS z,
	                       rec.rnd(seed, i, 4) ^ 4 * CASE WHEN i % 40 = 3 THEN 100 ELSE 3 END AS w) r,
	       LATERAL (SELECT CASE WHEN i % 12 = 5 THEN NULL WHEN i % 97 = 6 THEN box(point(x, 'NaN'), point('Infinity', y))
	                       ELSE box(point(x - w, y - w), point(x + w, y + w)) END AS b) v $$;

	-- Changes, in transactions of a few rows each; with a checkpoint now and then.
	CREATE PROCEDURE rec.end_transaction(n int, images boolean) LANGUAGE plpgsql AS $$
	BEGIN
	  COMMIT;
	  IF images AND n % 16 = 0 THEN
	    CHECKPOINT;
	  END IF;
	END $$;
	CREATE PROCEDURE rec.fill(name text, seed int, first int, last int, images boolean) LANGUAGE plpgsql AS $$
	DECLARE
	  n int := 0;
	  up_to int;
	BEGIN
	  WHILE first <= last LOOP
	    up_to := least(first + (rec.rnd(seed, first, 9) * 4)::int, last);
	    EXECUTE format('INSERT INTO %I SELECT * FROM rec.rows($1, $2, $3, $4)', name) USING seed, first, up_to, name !~ '^plain';
	    first := up_to + 1;
	    n := n + 1;
	    CALL rec.end_transaction(n, images);
	  END LOOP;
	END $$;
	CREATE PROCEDURE rec.move(name text, seed int, step int, distance float8, images boolean) LANGUAGE plpgsql AS $$
	DECLARE
	  ids int[];
	BEGIN
	  EXECUTE format('SELECT array_agg(id ORDER BY id) FROM %I WHERE id %% $1 = $2 AND b IS NOT NULL', name) INTO ids USING step, seed % step;
	  FOR n IN 1 .. cardinality(ids) BY 3 LOOP
	    EXECUTE format('UPDATE %I SET b = b + d, s = box3(b + d, 10, 20 + id %% 50)
	                    FROM (SELECT point($1 * (rec.rnd($2, $3, 1) - 0.5), $1 * (rec.rnd($2, $3, 2) - 0.5)) AS d) v
	                    WHERE id = ANY($4)', name)
	      USING distance, seed, n, ids[n : n + 2];
	    CALL rec.end_transaction(n / 3, images);
	  END LOOP;
	END $$;

	-- Wait until the standby has replayed the WAL up to here.  No snapshot is kept, which
	-- replay might wait for.
	CREATE PROCEDURE rec.reach(lsn pg_lsn, seconds int) LANGUAGE plpgsql AS $$
	DECLARE
	  started timestamptz := clock_timestamp();
	BEGIN
	  WHILE pg_last_wal_replay_lsn() < lsn LOOP
	    PERFORM pg_sleep(0.0005);
	    COMMIT;
	    IF clock_timestamp() > started + seconds * interval '1 second' THEN
	      RAISE 'replay has stopped at %, before %', pg_last_wal_replay_lsn(), lsn;
	    END IF;
	  END LOOP;
	  IF pg_last_wal_replay_lsn() > lsn THEN
	    RAISE 'replay has gone to %, beyond %', pg_last_wal_replay_lsn(), lsn;
	  END IF;
	END $$;

	-- What is wrong with these indexes, as far as they exist.
	CREATE FUNCTION rec.problems(names text[], n int) RETURNS SETOF text LANGUAGE plpgsql AS $$
	DECLARE
	  name text;
	  truth text[];
	  answer text[];
	BEGIN
	  FOREACH name IN ARRAY names LOOP
	    CONTINUE WHEN to_regclass(name) IS NULL;
	    RETURN QUERY SELECT format('%s, block %s, entry %s: %s', name, c.block, c.item, c.problem) FROM spqtree_check(name::regclass, true) c LIMIT 3;
	    EXECUTE format('SELECT rec.%I($1)', name || '_seq') INTO truth USING n;
	    EXECUTE format('SELECT rec.%I($1)', name || '_index') INTO answer USING n;
	    IF answer IS DISTINCT FROM truth THEN
	      RETURN NEXT format('%s: an index scan returns %s, a sequential scan %s', name, answer, truth);
	    END IF;
	    EXECUTE format('SELECT rec.%I($1)', name || '_bitmap') INTO answer USING n;
	    IF answer IS DISTINCT FROM truth[1:3] THEN
	      RETURN NEXT format('%s: a bitmap scan returns %s, a sequential scan %s', name, answer, truth);
	    END IF;
	  END LOOP;
	END $$;);

#
# The workload
#

my $primary = Server->new('records_primary');
$primary->init(allows_streaming => 1, extra => ['--wal-segsize=1']);
$primary->append_conf('postgresql.conf', qq(
autovacuum = off
checkpoint_timeout = 1d
full_page_writes = off
hot_standby = on
jit = off
log_statement = none
max_parallel_maintenance_workers = 0
max_parallel_workers_per_gather = 0
max_standby_archive_delay = -1
max_standby_streaming_delay = -1
max_wal_size = 4GB
plan_cache_mode = force_generic_plan
recovery_prefetch = off
shared_buffers = 32MB
wal_compression = off
wal_keep_size = 4GB
wal_level = replica
wal_recycle = off
wal_retrieve_retry_interval = 2ms
));
$primary->start;
$primary->safe_psql('postgres', 'CREATE EXTENSION spqtree;' . tables() . $functions . questions());
$primary->safe_psql('postgres', 'CHECKPOINT');
$primary->stop('immediate');
$primary->backup_fs_cold('base');
$primary->start;
$primary->safe_psql('postgres', 'CREATE TABLE note (at pg_lsn, of text)');
my $from = Wal::number_of_lsn($primary->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()'));
my $base = $primary->backup_dir . '/base';

# The steps, and where in the WAL each begins.
my @steps;

sub step
{
	my ($name, @sql) = @_;

	push @steps, { name => $name, start => Wal::number_of_lsn($primary->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()')) };
	# one by one, so that each is a transaction, or several
	$primary->safe_psql('postgres', join ";\n", @sql);
	return;
}

for my $half (1, 2)
{
	my $images = $half == 2 ? 'true' : 'false';

	if ($half == 2)
	{
		$primary->append_conf('postgresql.conf', 'full_page_writes = on');
		$primary->restart;
	}
	for my $kind (@kinds_of_table)
	{
		my $table = "${kind}_$half";
		my $thin = $kind eq 'plain' || $kind eq 'solid_keyed';
		my $rows = $thin ? 800 : 600;
		my $vacuum = "VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF, PARALLEL 0) $table";
		my @built = grep { ($index{$_}{table} || '') eq $kind } sort keys %index;
		my $seed = 10 * $half;

		step("fill $table", "CALL rec.fill('$table', $seed, 1, $rows, $images)");
		step("move $table", map { "CALL rec.move('$table', $seed, 4, $_, $images)" } 2, 5, 30);
		step("delete $table", "DELETE FROM $table WHERE b <@ box '((0,0),(60,80))'");
		step("vacuum $table", 'CHECKPOINT') if $half == 2;
		step("vacuum $table", $vacuum);
		step("fill $table again", "CALL rec.fill('$table', $seed + 1, 2001, 2300, $images)");
		step("build $_", "CREATE INDEX ${_}_${half}_i ON $table USING spqtree $index{$_}{columns}") for @built;
		step("move $table far", "CALL rec.move('$table', $seed + 1, 5, 100, $images)");
		step("delete $table, no box", "DELETE FROM $table WHERE b IS NULL AND id % 3 > 0 OR id % 2 = 0");
		step("vacuum $table again", $vacuum);
		step("fill $table at last", "CALL rec.fill('$table', $seed + 2, 3001, 3150, $images)");
	}
}
my $to = Wal::number_of_lsn($primary->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()'));
my %file_of = map { split /\|/ } split /\n/, $primary->safe_psql('postgres', q(SELECT relname, pg_relation_filenode(oid) FROM pg_class WHERE relname ~ '_i$'));
my %name_of = reverse %file_of;
my %levels = map { split /\|/ } split /\n/, $primary->safe_psql('postgres', q(SELECT relname, max(level) FROM pg_class, spqtree_nodes(oid) WHERE relname ~ '_i$' GROUP BY 1));
my $database = $primary->safe_psql('postgres', q(SELECT oid FROM pg_database WHERE datname = 'postgres'));
$primary->stop;

#
# The records
#

my $wal = Wal->new($primary->data_dir . '/pg_wal', $segment_size, $from, $to);
my @records = $wal->records(\%name_of);

# Pages of the indexes as they are after the last record seen.  INCOMPLETE ones are counted.
my (%page, %incomplete);
my $zeros = "\0" x 8192;
for my $name (keys %file_of)
{
	my $path = "$base/base/$database/$file_of{$name}";
	next if !-e $path;
	my $file = TreeFile->new($path);
	$page{ $file_of{$name} } = { map { $_ => $file->{pages}[$_] } 0 .. $#{ $file->{pages} } };
}

sub flags_of { my ($page) = @_; return unpack 'x8182 v', $page; }
sub level_of { my ($page) = @_; return unpack 'x8180 v', $page; }
sub count_of { my ($page) = @_; return unpack 'x8184 v', $page; }

# What a record is, from its pages before and after.
sub kind_of
{
	my ($record, $vacuum) = @_;
	my %change;

	for my $block (@{ $record->{blocks} })
	{
		my ($before, $after) = map { flags_of($_) } @$block{qw(before after)};
		next if $block->{block} == 0;
		$change{growth} = 1 if $block->{block} == 1 && level_of($block->{after}) > level_of($block->{before});
		$change{taken} = 1 if $before & ~$after & TreeFile::FREE;
		$change{freed} = 1 if $after & ~$before & TreeFile::FREE;
		$change{split} = 1 if $after & ~$before & TreeFile::INCOMPLETE;
		$change{finish} = 1 if $before & ~$after & TreeFile::INCOMPLETE;
		$change{'no box'} = 1 if $after & TreeFile::IS_NULLS;
		$change{'inner page'} = 1 if level_of($block->{after}) > 0;
		$change{removal} = 1 if count_of($block->{after}) < count_of($block->{before});
		$change{insertion} = 1 if count_of($block->{after}) > count_of($block->{before});
	}
	my $kind = (first { $change{$_} } 'growth', 'taken', 'freed', 'split', 'finish', 'removal', 'no box', 'inner page', 'insertion') || 'other';
	$kind .= $vacuum ? ' in VACUUM' : ' before a split' if $kind eq 'removal';
	$kind .= ' in VACUUM' if $kind eq 'inner page' && $vacuum;
	return $kind;
}

# Where to stop: after records of our indexes, and after the next commit.
my @stops;
my %touched;
my ($incomplete, $images) = (0, 0);
for my $record (@records)
{
	shift @steps while @steps > 1 && $steps[1]{start} <= $record->{start};
	my @ours = grep { $name_of{ $_->{rel} } && $_->{fork} == 0 } @{ $record->{blocks} };

	if (@ours)
	{
		for my $block (@ours)
		{
			my $before = $page{ $block->{rel} }{ $block->{block} } || $zeros;
			my ($after, $undo) = Wal::redo($block, $before);

			@$block{qw(before after undo)} = ($before, $after, $undo);
			$page{ $block->{rel} }{ $block->{block} } = $after;
			$incomplete += ((flags_of($after) & TreeFile::INCOMPLETE) - (flags_of($before) & TreeFile::INCOMPLETE)) / TreeFile::INCOMPLETE if $block->{block} > 0;
			$touched{ $name_of{ $block->{rel} } } = 1;
		}
		$record->{kind} = $record->{rmid} == Wal::RM_GENERIC ? kind_of({ blocks => \@ours }, $steps[0]{name} =~ /^vacuum/) : $steps[0]{name} =~ /^build/ ? 'build' : 'image';
		$record->{indexes} = [ $name_of{ $ours[0]{rel} } ];
		$record->{name} = "$record->{kind}, $steps[0]{name}";
		$record->{ours} = [ map { my $block = $_; +{ (map { $_ => $block->{$_} } qw(block data_at data_length undo)), ends_split => flags_of($block->{before}) & ~flags_of($block->{after}) & TreeFile::INCOMPLETE } } @ours ];
		$images++ if grep { defined $_->{image} } @ours;
		delete @$_{qw(before after undo image data)} for @ours;
	}
	elsif ($record->{rmid} == Wal::RM_XACT && ($record->{info} & 0x70) == 0 && %touched)
	{
		@$record{qw(kind indexes name)} = ('commit', [ sort keys %touched ], "commit, $steps[0]{name}");
		%touched = ();
	}
	next if !$record->{kind};
	$record->{incomplete} = $incomplete;
	$record->{number} = @stops;
	push @stops, $record;
}
%page = ();

my %number;
$number{ $_->{kind} }++ for @stops;
my $of_indexes = @stops - $number{commit};
note scalar(@records), " records with ", ($to - $from) >> 20, " MB, of which $of_indexes change an index ($images with full-page images), and $number{commit} commits of such changes:";
note "    $number{$_} $_" for sort keys %number;
note "    levels of $_: $levels{$_}" for sort keys %levels;
cmp_ok($of_indexes, '>=', 10000, 'records of indexes in the workload');
is(join(', ', grep { !$number{$_} } 'growth', 'taken', 'freed', 'split', 'finish', 'removal before a split', 'removal in VACUUM', 'no box', 'inner page', 'inner page in VACUUM', 'insertion', 'build'),
	'', 'the workload has records of each kind');
is(join(', ', grep { $levels{$_} < 3 } grep { /^(wide|keyed|solid)_\d_i/ } sort keys %levels), '', 'trees have three levels');

# Draw records, half of them evenly from all kinds.
sub draw
{
	my ($n, @from) = @_;
	my (%of_kind, %drawn);

	push @{ $of_kind{ $_->{kind} } }, $_ for shuffle @from;
	while (keys %drawn < $n / 2 && %of_kind)
	{
		for my $kind (shuffle sort keys %of_kind)
		{
			last if keys %drawn >= $n / 2;
			my $record = pop @{ $of_kind{$kind} };
			$drawn{ $record->{number} } = $record;
			delete $of_kind{$kind} if !@{ $of_kind{$kind} };
		}
	}
	for my $record (shuffle @from)
	{
		last if keys %drawn >= $n;
		$drawn{ $record->{number} } = $record;
	}
	return sort { $a->{number} <=> $b->{number} } values %drawn;
}

#
# Servers that replay
#

# A server with the base and the WAL up to here, not started.
sub server_at
{
	my ($server, $wal, $end, $standby) = @_;

	rmtree($server->data_dir);
	$server->init_from_backup($primary, 'base');
	if ($standby)
	{
		$server->append_conf('standby.signal', '');
		# each look at pg_wal is a line of the log
		$server->append_conf('postgresql.conf', 'log_min_messages = fatal');
	}
	$wal->feed($server->data_dir . '/pg_wal', $wal->{begin}, $end);
	return;
}

# A session, in which errors are part of the output.
sub begin_session
{
	my ($server) = @_;
	my $session = { number => 0, server => $server };
	local $ENV{PGOPTIONS} = "-c statement_timeout=${timeout}s";

	$session->{pid} = open3($session->{in}, $session->{out}, undef, 'psql', '-XAtq', '-f', '-', '-d', $server->connstr('postgres'));
	return $session;
}

sub ask
{
	my ($session, $sql) = @_;
	my $done = 'done ' . ++$session->{number};
	my $out = '';
	my $select = IO::Select->new($session->{out});
	local $SIG{PIPE} = 'IGNORE';

	syswrite $session->{in}, "$sql;\n\\echo $done\n";
	until ($out =~ s/^$done\n//m)
	{
		my $what = !$select->can_read($timeout + 10) ? 'does not answer' : !sysread($session->{out}, $out, 65536, length $out) ? 'has ended' : next;
		die "the session $what: $out\nafter: $sql\nlog: " . substr slurp_file($session->{server}->logfile), -2000;
	}
	return $out;
}

sub end_session
{
	my ($session) = @_;
	close $session->{in};
	waitpid $session->{pid}, 0;
	return;
}

my @names = sort keys %file_of;

sub problems
{
	my ($names, $n) = @_;
	return "SELECT * FROM rec.problems('{" . join(',', @$names) . "}', $n)";
}

# Walk over records, which are in order, on a standby.  Returns what was found.
sub walk
{
	my ($server, $session, $wal, $at, @walk) = @_;
	my @found;
	my $began = time;
	my $walked = 0;

	for my $record (@walk)
	{
		my $end = Wal::lsn_of_number($record->{end});

		$wal->feed($server->data_dir . '/pg_wal', $$at, $record->{end});
		$$at = $record->{end};
		# those that the record changes, and now and then the others
		my $names = ++$walked % ($all ? 1000 : 20) == 0 ? \@names : $record->{indexes};
		my $out = ask($session, "CALL rec.reach('$end', $timeout);\n" . problems($names, $record->{number}));
		push @found, "record $record->{number} to $end ($record->{name}): $out" if $out ne '';
		last if @found >= 10;
		my $done = $record->{number} + 1;
		note sprintf '%d of %d, %.0f s', $done, scalar @stops, time - $began if $done % 2000 == 0;
	}
	return @found;
}

#
# The standby, record by record
#

my @walk = $all ? @stops : draw($records, @stops);
my $standby = Server->new('records_standby');
my $at = $from;
server_at($standby, $wal, $from, 1);
$standby->start;
my $session = begin_session($standby);
my $began = time;
my @found = walk($standby, $session, $wal, \$at, @walk);
is(join("\n", @found), '', 'at ' . @walk . " of @{[ scalar @stops ]} records: indexes are sound, and scans return what sequential scans return");
note sprintf '%.1f ms for each record', 1000 * (time - $began) / @walk;

# That is what indexes were asked.
for my $kind (sort keys %index)
{
	for my $plan ('index', 'bitmap')
	{
		my $query = 'SELECT ' . question($kind, 2, $plan eq 'index') =~ s/\bn\b/7/gr;
		my $out = ask($session, join ';', (map { "SET enable_$_ = $allowed{$plan}{$_}" } sort keys %{ $allowed{$plan} }), "EXPLAIN (COSTS OFF) $query", 'RESET ALL');
		my $scans = () = $out =~ /(?:Index Scan using|Bitmap Index Scan on) ${kind}_2_i\b/g;
		is($scans . ($out =~ /Seq Scan/ ? ' and sequential scans' : ''), $plan eq 'index' ? 4 : 3, "the plan of questions for $kind by $plan scans");
	}
}
end_session($session);
$standby->stop('immediate');

#
# A redo that leaves out a page of a record is noticed
#

# Of each kind of record, and which page: the last record of an index that is sound until
# then.
sub leave_out
{
	my ($kind, $which, $sound) = @_;

	for my $record (reverse @stops)
	{
		next if $record->{kind} ne $kind || !$sound->{ $record->{indexes}[0] };
		my $page = first { length($_->{undo} || '') && $which->($_) } @{ $record->{ours} } or next;
		delete $sound->{ $record->{indexes}[0] };
		return { record => $record, page => $page };
	}
	die "no record for $kind";
}

my %sound = map { $_ => 1 } @names;
my @left_out = sort { $a->{record}{number} <=> $b->{record}{number} }
  map { my ($name, $kind, $which) = @$_; +{ name => $name, %{ leave_out($kind, $which, \%sound) } } } (
	[ 'the leaf with a new row', 'insertion', sub { 1 } ],
	[ 'the left half of a split', 'split', sub { $_[0]{block} > 0 } ],
	[ 'the flag at the end of a split', 'finish', sub { $_[0]{ends_split} } ],
	[ 'the downlinks at the end of a split', 'finish', sub { !$_[0]{ends_split} } ],
	[ 'the root that grows', 'growth', sub { $_[0]{block} == 1 } ],
	[ 'the metapage of a tree that grows', 'growth', sub { $_[0]{block} == 0 } ],
	[ 'the metapage when a free page is taken', 'taken', sub { $_[0]{block} == 0 } ],
	[ 'a page that becomes free', 'freed', sub { 1 } ],
	[ 'bounds that are widened', 'inner page', sub { 1 } ]);
my $changed = $wal->copy;
$changed->replace($_->{record}, $_->{page}, $_->{page}{undo}) for @left_out;
server_at($standby, $changed, $from, 1);
$standby->start;
$session = begin_session($standby);
$at = $from;
for my $left_out (@left_out)
{
	my $number = $left_out->{record}{number};
	my $index = $left_out->{record}{indexes}[0];
	my $answer;

	# rows may only be missed when they are committed, and bounds when they have rows
	for my $record (@stops[ $number .. min($number + 20, $#stops) ])
	{
		next if !grep { $_ eq $index } @{ $record->{indexes} };
		$changed->feed($standby->data_dir . '/pg_wal', $at, $record->{end});
		$at = $record->{end};
		$answer = ask($session, sprintf "CALL rec.reach('%s', $timeout);\n%s", Wal::lsn_of_number($at), problems([$index], $number));
		last if $answer ne '';
	}
	isnt($answer, '', "without $left_out->{name}: $index is not as it should be");
	note $answer;
}
end_session($session);
$standby->stop('immediate');

#
# Crashes and promotions
#

# INCOMPLETE pages in the files of these indexes.
sub incomplete_pages
{
	my ($server, @names) = @_;
	my $n = 0;

	$server->safe_psql('postgres', 'CHECKPOINT');
	for my $path (map { $server->data_dir . "/base/$database/$file_of{$_}" } @names)
	{
		next if !-s $path;
		my $file = TreeFile->new($path);
		$n += grep { !$file->is_zero($_) && $file->flags($_) & TreeFile::INCOMPLETE } 1 .. $#{ $file->{pages} };
	}
	return $n;
}

# of crashes, most are between a split and its end
my @unfinished = grep { $_->{incomplete} } @stops;
my @crashes = shuffle(draw(int($crashes * 0.7), @unfinished), draw($crashes - int($crashes * 0.7), @stops));
my ($left, $finished) = (0, 0);
@found = ();
$began = time;
for my $n (0 .. $#crashes)
{
	my $record = $crashes[$n];
	my $end = Wal::lsn_of_number($record->{end});
	my $promoted = $n % 4 == 3;
	my $crash = Server->new("records_crash_$n");
	my $all_ok = problems(\@names, $record->{number});
	my $index = $record->{indexes}[0];
	my ($kind, $half) = $index =~ /^(\w+)_(\d)_i$/;
	my $table = table_of($kind, $half);

	my @answers;

	server_at($crash, $wal, $record->{end}, $promoted);
	$crash->start;
	eval {
		if ($promoted)
		{
			$crash->safe_psql('postgres', "CALL rec.reach('$end', $timeout)");
			$crash->promote;
		}
		push @answers, $crash->safe_psql('postgres', $all_ok);
		my $unfinished = incomplete_pages($crash, @names);
		push @answers, "$unfinished INCOMPLETE pages, should be $record->{incomplete}" if $unfinished != $record->{incomplete};

		# where the rows are already, and anywhere
		my $here = incomplete_pages($crash, $index);
		$crash->safe_psql('postgres', "INSERT INTO $table SELECT id + 100000, k, b, s, pad FROM $table; CALL rec.fill('$table', 7, 5001, 5300, false)");
		push @answers, $crash->safe_psql('postgres', $all_ok);
		my $still = incomplete_pages($crash, $index);
		$left += $here;
		$finished += $here - $still;

		$crash->safe_psql('postgres', "DELETE FROM $table WHERE id % 3 = 0");
		$crash->safe_psql('postgres', "VACUUM (INDEX_CLEANUP ON) $table");
		push @answers, $crash->safe_psql('postgres', $all_ok);
		$crash->safe_psql('postgres', "CALL rec.fill('$table', 8, 6001, 6300, false)");
		push @answers, $crash->safe_psql('postgres', $all_ok);
		1;
	} or push @answers, $@;
	my $answer = join "\n", grep { $_ ne '' } @answers;
	push @found, ($promoted ? 'promotion' : 'crash') . " at record $record->{number}, $end ($record->{name}): $answer" if $answer ne '';
	$crash->stop('immediate');
	$crash->clean_node;
	last if @found >= 10;
}
is(join("\n", @found), '', 'after ' . @crashes . ' crashes and promotions, after more rows, after VACUUM and rows again: indexes are sound, and answer as the table does');
# that of an inner page only if its turn comes
cmp_ok($finished, '>=', $left / 2, "insertions finish splits, $finished of $left");
cmp_ok($finished, '>', 0, 'there were splits to finish');
note sprintf '%.1f s for each crash', (time - $began) / @crashes;

done_testing();
