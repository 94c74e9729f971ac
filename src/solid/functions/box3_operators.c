/*-------------------------------------------------------------------------
 *
 * box3_operators.c
 *	  Boxes and points of three dimensions in SQL: relations and distances.
 *
 * Both corners of a point are the point itself, so all relations are those of
 * two boxes (box/relation.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/box3.h"
#include "sql_function.h"

/* The corners of an argument. */
#define A_BOX(n)		spq_box_corners(PG_GETARG_BOX3_P(n))
#define A_POINT(n)	spq_point3_corners(PG_GETARG_POINT3_P(n))

/* Define the function of an operator: "a relation b". */
#define RELATION(name, relation, a, b) \
SPQ_SQL_FUNCTION(name, PG_RETURN_BOOL(spq_box_constant_related(relation, a, b)))

RELATION(spq_box3_overlap, SPQ_BOX_OVERLAPS, A_BOX(0), A_BOX(1))
RELATION(spq_box3_contains_box3, SPQ_BOX_CONTAINS, A_BOX(0), A_BOX(1))
RELATION(spq_box3_in_box3, SPQ_BOX_CONTAINED, A_BOX(0), A_BOX(1))
RELATION(spq_box3_same, SPQ_BOX_SAME, A_BOX(0), A_BOX(1))
RELATION(spq_box3_left, SPQ_BOX_LEFT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overleft, SPQ_BOX_OVERLEFT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_right, SPQ_BOX_RIGHT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overright, SPQ_BOX_OVERRIGHT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_below, SPQ_BOX_BELOW, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overbelow, SPQ_BOX_OVERBELOW, A_BOX(0), A_BOX(1))
RELATION(spq_box3_above, SPQ_BOX_ABOVE, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overabove, SPQ_BOX_OVERABOVE, A_BOX(0), A_BOX(1))
RELATION(spq_box3_front, SPQ_BOX_FRONT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overfront, SPQ_BOX_OVERFRONT, A_BOX(0), A_BOX(1))
RELATION(spq_box3_back, SPQ_BOX_BACK, A_BOX(0), A_BOX(1))
RELATION(spq_box3_overback, SPQ_BOX_OVERBACK, A_BOX(0), A_BOX(1))
RELATION(spq_box3_contains_point3, SPQ_BOX_MEETS, A_BOX(0), A_POINT(1))
RELATION(spq_point3_in_box3, SPQ_BOX_MEETS, A_BOX(1), A_POINT(0))
RELATION(spq_point3_same, SPQ_BOX_SAME, A_POINT(0), A_POINT(1))
RELATION(spq_point3_left, SPQ_BOX_LEFT, A_POINT(0), A_POINT(1))
RELATION(spq_point3_right, SPQ_BOX_RIGHT, A_POINT(0), A_POINT(1))
RELATION(spq_point3_below, SPQ_BOX_BELOW, A_POINT(0), A_POINT(1))
RELATION(spq_point3_above, SPQ_BOX_ABOVE, A_POINT(0), A_POINT(1))
RELATION(spq_point3_front, SPQ_BOX_FRONT, A_POINT(0), A_POINT(1))
RELATION(spq_point3_back, SPQ_BOX_BACK, A_POINT(0), A_POINT(1))

/* Define the function of an operator <->. */
#define DISTANCE(name, a, b) \
SPQ_SQL_FUNCTION(name, PG_RETURN_FLOAT8(spq_box3_distance(a, b)))

DISTANCE(spq_box3_distance_box3, A_BOX(0), A_BOX(1))
DISTANCE(spq_box3_distance_point3, A_BOX(0), A_POINT(1))
DISTANCE(spq_point3_distance_box3, A_POINT(0), A_BOX(1))
DISTANCE(spq_point3_distance_point3, A_POINT(0), A_POINT(1))

/*
 * Define a function spqtree_dwithin(a, b, distance): "a <-> b <= distance".
 * If there is a NaN, it is false.
 */
#define WITHIN(name, a, b) \
SPQ_SQL_FUNCTION(name, PG_RETURN_BOOL(spq_box3_distance(a, b) <= PG_GETARG_FLOAT8(2)))

WITHIN(spq_dwithin_box3_box3, A_BOX(0), A_BOX(1))
WITHIN(spq_dwithin_box3_point3, A_BOX(0), A_POINT(1))
WITHIN(spq_dwithin_point3_box3, A_POINT(0), A_BOX(1))
WITHIN(spq_dwithin_point3_point3, A_POINT(0), A_POINT(1))
