/*-------------------------------------------------------------------------
 *
 * coasts.c
 *	  Polygons that are rough like a coast, and points in their boxes.
 *
 * A polygon is a circle whose radius has waves of all lengths, the shorter the
 * lower, down to some edges each.  It is as large as a country, in degrees.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "coasts.h"

#define TURN			6.283185307179586
#define LONGEST_WAVE	2		/* waves around the polygon */
#define WAVE_EDGES		4		/* edges of the shortest wave, at least */
#define ROUGHNESS		0.1

static uint64_t state = 88172645463325252;

/* xorshift (Marsaglia 2003) */
static double
uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) / 9007199254740992.0;
}

static double
radius(double angle, int vertices)
{
	double		sum = 1;

	for (int wave = LONGEST_WAVE; wave < vertices / WAVE_EDGES; wave += wave / 2 + 1)
		sum += ROUGHNESS * pow(wave, -0.75) * cos(wave * (angle + 1.7 * wave));
	return sum;
}

/* Make a polygon. */
Coast
make_coast(int vertices)
{
	Coast		coast = {vertices, malloc((vertices + 1) * sizeof(Place)),
	{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

	for (int i = 0; i < vertices; i++)
	{
		double		angle = TURN * i / vertices,
					r = radius(angle, vertices);
		Place		p = {8.5 + 2.1 * r * cos(angle), 53.1 + 0.5 * r * sin(angle)};

		coast.place[i] = p;
		coast.low.x = fmin(coast.low.x, p.x);
		coast.low.y = fmin(coast.low.y, p.y);
		coast.high.x = fmax(coast.high.x, p.x);
		coast.high.y = fmax(coast.high.y, p.y);
	}
	coast.place[vertices] = coast.place[0];
	return coast;
}

/* Make points anywhere in the box of a polygon. */
Place *
make_places(const Coast *coast, int count)
{
	Place	   *places = malloc(count * sizeof(Place));

	for (int i = 0; i < count; i++)
	{
		places[i].x = coast->low.x + uniform() * (coast->high.x - coast->low.x);
		places[i].y = coast->low.y + uniform() * (coast->high.y - coast->low.y);
	}
	return places;
}
