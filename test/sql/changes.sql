--
-- Changes between two states: pairs that enter and leave are those of EXCEPT of two
-- nested loops, in two and three dimensions, in memory and on disk.
--
-- SPQTREE_SEED may give another seed than 1, or "time" for a new one, as in random.sql;
-- the output should be the same.
--
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE TABLE changes_seed AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: changes of pairs with seed %', (SELECT seed FROM changes_seed); END $$;

-- What changes, in a few rows.
CREATE TABLE changes_row (state text, id int, b box);
INSERT INTO changes_row VALUES
  ('before', 1, '(0,0),(1,1)'), ('before', 2, '(1,1),(2,2)'), ('before', 3, '(9,9),(8,8)'), ('before', 4, '(8,8),(7,7)'),
  ('before', 5, NULL), ('before', 6, '(NaN,0),(0,0)'), ('before', 7, '(0.5,0.5),(0.5,0.5)'),
  -- 2 is where it was, 3 has moved to 1 and 2, 4 is missing, 5 and 6 have a place, 7 has none, 8 is new
  ('after', 8, '(0,0),(0,0)'), ('after', 3, '(1,1),(1,1)'), ('after', 2, '(1,1),(2,2)'), ('after', 1, '(0,0),(1,1)'),
  ('after', 5, '(2,2),(3,3)'), ('after', 6, '(20,20),(21,21)'), ('after', 7, NULL);
\set before 'SELECT id, b FROM changes_row WHERE state = ''before'''
\set after 'SELECT id, b FROM changes_row WHERE state = ''after'''
SELECT * FROM spqtree_self_join_changes(:'before', :'after') ORDER BY 1, 2, 3;
SELECT * FROM spqtree_self_join_changes(:'after', :'before') ORDER BY 1, 2, 3;
SELECT * FROM spqtree_self_join_changes(:'before', :'before');
SELECT * FROM spqtree_self_join_changes(:'before', :'after', 17) ORDER BY 1, 2, 3;
-- pairs instead of a state, in any order and more than once
SELECT * FROM spqtree_self_join_changes('VALUES (2, 1), (1, 2), (99, 3::smallint)', :'after') ORDER BY 1, 2, 3;
-- pairs of one object with itself are none; what was held of them leaves
SELECT * FROM spqtree_self_join_changes('VALUES (7, 7)', $$SELECT 1, box '(0,0),(1,1)' FROM generate_series(1, 3)$$);
-- an object of several boxes: a pair as long as any two of them meet
SELECT * FROM spqtree_self_join_changes($$VALUES (1, box '(0,0),(1,1)'), (1, '(5,5),(6,6)'), (2, '(1,1),(5,5)'), (3, '(6,6),(6,6)')$$,
                                        $$VALUES (1, box '(0,0),(1,1)'), (1, '(50,5),(51,6)'), (2, '(1,1),(5,5)'), (3, '(6,6),(6,6)'), (3, '(0,0),(0,0)'), (3, '(50,5),(50,5)')$$) ORDER BY 1, 2, 3;
-- two sides, whose ids are apart: 1 and 1 is a pair, and (1, 2) another than (2, 1)
SELECT * FROM spqtree_join_changes('VALUES (1, 1), (2, 1), (2, 1)', $$VALUES (1, box '(0,0),(5,5)'), (2, '(9,9),(9,9)')$$,
                                   $$VALUES (1, box '(0,0),(1,1)'), (2, '(3,3),(4,4)')$$, '@>') ORDER BY 1, 2, 3;
-- leaving takes a larger distance than entering
SELECT x, array_agg(kind) FROM unnest('{1,2,2.5,3,3.5}'::float8[]) x,
  LATERAL (SELECT * FROM spqtree_self_join_changes('SELECT 1, 2', format('VALUES (1, box ''(0,0),(0,0)''), (2, ''(%s,0),(%1$s,0)'')', x), 2, 3)
           UNION ALL SELECT * FROM spqtree_self_join_changes('SELECT 1, 2 WHERE false', format('VALUES (1, box ''(0,0),(0,0)''), (2, ''(%s,0),(%1$s,0)'')', x), 2, 3)) c
GROUP BY 1 ORDER BY 1;
-- the answers are the same inlined and not, and stop early
SELECT count(*) FROM (SELECT * FROM spqtree_self_join_changes('SELECT 0, 0 WHERE false', $$SELECT i, box '(0,0),(1,1)' FROM generate_series(1, 100000) i$$) LIMIT 3) s;
SELECT n, (SELECT count(*) FROM spqtree_self_join_changes('SELECT 0, 0', format('SELECT i, box(point(i, 0), point(i + 1, 0)) FROM generate_series(1, %s) i', n))) FROM generate_series(0, 3) n;
SELECT * FROM _spqtree_self_join_changed_pairs('SELECT 3, 1', 'SELECT 1, NULL::box', NULL, NULL);
EXPLAIN (COSTS off) SELECT * FROM spqtree_self_join_changes('SELECT 3, 1', 'SELECT 1, NULL::box');

-- Random states.  Every eleventh id has two boxes, some boxes are NULL or have a NaN, and one of
-- ten objects of a state is missing in the other; a third has not moved.
CREATE FUNCTION changes_box(n bigint, state int, i int, part int) RETURNS box LANGUAGE sql AS $$
  SELECT CASE WHEN i % 31 = 7 * state THEN NULL
              WHEN i % 37 = 5 * state THEN box(point('NaN', y), point(x, y))
              ELSE box(point(x, y), point(x + w, y + w)) END
  FROM (SELECT 24 * tst.rnd(n, i, part) + m * (tst.rnd(n, i, 10 + state) - 0.5) AS x,
               24 * tst.rnd(n, i, 2 + part) + m * (tst.rnd(n, i, 20 + state) - 0.5) AS y, 2 * tst.rnd(n, i, 5) ^ 3 AS w
        FROM (VALUES (CASE WHEN i % 3 = 0 THEN 0 ELSE 3 END)) v(m)) s
$$;
CREATE TABLE changes_state AS
SELECT n, state, i AS id, changes_box(s.seed * 100 + n, state, i, part) AS b
FROM changes_seed s, generate_series(1, 3) n, generate_series(1, 3) state, generate_series(1, 100) i, generate_series(0, CASE WHEN i % 11 = 0 THEN 1 ELSE 0 END) part
WHERE (i + state * 3) % 10 > 0;
CREATE TABLE changes_state3 AS
SELECT n, state, id, box3(b, z, z + h) AS b, point3((b[0])[0], (b[0])[1], z) AS p
FROM (SELECT *, 4 * tst.rnd(77 + n, id, state) AS z, tst.rnd(78 + n, id, state) AS h FROM changes_state OFFSET 0) s;
ANALYZE changes_state, changes_state3;

-- The nested loop: pairs of a state, by overlap or within a distance.
CREATE FUNCTION changes_gap(a box, b box) RETURNS float8 IMMUTABLE LANGUAGE sql
RETURN point(0, 0) <-> point(greatest((a[1])[0] - (b[0])[0], (b[1])[0] - (a[0])[0], 0),
                             greatest((a[1])[1] - (b[0])[1], (b[1])[1] - (a[0])[1], 0));
CREATE FUNCTION changes_gap(a box3, b box3) RETURNS float8 IMMUTABLE LANGUAGE sql RETURN a <-> b;
CREATE FUNCTION changes_gap(a point3, b point3) RETURNS float8 IMMUTABLE LANGUAGE sql RETURN a <-> b;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET spqtree.enable_hashjoin = off;
CREATE TABLE changes_pair AS
SELECT 'box' AS type, l.n, l.state, l.id AS id1, r.id AS id2, min(CASE WHEN l.b && r.b THEN 0 ELSE changes_gap(l.b, r.b) END) AS gap
FROM changes_state l JOIN changes_state r ON r.n = l.n AND r.state = l.state AND r.id > l.id
WHERE NOT 'NaN' IN ((l.b[0])[0], (l.b[1])[0], (r.b[0])[0], (r.b[1])[0]) GROUP BY 2, 3, 4, 5
UNION ALL
SELECT 'box3', l.n, l.state, l.id, r.id, min(CASE WHEN l.b && r.b THEN 0 ELSE changes_gap(l.b, r.b) END)
FROM changes_state3 l JOIN changes_state3 r ON r.n = l.n AND r.state = l.state AND r.id > l.id
WHERE (l.b && l.b) AND (r.b && r.b) GROUP BY 2, 3, 4, 5
UNION ALL
SELECT 'point3', l.n, l.state, l.id, r.id, min(l.p <-> r.p)
FROM changes_state3 l JOIN changes_state3 r ON r.n = l.n AND r.state = l.state AND r.id > l.id
WHERE (l.b && l.b) AND (r.b && r.b) AND l.p IS NOT NULL GROUP BY 2, 3, 4, 5;
DELETE FROM changes_pair WHERE gap IS NULL OR gap > 5 OR gap = 'NaN';

-- Compare one call with the difference of two sets; a row for each that is missing or too many.
CREATE FUNCTION changes_wrong(truth text, call text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
  EXECUTE format('WITH truth AS MATERIALIZED (%s), found AS MATERIALIZED (%s)
                  SELECT count(*) FROM ((TABLE truth EXCEPT ALL TABLE found) UNION ALL (TABLE found EXCEPT ALL TABLE truth)) s', truth, call) INTO wrong;
  IF wrong > 0 THEN RAISE WARNING '% wrong: % instead of %', wrong, call, truth; END IF;
  RETURN wrong;
END $$;
CREATE FUNCTION changes_truth(held text, stays text, enters text) RETURNS text IMMUTABLE LANGUAGE sql
RETURN format('SELECT ''enter'' AS kind, e.* FROM (%3$s EXCEPT %1$s) e UNION ALL SELECT ''leave'', e.* FROM (%1$s EXCEPT %2$s) e', held, stays, enters);
CREATE FUNCTION changes_query(type text, n int, state int) RETURNS text IMMUTABLE LANGUAGE sql
RETURN format('SELECT id, %s FROM changes_state%s WHERE n = %s AND state = %s', CASE type WHEN 'point3' THEN 'p' ELSE 'b' END, CASE WHEN type <> 'box' THEN '3' END, n, state);
CREATE FUNCTION changes_pairs(type text, n int, state int, distance float8) RETURNS text IMMUTABLE LANGUAGE sql
RETURN format('(SELECT id1, id2 FROM changes_pair WHERE type = %L AND n = %s AND state = %s AND gap <= %s)', type, n, state, coalesce(distance, 0));

CREATE FUNCTION changes_check(memory text, OUT type text, OUT calls bigint, OUT wrong bigint)
RETURNS SETOF record LANGUAGE sql AS $$
  SELECT set_config('work_mem', memory, true);
  SELECT type, count(*), sum(changes_wrong(truth, call))
  FROM unnest('{box,box3,point3}'::text[]) type, generate_series(1, 3) n, unnest('{NULL,0.7,2.5}'::float8[]) d,
       LATERAL (SELECT changes_truth(changes_pairs(type, n, 1, d), changes_pairs(type, n, 2, d), changes_pairs(type, n, 2, d)) AS truth) t,
       LATERAL (VALUES (format('SELECT * FROM spqtree_self_join_changes(%L, %L, %L)', changes_query(type, n, 1), changes_query(type, n, 2), d)),
                       (format('SELECT * FROM spqtree_self_join_changes(%L, %L, %L)', changes_pairs(type, n, 1, d), changes_query(type, n, 2), d))) c(call)
  GROUP BY type
$$;
SELECT memory, c.type, calls, wrong FROM unnest('{64kB,4MB}'::text[]) memory, changes_check(memory) c ORDER BY 1, 2;
-- they do not all hold, and not all are new
SELECT type, count(*) FILTER (WHERE in1 AND in2) > 20 AS stay, count(*) FILTER (WHERE in1 AND NOT in2) > 20 AS leave, count(*) FILTER (WHERE in2 AND NOT in1) > 20 AS enter
FROM (SELECT type, n, id1, id2, bool_or(state = 1) AS in1, bool_or(state = 2) AS in2 FROM changes_pair WHERE state < 3 AND gap <= 2.5 GROUP BY 1, 2, 3, 4) p GROUP BY 1 ORDER BY 1;

-- A second distance: three frames, with the pairs kept as the manual says.
CREATE TABLE changes_held (type text, n int, id1 bigint, id2 bigint, PRIMARY KEY (type, n, id1, id2));
CREATE FUNCTION changes_frame(type text, n int, state int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  held text := format('(SELECT id1, id2 FROM changes_held WHERE type = %L AND n = %s)', type, n);
  call text := format('SELECT * FROM spqtree_self_join_changes(%L, %L, 0.7, 2.5)', held, changes_query(type, n, state));
  -- what stays is within the larger distance; what enters, within the smaller
  wrong bigint := changes_wrong(changes_truth(held, changes_pairs(type, n, state, 2.5), changes_pairs(type, n, state, 0.7)), call);
BEGIN
  EXECUTE format('WITH c AS MATERIALIZED (%s), d AS (DELETE FROM changes_held h USING c WHERE c.kind = ''leave'' AND h.type = %2$L AND h.n = %3$s AND (h.id1, h.id2) = (c.id1, c.id2))
                  INSERT INTO changes_held SELECT %2$L, %3$s, id1, id2 FROM c WHERE kind = ''enter''', call, type, n);
  -- what is held now holds by the definition
  EXECUTE format('SELECT $1 + count(*) FROM (%s EXCEPT %s) s', held, changes_pairs(type, n, state, 2.5)) INTO wrong USING wrong;
  RETURN wrong;
END $$;
SELECT state, type, sum(changes_frame(type, n, state)) AS wrong
FROM generate_series(1, 3) state, unnest('{box,box3,point3}'::text[]) type, generate_series(1, 3) n GROUP BY 1, 2 ORDER BY 1, 2;
SELECT type, count(*) > 0 AS held FROM changes_held GROUP BY 1 ORDER BY 1;
-- some are held that have not been near in the last state, but were before
SELECT count(*) > 0 AS between FROM changes_held h JOIN changes_pair p USING (type, n, id1, id2) WHERE state = 3 AND gap > 0.7;

-- Two sides, with every predicate, from the pairs of another state.
SELECT memory, predicate, distance, sum(changes_wrong(
  changes_truth(before, after, after),
  format('SELECT * FROM spqtree_join_changes(%L, %L, %L, %L, %L)', before, changes_query('box', n, 1), changes_query('box', n, 3), predicate, distance))) AS wrong
FROM unnest('{64kB,4MB}'::text[]) memory, generate_series(1, 3) n, (VALUES ('&&', NULL::float8), ('@>', NULL), ('<@', NULL), ('~=', NULL), ('&&', 1)) v(predicate, distance),
     LATERAL (SELECT format('(SELECT l.id, r.id FROM (%s) l JOIN (%s) r ON l.b %s r.b%s)', changes_query('box', n, 1), changes_query('box', n, 2), predicate,
                            CASE WHEN distance = 1 THEN ' OR changes_gap(l.b, r.b) <= 1 AND NOT ''NaN'' IN ((l.b[0])[0], (r.b[0])[0])' END),
                     format('(SELECT l.id, r.id FROM (%s) l JOIN (%s) r ON l.b %s r.b%s)', changes_query('box', n, 1), changes_query('box', n, 3), predicate,
                            CASE WHEN distance = 1 THEN ' OR changes_gap(l.b, r.b) <= 1 AND NOT ''NaN'' IN ((l.b[0])[0], (r.b[0])[0])' END)) q(before, after),
     LATERAL set_config('work_mem', memory, true) m
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- More pairs than memory: at every moment at which the table is given up, and after it.
CREATE FUNCTION changes_many(first int, last int) RETURNS text IMMUTABLE LANGUAGE sql
RETURN format('SELECT i, box(point(i, 0), point(i + 3, 0)) FROM generate_series(%s, %s) i', first, last);
SET work_mem = '64kB';
SELECT last, count(*) FILTER (WHERE kind = 'leave') AS leave, count(*) FILTER (WHERE kind = 'enter') AS enter, count(DISTINCT (kind, id1, id2)) = count(*) AS once
FROM unnest('{0,30,100,160,500,1500}'::int[]) last, LATERAL spqtree_self_join_changes(changes_many(1, last), changes_many(20, 3000)) GROUP BY 1 ORDER BY 1;
SELECT last, count(*) FILTER (WHERE kind = 'leave') AS leave, count(*) FILTER (WHERE kind = 'enter') AS enter, count(DISTINCT (kind, id1, id2)) = count(*) AS once
FROM unnest('{30,100,160,500,1500}'::int[]) last,
     LATERAL spqtree_self_join_changes(format('SELECT * FROM spqtree_self_join(%L, 2)', changes_many(1, last)), changes_many(20, 3000), 0.5, 2) GROUP BY 1 ORDER BY 1;
-- ids that repeat, many times over
SELECT last, distance, changes_wrong(
  changes_truth(before, after, after),
  format('SELECT * FROM spqtree_self_join_changes(%L, %L, %L)', replace(changes_many(1, last), 'SELECT i,', 'SELECT i % 211,'), replace(changes_many(40, 1000), 'SELECT i,', 'SELECT i % 211,'), distance)) AS wrong
FROM unnest('{0,50,300,900}'::int[]) last, unnest('{NULL,5}'::float8[]) distance,
     LATERAL (SELECT format('(SELECT * FROM spqtree_self_join(%L, %L) WHERE id1 < id2)', replace(changes_many(1, last), 'SELECT i,', 'SELECT i % 211,'), distance),
                     format('(SELECT * FROM spqtree_self_join(%L, %L) WHERE id1 < id2)', replace(changes_many(40, 1000), 'SELECT i,', 'SELECT i % 211,'), distance)) q(before, after)
ORDER BY 1, 2;
SET temp_file_limit = 0;
\set VERBOSITY sqlstate
SELECT count(*) FROM spqtree_self_join_changes('SELECT i, i + 1 FROM generate_series(1, 20000) i', 'SELECT 1, NULL::box');
\set VERBOSITY default
RESET temp_file_limit;
RESET work_mem;

-- A cursor that is closed early, an error inside, a rollback.
BEGIN;
DECLARE changes_cursor CURSOR FOR SELECT kind FROM spqtree_self_join_changes('SELECT i, i FROM generate_series(1, 1000) i', changes_many(1, 1000));
FETCH 1 changes_cursor;
SAVEPOINT s;
SELECT * FROM spqtree_self_join_changes('SELECT 1, 1 / 0', changes_many(1, 3));
ROLLBACK TO s;
FETCH 1 changes_cursor;
CLOSE changes_cursor;
COMMIT;
-- wherever it is then: in a query or in the join
\set SHOW_CONTEXT never
SET statement_timeout = '100ms';
SELECT count(*) FROM spqtree_self_join_changes('SELECT 1, 1', 'SELECT i, box ''(0,0),(1,1)'' FROM generate_series(1, 100000) i');
RESET statement_timeout;
\set SHOW_CONTEXT errors

-- As the caller sees the tables.
CREATE ROLE regress_changes;
CREATE TABLE changes_secret (id int, b box, owner name);
INSERT INTO changes_secret SELECT i, '(0,0),(1,1)', CASE WHEN i < 3 THEN 'regress_changes' ELSE 'other' END FROM generate_series(1, 5) i;
ALTER TABLE changes_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON changes_secret USING (owner = current_user);
GRANT SELECT ON changes_secret TO regress_changes;
SET ROLE regress_changes;
SELECT * FROM spqtree_self_join_changes('SELECT 0, 0 WHERE false', 'SELECT id, b FROM changes_secret');
SELECT * FROM spqtree_self_join_changes('SELECT id, b FROM changes_secret', 'SELECT 1, NULL::box');
\set SHOW_CONTEXT never
SELECT * FROM spqtree_self_join_changes('SELECT id, b FROM changes_row', 'SELECT 1, NULL::box');
RESET ROLE;
DROP TABLE changes_secret;
DROP ROLE regress_changes;

-- What is not accepted.
\set good 'SELECT 1, box ''(0,0),(1,1)'''
SELECT * FROM spqtree_self_join_changes(NULL, :'good');
SELECT * FROM spqtree_self_join_changes(:'good', NULL);
SELECT * FROM spqtree_self_join_changes(:'good', 'SELECT 1, 1');
SELECT * FROM spqtree_self_join_changes('SELECT 1, 1.5', :'good');
SELECT * FROM spqtree_self_join_changes('SELECT 1, NULL::int', :'good');
SELECT * FROM spqtree_self_join_changes('SELECT 1::numeric, 1', :'good');
SELECT * FROM spqtree_self_join_changes('SELECT 1, 1, 1', :'good');
SELECT * FROM spqtree_self_join_changes('DELETE FROM changes_row', :'good');
SELECT * FROM spqtree_self_join_changes(:'good', 'SELECT 1, box3 ''(0,0,0),(1,1,1)''');
SELECT * FROM spqtree_self_join_changes(:'good', :'good', 0);
SELECT * FROM spqtree_self_join_changes('SELECT 1, 1', :'good', 2, 1);
SELECT * FROM spqtree_self_join_changes('SELECT 1, 1', :'good', 2, 'NaN');
SELECT * FROM spqtree_self_join_changes(:'good', :'good', 1, 2);
SELECT * FROM spqtree_join_changes(NULL, :'good', :'good');
SELECT * FROM spqtree_join_changes('SELECT 1, 1', :'good', :'good', NULL);
SELECT * FROM spqtree_join_changes(:'good', :'good', :'good');
SELECT * FROM spqtree_join_changes('SELECT 1::text, 1', :'good', :'good');
SELECT * FROM spqtree_join_changes('SELECT 1, 1', :'good', 'SELECT 1, box3 ''(0,0,0),(1,1,1)''');
SELECT * FROM spqtree_join_changes('SELECT 1, 1', :'good', :'good', '@>', 1);
SELECT * FROM spqtree_join_changes('SELECT 1, 1', :'good', :'good', '@>', NULL, 1);
