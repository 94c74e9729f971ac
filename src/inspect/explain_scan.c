/*-------------------------------------------------------------------------
 *
 * explain_scan.c
 *	  spqtree_explain, spqtree_explain3: the steps and pages that a scan for a
 *	  box visits, and the rows that it finds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/spgist_private.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "inspect/inspect.h"
#include "inspect/query_operator.h"
#include "rtree/page/block_set.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_inspect_explain);

/* The columns of the result. */
enum
{
	INNER_TUPLES,
	LEAF_CHAINS,
	CHAINS_WITHOUT_MATCH,
	LEAF_TUPLES,
	OVERSIZE_TUPLES,
	PAGES,
	ROWS,
	RECHECKED,
	HIT_RATE,
	N_COLUMNS
};

typedef struct Explained
{
	int64		counts[N_COLUMNS];
	SpqRtreeBlockSet blocks;	/* as many as PAGES says */
} Explained;

static void
add_block(Explained *explained, BlockNumber block)
{
	if (spq_rtree_block_set_has(&explained->blocks, block))
		return;
	spq_rtree_block_set_add(&explained->blocks, block);
	explained->counts[PAGES]++;
}

static void
visit(void *arg, SpqInspectStep *step)
{
	Explained  *explained = (Explained *) arg;
	int64	   *counts = explained->counts;

	add_block(explained, step->block);
	if (step->inner)
	{
		counts[INNER_TUPLES]++;
		return;
	}
	counts[LEAF_CHAINS]++;
	counts[CHAINS_WITHOUT_MATCH] += step->matching == 0;
	counts[LEAF_TUPLES] += step->tuples;
	if (step->below_oversize)
		counts[OVERSIZE_TUPLES] += step->tuples;
	counts[ROWS] += step->matching;
	counts[RECHECKED] += step->rechecked;
}

/* Return the row of these counts. */
static HeapTuple
make_row(TupleDesc desc, const int64 *counts, bool is_rtree)
{
	Datum		values[N_COLUMNS];
	bool		nulls[N_COLUMNS] = {false};

	for (int i = 0; i < N_COLUMNS; i++)
		values[i] = Int64GetDatum(counts[i]);
	nulls[OVERSIZE_TUPLES] = is_rtree;
	nulls[HIT_RATE] = counts[LEAF_TUPLES] == 0;
	if (!nulls[HIT_RATE])
		values[HIT_RATE] = Float8GetDatum((float8) counts[ROWS] / counts[LEAF_TUPLES]);
	return heap_form_tuple(BlessTupleDesc(desc), values, nulls);
}

/*
 * spqtree_explain(index regclass, query box, operator text) returns record, and
 * spqtree_explain3, with a query box3.
 */
Datum
spq_inspect_explain(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	SpqInspectQuery query;
	Explained	explained = {.blocks.context = CurrentMemoryContext};
	SpqInspectVisitor visitor = {
		.visit = visit,
		.arg = &explained,
		.query = &query,
		.only_visited = true,
		.no_nulls = true
	};
	Oid			query_type;
	Oid		   *types;
	int			ntypes;
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_explain(relid, query)");

	/* the declared type: that of the argument may be a domain */
	get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
	query_type = types[1];
	spq_inspect_check_axes(&inspected, query_type, "spqtree_explain");
	spq_inspect_find_operator(&inspected, text_to_cstring(PG_GETARG_TEXT_PP(2)), query_type,
							  &query);
	query.box = PG_GETARG_DATUM(1);

	/* a scan of a quadtree reads the root page even if it is empty */
	if (!inspected.is_rtree)
		add_block(&explained, SPGIST_ROOT_BLKNO);
	spq_inspect_walk(&inspected, &visitor);
	spq_rtree_block_set_free(&explained.blocks);
	spq_inspect_close(&inspected);
	PG_RETURN_DATUM(HeapTupleGetDatum(make_row(desc, explained.counts, inspected.is_rtree)));
}

/* the catalog has a symbol for each function */
SPQ_SQL_FUNCTION(spq_inspect_explain3, return spq_inspect_explain(fcinfo))
