-- Show one question: its query, the plan and time of each way to answer it without spqtree, and with it.
-- Fail if the rows differ, or if a plan without spqtree has a part of it.
--
-- Variables: query, with %s for what it selects; shown and columns, put there for the timed query and
-- to compare rows; other, the query without spqtree if it is another one, else empty; ways, schemas
-- with the tables and indexes of others, such as {gist,spgist}; planner, 1 if the tables in public
-- have no index of spqtree; loop, 1 to show spqtree's index without its join, too; bold, dim and
-- plain for the terminal.
--
-- Other people's indexes are on copies of the tables, in schemas: the planner would choose one of
-- several indexes on the same table.

\set QUIET on
SET client_min_messages = warning;

-- Return the median time of a query, planned each time: of 3 runs or more, or of those that begin within 2 s.
CREATE FUNCTION pg_temp.median_ms(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz := clock_timestamp();
  started timestamptz;
  ms float8[];
BEGIN
  FOR run IN 1..9 LOOP
    EXIT WHEN run > 1 AND clock_timestamp() - began > interval '2 s' OR run > 3 AND clock_timestamp() - began > interval '1 s';
    started := clock_timestamp();
    EXECUTE query;
    ms[run] := extract(epoch FROM clock_timestamp() - started) * 1000;
  END LOOP;
  RETURN (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY m) FROM unnest(ms) m);
END $$;

-- Return time, number of rows, a digest of them, and the plan, with the tables of a schema.
CREATE FUNCTION pg_temp.tried(query text, shown text, columns text, tables text, OUT ms float8, OUT number bigint,
  OUT digest numeric, OUT plan text) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  PERFORM set_config('search_path', tables || ', public', false);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || format(query, shown) LOOP
    plan := concat_ws(E'\n', plan, line);
  END LOOP;
  EXECUTE format('SELECT count(*), sum(hashtextextended(q::text, 0)) FROM (%s) q', format(query, columns)) INTO number, digest;
  ms := pg_temp.median_ms(format(query, shown));
END $$;

CREATE TEMP TABLE tried (at serial, name text, ours boolean, ms float8, number bigint, digest numeric, plan text);

SET spqtree.enable = off;
INSERT INTO tried (name, ours, ms, number, digest, plan)
SELECT CASE way WHEN 'gist' THEN 'GiST index' WHEN 'spgist' THEN 'SP-GiST index' WHEN 'cube' THEN 'GiST index of cube' ELSE 'GiST index of ' || way END, false, t.*
FROM unnest(:'ways'::text[]) WITH ORDINALITY AS w(way, n),
LATERAL pg_temp.tried(CASE WHEN :'other' = '' THEN :'query' ELSE :'other' END, :'shown', :'columns', way) AS t ORDER BY n;
RESET spqtree.enable;

\if :loop
  SET spqtree.enable_hashjoin = off;
  SET spqtree.enable_indexjoin = off;
  INSERT INTO tried (name, ours, ms, number, digest, plan)
  SELECT 'spqtree index, without its join', true, t.* FROM pg_temp.tried(:'query', :'shown', :'columns', 'public') AS t;
  RESET spqtree.enable_hashjoin;
  RESET spqtree.enable_indexjoin;
\endif
INSERT INTO tried (name, ours, ms, number, digest, plan)
SELECT CASE WHEN plan ~ 'Spatial Hash Join' THEN 'spatial hash join of spqtree' WHEN plan ~ 'Index Join' THEN 'join of indexes of spqtree' ELSE 'spqtree index' END, true, t.*
FROM pg_temp.tried(:'query', :'shown', :'columns', 'public') AS t;

DO $$ BEGIN
  IF (SELECT count(DISTINCT (number, digest)) FROM tried) > 1 THEN
    RAISE 'the rows with and without spqtree differ';
  ELSIF EXISTS (SELECT FROM tried WHERE NOT ours AND plan ~* 'spqtree') THEN
    RAISE 'a plan without spqtree has a part of it';
  ELSIF EXISTS (SELECT FROM tried WHERE ours AND plan !~* 'spqtree|_b\y') THEN
    RAISE 'a plan with spqtree has no part of it';
  END IF;
END $$;

SELECT '  ' || format(:'query', :'shown') || E';\n';
-- the plans of the best way without spqtree, and of the last one with it
WITH shown AS (
  SELECT *, at = first_value(at) OVER (PARTITION BY ours ORDER BY CASE WHEN ours THEN -at ELSE ms END) AS with_plan FROM tried)
SELECT format('  %s%s ms', rpad(name, 32), lpad(to_char(ms, CASE WHEN ms < 10 THEN 'FM0.000' ELSE 'FM999,990.0' END), 10))
  || CASE WHEN with_plan THEN format(E'\n%s%s%s', :'dim', regexp_replace(plan, '^', '      ', 'gn'), :'plain') ELSE '' END
FROM shown ORDER BY at;

SELECT format(E'\n  %s%s times as fast%s%s, the same %s %s', :'bold', to_char(others.ms / ours.ms, CASE WHEN others.ms < 10 * ours.ms THEN 'FM990.0' ELSE 'FM999,990' END),
  :'plain', CASE WHEN cardinality(:'ways'::text[]) > 1 THEN ' as the faster of these indexes' ELSE '' END,
  to_char(ours.number, 'FM999,999,999'), CASE WHEN ours.number = 1 THEN 'row' ELSE 'rows' END)
FROM (SELECT * FROM tried WHERE ours ORDER BY at DESC LIMIT 1) AS ours, (SELECT min(ms) AS ms FROM tried WHERE NOT ours) AS others;
