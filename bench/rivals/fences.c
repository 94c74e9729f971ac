/*
 * fences.c
 *	  A bare loop for the fence workload in docs/compare.md: a lower bound.
 *
 * Reads centers of circles from standard input, puts one vehicle at each, and sets
 * positions of random vehicles: first their own again, then the centers of random
 * circles.  Each time it looks up the circles around the position in a grid, and compares
 * them with those before: the others are entered and left.  No client, no log, no
 * transaction, no second thread.
 *
 *		fences RADIUS SETS < centers		prints, of both: sets per second of processor time, events per set
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4096				/* circles around a position */
#define COLUMNS 1024

typedef struct Circle
{
	double		x,
				y;
	int			next;			/* in the cell, or -1 */
} Circle;

static Circle *circles;
static int *cells;
static int count;
static double radius;

static int
cell_of(long column, long row)
{
	return (int) (((row % COLUMNS + COLUMNS) % COLUMNS) * COLUMNS + (column % COLUMNS + COLUMNS) % COLUMNS);
}

/* Set the circles around a place, in ascending order.  Return their number. */
static int
look_up(double x, double y, int *found)
{
	long		column = (long) floor(x / radius),
				row = (long) floor(y / radius);
	int			n = 0;

	for (long r = row - 1; r <= row + 1; r++)
		for (long c = column - 1; c <= column + 1; c++)
			for (int i = cells[cell_of(c, r)]; i >= 0; i = circles[i].next)
				if (hypot(circles[i].x - x, circles[i].y - y) <= radius && n < MOST)
				{
					int			at = n++;

					for (; at > 0 && found[at - 1] > i; at--)
						found[at] = found[at - 1];
					found[at] = i;
				}
	return n;
}

/* Return how many circles are in one list only: the events. */
static int
differ(const int *a, int na, const int *b, int nb)
{
	int			i = 0,
				j = 0,
				events = 0;

	while (i < na || j < nb)
		if (j == nb || (i < na && a[i] < b[j]))
			i++, events++;
		else if (i == na || b[j] < a[i])
			j++, events++;
		else
			i++, j++;
	return events;
}

int
main(int argc, char **argv)
{
	long		sets = argc > 2 ? atol(argv[2]) : 0;
	int			size = 1 << 10;
	int		   *inside,
			   *many;
	double		x,
				y;

	radius = argc > 1 ? atof(argv[1]) : 0;
	if (radius <= 0 || sets <= 0)
		return 2;
	circles = malloc(size * sizeof(Circle));
	while (scanf("%lf %lf", &x, &y) == 2)
	{
		if (count == size)
			circles = realloc(circles, (size *= 2) * sizeof(Circle));
		circles[count++] = (Circle) {x, y, -1};
	}
	if (count == 0)
		return 2;
	cells = malloc(COLUMNS * COLUMNS * sizeof(int));
	memset(cells, -1, COLUMNS * COLUMNS * sizeof(int));
	for (int i = 0; i < count; i++)
	{
		int		   *cell = &cells[cell_of((long) floor(circles[i].x / radius), (long) floor(circles[i].y / radius))];

		circles[i].next = *cell;
		*cell = i;
	}
	/* of each vehicle: how many circles, and which */
	many = malloc(count * sizeof(int));
	inside = malloc((size_t) count * MOST * sizeof(int));
	for (int i = 0; i < count; i++)
		many[i] = look_up(circles[i].x, circles[i].y, inside + (size_t) i * MOST);
	for (int pass = 0; pass < 2; pass++)
	{
		struct timespec began,
					ended;
		double		seconds;
		long		events = 0;
		int			found[MOST];

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
		for (long set = 0; set < sets; set++)
		{
			int			vehicle = rand() % count,
						shop = pass == 0 ? vehicle : rand() % count,
						n = look_up(circles[shop].x, circles[shop].y, found);
			int		   *before = inside + (size_t) vehicle * MOST;

			events += differ(before, many[vehicle], found, n);
			memcpy(before, found, n * sizeof(int));
			many[vehicle] = n;
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
		seconds = (ended.tv_sec - began.tv_sec) + (ended.tv_nsec - began.tv_nsec) / 1e9;
		printf("%.0f %.3f\n", sets / seconds, (double) events / sets);
	}
	return 0;
}
