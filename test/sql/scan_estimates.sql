--
-- How many rows the planner expects of scans with spatial conditions. The true
-- number is counted: the estimate must be within 2 times of it for results of 1 %
-- of the table and more, and within 10 times or 20 rows below that. A sample is
-- chance, so one window of each size may be outside of that, and the part of its
-- box that a polygon covers is a guess: there it is 3 times.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA scan_estimates;
SET search_path = scan_estimates, public;

CREATE FUNCTION near(expected float8, truth float8, total float8, factor float8 DEFAULT 2) RETURNS boolean LANGUAGE sql AS $$
SELECT CASE WHEN truth >= total / 100 THEN expected BETWEEN truth / factor AND truth * factor
  ELSE expected BETWEEN truth / 10 AND truth * 10 OR abs(expected - truth) <= 20 END $$;
-- the rows of a table that satisfy a condition: expected, and found
CREATE FUNCTION check_scan(source text, condition text, factor float8 DEFAULT 2) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  expected float8 := tst.expected_rows(format('SELECT FROM %s WHERE %s', source, condition));
  truth float8;
  total float8;
BEGIN
  EXECUTE format('SELECT count(*) FILTER (WHERE %s), count(*) FROM %s', condition, source) INTO truth, total;
  RETURN CASE WHEN near(expected, truth, total, factor) THEN 'ok' ELSE format('no: %s expected, %s found', expected, truth) END;
END $$;

-- a table read whole, a uniform one, one in clusters whose density differs a hundredfold
SELECT setseed(0.25);
CREATE TABLE small AS SELECT i AS id, CASE WHEN i % 10 > 0 THEN box(p, p + point(10 * random(), 10 * random())) END AS b, p
FROM generate_series(1, 1000) i, LATERAL (SELECT point(1000 * random(), 1000 * random() + 0 * i) AS p) q;
CREATE TABLE uniform AS SELECT i AS id, box(p, p + point(s, s * random())) AS b, p, circle(p, s) AS c, box(p, p + point(s, s))::polygon AS g
FROM generate_series(1, 100000) i, LATERAL (SELECT point(1000 * random(), 1000 * random() + 0 * i) AS p, 10 * random() AS s) q;
CREATE TABLE clusters AS SELECT i AS id, box(p, p + point(random(), random())) AS b, p
FROM generate_series(1, 100000) i, LATERAL (SELECT i % 40 AS k) c, LATERAL (SELECT point(
  (k * 37 % 40) * 25 + (1 + k % 10 * 4) * (random() + random() + random() - 1.5), (k * 23 % 40) * 25 + (1 + k % 10 * 4) * (random() + random() + random() - 1.5)) AS p) q;
VACUUM ANALYZE small;
VACUUM ANALYZE uniform;
VACUUM ANALYZE clusters;

-- windows of several sizes, around rows
SELECT source, side, count(*) AS windows, count(*) FILTER (WHERE result <> 'ok') <= 1 AS near
FROM (VALUES ('small', 30), ('small', 300), ('uniform', 3), ('uniform', 10), ('uniform', 30), ('uniform', 100), ('uniform', 300),
    ('clusters', 1), ('clusters', 10), ('clusters', 60), ('clusters', 200)) AS v(source, side),
  LATERAL (SELECT p FROM small WHERE source = 'small' AND id % 50 = 1 UNION ALL SELECT p FROM uniform WHERE source = 'uniform' AND id % 10000 = 3
    UNION ALL SELECT p FROM clusters WHERE source = 'clusters' AND id % 9999 = 1) w,
  LATERAL (SELECT check_scan(source, format('b && %L', box(p - point(side, side) / point(2, 0), p + point(side, side) / point(2, 0)))) AS result) r
GROUP BY source, side ORDER BY source DESC, side;

-- every operator, both ways round
SELECT condition, check_scan('uniform', condition, CASE WHEN condition ~ '^g |polygon' THEN 3 ELSE 2 END) FROM unnest(ARRAY[
  'b && box ''(400,400),(600,600)''', 'box ''(400,400),(600,600)'' && b', 'b ?# box ''(100,100),(120,300)''',
  'b <@ box ''(400,400),(600,600)''', 'box ''(400,400),(600,600)'' @> b', 'b <@ box ''(400,400),(403,403)''',
  'b @> box ''(400,400),(401,401)''', 'box ''(300,300),(300,300)'' <@ b',
  'b @> point ''(500,500)''', 'point ''(500,500)'' <@ b',
  'b << box ''(100,100),(120,300)''', 'b &< box ''(100,100),(120,300)''', 'b >> box ''(100,100),(120,300)''', 'b &> box ''(100,100),(120,300)''',
  'b <<| box ''(100,100),(120,300)''', 'b &<| box ''(100,100),(120,300)''', 'b |>> box ''(100,100),(120,300)''', 'b |&> box ''(100,100),(120,300)''',
  'box ''(100,100),(120,300)'' << b', 'box ''(100,100),(120,300)'' &> b', 'box ''(100,100),(120,300)'' |>> b', 'box ''(100,100),(120,300)'' &<| b',
  'b << box ''(3,3),(2,2)''', 'b >> box ''(1200,3),(1100,2)''', 'b ~= box ''(3,3),(2,2)''',
  'p <@ box ''(400,400),(600,600)''', 'box ''(400,400),(404,404)'' @> p', 'p << point ''(10,10)''', 'p >> point ''(10,10)''', 'p <<| point ''(10,10)''',
  'p |>> point ''(10,10)''', 'p ~= point ''(10,10)''', 'p <@ circle ''<(500,500),100>''', 'circle ''<(500,500),2>'' @> p',
  'p <@ polygon ''((0,0),(500,0),(0,500))''', 'polygon ''((0,0),(500,0),(500,500),(0,500))'' @> p',
  'c && circle ''<(500,500),100>''', 'c <@ circle ''<(500,500),100>''', 'c @> circle ''<(500,500),1>''', 'c @> point ''(500,500)''', 'c << circle ''<(500,500),100>''',
  'c |&> circle ''<(500,500),100>''', 'g && polygon ''((400,400),(600,400),(600,600),(400,600))''', 'g <@ polygon ''((400,400),(600,400),(600,600),(400,600))''',
  'g @> point ''(500,500)''', 'g >> polygon ''((400,400),(600,400),(600,600))''', 'g &<| polygon ''((400,400),(600,400),(600,600))''']) AS condition;

-- several conditions: on one column they are taken together, OR and NOT
SELECT condition, check_scan('clusters', condition) FROM unnest(ARRAY[
  'b && box ''(300,300),(800,800)'' AND b && box ''(100,200),(700,900)''', 'b <@ box ''(300,300),(800,800)'' AND b && box ''(300,300),(800,800)''',
  'b >> box ''(300,0),(300,0)'' AND b << box ''(500,0),(500,0)''', 'b << box ''(300,0),(300,0)'' AND b >> box ''(500,0),(500,0)''',
  'b @> point ''(1,1)'' AND b && box ''(300,300),(800,800)''', 'p <@ box ''(300,300),(800,800)'' AND p <@ circle ''<(300,300),400>''',
  'b && box ''(0,0),(300,300)'' OR b && box ''(700,700),(1000,1000)''', '(b && box ''(0,0),(500,500)'' AND b && box ''(200,200),(1000,1000)'') OR b && box ''(700,700),(1000,1000)''',
  'NOT b && box ''(0,0),(500,500)''', 'b && box ''(0,0),(500,500)'' AND id < 10000', 'b && NULL', 'b && box ''(NaN,0),(1,1)''', 'b && box ''(Infinity,Infinity),(500,500)''',
  'b && box(point(300,300), point(800,800))', 'b && box(center(box ''(300,300),(800,800)''), point(800,800))']) AS condition;
-- nulls are rows
SELECT check_scan('small', 'NOT b && box ''(0,0),(500,500)'''), check_scan('small', 'b && box ''(-1,-1),(2000,2000)''');

-- partitions, inheritance, UNION ALL, views and subqueries, samples of the query
CREATE TABLE parted (id int, b box, p point) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (30000);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (30000) TO (100000) PARTITION BY RANGE (id);
CREATE TABLE parted_3 PARTITION OF parted_2 FOR VALUES FROM (30000) TO (50000);
CREATE TABLE parted_4 PARTITION OF parted_2 FOR VALUES FROM (50000) TO (100000);
INSERT INTO parted SELECT id, b, p FROM clusters WHERE id < 100000;
CREATE TABLE child () INHERITS (small);
INSERT INTO child SELECT id, b, p FROM uniform WHERE id < 20000;
CREATE VIEW seen AS SELECT b AS box, id FROM uniform WHERE id <= 50000;
CREATE INDEX ON parted USING spgist (b);
VACUUM ANALYZE parted;
VACUUM ANALYZE small;
VACUUM ANALYZE child;
SELECT source, check_scan(source, replace('b && box ''(300,300),(600,600)''', 'b &&', CASE WHEN source = 'seen' THEN 'box &&' ELSE 'b &&' END)) FROM unnest(ARRAY[
  'parted', 'parted_2', '(SELECT * FROM parted WHERE id < 40000) q', 'small', 'ONLY small', 'seen',
  '(SELECT b FROM uniform UNION ALL SELECT b FROM clusters) q', '(SELECT b FROM uniform UNION ALL (SELECT b FROM clusters OFFSET 0)) q',
  '(SELECT * FROM uniform OFFSET 0) q', '(SELECT b FROM uniform JOIN LATERAL (SELECT 1 OFFSET 0) x ON true) q',
  'uniform TABLESAMPLE SYSTEM (50) REPEATABLE (1)']) AS source;

-- constants that are known when a plan is made, and such as are not
PREPARE within(box) AS SELECT FROM uniform WHERE b && $1;
SET plan_cache_mode = force_custom_plan;
SELECT near(tst.expected_rows('EXECUTE within(''(0,0),(500,500)'')'), count(*), 100000) FROM uniform WHERE b && '(0,0),(500,500)';
SET plan_cache_mode = force_generic_plan;
SELECT tst.expected_rows('EXECUTE within(''(0,0),(500,500)'')');
RESET plan_cache_mode;
SELECT near(tst.expected_rows('SELECT FROM uniform WHERE b && (SELECT box ''(0,0),(500,500)'' OFFSET 0)'), count(*), 100000)
FROM uniform WHERE b && '(0,0),(500,500)';

-- without samples, PostgreSQL's estimates
SET spqtree.sample_rows = 0;
SELECT tst.expected_rows('SELECT FROM uniform WHERE b && box ''(0,0),(500,500)''');
RESET spqtree.sample_rows;

-- Plans follow. Half of the table is read in sequence, and not by the index; by the
-- partial index, too; in parallel if there are rows for it; and the rows of other
-- clauses are estimated as before.
CREATE INDEX ON uniform USING spgist (b);
CREATE INDEX uniform_some ON uniform USING spgist (b) WHERE id < 20000;
EXPLAIN (COSTS OFF) SELECT count(c) FROM uniform WHERE b && box '(0,0),(800,800)';
EXPLAIN (COSTS OFF) SELECT count(c) FROM uniform WHERE b && box '(0,0),(100,100)';
EXPLAIN (COSTS OFF) SELECT count(c) FROM uniform WHERE b && box '(0,0),(100,100)' AND id < 20000;
SELECT check_scan('uniform', 'b && box ''(0,0),(100,100)'' AND id < 20000');
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 10;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(c) FROM uniform WHERE b && box '(0,0),(800,800)';
EXPLAIN (COSTS OFF) SELECT count(b) FROM parted WHERE b && box '(0,0),(800,800)';
SET max_parallel_workers_per_gather = 0;

-- A join of what is in a window with another table: by its index, if the window
-- holds few rows, and by a hash if it holds many.
CREATE TABLE owner AS SELECT id, 'owner ' || id AS name FROM generate_series(1, 100000) id;
ALTER TABLE owner ADD PRIMARY KEY (id);
VACUUM ANALYZE owner;
EXPLAIN (COSTS OFF) SELECT count(o.name) FROM uniform u JOIN owner o ON o.id = u.id WHERE u.b && box '(0,0),(500,500)';
EXPLAIN (COSTS OFF) SELECT count(o.name) FROM uniform u JOIN owner o ON o.id = u.id WHERE u.b && box '(0,0),(10,10)';
SET spqtree.sample_rows = 0;
EXPLAIN (COSTS OFF) SELECT count(o.name) FROM uniform u JOIN owner o ON o.id = u.id WHERE u.b && box '(0,0),(500,500)';
RESET spqtree.sample_rows;
-- paths with parameters of relations that come later know how many rows these have
EXPLAIN (COSTS OFF) SELECT count(*) FROM uniform u JOIN clusters c ON u.b && c.b WHERE c.b && box '(500,500),(501,501)';

-- a cursor's row, and rows of other rows' tables
BEGIN;
DECLARE cursor CURSOR FOR SELECT * FROM small WHERE b && box '(0,0),(500,500)' FOR UPDATE;
MOVE cursor;
EXPLAIN (COSTS OFF) DELETE FROM ONLY small WHERE CURRENT OF cursor;
DELETE FROM small WHERE CURRENT OF cursor;
ROLLBACK;
SELECT count(*) FROM uniform u, LATERAL (SELECT c.id FROM small c WHERE c.b && u.b AND c.b && box '(0,0),(500,500)' AND u.id < 100 OFFSET 0) c WHERE u.id < 100;

-- What a user may not see, nobody counts for him: PostgreSQL's 0.5 % stays.
CREATE ROLE scan_alice;
GRANT ALL ON SCHEMA scan_estimates TO scan_alice;
CREATE TABLE hidden AS SELECT id, b, CASE WHEN id % 100 = 0 THEN 'scan_alice' ELSE 'another' END AS owner FROM uniform;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM hidden WHERE owner = current_user;
VACUUM ANALYZE hidden;
CREATE FUNCTION guesses(source text) RETURNS text LANGUAGE sql AS $$ SELECT CASE WHEN count(DISTINCT rows) = 1 THEN 'the same everywhere' ELSE 'different' END
FROM (SELECT tst.expected_rows(format('SELECT FROM %s WHERE b && box ''(%s,0),(%s,500)''', source, x, x + 500)) AS rows FROM unnest('{0,700,5000}'::int[]) x) q $$;
SELECT guesses('hidden');
GRANT SELECT (id, owner) ON hidden TO scan_alice;
GRANT SELECT ON barrier TO scan_alice;
SET ROLE scan_alice;
SELECT guesses('hidden');
RESET ROLE;
GRANT SELECT (b) ON hidden TO scan_alice;
SET ROLE scan_alice;
SELECT guesses('hidden');
SELECT guesses('barrier');
RESET ROLE;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON hidden USING (owner = current_user);
SELECT guesses('hidden');
SET ROLE scan_alice;
SELECT guesses('hidden');
RESET ROLE;

-- a window at infinity holds nothing, and planning comes to an end
SET statement_timeout = '60s';
SELECT condition, check_scan('uniform', condition) FROM unnest(ARRAY['b && box ''(inf,inf),(inf,inf)''', 'b << box ''(-inf,0),(-inf,0)''',
  'b @> box ''(inf,inf),(-inf,-inf)''', 'b <@ box ''(inf,inf),(-inf,-inf)''', 'b && box ''(1e308,1e308),(1e308,1e308)''']) condition;
RESET statement_timeout;

-- points that no circle and no polygon holds
CREATE TABLE nowhere AS SELECT CASE id % 4 WHEN 0 THEN point('inf', id) WHEN 1 THEN point('NaN', id) WHEN 2 THEN point('-inf', 'inf') ELSE p END AS p FROM uniform;
VACUUM ANALYZE nowhere;
SELECT condition, check_scan('nowhere', condition) FROM unnest(ARRAY['p <@ circle ''<(500,500),100>''', 'p <@ polygon ''((0,0),(500,0),(0,500))''',
  'p <@ circle ''<(inf,0),5>''']) condition;
SELECT near(tst.expected_rows('SELECT FROM uniform u, nowhere n WHERE n.p <@ u.c'), count(*), 1e8)
FROM uniform u, (SELECT p FROM nowhere WHERE p <@ box '(0,0),(2000,2000)') n WHERE n.p <@ u.c;

-- a table stored in spatial order: a plain scan of the access method's index reads few of its pages
CREATE TABLE in_order AS SELECT i AS id, box(point(x, y), point(x + 0.5, y + 0.5)) AS b
FROM generate_series(0, 39999) i, LATERAL (SELECT i / 100 % 20 * 10 + i % 10 AS x, i / 2000 * 10 + i / 10 % 10 AS y) v;
CREATE TABLE at_random AS SELECT * FROM in_order ORDER BY hashint8(id);
CREATE INDEX ON in_order USING spqtree (b);
CREATE INDEX ON at_random USING spqtree (b);
VACUUM ANALYZE in_order, at_random;
CREATE FUNCTION plain_scan_cost(tab text) RETURNS float8 LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE format('EXPLAIN (FORMAT json) SELECT id FROM %I WHERE b && box ''((150,150),(199,199))''', tab) INTO plan;
  RETURN plan -> 0 -> 'Plan' ->> 'Total Cost';
END $$;
SELECT plain_scan_cost('in_order') < 0.8 * plain_scan_cost('at_random') AS in_order;

-- a transaction that is serializable leaves no locks by planning
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM (SELECT tst.expected_rows('SELECT FROM clusters WHERE b && box ''(0,0),(1,2)''') OFFSET 0) e,
  pg_locks WHERE mode = 'SIReadLock' AND relation = 'clusters'::regclass;
COMMIT;

RESET search_path;
DROP SCHEMA scan_estimates CASCADE;
DROP ROLE scan_alice;
