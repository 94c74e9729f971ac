--
-- The spatial hash join in space in the planner and the executor: plans, distances,
-- shared build sides, batches, rescans.  Answers are compared with another way to them.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET hash_mem_multiplier = 1;
CREATE SCHEMA node_solid_executor;
SET search_path = node_solid_executor, public;

-- a tower of 20 x 20 x 50 boxes, and a box around some of their common corners
CREATE TABLE cell AS
SELECT i AS id, box3(x, y, z, x + 0.9, y + 0.9, z + 0.9) AS b, i % 4 AS k, repeat('c', 30) AS pad
FROM generate_series(0, 19999) i, LATERAL (SELECT i % 20 AS x, i / 20 % 20 AS y, i / 400 AS z) c;
CREATE TABLE probe AS
SELECT id + 50000 AS id, CASE WHEN id % 11 > 0 THEN spqtree_expand(high(b), 0.05 + id % 7 * 0.01) END AS b, high(b) AS p, sphere3(high(b), id % 7 * 0.05) AS s,
       ((id % 7 - 1) * 0.05)::float8 AS d, nullif(k, 3) AS k, repeat('p', 30) AS pad
FROM cell WHERE id % 5 = 0;
CREATE TABLE eye (f frustum3);
ANALYZE cell, probe, eye;

--
-- Plans
--
-- Return a plan without the scans, whose order depends on estimates, and without what
-- PostgreSQL 18 says of settings.
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line !~ 'Seq Scan|Materialize|Disabled' THEN
      RETURN NEXT line;
    END IF;
  END LOOP;
END $$;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT plan('SELECT * FROM cell c JOIN probe p ON c.b && p.b');
SELECT plan('SELECT * FROM cell c JOIN probe p ON p.p <@ c.b AND c.k = p.k');
SELECT plan('SELECT * FROM cell c JOIN probe p ON p.s && c.b AND c.id <> p.id');
SELECT plan('SELECT * FROM cell c LEFT JOIN probe p ON spqtree_dwithin(c.b, p.p, 0.2)');
SELECT plan('SELECT * FROM cell c JOIN probe p ON spqtree_dwithin(p.b, c.b, p.d)');
SELECT plan('SELECT * FROM probe p JOIN probe q ON spqtree_dwithin(p.p, q.p, p.d + q.d)');
-- a distance of both sides that is no sum, one axis, and frustums: not by the node
SELECT plan('SELECT * FROM probe p JOIN probe q ON spqtree_dwithin(p.p, q.p, p.d * q.d)');
SELECT plan('SELECT * FROM probe p JOIN probe q ON p.b <</ q.b');
SELECT plan('SELECT * FROM cell c JOIN eye p ON c.b && p.f');
SET spqtree.enable_hashjoin = off;
SELECT plan('SELECT * FROM cell c JOIN probe p ON c.b && p.b');
RESET spqtree.enable_hashjoin;
-- the lines of EXPLAIN ANALYZE
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
    IF line !~ 'Seq Scan' THEN
      line := regexp_replace(line, '(Memory Usage|Cell Size|Candidates): [\d.e-]+', '\1: N');
      RETURN NEXT regexp_replace(regexp_replace(line, '\d+ levels?', 'N levels'), '(rows=\d+)\.00', '\1');
    END IF;
  END LOOP;
END $$;
SELECT explained('SELECT count(*) FROM cell c JOIN probe p ON p.s && c.b') AS plan;
RESET enable_nestloop;
RESET enable_mergejoin;

--
-- Answers: of the node with these settings, and of a sum over the 27 neighbors
-- of a corner in the grid, which needs no spatial condition
--
CREATE TABLE near AS
SELECT p.id AS p, c.id AS c FROM probe p, LATERAL (SELECT floor(x(p))::int AS x, floor(y(p))::int AS y, floor(z(p))::int AS z FROM (SELECT p.p) v(p)) f,
     generate_series(-1, 1) dx, generate_series(-1, 1) dy, generate_series(-1, 1) dz, LATERAL (SELECT x + dx AS x, y + dy AS y, z + dz AS z) g,
     LATERAL (SELECT g.x + 20 * g.y + 400 * g.z AS id) c
WHERE g.x BETWEEN 0 AND 19 AND g.y BETWEEN 0 AND 19 AND g.z BETWEEN 0 AND 49;
CREATE TABLE query (nr serial, query text, condition text);
INSERT INTO query (query, condition) VALUES
  ('SELECT p.id, c.id FROM cell c JOIN probe p ON %s', 'c.b && p.b'),
  ('SELECT p.id, c.id FROM cell c JOIN probe p ON %s', 'p.s && c.b'),
  ('SELECT p.id, c.id FROM probe p JOIN cell c ON %s', 'p.p <@ c.b'),
  ('SELECT p.id, c.id FROM cell c JOIN probe p ON %s', 'spqtree_dwithin(p.p, c.b, p.d)'),
  ('SELECT p.id, c.id FROM cell c JOIN probe p ON %s', 'spqtree_dwithin(c.b, p.b, 0.11) AND c.k = p.k');
CREATE FUNCTION answer(query text, OUT pairs bigint, OUT digest bigint) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), bit_xor(hashtextextended(q::text, 0)) FROM (%s) q', query) INTO pairs, digest;
END $$;
CREATE TABLE expected AS
SELECT nr, format(query, condition) AS query, a.pairs, a.digest
FROM query, answer(format('SELECT p.id, c.id FROM near n JOIN cell c ON c.id = n.c JOIN probe p ON p.id = n.p WHERE %s', condition)) a;
SET enable_nestloop = off;
CREATE FUNCTION plan_has(query text, pattern text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ pattern THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
SELECT nr, e.pairs > 0 AS some, plan_has(query, 'Spatial Hash Join') AS node, (a.pairs, a.digest) = (e.pairs, e.digest) AS same FROM expected e, answer(query) a ORDER BY nr;
SET work_mem = '64kB';
SELECT nr, (a.pairs, a.digest) = (e.pairs, e.digest) AS "same on disk" FROM expected e, answer(query) a ORDER BY nr;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT nr, plan_has(query, 'Shared Build: true') AS shared, (a.pairs, a.digest) = (e.pairs, e.digest) AS "same on disk" FROM expected e, answer(query) a ORDER BY nr;
RESET work_mem;
SELECT nr, plan_has(query, 'Shared Build: true') AS shared, (a.pairs, a.digest) = (e.pairs, e.digest) AS same FROM expected e, answer(query) a ORDER BY nr;
SET enable_parallel_hash = off;
SELECT nr, plan_has(query, 'Gather') AS parallel, plan_has(query, 'Shared Build: true') AS shared, (a.pairs, a.digest) = (e.pairs, e.digest) AS same FROM expected e, answer(query) a ORDER BY nr;
RESET enable_parallel_hash;
-- a shared build side with many more rows than was thought, which do not fit into memory
CREATE TABLE crowd (id int, b box3, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE crowd ALTER pad SET STORAGE plain;
INSERT INTO crowd SELECT -i, NULL, repeat('x', 7000) FROM generate_series(1, 20) i;
ANALYZE crowd;
DELETE FROM crowd;
INSERT INTO crowd SELECT id, b, pad FROM cell WHERE id % 2 = 0;
CREATE FUNCTION thinks_long(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS 'BEGIN RETURN true; END';
SET work_mem = '64kB';
CREATE TABLE crowded AS SELECT 'SELECT c.id, p.id, c.pad FROM cell p JOIN crowd c ON spqtree_dwithin(p.b, c.b, 0.11) WHERE thinks_long(c.id)' AS query;
SELECT plan_has(query, 'Shared Build: true') AS shared, a.pairs FROM crowded, answer(query) a;
SELECT bool_or(line ~ 'Batches: ([2-9]|\d\d)') AS batches FROM crowded, explained(query) line;
RESET work_mem;
SET max_parallel_workers_per_gather = 0;
SELECT plan_has(query, 'Shared Build: true') AS shared, a.pairs FROM crowded, answer(query) a;
SET max_parallel_workers_per_gather = 0;

--
-- Rescans, in memory and in batches: the build side is kept, or read again
--
CREATE VIEW rescans AS
SELECT x, q.*, r.* FROM generate_series(0, 3) x,
  LATERAL (SELECT count(*) AS pairs, sum(c.id) AS cells FROM cell c JOIN probe p ON c.b && p.b WHERE p.k = x OFFSET 0) q,
  LATERAL (SELECT count(p.id) AS kept, sum(length(c.pad || p.pad)) AS bytes FROM cell c LEFT JOIN probe p ON c.b @> p.p AND p.k <> x OFFSET 0) r;
SELECT * FROM rescans;
SELECT x, count(*) FILTER (WHERE c.b && p.b AND p.k = x) AS pairs, sum(c.id) FILTER (WHERE c.b && p.b AND p.k = x) AS cells, count(*) FILTER (WHERE c.b @> p.p AND p.k <> x) AS kept
FROM generate_series(0, 3) x, near n JOIN cell c ON c.id = n.c JOIN probe p ON p.id = n.p GROUP BY x ORDER BY x;
CREATE TABLE first_rescans AS SELECT * FROM rescans;
SET work_mem = '64kB';
SELECT count(*) AS "different on disk" FROM (SELECT * FROM rescans EXCEPT SELECT * FROM first_rescans) d;
RESET work_mem;

-- A prepared statement, with a custom plan and with a generic one
PREPARE within(float8) AS SELECT count(*) FROM cell c JOIN probe p ON spqtree_dwithin(c.b, p.p, $1);
SET plan_cache_mode = force_custom_plan;
EXECUTE within(0.15);
EXECUTE within(NULL);
SET plan_cache_mode = force_generic_plan;
EXECUTE within(0.15);
EXECUTE within(-1);
RESET plan_cache_mode;

-- The extension in another schema: functions and operators are found beside each other.
BEGIN;
CREATE SCHEMA elsewhere_in_space;
ALTER EXTENSION spqtree SET SCHEMA elsewhere_in_space;
SELECT plan('SELECT FROM cell c JOIN probe p ON elsewhere_in_space.spqtree_dwithin(c.b, p.p, 0.15)');
SELECT count(*) FROM cell c JOIN probe p ON elsewhere_in_space.spqtree_dwithin(c.b, p.p, 0.15);
ROLLBACK;

DROP SCHEMA node_solid_executor CASCADE;
