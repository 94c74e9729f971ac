/*-------------------------------------------------------------------------
 *
 * geos.cpp
 *	  The STRtree of GEOS, through its interface in C.  See tasks.hpp.
 *
 * Its rows are geometries, here the diagonals of boxes.  The tree is built by the
 * first search.
 *
 *-------------------------------------------------------------------------
 */
#include <cstdarg>

#include <geos_c.h>

#include "tasks.hpp"

static GEOSContextHandle_t geos;

static void
count_one(void *, void *found)
{
	++*(long *) found;
}

class Index
{
	GEOSSTRtree *tree;

public:
	typedef std::vector<GEOSGeometry *> Items;
	static constexpr const char *version = GEOS_VERSION;
	static const bool finds_nearest = false;	/* only one */

	static Items load(const std::vector<Rect> &boxes, double slack)
	{
		Items		items;

		items.reserve(boxes.size());
		for (const Rect &r : boxes)
		{
			Rect		w = widened(r, slack);
			GEOSCoordSequence *ends = GEOSCoordSeq_create_r(geos, 2, 2);

			GEOSCoordSeq_setXY_r(geos, ends, 0, w.lx, w.ly);
			GEOSCoordSeq_setXY_r(geos, ends, 1, w.hx, w.hy);
			items.push_back(GEOSGeom_createLineString_r(geos, ends));
		}
		return items;
	}

	explicit Index(const Items &items)
	{
		tree = GEOSSTRtree_create_r(geos, 10);
		for (GEOSGeometry *item : items)
			GEOSSTRtree_insert_r(geos, tree, item, item);
		if (!items.empty())
			count(items[0]);
	}

	~Index() { GEOSSTRtree_destroy_r(geos, tree); }

	long count(const GEOSGeometry *window) const
	{
		long		found = 0;

		GEOSSTRtree_query_r(geos, tree, window, count_one, &found);
		return found;
	}
};

int
main(int argc, char **argv)
{
	geos = GEOS_init_r();
	return run_task<Index>(argc, argv);
}
