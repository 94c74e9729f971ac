-- Joins on PostGIS' predicates by the spatial hash join return what nested loops do.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
CREATE TABLE a AS SELECT id, id % 7 AS kind, rnd(3, id) / 4.0::float8 AS r, geom FROM shape
WHERE geom IS NULL OR geometrytype(geom) <> 'GEOMETRYCOLLECTION' AND st_npoints(geom) < 100;
CREATE TABLE b AS SELECT id + 1000 AS id, id % 5 AS kind, st_translate(geom, 1, 0) AS geom FROM a;
CREATE INDEX ON b USING gist (geom);
ANALYZE a, b;

-- Number of rows that only one of the plans returns, and whether there are any; how the
-- join was planned.
CREATE FUNCTION compare_join(query text) RETURNS TABLE (node boolean, different bigint, matches boolean) LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	node := false;
	SET LOCAL enable_nestloop = off;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		node := node OR line LIKE '%Spqtree Spatial Hash Join%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE ours AS ' || query;
	SET LOCAL enable_nestloop = on;
	SET LOCAL spqtree.enable_hashjoin = off;
	SET LOCAL spqtree.enable_equivalents = off;
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE 'CREATE TEMP TABLE theirs AS ' || query;
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) AS s;
	SELECT count(*) > 0 INTO matches FROM ours;
	DROP TABLE ours, theirs;
	RESET spqtree.enable_hashjoin;
	RESET spqtree.enable_equivalents;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
	RETURN NEXT;
END $$;

SELECT condition, c.* FROM unnest(ARRAY[
	'st_intersects(a.geom, b.geom)', 'st_intersects(b.geom, a.geom)', 'st_contains(a.geom, b.geom)', 'st_within(a.geom, b.geom)',
	'st_covers(b.geom, a.geom)', 'st_coveredby(a.geom, b.geom)', 'st_containsproperly(a.geom, b.geom)', 'st_touches(a.geom, b.geom)',
	'st_crosses(a.geom, b.geom)', 'st_overlaps(a.geom, b.geom)', 'st_equals(a.geom, b.geom)',
	'st_dwithin(a.geom, b.geom, 0.5)', 'st_dwithin(b.geom, a.geom, 0)', 'st_dwithin(a.geom, b.geom, a.r)', 'st_dwithin(b.geom, a.geom, a.r)',
	'st_dfullywithin(a.geom, b.geom, 4)', 'st_3dintersects(a.geom, b.geom)', 'st_3ddwithin(a.geom, b.geom, 1)',
	'a.geom && b.geom', 'a.geom ~ b.geom', 'a.geom @ b.geom', 'a.geom ~= b.geom',
	'st_intersects(st_buffer(a.geom, 0.25), b.geom)', 'st_intersects(st_centroid(a.geom), b.geom)',
	'st_intersects(a.geom, b.geom) AND a.kind = b.kind', 'st_intersects(a.geom, b.geom) AND a.id < b.id - 1000',
	'st_intersects(a.geom, b.geom) AND NOT st_touches(a.geom, b.geom)']) AS condition,
	compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || condition ||
		CASE WHEN condition ~ '3d|fully' THEN ' AND geometrytype(a.geom) NOT LIKE ''CIRC%'' AND geometrytype(b.geom) NOT LIKE ''CIRC%''' ELSE '' END) AS c;
-- From PostGIS 3.7 on this is planned as =, which is not spatial.
SELECT condition, c.node = ((regexp_split_to_array(postgis_lib_version(), '\D'))[1:2]::int[] < '{3,7}') AS "node before 3.7", different, matches
FROM (VALUES ('st_orderingequals(a.geom, b.geom)')) v(condition), compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || condition) AS c;

SELECT kind, c.* FROM unnest(ARRAY['LEFT', 'RIGHT']) AS kind,
	compare_join('SELECT a.id AS a, b.id AS b FROM a ' || kind || ' JOIN b ON st_contains(a.geom, b.geom)') AS c;
SELECT kind, c.* FROM unnest(ARRAY['EXISTS', 'NOT EXISTS']) AS kind,
	compare_join('SELECT a.id AS a FROM a WHERE ' || kind || ' (SELECT FROM b WHERE st_touches(a.geom, b.geom))') AS c;

-- FULL, which PostgreSQL alone cannot do with such a condition: the parts of it.
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a FULL JOIN b ON st_contains(a.geom, b.geom);
CREATE TEMP TABLE whole AS SELECT a.id AS a, b.id AS b FROM a FULL JOIN b ON st_contains(a.geom, b.geom);
SET enable_nestloop = on;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_equivalents = off;
CREATE TEMP TABLE parts AS SELECT a.id AS a, b.id AS b FROM a LEFT JOIN b ON st_contains(a.geom, b.geom)
UNION ALL SELECT NULL, b.id FROM b WHERE NOT EXISTS (SELECT FROM a WHERE st_contains(a.geom, b.geom));
RESET spqtree.enable_hashjoin;
RESET spqtree.enable_equivalents;
SELECT count(*) FROM ((TABLE whole EXCEPT ALL TABLE parts) UNION ALL (TABLE parts EXCEPT ALL TABLE whole)) AS s;

-- With workers, and in batches on disk.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
ALTER TABLE a SET (parallel_workers = 2);
ALTER TABLE b SET (parallel_workers = 2);
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a JOIN b ON st_intersects(a.geom, b.geom);
SET enable_nestloop = on;
SELECT condition, c.* FROM unnest('{st_intersects,st_touches,st_overlaps}'::text[]) AS condition,
	compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || condition || '(a.geom, b.geom)') AS c;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT c.* FROM compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON st_intersects(a.geom, b.geom)') AS c;
RESET work_mem;
RESET hash_mem_multiplier;

-- Row security holds, and what it hides is not looked at by functions that may tell.
CREATE ROLE spqtree_gis_reader;
GRANT SELECT ON a, b TO spqtree_gis_reader;
ALTER TABLE b ENABLE ROW LEVEL SECURITY;
CREATE POLICY kinds ON b USING (kind = 1);
SET ROLE spqtree_gis_reader;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a JOIN b ON st_intersects(a.geom, b.geom);
SELECT count(*) AS visible FROM a JOIN b ON st_intersects(a.geom, b.geom);
RESET ROLE;
SET enable_nestloop = on;
SELECT count(*) AS visible FROM a JOIN b ON st_intersects(a.geom, b.geom) WHERE b.kind = 1;
ALTER TABLE b DISABLE ROW LEVEL SECURITY;
DROP POLICY kinds ON b;
REVOKE ALL ON a, b FROM spqtree_gis_reader;
DROP ROLE spqtree_gis_reader;

-- What is shown is what was written.
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM a JOIN b ON st_intersects(a.geom, b.geom);
EXPLAIN (COSTS OFF) SELECT count(*) FROM a JOIN b ON st_dwithin(a.geom, b.geom, a.r);
\pset format unaligned
EXPLAIN (COSTS OFF) SELECT count(*) FROM a JOIN b ON st_equals(a.geom, b.geom);
\pset format aligned
\set VERBOSITY sqlstate
SELECT count(*) FROM a JOIN b ON st_intersects(a.geom, st_setsrid(b.geom, 4326));
\set VERBOSITY default

-- A distance that comes from a table joined before.
CREATE TABLE reach AS SELECT kind, kind * 0.3::float8 AS d FROM generate_series(0, 6) kind;
ANALYZE reach;
SELECT condition, c.* FROM unnest(ARRAY['ST_DWithin(a.geom, b.geom, reach.d)', 'ST_DWithin(b.geom, a.geom, reach.d)', 'ST_Distance(b.geom, a.geom) < reach.d', 'ST_Intersects(ST_Buffer(a.geom, reach.d), b.geom)', 'ST_Intersects(b.geom, ST_Expand(a.geom, reach.d))']) condition,
	compare_join('SELECT a.id, b.id AS other FROM a JOIN reach USING (kind) JOIN b ON ' || condition) c;
DROP TABLE reach;

-- No function of a user is taken for PostGIS', and privileges are those of what was written.
CREATE SCHEMA other;
CREATE FUNCTION other.st_intersects(geometry, geometry) RETURNS boolean IMMUTABLE STRICT LANGUAGE sql AS 'SELECT false';
SELECT count(*) FROM a JOIN b ON other.st_intersects(a.geom, b.geom) AND a.geom && b.geom;
CREATE ROLE gis_user;
GRANT SELECT ON a, b TO gis_user;
REVOKE EXECUTE ON FUNCTION st_touches(geometry, geometry) FROM PUBLIC;
SET ROLE gis_user;
SELECT count(*) FROM a JOIN b ON st_touches(a.geom, b.geom);
RESET ROLE;
GRANT EXECUTE ON FUNCTION st_touches(geometry, geometry) TO PUBLIC;
REVOKE EXECUTE ON FUNCTION _spqtree_st_touches(geometry, geometry) FROM PUBLIC;
SET ROLE gis_user;
SELECT count(*) > 0 AS touching FROM a JOIN b ON st_touches(a.geom, b.geom);
RESET ROLE;
REVOKE EXECUTE ON FUNCTION spqtree_bounds(geometry) FROM PUBLIC;
RESET enable_nestloop;
SET ROLE gis_user;
EXPLAIN (COSTS OFF) SELECT count(*) FROM a JOIN b ON st_touches(a.geom, b.geom);
RESET ROLE;
GRANT EXECUTE ON FUNCTION spqtree_bounds(geometry), _spqtree_st_touches(geometry, geometry) TO PUBLIC;
REVOKE ALL ON a, b FROM gis_user;
DROP ROLE gis_user;
DROP TABLE a, b;
