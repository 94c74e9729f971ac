--
-- Keys of several ranges: two or three at the end of a key are axes of one box. Every pair of
-- conditions on both columns, against the sequential scan; NULL in one column or in all; scalars
-- before them, INCLUDE, arrays, multiranges, three and four ranges; constraints, changes, check.
--
SET jit = off;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
CREATE SCHEMA range_keys;
SET search_path = range_keys, public;

-- Few bounds, so that many are equal or adjacent: one range in seven is NULL, one in nine empty.
CREATE FUNCTION whole(seed int, i int, k int) RETURNS int4range IMMUTABLE LANGUAGE sql RETURN
  CASE WHEN tst.rndint(seed, i, k, 1, 7) = 1 THEN NULL WHEN tst.rndint(seed, i, k + 1, 1, 9) = 1 THEN 'empty'
       ELSE int4range(CASE WHEN tst.rndint(seed, i, k + 2, 1, 6) > 1 THEN tst.rndint(seed, i, k + 3, 0, 9) END,
                      CASE WHEN tst.rndint(seed, i, k + 2, 1, 6) < 6 THEN tst.rndint(seed, i, k + 3, 0, 9) + tst.rndint(seed, i, k + 4, 1, 5) END) END;
-- Bounds that are rounded as numbers, of both kinds.
CREATE FUNCTION rounded(seed int, i int, k int) RETURNS numrange IMMUTABLE LANGUAGE sql RETURN
  CASE WHEN tst.rndint(seed, i, k, 1, 7) = 1 THEN NULL WHEN tst.rndint(seed, i, k + 1, 1, 9) = 1 THEN 'empty'
       ELSE numrange(CASE WHEN tst.rndint(seed, i, k + 2, 1, 6) > 1 THEN tst.rndint(seed, i, k + 3, 0, 9) + 1e-20 * tst.rndint(seed, i, k + 5, 0, 2) END,
                     CASE WHEN tst.rndint(seed, i, k + 2, 1, 6) < 6 THEN tst.rndint(seed, i, k + 3, 0, 9) + 1 + tst.rndint(seed, i, k + 4, 0, 5) END,
                     substr('[(', tst.rndint(seed, i, k + 6, 1, 2), 1) || substr('])', tst.rndint(seed, i, k + 7, 1, 2), 1)) END;
CREATE FUNCTION rows_of(seed int, first int, last int)
RETURNS TABLE (id int, item int, a int4range, b numrange, m int4multirange, c int4range) IMMUTABLE LANGUAGE sql AS $$
  SELECT i, i % 5, whole(seed, i, 10), rounded(seed, i, 20),
         CASE WHEN i % 11 > 0 THEN coalesce(multirange(whole(seed, i, 30)), '{}') + coalesce(multirange(whole(seed, i, 40)), '{}') END, whole(seed, i, 50)
  FROM generate_series(first, last) i $$;

CREATE TABLE fact AS SELECT *, repeat('x', 900) AS filler FROM rows_of(911, 1, 250);
ALTER TABLE fact ALTER filler SET STORAGE PLAIN;
-- With the filler, about seven rows to a leaf; half of the rows are inserted later.
CREATE INDEX fact_two ON fact USING spqtree (a, b) INCLUDE (id, filler);
INSERT INTO fact SELECT *, repeat('x', 900) FROM rows_of(911, 251, 500);
SELECT count(*) FILTER (WHERE a IS NULL AND b IS NULL) > 0 AS "both NULL", count(*) FILTER (WHERE (a IS NULL) <> (b IS NULL)) > 50 AS "one NULL" FROM fact;
CREATE TABLE question AS SELECT id AS qid, a, b, m, tst.rndint(912, id, 1, 0, 12) AS e FROM rows_of(912, 1, 24) WHERE a IS NOT NULL AND b IS NOT NULL;
INSERT INTO question VALUES (100, '(,)', '(,)', '{}', 3), (101, 'empty', 'empty', '{(,)}', 4), (102, '[3,5)', 'empty', '{[1,2),[8,9)}', 5), (103, NULL, '[1,2)', NULL, NULL);

-- Conditions on either column, one for each operator of the class, and tests for NULL.
CREATE TABLE condition (k int GENERATED ALWAYS AS IDENTITY, of_a text, of_b text);
INSERT INTO condition (of_a, of_b)
SELECT format('t.a %s q.a', o), format('t.b %s q.b', o) FROM unnest('{&&,@>,<@,=,<<,>>,&<,&>,-|-}'::text[]) o
UNION ALL VALUES ('t.a @> q.e', 't.b @> q.e::numeric'), ('t.a && q.m', 't.b && nummultirange(q.b)'), ('t.a IS NULL', 't.b IS NULL'), ('t.a IS NOT NULL', 't.b IS NOT NULL');
CREATE TABLE result (condition text, rows bigint, faults bigint);
CREATE FUNCTION ask(condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body text := 'SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM fact t WHERE ' || condition;
  expected text[] := tst.answers(body, 'question', 'seq');
  plan text;
BEGIN
  FOREACH plan IN ARRAY '{index,bitmap}'::text[] LOOP
    INSERT INTO result SELECT condition || ' by ' || plan, coalesce(sum(cardinality(e::text[])), 0), count(*) FILTER (WHERE e IS DISTINCT FROM a)
    FROM unnest(expected, tst.answers(body, 'question', plan)) AS u(e, a);
  END LOOP;
END $$;
-- what one index answers, with these conditions before
CREATE FUNCTION ask_all(before text) RETURNS TABLE (conditions bigint, "with rows" bigint, faults numeric) LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE result;
  PERFORM ask(before || x.of_a || ' AND ' || y.of_b) FROM condition x, condition y;
  PERFORM ask(before || x.of_a), ask(before || x.of_b) FROM condition x;
  RETURN QUERY SELECT count(*), count(*) FILTER (WHERE rows > 0), sum(r.faults) FROM result r;
END $$;
SELECT * FROM ask_all('');
SELECT * FROM result WHERE faults > 0 ORDER BY condition LIMIT 10;

-- arrays, alone and beside a condition on the other column
SELECT ask(c) FROM unnest(ARRAY[
  't.a && ANY (ARRAY[q.a, ''[7,8)'', NULL])', 't.b @> ANY (ARRAY[q.e, 2.5]) AND t.a && q.a', 't.a <@ ANY (ARRAY[q.a, ''empty'']) AND t.b IS NULL',
  't.a = ANY (ARRAY[q.a, ''[1,4)'']) AND t.b = ANY (ARRAY[q.b, ''empty''])', 't.b IS NOT NULL AND t.a @> ANY (ARRAY[q.e, 1])']) c;
SELECT condition, rows > 0 AS "with rows", faults FROM result WHERE condition LIKE '%ANY%' ORDER BY condition COLLATE "C";
SELECT (SELECT count(*) FROM fact WHERE a IS NULL AND b IS NULL) = sum(tuples) AS "chain of NULLs" FROM spqtree_nodes('fact_two') WHERE null_keys;
SELECT count(*) FROM spqtree_check('fact_two', true);
-- no column is returned, but rows are counted
SET enable_seqscan = off;
SET enable_bitmapscan = off;
VACUUM fact;
EXPLAIN (COSTS OFF) SELECT count(*) FROM fact;
SELECT count(*) FROM fact;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP INDEX fact_two;

-- a scalar before them, as a code that is exact and as one that is not
CREATE INDEX fact_item ON fact USING spqtree (item, a, b);
SELECT * FROM ask_all('t.item = 2 AND ');
SELECT * FROM result WHERE faults > 0 ORDER BY condition LIMIT 10;
SELECT count(*) FROM spqtree_check('fact_item', true);
DROP INDEX fact_item;
CREATE INDEX fact_text ON fact USING spqtree ((item::text), b, a) INCLUDE (id);
SELECT * FROM ask_all('t.item::text = ''3'' AND ');
SELECT * FROM result WHERE faults > 0 ORDER BY condition LIMIT 10;
SELECT count(*) FROM spqtree_check('fact_text', true);
DROP INDEX fact_text;

-- multiranges; three ranges; four: the first one is a scalar
CREATE INDEX fact_set ON fact USING spqtree (m, a);
TRUNCATE result;
SELECT ask(c) FROM unnest(ARRAY['t.m && q.a AND t.a && q.a', 't.m @> q.e AND t.a <@ q.a', 't.m = q.m', 't.m <@ q.m AND t.a IS NULL', 't.m IS NULL', 't.m -|- q.a AND t.a IS NOT NULL']) c;
SELECT condition, rows > 0 AS "with rows", faults FROM result ORDER BY condition COLLATE "C";
DROP INDEX fact_set;
CREATE INDEX fact_three ON fact USING spqtree (a, b, c) INCLUDE (item);
SELECT ask(c) FROM unnest(ARRAY['t.a && q.a AND t.b && q.b AND t.c && q.a', 't.c @> q.e', 't.b <@ q.b AND t.c << q.a', 't.c IS NULL', 't.a IS NULL AND t.b IS NULL AND t.c IS NULL', 't.a IS NULL AND t.c &> q.a', 't.c = q.a']) c;
CREATE INDEX fact_four ON fact USING spqtree (m, a, b, c);
DROP INDEX fact_three;
SELECT ask(c) FROM unnest(ARRAY['t.m = q.m AND t.a && q.a AND t.b && q.b AND t.c && q.a', 't.m && q.m AND t.c @> q.e', 't.m IS NULL AND t.c IS NULL', 't.b <@ q.b AND t.c IS NOT NULL']) c;
SELECT condition, rows > 0 AS "with rows", faults FROM result WHERE condition ~ 't.c' ORDER BY condition COLLATE "C";
-- deletion, reuse, VACUUM
DELETE FROM fact WHERE id % 3 = 0 OR id BETWEEN 100 AND 300;
VACUUM fact;
INSERT INTO fact SELECT *, 'y' FROM rows_of(911, 501, 900);
UPDATE fact SET a = int4range(lower(a), NULL), b = NULL WHERE id % 7 = 1;
TRUNCATE result;
SELECT ask(c) FROM unnest(ARRAY['t.m = q.m AND t.a && q.a', 't.b @> q.e::numeric AND t.c && q.a', 't.b IS NULL AND t.a @> q.e']) c;
SELECT condition, rows > 0 AS "with rows", faults FROM result ORDER BY condition COLLATE "C";
SELECT count(*) FROM spqtree_check('fact_four', true);
SELECT xmlparse(DOCUMENT spqtree_svg('fact_four')::text) IS DOCUMENT AS svg;

-- Random histories of indexes with random keys: statements, and questions after some of them. The
-- seed is SPQTREE_SEED, or 1; whatever it is, the output is the same.
\set seed 1
\getenv seed SPQTREE_SEED
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::int ELSE coalesce(nullif(:'seed', ''), '1')::int END AS seed \gset
SELECT set_config('tst.seed', :'seed', false) \gset
DO $$ BEGIN RAISE LOG 'spqtree: random histories of range keys: SPQTREE_SEED=%', current_setting('tst.seed'); END $$;
CREATE FUNCTION history(seed int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  keys text[] := '{"a, b","b, a","a, b, c","item, a, b","m, c","item, (item::text), b, c, a","c, m, b","m, a, b, c"}';
  dice int;
BEGIN
  RETURN NEXT 'TRUNCATE fact';
  RETURN NEXT format('CREATE INDEX fact_any ON fact USING spqtree (%s) %s', keys[tst.rndint(seed, 0, 1, 1, 8)],
                     CASE tst.rndint(seed, 0, 2, 0, 2) WHEN 0 THEN '' WHEN 1 THEN 'INCLUDE (id)' ELSE 'INCLUDE (filler)' END);
  FOR step IN 1 .. 24 LOOP
    dice := tst.rndint(seed, step, 3, 0, 9);
    RETURN NEXT CASE
      WHEN step = 1 OR dice < 4 THEN format('INSERT INTO fact SELECT *, repeat(''x'', 900) FROM rows_of(%s, %s, %s)', seed, step * 1000, step * 1000 + tst.rndint(seed, step, 4, 0, 120))
      WHEN dice < 6 THEN format('DELETE FROM fact WHERE tst.rndint(%s, id, 5, 1, 10) <= %s', seed + step, tst.rndint(seed, step, 6, 1, 9))
      WHEN dice = 6 THEN format('UPDATE fact SET a = rows.a, b = rows.b, c = rows.a, m = rows.m FROM rows_of(%s, 1, 5) rows WHERE rows.id = fact.id %% 40', seed + step)
      WHEN dice = 7 THEN 'VACUUM (TRUNCATE off) fact'
      WHEN dice = 8 THEN 'UPDATE fact SET b = a::text::numrange, c = NULL WHERE id % 7 = 3'
      WHEN step % 2 = 0 THEN 'REINDEX INDEX fact_any'
      ELSE 'VACUUM (TRUNCATE off, INDEX_CLEANUP on) fact' END;
    IF step % 6 = 0 THEN
      RETURN NEXT format('INSERT INTO asked SELECT %s, c, (questions(c)).* FROM unnest(ARRAY[''t.a && q.a AND t.b && q.b'', ''t.b <@ q.b AND t.c IS NULL'', ''t.c @> q.e AND t.m && q.m'', ''t.a IS NOT NULL AND t.b = q.b'', ''t.m IS NULL'', ''t.item = 1 AND t.b -|- q.b AND t.a &< q.a'']) c', step);
    END IF;
  END LOOP;
  RETURN NEXT 'INSERT INTO asked SELECT 99, problem, 0, 1 FROM spqtree_check(''fact_any'', true)';
  RETURN NEXT 'DROP INDEX fact_any';
END $$;
CREATE TABLE asked (step int, condition text, rows bigint, faults bigint);
-- Conditions that the index does not serve alone are asked with the other ones.
CREATE FUNCTION questions(condition text) RETURNS TABLE (rows bigint, faults bigint) LANGUAGE plpgsql AS $$
DECLARE
  query text := 'SELECT array_agg(s.answer ORDER BY q.qid) FROM question q, LATERAL (SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM fact t WHERE ' || condition || ') s';
  expected text[];
  answer text[];
BEGIN
  PERFORM tst.allow('seq');
  EXECUTE query INTO expected;
  FOR plan IN 1 .. 2 LOOP
    PERFORM tst.allow((ARRAY['index', 'bitmap'])[plan]);
    EXECUTE query INTO answer;
    RETURN QUERY SELECT coalesce(sum(cardinality(e::text[])), 0)::bigint, count(*) FILTER (WHERE e IS DISTINCT FROM a) FROM unnest(expected, answer) AS u(e, a);
  END LOOP;
END $$;
DROP INDEX fact_four;
\set ECHO none
SELECT h FROM generate_series(0, 9) i, LATERAL history(:seed + i) WITH ORDINALITY AS s(h, nr) ORDER BY i, nr \gexec
\set ECHO all
SELECT count(*) AS questions, count(*) FILTER (WHERE rows > 0) > 100 AS "with rows", sum(faults) AS faults FROM asked;
SELECT * FROM asked WHERE faults > 0 ORDER BY step, condition LIMIT 10;

-- A bitemporal table: what was valid when, and since when the database says so. No two rows of a
-- product may overlap in both; NULL and empty ranges conflict with nothing.
CREATE TABLE price (product int, amount int, valid daterange, system tsrange, EXCLUDE USING spqtree (product WITH =, valid WITH &&, system WITH &&));
INSERT INTO price VALUES
  (1, 10, '[2026-01-01,2026-02-01)', '[2026-01-01,)'), (1, 11, '[2026-02-01,)', '[2026-01-01,2026-01-20)'), (1, 12, '[2026-02-01,)', '[2026-01-20,)'),
  (1, 13, NULL, '[2026-01-01,)'), (1, 14, '[2026-01-01,)', NULL), (1, 15, 'empty', '[2026-01-01,)'), (2, 16, '(,)', '(,)');
INSERT INTO price VALUES (1, 17, '[2026-01-31,2026-02-02)', '[2026-01-05,2026-01-06)');
INSERT INTO price VALUES (1, 17, '[2026-01-31,2026-02-01)', '(,2026-01-01]');
INSERT INTO price VALUES (1, 17, '[2026-01-31,2026-02-01)', '(,2026-01-01)');
INSERT INTO price VALUES (2, 18, '[2026-01-01,2026-01-02)', '[2026-01-01,2026-01-01]');
UPDATE price SET valid = '[2026-01-31,)' WHERE amount = 13;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT amount FROM price WHERE product = 1 AND valid @> date '2026-03-01' AND system @> timestamp '2026-01-10';
SELECT amount FROM price WHERE product = 1 AND valid @> date '2026-03-01' AND system @> timestamp '2026-01-10';
SELECT amount FROM price WHERE product = 1 AND valid @> date '2026-03-01' AND system @> timestamp '2026-02-10';
SELECT amount FROM price WHERE valid IS NULL ORDER BY amount;
RESET enable_seqscan;

-- Versions arrive in the order in which they begin, and have no end: pages are full, as for boxes.
-- (A page has about 150 rows; each time the first page without an end was split, it had 20.)
CREATE TABLE version (v int4range, s int4range);
CREATE INDEX version_two ON version USING spqtree (v, s);
INSERT INTO version SELECT int4range(tst.rndint(913, g, 1, 0, 100000), NULL), int4range(g, NULL) FROM generate_series(1, 20000) g;
SELECT pages < 250 AS full FROM spqtree_stats('version_two');
CREATE TABLE version_box AS SELECT box(point(0, 0), point(0, 0)) AS b LIMIT 0;
CREATE INDEX version_box_b ON version_box USING spqtree (b);
INSERT INTO version_box SELECT box(point(lower(v), lower(s)), point('Infinity', 'Infinity')) FROM version;
SELECT pages < 250 AS full FROM spqtree_stats('version_box_b');
-- A row with NULL is not read for conditions that another column could not fulfil.
INSERT INTO version SELECT int4range(g, g + 10), CASE WHEN g % 20 = 0 THEN int4range(g, g + 10) END FROM generate_series(1, 4000) g;
CREATE FUNCTION rechecked(condition text) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) SELECT FROM version WHERE ' || condition INTO plan;
  RETURN plan -> 0 -> 'Plan' ->> 'Rows Removed by Index Recheck';
END $$;
SELECT condition, rechecked(condition) 
FROM unnest(ARRAY['s @> 100', 's && ''[100,200)''', 's <@ ''[100,200)''', 's = ''[100,110)''', 's -|- ''[100,110)''', 's >> ''(,30000)''', 's IS NULL']) condition;
-- The planner knows that ranges of text exclude nothing.
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE TABLE word AS SELECT textrange(g::text, g::text || 'a') AS t, int4range(g, g + 1) AS v FROM generate_series(100000, 105000) g;
CREATE INDEX word_t ON word USING spqtree (t);
ANALYZE word;
EXPLAIN (COSTS OFF) SELECT FROM word WHERE t @> '10000'::text;
CREATE INDEX word_part ON word USING spqtree (t) WHERE lower(v) < 100020;
EXPLAIN (COSTS OFF) SELECT FROM word WHERE t @> '10000'::text AND lower(v) < 100020;
DROP INDEX word_part;
CREATE INDEX word_t_v ON word USING spqtree (t, v);
EXPLAIN (COSTS OFF) SELECT FROM word WHERE t @> '10000'::text AND v && '[100000,100002)';

-- An index whose table has only NULLs, and one that is empty, unlogged and temporary.
CREATE UNLOGGED TABLE nothing (a int4range, b int4range);
CREATE INDEX ON nothing USING spqtree (a, b);
INSERT INTO nothing SELECT NULL, NULL FROM generate_series(1, 300);
INSERT INTO nothing VALUES ('[1,2)', NULL), (NULL, '[3,4)');
SET enable_seqscan = off;
SELECT count(*) FILTER (WHERE a IS NULL) AS a, count(*) FILTER (WHERE b IS NULL) AS b FROM nothing WHERE a IS NULL OR b IS NULL;
SELECT a, b FROM nothing WHERE a IS NULL AND b && '[3,9)';
SELECT a, b FROM nothing WHERE a IS NOT NULL;
SELECT count(*) FROM nothing WHERE a IS NULL AND b IS NULL;
RESET enable_seqscan;
SELECT count(*) FROM spqtree_check('nothing_a_b_idx', true);

DROP SCHEMA range_keys CASCADE;
