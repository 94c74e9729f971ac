/*-------------------------------------------------------------------------
 *
 * loops.c
 *	  Subqueries that are run for each row of another table.
 *
 *		SELECT z.id, (SELECT count(*) FROM poi WHERE ST_Contains(z.geom, poi.geom))
 *		FROM zone z
 *
 * The subquery joins nothing, so the planner cannot choose how to join.  It can if
 * the subquery is written as an outer join:
 *
 *		SELECT z.id, count(poi) FROM zone z
 *		LEFT JOIN poi ON ST_Contains(z.geom, poi.geom) GROUP BY z.id
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/sysattr.h"
#include "access/table.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "compat.h"
#include "advise/about/lines.h"
#include "repeated_node/repeated_node.h"

/* A range of places in the range tables of a query level and those around it. */
typedef struct Places
{
	int			before;			/* the place before the first */
	int			last;
	int			found;			/* that of a variable, or 0 */
} Places;

/* Find a variable that is in one of the places. */
static bool
find_place(Node *node, void *context)
{
	Places	   *places = context;

	if (node == NULL)
		return false;
	if (IsA(node, Var) && ((Var *) node)->varno > places->before &&
		((Var *) node)->varno <= places->last)
	{
		places->found = ((Var *) node)->varno;
		return true;
	}
	return expression_tree_walker(node, find_place, context);
}

/* Return the columns of the primary key of a table, after its name, or say that it
 * needs one. */
static char *
key_of(Oid relid, const char *name)
{
	Relation	relation;
	Oid			key;
	StringInfoData text;
	Bitmapset  *columns;
	int			column = -1;

	initStringInfo(&text);
	relation = table_open(relid, AccessShareLock);
	(void) RelationGetIndexList(relation);
	key = spq_primary_key_index(relation);
	columns = OidIsValid(key) ?
		RelationGetIndexAttrBitmap(relation, INDEX_ATTR_BITMAP_PRIMARY_KEY) : NULL;
	table_close(relation, NoLock);
	while ((column = bms_next_member(columns, column)) >= 0)
		appendStringInfo(&text, "%s%s.%s", text.len > 0 ? ", " : "", name,
						 quote_identifier(get_attname(relid,
													  column + FirstLowInvalidHeapAttributeNumber,
													  false)));
	if (text.len == 0)
		appendStringInfo(&text, "<key of %s>", name);
	return text.data;
}

/*
 * Return the conditions of the join by which a condition is written.  All others of the
 * subquery are among them: after an outer join, in WHERE, they would remove the outer rows
 * that have no partner.
 */
static char *
join_conditions(SpqReasons *reasons, PlannerInfo *root, const RelOptInfo *rel,
				const RestrictInfo *rinfo, const char *condition)
{
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	appendStringInfoString(&text, condition);
	if (list_length(rel->baserestrictinfo) > 1 && is_orclause(rinfo->clause))
	{
		resetStringInfo(&text);
		appendStringInfo(&text, "(%s)", condition);
	}
	foreach(lc, rel->baserestrictinfo)
	{
		const RestrictInfo *other = lfirst_node(RestrictInfo, lc);

		if (other == rinfo)
			continue;
		if (contain_subplans((Node *) other->clause))
			appendStringInfoString(&text, " AND ...");
		else
			appendStringInfo(&text, is_orclause(other->clause) ? " AND (%s)" : " AND %s",
							 spq_advise_text(reasons, root, (Node *) other->clause));
	}
	return text.data;
}

/* Return the form of a subquery with an aggregate as an outer join. */
static char *
as_outer_join(PlannerInfo *root, const char *outer, const char *inner, const char *conditions,
			  const char *key)
{
	const Query *query = root->parse;

	if (!query->hasAggs || query->groupClause != NIL || query->limitCount != NULL ||
		bms_num_members(root->all_baserels) != 1)
		return NULL;
	return psprintf("SELECT ... FROM %s LEFT JOIN %s ON %s GROUP BY %s", outer, inner, conditions, key);
}

static char *
with_alias(const RangeTblEntry *rte, const char *name)
{
	const char *relation = DatumGetCString(DirectFunctionCall1(regclassout,
															   ObjectIdGetDatum(rte->relid)));

	return strcmp(relation, name) == 0 ? pstrdup(name) : psprintf("%s %s", relation, name);
}

/* Return what is noted of a table whose rows can be kept in memory, or NULL. */
static const SpqReasonSearch *
search_of(const SpqReasons *reasons, const PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, reasons->searches)
	{
		const SpqReasonSearch *search = lfirst(lc);

		if (search->root == root && search->relid == rel->relid)
			return search;
	}
	return NULL;
}

/*
 * Say that the rows of a table are searched in memory, or if it lacks an index, how much
 * memory they need.
 */
void
spq_advise_search(const SpqReasons *reasons, const PlannerInfo *root, const RelOptInfo *rel,
				  char **finding, char **advice)
{
	const SpqReasonSearch *search = search_of(reasons, root, rel);

	if (spq_repeated_is_path(rel->cheapest_total_path))
	{
		*finding = "its rows are kept in memory, and searched there";
		*advice = NULL;
	}
	else if (search && search->memory > search->limit && *finding && *advice)
		*finding = psprintf("%s; work_mem = '%.0fMB' would keep them in memory", *finding,
							ceil(search->memory / search->limit * work_mem / 1024));
}

/*
 * If a condition on a table depends on rows of an outer level, return it with their
 * columns, and describe it; else return NULL.
 */
Node *
spq_advise_loop(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel, RestrictInfo *rinfo,
				char **finding, char **advice)
{
	int			level;
	Node	   *clause = spq_advise_outer(reasons, root, (Node *) rinfo->clause, &level);
	Places		places = {0};
	PlannerInfo *outer_root = root;
	const RangeTblEntry *outer_rte;
	char	   *text,
			   *outer_name,
			   *inner_name;

	*finding = *advice = NULL;
	if (level < 0)
		return NULL;
	/* the rows of the nearest level are those for which it is run */
	for (int i = 0; i < level; i++)
	{
		places.before += list_length(outer_root->parse->rtable);
		outer_root = outer_root->parent_root;
	}
	places.last = places.before + list_length(outer_root->parse->rtable);
	(void) find_place(clause, &places);
	outer_rte = rt_fetch(places.found - places.before, outer_root->parse->rtable);
	outer_name = spq_advise_name(root, places.found);
	inner_name = spq_advise_name(root, rel->relid);
	text = spq_advise_text(reasons, root, clause);

	if (outer_rte->rtekind == RTE_RELATION)
		*advice = as_outer_join(root, with_alias(outer_rte, outer_name),
								with_alias(planner_rt_fetch(rel->relid, root), inner_name),
								join_conditions(reasons, root, rel, rinfo, text),
								key_of(outer_rte->relid, outer_name));
	*finding = psprintf("in a subquery, which is run for each row of %s", outer_name);
	return clause;
}
