/*-------------------------------------------------------------------------
 *
 * advise.c
 *	  _spqtree_reasons(query): what spqtree_advise(query) says of the query.
 *
 * The query is planned as EXPLAIN plans it, and is not run.  It may have
 * parameters, $1 and so on, whose types are those that the query gives them.  NULL
 * stands for the statements that were run before.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "advise/advise.h"

PG_FUNCTION_INFO_V1(spq_reasons_of_query);

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

static void
put_lines(const List *lines, ReturnSetInfo *result)
{
	ListCell   *lc;

	foreach(lc, lines)
	{
		const SpqAdviseLine *line = lfirst(lc);
		const char *texts[] = {line->object, line->finding, line->advice};
		Datum		values[4] = {ObjectIdGetDatum(line->relation)};
		bool		nulls[4] = {!OidIsValid(line->relation)};

		for (int i = 0; i < (int) lengthof(texts); i++)
		{
			nulls[i + 1] = texts[i] == NULL;
			if (texts[i])
				values[i + 1] = CStringGetTextDatum(texts[i]);
		}
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* Show the place of an error in the query, not in the statement that calls us. */
static void
place_error(void *query)
{
	int			position = geterrposition();

	if (position <= 0)
		return;
	errposition(0);
	internalerrposition(position);
	internalerrquery(query);
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

/*
 * _spqtree_reasons(query text) returns setof (relation oid, object text, finding text,
 * advice text)
 */
Datum
spq_reasons_of_query(PG_FUNCTION_ARGS)
{
	List	   *lines;

	InitMaterializedSRF(fcinfo, 0);
	if (PG_ARGISNULL(0))
		lines = spq_advise_statements();
	else
	{
		char	   *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
		ErrorContextCallback callback = {error_context_stack, place_error, string};

		error_context_stack = &callback;
		callback.arg = spq_advise_typed_literals(string);
		lines = spq_advise_plan(callback.arg);
		error_context_stack = callback.previous;
	}
	put_lines(lines, (ReturnSetInfo *) fcinfo->resultinfo);
	return (Datum) 0;
}
