# A watch with a dwell time under concurrent moves, changes of fences and calls of
# spqtree_settle_watch, at every isolation level, with rollbacks.  A second watch without a dwell
# time says when each pair began and ended; a trigger on the table of pairs says which times the
# first one took for that.  The events have to be those of a replay of these times, to the
# microsecond, and the two watches have to agree on how often each pair began and ended.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;
use Time::HiRes qw(usleep);

my $seed = $ENV{SPQTREE_SEED} || int(rand(1_000_000));
my $seconds = $ENV{SPQTREE_SECONDS} || 12;
note "SPQTREE_SEED=$seed";
diag "seed $seed";

my $node = PostgreSQL::Test::Cluster->new('watch_dwell');
$node->init;
$node->append_conf('postgresql.conf', "deadlock_timeout = 100ms\nfsync = off\n");
$node->start;

$node->safe_psql('postgres', q(
	CREATE EXTENSION spqtree;
	CREATE TABLE obj (id int PRIMARY KEY, pos point, note int);
	CREATE TABLE fence (id int PRIMARY KEY, area box);
	CREATE INDEX ON obj USING spqtree (pos);
	CREATE INDEX ON fence USING spqtree (area);
	INSERT INTO obj SELECT i, '(-9,-9)' FROM generate_series(1, 40) AS i;
	INSERT INTO fence SELECT i, box(point(i * 5, 0), point(i * 5 + 4, 9)) FROM generate_series(0, 7) AS i;
	SELECT spqtree_watch('plain', 'obj', 'pos', 'fence', 'area');
	SELECT spqtree_watch('stay', 'obj', 'pos', 'fence', 'area', dwell => '60 milliseconds');
	-- when a pair of the table of pairs began or ended to be held
	CREATE TABLE flip (id bigserial, object int, fence int, held boolean, at timestamptz);
	CREATE FUNCTION held(pair stay) RETURNS boolean LANGUAGE sql AS 'SELECT coalesce(NOT pair.entered OR pair.waiting IS NULL, false)';
	CREATE FUNCTION flips() RETURNS trigger LANGUAGE plpgsql AS $$
	DECLARE
		was boolean := TG_OP <> 'INSERT' AND public.held(old);
		is_held boolean := TG_OP <> 'DELETE' AND public.held(new);
	BEGIN
		IF was AND NOT is_held THEN
			-- a pair that has not entered leaves no time behind when it ends
			INSERT INTO public.flip (object, fence, held, at) VALUES (old.object, old.fence, false, new.waiting);
		ELSIF is_held AND NOT was THEN
			-- ... and one that has not left none when it begins again
			INSERT INTO public.flip (object, fence, held, at) VALUES (new.object, new.fence, true, CASE WHEN NOT new.entered THEN new.since END);
		END IF;
		RETURN NULL;
	END $$;
	CREATE TRIGGER flips AFTER INSERT OR UPDATE OR DELETE ON stay FOR EACH ROW EXECUTE FUNCTION flips();
	-- a random change, of objects mostly
	CREATE FUNCTION change(seed bigint, what float8) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		i int;
	BEGIN
		PERFORM setseed((seed % 1000003) / 1000003.0);
		i := 1 + floor(random() * 40);
		IF what < 0.55 THEN
			UPDATE obj SET pos = point(random() * 42, random() * 10) WHERE id = i;
		ELSIF what < 0.7 THEN
			UPDATE obj SET pos = pos + point(1.3, 0) WHERE id BETWEEN i AND i + 2;
		ELSIF what < 0.85 THEN
			UPDATE obj SET note = i WHERE id = i;
		ELSIF what < 0.9 THEN
			DELETE FROM obj WHERE id = i;
		ELSIF what < 0.97 THEN
			INSERT INTO obj VALUES (i, point(random() * 42, 5)) ON CONFLICT (id) DO UPDATE SET pos = excluded.pos;
		ELSE
			UPDATE fence SET area = area + point(random() * 2 - 1, 0) WHERE id = i % 8;
		END IF;
		PERFORM pg_sleep(random() * random() * 0.004);
	END $$;
));

my $dir = PostgreSQL::Test::Utils::tempdir;
my %scripts = (timer => "\\sleep 7 ms\nSELECT spqtree_settle_watch('stay');\n",
	slow_timer => "\\sleep 20 ms\nBEGIN;\nSELECT spqtree_settle_watch('stay');\n\\sleep 5 ms\n\\set back random(1, 3)\n\\if :back = 1\nROLLBACK;\n\\else\nCOMMIT;\n\\endif\n");
foreach my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE')
{
	$scripts{$level} = join "\n", "\\set a random(1, 2000000000)", "\\set what random(0, 999)", "\\set more random(1, 3)", "\\set back random(1, 8)",
		"BEGIN ISOLATION LEVEL $level;", "SELECT change(:a, :what / 1000.0);",
		'\if :more = 1', "SELECT change(:a + 7, :what / 2000.0);", '\endif',
		'\if :back = 1', 'ROLLBACK;', '\else', 'COMMIT;', '\endif', '';
}
my @runs;
foreach my $name (sort keys %scripts)
{
	my $file = $dir . '/' . ($name =~ s/ /_/gr) . '.sql';
	append_to_file($file, $scripts{$name});
	my %run = (name => $name, out => '', err => '');
	$run{run} = IPC::Run::start([ 'pgbench', '-n', '-T', $seconds, '-c', $name =~ /timer/ ? 1 : 2, '--max-tries', 1000, '--random-seed', $seed, '-f', $file, $node->connstr('postgres') ],
		'<', '/dev/null', '>', \$run{out}, '2>', \$run{err});
	push @runs, \%run;
}
foreach my $run (@runs)
{
	$run->{run}->finish;
	is(join('', grep { !/setting random seed/ } split /^/m, $run->{err}), '', "$run->{name}: no client failed");
	my ($count) = $run->{out} =~ /actually processed: (\d+)/;
	cmp_ok($count, '>', 20, "$run->{name}: many transactions");
	note "$run->{name}: $count transactions";
}
usleep(100_000);
$node->safe_psql('postgres', q(SELECT spqtree_settle_watch('stay')));

# Pairs, and how often they began and ended.
is($node->safe_psql('postgres', q(SELECT * FROM spqtree_check_watch('stay'))), '', 'the pairs are right');
is($node->safe_psql('postgres', q(SELECT object, fence FROM stay WHERE NOT entered OR waiting IS NOT NULL)), '', 'after the last stay, nothing waits');
is($node->safe_psql('postgres', q(SELECT object, fence FROM stay FULL JOIN plain USING (object, fence) WHERE stay.object IS NULL OR plain.object IS NULL)), '', 'the pairs are those of the plain watch');
is($node->safe_psql('postgres', q(
	SELECT object, fence FROM (SELECT object, fence, string_agg(held::text, ' ' ORDER BY id) AS states FROM flip GROUP BY 1, 2) AS a
	FULL JOIN (SELECT object, fence, string_agg((kind = 'enter')::text, ' ' ORDER BY id) AS states FROM plain_events GROUP BY 1, 2) AS b USING (object, fence)
	WHERE a.states IS DISTINCT FROM b.states)), '', 'each pair began and ended as often as in the plain watch');

# The replay.  The trigger of the plain watch runs first, so its time is earlier.  A flip has no time
# of its own if it took back the one before, in less than the dwell time.
$node->safe_psql('postgres', q(
	CREATE TABLE replay AS
	SELECT row_number() OVER w AS n, f.object, f.fence, f.held, f.at AS own, p.at AS plain,
		lead(f.at) OVER w AS next_own, lead(p.at) OVER w AS next_plain, lead(f.held) OVER w IS NULL AS last, lag(f.at) OVER w AS before
	FROM (SELECT *, row_number() OVER (PARTITION BY object, fence ORDER BY id) AS nth FROM flip) AS f
	JOIN (SELECT *, row_number() OVER (PARTITION BY object, fence ORDER BY id) AS nth FROM plain_events) AS p USING (object, fence, nth)
	WINDOW w AS (PARTITION BY f.object, f.fence ORDER BY f.id);
	CREATE VIEW logged AS
	SELECT r.*, e.id FROM replay AS r LEFT JOIN stay_events AS e ON e.object = r.object AND e.fence = r.fence AND r.held = (e.kind = 'enter') AND e.at = r.own + interval '60 milliseconds';
));
my %none = (
	'the time of a change is not before the one that the plain watch took' => q(own < plain),
	'the times of a pair ascend' => q(own < before),
	'an event is the end of a stay that lasted the dwell time' => q(id IS NOT NULL AND NOT last AND (next_own IS NULL OR next_own < own + interval '60 milliseconds')),
	'a stay that lasted surely has an event' => q(id IS NULL AND own IS NOT NULL AND (last OR next_own >= own + interval '60 milliseconds' OR next_plain >= own + interval '60 milliseconds')));
foreach my $text (sort keys %none)
{
	is($node->safe_psql('postgres', "SELECT object, fence, n, held, own, plain, next_own, next_plain, id FROM logged WHERE $none{$text}"), '', $text);
}
is($node->safe_psql('postgres', q(SELECT count(*) FROM stay_events)), $node->safe_psql('postgres', q(SELECT count(id) FROM logged)), 'each event has a cause');
is($node->safe_psql('postgres', q(SELECT object, fence FROM (SELECT object, fence, kind, lag(kind, 1, 'leave') OVER (PARTITION BY object, fence ORDER BY id) AS before FROM stay_events) AS e WHERE kind = before)),
	'', 'enter and leave alternate');
is($node->safe_psql('postgres', q(SELECT object, fence FROM (SELECT object, fence FROM stay_events GROUP BY 1, 2 HAVING sum(CASE kind WHEN 'enter' THEN 1 ELSE -1 END) = 1) AS e
	FULL JOIN (SELECT * FROM stay WHERE entered) AS p USING (object, fence) WHERE e.object IS NULL OR p.object IS NULL)), '', 'the events sum up to the pairs');
my $counts = $node->safe_psql('postgres', q(SELECT (SELECT count(*) FROM plain_events) || ' ' || (SELECT count(*) FROM stay_events)));
note "events without and with a dwell time: $counts";
my ($plain, $stay) = split / /, $counts;
cmp_ok($stay, '>', 50, 'there were many events');
cmp_ok($plain, '>', $stay, 'and short stays without one');

$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|leak|terminated by signal/, 'no crash or leak in the log');
done_testing();
