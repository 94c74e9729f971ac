-- An operator class of the access method spqtree for a scalar type, and its family.
CREATE OPERATOR FAMILY {name}_ops USING spqtree;

CREATE OPERATOR CLASS {name}_ops
DEFAULT FOR TYPE {type} USING spqtree FAMILY {name}_ops AS
	FUNCTION 4 ({type}, {type}) pg_catalog.{hash},
	OPERATOR 1	pg_catalog.= ({type}, {type});

COMMENT ON OPERATOR FAMILY {name}_ops USING spqtree
IS 'equality of {what}, before a spatial column';
COMMENT ON OPERATOR CLASS {name}_ops USING spqtree
IS 'scalar column before a spatial one: {type}';
