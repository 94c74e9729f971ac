/*-------------------------------------------------------------------------
 *
 * ndbox.h
 *	  How PostgreSQL's extension cube stores a cube.
 *
 * A cube is a value of variable length: a word, then the coordinates of two
 * opposite corners, in the order in which they were given.
 *
 *		bits 0 - 7 of the word	number of dimensions, 0 to 100
 *		bit 31					the corners are the same, and stored once
 *
 * This is the format since PostgreSQL 9.4, which still reads what earlier
 * versions stored (without the bit).  pg_upgrade copies it, so it cannot
 * change.  The headers of the extension are not installed.
 *
 * The storage of the type is PLAIN: values are never compressed, moved out of
 * their row, or without their alignment.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CUBE_NDBOX_H
#define SPQ_CUBE_NDBOX_H

#include "fmgr.h"

typedef struct SpqCube
{
	int32		vl_len_;		/* varlena header */
	uint32		header;
	float8		x[FLEXIBLE_ARRAY_MEMBER];
} SpqCube;

#define SPQ_CUBE_POINT		0x80000000
#define SPQ_CUBE_DIMENSIONS_MASK	0x7fffffff

/* The size of a cube that stores this many coordinates. */
#define SPQ_CUBE_SIZE(n)	(offsetof(SpqCube, x) + sizeof(float8) * (n))

#define PG_GETARG_CUBE_P(n) ((const SpqCube *) PG_DETOAST_DATUM(PG_GETARG_DATUM(n)))

static inline int
spq_cube_dimensions(const SpqCube *cube)
{
	return (int) (cube->header & SPQ_CUBE_DIMENSIONS_MASK);
}

/* Return the coordinates of the first corner, or of the second one. */
static inline const float8 *
spq_cube_first(const SpqCube *cube)
{
	return cube->x;
}

static inline const float8 *
spq_cube_second(const SpqCube *cube)
{
	return cube->header & SPQ_CUBE_POINT ? cube->x : cube->x + spq_cube_dimensions(cube);
}

#endif							/* SPQ_CUBE_NDBOX_H */
