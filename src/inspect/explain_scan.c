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
#include "catalog/pg_amop.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/bitmapset.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "inspect/inspect.h"
#include "inspect/query.h"
#include "inspect/tree_inspect.h"
#include "pages/walk.h"
#include "rtree/class.h"
#include "rtree/rtree.h"

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

/* Return the number of axes of an index. */
static int
axes_of(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_axes(index) : 2;
}

/* Raise an error unless a query, of a type, has the axes of the index. */
static void
check_axes(Relation index, Oid query_type)
{
	bool		flat = query_type == BOXOID;

	if (axes_of(index) == (flat ? 2 : 3))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 flat ? errmsg("index \"%s\" has three dimensions, but the query is a box of two",
						   RelationGetRelationName(index)) :
			 errmsg("index \"%s\" has two dimensions, but the query is a box of three",
					RelationGetRelationName(index)),
			 flat ? errhint("spqtree_explain3 takes a box3.") :
			 errhint("spqtree_explain takes a box.")));
}

/*
 * Return the strategy number of an operator between the index's type and that of the
 * query, in the index's operator family, and its function.  It is the family that says which operator is meant: that of another
 * schema may have the name, and the family's may be in no schema of the search path.
 */
static int
strategy_of(Relation index, text *operator, Oid query_type, Oid *function)
{
	char	   *name = text_to_cstring(operator);
	int			column = spq_rtree_is(index) ? spq_rtree_box_column(index) : 1;
	CatCList   *members = SearchSysCacheList1(AMOPSTRATEGY,
											  ObjectIdGetDatum(index->rd_opfamily[column - 1]));
	int			strategy = 0;

	for (int i = 0; i < members->n_members && strategy == 0; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		if (member->amoppurpose == AMOP_SEARCH &&
			member->amoplefttype == index->rd_opcintype[column - 1] &&
			member->amoprighttype == query_type &&
			strcmp(name, get_opname(member->amopopr)) == 0)
		{
			strategy = member->amopstrategy;
			*function = get_opcode(member->amopopr);
		}
	}
	ReleaseSysCacheList(members);

	if (strategy == 0 && query_type != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box3 is not supported by this operator class",
						name, format_type_be(index->rd_opcintype[column - 1])),
				 errhint("With a box3, indexes of points support <@, those of boxes &&, @>, <@, ~= and the directions.")));
	if (strategy == 0 && index->rd_opcintype[column - 1] != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box is not supported by this operator class",
						name, format_type_be(index->rd_opcintype[column - 1])),
				 errhint("With a box, indexes of points support <@, of circles and polygons && and @>, of segments ?# and <@, of paths none.")));
	if (strategy == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between boxes is not supported by this operator class",
						name),
				 errhint("Supported operators are &&, @>, <@, ~=, <<, &<, &>, >>, <<|, &<|, |&> and |>>.")));
	return strategy;
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
	check_axes(inspected.index, query_type);
	strategy = strategy_of(inspected.index, PG_GETARG_TEXT_PP(2), query_type, &function);
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
