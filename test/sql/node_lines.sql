--
-- Joins of rays and segments: the spatial hash join compares them as lines, not as
-- boxes.  Its rows must be those of nested loops, each the same number of times.
--
-- Queries depend on the seed only.  SPQTREE_SEED sets another seed than 1, or a new one
-- with "time"; SPQTREE_JOINS sets another number of queries of each kind than 20.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET hash_mem_multiplier = 1;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_lines;
SET search_path = node_lines, public;

--
-- Candidates are few, though the boxes of endless rays and long segments meet half of
-- the others.
--
CREATE TABLE room AS
SELECT i AS id, box3(x, y, z, x + 1, y + 1, z + 1) AS b, box(point(x, y), point(x + 1, y + 1)) AS c
FROM generate_series(1, 4000) i, LATERAL (SELECT tst.rnd(7, i, 1) * 100 AS x, tst.rnd(7, i, 2) * 100 AS y, tst.rnd(7, i, 3) * 100 AS z) p;
CREATE TABLE line AS
SELECT i AS id, ray3(p, point3(x(q) - x(p), y(q) - y(p), z(q) - z(p)), 'Infinity') AS r, lseg3(p, q) AS s, lseg(point(x(p), y(p)), point(x(q), y(q))) AS l
FROM generate_series(1, 200) i, LATERAL (SELECT point3(tst.rnd(8, i, 1) * 100, tst.rnd(8, i, 2) * 100, tst.rnd(8, i, 3) * 100) AS p,
                                                point3(tst.rnd(8, i, 4) * 100, tst.rnd(8, i, 5) * 100, tst.rnd(8, i, 6) * 100) AS q) e;
ANALYZE room, line;
CREATE FUNCTION counted(query text, OUT along_lines boolean, OUT matches int, OUT few_candidates boolean, OUT few_rechecks boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query INTO plan;
  plan := plan #> '{0,Plan}';
  along_lines := plan -> 'Along Lines';
  matches := (plan ->> 'Actual Rows')::numeric;   -- with decimals since 18
  few_candidates := (plan ->> 'Candidates')::int < 2 * matches;
  few_rechecks := (plan ->> 'Rows Removed by Recheck')::int < matches;
END $$;
SELECT q.query, c.* FROM unnest('{room JOIN line ON b && r, line JOIN room ON s && b, room JOIN line ON c ?# l, room JOIN line ON l ?# c}'::text[]) q(query), counted('SELECT room.id, line.id FROM ' || q.query) c;
EXPLAIN (COSTS OFF) SELECT * FROM line WHERE NOT EXISTS (SELECT FROM room WHERE b && r);
-- short segments: comparing boxes costs less
SELECT along_lines FROM counted('SELECT FROM room JOIN (SELECT id, lseg3(high(b), low(b)) AS s FROM room OFFSET 0) r ON b && s');
-- beside many columns
CREATE TABLE wide AS SELECT * FROM line;
SELECT format('ALTER TABLE wide ADD COLUMN c%s int DEFAULT %1$s', i) FROM generate_series(1, 30) i \gexec
ANALYZE wide;
SELECT along_lines, few_rechecks FROM counted('SELECT wide.*, room.id FROM room JOIN wide ON b && r');

--
-- Data: for each shape a table of lines and one of what they meet.
--
\set seed 1
\set joins 20
\getenv seed SPQTREE_SEED
\getenv joins SPQTREE_JOINS
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed,
       coalesce(nullif(:'joins', ''), '20')::int AS joins;
DO $$ BEGIN RAISE LOG 'spqtree: joins of lines with seed %', (SELECT seed FROM setup); END $$;
CREATE FUNCTION number(shape text, seed bigint, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE shape
    WHEN 'uniform' THEN tst.rnd(seed, i, k) * 40
    -- through corners, along edges
    WHEN 'grid' THEN tst.rndint(seed, i, k, 0, 9)
    -- beside them by about the tolerance
    WHEN 'near' THEN tst.rndint(seed, i, k, 0, 4) * 25 + tst.rndint(seed, i, k + 50, -4, 4) * 5e-7
    -- coarse as floats
    WHEN 'far' THEN 1e9 + tst.rndint(seed, i, k, 0, 99) + tst.rnd(seed, i, k + 50)
    -- an axis is thin, another long
    WHEN 'units' THEN tst.rnd(seed, i, k) * (ARRAY[1e12, 1e-3, 7])[k % 3 + 1]
    -- all powers
    WHEN 'wide' THEN CASE WHEN tst.rnd(seed, i, k) < 0.5 THEN -1 ELSE 1 END * 10.0 ^ (tst.rnd(seed, i, k + 50) * 60 - 30)
    ELSE CASE WHEN i % 3 = 0 THEN tst.rnd(seed, i, k) * 3
         ELSE ('{NaN,Infinity,-Infinity,0,-0,1,3,1e120,1e300,-1e300,1e-300,5e-324,2}'::float8[])[tst.rndint(seed, i, k, 1, 13)] END END
$$;
CREATE FUNCTION size(shape text, seed bigint, i int, k int) RETURNS float8 LANGUAGE sql AS $$
  SELECT CASE WHEN shape = 'special' THEN abs(number(shape, seed, i, k)) WHEN shape = 'far' THEN tst.rnd(seed, i, k) * 20 ELSE abs(number(shape, seed, i, k)) / 8 END
$$;
CREATE FUNCTION rows_of(shape text, side int, n int)
RETURNS TABLE (id int, b box3, r ray3, s lseg3, c box, l lseg, p point, k int, pad text) LANGUAGE sql AS $$
  SELECT i,
         CASE WHEN i % 23 <> 7 THEN box3(x, y, z, x + u, y + v, z + w) END,
         CASE WHEN i % 19 <> 6 THEN ray3(point3(x, y, z), d, CASE i % 4 WHEN 0 THEN u + v WHEN 1 THEN 2 * u ELSE 'Infinity' END) END,
         CASE WHEN i % 17 <> 5 THEN lseg3(point3(x, y, z), CASE i % 6 WHEN 0 THEN point3(x, y, z2) WHEN 1 THEN point3(x2, y, z) ELSE point3(x2, y2, z2) END) END,
         CASE WHEN i % 29 <> 8 THEN box(point(x, y), point(x + u, y + v)) END,
         CASE WHEN i % 13 <> 4 THEN lseg(point(x, y), CASE i % 6 WHEN 0 THEN point(x, y2) WHEN 1 THEN point(x2, y) WHEN 2 THEN point(x, y) ELSE point(x2, y2) END) END,
         CASE WHEN i % 31 <> 9 THEN CASE i % 3 WHEN 0 THEN point(x, y) WHEN 1 THEN point(x2, y2) ELSE point(x, y2) END END,
         nullif(i % 5, 0),
         CASE WHEN i % 4 > 0 THEN repeat(chr(97 + i % 26), tst.rndint(seed, i, 14, 0, 300)) END
  FROM (SELECT seed * 10 + side AS seed FROM setup) own, generate_series(1, n) i,
       LATERAL (SELECT number(shape, seed, i, 1) AS x, number(shape, seed, i, 2) AS y, number(shape, seed, i, 3) AS z,
                       number(shape, seed, i, 4) AS x2, number(shape, seed, i, 5) AS y2, number(shape, seed, i, 6) AS z2) e,
       LATERAL (SELECT size(shape, seed, i, 7) AS u, size(shape, seed, i, 8) AS v, size(shape, seed, i, 9) AS w) s,
       LATERAL (SELECT CASE i % 7 WHEN 0 THEN point3 '(0,0,-2)' WHEN 1 THEN point3 '(0,1e-310,1e300)' WHEN 2 THEN point3 '(1,-1,0)' WHEN 3 THEN point3 '(1,1,1)'
                       ELSE point3(tst.rnd(seed, i, 21) - 0.5, tst.rnd(seed, i, 22) - 0.5, tst.rnd(seed, i, 23) - 0.5) END AS d) direction
$$;
CREATE TABLE shape (nr serial, shape text);
INSERT INTO shape (shape) VALUES ('uniform'), ('grid'), ('near'), ('far'), ('units'), ('wide'), ('special');
SELECT format('CREATE TABLE %1$s1 AS SELECT * FROM rows_of(%1$L, 1, 120); CREATE TABLE %1$s2 AS SELECT * FROM rows_of(%1$L, 2, 400)', shape) FROM shape ORDER BY nr \gexec
ANALYZE;
CREATE TABLE kind (nr serial, kind text);
INSERT INTO kind (kind) VALUES ('inner'), ('left'), ('right'), ('full'), ('semi'), ('anti'), ('right semi'), ('right anti'), ('rescan');
CREATE SEQUENCE thrown;
-- return an integer from 0 to sides - 1
CREATE FUNCTION dice(sides int) RETURNS int LANGUAGE sql AS $$
  SELECT tst.rndint((SELECT seed FROM setup), nextval('thrown'), 31, 0, sides - 1)
$$;
CREATE FUNCTION query_of(kind text, a text, b text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c text := (ARRAY['r.b && l.r', 'l.r && r.b', 'r.b && l.s', 'l.s && r.b', 'r.c ?# l.l', 'l.l ?# r.c', 'l.l ?# r.l', 'r.p <@ l.l', 'l.l <@ r.c', 'l.l = r.l',
                   'r.b && ray3(origin(l.r), direction(l.r))'])[1 + dice(11)]
         || (ARRAY['', '', '', ' AND l.k = r.k', ' AND l.id % 3 <> r.id % 4'])[1 + dice(5)];
  what text := (ARRAY['l.id, r.id', 'l.id, r.id, l.pad, r.pad', 'count(*)'])[1 + dice(3)];
BEGIN
  RETURN CASE kind
    WHEN 'inner' THEN format('SELECT %s FROM %s l JOIN %s r ON %s', what, a, b, c)
    WHEN 'left' THEN format('SELECT %s FROM %s l LEFT JOIN %s r ON %s', what, a, b, c)
    WHEN 'right' THEN format('SELECT %s FROM %s l RIGHT JOIN %s r ON %s', what, a, b, c)
    WHEN 'full' THEN format('SELECT l, r FROM {{(SELECT l.id AS l, r.id AS r FROM %1$s l FULL JOIN %2$s r ON %3$s)}{(SELECT l.id AS l, r.id AS r FROM %1$s l LEFT JOIN %2$s r ON %3$s
                               UNION ALL SELECT NULL, r.id FROM %1$s l RIGHT JOIN %2$s r ON %3$s WHERE l.id IS NULL)}} q', a, b, c)
    WHEN 'semi' THEN format('SELECT l.id, l.pad FROM %s l WHERE EXISTS (SELECT FROM %s r WHERE %s)', a, b, c)
    WHEN 'anti' THEN format('SELECT l.id, l.pad FROM %s l WHERE NOT EXISTS (SELECT FROM %s r WHERE %s)', a, b, c)
    WHEN 'right semi' THEN format('SELECT r.id, r.pad FROM %2$s r WHERE EXISTS (SELECT FROM %1$s l WHERE %3$s)', a, b, c)
    WHEN 'right anti' THEN format('SELECT r.id, r.pad FROM %2$s r WHERE NOT EXISTS (SELECT FROM %1$s l WHERE %3$s)', a, b, c)
    ELSE format('SELECT x.id, q.* FROM (SELECT * FROM %1$s ORDER BY id LIMIT 4) x, LATERAL (SELECT l.id AS l, r.id AS r FROM %1$s l JOIN %2$s r ON %3$s WHERE l.k = x.k OFFSET 0) q', a, b, c) END;
END $$;
CREATE FUNCTION use_settings(reference boolean, parallel boolean, work_mem text) RETURNS void LANGUAGE sql AS $$
  SELECT tst.use_node(NOT reference), set_config('work_mem', work_mem, true),
         set_config('max_parallel_workers_per_gather', CASE WHEN parallel AND NOT reference THEN '2' ELSE '0' END, true),
         set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true), set_config('min_parallel_table_scan_size', '0', true)
$$;
CREATE FUNCTION digest(query text, OUT rows bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), sum(hashtextextended(result::text, 0)) FROM (%s) result', query) INTO rows, digest;
EXCEPTION WHEN data_exception THEN
  digest := SQLERRM;
END $$;
CREATE TABLE result (nr int, kind text, used boolean, along_lines boolean, gathered boolean, rows bigint, wrong boolean, query text);
CREATE FUNCTION compare(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  k kind;
  name text;
  query text;
  planned text;
  line text;
  parallel boolean;
  work_mem text;
  expected record;
  answer record;
  wrong boolean;
BEGIN
  FOR i IN 1 .. n LOOP
    FOR k IN SELECT * FROM kind ORDER BY nr LOOP
      PERFORM setval('thrown', (i * 100 + k.nr) * 1000);
      name := (SELECT shape FROM shape WHERE nr = 1 + (i + k.nr) % 7);
      query := query_of(k.kind, name || '1', name || '2');
      parallel := dice(4) = 0;
      work_mem := CASE dice(3) WHEN 0 THEN '64kB' ELSE '4MB' END;
      PERFORM use_settings(true, parallel, work_mem);
      expected := digest(regexp_replace(query, '\{\{(.*?)\}\{(.*?)\}\}', '\2'));
      PERFORM use_settings(false, parallel, work_mem);
      query := regexp_replace(query, '\{\{(.*?)\}\{(.*?)\}\}', '\1');
      planned := '';
      FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        planned := planned || line || E'\n';
      END LOOP;
      answer := digest(query);
      -- an error may be raised for a pair that only one of them evaluates
      wrong := expected.rows IS NOT NULL AND answer.rows IS NOT NULL AND answer IS DISTINCT FROM expected;
      IF wrong THEN
        RAISE NOTICE E'query % gives % (%) instead of % (%)\nparallel %, work_mem %\n%\n%', i, answer.rows, answer.digest, expected.rows, expected.digest,
          parallel, work_mem, query, planned;
      END IF;
      INSERT INTO result VALUES (i, k.kind, planned ~ 'Spqtree Spatial Hash Join', planned ~ 'Along Lines: true', planned ~ 'Gather',
                                 expected.rows + answer.rows * 0, wrong, query);
    END LOOP;
  END LOOP;
END $$;
SET client_min_messages = notice;
SELECT compare(joins) FROM setup;

-- Number of queries of each kind, most of them with the node, many along lines, most of
-- them with rows, none wrong; a NOTICE shows a wrong one with its settings and its plan.
SELECT kind, count(*) = min(joins) AS all_done, count(*) FILTER (WHERE used) > 0.8 * count(*) AS used_in_most,
       count(*) FILTER (WHERE along_lines) > 0.1 * count(*) AS many_along_lines,
       count(*) FILTER (WHERE rows > 0) > 0.5 * count(*) AS most_have_rows, count(*) FILTER (WHERE rows IS NULL) <= 0.2 * count(*) AS few_errors,
       count(*) FILTER (WHERE wrong) AS wrong
FROM result, setup GROUP BY kind ORDER BY kind;
SELECT bool_or(along_lines) AS "along lines", bool_or(wrong) AS "wrong" FROM result WHERE gathered;
SELECT 'seed ' || seed AS "repeat with", nr, kind, query FROM result, setup WHERE wrong ORDER BY nr;

SET client_min_messages = warning;
DROP SCHEMA node_lines CASCADE;
