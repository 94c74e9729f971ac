--
-- The columns that pass through the spatial hash join: of every size, passed by value
-- and by reference, null and not, one or many of a side; results that only copy columns.
--
-- Each answer is compared with that of the nested loop.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET hash_mem_multiplier = 1;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_columns;
SET search_path = node_columns;

-- Run a query with the node and without: number of rows, and whether the rows are
-- the same.  A plan without the node is an error.
CREATE FUNCTION use_node(yes boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_hashjoin', CASE WHEN yes THEN 'always' ELSE 'off' END, true), set_config('enable_nestloop', (NOT yes)::text, true),
         set_config('enable_hashjoin', (NOT yes)::text, true), set_config('enable_mergejoin', (NOT yes)::text, true)
$$;
CREATE FUNCTION compared(query text, OUT "rows" bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
  expected text[];
  answer text[];
BEGIN
  PERFORM use_node(false);
  EXECUTE format('SELECT coalesce(array_agg(q::text ORDER BY q::text COLLATE "C"), ''{}'') FROM (%s) q', query) INTO expected;
  PERFORM use_node(true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line || E'\n';
  END LOOP;
  IF plan !~ 'Spatial Hash Join' THEN
    RAISE EXCEPTION 'not by the node: %', plan;
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(q::text ORDER BY q::text COLLATE "C"), ''{}'') FROM (%s) q', query) INTO answer;
  "rows" := cardinality(expected);
  same := answer = expected;
END $$;

-- Row i of a table: values of all sizes, extreme ones among them; each column but the
-- first is null in some rows.
CREATE FUNCTION some_rows(side int, n int)
RETURNS TABLE (id int, b box, i2 smallint, i4 int, i8 bigint, f4 real, f8 float8, yes boolean, c "char", day date, o oid, num numeric, t text, p point, ip uuid) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 31 <> 5 THEN box(point(i * 7 % 50 + side * 0.3, i / 50), point(i * 7 % 50 + side * 0.3 + 0.9, i / 50 + 1.4)) END,
         (ARRAY[0, -1, 1, 32767, -32768, NULL])[1 + i % 6], (ARRAY[0, -1, 1, 2147483647, -2147483648, NULL])[1 + i % 6],
         (ARRAY[0, -1, 1, 4294967296, 9223372036854775807, -9223372036854775808, NULL])[1 + i % 7],
         (ARRAY[0, '-0', 1.5, 'NaN', '-Infinity', NULL]::real[])[1 + i % 6], (ARRAY[0, '-0', 1.5, 'NaN', '-Infinity', NULL]::float8[])[1 + i % 6],
         (ARRAY[true, false, NULL])[1 + i % 3], (ARRAY['a', E'\\377', '', NULL]::"char"[])[1 + i % 4], (ARRAY['2026-11-27', '-infinity', '4713-01-01 BC', NULL]::date[])[1 + i % 4],
         (ARRAY[0, 1, 2147483648, 4294967295, NULL]::oid[])[1 + i % 5], nullif(i % 5, 0)::numeric / 7, CASE WHEN i % 4 > 0 THEN repeat(chr(97 + i % 26), i % 40) END,
         CASE WHEN i % 3 > 0 THEN point(i, -i) END, CASE WHEN i % 3 > 0 THEN md5(i::text)::uuid END
  FROM generate_series(1, n) i
$$;
CREATE TABLE l AS SELECT * FROM some_rows(1, 400);
CREATE TABLE r AS SELECT * FROM some_rows(2, 300);
ANALYZE l, r;

CREATE TABLE target (nr serial, target text);
-- one column of either side, or none
INSERT INTO target (target)
SELECT format(f, c) FROM unnest(ARRAY['i2', 'i4', 'i8', 'f4', 'f8', 'yes', 'c', 'day', 'o', 'num', 't', 'p::text', 'ip']) c,
                         unnest(ARRAY['l.%1$s AS x, r.%1$s AS y', 'l.%1$s AS x', 'r.%1$s AS y', 'l.%1$s IS NULL AS x, r.%1$s AS y']) f;
-- several: twice, in another order, of one side only, by value and not
INSERT INTO target (target) VALUES
  (''), ('1 AS x'), ('l.id AS x, r.id AS y'), ('r.id AS x, l.id AS y'), ('l.id AS x, l.id AS y, l.i4 AS z'), ('l.i4 AS x, l.i8 AS y, l.yes AS z, r.c AS u, r.i2 AS v'),
  ('r.f8 AS x, r.day AS y, r.o AS z'), ('l.i4 AS x, l.t AS y, r.num AS z'), ('l.i8 % 7 + r.i4 % 5 AS x'), ('l.*'), ('r.*'), ('l.*, r.id AS rid, r.t AS rt'), ('l AS x, r.id AS y'), ('l AS x, r AS y'),
  ('l.id AS x, random() < 2 AS y, r.id AS z'), ('l.i8 AS x, r.b::text AS y'), ('l.b::text AS x, r.i8 AS y');
CREATE TABLE form (nr serial, form text);
INSERT INTO form (form) VALUES
  ('SELECT %s FROM l JOIN r ON l.b && r.b'), ('SELECT %s FROM l LEFT JOIN r ON l.b && r.b AND l.i4 < r.i4'), ('SELECT %s FROM l RIGHT JOIN r ON l.b && r.b AND l.yes'),
  ('SELECT %s FROM l JOIN r ON l.b && r.b AND l.i2 = r.i2'), ('SELECT %s FROM l LEFT JOIN r ON l.b && r.b WHERE r.id IS NULL OR r.i8 IS DISTINCT FROM l.i8');
SELECT form, count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM form f, target t, LATERAL compared(format(form, target)) GROUP BY f.nr, form ORDER BY f.nr;
-- in batches
SET work_mem = '64kB';
SELECT form, count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM form f, target t, LATERAL compared(format(form, target)) WHERE t.nr % 3 = 0 GROUP BY f.nr, form ORDER BY f.nr;
RESET work_mem;

-- rows of one side only
SELECT nr, "rows", same FROM target, LATERAL compared(format('SELECT %s FROM l WHERE EXISTS (SELECT FROM r WHERE l.b && r.b AND l.i2 <> r.i2)', target)) WHERE target !~ '\mr\M' AND nr > 40 ORDER BY nr;
SELECT nr, "rows", same FROM target, LATERAL compared(format('SELECT %s FROM r WHERE NOT EXISTS (SELECT FROM l WHERE l.b && r.b AND l.i2 <> r.i2)', target)) WHERE target !~ '\ml\M' AND nr > 40 ORDER BY nr;

-- more columns that are passed by value than a row of values has
SELECT format('CREATE TABLE wide%s AS SELECT id, b, %s FROM %s', n, string_agg(format('nullif(id %% %s, 1) AS c%s', i + 1, i), ', ' ORDER BY i), CASE n % 2 WHEN 0 THEN 'l' ELSE 'r' END)
FROM unnest(ARRAY[28, 29, 30, 31]) n, generate_series(1, n) i GROUP BY n ORDER BY n \gexec
ANALYZE;
SELECT n, "rows", same FROM unnest(ARRAY[28, 29, 30, 31]) n,
  LATERAL (SELECT format('SELECT w.id AS wid, %s, l.i4 FROM wide%s w RIGHT JOIN l ON l.b && w.b', string_agg('w.c' || i, ', ' ORDER BY i), n) AS query FROM generate_series(1, n) i) q,
  LATERAL compared(query) ORDER BY n;

-- pairs come from the engine some at a time: rescans in the middle, ends, cursors
SELECT "rows", same FROM compared('SELECT x, q.* FROM generate_series(0, 200, 10) x, LATERAL (SELECT l.id, r.i4 FROM l JOIN r ON l.b && r.b AND l.id >= x AND r.id >= x OFFSET 0) q');
SELECT "rows", same FROM compared('SELECT x, (SELECT count(*) FROM (SELECT FROM l JOIN r ON l.b && r.b LIMIT x) q) FROM generate_series(1, 300, 7) x');
SELECT "rows", same FROM compared('SELECT x, EXISTS (SELECT FROM l JOIN r ON l.b && r.b AND l.id + r.id = x) FROM generate_series(900, 1200, 10) x');
BEGIN;
SELECT use_node(true);
DECLARE c CURSOR FOR SELECT l.id AS x, r.id AS y, r.i8 FROM l JOIN r ON l.b && r.b;
CREATE TABLE fetched (x int, y int, i8 bigint);
DO $$
DECLARE
  row record;
  cursor refcursor := 'c';
BEGIN
  LOOP
    FETCH cursor INTO row;
    EXIT WHEN NOT FOUND;
    INSERT INTO fetched VALUES (row.x, row.y, row.i8);
  END LOOP;
END $$;
SELECT use_node(false);
SELECT count(*) FROM fetched;
SELECT count(*) FROM (SELECT l.id, r.id, r.i8 FROM l JOIN r ON l.b && r.b EXCEPT ALL TABLE fetched) q;
COMMIT;

-- workers that share the build side
BEGIN;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SELECT count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM target t, LATERAL compared(format('SELECT %s FROM l JOIN r ON l.b && r.b', target)) WHERE t.nr % 4 = 0;
COMMIT;

DROP SCHEMA node_columns CASCADE;
