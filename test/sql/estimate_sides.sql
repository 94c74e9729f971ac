-- How many rows the planner expects of joins one side of which is no column of a table, or
-- whose sides have conditions of their own. Each line says whether that is within 3 times of
-- the truth.

LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA estimate_sides;
SET search_path = estimate_sides, public;

-- Is it near? Fewer rows than "few" are all the same.
CREATE FUNCTION within(factor float8, what text, few float8 DEFAULT 1) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	truth float8;
	expected float8;
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || what || ') q' INTO truth;
	expected := tst.expected_rows(what);
	IF greatest(expected, few) BETWEEN greatest(truth, few) / factor AND greatest(truth, few) * factor THEN
		RETURN 'yes';
	END IF;
	RETURN format('no: %s, and are %s', expected, truth);
END $$;

SELECT setseed(0.5);
CREATE TABLE pts AS SELECT i AS id, point(100 * random(), 100 * random()) AS p FROM generate_series(1, 50000) i;
CREATE TABLE a AS SELECT i AS id, i % 10 AS kind, box(p, p + point(random(), random())) AS b
FROM generate_series(1, 40000) i, LATERAL (SELECT point(100 * random(), 100 * random() + 0 * i) AS p) q;
CREATE TABLE b AS SELECT i AS id, i % 10 AS kind, box(p, p + point(random(), random())) AS b
FROM generate_series(1, 40000) i, LATERAL (SELECT point(100 * random(), 100 * random() + 0 * i) AS p) q;
-- half of all in one town
CREATE TABLE town AS SELECT i AS id, box(p, p + point(0.2 * random(), 0.2 * random())) AS b
FROM generate_series(1, 40000) i, LATERAL (SELECT CASE WHEN i % 2 = 0 THEN point(100 * random(), 100 * random() + 0 * i)
	ELSE point(40 + 5 * random(), 40 + 5 * random()) END AS p) q;
CREATE TABLE places AS SELECT id, b FROM a WHERE id % 200 = 0;
VACUUM ANALYZE pts;
VACUUM ANALYZE a;
VACUUM ANALYZE b;
VACUUM ANALYZE town;
VACUUM ANALYZE places;

-- one side is not a table: its rows are not known, and each row of the larger side is assumed to have a match
CREATE FUNCTION squares(n int) RETURNS TABLE (b box) LANGUAGE sql IMMUTABLE ROWS 10000 AS $$
SELECT box(point(x, y), point(x + 1, y + 1)) FROM generate_series(0, n - 1) x, generate_series(0, n - 1) y OFFSET 0 $$;
SELECT what, within(3, what) FROM unnest(ARRAY[
	'WITH g AS MATERIALIZED (SELECT box(point(x, y), point(x + 1, y + 1)) AS b FROM generate_series(0, 99) x, generate_series(0, 99) y) SELECT FROM g JOIN pts ON g.b @> pts.p',
	'SELECT FROM squares(100) g JOIN pts ON g.b @> pts.p',
	'SELECT FROM generate_series(0, 99) x, generate_series(0, 99) y, pts WHERE p <@ box(point(x, y), point(x + 1, y + 1))',
	'SELECT FROM generate_series(0, 99) x CROSS JOIN generate_series(0, 99) y JOIN LATERAL (SELECT id FROM a WHERE a.b && box(point(x, y), point(x + 1, y + 1))) s ON true',
	'SELECT FROM squares(100) g JOIN pts ON g.b @> pts.p JOIN a ON a.b @> pts.p']) AS what;

-- its rows are constants of the query
SELECT what, within(3, what) FROM unnest(ARRAY[
	'SELECT FROM (VALUES (1, box ''(10,10),(0,0)''), (2, ''(90,90),(50,50)''), (3, ''(60,20),(50,10)'')) v (id, b) JOIN pts ON v.b @> pts.p',
	'SELECT FROM (VALUES (point ''(10,10)'', 20::float8), (point ''(50,50)'', 30)) v (p, r) JOIN pts ON pts.p <@ circle(v.p, v.r)',
	'SELECT FROM (VALUES (box ''(1,1),(0,0)''), (NULL), (''(nan,1),(0,0)'')) v (b) JOIN a ON a.b && v.b',
	'SELECT FROM unnest(ARRAY[box ''(10,10),(0,0)'', ''(90,90),(50,50)'']) v (b) JOIN pts ON v.b @> pts.p',
	'WITH v AS MATERIALIZED (SELECT box ''(30,30),(0,0)'' AS b) SELECT FROM v JOIN a ON a.b && v.b']) AS what;
PREPARE in_areas(box[]) AS SELECT FROM unnest($1) v (b) JOIN pts ON v.b @> pts.p;
SELECT tst.expected_rows('EXECUTE in_areas(''{(10,10),(0,0);(90,90),(50,50)}'')') BETWEEN 5000 AND 15000 AS parameter;

-- or those of a CTE
SELECT what, within(3, what) FROM unnest(ARRAY[
	'WITH c AS MATERIALIZED (SELECT * FROM a) SELECT FROM c JOIN b ON b.b && c.b',
	'WITH c AS MATERIALIZED (SELECT * FROM a), d AS MATERIALIZED (SELECT b FROM c) SELECT FROM d JOIN b ON b.b && d.b']) AS what;

-- windows: the pairs in a window are not those that three independent conditions leave
SELECT what, within(3, what) FROM unnest(ARRAY[
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(30,30),(20,20)'' AND b.b && box ''(30,30),(20,20)''',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(24,24),(20,20)'' AND b.b && box ''(24,24),(20,20)''',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(24,24),(20,20)'' AND b.b && box ''(24,24),(20,20)'' AND a.kind = 3 AND b.kind = 5',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b <@ box ''(30,30),(20,20)'' AND box ''(30,30),(20,20)'' && b.b',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(30,30),(20,20)'' AND a.b << box ''(40,40),(28,0)'' AND b.b && box ''(30,30),(20,20)''',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(30,30),(20,20)''',
	'SELECT FROM a JOIN pts ON a.b @> pts.p WHERE a.b && box ''(30,30),(20,20)'' AND pts.p <@ box ''(30,30),(20,20)''',
	'SELECT FROM town a JOIN town b ON a.b && b.b WHERE a.b && box ''(43,43),(40,40)'' AND b.b && box ''(43,43),(40,40)''',
	'SELECT FROM town a JOIN town b ON a.b && b.b AND a.id < b.id WHERE a.b && box ''(43,43),(40,40)'' AND b.b && box ''(43,43),(40,40)''',
	'SELECT FROM town a JOIN town b ON a.b && b.b WHERE a.b && box ''(43,43),(40,40)''',
	'SELECT FROM town a WHERE a.b && box ''(43,43),(40,40)'' AND EXISTS (SELECT FROM town b WHERE a.b && b.b AND b.b && box ''(43,43),(40,40)'' AND a.id <> b.id)']) AS what;

SELECT within(3, 'SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && box ''(30,30),(20,20)'' AND b.b && box ''(80,80),(70,70)''', 10) AS apart;

-- of which a subquery tells
SELECT what, within(3, what) FROM unnest(ARRAY[
	'SELECT FROM a WHERE a.b && (SELECT box ''(30,30),(20,20)'' OFFSET 0)',
	'WITH w AS MATERIALIZED (SELECT box ''(30,30),(20,20)'' AS g) SELECT FROM a WHERE a.b && (SELECT g FROM w)',
	'WITH w AS MATERIALIZED (SELECT box ''(30,30),(20,20)'' AS g) SELECT FROM a JOIN b ON a.b && b.b WHERE a.b && (SELECT g FROM w) AND b.b && (SELECT g FROM w)',
	'WITH w AS MATERIALIZED (SELECT box ''(30,30),(20,20)'' AS g) SELECT FROM a JOIN w ON a.b && w.g']) AS what;
-- a row of a table: one like the others
SELECT what, within(10, what) FROM unnest(ARRAY[
	'SELECT FROM a WHERE a.b && (SELECT b FROM places WHERE id = 200)',
	'SELECT FROM a WHERE a.b && (SELECT b FROM places ORDER BY id LIMIT 1)']) AS what;
SELECT tst.expected_rows('SELECT FROM a WHERE a.b && (SELECT bound_box(b, b) FROM places LIMIT 1)') AS unknown;

-- Rows that a user may not see tell nothing, be it through a CTE or as a window.
CREATE TABLE hidden AS SELECT id, b FROM a;
CREATE TABLE barred AS SELECT id, b FROM a;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM barred WHERE id % 2 = 0;
VACUUM ANALYZE hidden;
VACUUM ANALYZE barred;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON hidden USING (id % 2 = 0);
CREATE ROLE spqtree_estimate_user;
GRANT USAGE ON SCHEMA estimate_sides TO spqtree_estimate_user;
GRANT SELECT ON a, hidden, barrier TO spqtree_estimate_user;
CREATE TEMP TABLE seen AS SELECT what, tst.expected_rows(what) AS rows FROM unnest(ARRAY[
	'SELECT FROM a WHERE a.b && (SELECT b FROM hidden LIMIT 1)', 'SELECT FROM a WHERE a.b && (SELECT b FROM barrier LIMIT 1)',
	'WITH c AS MATERIALIZED (SELECT b FROM hidden) SELECT FROM c JOIN a ON a.b && c.b']) AS what;
GRANT SELECT ON seen TO spqtree_estimate_user;
SET ROLE spqtree_estimate_user;
SELECT what, CASE WHEN what LIKE 'SELECT%' THEN tst.expected_rows(what)::text ELSE (tst.expected_rows(what) <> rows)::text END AS "rows, or differ" FROM seen;
RESET ROLE;
SELECT what, rows > 0 AND rows <> 200 AS owner FROM seen;
DROP OWNED BY spqtree_estimate_user;
DROP ROLE spqtree_estimate_user;

-- no row is joined with itself
SELECT what, within(3, what, 100) FROM unnest(ARRAY[
	'SELECT FROM a JOIN a b ON a.b ~= b.b AND a.id <> b.id',
	'SELECT FROM a JOIN a b ON a.b ~= b.b', 'SELECT FROM places a JOIN places b ON a.b ~= b.b AND a.id > b.id',
	'SELECT FROM places a JOIN places b ON a.b && b.b AND a.id < b.id', 'SELECT FROM places a JOIN places b ON a.b && b.b']) AS what;

-- clusters of very different density, in the order of their places, or at random
CREATE TABLE centers AS SELECT i AS id, point(1e5 * random(), 1e5 * random()) AS p, 10 ^ (1.5 + 2 * random()) AS s FROM generate_series(1, 400) i;
CREATE FUNCTION clustered() RETURNS TABLE (k int, b box) LANGUAGE sql AS $$
SELECT k, box(p, p + point(w, h)) FROM (
	SELECT k, c.p + point(c.s * sqrt(-2 * ln(1 - u)) * cosd(360 * v), c.s * sqrt(-2 * ln(1 - u)) * sind(360 * v)) AS p,
		exp(1 + 1.6 * sqrt(-2 * ln(1 - random())) * cosd(360 * random())) AS w, exp(1 + 1.6 * sqrt(-2 * ln(1 - random())) * cosd(360 * random())) AS h
	FROM (SELECT i, 1 + floor(399.999 * random() * random())::int AS k, random() AS u, random() AS v FROM generate_series(1, 100000) i) r
	JOIN centers c ON c.id = r.k) q $$;
CREATE TABLE sorted1 AS SELECT * FROM clustered() ORDER BY k;
CREATE TABLE sorted2 AS SELECT * FROM clustered() ORDER BY k;
CREATE TABLE random2 AS SELECT * FROM sorted2 ORDER BY hashfloat8((b[0])[0]);
VACUUM ANALYZE sorted1;
VACUUM ANALYZE sorted2;
VACUUM ANALYZE random2;
SELECT what, within(3, what) FROM unnest(ARRAY[
	'SELECT FROM sorted1 a JOIN sorted2 b ON a.b && b.b', 'SELECT FROM sorted1 a JOIN random2 b ON a.b && b.b']) AS what;

-- few rows have a match: a sample has none of them or one, which tells 0 or 40
SELECT setseed(0.25);
CREATE TABLE posts AS SELECT i % 4 AS kind, box(p, p + point(0.1, 0.1)) AS b
FROM generate_series(1, 80) i, LATERAL (SELECT point(100 * random(), 100 * random() + 0 * i) AS p) q;
DO $$ BEGIN
	FOR k IN 0..3 LOOP
		EXECUTE format('CREATE TABLE few_%s AS SELECT b FROM posts WHERE kind = %s; ANALYZE few_%s', k, k, k);
	END LOOP;
END $$;
SELECT what, within(3, what) FROM (SELECT format('SELECT FROM a WHERE EXISTS (SELECT FROM few_%s f WHERE f.b && a.b)', k) AS what
	FROM generate_series(0, 3) k) q;

-- a window in the subquery: no more rows have a match than pairs are in it
SELECT what, within(3, what, 20) FROM unnest(ARRAY[
	'SELECT FROM pts WHERE EXISTS (SELECT FROM a WHERE pts.p <@ a.b AND a.b && ''(33.2,31.2),(33,31)'')',
	'SELECT FROM pts WHERE EXISTS (SELECT FROM a WHERE pts.p <@ a.b AND a.b <@ ''(36,34),(33,31)'')',
	'SELECT FROM b WHERE EXISTS (SELECT FROM a WHERE b.b && a.b AND a.b && ''(33.2,31.2),(33,31)'')',
	'SELECT FROM b WHERE NOT EXISTS (SELECT FROM a WHERE b.b && a.b AND a.b && ''(33.2,31.2),(33,31)'')']) AS what;

-- a match by the box and one by an equality are hardly ever the same row
CREATE TABLE all_over AS SELECT i AS id, i % 10 AS kind, CASE WHEN i = 1 THEN box '((-1,-1),(200,200))' ELSE box(point(i, 300), point(i, 301)) END AS b
FROM generate_series(1, 1000) i;
ANALYZE all_over;
SELECT what, within(3, what) FROM unnest(ARRAY[
	'SELECT FROM places p WHERE EXISTS (SELECT FROM all_over o WHERE p.b <@ o.b)',
	'SELECT FROM a WHERE EXISTS (SELECT FROM all_over o WHERE a.b <@ o.b AND a.kind = o.kind)',
	'SELECT FROM a WHERE NOT EXISTS (SELECT FROM all_over o WHERE a.b <@ o.b AND a.kind = o.kind)',
	'SELECT FROM a JOIN b ON a.b && b.b WHERE NOT EXISTS (SELECT FROM all_over o WHERE a.b <@ o.b AND a.kind = o.kind)']) AS what;

RESET search_path;
DROP SCHEMA estimate_sides CASCADE;
