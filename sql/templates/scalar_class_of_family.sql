-- An operator class of the access method spqtree for one of several scalar types whose values
-- can be equal.
CREATE OPERATOR CLASS {type}_ops
DEFAULT FOR TYPE {type} USING spqtree FAMILY {family}_ops AS
	OPERATOR 1	pg_catalog.= ({type}, {type}),
	OPERATOR 1	pg_catalog.= ({type}, {other}),
	OPERATOR 1	pg_catalog.= ({type}, {third}),
	FUNCTION 4 ({type}, {type}) pg_catalog.{hash};

COMMENT ON OPERATOR CLASS {type}_ops USING spqtree
IS 'scalar column before a spatial one: {type}';
