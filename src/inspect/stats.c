/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  spqtree_stats: the state of an index in one row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"

#include "inspect/inspect.h"
#include "inspect/stats_columns.h"

PG_FUNCTION_INFO_V1(spq_inspect_stats);

static void
visit(void *arg, SpqInspectStep *step)
{
	int64	   *counts = (int64 *) arg;
	int			depth = step->level - 1;

	if (!step->inner)
		counts[TUPLES] += step->tuples;
	if (step->of_nulls)
		counts[NULL_TUPLES] += step->inner ? 0 : step->tuples;
	else if (step->inner)
	{
		counts[INNER_TUPLES]++;
		if (step->in_quadtree)
		{
			counts[ALL_THE_SAME] += step->in_quadtree->all_the_same;
			counts[MARKERS] += step->in_quadtree->n_markers;
		}
	}
	else if (step->tuples > 0)
	{
		if (step->below_oversize)
			counts[OVERSIZE_TUPLES] += step->tuples;
		counts[LEAF_CHAINS]++;
		counts[LONGEST_CHAIN] = Max(counts[LONGEST_CHAIN], step->tuples);
		counts[AVERAGE_DEPTH] += step->tuples * depth;
		counts[MAX_DEPTH] = Max(counts[MAX_DEPTH], depth);
	}
}

/* Return the row of these counts. */
static HeapTuple
make_row(TupleDesc desc, int64 *counts, bool is_rtree)
{
	Datum		values[N_COLUMNS];
	bool		nulls[N_COLUMNS] = {false};
	int64		boxes = counts[TUPLES] - counts[NULL_TUPLES];

	counts[BYTES] = counts[PAGES] * BLCKSZ;
	counts[USED_BYTES] = counts[BYTES] - counts[DEAD_BYTES] - counts[FREE_BYTES];
	for (int i = 0; i < N_COLUMNS; i++)
		values[i] = Int64GetDatum(counts[i]);
	values[MAX_DEPTH] = Int32GetDatum((int32) counts[MAX_DEPTH]);
	if (boxes > 0)
	{
		values[AVERAGE_CHAIN] = Float8GetDatum((float8) boxes / counts[LEAF_CHAINS]);
		values[AVERAGE_DEPTH] = Float8GetDatum((float8) counts[AVERAGE_DEPTH] / boxes);
	}
	else
		nulls[AVERAGE_CHAIN] = nulls[LONGEST_CHAIN] = nulls[AVERAGE_DEPTH] =
			nulls[MAX_DEPTH] = true;
	if (is_rtree)
		nulls[OVERSIZE_TUPLES] = nulls[ALL_THE_SAME] = nulls[MARKERS] = nulls[REDIRECTS] =
			nulls[PLACEHOLDERS] = true;
	return heap_form_tuple(BlessTupleDesc(desc), values, nulls);
}

/*
 * spqtree_stats(index regclass) returns record
 */
Datum
spq_inspect_stats(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	int64		counts[N_COLUMNS] = {0};
	SpqInspectVisitor visitor = {.visit = visit,.arg = counts};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_stats(relid)");
	spq_inspect_walk(&inspected, &visitor);
	if (inspected.is_rtree)
		spq_inspect_count_rtree(&inspected.rtree, counts);
	else
		spq_inspect_count_quadtree(&inspected.quadtree, counts);
	spq_inspect_close(&inspected);
	PG_RETURN_DATUM(HeapTupleGetDatum(make_row(desc, counts, inspected.is_rtree)));
}
