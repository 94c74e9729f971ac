/*-------------------------------------------------------------------------
 *
 * relation.c
 *	  The relations of two boxes.  See relation.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/relation.h"

/*
 * Return whether two corners are equal; NaN equals NaN.  Not inlined, as calls
 * are rare.
 */
bool
spq_box_same_nan_corner(const float8 *a, const float8 *b, int dim)
{
	for (int axis = 0; axis < dim; axis++)
		if (!float8_eq(a[axis], b[axis]))
			return false;
	return true;
}
