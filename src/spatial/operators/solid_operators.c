/*-------------------------------------------------------------------------
 *
 * solid_operators.c
 *	  The implications of operators in space for the bounding boxes of their
 *	  arguments.
 *
 * Operators of frustums are not here: a frustum need not have a bounding box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/solid.h"

#include "spatial/operators/operator_table.h"

#define EXACT	SPQ_SPATIAL_EXACT

/*
 * The part of its box that a ball fills, like pi / 4 for circles.  The other
 * fraction is a guess: segments and rays are diagonals of their boxes more
 * often than edges.
 */
#define ROUND	(M_PI / 6)
#define LINE_IN_BOX	0.5

#define POINT_	SPQ_SPATIAL_POINT3
#define BOX_	SPQ_SPATIAL_BOX3
#define LSEG_	SPQ_SPATIAL_LSEG3
#define SPHERE_	SPQ_SPATIAL_SPHERE3
#define RAY_	SPQ_SPATIAL_RAY3

const SpqSpatialOwn spq_spatial_solid_operators[] = {
	{"spq_box3_overlap", {SPQ_BOX_OVERLAPS, EXACT, BOX_, BOX_}},
	{"spq_box3_contains_box3", {SPQ_BOX_CONTAINS, EXACT, BOX_, BOX_}},
	{"spq_box3_in_box3", {SPQ_BOX_CONTAINED, EXACT, BOX_, BOX_}},
	{"spq_box3_same", {SPQ_BOX_SAME, EXACT, BOX_, BOX_}},
	{"spq_box3_left", {SPQ_BOX_LEFT, EXACT, BOX_, BOX_}},
	{"spq_box3_overleft", {SPQ_BOX_OVERLEFT, EXACT, BOX_, BOX_}},
	{"spq_box3_right", {SPQ_BOX_RIGHT, EXACT, BOX_, BOX_}},
	{"spq_box3_overright", {SPQ_BOX_OVERRIGHT, EXACT, BOX_, BOX_}},
	{"spq_box3_below", {SPQ_BOX_BELOW, EXACT, BOX_, BOX_}},
	{"spq_box3_overbelow", {SPQ_BOX_OVERBELOW, EXACT, BOX_, BOX_}},
	{"spq_box3_above", {SPQ_BOX_ABOVE, EXACT, BOX_, BOX_}},
	{"spq_box3_overabove", {SPQ_BOX_OVERABOVE, EXACT, BOX_, BOX_}},
	{"spq_box3_front", {SPQ_BOX_FRONT, EXACT, BOX_, BOX_}},
	{"spq_box3_overfront", {SPQ_BOX_OVERFRONT, EXACT, BOX_, BOX_}},
	{"spq_box3_back", {SPQ_BOX_BACK, EXACT, BOX_, BOX_}},
	{"spq_box3_overback", {SPQ_BOX_OVERBACK, EXACT, BOX_, BOX_}},

	{"spq_box3_contains_point3", {SPQ_BOX_MEETS, EXACT, BOX_, POINT_}},
	{"spq_point3_in_box3", {SPQ_BOX_MEETS, EXACT, POINT_, BOX_}},

	{"spq_point3_same", {SPQ_BOX_SAME, EXACT, POINT_, POINT_}},
	{"spq_point3_left", {SPQ_BOX_LEFT, EXACT, POINT_, POINT_}},
	{"spq_point3_right", {SPQ_BOX_RIGHT, EXACT, POINT_, POINT_}},
	{"spq_point3_below", {SPQ_BOX_BELOW, EXACT, POINT_, POINT_}},
	{"spq_point3_above", {SPQ_BOX_ABOVE, EXACT, POINT_, POINT_}},
	{"spq_point3_front", {SPQ_BOX_FRONT, EXACT, POINT_, POINT_}},
	{"spq_point3_back", {SPQ_BOX_BACK, EXACT, POINT_, POINT_}},

	{"spq_sphere3_overlaps_sphere3", {SPQ_BOX_OVERLAPS, ROUND, SPHERE_, SPHERE_}},
	{"spq_sphere3_contains_sphere3", {SPQ_BOX_CONTAINS, ROUND, SPHERE_, SPHERE_}},
	{"spq_sphere3_in_sphere3", {SPQ_BOX_CONTAINED, ROUND, SPHERE_, SPHERE_}},
	{"spq_sphere3_contains_point3", {SPQ_BOX_OVERLAPS, ROUND, SPHERE_, POINT_}},
	{"spq_point3_in_sphere3", {SPQ_BOX_OVERLAPS, ROUND, POINT_, SPHERE_}},
	{"spq_box3_overlaps_sphere3", {SPQ_BOX_OVERLAPS, ROUND, BOX_, SPHERE_}},
	{"spq_sphere3_overlaps_box3", {SPQ_BOX_OVERLAPS, ROUND, SPHERE_, BOX_}},
	{"spq_box3_in_sphere3", {SPQ_BOX_CONTAINED, ROUND, BOX_, SPHERE_}},
	{"spq_sphere3_contains_box3", {SPQ_BOX_CONTAINS, ROUND, SPHERE_, BOX_}},

	{"spq_box3_overlaps_lseg3", {SPQ_BOX_OVERLAPS, LINE_IN_BOX, BOX_, LSEG_}},
	{"spq_lseg3_overlaps_box3", {SPQ_BOX_OVERLAPS, LINE_IN_BOX, LSEG_, BOX_}},
	{"spq_box3_overlaps_ray3", {SPQ_BOX_OVERLAPS, LINE_IN_BOX, BOX_, RAY_}},
	{"spq_ray3_overlaps_box3", {SPQ_BOX_OVERLAPS, LINE_IN_BOX, RAY_, BOX_}},
};

const int	spq_spatial_solid_operator_count = lengthof(spq_spatial_solid_operators);
