/*-------------------------------------------------------------------------
 *
 * operators.h
 *	  Which operators a spatial join can be made of, and what box each of their
 *	  arguments yields.
 *
 * An operator is fit if its truth implies that the bounding boxes of its
 * arguments overlap, in the sense of && for boxes:
 *
 *		point <@ polygon		box of the point, box of the polygon: &&
 *			  |						  |					  |
 *		   operator		implies		spq_bounds_of()	  spq_bounds_of()
 *
 * The join finds pairs of boxes, and the operator itself decides, unless the
 * condition on the boxes is the whole condition ("exact").
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_OPERATORS_H
#define SPQ_JOIN_NODE_OPERATORS_H

#include "fmgr.h"

#include "box/relation.h"

/* How a value yields its box. */
typedef enum SpqBoundsKind
{
	SPQ_BOUNDS_BOX,
	SPQ_BOUNDS_POINT,
	SPQ_BOUNDS_CIRCLE,
	SPQ_BOUNDS_POLYGON,
	SPQ_BOUNDS_FUNCTION			/* the compress method of an operator class */
} SpqBoundsKind;

typedef struct SpqOperand
{
	SpqBoundsKind kind;
	Oid			function;		/* if SPQ_BOUNDS_FUNCTION */
} SpqOperand;

typedef struct SpqSpatialOperator
{
	SpqRelation predicate; /* of the left and the right box */
	bool		exact;			/* equivalent, and not only implied */
	SpqOperand	left;
	SpqOperand	right;
} SpqSpatialOperator;

/* An operand, ready to be asked for many boxes. */
typedef struct SpqBoundsOf
{
	SpqBoundsKind kind;
	bool		exact;
	FmgrInfo	function;
	Oid			collation;
} SpqBoundsOf;

extern bool spq_spatial_operator(Oid opno, SpqSpatialOperator *op);
extern void spq_bounds_init(SpqBoundsOf *bounds, const SpqOperand *operand,
							bool exact, Oid collation);
extern void spq_bounds_of(SpqBoundsOf *bounds, Datum value, BOX *box);

#endif							/* SPQ_JOIN_NODE_OPERATORS_H */
