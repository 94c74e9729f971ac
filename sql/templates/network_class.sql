-- The default operator class of a type of networks of another extension, as for inet_ops.
CREATE FUNCTION _spqtree_{type}_type(internal)
RETURNS internal
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_{type}_type';

COMMENT ON FUNCTION _spqtree_{type}_type(internal)
IS 'description of the type of spqtree_{type}_ops of access method spqtree';

CREATE FUNCTION _spqtree_{type}_ends({type}, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_network_ends';

COMMENT ON FUNCTION _spqtree_{type}_ends({type}, internal)
IS 'ends method of spqtree_{type}_ops of access method spqtree';

CREATE OPERATOR FAMILY spqtree_{type}_ops USING spqtree;

CREATE OPERATOR CLASS spqtree_{type}_ops
DEFAULT FOR TYPE {type} USING spqtree FAMILY spqtree_{type}_ops AS
	OPERATOR 1	=,
	OPERATOR 3	&&,
	OPERATOR 24	<<,
	OPERATOR 25	<<=,
	OPERATOR 26	>>,
	OPERATOR 27	>>=,
	FUNCTION 1	_spqtree_{type}_ends({type}, internal),
	FUNCTION 2	_spqtree_network_condition(internal, internal),
	FUNCTION 4	{type}_hash_extended({type}, bigint),
	FUNCTION 5	_spqtree_{type}_type(internal);

COMMENT ON OPERATOR FAMILY spqtree_{type}_ops USING spqtree
IS 'index operators for {type}; its equality, before a spatial column';
COMMENT ON OPERATOR CLASS spqtree_{type}_ops USING spqtree
IS 'index of {what}; scalar column before a spatial one: type {type}';
