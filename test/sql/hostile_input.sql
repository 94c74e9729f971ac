--
-- Every function that SQL can call, with values that nobody would call it with.
--
-- Boxes are of any bits there are: NaNs of both signs with payloads, signalling
-- ones too, infinities, denormals, huge numbers.  No call may end in another
-- error than those that the functions document, and the queries given to the
-- joins may cause; memory must not grow with the number of calls.  Boxes in an
-- index must be found as by a sequential scan.
--
-- The environment variables SPQTREE_SEED and SPQTREE_CALLS ask for other calls
-- and for more.  Whatever they are, the output should be the same.
--
SET statement_timeout = '5min';
SET client_min_messages = warning;
SET synchronous_commit = off;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
\set seed 1
\set calls 5000
\getenv seed SPQTREE_SEED
\getenv calls SPQTREE_CALLS
CREATE TABLE hostile_setting AS
SELECT coalesce(nullif(:'seed', ''), '1')::bigint AS seed, coalesce(nullif(:'calls', ''), '5000')::int AS calls;

-- The bits of a float8: number k of thing i.
CREATE FUNCTION hostile_bits(seed bigint, i bigint, k int) RETURNS bigint STABLE LANGUAGE sql RETURN
  CASE tst.rndint(seed, i, 100 + k, 0, 9)
    -- any bits: mostly numbers of all magnitudes
    WHEN 0 THEN hashint8extended(i, seed * 1000 + k)
    WHEN 1 THEN hashint8extended(i, seed * 1000 + k)
    -- NaN: sign and payload, quiet or signalling
    WHEN 2 THEN (-9223372036854775808) * tst.rndint(seed, i, 200 + k, 0, 1) | 9218868437227405312
                | (ARRAY[1, 2251799813685248, 2251799813685249, 4503599627370495, 1 + (hashint8extended(i, k) & 4503599627370494)])[tst.rndint(seed, i, 300 + k, 1, 5)]
    -- infinity
    WHEN 3 THEN (-9223372036854775808) * tst.rndint(seed, i, 200 + k, 0, 1) | 9218868437227405312
    -- zero, and what is next to it
    WHEN 4 THEN (-9223372036854775808) * tst.rndint(seed, i, 200 + k, 0, 1) | tst.rndint(seed, i, 300 + k, 0, 2)
    -- denormal
    WHEN 5 THEN (-9223372036854775808) * tst.rndint(seed, i, 200 + k, 0, 1) | (hashint8extended(i, seed * 1000 + k) & 4503599627370495)
    -- as large as a number can be
    WHEN 6 THEN (-9223372036854775808) * tst.rndint(seed, i, 200 + k, 0, 1) | 9218868437227405311 - tst.rndint(seed, i, 300 + k, 0, 2)
    -- small whole numbers, 1 .. 8
    ELSE 4607182418800017408 + 4503599627370496 * tst.rndint(seed, i, 300 + k, 0, 3)
  END;

-- A box of such numbers comes in by COPY BINARY alone, from a file that a large
-- object is written to.
CREATE TABLE hostile_box (nr int, b box);
SELECT lo_from_bytea(0, '\x5047434f50590aff0d0a00' || int4send(0) || int4send(0)
         || (SELECT string_agg(int2send(2::int2) || int4send(4) || int4send(i) || int4send(32)
                               || int8send(hostile_bits(seed, i, 1)) || int8send(hostile_bits(seed, i, 2))
                               || int8send(hostile_bits(seed, i, 3)) || int8send(hostile_bits(seed, i, 4)), '' ORDER BY i)
             FROM hostile_setting, generate_series(1, 1000) i)
         || int2send((-1)::int2)) AS lo \gset
\o /dev/null
\lo_export :lo hostile_input.tmp
\copy hostile_box FROM 'hostile_input.tmp' (FORMAT binary)
\! rm -f hostile_input.tmp
SELECT lo_unlink(:lo);
\o
SELECT count(*), count(*) FILTER (WHERE encode(box_send(b), 'hex') ~ '^(.{16})*[7f]ff[0-7]') > 10 AS "odd NaNs" FROM hostile_box;

CREATE TABLE hostile_index (nr int, b box, pad text);
CREATE INDEX ON hostile_index USING spgist (b spqtree_box_ops) INCLUDE (nr, pad);
INSERT INTO hostile_index SELECT nr, b, repeat('-', 300) FROM hostile_box WHERE nr <= 500;
CREATE TABLE hostile_other (nr int, b box);
CREATE INDEX ON hostile_other USING gist (b);
CREATE INDEX ON hostile_other (nr);
CREATE VIEW hostile_view AS TABLE hostile_box;

-- Text for an argument that wants a query.
CREATE FUNCTION hostile_query(dice int) RETURNS text IMMUTABLE LANGUAGE sql RETURN
  CASE WHEN dice < 40 THEN format('SELECT nr, b FROM hostile_box WHERE nr %% 40 = %s', dice)
       WHEN dice < 50 THEN format('SELECT nr, b FROM hostile_index WHERE b && (SELECT b FROM hostile_box WHERE nr = %s) LIMIT 50', dice)
       ELSE (ARRAY[NULL, '', ';', ' ', 'SELECT', 'SELECT 1', 'SELECT 1, 2', 'SELECT NULL, NULL', 'SELECT b, nr FROM hostile_box',
                   'SELECT nr, b, nr FROM hostile_box', 'SELECT nr, b FROM hostile_box WHERE false', 'SELECT nr::int2, b FROM hostile_box LIMIT 9',
                   'SELECT NULL::int, b FROM hostile_box', 'SELECT nr, NULL::box FROM hostile_box', 'SELECT 1 / 0, b FROM hostile_box',
                   'SELECT nr, b FROM hostile_view LIMIT 20', 'SELECT nr, b FROM nowhere', 'DELETE FROM hostile_box RETURNING nr, b',
                   'WITH d AS (DELETE FROM hostile_box RETURNING nr, b) TABLE d', 'SELECT nr, b FROM hostile_box FOR UPDATE',
                   'SELECT nr, b INTO hostile_new FROM hostile_box', 'DROP TABLE hostile_box', 'COMMIT', 'SELECT 1, box ''(0,0),(1,1)''; SELECT 2',
                   'SELECT $1, $2', 'SELECT nr, b FROM hostile_box WHERE nr = $1', 'TABLE hostile_box LIMIT 5', 'VALUES (1, box ''((0,0),(1,1))'')',
                   'SELECT nr, b::text FROM hostile_box', 'SELECT nr::numeric, b FROM hostile_box', 'SELECT * FROM _spqtree_join_pairs(NULL, NULL, NULL, NULL, NULL)',
                   'SELECT left_id, box ''((0,0),(1,1))'' FROM spqtree_join(''SELECT nr, b FROM hostile_box LIMIT 9'', ''SELECT nr, b FROM hostile_box LIMIT 9'')',
                   repeat('(', 500), repeat('SELECT ', 500), E'SELECT nr, b FROM hostile_box -- \u00e4\u20ac', 'EXPLAIN SELECT nr, b FROM hostile_box',
                   'SELECT (SELECT nr FROM hostile_box), b FROM hostile_box'])[dice - 49] END;

-- The call of number i, and the answer that it should have where that is known.
CREATE FUNCTION hostile_call(seed bigint, i bigint, OUT question text, OUT query text, OUT expected text) STABLE LANGUAGE plpgsql AS $$
DECLARE
  a text := tst.rndint(seed, i, 11, 1, 1000);
  b text := tst.rndint(seed, i, 12, 1, 1000);
  nr text;
  -- a length: any float8 at all, a plain one, or NULL
  x text := CASE tst.rndint(seed, i, 13, 0, 7)
              WHEN 0 THEN 'NULL::float8'
              WHEN 1 THEN '(ARRAY[0, -0.0, -1, 1e-300, 1e300, -1e300, 5e-324, ''NaN'', ''Infinity'', ''-Infinity'']::float8[])[' || tst.rndint(seed, i, 14, 1, 10) || ']'
              WHEN 2 THEN '((SELECT b FROM hostile_box WHERE nr = ' || a || ')[0])[0]'
              WHEN 3 THEN '((SELECT b FROM hostile_box WHERE nr = ' || b || ')[1])[1]'
              ELSE tst.rndint(seed, i, 15, 1, 100)::text END;
  y text := CASE WHEN tst.rndint(seed, i, 16, 0, 3) = 0 THEN tst.rnd(seed, i, 17)::text || '::float8' WHEN tst.rndint(seed, i, 16, 0, 1) = 0 THEN x ELSE 'NULL' END;
  box_a text := CASE tst.rndint(seed, i, 18, 0, 30) WHEN 0 THEN 'NULL::box' ELSE '(SELECT b FROM hostile_box WHERE nr = ' || a || ')' END;
  box_b text := CASE tst.rndint(seed, i, 19, 0, 30) WHEN 0 THEN 'NULL::box' ELSE '(SELECT b FROM hostile_box WHERE nr = ' || b || ')' END;
  query_a text := quote_nullable(hostile_query(tst.rndint(seed, i, 21, 0, 86)));
  query_b text := quote_nullable(hostile_query(tst.rndint(seed, i, 22, 0, 86)));
  -- rarely, or most joins would end there
  predicate text := quote_nullable((ARRAY['&&', '&&', '&&', '@>', '<@', '~=', '~=', '<<', '', ' && ', NULL, repeat('&&', 9999)])[tst.rndint(seed, i, 23, 1, 12)]);
  operator text := (tst.operators())[tst.rndint(seed, i, 24, 1, 12)];
BEGIN
  IF tst.rndint(seed, i, 25, 0, 2) > 0 THEN
    -- a plain second query, and a predicate that there is
    query_b := quote_literal(hostile_query(tst.rndint(seed, i, 22, 0, 39)));
    predicate := quote_literal((ARRAY['&&', '@>', '<@', '~='])[tst.rndint(seed, i, 23, 1, 4)]);
  END IF;
  CASE tst.rndint(seed, i, 10, 0, 13)
    WHEN 0 THEN question := 'spqtree_cell';
      query := format('SELECT spqtree_cell((%s)[%s], %s)', box_a, tst.rndint(seed, i, 26, 0, 1), x);
    WHEN 1 THEN question := 'spqtree_parts';
      query := format('SELECT spqtree_parts(%s, ''2d x5 y3 1 2 3'')', box_a);
    WHEN 2 THEN question := 'spqtree_pair_part';
      query := format('SELECT spqtree_pair_part(%s, %s, ''2d x5 y3 1 2 3'')', box_a, box_b);
    -- the part that owns a pair is a part of either box
    WHEN 3 THEN question := 'owner';
      query := format('SELECT CASE WHEN a && b THEN p = ANY (spqtree_parts(a, ''2d x5 y3 1 2 3'')) AND p = ANY (spqtree_parts(b, ''2d x5 y3 1 2 3'')) END
                       FROM (SELECT a, b, spqtree_pair_part(a, b, ''2d x5 y3 1 2 3'') AS p FROM (SELECT (%1$s) AS a, (%2$s) AS b OFFSET 0) s OFFSET 0) s', box_a, box_b);
      expected := 'true';
    WHEN 4 THEN question := 'spqtree_join';
      query := format('SELECT count(*) FROM spqtree_join(%s, %s, %s, %s, %s)', query_a, query_b, predicate, y, x);
    WHEN 5 THEN question := 'spqtree_self_join';
      query := format('SELECT count(*) FROM spqtree_self_join(%s, %s, %s)', query_a, y, x);
    WHEN 6 THEN question := '_spqtree_join_pairs';
      query := format('SELECT _spqtree_join_pairs(%s, %s, %s, %s, %s) LIMIT %s', query_a, query_b, predicate, y, x, tst.rndint(seed, i, 26, 1, 20));
    WHEN 7 THEN question := '_spqtree_self_join_pairs';
      query := format('SELECT * FROM _spqtree_self_join_pairs(%s, %s, %s) LIMIT %s', query_a, y, x, tst.rndint(seed, i, 26, 1, 20));
    -- joins without an own cell size must agree with a nested loop
    WHEN 8 THEN question := 'agreement';
      query_a := hostile_query(tst.rndint(seed, i, 21, 0, 39));
      query_b := hostile_query(tst.rndint(seed, i, 22, 0, 39));
      operator := (ARRAY['&&', '@>', '<@', '~='])[tst.rndint(seed, i, 23, 1, 4)];
      query := format('SELECT (SELECT count(*) FROM spqtree_join(%1$L, %2$L, %3$L)) = (SELECT count(*) FROM (%1$s) a JOIN (%2$s) b ON a.b %3$s b.b)', query_a, query_b, operator);
      expected := 'true';
    WHEN 9 THEN question := 'index';
      query := format('SELECT (SELECT count(*) FROM hostile_index WHERE b %1$s %2$s) = (SELECT count(*) FROM (SELECT b FROM hostile_index OFFSET 0) s WHERE b %1$s %2$s)', operator, box_a);
      expected := 'true';
    WHEN 10 THEN question := 'order';
      query := format('SELECT count(*) FROM (SELECT nr FROM hostile_index WHERE b %s %s ORDER BY b <-> %s LIMIT 20) s', operator, box_a,
                      CASE tst.rndint(seed, i, 27, 0, 1) WHEN 0 THEN box_b ELSE format('(%s)[0]', box_b) END);
    WHEN 11 THEN question := 'change';
      query := CASE tst.rndint(seed, i, 28, 0, 2)
        WHEN 0 THEN format('UPDATE hostile_index SET b = %s WHERE nr = %s RETURNING nr', box_a, b)
        ELSE format('INSERT INTO hostile_index SELECT %s, %s, repeat(''-'', %s) RETURNING nr', 1000 + i, box_a, tst.rndint(seed, i, 27, 0, 600)) END;
    WHEN 12 THEN question := 'spqtree_self_join_changes';
      query := format('SELECT count(*) FROM spqtree_self_join_changes(%s, %s, %s)', query_a, query_b, y);
    ELSE
      nr := (ARRAY['0', 'NULL', '4294967295', '''hostile_index''::regclass', '''hostile_view''::regclass', '''hostile_other_b_idx''::regclass',
                   '''hostile_other_nr_idx''::regclass', '''pg_class''::regclass', '''pg_class_oid_index''::regclass',
                   '''hostile_index_b_nr_pad_idx''::regclass', '''hostile_index_b_nr_pad_idx''::regclass'])[tst.rndint(seed, i, 27, 1, 11)];
      IF tst.rndint(seed, i, 29, 0, 1) > 0 THEN
        question := (ARRAY['spqtree_stats', 'spqtree_nodes', 'spqtree_explain'])[tst.rndint(seed, i, 26, 1, 3)];
        query := format('SELECT count(*) FROM %s(%s::regclass%s)', question, nr,
                        CASE WHEN question = 'spqtree_explain' THEN format(', %s, %L', box_a, (ARRAY[operator, operator, operator, '', '=', '&& ', NULL, repeat('&', 99)])[tst.rndint(seed, i, 28, 1, 8)]) END);
      ELSIF tst.rndint(seed, i, 28, 0, 3) > 0 THEN
        question := 'spqtree_check';
        query := format('SELECT count(*) FROM spqtree_check(%s::regclass, %s)', nr, (ARRAY['true', 'false', 'NULL'])[tst.rndint(seed, i, 26, 1, 3)]);
        expected := '0';
      ELSE
        question := 'support functions';
        query := format('SELECT %s(NULL, %s)',
                        (ARRAY['_spqtree_box_config', '_spqtree_box_choose', '_spqtree_box_picksplit', '_spqtree_box_inner_consistent', '_spqtree_box_leaf_consistent'])[tst.rndint(seed, i, 26, 1, 5)],
                        (ARRAY['NULL', 'NULL::internal', '''1''', box_a])[tst.rndint(seed, i, 28, 1, 4)]);
      END IF;
  END CASE;
END $$;

CREATE TABLE hostile_result (question text, sqlstate text, message text, calls bigint, wrong bigint, example text);
-- not a temporary one, whose buffers are memory of the session
CREATE UNLOGGED TABLE hostile_now (question text, state text, message text, wrong boolean, query text);
CREATE FUNCTION hostile_calls(seed bigint, first bigint, last bigint) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  c record;
  answer text;
  state text;
  text text;
BEGIN
  TRUNCATE hostile_now;
  FOR i IN first .. last LOOP
    SELECT * INTO c FROM hostile_call(seed, i);
    answer := NULL;
    state := '00000';
    text := NULL;
    BEGIN
      EXECUTE c.query INTO answer;
    EXCEPTION WHEN OTHERS THEN
      state := SQLSTATE;
      text := SQLERRM;
    END;
    -- NULL where an argument is; too large a distance, or area, is an error of core
    INSERT INTO hostile_now VALUES (c.question, state, text, answer <> c.expected AND answer <> 't', c.query);
  END LOOP;
  INSERT INTO hostile_result
  SELECT n.question, n.state, min(n.message), count(*), count(*) FILTER (WHERE n.wrong), coalesce(min(n.query) FILTER (WHERE n.wrong), min(n.query))
  FROM hostile_now n GROUP BY n.question, n.state;
END $$;

-- Memory of the session after the first thousand calls, and after the last.
CREATE FUNCTION hostile_memory() RETURNS bigint LANGUAGE sql RETURN (SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts);
CREATE TABLE hostile_size AS SELECT 0::bigint AS size;
\set ECHO none
\o /dev/null
SELECT format('SELECT hostile_calls(%s, %s, %s)', seed, first, least(first + 999, calls)),
       CASE first WHEN 1 THEN 'UPDATE hostile_size SET size = hostile_memory()' END,
       CASE WHEN first % 20000 = 10001 THEN 'VACUUM hostile_index' END,
       CASE WHEN first % 20000 = 1 AND first > 1 THEN 'TRUNCATE hostile_index' END,
       CASE WHEN first % 20000 = 1 AND first > 1 THEN 'INSERT INTO hostile_index SELECT nr, b, repeat(''-'', 300) FROM hostile_box WHERE nr <= 500' END
FROM hostile_setting, generate_series(1, calls, 1000) first ORDER BY first \gexec
\o
\set ECHO all
SELECT :'LAST_ERROR_SQLSTATE' AS "last error", sum(r.calls) = min(s.calls) AS "all calls", sum(r.wrong) AS wrong,
       hostile_memory() - min(size) < 10000000 AS "memory bounded",
       -- where the system tells
       coalesce(substring(pg_read_file('/proc/self/status', 0, 10000, true) FROM 'VmHWM:\s+(\d+)')::bigint < 1000000, true) AS "and its peak"
FROM hostile_result r, hostile_setting s, hostile_size;

-- Each function was called, and returned something.
SELECT question, sum(calls) FILTER (WHERE sqlstate = '00000') > 0 AS returned
FROM hostile_result GROUP BY question ORDER BY question COLLATE "C";

-- Errors that the functions have; what the queries given to joins raise (a
-- division, a table that there is not, syntax, a parameter, two rows from a
-- subquery); and core's overflow in its own operators.  No others.
CREATE TABLE hostile_error (questions text, states text[]);
INSERT INTO hostile_error VALUES
  ('^spqtree_cell$', '{22023,22003}'),
  ('join', '{22004,0A000,42804,42601,22023,22012,42P01,42P02,21000,54001}'),
  ('^order$', '{22003}'),
  ('^support functions$', '{42883,0A000}'),   -- SQL has no value of type internal; minor releases differ
  ('^spqtree_(stats|nodes|explain)$', '{22023,42809,42704}'),
  ('^spqtree_check$', '{22004,42809,42P01,42704,0A000}');
SELECT question, sqlstate, min(message) AS message, sum(calls) AS calls, min(example) AS example
FROM hostile_result r
WHERE sqlstate <> '00000' AND NOT EXISTS (SELECT FROM hostile_error WHERE question ~ questions AND sqlstate = ANY (states))
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT question, example FROM hostile_result WHERE wrong > 0 ORDER BY 1, 2 LIMIT 20;
SELECT s.seed, format('scripts/test random --seed %s --calls %s', s.seed, s.calls) AS "to repeat"
FROM hostile_setting s
WHERE (SELECT sum(wrong) > 0 OR bool_or(sqlstate LIKE 'XX%') FROM hostile_result);


-- The access method compares any bits.
CREATE TABLE hostile_rtree (id int, b box, pad text);
CREATE INDEX hostile_rtree_b ON hostile_rtree USING spqtree (b) INCLUDE (id, pad);
INSERT INTO hostile_rtree SELECT nr, b, repeat('-', 400) FROM hostile_box;
CREATE TABLE hostile_question AS SELECT * FROM tst.queries('hostile_rtree', 60);
VACUUM ANALYZE hostile_rtree;
SELECT sum(rows) > 0 AS rows, sum("index" + "index only" + bitmap) AS wrong FROM tst.compare('hostile_rtree', 'hostile_question');
DELETE FROM hostile_rtree WHERE id % 3 > 0;
VACUUM hostile_rtree;
INSERT INTO hostile_rtree SELECT nr, b, '' FROM hostile_box WHERE nr % 3 > 0;
SELECT sum(rows) > 0 AS rows, sum("index" + bitmap) AS wrong FROM tst.compare('hostile_rtree', 'hostile_question', '{index,bitmap}');
REINDEX INDEX hostile_rtree_b;
SELECT sum(rows) > 0 AS rows, sum("index" + bitmap) AS wrong FROM tst.compare('hostile_rtree', 'hostile_question', '{index,bitmap}');
SELECT * FROM spqtree_check('hostile_rtree_b', true);
-- Orders, where no distance is too large for core.
CREATE FUNCTION hostile_distance(b box, p point, q box) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN RETURN b <-> p IS NOT NULL AND b <-> q IS NOT NULL; EXCEPTION WHEN numeric_value_out_of_range THEN RETURN false; END $$;
CREATE TABLE hostile_few AS
SELECT qid::int, p, box(p, p + point(1, 3)) AS b FROM unnest('{"(0,0)","(1,-3)","(NaN,1)","(4,8)","(-5e-324,2.5)","(NaN,NaN)","(3,-0)"}'::point[]) WITH ORDINALITY u(p, qid);
DELETE FROM hostile_rtree t USING hostile_few q WHERE NOT hostile_distance(t.b, q.p, q.b);
SELECT count(*) > 100 AS rows FROM hostile_rtree;
SELECT ordering, queries, "index", "index only" FROM tst.compare_order('hostile_rtree', 'hostile_few', NULL);
REINDEX INDEX hostile_rtree_b;
SELECT ordering, queries, "index", "index only" FROM tst.compare_order('hostile_rtree', 'hostile_few', 50);
DROP FUNCTION hostile_distance;
DROP TABLE hostile_rtree, hostile_question, hostile_few;

-- The index is what it was.
SET enable_seqscan = off;
SELECT (SELECT count(*) FROM hostile_index WHERE b |&> box '((-Infinity,-Infinity),(Infinity,Infinity))') =
       (SELECT count(*) FROM (SELECT b FROM hostile_index OFFSET 0) s WHERE b |&> box '((-Infinity,-Infinity),(Infinity,Infinity))') AS same;
RESET enable_seqscan;

DROP TABLE hostile_box, hostile_index, hostile_other, hostile_now, hostile_setting, hostile_size, hostile_error CASCADE;
DROP FUNCTION hostile_calls, hostile_call, hostile_query, hostile_memory, hostile_bits;
DROP TABLE hostile_result;
