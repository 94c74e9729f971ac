--
-- The extension and its operator class
--

-- Trusted: whoever may create things in the database may create it.  Its objects
-- belong to the superuser, the extension to the user; and they go with it.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_spqtree_user;
RESET client_min_messages;
CREATE ROLE regress_spqtree_user;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_spqtree_user', current_database()); END $$;
GRANT CREATE ON SCHEMA public TO regress_spqtree_user;
SET ROLE regress_spqtree_user;
SET client_min_messages = warning;  -- no NOTICE with the name of the database
CREATE EXTENSION spqtree;
RESET client_min_messages;
SELECT extname, extowner::regrole, extrelocatable FROM pg_extension WHERE extname = 'spqtree';
SELECT bool_and(pg_get_userbyid(proowner) <> 'regress_spqtree_user') AS "functions of a superuser"
FROM pg_proc WHERE probin LIKE '%spqtree%';
CREATE TABLE used (b box);
CREATE INDEX used_b ON used USING spgist (b spqtree_box_ops);
INSERT INTO used VALUES ('((0,0),(1,1))');
DROP EXTENSION spqtree;             -- in use
DROP EXTENSION spqtree CASCADE;     -- takes the index along, not the table
SELECT count(*) FROM used;
DROP TABLE used;
RESET ROLE;
SELECT count(*) AS leftovers FROM pg_proc WHERE probin LIKE '%spqtree%';
REVOKE ALL ON SCHEMA public FROM regress_spqtree_user;
DO $$ BEGIN EXECUTE format('REVOKE ALL ON DATABASE %I FROM regress_spqtree_user', current_database()); END $$;
-- Not for those who may not.
SET ROLE regress_spqtree_user;
\set VERBOSITY terse
CREATE EXTENSION spqtree;
\set VERBOSITY default
RESET ROLE;
DROP ROLE regress_spqtree_user;

-- In any schema, and it can be moved.
CREATE SCHEMA spq;
CREATE EXTENSION spqtree SCHEMA spq;
CREATE TABLE used (b box);
CREATE INDEX used_b ON used USING spgist (b spq.spqtree_box_ops);
ALTER EXTENSION spqtree SET SCHEMA public;
INSERT INTO used SELECT box(point(i, i), point(i + 1, i + 1)) FROM generate_series(1, 1000) i;
SELECT pg_get_indexdef('used_b'::regclass);
SET enable_seqscan = off;
SELECT b FROM used WHERE b @> point '(500,500)' ORDER BY b <-> point '(0,0)';
RESET enable_seqscan;
DROP TABLE used;
DROP EXTENSION spqtree;
DROP SCHEMA spq;

-- From here on the extension is there.
CREATE EXTENSION spqtree;

-- Index-only scans are possible, and so is nearest-neighbor order.
CREATE TABLE used (b box, id int);
CREATE INDEX used_b ON used USING spgist (b spqtree_box_ops) INCLUDE (id);
SELECT prop, pg_index_column_has_property('used_b', 1, prop) AS key,
       pg_index_column_has_property('used_b', 2, prop) AS included
FROM unnest('{returnable,distance_orderable,search_nulls,search_array,orderable}'::text[]) prop;
DROP TABLE used;
