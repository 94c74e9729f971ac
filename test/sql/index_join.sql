--
-- Joins of two indexes, leaf by leaf: the rows of nested loops over the tables.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '30min';   -- a loop without end shall be a failure
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA index_join;
SET search_path = index_join, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: joins of two indexes with seed %', (SELECT seed FROM setup); END $$;

--
-- Data: for each shape two tables with the same columns.
--
CREATE FUNCTION shape_box(shape text, seed bigint, i int) RETURNS box LANGUAGE plpgsql AS $$
DECLARE
  a float8 := tst.rnd(seed, i, 1);
  b float8 := tst.rnd(seed, i, 2);
  c float8 := tst.rnd(seed, i, 3);
  d float8 := tst.rnd(seed, i, 4);
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,3,1e-300,1e-6,-1e-6,1e300,-1e300}';
  n int := cardinality(special);
BEGIN
  RETURN CASE shape
    WHEN 'uniform' THEN box(point(a * 100, b * 100), point(a * 100 + c ^ 2 * 4, b * 100 + d ^ 2 * 4))
    WHEN 'clusters' THEN box(point(i % 7 * 1e5 + a, i % 5 * 77e4 + b), point(i % 7 * 1e5 + a + c * 0.05, i % 5 * 77e4 + b + d * 0.05))
    WHEN 'identical' THEN '((3,4),(5,7))'
    -- touching at edges and corners, some points or lines, many equal
    WHEN 'grid' THEN box(point(floor(a * 60), floor(b * 60)), point(floor(a * 60) + floor(c * 3), floor(b * 60) + floor(d * 3)))
    -- gaps of about EPSILON
    WHEN 'epsilon' THEN box(point(floor(a * 60) * 0.25e-6, floor(b * 60) * 0.25e-6),
                            point((floor(a * 60) + floor(c * 9)) * 0.25e-6, (floor(b * 60) + floor(d * 9)) * 0.25e-6))
    WHEN 'special' THEN CASE WHEN i % 3 = 0 THEN box(point(a * 5, b * 5), point(a * 5 + c, b * 5 + d))
                        ELSE box(point(special[1 + floor(a * n)], special[1 + floor(b * n)]),
                                 point(special[1 + floor(c * n)], special[1 + floor(d * n)])) END
    -- a few boxes of the size of the map
    WHEN 'mixed' THEN CASE WHEN i % 97 = 0 THEN box(point(a * 1000 - 900, b * 1000 - 900), point(a * 1000, b * 1000))
                      ELSE box(point(a * 100, b * 100), point(a * 100 + c, b * 100 + d)) END
    -- "box # box" returns boxes with their corners the wrong way round
    WHEN 'inverted' THEN CASE WHEN i % 2 = 0 THEN box(point(a * 50, b * 50), point(a * 50 + c, b * 50 + d))
                         ELSE coalesce(box(point(floor(a * 50), b * 50), point(floor(a * 50) + 1, b * 50 + d)) #
                                       box(point(floor(a * 50) + 1 + 5e-7, b * 50), point(floor(a * 50) + 2, b * 50 + c)), '((1,1),(2,2))') END
  END;
END $$;

CREATE FUNCTION shape_rows(shape text, side int, first int, last int)
RETURNS TABLE (id int, b box, p point, c circle, y polygon, v box3, q point3, k int, t text) LANGUAGE sql AS $$
  SELECT i,
         CASE WHEN i % 23 <> 7 THEN bx END,
         CASE WHEN i % 29 <> 3 THEN CASE i % 3 WHEN 0 THEN bx[0] WHEN 1 THEN bx[1] ELSE center(bx) END END,
         CASE WHEN i % 19 <> 4 THEN circle(center(bx), abs((bx[0])[0] - (bx[1])[0]) / 2) END,
         CASE WHEN i % 17 = 5 THEN NULL WHEN i % 4 = 0 THEN polygon(bx)
              ELSE format('%s,%s,%s', bx[0], bx[1], point((bx[i % 2])[0], (bx[1 - i % 2])[1]))::polygon END,
         CASE WHEN i % 23 <> 5 THEN box3(point3((bx[1])[0], (bx[1])[1], i % 40), point3((bx[0])[0], (bx[0])[1], i % 40 + i % 7)) END,
         CASE WHEN i % 23 <> 6 THEN point3((bx[1])[0], (bx[1])[1], i % 40) END,
         NULLIF(tst.rndint(seed, i, 11, 0, 4), 0),
         (ARRAY['a', 'b', 'B', 'b ', '', NULL])[tst.rndint(seed, i, 12, 1, 6)]
  FROM generate_series(first, last) i,
       LATERAL (SELECT s.seed * 10 + CASE WHEN i % 6 = 0 THEN 1 ELSE side END AS seed FROM setup s) s,
       LATERAL (SELECT shape_box(shape, seed, i) AS bx) bx
$$;

CREATE TABLE shape (nr serial, shape text, rows1 int, rows2 int);
INSERT INTO shape (shape, rows1, rows2) VALUES
  ('uniform', 900, 700), ('clusters', 600, 600), ('identical', 230, 60), ('grid', 500, 500), ('epsilon', 400, 400),
  ('special', 300, 300), ('mixed', 900, 900), ('inverted', 500, 500);

--
-- Histories: rows that the index was built with, and later ones; updated, deleted, dead,
-- not visible to all.
--
CREATE FUNCTION make(shape text, side int, n int, history int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t text := shape || side;
BEGIN
  EXECUTE format('CREATE TABLE %I AS SELECT * FROM shape_rows(%L, %s, 1, %s)', t, shape, side,
                 CASE history WHEN 0 THEN n WHEN 1 THEN n / 2 ELSE 0 END);
  EXECUTE format('CREATE INDEX ON %1$I USING spqtree (b) INCLUDE (id, k, t);
                  CREATE INDEX ON %1$I USING spqtree (p) INCLUDE (id);
                  CREATE INDEX ON %1$I USING spqtree (c); CREATE INDEX ON %1$I USING spqtree (y);
                  CREATE INDEX ON %1$I USING spqtree (v) INCLUDE (id, k); CREATE INDEX ON %1$I USING spqtree (q) INCLUDE (id)', t);
  IF history > 0 THEN
    EXECUTE format('INSERT INTO %I SELECT * FROM shape_rows(%L, %s, %s, %s)', t, shape, side,
                   CASE history WHEN 1 THEN n / 2 + 1 ELSE 1 END, n);
  END IF;
END $$;
SELECT count(make(shape, side, CASE side WHEN 1 THEN rows1 ELSE rows2 END, (nr + side) % 3))
FROM shape, generate_series(1, 2) side;
VACUUM (ANALYZE) uniform1, uniform2, clusters1, clusters2, identical1, identical2, grid1, grid2,
  epsilon1, epsilon2, special1, special2, mixed1, mixed2, inverted1, inverted2;
-- from here on some pages are not all-visible
DELETE FROM uniform1 WHERE id % 5 = 0;
UPDATE clusters2 SET k = 3, id = id + 100000 WHERE id % 11 = 0;
UPDATE grid1 SET b = b + point(1, 0) WHERE id % 3 = 0;
DELETE FROM mixed2 WHERE id % 2 = 0;
VACUUM mixed2;
INSERT INTO epsilon1 SELECT * FROM shape_rows('epsilon', 1, 501, 650);
DELETE FROM special1 WHERE id % 4 = 0;

--
-- The same query by each plan
--
CREATE FUNCTION use_plan(plan text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_indexjoin', CASE plan WHEN 'indexes' THEN 'on' ELSE 'off' END, true),
          set_config('spqtree.enable_hashjoin', 'off', true),
          set_config('spqtree.enable_unique_semijoin', 'off', true),
          set_config('enable_hashjoin', CASE plan WHEN 'indexes' THEN 'off' ELSE 'on' END, true),
          set_config('enable_mergejoin', 'off', true),
          set_config('enable_nestloop', CASE plan WHEN 'indexes' THEN 'off' ELSE 'on' END, true),
          set_config('enable_seqscan', CASE plan WHEN 'indexes' THEN 'off' ELSE 'on' END, true),
          set_config('enable_indexscan', CASE plan WHEN 'indexes' THEN 'on' ELSE 'off' END, true),
          set_config('enable_indexonlyscan', CASE plan WHEN 'indexes' THEN 'on' ELSE 'off' END, true),
          set_config('enable_bitmapscan', 'off', true);
END $$;

CREATE TABLE ran (condition text, form text, shape text, used boolean, same boolean, nrows bigint);
CREATE FUNCTION compare(condition text, form text, shape text, query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wrapped text := format('SELECT count(*), md5(string_agg(r::text, '','' ORDER BY r::text)) FROM (%s) r', query);
  expected text;
  found text;
  n bigint;
  used boolean;
BEGIN
  PERFORM use_plan('loop');
  IF tst.plan_has(wrapped, 'Spqtree') THEN
    RAISE WARNING 'the reference uses a node: %', query;
  END IF;
  BEGIN
    EXECUTE wrapped INTO n, expected;
    PERFORM use_plan('indexes');
    used := tst.plan_has(wrapped, 'Spqtree Index Join');
    EXECUTE wrapped INTO n, found;
  EXCEPTION WHEN numeric_value_out_of_range THEN
    RETURN;   -- an operator, for huge coordinates, which either plan may evaluate
  END;
  IF found IS DISTINCT FROM expected THEN
    RAISE WARNING 'wrong rows: %', query;
  END IF;
  INSERT INTO ran VALUES (condition, form, shape, used, found IS NOT DISTINCT FROM expected, n);
END $$;

CREATE TABLE form (nr serial, form text, query text);
INSERT INTO form (form, query) VALUES
  ('inner', 'SELECT l.id, r.id AS other FROM %1$I1 l JOIN %1$I2 r ON %2$s'),
  ('count', 'SELECT count(*) FROM %1$I1 l JOIN %1$I2 r ON %2$s'),
  ('left', 'SELECT l.id, l.k, r.id AS other, r.t FROM %1$I1 l LEFT JOIN %1$I2 r ON %2$s'),
  ('right', 'SELECT l.id, l.k, r.id AS other, r.t FROM %1$I1 l RIGHT JOIN %1$I2 r ON %2$s'),
  ('left filter', 'SELECT l.id, r.id AS other FROM %1$I1 l LEFT JOIN %1$I2 r ON %2$s AND l.k < r.k WHERE r.t IS DISTINCT FROM ''a'''),
  ('semi', 'SELECT l.id, l.t FROM %1$I1 l WHERE EXISTS (SELECT FROM %1$I2 r WHERE %2$s)'),
  ('semi filter', 'SELECT l.id FROM %1$I1 l WHERE l.k > 1 AND EXISTS (SELECT FROM %1$I2 r WHERE %2$s AND l.k = r.k AND r.t <> ''B'')'),
  ('anti', 'SELECT l.id, l.t FROM %1$I1 l WHERE NOT EXISTS (SELECT FROM %1$I2 r WHERE %2$s)'),
  ('anti filter', 'SELECT l.id FROM %1$I1 l WHERE NOT EXISTS (SELECT FROM %1$I2 r WHERE %2$s AND r.k >= l.k)'),
  ('filter', 'SELECT l.id, l.t, r.id AS other, r.k FROM %1$I1 l JOIN %1$I2 r ON %2$s WHERE l.k = 2 AND r.t = ''b'''),
  ('equality', 'SELECT l.id, r.id AS other FROM %1$I1 l JOIN %1$I2 r ON %2$s AND l.k = r.k AND l.t = r.t'),
  ('window', 'SELECT l.id, r.id AS other FROM %1$I1 l JOIN %1$I2 r ON %2$s WHERE l.b && ''((0,0),(30,40))'' AND r.v && ''(0,0,0),(60,35,9)'''),
  ('whole', 'SELECT l AS one, r AS two FROM %1$I1 l JOIN %1$I2 r ON %2$s'),
  ('ctid', 'SELECT l.id, r.id AS other FROM %1$I1 l JOIN %1$I2 r ON %2$s WHERE l.ctid <> r.ctid');
CREATE TABLE condition (nr serial, condition text);
INSERT INTO condition (condition) VALUES
  ('l.b && r.b'), ('l.b @> r.b'), ('l.b <@ r.b'), ('l.b @> r.p'), ('l.p <@ r.b'), ('l.c && r.c'), ('l.y && r.y'), ('l.y @> r.p'), ('l.p <@ r.c'),
  ('l.v && r.v'), ('l.v @> r.v'), ('l.v @> r.q'), ('l.q <@ r.v'),
  -- one side is no column, so its rows are joined with the index of the other
  ('l.b + point(0.25,0) && r.b'), ('l.b @> r.b + point(0,1e-6)'), ('r.p <@ (l.b + point(0,0.5))'), ('l.p + point(0.1,0) <@ r.c'),
  ('spqtree_dwithin(l.b, r.p, 0.5)'), ('polygon(l.b) && r.y'), ('box3(l.q, l.q + point3(1,1,1)) && r.v'),
  -- the boxes in the indexes may be apart
  ('spqtree_dwithin(l.p, r.p, 0.7)'), ('spqtree_dwithin(l.b, r.b, 0.25e-6)'), ('l.b && spqtree_expand(r.b, 2)'),
  ('spqtree_dwithin(l.c, r.y, 0.5)'), ('spqtree_dwithin(l.v, r.q, 1)'), ('spqtree_dwithin(l.q, r.v, 0)'),
  ('spqtree_dwithin(l.b, r.c, ''Infinity'')'), ('spqtree_dwithin(l.b, r.p, -1)'), ('spqtree_dwithin(l.p, r.b, ''NaN'')');
SELECT count(compare(condition, form, shape, format(query, shape, condition)))
FROM shape, condition, form
WHERE condition.nr = 1 OR (form.nr + condition.nr + shape.nr) % (CASE condition.nr WHEN 2 THEN 3 ELSE 14 END) = 0;
-- batches of few rows
SET work_mem = '64kB'; SET hash_mem_multiplier = 1;
SELECT count(compare(condition, form, shape, format(query, shape, condition)))
FROM shape, condition, form
WHERE condition.nr > 13 AND (form.nr + condition.nr + shape.nr) % 14 = 7;
RESET work_mem; RESET hash_mem_multiplier;
SELECT condition, count(*) AS queries, count(*) FILTER (WHERE used) AS by_indexes, count(*) FILTER (WHERE NOT same) AS wrong,
  sum(nrows) > 1000 AS many
FROM ran GROUP BY condition ORDER BY condition COLLATE "C";
SELECT form, count(*) AS queries, count(*) FILTER (WHERE used) AS by_indexes, count(*) FILTER (WHERE NOT same) AS wrong
FROM ran GROUP BY form ORDER BY form COLLATE "C";

--
-- The plan, and its counts
--
CREATE FUNCTION explain(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
    CONTINUE WHEN line ~ 'Index Searches';
    -- PostgreSQL 19 makes pages all-visible when they are read
    line := regexp_replace(line, 'Heap Fetches: [1-9]\d*', 'Heap Fetches: N');
    RETURN NEXT regexp_replace(regexp_replace(line, 'Memory Usage: \d+kB', 'Memory Usage: NkB'), 'rows=(\d+)\.00 ', 'rows=\1 ');
  END LOOP;
END $$;
SET spqtree.enable_hashjoin = off; SET enable_hashjoin = off; SET enable_nestloop = off; SET enable_seqscan = off; SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SELECT explain('SELECT count(*) FROM mixed1 l JOIN mixed2 r ON l.b && r.b');
SELECT explain('SELECT l.id, r.t FROM grid1 l JOIN grid2 r ON l.b && r.b AND l.k < r.k WHERE l.b && ''((0,0),(30,30))'' AND r.t <> ''a''');
SELECT explain('SELECT l.id FROM identical1 l WHERE NOT EXISTS (SELECT FROM identical2 r WHERE l.c && r.c)');
-- a batch has as many rows as fit into memory, and the leaves of all batches count
CREATE FUNCTION batches(query text, OUT several boolean, OUT leaves_of_all boolean, OUT little_memory boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
  node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  node := jsonb_path_query_first(plan, '$.** ? (@."Custom Plan Provider" == "Spqtree Index Join")');
  several := (node ->> 'Batches')::int > 1;
  leaves_of_all := (node ->> 'Leaves')::int > 50;
  little_memory := (node ->> 'Memory Usage')::int BETWEEN 100 AND 999;
END $$;
SET work_mem = '256kB'; SET hash_mem_multiplier = 1;
SELECT * FROM batches('SELECT count(l.w) FROM (SELECT b, repeat(''x'', 3000) AS w FROM mixed1 OFFSET 0) l JOIN mixed1 r ON l.b && r.b');
RESET work_mem; RESET hash_mem_multiplier;

--
-- Rescans, with parameters in the condition of an index, in a filter and in the join
--
CREATE FUNCTION rescans() RETURNS TABLE (x int, n bigint, m bigint, o bigint, p bigint) LANGUAGE sql AS $$
  SELECT x, (SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b && r.b WHERE l.b && box(point(x, x), point(x + 20, x + 20))),
    (SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b && r.b WHERE r.k = x % 4),
    (SELECT sum(l.id) FROM grid1 l JOIN grid2 r ON l.b @> r.p AND l.k + x > r.id % 7),
    (SELECT count(*) FROM uniform1 l JOIN uniform2 r ON spqtree_dwithin(l.p, r.p, NULLIF(x, 30) / 20.0))
  FROM generate_series(0, 60, 15) x
$$;
CREATE TABLE expected AS SELECT * FROM rescans() WHERE false;
BEGIN;
SELECT use_plan('loop');
INSERT INTO expected SELECT * FROM rescans();
COMMIT;
SELECT * FROM expected EXCEPT SELECT * FROM rescans();
SELECT count(*), array_agg(p ORDER BY x) FROM expected WHERE n > 0 AND o > 0;
-- a distance that is not known to the planner
SET plan_cache_mode = force_generic_plan;
PREPARE within(float8) AS SELECT count(*) FROM uniform1 l JOIN uniform2 r ON spqtree_dwithin(l.p, r.p, $1);
SELECT tst.plan_has('EXECUTE within(0.75)', 'Spqtree Index Join');
EXECUTE within(0.75);
EXECUTE within(2.25);
RESET plan_cache_mode;

--
-- A cursor sees its snapshot, while the rows and the pages of both indexes change
--
CREATE TABLE left_rows AS SELECT id, b FROM uniform1 WHERE b IS NOT NULL;
CREATE TABLE right_rows AS SELECT id, b FROM uniform2 WHERE b IS NOT NULL;
CREATE INDEX ON left_rows USING spqtree (b) INCLUDE (id);
CREATE INDEX ON right_rows USING spqtree (b) INCLUDE (id);
VACUUM (ANALYZE) left_rows, right_rows;
BEGIN;
CREATE TABLE seen (id int, other int);
CREATE TABLE later (id int, other int);
SELECT tst.plan_has('SELECT l.id, r.id AS other FROM left_rows l JOIN right_rows r ON l.b && r.b', 'Spqtree Index Join');
INSERT INTO seen SELECT l.id, r.id FROM left_rows l JOIN right_rows r ON l.b && r.b;
DO $$
DECLARE
  pairs CURSOR FOR SELECT l.id, r.id AS other FROM left_rows l JOIN right_rows r ON l.b && r.b;
  pair record;
  n int := 0;
BEGIN
  OPEN pairs;
  LOOP
    FETCH pairs INTO pair;
    EXIT WHEN NOT FOUND;
    INSERT INTO later VALUES (pair.id, pair.other);
    n := n + 1;
    IF n = 3 THEN
      DELETE FROM left_rows WHERE id % 2 = 0;
      INSERT INTO left_rows SELECT id + 10000, b FROM uniform2 WHERE b IS NOT NULL;
      UPDATE right_rows SET b = b + point(0.5, 0);
      INSERT INTO right_rows SELECT id, b FROM uniform1 WHERE b IS NOT NULL;
    END IF;
  END LOOP;
END $$;
SELECT count(*) > 100 AS many FROM later;
(TABLE seen EXCEPT ALL TABLE later) UNION ALL (TABLE later EXCEPT ALL TABLE seen);
CREATE TABLE afterwards AS SELECT l.id, r.id AS other FROM left_rows l JOIN right_rows r ON l.b && r.b;
SET LOCAL spqtree.enable_indexjoin = off; SET LOCAL enable_nestloop = on;
CREATE TABLE by_loop AS SELECT l.id, r.id AS other FROM left_rows l JOIN right_rows r ON l.b && r.b;
(TABLE by_loop EXCEPT ALL TABLE afterwards) UNION ALL (TABLE afterwards EXCEPT ALL TABLE by_loop);
ROLLBACK;
-- the end before all rows
SELECT count(*) FROM (SELECT l.id FROM left_rows l JOIN right_rows r ON l.b && r.b LIMIT 5) s;
PREPARE near(int) AS SELECT count(*) FROM left_rows l JOIN right_rows r ON l.b && r.b WHERE l.id % 7 = $1;
CREATE FUNCTION near_all() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  n bigint;
  total bigint := 0;
BEGIN
  FOR i IN 0 .. 6 LOOP
    EXECUTE format('EXECUTE near(%s)', i) INTO n;
    total := total + n;
  END LOOP;
  RETURN total;
END $$;
SELECT near_all() = count(*) AS same FROM left_rows l JOIN right_rows r ON l.b && r.b;

--
-- Workers
--
CREATE FUNCTION sums() RETURNS TABLE (form text, n bigint, a bigint, b bigint) LANGUAGE sql AS $$
  SELECT 'inner', count(*), sum(l.id), sum(r.id) FROM mixed1 l JOIN mixed2 r ON l.b && r.b
  UNION ALL SELECT 'left', count(*), sum(l.id), sum(r.id) FROM mixed1 l LEFT JOIN mixed2 r ON l.b && r.b AND l.k < r.k
  UNION ALL SELECT 'semi', count(*), sum(l.id), 0 FROM mixed1 l WHERE EXISTS (SELECT FROM mixed2 r WHERE l.p <@ r.b)
  UNION ALL SELECT 'anti', count(*), sum(l.id), 0 FROM mixed1 l WHERE NOT EXISTS (SELECT FROM mixed2 r WHERE l.y && r.y)
$$;
CREATE TABLE alone AS SELECT * FROM sums();
SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_index_scan_size = 0;
SET min_parallel_table_scan_size = 0;
ALTER TABLE mixed1 SET (parallel_workers = 2);
SELECT tst.plan_has('SELECT count(*) FROM mixed1 l JOIN mixed2 r ON l.b && r.b', 'Parallel Custom Scan (Spqtree Index Join)');
CREATE TABLE together AS SELECT * FROM sums();
SELECT * FROM alone EXCEPT SELECT * FROM together;
SELECT count(*) FROM together WHERE n > 10;
SET max_parallel_workers_per_gather = 0;

--
-- Partitions; tables that are not read as a whole, or not alone
--
CREATE TABLE part1 (LIKE uniform1) PARTITION BY LIST (k);
CREATE TABLE part1_1 PARTITION OF part1 FOR VALUES IN (1, 2);
CREATE TABLE part1_2 PARTITION OF part1 DEFAULT;
CREATE TABLE part2 (LIKE uniform1) PARTITION BY LIST (k);
CREATE TABLE part2_1 PARTITION OF part2 FOR VALUES IN (1, 2);
CREATE TABLE part2_2 PARTITION OF part2 DEFAULT;
INSERT INTO part1 SELECT * FROM uniform1;
INSERT INTO part2 SELECT * FROM uniform2;
CREATE INDEX ON part1 USING spqtree (b);
CREATE INDEX ON part2 USING spqtree (b);
VACUUM (ANALYZE) part1, part2;
SET enable_partitionwise_join = on;
SELECT count(*) FROM explain('SELECT count(*), sum(l.id) FROM part1 l JOIN part2 r ON l.k = r.k AND l.b && r.b') line
WHERE line ~ 'Spqtree Index Join';
CREATE TABLE by_parts AS SELECT count(*), sum(l.id), sum(r.id) AS others FROM part1 l JOIN part2 r ON l.k = r.k AND l.b && r.b;
BEGIN;
SELECT use_plan('loop');
SELECT EXISTS (TABLE by_parts INTERSECT SELECT count(*), sum(l.id), sum(r.id) FROM part1 l JOIN part2 r ON l.k = r.k AND l.b && r.b) AS same;
COMMIT;
RESET enable_partitionwise_join;
CREATE TABLE parent (id int, b box);
CREATE TABLE child () INHERITS (parent);
INSERT INTO parent SELECT id, b FROM uniform1;
INSERT INTO child SELECT id, b FROM uniform2;
CREATE INDEX ON parent USING spqtree (b);
CREATE INDEX ON child USING spqtree (b);
CREATE INDEX child_some ON child USING spqtree (b) WHERE id > 100;
VACUUM (ANALYZE) parent, child;
SET enable_nestloop = on; SET enable_seqscan = on;
SELECT q, tst.plan_has(q, 'Spqtree Index Join') FROM unnest(ARRAY[
  'SELECT count(*) FROM parent l JOIN uniform2 r ON l.b && r.b',
  'SELECT count(*) FROM ONLY parent l JOIN uniform2 r ON l.b && r.b',
  'SELECT count(*) FROM uniform1 l TABLESAMPLE system (50) JOIN uniform2 r ON l.b && r.b',
  'SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b ~= r.b',
  'SELECT count(*) FROM uniform1 l FULL JOIN uniform2 r ON l.b && r.b AND l.id = r.id',
  'SELECT count(*) FROM uniform1 l JOIN (SELECT * FROM uniform2 OFFSET 0) r ON l.b && r.b',
  'SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b && r.b + point(1, 1)']) q;
SET spqtree.enable_indexjoin = off;
SELECT tst.plan_has('SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b && r.b', 'Spqtree Index Join');
SET spqtree.enable_indexjoin = on;
SET spqtree.enable = off;
SELECT tst.plan_has('SELECT count(*) FROM uniform1 l JOIN uniform2 r ON l.b && r.b', 'Spqtree Index Join');
SET spqtree.enable = on;
-- an index without some of the rows
DROP INDEX child_b_idx;
SELECT q, tst.plan_has(q, 'Spqtree Index Join') FROM unnest(ARRAY[
  'SELECT count(*) FROM child l JOIN uniform2 r ON l.b && r.b',
  'SELECT count(*) FROM child l JOIN uniform2 r ON l.b && r.b WHERE l.id > 100']) q;

--
-- Costs: boxes are compared before conditions that are no index conditions, and whatever the relation is.  Each of
-- these joins once took a plan with millions of candidates, by default settings.  The memory of a batch has a limit.
--
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF) ' || query;
END $$;
CREATE FUNCTION number_in(query text, name text) RETURNS bigint LANGUAGE sql AS $$
  SELECT coalesce(max(substring(line FROM name || ': (\d+)')::bigint), 0) FROM explained(query) line;
$$;
CREATE TABLE large1 AS SELECT i AS id, i % 1000 AS k, repeat('x', 300) AS w, box(point(x, y), point(x + 150 * tst.rnd(1, i, 3), y + 150 * tst.rnd(1, i, 4))) AS b
FROM generate_series(1, 20000) i, LATERAL (SELECT 1000 * tst.rnd(1, i, 1) AS x, 1000 * tst.rnd(1, i, 2) AS y) v;
CREATE TABLE large2 AS SELECT i AS id, i % 1000 AS k, repeat('x', 300) AS w, box(point(x, y), point(x + 150 * tst.rnd(2, i, 3), y + 150 * tst.rnd(2, i, 4))) AS b
FROM generate_series(1, 20000) i, LATERAL (SELECT 1000 * tst.rnd(2, i, 1) AS x, 1000 * tst.rnd(2, i, 2) AS y) v;
CREATE TABLE huge AS SELECT i AS id, box(point(x, y), point(x + 200, y + 200)) AS b
FROM generate_series(1, 5000) i, LATERAL (SELECT 800 * tst.rnd(3, i, 1) AS x, 800 * tst.rnd(3, i, 2) AS y) v;
CREATE TABLE little AS SELECT i AS id, box(point(x, y), point(x + 10 * tst.rnd(4, i, 3), y + 10 * tst.rnd(4, i, 4))) AS b
FROM generate_series(1, 100000) i, LATERAL (SELECT 1000 * tst.rnd(4, i, 1) AS x, 1000 * tst.rnd(4, i, 2) AS y) v;
CREATE INDEX ON large1 USING spqtree (b);
CREATE INDEX ON large2 USING spqtree (b);
CREATE INDEX ON little USING spqtree (b);
VACUUM ANALYZE large1;
VACUUM ANALYZE large2;
VACUUM ANALYZE huge;
VACUUM ANALYZE little;
CREATE TABLE thin1 AS SELECT id, 'w' || id AS w, box(b[1] + point(0.3, 0.3), b[1]) AS b FROM little ORDER BY id * 7919 % 100003;
CREATE TABLE thin2 AS SELECT id, box(b[0] + point(0.01, 0.01), b[0]) AS b FROM little ORDER BY id * 7919 % 100003;
CREATE INDEX ON thin1 USING spqtree (b) INCLUDE (id);
CREATE INDEX ON thin2 USING spqtree (b) INCLUDE (id);
VACUUM ANALYZE thin1;
VACUUM ANALYZE thin2;
SET spqtree.enable_hashjoin = on; SET enable_hashjoin = on; SET enable_mergejoin = on; SET enable_bitmapscan = on;
SELECT q, number_in(q, 'Candidates') < 500000 AS few FROM unnest(ARRAY[
  'SELECT count(*) FROM large1 a WHERE EXISTS (SELECT FROM large2 c WHERE a.b && c.b AND c.k = 5)',
  'SELECT count(*) FROM large1 a WHERE NOT EXISTS (SELECT FROM large2 c WHERE a.b && c.b AND c.k = 5)',
  'SELECT count(*) FROM large1 a JOIN large2 c ON a.b && c.b WHERE c.k = 5',
  'SELECT count(*) FROM huge a WHERE EXISTS (SELECT FROM little c WHERE a.b <@ c.b)',
  'SELECT count(*) FROM huge a JOIN little c ON a.b <@ c.b',
  'SELECT count(*) FROM huge a JOIN little c ON c.b @> a.b']) q;
-- nor are all rows of the outer side read by the index, for a column that it lacks
SELECT q, number_in(q, 'Heap Fetches') > 50000 AS fetches_all FROM unnest(ARRAY[
  'SELECT a.w, c.id FROM thin1 a LEFT JOIN thin2 c ON a.b && c.b',
  'SELECT a.w FROM thin1 a WHERE NOT EXISTS (SELECT FROM thin2 c WHERE a.b && c.b)']) q;
SET work_mem = '1MB'; SET hash_mem_multiplier = 1;
SET spqtree.enable_hashjoin = off; SET enable_hashjoin = off; SET enable_nestloop = off; SET enable_mergejoin = off; SET spqtree.enable_unique_semijoin = off;
SELECT number_in(q, 'Batches') > 0 AS batches, number_in(q, 'Memory Usage') < 1200 AS little
FROM (VALUES ('SELECT count(*) FROM huge a WHERE EXISTS (SELECT FROM little c WHERE box(point(-1, a.id), point(1001, -1)) && c.b)')) v(q);
RESET spqtree.enable_unique_semijoin;
RESET work_mem; RESET hash_mem_multiplier;

--
-- Row security: no hidden row reaches a function
--
CREATE FUNCTION shown(i int) RETURNS boolean LANGUAGE plpgsql COST 1 AS $$
BEGIN
  IF i % 2 = 0 THEN
    RAISE EXCEPTION 'hidden row % reached the function', i;
  END IF;
  RETURN true;
END $$;
CREATE TABLE secret AS SELECT id, b FROM uniform1;
CREATE INDEX ON secret USING spqtree (b) INCLUDE (id);
VACUUM (ANALYZE) secret;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON secret USING (id % 2 = 1);
CREATE ROLE spqtree_index_join_user;
GRANT USAGE ON SCHEMA index_join TO spqtree_index_join_user;
GRANT SELECT ON secret, uniform2 TO spqtree_index_join_user;
SET enable_nestloop = off; SET enable_seqscan = off;
SET ROLE spqtree_index_join_user;
SELECT tst.plan_has('SELECT count(*) FROM secret l JOIN uniform2 r ON l.b && r.b AND shown(l.id + 0 * r.id)', 'Spqtree Index Join');
SELECT count(*) > 50 AS many, bool_and(l.id % 2 = 1) AS odd FROM secret l JOIN uniform2 r ON l.b && r.b AND shown(l.id + 0 * r.id);
RESET ROLE;
DROP SCHEMA index_join CASCADE;
DROP ROLE spqtree_index_join_user;
