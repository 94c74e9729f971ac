-- Watches: every option and kind of event, and every way to change a table.
SET client_min_messages = warning;
CREATE SCHEMA wat;
SET search_path = wat, public;

-- what a statement gave: the events since the last look
CREATE TABLE seen (log text PRIMARY KEY, id bigint);
CREATE FUNCTION news(log text) RETURNS TABLE (watch text, kind text, object text, fence text)
LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO seen VALUES (log, 0) ON CONFLICT DO NOTHING;
	RETURN QUERY EXECUTE format('SELECT replace(watch, ''wat.'', ''''), kind, object::text, fence::text FROM %s
		WHERE id > (SELECT id FROM seen WHERE log = $1) ORDER BY id', log) USING log;
	EXECUTE format('UPDATE seen SET id = (SELECT coalesce(max(id), 0) FROM %s) WHERE log = $1', log) USING log;
END $$;
CREATE FUNCTION pairs(watch text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT coalesce(string_agg(object || ''-'' || fence, '' '' ORDER BY object, fence), ''none'') FROM %s', watch) INTO result;
	RETURN result;
END $$;

CREATE TABLE customers (id int PRIMARY KEY);
CREATE TABLE vehicles (id int PRIMARY KEY, customer int REFERENCES customers ON DELETE CASCADE, pos point, note text);
CREATE TABLE zones (id int PRIMARY KEY, customer int REFERENCES customers ON DELETE CASCADE, area box, open boolean DEFAULT true);
CREATE INDEX ON zones USING spqtree (area);
CREATE INDEX ON vehicles USING spqtree (pos);
INSERT INTO customers VALUES (1), (2);
INSERT INTO vehicles VALUES (1, 1, '(1,1)'), (2, 1, '(50,50)');
INSERT INTO zones VALUES (10, 1, '(0,0),(4,4)'), (20, 2, '(10,0),(14,4)');

-- pairs that hold when the watch is created are no events
SELECT spqtree_watch('in_zone', 'vehicles', 'pos', 'zones', 'area');
SELECT object, fence, since <= clock_timestamp() AS since FROM in_zone;
SELECT * FROM news('in_zone_events');
SELECT watch, owner = current_user::regrole AS mine, objects, object_column, object_key, object_condition, object_group,
	fences, fence_column, fence_key, fence_condition, fence_group, distance, leave_distance, kinds, once, events, notify
	FROM spqtree_watches WHERE watch = 'in_zone'::regclass \gx
\d in_zone
\d in_zone_events

-- statements
UPDATE vehicles SET pos = '(2,2)' WHERE id = 1;
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET pos = pos + point(10,0) WHERE id = 1;
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET note = 'x';
UPDATE vehicles SET pos = pos;
UPDATE vehicles SET pos = '(0,0)' WHERE false;
SELECT * FROM news('in_zone_events');
INSERT INTO vehicles VALUES (3, 1, '(3,3)'), (4, 2, '(100,100)'), (5, 2, NULL);
SELECT * FROM news('in_zone_events');
INSERT INTO vehicles VALUES (3, 1, '(11,3)'), (6, 1, '(1,3)') ON CONFLICT (id) DO UPDATE SET pos = excluded.pos;
SELECT * FROM news('in_zone_events');
INSERT INTO vehicles VALUES (3, 1, '(1,1)') ON CONFLICT DO NOTHING;
SELECT * FROM news('in_zone_events');
INSERT INTO vehicles SELECT id + 10, customer, pos FROM vehicles WHERE id IN (1, 3);
SELECT * FROM news('in_zone_events');
COPY vehicles (id, customer, pos) FROM stdin;
21	1	(4,4)
22	2	(4,4.1)
\.
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET pos = center(zones.area) FROM zones WHERE zones.id = 20 AND vehicles.id IN (2, 21);
SELECT * FROM news('in_zone_events');
MERGE INTO vehicles USING (VALUES (2, point(0,0)), (4, point(3,1)), (7, point(12,2)), (21, NULL)) AS s(id, pos) ON vehicles.id = s.id
	WHEN MATCHED AND s.pos IS NULL THEN DELETE
	WHEN MATCHED THEN UPDATE SET pos = s.pos
	WHEN NOT MATCHED THEN INSERT VALUES (s.id, 1, s.pos);
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET id = 70 WHERE id = 7;
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET id = CASE id WHEN 1 THEN 101 ELSE 102 END WHERE id IN (1, 2);
SELECT * FROM news('in_zone_events');
DELETE FROM vehicles WHERE id > 20;
SELECT * FROM news('in_zone_events');

-- one fence becomes two, one ends, one is moved
INSERT INTO zones VALUES (30, 2, '(2.5,0),(14,14)');
SELECT * FROM news('in_zone_events');
UPDATE zones SET area = box(area[0] - point(1,1), area[1]) WHERE id = 30;
SELECT * FROM news('in_zone_events');
DELETE FROM zones WHERE id = 30;
SELECT * FROM news('in_zone_events');
UPDATE zones SET id = 11 WHERE id = 10;
SELECT * FROM news('in_zone_events');
UPDATE zones SET area = NULL WHERE id = 11;
SELECT * FROM news('in_zone_events');
UPDATE zones SET area = '(0,0),(4,4)' WHERE id = 11;
SELECT * FROM news('in_zone_events');

-- both tables at once: each pair is one event
SELECT pairs('in_zone');
WITH z AS (UPDATE zones SET area = area + point(20,0) RETURNING id)
	UPDATE vehicles SET pos = pos + point(20,0) WHERE id IN (3, 4);
SELECT * FROM news('in_zone_events');
WITH v AS (DELETE FROM vehicles WHERE id = 3), z AS (DELETE FROM zones WHERE id = 20)
	INSERT INTO zones VALUES (21, 2, '(30,0),(34,4)');
SELECT * FROM news('in_zone_events');
WITH z AS (INSERT INTO zones VALUES (22, 2, '(40,0),(44,4)'))
	INSERT INTO vehicles VALUES (8, 1, '(41,1)');
SELECT * FROM news('in_zone_events');

-- cascades: the vehicle and the zone of a customer
BEGIN;
INSERT INTO customers VALUES (3);
INSERT INTO zones VALUES (33, 3, '(60,60),(62,62)');
INSERT INTO vehicles VALUES (33, 3, '(61,61)'), (34, 2, '(61,61)');
SELECT * FROM news('in_zone_events');
DELETE FROM customers WHERE id = 3;
SELECT * FROM news('in_zone_events');
ROLLBACK;
SELECT * FROM news('in_zone_events');

-- savepoints, and what is rolled back
BEGIN;
UPDATE vehicles SET pos = '(42,2)' WHERE id = 4;
SAVEPOINT s;
UPDATE vehicles SET pos = '(21,1)' WHERE id = 4;
SELECT kind, object, fence FROM in_zone_events WHERE object = 4 ORDER BY id DESC LIMIT 2;
ROLLBACK TO s;
SELECT pairs('in_zone');
UPDATE vehicles SET pos = '(22,1)' WHERE id = 4;
COMMIT;
SELECT * FROM news('in_zone_events');

-- TRUNCATE, with what refers to it
BEGIN;
TRUNCATE vehicles;
SELECT * FROM news('in_zone_events');
ROLLBACK;
BEGIN;
TRUNCATE zones, vehicles;
SELECT * FROM news('in_zone_events');
ROLLBACK;
BEGIN;
TRUNCATE customers CASCADE;
SELECT * FROM news('in_zone_events');
SELECT count(*) FROM in_zone;
ROLLBACK;
SELECT * FROM spqtree_check_watch('in_zone');

-- a trigger that moves the row, and one that keeps it
CREATE FUNCTION shift() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.note = 'stay' THEN RETURN NULL; END IF;
	new.pos := new.pos + point(1000,0);
	RETURN new;
END $$;
CREATE TRIGGER shift BEFORE UPDATE ON vehicles FOR EACH ROW EXECUTE FUNCTION shift();
UPDATE vehicles SET pos = '(1,1)', note = 'stay' WHERE id = 4;
UPDATE vehicles SET pos = '(-979,1)' WHERE id = 4;
SELECT * FROM news('in_zone_events');
UPDATE vehicles SET pos = '(1,1)' WHERE id = 4;
SELECT * FROM news('in_zone_events');
DROP TRIGGER shift ON vehicles;

-- disabled triggers miss changes; a refresh tells of them
ALTER TABLE vehicles DISABLE TRIGGER USER;
UPDATE vehicles SET pos = '(31,1)' WHERE id = 4;
DELETE FROM vehicles WHERE id = 8;
ALTER TABLE vehicles ENABLE TRIGGER USER;
SELECT * FROM spqtree_check_watch('in_zone') ORDER BY object;
SELECT spqtree_refresh_watch('in_zone');
SELECT * FROM news('in_zone_events');
SELECT spqtree_refresh_watch('in_zone'), (SELECT count(*) FROM spqtree_check_watch('in_zone'));

-- the end: the log stays
SELECT spqtree_unwatch('in_zone');
SELECT count(*) > 0 AS some FROM in_zone_events;
SELECT tgname FROM pg_trigger WHERE tgrelid IN ('vehicles'::regclass, 'zones'::regclass) AND NOT tgisinternal;
UPDATE vehicles SET pos = '(0,0)';

-- kinds
TRUNCATE vehicles, zones;
INSERT INTO vehicles VALUES (1, 1, '(1,1)'), (2, 1, '(50,50)'), (3, 2, '(3,3)');
INSERT INTO zones VALUES (10, 1, '(0,0),(4,4)'), (11, 2, '(3,3),(5,5)'), (20, 2, '(10,0),(14,4)');
SELECT spqtree_watch('w_' || kind, 'vehicles', 'pos', 'zones', 'area', kinds => ARRAY[kind], events => 'kinds')
	FROM unnest('{enter,leave,inside,outside,cross}'::text[]) AS kind;
SELECT spqtree_watch('w_none', 'vehicles', 'pos', 'zones', 'area', kinds => '{}', events => 'kinds');
SELECT spqtree_watch('w_all', 'vehicles', 'pos', 'zones', 'area', kinds => '{cross,outside,inside,leave,enter}', events => 'every_kind');
SELECT watch, kinds FROM spqtree_watches WHERE events IN ('wat.kinds', 'wat.every_kind') ORDER BY watch::text;
UPDATE vehicles SET pos = pos + point(2,2);
SELECT * FROM news('kinds') ORDER BY kind, object, fence;
SELECT * FROM news('every_kind');
UPDATE vehicles SET pos = pos + point(1,-1);
SELECT * FROM news('kinds') ORDER BY kind, object, fence;
-- past the zone
UPDATE vehicles SET pos = '(20,2)' WHERE id = 3;
SELECT * FROM news('every_kind');
UPDATE vehicles SET pos = '(7,2)' WHERE id = 3;
SELECT * FROM news('every_kind');
-- one end inside is no crossing
UPDATE vehicles SET pos = '(12,2)' WHERE id = 3;
UPDATE vehicles SET pos = '(20,2)' WHERE id = 3;
SELECT * FROM news('every_kind');
-- moves to nowhere, and new ones
UPDATE vehicles SET pos = NULL WHERE id = 3;
INSERT INTO vehicles VALUES (4, 1, '(-5,2)'), (5, 1, '(2,2)');
SELECT * FROM news('every_kind');
-- a fence that moves over objects moves none
UPDATE zones SET area = area + point(0.5,0);
SELECT * FROM news('every_kind');
DELETE FROM vehicles WHERE id IN (4, 5);
SELECT * FROM news('every_kind');
-- no position changed
UPDATE vehicles SET note = 'y';
SELECT * FROM news('every_kind');
SELECT pairs(watch::text) FROM spqtree_watches WHERE events IN ('wat.kinds', 'wat.every_kind') ORDER BY watch::text;
SELECT spqtree_unwatch(watch) FROM spqtree_watches WHERE events IN ('wat.kinds', 'wat.every_kind') ORDER BY watch::text;

-- distances, groups, conditions
TRUNCATE vehicles, zones;
INSERT INTO zones VALUES (1, 1, '(0,0),(1,1)');
SELECT spqtree_watch('near', 'vehicles', 'pos', 'zones', 'area', distance => 2, leave_distance => 4, events => 'rules');
SELECT spqtree_watch('grouped', 'vehicles', 'pos', 'zones', 'area', 10, object_group => 'customer', fence_group => 'customer', events => 'rules');
SELECT spqtree_watch('conditional', 'vehicles', 'pos', 'zones', 'area', 10,
	object_condition => $$o.note LIKE 'a%' OR note IS NULL$$, fence_condition => 'open AND f.id < 100', events => 'rules');
SELECT watch, object_condition, fence_condition FROM spqtree_watches WHERE watch = 'conditional'::regclass;
INSERT INTO vehicles VALUES (1, 1, '(3.5,0)');
SELECT * FROM news('rules');
UPDATE vehicles SET pos = '(3,0)' WHERE id = 1;
UPDATE vehicles SET pos = '(5,0)' WHERE id = 1;
UPDATE vehicles SET pos = '(2,0)' WHERE id = 1;
SELECT * FROM news('rules');
UPDATE vehicles SET pos = '(5.5,0)' WHERE id = 1;
SELECT * FROM news('rules');
UPDATE vehicles SET customer = 2;
SELECT * FROM news('rules');
UPDATE zones SET customer = 2;
SELECT * FROM news('rules');
UPDATE vehicles SET customer = NULL;
SELECT * FROM news('rules');
UPDATE vehicles SET note = 'b';
SELECT * FROM news('rules');
UPDATE vehicles SET note = 'apple';
SELECT * FROM news('rules');
UPDATE zones SET open = NULL;
SELECT * FROM news('rules');
UPDATE zones SET open = true;
SELECT * FROM news('rules');
UPDATE zones SET id = 100;
SELECT * FROM news('rules');
SELECT spqtree_unwatch(w) FROM unnest('{near,grouped,conditional}'::regclass[]) AS w;

-- what ends by itself is a column: an update of it ends the pair, and later moves keep it so, with
-- and without an index on the fences
CREATE TABLE events (id int PRIMARY KEY, area box, until int, open boolean DEFAULT true);
CREATE TABLE events_i (LIKE events INCLUDING ALL);
CREATE INDEX ON events_i USING spqtree (area);
TRUNCATE vehicles;
INSERT INTO vehicles VALUES (1, 1, '(1,1)');
INSERT INTO events VALUES (1, '(0,0),(9,9)', 5), (2, '(0,0),(9,9)', 7);
INSERT INTO events_i SELECT * FROM events;
SELECT spqtree_watch('attends', 'vehicles', 'pos', 'events', 'area', fence_condition => 'open', events => 'visits');
SELECT spqtree_watch('attends_i', 'vehicles', 'pos', 'events_i', 'area', fence_condition => 'open', events => 'visits');
UPDATE events SET open = false WHERE open AND until < 6;
UPDATE events_i SET open = false WHERE open AND until < 6;
SELECT * FROM news('visits') ORDER BY watch COLLATE "C", kind, object, fence;
UPDATE vehicles SET pos = '(2,2)';
UPDATE vehicles SET note = 'moved';
SELECT watch, pairs(watch::text) FROM spqtree_watches WHERE events = 'wat.visits' ORDER BY watch::text;
SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) AS c WHERE events = 'wat.visits';
-- the partition of a row is known from the row
SELECT spqtree_watch('whole', 'vehicles', 'pos', 'events', 'area', fence_condition => 'f.tableoid = ''events''::regclass AND f IS NOT NULL');
DROP TABLE events, events_i;

-- a condition means what it meant when the watch was created
CREATE SCHEMA wat2;
CREATE FUNCTION wat.big(int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 >= 10';
CREATE FUNCTION wat2.big(int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 < 10';
CREATE FUNCTION wat.never(int, int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR wat.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
CREATE OPERATOR wat2.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4ne);
CREATE OPERATOR wat2.= (LEFTARG = int, RIGHTARG = int, FUNCTION = wat.never);
CREATE TYPE wat.mood AS ENUM ('good', 'bad');
TRUNCATE vehicles, zones;
INSERT INTO zones VALUES (1, 1, '(0,0),(1,1)');
SELECT spqtree_watch('meaning', 'vehicles', 'pos', 'zones', 'area',
	object_condition => $$big(id) AND id === id AND id IN (id) AND id IS NOT DISTINCT FROM id AND CASE note WHEN 'bad' THEN 'bad'::mood ELSE 'good' END = 'good'$$);
SET search_path = wat2, pg_catalog;
INSERT INTO wat.vehicles VALUES (1, 1, '(1,1)', NULL), (10, 1, '(1,1)', NULL), (11, 1, '(1,1)', 'bad');
SET search_path = wat, public;
SELECT * FROM news('meaning_events');
SET search_path = wat2, wat, public, pg_catalog;
SELECT * FROM spqtree_check_watch('meaning');
SET search_path = wat, public;
SELECT spqtree_unwatch('meaning');

-- who sees whom
CREATE TABLE players (id int PRIMARY KEY, pos point, sight circle, team text);
CREATE INDEX ON players USING spqtree (pos);
INSERT INTO players VALUES (1, '(0,0)', '<(0,0),5>', 'red'), (2, '(3,0)', '<(3,0),1>', 'blue'), (3, '(20,0)', '<(20,0),30>', 'red');
SELECT spqtree_watch('once', 'players', 'pos', distance => 4, events => 'sees');
SELECT spqtree_watch('twice', 'players', 'pos', distance => 4, both_ways => true, events => 'sees');
SELECT spqtree_watch('sighted', 'players', 'pos', 'players', 'sight', events => 'sees');
SELECT spqtree_watch('team', 'players', 'pos', distance => 100, object_group => 'team', object_condition => 'id < 5', events => 'sees');
SELECT spqtree_watch('hunters', 'players', 'pos', 'players', 'pos', distance => 100, object_condition => $$team = 'red'$$,
	fence_condition => $$team = 'blue'$$, events => 'sees');
SELECT watch, once FROM spqtree_watches WHERE events = 'wat.sees' ORDER BY watch::text;
SELECT watch, pairs(watch::text) FROM spqtree_watches WHERE events = 'wat.sees' ORDER BY watch::text;
UPDATE players SET pos = pos + point(16,0), sight = sight + point(16,0) WHERE id = 1;
SELECT * FROM news('sees') ORDER BY watch COLLATE "C", kind, object, fence;
INSERT INTO players VALUES (4, '(17,1)', '<(17,1),0>', 'red'), (5, '(17,1)', '<(17,1),1>', 'red');
SELECT * FROM news('sees') ORDER BY watch COLLATE "C", kind, object, fence;
UPDATE players SET id = 10 - id WHERE id < 5;
SELECT * FROM news('sees') ORDER BY watch COLLATE "C", kind, object, fence;
DELETE FROM players WHERE id = 9;
SELECT * FROM news('sees') ORDER BY watch COLLATE "C", kind, object, fence;
SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) AS c WHERE events = 'wat.sees';
TRUNCATE players;
SELECT watch, pairs(watch::text) FROM spqtree_watches WHERE events = 'wat.sees' ORDER BY watch::text;
DROP TABLE players;
SELECT count(*) FROM spqtree_watches WHERE events = 'wat.sees';

-- objects that are their own fences: a change of what they are only as fences
CREATE TABLE guards (id int PRIMARY KEY, pos point, sight circle, team text, prey text, awake boolean);
CREATE INDEX ON guards USING spqtree (pos);
CREATE INDEX ON guards USING spqtree (sight);
INSERT INTO guards VALUES (1, '(0,0)', '<(0,0),1>', 'red', 'none', true), (2, '(5,0)', '<(5,0),1>', 'blue', 'none', true);
SELECT spqtree_watch('spotted', 'guards', 'pos', 'guards', 'sight', events => 'alarms');
SELECT spqtree_watch('hunted', 'guards', 'pos', 'guards', 'pos', distance => 10, object_group => 'team', fence_group => 'prey', events => 'alarms');
SELECT spqtree_watch('guarded', 'guards', 'pos', 'guards', 'pos', distance => 10, fence_condition => 'awake', events => 'alarms');
UPDATE guards SET sight = '<(0,0),9>' WHERE id = 1;
SELECT * FROM news('alarms') ORDER BY watch COLLATE "C", kind, object, fence;
UPDATE guards SET prey = 'blue' WHERE id = 1;
SELECT * FROM news('alarms') ORDER BY watch COLLATE "C", kind, object, fence;
UPDATE guards SET awake = false WHERE id = 1;
SELECT * FROM news('alarms') ORDER BY watch COLLATE "C", kind, object, fence;
SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) AS c WHERE events = 'wat.alarms';
DROP TABLE guards;
DROP TABLE alarms;

-- partitions: by the parent, directly, from one to another
TRUNCATE vehicles, zones;
CREATE TABLE ships (id int, ocean int, pos point, name text, PRIMARY KEY (id, ocean)) PARTITION BY LIST (ocean);
CREATE TABLE ships_1 PARTITION OF ships FOR VALUES IN (1);
CREATE TABLE ships_2 (gone int, name text, pos point, ocean int NOT NULL, id int NOT NULL);
ALTER TABLE ships_2 DROP COLUMN gone;
ALTER TABLE ships ATTACH PARTITION ships_2 FOR VALUES IN (2);
CREATE INDEX ON ships USING spqtree (pos);
CREATE TABLE harbors (id bigint PRIMARY KEY, area box) PARTITION BY HASH (id);
CREATE TABLE harbors_0 PARTITION OF harbors FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE harbors_1 PARTITION OF harbors FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON harbors USING spqtree (area);
INSERT INTO harbors SELECT i, box(point(10 * i, 0), point(10 * i + 4, 4)) FROM generate_series(1, 5) AS i;
SELECT spqtree_watch('ashore', 'ships', 'pos', 'harbors', 'area', object_key => 'id', kinds => '{enter,leave,inside}');
SELECT tgrelid::regclass, count(*) FROM pg_trigger WHERE encode(tgargs, 'escape') LIKE '%ashore%' GROUP BY 1 ORDER BY 1::text;
INSERT INTO ships VALUES (1, 1, '(12,1)'), (2, 2, '(22,1)'), (3, 1, '(0,0)');
SELECT * FROM news('ashore_events');
INSERT INTO ships_2 (id, ocean, pos) VALUES (4, 2, '(42,1)');
UPDATE ships_1 SET pos = pos + point(10,0);
SELECT * FROM news('ashore_events');
UPDATE ships SET ocean = 3 - ocean;
SELECT * FROM news('ashore_events');
UPDATE ships SET ocean = 3 - ocean, pos = pos + point(10,0);
SELECT * FROM news('ashore_events');
-- two rows of one key are one object, which leaves with the last of them
INSERT INTO ships VALUES (2, 1, '(33,3)');
DELETE FROM ships_2 WHERE id = 2;
SELECT * FROM news('ashore_events');
DELETE FROM ships WHERE id = 2;
SELECT * FROM news('ashore_events');
UPDATE harbors_0 SET area = area + point(0,100);
UPDATE harbors_1 SET area = area + point(0,100);
SELECT * FROM news('ashore_events') ORDER BY fence;
UPDATE harbors SET area = area - point(0,100), id = id + 5;
SELECT * FROM news('ashore_events');
-- a partition that comes, and one that goes
CREATE TABLE ships_3 (LIKE ships);
INSERT INTO ships_3 VALUES (7, 3, '(12,1)');
ALTER TABLE ships ATTACH PARTITION ships_3 FOR VALUES IN (3);
SELECT * FROM spqtree_check_watch('ashore');
SELECT spqtree_refresh_watch('ashore');
INSERT INTO ships_3 VALUES (8, 3, '(22,1)');
SELECT * FROM news('ashore_events');
ALTER TABLE ships DETACH PARTITION ships_3;
INSERT INTO ships_3 VALUES (9, 3, '(22,1)');
SELECT * FROM spqtree_check_watch('ashore') ORDER BY object;
SELECT spqtree_refresh_watch('ashore');
SELECT * FROM news('ashore_events');
TRUNCATE ships_1;
SELECT * FROM news('ashore_events');
-- of two rows of one key, the one in the harbor
INSERT INTO ships VALUES (20, 1, '(12,1)'), (20, 2, '(0,1)');
TRUNCATE ships_1;
SELECT * FROM news('ashore_events');
TRUNCATE ships;
SELECT * FROM news('ashore_events');
DROP TABLE ships, ships_3;
SELECT to_regclass('ashore'), (SELECT count(*) FROM pg_trigger WHERE encode(tgargs, 'escape') LIKE '%ashore%');

-- tables that inherit
CREATE TABLE things (id int PRIMARY KEY, pos point);
CREATE TABLE planes (height int, PRIMARY KEY (id)) INHERITS (things);
SELECT spqtree_watch('flown', 'things', 'pos', 'harbors', 'area');
INSERT INTO things VALUES (1, '(50,0)');
INSERT INTO planes VALUES (2, '(50,0)', 1000);
UPDATE things SET pos = '(40,0)';
SELECT * FROM news('flown_events');
UPDATE ONLY things SET pos = '(0,0)';
UPDATE planes SET height = 0;
DELETE FROM planes;
SELECT * FROM news('flown_events');
DROP TABLE things, planes, harbors;

-- domains, generated and dropped columns, large polygons, other types
CREATE DOMAIN place AS point;
CREATE DOMAIN number AS int CHECK (VALUE > 0);
CREATE TABLE odd (gone int, id number PRIMARY KEY, x float8, y float8, pos place, at point GENERATED ALWAYS AS (point(x, y)) STORED,
	p3 point3 GENERATED ALWAYS AS (point3(x, y, 0)) STORED);
CREATE TABLE areas (id uuid PRIMARY KEY, gone text, shape polygon, code text COLLATE "C" UNIQUE, ball sphere3, round circle);
ALTER TABLE odd DROP COLUMN gone;
ALTER TABLE areas DROP COLUMN gone;
SELECT spqtree_watch('odd_1', 'odd', 'pos', 'areas', 'round');
SELECT spqtree_watch('odd_2', 'odd', 'at', 'areas', 'shape', fence_key => 'code', kinds => '{enter,leave,inside,outside,cross}');
SELECT spqtree_watch('odd_3', 'odd', 'p3', 'areas', 'ball', distance => 1, kinds => '{enter,leave,inside,outside,cross}');
\d odd_2
INSERT INTO areas SELECT '00000000-0000-0000-0000-000000000001', polygon(2000, circle '<(0,0),5>'), 'b', '<(0,0,0),5>', '<(0,0),5>';
INSERT INTO areas SELECT '00000000-0000-0000-0000-000000000002', polygon(3000, circle '<(20,0),5>'), NULL, '<(20,0,0),5>', '<(20,0),5>';
INSERT INTO odd VALUES (1, 1, 1, '(1,1)'), (2, 20, 0, '(20,0)');
SELECT * FROM news('odd_1_events');
SELECT * FROM news('odd_2_events');
SELECT * FROM news('odd_3_events');
UPDATE areas SET code = 'B' || coalesce(code, '');
SELECT * FROM news('odd_2_events');
UPDATE odd SET x = x + 7, y = 7, pos = '(7,7)';
SELECT * FROM news('odd_1_events');
SELECT * FROM news('odd_2_events');
SELECT * FROM news('odd_3_events');
UPDATE odd SET x = -x, y = -y;
SELECT * FROM news('odd_2_events');
SELECT * FROM news('odd_3_events');
UPDATE areas SET shape = polygon(4000, circle(shape));
UPDATE areas SET shape = polygon(4000, circle '<(-8,-7),1>') WHERE code = 'B';
SELECT * FROM news('odd_2_events');
SELECT watch, c.* FROM spqtree_watches, LATERAL spqtree_check_watch(watch) AS c WHERE watch::text LIKE 'odd%';
DROP TABLE odd, areas;
DROP DOMAIN place, number;

-- types whose name alone is one of length 1
CREATE TABLE plates (code char(8) PRIMARY KEY, pos point);
CREATE TABLE masks (bits bit(4) PRIMARY KEY, area box);
INSERT INTO masks VALUES (B'1010', '(0,0),(4,4)'), (B'1011', '(0,0),(1,1)');
SELECT spqtree_watch('plated', 'plates', 'pos', 'masks', 'area', kinds => '{enter,leave,inside,outside,cross}');
INSERT INTO plates VALUES ('AB 1', '(1,1)'), ('AB 2', '(3,3)');
UPDATE plates SET pos = pos + point(-1.5,0);
SELECT * FROM news('plated_events');
SELECT * FROM spqtree_check_watch('plated');
DROP TABLE plates, masks;

-- what a session has set does not change numbers and dates
CREATE TABLE dated (id int PRIMARY KEY, pos point, day date);
SET extra_float_digits = -15;
SET datestyle = 'SQL, DMY';
SELECT spqtree_watch('late', 'dated', 'pos', distance => 123.456, leave_distance => 234.567, object_condition => $$day >= '02/01/2020'$$);
INSERT INTO dated VALUES (1, '(0,0)', '02/01/2020'), (2, '(110,0)', '03/01/2020'), (3, '(0,123.4)', '04/01/2020'), (4, '(0,1)', '01/12/2019');
RESET datestyle;
RESET extra_float_digits;
SELECT object_condition, distance, leave_distance FROM spqtree_watches WHERE watch = 'late'::regclass;
SELECT * FROM news('late_events');
SELECT * FROM spqtree_check_watch('late');
DROP TABLE dated;

-- a unique index that compares in another way than the column
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE cases (name text COLLATE no_case, pos point);
CREATE UNIQUE INDEX ON cases (name COLLATE "C");
CREATE TABLE homes (id int PRIMARY KEY, area box);
INSERT INTO homes VALUES (1, '(0,0),(4,4)');
SELECT spqtree_watch('cased', 'cases', 'pos', 'homes', 'area', object_key => 'name');
INSERT INTO cases VALUES ('a', '(1,1)'), ('A', '(2,2)');
DELETE FROM cases WHERE name COLLATE "C" = 'A';
SELECT * FROM news('cased_events');
SELECT * FROM spqtree_check_watch('cased');
DROP TABLE cases, homes;

-- keys that are text, also long
CREATE TABLE people (name text PRIMARY KEY, pos point);
CREATE TABLE rooms (name varchar(10) PRIMARY KEY, area box);
SELECT spqtree_watch('in_room', 'people', 'pos', 'rooms', 'area');
INSERT INTO rooms VALUES ('hall', '(0,0),(5,5)'), ('a''b"c\d', '(3,3),(9,9)');
INSERT INTO people VALUES ('Eve', '(1,1)'), ('', '(4,4)'), (repeat('long', 600), '(8,8)');
SELECT kind, length(object), fence FROM news('in_room_events');
UPDATE people SET name = lower(name) WHERE name = 'Eve';
SELECT kind, object, fence FROM news('in_room_events');
DROP TABLE people, rooms;

-- names that need quotes; conditions and keys with quotes in them
CREATE SCHEMA "Wat ""Q""";
CREATE TABLE "Wat ""Q"""."My Objects" ("The Id" int PRIMARY KEY, "Po's" point, "group" int, "select" text);
CREATE TABLE "Wat ""Q"""."Zones, big" ("The Id" int PRIMARY KEY, "Its area" box, "group" int);
SELECT spqtree_watch('"Wat ""Q"""."In, ""zone"""', '"Wat ""Q"""."My Objects"', 'Po''s', '"Wat ""Q"""."Zones, big"', 'Its area',
	object_group => 'group', fence_group => 'group', object_condition => $$"select" <> 'it''s \'$$, notify => 'Ch''an "x"', kinds => '{enter,leave,inside,outside,cross}');
INSERT INTO "Wat ""Q"""."Zones, big" VALUES (1, '(0,0),(5,5)', 1);
INSERT INTO "Wat ""Q"""."My Objects" VALUES (1, '(1,1)', 1, 'x'), (2, '(1,1)', 1, 'it''s \'), (3, '(2,2)', 2, 'x');
SELECT * FROM news('"Wat ""Q"""."In, ""zone""_events"');
SELECT watch, objects, events, notify FROM spqtree_watches WHERE watch::text LIKE '%Wat%';
SELECT tgname FROM pg_trigger WHERE tgrelid = '"Wat ""Q"""."My Objects"'::regclass ORDER BY 1;
SELECT spqtree_refresh_watch('"Wat ""Q"""."In, ""zone"""');
SELECT spqtree_unwatch('"Wat ""Q"""."In, ""zone"""');
DROP SCHEMA "Wat ""Q""" CASCADE;

-- watches whose names are long, or the same but for the schema
SELECT spqtree_watch(repeat('l', 63), 'vehicles', 'pos', 'zones', 'area');
SELECT spqtree_watch('wat2.same', 'vehicles', 'pos', 'zones', 'area', events => 'wat.log');
SELECT spqtree_watch('wat.same', 'vehicles', 'pos', 'zones', 'area', events => 'wat.log');
INSERT INTO zones VALUES (1, 1, '(0,0),(1,1)');
INSERT INTO vehicles VALUES (1, 1, '(0,0)');
SELECT * FROM news('wat.log') ORDER BY watch;
SELECT kind FROM news(repeat('l', 56) || '_events');
SELECT count(*), count(DISTINCT tgname) FROM pg_trigger WHERE tgrelid = 'vehicles'::regclass AND NOT tgisinternal;
SELECT spqtree_unwatch('wat2.same');
SELECT kind, object, fence FROM wat.same, LATERAL (SELECT 'held') AS t(kind);
DROP TABLE wat.same, wat.log;

-- a log whose keys are text takes any
TRUNCATE vehicles, zones;
CREATE TABLE log (id bigint GENERATED BY DEFAULT AS IDENTITY, watch text, kind text, object text, fence text, at timestamptz, statement bigint,
	who text DEFAULT 'me');
SELECT spqtree_watch('to_log', 'vehicles', 'pos', 'zones', 'area', events => 'log', kinds => '{enter,leave,inside,outside,cross}');
INSERT INTO zones VALUES (1, 1, '(0,0),(1,1)');
INSERT INTO vehicles VALUES (1, 1, '(0,0)'), (2, 1, '(9,9)');
SELECT kind, object, fence, who FROM log;
DROP TABLE log CASCADE;
SELECT spqtree_unwatch('to_log');

-- temporary tables
CREATE TEMP TABLE t_objects (id int PRIMARY KEY, pos point) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE t_fences (id int PRIMARY KEY, area box);
SELECT spqtree_watch('t_pairs', 't_objects', 'pos', 't_fences', 'area', events => 'pg_temp.t_log');
SELECT relpersistence FROM pg_class WHERE relname IN ('t_pairs', 't_log');
INSERT INTO t_fences VALUES (1, '(0,0),(1,1)');
BEGIN;
INSERT INTO t_objects VALUES (1, '(0,0)');
SELECT kind, object, fence FROM t_log;
COMMIT;
SELECT object, problem FROM spqtree_check_watch('t_pairs');
DROP TABLE t_fences, t_log;
SELECT to_regclass('t_pairs');

-- what a view needs is not dropped silently
SELECT spqtree_watch('seen_by_view', 'vehicles', 'pos', 'zones', 'area');
CREATE VIEW in_which AS SELECT * FROM seen_by_view;
DROP TABLE zones;
DROP VIEW in_which;
DROP TABLE zones;
UPDATE vehicles SET pos = '(3,3)';
SELECT count(*) FROM spqtree_watches WHERE objects LIKE 'wat.%';

SET client_min_messages = error;
DROP SCHEMA wat, wat2 CASCADE;
