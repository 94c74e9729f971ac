--
-- The spatial hash join in the executor: rescans, cursors, prepared statements,
-- early ends, locks, large values, partitions, foreign tables, batches.
--
-- Each answer is compared with that of the nested loop.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
CREATE SCHEMA node_executor;
SET search_path = node_executor;
CREATE TABLE l AS SELECT i AS id, box(point(i % 50, i / 50), point(i % 50 + 0.9, i / 50 + 0.9)) AS b, i % 4 AS k,
  repeat('l', 30) AS pad FROM generate_series(0, 1999) i;
CREATE TABLE r AS SELECT id + 5000 AS id, CASE WHEN id % 11 > 0 THEN b + point(0.3, 0.7) END AS b, nullif(k, 3) AS k,
  repeat('r', 30) AS pad FROM l WHERE id % 5 = 0;
ANALYZE l, r;

--
-- Rescans, in memory and in batches: without a change, with a changed parameter of
-- the probe side, of the build side, of the filter.
--
CREATE TABLE query (nr serial, query text);
INSERT INTO query (query) VALUES
  ('SELECT x, q.* FROM generate_series(1, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b OFFSET 0) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b WHERE l.k = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l LEFT JOIN r ON l.b && r.b AND r.k = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l RIGHT JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), max(l.pad) FROM l WHERE NOT EXISTS (SELECT FROM r WHERE l.b && r.b AND r.k < x AND r.pad <= ''rs'')) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id), max(r.pad) FROM r WHERE EXISTS (SELECT FROM l WHERE l.b && r.b AND l.id % 5 < x AND l.pad <= ''m'')) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id), sum(length(l.pad || r.pad)) FROM l RIGHT JOIN r ON l.b + point(x, 0) && r.b) q'),
  ('SELECT k, (SELECT count(*) FROM l JOIN r ON l.b && r.b WHERE r.k = q.k) FROM (SELECT DISTINCT k FROM l) q'),
  ('SELECT x, EXISTS (SELECT FROM l JOIN r ON l.b && r.b WHERE r.k + l.k = x) FROM generate_series(0, 8) x'),
  ('SELECT x, (SELECT r.id FROM l JOIN r ON l.b && r.b AND r.id > x + 5000 ORDER BY 1 LIMIT 1) FROM generate_series(0, 2000, 300) x');
SET work_mem = '4MB';
SELECT nr, c.* FROM query, tst.compared(query) c ORDER BY nr;
SET work_mem = '64kB';
SELECT nr, c.* FROM query, tst.compared(query) c ORDER BY nr;
-- a repeated full join is a left join and what a right join adds
SET enable_nestloop = off;
SELECT x, q.*
FROM generate_series(0, 3) x, LATERAL (SELECT count(*), count(l.id), count(r.id), sum(l.id), sum(r.id) FROM l
                                       FULL JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x) q ORDER BY 1;
SELECT x, q.* FROM generate_series(0, 3) x, LATERAL (
  SELECT count(*), count(l.id), count(r.id), sum(l.id), sum(r.id)
  FROM (SELECT l, r FROM l LEFT JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x
        UNION ALL SELECT NULL, r FROM r
        WHERE NOT EXISTS (SELECT FROM l WHERE l.b && r.b AND (l.id + r.id) % 5 = x)) u (lr, rr),
          LATERAL (SELECT (lr).*) l, LATERAL (SELECT (rr).*) r) q ORDER BY 1;
RESET enable_nestloop;

--
-- A unique key: at most one match, which the spatial condition may reject
--
CREATE UNIQUE INDEX ON r (id);
SELECT * FROM tst.compared('SELECT l.id, r.id FROM l JOIN r ON l.b && r.b AND l.id + 5000 = r.id');
SELECT * FROM tst.compared('SELECT l.id, r.id FROM l LEFT JOIN r ON l.b && r.b AND l.id + 5050 = r.id');
SELECT * FROM tst.compared('SELECT l.id, r.id FROM r LEFT JOIN l ON l.b && r.b AND l.id + 5000 = r.id AND l.k <> 2');
-- a left join whose columns are not used is removed
EXPLAIN (COSTS OFF) SELECT l.id FROM l LEFT JOIN r ON l.b && r.b AND r.id = l.k;

--
-- Batches: wide rows, many equal boxes, values in TOAST tables
--
CREATE TABLE wide AS SELECT id, b, k, (SELECT string_agg(md5(i::text || id), '') FROM generate_series(1, 200) i) AS text
FROM l WHERE id % 4 = 0;
CREATE TABLE heap AS SELECT i AS id, box '((5,5),(6,6))' AS b, i % 100 AS k, repeat('h', i % 300) AS pad
FROM generate_series(1, 600) i;
ANALYZE wide, heap;
SELECT * FROM tst.compared('SELECT w.id, r.id, md5(w.text) FROM wide w LEFT JOIN r ON w.b && r.b');
SELECT * FROM tst.compared('SELECT w.id, r.id, md5(w.text) FROM r LEFT JOIN wide w ON w.b && r.b');
SELECT * FROM tst.compared('SELECT count(*), sum(length(h.pad || i.pad)) FROM heap h JOIN heap i ON h.b && i.b');
SELECT *
FROM tst.compared('SELECT h.id, i.id, i.pad FROM heap h JOIN heap i ON h.b && i.b AND h.k = i.k AND h.id <> i.id');
SELECT * FROM tst.compared('SELECT h.id, h.pad FROM heap h WHERE NOT EXISTS (SELECT FROM heap i WHERE h.b && i.b AND h.k = i.k AND i.id > h.id)');
SELECT * FROM tst.compared('SELECT h.id, l.pad FROM l LEFT JOIN heap h ON h.b && l.b AND h.id < 300');
-- polygons that are compressed or in TOAST tables; whole rows; values of other types
CREATE TABLE circled AS SELECT id, polygon(150, circle(center(b), 0.4)) AS y, ARRAY[k, id] AS a,
  ROW(id, b, k, pad)::l AS c FROM l WHERE id % 11 = 0;
SELECT * FROM tst.compared('SELECT c.*, r FROM circled c JOIN r ON c.y && polygon(r.b)');
SELECT *
FROM tst.compared('SELECT c.id, d FROM circled c LEFT JOIN circled d ON c.y @> (d.y::circle::point) AND c.id <> d.id');
SELECT * FROM tst.compared('SELECT l.ctid, r.tableoid::regclass, r.xmin = r.xmin, l FROM l RIGHT JOIN r ON l.b && r.b');
RESET work_mem;

--
-- Early ends
--
SELECT * FROM tst.compared('SELECT count(*) FROM (SELECT FROM l JOIN r ON l.b && r.b LIMIT 10) q');
SELECT * FROM tst.compared('SELECT exists(SELECT FROM l JOIN r ON l.b && r.b WHERE l.k = 1)');

SELECT * FROM tst.compared('SELECT min(n) FROM generate_series(1, 3) x, LATERAL (SELECT count(*) AS n FROM (SELECT FROM l LEFT JOIN r ON l.b && r.b AND r.k <> x LIMIT 700) q) q');

--
-- Cursors
--
BEGIN;
SELECT FROM tst.use_node(true);
DECLARE c SCROLL CURSOR FOR SELECT l.id, r.id FROM l JOIN r ON l.b && r.b WHERE l.id < 60 ORDER BY 1, 2;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH LAST FROM c;
FETCH ABSOLUTE 2 FROM c;
CLOSE c;
-- without ORDER BY: backwards, the same rows in reverse order
DECLARE c SCROLL CURSOR FOR SELECT l.id, r.id FROM l LEFT JOIN r ON l.b && r.b;
CREATE FUNCTION seen(c refcursor, direction text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  row record;
  result text[] := '{}';
BEGIN
  LOOP
    IF direction = 'forward' THEN
      FETCH NEXT FROM c INTO row;
      EXIT WHEN NOT FOUND;
      result := result || row::text;
    ELSE
      FETCH PRIOR FROM c INTO row;
      EXIT WHEN NOT FOUND;
      result := row::text || result;
    END IF;
  END LOOP;
  RETURN result;
END $$;
SELECT count(*) = (SELECT count(*) FROM l LEFT JOIN r ON l.b && r.b) AS all,
       min(nr) FILTER (WHERE forward IS DISTINCT FROM backward) AS "first that differs",
       min(nr) FILTER (WHERE forward IS DISTINCT FROM again) AS "and again"
FROM ROWS FROM (unnest(seen('c', 'forward')), unnest(seen('c', 'backward')), unnest(seen('c', 'forward')))
  WITH ORDINALITY s (forward, backward, again, nr);
CLOSE c;
DECLARE c NO SCROLL CURSOR FOR SELECT l.id FROM l JOIN r ON l.b && r.b;
MOVE 5 FROM c;
FETCH BACKWARD 1 FROM c;
ROLLBACK;
-- after the transaction, across savepoints, several at once
BEGIN;
SELECT FROM tst.use_node(true);
DECLARE c CURSOR WITH HOLD FOR SELECT count(*) OVER () FROM l JOIN r ON l.b && r.b;
DECLARE d CURSOR FOR SELECT 1 FROM l JOIN r ON l.b && r.b;
SAVEPOINT s;
MOVE 100 FROM d;
DECLARE e CURSOR FOR SELECT 1 FROM l JOIN r ON l.b && r.b;
MOVE 7 FROM e;
ROLLBACK TO s;
MOVE ALL FROM d;
COMMIT;
FETCH 1 FROM c;
CLOSE c;
-- a cursor sees the rows of the time when it was opened
BEGIN;
SELECT FROM tst.use_node(true);
DECLARE c CURSOR FOR SELECT l.id FROM l JOIN r ON l.b && r.b;
MOVE 1 FROM c;
DELETE FROM r;
MOVE ALL FROM c;
ROLLBACK;
-- PL/pgSQL
DO $$
DECLARE
  row record;
  n int := 0;
BEGIN
  PERFORM tst.use_node(true);
  FOR row IN SELECT l.id AS l, r.id AS r FROM l JOIN r ON l.b && r.b LOOP
    n := n + 1;
    IF n % 50 = 0 THEN
      BEGIN
        PERFORM 1 / 0;
      EXCEPTION WHEN division_by_zero THEN NULL;
      END;
    END IF;
  END LOOP;
  RAISE WARNING 'all of them: %', n = (SELECT count(*) FROM l, r WHERE l.b && r.b);
END $$;

--
-- Prepared statements
--
SET enable_nestloop = off;
SET plan_cache_mode = force_generic_plan;
PREPARE p(int, box, text) AS SELECT count(*), sum(l.id), max($3) FROM l LEFT JOIN r ON l.b && r.b AND r.k < $1
WHERE l.b && $2;
EXPLAIN (COSTS OFF) EXECUTE p(1, '((3,3),(9,9))', 'x');
EXECUTE p(1, '((3,3),(9,9))', 'x');
EXECUTE p(3, '((3,3),(9,9))', 'y');
EXECUTE p(NULL, '((3,3),(3,3))', NULL);
PREPARE q(box) AS SELECT count(*) FROM l JOIN r ON l.b && r.b AND l.b + point($1[0]) && r.b;
EXECUTE q('((0,0),(0,0))');
EXECUTE q('((0.1,0.2),(0,0))');
-- the plan is made again when the table changes
ALTER TABLE r ADD COLUMN extra int DEFAULT 7;
ALTER TABLE r DROP COLUMN pad;
EXECUTE p(3, '((3,3),(9,9))', 'y');
RESET plan_cache_mode;
RESET enable_nestloop;
SELECT * FROM tst.compared('SELECT l.id, r FROM l JOIN r ON l.b && r.b');

--
-- Statements that change rows, or lock them
--
CREATE TABLE changed (LIKE l);
INSERT INTO changed SELECT * FROM l;
BEGIN;
SELECT FROM tst.use_node(true);
EXPLAIN (COSTS OFF) UPDATE changed c SET k = 100 FROM r WHERE c.b && r.b AND r.k = c.k;
UPDATE changed c SET k = 100 FROM r WHERE c.b && r.b AND r.k = c.k;
DELETE FROM changed c USING r WHERE c.b && r.b AND r.k = 2;
SELECT count(*), sum(id), sum(k) FROM changed;
MERGE INTO changed c USING (SELECT * FROM r WHERE id % 3 = 0 AND b IS NOT NULL) r ON c.b ~= r.b - point(0.3, 0.7)
WHEN MATCHED AND c.k = 100 THEN DELETE WHEN MATCHED THEN UPDATE SET k = -1
  WHEN NOT MATCHED THEN INSERT VALUES (r.id, r.b, 1000, '');
SELECT count(*), sum(id), sum(k) FROM changed;
ROLLBACK;
BEGIN;
SELECT FROM tst.use_node(true);
INSERT INTO changed SELECT l.id, r.b, 5, '' FROM l JOIN r ON l.b && r.b;
SELECT count(*) FROM (SELECT c.id FROM changed c JOIN r ON c.b && r.b WHERE r.k = 1 FOR UPDATE OF c) q;
SELECT count(*) FROM (SELECT c.id FROM r LEFT JOIN changed c ON c.b && r.b FOR SHARE OF r) q;
ROLLBACK;
BEGIN;
SELECT FROM tst.use_node(false);
UPDATE changed c SET k = 100 FROM r WHERE c.b && r.b AND r.k = c.k;
DELETE FROM changed c USING r WHERE c.b && r.b AND r.k = 2;
SELECT count(*), sum(id), sum(k) FROM changed;
MERGE INTO changed c USING (SELECT * FROM r WHERE id % 3 = 0 AND b IS NOT NULL) r ON c.b ~= r.b - point(0.3, 0.7)
WHEN MATCHED AND c.k = 100 THEN DELETE WHEN MATCHED THEN UPDATE SET k = -1
  WHEN NOT MATCHED THEN INSERT VALUES (r.id, r.b, 1000, '');
SELECT count(*), sum(id), sum(k) FROM changed;
ROLLBACK;

--
-- Partitioned tables, joined by partition or as a whole
--
CREATE TABLE lp (LIKE l) PARTITION BY LIST (k);
CREATE TABLE lp_01 PARTITION OF lp FOR VALUES IN (0, 1) PARTITION BY RANGE (id);
CREATE TABLE lp_01_a PARTITION OF lp_01 FOR VALUES FROM (0) TO (1000);
CREATE TABLE lp_01_b PARTITION OF lp_01 FOR VALUES FROM (1000) TO (9000);
CREATE TABLE lp_23 PARTITION OF lp FOR VALUES IN (2, 3);
CREATE TABLE rp (id int, pad text, k int, b box) PARTITION BY LIST (k);
CREATE TABLE rp_01 PARTITION OF rp FOR VALUES IN (0, 1) PARTITION BY RANGE (id);
CREATE TABLE rp_01_a PARTITION OF rp_01 FOR VALUES FROM (0) TO (1000);
CREATE TABLE rp_01_b (b box, dropped int, id int, k int, pad text);
ALTER TABLE rp_01_b DROP COLUMN dropped;
ALTER TABLE rp_01 ATTACH PARTITION rp_01_b FOR VALUES FROM (1000) TO (9000);
CREATE TABLE rp_23 PARTITION OF rp FOR VALUES IN (2, 3);
INSERT INTO lp SELECT * FROM l;
INSERT INTO rp SELECT id - 5000, 'x', k, b FROM r WHERE k IS NOT NULL;
ANALYZE lp, rp;
SET enable_partitionwise_join = on;
SET enable_nestloop = off;
SET enable_hashjoin = off;
SET spqtree.enable_hashjoin = always;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT FROM lp l JOIN rp r ON l.b && r.b AND l.k = r.k;
RESET enable_nestloop;
RESET enable_hashjoin;
RESET spqtree.enable_hashjoin;
RESET enable_mergejoin;
SELECT * FROM tst.compared('SELECT l.*, r.* FROM lp l JOIN rp r ON l.b && r.b AND l.k = r.k');
SELECT * FROM tst.compared('SELECT l, r FROM lp l LEFT JOIN rp r ON l.b && r.b AND l.k = r.k AND l.id + r.id > 999');
SELECT * FROM tst.compared('SELECT l.*, r.* FROM lp l JOIN rp r ON l.b && r.b AND l.k = r.k AND l.id = r.id');
SELECT * FROM tst.compared('SELECT r, r.tableoid::regclass FROM lp l RIGHT JOIN rp r ON l.b && r.b AND l.k = r.k WHERE l.id IS NULL');
SELECT * FROM tst.compared('SELECT l FROM lp l WHERE EXISTS (SELECT FROM rp r WHERE l.b && r.b AND l.k = r.k)');
SELECT * FROM tst.compared('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id) FROM lp l JOIN rp r ON l.b && r.b AND l.k = r.k AND l.id % 5 = x) q');
SELECT * FROM tst.compared('SELECT l, r FROM lp l JOIN rp r ON l.b && r.b AND l.k = r.k JOIN lp m ON m.b && r.b AND m.k = r.k WHERE m.id % 3 = 0');
-- run-time pruning: a parameter leaves some partitions, or none
SELECT * FROM tst.compared('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id) FROM lp l JOIN rp r ON l.b && r.b WHERE l.k = x AND r.k = x) q');
SET enable_partitionwise_join = off;
SELECT * FROM tst.compared('SELECT l, r FROM lp l LEFT JOIN rp r ON l.b && r.b AND l.k = r.k AND l.id + r.id > 999');
-- changes through the parent
BEGIN;
SELECT FROM tst.use_node(true);
UPDATE lp SET k = 3 - lp.k FROM rp WHERE lp.b && rp.b AND lp.id = rp.id;
SELECT tableoid::regclass, count(*), sum(k) FROM lp GROUP BY 1 ORDER BY 1;
DELETE FROM rp USING lp WHERE lp.b && rp.b AND lp.k <> rp.k;
SELECT tableoid::regclass, count(*), sum(k) FROM rp GROUP BY 1 ORDER BY 1;
ROLLBACK;
BEGIN;
SELECT FROM tst.use_node(false);
UPDATE lp SET k = 3 - lp.k FROM rp WHERE lp.b && rp.b AND lp.id = rp.id;
SELECT tableoid::regclass, count(*), sum(k) FROM lp GROUP BY 1 ORDER BY 1;
DELETE FROM rp USING lp WHERE lp.b && rp.b AND lp.k <> rp.k;
SELECT tableoid::regclass, count(*), sum(k) FROM rp GROUP BY 1 ORDER BY 1;
ROLLBACK;

--
-- Sources other than tables
--
SELECT * FROM tst.compared('SELECT f.i, r.id FROM (SELECT i, box(point(i, i), point(i + 1, i + 1)) AS b FROM generate_series(0, 60) i) f LEFT JOIN r ON f.b && r.b');
SELECT * FROM tst.compared('WITH w AS MATERIALIZED (SELECT id, b FROM l WHERE k = 2) SELECT w.id, x.id FROM w JOIN w x ON w.b && x.b');
SELECT * FROM tst.compared('WITH RECURSIVE w(id, b, depth) AS (SELECT id, b, 0 FROM l WHERE id = 1010 UNION ALL SELECT l.id, l.b, depth + 1 FROM w JOIN l ON l.b + point(0.2, 0.2) && w.b WHERE depth < 4) SELECT * FROM w');
SELECT * FROM tst.compared('SELECT v.n, l.id FROM (VALUES (1, box ''((3,3),(4,4))''), (2, NULL), (3, ''((-5,-5),(0,0))'')) v(n, b) LEFT JOIN l ON l.b && v.b');
SELECT * FROM tst.compared('SELECT g.k, count(*) FROM (SELECT k, (array_agg(b ORDER BY id))[1] AS b FROM l GROUP BY k) g JOIN l ON l.b && g.b GROUP BY 1');
SELECT * FROM tst.compared('SELECT l.id, r.id, row_number() OVER (ORDER BY l.id, r.id) FROM l JOIN r ON l.b && r.b');
-- a foreign table, if file_fdw is installed
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS file_fdw SCHEMA node_executor;
  CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
  CREATE FOREIGN TABLE diagonal (i int) SERVER files OPTIONS (program 'i=0; while [ $i -lt 40 ]; do echo $i; i=$((i + 1)); done');
EXCEPTION WHEN undefined_file OR feature_not_supported THEN
  CREATE TABLE diagonal AS SELECT i FROM generate_series(0, 39) i;
END $$;
SELECT *
FROM tst.compared('SELECT d.i, r.id FROM diagonal d LEFT JOIN r ON box(point(i, i), point(i + 1, i + 1)) && r.b');
SELECT * FROM tst.compared('SELECT d.i, e.i FROM diagonal d JOIN diagonal e ON box(point(d.i, 0), point(d.i + 1, 0)) && box(point(e.i, 0), point(e.i, 0)) AND d.i <> e.i');
-- a volatile function is called at most once for each pair
CREATE SEQUENCE called;
CREATE FUNCTION call(int) RETURNS boolean VOLATILE COST 10000
LANGUAGE sql AS $$ SELECT nextval('called') > 0 AND $1 > 0 $$;
SELECT * FROM tst.compared('SELECT l.id, r.id FROM l JOIN r ON l.b && r.b AND call(l.id + r.id)');
SELECT (SELECT last_value FROM called) = 2 * count(*) AS "once a pair" FROM l, r WHERE l.b && r.b;
-- errors in conditions are raised, and the session still works
SET enable_nestloop = off;
SELECT count(*) FROM l JOIN r ON l.b && r.b AND 1 / (l.id + r.id - 7002) < 2;
SELECT count(*) FROM l FULL JOIN r ON l.b && box(point(1 / (r.id - 6000), 0), point(0, 0));
SELECT count(*) FROM l LEFT JOIN r ON l.b && r.b WHERE coalesce(1 / (r.id - 6000), 0) < 2;
SELECT count(*) FROM l JOIN r ON l.b && r.b;
RESET enable_nestloop;
DROP SCHEMA node_executor CASCADE;
