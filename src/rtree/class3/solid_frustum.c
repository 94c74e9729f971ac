/*-------------------------------------------------------------------------
 *
 * solid_frustum.c
 *	  Frustums and many boxes at a time.
 *
 * For each plane, only two corners of a box count: the one farthest in front of
 * it, and the one farthest behind it.
 *
 *		   behind  |  in front		A box is out of the frustum if its first
 *		+---+	   |  +---+			corner is behind some plane.  It is in it if
 *		|out|  +---+-+|in |			its second corner is in front of all planes.
 *		+---+  |cut| ||   |			If only one plane cuts it, it meets the
 *			   +---+-++---+			frustum: two planes may leave nothing between
 *				   |				them (src/solid/geometry/frustum3.c).
 *
 * Eight entries at a time are decided in this way, as far as rounding cannot
 * change the result.  Exact functions decide the rest one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "solid/geometry/shapes3.h"

#include "rtree/class/kernel.h"
#include "rtree/class3/solid_frustum.h"

/*
 * More than the rounding error of an offset and three products, as a fraction
 * of the sum of their magnitudes.
 */
#define MARGIN	(16 * DBL_EPSILON)

/* Underflow changes such a sum by less than this. */
#define UNDERFLOW	1e-290

/* The places of a group that ... */
typedef struct Verdict
{
	uint8		behind;			/* are behind some plane */
	uint8		doubtful;		/* may be behind some plane */
	uint8		cut;			/* may have a part behind some plane */
	uint8		cut_twice;		/* may have parts behind two planes */
} Verdict;

/* Add the verdict of one plane on a group. */
static inline void
ask_plane(const SpqPlane3 *plane, const SpqRtreeColumn *lows, const SpqRtreeColumn *highs,
		  float8 (*sizes)[SPQ_RTREE_GROUP], Verdict *verdict)
{
	float8		front[SPQ_RTREE_GROUP],
				back[SPQ_RTREE_GROUP],
				margin[SPQ_RTREE_GROUP],
				below[SPQ_RTREE_GROUP];
	uint8		cut;

	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		front[i] = back[i] = plane->offset;
		margin[i] = fabs(plane->offset);
	}
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		float8		normal = plane->normal[axis],
					size = fabs(normal);
		const float8 *far = normal > 0 ? highs[axis] : lows[axis],
				   *near = normal > 0 ? lows[axis] : highs[axis];

		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			front[i] += normal * far[i];
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			back[i] += normal * near[i];
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			margin[i] += size * sizes[axis][i];
	}
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		margin[i] = margin[i] * MARGIN + UNDERFLOW;
		below[i] = -margin[i];
	}
	/* a NaN, from infinities, leaves a place undecided */
	verdict->behind |= spq_rtree_less(front, below);
	verdict->doubtful |= ~spq_rtree_less(margin, front);
	cut = ~spq_rtree_less(margin, back);
	verdict->cut_twice |= verdict->cut & cut;
	verdict->cut |= cut;
}

/* Set the verdict of all planes on a group. */
static void
ask_planes(const SpqFrustum3 *frustum, const char *group, int low, Verdict *verdict)
{
	const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
			   *lows = highs + low;
	float8		sizes[SPQ_AXES][SPQ_RTREE_GROUP];

	for (int axis = 0; axis < SPQ_AXES; axis++)
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		a = fabs(lows[axis][i]),
						b = fabs(highs[axis][i]);

			sizes[axis][i] = a > b ? a : b;
		}
	memset(verdict, 0, sizeof(Verdict));
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
		ask_plane(&frustum->plane[i], lows, highs, sizes, verdict);
}

static inline void
prefilter(const SpqFrustum3 *frustum, const SpqRtreeColumns *columns, bool is_in, uint8 *matches,
		  uint8 *sure)
{
	const char *group = columns->first;

	if (!spq_all_finite((const float8 *) frustum, sizeof(SpqFrustum3) / sizeof(float8)))
		return;
	for (int g = 0; g < columns->ngroups; g++, group += columns->size)
	{
		Verdict		verdict;

		if (matches[g] == 0)
			continue;
		ask_planes(frustum, group, columns->low, &verdict);
		matches[g] &= ~verdict.behind;
		sure[g] = ~(is_in ? verdict.cut : verdict.cut_twice | verdict.doubtful);
	}
}

void
spq_rtree_prefilter_by_frustum(const void *frustum, const SpqRtreeColumns *columns,
							   uint8 *matches, uint8 *sure)
{
	prefilter(frustum, columns, false, matches, sure);
}

/* A row that is in the frustum is within bounds that meet it. */
void
spq_rtree_prefilter_in_frustum(const void *frustum, const SpqRtreeColumns *columns,
							   uint8 *matches, uint8 *sure)
{
	prefilter(frustum, columns, columns->of_rows, matches, sure);
}
