\echo Use "CREATE EXTENSION spqtree_postgis" to load this file. \quit

-- The bodies are parsed here, so they do not depend on anybody's search path.

CREATE FUNCTION box3(box3d)
RETURNS box3
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN box3(ST_XMin($1), ST_YMin($1), ST_ZMin($1), ST_XMax($1), ST_YMax($1), ST_ZMax($1));

COMMENT ON FUNCTION box3(box3d)
IS 'box of a box of PostGIS';

CREATE FUNCTION box3d(box3)
RETURNS box3d
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ST_3DMakeBox(ST_MakePoint(x(low($1)), y(low($1)), z(low($1))), ST_MakePoint(x(high($1)), y(high($1)), z(high($1))));

COMMENT ON FUNCTION box3d(box3)
IS 'box of PostGIS';

CREATE CAST (box3d AS box3) WITH FUNCTION box3(box3d) AS ASSIGNMENT;
CREATE CAST (box3 AS box3d) WITH FUNCTION box3d(box3) AS ASSIGNMENT;

COMMENT ON CAST (box3d AS box3)
IS 'without SRID';
COMMENT ON CAST (box3 AS box3d)
IS 'without SRID';

-- Boxes of geometries, for joins and their estimates.

CREATE FUNCTION spqtree_bounds(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds(geometry)
IS 'box that PostGIS'' operators compare; NULL for an empty geometry';

CREATE FUNCTION spqtree_bounds(geometry, distance float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds(geometry, float8)
IS 'box of all that is within a distance of a geometry';

CREATE FUNCTION spqtree_bounds(geography)
RETURNS box3
AS 'MODULE_PATHNAME', 'spq_gis_geography_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds(geography)
IS 'box of a geography on a sphere of radius 1; NULL for an empty one';

CREATE FUNCTION spqtree_bounds(geography, distance float8)
RETURNS box3
AS 'MODULE_PATHNAME', 'spq_gis_geography_bounds_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds(geography, float8)
IS 'box of all that is within a distance, in meters, of a geography';

-- Parts of a partitioning, by these boxes.  The planner puts the bodies into queries, so
-- that a join node finds its own boxes in spqtree_pair_part, and postgres_fdw sends
-- functions that are in C.

CREATE FUNCTION spqtree_parts(geometry, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_parts(geometry, spqtree_partitioning)
IS 'parts that the box of a geometry touches; part 0 if there are too many, or none';

CREATE FUNCTION spqtree_parts(geography, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_parts(geography, spqtree_partitioning)
IS 'parts that the box of a geography touches; part 0 if there are too many, or none';

CREATE FUNCTION spqtree_window_parts(geometry, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_window_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_window_parts(geometry, spqtree_partitioning)
IS 'parts in which values whose boxes overlap that of a geometry can be';

CREATE FUNCTION spqtree_window_parts(geography, spqtree_partitioning)
RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_window_parts(spqtree_bounds($1), $2);

COMMENT ON FUNCTION spqtree_window_parts(geography, spqtree_partitioning)
IS 'parts in which values whose boxes overlap that of a geography can be';

CREATE FUNCTION spqtree_part(geometry, spqtree_partitioning)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_part($1::point, $2);

COMMENT ON FUNCTION spqtree_part(geometry, spqtree_partitioning)
IS 'part that a geometry of type POINT is in; part 0 if it is in none';

CREATE FUNCTION spqtree_pair_part(geometry, geometry, spqtree_partitioning)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_pair_part(spqtree_bounds($1), spqtree_bounds($2), $3);

COMMENT ON FUNCTION spqtree_pair_part(geometry, geometry, spqtree_partitioning)
IS 'part that owns a pair: one that the boxes of both touch, if they overlap';

CREATE FUNCTION spqtree_pair_part(geography, geography, spqtree_partitioning)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spqtree_pair_part(spqtree_bounds($1), spqtree_bounds($2), $3);

COMMENT ON FUNCTION spqtree_pair_part(geography, geography, spqtree_partitioning)
IS 'part that owns a pair: one that the boxes of both touch, if they overlap';

-- The same as PostGIS' functions, and faster where they are called for many pairs of
-- the same geometries.  Join nodes call them in place of PostGIS'.

CREATE FUNCTION spqtree_st_intersects(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_intersects'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_intersects(geometry, geometry)
IS 'same as st_intersects, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_crosses(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_crosses'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_crosses(geometry, geometry)
IS 'same as st_crosses, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_touches(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_touches'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_touches(geometry, geometry)
IS 'same as st_touches, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_overlaps(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_overlaps'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_overlaps(geometry, geometry)
IS 'same as st_overlaps, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_contains(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_contains(geometry, geometry)
IS 'same as st_contains, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_containsproperly(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_containsproperly(geometry, geometry)
IS 'same as st_containsproperly, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_covers(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_covers(geometry, geometry)
IS 'same as st_covers, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_within(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_within(geometry, geometry)
IS 'same as st_within, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_coveredby(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_coveredby(geometry, geometry)
IS 'same as st_coveredby, for many pairs of the same geometries';

CREATE FUNCTION spqtree_st_dwithin(geom1 geometry, geom2 geometry, float8)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_st_dwithin'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_st_dwithin(geometry, geometry, float8)
IS 'same as st_dwithin, for many pairs of the same geometries';

-- Geometries in the access method spqtree, with the operators and numbers of PostGIS'
-- class for GiST.

CREATE FUNCTION spqtree_geometry_ends(geometry, internal)
RETURNS void
AS '$libdir/spqtree', 'spq_rtree_foreign_ends'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION spqtree_geometry_ends(geometry, internal)
IS 'ends method of spqtree_geometry_ops of access method spqtree';

CREATE OPERATOR FAMILY spqtree_geometry_ops USING spqtree;

COMMENT ON OPERATOR FAMILY spqtree_geometry_ops USING spqtree
IS 'geometries in the access method spqtree';

CREATE OPERATOR CLASS spqtree_geometry_ops
DEFAULT FOR TYPE geometry USING spqtree FAMILY spqtree_geometry_ops AS
	OPERATOR 1	<<,
	OPERATOR 2	&<,
	OPERATOR 3	&&,
	OPERATOR 4	&>,
	OPERATOR 5	>>,
	OPERATOR 6	~=,
	OPERATOR 7	~,
	OPERATOR 8	@,
	OPERATOR 9	&<|,
	OPERATOR 10	<<|,
	OPERATOR 11	|>>,
	OPERATOR 12	|&>,
	OPERATOR 13	<-> FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 14	<#> FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_geometry_ends(geometry, internal),
	FUNCTION 2	spqtree_exact_bounds_condition(internal, internal),
	FUNCTION 3	spqtree_bounds_order(internal, internal),
	STORAGE box;

COMMENT ON OPERATOR CLASS spqtree_geometry_ops USING spqtree
IS 'index of geometries, by their boxes';

CREATE FUNCTION spqtree_bounds3(geometry)
RETURNS box3
AS 'MODULE_PATHNAME', 'spq_gis_bounds3'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds3(geometry)
IS 'box with z, infinite without; NULL for an empty geometry';

CREATE FUNCTION spqtree_geometry_nd_ends(geometry, internal)
RETURNS void
AS '$libdir/spqtree', 'spq_rtree_foreign_ends3'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION spqtree_geometry_nd_ends(geometry, internal)
IS 'ends method of spqtree_geometry_nd_ops of access method spqtree';

CREATE OPERATOR FAMILY spqtree_geometry_nd_ops USING spqtree;

COMMENT ON OPERATOR FAMILY spqtree_geometry_nd_ops USING spqtree
IS 'geometries in the access method spqtree, in space';

CREATE OPERATOR CLASS spqtree_geometry_nd_ops
FOR TYPE geometry USING spqtree FAMILY spqtree_geometry_nd_ops AS
	OPERATOR 3	&&&,
	OPERATOR 6	~~=,
	OPERATOR 7	~~,
	OPERATOR 8	@@,
	OPERATOR 13	<<->> FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 20	|=| FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_geometry_nd_ends(geometry, internal),
	FUNCTION 2	spqtree_bounds3_condition(internal, internal),
	FUNCTION 3	spqtree_bounds3_order(internal, internal),
	STORAGE box3;

COMMENT ON OPERATOR CLASS spqtree_geometry_nd_ops USING spqtree
IS 'index of geometries, by their boxes in space';

CREATE FUNCTION spqtree_geography_ends(geography, internal)
RETURNS void
AS '$libdir/spqtree', 'spq_rtree_foreign_ends'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION spqtree_geography_ends(geography, internal)
IS 'ends method of spqtree_geography_ops of access method spqtree';

CREATE OPERATOR FAMILY spqtree_geography_ops USING spqtree;

COMMENT ON OPERATOR FAMILY spqtree_geography_ops USING spqtree
IS 'geographies in the access method spqtree';

CREATE OPERATOR CLASS spqtree_geography_ops
DEFAULT FOR TYPE geography USING spqtree FAMILY spqtree_geography_ops AS
	OPERATOR 3	&&,
	OPERATOR 13	<-> FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1	spqtree_geography_ends(geography, internal),
	FUNCTION 2	spqtree_bounds_condition(internal, internal),
	FUNCTION 3	spqtree_earth_order(internal, internal),
	STORAGE box3;

COMMENT ON OPERATOR CLASS spqtree_geography_ops USING spqtree
IS 'index of geographies, by boxes of what they are on a sphere of radius 1';
