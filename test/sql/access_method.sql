--
-- The access method as an object: what CREATE INDEX takes, validation of operator
-- classes, what a user who is not a superuser may do.
--
CREATE TABLE am_box (b box, i int, s text);
INSERT INTO am_box SELECT box(point(i % 100, i / 100), point(i % 100 + 1.5, i / 100 + 0.5)), i, repeat('x', i % 20)
FROM generate_series(0, 19999) i;
INSERT INTO am_box SELECT NULL, i, 'none' FROM generate_series(20000, 20999) i;

-- The class for box is the default; other types have no class.
CREATE INDEX am_box_b ON am_box USING spqtree (b);
SELECT pg_get_indexdef('am_box_b'::regclass);
CREATE INDEX am_box_i ON am_box USING spqtree (i);
CREATE INDEX am_box_bb ON am_box USING spqtree (b, b);
CREATE UNIQUE INDEX am_box_unique ON am_box USING spqtree (b);
-- (19 tells the position, too)
\set VERBOSITY sqlstate
CREATE INDEX am_box_desc ON am_box USING spqtree (b DESC);
\set VERBOSITY default
SELECT reltuples, relpages > 3 AS "pages" FROM pg_class WHERE relname = 'am_box_b';

-- The fillfactor is that of the build.
CREATE INDEX am_box_half ON am_box USING spqtree (b) WITH (fillfactor = 45);
CREATE INDEX am_box_full ON am_box USING spqtree (b) WITH (fillfactor = 100);
SELECT relname, round(pg_relation_size(oid)::numeric / pg_relation_size('am_box_b'), 1) AS "as large"
FROM pg_class WHERE relname IN ('am_box_half', 'am_box_full') ORDER BY 1;
ALTER INDEX am_box_half RESET (fillfactor);
SELECT pg_relation_size('am_box_half') > pg_relation_size('am_box_b') AS "until it is built again";
REINDEX INDEX am_box_half;
SELECT pg_relation_size('am_box_half') > pg_relation_size('am_box_b') AS "until it is built again";
CREATE INDEX am_box_bad ON am_box USING spqtree (b) WITH (fillfactor = 9);
CREATE INDEX am_box_bad ON am_box USING spqtree (b) WITH (fillfactor = 101);
CREATE INDEX am_box_bad ON am_box USING spqtree (b) WITH (fillfactor = many);
CREATE INDEX am_box_bad ON am_box USING spqtree (b) WITH (pages_per_range = 1);
ALTER INDEX am_box_half SET (fillfactor = 1000);
DROP INDEX am_box_half, am_box_full;

-- Payloads of all sizes that fit, and one that does not.
CREATE INDEX am_box_include ON am_box USING spqtree (b) INCLUDE (i, s);
SELECT reltuples FROM pg_class WHERE relname = 'am_box_include';
DROP INDEX am_box_include;
INSERT INTO am_box VALUES ('(0,0),(1,1)', -1, (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 100) i));
\set VERBOSITY sqlstate
CREATE INDEX am_box_include ON am_box USING spqtree (b) INCLUDE (s);
\set VERBOSITY default
DELETE FROM am_box WHERE i = -1;

-- Scans of the index return what the table has, with a memory for sorting that
-- spills, and with one that does not.
SET maintenance_work_mem = '1MB';
REINDEX INDEX am_box_b;
RESET maintenance_work_mem;
ANALYZE am_box;
SET enable_seqscan = off;
EXPLAIN (COSTS off) SELECT count(*) FROM am_box WHERE b && box '(10,10),(20,20)';
SELECT count(*), sum(i) FROM am_box WHERE b && box '(10,10),(20,20)';
SELECT count(*), sum(i) FROM am_box WHERE b IS NULL;
SELECT i FROM am_box ORDER BY b <-> point '(50.1,20.2)', i LIMIT 3;
RESET enable_seqscan;
SELECT count(*), sum(i) FROM am_box WHERE (b && box '(10,10),(20,20)') IS TRUE;
-- The planner takes the index where it is selective, and the table where it is not.
EXPLAIN (COSTS off) SELECT i FROM am_box WHERE b && box '(10,10),(11,11)';
EXPLAIN (COSTS off) SELECT i FROM am_box WHERE b && box '(-10,-10),(110,210)';
EXPLAIN (COSTS off) SELECT i FROM am_box ORDER BY b <-> point '(50,20)' LIMIT 5;

-- Empty, temporary and unlogged.
CREATE TABLE am_empty (b box);
CREATE INDEX am_empty_b ON am_empty USING spqtree (b);
CREATE TEMP TABLE am_temp AS SELECT b, i FROM am_box;
CREATE INDEX am_temp_b ON am_temp USING spqtree (b);
CREATE UNLOGGED TABLE am_unlogged AS SELECT b, i FROM am_box;
CREATE INDEX am_unlogged_b ON am_unlogged USING spqtree (b);
ALTER TABLE am_unlogged SET LOGGED;
ALTER TABLE am_unlogged SET UNLOGGED;
SELECT relname, relpersistence, reltuples FROM pg_class WHERE relname ~ '^am_(empty|temp|unlogged)_b$' ORDER BY relname;
SELECT DISTINCT pg_relation_size('am_empty_b') / current_setting('block_size')::int AS pages,
       pg_relation_size('am_unlogged_b', 'init') / current_setting('block_size')::int AS "of the init fork";

-- What pg_stat_progress_create_index shows.
SELECT phase, pg_indexam_progress_phasename(oid, phase) FROM pg_am, generate_series(1, 5) phase WHERE amname = 'spqtree' ORDER BY phase;

-- Operator classes that cannot work are reported, each with what is wrong.
CREATE FUNCTION am_ends(point, internal) RETURNS void LANGUAGE internal AS 'int8_avg_serialize';
CREATE FUNCTION am_wrong(point, internal) RETURNS int LANGUAGE internal AS 'int8_avg_serialize';
CREATE OPERATOR CLASS am_nothing FOR TYPE point USING spqtree AS
    OPERATOR 1 <@ (point, box);
CREATE OPERATOR CLASS am_broken FOR TYPE point USING spqtree AS
    OPERATOR 1 <@ (point, box),
    OPERATOR 2 <-> (point, point) FOR ORDER BY float_ops,
    FUNCTION 1 am_ends(point, internal),
    FUNCTION 2 (point, point) am_wrong(point, internal);
-- a function for other types than the class's, a distance that cannot be sorted as it says
CREATE OPERATOR CLASS am_other FOR TYPE point USING spqtree AS
    OPERATOR 2 <-> (point, point) FOR ORDER BY integer_ops,
    FUNCTION 1 (point, box) am_ends(point, internal);
CREATE OPERATOR CLASS am_numbers FOR TYPE circle USING spqtree AS
    FUNCTION 6 am_ends(point, internal);
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname IN ('am_nothing', 'am_broken', 'am_other') ORDER BY opcname;
DROP OPERATOR FAMILY am_nothing USING spqtree;
DROP OPERATOR FAMILY am_broken USING spqtree;
DROP OPERATOR FAMILY am_other USING spqtree;
DROP FUNCTION am_ends, am_wrong;

-- Whoever owns a table may use the method; nobody else can replace it.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_spqtree_user;
RESET client_min_messages;
CREATE ROLE regress_spqtree_user;
GRANT CREATE ON SCHEMA public TO regress_spqtree_user;
SET ROLE regress_spqtree_user;
CREATE TABLE am_own AS SELECT b, i FROM (VALUES (box '(0,0),(1,1)', 1), ('(2,2),(3,3)', 2)) v (b, i);
CREATE INDEX ON am_own USING spqtree (b);
SET enable_seqscan = off;
SELECT i FROM am_own WHERE b @> point '(2.5,2.5)';
RESET enable_seqscan;
\set VERBOSITY terse
DROP ACCESS METHOD spqtree;
CREATE OPERATOR CLASS am_mine FOR TYPE point USING spqtree AS OPERATOR 1 <@ (point, box);
\set VERBOSITY default
DROP TABLE am_own;
RESET ROLE;
REVOKE ALL ON SCHEMA public FROM regress_spqtree_user;
DROP ROLE regress_spqtree_user;

DROP TABLE am_box, am_empty, am_temp, am_unlogged;
