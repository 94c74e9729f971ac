/*-------------------------------------------------------------------------
 *
 * condition.c
 *	  A condition on the rows of a watched table.
 *
 * The caller writes it as in WHERE, under the caller's search_path.  It is
 * stored with every name qualified, so that it has the same meaning in
 * triggers, which run under another search_path.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/heap.h"
#include "catalog/objectaddress.h"
#include "nodes/makefuncs.h"
#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_clause.h"
#include "parser/parse_collate.h"
#include "parser/parse_expr.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "rewrite/rewriteManip.h"
#include "utils/guc.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "watch/definition/watch.h"

#define BEFORE_CONDITION "SELECT WHERE ("

/* A condition and the name of its argument, for messages. */
typedef struct ConditionText
{
	const char *text;
	const char *argument;
} ConditionText;

/*
 * Make an error position refer to the condition instead of the query around
 * it.
 */
static void
point_into_condition(void *arg)
{
	const ConditionText *source = arg;
	int			position = geterrposition() - (int) strlen(BEFORE_CONDITION);

	if (geterrposition() > 0)
	{
		errposition(0);
		internalerrposition(Max(position, 1));
		internalerrquery(source->text);
	}
	errcontext("%s", source->argument);
}

/*
 * Return the raw parse tree of a condition.  Raise an error if the text is
 * more than a condition.
 */
static Node *
parse(const char *text, const char *argument)
{
	List	   *statements = raw_parser(psprintf(BEFORE_CONDITION "%s)", text), RAW_PARSE_DEFAULT);
	SelectStmt *select;

	select = list_length(statements) == 1 ?
		(SelectStmt *) linitial_node(RawStmt, statements)->stmt : NULL;
	if (select == NULL || !IsA(select, SelectStmt) || select->whereClause == NULL ||
		select->targetList != NIL || select->fromClause != NIL || select->groupClause != NIL ||
		select->havingClause != NULL || select->sortClause != NIL || select->op != SETOP_NONE ||
		select->limitCount != NULL || select->limitOffset != NULL ||
		select->lockingClause != NIL || select->windowClause != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("%s must be a single condition: %s", argument, text),
				 errhint("Write it as after WHERE, without WHERE.")));
	return select->whereClause;
}

static void
set(const char *setting, const char *value)
{
	set_config_option(setting, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * Return an analyzed expression as text, with every name qualified, and with
 * constants that every session reads alike.  (pg_dump uses the same settings.)
 */
static char *
qualified_text(Node *expression, Oid relid, const char *alias)
{
	int			level = NewGUCNestLevel();
	char	   *text;

	set("search_path", "pg_catalog");
	set("datestyle", "ISO");
	set("intervalstyle", "postgres");
	set("extra_float_digits", "3");
	text = deparse_expression(expression, deparse_context_for(alias, relid), true, false);

	AtEOXact_GUC(false, level);
	return text;
}

/*
 * Raise an error unless a condition depends on the columns of the row alone.
 * Triggers settle a pair when one of its rows changes, and not when a setting or
 * another table does, or as time passes.  The same is asked of functions, after
 * the same planning, as in the predicate of an index.
 */
static void
check_depends_on_row(Node *condition, const char *argument)
{
	Bitmapset  *columns = NULL;
	int			column = -1;

	if (contain_mutable_functions((Node *) expression_planner(copyObject((Expr *) condition))))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("functions in %s must be marked IMMUTABLE", argument),
				 errdetail("Whether a pair holds must depend on its two rows alone."),
				 errhint("Keep what depends on the time, a setting or another table in a column, and update it.")));
	pull_varattnos(condition, 1, &columns);
	while ((column = bms_next_member(columns, column)) >= 0)
	{
		AttrNumber	attnum = column + FirstLowInvalidHeapAttributeNumber;

		/* UPDATE changes the others even if it changes no value */
		if (attnum < 0 && attnum != TableOidAttributeNumber)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
					 errmsg("cannot use system column \"%s\" in %s",
							NameStr(SystemAttributeDefinition(attnum)->attname), argument)));
	}
}

/*
 * Return a condition on the rows of a table as text with every name qualified,
 * or NULL for NULL.  "alias" is the table's alias in the result, and
 * "argument" the name that messages use.
 */
char *
spq_watch_condition(const char *text, Oid relid, const char *alias, const char *argument)
{
	ParseState *pstate;
	Relation	table;
	ParseNamespaceItem *item;
	Node	   *expression;
	ConditionText source;
	ErrorContextCallback callback;

	if (text == NULL)
		return NULL;
	source.argument = argument;
	source.text = text;

	callback.callback = point_into_condition;
	callback.arg = &source;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	pstate = make_parsestate(NULL);
	pstate->p_sourcetext = psprintf(BEFORE_CONDITION "%s)", text);
	table = table_open(relid, AccessShareLock);
	item = addRangeTableEntryForRelation(pstate, table, AccessShareLock,
										 makeAlias(alias, NIL), false, true);
	addNSItemToQuery(pstate, item, false, true, true);
	expression = transformWhereClause(pstate, parse(text, argument), EXPR_KIND_WHERE,
									  argument);
	assign_expr_collations(pstate, expression);
	if (checkExprHasSubLink(expression))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot use subquery in %s", argument),
				 errdetail("A change of another table would not be noticed.")));
	check_depends_on_row(expression, argument);
	error_context_stack = callback.previous;
	text = qualified_text(expression, relid, alias);

	free_parsestate(pstate);
	table_close(table, NoLock);
	return unconstify(char *, text);
}
