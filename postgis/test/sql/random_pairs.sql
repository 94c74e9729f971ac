-- Random valid geometries on small grids: each predicate, in both directions, has the answer of PostGIS.  Most pairs have vertices and
-- edges in common: holes touch shells, parts and other holes in points, parts fill holes, lines end on themselves, run back, repeat
-- points.  Each round makes other geometries, and compares all of them with each other, and some in plans, by the functions of test
-- pairs.  SPQTREE_SEED makes others, SPQTREE_PAIRS sets the number of pairs.
\set seed 1
\set pairs 1000000
\getenv seed SPQTREE_SEED
\getenv pairs SPQTREE_PAIRS
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
LOAD 'spqtree';
SET search_path = pairs, public;
CREATE TABLE setup AS SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint ELSE :'seed'::bigint END AS seed, :'pairs'::bigint AS pairs;
DO $$ BEGIN RAISE LOG 'spqtree: random pairs of geometries with seed %', (SELECT seed FROM setup); END $$;

--
-- Geometries.  The functions use random() one call after the other, so a seed makes the same ones in each version.
--
-- A number from 0 to below n
CREATE FUNCTION dice(n int) RETURNS int LANGUAGE sql RETURN floor(random() * n)::int;
CREATE FUNCTION one_of(points geometry[]) RETURNS geometry LANGUAGE sql RETURN points[1 + dice(cardinality(points))];
-- A point of the grid from 0 to n, and one near another
CREATE FUNCTION spot(n int) RETURNS geometry LANGUAGE sql RETURN st_point(dice(n + 1), dice(n + 1));
CREATE FUNCTION spot(n int, p geometry, reach int) RETURNS geometry LANGUAGE sql
RETURN st_point(least(greatest(st_x(p) + dice(2 * reach + 1) - reach, 0), n), least(greatest(st_y(p) + dice(2 * reach + 1) - reach, 0), n));
-- The points of the grid on a line
CREATE FUNCTION spots_on(line geometry) RETURNS geometry[] IMMUTABLE LANGUAGE sql
RETURN (SELECT array_agg(st_point(x + dx / g * s, y + dy / g * s) ORDER BY k, s) FROM (SELECT k, x, y, x1 - x AS dx, y1 - y AS dy, gcd(x1 - x, y1 - y) AS g
	FROM (SELECT k, x, y, lead(x) OVER w AS x1, lead(y) OVER w AS y1 FROM (SELECT path[1] AS k, st_x(geom)::int AS x, st_y(geom)::int AS y FROM st_dumppoints(line)) AS p
	WINDOW w AS (ORDER BY k)) AS q) AS e, generate_series(0, g - 1) AS s);

CREATE FUNCTION a_line(n int) RETURNS geometry LANGUAGE plpgsql AS $$
DECLARE
	k int := 2 + dice(5);
	p geometry[] := ARRAY(SELECT spot(n) FROM generate_series(1, k));
	line geometry;
BEGIN
	LOOP
		line := st_makeline(CASE dice(8)
			WHEN 0 THEN p || p[1]										-- closed
			WHEN 1 THEN p || p[1 + dice(k)]								-- ends on itself
			WHEN 2 THEN p || one_of(spots_on(st_makeline(p)))
			WHEN 3 THEN p || one_of(spots_on(st_makeline(p))) || spot(n)	-- meets itself
			WHEN 4 THEN p || p[k - 1]									-- runs back
			WHEN 5 THEN p || p[1:dice(k)]								-- goes the same way twice
			ELSE p END);
		EXIT WHEN st_isvalid(line);
		p := p || spot(n);
	END LOOP;
	RETURN line;
END $$;

-- A line through a point in which two rings of a polygon touch, or through any vertex
CREATE FUNCTION a_line_through(n int, polygon geometry) RETURNS geometry LANGUAGE plpgsql AS $$
DECLARE
	rings geometry[] := ARRAY(SELECT st_exteriorring(r.geom) FROM st_dump(polygon) AS p, st_dumprings(p.geom) AS r);
	vertices geometry[] := ARRAY(SELECT (st_dumppoints(r)).geom FROM unnest(rings) AS r);
	touched geometry[] := ARRAY(SELECT v FROM unnest(vertices) AS v WHERE (SELECT count(*) FROM unnest(rings) AS r WHERE st_intersects(r, v)) > 1);
	v geometry := one_of(CASE WHEN touched = '{}' THEN vertices ELSE touched END);
	p geometry := CASE dice(3) WHEN 0 THEN one_of(spots_on(one_of(rings))) ELSE spot(n, v, 1 + dice(2)) END;
	q geometry := CASE dice(3) WHEN 0 THEN one_of(spots_on(one_of(rings))) ELSE spot(n, v, 1 + dice(2)) END;
	line geometry := st_makeline(CASE dice(5) WHEN 0 THEN ARRAY[p, v, q] WHEN 1 THEN ARRAY[v, p] WHEN 2 THEN ARRAY[q, st_point(2 * st_x(v) - st_x(q), 2 * st_y(v) - st_y(q)), p]
		ELSE ARRAY[p, st_point(2 * st_x(v) - st_x(p), 2 * st_y(v) - st_y(p))] END);
BEGIN
	RETURN CASE WHEN st_isvalid(line) THEN line ELSE a_line(n) END;
END $$;

-- A ring, perhaps from a given point
CREATE FUNCTION a_ring(n int, reach int, first geometry DEFAULT NULL) RETURNS geometry LANGUAGE plpgsql AS $$
DECLARE
	p geometry;
	q geometry;
	ring geometry;
BEGIN
	LOOP
		p := coalesce(first, spot(n));
		q := spot(n, p, reach);
		ring := st_makeline(CASE dice(6)
			WHEN 0 THEN ARRAY[p, st_point(st_x(q), st_y(p)), q, st_point(st_x(p), st_y(q)), p]
			WHEN 1 THEN p || ARRAY(SELECT spot(n, p, reach) FROM generate_series(1, 3)) || p
			WHEN 2 THEN p || ARRAY(SELECT spot(n, p, reach) FROM generate_series(1, 4)) || p
			ELSE ARRAY[p, spot(n, p, reach), q, p] END);
		EXIT WHEN st_isvalid(st_makepolygon(ring));
	END LOOP;
	RETURN ring;
END $$;

-- A polygon, perhaps from a given point.  Holes often touch the shell or each other in points.
CREATE FUNCTION a_polygon(n int, first geometry DEFAULT NULL) RETURNS geometry LANGUAGE plpgsql AS $$
DECLARE
	shell geometry := CASE WHEN first IS NULL AND dice(3) > 0 THEN st_exteriorring(st_makeenvelope(0, 0, n, n)) ELSE a_ring(n, 1 + dice(n), first) END;
	holes geometry[] := '{}';
	hole geometry;
BEGIN
	FOR i IN 1..dice(CASE WHEN first IS NULL THEN 7 ELSE 3 END) LOOP
		hole := a_ring(n, 1 + dice(n / 2), CASE dice(3) WHEN 0 THEN one_of(spots_on(shell)) WHEN 1 THEN one_of(spots_on(holes[1])) END);
		IF st_isvalid(st_makepolygon(shell, holes || hole)) THEN
			holes := holes || hole;
		END IF;
	END LOOP;
	RETURN st_makepolygon(shell, holes);
END $$;

-- Parts touch each other in points, also within a hole, of which they may fill much.
CREATE FUNCTION a_multipolygon(n int) RETURNS geometry LANGUAGE plpgsql AS $$
DECLARE
	p geometry := spot(n);
	parts geometry[] := ARRAY[a_polygon(n, CASE WHEN dice(3) = 0 THEN p END)];
	ring geometry := (SELECT st_exteriorring(geom) FROM st_dumprings(parts[1]) ORDER BY path[1] DESC LIMIT 1);
	part geometry;
BEGIN
	FOR i IN 1..2 + dice(6) LOOP
		part := CASE dice(4)
			WHEN 0 THEN a_polygon(n, p)
			WHEN 1 THEN a_polygon(n, one_of(spots_on(ring)))
			ELSE (SELECT st_makepolygon(st_makeline(s || s[1])) FROM (SELECT ARRAY(SELECT one_of(spots_on(ring)) FROM generate_series(1, 3 + dice(2)))) AS v(s)) END;
		IF st_isvalid(st_collect(parts || part)) THEN
			parts := parts || part;
		END IF;
	END LOOP;
	RETURN st_collect(parts);
END $$;

CREATE FUNCTION a_geometry(n int, kind int) RETURNS geometry LANGUAGE sql
RETURN CASE WHEN kind < 2 THEN spot(n)
	WHEN kind = 2 THEN st_collect(ARRAY(SELECT spot(n) FROM generate_series(1, 1 + dice(4))))
	WHEN kind < 8 THEN a_line(n)
	WHEN kind = 8 THEN CASE dice(2) WHEN 0 THEN st_multi(a_line(n)) ELSE st_collect(a_line(n), a_line(n)) END
	WHEN kind = 9 THEN (SELECT st_collect(ARRAY[a, b, st_makeline(st_startpoint(a), st_endpoint(b))]) FROM (SELECT a_line(n), a_line(n) OFFSET 0) AS v(a, b))
	WHEN kind < 14 THEN a_polygon(n)
	ELSE a_multipolygon(n) END;

-- The same set of points, stored in another way
CREATE FUNCTION another_form(geom geometry, kind int) RETURNS geometry LANGUAGE sql
RETURN CASE kind
	WHEN 0 THEN CASE WHEN st_dimension(geom) = 0 THEN st_multi(geom) ELSE regexp_replace(st_astext(geom), '(\d+ \d+)(?=[,)])', '\1,\1', 'g')::geometry END
	WHEN 1 THEN CASE WHEN st_dimension(geom) = 0 THEN geom ELSE regexp_replace(st_astext(geom), '(\d*[13579] \d+)(?=[,)])', '\1,\1,\1', 'g')::geometry END
	WHEN 2 THEN st_force3d(st_reverse(geom))
	WHEN 3 THEN st_force4d(geom)
	WHEN 4 THEN st_multi(geom)
	WHEN 5 THEN postgis_dropbbox(geom)
	ELSE geom END;

CREATE TABLE pool (id bigint, geom geometry, d int);
CREATE TABLE few (LIKE pool);
CREATE TABLE mixed (LIKE pool);
CREATE FUNCTION make_geometries(round int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	n int;
	method text := CASE round % 2 WHEN 0 THEN 'spqtree' ELSE 'gist' END;
BEGIN
	PERFORM setseed((hashint8extended(round, (SELECT seed FROM setup)) & 9007199254740991) / 9007199254740992.0);
	n := 4 + dice(9);
	DROP INDEX IF EXISTS few_geom, mixed_geom;
	TRUNCATE pool, few, mixed;
	INSERT INTO pool SELECT i, geom, st_dimension(geom) FROM (
		SELECT i, another_form(a_geometry(n, i % 20), dice(20)) AS geom FROM generate_series(0, 199) AS i OFFSET 0) AS s;
	FOR i IN 0..199 LOOP
		IF i % 20 BETWEEN 3 AND 5 THEN
			UPDATE pool SET geom = a_line_through(n, (SELECT st_force2d(geom) FROM pool WHERE id = i / 20 * 20 + 10 + i % 7)) WHERE id = i;
		END IF;
	END LOOP;
	INSERT INTO pool SELECT 200, geom, st_dimension(geom) FROM (SELECT ('{POINT EMPTY:LINESTRING EMPTY:POLYGON EMPTY:MULTIPOINT EMPTY:MULTILINESTRING EMPTY:MULTIPOLYGON EMPTY}'::geometry[])[1 + round % 6]) AS e(geom);
	IF dice(3) = 0 THEN
		-- edges in up to six parts, of which each ends at integers
		UPDATE pool SET geom = st_scale(geom, 60, 60);
		UPDATE pool SET geom = st_segmentize(geom, 15 * n) WHERE id % 3 = 0;
	END IF;
	INSERT INTO few SELECT * FROM pool WHERE id < 40 OR id = 200;
	-- collections, also within each other; those of several polygons are errors to PostGIS
	INSERT INTO mixed SELECT i, st_collect(ARRAY[st_force2d(p.geom), st_force2d(q.geom), CASE WHEN i < 6 THEN st_collect(st_force2d(q.geom), st_force2d(r.geom)) ELSE st_force2d(r.geom) END])
	FROM generate_series(0, 11) AS i JOIN pool AS p ON p.id = 40 + i * 7 JOIN pool AS q ON q.id = 40 + 20 * (i % 7) + i % 10 JOIN pool AS r ON r.id = 60 + 20 * (i % 5) + i * 3 % 10;
	INSERT INTO mixed VALUES (20, 'GEOMETRYCOLLECTION EMPTY');
	EXECUTE format('CREATE INDEX few_geom ON few USING %1$s (geom); CREATE INDEX mixed_geom ON mixed USING %1$s (geom)', method);
END $$;

DO $$
DECLARE
	every text[] := (SELECT array_agg(condition) FROM condition);
	of_collections text[] := (SELECT array_agg(condition) FROM condition WHERE condition ~ 'intersects|dwithin');
	pairs bigint := 0;
	round int := 0;
	source text;
BEGIN
	WHILE pairs < (SELECT s.pairs FROM setup AS s) LOOP
		source := format('seed %s, round %s', (SELECT seed FROM setup), round);
		PERFORM make_geometries(round),
			compare_all(source, 'SELECT l.geom AS l, r.geom AS r, l.d AS dl, r.d AS dr FROM pool AS l JOIN pool AS r ON l.id <= r.id'),
			compare_ways(source, 'few AS a, few AS b WHERE true', every, 'call', 'filter', 'node', 'index', 'indexes'),
			-- one value twice
			compare_ways(source, 'pool AS a, LATERAL (SELECT a.id, a.geom) AS b WHERE true', every, 'call', 'filter'),
			compare_ways(source, 'few AS a, mixed AS b WHERE true', of_collections, 'call', 'filter', 'node', 'index', 'indexes'),
			compare_ways(source, 'mixed AS a, few AS b WHERE true', of_collections, 'call', 'filter', 'node', 'index', 'indexes'),
			compare_ways(source, 'mixed AS a, mixed AS b WHERE true', of_collections, 'call', 'filter', 'node', 'index', 'indexes');
		pairs := pairs + (SELECT count(*) * (count(*) + 1) / 2 FROM pool);
		round := round + 1;
	END LOOP;
	RAISE LOG 'spqtree: % random pairs of geometries in % rounds', pairs, round;
END $$;
-- Yes and no came as certain answers for each condition but those of distances 0 and 60, and these differ:
SELECT condition FROM certain('SELECT a.geom AS a, b.geom AS b FROM pool AS a, pool AS b') AS c WHERE NOT (yes AND "no") AND condition !~ ', (0|60)\)';
SELECT source, string_agg(DISTINCT way, ' ') AS ways, format(condition, 'a', 'b') AS condition, ours, theirs, st_astext(a) AS a, st_astext(b) AS b
FROM difference GROUP BY source, condition, ours, theirs, a, b ORDER BY st_npoints(a) + st_npoints(b), condition, source LIMIT 20;
-- PostGIS contradicts itself where collections with points meet lines.  With GEOS 3.13 it does for a few others, as a line along the edge of
-- a shell that a hole touches: one such polygon contradicts itself with many others, and for several conditions, so pairs are counted.
SELECT count(DISTINCT (least(a::text, b::text), greatest(a::text, b::text))) <= (SELECT pairs / 1000 FROM setup) AS few FROM contradiction WHERE condition !~ 'intersects' OR 'GEOMETRYCOLLECTION' NOT IN (geometrytype(a), geometrytype(b));
CALL remove_pairs();
