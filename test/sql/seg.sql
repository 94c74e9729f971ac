--
-- Intervals of the extension seg: every operator in scans and joins, with and without indexes, against
-- sequential scans and nested loops.  SPQTREE_SEED sets another seed than 1, or a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA segs;
SET search_path = segs, public;
CREATE EXTENSION spqtree_seg CASCADE;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: seg with seed %', (SELECT seed FROM setup); END $$;
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname = 'spqtree_seg_ops';
-- all objects of the extension
\getenv abs_srcdir PG_ABS_SRCDIR
\set ECHO none
\i :abs_srcdir/definitions.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(': ', object, definition, comment) FROM definition WHERE extname = 'spqtree_seg' ORDER BY object, definition;
\pset format aligned
\pset tuples_only off
DROP VIEW definition;

-- A number: small ones that touch, with one digit or two; minus zero; near 1e-8, where a tolerance would decide; the largest.
CREATE FUNCTION number(seed bigint, i bigint, k int) RETURNS text STABLE LANGUAGE sql
RETURN CASE tst.rndint(seed, i, k, 1, 9)
         WHEN 1 THEN ('{3.4028235e38,-3.4028235e38,3.4028233e38,1.7014118e38,-1.7014118e38,1e-45,-0,2e38}'::text[])[tst.rndint(seed, i, k + 1, 1, 8)]
         WHEN 2 THEN tst.rndint(seed, i, k + 1, 0, 9) || 'e-8'
         WHEN 3 THEN tst.rndint(seed, i, k + 1, -2, 6) || '.0'
         WHEN 4 THEN (tst.rnd(seed, i, k + 1) * 6)::numeric(6, 3)::text
         ELSE tst.rndint(seed, i, k + 1, -2, 6)::text END;
CREATE FUNCTION mark(seed bigint, i bigint, k int) RETURNS text STABLE LANGUAGE sql
RETURN ('{<,>,~,"","","",""}'::text[])[tst.rndint(seed, i, k, 1, 7)];
-- A seg: one number, an interval, open at one end or both, or with its ends in the wrong order: an
-- empty intersection, or a deviation below 0.
CREATE FUNCTION interval_of(seed bigint, i bigint) RETURNS seg STABLE LANGUAGE sql AS $$
  SELECT CASE kind WHEN 1 THEN (m || a)::seg WHEN 2 THEN (m || a || ' ..')::seg WHEN 3 THEN ('.. ' || m || a)::seg
                   WHEN 4 THEN seg_inter(a::seg, b::seg) WHEN 5 THEN seg_union((a || ' ..')::seg, ('.. ' || b)::seg)
                   WHEN 6 THEN (a || ' (+-) ' || tst.rndint(seed, i, 6, -3, 3))::seg
                   ELSE (m || least(a::float4, b::float4) || ' .. ' || n || greatest(a::float4, b::float4))::seg END
  FROM (SELECT number(seed, i, 1) AS a, number(seed, i, 3) AS b, mark(seed, i, 7) AS m, mark(seed, i, 8) AS n, tst.rndint(seed, i, 5, 1, 14) AS kind OFFSET 0) v
$$;
CREATE FUNCTION make(side int, first int, last int) RETURNS TABLE (id int, s seg, k int) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 19 <> 4 THEN interval_of(seed, i) END, i % 4
  FROM generate_series(first, last) i, (SELECT setup.seed * 9 + side AS seed FROM setup OFFSET 0) v
$$;
-- built at once, grown, and both
CREATE TABLE t1 AS SELECT * FROM make(1, 1, 400);
CREATE TABLE t2 (LIKE t1);
CREATE INDEX t1_s ON t1 USING spqtree (s) INCLUDE (id, s, k);
CREATE INDEX t2_s ON t2 USING spqtree (s);
INSERT INTO t2 SELECT * FROM make(2, 1, 250);
INSERT INTO t1 SELECT * FROM make(1, 401, 500);
INSERT INTO t1 VALUES (2001, '5(+-)-3'), (2002, '3e38(+-)-3e38'), (2003, '3e38(+-)3e38'), (2004, seg_union('1 ..', '.. 0'));
INSERT INTO t2 SELECT id + 2000, s FROM t1 WHERE id > 2000;
DELETE FROM t1 WHERE id % 13 = 0;
VACUUM ANALYZE t1, t2;
UPDATE t2 SET s = interval_of(7, id) WHERE id % 17 = 0;
-- every kind is there
SELECT count(*) FILTER (WHERE seg_lower(s) > seg_upper(s)) > 20 AS reversed, count(*) FILTER (WHERE seg_lower(s) = seg_upper(s)) > 20 AS numbers,
       count(*) FILTER (WHERE seg_lower(s) = '-Infinity') > 20 AND count(*) FILTER (WHERE seg_upper(s) = 'Infinity') > 20 AS open,
       count(*) FILTER (WHERE s::text ~ '[~<>]') > 20 AS marked, count(*) FILTER (WHERE abs(seg_upper(s)) > 3e38) > 20 AS far FROM t1;

--
-- Scans
--
CREATE TABLE qry AS
SELECT id AS qid, s FROM make(3, 1, 60)
UNION ALL VALUES (1001, '5(+-)-3'::seg), (1002, '3.4028235e38 ..'), (1003, '.. -3.4028235e38'), (1004, seg_union('1 ..', '.. 0')), (1005, NULL), (1006, '3e38(+-)-3e38'), (1007, '0 .. 3');
CREATE TABLE scanned (tab text, operator text, plan text, queries int, rows bigint, wrong bigint);
CREATE FUNCTION scan(tab text, operator text, plan text, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body text := format('SELECT array_agg(t.id ORDER BY t.id)::text AS answer FROM %I t WHERE %s', tab, condition);
  expected text[] := tst.answers(body, 'qry', 'seq');
  answer text[] := tst.answers(body, 'qry', plan);
BEGIN
  INSERT INTO scanned
  SELECT tab, operator, plan, count(*), coalesce(sum(cardinality(e::text[])), 0), count(*) FILTER (WHERE e IS DISTINCT FROM a)
  FROM unnest(expected, answer) AS u(e, a);
END $$;
SELECT count(scan('t' || side, operator, plan, format(condition, operator)))
FROM generate_series(1, 2) side, unnest('{&&,@>,<@,=,<<,>>,&<,&>}'::text[]) operator,
     (VALUES ('index', 't.s %1$s q.s'), ('bitmap', 't.s %1$s q.s')) form (plan, condition);
SELECT count(scan('t2', operator, 'index', format('q.s %s t.s', operator))) FROM unnest('{&&,@>,<@,=,<<,>>}'::text[]) operator;
-- in an index-only scan the operator is evaluated for the INCLUDE column
SELECT count(scan('t1', operator, 'index only', format('t.s %s q.s AND t.k > 0', operator))) FROM unnest('{&&,@>,<@,=,<<,>>,&<,&>}'::text[]) operator;
SELECT operator, plan, sum(queries) AS queries, sum(wrong) AS wrong, sum(rows) > 50 AS some FROM scanned GROUP BY operator, plan ORDER BY operator COLLATE "C", plan;
SELECT count(*) FROM unnest('{t1_s,t2_s}'::regclass[]) i, spqtree_check(i, true);

--
-- Joins
--
CREATE TABLE joined (condition text, plan text, used boolean, same boolean, nrows bigint);
CREATE FUNCTION compare(condition text, query text, VARIADIC nodes text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wrapped text := format('SELECT count(*), md5(string_agg(j::text, '','' ORDER BY j::text COLLATE "C")) FROM (%s) j', format(query, condition));
  expected text;
  found text;
  n bigint;
  node text;
BEGIN
  PERFORM tst.use_join('loop');
  EXECUTE wrapped INTO n, expected;
  FOREACH node IN ARRAY nodes LOOP
    PERFORM tst.use_join(node);
    EXECUTE wrapped INTO n, found;
    IF found IS DISTINCT FROM expected THEN
      RAISE WARNING 'wrong rows (%): %', node, format(query, condition);
    END IF;
    INSERT INTO joined VALUES (condition, node,
      tst.plan_has(wrapped, CASE node WHEN 'hash' THEN 'Spqtree Spatial Hash Join' ELSE 'Spqtree Index Join' END), found IS NOT DISTINCT FROM expected, n);
  END LOOP;
END $$;
CREATE TABLE form (query text);
INSERT INTO form VALUES
  ('SELECT l.id, m.id AS other FROM t1 l JOIN t2 m ON %s'),
  ('SELECT l.id, m.id AS other FROM t1 l LEFT JOIN t2 m ON %s'),
  ('SELECT l.id FROM t1 l WHERE EXISTS (SELECT FROM t2 m WHERE %s)'),
  ('SELECT l.id FROM t1 l WHERE NOT EXISTS (SELECT FROM t2 m WHERE %s)'),
  ('SELECT l.id, m.id AS other FROM t1 l JOIN t2 m ON %s AND l.k = m.k');
SELECT count(compare(format('l.s %s m.s', operator), query, 'hash', 'index')) FROM form, unnest('{&&,@>,<@}'::text[]) operator;
SELECT plan, count(*) AS queries, min(condition) FILTER (WHERE NOT used) AS otherwise, bool_and(same) AS same, min(nrows) > 5 AS some
FROM joined GROUP BY plan ORDER BY plan;
-- values that are computed, on both sides; the other operators are no keys
SELECT count(compare(condition, 'SELECT l.id, m.id AS other FROM t1 l JOIN t2 m ON %s', 'hash'))
FROM unnest('{"seg_union(l.s, m.s) @> m.s AND l.s && m.s","seg_inter(l.s, ''1 .. 3'') && m.s","m.s @> seg_union(l.s, ''2'')"}'::text[]) condition;
SELECT bool_and(same) AS same, bool_and(used) AS used FROM joined WHERE condition ~ 'seg_';
-- by several processes, and with little memory
CREATE TABLE big1 AS SELECT * FROM make(1, 1, 500);
CREATE TABLE big2 AS SELECT * FROM make(2, 1, 700);
ANALYZE big1, big2;
SELECT condition, same, nrows > 1000 AS many
FROM unnest('{l.s && m.s,l.s @> m.s,l.s <@ m.s}'::text[]) condition, tst.small_and_parallel(format('SELECT count(*), sum(l.id * m.id::bigint) FROM big1 l JOIN big2 m ON %s', condition));

--
-- Plans and estimates
--
EXPLAIN (COSTS OFF) SELECT l.id, m.id FROM big1 l LEFT JOIN big2 m ON l.s @> m.s AND m.k = 1;
CREATE TABLE reading AS
SELECT i AS id, (x || ' .. ' || x + d)::seg AS s FROM (SELECT i, tst.rndint(1, i, 1, 0, 100000) AS x, tst.rndint(1, i, 2, 0, 200) AS d FROM generate_series(1, 6000) i OFFSET 0) v;
ANALYZE reading;
SELECT query, tst.off_by('SELECT FROM ' || query) <= 3 AS near
FROM unnest('{reading x JOIN reading y ON x.s && y.s,reading x JOIN reading y ON x.s @> y.s,reading WHERE s && ''30000 .. 40000'',reading WHERE s <@ ''30000 .. 50000'',reading WHERE s && ''70000 ..''}'::text[]) query;
INSERT INTO reading SELECT 6000 + i, (i * 1000 || ' ..')::seg FROM generate_series(1, 20) i;
-- few rows are read behind an open end, too
CREATE INDEX reading_s ON reading USING spqtree (s);
ANALYZE reading;
CREATE FUNCTION rows_read(condition text, OUT index text, OUT few boolean) LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  PERFORM tst.allow('index');
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) SELECT FROM reading WHERE ' || condition INTO plan;
  index := plan #>> '{0,Plan,Index Name}';
  few := (plan #> '{0,Plan,Actual Rows}')::float8 + coalesce((plan #> '{0,Plan,Rows Removed by Index Recheck}')::float8, 0) < 100;
END $$;
SELECT condition, r.* FROM unnest('{"s && ''99900 ..''","''.. 100'' && s","s @> ''99900 ..''","s <@ ''99900 ..''","s >> ''99800 .. 99900''"}'::text[]) condition, rows_read(condition) r;

-- An exclusion constraint, domains, NULL, and a hint
CREATE DOMAIN positive AS seg CHECK (seg_lower(VALUE) >= 0);
CREATE TABLE shift (s positive, EXCLUDE USING spqtree (s WITH &&));
INSERT INTO shift VALUES ('1 .. 2'), ('3 ..'), (NULL), (NULL);
INSERT INTO shift VALUES ('2 .. 2.5');
INSERT INTO shift VALUES ('1e30 .. 2e30');
EXPLAIN (COSTS OFF) SELECT FROM shift a JOIN reading b ON a.s && b.s;
DROP EXTENSION spqtree_seg CASCADE;
CREATE INDEX ON reading USING spqtree (s);
SELECT advice FROM spqtree_advise('SELECT FROM reading x JOIN reading y ON x.s && y.s') WHERE advice LIKE 'CREATE%';
DROP EXTENSION seg CASCADE;
DROP SCHEMA segs CASCADE;
