--
-- The spatial hash join: bugs found after the other tests had passed.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_regressions;
SET search_path = node_regressions;

CREATE FUNCTION some_box(i bigint, salt int) RETURNS box IMMUTABLE LANGUAGE sql AS $$
  SELECT box(point(x, y), point(x + w, y + h))
  FROM (SELECT (i * 7919 + salt * 31) % 1009 / 20.0 AS x, (i * 104729 + salt * 17) % 997 / 20.0 AS y,
               i * 13 % 31 / 10.0 AS w, i * 29 % 37 / 10.0 AS h) s $$;
CREATE TABLE a AS SELECT i AS id, i % 50 AS k, CASE WHEN i % 37 > 0 THEN some_box(i, 1) END AS bx
FROM generate_series(1, 240) i;
CREATE TABLE b AS SELECT i::bigint AS id, i % 50 AS k, CASE WHEN i % 41 > 0 THEN some_box(i, 2) END AS bx
FROM generate_series(1, 200) i;
CREATE TABLE c AS SELECT i AS id, i % 50 AS k, some_box(i, 3) AS bx FROM generate_series(1, 120) i;
ANALYZE a, b, c;
SET enable_mergejoin = off;

-- compare the rows with the node and without
CREATE FUNCTION answer(query text, node boolean) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_hashjoin', node::text, true),
    set_config('enable_nestloop', (NOT node)::text, true);
  RETURN tst.rows(query);
EXCEPTION WHEN internal_error THEN
  RETURN ARRAY[SQLERRM];
END $$;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN l = r THEN 'same' ELSE tst.differing(r, l) || ': ' || query END
  FROM (SELECT answer(query, true) AS l, answer(query, false) AS r) s $$;

-- Since 16, the planner distinguishes variables above an outer join from those below:
-- whole rows, expressions that are computed below an outer join and may become null
SELECT same($$SELECT a.id, s.z from a left join (select coalesce(c.id,0) z, b.id bid from b left join c on b.bx && c.bx) s on a.id=s.bid$$);
SELECT same($$SELECT a.id, s.z, s.w from a left join (select coalesce(c.id,0) z, c w, b.id bid from b left join c on b.bx && c.bx) s on a.id=s.bid and s.z < 10$$);
SELECT same($$SELECT a.id, s.z, s.w from a left join (select coalesce(c.id,b.id) z, c w, b.bx bb from b left join c on b.bx && c.bx) s on a.bx && s.bb and s.z < 500$$);
SELECT same($$SELECT a.id, s.z, s.w from a left join (select coalesce(b.id,0) z, b w, b.bx bb from b left join c on b.bx && c.bx and b.k=c.k) s on a.bx && s.bb$$);
SELECT same($$SELECT a.id, s.z, c.id from a left join (select coalesce(b.id,0) z, b w, b.bx bb from b) s on a.bx && s.bb left join c on c.bx && a.bx and c.k = s.z%50$$);
SELECT same($$SELECT a.id, s.z, c from c left join (a left join (select 42 z, b w, b.bx bb from b) s on a.bx && s.bb) on c.bx && a.bx and c.k=a.k where coalesce(s.z,1)=1 or c.id<100$$);
SELECT same($$SELECT a, b, c from a full join b on a.bx && b.bx and a.k=b.k full join c on c.bx && b.bx and c.k = b.k$$);
SELECT same($$SELECT a.id, s.z from a full join (select coalesce(b.id,0) z,b.k, b.bx from b left join c on b.bx @> c.bx) s on a.bx && s.bx and a.k=s.k and a.k is not null$$);
SELECT same($$SELECT a.id from a left join b on a.bx && b.bx left join c on c.bx && b.bx where c is null$$);
SELECT same($$SELECT a, b.id from a left join b on a.bx && b.bx where b is null$$);
SELECT same($$SELECT a.id from a where not exists (select 1 from b left join c on b.bx && c.bx where b.bx && a.bx and coalesce(c.k,0)=a.k)$$);
SELECT same($$SELECT a.id from a where exists (select 1 from b left join c on b.bx && c.bx where b.bx && a.bx and coalesce(c.k,0)=a.k)$$);
SELECT same($$SELECT a.id, (select count(*) from b left join c on b.bx && c.bx where b.bx && a.bx) from a where a.id<10$$);
SELECT same($$SELECT a.id, s.* from a left join lateral (select b.id, a.k+b.k zz, 7 q from b left join c on b.bx && c.bx where b.bx && a.bx) s on true where a.id<60$$);
SELECT same($$SELECT a.id, s.* from a left join (select b.bx, c.bx cb, coalesce(b.bx,c.bx) bb from b left join c on b.k = c.k) s on a.bx && s.bb where a.id<60$$);
SELECT same($$SELECT a.id, s.* from c left join a on c.k=a.k left join b s on a.bx && s.bx where c.id < 60$$);
SELECT same($$SELECT a.id, s.* from c left join a on c.k=a.k left join b s on coalesce(a.bx, c.bx) && s.bx where c.id < 60$$);
SELECT same($$SELECT a.id, s.* from c left join a on c.bx && a.bx left join b s on a.bx && s.bx and a.id = s.id$$);
SELECT same($$SELECT a.ctid, b.tableoid, b.ctid, a.xmin from a left join b on a.bx && b.bx where b.ctid is null or b.k=3$$);
SELECT same($$SELECT a.id, x.n, x.y from a left join (select b.bx, b.k, count(*) over () n, (b).k y from b) x on a.bx @> x.bx$$);
SELECT same($$SELECT 1 from a left join (select b.bx, row(b.id,b.k) r from b) s on a.bx && s.bx left join c on c.bx && a.bx and (s.r).f1 = c.id$$);
SELECT same($$SELECT a.id, b.id, c.id from a left join (b inner join c on b.bx && c.bx) on a.bx && b.bx and a.bx && c.bx$$);
SELECT same($$SELECT a.id, b.id, c.id from a left join (b left join c on b.bx && c.bx) on a.bx && c.bx where b.id is null or c.k=1$$);
SELECT same($$SELECT a.id, s.x from a left join (select b.bx, 1 x from b) s on a.bx && s.bx left join (select c.bx, 2 y from c) u on u.bx && s.bx and u.y = s.x+1$$);

-- an argument with a subquery, whose parameters change while the build side is kept
CREATE TABLE o AS SELECT generate_series(1, 3) AS k;
SELECT same($$SELECT o.k, s.* FROM o, LATERAL (SELECT count(*) FROM a JOIN b ON a.bx && (SELECT c.bx FROM c WHERE c.id = b.id % 110 + o.k)) s$$);
SELECT same($$SELECT o.k, s.* FROM o, LATERAL (SELECT count(*) FROM a JOIN b ON a.bx && b.bx AND a.k = (SELECT c.k FROM c WHERE c.id = b.id % 110 + o.k)) s$$);
CREATE FUNCTION uses_node(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  plan text;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
  RETURN plan ~ 'Spatial Hash Join';
END $$;
SELECT uses_node('SELECT count(*) FROM a JOIN b ON a.bx && (SELECT c.bx FROM c WHERE c.id = b.k)');
-- a subquery that does not depend on the row
SET enable_nestloop = off;
SELECT uses_node('SELECT count(*) FROM a JOIN b ON a.bx && (b.bx + (SELECT point(k, 0) FROM o WHERE k = 1))');

-- candidates are also counted if a LIMIT ends the join
CREATE FUNCTION candidates(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, '$.**.Candidates');
END $$;
SELECT candidates('SELECT FROM a JOIN b ON a.bx && b.bx LIMIT 10') >= 10 AS counted;

-- build rows with a null key, of which no column is needed
SELECT count(*) FROM a RIGHT JOIN (SELECT NULL::box AS bx FROM generate_series(1, 1000)) n ON a.bx && n.bx;

-- corners the wrong way round, where floats are farther apart than the tolerance
CREATE TABLE wrong AS SELECT box '((10000000000,0),(10000000001,1))'
  # box(point(10000000001::float8 + i * 1.9073486328125e-6, 0), point(10000000002, 1)) AS bx
  FROM generate_series(0, 3) i;
CREATE TABLE right_way AS
  SELECT box(point(10000000000::float8, 0), point(10000000001::float8 + i * 1.9073486328125e-6, 1)) AS bx
  FROM generate_series(-3, 3) i;
SELECT same($$SELECT wrong.bx::text, right_way.bx::text FROM wrong JOIN right_way ON wrong.bx <@ right_way.bx$$);
SELECT same($$SELECT wrong.bx::text, right_way.bx::text FROM right_way JOIN wrong ON right_way.bx @> wrong.bx$$);
SELECT uses_node('SELECT count(*) FROM wrong JOIN right_way ON wrong.bx <@ right_way.bx'), count(*) FROM wrong
  JOIN right_way ON wrong.bx <@ right_way.bx;

-- A distance that comes from a relation joined before, as the reference allows: it belongs to that side.
SET search_path = node_regressions, public;
RESET enable_nestloop;
CREATE TABLE many AS SELECT i AS id, i % 20 AS rid, i * 37 % 1009 AS t,
  int4range(i * 37 % 1009, i * 37 % 1009 + 2) AS g, point(i * 37 % 1009, i * 91 % 1013) AS p,
  box(point(i * 37 % 1009, i * 91 % 1013), point(i * 37 % 1009 + 1, i * 91 % 1013 + 1)) AS bx
  FROM generate_series(1, 700) i;
CREATE TABLE others AS SELECT i AS id, i * 53 % 1009 AS t, int4range(i * 53 % 1009, i * 53 % 1009 + 3) AS g,
  point(i * 53 % 1009, i * 71 % 1013) AS p,
  box(point(i * 53 % 1009, i * 71 % 1013), point(i * 53 % 1009 + 1, i * 71 % 1013 + 1)) AS bx
  FROM generate_series(1, 700) i;
CREATE TABLE reach AS SELECT i AS id, CASE WHEN i <> 7 THEN i % 7 END::float8 AS d, i % 3 AS n
FROM generate_series(0, 19) i;
ANALYZE many, others, reach;
CREATE TABLE near_conditions AS SELECT unnest(ARRAY['spqtree_dwithin(o.bx, w.bx, r.d)',
                                                    'spqtree_dwithin(w.bx, o.bx, r.d)',
                                                    'spqtree_dwithin(o.bx, w.bx, r.d + w.t / 500.0)',
                                                    'spqtree_dwithin(o.bx, w.bx, w.t / 500.0 + r.d)',
  'spqtree_dwithin(o.bx, w.bx, o.id % 3 + r.d)', 'spqtree_dwithin(o.p, w.bx, r.d)', 'o.p <-> w.p < r.d',
  'r.d >= (w.p <-> o.p)', 'spqtree_expand(o.bx, r.d) && w.bx', 'circle(o.p, r.d) @> w.p',
  'w.t BETWEEN o.t - r.n AND o.t + r.n', 'int4range(o.t - r.n, o.t + r.n + 1) && w.g']) AS condition;
CREATE TABLE near_queries AS SELECT 'many o JOIN reach r ON r.id = o.rid JOIN others w ON ' || condition AS query
FROM near_conditions;
INSERT INTO near_queries VALUES ('(many o JOIN reach r ON r.id = o.rid) LEFT JOIN others w ON spqtree_dwithin(o.bx, w.bx, r.d)'), ('(many o LEFT JOIN reach r ON r.id = o.rid) LEFT JOIN others w ON spqtree_dwithin(o.bx, w.bx, r.d)'),
  ('others w LEFT JOIN (many o JOIN reach r ON r.id = o.rid) ON spqtree_dwithin(w.bx, o.bx, r.d)'),
  ('(many o JOIN reach r ON r.id = o.rid) WHERE EXISTS (SELECT FROM others w WHERE o.p <-> w.p < r.d)'),
  ('(many o JOIN reach r ON r.id = o.rid) WHERE NOT EXISTS (SELECT FROM others w WHERE spqtree_dwithin(o.bx, w.bx, r.d))'), ('others w WHERE EXISTS (SELECT FROM many o JOIN reach r ON r.id = o.rid WHERE spqtree_dwithin(o.bx, w.bx, r.d))');
SELECT query, uses_node('SELECT FROM ' || query) AS node FROM near_queries;
SELECT query, result FROM near_queries, same('SELECT * FROM ' || query) AS result WHERE result <> 'same';
-- a distance of both sides belongs to neither
SELECT uses_node('SELECT FROM many o JOIN others w ON spqtree_dwithin(o.bx, w.bx, o.id * w.t)');

-- The box of a ray that never ends is large: its candidates are more than its matches, and a search of an index for
-- each ray is faster.
CREATE TABLE cubes AS SELECT i AS id, box3(x, y, z, x + 1, y + 1, z + 1) AS b
FROM (SELECT i, i * 7919 % 10007 / 100.0 AS x, i * 104729 % 10009 / 100.0 AS y, i * 15485863 % 10037 / 100.0 AS z
      FROM generate_series(1::bigint, 10000) i) s;
CREATE TABLE rays AS SELECT i AS id, ray3(point3(i * 31 % 101, i * 57 % 103, i * 71 % 107),
                                          point3(i * 17 % 29 - 14.5, i * 23 % 31 - 15.5, i * 13 % 37 - 18.5)) AS r
                                          FROM generate_series(1, 500) i;
CREATE INDEX ON cubes USING spqtree (b);
CREATE TABLE tiles AS SELECT i AS id, box(point(x, y), point(x + 2, y + 2)) AS b
FROM (SELECT i, i * 7919 % 10007 AS x, i * 104729 % 10009 AS y FROM generate_series(1::bigint, 20000) i) s;
CREATE TABLE long AS SELECT i AS id, lseg(point(x, y),
                                          point(x + 1800 * cosd(i * 7 % 360), y + 1800 * sind(i * 7 % 360))) AS s
                                          FROM (SELECT i, i * 31 % 8009 AS x, i * 57 % 8011 AS y
                                                FROM generate_series(1, 800) i) v;
CREATE INDEX ON tiles USING spqtree (b);
VACUUM ANALYZE cubes, rays, tiles, long;
SELECT query, uses_node('SELECT FROM ' || query) AS node
FROM unnest(ARRAY['cubes JOIN rays ON b && r', 'cubes JOIN rays ON r && b', 'rays LEFT JOIN cubes ON b && r',
                  'rays WHERE EXISTS (SELECT FROM cubes WHERE b && r)',
                  'rays WHERE NOT EXISTS (SELECT FROM cubes WHERE b && r)', 'tiles JOIN long ON b ?# s',
                  'tiles JOIN long ON s ?# b']) query;
CREATE FUNCTION times_off(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
  truth float8;
  guess float8;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
  guess := plan #> '{0,Plan,Plan Rows}';
  EXECUTE 'SELECT count(*) FROM (' || query || ') s' INTO truth;
  RETURN CASE WHEN guess BETWEEN truth / 3 AND truth * 3 THEN 'ok' ELSE guess || ' for ' || truth END;
END $$;
SELECT query, times_off('SELECT FROM ' || query)
FROM unnest(ARRAY['cubes JOIN rays ON b && r', 'cubes JOIN rays ON r && b',
                  'rays WHERE EXISTS (SELECT FROM cubes WHERE b && r)',
                  'rays WHERE NOT EXISTS (SELECT FROM cubes WHERE b && r)',
                  'cubes WHERE EXISTS (SELECT FROM rays WHERE r && b)',
  'tiles JOIN long ON b ?# s', 'tiles JOIN long ON s ?# b', 'long WHERE EXISTS (SELECT FROM tiles WHERE b ?# s)',
  'tiles WHERE EXISTS (SELECT FROM long WHERE b ?# s)']) query;

DROP SCHEMA node_regressions CASCADE;

-- Clusters so far apart that floats cannot tell their rows apart: intervals of times in ten centuries, and boxes of which one is
-- far away.  Most pairs of rows must not be compared.
CREATE FUNCTION far_candidates(query text) RETURNS TABLE (pairs bigint, few boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan json;
  node json;
BEGIN
  EXECUTE query INTO pairs;
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
  node := plan->0->'Plan'->'Plans'->0;
  few := (node->>'Candidates')::bigint < 4 * (pairs + 40000);
  RETURN NEXT;
END $$;
CREATE TABLE far_a AS SELECT i AS id, 1e12 * (i % 10) + i AS low, 1e12 * (i % 10) + i + 5 AS high FROM generate_series(1, 20000) i;
CREATE TABLE far_b AS SELECT i AS id, 1e12 * (i % 10) + i + 0.5 AS v FROM generate_series(1, 20000) i;
CREATE TABLE far_boxes_a AS SELECT id, box(point(low, 0), point(high, 1)) AS b FROM far_a UNION ALL SELECT 0, '((1e300,1e300),(1e300,1e300))';
CREATE TABLE far_boxes_b AS SELECT id, box(point(v, 0), point(v, 1)) AS b FROM far_b;
ANALYZE far_a, far_b, far_boxes_a, far_boxes_b;
SELECT * FROM far_candidates('SELECT count(*) FROM far_a a JOIN far_b b ON b.v BETWEEN a.low AND a.high');
SELECT * FROM far_candidates('SELECT count(*) FROM far_boxes_a a JOIN far_boxes_b b ON a.b && b.b');
SELECT * FROM far_candidates('SELECT count(*) FROM far_boxes_a a WHERE EXISTS (SELECT FROM far_boxes_b b WHERE a.b && b.b)');
DROP TABLE far_a, far_b, far_boxes_a, far_boxes_b;
DROP FUNCTION far_candidates;
