-- An operator class of the access method spqtree for ranges or multiranges, its functions and its
-- family.  Strategy numbers are those of PostgreSQL's own classes, but for those of = and <<.
@each function  returns=void
function                                symbol                 comment
_spqtree_{name}_ends({type}, internal)  spq_rtree_{name}_ends  ends method of {name}_ops of access method spqtree
@end

CREATE OPERATOR FAMILY {name}_ops USING spqtree;

CREATE OPERATOR CLASS {name}_ops
DEFAULT FOR TYPE {type} USING spqtree FAMILY {name}_ops AS
	OPERATOR 1	pg_catalog.= ({type}, {type}),
	OPERATOR 2	pg_catalog.&< ({type}, {type}),
	OPERATOR 2	pg_catalog.&< ({type}, {other}),
	OPERATOR 3	pg_catalog.&& ({type}, {type}),
	OPERATOR 3	pg_catalog.&& ({type}, {other}),
	OPERATOR 4	pg_catalog.&> ({type}, {type}),
	OPERATOR 4	pg_catalog.&> ({type}, {other}),
	OPERATOR 5	pg_catalog.>> ({type}, {type}),
	OPERATOR 5	pg_catalog.>> ({type}, {other}),
	OPERATOR 6	pg_catalog.-|- ({type}, {type}),
	OPERATOR 6	pg_catalog.-|- ({type}, {other}),
	OPERATOR 7	pg_catalog.@> ({type}, {type}),
	OPERATOR 7	pg_catalog.@> ({type}, {other}),
	OPERATOR 8	pg_catalog.<@ ({type}, {type}),
	OPERATOR 8	pg_catalog.<@ ({type}, {other}),
	OPERATOR 16	pg_catalog.@> ({type}, anyelement),
	OPERATOR 18	pg_catalog.<< ({type}, {type}),
	OPERATOR 18	pg_catalog.<< ({type}, {other}),
	FUNCTION 1 ({type}, {type}) _spqtree_{name}_ends({type}, internal),
	FUNCTION 2 ({type}, {type}) _spqtree_range_condition(internal, internal),
	FUNCTION 4 ({type}, {type}) pg_catalog.{hash};

COMMENT ON OPERATOR FAMILY {name}_ops USING spqtree
IS 'index operators for {name}s; their equality, before a spatial column';
COMMENT ON OPERATOR CLASS {name}_ops USING spqtree
IS 'index of {name}s, by their bounds; scalar column before a spatial one: {type}';
