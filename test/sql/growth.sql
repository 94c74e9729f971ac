--
-- Trees that have to change as they grow: regions, sizes and bounds that widen,
-- in the orders of arrival that are hardest, then deletion, vacuum, reuse.
-- Everything is inserted into an index that is there already.
-- rtree_growth runs this file with another index: "method" and "class" say which.
--
\if :{?method} \else
\set method spgist
\set class spqtree_box_ops
\endif
SET statement_timeout = '5min';   -- a loop without end shall be a failure

CREATE TABLE growth (id serial, b box);
CREATE INDEX ON growth USING :method (b :class) INCLUDE (id);

-- Sorted by x, rising, then falling.
INSERT INTO growth (b)
SELECT box(point(i / 4.0, y), point(i / 4.0 + w, y + w))
FROM generate_series(1, 6000) i, LATERAL (SELECT tst.rnd(60, i, 1) * 100 AS y, tst.rnd(60, i, 2) ^ 4 * 20 AS w) v
ORDER BY i;
SELECT * FROM tst.check_index('growth', 9);
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(i / 4.0, y), point(i / 4.0 + w, y + w))
FROM generate_series(1, 6000) i, LATERAL (SELECT tst.rnd(60, i, 1) * 100 AS y, tst.rnd(60, i, 2) ^ 4 * 20 AS w) v
ORDER BY i DESC;
SELECT * FROM tst.check_index('growth', 9);

-- A square spiral outwards from zero: the region doubles again and again, on all
-- sides of zero.  Then one that starts far from zero, with steps that grow.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(x, y), point(x + 0.5, y + 0.5))
FROM generate_series(1, 35) r, generate_series(-r, r) k,
     LATERAL (VALUES (1, k, -r), (2, r, k), (3, -k, r), (4, -r, -k)) v(side, x, y)
ORDER BY r, side, k;
SELECT * FROM tst.check_index('growth', 9);
INSERT INTO growth (b)
SELECT box(point(1e6 + x * s, 3e6 + y * s), point(1e6 + (x + 0.1) * s, 3e6 + (y + 0.1) * s))
FROM generate_series(1, 60) r, generate_series(1, 20) k,
     LATERAL (SELECT CASE r % 4 WHEN 0 THEN k WHEN 1 THEN 20 WHEN 2 THEN -k ELSE -20 END AS x,
                     CASE r % 4 WHEN 0 THEN -20 WHEN 1 THEN k WHEN 2 THEN 20 ELSE -k END AS y,
                     2.0::float8 ^ (r - 20) AS s) v
ORDER BY r, k;
SELECT * FROM tst.check_index('growth', 9);

-- From the positive quadrant to the others, first near zero, then far.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(sx * x, sy * y), point(sx * x + w, sy * y + w))
FROM (VALUES (1, 1, 1), (2, -1, 1), (3, -1, -1), (4, 1, -1)) q(nr, sx, sy), generate_series(1, 1500) i,
     LATERAL (SELECT tst.rnd(61, i, nr) * 10.0 ^ (i / 300) AS x, tst.rnd(62, i, nr) * 10.0 ^ (i / 300) AS y, tst.rnd(63, i, nr) AS w) v
ORDER BY i / 750, nr, i;
SELECT * FROM tst.check_index('growth', 9);

-- All of one side of zero, then the least bit beyond it.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(i % 50, i / 50), point(i % 50 + 1, i / 50 + 1)) FROM generate_series(0, 2500) i;
INSERT INTO growth (b)
SELECT box(point(s * x, s * y), point(x, y))
FROM (VALUES (10::float8, -1e-23::float8), (-1e-30, 20), (-4.94065645841247e-324, 30), (-1e-200, -1e-310)) v(x, y), (VALUES (1), (2)) w(s);
SELECT * FROM tst.check_index('growth', 9);

-- Sizes that grow: every box larger than all before it, anchored at a corner,
-- centered, and anywhere; then sizes that shrink.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT CASE i % 3 WHEN 0 THEN box(point(0, 0), point(w, w)) WHEN 1 THEN box(point(-w, -w), point(w, w))
                  ELSE box(point(x, y), point(x + w, y + w / 7)) END
FROM generate_series(1, 4000) i,
     LATERAL (SELECT tst.rnd(64, i, 1) * 100 AS x, tst.rnd(64, i, 2) * 100 AS y, 1e-3::float8 * 1.005::float8 ^ i AS w) v
ORDER BY i;
SELECT * FROM tst.check_index('growth', 9);
INSERT INTO growth (b)
SELECT box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 4000) i,
     LATERAL (SELECT tst.rnd(65, i, 1) * 100 - 50 AS x, tst.rnd(65, i, 2) * 100 - 50 AS y, 1e6::float8 * 0.99::float8 ^ i AS w) v
ORDER BY i;
SELECT * FROM tst.check_index('growth', 9);

-- A grid of small boxes; then, cell by cell, boxes about the same centers that
-- are a little wider each time, in one axis or both: what is known of a cell
-- must widen many times, and not more often than that.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(x, y), point(x, y)) FROM generate_series(0, 59) x, generate_series(0, 59) y;
VACUUM (TRUNCATE off) growth;
INSERT INTO growth (b)
SELECT box(point(x - w * wx, y - w * wy), point(x + w * wx, y + w * wy))
FROM generate_series(1, 40) step, generate_series(0, 59, 6) x, generate_series(0, 59, 6) y,
     LATERAL (SELECT step * 0.04 AS w, (x + step) % 2 AS wx, (y + step / 2) % 2 AS wy) v
ORDER BY step, x, y;
SELECT * FROM tst.check_index('growth', 9);
-- By factors, up to far beyond the grid.
INSERT INTO growth (b)
SELECT box(point(x - w, y), point(x + w, y + w))
FROM generate_series(1, 30) step, generate_series(0, 59, 10) x, generate_series(0, 59, 10) y, LATERAL (SELECT 2.0 ^ (step - 10) AS w) v
ORDER BY step, x, y;
SELECT * FROM tst.check_index('growth', 9);

-- In each of the 16 cells of 16 by 16 below (64,64), boxes that reach a little
-- further out of it each time, to the left, to the right, below and above in
-- turn: as many widenings as the cells of one tuple can have.
TRUNCATE growth;
INSERT INTO growth (b)
SELECT box(point(x + 0.5, y + 0.5), point(x + 0.5, y + 0.5)) FROM generate_series(0, 63, 2) x, generate_series(0, 63, 2) y ORDER BY x * 37 % 64, y * 23 % 64;
INSERT INTO growth (b)
SELECT CASE side WHEN 1 THEN box(point(x - d, y + 7), point(x + 0.5 + d, y + 9)) WHEN 2 THEN box(point(x + 15.5 - d, y + 7), point(x + 16 + d, y + 9))
                 WHEN 3 THEN box(point(x + 7, y - d), point(x + 9, y + 0.5 + d)) ELSE box(point(x + 7, y + 15.5 - d), point(x + 9, y + 16 + d)) END
FROM generate_series(1, 42) step, generate_series(0, 48, 16) x, generate_series(0, 48, 16) y, generate_series(1, 4) side,
     LATERAL (SELECT 1e-3::float8 * 1.23::float8 ^ step AS d) v
ORDER BY step, side, x, y;
SELECT * FROM tst.check_index('growth', 9);

-- The first box is NaN, then infinite ones, then ordinary ones; and NaN into an
-- index that has never seen it.
TRUNCATE growth;
INSERT INTO growth (b) VALUES ('((NaN,NaN),(NaN,NaN))'), ('((Infinity,Infinity),(-Infinity,-Infinity))'), ('((Infinity,1),(0,0))'), (NULL);
INSERT INTO growth (b) SELECT box(point(i % 50, i % 70), point(i % 50 + 2, i % 70 + 2)) FROM generate_series(1, 2000) i;
SELECT * FROM tst.check_index('growth', 9);
TRUNCATE growth;
INSERT INTO growth (b) SELECT box(point(i % 50, i % 70), point(i % 50 + 2, i % 70 + 2)) FROM generate_series(1, 2000) i;
INSERT INTO growth (b)
SELECT CASE i % 4 WHEN 0 THEN '((NaN,NaN),(NaN,NaN))' WHEN 1 THEN '((Infinity,Infinity),(-Infinity,-Infinity))'
                  WHEN 2 THEN '((Infinity,1),(0,0))' ELSE '((NaN,3),(2,2))' END::box FROM generate_series(1, 2000) i;
INSERT INTO growth (b) SELECT box(point(i % 50, i % 70), point(i % 50 + 2, i % 70 + 2)) FROM generate_series(1, 500) i;
SELECT * FROM tst.check_index('growth', 24);
REINDEX TABLE growth;
SELECT * FROM tst.check_index('growth', 24);

-- Deletion, vacuum and reuse: a region, all small ones, every second, all.
TRUNCATE growth;
CREATE FUNCTION fill(seed int, n int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO growth (b)
  SELECT box(point(x, y), point(x + w, y + w))
  FROM generate_series(1, n) i,
       LATERAL (SELECT tst.rnd(seed, i, 1) * 300 AS x, tst.rnd(seed, i, 2) * 300 AS y, tst.rnd(seed, i, 3) ^ 5 * 60 AS w) v;
$$;
SELECT fill(70, 8000);
DELETE FROM growth WHERE b && box '((100,100),(200,250))';
VACUUM (TRUNCATE off) growth;
SELECT * FROM tst.check_index('growth', 9);
SELECT fill(71, 4000);
DELETE FROM growth WHERE area(b) < 1;
SELECT * FROM tst.check_index('growth', 9);
VACUUM (TRUNCATE off) growth;
SELECT fill(72, 4000);
DELETE FROM growth WHERE id % 2 = 0;
VACUUM (TRUNCATE off) growth;
SELECT * FROM tst.check_index('growth', 9);
UPDATE growth SET b = b + point(1, 1);
VACUUM (TRUNCATE off) growth;
SELECT * FROM tst.check_index('growth', 9);
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT count(*) FROM growth WHERE b && box '((-1e9,-1e9),(1e9,1e9))';
SELECT fill(73, 3000);
SELECT * FROM tst.check_index('growth', 9);
-- Space is used again: as many rows come and go five times over.
CREATE TEMP TABLE pages AS SELECT pg_relation_size('growth_b_id_idx') AS before;
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT fill(74, 3000);
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT fill(75, 3000);
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT fill(76, 3000);
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT fill(77, 3000);
DELETE FROM growth;
VACUUM (TRUNCATE off) growth;
SELECT fill(78, 3000);
SELECT pg_relation_size('growth_b_id_idx') < 2 * before AS reused FROM pages;
VACUUM FULL growth;
SELECT * FROM tst.check_index('growth', 9);
DROP TABLE growth;
DROP FUNCTION fill;
