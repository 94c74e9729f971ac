--
-- Each operator in space that implies overlapping bounding boxes, and distances: the
-- spatial hash join returns the pairs of the nested loop, for plain values, for values
-- that touch, for very small and very large ones, and with NaN and infinities.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_solid_operators;
SET search_path = node_solid_operators, public;

-- Return coordinate k of value i of a class.
CREATE FUNCTION coordinate(class text, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE class
    WHEN 'plain' THEN i % 7 * 10 + tst.rnd(31, i / 2, k) * 6
    WHEN 'grid' THEN tst.rndint(32, i, k, 0, 4)
    -- one step of float8 apart, or none
    WHEN 'touching' THEN ('{0.1,0.30000000000000004,0.3,0.2,0.7,0.7999999999999999,0.8,1}'::float8[])[tst.rndint(33, i, k, 1, 8)]
    WHEN 'far out' THEN 9007199254740992 + tst.rndint(34, i, k, -6, 6) * 2
    WHEN 'tiny' THEN tst.rndint(35, i, k, -4, 4) * 5e-324
    WHEN 'huge' THEN tst.rndint(36, i, k, -3, 3) * 5e307 + tst.rndint(36, i, k + 20, -1, 1) * 1e300
    WHEN 'infinite' THEN CASE WHEN i % 3 = 0 THEN tst.rndint(37, i, k, -2, 2) ELSE ('{Infinity,-Infinity,0,-1,2}'::float8[])[tst.rndint(38, i, k, 1, 5)] END
    WHEN 'NaN' THEN CASE WHEN tst.rndint(39, i, k, 1, 7) = 1 THEN 'NaN' ELSE ('{Infinity,-Infinity,0,-0,2,1}'::float8[])[tst.rndint(40, i, k, 1, 6)] END END
$$;
-- "v" is a finite direction that is not zero, d is a distance
CREATE TABLE val AS
SELECT class, side * 1000 + i AS id, box3(p1, p2) AS b,
       CASE i % 3 WHEN 0 THEN p1 WHEN 1 THEN p2 ELSE p3 END AS p,
       sphere3(p1, CASE i % 5 WHEN 0 THEN 0 ELSE abs(x(p2)) / CASE class WHEN 'far out' THEN 9007199254740992 WHEN 'tiny' THEN 1 ELSE 2 END END) AS s,
       lseg3(p1, CASE i % 5 WHEN 0 THEN p1 WHEN 1 THEN point3(x(p1), y(p1), z(p2)) WHEN 2 THEN point3(x(p2), y(p1), z(p1)) ELSE p2 END) AS l,
       ray3(p1, v, CASE i % 4 WHEN 0 THEN 'Infinity' WHEN 1 THEN 0 WHEN 2 THEN abs(y(p2)) ELSE 3 END) AS r,
       CASE i % 6 WHEN 0 THEN 0 WHEN 1 THEN -z(p3) ELSE abs(z(p3)) / CASE class WHEN 'far out' THEN 3002399751580330 WHEN 'tiny' THEN 1 ELSE 2 END END AS d
FROM unnest('{plain,grid,touching,far out,tiny,huge,infinite,NaN}'::text[]) class, generate_series(0, 1) side, generate_series(1, 120) i,
     LATERAL (SELECT i + 1000 * CASE WHEN i % 4 = 0 THEN 0 ELSE side END AS nr) n,
     LATERAL (SELECT point3(coordinate(class, nr, 1), coordinate(class, nr, 2), coordinate(class, nr, 3)) AS p1,
                     point3(coordinate(class, nr, 4), coordinate(class, nr, 5), coordinate(class, nr, 6)) AS p2,
                     point3(coordinate(class, nr, 7), coordinate(class, nr, 8), coordinate(class, nr, 9)) AS p3,
                     (ARRAY[point3 '(1,0,0)', '(0,-1,0)', '(1,2,3)', '(-1e300,1e-300,1e300)', '(5e-324,-1e-323,0)', '(-1e-20,1e300,2)'])[tst.rndint(41, nr, 1, 1, 6)] AS v) q;
CREATE TABLE operator (nr serial, condition text);
INSERT INTO operator (condition) VALUES
  ('l.b && r.b'), ('l.b @> r.b'), ('l.b <@ r.b'), ('l.b ~= r.b'), ('l.b @> r.p'), ('l.p <@ r.b'), ('l.p ~= r.p'),
  ('l.s && r.s'), ('l.s @> r.s'), ('l.s <@ r.s'), ('l.s @> r.p'), ('l.p <@ r.s'), ('l.b && r.s'), ('l.s && r.b'), ('l.b <@ r.s'), ('l.s @> r.b'),
  ('l.l && r.b'), ('l.b && r.l'), ('l.r && r.b'), ('l.b && r.r'),
  ('spqtree_dwithin(l.b, r.b, 0)'), ('spqtree_dwithin(l.b, r.b, 1.5)'), ('spqtree_dwithin(l.p, r.p, 1)'), ('spqtree_dwithin(l.p, r.b, l.d)'),
  ('spqtree_dwithin(l.b, r.p, r.d)'), ('spqtree_dwithin(r.b, l.b, l.d)'), ('spqtree_dwithin(r.p, l.p, l.d / 2 + r.d / 2) AND l.class <> ''tiny'''), ('spqtree_dwithin(l.b, r.b, ''Infinity'')'),
  ('spqtree_dwithin(l.b, r.b, 1e308)'), ('spqtree_dwithin(l.p, r.b, 5e-324)');

CREATE FUNCTION pairs(query text, node boolean) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
  result text[];
BEGIN
  PERFORM set_config('spqtree.enable_hashjoin', node::text, true), set_config('enable_nestloop', (NOT node)::text, true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line;
  END LOOP;
  IF plan ~ 'Spatial Hash Join' IS DISTINCT FROM node THEN
    RAISE EXCEPTION 'wrong plan: %', plan;
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(q::text), ''{}'') FROM (%s) q', query) INTO result;
  RETURN result;
END $$;
CREATE TABLE result (nr int, condition text, class text, pairs bigint, lost text[], more text[]);
DO $$
DECLARE
  o operator;
  class text;
  query text;
  expected text[];
  answer text[];
BEGIN
  FOREACH class IN ARRAY '{plain,grid,touching,far out,tiny,huge,infinite,NaN}'::text[] LOOP
    FOR o IN SELECT * FROM operator LOOP
      query := format('SELECT l.id, r.id FROM val l JOIN val r ON %s WHERE l.class = %L AND r.class = %2$L AND l.id < 1000 AND r.id >= 1000', o.condition, class);
      expected := pairs(query, false);
      answer := pairs(query, true);
      INSERT INTO result SELECT o.nr, o.condition, class, cardinality(expected), ARRAY(SELECT unnest(expected) EXCEPT ALL SELECT unnest(answer)),
                                ARRAY(SELECT unnest(answer) EXCEPT ALL SELECT unnest(expected));
    END LOOP;
  END LOOP;
END $$;
-- number of classes with pairs, and of missing and wrong pairs in all classes
SELECT condition, count(*) FILTER (WHERE pairs > 0) AS classes, sum(cardinality(lost)) AS lost, sum(cardinality(more)) AS more FROM result GROUP BY nr, condition ORDER BY nr;
SELECT condition, class, lost[1:3] AS "lost, for example", more[1:3] AS "more, for example" FROM result WHERE lost <> '{}' OR more <> '{}' ORDER BY nr, class;

DROP SCHEMA node_solid_operators CASCADE;
