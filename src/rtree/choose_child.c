/*-------------------------------------------------------------------------
 *
 * choose_child.c
 *	  The child that a new entry goes to.  See choose.h.
 *
 * The one whose measure (measure.h) grows least; of several of them, the one
 * that is smallest.  An empty child (bounds of nothing) comes before all others: so
 * it is filled again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/choose.h"
#include "rtree/measure.h"

/* The windows' extents, compared with the page's bounds. */
#define WINDOW	0.01

/* Return the hull of a page's entries, without infinite ends. */
static SpqRtreeBounds
finite_hull(Page page)
{
	SpqRtreeBounds hull = spq_rtree_bounds_nothing();
	int			count = spq_rtree_count(page);

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeBounds bounds = spq_rtree_entry_bounds(page, entry);

		spq_rtree_hull_add_finite(&hull, &bounds);
	}
	return hull;
}

static inline float8
measure(const SpqRtreeBounds *placed)
{
	float8		product = 1;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		product *= spq_rtree_extent(placed, axis) + WINDOW;
	return product;
}

int
spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds)
{
	SpqRtreeBounds hull = finite_hull(page),
				added;
	SpqRtreeFrame frame;
	int			count = spq_rtree_count(page),
				best = -1;
	float8		least_growth = 0,
				least_measure = 0;

	Assert(count > 0);
	spq_rtree_hull_add_finite(&hull, bounds);
	frame = spq_rtree_frame(&hull);
	added = spq_rtree_place(&frame, bounds);
	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeBounds child = spq_rtree_entry_bounds(page, entry);
		float8		before,
					growth;

		if (spq_rtree_bounds_are_nothing(&child))
			return entry;
		child = spq_rtree_place(&frame, &child);
		before = measure(&child);
		spq_rtree_bounds_add(&child, &added);
		growth = measure(&child) - before;
		if (best < 0 || growth < least_growth ||
			(growth == least_growth && before < least_measure))
		{
			best = entry;
			least_growth = growth;
			least_measure = before;
		}
	}
	return best;
}
