--
-- spqtree_check: indexes of every kind are sound, anything else is an error, nobody
-- gains rights by it.  Damage is in test/t/006_check.pl.
--
SET client_min_messages = warning;
CREATE SCHEMA checked;
SET search_path = checked, public;

-- All our indexes of a schema.
CREATE FUNCTION problems(schema regnamespace, OUT index_name name, OUT block bigint, OUT item int, OUT problem text) RETURNS SETOF record LANGUAGE sql AS $$
  WITH ours AS MATERIALIZED (
    SELECT c.oid, c.relname FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_opclass o ON o.oid = i.indclass[0]
    WHERE c.relnamespace = schema AND c.relkind = 'i' AND i.indisvalid AND o.opcname IN ('spqtree_box_ops', 'circle_ops'))
  SELECT o.relname, c.* FROM ours o LEFT JOIN LATERAL spqtree_check(o.oid, true) c ON true ORDER BY o.relname COLLATE "C", 2, 3, 4 $$;

CREATE FUNCTION boxes(n int, seed int DEFAULT 1) RETURNS TABLE (id int, b box) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 41 = 0 THEN NULL WHEN i % 43 = 0 THEN box(point('NaN', y), point(x, 'Infinity'))
                 WHEN i % 11 = 0 THEN '((5,5),(6,6))' ELSE box(point(x, y), point(x + w, y + w)) END
  FROM generate_series(1, n) i,
       LATERAL (SELECT (i * 7919::bigint * seed) % 1000 AS x, (i * 104729::bigint * seed) % 997 AS y, 200.0 / (1 + i % 200) AS w) v $$;

-- Sound indexes: built at once, filled row by row, in every shape.
CREATE TABLE empty (b box);
CREATE INDEX empty_b ON empty USING spgist (b spqtree_box_ops);
CREATE TABLE few (b box);
CREATE INDEX few_b ON few USING spgist (b spqtree_box_ops);
INSERT INTO few SELECT b FROM boxes(30);
CREATE TABLE nothing (b box, t text);
CREATE INDEX nothing_b ON nothing USING spgist (b spqtree_box_ops);
CREATE INDEX nothing_b_t ON nothing USING spgist (b spqtree_box_ops) INCLUDE (t);
INSERT INTO nothing SELECT NULL, nullif('text ' || i % 3, 'text 0') FROM generate_series(1, 2000) i;
CREATE TABLE same (id int, b box);
INSERT INTO same SELECT i, '((1,2),(3,4))' FROM generate_series(1, 1000) i;
CREATE INDEX same_b ON same USING spgist (b spqtree_box_ops);
INSERT INTO same SELECT i, '((1,2),(3,4))' FROM generate_series(1, 1000) i;
INSERT INTO same SELECT i, box(point(i, i), point(1, 2)) FROM generate_series(1, 100) i;

CREATE TABLE many (id int, b box, t text, n numeric, c char(3), o oid, u uuid) WITH (autovacuum_enabled = off);
CREATE INDEX many_grown ON many USING spgist (b spqtree_box_ops);
CREATE INDEX many_include ON many USING spgist (b spqtree_box_ops) INCLUDE (id, t, n, c, o, u);
INSERT INTO many SELECT id, b, CASE id % 5 WHEN 0 THEN NULL WHEN 1 THEN repeat('long text ', 15) ELSE 't' || id END, id / 7.0, nullif('c' || id % 9, 'c0'), id, md5(id::text)::uuid FROM boxes(4000);
CREATE INDEX many_built ON many USING spgist (b spqtree_box_ops);
CREATE INDEX many_include_built ON many USING spgist (b spqtree_box_ops) INCLUDE (t, c, id);
CREATE INDEX many_partial ON many USING spgist (b spqtree_box_ops) WHERE id % 3 = 0;
CREATE INDEX many_expression ON many USING spgist ((b + point(id, 1)) spqtree_box_ops);
CREATE INDEX many_full ON many USING spgist (b spqtree_box_ops) WITH (fillfactor = 100);
CREATE INDEX many_loose ON many USING spgist (b spqtree_box_ops) WITH (fillfactor = 10);
CREATE TABLE lone (b box, EXCLUDE USING spgist (b spqtree_box_ops WITH &&));
INSERT INTO lone SELECT box(point(i * 2, i % 7 * 2), point(i * 2 + 1, i % 7 * 2 + 1)) FROM generate_series(1, 1000) i;
CREATE TABLE lone_late (b box, EXCLUDE USING spgist (b spqtree_box_ops WITH &&) DEFERRABLE INITIALLY DEFERRED);
INSERT INTO lone_late SELECT * FROM lone;
CREATE UNLOGGED TABLE unlogged AS SELECT * FROM boxes(1000);
CREATE INDEX unlogged_b ON unlogged USING spgist (b spqtree_box_ops);
INSERT INTO unlogged SELECT * FROM boxes(1000, 3);
CREATE TABLE parts (id int, b box) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF parts FOR VALUES FROM (0) TO (500);
CREATE TABLE part_2 PARTITION OF parts FOR VALUES FROM (500) TO (100000);
CREATE INDEX parts_b ON parts USING spgist (b spqtree_box_ops);
INSERT INTO parts SELECT * FROM boxes(1500);
-- a class of one's own with our methods, which does not say what it stores
CREATE FUNCTION circle_bounds(circle) RETURNS box IMMUTABLE STRICT LANGUAGE sql RETURN box($1);
CREATE OPERATOR CLASS circle_ops FOR TYPE circle USING spgist AS
  OPERATOR 3 && (circle, circle),
  FUNCTION 1 _spqtree_box_config(internal, internal), FUNCTION 2 _spqtree_box_choose(internal, internal), FUNCTION 3 _spqtree_box_picksplit(internal, internal),
  FUNCTION 4 _spqtree_box_inner_consistent(internal, internal), FUNCTION 5 _spqtree_box_leaf_consistent(internal, internal), FUNCTION 6 circle_bounds(circle);
CREATE TABLE round AS SELECT id, circle(b) AS c FROM boxes(1000);
INSERT INTO round VALUES (0, NULL);
CREATE INDEX round_c ON round USING spgist (c circle_ops) INCLUDE (id);
CREATE MATERIALIZED VIEW seen AS SELECT * FROM boxes(500);
CREATE INDEX seen_b ON seen USING spgist (b spqtree_box_ops);
SELECT * FROM problems('checked');
CREATE TEMPORARY TABLE fleeting AS SELECT * FROM boxes(1000);
CREATE INDEX fleeting_b ON fleeting USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO fleeting SELECT * FROM boxes(1000, 5);
DELETE FROM fleeting WHERE id % 3 = 0;
SELECT * FROM spqtree_check('fleeting_b', true);
-- the indexes are what they are called
SELECT pg_relation_size('few_b') = 3 * current_setting('block_size')::int AS root_is_leaf, pg_relation_size('many_grown') > 30 * current_setting('block_size')::int AS is_tree;

-- Deletion, vacuum, more rows into what they left, updates, rollback, subtransactions.
DELETE FROM many WHERE id % 4 = 1 OR b << '((300,0),(301,1))';
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
VACUUM many;
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
INSERT INTO many SELECT id, b, 'second', 0 FROM boxes(2000, 13);
UPDATE many SET b = b + point(1, 1), t = NULL WHERE id % 4 = 2;
BEGIN;
INSERT INTO many SELECT id, b FROM boxes(1000, 17);
SAVEPOINT one;
INSERT INTO many SELECT id, b FROM boxes(1000, 19);
ROLLBACK TO one;
UPDATE many SET b = '((5,5),(6,6))' WHERE id % 10 = 3;
-- rows that this transaction has put there, and those that it has deleted
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
COMMIT;
BEGIN;
INSERT INTO many SELECT id, b FROM boxes(1000, 23);
DELETE FROM many WHERE id % 5 = 0;
ROLLBACK;
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
VACUUM many;
VACUUM (FREEZE) many;
INSERT INTO many SELECT id, b FROM boxes(500, 29);
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
REINDEX TABLE many;
REINDEX INDEX CONCURRENTLY many_include;
VACUUM FULL unlogged;
TRUNCATE few;
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');

-- However it is called.
SELECT * FROM spqtree_check('many_grown');
SELECT * FROM spqtree_check(index => 'checked.many_grown'::regclass, heapallindexed => false);
BEGIN READ ONLY;
SELECT count(*) FROM spqtree_check('many_include', true);
COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM spqtree_check('many_include', true);
INSERT INTO many SELECT id, b FROM boxes(100, 31);
SELECT count(*) FROM spqtree_check('many_include', true);
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE;
SELECT count(*) FROM spqtree_check('many_partial', true);
COMMIT;
BEGIN;
DECLARE c CURSOR FOR SELECT o.relname, p.problem FROM pg_class o LEFT JOIN LATERAL spqtree_check(o.oid, true) p ON true WHERE o.relname IN ('many_grown', 'many_built') ORDER BY o.relname;
FETCH 1 FROM c;
FETCH 1 FROM c;
FETCH 1 FROM c;
COMMIT;
SET maintenance_work_mem = '1MB';
SELECT count(*) AS indexes, count(problem) AS problems, min(problem) FROM problems('checked');
RESET maintenance_work_mem;
-- what the result is made of
SELECT pg_get_function_result('spqtree_check(regclass, boolean)'::regprocedure), pg_get_function_arguments('spqtree_check(regclass, boolean)'::regprocedure);

-- Not an index of ours, or no index that can be looked at.
CREATE INDEX many_btree ON many (id);
CREATE INDEX few_gist ON few USING gist (b);
CREATE INDEX few_core ON few USING spgist (b);
CREATE VIEW view AS SELECT * FROM many;
SELECT * FROM spqtree_check(NULL);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('many_grown', NULL);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('many');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('view');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('many_btree');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('few_gist');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('few_core', true);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('parts_b');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check(4000000000::oid::regclass);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check(0::oid::regclass);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('nowhere');
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM spqtree_check('pg_class_oid_index');
\echo :LAST_ERROR_SQLSTATE
-- the hint does what it says
SELECT relid, spqtree_check(relid) FROM pg_partition_tree('parts_b') WHERE isleaf;
CREATE TABLE broken AS SELECT 0 AS zero, box '((1,1),(2,2))' AS b;
CREATE INDEX CONCURRENTLY broken_b ON broken USING spgist ((b + point(1 / zero, 1)) spqtree_box_ops);
SELECT * FROM spqtree_check('broken_b');
\echo :LAST_ERROR_SQLSTATE
DROP TABLE broken;

-- Who may call it: a superuser, and whom one has allowed it.
CREATE ROLE check_owner;
CREATE ROLE check_reader;
GRANT USAGE, CREATE ON SCHEMA checked TO check_owner;
GRANT USAGE ON SCHEMA checked TO check_reader;
SELECT has_function_privilege('check_reader', 'spqtree_check(regclass, boolean)', 'EXECUTE');
SET ROLE check_owner;
SELECT * FROM spqtree_check('few_b');
\echo :LAST_ERROR_SQLSTATE
-- not of its own table either, as with amcheck
CREATE TABLE own (id int, b box);
CREATE INDEX own_b ON own USING spgist (b spqtree_box_ops) INCLUDE (id);
INSERT INTO own SELECT * FROM boxes(600);
SELECT * FROM spqtree_check('own_b', true);
\echo :LAST_ERROR_SQLSTATE
RESET ROLE;
GRANT EXECUTE ON FUNCTION spqtree_check TO check_reader;
-- who may call it needs no other right, and no policy is in the way
ALTER TABLE own ENABLE ROW LEVEL SECURITY;
ALTER TABLE own FORCE ROW LEVEL SECURITY;
CREATE POLICY nobody ON own USING (false);
SET ROLE check_reader;
SELECT count(*) FROM own;
SELECT * FROM spqtree_check('own_b', true);
SELECT current_user;
RESET ROLE;

-- Functions of an index run as the table's owner, cannot become another, nor
-- leave anything behind.
CREATE FUNCTION try(what text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE what;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;
GRANT EXECUTE ON FUNCTION try TO check_owner;
CREATE FUNCTION told(b box, id int) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('checked.loud', true) = 'on' AND id = 1 THEN
    RAISE WARNING 'user: %, role: %, session: %, temporary table: %, cursor: %', current_user,
      checked.try('SET ROLE NONE'), checked.try('SET SESSION AUTHORIZATION DEFAULT'),
      checked.try('CREATE TEMPORARY TABLE trap (i int)'), checked.try('DECLARE trap CURSOR WITH HOLD FOR SELECT 1');
    PERFORM set_config('checked.kept', 'yes', false);
    PERFORM set_config('search_path', 'pg_catalog', false);
  END IF;
  IF current_setting('checked.loud', true) = 'error' AND id = 1 THEN
    RAISE EXCEPTION 'user: %', current_user;
  END IF;
  RETURN b;
END $$;
CREATE FUNCTION asked(id int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('checked.loud', true) = 'on' AND id = 2 THEN
    RAISE WARNING 'condition, user: %, role: %', current_user, checked.try('SET ROLE NONE');
  END IF;
  RETURN id > 0;
END $$;
SET ROLE check_owner;
CREATE TABLE trap (id int, b box);
INSERT INTO trap SELECT * FROM boxes(50);
CREATE INDEX trap_b ON trap USING spgist (told(b, id) spqtree_box_ops) WHERE asked(id);
RESET ROLE;
SET checked.kept = 'no';
SET checked.loud = 'on';
SELECT * FROM spqtree_check('trap_b', true);
SELECT current_user = session_user AS same_user, current_setting('checked.kept') AS kept, current_setting('search_path') AS search_path;
-- without the table nothing of it runs
SELECT * FROM spqtree_check('trap_b', false);
SET ROLE check_reader;
SELECT * FROM spqtree_check('trap_b', true);
SELECT current_user, current_setting('checked.kept') AS kept;
-- an error in it puts all back
SET checked.loud = 'error';
\set SHOW_CONTEXT never
SELECT * FROM spqtree_check('trap_b', true);
SELECT current_user, current_setting('checked.kept') AS kept;
DO $$
BEGIN
  PERFORM * FROM spqtree_check('trap_b', true);
EXCEPTION WHEN raise_exception THEN
  RAISE WARNING 'caught: %, now: %', SQLERRM, current_user;
END $$;
RESET ROLE;
RESET checked.loud;
SELECT * FROM spqtree_check('trap_b', true);
REVOKE EXECUTE ON FUNCTION spqtree_check FROM check_reader;

-- A function that does not answer the same twice: the index has other values than
-- the table now has, which is what is said.
CREATE TABLE fickle AS SELECT id, b FROM boxes(40) WHERE b IS NOT NULL LIMIT 3;
CREATE FUNCTION shifted(b box) RETURNS box IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN b + point(current_setting('checked.shift')::int, 0); END $$;
SET checked.shift = 0;
CREATE INDEX fickle_b ON fickle USING spgist (shifted(b) spqtree_box_ops);
SELECT * FROM spqtree_check('fickle_b', true);
SET checked.shift = 1000;
SELECT * FROM spqtree_check('fickle_b', true) ORDER BY problem;
SELECT * FROM spqtree_check('fickle_b');

DROP SCHEMA checked CASCADE;
DROP ROLE check_owner, check_reader;
