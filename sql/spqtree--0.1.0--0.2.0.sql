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
