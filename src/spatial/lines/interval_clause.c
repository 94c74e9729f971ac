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
 * The first of the two, in the order of the conditions of the join, stands for
 * both.  The second one is then not a spatial condition by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/nodeFuncs.h"
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
	bool		or_equal;
	SpqNumberKind kind;			/* of the lower value */
} Comparison;

/*
 * Take apart a comparison of values of two relations that have numbers, by the
 * default order of their type.  Return false if the condition is something else.
 */
static bool
take_comparison(RestrictInfo *rinfo, Comparison *comparison)
{
	OpExpr	   *clause = (OpExpr *) rinfo->clause;
	SpqNumberKind left,
				right;
	Oid			family;
	int			strategy;
	bool		exchanged;

	if (!rinfo->can_join || rinfo->pseudoconstant || !IsA(clause, OpExpr) ||
		list_length(clause->args) != 2)
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
	exchanged = strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
	comparison->low = exchanged ? lsecond(clause->args) : linitial(clause->args);
	comparison->high = exchanged ? linitial(clause->args) : lsecond(clause->args);
	comparison->low_relids = exchanged ? rinfo->right_relids : rinfo->left_relids;
	comparison->high_relids = exchanged ? rinfo->left_relids : rinfo->right_relids;
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
find_partner(RestrictInfo *rinfo, const Comparison *comparison, List *conditions,
			 Comparison *of_partner, bool *first)
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
		if (spq_spatial_belong_together(other, rinfo) && take_comparison(other, &found) &&
			spq_numbers_comparable(found.kind, comparison->kind) && is_alike(&found, comparison))
			before++;
	}
	foreach(lc, conditions)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);

		passed |= other == rinfo;
		if (other != rinfo && spq_spatial_belong_together(other, rinfo) &&
			take_comparison(other, of_partner) &&
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

/*
 * If a condition is the first of two comparisons that imply that intervals overlap,
 * set the boxes of these.  Otherwise return false.  "conditions" are all conditions of
 * the join, or all those of one of its relations.
 */
bool
spq_spatial_interval_line(RestrictInfo *rinfo, List *conditions, SpqSpatialLine *line)
{
	Comparison	comparison,
				of_partner;
	RestrictInfo *partner;
	bool		partner_is_first;

	if (!take_comparison(rinfo, &comparison))
		return false;
	partner = find_partner(rinfo, &comparison, conditions, &of_partner, &partner_is_first);
	if (partner == NULL || partner_is_first)
		return false;
	line->left = spq_spatial_interval_box(comparison.low, of_partner.high, comparison.or_equal,
										  of_partner.or_equal);
	line->right = spq_spatial_interval_box(of_partner.low, comparison.high, of_partner.or_equal,
										   comparison.or_equal);
	line->left_relids = comparison.low_relids;
	line->right_relids = comparison.high_relids;
	line->conditions = list_make2(rinfo, partner);
	line->clear = spq_number_is_close(comparison.kind) && spq_number_is_close(of_partner.kind);
	return line->left != NULL && line->right != NULL;
}
