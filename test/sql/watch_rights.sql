-- Watches: who may create, use and end one, and as whom its queries run.
SET client_min_messages = warning;
CREATE ROLE wat_owner;
CREATE ROLE wat_watcher;
CREATE ROLE wat_mover;
CREATE SCHEMA watr;
GRANT USAGE ON SCHEMA watr TO PUBLIC;
CREATE SCHEMA watr_private AUTHORIZATION wat_watcher;
SET search_path = watr, public;
CREATE TABLE objects (id int PRIMARY KEY, pos point, note text);
CREATE TABLE fences (id int PRIMARY KEY, area box);
ALTER TABLE objects OWNER TO wat_owner;
ALTER TABLE fences OWNER TO wat_owner;
INSERT INTO fences VALUES (1, '(0,0),(5,5)');

-- TRIGGER and SELECT on both tables, CREATE on the schema
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w', 'objects', 'pos', 'fences', 'area');
RESET ROLE;
GRANT SELECT ON objects TO wat_watcher;
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w', 'objects', 'pos', 'fences', 'area');
RESET ROLE;
GRANT TRIGGER ON objects, fences TO wat_watcher;
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w', 'objects', 'pos', 'fences', 'area');
RESET ROLE;
GRANT SELECT ON fences TO wat_watcher;
SET ROLE wat_watcher;
\set VERBOSITY terse
SELECT spqtree_watch('watr.w', 'objects', 'pos', 'fences', 'area');
-- a condition with functions of the watcher
SET search_path = watr_private, watr, public;
CREATE FUNCTION watr_private.allowed(note text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_user <> 'wat_watcher' OR current_setting('search_path') <> 'pg_catalog, pg_temp' THEN
		RAISE 'called by %, search_path is %', current_user, current_setting('search_path');
	END IF;
	RETURN note = lower(note);
END $$;
SELECT spqtree_watch('watr_private.w', 'objects', 'pos', 'fences', 'area', object_condition => 'allowed(note)');
RESET ROLE;

-- a mover needs no rights on fences, pairs and events, and cannot change what is called
GRANT SELECT, INSERT, UPDATE, DELETE ON objects TO wat_mover;
SET ROLE wat_mover;
CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'hijacked' $$;
SET search_path = pg_temp, watr, pg_catalog;
INSERT INTO objects VALUES (1, '(1,1)', 'small'), (2, '(1,1)', 'Large');
SELECT * FROM watr_private.w;
SELECT current_user, current_setting('search_path');
SET search_path = watr, public;
SELECT w.watch, w.owner FROM spqtree_watches AS w WHERE owner = 'wat_watcher'::regrole;
SELECT object_condition FROM spqtree_watches AS w WHERE owner = 'wat_watcher'::regrole;
RESET ROLE;
SELECT object, fence FROM watr_private.w;
SELECT kind, object, fence FROM watr_private.w_events;

-- only its owner ends or refreshes a watch, or checks it
SELECT oid AS w FROM pg_class WHERE oid = 'watr_private.w'::regclass \gset
SET ROLE wat_mover;
SELECT spqtree_unwatch(:w);
SELECT spqtree_refresh_watch(:w);
\set VERBOSITY sqlstate
SELECT * FROM spqtree_check_watch(:w);
\set VERBOSITY terse
RESET ROLE;
SET ROLE wat_owner;
SELECT spqtree_unwatch(:w);
RESET ROLE;

-- triggers that others make up change nothing
SET ROLE wat_mover;
CREATE TEMP TABLE forged (id int, pos point, note text, area box, object int GENERATED ALWAYS AS IDENTITY, fence int);
CREATE TRIGGER t AFTER INSERT ON forged REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
	EXECUTE FUNCTION _spqtree_watch_changed('watr_private.w', 'objects');
CREATE TRIGGER l BEFORE INSERT ON forged FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_lock('watr_private.w', 'fences');
BEGIN;
INSERT INTO forged VALUES (1, '(9,9)', 'x');
SELECT mode FROM pg_locks WHERE relation = :w AND mode <> 'AccessShareLock';
COMMIT;
CREATE TRIGGER w BEFORE TRUNCATE ON forged FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_definition('objects', 'watr.fences',
	'object_column', 'area', 'object_key', 'id', 'fences', 'watr.fences', 'fence_column', 'area', 'fence_key', 'id',
	'distance', '0', 'leave_distance', '0', 'kinds', 'enter', 'events', 'watr_private.w_events');
\set VERBOSITY sqlstate
SELECT * FROM spqtree_check_watch('forged');
SELECT spqtree_refresh_watch('forged');
\set VERBOSITY terse
DROP TABLE forged;
-- a definition is no right to lock what it names, nor to have triggers on it
CREATE TEMP TABLE forged (object int, fence int, since timestamptz);
CREATE TEMP SEQUENCE forged_seq OWNED BY forged.object;
CREATE TEMP TABLE forged_events (watch text, kind text, object int, fence int, at timestamptz, statement bigint);
SELECT nspname || '.forged_events' AS events FROM pg_namespace WHERE oid = pg_my_temp_schema() \gset
CREATE TRIGGER w BEFORE TRUNCATE ON forged FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_definition('objects', 'watr.objects',
	'object_column', 'pos', 'object_key', 'id', 'fences', 'watr.fences', 'fence_column', 'area', 'fence_key', 'id',
	'distance', '0', 'leave_distance', '0', 'kinds', 'enter', 'events', :'events');
BEGIN;
SELECT spqtree_unwatch('forged');
SELECT count(*) FROM pg_locks WHERE relation IN ('objects'::regclass, 'fences'::regclass);
ROLLBACK;
RESET ROLE;
SELECT spqtree_refresh_watch('forged');
SELECT tgname FROM pg_trigger WHERE tgrelid = 'objects'::regclass AND encode(tgargs, 'escape') LIKE '%forged%';
DROP TABLE forged, forged_events;
SELECT count(*) FROM watr_private.w_events;

-- a watcher who lost a right stops the movers, until the watch ends
REVOKE SELECT ON fences FROM wat_watcher;
SET ROLE wat_mover;
UPDATE objects SET pos = '(2,2)';
UPDATE objects SET pos = '(9,9)';
RESET ROLE;
GRANT SELECT ON fences TO wat_watcher;

-- an event table of somebody else
CREATE TABLE watr.log (id bigint GENERATED BY DEFAULT AS IDENTITY, watch text, kind text, object int, fence int, at timestamptz, statement bigint);
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w2', 'objects', 'pos', 'fences', 'area', events => 'watr.log');
RESET ROLE;
GRANT INSERT ON watr.log TO wat_watcher;
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w2', 'objects', 'pos', 'fences', 'area', events => 'watr.log');
RESET ROLE;
\set VERBOSITY default

-- row security that applies to the watcher
ALTER TABLE objects ENABLE ROW LEVEL SECURITY;
SET ROLE wat_owner;
UPDATE objects SET pos = '(9,9)';
RESET ROLE;
SET ROLE wat_watcher;
SELECT spqtree_watch('watr_private.w3', 'objects', 'pos', 'fences', 'area');
RESET ROLE;
ALTER TABLE objects DISABLE ROW LEVEL SECURITY;
ALTER TABLE fences ENABLE ROW LEVEL SECURITY;
SET ROLE wat_mover;
UPDATE objects SET pos = '(9,9)';
RESET ROLE;
-- not to the owner of the tables, unless forced
SELECT spqtree_unwatch('watr_private.w'), spqtree_unwatch('watr_private.w2');
GRANT CREATE ON SCHEMA watr TO wat_owner;
SET ROLE wat_owner;
SELECT spqtree_watch('watr.own', 'objects', 'pos', 'fences', 'area');
RESET ROLE;
SET ROLE wat_mover;
UPDATE objects SET pos = '(3,3)' WHERE id = 1;
RESET ROLE;
SELECT kind, object, fence FROM watr.own_events;
ALTER TABLE fences FORCE ROW LEVEL SECURITY;
SET ROLE wat_mover;
UPDATE objects SET pos = '(9,9)' WHERE id = 1;
RESET ROLE;
ALTER TABLE fences NO FORCE ROW LEVEL SECURITY;
SET ROLE wat_mover;
UPDATE objects SET pos = '(9,9)' WHERE id = 1;
RESET ROLE;
SELECT kind, object, fence FROM watr.own_events;

-- a new owner of the pairs is who the queries run as
ALTER TABLE watr.own OWNER TO wat_watcher;
SELECT owner FROM spqtree_watches WHERE watch = 'watr.own'::regclass;
ALTER TABLE watr.own_events OWNER TO wat_watcher;
ALTER TABLE fences DISABLE ROW LEVEL SECURITY;
SET ROLE wat_mover;
UPDATE objects SET pos = '(3,3)' WHERE id = 1;
RESET ROLE;
SELECT kind, object, fence FROM watr.own_events;
DROP FUNCTION pg_temp.lower;

-- nothing that the owner has put into the way runs later with the rights of who refreshes
CREATE FUNCTION watr_private.run_later() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE 'called by %', current_user;
	RETURN NULL;
END $$;
ALTER TABLE objects DISABLE TRIGGER USER;
UPDATE objects SET pos = '(9,9)' WHERE id = 1;
ALTER TABLE objects ENABLE TRIGGER USER;
SET ROLE wat_watcher;
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON watr.own_events DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION watr_private.run_later();
RESET ROLE;
SET client_min_messages = notice;
\set VERBOSITY terse
SELECT spqtree_refresh_watch('watr.own');
SET ROLE wat_watcher;
SELECT spqtree_refresh_watch('watr.own');
RESET ROLE;
\set VERBOSITY default
-- a table of pairs that somebody made up under the name of one in his schema
SET client_min_messages = warning;
SELECT spqtree_watch('watr_private.admins', 'objects', 'pos', 'fences', 'area');
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO wat_watcher', current_database()); END $$;
SET ROLE wat_watcher;
ALTER SCHEMA watr_private RENAME TO watr_away;
CREATE SCHEMA watr_private;
CREATE TABLE watr_private.admins (object int, fence int, since timestamptz);
CREATE TRIGGER w BEFORE TRUNCATE ON watr_private.admins FOR EACH STATEMENT EXECUTE FUNCTION _spqtree_watch_definition('objects', 'watr.objects',
	'object_column', 'pos', 'object_key', 'id', 'fences', 'watr.fences', 'fence_column', 'area', 'fence_key', 'id',
	'distance', '0', 'leave_distance', '0', 'kinds', 'enter', 'events', 'watr_private.log');
RESET ROLE;
UPDATE objects SET pos = '(1,1)';
DROP SCHEMA watr_private CASCADE;
ALTER SCHEMA watr_away RENAME TO watr_private;
UPDATE objects SET pos = '(1,1)';
DO $$ BEGIN EXECUTE format('REVOKE CREATE ON DATABASE %I FROM wat_watcher', current_database()); END $$;
-- nor is a function called by a check, as a predicate of an index
CREATE SCHEMA watr_mover AUTHORIZATION wat_mover;
SET ROLE wat_mover;
CREATE TABLE watr_mover.t (id int, pos point);
CREATE FUNCTION watr_mover.call_me(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_user <> 'wat_mover' THEN RAISE NOTICE 'called by %', current_user; END IF;
	RETURN true;
END $$;
CREATE UNIQUE INDEX ON watr_mover.t (id) WHERE watr_mover.call_me(1);
SELECT spqtree_watch('watr_mover.w', 'watr_mover.t', 'pos', object_key => 'id');
RESET ROLE;
SET client_min_messages = notice;
\c -
\set VERBOSITY terse
SELECT * FROM spqtree_check_watch('watr_mover.w');
\set VERBOSITY default
SET client_min_messages = warning;
-- nor does the caller's search_path say what an index calls while a query is planned
CREATE TABLE watr.posts (id int PRIMARY KEY, pos point);
CREATE TABLE watr.yards (id int PRIMARY KEY, area box);
ALTER TABLE watr.posts OWNER TO wat_owner;
ALTER TABLE watr.yards OWNER TO wat_owner;
INSERT INTO watr.yards VALUES (1, '(0,0),(5,5)');
GRANT SELECT, UPDATE, INSERT ON watr.posts TO wat_mover;
SET ROLE wat_owner;
CREATE FUNCTION watr.shown(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN lower('X') = 'x';
END $$;
CREATE INDEX ON watr.yards USING spqtree (area) WHERE watr.shown(1);
SELECT spqtree_watch('watr.in_yard', 'watr.posts', 'pos', 'watr.yards', 'area');
RESET ROLE;
SET ROLE wat_mover;
GRANT USAGE ON SCHEMA watr_mover TO PUBLIC;
CREATE FUNCTION watr_mover.lower(text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE 'the function of wat_mover is called by %', current_user;
	RETURN pg_catalog.lower($1);
END $$;
RESET ROLE;
\c -
SET client_min_messages = notice;
SET ROLE wat_mover;
SET search_path = watr_mover, pg_catalog;
INSERT INTO watr.posts VALUES (1, '(1,1)');
\c -
SET ROLE wat_mover;
SET search_path = watr_mover, pg_catalog;
INSERT INTO watr.posts VALUES (2, '(2,2)'), (3, '(9,9)');
SELECT current_user, current_setting('search_path');
RESET ROLE;
RESET search_path;
SELECT object, fence FROM watr.in_yard ORDER BY object;
-- a function that fits better than the extension's, in the extension's schema
SELECT extnamespace::regnamespace::text AS schema FROM pg_extension WHERE extname = 'spqtree' \gset
CREATE DOMAIN watr.place AS point;
CREATE TABLE watr.stones (id int PRIMARY KEY, pos watr.place, way path);
CREATE TABLE watr.sheds (id int PRIMARY KEY, area box);
ALTER TABLE watr.stones OWNER TO wat_owner;
ALTER TABLE watr.sheds OWNER TO wat_owner;
INSERT INTO watr.sheds VALUES (1, '(0,0),(5,5)');
GRANT INSERT ON watr.stones TO wat_mover;
GRANT CREATE ON SCHEMA :schema TO wat_mover;
SET ROLE wat_mover;
CREATE FUNCTION :schema.spqtree_dwithin(watr.place, box, float8) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'the function of wat_mover is called by %', current_user;
END $$;
CREATE FUNCTION :schema.spqtree_dwithin(path, box, float8) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'the function of wat_mover is called by %', current_user;
END $$;
SET ROLE wat_owner;
\set VERBOSITY terse
SELECT :schema.spqtree_watch('watr.in_shed', 'watr.stones', 'pos', 'watr.sheds', 'area');
SELECT :schema.spqtree_watch('watr.by_shed', 'watr.stones', 'way', 'watr.sheds', 'area');
\set VERBOSITY default
SET ROLE wat_mover;
INSERT INTO watr.stones VALUES (1, '(1,1)'), (2, '(9,9)');
RESET ROLE;
SELECT object, fence FROM watr.in_shed;
DROP FUNCTION :schema.spqtree_dwithin(watr.place, box, float8), :schema.spqtree_dwithin(path, box, float8);
REVOKE CREATE ON SCHEMA :schema FROM wat_mover;
SET client_min_messages = warning;
DROP SCHEMA watr, watr_private, watr_mover CASCADE;
DROP ROLE wat_owner, wat_watcher, wat_mover;
