--
-- The spatial hash join in EXPLAIN, in all formats.  Numbers that depend on the
-- machine or the version are shown as N.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
CREATE SCHEMA node_explain;
SET search_path = node_explain;
CREATE TABLE l AS SELECT i AS id, box(point(i % 100, i / 100), point(i % 100 + 0.5, i / 100 + 0.5)) AS b, i % 3 AS k, repeat('x', 50) AS pad FROM generate_series(0, 9999) i;
CREATE TABLE r AS SELECT id, b + point(0.25, 0.25) AS b, k, pad FROM l WHERE id % 2 = 0;
ANALYZE l, r;
SET enable_nestloop = off;
SET enable_mergejoin = off;

-- Return the lines of the join only, from its name to its first child, which are in
-- the same order in all formats.
CREATE FUNCTION explained(options text, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  part text;
  line text;
BEGIN
  FOR part IN EXECUTE format('EXPLAIN (COSTS OFF, TIMING OFF, SUMMARY OFF%s) %s', options, query) LOOP
    FOREACH line IN ARRAY string_to_array(part, E'\n') LOOP
      IF line ~ '(Spatial|Join|Cell|Level|Copies|Batches|Memory|Candidates|Match|Build|Probe|Filter|Process|Output)' AND line !~ '(Parent|Rows"?: |Relationship)' OR line ~ 'Rows Removed' THEN
        RETURN NEXT regexp_replace(regexp_replace(line, '\d+(\.\d+)?(e[+-]\d+)?(?=( |,|$|kB|\)| per|<))', 'N', 'g'), ' +$', '');
      END IF;
    END LOOP;
  END LOOP;
END $$;
\set query 'SELECT l.id, r.id FROM l JOIN r ON l.b && r.b AND l.k = r.k AND l.id + r.id > 100'
SELECT explained('', :'query');
SELECT explained(', VERBOSE', :'query');
SELECT explained(', ANALYZE', :'query');
SELECT explained(', ANALYZE, FORMAT JSON', :'query');
SELECT explained(', ANALYZE, FORMAT XML', :'query');
SELECT explained(', ANALYZE, FORMAT YAML', :'query');
SELECT explained(', FORMAT JSON', :'query');
-- without a filter, without an equality
SELECT explained(', ANALYZE', 'SELECT FROM l JOIN r ON l.b && r.b');
-- without rows, and never executed
SELECT explained(', ANALYZE', 'SELECT FROM (SELECT * FROM l LIMIT 0) l JOIN (SELECT * FROM r LIMIT 0) r ON l.b && r.b');
SELECT explained(', ANALYZE', 'SELECT FROM l JOIN r ON l.b && r.b LIMIT 0');

-- Its counts are right.
CREATE FUNCTION counted(name text, query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, '$.** ? (@."Custom Plan Provider" == "Spqtree Spatial Hash Join")') ->> name;
END $$;
\set all 'SELECT l.id, r.id, l.pad, r.pad FROM l JOIN r ON l.b && r.b'
\set some 'SELECT l.id, r.id FROM l JOIN r ON l.b && r.b AND l.id + r.id > 5000'
SET work_mem = '64MB';
SELECT counted('Actual Rows', :'all') = (SELECT count(*) FROM l, r WHERE l.b && r.b) AS rows, counted('Batches', :'all') AS batches,
       counted('Candidates', :'all') >= counted('Matches', :'all') AS candidates, counted('Matches', :'all') = counted('Actual Rows', :'all') AS matches;
SELECT counted('Matches', :'some') - counted('Rows Removed by Join Filter', :'some') = counted('Actual Rows', :'some') AS filtered;
SET work_mem = '64kB';
SELECT counted('Batches', :'all') > 1 AS batches, counted('Memory Usage', :'all') BETWEEN 1 AND 256 AS memory,
       counted('Actual Rows', :'all') = (SELECT count(*) FROM l, r WHERE l.b && r.b) AS rows;
DROP SCHEMA node_explain CASCADE;
