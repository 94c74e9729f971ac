/*-------------------------------------------------------------------------
 *
 * cells.c
 *	  The spatial hash as SQL functions: numbers of the cells of a plain grid.
 *
 * A grid has square cells of a given size, one of them with its low corner at
 * (0, 0).  A cell has two numbers, its column and its row, of 32 bits each; its
 * key interleaves their bits (Z-order, Morton 1966), so that keys that are near
 * each other are near in space, and no two cells have the same.
 *
 *		row	 1 |	3	 |	  3 |  6	7		   y1 x1 y0 x0
 *			 0 |	1	 |	  2 |  4	5
 *			   +---------+		column 0 1 ..
 *
 * For a join in plain SQL,
 *
 *		a JOIN b USING (cell)
 *		WHERE a.box && b.box AND spqtree_pair_cell(a.box, b.box, size) = cell
 *
 * where either side lists the cells of its boxes.  A pair is owned by the
 * cell of its reference point, the low corner of what the boxes share
 * (Dittrich, Seeger 2000).  That cell is listed for both boxes: the reference
 * point r is the larger of the two low corners, and by the definition of &&
 *
 *		low <= r <= high + EPSILON			(the sum is rounded)
 *
 * holds for either box, axis by axis; its cells are those from low to high +
 * EPSILON; and dividing and rounding down, which make numbers of cells, are
 * monotone.  So a pair comes out once, and a pair that && finds comes out.
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

#include "box/relation.h"

PG_FUNCTION_INFO_V1(spq_cell);
PG_FUNCTION_INFO_V1(spq_cells);
PG_FUNCTION_INFO_V1(spq_pair_cell);

#define MOST_CELLS 10000000		/* of one box */

static void
check_cell_size(float8 cell_size)
{
	if (!(cell_size > 0 && cell_size <= DBL_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cell size must be positive and finite"),
				 errhint("Give the side of a cell in the unit of the coordinates.")));
}

/* Number of the column or the row of a coordinate, which is not NaN. */
static int32
cell_number(float8 coordinate, float8 cell_size)
{
	float8		number = floor(coordinate / cell_size);

	if (!(number >= PG_INT32_MIN && number <= PG_INT32_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("coordinate %s is in no cell of size %s",
						float8out_internal(coordinate),
						float8out_internal(cell_size)),
				 errdetail("Columns and rows of cells are numbered from %d to %d.",
						   PG_INT32_MIN, PG_INT32_MAX),
				 errhint("Use a larger cell size, and leave out infinite coordinates.")));
	return (int32) number;
}

/* Spreads 32 bits to the even positions of 64. */
static uint64
spread(uint32 bits)
{
	uint64		x = bits;

	x = (x | x << 16) & UINT64CONST(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64CONST(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64CONST(0x0f0f0f0f0f0f0f0f);
	x = (x | x << 2) & UINT64CONST(0x3333333333333333);
	return (x | x << 1) & UINT64CONST(0x5555555555555555);
}

/*
 * Keys are signed, and ordered as such.  So are columns and rows: flipping
 * their signs makes the bits ascend with them, flipping the key's goes back.
 */
static int64
cell_key(int32 column, int32 row)
{
	const uint32 sign = UINT64CONST(1) << 31;
	uint64		key = spread((uint32) row ^ sign) << 1 | spread((uint32) column ^ sign);

	return (int64) (key ^ UINT64CONST(1) << 63);
}

/*
 * spqtree_cell(point, cell_size) returns bigint
 *
 * The cell that a point is in; NULL if a coordinate is NaN.
 */
Datum
spq_cell(PG_FUNCTION_ARGS)
{
	Point	   *point = PG_GETARG_POINT_P(0);
	float8		cell_size = PG_GETARG_FLOAT8(1);

	check_cell_size(cell_size);
	if (isnan(point->x) || isnan(point->y))
		PG_RETURN_NULL();
	PG_RETURN_INT64(cell_key(cell_number(point->x, cell_size),
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
 * The cells that a box touches, within EPSILON; none if it has a NaN, as
 * such a box touches nothing.
 */
Datum
spq_cells(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	CellsOfBox *cells;
	int64		key;

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
		if (count > MOST_CELLS)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("box touches %.0f cells, more than %d",
							count, MOST_CELLS),
					 errhint("Use a larger cell size: about the size of the boxes.")));
		cells->column = cells->first_column;
		cells->row = first_row;
		context->user_fctx = cells;
	}

	context = SRF_PERCALL_SETUP();
	cells = context->user_fctx;
	if (cells->row > cells->last_row)
		SRF_RETURN_DONE(context);
	key = cell_key(cells->column, cells->row);
	if (++cells->column > cells->last_column)
	{
		cells->column = cells->first_column;
		cells->row++;
	}
	SRF_RETURN_NEXT(context, Int64GetDatum(key));
}

/*
 * spqtree_pair_cell(box, box, cell_size) returns bigint
 *
 * The cell that owns a pair of overlapping boxes; NULL if they do not overlap.
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
	PG_RETURN_INT64(cell_key(cell_number(Max(a->low.x, b->low.x), cell_size),
							 cell_number(Max(a->low.y, b->low.y), cell_size)));
}
