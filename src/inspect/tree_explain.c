/*-------------------------------------------------------------------------
 *
 * tree_explain.c
 *	  spqtree_explain of an index of access method spqtree.
 *
 * The walk goes where the scan would go, and decides each row, by the functions
 * that scans use.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "fmgr.h"
#include "port/pg_bitutils.h"

#include "inspect/tree_inspect.h"
#include "inspect/tree_query.h"
#include "rtree/extension_class/extension_class.h"
#include "rtree/keys/payload.h"
#include "rtree_pages/tree_walk.h"

typedef struct Explained
{
	SpqTreeQuery query;
	int64		inner_pages;
	int64		leaves;
	int64		useless_leaves; /* without a match */
	int64		rows_tested;
	int64		rows;
	int64		asked;			/* of those: the operator's function decided */
} Explained;

/*
 * Parse a query as a scan does its only key.  The query must stay where it is, and
 * the box, of as many axes as the index has, must last.  If the index is of a type of
 * another extension, the box stands for a value with these bounds.
 */
void
spq_tree_query_init(SpqTreeQuery *query, Relation index, int strategy,
					Oid operator_function, Datum box)
{
	SpqRtreeCondition condition;
	const SpqRtreeLayout *layout = spq_rtree_layout_of(0, spq_rtree_leaf_flags(index));

	memset(query, 0, sizeof(SpqTreeQuery));
	ScanKeyInit(&query->key, spq_rtree_box_column(index), strategy, operator_function, box);
	condition = spq_rtree_extension_name(index) == NULL ?
		spq_rtree_class_condition(index, &query->key) :
		spq_rtree_extension_box_condition(index, strategy, (const float8 *) DatumGetPointer(box));
	query->operator = (SpqRtreeOperator)
	{
		&query->key, condition.ask
	};
	for (int i = 0; i < condition.ncomparisons; i++)
	{
		query->of_rows[i] = query->of_bounds[i] = condition.comparisons[i];
		query->of_rows[i].end = spq_rtree_row_column(layout, &condition.comparisons[i]);
		query->of_bounds[i].end = spq_rtree_bounding_end(&condition.comparisons[i],
														 layout->axes);
	}
	query->conditions.reads_tree = true;
	query->conditions.ncomparisons = condition.ncomparisons;
	query->conditions.rows.comparisons = query->of_rows;
	query->conditions.bounds.comparisons = query->of_bounds;
	query->conditions.rows.recheck = !spq_rtree_returns_key(index) && !condition.exact;
	query->conditions.rows.noperators = spq_rtree_returns_key(index) ? 1 : 0;
	query->conditions.rows.ninexact = condition.exact ? 0 : query->conditions.rows.noperators;
	query->conditions.rows.operators = &query->operator;
}

static bool
follow(void *arg, SpqTreeStep *inner, int entry)
{
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	spq_rtree_match_inner(&((Explained *) arg)->query.conditions, inner->page, matches);
	return spq_tree_query_has(matches, entry);
}

static bool
visit(void *arg, SpqTreeStep *step)
{
	Explained  *explained = (Explained *) arg;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];
	int			rows;

	if (step->level > 0)
	{
		explained->inner_pages++;
		return true;
	}
	rows = spq_rtree_match_leaf(&explained->query.conditions, step->page, false, matches);
	explained->leaves++;
	explained->useless_leaves += rows == 0;
	explained->rows_tested += step->rows;
	explained->rows += rows;
	if (explained->query.conditions.rows.ninexact > 0 || explained->query.conditions.rows.recheck ||
		(spq_rtree_special(step->page)->flags & SPQ_RTREE_HAS_NAN))
		explained->asked += rows;
	return true;
}

void
spq_tree_explain(SpqTreeReader *reader, int strategy, Oid operator_function,
				 Datum query, Datum *values, bool *nulls)
{
	Explained	explained = {0};
	SpqTreeVisitor visitor = {
		.visit = visit,
		.follow = follow,
		.no_nulls = true,
		.arg = &explained
	};

	spq_tree_query_init(&explained.query, reader->index, strategy, operator_function, query);
	spq_tree_walk(reader, &visitor);

	values[0] = Int64GetDatum(explained.inner_pages);
	values[1] = Int64GetDatum(explained.leaves);
	values[2] = Int64GetDatum(explained.useless_leaves);
	values[3] = Int64GetDatum(explained.rows_tested);
	nulls[4] = true;			/* oversize_tuples */
	values[5] = Int64GetDatum(explained.inner_pages + explained.leaves);
	values[6] = Int64GetDatum(explained.rows);
	values[7] = Int64GetDatum(explained.asked);
	nulls[8] = explained.rows_tested == 0;
	values[8] = nulls[8] ? (Datum) 0 :
		Float8GetDatum((float8) explained.rows / explained.rows_tested);
}
