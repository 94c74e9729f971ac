--
-- EXPLAIN (ANALYZE, SPQTREE), from PostgreSQL 18 on: its counts are those of spqtree_explain,
-- the table, and each other.  Before 18 there is no such option, and nothing is compared.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA explain_option;
SET search_path = explain_option, public;

CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 41 = 0 THEN NULL WHEN i % 501 = 0 THEN box(point('NaN', y), point(x, 'Infinity'))
                                       ELSE box(point(x, y), point(x + w, y + w)) END AS b
FROM generate_series(1, 9000) i, LATERAL (SELECT (i * 7919::bigint) % 1000 AS x, (i * 104729::bigint) % 997 AS y, 200.0 / (1 + i % 200) AS w) v;
CREATE TABLE q AS SELECT i AS id, box(point(i * 90, i * 80), point(i * 90 + 50, i * 80 + 20)) AS b FROM generate_series(1, 10) i;
CREATE TABLE r AS SELECT i AS id, int4range(i, i + i % 7 + 1) AS n FROM generate_series(1, 2000) i;
CREATE TABLE g AS TABLE t;
CREATE TABLE empty (b box);

-- What EXPLAIN says to an option, or nothing.
CREATE FUNCTION refused(options text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('EXPLAIN (%s) SELECT 1', options);
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN SQLERRM;
END $$;
CREATE FUNCTION has_option() RETURNS bool LANGUAGE sql AS $$ SELECT current_setting('server_version_num')::int >= 180000 $$;

-- The option is there once the library is loaded: by LOAD, or by the use of an index.
\c -
SET search_path = explain_option, public;
SET client_min_messages = warning;
SELECT refused('ANALYZE, SPQTREE');
CREATE INDEX empty_b ON empty USING spqtree (b);
\c -
SET search_path = explain_option, public;
SET client_min_messages = warning;
SELECT count(*) FROM empty;
SELECT (refused('ANALYZE, SPQTREE') IS NULL) = has_option() AS known;
LOAD 'spqtree';
SET jit = off;
SET max_parallel_workers_per_gather = 0;

CREATE INDEX t_b ON t USING spqtree (b) WITH (fillfactor = 20);   -- three levels
CREATE INDEX r_n ON r USING spqtree (n);
CREATE INDEX g_b ON g USING gist (b);
CREATE TYPE textrange AS RANGE (subtype = text);
CREATE TABLE s AS SELECT i AS id, textrange(i::text, i || 'z') AS t FROM generate_series(1, 700) i;
CREATE INDEX s_t ON s USING spqtree (t);
VACUUM ANALYZE t, q, r, g, s, empty;
SET enable_seqscan = off;
SET spqtree.enable_hashjoin = off;
SET enable_memoize = off;
SET enable_material = off;

-- A node with the counts, and the plan of a query.
CREATE FUNCTION plan_of(query text, options text DEFAULT 'SPQTREE') RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (ANALYZE, TIMING off, SUMMARY off, %s, FORMAT json) %s', options, query) INTO plan;
  RETURN plan;
END $$;
CREATE FUNCTION nodes_of(plan jsonb) RETURNS SETOF jsonb LANGUAGE sql AS $$
SELECT DISTINCT n FROM jsonb_path_query(plan, '$.**') n WHERE jsonb_typeof(n) = 'object' AND n ? 'Spqtree' $$;
CREATE FUNCTION counts(query text) RETURNS int[] LANGUAGE sql AS $$
SELECT ARRAY[s ->> 'Inner Pages', s ->> 'Leaf Pages', s ->> 'Entries', s ->> 'Matches']::int[]
FROM nodes_of(plan_of(query)) n, LATERAL (SELECT n -> 'Spqtree' AS s) v $$;
CREATE FUNCTION text_of(query text, options text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  lines text := '';
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, %s) %s', options, query) LOOP
    lines := lines || line || E'\n';
  END LOOP;
  RETURN lines;
END $$;

-- Each kind of node, each operator: the same pages and entries as the walk of spqtree_explain.
CREATE FUNCTION of_scans() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  kind text;
  operator text;
  query text;
  plan jsonb;
  found int[];
  expected int[];
BEGIN
  FOREACH kind IN ARRAY '{Index Scan,Index Only Scan,Bitmap Index Scan}'::text[] LOOP
    -- enable_indexscan is for index-only scans, too
    PERFORM set_config('enable_indexscan', (kind <> 'Bitmap Index Scan')::text, true), set_config('enable_indexonlyscan', (kind = 'Index Only Scan')::text, true),
            set_config('enable_bitmapscan', (kind = 'Bitmap Index Scan')::text, true);
    FOREACH operator IN ARRAY '{&&,@>,<@,~=,<<,&<,&>,>>,<<|,&<|,|&>,|>>}'::text[] LOOP
      FOREACH query IN ARRAY '{"((10,10),(200,300))","((500,500),(500,500))","((-1e9,-1e9),(1e9,1e9))","((2000,0),(3000,1))"}'::text[] LOOP
        plan := plan_of(format('SELECT b FROM t WHERE b %s %L', operator, query));
        SELECT ARRAY[inner_tuples, leaf_chains, leaf_tuples, rows] INTO expected FROM spqtree_explain('t_b', query::box, operator);
        SELECT ARRAY[n #>> '{Spqtree,Inner Pages}', n #>> '{Spqtree,Leaf Pages}', n #>> '{Spqtree,Entries}', n #>> '{Spqtree,Matches}']::int[] INTO found
        FROM nodes_of(plan) n WHERE n ->> 'Node Type' = kind;
        IF found IS DISTINCT FROM expected THEN
          RETURN NEXT format('%s by %s of %s: %s, not %s', kind, operator, query, found, expected);
        END IF;
      END LOOP;
    END LOOP;
  END LOOP;
  PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_indexonlyscan', 'on', true), set_config('enable_bitmapscan', 'on', true);
END $$;

CREATE FUNCTION wrong() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  all_leaves int := (SELECT leaf_chains FROM spqtree_stats('t_b'));
  found int[];
  plan jsonb;
  node jsonb;
  line text;
BEGIN
  IF NOT has_option() THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM of_scans();
  SET LOCAL enable_bitmapscan = off;

  -- the height
  plan := plan_of('SELECT id FROM t WHERE b && ''(1,1),(2,2)''');
  IF (jsonb_path_query_first(plan, '$.**.Height'))::int IS DISTINCT FROM (SELECT max_depth + 1 FROM spqtree_stats('t_b') WHERE max_depth > 0) THEN
    RETURN NEXT 'height';
  END IF;
  IF (jsonb_path_query_first(plan_of('SELECT FROM empty WHERE b && ''(1,1),(2,2)'''), '$.**.Height'))::int IS DISTINCT FROM 1 THEN
    RETURN NEXT 'height of an empty index';
  END IF;

  -- all loops together
  SELECT ARRAY[sum(inner_tuples), sum(leaf_chains), sum(leaf_tuples), sum(rows)] INTO found FROM q, LATERAL spqtree_explain('t_b', q.b);
  IF counts('SELECT t.id FROM q JOIN t ON t.b && q.b') IS DISTINCT FROM found THEN
    RETURN NEXT 'loops: ' || plan_of('SELECT t.id FROM q JOIN t ON t.b && q.b')::text;
  END IF;

  -- the chain of NULLs
  found := counts('SELECT id FROM t WHERE b IS NULL');
  IF found[1] <> 0 OR found[2] <> (SELECT count(*) FROM spqtree_nodes('t_b') WHERE null_keys) OR found[3] <> found[4] OR found[4] <> 219 THEN
    RETURN NEXT 'nulls: ' || found::text;
  END IF;

  -- in order of distance: all leaves, or few
  found := counts('SELECT id FROM t WHERE b IS NOT NULL ORDER BY b <-> point(3,3)');
  IF found[2] <> all_leaves OR found[3] <> 9000 - 219 OR found[4] <> 9000 - 219 THEN
    RETURN NEXT 'nearest: ' || found::text;
  END IF;
  found := counts('SELECT id FROM t ORDER BY b <-> point(3,3) LIMIT 10');
  IF found[1] < 1 OR found[2] < 1 OR found[2] >= all_leaves OR found[4] < 10 OR found[4] > found[3] THEN
    RETURN NEXT 'ten nearest: ' || found::text;
  END IF;
  found := counts('SELECT id FROM t WHERE b && ''(0,0),(100,100)'' ORDER BY b <-> point(3,3)');
  IF found[4] <> (SELECT rows FROM spqtree_explain('t_b', '(0,0),(100,100)')) THEN
    RETURN NEXT 'nearest that overlap: ' || found::text;
  END IF;

  -- an early end
  found := counts('SELECT id FROM t WHERE b IS NOT NULL LIMIT 1');
  IF found[2] <> 1 THEN
    RETURN NEXT 'limit: ' || found::text;
  END IF;

  -- ranges of text have no numbers: the executor rechecks each row
  plan := plan_of('SELECT id FROM s WHERE t && textrange(''3'', ''4'')');
  SELECT n INTO node FROM nodes_of(plan) n;
  IF (node #>> '{Spqtree,Rechecked}')::int IS DISTINCT FROM 700 OR (node ->> 'Rows Removed by Index Recheck')::int + (node ->> 'Actual Rows')::float8 IS DISTINCT FROM 700::float8 THEN
    RETURN NEXT 'rechecked: ' || plan::text;
  END IF;
  plan := plan_of('SELECT id FROM r WHERE n && ''[30,40)''');
  SELECT n INTO node FROM nodes_of(plan) n;
  IF (node #>> '{Spqtree,Rechecked}')::int IS DISTINCT FROM 0 OR (node #>> '{Spqtree,Matches}')::int IS DISTINCT FROM (SELECT count(*) FROM r WHERE n && '[30,40)') THEN
    RETURN NEXT 'not rechecked: ' || plan::text;
  END IF;

  -- only for indexes of the access method, if it is asked for, and for what is executed
  IF plan_of('SELECT id FROM g WHERE b && ''(0,0),(100,100)''') @? '$.**.Spqtree' THEN
    RETURN NEXT 'gist';
  END IF;
  IF plan_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)''', 'SPQTREE off') @? '$.**.Spqtree' OR
    plan_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)''', 'VERBOSE') @? '$.**.Spqtree' THEN
    RETURN NEXT 'not asked for';
  END IF;
  IF (SELECT count(*) FROM nodes_of(plan_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)'' UNION ALL SELECT id FROM r WHERE n && ''[30,40)'''))) <> 2 THEN
    RETURN NEXT 'two scans';
  END IF;
  IF counts('SELECT t.id FROM (SELECT * FROM q LIMIT 0) q JOIN t ON t.b && q.b') IS DISTINCT FROM '{0,0,0,0}'::int[] OR
    text_of('SELECT t.id FROM (SELECT * FROM q LIMIT 0) q JOIN t ON t.b && q.b', 'SPQTREE') ~ 'Spqtree: height' THEN
    RETURN NEXT 'never executed';
  END IF;

  -- the formats
  found := counts('SELECT id FROM t WHERE b && ''(0,0),(100,100)''');
  line := text_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)''', 'SPQTREE');
  IF line !~ format('\n +Spqtree: height=\d+ inner=%s leaf=%s entries=%s matches=%s\n', VARIADIC found::text[]) THEN
    RETURN NEXT line;
  END IF;
  line := text_of('SELECT id FROM s WHERE t && textrange(''3'', ''4'')', 'SPQTREE');
  IF line !~ '\n +Spqtree: height=\d+ inner=\d+ leaf=\d+ entries=700 matches=700 rechecked=700\n' THEN
    RETURN NEXT line;
  END IF;
  line := text_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)''', 'SPQTREE, FORMAT yaml');
  IF line !~ format('Spqtree: *\n +Height: \d+ *\n +Inner Pages: %s *\n +Leaf Pages: %s *\n +Entries: %s *\n +Matches: %s *\n +Rechecked: 0 *\n +Leader Only: false', VARIADIC found::text[]) THEN
    RETURN NEXT line;
  END IF;
  line := text_of('SELECT id FROM t WHERE b && ''(0,0),(100,100)''', 'SPQTREE, FORMAT xml');
  IF line !~ format('<Spqtree>\s+<Height>\d+</Height>\s+<Inner-Pages>%s</Inner-Pages>\s+<Leaf-Pages>%s</Leaf-Pages>\s+<Entries>%s</Entries>\s+<Matches>%s</Matches>\s+<Rechecked>0</Rechecked>\s+<Leader-Only>false</Leader-Only>\s+</Spqtree>', VARIADIC found::text[]) THEN
    RETURN NEXT line;
  END IF;

  -- as WAL and TIMING do
  IF refused('SPQTREE') IS NOT NULL OR refused('SPQTREE off') IS NOT NULL OR
    refused('ANALYZE, SPQTREE maybe') IS DISTINCT FROM 'spqtree requires a Boolean value' THEN
    RETURN NEXT 'refused: ' || concat_ws(', ', refused('SPQTREE'), refused('SPQTREE off'), refused('ANALYZE, SPQTREE maybe'));
  END IF;

  -- with workers: what the leader read
  SET LOCAL max_parallel_workers_per_gather = 2;
  SET LOCAL parallel_setup_cost = 0;
  SET LOCAL parallel_tuple_cost = 0;
  SET LOCAL min_parallel_index_scan_size = 0;
  SET LOCAL min_parallel_table_scan_size = 0;
  plan := plan_of('SELECT count(*) FROM t WHERE b && ''(0,0),(900,900)''');
  SELECT n INTO node FROM nodes_of(plan) n;
  IF (node ->> 'Parallel Aware')::bool IS DISTINCT FROM true OR (node #>> '{Spqtree,Leader Only}')::bool IS DISTINCT FROM true OR
    (node #>> '{Spqtree,Leaf Pages}')::int NOT BETWEEN 0 AND all_leaves THEN
    RETURN NEXT 'workers: ' || plan::text;
  END IF;
  IF text_of('SELECT count(*) FROM t WHERE b && ''(0,0),(900,900)''', 'SPQTREE') !~ ' matches=\d+ \(leader only\)\n' THEN
    RETURN NEXT text_of('SELECT count(*) FROM t WHERE b && ''(0,0),(900,900)''', 'SPQTREE');
  END IF;
END $$;
SELECT * FROM wrong();
DROP SCHEMA explain_option CASCADE;
