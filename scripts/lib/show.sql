-- Shows one query: its text, its plan with the index, and the time it takes
-- with and without it. Fails if the rows differ.
--
-- Variables: query, and bold, dim, plain for the terminal. functions.sql comes first.

CREATE FUNCTION pg_temp.answer(query text, OUT number bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), md5(coalesce(string_agg(q::text, '' '' ORDER BY q::text), '''')) FROM (%s) q', query)
    INTO number, digest;
END $$;

-- How the table is read: "Index Only Scan", "Parallel Seq Scan" and so on
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

\echo '  ':query';'
\echo
\o | sed "s/^/    /"
\echo -n :dim
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) :query;
\o
\echo :plain

SELECT pg_temp.median_ms(:'query', 51) AS index_ms, pg_temp.scan(:'query') AS index_scan \gset
SELECT number AS index_number, digest AS index_digest FROM pg_temp.answer(:'query') \gset

SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;

SELECT pg_temp.median_ms(:'query', 11) AS other_ms, pg_temp.scan(:'query') AS other_scan \gset
SELECT number AS other_number, digest AS other_digest FROM pg_temp.answer(:'query') \gset

SELECT :'index_digest' IS DISTINCT FROM :'other_digest' AS differ \gset
\if :differ
  DO $$ BEGIN RAISE 'the index gives other rows than the sequential scan'; END $$;
\endif

SELECT format(E'  %s %s ms\n  %s %s ms\n',
              rpad(:'index_scan', 24), lpad(to_char(:index_ms, 'FM99990.000'), 9),
              rpad(:'other_scan', 24), lpad(to_char(:other_ms, 'FM99990.000'), 9))
       || format('  %s%s times as fast%s, the same %s rows', :'bold',
                 to_char(:other_ms / :index_ms, CASE WHEN :other_ms < 10 * :index_ms THEN 'FM990.0' ELSE 'FM999,990' END),
                 :'plain', :index_number);
