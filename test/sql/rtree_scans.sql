--
-- Scans of the access method spqtree in the ways in which the executor uses them:
-- again and again, partly, beside changes by the same transaction.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';   -- a loop without end shall be a failure

CREATE TABLE scanned (id int PRIMARY KEY, kind int, b box);
INSERT INTO scanned
SELECT i, i % 7, CASE WHEN i % 100 = 3 THEN NULL ELSE box(point(x, y), point(x + w, y + w)) END
FROM generate_series(1, 10000) i,
     LATERAL (SELECT tst.rnd(200, i, 1) * 1000 AS x, tst.rnd(200, i, 2) * 1000 AS y,
              tst.rnd(200, i, 3) ^ 4 * 40 AS w) v;
CREATE INDEX scanned_b ON scanned USING spqtree (b) INCLUDE (id);
VACUUM ANALYZE scanned;

-- The rows of a query with only one kind of scan of "scanned s" allowed, which the plan must have.
CREATE FUNCTION answer(query text, plan text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean := plan = 'seq';
BEGIN
  PERFORM tst.allow(plan);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    hit := hit OR line ~ (CASE plan WHEN 'index' THEN 'Index Scan using scanned_b'
                          WHEN 'index only' THEN 'Index Only Scan using scanned_b'
                          ELSE 'Bitmap Index Scan on scanned_b' END);
  END LOOP;
  IF NOT hit THEN RAISE EXCEPTION 'the plan has no "%" scan', plan USING DETAIL = query; END IF;
  RETURN tst.rows(query);
END $$;
-- Whether the rows are those of a sequential scan; a notice names those that differ.
CREATE FUNCTION same(query text, plans text[] DEFAULT '{index,index only,bitmap}') RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  truth text[] := answer(query, 'seq');
  different text;
BEGIN
  SELECT string_agg(p || ': ' || tst.differing(truth, answer(query, p)), '; ') INTO different FROM unnest(plans) p;
  IF different IS NOT NULL THEN RAISE NOTICE '%: %', different, query; END IF;
  RETURN different IS NULL;
END $$;

-- Nested loops: the inner scan starts again for each outer row, also with NULL, also after an
-- end before the last row.
CREATE TABLE outer_row AS
SELECT i AS nr, CASE WHEN i % 11 = 0 THEN NULL ELSE box(point(x, y), point(x + 30, y + 30)) END AS q, CASE
       WHEN i % 13 = 0 THEN NULL ELSE point(x, y) END AS p
FROM generate_series(1, 60) i, LATERAL (SELECT tst.rnd(201, i, 1) * 1000 AS x, tst.rnd(201, i, 2) * 1000 AS y) v;
ANALYZE outer_row;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_nearest = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SELECT kind, same(query)
FROM (VALUES ('join', $$SELECT count(*) || ' ' || sum(s.id * nr) FROM outer_row JOIN scanned s ON s.b && q$$),
             ('left join', $$SELECT count(*) || ' ' || count(s.id) || ' ' || sum(s.id * nr) FROM outer_row LEFT JOIN scanned s ON s.b @> p$$),
             ('two conditions', $$SELECT count(*) || ' ' || sum(s.id * nr) FROM outer_row JOIN scanned s ON s.b && q AND s.b &> box(p, p)$$),
             ('first rows', $$SELECT string_agg(coalesce(f::text, '-'), ' ' ORDER BY nr) FROM outer_row LEFT JOIN LATERAL (SELECT count(*) AS f FROM (SELECT FROM scanned s WHERE s.b && q LIMIT 2) l) r ON true$$),
             ('three levels', $$SELECT count(*) || ' ' || sum(t.id) FROM outer_row JOIN scanned s ON s.b && q JOIN LATERAL (SELECT id FROM scanned t WHERE t.b @> s.b) t ON true WHERE nr < 20$$),
             ('exists', $$SELECT string_agg(nr::text, ' ' ORDER BY nr) FROM outer_row WHERE EXISTS (SELECT FROM scanned s WHERE s.b @> q AND s.id % 3 = 0 OFFSET 0)$$),
             ('IS NULL', $$SELECT count(*) || ' ' || sum(s.id * nr) FROM outer_row JOIN LATERAL (SELECT id FROM scanned s WHERE s.b IS NULL AND s.id + 0 > nr OFFSET 0) s ON true$$)) v(kind, query);
SELECT kind, same(query, '{index,index only}')
FROM (VALUES ('nearest', $$SELECT string_agg(d, ' ' ORDER BY nr) FROM outer_row LEFT JOIN LATERAL (SELECT array_agg(x)::text AS d FROM (SELECT s.b <-> p AS x FROM scanned s ORDER BY s.b <-> p LIMIT 3) l) r ON true$$),
             ('five nearest for each', $$SELECT nr, d FROM outer_row CROSS JOIN LATERAL (SELECT s.b <-> p AS d FROM scanned s ORDER BY d LIMIT 5) n$$),
             ('nearest to a box', $$SELECT string_agg(d, ' ' ORDER BY nr) FROM outer_row LEFT JOIN LATERAL (SELECT array_agg(x)::text AS d FROM (SELECT s.b <-> q AS x FROM scanned s WHERE s.b >> box(p, p) ORDER BY s.b <-> q LIMIT 5) l) r ON true$$),
             ('of each kind', $$SELECT string_agg(d, ' ' ORDER BY nr, k) FROM outer_row, generate_series(0, 2) k, LATERAL (SELECT array_agg(x)::text AS d FROM (SELECT s.b <-> p AS x FROM scanned s WHERE s.id % 3 = k AND s.b IS NOT NULL ORDER BY s.b <-> p LIMIT 2) l) r$$),
             ('two orders', $$SELECT string_agg(d, ' ' ORDER BY nr) FROM outer_row LEFT JOIN LATERAL (SELECT array_agg(x)::text AS d FROM (SELECT s.b <-> p AS x FROM scanned s ORDER BY s.b <-> p, s.b <-> q LIMIT 3) l) r ON true$$)) v(kind, query);
RESET spqtree.enable_hashjoin;
RESET spqtree.enable_nearest;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_memoize;
-- without any setting
EXPLAIN (COSTS OFF) SELECT nr, n.id, d FROM outer_row
  CROSS JOIN LATERAL (SELECT s.id, s.b <-> p AS d FROM scanned s ORDER BY d LIMIT 5) n;

-- NULLs, and several conditions at once.
SELECT cond, same(format('SELECT count(*) || '' '' || coalesce(sum(id), 0) FROM scanned s WHERE %s', cond))
FROM (VALUES ('b IS NULL'), ('b IS NOT NULL'), ('b IS NULL AND b IS NOT NULL'),
      ($$b IS NULL AND b && box '((0,0),(1000,1000))'$$),
             ($$b IS NOT NULL AND b && box '((0,0),(100,100))'$$),
             ($$b && box '((0,0),(500,500))' AND b && box '((400,400),(900,900))' AND b >> box '((450,0),(450,0))'$$),
             ($$b &< box '((500,500),(400,400))' AND b &> box '((300,300),(200,200))' AND b &<| box '((500,500),(400,400))' AND b |&> box '((300,300),(200,200))'$$),
             ($$b << box '((500,500),(400,400))' AND b >> box '((500,500),(400,400))'$$),
             ($$b ~= (SELECT b FROM scanned WHERE id = 1) AND b @> (SELECT b FROM scanned WHERE id = 1) AND b <@ (SELECT b FROM scanned WHERE id = 1)$$),
             ($$b && box '((0,0),(300,300))' AND NOT b @> point '(100,100)'$$)) v(cond);
SELECT same($$SELECT count(*) || ' ' || sum(id) FROM scanned s WHERE b && box '((0,0),(300,300))' AND kind = 3$$,
            '{index,bitmap}'),
       same($$SELECT count(*) || ' ' || sum(id) FROM scanned s WHERE b && box '((0,0),(100,100))' OR b @> point '(500,500)' OR b IS NULL$$, '{bitmap}'),
       (SELECT count(*) FROM scanned s WHERE b && NULL) AS "NULL";
-- No condition at all: every row, NULLs too.
SELECT same('SELECT count(*) || '' '' || sum(id) || count(b) FROM scanned s', '{index only}'),
       same('SELECT count(*) || '' '' || count(x) FROM (SELECT b <-> point ''(5,5)'' AS x FROM scanned s ORDER BY 1) o',
            '{index,index only}');
-- NULL as the argument of a condition, or of an order.
PREPARE by_parameter(box, point) AS SELECT count(*) FROM (SELECT id FROM scanned WHERE b && $1 ORDER BY b <-> $2) s;
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_sort = off;
SET enable_bitmapscan = off;
EXECUTE by_parameter(NULL, '(1,1)');
EXECUTE by_parameter('((0,0),(100,100))', NULL);
EXECUTE by_parameter('((0,0),(100,100))', '(5,5)');
EXECUTE by_parameter('((NaN,0),(100,100))', '(5,5)');
EXECUTE by_parameter('((0,0),(Infinity,100))', '(NaN,5)');
RESET plan_cache_mode;
DEALLOCATE by_parameter;

-- Cursors: in parts, closed before the end, held beyond the transaction.
BEGIN;
DECLARE forward NO SCROLL CURSOR FOR SELECT b <-> point '(500,500)' AS d FROM scanned ORDER BY b <-> point '(500,500)';
SELECT count(*) FROM scanned WHERE b && box '((0,0),(1000,1000))';
FETCH 2 FROM forward;
MOVE 5000 FROM forward;
FETCH 1 FROM forward;
MOVE ALL FROM forward;
FETCH 1 FROM forward;
SAVEPOINT s;
FETCH PRIOR FROM forward;
ROLLBACK TO s;
CLOSE forward;
DECLARE both_ways SCROLL CURSOR WITH HOLD FOR SELECT id, b <-> point '(500,500)' AS d FROM scanned
WHERE b <@ box '((450,450),(550,550))' ORDER BY b <-> point '(500,500)', id;
FETCH 2 FROM both_ways;
COMMIT;
FETCH PRIOR FROM both_ways;
FETCH ABSOLUTE 3 FROM both_ways;
CLOSE both_ways;

-- What a cursor still has to return: old rows, new rows.
CREATE FUNCTION drain(c refcursor) RETURNS TABLE (n bigint, different bigint) LANGUAGE plpgsql AS $$
DECLARE
  row int;
  ids int[] := '{}';
BEGIN
  LOOP
    FETCH c INTO row;
    EXIT WHEN NOT FOUND;
    ids := ids || row;
  END LOOP;
  RETURN QUERY SELECT count(*), count(DISTINCT i) FROM unnest(ids) i WHERE i <= 10000;
  RETURN QUERY SELECT count(*), count(DISTINCT i) FROM unnest(ids) i WHERE i > 10000;
END $$;
-- An open scan and changes of the same transaction: the cursor sees what was there
-- when it was opened, each row once, however much the tree grows.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM scanned WHERE b && box '((-1,-1),(2000,2000))';
MOVE 100 FROM c;
INSERT INTO scanned SELECT 20000 + i, 0, box(point(x, y), point(x + 1, y + 1))
FROM generate_series(1, 5000) i, LATERAL (SELECT tst.rnd(202, i, 1) * 1000 AS x, tst.rnd(202, i, 2) * 1000 AS y) v;
DELETE FROM scanned WHERE id % 5 = 0;
UPDATE scanned SET b = b + point(300, 0) WHERE id % 5 = 1;
MOVE 1000 FROM c;
SELECT * FROM drain('c');
SELECT count(*) FROM scanned WHERE b && box '((-1,-1),(2000,2000))';
ROLLBACK;
SELECT count(*) FROM scanned WHERE b && box '((-1,-1),(2000,2000))';
-- The same for an ordered scan.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM scanned WHERE b IS NOT NULL ORDER BY b <-> point '(500,500)';
MOVE 100 FROM c;
INSERT INTO scanned SELECT 20000 + i, 0, box(point(500, 500), point(501, 501)) FROM generate_series(1, 3000) i;
DELETE FROM scanned WHERE id % 5 = 0;
UPDATE scanned SET b = box(point(500, 500), point(500 + id, 500)) WHERE id % 5 = 1;
MOVE 1000 FROM c;
SELECT * FROM drain('c');
ROLLBACK;
-- A statement that feeds on the rows it finds does not find those that it makes.
BEGIN;
INSERT INTO scanned SELECT 30000 + id, kind, b + point(0.5, 0.5) FROM scanned WHERE b && box '((0,0),(600,600))';
SELECT count(*) = 2 * (SELECT count(*) FROM scanned WHERE id <= 30000 AND b && box '((0,0),(600,600))') AS once,
       count(*) > 2000 AS many
FROM scanned WHERE id > 30000 OR b && box '((0,0),(600,600))' AND id <= 30000;
UPDATE scanned SET b = b + point(10, 0) WHERE b && box '((0,0),(300,1000))';
SELECT count(*) AS wrong FROM scanned s
WHERE coalesce(b && box '((0,0),(300,1000))', false)
  IS DISTINCT FROM (ctid IN (SELECT ctid FROM scanned t WHERE t.b && box '((0,0),(300,1000))'));
ROLLBACK;
-- Positioned update, locks of rows.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM scanned WHERE b && box '((100,100),(200,200))' FOR UPDATE;
MOVE 3 FROM c;
UPDATE scanned SET b = '((5000,5000),(5001,5001))' WHERE CURRENT OF c;
DELETE FROM scanned WHERE CURRENT OF c;
SELECT count(*) FROM scanned WHERE b && box '((4000,4000),(6000,6000))';
SELECT count(*) > 0 AS found
FROM (SELECT id FROM scanned WHERE b IS NOT NULL ORDER BY b <-> point '(150,150)' LIMIT 5 FOR UPDATE SKIP LOCKED) s;
ROLLBACK;

-- Subtransactions that fail leave rows in the index that nobody sees.
BEGIN;
DO $$
BEGIN
  FOR i IN 1 .. 30 LOOP
    BEGIN
      INSERT INTO scanned SELECT 40000 + 100 * i + k, 0, box(point(2000 + i, k), point(2001 + i, k + 1))
      FROM generate_series(1, 99) k;
      IF i % 3 <> 0 THEN RAISE EXCEPTION 'no'; END IF;
    EXCEPTION WHEN raise_exception THEN
    END;
  END LOOP;
END $$;
SELECT count(*), min(id), max(id) FROM scanned WHERE b && box '((2000,0),(3000,200))';
SAVEPOINT s;
DELETE FROM scanned WHERE b && box '((2000,0),(3000,200))';
SELECT count(*) FROM scanned WHERE b && box '((2000,0),(3000,200))';
ROLLBACK TO s;
SELECT count(*) FROM scanned WHERE b && box '((2000,0),(3000,200))';
ROLLBACK;
SELECT count(*) FROM scanned WHERE b && box '((2000,0),(3000,200))';

-- Rows found dead are passed over from then on; their places are used again.
BEGIN;
INSERT INTO scanned SELECT 50000 + i, 0, box(point(3000 + i % 100, i / 100), point(3001 + i % 100, 1 + i / 100))
FROM generate_series(1, 2000) i;
COMMIT;
DELETE FROM scanned WHERE id > 50000 AND id % 2 = 0;
SELECT count(*) FROM scanned WHERE b && box '((3000,0),(4000,100))';
SELECT count(*) FROM scanned WHERE b && box '((3000,0),(4000,100))';
SELECT count(*) FROM (SELECT FROM scanned WHERE b && box '((3000,0),(4000,100))' ORDER BY b <-> point '(3050,50)') s;
SELECT count(*) FROM (SELECT FROM scanned WHERE b && box '((3000,0),(4000,100))' ORDER BY b <-> point '(3050,50)') s;
INSERT INTO scanned SELECT 60000 + i, 0, box(point(3000 + i % 100, i / 100), point(3001 + i % 100, 1 + i / 100))
FROM generate_series(1, 1000) i;
SELECT count(*) FROM scanned WHERE b && box '((3000,0),(4000,100))';
VACUUM scanned;
SELECT count(*) FROM scanned WHERE b && box '((3000,0),(4000,100))';
INSERT INTO scanned SELECT 70000 + i, 0, box(point(3000 + i % 100, i / 100), point(3001 + i % 100, 1 + i / 100))
FROM generate_series(1, 1000) i;
SELECT count(*) FROM scanned WHERE b && box '((3000,0),(4000,100))';
SELECT count(*) FROM (SELECT b FROM scanned OFFSET 0) s WHERE b && box '((3000,0),(4000,100))';
-- HOT updates and others: the index leads to the newest version.
BEGIN;
UPDATE scanned SET kind = kind + 1 WHERE b && box '((3000,0),(4000,100))';
UPDATE scanned SET kind = kind + 1 WHERE b && box '((3000,0),(4000,100))';
SELECT count(*), count(DISTINCT id) FROM scanned WHERE b && box '((3000,0),(4000,100))';
ROLLBACK;
SELECT count(*), count(DISTINCT id) FROM scanned WHERE b && box '((3000,0),(4000,100))';

-- A bitmap that has become lossy; bitmaps that are combined.
RESET enable_seqscan;
SELECT count(*), sum(id) FROM scanned WHERE b && box '((0,0),(900,900))' AND kind + 0 = 3;
SET enable_seqscan = off;
SET enable_indexscan = off;
SET enable_bitmapscan = on;
SET work_mem = '64kB';
SELECT count(*), sum(id) FROM scanned WHERE b && box '((0,0),(900,900))' AND kind + 0 = 3;
RESET work_mem;
EXPLAIN (COSTS OFF) SELECT count(*) FROM scanned
WHERE b && box '((0,0),(100,100))' AND b @> point '(50,50)' OR id BETWEEN 100 AND 110;
SELECT count(*), (SELECT count(*) FROM (SELECT * FROM scanned OFFSET 0) s WHERE b && box '((0,0),(200,200))' AND b >> box '((50,50),(50,50))' OR id BETWEEN 100 AND 110) AS expected
FROM scanned WHERE b && box '((0,0),(200,200))' AND b >> box '((50,50),(50,50))' OR id BETWEEN 100 AND 110;
RESET enable_indexscan;

-- Workers may scan it, each as a whole: as the inner side of a nested loop.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
RESET enable_seqscan;
SELECT sum(n) AS parallel, (SELECT count(*) FROM outer_row JOIN (SELECT * FROM scanned OFFSET 0) s ON s.b && q) AS expected
FROM outer_row, LATERAL (SELECT count(*) AS n FROM scanned WHERE b && q) c;
SELECT count(*), sum(id) FROM scanned WHERE b && box '((0,0),(900,900))';
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- Canceled in the middle, in a scan, an order and an insertion: nothing is left, and
-- the index goes on.
CREATE FUNCTION cancels(i int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN IF i % 100 = 0 THEN PERFORM pg_cancel_backend(pg_backend_pid()); END IF; RETURN true; END $$;
SET enable_seqscan = off;
\set VERBOSITY terse
SELECT count(*) FROM scanned WHERE b && box '((0,0),(900,900))' AND cancels(id);
SELECT count(*) FROM (SELECT id FROM scanned WHERE cancels(id) ORDER BY b <-> point '(5,5)') s;
INSERT INTO scanned SELECT 80000 + i, 0, box(point(i, i), point(i, i)) FROM generate_series(1, 100000) i WHERE cancels(i);
\set VERBOSITY default
SELECT count(*) FROM scanned WHERE b && box '((0,0),(2000,2000))' AND id > 80000;
SELECT count(*) = (SELECT count(*) FROM (SELECT b FROM scanned OFFSET 0) s WHERE b && box '((0,0),(2000,2000))') AS same
FROM scanned WHERE b && box '((0,0),(2000,2000))';

DROP FUNCTION answer, same, drain, cancels;
DROP TABLE scanned, outer_row;
