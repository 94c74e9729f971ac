/*-------------------------------------------------------------------------
 *
 * nearest_engine.c
 *	  The search for nearest boxes without a server, as nearest.c does it: the
 *	  same boxes and points, the same output, and the number of distances
 *	  computed.
 *
 *		nearest_engine SHAPE SHARE K
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nearest_join/search.h"
#include "utils/float.h"
#include "utils/memutils.h"
#include "shapes.h"

#undef printf
#undef fprintf

#define AXES	2

StaticAssertDecl(sizeof(Rect) == 2 * AXES * sizeof(float8) &&
				 offsetof(Rect, lx) == AXES * sizeof(float8),
				 "a Rect has its high ends, then its low ends");

int
main(int argc, char **argv)
{
	Rects		outer,
				boxes;
	Rect	   *points;
	int64	   *ids;
	SpqPackedTree *tree;
	SpqNearestSearch *search;
	SpqNearestPlace *order;
	SpqNearestHit *hits;
	int			npoints,
				k;
	double		start,
				build_ms,
				sum = 0;
	uint64		found = 0,
				check = 0;

	if (argc != 4)
	{
		fprintf(stderr, "usage: nearest_engine SHAPE SHARE K\n");
		return 1;
	}
	make_shape(argv[1], atof(argv[2]), &outer, &boxes);
	k = Min(atoi(argv[3]), boxes.count);
	npoints = outer.count / 10;
	points = palloc(npoints * sizeof(Rect));
	for (int i = 0; i < npoints; i++)
	{
		points[i].lx = points[i].hx = (outer.rect[i].lx + outer.rect[i].hx) / 2;
		points[i].ly = points[i].hy = (outer.rect[i].ly + outer.rect[i].hy) / 2;
	}
	ids = palloc(boxes.count * sizeof(int64));
	for (int i = 0; i < boxes.count; i++)
		ids[i] = i;

	start = cpu_time();
	tree = spq_packed_tree_build(&boxes.rect[0].hx, ids, boxes.count, AXES);
	build_ms = cpu_time() - start;

	start = cpu_time();
	search = spq_nearest_search_begin(tree, k, get_float8_infinity());
	order = MemoryContextAllocHuge(CurrentMemoryContext, 2 * (Size) npoints * sizeof(SpqNearestPlace));
	spq_nearest_order(&points[0].hx, npoints, AXES, order);
	hits = palloc(k * sizeof(SpqNearestHit));
	for (int i = 0; i < npoints; i++)
	{
		uint32		n = spq_nearest_search(search, &points[spq_nearest_place_index(order[i])].hx,
										   hits, 0);

		for (uint32 j = 0; j < n; j++)
		{
			sum += hits[j].distance;
			check ^= hits[j].id;
		}
		found += n;
	}
	printf("%.3f %.3f %llu %.2f %llu\n", build_ms, cpu_time() - start, (unsigned long long) found,
		   sum, (unsigned long long) spq_nearest_search_candidates(search));
	/* use the ids, so that the compiler keeps them */
	return check == 1 && found == 0;
}
