--
-- The spatial join on data of many shapes: every predicate and distance gives
-- the pairs of the nested loop, whichever side is built, with much memory and
-- with so little that it goes to disk, with cells of any size.
--
-- SPQTREE_SEED may give another seed than 1, or "time" for a new one, as in random.sql;
-- the output should be the same.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE TABLE join_seed AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: random joins with seed %', (SELECT seed FROM join_seed); END $$;

-- Distances with which each shape is joined: one that finds little, one that finds
-- more, one out of proportion.  None is what any two boxes are apart up to rounding,
-- because hypot() in C and <-> in SQL need not round alike.
CREATE TABLE join_shape (shape text PRIMARY KEY, boxes int, distances float8[]);
INSERT INTO join_shape VALUES
  ('uniform', 120, '{0.5,3,1e-300}'),
  ('clusters', 120, '{0.01,0.2,9}'),
  ('decades', 120, '{1e-7,0.7,12}'),
  ('points', 110, '{1e-9,1.1,5}'),
  ('thin', 120, '{1e-3,0.5,3}'),
  ('identical', 64, '{1e-300,1,1e300}'),
  ('one over all', 120, '{0.1,2,1e-7}'),
  ('grid', 120, '{1e-7,1,5}'),
  ('epsilon', 110, '{0.6e-6,1.3e-6,2.2e-6}'),
  ('epsilon far out', 110, '{0.6e-6,1.3e-6,2.2e-6}'),
  ('special', 64, '{0.5,1e10,3e300}'),
  ('few special', 64, '{0.5,1e10,3e300}'),
  ('magnitudes', 64, '{1e-250,1,1e200}');

-- Box i of a side (1 or 2) of a shape.  Every sixth is the same on both sides.
CREATE FUNCTION join_shape_box(shape text, side int, i int) RETURNS box LANGUAGE plpgsql AS $$
DECLARE
  seed bigint := (SELECT seed * 10 FROM join_seed) + CASE WHEN i % 6 = 0 THEN 1 ELSE side END;
  a float8 := tst.rnd(seed, i, 1);
  b float8 := tst.rnd(seed, i, 2);
  c float8 := tst.rnd(seed, i, 3);
  d float8 := tst.rnd(seed, i, 4);
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,2,1e300,-1e300,1e-300,-1e-300,1e-6,-1e-6,5e307,-5e307}';
  n int := cardinality(special);
BEGIN
  RETURN CASE shape
    WHEN 'uniform' THEN box(point(a * 100, b * 100), point(a * 100 + c ^ 2 * 15, b * 100 + d ^ 2 * 15))
    WHEN 'clusters' THEN box(point(i % 5 * 1000 + a ^ 3, i % 3 * 77 + b ^ 3), point(i % 5 * 1000 + a ^ 3 + c * 0.1, i % 3 * 77 + b ^ 3 + d * 0.1))
    WHEN 'decades' THEN box(point(a * 100, b * 100), point(a * 100 + 10 ^ (c * 10 - 8), b * 100 + 10 ^ (c * 9 - 7) * d))
    WHEN 'points' THEN box(point(floor(a * 15), floor(b * 15)), point(floor(a * 15), floor(b * 15)))
    WHEN 'thin' THEN CASE i % 2 WHEN 0 THEN box(point(a * 50, b * 50), point(a * 50 + c * 9, b * 50))
                                ELSE box(point(a * 50, b * 50), point(a * 50 + 1e-9, b * 50 + d * 40)) END
    WHEN 'identical' THEN '((3,4),(5,7))'
    WHEN 'one over all' THEN CASE i WHEN 7 THEN box '((-1e6,-1e6),(1e6,1e6))'
                             ELSE box(point(a * 30, b * 30), point(a * 30 + c * 0.5, b * 30 + d * 0.5)) END
    -- they touch at borders and corners
    WHEN 'grid' THEN box(point(floor(a * 40) - 20, floor(b * 40) - 20),
                         point(floor(a * 40) - 20 + floor(c * 3), floor(b * 40) - 20 + floor(d * 3)))
    WHEN 'epsilon' THEN box(point(floor(a * 30) * 0.25e-6, floor(b * 30) * 0.25e-6),
                            point((floor(a * 30) + floor(c * 9)) * 0.25e-6, (floor(b * 30) + floor(d * 9)) * 0.25e-6))
    -- where EPSILON is a few units in the last place
    WHEN 'epsilon far out' THEN box(point(1e9 + floor(a * 40) * 0.25e-6, floor(b * 40) * 0.25e-6 - 1e9),
                                    point(1e9 + (floor(a * 40) + floor(c * 9)) * 0.25e-6, (floor(b * 40) + floor(d * 9)) * 0.25e-6 - 1e9))
    -- NaN, infinities and extremes
    WHEN 'special' THEN CASE WHEN i % 8 = 0 THEN box(point('NaN', i % 3), point(i % 5, 'NaN')) ELSE box(point(special[1 + floor(a * n)], special[1 + floor(b * n)]),
                            point(special[1 + floor(c * n)], special[1 + floor(d * n)])) END
    WHEN 'few special' THEN box(point(CASE WHEN i % 11 = 0 THEN special[1 + floor(a * n)] ELSE a * 30 END, b * 30),
                                point(c * 30, CASE WHEN i % 13 = 0 THEN special[1 + floor(d * n)] ELSE d * 30 END))
    WHEN 'magnitudes' THEN box(point(sign(a - 0.5) * 10 ^ (b * 600 - 300), sign(b - 0.5) * 10 ^ (c * 600 - 300)),
                               point(sign(c - 0.5) * 10 ^ (d * 600 - 300), sign(d - 0.5) * 10 ^ (a * 600 - 300)))
    END;
END $$;

-- Ids repeat: every fifth box has the id of the one before.  Some boxes are NULL.
CREATE TABLE join_shape_row AS
SELECT shape, side, i, (i - (i % 5 = 0)::int)::bigint * (3 - 2 * side) AS id,
       CASE WHEN i % 50 <> 49 THEN join_shape_box(shape, side, i) END AS b
FROM join_shape, generate_series(1, 2) side, generate_series(1, boxes / side) i;
CREATE INDEX ON join_shape_row (shape, side);
ANALYZE join_shape_row;

-- Rows of a side, each repeated a number of times: many rows for a join, few for the nested
-- loop.  The functions differ in what the planner believes, who makes the side with
-- fewer rows the build side.
CREATE FUNCTION join_few(text, int, int) RETURNS TABLE (id bigint, b box) LANGUAGE plpgsql ROWS 1 AS $$
BEGIN RETURN QUERY SELECT t.id, t.b FROM generate_series(1, $3), join_shape_row t WHERE shape = $1 AND side = $2; END $$;
CREATE FUNCTION join_many(text, int, int) RETURNS TABLE (id bigint, b box) LANGUAGE plpgsql ROWS 1000000 AS $$
BEGIN RETURN QUERY SELECT t.id, t.b FROM generate_series(1, $3), join_shape_row t WHERE shape = $1 AND side = $2; END $$;

-- What there is between two intervals.
CREATE FUNCTION join_gap(alow float8, ahigh float8, blow float8, bhigh float8) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN CASE WHEN alow > bhigh THEN alow - bhigh WHEN blow > ahigh THEN blow - ahigh ELSE 0 END;

-- The nested loop: how many pairs, and the sum of a hash of each, in which a pair
-- that is lost, made up or repeated shows.
CREATE TABLE join_truth AS
WITH rows AS MATERIALIZED (
  SELECT *, (b[1])[0] AS lx, (b[1])[1] AS ly, (b[0])[0] AS hx, (b[0])[1] AS hy,
         'NaN' IN ((b[1])[0], (b[1])[1], (b[0])[0], (b[0])[1]) AS nan
  FROM join_shape_row JOIN join_shape USING (shape)
), pairs AS MATERIALIZED (
  SELECT l.shape, l.distances, l.i AS li, r.i AS ri, l.side AS lside, r.side AS rside, l.id AS l, r.id AS r, l.b && r.b AS meets,
         CASE WHEN r.side = 2 THEN l.b @> r.b END AS contains, CASE WHEN r.side = 2 THEN l.b <@ r.b END AS contained,
         CASE WHEN r.side = 2 THEN l.b ~= r.b END AS same,
         CASE WHEN NOT (l.nan OR r.nan) THEN point(0, 0) <-> point(join_gap(l.lx, l.hx, r.lx, r.hx), join_gap(l.ly, l.hy, r.ly, r.hy)) END AS gap
  FROM rows l JOIN rows r ON r.shape = l.shape AND (r.side = 2 OR r.i >= l.i) AND l.side = 1
)
SELECT shape, CASE WHEN rside = 2 THEN 'two sides' WHEN li < ri THEN 'one side' ELSE 'same row' END AS pair_of, predicate, distance,
       count(*) AS pairs,
       sum(hashint8extended(CASE WHEN rside = 1 THEN least(l, r) ELSE l END, CASE WHEN rside = 1 THEN greatest(l, r) ELSE r END)) AS digest
FROM pairs, LATERAL (VALUES ('&&', NULL::float8, meets), ('@>', NULL, contains), ('<@', NULL, contained), ('~=', NULL, same),
                            ('&&', distances[1], meets OR gap <= distances[1]),
                            ('&&', distances[2], meets OR gap <= distances[2]),
                            ('&&', distances[3], meets OR gap <= distances[3])) v(predicate, distance, holds)
WHERE holds
GROUP BY 1, 2, 3, 4;
SELECT predicate, CASE WHEN distance IS NOT NULL THEN 'distance' END AS with, pair_of, count(*) AS shapes, sum(pairs) > 500 AS pairs
FROM join_truth GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- A way to join: which side is built and how many times each side's rows are given,
-- work_mem and cell_size.
CREATE TABLE join_way (built int, copies1 int, copies2 int, work_mem text, cell_size float8);
INSERT INTO join_way VALUES
  (1, 8, 1, '64kB', NULL),
  (2, 1, 16, '64kB', NULL),
  (1, 1, 5, '64kB', NULL),
  (2, 1, 16, '64kB', 3),
  (1, 1, 2, '4MB', NULL),
  (2, 1, 1, '4MB', 1e-300),
  (1, 1, 1, '4MB', 1e300),
  (2, 1, 1, '64MB', 1e-9);

CREATE FUNCTION join_digest(query text, OUT pairs bigint, OUT digest numeric) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT count(*), sum(hashint8extended(a, b)) FROM (' || query || ') AS q(a, b)' INTO pairs, digest;
END $$;

-- Joins by all ways; "wrong" counts those whose pairs are not the nested loop's.  What
-- differs is told in a notice.
CREATE FUNCTION join_check(OUT shape text, OUT joins bigint, OUT wrong bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  s join_shape;
  way join_way;
  test record;
  query text;
  answer record;
BEGIN
  FOR s IN SELECT * FROM join_shape ORDER BY 1 LOOP
    shape := s.shape; joins := 0; wrong := 0;
    FOR way IN SELECT * FROM join_way LOOP
      PERFORM set_config('work_mem', way.work_mem, true);
      FOR test IN SELECT v.predicate, v.distance, coalesce(t.pairs, 0) AS pairs, coalesce(t.digest, 0) AS digest
                  FROM (VALUES ('&&', NULL::float8), ('@>', NULL), ('<@', NULL), ('~=', NULL), ('&&', s.distances[1]), ('&&', s.distances[2]),
                               ('&&', s.distances[3])) v(predicate, distance)
                  LEFT JOIN join_truth t ON t.shape = s.shape AND t.pair_of = 'two sides' AND t.predicate = v.predicate AND t.distance IS NOT DISTINCT FROM v.distance LOOP
        query := format('SELECT * FROM spqtree_join(%L, %L, %L, %L, %L)',
                        format('SELECT * FROM %s(%L, 1, %s)', CASE way.built WHEN 1 THEN 'join_few' ELSE 'join_many' END, s.shape, way.copies1),
                        format('SELECT * FROM %s(%L, 2, %s)', CASE way.built WHEN 2 THEN 'join_few' ELSE 'join_many' END, s.shape, way.copies2),
                        test.predicate, test.distance, way.cell_size);
        answer := join_digest(query);
        joins := joins + 1;
        IF (answer.pairs, coalesce(answer.digest, 0)) IS DISTINCT FROM (test.pairs * way.copies1 * way.copies2, test.digest * way.copies1 * way.copies2) THEN
          wrong := wrong + 1;
          RAISE NOTICE '% pairs instead of % with work_mem %: %', answer.pairs, test.pairs * way.copies1 * way.copies2, way.work_mem, query;
        END IF;
      END LOOP;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;
SET client_min_messages = notice;
SELECT * FROM join_check();

-- A set with itself.  So many copies of each row make copies^2 pairs of two rows, and
-- copies * (copies - 1) / 2 of each row with its own copies.
CREATE FUNCTION join_self_check(OUT shape text, OUT joins bigint, OUT wrong bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  s join_shape;
  way record;
  k int;
  test record;
  query text;
  answer record;
BEGIN
  FOR s IN SELECT * FROM join_shape ORDER BY 1 LOOP
    shape := s.shape; joins := 0; wrong := 0;
    FOR way IN SELECT * FROM (VALUES ('64kB', NULL, 8), ('64kB', 1e-9, 5), ('64kB', 3::float8, 2), ('4MB', NULL, 2), ('4MB', 1e-300, 1),
                                     ('64MB', 1e300, 1)) v(work_mem, cell_size, copies) LOOP
      PERFORM set_config('work_mem', way.work_mem, true);
      k := way.copies;
      FOR test IN SELECT v.distance, k * k * coalesce(t.pairs, 0) + k * (k - 1) / 2 * coalesce(u.pairs, 0) AS pairs,
                         k * k * coalesce(t.digest, 0) + k * (k - 1) / 2 * coalesce(u.digest, 0) AS digest
                  FROM unnest(s.distances || NULL::float8) AS v(distance)
                  LEFT JOIN join_truth t ON t.shape = s.shape AND t.pair_of = 'one side' AND t.distance IS NOT DISTINCT FROM v.distance
                  LEFT JOIN join_truth u ON u.shape = s.shape AND u.pair_of = 'same row' AND u.distance IS NOT DISTINCT FROM v.distance LOOP
        query := format('SELECT * FROM spqtree_self_join(%L, %L, %L)', format('SELECT * FROM join_few(%L, 1, %s)', s.shape, k), test.distance, way.cell_size);
        answer := join_digest(query);
        joins := joins + 1;
        IF (answer.pairs, coalesce(answer.digest, 0)) IS DISTINCT FROM (test.pairs, test.digest) THEN
          wrong := wrong + 1;
          RAISE NOTICE '% pairs instead of % with work_mem %: %', answer.pairs, test.pairs, way.work_mem, query;
        END IF;
      END LOOP;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;
SELECT * FROM join_self_check();

-- These joins did go to disk: where that is forbidden, they fail.
SET work_mem = '64kB';
SET temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*) FROM spqtree_join($$SELECT * FROM join_few('identical', 1, 8)$$, $$SELECT * FROM join_many('identical', 2, 1)$$);
SELECT count(*) FROM spqtree_self_join($$SELECT * FROM join_few('special', 1, 8)$$);
\set VERBOSITY default
RESET temp_file_limit;
RESET work_mem;

