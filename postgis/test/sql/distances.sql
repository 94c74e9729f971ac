-- Comparisons of distances by joins and indexes return what they say of each pair: of geometries and geographies of each kind,
-- of empty ones, NaN, infinities, distances that are rounded, and limits that are no distance.  Functions and places are those of
-- tests joins, index and geography.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
CREATE TABLE d AS SELECT i AS id, CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 0 WHEN 2 THEN -1 WHEN 3 THEN 0.5 ELSE rnd(40, i) / 10.0 END::float8 AS r, i % 5 - 1 AS k, (CASE i % 9
	WHEN 0 THEN st_makepoint(rnd(40, i, 1) / 2.0, rnd(40, i, 2) / 2.0)
	WHEN 1 THEN st_makepoint(rnd(40, i, 1) / 10.0, rnd(40, i, 2) / 10.0)
	WHEN 2 THEN st_makeline(st_makepoint(rnd(20, i, 1), rnd(20, i, 2)), st_makepoint(rnd(20, i, 3), rnd(20, i, 4)))
	WHEN 3 THEN st_buffer(st_makepoint(rnd(20, i, 1), rnd(20, i, 2)), 1 + rnd(3, i, 3), 2)
	WHEN 4 THEN st_makepoint(rnd(20, i, 1), rnd(20, i, 2), rnd(20, i, 3))
	WHEN 5 THEN st_makepoint(1e15, rnd(8, i, 1) / 16.0)
	WHEN 6 THEN st_makepoint(-rnd(8, i, 1) / 16.0, 0)
	WHEN 7 THEN 'POINT EMPTY'::geometry
	ELSE st_multi(st_makepoint(rnd(40, i, 1) / 2.0, rnd(40, i, 2) / 2.0)) END) AS geom FROM generate_series(1, 160) AS i;
INSERT INTO d (id, geom, r) SELECT 1000 + row_number() OVER (), geom, r FROM unnest(ARRAY[NULL, st_makepoint('NaN', 1), st_makepoint(1, 'NaN'), st_makepoint('Infinity', 1), st_makepoint(1, '-Infinity'),
	st_makepoint(1e300, 1), st_makepoint(-1e39, 1), st_makepoint(1e-200, 0), st_makepoint(0, 0), 'CIRCULARSTRING(0 0,1 1,2 0)', 'GEOMETRYCOLLECTION(POINT EMPTY,POINT(1 1))']::geometry[],
	'{NaN,Infinity,-Infinity,1e300,1e-300,-0,0,1,2,NaN,Infinity}'::float8[]) AS v (geom, r);
CREATE TABLE a AS SELECT * FROM d WHERE id % 2 = 0 OR id > 1000;
CREATE TABLE b AS SELECT id + 2000 AS id, r, k, geom FROM d WHERE id % 2 = 1 OR id > 1000;
-- A point with a NaN is at distance 0 of some polygons.  A join finds it, an index does not, as with PostGIS' own predicates.
CREATE TABLE indexed AS SELECT * FROM b WHERE geom IS NULL OR st_astext(geom) !~ 'NaN';
CREATE TABLE asked AS SELECT * FROM a WHERE geom IS NULL OR st_astext(geom) !~ 'NaN';
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
ANALYZE a, b, indexed, asked;
CREATE TABLE form AS SELECT row_number() OVER () AS nr, form FROM unnest(ARRAY['st_distance(%1$s.geom, %2$s.geom) <= 0.5', 'st_distance(%1$s.geom, %2$s.geom) < 1', '0 >= st_distance(%1$s.geom, %2$s.geom)',
	'%1$s.geom <-> %2$s.geom < 0.5', 'st_3ddistance(%1$s.geom, %2$s.geom) <= 2', 'st_distance(%1$s.geom, %2$s.geom) <= 1e15', 'st_distance(%1$s.geom, %2$s.geom) <= -1',
	'st_distance(%1$s.geom, %2$s.geom) <= a.k', 'st_distance(%1$s.geom, %2$s.geom) <= a.r', 'a.r > (%1$s.geom <-> %2$s.geom)', 'st_distance(%1$s.geom, %2$s.geom) <= ''NaN''', 'st_distance(%1$s.geom, %2$s.geom) <= ''Infinity'' AND a.id < 20']) AS form;
SELECT form, c.* FROM form, compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || format(form, 'a', 'b') || CASE WHEN form ~ '3d' THEN ' AND a.id < 1000 AND b.id < 3000' ELSE '' END) AS c ORDER BY nr;
SELECT form, c.* FROM form, compare_index(format(form, 't', 'a') || CASE WHEN form ~ '3d' THEN ' AND a.id < 1000 AND t.id < 3000' ELSE '' END) AS c ORDER BY nr;
DROP INDEX indexed_geom;
CREATE INDEX indexed_geom ON indexed USING gist (geom);
SELECT form, c.* FROM form, compare_index(format(form, 'a', 't') || CASE WHEN form ~ '3d' THEN ' AND a.id < 1000 AND t.id < 3000' ELSE '' END) AS c ORDER BY nr;
-- Values near a buffer: without making it, for the boxes; a buffer of another style is made
CREATE TABLE v AS SELECT * FROM d WHERE id < 1000 AND id % 9 NOT IN (5, 6) OR id IN (1007, 1008, 1009);
DROP TABLE a, b, indexed, asked;
CREATE TABLE a AS TABLE v;
CREATE TABLE b AS SELECT id + 2000 AS id, r, k, geom FROM v;
CREATE TABLE indexed AS TABLE b;
CREATE TABLE asked AS TABLE a;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
ANALYZE a, b, indexed, asked;
CREATE TABLE near AS SELECT row_number() OVER () AS nr, form FROM unnest(ARRAY['st_intersects(st_buffer(%1$s.geom, 0.5), %2$s.geom)', 'st_intersects(%1$s.geom, st_buffer(%2$s.geom, 1.5))', 'st_contains(st_buffer(%1$s.geom, 0.5, 4), %2$s.geom)', 'st_within(%1$s.geom, st_buffer(%2$s.geom, -0.5))',
	'st_intersects(st_buffer(%1$s.geom, %1$s.r), %2$s.geom)', 'st_intersects(st_buffer(%1$s.geom, 0.5, ''quad_segs=2''), %2$s.geom)', 'st_intersects(st_buffer(%1$s.geom, 0.5, ''endcap=square join=mitre''), %2$s.geom)', 'st_equals(st_buffer(%1$s.geom, 0), %2$s.geom)', 'st_dwithin(st_buffer(%1$s.geom, 0.5), %2$s.geom, 0.5)']) AS form;
SELECT form, c.* FROM near, compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || format(form, 'a', 'b')) AS c ORDER BY nr;
SELECT form, c.* FROM near, compare_index(format(form, 't', 'a')) AS c ORDER BY nr;
SELECT form, c.* FROM near, compare_index(format(form, 'a', 't')) AS c ORDER BY nr;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a JOIN b ON st_intersects(st_buffer(a.geom, 0.5), b.geom);
RESET enable_nestloop;
-- Plans: the index condition of a window that is a little larger, and the comparison as it was
EXPLAIN (COSTS OFF) SELECT t.id FROM indexed AS t WHERE st_distance(t.geom, 'POINT(1 1)') <= -1 AND st_distance(t.geom, 'POINT(1 1)') > 0.5;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a JOIN b ON st_distance(a.geom, b.geom) < a.r;
RESET enable_nestloop;
DROP TABLE a, b, indexed, asked, d, v, form, near;

-- Geographies
CREATE TABLE a AS SELECT * FROM place WHERE id % 2 = 0;
CREATE TABLE b AS SELECT id + 1000 AS id, r, geog FROM place WHERE id % 2 = 1 UNION ALL SELECT id + 2000, r, geog FROM place WHERE id % 5 = 0;
INSERT INTO b VALUES (3001, 1, 'POINT(0 0)'), (3002, 1, NULL);
INSERT INTO a VALUES (4001, 0, 'POINT(3.6e-14 0)'), (4002, 'NaN', 'POINT(0 0)'), (4003, NULL, 'POINT(0 0)');
CREATE TABLE indexed AS SELECT id, geog FROM b;
CREATE TABLE asked AS SELECT * FROM a;
CREATE INDEX indexed_geom ON indexed USING spqtree (geog);
ANALYZE a, b, indexed, asked;
CREATE TABLE form AS SELECT row_number() OVER () AS nr, form FROM unnest(ARRAY['st_distance(%1$s.geog, %2$s.geog) <= 100', 'st_distance(%1$s.geog, %2$s.geog) <= 0', '1000 > st_distance(%1$s.geog, %2$s.geog, false)',
	'%1$s.geog <-> %2$s.geog < 3000', 'st_distance(%1$s.geog, %2$s.geog) < a.r', 'st_distance(%1$s.geog, %2$s.geog) <= a.r', 'st_distance(%1$s.geog, %2$s.geog) < 3000000']) AS form;
SELECT form, c.* FROM form, compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || format(form, 'a', 'b')) AS c ORDER BY nr;
SELECT form, c.* FROM form, compare_index(format(form, 't', 'a')) AS c ORDER BY nr;
DROP INDEX indexed_geom;
CREATE INDEX indexed_geom ON indexed USING gist (geog);
SELECT form, c.* FROM form, compare_index(format(form, 'a', 't')) AS c ORDER BY nr;
-- the sphere instead of the spheroid
CREATE TABLE g AS SELECT id, st_setsrid(st_makepoint(id % 20 / 100.0, id / 20 / 100.0), 4326) AS geom FROM generate_series(1, 400) AS id;
SELECT c.* FROM compare_join('SELECT a.id AS a, b.id AS b FROM g a JOIN g b ON st_distancesphere(a.geom, b.geom) < 1200') AS c;
DROP TABLE a, b, indexed, asked, form, g;
