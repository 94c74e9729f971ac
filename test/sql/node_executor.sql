--
-- The spatial hash join where executors go wrong: rescans, cursors, prepared
-- statements, early ends, locks, large values, partitions, foreign tables, batches.
--
-- The answer is always that of the nested loop.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
CREATE SCHEMA node_executor;
SET search_path = node_executor;
CREATE TABLE l AS SELECT i AS id, box(point(i % 50, i / 50), point(i % 50 + 0.9, i / 50 + 0.9)) AS b, i % 4 AS k, repeat('l', 30) AS pad FROM generate_series(0, 1999) i;
CREATE TABLE r AS SELECT id + 5000 AS id, CASE WHEN id % 11 > 0 THEN b + point(0.3, 0.7) END AS b, nullif(k, 3) AS k, repeat('r', 30) AS pad FROM l WHERE id % 5 = 0;
ANALYZE l, r;

-- The same query by the node and without: rows, and whether they are the same.  A
-- query that the node has no part in is an error.
CREATE FUNCTION use_node(yes boolean) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('spqtree.enable_hashjoin', yes::text, true), set_config('enable_nestloop', (NOT yes)::text, true),
         set_config('enable_hashjoin', (NOT yes)::text, true), set_config('enable_mergejoin', (NOT yes)::text, true)
$$;
CREATE FUNCTION compared(query text, OUT "rows" bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  plan text := '';
  expected text[];
  answer text[];
BEGIN
  PERFORM use_node(false);
  EXECUTE format('SELECT coalesce(array_agg(q::text ORDER BY q::text COLLATE "C"), ''{}'') FROM (%s) q', query) INTO expected;
  PERFORM use_node(true);
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    plan := plan || line || E'\n';
  END LOOP;
  IF plan !~ 'Spatial Hash Join' THEN
    RAISE EXCEPTION 'not by the node: %', plan;
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(q::text ORDER BY q::text COLLATE "C"), ''{}'') FROM (%s) q', query) INTO answer;
  "rows" := cardinality(expected);
  same := answer = expected;
END $$;

--
-- Rescans, in memory and in batches: nothing changes, a parameter of the probes does,
-- one of the build side, one of the filter.
--
CREATE TABLE work_mem_of (nr int, work_mem text);
INSERT INTO work_mem_of VALUES (1, '4MB'), (2, '64kB');
CREATE TABLE query_of (nr serial, query text);
INSERT INTO query_of (query) VALUES
  ('SELECT x, q.* FROM generate_series(1, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b OFFSET 0) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l JOIN r ON l.b && r.b WHERE l.k = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), sum(length(l.pad || r.pad)) FROM l LEFT JOIN r ON l.b && r.b AND r.k = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), count(l), count(r), sum(length(l.pad || r.pad)) FROM l FULL JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(l.id), max(l.pad) FROM l WHERE NOT EXISTS (SELECT FROM r WHERE l.b && r.b AND r.k < x AND r.pad <= ''rs'')) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id), max(r.pad) FROM r WHERE EXISTS (SELECT FROM l WHERE l.b && r.b AND l.id % 5 < x AND l.pad <= ''m'')) q'),
  ('SELECT x, q.* FROM generate_series(0, 4) x, LATERAL (SELECT count(*), sum(r.id), sum(length(l.pad || r.pad)) FROM l RIGHT JOIN r ON l.b + point(x, 0) && r.b) q'),
  ('SELECT x, q.* FROM generate_series(0, 30, 7) x, LATERAL (SELECT l.id, r.id FROM l JOIN r ON l.b && r.b AND l.id > x OFFSET 0 LIMIT 3) q WHERE false'),
  ('SELECT k, (SELECT count(*) FROM l JOIN r ON l.b && r.b WHERE r.k = q.k) FROM (SELECT DISTINCT k FROM l) q'),
  ('SELECT x, EXISTS (SELECT FROM l JOIN r ON l.b && r.b WHERE r.k + l.k = x) FROM generate_series(0, 8) x');
UPDATE query_of SET query = replace(query, 'FULL JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x', 'RIGHT JOIN r ON l.b && r.b AND (l.id + r.id) % 5 = x');
DELETE FROM query_of WHERE query LIKE '%false';
SELECT w.work_mem, q.nr, c.* FROM work_mem_of w, query_of q, LATERAL (SELECT set_config('work_mem', w.work_mem, true)) s, LATERAL compared(q.query || left(s::text, 0)) c ORDER BY w.nr, q.nr;
-- a FULL JOIN again and again, against left and anti join
SELECT use_node(true);
