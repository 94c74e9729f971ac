/*-------------------------------------------------------------------------
 *
 * scan_clauses.c
 *	  The selectivity of the spatial conditions of a scan.
 *
 * "column operator constant" is estimated from the sample of the column:
 *
 *		WHERE b && box '...' AND b <@ $1 AND (p <@ circle '...' OR kind = 3)
 *			  -------------------------		  -----------------
 *			  one column: one window		  a window of its own
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

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/appendinfo.h"
#include "optimizer/optimizer.h"
#include "utils/geo_decls.h"
#include "utils/memutils.h"

#include "estimate/cache/cache.h"
#include "estimate/pairs/estimate.h"
#include "estimate/sample/sample.h"
#include "estimate/scan/scan.h"
#include "estimate/window/window.h"
#include "settings.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/extension_clause.h"
#include "types/registry.h"

/*
 * The fraction of its box that a constant of another extension's type is
 * assumed to fill.  A window fills all of it, a circle 0.79, administrative
 * areas 0.6.
 */
#define EXTENSION_FILLED	0.8

/* A condition on a column and a constant. */
typedef struct Condition
{
	SpqSpatialOperator op;
	SpqEstimateExpression column;
	bool		column_is_left;
	Const	   *constant;		/* NULL if it is a row of "window" */
	SpqEstimateExpression window;	/* the expression that a subquery selects,
									 * ... */
	PlannerInfo *below;			/* ... over relations of this query */
	double		filled;			/* fraction of the constant's box that the
								 * shape in the condition fills; negative if
								 * unknown */
	const FuncExpr *within;		/* the original condition, if it is
								 * spqtree_dwithin() */
	bool		of_extension;	/* on a type of another extension */
} Condition;

/* The note about a condition on a table, for the partitions. */
typedef struct Estimated
{
	double		selectivity;
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
	SpqEstimateWindow window;
	double		selectivity;
}			remembered[REMEMBERED];
static int	next_remembered = 0;

static double
estimate_window(const Column *column)
{
	const uint64 id = column->sample->id;
	double		selectivity;

	for (int i = 0; i < REMEMBERED; i++)
		if (remembered[i].sample == id && remembered[i].tuples == column->tuples &&
			memcmp(&remembered[i].window, &column->window, sizeof(column->window)) == 0)
			return remembered[i].selectivity;
	selectivity = spq_estimate_in_window(&column->window, column->sample, column->tuples);
	remembered[next_remembered].sample = id;
	remembered[next_remembered].tuples = column->tuples;
	remembered[next_remembered].window = column->window;
	remembered[next_remembered].selectivity = selectivity;
	next_remembered = (next_remembered + 1) % REMEMBERED;
	return selectivity;
}

/*
 * Return the fraction of its window that is within a distance of a constant, if
 * the clause is spqtree_dwithin() with constants and the type tells; otherwise
 * -1.
 */
static double
filled_near_constant(PlannerInfo *root, const FuncExpr *within)
{
	Const	   *distance = (Const *) estimate_expression_value(root, lthird(within->args));

	if (!IsA(distance, Const) || distance->constisnull)
		return -1;
	for (int side = 0; side < 2; side++)
	{
		Node	   *arg = list_nth(within->args, side);
		const SpqType *type = spq_type_of(exprType(arg));

		if (type == NULL || type->filled_near == NULL)
			continue;
		arg = estimate_expression_value(root, arg);
		if (IsA(arg, Const) && !((Const *) arg)->constisnull)
			return type->filled_near(((Const *) arg)->constvalue,
									 DatumGetFloat8(distance->constvalue));
	}
	return -1;
}

/*
 * Return the operator that a clause is or implies, and set what is known of
 * the condition.  Return NULL if there is none.
 */
static OpExpr *
spatial_operator(PlannerInfo *root, Node *clause, Condition *condition)
{
	OpExpr	   *op = (OpExpr *) clause;

	condition->filled = -1;
	condition->within = NULL;
	condition->of_extension = false;
	if (is_opclause(clause) && list_length(op->args) == 2 &&
		spq_spatial_scan_operator(op->opno, &condition->op))
		return op;
	op = spq_spatial_within_clause(root, clause, NULL, &condition->op);
	if (op)
	{
		condition->within = (FuncExpr *) clause;
		condition->filled = filled_near_constant(root, condition->within);
		return op;
	}
	op = spq_spatial_compared_clause(root, clause, NULL, &condition->op);
	if (op)
	{
		condition->filled = condition->op.fraction;
		return op;
	}
	op = spq_spatial_extension_clause(root, clause, NULL, &condition->op);
	condition->of_extension = op != NULL;
	if (op && condition->op.fraction < 1)
		condition->filled = EXTENSION_FILLED;
	return op;
}

/*
 * Return whether a clause is a condition on a column of this relation and an
 * expression that is the same for all its rows.  Set that to "other".
 */
static bool
find_column_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
					  Condition *condition, Node **other)
{
	OpExpr	   *op;

	op = spatial_operator(root, clause, condition);
	if (!op)
		return false;
	*other = NULL;
	for (int side = 0; side < 2 && !*other; side++)
	{
		condition->column_is_left = side == 0;
		if (spq_estimate_expression(list_nth(op->args, side),
									side == 0 ? &condition->op.left : &condition->op.right,
									&condition->column) &&
			condition->column.varno == rel->relid)
			*other = list_nth(op->args, 1 - side);
	}
	return *other && !OidIsValid(condition->op.left.function) &&
		!OidIsValid(condition->op.right.function) &&
		(IsA(*other, Const) || !contain_var_clause(*other));
}

/*
 * Return whether a clause is a condition on a column of this relation and a
 * constant, an expression that the planner can estimate as one, or what a
 * subquery selects.
 */
static bool
find_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
			   Condition *condition)
{
	Node	   *other;

	if (!find_column_condition(root, rel, clause, condition, &other))
		return false;
	other = spq_estimate_value(root, other, &condition->below);
	if (!other)
		return false;
	condition->constant = IsA(other, Const) ? (Const *) other : NULL;
	return condition->constant ||
		spq_estimate_expression(other, condition->column_is_left ? &condition->op.right :
								&condition->op.left, &condition->window);
}

/*
 * Return the fraction for a column of lines or spheres in space and a box,
 * from the centers that a line or a sphere of mean size may have.
 */
static double
solid_fraction(const SpqSpatialOperator *op, const SpqEstimateSample *sample,
			   const float8 *ends)
{
	SpqEstimateFill fill = {.any = true};
	double		side[SPQ_ESTIMATE_MAX_AXES];

	if (op->relation != SPQ_BOX_OVERLAPS || (!sample->lines && op->left.type == op->right.type))
		return op->fraction;
	if (!sample->lines)
		fill.volume = M_PI / 6;
	for (int axis = 0; axis < sample->axes; axis++)
	{
		if (!sample->lines)
			fill.shadow[axis] = M_PI / 4;
		fill.high[axis] = spq_estimate_mean_side(sample, axis);
		side[axis] = ends[axis] - ends[sample->axes + axis];
	}
	return spq_estimate_filled(&fill, side);
}

/*
 * Return the fraction of the boxes in a window that satisfy the condition.
 *
 * Boxes of w x h overlap a convex shape of area A in a bounding box of W x H
 * if their centers are in an area of A + w H + h W + w h.  They overlap the
 * bounding box if their centers are in (W + w) (H + h), which is larger by W H
 * - A.
 */
static double
condition_fraction(const Condition *condition, const SpqEstimateSample *sample,
				   const float8 *ends)
{
	const SpqSpatialOperator *op = &condition->op;
	const SpqTypeOperand *constant = condition->column_is_left ? &op->right : &op->left;
	bool		is_known = condition->filled >= 0;
	double		filled = is_known ? condition->filled :
		constant->type->filled ? constant->type->filled(condition->constant->constvalue) :
		op->fraction,
				missing = 1 - filled;

	if (sample->axes == 3)
		return op->exact ? 1 : solid_fraction(op, sample, ends);
	/* points in a known polygon */
	if (condition->column.operand.type->is_point)
		return filled;
	if (!condition->column.operand.type->is_box || op->exact)
		return op->fraction;
	if (op->relation != SPQ_BOX_OVERLAPS)
		return filled;
	if (constant->type->is_box && !is_known)
		return op->fraction;
	for (int axis = 0; axis < sample->axes; axis++)
	{
		double		side = ends[axis] - ends[sample->axes + axis];

		if (side > 0)
			missing *= side / (side + spq_estimate_mean_side(sample, axis));
	}
	return missing >= 0 && missing <= 1 ? 1 - missing : op->fraction;
}

/* Return the entry of a condition's column; add it if there is none. */
static Column *
find_column(PlannerInfo *root, const Condition *condition, List **columns)
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
 * Add a condition to the window of its column, as a condition on the box of
 * the constant.
 */
static void
add_to_window(const Condition *condition, Column *column)
{
	SpqTypeBoxOf bounds;
	float8		ends[SPQ_ESTIMATE_ENDS];

	/* without margins, as in the sample */
	spq_type_box_init(&bounds, condition->column_is_left ? &condition->op.right :
					  &condition->op.left, true, InvalidOid);
	spq_type_box_of(&bounds, condition->constant->constvalue, ends);
	spq_estimate_window_add(&column->window, condition->op.relation,
							condition_fraction(condition, column->sample, ends), ends,
							condition->column_is_left);
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
subquery_selectivity(const Condition *condition, const SpqEstimateSample *sample)
{
	double		tuples;
	const SpqEstimateSample *windows = spq_estimate_column_sample(condition->below,
																  &condition->window,
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

/*
 * Estimate the selectivity of a condition, given the others before it on the
 * same column.  Return false if it is unknown.
 */
static bool
estimate_condition(PlannerInfo *root, const Condition *condition, List **columns,
				   Estimated *estimated)
{
	Column	   *column;
	SpqEstimateShape shape;
	double		before;

	estimated->selectivity = 0;
	estimated->sample_boxes = 0;
	if (condition->constant && condition->constant->constisnull)
		return true;
	column = find_column(root, condition, columns);
	if (!column->sample)
		return false;
	if (!condition->constant)
	{
		estimated->selectivity = subquery_selectivity(condition, column->sample);
		return estimated->selectivity >= 0;
	}
	if (spq_estimate_scan_shape(root, &condition->op, condition->column_is_left,
								condition->within,
								condition->constant, &shape))
		spq_estimate_window_add_shape(&column->window, &shape);
	else
		add_to_window(condition, column);
	before = column->selectivity;
	column->selectivity = Min(estimate_window(column), before);
	estimated->selectivity = before > 0 ? column->selectivity / before : 1;
	if (condition->of_extension && before == 1)
		estimated->sample_boxes = column->sample->count;
	return true;
}

static bool estimate_list(PlannerInfo *root, const RelOptInfo *rel, List *clauses,
						  bool all_hold);

/* As estimate_list(), for one clause. */
static bool
estimate_clause(PlannerInfo *root, const RelOptInfo *rel, RestrictInfo *rinfo,
				List **columns)
{
	Node	   *clause = (Node *) rinfo->clause;
	Condition	condition;
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

		if (!find_condition(root, rel, negated ? (Node *) get_notclausearg((Expr *) clause) : clause,
							&condition))
			return false;
		if (!estimate_condition(root, &condition, negated ? &alone : columns, &estimated))
			return false;
		if (negated)
			estimated.sample_boxes = 0;
		if (negated && alone != NIL)
		{
			const SpqEstimateSample *sample = ((Column *) linitial(alone))->sample;

			estimated.selectivity = Max(sample->count / Max(sample->rows, 1.0) -
										estimated.selectivity, 0);
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
		Condition	condition;
		Node	   *other;
		SpqTypeBoxOf bounds;
		float8		ends[SPQ_ESTIMATE_ENDS];

		if (rinfo->pseudoconstant || rinfo->orclause || rinfo->norm_selec < 0 ||
			!find_column_condition(root, rel, (Node *) rinfo->clause, &condition, &other) ||
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
