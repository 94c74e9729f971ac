--
-- Temporary indexes are built by other rules: all nodes are made at once, with
-- bounds for all they can ever hold, and none is added later (see choose.c).
-- The trees that have to change most, once more in temporary tables; a leaked
-- buffer pin would show as a warning here.
--
SET statement_timeout = '5min';   -- a loop without end shall be a failure

CREATE TEMP TABLE temporary_growth (id serial, b box);
CREATE INDEX ON temporary_growth USING spgist (b spqtree_box_ops) INCLUDE (id);

-- Boxes of one size, sorted: uniform regions that widen, then loose ones.
INSERT INTO temporary_growth (b)
SELECT box(point(x, y), point(x + 64, y + 64))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT i / 100.0 AS x, tst.rnd(70, i, 1) * 30 AS y) v
ORDER BY i;
SELECT * FROM tst.check_index('temporary_growth', 9);
INSERT INTO temporary_growth (b)
SELECT box(point(x, y), point(x + 64, y + 64))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT -i * 4.0 AS x, tst.rnd(71, i, 1) * 1000 AS y) v
ORDER BY i;
SELECT * FROM tst.check_index('temporary_growth', 9);

-- Sizes that grow over the decades, on both sides of zero.
TRUNCATE temporary_growth;
INSERT INTO temporary_growth (b)
SELECT CASE i % 3 WHEN 0 THEN box(point(0, 0), point(w, w)) WHEN 1 THEN box(point(-w, -w), point(w, w))
                  ELSE box(point(x, y), point(x + w, y + w / 7)) END
FROM generate_series(1, 4000) i,
     LATERAL (SELECT tst.rnd(72, i, 1) * 100 AS x, tst.rnd(72, i, 2) * 100 AS y, 1e-3::float8 * 1.005::float8 ^ i AS w) v
ORDER BY i;
SELECT * FROM tst.check_index('temporary_growth', 9);

-- One place, then others at the least distance there is, then odd boxes.
TRUNCATE temporary_growth;
INSERT INTO temporary_growth (b)
SELECT '(1,1),(0,0)' FROM generate_series(1, 2000);
INSERT INTO temporary_growth (b)
SELECT box(point(x, x), point(x, x))
FROM generate_series(1, 2000) i, LATERAL (SELECT (i % 7) * 2.0::float8 ^ -999 AS x) v;
INSERT INTO temporary_growth (b)
SELECT box(point(x, 0), point('NaN', i)) FROM generate_series(1, 300) i, LATERAL (SELECT i * 1e297::float8 AS x) v;
INSERT INTO temporary_growth (b)
SELECT box(point('-Infinity', i), point(i, 'Infinity')) FROM generate_series(1, 300) i;
SELECT * FROM tst.check_index('temporary_growth', 9);

-- Much, in two ways of coming: by a build, then one by one.  Inner tuples that
-- outgrew their pages leaked pins here.
TRUNCATE temporary_growth;
DROP INDEX temporary_growth_b_id_idx;
INSERT INTO temporary_growth (b)
SELECT box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 40000) i,
     LATERAL (SELECT i::bigint * 7919 % 100003 / 100.0 AS x, i::bigint * 104729 % 99991 / 100.0 AS y, (i * 31 % 101 / 101.0) ^ 4 * 20 AS w) v;
CREATE INDEX ON temporary_growth USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO temporary_growth (b)
SELECT box(point(x, y), point(x + w, y + w))
FROM generate_series(1, 40000) i,
     LATERAL (SELECT i::bigint * 7907 % 100019 / 100.0 AS x, i::bigint * 104723 % 99989 / 100.0 AS y, (i * 37 % 103 / 103.0) ^ 4 * 30 AS w) v;
SELECT * FROM tst.check_index('temporary_growth', 3);

DROP TABLE temporary_growth;
