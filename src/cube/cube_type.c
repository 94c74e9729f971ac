/*-------------------------------------------------------------------------
 *
 * cube_type.c
 *	  What is known of the type cube (types/type.h).
 *
 * The default operator class, in the extension spqtree_cube, returns this by
 * its support function 5.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "cube/cube_box.h"
#include "types/type.h"

PG_FUNCTION_INFO_V1(spq_cube_type);

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	SpqBox3		box;

	spq_cube_box((const SpqCube *) PG_DETOAST_DATUM(value), &box);
	memcpy(numbers, &box, sizeof(box));
}

static const SpqTypeMember members[] = {
	{.name = "cube_distance",.is_distance = true},
	{.name = "distance_taxicab",.is_distance = true},
	{.name = "cube_enlarge",.is_harmless = true},

	/* of earthdistance, which has them in SQL */
	{.name = "ll_to_earth",.extension = "earthdistance",
	.equivalent = "_spqtree_ll_to_earth",.tried = "_spqtree_try_ll_to_earth"},
	{.name = "gc_to_sec",.extension = "earthdistance",
	.equivalent = "_spqtree_gc_to_sec",.tried = "_spqtree_try_gc_to_sec"},
	{.name = "sec_to_gc",.extension = "earthdistance",
	.equivalent = "_spqtree_sec_to_gc"},
	{.name = "_spqtree_try_ll_to_earth",.is_harmless = true},
	{.name = "_spqtree_try_gc_to_sec",.is_harmless = true},
	SPQ_TYPE_NO_MEMBER
};

static const SpqTypeSphere earth = {"earthdistance", "sec_to_gc", "earth"};

static const SpqType cube = {
	.version = SPQ_TYPE_VERSION,
	.name = "cube",
	.axes = 3,
	.is_long = true,
	.box = box_of,
	.bounds = "spqtree_bounds",
	.sphere = &earth,
	.meets_boxes = true,
	.members = members,
	.unit = 1,
};

/*
 * _spqtree_cube_type(internal) returns internal
 */
Datum
spq_cube_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&cube);
}
