--
-- The access method spqtree: every operator and every order against the sequential
-- scan, by plain, index-only and bitmap scans.  First on the tables of operators, knn,
-- exactness and real; then on data that is hard for this index.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';   -- a loop without end shall be a failure

-- A copy of a table, whose rows come half before the index and half after it.
-- With much in the INCLUDE columns few rows fit a page, and the tree is deep.
CREATE FUNCTION tst.rtree(tab regclass, pad int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %s_rtree (id int, b box, pad text)', tab);
  EXECUTE format('ALTER TABLE %s_rtree ALTER pad SET STORAGE external', tab);  -- not compressed
  EXECUTE format('INSERT INTO %s_rtree SELECT id, b, repeat(''-'', %s) FROM %1$s t WHERE t.id %% 2 = 0', tab, pad);
  EXECUTE format('CREATE INDEX %s_rtree_b ON %1$s_rtree USING spqtree (b) INCLUDE (id%s)', tab, CASE WHEN pad > 0 THEN ', pad' END);
  EXECUTE format('INSERT INTO %s_rtree SELECT id, b, repeat(''-'', %s) FROM %1$s t WHERE t.id %% 2 <> 0', tab, pad);
END $$;
CREATE TABLE rtree_case (nr serial, tab regclass, qry regclass, pad int);
INSERT INTO rtree_case (tab, qry, pad) VALUES
  ('uniform', 'uniform_q', 0), ('lattice', 'lattice_q', 300), ('epsilon', 'epsilon_q', 1200), ('extreme', 'extreme_q', 0),
  ('rounding', 'rounding_q', 1600), ('near', 'near_q', 800), ('ties', 'ties_q', 0), ('circles', 'circles_q', 0), ('far', 'far_q', 500),
  ('ends', 'ends_q', 0), ('exact', 'exact_q2', 0), ('inverted', 'inverted_q', 100);
SELECT tst.rtree(tab, pad) FROM rtree_case;
-- a third of the queries
DO $$
DECLARE q regclass;
BEGIN
  FOR q IN SELECT qry FROM rtree_case LOOP
    EXECUTE format('CREATE TABLE %s_rtree AS SELECT * FROM %1$s WHERE hashint4(qid) %% 3 = 0 OR qid < 4', q);
  END LOOP;
END $$;
CREATE TABLE near_few_rtree AS SELECT * FROM near_few WHERE qid % 4 = 1;
UPDATE rtree_case SET tab = (tab || '_rtree')::regclass, qry = (qry || '_rtree')::regclass;
VACUUM ANALYZE uniform_rtree, lattice_rtree, epsilon_rtree, extreme_rtree, rounding_rtree, near_rtree, ties_rtree, circles_rtree,
  far_rtree, ends_rtree, exact_rtree, inverted_rtree;

SELECT tab, sum(queries) AS queries, count(*) FILTER (WHERE rows > 0) AS operators, sum("index") AS "index", sum("index only") AS "index only", sum(bitmap) AS bitmap
FROM rtree_case, LATERAL tst.compare(tab, qry) GROUP BY nr, tab ORDER BY nr;

-- Nearest neighbors.
SELECT * FROM tst.compare_order('near_rtree', 'near_q_rtree', 10);
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL);
SELECT * FROM tst.compare_order('near_rtree', 'near_q_rtree', 25, 't.b && q.b');
SELECT * FROM tst.compare_order('near_rtree', 'near_q_rtree', 25, 't.b @> q.p');
SELECT * FROM tst.compare_order('near_rtree', 'near_q_rtree', 25, 't.b <@ box ''((-10,-10),(30,20))'' AND t.id % 3 = 1');
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL, 't.b >> q.b AND t.b &<| box ''((0,0),(20,20))''');
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL, 't.b IS NOT NULL');
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL, 't.b IS NULL');
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL, 't.b <<| box ''((-100,-100),(-90,-90))''');
SELECT * FROM tst.compare_order('near_rtree', 'near_q_rtree', 40,
         orderings => '{"t.b <-> q.p, t.b <-> q.b","t.b <-> q.b, t.b <-> q.p"}');
SELECT * FROM tst.compare_order('near_rtree', 'near_few_rtree', NULL, 't.id % 5 = 0',
         orderings => '{"t.b <-> point ''(0,0)'', t.b <-> q.p","t.b <-> q.p, t.b <-> point ''(1,1)'', t.b <-> q.b"}');
SELECT * FROM tst.compare_order('ties_rtree', 'ties_q', NULL);
SELECT * FROM tst.compare_order('ties_rtree', 'ties_q', 3999);
SELECT * FROM tst.compare_order('circles_rtree', 'circles_q', NULL);
SELECT * FROM tst.compare_order('far_rtree', 'far_q', 30);
SELECT * FROM tst.compare_order('far_rtree', 'far_few', NULL);
SELECT * FROM tst.compare_order('rounding_rtree', 'rounding_q_rtree', 10);
SELECT * FROM tst.compare_order('rounding_rtree', 'rounding_few', NULL);
SELECT * FROM tst.compare_order('ends_rtree', 'ends_q', 200);
SELECT ordering, queries, "index", "index only" FROM tst.compare_order('inverted_rtree', 'inverted_q_rtree', 1000);


-- Real data.
CREATE TABLE counties_rtree AS TABLE counties;
CREATE TABLE countries_rtree AS TABLE countries;
CREATE TABLE roads_rtree AS TABLE roads_by_x;
CREATE INDEX ON counties_rtree USING spqtree (b) INCLUDE (id);
CREATE INDEX ON countries_rtree USING spqtree (b) INCLUDE (id);
CREATE INDEX ON roads_rtree USING spqtree (b) INCLUDE (id);
VACUUM ANALYZE counties_rtree, countries_rtree, roads_rtree;
SELECT * FROM tst.check_index('counties_rtree', 30);
SELECT * FROM tst.check_index('countries_rtree', 30);
SELECT * FROM tst.check_index('roads_rtree', 12);

-- Numbers that differ by a unit in the last place, at a number, and at EPSILON to
-- both sides of it: where the comparison with EPSILON turns.  Every pair of them at
-- one number is a side.
CREATE TABLE unit_number AS
SELECT row_number() OVER (PARTITION BY g ORDER BY e, k)::int AS n, g, m + e * 1e-6 + k * unit AS v
FROM unnest('{0,1e-6,-1e-6,0.1,1,-1,1000.3,-65536,1073741824.7,8589934592,17179869184,-17179869183.9,1e10,-1e16}'::float8[]) WITH ORDINALITY u(m, g),
     LATERAL (SELECT CASE WHEN abs(m) < 1e-3 THEN 2.0::float8 ^ -72 ELSE 2.0::float8 ^ (floor(ln(abs(m)) / ln(2.0::float8)) - 52) END AS unit) w,
     unnest('{-1,0,1}'::int[]) e, unnest('{-2,-1,0,1,2}'::int[]) k;
CREATE TABLE unit (id serial, b box);
INSERT INTO unit (b)
SELECT box(point(x.v, y.v), point(z.v, w.v))
FROM unit_number x JOIN unit_number z USING (g)
     JOIN unit_number y ON y.g = x.g AND y.n = (x.n * 7 + z.n * 3) % 15 + 1
     JOIN unit_number w ON w.g = (CASE WHEN (x.n + z.n) % 5 = 0 THEN x.g % 14 + 1 ELSE x.g END) AND w.n = (x.n * 4 + z.n * 11) % 15 + 1
ORDER BY tst.rnd(92, x.n, z.n), x.g;
SELECT tst.rtree('unit', 100);
VACUUM ANALYZE unit_rtree;
CREATE TABLE unit_q AS SELECT id AS qid, b, b[id % 2] AS p FROM unit WHERE id % 67 = 0;
SELECT operator, queries, rows > 0 AS rows, "index", "index only", bitmap FROM tst.compare('unit_rtree', 'unit_q');
-- it counts: exact comparison would give other answers
SELECT count(*) > 1000 AS fuzzy
FROM unit_q q JOIN unit t ON t.b && q.b
WHERE (t.b[1])[0] > (q.b[0])[0] OR (q.b[1])[0] > (t.b[0])[0];
SELECT * FROM tst.compare_order('unit_rtree', 'unit_q', 30);

-- NaN in any corner, in every second row, so that every page has some; and in a
-- few rows of one page.
CREATE TABLE nan_box (id int, b box);
INSERT INTO nan_box
SELECT i, box(point(x, y), point(x + 10, y + 20)) + CASE i % 8 WHEN 1 THEN point('NaN', 0) WHEN 3 THEN point(0, 'NaN') WHEN 5 THEN point('NaN', 'NaN') ELSE point(0, 0) END
FROM generate_series(1, 3000) i, LATERAL (SELECT tst.rnd(93, i, 1) * 1000 AS x, tst.rnd(93, i, 2) * 1000 AS y) v;
-- low or high alone
INSERT INTO nan_box
SELECT 3000 + i, box(point(x, '-Infinity'), point('NaN', y)) + CASE i % 3 WHEN 0 THEN point(0, 'Infinity') WHEN 1 THEN point('-Infinity', 0) ELSE point(0, 0) END
FROM generate_series(1, 500) i, LATERAL (SELECT tst.rnd(94, i, 1) * 1000 AS x, tst.rnd(94, i, 2) * 1000 AS y) v;
SELECT tst.rtree('nan_box', 200);
INSERT INTO nan_box_rtree SELECT 10000 + i, box(point(i, i), point(i + 1, i + 2)), 'few' FROM generate_series(1, 2000) i;
INSERT INTO nan_box_rtree SELECT 20000 + i, box(point(i, 'NaN'), point(i + 1, 1)), 'few' FROM generate_series(1, 3) i;
VACUUM ANALYZE nan_box_rtree;
CREATE TABLE nan_box_q AS SELECT id AS qid, b, b[id % 2] AS p FROM nan_box WHERE id % 107 = 0;
SELECT operator, queries, rows > 0 AS rows, "index", "index only", bitmap FROM tst.compare('nan_box_rtree', 'nan_box_q');
SELECT ordering, queries, "index", "index only" FROM tst.compare_order('nan_box_rtree', 'nan_box_q', 1500);

-- Axes of very different scale.
CREATE TABLE thin (id int, b box);
INSERT INTO thin
SELECT i, box(point(x, y), point(x + 3600, y + 1e-9))
FROM generate_series(1, 4000) i, LATERAL (SELECT 1.7e9 + tst.rnd(95, i, 1) * 1e7 AS x, tst.rnd(95, i, 2) * 1e-6 AS y) v;
SELECT tst.rtree('thin', 0);
VACUUM ANALYZE thin_rtree;
SELECT * FROM tst.check_index('thin_rtree', 12);

-- An index-only scan returns the box itself: the sign of zero, which corner has the
-- NaN, corners the wrong way round.
CREATE TABLE image (id int, b box);
CREATE INDEX ON image USING spqtree (b);
INSERT INTO image VALUES (1, '((-0,0),(0,-0))'), (2, '((-0,-0),(-0,-0))'), (3, box(point('NaN', 1), point(2, 'Infinity'))), (4, box(circle(point(1, 2), -3))),
  (5, '((5e-324,-5e-324),(1.7976931348623157e308,0.1))'), (6, box(point(1, 1), point(2, 2)) + point('NaN', 0)), (7, NULL);
VACUUM ANALYZE image;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT b FROM image;
SELECT b::text FROM image ORDER BY 1;
SELECT count(*) AS different FROM ((SELECT encode(box_send(b), 'hex') FROM image) EXCEPT ALL (SELECT encode(box_send(b), 'hex') FROM image WHERE id > 0)) d;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP FUNCTION tst.rtree;
