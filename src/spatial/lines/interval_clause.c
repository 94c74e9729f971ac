/*-------------------------------------------------------------------------
 *
 * interval_clause.c
 *	  Two comparisons of numbers, as a condition on two intervals.
 *
 * Intervals are often written as two columns:
 *
 *		a.low <= b.high AND b.low <= a.high			two intervals overlap
 *		a.value BETWEEN b.low AND b.high			a value is in an interval
 *
 * In both, one comparison bounds a side from below and the other one from above.
 * Any two such comparisons imply that two intervals overlap:
 *
 *		a.p <= b.s		a:	p ======== q		interval of a, from p to q
 *		b.r <= a.q		b:		r ======== s	interval of b, from r to s
 *
 * even if p is above q: then the corners of the box are swapped, and it is
 * larger than necessary.
 *
 * An end that is NULL may stand for one that is open.  A comparison then also holds if
 * one of its values is NULL, whatever the other one is:
 *
 *		a.p <= b.s OR b.s IS NULL		b:	r ========...	s is infinity
 *		b.r <= a.q OR b.r IS NULL		b:	...======== s	r is -infinity
 *
 * A value that is NULL, but that its comparison does not test, meets only open ends, so
 * it becomes the infinity of these: p, if s is open, is infinity, too.  If neither value
 * of a comparison is tested, a row in which one is NULL has no box.
 *
 * The first of the two, in the order of the conditions of the join, stands for
 * both.  The second one is then not a spatial condition by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "range/number.h"
#include "spatial/lines/interval_clause.h"

/* A comparison: one value is at most another one, or less. */
typedef struct Comparison
{
	Node	   *low,
			   *high;
	Relids		low_relids,
				high_relids;
	bool		low_open,		/* or this value is NULL */
				high_open;
	bool		or_equal;
	SpqNumberKind kind;			/* of the lower value */
} Comparison;

/* Return whether two expressions are the same but for a domain's name. */
static bool
same_value(Node *a, Node *b)
{
	while (a && IsA(a, RelabelType))
		a = (Node *) ((RelabelType *) a)->arg;
	while (b && IsA(b, RelabelType))
		b = (Node *) ((RelabelType *) b)->arg;
	return equal(a, b);
}

/*
 * If a clause is an operator with two arguments, or the OR of one and of tests of its
 * arguments for NULL, return the operator, and set which are tested.  Otherwise return
 * NULL.
 */
static OpExpr *
find_operator(Node *clause, bool *first_open, bool *second_open)
{
	List	   *arms = is_orclause(clause) ? ((BoolExpr *) clause)->args : list_make1(clause);
	OpExpr	   *found = NULL;
	ListCell   *lc;

	*first_open = *second_open = false;
	foreach(lc, arms)
	{
		OpExpr	   *arm = lfirst(lc);

		if (!IsA(arm, OpExpr))
			continue;
		if (found != NULL || list_length(arm->args) != 2)
			return NULL;
		found = arm;
	}
	if (found == NULL)
		return NULL;
	foreach(lc, arms)
	{
		const NullTest *test = lfirst(lc);

		if ((OpExpr *) test == found)
			continue;
		if (!IsA(test, NullTest) || test->nulltesttype != IS_NULL)
			return NULL;
		if (same_value((Node *) test->arg, linitial(found->args)))
			*first_open = true;
		else if (same_value((Node *) test->arg, lsecond(found->args)))
			*second_open = true;
		else
			return NULL;
	}
	return found;
}

/*
 * Return the operator of an OR that is also true if an argument of the operator is
 * NULL, or NULL if the clause is something else.
 */
OpExpr *
spq_spatial_open_comparison(Node *clause)
{
	bool		first_open,
				second_open;

	return is_orclause(clause) ? find_operator(clause, &first_open, &second_open) : NULL;
}

/*
 * Take apart a comparison of values of two relations that have numbers, by the
 * default order of their type.  Return false if the condition is something else.
 */
static bool
take_comparison(PlannerInfo *root, RestrictInfo *rinfo, Comparison *comparison)
{
	bool		first_open,
				second_open;
	OpExpr	   *clause;
	Relids		left_relids = rinfo->left_relids,
				right_relids = rinfo->right_relids;
	SpqNumberKind left,
				right;
	Oid			family;
	int			strategy;
	bool		exchanged;

	if (rinfo->pseudoconstant || (!rinfo->can_join && rinfo->orclause == NULL))
		return false;
	clause = find_operator((Node *) rinfo->clause, &first_open, &second_open);
	if (clause == NULL)
		return false;
	left = spq_number_kind(exprType(linitial(clause->args)));
	right = spq_number_kind(exprType(lsecond(clause->args)));
	if (!spq_numbers_comparable(left, right))
		return false;
	family = lookup_type_cache(getBaseType(exprType(linitial(clause->args))),
							   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	strategy = get_op_opfamily_strategy(clause->opno, family);
	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber)
		return false;
	if (rinfo->orclause != NULL)
	{
		left_relids = pull_varnos(root, linitial(clause->args));
		right_relids = pull_varnos(root, lsecond(clause->args));
		if (bms_is_empty(left_relids) || bms_is_empty(right_relids) ||
			bms_overlap(left_relids, right_relids))
			return false;
	}
	exchanged = strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
	comparison->low = exchanged ? lsecond(clause->args) : linitial(clause->args);
	comparison->high = exchanged ? linitial(clause->args) : lsecond(clause->args);
	comparison->low_relids = exchanged ? right_relids : left_relids;
	comparison->high_relids = exchanged ? left_relids : right_relids;
	comparison->low_open = exchanged ? second_open : first_open;
	comparison->high_open = exchanged ? first_open : second_open;
	comparison->or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;
	comparison->kind = exchanged ? right : left;
	return true;
}

/* Return whether two comparisons bound the same side from below. */
static bool
is_alike(const Comparison *a, const Comparison *b)
{
	return bms_equal(a->low_relids, b->low_relids) && bms_equal(a->high_relids, b->high_relids);
}

/* Return whether one comparison bounds a side from below, the other one from above. */
static bool
is_opposite(const Comparison *a, const Comparison *b)
{
	return bms_equal(a->low_relids, b->high_relids) && bms_equal(a->high_relids, b->low_relids);
}

/*
 * Return the partner of a comparison, or NULL, and set *first to whether it comes
 * later.  With several intervals, the first lower bound belongs to the first
 * upper bound, and so on.
 */
static RestrictInfo *
find_partner(PlannerInfo *root, RestrictInfo *rinfo, const Comparison *comparison,
			 List *conditions, Comparison *of_partner, bool *first)
{
	int			before = 0,
				opposite = 0;
	bool		passed = false;
	RestrictInfo *partner = NULL;
	ListCell   *lc;

	/* count those like it that come before it */
	foreach(lc, conditions)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);
		Comparison	found;

		if (other == rinfo)
			break;
		if (spq_spatial_belong_together(other, rinfo) && take_comparison(root, other, &found) &&
			spq_numbers_comparable(found.kind, comparison->kind) && is_alike(&found, comparison))
			before++;
	}
	foreach(lc, conditions)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);

		passed |= other == rinfo;
		if (other != rinfo && spq_spatial_belong_together(other, rinfo) &&
			take_comparison(root, other, of_partner) &&
			spq_numbers_comparable(of_partner->kind, comparison->kind) &&
			is_opposite(of_partner, comparison) && opposite++ == before)
		{
			partner = other;
			*first = !passed;
			break;
		}
	}
	return partner;
}

/* Return what stands for a lower value that is NULL: an infinity, or 0 for no box. */
static float8
instead_of_low(const Comparison *comparison)
{
	return comparison->low_open ? -get_float8_infinity() :
		comparison->high_open ? get_float8_infinity() : 0;
}

static float8
instead_of_high(const Comparison *comparison)
{
	return comparison->high_open ? get_float8_infinity() :
		comparison->low_open ? -get_float8_infinity() : 0;
}

/*
 * Return the box of a side, from the lower value of one comparison to the higher value
 * of the other one, or NULL.
 */
static Node *
box_between(const Comparison *lower, const Comparison *upper)
{
	float8		low = instead_of_low(lower),
				high = instead_of_high(upper);

	/* a single value, of which one comparison must not be NULL */
	if ((low == 0 || high == 0) && equal(lower->low, upper->high))
		low = high = 0;
	return spq_spatial_interval_box(lower->low, upper->high, lower->or_equal, upper->or_equal, low,
									high);
}

/*
 * If a condition is the first of two comparisons that imply that intervals overlap,
 * set the boxes of these.  Otherwise return false.  "conditions" are all conditions of
 * the join, or all those of one of its relations.
 */
bool
spq_spatial_interval_line(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						  SpqSpatialLine *line)
{
	Comparison	comparison,
				of_partner;
	RestrictInfo *partner;
	bool		partner_is_first;

	if (!take_comparison(root, rinfo, &comparison))
		return false;
	partner = find_partner(root, rinfo, &comparison, conditions, &of_partner, &partner_is_first);
	if (partner == NULL || partner_is_first)
		return false;
	line->left = box_between(&comparison, &of_partner);
	line->right = box_between(&of_partner, &comparison);
	line->left_relids = comparison.low_relids;
	line->right_relids = comparison.high_relids;
	line->conditions = list_make2(rinfo, partner);
	line->clear = spq_number_is_close(comparison.kind) && spq_number_is_close(of_partner.kind);
	return line->left != NULL && line->right != NULL;
}
