/*-------------------------------------------------------------------------
 *
 * shapes.c
 *	  Boxes, easy and hard to join.
 *
 * For a million rows, the square has a side of 1e5, the cube one of 1e4.  They
 * shrink with the share, so that a box meets the same number of others.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shapes.h"

#define CLUSTERS 1000

static uint64_t state;
static double side;				/* of the square, or the cube */
static double center[CLUSTERS][3];
static int	clusters;

static double
milliseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

double
now(void)
{
	return milliseconds(CLOCK_MONOTONIC);
}

double
cpu_time(void)
{
	return milliseconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* xorshift (Marsaglia 2003): more than 0, less than 1 */
static double
uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((state >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	double		radius = sqrt(-2 * log(uniform()));

	return radius * cos(6.283185307179586 * uniform());
}

static double
exponential(double mean)
{
	return -mean * log(uniform());
}

#if SPQ_DIM == 3

static Rect
rect(double x, double y, double z, double width, double height, double depth)
{
	Rect		r = {x + width, y + height, z + depth, x, y, z};

	return r;
}

static Rect
uniform_box(void)
{
	double		x = uniform() * side,
				y = uniform() * side,
				z = uniform() * side;

	return rect(x, y, z, exponential(50), exponential(50), exponential(50));
}

/* Gaussian clusters; sides lognormal, three deviations are 0.1 .. 1000. */
static Rect
cluster_box(void)
{
	const double *c = center[(int) (uniform() * clusters)];
	double		x = c[0] + 120 * normal(),
				y = c[1] + 120 * normal(),
				z = c[2] + 120 * normal(),
				width = 10 * exp(normal() * log(100) / 3),
				height = 10 * exp(normal() * log(100) / 3),
				depth = 10 * exp(normal() * log(100) / 3);

	return rect(x - width / 2, y - height / 2, z - depth / 2, width, height, depth);
}

#else

static Rect
rect(double x, double y, double width, double height)
{
	Rect		r = {x + width, y + height, x, y};

	return r;
}

static Rect
uniform_box(void)
{
	double		x = uniform() * side,
				y = uniform() * side;

	return rect(x, y, exponential(50), exponential(50));
}

/* Gaussian clusters; sides lognormal, three deviations are 0.1 .. 1000. */
static Rect
cluster_box(void)
{
	const double *c = center[(int) (uniform() * clusters)];
	double		x = c[0] + 300 * normal(),
				y = c[1] + 300 * normal(),
				width = 10 * exp(normal() * log(100) / 3),
				height = 10 * exp(normal() * log(100) / 3);

	return rect(x - width / 2, y - height / 2, width, height);
}

/* Clusters within clusters: density rises without bound toward the middle. */
static Rect
nested_box(void)
{
	double		scale = side * exp(-10 * uniform());

	return rect(scale * normal(), scale * normal(),
				scale * uniform() * 5e-4, scale * uniform() * 5e-4);
}

/* Sides Pareto distributed over five decades: 1 .. 1e5 */
static Rect
pareto_box(void)
{
	double		size = 1 / (uniform() + 1e-5),
				x = uniform() * side,
				y = uniform() * side;

	return rect(x, y, size, size * exp(normal() / 2));
}

static Rect
thin_box(void)
{
	double		x = uniform() * side,
				y = uniform() * side,
				length = exponential(2000);

	return uniform() < 0.5 ? rect(x, y, length, 1) : rect(x, y, 1, length);
}

/* Points of a lattice, with duplicates. */
static Rect
point(void)
{
	double		step = 50;

	return rect(floor(uniform() * side / step) * step,
				floor(uniform() * side / step) * step, 0, 0);
}

/* Intervals are boxes without height.  Numbers in ten places far apart: */
static double
far_number(void)
{
	return floor(uniform() * 10) * 1e12 + uniform() * 50000 * side / 1e5;
}

static Rect
far_interval(void)
{
	return rect(far_number(), 0, 5, 0);
}

static Rect
far_value(void)
{
	return rect(far_number(), 0, 0, 0);
}

/*
 * Microseconds, some from ten minutes of each of five thousand nights: the length of the
 * night is 86.4 times that of the ten minutes.
 */
static double
time_of_event(void)
{
	return 8e14 + floor(uniform() * 5000 * side / 1e5) * 8.64e10 + floor(uniform() * 6e8);
}

static Rect
second(void)
{
	return rect(time_of_event(), 0, 1e6, 0);
}

static Rect
event(void)
{
	return rect(time_of_event(), 0, 0, 0);
}

/*
 * The upper 64 bits of addresses: a few providers have 32, their customers 48 and 64.
 * Addresses lie in networks of the same customers.
 */
static double
address(int bits)
{
	double		provider = floor(40 * uniform() * uniform()),
				customer = floor(5000 * side / 1e5 * uniform() * uniform()),
				subnet = floor(256 * uniform()),
				address = 0x2a000000 + provider * 4099;

	address = address * 65536 + (bits >= 48 ? customer * 13 : 0);
	return address * 65536 + (bits >= 64 ? subnet : 0);
}

static Rect
network(void)
{
	static const int lengths[] = {32, 48, 48, 64, 64, 64, 64, 64};
	int			bits = lengths[(int) (uniform() * 8)];

	/* providers are few */
	if (bits == 32 && uniform() < 0.99)
		bits = 64;
	return rect(address(bits), 0, ldexp(1, 64 - bits) - 1, 0);
}

static Rect
host(void)
{
	return rect(address(64), 0, 0, 0);
}

static Rect
same_box(void)
{
	return rect(17, 17, 5, 5);
}

#endif

typedef Rect (*Generator) (void);

static const struct Shape
{
	const char *name;
	Generator	left,
				right;
	int			nleft,
				nright;
}			shapes[] = {
	{"u", uniform_box, uniform_box, 1000000, 1000000},
	{"s", cluster_box, cluster_box, 1000000, 1000000},
#if SPQ_DIM != 3
	{"pareto", pareto_box, pareto_box, 500000, 500000},
	{"nested", nested_box, nested_box, 1000000, 1000000},
	{"cover", cluster_box, cluster_box, 1000000, 1000000},	/* plus one */
	{"same", same_box, same_box, 10000, 10000},
	{"large-small", uniform_box, uniform_box, 2000000, 2000},
	{"small-large", uniform_box, uniform_box, 2000, 2000000},
	{"points", point, point, 1000000, 1000000},
	{"points-boxes", point, uniform_box, 1000000, 1000000},
	{"thin", thin_box, thin_box, 200000, 200000},
	{"far", far_interval, far_value, 50000, 50000},
	{"timestamps", second, event, 1000000, 1000000},
	{"prefixes", network, host, 100000, 100000},
#endif
};

static Rects
make_side(Generator generator, int count, uint64_t seed)
{
	Rects		side;

	state = seed;
	for (int i = 0; i < 20; i++)
		uniform();
	side.count = count;
	side.rect = malloc(sizeof(Rect) * count);
	for (int i = 0; i < count; i++)
		side.rect[i] = generator();
	return side;
}

void
make_shape(const char *name, double share, Rects *left, Rects *right)
{
	const uint64_t seed = 88172645463325252u;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
	{
		const struct Shape *shape = &shapes[i];

		if (strcmp(shape->name, name) != 0)
			continue;
#if SPQ_DIM == 3
		side = 1e4 * cbrt(share);
#else
		side = 1e5 * sqrt(share);
#endif
		clusters = share >= 1 ? CLUSTERS : CLUSTERS * share > 1 ? CLUSTERS * share : 1;
		state = seed;
		for (int c = 0; c < clusters; c++)
		{
			center[c][0] = uniform() * side;
			center[c][1] = uniform() * side;
#if SPQ_DIM == 3
			center[c][2] = uniform() * side;
#endif
		}
		*left = make_side(shape->left, shape->nleft * share, seed * 3 + 1);
		*right = make_side(shape->right, shape->nright * share, seed * 5 + 2);
#if SPQ_DIM != 3
		if (strcmp(name, "cover") == 0)
			left->rect[left->count / 2] = rect(-2000, -2000, side + 4000, side + 4000);
#endif
		return;
	}
	fprintf(stderr, "unknown shape %s\n", name);
	exit(1);
}
