/*-------------------------------------------------------------------------
 *
 * cells.c
 *	  spqtree_cell: the cell of a plain grid that contains a point.
 *
 * A grid has square cells of a given size, one of which has its low corner at
 * (0, 0).  Column and row of a cell have 32 bits each.  The number of the cell
 * interleaves these bits (Z-order, Morton 1966), so numbers are unique, and
 * cells with close numbers are close in space:
 *
 *		row	 1 |	3	 |	  3 |  6	7		   y1 x1 y0 x0
 *			 0 |	1	 |	  2 |  4	5
 *			   +---------+		column 0 1 ..
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/float.h"
#include "utils/geo_decls.h"

#include "box/bits.h"

PG_FUNCTION_INFO_V1(spq_cell);

static void
check_cell_size(float8 cell_size)
{
	if (!(cell_size > 0 && cell_size <= DBL_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cell size must be positive and finite"),
				 errhint("Specify the side length of a cell in units of the coordinates.")));
}

/* Return the column or row of a coordinate that is not NaN. */
static int32
cell_number(float8 coordinate, float8 cell_size)
{
	float8		number = floor(coordinate / cell_size);

	if (!(number >= PG_INT32_MIN && number <= PG_INT32_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("coordinate %s is out of range for cell size %s",
						float8out_internal(coordinate),
						float8out_internal(cell_size)),
				 errdetail("Columns and rows of cells are numbered from %d to %d.",
						   PG_INT32_MIN, PG_INT32_MAX),
				 errhint("Use a larger cell size, or exclude infinite coordinates.")));
	return (int32) number;
}

/*
 * Return the number of a cell.  Numbers are ordered as signed numbers, like
 * columns and rows: flipping the sign bits of the latter makes their bits
 * ascend, and flipping the sign bit of the result makes it signed again.
 */
static int64
interleave(int32 column, int32 row)
{
	const uint32 sign = UINT64CONST(1) << 31;
	uint64		number = spq_box_spread((uint32) row ^ sign) << 1 |
		spq_box_spread((uint32) column ^ sign);

	return (int64) (number ^ UINT64CONST(1) << 63);
}

/*
 * spqtree_cell(point, cell_size) returns bigint
 *
 * Return the cell that contains a point; NULL if a coordinate is NaN.
 */
Datum
spq_cell(PG_FUNCTION_ARGS)
{
	Point	   *point = PG_GETARG_POINT_P(0);
	float8		cell_size = PG_GETARG_FLOAT8(1);

	check_cell_size(cell_size);
	if (isnan(point->x) || isnan(point->y))
		PG_RETURN_NULL();
	PG_RETURN_INT64(interleave(cell_number(point->x, cell_size),
							   cell_number(point->y, cell_size)));
}
