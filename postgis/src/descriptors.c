/*-------------------------------------------------------------------------
 *
 * descriptors.c
 *	  What spqtree needs to know of PostGIS' types (src/types/type.h).
 *
 * The default operator classes of geometry and geography return these
 * descriptors, by support function 5.
 *
 * Boxes: PostGIS' operators compare those of bounds.c and geography_index.c,
 * which an index stores.  Joins use the functions spqtree_bounds.
 *
 * Members: PostGIS' functions, and the companion's that stand for them.  They
 * are named here, in one place, and belong to the two extensions, whatever else
 * has the same name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "descriptors.h"
#include "geometry/gserialized.h"
#include "geometry/sphere.h"

PG_FUNCTION_INFO_V1(spq_gis_geometry_type);
PG_FUNCTION_INFO_V1(spq_gis_geography_type);

/* A predicate with two equivalents. */
#define PREDICATE(name_) \
	{.name = name_,.equivalent = "_spqtree_" name_,.tried = "_spqtree_try_" name_}

/* A function whose result has a box that is known without a call. */
#define RESULT(name_) \
	{.name = name_,.bounds = "_spqtree_bounds_" name_}

/* A distance, and the condition that it is small. */
#define DISTANCE(name_) \
	{.name = name_,.is_distance = true,.implied = "_spqtree_" name_ "_within"}

static const SpqTypeMember geometry_members[] = {
	PREDICATE("st_intersects"),
	PREDICATE("st_crosses"),
	PREDICATE("st_touches"),
	PREDICATE("st_overlaps"),
	PREDICATE("st_contains"),
	PREDICATE("st_containsproperly"),
	PREDICATE("st_covers"),
	PREDICATE("st_within"),
	PREDICATE("st_coveredby"),
	PREDICATE("st_dwithin"),
	{.name = "st_clusterdbscan",.equivalent = "_spqtree_st_clusterdbscan"},
	DISTANCE("st_distance"),
	DISTANCE("st_3ddistance"),
	DISTANCE("geometry_distance_centroid"),
	RESULT("st_envelope"),
	RESULT("st_force2d"),
	RESULT("st_multi"),
	RESULT("st_convexhull"),
	RESULT("st_boundary"),
	RESULT("st_exteriorring"),
	RESULT("st_linemerge"),
	RESULT("st_makevalid"),
	RESULT("st_simplify"),
	RESULT("st_simplifypreservetopology"),
	RESULT("st_snaptogrid"),
	RESULT("st_segmentize"),
	RESULT("st_expand"),
	RESULT("st_centroid"),
	RESULT("st_pointonsurface"),
	RESULT("st_transform"),
	RESULT("geography"),
	{.name = "st_buffer",.bounds = "_spqtree_bounds_st_buffer",.implied = "_spqtree_st_buffer_within"},

	/* make a point of any numbers, or return it with another SRID */
	{.name = "st_setsrid",.bounds = "_spqtree_bounds_st_setsrid",.is_harmless = true},
	{.name = "st_makepoint",.is_harmless = true},
	{.name = "st_point",.is_harmless = true},
	SPQ_TYPE_NO_MEMBER
};

static const SpqTypeMember geography_members[] = {
	{.name = "st_intersects",.equivalent = "_spqtree_st_intersects"},
	{.name = "st_dwithin",.equivalent = "_spqtree_st_dwithin"},
	DISTANCE("st_distance"),
	DISTANCE("geography_distance_knn"),
	{.name = "spqtree_bounds3",.is_harmless = true},
	SPQ_TYPE_NO_MEMBER
};

static const SpqType geometry_in_space = {
	.version = SPQ_TYPE_VERSION,
	.name = "geometry in space",
	.axes = 3,
	.is_long = true,
	.box = spq_gis_geometry_box3,
	.bounds = "spqtree_bounds3",
	.unit = 1,
};

static const SpqType geometry = {
	.version = SPQ_TYPE_VERSION,
	.name = "geometry",
	.axes = 2,
	.is_long = true,
	.box = spq_gis_geometry_box,
	.compares_boxes = true,
	.bounds = "spqtree_bounds",
	.within = "st_dwithin",
	.reference = spq_gis_reference,
	.members = geometry_members,
	.unit = 1,
	.in_space = &geometry_in_space,
};

static const SpqType geography = {
	.version = SPQ_TYPE_VERSION,
	.name = "geography",
	.axes = 3,
	.is_long = true,
	.box = spq_gis_geography_box,
	.compares_boxes = true,
	.bounds = "spqtree_bounds",
	.within = "st_dwithin",
	.members = geography_members,
	.unit = SPQ_GIS_LEAST_RADIUS,
};

/*
 * _spqtree_geometry_type(internal) returns internal
 */
Datum
spq_gis_geometry_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&geometry);
}

/*
 * _spqtree_geography_type(internal) returns internal
 */
Datum
spq_gis_geography_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&geography);
}
