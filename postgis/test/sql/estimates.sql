-- How many rows the planner expects of joins on PostGIS' predicates. Each line says whether
-- that is within 3 times of the truth.
SET client_min_messages = warning;
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- The row count that EXPLAIN has for what is counted.
CREATE FUNCTION expected_rows(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan #> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION near(what text, few float8 DEFAULT 1) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	truth float8;
	expected float8;
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || what || ') q' INTO truth;
	expected := expected_rows(what);
	IF greatest(expected, few) BETWEEN greatest(truth, few) / 3 AND greatest(truth, few) * 3 THEN
		RETURN 'yes';
	END IF;
	RETURN format('no: %s, and are %s', expected, truth);
END $$;

-- around Mercator's (1000000, 6000000): points, streets, thin triangles, plots that touch, and some of all
SELECT setseed(0.5);
CREATE TABLE pt AS SELECT i AS id, st_setsrid(st_makepoint(1000000 + 20000 * random(), 6000000 + 20000 * random()), 3857) AS geom
FROM generate_series(1, 20000) i;
CREATE TABLE street AS SELECT i AS id, st_setsrid(st_makeline(ARRAY[st_makepoint(x, y), st_makepoint(x + l * cosd(t), y + l * sind(t)),
	st_makepoint(x + l * cosd(t) + l * sind(t) / 9, y + l * sind(t) + l)]), 3857) AS geom
FROM generate_series(1, 10000) i, LATERAL (SELECT 1000000 + 20000 * random() AS x, 6000000 + 20000 * random() AS y, 360 * random() AS t, 400 * random() + 0 * i AS l) p;
CREATE TABLE triangle AS SELECT i AS id, st_setsrid(st_makepolygon(st_makeline(ARRAY[st_makepoint(x, y), st_makepoint(x + l, y + l),
	st_makepoint(x + l, y + 0.9 * l), st_makepoint(x, y)])), 3857) AS geom
FROM generate_series(1, 10000) i, LATERAL (SELECT 1000000 + 20000 * random() AS x, 6000000 + 20000 * random() AS y, 500 * random() + 0 * i AS l) p;
CREATE TABLE plot AS SELECT x * 100 + y AS id, st_makeenvelope(1000000 + 200 * x, 6000000 + 200 * y, 1000200 + 200 * x, 6000200 + 200 * y, 3857) AS geom
FROM generate_series(0, 99) x, generate_series(0, 99) y;
CREATE TABLE few_pt AS SELECT *, 10 * random() AS r FROM pt WHERE id % 20 = 0;
CREATE TABLE lonlat AS SELECT id, st_transform(geom, 4326) AS geom, st_transform(geom, 4326)::geography AS geog,
	st_x(st_transform(geom, 4326)) AS lon, st_y(st_transform(geom, 4326)) AS lat FROM pt;
CREATE TABLE few_lonlat AS SELECT * FROM lonlat WHERE id % 20 = 0;
VACUUM ANALYZE pt;
VACUUM ANALYZE street;
VACUUM ANALYZE triangle;
VACUUM ANALYZE plot;
VACUUM ANALYZE few_pt;
VACUUM ANALYZE lonlat;
VACUUM ANALYZE few_lonlat;

-- predicates: which part of the pairs whose boxes meet satisfies them
SELECT what, near('SELECT FROM ' || what) FROM unnest(ARRAY[
	'pt a JOIN triangle b ON st_intersects(a.geom, b.geom)', 'triangle a JOIN pt b ON st_contains(a.geom, b.geom)',
	'pt a JOIN triangle b ON st_within(a.geom, b.geom)', 'street a JOIN street b ON st_crosses(a.geom, b.geom) AND a.id < b.id',
	'street a JOIN triangle b ON st_intersects(a.geom, b.geom)', 'triangle a JOIN triangle b ON st_overlaps(a.geom, b.geom) AND a.id < b.id',
	'plot a JOIN plot b ON st_touches(a.geom, b.geom) AND a.id < b.id', 'plot a JOIN pt b ON st_covers(a.geom, b.geom)',
	'pt a JOIN street b ON st_dwithin(a.geom, b.geom, 5)', 'street a JOIN pt b ON st_dwithin(a.geom, b.geom, 5)',
	'few_pt a JOIN pt b ON st_dwithin(a.geom, b.geom, 300)', 'few_pt a JOIN triangle b ON st_dwithin(a.geom, b.geom, a.r)',
	'plot a WHERE EXISTS (SELECT FROM triangle b WHERE st_contains(a.geom, b.geom))']) AS what;
-- or hardly any
SELECT what, near('SELECT FROM ' || what, 1000) FROM unnest(ARRAY[
	'plot a JOIN plot b ON st_overlaps(a.geom, b.geom) AND a.id < b.id', 'plot a JOIN plot b ON st_equals(a.geom, b.geom) AND a.id < b.id',
	'plot a JOIN plot b ON st_equals(a.geom, b.geom)']) AS what;

-- expressions: of their boxes only
SELECT what, near('SELECT FROM ' || what) FROM unnest(ARRAY[
	'few_pt a JOIN street b ON st_intersects(st_buffer(a.geom, 50), b.geom)', 'few_pt a JOIN street b ON st_intersects(st_buffer(a.geom, 50, 2), b.geom)',
	'street a JOIN few_pt b ON st_expand(a.geom, 100) && b.geom', 'plot a JOIN lonlat b ON st_intersects(st_transform(a.geom, 4326), b.geom)',
	'lonlat a JOIN plot b ON st_intersects(st_transform(a.geom, 3857), b.geom)',
	'plot a JOIN lonlat b ON st_contains(a.geom, st_transform(st_setsrid(st_makepoint(b.lon, b.lat), 4326), 3857))',
	'triangle a JOIN plot b ON st_intersects(st_envelope(a.geom), b.geom)', 'plot a JOIN triangle b ON st_contains(a.geom, st_centroid(b.geom))',
	'few_lonlat a JOIN lonlat b ON st_dwithin(a.geog, b.geog, 300)',
	'few_lonlat a JOIN lonlat b ON st_dwithin(a.geom::geography, b.geom::geography, 300)',
	'st_squaregrid(1000, st_makeenvelope(1000000, 6000000, 1020000, 6020000, 3857)) a JOIN pt b ON st_intersects(a.geom, b.geom)',
	'(VALUES (st_makeenvelope(1000000, 6000000, 1010000, 6003000, 3857)), (st_makeenvelope(1010000, 6010000, 1015000, 6012000, 3857))) v (geom) JOIN pt b ON v.geom && b.geom',
	'(SELECT geom FROM plot OFFSET 0) a JOIN pt b ON st_intersects(a.geom, b.geom)']) AS what;
-- what cannot be told from the box: no less than a match for each
SELECT expected_rows('SELECT FROM few_pt a JOIN pt b ON st_intersects(st_transform(a.geom, 32632), st_transform(b.geom, 32632))') >= 20000 AS transformed,
	expected_rows('SELECT FROM few_pt a JOIN pt b ON st_dwithin(st_transform(a.geom, 32632), st_transform(b.geom, 32632), 10)') >= 20000 AS within;

-- windows on both sides
SELECT name, kind, near('SELECT FROM ' || CASE kind WHEN 'crossing' THEN 'street a JOIN street b ON st_crosses(a.geom, b.geom) AND a.id < b.id'
	ELSE 'street a JOIN triangle b ON a.geom && b.geom' END || ' WHERE st_intersects(a.geom, ' || w || ') AND b.geom && ' || w)
FROM (VALUES ('constant', 'st_makeenvelope(1005000, 6005000, 1011000, 6011000, 3857)'),
	('subquery', '(SELECT st_makeenvelope(1005000, 6005000, 1011000, 6011000, 3857) OFFSET 0)'),
	('expression', 'st_expand((SELECT st_setsrid(st_makepoint(1008000, 6008000), 3857) OFFSET 0), 3000)')) v (name, w),
	unnest(ARRAY['crossing', 'boxes']) AS kind;

-- arrays, and two columns of one row; also where a predicate would raise an error
CREATE TABLE moved AS SELECT id, geom AS a, st_translate(geom, 300 * random() - 150, 300 * random() - 150) AS b, st_pointonsurface(geom) AS p FROM triangle;
VACUUM ANALYZE moved;
SELECT what, near('SELECT FROM ' || what, 20) FROM unnest(ARRAY[
	'moved WHERE a && ANY (ARRAY[st_makeenvelope(1000000, 6000000, 1004000, 6004000, 3857), st_makeenvelope(1010000, 6008000, 1020000, 6020000, 3857)])',
	'moved WHERE a @ ANY (ARRAY[st_makeenvelope(1000000, 6000000, 1004000, 6004000, 3857), NULL])', 'moved WHERE a && ALL (ARRAY[st_makeenvelope(1000000, 6000000, 1014000, 6014000, 3857), st_makeenvelope(1010000, 6008000, 1020000, 6020000, 3857)])',
	'moved WHERE a && b', 'moved WHERE NOT a && b', 'moved WHERE a ~ p', 'moved WHERE p @ b', 'moved WHERE a ~= b', 'moved WHERE st_intersects(a, b)', 'moved WHERE st_intersects(b, a)', 'moved WHERE st_contains(b, p)', 'moved WHERE st_dwithin(b, p, 50)',
	'moved WHERE st_intersects(st_buffer(p, 50), b)', 'moved WHERE a <-> b < 10']) what;

-- Nothing raises an error, whatever is in the tables: the predicates that are tried answer NULL instead.
CREATE TABLE odd AS SELECT id, CASE id % 5 WHEN 0 THEN st_setsrid(geom, 4326) WHEN 1 THEN 'CIRCULARSTRING(0 0,1 1,2 0)'::geometry WHEN 2 THEN 'POINT EMPTY'
	WHEN 3 THEN 'POLYGON((0 0,1 1,1 0,0 1,0 0))' ELSE 'POINT(1e300 -1e300)' END AS geom FROM plot;
ANALYZE odd;
SELECT what, expected_rows('SELECT FROM odd a JOIN odd b ON ' || what) > 0 AS planned FROM unnest(ARRAY[
	'st_intersects(a.geom, b.geom)', 'st_contains(a.geom, b.geom)', 'st_touches(a.geom, b.geom)', 'st_crosses(a.geom, b.geom)', 'st_overlaps(a.geom, b.geom)',
	'st_within(a.geom, b.geom)', 'st_dwithin(a.geom, b.geom, 1)', 'st_dwithin(a.geom, b.geom, ''NaN'')', 'st_intersects(st_buffer(a.geom, ''NaN''), b.geom)',
	'st_intersects(st_transform(a.geom, 3857), b.geom)', 'st_intersects(a.geom::geography, b.geom::geography)', 'st_dwithin(a.geom::geography, b.geom::geography, -1)',
	'st_intersects(st_expand(a.geom, -5), st_centroid(b.geom))']) AS what;
ALTER TABLE odd ADD other geometry DEFAULT 'SRID=4326;CIRCULARSTRING(0 0,1 1,2 0)';
VACUUM ANALYZE odd;
SELECT what, expected_rows('SELECT FROM odd WHERE ' || what) > 0 AS planned FROM unnest(ARRAY['st_intersects(geom, other)', 'st_dwithin(other, geom, 1)', 'geom && other', 'st_contains(geom, st_transform(other, 3857))',
	'geom && ANY (ARRAY[''POINT EMPTY''::geometry, ''SRID=4326;POINT(1 1)'', NULL])']) AS what;
SELECT _spqtree_try_st_intersects('SRID=4326;POINT(0 0)', 'SRID=3857;POINT(0 0)') AS srids, _spqtree_try_st_contains('CIRCULARSTRING(0 0,1 1,2 0)', 'POINT(1 1)') AS curve,
	_spqtree_try_st_touches('POLYGON((0 0,1 0,1 1,0 1,0 0))', 'POLYGON((1 0,2 0,2 1,1 1,1 0))') AS touches,
	_spqtree_try_st_overlaps('POLYGON((0 0,1 0,1 1,0 1,0 0))', 'POLYGON((1 0,2 0,2 1,1 1,1 0))') AS overlaps,
	_spqtree_try_st_dwithin('POINT(0 0)', 'POINT(3 4)', 5.1) AS within, _spqtree_try_st_dwithin('POINT(0 0)', 'POINT(3 4)', 5) AS unsure;
-- boxes without calling functions hold those of what the functions return, or nearly
SELECT what, bool_and(abs((ours[0])[0] - (theirs[0])[0]) + abs((ours[1])[1] - (theirs[1])[1]) <= 1e-5 * (abs((theirs[0])[0]) + abs((theirs[1])[1]))) AS same FROM (
	SELECT 'buffer' AS what, _spqtree_bounds_st_buffer(geom, 50, '') AS ours, spqtree_bounds(st_buffer(geom, 50)) AS theirs FROM few_pt
	UNION ALL SELECT 'buffer, inward', _spqtree_bounds_st_buffer(geom, -50, 8), spqtree_bounds(st_buffer(geom, -50)) FROM plot WHERE id % 50 = 0
	UNION ALL SELECT 'expand', _spqtree_bounds_st_expand(geom, 5, 7, 0, 0), spqtree_bounds(st_expand(geom, 5, 7)) FROM street WHERE id % 50 = 0
	UNION ALL SELECT 'centroid', _spqtree_bounds_st_centroid(geom), spqtree_bounds(st_centroid(geom)) FROM plot WHERE id % 50 = 0
	UNION ALL SELECT 'to degrees', _spqtree_bounds_st_transform(geom, 4326), spqtree_bounds(st_transform(geom, 4326)) FROM street WHERE id % 50 = 0
	UNION ALL SELECT 'to Mercator', _spqtree_bounds_st_transform(geom, 3857), spqtree_bounds(st_transform(geom, 3857)) FROM few_lonlat) q
GROUP BY what ORDER BY what;
SELECT bool_and(spqtree_bounds(geog) <@ spqtree_expand(_spqtree_bounds_geography(geom), 1e-6)) AS geography,
	bool_and(spqtree_bounds(geog, 300) <@ spqtree_expand(_spqtree_bounds_geography(geom, 300), 1e-6)) AS within FROM few_lonlat;
SELECT _spqtree_bounds_st_transform('SRID=32632;POINT(500000 5000000)', 4326) AS unknown, _spqtree_bounds_st_buffer('POINT(0 0)', -1, '') AS nothing,
	_spqtree_bounds_geography('POINT(0 100)') AS "no latitude", _spqtree_bounds_geography('LINESTRING(-200 -89,200 89)') AS all;

-- who may not call what is tried gets the estimate without it, and no error
CREATE ROLE spqtree_estimates_user;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO spqtree_estimates_user;
CREATE TEMP TABLE allowed AS SELECT expected_rows('SELECT FROM street a JOIN street b ON st_crosses(a.geom, b.geom)') AS rows;
REVOKE EXECUTE ON FUNCTION _spqtree_try_st_crosses FROM public;
GRANT SELECT ON allowed TO spqtree_estimates_user;
SET ROLE spqtree_estimates_user;
SELECT expected_rows('SELECT FROM street a JOIN street b ON st_crosses(a.geom, b.geom)') <> rows AS differs FROM allowed;
RESET ROLE;
GRANT EXECUTE ON FUNCTION _spqtree_try_st_crosses TO public;
-- nor do rows that a user may not see tell anything
ALTER TABLE street ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON street TO spqtree_estimates_user USING (id % 2 = 0);
SET ROLE spqtree_estimates_user;
SELECT expected_rows('SELECT FROM street a JOIN street b ON st_crosses(a.geom, b.geom)') <> rows AS differs FROM allowed;
RESET ROLE;
DROP OWNED BY spqtree_estimates_user;
DROP ROLE spqtree_estimates_user;
DROP TABLE moved, pt, street, triangle, plot, few_pt, lonlat, few_lonlat, odd, allowed;
DROP FUNCTION expected_rows, near;
