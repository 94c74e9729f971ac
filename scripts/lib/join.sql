-- Shows one join in plain SQL: its plan with the spatial hash join, and the time
-- it takes with and without it. Fails if the rows differ.
--
-- Variables: query (which gives two ids below a million), and bold, dim, plain
-- for the terminal. functions.sql comes first. The library is loaded.

-- each pair is a number of its own
CREATE FUNCTION pg_temp.pairs(query text, OUT number bigint, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), md5(string_agg(p::text, '','' ORDER BY p))
                  FROM (SELECT a::bigint * 1000000 + b AS p FROM (%s) q (a, b)) p', query)
    INTO number, digest;
END $$;

\echo '  ':query';'
\echo
\o | sed "s/^/    /"
\echo -n :dim
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) :query;
\o
\echo :plain

SELECT pg_temp.median_ms('SELECT count(*) FROM (' || :'query' || ') q', 3) AS join_ms \gset
SELECT number AS join_number, digest AS join_digest FROM pg_temp.pairs(:'query') \gset

SET spqtree.enable_hashjoin = off;

SELECT pg_temp.median_ms('SELECT count(*) FROM (' || :'query' || ') q', 3) AS loop_ms \gset
SELECT number AS loop_number, digest AS loop_digest FROM pg_temp.pairs(:'query') \gset

SELECT :'join_digest' IS DISTINCT FROM :'loop_digest' AS differ \gset
\if :differ
  DO $$ BEGIN RAISE 'the join gives other pairs than the nested loop'; END $$;
\endif

SELECT format(E'  %s %s ms\n  %s %s ms\n',
              rpad('spatial hash join', 24), lpad(to_char(:join_ms, 'FM99990.0'), 9),
              rpad('nested loop, with index', 24), lpad(to_char(:loop_ms, 'FM99990.0'), 9))
       || format('  %s%s times as fast%s, the same %s pairs', :'bold',
                 to_char(:loop_ms / :join_ms, 'FM9990.0'),
                 :'plain', to_char(:join_number, 'FM999,999,999'));
