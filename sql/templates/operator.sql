-- An operator of two types, and its function.  The estimator "area" stands for areasel and
-- areajoinsel, and so on.
CREATE FUNCTION {function}({left}, {right})
RETURNS {returns}
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
{leakproof}
AS 'MODULE_PATHNAME', '{symbol}';

COMMENT ON FUNCTION {function}({left}, {right})
IS 'implementation of {operator} operator';

CREATE OPERATOR {operator} (
	LEFTARG = {left}, RIGHTARG = {right},
	COMMUTATOR = {commutator},
	NEGATOR = {negator},
	RESTRICT = {estimator}sel, JOIN = {estimator}joinsel,
	{joins},
	FUNCTION = {function});

COMMENT ON OPERATOR {operator} ({left}, {right})
IS '{comment}';
