--
-- The comparison of an index with the sequential scan, used by the files that
-- follow, and the proof that it notices an index that answers wrongly.
--
CREATE SCHEMA tst;
GRANT USAGE ON SCHEMA tst TO PUBLIC;

-- A number in [0,1) that hangs on its arguments alone: the same in every plan
-- and on every version, unlike random().
CREATE FUNCTION tst.rnd(seed bigint, i bigint, k int) RETURNS float8
IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
RETURN (hashint8extended(i, seed * 1000 + k) & 9007199254740991) / 9007199254740992.0::float8;

-- A whole number in [lo,hi], likewise.
CREATE FUNCTION tst.rndint(seed bigint, i bigint, k int, lo int, hi int) RETURNS int
IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
RETURN lo + floor(tst.rnd(seed, i, k) * (hi - lo + 1))::int;

-- Leave the planner one kind of scan: 'seq', 'index', 'index only', 'bitmap'.
CREATE FUNCTION tst.allow(plan text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('enable_seqscan', (plan = 'seq')::text, true),
          set_config('enable_indexscan', (plan IN ('index', 'index only'))::text, true),
          set_config('enable_indexonlyscan', (plan = 'index only')::text, true),
          set_config('enable_bitmapscan', (plan = 'bitmap')::text, true),
          -- an ordered scan must come out of the index, not out of a sort
          set_config('enable_sort', (plan NOT IN ('index', 'index only'))::text, true),
          set_config('spqtree.enable_nearest', 'off', true);
END $$;

-- Let the planner join by the spatial hash join alone, or not by it.
CREATE FUNCTION tst.use_node(yes boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_hashjoin', CASE WHEN yes THEN 'always' ELSE 'off' END, true), set_config('enable_nestloop', (NOT yes)::text, true),
         set_config('enable_hashjoin', (NOT yes)::text, true), set_config('enable_mergejoin', (NOT yes)::text, true)
$$;

-- The rows of a query, each as one text, in an order that does not depend on the plan.
CREATE FUNCTION tst.rows(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  result text[];
BEGIN
  EXECUTE format('SELECT coalesce(array_agg(q::text ORDER BY q::text COLLATE "C"), ''{}'') FROM (%s) q', query)
    INTO result;
  RETURN result;
END $$;

-- The plan of a query as one text, and whether it has a node.
CREATE FUNCTION tst.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line || E'\n';
  END LOOP;
  RETURN plan;
END $$;
CREATE FUNCTION tst.plan_has(query text, node text) RETURNS boolean LANGUAGE sql
RETURN strpos(tst.plan_of(query), node) > 0;

-- Leave the planner one way to join: 'loop' over sequential scans, 'hash' or 'index' of ours.
CREATE FUNCTION tst.use_join(way text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_hashjoin', CASE way WHEN 'hash' THEN 'always' ELSE 'off' END, true),
         set_config('spqtree.enable_indexjoin', (way = 'index')::text, true),
         set_config('spqtree.enable_unique_semijoin', 'off', true),
         set_config('enable_nestloop', (way = 'loop')::text, true), set_config('enable_hashjoin', 'off', true),
         set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_indexscan', (way = 'index')::text, true), set_config('enable_indexonlyscan', (way = 'index')::text, true);
$$;

-- Run a query of one row (its first column is a number of rows) by a nested loop, by the node with
-- little memory, and by workers: whether all agree, and whether workers took part.
CREATE FUNCTION tst.small_and_parallel(query text, OUT nrows bigint, OUT parallel boolean, OUT same boolean)
LANGUAGE plpgsql AS $$
DECLARE
  expected record;
  found record;
  shared record;
BEGIN
  PERFORM tst.use_join('loop');
  EXECUTE query INTO expected;
  PERFORM tst.use_join('hash'), set_config('work_mem', '64kB', true);
  EXECUTE query INTO found;
  PERFORM set_config('max_parallel_workers_per_gather', '2', true), set_config('parallel_setup_cost', '0', true),
          set_config('parallel_tuple_cost', '0', true), set_config('min_parallel_table_scan_size', '0', true);
  parallel := tst.plan_has(query, 'Parallel Custom Scan');
  EXECUTE query INTO shared;
  PERFORM set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '4MB', true);
  nrows := expected.count;
  same := found = expected AND shared = expected;
END $$;

-- Run a query with the node and without: number of rows, and whether the rows are
-- the same.  A notice names those that differ.  A plan without the node is an error.
CREATE FUNCTION tst.compared(query text, OUT "rows" bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan text;
  expected text[];
  answer text[];
BEGIN
  PERFORM tst.use_node(false);
  expected := tst.rows(query);
  PERFORM tst.use_node(true);
  plan := tst.plan_of(query);
  IF plan !~ 'Spatial Hash Join' THEN
    RAISE EXCEPTION 'not by the node: %', plan;
  END IF;
  answer := tst.rows(query);
  "rows" := cardinality(expected);
  same := answer = expected;
  IF NOT same THEN
    RAISE NOTICE '%: %', tst.differing(expected, answer), query;
  END IF;
END $$;

-- The rows that the planner expects of a query.
CREATE FUNCTION tst.expected_rows(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan #> '{0,Plan,Plan Rows}';
END $$;
-- How many times too large or too small that is.
CREATE FUNCTION tst.off_by(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  n float8;
BEGIN
  EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO n;
  RETURN exp(abs(ln(tst.expected_rows(query) / n)));
END $$;

-- Does the plan of this query scan table t in that way?
CREATE FUNCTION tst.planned(query text, plan text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean := false;
  wanted text := CASE plan WHEN 'seq' THEN 'Seq Scan on .* t$'
                           WHEN 'index' THEN 'Index Scan using .* t$'
                           WHEN 'index only' THEN 'Index Only Scan using .* t$'
                           WHEN 'bitmap' THEN 'Bitmap Heap Scan on .* t$' END;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    hit := hit OR line ~ wanted;
  END LOOP;
  RETURN hit;
END $$;

-- The answers to one question: a text for each row of the table of queries, in
-- order.  body is a subquery on table t for the row q, giving a column "answer".
CREATE FUNCTION tst.answers(body text, qry regclass, plan text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT array_agg(s.answer ORDER BY q.qid) FROM %s q, LATERAL (%s) s', qry, body);
  result text[];
BEGIN
  PERFORM tst.allow(plan);
  IF NOT tst.planned(query, plan) THEN
    RAISE EXCEPTION 'the plan has no "%" scan', plan USING DETAIL = query;
  END IF;
  EXECUTE query INTO result;
  RETURN result;
END $$;

-- Operators that search.  "@> point" compares with the point of the query row, one
-- with "q." with what it names, the others with its box.
CREATE FUNCTION tst.operators() RETURNS text[] IMMUTABLE LANGUAGE sql
RETURN '{&&,@>,<@,~=,<<,>>,&<,&>,<<|,|>>,&<|,|&>,@> point}'::text[];

CREATE FUNCTION tst.condition(operator text) RETURNS text IMMUTABLE LANGUAGE sql
RETURN CASE WHEN operator = '@> point' THEN 't.b @> q.p' WHEN operator LIKE '% q.%' THEN 't.b ' || operator ELSE format('t.b %s q.b', operator) END;

-- What one way to some rows lost and made up against another: how many of each and the
-- first of them; NULL if the rows are the same, each as often.
CREATE FUNCTION tst.differing(wanted text[], found text[]) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(format('%s %s, such as %s', fault, n, example), '; ' ORDER BY fault)
  FROM (SELECT fault, count(*) AS n, min(r COLLATE "C") AS example
        FROM (SELECT 'lost' AS fault, * FROM (SELECT unnest(wanted) EXCEPT ALL SELECT unnest(found)) l
              UNION ALL
              SELECT 'made up', * FROM (SELECT unnest(found) EXCEPT ALL SELECT unnest(wanted)) m) d (fault, r)
        GROUP BY fault) s
$$;

-- For a person who looks for a bug: what an index scan lost, and what it made up.
CREATE FUNCTION tst.difference(tab regclass, qry regclass, operator text, plan text)
RETURNS TABLE (qid int, fault text, id int, b box) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  body text := format('SELECT array_agg(t.id) AS answer FROM %s t WHERE %s', tab, tst.condition(operator));
BEGIN
  PERFORM tst.allow('seq');
  EXECUTE format('CREATE TEMP TABLE difference_seq ON COMMIT DROP AS
                  SELECT q.qid, u.id FROM %s q, LATERAL (%s) s, unnest(s.answer) AS u(id)', qry, body);
  PERFORM tst.allow(plan);
  EXECUTE format('CREATE TEMP TABLE difference_idx ON COMMIT DROP AS
                  SELECT q.qid, u.id FROM %s q, LATERAL (%s) s, unnest(s.answer) AS u(id)', qry, body);
  PERFORM tst.allow('seq');
  RETURN QUERY EXECUTE format(
    'SELECT d.*, t.b FROM
       (SELECT qid, ''lost'', id FROM (TABLE difference_seq EXCEPT ALL TABLE difference_idx) l
        UNION ALL
        SELECT qid, ''made up'', id FROM (TABLE difference_idx EXCEPT ALL TABLE difference_seq) m) d
     LEFT JOIN %s t USING (id) ORDER BY 1, 2, 3', tab);
END $$;

-- Compare index and sequential scan.  The columns after "rows" say in how many
-- of the queries the scan of that kind differs.  The answer to a query is the
-- number of rows and a digest of their ids: a row lost, made up or returned
-- twice changes it.  One sequential scan a query answers for all operators.
CREATE FUNCTION tst.compare(tab regclass, qry regclass,
                            plans text[] DEFAULT '{index,index only,bitmap}',
                            operators text[] DEFAULT tst.operators())
RETURNS TABLE (operator text, queries int, rows bigint, "index" int, "index only" int, bitmap int)
LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  digest text := 'count(*) %1$s || '' '' || coalesce(bit_xor(hashint8extended(t.id, 1)) %1$s, 0)';
  truths text[];
  truth text[];
  answer text[];
  plan text;
  faults int;
BEGIN
  truths := tst.answers((SELECT format('SELECT array_to_string(ARRAY[%s], '','') AS answer FROM %s t',
                                       string_agg(format(digest, format('FILTER (WHERE %s)', tst.condition(o))), ', ' ORDER BY nr), tab)
                         FROM unnest(operators) WITH ORDINALITY AS u(o, nr)), qry, 'seq');
  queries := cardinality(truths);
  FOR nr IN 1 .. cardinality(operators) LOOP
    operator := operators[nr];
    truth := ARRAY(SELECT split_part(x, ',', nr) FROM unnest(truths) AS x);
    SELECT sum(split_part(x, ' ', 1)::bigint) INTO rows FROM unnest(truth) AS x;
    "index" := NULL; "index only" := NULL; bitmap := NULL;
    FOREACH plan IN ARRAY plans LOOP
      answer := tst.answers(format('SELECT %s AS answer FROM %s t WHERE %s', format(digest, ''), tab, tst.condition(operator)), qry, plan);
      SELECT count(*) INTO faults FROM unnest(truth, answer) AS u(t, a) WHERE t IS DISTINCT FROM a;
      CASE plan WHEN 'index' THEN "index" := faults;
                WHEN 'index only' THEN "index only" := faults;
                WHEN 'bitmap' THEN bitmap := faults; END CASE;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;

-- Compare nearest-neighbor order: the distances in the order in which the index
-- yields the rows, against the sorted distances of the sequential scan.  Text of
-- a float8 is exact, so one bit of difference shows.  Ties may come in any order;
-- so the ids are compared only when all rows are asked for, but no id may come
-- twice.  lim: NULL means all rows.
CREATE FUNCTION tst.compare_order(tab regclass, qry regclass, lim int,
                                  cond text DEFAULT 'true',
                                  orderings text[] DEFAULT '{t.b <-> q.p,t.b <-> q.b}',
                                  plans text[] DEFAULT '{index,index only}')
RETURNS TABLE (ordering text, queries int, rows bigint, "index" int, "index only" int)
LANGUAGE plpgsql SET jit = off SET extra_float_digits = 1 AS $$
DECLARE
  body text;
  plan text;
  truth text[];
  answer text[];
  faults int;
BEGIN
  FOREACH ordering IN ARRAY orderings LOOP
    -- DISTINCT apart from array_agg: the planner (16 on) would sort for both
    body := format('SELECT concat_ws('' '', count(*), (SELECT count(DISTINCT i) FROM unnest(array_agg(s.id)) i),
                                     CASE WHEN %L THEN bit_xor(hashint8extended(s.id, 1)) END,
                                     array_agg(s.d)) AS answer
                    FROM (SELECT t.id, ARRAY[%s] AS d FROM %s t WHERE %s ORDER BY %s LIMIT %s) s',
                   lim IS NULL, ordering, tab, cond, ordering, coalesce(lim::text, 'ALL'));
    truth := tst.answers(body, qry, 'seq');
    queries := cardinality(truth);
    SELECT sum(split_part(x, ' ', 1)::bigint) INTO rows FROM unnest(truth) AS x;
    "index" := NULL; "index only" := NULL;
    FOREACH plan IN ARRAY plans LOOP
      answer := tst.answers(body, qry, plan);
      SELECT count(*) INTO faults FROM unnest(truth, answer) AS u(t, a) WHERE t IS DISTINCT FROM a;
      CASE plan WHEN 'index' THEN "index" := faults;
                WHEN 'index only' THEN "index only" := faults; END CASE;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;

-- Queries made from the rows of a table, n of them evenly spread over its ids:
-- a box of the table, the one between it and the next, and its lower corner.
-- No arithmetic, so that any box will do.
CREATE FUNCTION tst.queries(tab regclass, n int) RETURNS TABLE (qid int, b box, p point)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT i::int, CASE i %% 3 WHEN 0 THEN b WHEN 1 THEN box(b[1], next[0]) ELSE box(b[1], b[1]) END, b[i %% 2]
     FROM (SELECT b, lead(b, 1, b) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS i
           FROM (SELECT id, b, row_number() OVER (ORDER BY id) AS nr, count(*) OVER () AS total
                 FROM %s WHERE b IS NOT NULL) a
           WHERE (nr - 1) * %s / total > (nr - 2) * %s / total OR nr = 1) c', tab, n, n);
END $$;

-- The message of the error that a command ends with: psql would name the file, if that
-- is run by another.
CREATE FUNCTION tst.error(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE command;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN SQLERRM;
END $$;

-- All of it in one line: every operator by index-only and bitmap scans, both
-- orders by plain and index-only scans, with n queries each.  "operators" counts those
-- that found rows at all, "wrong" and "misordered" the answers that differ, and
-- "compact" is false if the index has grown out of all proportion to the table.
-- What differs is told in notices.
CREATE FUNCTION tst.check_index(tab regclass, n int, lim int DEFAULT 30, proportion int DEFAULT 3)
RETURNS TABLE (queries bigint, operators bigint, rows bigint, wrong bigint, ordered bigint, misordered bigint, compact boolean)
LANGUAGE plpgsql AS $$
DECLARE
  fault record;
BEGIN
  CREATE TEMP TABLE check_q ON COMMIT DROP AS SELECT * FROM tst.queries(tab, n);
  CREATE TEMP TABLE check_result ON COMMIT DROP AS SELECT * FROM tst.compare(tab, 'check_q', '{index only,bitmap}');
  CREATE TEMP TABLE check_order ON COMMIT DROP AS SELECT * FROM tst.compare_order(tab, 'check_q', lim);
  PERFORM tst.allow('seq');
  SELECT sum(c.queries), count(*) FILTER (WHERE c.rows > 0), sum(c.rows), sum(c."index only" + c.bitmap)
    INTO queries, operators, rows, wrong FROM check_result c;
  SELECT sum(c.rows), sum(c."index" + c."index only")
    INTO ordered, misordered FROM check_order c;
  SELECT bool_and(pg_relation_size(indexrelid) < proportion * pg_relation_size(tab) + 100000)
    INTO compact FROM pg_index WHERE indrelid = tab;
  FOR fault IN SELECT * FROM check_result c WHERE c."index only" + c.bitmap > 0 LOOP
    RAISE NOTICE 'table %, operator %: wrong answers: index only %, bitmap %',
      tab, fault.operator, fault."index only", fault.bitmap;
  END LOOP;
  FOR fault IN SELECT * FROM check_order c WHERE c."index" + c."index only" > 0 LOOP
    RAISE NOTICE 'table %, order by %: wrong answers: index %, index only %',
      tab, fault.ordering, fault."index", fault."index only";
  END LOOP;
  DROP TABLE check_q, check_result, check_order;
  RETURN NEXT;
END $$;

--
-- Can it fail?  An operator class that mixes up operators on purpose: the index
-- takes && for ~= (and so loses rows), @> for && (and so makes up rows), and
-- orders by the distance to the upper right corner instead of the center.  The
-- operator >> is as it should be.
--
CREATE OPERATOR CLASS tst.wrong_ops FOR TYPE box USING spgist AS
  OPERATOR 6 &&,
  OPERATOR 3 @>,
  OPERATOR 5 >>,
  OPERATOR 15 <-> (box, box) FOR ORDER BY float_ops,
  FUNCTION 1 spg_box_quad_config(internal, internal),
  FUNCTION 2 spg_box_quad_choose(internal, internal),
  FUNCTION 3 spg_box_quad_picksplit(internal, internal),
  FUNCTION 4 spg_box_quad_inner_consistent(internal, internal),
  FUNCTION 5 spg_box_quad_leaf_consistent(internal, internal);

CREATE TABLE wrong AS
SELECT i AS id, box(point(x, y), point(x + 1 + i % 7, y + 1 + i % 5)) AS b
FROM generate_series(1, 500) i, tst.rnd(1, i, 1) r1, tst.rnd(1, i, 2) r2,
     LATERAL (SELECT floor(r1 * 50) AS x, floor(r2 * 50) AS y) v;
CREATE TABLE wrong_q AS
SELECT id AS qid, box(b[1], b[1] + point(6, 6)) AS b, b[0] AS p FROM wrong WHERE id % 25 = 0;
CREATE INDEX ON wrong USING spgist (b tst.wrong_ops) INCLUDE (id);
VACUUM ANALYZE wrong;

SELECT operator, queries, rows > 0 AS rows, "index" > 0 AS "index",
       "index only" > 0 AS "index only", bitmap > 0 AS bitmap
FROM tst.compare('wrong', 'wrong_q', operators => '{&&,@>,>>}');
SELECT ordering, queries, rows > 0 AS rows, "index" > 0 AS "index", "index only" > 0 AS "index only"
FROM tst.compare_order('wrong', 'wrong_q', 5, orderings => '{t.b <-> q.b}');
SELECT fault, count(*) > 0 AS found FROM tst.difference('wrong', 'wrong_q', '&&', 'index') GROUP BY 1;
SELECT fault, count(*) > 0 AS found FROM tst.difference('wrong', 'wrong_q', '@>', 'bitmap') GROUP BY 1;

SELECT tst.differing('{a,b,b,c}', '{c,b,d,a}'), tst.differing('{a,b,b}', '{b,a,b}') AS same;

-- A scan that is not of the kind asked for is an error, not a success.
\set VERBOSITY terse
SELECT * FROM tst.compare('wrong', 'wrong_q', operators => '{<<}');
\set VERBOSITY default

DROP TABLE wrong, wrong_q;
DROP OPERATOR FAMILY tst.wrong_ops USING spgist;
