--
-- The join functions in three dimensions: every predicate and distance gives the pairs
-- of the nested loop on data of many shapes, whichever side is built, with much memory
-- and with so little that it goes to disk; what they take, and what not.
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
CREATE TABLE solid_seed AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: random joins in space with seed %', (SELECT seed FROM solid_seed); END $$;

-- Distances: one that finds little, one that finds more, one out of proportion.
CREATE TABLE solid_shape (shape text PRIMARY KEY, boxes int, distances float8[]);
INSERT INTO solid_shape VALUES
  ('uniform', 90, '{0.5,4,1e-300}'),
  ('clusters', 90, '{0.01,0.2,9}'),
  ('decades', 90, '{1e-7,0.7,12}'),
  ('points', 90, '{1e-9,1,2}'),
  ('thin', 90, '{1e-3,0.5,3}'),
  ('identical', 40, '{1e-300,1,1e300}'),
  ('one over all', 90, '{0.1,2,1e-7}'),
  ('grid', 90, '{1e-7,1,3}'),
  ('last place', 90, '{1e-16,2.3e-16,1}'),
  ('moving', 90, '{1e-3,60,86400}'),
  ('special', 60, '{0.5,1e10,3e300}'),
  ('few special', 60, '{0.5,1e10,1.7976931348623157e308}'),
  ('magnitudes', 60, '{5e-324,1,1e200}');

-- Box i of a side (1 or 2) of a shape.  Every sixth is the same on both sides.
CREATE FUNCTION solid_shape_box(shape text, side int, i int) RETURNS box3 LANGUAGE plpgsql AS $$
DECLARE
  seed bigint := (SELECT seed * 10 FROM solid_seed) + CASE WHEN i % 6 = 0 THEN 1 ELSE side END;
  a float8 := tst.rnd(seed, i, 1);
  b float8 := tst.rnd(seed, i, 2);
  c float8 := tst.rnd(seed, i, 3);
  d float8 := tst.rnd(seed, i, 4);
  e float8 := tst.rnd(seed, i, 5);
  f float8 := tst.rnd(seed, i, 6);
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,2,1e300,-1e300,1e-300,-1e-300,1e-6,-1e-6,5e307,-5e307}';
  n int := cardinality(special);
BEGIN
  RETURN CASE shape
    WHEN 'uniform' THEN box3(a * 40, b * 40, c * 40, a * 40 + d ^ 2 * 15, b * 40 + e ^ 2 * 15, c * 40 + f ^ 2 * 15)
    WHEN 'clusters' THEN box3(i % 4 * 1000 + a ^ 3, i % 3 * 77 + b ^ 3, i % 2 + c ^ 3,
                              i % 4 * 1000 + a ^ 3 + d * 0.2, i % 3 * 77 + b ^ 3 + e * 0.2, i % 2 + c ^ 3 + f * 0.2)
    WHEN 'decades' THEN box3(a * 50, b * 50, c * 50, a * 50 + 10 ^ (d * 10 - 8), b * 50 + 10 ^ (d * 9 - 7) * e, c * 50 + 10 ^ (d * 9 - 7) * f)
    WHEN 'points' THEN box3(point3(floor(a * 5), floor(b * 5), floor(c * 5)))
    WHEN 'thin' THEN CASE i % 3 WHEN 0 THEN box3(a * 9, b * 9, c * 9, a * 9 + d * 9, b * 9, c * 9)
                                WHEN 1 THEN box3(a * 9, b * 9, c * 9, a * 9 + 1e-9, b * 9 + d * 40, c * 9 + e * 9)
                                ELSE box3(a * 9, b * 9, -100, a * 9 + d, b * 9 + e, 100) END
    WHEN 'identical' THEN '(3,4,5),(5,7,9)'
    WHEN 'one over all' THEN CASE i WHEN 7 THEN box3 '(-1e6,-1e6,-1e6),(1e6,1e6,1e6)'
                             ELSE box3(a * 8, b * 8, c * 8, a * 8 + d * 0.5, b * 8 + e * 0.5, c * 8 + f * 0.5) END
    -- they touch at borders, edges and corners
    WHEN 'grid' THEN box3(floor(a * 10) - 5, floor(b * 10) - 5, floor(c * 10) - 5,
                          floor(a * 10) - 5 + floor(d * 3), floor(b * 10) - 5 + floor(e * 3), floor(c * 10) - 5 + floor(f * 3))
    -- ends that are a unit in the last place apart, which a tolerance would ignore
    WHEN 'last place' THEN box3(1 + floor(a * 6) * 2.220446049250313e-16, 1 + floor(b * 6) * 2.220446049250313e-16, 1 - floor(c * 6) * 1.1102230246251565e-16,
                                1 + floor(d * 8) * 2.220446049250313e-16, 1 + floor(e * 8) * 2.220446049250313e-16, 1 + floor(f * 8) * 2.220446049250313e-16)
    -- (x, y, t): the third axis in seconds of years
    WHEN 'moving' THEN box3(a, b, 1.7e9 + c * 1e8, a + d * 0.3, b + e * 0.3, 1.7e9 + c * 1e8 + f * 2e7)
    -- NaN, infinities and extremes
    WHEN 'special' THEN CASE WHEN i % 8 = 0 THEN box3('NaN', i % 3, i % 2, i % 5, 'NaN', i % 4) ELSE
                             box3(special[1 + floor(a * n)], special[1 + floor(b * n)], special[2 + floor(c * (n - 1))],
                                  special[2 + floor(d * (n - 1))], special[2 + floor(e * (n - 1))], special[2 + floor(f * (n - 1))]) END
    WHEN 'few special' THEN box3(CASE WHEN i % 11 = 0 THEN special[1 + floor(a * n)] ELSE a * 20 END, b * 20, CASE WHEN i % 7 = 0 THEN special[1 + floor(e * n)] ELSE c * 20 END,
                                 c * 20, CASE WHEN i % 13 = 0 THEN special[1 + floor(d * n)] ELSE d * 20 END, f * 20)
    WHEN 'magnitudes' THEN box3(sign(a - 0.5) * 10 ^ (b * 600 - 300), sign(b - 0.5) * 10 ^ (c * 600 - 300), sign(f - 0.5) * 10 ^ (a * 600 - 300),
                                sign(c - 0.5) * 10 ^ (d * 600 - 300), sign(d - 0.5) * 10 ^ (e * 600 - 300), sign(e - 0.5) * 10 ^ (f * 600 - 300))
    END;
END $$;

-- Ids repeat: every fifth box has the id of the one before.  Some boxes are NULL.
CREATE TABLE solid_row AS
SELECT shape, side, i, (i - (i % 5 = 0)::int)::bigint * (3 - 2 * side) AS id,
       CASE WHEN i % 50 <> 49 THEN solid_shape_box(shape, side, i) END AS b
FROM solid_shape, generate_series(1, 2) side, generate_series(1, boxes / side) i;
CREATE INDEX ON solid_row (shape, side);
ANALYZE solid_row;

-- Rows of a side, each repeated a number of times.  The functions differ in what the
-- planner believes, which makes the side with fewer rows the build side.
CREATE FUNCTION solid_few(text, int, int) RETURNS TABLE (id bigint, b box3) LANGUAGE plpgsql ROWS 1 AS $$
BEGIN RETURN QUERY SELECT t.id, t.b FROM generate_series(1, $3), solid_row t WHERE shape = $1 AND side = $2; END $$;
CREATE FUNCTION solid_many(text, int, int) RETURNS TABLE (id bigint, b box3) LANGUAGE plpgsql ROWS 1000000 AS $$
BEGIN RETURN QUERY SELECT t.id, t.b FROM generate_series(1, $3), solid_row t WHERE shape = $1 AND side = $2; END $$;

-- The nested loop, by coordinates but for distances: how many pairs, and the sum of a
-- hash of each, in which a pair that is lost, made up or repeated shows.
CREATE TABLE solid_truth AS
WITH rows AS MATERIALIZED (
  SELECT *, ARRAY[x(low(b)), y(low(b)), z(low(b))] AS l, ARRAY[x(high(b)), y(high(b)), z(high(b))] AS h,
         'NaN' IN (x(low(b)), y(low(b)), z(low(b)), x(high(b)), y(high(b)), z(high(b))) AS nan
  FROM solid_row JOIN solid_shape USING (shape) WHERE b IS NOT NULL
), pairs AS MATERIALIZED (
  SELECT l.shape, l.distances, l.i AS li, r.i AS ri, r.side AS rside, l.id AS l, r.id AS r, l.b AS lb, r.b AS rb,
         NOT (l.nan OR r.nan) AND l.l[1] <= r.h[1] AND l.l[2] <= r.h[2] AND l.l[3] <= r.h[3] AND r.l[1] <= l.h[1] AND r.l[2] <= l.h[2] AND r.l[3] <= l.h[3] AS meets,
         NOT (l.nan OR r.nan) AND l.l[1] <= r.l[1] AND l.l[2] <= r.l[2] AND l.l[3] <= r.l[3] AND r.h[1] <= l.h[1] AND r.h[2] <= l.h[2] AND r.h[3] <= l.h[3] AS contains,
         NOT (l.nan OR r.nan) AND l.l[1] >= r.l[1] AND l.l[2] >= r.l[2] AND l.l[3] >= r.l[3] AND r.h[1] >= l.h[1] AND r.h[2] >= l.h[2] AND r.h[3] >= l.h[3] AS contained,
         l.l = r.l AND l.h = r.h AS same, CASE WHEN NOT (l.nan OR r.nan) THEN l.b <-> r.b END AS gap
  FROM rows l JOIN rows r ON r.shape = l.shape AND (r.side = 2 OR r.i >= l.i) AND l.side = 1
)
SELECT shape, CASE WHEN rside = 2 THEN 'two sides' WHEN li < ri THEN 'one side' ELSE 'same row' END AS pair_of, predicate, distance,
       count(*) AS pairs, count(*) FILTER (WHERE holds <> operator) AS "not by operator",
       sum(hashint8extended(CASE WHEN rside = 1 THEN least(l, r) ELSE l END, CASE WHEN rside = 1 THEN greatest(l, r) ELSE r END)) FILTER (WHERE holds) AS digest,
       count(*) FILTER (WHERE holds) AS matches
FROM pairs, LATERAL (VALUES ('&&', NULL::float8, meets, lb && rb), ('@>', NULL, contains, lb @> rb), ('<@', NULL, contained, lb <@ rb),
                            ('~=', NULL, same, lb ~= rb),
                            ('&&', distances[1], meets OR gap <= distances[1], lb && rb OR gap <= distances[1]),
                            ('&&', distances[2], meets OR gap <= distances[2], lb && rb OR gap <= distances[2]),
                            ('&&', distances[3], meets OR gap <= distances[3], lb && rb OR gap <= distances[3])) v(predicate, distance, holds, operator)
GROUP BY 1, 2, 3, 4;
SELECT predicate, CASE WHEN distance IS NOT NULL THEN 'distance' END AS with, pair_of, count(*) AS shapes, sum(matches) > 200 AS pairs,
       sum("not by operator") AS "not by operator"
FROM solid_truth GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- A way to join: which side is built and how many times each side's rows are given,
-- work_mem and cell_size.
CREATE TABLE solid_way (built int, copies1 int, copies2 int, work_mem text, cell_size float8);
INSERT INTO solid_way VALUES
  (1, 8, 1, '64kB', NULL),
  (2, 1, 16, '64kB', NULL),
  (2, 1, 13, '64kB', 3),
  (1, 1, 2, '4MB', NULL),
  (2, 1, 1, '4MB', 1e-300),
  (1, 1, 1, '64MB', 1e300);

CREATE FUNCTION solid_digest(query text, OUT pairs bigint, OUT digest numeric) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT count(*), coalesce(sum(hashint8extended(a, b)), 0) FROM (' || query || ') AS q(a, b)' INTO pairs, digest;
END $$;

-- Joins by all ways; "wrong" counts those whose pairs are not the nested loop's.  What
-- differs is told in a notice.
CREATE FUNCTION solid_check(OUT shape text, OUT joins bigint, OUT wrong bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  way solid_way;
  test record;
  query text;
  answer record;
BEGIN
  FOR shape IN SELECT s.shape FROM solid_shape s ORDER BY 1 LOOP
    joins := 0; wrong := 0;
    FOR way IN SELECT * FROM solid_way LOOP
      PERFORM set_config('work_mem', way.work_mem, true);
      FOR test IN SELECT t.predicate, t.distance, t.matches * way.copies1 * way.copies2 AS pairs, coalesce(t.digest, 0) * way.copies1 * way.copies2 AS digest
                  FROM solid_truth t WHERE t.shape = solid_check.shape AND t.pair_of = 'two sides' LOOP
        query := format('SELECT * FROM spqtree_join(%L, %L, %L, %L, %L)',
                        format('SELECT * FROM %s(%L, 1, %s)', CASE way.built WHEN 1 THEN 'solid_few' ELSE 'solid_many' END, shape, way.copies1),
                        format('SELECT * FROM %s(%L, 2, %s)', CASE way.built WHEN 2 THEN 'solid_few' ELSE 'solid_many' END, shape, way.copies2),
                        test.predicate, test.distance, way.cell_size);
        answer := solid_digest(query);
        joins := joins + 1;
        IF answer.pairs <> test.pairs OR answer.digest <> test.digest THEN
          wrong := wrong + 1;
          RAISE NOTICE '% pairs instead of % with work_mem %: %', answer.pairs, test.pairs, way.work_mem, query;
        END IF;
      END LOOP;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;
SET client_min_messages = notice;
SELECT * FROM solid_check();

-- A set with itself: k copies of each row make k^2 pairs of two rows, and k (k - 1) / 2
-- of each row with its own copies.
CREATE FUNCTION solid_self_check(OUT shape text, OUT joins bigint, OUT wrong bigint) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  way record;
  k int;
  test record;
  query text;
  answer record;
BEGIN
  FOR shape IN SELECT s.shape FROM solid_shape s ORDER BY 1 LOOP
    joins := 0; wrong := 0;
    FOR way IN SELECT * FROM (VALUES ('64kB', NULL, 8), ('64kB', 1e-9, 7), ('4MB', NULL, 2), ('4MB', 3, 1), ('64MB', 1e300, 1)) v(work_mem, cell_size, copies) LOOP
      PERFORM set_config('work_mem', way.work_mem, true);
      k := way.copies;
      FOR test IN SELECT t.distance, k * k * t.matches + k * (k - 1) / 2 * u.matches AS pairs,
                         k * k * coalesce(t.digest, 0) + k * (k - 1) / 2 * coalesce(u.digest, 0) AS digest
                  FROM solid_truth t JOIN solid_truth u ON u.shape = t.shape AND u.predicate = t.predicate AND u.distance IS NOT DISTINCT FROM t.distance
                  WHERE t.shape = solid_self_check.shape AND t.predicate = '&&' AND t.pair_of = 'one side' AND u.pair_of = 'same row' LOOP
        query := format('SELECT * FROM spqtree_self_join(%L, %L, %L)', format('SELECT * FROM solid_few(%L, 1, %s)', shape, k), test.distance, way.cell_size);
        answer := solid_digest(query);
        joins := joins + 1;
        IF answer.pairs <> test.pairs OR answer.digest <> test.digest THEN
          wrong := wrong + 1;
          RAISE NOTICE '% pairs instead of % with work_mem %: %', answer.pairs, test.pairs, way.work_mem, query;
        END IF;
      END LOOP;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;
SELECT * FROM solid_self_check();

-- These joins did go to disk: where that is forbidden, they fail.
SET work_mem = '64kB';
SET temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*) FROM spqtree_join($$SELECT * FROM solid_few('uniform', 1, 8)$$, $$SELECT * FROM solid_many('uniform', 2, 1)$$);
SELECT count(*) FROM spqtree_self_join($$SELECT * FROM solid_few('few special', 1, 8)$$);
\set VERBOSITY default
RESET temp_file_limit;
RESET work_mem;

-- Distances that are whole numbers, so that "at most" can be told from "less":
-- corner from corner it is 2, 3, 6 and so 7.
SELECT distance, array_agg(right_id ORDER BY right_id) AS ids
FROM (VALUES (NULL::float8), (1), (3), (5), (6.999999), (7), (1e300)) d(distance),
     LATERAL spqtree_join($$SELECT 1, box3 '(0,0,0),(10,10,10)'$$,
                          $$VALUES (1, box3 '(10,10,10),(12,12,12)'), (2, '(13,0,0),(15,9,9)'), (3, '(12,13,16),(20,20,20)'), (4, '(-4,-3,2),(-4,-3,3)'),
                                   (5, '(3,3,10.0000000001),(4,4,11)'), (6, '(inf,0,0),(inf,inf,inf)'), (7, '(-inf,0,0),(0,inf,0)'), (8, '(NaN,0,0),(0,0,0)')$$,
                          '&&', distance)
GROUP BY 1 ORDER BY 1 NULLS FIRST;
-- Boxes that are infinite together are not apart: inf - inf is no distance.
SELECT * FROM spqtree_self_join($$VALUES (1, box3 '(inf,0,0),(inf,1,1)'), (2, '(inf,3,1),(inf,4,1)'), (3, '(-inf,2,2),(-inf,2,2)'), (4, '(NaN,NaN,NaN),(NaN,NaN,NaN)')$$, 2);
-- NaN matches nothing, but is the same as NaN.
SELECT predicate, (SELECT count(*) FROM spqtree_join(q, q, predicate))
FROM unnest('{&&,@>,<@,~=}'::text[]) predicate, (VALUES ($$VALUES (1, box3 '(0,0,NaN),(1,1,1)'), (2, '(NaN,NaN,NaN),(NaN,NaN,NaN)')$$)) v(q);

-- The direction of a predicate is left to right, whichever side is the smaller.
SELECT predicate, few, count(*), min(left_id), max(left_id), min(right_id), max(right_id)
FROM unnest('{@>,<@}'::text[]) predicate, unnest('{left,right}'::text[]) few,
     LATERAL spqtree_join(format($$SELECT i, box3 %L FROM generate_series(1, %s) i$$,
                                 CASE predicate WHEN '@>' THEN '(0,0,0),(9,9,9)' ELSE '(2,2,2),(3,3,3)' END, CASE few WHEN 'left' THEN 3 ELSE 30 END),
                          format($$SELECT 100 + i, box3 %L FROM generate_series(1, %s) i$$,
                                 CASE predicate WHEN '@>' THEN '(2,2,2),(3,3,3)' ELSE '(0,0,0),(9,9,9)' END, CASE few WHEN 'left' THEN 30 ELSE 3 END), predicate)
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM spqtree_join($$SELECT 1, box3 '(0,0,0),(9,9,9)'$$, $$SELECT 1, box3 '(2,2,2),(3,3,3)'$$, '<@');

-- Points in boxes, points and points, domains, NULLs.
CREATE DOMAIN solid_area AS box3;
CREATE DOMAIN solid_place AS point3 CHECK (x(VALUE) >= 0);
CREATE TABLE solid_place_row (id smallint, p solid_place);
INSERT INTO solid_place_row SELECT i, point3(i, i, i) FROM generate_series(0, 20) i;
INSERT INTO solid_place_row VALUES (30, NULL);
SELECT predicate, string_agg(right_id::text, ' ' ORDER BY right_id)
FROM unnest('{&&,@>,<@,~=}'::text[]) predicate,
     LATERAL spqtree_join($$VALUES (1, '(2,2,2),(5,5,4)'::solid_area), (2, '(9,9,9),(9,9,9)'), (3, NULL)$$, 'TABLE solid_place_row', predicate)
GROUP BY 1 ORDER BY 1;
SELECT count(*), count(*) FILTER (WHERE id2 - id1 <> 1) AS other FROM spqtree_self_join('TABLE solid_place_row', 1.8);

-- LIMIT stops the join: of ten thousand million pairs the first few do not take long.
SET statement_timeout = '20s';
SELECT * FROM spqtree_join($$SELECT 1, box3 '(0,0,0),(1,1,1)' FROM generate_series(1, 100000)$$, $$SELECT 2, point3 '(0,0,1)' FROM generate_series(1, 100000)$$) LIMIT 2;
SELECT * FROM spqtree_self_join($$SELECT 1, box3 '(0,0,0),(1,1,1)' FROM generate_series(1, 100000)$$) LIMIT 2;
RESET statement_timeout;
-- canceled amid the pairs, and used again
SET statement_timeout = '300ms';
\set VERBOSITY terse
SELECT count(*) FROM spqtree_self_join($$SELECT 1, box3 '(0,0,0),(1,1,1)' FROM generate_series(1, 1000000)$$);
\set VERBOSITY default
RESET statement_timeout;
-- a rescan begins again, also after a LIMIT
SELECT i, (SELECT count(*) FROM (SELECT FROM spqtree_self_join('TABLE solid_place_row', 1.8) WHERE id1 >= i LIMIT 3) s) FROM generate_series(16, 20) i;
-- a cursor in pieces
BEGIN;
DECLARE c CURSOR FOR SELECT id2 - id1 AS apart FROM spqtree_self_join('TABLE solid_place_row', 1.8);
FETCH 2 FROM c;
DELETE FROM solid_place_row;
FETCH 2 FROM c;
CLOSE c;
ROLLBACK;

-- Row security is that of the caller.
CREATE ROLE regress_solid_reader;
CREATE TABLE solid_secret (id int, b box3);
INSERT INTO solid_secret SELECT i, box3(i, 0, 0, i + 1, 1, 1) FROM generate_series(1, 10) i;
ALTER TABLE solid_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY solid_half ON solid_secret TO regress_solid_reader USING (id <= 5);
GRANT SELECT ON solid_secret TO regress_solid_reader;
SELECT count(*) FROM spqtree_self_join('TABLE solid_secret');
SET ROLE regress_solid_reader;
SELECT count(*) FROM spqtree_self_join('TABLE solid_secret');
SELECT count(*) FROM spqtree_join('TABLE solid_secret', 'SELECT id, low(b) FROM solid_secret', '@>');
\set VERBOSITY terse
SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM solid_row');
\set VERBOSITY default
RESET ROLE;
DROP TABLE solid_secret;
DROP ROLE regress_solid_reader;

-- What is not accepted.
\set SHOW_CONTEXT never
\set solid 'SELECT 1, box3 ''(0,0,0),(1,1,1)'''
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, box ''(0,0),(1,1)''');
SELECT * FROM spqtree_join('SELECT 1, box ''(0,0),(1,1)''', 'SELECT 1, point3 ''(0,0,0)''');
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, sphere3 ''<(0,0,0),1>''');
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, lseg3 ''[(0,0,0),(1,1,1)]''');
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, ray3 ''<(0,0,0),(1,1,1),1>''');
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, point ''(0,0)''');
SELECT * FROM spqtree_join(:'solid', 'SELECT 1, ''(0,0,0),(1,1,1)''');
SELECT * FROM spqtree_self_join('SELECT 1, ARRAY[box3 ''(0,0,0),(1,1,1)'']');
SELECT * FROM spqtree_self_join('SELECT NULL::int, point3 ''(0,0,0)''');
SELECT * FROM spqtree_join(:'solid', :'solid', '<<');
SELECT * FROM spqtree_join(:'solid', :'solid', '@>', 1);
SELECT * FROM spqtree_self_join(:'solid', 'Infinity');
-- a type of the same name is another one
CREATE SCHEMA solid_other;
CREATE DOMAIN solid_other.box3 AS text;
SELECT * FROM spqtree_self_join('SELECT 1, ''x''::solid_other.box3');
