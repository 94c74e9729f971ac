/*-------------------------------------------------------------------------
 *
 * refusals.c
 *	  Why a condition cannot be the key of a spatial hash join, and what to write
 *	  instead.
 *
 * The join node knows most reasons (reasons/reasons.h).  A condition that implies
 * nothing about boxes of both sides is looked at here, by its form.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "advise/about/lines.h"
#include "range/number.h"
#include "spatial/lines/interval_clause.h"

/* Return whether a clause is <, <=, > or >= of two values. */
static bool
is_inequality(const Node *clause)
{
	RegProcedure estimator;

	if (!IsA(clause, OpExpr) || list_length(((const OpExpr *) clause)->args) != 2)
		return false;
	estimator = get_oprrest(((const OpExpr *) clause)->opno);
	return estimator == F_SCALARLTSEL || estimator == F_SCALARLESEL ||
		estimator == F_SCALARGTSEL || estimator == F_SCALARGESEL;
}

/* Return whether the values that an inequality compares are numbers to the joins of intervals. */
static bool
compares_numbers(const OpExpr *clause)
{
	return spq_numbers_comparable(spq_number_kind(exprType(linitial(clause->args))),
								  spq_number_kind(exprType(lsecond(clause->args))));
}

static bool
has_infinity(Oid type)
{
	switch (getBaseType(type))
	{
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
			return true;
		default:
			return false;
	}
}

/*
 * Return whether a clause chooses one of two pairs of a self-join, as a.id < b.id does.
 * Points in time are compared for other reasons, too.
 */
static bool
chooses_pair(PlannerInfo *root, const OpExpr *clause)
{
	const Var  *left = linitial(clause->args);
	const Var  *right = lsecond(clause->args);
	RegProcedure estimator = get_oprrest(clause->opno);

	return IsA(left, Var) && IsA(right, Var) && left->varattno == right->varattno &&
		(estimator == F_SCALARLTSEL || estimator == F_SCALARGTSEL) && !has_infinity(left->vartype) &&
		OidIsValid(planner_rt_fetch(left->varno, root)->relid) &&
		planner_rt_fetch(left->varno, root)->relid == planner_rt_fetch(right->varno, root)->relid;
}

/* Whether a condition of a join is about extent, so that a user expects the join. */
static bool
is_about_extent(PlannerInfo *root, Node *clause)
{
	if (is_orclause(clause) || is_andclause(clause) || is_notclause(clause))
	{
		ListCell   *lc;

		foreach(lc, ((BoolExpr *) clause)->args)
			if (is_about_extent(root, lfirst(lc)))
			return true;
		return false;
	}
	if (is_inequality(clause))
		return !chooses_pair(root, (OpExpr *) clause);
	return spq_advise_is_spatial(clause);
}

bool
spq_advise_concerns(PlannerInfo *root, const SpqReasonClause *clause)
{
	return clause->reason == SPQ_REASON_KEY ||
		(clause->reason != SPQ_REASON_HASH && is_about_extent(root, clause->clause));
}

/*
 * Return the arms of an OR as parts of UNION ALL, so that each row comes once:
 *
 *		inner join	WHERE a				WHERE b AND a IS NOT TRUE
 *		semi join	WHERE EXISTS a		WHERE EXISTS b AND NOT EXISTS a
 *
 * Those of an anti join are conditions of the same query.  Return NULL for other outer
 * joins: a row that has no partner by one arm may have one by another.
 */
static char *
each_arm(SpqReasons *reasons, PlannerInfo *root, JoinType jointype, List *arms)
{
	StringInfoData text ,
				before;
	ListCell   *lc;

	if (jointype != JOIN_INNER && jointype != JOIN_SEMI && jointype != JOIN_ANTI)
		return NULL;
	initStringInfo(&text);
	initStringInfo(&before);
	foreach(lc, arms)
	{
		char	   *arm = spq_advise_text(reasons, root, lfirst(lc));

		if (jointype == JOIN_ANTI)
		{
			appendStringInfo(&text, "%s NOT EXISTS (SELECT ... WHERE %s)",
							 text.len > 0 ? " AND" : "SELECT ... WHERE", arm);
			continue;
		}
		if (text.len > 0)
			appendStringInfoString(&text, " UNION ALL ");
		if (jointype == JOIN_SEMI)
		{
			appendStringInfo(&text, "SELECT ... WHERE EXISTS (SELECT ... WHERE %s)%s", arm, before.data);
			appendStringInfo(&before, " AND NOT EXISTS (SELECT ... WHERE %s)", arm);
		}
		else
		{
			appendStringInfo(&text, "SELECT ... WHERE (%s)%s", arm, before.data);
			appendStringInfo(&before, " AND (%s) IS NOT TRUE", arm);
		}
	}
	return text.data;
}

/*
 * Return the form of NOT ST_Disjoint(a, b), which is true of pairs that meet, or NULL if
 * the clause is something else.
 */
static char *
not_disjoint(SpqReasons *reasons, PlannerInfo *root, Node *clause)
{
	FuncExpr   *call = (FuncExpr *) get_notclausearg((Expr *) clause);
	const char *name,
			   *extension;
	Oid			types[2],
				function;

	if (!IsA(call, FuncExpr) || list_length(call->args) != 2)
		return NULL;
	name = get_func_name(call->funcid);
	types[0] = exprType(linitial(call->args));
	types[1] = exprType(lsecond(call->args));
	extension = spq_advise_extension(types[0]);
	if (name == NULL || strcmp(name, "st_disjoint") != 0 ||
		extension == NULL || strcmp(extension, "postgis") != 0)
		return NULL;
	function = LookupFuncName(list_make2(makeString(get_namespace_name(get_func_namespace(call->funcid))),
										 makeString("st_intersects")), 2, types, true);
	if (!OidIsValid(function))
		return NULL;
	call = copyObject(call);
	call->funcid = function;
	return psprintf("SELECT ... WHERE %s", spq_advise_text(reasons, root, (Node *) call));
}

/* Return whether an argument of the clause has columns of both sides of the join. */
static bool
mixes_sides(PlannerInfo *root, Node *clause)
{
	Relids		all = pull_varnos(root, clause);
	List	   *args = IsA(clause, OpExpr) ? ((OpExpr *) clause)->args :
		IsA(clause, FuncExpr) ? ((FuncExpr *) clause)->args : NIL;
	ListCell   *lc;

	foreach(lc, args)
		if (bms_num_members(all) > 1 && bms_equal(pull_varnos(root, lfirst(lc)), all))
		return true;
	return false;
}

/* Say why a condition implies nothing about boxes of both sides. */
static void
by_form(SpqReasons *reasons, const SpqReasonJoin *join, const SpqReasonClause *of_join, char **finding,
		char **advice)
{
	PlannerInfo *root = join->root;
	Node	   *clause = of_join->clause,
			   *comparison = (Node *) spq_spatial_open_comparison(clause);
	char	   *companion = spq_advise_companion(clause);

	/* the OR of an open end is as good as the comparison */
	if (comparison != NULL && is_inequality(comparison))
		clause = comparison;

	if (companion)
	{
		*finding = psprintf("its types are joined by %s, which is not in this database", companion);
		*advice = psprintf("CREATE EXTENSION %s", companion);
	}
	else if (is_orclause(clause) && join->arms_cost >= 0)
		*finding = psprintf("an OR is no key; a join for each of its arms would cost %.0f", join->arms_cost);
	else if (is_orclause(clause))
	{
		List	   *arms = ((BoolExpr *) clause)->args;

		if ((*advice = each_arm(reasons, root, of_join->jointype, arms)) != NULL)
			*finding = "an OR is no key; each of its arms can be one, in a join of its own";
		else
			*finding = "an OR is no key, and an outer join cannot be divided into one for each arm";
	}
	else if (is_notclause(clause) && (*advice = not_disjoint(reasons, root, clause)) != NULL)
		*finding = "a negation is no key; the function for pairs that meet can be one";
	else if (is_notclause(clause))
		*finding = "a negation is true of pairs that are far apart";
	else if (mixes_sides(root, clause))
		*finding = "an argument has columns of both sides";
	else if (is_inequality(clause) && !compares_numbers((OpExpr *) clause))
		*finding = psprintf("values of type %s are no numbers, of which intervals are made",
							format_type_be(exprType(linitial(((OpExpr *) clause)->args))));
	else if (is_inequality(clause))
		*finding = "bounds one end; together with a condition on the other end it would be a key";
	else
		*finding = "is true of pairs that are far apart, or nothing is known of it";
}

/* Add the line of a condition that is no key. */
void
spq_advise_refusal(SpqReasons *reasons, const SpqReasonJoin *join, const SpqReasonClause *clause)
{
	char	   *finding = NULL,
			   *advice = NULL;

	switch (clause->reason)
	{
		case SPQ_REASON_KEY:
		case SPQ_REASON_HASH:
			return;
		case SPQ_REASON_FILTER:
			finding = "filters the result of an outer join; only conditions in ON can be a key";
			break;
		case SPQ_REASON_SECURITY:
			finding = "row security or a security barrier is evaluated first, since its function is not leakproof";
			break;
		case SPQ_REASON_VOLATILE:
			finding = "has a volatile function, which must run for each pair";
			break;
		case SPQ_REASON_SUBQUERY:
			finding = "has a subquery; join that in FROM";
			break;
		case SPQ_REASON_RIGHTS:
			finding = "you may not execute the function that computes its boxes";
			break;
		case SPQ_REASON_NO_KEY:
			by_form(reasons, join, clause, &finding, &advice);
			break;
	}
	spq_advise_add(reasons, InvalidOid, spq_advise_object("condition", reasons, join->root, clause->clause),
				   finding, advice);
}
