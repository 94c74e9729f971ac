--
-- Random joins in space: the spatial hash join and nested loops must return the same
-- rows, each the same number of times; as node_random.sql, with fewer kinds of queries.
--
-- A query has a random join type, condition, and data.  They depend on the seed only.
-- SPQTREE_SEED sets another seed than 1, or a new one with "time"; SPQTREE_JOINS sets
-- another number of queries of each kind than 24.  The output must be the same.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET hash_mem_multiplier = 1;
SET statement_timeout = '30min';   -- a loop without end shall be a failure
\set seed 1
\set joins 24
\getenv seed SPQTREE_SEED
\getenv joins SPQTREE_JOINS
CREATE SCHEMA node_solid_random;
SET search_path = node_solid_random, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed,
       coalesce(nullif(:'joins', ''), '24')::int AS joins;
DO $$ BEGIN RAISE LOG 'spqtree: random joins in space with seed %', (SELECT seed FROM setup); END $$;

--
-- Data: for each shape two tables with the same columns.  All columns but the id may be
-- NULL; "pad" fills memory.
--
CREATE FUNCTION coordinate(shape text, seed bigint, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE shape
    WHEN 'uniform' THEN tst.rnd(seed, i, k) * 9
    WHEN 'clusters' THEN i % 7 * 100 + tst.rnd(seed, i, k)
    WHEN 'grid' THEN tst.rndint(seed, i, k, 0, 9)
    WHEN 'identical' THEN 3
    -- axes of different units, as (x, y, time)
    WHEN 'units' THEN tst.rnd(seed, i, k) * (ARRAY[1e-3, 7, 1e12])[k]
    WHEN 'special' THEN CASE WHEN i % 3 = 0 THEN tst.rnd(seed, i, k) * 3
                        ELSE ('{NaN,Infinity,-Infinity,0,-0,1,3,1e300,-1e300,1e-300,5e-324}'::float8[])[tst.rndint(seed, i, k, 1, 11)] END
    WHEN 'large' THEN tst.rnd(seed, i, k) * 60
    ELSE coordinate('uniform', seed, i, k) END
$$;
CREATE FUNCTION size(shape text, seed bigint, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE shape
    WHEN 'clusters' THEN tst.rnd(seed, i, k) * 0.6
    WHEN 'grid' THEN tst.rndint(seed, i, k, 0, 2)
    WHEN 'units' THEN tst.rnd(seed, i, k) * (ARRAY[3e-4, 3, 3e11])[k - 3]
    WHEN 'special' THEN ('{0,1,NaN,Infinity,1e300,1e-300}'::float8[])[tst.rndint(seed, i, k, 1, 6)]
    ELSE tst.rnd(seed, i, k) ^ 3 * 4 END
$$;
CREATE FUNCTION shape_rows(shape text, side int, n int)
RETURNS TABLE (id int, b box3, p point3, s sphere3, l lseg3, r ray3, d float8, k int, t text, pad text) LANGUAGE sql AS $$
  SELECT i,
         CASE WHEN i % 23 <> 7 THEN box3(p1, p2) END,
         CASE WHEN i % 29 <> 3 THEN CASE i % 3 WHEN 0 THEN p1 WHEN 1 THEN p2 ELSE center(box3(p1, p2)) END END,
         CASE WHEN i % 19 <> 4 THEN sphere3(p1, s2) END,
         CASE WHEN i % 17 <> 5 THEN lseg3(p1, CASE i % 4 WHEN 0 THEN point3(x(p1), y(p1), z(p2)) ELSE p2 END) END,
         CASE WHEN i % 13 <> 6 THEN ray3(p2, v, CASE i % 3 WHEN 0 THEN 'Infinity' ELSE s1 END) END,
         CASE i % 11 WHEN 1 THEN NULL WHEN 2 THEN 0 WHEN 3 THEN -s1 ELSE s2 END,
         NULLIF(tst.rndint(seed, i, 11, 0, 4), 0),
         (ARRAY['a', 'b', 'B', 'b ', '', NULL])[tst.rndint(seed, i, 12, 1, 6)],
         CASE WHEN i % 4 > 0 THEN repeat(chr(97 + i % 26), tst.rndint(seed, i, 14, 0, 900)) END
  FROM generate_series(1, n) i,
       -- the tables of a shape have rows in common
       LATERAL (SELECT s.seed * 10 + CASE WHEN i % 6 = 0 THEN 1 ELSE side END AS seed FROM setup s) seeds,
       LATERAL (SELECT coordinate(shape, seed, i, 1) AS x, coordinate(shape, seed, i, 2) AS y, coordinate(shape, seed, i, 3) AS z,
                       size(shape, seed, i, 4) AS s1, size(shape, seed, i, 5) AS s2, size(shape, seed, i, 6) AS s3,
                       (ARRAY[point3 '(1,0,0)', '(0,-1,0)', '(1,2,3)', '(-1,0.01,-1)', '(0,-1e-300,1e300)'])[tst.rndint(seed, i, 15, 1, 5)] AS v) n,
       LATERAL (SELECT point3(x, y, z) AS p1, point3(CASE WHEN x > -1e300 OR x < 1e300 THEN x + s1 ELSE s1 END, y + s2, z + s3) AS p2) c
$$;
CREATE TABLE shape (nr serial, shape text, rows1 int, rows2 int);
INSERT INTO shape (shape, rows1, rows2) VALUES
  ('uniform', 130, 110), ('clusters', 150, 150), ('identical', 35, 25), ('grid', 90, 90), ('units', 120, 140), ('special', 80, 90),
  ('empty', 0, 60), ('part', 160, 140), ('large', 1500, 600);
SELECT format('CREATE TABLE %1$s1 AS SELECT * FROM shape_rows(%1$L, 1, %2$s); CREATE TABLE %1$s2 AS SELECT * FROM shape_rows(%1$L, 2, %3$s)', shape, rows1, rows2)
FROM shape WHERE shape <> 'part' ORDER BY nr \gexec
SELECT format('CREATE TABLE part%1$s (LIKE uniform1) PARTITION BY LIST (k);
               CREATE TABLE part%1$s_1 PARTITION OF part%1$s FOR VALUES IN (1);
               CREATE TABLE part%1$s_x PARTITION OF part%1$s DEFAULT;
               INSERT INTO part%1$s SELECT * FROM shape_rows(''part'', %1$s, %2$s)', side, CASE side WHEN 1 THEN rows1 ELSE rows2 END)
FROM shape, generate_series(1, 2) side WHERE shape = 'part' ORDER BY side \gexec
SELECT format('CREATE UNIQUE INDEX ON %s%s (id)', shape, side) FROM shape, generate_series(1, 2) side WHERE shape <> 'part' ORDER BY nr, side \gexec
ANALYZE;

--
-- Dice
--
CREATE SEQUENCE thrown;
-- return an integer from 0 to sides - 1
CREATE FUNCTION dice(sides int) RETURNS int LANGUAGE sql AS $$
  SELECT tst.rndint((SELECT seed FROM setup), nextval('thrown'), 21, 0, sides - 1)
$$;
CREATE FUNCTION one_of(VARIADIC choices text[]) RETURNS text LANGUAGE sql AS $$
  SELECT choices[nr] FROM dice(cardinality(choices)) AS d(nr0), LATERAL (SELECT nr0 + 1 AS nr) v
$$;

-- Conditions; $l and $r stand for the names of the two sides.
CREATE FUNCTION spatial() RETURNS text LANGUAGE sql AS $$
  SELECT one_of(
    '$l.b && $r.b', '$l.b && $r.b', '$l.b && $r.b', '$l.b @> $r.b', '$l.b <@ $r.b', '$l.b ~= $r.b', '$l.b @> $r.p', '$l.p <@ $r.b', '$l.p ~= $r.p',
    '$l.s && $r.s', '$l.s @> $r.s', '$l.s <@ $r.s', '$l.s @> $r.p', '$l.p <@ $r.s', '$l.b && $r.s', '$l.s && $r.b', '$l.b <@ $r.s', '$l.s @> $r.b',
    '$l.b && $r.l', '$l.l && $r.b', '$l.b && $r.r', '$l.r && $r.b',
    'spqtree_dwithin($l.b, $r.b, 0.7)', 'spqtree_dwithin($l.p, $r.b, 0.7)', 'spqtree_dwithin($l.b, $r.p, $l.d)', 'spqtree_dwithin($l.b, $r.b, $r.d)',
    'spqtree_dwithin($l.p, $r.p, $l.d)', 'spqtree_dwithin($r.p, $l.p, $l.d + $r.d)', 'spqtree_dwithin($l.b, $r.b, 0)',
    -- expressions
    'spqtree_expand($l.b, 0.5) && $r.b', 'box3($l.p, center($r.b)) IS NOT NULL AND bound_box($l.b, $l.p::box3) @> $r.p', '$l.l::box3 && $r.b', 'coalesce($l.b, ''((1,1,1),(4,4,4))'') && $r.b')
$$;
CREATE FUNCTION further() RETURNS text LANGUAGE sql AS $$
  SELECT one_of(
    '$l.k = $r.k', '$l.k = $r.k', '$l.k = $r.k', '$l.id = $r.id', '$l.t = $r.t', '($l.k, $l.t) = ($r.k, $r.t)', '$l.p = $r.p', '$l.b = $r.b',
    '$l.k < $r.k', '$l.id <> $r.id', '$l.k IS DISTINCT FROM $r.k', '($l.k = $r.k OR $l.t = $r.t)', '($l.b << $r.b) IS NOT TRUE', '($l.b <</ $r.b) IS NOT FALSE',
    '($l.b @> $r.b OR $l.k = $r.k)', '($l.b <-> $r.b) < 1', '$l.k = 1', '$r.k > 1', '$l.id % 5 > 0', '$r.p <@ box3 ''((0,0,0),(5,5,5))''', 'length($l.pad) > length($r.t)')
$$;
CREATE FUNCTION condition(l text, r text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  condition text := spatial();
  other text;
BEGIN
  FOR i IN 1 .. (ARRAY[0, 0, 1, 1, 2])[1 + dice(5)] LOOP
    other := further();
    condition := CASE dice(2) WHEN 0 THEN condition || ' AND ' || other ELSE other || ' AND ' || condition END;
  END LOOP;
  IF dice(2) = 0 THEN
    SELECT r, l INTO l, r;
  END IF;
  RETURN replace(replace(condition, '$l', l), '$r', r);
END $$;

-- A query of a kind, from two tables.  A full join is written twice, as PostgreSQL itself
-- has none with such a condition: {{this}{that}}.
CREATE TABLE kind (nr serial, kind text);
INSERT INTO kind (kind) VALUES ('inner'), ('left'), ('right'), ('full'), ('semi'), ('anti'), ('self'), ('rescan'), ('three tables');
CREATE FUNCTION query_of(kind text, a text, b text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c text := condition('l', 'r');
  what text := one_of('l.id, r.id', 'l.id, r.id, length(l.pad), r.pad', 'l.b, r.p, l.id', 'count(*)');
  above text := one_of('', '', ' WHERE (l.k = r.k) IS NOT FALSE', ' WHERE l.id IS NULL OR r.id IS NULL', ' WHERE (l.id + r.id > 30) IS NOT FALSE');
BEGIN
  RETURN CASE kind
    WHEN 'inner' THEN format('SELECT %s FROM %s l JOIN %s r ON %s', what, a, b, c)
    WHEN 'left' THEN format('SELECT %s FROM %s l LEFT JOIN %s r ON %s%s', what, a, b, c, above)
    WHEN 'right' THEN format('SELECT %s FROM %s l RIGHT JOIN %s r ON %s%s', what, a, b, c, above)
    WHEN 'full' THEN format('SELECT l, r FROM {{(SELECT l.id AS l, r.id AS r FROM %1$s l FULL JOIN %2$s r ON %3$s)}{(SELECT l.id AS l, r.id AS r FROM %1$s l LEFT JOIN %2$s r ON %3$s
                               UNION ALL SELECT NULL, r.id FROM %1$s l RIGHT JOIN %2$s r ON %3$s WHERE l.id IS NULL)}} q', a, b, c)
    WHEN 'semi' THEN format('SELECT l.id, l.pad FROM %s l WHERE EXISTS (SELECT FROM %s r WHERE %s)', a, b, c)
    WHEN 'anti' THEN format('SELECT l.id, l.pad FROM %s l WHERE NOT EXISTS (SELECT FROM %s r WHERE %s)', a, b, c)
    WHEN 'self' THEN format('SELECT l.id, r.id FROM %s l JOIN %1$s r ON l.id < r.id AND %s', a, c)
    WHEN 'rescan' THEN CASE dice(3)
      WHEN 0 THEN format('SELECT x.id, q.* FROM (SELECT * FROM %s ORDER BY id LIMIT 7) x, LATERAL (SELECT l.id AS l, r.id AS r FROM %s l JOIN %s r ON %s WHERE l.k = x.k OFFSET 0) q', b, a, b, c)
      WHEN 1 THEN format('SELECT x.id, (SELECT count(*) FROM %s l LEFT JOIN %s r ON %s WHERE r.k = x.k) FROM (SELECT * FROM %s ORDER BY id LIMIT 7) x', a, b, c, a)
      ELSE format('SELECT x.id, ARRAY(SELECT r.id FROM %s l RIGHT JOIN %s r ON %s AND l.id > x.id ORDER BY 1) FROM (SELECT * FROM %s ORDER BY id LIMIT 7) x', a, b, c, a) END
    ELSE format('SELECT l.id, m.id, r.id FROM (SELECT * FROM %s WHERE id < 40) l %s JOIN (SELECT * FROM %s WHERE id < 40) m ON %s LEFT JOIN (SELECT * FROM %s WHERE id < 40) r ON %s',
                a, one_of('', 'LEFT'), b, condition('l', 'm'), b, c) END;
END $$;
CREATE FUNCTION written(query text, way int) RETURNS text LANGUAGE sql AS $$
  SELECT regexp_replace(query, '\{\{(.*?)\}\{(.*?)\}\}', '\' || way)
$$;

--
-- The comparison
--
CREATE FUNCTION use_settings(reference boolean, parallel boolean, work_mem text, partitionwise boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_hashjoin', CASE WHEN reference THEN 'off' ELSE 'always' END, true),
         set_config('enable_nestloop', reference::text, true), set_config('enable_hashjoin', reference::text, true), set_config('enable_mergejoin', reference::text, true),
         set_config('work_mem', work_mem, true), set_config('enable_partitionwise_join', partitionwise::text, true),
         set_config('max_parallel_workers_per_gather', CASE WHEN parallel AND NOT reference THEN '2' ELSE '0' END, true),
         set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true), set_config('min_parallel_table_scan_size', '0', true)
$$;
CREATE FUNCTION digest(query text, OUT rows bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), sum(hashtextextended(result::text, 0)) FROM (%s) result', query) INTO rows, digest;
EXCEPTION WHEN data_exception THEN
  digest := SQLERRM;
END $$;
CREATE TABLE result (nr int, kind text, shape text, used boolean, gathered boolean, shared boolean, rows bigint, wrong boolean, query text);
CREATE FUNCTION compare(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  k kind;
  res result;
  query text;
  planned text;
  line text;
  parallel boolean;
  work_mem text;
  partitionwise boolean;
  expected record;
  answer record;
BEGIN
  FOR i IN 1 .. n LOOP
    FOR k IN SELECT * FROM kind ORDER BY nr LOOP
      PERFORM setval('thrown', (i * 100 + k.nr) * 1000);
      res.nr := i;
      res.kind := k.kind;
      res.shape := (SELECT shape FROM shape WHERE nr = 1 + (i + k.nr) % (SELECT count(*) FROM shape));
      IF res.shape = 'large' AND k.nr > 6 THEN
        res.shape := 'grid';
      END IF;
      query := query_of(k.kind, res.shape || 1 + dice(2), res.shape || 1 + dice(2));
      parallel := dice(4) = 0;
      work_mem := CASE dice(3) WHEN 0 THEN '4MB' ELSE '64kB' END;
      partitionwise := dice(2) = 0;
      PERFORM use_settings(true, parallel, work_mem, partitionwise);
      expected := digest(written(query, 2));
      PERFORM use_settings(false, parallel, work_mem, partitionwise);
      res.query := written(query, 1);
      planned := '';
      FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || res.query LOOP
        planned := planned || line || E'\n';
      END LOOP;
      res.used := planned ~ 'Spqtree Spatial Hash Join';
      res.gathered := planned ~ 'Gather';
      res.shared := planned ~ 'Shared Build: true';
      answer := digest(res.query);
      res.rows := expected.rows;
      res.wrong := answer IS DISTINCT FROM expected;
      IF res.wrong THEN
        RAISE NOTICE E'query % gives % (%) instead of % (%)\nparallel %, work_mem %, partitionwise %\n%\n%', i, answer.rows, answer.digest, expected.rows, expected.digest,
          parallel, work_mem, partitionwise, res.query, planned;
      END IF;
      INSERT INTO result SELECT res.*;
    END LOOP;
  END LOOP;
END $$;
SET client_min_messages = notice;
SELECT compare(joins) FROM setup;

-- Number of queries of each kind, most of them with the node, most of them with rows,
-- none wrong; a NOTICE shows a wrong one with its settings and its plan.
SELECT kind, count(*) = min(joins) AS all_done, count(*) FILTER (WHERE used) > 0.6 * count(*) AS used_in_most,
       count(*) FILTER (WHERE rows > 0) > 0.4 * count(*) AS most_have_rows, count(*) FILTER (WHERE rows IS NULL) <= 0.1 * count(*) AS few_errors,
       count(*) FILTER (WHERE wrong) AS wrong
FROM result, setup GROUP BY kind ORDER BY kind;
SELECT bool_or(used) AS "used", bool_or(shared) AS "shared", bool_or(wrong) AS "wrong" FROM result WHERE gathered;
SELECT 'seed ' || seed AS "repeat with", nr, kind, query FROM result, setup WHERE wrong ORDER BY nr;

-- Joins of the large tables went to disk: where that is forbidden, they fail.
BEGIN;
SELECT use_settings(false, false, '64kB', false);
SET LOCAL temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*), sum(length(l.pad)), sum(length(r.pad)) FROM large1 l LEFT JOIN large2 r ON l.b && r.b;
ROLLBACK;

\set VERBOSITY default
SET client_min_messages = warning;
DROP SCHEMA node_solid_random CASCADE;
