/*-------------------------------------------------------------------------
 *
 * scan_clauses.c
 *	  The selectivity of the spatial conditions of a scan.
 *
 * A condition on a column is estimated from the sample of the column:
 *
 *		WHERE b && box '...' AND b <@ $1 AND (p <@ circle '...' OR kind = 3)
 *			  -------------------------		  -----------------
 *			  one column: one window		  a window of its own
 *
 *		b && ALL ('{...}')		as with AND
 *		b && ANY ('{...}')		several windows (any_window.c)
 *		b && c					of the same row (row_condition.c)
 *
 * The estimates are stored in the clauses, where PostgreSQL keeps
 * selectivities (norm_selec).  The first of several conditions on one column
 * gets its own selectivity, and each further one the fraction that it keeps of
 * the rows that satisfy those before it.  So their product is right, which
 * that of independent conditions would not be.  Conditions on different
 * columns are assumed to be independent, as PostgreSQL does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/appendinfo.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"

#include "estimate/cache/cache.h"
#include "estimate/pairs/estimate.h"
#include "estimate/sample/sample.h"
#include "estimate/scan/scan.h"
#include "estimate/scan/scan_condition.h"
#include "estimate/window/window.h"
#include "settings.h"

/* The note about a condition on a table, for the partitions. */
typedef struct Estimated
{
	double		selectivity;
	double		not_null;		/* fraction of the rows for which the
								 * condition is not null */
	int			sample_boxes;	/* of the sample, if another extension's
								 * estimate may be better; otherwise 0 */
} Estimated;

/* The conditions seen so far on one column. */
typedef struct Column
{
	SpqEstimateExpression expression;
	const SpqEstimateSample *sample;	/* NULL if there is none */
	double		tuples;
	SpqEstimateWindow window;
	double		selectivity;	/* of all conditions so far */
} Column;

/*
 * The latest estimates, for the partitions of a table and for repeated
 * queries.
 */
#define REMEMBERED 16

static struct
{
	uint64		sample;
	double		tuples;
	uint64		windows;		/* a hash */
	double		selectivity;
}			remembered[REMEMBERED];
static int	next_remembered = 0;

/*
 * Return the fraction of a column's rows that is in a window, or in any of "all"
 * windows, of which "count" are given.
 */
static double
estimate_windows(const Column *column, const SpqEstimateWindow *windows, int count, double all)
{
	const uint64 id = column->sample->id,
				hash = hash_bytes_extended((const unsigned char *) windows,
										   (int) sizeof(SpqEstimateWindow) * count, (uint64) all);
	double		selectivity,
				sum;
	int		   *in;

	for (int i = 0; i < REMEMBERED; i++)
		if (remembered[i].sample == id && remembered[i].tuples == column->tuples &&
			remembered[i].windows == hash)
			return remembered[i].selectivity;
	in = palloc(sizeof(int) * count);
	selectivity = all == 1 ? spq_estimate_in_window(windows, column->sample, column->tuples) :
		spq_estimate_in_any_window(windows, count, all, column->sample, column->tuples, in, &sum);
	remembered[next_remembered].sample = id;
	remembered[next_remembered].tuples = column->tuples;
	remembered[next_remembered].windows = hash;
	remembered[next_remembered].selectivity = selectivity;
	next_remembered = (next_remembered + 1) % REMEMBERED;
	return selectivity;
}

/*
 * Return the entry of a condition's column, with its sample; add it if there is
 * none.
 */
static Column *
find_column(PlannerInfo *root, const SpqEstimateCondition *condition, List **columns)
{
	Column	   *column;
	ListCell   *lc;

	foreach(lc, *columns)
	{
		column = lfirst(lc);
		if (column->expression.operand.type == condition->column.operand.type &&
			equal(column->expression.expr, condition->column.expr))
			return column;
	}
	column = palloc0(sizeof(Column));
	column->expression = condition->column;
	column->sample = spq_estimate_column_sample(root, &condition->column,
												SPQ_ESTIMATE_SCAN_BLOCK_ROWS,
												&column->tuples);
	column->selectivity = 1;
	spq_estimate_window_init(&column->window, column->expression.operand.type->axes);
	*columns = lappend(*columns, column);
	return column;
}

/*
 * Return whether to keep the other extension's own estimate of a condition: if
 * it differs from ours by no more than the error of the sample.
 *
 * It may come from statistics of many more rows.  Those of PostGIS are a grid
 * over the table's extent: better than ours if there are data everywhere, but
 * some hundred times too low for data in a few places of a large extent, such
 * as towns of a continent.
 */
static bool
keeps_extension_estimate(double theirs, double ours, int sample_boxes)
{
	double		rows = ours * sample_boxes,
				factor = 1.25 + 4 / sqrt(rows + 1);

	return theirs > 0 && theirs < ours * factor && theirs * factor > ours;
}

/*
 * Return the selectivity of a condition with what a subquery selects: as with
 * one of the rows that it selects from.  Return -1 if it is unknown.
 */
static double
subquery_selectivity(const SpqEstimateCondition *condition, const SpqEstimateSample *sample)
{
	double		tuples;
	const SpqEstimateSample *windows = spq_estimate_column_sample(condition->below,
																  &condition->other,
																  SPQ_ESTIMATE_JOIN_BLOCK_ROWS,
																  &tuples);
	SpqEstimateQuestion question = {.predicate = condition->op.relation,
		.shape = condition->filled >= 0 ? condition->filled : condition->op.fraction,
	.lines = spq_estimate_line_meets_box(&condition->op)};
	double		selectivity;

	if (!windows || windows->count == 0)
		return -1;
	if (condition->column_is_left)
		selectivity = spq_estimate_of_samples(sample, windows, &question)->selectivity;
	else
		selectivity = spq_estimate_of_samples(windows, sample, &question)->selectivity;
	return Max(selectivity, 1 / Max(tuples * sample->rows, 1));
}

/* Return our estimate or the other extension's. */
static double
chosen_estimate(const Estimated *ours, double theirs)
{
	return ours->sample_boxes > 0 &&
		keeps_extension_estimate(theirs, ours->selectivity, ours->sample_boxes) ?
		theirs : ours->selectivity;
}

/* Return the fraction of the rows that have a box. */
static double
boxes_per_row(const SpqEstimateSample *sample)
{
	return sample->count / Max(sample->rows, 1.0);
}

/*
 * Set the selectivity of conditions that have been added to a window, given those
 * that were added before.
 */
static void
estimate_added(Column *column, Estimated *estimated)
{
	double		before = column->selectivity;

	column->selectivity = Min(estimate_windows(column, &column->window, 1, 1), before);
	estimated->selectivity = before > 0 ? column->selectivity / before : 1;
	estimated->not_null = boxes_per_row(column->sample);
}

/*
 * Estimate the selectivity of a condition, given the others before it on the
 * same column.  Return false if it is unknown.
 */
static bool
estimate_condition(PlannerInfo *root, const SpqEstimateCondition *condition, List **columns,
				   Estimated *estimated)
{
	Column	   *column;

	if (condition->of_row)
		return spq_estimate_row_condition(root, condition, &estimated->selectivity,
										  &estimated->not_null);
	if (condition->constant && condition->constant->constisnull)
		return true;
	column = find_column(root, condition, columns);
	if (!column->sample)
		return false;
	if (!condition->constant)
	{
		estimated->selectivity = subquery_selectivity(condition, column->sample);
		estimated->not_null = boxes_per_row(column->sample);
		return estimated->selectivity >= 0;
	}
	if (condition->of_extension && column->selectivity == 1)
		estimated->sample_boxes = column->sample->count;
	spq_estimate_add_condition(root, condition, column->sample, &column->window);
	estimate_added(column, estimated);
	return true;
}

/* Add the conditions on all elements of an array to the window of their column. */
static void
add_all(PlannerInfo *root, const SpqEstimateArray *array, Column *column)
{
	double		before = column->window.fraction,
				least = 1;
	ListCell   *lc;

	/* a shape that is in all of them is in the one that excludes most */
	foreach(lc, array->conditions)
	{
		column->window.fraction = 1;
		spq_estimate_add_condition(root, lfirst(lc), column->sample, &column->window);
		least = Min(least, column->window.fraction);
	}
	column->window.fraction = before * least;
	column->window.nothing |= array->has_null;
}

/*
 * Return the selectivity of the condition that a column satisfies one on any
 * element of an array.  As with OR, others on the column do not matter.
 */
static double
any_selectivity(PlannerInfo *root, const SpqEstimateArray *array, const Column *column)
{
	int			count = list_length(array->conditions);
	SpqEstimateWindow *windows = palloc(sizeof(SpqEstimateWindow) * count);
	ListCell   *lc;

	foreach(lc, array->conditions)
	{
		SpqEstimateWindow *window = &windows[foreach_current_index(lc)];

		spq_estimate_window_init(window, column->window.axes);
		spq_estimate_add_condition(root, lfirst(lc), column->sample, window);
	}
	return estimate_windows(column, windows, count, array->elements);
}

/* As estimate_condition(), for "column operator ANY (array)", or ALL. */
static bool
estimate_array(PlannerInfo *root, const RelOptInfo *rel, const ScalarArrayOpExpr *clause,
			   List **columns, Estimated *estimated)
{
	SpqEstimateArray array;
	const SpqEstimateCondition *first;
	Column	   *column;

	if (!spq_estimate_array_conditions(root, rel, clause, &array))
		return false;
	if (array.conditions == NIL)
		return true;
	first = linitial(array.conditions);
	column = find_column(root, first, columns);
	if (!column->sample)
		return false;
	if (first->of_extension && column->selectivity == 1)
		estimated->sample_boxes = column->sample->count;
	if (clause->useOr)
	{
		estimated->selectivity = any_selectivity(root, &array, column);
		estimated->not_null = array.has_null ? estimated->selectivity :
			boxes_per_row(column->sample);
	}
	else
	{
		add_all(root, &array, column);
		estimate_added(column, estimated);
	}
	return true;
}

static bool estimate_list(PlannerInfo *root, const RelOptInfo *rel, List *clauses,
						  bool all_hold);

/* Estimate a condition that consists of no others. */
static bool
estimate_single(PlannerInfo *root, const RelOptInfo *rel, Node *clause, List **columns,
				Estimated *estimated)
{
	SpqEstimateCondition condition;

	memset(estimated, 0, sizeof(*estimated));
	if (IsA(clause, ScalarArrayOpExpr))
		return estimate_array(root, rel, (ScalarArrayOpExpr *) clause, columns, estimated);
	return spq_estimate_find_condition(root, rel, clause, &condition) &&
		estimate_condition(root, &condition, columns, estimated);
}

/* As estimate_list(), for one clause. */
static bool
estimate_clause(PlannerInfo *root, const RelOptInfo *rel, RestrictInfo *rinfo,
				List **columns)
{
	Node	   *clause = (Node *) rinfo->clause;
	Estimated	estimated;

	if (rinfo->pseudoconstant || rinfo->norm_selec > 1 || rinfo->outer_selec >= 0)
		return false;
	if (rinfo->orclause)
	{
		if (!estimate_list(root, rel, ((BoolExpr *) rinfo->orclause)->args, false))
			return false;
		rinfo->norm_selec = -1; /* to compute it again */
		rinfo->norm_selec = clause_selectivity(root, (Node *) rinfo, 0, JOIN_INNER, NULL);
	}
	else
	{
		List	   *alone = NIL;
		bool		negated = is_notclause(clause);

		if (!estimate_single(root, rel,
							 negated ? (Node *) get_notclausearg((Expr *) clause) : clause,
							 negated ? &alone : columns, &estimated))
			return false;
		if (negated)
		{
			estimated.sample_boxes = 0;
			estimated.selectivity = Max(estimated.not_null - estimated.selectivity, 0);
		}
		if (root->simple_rte_array[rel->relid]->inh)
			spq_estimate_take_note(root, rinfo, SPQ_ESTIMATE_NOTE_SCAN, &estimated,
								   sizeof(estimated));
		rinfo->norm_selec = chosen_estimate(&estimated, rinfo->norm_selec);
	}
	rinfo->outer_selec = rinfo->norm_selec;
	return true;
}

/*
 * Estimate the clauses of a list, which are connected by AND ("all_hold") or
 * by OR.  Return whether there was anything to estimate.
 */
static bool
estimate_list(PlannerInfo *root, const RelOptInfo *rel, List *clauses, bool all_hold)
{
	List	   *columns = NIL;
	bool		any = false;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		Node	   *clause = lfirst(lc);

		if (!all_hold)
			columns = NIL;
		if (IsA(clause, RestrictInfo))
			any |= estimate_clause(root, rel, (RestrictInfo *) clause, &columns);
		else if (is_andclause(clause))
			any |= estimate_list(root, rel, ((BoolExpr *) clause)->args, true);
	}
	return any;
}

/*
 * Return a partition's parent if the conditions of both are the same, in the
 * same order, or NULL: some may have been simplified away or added.
 */
static RelOptInfo *
parent_of_conditions(PlannerInfo *root, const RelOptInfo *rel)
{
	AppendRelInfo *appinfo = root->append_rel_array ? root->append_rel_array[rel->relid] : NULL;
	RelOptInfo *parent;
	ListCell   *lc1,
			   *lc2;

	if (!appinfo || !OidIsValid(appinfo->parent_reloid))
		return NULL;
	parent = root->simple_rel_array[appinfo->parent_relid];
	if (!parent || list_length(parent->baserestrictinfo) != list_length(rel->baserestrictinfo))
		return NULL;
	forboth(lc1, parent->baserestrictinfo, lc2, rel->baserestrictinfo)
	{
		Node	   *clause = (Node *) lfirst_node(RestrictInfo, lc1)->clause;

		if (!equal(adjust_appendrel_attrs(root, clause, 1, &appinfo),
				   lfirst_node(RestrictInfo, lc2)->clause))
			return NULL;
	}
	return parent;
}

/*
 * Copy the estimates of a table's conditions to those of a partition.
 * Conditions connected by OR have no note and are estimated.  Return whether
 * there are any.
 */
static bool
hand_down(PlannerInfo *root, const RelOptInfo *parent, const RelOptInfo *rel)
{
	bool		any = false;
	ListCell   *lc1,
			   *lc2;

	forboth(lc1, parent->baserestrictinfo, lc2, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc2);
		const Estimated *noted = spq_estimate_note(root, lfirst(lc1), SPQ_ESTIMATE_NOTE_SCAN);

		if (rinfo->orclause)
			any |= estimate_clause(root, rel, rinfo, NULL);
		else if (noted && rinfo->norm_selec <= 1 && rinfo->outer_selec < 0)
		{
			if (root->simple_rte_array[rel->relid]->inh)
				spq_estimate_take_note(root, rinfo, SPQ_ESTIMATE_NOTE_SCAN, noted,
									   sizeof(*noted));
			rinfo->norm_selec = chosen_estimate(noted, rinfo->norm_selec);
			rinfo->outer_selec = rinfo->norm_selec;
			any = true;
		}
	}
	return any;
}

static bool
estimate_conditions(PlannerInfo *root, const RelOptInfo *rel)
{
	const RelOptInfo *parent = parent_of_conditions(root, rel);

	if (!parent)
		return estimate_list(root, rel, rel->baserestrictinfo, true);

	if (!spq_estimate_note(root, parent, SPQ_ESTIMATE_NOTE_SCAN))
	{
		bool		any = estimate_conditions(root, parent);

		spq_estimate_take_note(root, parent, SPQ_ESTIMATE_NOTE_SCAN, &any, sizeof(any));
	}
	return hand_down(root, parent, rel);
}

/*
 * Put our estimates into the spatial conditions of a relation that do not have
 * them yet.  Return whether there were any.
 *
 * A clause has our estimate if its outer_selec is set.  PostgreSQL uses
 * outer_selec only for conditions of outer joins, and not before it joins
 * relations.
 */
bool
spq_estimate_scan_clauses(PlannerInfo *root, RelOptInfo *rel)
{
	MemoryContext context,
				old;
	List	   *dependencies = root->glob->invalItems;
	bool		any;

	if (spq_sample_rows == 0 || rel->baserestrictinfo == NIL)
		return false;

	/* only numbers are kept, of each of many partitions */
	context = AllocSetContextCreate(CurrentMemoryContext, "spatial conditions",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);

	/*
	 * PostgreSQL lists the functions that it has inlined, for the lifetime of
	 * the plan
	 */
	root->glob->invalItems = NIL;
	any = estimate_conditions(root, rel);
	MemoryContextSwitchTo(old);
	root->glob->invalItems = list_concat(dependencies, copyObject(root->glob->invalItems));
	MemoryContextDelete(context);
	return any;
}

/* Return whether two expressions on a relation use the same columns. */
static bool
same_columns(Node *a, Node *b, Index varno)
{
	Bitmapset  *of_a = NULL,
			   *of_b = NULL;

	pull_varattnos(a, varno, &of_a);
	pull_varattnos(b, varno, &of_b);
	return bms_equal(of_a, of_b);
}

/*
 * Return the fraction of a relation's rows that satisfies its conditions on an
 * expression's columns; 1 if it has none.  Set the window of the conditions
 * with constants, and whether there are any ("known").
 */
double
spq_estimate_window_on(PlannerInfo *root, RelOptInfo *rel, const SpqEstimateExpression *column,
					   SpqEstimateWindow *window, bool *known)
{
	double		fraction = 1;
	ListCell   *lc;

	*known = false;
	spq_estimate_window_init(window, column->operand.type->axes);
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		SpqEstimateCondition condition;
		Node	   *other;
		SpqTypeBoxOf bounds;
		float8		ends[SPQ_ESTIMATE_ENDS];

		if (rinfo->pseudoconstant || rinfo->orclause || rinfo->norm_selec < 0 ||
			!spq_estimate_column_condition(root, rel, (Node *) rinfo->clause, &condition, &other) ||
			condition.op.axes != window->axes ||
			!same_columns(condition.column.expr, column->expr, rel->relid))
			continue;
		fraction *= Min(rinfo->norm_selec, 1);
		other = spq_estimate_value(root, other, &condition.below);
		if (!other || !IsA(other, Const) || ((Const *) other)->constisnull ||
			(condition.column_is_left ? &condition.op.right : &condition.op.left)->type->box == NULL)
			continue;
		spq_type_box_init(&bounds, condition.column_is_left ? &condition.op.right :
						  &condition.op.left, true, InvalidOid);
		spq_type_box_of(&bounds, ((Const *) other)->constvalue, ends);
		spq_estimate_window_add(window, condition.op.relation, 1, ends, condition.column_is_left);
		*known = true;
	}
	return Max(fraction, DBL_MIN);
}
