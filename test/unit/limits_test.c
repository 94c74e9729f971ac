/*-------------------------------------------------------------------------
 *
 * limits_test.c
 *	  Search by labels: lattice/limits.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "operators.h"

#include "lattice/limits.h"
#include "quadtree/query.h"

static void
test_strategy(int strategy, const char *name)
{
	long		matches = 0;
	long		rejected = 0;
	char		title[80];

	for (int i = 0; i < 100000; i++)
	{
		BOX			box = any_box();
		BOX			query = lrand48() % 3 ? query_near(box) : any_box();
		SpqLatticePlace place = spq_lattice_place(&box);
		SpqLatticeCell cell = spq_lattice_cell(place.x, place.y,
											   lrand48() % 2 ? random_int(-20, 20) :
											   random_int(SPQ_LATTICE_MIN_EXP, SPQ_LATTICE_TOP_EXP));
		SpqLabelFrame frame = spq_label_frame(&cell);
		SpqBoxBounds bounds = spq_box_bounds(&box);
		uint64		label = spq_label_encode(0, &bounds, &frame);
		SpqLabelLimits limits = spq_label_no_limits();
		bool		pass;

		check(spq_label_passes(&limits, label), "no limits");
		if (strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY)
			query.high = query.low;
		spq_label_limit(&limits, spq_box_relation(strategy), spq_box_corners(&query),
						&frame);
		pass = spq_label_passes(&limits, label);
		if (operator_holds(strategy, box, query))
		{
			matches++;
			check(pass,
				  "box (%.17g,%.17g),(%.17g,%.17g) query (%.17g,%.17g),(%.17g,%.17g) exp %d",
				  box.low.x, box.low.y, box.high.x, box.high.y,
				  query.low.x, query.low.y, query.high.x, query.high.y,
				  cell.exp);
		}
		rejected += !pass;
	}
	/* the test is useless if it rarely matches or rejects */
	check(matches > 1000 && rejected > 1000, "%ld matches, %ld rejected",
		  matches, rejected);
	snprintf(title, sizeof(title), "no label of a matching box is rejected: %s",
			 name);
	finish_test(title);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	for (int i = 0; i < (int) lengthof(operators); i++)
		test_strategy(operators[i].strategy, operators[i].name);
	return tests_failed > 0;
}
