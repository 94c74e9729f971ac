-- A method of an operator class of SP-GiST.
CREATE FUNCTION _spqtree_{class}_{name}(internal, internal)
RETURNS {returns}
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_{class}_{name}';

COMMENT ON FUNCTION _spqtree_{class}_{name}(internal, internal)
IS 'SP-GiST {name} method of spqtree_{class}_ops';
