--
-- Parallel scans of the access method spqtree: each row by one process.  SPQTREE_REPEAT repeats
-- the scans that number of times: most of the time goes into starting processes.
--
\set repeat 1
\getenv repeat SPQTREE_REPEAT
SELECT set_config('tst.repeat', :'repeat', false) \gset
SET jit = off;
SET statement_timeout = '5min';   -- a process that waits for ever shall be a failure
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET max_parallel_workers_per_gather = 3;

CREATE TABLE wide_map (id int PRIMARY KEY, b box);
INSERT INTO wide_map
SELECT i, CASE WHEN i % 40 = 3 THEN NULL ELSE box(point(x, y), point(x + w, y + w)) END
FROM generate_series(1, 30000) i,
     LATERAL (SELECT tst.rnd(400, i, 1) * 1000 AS x, tst.rnd(400, i, 2) * 1000 AS y,
              tst.rnd(400, i, 3) ^ 4 * 40 AS w) v;
-- half of the pages are from the build, half from splits
CREATE INDEX wide_map_b ON wide_map USING spqtree (b) INCLUDE (id);
INSERT INTO wide_map
SELECT 30000 + i, box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 30000) i,
     LATERAL (SELECT tst.rnd(401, i, 1) * 1000 AS x, tst.rnd(401, i, 2) * 1000 AS y,
              tst.rnd(401, i, 3) ^ 4 * 40 AS w) v;
VACUUM ANALYZE wide_map;

-- Holds for each row, and is taken to be costly: something to share.
CREATE FUNCTION any_row(id int) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE COST 10000
LANGUAGE internal AS 'int4_bool';

-- The rows of a query by a parallel scan of that kind.
CREATE FUNCTION parallel_answer(query text, plan text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean := false;
  wanted text := CASE plan WHEN 'index' THEN 'Parallel Index Scan using wide_map_b'
                           WHEN 'index only' THEN 'Parallel Index Only Scan using wide_map_b'
                           WHEN 'bitmap' THEN 'Parallel Bitmap Heap Scan on wide_map' END;
BEGIN
  PERFORM tst.allow(plan);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    hit := hit OR line ~ wanted;
  END LOOP;
  IF NOT hit THEN RAISE EXCEPTION 'the plan has no parallel "%" scan', plan USING DETAIL = query; END IF;
  RETURN tst.rows(query);
END $$;
-- That they are the sequential scan's; a notice names those that differ.
CREATE FUNCTION same_answer(query text, plans text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  truth text[];
  different text;
  workers text := current_setting('max_parallel_workers_per_gather');
BEGIN
  PERFORM tst.allow('seq'), set_config('max_parallel_workers_per_gather', '0', true);
  truth := tst.rows(query);
  PERFORM set_config('max_parallel_workers_per_gather', workers, true);
  SELECT string_agg(p || ': ' || tst.differing(truth, parallel_answer(query, p)), '; ') INTO different
  FROM generate_series(1, current_setting('tst.repeat')::int), unnest(plans) p;
  IF different IS NOT NULL THEN RAISE NOTICE '%: %', different, query; END IF;
  RETURN different IS NULL;
END $$;

-- With the leader reading, too, and without.
CREATE VIEW all_same AS
SELECT cond, same_answer(query, '{index,index only,bitmap}') AS same
FROM (VALUES ($$b && box '((0,0),(1000,1000))'$$), ($$b && box '((0,0),(300,300))'$$),
      ($$b <@ box '((100,100),(900,500))'$$),
             ($$b @> point '(500,500)'$$), ($$b && box '((5000,5000),(6000,6000))'$$), ('b IS NULL'), ('b IS NOT NULL'),
             ($$b >> box '((450,0),(450,0))' AND b &<| box '((500,500),(400,400))'$$)) c(cond),
     LATERAL (SELECT format('SELECT count(*) || '' '' || coalesce(sum(id), 0) FROM wide_map t WHERE %s AND any_row(id)', cond) AS query) q;
SELECT * FROM all_same;
SET parallel_leader_participation = off;
SELECT * FROM all_same;
SELECT same_answer('SELECT count(*) || '' '' || sum(id) || '' '' || count(b) FROM wide_map t',
                   '{index only}') AS no_condition;
RESET parallel_leader_participation;
SELECT same_answer('SELECT count(*) || '' '' || sum(id) || '' '' || count(b) FROM wide_map t',
                   '{index only}') AS no_condition;
SELECT same_answer($$SELECT id FROM wide_map t WHERE b && box '((0,0),(600,600))'$$,
                   '{index,index only,bitmap}') AS ids;

-- A limit ends the scan before all parts are read.
SELECT same_answer($$SELECT count(*) || ' ' || bool_and(b && box '((0,0),(900,900))') FROM (SELECT b FROM wide_map t WHERE b && box '((0,0),(900,900))' LIMIT 777) s$$, '{index,index only}') AS limited;

-- Again and again: the inner side of a nested loop.
SET enable_material = off;
SET enable_memoize = off;
SELECT same_answer($$SELECT string_agg(x || ' ' || n || ' ' || coalesce(s, 0), ', ' ORDER BY x) FROM (VALUES (1), (2), (3), (4), (5)) v(x) LEFT JOIN
                     (SELECT count(*) AS n, sum(id) AS s FROM wide_map t
                      WHERE b && box '((100,100),(800,800))') s ON true$$, '{index,index only,bitmap}') AS again;
SELECT same_answer($$SELECT string_agg(x || ' ' || n, ', ' ORDER BY x) FROM (VALUES (1), (2), (3), (4), (5)) v(x) LEFT JOIN
                     (SELECT count(*) AS n FROM (SELECT id FROM wide_map t
                                                 WHERE b && box '((100,100),(800,800))' AND any_row(id)
                     LIMIT 500) s) s ON true$$, '{index,index only}') AS again_limited;
-- What a limit has left is not there when the scan begins again.  (The first time there is none: else
-- the workers of PostgreSQL keep it.)
SELECT same_answer($$SELECT string_agg(x || ' ' || n || ' ' || CASE WHEN x % 3 = 0 THEN s END, ', ' ORDER BY x) FROM generate_series(0, 8) x, LATERAL
                     (SELECT count(*) AS n, sum(id) AS s
                      FROM (SELECT id FROM wide_map t WHERE b && box '((100,100),(800,800))' AND any_row(id)
                            LIMIT CASE x % 3 WHEN 1 THEN 500 WHEN 2 THEN 9000 END) s) s$$,
                            '{index,index only}') AS again_after_limit;
RESET enable_material;
RESET enable_memoize;

-- Rows that the executor finds dead, in every process, and rows that VACUUM took.
SET max_parallel_workers_per_gather = 2;
DELETE FROM wide_map WHERE id % 3 = 0;
SELECT * FROM all_same;
SELECT * FROM all_same;
UPDATE wide_map SET b = box(b[0] + point(3, 3), b[1] + point(3, 3)) WHERE id % 7 = 0;
VACUUM wide_map;
SELECT * FROM all_same;
UPDATE wide_map SET b = box(b[0] - point(3, 3), b[1]) WHERE id % 7 = 1;
SELECT * FROM all_same;

-- A tree that is one leaf, and one without rows.
DELETE FROM wide_map WHERE id > 20;
VACUUM FULL wide_map;
ALTER TABLE wide_map SET (parallel_workers = 2);
ANALYZE wide_map;
SELECT * FROM all_same;
TRUNCATE wide_map;
ANALYZE wide_map;
SELECT * FROM all_same;

-- the number by which waits for the lock of a scan are shown, for all scans
SELECT name FROM pg_shmem_allocations WHERE name = 'spqtree';

RESET max_parallel_workers_per_gather;
DROP VIEW all_same;
DROP FUNCTION same_answer(text, text[]), parallel_answer(text, text), any_row(int);
DROP TABLE wide_map;
