/*-------------------------------------------------------------------------
 *
 * shapes3_test.c
 *	  Spheres, rays, segments, frustums and boxes: src/solid.
 *
 * The oracles compute with 128-bit integers, by other methods than the library.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "solid/geometry/exact.h"
#include "solid/geometry/shapes3.h"

#define ROUNDS 30000
#define AXES 3
#define DIGITS_END 0x1p53		/* above it, not every integer is a float8 */

typedef __int128 Whole;

/* Return an integer of up to "bits" bits, often small, so shapes touch. */
static int64
some_int(int bits)
{
	if (random_int(0, 2) > 0)
		return random_int(-4, 4);
	return (lrand48() & ((1 << random_int(1, bits)) - 1)) * (random_int(0, 1) ? 1 : -1);
}

/*
 * Return a power of two to scale coordinates with.  With some, products
 * overflow or underflow float8.
 */
static double
some_scale(void)
{
	static const int exponent[] = {0, 0, 0, -3, -250, 250, 700, -700};

	return ldexp(1, exponent[random_int(0, lengthof(exponent) - 1)]);
}

static int
sign_of(Whole x)
{
	return (x > 0) - (x < 0);
}

static void
test_sums_of_integers(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		SpqExactSum sum;
		Whole		oracle = 0;
		double		scale = some_scale();

		spq_exact_start(&sum);
		for (int n = random_int(0, 6); n > 0; n--)
		{
			int64		f[4];

			for (int k = 0; k < 4; k++)
				f[k] = some_int(28);
			oracle += (Whole) f[0] * f[1] * f[2] * f[3];
			spq_exact_add(&sum, f[0] * scale, f[1] / scale, f[2], f[3] * scale);
		}
		check(spq_exact_sign(&sum) == sign_of(oracle), "scale %g", scale);
	}
	finish_test("sums of products of integers");
}

/*
 * Check that only the rest remains when products are added and subtracted in
 * different orders.
 */
static void
test_cancelled_sums(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		float8		f[8][4];
		int			count = random_int(1, 8);
		SpqExactSum sum;
		float8		rest[4];
		int			sign;

		for (int n = 0; n < count; n++)
			for (int k = 0; k < 4; k++)
				f[n][k] = odd_number();
		for (int k = 0; k < 4; k++)
			rest[k] = random_int(0, 1) ? odd_number() : 5e-324;
		sign = rest[0] == 0 || rest[1] == 0 || rest[2] == 0 || rest[3] == 0 ? 0 :
			(rest[0] < 0) ^ (rest[1] < 0) ^ (rest[2] < 0) ^ (rest[3] < 0) ? -1 : 1;
		spq_exact_start(&sum);
		for (int n = 0; n < count; n++)
			spq_exact_add(&sum, f[n][0], f[n][1], f[n][2], f[n][3]);
		spq_exact_add(&sum, rest[0], rest[1], rest[2], rest[3]);
		for (int n = count - 1; n >= 0; n--)
			spq_exact_add(&sum, f[n][2], -f[n][0], f[n][3], f[n][1]);
		check(spq_exact_sign(&sum) == sign, "%d products, sign %d", count, sign);
	}
	finish_test("products that cancel each other");
}

/* Make integers for a box, with its corners in order. */
static void
some_ints(int64 low[AXES], int64 high[AXES], int bits)
{
	for (int i = 0; i < AXES; i++)
	{
		int64		a = some_int(bits),
					b = random_int(0, 3) ? some_int(bits) : a;

		low[i] = Min(a, b);
		high[i] = Max(a, b);
	}
}

static SpqBox3
make_box(const int64 *low, const int64 *high, double scale)
{
	SpqBox3		box;

	for (int i = 0; i < AXES; i++)
	{
		box.low[i] = low[i] * scale;
		box.high[i] = high[i] * scale;
	}
	return box;
}

static SpqPoint3
make_point(const int64 *x, double scale)
{
	SpqPoint3	point = {{x[0] * scale, x[1] * scale, x[2] * scale}};

	return point;
}

static void
test_spheres(void)
{
	long		yes = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		int64		low[AXES],
					high[AXES],
					center[AXES],
					other_center[AXES];
		int64		radius = llabs(some_int(20)),
					other_radius = llabs(some_int(20));
		double		scale = some_scale();
		Whole		nearest = 0,
					farthest = 0,
					between = 0,
					square = (Whole) radius * radius;
		SpqBox3		box;
		SpqSphere3	sphere,
					other;
		SpqPoint3	point;

		some_ints(low, high, 20);
		for (int k = 0; k < AXES; k++)
		{
			Whole		below,
						above,
						away;

			center[k] = some_int(20);
			other_center[k] = some_int(20);
			below = low[k] - center[k];
			above = center[k] - high[k];
			away = Max(Max(below, above), 0);
			nearest += away * away;
			away = Max(below < 0 ? -below : below, above < 0 ? -above : above);
			farthest += away * away;
			between += (Whole) (center[k] - other_center[k]) * (center[k] - other_center[k]);
		}
		/* often exactly on the surface */
		if (random_int(0, 1))
			radius = (int64) sqrt((double) (random_int(0, 1) ? nearest : farthest));
		square = (Whole) radius * radius;
		box = make_box(low, high, scale);
		point = make_point(other_center, scale);
		sphere.center = make_point(center, scale);
		sphere.radius = radius * scale;
		other.center = point;
		other.radius = other_radius * scale;

		check(spq_sphere3_meets_box(&sphere, &box) == (nearest <= square),
			  "radius %ld, scale %g", (long) radius, scale);
		check(spq_sphere3_holds_box(&sphere, &box) == (farthest <= square),
			  "radius %ld, scale %g", (long) radius, scale);
		check(spq_sphere3_holds_point(&sphere, &point) == (between <= square),
			  "radius %ld, scale %g", (long) radius, scale);
		check(spq_sphere3_meets_sphere(&sphere, &other) ==
			  (between <= (Whole) (radius + other_radius) * (radius + other_radius)),
			  "radii %ld, %ld, scale %g", (long) radius, (long) other_radius, scale);
		check(spq_sphere3_holds_sphere(&sphere, &other) ==
			  (radius >= other_radius &&
			   between <= (Whole) (radius - other_radius) * (radius - other_radius)),
			  "radii %ld, %ld, scale %g", (long) radius, (long) other_radius, scale);
		yes += nearest <= square;
	}
	check(yes > ROUNDS / 10 && yes < ROUNDS * 9 / 10, "%ld", yes);
	finish_test("spheres");
}

/*
 * Test points and boxes on surfaces, or one float8 away, where squares are
 * rounded.
 */
static void
test_surfaces(void)
{
	static const int quadruple[][4] = {
		{1, 2, 2, 3}, {2, 3, 6, 7}, {1, 4, 8, 9}, {4, 4, 7, 9}, {2, 6, 9, 11}, {0, 3, 4, 5}
	};

	for (int i = 0; i < ROUNDS; i++)
	{
		const int  *q = quadruple[random_int(0, lengthof(quadruple) - 1)];
		double		scale = some_scale(),
					k = (lrand48() % (1 << 30)) * 1024.0 + random_int(1, 1023);
		SpqSphere3	sphere;
		SpqBox3		box;
		SpqPoint3	point;

		for (int axis = 0; axis < AXES; axis++)
		{
			sphere.center.x[axis] = random_int(-1000, 1000) * k * scale;
			point.x[axis] = sphere.center.x[axis] + (random_int(0, 1) ? k : -k) * q[axis] * scale;
			box.low[axis] = Min(point.x[axis], sphere.center.x[axis]);
			box.high[axis] = Max(point.x[axis], sphere.center.x[axis]);
		}
		sphere.radius = q[3] * k * scale;
		check(spq_sphere3_holds_point(&sphere, &point), "on the surface, %.17g", k);
		check(spq_sphere3_holds_box(&sphere, &box), "on the surface, %.17g", k);
		sphere.radius = nextafter(sphere.radius, 0);
		check(!spq_sphere3_holds_point(&sphere, &point), "outside, %.17g", k);
		check(!spq_sphere3_holds_box(&sphere, &box), "outside, %.17g", k);
	}

	/* rounded to float8, both ends of the box are equally far */
	for (int sign = -1; sign <= 1; sign++)
	{
		SpqSphere3	sphere = {{{sign * 0.25, 0, 0}}, DIGITS_END};
		SpqBox3		box = {{DIGITS_END, 0, 0}, {-DIGITS_END, 0, 0}};

		check(spq_sphere3_holds_box(&sphere, &box) == (sign == 0), "%d", sign);
		sphere.radius = nextafter(sphere.radius, HUGE_VAL);
		check(spq_sphere3_holds_box(&sphere, &box), "%d", sign);
	}
	finish_test("surfaces of spheres");
}

/* A fraction of integers. */
typedef struct Fraction
{
	Whole		up;
	Whole		down;			/* positive */
} Fraction;

/*
 * Compute the interval of t >= 0 in which from + t * way is in a box.  Return
 * false if it is empty.
 */
static bool
clip(const int64 *from, const int64 *way, const int64 *low, const int64 *high,
	 Fraction *first, Fraction *last, bool *is_bounded)
{
	first->up = 0;
	first->down = 1;
	*is_bounded = false;
	for (int k = 0; k < AXES; k++)
	{
		int64		flip = way[k] < 0 ? -1 : 1;
		Fraction	in = {flip * ((way[k] < 0 ? high[k] : low[k]) - from[k]), flip * way[k]},
					out = {flip * ((way[k] < 0 ? low[k] : high[k]) - from[k]), flip * way[k]};

		if (way[k] == 0)
		{
			if (from[k] < low[k] || from[k] > high[k])
				return false;
			continue;
		}
		if (in.up * first->down > first->up * in.down)
			*first = in;
		if (!*is_bounded || out.up * last->down < last->up * out.down)
			*last = out;
		*is_bounded = true;
	}
	return !*is_bounded || first->up * last->down <= last->up * first->down;
}

static void
test_rays(void)
{
	long		yes = 0,
				near_misses = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		int64		low[AXES],
					high[AXES],
					from[AXES],
					way[AXES],
					to[AXES];
		Whole		square = 0;
		Fraction	first,
					last;
		bool		is_bounded,
					meets,
					in_reach,
					ends_after;
		double		scale = some_scale(),
					way_scale = some_scale(),
					distance;
		int64		reach;
		SpqBox3		box;
		SpqRay3		ray;
		SpqRay3Hit	hit;
		SpqSegment3 segment;

		some_ints(low, high, 16);
		do
		{
			square = 0;
			for (int k = 0; k < AXES; k++)
			{
				from[k] = some_int(16);
				/* often exactly at a corner or an edge */
				to[k] = random_int(0, 1) ? (random_int(0, 1) ? low[k] : high[k]) : some_int(16);
				way[k] = to[k] - from[k];
				square += (Whole) way[k] * way[k];
			}
		} while (square == 0);
		meets = clip(from, way, low, high, &first, &last, &is_bounded);
		ends_after = meets && first.up <= first.down;

		box = make_box(low, high, scale);
		ray.origin = make_point(from, scale);
		ray.direction = make_point(way, way_scale);
		ray.max_distance = HUGE_VAL;
		check(spq_ray3_meets_box(&ray, &box) == meets, "scale %g", scale);
		segment.p[0] = ray.origin;
		segment.p[1] = make_point(to, scale);
		check(spq_segment3_meets_box(&segment, &box) == ends_after, "scale %g", scale);
		segment.p[0] = segment.p[1];
		segment.p[1] = ray.origin;
		check(spq_segment3_meets_box(&segment, &box) == ends_after, "scale %g, back", scale);

		/* end just before or behind the entry */
		distance = meets ? (double) first.up / first.down * sqrt((double) square) : 3;
		reach = (int64) ceil(distance) - random_int(0, 1);
		if (reach < 0)
			reach = 0;
		ray.max_distance = reach * scale;
		in_reach = meets && first.up * first.up * square <=
			(Whole) reach * reach * first.down * first.down;
		check(spq_ray3_meets_box(&ray, &box) == in_reach, "reach %ld, scale %g", (long) reach, scale);
		yes += in_reach;
		near_misses += meets && !in_reach;

		memset(&hit, 0x7f, sizeof(hit));
		check(spq_ray3_hit(&ray, &box, &hit) == in_reach, "scale %g", scale);
		check(isfinite(spq_ray3_distance(&ray, &box)) == in_reach, "scale %g", scale);
		if (in_reach)
		{
			check(hit.distance == spq_ray3_distance(&ray, &box), "%g", hit.distance);
			check(fabs(hit.distance / scale - distance) <= 1e-14 * distance, "%.17g is %.17g",
				  hit.distance / scale, distance);
			check(hit.is_inside == (first.up == 0 && !hit.normal.x[0] && !hit.normal.x[1] && !hit.normal.x[2]),
				  "inside, distance %g", hit.distance);
			/* the first axis on which the entry is this late */
			for (int k = 0, found = 0; k < AXES && first.up > 0; k++)
			{
				bool		is_it = !found && way[k] != 0 &&
					((way[k] > 0 ? low[k] : high[k]) - from[k]) * first.down == way[k] * first.up;

				found |= is_it;
				check((hit.normal.x[k] != 0) == is_it, "axis %d", k);
			}
			for (int k = 0; k < AXES; k++)
			{
				check(hit.point.x[k] >= box.low[k] && hit.point.x[k] <= box.high[k], "axis %d", k);
				check(fabs(hit.point.x[k] / scale - (from[k] + way[k] * (double) first.up / first.down)) <=
					  1e-9, "axis %d", k);
				if (hit.normal.x[k] != 0)
					check(hit.point.x[k] == (way[k] > 0 ? box.low[k] : box.high[k]) &&
						  hit.normal.x[k] == (way[k] > 0 ? -1 : 1), "axis %d", k);
			}
		}
	}
	check(yes > ROUNDS / 10 && near_misses > ROUNDS / 10, "%ld, %ld", yes, near_misses);
	finish_test("rays and segments");
}

/*
 * Test segments whose ends differ by more digits than a float8 has, and pass a
 * corner as closely as float8 can express.
 */
static void
test_long_segments(void)
{
	long		yes = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		int64		low[AXES],
					high[AXES],
					from[AXES],
					to[AXES],
					way[AXES];
		double		scale = some_scale();
		SpqSegment3 segment;
		SpqBox3		box;
		Fraction	first,
					last;
		bool		is_bounded,
					oracle;

		for (int k = 0; k < AXES; k++)
		{
			int64		corner;

			from[k] = random_int(0, 3) ? some_int(20) : 0;
			/* a multiple of 64 with 58 bits, which a float8 can hold */
			to[k] = random_int(0, 3) ?
				((((int64) lrand48() << 21) | (lrand48() >> 10)) - (INT64CONST(1) << 51)) * 64 : from[k];
			corner = (int64) (double) (from[k] / 2 + to[k] / 2);
			low[k] = random_int(0, 3) ? corner : corner - (INT64CONST(1) << 40);
			high[k] = random_int(0, 1) ? corner : corner + (INT64CONST(1) << 40);
			way[k] = to[k] - from[k];
			segment.p[0].x[k] = from[k] * scale;
			segment.p[1].x[k] = to[k] * scale;
			box.low[k] = (double) low[k] * scale;
			box.high[k] = (double) high[k] * scale;
			low[k] = (int64) (double) low[k];
			high[k] = (int64) (double) high[k];
		}
		oracle = clip(from, way, low, high, &first, &last, &is_bounded) && first.up <= first.down;
		check(spq_segment3_meets_box(&segment, &box) == oracle, "round %d, scale %g", i, scale);
		yes += oracle;
	}
	check(yes > ROUNDS / 20 && yes < ROUNDS / 20 * 19, "%ld", yes);
	finish_test("long segments");
}

/* A half-space with integer coefficients. */
typedef int64 Plane[4];

static Whole
minor3(const int64 *a, const int64 *b, const int64 *c, int i, int j, int k)
{
	return (Whole) a[i] * b[j] * c[k] + (Whole) a[j] * b[k] * c[i] + (Whole) a[k] * b[i] * c[j] -
		(Whole) a[k] * b[j] * c[i] - (Whole) a[i] * b[k] * c[j] - (Whole) a[j] * b[i] * c[k];
}

/*
 * Return whether half-spaces have a common point.  If six of them are a box,
 * they have one if and only if three of the planes meet in a point of all
 * half-spaces.
 */
static bool
have_vertex(Plane *plane, int count)
{
	for (int a = 0; a < count; a++)
		for (int b = a + 1; b < count; b++)
			for (int c = b + 1; c < count; c++)
			{
				const int64 *p = plane[a],
						   *q = plane[b],
						   *r = plane[c];
				Whole		w = minor3(p, q, r, 0, 1, 2),
							x = -minor3(p, q, r, 3, 1, 2),
							y = -minor3(p, q, r, 0, 3, 2),
							z = -minor3(p, q, r, 0, 1, 3);
				bool		is_in = true;

				if (w == 0)
					continue;
				if (w < 0)
				{
					w = -w;
					x = -x;
					y = -y;
					z = -z;
				}
				for (int i = 0; i < count && is_in; i++)
					is_in = plane[i][0] * x + plane[i][1] * y + plane[i][2] * z + plane[i][3] * w >= 0;
				if (is_in)
					return true;
			}
	return false;
}

static void
test_frustums(void)
{
	long		yes = 0,
				misses_no_plane_shows = 0;

	for (int i = 0; i < ROUNDS / 4; i++)
	{
		Plane		plane[12];
		int			bits = random_int(0, 1) ? 3 : 20;
		int64		low[AXES],
					high[AXES];
		double		scale = some_scale(),
					normal_scale = scale > 1e90 || scale < 1e-90 ? 1 : some_scale();
		SpqBox3		box;
		SpqFrustum3 frustum;
		bool		oracle,
					no_plane = true,
					holds = true;

		/* all planes through one point, which may be a corner of the box */
		bool		is_cone = random_int(0, 3) == 0;
		int64		apex[AXES] = {some_int(3), some_int(3), some_int(3)};

		some_ints(low, high, is_cone ? 3 : bits);
		if (is_cone && random_int(0, 1))
			for (int j = 0; j < AXES; j++)
			{
				low[j] = apex[j] - (random_int(0, 1) ? 0 : random_int(1, 9));
				high[j] = apex[j] + (random_int(0, 1) ? 0 : random_int(1, 9));
			}
		box = make_box(low, high, scale);
		for (int k = 0; k < 6; k++)
		{
			/* usually around a point, as otherwise nearly all are empty */
			int64		inner[AXES] = {some_int(3), some_int(3), some_int(3)};
			Whole		most,
						least;

			for (int j = 0; j < 4; j++)
				plane[k][j] = random_int(0, 5) ? some_int(bits) : 0;
			/* pairs that are nearly or exactly opposite */
			if (k % 2 && random_int(0, 2) == 0)
				for (int j = 0; j < 4; j++)
					plane[k][j] = -plane[k - 1][j] + random_int(0, 1);
			if (is_cone)
				plane[k][3] = -(plane[k][0] * apex[0] + plane[k][1] * apex[1] +
								plane[k][2] * apex[2]);
			else if (random_int(0, 2) > 0)
				plane[k][3] = -(plane[k][0] * inner[0] + plane[k][1] * inner[1] +
								plane[k][2] * inner[2]) + random_int(-1, 8);
			/* the oracle allows offsets of little more than 20 bits */
			if (llabs(plane[k][3]) > 1 << 25)
				plane[k][3] = some_int(20);
			most = least = plane[k][3];
			for (int j = 0; j < AXES; j++)
			{
				most += plane[k][j] * (plane[k][j] > 0 ? high[j] : low[j]);
				least += plane[k][j] * (plane[k][j] > 0 ? low[j] : high[j]);
				frustum.plane[k].normal[j] = plane[k][j] * normal_scale;
			}
			frustum.plane[k].offset = plane[k][3] * normal_scale * scale;
			no_plane &= most >= 0;
			holds &= least >= 0;
		}
		memset(plane + 6, 0, 6 * sizeof(Plane));
		for (int k = 0; k < AXES; k++)
		{
			plane[6 + k][k] = 1;
			plane[6 + k][3] = -low[k];
			plane[9 + k][k] = -1;
			plane[9 + k][3] = high[k];
		}
		oracle = have_vertex(plane, 12);
		check(spq_frustum3_meets_box(&frustum, &box) == oracle, "round %d, scale %g", i, scale);
		check(spq_frustum3_holds_box(&frustum, &box) == holds, "round %d, scale %g", i, scale);
		yes += oracle;
		misses_no_plane_shows += no_plane && !oracle;
	}
	check(yes > ROUNDS / 40 && misses_no_plane_shows > ROUNDS / 80, "%ld, %ld", yes, misses_no_plane_shows);
	finish_test("frustums");
}

/* Return an arbitrary number, or one of those given. */
static float8
reused_number(const float8 *from, int count)
{
	return random_int(0, 2) ? from[random_int(0, count - 1)] : any_number();
}

static SpqBox3
any_box3(const float8 *from, int count)
{
	SpqBox3		box;

	for (int k = 0; k < AXES; k++)
	{
		float8		a = reused_number(from, count),
					b = reused_number(from, count);

		box.low[k] = float8_min(a, b);
		box.high[k] = float8_max(a, b);
	}
	return box;
}

/* Return a box that contains another one. */
static SpqBox3
larger_box(const SpqBox3 *box)
{
	SpqBox3		larger = *box;

	for (int k = 0; k < AXES; k++)
	{
		if (random_int(0, 1))
			larger.low[k] = random_int(0, 1) ? nextafter(box->low[k], -HUGE_VAL) :
				float8_min(box->low[k], odd_number());
		if (random_int(0, 1))
			larger.high[k] = random_int(0, 1) ? nextafter(box->high[k], HUGE_VAL) :
				float8_max(box->high[k], odd_number());
	}
	return larger;
}

/*
 * Check what an index relies on: a condition that is true of a box is true of
 * every larger box, and the distance from the larger box is not greater.
 */
static void
test_larger_boxes(void)
{
	long		yes[5] = {0};

	for (int i = 0; i < ROUNDS * 4; i++)
	{
		float8		pool[6];
		SpqBox3		box,
					larger;
		SpqSphere3	sphere;
		SpqRay3		ray;
		SpqSegment3 segment;
		SpqFrustum3 frustum;
		bool		finite = true,
					finite_origin = true;

		for (int k = 0; k < 6; k++)
			pool[k] = random_int(0, 7) ? odd_number() : any_number();
		box = any_box3(pool, 6);
		larger = larger_box(&box);
		for (int k = 0; k < AXES; k++)
		{
			sphere.center.x[k] = reused_number(pool, 6);
			ray.origin.x[k] = reused_number(pool, 6);
			ray.direction.x[k] = reused_number(pool, 6);
			segment.p[0].x[k] = reused_number(pool, 6);
			segment.p[1].x[k] = reused_number(pool, 6);
			finite &= isfinite(ray.direction.x[k]);
			finite_origin &= isfinite(ray.origin.x[k]);
		}
		sphere.radius = fabs(reused_number(pool, 6));
		ray.max_distance = random_int(0, 1) ? HUGE_VAL : fabs(reused_number(pool, 6));
		for (int k = 0; k < 6; k++)
		{
			for (int j = 0; j < AXES; j++)
				do
					frustum.plane[k].normal[j] = random_int(0, 2) ? odd_number() : random_int(-1, 1);
				while (!isfinite(frustum.plane[k].normal[j]));
			frustum.plane[k].offset = random_int(0, 3) ? reused_number(pool, 6) : 1e300;
		}

		if (spq_box3_has_nan(&box))
		{
			check(!spq_sphere3_meets_box(&sphere, &box) && !spq_sphere3_holds_box(&sphere, &box) &&
				  !spq_segment3_meets_box(&segment, &box) && !spq_ray3_meets_box(&ray, &box) &&
				  !spq_frustum3_meets_box(&frustum, &box) && !spq_frustum3_holds_box(&frustum, &box) &&
				  isinf(spq_ray3_distance(&ray, &box)), "NaN");
			continue;
		}
		yes[0] += spq_sphere3_meets_box(&sphere, &box);
		yes[1] += spq_sphere3_holds_box(&sphere, &box);
		yes[2] += spq_segment3_meets_box(&segment, &box);
		yes[3] += spq_frustum3_meets_box(&frustum, &box);
		if (spq_sphere3_meets_box(&sphere, &box))
			check(spq_sphere3_meets_box(&sphere, &larger), "round %d", i);
		if (spq_sphere3_holds_box(&sphere, &box))
			check(spq_sphere3_meets_box(&sphere, &box), "round %d", i);
		if (spq_sphere3_holds_box(&sphere, &larger))
			check(spq_sphere3_holds_box(&sphere, &box), "round %d", i);
		if (spq_segment3_meets_box(&segment, &box))
			check(spq_segment3_meets_box(&segment, &larger), "round %d", i);
		if (spq_frustum3_meets_box(&frustum, &box))
			check(spq_frustum3_meets_box(&frustum, &larger), "round %d", i);
		if (spq_frustum3_holds_box(&frustum, &larger))
			check(spq_frustum3_holds_box(&frustum, &box), "round %d", i);
		if (spq_frustum3_holds_box(&frustum, &box))
			check(spq_frustum3_meets_box(&frustum, &box), "round %d", i);
		if (finite && (ray.direction.x[0] != 0 || ray.direction.x[1] != 0 || ray.direction.x[2] != 0))
		{
			float8		distance = spq_ray3_distance(&ray, &box);

			check(spq_ray3_meets_box(&ray, &box) == isfinite(distance), "round %d", i);
			check(spq_ray3_distance(&ray, &larger) <= distance, "round %d", i);
			check((distance == 0) == (finite_origin &&
									  ray.origin.x[0] >= box.low[0] && ray.origin.x[0] <= box.high[0] &&
									  ray.origin.x[1] >= box.low[1] && ray.origin.x[1] <= box.high[1] &&
									  ray.origin.x[2] >= box.low[2] && ray.origin.x[2] <= box.high[2] &&
									  ray.max_distance >= 0), "round %d", i);
			if (isfinite(distance))
				yes[4]++;
		}
	}
	for (int k = 0; k < 5; k++)
		check(yes[k] > ROUNDS / 100, "condition %d was true of %ld boxes", k, yes[k]);
	finish_test("larger boxes");
}

static void
test_cameras(void)
{
	/* at (0,0,0), looking along -z: 90 degrees, near 1, far 9; of OpenGL */
	static const float8 opengl[4][4] = {
		{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1.25, -2.25}, {0, 0, -1, 0}
	};

	/* near 1, no far plane, depth from 1 to 0 */
	static const float8 reversed[4][4] = {
		{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}, {0, 0, -1, 0}
	};

	static const struct
	{
		SpqPoint3	point;
		bool		in_opengl,
					in_reversed;
	}			tests[] = {
		{{{0, 0, -1}}, true, true},
		{{{0, 0, -0.5}}, false, false},
		{{{0, 0, 1}}, false, false},
		{{{5, -5, -5}}, true, true},
		{{{5.5, 0, -5}}, false, false},
		{{{0, 0, -9}}, true, true},
		{{{0, 0, -9.5}}, false, true},
		{{{1e300, -1e300, -1e300}}, false, true},
	};
	const float8 *row[4];
	SpqFrustum3 a,
				b;

	for (int i = 0; i < 4; i++)
		row[i] = opengl[i];
	spq_frustum3_of_matrix(row, false, &a);
	for (int i = 0; i < 4; i++)
		row[i] = reversed[i];
	spq_frustum3_of_matrix(row, true, &b);
	for (int i = 0; i < (int) lengthof(tests); i++)
	{
		check(spq_frustum3_holds_point(&a, &tests[i].point) == tests[i].in_opengl, "point %d", i);
		check(spq_frustum3_holds_point(&b, &tests[i].point) == tests[i].in_reversed, "point %d", i);
	}
	finish_test("frustums of cameras");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_sums_of_integers();
	test_cancelled_sums();
	test_spheres();
	test_surfaces();
	test_rays();
	test_long_segments();
	test_frustums();
	test_larger_boxes();
	test_cameras();
	return tests_failed > 0;
}
