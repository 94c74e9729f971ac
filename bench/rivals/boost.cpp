/*-------------------------------------------------------------------------
 *
 * boost.cpp
 *	  The R-tree of Boost.Geometry, packed at once.  See tasks.hpp.
 *
 *-------------------------------------------------------------------------
 */
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include "tasks.hpp"

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

typedef bg::model::point<double, 2, bg::cs::cartesian> BoostPoint;
typedef bg::model::box<BoostPoint> BoostBox;

class Index
{
	bgi::rtree<BoostBox, bgi::rstar<16>> tree;

public:
	typedef std::vector<BoostBox> Items;
	static constexpr const char *version = BOOST_LIB_VERSION;
	static const bool finds_nearest = true;

	static Items load(const std::vector<Rect> &boxes, double slack)
	{
		Items		items;

		items.reserve(boxes.size());
		for (const Rect &r : boxes)
		{
			Rect		w = widened(r, slack);

			items.push_back(BoostBox(BoostPoint(w.lx, w.ly), BoostPoint(w.hx, w.hy)));
		}
		return items;
	}

	explicit Index(const Items &items) : tree(items.begin(), items.end())
	{
	}

	long count(const BoostBox &window) const
	{
		long		found = 0;

		tree.query(bgi::intersects(window),
				   boost::make_function_output_iterator([&found](const BoostBox &) { found++; }));
		return found;
	}

	double nearest(double x, double y, int k) const
	{
		BoostPoint	p(x, y);
		double		sum = 0;

		tree.query(bgi::nearest(p, k), boost::make_function_output_iterator(
			[&](const BoostBox &box) { sum += bg::distance(p, box); }));
		return sum;
	}
};

int
main(int argc, char **argv)
{
	return run_task<Index>(argc, argv);
}
