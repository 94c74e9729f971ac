/*-------------------------------------------------------------------------
 *
 * operator_rows.c
 *	  The operators of all types as rows, for the test "catalog".
 *
 * The test compares them with the functions, and with the operator classes in
 * SQL.  Nothing else needs the function, so CREATE EXTENSION does not make it.
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

/* Return the strategy number of a relation, in a class of boxes. */
static int
strategy_of(SpqRelation relation)
{
	for (size_t strategy = 0; strategy < lengthof(spq_box_relations); strategy++)
		if (spq_box_relations[strategy] == relation + 1)
			return strategy;
	elog(ERROR, "relation %d has no strategy number", relation);
}

/*
 * type_operators(OUT function oid, OUT symbol text, OUT strategy int, OUT is_exact boolean,
 * OUT left_type text, OUT right_type text) returns SETOF record
 */
Datum
spq_type_operator_rows(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; spq_types[i]; i++)
	{
		for (const SpqTypeOperator *op = spq_types[i]->operators; op && op->left; op++)
		{
			const char *symbol = op->function.symbol;
			Datum		values[] = {
				ObjectIdGetDatum(op->function.oid),
				symbol ? CStringGetTextDatum(symbol) : (Datum) 0,
				Int32GetDatum(strategy_of(op->relation)),
				BoolGetDatum(op->fraction == SPQ_TYPE_EXACT),
				CStringGetTextDatum(op->left->name),
				CStringGetTextDatum(op->right->name)
			};
			bool		nulls[] = {symbol != NULL, symbol == NULL, false, false, false, false};

			tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		}
	}
	return (Datum) 0;
}
