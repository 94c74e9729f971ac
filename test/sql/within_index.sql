--
-- spqtree_dwithin by an index of points, boxes, circles and polygons, of any class that
-- has it, and by a spatial hash join: the same rows as by a nested loop over all pairs.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
CREATE SCHEMA within_index;
SET search_path = within_index, public;
SELECT setseed(0.31);
CREATE FUNCTION shapes(n int, seed float8, extent float8, OUT id int, OUT p point, OUT c circle, OUT b box, OUT s lseg, OUT g polygon, OUT d float8) RETURNS SETOF record LANGUAGE sql AS $$
  SELECT i, p, circle(p, r), box(p, p + point(w, h)), lseg(p, p + point(w - 2, h - 2)),
         CASE i % 3 WHEN 0 THEN polygon(3 + i % 7, circle(p, r + 0.5)) WHEN 1 THEN polygon(format('(%s,%s),(%s,%s),(%s,%s)', p[0], p[1], p[0] + w, p[1] + h, p[0] + r, p[1] - w))
           ELSE polygon(format('(%s,%s),(%s,%s),(%s,%s)', p[0], p[1], p[0] + 1e-5 * i, p[1] + 8, p[0] + 4, p[1] + 4)) END, floor(random() * 4) - 1
  FROM (SELECT i, point(floor(random() * extent) / 2, floor(random() * extent) / 2) AS p, floor(random() * 6) AS w, floor(random() * 5) AS h, floor(random() * 6) / 2 AS r FROM setseed(seed), generate_series(1, n) i OFFSET 0) v
$$;
CREATE TABLE item AS SELECT * FROM shapes(400, 0.5, 120);
INSERT INTO item (id, p, c, b, s, g, d) VALUES
  (1001, '(NaN,1)', '<(NaN,1),1>', '((NaN,1),(2,2))', '[(NaN,1),(2,2)]', '(NaN,1),(2,2),(0,4)', 1), (1002, '(1,Infinity)', '<(1,Infinity),2>', '((1,1),(Infinity,Infinity))', '[(1,1),(Infinity,2)]', '(1,1),(Infinity,2),(0,5)', 2),
  (1003, '(-Infinity,Infinity)', '<(1,1),Infinity>', '((-Infinity,-Infinity),(Infinity,Infinity))', '[(-Infinity,1),(Infinity,1)]', '(1,1)', 0), (1004, '(1e140,-1e140)', '<(1,1),NaN>', '((-1e140,-1e140),(1e140,1e140))', '[(-1e140,0),(1e140,0)]', '(-1e140,-1e140),(1e140,-1e140),(0,1e140)', 'NaN'),
  (1005, '(1,1)', circle(point '(1,1)', -1), '((1,1),(1,1))', '[(1,1),(1,1)]', '(1,1),(1,1),(1,1)', 'Infinity'), (1006, '(1e-100,0)', circle(point '(1,1)', -1e-7), '((0,0),(1e-100,1e-100))', '[(0,0),(1e-100,1e-100)]', '(0,0),(4,0),(0,4)', -1),
  (1007, '(0,0)', '<(1,Infinity),Infinity>', '((Infinity,0),(Infinity,1))', '[(0,0),(4,4)]', '(0,0),(4,4),(4,0),(0,4)', 1e140), (1008, NULL, NULL, NULL, NULL, NULL, NULL);
-- edges that are nearly vertical, far from the origin: there PostgreSQL's && of polygons is not exact
INSERT INTO item SELECT 2000 + i, point(5e6 + i, 5e6), circle(point(5e6 + i, 5e6), 0.25), box(point(5e6 + i, 5e6), point(5e6 + i, 5e6 + 40)), lseg(point(5e6 + i, 5e6), point(5e6 + i + 2e-6, 5e6 + 40)),
  polygon(format('(%s,%s),(%s,%s),(%s,%s)', 5e6 + i, 5e6, 5e6 + i + 2e-6, 5e6 + 40, 5e6 + i + 1e-6 * i, 5e6 + 40)), i FROM generate_series(1, 40) i;
CREATE TABLE probe AS SELECT * FROM shapes(40, 0.7, 120);
INSERT INTO probe SELECT * FROM item WHERE id BETWEEN 1000 AND 1999;
INSERT INTO probe SELECT 3000 + i, p, circle(p, 0.5), box(p, p + point(1, 0)), lseg(p, p + point(3, 0)), polygon(box(p, p + point(1, 1))), 0.5 FROM (SELECT i, point(5e6 + 0.5 * i, 5e6 + i) AS p FROM generate_series(1, 30) i) v;
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
  EXECUTE format('SELECT count(*), array_agg(q::text ORDER BY probe, id) FROM (%s) q', query) INTO ids, pairs;
END $$;
CREATE TABLE condition AS
SELECT row_number() OVER () AS nr, k, l, format(form, k, l) AS condition
FROM unnest('{p,c,b,g}'::text[]) k, unnest('{p,c,b,g,s}'::text[]) l, unnest(ARRAY['spqtree_dwithin(x.%s, y.%s, y.d)', 'spqtree_dwithin(y.%2$s, x.%1$s, 1.5)']) form;
INSERT INTO condition SELECT 100 + n, k, l, format('spqtree_dwithin(x.%s, y.%s, %L)', k, l, d) FROM unnest('{p,p,c,g}'::text[], '{p,g,b,b}'::text[]) WITH ORDINALITY u(k, l, n), unnest('{0,Infinity}'::text[]) d;

SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET spqtree.enable_hashjoin = off;
CREATE TABLE by_row AS SELECT condition, a.* FROM condition, answer(condition, 'Seq Scan on item') a;
SELECT count(*), sum(ids), bool_and(planned) AS planned, min(ids) > 0 AS some FROM by_row;
-- the join node
SET spqtree.enable_hashjoin = on;
SET enable_nestloop = off;
SELECT c.condition, a.planned, a.ids, tst.differing(r.pairs, a.pairs)
FROM condition c JOIN by_row r USING (condition), answer(c.condition, 'Spatial Hash Join') a
WHERE NOT a.planned OR a.pairs IS DISTINCT FROM r.pairs;
RESET enable_nestloop;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_indexjoin = off;
-- indexes; those of SP-GiST's quadtree cannot be built with NaN in a point, which is near nothing
UPDATE item SET p = NULL WHERE id = 1001;
SET enable_seqscan = off;
CREATE TABLE class (class text, k text, method text);
INSERT INTO class VALUES ('spqtree', 'p', 'spqtree (p)'), ('spqtree', 'c', 'spqtree (c)'), ('spqtree', 'b', 'spqtree (b)'), ('spqtree', 'g', 'spqtree (g)'),
  ('gist', 'p', 'gist (p)'), ('gist', 'c', 'gist (c)'), ('gist', 'b', 'gist (b)'), ('gist', 'g', 'gist (g)'),
  ('spgist', 'p', 'spgist (p)'), ('kd', 'p', 'spgist (p kd_point_ops)'), ('spgist', 'b', 'spgist (b)'), ('spgist', 'g', 'spgist (g)'), ('quadtree', 'b', 'spgist (b spqtree_box_ops)');
CREATE FUNCTION by_index(class text, "column" text, method text, OUT conditions bigint, OUT planned bigint,
                         OUT differing text)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'CREATE INDEX item_index ON item USING ' || method;
  SELECT count(*), count(*) FILTER (WHERE a.planned),
         string_agg(c.condition || ': ' || tst.differing(r.pairs, a.pairs), '; ' ORDER BY nr)
    INTO conditions, planned, differing
  FROM condition c JOIN by_row r USING (condition),
       answer(c.condition, 'Index Cond.*' || (CASE k WHEN 'p' THEN '<@' ELSE '&&' END)) a
  WHERE c.k = "column";
  DROP INDEX item_index;
END $$;
SELECT class, k, i.* FROM class, by_index(class, k, method) i WHERE class <> 'gist' ORDER BY class, k;
-- GiST does not find rows beside boxes with NaN or infinity
DELETE FROM item WHERE id BETWEEN 1001 AND 1004 OR id = 1007;
TRUNCATE by_row;
RESET enable_seqscan;
INSERT INTO by_row SELECT condition, a.* FROM condition, answer(condition, 'Seq Scan on item') a;
SET enable_seqscan = off;
SELECT class, k, i.* FROM class, by_index(class, k, method) i WHERE class = 'gist' ORDER BY class, k;

-- What EXPLAIN shows.
CREATE INDEX item_p ON item USING spqtree (p);
CREATE INDEX item_c ON item USING spqtree (c);
CREATE INDEX item_g ON item USING spqtree (g);
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(p, polygon '(0,0),(3,0),(0,3)', 2);
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(circle '<(5,5),2>', c, 2);
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(g, point '(5,5)', 2);
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT * FROM probe y, item x WHERE spqtree_dwithin(x.g, y.p, y.d);
SET enable_seqscan = off;
DROP INDEX item_c, item_g;
CREATE INDEX item_c ON item USING gist (c);
CREATE INDEX item_g ON item USING gist (g);
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(circle '<(5,5),2>', c, 2);
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(g, point '(5,5)', 2);
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT * FROM probe y, item x WHERE spqtree_dwithin(x.g, y.p, y.d);
-- a distance of the table itself is no use to its index
EXPLAIN (COSTS OFF) SELECT id FROM item WHERE spqtree_dwithin(g, point '(5,5)', d);

DROP SCHEMA within_index CASCADE;
