\echo Use "CREATE EXTENSION spqtree" to load this file. \quit

--
-- Boxes and other shapes.  Each operator has a function of its own, which the
-- library knows by its symbol.
--

CREATE FUNCTION spqtree_overlaps(box, circle)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_overlaps_circle';

COMMENT ON FUNCTION spqtree_overlaps(box, circle)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_overlaps(circle, box)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_circle_overlaps_box';

COMMENT ON FUNCTION spqtree_overlaps(circle, box)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_contained(box, circle)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_in_circle';

COMMENT ON FUNCTION spqtree_contained(box, circle)
IS 'implementation of <@ operator';

CREATE FUNCTION spqtree_contains(circle, box)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_circle_holds_box';

COMMENT ON FUNCTION spqtree_contains(circle, box)
IS 'implementation of @> operator';

CREATE FUNCTION spqtree_overlaps(box, polygon)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_overlaps_polygon';

COMMENT ON FUNCTION spqtree_overlaps(box, polygon)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_overlaps(polygon, box)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_polygon_overlaps_box';

COMMENT ON FUNCTION spqtree_overlaps(polygon, box)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_contained(box, polygon)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_in_polygon';

COMMENT ON FUNCTION spqtree_contained(box, polygon)
IS 'implementation of <@ operator';

CREATE FUNCTION spqtree_contains(polygon, box)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_polygon_holds_box';

COMMENT ON FUNCTION spqtree_contains(polygon, box)
IS 'implementation of @> operator';

CREATE FUNCTION spqtree_intersects(box, lseg)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_meets_lseg';

COMMENT ON FUNCTION spqtree_intersects(box, lseg)
IS 'implementation of ?# operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box, RIGHTARG = circle,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box, circle)
IS 'overlaps';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = circle, RIGHTARG = box,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (circle, box)
IS 'overlaps';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = box, RIGHTARG = circle,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (box, circle)
IS 'is contained by';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = circle, RIGHTARG = box,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (circle, box)
IS 'contains';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box, RIGHTARG = polygon,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box, polygon)
IS 'overlaps';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = polygon, RIGHTARG = box,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (polygon, box)
IS 'overlaps';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = box, RIGHTARG = polygon,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (box, polygon)
IS 'is contained by';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = polygon, RIGHTARG = box,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (polygon, box)
IS 'contains';

-- Its commutator is PostgreSQL's own, which so gets one: DROP EXTENSION takes it away.
CREATE OPERATOR ?# (
	FUNCTION = spqtree_intersects, LEFTARG = box, RIGHTARG = lseg,
	COMMUTATOR = OPERATOR(pg_catalog.?#), RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR ?# (box, lseg)
IS 'intersect';

--
-- Distance: with a planner support function, so that conditions use indexes.
--

CREATE FUNCTION spqtree_dwithin_support(internal)
RETURNS internal
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_dwithin_support';

COMMENT ON FUNCTION spqtree_dwithin_support(internal)
IS 'planner support for spqtree_dwithin';

CREATE FUNCTION spqtree_dwithin(box, box, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box_box';

COMMENT ON FUNCTION spqtree_dwithin(box, box, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box, point, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box_point';

COMMENT ON FUNCTION spqtree_dwithin(box, point, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point, box, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point_box';

COMMENT ON FUNCTION spqtree_dwithin(point, box, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box, lseg, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box_lseg';

COMMENT ON FUNCTION spqtree_dwithin(box, lseg, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg, box, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg_box';

COMMENT ON FUNCTION spqtree_dwithin(lseg, box, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point, point, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point_point';

COMMENT ON FUNCTION spqtree_dwithin(point, point, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point, circle, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point_circle';

COMMENT ON FUNCTION spqtree_dwithin(point, circle, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(circle, point, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_circle_point';

COMMENT ON FUNCTION spqtree_dwithin(circle, point, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point, polygon, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point_polygon';

COMMENT ON FUNCTION spqtree_dwithin(point, polygon, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(polygon, point, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_polygon_point';

COMMENT ON FUNCTION spqtree_dwithin(polygon, point, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box, circle, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box_circle';

COMMENT ON FUNCTION spqtree_dwithin(box, circle, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(circle, box, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_circle_box';

COMMENT ON FUNCTION spqtree_dwithin(circle, box, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box, polygon, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box_polygon';

COMMENT ON FUNCTION spqtree_dwithin(box, polygon, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(polygon, box, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_polygon_box';

COMMENT ON FUNCTION spqtree_dwithin(polygon, box, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(circle, circle, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_circle_circle';

COMMENT ON FUNCTION spqtree_dwithin(circle, circle, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(circle, polygon, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_circle_polygon';

COMMENT ON FUNCTION spqtree_dwithin(circle, polygon, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(polygon, circle, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_polygon_circle';

COMMENT ON FUNCTION spqtree_dwithin(polygon, circle, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(polygon, polygon, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 100
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_polygon_polygon';

COMMENT ON FUNCTION spqtree_dwithin(polygon, polygon, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg, point, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg_point';

COMMENT ON FUNCTION spqtree_dwithin(lseg, point, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point, lseg, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point_lseg';

COMMENT ON FUNCTION spqtree_dwithin(point, lseg, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg, circle, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg_circle';

COMMENT ON FUNCTION spqtree_dwithin(lseg, circle, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(circle, lseg, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_circle_lseg';

COMMENT ON FUNCTION spqtree_dwithin(circle, lseg, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg, polygon, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg_polygon';

COMMENT ON FUNCTION spqtree_dwithin(lseg, polygon, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(polygon, lseg, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 10
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_polygon_lseg';

COMMENT ON FUNCTION spqtree_dwithin(polygon, lseg, float8)
IS 'the two overlap, or are no farther apart than the distance';

CREATE FUNCTION spqtree_expand(box, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_box';

COMMENT ON FUNCTION spqtree_expand(box, float8)
IS 'box around all that is within a distance, rounded outward; null for a negative distance';

CREATE FUNCTION spqtree_expand(point, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_point';

COMMENT ON FUNCTION spqtree_expand(point, float8)
IS 'box around all that is within a distance, rounded outward; null for a negative distance';

CREATE FUNCTION spqtree_expand(lseg, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_lseg';

COMMENT ON FUNCTION spqtree_expand(lseg, float8)
IS 'box around all that is within a distance, rounded outward; null for a negative distance';

CREATE FUNCTION spqtree_expand(circle, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_circle';

COMMENT ON FUNCTION spqtree_expand(circle, float8)
IS 'box around all that is within a distance, rounded outward; null for a negative distance';

CREATE FUNCTION spqtree_expand(polygon, distance float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_polygon';

COMMENT ON FUNCTION spqtree_expand(polygon, float8)
IS 'box around all that is within a distance, rounded outward; null for a negative distance';

CREATE FUNCTION spqtree_circle_around(box)
RETURNS circle
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_circle_around';

COMMENT ON FUNCTION spqtree_circle_around(box)
IS 'circle for spqtree_dwithin by an index of circles';

CREATE FUNCTION spqtree_polygon_around(box)
RETURNS polygon
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_polygon_around';

COMMENT ON FUNCTION spqtree_polygon_around(box)
IS 'bounds as a polygon, for spqtree_dwithin by an index of polygons';

--
-- Types of three dimensions: points, boxes, segments.
--

CREATE TYPE point3;

CREATE TYPE box3;

CREATE TYPE lseg3;

CREATE FUNCTION point3_in(cstring)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_in';

COMMENT ON FUNCTION point3_in(cstring)
IS 'I/O';

CREATE FUNCTION point3_out(point3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_out';

COMMENT ON FUNCTION point3_out(point3)
IS 'I/O';

CREATE FUNCTION point3_recv(internal)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_recv';

COMMENT ON FUNCTION point3_recv(internal)
IS 'I/O';

CREATE FUNCTION point3_send(point3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_send';

COMMENT ON FUNCTION point3_send(point3)
IS 'I/O';

CREATE TYPE point3 (
	INPUT = point3_in, OUTPUT = point3_out,
	RECEIVE = point3_recv, SEND = point3_send,
	INTERNALLENGTH = 24, ALIGNMENT = double, ELEMENT = float8,
	SUBSCRIPT = pg_catalog.raw_array_subscript_handler);

COMMENT ON TYPE point3
IS 'point in space ''(x,y,z)''';

CREATE FUNCTION box3_in(cstring)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_in';

COMMENT ON FUNCTION box3_in(cstring)
IS 'I/O';

CREATE FUNCTION box3_out(box3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_out';

COMMENT ON FUNCTION box3_out(box3)
IS 'I/O';

CREATE FUNCTION box3_recv(internal)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_recv';

COMMENT ON FUNCTION box3_recv(internal)
IS 'I/O';

CREATE FUNCTION box3_send(box3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_send';

COMMENT ON FUNCTION box3_send(box3)
IS 'I/O';

CREATE TYPE box3 (
	INPUT = box3_in, OUTPUT = box3_out,
	RECEIVE = box3_recv, SEND = box3_send,
	INTERNALLENGTH = 48, ALIGNMENT = double);

COMMENT ON TYPE box3
IS 'box in space ''(x1,y1,z1),(x2,y2,z2)''';

CREATE FUNCTION lseg3_in(cstring)
RETURNS lseg3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_in';

COMMENT ON FUNCTION lseg3_in(cstring)
IS 'I/O';

CREATE FUNCTION lseg3_out(lseg3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_out';

COMMENT ON FUNCTION lseg3_out(lseg3)
IS 'I/O';

CREATE FUNCTION lseg3_recv(internal)
RETURNS lseg3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_recv';

COMMENT ON FUNCTION lseg3_recv(internal)
IS 'I/O';

CREATE FUNCTION lseg3_send(lseg3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_send';

COMMENT ON FUNCTION lseg3_send(lseg3)
IS 'I/O';

CREATE TYPE lseg3 (
	INPUT = lseg3_in, OUTPUT = lseg3_out,
	RECEIVE = lseg3_recv, SEND = lseg3_send,
	INTERNALLENGTH = 48, ALIGNMENT = double, ELEMENT = point3,
	SUBSCRIPT = pg_catalog.raw_array_subscript_handler);

COMMENT ON TYPE lseg3
IS 'line segment in space ''[(x1,y1,z1),(x2,y2,z2)]''';

CREATE FUNCTION point3(x float8, y float8, z float8)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_make';

COMMENT ON FUNCTION point3(float8, float8, float8)
IS 'point of its coordinates';

CREATE FUNCTION point3(point, z float8)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_of_point';

COMMENT ON FUNCTION point3(point, float8)
IS 'point above a point of the plane';

CREATE FUNCTION point(point3)
RETURNS point
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point_of_point3';

COMMENT ON FUNCTION point(point3)
IS 'point of the plane below a point';

CREATE FUNCTION x(point3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_x';

COMMENT ON FUNCTION x(point3)
IS 'coordinate x';

CREATE FUNCTION y(point3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_y';

COMMENT ON FUNCTION y(point3)
IS 'coordinate y';

CREATE FUNCTION z(point3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_z';

COMMENT ON FUNCTION z(point3)
IS 'coordinate z';

CREATE FUNCTION spqtree_add(point3, point3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_add';

COMMENT ON FUNCTION spqtree_add(point3, point3)
IS 'sum of the coordinates';

CREATE OPERATOR + (
	FUNCTION = spqtree_add, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = +);

COMMENT ON OPERATOR + (point3, point3)
IS 'sum of the coordinates';

CREATE FUNCTION spqtree_subtract(point3, point3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_sub';

COMMENT ON FUNCTION spqtree_subtract(point3, point3)
IS 'difference of the coordinates';

CREATE OPERATOR - (
	FUNCTION = spqtree_subtract, LEFTARG = point3, RIGHTARG = point3);

COMMENT ON OPERATOR - (point3, point3)
IS 'difference of the coordinates';

CREATE FUNCTION box3(point3, point3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_of_points';

COMMENT ON FUNCTION box3(point3, point3)
IS 'box of two opposite corners';

CREATE FUNCTION box3(x1 float8, y1 float8, z1 float8, x2 float8, y2 float8, z2 float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_of_numbers';

COMMENT ON FUNCTION box3(float8, float8, float8, float8, float8, float8)
IS 'box of two opposite corners';

CREATE FUNCTION box3(point3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_of_point';

COMMENT ON FUNCTION box3(point3)
IS 'box that is a point';

CREATE FUNCTION box3(box, zmin float8, zmax float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_of_box';

COMMENT ON FUNCTION box3(box, float8, float8)
IS 'box above a box of the plane';

CREATE FUNCTION box3(lseg3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_of_lseg3';

COMMENT ON FUNCTION box3(lseg3)
IS 'bounds of a segment';

CREATE FUNCTION box(box3)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_of_box3';

COMMENT ON FUNCTION box(box3)
IS 'box of the plane below a box';

CREATE FUNCTION high(box3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_high';

COMMENT ON FUNCTION high(box3)
IS 'corner with the highest coordinates';

CREATE FUNCTION low(box3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_low';

COMMENT ON FUNCTION low(box3)
IS 'corner with the lowest coordinates';

CREATE FUNCTION center(box3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_center';

COMMENT ON FUNCTION center(box3)
IS 'center of';

CREATE FUNCTION width(box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_width';

COMMENT ON FUNCTION width(box3)
IS 'length along x';

CREATE FUNCTION depth(box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_depth';

COMMENT ON FUNCTION depth(box3)
IS 'length along y';

CREATE FUNCTION height(box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_height';

COMMENT ON FUNCTION height(box3)
IS 'length along z';

CREATE FUNCTION volume(box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_volume';

COMMENT ON FUNCTION volume(box3)
IS 'volume of';

CREATE FUNCTION lseg3(point3, point3)
RETURNS lseg3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_make';

COMMENT ON FUNCTION lseg3(point3, point3)
IS 'segment between two points';

CREATE FUNCTION length(lseg3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_length';

COMMENT ON FUNCTION length(lseg3)
IS 'distance between the ends';

CREATE FUNCTION bound_box(box3, box3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_bound_box';

COMMENT ON FUNCTION bound_box(box3, box3)
IS 'smallest box around two';

CREATE AGGREGATE bound_box(box3) (
	SFUNC = bound_box, STYPE = box3, COMBINEFUNC = bound_box, PARALLEL = SAFE);

COMMENT ON AGGREGATE bound_box(box3)
IS 'smallest box around all';

CREATE CAST (point3 AS box3) WITH FUNCTION box3(point3) AS ASSIGNMENT;
CREATE CAST (lseg3 AS box3) WITH FUNCTION box3(lseg3);
CREATE CAST (box3 AS box) WITH FUNCTION box(box3);
CREATE CAST (point3 AS point) WITH FUNCTION point(point3);

COMMENT ON CAST (point3 AS box3)
IS 'box that is the point';
COMMENT ON CAST (lseg3 AS box3)
IS 'bounds of the segment';
COMMENT ON CAST (box3 AS box)
IS 'without z';
COMMENT ON CAST (point3 AS point)
IS 'without z';

CREATE FUNCTION spqtree_add(box3, point3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_add';

COMMENT ON FUNCTION spqtree_add(box3, point3)
IS 'box moved by a vector';

CREATE OPERATOR + (
	FUNCTION = spqtree_add, LEFTARG = box3, RIGHTARG = point3);

COMMENT ON OPERATOR + (box3, point3)
IS 'box moved by a vector';

CREATE FUNCTION spqtree_subtract(box3, point3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_sub';

COMMENT ON FUNCTION spqtree_subtract(box3, point3)
IS 'box moved against a vector';

CREATE OPERATOR - (
	FUNCTION = spqtree_subtract, LEFTARG = box3, RIGHTARG = point3);

COMMENT ON OPERATOR - (box3, point3)
IS 'box moved against a vector';

CREATE FUNCTION spqtree_expand(box3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_box3';

COMMENT ON FUNCTION spqtree_expand(box3, float8)
IS 'box around all that is within a distance; null for a negative distance';

CREATE FUNCTION spqtree_expand(point3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_point3';

COMMENT ON FUNCTION spqtree_expand(point3, float8)
IS 'box around all that is within a distance; null for a negative distance';

CREATE FUNCTION spqtree_expand(box3, dx float8, dy float8, dz float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_box3_by_axis';

COMMENT ON FUNCTION spqtree_expand(box3, float8, float8, float8)
IS 'box around all that is within a distance on each axis; null for a negative distance';

CREATE FUNCTION spqtree_expand(point3, dx float8, dy float8, dz float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_point3_by_axis';

COMMENT ON FUNCTION spqtree_expand(point3, float8, float8, float8)
IS 'box around all that is within a distance on each axis; null for a negative distance';

CREATE FUNCTION spqtree_dwithin(box3, box3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box3_box3';

COMMENT ON FUNCTION spqtree_dwithin(box3, box3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box3, point3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box3_point3';

COMMENT ON FUNCTION spqtree_dwithin(box3, point3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point3, box3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point3_box3';

COMMENT ON FUNCTION spqtree_dwithin(point3, box3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point3, point3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point3_point3';

COMMENT ON FUNCTION spqtree_dwithin(point3, point3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_expand(lseg3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_lseg3';

COMMENT ON FUNCTION spqtree_expand(lseg3, float8)
IS 'box around all that is within a distance on each axis; null for a negative distance';

CREATE FUNCTION spqtree_dwithin(lseg3, point3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg3_point3';

COMMENT ON FUNCTION spqtree_dwithin(lseg3, point3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point3, lseg3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point3_lseg3';

COMMENT ON FUNCTION spqtree_dwithin(point3, lseg3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg3, box3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg3_box3';

COMMENT ON FUNCTION spqtree_dwithin(lseg3, box3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box3, lseg3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box3_lseg3';

COMMENT ON FUNCTION spqtree_dwithin(box3, lseg3, float8)
IS 'the two are no farther apart than the distance';

--
-- Equality, hashing, and an order for sorting: of the numbers, exact.
--

CREATE FUNCTION point3_lt(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_lt';

COMMENT ON FUNCTION point3_lt(point3, point3)
IS 'implementation of < operator';

CREATE FUNCTION point3_le(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_le';

COMMENT ON FUNCTION point3_le(point3, point3)
IS 'implementation of <= operator';

CREATE FUNCTION point3_eq(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_eq';

COMMENT ON FUNCTION point3_eq(point3, point3)
IS 'implementation of = operator';

CREATE FUNCTION point3_ne(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_ne';

COMMENT ON FUNCTION point3_ne(point3, point3)
IS 'implementation of <> operator';

CREATE FUNCTION point3_ge(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_ge';

COMMENT ON FUNCTION point3_ge(point3, point3)
IS 'implementation of >= operator';

CREATE FUNCTION point3_gt(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_gt';

COMMENT ON FUNCTION point3_gt(point3, point3)
IS 'implementation of > operator';

CREATE FUNCTION point3_cmp(point3, point3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_cmp';

COMMENT ON FUNCTION point3_cmp(point3, point3)
IS 'less-equal-greater';

CREATE FUNCTION point3_hash(point3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_hash';

COMMENT ON FUNCTION point3_hash(point3)
IS 'hash';

CREATE FUNCTION point3_hash_extended(point3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_hash_extended';

COMMENT ON FUNCTION point3_hash_extended(point3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = point3_lt, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (point3, point3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = point3_le, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (point3, point3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = point3_eq, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (point3, point3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = point3_ne, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (point3, point3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = point3_ge, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (point3, point3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = point3_gt, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (point3, point3)
IS 'greater than';

CREATE OPERATOR FAMILY point3_ops USING btree;
CREATE OPERATOR FAMILY point3_ops USING hash;

CREATE OPERATOR CLASS point3_ops
DEFAULT FOR TYPE point3 USING btree FAMILY point3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	point3_cmp(point3, point3);

CREATE OPERATOR CLASS point3_ops
DEFAULT FOR TYPE point3 USING hash FAMILY point3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	point3_hash(point3),
	FUNCTION 2	point3_hash_extended(point3, bigint);

COMMENT ON OPERATOR FAMILY point3_ops USING btree
IS 'order of points in space, by their numbers';
COMMENT ON OPERATOR FAMILY point3_ops USING hash
IS 'equality of points in space';
COMMENT ON OPERATOR CLASS point3_ops USING btree
IS 'order of points in space, by their numbers';
COMMENT ON OPERATOR CLASS point3_ops USING hash
IS 'equality of points in space';

CREATE FUNCTION box3_lt(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_lt';

COMMENT ON FUNCTION box3_lt(box3, box3)
IS 'implementation of < operator';

CREATE FUNCTION box3_le(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_le';

COMMENT ON FUNCTION box3_le(box3, box3)
IS 'implementation of <= operator';

CREATE FUNCTION box3_eq(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_eq';

COMMENT ON FUNCTION box3_eq(box3, box3)
IS 'implementation of = operator';

CREATE FUNCTION box3_ne(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_ne';

COMMENT ON FUNCTION box3_ne(box3, box3)
IS 'implementation of <> operator';

CREATE FUNCTION box3_ge(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_ge';

COMMENT ON FUNCTION box3_ge(box3, box3)
IS 'implementation of >= operator';

CREATE FUNCTION box3_gt(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_gt';

COMMENT ON FUNCTION box3_gt(box3, box3)
IS 'implementation of > operator';

CREATE FUNCTION box3_cmp(box3, box3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_cmp';

COMMENT ON FUNCTION box3_cmp(box3, box3)
IS 'less-equal-greater';

CREATE FUNCTION box3_hash(box3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_hash';

COMMENT ON FUNCTION box3_hash(box3)
IS 'hash';

CREATE FUNCTION box3_hash_extended(box3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_hash_extended';

COMMENT ON FUNCTION box3_hash_extended(box3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = box3_lt, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (box3, box3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = box3_le, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (box3, box3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = box3_eq, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (box3, box3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = box3_ne, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (box3, box3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = box3_ge, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (box3, box3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = box3_gt, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (box3, box3)
IS 'greater than';

CREATE OPERATOR FAMILY box3_ops USING btree;
CREATE OPERATOR FAMILY box3_ops USING hash;

CREATE OPERATOR CLASS box3_ops
DEFAULT FOR TYPE box3 USING btree FAMILY box3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	box3_cmp(box3, box3);

CREATE OPERATOR CLASS box3_ops
DEFAULT FOR TYPE box3 USING hash FAMILY box3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	box3_hash(box3),
	FUNCTION 2	box3_hash_extended(box3, bigint);

COMMENT ON OPERATOR FAMILY box3_ops USING btree
IS 'order of boxes in space, by their numbers';
COMMENT ON OPERATOR FAMILY box3_ops USING hash
IS 'equality of boxes in space';
COMMENT ON OPERATOR CLASS box3_ops USING btree
IS 'order of boxes in space, by their numbers';
COMMENT ON OPERATOR CLASS box3_ops USING hash
IS 'equality of boxes in space';

CREATE FUNCTION lseg3_lt(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_lt';

COMMENT ON FUNCTION lseg3_lt(lseg3, lseg3)
IS 'implementation of < operator';

CREATE FUNCTION lseg3_le(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_le';

COMMENT ON FUNCTION lseg3_le(lseg3, lseg3)
IS 'implementation of <= operator';

CREATE FUNCTION lseg3_eq(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_eq';

COMMENT ON FUNCTION lseg3_eq(lseg3, lseg3)
IS 'implementation of = operator';

CREATE FUNCTION lseg3_ne(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_ne';

COMMENT ON FUNCTION lseg3_ne(lseg3, lseg3)
IS 'implementation of <> operator';

CREATE FUNCTION lseg3_ge(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_ge';

COMMENT ON FUNCTION lseg3_ge(lseg3, lseg3)
IS 'implementation of >= operator';

CREATE FUNCTION lseg3_gt(lseg3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_gt';

COMMENT ON FUNCTION lseg3_gt(lseg3, lseg3)
IS 'implementation of > operator';

CREATE FUNCTION lseg3_cmp(lseg3, lseg3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_cmp';

COMMENT ON FUNCTION lseg3_cmp(lseg3, lseg3)
IS 'less-equal-greater';

CREATE FUNCTION lseg3_hash(lseg3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_hash';

COMMENT ON FUNCTION lseg3_hash(lseg3)
IS 'hash';

CREATE FUNCTION lseg3_hash_extended(lseg3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_hash_extended';

COMMENT ON FUNCTION lseg3_hash_extended(lseg3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = lseg3_lt, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (lseg3, lseg3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = lseg3_le, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (lseg3, lseg3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = lseg3_eq, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (lseg3, lseg3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = lseg3_ne, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (lseg3, lseg3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = lseg3_ge, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (lseg3, lseg3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = lseg3_gt, LEFTARG = lseg3, RIGHTARG = lseg3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (lseg3, lseg3)
IS 'greater than';

CREATE OPERATOR FAMILY lseg3_ops USING btree;
CREATE OPERATOR FAMILY lseg3_ops USING hash;

CREATE OPERATOR CLASS lseg3_ops
DEFAULT FOR TYPE lseg3 USING btree FAMILY lseg3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	lseg3_cmp(lseg3, lseg3);

CREATE OPERATOR CLASS lseg3_ops
DEFAULT FOR TYPE lseg3 USING hash FAMILY lseg3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	lseg3_hash(lseg3),
	FUNCTION 2	lseg3_hash_extended(lseg3, bigint);

COMMENT ON OPERATOR FAMILY lseg3_ops USING btree
IS 'order of segments in space, by their numbers';
COMMENT ON OPERATOR FAMILY lseg3_ops USING hash
IS 'equality of segments in space';
COMMENT ON OPERATOR CLASS lseg3_ops USING btree
IS 'order of segments in space, by their numbers';
COMMENT ON OPERATOR CLASS lseg3_ops USING hash
IS 'equality of segments in space';

--
-- Relations and distances in space: exact, without the tolerance of PostgreSQL's types.
--

CREATE FUNCTION spqtree_overlaps(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overlap';

COMMENT ON FUNCTION spqtree_overlaps(box3, box3)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_contains(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_contains_box3';

COMMENT ON FUNCTION spqtree_contains(box3, box3)
IS 'implementation of @> operator';

CREATE FUNCTION spqtree_contained(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_in_box3';

COMMENT ON FUNCTION spqtree_contained(box3, box3)
IS 'implementation of <@ operator';

CREATE FUNCTION spqtree_same(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_same';

COMMENT ON FUNCTION spqtree_same(box3, box3)
IS 'implementation of ~= operator';

CREATE FUNCTION spqtree_left(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_left';

COMMENT ON FUNCTION spqtree_left(box3, box3)
IS 'implementation of << operator';

CREATE FUNCTION spqtree_overleft(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overleft';

COMMENT ON FUNCTION spqtree_overleft(box3, box3)
IS 'implementation of &< operator';

CREATE FUNCTION spqtree_right(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_right';

COMMENT ON FUNCTION spqtree_right(box3, box3)
IS 'implementation of >> operator';

CREATE FUNCTION spqtree_overright(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overright';

COMMENT ON FUNCTION spqtree_overright(box3, box3)
IS 'implementation of &> operator';

CREATE FUNCTION spqtree_below(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_below';

COMMENT ON FUNCTION spqtree_below(box3, box3)
IS 'implementation of <<| operator';

CREATE FUNCTION spqtree_overbelow(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overbelow';

COMMENT ON FUNCTION spqtree_overbelow(box3, box3)
IS 'implementation of &<| operator';

CREATE FUNCTION spqtree_above(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_above';

COMMENT ON FUNCTION spqtree_above(box3, box3)
IS 'implementation of |>> operator';

CREATE FUNCTION spqtree_overabove(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overabove';

COMMENT ON FUNCTION spqtree_overabove(box3, box3)
IS 'implementation of |&> operator';

CREATE FUNCTION spqtree_front(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_front';

COMMENT ON FUNCTION spqtree_front(box3, box3)
IS 'implementation of <</ operator';

CREATE FUNCTION spqtree_overfront(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overfront';

COMMENT ON FUNCTION spqtree_overfront(box3, box3)
IS 'implementation of &</ operator';

CREATE FUNCTION spqtree_back(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_back';

COMMENT ON FUNCTION spqtree_back(box3, box3)
IS 'implementation of />> operator';

CREATE FUNCTION spqtree_overback(box3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overback';

COMMENT ON FUNCTION spqtree_overback(box3, box3)
IS 'implementation of /&> operator';

CREATE FUNCTION spqtree_same(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_same';

COMMENT ON FUNCTION spqtree_same(point3, point3)
IS 'implementation of ~= operator';

CREATE FUNCTION spqtree_left(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_left';

COMMENT ON FUNCTION spqtree_left(point3, point3)
IS 'implementation of << operator';

CREATE FUNCTION spqtree_right(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_right';

COMMENT ON FUNCTION spqtree_right(point3, point3)
IS 'implementation of >> operator';

CREATE FUNCTION spqtree_below(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_below';

COMMENT ON FUNCTION spqtree_below(point3, point3)
IS 'implementation of <<| operator';

CREATE FUNCTION spqtree_above(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_above';

COMMENT ON FUNCTION spqtree_above(point3, point3)
IS 'implementation of |>> operator';

CREATE FUNCTION spqtree_front(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_front';

COMMENT ON FUNCTION spqtree_front(point3, point3)
IS 'implementation of <</ operator';

CREATE FUNCTION spqtree_back(point3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_back';

COMMENT ON FUNCTION spqtree_back(point3, point3)
IS 'implementation of />> operator';

CREATE FUNCTION spqtree_contains(box3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_contains_point3';

COMMENT ON FUNCTION spqtree_contains(box3, point3)
IS 'implementation of @> operator';

CREATE FUNCTION spqtree_contained(point3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_in_box3';

COMMENT ON FUNCTION spqtree_contained(point3, box3)
IS 'implementation of <@ operator';

CREATE FUNCTION spqtree_overlaps(box3, lseg3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overlaps_lseg3';

COMMENT ON FUNCTION spqtree_overlaps(box3, lseg3)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_overlaps(lseg3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_lseg3_overlaps_box3';

COMMENT ON FUNCTION spqtree_overlaps(lseg3, box3)
IS 'implementation of && operator';

CREATE FUNCTION spqtree_distance(point3, point3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_distance_point3';

COMMENT ON FUNCTION spqtree_distance(point3, point3)
IS 'implementation of <-> operator';

CREATE FUNCTION spqtree_distance(box3, point3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_distance_point3';

COMMENT ON FUNCTION spqtree_distance(box3, point3)
IS 'implementation of <-> operator';

CREATE FUNCTION spqtree_distance(point3, box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_distance_box3';

COMMENT ON FUNCTION spqtree_distance(point3, box3)
IS 'implementation of <-> operator';

CREATE FUNCTION spqtree_distance(box3, box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_distance_box3';

COMMENT ON FUNCTION spqtree_distance(box3, box3)
IS 'implementation of <-> operator';

CREATE FUNCTION spqtree_intersection(box3, box3)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_intersect';

COMMENT ON FUNCTION spqtree_intersection(box3, box3)
IS 'implementation of # operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box3, box3)
IS 'overlaps';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (box3, box3)
IS 'contains';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (box3, box3)
IS 'is contained by';

CREATE OPERATOR ~= (
	FUNCTION = spqtree_same, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = ~=, RESTRICT = eqsel, JOIN = eqjoinsel);

COMMENT ON OPERATOR ~= (box3, box3)
IS 'same as';

CREATE OPERATOR << (
	FUNCTION = spqtree_left, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = >>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR << (box3, box3)
IS 'is left of';

CREATE OPERATOR &< (
	FUNCTION = spqtree_overleft, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR &< (box3, box3)
IS 'overlaps or is left of';

CREATE OPERATOR >> (
	FUNCTION = spqtree_right, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <<, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR >> (box3, box3)
IS 'is right of';

CREATE OPERATOR &> (
	FUNCTION = spqtree_overright, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR &> (box3, box3)
IS 'overlaps or is right of';

CREATE OPERATOR <<| (
	FUNCTION = spqtree_below, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = |>>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR <<| (box3, box3)
IS 'is below';

CREATE OPERATOR &<| (
	FUNCTION = spqtree_overbelow, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR &<| (box3, box3)
IS 'overlaps or is below';

CREATE OPERATOR |>> (
	FUNCTION = spqtree_above, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <<|, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR |>> (box3, box3)
IS 'is above';

CREATE OPERATOR |&> (
	FUNCTION = spqtree_overabove, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR |&> (box3, box3)
IS 'overlaps or is above';

CREATE OPERATOR <</ (
	FUNCTION = spqtree_front, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = />>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR <</ (box3, box3)
IS 'is in front of';

CREATE OPERATOR &</ (
	FUNCTION = spqtree_overfront, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR &</ (box3, box3)
IS 'overlaps or is in front of';

CREATE OPERATOR />> (
	FUNCTION = spqtree_back, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <</, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR />> (box3, box3)
IS 'is behind';

CREATE OPERATOR /&> (
	FUNCTION = spqtree_overback, LEFTARG = box3, RIGHTARG = box3,
	RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR /&> (box3, box3)
IS 'overlaps or is behind';

CREATE OPERATOR ~= (
	FUNCTION = spqtree_same, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = ~=, RESTRICT = eqsel, JOIN = eqjoinsel);

COMMENT ON OPERATOR ~= (point3, point3)
IS 'same as';

CREATE OPERATOR << (
	FUNCTION = spqtree_left, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = >>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR << (point3, point3)
IS 'is left of';

CREATE OPERATOR >> (
	FUNCTION = spqtree_right, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <<, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR >> (point3, point3)
IS 'is right of';

CREATE OPERATOR <<| (
	FUNCTION = spqtree_below, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = |>>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR <<| (point3, point3)
IS 'is below';

CREATE OPERATOR |>> (
	FUNCTION = spqtree_above, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <<|, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR |>> (point3, point3)
IS 'is above';

CREATE OPERATOR <</ (
	FUNCTION = spqtree_front, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = />>, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR <</ (point3, point3)
IS 'is in front of';

CREATE OPERATOR />> (
	FUNCTION = spqtree_back, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <</, RESTRICT = positionsel, JOIN = positionjoinsel);

COMMENT ON OPERATOR />> (point3, point3)
IS 'is behind';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = box3, RIGHTARG = point3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (box3, point3)
IS 'contains';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = point3, RIGHTARG = box3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (point3, box3)
IS 'is contained by';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box3, RIGHTARG = lseg3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box3, lseg3)
IS 'overlaps';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = lseg3, RIGHTARG = box3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (lseg3, box3)
IS 'overlaps';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = point3, RIGHTARG = point3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (point3, point3)
IS 'distance between';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = box3, RIGHTARG = point3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (box3, point3)
IS 'distance between';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = point3, RIGHTARG = box3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (point3, box3)
IS 'distance between';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (box3, box3)
IS 'distance between';

CREATE OPERATOR # (
	FUNCTION = spqtree_intersection, LEFTARG = box3, RIGHTARG = box3,
	COMMUTATOR = #);

COMMENT ON OPERATOR # (box3, box3)
IS 'intersection';

--
-- Spheres, rays and frustums: exact, too.
--

CREATE TYPE sphere3;

CREATE FUNCTION sphere3_in(cstring)
RETURNS sphere3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_in';

COMMENT ON FUNCTION sphere3_in(cstring)
IS 'I/O';

CREATE FUNCTION sphere3_out(sphere3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_out';

COMMENT ON FUNCTION sphere3_out(sphere3)
IS 'I/O';

CREATE FUNCTION sphere3_recv(internal)
RETURNS sphere3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_recv';

COMMENT ON FUNCTION sphere3_recv(internal)
IS 'I/O';

CREATE FUNCTION sphere3_send(sphere3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_send';

COMMENT ON FUNCTION sphere3_send(sphere3)
IS 'I/O';

CREATE TYPE sphere3 (
	INPUT = sphere3_in, OUTPUT = sphere3_out, RECEIVE = sphere3_recv, SEND = sphere3_send,
	INTERNALLENGTH = 32, ALIGNMENT = double);

COMMENT ON TYPE sphere3
IS 'sphere ''<(x,y,z),r>''';

CREATE FUNCTION sphere3(center point3, radius float8)
RETURNS sphere3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_make';

COMMENT ON FUNCTION sphere3(center point3, radius float8)
IS 'sphere of a center and a radius';

CREATE FUNCTION center(sphere3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_center';

COMMENT ON FUNCTION center(sphere3)
IS 'center of';

CREATE FUNCTION radius(sphere3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_radius';

COMMENT ON FUNCTION radius(sphere3)
IS 'radius of';

CREATE FUNCTION sphere3_lt(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_lt';

COMMENT ON FUNCTION sphere3_lt(sphere3, sphere3)
IS 'implementation of < operator';

CREATE FUNCTION sphere3_le(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_le';

COMMENT ON FUNCTION sphere3_le(sphere3, sphere3)
IS 'implementation of <= operator';

CREATE FUNCTION sphere3_eq(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_eq';

COMMENT ON FUNCTION sphere3_eq(sphere3, sphere3)
IS 'implementation of = operator';

CREATE FUNCTION sphere3_ne(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_ne';

COMMENT ON FUNCTION sphere3_ne(sphere3, sphere3)
IS 'implementation of <> operator';

CREATE FUNCTION sphere3_ge(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_ge';

COMMENT ON FUNCTION sphere3_ge(sphere3, sphere3)
IS 'implementation of >= operator';

CREATE FUNCTION sphere3_gt(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_gt';

COMMENT ON FUNCTION sphere3_gt(sphere3, sphere3)
IS 'implementation of > operator';

CREATE FUNCTION sphere3_cmp(sphere3, sphere3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_cmp';

COMMENT ON FUNCTION sphere3_cmp(sphere3, sphere3)
IS 'less-equal-greater';

CREATE FUNCTION sphere3_hash(sphere3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_hash';

COMMENT ON FUNCTION sphere3_hash(sphere3)
IS 'hash';

CREATE FUNCTION sphere3_hash_extended(sphere3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_hash_extended';

COMMENT ON FUNCTION sphere3_hash_extended(sphere3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = sphere3_lt, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (sphere3, sphere3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = sphere3_le, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (sphere3, sphere3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = sphere3_eq, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (sphere3, sphere3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = sphere3_ne, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (sphere3, sphere3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = sphere3_ge, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (sphere3, sphere3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = sphere3_gt, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (sphere3, sphere3)
IS 'greater than';

CREATE OPERATOR FAMILY sphere3_ops USING btree;
CREATE OPERATOR FAMILY sphere3_ops USING hash;

CREATE OPERATOR CLASS sphere3_ops
DEFAULT FOR TYPE sphere3 USING btree FAMILY sphere3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	sphere3_cmp(sphere3, sphere3);

CREATE OPERATOR CLASS sphere3_ops
DEFAULT FOR TYPE sphere3 USING hash FAMILY sphere3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	sphere3_hash(sphere3),
	FUNCTION 2	sphere3_hash_extended(sphere3, bigint);

COMMENT ON OPERATOR FAMILY sphere3_ops USING btree
IS 'order of spheres, by their numbers';
COMMENT ON OPERATOR FAMILY sphere3_ops USING hash
IS 'equality of spheres';
COMMENT ON OPERATOR CLASS sphere3_ops USING btree
IS 'order of spheres, by their numbers';
COMMENT ON OPERATOR CLASS sphere3_ops USING hash
IS 'equality of spheres';

CREATE FUNCTION spqtree_overlaps(box3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overlaps_sphere3';

COMMENT ON FUNCTION spqtree_overlaps(box3, sphere3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box3, RIGHTARG = sphere3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box3, sphere3)
IS 'overlaps';

CREATE FUNCTION spqtree_overlaps(sphere3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_overlaps_box3';

COMMENT ON FUNCTION spqtree_overlaps(sphere3, box3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = sphere3, RIGHTARG = box3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (sphere3, box3)
IS 'overlaps';

CREATE FUNCTION spqtree_contained(box3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_in_sphere3';

COMMENT ON FUNCTION spqtree_contained(box3, sphere3)
IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = box3, RIGHTARG = sphere3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (box3, sphere3)
IS 'is contained by';

CREATE FUNCTION spqtree_contains(sphere3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_contains_box3';

COMMENT ON FUNCTION spqtree_contains(sphere3, box3)
IS 'implementation of @> operator';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = sphere3, RIGHTARG = box3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (sphere3, box3)
IS 'contains';

CREATE FUNCTION spqtree_contained(point3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_in_sphere3';

COMMENT ON FUNCTION spqtree_contained(point3, sphere3)
IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = point3, RIGHTARG = sphere3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (point3, sphere3)
IS 'is contained by';

CREATE FUNCTION spqtree_contains(sphere3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_contains_point3';

COMMENT ON FUNCTION spqtree_contains(sphere3, point3)
IS 'implementation of @> operator';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = sphere3, RIGHTARG = point3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (sphere3, point3)
IS 'contains';

CREATE FUNCTION spqtree_overlaps(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_overlaps_sphere3';

COMMENT ON FUNCTION spqtree_overlaps(sphere3, sphere3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (sphere3, sphere3)
IS 'overlaps';

CREATE FUNCTION spqtree_contained(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_in_sphere3';

COMMENT ON FUNCTION spqtree_contained(sphere3, sphere3)
IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (sphere3, sphere3)
IS 'is contained by';

CREATE FUNCTION spqtree_contains(sphere3, sphere3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_sphere3_contains_sphere3';

COMMENT ON FUNCTION spqtree_contains(sphere3, sphere3)
IS 'implementation of @> operator';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = sphere3, RIGHTARG = sphere3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (sphere3, sphere3)
IS 'contains';

CREATE TYPE ray3;

CREATE FUNCTION ray3_in(cstring)
RETURNS ray3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_in';

COMMENT ON FUNCTION ray3_in(cstring)
IS 'I/O';

CREATE FUNCTION ray3_out(ray3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_out';

COMMENT ON FUNCTION ray3_out(ray3)
IS 'I/O';

CREATE FUNCTION ray3_recv(internal)
RETURNS ray3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_recv';

COMMENT ON FUNCTION ray3_recv(internal)
IS 'I/O';

CREATE FUNCTION ray3_send(ray3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_send';

COMMENT ON FUNCTION ray3_send(ray3)
IS 'I/O';

CREATE TYPE ray3 (
	INPUT = ray3_in, OUTPUT = ray3_out, RECEIVE = ray3_recv, SEND = ray3_send,
	INTERNALLENGTH = 56, ALIGNMENT = double);

COMMENT ON TYPE ray3
IS 'ray ''<(x,y,z),(dx,dy,dz),max_distance>''';

CREATE FUNCTION ray3(origin point3, direction point3, max_distance float8 DEFAULT 'Infinity')
RETURNS ray3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_make';

COMMENT ON FUNCTION ray3(origin point3, direction point3, max_distance float8)
IS 'ray from a point in a direction, up to a distance';

CREATE FUNCTION origin(ray3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_origin';

COMMENT ON FUNCTION origin(ray3)
IS 'origin of';

CREATE FUNCTION direction(ray3)
RETURNS point3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_direction';

COMMENT ON FUNCTION direction(ray3)
IS 'direction of, as it was given';

CREATE FUNCTION max_distance(ray3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_max_distance';

COMMENT ON FUNCTION max_distance(ray3)
IS 'greatest distance from the origin';

CREATE FUNCTION ray3_lt(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_lt';

COMMENT ON FUNCTION ray3_lt(ray3, ray3)
IS 'implementation of < operator';

CREATE FUNCTION ray3_le(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_le';

COMMENT ON FUNCTION ray3_le(ray3, ray3)
IS 'implementation of <= operator';

CREATE FUNCTION ray3_eq(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_eq';

COMMENT ON FUNCTION ray3_eq(ray3, ray3)
IS 'implementation of = operator';

CREATE FUNCTION ray3_ne(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_ne';

COMMENT ON FUNCTION ray3_ne(ray3, ray3)
IS 'implementation of <> operator';

CREATE FUNCTION ray3_ge(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_ge';

COMMENT ON FUNCTION ray3_ge(ray3, ray3)
IS 'implementation of >= operator';

CREATE FUNCTION ray3_gt(ray3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_gt';

COMMENT ON FUNCTION ray3_gt(ray3, ray3)
IS 'implementation of > operator';

CREATE FUNCTION ray3_cmp(ray3, ray3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_cmp';

COMMENT ON FUNCTION ray3_cmp(ray3, ray3)
IS 'less-equal-greater';

CREATE FUNCTION ray3_hash(ray3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_hash';

COMMENT ON FUNCTION ray3_hash(ray3)
IS 'hash';

CREATE FUNCTION ray3_hash_extended(ray3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_hash_extended';

COMMENT ON FUNCTION ray3_hash_extended(ray3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = ray3_lt, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (ray3, ray3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = ray3_le, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (ray3, ray3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = ray3_eq, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (ray3, ray3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = ray3_ne, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (ray3, ray3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = ray3_ge, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (ray3, ray3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = ray3_gt, LEFTARG = ray3, RIGHTARG = ray3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (ray3, ray3)
IS 'greater than';

CREATE OPERATOR FAMILY ray3_ops USING btree;
CREATE OPERATOR FAMILY ray3_ops USING hash;

CREATE OPERATOR CLASS ray3_ops
DEFAULT FOR TYPE ray3 USING btree FAMILY ray3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	ray3_cmp(ray3, ray3);

CREATE OPERATOR CLASS ray3_ops
DEFAULT FOR TYPE ray3 USING hash FAMILY ray3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	ray3_hash(ray3),
	FUNCTION 2	ray3_hash_extended(ray3, bigint);

COMMENT ON OPERATOR FAMILY ray3_ops USING btree
IS 'order of rays, by their numbers';
COMMENT ON OPERATOR FAMILY ray3_ops USING hash
IS 'equality of rays';
COMMENT ON OPERATOR CLASS ray3_ops USING btree
IS 'order of rays, by their numbers';
COMMENT ON OPERATOR CLASS ray3_ops USING hash
IS 'equality of rays';

CREATE FUNCTION spqtree_expand(sphere3, distance float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_expand_sphere3';

COMMENT ON FUNCTION spqtree_expand(sphere3, float8)
IS 'box around all that is within a distance on each axis; null for a negative distance';

CREATE FUNCTION spqtree_dwithin(sphere3, sphere3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_sphere3_sphere3';

COMMENT ON FUNCTION spqtree_dwithin(sphere3, sphere3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(sphere3, point3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_sphere3_point3';

COMMENT ON FUNCTION spqtree_dwithin(sphere3, point3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(point3, sphere3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_point3_sphere3';

COMMENT ON FUNCTION spqtree_dwithin(point3, sphere3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(sphere3, box3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_sphere3_box3';

COMMENT ON FUNCTION spqtree_dwithin(sphere3, box3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(box3, sphere3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_box3_sphere3';

COMMENT ON FUNCTION spqtree_dwithin(box3, sphere3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(sphere3, lseg3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_sphere3_lseg3';

COMMENT ON FUNCTION spqtree_dwithin(sphere3, lseg3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_dwithin(lseg3, sphere3, distance float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT spqtree_dwithin_support
AS 'MODULE_PATHNAME', 'spq_dwithin_lseg3_sphere3';

COMMENT ON FUNCTION spqtree_dwithin(lseg3, sphere3, float8)
IS 'the two are no farther apart than the distance';

CREATE FUNCTION spqtree_overlaps(box3, ray3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overlaps_ray3';

COMMENT ON FUNCTION spqtree_overlaps(box3, ray3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box3, RIGHTARG = ray3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box3, ray3)
IS 'overlaps';

CREATE FUNCTION spqtree_overlaps(ray3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_overlaps_box3';

COMMENT ON FUNCTION spqtree_overlaps(ray3, box3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = ray3, RIGHTARG = box3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (ray3, box3)
IS 'overlaps';

CREATE FUNCTION spqtree_distance(box3, ray3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_distance_ray3';

COMMENT ON FUNCTION spqtree_distance(box3, ray3)
IS 'implementation of <-> operator';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = box3, RIGHTARG = ray3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (box3, ray3)
IS 'distance along the ray to the box';

CREATE FUNCTION spqtree_distance(ray3, box3)
RETURNS float8
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_ray3_distance_box3';

COMMENT ON FUNCTION spqtree_distance(ray3, box3)
IS 'implementation of <-> operator';

CREATE OPERATOR <-> (
	FUNCTION = spqtree_distance, LEFTARG = ray3, RIGHTARG = box3,
	COMMUTATOR = <->);

COMMENT ON OPERATOR <-> (ray3, box3)
IS 'distance along the ray to the box';

CREATE FUNCTION spqtree_hit(box3, ray3, OUT distance float8, OUT point point3, OUT normal point3)
RETURNS record
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_hit_box3_ray3';

COMMENT ON FUNCTION spqtree_hit(box3, ray3, OUT distance float8, OUT point point3, OUT normal point3)
IS 'where a ray enters a box; NULL if it misses it';

CREATE TYPE frustum3;

CREATE FUNCTION frustum3_in(cstring)
RETURNS frustum3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_in';

COMMENT ON FUNCTION frustum3_in(cstring)
IS 'I/O';

CREATE FUNCTION frustum3_out(frustum3)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_out';

COMMENT ON FUNCTION frustum3_out(frustum3)
IS 'I/O';

CREATE FUNCTION frustum3_recv(internal)
RETURNS frustum3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_recv';

COMMENT ON FUNCTION frustum3_recv(internal)
IS 'I/O';

CREATE FUNCTION frustum3_send(frustum3)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_send';

COMMENT ON FUNCTION frustum3_send(frustum3)
IS 'I/O';

CREATE TYPE frustum3 (
	INPUT = frustum3_in, OUTPUT = frustum3_out, RECEIVE = frustum3_recv, SEND = frustum3_send,
	INTERNALLENGTH = 192, ALIGNMENT = double);

COMMENT ON TYPE frustum3
IS 'frustum of six planes ''[(a,b,c,d),...]'': a x + b y + c z + d >= 0';

CREATE FUNCTION frustum3(planes float8[])
RETURNS frustum3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_of_planes';

COMMENT ON FUNCTION frustum3(planes float8[])
IS 'frustum of six planes (a,b,c,d): a x + b y + c z + d >= 0';

CREATE FUNCTION frustum3_row_major(matrix float8[], depth_from_zero boolean DEFAULT false)
RETURNS frustum3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_row_major';

COMMENT ON FUNCTION frustum3_row_major(matrix float8[], depth_from_zero boolean)
IS 'frustum of a view-projection matrix, row by row';

CREATE FUNCTION frustum3_column_major(matrix float8[], depth_from_zero boolean DEFAULT false)
RETURNS frustum3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_column_major';

COMMENT ON FUNCTION frustum3_column_major(matrix float8[], depth_from_zero boolean)
IS 'frustum of a view-projection matrix, column by column';

CREATE FUNCTION planes(frustum3)
RETURNS float8[]
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_planes';

COMMENT ON FUNCTION planes(frustum3)
IS 'planes of, as an array of six by four';

CREATE FUNCTION frustum3_lt(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_lt';

COMMENT ON FUNCTION frustum3_lt(frustum3, frustum3)
IS 'implementation of < operator';

CREATE FUNCTION frustum3_le(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_le';

COMMENT ON FUNCTION frustum3_le(frustum3, frustum3)
IS 'implementation of <= operator';

CREATE FUNCTION frustum3_eq(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_eq';

COMMENT ON FUNCTION frustum3_eq(frustum3, frustum3)
IS 'implementation of = operator';

CREATE FUNCTION frustum3_ne(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_ne';

COMMENT ON FUNCTION frustum3_ne(frustum3, frustum3)
IS 'implementation of <> operator';

CREATE FUNCTION frustum3_ge(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_ge';

COMMENT ON FUNCTION frustum3_ge(frustum3, frustum3)
IS 'implementation of >= operator';

CREATE FUNCTION frustum3_gt(frustum3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_gt';

COMMENT ON FUNCTION frustum3_gt(frustum3, frustum3)
IS 'implementation of > operator';

CREATE FUNCTION frustum3_cmp(frustum3, frustum3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_cmp';

COMMENT ON FUNCTION frustum3_cmp(frustum3, frustum3)
IS 'less-equal-greater';

CREATE FUNCTION frustum3_hash(frustum3)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_hash';

COMMENT ON FUNCTION frustum3_hash(frustum3)
IS 'hash';

CREATE FUNCTION frustum3_hash_extended(frustum3, bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_hash_extended';

COMMENT ON FUNCTION frustum3_hash_extended(frustum3, bigint)
IS 'hash';

CREATE OPERATOR < (
	FUNCTION = frustum3_lt, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

COMMENT ON OPERATOR < (frustum3, frustum3)
IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = frustum3_le, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

COMMENT ON OPERATOR <= (frustum3, frustum3)
IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = frustum3_eq, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);

COMMENT ON OPERATOR = (frustum3, frustum3)
IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = frustum3_ne, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);

COMMENT ON OPERATOR <> (frustum3, frustum3)
IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = frustum3_ge, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);

COMMENT ON OPERATOR >= (frustum3, frustum3)
IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = frustum3_gt, LEFTARG = frustum3, RIGHTARG = frustum3,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

COMMENT ON OPERATOR > (frustum3, frustum3)
IS 'greater than';

CREATE OPERATOR FAMILY frustum3_ops USING btree;
CREATE OPERATOR FAMILY frustum3_ops USING hash;

CREATE OPERATOR CLASS frustum3_ops
DEFAULT FOR TYPE frustum3 USING btree FAMILY frustum3_ops AS
	OPERATOR 1	<,
	OPERATOR 2	<=,
	OPERATOR 3	=,
	OPERATOR 4	>=,
	OPERATOR 5	>,
	FUNCTION 1	frustum3_cmp(frustum3, frustum3);

CREATE OPERATOR CLASS frustum3_ops
DEFAULT FOR TYPE frustum3 USING hash FAMILY frustum3_ops AS
	OPERATOR 1	=,
	FUNCTION 1	frustum3_hash(frustum3),
	FUNCTION 2	frustum3_hash_extended(frustum3, bigint);

COMMENT ON OPERATOR FAMILY frustum3_ops USING btree
IS 'order of frustums, by their numbers';
COMMENT ON OPERATOR FAMILY frustum3_ops USING hash
IS 'equality of frustums';
COMMENT ON OPERATOR CLASS frustum3_ops USING btree
IS 'order of frustums, by their numbers';
COMMENT ON OPERATOR CLASS frustum3_ops USING hash
IS 'equality of frustums';

CREATE FUNCTION spqtree_overlaps(box3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_overlaps_frustum3';

COMMENT ON FUNCTION spqtree_overlaps(box3, frustum3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = box3, RIGHTARG = frustum3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (box3, frustum3)
IS 'overlaps';

CREATE FUNCTION spqtree_overlaps(frustum3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_overlaps_box3';

COMMENT ON FUNCTION spqtree_overlaps(frustum3, box3)
IS 'implementation of && operator';

CREATE OPERATOR && (
	FUNCTION = spqtree_overlaps, LEFTARG = frustum3, RIGHTARG = box3,
	COMMUTATOR = &&, RESTRICT = areasel, JOIN = areajoinsel);

COMMENT ON OPERATOR && (frustum3, box3)
IS 'overlaps';

CREATE FUNCTION spqtree_contained(box3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box3_in_frustum3';

COMMENT ON FUNCTION spqtree_contained(box3, frustum3)
IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = box3, RIGHTARG = frustum3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (box3, frustum3)
IS 'is contained by';

CREATE FUNCTION spqtree_contains(frustum3, box3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_contains_box3';

COMMENT ON FUNCTION spqtree_contains(frustum3, box3)
IS 'implementation of @> operator';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = frustum3, RIGHTARG = box3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (frustum3, box3)
IS 'contains';

CREATE FUNCTION spqtree_contained(point3, frustum3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_point3_in_frustum3';

COMMENT ON FUNCTION spqtree_contained(point3, frustum3)
IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = spqtree_contained, LEFTARG = point3, RIGHTARG = frustum3,
	COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR <@ (point3, frustum3)
IS 'is contained by';

CREATE FUNCTION spqtree_contains(frustum3, point3)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_frustum3_contains_point3';

COMMENT ON FUNCTION spqtree_contains(frustum3, point3)
IS 'implementation of @> operator';

CREATE OPERATOR @> (
	FUNCTION = spqtree_contains, LEFTARG = frustum3, RIGHTARG = point3,
	COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON OPERATOR @> (frustum3, point3)
IS 'contains';

--
-- The access method.
--

CREATE FUNCTION spqtree_handler(internal)
RETURNS index_am_handler
LANGUAGE C
AS 'MODULE_PATHNAME', 'spq_rtree_handler';

COMMENT ON FUNCTION spqtree_handler(internal)
IS 'index access method handler for spqtree';

CREATE ACCESS METHOD spqtree TYPE INDEX HANDLER spqtree_handler;

COMMENT ON ACCESS METHOD spqtree
IS 'R-tree for boxes and other shapes, with nearest-neighbor order';

CREATE FUNCTION spqtree_box_ends(box, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box_ends';

CREATE FUNCTION spqtree_box_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box_condition';

CREATE FUNCTION spqtree_box_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box_order';

COMMENT ON FUNCTION spqtree_box_ends(box, internal)
IS 'ends method of box_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_box_condition(internal, internal)
IS 'condition method of box_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_box_order(internal, internal)
IS 'order method of box_ops of access method spqtree';

CREATE OPERATOR FAMILY box_ops USING spqtree;

COMMENT ON OPERATOR FAMILY box_ops USING spqtree
IS 'boxes in the access method spqtree';

-- Strategy numbers are those of the classes below.
CREATE OPERATOR CLASS box_ops
DEFAULT FOR TYPE box USING spqtree FAMILY box_ops AS
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
	OPERATOR 31	&& (box, circle),
	OPERATOR 32	<@ (box, circle),
	OPERATOR 33	&& (box, polygon),
	OPERATOR 34	<@ (box, polygon),
	OPERATOR 35	?# (box, lseg),
	FUNCTION 1	spqtree_box_ends(box, internal),
	FUNCTION 2	spqtree_box_condition(internal, internal),
	FUNCTION 3	spqtree_box_order(internal, internal);

COMMENT ON OPERATOR CLASS box_ops USING spqtree
IS 'index of boxes, exact for every box';

--
-- Strategy numbers are those of boxes, and 20 more for each type of argument
-- (src/rtree/shape.h).
--

CREATE FUNCTION spqtree_point_ends(point, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point_ends';

CREATE FUNCTION spqtree_point_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point_condition';

CREATE FUNCTION spqtree_point_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point_order';

COMMENT ON FUNCTION spqtree_point_ends(point, internal)
IS 'ends method of point_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_point_condition(internal, internal)
IS 'condition method of point_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_point_order(internal, internal)
IS 'order method of point_ops of access method spqtree';

CREATE OPERATOR FAMILY point_ops USING spqtree;

COMMENT ON OPERATOR FAMILY point_ops USING spqtree
IS 'points in the access method spqtree';

CREATE OPERATOR CLASS point_ops
DEFAULT FOR TYPE point USING spqtree FAMILY point_ops AS
	OPERATOR 1	pg_catalog.<< (point, point),
	OPERATOR 5	pg_catalog.>> (point, point),
	OPERATOR 6	pg_catalog.~= (point, point),
	OPERATOR 10	pg_catalog.<<| (point, point),
	OPERATOR 11	pg_catalog.|>> (point, point),
	OPERATOR 15	pg_catalog.<-> (point, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 28	pg_catalog.<@ (point, box),
	OPERATOR 29	pg_catalog.<^ (point, point),
	OPERATOR 30	pg_catalog.>^ (point, point),
	OPERATOR 31	pg_catalog.?| (point, point),
	OPERATOR 32	pg_catalog.?- (point, point),
	OPERATOR 35	pg_catalog.<-> (point, box)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 48	pg_catalog.<@ (point, polygon),
	OPERATOR 55	pg_catalog.<-> (point, polygon)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 68	pg_catalog.<@ (point, circle),
	OPERATOR 75	pg_catalog.<-> (point, circle)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 88	pg_catalog.<@ (point, lseg),
	OPERATOR 95	pg_catalog.<-> (point, lseg)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 108	pg_catalog.<@ (point, path),
	OPERATOR 115	pg_catalog.<-> (point, path)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_point_ends(point, internal),
	FUNCTION 2	spqtree_point_condition(internal, internal),
	FUNCTION 3	spqtree_point_order(internal, internal);

COMMENT ON OPERATOR CLASS point_ops USING spqtree
IS 'index of points, exact for every point';

CREATE FUNCTION spqtree_bounds_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_condition';

CREATE FUNCTION spqtree_exact_bounds_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_exact_condition';

CREATE FUNCTION spqtree_bounds_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_order';

CREATE FUNCTION spqtree_bounds3_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_condition3';

CREATE FUNCTION spqtree_bounds3_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_order3';

CREATE FUNCTION spqtree_earth_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_foreign_earth_order';

COMMENT ON FUNCTION spqtree_bounds_condition(internal, internal)
IS 'condition method of classes of access method spqtree for types with spqtree_bounds';
COMMENT ON FUNCTION spqtree_exact_bounds_condition(internal, internal)
IS 'the same, for operators that are about nothing but these bounds';
COMMENT ON FUNCTION spqtree_bounds_order(internal, internal)
IS 'order method of such classes, for bounds of type box';
COMMENT ON FUNCTION spqtree_bounds3_condition(internal, internal)
IS 'condition method of classes of access method spqtree for types with spqtree_bounds3';
COMMENT ON FUNCTION spqtree_bounds3_order(internal, internal)
IS 'order method of such classes';
COMMENT ON FUNCTION spqtree_earth_order(internal, internal)
IS 'order method of classes of access method spqtree, for bounds on a sphere of radius 1 and distances in meters on the Earth';

CREATE FUNCTION spqtree_circle_ends(circle, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_circle_ends';

CREATE FUNCTION spqtree_circle_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_circle_condition';

CREATE FUNCTION spqtree_circle_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_circle_order';

COMMENT ON FUNCTION spqtree_circle_ends(circle, internal)
IS 'ends method of circle_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_circle_condition(internal, internal)
IS 'condition method of circle_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_circle_order(internal, internal)
IS 'order method of circle_ops of access method spqtree';

CREATE OPERATOR FAMILY circle_ops USING spqtree;

COMMENT ON OPERATOR FAMILY circle_ops USING spqtree
IS 'circles in the access method spqtree';

CREATE OPERATOR CLASS circle_ops
DEFAULT FOR TYPE circle USING spqtree FAMILY circle_ops AS
	OPERATOR 1	pg_catalog.<< (circle, circle),
	OPERATOR 2	pg_catalog.&< (circle, circle),
	OPERATOR 3	pg_catalog.&& (circle, circle),
	OPERATOR 4	pg_catalog.&> (circle, circle),
	OPERATOR 5	pg_catalog.>> (circle, circle),
	OPERATOR 6	pg_catalog.~= (circle, circle),
	OPERATOR 7	pg_catalog.@> (circle, circle),
	OPERATOR 8	pg_catalog.<@ (circle, circle),
	OPERATOR 9	pg_catalog.&<| (circle, circle),
	OPERATOR 10	pg_catalog.<<| (circle, circle),
	OPERATOR 11	pg_catalog.|>> (circle, circle),
	OPERATOR 12	pg_catalog.|&> (circle, circle),
	OPERATOR 15	pg_catalog.<-> (circle, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> (circle, point),
	OPERATOR 17	pg_catalog.<-> (circle, circle)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 23	&& (circle, box),
	OPERATOR 27	@> (circle, box),
	OPERATOR 55	pg_catalog.<-> (circle, polygon)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_circle_ends(circle, internal),
	FUNCTION 2	spqtree_circle_condition(internal, internal),
	FUNCTION 3	spqtree_circle_order(internal, internal),
	STORAGE box;

COMMENT ON OPERATOR CLASS circle_ops USING spqtree
IS 'index of circles, by their bounds';

CREATE FUNCTION spqtree_polygon_ends(polygon, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_polygon_ends';

CREATE FUNCTION spqtree_polygon_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_polygon_condition';

CREATE FUNCTION spqtree_polygon_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_polygon_order';

COMMENT ON FUNCTION spqtree_polygon_ends(polygon, internal)
IS 'ends method of polygon_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_polygon_condition(internal, internal)
IS 'condition method of polygon_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_polygon_order(internal, internal)
IS 'order method of polygon_ops of access method spqtree';

CREATE OPERATOR FAMILY polygon_ops USING spqtree;

COMMENT ON OPERATOR FAMILY polygon_ops USING spqtree
IS 'polygons in the access method spqtree';

CREATE OPERATOR CLASS polygon_ops
DEFAULT FOR TYPE polygon USING spqtree FAMILY polygon_ops AS
	OPERATOR 1	pg_catalog.<< (polygon, polygon),
	OPERATOR 2	pg_catalog.&< (polygon, polygon),
	OPERATOR 3	pg_catalog.&& (polygon, polygon),
	OPERATOR 4	pg_catalog.&> (polygon, polygon),
	OPERATOR 5	pg_catalog.>> (polygon, polygon),
	OPERATOR 6	pg_catalog.~= (polygon, polygon),
	OPERATOR 7	pg_catalog.@> (polygon, polygon),
	OPERATOR 8	pg_catalog.<@ (polygon, polygon),
	OPERATOR 9	pg_catalog.&<| (polygon, polygon),
	OPERATOR 10	pg_catalog.<<| (polygon, polygon),
	OPERATOR 11	pg_catalog.|>> (polygon, polygon),
	OPERATOR 12	pg_catalog.|&> (polygon, polygon),
	OPERATOR 15	pg_catalog.<-> (polygon, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> (polygon, point),
	OPERATOR 17	pg_catalog.<-> (polygon, polygon)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 23	&& (polygon, box),
	OPERATOR 27	@> (polygon, box),
	OPERATOR 75	pg_catalog.<-> (polygon, circle)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_polygon_ends(polygon, internal),
	FUNCTION 2	spqtree_polygon_condition(internal, internal),
	FUNCTION 3	spqtree_polygon_order(internal, internal),
	STORAGE box;

COMMENT ON OPERATOR CLASS polygon_ops USING spqtree
IS 'index of polygons, by their bounds';

CREATE FUNCTION spqtree_lseg_ends(lseg, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_lseg_ends';

CREATE FUNCTION spqtree_lseg_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_lseg_condition';

CREATE FUNCTION spqtree_lseg_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_lseg_order';

COMMENT ON FUNCTION spqtree_lseg_ends(lseg, internal)
IS 'ends method of lseg_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_lseg_condition(internal, internal)
IS 'condition method of lseg_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_lseg_order(internal, internal)
IS 'order method of lseg_ops of access method spqtree';

CREATE OPERATOR FAMILY lseg_ops USING spqtree;

COMMENT ON OPERATOR FAMILY lseg_ops USING spqtree
IS 'line segments in the access method spqtree';

CREATE OPERATOR CLASS lseg_ops
DEFAULT FOR TYPE lseg USING spqtree FAMILY lseg_ops AS
	OPERATOR 3	pg_catalog.?# (lseg, lseg),
	OPERATOR 6	pg_catalog.= (lseg, lseg),
	OPERATOR 15	pg_catalog.<-> (lseg, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 17	pg_catalog.<-> (lseg, lseg)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 23	pg_catalog.?# (lseg, box),
	OPERATOR 28	pg_catalog.<@ (lseg, box),
	OPERATOR 35	pg_catalog.<-> (lseg, box)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_lseg_ends(lseg, internal),
	FUNCTION 2	spqtree_lseg_condition(internal, internal),
	FUNCTION 3	spqtree_lseg_order(internal, internal),
	STORAGE box;

COMMENT ON OPERATOR CLASS lseg_ops USING spqtree
IS 'index of line segments, by their bounds';

CREATE FUNCTION spqtree_path_ends(path, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_path_ends';

CREATE FUNCTION spqtree_path_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_path_condition';

CREATE FUNCTION spqtree_path_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_path_order';

COMMENT ON FUNCTION spqtree_path_ends(path, internal)
IS 'ends method of path_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_path_condition(internal, internal)
IS 'condition method of path_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_path_order(internal, internal)
IS 'order method of path_ops of access method spqtree';

CREATE OPERATOR FAMILY path_ops USING spqtree;

COMMENT ON OPERATOR FAMILY path_ops USING spqtree
IS 'paths in the access method spqtree';

CREATE OPERATOR CLASS path_ops
DEFAULT FOR TYPE path USING spqtree FAMILY path_ops AS
	OPERATOR 3	pg_catalog.?# (path, path),
	OPERATOR 15	pg_catalog.<-> (path, point)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	pg_catalog.@> (path, point),
	OPERATOR 17	pg_catalog.<-> (path, path)
		FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_path_ends(path, internal),
	FUNCTION 2	spqtree_path_condition(internal, internal),
	FUNCTION 3	spqtree_path_order(internal, internal),
	STORAGE box;

COMMENT ON OPERATOR CLASS path_ops USING spqtree
IS 'index of paths, by their bounds';

--
-- Boxes and points of three dimensions.  Strategy numbers are those of boxes in the
-- plane, and others for the third axis (src/box/strategy.h) and for other shapes
-- (src/rtree/solid_condition.h).
--

CREATE FUNCTION spqtree_box3_ends(box3, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box3_ends';

CREATE FUNCTION spqtree_box3_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box3_condition';

CREATE FUNCTION spqtree_box3_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_box3_order';

COMMENT ON FUNCTION spqtree_box3_ends(box3, internal)
IS 'ends method of box3_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_box3_condition(internal, internal)
IS 'condition method of box3_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_box3_order(internal, internal)
IS 'order method of box3_ops of access method spqtree';

CREATE OPERATOR FAMILY box3_ops USING spqtree;

COMMENT ON OPERATOR FAMILY box3_ops USING spqtree
IS 'boxes of three dimensions in the access method spqtree';

CREATE OPERATOR CLASS box3_ops
DEFAULT FOR TYPE box3 USING spqtree FAMILY box3_ops AS
	OPERATOR 1	<< (box3, box3),
	OPERATOR 2	&< (box3, box3),
	OPERATOR 3	&& (box3, box3),
	OPERATOR 4	&> (box3, box3),
	OPERATOR 5	>> (box3, box3),
	OPERATOR 6	~= (box3, box3),
	OPERATOR 7	@> (box3, box3),
	OPERATOR 8	<@ (box3, box3),
	OPERATOR 9	&<| (box3, box3),
	OPERATOR 10	<<| (box3, box3),
	OPERATOR 11	|>> (box3, box3),
	OPERATOR 12	|&> (box3, box3),
	OPERATOR 15	<-> (box3, point3)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16	@> (box3, point3),
	OPERATOR 17	<-> (box3, box3)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 18	<-> (box3, ray3)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 41	<</ (box3, box3),
	OPERATOR 42	&</ (box3, box3),
	OPERATOR 43	/>> (box3, box3),
	OPERATOR 44	/&> (box3, box3),
	OPERATOR 51	&& (box3, sphere3),
	OPERATOR 52	<@ (box3, sphere3),
	OPERATOR 53	&& (box3, ray3),
	OPERATOR 54	&& (box3, lseg3),
	OPERATOR 55	&& (box3, frustum3),
	OPERATOR 56	<@ (box3, frustum3),
	FUNCTION 1	spqtree_box3_ends(box3, internal),
	FUNCTION 2	spqtree_box3_condition(internal, internal),
	FUNCTION 3	spqtree_box3_order(internal, internal);

COMMENT ON OPERATOR CLASS box3_ops USING spqtree
IS 'index of boxes of three dimensions, exact for every box';

CREATE FUNCTION spqtree_point3_ends(point3, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point3_ends';

CREATE FUNCTION spqtree_point3_condition(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point3_condition';

CREATE FUNCTION spqtree_point3_order(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_rtree_point3_order';

COMMENT ON FUNCTION spqtree_point3_ends(point3, internal)
IS 'ends method of point3_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_point3_condition(internal, internal)
IS 'condition method of point3_ops of access method spqtree';
COMMENT ON FUNCTION spqtree_point3_order(internal, internal)
IS 'order method of point3_ops of access method spqtree';

CREATE OPERATOR FAMILY point3_ops USING spqtree;

COMMENT ON OPERATOR FAMILY point3_ops USING spqtree
IS 'points of three dimensions in the access method spqtree';

CREATE OPERATOR CLASS point3_ops
DEFAULT FOR TYPE point3 USING spqtree FAMILY point3_ops AS
	OPERATOR 1	<< (point3, point3),
	OPERATOR 5	>> (point3, point3),
	OPERATOR 6	~= (point3, point3),
	OPERATOR 10	<<| (point3, point3),
	OPERATOR 11	|>> (point3, point3),
	OPERATOR 15	<-> (point3, point3)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 17	<-> (point3, box3)
		FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 41	<</ (point3, point3),
	OPERATOR 43	/>> (point3, point3),
	OPERATOR 52	<@ (point3, sphere3),
	OPERATOR 56	<@ (point3, frustum3),
	OPERATOR 57	<@ (point3, box3),
	FUNCTION 1	spqtree_point3_ends(point3, internal),
	FUNCTION 2	spqtree_point3_condition(internal, internal),
	FUNCTION 3	spqtree_point3_order(internal, internal);

COMMENT ON OPERATOR CLASS point3_ops USING spqtree
IS 'index of points of three dimensions, exact for every point';

-- Scalar columns before the spatial one: equality.  Function 4 is that of hash
-- indexes; a type without one works all the same, but conditions on it do not make
-- a scan shorter.  record has none, since a hash changes when its type gets a field.
--

CREATE OPERATOR FAMILY integer_ops USING spqtree;

CREATE OPERATOR CLASS int2_ops
DEFAULT FOR TYPE int2 USING spqtree FAMILY integer_ops AS
	OPERATOR 1	pg_catalog.= (int2, int2),
	OPERATOR 1	pg_catalog.= (int2, int4),
	OPERATOR 1	pg_catalog.= (int2, int8),
	FUNCTION 4 (int2, int2) pg_catalog.hashint2extended(int2, int8);

CREATE OPERATOR CLASS int4_ops
DEFAULT FOR TYPE int4 USING spqtree FAMILY integer_ops AS
	OPERATOR 1	pg_catalog.= (int4, int4),
	OPERATOR 1	pg_catalog.= (int4, int2),
	OPERATOR 1	pg_catalog.= (int4, int8),
	FUNCTION 4 (int4, int4) pg_catalog.hashint4extended(int4, int8);

CREATE OPERATOR CLASS int8_ops
DEFAULT FOR TYPE int8 USING spqtree FAMILY integer_ops AS
	OPERATOR 1	pg_catalog.= (int8, int8),
	OPERATOR 1	pg_catalog.= (int8, int2),
	OPERATOR 1	pg_catalog.= (int8, int4),
	FUNCTION 4 (int8, int8) pg_catalog.hashint8extended(int8, int8);

COMMENT ON OPERATOR FAMILY integer_ops USING spqtree
IS 'equality of integers, before a spatial column';
COMMENT ON OPERATOR CLASS int2_ops USING spqtree
IS 'scalar column before a spatial one: int2';
COMMENT ON OPERATOR CLASS int4_ops USING spqtree
IS 'scalar column before a spatial one: int4';
COMMENT ON OPERATOR CLASS int8_ops USING spqtree
IS 'scalar column before a spatial one: int8';

CREATE OPERATOR FAMILY float_ops USING spqtree;

CREATE OPERATOR CLASS float4_ops
DEFAULT FOR TYPE float4 USING spqtree FAMILY float_ops AS
	OPERATOR 1	pg_catalog.= (float4, float4),
	OPERATOR 1	pg_catalog.= (float4, float8),
	FUNCTION 4 (float4, float4) pg_catalog.hashfloat4extended(float4, int8);

CREATE OPERATOR CLASS float8_ops
DEFAULT FOR TYPE float8 USING spqtree FAMILY float_ops AS
	OPERATOR 1	pg_catalog.= (float8, float8),
	OPERATOR 1	pg_catalog.= (float8, float4),
	FUNCTION 4 (float8, float8) pg_catalog.hashfloat8extended(float8, int8);

COMMENT ON OPERATOR FAMILY float_ops USING spqtree
IS 'equality of floating-point numbers, before a spatial column';
COMMENT ON OPERATOR CLASS float4_ops USING spqtree
IS 'scalar column before a spatial one: float4';
COMMENT ON OPERATOR CLASS float8_ops USING spqtree
IS 'scalar column before a spatial one: float8';

CREATE OPERATOR FAMILY text_ops USING spqtree;

CREATE OPERATOR CLASS text_ops
DEFAULT FOR TYPE text USING spqtree FAMILY text_ops AS
	OPERATOR 1	pg_catalog.= (text, text),
	OPERATOR 1	pg_catalog.= (text, name),
	FUNCTION 4 (text, text) pg_catalog.hashtextextended(text, int8);

CREATE OPERATOR CLASS name_ops
DEFAULT FOR TYPE name USING spqtree FAMILY text_ops AS
	OPERATOR 1	pg_catalog.= (name, name),
	OPERATOR 1	pg_catalog.= (name, text),
	FUNCTION 4 (name, name) pg_catalog.hashnameextended(name, int8);

COMMENT ON OPERATOR FAMILY text_ops USING spqtree
IS 'equality of strings, before a spatial column';
COMMENT ON OPERATOR CLASS text_ops USING spqtree
IS 'scalar column before a spatial one: text';
COMMENT ON OPERATOR CLASS name_ops USING spqtree
IS 'scalar column before a spatial one: name';

CREATE OPERATOR FAMILY array_ops USING spqtree;

CREATE OPERATOR CLASS array_ops
DEFAULT FOR TYPE anyarray USING spqtree FAMILY array_ops AS
	OPERATOR 1	pg_catalog.= (anyarray, anyarray),
	FUNCTION 4 (anyarray, anyarray) pg_catalog.hash_array_extended(anyarray, int8);

COMMENT ON OPERATOR FAMILY array_ops USING spqtree
IS 'equality of arrays, before a spatial column';
COMMENT ON OPERATOR CLASS array_ops USING spqtree
IS 'scalar column before a spatial one: anyarray';

CREATE OPERATOR FAMILY bit_ops USING spqtree;

CREATE OPERATOR CLASS bit_ops
DEFAULT FOR TYPE bit USING spqtree FAMILY bit_ops AS
	OPERATOR 1	pg_catalog.= (bit, bit);

COMMENT ON OPERATOR FAMILY bit_ops USING spqtree
IS 'equality of type bit, before a spatial column';
COMMENT ON OPERATOR CLASS bit_ops USING spqtree
IS 'scalar column before a spatial one: bit';

CREATE OPERATOR FAMILY bool_ops USING spqtree;

CREATE OPERATOR CLASS bool_ops
DEFAULT FOR TYPE bool USING spqtree FAMILY bool_ops AS
	OPERATOR 1	pg_catalog.= (bool, bool),
	FUNCTION 4 (bool, bool) pg_catalog.hashcharextended("char", int8);

COMMENT ON OPERATOR FAMILY bool_ops USING spqtree
IS 'equality of type bool, before a spatial column';
COMMENT ON OPERATOR CLASS bool_ops USING spqtree
IS 'scalar column before a spatial one: bool';

CREATE OPERATOR FAMILY bpchar_ops USING spqtree;

CREATE OPERATOR CLASS bpchar_ops
DEFAULT FOR TYPE bpchar USING spqtree FAMILY bpchar_ops AS
	OPERATOR 1	pg_catalog.= (bpchar, bpchar),
	FUNCTION 4 (bpchar, bpchar) pg_catalog.hashbpcharextended(bpchar, int8);

COMMENT ON OPERATOR FAMILY bpchar_ops USING spqtree
IS 'equality of type bpchar, before a spatial column';
COMMENT ON OPERATOR CLASS bpchar_ops USING spqtree
IS 'scalar column before a spatial one: bpchar';

CREATE OPERATOR FAMILY bytea_ops USING spqtree;

CREATE OPERATOR CLASS bytea_ops
DEFAULT FOR TYPE bytea USING spqtree FAMILY bytea_ops AS
	OPERATOR 1	pg_catalog.= (bytea, bytea),
	FUNCTION 4 (bytea, bytea) pg_catalog.hashvarlenaextended(internal, int8);

COMMENT ON OPERATOR FAMILY bytea_ops USING spqtree
IS 'equality of type bytea, before a spatial column';
COMMENT ON OPERATOR CLASS bytea_ops USING spqtree
IS 'scalar column before a spatial one: bytea';

CREATE OPERATOR FAMILY char_ops USING spqtree;

CREATE OPERATOR CLASS char_ops
DEFAULT FOR TYPE "char" USING spqtree FAMILY char_ops AS
	OPERATOR 1	pg_catalog.= ("char", "char"),
	FUNCTION 4 ("char", "char") pg_catalog.hashcharextended("char", int8);

COMMENT ON OPERATOR FAMILY char_ops USING spqtree
IS 'equality of type char, before a spatial column';
COMMENT ON OPERATOR CLASS char_ops USING spqtree
IS 'scalar column before a spatial one: char';

CREATE OPERATOR FAMILY date_ops USING spqtree;

CREATE OPERATOR CLASS date_ops
DEFAULT FOR TYPE date USING spqtree FAMILY date_ops AS
	OPERATOR 1	pg_catalog.= (date, date),
	FUNCTION 4 (date, date) pg_catalog.hashint4extended(int4, int8);

COMMENT ON OPERATOR FAMILY date_ops USING spqtree
IS 'equality of type date, before a spatial column';
COMMENT ON OPERATOR CLASS date_ops USING spqtree
IS 'scalar column before a spatial one: date';

CREATE OPERATOR FAMILY enum_ops USING spqtree;

CREATE OPERATOR CLASS enum_ops
DEFAULT FOR TYPE anyenum USING spqtree FAMILY enum_ops AS
	OPERATOR 1	pg_catalog.= (anyenum, anyenum),
	FUNCTION 4 (anyenum, anyenum) pg_catalog.hashenumextended(anyenum, int8);

COMMENT ON OPERATOR FAMILY enum_ops USING spqtree
IS 'equality of enums, before a spatial column';
COMMENT ON OPERATOR CLASS enum_ops USING spqtree
IS 'scalar column before a spatial one: anyenum';

CREATE OPERATOR FAMILY inet_ops USING spqtree;

CREATE OPERATOR CLASS inet_ops
DEFAULT FOR TYPE inet USING spqtree FAMILY inet_ops AS
	OPERATOR 1	pg_catalog.= (inet, inet),
	FUNCTION 4 (inet, inet) pg_catalog.hashinetextended(inet, int8);

COMMENT ON OPERATOR FAMILY inet_ops USING spqtree
IS 'equality of type inet, before a spatial column';
COMMENT ON OPERATOR CLASS inet_ops USING spqtree
IS 'scalar column before a spatial one: inet';

CREATE OPERATOR FAMILY interval_ops USING spqtree;

CREATE OPERATOR CLASS interval_ops
DEFAULT FOR TYPE interval USING spqtree FAMILY interval_ops AS
	OPERATOR 1	pg_catalog.= (interval, interval),
	FUNCTION 4 (interval, interval) pg_catalog.interval_hash_extended(interval, int8);

COMMENT ON OPERATOR FAMILY interval_ops USING spqtree
IS 'equality of type interval, before a spatial column';
COMMENT ON OPERATOR CLASS interval_ops USING spqtree
IS 'scalar column before a spatial one: interval';

CREATE OPERATOR FAMILY jsonb_ops USING spqtree;

CREATE OPERATOR CLASS jsonb_ops
DEFAULT FOR TYPE jsonb USING spqtree FAMILY jsonb_ops AS
	OPERATOR 1	pg_catalog.= (jsonb, jsonb),
	FUNCTION 4 (jsonb, jsonb) pg_catalog.jsonb_hash_extended(jsonb, int8);

COMMENT ON OPERATOR FAMILY jsonb_ops USING spqtree
IS 'equality of type jsonb, before a spatial column';
COMMENT ON OPERATOR CLASS jsonb_ops USING spqtree
IS 'scalar column before a spatial one: jsonb';

CREATE OPERATOR FAMILY macaddr_ops USING spqtree;

CREATE OPERATOR CLASS macaddr_ops
DEFAULT FOR TYPE macaddr USING spqtree FAMILY macaddr_ops AS
	OPERATOR 1	pg_catalog.= (macaddr, macaddr),
	FUNCTION 4 (macaddr, macaddr) pg_catalog.hashmacaddrextended(macaddr, int8);

COMMENT ON OPERATOR FAMILY macaddr_ops USING spqtree
IS 'equality of type macaddr, before a spatial column';
COMMENT ON OPERATOR CLASS macaddr_ops USING spqtree
IS 'scalar column before a spatial one: macaddr';

CREATE OPERATOR FAMILY macaddr8_ops USING spqtree;

CREATE OPERATOR CLASS macaddr8_ops
DEFAULT FOR TYPE macaddr8 USING spqtree FAMILY macaddr8_ops AS
	OPERATOR 1	pg_catalog.= (macaddr8, macaddr8),
	FUNCTION 4 (macaddr8, macaddr8) pg_catalog.hashmacaddr8extended(macaddr8, int8);

COMMENT ON OPERATOR FAMILY macaddr8_ops USING spqtree
IS 'equality of type macaddr8, before a spatial column';
COMMENT ON OPERATOR CLASS macaddr8_ops USING spqtree
IS 'scalar column before a spatial one: macaddr8';

CREATE OPERATOR FAMILY money_ops USING spqtree;

CREATE OPERATOR CLASS money_ops
DEFAULT FOR TYPE money USING spqtree FAMILY money_ops AS
	OPERATOR 1	pg_catalog.= (money, money);

COMMENT ON OPERATOR FAMILY money_ops USING spqtree
IS 'equality of type money, before a spatial column';
COMMENT ON OPERATOR CLASS money_ops USING spqtree
IS 'scalar column before a spatial one: money';

CREATE OPERATOR FAMILY multirange_ops USING spqtree;

CREATE OPERATOR CLASS multirange_ops
DEFAULT FOR TYPE anymultirange USING spqtree FAMILY multirange_ops AS
	OPERATOR 1	pg_catalog.= (anymultirange, anymultirange),
	FUNCTION 4 (anymultirange, anymultirange) pg_catalog.hash_multirange_extended(anymultirange, int8);

COMMENT ON OPERATOR FAMILY multirange_ops USING spqtree
IS 'equality of multiranges, before a spatial column';
COMMENT ON OPERATOR CLASS multirange_ops USING spqtree
IS 'scalar column before a spatial one: anymultirange';

CREATE OPERATOR FAMILY numeric_ops USING spqtree;

CREATE OPERATOR CLASS numeric_ops
DEFAULT FOR TYPE numeric USING spqtree FAMILY numeric_ops AS
	OPERATOR 1	pg_catalog.= (numeric, numeric),
	FUNCTION 4 (numeric, numeric) pg_catalog.hash_numeric_extended(numeric, int8);

COMMENT ON OPERATOR FAMILY numeric_ops USING spqtree
IS 'equality of type numeric, before a spatial column';
COMMENT ON OPERATOR CLASS numeric_ops USING spqtree
IS 'scalar column before a spatial one: numeric';

CREATE OPERATOR FAMILY oid_ops USING spqtree;

CREATE OPERATOR CLASS oid_ops
DEFAULT FOR TYPE oid USING spqtree FAMILY oid_ops AS
	OPERATOR 1	pg_catalog.= (oid, oid),
	FUNCTION 4 (oid, oid) pg_catalog.hashoidextended(oid, int8);

COMMENT ON OPERATOR FAMILY oid_ops USING spqtree
IS 'equality of type oid, before a spatial column';
COMMENT ON OPERATOR CLASS oid_ops USING spqtree
IS 'scalar column before a spatial one: oid';

CREATE OPERATOR FAMILY oidvector_ops USING spqtree;

CREATE OPERATOR CLASS oidvector_ops
DEFAULT FOR TYPE oidvector USING spqtree FAMILY oidvector_ops AS
	OPERATOR 1	pg_catalog.= (oidvector, oidvector),
	FUNCTION 4 (oidvector, oidvector) pg_catalog.hashoidvectorextended(oidvector, int8);

COMMENT ON OPERATOR FAMILY oidvector_ops USING spqtree
IS 'equality of type oidvector, before a spatial column';
COMMENT ON OPERATOR CLASS oidvector_ops USING spqtree
IS 'scalar column before a spatial one: oidvector';

CREATE OPERATOR FAMILY pg_lsn_ops USING spqtree;

CREATE OPERATOR CLASS pg_lsn_ops
DEFAULT FOR TYPE pg_lsn USING spqtree FAMILY pg_lsn_ops AS
	OPERATOR 1	pg_catalog.= (pg_lsn, pg_lsn),
	FUNCTION 4 (pg_lsn, pg_lsn) pg_catalog.pg_lsn_hash_extended(pg_lsn, int8);

COMMENT ON OPERATOR FAMILY pg_lsn_ops USING spqtree
IS 'equality of type pg_lsn, before a spatial column';
COMMENT ON OPERATOR CLASS pg_lsn_ops USING spqtree
IS 'scalar column before a spatial one: pg_lsn';

CREATE OPERATOR FAMILY range_ops USING spqtree;

CREATE OPERATOR CLASS range_ops
DEFAULT FOR TYPE anyrange USING spqtree FAMILY range_ops AS
	OPERATOR 1	pg_catalog.= (anyrange, anyrange),
	FUNCTION 4 (anyrange, anyrange) pg_catalog.hash_range_extended(anyrange, int8);

COMMENT ON OPERATOR FAMILY range_ops USING spqtree
IS 'equality of ranges, before a spatial column';
COMMENT ON OPERATOR CLASS range_ops USING spqtree
IS 'scalar column before a spatial one: anyrange';

CREATE OPERATOR FAMILY record_ops USING spqtree;

CREATE OPERATOR CLASS record_ops
DEFAULT FOR TYPE record USING spqtree FAMILY record_ops AS
	OPERATOR 1	pg_catalog.= (record, record);

COMMENT ON OPERATOR FAMILY record_ops USING spqtree
IS 'equality of composite types, before a spatial column';
COMMENT ON OPERATOR CLASS record_ops USING spqtree
IS 'scalar column before a spatial one: record';

CREATE OPERATOR FAMILY tid_ops USING spqtree;

CREATE OPERATOR CLASS tid_ops
DEFAULT FOR TYPE tid USING spqtree FAMILY tid_ops AS
	OPERATOR 1	pg_catalog.= (tid, tid),
	FUNCTION 4 (tid, tid) pg_catalog.hashtidextended(tid, int8);

COMMENT ON OPERATOR FAMILY tid_ops USING spqtree
IS 'equality of type tid, before a spatial column';
COMMENT ON OPERATOR CLASS tid_ops USING spqtree
IS 'scalar column before a spatial one: tid';

CREATE OPERATOR FAMILY time_ops USING spqtree;

CREATE OPERATOR CLASS time_ops
DEFAULT FOR TYPE time USING spqtree FAMILY time_ops AS
	OPERATOR 1	pg_catalog.= (time, time),
	FUNCTION 4 (time, time) pg_catalog.time_hash_extended(time, int8);

COMMENT ON OPERATOR FAMILY time_ops USING spqtree
IS 'equality of type time, before a spatial column';
COMMENT ON OPERATOR CLASS time_ops USING spqtree
IS 'scalar column before a spatial one: time';

CREATE OPERATOR FAMILY timestamp_ops USING spqtree;

CREATE OPERATOR CLASS timestamp_ops
DEFAULT FOR TYPE timestamp USING spqtree FAMILY timestamp_ops AS
	OPERATOR 1	pg_catalog.= (timestamp, timestamp),
	FUNCTION 4 (timestamp, timestamp) pg_catalog.timestamp_hash_extended(timestamp, int8);

COMMENT ON OPERATOR FAMILY timestamp_ops USING spqtree
IS 'equality of type timestamp, before a spatial column';
COMMENT ON OPERATOR CLASS timestamp_ops USING spqtree
IS 'scalar column before a spatial one: timestamp';

CREATE OPERATOR FAMILY timestamptz_ops USING spqtree;

CREATE OPERATOR CLASS timestamptz_ops
DEFAULT FOR TYPE timestamptz USING spqtree FAMILY timestamptz_ops AS
	OPERATOR 1	pg_catalog.= (timestamptz, timestamptz),
	FUNCTION 4 (timestamptz, timestamptz) pg_catalog.timestamp_hash_extended(timestamp, int8);

COMMENT ON OPERATOR FAMILY timestamptz_ops USING spqtree
IS 'equality of type timestamptz, before a spatial column';
COMMENT ON OPERATOR CLASS timestamptz_ops USING spqtree
IS 'scalar column before a spatial one: timestamptz';

CREATE OPERATOR FAMILY timetz_ops USING spqtree;

CREATE OPERATOR CLASS timetz_ops
DEFAULT FOR TYPE timetz USING spqtree FAMILY timetz_ops AS
	OPERATOR 1	pg_catalog.= (timetz, timetz),
	FUNCTION 4 (timetz, timetz) pg_catalog.timetz_hash_extended(timetz, int8);

COMMENT ON OPERATOR FAMILY timetz_ops USING spqtree
IS 'equality of type timetz, before a spatial column';
COMMENT ON OPERATOR CLASS timetz_ops USING spqtree
IS 'scalar column before a spatial one: timetz';

CREATE OPERATOR FAMILY tsquery_ops USING spqtree;

CREATE OPERATOR CLASS tsquery_ops
DEFAULT FOR TYPE tsquery USING spqtree FAMILY tsquery_ops AS
	OPERATOR 1	pg_catalog.= (tsquery, tsquery);

COMMENT ON OPERATOR FAMILY tsquery_ops USING spqtree
IS 'equality of type tsquery, before a spatial column';
COMMENT ON OPERATOR CLASS tsquery_ops USING spqtree
IS 'scalar column before a spatial one: tsquery';

CREATE OPERATOR FAMILY tsvector_ops USING spqtree;

CREATE OPERATOR CLASS tsvector_ops
DEFAULT FOR TYPE tsvector USING spqtree FAMILY tsvector_ops AS
	OPERATOR 1	pg_catalog.= (tsvector, tsvector);

COMMENT ON OPERATOR FAMILY tsvector_ops USING spqtree
IS 'equality of type tsvector, before a spatial column';
COMMENT ON OPERATOR CLASS tsvector_ops USING spqtree
IS 'scalar column before a spatial one: tsvector';

CREATE OPERATOR FAMILY uuid_ops USING spqtree;

CREATE OPERATOR CLASS uuid_ops
DEFAULT FOR TYPE uuid USING spqtree FAMILY uuid_ops AS
	OPERATOR 1	pg_catalog.= (uuid, uuid),
	FUNCTION 4 (uuid, uuid) pg_catalog.uuid_hash_extended(uuid, int8);

COMMENT ON OPERATOR FAMILY uuid_ops USING spqtree
IS 'equality of type uuid, before a spatial column';
COMMENT ON OPERATOR CLASS uuid_ops USING spqtree
IS 'scalar column before a spatial one: uuid';

CREATE OPERATOR FAMILY varbit_ops USING spqtree;

CREATE OPERATOR CLASS varbit_ops
DEFAULT FOR TYPE varbit USING spqtree FAMILY varbit_ops AS
	OPERATOR 1	pg_catalog.= (varbit, varbit);

COMMENT ON OPERATOR FAMILY varbit_ops USING spqtree
IS 'equality of type varbit, before a spatial column';
COMMENT ON OPERATOR CLASS varbit_ops USING spqtree
IS 'scalar column before a spatial one: varbit';

CREATE OPERATOR FAMILY xid8_ops USING spqtree;

CREATE OPERATOR CLASS xid8_ops
DEFAULT FOR TYPE xid8 USING spqtree FAMILY xid8_ops AS
	OPERATOR 1	pg_catalog.= (xid8, xid8),
	FUNCTION 4 (xid8, xid8) pg_catalog.hashint8extended(int8, int8);

COMMENT ON OPERATOR FAMILY xid8_ops USING spqtree
IS 'equality of type xid8, before a spatial column';
COMMENT ON OPERATOR CLASS xid8_ops USING spqtree
IS 'scalar column before a spatial one: xid8';
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

-- Strategy numbers are those of PostgreSQL's own classes for boxes, where these
-- have them.  Operators are schema-qualified, so that the search path cannot
-- put another operator of the same name in their place.
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
IS 'quadtree index of boxes, exact for every box';

--
-- The compact quadtree index: an operator class with leaves of 16 bytes, four
-- float4 rounded outward, instead of 32.  It does not store the original boxes,
-- so it has no index-only scans.
--

CREATE TYPE spqtree_compact_box;

CREATE FUNCTION spqtree_compact_box_in(cstring)
RETURNS spqtree_compact_box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_compact_box_in';

CREATE FUNCTION spqtree_compact_box_out(spqtree_compact_box)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_compact_box_out';

CREATE TYPE spqtree_compact_box (
	INPUT = spqtree_compact_box_in,
	OUTPUT = spqtree_compact_box_out,
	INTERNALLENGTH = 16,
	ALIGNMENT = int4);

COMMENT ON TYPE spqtree_compact_box
IS 'box as spqtree_box_compact_ops stores it: four float4, rounded outward';
COMMENT ON FUNCTION spqtree_compact_box_in(cstring)
IS 'input function of spqtree_compact_box, which accepts any box';
COMMENT ON FUNCTION spqtree_compact_box_out(spqtree_compact_box)
IS 'output function of spqtree_compact_box, which prints it as a box';

CREATE FUNCTION spqtree_box_compact_config(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_config';

CREATE FUNCTION spqtree_box_compact_choose(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_choose';

CREATE FUNCTION spqtree_box_compact_picksplit(internal, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_picksplit';

CREATE FUNCTION spqtree_box_compact_leaf_consistent(internal, internal)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_leaf_consistent';

CREATE FUNCTION spqtree_box_compact_compress(box)
RETURNS spqtree_compact_box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_box_compact_compress';

COMMENT ON FUNCTION spqtree_box_compact_config(internal, internal)
IS 'SP-GiST config method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_choose(internal, internal)
IS 'SP-GiST choose method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_picksplit(internal, internal)
IS 'SP-GiST picksplit method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_leaf_consistent(internal, internal)
IS 'SP-GiST leaf_consistent method of spqtree_box_compact_ops';
COMMENT ON FUNCTION spqtree_box_compact_compress(box)
IS 'SP-GiST compress method of spqtree_box_compact_ops';

CREATE OPERATOR FAMILY spqtree_box_compact_ops USING spgist;

COMMENT ON OPERATOR FAMILY spqtree_box_compact_ops USING spgist
IS 'compact quadtree of boxes';

CREATE OPERATOR CLASS spqtree_box_compact_ops
FOR TYPE box USING spgist FAMILY spqtree_box_compact_ops AS
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
	FUNCTION 1	spqtree_box_compact_config(internal, internal),
	FUNCTION 2	spqtree_box_compact_choose(internal, internal),
	FUNCTION 3	spqtree_box_compact_picksplit(internal, internal),
	FUNCTION 4	spqtree_box_inner_consistent(internal, internal),
	FUNCTION 5	spqtree_box_compact_leaf_consistent(internal, internal),
	FUNCTION 6	spqtree_box_compact_compress(box),
	STORAGE spqtree_compact_box;

COMMENT ON OPERATOR CLASS spqtree_box_compact_ops USING spgist
IS 'compact quadtree index of boxes: leaves of half the size, exact for every box, no index-only scans';

--
-- The spatial join: pairs of rows whose boxes satisfy a predicate.
--
-- The C functions return one pair per call.  Users call the SQL functions
-- around them, which the planner inlines, so that pairs are computed as they
-- are needed.  The SQL bodies are parsed here, once, so they do not depend on
-- the caller's search path.  All are parallel unsafe, because a query given as
-- text may do what parallel workers must not do.
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
IS 'joins two queries that return (id, box), (id, box3) or (id, point3): pairs of ids whose boxes satisfy &&, @>, <@ or ~=, or lie within a distance';

CREATE FUNCTION spqtree_self_join(
	query text, distance float8 DEFAULT NULL, cell_size float8 DEFAULT NULL)
RETURNS TABLE (id1 bigint, id2 bigint)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 100000
BEGIN ATOMIC
	SELECT (pair).id1, (pair).id2
	FROM (SELECT spqtree_self_join_pairs(query, distance, cell_size) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_self_join(text, float8, float8)
IS 'joins a query that returns (id, box), (id, box3) or (id, point3) with itself: pairs of ids whose boxes overlap or lie within a distance, each pair once';

CREATE FUNCTION spqtree_join_changed_pairs(
	before_query text, left_query text, right_query text, predicate text,
	distance float8, leave_distance float8,
	OUT left_id bigint, OUT right_id bigint, OUT kind text)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
AS 'MODULE_PATHNAME', 'spq_join_changed_pairs';

COMMENT ON FUNCTION spqtree_join_changed_pairs(text, text, text, text, float8, float8)
IS 'implementation of spqtree_join_changes';

CREATE FUNCTION spqtree_self_join_changed_pairs(
	before_query text, after_query text, distance float8, leave_distance float8,
	OUT id1 bigint, OUT id2 bigint, OUT kind text)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
AS 'MODULE_PATHNAME', 'spq_self_join_changed_pairs';

COMMENT ON FUNCTION spqtree_self_join_changed_pairs(text, text, float8, float8)
IS 'implementation of spqtree_self_join_changes';

CREATE FUNCTION spqtree_join_changes(
	before_query text, left_query text, right_query text, predicate text DEFAULT '&&',
	distance float8 DEFAULT NULL, leave_distance float8 DEFAULT NULL)
RETURNS TABLE (kind text, left_id bigint, right_id bigint)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
BEGIN ATOMIC
	SELECT (pair).kind, (pair).left_id, (pair).right_id
	FROM (SELECT spqtree_join_changed_pairs(before_query, left_query, right_query, predicate,
											distance, leave_distance) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_join_changes(text, text, text, text, float8, float8)
IS 'what changes the pairs of a query into those of a spatial join: pairs that enter, pairs that leave';

CREATE FUNCTION spqtree_self_join_changes(
	before_query text, after_query text,
	distance float8 DEFAULT NULL, leave_distance float8 DEFAULT NULL)
RETURNS TABLE (kind text, id1 bigint, id2 bigint)
LANGUAGE SQL STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
BEGIN ATOMIC
	SELECT (pair).kind, (pair).id1, (pair).id2
	FROM (SELECT spqtree_self_join_changed_pairs(before_query, after_query, distance,
												 leave_distance) AS pair) AS pairs;
END;

COMMENT ON FUNCTION spqtree_self_join_changes(text, text, float8, float8)
IS 'the difference between two states of objects: pairs of objects that enter or leave each other''s neighborhood';

--
-- Cells: numbers of the square cells of a plain grid, for joins, clustering and
-- sharding in plain SQL.
--

CREATE FUNCTION spqtree_cell(point, cell_size float8)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_cell';

COMMENT ON FUNCTION spqtree_cell(point, float8)
IS 'number of the grid cell that contains a point, in Z-order';

CREATE FUNCTION spqtree_cells(box, cell_size float8)
RETURNS SETOF bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 4
AS 'MODULE_PATHNAME', 'spq_cells';

COMMENT ON FUNCTION spqtree_cells(box, float8)
IS 'numbers of all grid cells that a box touches';

CREATE FUNCTION spqtree_pair_cell(box, box, cell_size float8)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_pair_cell';

COMMENT ON FUNCTION spqtree_pair_cell(box, box, float8)
IS 'number of the one grid cell that owns a pair of overlapping boxes; null if they do not overlap';

--
-- Parts: a partitioning of the plane or of space into parts with about the same
-- number of boxes, to divide tables among partitions or servers.
--

CREATE TYPE spqtree_partitioning;

CREATE FUNCTION spqtree_partitioning_in(cstring)
RETURNS spqtree_partitioning
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_partitioning_in';

COMMENT ON FUNCTION spqtree_partitioning_in(cstring)
IS 'I/O';

CREATE FUNCTION spqtree_partitioning_out(spqtree_partitioning)
RETURNS cstring
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_partitioning_out';

COMMENT ON FUNCTION spqtree_partitioning_out(spqtree_partitioning)
IS 'I/O';

CREATE FUNCTION spqtree_partitioning_recv(internal)
RETURNS spqtree_partitioning
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_partitioning_recv';

COMMENT ON FUNCTION spqtree_partitioning_recv(internal)
IS 'I/O';

CREATE FUNCTION spqtree_partitioning_send(spqtree_partitioning)
RETURNS bytea
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_partitioning_send';

COMMENT ON FUNCTION spqtree_partitioning_send(spqtree_partitioning)
IS 'I/O';

CREATE TYPE spqtree_partitioning (
	INPUT = spqtree_partitioning_in, OUTPUT = spqtree_partitioning_out,
	RECEIVE = spqtree_partitioning_recv, SEND = spqtree_partitioning_send,
	INTERNALLENGTH = VARIABLE, ALIGNMENT = double, STORAGE = extended);

COMMENT ON TYPE spqtree_partitioning
IS 'partitioning of the plane or of space into numbered parts ''2d x5 y3 1 2 3''';

CREATE FUNCTION spqtree_partition(
	query text, parts integer, max_copies integer DEFAULT NULL)
RETURNS spqtree_partitioning
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000
AS 'MODULE_PATHNAME', 'spq_partition';

COMMENT ON FUNCTION spqtree_partition(text, integer, integer)
IS 'partitioning into parts with about the same number of the boxes or points that a query returns';

CREATE FUNCTION spqtree_parts(box, spqtree_partitioning)
RETURNS integer[]
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_parts';

COMMENT ON FUNCTION spqtree_parts(box, spqtree_partitioning)
IS 'parts that a box touches; part 0 if there are too many, or none';

CREATE FUNCTION spqtree_parts(box3, spqtree_partitioning)
RETURNS integer[]
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_parts3';

COMMENT ON FUNCTION spqtree_parts(box3, spqtree_partitioning)
IS 'parts that a box touches; part 0 if there are too many, or none';

CREATE FUNCTION spqtree_window_parts(box, spqtree_partitioning)
RETURNS integer[]
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_window_parts';

COMMENT ON FUNCTION spqtree_window_parts(box, spqtree_partitioning)
IS 'parts in which boxes that overlap a box can be';

CREATE FUNCTION spqtree_window_parts(box3, spqtree_partitioning)
RETURNS integer[]
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_window_parts3';

COMMENT ON FUNCTION spqtree_window_parts(box3, spqtree_partitioning)
IS 'parts in which boxes that overlap a box can be';

CREATE FUNCTION spqtree_part(point, spqtree_partitioning)
RETURNS integer
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_part';

COMMENT ON FUNCTION spqtree_part(point, spqtree_partitioning)
IS 'part that a point is in; part 0 if it is in none';

CREATE FUNCTION spqtree_part(point3, spqtree_partitioning)
RETURNS integer
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_part3';

COMMENT ON FUNCTION spqtree_part(point3, spqtree_partitioning)
IS 'part that a point is in; part 0 if it is in none';

CREATE FUNCTION spqtree_pair_part(box, box, spqtree_partitioning)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_pair_part';

COMMENT ON FUNCTION spqtree_pair_part(box, box, spqtree_partitioning)
IS 'part that owns a pair of boxes: one that both of them touch, if they overlap';

CREATE FUNCTION spqtree_pair_part(box3, box3, spqtree_partitioning)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_pair_part3';

COMMENT ON FUNCTION spqtree_pair_part(box3, box3, spqtree_partitioning)
IS 'part that owns a pair of boxes: one that both of them touch, if they overlap';

CREATE FUNCTION spqtree_renumber(spqtree_partitioning, integer[])
RETURNS spqtree_partitioning
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_renumber';

COMMENT ON FUNCTION spqtree_renumber(spqtree_partitioning, integer[])
IS 'the same partitioning with other numbers, in the order of spqtree_part_list';

CREATE FUNCTION spqtree_part_list(
	spqtree_partitioning,
	OUT part integer, OUT low float8[], OUT high float8[])
RETURNS SETOF record
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 32
AS 'MODULE_PATHNAME', 'spq_part_list';

COMMENT ON FUNCTION spqtree_part_list(spqtree_partitioning)
IS 'the parts of a partitioning: a part has what is at or above low and below high';

--
-- Cells of a linear quadtree over a frame, for btree indexes, partitions and other
-- engines.
--

CREATE FUNCTION spqtree_quad_cell(box, frame box, max_level integer DEFAULT 16)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_cell';

COMMENT ON FUNCTION spqtree_quad_cell(box, box, integer)
IS 'number of the smallest quadtree cell that holds a box; 0, the whole frame, also for a box that is not within it';

CREATE FUNCTION spqtree_quad_number(level integer, code bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_number';

COMMENT ON FUNCTION spqtree_quad_number(integer, bigint)
IS 'number of a quadtree cell: how many cells there are on the levels above, plus the code';

CREATE FUNCTION spqtree_quad_level(cell bigint)
RETURNS integer
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_level';

COMMENT ON FUNCTION spqtree_quad_level(bigint)
IS 'level of a quadtree cell; 0 is the whole frame';

CREATE FUNCTION spqtree_quad_code(cell bigint)
RETURNS bigint
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_code';

COMMENT ON FUNCTION spqtree_quad_code(bigint)
IS 'code of a quadtree cell within its level: row and column, their bits interleaved';

CREATE FUNCTION spqtree_quad_box(cell bigint, frame box)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_box';

COMMENT ON FUNCTION spqtree_quad_box(bigint, box)
IS 'the part of the frame that is a quadtree cell';

CREATE FUNCTION spqtree_quad_ancestors(cell bigint)
RETURNS bigint[]
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_ancestors';

COMMENT ON FUNCTION spqtree_quad_ancestors(bigint)
IS 'quadtree cells that a cell is part of, from the whole frame to its parent';

CREATE FUNCTION spqtree_quad_neighbors(
	cell bigint,
	OUT west bigint, OUT east bigint, OUT south bigint, OUT north bigint)
RETURNS record
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_quad_neighbors';

COMMENT ON FUNCTION spqtree_quad_neighbors(bigint)
IS 'quadtree cells of the same level that share a side with a cell; null where the frame ends';

CREATE FUNCTION spqtree_quad_ranges(
	query box, frame box, max_level integer DEFAULT 16, max_cells integer DEFAULT 8,
	OUT first bigint, OUT last bigint)
RETURNS SETOF record
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 50
AS 'MODULE_PATHNAME', 'spq_quad_ranges';

COMMENT ON FUNCTION spqtree_quad_ranges(box, box, integer, integer)
IS 'ranges of numbers that hold the quadtree cells of all boxes that overlap a query';

--
-- Checking an index.  The function can show boxes of any table, so, as with the
-- functions of amcheck, only superusers and roles granted EXECUTE may call it.
--

CREATE FUNCTION spqtree_check(
	index regclass, heapallindexed boolean DEFAULT false,
	OUT block bigint, OUT item integer, OUT problem text)
RETURNS SETOF record
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10000 ROWS 10
AS 'MODULE_PATHNAME', 'spq_check_index';

REVOKE ALL ON FUNCTION spqtree_check(regclass, boolean) FROM PUBLIC;

COMMENT ON FUNCTION spqtree_check(regclass, boolean)
IS 'checks an spqtree index: one row for each problem, no rows if the index is sound';

--
-- Inspecting an index.  Everybody may call these functions; they check that the
-- caller may read the table.  They are volatile, because they read pages as they
-- are now and not as of a snapshot, and parallel restricted, because only the
-- leader can read the pages of a temporary table.
--

CREATE FUNCTION spqtree_stats(
	index regclass,
	OUT tuples bigint, OUT null_tuples bigint, OUT oversize_tuples bigint,
	OUT inner_tuples bigint, OUT all_the_same bigint, OUT markers bigint,
	OUT leaf_chains bigint, OUT average_chain float8, OUT longest_chain bigint,
	OUT average_depth float8, OUT max_depth integer,
	OUT pages bigint, OUT inner_pages bigint, OUT leaf_pages bigint,
	OUT empty_pages bigint,
	OUT bytes bigint, OUT used_bytes bigint, OUT dead_bytes bigint,
	OUT free_bytes bigint,
	OUT dead_tuples bigint, OUT redirects bigint, OUT placeholders bigint)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_inspect_stats';

COMMENT ON FUNCTION spqtree_stats(regclass)
IS 'statistics of an spqtree index: its size, shape and unused space';

CREATE FUNCTION spqtree_nodes(
	index regclass,
	OUT level integer, OUT kind text, OUT cell box, OUT size_bound float8,
	OUT bounds box, OUT tuples bigint, OUT nodes integer, OUT markers integer,
	OUT block bigint, OUT item integer,
	OUT parent_block bigint, OUT parent_item integer, OUT parent_node integer,
	OUT oversize boolean, OUT all_the_same boolean, OUT null_keys boolean,
	OUT bounds3 box3)
RETURNS SETOF record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000 ROWS 10000
AS 'MODULE_PATHNAME', 'spq_inspect_nodes';

COMMENT ON FUNCTION spqtree_nodes(regclass)
IS 'tree of an spqtree index: one row for each inner tuple and leaf chain, or page';

CREATE FUNCTION spqtree_explain(
	index regclass, query box, operator text DEFAULT '&&',
	OUT inner_tuples bigint, OUT leaf_chains bigint, OUT chains_without_match bigint,
	OUT leaf_tuples bigint, OUT oversize_tuples bigint, OUT pages bigint,
	OUT rows bigint, OUT rechecked bigint, OUT hit_rate float8)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_inspect_explain';

COMMENT ON FUNCTION spqtree_explain(regclass, box, text)
IS 'cost of a query in an spqtree index: what a scan visits, and how many rows it finds';

CREATE FUNCTION spqtree_explain3(
	index regclass, query box3, operator text DEFAULT '&&',
	OUT inner_tuples bigint, OUT leaf_chains bigint, OUT chains_without_match bigint,
	OUT leaf_tuples bigint, OUT oversize_tuples bigint, OUT pages bigint,
	OUT rows bigint, OUT rechecked bigint, OUT hit_rate float8)
RETURNS record
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_inspect_explain3';

COMMENT ON FUNCTION spqtree_explain3(regclass, box3, text)
IS 'cost of a query in an spqtree index of three dimensions: what a scan visits, and how many rows it finds';

CREATE FUNCTION spqtree_svg(
	index regclass, width integer DEFAULT 800, max_level integer DEFAULT NULL,
	show_boxes boolean DEFAULT false, query box DEFAULT NULL)
RETURNS text
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_picture_svg';

COMMENT ON FUNCTION spqtree_svg(regclass, integer, integer, boolean, box)
IS 'picture of an spqtree index, as SVG';

CREATE FUNCTION spqtree_svg3(
	index regclass, width integer DEFAULT 800, max_level integer DEFAULT NULL,
	show_boxes boolean DEFAULT false, query box3 DEFAULT NULL)
RETURNS text
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'spq_picture_svg3';

COMMENT ON FUNCTION spqtree_svg3(regclass, integer, integer, boolean, box3)
IS 'picture of an spqtree index of three dimensions from above, from the front and from the side, as SVG';

--
-- Watches: which objects are in which fences, kept by triggers.
--

CREATE FUNCTION spqtree_watch_definition()
RETURNS trigger
LANGUAGE C
AS 'MODULE_PATHNAME', 'spq_watch_definition';

COMMENT ON FUNCTION spqtree_watch_definition()
IS 'trigger of a table of pairs, whose arguments define the watch; forbids TRUNCATE';

CREATE FUNCTION spqtree_watch_lock()
RETURNS trigger
LANGUAGE C
AS 'MODULE_PATHNAME', 'spq_watch_lock';

COMMENT ON FUNCTION spqtree_watch_lock()
IS 'trigger of a watched table, before a statement: locks the table of pairs';

CREATE FUNCTION spqtree_watch_changed()
RETURNS trigger
LANGUAGE C
AS 'MODULE_PATHNAME', 'spq_watch_changed';

COMMENT ON FUNCTION spqtree_watch_changed()
IS 'trigger of a watched table, after a statement: updates the table of pairs and logs events';

CREATE FUNCTION spqtree_watch(
	watch text, objects regclass, object_column name,
	fences regclass DEFAULT NULL, fence_column name DEFAULT NULL,
	distance float8 DEFAULT 0, leave_distance float8 DEFAULT NULL,
	kinds text[] DEFAULT '{enter,leave}',
	object_key name DEFAULT NULL, fence_key name DEFAULT NULL,
	object_condition text DEFAULT NULL, fence_condition text DEFAULT NULL,
	object_group name DEFAULT NULL, fence_group name DEFAULT NULL,
	both_ways boolean DEFAULT false,
	events text DEFAULT NULL, notify text DEFAULT NULL)
RETURNS regclass
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000
AS 'MODULE_PATHNAME', 'spq_watch';

COMMENT ON FUNCTION spqtree_watch(text, regclass, name, regclass, name, float8, float8, text[], name, name, text, text, name, name, boolean, text, text)
IS 'watches which objects are in which fences: creates a table of pairs, an event table, and triggers that keep both';

CREATE FUNCTION spqtree_unwatch(watch regclass)
RETURNS void
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000
AS 'MODULE_PATHNAME', 'spq_watch_end';

COMMENT ON FUNCTION spqtree_unwatch(regclass)
IS 'ends a watch: drops its triggers and its table of pairs; the event table stays';

CREATE FUNCTION spqtree_check_watch(
	watch regclass,
	OUT object text, OUT fence text, OUT problem text)
RETURNS SETOF record
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000 ROWS 10
AS 'MODULE_PATHNAME', 'spq_watch_check';

COMMENT ON FUNCTION spqtree_check_watch(regclass)
IS 'compares the table of pairs of a watch with the tables that it watches: one row for each pair that is missing or extra';

CREATE FUNCTION spqtree_refresh_watch(watch regclass)
RETURNS bigint
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000
AS 'MODULE_PATHNAME', 'spq_watch_refresh';

COMMENT ON FUNCTION spqtree_refresh_watch(regclass)
IS 'makes the table of pairs of a watch true, with events, and watches new partitions; returns the number of events';

CREATE FUNCTION spqtree_watch_list(
	OUT watch regclass, OUT owner regrole,
	OUT objects text, OUT object_column text, OUT object_key text,
	OUT object_condition text, OUT object_group text,
	OUT fences text, OUT fence_column text, OUT fence_key text,
	OUT fence_condition text, OUT fence_group text,
	OUT distance float8, OUT leave_distance float8,
	OUT kinds text[], OUT once boolean, OUT events text, OUT notify text)
RETURNS SETOF record
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10
AS 'MODULE_PATHNAME', 'spq_watch_list';

COMMENT ON FUNCTION spqtree_watch_list()
IS 'implementation of the view spqtree_watches';

CREATE VIEW spqtree_watches AS SELECT * FROM spqtree_watch_list();

COMMENT ON VIEW spqtree_watches
IS 'watches of this database and their options';

GRANT SELECT ON spqtree_watches TO PUBLIC;
