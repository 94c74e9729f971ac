-- The operators of PostgreSQL's own classes for boxes, circles and polygons, with the same
-- strategy numbers.
	OPERATOR 1	pg_catalog.<< ({type}, {type}),
	OPERATOR 2	pg_catalog.&< ({type}, {type}),
	OPERATOR 3	pg_catalog.&& ({type}, {type}),
	OPERATOR 4	pg_catalog.&> ({type}, {type}),
	OPERATOR 5	pg_catalog.>> ({type}, {type}),
	OPERATOR 6	pg_catalog.~= ({type}, {type}),
	OPERATOR 7	pg_catalog.@> ({type}, {type}),
	OPERATOR 8	pg_catalog.<@ ({type}, {type}),
	OPERATOR 9	pg_catalog.&<| ({type}, {type}),
	OPERATOR 10	pg_catalog.<<| ({type}, {type}),
	OPERATOR 11	pg_catalog.|>> ({type}, {type}),
	OPERATOR 12	pg_catalog.|&> ({type}, {type}),
	OPERATOR 15	pg_catalog.<-> ({type}, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> ({type}, point),
	OPERATOR 17	pg_catalog.<-> ({type}, {type})
		FOR ORDER BY pg_catalog.float_ops,
