--
-- Subqueries that search a table for values of each row of another query: the rows are
-- read once, after the first searches.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET statement_timeout = '30min';   -- a loop without end shall be a failure
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA repeated_node;
SET search_path = repeated_node, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: repeated searches with seed %', (SELECT seed FROM setup); END $$;

-- Values of each kind, some of them null, infinite, or with a NaN.
CREATE FUNCTION rows_of(side int, n int)
RETURNS TABLE (id int, kind int, b box, p point, c circle, y polygon, s box3, r int4range, lo int, hi int) LANGUAGE sql AS $$
  SELECT i, nullif(i % 7, 3),
         CASE i % 37 WHEN 5 THEN NULL WHEN 6 THEN box(point('NaN', y), point(x, y)) WHEN 7 THEN box(point('-Infinity', y), point(x, 'Infinity'))
                     ELSE box(point(x, y), point(x + w * 3, y + w * 3)) END,
         CASE i % 41 WHEN 5 THEN NULL WHEN 6 THEN point('NaN', y) ELSE point(x, y) END,
         CASE WHEN i % 31 <> 4 THEN circle(point(x, y), w * 2) END,
         CASE WHEN i % 31 <> 4 THEN polygon(box(point(x, y), point(x + w * 2, y + w * 2))) END,
         CASE WHEN i % 29 <> 4 THEN box3(x, y, 0, x + w * 3, y + w * 3, 30) END,
         CASE i % 23 WHEN 5 THEN NULL WHEN 6 THEN 'empty' WHEN 7 THEN int4range(NULL, floor(x)::int) ELSE int4range(floor(x)::int, floor(x)::int + floor(w * 9)::int) END,
         CASE WHEN i % 19 <> 3 THEN floor(x)::int END, CASE WHEN i % 17 <> 3 THEN floor(x)::int + floor(w * 9)::int END
  FROM setup, generate_series(1, n) i,
       LATERAL (SELECT tst.rnd(seed, i, side) * 30 AS x, tst.rnd(seed, i, side + 10) * 30 AS y, tst.rnd(seed, i, side + 20) ^ 3 AS w) r
$$;
CREATE TABLE o AS SELECT * FROM rows_of(1, 60);
CREATE TABLE t AS SELECT * FROM rows_of(2, 900);
CREATE TABLE nothing AS SELECT * FROM t WHERE false;
CREATE TABLE parted (LIKE t) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (400);
CREATE TABLE parted_2 PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT * FROM t;
ANALYZE o, t, nothing, parted;

-- Whether the plan has repeated searches, and whether the rows are those of PostgreSQL's plan.
CREATE FUNCTION compare(query text, OUT repeated boolean, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  expected text[];
  answer text[];
BEGIN
  PERFORM set_config('spqtree.enable', 'off', true);
  expected := tst.rows(query);
  PERFORM set_config('spqtree.enable', 'on', true);
  repeated := tst.plan_of(query) ~ 'Repeated Search';
  answer := tst.rows(query);
  same := answer = expected;
  IF NOT same THEN
    RAISE WARNING '%: %', tst.differing(expected, answer), query;
  END IF;
END $$;

-- each condition, in each form of subquery
CREATE TABLE condition (text text);
INSERT INTO condition VALUES
  ('t.b && o.b'), ('o.b && t.b'), ('t.b @> o.b'), ('t.b <@ o.b'), ('t.b ~= o.b'), ('t.p <@ o.b'), ('o.b @> t.p'), ('t.p <@ o.c'), ('o.y @> t.p'),
  ('t.c && o.c'), ('t.y && o.y'), ('t.b && o.c'), ('t.s && o.s'), ('t.s @> o.s'), ('t.r && o.r'), ('t.r @> o.lo'), ('o.r @> t.lo'), ('t.r <@ o.r'),
  ('t.lo BETWEEN o.lo AND o.hi'), ('o.lo BETWEEN t.lo AND t.hi'), ('t.lo <= o.hi AND t.hi >= o.lo'),
  ('spqtree_dwithin(t.p, o.p, 2)'), ('spqtree_dwithin(t.b, o.b, o.kind)'), ('t.p <-> o.p < 1.5'), ('t.p <-> o.p < o.kind'),
  ('t.b && o.b AND t.kind = o.kind'), ('t.b && o.b AND t.kind = 2'), ('t.b && o.b AND t.id + o.id > 300'), ('t.b && o.b AND t.p <@ o.b'),
  ('t.p <@ box(o.p, point(o.lo, 7))'), ('box(t.p, point(t.lo, 3)) && o.b'), ('spqtree_dwithin(t.p, point(o.lo, o.hi), 2)'), ('t.p <-> point(o.lo, o.hi) < 1.5'),
  ('t.s && box3(o.lo, o.lo, 0, o.hi, 30, 9)'), ('t.b && box(o.p, point(t.id % 30, 7))'), ('t.b && o.b AND o.kind > 2');
CREATE TABLE form (name text, text text);
INSERT INTO form VALUES
  ('target', 'SELECT o.id, (SELECT count(*) FROM [T] t WHERE [C]) FROM o'),
  ('lateral', 'SELECT o.id, x.* FROM o, LATERAL (SELECT count(*), sum(t.id), min(t.b::text) FROM [T] t WHERE [C]) x'),
  ('left', 'SELECT o.id, x.* FROM o LEFT JOIN LATERAL (SELECT t.kind, count(*) FROM [T] t WHERE [C] GROUP BY t.kind) x ON true'),
  ('nothing above', 'SELECT o.id, x.* FROM o, LATERAL (SELECT t.id FROM [T] t WHERE [C] OFFSET 0) x'),
  ('array', 'SELECT o.id, ARRAY(SELECT t.id FROM [T] t WHERE [C] ORDER BY t.id) FROM o'),
  ('exists', 'SELECT o.id FROM o WHERE EXISTS (SELECT FROM [T] t WHERE [C] OFFSET 1)'),
  ('joined', 'SELECT o.id, (SELECT count(*) FROM [T] t JOIN o u ON u.id = t.kind WHERE [C]) FROM o');
SELECT f.name, tab, bool_or(c.repeated) AS repeated, count(*) AS queries, bool_and(c.same) AS same
FROM form f, condition q, unnest('{t,parted,nothing}'::text[]) tab, compare(replace(replace(f.text, '[T]', tab), '[C]', q.text)) c
WHERE tab <> 'nothing' OR f.name IN ('target', 'array')
GROUP BY f.name, tab ORDER BY f.name, tab;
-- conditions that are no key, of which one side depends on both queries
SELECT q.text FROM condition q, compare(replace('SELECT o.id, (SELECT count(*) FROM t WHERE [C]) FROM o', '[C]', q.text)) c
WHERE NOT c.repeated ORDER BY q.text;

-- no error for a row that PostgreSQL's plan does not look at
SELECT c.*, q.query FROM (VALUES
  ('SELECT o.id, (SELECT count(*) FROM nothing t WHERE t.b && box(o.p, point(1 / (o.id - 7), 0))) FROM o'),
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.id < 0 AND t.b && box(o.p, point(1 / (o.id - 7), 0))) FROM o'),
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.id = o.id + 10000 AND box(t.p, point(1 / (t.id - 7), 0)) && o.b) FROM o'),
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.id <> 7 AND box(t.p, point(1 / (t.id - 7), 0)) && o.b) FROM o'),
  -- row 5 has no box
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.b && o.b AND 1 / (t.id - 5) < 1) FROM o'),
  ('SELECT o.id, ARRAY(SELECT t.id FROM t WHERE t.b && o.b AND 1 / (t.id - 5) < 1 ORDER BY t.p <-> o.p, t.id LIMIT 3) FROM o')) q (query), compare(q.query) c;

-- further subqueries, changes, prepared statements, cursors
CREATE TABLE other (query text);
INSERT INTO other VALUES
  ('SELECT id, (SELECT sum((SELECT count(*) FROM t WHERE t.b && u.b AND t.b && o.b)) FROM o u WHERE u.b && o.b) FROM o'),
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.b && o.b), (SELECT count(*) FROM t WHERE t.b @> o.b) FROM o'),
  ('SELECT o.id FROM o ORDER BY (SELECT count(*) FROM t WHERE t.b && o.b), id LIMIT 10'),
  ('SELECT CASE WHEN o.id > 100 THEN (SELECT count(*) FROM t WHERE t.b && o.b) END FROM o'),
  ('SELECT (SELECT x FROM (SELECT count(*) AS x FROM t WHERE t.b && o.b OFFSET 0) y) FROM o'),
  ('SELECT o.id, (SELECT count(*) FROM t WHERE t.b && o.b AND t.id IN (SELECT id FROM o)) FROM o'),
  ('SELECT o.id, (SELECT t.ctid FROM t WHERE t.b && o.b ORDER BY t.id LIMIT 1) FROM o'),
  ('SELECT o.id, (SELECT t FROM t WHERE t.b && o.b ORDER BY t.id LIMIT 1) FROM o'),
  ('WITH w AS MATERIALIZED (SELECT * FROM t) SELECT o.id, (SELECT count(*) FROM w WHERE w.b && o.b) FROM o');
SELECT c.*, query FROM other, compare(query) c;
CREATE TABLE counted AS SELECT id, b, 0 AS n FROM o;
UPDATE counted SET n = (SELECT count(*) FROM t WHERE t.b && counted.b);
SELECT count(*) AS different FROM counted c WHERE n <> (SELECT count(*) FROM t WHERE t.b && c.b AND random() >= 0);
BEGIN;
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE searches(int) AS SELECT sum((SELECT count(*) FROM t WHERE t.b && o.b AND t.id < $1)) FROM o;
SELECT tst.plan_of('EXECUTE searches(100)') ~ 'Repeated Search' AS repeated;
CREATE TEMP TABLE fewer AS EXECUTE searches(300);
CREATE TEMP TABLE more AS EXECUTE searches(800);
SELECT n, sum((SELECT count(*) FROM t WHERE t.b && o.b AND t.id < n AND random() >= 0)) = CASE n WHEN 300 THEN f.sum ELSE m.sum END AS same
FROM o, fewer f, more m, unnest('{300,800}'::int[]) n GROUP BY n, f.sum, m.sum ORDER BY n;
DECLARE c SCROLL CURSOR FOR SELECT o.id, (SELECT count(*) FROM t WHERE t.b && o.b) >= 0 AS any FROM o;
FETCH 6 FROM c;
FETCH BACKWARD 3 FROM c;
FETCH 2 FROM c;
ROLLBACK;

-- who hides rows: the policy is in both plans
CREATE TABLE mine AS SELECT *, CASE WHEN id % 3 = 0 THEN 'regress_repeated' ELSE 'other' END AS owner FROM t;
ANALYZE mine;
CREATE ROLE regress_repeated;
GRANT USAGE ON SCHEMA repeated_node TO regress_repeated;
GRANT SELECT ON mine, o TO regress_repeated;
ALTER TABLE mine ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON mine USING (owner = current_user);
SET ROLE regress_repeated;
SELECT sum((SELECT count(*) FROM mine t WHERE t.b && o.b)) = sum((SELECT count(*) FROM mine t WHERE t.b && o.b AND random() >= 0)) AS same,
       sum((SELECT count(*) FROM mine t WHERE t.b && o.b AND t.id % 3 <> 0)) AS hidden FROM o;
RESET ROLE;
DROP TABLE mine;
DROP OWNED BY regress_repeated;
DROP ROLE regress_repeated;

-- more rows than the planner expects, and than fit into memory: the first plan does the rest
CREATE FUNCTION is_all(i int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 1 AS 'BEGIN RETURN i > 0; END';
CREATE TABLE many AS SELECT i AS id, point(i % 300, i / 300) AS p, repeat('x', 60) AS filler FROM generate_series(1, 30000) i;
ANALYZE many;
CREATE FUNCTION explained(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT json) ' || query INTO plan;
  RETURN plan;
END $$;
CREATE FUNCTION searches(memory text) RETURNS TABLE (searches text, by_first_plan boolean, too_many text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('work_mem', memory, true), set_config('hash_mem_multiplier', '1', true);
  RETURN QUERY SELECT n ->> 'Searches', (n ->> 'Searches by the First Plan')::int > 10, n ->> 'Too Many Rows'
  FROM explained('SELECT (SELECT count(t.filler) FROM many t WHERE is_all(t.id) AND t.p <@ o.b) FROM o') plan,
       jsonb_path_query(plan, 'strict $.**?(@."Custom Plan Provider" == "Spqtree Repeated Search")') n;
END $$;
SELECT * FROM searches('16MB');
SELECT * FROM searches('5MB');
BEGIN;
SET LOCAL work_mem = '5MB';
SET LOCAL hash_mem_multiplier = 1;
SELECT (compare('SELECT o.id, (SELECT count(t.filler) FROM many t WHERE is_all(t.id) AND t.p <@ o.b) FROM o')).*;
ROLLBACK;

-- an index finds the rows of one value faster; one value is not worth it
SELECT tst.plan_of('SELECT (SELECT count(*) FROM t WHERE t.b && o.b) FROM o') ~ 'Repeated Search' AS without_index;
CREATE INDEX t_b ON t USING spqtree (b);
VACUUM ANALYZE t;
SELECT tst.plan_of('SELECT (SELECT count(*) FROM t WHERE t.b && o.b) FROM o') ~ 'Repeated Search' AS with_index;
DROP INDEX t_b;
SELECT tst.plan_of('SELECT n FROM o, LATERAL (SELECT count(*) AS n FROM t WHERE t.b && o.b) x WHERE o.id = 7') ~ 'Repeated Search' AS one_value;
SET spqtree.enable_repeated = off;
SELECT tst.plan_of('SELECT (SELECT count(*) FROM t WHERE t.b && o.b) FROM o') ~ 'Repeated Search' AS repeated;
RESET spqtree.enable_repeated;
EXPLAIN (COSTS OFF, VERBOSE) SELECT o.id, n FROM o, LATERAL (SELECT count(*) AS n FROM t WHERE t.b && o.b AND t.kind > o.kind) x;
DROP SCHEMA repeated_node CASCADE;
