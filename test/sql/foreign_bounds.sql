-- A function spqtree_bounds counts if it is of the type's extension, or of one that
-- requires this.  The name alone is nobody's.  The type is not one that spqtree
-- knows by its input function, which nothing calls here; its values are those of lseg3.
CREATE SCHEMA fbounds;
SET client_min_messages = warning;
CREATE TYPE fbounds.way;
CREATE FUNCTION fbounds.way_in(cstring) RETURNS fbounds.way AS 'lseg_in' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION fbounds.way_out(fbounds.way) RETURNS cstring AS 'lseg_out' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE fbounds.way (INPUT = fbounds.way_in, OUTPUT = fbounds.way_out, LIKE = lseg3);
CREATE CAST (lseg3 AS fbounds.way) WITHOUT FUNCTION;
ALTER EXTENSION spqtree ADD TYPE fbounds.way;
RESET client_min_messages;
CREATE FUNCTION fbounds.spqtree_bounds(fbounds.way) RETURNS box3 AS 'spqtree', 'spq_box3_of_lseg3'
	LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION fbounds.way_ends(fbounds.way, internal) RETURNS void AS 'spqtree', 'spq_rtree_extension_ends'
	LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR CLASS fbounds.way_boxes FOR TYPE fbounds.way USING spqtree AS STORAGE box3,
	FUNCTION 1 fbounds.way_ends(fbounds.way, internal), FUNCTION 2 _spqtree_bounds_condition(internal, internal);
CREATE TABLE fbounds.ways AS SELECT lseg3(point3(i, 0, 0), point3(i + 1, 1, 1))::fbounds.way AS way FROM generate_series(1, 100) i;
-- PostgreSQL 17 and later build an index with this path, and messages name types by it
SET search_path = pg_catalog, pg_temp;
\set try 'CREATE INDEX ON fbounds.ways USING spqtree (way fbounds.way_boxes); SELECT count(*) FROM public.spqtree_part_list(public.spqtree_partition(''SELECT way FROM fbounds.ways'', 4));'
:try
-- of an extension that has nothing to do with it
ALTER EXTENSION plpgsql ADD FUNCTION fbounds.spqtree_bounds(fbounds.way);
:try
ALTER EXTENSION plpgsql DROP FUNCTION fbounds.spqtree_bounds(fbounds.way);
-- of the type's own, in a transaction that fails
BEGIN;
ALTER EXTENSION spqtree ADD FUNCTION fbounds.spqtree_bounds(fbounds.way);
:try
ROLLBACK;
:try
-- of the type's own
ALTER EXTENSION spqtree ADD FUNCTION fbounds.spqtree_bounds(fbounds.way);
:try
ALTER EXTENSION spqtree DROP FUNCTION fbounds.spqtree_bounds(fbounds.way);
ALTER EXTENSION spqtree DROP TYPE fbounds.way;
SET client_min_messages = warning;
DROP SCHEMA fbounds CASCADE;
