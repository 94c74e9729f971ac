--
-- Comparisons of distances, a <-> b < d, by an index of either side and by a spatial hash
-- join: the same rows as by a nested loop over all pairs, for every number there is.
-- SPQTREE_SEED sets another seed than 1, or a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA compared_distances;
SET search_path = compared_distances, public;
CREATE TABLE setup AS SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
  ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: compared distances with seed %', (SELECT seed FROM setup); END $$;

-- A number: small ones that touch, steps of EPSILON and of the last place, far from the origin, and odd ones.
CREATE FUNCTION number(seed bigint, i bigint, k int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE i % 8 WHEN 7 THEN ('{NaN,Infinity,-Infinity,0,-0,1,-1,1e-300,1e-7,1e100,-1e100,1}'::float8[])[tst.rndint(seed, i, k, 1, 12)]
                    WHEN 6 THEN tst.rndint(seed, i, k, 0, 40) * 0.25e-6
                    WHEN 5 THEN 1e9 + tst.rndint(seed, i, k, 0, 9) * 2.0::float8 ^ -23
                    WHEN 4 THEN 5e6 + tst.rnd(seed, i, k) * 20
                    WHEN 3 THEN tst.rnd(seed, i, k) * 20
                    ELSE tst.rndint(seed, i, k, 0, 40) / 2.0 END
$$;
CREATE FUNCTION shapes(seed bigint, n int) RETURNS TABLE (id int, p point, c circle, b box, q point3, s box3, d float8,
                                                          r real, i int) LANGUAGE sql AS $$
  SELECT i, point(x, y), CASE WHEN i % 11 = 0 THEN circle(point(x, y), -z) ELSE circle(point(x, y), abs(z)) END,
         box(point(x, y), point(CASE i % 3 WHEN 0 THEN x ELSE x + z END, CASE i % 5 WHEN 0 THEN number(seed, i, 5) ELSE y + z END)),
         point3(x, y, z), box3(point3(x, y, z), point3(CASE i % 3 WHEN 0 THEN x ELSE x + 1 END, number(seed, i, 5), z)),
         CASE i % 4 WHEN 0 THEN number(seed, i, 6) ELSE tst.rndint(seed, i, 6, -1, 3) END,
           (tst.rndint(seed, i, 7, -1, 6) / 2.0)::real, tst.rndint(seed, i, 8, -1, 3)
  FROM (SELECT i, number(seed, i, 1) AS x, number(seed, i, 2) AS y, number(seed, i, 3) AS z
        FROM generate_series(1, n) i OFFSET 0) v
$$;
CREATE TABLE item AS SELECT v.* FROM setup, shapes(seed, 160) v;
INSERT INTO item (id) VALUES (1001);
CREATE TABLE probe AS SELECT v.* FROM setup, shapes(seed + 1, 40) v UNION ALL SELECT v.* FROM item v WHERE id % 7 = 0;
INSERT INTO probe (id) VALUES (1002);
ANALYZE item;
ANALYZE probe;

-- The rows of a condition, by a plan that has to have something in it.
CREATE FUNCTION answer(condition text, pattern text, OUT planned boolean, OUT ids bigint, OUT pairs text[])
LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT y.id AS probe, x.id FROM probe y JOIN item x ON %s', condition);
  line text;
BEGIN
  planned := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    planned := planned OR line ~ pattern;
  END LOOP;
  pairs := tst.rows(query);
  ids := cardinality(pairs);
END $$;
CREATE TABLE condition AS
SELECT row_number() OVER () AS nr, pair.k, pair.l, f.form, format(f.form, pair.k, pair.l) AS condition
FROM (VALUES ('p', 'p'), ('p', 'b'), ('b', 'p'), ('b', 'b'), ('c', 'c'), ('c', 'p'), ('p', 'c'), ('q', 'q'), ('q', 's'),
      ('s', 'q'), ('s', 's')) pair (k, l),
     unnest(ARRAY['x.%s <-> y.%s <= 0', 'x.%s <-> y.%s < 1.5', '1 >= (y.%2$s <-> x.%1$s)', 'x.%s <-> y.%s <= 1e-6',
                  'x.%s <-> y.%s < -1', 'x.%s <-> y.%s <= 1e100',
                  'x.%s <-> y.%s < real ''0.5''', 'x.%s <-> y.%s <= y.i', 'NOT y.i < (x.%s <-> y.%s)',
                  'x.%s <-> y.%s <= y.d', 'x.%s <-> y.%s < x.d', 'y.r >= (x.%s <-> y.%s)', 'x.%s <-> y.%s <= x.d + y.d',
                  'x.%s <-> y.%s <= ''NaN''', 'x.%s <-> y.%s < ''NaN''', 'x.%s <-> y.%s <= ''Infinity''']) f (form);

SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET spqtree.enable_hashjoin = off;
CREATE TABLE by_row AS SELECT c.*, a.* FROM condition c, answer(condition, 'Seq Scan on item') a;
SELECT k, l, count(*), sum(ids) > 1000 AS many, bool_and(planned) AS planned FROM by_row GROUP BY k, l ORDER BY k, l;

-- the join node, for every limit
SET spqtree.enable_hashjoin = on;
SET enable_nestloop = off;
SELECT r.k, r.l, count(*), count(*) FILTER (WHERE a.planned) AS planned,
       min(r.condition || ': ' || tst.differing(r.pairs, a.pairs)) AS differing
FROM by_row r, answer(condition, 'Spqtree Spatial Hash Join') a GROUP BY r.k, r.l ORDER BY r.k, r.l;

-- indexes, for limits that are finite; a box near a point may have a NaN in a corner
SET spqtree.enable_hashjoin = off;
SET enable_nestloop = on;
SET enable_seqscan = off;
CREATE FUNCTION by_index(pattern text) RETURNS TABLE (k text, l text, planned bigint, differing text) LANGUAGE sql AS $$
  SELECT r.k, r.l, count(*) FILTER (WHERE a.planned),
         min(r.condition || ': ' || tst.differing(r.pairs, a.pairs))
  FROM by_row r, answer(condition, pattern) a GROUP BY r.k, r.l ORDER BY r.k, r.l
$$;
CREATE INDEX item_p ON item USING spqtree (p);
CREATE INDEX item_b ON item USING spqtree (b);
CREATE INDEX item_c ON item USING spqtree (c);
CREATE INDEX item_q ON item USING spqtree (q);
CREATE INDEX item_s ON item USING spqtree (s);
SELECT * FROM by_index('(Index|Bitmap Index).* item_');
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SELECT * FROM by_index('Bitmap Index Scan on item_');
RESET enable_indexscan;
RESET enable_indexonlyscan;
DROP INDEX item_p, item_b, item_c, item_q, item_s;
-- a class of ours for another access method; PostgreSQL's own lose rows where there is a NaN, and are not asked
CREATE INDEX item_b ON item USING spgist (b spqtree_box_ops);
SELECT * FROM by_index('(Index|Bitmap Index).* item_') WHERE k = 'b';
DROP INDEX item_b;
CREATE INDEX item_p ON item USING gist (p);
CREATE INDEX item_b ON item USING gist (b);
CREATE INDEX item_c ON item USING gist (c);
SELECT * FROM by_index('(Index|Bitmap Index).* item_') WHERE k IN ('p', 'b', 'c');
RESET enable_seqscan;

-- Plans.  The comparison stays a filter; a volatile limit, or one that may be infinite, is no condition for an index.
CREATE TABLE pts AS SELECT i AS id, point(tst.rnd(3, i, 1) * 1000, tst.rnd(3, i, 2) * 1000) AS p, (i % 10)::float8 AS d
FROM generate_series(1, 5000) i;
CREATE INDEX pts_p ON pts USING spqtree (p);
ANALYZE pts;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE p <-> point '(500,500)' < 5;
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE 5 >= (point '(500,500)' <-> p) AND id > 7;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM pts a JOIN pts b ON a.p <-> b.p <= 2 WHERE a.id < 5;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM pts a LEFT JOIN pts b ON a.p <-> b.p <= 2 AND b.id <> a.id WHERE a.id < 5;
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE p <-> point '(500,500)' < 5 * random();
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE p <-> point '(500,500)' < d;
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE p <-> point '(500,500)' > 5 AND p <-> point '(500,500)' < 'Infinity';
PREPARE near (float8) AS SELECT count(*) FROM pts WHERE p <-> point '(500,500)' < $1;
EXPLAIN (COSTS OFF) EXECUTE near (5);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near (5);
EXECUTE near ('NaN');
RESET plan_cache_mode;
SET spqtree.enable_hashjoin = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM pts a, pts b WHERE a.p <-> b.p < a.d + b.d;
-- estimates: within a factor of 2
CREATE FUNCTION estimated(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  plan json;
  estimate float8;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
  estimate := plan -> 0 -> 'Plan' ->> 'Plan Rows';
  RETURN (plan -> 0 -> 'Plan' ->> 'Actual Rows')::float8 BETWEEN estimate / 2 AND estimate * 2;
END $$;
SELECT estimated('SELECT FROM pts WHERE p <-> point ''(500,500)'' < 50') AS scan,
       estimated('SELECT FROM pts a, pts b WHERE a.p <-> b.p < 20') AS joined,
       estimated('SELECT FROM pts a, pts b WHERE a.p <-> b.p <= a.d') AS variable;
-- a row that the user may not see
CREATE ROLE spqtree_compared;
GRANT USAGE ON SCHEMA compared_distances TO spqtree_compared;
GRANT SELECT ON pts TO spqtree_compared;
CREATE POLICY of_role ON pts FOR SELECT TO spqtree_compared USING (id % 2 = 0);
ALTER TABLE pts ENABLE ROW LEVEL SECURITY;
SET ROLE spqtree_compared;
EXPLAIN (COSTS OFF) SELECT id FROM pts WHERE p <-> point '(500,500)' < 5;
RESET ROLE;
DROP OWNED BY spqtree_compared;
DROP ROLE spqtree_compared;
-- what _spqtree_reach returns
SELECT _spqtree_reach(point '(1,2)', 1), _spqtree_reach(point '(1,NaN)', 1), _spqtree_reach(point '(1,2)', 'NaN'),
       _spqtree_reach(point '(1,2)', -1), _spqtree_reach(circle(point '(0,0)', -2), 1),
       _spqtree_reach(box '(1,1),(0,0)', 0);
SELECT _spqtree_reach(point3(1, 2, 3), 1), _spqtree_reach(box3(point3(0, 0, 'NaN'), point3(1, 1, 1)), 1),
       _spqtree_reach(point3(1, 2, 3), -1);
