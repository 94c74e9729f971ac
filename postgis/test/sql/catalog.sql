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
DROP VIEW definition;
DROP EXTENSION spqtree_postgis;
DROP EXTENSION postgis;
