--
-- How many rows the planner expects in three dimensions, of scans and of joins. The
-- true number is counted: of a scan, the estimate must be within 2 times of it for
-- results of 1 % of the table and more, and within 10 times or 30 rows below that; of
-- a join within 3 times. A sample is chance, so two of the conditions of a kind may be
-- outside.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA estimate_solid;
SET search_path = estimate_solid, public;

CREATE FUNCTION check_scan(source text, condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  expected float8 := tst.expected_rows(format('SELECT FROM %s WHERE %s', source, condition));
  truth float8;
  total float8;
BEGIN
  EXECUTE format('SELECT count(*) FILTER (WHERE %s), count(*) FROM %s', condition, source) INTO truth, total;
  RETURN CASE WHEN truth >= total / 100 AND expected BETWEEN truth / 2 AND truth * 2 THEN 'ok'
    WHEN truth < total / 100 AND (expected BETWEEN truth / 10 AND truth * 10 OR abs(expected - truth) <= 30) THEN 'ok'
    ELSE format('no: %s expected, %s found', expected, truth) END;
END $$;
CREATE FUNCTION check_join(what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  truth float8;
  expected float8 := tst.expected_rows('SELECT FROM ' || what);
BEGIN
  EXECUTE 'SELECT count(*) FROM ' || what INTO truth;
  RETURN CASE WHEN greatest(expected, 1) BETWEEN greatest(truth, 1) / 3 AND greatest(truth, 1) * 3 THEN 'ok'
    ELSE format('no: %s expected, %s found', expected, truth) END;
END $$;
-- a pyramid from a point to the depth s, along the diagonal of x and y
CREATE FUNCTION camera(p point3, s float8) RETURNS frustum3 LANGUAGE sql IMMUTABLE AS $$
SELECT frustum3(ARRAY[1, 1, 0, -(x + y), -1, -1, 0, 1.4 * s + x + y, 1.5, -0.5, 0, -(1.5 * x - 0.5 * y), -0.5, 1.5, 0, -(1.5 * y - 0.5 * x),
  1, 1, 2, -(x + y + 2 * z), 1, 1, -2, -(x + y - 2 * z)]) FROM (SELECT x(p), y(p), z(p)) v(x, y, z) $$;

-- a table read whole, a uniform one, one in clusters with four decades of size, and
-- solid_trips in x, y and t
SELECT setseed(0.25);
CREATE TABLE solid_few AS SELECT i AS id, CASE WHEN i % 10 > 0 THEN box3(p, point3(x(p) + 100 * random(), y(p) + 100 * random(), z(p) + 100 * random())) END AS b, p
FROM (SELECT i, point3(1000 * random(), 1000 * random(), 1000 * random()) AS p FROM generate_series(1, 1000) i) q;
CREATE TABLE solid_even AS SELECT id, box3(p, point3(x(p) + s * random(), y(p) + s * random(), z(p) + s * random())) AS b, p, sphere3(p, s) AS s,
  lseg3(p, point3(x(p) + s * (random() - 0.5), y(p) + s * (random() - 0.5), z(p) + s * (random() - 0.5))) AS l
FROM (SELECT i AS id, 30 * random() AS s, point3(1000 * random(), 1000 * random(), 1000 * random()) AS p FROM generate_series(1, 25000) i) q;
CREATE TABLE solid_places AS SELECT id, box3(p, point3(x(p) + s * random(), y(p) + s * random(), z(p) + s * random())) AS b, p
FROM (SELECT i AS id, 10 ^ (random() * 4 - 3) AS s, point3(i % 40 * 37 % 40 * 25 + w * (random() + random() + random() - 1.5),
    i % 40 * 23 % 40 * 25 + w * (random() + random() + random() - 1.5), i % 40 * 11 % 40 * 25 + w * (random() + random() + random() - 1.5)) AS p
  FROM (SELECT i, 1 + i % 10 * 4 AS w FROM generate_series(1, 25000) i) r) q;
CREATE TABLE solid_trips AS SELECT row_number() OVER () AS id, box3(point3(x, y, t), point3(x + dx, y + dy, t + 60)) AS b, point3(x, y, t) AS p
FROM (SELECT x + 100 * leg * cosd(course) AS x, y + 100 * leg * sind(course) AS y, start + 60 * leg AS t, 100 * cosd(course) AS dx, 100 * sind(course) AS dy
  FROM (SELECT 10000 * random() AS x, 10000 * random() AS y, 1600000000 + 86400 * random() AS start, 360 * random() AS course FROM generate_series(1, 500)) o,
    generate_series(0, 49) leg) l;
CREATE INDEX ON solid_trips USING btree (id);
VACUUM ANALYZE solid_few;
VACUUM ANALYZE solid_even;
VACUUM ANALYZE solid_places;
VACUUM ANALYZE solid_trips;

-- every kind of condition, around rows; the time scale of trips is nine times that of space
SELECT source, kind, count(*) AS conditions, string_agg(result, '; ') FILTER (WHERE result <> 'ok' AND bad > 2) AS far
FROM (SELECT *, count(*) FILTER (WHERE result <> 'ok') OVER (PARTITION BY source, kind) AS bad
  FROM (SELECT 'solid_few' AS source, 1 AS f, p, x(p), y(p), z(p) FROM solid_few WHERE id % 500 = 1 UNION ALL
    SELECT 'solid_even', 1, p, x(p), y(p), z(p) FROM solid_even WHERE id % 8000 = 3 UNION ALL
    SELECT 'solid_places', 1, p, x(p), y(p), z(p) FROM solid_places WHERE id % 7999 = 1 UNION ALL
    SELECT 'solid_trips', 9, p, x(p), y(p), z(p) FROM solid_trips WHERE id % 8001 = 7) w(source, f, p, x, y, z),
  unnest(ARRAY[10, 100, 400]) size, LATERAL (SELECT CASE source WHEN 'solid_trips' THEN size * 10 ELSE size END) v(s),
  LATERAL (VALUES ('&&', format('b && %L::box3', box3(x - s, y - s, z - s * f, x + s, y + s, z + s * f))),
    ('<@', format('b <@ %L::box3', box3(x - s, y - s, z - s * f, x + s, y + s, z + s * f))),
    ('@>', format('b @> %L::box3', box3(x + s / 100, y + s / 100, z + s / 100 * f, x + s / 50, y + s / 50, z + s / 50 * f))),
    ('flat', format('b && %L::box3', box3(x - s, y - s, z - s / 50 * f, x + s, y + s, z + s / 50 * f))),
    ('sphere', format('b && %L::sphere3', sphere3(p, s))), ('<@ sphere', format('b <@ %L::sphere3', sphere3(p, s))),
    ('points in a sphere', format('p <@ %L::sphere3', sphere3(p, s))), ('within', format('spqtree_dwithin(b, %L::point3, %s)', p, s)),
    ('ray', format('b && %L::ray3', ray3(p, point3(1, 0.7, 0.9 * f)))), ('ray along x', format('b && %L::ray3', ray3(point3(x - s, y, z), point3(1, 0, 0), 3 * s))),
    ('segment', format('b && %L::lseg3', lseg3(point3(x - s, y - s, z - s * f), point3(x + s, y + s, z + s * f)))),
    ('frustum', format('b && %L::frustum3', camera(p, 2 * s))), ('<@ frustum', format('b <@ %L::frustum3', camera(p, 2 * s)))) c(kind, condition),
  LATERAL check_scan(source, condition) r(result)) q
GROUP BY source, kind ORDER BY source, kind;

-- every operator, both ways round
SELECT condition, check_scan('solid_even', condition) FROM unnest(ARRAY[
  'b && box3 ''(400,400,400),(600,600,600)''', 'box3 ''(400,400,400),(600,600,600)'' && b', 'box3 ''(400,400,400),(600,600,600)'' @> b', 'b @> point3 ''(500,500,500)''', 'point3 ''(500,500,500)'' <@ b',
  'b << box3 ''(100,100,100),(120,300,400)''', 'b &< box3 ''(100,100,100),(120,300,400)''', 'b >> box3 ''(100,100,100),(120,300,400)''', 'b &> box3 ''(100,100,100),(120,300,400)''',
  'b <<| box3 ''(100,100,100),(120,300,400)''', 'b &<| box3 ''(100,100,100),(120,300,400)''', 'b |>> box3 ''(100,100,100),(120,300,400)''', 'b |&> box3 ''(100,100,100),(120,300,400)''',
  'b <</ box3 ''(100,100,100),(120,300,400)''', 'b &</ box3 ''(100,100,100),(120,300,400)''', 'b />> box3 ''(100,100,100),(120,300,400)''', 'b /&> box3 ''(100,100,100),(120,300,400)''',
  'box3 ''(100,100,100),(120,300,400)'' <</ b', 'box3 ''(100,100,100),(120,300,400)'' /&> b', 'b ~= box3 ''(3,3,3),(2,2,2)''', 'p <@ box3 ''(400,400,400),(600,600,600)''',
  'p />> point3 ''(10,10,10)''', 'p <</ point3 ''(10,10,10)''', 'p ~= point3 ''(10,10,10)''', 'sphere3 ''<(500,500,500),300>'' && b', 'sphere3 ''<(500,500,500),300>'' @> b', 'sphere3 ''<(500,500,500),300>'' @> p',
  's && sphere3 ''<(500,500,500),300>''', 's <@ sphere3 ''<(500,500,500),300>''', 's @> point3 ''(500,500,500)''', 's && box3 ''(400,400,400),(600,600,600)''', 'l && box3 ''(400,400,400),(600,600,600)''',
  'l && box3 ''(400,400,400),(401,401,401)''', 'spqtree_dwithin(box3 ''(400,400,400),(600,600,600)'', b, 100)', 'spqtree_dwithin(p, point3 ''(500,500,500)'', 200)',
  'camera(point3(0,0,500), 900) && b', 'p <@ camera(point3(0,0,500), 900)', 'box3(p, p) && box3 ''(400,400,400),(600,600,600)''', 'box3(box(b), 0, 1) && box3 ''(400,400,0),(600,600,0)''']) AS condition;

-- several conditions, OR and NOT; nothing; a ray along a face; numbers that overflow
SELECT condition, check_scan('solid_even', condition) FROM unnest(ARRAY[
  'b && box3 ''(300,300,300),(800,800,800)'' AND b && sphere3 ''<(500,500,500),300>''', 'b && sphere3 ''<(300,500,500),300>'' AND b && sphere3 ''<(700,500,500),300>''',
  'b && sphere3 ''<(300,500,500),400>'' AND b && sphere3 ''<(700,500,500),400>'' AND b && sphere3 ''<(500,500,500),500>''',
  'b && sphere3 ''<(300,300,300),200>'' OR b && sphere3 ''<(700,700,700),200>''', 'NOT b && sphere3 ''<(500,500,500),500>''', 'NOT b <@ camera(point3(0,0,500), 900)',
  'b && NULL::sphere3', 'b && sphere3 ''<(NaN,0,0),1>''', 'b && box3 ''(NaN,0,0),(1,1,1)''', 'b && box3 ''(-Infinity,-Infinity,500),(Infinity,Infinity,Infinity)''', 'b && sphere3 ''<(0,0,0),Infinity>''',
  'b && sphere3 ''<(5000,0,0),10>''', 'b && ray3(point3(0,0,-1), point3(1,1,0))', 'b && ray3(point3(0,0,0), point3(0,0,1))', 'b && ray3(point3(1e300,1e300,1e300), point3(-1,-1,-1))', 'b && ray3(point3(500,500,500), point3(1e-300,1e-300,1e300))',
  'b && lseg3(point3(-1e300,-1e300,-1e300), point3(1e300,1e300,1e300))', 'b && frustum3(array_fill(0, ARRAY[24]))', 'b && frustum3(array_fill(-1, ARRAY[24]))', 'b && frustum3(array_fill(1, ARRAY[24]))']) condition;

-- values that leave no room: all alike, in a plane, in a line, infinite, NaN, huge
CREATE FUNCTION sane(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  rows float8 := tst.expected_rows(query);
BEGIN
  RETURN CASE WHEN rows BETWEEN 0 AND 1e12 THEN 'ok' ELSE 'no: ' || rows END;
END $$;
CREATE TABLE solid_strange AS SELECT kind, i AS id, CASE kind WHEN 'alike' THEN box3(1, 1, 1, 2, 2, 2) WHEN 'plane' THEN box3(r, s, 1, r, s, 1) WHEN 'line' THEN box3(r, r, r, r, r, r)
  WHEN 'boundless' THEN CASE i % 3 WHEN 0 THEN box3('-inf', '-inf', '-inf', 'inf', 'inf', 'inf') WHEN 1 THEN box3(r, s, '-inf', r, s, 'inf') ELSE box3('inf', r, s, 'inf', r, s) END
  WHEN 'huge' THEN box3(r * 1e306, s * 1e306, -1e306 * r, 1e308, 1e308, 1e308) WHEN 'tiny' THEN box3(r * 1e-300, s * 1e-300, 0, r * 1e-300, s * 1e-300, 1e-300)
  WHEN 'void' THEN box3('NaN', r, s, 1, 1, 1) END AS b
FROM unnest(ARRAY['alike', 'plane', 'line', 'boundless', 'huge', 'tiny', 'void', 'null']) kind, LATERAL (SELECT i, 100 * random() AS r, 100 * random() AS s FROM generate_series(1, 9000) i OFFSET 0) v;
DO $$ BEGIN EXECUTE (SELECT string_agg(format('CREATE TABLE solid_strange_%s AS SELECT id, b FROM solid_strange WHERE kind = %L; ANALYZE solid_strange_%1$s', kind, kind), ';') FROM (SELECT DISTINCT kind FROM solid_strange) k); END $$;
SELECT kind, condition, result FROM (SELECT DISTINCT kind FROM solid_strange) k, unnest(ARRAY['b && box3 ''(0,0,0),(1,1,1)''', 'b && sphere3 ''<(1,1,1),1>''', 'b <@ sphere3 ''<(1,1,1),Infinity>''', 'b && ray3(point3(0,0,0), point3(1,1,1))',
    'b && lseg3(point3(0,0,0), point3(1e308,1e308,1e308))', 'b && camera(point3(0,0,0), 100)', 'b <@ camera(point3(0,0,0), 100)', 'spqtree_dwithin(b, point3(0,0,0), 1e308)', 'b << box3 ''(0,0,0),(1,1,1)''']) condition,
  LATERAL sane(format('SELECT FROM solid_strange_%s WHERE %s', kind, condition)) r(result) WHERE result <> 'ok';
SELECT a.kind, b.kind, result FROM (SELECT DISTINCT kind FROM solid_strange) a, (SELECT DISTINCT kind FROM solid_strange) b,
  LATERAL sane(format('SELECT FROM solid_strange_%s a, solid_strange_%s b WHERE a.b && b.b', a.kind, b.kind)) r(result) WHERE result <> 'ok';

-- joins: pairs, and rows with and without a match
CREATE TABLE solid_odd AS SELECT id, box3(p, point3(x(p) + s * random(), y(p) + s * random(), z(p) + s * random())) AS b, p
FROM (SELECT i AS id, 40 * random() AS s, point3(1000 * random(), 1000 * random(), 1000 * random()) AS p FROM generate_series(1, 25000) i) q;
VACUUM ANALYZE solid_odd;
SELECT what, check_join(what) FROM unnest(ARRAY[
  'solid_even a JOIN solid_odd b ON a.b && b.b', 'solid_even a JOIN solid_even b ON a.b && b.b', 'solid_few a JOIN solid_even b ON a.b && b.b', 'solid_few a JOIN solid_few b ON a.b && b.b', 'solid_places a JOIN solid_places b ON a.b && b.b', 'solid_places a JOIN solid_even b ON a.b && b.b',
  'solid_odd a JOIN solid_even b ON a.b @> b.b', 'solid_even a JOIN solid_odd b ON a.b <@ b.b', 'solid_even a JOIN solid_odd b ON a.p <@ b.b', 'solid_places a JOIN solid_places b ON a.b @> b.p', 'solid_even a JOIN solid_even b ON a.b ~= b.b',
  'solid_odd a JOIN solid_even b ON a.p <@ b.s', 'solid_odd a JOIN solid_even b ON a.b && b.s', 'solid_odd a JOIN solid_even b ON a.b <@ b.s', 'solid_even a JOIN solid_even b ON a.s && b.s',
  'solid_odd a JOIN solid_even b ON a.b && b.l', 'solid_even a JOIN solid_odd b ON a.l && b.b', 'solid_odd a JOIN solid_even b ON spqtree_dwithin(a.b, b.b, 5)', 'solid_odd a JOIN solid_even b ON spqtree_dwithin(a.p, b.p, 15)',
  'solid_trips a JOIN solid_trips b ON a.b && b.b', 'solid_even a JOIN solid_odd b ON a.b && b.b AND b.id < 1500', 'solid_odd a LEFT JOIN solid_even b ON a.b && b.b', 'solid_even a JOIN solid_odd b ON box3(a.p, a.p) <@ b.b',
  'solid_odd a WHERE EXISTS (SELECT FROM solid_even b WHERE a.b && b.b)', 'solid_odd a WHERE NOT EXISTS (SELECT FROM solid_even b WHERE a.b && b.b)', 'solid_places a WHERE EXISTS (SELECT FROM solid_even b WHERE a.b && b.b)']) what;

-- shapes whose bounds tell little: rays without an end, from one place, straight down, over a flat city; cameras;
-- the surroundings of long segments
CREATE TABLE solid_city AS SELECT i AS id, box3(i % 150 * 30, i / 150 * 30, 0, i % 150 * 30 + 20, i / 150 * 30 + 20, 10 + 40 * random()) AS b FROM generate_series(1, 22500) i;
CREATE TABLE solid_rays AS SELECT i AS id, ray3(point3(500, 500, 20), point3(random() - 0.5, random() - 0.5, random() - 0.2)) AS one, ray3(point3(1000 * random(), 1000 * random(), 1000), point3(0, 0, -1)) AS down,
  ray3(point3(4500 * random(), 4500 * random(), 100), point3(random() - 0.5, random() - 0.5, -0.2)) AS above, lseg3(point3(1000 * random(), 1000 * random(), 0), point3(1000 * random(), 1000 * random(), 1000)) AS l
FROM generate_series(1, 300) i;
CREATE TABLE solid_cameras AS SELECT i AS id, camera(point3(1000 * random(), 1000 * random(), 1000 * random()), 200) AS f, camera(point3(1000 * random(), 1000 * random(), 1000 * random()), 60) AS near FROM generate_series(1, 40) i;
VACUUM ANALYZE solid_city, solid_rays, solid_cameras;
SELECT what, check_join(what) FROM unnest(ARRAY[
  'solid_even JOIN solid_rays ON b && one', 'solid_even JOIN solid_rays ON down && b', 'solid_city JOIN solid_rays ON b && one', 'solid_city JOIN solid_rays ON b && above', 'solid_rays WHERE EXISTS (SELECT FROM solid_even WHERE b && one)',
  'solid_even WHERE NOT EXISTS (SELECT FROM solid_rays WHERE b && one)', 'solid_even LEFT JOIN solid_rays ON b && one', 'solid_even JOIN solid_cameras ON b && f', 'solid_cameras JOIN solid_even ON f && b', 'solid_even JOIN solid_cameras ON b <@ f',
  'solid_even JOIN solid_cameras ON f @> p', 'solid_even JOIN solid_cameras ON b && near', 'solid_even JOIN solid_cameras ON b && f AND b && box3(0, 0, 0, 500, 500, 500)', 'solid_cameras WHERE EXISTS (SELECT FROM solid_even WHERE b && f)', 'solid_even WHERE EXISTS (SELECT FROM solid_cameras WHERE b && f)',
  'solid_even, (SELECT camera(point3(0, 0, 500), 900) AS f OFFSET 0) c WHERE b && f', 'solid_even JOIN (VALUES (camera(point3(0, 0, 500), 900)), (NULL), (camera(point3(500, 500, 500), 300))) v(f) ON b && f',
  'solid_even JOIN solid_rays ON spqtree_dwithin(b, solid_rays.l, 5)', 'solid_even JOIN solid_rays ON spqtree_dwithin(solid_rays.l, p, 20)', 'solid_even WHERE spqtree_dwithin(b, lseg3(point3(0, 0, 0), point3(1000, 1000, 1000)), 30)']) what;
SELECT kind, condition, result FROM (SELECT DISTINCT kind FROM solid_strange) k, unnest(ARRAY['b && one', 'b && f', 'b <@ f', 'spqtree_dwithin(b, l, 1e308)']) condition,
  LATERAL sane(format('SELECT FROM solid_strange_%s, solid_rays r JOIN solid_cameras c ON r.id = c.id WHERE %s', kind, condition)) r(result) WHERE result <> 'ok';
-- rows that a user may not see tell nothing
CREATE ROLE solid_alice;
GRANT USAGE ON SCHEMA estimate_solid TO solid_alice;
GRANT SELECT ON ALL TABLES IN SCHEMA estimate_solid TO solid_alice;
CREATE FUNCTION cameras_seen() RETURNS boolean LANGUAGE sql AS $$ SELECT tst.expected_rows('SELECT FROM solid_even JOIN solid_cameras ON b && f') <> tst.expected_rows('SELECT FROM solid_even JOIN solid_cameras ON b && near') $$;
SET ROLE solid_alice;
SELECT cameras_seen();
RESET ROLE;
ALTER TABLE solid_cameras ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_of_them ON solid_cameras USING (id > 0);
SET ROLE solid_alice;
SELECT cameras_seen();
RESET ROLE;

DROP SCHEMA estimate_solid CASCADE;
DROP ROLE solid_alice;
