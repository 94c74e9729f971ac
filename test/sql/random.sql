--
-- Random tables with random histories against the sequential scan.
--
-- A table follows from one number, its seed.  Here are 150 of them, or 75, from 1 on;
-- the environment variables SPQTREE_SEED and SPQTREE_TABLES say otherwise: a
-- first seed (a number, or "time" for some that nobody has tried yet), and how
-- many.  The first seed goes into the server's log; a table whose answers differ
-- is shown with its seed, with the command that makes it once more, and with the
-- statements that led there.  Whatever the seeds, the output should be the same.
-- rtree_random runs this file with another index: "method" and "class" say which.
--
\if :{?method} \else
\set method spgist
\set class spqtree_box_ops
\set tables 150
\endif
SELECT set_config('tst.method', :'method', false), set_config('tst.class', :'class', false) \gset
SET statement_timeout = '5min';   -- a loop without end shall be a failure
SET client_min_messages = warning;
SET synchronous_commit = off;
SET max_parallel_workers_per_gather = 0;
\set seed 1
\getenv seed SPQTREE_SEED
\getenv tables SPQTREE_TABLES
CREATE TABLE random_seed AS
SELECT seed FROM (SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                                      ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS first) f,
     LATERAL generate_series(first, first + coalesce(nullif(:'tables', ''), '150')::int - 1) seed;
DO $$ BEGIN RAISE LOG 'spqtree: random tables with seeds from % to %', (SELECT min(seed) FROM random_seed), (SELECT max(seed) FROM random_seed); END $$;

-- A whole number, number k of a table.
CREATE FUNCTION random_int(seed bigint, k int, lo int, hi int) RETURNS int IMMUTABLE LANGUAGE sql
RETURN tst.rndint(seed, 0, k, lo, hi);

-- A box of some kind, made of a place, a scale and four numbers in [0,1).
CREATE FUNCTION random_shape(kind int, scale float8, place float8, i bigint, a float8, b float8, c float8, d float8)
RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE
  special float8[] := '{NaN,Infinity,-Infinity,0,-0,1,1e300,-1e300,1e-300,-1e-300,1e-6,-1e-6}';
  huge float8[] := '{1.7976931348623157e308,-1.7976931348623157e308,1.6e308,-1.6e308,9e307,-9e307,1e301,-1e301,0,1}';
BEGIN
  RETURN CASE kind
    -- uniform, with sizes of several decades
    WHEN 0 THEN box(point(place + a * scale, place + b * scale),
                    point(place + a * scale + c ^ 8 * scale / 10, place + b * scale + d ^ 8 * scale / 10))
    -- points, many of them the same
    WHEN 1 THEN box(point(round(a * 20) * scale, round(b * 20) * scale),
                    point(round(a * 20) * scale, round(b * 20) * scale))
    -- on the lines of the lattice
    WHEN 2 THEN box(point(round(a * 16 - 8) * scale, round(b * 16 - 8) * scale),
                    point(round(a * 16 - 8 + c * 2) * scale, round(b * 16 - 8 + d * 2) * scale))
    -- within some EPSILON of each other
    WHEN 3 THEN box(point(place + round(a * 40) * 0.25e-6, place + round(b * 40) * 0.25e-6),
                    point(place + round(c * 40) * 0.25e-6, place + round(d * 40) * 0.25e-6))
    -- all the same
    WHEN 4 THEN box(point(place, scale), point(place + scale, scale * 2))
    -- nested around a place
    WHEN 5 THEN box(point(place - i * scale, place - i * scale), point(place + i * scale, place + i * scale))
    -- sizes of many magnitudes in one place
    WHEN 6 THEN box(point(place + a * scale, place + b * scale),
                    point(place + (a + 2.0::float8 ^ (c * 60 - 40)) * scale, place + (b + 2.0::float8 ^ (c * 60 - 40) * d) * scale))
    -- numbers of all magnitudes and both signs
    WHEN 7 THEN box(point(sign(a - 0.5) * 2.0::float8 ^ (b * 2090 - 1070), sign(b - 0.5) * 2.0::float8 ^ (c * 2090 - 1070)),
                    point(sign(c - 0.5) * 2.0::float8 ^ (d * 2090 - 1070), sign(d - 0.5) * 2.0::float8 ^ (a * 2090 - 1070)))
    -- NaN, infinities and extremes, all of them or a few
    WHEN 8 THEN box(point(special[1 + floor(a * 12)], special[1 + floor(b * 12)]),
                    point(special[1 + floor(c * 12)], special[1 + floor(d * 12)]))
    WHEN 9 THEN box(point(a * scale, b * scale), point(c * scale, d * scale))
                + point(coalesce(special[1 + floor(d * 99)], 0), coalesce(special[1 + floor(c * 99)], 0))
    -- sorted and thin
    WHEN 10 THEN box(point(place + i * scale, place), point(place + (i + c) * scale, place + d * scale / 1000))
    -- beyond 2^53
    WHEN 11 THEN box(point(1e16 + round(a * 100) * 2, 1e17), point(1e16 + round(b * 100) * 2 * scale, 1e17 + round(c * 50) * 16))
    -- clusters
    WHEN 12 THEN box(point(place + (floor(a * 5) * 1000 + b) * scale, place + (floor(a * 25) * 1000 + c) * scale),
                     point(place + (floor(a * 5) * 1000 + b + d) * scale, place + (floor(a * 25) * 1000 + c + d / 2) * scale))
    -- around the smallest numbers
    WHEN 13 THEN box(point((round(a * 40) - 20) * 5e-324, (round(b * 40) - 20) * 5e-324),
                     point(round(c * 40) * 2.3e-308, round(d * 40) * 5e-324))
    -- around the largest
    ELSE box(point(huge[1 + floor(a * 10)], huge[1 + floor(b * 10)]), point(huge[1 + floor(c * 10)], huge[1 + floor(d * 10)])) END;
END $$;

-- Boxes first to last of a batch.  The batch decides on the kind, on a place and
-- on a scale; of kind 15, each box is of another kind.  There are a few NULLs.
CREATE FUNCTION random_boxes(batch bigint, first int, last int) RETURNS TABLE (nr int, b box) LANGUAGE plpgsql AS $$
DECLARE
  kind int := random_int(batch, 1, 0, 15);
  scale float8 := 2.0::float8 ^ random_int(batch, 2, -12, 20);
  place float8 := (tst.rnd(batch, 0, 3) - 0.5) * (ARRAY[0, 1, 1000, 1e9])[random_int(batch, 4, 1, 4)];
BEGIN
  RETURN QUERY
    SELECT i, CASE WHEN tst.rnd(batch, i, 15) >= 0.01
                   THEN random_shape(CASE WHEN kind < 15 THEN kind ELSE tst.rndint(batch, i, 16, 0, 13) END, scale, place, i,
                                     tst.rnd(batch, i, 11), tst.rnd(batch, i, 12), tst.rnd(batch, i, 13), tst.rnd(batch, i, 14)) END
    FROM generate_series(first, last) i;
END $$;

-- The statements that make one table.  Its index comes before or after the first
-- rows, and has other columns or not: large ones, so that a few rows fill a page
-- and a small table makes a deep tree.  No vacuum of temporary tables with SP-GiST: in
-- PostgreSQL it can ruin an index of any class.
CREATE FUNCTION random_history(seed bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  tab text := 'random_' || seed;
  kind text := (ARRAY['', '', 'UNLOGGED', 'TEMP'])[random_int(seed, 21, 1, 4)];
  included text := (ARRAY['', 'INCLUDE (id)', 'INCLUDE (id, pad)', 'INCLUDE (id, pad)'])[random_int(seed, 22, 1, 4)];
  size int := 20 * 150 ^ (tst.rnd(seed, 0, 23) ^ 2);
  steps int := random_int(seed, 24, 3, 9);
  index_at int := random_int(seed, 25, 0, 1);
  method text := current_setting('tst.method');
  class text := current_setting('tst.class');
  dice int;
  id bigint;
BEGIN
  RETURN NEXT format('CREATE %s TABLE %s (id serial, b box, pad text)', kind, tab);
  FOR step IN 0 .. steps LOOP
    id := seed * 100 + step;
    IF step = index_at THEN
      RETURN NEXT format('CREATE INDEX ON %s USING %s (b %s) %s WITH (fillfactor = %s)',
                         tab, method, class, included, random_int(seed, 26, 10, 100));
    END IF;
    dice := CASE WHEN step = 0 THEN 1 ELSE random_int(id, 31, 1, 14) END;
    RETURN NEXT CASE
      WHEN dice <= 4 THEN
        format('INSERT INTO %s (b, pad) SELECT b, repeat(''-'', %s) FROM random_boxes(%s, 1, %s)',
               tab, random_int(seed, 27, 0, 500), id, 5 + size / random_int(id, 32, 1, 4))
      -- rows of a transaction that fails stay in the index until vacuum comes
      WHEN dice = 5 THEN
        format('DO $do$ BEGIN INSERT INTO %s (b) SELECT b FROM random_boxes(%s, 1, %s); PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN END $do$',
               tab, id, 5 + size / random_int(id, 32, 1, 4))
      WHEN dice = 6 THEN format('DELETE FROM %s WHERE id %% %s = 0', tab, random_int(id, 33, 1, 6))
      WHEN dice = 7 THEN format('DELETE FROM %s WHERE b && (SELECT b FROM random_boxes(%s, 1, 1))', tab, id - 1)
      WHEN dice = 8 THEN format('UPDATE %s SET b = (SELECT b FROM random_boxes(%s, id, id)) WHERE id %% %s = 0', tab, id, random_int(id, 33, 1, 9))
      WHEN dice = 9 THEN format('UPDATE %s SET b = b + point(%s, 0) WHERE id %% %s = 0', tab, random_int(id, 34, -3, 3) * 0.5, random_int(id, 33, 1, 3))
      WHEN dice = 10 THEN format('UPDATE %s SET pad = ''+'' || pad WHERE id %% %s = 0', tab, random_int(id, 33, 1, 3))
      WHEN dice <= 13 AND (kind <> 'TEMP' OR method <> 'spgist') THEN 'VACUUM ' || tab
      ELSE 'REINDEX TABLE ' || tab END;
  END LOOP;
  RETURN NEXT format('SELECT random_check(%s, %L, %L)', seed, tab, included);
  RETURN NEXT format('DROP TABLE %s', tab);
END $$;

-- What is asked: all operators at once, all orders at once.  An answer is the
-- number of rows and a digest of what the index returns; of an order, also the
-- distances as they come.  The sequential scan answers for all operators at once.
CREATE FUNCTION random_question(tab text, digest text, plan text) RETURNS text IMMUTABLE LANGUAGE sql RETURN
  CASE plan WHEN 'seq' THEN
    (SELECT format('SELECT q.qid, a.answer FROM random_q q, LATERAL (SELECT ARRAY[%s] AS answer FROM %s t) a',
                   string_agg(format('count(*) %1$s || '' '' || coalesce(bit_xor(%2$s) %1$s, 0)', format('FILTER (WHERE %s)', tst.condition(o)), digest), ', ' ORDER BY nr), tab)
     FROM unnest(tst.operators()) WITH ORDINALITY AS u(o, nr))
  ELSE
    (SELECT format('SELECT q.qid, ARRAY[%s] AS answer FROM random_q q',
                   string_agg(format('(SELECT count(*) || '' '' || coalesce(bit_xor(%s), 0) FROM %s t WHERE %s)', digest, tab, tst.condition(o)), ', ' ORDER BY nr))
     FROM unnest(tst.operators()) WITH ORDINALITY AS u(o, nr))
  END;

CREATE FUNCTION random_orders() RETURNS text[] IMMUTABLE LANGUAGE sql
RETURN '{t.b <-> q.p,t.b <-> q.b,"t.b <-> q.p, t.b <-> q.b"}'::text[];

CREATE FUNCTION random_order_question(tab text, digest text) RETURNS text IMMUTABLE LANGUAGE sql RETURN
  (SELECT format('SELECT q.qid, ARRAY[%s] AS answer FROM random_q q',
                 string_agg(format('(SELECT concat_ws('' '', count(*), CASE WHEN %1$L THEN bit_xor(s.h) END, array_agg(s.d))
                                     FROM (SELECT %2$s AS h, ARRAY[%4$s] AS d FROM %3$s t %5$s ORDER BY %4$s LIMIT %6$s) s)',
                                   nr = 3, digest, tab, o,
                                   CASE nr WHEN 1 THEN '' WHEN 2 THEN 'WHERE t.b &> q.b' ELSE 'WHERE t.b &< q.b' END,
                                   CASE nr WHEN 3 THEN 'ALL' ELSE '20' END), ', ' ORDER BY nr))
   FROM unnest(random_orders()) WITH ORDINALITY AS u(o, nr));

-- Does the query scan the table n times in this way, and in no other?
CREATE FUNCTION random_planned(query text, plan text, n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hits int := 0;
  scan text := CASE plan WHEN 'index' THEN 'Index Scan using .* on' WHEN 'index only' THEN 'Index Only Scan using .* on'
                         WHEN 'bitmap' THEN 'Bitmap Heap Scan on' ELSE 'Seq Scan on' END || ' random_\d+ t(_\d+)?$';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    hits := hits + (line ~ scan)::int;
  END LOOP;
  IF hits <> n THEN
    RAISE EXCEPTION 'the plan has % scans of kind "%" instead of %', hits, plan, n USING DETAIL = query;
  END IF;
END $$;

CREATE TABLE random_result (seed bigint, plan text, questions int, rows bigint);
CREATE TABLE random_wrong (seed bigint, question text, plan text, qid int, expected text, answer text);

-- Compares, then has the index checked.  Queries are boxes of the table, and boxes of any kind.  A distance
-- may be too large for core's operator, which raises an error then, with any plan.
CREATE FUNCTION random_check(seed bigint, tab text, included text) RETURNS void LANGUAGE plpgsql SET jit = off SET extra_float_digits = 1 AS $$
DECLARE
  digest text := CASE included WHEN '' THEN 'hashtextextended(t.b::text, 1)' ELSE 'hashint8extended(t.id, 1)' END;
  query text;
  way text;
BEGIN
  CREATE TEMP TABLE random_q ON COMMIT DROP AS
  SELECT * FROM tst.queries(tab::regclass, 4)
  UNION ALL
  SELECT 10 + i, o.b, coalesce(o.b[i % 2], point(0, 0))
  FROM generate_series(1, 4) i, LATERAL random_boxes(random_check.seed * 100 + i, 1000 + i, 1000 + i) o;
  CREATE TEMP TABLE random_answer (plan text, question text, qid int, answer text) ON COMMIT DROP;

  FOREACH way IN ARRAY '{seq,index,index only,bitmap}'::text[] LOOP
    PERFORM tst.allow(way);
    query := random_question(tab, digest, way);
    PERFORM random_planned(query, way, CASE way WHEN 'seq' THEN 1 ELSE cardinality(tst.operators()) END);
    EXECUTE format('INSERT INTO random_answer SELECT %L, u.* FROM (%s) s, LATERAL (SELECT o, s.qid, a FROM unnest(tst.operators(), s.answer) AS u(o, a)) u', way, query);
    IF way <> 'bitmap' THEN
      query := random_order_question(tab, digest);
      PERFORM random_planned(query, way, cardinality(random_orders()));
      BEGIN
        EXECUTE format('INSERT INTO random_answer SELECT %L, u.* FROM (%s) s, LATERAL (SELECT o, s.qid, a FROM unnest(random_orders(), s.answer) AS u(o, a)) u', way, query);
      EXCEPTION WHEN numeric_value_out_of_range THEN
        INSERT INTO random_answer SELECT way, o, qid, 'too large' FROM unnest(random_orders()) o, random_q;
      END;
    END IF;
  END LOOP;

  -- the index need not come to a distance that is too large, if it is the last
  INSERT INTO random_wrong
  SELECT random_check.seed, e.question, planned, e.qid, e.answer, a.answer
  FROM unnest('{index,index only,bitmap}'::text[]) AS p(planned)
       JOIN random_answer e ON e.plan = 'seq' AND NOT (planned = 'bitmap' AND e.question = ANY (random_orders()))
       JOIN random_answer a ON a.plan = planned AND a.question = e.question AND a.qid = e.qid
  WHERE a.answer IS DISTINCT FROM e.answer AND e.answer IS DISTINCT FROM 'too large';
  INSERT INTO random_result
  SELECT random_check.seed, plan, count(*), sum(substring(answer FROM '^\d+')::bigint) FROM random_answer WHERE answer <> 'too large' GROUP BY plan;
  DROP TABLE random_q, random_answer;

  INSERT INTO random_wrong
  SELECT random_check.seed, 'check', 'block ' || c.block, c.item, 'nothing', c.problem
  FROM pg_index i, LATERAL spqtree_check(i.indexrelid, true) c WHERE i.indrelid = tab::regclass;
END $$;

CREATE TABLE random_step (nr serial, seed bigint, sql text);
INSERT INTO random_step (seed, sql) SELECT seed, h.sql FROM random_seed, LATERAL random_history(seed) WITH ORDINALITY h(sql, step) ORDER BY seed, step;

\set ECHO none
\o /dev/null
SELECT sql FROM random_step ORDER BY nr \gexec
\o
\set ECHO all

-- Every table was looked at in every way.
SELECT count(*) FILTER (WHERE ways <> 4) AS "not compared",
       sum(questions) >= 100 * count(*) AS questions, sum(rows) >= 100 * count(*) OR count(*) < 20 AS rows
FROM random_seed s,
     LATERAL (SELECT count(*) AS ways, sum(questions) AS questions, sum(rows) AS rows FROM random_result r WHERE r.seed = s.seed) r;
-- No error, no answer that differs; otherwise what differs, and how to repeat it.
SELECT min(seed) AS "error with seeds", max(seed) AS "to" FROM random_seed WHERE :'LAST_ERROR_SQLSTATE' <> '00000' HAVING count(*) > 0;
SELECT DISTINCT ON (seed, question, plan) * FROM random_wrong ORDER BY seed, question, plan, qid LIMIT 200;
CREATE TABLE random_failed AS
SELECT seed FROM random_seed s
WHERE EXISTS (SELECT FROM random_wrong w WHERE w.seed = s.seed) OR NOT EXISTS (SELECT FROM random_result r WHERE r.seed = s.seed);
SELECT format('scripts/test random --seed %s --tables 1', seed) AS "to repeat" FROM random_failed ORDER BY seed;
SELECT s.seed, s.sql FROM random_step s JOIN random_failed USING (seed) ORDER BY nr LIMIT 200;

DROP FUNCTION random_check, random_history, random_boxes, random_shape, random_question, random_order_question, random_orders, random_planned, random_int;
DROP TABLE random_seed, random_step, random_result, random_wrong, random_failed;
