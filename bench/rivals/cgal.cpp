/*-------------------------------------------------------------------------
 *
 * cgal.cpp
 *	  The join of two sequences of boxes of CGAL, box_intersection_d.
 *
 *		cgal join SHAPE SHARE		of two tables, see tasks.hpp
 *		cgal pairs BOXES			of one, in space, see solids.hpp
 *
 * It needs no index: it divides both sequences by a segment tree as it goes
 * (Zomorodian, Edelsbrunner 2000).  Prints 0, milliseconds of processor time and
 * pairs, as the programs with an index do.  Boxes are closed: they overlap where
 * they touch.
 *
 *-------------------------------------------------------------------------
 */
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include "solids.hpp"

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

class Space
{
	std::vector<CGAL::Box_intersection_d::Box_d<double, 3>> boxes;

public:
	static constexpr const char *version = CGAL_VERSION_STR;

	explicit Space(const std::vector<Solid> &solids)
	{
		boxes.reserve(solids.size());
		for (const Solid &s : solids)
			boxes.emplace_back(const_cast<double *>(s.low), const_cast<double *>(s.high));
	}

	long pairs()
	{
		long		found = 0;

		CGAL::box_self_intersection_d(boxes.begin(), boxes.end(),
									  [&found](const auto &, const auto &) { found++; });
		return found;
	}
};

int
main(int argc, char **argv)
{
	Rects		left,
				right;
	long		pairs = 0;

	if (argc != 4 || strcmp(argv[1], "join") != 0)
		return run_solids<Space>(argc, argv);
	make_shape(argv[2], atof(argv[3]), &left, &right);

	std::vector<CgalBox> a = load(left, 0),
				b = load(right, epsilon);
	double		start = cpu_time();

	CGAL::box_intersection_d(a.begin(), a.end(), b.begin(), b.end(),
							 [&pairs](const CgalBox &, const CgalBox &) { pairs++; });
	printf("0 %.3f %ld\n", cpu_time() - start, pairs);
	return 0;
}
