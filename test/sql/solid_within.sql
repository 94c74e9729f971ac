--
-- spqtree_dwithin in space: an index of boxes or of points returns the rows of a
-- sequential scan, for other sides and distances that are constants, parameters or columns
-- of another table; with numbers of any size, infinities and NaN.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA solid_within;
SET search_path = solid_within, public;
CREATE FUNCTION coordinate(class text, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE class
    WHEN 'plain' THEN tst.rnd(51, i, k) * 8
    WHEN 'touching' THEN ('{0.1,0.30000000000000004,0.3,0.2,0.7,0.7999999999999999,0.8,1}'::float8[])[tst.rndint(52, i, k, 1, 8)]
    WHEN 'tiny' THEN tst.rndint(53, i, k, -4, 4) * 5e-324
    WHEN 'huge' THEN tst.rndint(54, i, k, -3, 3) * 5e307 + tst.rndint(54, i, k + 20, -1, 1) * 1e300
    ELSE ('{NaN,Infinity,-Infinity,0,-0,2,1}'::float8[])[tst.rndint(55, i, k, 1, 7)] END
$$;
CREATE TABLE body AS
SELECT class, i AS id, box3(p1, p2) AS b, p1 AS p, CASE i % 5 WHEN 0 THEN 0 WHEN 1 THEN -z(p2)
       ELSE abs(z(p2)) * CASE class WHEN 'tiny' THEN 1 ELSE 0.5 END END AS d
FROM unnest('{plain,touching,tiny,huge,special}'::text[]) class, generate_series(1, 120) i,
     LATERAL (SELECT point3(coordinate(class, i, 1), coordinate(class, i, 2), coordinate(class, i, 3)) AS p1,
                     point3(coordinate(class, i, 4), coordinate(class, i, 5), coordinate(class, i, 6)) AS p2) c;
CREATE INDEX body_b ON body USING spqtree (class, b);
CREATE INDEX body_p ON body USING spqtree (class, p);
ANALYZE body;
CREATE TABLE condition (nr serial, condition text, pattern text);
INSERT INTO condition (condition, pattern) VALUES
  ('spqtree_dwithin(x.b, y.b, y.d)', 'Index Cond:.*b && spqtree_expand'),
  ('spqtree_dwithin(y.b, x.b, 0.2)', 'Index Cond:.*b && spqtree_expand'),
  ('spqtree_dwithin(x.b, y.p, y.d)', 'Index Cond:.*b && spqtree_expand'),
  ('spqtree_dwithin(y.p, x.b, y.d)', 'Index Cond:.*b && spqtree_expand'),
  ('spqtree_dwithin(x.p, y.b, y.d)', 'Index Cond:.*p <@ spqtree_expand'),
  ('spqtree_dwithin(y.b, x.p, y.d)', 'Index Cond:.*p <@ spqtree_expand'),
  ('spqtree_dwithin(x.p, y.p, y.d)', 'Index Cond:.*p <@ spqtree_expand'),
  ('spqtree_dwithin(x.p, y.p, ''Infinity'')', 'Index Cond:.*p <@ spqtree_expand');
CREATE FUNCTION answer(query text, pattern text, OUT planned boolean, OUT ids bigint, OUT rows text[])
LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  planned := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    planned := planned OR line ~ pattern;
  END LOOP;
  rows := tst.rows(query);
  ids := cardinality(rows);
END $$;
CREATE FUNCTION query_of(condition text) RETURNS text LANGUAGE sql AS $$
  SELECT format('SELECT y.class, x.id, y.id FROM body y, LATERAL (SELECT x.id FROM body x WHERE x.class = y.class AND %s OFFSET 0) x', condition)
$$;
-- the nested loop's inner side is x, because of OFFSET
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
CREATE TABLE by_row AS SELECT nr, a.* FROM condition, answer(query_of(condition), 'Seq Scan') a;
RESET enable_indexscan;
RESET enable_bitmapscan;
SET enable_seqscan = off;
SELECT c.nr, condition, a.planned AND r.planned AS planned, r.ids > 0 AS some, r.ids < 50000 AS "not all",
       tst.differing(r.rows, a.rows)
FROM condition c JOIN by_row r ON r.nr = c.nr, LATERAL answer(query_of(condition), pattern) a ORDER BY c.nr;

-- constants and parameters
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM body WHERE class = 'plain' AND spqtree_dwithin(b, point3 '(2,3,4)', 0.5);
EXPLAIN (COSTS OFF) SELECT id FROM body WHERE class = 'plain' AND spqtree_dwithin(box3 '((2,3,4),(5,5,5))', p, 0.5);
PREPARE near(float8) AS SELECT count(*) FROM body WHERE class = 'plain' AND spqtree_dwithin(b, point3 '(2,3,4)', $1);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near(0.5);
EXECUTE near(0.5);
EXECUTE near(0);
EXECUTE near(-1);
EXECUTE near('NaN');
EXECUTE near('Infinity');
EXECUTE near(NULL);
-- a distance that is a column of the table is no use to its index
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT id FROM body WHERE spqtree_dwithin(b, point3 '(2,3,4)', d);

-- A distance is what <-> says, except that NaN is no distance.
SELECT count(*) > 0 AS tried, count(*) FILTER (WHERE within <> (distance <= y.d AND y.d <> 'NaN')) AS wrong,
       count(*) FILTER (WHERE within) > 0 AS some, count(*) FILTER (WHERE NOT within) > 0 AS others
FROM body x JOIN body y ON x.class = y.class AND y.id < 40,
     LATERAL (VALUES (spqtree_dwithin(x.b, y.b, y.d), x.b <-> y.b), (spqtree_dwithin(x.b, y.p, y.d), x.b <-> y.p),
                     (spqtree_dwithin(x.p, y.b, y.d), x.p <-> y.b),
                     (spqtree_dwithin(x.p, y.p, y.d), x.p <-> y.p)) v(within, distance);
SELECT d, spqtree_dwithin(box3 '((0,0,0),(1,1,1))', point3 '(1,1,3)', d)
FROM unnest('{2,1.9999999999999998,-1,0,NaN,Infinity,NULL}'::float8[]) d;
SELECT spqtree_dwithin(point3 '(0,0,0)', point3 '(3,4,12)', 13) AS exact,
       spqtree_dwithin(point3 '(0,0,0)', NULL::point3, 13) IS NULL AS null;

DROP SCHEMA solid_within CASCADE;
