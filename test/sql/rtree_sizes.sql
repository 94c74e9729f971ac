--
-- Indexes of the access method spqtree of every size at which something begins: no row, one,
-- a group of eight, a full page, a full inner page; built, and grown by insertion;
-- every fillfactor; then deletion and reuse.
--
SET statement_timeout = '5min';
SET client_min_messages = warning;

-- A table of n rows, its index built or grown: rows by number and sum for a search, an
-- order, all, and those without a box, each by an index-only scan, against the table's.
CREATE TABLE sized (id int, b box);
CREATE INDEX sized_b ON sized USING spqtree (b) INCLUDE (id);
CREATE FUNCTION sized_rows(first int, last int, nulls int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO sized
  SELECT i, CASE WHEN nulls > 0 AND i % nulls = 0 THEN NULL ELSE box(point(x, y), point(x + i % 9, y + i % 5)) END
  FROM generate_series(first, last) i, LATERAL (SELECT i::bigint * 7919 % 10007 AS x,
                                                i::bigint * 104729 % 10009 AS y) v;
$$;
CREATE FUNCTION sized_answers(plan text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tst.allow(plan);
  RETURN tst.rows($q$
    SELECT 'window ' || id FROM sized t WHERE b && box '((0,0),(5000,9000))'
    UNION ALL SELECT 'above ' || id FROM sized t WHERE b |&> box '((-1,-1),(0,0))'
    UNION ALL SELECT 'null ' || id FROM sized t WHERE b IS NULL
    UNION ALL SELECT 'near ' || d FROM (SELECT b <-> point '(5000,5000.3)' AS d FROM sized t
                                        ORDER BY b <-> point '(5000,5000.3)' LIMIT 100) s $q$);
END $$;
CREATE FUNCTION sized_check(sizes int[], nulls int) RETURNS TABLE (n int, built text, grown text) LANGUAGE plpgsql AS $$
DECLARE
  expected text[];
BEGIN
  FOREACH n IN ARRAY sizes LOOP
    TRUNCATE sized;
    PERFORM sized_rows(1, n, nulls);
    expected := sized_answers('seq');
    grown := coalesce(tst.differing(expected, sized_answers('index')),
                      tst.differing(expected, sized_answers('index only')));
    REINDEX INDEX sized_b;
    built := coalesce(tst.differing(expected, sized_answers('index')),
                      tst.differing(expected, sized_answers('index only')));
    -- and one more into the full pages
    PERFORM sized_rows(n + 1, n + 1, nulls);
    expected := sized_answers('seq');
    built := coalesce(built, tst.differing(expected, sized_answers('index')),
                      tst.differing(expected, sized_answers('index only')));
    CONTINUE WHEN built IS NULL AND grown IS NULL;
    RETURN NEXT;
  END LOOP;
END $$;
-- A line for each size that went wrong: none.
SELECT * FROM sized_check(ARRAY(SELECT i FROM generate_series(0, 20) i), 0);
SELECT * FROM sized_check(ARRAY(SELECT i FROM generate_series(180, 240) i), 0);
SELECT * FROM sized_check('{399,400,401,415,416,417,831,832,833,2000}', 0);
SELECT * FROM sized_check('{1,2,8,9,50,1200,1400,1500}', 1);
SELECT * FROM sized_check('{3,16,17,400,417,3000}', 2);
ALTER INDEX sized_b SET (fillfactor = 100);
SELECT * FROM sized_check('{1,207,208,209,415,416,417,5000}', 0);
ALTER INDEX sized_b SET (fillfactor = 10);
SELECT * FROM sized_check('{1,20,21,22,30,5000}', 10);
ALTER INDEX sized_b SET (fillfactor = 50);
SELECT * FROM sized_check('{1,104,105,5000}', 3);
ALTER INDEX sized_b RESET (fillfactor);
-- fillfactor counts
CREATE TABLE sized_pages (fillfactor int, pages int);
DO $$
BEGIN
  TRUNCATE sized;
  PERFORM sized_rows(1, 10000, 0);
  FOR i IN 1 .. 4 LOOP
    EXECUTE format('ALTER INDEX sized_b SET (fillfactor = %s)', (ARRAY[10, 50, 90, 100])[i]);
    REINDEX INDEX sized_b;
    INSERT INTO sized_pages VALUES ((ARRAY[10, 50, 90, 100])[i],
                                    pg_relation_size('sized_b') / current_setting('block_size')::int);
  END LOOP;
END $$;
SELECT a.fillfactor, b.fillfactor, round(a.pages::numeric / b.pages, 1) BETWEEN 0.5 * b.fillfactor / a.fillfactor AND 1.2 * b.fillfactor / a.fillfactor AS proportional
FROM sized_pages a JOIN sized_pages b ON a.fillfactor < b.fillfactor ORDER BY 1, 2;
ALTER INDEX sized_b RESET (fillfactor);
REINDEX INDEX sized_b;

-- A full inner page: two levels of inner pages, built and grown.
TRUNCATE sized;
SELECT sized_rows(1, 40000, 0);
REINDEX INDEX sized_b;
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS built;
SELECT sized_rows(40001, 60000, 0);
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS grown;
-- Deletion of nearly all; the pages are used again.
CREATE TABLE sized_before AS SELECT pg_relation_size('sized_b') AS size;
DELETE FROM sized WHERE id % 100 > 0;
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS deleted;
VACUUM (TRUNCATE off) sized;
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS vacuumed;
SELECT sized_rows(100001, 155000, 0);
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS refilled,
       pg_relation_size('sized_b') < 1.5 * size AS reused FROM sized_before;
DELETE FROM sized;
VACUUM (TRUNCATE off) sized;
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS emptied;
SELECT sized_rows(1, 60000, 0);
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS refilled,
       pg_relation_size('sized_b') < 2 * size AS reused FROM sized_before;
VACUUM FULL sized;
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS rewritten;
-- Only rows without a box, many of them; they go and come.
TRUNCATE sized;
SELECT sized_rows(1, 5000, 1);
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS "all NULL";
UPDATE sized_before SET size = pg_relation_size('sized_b');
DELETE FROM sized WHERE id % 7 > 0;
VACUUM (TRUNCATE off) sized;
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS vacuumed;
DELETE FROM sized;
VACUUM (TRUNCATE off) sized;
SELECT sized_rows(1, 5000, 1);
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS refilled,
       pg_relation_size('sized_b') <= size AS reused FROM sized_before;
UPDATE sized SET b = box(point(id, id), point(id, id)) WHERE id % 2 = 0;
UPDATE sized SET b = NULL WHERE id % 3 = 0;
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS changed;
VACUUM sized;
SELECT tst.differing(sized_answers('seq'), sized_answers('index only')) AS vacuumed;

-- A build that spills: more than maintenance_work_mem.
TRUNCATE sized;
DROP INDEX sized_b;
SELECT sized_rows(1, 60000, 50);
SET maintenance_work_mem = '1MB';
CREATE INDEX sized_b ON sized USING spqtree (b) INCLUDE (id);
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS spilled;
RESET maintenance_work_mem;
-- Beside others: CONCURRENTLY; a build that is canceled leaves nothing.
DROP INDEX sized_b;
CREATE INDEX CONCURRENTLY sized_b ON sized USING spqtree (b) INCLUDE (id);
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS concurrently;
REINDEX INDEX CONCURRENTLY sized_b;
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS concurrently;
-- (by its own expression, so that no timeout comes too early or too late)
CREATE FUNCTION canceling(b box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF (b[0])[0] < 10 THEN PERFORM pg_cancel_backend(pg_backend_pid()); END IF; RETURN b; END $$;
\set VERBOSITY terse
CREATE INDEX sized_again ON sized USING spqtree (canceling(b));
CREATE INDEX CONCURRENTLY sized_invalid ON sized USING spqtree (canceling(b));
\set VERBOSITY default
SELECT relname FROM pg_class WHERE relname LIKE 'sized\_%' AND relkind = 'i' ORDER BY 1;
INSERT INTO sized VALUES (0, '((5000,5000.3),(5000,5000.3))');
SELECT tst.differing(sized_answers('seq'), sized_answers('index')) AS answers;
DROP INDEX sized_invalid;
DROP FUNCTION canceling;
-- An error in the middle of a build.
CREATE FUNCTION failing(b box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF b ~= box '((5000,5000.3),(5000,5000.3))' THEN RAISE EXCEPTION 'failed'; END IF; RETURN b; END $$;
\set VERBOSITY terse
CREATE INDEX sized_fails ON sized USING spqtree (failing(b));
\set VERBOSITY default
DROP FUNCTION failing;
SELECT relname FROM pg_class WHERE relname LIKE 'sized\_%' AND relkind = 'i' ORDER BY 1;

DROP FUNCTION sized_check, sized_answers, sized_rows;
DROP TABLE sized, sized_pages, sized_before;
