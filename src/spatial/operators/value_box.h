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
#ifndef SPQ_SPATIAL_OPERATORS_VALUE_BOX_H
#define SPQ_SPATIAL_OPERATORS_VALUE_BOX_H

#include "fmgr.h"
#include "utils/geo_decls.h"

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
	SPQ_SPATIAL_COMPACT,		/* the same, but it returns a compact box */

	/* of three dimensions */
	SPQ_SPATIAL_BOX3,
	SPQ_SPATIAL_POINT3,
	SPQ_SPATIAL_LSEG3,
	SPQ_SPATIAL_SPHERE3,
	SPQ_SPATIAL_RAY3
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

/* The most numbers that a box has: all high ends, then all low ends. */
#define SPQ_SPATIAL_NUMBERS 6

/* Return the number of axes of a kind's boxes. */
static inline int
spq_spatial_axes(SpqSpatialKind kind)
{
	return kind >= SPQ_SPATIAL_BOX3 ? 3 : 2;
}

extern void spq_spatial_box_init(SpqSpatialBoxOf *bounds, const SpqSpatialOperand *operand,
								 bool exact, Oid collation);
extern void spq_spatial_cover_edges(BOX *box);
extern void spq_spatial_box_of(SpqSpatialBoxOf *bounds, Datum value, BOX *box);

/* solid_box.c */
extern void spq_spatial_solid_box_of(SpqSpatialKind kind, Datum value, float8 *box);

/* Set the box of a value that is not null, of either number of dimensions. */
static inline void
spq_spatial_numbers_of(SpqSpatialBoxOf *bounds, Datum value, float8 *box)
{
	if (spq_spatial_axes(bounds->kind) == 2)
		spq_spatial_box_of(bounds, value, (BOX *) box);
	else
		spq_spatial_solid_box_of(bounds->kind, value, box);
}

#endif							/* SPQ_SPATIAL_OPERATORS_VALUE_BOX_H */
