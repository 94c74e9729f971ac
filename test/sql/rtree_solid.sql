--
-- Indexes of boxes in three dimensions: every operator and every order against the
-- sequential scan, by plain, index-only and bitmap scans.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';   -- a loop without end shall be a failure
SET extra_float_digits = 1;

CREATE FUNCTION tst.operators3() RETURNS text[] IMMUTABLE LANGUAGE sql
RETURN '{&&,@>,<@,~=,<<,>>,&<,&>,<<|,|>>,&<|,|&>,<</,/>>,&</,/&>,@> q.p,&& q.s,<@ q.s,&& q.l,&& q.r,&& q.f,<@ q.f}'::text[];
CREATE FUNCTION tst.orders3() RETURNS text[] IMMUTABLE LANGUAGE sql
RETURN '{t.b <-> q.p,t.b <-> q.b,t.b <-> q.r}'::text[];

-- A frustum that looks from p in direction d, nearly up along z: as wide as high, to a
-- far plane; the planes' normals are sums of the view's axes.
CREATE FUNCTION tst.frustum3(p point3, d point3, tangent float8, near float8, far float8) RETURNS frustum3
IMMUTABLE LANGUAGE sql
RETURN (
  WITH v AS (SELECT x(d) / l AS dx, y(d) / l AS dy, z(d) / l AS dz FROM (SELECT sqrt(x(d) ^ 2 + y(d) ^ 2 + z(d) ^ 2) AS l) n),
       w AS (SELECT *, -dy / h AS rx, dx / h AS ry FROM v, LATERAL (SELECT greatest(sqrt(dx ^ 2 + dy ^ 2), 1e-9) AS h) n),
       u AS (SELECT *, -dz * ry AS ux, dz * rx AS uy, dx * ry - dy * rx AS uz FROM w),
       normals AS (SELECT dx, dy, dz, -near AS o, 1 AS k FROM u UNION ALL SELECT -dx, -dy, -dz, far, 2 FROM u
                   UNION ALL SELECT tangent * dx + rx, tangent * dy + ry, tangent * dz, 0, 3 FROM u
                   UNION ALL SELECT tangent * dx - rx, tangent * dy - ry, tangent * dz, 0, 4 FROM u
                   UNION ALL SELECT tangent * dx + ux, tangent * dy + uy, tangent * dz + uz, 0, 5 FROM u
                   UNION ALL SELECT tangent * dx - ux, tangent * dy - uy, tangent * dz - uz, 0, 6 FROM u)
  SELECT frustum3(array_agg(ARRAY[dx, dy, dz, o - dx * px - dy * py - dz * pz] ORDER BY k))
  FROM normals, LATERAL (SELECT CASE WHEN abs(x(p)) BETWEEN 1e-290 AND 1e300 THEN x(p) ELSE 0 END AS px, CASE WHEN abs(y(p)) BETWEEN 1e-290 AND 1e300 THEN y(p) ELSE 0 END AS py,
                                CASE WHEN abs(z(p)) BETWEEN 1e-290 AND 1e300 THEN z(p) ELSE 0 END AS pz) n);

-- A copy of a table, whose rows come half before the index and half after it.
-- With much in the INCLUDE columns few rows fit a page, and the tree is deep.
CREATE FUNCTION tst.rtree3(tab regclass, pad int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %s_rtree (id int, b box3, pad text)', tab);
  EXECUTE format('ALTER TABLE %s_rtree ALTER pad SET STORAGE external', tab);
  EXECUTE format('INSERT INTO %s_rtree SELECT id, b, repeat(''-'', %s) FROM %1$s t WHERE t.id %% 2 = 0', tab, pad);
  EXECUTE format('CREATE INDEX %s_rtree_b ON %1$s_rtree USING spqtree (b) INCLUDE (id%s)', tab, CASE WHEN pad > 0 THEN ', pad' END);
  EXECUTE format('INSERT INTO %s_rtree SELECT id, b, repeat(''-'', %s) FROM %1$s t WHERE t.id %% 2 <> 0', tab, pad);
END $$;

-- Queries made from rows: boxes of the table and between two, their corners, spheres,
-- rays and segments between corners and in the directions of axes, frustums.
CREATE FUNCTION tst.queries3(tab regclass, n int, scale float8)
RETURNS TABLE (qid int, b box3, p point3, s sphere3, r ray3, l lseg3, f frustum3) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT i::int, CASE i %% 3 WHEN 0 THEN b WHEN 1 THEN box3(high(b), low(next)) ELSE box3(low(b)) END,
            CASE i %% 4 WHEN 0 THEN high(b) WHEN 1 THEN low(next) WHEN 2 THEN point3(x(low(b)), y(high(b)), z(low(next))) ELSE low(b) END,
            sphere3(low(next), CASE i %% 7 WHEN 0 THEN 0 WHEN 1 THEN ''Infinity'' ELSE %3$L * tst.rnd(101, i, 1) ^ 2 END),
            ray3(low(next), CASE i %% 8 WHEN 0 THEN point3(0, 0, -1) WHEN 1 THEN point3(-3, 0, 0) WHEN 2 THEN point3(0, 1, 1)
                              WHEN 3 THEN point3(1, 1, 1) WHEN 4 THEN point3(1e-323, 1e-323, 0) WHEN 5 THEN point3(-1e308, 1e308, 1e308) ELSE point3(tst.rnd(102, i, 1) - 0.5, tst.rnd(102, i, 2) - 0.5, tst.rnd(102, i, 3) - 0.5) END,
                 CASE i %% 5 WHEN 0 THEN %3$L::float8 WHEN 1 THEN %3$L * 0.1 ELSE ''Infinity'' END),
            lseg3(low(next), CASE i %% 3 WHEN 0 THEN high(b) WHEN 1 THEN point3(x(low(next)), y(low(next)), z(high(b))) ELSE low(b) END),
            tst.frustum3(low(next), point3(tst.rnd(103, i, 1) - 0.5, tst.rnd(103, i, 2) - 0.5, tst.rnd(103, i, 3) - 0.5), tst.rnd(103, i, 4) + 0.1, 0, %3$L)
     FROM (SELECT b, lead(b, 1, b) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS i
           FROM (SELECT id, b, row_number() OVER (ORDER BY id) AS nr, count(*) OVER () AS total
                 FROM %1$s WHERE b IS NOT NULL) a
           WHERE (nr - 1) * %2$s / total > (nr - 2) * %2$s / total OR nr = 1) c', tab, n, scale);
END $$;

-- Boxes of many sizes; on a grid, with the faces of others, edges and points; far from
-- one another; very thin; NULLs everywhere.
CREATE TABLE solid_uniform AS
SELECT i AS id, CASE WHEN i % 100 <> 7 THEN box3(point3(x, y, z), point3(x + s * tst.rnd(110, i, 5), y + s * tst.rnd(110, i, 6), z + s * tst.rnd(110, i, 7))) END AS b
FROM generate_series(1, 3000) i, LATERAL (SELECT tst.rnd(110, i, 1) * 100 AS x, tst.rnd(110, i, 2) * 100 AS y, tst.rnd(110, i, 3) * 100 AS z, 10 ^ (tst.rnd(110, i, 4) * 4 - 2) AS s) v;
CREATE TABLE solid_grid AS
SELECT i AS id, box3(point3(x, y, z), point3(x + tst.rndint(111, i, 4, 0, 2), y + tst.rndint(111, i, 5, 0, 2), z + tst.rndint(111, i, 6, 0, 2))) AS b
FROM generate_series(1, 2000) i, LATERAL (SELECT tst.rndint(111, i, 1, 0, 11) AS x, tst.rndint(111, i, 2, 0, 11) AS y, tst.rndint(111, i, 3, 0, 11) AS z) v;
CREATE TABLE solid_far AS
SELECT i AS id, box3(point3(x, y, z), point3(x * 1.5, y, z + 1)) AS b
FROM generate_series(1, 1500) i,
     LATERAL (SELECT (tst.rnd(112, i, 1) - 0.5) * 10 ^ (tst.rnd(112, i, 2) * 600 - 300) AS x, (tst.rnd(112, i, 3) - 0.5) * 10 ^ (tst.rnd(112, i, 4) * 600 - 300) AS y,
                     (tst.rnd(112, i, 5) - 0.5) * 10 ^ (tst.rnd(112, i, 6) * 600 - 300) AS z) v;
CREATE TABLE solid_time AS
SELECT i AS id, box3(point3(x, y, t), point3(x + 1e-3, y + 1e-3, t + 3600)) AS b
FROM generate_series(1, 2000) i, LATERAL (SELECT tst.rnd(113, i, 1) AS x, tst.rnd(113, i, 2) AS y, 1.7e9 + tst.rnd(113, i, 3) * 1e7 AS t) v;
-- NaN and infinity in any number of every second row
CREATE TABLE solid_ends AS
SELECT i AS id, box3(point3(n[1], n[2], n[3]), point3(n[4], n[5], n[6])) AS b
FROM generate_series(1, 1500) i,
     LATERAL (SELECT array_agg(CASE WHEN i % 2 = 0 AND tst.rnd(114, i, k) < 0.2 THEN (ARRAY['NaN', 'Infinity', '-Infinity', '-0', '1e308', '5e-324']::float8[])[tst.rndint(115, i, k, 1, 6)]
                               ELSE round(tst.rnd(116, i, k) * 100) END ORDER BY k) AS n FROM generate_series(1, 6) k) v;
CREATE TABLE solid_case (nr serial, tab regclass, n int, scale float8, pad int);
INSERT INTO solid_case (tab, n, scale, pad) VALUES ('solid_uniform', 24, 40, 100), ('solid_grid', 16, 6, 1200), ('solid_far', 16, 1e290, 400), ('solid_time', 12, 1e6, 0), ('solid_ends', 16, 50, 300);
DO $$
DECLARE c record;
BEGIN
  FOR c IN TABLE solid_case LOOP
    EXECUTE format('CREATE TABLE %s_q AS SELECT * FROM tst.queries3(%L, %s, %L)', c.tab, c.tab, c.n, c.scale);
    PERFORM tst.rtree3(c.tab, c.pad);
  END LOOP;
END $$;
-- queries that are NULL, and with NaN and infinity
INSERT INTO solid_uniform_q VALUES (1001, NULL, NULL, NULL, NULL, NULL, NULL),
  (1002, '((NaN,0,0),(50,50,50))', '(50,NaN,50)', '<(50,50,NaN),10>', '<(50,50,NaN),(1,0,0)>', '[(50,50,50),(NaN,0,0)]', '[(1,0,0,NaN),(1,0,0,0),(1,0,0,0),(1,0,0,0),(1,0,0,0),(1,0,0,0)]'),
  (1003, '((-Infinity,0,0),(Infinity,50,50))', '(50,Infinity,50)', '<(Infinity,50,50),10>', '<(Infinity,50,50),(-1,0,0)>', '[(50,50,50),(Infinity,50,50)]', '[(1,0,0,Infinity),(1,0,0,0),(1,0,0,0),(1,0,0,0),(1,0,0,0),(1,0,0,0)]'),
  (1004, '((0,0,0),(100,100,100))', '(1e300,-1e300,1e300)', '<(1e300,0,0),1e300>', '<(-1e300,50,50),(1,0,0)>', '[(-1e300,-1e300,-1e300),(1e300,1e300,1e300)]', frustum3(array_fill(0, '{6,4}'))),
  -- inverted: in front of one of two planes only
  (1005, '((50,50,50),(50,50,50))', '(50,50,50)', '<(50,50,50),0>', '<(50,50,50),(0,0,-1),0>', '[(50,50,50),(50,50,50)]', '[(1,0,0,-60),(-1,0,0,40),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)]');
VACUUM ANALYZE solid_uniform_rtree, solid_grid_rtree, solid_far_rtree, solid_time_rtree, solid_ends_rtree;

SELECT tab, sum(queries) AS queries, count(*) FILTER (WHERE rows > 0) AS operators, sum("index") AS "index", sum("index only") AS "index only", sum(bitmap) AS bitmap
FROM solid_case, LATERAL tst.compare((tab || '_rtree')::regclass, (tab || '_q')::regclass, operators => tst.operators3()) GROUP BY nr, tab ORDER BY nr;
SELECT tab, ordering, queries, "index", "index only"
FROM solid_case, LATERAL tst.compare_order((tab || '_rtree')::regclass, (tab || '_q')::regclass, 20, orderings => tst.orders3()) ORDER BY nr, ordering;
SELECT tab, ordering, queries, "index", "index only"
FROM solid_case, LATERAL tst.compare_order((tab || '_rtree')::regclass, (tab || '_q')::regclass, NULL, orderings => tst.orders3() || '{"t.b <-> q.r, t.b <-> q.p"}') WHERE nr IN (2, 5) ORDER BY nr, ordering;
SELECT ordering, queries, rows > 0 AS rows, "index", "index only"
FROM tst.compare_order('solid_uniform_rtree', 'solid_uniform_q', 10, 't.b && q.r AND t.id % 3 <> 0', orderings => tst.orders3());
SELECT ordering, queries, rows > 0 AS rows, "index", "index only"
FROM tst.compare_order('solid_uniform_rtree', 'solid_uniform_q', 10, 't.b && q.f AND t.b <@ box3 ''((0,0,0),(100,90,50))''', orderings => tst.orders3());

-- Along the diagonal of a grid, in directions whose length has few bits or overflows; and all
-- that a ray misses, by its order alone
CREATE TABLE solid_diagonal_q AS
SELECT row_number() OVER () AS qid, ray3(o, d) AS r FROM unnest('{"(-1,-1,5.5)","(-20,-20,3)","(-20,-19.5,3)"}'::point3[]) o,
  unnest('{"(1e-323,1e-323,0)","(1.7e308,1.7e308,1e300)","(1,1,5e-324)","(5e-324,1e-320,1)","(-1,-1,0)"}'::point3[]) d;
SELECT * FROM tst.compare_order('solid_grid_rtree', 'solid_diagonal_q', 300, orderings => '{t.b <-> q.r}');
SELECT * FROM tst.compare_order('solid_grid_rtree', 'solid_diagonal_q', NULL, 't.b && q.r', orderings => '{t.b <-> q.r}');

-- Rays of no length, from corners of boxes
CREATE TABLE solid_corner_q AS
SELECT row_number() OVER () AS qid, ray3(o, d, 0) AS r
FROM (SELECT b FROM solid_grid_rtree WHERE b IS NOT NULL ORDER BY id LIMIT 20) s, LATERAL (VALUES (low(b)), (high(b)), (point3(x(high(b)), y(low(b)), z(high(b))))) c (o),
  unnest('{"(1,1,1)","(-1,-1,-1)","(-1,2,-0.5)","(0,0,-1)"}'::point3[]) d;
SELECT operator, queries > 200 AS queries, rows > 0 AS rows, "index", "index only", bitmap FROM tst.compare('solid_grid_rtree', 'solid_corner_q', operators => '{&& q.r}');
SELECT ordering, "index", "index only" FROM tst.compare_order('solid_grid_rtree', 'solid_corner_q', NULL, 't.b && q.r', orderings => '{t.b <-> q.r}');

-- Conditions with any of an array
SELECT operator, queries, rows > 0 AS rows, "index", "index only", bitmap
FROM tst.compare('solid_uniform_rtree', 'solid_uniform_q', operators => '{"&& ANY (ARRAY[ q.s, sphere3(q.p, 3), NULL])","&& ANY (ARRAY[ q.r, ray3(q.p, ''(1,2,3)'')])","@> ANY (ARRAY[ q.p, point3(50, 50, 50)])"}');

-- A ray, a sphere, a segment, a frustum: the plan, and first hits
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id, b FROM solid_grid_rtree WHERE b && ray3 '<(-1,5,5),(1,0,0)>' ORDER BY b <-> ray3 '<(-1,5,5),(1,0,0)>' LIMIT 1;
SELECT b <-> ray3 '<(-1,5,5),(1,0,0)>' AS distance FROM solid_grid_rtree WHERE b && ray3 '<(-1,5,5),(1,0,0)>' ORDER BY 1 LIMIT 1;
-- from inside: 0, and as many as are around the origin
SELECT count(*), min(distance), max(distance) FROM (SELECT b <-> ray3 '<(5.5,5.5,5.5),(1,0,0)>' AS distance FROM solid_grid_rtree WHERE b && ray3 '<(5.5,5.5,5.5),(1,0,0)>' ORDER BY 1 LIMIT 20) d;
SELECT count(*) FROM solid_grid WHERE b @> point3 '(5.5,5.5,5.5)';
-- nothing there
SELECT count(*) FROM solid_grid_rtree WHERE b && ray3 '<(-1,5,5),(-1,0,0)>';
SELECT count(*) FROM solid_grid_rtree WHERE b && frustum3 '[(1,0,0,-60),(-1,0,0,40),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)]';
RESET enable_seqscan;
RESET enable_bitmapscan;
