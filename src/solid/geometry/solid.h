/*-------------------------------------------------------------------------
 *
 * solid.h
 *	  The types of three dimensions: point3, box3, lseg3, sphere3, ray3, frustum3.
 *
 * All have a fixed length, are passed by reference, and consist of double
 * precision numbers without padding.  So a value is also an array of numbers.
 *
 * A box3 is the box of src/box, compiled with SPQ_DIM 3.  On each axis, the
 * low corner is at most the high corner, in the order of float8, where NaN is
 * above all numbers: input and constructors exchange coordinates if necessary.
 *
 * Include this file, or define SPQ_DIM as 3, before anything of src/box.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_GEOMETRY_SOLID_H
#define SPQ_SOLID_GEOMETRY_SOLID_H

#include "fmgr.h"

#ifndef SPQ_DIM
#define SPQ_DIM 3
#endif

#include "box/box.h"

#if SPQ_DIM != 3
#error "a file of src/solid includes src/box before solid.h"
#endif

typedef struct SpqPoint3
{
	float8		x[3];
} SpqPoint3;

typedef SpqBox SpqBox3;

typedef struct SpqSegment3
{
	SpqPoint3	p[2];			/* in the order given */
} SpqSegment3;

typedef struct SpqSphere3
{
	SpqPoint3	center;
	float8		radius;
} SpqSphere3;

typedef struct SpqRay3
{
	SpqPoint3	origin;
	SpqPoint3	direction;
	float8		max_distance;
} SpqRay3;

/* The half-space of all x with normal * x + offset >= 0. */
typedef struct SpqPlane3
{
	float8		normal[3];
	float8		offset;
} SpqPlane3;

#define SPQ_FRUSTUM3_PLANES 6

/* The intersection of six half-spaces. */
typedef struct SpqFrustum3
{
	SpqPlane3	plane[SPQ_FRUSTUM3_PLANES];
} SpqFrustum3;

/* These are the lengths in CREATE TYPE, and on disk. */
StaticAssertDecl(sizeof(SpqPoint3) == 24, "length of point3");
StaticAssertDecl(sizeof(SpqBox3) == 48, "length of box3");
StaticAssertDecl(sizeof(SpqSegment3) == 48, "length of lseg3");
StaticAssertDecl(sizeof(SpqSphere3) == 32, "length of sphere3");
StaticAssertDecl(sizeof(SpqRay3) == 56, "length of ray3");
StaticAssertDecl(sizeof(SpqFrustum3) == 192, "length of frustum3");

#define PG_GETARG_POINT3_P(n)	((SpqPoint3 *) PG_GETARG_POINTER(n))
#define PG_GETARG_BOX3_P(n)		((SpqBox3 *) PG_GETARG_POINTER(n))
#define PG_GETARG_LSEG3_P(n)	((SpqSegment3 *) PG_GETARG_POINTER(n))
#define PG_GETARG_SPHERE3_P(n)	((SpqSphere3 *) PG_GETARG_POINTER(n))
#define PG_GETARG_RAY3_P(n)		((SpqRay3 *) PG_GETARG_POINTER(n))
#define PG_GETARG_FRUSTUM3_P(n) ((SpqFrustum3 *) PG_GETARG_POINTER(n))

/* Return the corners of the box that is this point. */
static inline SpqBoxCorners
spq_point3_corners(const SpqPoint3 *point)
{
	SpqBoxCorners corners = {point->x, point->x};

	return corners;
}

#endif							/* SPQ_SOLID_GEOMETRY_SOLID_H */
