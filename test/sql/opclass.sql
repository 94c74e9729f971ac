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
CREATE EXTENSION spqtree;
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

-- Check whether any of our opclasses fail amvalidate
SELECT amname, opcname
FROM pg_opclass opc LEFT JOIN pg_am am ON am.oid = opcmethod
WHERE opc.oid >= 16384 AND NOT amvalidate(opc.oid);

-- What belongs to the extension (as \dx+ has it, in an order that hangs on no
-- collation), and that each object but the class's own parts has a comment.
SELECT pg_describe_object(classid, objid, 0) COLLATE "C" AS object,
       obj_description(objid, classid::regclass::name) IS NOT NULL AS comment
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'spqtree')
ORDER BY 1;
SELECT obj_description(oid, 'pg_extension') IS NOT NULL AS comment FROM pg_extension WHERE extname = 'spqtree';

-- The operator class: a class beside the default one, which stores boxes as they
-- are; its operators, in the words of \dAo.
SELECT opcname, opcintype::regtype, opckeytype::regtype, opcdefault
FROM pg_opclass WHERE opcname = 'spqtree_box_ops';
SELECT amopstrategy, amopopr::regoperator,
       CASE amoppurpose WHEN 's' THEN 'search' ELSE 'ordering' END AS purpose,
       (SELECT opfname FROM pg_opfamily WHERE oid = amopsortfamily) AS sort
FROM pg_amop WHERE amopfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_ops')
ORDER BY 1;
SELECT amprocnum, amproc::regprocedure
FROM pg_amproc WHERE amprocfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_ops')
ORDER BY 1;
-- Every operator that searches is of core, and it has the restriction estimator
-- that makes the planner think of an index.
SELECT count(*) FROM pg_amop JOIN pg_operator o ON o.oid = amopopr
WHERE amopfamily = (SELECT oid FROM pg_opfamily WHERE opfname = 'spqtree_box_ops')
  AND o.oid < 16384 AND (oprrest <> 0 OR amoppurpose = 'o');
-- Index-only scans are possible, and so is nearest-neighbour order.
CREATE TABLE used (b box, id int);
CREATE INDEX used_b ON used USING spgist (b spqtree_box_ops) INCLUDE (id);
SELECT prop, pg_index_column_has_property('used_b', 1, prop) AS key,
       pg_index_column_has_property('used_b', 2, prop) AS included
FROM unnest('{returnable,distance_orderable,search_nulls,search_array,orderable}'::text[]) prop;
DROP TABLE used;
