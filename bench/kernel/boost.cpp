/*-------------------------------------------------------------------------
 *
 * boost.cpp
 *	  Boost's R-tree over the kernel's arrays.
 *
 *		boost SHAPE SHARE
 *
 * The smaller side is packed into a tree at once, the other's boxes are its
 * queries; pairs are counted.  Prints milliseconds of processor time from the
 * arrays to the last pair, and pairs.
 *
 *-------------------------------------------------------------------------
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

extern "C"
{
#include "shapes.h"
}

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

typedef bg::model::point<double, 2, bg::cs::cartesian> Point;
typedef bg::model::box<Point> Box;

static const double epsilon = 1e-6; /* PostgreSQL's && lets boxes be that far apart */

static Box
box(const Rect &r, double slack)
{
	return Box(Point(r.lx - slack, r.ly - slack), Point(r.hx + slack, r.hy + slack));
}

int
main(int argc, char **argv)
{
	Rects		left,
				right;
	long		pairs = 0;

	if (argc != 3)
	{
		fprintf(stderr, "usage: boost SHAPE SHARE\n");
		return 1;
	}
	make_shape(argv[1], atof(argv[2]), &left, &right);

	const Rects &build = left.count < right.count ? left : right;
	const Rects &probe = left.count < right.count ? right : left;
	double		start = cpu_time();
	std::vector<Box> boxes;

	boxes.reserve(build.count);
	for (int i = 0; i < build.count; i++)
		boxes.push_back(box(build.rect[i], 0));

	bgi::rtree<Box, bgi::rstar<16>> tree(boxes.begin(), boxes.end());
	auto		count = boost::make_function_output_iterator([&pairs](const Box &) { pairs++; });

	for (int i = 0; i < probe.count; i++)
		tree.query(bgi::intersects(box(probe.rect[i], epsilon)), count);
	printf("%.3f %ld\n", cpu_time() - start, pairs);
	return 0;
}
