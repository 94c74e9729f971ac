/*-------------------------------------------------------------------------
 *
 * value_box.h
 *	  The bounding box of a value: of a row's column, or of a query's constant.
 *
 * This is done for each row of a join, and knows nothing of catalogs.  What a
 * type's values are is found out before, by operators.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_VALUE_BOX_H
#define SPQ_SPATIAL_VALUE_BOX_H

#include "fmgr.h"

#include "box/box.h"

/* How a value yields its box. */
typedef enum SpqBoundsKind
{
	SPQ_BOUNDS_BOX,
	SPQ_BOUNDS_POINT,
	SPQ_BOUNDS_CIRCLE,
	SPQ_BOUNDS_POLYGON,
	SPQ_BOUNDS_FUNCTION,		/* the compress method of an operator class,
								 * which returns a box */
	SPQ_BOUNDS_COMPACT			/* the same, but it returns a compact box */
} SpqBoundsKind;

typedef struct SpqOperand
{
	SpqBoundsKind kind;
	Oid			function;		/* InvalidOid, unless the kind has one */
} SpqOperand;

/* An operand, ready to be asked for many boxes. */
typedef struct SpqBoundsOf
{
	SpqBoundsKind kind;
	bool		exact;
	FmgrInfo	function;
	Oid			collation;
} SpqBoundsOf;

extern void spq_bounds_init(SpqBoundsOf *bounds, const SpqOperand *operand,
							bool exact, Oid collation);
extern void spq_bounds_of(SpqBoundsOf *bounds, Datum value, SpqBox *box);

#endif							/* SPQ_SPATIAL_VALUE_BOX_H */
