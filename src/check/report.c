/*-------------------------------------------------------------------------
 *
 * report.c
 *	  The rows of a check's result, and a test that both kinds of index need.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_am_d.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "check/report.h"

/*
 * Add a row to the result.  An invalid block means the table, an invalid item
 * the whole page.
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

/*
 * Return whether an index entry points to a block that the table does not
 * have.  A scan would fail there, even if the row is long dead.  A table
 * cannot shrink while the check locks it.  Only the heap access method is
 * known to number its rows by blocks.
 */
bool
spq_check_beyond_table(SpqCheck *check, ItemPointer row)
{
	BlockNumber block = ItemPointerGetBlockNumber(row);

	if (block < check->heap_blocks ||
		check->heap->rd_rel->relam != HEAP_TABLE_AM_OID)
		return false;
	check->heap_blocks = RelationGetNumberOfBlocks(check->heap);
	return block >= check->heap_blocks;
}
