--
-- Joins whose rows are counted in the node: the counts of PostgreSQL's own plans.
--
-- A query is a combination of a kind of join, a condition, columns to group by, and
-- counts.  Each engine answers it: a hash join, a join of two indexes, and one of
-- rows with an index.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '30min';   -- a loop without end shall be a failure
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA node_counts;
SET search_path = node_counts, public;
CREATE TABLE setup AS
SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
                    ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: counted joins with seed %', (SELECT seed FROM setup); END $$;

-- Several rows have the same number, or name; some have no box, or one with a NaN.
CREATE FUNCTION rows_of(side int, n int)
RETURNS TABLE (id int, big bigint, name text, kind int, b box, y polygon) LANGUAGE sql AS $$
  SELECT i, i + 5000000000 * side, 'row ' || i % 50, nullif(i % 7, 3),
         CASE i % 37 WHEN 5 THEN NULL WHEN 6 THEN box(point('NaN', y), point(x, y)) ELSE box(point(x, y), point(x + w * 3, y + w * 3)) END,
         CASE WHEN i % 31 <> 4 THEN polygon(box(point(x, y), point(x + w * 2, y + w * 2))) END
  FROM setup, generate_series(1, n) i,
       LATERAL (SELECT tst.rnd(seed, i, side) * 30 AS x, tst.rnd(seed, i, side + 10) * 30 AS y, tst.rnd(seed, i, side + 20) ^ 3 AS w) r
$$;
CREATE TABLE l (id int NOT NULL, big bigint PRIMARY KEY, name text, kind int, b box, y polygon);
CREATE TABLE r (id int NOT NULL, big bigint PRIMARY KEY, name text, kind int, b box, y polygon);
CREATE TABLE plain (id int NOT NULL, big bigint PRIMARY KEY, name text, kind int, b box, y polygon);
CREATE TABLE nothing (id int NOT NULL, big bigint PRIMARY KEY, name text, kind int, b box, y polygon);
INSERT INTO l SELECT * FROM rows_of(1, 300);
INSERT INTO r SELECT * FROM rows_of(2, 400);
INSERT INTO plain SELECT * FROM rows_of(1, 300);
CREATE INDEX l_b ON l USING spqtree (b) INCLUDE (id, big, name, kind);
CREATE INDEX r_b ON r USING spqtree (b) INCLUDE (id, big, name, kind);
CREATE INDEX l_y ON l USING spqtree (y);
CREATE INDEX r_y ON r USING spqtree (y);
CREATE INDEX nothing_b ON nothing USING spqtree (b);
VACUUM ANALYZE l, r, plain, nothing;

-- Leave the planner one engine, or none of ours.
CREATE FUNCTION use(engine text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable', (engine <> 'none')::text, true),
         set_config('spqtree.enable_hashjoin', CASE engine WHEN 'hash' THEN 'always' ELSE 'off' END, true),
         set_config('spqtree.enable_indexjoin', (engine NOT IN ('hash', 'none'))::text, true),
         set_config('spqtree.enable_unique_semijoin', 'off', true),
         set_config('enable_nestloop', (engine = 'none')::text, true),
         set_config('enable_seqscan', (engine NOT IN ('indexes'))::text, true),
         set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
$$;

CREATE FUNCTION explained(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT json) ' || query INTO plan;
  RETURN plan;
END $$;

-- Whether an engine counts, and whether its answer is that of nested loops.
CREATE FUNCTION compare(engine text, query text, OUT counted boolean, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  expected text[];
  answer text[];
BEGIN
  PERFORM use('none');
  expected := tst.rows(query);
  PERFORM use(engine);
  counted := tst.plan_of(query) ~ 'Counted: ';
  answer := tst.rows(query);
  same := answer = expected;
  IF NOT same THEN
    RAISE WARNING '% %: %', engine, tst.differing(expected, answer), query;
  END IF;
END $$;

CREATE TABLE source (kind text, tables text);
INSERT INTO source VALUES
  ('inner', '[A] a JOIN [B] b ON [ON]'),
  ('left', '[A] a LEFT JOIN [B] b ON [ON]'),
  ('right', '[A] a RIGHT JOIN [B] b ON [ON]'),
  ('full', '[A] a FULL JOIN [B] b ON [ON]'),
  ('semi', '(SELECT * FROM [A] a WHERE EXISTS (SELECT FROM [B] b WHERE [ON])) a'),
  ('anti', '(SELECT * FROM [A] a WHERE NOT EXISTS (SELECT FROM [B] b WHERE [ON])) a'),
  ('filtered', '[A] a LEFT JOIN [B] b ON [ON] WHERE a.id + coalesce(b.id, 7) % 9 <> 5'),
  ('unique', '[A] a JOIN [B] b ON [ON] AND a.big + 5000000000 = b.big');
CREATE TABLE condition (name text, text text);
INSERT INTO condition VALUES
  ('boxes', 'a.b && b.b'),
  ('contained', 'a.b <@ b.b'),
  ('shapes', 'a.y && b.y'),
  ('more', 'a.b && b.b AND a.id % 5 <> b.id % 5'),
  ('equal', 'a.b && b.b AND a.kind = b.kind');
CREATE TABLE grouping (name text, columns text);
INSERT INTO grouping VALUES
  ('all', NULL), ('int', 'a.id'), ('bigint', 'a.big'), ('text', 'a.name'), ('null', 'a.kind'), ('two', 'a.name, a.kind'),
  ('box', 'a.b::text'), ('expression', 'a.id % 10'), ('constant', '1 + 1'),
  ('other', 'b.id'), ('other text', 'b.name'), ('both', 'a.kind, b.kind');
CREATE TABLE counts (name text, text text);
INSERT INTO counts VALUES ('rows', 'count(*)'), ('left', 'count(a.id)'), ('other', 'count(b.big)'), ('three', 'count(*), count(b.id), count(a.big)');

CREATE TABLE question AS
SELECT s.kind, c.name AS condition, g.name AS grouping, x.name AS counts, q.query
FROM source s, condition c, grouping g, counts x,
     LATERAL (SELECT replace(concat_ws(' ', 'SELECT', g.columns || ',', x.text, 'FROM', s.tables,
                                       'GROUP BY ' || CASE WHEN g.name IN ('expression', 'constant') THEN '1' ELSE g.columns END),
                             '[ON]', c.text) AS query) q
WHERE (c.name = 'boxes' OR x.name = CASE WHEN s.kind IN ('semi', 'anti') THEN 'rows' ELSE 'three' END)
  AND (c.name = 'equal' OR s.kind <> 'full')
  AND (c.name IN ('boxes', 'more') OR g.name NOT IN ('bigint', 'null', 'two', 'box', 'constant', 'other text'))
  -- the inner side of a semi join has no columns
  AND NOT (s.kind IN ('semi', 'anti') AND concat(g.columns, x.text) ~ 'b\.');
CREATE TABLE engine (name text, a text, b text);
INSERT INTO engine VALUES ('hash', 'plain', 'r'), ('hash', 'r', 'plain'), ('indexes', 'l', 'r'), ('index', 'plain', 'r');

-- Each engine counts where the columns come from one side and the plan is the cheapest
-- one, and the answers are the same.
SELECT e.name AS engine, q.kind, bool_or(c.counted) OR q.kind IN ('full', 'right', 'unique') AS counts, count(*) AS queries,
       bool_and(c.same) AS same
FROM question q, engine e, compare(e.name, replace(replace(q.query, '[A]', e.a), '[B]', e.b)) c
GROUP BY e.name, q.kind ORDER BY e.name, q.kind;

-- Nothing on one side, or on both.
SELECT bool_and(c.same) AS same, count(*) AS queries
FROM question q, (VALUES ('hash', 'nothing', 'r'), ('hash', 'plain', 'nothing'), ('indexes', 'nothing', 'r'), ('indexes', 'l', 'nothing'),
                         ('index', 'nothing', 'r'), ('index', 'plain', 'nothing'), ('hash', 'nothing', 'nothing')) e (name, a, b),
     compare(e.name, replace(replace(q.query, '[A]', e.a), '[B]', e.b)) c
WHERE q.condition = 'boxes' AND q.grouping IN ('all', 'int', 'text') AND q.counts IN ('rows', 'three');

-- Workers count their own rows.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT e.name AS engine, bool_and(c.same) AS same, count(*) AS queries
FROM question q, engine e, compare(e.name, replace(replace(q.query, '[A]', e.a), '[B]', e.b)) c
WHERE q.condition = 'boxes' AND q.grouping IN ('all', 'int', 'text') AND q.counts = CASE WHEN q.kind IN ('semi', 'anti') THEN 'rows' ELSE 'three' END
GROUP BY e.name ORDER BY e.name;
BEGIN;
SELECT FROM use('hash');
ALTER TABLE plain SET (parallel_workers = 2);
SELECT tst.plan_of('SELECT count(*) FROM plain a JOIN r b ON a.b && b.b') ~ 'Gather.*Counted: In All' AS workers_count;
ROLLBACK;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET min_parallel_index_scan_size;
SET max_parallel_workers_per_gather = 0;

-- A build side in batches, and one that workers share: the counts of the same node that
-- returns the rows.
CREATE TABLE many (LIKE plain);
CREATE TABLE many_r (LIKE plain);
INSERT INTO many SELECT * FROM rows_of(3, 9000);
INSERT INTO many_r SELECT * FROM rows_of(4, 6000);
ALTER TABLE many SET (parallel_workers = 2);
ALTER TABLE many_r SET (parallel_workers = 2);
ANALYZE many, many_r;
CREATE TABLE large (n serial, query text);
INSERT INTO large (query) VALUES
  ('SELECT b.id, count(*) FROM many a JOIN many_r b ON a.b && b.b GROUP BY b.id'),
  ('SELECT a.id, count(*) FROM many a JOIN many_r b ON a.b && b.b GROUP BY a.id'),
  ('SELECT b.name, count(*), count(a.id), count(b.id) FROM many_r b LEFT JOIN many a ON a.b && b.b AND b.id % 9 > 0 GROUP BY b.name'),
  ('SELECT b.id + 1, count(*), b.name FROM many a JOIN many_r b ON a.y && b.y GROUP BY 1, 3'),
  ('SELECT b.id, count(*) FROM many a JOIN many_r b ON a.b && b.b AND a.kind = b.kind GROUP BY b.id');
CREATE FUNCTION count_large(query text, workers int, memory text, OUT counted text, OUT batches boolean, OUT shared boolean, OUT same boolean)
LANGUAGE plpgsql AS $$
DECLARE
  expected text[];
  plan jsonb;
BEGIN
  PERFORM use('hash'), set_config('work_mem', memory, true), set_config('max_parallel_workers_per_gather', workers::text, true),
          set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true),
          set_config('min_parallel_table_scan_size', '0', true), set_config('spqtree.enable_counts', 'off', true);
  expected := tst.rows(query);
  PERFORM set_config('spqtree.enable_counts', 'on', true);
  plan := jsonb_path_query_first(explained(query), '$.** ? (exists(@."Counted"))');
  counted := plan ->> 'Counted';
  batches := (plan ->> 'Batches')::int > 1;
  shared := plan ->> 'Shared Build';
  same := cardinality(expected) > 40 AND tst.rows(query) = expected;
END $$;
SELECT workers, memory, n, c.counted, CASE WHEN workers = 0 THEN c.batches ELSE c.shared END AS batches_or_shared, c.same
FROM large, unnest('{0,2}'::int[]) workers, unnest('{64kB,4MB}'::text[]) memory, count_large(query, workers, memory) c
ORDER BY workers, memory, n;

-- Other aggregates, conditions on the groups, columns that depend on the group's, order, sets of groups.
CREATE TABLE other (query text, counts boolean);
INSERT INTO other VALUES
  ('SELECT a.id, count(*) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id HAVING count(*) > 3 AND a.id % 2 = 0', true),
  ('SELECT a.big, a.name, a.id + 1, count(*) * 2 FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.big', true),
  ('SELECT n, count(*) FROM (SELECT a.id, count(*) AS n FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id) t GROUP BY n', true),
  ('SELECT a.name FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.name ORDER BY count(*) DESC, 1 LIMIT 7', true),
  ('SELECT (SELECT count(*) FROM [A] a JOIN [B] b ON a.b && b.b WHERE a.id > q.id AND b.id < q.id * 3) FROM [B] q WHERE q.id < 9', true),
  ('SELECT q.id, n FROM [B] q, LATERAL (SELECT count(*) AS n FROM [A] a JOIN [B] b ON a.b && b.b WHERE a.id % 9 = q.id) t WHERE q.id < 9', true),
  ('SELECT a.id, count(1), count(''x''::text) FROM [A] a LEFT JOIN [B] b ON a.b && b.b GROUP BY a.id', true),
  ('SELECT a.id, count(NULL::int) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id', false),
  ('SELECT a.id, count(b.kind) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id', false),
  ('SELECT a.id, count(*), sum(b.kind) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id', false),
  ('SELECT a.id, count(DISTINCT b.id) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id', false),
  ('SELECT a.id, count(*) FILTER (WHERE b.kind > 2) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id', false),
  ('SELECT a.id, b.kind, count(*) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id, b.kind', false),
  ('SELECT a.id, count(*) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY GROUPING SETS (a.id, ())', false),
  ('SELECT DISTINCT a.id FROM [A] a JOIN [B] b ON a.b && b.b', false),
  ('SELECT a.big, grouping(a.big), count(*) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.big', false),
  ('SELECT a.id, count(*) FROM [A] a JOIN [B] b ON a.b && b.b GROUP BY a.id HAVING grouping(a.id) = 0', false),
  -- a join below has put nulls into a column that has none in its table
  ('SELECT c.id, count(x.id), count(*) FROM [B] c LEFT JOIN [A] x ON x.id = c.id + 290 JOIN [B] b ON c.b && b.b GROUP BY c.id', false);
SELECT c.same, c.counted = o.counts AS as_expected, o.query
FROM other o, engine e, compare(e.name, replace(replace(o.query, '[A]', e.a), '[B]', e.b)) c WHERE e.a = 'plain' AND e.name = 'hash';
-- Where the groups are the rows of a table, no node above adds anything up. A key says that they are if its columns cannot be null, and
-- if it holds for all rows at any time, by the equality of GROUP BY.
CREATE TABLE keyed AS
SELECT id, id % 3 AS two, id AS late, id AS part, nullif(nullif(id, 5), 9) AS maybe, 'row ' || id AS name, id AS same, b FROM plain WHERE b IS NOT NULL;
ALTER TABLE keyed ALTER id SET NOT NULL, ALTER two SET NOT NULL, ALTER late SET NOT NULL, ALTER part SET NOT NULL, ALTER name SET NOT NULL,
	ALTER same SET NOT NULL, ADD UNIQUE (two, id), ADD UNIQUE (late) DEFERRABLE, ADD UNIQUE (maybe);
CREATE UNIQUE INDEX ON keyed (part) WHERE part > 0;
CREATE UNIQUE INDEX ON keyed (name COLLATE "POSIX");
CREATE INDEX ON keyed (same);
VACUUM ANALYZE keyed;
CREATE FUNCTION whole(plan text) RETURNS boolean RETURN plan ~ 'Counted: By Build Row' AND plan !~ 'Aggregate';
CREATE TABLE grouped (columns text, counts text, whole boolean);
INSERT INTO grouped VALUES
  ('a.id, a.two', 'count(*)', true), ('a.two, a.same, a.id', '2 * count(a.id), count(*) + 1', true), ('a.two, a.id', 'count(a.id), count(b.big)', true),
  ('a.id', 'count(*)', false), ('a.late', 'count(*)', false), ('a.part', 'count(*)', false), ('a.maybe', 'count(*)', false),
  ('a.name', 'count(*)', false), ('a.same', 'count(*)', false), ('a.id + 0, a.two', 'count(*)', false), ('a.id, a.two, b.id', 'count(*)', false);
SELECT g.columns, kind, c.same, whole(plan) = (g.whole AND kind <> 'RIGHT') AS as_expected
FROM grouped g, unnest('{INNER,LEFT,RIGHT}'::text[]) kind,
	format('SELECT %s, %s FROM keyed a %s JOIN r b ON a.b && b.b GROUP BY %1$s', g.columns, g.counts, kind) q,
	compare('hash', q) c, tst.plan_of(q) plan ORDER BY 1, 2;
-- HAVING is a filter on whole counts, also by counts and columns that are not returned; a subquery for each group needs a node above.
SELECT condition, kind, c.same, cardinality(tst.rows(q)) > 0 AS some, whole(plan) = (condition !~ 'k.id' AND kind <> 'RIGHT') AS as_expected
FROM unnest(ARRAY['count(*) > 3', 'count(b.id) = 0', 'count(b.id) <= 1', 'count(*) BETWEEN 2 AND 9 AND count(b.big) > a.same % 5 OR a.two = 0',
                  'count(*) > (SELECT two FROM keyed WHERE id = 10)', 'count(*) > (SELECT k.two FROM keyed k WHERE k.id = a.id)']) condition,
     unnest('{INNER,LEFT,RIGHT}'::text[]) kind,
     format('SELECT a.two, 2 * count(*) AS twice, a.id FROM keyed a %s JOIN r b ON a.b && b.b GROUP BY a.two, a.id, a.same HAVING %s', kind, condition) q,
     compare('hash', q) c, tst.plan_of(q) plan ORDER BY 1, 2;
-- The same column or count twice: as many columns as there are counts and columns to compare, but not these.
SELECT columns, condition, c.same, cardinality(tst.rows(q)) > 0 AS some, whole(plan) AS whole
FROM unnest('{"a.id, count(*), count(*)","a.two, a.id, a.id, count(*)","count(b.id), count(b.id)"}'::text[]) columns,
     unnest('{"count(b.id) = 0","count(*) > 1 OR a.same > 200",count(b.id) > a.same % 3,"count(*) > 1 AND count(b.big) < 4"}'::text[]) condition,
     format('SELECT %s FROM keyed a LEFT JOIN r b ON a.b && b.b GROUP BY a.id, a.two, a.same HAVING %s', columns, condition) q,
     compare('hash', q) c, tst.plan_of(q) plan ORDER BY 1, 2;
BEGIN;
SELECT FROM use('hash');
EXPLAIN (COSTS OFF, VERBOSE) SELECT a.id, a.two, count(*) + 1 FROM keyed a LEFT JOIN r b ON a.b && b.b GROUP BY a.id, a.two;
EXPLAIN (COSTS OFF, VERBOSE) SELECT a.id FROM keyed a LEFT JOIN r b ON a.b && b.b GROUP BY a.id, a.two HAVING count(b.id) = 0 AND count(*) + a.two < 9;
-- a kept plan follows the key; without it, a group has several rows
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE whole AS SELECT a.id, a.two, count(*) FROM keyed a JOIN r b ON a.b && b.b GROUP BY a.id, a.two;
SELECT whole(tst.plan_of('EXECUTE whole')) AS with_key;
ALTER TABLE keyed DROP CONSTRAINT keyed_two_id_key;
INSERT INTO keyed SELECT id, two, -late, -part, -maybe, 'second ' || name, same, b FROM keyed;
SELECT whole(tst.plan_of('EXECUTE whole')) AS without_key;
SELECT (compare('hash', 'SELECT a.id, a.two, count(*) FROM keyed a JOIN r b ON a.b && b.b GROUP BY a.id, a.two')).same;
ROLLBACK;
-- in batches
ALTER TABLE many ADD PRIMARY KEY (id);
-- (a table with a key that is larger than the other one, so that the sides have to exchange their roles)
SELECT on_, c.same, whole(plan) AS whole
FROM unnest('{a.b @> b.b,a.b <@ b.b,a.b && b.b AND a.kind = b.kind,a.b && b.b AND a.id % 5 <> b.id % 5}'::text[]) on_,
	format('SELECT a.id, count(*), count(b.id) FROM many a LEFT JOIN r b ON %s GROUP BY a.id', on_) q,
	compare('hash', q) c, tst.plan_of(q) plan ORDER BY 1;
BEGIN;
SELECT FROM use('hash');
SET LOCAL work_mem = '64kB';
SELECT whole(tst.plan_of(q)) AS whole, (jsonb_path_query_first(explained(q), '$.** ? (exists(@."Batches"))') ->> 'Batches')::int > 1 AS batches,
	(compare('hash', q)).same
FROM (VALUES ('SELECT a.id, a.name, count(*) FROM many a LEFT JOIN many_r b ON a.b && b.b GROUP BY a.id'),
	('SELECT a.id, a.name FROM many a LEFT JOIN many_r b ON a.b && b.b GROUP BY a.id HAVING count(b.id) % 3 = 1')) q (q);
ROLLBACK;
-- 'count(kind)' counts no null; a new constraint makes it a count of rows, and kept plans follow
CREATE TABLE strict AS SELECT id, coalesce(kind, 1) AS kind, b FROM r;
ANALYZE strict;
PREPARE counts AS SELECT a.id, count(b.kind) FROM plain a JOIN strict b ON a.b && b.b GROUP BY a.id ORDER BY a.id LIMIT 3;
BEGIN;
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT FROM use('hash');
SELECT tst.plan_of('EXECUTE counts') ~ 'Counted' AS nullable;
ALTER TABLE strict ALTER kind SET NOT NULL;
SELECT tst.plan_of('EXECUTE counts') ~ 'Counted' AS never_null;
ALTER TABLE strict ALTER kind DROP NOT NULL;
UPDATE strict SET kind = NULL;
SELECT tst.plan_of('EXECUTE counts') ~ 'Counted' AS nullable;
EXECUTE counts;
ROLLBACK;

-- One group, of a constant column: nothing to sort by, and from PostgreSQL 16 on no grouping.
BEGIN;
SET LOCAL enable_hashagg = off;
SET LOCAL cpu_tuple_cost = 1;
SELECT (compare('hash', 'SELECT a.kind, count(*) FROM plain a JOIN r b ON a.b && b.b WHERE a.kind = 2 GROUP BY a.kind')).same;
ROLLBACK;

-- Nobody checks the constraints of a foreign table, or of a partition that is one.
CREATE TABLE files (id int NOT NULL, b box) PARTITION BY RANGE (id);
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS file_fdw SCHEMA node_counts;
  CREATE SERVER counted FOREIGN DATA WRAPPER file_fdw;
  CREATE FOREIGN TABLE files_0 PARTITION OF files DEFAULT SERVER counted OPTIONS (program 'echo ";(9,9),(0,0)"', delimiter ';', format 'csv');
EXCEPTION WHEN undefined_file OR feature_not_supported THEN
  CREATE VIEW files_0 AS SELECT NULL::int AS id, box '(9,9),(0,0)' AS b;
  ALTER TABLE files ALTER id DROP NOT NULL;
  CREATE TABLE files_1 PARTITION OF files DEFAULT;
  INSERT INTO files TABLE files_0;
END $$;
-- (PostgreSQL 19 itself counts their rows for count() of such a column.)
SELECT t, c.same, cardinality(r) = 1 AND r[1] ~ ',[1-9][0-9]+\)$' AS rows
FROM unnest('{files_0,files}'::text[]) t, format('SELECT count(f.id), count(*) FROM %s f JOIN r b ON f.b && b.b', t) q,
     compare('hash', q) c, tst.rows(q) r ORDER BY t;

-- Partitions, joined and aggregated one by one.
CREATE TABLE parted (id int NOT NULL, kind int, b box) PARTITION BY LIST (kind);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (0, 1, 2);
CREATE TABLE parted_2 PARTITION OF parted DEFAULT;
CREATE TABLE parted_r (id int NOT NULL, kind int, b box) PARTITION BY LIST (kind);
CREATE TABLE parted_r1 PARTITION OF parted_r FOR VALUES IN (0, 1, 2);
CREATE TABLE parted_r2 PARTITION OF parted_r DEFAULT;
INSERT INTO parted SELECT id, kind, b FROM rows_of(1, 3000);
INSERT INTO parted_r SELECT id, kind, b FROM rows_of(2, 2000);
ANALYZE parted, parted_r;
SET enable_partitionwise_join = on;
SET enable_partitionwise_aggregate = on;
SELECT c.same, c.counted, g.columns
FROM (VALUES ('a.kind, '), ('a.id, '), ('')) g (columns),
     compare('hash', format('SELECT %s count(*), count(b.id) FROM parted a JOIN parted_r b ON a.kind = b.kind AND a.b && b.b %s', g.columns,
                            'GROUP BY ' || nullif(rtrim(g.columns, ', '), ''))) c ORDER BY g.columns;
RESET enable_partitionwise_join;
RESET enable_partitionwise_aggregate;

-- In EXPLAIN; and the settings that forbid it.
BEGIN;
SELECT FROM use('hash');
EXPLAIN (COSTS OFF, VERBOSE) SELECT a.id, count(*) FROM plain a JOIN r b ON a.b && b.b GROUP BY a.id;
EXPLAIN (COSTS OFF, VERBOSE) SELECT count(*), count(b.id) FROM plain a LEFT JOIN r b ON a.b && b.b;
SELECT plan #>> '{0,Plan,Plans,0,Counted}' AS counted, (plan #>> '{0,Plan,Plans,0,Rows Counted}')::int = n AS right_number
FROM (SELECT count(*) AS n FROM plain a JOIN r b ON a.b && b.b) c,
     LATERAL (SELECT format('SELECT count(*) FROM plain a JOIN r b ON a.b && b.b')) q (query), explained(query) plan;
SELECT (jsonb_path_query_first(plan, '$.** ? (exists(@."Rows Counted"))') ->> 'Rows Counted')::int = n AS right_number
FROM (SELECT count(*) AS n FROM keyed a JOIN r b ON a.b && b.b) c, explained('SELECT a.id FROM keyed a JOIN r b ON a.b && b.b GROUP BY a.id, a.two HAVING count(*) > 5') plan;
SET LOCAL spqtree.enable_counts = off;
SELECT tst.plan_of('SELECT count(*) FROM plain a JOIN r b ON a.b && b.b') ~ 'Counted' AS counted;
ROLLBACK;
