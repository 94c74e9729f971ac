\echo Use "ALTER EXTENSION spqtree UPDATE" to load this file. \quit

--
-- From 0.2.0 to 1.0.0.  Objects keep their OIDs, and no index changes.
--

--
-- Functions that are new.
--

CREATE FUNCTION spqtree_reach(box, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_reach_box';

COMMENT ON FUNCTION spqtree_reach(box, distance float8)
IS 'box that overlaps every value whose <-> is at most the distance; null if it is negative';

CREATE FUNCTION spqtree_reach(point, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_reach_point';

COMMENT ON FUNCTION spqtree_reach(point, distance float8)
IS 'box that overlaps every value whose <-> is at most the distance; null if it is negative';

CREATE FUNCTION spqtree_reach(circle, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_reach_circle';

COMMENT ON FUNCTION spqtree_reach(circle, distance float8)
IS 'box that overlaps every value whose <-> is at most the distance; null if it is negative';

CREATE FUNCTION spqtree_reach(box3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_reach_box3';

COMMENT ON FUNCTION spqtree_reach(box3, distance float8)
IS 'box that overlaps every value whose <-> is at most the distance; null if it is negative';

CREATE FUNCTION spqtree_reach(point3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_reach_point3';

COMMENT ON FUNCTION spqtree_reach(point3, distance float8)
IS 'box that overlaps every value whose <-> is at most the distance; null if it is negative';

CREATE FUNCTION spqtree_range_box(anyrange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_range_box_overlaps';

COMMENT ON FUNCTION spqtree_range_box(anyrange)
IS 'box of a range along the x axis; null if the range is empty';

CREATE FUNCTION spqtree_range_box(anymultirange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_multirange_box_overlaps';

COMMENT ON FUNCTION spqtree_range_box(anymultirange)
IS 'box of a range along the x axis; null if the range is empty';

CREATE FUNCTION spqtree_range_box_adjacent(anyrange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_range_box_adjacent';

COMMENT ON FUNCTION spqtree_range_box_adjacent(anyrange)
IS 'box of a range that meets those of adjacent ranges; null if the range is empty';

CREATE FUNCTION spqtree_range_box_adjacent(anymultirange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_multirange_box_adjacent';

COMMENT ON FUNCTION spqtree_range_box_adjacent(anymultirange)
IS 'box of a range that meets those of adjacent ranges; null if the range is empty';

CREATE FUNCTION spqtree_range_box_contains(anyrange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_range_box_contains';

COMMENT ON FUNCTION spqtree_range_box_contains(anyrange)
IS 'box of a range that meets those of ranges in it by spqtree_range_box_contained';

CREATE FUNCTION spqtree_range_box_contains(anymultirange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_multirange_box_contains';

COMMENT ON FUNCTION spqtree_range_box_contains(anymultirange)
IS 'box of a range that meets those of ranges in it by spqtree_range_box_contained';

CREATE FUNCTION spqtree_range_box_contained(anyrange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_range_box_contained';

COMMENT ON FUNCTION spqtree_range_box_contained(anyrange)
IS 'box of a range that meets those of ranges around it by spqtree_range_box_contains';

CREATE FUNCTION spqtree_range_box_contained(anymultirange)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_multirange_box_contained';

COMMENT ON FUNCTION spqtree_range_box_contained(anymultirange)
IS 'box of a range that meets those of ranges around it by spqtree_range_box_contains';

CREATE FUNCTION spqtree_interval_box(lower "any", upper "any", bounds text DEFAULT '[]')
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_interval_box_of';

COMMENT ON FUNCTION spqtree_interval_box("any", "any", text)
IS 'box of the values between two, along the x axis; bounds as for constructors of ranges';

CREATE FUNCTION spqtree_plane_box(x box, y box)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_plane_box';

COMMENT ON FUNCTION spqtree_plane_box(x box, y box)
IS 'box whose x and y axes are the x axes of two boxes';

CREATE FUNCTION spqtree_exact_bounds3_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_exact_condition3';

COMMENT ON FUNCTION spqtree_exact_bounds3_condition(internal, internal)
IS 'condition method for types with spqtree_bounds3 whose operators compare only the bounds';

CREATE FUNCTION spqtree_range_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_range_condition';

COMMENT ON FUNCTION spqtree_range_condition(internal, internal)
IS 'condition method of range_ops and multirange_ops of access method spqtree';

CREATE FUNCTION spqtree_range_ends(anyrange, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_range_ends';

COMMENT ON FUNCTION spqtree_range_ends(anyrange, internal)
IS 'ends method of range_ops of access method spqtree';

CREATE FUNCTION spqtree_multirange_ends(anymultirange, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_multirange_ends';

COMMENT ON FUNCTION spqtree_multirange_ends(anymultirange, internal)
IS 'ends method of multirange_ops of access method spqtree';

CREATE FUNCTION spqtree_nearest_pairs(
	left_query text, right_query text, k integer, max_distance float8,
	OUT left_id bigint, OUT right_id bigint, OUT distance float8)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
AS 'MODULE_PATHNAME', 'spq_nearest_pairs';

COMMENT ON FUNCTION spqtree_nearest_pairs(text, text, integer, float8)
IS 'implementation of spqtree_nearest_join';

CREATE FUNCTION spqtree_nearest_join(
	left_query text, right_query text, k integer DEFAULT 1, max_distance float8 DEFAULT NULL)
RETURNS TABLE (left_id bigint, right_id bigint, distance float8)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
BEGIN ATOMIC
	SELECT (pair).left_id, (pair).right_id, (pair).distance
	FROM (SELECT spqtree_nearest_pairs(left_query, right_query, k, max_distance) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_nearest_join(text, text, integer, float8)
IS 'for each row of the left query, the k rows of the right query whose boxes are nearest';

--
-- Functions of another symbol of the library.
--

CREATE OR REPLACE FUNCTION spqtree_bounds_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_condition';

CREATE OR REPLACE FUNCTION spqtree_exact_bounds_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_exact_condition';

CREATE OR REPLACE FUNCTION spqtree_bounds_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_order';

CREATE OR REPLACE FUNCTION spqtree_bounds3_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_condition3';

CREATE OR REPLACE FUNCTION spqtree_bounds3_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_order3';

CREATE OR REPLACE FUNCTION spqtree_earth_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_extension_earth_order';

--
-- Functions that only compute with numbers.
--

ALTER FUNCTION spqtree_overlaps(box, circle) LEAKPROOF;
ALTER FUNCTION spqtree_overlaps(circle, box) LEAKPROOF;
ALTER FUNCTION spqtree_contained(box, circle) LEAKPROOF;
ALTER FUNCTION spqtree_contains(circle, box) LEAKPROOF;
ALTER FUNCTION point3_lt(point3, point3) LEAKPROOF;
ALTER FUNCTION point3_le(point3, point3) LEAKPROOF;
ALTER FUNCTION point3_eq(point3, point3) LEAKPROOF;
ALTER FUNCTION point3_ne(point3, point3) LEAKPROOF;
ALTER FUNCTION point3_ge(point3, point3) LEAKPROOF;
ALTER FUNCTION point3_gt(point3, point3) LEAKPROOF;
ALTER FUNCTION box3_lt(box3, box3) LEAKPROOF;
ALTER FUNCTION box3_le(box3, box3) LEAKPROOF;
ALTER FUNCTION box3_eq(box3, box3) LEAKPROOF;
ALTER FUNCTION box3_ne(box3, box3) LEAKPROOF;
ALTER FUNCTION box3_ge(box3, box3) LEAKPROOF;
ALTER FUNCTION box3_gt(box3, box3) LEAKPROOF;
ALTER FUNCTION lseg3_lt(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION lseg3_le(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION lseg3_eq(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION lseg3_ne(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION lseg3_ge(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION lseg3_gt(lseg3, lseg3) LEAKPROOF;
ALTER FUNCTION sphere3_lt(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION sphere3_le(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION sphere3_eq(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION sphere3_ne(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION sphere3_ge(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION sphere3_gt(sphere3, sphere3) LEAKPROOF;
ALTER FUNCTION ray3_lt(ray3, ray3) LEAKPROOF;
ALTER FUNCTION ray3_le(ray3, ray3) LEAKPROOF;
ALTER FUNCTION ray3_eq(ray3, ray3) LEAKPROOF;
ALTER FUNCTION ray3_ne(ray3, ray3) LEAKPROOF;
ALTER FUNCTION ray3_ge(ray3, ray3) LEAKPROOF;
ALTER FUNCTION ray3_gt(ray3, ray3) LEAKPROOF;
ALTER FUNCTION frustum3_lt(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION frustum3_le(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION frustum3_eq(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION frustum3_ne(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION frustum3_ge(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION frustum3_gt(frustum3, frustum3) LEAKPROOF;
ALTER FUNCTION spqtree_overlaps(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_contains(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_contains(box3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_contained(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_contained(point3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_same(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_same(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_left(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overleft(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_right(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overright(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_below(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overbelow(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_above(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overabove(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_front(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overfront(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_back(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_overback(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_left(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_right(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_below(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_above(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_front(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_back(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_distance(point3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_distance(box3, point3) LEAKPROOF;
ALTER FUNCTION spqtree_distance(point3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_distance(box3, box3) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(box, box, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(box, point, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(point, box, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(point, point, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(box3, box3, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(box3, point3, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(point3, box3, float8) LEAKPROOF;
ALTER FUNCTION spqtree_dwithin(point3, point3, float8) LEAKPROOF;

--
-- Ranges and multiranges: their classes had equality only, for columns before a spatial one.
--

ALTER OPERATOR FAMILY range_ops USING spqtree ADD
	OPERATOR 2	pg_catalog.&< (anyrange, anyrange),
	OPERATOR 2	pg_catalog.&< (anyrange, anymultirange),
	OPERATOR 3	pg_catalog.&& (anyrange, anyrange),
	OPERATOR 3	pg_catalog.&& (anyrange, anymultirange),
	OPERATOR 4	pg_catalog.&> (anyrange, anyrange),
	OPERATOR 4	pg_catalog.&> (anyrange, anymultirange),
	OPERATOR 5	pg_catalog.>> (anyrange, anyrange),
	OPERATOR 5	pg_catalog.>> (anyrange, anymultirange),
	OPERATOR 6	pg_catalog.-|- (anyrange, anyrange),
	OPERATOR 6	pg_catalog.-|- (anyrange, anymultirange),
	OPERATOR 7	pg_catalog.@> (anyrange, anyrange),
	OPERATOR 7	pg_catalog.@> (anyrange, anymultirange),
	OPERATOR 8	pg_catalog.<@ (anyrange, anyrange),
	OPERATOR 8	pg_catalog.<@ (anyrange, anymultirange),
	OPERATOR 16	pg_catalog.@> (anyrange, anyelement),
	OPERATOR 18	pg_catalog.<< (anyrange, anyrange),
	OPERATOR 18	pg_catalog.<< (anyrange, anymultirange),
	FUNCTION 1 (anyrange, anyrange) spqtree_range_ends(anyrange, internal),
	FUNCTION 2 (anyrange, anyrange) spqtree_range_condition(internal, internal);

ALTER OPERATOR FAMILY multirange_ops USING spqtree ADD
	OPERATOR 2	pg_catalog.&< (anymultirange, anymultirange),
	OPERATOR 2	pg_catalog.&< (anymultirange, anyrange),
	OPERATOR 3	pg_catalog.&& (anymultirange, anymultirange),
	OPERATOR 3	pg_catalog.&& (anymultirange, anyrange),
	OPERATOR 4	pg_catalog.&> (anymultirange, anymultirange),
	OPERATOR 4	pg_catalog.&> (anymultirange, anyrange),
	OPERATOR 5	pg_catalog.>> (anymultirange, anymultirange),
	OPERATOR 5	pg_catalog.>> (anymultirange, anyrange),
	OPERATOR 6	pg_catalog.-|- (anymultirange, anymultirange),
	OPERATOR 6	pg_catalog.-|- (anymultirange, anyrange),
	OPERATOR 7	pg_catalog.@> (anymultirange, anymultirange),
	OPERATOR 7	pg_catalog.@> (anymultirange, anyrange),
	OPERATOR 8	pg_catalog.<@ (anymultirange, anymultirange),
	OPERATOR 8	pg_catalog.<@ (anymultirange, anyrange),
	OPERATOR 16	pg_catalog.@> (anymultirange, anyelement),
	OPERATOR 18	pg_catalog.<< (anymultirange, anymultirange),
	OPERATOR 18	pg_catalog.<< (anymultirange, anyrange),
	FUNCTION 1 (anymultirange, anymultirange) spqtree_multirange_ends(anymultirange, internal),
	FUNCTION 2 (anymultirange, anymultirange) spqtree_range_condition(internal, internal);

-- What ALTER OPERATOR FAMILY adds can be dropped by itself.  Bind it to its operator class, as
-- CREATE OPERATOR CLASS does; there is no command for it.

UPDATE pg_depend AS d
SET refclassid = 'pg_opclass'::regclass, refobjid = class.oid, deptype = 'i'
FROM pg_opclass AS class
	JOIN pg_depend AS member ON member.classid = 'pg_opclass'::regclass AND member.objid = class.oid
	JOIN pg_extension AS e ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid
WHERE e.extname = 'spqtree' AND member.deptype = 'e' AND class.opcname IN ('range_ops', 'multirange_ops')
	AND class.opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree')
	AND d.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass) AND d.deptype = 'a'
	AND d.refclassid = 'pg_opfamily'::regclass AND d.refobjid = class.opcfamily;

UPDATE pg_depend AS d
SET deptype = 'n'
FROM pg_depend AS hard
WHERE d.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass) AND d.deptype = 'a'
	AND (hard.classid, hard.objid, hard.deptype) = (d.classid, d.objid, 'i')
	AND hard.refclassid = 'pg_opclass'::regclass
	AND hard.refobjid IN (
		SELECT member.objid FROM pg_depend AS member JOIN pg_extension AS e ON e.oid = member.refobjid
		WHERE member.classid = 'pg_opclass'::regclass AND member.refclassid = 'pg_extension'::regclass
			AND member.deptype = 'e' AND e.extname = 'spqtree');

--
-- A scalar type of PostgreSQL 19.
--

DO $$
BEGIN
	IF to_regtype('pg_catalog.oid8') IS NOT NULL THEN
CREATE OPERATOR FAMILY oid8_ops USING spqtree;

CREATE OPERATOR CLASS oid8_ops
DEFAULT FOR TYPE oid8 USING spqtree FAMILY oid8_ops AS
	FUNCTION 4 (oid8, oid8) pg_catalog.hashoid8extended(oid8, int8),
	OPERATOR 1	pg_catalog.= (oid8, oid8);

COMMENT ON OPERATOR FAMILY oid8_ops USING spqtree
IS 'equality of type oid8, before a spatial column';
COMMENT ON OPERATOR CLASS oid8_ops USING spqtree
IS 'scalar column before a spatial one: oid8';
	END IF;
END $$;

--
-- Comments.
--

COMMENT ON FUNCTION point3(x float8, y float8, z float8)
IS 'point from coordinates';
COMMENT ON FUNCTION box3(point3, point3)
IS 'box from two opposite corners';
COMMENT ON FUNCTION box3(point3)
IS 'box of zero size at a point';
COMMENT ON FUNCTION sphere3(center point3, radius float8)
IS 'sphere from center and radius';
COMMENT ON FUNCTION direction(ray3)
IS 'direction of, as given';
COMMENT ON FUNCTION frustum3(planes float8[])
IS 'frustum from six planes (a,b,c,d): a x + b y + c z + d >= 0';
COMMENT ON FUNCTION planes(frustum3)
IS 'planes of, as an array of six rows with four numbers';
COMMENT ON FUNCTION box3(float8, float8, float8, float8, float8, float8)
IS 'box from two opposite corners';
COMMENT ON AGGREGATE bound_box(box3)
IS 'smallest box around all input boxes';
COMMENT ON FUNCTION frustum3_row_major(float8[], boolean)
IS 'frustum from a view-projection matrix in row-major order';
COMMENT ON FUNCTION frustum3_column_major(float8[], boolean)
IS 'frustum from a view-projection matrix in column-major order';
COMMENT ON CAST (point3 AS box3)
IS 'box of zero size';
COMMENT ON CAST (box3 AS box)
IS 'drops z';
COMMENT ON CAST (point3 AS point)
IS 'drops z';
COMMENT ON FUNCTION spqtree_hit(box3, ray3)
IS 'where a ray enters a box; null if it misses the box';
COMMENT ON FUNCTION spqtree_dwithin(box, box, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box, point, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point, box, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box, lseg, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg, box, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point, point, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point, circle, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(circle, point, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point, polygon, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(polygon, point, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box, circle, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(circle, box, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box, polygon, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(polygon, box, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(circle, circle, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(circle, polygon, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(polygon, circle, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(polygon, polygon, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg, point, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point, lseg, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg, circle, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(circle, lseg, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg, polygon, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(polygon, lseg, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box3, box3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box3, point3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point3, box3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point3, point3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg3, point3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point3, lseg3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg3, box3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box3, lseg3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(sphere3, sphere3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(sphere3, point3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(point3, sphere3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(sphere3, box3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(box3, sphere3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(sphere3, lseg3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_dwithin(lseg3, sphere3, float8)
IS 'whether two shapes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_expand(box, distance float8)
IS 'box around everything within a distance, rounded outward; null if it is negative';
COMMENT ON FUNCTION spqtree_expand(point, distance float8)
IS 'box around everything within a distance, rounded outward; null if it is negative';
COMMENT ON FUNCTION spqtree_expand(lseg, distance float8)
IS 'box around everything within a distance, rounded outward; null if it is negative';
COMMENT ON FUNCTION spqtree_expand(circle, distance float8)
IS 'box around everything within a distance, rounded outward; null if it is negative';
COMMENT ON FUNCTION spqtree_expand(polygon, distance float8)
IS 'box around everything within a distance, rounded outward; null if it is negative';
COMMENT ON FUNCTION spqtree_expand(box3, distance float8)
IS 'box around everything within a distance; null if the distance is negative';
COMMENT ON FUNCTION spqtree_expand(point3, distance float8)
IS 'box around everything within a distance; null if the distance is negative';
COMMENT ON FUNCTION spqtree_expand(lseg3, distance float8)
IS 'box around everything within a distance; null if the distance is negative';
COMMENT ON FUNCTION spqtree_expand(sphere3, distance float8)
IS 'box around everything within a distance; null if the distance is negative';
COMMENT ON FUNCTION spqtree_expand(box3, dx float8, dy float8, dz float8)
IS 'box around everything within a distance on each axis; null if one is negative';
COMMENT ON FUNCTION spqtree_expand(point3, dx float8, dy float8, dz float8)
IS 'box around everything within a distance on each axis; null if one is negative';
COMMENT ON FUNCTION spqtree_circle_around(box)
IS 'circle around a box, for spqtree_dwithin by an index of circles';
COMMENT ON FUNCTION spqtree_polygon_around(box)
IS 'polygon of a box, for spqtree_dwithin by an index of polygons';
COMMENT ON FUNCTION spqtree_bounds_condition(internal, internal)
IS 'condition method of spqtree classes for types with spqtree_bounds';
COMMENT ON FUNCTION spqtree_exact_bounds_condition(internal, internal)
IS 'condition method for types with spqtree_bounds whose operators compare only the bounds';
COMMENT ON FUNCTION spqtree_bounds_order(internal, internal)
IS 'order method of spqtree classes for types with spqtree_bounds of type box';
COMMENT ON FUNCTION spqtree_bounds3_condition(internal, internal)
IS 'condition method of spqtree classes for types with spqtree_bounds3';
COMMENT ON FUNCTION spqtree_bounds3_order(internal, internal)
IS 'order method of spqtree classes for types with spqtree_bounds3';
COMMENT ON FUNCTION spqtree_earth_order(internal, internal)
IS 'order method for bounds on a sphere of radius 1 and distances in meters on the Earth';
COMMENT ON OPERATOR FAMILY box_ops USING spqtree
IS 'index operators for boxes';
COMMENT ON OPERATOR FAMILY point_ops USING spqtree
IS 'index operators for points';
COMMENT ON OPERATOR FAMILY circle_ops USING spqtree
IS 'index operators for circles';
COMMENT ON OPERATOR FAMILY polygon_ops USING spqtree
IS 'index operators for polygons';
COMMENT ON OPERATOR FAMILY lseg_ops USING spqtree
IS 'index operators for line segments';
COMMENT ON OPERATOR FAMILY path_ops USING spqtree
IS 'index operators for paths';
COMMENT ON OPERATOR FAMILY box3_ops USING spqtree
IS 'index operators for boxes of three dimensions';
COMMENT ON OPERATOR FAMILY point3_ops USING spqtree
IS 'index operators for points of three dimensions';
COMMENT ON OPERATOR FAMILY range_ops USING spqtree
IS 'index operators for ranges; their equality, before a spatial column';
COMMENT ON OPERATOR CLASS range_ops USING spqtree
IS 'index of ranges, by their bounds; scalar column before a spatial one: anyrange';
COMMENT ON OPERATOR FAMILY multirange_ops USING spqtree
IS 'index operators for multiranges; their equality, before a spatial column';
COMMENT ON OPERATOR CLASS multirange_ops USING spqtree
IS 'index of multiranges, by their bounds; scalar column before a spatial one: anymultirange';
COMMENT ON FUNCTION spqtree_compact_box_in(cstring)
IS 'input function of spqtree_compact_box; accepts any box';
COMMENT ON FUNCTION spqtree_compact_box_out(spqtree_compact_box)
IS 'output function of spqtree_compact_box; prints it as a box';
COMMENT ON OPERATOR CLASS spqtree_box_compact_ops USING spgist
IS 'compact quadtree index of boxes, exact for every box, without index-only scans';
COMMENT ON FUNCTION spqtree_join(text, text, text, float8, float8)
IS 'join of two queries: pairs of ids whose boxes satisfy an operator or are within a distance';
COMMENT ON FUNCTION spqtree_self_join(text, float8, float8)
IS 'join of a query with itself: pairs of ids whose boxes overlap or are within a distance';
COMMENT ON FUNCTION spqtree_join_changes(text, text, text, text, float8, float8)
IS 'changes of a spatial join: pairs that enter or leave, compared with the pairs of a query';
COMMENT ON FUNCTION spqtree_self_join_changes(text, text, float8, float8)
IS 'changes between two states of objects: pairs that become neighbors or cease to be';
COMMENT ON FUNCTION spqtree_pair_cell(box, box, float8)
IS 'number of the grid cell that owns a pair of boxes; null if they do not overlap';
COMMENT ON FUNCTION spqtree_quad_cell(box, box, integer)
IS 'number of the smallest quadtree cell around a box; 0, the frame, if it is not within that';
COMMENT ON FUNCTION spqtree_quad_number(integer, bigint)
IS 'number of a quadtree cell: the number of cells on the levels above it, plus its code';
COMMENT ON FUNCTION spqtree_quad_code(bigint)
IS 'code of a quadtree cell on its level: the bits of row and column, interleaved';
COMMENT ON FUNCTION spqtree_quad_box(bigint, box)
IS 'box of a quadtree cell of a frame';
COMMENT ON FUNCTION spqtree_quad_ancestors(bigint)
IS 'ancestors of a quadtree cell, from the whole frame to its parent';
COMMENT ON FUNCTION spqtree_quad_neighbors(bigint)
IS 'quadtree cells of the same level that share a side with a cell; null outside the frame';
COMMENT ON FUNCTION spqtree_quad_ranges(box, box, integer, integer)
IS 'ranges of numbers with the quadtree cells of all boxes that overlap a query box';
COMMENT ON FUNCTION spqtree_partition(text, integer, integer)
IS 'partitioning into parts with about the same number of the boxes or points of a query';
COMMENT ON FUNCTION spqtree_parts(box, spqtree_partitioning)
IS 'parts that a box touches; part 0 if there are too many or none';
COMMENT ON FUNCTION spqtree_parts(box3, spqtree_partitioning)
IS 'parts that a box touches; part 0 if there are too many or none';
COMMENT ON FUNCTION spqtree_window_parts(box, spqtree_partitioning)
IS 'parts that may contain boxes that overlap a box';
COMMENT ON FUNCTION spqtree_window_parts(box3, spqtree_partitioning)
IS 'parts that may contain boxes that overlap a box';
COMMENT ON FUNCTION spqtree_part(point, spqtree_partitioning)
IS 'part that contains a point; part 0 if there is none';
COMMENT ON FUNCTION spqtree_part(point3, spqtree_partitioning)
IS 'part that contains a point; part 0 if there is none';
COMMENT ON FUNCTION spqtree_pair_part(box, box, spqtree_partitioning)
IS 'part that owns a pair of boxes; both boxes touch it if they overlap';
COMMENT ON FUNCTION spqtree_pair_part(box3, box3, spqtree_partitioning)
IS 'part that owns a pair of boxes; both boxes touch it if they overlap';
COMMENT ON FUNCTION spqtree_renumber(spqtree_partitioning, integer[])
IS 'partitioning with other numbers for its parts, in the order of spqtree_part_list';
COMMENT ON FUNCTION spqtree_part_list(spqtree_partitioning)
IS 'parts of a partitioning; a part includes its low bounds and excludes its high bounds';
COMMENT ON FUNCTION spqtree_check(regclass, boolean)
IS 'check an spqtree index: one row for each problem, no rows if the index is sound';
COMMENT ON FUNCTION spqtree_nodes(regclass)
IS 'tree of an spqtree index: one row for each inner tuple and leaf chain, or for each page';
COMMENT ON FUNCTION spqtree_explain(regclass, box, text)
IS 'cost of a query in an spqtree index: what a scan visits, and the rows that it finds';
COMMENT ON FUNCTION spqtree_explain3(regclass, box3, text)
IS 'cost of a query in an spqtree index of three dimensions: visits and rows found';
COMMENT ON FUNCTION spqtree_svg3(regclass, integer, integer, boolean, box3)
IS 'picture of an spqtree index of three dimensions from above, front and side, as SVG';
COMMENT ON FUNCTION spqtree_watch_definition()
IS 'trigger on a table of pairs, whose arguments define the watch; rejects TRUNCATE';
COMMENT ON FUNCTION spqtree_watch_lock()
IS 'trigger on a watched table, before a statement: locks the table of pairs';
COMMENT ON FUNCTION spqtree_watch_changed()
IS 'trigger on a watched table, after a statement: updates the table of pairs and logs events';
COMMENT ON FUNCTION spqtree_watch(text, regclass, name, regclass, name, float8, float8, text[], name, name, text, text, name, name, boolean, text, text)
IS 'watch which objects are in which fences: create a table of pairs, an event table, triggers';
COMMENT ON FUNCTION spqtree_unwatch(regclass)
IS 'end a watch: drop its triggers and its table of pairs, but not its event table';
COMMENT ON FUNCTION spqtree_check_watch(regclass)
IS 'check the table of pairs of a watch: one row for each missing or extra pair';
COMMENT ON FUNCTION spqtree_refresh_watch(regclass)
IS 'correct the table of pairs of a watch, with events, and watch new partitions';

COMMENT ON EXTENSION spqtree
IS 'index and spatial join for boxes, exact for every input';
