/*-------------------------------------------------------------------------
 *
 * diamond.c
 *	  A toy: a type that is made indexable and joinable by one descriptor.
 *
 * A diamond is everything within a distance of its center, if distances are
 * |dx| + |dy|.  Its box is larger:
 *
 *		+--^--+
 *		| / \ |			the functions of the type are those that any extension has;
 *		|<   >|			what spqtree needs is at the end
 *		| \ / |
 *		+--v--+
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "types/type.h"

PG_MODULE_MAGIC;

typedef struct Diamond
{
	double		x,
				y,
				radius;
} Diamond;

#define GETARG_DIAMOND(n) ((const Diamond *) PG_GETARG_POINTER(n))

PG_FUNCTION_INFO_V1(diamond_in);
PG_FUNCTION_INFO_V1(diamond_out);
PG_FUNCTION_INFO_V1(diamond_overlaps);
PG_FUNCTION_INFO_V1(diamond_holds_point);
PG_FUNCTION_INFO_V1(point_in_diamond);
PG_FUNCTION_INFO_V1(diamond_near);
PG_FUNCTION_INFO_V1(diamond_type);
PG_FUNCTION_INFO_V1(old_diamond_type);

Datum
diamond_in(PG_FUNCTION_ARGS)
{
	Diamond    *diamond = palloc(sizeof(Diamond));

	if (sscanf(PG_GETARG_CSTRING(0), "%lf %lf %lf", &diamond->x, &diamond->y,
			   &diamond->radius) != 3)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("a diamond has three numbers: x, y and radius")));
	PG_RETURN_POINTER(diamond);
}

Datum
diamond_out(PG_FUNCTION_ARGS)
{
	const Diamond *diamond = GETARG_DIAMOND(0);

	PG_RETURN_CSTRING(psprintf("%.17g %.17g %.17g", diamond->x, diamond->y, diamond->radius));
}

Datum
diamond_overlaps(PG_FUNCTION_ARGS)
{
	const Diamond *a = GETARG_DIAMOND(0),
			   *b = GETARG_DIAMOND(1);

	PG_RETURN_BOOL(fabs(a->x - b->x) + fabs(a->y - b->y) <= a->radius + b->radius);
}

/* Return whether two diamonds are at most ten apart. */
Datum
diamond_near(PG_FUNCTION_ARGS)
{
	const Diamond *a = GETARG_DIAMOND(0),
			   *b = GETARG_DIAMOND(1);

	PG_RETURN_BOOL(fabs(a->x - b->x) + fabs(a->y - b->y) <= a->radius + b->radius + 10);
}

static bool
holds(const Diamond *diamond, const Point *point)
{
	return fabs(diamond->x - point->x) + fabs(diamond->y - point->y) <= diamond->radius;
}

Datum
diamond_holds_point(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(holds(GETARG_DIAMOND(0), PG_GETARG_POINT_P(1)));
}

Datum
point_in_diamond(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(holds(GETARG_DIAMOND(1), PG_GETARG_POINT_P(0)));
}

/* What spqtree needs */

/* Enlarged by more than the rounding of the operators. */
static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const Diamond *diamond = (const Diamond *) DatumGetPointer(value);
	double		reach = diamond->radius + 1e-12 * (diamond->radius + fabs(diamond->x) + fabs(diamond->y));

	numbers[0] = diamond->x + reach;
	numbers[1] = diamond->y + reach;
	numbers[2] = diamond->x - reach;
	numbers[3] = diamond->y - reach;
}

static const SpqTypeOperator operators[] = {
	{.strategy = 3,.relation = SPQ_BOX_OVERLAPS,.fraction = 0.5},	/* diamond && diamond */
	{.strategy = 16,.relation = SPQ_BOX_OVERLAPS,.fraction = 0.5},	/* diamond @> point */
	SPQ_TYPE_NO_OPERATOR
};

static const SpqType diamond = {
	.version = SPQ_TYPE_VERSION,
	.name = "diamond",
	.axes = 2,
	.box = box_of,
	.operators = operators,
};

Datum
diamond_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&diamond);
}

/* ... and what a library returns that was built for another version */
Datum
old_diamond_type(PG_FUNCTION_ARGS)
{
	static const SpqType old = {.version = SPQ_TYPE_VERSION - 1,.name = "diamond"};

	PG_RETURN_POINTER(&old);
}
