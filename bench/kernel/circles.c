/*-------------------------------------------------------------------------
 *
 * circles.c
 *	  The nested loop that a game would run: all pairs of circles that collide,
 *	  by bounding box, then exactly.
 *
 *		circles FILE [branchless]
 *
 * The file has a line "x y radius" for each circle.  Each line on standard
 * input requests one frame; the answer is its milliseconds and pairs.  Boxes
 * are compared with && or, with "branchless", without branches.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

#define EPSILON 1e-6			/* as PostgreSQL compares coordinates */

typedef struct Circle
{
	double		x,
				y,
				r;
} Circle;

static Circle *circle;
static Rect *box;
static int	count;

/* Compare with &&; the processor often mispredicts its branches. */
static inline bool
meet(const Rect *a, const Rect *b)
{
	return a->lx <= b->hx && b->lx <= a->hx && a->ly <= b->hy && b->ly <= a->hy;
}

/* Compute all four comparisons, so that there are no branches. */
static inline bool
meet_without_branches(const Rect *a, const Rect *b)
{
	return (a->lx <= b->hx) & (b->lx <= a->hx) & (a->ly <= b->hy) & (b->ly <= a->hy);
}

static inline long
frame(bool branches)
{
	long		pairs = 0;

	for (int i = 0; i < count; i++)
	{
		Circle		c = circle[i];
		Rect		b = {c.x + c.r + EPSILON, c.y + c.r + EPSILON, c.x - c.r, c.y - c.r};

		box[i] = b;
	}
	for (int i = 0; i < count; i++)
	{
		Circle		c = circle[i];
		Rect		b = box[i];

		for (int j = i + 1; j < count; j++)
		{
			if ((branches ? meet(&b, &box[j]) : meet_without_branches(&b, &box[j])) &&
				hypot(c.x - circle[j].x, c.y - circle[j].y) <= c.r + circle[j].r + EPSILON)
				pairs++;
		}
	}
	return pairs;
}

int
main(int argc, char **argv)
{
	FILE	   *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	bool		branches = argc < 3 || strcmp(argv[2], "branchless") != 0;
	Circle		c;
	int			room = 0;

	if (in == NULL)
	{
		fprintf(stderr, "usage: circles FILE [branchless]\n");
		return 1;
	}
	while (fscanf(in, "%lf %lf %lf", &c.x, &c.y, &c.r) == 3)
	{
		if (count == room)
			circle = realloc(circle, sizeof(Circle) * (room = room ? 2 * room : 1024));
		circle[count++] = c;
	}
	fclose(in);
	box = malloc(sizeof(Rect) * count);

	for (int ch; (ch = getchar()) != EOF;)
	{
		double		start;
		long		pairs;

		if (ch != '\n')
			continue;
		start = now();
		pairs = branches ? frame(true) : frame(false);
		printf("%.4f %ld\n", now() - start, pairs);
		fflush(stdout);
	}
	return 0;
}
