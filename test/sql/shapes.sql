--
-- Shapes of data that break trees: no error, no endless split, no row lost.
-- rtree_shapes runs this file with another index: "method" and "class" say which.
--
\if :{?method} \else
\set method spgist
\set class spqtree_box_ops
\endif
SET statement_timeout = '5min';   -- a loop without end shall be a failure

CREATE TABLE shape (id serial, b box);
CREATE INDEX ON shape USING :method (b :class) INCLUDE (id);

-- 100,000 identical boxes: one node can hold them only as copies of itself
-- ("all the same").
INSERT INTO shape (b) SELECT '((10,20),(11,22))' FROM generate_series(1, 100000);
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 1);
-- Others into it: near, far, larger, smaller; and in the very same place, of one
-- center and about one size, but a little wider or higher each time.
INSERT INTO shape (b)
SELECT box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT 10 + tst.rndint(30, i, 1, -20, 20) / (1.0 + i % 50) AS x,
                     20 + tst.rndint(30, i, 2, -20, 20) / (1.0 + i % 50) AS y, 2.0 ^ tst.rndint(30, i, 3, -20, 6) AS w) v;
INSERT INTO shape (b)
SELECT box(point(10.5 - w, 21 - h), point(10.5 + w, 21 + h))
FROM generate_series(1, 1000) i, LATERAL (SELECT 0.5 + i / 2048.0 AS w, 1 - i * 7 % 1000 / 2048.0 AS h) v;
SELECT * FROM tst.check_index('shape', 3);
-- Queries that find only the wider ones: points and boxes beside the first.
CREATE TABLE beside AS
SELECT i AS qid, p, box(p, p + point(0.01, 0.01)) AS b
FROM generate_series(1, 16) i,
     LATERAL (SELECT point(10.5 + (i % 4 - 1.5) * 0.6, 21 + (i / 4 - 2) * 0.49) AS p) v
WHERE NOT p <@ box '((10,20),(11,22))';
SELECT operator, queries, rows > 10000 AS copies, rows > 0 AS found, "index", "index only", bitmap
FROM tst.compare('shape', 'beside', operators => '{&&,@>,@> point,<@}');
-- The copies go, the others stay; the copies come back.
DELETE FROM shape WHERE b ~= '((10,20),(11,22))' AND id <= 100000;
VACUUM shape;
SELECT * FROM tst.check_index('shape', 12);
INSERT INTO shape (b) SELECT '((10,20),(11,22))' FROM generate_series(1, 10000);
SELECT * FROM tst.check_index('shape', 6);

-- Nested boxes around one center: their centers cannot be told apart, only
-- their sizes can.  Grown by a fixed step and by a factor, larger ones first,
-- then smaller, then mixed.
TRUNCATE shape;
INSERT INTO shape (b) SELECT box(point(7 - i, 9 - i), point(7 + i, 9 + i)) FROM generate_series(2000, 1, -1) i;
INSERT INTO shape (b) SELECT box(point(-w, -w), point(w, w)) FROM generate_series(1, 2000) i, LATERAL (SELECT 1.01::float8 ^ (i - 1000) AS w) v;
INSERT INTO shape (b) SELECT box(point(-3 - w, -3 - w), point(w - 3, w - 3)) FROM generate_series(1, 2000) i, LATERAL (SELECT i * 377 % 2000 / 64.0 AS w) v;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- Nested boxes with a common corner: at zero, elsewhere, in the negative.
TRUNCATE shape;
INSERT INTO shape (b) SELECT box(point(0, 0), point(i, i)) FROM generate_series(1, 2000) i;
INSERT INTO shape (b) SELECT box(point(100, 100), point(100 - i, 100 - i / 3.0)) FROM generate_series(1, 2000) i;
INSERT INTO shape (b) SELECT box(point(-64, -64), point(-64 + 1.02::float8 ^ i, -64 + 1.02::float8 ^ i)) FROM generate_series(1, 2000) i;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- One box over all (and some over half of it) among small ones.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT CASE WHEN i = 1000 THEN box(point(-1e6, -1e6), point(1e6, 1e6))
            WHEN i % 1000 = 500 THEN box(point(0, -1e6), point(1e6, 1e6))
            ELSE box(point(x, y), point(x + 1, y + 1)) END
FROM generate_series(1, 6000) i, LATERAL (SELECT tst.rndint(31, i, 1, 0, 1000) AS x, tst.rndint(31, i, 2, 0, 1000) AS y) v;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);
-- All of them cover the same middle.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT box(point(-tst.rnd(32, i, 1), -tst.rnd(32, i, 2)), point(tst.rnd(32, i, 3), tst.rnd(32, i, 4)))
FROM generate_series(1, 5000) i;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- On a line: horizontal, vertical, both diagonals; points and segments.
TRUNCATE shape;
INSERT INTO shape (b) SELECT box(point(i, 5), point(i, 5)) FROM generate_series(1, 2000) i;
INSERT INTO shape (b) SELECT box(point(-3, i / 10.0), point(-3, i / 10.0 + i % 7)) FROM generate_series(-1000, 1000) i;
INSERT INTO shape (b) SELECT box(point(i, i), point(i, i)) FROM generate_series(-1000, 1000) i;
INSERT INTO shape (b) SELECT box(point(i, -i), point(i + 1, -i - 1)) FROM generate_series(-1000, 1000) i;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- Zero-size boxes: a full grid, each point some times.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT box(point(x, y), point(x, y))
FROM generate_series(-20, 20) x, generate_series(-20, 20) y, generate_series(0, 3 + (x * y) % 4) n;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- Long and thin.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT CASE WHEN i % 2 = 0 THEN box(point(-1e5, y), point(1e5, y + 1e-3)) ELSE box(point(x, -1e5), point(x + 1e-3, 1e5)) END
FROM generate_series(1, 5000) i, LATERAL (SELECT tst.rnd(33, i, 1) * 1000 AS x, tst.rnd(33, i, 2) * 1000 AS y) v;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- Clusters of very different density: 16 of them, each ten times as dense as
-- the last, one after the other and then mixed.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT box(point(k * 1000 + x * r, k * 700 + y * r), point(k * 1000 + x * r + w * r, k * 700 + y * r + w * r))
FROM generate_series(0, 15) k, generate_series(1, 500) i,
     LATERAL (SELECT (ARRAY[1e6,1e5,1e4,1e3,1e2,1e1,1e0,1e-1,1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9])[k + 1]::float8 AS r,
                     tst.rnd(34 + k, i, 1) AS x, tst.rnd(34 + k, i, 2) AS y, tst.rnd(34 + k, i, 3) / 16 AS w) v
ORDER BY CASE WHEN i <= 250 THEN k ELSE 100 + i END, i, k;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 15);

-- Boxes 2^-1000 apart, boxes one bit apart at 1 and at 2^52, and smallest
-- denormals (from 2 of them on: the center of a box between 0 and the smallest
-- is an underflow to PostgreSQL, with or without an index).
TRUNCATE shape;
INSERT INTO shape (b)
SELECT box(point(x * 2.0::float8 ^ -1000, y * 2.0::float8 ^ -1000), point((x + 1) * 2.0::float8 ^ -1000, (y + w) * 2.0::float8 ^ -1000))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT tst.rndint(50, i, 1, -100, 100) AS x, tst.rndint(50, i, 2, 0, 100) AS y, tst.rndint(50, i, 3, 0, 9) AS w) v;
INSERT INTO shape (b)
SELECT box(point(o + x * u, o + y * u), point(o + (x + w) * u, o + y * u))
FROM (VALUES (1::float8, 2.0::float8 ^ -52), (2.0::float8 ^ 52, 1), (0, 4.94065645841247e-324)) v(o, u), generate_series(1, 1500) i,
     LATERAL (SELECT tst.rndint(51, i, 1, 2, 100) AS x, tst.rndint(51, i, 2, 2, 100) AS y, tst.rndint(51, i, 3, 0, 9) AS w) r;
VACUUM ANALYZE shape;
SELECT * FROM tst.check_index('shape', 9);

-- Points at zero, all the same, then boxes around it so small that they count
-- as of the same place and size; only @> point can tell them apart.
TRUNCATE shape;
INSERT INTO shape (b) SELECT '((0,0),(0,0))' FROM generate_series(1, 1000);
INSERT INTO shape (b) SELECT box(point(-w, -w), point(w, w)) FROM generate_series(1001, 1074) e, LATERAL (SELECT 2.0::float8 ^ -e AS w) v ORDER BY e DESC;
CREATE TABLE around AS
SELECT e - 1000 AS qid, point(w, -w) AS p, box(point(w, -w), point(w, -w)) AS b
FROM generate_series(1001, 1074, 4) e, LATERAL (SELECT 2.0::float8 ^ -e AS w) v;
SELECT * FROM tst.compare('shape', 'around', operators => '{@> point,&&}');
SELECT * FROM tst.compare_order('shape', 'around', NULL);

-- Powers of two from 2^-1074 to 2^1020: points and boxes, in all four
-- quadrants; rising and falling toward zero; crosswise, x large where y is
-- small; around zero.  A tree of many levels and nearly empty pages, whence the
-- other proportion.
TRUNCATE shape;
INSERT INTO shape (b)
SELECT box(point(sx * x, sy * y), point(sx * x, sy * y) * point(1 + (e + 3000) % 2, 0))
FROM (VALUES (1, 1), (-1, 1), (-1, -1), (1, -1)) q(sx, sy), generate_series(-1070, 1020, 2) e,
     LATERAL (SELECT 2.0::float8 ^ e AS x, 2.0::float8 ^ (CASE WHEN e % 3 = 0 THEN 1020 - abs(e) ELSE e END) AS y) v
ORDER BY sx * sy * e, sx, e;
INSERT INTO shape (b) SELECT box(point(-x, -x), point(x, x)) FROM generate_series(-1074, 1020, 3) e, LATERAL (SELECT 2.0::float8 ^ e AS x) v;
INSERT INTO shape (b) SELECT box(point(0, 0), point(x, x)) FROM generate_series(1020, -1070, -3) e, LATERAL (SELECT 2.0::float8 ^ e AS x) v;
VACUUM ANALYZE shape;
SELECT count(*) FROM shape;
SELECT * FROM tst.check_index('shape', 20, proportion => 30);
REINDEX TABLE shape;
SELECT * FROM tst.check_index('shape', 20, proportion => 30);
DROP TABLE shape, beside, around;
