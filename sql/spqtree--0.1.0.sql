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

--
-- The spatial join: pairs of rows whose boxes satisfy a predicate.
--
-- The functions in C return a pair a call.  Those in SQL are what users call:
-- the planner inlines them, so that pairs come as they are wanted and not all
-- of them first.  Their bodies are parsed here, once: no search path matters.
-- A query given as text may do anything, also what parallel workers must not.
--

CREATE FUNCTION spqtree_join_pairs(
	left_query text, right_query text, predicate text,
	distance float8, cell_size float8,
	OUT left_id bigint, OUT right_id bigint)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
AS 'MODULE_PATHNAME', 'spq_join_pairs';

COMMENT ON FUNCTION spqtree_join_pairs(text, text, text, float8, float8)
IS 'implementation of spqtree_join';

CREATE FUNCTION spqtree_self_join_pairs(
	query text, distance float8, cell_size float8,
	OUT id1 bigint, OUT id2 bigint)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
AS 'MODULE_PATHNAME', 'spq_self_join_pairs';

COMMENT ON FUNCTION spqtree_self_join_pairs(text, float8, float8)
IS 'implementation of spqtree_self_join';

CREATE FUNCTION spqtree_join(
	left_query text, right_query text, predicate text DEFAULT '&&',
	distance float8 DEFAULT NULL, cell_size float8 DEFAULT NULL)
RETURNS TABLE (left_id bigint, right_id bigint)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
BEGIN ATOMIC
	SELECT (pair).left_id, (pair).right_id
	FROM (SELECT spqtree_join_pairs(left_query, right_query, predicate,
									distance, cell_size) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_join(text, text, text, float8, float8)
IS 'all pairs of rows of two queries (id, box) whose boxes satisfy && @> <@ or ~=, or are at most a distance apart';

CREATE FUNCTION spqtree_self_join(
	query text, distance float8 DEFAULT NULL, cell_size float8 DEFAULT NULL)
RETURNS TABLE (id1 bigint, id2 bigint)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
BEGIN ATOMIC
	SELECT (pair).id1, (pair).id2
	FROM (SELECT spqtree_self_join_pairs(query, distance, cell_size) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_self_join(text, float8, float8)
IS 'all pairs of rows of one query (id, box) whose boxes overlap or are at most a distance apart, each once';

--
-- The spatial hash by itself: keys of the square cells of a grid.
--

CREATE FUNCTION spqtree_cell(point, cell_size float8)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_cell';

COMMENT ON FUNCTION spqtree_cell(point, float8)
IS 'key of the cell that a point is in, in Z-order';

CREATE FUNCTION spqtree_cells(box, cell_size float8)
RETURNS SETOF bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 4
AS 'MODULE_PATHNAME', 'spq_cells';

COMMENT ON FUNCTION spqtree_cells(box, float8)
IS 'keys of all cells that a box touches';

CREATE FUNCTION spqtree_pair_cell(box, box, cell_size float8)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_pair_cell';

COMMENT ON FUNCTION spqtree_pair_cell(box, box, float8)
IS 'key of the one cell that owns a pair of overlapping boxes, null if they do not overlap';
