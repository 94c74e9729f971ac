--
-- The objects of the extension in the catalogs, with all their properties.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS spqtree;
CREATE EXTENSION postgis;
CREATE EXTENSION spqtree_postgis;
\getenv abs_srcdir PG_ABS_SRCDIR
\set ECHO none
\i :abs_srcdir/../../test/definitions.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(': ', object, definition, comment) FROM definition WHERE extname = 'spqtree_postgis' ORDER BY object, definition;
\pset format aligned
\pset tuples_only off
-- The functions of users, of spqtree as well, are those of the reference.
\set reference `cat "$PG_ABS_SRCDIR/../../docs/reference.md"`
CREATE TABLE in_reference AS SELECT DISTINCT (regexp_matches(:'reference', '`(spqtree_\w+)\(', 'g'))[1] AS name;
CREATE TABLE for_users AS SELECT proname AS name FROM pg_proc WHERE proname LIKE 'spqtree\_%';
TABLE for_users EXCEPT TABLE in_reference;
TABLE in_reference EXCEPT TABLE for_users;
SELECT count(*) < 100 AS "few enough to look through" FROM for_users;
DROP TABLE in_reference, for_users;
-- The body of each function of SQL was parsed when it was created, so no search path of a caller changes what it
-- calls; none runs with the rights of its owner.
SELECT p.oid::regprocedure AS function, lanname, prosecdef, proconfig
FROM pg_proc p JOIN pg_language l ON l.oid = prolang JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
     JOIN pg_extension e ON e.oid = refobjid
WHERE extname LIKE 'spqtree%' AND (lanname NOT IN ('c', 'internal') AND prosqlbody IS NULL OR prosecdef OR proconfig IS NOT NULL);
DROP VIEW definition;
DROP EXTENSION spqtree_postgis;
DROP EXTENSION postgis;
