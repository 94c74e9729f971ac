-- Watches of boxes and points with an index on the fences: which moves begin or end a pair is
-- found by the index alone.  Random statements, of one row and of many, among many fences;
-- after each, the pairs are what a query of the tables says, and the events are the difference.
SET client_min_messages = warning;
\set seed 0.41
SELECT setseed(:seed);

CREATE TABLE moves_o (id int, half int, name text COLLATE "C", p point, b box, p3 point3, team int, on_duty boolean, n int, PRIMARY KEY (id, half));
CREATE UNIQUE INDEX ON moves_o (name);
CREATE TABLE moves_f (id int PRIMARY KEY, area box, spot point, room box3, team int, open boolean);

CREATE FUNCTION moves_place(size float8) RETURNS point LANGUAGE sql AS $$
	SELECT point(round((random() * size)::numeric, 1)::float8, round((random() * size)::numeric, 1)::float8) $$;
CREATE FUNCTION moves_object(i int) RETURNS moves_o LANGUAGE sql AS $$
	SELECT i / 2, i % 2, 'object ' || i, p, box(p, p + point(random() * 2, random() * 2)), point3(p[0], p[1], random() * 5),
		(random() * 2)::int, random() < 0.8, 0 FROM moves_place(40) AS p $$;
CREATE FUNCTION moves_fence(i int) RETURNS moves_f LANGUAGE sql AS $$
	SELECT i, box(p, p + point(random() * 3, random() * 3)), p, box3(point3(p[0], p[1], random() * 3), point3(p[0] + 3, p[1] + 3, random() * 3)),
		(random() * 2)::int, random() < 0.8 FROM moves_place(40) AS p $$;

INSERT INTO moves_o SELECT o.* FROM generate_series(1, 300) AS i, moves_object(i) AS o;
INSERT INTO moves_f SELECT f.* FROM generate_series(1, 350) AS i, moves_fence(i) AS f;
CREATE INDEX ON moves_f USING spqtree (area);
CREATE INDEX ON moves_f USING spqtree (spot) INCLUDE (team);
CREATE INDEX ON moves_f USING spqtree (room);

-- each with its truth; near is false for what may be a pair, but does not begin one
CREATE TABLE moves_truth (watch text, query text, kinds text DEFAULT '{enter,leave}', more text DEFAULT '', o_key text DEFAULT 'name', o_column text, f_column text);
INSERT INTO moves_truth VALUES
('moves_in', 'SELECT o.name, f.id, true FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p, f.area, 0)', DEFAULT, DEFAULT, DEFAULT, 'p', 'area'),
('moves_late', 'SELECT o.name, f.id, spqtree_dwithin(o.b, f.area, 0.5) FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.b, f.area, 1.5)', DEFAULT,
	', distance => 0.5, leave_distance => 1.5', DEFAULT, 'b', 'area'),
('moves_some', 'SELECT o.name, f.id, true FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p, f.area, 0) AND o.on_duty AND f.open', DEFAULT,
	', object_condition => ''on_duty'', fence_condition => ''open''', DEFAULT, 'p', 'area'),
('moves_team', 'SELECT o.name, f.id, true FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p, f.spot, 2) AND o.team = f.team AND f.open', DEFAULT,
	', distance => 2, object_group => ''team'', fence_group => ''team'', fence_condition => ''open''', DEFAULT, 'p', 'spot'),
('moves_room', 'SELECT o.name, f.id, true FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p3, f.room, 0.25)', DEFAULT, ', distance => 0.25', DEFAULT, 'p3', 'room'),
('moves_kinds', 'SELECT o.name, f.id, true FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p, f.area, 0)', '{enter,leave,inside,cross}', DEFAULT, DEFAULT, 'p', 'area'),
-- a key that is not unique
('moves_halves', 'SELECT o.id, f.id, bool_or(spqtree_dwithin(o.p, f.area, 0)) FROM moves_o o, moves_f f WHERE spqtree_dwithin(o.p, f.area, 1) GROUP BY 1, 2', DEFAULT,
	', leave_distance => 1', 'id', 'p', 'area');
SELECT count(spqtree_watch(watch, 'moves_o', o_column, 'moves_f', f_column, object_key => o_key, kinds => kinds::text[])) FROM moves_truth WHERE more = '';
SELECT format('SELECT spqtree_watch(%L, ''moves_o'', %L, ''moves_f'', %L, object_key => %L %s)', watch, o_column, f_column, o_key, more) FROM moves_truth WHERE more <> '' \gexec

CREATE TABLE moves_held (watch text, object text, fence int);
CREATE FUNCTION moves_hold() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	w text;
BEGIN
	DELETE FROM moves_held;
	FOR w IN SELECT watch FROM moves_truth LOOP
		EXECUTE format('INSERT INTO moves_held SELECT %1$L, object, fence FROM %1$I', w);
		EXECUTE format('DELETE FROM %I', w || '_events');
	END LOOP;
END $$;
SELECT moves_hold();
SELECT watch, count(*) > 20 AS some FROM moves_held GROUP BY watch ORDER BY watch;

-- Return what is wrong after a statement.
CREATE FUNCTION moves_wrong(step text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	w record;
	wrong bigint;
BEGIN
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	FOR w IN SELECT * FROM moves_truth LOOP
		EXECUTE format('SELECT count(*) FROM (%s) AS t(object, fence, near) FULL JOIN %I AS p USING (object, fence)
			WHERE t.object IS NULL OR (near AND p.object IS NULL)', w.query, w.watch) INTO wrong;
		IF wrong > 0 THEN RETURN NEXT format('%s: %s pairs of %s wrong', step, wrong, w.watch); END IF;
		-- events sum up to the difference; triggers may make several of a pair
		EXECUTE format('SELECT count(*) FROM (SELECT object, fence FROM (
			SELECT object, fence, 1 FROM moves_held WHERE watch = %1$L
			UNION ALL SELECT object::text, fence, CASE kind WHEN ''enter'' THEN 1 ELSE -1 END FROM %2$I WHERE kind IN (''enter'', ''leave'')
			UNION ALL SELECT object::text, fence, -1 FROM %1$I) AS e(object, fence, n)
			GROUP BY object, fence HAVING sum(n) <> 0) AS s', w.watch, w.watch || '_events') INTO wrong;
		IF wrong > 0 THEN RETURN NEXT format('%s: %s events of %s wrong', step, wrong, w.watch); END IF;
	END LOOP;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
	PERFORM moves_hold();
END $$;

CREATE FUNCTION moves_statement() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN format((ARRAY[
		'UPDATE moves_o SET p = p + point(0.4, 0), b = b + point(0.4, 0.1), p3 = p3 + point3(0, 0.4, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET p = p - point(0, 0.3), b = b - point(0.2, 0.3), p3 = p3 - point3(0.1, 0, 0.1) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET p = p + point(0.05, 0.05) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET (p, b, p3) = (SELECT p, b, p3 FROM moves_object(moves_o.id)) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET p = o.p FROM moves_o AS o WHERE o.id = moves_o.id AND o.half <> moves_o.half AND o.id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET team = (random() * 2)::int, p = p + point(0.2, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s / 8',
		'UPDATE moves_o SET on_duty = NOT on_duty WHERE id BETWEEN %1$s AND %1$s + %2$s / 8',
		'UPDATE moves_o SET name = ''object '' || (1000 - substr(name, 8)::int) WHERE id = %1$s AND half = 0',
		'UPDATE moves_o SET n = n + 1 WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE moves_o SET p = NULL, b = NULL WHERE id = %1$s',
		'UPDATE moves_o SET p = ''(NaN,0)'', b = ''(inf,0),(0,0)'' WHERE id = %1$s + 1 AND half = 0',
		'DELETE FROM moves_o WHERE id BETWEEN %1$s AND %1$s + %2$s / 16',
		'INSERT INTO moves_o SELECT o.* FROM generate_series(2 * %1$s, 2 * %1$s + %2$s) AS i, moves_object(i) AS o ON CONFLICT (id, half) DO UPDATE SET p = excluded.p, b = excluded.b',
		'UPDATE moves_f SET area = area + point(0.3, 0), spot = spot + point(0, 0.5), room = room + point3(0.2, 0, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s / 8',
		'UPDATE moves_f SET area = ''(NaN,1),(0,0)'', spot = ''(1,NaN)'' WHERE id = %1$s',
		'UPDATE moves_f SET area = ''(inf,30),(10,20)'' WHERE id = 150 + %1$s AND %2$s %% 4 = 0',
		'UPDATE moves_f SET (area, spot, room) = (SELECT area, spot, room FROM moves_fence(moves_f.id)) WHERE id = %1$s OR (area[0])[0] IN (''inf'', ''NaN'')',
		'UPDATE moves_f SET open = NOT open WHERE id BETWEEN %1$s AND %1$s + 3',
		'WITH a AS (UPDATE moves_o SET p = p + point(1, 0), b = b + point(1, 0), p3 = p3 + point3(1, 0, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s)
			UPDATE moves_f SET area = area + point(1, 0), spot = spot + point(1, 0), room = room + point3(1, 0, 0) WHERE id BETWEEN 2 * %1$s AND 2 * %1$s + %2$s',
		'WITH a AS (DELETE FROM moves_f WHERE id BETWEEN %1$s AND %1$s + 2) UPDATE moves_o SET p = p + point(0.5, 0.5) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'INSERT INTO moves_f SELECT f.* FROM generate_series(%1$s, %1$s + 2) AS i, moves_fence(i) AS f ON CONFLICT DO NOTHING'
		])[1 + floor(random() * 21)::int], 1 + (random() * 150)::int, (random() * random() * random() * 150)::int);
END $$;

CREATE FUNCTION moves_steps(steps int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	found boolean := false;
	wrong text;
BEGIN
	FOR step IN 1 .. steps LOOP
		statement := moves_statement();
		BEGIN
			EXECUTE statement;
			IF random() < 0.1 THEN RAISE division_by_zero; END IF;
		EXCEPTION WHEN division_by_zero OR unique_violation THEN NULL;
		END;
		FOR wrong IN SELECT moves_wrong(step || ': ' || statement) LOOP
			found := true;
			RETURN NEXT wrong;
		END LOOP;
		EXIT WHEN found;
	END LOOP;
END $$;
SELECT moves_steps(100);

-- triggers that change more: an object moves on, or takes its fence along
CREATE FUNCTION moves_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_trigger_depth() < 2 AND NEW.n % 3 = 1 THEN
		UPDATE moves_o SET p = p + point(0.5, 0), n = 0 WHERE (id, half) = (NEW.id, NEW.half);
	ELSIF pg_trigger_depth() < 2 AND NEW.n % 3 = 2 THEN
		UPDATE moves_f SET area = area + point(0.4, 0), spot = spot + point(0.4, 0) WHERE id = NEW.id;
	END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER moves_on AFTER UPDATE ON moves_o FOR EACH ROW EXECUTE FUNCTION moves_on();
UPDATE moves_o SET n = id;
SELECT moves_wrong('n');
UPDATE moves_o SET p = p + point(0.4, 0), n = id WHERE id < 100;
SELECT moves_wrong('moves on');
SELECT moves_steps(25);
DROP TRIGGER moves_on ON moves_o;

-- more fences than fit in a page of the index, and more moves than are searched for at a time
INSERT INTO moves_f SELECT f.* FROM generate_series(1000, 2200) AS i, moves_fence(i) AS f;
SELECT moves_wrong('fences');
UPDATE moves_o SET p = p + point(0.5, 0.5), b = b + point(0.5, 0.5), p3 = p3 + point3(0.5, 0, 0);
SELECT moves_wrong('all');
DELETE FROM moves_f WHERE id >= 1000 AND id % 2 = 0;
SELECT moves_steps(5);
VACUUM moves_f;
SELECT moves_steps(5);

-- A move that begins and ends no pair does not even lock the table of pairs, or use a number.
TRUNCATE moves_f;
SELECT spqtree_unwatch(watch) FROM moves_truth WHERE watch <> 'moves_late' ORDER BY watch;
INSERT INTO moves_f (id, area) VALUES (1, '(0,0),(9,9)'), (2, '(2,2),(9,9)');
DELETE FROM moves_o;
INSERT INTO moves_o (id, half, name, b) SELECT i, 0, 'a' || i, box(point(3, 3 + i / 10.0), point(4, 3 + i / 10.0)) FROM generate_series(1, 20) AS i;
SELECT fence, count(*) FROM moves_late GROUP BY 1 ORDER BY 1;
SELECT last_value AS before FROM moves_late_statement_seq \gset
CREATE FUNCTION moves_locks() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT relation::regclass || ': ' || mode FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'RowExclusiveLock'
		AND relation IN ('moves_late'::regclass, 'moves_late_events'::regclass) ORDER BY 1 $$;
UPDATE moves_o SET b = b + point(0.1, 0);
BEGIN;
UPDATE moves_o SET b = b + point(1, 0);
UPDATE moves_o SET b = b + point(0, 0.5), team = 1 WHERE id <= 15;
SELECT moves_locks();
SELECT last_value - :before AS numbers FROM moves_late_statement_seq;
COMMIT;
BEGIN;
UPDATE moves_o SET b = b - point(6, 0) WHERE id < 5;
SELECT moves_locks();
COMMIT;
SELECT kind, object, fence FROM moves_late_events ORDER BY id DESC LIMIT 4;

-- An index that does not have all places, or not as they are, is not searched.
DROP INDEX moves_f_area_idx;
CREATE INDEX moves_part ON moves_f USING spqtree (area) WHERE id > 1;
CREATE INDEX moves_other ON moves_f USING spqtree ((area + point(100, 100)));
CREATE INDEX moves_gist ON moves_f USING gist (area);
DELETE FROM moves_late_events;
UPDATE moves_o SET b = b + point(20, 0) WHERE id > 15;
SELECT count(*) FROM spqtree_check_watch('moves_late');
SELECT count(*) FROM moves_late_events;
-- ... nor one that has not, or no longer
DROP INDEX moves_part, moves_other, moves_gist;
CREATE INDEX moves_new ON moves_f USING spqtree (area);
UPDATE moves_o SET b = b - point(20, 0) WHERE id > 16;
BEGIN;
DROP INDEX moves_new;
UPDATE moves_o SET b = b - point(20, 0) WHERE id = 16;
ROLLBACK;
UPDATE moves_o SET b = b - point(20, 0) WHERE id = 16;
SELECT count(*) FROM spqtree_check_watch('moves_late');
SELECT spqtree_unwatch('moves_late');
DROP FUNCTION moves_place, moves_steps, moves_statement, moves_object, moves_fence, moves_wrong, moves_hold, moves_on, moves_locks;
DROP TABLE moves_o, moves_f, moves_truth, moves_held, moves_in_events, moves_late_events, moves_some_events, moves_team_events, moves_room_events, moves_kinds_events, moves_halves_events;
