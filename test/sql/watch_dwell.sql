-- Watches with a dwell time: enter and leave only after a stay.  The tests let time
-- pass by setting the clock of the waiting pairs back.
SET client_min_messages = warning;
CREATE SCHEMA dwell;
SET search_path = dwell, public;

CREATE TABLE cars (id int PRIMARY KEY, pos point, note text);
CREATE TABLE yards (id int PRIMARY KEY, area box, open boolean DEFAULT true);
CREATE INDEX ON yards USING spqtree (area);
CREATE INDEX ON cars USING spqtree (pos);
INSERT INTO cars VALUES (1, '(1,1)'), (2, '(50,50)');
INSERT INTO yards VALUES (10, '(0,0),(4,4)'), (20, '(10,0),(14,4)');
SELECT spqtree_watch('in_yard', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes');

CREATE FUNCTION later(minutes int, watch text DEFAULT 'in_yard') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('UPDATE %s SET since = since - %L::interval, waiting = waiting - %L::interval',
		watch, minutes * interval '1 minute', minutes * interval '1 minute');
END $$;
CREATE FUNCTION pairs(watch text DEFAULT 'in_yard') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format($q$SELECT coalesce(string_agg(concat(object, '-', fence,
		CASE WHEN NOT entered THEN ' will enter' WHEN waiting IS NOT NULL THEN ' will leave' END), ', ' ORDER BY object, fence), 'none') FROM %s$q$, watch) INTO result;
	RETURN result;
END $$;
CREATE TABLE seen (log text PRIMARY KEY, id bigint);
CREATE FUNCTION news(log text DEFAULT 'in_yard_events') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	INSERT INTO seen VALUES (log, 0) ON CONFLICT DO NOTHING;
	EXECUTE format($q$SELECT coalesce(string_agg(concat_ws(' ', kind, object, fence), ', ' ORDER BY id), 'none') FROM %s
		WHERE id > (SELECT id FROM seen WHERE log = $1)$q$, log) INTO result USING log;
	EXECUTE format('UPDATE seen SET id = (SELECT coalesce(max(id), 0) FROM %s) WHERE log = $1', log) USING log;
	RETURN result;
END $$;

-- pairs that hold when the watch is created have entered
\d in_yard
SELECT object, fence, entered, waiting FROM in_yard;
SELECT watch, dwell FROM spqtree_watches;
SELECT pg_get_triggerdef(oid) LIKE $$%'dwell', '600000000'%$$ AS defined FROM pg_trigger WHERE tgrelid = 'in_yard'::regclass AND tgname = 'spqtree_watch';

-- a short stay is no event, and neither is a short absence
UPDATE cars SET pos = '(12,2)' WHERE id = 2;
SELECT pairs(), news();
SELECT later(9);
SELECT spqtree_settle_watch('in_yard'), pairs();
UPDATE cars SET pos = '(50,50)' WHERE id = 2;
SELECT pairs(), news();
UPDATE cars SET pos = '(50,50)' WHERE id = 1;
SELECT later(9);
UPDATE cars SET pos = '(3,3)' WHERE id = 1;
SELECT pairs(), news(), since < now() - interval '17 minutes' AS since_long FROM in_yard;
SELECT later(60);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();

-- a long one is, at the next statement that changes the row, whichever column
UPDATE cars SET pos = '(12,2)' WHERE id IN (1, 2);
SELECT pairs(), news();
SELECT later(11);
UPDATE cars SET note = 'x' WHERE id = 1;
SELECT pairs(), news();
UPDATE cars SET pos = pos WHERE id = 2;
SELECT pairs(), news();
SELECT kind, object, at < clock_timestamp() - interval '59 seconds' AS when_it_was_over, at - since = interval '10 minutes' AS at_is_since
	FROM in_yard_events JOIN in_yard USING (object, fence) WHERE kind = 'enter' ORDER BY object;

-- ... or by a timer, of any pair, once
UPDATE cars SET pos = '(1,1)' WHERE id = 1;
UPDATE cars SET pos = NULL WHERE id = 2;
SELECT later(10);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();
SELECT spqtree_settle_watch('in_yard'), pairs(), news();

-- a stay that was long enough counts, although its end is seen first
UPDATE cars SET pos = '(12,2)' WHERE id = 2;
SELECT later(15);
UPDATE cars SET pos = '(90,90)' WHERE id = 2;
SELECT pairs(), news();
SELECT later(15);
UPDATE cars SET pos = '(12,3)' WHERE id = 2;
SELECT pairs(), news();
SELECT later(15);
DELETE FROM cars WHERE id = 2;
SELECT pairs(), news();

-- rows that are deleted and inserted again are as if they had moved
INSERT INTO cars VALUES (2, '(11,1)');
SELECT pairs(), news();
SELECT later(9);
BEGIN;
TRUNCATE cars;
SELECT pairs(), news();
COPY cars (id, pos) FROM stdin;
1	(2,2)
2	(11,1)
\.
COMMIT;
SELECT pairs(), news();
SELECT later(60);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();
DELETE FROM cars;
SELECT later(10);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();

-- fences
INSERT INTO cars VALUES (1, '(2,2)'), (2, '(11,1)');
SELECT later(10);
UPDATE yards SET open = NOT open WHERE id = 10;
SELECT pairs(), news();
UPDATE yards SET area = area + point(100,0);
SELECT pairs(), news();
DELETE FROM yards WHERE id = 10;
SELECT pairs(), news();
SELECT later(10);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();
INSERT INTO yards VALUES (10, '(0,0),(4,4)');
UPDATE yards SET area = area - point(100,0) WHERE id = 20;
SELECT later(10);
TRUNCATE yards;
SELECT pairs(), news();
SELECT later(10);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();

-- within a transaction, and rolled back
INSERT INTO yards VALUES (10, '(0,0),(4,4)'), (20, '(10,0),(14,4)');
SELECT later(10);
BEGIN;
SELECT spqtree_settle_watch('in_yard'), pairs(), news();
ROLLBACK;
SELECT pairs(), news();
BEGIN;
SAVEPOINT s;
UPDATE cars SET pos = '(50,50)';
SELECT pairs();
ROLLBACK TO s;
SELECT pairs();
COMMIT;
SELECT spqtree_settle_watch('in_yard'), pairs(), news();

-- wrong pairs begin to wait when a refresh sees them
ALTER TABLE cars DISABLE TRIGGER USER;
UPDATE cars SET pos = '(13,1)' WHERE id = 1;
ALTER TABLE cars ENABLE TRIGGER USER;
SELECT * FROM spqtree_check_watch('in_yard') ORDER BY fence;
SELECT spqtree_refresh_watch('in_yard'), pairs(), news();
SELECT * FROM spqtree_check_watch('in_yard');
SELECT later(10);
SELECT spqtree_settle_watch('in_yard'), pairs(), news();
SELECT spqtree_unwatch('in_yard');

-- other kinds: inside and outside are about those that have entered
TRUNCATE cars, yards;
INSERT INTO yards VALUES (10, '(0,0),(4,4)');
INSERT INTO cars VALUES (1, '(-5,1)');
SELECT spqtree_watch('kinds', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes', kinds => '{enter,leave,inside,outside,cross}');
UPDATE cars SET pos = '(9,1)';
SELECT pairs('kinds'), news('kinds_events');
UPDATE cars SET pos = '(1,1)';
UPDATE cars SET pos = '(2,1)';
SELECT pairs('kinds'), news('kinds_events');
SELECT later(10, 'kinds');
UPDATE cars SET pos = '(3,1)';
SELECT pairs('kinds'), news('kinds_events');
UPDATE cars SET pos = '(2,2)';
SELECT pairs('kinds'), news('kinds_events');
UPDATE cars SET pos = '(7,1)';
UPDATE cars SET pos = '(-7,1)';
SELECT pairs('kinds'), news('kinds_events');
SELECT later(10, 'kinds');
UPDATE cars SET pos = '(8,1)';
SELECT pairs('kinds'), news('kinds_events');
SELECT spqtree_unwatch('kinds');

-- A statement reads the pairs of its own rows, however many others wait, are due, or have just
-- entered.  Its plans are made while the statistics say that no pair waits.
TRUNCATE cars, yards;
INSERT INTO yards VALUES (10, '(0,0),(4,4)'), (20, '(10,0),(14,4)');
INSERT INTO cars SELECT i, '(1,1)' FROM generate_series(1, 2000) AS i;
SELECT spqtree_watch('wide', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes');
ALTER TABLE wide SET (autovacuum_enabled = off);
ANALYZE wide;
CREATE FUNCTION reads(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before bigint := pg_stat_get_xact_tuples_returned('wide_waiting_idx'::regclass);
	read bigint;
BEGIN
	EXECUTE statement;
	read := pg_stat_get_xact_tuples_returned('wide_waiting_idx'::regclass) - before;
	RETURN CASE WHEN read < 20 THEN 'few' ELSE read::text END;
END $$;
UPDATE cars SET pos = '(12,2)' WHERE id > 10;
SELECT count(*) FROM wide WHERE waiting IS NOT NULL;
SELECT reads('UPDATE cars SET pos = ''(12,2)'' WHERE id = 1') AS of_4000_waiting;
SELECT reads('UPDATE cars SET pos = ''(1,1)'' WHERE id = 1') AS of_4000_waiting;
INSERT INTO yards VALUES (30, '(80,80),(90,90)');
SELECT reads('UPDATE yards SET area = ''(80,80),(91,91)'' WHERE id = 30') AS of_4000_waiting;
SELECT later(11, 'wide');
SELECT reads('UPDATE cars SET note = ''x'' WHERE id = 2') AS of_4000_due;
SELECT reads('UPDATE cars SET pos = ''(12,2)'' WHERE id = 2') AS of_4000_due;
BEGIN;
SELECT spqtree_settle_watch('wide');
SELECT reads('UPDATE cars SET note = ''x'' WHERE id = 3') AS of_4000_dead;
SELECT reads('UPDATE cars SET pos = ''(12,2)'' WHERE id = 4') AS of_4000_dead;
COMMIT;
SELECT spqtree_unwatch('wide');

-- a timer that lets some pairs enter and leave at a time, those first that wait longest
TRUNCATE cars, yards;
INSERT INTO yards VALUES (10, '(0,0),(4,4)'), (20, '(10,0),(14,4)');
INSERT INTO cars VALUES (1, '(1,1)'), (2, '(1,1)'), (3, '(50,50)');
SELECT spqtree_watch('several', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes');
UPDATE cars SET pos = '(12,2)' WHERE id = 2;
SELECT later(1, 'several');
UPDATE cars SET pos = '(12,2)' WHERE id = 3;
SELECT later(1, 'several');
UPDATE cars SET pos = '(50,50)' WHERE id = 1;
SELECT later(9, 'several');
SELECT spqtree_settle_watch('several', at_most => 2), pairs('several'), news('several_events');
SELECT later(1, 'several');
SELECT spqtree_settle_watch('several', 1), pairs('several'), news('several_events');
SELECT spqtree_settle_watch('several', 1), pairs('several'), news('several_events');
SELECT spqtree_settle_watch('several', 1), pairs('several'), news('several_events');
SELECT spqtree_settle_watch('several', 0);
SELECT spqtree_settle_watch('several', -1);
SELECT spqtree_unwatch('several');
-- it returns the number of pairs, whatever is logged
SELECT spqtree_watch('silent', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes', kinds => '{enter}');
UPDATE cars SET pos = '(1,1)' WHERE id = 2;
SELECT later(10, 'silent');
SELECT spqtree_settle_watch('silent'), pairs('silent'), news('silent_events');
SELECT spqtree_unwatch('silent');

-- no dwell time
SELECT spqtree_watch('plain', 'cars', 'pos', 'yards', 'area', dwell => '0');
SELECT attname FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attnum > 0 ORDER BY attnum;
SELECT dwell FROM spqtree_watches WHERE watch = 'plain'::regclass;
SELECT spqtree_settle_watch('plain');
SELECT spqtree_unwatch('plain');

-- errors
SELECT spqtree_watch('bad', 'cars', 'pos', 'yards', 'area', dwell => '-1 second');
SELECT spqtree_watch('bad', 'cars', 'pos', 'yards', 'area', dwell => '1001 years');
SELECT spqtree_watch('bad', 'cars', 'pos', 'yards', 'area', dwell => '178000000 years');
SELECT spqtree_watch('bad', 'cars', 'pos', 'yards', 'area', dwell => '1 month -31 days');
SELECT spqtree_settle_watch('cars');
SELECT spqtree_settle_watch(NULL);
SELECT spqtree_settle_watch(0);
SELECT spqtree_settle_watch(NULL, 1);
SELECT spqtree_watch('months', 'cars', 'pos', 'yards', 'area', dwell => '1 month 1 day 1 second');
SELECT dwell FROM spqtree_watches WHERE watch = 'months'::regclass;
CREATE ROLE spqtree_dwell_other;
GRANT USAGE ON SCHEMA dwell TO spqtree_dwell_other;
SET ROLE spqtree_dwell_other;
SELECT spqtree_settle_watch('dwell.months');
RESET ROLE;
DROP OWNED BY spqtree_dwell_other;
DROP ROLE spqtree_dwell_other;
SELECT spqtree_unwatch('months');
CREATE TABLE odd (object int, fence int);
CREATE TRIGGER odd BEFORE TRUNCATE ON odd EXECUTE FUNCTION _spqtree_watch_definition('objects', 'dwell.cars', 'object_column', 'pos', 'object_key', 'id',
	'fences', 'dwell.yards', 'fence_column', 'area', 'fence_key', 'id', 'distance', '0', 'leave_distance', '0', 'kinds', 'enter', 'events', 'dwell.log', 'dwell', '-5');
SELECT count(*) FROM spqtree_watches WHERE watch = 'odd'::regclass;
SELECT spqtree_settle_watch('odd');
DROP TABLE odd;

-- Random statements and random times, against a replay of the truth after each of them
TRUNCATE cars, yards;
\set seed 0.29
SELECT setseed(:seed);
CREATE FUNCTION place() RETURNS point LANGUAGE sql AS $$ SELECT point(floor(random() * 20), floor(random() * 20)) $$;
CREATE TABLE players (id int PRIMARY KEY, pos point);
CREATE INDEX ON players USING spqtree (pos);
CREATE TABLE bags (id int, n int, pos point, PRIMARY KEY (id, n));
SELECT spqtree_watch('r_plain', 'cars', 'pos', 'yards', 'area', dwell => '10 minutes');
SELECT spqtree_watch('r_late', 'cars', 'pos', 'yards', 'area', distance => 1, leave_distance => 3, dwell => '10 minutes', fence_condition => 'open');
SELECT spqtree_watch('r_self', 'players', 'pos', distance => 3, dwell => '10 minutes');
SELECT spqtree_watch('r_both', 'players', 'pos', distance => 3, leave_distance => 5, both_ways => true, dwell => '10 minutes');
SELECT spqtree_watch('r_bags', 'bags', 'pos', 'yards', 'area', object_key => 'id', dwell => '10 minutes');
CREATE TABLE truths (watch text, query text);
INSERT INTO truths VALUES
('r_plain', 'SELECT o.id AS object, f.id AS fence, true AS near FROM cars o, yards f WHERE f.area @> o.pos'),
('r_late', 'SELECT o.id AS object, f.id AS fence, spqtree_dwithin(o.pos, f.area, 1) AS near FROM cars o, yards f WHERE f.open AND spqtree_dwithin(o.pos, f.area, 3)'),
('r_self', 'SELECT o.id AS object, f.id AS fence, true AS near FROM players o, players f WHERE o.id < f.id AND (o.pos <-> f.pos) <= 3'),
('r_both', 'SELECT o.id AS object, f.id AS fence, (o.pos <-> f.pos) <= 3 AS near FROM players o, players f WHERE o.id <> f.id AND (o.pos <-> f.pos) <= 5'),
('r_bags', 'SELECT DISTINCT o.id AS object, f.id AS fence, true AS near FROM bags o, yards f WHERE f.area @> o.pos');
-- the replay: since when a pair holds or does not, and whether it has entered
CREATE TABLE replay (watch text, object int, fence int, holds boolean, entered boolean, since int, PRIMARY KEY (watch, object, fence));
CREATE TABLE replayed (id serial, watch text, kind text, object int, fence int);
CREATE TABLE clock (now int);
INSERT INTO clock VALUES (0);

-- Let the pairs of the replay enter and leave that are due, whatever the watch has done.
CREATE FUNCTION replay_due() RETURNS void LANGUAGE sql AS $$
	WITH due AS (UPDATE replay SET entered = holds WHERE entered <> holds AND since + 10 <= (SELECT now FROM clock) RETURNING *)
	INSERT INTO replayed (watch, kind, object, fence) SELECT watch, CASE WHEN holds THEN 'enter' ELSE 'leave' END, object, fence FROM due $$;
CREATE FUNCTION replay_truth() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	w record;
BEGIN
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	SET LOCAL spqtree.enable_hashjoin = off;
	PERFORM replay_due();
	FOR w IN SELECT * FROM truths LOOP
		EXECUTE format($q$INSERT INTO replay SELECT %1$L, object, fence, true, false, now FROM (%2$s) AS t, clock WHERE near
			ON CONFLICT (watch, object, fence) DO UPDATE SET holds = true, since = excluded.since WHERE NOT replay.holds$q$, w.watch, w.query);
		EXECUTE format($q$UPDATE replay r SET holds = false, since = now FROM clock WHERE watch = %1$L AND holds AND NOT EXISTS (
			SELECT FROM (%2$s) AS t WHERE t.object = r.object AND t.fence = r.fence)$q$, w.watch, w.query);
	END LOOP;
END $$;
CREATE FUNCTION differences() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	w record;
	n bigint;
BEGIN
	FOR w IN SELECT * FROM truths LOOP
		EXECUTE format($q$SELECT count(*) FROM (
			SELECT object, fence, string_agg(kind, ' ' ORDER BY id) AS kinds FROM %1$I GROUP BY object, fence) AS a
			FULL JOIN (SELECT object, fence, string_agg(kind, ' ' ORDER BY id) AS kinds FROM replayed WHERE watch = %2$L GROUP BY object, fence) AS b
			USING (object, fence) WHERE a.kinds IS DISTINCT FROM b.kinds$q$, w.watch || '_events', w.watch) INTO n;
		IF n > 0 THEN RETURN NEXT format('%s: the events of %s pairs differ from the replay', w.watch, n); END IF;
		EXECUTE format($q$SELECT count(*) FROM %1$I AS a FULL JOIN (SELECT * FROM replay WHERE watch = %1$L AND (entered OR holds)) AS b
			USING (object, fence) WHERE a.object IS NULL OR b.object IS NULL OR a.entered <> b.entered OR (a.waiting IS NULL) <> (b.entered = b.holds)$q$, w.watch) INTO n;
		IF n > 0 THEN RETURN NEXT format('%s: %s pairs differ from the replay', w.watch, n); END IF;
		EXECUTE format('SELECT count(*) FROM spqtree_check_watch(%L)', w.watch) INTO n;
		IF n > 0 THEN RETURN NEXT format('%s: spqtree_check_watch finds %s', w.watch, n); END IF;
	END LOOP;
END $$;

CREATE FUNCTION random_statement() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	i int := 1 + floor(random() * 12);
BEGIN
	RETURN (ARRAY[
		format('INSERT INTO cars VALUES (%s, place()) ON CONFLICT (id) DO UPDATE SET pos = excluded.pos', i),
		format('UPDATE cars SET pos = place() WHERE id BETWEEN %s AND %s', i, i + 3),
		format('UPDATE cars SET pos = pos + point(1, 0) WHERE id >= %s', i),
		'UPDATE cars SET note = note',
		format('UPDATE cars SET id = id + 20 WHERE id = %s AND NOT EXISTS (SELECT FROM cars WHERE id = %s)', i, i + 20),
		format('DELETE FROM cars WHERE id = %s', i),
		format('INSERT INTO yards SELECT %s, box(p, p + point(4, 4)) FROM place() AS p ON CONFLICT (id) DO UPDATE SET area = excluded.area', i),
		format('UPDATE yards SET open = NOT open WHERE id = %s', i),
		format('DELETE FROM yards WHERE id = %s', i),
		format('WITH a AS (UPDATE yards SET area = area + point(2, 0) WHERE id = %s) UPDATE cars SET pos = pos + point(2, 0) WHERE id <= %s', i, i),
		format('INSERT INTO players SELECT n, place() FROM generate_series(%s, %s) AS n ON CONFLICT (id) DO UPDATE SET pos = excluded.pos', i, i + 4),
		format('UPDATE players SET pos = pos + point(1, 1) WHERE id <= %s', i),
		format('DELETE FROM players WHERE id = %s', i),
		format('INSERT INTO bags VALUES (%s, %s, place()) ON CONFLICT (id, n) DO UPDATE SET pos = excluded.pos', i % 4, i % 3),
		format('DELETE FROM bags WHERE n = %s AND id = %s', i % 3, i % 4),
		CASE WHEN i = 1 THEN 'TRUNCATE cars' ELSE 'UPDATE bags SET pos = place()' END])[1 + floor(random() * 16)];
END $$;
DO $$
DECLARE
	statement text;
	problem text;
	minutes int;
BEGIN
	FOR step IN 1..1000 LOOP
		statement := random_statement();
		IF random() < 0.1 THEN
			BEGIN
				EXECUTE statement;
				RAISE division_by_zero;
			EXCEPTION WHEN division_by_zero THEN NULL;
			END;
		ELSE
			EXECUTE statement;
			PERFORM replay_truth();
		END IF;
		IF random() < 0.4 THEN
			minutes := (ARRAY[1, 3, 7, 12])[1 + floor(random() * 4)];
			UPDATE clock SET now = now + minutes;
			PERFORM later(minutes, watch) FROM truths;
		END IF;
		IF step % 10 = 0 THEN
			PERFORM spqtree_settle_watch(watch::regclass) FROM truths;
			PERFORM replay_due();
			FOR problem IN SELECT * FROM differences() LOOP
				RAISE WARNING 'step %, after %: %', step, statement, problem;
				RETURN;
			END LOOP;
		END IF;
		COMMIT;
	END LOOP;
END $$;
SELECT watch, count(*) FILTER (WHERE kind = 'enter') > 20 AS enters, count(*) FILTER (WHERE kind = 'leave') > 20 AS leaves
	FROM replayed GROUP BY watch ORDER BY watch;

SET client_min_messages = error;
DROP SCHEMA dwell CASCADE;
