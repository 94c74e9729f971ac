-- Equality, order and hashes of a type, and its default classes for btree and hash.
@each operator  returns=boolean  left={type}  right={type}  leakproof=LEAKPROOF
operator  function   symbol         commutator  negator  estimator  joins           comment
<         {type}_lt  spq_{type}_lt  >           >=       scalarlt   -               less than
<=        {type}_le  spq_{type}_le  >=          >        scalarle   -               less than or equal
=         {type}_eq  spq_{type}_eq  =           <>       eq         HASHES, MERGES  equal
<>        {type}_ne  spq_{type}_ne  <>          =        neq        -               not equal
>=        {type}_ge  spq_{type}_ge  <=          <        scalarge   -               greater than or equal
>         {type}_gt  spq_{type}_gt  <           <=       scalargt   -               greater than
@end

@each function
function                              returns  symbol                    comment
{type}_cmp({type}, {type})            integer  spq_{type}_cmp            less-equal-greater
{type}_hash({type})                   integer  spq_{type}_hash           hash
{type}_hash_extended({type}, bigint)  bigint   spq_{type}_hash_extended  hash
@end

CREATE OPERATOR FAMILY {type}_ops USING btree;
CREATE OPERATOR FAMILY {type}_ops USING hash;

CREATE OPERATOR CLASS {type}_ops
DEFAULT FOR TYPE {type} USING btree FAMILY {type}_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	{type}_cmp({type}, {type});

CREATE OPERATOR CLASS {type}_ops
DEFAULT FOR TYPE {type} USING hash FAMILY {type}_ops AS
	OPERATOR 1	=,
	FUNCTION 1	{type}_hash({type}),
	FUNCTION 2	{type}_hash_extended({type}, bigint);

COMMENT ON OPERATOR FAMILY {type}_ops USING btree
IS 'order of {what}, by their numbers';
COMMENT ON OPERATOR FAMILY {type}_ops USING hash
IS 'equality of {what}';
COMMENT ON OPERATOR CLASS {type}_ops USING btree
IS 'order of {what}, by their numbers';
COMMENT ON OPERATOR CLASS {type}_ops USING hash
IS 'equality of {what}';
