--
-- Exactness among NaN, infinities and extreme numbers: 20,000 ordinary boxes
-- and 403 with NaN or infinite corners, 400 queries an operator drawn from the
-- same table.  Both built-in classes for boxes lose rows here.
--

-- How such boxes come about.  box(point, point) puts the larger of two
-- coordinates into the upper corner, and NaN counts as larger than everything;
-- so does the input function.  Arithmetic on whole corners does what it likes:
-- the lower corner becomes NaN too, or alone.
SELECT box(point('NaN', 1), point(2, 'NaN')) AS constructed,
       '(NaN,1),(2,-Infinity)'::box AS literal,
       box(point(1, 1), point(2, 2)) + point('NaN', 0) AS shifted,
       box(point('-Infinity', 1), point(2, 2)) + point('Infinity', 0) AS "low NaN alone",
       box(circle(point('Infinity', 0), 'Infinity')) AS "of a circle",
       box(point('-0', '-0'), point(0, 0)) AS zero;

-- 256 + 147: all 4-tuples of {a number, Infinity, -Infinity, NaN}, and sums.
-- One of the 4-tuples has no special number in it; it is replaced.
CREATE TABLE wild AS
WITH special(n, v) AS (VALUES (0, NULL), (1, 'Infinity'::float8), (2, '-Infinity'), (3, 'NaN'))
SELECT a.n + 4 * b.n + 16 * c.n + 64 * d.n AS n,
       CASE WHEN a.n + b.n + c.n + d.n = 0 THEN box(point(5, 5), point('Infinity', 'NaN'))
            ELSE box(point(coalesce(a.v, r1), coalesce(b.v, r2)),
                     point(coalesce(c.v, r3), coalesce(d.v, r4))) END AS b
FROM special a, special b, special c, special d,
     LATERAL (SELECT 64 * a.n + 16 * b.n + 4 * c.n + d.n AS s) x,
     LATERAL (SELECT tst.rnd(10, s, 1) * 1000 AS r1, tst.rnd(10, s, 2) * 1000 AS r2,
                     tst.rnd(10, s, 3) * 1000 AS r3, tst.rnd(10, s, 4) * 1000 AS r4) r
UNION ALL
SELECT 256 + i, box(point(CASE i % 3 WHEN 0 THEN '-Infinity' ELSE x END, y), point(x + 30, y + 40))
                + CASE i % 7 WHEN 0 THEN point('NaN', 0) WHEN 1 THEN point(0, 'NaN') WHEN 2 THEN point('NaN', 'NaN')
                             WHEN 3 THEN point('Infinity', 0) WHEN 4 THEN point(7, '-Infinity')
                             WHEN 5 THEN point('-Infinity', 'NaN') ELSE point('Infinity', 'Infinity') END
FROM generate_series(0, 146) i,
     LATERAL (SELECT tst.rnd(11, i, 1) * 1000 AS x, tst.rnd(11, i, 2) * 1000 AS y) v;

CREATE TABLE exact (id int, b box);
CREATE INDEX exact_b ON exact USING spgist (b spqtree_box_ops) INCLUDE (id);
-- all of them mixed
INSERT INTO exact
SELECT row_number() OVER (ORDER BY tst.rnd(12, n, 0), n), b
FROM (SELECT 1000 + i AS n,
             box(point(x, y), point(x + tst.rnd(13, i, 3) ^ 3 * 20, y + tst.rnd(13, i, 4) ^ 3 * 20)) AS b
      FROM generate_series(1, 20000) i,
           LATERAL (SELECT tst.rnd(13, i, 1) * 1000 AS x, tst.rnd(13, i, 2) * 1000 AS y) v
      UNION ALL SELECT * FROM wild) a
ORDER BY 1;
VACUUM ANALYZE exact;

-- What is there: kinds of lower and upper x.
CREATE FUNCTION kind(float8) RETURNS text IMMUTABLE LANGUAGE sql
RETURN CASE WHEN $1 IN ('NaN', 'Infinity', '-Infinity') THEN $1::text ELSE 'number' END;
CREATE FUNCTION is_wild(box) RETURNS boolean IMMUTABLE LANGUAGE sql
RETURN 'number' <> ANY (ARRAY[kind(($1[0])[0]), kind(($1[0])[1]), kind(($1[1])[0]), kind(($1[1])[1])]);
SELECT kind((b[1])[0]) AS low, kind((b[0])[0]) AS high, count(*)
FROM exact GROUP BY 1, 2 ORDER BY 1, 2;
SELECT is_wild(b), count(*) FROM exact GROUP BY 1 ORDER BY 1;

-- 300 ordinary queries and 100 wild ones, drawn from the table.
CREATE TABLE exact_q AS
SELECT id AS qid, b, b[id % 2] AS p, wild
FROM (SELECT *, is_wild(b) AS wild, row_number() OVER (PARTITION BY is_wild(b) ORDER BY id) AS n FROM exact) v
WHERE CASE WHEN wild THEN n % 4 = 0 ELSE n % 66 = 0 AND n <= 19800 END;
SELECT wild, count(*) FROM exact_q GROUP BY 1 ORDER BY 1;

SELECT * FROM tst.compare('exact', 'exact_q', '{index only}');
-- The other kinds of scan with fewer queries.
CREATE TABLE exact_q2 AS SELECT * FROM exact_q WHERE qid % 10 = 0;
SELECT * FROM tst.compare('exact', 'exact_q2', '{index,bitmap}');

--
-- Extreme numbers: denormals, the largest, minus zero, neighbors of 1 and of
-- EPSILON.  No valid box raises an error in the index.
--
CREATE TABLE extreme_number AS
SELECT row_number() OVER (ORDER BY abs(v), v::text COLLATE "C")::int AS n, v
FROM (SELECT s * v AS v FROM (VALUES (1), (-1)) s(s),
      (VALUES (0::float8), (5e-324), (1e-323), (2.2250738585072009e-308), (2.2250738585072014e-308),
              (1e-300), (1e-160), (1e-20), (9.9e-7), (1e-6), (1.0000000000000002e-6), (0.5),
              (0.9999999999999999), (1), (1.0000000000000002), (4503599627370497.5), (9007199254740993),
              (1e22), (1e160), (1e300), (8.98846567431158e307), (1.7976931348623157e308)) w(v)) u;
CREATE TABLE extreme (id serial, b box);
CREATE INDEX ON extreme USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO extreme (b)
SELECT box(point(x.v, y.v), point(z.v, w.v))
FROM extreme_number x JOIN extreme_number y ON (x.n + y.n) % 3 <> 1,
     extreme_number z JOIN extreme_number w ON (z.n * 7 + w.n) % 11 = 3
WHERE (x.n + 3 * y.n + 5 * z.n + 7 * w.n) % 17 = 0
ORDER BY tst.rnd(14, x.n * 1000 + y.n, z.n * 1000 + w.n);
VACUUM ANALYZE extreme;
SELECT count(*) > 5000 AS many FROM extreme;
CREATE TABLE extreme_q AS
SELECT id AS qid, b, b[id % 2] AS p FROM extreme WHERE id % 400 = 0;
SELECT * FROM tst.compare('extreme', 'extreme_q');

-- Boxes with their low side above the high one, as the box of a circle of negative radius is.
CREATE TABLE inverted (id int, b box);
CREATE INDEX inverted_b ON inverted USING spgist (b spqtree_box_ops);
INSERT INTO inverted
SELECT i, box(circle(point(x, y), -r))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT tst.rndint(91, i, 1, -50, 50) AS x, tst.rndint(91, i, 2, -50, 50) + tst.rnd(91, i, 3) AS y,
                     ('{1e-9,1e-7,1e-6,1e-3,5}'::float8[])[1 + i % 5] AS r) v;
VACUUM ANALYZE inverted;
SELECT count(*) FILTER (WHERE (b[1])[0] > (b[0])[0]) > 2000 AS inverted FROM inverted;
CREATE TABLE inverted_q AS
SELECT id AS qid, CASE id % 2 WHEN 0 THEN b ELSE box(b[0], b[1]) END AS b, b[id % 2] AS p FROM inverted WHERE id % 41 = 0;
SELECT operator, queries, "index", bitmap FROM tst.compare('inverted', 'inverted_q', '{index,bitmap}');
SELECT ordering, queries, "index" FROM tst.compare_order('inverted', 'inverted_q', NULL, plans => '{index}');
SELECT * FROM spqtree_check('inverted_b', true);
