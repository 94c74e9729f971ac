/*-------------------------------------------------------------------------
 *
 * value_box.h
 *	  The bounding box of a value: of a row's column, or of a query's constant.
 *
 * This code runs for each row of a join and reads no catalogs.  operators.c
 * finds out beforehand how the values of a type yield their boxes.
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
	SPQ_SPATIAL_AS_IS,			/* a box without a tolerance, as that of a
								 * range */
	SPQ_SPATIAL_POINT,
	SPQ_SPATIAL_CIRCLE,
	SPQ_SPATIAL_POLYGON,
	SPQ_SPATIAL_LSEG,
	SPQ_SPATIAL_PATH,
	SPQ_SPATIAL_FUNCTION,		/* the compress method of an operator class,
								 * which returns a box */
	SPQ_SPATIAL_COMPACT,		/* the same, but it returns a compact box */

	/* types of three dimensions */
	SPQ_SPATIAL_BOX3,
	SPQ_SPATIAL_POINT3,
	SPQ_SPATIAL_LSEG3,
	SPQ_SPATIAL_SPHERE3,
	SPQ_SPATIAL_RAY3
} SpqSpatialKind;

typedef struct SpqSpatialOperand
{
	SpqSpatialKind kind;
	Oid			function;		/* InvalidOid unless the kind needs one */
} SpqSpatialOperand;

/* An operand, prepared for the boxes of many values. */
typedef struct SpqSpatialBoxOf
{
	SpqSpatialKind kind;
	bool		exact;
	FmgrInfo	function;
	Oid			collation;
} SpqSpatialBoxOf;

/* The numbers of a box of three axes: all high ends, then all low ends. */
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

/* Set the box of a value that is not NULL, with four numbers or six. */
static inline void
spq_spatial_numbers_of(SpqSpatialBoxOf *bounds, Datum value, float8 *box)
{
	if (bounds->kind == SPQ_SPATIAL_BOX && bounds->exact)
		*(BOX *) box = *DatumGetBoxP(value);
	else if (spq_spatial_axes(bounds->kind) == 2)
		spq_spatial_box_of(bounds, value, (BOX *) box);
	else
		spq_spatial_solid_box_of(bounds->kind, value, box);
}

#endif							/* SPQ_SPATIAL_OPERATORS_VALUE_BOX_H */
