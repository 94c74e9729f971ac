-- Two variants of a predicate of PostGIS: for join nodes, and for row estimates.
CREATE FUNCTION _spqtree_{name}(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_{symbol}';

COMMENT ON FUNCTION _spqtree_{name}(geometry, geometry)
IS 'same as {name}, for many pairs of the same geometries';

CREATE FUNCTION _spqtree_try_{name}(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_{symbol}';

COMMENT ON FUNCTION _spqtree_try_{name}(geometry, geometry)
IS '{name} for estimates, without errors; NULL if unknown';
