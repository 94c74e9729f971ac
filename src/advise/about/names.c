/*-------------------------------------------------------------------------
 *
 * names.c
 *	  Expressions and relations of a query that was planned, as text.
 *
 * PostgreSQL's ruleutils print an expression of a plan, given the plan's range
 * table.  We print expressions of the planner with the range table of their query
 * level, and those of the levels around it:
 *
 *		level 2		poi						SELECT ... WHERE st_contains($0, poi.geom)
 *		level 1		zone z				$0: z.geom
 *		range table: poi, z				st_contains(z.geom, poi.geom)
 *
 * The planner has replaced variables of outer levels by parameters.  The levels
 * forget which, so these were noted when the query was planned.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "advise/about/lines.h"

/* Longer conditions, with literals of geometries, are cut off. */
#define MOST_TEXT 200

/* What the mutator needs. */
typedef struct OuterContext
{
	SpqReasons *reasons;
	PlannerInfo *root;
	int			level;			/* of the innermost outer variable; -1: none */
} OuterContext;

static const SpqReasonQuery *
query_of(const SpqReasons *reasons, const PlannerInfo *root)
{
	ListCell   *lc;

	foreach(lc, reasons->queries)
	{
		const SpqReasonQuery *query = lfirst(lc);

		if (query->root == root)
			return query;
	}
	return NULL;
}

/*
 * Return the variable for which a parameter stands, as one of the range table that
 * begins with that of the query level.  Return NULL if it stands for something else.
 */
static Var *
variable_of(OuterContext *context, int param)
{
	PlannerInfo *root = context->root;
	const SpqReasonQuery *query = query_of(context->reasons, root);
	int			offset = 0,
				level = 0;
	ListCell   *lc1,
			   *lc2;

	if (query == NULL)
		return NULL;
	foreach(lc1, query->params)
	{
		offset += list_length(root->parse->rtable);
		root = root->parent_root;
		level++;
		foreach(lc2, (List *) lfirst(lc1))
		{
			const PlannerParamItem *item = lfirst(lc2);
			Var		   *var;

			if (item->paramId != param || !IsA(item->item, Var))
				continue;
			var = copyObject(castNode(Var, item->item));
			var->varno += offset;
			var->varlevelsup = 0;
			context->level = context->level < 0 ? level : Min(context->level, level);
			return var;
		}
	}
	return NULL;
}

static Node *
replace_params(Node *node, void *context)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
	{
		Var		   *var = variable_of(context, ((Param *) node)->paramid);

		if (var)
			return (Node *) var;
	}
	if (IsA(node, PlaceHolderVar))
		return replace_params((Node *) ((PlaceHolderVar *) node)->phexpr, context);
	return expression_tree_mutator(node, replace_params, context);
}

/*
 * Return a clause with the variables of outer levels.  Set *level to the number of
 * levels to the nearest of these, or -1 if there are none.
 */
Node *
spq_advise_outer(SpqReasons *reasons, PlannerInfo *root, Node *clause, int *level)
{
	OuterContext context = {reasons, root, -1};
	Node	   *result = replace_params(clause, &context);

	*level = context.level;
	return result;
}

/* Return the range table of a query level, and of those around it. */
static List *
range_table(PlannerInfo *root)
{
	List	   *result = NIL;

	for (; root; root = root->parent_root)
		result = list_concat(result, root->parse->rtable);
	return result;
}

static List *
relation_names(List *rtable)
{
	return select_rtable_names_for_explain(rtable,
										   bms_add_range(NULL, 1, list_length(rtable)));
}

/* Return the end of what the first character, a parenthesis or a quote, begins. */
static char *
end_of(char *string)
{
	char		quote = *string;

	for (string++; *string; string++)
	{
		if (quote != '(')
		{
			if (*string == quote)
				return string;
		}
		else if (*string == ')')
			return string;
		else if (*string == '(' || *string == '\'' || *string == '"')
			string = end_of(string);
	}
	return string - 1;
}

/* Remove the parentheses around a whole expression. */
static char *
without_parentheses(char *string)
{
	size_t		length = strlen(string);

	if (string[0] != '(' || end_of(string) != string + length - 1)
		return string;
	string[length - 1] = '\0';
	return string + 1;
}

/* Return an expression as text. */
char *
spq_advise_text(SpqReasons *reasons, PlannerInfo *root, Node *expr)
{
	PlannedStmt *statement = makeNode(PlannedStmt);
	List	   *context;
	int			level;

	statement->rtable = range_table(root);
	statement->subplans = reasons->statement->subplans;
	context = deparse_context_for_plan_tree(statement, relation_names(statement->rtable));
	context = set_deparse_context_plan(context, (Plan *) makeNode(Result), NIL);
	return without_parentheses(deparse_expression(spq_advise_outer(reasons, root, expr, &level),
												  context, true, false));
}

/* Return the object of a line about an expression: a condition or an order. */
char *
spq_advise_object(const char *kind, SpqReasons *reasons, PlannerInfo *root, Node *expr)
{
	char	   *string = spq_advise_text(reasons, root, expr);
	int			length = strlen(string);

	if (length <= MOST_TEXT)
		return psprintf("%s %s", kind, string);
	return psprintf("%s %.*s...", kind, pg_mbcliplen(string, length, MOST_TEXT), string);
}

/* Return the name of an index, and what it is. */
char *
spq_advise_index(const IndexOptInfo *index)
{
	return psprintf("index %s (%s)", quote_identifier(get_rel_name(index->indexoid)),
					get_am_name(index->relam));
}

/* Return the name of a relation in the range tables of a query level and those around it. */
char *
spq_advise_name(PlannerInfo *root, int place)
{
	const char *name = list_nth(relation_names(range_table(root)), place - 1);

	return pstrdup(name ? quote_identifier(name) : "?");
}

/* Return the names of relations as a list with "and". */
char *
spq_advise_relations(PlannerInfo *root, Relids relids)
{
	StringInfoData text;
	int			member = -1,
				left;

	relids = bms_intersect(relids, root->all_baserels);
	left = bms_num_members(relids);
	initStringInfo(&text);
	while ((member = bms_next_member(relids, member)) >= 0)
	{
		appendStringInfoString(&text, spq_advise_name(root, member));
		left--;
		if (left > 0)
			appendStringInfoString(&text, left > 1 ? ", " : " and ");
	}
	return text.data;
}
