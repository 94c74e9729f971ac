--
-- Settings that forbid kinds of plans: the join node over forbidden scans is not taken
-- where there is a plan with fewer of them. 18 and later count them; before, each adds
-- 1e10 to the cost.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_disabled;
SET search_path = node_disabled, public;

CREATE TABLE few AS SELECT i AS id, box(point(i * 40, i * 40), point(i * 40 + 1, i * 40 + 1)) AS b, point(i * 40, i * 40) AS p FROM generate_series(1, 5) i;
CREATE TABLE lots AS SELECT i AS id, box(point(x, y), point(x + 1, y + 1)) AS b, point(x, y) AS p
FROM generate_series(1, 20000) i, LATERAL (SELECT i * 617 % 1000 AS x, i * 389 % 1000 AS y) q;
CREATE TABLE plain AS SELECT * FROM lots;
CREATE TABLE parts (LIKE lots) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (9000);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (9000) TO (30000);
INSERT INTO parts SELECT * FROM lots;
CREATE INDEX lots_b ON lots USING spqtree (b);
CREATE INDEX lots_p ON lots USING gist (p);
CREATE INDEX lots_id ON lots (id);
CREATE INDEX parts_b ON parts USING gist (b);
CREATE INDEX parts_id ON parts (id);
VACUUM ANALYZE few, lots, plain, parts;

CREATE FUNCTION plan_of(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan #> '{0,Plan}';
END $$;
CREATE FUNCTION disabled(plan jsonb) RETURNS bigint LANGUAGE sql AS $$
SELECT CASE WHEN current_setting('server_version_num')::int >= 180000 THEN (SELECT count(*) FROM regexp_matches(plan::text, '"Disabled": true', 'g'))
  ELSE floor((plan ->> 'Total Cost')::float8 / 1e10)::bigint END $$;
-- the kinds of nodes in a plan
CREATE FUNCTION nodes(plan jsonb) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(coalesce(n ->> 'Custom Plan Provider', n ->> 'Node Type'), ', ') FROM jsonb_path_query(plan, 'strict $.**') n WHERE jsonb_typeof(n) = 'object' AND n ? 'Node Type' $$;

CREATE TABLE query (name text, text text);
INSERT INTO query VALUES
('inner', 'SELECT few.id, o.id FROM few JOIN lots o ON few.b && o.b'),
('inner, points', 'SELECT few.id, o.id FROM few JOIN lots o ON few.b @> o.p'),
('inner, no index', 'SELECT few.id, o.id FROM few JOIN plain o ON few.b && o.b'),
('large', 'SELECT count(*) FROM lots a JOIN lots o ON a.b && o.b'),
('left', 'SELECT few.id, o.id FROM few LEFT JOIN lots o ON few.b && o.b'),
('full', 'SELECT few.id, o.id FROM few FULL JOIN plain o ON few.b && o.b AND few.id = o.id'),
('semi', 'SELECT id FROM few WHERE EXISTS (SELECT FROM lots o WHERE few.b && o.b)'),
('semi of many', 'SELECT id FROM lots o WHERE EXISTS (SELECT FROM few WHERE few.b && o.b)'),
('anti', 'SELECT id FROM few WHERE NOT EXISTS (SELECT FROM lots o WHERE few.b && o.b)'),
('key', 'SELECT few.id FROM few JOIN lots o ON few.id = o.id AND few.b && o.b'),
('three', 'SELECT few.id FROM few JOIN lots o ON few.b && o.b JOIN plain q ON q.b && o.b'),
('ordered', 'SELECT few.id, o.id FROM few JOIN lots o ON few.b && o.b ORDER BY o.id LIMIT 3'),
('partitions', 'SELECT few.id, o.id FROM few JOIN parts o ON few.b && o.b'),
('partitions, pairwise', 'SELECT few.id FROM parts few JOIN parts o ON few.id = o.id AND few.b && o.b'),
('change', 'UPDATE lots o SET id = o.id FROM few WHERE few.b && o.b'),
('change of partitions', 'DELETE FROM parts o USING few WHERE few.b && o.b');

-- With the node, no plan has more of what is forbidden than without. Return those that do.
CREATE FUNCTION check_disabled(setting text) RETURNS TABLE (name text, found text) LANGUAGE plpgsql AS $$
DECLARE
  q query;
  with_node jsonb;
  without jsonb;
BEGIN
  PERFORM set_config(setting, 'off', true);
  FOR q IN SELECT * FROM query ORDER BY 1 LOOP
    PERFORM set_config('spqtree.enable_hashjoin', 'on', true);
    with_node := plan_of(q.text);
    PERFORM set_config('spqtree.enable_hashjoin', 'off', true);
    BEGIN
      without := plan_of(q.text);
    EXCEPTION WHEN feature_not_supported THEN  -- FULL JOIN
      CONTINUE;
    END;
    IF disabled(with_node) > disabled(without) THEN
      name := q.name;
      found := format('%s of %s, not %s of %s', disabled(with_node), nodes(with_node), disabled(without), nodes(without));
      RETURN NEXT;
    END IF;
  END LOOP;
  PERFORM set_config(setting, 'on', true);
  PERFORM set_config('spqtree.enable_hashjoin', 'on', true);
END $$;
SELECT setting, c.* FROM unnest('{enable_seqscan,enable_indexscan,enable_indexonlyscan,enable_bitmapscan,enable_tidscan,enable_nestloop,enable_hashjoin,enable_mergejoin,enable_material,enable_memoize,enable_sort,enable_hashagg,enable_gathermerge,enable_parallel_append,enable_parallel_hash,enable_partition_pruning}'::text[]) setting,
LATERAL check_disabled(setting) c;
SET enable_partitionwise_join = on;
SELECT setting, c.* FROM unnest('{enable_seqscan,enable_indexscan,enable_bitmapscan,enable_nestloop,enable_hashjoin}'::text[]) setting, LATERAL check_disabled(setting) c;
RESET enable_partitionwise_join;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT setting, c.* FROM unnest('{enable_seqscan,enable_indexscan,enable_bitmapscan,enable_nestloop,enable_parallel_hash}'::text[]) setting, LATERAL check_disabled(setting) c;
SET max_parallel_workers_per_gather = 0;

-- Few rows with many: by the index, as two sequential scans are worse than one.
SET enable_seqscan = off;
SELECT name, nodes(plan_of(text)) LIKE '%Spqtree Spatial Hash Join%' AS node FROM query WHERE name IN ('inner', 'inner, no index', 'left', 'semi', 'change') ORDER BY name;
-- What cannot be avoided is done by the node, as before.
SELECT nodes(plan_of('SELECT count(*) FROM plain a JOIN plain b ON a.b && b.b')) LIKE '%Spqtree Spatial Hash Join%' AS node;
RESET enable_seqscan;
SET enable_nestloop = off;
SET spqtree.enable_indexjoin = off;
SELECT name, nodes(plan_of(text)) LIKE '%Spqtree Spatial Hash Join%' AS node FROM query WHERE name IN ('inner', 'left', 'semi', 'change') ORDER BY name;
RESET spqtree.enable_indexjoin;
SELECT name, nodes(plan_of(text)) LIKE '%Spqtree Index Join%' AS node FROM query WHERE name IN ('inner', 'left', 'semi', 'change') ORDER BY name;
RESET enable_nestloop;

-- From 19 on, advice of another extension says how to join: it is followed.
DO $$
DECLARE
  plan text;
  nearest text := 'SELECT n.id FROM plain a, LATERAL (SELECT o.id FROM lots o ORDER BY o.b <-> a.b LIMIT 3) n';
BEGIN
  IF current_setting('server_version_num')::int < 190000 THEN
    RETURN;
  END IF;
  LOAD 'pg_plan_advice';
  PERFORM set_config('pg_plan_advice.advice', 'NESTED_LOOP_PLAIN(o)', true);
  plan := nodes(plan_of('SELECT count(*) FROM plain a JOIN lots o ON a.b && o.b'));
  IF plan LIKE '%Spatial Hash Join%' THEN
    RAISE 'advice is not followed: %', plan;
  END IF;
  PERFORM set_config('pg_plan_advice.advice', 'INDEX_SCAN(o lots_b)', true);
  plan := nodes(plan_of('SELECT count(*) FROM plain a JOIN lots o ON a.b && o.b'));
  IF plan NOT LIKE '%Index Scan%' THEN
    RAISE 'advice is not followed: %', plan;
  END IF;
  -- so it is in a subquery, whose nearest rows would be found in memory
  PERFORM set_config('pg_plan_advice.advice', '', true);
  plan := nodes(plan_of(nearest));
  IF plan NOT LIKE '%Nearest Rows%' THEN
    RAISE 'no nearest rows: %', plan;
  END IF;
  PERFORM set_config('pg_plan_advice.advice', 'INDEX_SCAN(o@n lots_b)', true);
  plan := nodes(plan_of(nearest));
  IF plan NOT LIKE '%Index Scan%' OR plan LIKE '%Nearest Rows%' THEN
    RAISE 'advice is not followed: %', plan;
  END IF;
EXCEPTION WHEN undefined_file THEN
  RETURN;
END $$;

\set VERBOSITY terse
DROP SCHEMA node_disabled CASCADE;
