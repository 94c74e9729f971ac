/*-------------------------------------------------------------------------
 *
 * explain_scan.c
 *	  spqtree_explain, spqtree_explain3: what a scan with a box visits, and what it
 *	  finds.
 *
 * The walk goes where the scan would go, and decides each leaf, by the functions
 * of the operator class itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/bitmapset.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "inspect/inspect.h"
#include "inspect/query.h"
#include "inspect/query_operator.h"
#include "inspect/tree_inspect.h"
#include "quadtree_pages/walk.h"

PG_FUNCTION_INFO_V1(spq_inspect_explain);
PG_FUNCTION_INFO_V1(spq_inspect_explain3);

typedef struct Explained
{
	SpqInspectQuery query;
	Bitmapset  *pages;			/* blocks */
	int64		inner_tuples;
	int64		leaf_chains;
	int64		useless_chains; /* chains without a match */
	int64		leaf_tuples;
	int64		oversize_tuples;
	int64		rows;
	int64		rechecked;		/* of those */
} Explained;

/* As leaf_consistent does. */
static void
test_leaf(Explained *explained, const SpqPageStep *chain, OffsetNumber item)
{
	SpqQuadAnswer answer = spq_inspect_query_decide(&explained->query, chain, item);

	explained->rows += answer != SPQ_QUAD_NO;
	explained->rechecked += answer == SPQ_QUAD_RECHECK;
}

static bool
follow(void *arg, SpqPageStep *inner, int node, uint64 label)
{
	return spq_inspect_query_follows(&((Explained *) arg)->query, label);
}

static bool
visit(void *arg, SpqPageStep *step)
{
	Explained  *explained = (Explained *) arg;
	int64		rows = explained->rows;

	/* all operators are strict, so a scan never goes there */
	if (step->of_nulls)
		return false;
	explained->pages = bms_add_member(explained->pages, step->tid.block);
	if (step->inner)
	{
		explained->inner_tuples++;
		spq_inspect_query_enter(&explained->query, step);
		return true;
	}
	spq_page_foreach_in_chain(item, step)
		test_leaf(explained, step, item);
	explained->leaf_chains++;
	explained->useless_chains += explained->rows == rows;
	explained->leaf_tuples += step->tuples;
	if (step->below_oversize)
		explained->oversize_tuples += step->tuples;
	return true;
}

/* Fill the columns of the result. */
static void
explain_quadtree(SpqPageReader *reader, int strategy, const BOX *query,
				 Datum *values, bool *nulls)
{
	Explained	explained = {0};
	SpqPageVisitor visitor = {
		.visit = visit,
		.follow = follow,
		.arg = &explained
	};

	spq_inspect_query_init(&explained.query, strategy, query);

	/* a scan reads the root page even if it is empty */
	explained.pages = bms_make_singleton(SPGIST_ROOT_BLKNO);
	spq_page_walk(reader, &visitor);

	values[0] = Int64GetDatum(explained.inner_tuples);
	values[1] = Int64GetDatum(explained.leaf_chains);
	values[2] = Int64GetDatum(explained.useless_chains);
	values[3] = Int64GetDatum(explained.leaf_tuples);
	values[4] = Int64GetDatum(explained.oversize_tuples);
	values[5] = Int64GetDatum(bms_num_members(explained.pages));
	values[6] = Int64GetDatum(explained.rows);
	values[7] = Int64GetDatum(explained.rechecked);
	nulls[8] = explained.leaf_tuples == 0;
	values[8] = nulls[8] ? (Datum) 0 :
		Float8GetDatum((float8) explained.rows / explained.leaf_tuples);
}

static Datum
explain(FunctionCallInfo fcinfo)
{
	SpqInspectIndex inspected;
	Datum		query = PG_GETARG_DATUM(1);
	Oid			query_type;
	Oid		   *types;
	int			ntypes;
	TupleDesc	desc;
	Datum		values[9] = {0};
	bool		nulls[9] = {false};
	int			strategy;
	Oid			function;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_explain(relid, query)");

	/* the declared type: that of the argument may be a domain */
	get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
	query_type = types[1];
	spq_inspect_check_axes(inspected.index, query_type, "spqtree_explain");
	strategy = spq_inspect_strategy(inspected.index, text_to_cstring(PG_GETARG_TEXT_PP(2)),
									query_type, &function);
	if (inspected.is_tree)
		spq_tree_explain(&inspected.tree, strategy, function, query, values, nulls);
	else
		explain_quadtree(&inspected.reader, strategy, DatumGetBoxP(query), values, nulls);
	spq_inspect_close(&inspected);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

/*
 * spqtree_explain(index regclass, query box, operator text) returns record
 */
Datum
spq_inspect_explain(PG_FUNCTION_ARGS)
{
	return explain(fcinfo);
}

/*
 * spqtree_explain3(index regclass, query box3, operator text) returns record
 */
Datum
spq_inspect_explain3(PG_FUNCTION_ARGS)
{
	return explain(fcinfo);
}
