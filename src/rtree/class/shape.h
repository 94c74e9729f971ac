/*-------------------------------------------------------------------------
 *
 * shape.h
 *	  Conditions and distances of shapes, by their bounds alone.
 *
 * The common part of the classes for point, circle, polygon, lseg and path.
 * The strategy number of an operator encodes its relation or order, and the
 * type of its right argument:
 *
 *		number = relation or order + 20 * type of the argument
 *
 * Relations have the numbers of box/strategy.h (1 to 12, 16).  Orders are 15,
 * by distance from a point, and 17, from a value of the class's own type.
 * Types are numbered as in PostgreSQL's class for points: 1 box, 2 polygon, 3
 * circle; further 4 lseg, 5 path.  Type 0 is the class's own, but a point for
 * 15 and 16.
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

/* Strategy numbers for one type of argument. */
#define SPQ_RTREE_STRATEGY_STRIDE	20

/* The box that stands for the argument of an operator. */
typedef struct SpqRtreeShape
{
	SpqRelation relation;		/* WITHIN for an order */
	bool		is_known;		/* else the box is the whole plane */
	SpqBox		box;
} SpqRtreeShape;

extern const SpqType *spq_rtree_shape_argument(StrategyNumber strategy, const SpqType *own);
extern SpqRtreeShape spq_rtree_shape(const ScanKeyData *key, const SpqType *own, bool is_order);
extern void spq_rtree_shape_ends(const SpqType *type, Datum value, float8 *ends);
extern void spq_rtree_shape_condition(const SpqRtreeShape *shape, SpqRtreeCondition *condition);
extern void spq_rtree_shape_least(const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
								  float8 *squares);

#endif							/* SPQ_RTREE_CLASS_SHAPE_H */
