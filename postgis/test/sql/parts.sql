-- Tables of geometries that are divided into parts, joined part by part, against whole ones.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- The functions, on values of all kinds.  Boxes have single precision: the line at 4.99999999
-- touches what is at 5, the point is left of it.
SELECT what, spqtree_parts(geom, '2d x5 y3 1 2 3') AS parts, spqtree_parts(geom, '2d/2 x5 y3 1 2 3') AS "two copies",
	spqtree_window_parts(geom, '2d x5 y3 1 2 3') AS "window", spqtree_pair_part(geom, st_makeenvelope(4, 2, 9, 9), '2d x5 y3 1 2 3') AS "with (4,2),(9,9)"
FROM (VALUES (1, 'one part', 'LINESTRING(0 0,1 1)'::geometry), (2, 'two', 'POLYGON((0 2,4 2,4 4,0 2))'), (3, 'three', 'LINESTRING(0 0,9 9)'), (4, 'beside a split', 'LINESTRING(1 1,4.99999999 2)'),
	(5, 'point', 'POINT(5 3)'), (6, 'infinite', st_makeline(st_point(0, 0), st_point('Infinity', 1))), (7, 'NaN', st_makeline(st_point(0, 0), st_point('NaN', 1))),
	(8, 'empty', 'LINESTRING EMPTY'), (9, 'null', NULL)) v (i, what, geom) ORDER BY i;
SELECT spqtree_part(st_point(4.99999999, 2), '2d x5 y3 1 2 3') AS "left", spqtree_parts(st_point(4.99999999, 2), '2d x5 y3 1 2 3') AS box, spqtree_part(st_point(5, 'Infinity'), '2d x5 y3 1 2 3') AS infinite,
	spqtree_part(st_point('NaN', 0), '2d 1') AS nan, spqtree_part('POINT EMPTY'::geometry, '2d 1') AS empty, spqtree_part(NULL::geometry, '2d 1') AS "null",
	spqtree_parts('POINT(0 0)'::geometry, NULL) AS "no parts";
\set VERBOSITY terse
SELECT spqtree_part('MULTIPOINT((0 0))'::geometry, '2d 1');
SELECT spqtree_parts('POINT(0 0)'::geometry, '3d 1');
\set VERBOSITY default
SELECT spqtree_parts('POINT(0 0)'::geography, '3d x0.5 1 2') AS parts, spqtree_window_parts('POINT(90 0)'::geography, '3d x0.5 1 2') AS "window", spqtree_parts('POINT EMPTY'::geography, '3d 1') AS empty,
	spqtree_pair_part('POINT(0 0)'::geography, 'LINESTRING(0 0,90 0)', '3d x0.5 1 2') AS pair;

-- A partitioning from a query; of values that are stored elsewhere or compressed, too.
CREATE DOMAIN parts_place AS geometry;
SELECT spqtree_partition('SELECT st_point(i, 0) FROM generate_series(0, 7) i', 4) AS points, spqtree_partition('SELECT st_point(i, 0)::parts_place FROM generate_series(0, 7) i', 4) AS domain,
	spqtree_partition('SELECT st_point(i * 10, 0)::geography FROM generate_series(0, 7) i', 2) AS geography, spqtree_partition('SELECT box(point(i, 0), point(i, 0)) FROM generate_series(0, 7) i', 4) AS boxes;
SELECT spqtree_partition('SELECT g FROM (VALUES (NULL::geometry), (''POINT EMPTY'')) v (g)', 1) AS nothing;
SELECT spqtree_partition('SELECT st_extent(st_point(0, 0))', 4);
CREATE TABLE parts_long (geom geometry);
ALTER TABLE parts_long ALTER geom SET STORAGE external;
INSERT INTO parts_long SELECT st_makeline(ARRAY(SELECT st_point(i * 1000 + j, j) FROM generate_series(0, 400) j)) FROM generate_series(0, 99) i;
SELECT spqtree_partition('SELECT geom FROM parts_long', 4)::text = spqtree_partition('SELECT spqtree_bounds(geom) FROM parts_long', 4)::text AS same;
-- memory does not grow with the rows
CREATE FUNCTION parts_memory(n int) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM spqtree_partition(format('SELECT parts_used(st_point(i %% 1000, i)) FROM generate_series(1, %s) i', n), 2);
	RETURN current_setting('parts.most');
END $$;
CREATE FUNCTION parts_used(geometry) RETURNS geometry LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('parts.most', (SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = 'spqtree bounds')::text, false);
	RETURN $1;
END $$;
SELECT parts_memory(2) = parts_memory(500) AS same;
CREATE ROLE spqtree_gis_parts;
REVOKE EXECUTE ON FUNCTION spqtree_bounds(geometry) FROM PUBLIC;
SET ROLE spqtree_gis_parts;
SELECT spqtree_partition('SELECT st_point(0, 0)', 4);
RESET ROLE;
GRANT EXECUTE ON FUNCTION spqtree_bounds(geometry) TO PUBLIC;
DROP ROLE spqtree_gis_parts;

-- Geometries of many sizes, with NULL and empty ones.
CREATE TABLE parts_a AS SELECT i AS id, CASE WHEN i % 50 = 0 THEN NULL WHEN i % 50 = 1 THEN 'POLYGON EMPTY' WHEN i % 50 = 2 THEN st_makeenvelope(x - 20, y - 1, x + 25, y + 30)
	WHEN i % 50 = 3 THEN st_point(x, y) ELSE st_makeenvelope(x, y, x + 1 + rnd(300, i, 3) / 100.0, y + 1 + rnd(3, i, 4)) END AS geom
FROM (SELECT i, rnd(10000, i, 1) / 100.0::float8 AS x, rnd(100, i, 2)::float8 AS y FROM generate_series(1, 1200) i) s;
CREATE TABLE parts_b AS SELECT i AS id, CASE WHEN i % 40 = 0 THEN NULL WHEN i % 40 = 1 THEN 'LINESTRING EMPTY' WHEN i % 3 = 0 THEN st_makeline(st_point(x, y), st_point(x + 4, y - 3))
	ELSE st_makeline(ARRAY[st_point(x, y), st_point(x + 2, y), st_point(x + 2, y + rnd(5, i, 13))]) END AS geom
FROM (SELECT i, rnd(100, i, 11)::float8 AS x, rnd(10000, i, 12) / 100.0::float8 AS y FROM generate_series(1, 1000) i) s;
-- GEOS has errors for infinity and NaN, the operators have not.
CREATE TABLE parts_odd AS TABLE parts_b UNION ALL
SELECT 1000 + i, st_makeline(st_point(i, i * i), st_point(CASE i % 2 WHEN 0 THEN 'Infinity' ELSE 'NaN' END::float8, i)) FROM generate_series(1, 10) i;
-- near numbers that single precision does not tell apart
CREATE TABLE parts_points AS SELECT i AS id, CASE WHEN i % 30 = 0 THEN NULL WHEN i % 30 = 1 THEN 'POINT EMPTY' WHEN i % 30 = 2 THEN st_point('NaN', y)
	ELSE st_point(x + (i % 3 - 1) * 1e-9, y + (i % 5 - 2) * 1e-9) END AS geom
FROM (SELECT i, rnd(100, i, 21)::float8 AS x, rnd(100, i, 22)::float8 AS y FROM generate_series(1, 3000) i) s;

-- Rows that only one of two queries returns.  The second one is run with the join node, and
-- with loops and PostGIS' own functions.
CREATE FUNCTION parts_compare(truth text, query text) RETURNS TABLE ("rows" text, node boolean, differ bigint, "in loops" bigint) LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	SET LOCAL spqtree.enable_hashjoin = off;
	SET LOCAL spqtree.enable_equivalents = off;
	EXECUTE 'CREATE TEMP TABLE parts_truth AS ' || truth;
	EXECUTE 'CREATE TEMP TABLE parts_found AS ' || query;
	SELECT count(*) INTO "in loops" FROM ((TABLE parts_truth EXCEPT ALL TABLE parts_found) UNION ALL (TABLE parts_found EXCEPT ALL TABLE parts_truth)) s;
	DROP TABLE parts_found;
	SET LOCAL spqtree.enable_hashjoin = always;
	SET LOCAL spqtree.enable_equivalents = on;
	SET LOCAL enable_nestloop = off;
	SET LOCAL enable_hashjoin = off;
	SET LOCAL enable_mergejoin = off;
	node := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		node := node OR line LIKE '%Spqtree Spatial Hash Join%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE parts_found AS ' || query;
	SET LOCAL enable_nestloop = on;
	SET LOCAL enable_hashjoin = on;
	SET LOCAL enable_mergejoin = on;
	SELECT count(*) INTO differ FROM ((TABLE parts_truth EXCEPT ALL TABLE parts_found) UNION ALL (TABLE parts_found EXCEPT ALL TABLE parts_truth)) s;
	SELECT CASE WHEN count(*) > 100 THEN 'many' ELSE count(*)::text END INTO "rows" FROM parts_truth;
	DROP TABLE parts_truth, parts_found;
	RETURN NEXT;
END $$;

SELECT spqtree_partition('SELECT geom FROM parts_a UNION ALL SELECT geom FROM parts_b', 16) AS p \gset
CREATE TABLE parts_pa AS SELECT id, geom, part FROM parts_a, unnest(spqtree_parts(geom, :'p')) part;
CREATE TABLE parts_pb AS SELECT id, geom, part FROM parts_b, unnest(spqtree_parts(geom, :'p')) part;
CREATE TABLE parts_podd AS SELECT id, geom, part FROM parts_odd, unnest(spqtree_parts(geom, :'p')) part;
CREATE TABLE parts_grown AS SELECT id, geom, part FROM parts_b, unnest(spqtree_parts(spqtree_bounds(geom, 1.5), :'p')) part;
ANALYZE;
SELECT (SELECT count(DISTINCT part) FROM parts_pa) AS parts, (SELECT count(*) FROM parts_pa) > 1300 AS "copies of a", (SELECT count(*) FROM parts_pb) > 1050 AS "of b",
	(SELECT count(DISTINCT id) FROM parts_pa) - 1200 AS missing;

-- Pairs, rows with and without a match, LEFT JOIN
CREATE FUNCTION parts_try(p spqtree_partitioning, con text) RETURNS TABLE (what text, "rows" text, node boolean, differ bigint, "in loops" bigint) LANGUAGE plpgsql AS $$
DECLARE
	owner text := format('a.part = b.part AND %s AND spqtree_pair_part(a.geom, b.geom, %L) = a.part', con, p);
	without text := format('SELECT id FROM (SELECT a.part, a.id, cardinality(spqtree_parts(a.geom, %L)) AS parts FROM parts_pa a LEFT JOIN parts_pb b ON %s GROUP BY 1, 2, 3 HAVING count(b.id) = 0) s GROUP BY id HAVING count(*) = min(parts)', p, owner);
BEGIN
	RETURN QUERY SELECT 'pairs', c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE ' || con, 'SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_pb b ON ' || owner) c;
	RETURN QUERY SELECT 'rows with', c.* FROM parts_compare('SELECT id FROM parts_a a WHERE EXISTS (SELECT FROM parts_b b WHERE ' || con || ')',
		format('SELECT DISTINCT id FROM (SELECT a.part, a.id FROM parts_pa a JOIN parts_pb b ON %s GROUP BY 1, 2) s', owner)) c;
	RETURN QUERY SELECT 'EXISTS', c.* FROM parts_compare('SELECT id FROM parts_a a WHERE EXISTS (SELECT FROM parts_b b WHERE ' || con || ')',
		format('SELECT DISTINCT id FROM parts_pa a WHERE EXISTS (SELECT FROM parts_pb b WHERE %s)', owner)) c;
	RETURN QUERY SELECT 'rows without', c.* FROM parts_compare('SELECT id FROM parts_a a WHERE NOT EXISTS (SELECT FROM parts_b b WHERE ' || con || ')', without) c;
	RETURN QUERY SELECT 'LEFT JOIN', c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a LEFT JOIN parts_b b ON ' || con,
		'SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_pb b ON ' || owner || ' UNION ALL SELECT id, NULL FROM (' || without || ') s') c;
END $$;
SELECT con, t.* FROM unnest('{"st_intersects(a.geom, b.geom)","a.geom && b.geom"}'::text[]) con, parts_try(:'p', con) t;
-- other conditions; for @ and ~ the node has other boxes of empty geometries, and so calls the function
SELECT con, c.* FROM unnest(ARRAY['st_intersects(b.geom, a.geom)', 'st_crosses(b.geom, a.geom)', 'st_contains(a.geom, b.geom)', 'st_within(b.geom, a.geom)', 'st_touches(a.geom, b.geom)',
		'b.geom @ a.geom AND NOT st_isempty(b.geom) AND NOT st_isempty(a.geom)', 'a.geom ~ b.geom AND NOT st_isempty(b.geom) AND NOT st_isempty(a.geom)']) con,
	parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE ' || con,
		format('SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_pb b USING (part) WHERE %s AND spqtree_pair_part(a.geom, b.geom, %L) = part', con, :'p')) c;
SELECT 'infinite and NaN' AS what, c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_odd b WHERE a.geom && b.geom',
	format('SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_podd b USING (part) WHERE a.geom && b.geom AND spqtree_pair_part(a.geom, b.geom, %L) = part', :'p')) c;
-- without the owner, pairs repeat
SELECT differ > 20 AS repeated FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE st_intersects(a.geom, b.geom)',
	'SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_pb b USING (part) WHERE st_intersects(a.geom, b.geom)');

-- Within a distance: one side is divided by larger boxes.
SELECT con, c.* FROM unnest('{"st_dwithin(a.geom, b.geom, 1.5)","st_dwithin(b.geom, a.geom, 1.5)"}'::text[]) con,
	parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE ' || con,
		format('SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_grown b USING (part) WHERE %s AND spqtree_pair_part(spqtree_bounds(a.geom), spqtree_bounds(b.geom, 1.5), %L) = part', con, :'p')) c;
SELECT differ > 20 AS "lost without" FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE st_dwithin(a.geom, b.geom, 1.5)',
	format('SELECT a.id, b.id AS b FROM parts_pa a JOIN parts_pb b USING (part) WHERE st_dwithin(a.geom, b.geom, 1.5) AND spqtree_pair_part(a.geom, b.geom, %L) = part', :'p'));

-- Points without copies, and so without an owner.  Polygons and lines begin at the splits, and points
-- are beside them.
\set q '2d y50 y20 1 x40 2 3 y80 x30 4 5 6'
CREATE TABLE parts_qa AS SELECT id, geom, part FROM parts_a, unnest(spqtree_parts(geom, :'q')) part;
CREATE TABLE parts_qb AS SELECT id, geom, part FROM parts_b, unnest(spqtree_parts(spqtree_bounds(geom, 1.5), :'q')) part;
CREATE TABLE parts_pp AS SELECT id, geom, spqtree_part(geom, :'q') AS part FROM parts_points;
CREATE TABLE parts_cp AS SELECT id, geom, part FROM parts_points, unnest(spqtree_parts(geom, :'q')) part;
ANALYZE parts_qa, parts_qb, parts_pp, parts_cp;
SELECT (SELECT count(*) FROM parts_cp) > 3050 AS copies, (SELECT count(*) FROM parts_pp) AS "no copies", (SELECT count(*) FROM parts_pp WHERE part = 0) AS "NULL, empty, NaN";
SELECT con, c.* FROM unnest('{"st_intersects(b.geom, a.geom)","st_contains(a.geom, b.geom)","st_coveredby(b.geom, a.geom)"}'::text[]) con,
	parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_points b WHERE ' || con, 'SELECT a.id, b.id AS b FROM parts_qa a JOIN parts_pp b USING (part) WHERE ' || con) c;
SELECT 'within a distance' AS what, c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_points a, parts_b b WHERE st_dwithin(a.geom, b.geom, 1.5)',
	'SELECT a.id, b.id AS b FROM parts_pp a JOIN parts_qb b USING (part) WHERE st_dwithin(a.geom, b.geom, 1.5)') c;
SELECT 'rows without' AS what, c.* FROM parts_compare('SELECT id FROM parts_points b WHERE NOT EXISTS (SELECT FROM parts_a a WHERE st_intersects(a.geom, b.geom))',
	'SELECT id FROM parts_pp b WHERE NOT EXISTS (SELECT FROM parts_qa a WHERE a.part = b.part AND st_intersects(a.geom, b.geom))') c;
-- operators compare boxes, which are larger than the points: they need copies and the owner
SELECT 'without copies' AS what, c.differ > 0 AS differ FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_points b WHERE a.geom && b.geom',
	'SELECT a.id, b.id AS b FROM parts_qa a JOIN parts_pp b USING (part) WHERE a.geom && b.geom') c
UNION ALL SELECT 'with copies', c.differ > 0 FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_points b WHERE a.geom && b.geom',
	format('SELECT a.id, b.id AS b FROM parts_qa a JOIN parts_cp b USING (part) WHERE a.geom && b.geom AND spqtree_pair_part(a.geom, b.geom, %L) = part', :'q')) c;

-- Windows
SELECT w, a."rows", a.differ, p.differ AS points FROM unnest('{"(10 10,12 12)","(0 0,60 60)","(-1000 -1000,1000 1000)"}'::text[]) w, format('st_envelope(%L::geometry)', 'LINESTRING' || w) g,
	parts_compare(format('SELECT id FROM parts_a WHERE st_intersects(geom, %s)', g),
		format('SELECT id FROM parts_pa WHERE st_intersects(geom, %1$s) AND part = ANY (spqtree_window_parts(%1$s, %2$L)) AND spqtree_pair_part(geom, %1$s, %2$L) = part', g, :'p')) a,
	parts_compare(format('SELECT id FROM parts_points WHERE st_intersects(geom, %s)', g),
		format('SELECT id FROM parts_pp WHERE st_intersects(geom, %1$s) AND part = ANY (spqtree_window_parts(%1$s, %2$L))', g, :'q')) p;
-- parts are a constant in the plan
EXPLAIN (COSTS OFF) SELECT id FROM parts_pa WHERE part = ANY (spqtree_window_parts(st_makeenvelope(1, 1, 2, 2), '2d x5 y3 1 2 3'));

-- With a limit of copies: three arms
SELECT spqtree_partition('SELECT geom FROM parts_a UNION ALL SELECT geom FROM parts_b', 16, 2) AS l \gset
CREATE TABLE parts_la AS SELECT id, geom, part FROM parts_a, unnest(spqtree_parts(geom, :'l')) part;
CREATE TABLE parts_lb AS SELECT id, geom, part FROM parts_b, unnest(spqtree_parts(geom, :'l')) part;
SELECT c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_a a, parts_b b WHERE st_intersects(a.geom, b.geom)',
	format('SELECT a.id, b.id AS b FROM parts_la a JOIN parts_lb b USING (part) WHERE st_intersects(a.geom, b.geom) AND spqtree_pair_part(a.geom, b.geom, %1$L) = part
		UNION ALL SELECT a.id, b.id FROM parts_la a JOIN parts_lb b ON a.part = 0 AND b.part > 0 AND st_intersects(a.geom, b.geom) AND spqtree_pair_part(a.geom, b.geom, %1$L) = b.part
		UNION ALL SELECT a.id, b.id FROM parts_la a JOIN parts_lb b ON a.part > 0 AND b.part = 0 AND st_intersects(a.geom, b.geom) AND spqtree_pair_part(a.geom, b.geom, %1$L) = a.part', :'l')) c;

-- The node decides the conditions on parts: their equality is no hash key.
EXPLAIN (COSTS OFF) SELECT count(*) FROM parts_pa a JOIN parts_pb b USING (part) WHERE st_intersects(a.geom, b.geom) AND spqtree_pair_part(a.geom, b.geom, '2d x500 1 2') = part;
EXPLAIN (COSTS OFF) SELECT count(*) FROM parts_pa a JOIN parts_grown b USING (part)
WHERE st_dwithin(a.geom, b.geom, 1.5) AND spqtree_pair_part(spqtree_bounds(a.geom), spqtree_bounds(b.geom, 1.5), '2d x500 1 2') = part;

-- Estimates, without the few polygons that are larger than the parts
CREATE FUNCTION parts_rows(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Plan Rows')::float8;
END $$;
SELECT spqtree_partition('SELECT geom FROM parts_a WHERE id % 50 <> 2 UNION ALL SELECT geom FROM parts_b', 60) AS p60 \gset
CREATE TABLE parts_few AS SELECT * FROM parts_a WHERE id % 50 <> 2;
CREATE TABLE parts_60a AS SELECT id, geom, part FROM parts_a, unnest(spqtree_parts(geom, :'p60')) part WHERE id % 50 <> 2;
CREATE TABLE parts_60b AS SELECT id, geom, part FROM parts_b, unnest(spqtree_parts(geom, :'p60')) part;
ANALYZE parts_few, parts_60a, parts_60b;
SELECT parts_rows('SELECT FROM parts_60a a JOIN parts_60b b USING (part) WHERE a.geom && b.geom AND spqtree_pair_part(a.geom, b.geom, ' || quote_literal(:'p60') || ') = part') /
		(SELECT count(*) FROM parts_a a JOIN parts_b b ON a.geom && b.geom WHERE a.id % 50 <> 2) BETWEEN 1 / 3.0 AND 3 AS "of &&",
	parts_rows('SELECT FROM parts_60a a JOIN parts_60b b USING (part) WHERE st_intersects(a.geom, b.geom) AND spqtree_pair_part(a.geom, b.geom, ' || quote_literal(:'p60') || ') = part') /
		parts_rows('SELECT FROM parts_few a JOIN parts_b b ON st_intersects(a.geom, b.geom)') BETWEEN 0.5 AND 2 AS "of st_intersects, as of whole tables",
	parts_rows('SELECT FROM parts_60a a JOIN parts_60b b USING (part) WHERE a.geom && b.geom') /
		(SELECT count(*) FROM parts_a a JOIN parts_b b ON a.geom && b.geom WHERE a.id % 50 <> 2) < 1 / 3.0 AS "few without the owner";

-- Geographies, in space
CREATE TABLE parts_ga AS SELECT id, geog FROM place WHERE id % 2 = 0 UNION ALL SELECT 999, NULL;
CREATE TABLE parts_gb AS SELECT id, geog FROM place WHERE id % 2 = 1 UNION ALL SELECT id + 2000, geog FROM place WHERE id % 5 = 0;
SELECT spqtree_partition('SELECT geog FROM place', 8) AS pg \gset
CREATE TABLE parts_pga AS SELECT id, geog, part FROM parts_ga, unnest(spqtree_parts(geog, :'pg')) part;
CREATE TABLE parts_pgb AS SELECT id, geog, part FROM parts_gb, unnest(spqtree_parts(geog, :'pg')) part;
CREATE TABLE parts_pgg AS SELECT id, geog, part FROM parts_gb, unnest(spqtree_parts(spqtree_bounds(geog, 3000000), :'pg')) part;
ANALYZE parts_pga, parts_pgb, parts_pgg;
SELECT (SELECT count(*) FROM parts_pga) > (SELECT count(*) FROM parts_ga) AS copies, (SELECT count(DISTINCT part) FROM parts_pga) AS parts;
SELECT con, c.* FROM unnest('{"st_intersects(a.geog, b.geog)","a.geog && b.geog"}'::text[]) con,
	parts_compare('SELECT a.id, b.id AS b FROM parts_ga a, parts_gb b WHERE ' || con,
		format('SELECT a.id, b.id AS b FROM parts_pga a JOIN parts_pgb b USING (part) WHERE %s AND spqtree_pair_part(a.geog, b.geog, %L) = part', con, :'pg')) c;
SELECT 'within a distance' AS con, c.* FROM parts_compare('SELECT a.id, b.id AS b FROM parts_ga a, parts_gb b WHERE st_dwithin(a.geog, b.geog, 3000000)',
	format('SELECT a.id, b.id AS b FROM parts_pga a JOIN parts_pgg b USING (part) WHERE st_dwithin(a.geog, b.geog, 3000000) AND spqtree_pair_part(spqtree_bounds(a.geog), spqtree_bounds(b.geog, 3000000), %L) = part', :'pg')) c;

DROP TABLE parts_long, parts_a, parts_b, parts_odd, parts_podd, parts_points, parts_pa, parts_pb, parts_grown, parts_qa, parts_qb, parts_pp, parts_cp, parts_la, parts_lb, parts_few, parts_60a, parts_60b, parts_ga, parts_gb, parts_pga, parts_pgb, parts_pgg;
DROP DOMAIN parts_place;
