--
-- A statement reads the pairs of its own rows, however many the table of pairs has, and however
-- few it had when the session planned the queries of the watch.
--
SET client_min_messages = warning;
CREATE SCHEMA watch_plans;
SET search_path = watch_plans, public;

-- The rows and index entries of tables that a statement reads.
CREATE FUNCTION reads(statement text, VARIADIC tables regclass[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	counted text := 'SELECT sum(pg_stat_get_xact_tuples_returned(c)) FROM (SELECT unnest($1)::oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1)) AS t(c)';
	before bigint;
	after bigint;
BEGIN
	EXECUTE counted INTO before USING tables;
	EXECUTE statement;
	EXECUTE counted INTO after USING tables;
	RETURN CASE WHEN after - before < 200 THEN 'few' ELSE (after - before)::text END;
END $$;

-- The tables are empty when they are analyzed, small, and then large.
CREATE TABLE cars (id int PRIMARY KEY, pos point) WITH (autovacuum_enabled = off);
CREATE TABLE yards (id int PRIMARY KEY, area box) WITH (autovacuum_enabled = off);
CREATE INDEX ON cars USING spqtree (pos);
CREATE INDEX ON yards USING spqtree (area);
ANALYZE;
SELECT spqtree_watch('plain', 'cars', 'pos', 'yards', 'area');
SELECT spqtree_watch('stay', 'cars', 'pos', 'yards', 'area', dwell => '1 hour');
ALTER TABLE plain SET (autovacuum_enabled = off);
ALTER TABLE stay SET (autovacuum_enabled = off);
INSERT INTO yards SELECT i, box(point(i, 0), point(i + 0.9, 1)) FROM generate_series(5, 6) AS i;
INSERT INTO cars VALUES (1, '(5.5,0.5)');
UPDATE cars SET pos = '(6.5,0.5)';
UPDATE yards SET area = area + point(0, 0.1) WHERE id = 6;
SELECT spqtree_settle_watch('stay');
INSERT INTO yards SELECT i, box(point(i, 0), point(i + 0.9, 1)) FROM generate_series(7, 2000) AS i;
INSERT INTO cars SELECT i, point(0.5 + i % 2000, 0.5) FROM generate_series(2, 20000) AS i;
SELECT count(*) FROM plain;

CREATE VIEW statements AS
SELECT w AS watch, reads(s, w, 'cars', 'yards')
FROM unnest(ARRAY['plain', 'stay']) AS w, unnest(ARRAY[
	'UPDATE cars SET pos = ''(7.5,0.5)'' WHERE id = 1',
	'UPDATE cars SET pos = pos + point(1, 0) WHERE id BETWEEN 10 AND 13',
	'UPDATE cars SET pos = pos WHERE id = 1',
	'UPDATE yards SET area = area + point(0, 0.1) WHERE id = 9',
	'DELETE FROM cars WHERE id = 20',
	'INSERT INTO cars VALUES (20, ''(9.5,0.5)'')']) AS s;
BEGIN;
SELECT count(reads) FROM statements;
SELECT * FROM statements;
ROLLBACK;

-- the timer reads the pairs that are due
UPDATE stay SET waiting = waiting - interval '2 hours' WHERE object BETWEEN 100 AND 109;
SELECT reads('SELECT spqtree_settle_watch(''stay'')', 'stay');
SELECT count(*) FROM stay_events;

-- plans made while the statistics say that there is nothing, or little that waits
ANALYZE;
BEGIN;
SELECT count(reads) FROM statements;
SELECT * FROM statements;
ROLLBACK;
SELECT * FROM spqtree_check_watch('plain');
SELECT * FROM spqtree_check_watch('stay');

-- the watched tables grow, and the table of pairs does not
CREATE TABLE boats (id int PRIMARY KEY, pos point) WITH (autovacuum_enabled = off);
CREATE TABLE ports (id int PRIMARY KEY, area box) WITH (autovacuum_enabled = off);
CREATE INDEX ON boats USING spqtree (pos);
CREATE INDEX ON ports USING spqtree (area);
ANALYZE boats, ports;
SELECT spqtree_watch('apart', 'boats', 'pos', 'ports', 'area');
INSERT INTO ports VALUES (1, '(9,9),(0,0)');
INSERT INTO boats VALUES (1, '(5,5)');
UPDATE boats SET pos = '(20,20)';
UPDATE ports SET area = '(22,22),(19,19)';
INSERT INTO ports SELECT i, box(point(i * 10, 0), point(i * 10 + 1, 1)) FROM generate_series(10, 20000) AS i;
INSERT INTO boats SELECT i, point(i * 10, 5) FROM generate_series(10, 20000) AS i;
CREATE VIEW apart_statements AS
SELECT reads(s, 'apart', 'boats', 'ports')
FROM unnest(ARRAY[
	'UPDATE boats SET pos = pos - point(0, 4) WHERE id = 15',
	'UPDATE ports SET area = area + point(0, 4) WHERE id = 17',
	'DELETE FROM ports WHERE id = 18',
	'INSERT INTO ports VALUES (18, ''(181,6),(180,0)'')']) AS s;
BEGIN;
SELECT count(reads) FROM apart_statements;
SELECT * FROM apart_statements;
ROLLBACK;

-- plans are made again within a trigger on the events, while others are in use
CREATE FUNCTION follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.object = 1 THEN
		INSERT INTO watch_plans.cars SELECT i, point(0.5 + i % 2000, 0.5) FROM generate_series(30001, 90000) AS i;
		UPDATE watch_plans.cars SET pos = '(0,-5)' WHERE id = 30001;
	END IF;
	RETURN new;
END $$;
CREATE TRIGGER follow AFTER INSERT ON plain_events FOR EACH ROW WHEN (new.object = 1 AND new.kind = 'enter') EXECUTE FUNCTION follow();
UPDATE cars SET pos = '(11.5,0.5)' WHERE id = 1;
UPDATE cars SET pos = '(0,-5)' WHERE id = 30002;
SELECT count(*) FROM plain WHERE object > 30000;
SELECT * FROM spqtree_check_watch('plain');
SELECT * FROM spqtree_check_watch('stay');

SET client_min_messages = error;
DROP SCHEMA watch_plans CASCADE;
