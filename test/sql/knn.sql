--
-- Nearest-neighbor order by the distance to a point and to a box (which is the
-- distance of the centers).  The distances in the order of the index must equal,
-- to the last bit, those that the sequential scan sorts.
--

-- Boxes of many sizes, two thirds of them on a grid so that many distances tie,
-- points among them, nested ones, and some NULLs.
CREATE TABLE near (id int, b box);
CREATE INDEX near_b ON near USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO near
SELECT i, CASE WHEN i % 100 = 7 THEN NULL
               WHEN i % 3 = 0 THEN box(point(x, y), point(x + w, y + h))
               ELSE box(point(round(x), round(y)), point(round(x) + round(w), round(y) + round(h))) END
FROM generate_series(1, 6000) i,
     LATERAL (SELECT tst.rnd(20, i, 1) * 60 - 20 AS x, tst.rnd(20, i, 2) * 60 - 20 AS y,
                     tst.rnd(20, i, 3) ^ 6 * 30 AS w, tst.rnd(20, i, 4) ^ 6 * 30 AS h) v;
VACUUM ANALYZE near;

-- From corners, centers, edges, grid points (equally far from many), the outside,
-- far outside, and from nowhere (NULL).
CREATE TABLE near_q (qid serial, p point, b box);
INSERT INTO near_q (p, b)
SELECT CASE id % 5 WHEN 0 THEN b[0] WHEN 1 THEN center(b)
                   WHEN 2 THEN point((b[0])[0], (b[1])[1] / 2 + (b[0])[1] / 2)
                   WHEN 3 THEN point(round((b[0])[0]), round((b[0])[1]))
                   ELSE b[1] - point(0.5, 1e-7) END, b
FROM near WHERE id % 97 = 0 AND b IS NOT NULL;
INSERT INTO near_q (p, b)
VALUES ('(-70,10)', '((-70,10),(-60,11))'), ('(90,90)', '((90,90),(900,900))'),
       ('(-3e5,2e5)', '((-3e5,2e5),(3e5,2e5))'), ('(1e300,-1e300)', '((1e300,-1e300),(0,0))'),
       ('(0,0)', '((0,0),(0,0))'), ('(-0,1e-320)', '((-0,-0),(1e-320,0))'), (NULL, NULL);

-- Some of them, for the comparisons that fetch the whole table.
CREATE TABLE near_few AS SELECT * FROM near_q WHERE qid % 6 = 1;

SELECT * FROM tst.compare_order('near', 'near_q', 10);
SELECT * FROM tst.compare_order('near', 'near_few', NULL);
-- With conditions: on the box, with the point of the query, on an included
-- column, on several, on none that holds.
SELECT * FROM tst.compare_order('near', 'near_q', 25, 't.b && q.b');
SELECT * FROM tst.compare_order('near', 'near_q', 25, 't.b @> q.p');
SELECT * FROM tst.compare_order('near', 'near_q', 25, 't.b <@ box ''((-10,-10),(30,20))'' AND t.id % 3 = 1');
SELECT * FROM tst.compare_order('near', 'near_few', NULL, 't.b >> q.b AND t.b &<| box ''((0,0),(20,20))''');
SELECT * FROM tst.compare_order('near', 'near_few', NULL, 't.b IS NOT NULL');
SELECT * FROM tst.compare_order('near', 'near_few', NULL, 't.b IS NULL');
SELECT * FROM tst.compare_order('near', 'near_few', NULL, 't.b <<| box ''((-100,-100),(-90,-90))''');
-- With two keys: the second decides among the ties of the first.
SELECT * FROM tst.compare_order('near', 'near_q', 40,
         orderings => '{"t.b <-> q.p, t.b <-> q.b","t.b <-> q.b, t.b <-> q.p"}');
SELECT * FROM tst.compare_order('near', 'near_few', NULL, 't.id % 5 = 0',
         orderings => '{"t.b <-> point ''(0,0)'', t.b <-> q.p","t.b <-> q.p, t.b <-> point ''(1,1)'', t.b <-> q.b"}');

-- The rows of equal distance: all of them, each once, whatever their order.
CREATE TABLE ties AS
SELECT i AS id, box(point(x, y), point(x, y)) AS b
FROM generate_series(1, 4000) i,
     LATERAL (SELECT (ARRAY[3, -3, 4, -4, 5, -5, 0, 0])[1 + i % 8] AS x,
                     (ARRAY[4, -4, -3, 3, 0, 0, 5, -5])[1 + i % 8] AS y) v;
CREATE INDEX ON ties USING spgist (b spqtree_box_ops) INCLUDE (id);
VACUUM ANALYZE ties;
CREATE TABLE ties_q AS
SELECT i AS qid, p, box(p, p) AS b
FROM generate_series(1, 3) i, LATERAL (SELECT ('{"(0,0)","(3,4)","(1,1)"}'::point[])[i] AS p) v;
SELECT * FROM tst.compare_order('ties', 'ties_q', NULL);
SELECT * FROM tst.compare_order('ties', 'ties_q', 3999);

-- Nearly ties: the nearest corners of these boxes, or the nearest points of
-- their sides, are on a circle, so that the distances from its center differ by
-- some units in the last place.  At several centers, from zero to 1e7, and with
-- radii down to the size of EPSILON.
CREATE TABLE circles (id int, b box);
CREATE INDEX ON circles USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO circles
SELECT i, CASE i % 6 WHEN 0 THEN box(point(o + x, o + y), point(o + x, o + y))
                     WHEN 1 THEN box(point(o + x, o + y), point(o + x + sign(x) * r * t, o + y + sign(y) * r * 3))
                     WHEN 2 THEN box(point(o + x, o + y), point(o + x + sign(x) * 1e-6, o + y + sign(y) * r))
                     WHEN 3 THEN box(point(o - r * t, o + y), point(o + r, o + y + sign(y) * r))
                     WHEN 4 THEN box(point(o + x, o - r * t), point(o + x + sign(x) * r / 7, o + r))
                     ELSE box(point(o + x, o + y), point(o + x + sign(x) * 3e-6, o + y + sign(y) * t * 1e-6)) END
FROM generate_series(1, 4000) i,
     LATERAL (SELECT ('{0,1000,1e7,-0.1}'::float8[])[1 + i / 6 % 4] AS o, ('{5,0.3,1e-6,3e-5}'::float8[])[1 + i / 24 % 4] AS r,
                     tst.rnd(24, i, 1) AS t, tst.rndint(24, i, 2, 0, 1) * 2 - 1 AS sx, tst.rndint(24, i, 3, 0, 1) * 2 - 1 AS sy) v,
     -- a rational point of the circle
     LATERAL (SELECT sx * r * (1 - t * t) / (1 + t * t) AS x, sy * r * 2 * t / (1 + t * t) AS y) w;
VACUUM ANALYZE circles;
CREATE TABLE circles_q AS
SELECT i AS qid, p, box(p, p) AS b
FROM generate_series(1, 5) i, LATERAL (SELECT ('{"(0,0)","(1000,1000)","(1e7,1e7)","(-0.1,-0.1)","(1000,1e7)"}'::point[])[i] AS p) v;
SELECT * FROM tst.compare_order('circles', 'circles_q', NULL);

-- Boxes with NaN and infinite corners, and queries from there.  NaN comes last,
-- before NULL.
CREATE TABLE far (id int, b box);
CREATE INDEX ON far USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO far
SELECT i, CASE i % 6 WHEN 0 THEN box(point(x, c), point(y, d)) WHEN 1 THEN box(point(x, y), point(c, d))
                     WHEN 2 THEN box(point(x, y), point(y, x)) + point(c, 0) ELSE box(point(x, y), point(x + 1, y + 2)) END
FROM generate_series(1, 3000) i,
     LATERAL (SELECT tst.rnd(21, i, 1) * 100 AS x, tst.rnd(21, i, 2) * 100 AS y,
                     ('{NaN,Infinity,-Infinity,0,-0,1e300,-1e300,1e-300}'::float8[])[tst.rndint(21, i, 3, 1, 8)] AS c,
                     ('{NaN,Infinity,-Infinity,0,-0,1e300,-1e300,1e-300}'::float8[])[tst.rndint(21, i, 4, 1, 8)] AS d) v;
INSERT INTO far VALUES (0, NULL);
VACUUM ANALYZE far;
CREATE TABLE far_q AS
SELECT (row_number() OVER (ORDER BY x, y))::int AS qid, point(x, y) AS p, box(point(x, y), point(x, y + 1)) AS b
FROM unnest('{NaN,Infinity,-Infinity,50,-1e300}'::float8[]) x, unnest('{NaN,Infinity,-Infinity,50,0.25}'::float8[]) y;
SELECT * FROM tst.compare_order('far', 'far_q', 30);
CREATE TABLE far_few AS SELECT * FROM far_q WHERE qid % 3 = 0;
SELECT * FROM tst.compare_order('far', 'far_few', NULL);

-- Where rounding rules: long boxes (1e15 to 1e18) and queries some units beside
-- them; coordinates beyond 2^53; boxes smaller than EPSILON, which the operator
-- takes for points here and for segments there.
CREATE TABLE rounding (id int, b box);
CREATE INDEX ON rounding USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO rounding
SELECT i, CASE i % 4 WHEN 0 THEN box(point(x, y), point(x + l, y + w)) WHEN 1 THEN box(point(y, x), point(y + w, x + l))
                     WHEN 2 THEN box(point(x - l, y), point(x, y + l)) ELSE box(point(s, t), point(s + u, t + v)) END
FROM generate_series(1, 4000) i,
     LATERAL (SELECT tst.rndint(22, i, 1, -40, 40) AS x, tst.rndint(22, i, 2, -40, 40) AS y,
                     tst.rndint(22, i, 3, 0, 3) AS w, ('{1e15,1e16,3e16,1e17,1e18}'::float8[])[1 + i / 4 % 5] AS l,
                     tst.rndint(22, i, 5, -9, 9) * 0.3e-6 AS s, tst.rndint(22, i, 6, -9, 9) * 0.3e-6 AS t,
                     tst.rndint(22, i, 7, 0, 4) * 0.4e-6 AS u, tst.rndint(22, i, 8, 0, 4) * 0.4e-6 AS v) n;
VACUUM ANALYZE rounding;
CREATE TABLE rounding_q AS
SELECT i AS qid, p, box(p, p + point(tst.rndint(23, i, 3, 0, 3), 1e-6)) AS b
FROM generate_series(1, 60) i,
     LATERAL (SELECT CASE i % 3 WHEN 0 THEN point(tst.rndint(23, i, 1, -50, 50), tst.rndint(23, i, 2, -50, 50))
                                WHEN 1 THEN point(1e16 + tst.rndint(23, i, 1, -50, 50) * 2, tst.rndint(23, i, 2, -50, 50))
                                ELSE point(tst.rndint(23, i, 1, -20, 20) * 0.25e-6, tst.rndint(23, i, 2, -20, 20) * 0.25e-6) END AS p) v;
SELECT * FROM tst.compare_order('rounding', 'rounding_q', 10);
CREATE TABLE rounding_few AS SELECT * FROM rounding_q WHERE qid % 6 = 0;
SELECT * FROM tst.compare_order('rounding', 'rounding_few', NULL);

-- Boxes that the operator thinks to be nearer than they are, because the side
-- that ends some units away, being 2^58 long or more, seems to go on; and points
-- at distances between the one and the other.
SELECT box(point(0, 20), point(1000, 21)) <-> point(-5, 26) AS true_distance,
       box(point(0, 20), point(2.0::float8 ^ 58, 21)) <-> point(-5, 26) AS operator_says;
CREATE TABLE ends (id int, b box);
CREATE INDEX ON ends USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO ends
SELECT i, CASE WHEN i % 2 = 0 THEN box(point(0, i / 2 % 40 * 20), point(2.0::float8 ^ (58 + i / 80 % 4), i / 2 % 40 * 20 + 1))
               ELSE box(point(x, y), point(x, y)) END
FROM generate_series(1, 4000) i, LATERAL (SELECT -tst.rndint(25, i, 1, 0, 30) AS x, tst.rndint(25, i, 2, 0, 800) AS y) v;
VACUUM ANALYZE ends;
CREATE TABLE ends_q AS
SELECT i AS qid, p, box(p, p) AS b
FROM generate_series(1, 20) i, LATERAL (SELECT point(-3 - i % 13, i * 20 + 2 + i % 3) AS p) v;
SELECT * FROM tst.compare_order('ends', 'ends_q', 200);
