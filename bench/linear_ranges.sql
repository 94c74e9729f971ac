-- The best number of ranges of a linear quadtree (src/divide/README.md): for a million boxes,
-- 500 windows with about nine matches, and several values of max_cells, the mean number of
-- ranges, and of buffers and rows that a btree scan of them reads.
--
--	psql -X -f bench/linear_ranges.sql DATABASE        (seconds; it creates spqtree there)

\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS spqtree;
CREATE SCHEMA linear_ranges;
SET search_path = linear_ranges, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- uniform in a square of side 1e5, exponential sides with mean 50, as U of the benchmark
SELECT setseed(0.5) \g /dev/null
CREATE TABLE cells AS
SELECT i AS id, b, spqtree_quad_cell(b, '((0,0),(100000,100000))') AS cell
FROM (SELECT i, box(point(x, y), point(x - 50 * ln(1 - random()), y - 50 * ln(1 - random()))) AS b
      FROM (SELECT i, 1e5 * random() AS x, 1e5 * random() AS y FROM generate_series(1, 1000000) i) p) q;
CREATE INDEX ON cells (cell) INCLUDE (b);
CREATE TABLE windows AS
SELECT box(point(x, y), point(x + 250, y + 250)) AS q
FROM (SELECT 99750 * random() AS x, 99750 * random() AS y FROM generate_series(1, 500)) p;
VACUUM ANALYZE cells;
ANALYZE windows;

CREATE FUNCTION measured(most int, OUT max_cells int, OUT ranges numeric, OUT buffers numeric, OUT rows_read numeric, OUT matches numeric)
LANGUAGE plpgsql AS $$
DECLARE
  from_ranges text := format('FROM windows, LATERAL spqtree_quad_ranges(q, ''((0,0),(100000,100000))'', 16, %s) r', most);
  in_cells text := ', LATERAL (SELECT FROM cells WHERE cell BETWEEN r.first AND r.last AND %s OFFSET 0) c';
  windows int := (SELECT count(*) FROM windows);
  plan jsonb;
BEGIN
  max_cells := most;
  EXECUTE 'SELECT count(*) ' || from_ranges INTO ranges;
  EXECUTE 'SELECT count(*) ' || from_ranges || format(in_cells, 'true') INTO rows_read;
  EXECUTE 'SELECT count(*) ' || from_ranges || format(in_cells, 'b && q') INTO matches;
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT count(*) ' || from_ranges || format(in_cells, 'b && q') INTO plan;
  plan := jsonb_path_query_first(plan, 'strict $.** ? (@."Node Type" == "Index Only Scan")');
  buffers := (plan ->> 'Shared Hit Blocks')::numeric + (plan ->> 'Shared Read Blocks')::numeric;
  ranges := round(ranges / windows);
  buffers := round(buffers / windows);
  rows_read := round(rows_read / windows);
  matches := round(matches / windows, 1);
END $$;
SELECT m.* FROM unnest('{1,4,8,16,64}'::int[]) most, measured(most) m;

DROP SCHEMA linear_ranges CASCADE;
