/*-------------------------------------------------------------------------
 *
 * self_pairs.c
 *	  Self-joins that exclude each row's pair with itself.
 *
 * A row always overlaps and equals itself.  So people write
 *
 *		a.b && b.b AND a.id < b.id			or a.id <> b.id
 *
 * which no row satisfies with itself, whatever the column is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "estimate/join/sides.h"

/*
 * Return whether an operator is never true for a value and itself: <, > or <>.
 */
static bool
is_irreflexive(Oid opno, Oid type)
{
	const TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR |
													TYPECACHE_GT_OPR);

	return OidIsValid(opno) &&
		(opno == entry->lt_opr || opno == entry->gt_opr ||
		 (OidIsValid(entry->eq_opr) && opno == get_negator(entry->eq_opr)));
}

/*
 * Return whether a clause between two relations, which are the same table,
 * excludes each row's pair with itself.
 */
bool
spq_estimate_other_rows_only(RelOptInfo *left, RelOptInfo *right)
{
	ListCell   *lc;

	foreach(lc, left->joininfo)
	{
		const RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		const OpExpr *op = (const OpExpr *) rinfo->clause;
		const Var  *a,
				   *b;

		if (!IsA(op, OpExpr) || list_length(op->args) != 2 ||
			!IsA(linitial(op->args), Var) || !IsA(lsecond(op->args), Var))
			continue;
		a = linitial(op->args);
		b = lsecond(op->args);
		if (a->varattno == b->varattno && a->varattno > 0 &&
			(((Index) a->varno == left->relid && (Index) b->varno == right->relid) ||
			 ((Index) a->varno == right->relid && (Index) b->varno == left->relid)) &&
			is_irreflexive(op->opno, a->vartype))
			return true;
	}
	return false;
}
