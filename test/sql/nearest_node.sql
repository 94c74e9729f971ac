--
-- Nearest rows in plans against the plans without them: every type, form of query, condition and
-- number of rows, with ties, NULL, NaN, infinite values; rows in memory and in a file; what
-- the planner must not do.  SPQTREE_SEED is the seed, or 1.
--
LOAD 'spqtree';
SET jit = off;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '2min';
CREATE SCHEMA nearest_node;
SET search_path = nearest_node, public;
\set seed 1
\getenv seed SPQTREE_SEED
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::int
       ELSE coalesce(nullif(:'seed', ''), '1')::int END AS seed \gset
SELECT set_config('tst.seed', :'seed', false) \gset
DO $$ BEGIN RAISE LOG 'spqtree: nearest rows: SPQTREE_SEED=%', current_setting('tst.seed'); END $$;
CREATE FUNCTION rnd(n int, id int, k int) RETURNS float8 STABLE LANGUAGE sql
RETURN tst.rnd(n + 1000 * current_setting('tst.seed')::bigint, id, k);

-- Does a plan have the node?
CREATE FUNCTION uses(query text, name text DEFAULT 'Nearest Rows') RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line LIKE '%Custom Scan (Spqtree ' || name || ')%' THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;

-- The rows of a query, with and without the node; or what is said of it, such as an error.
CREATE FUNCTION answer(query text, nearest boolean, OUT said text, OUT rows text[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_nearest', nearest::text, true);
  IF NOT nearest THEN
    -- PostgreSQL would start workers for each row
    PERFORM set_config('max_parallel_workers_per_gather', '0', true);
  END IF;
  IF nearest AND NOT uses(query) THEN
    said := 'the plan has no nearest rows';
  ELSIF NOT nearest AND uses(query) THEN
    said := 'the plan has nearest rows';
  ELSE
    rows := tst.rows(query);
    said := CASE WHEN rows = '{}' THEN 'none' END;
  END IF;
EXCEPTION WHEN OTHERS THEN
  said := SQLERRM;
END $$;

CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN a.said IS DISTINCT FROM b.said THEN format('with nearest rows: %s, without: %s', a.said, b.said)
              ELSE coalesce(a.said, tst.differing(b.rows, a.rows), 'same') END
  FROM answer(query, true) a, answer(query, false) b;
$$;

-- Values of each type: ordinary ones, ties, NULL, NaN, infinite, huge.
CREATE FUNCTION number(n int, id int, wild boolean) RETURNS float8 STABLE LANGUAGE sql
RETURN CASE WHEN wild AND rnd(n + 1, id, 7) < 0.03
            THEN (ARRAY['Infinity', '-Infinity', 'NaN', '1e20', '-0', '1e-300',
                        '3e7'])[1 + (rnd(n, id, 8) * 6.99)::int % 7]::float8
            WHEN id % 3 = 0 THEN round((rnd(n, id, 1) * 40)::numeric)::float8 ELSE rnd(n, id, 1) * 40 END;

CREATE TABLE value AS
SELECT side, id, wild, p, box(p, point(p[0] + w, p[1] + h)) AS b, circle(p, w) AS c,
       CASE WHEN wild THEN polygon(box(point(id, id), point(id + w, id + h)))
            WHEN p IS NOT NULL THEN polygon(path(format('(%s,%s),(%s,%s),(%s,%s)', p[0], p[1], p[0] + w, p[1], p[0] + h, p[1] + w))) END AS g,
       point3(p[0], p[1], z) AS p3, CASE WHEN NOT wild THEN box3(box(p, point(p[0] + w, p[1] + h)), z, z + h) END AS b3
FROM (VALUES ('l', 40), ('r', 700)) s(side, n), unnest('{f,t}'::boolean[]) AS u(wild), generate_series(1, n) id,
     LATERAL (SELECT number(ascii(side), id, wild) AS x, number(ascii(side) + 10, id, wild) AS y,
              number(ascii(side) + 20, id, wild) AS z,
                     CASE WHEN id % 4 = 0 THEN 0 ELSE rnd(ascii(side), id, 3) * 3 END AS w,
                     CASE WHEN id % 5 = 0 THEN 0 ELSE rnd(ascii(side), id, 4) * 3 END AS h) v,
     LATERAL (SELECT CASE WHEN id % 17 = 0 THEN NULL ELSE point(x, y) END AS p) q;
CREATE TABLE o AS SELECT * FROM value WHERE side = 'l' AND NOT wild;
CREATE TABLE t AS SELECT * FROM value WHERE side = 'r' AND NOT wild;
CREATE TABLE wild_o AS SELECT * FROM value WHERE side = 'l';
CREATE TABLE wild_t AS SELECT * FROM value WHERE side = 'r';
ANALYZE o, t, wild_o, wild_t;

-- Every pair of types that has a distance, in both orders, on both kinds of tables.  The rows at
-- the same distance may be any, so places in the order and distances are compared, to the last bit.
CREATE TABLE pair (a text, b text);
INSERT INTO pair VALUES ('p', 'p'), ('b', 'p'), ('p', 'b'), ('b', 'b'), ('c', 'p'), ('p', 'c'), ('c', 'c'), ('g', 'p'),
  ('p', 'g'),
  ('g', 'c'), ('c', 'g'), ('p3', 'p3'), ('b3', 'p3'), ('p3', 'b3'), ('b3', 'b3');
SELECT a, b, same(format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM o o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT %1$s AS d FROM t t ORDER BY %1$s LIMIT 7) x) n', format('t.%s <-> o.%s', a, b))) AS "t <-> o",
       same(format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM o o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT %1$s AS d FROM t t ORDER BY %1$s LIMIT 7) x) n', format('o.%s <-> t.%s', a, b))) AS "o <-> t",
       same(format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM wild_o o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT %1$s AS d FROM wild_t t ORDER BY %1$s LIMIT 2000) x) n WHERE o.id %% 3 = 0', format('t.%s <-> o.%s', a, b))) AS wild
FROM pair;

-- Forms of queries, each with an order in which no two rows are equal.
CREATE TABLE form (name text, query text);
INSERT INTO form VALUES
('cross join', $$SELECT o.id || ' ' || n.id || ' ' || float8send(n.d) FROM o CROSS JOIN LATERAL (SELECT t.id, t.b <-> o.p AS d FROM t WHERE p IS NOT NULL ORDER BY t.b <-> o.p, t.id LIMIT 5) n$$),
('left join', $$SELECT o.id || ' ' || coalesce(n.id, -1) FROM o LEFT JOIN LATERAL (SELECT t.id FROM t WHERE t.id % 40 = o.id AND t.b <-> o.p < 9 ORDER BY t.b <-> o.p, id LIMIT 2) n ON true$$),
('left join on', $$SELECT o.id || ' ' || coalesce(n.id, -1) FROM o LEFT JOIN LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 3) n ON n.id % 3 = o.id % 3$$),
('none', $$SELECT o.id || ' ' || coalesce(n.id, -1) FROM o LEFT JOIN LATERAL (SELECT t.id FROM t WHERE t.id < 0 ORDER BY t.b <-> o.p LIMIT 3) n ON true$$),
('scalar', $$SELECT o.id || ' ' || (SELECT t.id FROM t ORDER BY t.p <-> o.p, t.id LIMIT 1) FROM o$$),
('scalar in WHERE', $$SELECT o.id::text FROM o WHERE (SELECT t.id FROM t ORDER BY t.p <-> o.p, t.id LIMIT 1) % 2 = 0$$),
('array', $$SELECT o.id || ' ' || ARRAY(SELECT t.id FROM t ORDER BY t.p <-> o.p, t.id LIMIT 4)::text FROM o$$),
('aggregate of', $$SELECT o.id || ' ' || n.a::text FROM o, LATERAL (SELECT array_agg(id) AS a FROM (SELECT t.id FROM t ORDER BY t.b <-> o.p, id LIMIT 4) x) n$$),
('exists', $$SELECT o.id::text FROM o WHERE EXISTS (SELECT FROM (SELECT t.id FROM t ORDER BY t.b <-> o.p, id LIMIT 4) n WHERE n.id % 7 = 0)$$),
('offset', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, id OFFSET 5 LIMIT 3) n$$),
('of an outer number', $$SELECT o.id || ' ' || float8send(n.d) FROM o, LATERAL (SELECT t.b <-> o.p AS d FROM t ORDER BY t.b <-> o.p LIMIT CASE WHEN o.id % 5 > 0 THEN o.id % 5 - 1 END) n$$),
('limit NULL', $$SELECT o.id || ' ' || count(*) || ' ' || sum(n.id) FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT nullif(o.id % 2, o.id % 2)) n GROUP BY o.id$$),
('two levels', $$SELECT o.id || ' ' || n.x FROM o, LATERAL (SELECT (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 1) AS x OFFSET 0) n$$),
('two of them', $$SELECT o.id || ' ' || n.id || ' ' || m.id FROM o, LATERAL (SELECT t.id, t.p FROM t ORDER BY t.b <-> o.p, t.id LIMIT 2) n, LATERAL (SELECT t.id FROM t WHERE t.id <> n.id ORDER BY t.p <-> n.p, t.id LIMIT 2) m$$),
('of the same table', $$SELECT a.id || ' ' || n.id FROM t a, LATERAL (SELECT b.id FROM t b WHERE b.id <> a.id ORDER BY b.p <-> a.p, b.id LIMIT 1) n$$),
('whole rows', $$SELECT o.id || ' ' || (n.t).id || ' ' || n.x FROM o, LATERAL (SELECT t, t.ctid::text AS x FROM t ORDER BY t.b <-> o.p, id LIMIT 2) n$$),
('an expression', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY box(t.p, t.p) <-> o.p + point(1, 1), id LIMIT 2) n$$),
('functions', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY point_distance(o.p, t.p), id LIMIT 2) n$$),
('equality', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id % 10 = o.id % 10 ORDER BY t.b <-> o.p, id LIMIT 4) n$$),
('within', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE spqtree_dwithin(t.b, o.p, 2) ORDER BY t.b <-> o.p, id LIMIT 9) n$$),
('below', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.b <-> o.p < 1.5 ORDER BY t.b <-> o.p, id LIMIT 30) n$$),
('within, of centers', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE spqtree_dwithin(o.b, t.b, 2) ORDER BY o.b <-> t.b, id LIMIT 9) n$$),
('overlapping', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.b && o.b ORDER BY t.b <-> o.p, id LIMIT 9) n$$),
('within, in space', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE spqtree_dwithin(t.b3, o.p3, 9) ORDER BY t.b3 <-> o.p3, id LIMIT 9) n$$),
('within an outer number', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.p <-> o.p <= CASE o.id % 5 WHEN 0 THEN NULL WHEN 1 THEN -1 WHEN 2 THEN 'NaN'::float8 WHEN 3 THEN 'Infinity' ELSE 3 END ORDER BY t.p <-> o.p, id LIMIT 9) n$$),
('below an outer join', $$SELECT a.id || ' ' || coalesce(o.id, -1) || ' ' || n.id FROM o a LEFT JOIN o ON o.id = a.id + 5 CROSS JOIN LATERAL (SELECT t.id FROM t ORDER BY t.p <-> o.p, t.id LIMIT 2) n$$),
('above an outer join', $$SELECT a.id || ' ' || coalesce(n.id, -1) FROM o a LEFT JOIN (o b CROSS JOIN LATERAL (SELECT t.id FROM t ORDER BY t.p <-> b.p, t.id LIMIT 2) n) ON b.id = a.id + 5$$),
('beside outer joins', $$SELECT a.id || ' ' || coalesce(b.id, -1) || ' ' || coalesce(n.id, -1) FROM o a LEFT JOIN o b ON b.id = a.id + 5 LEFT JOIN LATERAL (SELECT t.id FROM t ORDER BY t.p <-> coalesce(b.p, a.p), t.id LIMIT 2) n ON n.id > b.id LEFT JOIN o c ON c.id = b.id$$),
('reordered outer joins', $$SELECT a.id || ' ' || coalesce(b.id, -1) || ' ' || coalesce(n.id, -1) FROM o a LEFT JOIN t b ON a.id = b.id LEFT JOIN LATERAL (SELECT t.id FROM t ORDER BY t.p <-> b.p, t.id LIMIT 3) n ON n.id = b.id$$),
('nested outer joins', $$SELECT a.id || ' ' || coalesce(b.id, -1) || ' ' || coalesce(n.id, -1) FROM t a LEFT JOIN (o b LEFT JOIN LATERAL (SELECT t.id FROM t ORDER BY t.p <-> b.p, t.id LIMIT 3) n ON n.id = b.id) ON a.id = b.id$$),
('descending beside', $$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id DESC LIMIT 5) n$$);
SELECT name, same(query) FROM form;

-- The same on a table with partitions, whose columns are in other orders, and on a parent.
CREATE TABLE parted (LIKE t) PARTITION BY RANGE (id);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (100);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (100) TO (MAXVALUE) PARTITION BY RANGE (id);
CREATE TABLE parted_middle (extra text, b3 box3, p3 point3, g polygon, c circle, b box, p point, wild boolean, id int, side text);
ALTER TABLE parted_middle DROP COLUMN extra;
ALTER TABLE parted_high ATTACH PARTITION parted_middle FOR VALUES FROM (100) TO (300);
CREATE TABLE parted_rest PARTITION OF parted_high DEFAULT;
INSERT INTO parted SELECT * FROM t;
CREATE TABLE parent (LIKE t);
CREATE TABLE child (more text, LIKE t);
ALTER TABLE child INHERIT parent;
INSERT INTO parent SELECT * FROM t WHERE id % 2 = 0;
INSERT INTO child SELECT 'x', * FROM t WHERE id % 2 = 1;
ANALYZE parted, parent, child;
SELECT name, same(regexp_replace(query, 'FROM t (?=[OW])', 'FROM parted t ', 'g')) AS partitions,
       same(regexp_replace(query, 'FROM t (?=[OW])', 'FROM parent t ', 'g')) AS inheritance FROM form;
SELECT same('SELECT concat_ws('' '', o.id, n.*) FROM o, LATERAL (SELECT t.id, tableoid::regclass, t::text FROM parted t WHERE id < 200 AND t.id % 3 = o.id % 3 ORDER BY t.b <-> o.p, id LIMIT 3) n');
SELECT same('SELECT concat_ws('' '', o.id, n.*) FROM o, LATERAL (SELECT t.id, tableoid::regclass, t::text FROM parent t ORDER BY t.b <-> o.p, id LIMIT 3) n');
SELECT same('SELECT concat_ws('' '', o.id, n.id) FROM o, LATERAL (SELECT t.id FROM ONLY parent t ORDER BY t.b <-> o.p, id LIMIT 3) n');

-- The same with little memory: the rows are in a file.
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
CREATE TABLE more AS SELECT id + 700 * k AS id, kind, p + point(k * 0.01, k * 0.02) AS p,
  b + point(k * 0.01, k * 0.02) AS b, b3, repeat('x', id % 50) AS pad
FROM t, generate_series(0, 5) k, LATERAL (SELECT t.id % 3 AS kind) x;
ANALYZE more;
SELECT name, same(replace(replace(query, 'FROM t ', 'FROM more t '), 't.b3', 'NULL::box3')) AS same
FROM form
WHERE name IN ('cross join', 'scalar', 'array', 'offset', 'equality', 'within', 'below', 'an expression', 'limit NULL');
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query;
END $$;
CREATE FUNCTION lines(query text, wanted text) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT regexp_replace(regexp_replace(regexp_replace(l, '\d+ ?kB', 'NkB', 'g'), '(Candidates|Batches|Heap Fetches): [0-9.]+',
                                       '\1: N', 'g'), 'rows=(\d+)\.00', 'rows=\1')
  FROM explained(query) l WHERE l ~ wanted;
$$;
SELECT * FROM lines('SELECT o.id, n.id FROM o, LATERAL (SELECT t.id FROM more t WHERE t.id % 2 = o.id % 2 ORDER BY t.b <-> o.p LIMIT 5) n', 'Spqtree|Search|Order|Filter');
RESET work_mem;
RESET hash_mem_multiplier;

-- EXPLAIN, of rows in memory, and of few values: the ordered plan is enough.
SELECT * FROM lines('SELECT o.id, n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id > o.id ORDER BY t.b <-> o.p LIMIT 5) n', '.');
SELECT *
FROM lines('SELECT o.id, (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT 1) FROM o WHERE o.id = 3',
           'Spqtree|Searches|Order By|Sort|Scan on t|Limit');
EXPLAIN (VERBOSE, COSTS OFF) SELECT o.id, n.*
FROM o, LATERAL (SELECT t.id, t.b <-> o.p AS d, t.p <-> o.p AS e FROM t WHERE spqtree_dwithin(t.b, o.p, 5)
                 ORDER BY t.b <-> o.p LIMIT 5) n;

-- Parameters: k, and the distance.
CREATE TABLE fixed AS SELECT id, point(tst.rnd(9, id, 1) * 40, tst.rnd(9, id, 2) * 40) AS p
FROM generate_series(1, 500) id;
ANALYZE fixed;
PREPARE nearest(int, float8) AS SELECT count(*), sum(n.id)
FROM fixed o, LATERAL (SELECT t.id FROM fixed t WHERE t.p <-> o.p < $2 ORDER BY t.p <-> o.p, t.id LIMIT $1) n;
SET plan_cache_mode = force_generic_plan;
SELECT uses('EXECUTE nearest(3, 5)');
EXECUTE nearest(3, 5);
EXECUTE nearest(0, 5);
EXECUTE nearest(NULL, 1);
EXECUTE nearest(1000, 1);
EXECUTE nearest(-1, 1);
SET spqtree.enable_nearest = off;
DEALLOCATE ALL;
PREPARE nearest(int, float8) AS SELECT count(*), sum(n.id)
FROM fixed o, LATERAL (SELECT t.id FROM fixed t WHERE t.p <-> o.p < $2 ORDER BY t.p <-> o.p, t.id LIMIT $1) n;
EXECUTE nearest(3, 5);
EXECUTE nearest(0, 5);
EXECUTE nearest(NULL, 1);
EXECUTE nearest(1000, 1);
RESET plan_cache_mode;
RESET spqtree.enable_nearest;

-- An index of the reading plan, and those of the ordered one.
CREATE INDEX t_b ON t USING spqtree (b);
CREATE INDEX t_id ON t (id);
ANALYZE t;
SELECT name, same(query) FROM form WHERE name IN ('cross join', 'scalar', 'equality', 'of the same table');
SELECT * FROM lines('SELECT o.id, n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id < 200 AND t.id > o.id ORDER BY t.b <-> o.p LIMIT 5) n', 'Spqtree|Filter|Cond|Scan');
DROP INDEX t_b, t_id;

-- The leaves of an index in place of the table: an index of each type, and one with all columns.  Rows were deleted, changed and
-- added since VACUUM, some in leaves of their own, so some pages are all-visible.
CREATE FUNCTION reads_leaves(query text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('spqtree.enable_nearest', 'true', true);
  RETURN (SELECT coalesce(bool_or(substring(l FROM 'Leaves: (\d+)')::int > 0), false) FROM explained(query) l);
END $$;
CREATE TABLE ix AS SELECT * FROM t WHERE id % 5 <> 1 OR id > 600;
CREATE TABLE wild_ix AS SELECT * FROM wild_t WHERE id % 5 <> 1 OR id > 600;
CREATE INDEX ON ix USING spqtree (p);
CREATE INDEX ON ix USING spqtree (b) INCLUDE (id, p);
CREATE INDEX ON ix USING spqtree (c);
CREATE INDEX ON ix USING spqtree (g);
CREATE INDEX ON ix USING spqtree (p3) INCLUDE (p3, id);
CREATE INDEX ON ix USING spqtree (b3);
CREATE INDEX ON wild_ix USING spqtree (p) INCLUDE (id);
CREATE INDEX ON wild_ix USING spqtree (b);
CREATE INDEX ON wild_ix USING spqtree (c);
CREATE INDEX ON wild_ix USING spqtree (p3);
INSERT INTO ix SELECT * FROM t WHERE id % 5 = 1 AND id <= 600;
INSERT INTO wild_ix SELECT * FROM wild_t WHERE id % 5 = 1 AND id <= 600;
VACUUM ANALYZE ix;
VACUUM ANALYZE wild_ix;
DELETE FROM ix WHERE id % 50 = 7;
DELETE FROM wild_ix WHERE id % 50 = 7;
UPDATE ix SET p = p + point(1, 1), b = b + point(0, 1);
UPDATE wild_ix SET p = p + point(1, 1) WHERE id % 90 = 11;
SET cpu_tuple_cost = 100;
-- (the functions of the operators: no index orders rows by them)
CREATE FUNCTION by_functions(query text) RETURNS text LANGUAGE sql
RETURN regexp_replace(regexp_replace(regexp_replace(regexp_replace(query, '(\w\.p) <-> (\w\.p|coalesce\(b.p, a.p\))', 'point_distance(\1, \2)', 'g'),
  't.b <-> o.p', 'dist_bp(t.b, o.p)', 'g'), 'o.b <-> t.b', 'box_distance(o.b, t.b)', 'g'), 'FROM t (?=[OW])', 'FROM ix t ', 'g');
ALTER TABLE pair ADD function text;
UPDATE pair SET function = (SELECT oprcode FROM pg_operator WHERE oprname = '<->' AND oprleft = (SELECT atttypid FROM pg_attribute WHERE attrelid = 't'::regclass AND attname = a) AND oprright = (SELECT atttypid FROM pg_attribute WHERE attrelid = 't'::regclass AND attname = b));
SELECT a, b, reads_leaves(q) AS leaves, same(q), CASE WHEN a NOT IN ('g', 'b3') THEN reads_leaves(w) END AS wild_leaves, CASE WHEN a NOT IN ('g', 'b3') THEN same(w) END AS wild
FROM pair, LATERAL (SELECT format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM o o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT %1$s AS d FROM ix t ORDER BY %1$s LIMIT 7) x) n', format('%s(t.%s, o.%s)', function, a, b)) AS q,
  format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM wild_o o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT %1$s AS d FROM wild_ix t ORDER BY %1$s LIMIT 2000) x) n WHERE o.id %% 3 = 0', format('%s(t.%s, o.%s)', function, a, b)) AS w) s;
SELECT name, reads_leaves(q) AS leaves, same(q) FROM form, LATERAL (SELECT by_functions(query) AS q) s
WHERE name !~ 'scalar|array|exists|same table|an expression|within$|within, |overlapping';
-- with little memory, in a file
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
CREATE INDEX ON more USING spqtree (b) INCLUDE (id, p, kind);
CREATE INDEX ON more USING spqtree (p);
VACUUM ANALYZE more;
UPDATE more SET pad = '' WHERE id % 100 = 3;
SELECT name, reads_leaves(q) AS leaves, same(q)
FROM form, LATERAL (SELECT replace(by_functions(query), 'FROM ix t ', 'FROM more t ') AS q) s
WHERE name IN ('cross join', 'offset', 'equality', 'below', 'limit NULL');
SELECT bool_or(l ~ 'Disk') AS disk FROM explained('SELECT o.id, n.id FROM o, LATERAL (SELECT t.id FROM more t ORDER BY dist_bp(t.b, o.p) LIMIT 5) n') l;
RESET work_mem;
RESET hash_mem_multiplier;
-- conditions of all values, a parameter that changes, columns before the box, only rows without a box, no rows
CREATE INDEX ON ix USING spqtree (id, b);
SELECT reads_leaves(q) AS leaves, same(q)
FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM ix t WHERE t.id % 3 = 1 AND t.wild::int = o.wild::int ORDER BY point_distance(t.p, o.p), t.id LIMIT 3) n$$),
  ($$SELECT a.id || ' ' || n.x FROM (SELECT DISTINCT id % 3 AS id FROM o) a, LATERAL (SELECT sum(n.id) AS x FROM o, LATERAL (SELECT t.id FROM ix t WHERE t.id % 3 = a.id ORDER BY point_distance(t.p, o.p), t.id LIMIT 3) n) n$$),
  ($$SELECT o.id || ' ' || n.id FROM (SELECT id, CASE WHEN id % 2 = 0 THEN p END AS p FROM o OFFSET 0) o, LATERAL (SELECT t.id FROM ix t ORDER BY point_distance(t.p, o.p), t.id LIMIT 2) n$$),
  ($$SELECT concat_ws(' ', o.id, n.*) FROM o, LATERAL (SELECT t.ctid, t.tableoid::regclass, t FROM ix t ORDER BY dist_bp(t.b, o.p), t.id LIMIT 2) n$$)) v(q);
CREATE TABLE empty_ix AS SELECT * FROM ix WHERE p IS NULL;
CREATE INDEX ON empty_ix USING spqtree (b) INCLUDE (id);
SELECT reads_leaves(q) AS leaves, same(q) FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM empty_ix t ORDER BY dist_bp(t.b, o.p), t.id LIMIT 2) n$$)) v(q);
DELETE FROM empty_ix;
SELECT reads_leaves(q) AS leaves, same(q) FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM empty_ix t ORDER BY dist_bp(t.b, o.p), t.id LIMIT 2) n$$)) v(q);
-- a partial index has not all rows, and a setting disables it
CREATE TABLE partial_ix AS TABLE ix;
CREATE INDEX ON partial_ix USING spqtree (b) WHERE id > 100;
ANALYZE partial_ix;
SELECT reads_leaves(q) AS leaves, same(q) FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM partial_ix t ORDER BY dist_bp(t.b, o.p), t.id LIMIT 2) n$$)) v(q);
SET spqtree.enable_indexjoin = off;
SELECT reads_leaves(by_functions(query)) AS leaves FROM form WHERE name = 'cross join';
RESET spqtree.enable_indexjoin;
SELECT * FROM lines('SELECT o.id, n.id FROM o, LATERAL (SELECT t.id FROM ix t WHERE t.id > o.id ORDER BY dist_bp(t.b, o.p) LIMIT 5) n', 'Spqtree|Filter|Cond|Scan|Leaves|Candidates');
RESET cpu_tuple_cost;

-- Found by tests of others.  A bitmap scan of the reading plan begins again for other parameters
-- and ends after the rows are forgotten.
CREATE INDEX t_kind ON t ((id % 3));
ANALYZE t;
SET enable_seqscan = off;
SELECT same(query), (SELECT count(*) FROM lines(query, 'Bitmap Heap Scan') l WHERE l LIKE '%rows%') AS scans
FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id % 3 = 1 AND t.wild::int = o.wild::int ORDER BY t.p <-> o.p, t.id LIMIT 3) n$$)) v(query);
RESET enable_seqscan;
SELECT same($$SELECT a.id || ' ' || n.x FROM (SELECT DISTINCT id % 3 AS id FROM o) a, LATERAL (SELECT sum(n.id) AS x FROM o, LATERAL (SELECT t.id FROM t WHERE t.id % 3 = a.id ORDER BY t.p <-> o.p, t.id LIMIT 3) n) n$$);
DROP INDEX t_kind;

-- Without a distance, rows may still satisfy a condition on another value.
SELECT same($$SELECT o.id || ' ' || n.id FROM (SELECT id, CASE WHEN id % 2 = 0 THEN p END AS p, p AS q FROM o OFFSET 0) o, LATERAL (SELECT t.id FROM t WHERE spqtree_dwithin(t.p, o.q, 5) ORDER BY t.p <-> o.p, t.id LIMIT 2) n$$);
-- The planner drops a distance from the order if a condition makes it constant.
CREATE TABLE grid AS SELECT 1000 - i AS id, point(i % 20, i / 20) AS p FROM generate_series(1, 400) i;
ANALYZE grid;
SELECT said, cardinality((answer(q, false)).rows) AS off FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT g.id FROM grid g WHERE g.p <-> o.p = 2 ORDER BY g.p <-> o.p, g.id LIMIT 2) n$$)) v(q), answer(q, true);
-- Volatile functions are evaluated as often as they would be.
CREATE SEQUENCE number_of_calls;
SELECT said FROM (VALUES ($$SELECT n.id || ' ' || n.v FROM o, LATERAL (SELECT t.id, nextval('number_of_calls') AS v FROM t ORDER BY t.b <-> o.p, t.id LIMIT 3) n$$),
  ($$SELECT n.id || '' FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT 1 + nextval('number_of_calls') % 3) n$$)) v(q), answer(q, true);
SELECT count(*), max(n.v) - min(n.v) + 1 AS calls
FROM o, LATERAL (SELECT t.id, nextval('number_of_calls') AS v FROM t ORDER BY t.b <-> o.p LIMIT 3) n;
-- No error for a row that the filter rejects, nor for a window that no row needs.
UPDATE grid SET id = -1, p = point(-1.7e308, 0) WHERE id = 999;
CREATE TABLE far_o AS SELECT i AS id, point(1.7e308, 0) AS p, circle(point(1.7e308, 0), 1) AS c, i - 3 AS k
FROM generate_series(1, 5) i;
-- (19 raises no error for the sum of squares that is too large)
SELECT replace(same(q), 'value out of range: overflow', 'same') AS same FROM (VALUES ($$SELECT o.id || ' ' || n.id || ' ' || n.d FROM far_o o, LATERAL (SELECT g.id, g.p <-> o.p AS d FROM grid g WHERE g.id > o.id ORDER BY g.p <-> o.p, g.id LIMIT 300) n$$),
  ($$SELECT o.id || ' ' || n.id || ' ' || n.d FROM far_o o, LATERAL (SELECT g.id, g.p <-> o.c AS d FROM grid g WHERE g.id > o.id ORDER BY g.p <-> o.c, g.id LIMIT 300) n$$),
  ($$SELECT o.id || ' ' || n.id || ' ' || n.d FROM far_o o, LATERAL (SELECT g.id, g.p <-> o.p AS d FROM grid g WHERE g.id > o.id AND g.p <-> o.p < 1e308 ORDER BY g.p <-> o.p, g.id LIMIT 300) n$$),
  ($$SELECT o.id || ' ' || n.id || ' ' || n.d FROM far_o o, LATERAL (SELECT g.id, g.p <-> o.p AS d FROM grid g ORDER BY g.p <-> o.p, g.id LIMIT 400) n$$),
  ($$SELECT o.id || ' ' || n.id FROM far_o o, LATERAL (SELECT g.id FROM grid g WHERE g.id < -5 AND spqtree_dwithin(g.p, o.p, 1 / o.k) ORDER BY g.p <-> o.p LIMIT 3) n$$),
  ($$SELECT o.id || ' ' || n.id FROM far_o o, LATERAL (SELECT g.id FROM grid g WHERE g.id + 5 < o.id - 20 AND spqtree_dwithin(g.p, o.p, 1 / o.k) ORDER BY g.p <-> o.p LIMIT 3) n$$)) v(q);
-- Nor for a value that no row needs: of the other table, or of a row.
SELECT same(q) FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM far_o o, LATERAL (SELECT g.id FROM grid g WHERE g.id < -5 ORDER BY g.p <-> point(1 / o.k, 0) LIMIT 3) n$$)) v(q);
-- a condition that fails for a row that another one leaves out for each value
SELECT same($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id % 40 <> o.id * 0 AND 1 / (t.id - 40) < 5 ORDER BY t.p <-> o.p, t.id LIMIT 3) n$$);
SELECT uses(q) FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM far_o o, LATERAL (SELECT g.id FROM grid g WHERE g.id < o.k ORDER BY g.p <-> point(1 / o.k, 0) LIMIT 3) n$$),
  ($$SELECT o.id || ' ' || n.id FROM far_o o, LATERAL (SELECT g.id FROM grid g WHERE g.id > o.k ORDER BY point(1 / g.id, 0) <-> o.p LIMIT 3) n$$)) v(q);
-- Values as near to each other as the tolerance of the operators.
CREATE TABLE tiny AS SELECT i AS id, point(i % 20 * 4e-7, i / 20 * 4e-7) AS p,
  box(point(i % 20 * 4e-7, i / 20 * 4e-7), point((i % 20 + i % 3) * 4e-7, (i / 20 + i % 4) * 4e-7)) AS b
FROM generate_series(0, 399) i;
ANALYZE tiny;
SELECT a, b, same(format('SELECT concat_ws('' '', o.id, n.nr, float8send(n.d)) FROM tiny o, LATERAL (SELECT d, row_number() OVER () AS nr FROM (SELECT t.%1$s <-> o.%2$s AS d FROM tiny t ORDER BY t.%1$s <-> o.%2$s LIMIT 5) x) n', a, b))
FROM (VALUES ('b', 'p'), ('p', 'b'), ('b', 'b'), ('p', 'p')) v(a, b);
-- A box with its corners swapped.
CREATE TABLE swapped AS SELECT i AS id, box(circle(point(i * 1e-6, 0), -4e-7)) AS b FROM generate_series(1, 200) i;
ANALYZE swapped;
SELECT same($$SELECT s.id || ' ' || n.id || ' ' || float8send(n.d) FROM swapped s, LATERAL (SELECT t.id, t.b <-> point(s.id * 1e-6, 1e-6) AS d FROM swapped t ORDER BY t.b <-> point(s.id * 1e-6, 1e-6), t.id LIMIT 4) n$$);
-- A subquery whose value is that of a query that is run once is run once itself.
SELECT uses('SELECT * FROM (SELECT t.id FROM t ORDER BY t.p <-> (SELECT p FROM o WHERE id = 3) LIMIT 3) s');
SELECT same($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE t.id % 5 = (SELECT max(id) % 5 FROM o) ORDER BY t.p <-> o.p, t.id LIMIT 3) n$$);
SET enable_incremental_sort = off;
SELECT uses(query), count(*) FROM form WHERE name IN ('cross join', 'scalar') GROUP BY 1;
RESET enable_incremental_sort;
-- Long rows take no more memory than others.
CREATE TABLE long_row (id int, p point, pad text);
ALTER TABLE long_row ALTER pad SET STORAGE EXTERNAL;
INSERT INTO long_row SELECT g.id, g.p, repeat(md5(g.id::text), 3000) FROM grid g;
ANALYZE long_row;
SET work_mem = '1MB';
SET hash_mem_multiplier = 1;
SELECT same($$SELECT o.id || ' ' || n.id || md5(n.pad) FROM o, LATERAL (SELECT l.id, l.pad || 'y' AS pad FROM long_row l ORDER BY l.p <-> o.p, l.id LIMIT 2) n$$);
SELECT max(substring(l FROM 'Memory Usage: (\d+)')::int) < 2000 AS little, bool_or(l ~ 'Disk') AS disk
FROM (SELECT l FROM explained('SELECT o.id, n.id FROM o, LATERAL (SELECT l::text AS id FROM long_row l ORDER BY l.p <-> o.p LIMIT 2) n') l) e WHERE l ~ 'Searches: ';
RESET work_mem;
RESET hash_mem_multiplier;

-- Workers may read the outer rows.  PostgreSQL does not run a subquery for a row in a worker.
CREATE TABLE many_o AS SELECT id, point(tst.rnd(5, id, 1) * 40, tst.rnd(5, id, 2) * 40) AS p
FROM generate_series(1, 1000) id;
ANALYZE many_o;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT uses(q, 'Curve Order') AS curve, same(q)
FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM many_o o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 3) n$$)) v(q);
SELECT same('SELECT o.id || '' '' || (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 1) FROM many_o o');
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- LIMIT and OFFSET of an outer row, with further keys: PostgreSQL's incremental sort may fail if they
-- change between rescans, so no plan with it is offered.
SELECT uses(q), tst.differing((answer(q, false)).rows, tst.rows(q))
FROM (VALUES ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 1 + o.id % 3) n$$),
             ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT 4 OFFSET o.id % 3) n$$),
             ($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT (SELECT 1 + o.id % 3)) n$$)) v(q);

-- Conditions of the value are evaluated in the order of their cost, as in other plans.
CREATE FUNCTION inverse(int) RETURNS int LANGUAGE plpgsql IMMUTABLE COST 10000 AS $$ BEGIN RETURN 1 / $1; END $$;
SELECT same($$SELECT o.id || ' ' || n.id FROM o, LATERAL (SELECT t.id FROM t WHERE inverse(t.id - o.id) < 2 AND t.id % 100 <> o.id % 100 ORDER BY t.p <-> o.p, t.id LIMIT 3) n$$);

-- Rows that the user must not see are not seen, and not passed to a function.
CREATE FUNCTION told(point) RETURNS point
LANGUAGE plpgsql IMMUTABLE COST 0.01 AS $$ BEGIN RAISE NOTICE 'saw %', $1; RETURN $1; END $$;
CREATE TABLE secret (id int, owner name, p point);
INSERT INTO secret VALUES (1, 'regress_nearest', point(1, 1)), (2, 'another', point(2, 2)),
  (3, 'regress_nearest', point(3, 3));
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE ROLE regress_nearest;
CREATE POLICY mine ON secret USING (owner = current_user);
GRANT USAGE ON SCHEMA nearest_node TO regress_nearest;
GRANT SELECT ON ALL TABLES IN SCHEMA nearest_node TO regress_nearest;
SET ROLE regress_nearest;
SET client_min_messages = notice;
SELECT uses($$SELECT o.id, n.id FROM o, LATERAL (SELECT s.id FROM secret s ORDER BY told(s.p) <-> o.p LIMIT 3) n$$);
SELECT o.id, n.id FROM o, LATERAL (SELECT s.id FROM secret s ORDER BY told(s.p) <-> o.p LIMIT 3) n WHERE o.id = 2 ORDER BY n.id;
SELECT uses($$SELECT o.id, n.id FROM o, LATERAL (SELECT s.id FROM secret s WHERE told(s.p) <-> o.p < 99 ORDER BY s.p <-> o.p LIMIT 3) n$$);
SET client_min_messages = warning;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION dist_bp FROM PUBLIC;
SET ROLE regress_nearest;
SELECT count(*) FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT 3) n;
RESET ROLE;
GRANT EXECUTE ON FUNCTION dist_bp TO PUBLIC;

-- Outer rows of subqueries that are pulled up, whose size is not known yet when the subquery with
-- the order is planned: plans cost what those of the table do.
CREATE FUNCTION cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
  RETURN plan->0->'Plan'->>'Total Cost';
END $$;
CREATE TABLE lots_o AS SELECT i AS id, point(i % 100, i / 100) AS p FROM generate_series(1, 5000) i;
CREATE TABLE part_o (id int, p point) PARTITION BY RANGE (id);
CREATE TABLE part_o1 PARTITION OF part_o FOR VALUES FROM (0) TO (1000);
CREATE TABLE part_o2 PARTITION OF part_o FOR VALUES FROM (1000) TO (6000);
INSERT INTO part_o SELECT * FROM lots_o;
CREATE TABLE heir_o () INHERITS (o);
INSERT INTO heir_o (id, p) SELECT * FROM lots_o;
CREATE VIEW seen_o AS SELECT * FROM lots_o;
ANALYZE;
SELECT outer_rows, uses(q, 'Curve Order') AS curve, cost(q) < 1.5 * cost(replace(q, outer_rows, plain)) AS cheap
FROM (VALUES ('(SELECT * FROM lots_o)', 'lots_o'), ('seen_o', 'lots_o'), ('(SELECT * FROM part_o)', 'part_o'),
      ('(SELECT id, p FROM o)', 'o'),
  ('(SELECT * FROM lots_o UNION ALL SELECT id, p FROM o)',
   '(SELECT * FROM lots_o UNION ALL SELECT id, p FROM o OFFSET 0)')) v(outer_rows, plain),
  LATERAL (SELECT 'SELECT * FROM ' || outer_rows || ' x, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> x.p LIMIT 3) n' AS q) s;
DROP TABLE heir_o;

-- Leaves or the table: candidates that a filter rejects cost, also those in the index; a further sort key does not hide that
-- leaves are cheaper.
CREATE TABLE much AS SELECT i AS id, i % 200 AS tenant, box(point(x, y), point(x + 1, y + 1)) AS b
FROM generate_series(1, 50000) i, LATERAL (SELECT 1000 * tst.rnd(7, i, 1) AS x, 1000 * tst.rnd(7, i, 2) AS y) v;
CREATE INDEX much_b ON much USING spqtree (b) INCLUDE (id, tenant);
VACUUM ANALYZE much;
SELECT q AS query, reads_leaves('SELECT o.id, n.id FROM lots_o o, LATERAL (' || q || ') n') AS leaves FROM (VALUES
('SELECT t.id FROM much t ORDER BY t.b <-> o.p LIMIT 3'),
('SELECT t.id FROM much t WHERE t.tenant = 7 ORDER BY t.b <-> o.p LIMIT 3'),
('SELECT t.id FROM much t ORDER BY t.b <-> o.p, t.id LIMIT 3')) v(q);

-- What does not qualify: no other table, no limit, ties, locks, samples, volatile or descending
-- orders, only the parent of partitions.
SELECT query, uses(query) FROM (VALUES
('SELECT t.id FROM t ORDER BY t.b <-> point(1, 1) LIMIT 3'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p OFFSET 0) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT NULL) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p FETCH FIRST 3 ROWS WITH TIES) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT 3 FOR UPDATE) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t TABLESAMPLE SYSTEM (50) ORDER BY t.b <-> o.p LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p DESC LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p NULLS FIRST LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p + point(random(), 0) LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.id, t.b <-> o.p LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id LIMIT o.id) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p, t.id OFFSET o.id LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT t.id FROM ONLY parted t ORDER BY t.b <-> o.p LIMIT 3) n'),
('SELECT * FROM o, LATERAL (SELECT DISTINCT t.b <-> o.p FROM t ORDER BY t.b <-> o.p LIMIT 3) n')) v(query);
SET spqtree.enable = off;
SELECT uses('SELECT * FROM o, LATERAL (SELECT t.id FROM t ORDER BY t.b <-> o.p LIMIT 3) n');
RESET spqtree.enable;

REVOKE ALL ON ALL TABLES IN SCHEMA nearest_node FROM regress_nearest;
REVOKE ALL ON SCHEMA nearest_node FROM regress_nearest;
DROP SCHEMA nearest_node CASCADE;
DROP ROLE regress_nearest;
