\echo Use "CREATE EXTENSION spqtree" to load this file. \quit

--
-- The quadtree index: an SP-GiST operator class for boxes.
--

CREATE FUNCTION spqtree_box_config(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_config';

CREATE FUNCTION spqtree_box_choose(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_choose';

CREATE FUNCTION spqtree_box_picksplit(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_picksplit';

CREATE FUNCTION spqtree_box_inner_consistent(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_inner_consistent';

CREATE FUNCTION spqtree_box_leaf_consistent(internal, internal)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_leaf_consistent';

COMMENT ON FUNCTION spqtree_box_config(internal, internal)
IS 'SP-GiST config method of spqtree_box_ops';
COMMENT ON FUNCTION spqtree_box_choose(internal, internal)
IS 'SP-GiST choose method of spqtree_box_ops';
COMMENT ON FUNCTION spqtree_box_picksplit(internal, internal)
IS 'SP-GiST picksplit method of spqtree_box_ops';
COMMENT ON FUNCTION spqtree_box_inner_consistent(internal, internal)
IS 'SP-GiST inner_consistent method of spqtree_box_ops';
COMMENT ON FUNCTION spqtree_box_leaf_consistent(internal, internal)
IS 'SP-GiST leaf_consistent method of spqtree_box_ops';

CREATE OPERATOR FAMILY spqtree_box_ops USING spgist;

COMMENT ON OPERATOR FAMILY spqtree_box_ops USING spgist
IS 'quadtree of boxes';

-- The strategy numbers are those of core's classes for boxes, where it has
-- them.  Operators are written with their schema, so that no operator of the
-- same name elsewhere on the search path can take their place.
CREATE OPERATOR CLASS spqtree_box_ops
FOR TYPE box USING spgist FAMILY spqtree_box_ops AS
	OPERATOR 1	pg_catalog.<< (box, box),
	OPERATOR 2	pg_catalog.&< (box, box),
	OPERATOR 3	pg_catalog.&& (box, box),
	OPERATOR 4	pg_catalog.&> (box, box),
	OPERATOR 5	pg_catalog.>> (box, box),
	OPERATOR 6	pg_catalog.~= (box, box),
	OPERATOR 7	pg_catalog.@> (box, box),
	OPERATOR 8	pg_catalog.<@ (box, box),
	OPERATOR 9	pg_catalog.&<| (box, box),
	OPERATOR 10	pg_catalog.<<| (box, box),
	OPERATOR 11	pg_catalog.|>> (box, box),
	OPERATOR 12	pg_catalog.|&> (box, box),
	OPERATOR 15	pg_catalog.<-> (box, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> (box, point),
	OPERATOR 17	pg_catalog.<-> (box, box)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_box_config(internal, internal),
	FUNCTION 2	spqtree_box_choose(internal, internal),
	FUNCTION 3	spqtree_box_picksplit(internal, internal),
	FUNCTION 4	spqtree_box_inner_consistent(internal, internal),
	FUNCTION 5	spqtree_box_leaf_consistent(internal, internal);

COMMENT ON OPERATOR CLASS spqtree_box_ops USING spgist
IS 'quadtree of boxes: regular decomposition, exact for every box';
