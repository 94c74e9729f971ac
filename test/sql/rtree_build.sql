--
-- CREATE INDEX USING spqtree in several processes: the same pages as in one, and as in little
-- memory; that other processes do take part; errors and cancellation; what is built in one.
--
SET statement_timeout = '5min';
SET client_min_messages = warning;
SET max_parallel_maintenance_workers = 2;
SET maintenance_work_mem = '128MB';

-- Boxes of all kinds: many equal ones, NULLs, NaN, infinite and inverted corners.
CREATE TABLE built (id int, b box, t text) WITH (autovacuum_enabled = off, parallel_workers = 2);
INSERT INTO built
SELECT i, CASE WHEN i % 31 = 0 THEN NULL WHEN i % 7 = 0 THEN '((5000,5000),(5001,5001))'
               WHEN i % 501 = 0 THEN box(point(x, 'NaN'), point('Infinity', y)) WHEN i % 502 = 0 THEN box('((0,0),(1,1))') * point(-1, i)
               ELSE box(point(x, y), point(x + i % 9, y + i % 5)) END, repeat(i::text, i % 40)
FROM generate_series(1, 20000) i, LATERAL (SELECT i::bigint * 7919 % 10007 AS x, i::bigint * 104729 % 10009 AS y) v;
CREATE TABLE few (LIKE built) WITH (parallel_workers = 2);
INSERT INTO few SELECT * FROM built WHERE id < 5;
CREATE TABLE nulls (LIKE built) WITH (parallel_workers = 2);
INSERT INTO nulls SELECT id, NULL, t FROM built;
CREATE TABLE nobody (LIKE built) WITH (parallel_workers = 2);

-- An index file from a block on, but for LSNs and checksums.
CREATE FUNCTION pages_of(index regclass, first int DEFAULT 0) RETURNS text LANGUAGE sql AS $$
  SELECT count(*) || ' ' || md5(string_agg(overlay(pg_read_binary_file(pg_relation_filepath(index), i * size, size) PLACING '\x00000000000000000000' FROM 1 FOR 10), '' ORDER BY i))
  FROM current_setting('block_size') s, LATERAL (SELECT s::bigint AS size) v, generate_series(first, pg_relation_size(index) / size - 1) i
$$;

-- With a small fillfactor the index has many subtrees, which the processes share; that of
-- box3 has several regions of them.
CREATE TABLE kind (nr serial, definition text);
INSERT INTO kind (definition) VALUES
  ('built USING spqtree (b)'),
  ('built USING spqtree (b) WITH (fillfactor = 10)'),
  ('built USING spqtree (b) INCLUDE (id, t) WITH (fillfactor = 10)'),
  ('built USING spqtree (b) INCLUDE (t)'),
  ('built USING spqtree (box(b[1] + point(3, 4), b[0])) INCLUDE (id) WITH (fillfactor = 10)'),
  ('built USING spqtree (b) WITH (fillfactor = 20) WHERE id % 3 = 0 AND b IS NOT NULL'),
  ('few USING spqtree (b)'),
  ('nulls USING spqtree (b) INCLUDE (id)'),
  ('nobody USING spqtree (b)'),
  ('built USING spqtree ((id % 10), b) WITH (fillfactor = 10)'),
  ('built USING spqtree (t, (id % 3), b) INCLUDE (id) WITH (fillfactor = 10)'),
  ('built USING spqtree (center(b)) WITH (fillfactor = 10)'),
  ('built USING spqtree (circle(b)) INCLUDE (id) WITH (fillfactor = 10)'),
  ('built USING spqtree (box3((b[1])[0], (b[1])[1], id % 7, (b[0])[0], (b[0])[1], id % 9)) WITH (fillfactor = 10)');
DO $$
DECLARE k kind;
BEGIN
  FOR k IN SELECT * FROM kind ORDER BY nr LOOP
    SET LOCAL max_parallel_maintenance_workers = 0;
    EXECUTE format('CREATE INDEX serial_%s ON %s', k.nr, k.definition);
    SET LOCAL max_parallel_maintenance_workers = 2;
    EXECUTE format('CREATE INDEX parallel_%s ON %s', k.nr, k.definition);
    -- in a memory that the rows exceed, those with a box and those without
    SET LOCAL max_parallel_maintenance_workers = 0;
    SET LOCAL maintenance_work_mem = '1MB';
    SET LOCAL work_mem = '64kB';
    EXECUTE format('CREATE INDEX spilled_%s ON %s', k.nr, k.definition);
    SET LOCAL maintenance_work_mem = '128MB';
    SET LOCAL work_mem = '4MB';
  END LOOP;
END $$;
CREATE INDEX CONCURRENTLY parallel_b ON built USING spqtree (b) WITH (fillfactor = 10);
CREATE INDEX parallel_id_t ON built USING spqtree (b) INCLUDE (id, t) WITH (fillfactor = 10);
REINDEX INDEX parallel_id_t;
REINDEX INDEX CONCURRENTLY parallel_id_t;
CHECKPOINT;
SELECT nr, pages_of(('serial_' || nr)::regclass) = pages_of(('parallel_' || nr)::regclass) AS same,
  pages_of(('serial_' || nr)::regclass) = pages_of(('spilled_' || nr)::regclass) AS spilled, definition FROM kind ORDER BY nr;
-- (what looks for rows that came meanwhile, VACUUM's first pass, changes hints in the metapage)
SELECT pages_of('serial_2', 1) = pages_of('parallel_b', 1) AS concurrently, pages_of('serial_3', 1) = pages_of('parallel_id_t', 1) AS reindexed;
-- No page was left empty.
SELECT count(*) FROM kind, LATERAL (SELECT ('serial_' || nr)::regclass AS index, current_setting('block_size')::bigint AS size) v,
  generate_series(0, pg_relation_size(index) / size - 1) i
WHERE pg_read_binary_file(pg_relation_filepath(index), i * size, 24) = decode(repeat('00', 24), 'hex');
-- Problems, of any: none.
SELECT c.relname, p.* FROM pg_class c, LATERAL spqtree_check(c.oid, true) p WHERE relname ~ '^(serial|parallel|spilled)_';

-- Unlogged, which a checkpoint does not write.
CREATE UNLOGGED TABLE built_unlogged WITH (parallel_workers = 2) AS TABLE built;
CREATE INDEX built_unlogged_b ON built_unlogged USING spqtree (b) INCLUDE (id) WITH (fillfactor = 10);
SELECT * FROM spqtree_check('built_unlogged_b', true);

-- Workers take part: the leader goes on with its first row only when a worker waits for
-- groups to write, with the rest of the table sorted.
CREATE FUNCTION tst.in_worker() RETURNS boolean LANGUAGE sql AS $$
  SELECT backend_type = 'parallel worker' FROM pg_stat_get_activity(pg_backend_pid())
$$;
CREATE FUNCTION tst.after_worker(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF NOT tst.in_worker() THEN
    FOR i IN 1 .. 6000 LOOP
      PERFORM pg_stat_clear_snapshot();
      IF EXISTS (SELECT FROM pg_stat_activity WHERE leader_pid = pg_backend_pid() AND wait_event = 'ParallelCreateIndexScan') THEN
        RETURN b;
      END IF;
      PERFORM pg_sleep(0.01);
    END LOOP;
    RAISE EXCEPTION 'no worker has come';
  END IF;
  RETURN b;
END $$;
CREATE INDEX built_after ON built USING spqtree (tst.after_worker(b)) WITH (fillfactor = 10);
CHECKPOINT;
SELECT pages_of('serial_2') = pages_of('built_after') AS same;
REINDEX INDEX CONCURRENTLY built_after;
DROP INDEX built_after;
-- min_parallel_table_scan_size, where the table says nothing
ALTER TABLE built RESET (parallel_workers);
SET min_parallel_table_scan_size = 0;
CREATE INDEX built_after ON built USING spqtree (tst.after_worker(b)) INCLUDE (id) WITH (fillfactor = 10);
DROP INDEX built_after;

-- Errors in a worker, and cancellation while one is busy: the leader stays at its first row
-- until a worker has come.
CREATE FUNCTION tst.fails_in_worker(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF tst.in_worker() THEN
    RAISE EXCEPTION 'in a worker';
  END IF;
  PERFORM pg_sleep(60);
  RAISE EXCEPTION 'no worker has come';
END $$;
CREATE FUNCTION tst.canceled_beside_worker(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF tst.in_worker() THEN
    PERFORM pg_sleep(100);
  END IF;
  FOR i IN 1 .. 6000 LOOP
    PERFORM pg_stat_clear_snapshot();
    IF EXISTS (SELECT FROM pg_stat_activity WHERE leader_pid = pg_backend_pid() AND wait_event = 'PgSleep') THEN
      PERFORM pg_cancel_backend(pg_backend_pid());
    END IF;
    PERFORM pg_sleep(0.01);
  END LOOP;
  RAISE EXCEPTION 'no worker has come';
END $$;
\set VERBOSITY terse
CREATE INDEX built_error ON built USING spqtree (tst.fails_in_worker(b));
CREATE INDEX CONCURRENTLY built_error ON built USING spqtree (tst.fails_in_worker(b));
DROP INDEX built_error;
BEGIN;
SAVEPOINT s;
CREATE INDEX built_error ON built USING spqtree (tst.fails_in_worker(b));
ROLLBACK TO s;
CREATE INDEX built_error ON built USING spqtree (b);
SELECT * FROM spqtree_check('built_error', true);
ROLLBACK;
CREATE INDEX built_error ON built USING spqtree (tst.canceled_beside_worker(b));
SELECT count(*) FROM pg_class WHERE relname = 'built_error';
SELECT count(*) FROM pg_stat_activity WHERE leader_pid = pg_backend_pid() AND pid <> leader_pid;

-- Built in one process: no worker to be had, settings, small memory, functions that say
-- so, temporary tables, a class whose function is not parallel safe.
CREATE FUNCTION tst.not_in_worker(b box) RETURNS box IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF tst.in_worker() THEN
    RAISE EXCEPTION 'in a worker';
  END IF;
  -- a worker is to come to a row, if there is one
  PERFORM pg_stat_clear_snapshot();
  IF EXISTS (SELECT FROM pg_stat_activity WHERE leader_pid = pg_backend_pid()) THEN
    PERFORM pg_sleep(60);
  END IF;
  RETURN b;
END $$;
CREATE TABLE alone AS SELECT * FROM built WHERE id <= 3000;
SET max_parallel_workers = 0;
CREATE INDEX built_alone ON alone USING spqtree (tst.not_in_worker(b));
RESET max_parallel_workers;
DROP INDEX built_alone;
SET max_parallel_maintenance_workers = 1;
SET maintenance_work_mem = '63MB';
CREATE INDEX built_alone ON alone USING spqtree (tst.not_in_worker(b));
SET maintenance_work_mem = '128MB';
ALTER TABLE alone SET (parallel_workers = 0);
CREATE INDEX built_alone2 ON alone USING spqtree (tst.not_in_worker(b));
ALTER TABLE alone RESET (parallel_workers);
SET min_parallel_table_scan_size = '1GB';
CREATE INDEX built_alone3 ON alone USING spqtree (tst.not_in_worker(b));
SET min_parallel_table_scan_size = 0;
ALTER FUNCTION tst.not_in_worker PARALLEL RESTRICTED;
CREATE INDEX built_alone4 ON alone USING spqtree (tst.not_in_worker(b));
CREATE INDEX built_alone5 ON alone USING spqtree (b) WHERE tst.not_in_worker(b) IS NOT NULL;
ALTER FUNCTION tst.not_in_worker PARALLEL SAFE;
CREATE TEMP TABLE built_temp WITH (parallel_workers = 2) AS TABLE built;
CREATE INDEX built_alone6 ON built_temp USING spqtree (tst.not_in_worker(b));
BEGIN;
ALTER FUNCTION _spqtree_box_ends PARALLEL RESTRICTED;
CREATE INDEX built_alone7 ON alone USING spqtree (tst.not_in_worker(b));
ROLLBACK;
-- and with none of that, workers are started
CREATE INDEX built_error ON alone USING spqtree (tst.fails_in_worker(b));
DROP TABLE built, alone, few, nulls, nobody, built_unlogged, built_temp, kind;
DROP FUNCTION pages_of, tst.in_worker, tst.after_worker, tst.not_in_worker, tst.fails_in_worker, tst.canceled_beside_worker;
