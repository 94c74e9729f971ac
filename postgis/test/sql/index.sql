-- An index of geometries returns what a sequential scan does.
SET client_min_messages = warning;
CREATE TABLE indexed AS
SELECT row_number() OVER () AS id, i % 3 AS part, geom FROM (
	SELECT i, st_translate(geom, rnd(40, i, 1), rnd(40, i, 2)) AS geom FROM shape, generate_series(1, 5) AS i
	UNION ALL SELECT i, geom FROM shape, generate_series(1, 2) AS i
	UNION ALL SELECT i, st_makepoint(i, 5) FROM generate_series(1, 20) AS i
	UNION ALL SELECT i, g FROM generate_series(1, 3) AS i, unnest(ARRAY[
		st_makepoint('NaN', 1), st_makepoint(1, 'Infinity'), st_makeline(st_makepoint('NaN', 3), st_makepoint(5, 4)),
		st_makeline(st_makepoint(5, 4), st_makepoint(3, 'NaN')), st_makepoint(1e300, -1e300), st_makepoint(3e38, 3.5e38),
		st_makeline(st_makepoint(-1e39, 2), st_makepoint(1e39, 2)), st_makepoint(1e-46, -1e-46), NULL]) AS g) AS s;
UPDATE indexed SET geom = postgis_dropbbox(geom) WHERE id % 11 = 0;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
SELECT * FROM spqtree_check('indexed_geom');
INSERT INTO indexed SELECT id + 100000, part, st_translate(geom, 0.3, 0.7) FROM indexed WHERE geom IS NOT NULL;
DELETE FROM indexed WHERE id % 5 = 0;
VACUUM ANALYZE indexed;
SELECT * FROM spqtree_check('indexed_geom');
SELECT count(*) > 800 AS many FROM indexed;

CREATE TABLE asked AS
SELECT row_number() OVER () AS id, geom FROM (
	SELECT geom FROM shape WHERE id <= 20
	UNION ALL SELECT st_makeenvelope(x - s, y - s, x + s, y + s) FROM generate_series(3, 45, 21) AS x, generate_series(3, 45, 21) AS y, unnest(ARRAY[0.2, 3, 30]) AS s
	UNION ALL SELECT unnest(ARRAY[st_makepoint('NaN', 1), st_makepoint(1, 'Infinity'), st_makeline(st_makepoint('NaN', 3), st_makepoint(5, 4)),
		st_makepoint(1e300, -1e300), st_makeenvelope(-1e39, -1e39, 1e39, 1e39), st_makepoint(7, 5), 'POINT EMPTY', NULL])) AS s;

-- Rows that only one of index and table has, for all queries; whether there are any; whether the
-- plan has the index.
CREATE FUNCTION compare_index(condition text, OUT indexed boolean, OUT different bigint, OUT matches boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT a.id AS a, s.id FROM asked AS a, LATERAL (SELECT t.id FROM indexed AS t WHERE ' || condition || ' OFFSET 0) AS s';
	line text;
BEGIN
	indexed := false;
	SET LOCAL spqtree.enable_hashjoin = off;
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_indexscan = on;
	SET LOCAL enable_bitmapscan = off;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		indexed := indexed OR line LIKE '%using indexed_geom%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE ours AS ' || query;
	SET LOCAL enable_bitmapscan = on;
	SET LOCAL enable_indexscan = off;
	EXECUTE 'CREATE TEMP TABLE bitmaps AS ' || query;
	SET LOCAL enable_seqscan = on;
	SET LOCAL enable_bitmapscan = off;
	SET LOCAL spqtree.enable_equivalents = off;
	EXECUTE 'CREATE TEMP TABLE theirs AS ' || query;
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)
		UNION ALL (TABLE bitmaps EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE bitmaps)) AS s;
	SELECT count(*) > 0 INTO matches FROM theirs;
	DROP TABLE ours, bitmaps, theirs;
	SET LOCAL spqtree.enable_equivalents = on;
END $$;

SELECT operator, c.* FROM unnest('{<<,&<,&&,&>,>>,~=,~,@,&<|,<<|,|>>,|&>}'::text[]) AS operator, compare_index('t.geom ' || operator || ' a.geom') AS c;
SELECT operator, c.* FROM unnest('{&&,~=,~,@,<<,|>>}'::text[]) AS operator, compare_index('a.geom ' || operator || ' t.geom') AS c;
SELECT condition, c.* FROM unnest(ARRAY[
	't.geom && a.geom AND t.part = 1', 't.geom && a.geom AND t.geom &< a.geom', 't.geom && ANY (ARRAY[a.geom, st_translate(a.geom, 9, 9)])',
	't.geom && st_expand(a.geom, 0.5)', 't.geom IS NULL', 't.geom IS NOT NULL AND t.geom << a.geom']) AS condition, compare_index(condition) AS c;

-- Functions of PostGIS find the index, although its support functions know no other access methods than PostgreSQL's.
-- Geometries that they raise errors for are left out; and ST_DFullyWithin, for which PostGIS 3.5 asks an index, also one of GiST, for
-- geometries that contain the other one with its distance, and so misses some.
DELETE FROM asked WHERE st_npoints(geom) > 50 OR geometrytype(geom) IN ('GEOMETRYCOLLECTION', 'CIRCULARSTRING') OR st_astext(geom) ~* 'nan|inf|e\+';
DELETE FROM indexed WHERE id % 3 = 0 OR st_npoints(geom) > 50 OR geometrytype(geom) IN ('GEOMETRYCOLLECTION', 'CIRCULARSTRING') OR st_astext(geom) ~* 'nan|inf|e\+';
SELECT condition, c.* FROM unnest(ARRAY[
	'st_intersects(t.geom, a.geom)', 'st_intersects(a.geom, t.geom)', 'st_contains(t.geom, a.geom)', 'st_contains(a.geom, t.geom)',
	'st_within(t.geom, a.geom)', 'st_covers(a.geom, t.geom)', 'st_coveredby(a.geom, t.geom)', 'st_containsproperly(a.geom, t.geom)',
	'st_touches(t.geom, a.geom)', 'st_crosses(t.geom, a.geom)', 'st_overlaps(t.geom, a.geom)', 'st_equals(t.geom, a.geom)', 'st_orderingequals(t.geom, a.geom)',
	'st_dwithin(t.geom, a.geom, 0.5)', 'st_dwithin(a.geom, t.geom, 2)']) AS condition, compare_index(condition) AS c;

-- Nearest neighbors.
CREATE FUNCTION compare_nearest(operator text, OUT indexed boolean, OUT different bigint) LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT a.id, n, round(d::numeric, 9) FROM asked AS a, LATERAL (SELECT row_number() OVER () AS n, d FROM (
		SELECT t.geom %1$s a.geom AS d FROM indexed AS t WHERE t.geom IS NOT NULL ORDER BY t.geom %1$s a.geom LIMIT 20) AS s) AS s', operator);
	line text;
BEGIN
	indexed := false;
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_indexscan = on;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		indexed := indexed OR line LIKE '%using indexed_geom%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE ours AS ' || query;
	SET LOCAL enable_seqscan = on;
	SET LOCAL enable_indexscan = off;
	EXECUTE 'CREATE TEMP TABLE theirs AS ' || query;
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) AS s;
	DROP TABLE ours, theirs;
END $$;
SELECT operator, c.* FROM unnest('{<->,<#>}'::text[]) AS operator, compare_nearest(operator) AS c;

-- What users see.
\pset format unaligned
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM indexed WHERE st_intersects(geom, st_expand(st_makepoint(1, 2), 3));
EXPLAIN (COSTS OFF) SELECT id FROM indexed WHERE st_dwithin(geom, st_makepoint(1, 2), 3) ORDER BY geom <-> st_makepoint(1, 2) LIMIT 3;
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname LIKE 'spqtree_geo%';

-- The predicate is the faster one of the same name, in scans and in nested loops, if the user may call both.
CREATE TABLE few AS SELECT id, geom FROM shape WHERE id < 12;
RESET enable_seqscan;
SET enable_nestloop = on;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_indexjoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM few JOIN indexed AS t ON st_contains(few.geom, t.geom);
RESET spqtree.enable_indexjoin;
EXPLAIN (COSTS OFF) SELECT count(*) FROM few WHERE NOT st_touches(geom, st_makepoint(1, 2)) OR id = 3;
EXPLAIN (COSTS OFF) SELECT (SELECT count(*) FROM indexed AS t WHERE st_overlaps(few.geom, t.geom)) FROM few UNION ALL SELECT count(*) FROM few WHERE st_crosses(geom, st_makepoint(1, 2));
SET spqtree.enable_equivalents = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM few JOIN indexed AS t ON st_contains(few.geom, t.geom);
RESET spqtree.enable_equivalents;
RESET spqtree.enable_hashjoin;
CREATE ROLE spqtree_gis_reader;
GRANT SELECT ON few TO spqtree_gis_reader;
PREPARE of_role AS SELECT count(*) FROM few WHERE st_intersects(geom, st_makepoint(1, 2));
EXECUTE of_role;
SET ROLE spqtree_gis_reader;
EXPLAIN (COSTS OFF) EXECUTE of_role;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION _spqtree_st_intersects(geometry, geometry) FROM public;
SET ROLE spqtree_gis_reader;
EXPLAIN (COSTS OFF) EXECUTE of_role;
EXECUTE of_role;
RESET ROLE;
GRANT EXECUTE ON FUNCTION _spqtree_st_intersects(geometry, geometry) TO public;
REVOKE EXECUTE ON FUNCTION st_intersects(geometry, geometry) FROM public;
SET ROLE spqtree_gis_reader;
EXECUTE of_role;
RESET ROLE;
GRANT EXECUTE ON FUNCTION st_intersects(geometry, geometry) TO public;
DROP TABLE few;
DROP ROLE spqtree_gis_reader;

-- Estimates: of even data PostGIS' statistics, of a few towns in a large area the sample.
CREATE TABLE even AS SELECT st_point(rnd(100000, i, 1) / 100.0, rnd(100000, i, 2) / 100.0) AS geom FROM generate_series(1, 20000) AS i;
CREATE TABLE towns AS SELECT st_point(1e6 * (i % 7) + rnd(1000, i, 1), 1e6 * (i * i % 7) + rnd(1000, i, 2)) AS geom FROM generate_series(1, 20000) AS i;
ANALYZE even, towns;
CREATE FUNCTION estimated(query text, OUT times float8) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	n bigint;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	EXECUTE 'SELECT count(*) FROM (' || query || ') AS s' INTO n;
	times := (plan->0->'Plan'->>'Plan Rows')::float8 / n;
END $$;
SELECT estimated('SELECT FROM even WHERE geom && st_makeenvelope(200, 300, 400, 500)') BETWEEN 0.8 AND 1.25 AS even,
	estimated('SELECT FROM even WHERE st_intersects(geom, st_makeenvelope(200, 300, 400, 500))') BETWEEN 0.7 AND 1.3 AS intersects,
	estimated('SELECT FROM towns WHERE geom && st_makeenvelope(200, 300, 400, 500)') BETWEEN 0.2 AND 5 AS towns,
	estimated('SELECT FROM towns WHERE st_dwithin(geom, st_point(500, 500), 200)') BETWEEN 0.2 AND 5 AS near;
SET spqtree.sample_rows = 0;
SELECT estimated('SELECT FROM towns WHERE geom && st_makeenvelope(200, 300, 400, 500)') BETWEEN 0.2 AND 5 AS without;
RESET spqtree.sample_rows;
DROP TABLE even, towns;
SET enable_seqscan = off;

-- With other columns, of geometries of one SRID, of expressions, partial and unlogged.
CREATE UNLOGGED TABLE other (id int, owner text, geom geometry(Point, 4326));
INSERT INTO other SELECT i, 'owner ' || i % 4, st_point(rnd(360, i, 1) - 180, rnd(180, i, 2) - 90, 4326) FROM generate_series(1, 2000) AS i;
CREATE INDEX other_all ON other USING spqtree (owner, geom) INCLUDE (id);
CREATE INDEX other_buffer ON other USING spqtree (st_expand(geom, 1)) WHERE owner = 'owner 3';
ANALYZE other;
EXPLAIN (COSTS OFF) SELECT count(*) FROM other WHERE owner = 'owner 1' AND st_intersects(geom, st_makeenvelope(0, 0, 40, 40, 4326));
SELECT count(*) FROM other WHERE owner = 'owner 1' AND st_intersects(geom, st_makeenvelope(0, 0, 40, 40, 4326));
EXPLAIN (COSTS OFF) SELECT count(*) FROM other WHERE owner = 'owner 3' AND st_expand(geom, 1) && st_makeenvelope(0, 0, 40, 40, 4326);
SELECT count(*) FROM other WHERE owner = 'owner 3' AND st_expand(geom, 1) && st_makeenvelope(0, 0, 40, 40, 4326);
SET enable_seqscan = on;
SET enable_indexscan = off;
SELECT count(*) FROM other WHERE owner = 'owner 1' AND st_intersects(geom, st_makeenvelope(0, 0, 40, 40, 4326));
SELECT count(*) FROM other WHERE owner = 'owner 3' AND st_expand(geom, 1) && st_makeenvelope(0, 0, 40, 40, 4326);
RESET enable_indexscan;
-- Exclusion constraints.
CREATE TABLE parcel (id int, geom geometry, EXCLUDE USING spqtree (geom WITH &&));
INSERT INTO parcel VALUES (1, 'POINT(1 1)'), (2, 'LINESTRING(2 2, 3 3)'), (3, 'POINT EMPTY'), (4, 'POINT EMPTY');
INSERT INTO parcel VALUES (5, 'POINT(2.5 2.1)');
INSERT INTO parcel VALUES (5, 'POINT(2.5 2.1)') ON CONFLICT DO NOTHING;
SELECT count(*) FROM parcel;
DROP TABLE parcel;
-- errors are PostGIS'
SET enable_seqscan = off;
SELECT count(*) FROM other WHERE owner = 'owner 1' AND st_intersects(geom, st_makeenvelope(0, 0, 40, 40, 3857));
-- there is one library of spqtree, and the companion names it as spqtree does
SELECT DISTINCT probin FROM pg_proc WHERE probin LIKE '%spqtree'
	AND probin <> (SELECT probin FROM pg_proc WHERE proname = 'spqtree_check');
-- a class needs the function that tells bounds
CREATE FUNCTION text_ends(text, internal) RETURNS void AS 'spqtree', 'spq_rtree_extension_ends' LANGUAGE c IMMUTABLE STRICT;
CREATE OPERATOR CLASS text_boxes FOR TYPE text USING spqtree AS STORAGE box,
	FUNCTION 1 text_ends(text, internal), FUNCTION 2 _spqtree_bounds_condition(internal, internal);
CREATE INDEX ON other USING spqtree (owner text_boxes);
DROP OPERATOR FAMILY text_boxes USING spqtree CASCADE;
DROP FUNCTION text_ends;
-- What a scan visits, by the bounds of a value: rows as many as a scan by && of bounds finds, of
-- an index of geometries, of an expression that yields them, in space, and of geographies.
CREATE TABLE seen AS SELECT i AS id, st_makepoint(i % 100, i / 100, i % 7) AS geom, st_makepoint(i % 90, i / 100)::geography AS geog FROM generate_series(1, 5000) AS i;
CREATE INDEX seen_geom ON seen USING spqtree (geom);
CREATE INDEX seen_expression ON seen USING spqtree (st_expand(geom, 1));
CREATE INDEX seen_nd ON seen USING spqtree (geom spqtree_geometry_nd_ops);
CREATE INDEX seen_geog ON seen USING spqtree (geog);
SET enable_seqscan = on;
SELECT e.rows = (SELECT count(*) FROM seen WHERE geom && st_makeenvelope(10, 10, 20, 20)) AS same, e.rows, e.rechecked, e.pages < s.pages AS part
FROM spqtree_explain('seen_geom', '((10,10),(20,20))') AS e, spqtree_stats('seen_geom') AS s;
SELECT e.rows = (SELECT count(*) FROM seen WHERE geom @ st_makeenvelope(10, 10, 20, 20)) AS same, e.rechecked = e.rows AS rechecked
FROM spqtree_explain('seen_geom', spqtree_bounds(st_makeenvelope(10, 10, 20, 20)), '@') AS e;
SELECT e.rows = (SELECT count(*) FROM seen WHERE st_expand(geom, 1) && st_makeenvelope(10, 10, 20, 20)) AS same, e.rows
FROM spqtree_explain('seen_expression', '((10,10),(20,20))') AS e;
SELECT e.rows = (SELECT count(*) FROM seen WHERE geom &&& 'LINESTRING(10 10 2, 20 20 3)'::geometry) AS same, e.rows
FROM spqtree_explain3('seen_nd', spqtree_bounds3('LINESTRING(10 10 2, 20 20 3)'::geometry), '&&&') AS e;
SELECT e.rows = (SELECT count(*) FROM seen WHERE geog && g.geog) AS same, e.rows
FROM (SELECT st_buffer('POINT(10 10)'::geography, 1000000) AS geog) AS g, LATERAL spqtree_explain3('seen_geog', spqtree_bounds(g.geog)) AS e;
SELECT e.rows FROM unnest('{"((Infinity,20),(-Infinity,10))","((NaN,NaN),(1,1))","((1e300,1e300),(-1e300,-1e300))"}'::text[]) AS q, LATERAL spqtree_explain('seen_geom', q::box) AS e;
SELECT spqtree_svg('seen_geom', query => '((10,10),(20,20))') LIKE '%<svg%' AS plane, spqtree_svg3('seen_nd', query => '(20,20,3),(10,10,2)') LIKE '%<svg%' AS nd,
	spqtree_svg3('seen_geog', query => '(1,1,1),(0,0,0)') LIKE '%<svg%' AS geography;
-- what it takes
SELECT spqtree_explain('seen_geom', '((10,10),(20,20))', '<@');
SELECT spqtree_explain3('seen_nd', '(1,1,1),(0,0,0)');
SELECT spqtree_explain3('seen_geog', '(1,1,1),(0,0,0)', '@');
SELECT spqtree_explain('seen_geog', '((10,10),(20,20))');
SELECT spqtree_explain3('seen_geom', '(1,1,1),(0,0,0)');
DROP TABLE seen;
DROP TABLE indexed, asked, other CASCADE;
