--
-- Tables of many partitions. Planning with estimates and the join node takes little more
-- memory than without, and grows with the number of partitions, not with its square: what holds for
-- all partitions is found once. A statement sees the memory of its own planning, which is
-- in MessageContext. And each partition gets its estimate, whatever its columns are.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET enable_partitionwise_join = on;
CREATE SCHEMA many_partitions;
SET search_path = many_partitions, public;

CREATE FUNCTION make(name text, partitions int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (k int, b box) PARTITION BY LIST (k)', name);
  FOR i IN 1..partitions LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES IN (%s)', name || '_' || i, name, i);
  END LOOP;
  EXECUTE format('INSERT INTO %I SELECT 1 + i %% %s, box(point(i, i), point(i + 1, i + 1)) FROM generate_series(0, 4999) i', name, partitions);
END $$;
SELECT make('a100', 100), make('a', 400), make('b', 400);
CREATE TABLE c AS SELECT k, b FROM a WHERE k < 5;
ANALYZE a100;
ANALYZE a;
ANALYZE b;
ANALYZE c;

CREATE TABLE used (what text, how text, bytes bigint);
\set used '(SELECT used_bytes FROM pg_backend_memory_contexts WHERE name = ''MessageContext'')'
\set how 'current_setting(''many_partitions.how'')'
\set window '''((100,100),(140,140))'''
\set scan 'INSERT INTO used SELECT ''scan'', ' :how ', ' :used ' FROM (SELECT count(*) FROM a WHERE b && ' :window ') q;'
\set scan100 'INSERT INTO used SELECT ''scan of 100'', ' :how ', ' :used ' FROM (SELECT count(*) FROM a100 WHERE b && ' :window ') q;'
\set either 'INSERT INTO used SELECT ''scan with OR'', ' :how ', ' :used ' FROM (SELECT count(*) FROM a WHERE b && ' :window ' OR b <@ ' :window ') q;'
\set joined 'INSERT INTO used SELECT ''join'', ' :how ', ' :used ' FROM (SELECT count(*) FROM a JOIN c ON a.b && c.b) q;'
\set wise 'INSERT INTO used SELECT ''partitionwise join'', ' :how ', ' :used ' FROM (SELECT count(*) FROM a JOIN b ON a.k = b.k AND a.b && b.b) q;'
\set nearest 'INSERT INTO used SELECT ''nearest'', ' :how ', ' :used ' FROM (SELECT count(*) FROM (SELECT FROM a WHERE b && ' :window ' ORDER BY b <-> point(120,120) LIMIT 5) n) q;'
\set all :scan100 :scan :either :joined :wise :nearest

-- without estimates and the node, and with them; without indexes, and with them
SET spqtree.sample_rows = 0;
SET spqtree.enable_hashjoin = off;
SET spqtree.enable_equivalents = off;
SET many_partitions.how = 'without';
\o /dev/null
:all
\o
CREATE INDEX a_b ON a USING gist (b);
SET many_partitions.how = 'without, index';
:all
RESET spqtree.sample_rows;
RESET spqtree.enable_hashjoin;
RESET spqtree.enable_equivalents;
DROP INDEX a_b;
SET many_partitions.how = 'with';
:all
CREATE INDEX a_b ON a USING spqtree (b);
SET many_partitions.how = 'with, index';
:all
SELECT w.what, w.how, CASE WHEN w.bytes <= 1.3 * o.bytes THEN 'ok' ELSE format('no: %s bytes, and %s without', w.bytes, o.bytes) END AS memory
FROM used w JOIN used o ON o.what = w.what AND o.how = replace(w.how, 'with', 'without') WHERE w.how LIKE 'with%' AND w.how NOT LIKE 'without%' ORDER BY 1, 2;
-- four times the partitions, not more than five times the memory
SELECT f.how, CASE WHEN f.bytes <= 5 * h.bytes THEN 'ok' ELSE format('no: %s bytes, and %s of a quarter', f.bytes, h.bytes) END AS growth
FROM used f JOIN used h USING (how) WHERE f.what = 'scan' AND h.what = 'scan of 100' AND how NOT LIKE '%index' ORDER BY 1;

-- Estimates: those of a table with the same rows. Partitions have columns in another
-- order, partitions of their own, and conditions that are simpler than the table's.
CREATE TABLE whole AS SELECT i % 4 AS k, i AS id, box(point(x, y), point(x + 10, y + 10)) AS b
FROM generate_series(1, 4000) i, LATERAL (SELECT i * 617 % 1000 AS x, i * 389 % 1000 AS y) q;
CREATE TABLE parts (k int, id int, b box) PARTITION BY LIST (k);
CREATE TABLE parts_0 (b box, gone int, id int, k int NOT NULL);
ALTER TABLE parts_0 DROP COLUMN gone;
ALTER TABLE parts ATTACH PARTITION parts_0 FOR VALUES IN (0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1, 2) PARTITION BY RANGE (id);
CREATE TABLE parts_1a PARTITION OF parts_1 FOR VALUES FROM (0) TO (2000);
CREATE TABLE parts_1b (id int, b box, k int);
ALTER TABLE parts_1 ATTACH PARTITION parts_1b FOR VALUES FROM (2000) TO (5000);
CREATE TABLE parts_3 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM whole;
ANALYZE whole;
ANALYZE parts;
SELECT condition, CASE WHEN of_parts BETWEEN of_whole / 1.1 - 4 AND of_whole * 1.1 + 4 THEN 'ok' ELSE format('no: %s instead of %s', of_parts, of_whole) END AS estimate
FROM unnest(ARRAY['b && W', 'b <@ W', 'NOT b && W', 'b && W AND b && V', 'b && W AND NOT b <@ V', 'b && W OR b <@ V', '(b && W OR k = 2) AND b && V',
  'b && W AND id < 2000', 'b && W AND k = 1', '(k = 1 OR b && W)', 'b && NULL', 'b IS NOT NULL AND b && W AND k IN (0, 1)']) condition,
LATERAL (SELECT replace(replace(condition, 'W', $$box '((200,200),(700,700))'$$), 'V', $$box '((500,100),(900,600))'$$) AS c) q,
LATERAL (SELECT tst.expected_rows('SELECT FROM parts WHERE ' || c) AS of_parts, tst.expected_rows('SELECT FROM whole WHERE ' || c) AS of_whole) e;
SELECT sides, CASE WHEN of_parts BETWEEN of_whole / 1.2 - 4 AND of_whole * 1.2 + 4 THEN 'ok' ELSE format('no: %s instead of %s', of_parts, of_whole) END AS estimate
FROM unnest(ARRAY['A a JOIN A d ON a.b && d.b', 'A a JOIN whole d ON a.b <@ d.b', 'A a JOIN A d ON a.k = d.k AND a.b && d.b', 'A a LEFT JOIN c ON a.b && c.b',
  '(SELECT * FROM A UNION ALL SELECT * FROM A) a JOIN whole d ON a.b && d.b', '(SELECT * FROM A WHERE b && box ''((200,200),(700,700))'' UNION ALL SELECT * FROM A) a']) sides,
LATERAL (SELECT tst.expected_rows('SELECT FROM ' || regexp_replace(sides, '\mA\M', 'parts', 'g')) AS of_parts, tst.expected_rows('SELECT FROM ' || regexp_replace(sides, '\mA\M', 'whole', 'g')) AS of_whole) e;

-- An error while a query is planned leaves nothing behind, nor does a query that is
-- planned for another one's plan.
CREATE FUNCTION fails() RETURNS box LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION 'fails'; END $$;
CREATE FUNCTION looks_up() RETURNS box LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT box '((200,200),(700,700))' FROM parts WHERE b && box '((0,0),(400,400))' LIMIT 1);
END $$;
DO $$
BEGIN
  FOR i IN 1..3 LOOP
    BEGIN
      PERFORM tst.expected_rows('SELECT FROM parts a, whole w WHERE a.b && box ''((1,1),(20,20))'' AND w.b && fails()');
      RAISE 'no error';
    EXCEPTION WHEN raise_exception THEN
      IF SQLERRM <> 'fails' OR tst.expected_rows('SELECT FROM parts WHERE b && box ''((200,200),(700,700))''') < 800 THEN
        RAISE 'other: %', SQLERRM;
      END IF;
    END;
  END LOOP;
END $$;
SELECT tst.expected_rows('SELECT FROM parts WHERE b && looks_up()') BETWEEN 950 AND 1150 AS "estimated";

\set VERBOSITY terse
DROP SCHEMA many_partitions CASCADE;
