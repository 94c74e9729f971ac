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
-- Looking into an index.  Everybody may call these; they themselves see to it that
-- the caller may read the table.  They read pages as they are now, whatever the
-- snapshot: volatile.  Of a temporary table only the leader can read them.
--

CREATE FUNCTION spqtree_stats(
	index regclass,
	OUT tuples bigint, OUT null_tuples bigint, OUT oversize_tuples bigint,
	OUT inner_tuples bigint, OUT all_the_same bigint, OUT markers bigint,
	OUT leaf_chains bigint, OUT average_chain float8, OUT longest_chain bigint,
	OUT average_depth float8, OUT max_depth integer,
	OUT pages bigint, OUT inner_pages bigint, OUT leaf_pages bigint,
	OUT empty_pages bigint,
	OUT bytes bigint, OUT used_bytes bigint, OUT dead_bytes bigint,
	OUT free_bytes bigint,
	OUT dead_tuples bigint, OUT redirects bigint, OUT placeholders bigint)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_stats';

COMMENT ON FUNCTION spqtree_stats(regclass)
IS 'size, shape and waste of a quadtree index';

CREATE FUNCTION spqtree_nodes(
	index regclass,
	OUT level integer, OUT kind text, OUT cell box, OUT size_bound float8,
	OUT bounds box, OUT tuples bigint, OUT nodes integer, OUT markers integer,
	OUT block bigint, OUT item integer,
	OUT parent_block bigint, OUT parent_item integer, OUT parent_node integer,
	OUT oversize boolean, OUT all_the_same boolean, OUT null_keys boolean)
RETURNS SETOF record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000 ROWS 10000
AS 'MODULE_PATHNAME', 'spq_nodes';

COMMENT ON FUNCTION spqtree_nodes(regclass)
IS 'the tree of a quadtree index: one row for each inner tuple and each leaf chain';

CREATE FUNCTION spqtree_explain(
	index regclass, query box, operator text DEFAULT '&&',
	OUT inner_tuples bigint, OUT leaf_chains bigint, OUT chains_without_match bigint,
	OUT leaf_tuples bigint, OUT oversize_tuples bigint, OUT pages bigint,
	OUT rows bigint, OUT rechecked bigint, OUT hit_rate float8)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_explain';

COMMENT ON FUNCTION spqtree_explain(regclass, box, text)
IS 'what a scan of a quadtree index for a box visits, and how many rows it finds';

CREATE FUNCTION spqtree_svg(
	index regclass, width integer DEFAULT 800, max_level integer DEFAULT NULL,
	show_boxes boolean DEFAULT false, query box DEFAULT NULL)
RETURNS text
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_svg';

COMMENT ON FUNCTION spqtree_svg(regclass, integer, integer, boolean, box)
IS 'picture, in SVG, of the quadtree of an index of class spqtree_box_ops';

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
