/*-------------------------------------------------------------------------
 *
 * value_box.h
 *	  The bounding box of a value: of a row's column, or of a query's constant.
 *
 * This code runs for each row of a join and reads no catalogs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_VALUE_BOX_H
#define SPQ_TYPES_VALUE_BOX_H

#include "types/type.h"

/* How the values of one side of an operator yield their box. */
typedef struct SpqTypeOperand
{
	const SpqType *type;
	Oid			function;		/* that returns the box (indirect.c), or
								 * InvalidOid */
	Oid			oid;			/* of a type of another extension */
} SpqTypeOperand;

extern void spq_type_box_init(SpqTypeBoxOf *how, const SpqTypeOperand *operand, bool exact,
							  Oid collation);
extern void spq_type_make_safe(BOX *box);

/* Set the box of a value that is not NULL: four numbers or six. */
static inline void
spq_type_box_of(const SpqTypeBoxOf *how, Datum value, float8 *box)
{
	if (how->type == &spq_type_box)
		*(BOX *) box = *DatumGetBoxP(value);
	else
		how->type->box(how, value, box);
	if (how->grows)
		spq_type_make_safe((BOX *) box);
}

#endif							/* SPQ_TYPES_VALUE_BOX_H */
