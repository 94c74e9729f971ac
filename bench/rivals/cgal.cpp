/*-------------------------------------------------------------------------
 *
 * cgal.cpp
 *	  The join of two sequences of boxes of CGAL, box_intersection_d.
 *
 *		cgal join SHAPE SHARE
 *
 * It needs no index: it divides both sequences by a segment tree as it goes
 * (Zomorodian, Edelsbrunner 2000).  Prints 0, milliseconds of processor time and
 * pairs, as the programs with an index do.
 *
 *-------------------------------------------------------------------------
 */
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include "tasks.hpp"

typedef CGAL::Box_intersection_d::Box_d<double, 2> CgalBox;

static std::vector<CgalBox>
load(const Rects &rects, double slack)
{
	std::vector<CgalBox> boxes;

	boxes.reserve(rects.count);
	for (int i = 0; i < rects.count; i++)
	{
		Rect		w = widened(rects.rect[i], slack);
		double		low[] = {w.lx, w.ly},
					high[] = {w.hx, w.hy};

		boxes.push_back(CgalBox(low, high));
	}
	return boxes;
}

int
main(int argc, char **argv)
{
	Rects		left,
				right;
	long		pairs = 0;

	if (print_version(argc, argv, CGAL_VERSION_STR))
		return 0;
	if (argc != 4 || strcmp(argv[1], "join") != 0)
	{
		fprintf(stderr, "usage: cgal join SHAPE SHARE\n");
		return 1;
	}
	make_shape(argv[2], atof(argv[3]), &left, &right);

	std::vector<CgalBox> a = load(left, 0),
				b = load(right, epsilon);
	double		start = cpu_time();

	CGAL::box_intersection_d(a.begin(), a.end(), b.begin(), b.end(),
							 [&pairs](const CgalBox &, const CgalBox &) { pairs++; });
	printf("0 %.3f %ld\n", cpu_time() - start, pairs);
	return 0;
}
