/*-------------------------------------------------------------------------
 *
 * operator_rows.c
 *	  The operators of all types as rows, for the test "catalog".
 *
 * The test compares them with the functions, and with the operator classes.
 * Nothing else needs the function, so CREATE EXTENSION does not make it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

/* relations of the third axis, too */
#define SPQ_DIM 3

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "box/strategy.h"
#include "types/registry.h"

PG_FUNCTION_INFO_V1(spq_type_operator_rows);

/* Return the strategy number of a relation, in a class of boxes; 0 for WITHIN. */
static int
strategy_of(SpqRelation relation)
{
	for (size_t strategy = 0; strategy < lengthof(spq_box_relations); strategy++)
		if (spq_box_relations[strategy] == relation + 1)
			return strategy;
	Assert(relation == SPQ_BOX_WITHIN);
	return 0;
}

static void
put_rows(const SpqTypeOperator *list, ReturnSetInfo *result)
{
	for (; list && list->left; list++)
	{
		const char *symbol = list->function.symbol;
		Datum		values[] = {
			ObjectIdGetDatum(list->function.oid),
			symbol ? CStringGetTextDatum(symbol) : (Datum) 0,
			Int32GetDatum(list->strategy),
			Int32GetDatum(strategy_of(list->relation)),
			CStringGetTextDatum(list->left->name),
			CStringGetTextDatum(list->right->name)
		};
		bool		nulls[] = {symbol != NULL, symbol == NULL, false, false, false, false};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/*
 * type_operators(OUT function oid, OUT symbol text, OUT strategy int, OUT relation int,
 * OUT left_type text, OUT right_type text) returns SETOF record
 */
Datum
spq_type_operator_rows(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; spq_types[i]; i++)
	{
		put_rows(spq_types[i]->operators, result);
		put_rows(spq_types[i]->distances, result);
		put_rows(spq_types[i]->orders, result);
	}
	return (Datum) 0;
}
