/*-------------------------------------------------------------------------
 *
 * distance_bound.h
 *	  Functions whose result is at least the distance of two boxes.
 *
 *		a <-> b  >=  unit * (distance of the box of a and the box of b)
 *
 * Boxes have a margin for the tolerance and the rounding of the function: each of
 * their ends moves outward by "margin", and by "factor" times the largest of their
 * numbers.  A box with an infinity or a NaN is replaced by the whole plane, or by
 * all of space.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_DISTANCE_DISTANCE_BOUND_H
#define SPQ_SPATIAL_DISTANCE_DISTANCE_BOUND_H

#include "nodes/pg_list.h"

#include "types/value_box.h"

typedef struct SpqSpatialDistance
{
	Oid			function;
	Oid			collation;
	List	   *args;			/* two values; more are numbers or the like */
	Node	   *bounds[2];		/* a value, or a call that returns its box or
								 * NULL */
	const SpqType *type[2];		/* of those */
	int			axes;
	float8		unit;
	float8		margin;
	float8		factor;
} SpqSpatialDistance;

/*
 * Return whether a function is such a distance of types that PostgreSQL or this
 * extension has.
 */
extern bool spq_spatial_is_own_distance(Oid function);

/* Return whether an expression is such a distance, and describe it. */
extern bool spq_spatial_distance(Node *call, SpqSpatialDistance *distance);

#endif							/* SPQ_SPATIAL_DISTANCE_DISTANCE_BOUND_H */
