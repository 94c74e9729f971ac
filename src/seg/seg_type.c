/*-------------------------------------------------------------------------
 *
 * seg_type.c
 *	  What is known of the type seg (types/type.h).
 *
 * A seg is an interval of float4, which includes both ends:
 *
 *		float4 lower, upper			infinite where the interval is open
 *		char l_sigd, u_sigd			how many digits were written
 *		char l_ext, u_ext			'<', '>', '~', '-' or nothing
 *
 * This has been its format since PostgreSQL 6.5 (contrib/seg/segdata.h, which is not
 * installed).  pg_upgrade copies values, so it cannot change.  Only the order
 * and equality look at more than the two numbers.
 *
 * The default operator class, in the extension spqtree_seg, returns this by its
 * support function 5.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/float.h"

#include "types/type.h"

PG_FUNCTION_INFO_V1(spq_seg_type);

#define AXES	3

/*
 * No end is farther out than this.  A class of indexes takes an end at infinity, or
 * at FLT_MAX, for one that is not known, and then the other end, too.
 */
#define FARTHEST	(FLT_MAX / 2)

typedef struct Seg
{
	float4		lower;
	float4		upper;
} Seg;

static float8
limited(float4 end)
{
	return end > FARTHEST ? FARTHEST : end < -FARTHEST ? -FARTHEST : end;
}

/*
 * An interval on the first axis, at 0 on the others.  All of that axis, if the ends
 * are in the wrong order: see README.md.
 */
static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const Seg  *seg = (const Seg *) DatumGetPointer(value);

	memset(numbers, 0, 2 * AXES * sizeof(float8));
	numbers[0] = limited(seg->upper);
	numbers[AXES] = limited(seg->lower);
	if (!(seg->lower <= seg->upper))
	{
		numbers[0] = get_float8_infinity();
		numbers[AXES] = -get_float8_infinity();
	}
}

/* The box of what contains another seg need not contain the box of that. */
static const SpqTypeOperator operators[] = {
	{.strategy = 3,.relation = SPQ_BOX_OVERLAPS,.fraction = 1}, /* && */
	{.strategy = 7,.relation = SPQ_BOX_OVERLAPS,.fraction = 0.5},	/* @> */
	{.strategy = 8,.relation = SPQ_BOX_OVERLAPS,.fraction = 0.5},	/* <@ */
	SPQ_TYPE_NO_OPERATOR
};

static const SpqType seg = {
	.version = SPQ_TYPE_VERSION,
	.name = "seg",
	.axes = AXES,
	.box = box_of,
	.operators = operators,
};

/*
 * _spqtree_seg_type(internal) returns internal
 */
Datum
spq_seg_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&seg);
}
