/*-------------------------------------------------------------------------
 *
 * operator_table.h
 *	  What is said of an operator, for the tables of known ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H
#define SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H

#include "spatial/operators/operators.h"

/* A fraction that says that the relation is the operator. */
#define SPQ_SPATIAL_EXACT	0

typedef struct SpqSpatialKnown
{
	SpqRelation relation;
	double		fraction;		/* or SPQ_SPATIAL_EXACT */
	SpqSpatialKind left,
				right;
} SpqSpatialKnown;

/* Operators of this extension: what is known, by the symbol of the function. */
typedef struct SpqSpatialOwn
{
	const char *symbol;
	SpqSpatialKnown known;
} SpqSpatialOwn;

/* solid_operators.c: those of three dimensions */
extern const SpqSpatialOwn spq_spatial_solid_operators[];
extern const int spq_spatial_solid_operator_count;

#endif							/* SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H */
