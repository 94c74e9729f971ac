/*-------------------------------------------------------------------------
 *
 * kernel.c
 *	  A join of two arrays of boxes in plain C, as a lower bound.
 *
 *		kernel SHAPE SHARE GRID...
 *
 * A uniform grid over both arrays has GRID cells a side.  Each box is copied
 * into every cell that it meets, by counting; each cell is sorted by low x and
 * joined by a forward scan; a pair counts only in the cell with the low corner
 * of its intersection.  This is PBSM (Patel, DeWitt 1996) with the reference
 * points of Dittrich and Seeger (2000).
 *
 * Prints a line for each GRID: GRID, milliseconds of processor time, pairs; or
 * "-" if there would be too many copies.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

#define MOST_COPIES 60e6
#define EPSILON 1e-6			/* boxes this far apart satisfy PostgreSQL's
								 * && */

typedef struct Entry
{
	double		lx,
				ly,
				hx,
				hy;
} Entry;

/* Copies of the boxes; those of cell c are first[c] to first[c + 1] - 1. */
typedef struct Cells
{
	int		   *first;
	Entry	   *entry;
} Cells;

static int	grid;
static double left,
			low,
			xscale,
			yscale;

static inline int
cell(double position)
{
	int			c = (int) position;

	return c < 0 ? 0 : c >= grid ? grid - 1 : c;
}

#define FOR_EACH_CELL(e, c) \
	for (int y = cell((e.ly - low) * yscale), yend = cell((e.hy - low) * yscale); y <= yend; y++) \
		for (int x = cell((e.lx - left) * xscale), xend = cell((e.hx - left) * xscale), c = y * grid + x; x <= xend; x++, c++)

static inline Entry
entry(const Rect *r, double slack)
{
	Entry		e = {r->lx - slack, r->ly - slack, r->hx + slack, r->hy + slack};

	return e;
}

/* Return the number of copies.  This is not measured. */
static double
copies(Rects in)
{
	double		sum = 0;

	for (int i = 0; i < in.count; i++)
	{
		Entry		e = entry(&in.rect[i], 0);

		sum += (cell((e.hx - left) * xscale) - cell((e.lx - left) * xscale) + 1.0) *
			(cell((e.hy - low) * yscale) - cell((e.ly - low) * yscale) + 1.0);
	}
	return sum;
}

static Cells
partition(Rects in, double slack)
{
	size_t		ncells = (size_t) grid * grid;
	Cells		out;
	int		   *next = malloc(sizeof(int) * ncells);

	out.first = calloc(ncells + 1, sizeof(int));
	for (int i = 0; i < in.count; i++)
	{
		Entry		e = entry(&in.rect[i], slack);

		FOR_EACH_CELL(e, c)
			out.first[c + 1]++;
	}
	for (size_t c = 0; c < ncells; c++)
		out.first[c + 1] += out.first[c];
	memcpy(next, out.first, sizeof(int) * ncells);
	out.entry = malloc(sizeof(Entry) * out.first[ncells]);
	for (int i = 0; i < in.count; i++)
	{
		Entry		e = entry(&in.rect[i], slack);

		FOR_EACH_CELL(e, c)
			out.entry[next[c]++] = e;
	}
	free(next);
	return out;
}

static int
compare(const void *a, const void *b)
{
	double		x = ((const Entry *) a)->lx,
				y = ((const Entry *) b)->lx;

	return x < y ? -1 : x > y;
}

static void
sort(Entry *e, int n)
{
	if (n > 40)
	{
		qsort(e, n, sizeof(Entry), compare);
		return;
	}
	for (int i = 1; i < n; i++)
	{
		Entry		moved = e[i];
		int			j = i;

		for (; j > 0 && e[j - 1].lx > moved.lx; j--)
			e[j] = e[j - 1];
		e[j] = moved;
	}
}

static long
join_cell(Entry *a, int na, Entry *b, int nb, int x, int y)
{
	long		pairs = 0;
	Entry	   *aend = a + na,
			   *bend = b + nb;

	sort(a, na);
	sort(b, nb);
	while (a < aend && b < bend)
	{
		bool		first = a->lx <= b->lx;
		const Entry *r = first ? a++ : b++,
				   *s = first ? b : a,
				   *end = first ? bend : aend;

		for (; s < end && s->lx <= r->hx; s++)
		{
			if (s->ly <= r->hy && r->ly <= s->hy &&
				cell((s->lx - left) * xscale) == x &&
				cell(((s->ly > r->ly ? s->ly : r->ly) - low) * yscale) == y)
				pairs++;
		}
	}
	return pairs;
}

static void
fit(Rects a, Rects b)
{
	double		x1 = HUGE_VAL,
				y1 = HUGE_VAL,
				x2 = -HUGE_VAL,
				y2 = -HUGE_VAL;

	for (int k = 0; k < 2; k++)
	{
		Rects		in = k ? b : a;

		for (int i = 0; i < in.count; i++)
		{
			const Rect *r = &in.rect[i];

			x1 = r->lx < x1 ? r->lx : x1;
			y1 = r->ly < y1 ? r->ly : y1;
			x2 = r->hx > x2 ? r->hx : x2;
			y2 = r->hy > y2 ? r->hy : y2;
		}
	}
	left = x1;
	low = y1;
	xscale = x2 > x1 ? grid / (x2 - x1) : 0;
	yscale = y2 > y1 ? grid / (y2 - y1) : 0;
}

int
main(int argc, char **argv)
{
	Rects		a,
				b;

	if (argc < 4)
	{
		fprintf(stderr, "usage: kernel SHAPE SHARE GRID...\n");
		return 1;
	}
	make_shape(argv[1], atof(argv[2]), &a, &b);
	for (int k = 3; k < argc; k++)
	{
		double		start;
		Cells		ca,
					cb;
		long		pairs = 0;

		grid = atoi(argv[k]);
		fit(a, b);
		if (copies(a) > MOST_COPIES || copies(b) > MOST_COPIES)
		{
			printf("%d - -\n", grid);
			continue;
		}
		start = cpu_time();
		fit(a, b);
		ca = partition(a, 0);
		cb = partition(b, EPSILON);
		for (int y = 0, c = 0; y < grid; y++)
		{
			for (int x = 0; x < grid; x++, c++)
			{
				int			na = ca.first[c + 1] - ca.first[c],
							nb = cb.first[c + 1] - cb.first[c];

				if (na > 0 && nb > 0)
					pairs += join_cell(ca.entry + ca.first[c], na,
									   cb.entry + cb.first[c], nb, x, y);
			}
		}
		printf("%d %.3f %ld\n", grid, cpu_time() - start, pairs);
		fflush(stdout);
		free(ca.first);
		free(ca.entry);
		free(cb.first);
		free(cb.entry);
	}
	return 0;
}
