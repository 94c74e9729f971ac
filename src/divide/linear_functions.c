/*-------------------------------------------------------------------------
 *
 * linear_functions.c
 *	  The cells of a linear quadtree as SQL functions, spqtree_quad_...
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/float.h"

#include "divide/linear_ranges.h"

PG_FUNCTION_INFO_V1(spq_quad_cell);
PG_FUNCTION_INFO_V1(spq_quad_box);
PG_FUNCTION_INFO_V1(spq_quad_ranges);

static const BOX *
checked_frame(const BOX *frame)
{
	if (!spq_linear_frame_valid(frame))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("frame must be a finite box with a width and a height"),
				 errhint("Specify a box that encloses the boxes of the table.")));
	return frame;
}

static int
checked_level(int32 level)
{
	if (level < 0 || level > SPQ_LINEAR_MAX_LEVEL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("level %d is out of range", level),
				 errdetail("Levels are numbered from 0, the whole frame, to %d.",
						   SPQ_LINEAR_MAX_LEVEL)));
	return level;
}

static int64
checked_number(int64 number)
{
	if (number < 0 || number >= spq_linear_first_number(SPQ_LINEAR_MAX_LEVEL + 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%lld is not the number of a cell", (long long) number),
				 errdetail("Cells are numbered from 0, the whole frame, to %lld.",
						   (long long) spq_linear_first_number(SPQ_LINEAR_MAX_LEVEL + 1) - 1)));
	return number;
}

/*
 * spqtree_quad_cell(box, frame box, max_level integer) returns bigint
 *
 * Return the smallest cell that contains a box; the root, 0, if the frame does
 * not contain it.
 */
Datum
spq_quad_cell(PG_FUNCTION_ARGS)
{
	BOX		   *box = PG_GETARG_BOX_P(0);
	const BOX  *frame = checked_frame(PG_GETARG_BOX_P(1));
	int			max_level = checked_level(PG_GETARG_INT32(2));

	PG_RETURN_INT64(spq_linear_number(spq_linear_smallest_cell(box, frame, max_level)));
}

/*
 * spqtree_quad_box(cell bigint, frame box) returns box
 */
Datum
spq_quad_box(PG_FUNCTION_ARGS)
{
	SpqLinearCell cell = spq_linear_cell(checked_number(PG_GETARG_INT64(0)));
	const BOX  *frame = checked_frame(PG_GETARG_BOX_P(1));
	BOX		   *box = palloc_object(BOX);

	*box = spq_linear_cell_box(cell, frame);
	PG_RETURN_BOX_P(box);
}

typedef struct RangesOfQuery
{
	TupleDesc	descriptor;
	SpqLinearRange *ranges;
} RangesOfQuery;

/*
 * spqtree_quad_ranges(query box, frame box, max_level integer,
 *					max_cells integer)
 *	returns setof record (first bigint, last bigint)
 *
 * Return ranges of numbers.  If a box overlaps the query, its cell is in one
 * of them.
 */
Datum
spq_quad_ranges(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	RangesOfQuery *state;

	if (SRF_IS_FIRSTCALL())
	{
		BOX		   *query = PG_GETARG_BOX_P(0);
		const BOX  *frame = checked_frame(PG_GETARG_BOX_P(1));
		int			max_level = checked_level(PG_GETARG_INT32(2));
		int32		max_cells = PG_GETARG_INT32(3);
		MemoryContext old_context;

		if (max_cells < 1 || max_cells > SPQ_LINEAR_MAX_CELLS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("max_cells must be from 1 to %d", SPQ_LINEAR_MAX_CELLS)));

		context = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		state = palloc_object(RangesOfQuery);
		if (get_call_result_type(fcinfo, NULL, &state->descriptor) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		BlessTupleDesc(state->descriptor);
		state->ranges = palloc_array(SpqLinearRange, (max_level + 1) * max_cells);
		context->max_calls = spq_linear_ranges(query, frame, max_level, max_cells,
											   state->ranges);
		context->user_fctx = state;
		MemoryContextSwitchTo(old_context);
	}

	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	if (context->call_cntr < context->max_calls)
	{
		SpqLinearRange *range = &state->ranges[context->call_cntr];
		Datum		values[2] = {Int64GetDatum(range->first), Int64GetDatum(range->last)};
		bool		nulls[2] = {false, false};

		SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(state->descriptor,
																   values, nulls)));
	}
	SRF_RETURN_DONE(context);
}
