/*-------------------------------------------------------------------------
 *
 * report.c
 *	  The rows of a check's result.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "check/report.h"

/*
 * Add a row to the result.  An invalid block stands for the table, an invalid
 * item for the whole page.
 */
void
spq_check_report(SpqCheck *check, BlockNumber block, OffsetNumber item,
				 const char *problem)
{
	Datum		values[3];
	bool		nulls[3] = {false};

	values[0] = Int64GetDatum((int64) block);
	nulls[0] = !BlockNumberIsValid(block);
	values[1] = Int32GetDatum(item);
	nulls[1] = !OffsetNumberIsValid(item);
	values[2] = CStringGetTextDatum(problem);
	tuplestore_putvalues(check->problems, check->problem_desc, values, nulls);
}
