-- The objects of the toy type: those that any type has, and its operator class.
CREATE TYPE diamond;
CREATE FUNCTION diamond_in(cstring) RETURNS diamond AS :'library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION diamond_out(diamond) RETURNS cstring AS :'library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE diamond (INPUT = diamond_in, OUTPUT = diamond_out, INTERNALLENGTH = 24, ALIGNMENT = double);
CREATE FUNCTION diamond_overlaps(diamond, diamond) RETURNS boolean AS :'library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION diamond_holds_point(diamond, point) RETURNS boolean AS :'library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION point_in_diamond(point, diamond) RETURNS boolean AS :'library' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR && (LEFTARG = diamond, RIGHTARG = diamond, FUNCTION = diamond_overlaps, COMMUTATOR = &&,
	RESTRICT = areasel, JOIN = areajoinsel);
CREATE OPERATOR @> (LEFTARG = diamond, RIGHTARG = point, FUNCTION = diamond_holds_point, COMMUTATOR = <@,
	RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR <@ (LEFTARG = point, RIGHTARG = diamond, FUNCTION = point_in_diamond, COMMUTATOR = @>,
	RESTRICT = contsel, JOIN = contjoinsel);

CREATE FUNCTION diamond_ends(diamond, internal) RETURNS void AS '$libdir/spqtree', 'spq_rtree_extension_ends'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION diamond_type(internal) RETURNS internal AS :'library' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE OPERATOR CLASS diamond_ops DEFAULT FOR TYPE diamond USING spqtree AS
	OPERATOR 3 &&,
	OPERATOR 16 @> (diamond, point),
	FUNCTION 1 diamond_ends(diamond, internal),
	FUNCTION 2 _spqtree_bounds_condition(internal, internal),
	FUNCTION 5 diamond_type(internal),
	STORAGE box;
