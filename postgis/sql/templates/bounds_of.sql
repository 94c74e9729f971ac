-- The approximate box of the result of a function of PostGIS, without calling it.
CREATE FUNCTION _spqtree_bounds_{name}({arguments})
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', '{symbol}';

COMMENT ON FUNCTION _spqtree_bounds_{name}({arguments})
IS 'approximate box of the result of {name}, for estimates';
