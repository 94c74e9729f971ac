--
-- Indexes of points in three dimensions against the sequential scan.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';
SET extra_float_digits = 1;

-- The column is b, as tst.compare() has it.  Points anywhere, on a grid, some of them
-- many times, with NaN and infinities in every third row, NULLs.
CREATE TABLE solid_point AS
SELECT i AS id, CASE WHEN i % 100 <> 7 THEN point3(x, y, z) END AS b
FROM generate_series(1, 4000) i, LATERAL (SELECT tst.rnd(120, i, 1) * 50 AS x, tst.rnd(120, i, 2) * 50 AS y, tst.rnd(120, i, 3) ^ 4 * 50 AS z) v;
INSERT INTO solid_point
SELECT 4000 + i, point3(tst.rndint(121, i, 1, 0, 9), tst.rndint(121, i, 2, 0, 9), tst.rndint(121, i, 3, 0, 9)) FROM generate_series(1, 3000) i;
CREATE TABLE solid_point_ends AS
SELECT i AS id, point3(n[1], n[2], n[3]) AS b
FROM generate_series(1, 1500) i,
     LATERAL (SELECT array_agg(CASE WHEN i % 3 = 0 AND tst.rnd(122, i, k) < 0.4 THEN (ARRAY['NaN', 'Infinity', '-Infinity', '-0', '1e308', '5e-324']::float8[])[tst.rndint(123, i, k, 1, 6)]
                               ELSE round(tst.rnd(124, i, k) * 20) END ORDER BY k) AS n FROM generate_series(1, 3) k) v;
CREATE FUNCTION tst.point_queries3(tab regclass, n int) RETURNS TABLE (qid int, b point3, v box3, s sphere3, f frustum3) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT i::int, CASE WHEN i %% 2 = 0 THEN b ELSE point3(x(b), y(next), z(b) + 1e-9) END, box3(b, next),
            sphere3(next, CASE i %% 7 WHEN 0 THEN 0 WHEN 1 THEN ''Infinity'' ELSE 20 * tst.rnd(125, i, 1) ^ 2 END),
            frustum3(ARRAY[ARRAY[1, 0, 0, -least(x(b), x(next), 1e300)], ARRAY[-1, 0, 0, 10], ARRAY[0.3, 1, 0, 0], ARRAY[tst.rnd(125, i, 2) - 0.5, -1, 0, 20], ARRAY[0, 0, 1, 0], ARRAY[-1, -1, -1, 40 * tst.rnd(125, i, 3)]])
     FROM (SELECT b, lead(b, 1, b) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS i
           FROM %s WHERE b IS NOT NULL AND hashint4(id) %% %s = 0) c', tab, n);
END $$;
CREATE TABLE solid_point_q AS SELECT * FROM tst.point_queries3('solid_point', 150);
CREATE TABLE solid_point_ends_q AS SELECT * FROM tst.point_queries3('solid_point_ends', 30);
INSERT INTO solid_point_q VALUES (1001, NULL, NULL, NULL, NULL), (1002, '(1e300,-1e300,1e300)', '(-1e300,-1e300,-1e300),(1e300,1e300,1e300)', '<(1e300,0,0),1e300>', frustum3(array_fill(0, '{6,4}')));

CREATE TABLE solid_point_rtree AS SELECT *, repeat('-', 150) AS pad FROM solid_point WHERE id % 2 = 0;
CREATE INDEX ON solid_point_rtree USING spqtree (b) INCLUDE (id, pad);
INSERT INTO solid_point_rtree SELECT *, repeat('-', 150) FROM solid_point WHERE id % 2 <> 0;
CREATE TABLE solid_point_ends_rtree AS SELECT * FROM solid_point_ends WHERE id % 2 = 0;
CREATE INDEX ON solid_point_ends_rtree USING spqtree (b) INCLUDE (id);
INSERT INTO solid_point_ends_rtree SELECT * FROM solid_point_ends WHERE id % 2 <> 0;
VACUUM ANALYZE solid_point_rtree, solid_point_ends_rtree;

SELECT operator, queries > 20 AS queries, rows > 0 AS rows, "index", "index only", bitmap
FROM tst.compare('solid_point_rtree', 'solid_point_q', operators => '{~=,<<,>>,<<|,|>>,<</,/>>,<@ q.v,<@ q.s,<@ q.f}');
SELECT operator, queries > 20 AS queries, rows > 0 AS rows, "index", "index only", bitmap
FROM tst.compare('solid_point_ends_rtree', 'solid_point_ends_q', operators => '{~=,<<,>>,<<|,|>>,<</,/>>,<@ q.v,<@ q.s,<@ q.f}');
SELECT ordering, "index", "index only" FROM tst.compare_order('solid_point_rtree', 'solid_point_q', 20, orderings => '{t.b <-> q.b,t.b <-> q.v}');
SELECT ordering, "index", "index only" FROM tst.compare_order('solid_point_rtree', 'solid_point_q', 20, 't.b <@ q.s', orderings => '{t.b <-> q.b,"t.b <-> q.v, t.b <-> q.b"}');
SELECT ordering, "index", "index only" FROM tst.compare_order('solid_point_ends_rtree', 'solid_point_ends_q', NULL, orderings => '{t.b <-> q.b,t.b <-> q.v}');

-- An index-only scan returns the point itself.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT b FROM solid_point_ends_rtree WHERE b <@ sphere3 '<(10,10,10),Infinity>';
SELECT count(*) FROM ((SELECT point3_send(b) FROM solid_point_ends) EXCEPT ALL (SELECT point3_send(b) FROM solid_point_ends_rtree WHERE id > 0)) d;
RESET enable_seqscan;
RESET enable_bitmapscan;
