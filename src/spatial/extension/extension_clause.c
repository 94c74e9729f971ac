/*-------------------------------------------------------------------------
 *
 * extension_clause.c
 *	  Conditions on types of other extensions, as conditions on boxes.
 *
 * The descriptor of such a type (types/type.h) names a function that returns the
 * box of a value, or NULL (member.c).  It guarantees that the boxes of the
 * arguments overlap wherever operator number 3, 6, 7 or 8 (&&, ~=, @>, <@) of
 * the type's default class is true; values without a box are described below.
 * So a condition with one of these operators implies a condition on boxes:
 *
 *		a && b			implies			spqtree_bounds(a) && spqtree_bounds(b)
 *
 * Likewise, && of a class that is not the default implies && of the boxes in
 * space, if the descriptor has a second one.
 *
 * The support function of a function tells what the function implies.  It is
 * asked for an index condition, as if one argument had a GiST index:
 *
 *		ST_Intersects(a, b)		a && b
 *		ST_DWithin(a, b, r)		a && ST_Expand(b, r)	or b && ST_Expand(a, r)
 *
 * Nothing here is specific to an extension.
 *
 * A value without a box satisfies no &&. Some other conditions are true for
 * it: two empty geometries are equal, and with some versions of PostGIS an
 * empty one is within all others by @, and all are within it (but not by
 * ST_Within).  For these, a value without a box gets one that is far from all
 * others, or one that overlaps all.  A value that has a box, but may equal one
 * without, has an infinite box, which overlaps the far one, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/catcache.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/extension/member.h"
#include "types/default_class.h"

/*
 * The fraction of the pairs in the relation of boxes for which a function is
 * true.  Measured: 0.03 for lines that cross, 0.05 for lines and polygons that
 * meet, 0.2 for points within a distance of lines, 0.5 for points in polygons.
 * An operator is taken to compare boxes.
 */
#define MEET_FRACTION	0.12
#define CONTAIN_FRACTION 0.6

/*
 * Where values without a box are put: no geometry has coordinates of this
 * size.
 */
#define NOWHERE			1e300

/* The box to use for a value without a box. */
typedef enum Absent
{
	ABSENT_NULL,				/* it satisfies no condition */
	ABSENT_NOWHERE,				/* it equals others without a box */
	ABSENT_EVERYWHERE			/* it is within all others, or they are within
								 * it */
} Absent;

/* Return the family of a type's default GiST class, or InvalidOid. */
static Oid
gist_family(Oid type)
{
	Oid			opclass = spq_type_default_class(type, GIST_AM_OID);

	return OidIsValid(opclass) ? get_opclass_family(opclass) : InvalidOid;
}

/*
 * Return an expression for a box, or another box if that is NULL although the
 * argument is not:
 *
 *		COALESCE(bounds, CASE WHEN arg IS NOT NULL THEN absent END)
 */
static Expr *
or_absent(Expr *bounds, Node *arg, Absent absent)
{
	CoalesceExpr *coalesce = makeNode(CoalesceExpr);
	CaseExpr   *instead = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);
	NullTest   *test = makeNode(NullTest);
	float8		low = absent == ABSENT_NOWHERE ? NOWHERE : -get_float8_infinity(),
				high = absent == ABSENT_NOWHERE ? NOWHERE : get_float8_infinity();
	BOX		   *box = palloc(sizeof(BOX));

	box->high.x = box->high.y = high;
	box->low.x = box->low.y = low;
	test->arg = (Expr *) arg;
	test->nulltesttype = IS_NOT_NULL;
	test->location = -1;
	when->expr = (Expr *) test;
	when->result = (Expr *) makeConst(BOXOID, -1, InvalidOid, sizeof(BOX), BoxPGetDatum(box),
									  false, false);
	when->location = -1;
	instead->casetype = BOXOID;
	instead->args = list_make1(when);
	instead->defresult = (Expr *) makeNullConst(BOXOID, -1, InvalidOid);
	instead->location = -1;
	coalesce->coalescetype = BOXOID;
	coalesce->args = list_make2(bounds, instead);
	coalesce->location = -1;
	return (Expr *) coalesce;
}

/*
 * If an argument is a call that a support function has made from a value and a
 * distance, both arguments of its own function, it stands for everything
 * within that distance of the value.  Return the two arguments; else NIL.
 */
static List *
value_and_distance(Node *arg, const FuncExpr *asked)
{
	FuncExpr   *func = (FuncExpr *) arg;

	if (asked == NULL || !IsA(arg, FuncExpr) || list_length(func->args) != 2 ||
		exprType(lsecond(func->args)) != FLOAT8OID ||
		list_member(asked->args, arg) ||
		!list_member(asked->args, linitial(func->args)) ||
		!list_member(asked->args, lsecond(func->args)))
		return NIL;
	return func->args;
}

/*
 * Return an expression for the box of an argument, or NULL if its type has
 * none.  "asked" is the function whose support function has made the
 * condition, or NULL.
 */
static Expr *
bounds_of(Node *arg, const FuncExpr *asked, bool in_space, Absent absent)
{
	List	   *args = value_and_distance(arg, asked);
	Oid			function = InvalidOid;
	Expr	   *bounds;

	if (args)
		function = spq_spatial_bounds_function(exprType(arg), true);
	if (!OidIsValid(function))
	{
		args = list_make1(arg);
		function = in_space ? spq_spatial_bounds3_function(exprType(arg)) :
			spq_spatial_bounds_function(exprType(arg), false);
	}
	if (!OidIsValid(function))
		return NULL;
	bounds = (Expr *) makeFuncExpr(function, get_func_rettype(function), args, InvalidOid,
								   InvalidOid, COERCE_EXPLICIT_CALL);
	return absent != ABSENT_NULL && exprType((Node *) bounds) == BOXOID ?
		or_absent(bounds, arg, absent) : bounds;
}

/* Return the operator && of a type of boxes, or InvalidOid. */
Oid
spq_spatial_overlap_operator(Oid box_type)
{
	Oid			am = box_type == BOXOID ? GIST_AM_OID : get_am_oid("spqtree", true),
				opclass = OidIsValid(am) ? spq_type_default_class(box_type, am) : InvalidOid;

	return OidIsValid(opclass) ?
		get_opfamily_member(get_opclass_family(opclass), box_type, box_type,
							RTOverlapStrategyNumber) : InvalidOid;
}

/*
 * Describe the relation of boxes that an operator with this strategy number
 * implies, or a function that implies the operator.  Return false if there is
 * none.
 */
static bool
describe_strategy(int strategy, bool is_operator, SpqSpatialOperator *op)
{
	op->exact = false;
	op->fraction = is_operator ? 1 : CONTAIN_FRACTION;
	switch (strategy)
	{
		case RTOverlapStrategyNumber:
			op->fraction = is_operator ? 1 : MEET_FRACTION;
			return true;
		case RTSameStrategyNumber:
			op->relation = SPQ_BOX_SAME;
			return true;
		case RTContainsStrategyNumber:
			op->relation = SPQ_BOX_CONTAINS;
			return true;
		case RTContainedByStrategyNumber:
			op->relation = SPQ_BOX_CONTAINED;
			return true;
		default:
			return false;
	}
}

/* Return how to treat an argument without a box. */
static Absent
absent_box(int strategy, bool is_operator)
{
	if (strategy == RTSameStrategyNumber)
		return ABSENT_NOWHERE;
	return is_operator && strategy != RTOverlapStrategyNumber ?
		ABSENT_EVERYWHERE : ABSENT_NULL;
}

/*
 * Return the strategy number of an operator in the default class of a type.  If it
 * is && of another class, that is taken to be the one in space.  Return 0 if it is
 * neither.
 */
static int
strategy_of(Oid opno, Oid type, bool *in_space)
{
	Oid			am;
	int			strategy;
	CatCList   *families;

	if (spq_spatial_member_type(type) == NULL)
		return 0;
	am = get_am_oid("spqtree", false);
	strategy = get_op_opfamily_strategy(opno, get_opclass_family(spq_type_default_class(type, am)));
	*in_space = strategy == 0;
	if (strategy != 0)
		return strategy;
	families = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(opno));
	for (int i = 0; i < families->n_members && strategy == 0; i++)
	{
		Form_pg_amop op = (Form_pg_amop) GETSTRUCT(&families->members[i]->tuple);

		if (op->amopmethod == am && op->amopstrategy == RTOverlapStrategyNumber)
			strategy = RTOverlapStrategyNumber;
	}
	ReleaseSysCacheList(families);
	return strategy;
}

/*
 * If an operator belongs to a class of a type with bounds, return the condition on boxes
 * that it implies, and describe it; else NULL.  "asked" is as in bounds_of().
 */
static OpExpr *
implied_by_operator(const OpExpr *clause, const FuncExpr *asked, SpqSpatialOperator *op)
{
	Oid			overlaps;
	int			strategy;
	bool		in_space;
	Absent		absent;
	Expr	   *left,
			   *right;
	OpExpr	   *implied;

	if (clause->opno < FirstNormalObjectId || list_length(clause->args) != 2 ||
		!op_strict(clause->opno))
		return NULL;
	strategy = strategy_of(clause->opno, exprType(linitial(clause->args)), &in_space);
	if (strategy == 0)
		return NULL;
	absent = absent_box(strategy, asked == NULL);
	left = bounds_of(linitial(clause->args), asked, in_space, absent);
	right = bounds_of(lsecond(clause->args), asked, in_space, absent);
	if (left == NULL || right == NULL || exprType((Node *) left) != exprType((Node *) right))
		return NULL;
	overlaps = spq_spatial_overlap_operator(exprType((Node *) left));
	if (!OidIsValid(overlaps) || !spq_spatial_operator(overlaps, op) ||
		!describe_strategy(strategy, asked == NULL, op))
		return NULL;
	implied = (OpExpr *) make_opclause(overlaps, BOOLOID, false, left, right, InvalidOid,
									   InvalidOid);
	set_opfuncid(implied);
	return implied;
}

/*
 * Ask a function's support function for an index condition on one of its
 * arguments.  Return NULL unless the answer is a single operator.
 *
 * The support function may read the index, so it gets one with the least that
 * it may need: relation, access method and one column.  If both arguments may be of
 * one row ("of_row"), the relation gets no number, as if the other argument were not of
 * it.
 */
static OpExpr *
ask_support(PlannerInfo *root, FuncExpr *func, Oid support, int indexarg, bool of_row)
{
	SupportRequestIndexCondition request = {.type = T_SupportRequestIndexCondition};
	IndexOptInfo *index = makeNode(IndexOptInfo);
	Node	   *arg = list_nth(func->args, indexarg);
	List	   *conditions;

	request.opfamily = gist_family(exprType(arg));
	if (!OidIsValid(request.opfamily))
		return NULL;
	index->rel = makeNode(RelOptInfo);
	index->rel->relids = pull_varnos(root, arg);
	if (!of_row)
		(void) bms_get_singleton_member(index->rel->relids, (int *) &index->rel->relid);
	index->relam = GIST_AM_OID;
	index->ncolumns = index->nkeycolumns = 1;
	index->opfamily = palloc0(2 * sizeof(Oid));
	index->opfamily[0] = request.opfamily;
	index->indexcollations = palloc0(sizeof(Oid));
	request.root = root;
	request.funcid = func->funcid;
	request.node = (Node *) func;
	request.indexarg = indexarg;
	request.index = index;
	request.indexcol = 0;
	request.indexcollation = func->inputcollid;
	request.lossy = true;
	conditions = (List *) DatumGetPointer(OidFunctionCall1(support, PointerGetDatum(&request)));
	if (list_length(conditions) != 1 || !IsA(linitial(conditions), OpExpr))
		return NULL;
	return linitial(conditions);
}

/* Return whether a box, as made by bounds_of(), is that of this argument. */
static bool
is_box_of(Node *box, Node *arg)
{
	if (IsA(box, CoalesceExpr))
		box = linitial(((CoalesceExpr *) box)->args);
	return equal(linitial(((FuncExpr *) box)->args), arg);
}

/*
 * Return the index conditions that a function of another extension implies: at
 * most one for each of its first two arguments.
 */
List *
spq_spatial_extension_conditions(PlannerInfo *root, Node *clause)
{
	FuncExpr   *func = (FuncExpr *) clause;
	List	   *conditions = NIL;
	Oid			support;

	if (!IsA(clause, FuncExpr) || list_length(func->args) < 2 || func->funcretset ||
		!func_strict(func->funcid) ||
		!OidIsValid(support = get_func_support(func->funcid)))
		return NIL;
	for (int arg = 0; arg < 2; arg++)
	{
		OpExpr	   *condition = ask_support(root, func, support, arg, false);

		if (condition)
			conditions = lappend(conditions, condition);
	}
	return conditions;
}

/*
 * Return whether a function of two values is true only if they have a point in
 * common, as far as its support function tells: it implies that the boxes
 * overlap or that one contains the other, not merely that they are the same.
 */
bool
spq_spatial_extension_meets(PlannerInfo *root, Node *clause)
{
	List	   *conditions = spq_spatial_extension_conditions(root, clause);
	const OpExpr *condition = conditions != NIL ? linitial(conditions) : NULL;
	Oid			family = condition ? gist_family(exprType(linitial(condition->args))) : InvalidOid;

	if (!OidIsValid(family))
		return false;
	switch (get_op_opfamily_strategy(condition->opno, family))
	{
		case RTOverlapStrategyNumber:
		case RTContainsStrategyNumber:
		case RTContainedByStrategyNumber:
			return true;
		default:
			return false;
	}
}

/*
 * If a condition is on types of another extension, return the condition on
 * boxes that it implies, as "a && b", and describe that operator.  Otherwise
 * return NULL.  A distance enlarges the argument of which the box then belongs to
 * one of "sides", those of the join; NULL if that is not known.  They are the same for
 * a condition on one row.
 */
OpExpr *
spq_spatial_extension_clause(PlannerInfo *root, Node *clause, const SpqSpatialSides *sides,
							 SpqSpatialOperator *op)
{
	FuncExpr   *func = (FuncExpr *) clause;
	Oid			support;

	if (IsA(clause, OpExpr))
		return implied_by_operator((OpExpr *) clause, NULL, op);
	if (!IsA(clause, FuncExpr) || func->funcid < FirstNormalObjectId ||
		list_length(func->args) < 2 || func->funcretset || !func_strict(func->funcid) ||
		!OidIsValid(support = get_func_support(func->funcid)))
		return NULL;
	for (int arg = 0; arg < 2; arg++)
	{
		OpExpr	   *condition,
				   *implied;

		if (!OidIsValid(spq_spatial_bounds_function(exprType(list_nth(func->args, arg)), false)))
			return NULL;
		condition = ask_support(root, func, support, arg,
								sides != NULL && sides->left == sides->right);
		implied = condition ? implied_by_operator(condition, func, op) : NULL;
		if (implied && spq_spatial_joins_sides(sides, pull_varnos(root, linitial(implied->args)),
											   pull_varnos(root, lsecond(implied->args))))
		{
			op->condition = func->funcid;
			op->exchanged = is_box_of(linitial(implied->args), lsecond(func->args));
			return implied;
		}
	}
	return NULL;
}
