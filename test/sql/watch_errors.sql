-- Watches: what is refused, and what is left of a watch whose tables change.
CREATE SCHEMA waterr;
SET search_path = waterr, public;
CREATE TABLE o (id int PRIMARY KEY, pos point, grp int, note text, t2 text, j json, two int, UNIQUE (grp, two));
CREATE TABLE f (id int PRIMARY KEY, area box, b3 box3, grp text, seg lseg);
CREATE TABLE no_key (id int, pos point);
CREATE TABLE two_keys (a int, b int, pos point, PRIMARY KEY (a, b));
-- the message alone, where a query that the reader did not write follows
CREATE FUNCTION message(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
CREATE VIEW v AS SELECT 1 AS id, point(1,1) AS pos;

-- arguments
SELECT spqtree_watch(NULL, 'o', 'pos', 'f', 'area');
SELECT spqtree_watch('w', NULL, 'pos', 'f', 'area');
SELECT spqtree_watch('w', 'o', NULL, 'f', 'area');
SELECT spqtree_watch('w', 'o', 'pos', 'f');
SELECT spqtree_watch('w', 'o', 'nothing', 'f', 'area');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'ctid');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', distance => -1);
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', distance => 'NaN');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', leave_distance => 'inf');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', distance => 2, leave_distance => 1);
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', kinds => '{enter,exit}');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', kinds => '{NULL}');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_group => 'grp');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_group => 'grp', fence_group => 'grp');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', both_ways => true);
SELECT spqtree_watch('w', 'o', 'pos', fence_key => 'grp');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', notify => '');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', notify => repeat('x', 64));
SELECT spqtree_watch('', 'o', 'pos', 'f', 'area');
SELECT spqtree_watch('nowhere.w', 'o', 'pos', 'f', 'area');
SELECT spqtree_watch('a.b.c', 'o', 'pos', 'f', 'area');

-- tables
SELECT spqtree_watch('w', 'v', 'pos', 'f', 'area', object_key => 'id');
SELECT spqtree_watch('w', 987654321, 'pos', 'f', 'area');
SELECT spqtree_watch('w', 'o', 'pos', 'o_pkey', 'area');
SELECT spqtree_watch('w', 'no_key', 'pos', 'f', 'area');
SELECT spqtree_watch('w', 'f', 'area', 'two_keys', 'pos');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_key => 'j');
SELECT spqtree_watch('w', 'o', 'pos', object_group => 'j');
SELECT spqtree_watch('w', 'o', 'pos', object_group => 'pos');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'b3');
SELECT spqtree_watch('w', 'o', 'note', 'f', 'area');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'seg', distance => 1, kinds => '{cross}');
CREATE TABLE whole (id int PRIMARY KEY, pos point) PARTITION BY HASH (id);
CREATE TABLE part PARTITION OF whole FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT spqtree_watch('w', 'part', 'pos', 'f', 'area');
CREATE TEMP TABLE tmp (id int PRIMARY KEY, area box);
SET client_min_messages = warning;
SELECT spqtree_watch('w', 'o', 'pos', 'tmp', 'area');
SELECT spqtree_watch('pg_temp.w', 'o', 'pos', 'f', 'area');
RESET client_min_messages;

-- conditions point into themselves
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'nothing > 1');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'f.id > 1');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', fence_condition => 'id >');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => '');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'note');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'count(*) > 1');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'id = $1');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'id < random()');
-- what changes without a change of the row: time, settings, other tables, the row's place in the table
CREATE FUNCTION of_table(int) RETURNS boolean STABLE LANGUAGE sql AS 'SELECT EXISTS (SELECT FROM waterr.o WHERE id = $1)';
CREATE FUNCTION sum_of(int, int DEFAULT extract(epoch FROM now())) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + $2';
SELECT condition, message(format($$SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', fence_condition => %L)$$, condition))
FROM (VALUES ($$of_table(id)$$), ($$now() > '2026-01-01'$$), ($$CURRENT_DATE > '2026-01-01'$$), ($$current_user = grp$$),
	($$grp::date > '2026-01-01'$$), ($$sum_of(id) > 0$$), ($$f.xmin::text <> '2'$$), ($$f.ctid <> '(0,1)'$$)) AS c (condition);
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'EXISTS (SELECT FROM f)');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'true) GROUP BY (id');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'true); DROP TABLE o; SELECT (1');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => 'true -- ');

-- event tables
SET client_min_messages = warning;
SELECT message($$SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', events => 'v')$$);
SELECT message($$SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', events => 'o')$$);
CREATE TABLE log (id int GENERATED ALWAYS AS IDENTITY, watch text, kind text, object int, fence int);
SELECT message($$SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', events => 'log')$$);
ALTER TABLE log ADD at timestamptz, ADD statement bigint, ALTER object TYPE uuid USING NULL;
SELECT message($$SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', events => 'log')$$);
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', events => 'pg_temp.log');
-- a name that there is
SELECT spqtree_watch('o', 'o', 'pos', 'f', 'area');
SELECT spqtree_watch('o_pkey', 'o', 'pos', 'f', 'area');
DROP TABLE log;

-- nothing is left of all that
SELECT relname FROM pg_class WHERE relnamespace = 'waterr'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1;
SELECT tgname FROM pg_trigger WHERE tgrelid IN ('o'::regclass, 'f'::regclass);
RESET client_min_messages;

-- notices
SELECT spqtree_watch('w', 'no_key', 'pos', 'f', 'area', object_key => 'id');
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area');

-- other tables are no watches
SELECT spqtree_unwatch('o');
SELECT * FROM spqtree_check_watch('v');
SELECT spqtree_refresh_watch('o');
SELECT spqtree_unwatch('o_pkey');
SELECT spqtree_unwatch(987654321);
SELECT * FROM spqtree_check_watch(987654321);
SELECT spqtree_refresh_watch(987654321);
SELECT spqtree_unwatch(NULL);
TRUNCATE w;
SELECT spqtree_unwatch('w');
DROP TABLE w_events;

-- triggers that somebody makes up
CREATE TRIGGER t AFTER INSERT ON o FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_changed();
INSERT INTO o VALUES (1);
DROP TRIGGER t ON o;
CREATE TRIGGER t AFTER INSERT ON o FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_changed('nothing', 'objects');
INSERT INTO o VALUES (1);
DROP TRIGGER t ON o;
CREATE TRIGGER t AFTER INSERT ON o FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_changed('waterr.f', 'objects');
INSERT INTO o VALUES (1);
DROP TRIGGER t ON o;
CREATE TRIGGER t BEFORE TRUNCATE ON o FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_definition('objects', 'waterr.o');
SELECT count(*) FROM spqtree_watches WHERE watch = 'o'::regclass;
SELECT * FROM spqtree_check_watch('o');
DROP TRIGGER t ON o;
-- numbers that are none
CREATE TRIGGER t BEFORE TRUNCATE ON o FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_definition('objects', 'o', 'object_column', 'pos',
	'object_key', 'id', 'fences', 'o', 'fence_column', 'pos', 'fence_key', 'id', 'distance', '1e999', 'leave_distance', '1e-999',
	'kinds', 'enter', 'events', 'o');
SELECT count(*) FROM spqtree_watches WHERE watch = 'o'::regclass;
DROP TRIGGER t ON o;
SELECT _spqtree_watch_lock();

-- what happens to the tables of a watch
SET client_min_messages = warning;
SELECT spqtree_watch('w', 'o', 'pos', 'f', 'area', object_condition => $$note = 'x'$$);
INSERT INTO o VALUES (1, '(0,0)', NULL, 'x');
INSERT INTO f VALUES (1, '(0,0),(1,1)');
SELECT kind, object, fence FROM w_events;
ALTER TABLE o RENAME pos TO place;
UPDATE o SET place = '(1,1)';
SELECT * FROM spqtree_check_watch('w');
ALTER TABLE o RENAME place TO pos;
ALTER TABLE o RENAME id TO number;
UPDATE o SET pos = '(1,1)';
ALTER TABLE o RENAME number TO id;
ALTER TABLE o RENAME note TO remark;
SELECT message($$UPDATE o SET remark = 'y'$$);
ALTER TABLE o RENAME remark TO note;
ALTER TABLE w RENAME TO pairs;
UPDATE o SET pos = '(2,2)';
ALTER TABLE pairs RENAME TO w;
ALTER TABLE w_events RENAME TO history;
UPDATE o SET pos = '(2,2)';
ALTER TABLE history RENAME TO w_events;
ALTER TABLE o RENAME TO objects;
UPDATE objects SET pos = '(2,2)';
UPDATE f SET area = '(3,3),(4,4)';
SELECT * FROM spqtree_check_watch('w');
SELECT spqtree_refresh_watch('w');
CREATE TABLE o (LIKE objects INCLUDING ALL);
UPDATE f SET area = '(3,3),(4,4)';
DROP TABLE o;
ALTER TABLE objects RENAME TO o;
UPDATE o SET pos = '(2,2)';
SELECT * FROM spqtree_check_watch('w');
ALTER TABLE f SET SCHEMA public;
UPDATE o SET pos = '(0,0)';
ALTER TABLE public.f SET SCHEMA waterr;
ALTER SCHEMA waterr RENAME TO waterr2;
SET search_path = waterr2, public;
UPDATE o SET pos = '(0,0)';
ALTER SCHEMA waterr2 RENAME TO waterr;
SET search_path = waterr, public;
UPDATE o SET pos = '(0,0)';
SELECT kind, object, fence FROM w_events ORDER BY id;
-- types that grow
ALTER TABLE o ALTER id TYPE bigint;
UPDATE f SET area = '(3,3),(4,4)';
UPDATE o SET pos = '(3,3)';
SELECT kind, object, fence FROM w_events ORDER BY id DESC LIMIT 2;
-- types that cannot be compared
ALTER TABLE o DROP CONSTRAINT o_pkey, ALTER id TYPE json USING to_json(id);
UPDATE o SET pos = '(3,3)';
SELECT * FROM spqtree_check_watch('w');
ALTER TABLE o ALTER id TYPE int USING id::text::int;
ALTER TABLE o DROP COLUMN pos;
INSERT INTO o VALUES (7);
SELECT spqtree_unwatch('w');
INSERT INTO o VALUES (7);
-- tables that cannot be the log, and keys that are rows
CREATE TYPE waterr.pair AS (a int, b int);
CREATE TABLE pairs_of_keys (id waterr.pair PRIMARY KEY, pos point);
SELECT spqtree_watch('w2', 'pairs_of_keys', 'pos', 'f', 'area');
CREATE TABLE named (id text PRIMARY KEY, pos point);
SELECT spqtree_watch('w2', 'named', 'pos', 'f', 'area', events => 'f');
SELECT spqtree_watch('w2', 'named', 'pos', 'f', 'area', events => 'w_events');
SET client_min_messages = warning;
DROP SCHEMA waterr CASCADE;
