-- One value as both arguments: of one column, of a table joined with itself, where both are at one address.
SET client_min_messages = warning;
LOAD 'spqtree';
CREATE SCHEMA same_value;
SET search_path = same_value, public;
CREATE FUNCTION wave(n int, x float8) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_makeline(st_point(x + i / 10.0, sin(i)) ORDER BY i) FROM generate_series(1, n) AS i);
CREATE TABLE value AS
SELECT row_number() OVER (ORDER BY far, place) AS id, st_translate(geom, far, 0) AS geom FROM unnest(ARRAY[0, 3]) AS far, unnest(ARRAY[
	-- small and large shapes (18 points and more) of every kind; lines that end on themselves, cross, and go back
	'POINT(1 0)', 'MULTIPOINT(1 0, 2 1)', 'LINESTRING(0 0, 3 5)', 'LINESTRING(0 0, 1 1, 2 0, 3 5)', 'LINESTRING(0 0, 1 1, 2 0, 0 0)', 'LINESTRING(0 0, 2 2, 2 0, 0 2)', 'LINESTRING(0 0, 3 0, 3 1, 2 0)', 'LINESTRING(0 0, 2 0, 1 0)',
	'MULTILINESTRING((0 0, 3 5))', 'MULTILINESTRING((0 0, 1 1, 2 0))', 'MULTILINESTRING((0 0, 1 1), (1 1, 2 0))', 'MULTILINESTRING((0 0, 1 1), (1 1, 2 0), (1 1, 1 2), (4 0, 5 5))', 'MULTILINESTRING((0 0, 2 2), (0 2, 2 0))',
	'POLYGON((0 0, 2 0, 2 2, 0 2, 0 0))', 'POLYGON((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 2 1, 2 2, 1 1))', 'POLYGON((0 0, 3 0, 3 3, 0 3, 0 0), (1 3, 1 1, 2 1, 1 3))', 'MULTIPOLYGON(((0 0, 2 0, 2 2, 0 0)), ((2 2, 4 2, 4 4, 2 2)))', 'MULTIPOLYGON(((0 0, 2 0, 2 2, 0 0)))',
	'LINESTRING Z (0 0 1, 1 1 2, 2 0 3)', 'LINESTRING EMPTY']::geometry[] ||
	ARRAY[wave(17, 0), wave(18, 0), wave(200, 0), st_multi(wave(40, 0)), st_collect(wave(40, 0), wave(30, 0.05)), st_addpoint(wave(40, 0), st_startpoint(wave(40, 0))),
		  st_buffer('POINT(1 1)', 1, 2), st_buffer('POINT(1 1)', 1, 60), st_multi(st_difference(st_buffer('POINT(1 1)', 1, 60), st_buffer('POINT(1 1)', 0.5, 30))), st_segmentize('LINESTRING(0 0, 3 5)'::geometry, 0.2), st_segmentize('MULTILINESTRING((0 0, 3 5))'::geometry, 0.1)])
	WITH ORDINALITY AS v(geom, place);
-- in TOAST tables, as they are and compressed, and compressed in their rows
CREATE TABLE toasted (LIKE value);
ALTER TABLE toasted ALTER geom SET STORAGE EXTERNAL;
INSERT INTO toasted SELECT id, geom FROM value WHERE st_npoints(geom) > 17;
INSERT INTO toasted SELECT id + 1000, st_segmentize(geom, 0.05) FROM value WHERE geometrytype(geom) LIKE '%LINESTRING' AND st_npoints(geom) < 17 AND id % 2 = 0;
CREATE TABLE compressed (LIKE value);
INSERT INTO compressed
SELECT 10 * i + kind, CASE kind WHEN 0 THEN line WHEN 1 THEN st_multi(line) ELSE st_collect(line, st_translate(line, 0.5, 0)) END
FROM generate_series(1, 4) AS i, generate_series(0, 2) AS kind, LATERAL (SELECT st_makeline(st_point(i + k / 10, k / 10 % 3) ORDER BY k) FROM generate_series(1, 200) AS k) AS l(line);
SELECT bool_or(pg_column_size(geom) > 2000) AS large, bool_or(pg_column_size(geom) < 1000 AND st_npoints(geom) > 100) AS compressed FROM (TABLE toasted UNION ALL TABLE compressed) AS s;
CREATE TABLE geog AS SELECT id, geom::geography AS geom FROM value WHERE id % 4 > 0;
CREATE INDEX ON value USING gist (geom);
CREATE INDEX ON toasted USING gist (geom);
CREATE INDEX ON compressed USING spqtree (geom);
CREATE INDEX ON geog USING gist (geom);
VACUUM ANALYZE value, toasted, compressed, geog;

-- Rows that only one of two plans returns, as often as it does, and whether the plan is the one wanted.
CREATE FUNCTION plan_has(query text, part text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found boolean := false;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		found := found OR line ~ part;
	END LOOP;
	RETURN found;
END $$;
CREATE FUNCTION compare_same(source text, condition text, OUT different bigint, OUT rows bigint, OUT filter boolean, OUT node boolean, OUT index boolean) LANGUAGE plpgsql AS $$
DECLARE
	one text := format('SELECT a.id, a.id AS other FROM %I AS a WHERE %s', source, replace(condition, 'b.geom', 'a.geom'));
	two text := format('SELECT a.id, b.id AS other FROM %I AS a JOIN %I AS b ON %s', source, source, condition);
BEGIN
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	SET LOCAL spqtree.enable = off;
	EXECUTE 'CREATE TEMP TABLE theirs AS SELECT ''one'' AS way, * FROM (' || one || ') AS s UNION ALL SELECT w, t.* FROM (' || two || ') AS t, unnest(ARRAY[''node'', ''loop'', ''index'']) AS w';
	SET LOCAL spqtree.enable = on;
	filter := plan_has(one, 'Filter: .*spqtree_');
	EXECUTE 'CREATE TEMP TABLE ours AS SELECT ''one'' AS way, * FROM (' || one || ') AS s';
	SET LOCAL enable_nestloop = off;
	node := plan_has(two, 'Spqtree Spatial Hash Join');
	EXECUTE 'INSERT INTO ours SELECT ''node'', * FROM (' || two || ') AS s';
	SET LOCAL enable_nestloop = on;
	SET LOCAL spqtree.enable_hashjoin = off;
	EXECUTE 'INSERT INTO ours SELECT ''loop'', * FROM (' || two || ') AS s';
	SET LOCAL enable_indexscan = on;
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_material = off;
	index := plan_has(two, 'Index Scan using');
	EXECUTE 'INSERT INTO ours SELECT ''index'', * FROM (' || two || ') AS s';
	SELECT count(*) INTO different FROM ((TABLE ours EXCEPT ALL TABLE theirs) UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) AS s;
	SELECT count(*) INTO rows FROM theirs WHERE way = 'one';
	DROP TABLE ours, theirs;
	RESET spqtree.enable_hashjoin;
	RESET spqtree.enable;
	RESET enable_seqscan;
	RESET enable_material;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
END $$;
SELECT source, condition, different, rows > 0 AS yes, filter, node, index FROM unnest('{value,toasted,compressed}'::text[]) WITH ORDINALITY AS s(source, place), unnest(ARRAY[
	'st_intersects(a.geom, b.geom)', 'st_crosses(a.geom, b.geom)', 'st_touches(a.geom, b.geom)', 'st_overlaps(a.geom, b.geom)', 'st_contains(a.geom, b.geom)', 'st_containsproperly(a.geom, b.geom)',
	'st_covers(a.geom, b.geom)', 'st_within(a.geom, b.geom)', 'st_coveredby(a.geom, b.geom)', 'st_dwithin(a.geom, b.geom, 0)', 'st_dwithin(a.geom, b.geom, 0.5)']) WITH ORDINALITY AS c(condition, number),
	compare_same(source, condition) ORDER BY place, number;
SELECT condition, different, rows > 0 AS yes, filter, node, index FROM unnest(ARRAY['st_intersects(a.geom, b.geom)', 'st_dwithin(a.geom, b.geom, 0)', 'st_dwithin(a.geom, b.geom, 10)', 'st_dwithin(a.geom, b.geom, 300000)']) AS condition,
	compare_same('geog', condition);

-- A table of lines, in which rows of both sides are on the same pages.
CREATE TABLE segment AS SELECT i AS id, st_multi(st_makeline(st_point(i, 0), st_point(i + 3, 5))) AS geom FROM generate_series(1, 2000) AS i;
CREATE INDEX ON segment USING gist (geom);
VACUUM ANALYZE segment;
SELECT count(*) FROM segment AS a JOIN segment AS b ON st_intersects(a.geom, b.geom) WHERE a.id <= 20;
SELECT count(*) FROM segment WHERE st_intersects(geom, geom);
SELECT count(*) FROM segment WHERE st_crosses(geom, geom);
