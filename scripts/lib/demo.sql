-- Show one query: its text, its plan with spqtree, and its time with and without spqtree.
-- Fail if the rows differ.
--
-- Variables: query; join, 1 if the query joins two tables, then without ORDER BY; bold,
-- dim and plain for the terminal.

-- Return the median time of a query in the server, planned each time.
CREATE FUNCTION pg_temp.median_ms(query text, runs int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  started timestamptz;
  ms float8[];
BEGIN
  FOR run IN 1..runs LOOP
    started := clock_timestamp();
    EXECUTE query;
    ms[run] := extract(epoch FROM clock_timestamp() - started) * 1000;
  END LOOP;
  RETURN (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY m) FROM unnest(ms) m);
END $$;

CREATE FUNCTION pg_temp.answer(query text, OUT number bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), md5(coalesce(string_agg(q::text, '' '' ORDER BY q::text), '''')) FROM (%s) q', query)
    INTO number, digest;
END $$;

-- Return how the table is read: "Index Only Scan", "Parallel Seq Scan" and so on.
CREATE FUNCTION pg_temp.scan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ ' on ' THEN
      RETURN lower(regexp_replace(substring(line FROM '([A-Z][A-Za-z ]*?) (?:using|on) '), 'Seq ', 'sequential '));
    END IF;
  END LOOP;
END $$;

\if :join
  \set timed 'SELECT count(*) FROM (' :query ') q'
  \set runs 3
  \set other_runs 3
  \set digits FM99990.0
  \set rows pairs
\else
  \set timed :query
  \set runs 51
  \set other_runs 11
  \set digits FM99990.000
  \set rows rows
\endif

\echo '  ':query';'
\echo
\o | sed "s/^/    /"
\echo -n :dim
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) :query;
\o
\echo :plain

SELECT pg_temp.median_ms(:'timed', :runs) AS ms, pg_temp.scan(:'query') AS plan \gset
SELECT number, digest FROM pg_temp.answer(:'query') \gset

\if :join
  SET spqtree.enable_hashjoin = off;
  SET spqtree.enable_equivalents = off;
\else
  SET enable_indexscan = off;
  SET enable_indexonlyscan = off;
  SET enable_bitmapscan = off;
\endif

SELECT pg_temp.median_ms(:'timed', :other_runs) AS other_ms, pg_temp.scan(:'query') AS other_plan \gset
SELECT digest AS other_digest FROM pg_temp.answer(:'query') \gset

\if :join
  \set plan 'spatial hash join'
  \set other_plan 'nested loop, with index'
\endif

SELECT :'digest' IS DISTINCT FROM :'other_digest' AS differ \gset
\if :differ
  DO $$ BEGIN RAISE 'the rows with and without spqtree differ'; END $$;
\endif

SELECT format(E'  %s %s ms\n  %s %s ms\n',
              rpad(:'plan', 24), lpad(to_char(:ms, :'digits'), 9),
              rpad(:'other_plan', 24), lpad(to_char(:other_ms, :'digits'), 9))
       || format('  %s%s times as fast%s, the same %s %s', :'bold',
                 to_char(:other_ms / :ms, CASE WHEN :other_ms < 10 * :ms THEN 'FM990.0' ELSE 'FM999,990' END),
                 :'plain', to_char(:number, 'FM999,999,999'), CASE WHEN :number = 1 THEN rtrim(:'rows', 's') ELSE :'rows' END);
