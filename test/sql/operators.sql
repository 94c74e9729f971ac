--
-- Every operator against the sequential scan, by plain, index-only and bitmap
-- scans: on random boxes, on boxes whose sides lie on the lines at which the
-- tree splits, and on boxes that differ by about EPSILON.
--

-- Random boxes: sizes over three decades, on both sides of zero.
CREATE TABLE uniform (id int, b box);
CREATE INDEX ON uniform USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO uniform
SELECT i, box(point(x, y), point(x + w, y + h))
FROM generate_series(1, 6000) i,
     LATERAL (SELECT tst.rnd(1, i, 1) * 1000 - 500 AS x, tst.rnd(1, i, 2) * 1000 - 500 AS y,
                     tst.rnd(1, i, 3) ^ 4 * 100 AS w, tst.rnd(1, i, 4) ^ 4 * 100 AS h) v;
VACUUM ANALYZE uniform;
-- Queries: boxes of the table, such boxes shrunk and grown, others, empty ones.
CREATE TABLE uniform_q AS
SELECT i AS qid,
       CASE i % 5 WHEN 0 THEN t.b
                  WHEN 1 THEN box(t.b[1] + point(w, w), t.b[0] - point(w, w))
                  WHEN 2 THEN box(t.b[1] - point(w, w), t.b[0] + point(w, w))
                  WHEN 3 THEN box(point(x, y), point(x + 20 * w, y + 10 * w))
                  WHEN 4 THEN box(point(x, y), point(x, y)) END AS b,
       CASE i % 3 WHEN 0 THEN t.b[0] WHEN 1 THEN center(t.b) ELSE point(x, y) END AS p
FROM generate_series(1, 50) i JOIN uniform t ON t.id = i * 100,
     LATERAL (SELECT tst.rnd(2, i, 1) * 1000 - 500 AS x, tst.rnd(2, i, 2) * 1000 - 500 AS y,
                     tst.rnd(2, i, 3) * 5 AS w) v;
SELECT * FROM tst.compare('uniform', 'uniform_q');

-- Corners on multiples of powers of two, from 1/8 to 64: every side lies on a
-- line of the lattice, at zero too, and many boxes fill a cell.
CREATE TABLE lattice AS
SELECT i AS id, box(point(x, y) * point(s, 0), point(x + w, y + h) * point(s, 0)) AS b
FROM generate_series(1, 6000) i,
     LATERAL (SELECT tst.rndint(3, i, 1, -8, 7) AS x, tst.rndint(3, i, 2, -8, 7) AS y,
                     tst.rndint(3, i, 3, 0, 2) AS w, tst.rndint(3, i, 4, 0, 2) AS h,
                     2.0 ^ tst.rndint(3, i, 5, -3, 6) AS s) v;
CREATE INDEX ON lattice USING spgist (b spqtree_box_ops) INCLUDE (id);
VACUUM ANALYZE lattice;
CREATE TABLE lattice_q AS
SELECT id / 120 AS qid, b, b[id % 2] AS p FROM lattice WHERE id % 120 = 0;
SELECT * FROM tst.compare('lattice', 'lattice_q');

-- Corners that differ by some halves of EPSILON (1e-6), so that "equal",
-- "touching" and "within" are decided by the fuzzy comparison; at several
-- offsets, because a + EPSILON is rounded more coarsely the larger a is (at
-- 2^33 and beyond the rounding is of the size of EPSILON).
-- Two thirds have corners near whole numbers, the others crowd in a place of
-- some EPSILON, where cells are so small that EPSILON counts in their bounds too.
CREATE TABLE epsilon AS
SELECT i AS id, CASE WHEN i % 3 < 2 THEN box(point(o + x + dx, o + y + dy), point(o + x + w + dw, o + y + h + dh))
                     ELSE box(point(o + dx * 5, o + dy * 5), point(o + dx * 5 + abs(dw), o + dy * 5 + abs(dh))) END AS b
FROM generate_series(1, 6000) i,
     LATERAL (SELECT ('{0,1,-3,1000,-65536,1e9,8589934592,1e10,-1e10,1e16}'::float8[])[1 + i % 10] AS o,
                     tst.rndint(4, i, 1, 0, 3) AS x, tst.rndint(4, i, 2, 0, 3) AS y,
                     tst.rndint(4, i, 3, 0, 2) AS w, tst.rndint(4, i, 4, 0, 2) AS h,
                     tst.rndint(4, i, 5, -5, 5) * 0.5e-6 AS dx, tst.rndint(4, i, 6, -5, 5) * 0.5e-6 AS dy,
                     tst.rndint(4, i, 7, -5, 5) * 0.5e-6 AS dw, tst.rndint(4, i, 8, -5, 5) * 0.5e-6 AS dh) v;
CREATE INDEX ON epsilon USING spgist (b spqtree_box_ops) INCLUDE (id);
VACUUM ANALYZE epsilon;
CREATE TABLE epsilon_q AS
SELECT id / 97 AS qid, b, b[id % 2] AS p FROM epsilon WHERE id % 97 = 0;
SELECT * FROM tst.compare('epsilon', 'epsilon_q');
-- EPSILON counts: exact comparison would give another answer in many queries.
SELECT count(*) > 100 AS fuzzy
FROM epsilon_q q JOIN epsilon t ON t.b && q.b
WHERE (t.b[1])[0] > (q.b[0])[0] OR (q.b[1])[0] > (t.b[0])[0];

-- Several conditions at once, and conditions on both the box and something else.
CREATE FUNCTION count_by(cond text, plan text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text; query text;
BEGIN
  PERFORM tst.allow(plan);
  query := 'SELECT count(*) || '' '' || coalesce(bit_xor(hashint8extended(id, 1)), 0) FROM uniform t WHERE ' || cond;
  IF NOT tst.planned(query, plan) THEN RAISE EXCEPTION 'the plan has no "%" scan', plan; END IF;
  EXECUTE query INTO result;
  RETURN result;
END $$;
SELECT cond, split_part(count_by(cond, 'seq'), ' ', 1) AS rows,
       count_by(cond, 'index') = count_by(cond, 'seq') AS "index",
       count_by(cond, 'index only') = count_by(cond, 'seq') AS "index only",
       count_by(cond, 'bitmap') = count_by(cond, 'seq') AS bitmap
FROM (VALUES ($$b && box '((-100,-100),(100,100))' AND b <@ box '((0,0),(300,300))'$$),
             ($$b << box '((0,0),(1,1))' AND b |>> box '((0,0),(1,1))' AND b &< box '((-200,0),(-100,1))'$$),
             ($$b && box '((-100,-100),(100,100))' AND b && box '((150,150),(160,160))'$$),
             ($$b >> box '((10,10),(10,10))' AND b << box '((0,0),(0,0))'$$),
             ($$b && box '((-50,-50),(50,50))' AND b @> point '(0,0)'$$),
             ($$b && box '((-300,-300),(300,300))' AND id % 3 = 0 AND area(b) > 100$$),
             ($$b <@ box '((-300,-300),(300,300))' AND b ~= box '((0,0),(0,0))'$$)) v(cond);
-- Either condition: bitmaps are or-ed.
SELECT count_by(cond, 'bitmap') = count_by(cond, 'seq') AS bitmap
FROM (VALUES ($$(b && box '((-100,-100),(100,100))' OR b <@ box '((200,200),(400,400))')$$)) v(cond);
-- The box on the other side: the planner commutes the operator, where it has a
-- commutator.
SELECT cond, count_by(cond, 'index') = count_by(cond, 'seq') AS "index"
FROM (VALUES ($$box '((-100,-100),(100,100))' && b$$),
             ($$box '((-100,-100),(100,100))' @> b$$),
             ($$box '((-100,-100),(-90,-90))' <@ b$$),
             ($$point '(0,0)' <@ b$$),
             ($$box '((0,0),(1,1))' ~= b$$)) v(cond);
DROP FUNCTION count_by;
