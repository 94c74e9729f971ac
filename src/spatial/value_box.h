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
typedef enum SpqSpatialKind
{
	SPQ_SPATIAL_BOX,
	SPQ_SPATIAL_POINT,
	SPQ_SPATIAL_CIRCLE,
	SPQ_SPATIAL_POLYGON,
	SPQ_SPATIAL_LSEG,
	SPQ_SPATIAL_PATH,
	SPQ_SPATIAL_FUNCTION,		/* the compress method of an operator class,
								 * which returns a box */
	SPQ_SPATIAL_COMPACT			/* the same, but it returns a compact box */
} SpqSpatialKind;

typedef struct SpqSpatialOperand
{
	SpqSpatialKind kind;
	Oid			function;		/* InvalidOid, unless the kind has one */
} SpqSpatialOperand;

/* An operand, ready to be asked for many boxes. */
typedef struct SpqSpatialBoxOf
{
	SpqSpatialKind kind;
	bool		exact;
	FmgrInfo	function;
	Oid			collation;
} SpqSpatialBoxOf;

extern void spq_spatial_box_init(SpqSpatialBoxOf *bounds, const SpqSpatialOperand *operand,
								 bool exact, Oid collation);
extern void spq_spatial_cover_edges(SpqBox *box);
extern void spq_spatial_box_of(SpqSpatialBoxOf *bounds, Datum value, SpqBox *box);

#endif							/* SPQ_SPATIAL_VALUE_BOX_H */
