\echo Use "ALTER EXTENSION spqtree UPDATE" to load this file. \quit

--
-- Checking an index.  The function shows boxes of any table, so that, as with
-- those of amcheck, nobody may call it until a superuser grants EXECUTE.
--

CREATE FUNCTION spqtree_check(
	index regclass, heapallindexed boolean DEFAULT false,
	OUT block bigint, OUT item integer, OUT problem text)
RETURNS SETOF record
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10000 ROWS 10
AS 'MODULE_PATHNAME', 'spq_check';

REVOKE ALL ON FUNCTION spqtree_check(regclass, boolean) FROM PUBLIC;

COMMENT ON FUNCTION spqtree_check(regclass, boolean)
IS 'what is wrong with an index of class spqtree_box_ops; no rows if it is sound';

--
-- The compact operator class: leaves of 16 bytes, four float4 rounded outward,
-- instead of 32.  It returns no boxes, hence has no index-only scans.
--

CREATE TYPE spqtree_compact_box;

CREATE FUNCTION spqtree_compact_box_in(cstring)
RETURNS spqtree_compact_box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_compact_box_in';

CREATE FUNCTION spqtree_compact_box_out(spqtree_compact_box)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_compact_box_out';

CREATE TYPE spqtree_compact_box (
	INPUT = spqtree_compact_box_in,
	OUTPUT = spqtree_compact_box_out,
	INTERNALLENGTH = 16,
	ALIGNMENT = int4);

COMMENT ON TYPE spqtree_compact_box
IS 'what spqtree_box_compact_ops stores of a box: four float4, rounded outward';
COMMENT ON FUNCTION spqtree_compact_box_in(cstring)
IS 'input of spqtree_compact_box: that of a box';
COMMENT ON FUNCTION spqtree_compact_box_out(spqtree_compact_box)
IS 'output of spqtree_compact_box: that of a box';

CREATE FUNCTION spqtree_box_compact_config(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_config';

CREATE FUNCTION spqtree_box_compact_choose(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_choose';

CREATE FUNCTION spqtree_box_compact_picksplit(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_picksplit';

CREATE FUNCTION spqtree_box_compact_leaf_consistent(internal, internal)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_leaf_consistent';

CREATE FUNCTION spqtree_box_compact_compress(box)
RETURNS spqtree_compact_box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_compress';

COMMENT ON FUNCTION spqtree_box_compact_config(internal, internal)
IS 'SP-GiST config method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_choose(internal, internal)
IS 'SP-GiST choose method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_picksplit(internal, internal)
IS 'SP-GiST picksplit method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_leaf_consistent(internal, internal)
IS 'SP-GiST leaf_consistent method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_compress(box)
IS 'SP-GiST compress method of spqtree_box_compact_ops';

CREATE OPERATOR FAMILY spqtree_box_compact_ops USING spgist;

COMMENT ON OPERATOR FAMILY spqtree_box_compact_ops USING spgist
IS 'compact quadtree of boxes';

CREATE OPERATOR CLASS spqtree_box_compact_ops
FOR TYPE box USING spgist FAMILY spqtree_box_compact_ops AS
	OPERATOR 1	pg_catalog.<< (box, box),
	OPERATOR 2	pg_catalog.&< (box, box),
	OPERATOR 3	pg_catalog.&& (box, box),
	OPERATOR 4	pg_catalog.&> (box, box),
	OPERATOR 5	pg_catalog.>> (box, box),
	OPERATOR 6	pg_catalog.~= (box, box),
	OPERATOR 7	pg_catalog.@> (box, box),
	OPERATOR 8	pg_catalog.<@ (box, box),
	OPERATOR 9	pg_catalog.&<| (box, box),
	OPERATOR 10	pg_catalog.<<| (box, box),
	OPERATOR 11	pg_catalog.|>> (box, box),
	OPERATOR 12	pg_catalog.|&> (box, box),
	OPERATOR 15	pg_catalog.<-> (box, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> (box, point),
	OPERATOR 17	pg_catalog.<-> (box, box)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_box_compact_config(internal, internal),
	FUNCTION 2	spqtree_box_compact_choose(internal, internal),
	FUNCTION 3	spqtree_box_compact_picksplit(internal, internal),
	FUNCTION 4	spqtree_box_inner_consistent(internal, internal),
	FUNCTION 5	spqtree_box_compact_leaf_consistent(internal, internal),
	FUNCTION 6	spqtree_box_compact_compress(box),
	STORAGE spqtree_compact_box;

COMMENT ON OPERATOR CLASS spqtree_box_compact_ops USING spgist
IS 'compact quadtree of boxes: half-size leaves, exact for every box, no index-only scans';
