--
-- Joins by an OR, or by ANY of several values, of which each arm is a join of its own: the same rows as a nested
-- loop returns, each the same number of times; and what the planner must not divide. SPQTREE_SEED is the seed, or 1.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_arms;
SET search_path = node_arms, public;
\set seed 1
\getenv seed SPQTREE_SEED
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::int
       ELSE coalesce(nullif(:'seed', ''), '1')::int END AS seed \gset
SELECT set_config('tst.seed', :'seed', false) \gset
DO $$ BEGIN RAISE LOG 'spqtree: joins by arms: SPQTREE_SEED=%', current_setting('tst.seed'); END $$;
CREATE FUNCTION rnd(i int, k int) RETURNS float8 STABLE LANGUAGE sql RETURN tst.rnd(current_setting('tst.seed')::bigint, i, k);
-- Some values are NULL, some boxes have a NaN or are infinite, and values repeat.
CREATE FUNCTION made(n int, first int) RETURNS TABLE (id int, kind int, b box, c box, p point, r int4range, lo int, hi int, o circle)
STABLE LANGUAGE sql AS $$
  SELECT i, i % 3, CASE WHEN rnd(i, 1) < 0.1 THEN NULL WHEN rnd(i, 1) < 0.13 THEN '(NaN,1),(1,0)' WHEN rnd(i, 1) < 0.15 THEN '(Infinity,3),(1,2)'
              ELSE box(point(floor(30 * rnd(i, 2)), 30 * rnd(i, 3)), point(30 * rnd(i, 2) + 1, 30 * rnd(i, 3) + 2 * rnd(i, 4))) END,
         CASE WHEN rnd(i, 5) < 0.1 THEN NULL ELSE box(point(30 * rnd(i, 6), floor(30 * rnd(i, 7))), point(30 * rnd(i, 6) + 1, 30 * rnd(i, 7) + 1)) END,
         CASE WHEN rnd(i, 8) < 0.1 THEN NULL ELSE point(30 * rnd(i, 9), 30 * rnd(i, 10)) END,
         CASE WHEN rnd(i, 11) < 0.1 THEN NULL WHEN rnd(i, 11) < 0.2 THEN 'empty' ELSE int4range((300 * rnd(i, 12))::int, (300 * rnd(i, 12) + 9 * rnd(i, 13))::int, '[]') END,
         CASE WHEN rnd(i, 14) > 0.1 THEN (300 * rnd(i, 15))::int END, CASE WHEN rnd(i, 16) > 0.1 THEN (300 * rnd(i, 15) + 9)::int END,
         circle(point(30 * rnd(i, 17), 30 * rnd(i, 18)), rnd(i, 19))
  FROM generate_series(first, first + n - 1) i
$$;
CREATE TABLE a AS SELECT * FROM made(300, 1);
CREATE TABLE b AS SELECT * FROM made(300, 1001);
CREATE DOMAIN place AS box;
CREATE TABLE in_domain AS SELECT id, b::place AS b, c::place AS c FROM b;
ANALYZE a, b, in_domain;

SELECT form, c.rows > 0 AS some, c.same
FROM unnest(ARRAY['a.b && b.b OR a.c && b.c', '(a.b && b.b AND a.kind = b.kind) OR a.c && b.c', 'a.b && b.b OR (a.c && b.c AND a.id < b.id - 1000)',
  'a.b @> b.p OR a.p <@ b.b OR a.c && b.c', 'a.b && ANY (ARRAY[b.b, b.c])', 'a.b && ANY (ARRAY[b.b, b.c]) OR a.p <@ b.b', 'a.p <@ ANY (ARRAY[b.b, b.c])', 'b.b && ANY (ARRAY[a.b, a.c, box(a.p, a.p)])',
  'a.r && b.r OR a.b && b.b', 'a.r && b.r OR (a.lo <= b.hi AND b.lo <= a.hi)', 'spqtree_dwithin(a.p, b.p, 0.5) OR a.b && b.c OR a.o && b.o',
  'a.b && b.b OR a.b && b.b', 'a.kind = b.kind AND (a.b && b.b OR a.c && b.c)', '(a.b && b.b OR a.c && b.c) AND (a.p <-> b.p < 20 OR a.kind = 0)',
  'a.b ~= b.b OR a.c ~= b.c OR a.p <-> b.p < 0.3', 'a.r @> b.lo OR a.r @> b.hi OR b.r @> a.lo OR b.r @> a.hi']) WITH ORDINALITY q (form, n),
  tst.compared('SELECT a.id, b.id AS other, a.b FROM a JOIN b ON ' || form) c ORDER BY n;
-- filters, columns of all kinds, other joins around it, subqueries
SELECT c.rows > 0 AS some, c.same FROM unnest(ARRAY[
  'SELECT x, y FROM a x JOIN b y ON x.b && y.b OR x.c && y.c WHERE x.kind = 1 AND y.id % 2 = 0',
  'SELECT a.kind, count(*), sum(b.id) FROM a JOIN b ON a.b && b.b OR a.c && b.c GROUP BY a.kind',
  'SELECT a.id, b.id AS two, c.id AS three FROM a JOIN b ON a.b && b.b OR a.c && b.c JOIN a c ON c.kind = a.kind AND c.b && b.b',
  'SELECT a.id, c.id AS two FROM a JOIN b ON a.b && b.b OR a.c && b.c LEFT JOIN b c ON c.b && a.c',
  'SELECT a.id, b.id AS two FROM (SELECT * FROM a WHERE kind < 2) a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id > (SELECT min(id) + 3 FROM a)',
  'SELECT a.id, b.id AS two FROM a JOIN in_domain b ON a.b && ANY (ARRAY[b.b, b.c])',
  'SELECT a.id, b.id AS two FROM a, b WHERE (a.b && b.b OR a.c && b.c) AND EXISTS (SELECT FROM b c WHERE c.id = b.id AND c.kind <> a.kind)',
  'SELECT a.id, b.id AS two FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id - 1000 FROM b WHERE kind = 1) AND b.id > (SELECT 1000 + min(c.id) FROM a c WHERE c.kind = b.kind)',
  'SELECT a.id, b.id AS two FROM a JOIN b ON (a.b && b.b OR a.c && b.c) AND (a.kind = b.kind OR b.id NOT IN (SELECT c.id FROM b c WHERE c.kind > a.kind))']) query,
  tst.compared(query) c;

-- The condition is divided, or not
CREATE FUNCTION arms(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE line text; found int := 0;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    found := found + (line ~ 'Custom Scan \(Spqtree')::int;
  END LOOP;
  RETURN found;
END $$;
CREATE FUNCTION changes() RETURNS int VOLATILE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE VIEW changing AS SELECT * FROM b WHERE id > changes() OFFSET 0;
SELECT query, arms(query) FROM unnest(ARRAY[
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c', 'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c OR a.p <@ b.b OR a.p <@ b.c',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c OR a.p <@ b.b OR a.p <@ b.c OR a.c && b.b', 'SELECT FROM a JOIN b ON a.b && b.b OR a.kind = b.kind', 'SELECT FROM a JOIN in_domain b ON a.b && ANY (ARRAY[b.b, b.c])', 'SELECT FROM a JOIN b ON a.b && ANY (ARRAY[b.b, b.c]) OR a.p <@ b.b',
  'SELECT FROM a LEFT JOIN b ON a.b && b.b OR a.c && b.c', 'SELECT FROM a WHERE EXISTS (SELECT FROM b WHERE a.b && b.b OR a.c && b.c)',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c FOR UPDATE OF a', 'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id > random()',
  'SELECT FROM a JOIN b ON (a.b && b.b OR a.c && b.c) AND a.id > changes()', 'SELECT FROM a TABLESAMPLE SYSTEM (50) JOIN b ON a.b && b.b OR a.c && b.c',
  'UPDATE a SET kind = 1 FROM b WHERE a.b && b.b OR a.c && b.c', 'DELETE FROM a USING b WHERE a.b && b.b OR a.c && b.c',
  'SELECT FROM (SELECT * FROM a OFFSET 0) a JOIN b ON a.b && b.b OR a.c && b.c',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id + 1 FROM b)',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id <> (SELECT changes() - a.id)',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id + 1 FROM b c WHERE id <> (SELECT changes() - c.id))',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id + 1 FROM b c WHERE id NOT IN (SELECT id FROM b TABLESAMPLE SYSTEM (50)))',
  'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id + 1 FROM changing)', 'SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c WHERE a.id NOT IN (SELECT id FROM b FOR UPDATE)',
  'SELECT FROM a JOIN b ON (a.b && b.b OR a.c && b.c) AND a.kind NOT IN (SELECT c.kind FROM b c WHERE c.id = b.id)']) query;
-- a program may write other rows when it runs again
CREATE TABLE files (LIKE a) PARTITION BY LIST (kind);
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS file_fdw SCHEMA node_arms;
  CREATE SERVER arms FOREIGN DATA WRAPPER file_fdw;
  CREATE FOREIGN TABLE files_0 PARTITION OF files DEFAULT SERVER arms OPTIONS (program 'true');
EXCEPTION WHEN undefined_file OR feature_not_supported THEN
END $$;
SELECT arms('SELECT FROM files a JOIN b ON a.b && b.b OR a.c && b.c') AS "of foreign partitions", arms('SELECT FROM a JOIN b ON (a.b && b.b OR a.c && b.c) AND a.id NOT IN (SELECT id FROM files)') AS "in a subquery";
SET spqtree.enable_hashjoin = off; SET spqtree.enable_indexjoin = off;
SELECT arms('SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c') AS "switched off";
RESET spqtree.enable_hashjoin; RESET spqtree.enable_indexjoin;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM a JOIN b ON a.b && b.b OR (a.c && b.c AND a.kind = b.kind);

-- indexes, partitions, a cursor, parameters, workers, estimates
CREATE TABLE parted (LIKE a) PARTITION BY LIST (kind);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 (x text, LIKE a);
ALTER TABLE parted_1 DROP x;
ALTER TABLE parted ATTACH PARTITION parted_1 FOR VALUES IN (1, 2);
INSERT INTO parted SELECT * FROM a;
CREATE TABLE parted_too (LIKE a) PARTITION BY LIST (kind);
CREATE TABLE parted_too_0 PARTITION OF parted_too FOR VALUES IN (0);
CREATE TABLE parted_too_1 PARTITION OF parted_too FOR VALUES IN (1, 2);
INSERT INTO parted_too SELECT * FROM b;
CREATE INDEX ON parted USING spqtree (b);
CREATE INDEX ON parted USING spqtree (c);
CREATE INDEX ON b USING spqtree (b);
CREATE INDEX ON b USING spqtree (c);
ANALYZE parted, parted_too, b;
SELECT c.rows > 0 AS some, c.same FROM unnest('{off,on}'::text[]) together, set_config('enable_partitionwise_join', together, false), unnest(ARRAY[
  'SELECT a.id, b.id AS two, a.tableoid::regclass FROM parted a JOIN b ON a.b && b.b OR a.c && b.c',
  'SELECT a.id, b.id AS two FROM parted a JOIN parted_too b ON a.kind = b.kind AND (a.b && b.b OR a.c && b.c)']) query, tst.compared(query) c;
RESET enable_partitionwise_join;
CREATE FUNCTION counted_again() RETURNS int LANGUAGE plpgsql AS $$
DECLARE pairs SCROLL CURSOR FOR SELECT a.id, b.id FROM a JOIN b ON a.b && b.b OR a.c && b.c; n int := 0;
BEGIN
  OPEN pairs;
  MOVE FORWARD 700 IN pairs;
  MOVE ABSOLUTE 0 IN pairs;
  LOOP
    MOVE NEXT IN pairs;
    EXIT WHEN NOT FOUND;
    n := n + 1;
  END LOOP;
  RETURN n;
END $$;
SELECT counted_again() = count(*) AS same, count(*) > 700 AS many FROM a JOIN b ON a.b && b.b OR a.c && b.c;
PREPARE within(float8, int) AS SELECT count(*) FROM a JOIN b ON spqtree_dwithin(a.p, b.p, $1) OR (a.b && b.b AND a.id < $2);
CREATE TABLE by_loop AS SELECT d, (SELECT count(*) FROM a JOIN b ON spqtree_dwithin(a.p, b.p, d) OR (a.b && b.b AND a.id < d * 100)) FROM unnest('{0,1,3}'::float8[]) d;
SET plan_cache_mode = force_generic_plan;
CREATE TABLE by_plan (d float8, count int8);
DO $$ DECLARE d float8; n int8; BEGIN
  FOREACH d IN ARRAY '{0,1,3}'::float8[] LOOP
    EXECUTE format('EXECUTE within(%s, %s)', d, d * 100) INTO n;
    INSERT INTO by_plan VALUES (d, n);
  END LOOP;
END $$;
SELECT count(*) AS "wrong counts" FROM (TABLE by_loop EXCEPT TABLE by_plan) q;
RESET plan_cache_mode;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
SELECT c.rows > 0 AS some, c.same FROM tst.compared('SELECT a.id, b.id AS two FROM a JOIN b ON a.b && b.b OR a.c && b.c') c;
SET max_parallel_workers_per_gather = 0;

-- row security: conditions of a policy come first, and rows that it hides stay hidden
CREATE ROLE regress_spqtree_arms;
GRANT USAGE ON SCHEMA node_arms TO regress_spqtree_arms;
GRANT SELECT ON a, b TO regress_spqtree_arms;
CREATE POLICY of_kind ON a USING (kind = 1);
ALTER TABLE a ENABLE ROW LEVEL SECURITY;
CREATE TABLE truth AS SELECT count(*) FROM a JOIN b ON (a.b && b.b OR a.c && b.c) WHERE a.kind = 1;
GRANT SELECT ON truth TO regress_spqtree_arms;
SET ROLE regress_spqtree_arms;
SELECT count(*) = (SELECT count FROM truth) AS same, count(*) > 0 AS some FROM a JOIN b ON a.b && b.b OR a.c && b.c;
RESET ROLE;
-- a policy that searches a table
CREATE TABLE kinds AS SELECT 1 AS kind;
ALTER POLICY of_kind ON a USING (kind IN (SELECT kind FROM kinds));
GRANT SELECT ON kinds TO regress_spqtree_arms;
GRANT EXECUTE ON FUNCTION arms TO regress_spqtree_arms;
SET ROLE regress_spqtree_arms;
SELECT count(*) = (SELECT count FROM truth) AS same, arms('SELECT FROM a JOIN b ON a.b && b.b OR a.c && b.c') FROM a JOIN b ON a.b && b.b OR a.c && b.c;
RESET ROLE;

-- how many rows are expected
CREATE TABLE many AS SELECT i AS id, i % 5 AS kind, box(p, p + point(1, 1)) AS b, box(q, q + point(2, 2)) AS c
FROM generate_series(1, 20000) i, LATERAL (SELECT point(300 * rnd(i, 1), 300 * rnd(i, 2)) AS p, point(300 * rnd(i, 3), 300 * rnd(i, 4)) AS q) s;
CREATE TABLE more AS SELECT id, kind, c AS b, b AS c FROM many WHERE id % 2 = 0;
ANALYZE many, more;
CREATE FUNCTION off(condition text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE plan json; truth float8;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT FROM many a JOIN more b ON ' || condition INTO plan;
  truth := plan -> 0 -> 'Plan' ->> 'Actual Rows';
  RETURN (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 BETWEEN truth / 3 AND truth * 3;
END $$;
SELECT condition, off(condition) AS "within three times" FROM unnest(ARRAY['a.b && b.b OR a.c && b.c', 'a.b && b.b OR (a.c && b.c AND a.kind = b.kind)', 'a.b && ANY (ARRAY[b.b, b.c])', 'a.b && ANY (ARRAY[b.b, b.c]) OR a.c && b.c']) condition;

DROP SCHEMA node_arms CASCADE;
DROP ROLE regress_spqtree_arms;
