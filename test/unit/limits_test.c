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
		SpqPlace	place = spq_place_of_box(&box);
		SpqCell		cell = spq_cell_at(place.x, place.y,
									   lrand48() % 2 ? random_int(-20, 20) :
									   random_int(SPQ_CELL_MIN, SPQ_CELL_TOP));
		SpqFrame	frame = spq_frame(&cell);
		SpqBounds	bounds = spq_bounds_of_box(&box);
		uint64		label = spq_encode_label(0, &bounds, &frame);
		SpqLimits	limits = spq_no_limits();
		bool		pass;

		check(spq_limits_pass(&limits, label), "no limits");
		if (strategy == SPQ_CONTAINS_POINT_STRATEGY)
			query.high = query.low;
		spq_label_limit(&limits, spq_quad_relation(strategy), &query, &frame);
		pass = spq_limits_pass(&limits, label);
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
	/* a test of nothing, or limits of nothing, would be no use */
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
