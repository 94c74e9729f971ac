/*-------------------------------------------------------------------------
 *
 * value_box.c
 *	  The bounding box of a value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "utils/float.h"

#include "types/value_box.h"

/*
 * Prepare to compute the boxes of many values.  "exact" means that the
 * relation of the boxes decides, not the operator.  "collation" is the
 * operator's.
 */
void
spq_type_box_init(SpqTypeBoxOf *how, const SpqTypeOperand *operand, bool exact, Oid collation)
{
	how->type = operand->type;
	how->exact = exact;
	how->grows = !exact && operand->type->axes == 2 && operand->type != &spq_type_as_is;
	how->collation = collation;
	how->oid = operand->oid;
	if (OidIsValid(operand->function))
		fmgr_info(operand->function, &how->function);
}

/*
 * Make a box of the plane safe if the operator decides.  A box with NaN or
 * infinity becomes one that overlaps all others, since the operator may treat
 * these values in its own way (a polygon with a corner at infinity can hold
 * points outside its box).  Other boxes grow by a few units in the last place:
 * many operators compare |a - b| <= EPSILON and boxes compare a <= b + EPSILON,
 * and the two round differently.
 */
void
spq_type_make_safe(BOX *box)
{
	const double infinity = get_float8_infinity();
	double		sum = fabs(box->low.x) + fabs(box->low.y) +
		fabs(box->high.x) + fabs(box->high.y);

	if (!(sum < infinity))
	{
		box->high.x = box->high.y = infinity;
		box->low.x = box->low.y = -infinity;
		return;
	}
	box->low.x -= (fabs(box->low.x) + EPSILON) * (4 * DBL_EPSILON);
	box->low.y -= (fabs(box->low.y) + EPSILON) * (4 * DBL_EPSILON);
	box->high.x += (fabs(box->high.x) + EPSILON) * (4 * DBL_EPSILON);
	box->high.y += (fabs(box->high.y) + EPSILON) * (4 * DBL_EPSILON);
}
