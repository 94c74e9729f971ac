-- Plans without the node that its estimates affect: semi joins by a hash of other
-- columns, bitmaps of several indexes, partitions, conditions on more than two tables.
-- And estimates for unusual data. The rows of all plans are those of a plain nested
-- loop.

LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_plans;
SET search_path = node_plans, public;

CREATE FUNCTION some_box(i bigint, salt int) RETURNS box IMMUTABLE LANGUAGE sql AS $$
  SELECT box(point(x, y), point(x + w, y + h))
  FROM (SELECT (i * 7919 + salt * 31) % 1009 / 10.0 AS x, (i * 104729 + salt * 17) % 997 / 10.0 AS y,
               i * 13 % 31 / 10.0 AS w, i * 29 % 37 / 10.0 AS h) s $$;
CREATE TABLE a AS SELECT i AS id, i * 7 % 20 AS k, some_box(i, 1) AS bx, some_box(i * 3, 4) AS cx
FROM generate_series(1, 300) i;
CREATE TABLE b AS SELECT i AS id, i / 13 % 20 AS k, some_box(i % 1000, 1 + i / 1000) AS bx, some_box(i * 5, 5) AS cx
FROM generate_series(1, 3000) i;
CREATE INDEX b_bx ON b USING spgist (bx spqtree_box_ops);
CREATE INDEX b_cx ON b USING spgist (cx spqtree_box_ops);
CREATE INDEX b_id ON b (id);
CREATE INDEX b_k ON b (k);
CREATE TABLE c AS SELECT i AS id, i / 7 % 20 AS k, some_box(i, 3) AS bx FROM generate_series(1, 200) i;
ANALYZE a, b, c;

-- Return the rows, from a nested loop of sequential scans, or with other settings.
CREATE FUNCTION answer(query text, VARIADIC settings text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  setting text;
BEGIN
  FOREACH setting IN ARRAY settings LOOP
    PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
  END LOOP;
  RETURN tst.rows(query);
END $$;
-- return the node if the plan has it, else 'no:' and the plan
CREATE FUNCTION plan_has(node text, query text, VARIADIC settings text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  plan json;
  setting text;
BEGIN
  FOREACH setting IN ARRAY settings LOOP
    PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
  END LOOP;
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN CASE WHEN plan::text LIKE '%"' || node || '"%' THEN node ELSE 'no: ' || plan END;
END $$;
CREATE FUNCTION same(node text, query text, VARIADIC settings text[] DEFAULT '{}') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  l text[];
  r text[];
  plan text;
BEGIN
  BEGIN
    plan := plan_has(node, query, VARIADIC settings);
    l := answer(query, VARIADIC settings);
    RAISE SQLSTATE 'ZZZZZ';                -- takes the settings back
  EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN END;
  BEGIN
    r := answer(query, 'spqtree.enable_hashjoin=off', 'enable_hashjoin=off', 'enable_mergejoin=off',
                'enable_indexscan=off',
                'enable_indexonlyscan=off', 'enable_bitmapscan=off', 'enable_memoize=off');
    RAISE SQLSTATE 'ZZZZZ';
  EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN END;
  RETURN CASE WHEN r = '{}' THEN 'no rows' ELSE coalesce(tst.differing(r, l), 'same') END || ' by ' || plan;
END $$;

-- A hash of other columns, with the spatial condition as a filter, whose cost is that
-- of all pairs with the same key. The plan may use either of the two joins.
SELECT same('Join Type', $$SELECT a.id FROM a WHERE EXISTS (SELECT FROM b WHERE b.k = a.k AND b.bx && a.bx)$$,
            'enable_nestloop=off', 'enable_mergejoin=off');
SELECT same('Join Type', $$SELECT a.id FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.k = a.k AND b.bx && a.bx)$$,
            'enable_nestloop=off', 'enable_mergejoin=off');
SELECT same('Join Type', $$SELECT b.id FROM b WHERE EXISTS (SELECT FROM a WHERE b.k = a.k AND b.bx && a.bx)$$,
            'enable_nestloop=off', 'enable_mergejoin=off', 'max_parallel_workers_per_gather=2',
            'min_parallel_table_scan_size=0', 'parallel_setup_cost=0', 'parallel_tuple_cost=0');
SELECT same('Join Type', $$SELECT b.id FROM b WHERE NOT EXISTS (SELECT FROM a WHERE b.k = a.k AND b.bx && a.bx)$$,
            'enable_nestloop=off', 'enable_mergejoin=off',
            'max_parallel_workers_per_gather=2', 'min_parallel_table_scan_size=0', 'parallel_setup_cost=0',
            'parallel_tuple_cost=0');

-- Bitmaps of two indexes, combined with AND and with OR, for each outer row; and of an
-- index with a spatial condition and one without.
SELECT same('Bitmap Index Scan', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx AND a.cx && b.cx$$,
            'spqtree.enable_hashjoin=off', 'enable_indexscan=off', 'enable_seqscan=off', 'enable_hashjoin=off',
            'enable_mergejoin=off');
SELECT same('BitmapOr', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx OR a.cx && b.cx$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off');
SELECT same('BitmapOr', $$SELECT a.id, b.id AS o FROM a JOIN b ON (a.bx && b.bx OR a.cx && b.cx) AND a.bx <@ box(point(-1e3,-1e3), point(1e3,1e3))$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off');
SELECT same('BitmapOr', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx OR a.id = b.id$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off');
SELECT same('Bitmap Heap Scan', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx AND (a.cx && b.cx OR a.id < b.id)$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_indexscan=off', 'enable_hashjoin=off',
            'enable_mergejoin=off');
SELECT same('Bitmap Heap Scan', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx AND a.k = b.k$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_indexscan=off', 'enable_hashjoin=off',
            'enable_mergejoin=off');
SELECT same('Bitmap Heap Scan', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx AND b.k BETWEEN a.k - 1 AND a.k + 1$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_indexscan=off', 'enable_hashjoin=off',
            'enable_mergejoin=off', 'random_page_cost=400');
SELECT same('Bitmap Heap Scan', $$SELECT a.id, b.id AS o FROM a JOIN b ON a.bx && b.bx$$,
            'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_indexscan=off', 'enable_hashjoin=off',
            'enable_mergejoin=off');

-- One argument computed from two tables; both from the same table; join aliases.
SELECT same('Spqtree Spatial Hash Join', $$SELECT a.id, c.id AS i, b.id AS o FROM a JOIN c USING (k) JOIN b ON bound_box(a.bx, c.bx) && b.bx AND b.k = 3 WHERE a.id < 40$$);
SELECT same('Nested Loop', $$SELECT a.id, b.id AS o FROM a JOIN b ON bound_box(a.bx, b.cx) && b.bx AND b.id < 90$$);
SELECT same('Spqtree Spatial Hash Join', $$SELECT a.id, c.id AS i, b.id AS o FROM a, b, c WHERE a.id = c.id AND bound_box(a.bx, c.bx) @> box(b.bx[0], b.bx[1]) AND b.k = 7$$, 'spqtree.sample_rows=0');

-- Estimates of each operator, for few matches and none, for a self join.
CREATE TABLE far AS SELECT i AS id, box(point(i, i), point(i + 0.001, i + 0.001)) AS bx FROM generate_series(1, 600) i;
CREATE TABLE wide AS SELECT i AS id, box(point(i * 7 % 599, i * 11 % 599),
                                         point(i * 7 % 599 + i % 9, i * 11 % 599 + i % 5)) AS bx
                                         FROM generate_series(1, 600) i;
ANALYZE far, wide;
CREATE TABLE estimate AS
SELECT op, few, tst.differing(answer(query, 'spqtree.enable_hashjoin=off', 'enable_seqscan=on'),
                              answer(query, 'spqtree.sample_rows=' || few)) AS differing
FROM unnest('{&&,@>,<@,~=}'::text[]) op, unnest('{0,40,1024}'::int[]) few, unnest('{far,wide}'::text[]) l,
     unnest('{far,wide}'::text[]) r,
     format('SELECT l.id, r.id AS o FROM %s l JOIN %s r ON l.bx %s r.bx', l, r, op) query;
SELECT op, count(*), min(differing) AS differing FROM estimate GROUP BY op ORDER BY op COLLATE "C";

-- Coordinates without a scale: all equal, on a line, infinite, NaN.
CREATE TABLE place AS SELECT i AS id, '((5,5),(5,5))'::box AS bx FROM generate_series(1, 70) i;
CREATE TABLE upright AS SELECT i AS id, box(point(5, i), point(5, i + 1)) AS bx FROM generate_series(1, 70) i;
CREATE TABLE level AS SELECT i AS id, box(point(i, 5), point(i + 1, 5)) AS bx FROM generate_series(1, 70) i;
CREATE TABLE endless AS SELECT i AS id, box(point('-Infinity', '-Infinity'), point('Infinity', 'Infinity')) AS bx
FROM generate_series(1, 70) i;
CREATE TABLE huge AS SELECT i AS id, box(point(-1e308, -1e308), point(i * 1e306, 1.7e308)) AS bx
FROM generate_series(1, 70) i;
CREATE TABLE none AS SELECT i AS id, box(point('NaN', 'NaN'), point('NaN', 'NaN')) AS bx FROM generate_series(1, 70) i;
ANALYZE place, upright, level, endless, huge, none;
SELECT l, string_agg(concat_ws(': ', cardinality(plain), tst.differing(plain, node)), ', ' ORDER BY r)
FROM unnest('{place,upright,level,endless,huge,none}'::text[]) l,
     unnest('{place,upright,level,endless,huge,none}'::text[]) r,
     format('SELECT l.id, r.id AS o FROM %s l JOIN %s r ON l.bx && r.bx', l, r) query,
     answer(query, 'spqtree.enable_hashjoin=on', 'enable_nestloop=off') node,
     answer(query, 'spqtree.enable_hashjoin=off', 'enable_nestloop=on') plain
GROUP BY l ORDER BY l;

-- Partitions: all, some, an empty one; a UNION ALL with an arm that is not a table;
-- joins of partitions with each other, each with its own index.
CREATE TABLE p (id int, k int, bx box) PARTITION BY RANGE (k);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (8);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (8) TO (20);
CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (20) TO (30);
CREATE INDEX p_bx ON p USING spgist (bx spqtree_box_ops);
INSERT INTO p SELECT id, k, bx FROM b;
CREATE TABLE q (LIKE p) PARTITION BY RANGE (k);
CREATE TABLE q1 PARTITION OF q FOR VALUES FROM (0) TO (8);
CREATE TABLE q2 PARTITION OF q FOR VALUES FROM (8) TO (20);
CREATE TABLE q3 PARTITION OF q FOR VALUES FROM (20) TO (30);
INSERT INTO q SELECT id, k, bx FROM a;
ANALYZE p, q;
SELECT same('Spqtree Spatial Hash Join', $$SELECT q.id, p.id AS o FROM q JOIN p ON q.bx && p.bx AND q.k = p.k$$,
            'enable_partitionwise_join=on', 'enable_nestloop=off', 'enable_hashjoin=off',
            'spqtree.enable_hashjoin=always', 'enable_mergejoin=off');
SELECT same('Index Scan', $$SELECT q.id, p.id AS o FROM q JOIN p ON q.bx && p.bx AND q.k = p.k$$,
            'enable_partitionwise_join=on', 'spqtree.enable_hashjoin=off', 'enable_hashjoin=off',
            'enable_mergejoin=off', 'enable_seqscan=off', 'enable_bitmapscan=off');
SELECT same('Spqtree Spatial Hash Join', $$SELECT q.id, p.id AS o FROM q JOIN p ON q.bx && p.bx WHERE p.k > 10$$,
            'enable_nestloop=off', 'enable_indexscan=off', 'enable_bitmapscan=off');
SELECT same('Index Scan', $$SELECT q.id, p.id AS o FROM q JOIN p ON q.bx && p.bx AND p.k > 10 AND q.bx <@ box(point(0, 0), point(900, 900))$$, 'spqtree.enable_hashjoin=off', 'enable_seqscan=off', 'enable_bitmapscan=off');
SELECT same('Spqtree Spatial Hash Join', $$SELECT a.id, u.id AS o FROM a JOIN (SELECT id, bx FROM p UNION ALL SELECT id, bx FROM c UNION ALL VALUES (-1, '((3,3),(90,90))'::box)) u ON a.bx && u.bx$$, 'enable_nestloop=off');
SELECT same('Spqtree Spatial Hash Join', $$SELECT q.id, s.id AS o, s.i FROM q LEFT JOIN LATERAL (SELECT p.id, c.id AS i FROM p JOIN c ON p.bx && c.bx AND p.k = q.k) s ON s.id < 400 WHERE q.id < 50$$,
            'enable_partitionwise_join=on', 'enable_hashjoin=off', 'spqtree.enable_hashjoin=always',
            'enable_mergejoin=off');

-- Parallel plans: EXPLAIN shows each process, and the counts add up; a repeated Gather;
-- a side with far more rows than estimated.
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION processes(query text, OUT workers bool, OUT each_has_all_counts bool, OUT build int,
                          OUT candidates_add_up bool, OUT removed int)
LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
  node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, FORMAT json) ' || query INTO plan;
  node := jsonb_path_query_first(plan, 'strict $.** ? (@."Custom Plan Provider" == "Spqtree Spatial Hash Join")');
  workers := jsonb_path_exists(plan, 'strict $.** ? (@."Node Type" == "Gather")');
  SELECT bool_and(p ?& '{Process,Build Rows,Probe Rows,Batches,Memory Usage,Candidates}'),
         sum((p -> 'Build Rows')::int),
         sum((p -> 'Candidates')::int) = (node -> 'Candidates')::int
  INTO each_has_all_counts, build, candidates_add_up
  FROM jsonb_array_elements(node -> 'Join Processes') p;
  removed := (SELECT sum(v::int) FROM jsonb_each(node) e (k, v) WHERE k LIKE 'Rows Removed%');
END $$;
SELECT * FROM processes($$SELECT l.id, r.id FROM b l JOIN b r ON l.bx && r.bx$$);
SELECT *
FROM processes($$SELECT l.id, r.id FROM b l JOIN b r ON l.bx && r.bx AND (l.id + r.id) % 2 = 0 WHERE l.k = 3$$);
SELECT same('Gather', $$SELECT l.id, r.id AS o FROM b l JOIN b r ON l.bx && r.bx AND l.id + r.k > 100 AND l.cx @> r.cx[0]$$, 'enable_nestloop=off', 'enable_hashjoin=off', 'spqtree.enable_hashjoin=always');
CREATE FUNCTION lines_of_processes(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
  line text;
  found int := 0;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, COSTS off, TIMING off) ' || query LOOP
    found := found + (line ~ '^ *(Leader|Worker \d):  Build Rows: \d+  Probe Rows: \d+  Batches: \d+  Memory Usage: \d+kB  Candidates: \d+$')::int;
  END LOOP;
  RETURN found > 0;
END $$;
SELECT lines_of_processes($$SELECT l.id, r.id FROM b l JOIN b r ON l.bx && r.bx$$);

SELECT same('Gather', $$SELECT n, s.* FROM generate_series(1, 3) n LEFT JOIN LATERAL (SELECT count(*), sum(l.id + n) FROM b l JOIN b r ON l.bx && r.bx WHERE l.k < 10) s ON true$$,
            'enable_nestloop=on', 'enable_hashjoin=off', 'spqtree.enable_hashjoin=always', 'enable_indexscan=off',
            'enable_bitmapscan=off');
SELECT same('Gather', $$SELECT a.id, s.o FROM (SELECT id FROM a WHERE id < 4) a LEFT JOIN (SELECT l.id AS i, r.id AS o FROM b l JOIN b r ON l.bx && r.bx WHERE l.k < 10) s ON s.i < a.id * 5$$,
            'enable_hashjoin=off', 'spqtree.enable_hashjoin=always', 'enable_mergejoin=off', 'enable_indexscan=off',
            'enable_bitmapscan=off', 'enable_material=off');

CREATE TABLE grown WITH (parallel_workers = 2) AS SELECT i AS id, some_box(i % 1000, i / 1000) AS bx,
  repeat('x', 100) AS pad FROM generate_series(1, 6000) i;
ANALYZE grown;
SELECT same('Gather', $$SELECT b.id, grown.id AS o, length(pad) FROM b RIGHT JOIN grown ON b.bx && grown.bx WHERE grown.id % 1 = 0$$,
            'work_mem=64kB', 'hash_mem_multiplier=1', 'enable_nestloop=off', 'enable_hashjoin=off',
            'spqtree.enable_hashjoin=always');
SELECT same('Gather', $$SELECT b.id, grown.id AS o FROM b FULL JOIN grown ON b.bx ~= grown.bx AND b.id = grown.id WHERE coalesce(grown.id, 0) % 1 = 0$$,
            'work_mem=64kB', 'hash_mem_multiplier=1', 'enable_nestloop=off', 'enable_hashjoin=off',
            'spqtree.enable_hashjoin=always', 'enable_mergejoin=off');
SET max_parallel_workers_per_gather = 0;

-- A user-defined class for boxes themselves, which needs no compress method; and one
-- with PostgreSQL's own methods, whose operators do not join.
CREATE FUNCTION meets(box, box) RETURNS bool IMMUTABLE STRICT PARALLEL SAFE LANGUAGE internal AS 'box_overlap';
CREATE OPERATOR === (FUNCTION = meets, LEFTARG = box, RIGHTARG = box, COMMUTATOR = ===, RESTRICT = areasel,
                     JOIN = areajoinsel);
CREATE OPERATOR CLASS core_ops FOR TYPE box USING spgist AS OPERATOR 3 ===,
  FUNCTION 1 spg_bbox_quad_config(internal, internal), FUNCTION 2 spg_box_quad_choose(internal, internal),
    FUNCTION 3 spg_box_quad_picksplit(internal, internal),
  FUNCTION 4 spg_box_quad_inner_consistent(internal, internal),
    FUNCTION 5 spg_box_quad_leaf_consistent(internal, internal), FUNCTION 6 spg_poly_quad_compress(polygon);
SELECT same('Nested Loop', $$SELECT a.id, c.id AS o FROM a JOIN c ON a.bx === c.bx$$);
CREATE OPERATOR CLASS meet_ops FOR TYPE box USING spgist AS OPERATOR 3 ===,
  FUNCTION 1 _spqtree_box_config(internal, internal), FUNCTION 2 _spqtree_box_choose(internal, internal),
    FUNCTION 3 _spqtree_box_picksplit(internal, internal),
  FUNCTION 4 _spqtree_box_inner_consistent(internal, internal),
    FUNCTION 5 _spqtree_box_leaf_consistent(internal, internal);
SELECT same('Spqtree Spatial Hash Join', $$SELECT a.id, c.id AS o FROM a JOIN c ON a.bx === c.bx$$,
            'enable_nestloop=off');
CREATE INDEX c_bx ON c USING spgist (bx meet_ops);
SELECT same('Index Scan', $$SELECT a.id, c.id AS o FROM a JOIN c ON a.bx === c.bx$$, 'spqtree.enable_hashjoin=off',
            'enable_seqscan=off', 'enable_bitmapscan=off');

-- A sample takes no predicate locks: serializable transactions that only plan do not
-- conflict. It does not fetch polygons from TOAST tables.
CREATE TABLE shape (id int, pl polygon);
ALTER TABLE shape ALTER pl SET STORAGE EXTERNAL;
INSERT INTO shape
SELECT i, (SELECT ('(' || string_agg(format('(%s,%s)', i + sin(t * 0.01), i + cos(t * 0.01)), ',') || ')')::polygon
           FROM generate_series(1, 150 + i % 3 * 100) t)
FROM generate_series(1, 300) i;
ANALYZE shape;
BEGIN ISOLATION LEVEL SERIALIZABLE;
EXPLAIN (COSTS off) SELECT count(*) FROM shape x JOIN shape y ON x.pl && y.pl;
SELECT count(*) AS traces FROM pg_locks
WHERE mode = 'SIReadLock' AND pid = pg_backend_pid() AND relation = 'shape'::regclass;
COMMIT;
SELECT same('Spqtree Spatial Hash Join', $$SELECT x.id, y.id AS o FROM shape x JOIN shape y ON x.pl && y.pl$$,
            'enable_nestloop=off');

-- The boxes of polygons and ranges have to be made, so few probes search the index instead. The
-- node reads as many boxes that are there.
CREATE TABLE polygons AS SELECT i AS id, polygon(box(point(x, y), point(x + 0.7, y + 0.7))) AS v
FROM (SELECT i, i * 7919 % 20000 % 200 AS x, i * 7919 % 20000 / 200 AS y FROM generate_series(1, 20000) i) s;
CREATE TABLE boxes AS SELECT id, box(v) AS v FROM polygons;
CREATE TABLE spans AS SELECT i AS id, int4range(i * 7919 % 20000 * 10, i * 7919 % 20000 * 10 + 9) AS v
FROM generate_series(1, 20000) i;
CREATE INDEX ON polygons USING spqtree (v);
CREATE INDEX ON boxes USING spqtree (v);
CREATE INDEX ON spans USING spqtree (v);
CREATE TABLE probes AS SELECT id, p.v AS pl, b.v AS bx FROM polygons p JOIN boxes b USING (id) WHERE id % 66 = 0;
CREATE TABLE some_spans AS SELECT * FROM spans WHERE id % 40 = 0;
VACUUM ANALYZE polygons, boxes, spans, probes, some_spans;
SELECT kind, plan_has('Spqtree Spatial Hash Join', query, VARIADIC '{}') = 'Spqtree Spatial Hash Join' AS node,
  plan_has('Nested Loop', query, VARIADIC '{}') = 'Nested Loop' AS loop
FROM (VALUES ('boxes', $$SELECT p.id, t.id AS o FROM probes p JOIN boxes t ON p.bx && t.v$$),
             ('polygons', $$SELECT p.id, t.id AS o FROM probes p JOIN polygons t ON p.pl && t.v$$),
             ('ranges', $$SELECT p.id, t.id AS o FROM some_spans p JOIN spans t ON p.v && t.v$$)) q (kind, query);

-- A condition that costs as much as ten thousand operators, for each row that an index scan fetches: 1.4 or 0.3 on
-- average, which is not one.
CREATE FUNCTION takes_long(box, box) RETURNS bool IMMUTABLE STRICT PARALLEL SAFE COST 10000 LANGUAGE internal AS 'box_overlap';
CREATE TABLE visitor AS SELECT i AS id, box(p, p) AS b FROM generate_series(1, 5000) i, LATERAL (SELECT point(1000 * tst.rnd(4, i, 1), 1000 * tst.rnd(4, i, 2)) AS p) q;
CREATE TABLE crowd AS SELECT i AS id, box(p, p + point(12, 12)) AS large, box(p, p + point(5.5, 5.5)) AS small
FROM generate_series(1, 10000) i, LATERAL (SELECT point(1000 * tst.rnd(3, i, 1), 1000 * tst.rnd(3, i, 2)) AS p) q;
CREATE INDEX ON crowd USING spqtree (large);
CREATE INDEX ON crowd USING spqtree (small);
VACUUM ANALYZE visitor, crowd;
SELECT plan_has('Nested Loop', $$SELECT v.id, c.id AS o FROM visitor v JOIN crowd c ON v.b && c.large AND takes_long(v.b, c.large)$$, VARIADIC '{}') = 'Nested Loop' AS loop;
CREATE FUNCTION cost_of_loop(boxes text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE format('EXPLAIN (FORMAT json) SELECT FROM visitor v JOIN crowd c ON v.b && c.%I AND takes_long(v.b, c.%1$I)', boxes) INTO plan;
  RETURN CASE WHEN plan #>> '{0,Plan,Node Type}' = 'Nested Loop' THEN plan #>> '{0,Plan,Total Cost}' END;
END $$;
SET spqtree.enable_hashjoin = off; SET spqtree.enable_indexjoin = off; SET enable_bitmapscan = off;
SELECT cost_of_loop('large') > 3 * cost_of_loop('small') AS "cost of 1.4 rows";
SET enable_bitmapscan = on; SET enable_indexscan = off; SET enable_indexonlyscan = off;
SELECT cost_of_loop('large') > 3 * cost_of_loop('small') AS "by a bitmap";
-- The batch that searches an index is read, and made, before the first pair: with LIMIT, another plan may be better.
RESET enable_indexscan; RESET enable_indexonlyscan; RESET spqtree.enable_indexjoin;
SET enable_nestloop = off;
CREATE FUNCTION share_before_first_row(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN CASE WHEN plan #>> '{0,Plan,Custom Plan Provider}' = 'Spqtree Index Join'
    THEN (plan #>> '{0,Plan,Startup Cost}')::float8 / (plan #>> '{0,Plan,Total Cost}')::float8 END;
END $$;
SELECT share_before_first_row('SELECT v.id, c.id AS o FROM visitor v JOIN crowd c ON v.b && c.large') > 0.15 AS "starts late";

DROP SCHEMA node_plans CASCADE;
