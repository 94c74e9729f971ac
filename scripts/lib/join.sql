-- Shows one join: by the function, and as a plain JOIN, which is a nested loop
-- with an index. Fails if the pairs differ.
--
-- Variables: left, right (queries), join (the same pairs as a plain join), and
-- bold, dim, plain for the terminal. functions.sql comes first.

SELECT format('SELECT * FROM spqtree_join(%L, %L)', :'left', :'right') AS query \gset
\echo '  ':query';'
\echo

SELECT pg_temp.median_ms('SELECT count(*) FROM (' || :'query' || ') q', 3) AS join_ms,
       pg_temp.median_ms('SELECT count(*) FROM (' || :'join' || ') q', 3) AS loop_ms \gset

-- each pair is a number of its own: ids are below a million
SELECT count(*) AS join_number, md5(string_agg(p::text, ',' ORDER BY p)) AS join_digest
FROM (SELECT left_id * 1000000 + right_id AS p FROM (:query) q) p \gset
SELECT count(*) AS loop_number, md5(string_agg(p::text, ',' ORDER BY p)) AS loop_digest
FROM (SELECT left_id::bigint * 1000000 + right_id AS p FROM (:join) q (left_id, right_id)) p \gset

SELECT :'join_digest' IS DISTINCT FROM :'loop_digest' AS differ \gset
\if :differ
  DO $$ BEGIN RAISE 'the join gives other pairs than the nested loop'; END $$;
\endif

\o | sed "s/^/    /"
\echo -n :dim
EXPLAIN (COSTS OFF) :join;
\o
\echo :plain

SELECT format(E'  %s %s ms\n  %s %s ms\n',
              rpad('spqtree_join', 24), lpad(to_char(:join_ms, 'FM99990.0'), 9),
              rpad('the plain join above', 24), lpad(to_char(:loop_ms, 'FM99990.0'), 9))
       || format('  %s%s times as fast%s, the same %s pairs', :'bold',
                 to_char(:loop_ms / :join_ms, 'FM9990.0'),
                 :'plain', to_char(:join_number, 'FM999,999,999'));
