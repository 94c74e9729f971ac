\echo Use "ALTER EXTENSION spqtree_postgis UPDATE" to load this file. \quit

--
-- From 0.2.0 to 1.0.0.  Objects keep their OIDs.  Indexes of geography are built again.
--

DO $$
BEGIN
	IF (SELECT extversion FROM pg_extension WHERE extname = 'spqtree') = '0.2.0' THEN
		RAISE 'cannot update extension "spqtree_postgis" before extension "spqtree"'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Run ALTER EXTENSION spqtree UPDATE.';
	END IF;
END $$;

--
-- Functions that are new.
--

CREATE FUNCTION spqtree_bounds3(geography)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_geography_bounds3';

COMMENT ON FUNCTION spqtree_bounds3(geography)
IS 'box that PostGIS'' operator && compares, on a sphere of radius 1; NULL for an empty geography';

CREATE FUNCTION spqtree_st_distance_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_st_distance_within(geometry, geometry, distance float8)
IS 'implied by st_distance of at most the distance';

CREATE FUNCTION spqtree_geometry_distance_centroid_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_geometry_distance_centroid_within(geometry, geometry, distance float8)
IS 'implied by <-> of at most the distance';

CREATE FUNCTION spqtree_st_3ddistance_within(geometry, geometry, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e39::float8));

COMMENT ON FUNCTION spqtree_st_3ddistance_within(geometry, geometry, distance float8)
IS 'implied by st_3ddistance of at most the distance';

CREATE FUNCTION spqtree_st_intersects(geog1 geography, geog2 geography)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 200
AS 'MODULE_PATHNAME', 'spq_gis_geography_intersects';

COMMENT ON FUNCTION spqtree_st_intersects(geog1 geography, geog2 geography)
IS 'same as st_intersects, for many pairs of the same geographies';

CREATE FUNCTION spqtree_st_dwithin(geog1 geography, geog2 geography, float8, use_spheroid boolean)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 200
AS 'MODULE_PATHNAME', 'spq_gis_geography_dwithin';

COMMENT ON FUNCTION spqtree_st_dwithin(geog1 geography, geog2 geography, float8, use_spheroid boolean)
IS 'same as st_dwithin, for many pairs of the same geographies';

CREATE FUNCTION spqtree_st_distance_within(geography, geography, use_spheroid boolean, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($4, 0::float8), 1e9::float8), $3);

COMMENT ON FUNCTION spqtree_st_distance_within(geography, geography, use_spheroid boolean, distance float8)
IS 'implied by st_distance of at most the distance';

CREATE FUNCTION spqtree_geography_distance_knn_within(geography, geography, distance float8)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_DWithin($1, $2, LEAST(GREATEST($3, 0::float8), 1e9::float8), false);

COMMENT ON FUNCTION spqtree_geography_distance_knn_within(geography, geography, distance float8)
IS 'implied by <-> of at most the distance';

CREATE FUNCTION spqtree_st_buffer_within(geometry, radius float8, options text, other geometry)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $3 ~ '^ *(quad_segs=[0-9]+)? *$'
THEN ST_DWithin($1, $4, LEAST(GREATEST($2, 0::float8), 1e39::float8) * 1.000001::float8) END;

COMMENT ON FUNCTION spqtree_st_buffer_within(geometry, float8, text, geometry)
IS 'implied by a common point with st_buffer';

CREATE FUNCTION spqtree_try_st_intersects(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_intersects';

COMMENT ON FUNCTION spqtree_try_st_intersects(geometry, geometry)
IS 'st_intersects for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_crosses(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_crosses';

COMMENT ON FUNCTION spqtree_try_st_crosses(geometry, geometry)
IS 'st_crosses for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_touches(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_touches';

COMMENT ON FUNCTION spqtree_try_st_touches(geometry, geometry)
IS 'st_touches for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_overlaps(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_overlaps';

COMMENT ON FUNCTION spqtree_try_st_overlaps(geometry, geometry)
IS 'st_overlaps for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_contains(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains';

COMMENT ON FUNCTION spqtree_try_st_contains(geometry, geometry)
IS 'st_contains for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_containsproperly(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains';

COMMENT ON FUNCTION spqtree_try_st_containsproperly(geometry, geometry)
IS 'st_containsproperly for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_covers(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_contains';

COMMENT ON FUNCTION spqtree_try_st_covers(geometry, geometry)
IS 'st_covers for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_within(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_within';

COMMENT ON FUNCTION spqtree_try_st_within(geometry, geometry)
IS 'st_within for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_coveredby(geom1 geometry, geom2 geometry)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_within';

COMMENT ON FUNCTION spqtree_try_st_coveredby(geometry, geometry)
IS 'st_coveredby for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_try_st_dwithin(geom1 geometry, geom2 geometry, float8)
RETURNS boolean
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
COST 50
AS 'MODULE_PATHNAME', 'spq_gis_try_st_dwithin';

COMMENT ON FUNCTION spqtree_try_st_dwithin(geom1 geometry, geom2 geometry, float8)
IS 'st_dwithin for estimates, without errors; NULL if unknown';

CREATE FUNCTION spqtree_bounds_st_envelope(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_envelope(geometry)
IS 'approximate box of the result of st_envelope, for estimates';

CREATE FUNCTION spqtree_bounds_st_force2d(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_force2d(geometry)
IS 'approximate box of the result of st_force2d, for estimates';

CREATE FUNCTION spqtree_bounds_st_multi(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_multi(geometry)
IS 'approximate box of the result of st_multi, for estimates';

CREATE FUNCTION spqtree_bounds_st_convexhull(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_convexhull(geometry)
IS 'approximate box of the result of st_convexhull, for estimates';

CREATE FUNCTION spqtree_bounds_st_boundary(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_boundary(geometry)
IS 'approximate box of the result of st_boundary, for estimates';

CREATE FUNCTION spqtree_bounds_st_exteriorring(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_exteriorring(geometry)
IS 'approximate box of the result of st_exteriorring, for estimates';

CREATE FUNCTION spqtree_bounds_st_linemerge(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_linemerge(geometry)
IS 'approximate box of the result of st_linemerge, for estimates';

CREATE FUNCTION spqtree_bounds_st_makevalid(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_makevalid(geometry)
IS 'approximate box of the result of st_makevalid, for estimates';

CREATE FUNCTION spqtree_bounds_st_setsrid(geometry, integer)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_setsrid(geometry, integer)
IS 'approximate box of the result of st_setsrid, for estimates';

CREATE FUNCTION spqtree_bounds_st_simplify(geometry, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_simplify(geometry, float8)
IS 'approximate box of the result of st_simplify, for estimates';

CREATE FUNCTION spqtree_bounds_st_simplifypreservetopology(geometry, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_simplifypreservetopology(geometry, float8)
IS 'approximate box of the result of st_simplifypreservetopology, for estimates';

CREATE FUNCTION spqtree_bounds_st_snaptogrid(geometry, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_snaptogrid(geometry, float8)
IS 'approximate box of the result of st_snaptogrid, for estimates';

CREATE FUNCTION spqtree_bounds_st_segmentize(geometry, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds';

COMMENT ON FUNCTION spqtree_bounds_st_segmentize(geometry, float8)
IS 'approximate box of the result of st_segmentize, for estimates';

CREATE FUNCTION spqtree_bounds_st_buffer(geometry, float8, text)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer';

COMMENT ON FUNCTION spqtree_bounds_st_buffer(geometry, float8, text)
IS 'approximate box of the result of st_buffer, for estimates';

CREATE FUNCTION spqtree_bounds_st_buffer(geometry, float8, integer)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer';

COMMENT ON FUNCTION spqtree_bounds_st_buffer(geometry, float8, integer)
IS 'approximate box of the result of st_buffer, for estimates';

CREATE FUNCTION spqtree_bounds_st_expand(geometry, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_buffer';

COMMENT ON FUNCTION spqtree_bounds_st_expand(geometry, float8)
IS 'approximate box of the result of st_expand, for estimates';

CREATE FUNCTION spqtree_bounds_st_expand(geometry, float8, float8, float8, float8)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_expand';

COMMENT ON FUNCTION spqtree_bounds_st_expand(geometry, float8, float8, float8, float8)
IS 'approximate box of the result of st_expand, for estimates';

CREATE FUNCTION spqtree_bounds_st_centroid(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_center';

COMMENT ON FUNCTION spqtree_bounds_st_centroid(geometry)
IS 'approximate box of the result of st_centroid, for estimates';

CREATE FUNCTION spqtree_bounds_st_pointonsurface(geometry)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_center';

COMMENT ON FUNCTION spqtree_bounds_st_pointonsurface(geometry)
IS 'approximate box of the result of st_pointonsurface, for estimates';

CREATE FUNCTION spqtree_bounds_st_transform(geometry, integer)
RETURNS box
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_transform';

COMMENT ON FUNCTION spqtree_bounds_st_transform(geometry, integer)
IS 'approximate box of the result of st_transform, for estimates';

CREATE FUNCTION spqtree_bounds_geography(geometry)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_geography';

COMMENT ON FUNCTION spqtree_bounds_geography(geometry)
IS 'approximate box of a geometry cast to geography, for estimates';

CREATE FUNCTION spqtree_bounds_geography(geometry, float8)
RETURNS box3
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'spq_gis_bounds_of_geography_within';

COMMENT ON FUNCTION spqtree_bounds_geography(geometry, float8)
IS 'approximate box around everything within a distance of a geometry cast to geography';

--
-- Functions of another symbol of the library.
--

CREATE OR REPLACE FUNCTION spqtree_geometry_ends(geometry, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'spqtree', 'spq_rtree_extension_float_ends';

CREATE OR REPLACE FUNCTION spqtree_geometry_nd_ends(geometry, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'spqtree', 'spq_rtree_extension_float_ends3';

CREATE OR REPLACE FUNCTION spqtree_geography_ends(geography, internal)
RETURNS void
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
AS 'spqtree', 'spq_rtree_extension_float_ends3';

--
-- Geographies: the class has the boxes that && compares, so it needs no recheck.
--

UPDATE pg_depend
SET deptype = 'a'
WHERE classid = 'pg_amproc'::regclass AND refclassid = 'pg_opclass'::regclass AND deptype = 'i'
	AND objid = (
		SELECT p.oid
		FROM pg_amproc AS p
			JOIN pg_depend AS member ON member.classid = 'pg_opfamily'::regclass AND member.objid = p.amprocfamily
			JOIN pg_extension AS e ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid
			JOIN pg_opfamily AS f ON f.oid = p.amprocfamily
		WHERE e.extname = 'spqtree_postgis' AND member.deptype = 'e'
			AND f.opfname = 'spqtree_geography_ops' AND p.amprocnum = 2);

ALTER OPERATOR FAMILY spqtree_geography_ops USING spqtree
DROP FUNCTION 2 (geography, geography);

ALTER OPERATOR FAMILY spqtree_geography_ops USING spqtree
ADD FUNCTION 2 (geography, geography) spqtree_exact_bounds3_condition(internal, internal);

-- What ALTER OPERATOR FAMILY adds can be dropped by itself.  Bind it to its operator class, as
-- CREATE OPERATOR CLASS does; there is no command for it.

UPDATE pg_depend AS d
SET refclassid = 'pg_opclass'::regclass, refobjid = class.oid, deptype = 'i'
FROM pg_opclass AS class
	JOIN pg_depend AS member ON member.classid = 'pg_opclass'::regclass AND member.objid = class.oid
	JOIN pg_extension AS e ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid
WHERE e.extname = 'spqtree_postgis' AND member.deptype = 'e' AND class.opcname IN ('spqtree_geography_ops')
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
			AND member.deptype = 'e' AND e.extname = 'spqtree_postgis');

-- Indexes have the boxes of before.  Temporary ones of other sessions cannot be rebuilt here;
-- scans of them raise an error that asks for it.

DO $$
DECLARE
	index regclass;
BEGIN
	FOR index IN
		SELECT c.oid
		FROM pg_index AS i
			JOIN pg_class AS c ON c.oid = i.indexrelid
			JOIN pg_opclass AS class ON class.oid = ANY (i.indclass)
			JOIN pg_depend AS member ON member.classid = 'pg_opclass'::regclass AND member.objid = class.oid
			JOIN pg_extension AS e ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid
		WHERE e.extname = 'spqtree_postgis' AND member.deptype = 'e'
			AND class.opcname = 'spqtree_geography_ops'
			AND c.relkind = 'i' AND NOT pg_is_other_temp_schema(c.relnamespace)
		ORDER BY c.oid
	LOOP
		EXECUTE format('REINDEX INDEX %s', index);
	END LOOP;
END $$;

--
-- Comments.
--

COMMENT ON FUNCTION box3(box3d)
IS 'convert box3d to box3';
COMMENT ON FUNCTION box3d(box3)
IS 'convert box3 to box3d';
COMMENT ON FUNCTION spqtree_bounds(geometry, distance float8)
IS 'box around everything within a distance of a geometry';
COMMENT ON FUNCTION spqtree_bounds(geography, distance float8)
IS 'box around everything within a distance in meters of a geography';
COMMENT ON FUNCTION spqtree_bounds3(geometry)
IS 'box with z, unbounded along z without it; NULL for an empty geometry';
COMMENT ON FUNCTION spqtree_parts(geometry, spqtree_partitioning)
IS 'parts that the box of a geometry touches; part 0 if there are too many or none';
COMMENT ON FUNCTION spqtree_window_parts(geometry, spqtree_partitioning)
IS 'parts that may contain values whose boxes overlap the box of a geometry';
COMMENT ON FUNCTION spqtree_pair_part(geometry, geometry, spqtree_partitioning)
IS 'part that owns a pair; the boxes of both touch it if they overlap';
COMMENT ON FUNCTION spqtree_parts(geography, spqtree_partitioning)
IS 'parts that the box of a geography touches; part 0 if there are too many or none';
COMMENT ON FUNCTION spqtree_window_parts(geography, spqtree_partitioning)
IS 'parts that may contain values whose boxes overlap the box of a geography';
COMMENT ON FUNCTION spqtree_pair_part(geography, geography, spqtree_partitioning)
IS 'part that owns a pair; the boxes of both touch it if they overlap';
COMMENT ON FUNCTION spqtree_part(geometry, spqtree_partitioning)
IS 'part that contains a geometry of type POINT; part 0 if there is none';
COMMENT ON OPERATOR FAMILY spqtree_geometry_ops USING spqtree
IS 'index operators for geometries';
COMMENT ON OPERATOR FAMILY spqtree_geometry_nd_ops USING spqtree
IS 'index operators for geometries in space';
COMMENT ON OPERATOR FAMILY spqtree_geography_ops USING spqtree
IS 'index operators for geographies';
COMMENT ON OPERATOR CLASS spqtree_geography_ops USING spqtree
IS 'index of geographies, by their boxes on a sphere of radius 1';

COMMENT ON EXTENSION spqtree_postgis
IS 'spatial joins of PostGIS geometry by spqtree';

-- Raise an error if a new object uses one that belongs to no extension.

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
		RAISE 'cannot update extension "spqtree_postgis": % is in the way', stranger
			USING ERRCODE = 'duplicate_object',
				HINT = 'It would be used in place of one of a required extension.  Drop it, or choose another schema.';
	END IF;
END $$;
