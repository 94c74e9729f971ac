/*-------------------------------------------------------------------------
 *
 * nearness.h
 *	  Which rows are neighbors: what it means for values of a type to meet, or to
 *	  be within a distance.
 *
 * Boxes decide for box, point, box3 and point3.  For other types they only find
 * candidates, and a function decides: an operator of the type, or PostGIS'
 * function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_NEARNESS_H
#define SPQ_CLUSTER_NEARNESS_H

#include "fmgr.h"

#include "join/engine/join.h"
#include "range/range_box.h"
#include "types/value_box.h"

#define SPQ_CLUSTER_NUMBERS	(2 * SPQ_JOIN_MAX_AXES)

typedef enum SpqValueKind
{
	SPQ_VALUE_BOX,				/* stored as its box */
	SPQ_VALUE_POINT,			/* stored as its coordinates */
	SPQ_VALUE_TYPE,				/* one of our list */
	SPQ_VALUE_RANGE,
	SPQ_VALUE_MULTIRANGE,
	SPQ_VALUE_FUNCTION			/* a function returns the box */
} SpqValueKind;

typedef struct SpqNearness
{
	SpqValueKind kind;
	const SpqJoinEngine *engine;	/* for the axes of the boxes */
	int			axes;
	SpqRelation relation;		/* of the boxes of neighbors, for the engine */
	double		box_distance;	/* for SPQ_BOX_WITHIN */
	double		distance;		/* of neighbors, or 0 */
	bool		exact;			/* compare boxes without the tolerance of the
								 * operator && */

	/* if boxes do not decide */
	bool		asks;
	FmgrInfo	decides;
	int			nargs;
	int16		value_length;	/* as pg_type.typlen */

	SpqTypeBoxOf box_of;
	SpqRangeType range;
	FmgrInfo	bounds;
	bool		bounds_are_box;
	MemoryContext context;		/* for one row or pair */
} SpqNearness;

extern void spq_nearness_init(SpqNearness *nearness, Oid type, const char *argument,
							  const double *distance);
extern bool spq_nearness_init_extension(SpqNearness *nearness, Oid type, double distance);
extern bool spq_nearness_box(SpqNearness *nearness, Datum value, float8 *box);
extern bool spq_nearness_ask(SpqNearness *nearness, const void *a, const void *b);

/*
 * Return whether the closest points of two boxes are at most this far apart,
 * without a tolerance.  They have no NaN.
 */
static inline bool
spq_nearness_gap(const float8 *a, const float8 *b, int axes, double distance)
{
	double		apart = 0;

	for (int axis = 0; axis < axes; axis++)
	{
		double		gap = spq_box_gap(a[axes + axis], a[axis], b[axes + axis], b[axis]);

		if (gap > distance)
			return false;
		if (gap > 0)
			apart = apart > 0 ? hypot(apart, gap) : gap;
	}
	return apart <= distance;
}

/* Return whether a pair that the engine has found has boxes of neighbors. */
static inline bool
spq_nearness_confirms(const SpqNearness *nearness, const float8 *a, const float8 *b)
{
	return !nearness->exact ||
		spq_nearness_gap(a, b, nearness->axes, nearness->distance);
}

/* Return whether two boxes are those of neighbors. */
static inline bool
spq_nearness_boxes(const SpqNearness *nearness, const float8 *a, const float8 *b)
{
	return nearness->engine->related(nearness->relation, nearness->box_distance, a, b) &&
		spq_nearness_confirms(nearness, a, b);
}

#endif							/* SPQ_CLUSTER_NEARNESS_H */
