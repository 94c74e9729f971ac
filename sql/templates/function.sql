-- A function of the library.  Its name includes the types of its arguments.
CREATE FUNCTION {function}
RETURNS {returns}
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
{leakproof}
COST {cost}
SUPPORT {support}
AS 'MODULE_PATHNAME', '{symbol}';

COMMENT ON FUNCTION {function}
IS '{comment}';
