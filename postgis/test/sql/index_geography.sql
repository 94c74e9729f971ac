-- An index of geographies returns for && what a sequential scan does, without evaluating && for the rows that it finds.  PostGIS
-- compares boxes in space, rounded outward to single precision; here, many differ by one number of this precision, or not at all.
-- The functions are those of tests predicates, joins and index.  SPQTREE_SEED makes other data.
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
\set seed 1
\getenv seed SPQTREE_SEED

-- Places where a coordinate in space is, or nearly is, a number of single precision, and two others; the date line.
CREATE TABLE spot AS SELECT row_number() OVER () - 1 AS n, lon::float8, lat::float8 FROM (VALUES
	(0, 0), (90, 0), (180, 0), (-180, 1e-7), (0, 90), (77, -90), (0, 30), (60, 0), (-120, -30), (45, 45), (8.5, 53), (-71.123456, -17.654321)) AS v(lon, lat);
CREATE FUNCTION near_spot(i int, k int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_setsrid(st_point(lon + (rnd(9, i, k, 1) - 4) * s, greatest(-90, least(90, lat + (rnd(9, i, k, 2) - 4) * s))), 4326)
	FROM spot, LATERAL (SELECT (ARRAY[0, 1e-15, 3e-10, 1e-8, 1e-7, 1e-6])[1 + rnd(6, i, k, 3)] AS s) AS v WHERE n = rnd(12, i, k, 4));
CREATE FUNCTION anywhere(i int, k int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN st_setsrid(st_point(rnd(360000001, i, k, 5) / 1e6 - 180, rnd(180000001, i, k, 6) / 1e6 - 90), 4326);

-- The other end of a line: not opposite to the first, for which PostGIS raises an error.
CREATE FUNCTION other_end(a geometry, i int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN CASE WHEN st_distancesphere(a, near_spot(i, 2)) > 1.9e7 THEN anywhere(i, 2) ELSE near_spot(i, 2) END;

CREATE TABLE indexed AS
SELECT i AS id, (CASE i % 16
	WHEN 0 THEN near_spot(j, 1) WHEN 1 THEN near_spot(j, 1) WHEN 2 THEN near_spot(j, 1) WHEN 3 THEN near_spot(j, 1)
	WHEN 4 THEN anywhere(j, 1)
	WHEN 5 THEN st_multi(near_spot(j, 1))
	WHEN 6 THEN st_makeline(near_spot(j, 1), other_end(near_spot(j, 1), j))
	WHEN 7 THEN st_multi(st_makeline(near_spot(j, 1), anywhere(j, 2)))
	WHEN 8 THEN st_makeline(anywhere(j, 1), anywhere(j, 2))
	WHEN 9 THEN st_makeline(ARRAY[near_spot(j, 1), anywhere(j, 3), near_spot(j, 2)])
	WHEN 10 THEN st_force3dz(near_spot(j, 1), 1000)
	WHEN 11 THEN CASE rnd(3, j, 7) WHEN 0 THEN st_force3dm(near_spot(j, 1), j) WHEN 1 THEN st_force4d(near_spot(j, 1), 5, j)
		WHEN 2 THEN st_force3dm(st_makeline(ARRAY[near_spot(j, 1), anywhere(j, 3), anywhere(j, 4)]), j) END
	WHEN 12 THEN st_makeenvelope(st_x(p) - 0.5, st_y(p) - 0.5, st_x(p) + 0.5, st_y(p) + 0.5, 4326)
	WHEN 13 THEN st_buffer(p::geography, 1 + 10.0 ^ rnd(7, j, 8))::geometry
	WHEN 14 THEN st_makeline(anywhere(j, 1), st_setsrid(st_point(st_x(anywhere(j, 1)), -st_y(anywhere(j, 1))), 4326))
	ELSE near_spot(j, 1) END)::geography AS geog
FROM generate_series(1, 3200) AS i, LATERAL (SELECT i + 10000 * :seed AS j, CASE i % 7 WHEN 0 THEN st_setsrid(st_point(179.9, rnd(80, i, 9)), 4326)
	ELSE st_setsrid(st_point(rnd(340, i, 9) - 170, rnd(160, i, 10) - 80), 4326) END AS p) AS s;
CREATE INDEX indexed_geog ON indexed USING spqtree (geog);
SELECT count(*) FROM spqtree_check('indexed_geog', true);
INSERT INTO indexed SELECT 10000 + i, near_spot(i + 20000 * :seed, 1)::geography FROM generate_series(1, 300) AS i;
ANALYZE indexed;
SELECT count(*) FROM spqtree_check('indexed_geog', true);

-- A box around everything within a distance, as the index condition of ST_DWithin.
CREATE TABLE asked AS SELECT row_number() OVER () AS id, geog FROM (
	SELECT geog FROM indexed WHERE id % 37 < 3
	UNION ALL SELECT _st_expand(geog, d) FROM indexed, unnest(ARRAY[0, 0.02, 1, 1000, 1e6, 3e7, -1000]) AS d WHERE id % 97 = 1
	UNION ALL SELECT unnest(ARRAY['POINT EMPTY', 'POLYGON((0 80,120 80,240 80,0 80))', NULL]::geography[])) AS s;

-- Rows that only one of index and table has, for all queries; their number; whether the plan has the index.
CREATE FUNCTION compare_geographies(condition text, OUT indexed boolean, OUT different bigint, OUT many boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT a.id AS a, s.id FROM asked AS a, LATERAL (SELECT t.id FROM indexed AS t WHERE ' || condition || ' OFFSET 0) AS s';
	line text;
BEGIN
	indexed := false;
	SET LOCAL spqtree.enable_hashjoin = off;
	SET LOCAL enable_seqscan = off;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		indexed := indexed OR line LIKE '%indexed_geog%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE ours AS ' || query;
	SET LOCAL enable_seqscan = on;
	SET LOCAL enable_bitmapscan = off;
	SET LOCAL enable_indexscan = off;
	EXECUTE 'CREATE TEMP TABLE theirs AS ' || query;
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) AS s;
	SELECT count(*) > 1000 INTO many FROM theirs;
	DROP TABLE ours, theirs;
END $$;
SELECT condition, c.* FROM unnest(ARRAY['t.geog && a.geog', 'a.geog && t.geog']) AS condition, compare_geographies(condition) AS c;

-- && of an M geography with z unknown: rows are rechecked on pages that have one.  Without these, no row is.
DELETE FROM indexed WHERE st_zmflag(geog::geometry) = 1;
REINDEX INDEX indexed_geog;
SELECT count(*) > 100 AS queries, sum(rows) > 1000 AS rows, sum(rechecked) AS rechecked
FROM asked, LATERAL spqtree_explain3('indexed_geog', spqtree_bounds3(geog)) WHERE spqtree_bounds3(geog)::text !~ 'Inf';
SELECT condition, c.* FROM unnest(ARRAY['t.geog && a.geog', 'a.geog && t.geog']) AS condition, compare_geographies(condition) AS c;

-- Empty geographies, coordinates that are not numbers, and nested ones.
INSERT INTO indexed SELECT 20000 + row_number() OVER (), geog FROM unnest(ARRAY['POINT EMPTY', 'LINESTRING EMPTY', 'POLYGON EMPTY', 'MULTIPOINT EMPTY',
	'GEOMETRYCOLLECTION EMPTY', 'GEOMETRYCOLLECTION(POINT EMPTY)', 'MULTIPOINT(EMPTY)', 'MULTILINESTRING(EMPTY)', 'GEOMETRYCOLLECTION(POINT(8.5 53))',
	'GEOMETRYCOLLECTION(POINT(8.5 53),LINESTRING(1 1,3 3))', 'POINT M EMPTY', NULL]::geography[]) AS geog;
SELECT count(*) FROM spqtree_check('indexed_geog', true);
INSERT INTO asked SELECT 20000 + row_number() OVER (), geog FROM indexed WHERE id > 20000;
SELECT condition, c.* FROM unnest(ARRAY['t.geog && a.geog', 'a.geog && t.geog']) AS condition, compare_geographies(condition) AS c;

-- PostGIS cannot make a box of a line between opposite points.  Such a line can be stored, and only && raises the error.
DELETE FROM indexed WHERE id > 20000;
INSERT INTO indexed VALUES (30000, 'LINESTRING(10 20,-170 -20)'), (30001, 'MULTILINESTRING((0 -90,0 90))');
REINDEX INDEX indexed_geog;
SELECT count(*) FROM spqtree_check('indexed_geog', true);
SELECT id FROM indexed WHERE geog && 'LINESTRING(10 20,-170 -20)'::geography;
DROP FUNCTION other_end, near_spot, anywhere, compare_geographies;
DROP TABLE indexed, asked, spot;
