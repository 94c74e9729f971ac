# Tables that are watched in every way, random statements on them, and comparisons of pairs
# and events with the truth, computed by sequential scans of the tables.
package Watched;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SpqTest;
use Test::More;

our @EXPORT = qw(watched_tables watched_ok watched_scripts);

# Three groups of tables, because a watch of objects among themselves does not let two
# statements on them run at once: vehicles and zones, players, and parcels, whose key is not
# unique.  The watches are created while the tables are empty, so their events account for all
# pairs.
my $tables = q(
	CREATE TABLE customer (id int PRIMARY KEY);
	CREATE TABLE vehicle (id int PRIMARY KEY, customer int REFERENCES customer ON DELETE CASCADE, pos point, b box, p3 point3, on_duty boolean, n int);
	CREATE TABLE zone (id int PRIMARY KEY, customer int REFERENCES customer ON DELETE CASCADE, area box, b3 box3, open boolean);
	CREATE TABLE player (id int PRIMARY KEY, pos box, sight box);
	CREATE TABLE parcel (id int, depot int, pos point, PRIMARY KEY (id, depot)) PARTITION BY LIST (depot);
	CREATE TABLE parcel_0 PARTITION OF parcel FOR VALUES IN (0);
	CREATE TABLE parcel_1 PARTITION OF parcel FOR VALUES IN (1);
	CREATE TABLE gate (id int PRIMARY KEY, area box);
	CREATE INDEX ON vehicle USING spqtree (pos);
	CREATE INDEX ON vehicle USING spqtree (b);
	CREATE INDEX ON vehicle USING spqtree (p3);
	CREATE INDEX ON zone USING spqtree (area);
	CREATE INDEX ON zone USING spqtree (b3);
	CREATE INDEX ON player USING spqtree (pos);
	CREATE INDEX ON gate USING gist (area);
	INSERT INTO customer SELECT generate_series(0, 3);

	SELECT spqtree_watch('plain', 'vehicle', 'pos', 'zone', 'area', notify => 'plain');
	SELECT spqtree_watch('late', 'vehicle', 'b', 'zone', 'area', distance => 1, leave_distance => 3);
	SELECT spqtree_watch('some', 'vehicle', 'b', 'zone', 'area', object_condition => 'on_duty', fence_condition => 'open',
		object_group => 'customer', fence_group => 'customer');
	SELECT spqtree_watch('space', 'vehicle', 'p3', 'zone', 'b3', kinds => '{enter,leave,inside,outside}');
	SELECT spqtree_watch('close', 'player', 'pos', distance => 1);
	SELECT spqtree_watch('sees', 'player', 'pos', 'player', 'sight');
	SELECT spqtree_watch('both', 'player', 'pos', distance => 1, leave_distance => 2, both_ways => true);
	SELECT spqtree_watch('at_gate', 'parcel', 'pos', 'gate', 'area', object_key => 'id');

	-- what each has to be; near is false for what may be a pair, but does not begin one
	CREATE TABLE truth (watch text, query text);
	INSERT INTO truth VALUES
	('plain', 'SELECT o.id, f.id, true FROM vehicle o, zone f WHERE spqtree_dwithin(o.pos, f.area, 0)'),
	('late', 'SELECT o.id, f.id, spqtree_dwithin(o.b, f.area, 1) FROM vehicle o, zone f WHERE spqtree_dwithin(o.b, f.area, 3)'),
	('some', 'SELECT o.id, f.id, true FROM vehicle o, zone f WHERE o.b && f.area AND o.on_duty AND f.open AND o.customer = f.customer'),
	('space', 'SELECT o.id, f.id, true FROM vehicle o, zone f WHERE f.b3 @> o.p3'),
	('close', 'SELECT o.id, f.id, true FROM player o, player f WHERE spqtree_dwithin(o.pos, f.pos, 1) AND o.id < f.id'),
	('sees', 'SELECT o.id, f.id, true FROM player o, player f WHERE o.pos && f.sight AND o.id <> f.id'),
	('both', 'SELECT o.id, f.id, spqtree_dwithin(o.pos, f.pos, 1) FROM player o, player f WHERE spqtree_dwithin(o.pos, f.pos, 2) AND o.id <> f.id'),
	('at_gate', 'SELECT DISTINCT o.id, f.id, true FROM parcel o, gate f WHERE spqtree_dwithin(o.pos, f.area, 0)'));

# Statements that a client might send.  %1$s is an id, %2$s a number of rows.
my @statements = (
	q(INSERT INTO vehicle SELECT (any_vehicle(i)).* FROM generate_series(%1$s, %1$s + %2$s) AS i ON CONFLICT (id) DO UPDATE SET pos = excluded.pos, b = excluded.b),
	q(INSERT INTO vehicle SELECT (any_vehicle(%1$s)).* ON CONFLICT DO NOTHING),
	q(DELETE FROM vehicle WHERE id BETWEEN %1$s AND %1$s + %2$s / 4),
	(q(UPDATE vehicle v SET pos = o.pos, b = o.b, p3 = o.p3 FROM (SELECT (any_vehicle(i)).* FROM generate_series(%1$s, %1$s + %2$s) AS i) AS o WHERE o.id = v.id)) x 4,
	(q(UPDATE vehicle SET pos = pos + point(0.7, 0), b = b + point(0.5, 0.2), p3 = p3 + point3(0, 0.5, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s)) x 4,
	q(UPDATE vehicle SET n = n + 1 WHERE id BETWEEN %1$s AND %1$s + %2$s),
	q(UPDATE vehicle SET on_duty = NOT on_duty, customer = %1$s %% 4 WHERE id = %1$s AND EXISTS (SELECT FROM customer c WHERE c.id = %1$s %% 4)),
	q(UPDATE vehicle SET b = NULL, pos = '(NaN,0)' WHERE id = %1$s),
	q(UPDATE vehicle SET id = id + 1000 WHERE id = %1$s),
	q(DELETE FROM vehicle WHERE id > 1000),
	q(MERGE INTO vehicle USING (SELECT (any_vehicle(i)).* FROM generate_series(%1$s, %1$s + %2$s) AS i) AS s ON vehicle.id = s.id
		WHEN MATCHED AND NOT s.on_duty THEN DELETE WHEN MATCHED THEN UPDATE SET pos = s.pos, b = s.b, p3 = s.p3),
	(q(UPDATE zone v SET area = o.area, b3 = o.b3 FROM (SELECT (any_zone(i)).* FROM generate_series(%1$s, %1$s + 3) AS i) AS o WHERE o.id = v.id)) x 2,
	q(INSERT INTO zone SELECT (any_zone(%1$s)).* ON CONFLICT (id) DO UPDATE SET area = excluded.area),
	q(INSERT INTO zone SELECT (any_zone(%1$s)).* ON CONFLICT DO NOTHING),
	q(DELETE FROM zone WHERE id = %1$s),
	q(UPDATE zone SET open = NOT open WHERE id = %1$s),
	q(WITH a AS (UPDATE vehicle SET pos = pos + point(1, 1) WHERE id BETWEEN %1$s AND %1$s + 3) UPDATE zone SET area = area + point(1, 1) WHERE id BETWEEN %1$s AND %1$s + 3),
	q(WITH a AS (DELETE FROM zone WHERE id = %1$s) DELETE FROM vehicle WHERE id = %1$s),
	q(DELETE FROM customer WHERE id = %1$s %% 4 AND %2$s = 1),
	q(INSERT INTO customer SELECT generate_series(0, 3) ON CONFLICT DO NOTHING),
	q(INSERT INTO player SELECT (any_player(i)).* FROM generate_series(%1$s, %1$s + %2$s) AS i ON CONFLICT DO NOTHING),
	q(UPDATE player v SET pos = o.pos, sight = o.sight FROM (SELECT (any_player(i)).* FROM generate_series(%1$s, %1$s + %2$s) AS i) AS o WHERE o.id = v.id),
	q(UPDATE player SET pos = pos + point(0.5, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s),
	q(UPDATE player SET sight = sight + point(1, 0.5) WHERE id BETWEEN %1$s AND %1$s + %2$s),
	q(DELETE FROM player WHERE id = %1$s),
	q(INSERT INTO parcel SELECT (any_parcel(i, i %% 2)).* FROM generate_series(%1$s, %1$s + %2$s) AS i ON CONFLICT DO NOTHING),
	q(INSERT INTO parcel_0 SELECT (any_parcel(%1$s, 0)).* ON CONFLICT (id, depot) DO UPDATE SET pos = excluded.pos),
	q(UPDATE parcel SET depot = 1 - depot WHERE id = %1$s AND NOT EXISTS (SELECT FROM parcel o WHERE o.id = parcel.id AND o.depot = 1 - parcel.depot)),
	q(UPDATE parcel_1 SET pos = pos + point(1, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s),
	q(DELETE FROM parcel WHERE id = %1$s),
	q(INSERT INTO gate SELECT (any_gate(%1$s)).* ON CONFLICT (id) DO UPDATE SET area = excluded.area),
	q(DELETE FROM gate WHERE id = %1$s),
	q(TRUNCATE gate));

my $functions = q(
	CREATE FUNCTION place() RETURNS point LANGUAGE sql AS $$ SELECT point(round((random() * 20)::numeric, 1)::float8, round((random() * 20)::numeric, 1)::float8) $$;
	CREATE FUNCTION any_vehicle(i int) RETURNS vehicle LANGUAGE sql AS $$
		SELECT i, (SELECT c.id FROM customer c ORDER BY random() LIMIT 1), p, box(p, p + point(random() * 2, random() * 2)), point3(p[0], p[1], random() * 3), random() < 0.8, 0 FROM place() AS p $$;
	CREATE FUNCTION any_zone(i int) RETURNS zone LANGUAGE sql AS $$
		SELECT i, (SELECT c.id FROM customer c ORDER BY random() LIMIT 1), box(p, p + point(random() * 5, random() * 5)), box3(point3(p[0], p[1], 0), point3(p[0] + 4, p[1] + 4, random() * 3)), random() < 0.8 FROM place() AS p $$;
	CREATE FUNCTION any_player(i int) RETURNS player LANGUAGE sql AS $$ SELECT i, box(p, p + point(1, 1)), box(p - point(3, 1), p + point(1, 3)) FROM place() AS p $$;
	CREATE FUNCTION any_parcel(i int, depot int) RETURNS parcel LANGUAGE sql AS $$ SELECT i, depot, p FROM place() AS p $$;
	CREATE FUNCTION any_gate(i int) RETURNS gate LANGUAGE sql AS $$ SELECT i, box(p, p + point(4, 4)) FROM place() AS p $$;

	-- One statement, and with a chance of its own another one that is taken back.
	CREATE FUNCTION change(seed bigint, what text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		statements text[] := (SELECT array_agg(statement ORDER BY n) FROM statement WHERE statement ~ what);
	BEGIN
		PERFORM setseed((seed % 1000003) / 1000003.0);
		FOR i IN 1 .. 1 + (random() < 0.2)::int LOOP
			BEGIN
				EXECUTE format(statements[1 + floor(random() * cardinality(statements))::int], 1 + floor(random() * 60)::int, 1 + floor(random() * random() * 30)::int);
				IF i = 2 THEN RAISE division_by_zero; END IF;
			EXCEPTION WHEN division_by_zero OR unique_violation OR foreign_key_violation THEN NULL;
			END;
			PERFORM pg_sleep(random() * random() * 0.001);
		END LOOP;
	END $$;

	-- What is wrong with pairs and events, and how many there are.
	CREATE FUNCTION wrong(OUT problem text) RETURNS SETOF text LANGUAGE plpgsql AS $$
	DECLARE
		w record;
		n bigint;
	BEGIN
		SET LOCAL enable_indexscan = off;
		SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_indexonlyscan = off;
		SET LOCAL spqtree.enable_hashjoin = off;
		FOR w IN SELECT *, watch || '_events' AS events FROM truth LOOP
			EXECUTE format('SELECT count(*) FROM (%s) AS t(object, fence, near) FULL JOIN %I AS p USING (object, fence)
				WHERE t.object IS NULL OR (near AND p.object IS NULL)', w.query, w.watch) INTO n;
			IF n > 0 THEN problem := format('%s: %s pairs are not the truth', w.watch, n); RETURN NEXT; END IF;
			EXECUTE format($q$SELECT count(*) FROM (SELECT sum(CASE kind WHEN 'enter' THEN 1 ELSE -1 END)
				OVER (PARTITION BY object, fence ORDER BY id) AS n FROM %I WHERE kind IN ('enter', 'leave')) s WHERE n NOT IN (0, 1)$q$, w.events) INTO n;
			IF n > 0 THEN problem := format('%s: %s events doubled or missed', w.watch, n); RETURN NEXT; END IF;
			EXECUTE format($q$SELECT count(*) FROM (SELECT object, fence FROM %2$I WHERE kind IN ('enter', 'leave') GROUP BY object, fence
				HAVING sum(CASE kind WHEN 'enter' THEN 1 ELSE -1 END) = 1) s FULL JOIN %1$I p USING (object, fence)
				WHERE s.object IS NULL OR p.object IS NULL$q$, w.watch, w.events) INTO n;
			IF n > 0 THEN problem := format('%s: the events of %s pairs do not sum up', w.watch, n); RETURN NEXT; END IF;
		END LOOP;
	END $$;
	CREATE FUNCTION events() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		w record;
		n bigint;
		text text := '';
	BEGIN
		FOR w IN SELECT * FROM truth LOOP
			EXECUTE format('SELECT count(*) FROM %I', w.watch || '_events') INTO n;
			text := text || w.watch || ' ' || n || ' ';
		END LOOP;
		RETURN text;
	END $$;);

# Create the extension, tables, watches and functions.
sub watched_tables
{
	my ($node) = @_;

	$node->safe_psql('postgres', "CREATE EXTENSION spqtree; $tables; $functions; CREATE TABLE statement (n serial, statement text)");
	foreach my $statement (@statements)
	{
		$node->safe_psql('postgres', 'INSERT INTO statement (statement) VALUES ($query$' . $statement . '$query$)');
	}
	$node->safe_psql('postgres', 'SELECT change(i) FROM generate_series(1, 200) AS i');
	return;
}

# Compare all pairs and events with the truth.
sub watched_ok
{
	my ($node, $when) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	is($node->safe_psql('postgres', 'SELECT problem FROM wrong()'), '', "$when: pairs and events are the truth");
	is($node->safe_psql('postgres', 'SELECT watch, c.* FROM truth, LATERAL spqtree_check_watch(watch::regclass) AS c'), '', "$when: spqtree_check_watch finds nothing");
	note "$when: events: " . $node->safe_psql('postgres', 'SELECT events()');
	return;
}

# Scripts for pgbench: a transaction of one to three changes, at each isolation level,
# some of them rolled back; of vehicles only, which may run side by side, or of other tables, or
# of any.
sub watched_scripts
{
	my %scripts;
	foreach my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE')
	{
		foreach my $what ('^UPDATE vehicle', 'player|parcel|gate', '')
		{
			$scripts{"$level $what"} = join("\n",
				'\set a random(1, 2000000000)', '\set n random(1, 3)', '\set back random(1, 10)',
				"BEGIN ISOLATION LEVEL $level;", "SELECT change(:a, '$what');",
				'\if :n > 1', "SELECT change(:a + 7, '$what');", '\endif',
				'\if :n > 2', "SELECT change(:a + 11, '$what');", '\endif',
				'\if :back = 1', 'ROLLBACK;', '\else', 'COMMIT;', '\endif', '');
		}
	}
	return %scripts;
}

1;
