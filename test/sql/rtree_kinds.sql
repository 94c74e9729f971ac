--
-- Kinds of tables, indexes and constraints with the access method spqtree that the file
-- usage, run by rtree_usage, has not.
--
SET statement_timeout = '5min';
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION kinds_fill(tab regclass, first int, last int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %s (id, b) SELECT i, box(point(x, y), point(x + w, y + w)) FROM generate_series(%s, %s) i,
                  LATERAL (SELECT tst.rnd(220, i, 1) * 300 AS x, tst.rnd(220, i, 2) * 300 AS y, tst.rnd(220, i, 3) ^ 4 * 20 AS w) v', tab, first, last);
END $$;

-- A deferrable exclusion constraint: within the transaction boxes may overlap.
CREATE TABLE tile (id int, b box, CONSTRAINT tile_b EXCLUDE USING spqtree (b WITH &&) DEFERRABLE);
INSERT INTO tile SELECT i, box(point(i, 0), point(i + 0.9, 1)) FROM generate_series(1, 1000) i;
UPDATE tile SET b = b + point(1, 0);
\set VERBOSITY terse
UPDATE tile SET b = b + point(0.5, 0) WHERE id % 2 = 0;
BEGIN;
SET CONSTRAINTS tile_b DEFERRED;
UPDATE tile SET b = b + point(0.5, 0) WHERE id % 2 = 0;
SELECT count(*) FROM tile s JOIN tile t ON s.b && t.b AND s.id < t.id;
UPDATE tile SET b = b + point(0.5, 0) WHERE id % 2 = 1;
COMMIT;
BEGIN;
SET CONSTRAINTS tile_b DEFERRED;
INSERT INTO tile VALUES (2000, '((5,0),(6,1))');
COMMIT;
SELECT count(*) FROM tile;
-- with an operator that no other index has: nothing contains another
CREATE TABLE flat (id int, b box, EXCLUDE USING spqtree (b WITH ~=) INCLUDE (id) WHERE (id > 0));
INSERT INTO flat VALUES (1, '((0,0),(1,1))'), (0, '((0,0),(1,1))'), (2, '((0,0),(1,1.000002))'), (3, NULL), (4, NULL), (5, '((NaN,NaN),(NaN,NaN))');
INSERT INTO flat VALUES (6, '((0,0),(1,1.0000005))');
INSERT INTO flat VALUES (7, '((NaN,NaN),(NaN,NaN))');
INSERT INTO flat VALUES (8, '((0,0),(1,1))') ON CONFLICT DO NOTHING;
INSERT INTO flat SELECT 10, b FROM flat WHERE id = 2;
UPDATE flat SET id = 9 WHERE id = 0;
\set VERBOSITY default
SELECT * FROM flat ORDER BY id;
DROP TABLE tile, flat;

-- Partitions that come and go, with an index each; boxes that move from one to another.
CREATE TABLE part (id int, b box) PARTITION BY HASH (id);
CREATE TABLE part_0 PARTITION OF part FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE part_1 (id int, b box);
SELECT kinds_fill('part_0', 1, 0);
INSERT INTO part_1 SELECT i, '((7,7),(8,8))' FROM generate_series(1, 3000) i WHERE satisfies_hash_partition('part'::regclass, 3, 1, i);
CREATE INDEX ON part_1 USING spqtree (b) INCLUDE (id);
CREATE INDEX part_b ON ONLY part USING spqtree (b) INCLUDE (id);
SELECT indisvalid FROM pg_index WHERE indexrelid = 'part_b'::regclass;
ALTER TABLE part ATTACH PARTITION part_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY RANGE (id);
CREATE TABLE part_20 PARTITION OF part_2 DEFAULT;
CREATE INDEX part_0_b ON part_0 USING spqtree (b) INCLUDE (id);
ALTER INDEX part_b ATTACH PARTITION part_0_b;
SELECT indisvalid FROM pg_index WHERE indexrelid = 'part_b'::regclass;
SELECT kinds_fill('part', 5000, 9000);
UPDATE part SET id = id + 10000 WHERE id % 10 = 0;
VACUUM ANALYZE part;
SELECT indrelid::regclass, indisvalid FROM pg_index i JOIN pg_inherits ON inhrelid = indexrelid WHERE indrelid::regclass::text LIKE 'part%' ORDER BY indrelid::regclass::text;
SET enable_seqscan = off;
SET enable_sort = off;
SET enable_bitmapscan = off;
SELECT count(*), sum(id) FROM part WHERE b && box '((0,0),(100,100))';
SELECT count(*), count(DISTINCT id), bool_and(d >= before) AS ordered FROM (SELECT id, d, lag(d, 1, 0) OVER () AS before FROM (SELECT id, b <-> point '(150,150)' AS d FROM part ORDER BY b <-> point '(150,150)') s) t;
RESET enable_seqscan;
RESET enable_sort;
RESET enable_bitmapscan;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SELECT count(*), sum(id) FROM part WHERE b && box '((0,0),(100,100))';
RESET ALL;
SET max_parallel_workers_per_gather = 0;
ALTER TABLE part DETACH PARTITION part_1;
SELECT * FROM tst.check_index('part_1', 6);
DROP TABLE part, part_1;

-- An expression of another type, with INCLUDE and a condition.
CREATE TABLE disk (id int, c circle, live bool);
INSERT INTO disk SELECT i, circle(point(tst.rnd(221, i, 1) * 100, tst.rnd(221, i, 2) * 100), tst.rnd(221, i, 3) * 3), i % 4 > 0 FROM generate_series(1, 3000) i;
CREATE INDEX disk_b ON disk USING spqtree (box(c)) INCLUDE (id) WHERE live;
INSERT INTO disk SELECT i, circle(point(tst.rnd(221, i, 1) * 100, tst.rnd(221, i, 2) * 100), tst.rnd(221, i, 3) * 3), i % 4 > 0 FROM generate_series(3001, 4000) i;
UPDATE disk SET live = NOT live WHERE id % 5 = 0;
ANALYZE disk;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM disk WHERE box(c) && box '((10,10),(30,30))' AND live;
SELECT count(*), (SELECT count(*) FROM (SELECT * FROM disk OFFSET 0) s WHERE box(c) && box '((10,10),(30,30))' AND live) AS expected FROM disk WHERE box(c) && box '((10,10),(30,30))' AND live;
SELECT bool_and(d >= before) AS ordered, count(*) FROM (SELECT d, lag(d, 1, 0) OVER () AS before FROM (SELECT box(c) <-> point '(50,50)' AS d FROM disk WHERE live ORDER BY box(c) <-> point '(50,50)') s) t;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE disk;

-- A box domain, a function's result, an array's element.
CREATE DOMAIN kinds_box AS box;
CREATE TABLE various (id int, d kinds_box, a box[], j jsonb);
INSERT INTO various SELECT i, b, ARRAY[b, b + point(1, 0)], jsonb_build_object('b', b::text) FROM generate_series(1, 1000) i, LATERAL (SELECT box(point(i, i), point(i + 1, i)) AS b) v;
CREATE INDEX ON various USING spqtree (d) INCLUDE (id);
CREATE INDEX ON various USING spqtree ((a[2]));
CREATE FUNCTION kinds_box(j jsonb) RETURNS box IMMUTABLE STRICT LANGUAGE sql RETURN (j ->> 'b')::box;
CREATE INDEX ON various USING spqtree (kinds_box(j));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM various WHERE d && box '((10,10),(20,20))';
SELECT count(*) FROM various WHERE a[2] && box '((10,10),(20,20))';
SELECT count(*) FROM various WHERE kinds_box(j) && box '((10,10),(20,20))';
EXPLAIN (COSTS OFF) SELECT count(*) FROM various WHERE a[2] && box '((10,10),(20,20))';
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE various;
DROP FUNCTION kinds_box;
DROP DOMAIN kinds_box;

-- Emptied and filled again in one transaction, in the same file, and rolled back.
CREATE TABLE again (id int, b box);
CREATE INDEX again_b ON again USING spqtree (b) INCLUDE (id);
SELECT kinds_fill('again', 1, 3000);
BEGIN;
TRUNCATE again;
SELECT kinds_fill('again', 1, 1000);
TRUNCATE again;
SELECT kinds_fill('again', 1, 10);
TRUNCATE again;
SELECT kinds_fill('again', 1, 2000);
SET LOCAL enable_seqscan = off;
SELECT count(*) FROM again WHERE b && box '((-1,-1),(999,999))';
ROLLBACK;
SELECT * FROM tst.check_index('again', 6);
BEGIN;
CREATE TABLE fresh (id int, b box);
CREATE INDEX fresh_b ON fresh USING spqtree (b) INCLUDE (id);
COPY fresh FROM STDIN;
1	(1,1),(0,0)
2	\N
3	(3,3),(2,2)
\.
-- (SP-GiST's cache remembers pages that TRUNCATE removes.)
SELECT kinds_fill('fresh', 5001, 15000);
INSERT INTO fresh SELECT i, NULL FROM generate_series(20001, 22000) i;
TRUNCATE fresh;
INSERT INTO fresh SELECT i, NULL FROM generate_series(20001, 21000) i;
SELECT kinds_fill('fresh', 1, 5000);
SAVEPOINT s;
REINDEX TABLE fresh;
DELETE FROM fresh WHERE id > 2500;
ROLLBACK TO s;
SELECT * FROM tst.check_index('fresh', 6);
COMMIT;
SELECT * FROM tst.check_index('fresh', 6);
-- Dropped and created again, in a transaction that fails.
BEGIN;
DROP INDEX again_b;
CREATE INDEX again_c ON again USING spqtree (b) INCLUDE (id) WITH (fillfactor = 20);
SELECT * FROM tst.check_index('again', 6, proportion => 9);
ROLLBACK;
SELECT * FROM tst.check_index('again', 6);
SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'again'::regclass;
-- A broken HOT chain: the index is younger than the row's newest version.
BEGIN;
UPDATE again SET id = id + 0;
CREATE INDEX again_partly ON again USING spqtree (b) INCLUDE (id) WHERE id % 2 = 0;
COMMIT;
DROP INDEX again_b;
SELECT count(*) FROM again WHERE b && box '((0,0),(100,100))' AND id % 2 = 0;
DROP INDEX again_partly;
SELECT count(*) FROM again WHERE b && box '((0,0),(100,100))' AND id % 2 = 0;
DROP TABLE again, fresh;

-- Unlogged tables become logged and back.
CREATE UNLOGGED TABLE loose (id int, b box);
CREATE INDEX loose_b ON loose USING spqtree (b) INCLUDE (id);
SELECT * FROM tst.check_index('loose', 1);
SELECT kinds_fill('loose', 1, 3000);
ALTER TABLE loose SET LOGGED;
SELECT kinds_fill('loose', 3001, 4000);
ALTER TABLE loose SET UNLOGGED;
SELECT kinds_fill('loose', 4001, 5000);
SELECT * FROM tst.check_index('loose', 6);
DROP TABLE loose;

-- Temporary tables: vacuumed, emptied at each commit, dropped at the commit.
CREATE TEMP TABLE brief (id int, b box);
CREATE INDEX ON brief USING spqtree (b) INCLUDE (id);
SELECT kinds_fill('brief', 1, 20000);
DELETE FROM brief WHERE id % 3 = 0;
VACUUM brief;
SELECT * FROM tst.check_index('brief', 3);
SELECT kinds_fill('brief', 20001, 40000);
UPDATE brief SET b = b + point(1000, 0) WHERE id % 2 = 0;
VACUUM ANALYZE brief;
SELECT * FROM tst.check_index('brief', 3);
CREATE TEMP TABLE briefer (id int, b box) ON COMMIT DELETE ROWS;
CREATE INDEX ON briefer USING spqtree (b) INCLUDE (id);
BEGIN;
SELECT kinds_fill('briefer', 1, 2000);
SELECT * FROM tst.check_index('briefer', 3);
COMMIT;
BEGIN;
SELECT kinds_fill('briefer', 1, 700);
SELECT * FROM tst.check_index('briefer', 3);
COMMIT;
SET enable_seqscan = off;
SELECT count(*) FROM briefer WHERE b IS NOT NULL;
RESET enable_seqscan;
BEGIN;
CREATE TEMP TABLE briefest (id int, b box) ON COMMIT DROP;
CREATE INDEX ON briefest USING spqtree (b) INCLUDE (id);
SELECT kinds_fill('briefest', 1, 2000);
SELECT * FROM tst.check_index('briefest', 3);
COMMIT;
DROP TABLE brief, briefer;

-- Other tablespaces, there and back.
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE kinds_space LOCATION '';
CREATE TABLE placed (id int, b box);
SELECT kinds_fill('placed', 1, 3000);
CREATE INDEX placed_b ON placed USING spqtree (b) INCLUDE (id) TABLESPACE kinds_space;
SELECT kinds_fill('placed', 3001, 4000);
ALTER INDEX placed_b SET TABLESPACE pg_default;
SELECT * FROM tst.check_index('placed', 6);
ALTER INDEX placed_b SET TABLESPACE kinds_space;
SELECT kinds_fill('placed', 4001, 5000);
REINDEX (TABLESPACE pg_default) INDEX placed_b;
REINDEX (TABLESPACE kinds_space, CONCURRENTLY) INDEX placed_b;
SELECT * FROM tst.check_index('placed', 6);
DROP TABLE placed;
DROP TABLESPACE kinds_space;

-- Commands that change many rows: MERGE, INSERT ... ON CONFLICT, foreign keys that cascade.
CREATE TABLE target (id int PRIMARY KEY, b box);
CREATE INDEX target_b ON target USING spqtree (b) INCLUDE (id);
SELECT kinds_fill('target', 1, 2000);
MERGE INTO target t USING (SELECT i AS id, box(point(i, i), point(i, i)) AS b FROM generate_series(1000, 3000) i) s ON t.id = s.id
WHEN MATCHED AND t.id % 2 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.b);
INSERT INTO target SELECT i, box(point(-i, -i), point(-i, 0)) FROM generate_series(1, 1500) i ON CONFLICT (id) DO UPDATE SET b = EXCLUDED.b;
SELECT * FROM tst.check_index('target', 6);
-- its statistics, its size, its definition
SELECT pg_get_indexdef('target_b'::regclass), amname FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE c.oid = 'target_b'::regclass;
VACUUM ANALYZE target;
SELECT reltuples = (SELECT count(*) FROM target) AS tuples, relpages = pg_relation_size('target_b') / current_setting('block_size')::int AS pages FROM pg_class WHERE oid = 'target_b'::regclass;
VACUUM (FULL) target;
SELECT * FROM tst.check_index('target', 6);
ALTER TABLE target ADD COLUMN d int DEFAULT 1, ALTER COLUMN id TYPE bigint;
SELECT count(*) FROM target WHERE b && box '((-100,-100),(0,0))';
-- VACUUM that leaves indexes alone, then one that does not.
DELETE FROM target WHERE id % 2 = 0;
VACUUM (INDEX_CLEANUP off) target;
VACUUM (INDEX_CLEANUP on) target;
VACUUM (FREEZE, PARALLEL 2) target;
SELECT count(*), (SELECT count(*) FROM (SELECT * FROM target OFFSET 0) s WHERE b && box '((-100,-100),(0,0))') AS expected FROM target WHERE b && box '((-100,-100),(0,0))';
DROP TABLE target;
DROP FUNCTION kinds_fill;
