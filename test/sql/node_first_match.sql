--
-- Semi and anti joins stop at the first match of a row: where boxes lie over each
-- other in thousands, the pairs that are evaluated are about as many as the rows.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_first_match;
SET search_path = node_first_match;

-- all equal; and points below hundreds of areas each, a few beside all of them
CREATE TABLE few AS SELECT i AS id, i % 3 AS k, box(point(0, 0), point(1, 1)) AS b FROM generate_series(1, 2000) i;
CREATE TABLE many AS SELECT i AS id, i % 4 AS k, box(point(0, 0), point(1, 1)) AS b FROM generate_series(1, 20000) i;
CREATE TABLE area AS
  SELECT i AS id, i % 3 AS k, box(point(x, y), point(x + 300, y + 300)) AS b
  FROM (SELECT i, i * 7919 % 1009 AS x, i * 104729 % 997 AS y FROM generate_series(1, 2000) i) s;
CREATE TABLE dot AS
  SELECT i AS id, i % 4 AS k, box(p, p) AS b
  FROM (SELECT i, point(i * 31337 % 14983 / 10.0, i * 7877 % 15013 / 10.0) AS p FROM generate_series(1, 10000) i) s;
-- two piles, each of which is too large for 64 kB and cannot be divided
CREATE TABLE pile AS SELECT i AS id, i % 3 AS k, box(point(p, 0), point(p + 1, 1)) AS b
  FROM (SELECT i, i % 2 * 5000 AS p FROM generate_series(1, 4000) i) s;
CREATE TABLE piles AS SELECT i AS id, i % 4 AS k, box(point(p, 0), point(p + 1, 1)) AS b
  FROM (SELECT i, i % 2 * 5000 AS p FROM generate_series(1, 20000) i) s;
-- a pile, and others beside it
CREATE TABLE mixed AS SELECT * FROM area WHERE id % 4 = 0 UNION ALL SELECT id + 2000, k, b FROM pile WHERE id % 2 = 1;
CREATE TABLE spots AS SELECT * FROM dot WHERE id % 4 = 0 UNION ALL SELECT id + 10000, k, b FROM piles WHERE id % 2 = 1;
ANALYZE few, many, area, dot, pile, piles, mixed, spots;

CREATE FUNCTION candidates(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, '$.**.Candidates');
END $$;

-- rows that the node read of the side whose rows arrive one by one
CREATE FUNCTION probes(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, '$.** ? (@."Join Type" starts with "Right").Plans[0]."Actual Rows"');
END $$;

CREATE TABLE query (id int, most int, text text, answer text);
INSERT INTO query (id, most, text) VALUES
  -- 40 million pairs
  (1, 2000, 'SELECT (count(*), sum(id)) FROM few f WHERE EXISTS (SELECT FROM many m WHERE m.b && f.b)'),
  (2, 2000, 'SELECT (count(*), sum(id)) FROM few f WHERE NOT EXISTS (SELECT FROM many m WHERE m.b && f.b)'),
  (3, 20000, 'SELECT (count(*), sum(id)) FROM many m WHERE EXISTS (SELECT FROM few f WHERE m.b && f.b)'),
  (4, 20000, 'SELECT (count(*), sum(id)) FROM many m WHERE NOT EXISTS (SELECT FROM few f WHERE m.b && f.b)'),
  -- the first matches are rejected: by a filter, or by a key that is another one
  (5, 80000, 'SELECT (count(*), sum(id)) FROM many m WHERE EXISTS (SELECT FROM few f WHERE m.b ~= f.b AND (f.id + m.id) % 3 = 0)'),
  (6, 20000, 'SELECT (count(*), sum(id)) FROM few f WHERE NOT EXISTS (SELECT FROM many m WHERE m.b @> f.b AND (f.id + m.id) % 5 = 0)'),
  (7, 20000, 'SELECT (count(*), sum(id)) FROM many m WHERE NOT EXISTS (SELECT FROM few f WHERE m.b && f.b AND f.k = m.k)'),
  (8, 2000, 'SELECT (count(*), sum(id)) FROM few f WHERE EXISTS (SELECT FROM many m WHERE m.b && f.b AND f.k = m.k)'),
  -- 0.8 million pairs
  (9, 12000, 'SELECT (count(*), sum(id)) FROM dot d WHERE EXISTS (SELECT FROM area a WHERE a.b @> d.b)'),
  (10, 12000, 'SELECT (count(*), sum(id)) FROM dot d WHERE NOT EXISTS (SELECT FROM area a WHERE a.b @> d.b)'),
  (11, 12000, 'SELECT (count(*), sum(id)) FROM area a WHERE EXISTS (SELECT FROM dot d WHERE a.b @> d.b)'),
  (12, 50000, 'SELECT (count(*), sum(id)) FROM area a WHERE NOT EXISTS (SELECT FROM dot d WHERE a.b @> d.b AND (a.id + d.id) % 9 = 4)'),
  -- piles
  (13, 4000, 'SELECT (count(*), sum(id)) FROM pile p WHERE EXISTS (SELECT FROM piles q WHERE q.b && p.b)'),
  (14, 20000, 'SELECT (count(*), sum(id)) FROM pile p WHERE NOT EXISTS (SELECT FROM piles q WHERE q.b ~= p.b AND (p.id + q.id) % 5 = 0)'),
  (15, 4000, 'SELECT (count(*), sum(id)) FROM pile p WHERE EXISTS (SELECT FROM piles q WHERE q.b && p.b AND q.k = p.k)'),
  (16, 8000, 'SELECT (count(*), sum(id)) FROM mixed a WHERE EXISTS (SELECT FROM spots d WHERE a.b @> d.b)'),
  (17, 40000, 'SELECT (count(*), sum(id)) FROM mixed a WHERE NOT EXISTS (SELECT FROM spots d WHERE a.b @> d.b AND (a.id + d.id) % 9 = 4)');

-- what joins without the node say
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  EXECUTE query INTO result;
  RETURN result;
END $$;
SET spqtree.enable_hashjoin = off;
UPDATE query SET answer = answer(text);
SET spqtree.enable_hashjoin = on;
SELECT id, answer FROM query ORDER BY id;

-- the node has the same answer, and no more candidates than it may
SET enable_nestloop = off;
SET enable_hashjoin = off;
SET spqtree.enable_hashjoin = always;
SET enable_mergejoin = off;
SELECT id, answer(text) = answer AS same, candidates(text) <= most AS bounded FROM query ORDER BY id;

-- in batches
SET work_mem = '64kB';
SELECT id, answer(text) = answer AS same, candidates(text) <= most AS bounded FROM query ORDER BY id;
-- when all build rows have dropped out, in all batches and pieces, no more probes are read
SELECT id, probes(text) <= 2000 AS few_read FROM query WHERE id IN (1, 2, 6, 8, 13, 14) ORDER BY id;
RESET work_mem;

-- by several processes
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT id, answer(text) = answer AS same, candidates(text) <= most AS bounded FROM query ORDER BY id;
SET work_mem = '64kB';
SELECT id, answer(text) = answer AS same, candidates(text) <= most AS bounded FROM query ORDER BY id;

DROP SCHEMA node_first_match CASCADE;
