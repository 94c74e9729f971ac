-- Joins of geographies return what nested loops do.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;

-- Anywhere on the Earth, near to each other, at the date line, near the pole.
CREATE FUNCTION lon(i int, k int) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE i % 4 WHEN 0 THEN rnd(3600000, i, k, 1) / 10000.0 - 180 WHEN 1 THEN 10 + rnd(1000, i, k, 1) / 100000.0
	WHEN 2 THEN 179.99 + rnd(1000, i, k, 1) / 100000.0 - CASE WHEN rnd(2, i, k, 7) = 0 THEN 0 ELSE 359.98 END ELSE rnd(36, i, k, 1) * 10 - 180 END;
CREATE FUNCTION lat(i int, k int) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE i % 4 WHEN 0 THEN rnd(1800000, i, k, 2) / 10000.0 - 90 WHEN 1 THEN 50 + rnd(1000, i, k, 2) / 100000.0
	WHEN 2 THEN rnd(1000, i, k, 2) / 100000.0 ELSE 89.99 + rnd(100, i, k, 2) / 10000.0 END;
CREATE FUNCTION place(i int, k int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN st_point(lon(i, k), lat(i, k));

CREATE TABLE place AS
SELECT i AS id, rnd(2000, i)::float8 AS r, (CASE i % 7
	WHEN 0 THEN place(i, 1)
	WHEN 1 THEN place(i, 1)
	WHEN 2 THEN st_makeline(place(i, 1), place(i, 2))
	WHEN 3 THEN st_makeline(ARRAY[place(i, 1), place(i, 2), place(i, 3)])
	WHEN 4 THEN st_multi(place(i, 1))
	WHEN 5 THEN st_makeenvelope(lon(4 * i + 2, 1) - 0.004, lat(4 * i + 2, 1), lon(4 * i + 2, 1), lat(4 * i + 2, 1) + 0.004)
	WHEN 6 THEN CASE WHEN i % 3 = 0 THEN 'POINT EMPTY'::geometry ELSE st_multi(st_makeline(place(i, 1), place(i, 2))) END
	END)::geography AS geog
FROM generate_series(1, 280) AS i;
CREATE TABLE a AS SELECT * FROM place WHERE id % 2 = 0;
CREATE TABLE b AS SELECT id + 1000 AS id, r, geog FROM place WHERE id % 2 = 1 UNION ALL SELECT id + 2000, r, geog FROM place WHERE id % 5 = 0;
ANALYZE a, b;
SELECT condition, c.* FROM unnest(ARRAY[
	'st_intersects(a.geog, b.geog)', 'st_dwithin(a.geog, b.geog, 100)', 'st_dwithin(b.geog, a.geog, 0)', 'st_dwithin(a.geog, b.geog, 1000, false)',
	'st_dwithin(a.geog, b.geog, a.r)', 'st_dwithin(a.geog, b.geog, b.r)', 'st_dwithin(a.geog, b.geog, 3000000)',
	'st_dwithin(a.geog, b.geog, 1e9)', 'a.geog && b.geog', 'st_covers(b.geog, a.geog)', 'st_coveredby(a.geog, b.geog)']) AS condition,
	compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || condition ||
		CASE WHEN condition LIKE 'st_cover%' THEN ' AND geometrytype(a.geog::geometry) = ''POINT'' AND geometrytype(b.geog::geometry) = ''POLYGON''' ELSE '' END) AS c;

-- The predicate is nearly all of the cost, of every plan.  The rest decides: the node is taken, although a nested loop
-- costs less than 1 % more.
CREATE TABLE many AS SELECT st_point(8 + (i * 0.569840) % 0.6, 50 + (i * 0.381966) % 0.4)::geography AS geog FROM generate_series(1, 40000) i;
CREATE TABLE few AS SELECT st_point(8 + (i * 0.618034) % 0.6, 50 + (i * 0.754878) % 0.4)::geography AS geog FROM generate_series(1, 400) i;
CREATE INDEX ON many USING spqtree (geog);
ANALYZE many, few;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT FROM few JOIN many ON st_dwithin(few.geog, many.geog, 3000);
RESET max_parallel_workers_per_gather;
DROP TABLE many, few;

-- Bounds on the unit sphere
SELECT spqtree_bounds('SRID=4326;POINT(0 0)'::geography) <@ box3 '(1.1,0.1,0.1),(0.9,-0.1,-0.1)' AS near,
	spqtree_bounds('SRID=4326;POINT(90 0)'::geography, 6.3e5) && spqtree_bounds('SRID=4326;POINT(95.6 0)'::geography) AS within,
	spqtree_bounds('SRID=4326;POINT(90 0)'::geography, 6.3e5) && spqtree_bounds('SRID=4326;POINT(97 0)'::geography) AS beyond,
	spqtree_bounds('POINT EMPTY'::geography) AS empty, spqtree_bounds('POINT(0 0)'::geography, 'NaN') AS nothing;
DROP TABLE a, b;
