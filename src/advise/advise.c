/*-------------------------------------------------------------------------
 *
 * advise.c
 *	  _spqtree_reasons(query): what spqtree_advise(query) says of the query.
 *
 * NULL stands for the statements that were run before.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "advise/advise.h"

PG_FUNCTION_INFO_V1(spq_reasons_of_query);

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
