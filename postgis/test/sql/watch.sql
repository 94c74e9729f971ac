-- Watches of geometries and geographies.
SET client_min_messages = warning;
CREATE TABLE vehicle (id int PRIMARY KEY, pos geometry(Point, 25832));
CREATE TABLE zone (id int PRIMARY KEY, area geometry(Polygon, 25832));
CREATE INDEX ON vehicle USING spqtree (pos);
CREATE INDEX ON zone USING gist (area);
INSERT INTO vehicle SELECT i, st_setsrid(vertex(i, 1), 25832) FROM generate_series(1, 60) AS i;
INSERT INTO zone SELECT i, st_setsrid(a_ring(i, 30, 0.7), 25832) FROM generate_series(1, 25) AS i;
SELECT spqtree_watch('visits', 'vehicle', 'pos', 'zone', 'area', distance => 0.5, leave_distance => 1, kinds => '{enter,leave,inside,outside}');
SELECT spqtree_watch('meets', 'vehicle', 'pos', distance => 0.6);
SELECT spqtree_watch('crosses', 'vehicle', 'pos', 'zone', 'area', kinds => '{cross}');

CREATE FUNCTION wrong() RETURNS TABLE (what text, n bigint) LANGUAGE sql AS $$
	SELECT 'visits', count(*) FROM (SELECT v.id, z.id, st_dwithin(pos, area, 0.5) FROM vehicle AS v, zone AS z WHERE st_dwithin(pos, area, 1)) AS t(object, fence, near)
		FULL JOIN visits USING (object, fence) WHERE t.object IS NULL OR (near AND visits.object IS NULL)
	UNION ALL SELECT 'meets', count(*) FROM (SELECT v.id, w.id FROM vehicle AS v, vehicle AS w WHERE st_dwithin(v.pos, w.pos, 0.6) AND v.id < w.id) AS t(object, fence)
		FULL JOIN meets USING (object, fence) WHERE t.object IS NULL OR meets.object IS NULL
	UNION ALL SELECT 'check', count(*) FROM (SELECT FROM spqtree_check_watch('visits') UNION ALL SELECT FROM spqtree_check_watch('meets')) AS s $$;
SELECT * FROM wrong();
UPDATE vehicle SET pos = st_translate(pos, 0.7, 0.2) WHERE id % 3 > 0;
UPDATE zone SET area = st_translate(area, rnd(3, id) - 1, 0);
INSERT INTO vehicle VALUES (101, NULL), (102, 'SRID=25832;POINT EMPTY'), (103, 'SRID=25832;POINT(1e9 1e9)');
DELETE FROM zone WHERE id = 7;
DO $$
BEGIN
	FOR i IN 1 .. 40 LOOP
		UPDATE vehicle SET pos = st_translate(pos, rnd(7, i, id) / 5.0 - 0.6, rnd(7, id, i) / 5.0 - 0.6) WHERE id % 10 = i % 10;
		IF i % 8 = 0 THEN UPDATE zone SET area = st_translate(area, 0.1, 0.1) WHERE id % 3 = 0; END IF;
	END LOOP;
END $$;
SELECT * FROM wrong();
SELECT kind, count(*) > 10 AS many FROM visits_events GROUP BY kind ORDER BY kind;
-- what is wrong with a row is an error of PostGIS, and nothing has happened
ALTER TABLE vehicle ALTER pos TYPE geometry;
\set VERBOSITY terse
UPDATE vehicle SET pos = st_setsrid(pos, 4326) WHERE id = 1;
\set VERBOSITY default
SELECT * FROM wrong();
SELECT spqtree_unwatch('visits'), spqtree_unwatch('meets');

CREATE TABLE ship (id int PRIMARY KEY, pos geography);
CREATE TABLE port (id int PRIMARY KEY, place geography);
CREATE INDEX ON ship USING spqtree (pos);
CREATE INDEX ON port USING spqtree (place);
INSERT INTO port VALUES (1, 'POINT(8.5 53.5)'), (2, 'POINT(180 10)');
SELECT spqtree_watch('calls', 'ship', 'pos', 'port', 'place', distance => 5000);
INSERT INTO ship VALUES (1, 'POINT(8.55 53.5)'), (2, 'POINT(-179.99 10)'), (3, 'POINT(0 0)');
UPDATE ship SET pos = 'POINT(8.6 53.5)' WHERE id = 1;
UPDATE ship SET pos = 'POINT(8.45 53.52)' WHERE id = 3;
SELECT kind, object, fence FROM calls_events ORDER BY id;
SELECT object, fence FROM calls ORDER BY object;
DROP TABLE vehicle, zone, ship, port CASCADE;
