/*-------------------------------------------------------------------------
 *
 * owner_clause.c
 *	  Joins of tables whose rows are copied into parts.
 *
 *		a JOIN b USING (part)
 *		WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, P) = part
 *
 * PostgreSQL assumes that the three conditions are independent.  But copies of
 * boxes that overlap are in the same part, and the last condition, which names
 * the owner of a pair, keeps each pair of rows once.  So if a row of a has m
 * copies and one of b has n, their pair is found among m * n pairs of
 * overlapping copies, and the estimate is
 *
 *		pairs of copies that overlap * mean of 1 / m * mean of 1 / n
 *
 * These are means over pairs: a box with many copies is large, and has more
 * pairs.  Its weight is that of a box among others in random places, the area
 *
 *		+-----------+- - - +
 *		|	box		|	   '		(width + mean width of the other side)
 *		+-----------+	   '	  * (height + mean height of the other side)
 *		' - - - - - - - - -+
 *
 * The clause with the owner gets the product of these means as its
 * selectivity, and the equality of parts gets 1.  Both are usually in one
 * equivalence class {a.part, b.part, function}.  The clauses that the
 * planner will make from the class are made here first; the planner then takes
 * them from the class.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "divide/part_tree.h"
#include "estimate/join/selectivity.h"
#include "types/own_function.h"

static const char *const owner_symbols[] = {"spq_pair_part", "spq_pair_part3"};

/*
 * Return whether an expression is a call of a function that returns the owner
 * of a pair.
 */
static bool
is_owner_call(Node *expr)
{
	return IsA(expr, FuncExpr) &&
		spq_own_symbol_place(((FuncExpr *) expr)->funcid, owner_symbols,
							 lengthof(owner_symbols)) >= 0;
}

/*
 * Return the call in an equality with the owner of a pair, or NULL for other
 * clauses.
 */
static FuncExpr *
owner_of_clause(const RestrictInfo *rinfo)
{
	const OpExpr *clause = (const OpExpr *) rinfo->clause;

	if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
		rinfo->mergeopfamilies == NIL)
		return NULL;
	if (is_owner_call(linitial(clause->args)))
		return linitial(clause->args);
	if (is_owner_call(lsecond(clause->args)))
		return lsecond(clause->args);
	return NULL;
}

/*
 * Return whether an equivalence class contains the owner of pairs of these
 * relations.
 */
static bool
has_owner(PlannerInfo *root, Relids relids)
{
	ListCell   *lc1,
			   *lc2;

	foreach(lc1, root->eq_classes)
	{
		EquivalenceClass *ec = lfirst_node(EquivalenceClass, lc1);

		if (!bms_is_subset(relids, ec->ec_relids))
			continue;
		foreach(lc2, ec->ec_members)
		{
			EquivalenceMember *em = lfirst_node(EquivalenceMember, lc2);

			if (bms_is_subset(em->em_relids, relids) && is_owner_call((Node *) em->em_expr))
				return true;
		}
	}
	return false;
}

/* Return the clauses that a join of two base relations will have. */
List *
spq_estimate_join_clauses(PlannerInfo *root, RelOptInfo *left, RelOptInfo *right)
{
	Relids		relids = bms_union(left->relids, right->relids);
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, left->joininfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (bms_is_subset(rinfo->clause_relids, relids))
			result = lappend(result, rinfo);
	}
	/* the clauses made from a class depend on which side is the outer one */
	if (has_owner(root, relids))
	{
		result = list_concat(result, spq_generate_join_implied_equalities(root, relids,
																		  left->relids, right));
		result = list_concat(result, spq_generate_join_implied_equalities(root, relids,
																		  right->relids, left));
	}
	return result;
}

/* Return the first clause with the owner of a pair, or NULL. */
RestrictInfo *
spq_estimate_owner_clause(List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (owner_of_clause(rinfo) != NULL)
			return rinfo;
	}
	return NULL;
}

/* Return the number of cells that a two-dimensional box touches. */
static double
cells_touched(const float8 *box, float8 cell_size)
{
	double		cells = 1;

	for (int axis = 0; axis < 2; axis++)
		cells *= floor((box[axis] + EPSILON) / cell_size) - floor(box[2 + axis] / cell_size) + 1;
	return cells;
}

/* Return the number of copies of a row with this box. */
static double
copies_of(const SpqPartTree *tree, float8 cell_size, const float8 *box)
{
	double		copies;

	if (tree == NULL)
		copies = cells_touched(box, cell_size);
	else if (spq_part_is_everywhere(tree, box))
		copies = 1;
	else
		copies = spq_part_touched(tree, box, NULL, tree->parts);
	/* an infinite box may give NaN */
	return copies >= 1 ? copies : 1;
}

/* Return the length of a box on an axis, or 0 if it is infinite. */
static double
box_length(const SpqEstimateSample *sample, int i, int axis)
{
	double		length = spq_estimate_high(sample, i)[axis] - spq_estimate_low(sample, i)[axis];

	return isfinite(length) ? length : 0;
}

static double
mean_length(const SpqEstimateSample *sample, int axis)
{
	double		sum = 0;

	for (int i = 0; i < sample->count; i++)
		sum += box_length(sample, i, axis) / sample->count;
	return sum;
}

/*
 * Return the mean of 1 / copies over the rows of one side of overlapping
 * pairs.  A sample of the copies contains a row as often as the row has
 * copies.
 */
static double
mean_share(const SpqPartTree *tree, float8 cell_size, const SpqEstimateSample *sample,
		   const SpqEstimateSample *other)
{
	double		other_length[SPQ_ESTIMATE_MAX_AXES];
	double		shares = 0,
				weights = 0;

	for (int axis = 0; axis < sample->axes; axis++)
		other_length[axis] = mean_length(other, axis);
	for (int i = 0; i < sample->count; i++)
	{
		double		weight = 1;

		for (int axis = 0; axis < sample->axes; axis++)
			weight *= box_length(sample, i, axis) + other_length[axis];
		shares += weight / copies_of(tree, cell_size, spq_estimate_high(sample, i));
		weights += weight;
	}
	/* all are points, or the sum overflowed */
	if (!(weights > 0) || !isfinite(weights))
		return 1;
	return shares / weights;
}

/*
 * Return the fraction of the pairs of copies with overlapping boxes that the
 * clause with the owner keeps: one for each pair of rows.  Return 1 if it is
 * unknown.
 */
double
spq_estimate_owner_share(PlannerInfo *root, RestrictInfo *owner,
						 const SpqEstimateSample *left, const SpqEstimateSample *right)
{
	FuncExpr   *call = owner_of_clause(owner);
	Node	   *divided = estimate_expression_value(root, lthird(call->args));
	const SpqPartTree *tree = NULL;
	float8		cell_size = 0;

	if (left == NULL || left->count == 0 || right == NULL || right->count == 0 ||
		!IsA(divided, Const) || ((Const *) divided)->constisnull)
		return 1;
	if (exprType(divided) == FLOAT8OID)
		cell_size = DatumGetFloat8(((Const *) divided)->constvalue);
	else
		tree = (const SpqPartTree *) PG_DETOAST_DATUM(((Const *) divided)->constvalue);
	if (tree != NULL ? tree->axes != left->axes : left->axes != 2 || !(cell_size > 0))
		return 1;
	return mean_share(tree, cell_size, left, right) * mean_share(tree, cell_size, right, left);
}

static bool
set_selectivity(RestrictInfo *rinfo, double selectivity)
{
	bool		changed = rinfo->norm_selec != selectivity;

	rinfo->norm_selec = selectivity;
	rinfo->outer_selec = 1;
	return changed;
}

/*
 * Put our estimates into the clauses with the owner of a pair and into the
 * equality of cells or parts that belongs to them.  Return whether an estimate
 * changed.
 */
bool
spq_estimate_set_owned(RestrictInfo *owner, List *clauses, double share)
{
	const OpExpr *owner_equality = (const OpExpr *) owner->clause;
	bool		changed = false;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		const OpExpr *clause = (const OpExpr *) rinfo->clause;

		if (owner_of_clause(rinfo) != NULL)
			changed |= set_selectivity(rinfo, share);
		else if (IsA(clause, OpExpr) && list_length(clause->args) == 2 &&
				 rinfo->mergeopfamilies != NIL &&
				 ((rinfo->parent_ec != NULL && rinfo->parent_ec == owner->parent_ec) ||
				  list_member(owner_equality->args, linitial(clause->args)) ||
				  list_member(owner_equality->args, lsecond(clause->args))))
			changed |= set_selectivity(rinfo, 1);
	}
	return changed;
}
