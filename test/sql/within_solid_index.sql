--
-- spqtree_dwithin of spheres and segments in space: by an index of boxes or points, and by
-- a spatial hash join, the same rows as by a nested loop over all pairs.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA within_solid_index;
SET search_path = within_solid_index, public;
SELECT setseed(0.41);
CREATE TABLE solid AS
SELECT i AS id, p, box3(p, p + point3(u, v, w)) AS b, sphere3(p, w / 2) AS s, lseg3(p, p + point3(v - 2, w - 2, u - 2)) AS l, floor(random() * 3) - 0.5 AS d
FROM (SELECT i, point3(floor(random() * 30), floor(random() * 30), floor(random() * 30)) AS p, floor(random() * 5) AS u, floor(random() * 5) AS v, floor(random() * 5) AS w
      FROM generate_series(1, 500) i OFFSET 0) c;
INSERT INTO solid VALUES (1001, '(NaN,0,0)', '((NaN,0,0),(1,1,1))', '<(0,0,0),NaN>', '[(0,0,0),(1,1,NaN)]', 1), (1002, '(Infinity,0,0)', '((-Infinity,0,0),(Infinity,1,1))', '<(0,0,0),Infinity>', '[(0,0,0),(Infinity,1,0)]', 'Infinity'),
  (1003, '(1e308,0,-1e308)', '((1e308,0,-1e308),(1,1,1))', '<(-1e308,0,0),1e308>', '[(-1e308,0,0),(1e308,1,0)]', 1e308), (1004, '(0,0,0)', '((5e-324,0,0),(0,0,0))', '<(Infinity,0,0),Infinity>', '[(0,0,0),(5e-324,0,0)]', 5e-324), (1005, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE seer AS SELECT * FROM solid WHERE id % 8 = 0 OR id > 1000;
ANALYZE solid;
ANALYZE seer;
CREATE FUNCTION answer(condition text, pattern text, OUT planned boolean, OUT ids bigint, OUT pairs text[])
LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT y.id AS seer, x.id FROM seer y JOIN solid x ON %s', condition);
  line text;
BEGIN
  planned := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    planned := planned OR line ~ pattern;
  END LOOP;
  EXECUTE format('SELECT count(*), array_agg(q::text ORDER BY seer, id) FROM (%s) q', query) INTO ids, pairs;
END $$;
CREATE TABLE condition AS
SELECT k, l, format(form, k, l) AS condition
FROM unnest('{p,b,s,l}'::text[]) k, unnest('{p,b,s,l}'::text[]) l, unnest(ARRAY['spqtree_dwithin(x.%s, y.%s, y.d)', 'spqtree_dwithin(y.%2$s, x.%1$s, 1.5)', 'spqtree_dwithin(y.%2$s, x.%1$s, 0)']) form WHERE (k, l) <> ('l', 'l');
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET spqtree.enable_hashjoin = off;
CREATE TABLE by_row AS SELECT condition, a.* FROM condition, answer(condition, 'Seq Scan on solid') a;
SELECT count(*), sum(ids), bool_and(planned) AS planned, min(ids) > 0 AS some FROM by_row;
SET spqtree.enable_hashjoin = on;
SET enable_nestloop = off;
SELECT c.condition, a.planned, a.ids, tst.differing(r.pairs, a.pairs)
FROM condition c JOIN by_row r USING (condition), answer(c.condition, 'Spatial Hash Join') a
WHERE NOT a.planned OR a.pairs IS DISTINCT FROM r.pairs;
RESET enable_nestloop;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_indexjoin = off;
CREATE INDEX solid_p ON solid USING spqtree (p);
CREATE INDEX solid_b ON solid USING spqtree (b);
SET enable_seqscan = off;
SELECT k, count(*), count(*) FILTER (WHERE a.planned) AS planned,
       string_agg(c.condition || ': ' || tst.differing(r.pairs, a.pairs), '; ' ORDER BY c.condition) AS differing
FROM condition c JOIN by_row r USING (condition), answer(c.condition, 'Index Cond.*(p <@|b &&)') a
WHERE k IN ('p', 'b') GROUP BY k ORDER BY k;
EXPLAIN (COSTS OFF) SELECT id FROM solid WHERE spqtree_dwithin(p, sphere3 '<(1,2,3),4>', 1);
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT * FROM seer y, solid x WHERE spqtree_dwithin(x.b, y.l, y.d);
-- estimates, where there are many rows: within a factor of two
CREATE FUNCTION estimated(condition text, OUT good boolean) LANGUAGE plpgsql AS $$
DECLARE plan json; rows float8;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT FROM solid WHERE ' || condition INTO plan;
  rows := plan #>> '{0,Plan,Actual Rows}';
  good := rows > 20 AND (plan #>> '{0,Plan,Plan Rows}')::float8 BETWEEN rows / 2 AND rows * 2;
END $$;
SELECT estimated('spqtree_dwithin(p, sphere3 ''<(15,15,15),8>'', 4)') AS sphere, estimated('spqtree_dwithin(sphere3 ''<(15,15,15),8>'', b, 4)') AS box, estimated('spqtree_dwithin(b, lseg3 ''[(5,5,15),(25,5,15)]'', 6)') AS lseg;

DROP SCHEMA within_solid_index CASCADE;
