/*-------------------------------------------------------------------------
 *
 * plan_query.c
 *	  Plans a query, and returns what is said of it.
 *
 * The query is planned as EXPLAIN plans it, and is not run.  It may have
 * parameters, $1 and so on, whose types are those that the query gives them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "tcop/tcopprot.h"

#include "compat.h"
#include "advise/advise.h"

/* Return the statement that a text has, without EXPLAIN. */
static RawStmt *
parse(const char *query)
{
	List	   *parsed = pg_parse_query(query);
	RawStmt    *statement;

	if (list_length(parsed) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("the query must be one statement, not %d", list_length(parsed))));
	statement = linitial_node(RawStmt, parsed);
	if (IsA(statement->stmt, ExplainStmt))
		statement->stmt = ((ExplainStmt *) statement->stmt)->query;
	switch (nodeTag(statement->stmt))
	{
		case T_SelectStmt:
		case T_InsertStmt:
		case T_UpdateStmt:
		case T_DeleteStmt:
		case T_MergeStmt:
			return statement;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("the query must be a SELECT, INSERT, UPDATE, DELETE or MERGE")));
	}
	return NULL;				/* keep compiler quiet */
}

/* Plan a query, and return its lines. */
List *
spq_advise_plan(const char *string)
{
	Oid		   *types = NULL;
	int			ntypes = 0;
	List	   *queries,
			   *lines = NIL;
	ListCell   *lc;

	queries = pg_analyze_and_rewrite_varparams(parse(string), string, &types, &ntypes, NULL);
	foreach(lc, queries)
	{
		Query	   *query = lfirst_node(Query, lc);
		SpqReasons *reasons;
		PlannedStmt *statement;

		if (query->commandType == CMD_UTILITY)
			continue;
		reasons = spq_reasons_want();
		statement = spq_plan_query(query, string, CURSOR_OPT_PARALLEL_OK);
		spq_check_permissions(statement);
		lines = list_concat(lines, reasons->lines);
	}
	return lines;
}
