--
-- All ways in which PostgreSQL uses an index
-- rtree_usage runs this file with another index: "method" and "class" say which.
--
\if :{?method} \else
\set method spgist
\set class spqtree_box_ops
\endif
CREATE TABLE house (id int, name text, b box);
INSERT INTO house
SELECT i, CASE WHEN i % 10 = 0 THEN NULL WHEN i % 10 = 1 THEN repeat('long ', 200) || i ELSE 'house ' || i END,
       CASE WHEN i % 20 = 3 THEN NULL ELSE box(point(x, y), point(x + 1, y + 2)) END
FROM generate_series(1, 4000) i, LATERAL (SELECT i * 37 % 400 / 4.0 AS x, i * 71 % 410 / 4.0 AS y) v;
CREATE INDEX house_b ON house USING :method (b :class);
VACUUM ANALYZE house;
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- Plans: index-only scans where only the box is needed.
EXPLAIN (COSTS OFF) SELECT count(*) FROM house WHERE b && box '((10,10),(20,20))';
SELECT count(*) FROM house WHERE b && box '((10,10),(20,20))';
EXPLAIN (COSTS OFF) SELECT b FROM house WHERE b <@ box '((10,10),(14,14))';
SELECT b FROM house WHERE b <@ box '((10,10),(14,14))' ORDER BY b[1] <-> '(0,0)', (b[1])[0];
EXPLAIN (COSTS OFF) SELECT id FROM house WHERE b @> point '(50,50)';
SELECT id FROM house WHERE b @> point '(50,50)' ORDER BY id;
EXPLAIN (COSTS OFF) SELECT id, b <-> point '(50,50)' AS d FROM house WHERE b << box '((50,0),(60,0))'
ORDER BY b <-> point '(50,50)' LIMIT 3;
SELECT id, round((b <-> point '(50,50.5)')::numeric, 9) AS d FROM house WHERE b << box '((50,0),(60,0))'
ORDER BY b <-> point '(50,50.5)' LIMIT 3;
EXPLAIN (COSTS OFF) SELECT b FROM house ORDER BY b <-> box '((50,50),(60,60))' LIMIT 3;
SELECT b, b <-> box '((50,50.3),(60,60))' AS d FROM house ORDER BY b <-> box '((50,50.3),(60,60))' LIMIT 3;
SET enable_bitmapscan = on;
SET enable_indexscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM house WHERE b && box '((10,10),(20,20))' OR b @> point '(50,50)';
SELECT count(*), sum(id) FROM house WHERE b && box '((10,10),(20,20))' OR b @> point '(50,50)';
SET enable_indexscan = on;
SET enable_bitmapscan = off;
-- The index cannot return the farthest first.
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT id FROM house ORDER BY b <-> point '(50,50)' DESC LIMIT 3;
SET enable_seqscan = off;

-- Parameters; an operator with NULL finds nothing.
PREPARE near(box) AS SELECT count(*) FROM house WHERE b && $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near('((10,10),(20,20))');
EXECUTE near('((10,10),(20,20))');
EXECUTE near(NULL);
RESET plan_cache_mode;
DEALLOCATE near;
-- Query boxes from another table, some of them NULL.
SELECT count(*), sum(n)
FROM (VALUES (box '((10,10),(20,20))'), (NULL), (box '((0,0),(1,1))'), ('((20,20),(10,10))')) q(q),
       LATERAL (SELECT count(*) AS n FROM house WHERE b && q) c;
-- A scrollable cursor on an index scan.
BEGIN;
SET LOCAL enable_sort = off;
DECLARE c SCROLL CURSOR FOR SELECT round((b <-> point '(1000,1000)')::numeric, 6) AS d FROM house
WHERE b >> box '((98,0),(98,0))' ORDER BY b <-> point '(1000,1000)';
FETCH 2 FROM c;
FETCH ABSOLUTE 5 FROM c;
FETCH PRIOR FROM c;
FETCH FIRST FROM c;
MOVE FORWARD ALL FROM c;
FETCH PRIOR FROM c;
COMMIT;

-- The index contains NULL boxes.
EXPLAIN (COSTS OFF) SELECT count(*) FROM house WHERE b IS NULL;
SELECT count(*) FROM house WHERE b IS NULL;
SELECT count(*) FROM house WHERE b IS NOT NULL;
SELECT count(*) FROM house WHERE b IS NULL AND b && box '((0,0),(100,100))';
SELECT count(*) FROM house WHERE b IS NOT NULL AND b && box '((0,0),(100,100))';
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id FROM house ORDER BY b <-> point '(50,50)';
SELECT count(*) AS nulls, min(n) > (SELECT count(*) FROM house WHERE b IS NOT NULL) AS last
FROM (SELECT b, row_number() OVER () AS n FROM (SELECT b FROM house ORDER BY b <-> point '(50,50)') s) t
WHERE b IS NULL;
RESET enable_sort;
-- Only NULLs; an empty table.
CREATE TABLE nothing (b box);
CREATE INDEX nothing_b ON nothing USING :method (b :class);
SELECT count(*) FROM nothing WHERE b && box '((0,0),(1,1))';
SELECT * FROM nothing ORDER BY b <-> point '(0,0)';
INSERT INTO nothing SELECT NULL FROM generate_series(1, 1000);
SELECT count(*) FROM nothing WHERE b && box '((0,0),(1,1))';
SELECT count(*) FROM nothing WHERE b IS NULL;
INSERT INTO nothing VALUES ('((0,0),(1,1))');
SELECT * FROM nothing WHERE b && box '((0,0),(1,1))';
DELETE FROM nothing WHERE b IS NULL;
VACUUM nothing;
SELECT count(*) FROM nothing WHERE b IS NULL;
DROP TABLE nothing;

-- INCLUDE columns: numbers, NULLs and wide texts, with their values.
DROP INDEX house_b;
CREATE INDEX house_include ON house USING :method (b :class) INCLUDE (id, name);
VACUUM house;
EXPLAIN (COSTS OFF) SELECT id, name FROM house WHERE b && box '((10,10),(20,20))';
SELECT count(*), count(name), sum(id), sum(length(name)) AS letters,
       count(*) FILTER (WHERE name NOT LIKE '% ' || id) AS "of another"
FROM house WHERE b && box '((10,10),(20,20))';
EXPLAIN (COSTS OFF) SELECT id, left(name, 10) FROM house ORDER BY b <-> point '(30,30.4)' LIMIT 3;
SELECT id, left(name, 10) AS name, round((b <-> point '(30,30.4)')::numeric, 6) AS d FROM house
ORDER BY b <-> point '(30,30.4)' LIMIT 3;
SELECT count(*), count(name), sum(id) FROM house WHERE b IS NULL;
SET enable_indexscan = off;
SET enable_seqscan = on;
SELECT count(*), count(name), sum(id), sum(length(name)) AS letters,
       count(*) FILTER (WHERE name NOT LIKE '% ' || id) AS "of another"
FROM house WHERE b && box '((10,10),(20,20))';
SET enable_indexscan = on;
SET enable_seqscan = off;
-- Many identical boxes with wide texts: pages fill after a few of them.
CREATE TABLE wide (id int, b box, t text);
CREATE INDEX wide_b ON wide USING :method (b :class) INCLUDE (id, t);
INSERT INTO wide SELECT i, box(point(i % 3, 0), point(i % 3, 1)), repeat(chr(65 + i % 26), i % 1500)
FROM generate_series(1, 1500) i;
VACUUM wide;
EXPLAIN (COSTS OFF) SELECT id, t FROM wide WHERE b @> point '(1,0.5)';
SELECT count(*), sum(length(t)), bool_and(t = repeat(chr(65 + id % 26), id % 1500)) AS right FROM wide
WHERE b @> point '(1,0.5)';
DROP TABLE wide;

-- Every kind of table and index.
CREATE UNLOGGED TABLE unlogged (LIKE house);
CREATE INDEX ON unlogged USING :method (b :class) INCLUDE (id);
INSERT INTO unlogged SELECT * FROM house;
SELECT * FROM tst.check_index('unlogged', 6);
ALTER TABLE unlogged SET LOGGED;
SELECT * FROM tst.check_index('unlogged', 6);
DROP TABLE unlogged;

CREATE TEMP TABLE temporary (LIKE house);
CREATE INDEX ON temporary USING :method (b :class) INCLUDE (id);
INSERT INTO temporary SELECT * FROM house;
SELECT * FROM tst.check_index('temporary', 6);
-- A larger one: pages of temporary tables are not locked, unlike others.
INSERT INTO temporary (id, b)
SELECT 10000 + i, box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 20000) i,
     LATERAL (SELECT tst.rnd(80, i, 1) * 1000 AS x, tst.rnd(80, i, 2) * 1000 AS y, tst.rnd(80, i, 3) ^ 4 * 20 AS w) v;
REINDEX TABLE temporary;
INSERT INTO temporary (id, b)
SELECT 30000 + i, box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 20000) i,
     LATERAL (SELECT tst.rnd(81, i, 1) * 1000 AS x, tst.rnd(81, i, 2) * 1000 AS y, tst.rnd(81, i, 3) ^ 4 * 30 AS w) v;
SELECT * FROM tst.check_index('temporary', 3);
DROP TABLE temporary;

DROP INDEX house_include;
CREATE INDEX house_part ON house USING :method (b :class) WHERE id % 2 = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM house WHERE b && box '((10,10),(20,20))' AND id % 2 = 0;
SELECT count(*), sum(id) FROM house WHERE b && box '((10,10),(20,20))' AND id % 2 = 0;
DROP INDEX house_part;

CREATE INDEX house_expr ON house USING :method (box(b[1] - point(1, 1), b[0] + point(1, 1)) :class);
EXPLAIN (COSTS OFF) SELECT count(*) FROM house WHERE box(b[1] - point(1, 1), b[0] + point(1, 1)) @> point '(10,10)';
SELECT count(*), sum(id) FROM house WHERE box(b[1] - point(1, 1), b[0] + point(1, 1)) @> point '(10,10)';
DROP INDEX house_expr;
SET enable_seqscan = on;
SELECT count(*), sum(id) FROM house WHERE b && box '((10,10),(20,20))' AND id % 2 = 0;
SELECT count(*), sum(id) FROM house WHERE box(b[1] - point(1, 1), b[0] + point(1, 1)) @> point '(10,10)';
SET enable_seqscan = off;

CREATE DOMAIN plot AS box CHECK (area(VALUE) > 0);
CREATE TABLE plots (id int, b plot);
INSERT INTO plots SELECT id, b FROM house;
CREATE INDEX plots_b ON plots USING :method (b :class);
EXPLAIN (COSTS OFF) SELECT count(*) FROM plots WHERE b && box '((10,10),(20,20))';
SELECT count(*), sum(id) FROM plots WHERE b && box '((10,10),(20,20))';
SELECT tst.error($$INSERT INTO plots VALUES (0, '((0,0),(0,0))')$$);
DROP TABLE plots;
DROP DOMAIN plot;

-- A materialized view, a partitioned table.
CREATE MATERIALIZED VIEW mv AS SELECT id, b FROM house;
CREATE INDEX ON mv USING :method (b :class) INCLUDE (id);
REFRESH MATERIALIZED VIEW mv;
SELECT * FROM tst.check_index('mv', 6);
DROP MATERIALIZED VIEW mv;
CREATE TABLE parted (id int, b box) PARTITION BY RANGE (id);
CREATE INDEX parted_b ON parted USING :method (b :class) INCLUDE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (2000);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (2000) TO (9000);
INSERT INTO parted SELECT id, b FROM house;
VACUUM ANALYZE parted;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id FROM parted ORDER BY b <-> point '(50,50)' LIMIT 3;
SELECT id, b <-> point '(50,50.7)' AS d FROM parted ORDER BY b <-> point '(50,50.7)' LIMIT 3;
EXPLAIN (COSTS OFF) SELECT count(*), sum(id) FROM parted WHERE b && box '((10,10),(20,20))';
SELECT count(*), sum(id) FROM parted WHERE b && box '((10,10),(20,20))';
RESET enable_sort;
DROP TABLE parted;

-- An exclusion constraint: rooms must not overlap, and a shared edge is overlap.
CREATE TABLE room (id int, b box, EXCLUDE USING :method (b :class WITH &&));
INSERT INTO room SELECT 100 * x + y, box(point(x, y), point(x + 0.9, y + 0.9))
FROM generate_series(1, 30) x, generate_series(1, 30) y;
SELECT tst.error($$INSERT INTO room VALUES (1, '((5.5,5.5),(5.6,5.6))')$$);
SELECT tst.error($$INSERT INTO room VALUES (1, '((5.9,5.9),(5.95,5.95))')$$);
INSERT INTO room VALUES (1, '((5.91,5.91),(5.95,5.95))');
INSERT INTO room VALUES (2, '((5.92,5.92),(5.93,5.93))') ON CONFLICT DO NOTHING;
INSERT INTO room VALUES (3, NULL), (4, NULL);
SELECT count(*) FROM room WHERE id < 100;
ALTER TABLE room DROP CONSTRAINT room_b_excl;
INSERT INTO room VALUES (1, '((5.5,5.5),(5.6,5.6))');
SELECT tst.error(format('ALTER TABLE room ADD EXCLUDE USING %s (b %s WITH &&)', :'method', :'class'));
ALTER TABLE room ADD EXCLUDE USING :method (b :class WITH ~=) WHERE (id < 100);
DROP TABLE room;

-- Storage options, REINDEX, and CREATE INDEX CONCURRENTLY.
CREATE INDEX house_b ON house USING :method (b :class) INCLUDE (id) WITH (fillfactor = 100);
SELECT * FROM tst.check_index('house', 6);
ALTER INDEX house_b SET (fillfactor = 50);
REINDEX INDEX house_b;
SELECT * FROM tst.check_index('house', 6);
ALTER INDEX house_b RESET (fillfactor);
REINDEX INDEX CONCURRENTLY house_b;
SELECT * FROM tst.check_index('house', 6);
DROP INDEX house_b;
CREATE INDEX CONCURRENTLY house_b ON house USING :method (b :class) INCLUDE (id);
SELECT * FROM tst.check_index('house', 6);
SELECT indexrelid::regclass, indisvalid FROM pg_index WHERE indrelid = 'house'::regclass;
-- Rollback of a transaction and to a savepoint; updates and deletions, before and
-- after VACUUM.
BEGIN;
INSERT INTO house SELECT -i, NULL, box(point(i, i), point(i + 1, i + 1)) FROM generate_series(1, 2000) i;
SAVEPOINT s;
UPDATE house SET b = b + point(0.25, 0.25) WHERE id < 0;
ROLLBACK TO s;
SELECT count(*) FROM house WHERE b ~= box '((100,100),(101,101))' AND id < 0;
ROLLBACK;
SELECT count(*) FROM house WHERE b ~= box '((100,100),(101,101))' AND id < 0;
SELECT * FROM tst.check_index('house', 6);
UPDATE house SET b = b + point(0.25, 0.25) WHERE id % 3 = 0;
SELECT * FROM tst.check_index('house', 6);
DELETE FROM house WHERE id % 3 = 0;
VACUUM house;
SELECT * FROM tst.check_index('house', 6);
ALTER TABLE house ALTER COLUMN b TYPE box USING box(b[0], b[1]);
SELECT * FROM tst.check_index('house', 6);
TRUNCATE house;
SELECT count(*) FROM house WHERE b && box '((0,0),(100,100))';
DROP TABLE house;
