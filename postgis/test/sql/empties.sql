-- Joins and indexes return what PostGIS' operators and predicates say of geometries without a point, of each kind.  PostGIS takes
-- some of these for the same as each other.  Beside them are geometries with NaN, infinite and very large coordinates, whose boxes
-- PostGIS replaces or cuts off.  The functions are those of tests joins and index.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
CREATE TABLE kind AS SELECT row_number() OVER () AS id, kind FROM unnest(ARRAY[
	'POINT EMPTY', 'LINESTRING EMPTY', 'POLYGON EMPTY', 'MULTIPOINT EMPTY', 'MULTILINESTRING EMPTY', 'MULTIPOLYGON EMPTY',
	'GEOMETRYCOLLECTION EMPTY', 'CIRCULARSTRING EMPTY', 'COMPOUNDCURVE EMPTY', 'CURVEPOLYGON EMPTY', 'MULTICURVE EMPTY',
	'MULTISURFACE EMPTY', 'POLYHEDRALSURFACE EMPTY', 'TRIANGLE EMPTY', 'TIN EMPTY',
	'MULTIPOINT(EMPTY)', 'MULTILINESTRING(EMPTY)', 'MULTIPOLYGON(EMPTY,EMPTY)', 'MULTISURFACE(CURVEPOLYGON EMPTY)',
	'GEOMETRYCOLLECTION(CURVEPOLYGON EMPTY)', 'GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(TIN EMPTY), POINT EMPTY)']) AS kind;

-- Each kind in the plane, and with one of Z, M, ZM, and an SRID; without a stored box, too.
CREATE TABLE e AS SELECT row_number() OVER () AS id, geom, st_npoints(geom) = 0 AS empty FROM (
	SELECT kind::geometry AS geom FROM kind
	UNION ALL SELECT (CASE id % 3 WHEN 0 THEN st_force3dz(kind) WHEN 1 THEN st_force3dm(kind) ELSE st_force4d(kind) END)
	FROM (SELECT id, kind::geometry AS kind FROM kind) AS k
	UNION ALL SELECT unnest(ARRAY['POINT(1 1)', 'POINT Z (1 1 2)', 'LINESTRING(0 0,2 2,3 0)', 'POLYGON((0 0,4 0,4 4,0 4,0 0))',
		'MULTIPOINT((1 1),(3 3))', 'MULTICURVE(EMPTY)']::geometry[])) AS s;
INSERT INTO e SELECT 100 + id, postgis_dropbbox(geom), false FROM e WHERE st_npoints(geom) > 1;
CREATE TABLE special AS SELECT row_number() OVER () + 200 AS id, geom, false AS empty FROM unnest(ARRAY[st_setsrid('POINT EMPTY'::geometry, 4326),
	st_setsrid('CURVEPOLYGON EMPTY'::geometry, 4326), 'MULTIPOINT(EMPTY,(1 1))', 'GEOMETRYCOLLECTION(POINT EMPTY,POINT(1 1))', 'CIRCULARSTRING(0 0,1 1,2 0)',
	st_makepoint('NaN', 1), st_makepoint(1, 'NaN'), st_makepoint(1, 1, 'NaN'), st_makeline(st_makepoint('NaN', 3), st_makepoint(5, 4)),
	st_makepoint('Infinity', 1), st_makepoint('-Infinity', 1), st_makepoint(1, 1, 'Infinity'), st_makepoint(1e300, 1), st_makepoint(-1e39, 1),
	st_makeline(st_makepoint(-1e300, 1), st_makepoint(1e39, 1)), st_makepoint(1, 1, -1e300)]) AS geom;
SELECT count(DISTINCT geometrytype(geom)) > 15 AS types, count(*) FILTER (WHERE st_isempty(geom)) > 40 AS many FROM e;
SELECT st_astext(geom) AS "with bounds" FROM e WHERE st_isempty(geom) AND spqtree_bounds(geom) IS NOT NULL OR st_isempty(geom) AND spqtree_bounds3(geom) IS NOT NULL;

-- Operators
CREATE TABLE a AS TABLE e UNION ALL TABLE special;
CREATE TABLE b AS TABLE a;
CREATE TABLE indexed AS TABLE a;
CREATE TABLE asked AS TABLE a;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);
ANALYZE a, b, indexed, asked;
SELECT operator, c.node, c.different FROM unnest('{&&,~=,~,@,&&&}'::text[]) AS operator,
	compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON a.geom ' || operator || ' b.geom') AS c;
SELECT operator, c.indexed, c.different FROM unnest('{<<,&<,&&,&>,>>,~=,~,@,&<|,<<|,|>>,|&>}'::text[]) AS operator, compare_index('t.geom ' || operator || ' a.geom') AS c;
SELECT operator, c.indexed, c.different FROM unnest('{&&,~,@,<<,|>>}'::text[]) AS operator, compare_index('a.geom ' || operator || ' t.geom') AS c;
SELECT c.node, c.different FROM compare_join('SELECT a.id AS a, b.id AS b FROM a LEFT JOIN b ON a.geom ~= b.geom AND a.empty = b.empty') AS c;

-- In space.  Orders are in test index_nd, of geometries with points.
DROP INDEX indexed_geom;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom spqtree_geometry_nd_ops);
SELECT operator, c.indexed, c.different FROM unnest('{&&&,~~=,~~,@@}'::text[]) AS operator, compare_index('t.geom ' || operator || ' a.geom') AS c;
DROP INDEX indexed_geom;
CREATE INDEX indexed_geom ON indexed USING spqtree (geom);

-- Geographies
CREATE TABLE ga AS SELECT id, geom::geography FROM e
WHERE st_astext(geom) ~ '^(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINE|MULTIPOLYGON|GEOMETRYCOLLECTION Z?M? ?EMPTY)';
CREATE TABLE gb AS TABLE ga;
SELECT condition, c.node, c.different FROM unnest(ARRAY['a.geom && b.geom', 'st_intersects(a.geom, b.geom)', 'st_covers(a.geom, b.geom)', 'st_coveredby(a.geom, b.geom)',
	'st_dwithin(a.geom, b.geom, 1)']) AS condition, compare_join('SELECT a.id AS a, b.id AS b FROM ga AS a JOIN gb AS b ON ' || condition) AS c;
DROP TABLE ga, gb;

-- Predicates, of what no version of PostGIS raises an error for, and answers alike whenever it is asked.
DELETE FROM a WHERE id > 200;
DELETE FROM b WHERE id > 200;
DELETE FROM asked WHERE id > 200;
DELETE FROM indexed WHERE id > 200;
SELECT operator, c.indexed, c.different FROM unnest('{<->,<#>}'::text[]) AS operator, compare_nearest(operator) AS c;
CREATE TABLE condition AS SELECT unnest(ARRAY['st_intersects', 'st_contains', 'st_containsproperly', 'st_covers', 'st_within', 'st_coveredby',
	'st_touches', 'st_crosses', 'st_overlaps', 'st_orderingequals']) || '(%1$s.geom, %2$s.geom)' AS condition
	UNION ALL SELECT 'st_equals(%1$s.geom, %2$s.geom) AND %1$s.empty = %2$s.empty'
	UNION ALL SELECT unnest(ARRAY['st_dwithin(%1$s.geom, %2$s.geom, 0)', 'st_dwithin(%1$s.geom, %2$s.geom, 2)',
	'st_dfullywithin(%1$s.geom, %2$s.geom, 2)', 'st_3dintersects(%1$s.geom, %2$s.geom)', 'st_3ddwithin(%1$s.geom, %2$s.geom, 2)', 'st_3ddfullywithin(%1$s.geom, %2$s.geom, 2)']);
-- From PostGIS 3.7 on st_orderingequals is planned as =, without the node.
SELECT condition, c.node <> (condition ~ 'ordering' AND (regexp_split_to_array(postgis_lib_version(), '\D'))[1:2]::int[] >= '{3,7}') AS node, c.different
FROM condition, compare_join('SELECT a.id AS a, b.id AS b FROM a JOIN b ON ' || format(condition, 'a', 'b')) AS c;
SELECT condition, c.indexed, c.different FROM condition, compare_index(format(condition, 't', 'a')) AS c WHERE condition !~ 'fully|3d';
SELECT condition, c.indexed, c.different FROM condition, compare_index(format(condition, 'a', 't')) AS c WHERE condition !~ 'fully|3d|equals';
DROP TABLE kind, e, special, a, b, indexed, asked, condition;
