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

-- What else is true of values that are at most a distance apart, as a function says.  The
-- planner puts these bodies there, besides the comparison itself, for the boxes in them
-- (src/spatial/compared_distance.c).  ST_DWithin raises an error for a distance below 0 or
-- NaN, and NaN is above all numbers in comparisons; no distance is longer than the largest
-- float4, or half of the Earth.

CREATE FUNCTION spqtree_st_distance_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_st_distance_within(geometry, geometry, float8)
IS 'implied by st_distance of at most the distance';

CREATE FUNCTION spqtree_geometry_distance_centroid_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_geometry_distance_centroid_within(geometry, geometry, float8)
IS 'implied by <-> of at most the distance';

CREATE FUNCTION spqtree_st_3ddistance_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_st_3ddistance_within(geometry, geometry, float8)
IS 'implied by st_3ddistance of at most the distance';

-- What is near a buffer that is round.  Other styles of corners and ends reach farther than its
-- distance.  GEOS rounds corners, and repeats with fewer digits what fails.

CREATE FUNCTION spqtree_st_buffer_within(geometry, radius float8, options text, other geometry)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $3 ~ '^ *(quad_segs=[0-9]+)? *$'
THEN ST_DWithin($1, $4, LEAST(GREATEST($2, 0::float8), 1e39::float8) * 1.000001::float8) END;

COMMENT ON FUNCTION spqtree_st_buffer_within(geometry, float8, text, geometry)
IS 'implied by a point in common with st_buffer';

CREATE FUNCTION spqtree_st_distance_within(geography, geography, use_spheroid boolean, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($4, 0::float8), 1e9::float8), $3);

COMMENT ON FUNCTION spqtree_st_distance_within(geography, geography, boolean, float8)
IS 'implied by st_distance of at most the distance';

CREATE FUNCTION spqtree_geography_distance_knn_within(geography, geography, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e9::float8), false);

COMMENT ON FUNCTION spqtree_geography_distance_knn_within(geography, geography, float8)
IS 'implied by <-> of at most the distance';

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

-- For estimates of rows: the same predicates, which raise no error.  NULL: not known.

CREATE FUNCTION spqtree_try_st_intersects(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_intersects'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_intersects(geometry, geometry)
IS 'st_intersects for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_crosses(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_crosses'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_crosses(geometry, geometry)
IS 'st_crosses for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_touches(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_touches'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_touches(geometry, geometry)
IS 'st_touches for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_overlaps(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_overlaps'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_overlaps(geometry, geometry)
IS 'st_overlaps for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_contains(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_contains(geometry, geometry)
IS 'st_contains for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_containsproperly(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_containsproperly(geometry, geometry)
IS 'st_containsproperly for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_covers(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_covers(geometry, geometry)
IS 'st_covers for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_within(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_within(geometry, geometry)
IS 'st_within for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_coveredby(geom1 geometry, geom2 geometry)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_coveredby(geometry, geometry)
IS 'st_coveredby for estimates, without errors; NULL if not known';

CREATE FUNCTION spqtree_try_st_dwithin(geom1 geometry, geom2 geometry, float8)
RETURNS boolean
AS 'MODULE_PATHNAME', 'spq_gis_try_st_dwithin'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 50;

COMMENT ON FUNCTION spqtree_try_st_dwithin(geometry, geometry, float8)
IS 'st_dwithin for estimates, without errors; NULL if not known';

-- And the boxes of what PostGIS' functions return, without calling them.

CREATE FUNCTION spqtree_bounds_st_envelope(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_envelope(geometry)
IS 'about the box of st_envelope, for estimates';

CREATE FUNCTION spqtree_bounds_st_force2d(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_force2d(geometry)
IS 'about the box of st_force2d, for estimates';

CREATE FUNCTION spqtree_bounds_st_multi(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_multi(geometry)
IS 'about the box of st_multi, for estimates';

CREATE FUNCTION spqtree_bounds_st_convexhull(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_convexhull(geometry)
IS 'about the box of st_convexhull, for estimates';

CREATE FUNCTION spqtree_bounds_st_boundary(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_boundary(geometry)
IS 'about the box of st_boundary, for estimates';

CREATE FUNCTION spqtree_bounds_st_exteriorring(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_exteriorring(geometry)
IS 'about the box of st_exteriorring, for estimates';

CREATE FUNCTION spqtree_bounds_st_linemerge(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_linemerge(geometry)
IS 'about the box of st_linemerge, for estimates';

CREATE FUNCTION spqtree_bounds_st_makevalid(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_makevalid(geometry)
IS 'about the box of st_makevalid, for estimates';

CREATE FUNCTION spqtree_bounds_st_setsrid(geometry, integer)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_setsrid(geometry, integer)
IS 'about the box of st_setsrid, for estimates';

CREATE FUNCTION spqtree_bounds_st_simplify(geometry, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_simplify(geometry, float8)
IS 'about the box of st_simplify, for estimates';

CREATE FUNCTION spqtree_bounds_st_simplifypreservetopology(geometry, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_simplifypreservetopology(geometry, float8)
IS 'about the box of st_simplifypreservetopology, for estimates';

CREATE FUNCTION spqtree_bounds_st_snaptogrid(geometry, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_snaptogrid(geometry, float8)
IS 'about the box of st_snaptogrid, for estimates';

CREATE FUNCTION spqtree_bounds_st_segmentize(geometry, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_segmentize(geometry, float8)
IS 'about the box of st_segmentize, for estimates';

CREATE FUNCTION spqtree_bounds_st_buffer(geometry, float8, text)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_buffer(geometry, float8, text)
IS 'about the box of st_buffer, for estimates';

CREATE FUNCTION spqtree_bounds_st_buffer(geometry, float8, integer)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_buffer(geometry, float8, integer)
IS 'about the box of st_buffer, for estimates';

CREATE FUNCTION spqtree_bounds_st_expand(geometry, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_expand(geometry, float8)
IS 'about the box of st_expand, for estimates';

CREATE FUNCTION spqtree_bounds_st_expand(geometry, float8, float8, float8, float8)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_expand'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_expand(geometry, float8, float8, float8, float8)
IS 'about the box of st_expand, for estimates';

CREATE FUNCTION spqtree_bounds_st_centroid(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_center'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_centroid(geometry)
IS 'about the box of st_centroid, for estimates';

CREATE FUNCTION spqtree_bounds_st_pointonsurface(geometry)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_center'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_pointonsurface(geometry)
IS 'about the box of st_pointonsurface, for estimates';

CREATE FUNCTION spqtree_bounds_st_transform(geometry, integer)
RETURNS box
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_transform'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_st_transform(geometry, integer)
IS 'about the box of st_transform, for estimates';

CREATE FUNCTION spqtree_bounds_geography(geometry)
RETURNS box3
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_geography'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_geography(geometry)
IS 'about the box of a geometry that is cast to geography, for estimates';

CREATE FUNCTION spqtree_bounds_geography(geometry, float8)
RETURNS box3
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_geography_within'
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION spqtree_bounds_geography(geometry, float8)
IS 'about the box of all within a distance of a geometry that is cast to geography, for estimates';

-- Geometries in the access method spqtree, with the operators and numbers of PostGIS'
-- class for GiST.

CREATE FUNCTION spqtree_geometry_ends(geometry, internal)
RETURNS void
AS 'spqtree', 'spq_rtree_foreign_ends'
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
AS 'spqtree', 'spq_rtree_foreign_ends3'
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
AS 'spqtree', 'spq_rtree_foreign_ends'
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

-- A name above is looked up first in the schema of this extension, where others may have
-- created something of the same name and types.  It must not get between.
DO $$
DECLARE
	stranger text;
BEGIN
	SELECT pg_describe_object(used.refclassid, used.refobjid, 0) INTO stranger
	FROM pg_depend AS used
	WHERE used.deptype = 'n'
		AND used.refclassid IN ('pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass)
		AND NOT EXISTS (
			SELECT FROM pg_depend AS member
			WHERE (member.classid, member.objid) = (used.refclassid, used.refobjid) AND member.deptype = 'e')
		AND EXISTS (
			SELECT FROM pg_depend AS member JOIN pg_extension AS e ON e.oid = member.refobjid
			WHERE member.refclassid = 'pg_extension'::regclass AND member.deptype = 'e' AND e.extname = 'spqtree_postgis'
				AND ((member.classid, member.objid) = (used.classid, used.objid)
					OR used.classid = 'pg_amop'::regclass AND member.classid = 'pg_opfamily'::regclass
						AND member.objid = (SELECT amopfamily FROM pg_amop WHERE oid = used.objid)
					OR used.classid = 'pg_amproc'::regclass AND member.classid = 'pg_opfamily'::regclass
						AND member.objid = (SELECT amprocfamily FROM pg_amproc WHERE oid = used.objid)))
	LIMIT 1;
	IF FOUND THEN
		RAISE 'cannot create extension "spqtree_postgis": % is in the way', stranger
			USING ERRCODE = 'duplicate_object',
				HINT = 'It would be used in place of one of a required extension.  Drop it, or choose another schema.';
	END IF;
END $$;
