/*-------------------------------------------------------------------------
 *
 * shape.h
 *	  Conditions and distances of shapes, by their bounds alone.
 *
 * What the classes of point, circle, polygon, lseg and path have in common.  The
 * strategy number of an operator says what the operator asks, and of which type
 * its right argument is:
 *
 *		number = relation or order + 20 * type of the argument
 *
 * with the numbers of box/strategy.h for relations (1 to 12, 16) and orders (15 by
 * distance from a point, 17 from a value of the class's own type), and of
 * PostgreSQL's class of points for types: 1 box, 2 polygon, 3 circle; further 4 lseg,
 * 5 path.  0 is the class's own type, but for 15 and 16 a point.
 *
 * The argument.  It is replaced by a box that encloses it, grown by what
 * rounding may hide, and for a distance by what is taken for a point of its edges
 * (spatial/value_box.c).  One with NaN or infinity, or a circle of
 * negative radius, is replaced by the whole plane, of which nothing is concluded.
 *
 * Conditions.  A relation of shapes implies a relation of bounds; rows are tested as bounds are, with low ends at
 * most, or high ends at least, a number.  So a row's ends may be larger than
 * its shape, and those of a row with NaN or infinity are the whole plane.
 *
 * Distances.  They are at least the gap between the two boxes (gap.h), less a margin.
 *
 * Why each operator implies its relation, and each distance is at least the gap, is in
 * README.md.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_SHAPE_H
#define SPQ_RTREE_CLASS_SHAPE_H

#include "access/skey.h"

#include "box/strategy.h"
#include "rtree/class/class.h"
#include "spatial/value_box.h"

/* Strategy numbers of one type of argument. */
#define SPQ_RTREE_STRATEGY_STRIDE	20

/* What the argument of an operator is replaced by. */
typedef struct SpqRtreeShape
{
	SpqRelation relation;		/* not of an order */
	bool		is_known;		/* else the box is the whole plane */
	SpqBox		box;
} SpqRtreeShape;

extern SpqSpatialKind spq_rtree_shape_argument(StrategyNumber strategy, SpqSpatialKind own);
extern SpqRtreeShape spq_rtree_shape(const ScanKeyData *key, SpqSpatialKind own, bool is_order);
extern void spq_rtree_shape_ends(SpqSpatialKind kind, Datum value, float8 *ends);
extern void spq_rtree_shape_condition(const SpqRtreeShape *shape, SpqRtreeCondition *condition);
extern void spq_rtree_shape_least(const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
								  float8 *squares);

#endif							/* SPQ_RTREE_CLASS_SHAPE_H */
