-- Our predicates return what PostGIS' do, for all pairs of many kinds of geometries.
CREATE EXTENSION postgis;
SET client_min_messages = warning;  -- no NOTICE that the library is not preloaded
CREATE EXTENSION spqtree_postgis;
RESET client_min_messages;
SELECT extname FROM pg_extension WHERE extname LIKE 'spqtree%' ORDER BY 1;

-- A number from 0 to below n, the same in each run.
CREATE FUNCTION rnd(n int, VARIADIC key int[]) RETURNS int IMMUTABLE LANGUAGE sql
RETURN (('x' || left(md5(key::text), 7))::bit(28)::int % n);

-- Coordinates on a small lattice, so that vertices and edges are shared, or anywhere.
CREATE FUNCTION coordinate(VARIADIC key int[]) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE WHEN key[1] % 3 = 0 THEN rnd(1000000, VARIADIC key) / 83333.0 ELSE rnd(13, VARIADIC key) END;

CREATE FUNCTION vertex(i int, k int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN st_point(coordinate(i, k, 1), coordinate(i, k, 2));

CREATE FUNCTION a_line(i int, n int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_makeline(vertex(i, k) ORDER BY k) FROM generate_series(1, n) AS k);

CREATE FUNCTION a_polygon(i int, n int) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_convexhull(st_collect(vertex(i, k))) FROM generate_series(1, n) AS k);

-- A polygon with many vertices around a place, and a hole in it.
CREATE FUNCTION a_ring(i int, n int, scale float8) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_makepolygon(st_addpoint(l, st_startpoint(l)))
		FROM (SELECT st_makeline(st_point(coordinate(i, 1) + scale * (2 + rnd(100, i, k) / 100.0) * cos(2 * pi() * k / n),
										  coordinate(i, 2) + scale * (2 + rnd(100, i, k) / 100.0) * sin(2 * pi() * k / n)) ORDER BY k) AS l
			  FROM generate_series(1, n) AS k) AS s);

CREATE TABLE shape AS
SELECT i AS id, CASE i % 20
	WHEN 0 THEN vertex(i, 1)
	WHEN 1 THEN a_line(i, 2)
	WHEN 2 THEN a_line(i, 3)
	WHEN 3 THEN a_line(i, 40)
	WHEN 4 THEN a_polygon(i, 4)
	WHEN 5 THEN st_makeenvelope(rnd(10, i, 1), rnd(10, i, 2), rnd(10, i, 1) + 1 + rnd(4, i, 3), rnd(10, i, 2) + 1 + rnd(4, i, 4))
	WHEN 6 THEN a_ring(i, 7, 0.5)
	WHEN 7 THEN a_ring(i, 300, 1)
	WHEN 8 THEN st_difference(a_ring(i, 60, 1), a_ring(i, 20, 0.3))
	WHEN 9 THEN st_collect(vertex(i, 1), vertex(i, 2))
	WHEN 10 THEN st_collect(a_line(i, 3), a_line(i + 1000, 2))
	WHEN 11 THEN st_multi(st_union(a_ring(i, 9, 0.3), a_ring(i + 1000, 9, 0.3)))
	WHEN 12 THEN st_force3d(a_line(i, 5))
	WHEN 13 THEN st_force4d(a_polygon(i, 5))
	WHEN 14 THEN st_collect(vertex(i, 1), a_line(i, 3))
	WHEN 15 THEN st_geomfromtext('CIRCULARSTRING(' || concat_ws(',', x1, x2, x3) || ')')
	WHEN 16 THEN (ARRAY['POINT EMPTY', 'LINESTRING EMPTY', 'POLYGON EMPTY', 'GEOMETRYCOLLECTION EMPTY'])[1 + rnd(4, i)]::geometry
	WHEN 17 THEN st_addpoint(a_line(i, 4), vertex(i, 1))
	WHEN 18 THEN st_exteriorring(a_polygon(i, 6))
	WHEN 19 THEN st_segmentize(a_line(i, 3), 0.25)
	END AS geom
FROM generate_series(1, 120) AS i,
	LATERAL (SELECT st_x(vertex(i, 1)) || ' ' || st_y(vertex(i, 1)), st_x(vertex(i, 2)) || ' ' || st_y(vertex(i, 2)),
					st_x(vertex(i, 3)) || ' ' || st_y(vertex(i, 3))) AS v(x1, x2, x3);
UPDATE shape SET geom = NULL WHERE id = 99;
DELETE FROM shape WHERE NOT st_isvalid(geom);
SELECT count(*) > 100 AS many, count(DISTINCT geometrytype(geom)) AS types FROM shape;

-- What differs, and whether both answers were there.
CREATE FUNCTION compare(name text, distance text DEFAULT '') RETURNS TABLE (predicate text, different bigint, yes boolean, "no" boolean)
LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format(
		'SELECT %L, count(*) FILTER (WHERE ours IS DISTINCT FROM theirs), bool_or(ours), NOT bool_and(ours)
		 FROM (SELECT _spqtree_%s(a.geom, b.geom%s), %s(a.geom, b.geom%s) FROM shape AS a, shape AS b
			   WHERE geometrytype(a.geom) <> ''GEOMETRYCOLLECTION'' AND geometrytype(b.geom) <> ''GEOMETRYCOLLECTION'') AS s(ours, theirs)',
		name || coalesce(distance, ''), name, distance, name, distance);
END $$;
SELECT c.* FROM unnest(ARRAY['st_intersects', 'st_crosses', 'st_touches', 'st_overlaps', 'st_contains', 'st_containsproperly',
	'st_covers', 'st_within', 'st_coveredby']) AS name, compare(name) AS c;
SELECT c.* FROM unnest(ARRAY[0, 0.5, 1, 2.5]) AS d, compare('st_dwithin', ', ' || d) AS c;

-- The same where the values are in TOAST tables, compressed or not, and in memory.
ALTER TABLE shape ALTER geom SET STORAGE EXTERNAL;
UPDATE shape SET geom = st_segmentize(geom, 0.01) WHERE id % 20 IN (2, 4, 6);
SELECT c.* FROM compare('st_intersects') AS c;
SELECT count(*) FILTER (WHERE _spqtree_st_intersects(st_reverse(a.geom), b.geom) IS DISTINCT FROM st_intersects(st_reverse(a.geom), b.geom)) AS different
FROM shape AS a, shape AS b WHERE a.id % 20 < 10 AND b.id % 20 = 7;

-- Little memory
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT c.* FROM compare('st_intersects') AS c;
RESET work_mem;
RESET hash_mem_multiplier;

-- Points that are vertices of polygons, of holes, of invalid polygons, with a third axis; points beside them; multipoints.
CREATE TABLE vertex_area AS
SELECT row_number() OVER () AS id, st_setsrid(geom, 3857) AS geom, (st_isvaliddetail(geom)).valid FROM (
	SELECT geom FROM shape WHERE geometrytype(geom) LIKE '%POLYGON' AND id < 60 AND st_npoints(geom) < 500
	UNION ALL SELECT a_ring(i, 40, 1) FROM generate_series(200, 206) AS i
	UNION ALL SELECT st_force3d(a_ring(i, 15, 1)) FROM generate_series(210, 213) AS i
	UNION ALL SELECT unnest(ARRAY['POLYGON((0 0, 4 4, 4 0, 0 4, 0 0))', 'POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 9 1, 1 3, 1 1))', 'POLYGON((0 0, 4 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))',
		'MULTIPOLYGON(((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 8 1, 8 8, 1 8, 1 1)), ((2 2, 5 2, 5 5, 2 2)))', 'MULTIPOLYGON(((0 0, 4 0, 4 4, 0 4, 0 0)), ((2 2, 6 2, 6 6, 2 2)))', 'POLYGON((0 0, 1e-13 0, 4 0, 4 4, 0 0))',
		'POLYGON((0 0, 4 0, 0 0, 0 4, 0 0))', 'POLYGON((1 1, 1 1, 1 1, 1 1))', 'MULTIPOLYGON(((7 7, 7 7, 7 7, 7 7)), ((0 0, 4 0, 4 4, 0 0)))']::geometry[])) AS s(geom);
CREATE TABLE vertex_spot AS
WITH vertex AS (SELECT DISTINCT st_setsrid(st_force2d((st_dumppoints(geom)).geom), 3857) AS geom FROM vertex_area WHERE id % 3 = 0 OR st_npoints(geom) < 50)
SELECT geom FROM vertex UNION ALL SELECT st_translate(geom, 1e-9, 0) FROM vertex UNION ALL SELECT st_translate(geom, -0.3, 0) FROM vertex UNION ALL SELECT st_force4d(geom) FROM vertex
UNION ALL SELECT st_collect(geom, st_setsrid(st_point(-50, -50), 3857)) FROM vertex UNION ALL SELECT st_setsrid('POINT EMPTY'::geometry, 3857) UNION ALL SELECT st_setsrid(st_point('NaN', 1), 3857);
SELECT count(*) FILTER (WHERE _spqtree_st_intersects(s.geom, a.geom) IS DISTINCT FROM st_intersects(s.geom, a.geom)) AS points, count(*) FILTER (WHERE _spqtree_st_intersects(a.geom, s.geom) IS DISTINCT FROM st_intersects(a.geom, s.geom)) AS areas,
	count(*) FILTER (WHERE st_intersects(s.geom, st_exteriorring(a.geom))) > 500 AS touch, count(*) > 10000 AS many
FROM vertex_area AS a, vertex_spot AS s WHERE a.geom && s.geom;
SELECT name, count(*) FILTER (WHERE ours <> theirs) AS different, bool_or(theirs) AS yes, bool_and(theirs) AS "all"
FROM vertex_area AS a, vertex_spot AS s, LATERAL (VALUES ('contains', _spqtree_st_contains(a.geom, s.geom), st_contains(a.geom, s.geom)), ('covers', _spqtree_st_covers(a.geom, s.geom), st_covers(a.geom, s.geom)),
	('touches', _spqtree_st_touches(a.geom, s.geom), st_touches(a.geom, s.geom)), ('dwithin', _spqtree_st_dwithin(a.geom, s.geom, 0), st_dwithin(a.geom, s.geom, 0))) AS v(name, ours, theirs)
WHERE a.geom && s.geom AND a.valid GROUP BY name ORDER BY name;

-- Lines that cross only where one of them ends on itself: in its boundary.
CREATE FUNCTION compare_pair(name text, a geometry, b geometry) RETURNS TABLE (predicate text, same boolean) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT %L, _spqtree_%s($1, $2) = %s($1, $2)', name, name, name) USING a, b;
END $$;
SELECT c.* FROM unnest(ARRAY['st_touches', 'st_crosses', 'st_intersects']) AS name,
	(VALUES ('LINESTRING(0 3, 6 6)', 'LINESTRING(5 5, 6 6, 5 5, 1 5, 4 5)'), ('LINESTRING(3 -2, 7 2)', 'MULTILINESTRING((0 0, 10 0), (5 0, 5 5))')) AS v(a, b),
	compare_pair(name, a, b) AS c;

-- A vertex of the first ring that is in a hole, which is invalid: PostGIS' first call finds it outside.
SELECT c.* FROM unnest(ARRAY['POINT(0 0)', 'POINT(3 0)']) AS p, compare_pair('st_intersects', 'POLYGON((0 0, 3 0, 0 3, 0 0), (-1 -1, 2 -1, 2 2, -1 2, -1 -1))', p) AS c;
-- A hole outside its own shell, in that of another polygon.
SELECT c.* FROM unnest(ARRAY['POINT(1.5 1.5)', 'POINT(3 3)', 'POINT(10.5 10.1)']) AS p, compare_pair('st_intersects', 'MULTIPOLYGON(((0 0, 4 0, 4 4, 0 4, 0 0)), ((10 10, 12 10, 12 12, 10 10), (1 1, 2 1, 2 2, 1 2, 1 1)))', p) AS c;

-- Points that are on an edge but for roundings, which PostGIS does not compute exactly either.
CREATE FUNCTION turned(geom geometry, far float8) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN st_translate(st_rotate(geom, 0.3), far, far / 2);
SELECT far, count(*) FILTER (WHERE _spqtree_st_dwithin(l, p, d) <> st_dwithin(l, p, d)) AS dwithin, bool_or(st_dwithin(l, p, d)) AS yes
FROM unnest('{0,1e3,1e7}'::float8[]) AS far, generate_series(1, 30) AS i, generate_series(1, 3) AS x, generate_series(0, 2) AS d,
	LATERAL (SELECT turned(st_makeline(st_point(x, 0), st_point(x, 31)), far), turned(st_point(x + d, i), far)) AS v(l, p)
GROUP BY far ORDER BY far;

-- Near the end of an edge, and very small and very large coordinates.
SELECT count(*) FILTER (WHERE _spqtree_st_intersects(p, s) <> st_intersects(p, s)) AS different, bool_or(st_intersects(p, s)) AS yes
FROM (SELECT st_point(0.2 + x * 1e-16, 0.6 + y * 1e-16), 'POLYGON((0.2 0.5, 0.8 0, 0.2 0.6, 0 0.3, 0.2 0.5))'::geometry
	  FROM generate_series(-4, 4) AS x, generate_series(-4, 4) AS y) AS s(p, s);
SELECT _spqtree_st_intersects(p, s) = st_intersects(p, s) AS same
FROM (SELECT st_point(i * 1e-13, 1e-13), 'POLYGON((0 0, 6e-13 0, 0 6e-13, 0 0))'::geometry FROM generate_series(1, 3) AS i) AS v(p, s);
SELECT c.* FROM compare_pair('st_contains',
	'POLYGON((0.0 0.0, 7.642691913004848 2.3641616532907164, 5.278530259714131 10.006853566295565, -2.3641616532907164 7.642691913004848, 0.0 0.0),(3.6633774881242593 8.46047666384728, -1.113304957503771 6.9828756305405815, -1.4088251641651104 7.938212119666187, 3.36785728146292 9.415813152972884, 3.6633774881242593 8.46047666384728))',
	'LINESTRING(3.890121825644011 4.343610500683516, 1.752704509873047 7.8694362505246005)') AS c;
SELECT c.* FROM unnest(ARRAY['st_touches', 'st_crosses']) AS name,
	compare_pair(name, 'LINESTRING(0 2e150, 4e150 5e150)', 'LINESTRING(3e150 0, 0 3e150, 6e150 7e150, 3e150 0)') AS c;
-- GEOS is wrong about this line, which is partly outside, unless it has prepared the polygon.
SELECT c.* FROM unnest(ARRAY['st_contains', 'st_covers', 'st_containsproperly']) AS name,
	compare_pair(name, 'POLYGON((212e147 179e147, 417e147 957e147, 525e147 350e147, 212e147 179e147))', 'LINESTRING(330e147 865e147, 475e147 648e147)') AS c;

-- Errors are PostGIS'.
\set VERBOSITY sqlstate
SELECT _spqtree_st_intersects('SRID=4326;POINT(0 0)'::geometry, 'SRID=3857;POINT(0 0)');
SELECT _spqtree_st_dwithin('POINT(0 0)', 'POINT(0 0)', -1);
\set VERBOSITY default
SELECT _spqtree_st_dwithin('POINT(0 0)', 'POINT(0 0)', 'NaN'), st_dwithin('POINT(0 0)', 'POINT(0 0)', 'NaN');
SELECT _spqtree_st_intersects('POINT(0 0)', NULL::geometry);

-- Bounds are those that PostGIS' operators compare.
SELECT count(*) FROM shape AS a, shape AS b
WHERE (a.geom && b.geom) IS DISTINCT FROM
	coalesce(box3(spqtree_bounds(a.geom), 0, 0) && box3(spqtree_bounds(b.geom), 0, 0), CASE WHEN a.geom IS NOT NULL AND b.geom IS NOT NULL THEN false END);
SELECT spqtree_bounds('POINT(0.1 1)'::geometry), spqtree_bounds('LINESTRING(0 0, 3 4)'::geometry), spqtree_bounds('LINESTRING Z (0 0 1, 3 4 1, 5 5 5)'::geometry),
	spqtree_bounds('MULTIPOINT EMPTY'::geometry), spqtree_bounds('POINT(1 1)'::geometry, -1), spqtree_bounds('POINT(1 1)'::geometry, 'NaN');

-- Predicates of one query share the shapes of values in TOAST tables, wherever the pointers to these are.
CREATE TABLE coast AS SELECT i AS id, ST_Buffer(ST_Point(i * 3, 0), 2, 500) AS geom FROM generate_series(1, 20) i;
ANALYZE coast;
SELECT pg_relation_size(reltoastrelid) > 400000 AS toasted FROM pg_class WHERE oid = 'coast'::regclass;
CREATE FUNCTION shapes(OUT contexts bigint, OUT used numeric) LANGUAGE sql VOLATILE AS $$
SELECT count(*), sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = 'spqtree shapes' $$;
SELECT count(*) AS pairs, (shapes()).* FROM coast a JOIN coast b ON ST_Intersects(a.geom, b.geom) \gset one_
SELECT count(*) AS pairs, (shapes()).* FROM coast a JOIN coast b ON ST_Intersects(a.geom, b.geom) AND NOT ST_Touches(a.geom, b.geom)
  JOIN coast c ON ST_Intersects(b.geom, c.geom) AND ST_DWithin(a.geom, c.geom, 1) \gset three_
SELECT :one_pairs AS one, :three_pairs AS three, :one_contexts AS contexts_of_one, :three_contexts AS contexts_of_three, :three_used < 1.2 * :one_used AS shared;

-- Many points in one polygon of many vertices, which gets cells: on vertices and edges, near them, on lines of a lattice, in holes, anywhere.
-- The polygons: a rough star, one with a hole, two that overlap, a ring that crosses itself, a star far away from the origin.
CREATE FUNCTION star(i int, vertices int, size float8) RETURNS geometry IMMUTABLE LANGUAGE sql
RETURN (SELECT st_makepolygon(st_addpoint(l, st_startpoint(l))) FROM (
	SELECT st_makeline(array_agg(st_point(r * cos(radians(360.0 * k / vertices)), r * sin(radians(360.0 * k / vertices))) ORDER BY k)) AS l
	FROM (SELECT k, size * (60 + 20 * sin(k * 0.01) + rnd(100, i, k) / 100.0) AS r FROM generate_series(1, vertices) AS k) AS s) AS t);
CREATE TABLE large AS SELECT name, geom FROM (VALUES ('star', star(1, 2000, 1)), ('hole', st_difference(star(1, 2000, 1), star(2, 300, 0.5))),
	('overlapping', st_collect(star(1, 500, 1), st_translate(star(2, 500, 0.5), 50, 0))),
	('tangled', st_makepolygon(st_addpoint(st_exteriorring(star(1, 500, 1)), st_point(9, 9), 50))),
	('far', st_translate(star(1, 500, 1), 1e6, -1e7))) AS v(name, geom);
CREATE TABLE large_spot AS
SELECT name, CASE i % 5 WHEN 0 THEN v WHEN 1 THEN st_translate(v, rnd(9, i, 1) * 1e-9, 1e-10) WHEN 2 THEN st_lineinterpolatepoint(st_makeline(v, w), rnd(7, i, 2) / 7.0)
	WHEN 3 THEN st_point(floor(st_x(v)), floor(st_y(v))) ELSE st_translate(v, rnd(160, i, 3) - 80, rnd(1600, i, 4) / 10.0 - 80) END AS geom
FROM large, LATERAL (SELECT st_exteriorring(st_geometryn(geom, 1)) AS ring) AS r, generate_series(1, 2500) AS i,
	LATERAL (SELECT st_pointn(ring, 1 + rnd(490, i, 5)) AS v, st_pointn(ring, 2 + rnd(490, i, 5)) AS w) AS s;
SELECT name, c.predicate, count(*) FILTER (WHERE ours IS DISTINCT FROM theirs) AS different, count(*) FILTER (WHERE ours) > 500 AS yes, count(*) FILTER (WHERE NOT ours) > 500 AS "no"
FROM (SELECT name, _spqtree_st_intersects(a.geom, s.geom) AS i, st_intersects(a.geom, s.geom) AS pi, _spqtree_st_contains(a.geom, s.geom) AS c, st_contains(a.geom, s.geom) AS pc,
		_spqtree_st_coveredby(s.geom, a.geom) AS b, st_coveredby(s.geom, a.geom) AS pb FROM large AS a JOIN large_spot AS s USING (name) ORDER BY name OFFSET 0) AS p,
	LATERAL (VALUES ('intersects', i, pi), ('contains', c, pc), ('covered by', b, pb)) AS c(predicate, ours, theirs)
WHERE predicate = 'intersects' OR name NOT IN ('overlapping', 'tangled') GROUP BY 1, 2 ORDER BY 1, 2;
