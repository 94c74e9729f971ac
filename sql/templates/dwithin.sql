-- spqtree_dwithin of two types.
CREATE FUNCTION spqtree_dwithin({left}, {right}, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
{leakproof}
COST {cost}
SUPPORT _spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_{left}_{right}';

COMMENT ON FUNCTION spqtree_dwithin({left}, {right}, float8)
IS '{comment}';
