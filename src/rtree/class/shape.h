/*-------------------------------------------------------------------------
 *
 * shape.h
 *	  Conditions and distances of shapes, by their bounds alone.
 *
 * The common part of the classes for point, circle, polygon, lseg and path.
 *
 * Argument.  It is replaced by a box that encloses it, enlarged to cover
 * rounding; for a distance, also to cover all points that operators accept as
 * points of its edges (types/plane/edges.c).  If it has a NaN or infinity, or
 * the type says that it excludes nothing, the box is the whole plane, which
 * excludes nothing.
 *
 * Conditions.  A relation of shapes implies a relation of bounds, from which
 * shape.c derives comparisons.  Rows are tested as bounds are: a low end is at
 * most, or a high end at least, a number.  So a row's ends may be larger than
 * its shape; those of a row with NaN or infinity are the whole plane.
 *
 * Distances are at least the gap between the two boxes (gap.h), less a margin.
 *
 * README.md shows why each operator implies its relation, and why no distance
 * is less than that.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_SHAPE_H
#define SPQ_RTREE_CLASS_SHAPE_H

#include "access/skey.h"

#include "box/strategy.h"
#include "rtree/class/class.h"
#include "types/value_box.h"

/* The box that stands for the argument of an operator. */
typedef struct SpqRtreeShape
{
	SpqRelation relation;		/* of the operator's row */
	bool		is_known;		/* else the box is the whole plane */
	SpqBox		box;
} SpqRtreeShape;

extern SpqRtreeShape spq_rtree_shape(const ScanKeyData *key, const SpqTypeOperator *row);
extern void spq_rtree_shape_ends(const SpqType *type, Datum value, float8 *ends);
extern void spq_rtree_shape_condition(const SpqRtreeShape *shape, SpqRtreeCondition *condition);
extern void spq_rtree_shape_least(const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
								  float8 *squares);

#endif							/* SPQ_RTREE_CLASS_SHAPE_H */
