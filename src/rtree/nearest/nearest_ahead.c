/*-------------------------------------------------------------------------
 *
 * nearest_ahead.c
 *	  Requests for blocks that a search in order of distance will read soon.
 *
 * The search does not know what it will read, as this depends on the distances of
 * rows in pages that it has not read.  But the nearest entries of a page, by their
 * bounds, are likely to be read soon: the first few pages below an inner page, more
 * of them if the search returns more rows, and the table's blocks of the rows of a
 * leaf.  scan/read_ahead.c has the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "rtree/nearest/nearest_state.h"
#include "rtree/scan/read_ahead.h"

/* Most pages below an inner page that are requested. */
#define MOST_CHILDREN	8

/* A search reads about two leaves, and one more per ROWS_PER_CHILD rows. */
#define FEW_CHILDREN	2
#define ROWS_PER_CHILD	16

typedef struct Nearby
{
	float8		square;
	uint16		entry;
} Nearby;

#define ST_SORT sort_nearby
#define ST_ELEMENT_TYPE Nearby
#define ST_COMPARE(a, b) ((a)->square < (b)->square ? -1 : (a)->square > (b)->square)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Set "order" to the entries that are left in a batch, the nearest first. */
static int
order_entries(const SpqRtreeBatch *batch, uint16 *order)
{
	Nearby		nearby[SPQ_RTREE_LEAF_MAX];
	int			n = 0;

	for (int entry = 0; entry < batch->ngroups * SPQ_RTREE_GROUP; entry++)
	{
		if (batch->squares[entry] < SPQ_RTREE_SQUARE_GONE)
		{
			nearby[n].square = batch->squares[entry];
			nearby[n++].entry = entry;
		}
	}
	sort_nearby(nearby, n);
	for (int i = 0; i < n; i++)
		order[i] = nearby[i].entry;
	return n;
}

void
spq_rtree_ahead_of_children(IndexScanDesc scan, const SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	int			nrows = Max(state->nexpected, state->nreturned);
	int			most = Min(FEW_CHILDREN + nrows / ROWS_PER_CHILD, MOST_CHILDREN);
	uint16		order[SPQ_RTREE_LEAF_MAX];
	int			n;

	most = Min(most, state->index_ahead.distance);
	if (most == 0 || batch->left == 0)
		return;
	n = order_entries(batch, order);
	for (int i = 0; i < Min(n, most); i++)
		spq_rtree_ahead_request(&state->index_ahead, scan->indexRelation, batch->child[order[i]]);
}

void
spq_rtree_ahead_of_nearest(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;

	if (state->table_ahead.distance == 0)
		return;
	if (batch->nordered < 0)
	{
		batch->nordered = order_entries(batch, batch->order);
		batch->nreturned = batch->nrequested = 0;
	}
	for (; batch->nrequested < batch->nordered &&
		 batch->nrequested < batch->nreturned + spq_rtree_rows_ahead(state, state->table_ahead.distance); batch->nrequested++)
	{
		const ItemPointerData *tid = spq_rtree_tid(batch->page, batch->order[batch->nrequested]);

		spq_rtree_ahead_request(&state->table_ahead, scan->heapRelation,
								ItemPointerGetBlockNumberNoCheck(tid));
	}
}
