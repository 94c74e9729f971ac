/*-------------------------------------------------------------------------
 *
 * srids.c
 *	  Conditions that compare coordinates of two systems.
 *
 * The type modifier of a column of PostGIS says its SRID: geometry(Point,4326).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "advise/about/lines.h"

/* Return the SRID of an expression, or 0 if its type does not say it. */
static int
srid_of(Node *expr)
{
	Oid			type = exprType(expr);
	const char *extension = spq_advise_extension(type),
			   *comma;

	if (extension == NULL || strcmp(extension, "postgis") != 0)
		return 0;
	comma = strrchr(format_type_with_typemod(type, exprTypmod(expr)), ',');
	return comma ? atoi(comma + 1) : 0;
}

/* Return an expression of another system's coordinates, or NULL. */
static Node *
transform(Node *expr, int srid)
{
	Oid			type = exprType(expr),
				types[] = {type, INT4OID},
				function;
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	char	   *schema = get_namespace_name(((Form_pg_type) GETSTRUCT(tuple))->typnamespace);

	ReleaseSysCache(tuple);
	function = LookupFuncName(list_make2(makeString(schema), makeString("st_transform")), 2, types, true);
	if (!OidIsValid(function) || get_func_rettype(function) != type)
		return NULL;
	return (Node *) makeFuncExpr(function, type,
								 list_make2(expr, makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
															Int32GetDatum(srid), false, true)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* What the mutator finds. */
typedef struct Mixed
{
	int			left;			/* SRIDs; 0: none is mixed */
	int			right;
	bool		helpless;		/* one of the operands cannot be transformed */
} Mixed;

/* Transform the second of two operands that have different systems. */
static Node *
unmix(Node *node, void *context)
{
	Mixed	   *mixed = context;
	List	   *args;
	int			left,
				right;
	Node	   *transformed;

	if (node == NULL)
		return NULL;
	node = expression_tree_mutator(node, unmix, context);
	args = IsA(node, OpExpr) ? ((OpExpr *) node)->args :
		IsA(node, FuncExpr) ? ((FuncExpr *) node)->args : NIL;
	if (list_length(args) < 2)
		return node;
	left = srid_of(linitial(args));
	right = srid_of(lsecond(args));
	if (left == 0 || right == 0 || left == right)
		return node;
	mixed->left = left;
	mixed->right = right;
	transformed = transform(lsecond(args), left);
	if (transformed)
		lsecond(args) = transformed;
	else
		mixed->helpless = true;
	return node;
}

/* If a condition has operands of two systems, say so. */
void
spq_advise_srids(SpqReasons *reasons, PlannerInfo *root, Node *clause)
{
	Mixed		mixed = {0};
	Node	   *unmixed = unmix(clause, &mixed);

	if (mixed.left == 0)
		return;
	spq_advise_add(reasons, InvalidOid, spq_advise_object("condition", reasons, root, clause),
				   psprintf("it compares coordinates of two systems, SRID %d and %d: functions of PostGIS raise an error, and operators give wrong answers",
							mixed.left, mixed.right),
				   mixed.helpless ? NULL :
				   psprintf("SELECT ... WHERE %s", spq_advise_text(reasons, root, unmixed)));
}
