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
IS 'size, shape and waste of an index of class spqtree_box_ops';

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
IS 'the tree of an index of class spqtree_box_ops: one row for each inner tuple and each leaf chain';

CREATE FUNCTION spqtree_explain(
	index regclass, query box, operator text DEFAULT '&&',
	OUT inner_tuples bigint, OUT leaf_chains bigint, OUT chains_without_match bigint,
	OUT leaf_tuples bigint, OUT oversize_tuples bigint, OUT pages bigint,
	OUT rows bigint, OUT hit_rate float8)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_explain';

COMMENT ON FUNCTION spqtree_explain(regclass, box, text)
IS 'what a scan of an index of class spqtree_box_ops for a box visits, and how many rows it finds';
