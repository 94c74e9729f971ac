/*-------------------------------------------------------------------------
 *
 * arcs_within.c
 *	  Whether PostGIS finds two geographies within a distance, as far as that is
 *	  certain.
 *
 * PostGIS finds the nearest two points on a sphere, and then measures their
 * distance on the spheroid, or on the sphere if that is asked for.  It stops as
 * soon as two points are near enough.  So there are two limits of the distance
 * on the sphere of radius 1:
 *
 *		  yes	   (	ask		)		  no
 *		----------|------+------|--------------> distance of the arcs
 *						 asked
 *
 * The limits allow for everything by which PostGIS' result may differ from the
 * distance on the sphere:
 *
 * Spheroid.  A path on the sphere has an image on the spheroid, of the same
 * longitudes and latitudes.  One radian becomes at least SPQ_GIS_LEAST_RADIUS
 * meters and at most SPQ_GIS_MOST_RADIUS, in each direction, and the same holds
 * the other way round.
 *
 * Ends of arcs (END).  PostGIS takes the foot of a point on a great circle if
 * the cosine of its angle to the middle of the arc is as large as that of the
 * ends, or 2e-16 less.  With the rounding of these numbers, which are nearly 1,
 * the arc ends up to 4e-8 earlier or later.
 *
 * Search (search_error).  For multiple edges, PostGIS has a tree of circles, made
 * one from the other.  It gets the direction from one center to the next by
 * acos(f), where f has an error of 4e-16 / (d cos(latitude)) at a distance d, and
 * is taken as 1 if it is 1e-12 less.  So the direction is wrong by up to 1.5e-6
 * or sqrt(9e-15 / d), and the next center by d times that.  Circles that do not
 * contain all of their edges are left out although they are nearer, by up to
 * twice the errors of all circles within each other.  This makes PostGIS'
 * distance larger, never smaller.
 *
 * Circles with the same center.  PostGIS gives two of them the radius of the
 * first, however large the second is.  Arcs of a line that follow each other are
 * within the circle of those before if they have its center.  Two parts of a
 * multiline can be a cross with arms of different lengths, so yes is not certain
 * if a part is a single arc.  Circles of several arcs can have the same center,
 * too, if a line runs back and forth about one point.  Then a search in trees, which
 * PostGIS begins when a value comes again, may miss the nearer arc that its
 * comparison of all edges finds.  Here the answer is that of the comparison.
 *
 * Planes that are nearly the same (NEAR).  If the normals of the planes of two
 * arcs differ by less than 1.42e-6, some versions of PostGIS say that the arcs
 * intersect, also if they are beside each other.  Then they are at most that far
 * apart.
 *
 * Arcs that touch (TOUCH).  For arcs in different planes, PostGIS decides by the
 * sides of their ends.  An end within 1e-12 of the other plane is on both sides.
 * If both ends of an arc are on the same side of the other's plane by more than
 * that, the arcs do not intersect, and their distance is that of an end and the
 * other arc.  If that is not so, no is not certain, unless the arcs are more than
 * TOUCH apart: the planes differ by at least 3e-8, so an end within 1e-12 of both
 * is within 7e-5 of their common line.  PostGIS also sees arcs without length,
 * of repeated points, as touching everything in some plane.
 *
 * Polygons.  PostGIS' answer to whether a point is in a polygon may be wrong
 * where the line to a point outside meets a corner.  Then the distance is 0, so
 * yes remains certain, but no never is.
 *
 * Arcs are compared as chords.  An arc rises above its chord by less than an
 * eighth of the square of the length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "geometry/arcs_within.h"

#define END			6e-8
#define NEAR		1.5e-6
#define TOUCH		1e-4

/* PostGIS' tolerance for sides of planes, twice, and units in the last place. */
#define SIDE		2e-12
#define SIDE_ROUNDING	1e-14

/* More than the effect of rounding on all other numbers here. */
#define ROUNDING	1e-9

typedef struct Search
{
	const SpqGisArcs *a;
	const SpqGisArcs *b;
	bool		arcs;			/* both have arcs, which may intersect */
	bool		unsure;			/* the answer is not no */
	float8		reach;			/* size of a box around both */
	float8		yes;			/* squares of lengths of chords: up to this,
								 * the answer is yes; negative: never */
	float8		no;				/* above this, it is no */
	float8		touch;			/* above this, arcs do not intersect */
	float8		farthest;		/* what is farther apart is ignored */
} Search;

static inline float8
gap(float8 amin, float8 amax, float8 bmin, float8 bmax)
{
	return amin > bmax ? amin - bmax : bmin > amax ? bmin - amax : 0;
}

/* Return the square of the distance between two boxes. */
static inline float8
box_square(const SpqGisSpace *a, const SpqGisSpace *b)
{
	float8		x = gap(a->low.x, a->high.x, b->low.x, b->high.x),
				y = gap(a->low.y, a->high.y, b->low.y, b->high.y),
				z = gap(a->low.z, a->high.z, b->low.z, b->high.z);

	return x * x + y * y + z * z;
}

static inline SpqGisSpace
box_of(const SpqGisVector *p, const SpqGisVector *q)
{
	SpqGisSpace box;

	spq_gis_start_space(&box, p);
	spq_gis_add_to_space(&box, q, q);
	return box;
}

/* Return the square of the distance of a point and a chord, from q to q[step]. */
static inline float8
point_square(const SpqGisVector *p, const SpqGisVector *q, int step)
{
	SpqGisVector from = spq_gis_difference(p, q),
				chord = spq_gis_difference(&q[step], q);
	float8		dot = spq_gis_dot(&from, &chord),
				square = spq_gis_dot(&chord, &chord);

	if (dot > 0)
	{
		float8		t = dot < square ? dot / square : 1;

		from.x -= t * chord.x;
		from.y -= t * chord.y;
		from.z -= t * chord.z;
	}
	return spq_gis_dot(&from, &from);
}

/*
 * Return the square of the distance of two elements, if their arcs do not
 * intersect: that of an end and the other.
 */
static inline float8
element_square(const Search *search, const SpqGisVector *p, const SpqGisVector *q)
{
	int			pstep = search->a->step,
				qstep = search->b->step;
	float8		least = Min(point_square(p, q, qstep), point_square(q, p, pstep));

	if (pstep > 0)
		least = Min(least, point_square(&p[1], q, qstep));
	if (qstep > 0)
		least = Min(least, point_square(&q[1], p, pstep));
	return least;
}

/*
 * Return whether both ends of an arc are certainly on the same side of the plane
 * of another.
 */
static inline bool
is_beside(const Search *search, const SpqGisVector *arc, const SpqGisVector *other)
{
	const SpqGisVector *p = &arc[0];
	SpqGisVector chord = spq_gis_difference(&arc[1], p),
				first = spq_gis_difference(&other[0], p),
				second = spq_gis_difference(&other[1], p),
				normal = {
		p->y * chord.z - p->z * chord.y,
		p->z * chord.x - p->x * chord.z,
		p->x * chord.y - p->y * chord.x
	};
	float8		error = SIDE * sqrt(spq_gis_dot(&chord, &chord)) + SIDE_ROUNDING * search->reach,
				one = spq_gis_dot(&normal, &first),
				two = spq_gis_dot(&normal, &second);

	return (one > error && two > error) || (one < -error && two < -error);
}

/* From now on, the answer is not no. */
static inline void
be_unsure(Search *search)
{
	search->unsure = true;
	search->farthest = search->yes;
}

/* Compare two elements.  Return true if the answer is yes. */
static inline bool
compare_elements(Search *search, const SpqGisVector *p, const SpqGisVector *q)
{
	float8		square = element_square(search, p, q);

	if (square <= search->yes)
		return true;
	if (search->unsure)
		return false;
	if (!(square > search->no))
		be_unsure(search);
	else if (search->arcs && !is_beside(search, p, q) && !is_beside(search, q, p))
	{
		SpqGisSpace box_p = box_of(&p[0], &p[1]),
					box_q = box_of(&q[0], &q[1]);

		if (!(box_square(&box_p, &box_q) > search->touch))
			be_unsure(search);
	}
	return false;
}

/* Compare the elements of two runs.  Return true if the answer is yes. */
static bool
compare_runs(Search *search, const SpqGisArcRun *ra, const SpqGisArcRun *rb)
{
	for (int i = ra->first; i < ra->end; i++)
	{
		const SpqGisVector *p = &search->a->points[i];
		SpqGisSpace box = box_of(p, &p[search->a->step]);

		if (box_square(&box, &rb->box) > search->farthest)
			continue;
		for (int j = rb->first; j < rb->end; j++)
			if (compare_elements(search, p, &search->b->points[j]))
				return true;
	}
	return false;
}

/* Compare all elements.  Return true if the answer is yes. */
static bool
compare_all(Search *search)
{
	const SpqGisArcs *a = search->a,
			   *b = search->b;

	for (int i = 0; i < a->nruns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (box_square(&a->runs[i].box, &b->box) > search->farthest)
			continue;
		for (int j = 0; j < b->nruns; j++)
			if (!(box_square(&a->runs[i].box, &b->runs[j].box) > search->farthest) &&
				compare_runs(search, &a->runs[i], &b->runs[j]))
				return true;
	}
	return false;
}

/* Number of circles within each other of which PostGIS gets one from another. */
#define MOST_CIRCLES	64

/* Return a bound on the error of PostGIS' search among the arcs. */
static float8
search_error(const SpqGisArcs *arcs)
{
	float8		size = sqrt(spq_gis_space_square(&arcs->box));

	return Min(arcs->nelements - 1, MOST_CIRCLES) * (3e-6 * size + 2e-7 * sqrt(size));
}

/* Return the square of the length of a chord, changed by some more. */
static float8
chord_square(float8 angle, float8 more)
{
	float8		chord = 2 * sin(angle / 2) + more;

	return chord > 0 ? chord * chord : -1;
}

/*
 * Set the limits.  Return false if they are so far that sine and angle do not
 * grow together.
 */
static bool
set_limits(Search *search, float8 distance)
{
	const SpqGisArcs *a = search->a,
			   *b = search->b;
	float8		end = a->step + b->step > 0 ? END : 0,
				rise = (a->longest * a->longest + b->longest * b->longest) / 8 * 1.01 + ROUNDING,
				yes = distance / SPQ_GIS_MOST_RADIUS - search_error(a) - search_error(b),
				no = distance / SPQ_GIS_LEAST_RADIUS;

	if (!(no < 1))
		return false;
	search->yes = yes > end && !a->has_single && !b->has_single ?
		chord_square(sqrt(yes * yes - end * end), -rise) : -1;
	no = sqrt(no * no + end * end);
	search->no = chord_square(search->arcs ? Max(no, NEAR) : no, rise);
	search->touch = (TOUCH + rise) * (TOUCH + rise);
	search->farthest = search->arcs ? Max(search->no, search->touch) : search->no;
	return true;
}

/*
 * Return whether PostGIS finds two geographies within a distance in meters, on
 * the spheroid and on the sphere.
 */
SpqGisAnswer
spq_gis_arcs_within(const SpqGisArcs *a, const SpqGisArcs *b, float8 distance)
{
	Search		search = {.a = a,.b = b,.arcs = a->step > 0 && b->step > 0};
	SpqGisSpace both = a->box;

	spq_gis_add_to_space(&both, &b->box.low, &b->box.high);
	search.reach = sqrt(spq_gis_space_square(&both));
	if (!(distance >= 0) || !(search.reach <= SPQ_GIS_LARGEST_ARCS) ||
		!set_limits(&search, distance))
		return SPQ_GIS_ASK;
	if (a->dimension == 2 || b->dimension == 2 || a->has_tiny || b->has_tiny)
		be_unsure(&search);
	if (compare_all(&search))
		return SPQ_GIS_YES;
	return search.unsure ? SPQ_GIS_ASK : SPQ_GIS_NO;
}
