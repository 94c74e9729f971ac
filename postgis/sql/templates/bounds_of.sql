-- About the box of what a function of PostGIS returns, without calling it.
CREATE FUNCTION spqtree_bounds_{name}({arguments})
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', '{symbol}';

COMMENT ON FUNCTION spqtree_bounds_{name}({arguments})
IS 'about the box of {name}, for estimates';
