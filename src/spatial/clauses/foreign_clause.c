/*-------------------------------------------------------------------------
 *
 * foreign_clause.c
 *	  Conditions on types of other extensions, as conditions on boxes.
 *
 * A type takes part in joins if its extension, or one that requires it, has a function
 * spqtree_bounds(type), in C, immutable, strict and parallel safe, that returns a box (or
 * box3) or NULL.  It promises that for the operators number 3, 6, 7 and 8 (&&, ~=, @>, <@)
 * of the type's default GiST class the boxes of the arguments overlap, and that a value
 * without a box satisfies none of them.  So a condition with such an operator implies one
 * of boxes:
 *
 *		a && b			implies			spqtree_bounds(a) && spqtree_bounds(b)
 *
 * and && of another class of GiST implies that of spqtree_bounds3(type), if there is one.
 *
 * A function is known by what its support function says of it.  That is asked for an
 * index condition, as if there were a GiST index on one argument:
 *
 *		ST_Intersects(a, b)		a && b
 *		ST_DWithin(a, b, r)		a && ST_Expand(b, r)	or b && ST_Expand(a, r)
 *
 * Nothing is known here of the extension itself.
 *
 * Some conditions hold without boxes: two empty geometries are equal, and with some
 * versions of PostGIS an empty one is within all others by @, and all are within it (not
 * so by ST_Within).  There a value without a box gets one that is far from all others, or
 * that overlaps them all.  A value with a box that may be the same as one without has an
 * infinite box, which overlaps the former, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "spatial/clauses/beside_type.h"
#include "spatial/clauses/default_class.h"
#include "spatial/clauses/foreign_clause.h"

/*
 * Of the pairs whose boxes are in the relation, the fraction for which a function holds.
 * Of real lines that cross 0.03, of lines and polygons that meet 0.05, of points within
 * a distance of lines 0.2, of points in polygons 0.5.  An operator is taken to be about
 * boxes.
 */
#define MEET_FRACTION	0.12
#define CONTAIN_FRACTION 0.6

/* Where values are that have no box: no geometry has coordinates of this size. */
#define NOWHERE			1e300

/* The box of a value that has none. */
typedef enum Absent
{
	ABSENT_NULL,				/* it satisfies nothing */
	ABSENT_NOWHERE,				/* it is the same as others that have none */
	ABSENT_EVERYWHERE			/* it is in all others, or they are in it */
} Absent;

/*
 * Return the function of this name that takes these types, in C, immutable, strict and
 * parallel safe, and of the extension of the first type or one that requires it, in
 * whichever schema; InvalidOid if it does not exist.  The name alone says nothing: others
 * may have taken it for functions that promise less.
 */
Oid
spq_spatial_find_function(const char *name, int nargs, const Oid *types, Oid result_type)
{
	CatCList   *list = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	Oid			found = InvalidOid;

	for (int i = 0; i < list->n_members && !OidIsValid(found); i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->prolang == ClanguageId && proc->pronargs == nargs &&
			memcmp(proc->proargtypes.values, types, nargs * sizeof(Oid)) == 0 &&
			(!OidIsValid(result_type) || proc->prorettype == result_type) &&
			proc->provolatile == PROVOLATILE_IMMUTABLE && proc->proisstrict &&
			proc->proparallel == PROPARALLEL_SAFE && !proc->proretset &&
			spq_spatial_is_beside_type(proc->oid, types[0]))
			found = proc->oid;
	}
	ReleaseSysCacheList(list);
	return found;
}

/*
 * Return the function in SQL spqtree_f_within that takes the arguments of a function f and
 * another one, and says what is implied by a condition on its result; InvalidOid if it does
 * not exist beside the type of the first argument.
 */
Oid
spq_spatial_sql_function(const char *f, int nargs, const Oid *types, Oid last)
{
	CatCList   *list = SearchSysCacheList1(PROCNAMEARGSNSP,
										   CStringGetDatum(psprintf("spqtree_%s_within", f)));
	Oid			found = InvalidOid;

	for (int i = 0; i < list->n_members && !OidIsValid(found); i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->prolang == SQLlanguageId && proc->pronargs == nargs + 1 &&
			memcmp(proc->proargtypes.values, types, nargs * sizeof(Oid)) == 0 &&
			proc->proargtypes.values[nargs] == last &&
			proc->prorettype == BOOLOID && proc->provolatile == PROVOLATILE_IMMUTABLE &&
			spq_spatial_is_beside_type(proc->oid, types[0]))
			found = proc->oid;
	}
	ReleaseSysCacheList(list);
	return found;
}

/* As spq_spatial_find_function(), InvalidOid also if the user may not call it. */
Oid
spq_spatial_trusted_function(const char *name, int nargs, const Oid *types, Oid result_type)
{
	Oid			found = spq_spatial_find_function(name, nargs, types, result_type);

	if (OidIsValid(found) && spq_function_aclcheck(found, GetUserId()) != ACLCHECK_OK)
		return InvalidOid;
	return found;
}

/*
 * Return the function that returns the box of a type, or that of all within a
 * distance; InvalidOid if there is none.
 */
Oid
spq_spatial_bounds_function(Oid type, bool distance)
{
	Oid			types[] = {type, FLOAT8OID};

	return type < FirstNormalObjectId ? InvalidOid :
		spq_spatial_trusted_function(SPQ_SPATIAL_BOUNDS, distance ? 2 : 1, types, InvalidOid);
}

/* Return the function that returns the box in space of a type that has another one. */
static Oid
bounds3_function(Oid type)
{
	return type < FirstNormalObjectId ? InvalidOid :
		spq_spatial_trusted_function(SPQ_SPATIAL_BOUNDS3, 1, &type, InvalidOid);
}

/*
 * Return whether a function is one that returns the box of a type of another extension,
 * or of what a function of that extension returns.
 */
bool
spq_spatial_is_bounds(Oid function)
{
	Oid		   *types;
	int			nargs;
	char	   *name = get_func_name(function);

	if (name == NULL || strncmp(name, SPQ_SPATIAL_BOUNDS, strlen(SPQ_SPATIAL_BOUNDS)) != 0)
		return false;
	(void) get_func_signature(function, &types, &nargs);
	if (strcmp(name, SPQ_SPATIAL_BOUNDS3) == 0)
		return nargs == 1 && bounds3_function(types[0]) == function;
	if (strcmp(name, SPQ_SPATIAL_BOUNDS) == 0)
		return (nargs == 1 || nargs == 2) &&
			spq_spatial_bounds_function(types[0], nargs == 2) == function;
	return nargs > 0 && types[0] >= FirstNormalObjectId &&
		spq_spatial_trusted_function(name, nargs, types, InvalidOid) == function;
}

/* Return whether a function is spqtree_bounds() itself. */
bool
spq_spatial_is_plain_bounds(Oid function)
{
	char	   *name = get_func_name(function);

	return name != NULL && strcmp(name, SPQ_SPATIAL_BOUNDS) == 0;
}

/*
 * If a call asks for the box of what a function returns, and there is a function that
 * returns about that box without calling it, return a call of the latter; else NULL:
 *
 *		spqtree_bounds(f(a, ...))		spqtree_bounds_f(a, ...)
 *		spqtree_bounds(f(a, ...), d)	spqtree_bounds_f(a, ..., d)
 */
FuncExpr *
spq_spatial_bounds_without_call(const FuncExpr *bounds)
{
	const FuncExpr *called = linitial(bounds->args);
	Oid			types[FUNC_MAX_ARGS];
	List	   *args;
	ListCell   *lc;
	int			nargs = 0;
	char	   *name;
	Oid			function;

	if (!IsA(called, FuncExpr) || called->funcretset || called->args == NIL ||
		called->funcid < FirstNormalObjectId || !spq_spatial_is_plain_bounds(bounds->funcid))
		return NULL;
	args = list_concat_copy(called->args, list_copy_tail(bounds->args, 1));
	name = get_func_name(called->funcid);
	if (name == NULL || list_length(args) > FUNC_MAX_ARGS)
		return NULL;
	foreach(lc, args)
		types[nargs++] = exprType(lfirst(lc));
	if (types[0] < FirstNormalObjectId)
		return NULL;
	function = spq_spatial_trusted_function(psprintf(SPQ_SPATIAL_BOUNDS "_%s", name), nargs,
											types, bounds->funcresulttype);
	return OidIsValid(function) ?
		makeFuncExpr(function, bounds->funcresulttype, args, InvalidOid, InvalidOid,
					 COERCE_EXPLICIT_CALL) : NULL;
}

/* Functions of PostGIS that make a point of any numbers, and raise no error. */
static const char *const makers[] = {"st_makepoint", "st_point", "st_setsrid"};

/*
 * Return whether a function makes a value of a type with bounds, whatever its arguments
 * are: one of a few, of the extension of its result's type.
 */
bool
spq_spatial_is_maker(Oid function)
{
	char	   *name = get_func_name(function);
	Oid			type = InvalidOid;

	for (size_t i = 0; name != NULL && i < lengthof(makers); i++)
		if (strcmp(name, makers[i]) == 0)
			type = get_func_rettype(function);
	return OidIsValid(type) && OidIsValid(spq_spatial_bounds_function(type, false)) &&
		getExtensionOfObject(ProcedureRelationId, function) ==
		getExtensionOfObject(TypeRelationId, type) &&
		spq_function_aclcheck(function, GetUserId()) == ACLCHECK_OK;
}

/* Return the family of a type's default GiST class, or InvalidOid. */
static Oid
gist_family(Oid type)
{
	Oid			opclass = spq_spatial_default_class(type, GIST_AM_OID);

	return OidIsValid(opclass) ? get_opclass_family(opclass) : InvalidOid;
}

/*
 * Return a box, or another one if there is none although the argument is not null:
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
 * If an argument is what a support function has made of the arguments of its function,
 * a value and a distance, then it stands for all within the distance: return the two.
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
 * Return the box of an argument, as an expression; NULL if its type has none.  "asked"
 * is the function whose support function has made the condition, or NULL.
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
		function = in_space ? bounds3_function(exprType(arg)) :
			spq_spatial_bounds_function(exprType(arg), false);
	}
	if (!OidIsValid(function))
		return NULL;
	bounds = (Expr *) makeFuncExpr(function, get_func_rettype(function), args, InvalidOid,
								   InvalidOid, COERCE_EXPLICIT_CALL);
	return absent != ABSENT_NULL && exprType((Node *) bounds) == BOXOID ?
		or_absent(bounds, arg, absent) : bounds;
}

/* Return the operator && of two boxes of a type, or InvalidOid. */
static Oid
overlap_operator(Oid box_type)
{
	Oid			am = box_type == BOXOID ? GIST_AM_OID : get_am_oid("spqtree", true),
				opclass = OidIsValid(am) ? spq_spatial_default_class(box_type, am) : InvalidOid;

	return OidIsValid(opclass) ?
		get_opfamily_member(get_opclass_family(opclass), box_type, box_type,
							RTOverlapStrategyNumber) : InvalidOid;
}

/*
 * Describe what an operator with this strategy number, or a function that implies it,
 * says of the boxes.  Return false if nothing.
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

/* Tell what stands for a box that is absent. */
static Absent
absent_box(int strategy, bool is_operator)
{
	if (strategy == RTSameStrategyNumber)
		return ABSENT_NOWHERE;
	return is_operator && strategy != RTOverlapStrategyNumber ?
		ABSENT_EVERYWHERE : ABSENT_NULL;
}

/*
 * Return whether an operator is && of a class of GiST that is not the default, which is
 * taken to be about boxes in space.
 */
static bool
is_overlap_in_space(Oid opno)
{
	CatCList   *families = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(opno));
	bool		found = false;

	for (int i = 0; i < families->n_members && !found; i++)
	{
		Form_pg_amop op = (Form_pg_amop) GETSTRUCT(&families->members[i]->tuple);

		found = op->amopmethod == GIST_AM_OID && op->amopstrategy == RTOverlapStrategyNumber;
	}
	ReleaseSysCacheList(families);
	return found;
}

/*
 * If an operator is one of a type with bounds, return the condition of the boxes, and
 * describe it; else NULL.
 */
static OpExpr *
implied_by_operator(const OpExpr *clause, const FuncExpr *asked, SpqSpatialOperator *op)
{
	Oid			family,
				overlaps;
	int			strategy;
	bool		in_space;
	Absent		absent;
	Expr	   *left,
			   *right;
	OpExpr	   *implied;

	if (clause->opno < FirstNormalObjectId || list_length(clause->args) != 2 ||
		!op_strict(clause->opno))
		return NULL;
	family = gist_family(exprType(linitial(clause->args)));
	strategy = OidIsValid(family) ? get_op_opfamily_strategy(clause->opno, family) : 0;
	in_space = strategy == 0;
	if (in_space)
	{
		if (!is_overlap_in_space(clause->opno))
			return NULL;
		strategy = RTOverlapStrategyNumber;
	}
	absent = absent_box(strategy, asked == NULL);
	left = bounds_of(linitial(clause->args), asked, in_space, absent);
	right = bounds_of(lsecond(clause->args), asked, in_space, absent);
	if (left == NULL || right == NULL || exprType((Node *) left) != exprType((Node *) right))
		return NULL;
	overlaps = overlap_operator(exprType((Node *) left));
	if (!OidIsValid(overlaps) || !spq_spatial_operator(overlaps, op) ||
		!describe_strategy(strategy, asked == NULL, op))
		return NULL;
	implied = (OpExpr *) make_opclause(overlaps, BOOLOID, false, left, right, InvalidOid,
									   InvalidOid);
	set_opfuncid(implied);
	return implied;
}

/*
 * Ask a function's support function for an index condition on one of its arguments.
 * It may want to see the index; it gets one that has nothing but a relation.
 */
static OpExpr *
ask_support(PlannerInfo *root, FuncExpr *func, Oid support, int indexarg)
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

/* Return whether an expression is a box of this argument, maybe made larger. */
static bool
is_box_of(Node *box, Node *arg)
{
	if (IsA(box, CoalesceExpr))
		box = linitial(((CoalesceExpr *) box)->args);
	return equal(linitial(((FuncExpr *) box)->args), arg);
}

/*
 * Return the index conditions that a function of another extension implies, one for each
 * of its first two arguments for which there is one.
 */
List *
spq_spatial_foreign_conditions(PlannerInfo *root, Node *clause)
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
		OpExpr	   *condition = ask_support(root, func, support, arg);

		if (condition)
			conditions = lappend(conditions, condition);
	}
	return conditions;
}

/*
 * Return whether a function of two values is true only where they have a point in common, as
 * far as its support function tells: it implies that the boxes overlap, or one contains the
 * other, and not merely that they are the same.
 */
bool
spq_spatial_foreign_meets(PlannerInfo *root, Node *clause)
{
	List	   *conditions = spq_spatial_foreign_conditions(root, clause);
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
 * If a condition is one of a type of another extension, return what it implies of the
 * boxes, as "a && b", and describe that operator; else NULL.
 */
OpExpr *
spq_spatial_foreign_clause(PlannerInfo *root, Node *clause, SpqSpatialOperator *op)
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
		condition = ask_support(root, func, support, arg);
		implied = condition ? implied_by_operator(condition, func, op) : NULL;
		if (implied && !bms_overlap(pull_varnos(root, linitial(implied->args)),
									pull_varnos(root, lsecond(implied->args))))
		{
			op->condition = func->funcid;
			op->exchanged = is_box_of(linitial(implied->args), lsecond(func->args));
			return implied;
		}
	}
	return NULL;
}
