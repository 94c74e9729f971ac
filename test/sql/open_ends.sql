--
-- Joins by intervals whose ends are open where they are NULL: "x < hi OR hi IS NULL".  Random
-- conditions on random rows, by the node and by PostgreSQL's own joins.
-- SPQTREE_SEED sets another seed than 1, or a new one with "time"; SPQTREE_JOINS their number.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
\set seed 1
\getenv seed SPQTREE_SEED
\set joins 9
\getenv joins SPQTREE_JOINS
CREATE SCHEMA open_ends;
SET search_path = open_ends, public;
SET TimeZone = 'UTC';
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed,
       coalesce(nullif(:'joins', ''), '21')::int AS joins;
DO $$ BEGIN RAISE LOG 'spqtree: open ends with seed %', (SELECT seed FROM setup); END $$;

-- Values of each type: some that touch, and those at the ends of the type and of float8.
CREATE DOMAIN small AS int CHECK (VALUE > -1000);
CREATE TABLE kind (nr serial, type text, vals text[]);
INSERT INTO kind (type, vals) VALUES
  ('int4', '{1,2,3,4,5,7,9,12,15,20,-2147483648,2147483647}'),
  ('small', '{1,2,3,4,5,7,9,12,15,20}'),
  ('int8', '{1,2,3,9007199254740992,9007199254740993,9007199254740994,-9223372036854775808,9223372036854775807}'),
  ('numeric', '{1,1.0000000000000000001,2,3,4,1e-400,1e400,-1e400,1e308,NaN,Infinity,-Infinity}'),
  ('float8', '{0,-0,1,1.0000000000000002,2,3,4,1e-320,1.7e308,-1.7e308,NaN,Infinity,-Infinity}'),
  ('date', '{2026-01-01,2026-01-02,2026-01-03,2026-01-07,2026-02-01,2026-03-01,infinity,-infinity,4713-01-01 BC,5874896-12-31}'),
  ('timestamp', '{2026-01-01,2026-01-01 00:00:00.000001,2026-01-01 00:00:00.000002,2026-01-02,2026-01-03,infinity,-infinity,4713-01-01 BC,294276-12-31 23:59:59.999999}'),
  ('timestamptz', '{2026-01-01,2026-01-01 00:00:00.000001,2026-01-02,2026-01-03,infinity,-infinity}'),
  ('time', '{00:00,00:00:00.000001,12:00,13:00,24:00}'),
  ('interval', '{1 month,30 days,720:00:00,31 days,0,-178000000 years,178000000 years}'),
  ('money', '{0,0.01,0.02,5,-92233720368547758.08,92233720368547758.07}'),
  ('uuid', '{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000001,00000000-0000-0001-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}');

-- For each type two tables, of intervals from lo to hi, which may be in the wrong order, and values v.
CREATE FUNCTION run(command text) RETURNS int LANGUAGE plpgsql AS 'BEGIN EXECUTE command; RETURN 1; END';
CREATE FUNCTION val(vals text[], seed bigint, i int, k int) RETURNS text LANGUAGE sql
RETURN CASE WHEN tst.rndint(seed, i, k, 1, 4) > 1 THEN vals[tst.rndint(seed, i, k + 1, 1, cardinality(vals))] END;
SELECT count(run(format('CREATE TABLE %1$s%2$s AS
               SELECT i AS id, NULLIF(i %% 4, 0) AS k, val(%3$L, %4$s, i, 10)::%1$s AS lo, val(%3$L, %4$s, i, 20)::%1$s AS hi, val(%3$L, %4$s, i, 30)::%1$s AS v
               FROM generate_series(1, %5$s) i; ANALYZE %1$s%2$s', type, side, vals, seed * 2 + side, 100 + 40 * side))) AS tables
FROM setup, kind, generate_series(1, 2) side;

-- "low < high", either way round, and tests of none, one or both for NULL, in any order.
CREATE FUNCTION comparison(seed bigint, i bigint, k int, low text, high text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  equal text := CASE tst.rndint(seed, i, k, 0, 1) WHEN 1 THEN '=' ELSE '' END;
  arms text[] := ARRAY[CASE tst.rndint(seed, i, k + 1, 0, 1) WHEN 1 THEN format('%s <%s %s', low, equal, high) ELSE format('%s >%s %s', high, equal, low) END];
BEGIN
  IF tst.rnd(seed, i, k + 2) < 0.4 THEN
    arms := arms || format('%s IS NULL', low);
  END IF;
  IF tst.rnd(seed, i, k + 3) < 0.7 THEN
    arms := arms || format('%s IS NULL', high);
  END IF;
  RETURN (SELECT format('(%s)', string_agg(arm, ' OR ' ORDER BY tst.rnd(seed, i, k + 4 + nr::int))) FROM unnest(arms) WITH ORDINALITY a (arm, nr));
END $$;

-- All comparisons of a join: a value in an interval of either side, intervals that overlap, both.
CREATE FUNCTION condition(seed bigint, i bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := '{}';
  form int := tst.rndint(seed, i, 1, 1, 7);
BEGIN
  IF form IN (1, 2) THEN
    parts := parts || comparison(seed, i, 100, 'b.lo', 'a.v') || comparison(seed, i, 110, 'a.v', 'b.hi');
  END IF;
  IF form IN (3, 4) THEN
    parts := parts || comparison(seed, i, 120, 'a.lo', 'b.v') || comparison(seed, i, 130, 'b.v', 'a.hi');
  END IF;
  IF form IN (4, 5, 6, 7) THEN
    parts := parts || comparison(seed, i, 140, 'a.lo', 'b.hi') || comparison(seed, i, 150, 'b.lo', 'a.hi');
  END IF;
  parts := parts || (ARRAY['a.k = b.k', 'a.k <> b.k', 'a.lo IS NOT NULL', 'a.id + b.id > 50', 'b.k > 1 OR b.v IS NULL', 'true', 'true', 'true'])[tst.rndint(seed, i, 2, 1, 8)];
  RETURN (SELECT string_agg(format('(%s)', part), ' AND ' ORDER BY tst.rnd(seed, i, 10 + nr::int)) FROM unnest(parts) WITH ORDINALITY p (part, nr));
END $$;

-- Kinds of joins.  PostgreSQL has no FULL JOIN on such conditions: a left join and an anti join.
CREATE TABLE form (nr serial, form text, of_loop text);
INSERT INTO form (form) VALUES
  ('SELECT a.id, b.id AS other FROM %1$s1 a JOIN %1$s2 b ON %2$s'),
  ('SELECT a.id, b.id AS other, a.lo, b.hi FROM %1$s1 a LEFT JOIN %1$s2 b ON %2$s'),
  ('SELECT a.id, b.id AS other FROM %1$s1 a RIGHT JOIN %1$s2 b ON %2$s'),
  ('SELECT a.id FROM %1$s1 a WHERE EXISTS (SELECT FROM %1$s2 b WHERE %2$s)'),
  ('SELECT a.id FROM %1$s1 a WHERE NOT EXISTS (SELECT FROM %1$s2 b WHERE %2$s)'),
  ('SELECT a.id, b.id AS other, c.id AS third FROM %1$s1 a JOIN %1$s2 b ON %2$s JOIN %1$s1 c ON c.id = b.id AND c.k = a.k');
INSERT INTO form (form, of_loop) VALUES
  ('SELECT a.id, b.id AS other FROM %1$s1 a FULL JOIN %1$s2 b ON %2$s',
   'SELECT a.id, b.id AS other FROM %1$s1 a LEFT JOIN %1$s2 b ON %2$s UNION ALL SELECT NULL, b.id FROM %1$s2 b WHERE NOT EXISTS (SELECT FROM %1$s1 a WHERE %2$s)');

CREATE FUNCTION has_node(query text) RETURNS boolean LANGUAGE plpgsql
SET enable_nestloop = off SET enable_hashjoin = off SET enable_mergejoin = off SET spqtree.enable_hashjoin = always AS $$
DECLARE
  line text;
  found boolean := false;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    found := found OR line ~ 'Spqtree Spatial Hash Join';
  END LOOP;
  RETURN found;
END $$;

-- Return what differs between the node and PostgreSQL's joins, and the number of rows.
CREATE FUNCTION compare(query text, of_loop text, OUT differs text, OUT rows bigint) LANGUAGE plpgsql
SET enable_nestloop = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  counted text := 'SELECT count(*), sum(hashtextextended(q::text, 0)) FROM (%s) q';
  workers text := current_setting('max_parallel_workers_per_gather');
  by_node record;
  by_loop record;
BEGIN
  SET LOCAL spqtree.enable_hashjoin = always;
  IF NOT has_node(query) THEN
    differs := 'no node';
  END IF;
  EXECUTE format(counted, query) INTO by_node;
  -- without the node, workers may be started for each row
  SET LOCAL spqtree.enable = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
  EXECUTE format(counted, coalesce(of_loop, query)) INTO by_loop;
  SET LOCAL spqtree.enable = on;
  PERFORM set_config('max_parallel_workers_per_gather', workers, true);
  rows := by_node.count;
  IF by_node IS DISTINCT FROM by_loop THEN
    differs := format('the node returns %s, the loop %s', by_node, by_loop);
  END IF;
END $$;

-- Each difference is shown with its query.
CREATE TABLE done AS
SELECT type, number, format(form, type, condition) AS query, c.*
FROM setup, kind, LATERAL (SELECT number, condition(seed * 1000 + kind.nr, number) FROM generate_series(1, joins) number) q,
     form, compare(format(form, type, condition), format(of_loop, type, condition)) c
WHERE form.nr = 1 + number % 7;
SELECT query, differs, (SELECT seed FROM setup) AS seed FROM done WHERE differs IS NOT NULL;
SELECT type, bool_or(rows > 0) AS "some rows" FROM done GROUP BY type ORDER BY type;

-- No key: another test, two comparisons, only one end, types that are not comparable, volatile values.
CREATE TABLE other AS SELECT i AS id, i AS lo, i + 3 AS hi, i::text AS t, '2026-01-01'::date + i AS d, '2026-01-01'::timestamptz + i * interval '1 day' AS tz FROM generate_series(1, 20) i;
SELECT condition, has_node('SELECT FROM int41 a JOIN other b ON ' || condition)
FROM unnest('{a.v >= b.lo AND (a.v < b.hi OR b.lo IS NULL) AND b.hi > 0,a.v >= b.lo AND (a.v < b.hi OR b.hi IS NULL),a.v >= b.lo AND (a.v < b.hi OR b.hi IS NOT NULL),
              a.v >= b.lo AND (a.v < b.hi OR b.id IS NULL),a.v >= b.lo AND (a.v < b.hi OR a.v > b.id OR b.hi IS NULL),a.v >= b.lo AND (a.v < b.hi OR b.hi = 7),
              a.v < b.hi OR b.hi IS NULL,a.v > b.lo AND (a.id > b.hi OR b.hi IS NULL),
              a.v >= b.lo AND (a.v < b.hi + (random() * 3)::int OR b.hi + (random() * 3)::int IS NULL)}'::text[]) condition;
SELECT has_node('SELECT FROM other a JOIN other b ON a.t >= b.t AND (a.t < b.t OR b.t IS NULL)'), has_node('SELECT FROM other a JOIN other b ON a.tz >= b.tz AND (a.tz < b.d OR b.d IS NULL)');

-- PostgreSQL takes the same arm out of two: the rest is an open end.
SELECT has_node(q), differs FROM format('SELECT a.id, b.id AS other FROM int41 a JOIN int42 b ON (a.v >= b.lo AND a.v < b.hi) OR (a.v >= b.lo AND b.hi IS NULL)') q, compare(q, q);
SELECT has_node(q), differs FROM format('SELECT a.id, b.id AS other FROM int41 a JOIN int42 b ON a.v >= b.lo AND NOT (a.v >= b.hi AND b.hi IS NOT NULL)') q, compare(q, q);

-- Above an outer join, a row that it adds has only NULL: an open end matches it.
SELECT differs, rows > 0 AS "some rows" FROM unnest('{a.v >= q.lo AND (a.v < q.hi OR q.hi IS NULL),(a.v >= q.lo OR q.lo IS NULL) AND (a.v < q.hi OR q.hi IS NULL)}'::text[]) c,
  format('SELECT a.id, q.id AS other FROM date1 a JOIN (SELECT b.id, c.lo, c.hi FROM date2 b LEFT JOIN date1 c ON c.id = b.id + 60) q ON %s', c) q, compare(q, q);
-- and of two conditions, one below an outer join and one above it, none is a key.
SELECT has_node('SELECT FROM date1 a LEFT JOIN date2 b ON a.v >= b.lo WHERE a.v < b.hi OR b.hi IS NULL');
SELECT differs, rows > 0 AS "some rows" FROM format('SELECT a.id, b.id AS other FROM date1 a LEFT JOIN date2 b ON a.v >= b.lo AND (a.v < b.hi OR b.hi IS NULL) WHERE b.id > 90 OR b.hi IS NULL') q, compare(q, q);

-- Partitions, batches, workers, rescans.
CREATE TABLE version (id int, k int, lo timestamp, hi timestamp) PARTITION BY LIST (k);
CREATE TABLE version_0 PARTITION OF version FOR VALUES IN (0, 1, 2);
-- its columns have other numbers
CREATE TABLE version_3 (hi timestamp, lo timestamp, gone int, k int, id int);
ALTER TABLE version_3 DROP gone;
ALTER TABLE version ATTACH PARTITION version_3 DEFAULT;
INSERT INTO version
SELECT i, i % 7, t, CASE WHEN i % 5 > 0 THEN t + i % 9 * interval '37 minutes' END FROM generate_series(1, 1500) i, LATERAL (SELECT '2026-01-01'::timestamp + (i * 7919 % 30000) * interval '1 minute' AS t) s;
CREATE TABLE event (id int, k int, at timestamp, pad text) PARTITION BY LIST (k);
CREATE TABLE event_0 PARTITION OF event FOR VALUES IN (0, 1, 2);
CREATE TABLE event_3 PARTITION OF event DEFAULT;
INSERT INTO event SELECT i, i % 7, '2026-01-01'::timestamp + (i * 541 % 30000) * interval '1 minute', repeat('x', i % 300) FROM generate_series(1, 1000) i;
ANALYZE version, event;
CREATE TABLE by_parts (nr serial, query text);
INSERT INTO by_parts (query) VALUES
  ('SELECT e.id, v.id AS other, e.pad FROM event e JOIN version v ON e.k = v.k AND e.at >= v.lo AND (e.at < v.hi OR v.hi IS NULL)'),
  ('SELECT e.id FROM event e WHERE NOT EXISTS (SELECT FROM version v WHERE e.k = v.k AND (v.hi IS NULL OR v.hi > e.at) AND v.lo <= e.at)'),
  ('SELECT a.id, b.id AS other FROM version a LEFT JOIN version b ON a.k = b.k AND a.id < b.id AND (a.lo < b.hi OR b.hi IS NULL) AND (a.hi > b.lo OR a.hi IS NULL)');
SET enable_partitionwise_join = on;
SELECT nr, differs, rows > 0 AS "some rows" FROM by_parts, compare(query, query) ORDER BY nr;
RESET enable_partitionwise_join;
SET work_mem = '64kB';
SELECT nr, differs, rows > 0 AS "some rows" FROM by_parts, compare(query, query) ORDER BY nr;
RESET work_mem;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT nr, differs, rows > 0 AS "some rows" FROM by_parts, compare(query, query) ORDER BY nr;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SELECT differs, rows FROM format('SELECT r.k, q.n FROM (VALUES (1), (2), (3)) r (k), LATERAL
  (SELECT count(*) AS n FROM (SELECT * FROM event WHERE k = r.k OFFSET 0) e JOIN version v ON e.at >= v.lo AND (e.at < v.hi OR v.hi IS NULL)) q') q, compare(q, q);

-- Row security: the condition of a user is not evaluated before the policy.
CREATE ROLE open_ends_user;
GRANT USAGE ON SCHEMA open_ends TO open_ends_user;
GRANT SELECT ON version, event, by_parts TO open_ends_user;
ALTER TABLE version ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_k ON version FOR SELECT TO open_ends_user USING (k < 3);
SET ROLE open_ends_user;
SELECT nr, differs, rows > 0 AS "some rows" FROM by_parts, compare(query, query) ORDER BY nr;
RESET ROLE;

-- EXPLAIN shows the boxes, with what stands for an end that is NULL, and the condition as written.
EXPLAIN (COSTS OFF) SELECT FROM timestamp1 a JOIN timestamp2 b ON a.k = b.k AND a.v >= b.lo AND (a.v < b.hi OR b.hi IS NULL);
EXPLAIN (COSTS OFF) SELECT FROM int41 a JOIN int42 b ON (a.lo <= b.hi OR a.lo IS NULL OR b.hi IS NULL) AND (b.lo <= a.hi OR a.hi IS NULL);

DROP OWNED BY open_ends_user;
DROP ROLE open_ends_user;
DROP SCHEMA open_ends CASCADE;
