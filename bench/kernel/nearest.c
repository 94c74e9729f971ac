/*-------------------------------------------------------------------------
 *
 * nearest.c
 *	  The k nearest boxes of each of many points in plain C, as a lower bound.
 *
 *		nearest SHAPE SHARE K
 *
 * The boxes are the right side of a shape, the points are the middles of a tenth
 * of the left side.  The boxes are packed into an R-tree along a Hilbert curve
 * (Kamel, Faloutsos 1993), 16 to a group, in columns.  The points are searched
 * for in the order of the same curve.  A search guesses a radius from those that
 * the searches before have found, and collects all boxes within it; if these are
 * less than K, it does so again with a larger one.  The last radius tried is
 * certainly large enough: that of the point before, plus the way to that point.
 *
 * Nothing is checked or rounded with care: no infinities, no NaN, any order of
 * boxes that are equally far away.
 *
 * Prints milliseconds of processor time to build the tree; the same to sort the
 * points and search; the number of boxes found; and the sum of their distances.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "shapes.h"

#define GROUP 16
#define MOST_LEVELS 8
#define AHEAD 16				/* boxes from one that is copied to one that
								 * is prefetched */
#define MOST_BUCKETS 128

/* digits of a radix sort of 32 bits */
#define DIGITS 3
#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)

/* two numbers at once */
typedef double Lanes __attribute__((vector_size(16), may_alias));
#ifndef __SSE2__
typedef int64_t Mask __attribute__((vector_size(16)));
#endif

typedef struct Point
{
	double		x,
				y;
} Point;

typedef struct Group
{
	double		lx[GROUP],
				ly[GROUP],
				hx[GROUP],
				hy[GROUP];
} Group;

/* Entry e of a level has the bounds of group e of the level below, or box e. */
typedef struct Tree
{
	int			nlevels;
	int			nentries[MOST_LEVELS];
	Group	   *level[MOST_LEVELS];
	int		   *id;				/* of each box */
} Tree;

/* A box within the radius. */
typedef struct Hit
{
	double		square;			/* of its distance */
	int			entry;
} Hit;

/* A key along the curve in the high half, a number in the low half. */
typedef uint64_t Place;

/* the curve's grid */
static double left,
			low,
			xscale,
			yscale;

/*
 * Four bits of x, then of y: the eight bits of the key, times 4, and the state
 * in which the curve goes on.  A state has one bit for "axes are swapped" and one
 * for "both run backwards".
 */
static uint16_t curve[4][256];

static void
make_curve(void)
{
	for (int start = 0; start < 4; start++)
	{
		for (int xy = 0; xy < 256; xy++)
		{
			int			state = start,
						key = 0;

			for (int bit = 3; bit >= 0; bit--)
			{
				int			x = (xy >> (4 + bit)) & 1,
							y = (xy >> bit) & 1,
							across = (state & 1 ? y : x) ^ (state >> 1),
							up = (state & 1 ? x : y) ^ (state >> 1);

				key = key * 4 + ((3 * across) ^ up);
				if (!up)
					state ^= across ? 3 : 1;
			}
			curve[start][xy] = key * 4 + state;
		}
	}
}

static inline uint32_t
cell(double position)
{
	return position > 0 ? (uint32_t) (position < 65535 ? position : 65535) : 0;
}

static inline Place
place(double x, double y, int number)
{
	uint32_t	column = cell((x - left) * xscale),
				row = cell((y - low) * yscale),
				key = 0,
				state = 0;

	for (int shift = 12; shift >= 0; shift -= 4)
	{
		uint32_t	step = curve[state][((column >> shift) & 15) << 4 | ((row >> shift) & 15)];

		key = key << 8 | step >> 2;
		state = step & 3;
	}
	return (Place) key << 32 | (uint32_t) number;
}

static void
fit(Rects boxes)
{
	double		right = -HUGE_VAL,
				high = -HUGE_VAL;

	left = low = HUGE_VAL;
	for (int i = 0; i < boxes.count; i++)
	{
		const Rect *r = &boxes.rect[i];

		left = r->lx < left ? r->lx : left;
		low = r->ly < low ? r->ly : low;
		right = r->hx > right ? r->hx : right;
		high = r->hy > high ? r->hy : high;
	}
	xscale = right > left ? 65536 / (right - left) : 0;
	yscale = high > low ? 65536 / (high - low) : 0;
}

/* Sort places by their keys.  "room" is as large.  Return either array. */
static Place *
sort(Place *from, Place *room, int n)
{
	static int	next[DIGITS][DIGIT_VALUES];

	memset(next, 0, sizeof(next));
	for (int i = 0; i < n; i++)
		for (int d = 0; d < DIGITS; d++)
			next[d][from[i] >> (32 + DIGIT_BITS * d) & (DIGIT_VALUES - 1)]++;
	for (int d = 0; d < DIGITS; d++)
	{
		Place	   *sorted = room;
		int			sum = 0;

		for (int v = 0; v < DIGIT_VALUES; v++)
		{
			int			here = next[d][v];

			next[d][v] = sum;
			sum += here;
		}
		for (int i = 0; i < n; i++)
			sorted[next[d][from[i] >> (32 + DIGIT_BITS * d) & (DIGIT_VALUES - 1)]++] = from[i];
		room = from;
		from = sorted;
	}
	return from;
}

static inline void
put(Group *group, int i, double lx, double ly, double hx, double hy)
{
	group->lx[i] = lx;
	group->ly[i] = ly;
	group->hx[i] = hx;
	group->hy[i] = hy;
}

/* Add a level.  Places after its last entry are infinitely far away. */
static void
add_level(Tree *tree, int nentries)
{
	int			ngroups = (nentries + GROUP - 1) / GROUP;
	Group	   *level = aligned_alloc(64, sizeof(Group) * ngroups);

	for (int e = nentries; e < ngroups * GROUP; e++)
		put(&level[ngroups - 1], e % GROUP, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL);
	tree->level[tree->nlevels] = level;
	tree->nentries[tree->nlevels++] = nentries;
}

static Tree
build(Rects boxes)
{
	Tree		tree = {0};
	int			n = boxes.count;
	Place	   *places = malloc(sizeof(Place) * n * 2),
			   *sorted;

	make_curve();
	fit(boxes);
	for (int i = 0; i < n; i++)
	{
		const Rect *r = &boxes.rect[i];

		places[i] = place((r->lx + r->hx) / 2, (r->ly + r->hy) / 2, i);
	}
	sorted = sort(places, places + n, n);

	add_level(&tree, n);
	tree.id = malloc(sizeof(int) * n);
	for (int e = 0; e < n; e++)
	{
		const Rect *r = &boxes.rect[(uint32_t) sorted[e]];

		if (e + AHEAD < n)
			__builtin_prefetch(&boxes.rect[(uint32_t) sorted[e + AHEAD]]);
		put(&tree.level[0][e / GROUP], e % GROUP, r->lx, r->ly, r->hx, r->hy);
		tree.id[e] = (uint32_t) sorted[e];
	}
	free(places);

	while (tree.nentries[tree.nlevels - 1] > GROUP)
	{
		int			below = tree.nlevels - 1,
					nbelow = tree.nentries[below];

		add_level(&tree, (nbelow + GROUP - 1) / GROUP);
		for (int e = 0; e < tree.nentries[below + 1]; e++)
		{
			const Group *g = &tree.level[below][e];
			int			last = nbelow - e * GROUP < GROUP ? nbelow - e * GROUP : GROUP;
			double		lx = g->lx[0],
						ly = g->ly[0],
						hx = g->hx[0],
						hy = g->hy[0];

			for (int i = 1; i < last; i++)
			{
				lx = g->lx[i] < lx ? g->lx[i] : lx;
				ly = g->ly[i] < ly ? g->ly[i] : ly;
				hx = g->hx[i] > hx ? g->hx[i] : hx;
				hy = g->hy[i] > hy ? g->hy[i] : hy;
			}
			put(&tree.level[below + 1][e / GROUP], e % GROUP, lx, ly, hx, hy);
		}
	}
	return tree;
}

/* a > b ? a : b of each lane; gcc and clang have no such operator for vectors. */
static inline Lanes
greater(Lanes a, Lanes b)
{
#ifdef __SSE2__
	return _mm_max_pd(a, b);
#else
	Mask		first = a > b;

	return (Lanes) ((first & (Mask) a) | (~first & (Mask) b));
#endif
}

/*
 * Set the squares of distances of a point from the entries of a group.  Return a bit
 * for each that is at most the limit.
 */
static inline unsigned
measure(const Group *g, Point p, double limit, double *square)
{
	const Lanes zero = {0, 0},
				x = {p.x, p.x},
				y = {p.y, p.y};
	unsigned	near = 0;

#pragma GCC unroll 8
	for (int i = 0; i < GROUP; i += 2)
	{
		Lanes		dx = greater(*(const Lanes *) &g->lx[i] - x, x - *(const Lanes *) &g->hx[i]),
					dy = greater(*(const Lanes *) &g->ly[i] - y, y - *(const Lanes *) &g->hy[i]);

		dx = greater(dx, zero);
		dy = greater(dy, zero);
		*(Lanes *) &square[i] = dx * dx + dy * dy;
#ifdef __SSE2__
		near |= _mm_movemask_pd(_mm_cmple_pd(*(Lanes *) &square[i], _mm_set1_pd(limit))) << i;
#else
		near |= ((square[i] <= limit) | (square[i + 1] <= limit) << 1) << i;
#endif
	}
	return near;
}

/* Collect the boxes within a radius, without a branch for each.  Return how many. */
static int
collect(const Tree *tree, Point p, double limit, Hit *hits)
{
	struct
	{
		int			level,
					group;
	}			stack[MOST_LEVELS * GROUP];
	int			waiting = 1,
				nhits = 0;

	stack[0].level = tree->nlevels - 1;
	stack[0].group = 0;
	while (waiting > 0)
	{
		int			level = stack[--waiting].level,
					first = stack[waiting].group * GROUP;
		double		square[GROUP] __attribute__((aligned(16)));
		unsigned	near = measure(&tree->level[level][first / GROUP], p, limit, square);

		if (level > 0)
		{
			for (; near != 0; near &= near - 1)
			{
				stack[waiting].level = level - 1;
				stack[waiting++].group = first + __builtin_ctz(near);
			}
		}
		else
		{
			/* half of these are hits: a branch would often be mispredicted */
#pragma GCC unroll 16
			for (int i = 0; i < GROUP; i++)
			{
				hits[nhits].square = square[i];
				hits[nhits].entry = first + i;
				nhits += (near >> i) & 1;
			}
		}
	}
	return nhits;
}

/*
 * Put the k nearest of n hits, all within the limit, into "nearest", in order:
 * into buckets by their squares, which are about in order then.
 */
static void
choose(const Hit *hits, int n, double limit, int k, Hit *nearest)
{
	int			nbuckets = k <= 16 ? 32 : MOST_BUCKETS,
				next[MOST_BUCKETS + 1],
				last = 0;
	double		scale = limit > 0 ? nbuckets / limit * (1 - 1e-9) : 0;

	if (k == 1)
	{
		*nearest = hits[0];
		for (int i = 1; i < n; i++)
			if (hits[i].square < nearest->square)
				*nearest = hits[i];
		return;
	}
	memset(next, 0, sizeof(int) * (nbuckets + 1));
	for (int i = 0; i < n; i++)
		next[(int) (hits[i].square * scale) + 1]++;
	/* those after the bucket of the k-th one are not needed */
	while (next[last + 1] + next[last] < k)
	{
		next[last + 1] += next[last];
		last++;
	}
	for (int i = 0; i < n; i++)
	{
		int			bucket = (int) (hits[i].square * scale);

		if (bucket <= last)
			nearest[next[bucket]++] = hits[i];
	}
	for (int i = 1; i < next[last]; i++)
	{
		Hit			moved = nearest[i];
		int			j = i;

		for (; j > 0 && nearest[j - 1].square > moved.square; j--)
			nearest[j] = nearest[j - 1];
		nearest[j] = moved;
	}
}

int
main(int argc, char **argv)
{
	Rects		outer,
				boxes;
	Tree		tree;
	Place	   *places,
			   *order;
	Point	   *points;
	Hit		   *hits,
			   *nearest;
	int			npoints,
				k;
	long		found = 0;
	double		start,
				build_ms,
				factor,
				mean,			/* of the squares of radii */
				radius = HUGE_VAL,	/* of the last search */
				sum = 0;
	Point		last = {0, 0};
	unsigned	check = 0;

	if (argc != 4)
	{
		fprintf(stderr, "usage: nearest SHAPE SHARE K\n");
		return 1;
	}
	make_shape(argv[1], atof(argv[2]), &outer, &boxes);
	k = atoi(argv[3]) < boxes.count ? atoi(argv[3]) : boxes.count;
	npoints = outer.count / 10;
	points = malloc(sizeof(Point) * npoints);
	for (int i = 0; i < npoints; i++)
	{
		points[i].x = (outer.rect[i].lx + outer.rect[i].hx) / 2;
		points[i].y = (outer.rect[i].ly + outer.rect[i].hy) / 2;
	}

	start = cpu_time();
	tree = build(boxes);
	build_ms = cpu_time() - start;

	start = cpu_time();
	places = malloc(sizeof(Place) * npoints * 2);
	for (int i = 0; i < npoints; i++)
		places[i] = place(points[i].x, points[i].y, i);
	order = sort(places, places + npoints, npoints);
	hits = malloc(sizeof(Hit) * (boxes.count + GROUP));
	nearest = malloc(sizeof(Hit) * boxes.count);
	factor = 1 + 3 * pow(k, -0.6);
	/* as if the boxes were points, evenly spread */
	mean = 65536.0 * 65536 / (xscale * yscale) * k / boxes.count / 3;
	for (int i = 0; i < npoints; i++)
	{
		Point		p = points[(uint32_t) order[i]];
		double		enough = (radius + hypot(p.x - last.x, p.y - last.y)) * (1 + 1e-9),
					limit = mean * factor;
		int			n;

		enough *= enough;
		for (int try = 0;; try++)
		{
			limit = limit < enough ? limit : enough;
			n = collect(&tree, p, limit, hits);
			if (n >= k)
				break;
			limit = try > 0 && enough < HUGE_VAL ? enough : limit * 3;
		}
		choose(hits, n, limit, k, nearest);
		for (int j = 0; j < k; j++)
		{
			nearest[j].square = sqrt(nearest[j].square);
			sum += nearest[j].square;
			check ^= tree.id[nearest[j].entry];
		}
		found += k;
		radius = nearest[k - 1].square;
		mean = 0.8 * mean + 0.2 * radius * radius;
		last = p;
	}
	printf("%.3f %.3f %ld %.2f\n", build_ms, cpu_time() - start, found, sum);
	/* use the ids, so that the compiler keeps them */
	return check == 1 && found == 0;
}
