-- PostgreSQL 19 may aggregate one side before a join (enable_eager_aggregate).  The node joins
-- partial results, also in a left join and with workers, and the answers are those without it.
CREATE SCHEMA node_aggregates;
SET search_path = node_aggregates, public;
LOAD 'spqtree';
CREATE TABLE visit (x int, y int, cost numeric, time float8);
CREATE TABLE zone (id int, area box);
INSERT INTO visit SELECT i * 7 % 40, i * 11 % 37, i, i % 100 FROM generate_series(1, 20000) i;
INSERT INTO zone SELECT i, box(point(i % 50, i % 37), point(i % 50 + 3, i % 37 + 2)) FROM generate_series(1, 300) i;
VACUUM ANALYZE visit, zone;

CREATE TABLE question (name text, query text);
INSERT INTO question VALUES
  ('inner', 'SELECT z.id, count(*), sum(v.cost), avg(v.cost), max(v.time) FROM zone z JOIN visit v ON z.area && box(point(v.x, v.y), point(v.x + 1, v.y + 1)) GROUP BY z.id'),
  ('left', 'SELECT v.x, count(*), sum(v.cost), avg(v.cost), max(v.time) FROM visit v LEFT JOIN zone z ON z.area && box(point(v.x, v.y), point(v.x + 1, v.y + 1)) GROUP BY v.x');

-- whether the node joins, what is below it, and its answer beside that of nested loops
CREATE FUNCTION compare(query text, OUT node boolean, OUT below text, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  lines text := '';
  line text;
  truth text;
  answer text;
BEGIN
  SET LOCAL enable_nestloop = on;
  SET LOCAL spqtree.enable = off;
  EXECUTE format('SELECT string_agg(t::text, '' '' ORDER BY t) FROM (%s) t', query) INTO truth;
  SET LOCAL spqtree.enable = on;
  SET LOCAL enable_nestloop = off;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    lines := lines || line || E'\n';
  END LOOP;
  node := lines LIKE '%Spqtree Spatial Hash Join%';
  below := CASE WHEN current_setting('server_version_num')::int < 190000 THEN 'Partial'
                ELSE substring(lines, 'Spqtree Spatial Hash Join.*(Partial)') END;
  EXECUTE format('SELECT string_agg(t::text, '' '' ORDER BY t) FROM (%s) t', query) INTO answer;
  same := answer = truth;
END $$;
SET max_parallel_workers_per_gather = 0;
SELECT name, c.* FROM question, compare(query) c ORDER BY name;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT name, node, same FROM question, compare(query) c ORDER BY name;
RESET search_path;
