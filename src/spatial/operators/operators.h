/*-------------------------------------------------------------------------
 *
 * operators.h
 *	  What an operator says of the bounding boxes of its arguments.
 *
 * The truth of each operator implies a relation of these boxes:
 *
 *		point <@ polygon		box of the point, box of the polygon: &&
 *			  |						  |					  |
 *		   operator		implies		  +---- relation -----+
 *
 * Joins look for pairs of boxes in this relation, estimates count them.  The
 * operator itself decides, unless the relation is equivalent ("exact").
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_OPERATORS_H
#define SPQ_SPATIAL_OPERATORS_OPERATORS_H

#include "box/relation.h"
#include "spatial/operators/value_box.h"

typedef struct SpqSpatialOperator
{
	int			axes;			/* of both boxes: 2 or 3 */
	SpqRelation predicate;		/* what a join looks for, of the left and the
								 * right box */
	bool		exact;			/* equivalent, and not only implied */
	SpqRelation relation;		/* nearer to the operator, for estimates */
	double		fraction;		/* of the pairs in this relation for which the
								 * operator holds */
	SpqSpatialOperand left;
	SpqSpatialOperand right;
	Oid			condition;		/* function of another extension that implies
								 * this; InvalidOid: none */
	bool		exchanged;		/* its first argument is on the right */
} SpqSpatialOperator;

extern bool spq_spatial_operator(Oid opno, SpqSpatialOperator *op);
extern bool spq_spatial_join_operator(Oid opno, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_OPERATORS_OPERATORS_H */
