/*-------------------------------------------------------------------------
 *
 * row_ends.c
 *	  The ends of a row, from its spatial columns.  See row_ends.h.
 *
 * If there are several columns, a NULL in one of them is at -infinity on its
 * axis.  There it satisfies no comparison that an end is at least a finite
 * number, which excludes it for most conditions on the column.  For the others
 * the executor rechecks it, because the leaf's bounds are infinite.  Conditions
 * on the other columns find the row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/class/class.h"
#include "rtree/class/row_ends.h"

void
spq_rtree_row_ends_init(SpqRtreeRowEnds *how, Relation index)
{
	how->first = spq_rtree_box_column(index) - 1;
	how->ncolumns = spq_rtree_spatial_columns(index);
	for (int i = 0; i < how->ncolumns; i++)
		how->procs[i] = index_getprocinfo(index, how->first + i + 1, SPQ_RTREE_ENDS_PROC);
}

/* Set the ends of one of several columns on its axis. */
static void
set_axis(const SpqRtreeRowEnds *how, int axis, Datum value, bool isnull, float8 *ends)
{
	float8		point[SPQ_RTREE_ENDS] = {-get_float8_infinity(), -get_float8_infinity()};

	if (!isnull)
		FunctionCall2(how->procs[axis], value, PointerGetDatum(point));
	ends[axis] = point[1];
	ends[how->ncolumns + axis] = point[0];
}

bool
spq_rtree_row_ends(const SpqRtreeRowEnds *how, const Datum *values, const bool *isnull,
				   float8 *ends)
{
	bool		has_box = false;

	values += how->first;
	isnull += how->first;
	for (int i = 0; i < how->ncolumns; i++)
		has_box |= !isnull[i];
	if (!has_box)
		return false;
	if (how->ncolumns == 1)
		FunctionCall2(how->procs[0], values[0], PointerGetDatum(ends));
	else
		for (int axis = 0; axis < how->ncolumns; axis++)
			set_axis(how, axis, values[axis], isnull[axis], ends);
	return true;
}
