/*-------------------------------------------------------------------------
 *
 * operator_table.h
 *	  Descriptions of operators, for the tables of known ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H
#define SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H

#include "spatial/operators/operators.h"

/* The fraction of an operator that is equivalent to its relation. */
#define SPQ_SPATIAL_EXACT	0

typedef struct SpqSpatialKnown
{
	SpqRelation relation;
	double		fraction;		/* or SPQ_SPATIAL_EXACT */
	SpqSpatialKind left,
				right;
} SpqSpatialKnown;

/* An operator of this extension, identified by the symbol of its function. */
typedef struct SpqSpatialOwn
{
	const char *symbol;
	SpqSpatialKnown known;
} SpqSpatialOwn;

/* solid_operators.c: operators in space */
extern const SpqSpatialOwn spq_spatial_solid_operators[];
extern const int spq_spatial_solid_operator_count;

#endif							/* SPQ_SPATIAL_OPERATORS_OPERATOR_TABLE_H */
