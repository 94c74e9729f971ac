/*-------------------------------------------------------------------------
 *
 * table_ahead.c
 *	  Requests for the table's blocks of rows that will be returned soon.
 *
 * Once rows miss the buffers (read_ahead.c), a scan requests the blocks of those
 * after the next one, as many as the distance says.  If the leaf has fewer, it takes
 * the rows of the leaves after it, too.  Otherwise each leaf would begin with a row
 * whose block nobody has requested, and end with few requests under way:
 *
 *		leaf [ row row row row ]  leaf [ row row row row row ]	 on the stack: leaf leaf
 *				^	^			^			 ^
 *		 returned	requested				 the last request
 *
 * Rows taken ahead are as good as those of the leaf that the scan is at: the snapshot
 * decides later whether it sees them.  A scan that must keep the pin of its leaf takes
 * none ahead; nor does it wait for other processes of a parallel scan to find leaves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/scan/page_order.h"
#include "rtree/scan/read_ahead.h"

/* Request the blocks of the rows of a leaf from one number to another. */
static void
request_rows(IndexScanDesc scan, SpqRtreeLeafRows *rows, int from, int to)
{
	SpqRtreeScan *state = scan->opaque;

	for (int i = Max(rows->nrequested, from); i < to; i++)
	{
		BlockNumber block = ItemPointerGetBlockNumberNoCheck(&rows->tid[i]);

		/* rows in the order of the table are often in the same block */
		if (i == 0 || block != ItemPointerGetBlockNumberNoCheck(&rows->tid[i - 1]))
			spq_rtree_ahead_request(&state->table_ahead, scan->heapRelation, block);
	}
	rows->nrequested = Max(rows->nrequested, to);
}

void
spq_rtree_ahead_of_rows(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeLeafRows *rows = state->rows;
	int			first = rows->next,
				left = spq_rtree_rows_ahead(state, state->table_ahead.distance + 1);	/* that row, too */

	for (int i = 0;; i++)
	{
		int			end = Min(first + left, rows->nrows);

		request_rows(scan, rows, first, end);
		left -= end - first;
		if (left == 0)
			break;
		rows = i < state->nahead ? state->ahead[i] : spq_rtree_leaf_ahead(scan);
		if (!rows)
			break;
		first = 0;
	}
}
