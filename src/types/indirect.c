/*-------------------------------------------------------------------------
 *
 * indirect.c
 *	  Boxes that are not those of a type: as they are, or from a function.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/type.h"

/* a box without a tolerance, as that of a range */
static void
box_as_is(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	memcpy(numbers, DatumGetBoxP(value), sizeof(BOX));
}

static Datum
call(const SpqTypeBoxOf *how, Datum value)
{
	return FunctionCall1Coll(unconstify(FmgrInfo *, &how->function), how->collation, value);
}

/* the compress method of an operator class, which returns a box */
static void
box_of_function(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	memcpy(numbers, DatumGetBoxP(call(how, value)), sizeof(BOX));
}

const SpqType spq_type_as_is = {
	.name = "interval",
	.axes = 2,
	.box = box_as_is,
};

const SpqType spq_type_function = {
	.name = "function",
	.axes = 2,
	.box = box_of_function,
};
