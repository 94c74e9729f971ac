/*-------------------------------------------------------------------------
 *
 * prefix_test.c
 *	  Regions and routing: quadtree/prefix.c.  These properties make insertion
 *	  terminate and splits separate places.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "quadtree/prefix.h"

#define MANY 8

/* Make places of similar or different boxes.  Return their number. */
static int
some_places(SpqLatticePlace *places)
{
	int			n = random_int(2, MANY);
	int			kind = lrand48() % 5;
	BOX			box = any_box();

	for (int i = 0; i < n; i++)
	{
		places[i] = spq_lattice_place(&box);
		switch (kind)
		{
			case 0:
				box = any_box();
				break;
			case 1:				/* of one size */
				box.low.x = nextafter(box.low.x, 1e300);
				break;
			case 2:				/* around one center */
				box.low.x -= drand48();
				box.high.x += box.low.x;
				break;
			case 3:				/* of one size, the last one far away */
				box.low.x = random_int(0, 3) + (i == n - 2 ? 1024.0 : 0.0);
				box.low.y = 0.0;
				box.high.x = box.low.x + 64.0;
				box.high.y = 64.0;
				break;
			default:
				if (lrand48() % 4 == 0)
					box = any_box();
		}
	}
	return n;
}

static bool
same_place(const SpqLatticePlace *a, const SpqLatticePlace *b)
{
	SpqLatticeCell cell = spq_lattice_cell(a->x, a->y, SPQ_LATTICE_MIN_EXP);

	return a->size == b->size && spq_lattice_cell_holds(&cell, b->x, b->y);
}

static void
test_regions(void)
{
	for (int i = 0; i < 100000; i++)
	{
		SpqLatticePlace places[MANY];
		int			n = some_places(places);
		SpqQuadRegion region = spq_quad_region_around(places, n);
		SpqQuadPrefix prefix = spq_quad_make_prefix(&region, 1);
		bool		differ = false;
		bool		separated = false;

		for (int j = 0; j < n; j++)
		{
			check(spq_quad_region_holds(&region, &places[j]), "place %d of %d",
				  j, n);
			differ |= !same_place(&places[0], &places[j]);
			separated |= spq_quad_route(&prefix, &places[0]) !=
				spq_quad_route(&prefix, &places[j]);
		}
		check(separated == differ, "%d places, exp %d%s", n, region.cell.exp,
			  region.uniform ? ", uniform" : "");
	}
	finish_test("the smallest region around places separates them, if they differ");
}

static void
test_joins(void)
{
	long		joined = 0;

	for (int i = 0; i < 300000; i++)
	{
		SpqLatticePlace places[MANY];
		int			n = some_places(places);
		SpqQuadRegion region = spq_quad_region_around(places, n - 1);
		SpqLatticePlace *more = &places[n - 1];
		SpqQuadRegion wider;
		SpqQuadPrefix prefix;

		if (spq_quad_region_holds(&region, more))
			continue;
		joined++;
		wider = spq_quad_region_join(&region, more);
		prefix = spq_quad_make_prefix(&wider, 1);
		check(spq_quad_region_holds(&wider, more), "exp %d", wider.cell.exp);
		check(!wider.uniform || wider.size >= wider.cell.exp,
			  "uniform, size %d, exp %d", wider.size, wider.cell.exp);
		for (int j = 0; j < n - 1; j++)
		{
			check(spq_quad_region_holds(&wider, &places[j]), "exp %d",
				  wider.cell.exp);
			check(spq_quad_route(&prefix, &places[j]) ==
				  spq_quad_route_region(&prefix, &region), "place %d", j);
		}
		check(spq_quad_route(&prefix, more) != spq_quad_route_region(&prefix, &region),
			  "exp %d to %d", region.cell.exp, wider.cell.exp);
	}
	check(joined > 1000, "%ld", joined);
	finish_test("a region and a place outside of it go to different nodes");
}

static void
test_reach(void)
{
	long		bounded = 0;

	for (int i = 0; i < 300000; i++)
	{
		BOX			box = any_box();
		SpqLatticePlace place = spq_lattice_place(&box);
		SpqBoxBounds bounds = spq_box_bounds(&box);
		SpqLatticePlace others[MANY];
		SpqQuadRegion region;
		SpqQuadPrefix prefix;
		SpqBoxBounds reach;

		(void) some_places(others);
		others[lrand48() % 2] = place;
		region = spq_quad_region_around(others, random_int(1, 2));
		if (!spq_quad_region_holds(&region, &place))
			continue;
		prefix = spq_quad_make_prefix(&region, random_int(1, 2));
		check(spq_quad_has_node(&prefix, spq_quad_route(&prefix, &place)), "node %d",
			  spq_quad_route(&prefix, &place));
		reach = spq_quad_node_reach(&prefix, spq_quad_route(&prefix, &place));
		check(spq_box_bounds_hold(&reach, &bounds), "%.17g .. %.17g in %.17g .. %.17g",
			  bounds.xmin, bounds.xmax, reach.xmin, reach.xmax);
		bounded += isfinite(reach.xmax);
	}
	check(bounded > 1000, "%ld", bounded);
	finish_test("a node's reach holds any box that is routed to it");
}

static void
test_nodes(void)
{
	for (int i = 0; i < 100000; i++)
	{
		SpqLatticePlace places[MANY];
		int			n = some_places(places);
		SpqQuadRegion whole = spq_quad_region_around(places, n);
		SpqQuadRegion base = spq_quad_region_around(places, n - 1);
		SpqQuadPrefix prefix = spq_quad_make_prefix(&base, random_int(1, 2));
		SpqQuadRegion held;

		if (lrand48() % 2)
			spq_quad_add_range(&prefix, &whole);
		held = spq_quad_tuple_region(&prefix, false);
		for (int j = 0; j < n; j++)
		{
			int			node;
			SpqLatticeCell cell;

			if (!spq_quad_region_holds(&held, &places[j]))
				continue;
			node = spq_quad_route(&prefix, &places[j]);
			cell = spq_quad_node_cell(&prefix, node);
			check(node >= 0 && node < SPQ_QUAD_NODES, "%d", node);
			check(spq_lattice_cell_holds(&cell, places[j].x, places[j].y),
				  "node %d, exp %d", node, cell.exp);
		}
	}
	finish_test("a node's cell holds the anchors of its boxes");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_regions();
	test_joins();
	test_nodes();
	test_reach();
	return tests_failed > 0;
}
