-- Only the descriptor that a default operator class returns counts (src/types/type.h), not a
-- function with a name, whatever extension it belongs to.
CREATE SCHEMA fbounds;
CREATE FUNCTION fbounds.spqtree_bounds(lseg3) RETURNS box3 AS 'spqtree', 'spq_box3_of_lseg3'
	LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION fbounds.spqtree_lseg3_ends(lseg3, internal) RETURNS void AS 'spqtree', 'spq_rtree_extension_ends'
	LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR CLASS fbounds.lseg3_boxes FOR TYPE lseg3 USING spqtree AS STORAGE box3,
	FUNCTION 1 fbounds.spqtree_lseg3_ends(lseg3, internal), FUNCTION 2 _spqtree_bounds_condition(internal, internal);
CREATE TABLE fbounds.ways AS SELECT lseg3(point3(i, 0, 0), point3(i + 1, 1, 1)) AS way FROM generate_series(1, 100) i;
-- PostgreSQL 17 and later build an index with this path, and messages name types by it
SET search_path = pg_catalog, pg_temp;
\set try 'CREATE INDEX ON fbounds.ways USING spqtree (way fbounds.lseg3_boxes); SELECT count(*) FROM public.spqtree_part_list(public.spqtree_partition(''SELECT way FROM fbounds.ways'', 4));'
:try
-- of the type's own extension
ALTER EXTENSION spqtree ADD FUNCTION fbounds.spqtree_bounds(public.lseg3);
:try
ALTER EXTENSION spqtree DROP FUNCTION fbounds.spqtree_bounds(public.lseg3);
SET client_min_messages = warning;
DROP SCHEMA fbounds CASCADE;
