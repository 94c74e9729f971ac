-- Random statements on watched tables: after each, the pairs are what a query
-- of the tables says, and the events are the difference.
SET client_min_messages = warning;
\set seed 0.17
SELECT setseed(:seed);

CREATE TABLE watch_o (id int PRIMARY KEY, pos point, b box, c circle, p3 point3, team int, on_duty boolean DEFAULT true, note text);
CREATE TABLE watch_f (id int PRIMARY KEY, area box, round circle, b3 box3, team int, open boolean DEFAULT true);
CREATE INDEX ON watch_f USING spqtree (area);
CREATE INDEX ON watch_o USING spqtree (b);

CREATE FUNCTION watch_place(size float8) RETURNS point
LANGUAGE sql AS $$ SELECT point(round((random() * size)::numeric, 1)::float8, round((random() * size)::numeric, 1)::float8) $$;

CREATE FUNCTION watch_object(i int) RETURNS watch_o
LANGUAGE sql AS $$
	SELECT i, p, box(p, p + point(random() * 3, random() * 3)), circle(p, random() * 2), point3(p[0], p[1], random() * 5),
		(random() * 3)::int, random() < 0.8, 'x'
	FROM watch_place(25) AS p $$;

CREATE FUNCTION watch_fence(i int) RETURNS watch_f
LANGUAGE sql AS $$
	SELECT i, box(p, p + point(random() * 6, random() * 6)), circle(p, random() * 3),
		box3(point3(p[0], p[1], random() * 3), point3(p[0] + 5, p[1] + 5, random() * 3)), (random() * 3)::int, random() < 0.8
	FROM watch_place(25) AS p $$;

INSERT INTO watch_o SELECT o.* FROM generate_series(1, 60) AS i, watch_object(i) AS o;
INSERT INTO watch_f SELECT f.* FROM generate_series(1, 40) AS i, watch_fence(i) AS f;

SELECT spqtree_watch('watch_plain', 'watch_o', 'pos', 'watch_f', 'area');
SELECT spqtree_watch('watch_near', 'watch_o', 'b', 'watch_f', 'area', distance => 1.5, leave_distance => 3);
SELECT spqtree_watch('watch_some', 'watch_o', 'b', 'watch_f', 'area', object_condition => 'on_duty', fence_condition => 'open',
	object_group => 'team', fence_group => 'team');
SELECT spqtree_watch('watch_3', 'watch_o', 'p3', 'watch_f', 'b3', kinds => '{enter,leave,inside,outside}');
SELECT spqtree_watch('watch_self', 'watch_o', 'b', distance => 2, object_condition => 'on_duty');
SELECT spqtree_watch('watch_both', 'watch_o', 'p3', distance => 4, leave_distance => 5, both_ways => true);
SELECT spqtree_watch('watch_sight', 'watch_o', 'pos', 'watch_o', 'b');

-- what the pairs have to be
CREATE TABLE watch_truth (watch text, query text);
INSERT INTO watch_truth VALUES
('watch_plain', 'SELECT o.id, f.id, true FROM watch_o o, watch_f f WHERE spqtree_dwithin(o.pos, f.area, 0)'),
('watch_near', 'SELECT o.id, f.id, spqtree_dwithin(o.b, f.area, 1.5) FROM watch_o o, watch_f f WHERE spqtree_dwithin(o.b, f.area, 3)'),
('watch_some', 'SELECT o.id, f.id, true FROM watch_o o, watch_f f WHERE o.b && f.area AND o.on_duty AND f.open AND o.team = f.team'),
('watch_3', 'SELECT o.id, f.id, true FROM watch_o o, watch_f f WHERE f.b3 @> o.p3'),
('watch_self', 'SELECT o.id, f.id, true FROM watch_o o, watch_o f WHERE spqtree_dwithin(o.b, f.b, 2) AND o.id < f.id AND o.on_duty AND f.on_duty'),
('watch_both', 'SELECT o.id, f.id, (o.p3 <-> f.p3) <= 4 FROM watch_o o, watch_o f WHERE (o.p3 <-> f.p3) <= 5 AND o.id <> f.id'),
('watch_sight', 'SELECT o.id, f.id, true FROM watch_o o, watch_o f WHERE spqtree_dwithin(o.pos, f.b, 0) AND o.id <> f.id');
CREATE TABLE watch_start AS
	SELECT watch, object, fence FROM watch_truth, LATERAL (SELECT * FROM watch_plain WHERE watch = 'watch_plain'
		UNION ALL SELECT * FROM watch_near WHERE watch = 'watch_near'
		UNION ALL SELECT * FROM watch_some WHERE watch = 'watch_some'
		UNION ALL SELECT * FROM watch_3 WHERE watch = 'watch_3'
		UNION ALL SELECT * FROM watch_self WHERE watch = 'watch_self'
		UNION ALL SELECT * FROM watch_both WHERE watch = 'watch_both'
		UNION ALL SELECT * FROM watch_sight WHERE watch = 'watch_sight') AS pairs;
SELECT watch, count(*) > 5 AS some FROM watch_start GROUP BY watch ORDER BY watch;

-- Return what is wrong, after a step.
CREATE FUNCTION watch_wrong(step text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	w record;
	wrong bigint;
BEGIN
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	SET LOCAL spqtree.enable_hashjoin = off;
	FOR w IN SELECT * FROM watch_truth LOOP
		EXECUTE format('SELECT count(*) FROM (%s) AS t(object, fence, near) FULL JOIN %I AS p USING (object, fence)
			WHERE t.object IS NULL OR (near AND p.object IS NULL)', w.query, w.watch) INTO wrong;
		IF wrong > 0 THEN RETURN NEXT format('%s: %s pairs of %s wrong', step, wrong, w.watch); END IF;
		-- events since the start sum to the pairs
		EXECUTE format($q$SELECT count(*) FROM (SELECT object, fence, sum(n) AS n FROM (
			SELECT object, fence, 1 FROM watch_start WHERE watch = %1$L
			UNION ALL SELECT object, fence, CASE kind WHEN 'enter' THEN 1 ELSE -1 END FROM %2$I WHERE kind IN ('enter', 'leave')) AS e(object, fence, n)
			GROUP BY object, fence) AS s FULL JOIN %1$I AS p USING (object, fence)
			WHERE s.n NOT IN (0, 1) OR (s.n = 1) <> (p.object IS NOT NULL)$q$, w.watch, w.watch || '_events') INTO wrong;
		IF wrong > 0 THEN RETURN NEXT format('%s: events of %s pairs of %s wrong', step, wrong, w.watch); END IF;
	END LOOP;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
	RESET spqtree.enable_hashjoin;
END $$;

CREATE FUNCTION watch_statement() RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	i int := 1 + (random() * 70)::int;
	n int := 1 + (random() * random() * 40)::int;
	statement text;
BEGIN
	statement := (ARRAY[
		'INSERT INTO watch_o SELECT o.* FROM generate_series(%1$s, %1$s + %2$s) AS i, watch_object(i) AS o ON CONFLICT (id) DO UPDATE SET pos = excluded.pos, b = excluded.b',
		'INSERT INTO watch_o SELECT o.* FROM watch_object(%1$s) AS o ON CONFLICT DO NOTHING',
		'DELETE FROM watch_o WHERE id BETWEEN %1$s AND %1$s + %2$s / 4',
		'UPDATE watch_o SET (pos, b, c, p3) = (SELECT pos, b, c, p3 FROM watch_object(watch_o.id)) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE watch_o SET pos = pos + point(0.3, 0), b = b + point(0.5, 0.2), p3 = p3 + point3(0, 0.5, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE watch_o SET b = b + point(0.5, 0.5) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE watch_o SET note = note || ''y'' WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE watch_o SET on_duty = NOT on_duty WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'UPDATE watch_o SET team = (random() * 3)::int WHERE id = %1$s',
		'UPDATE watch_o SET b = NULL, pos = NULL WHERE id = %1$s',
		'UPDATE watch_o SET pos = ''(NaN,0)'', b = ''(inf,0),(0,0)'' WHERE id = %1$s',
		'UPDATE watch_o SET id = 1000 + id WHERE id = %1$s',
		'UPDATE watch_o SET id = id - 1000 WHERE id > 1000 AND NOT EXISTS (SELECT FROM watch_o t WHERE t.id = watch_o.id - 1000)',
		'UPDATE watch_f SET (area, round, b3) = (SELECT area, round, b3 FROM watch_fence(watch_f.id)) WHERE id BETWEEN %1$s AND %1$s + %2$s / 3',
		'UPDATE watch_f SET open = NOT open WHERE id = %1$s',
		'DELETE FROM watch_f WHERE id = %1$s',
		'INSERT INTO watch_f SELECT f.* FROM watch_fence(%1$s) AS f ON CONFLICT DO NOTHING',
		'WITH a AS (UPDATE watch_o SET (pos, b, c, p3) = (SELECT pos, b, c, p3 FROM watch_object(watch_o.id)) WHERE id BETWEEN %1$s AND %1$s + %2$s)
			UPDATE watch_f SET area = area + point(1, 0) WHERE id BETWEEN %1$s AND %1$s + %2$s',
		'WITH a AS (DELETE FROM watch_o WHERE id = %1$s) DELETE FROM watch_f WHERE id %% 10 = %1$s %% 10',
		'WITH a AS (INSERT INTO watch_f SELECT f.* FROM watch_fence(%1$s) AS f ON CONFLICT DO NOTHING)
			INSERT INTO watch_o SELECT o.* FROM watch_object(%1$s) AS o ON CONFLICT DO NOTHING',
		'MERGE INTO watch_o USING (SELECT o.* FROM generate_series(%1$s, %1$s + %2$s) AS i, watch_object(i) AS o) AS s ON watch_o.id = s.id
			WHEN MATCHED AND s.team = 0 THEN DELETE
			WHEN MATCHED THEN UPDATE SET pos = s.pos, b = s.b, p3 = s.p3
			WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.pos, s.b, s.c, s.p3, s.team, s.on_duty, s.note)'
		])[1 + floor(random() * 21)::int];
	RETURN format(statement, i, n);
END $$;

-- Return what is wrong after some steps, of which some are rolled back.
CREATE FUNCTION watch_steps(steps int) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	found boolean := false;
	wrong text;
BEGIN
	FOR step IN 1 .. steps LOOP
		statement := watch_statement();
		BEGIN
			EXECUTE statement;
			IF random() < 0.1 THEN RAISE division_by_zero; END IF;
		EXCEPTION WHEN division_by_zero THEN NULL;
		END;
		FOR wrong IN SELECT watch_wrong(step || ': ' || statement) LOOP
			found := true;
			RETURN NEXT wrong;
		END LOOP;
		EXIT WHEN found;
	END LOOP;
END $$;
SELECT watch_steps(120);

-- something happened, of every kind
SELECT watch, kind, count(*) > 0 AS some FROM (
	SELECT watch, kind FROM watch_plain_events UNION ALL SELECT watch, kind FROM watch_near_events
	UNION ALL SELECT watch, kind FROM watch_some_events UNION ALL SELECT watch, kind FROM watch_3_events
	UNION ALL SELECT watch, kind FROM watch_self_events UNION ALL SELECT watch, kind FROM watch_both_events
	UNION ALL SELECT watch, kind FROM watch_sight_events) AS e GROUP BY watch, kind ORDER BY watch, kind;
SELECT watch, (SELECT count(*) FROM spqtree_check_watch(watch)) AS wrong FROM spqtree_watches ORDER BY watch;

-- statements of many rows take other plans
INSERT INTO watch_o SELECT o.* FROM generate_series(2001, 2600) AS i, watch_object(i) AS o;
SELECT watch_wrong('many inserted');
ANALYZE watch_o;
UPDATE watch_o SET (pos, b, c, p3) = (SELECT pos, b, c, p3 FROM watch_object(watch_o.id));
SELECT watch_wrong('many moved');
DELETE FROM watch_o WHERE id > 2000;
SELECT watch_wrong('many deleted');
TRUNCATE watch_f;
SELECT watch_wrong('no fences');
TRUNCATE watch_o;
SELECT watch_wrong('no objects');

-- the watches go with the tables, the events stay
DROP FUNCTION watch_steps, watch_statement, watch_wrong, watch_fence, watch_object, watch_place;
DROP TABLE watch_o, watch_f;
SELECT count(*) FROM spqtree_watches WHERE watch::text LIKE 'watch_%';
DROP TABLE watch_truth, watch_start, watch_plain_events, watch_near_events, watch_some_events, watch_3_events,
	watch_self_events, watch_both_events, watch_sight_events;
