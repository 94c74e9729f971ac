-- The function of spqtree's library that an operator class needs for its type, and its family.
CREATE FUNCTION _spqtree_{name}_ends({type}, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'spqtree', '{symbol}';

COMMENT ON FUNCTION _spqtree_{name}_ends({type}, internal)
IS 'ends method of spqtree_{name}_ops of access method spqtree';

CREATE OPERATOR FAMILY spqtree_{name}_ops USING spqtree;

COMMENT ON OPERATOR FAMILY spqtree_{name}_ops USING spqtree
IS '{comment}';
