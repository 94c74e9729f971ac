/*-------------------------------------------------------------------------
 *
 * box_class.c
 *	  The operator class for boxes: support functions.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "box/distance.h"
#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/gap.h"
#include "rtree/class/window_condition.h"

StaticAssertDecl(SPQ_DIM == 2, "the type box has two axes");

PG_FUNCTION_INFO_V1(spq_rtree_box_ends);
PG_FUNCTION_INFO_V1(spq_rtree_box_condition);
PG_FUNCTION_INFO_V1(spq_rtree_box_order);

/*
 * spqtree_box_ends(box, internal) returns void
 */
Datum
spq_rtree_box_ends(PG_FUNCTION_ARGS)
{
	const BOX  *box = PG_GETARG_BOX_P(0);
	float8	   *ends = (float8 *) PG_GETARG_POINTER(1);

	memcpy(ends, box, sizeof(BOX));
	PG_RETURN_VOID();
}

/*
 * spqtree_box_condition(internal, internal) returns void
 */
Datum
spq_rtree_box_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	SpqBoxCorners query;

	if (spq_rtree_window_condition(key, condition))
		PG_RETURN_VOID();
	if (key->sk_strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY)
		query.high = query.low = (const float8 *) DatumGetPointP(key->sk_argument);
	else
		query = spq_box_corners(DatumGetBoxP(key->sk_argument));
	*condition = spq_rtree_box_comparisons(spq_box_relation(key->sk_strategy), query);
	PG_RETURN_VOID();
}

static float8
distance_from_point(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box_point_distance((const BOX *) ends, (const Point *) order->numbers);
}

static float8
distance_from_center(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box_center_distance((const BOX *) ends, (const BOX *) order->numbers);
}

#ifdef __SSE2__

static inline __m128d
absolute(__m128d v)
{
	return _mm_andnot_pd(_mm_set1_pd(-0.0), v);
}

/*
 * Return the gaps along an axis between a value and two intervals, reduced by
 * what fuzzy comparisons may ignore.  Add the larger magnitude of each
 * interval's ends to "size".
 */
static inline __m128d
least_gaps(const float8 *some, const float8 *others, float8 value, __m128d *size)
{
	__m128d		v = _mm_set1_pd(value),
				a = _mm_loadu_pd(some),
				b = _mm_loadu_pd(others),
				farthest = _mm_max_pd(absolute(a), absolute(b)),
				ignored = _mm_add_pd(_mm_set1_pd(2.0 * EPSILON),
									 _mm_mul_pd(_mm_set1_pd(8.0 * DBL_EPSILON),
												_mm_add_pd(absolute(v), farthest))),
				gap = _mm_max_pd(_mm_sub_pd(_mm_min_pd(a, b), v),
								 _mm_sub_pd(v, _mm_max_pd(a, b)));

	*size = _mm_add_pd(*size, farthest);
	/* if an operand is NaN, maxpd returns the second one */
	return _mm_max_pd(_mm_sub_pd(gap, ignored), _mm_setzero_pd());
}
#endif

/*
 * Set "squares", for all entries of a page, to lower bounds of the squared
 * distances that both operators return; see spq_box_min_distance().  A box with
 * an infinite side can be at any distance, so its bound is 0.
 */
static void
least_squares(const SpqRtreeColumns *columns, Point point, float8 *squares)
{
	const char *group = columns->first;

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
				   *lows = highs + columns->low;

#ifdef __SSE2__
		for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
		{
			__m128d		size = _mm_setzero_pd(),
						dx = least_gaps(&highs[0][i], &lows[0][i], point.x, &size),
						dy = least_gaps(&highs[1][i], &lows[1][i], point.y, &size),
						sum = _mm_add_pd(_mm_mul_pd(dx, dx), _mm_mul_pd(dy, dy)),
						finite = _mm_cmple_pd(size, _mm_set1_pd(DBL_MAX));

			_mm_storeu_pd(&squares[i], _mm_and_pd(spq_rtree_two_squares(sum), finite));
		}
#else
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			SpqBoxBounds bounds;
			float8		least;

			bounds.xmin = Min(highs[0][i], lows[0][i]);
			bounds.xmax = Max(highs[0][i], lows[0][i]);
			bounds.ymin = Min(highs[1][i], lows[1][i]);
			bounds.ymax = Max(highs[1][i], lows[1][i]);
			least = spq_box_min_distance(&bounds, &point);
			squares[i] = spq_rtree_one_square(least * least);
		}
#endif
	}
}

static void
least_from_point(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	least_squares(columns, *(const Point *) order->numbers, squares);
}

static void
least_from_center(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	least_squares(columns, spq_box_center((const BOX *) order->numbers), squares);
}

/*
 * spqtree_box_order(internal, internal) returns void
 */
Datum
spq_rtree_box_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeOrder *order = (SpqRtreeOrder *) PG_GETARG_POINTER(1);

	order->argument = NULL;
	if (key->sk_strategy == SPQ_BOX_CENTER_DISTANCE_STRATEGY)
	{
		order->distance = distance_from_center;
		order->least = least_from_center;
		memcpy(order->numbers, DatumGetBoxP(key->sk_argument), sizeof(BOX));
	}
	else if (key->sk_strategy == RTKNNSearchStrategyNumber)
	{
		order->distance = distance_from_point;
		order->least = least_from_point;
		memcpy(order->numbers, DatumGetPointP(key->sk_argument), sizeof(Point));
	}
	else
		spq_box_unknown_strategy(key->sk_strategy);
	PG_RETURN_VOID();
}
