/*-------------------------------------------------------------------------
 *
 * cells.c
 *	  The cells of a plain grid as SQL functions.
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
 * A join in plain SQL is
 *
 *		a JOIN b USING (cell)
 *		WHERE a.box && b.box AND spqtree_pair_cell(a.box, b.box, size) = cell
 *
 * where both sides list the cells of their boxes.  A pair is owned by the cell
 * of its reference point, the low corner of the intersection of the boxes
 * (Dittrich, Seeger 2000).  Both boxes list this cell: the reference point r
 * is the larger of the two low corners, axis by axis, and by the definition of
 * &&
 *
 *		low <= r <= high + EPSILON			(the sum is rounded)
 *
 * holds for both boxes.  spqtree_cells() lists the cells from low to high +
 * EPSILON, and the functions that compute a cell number, division and rounding
 * down, are monotonic.  So each pair that satisfies && is returned exactly
 * once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/float.h"
#include "utils/geo_decls.h"

#include "box/bits.h"
#include "box/relation.h"

PG_FUNCTION_INFO_V1(spq_cell);
PG_FUNCTION_INFO_V1(spq_cells);
PG_FUNCTION_INFO_V1(spq_pair_cell);

#define MAX_CELLS 10000000		/* for one box */

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

typedef struct CellsOfBox
{
	int32		first_column,
				last_column,
				last_row;
	int64		column,
				row;
} CellsOfBox;

/*
 * spqtree_cells(box, cell_size) returns setof bigint
 *
 * Return the cells that a box touches, within EPSILON.  Return no rows if the
 * box has a NaN, because && is false for such a box.
 */
Datum
spq_cells(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	CellsOfBox *cells;
	int64		number;

	if (SRF_IS_FIRSTCALL())
	{
		BOX		   *box = PG_GETARG_BOX_P(0);
		float8		cell_size = PG_GETARG_FLOAT8(1);
		int32		first_row;
		float8		count;

		context = SRF_FIRSTCALL_INIT();
		check_cell_size(cell_size);
		if (spq_box_has_nan(box))
			SRF_RETURN_DONE(context);
		cells = MemoryContextAlloc(context->multi_call_memory_ctx,
								   sizeof(CellsOfBox));
		cells->first_column = cell_number(box->low.x, cell_size);
		cells->last_column = cell_number(box->high.x + EPSILON, cell_size);
		first_row = cell_number(box->low.y, cell_size);
		cells->last_row = cell_number(box->high.y + EPSILON, cell_size);
		count = ((float8) cells->last_column - cells->first_column + 1) *
			((float8) cells->last_row - first_row + 1);
		if (count > MAX_CELLS)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("box touches %.0f cells, more than the maximum of %d",
							count, MAX_CELLS),
					 errhint("Use a cell size that is about the size of the boxes.")));
		cells->column = cells->first_column;
		cells->row = first_row;
		context->user_fctx = cells;
	}

	context = SRF_PERCALL_SETUP();
	cells = context->user_fctx;
	if (cells->row > cells->last_row)
		SRF_RETURN_DONE(context);
	number = interleave(cells->column, cells->row);
	if (++cells->column > cells->last_column)
	{
		cells->column = cells->first_column;
		cells->row++;
	}
	SRF_RETURN_NEXT(context, Int64GetDatum(number));
}

/*
 * spqtree_pair_cell(box, box, cell_size) returns bigint
 *
 * Return the cell that owns a pair of overlapping boxes; NULL if they do not
 * overlap.
 */
Datum
spq_pair_cell(PG_FUNCTION_ARGS)
{
	BOX		   *a = PG_GETARG_BOX_P(0);
	BOX		   *b = PG_GETARG_BOX_P(1);
	float8		cell_size = PG_GETARG_FLOAT8(2);

	check_cell_size(cell_size);
	if (!spq_box_overlaps(a, b))
		PG_RETURN_NULL();
	PG_RETURN_INT64(interleave(cell_number(Max(a->low.x, b->low.x), cell_size),
							   cell_number(Max(a->low.y, b->low.y), cell_size)));
}
