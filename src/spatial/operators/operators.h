/*-------------------------------------------------------------------------
 *
 * operators.h
 *	  The implications of an operator for the bounding boxes of its arguments.
 *
 * If the operator is true, a relation of these boxes is:
 *
 *		point <@ polygon		box of the point, box of the polygon: &&
 *			  |						  |					  |
 *		   operator		implies		  +---- relation -----+
 *
 * Joins search for pairs of boxes in this relation, and estimates count them.
 * The operator itself decides, unless the relation is equivalent to it
 * ("exact").
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_OPERATORS_H
#define SPQ_SPATIAL_OPERATORS_OPERATORS_H

#include "nodes/pg_list.h"

#include "box/relation.h"
#include "types/value_box.h"

typedef struct SpqSpatialOperator
{
	int			axes;			/* of both boxes: 2 or 3 */
	SpqRelation predicate;		/* the relation of left and right box for
								 * which a join searches */
	bool		exact;			/* the relation is equivalent to the operator */
	SpqRelation relation;		/* for estimates; may be closer to the
								 * operator */
	double		fraction;		/* of the pairs in this relation, those for
								 * which the operator is true */
	bool		proper;			/* it is false for a row and itself */
	SpqTypeOperand left;
	SpqTypeOperand right;
	Oid			condition;		/* function of another extension that implies
								 * this, or InvalidOid */
	bool		exchanged;		/* its first argument is the right side */
	int			clear_axes;		/* if not 0: it is true of all boxes that
								 * overlap by more than rounding on these axes
								 * (1: x only) */
	List	   *partners;		/* further conditions (RestrictInfos), if the
								 * boxes are those of several */
} SpqSpatialOperator;

/*
 * Describe an operator whose arguments have boxes.  Return false if nothing is
 * known of it.
 */
extern bool spq_spatial_operator(Oid opno, SpqSpatialOperator *op);

/* The same, also if one of the arguments need not have a box. */
extern bool spq_spatial_scan_operator(Oid opno, SpqSpatialOperator *op);

/*
 * Like spq_spatial_operator(), but return false also if the operator cannot be
 * used for a spatial join, because it does not imply that the boxes overlap.
 */
extern bool spq_spatial_join_operator(Oid opno, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_OPERATORS_OPERATORS_H */
