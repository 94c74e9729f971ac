--
-- Each built-in operator that implies overlapping bounding boxes: the spatial hash
-- join returns the pairs of the nested loop, for plain values, for values with a gap of
-- EPSILON, for very large ones, and with NaN and infinities.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_operators;
SET search_path = node_operators;

-- Return coordinate k of value i of a class.
CREATE FUNCTION coordinate(class text, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE class
    WHEN 'plain' THEN i % 7 * 10 + tst.rnd(1, i / 2, k) * 4
    WHEN 'grid' THEN tst.rndint(2, i, k, 0, 4)
    -- sums and differences are exactly EPSILON, slightly less, slightly more
    WHEN 'epsilon' THEN tst.rndint(3, i, k, -6, 6) * 0.5e-6
    WHEN 'epsilon far out' THEN 1e8 + tst.rndint(4, i, k, -6, 6) * 0.5e-6
    -- shifted by EPSILON from others, where additions and subtractions round differently
    WHEN 'rounding' THEN ('{0,0.1,0.7,-2.6,1e-300,-1e-6,33.3}'::float8[])[tst.rndint(9, i % 1000 % 40, k, 1, 7)]
                         + CASE WHEN i >= 1000 THEN ('{0,1e-6,-1e-6,1.0000000000000002e-6}'::float8[])[tst.rndint(10, i, k % 2, 1, 4)] ELSE 0 END
    WHEN 'infinite' THEN CASE WHEN i % 3 = 0 THEN tst.rndint(5, i, k, -2, 2) ELSE ('{Infinity,-Infinity,0,-1,2}'::float8[])[tst.rndint(6, i, k, 1, 5)] END
    WHEN 'NaN' THEN CASE WHEN tst.rndint(7, i, k, 1, 4) = 1 THEN 'NaN' ELSE ('{Infinity,-Infinity,0,-0,2,1}'::float8[])[tst.rndint(8, i, k, 1, 6)] END END
$$;
CREATE TABLE val AS
SELECT class, side * 1000 + i AS id, box(point(x1, y1), point(x2, y2)) AS b, CASE i % 2 WHEN 0 THEN point(x1, y1) ELSE point(x3, y3) END AS p,
       circle(point(x1, y1), CASE i % 5 WHEN 0 THEN 0 WHEN 1 THEN x2 - x1 ELSE abs(x2 - x1) END) AS c,
       CASE i % 5 WHEN 0 THEN format('(%s,%s)', x1, y1)::polygon
                  WHEN 1 THEN format('(%s,%s),(%s,%s)', x1, y1, x2, y2)::polygon
                  WHEN 2 THEN polygon(box(point(x1, y1), point(x2, y2)))
                  WHEN 3 THEN format('(%s,%s),(%s,%s),(%s,%s)', x1, y1, x2, y2, x3, y3)::polygon
                  ELSE format('(%s,%s),(%s,%s),(%s,%s),(%s,%s)', x1, y1, x2, y2, x3, y3, x1, y2)::polygon END AS y,
       lseg(point(x1, y1), CASE i % 5 WHEN 0 THEN point(x1, y1) WHEN 1 THEN point(x1, y2) ELSE point(x2, y2) END) AS s,
       CASE i % 5 WHEN 0 THEN format('[(%s,%s)]', x1, y1)::path
                  WHEN 1 THEN format('[(%s,%s),(%s,%s)]', x1, y1, x2, y2)::path
                  WHEN 2 THEN format('((%s,%s),(%s,%s))', x1, y1, x2, y2)::path
                  WHEN 3 THEN format('((%s,%s),(%s,%s),(%s,%s))', x1, y1, x2, y2, x3, y3)::path
                  ELSE format('[(%s,%s),(%s,%s),(%s,%s),(%s,%s)]', x1, y1, x2, y2, x3, y3, x1, y2)::path END AS w
FROM unnest('{plain,grid,epsilon,epsilon far out,rounding,infinite,NaN}'::text[]) class, generate_series(0, 1) side, generate_series(1, 200) i,
     LATERAL (SELECT i + 1000 * CASE WHEN i % 4 = 0 THEN 0 ELSE side END AS nr) n,
     LATERAL (SELECT coordinate(class, nr, 1) AS x1, coordinate(class, nr, 2) AS y1, coordinate(class, nr, 3) AS x2,
                     coordinate(class, nr, 4) AS y2, coordinate(class, nr, 5) AS x3, coordinate(class, nr, 6) AS y3) v;
CREATE TABLE operator (nr serial, condition text);
INSERT INTO operator (condition) VALUES
  ('l.b && r.b'), ('l.b ?# r.b'), ('l.b @> r.b'), ('l.b <@ r.b'), ('l.b ~= r.b'), ('l.b @> r.p'), ('l.p <@ r.b'), ('l.p ~= r.p'),
  ('l.c && r.c'), ('l.c @> r.c'), ('l.c <@ r.c'), ('l.c ~= r.c'), ('l.c @> r.p'), ('l.p <@ r.c'),
  ('l.y && r.y'), ('l.y @> r.y'), ('l.y <@ r.y'), ('l.y ~= r.y'), ('l.y @> r.p'), ('l.p <@ r.y'),
  ('l.s ?# r.s'), ('l.s = r.s'), ('l.s ?# r.b'), ('l.s <@ r.b'), ('l.p <@ r.s'), ('l.w ?# r.w'), ('l.p <@ r.w');

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
  FOREACH class IN ARRAY '{plain,grid,epsilon,epsilon far out,rounding,infinite,NaN}'::text[] LOOP
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
