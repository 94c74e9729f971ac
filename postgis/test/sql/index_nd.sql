-- Indexes of geometries in space, and of geographies, return what a sequential scan does.  The functions are those of test index.
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE indexed AS
SELECT row_number() OVER () AS id, geom FROM (
	SELECT CASE rnd(5, i, 3) WHEN 0 THEN geom WHEN 1 THEN st_force3dm(geom, rnd(9, i, 4)) WHEN 2 THEN st_force4d(geom, rnd(9, i, 4), i)
		ELSE st_rotatex(st_force3d(geom, rnd(9, i, 4)), rnd(4, i, 5)) END AS geom
	FROM (SELECT i, st_translate(geom, rnd(20, i, 1), rnd(20, i, 2)) AS geom FROM shape, generate_series(1, 6) AS i) AS s
	UNION ALL SELECT unnest(ARRAY[st_makepoint(1, 2, 'NaN'), st_makepoint(1, 2, 'Infinity'), 'POINT Z EMPTY', 'POINT M (1 2 1e300)', NULL]) AS g) AS s;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom spqtree_geometry_nd_ops);
INSERT INTO indexed SELECT id + 100000, st_translate(geom, 0.3, 0.7) FROM indexed WHERE geom IS NOT NULL;
ANALYZE indexed;
SELECT * FROM spqtree_check('indexed_geom');
CREATE TABLE asked AS SELECT row_number() OVER () AS id, geom FROM (
	SELECT geom FROM indexed WHERE id <= 100000 AND id % 17 = 0
	UNION ALL SELECT st_translate(st_force3d(st_makeenvelope(x, x, x + 9, x + 9), z), 0, 0) FROM generate_series(0, 20, 7) AS x, generate_series(-5, 10, 5) AS z
	UNION ALL SELECT geom FROM indexed WHERE id BETWEEN (SELECT max(id) - 5 FROM indexed WHERE id < 100000) AND 100000) AS s;
SELECT operator, c.* FROM unnest('{&&&,~~=,~~,@@}'::text[]) AS operator, compare_index('t.geom ' || operator || ' a.geom') AS c;
SELECT operator, c.* FROM unnest('{&&&,~~,@@}'::text[]) AS operator, compare_index('a.geom ' || operator || ' t.geom') AS c;
DELETE FROM asked WHERE st_npoints(geom) > 50 OR geometrytype(geom) ~ 'COLLECTION|CIRC' OR st_astext(geom) ~* 'nan|inf|e\+';
DELETE FROM indexed WHERE st_npoints(geom) > 50 OR geometrytype(geom) ~ 'COLLECTION|CIRC' OR st_astext(geom) ~* 'nan|inf|e\+';
-- PostGIS' condition on an index for these is &&&, which compares m, too, although they do not, also with GiST.  Distances are those
-- of geometries with points.
DELETE FROM asked WHERE st_isempty(geom) OR st_zmflag(geom) IN (1, 3);
DELETE FROM indexed WHERE st_isempty(geom) OR st_zmflag(geom) IN (1, 3);
SELECT condition, c.* FROM unnest(ARRAY['st_3dintersects(t.geom, a.geom)', 'st_3ddwithin(a.geom, t.geom, 2)']) AS condition, compare_index(condition) AS c;
SELECT operator, c.* FROM unnest('{<<->>}'::text[]) AS operator, compare_nearest(operator) AS c;

-- The join by &&&.
SELECT c.* FROM compare_join('SELECT a.id AS a, t.id AS b FROM asked AS a JOIN indexed AS t ON a.geom &&& t.geom') AS c;

-- Trajectories.
CREATE TABLE trip AS SELECT i AS id, st_makeline(ARRAY[st_makepointm(rnd(20, i, 1), rnd(20, i, 2), 0), st_makepointm(rnd(20, i, 3), rnd(20, i, 4), 1 + rnd(9, i, 5))]) AS geom FROM generate_series(1, 200) AS i;
CREATE INDEX trip_geom ON trip USING spqtree (geom spqtree_geometry_nd_ops);
ANALYZE trip;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM trip ORDER BY geom |=| 'LINESTRING M (3 3 0, 9 9 5)' LIMIT 5;
SELECT array_agg(round(d::numeric, 9)) AS d FROM (SELECT geom |=| 'LINESTRING M (3 3 0, 9 9 5)' AS d FROM trip ORDER BY geom |=| 'LINESTRING M (3 3 0, 9 9 5)' LIMIT 5) AS s;
SET enable_indexscan = off;
SET enable_seqscan = on;
SELECT array_agg(round(d::numeric, 9)) AS d FROM (SELECT geom |=| 'LINESTRING M (3 3 0, 9 9 5)' AS d FROM trip ORDER BY geom |=| 'LINESTRING M (3 3 0, 9 9 5)' LIMIT 5) AS s;
RESET enable_indexscan;
DROP TABLE indexed, asked, trip;

-- Geographies.  Operators compare boxes of single precision, so points up to a meter apart overlap.
CREATE TABLE dock (id int, geom geography, EXCLUDE USING spqtree (geom WITH &&));
INSERT INTO dock VALUES (1, 'POINT(8.5 53)');
INSERT INTO dock VALUES (2, 'POINT(8.5 53)');
DROP TABLE dock;
CREATE TABLE indexed AS SELECT i AS id, st_point(8.5 + i % 30 / 1e7, 53 + i / 30 / 1e7)::geography AS geom FROM generate_series(1, 900) AS i;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
CREATE TABLE asked AS SELECT * FROM indexed WHERE id % 90 = 1;
ANALYZE indexed, asked;
SELECT c.* FROM compare_index('t.geom && a.geom') AS c;
SELECT c.* FROM compare_join('SELECT a.id AS a, t.id AS b FROM asked AS a JOIN indexed AS t ON a.geom && t.geom') AS c;
DROP TABLE indexed, asked;
CREATE TABLE indexed AS
SELECT row_number() OVER () AS id, geom FROM (
	SELECT st_point(coordinate(i, 1) * 27 - 170, coordinate(i, 2) * 13 - 85)::geography AS geom FROM generate_series(1, 600) AS i
	UNION ALL SELECT st_makeline(st_point(rnd(300, i, 1) - 150, rnd(170, i, 2) - 85), st_point(rnd(300, i, 1) - 150 + rnd(40, i, 3), rnd(170, i, 2) - 85 + rnd(5, i, 4)))::geography FROM generate_series(1, 100) AS i
	UNION ALL SELECT st_buffer(st_point(rnd(300, i, 1) - 150, rnd(100, i, 2) - 50)::geography, 1000 * rnd(900, i)) FROM generate_series(1, 60) AS i
	UNION ALL SELECT unnest(ARRAY['POINT(0 90)', 'POINT(180 0)', 'POINT EMPTY', 'LINESTRING(170 10,-170 10)', 'POLYGON((0 80,120 80,240 80,0 80))', NULL]::geography[])) AS s;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
ANALYZE indexed;
SELECT * FROM spqtree_check('indexed_geom');
CREATE TABLE asked AS SELECT id, geom FROM indexed WHERE id % 29 = 0 OR id > 755;
SELECT condition, c.* FROM unnest(ARRAY['t.geom && a.geom', 'a.geom && t.geom', 'st_intersects(t.geom, a.geom)', 'st_covers(a.geom, t.geom)', 'st_coveredby(t.geom, a.geom)',
	'st_dwithin(t.geom, a.geom, 500000)', 'st_dwithin(a.geom, t.geom, 30000, false)']) AS condition, compare_index(condition) AS c;
DELETE FROM asked WHERE st_isempty(geom::geometry);
SELECT c.* FROM compare_nearest('<->') AS c;
DROP TABLE indexed, asked;
