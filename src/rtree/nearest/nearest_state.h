/*-------------------------------------------------------------------------
 *
 * nearest.h
 *	  The state of a search in order of distance, for the files that make it up:
 *
 *		nearest.c	the search
 *		batch.h		a batch: its entries and the least of them
 *		batch.c		batches of pages and of single parts
 *		put_back.c	leaves whose pins are too many
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_NEAREST_STATE_H
#define SPQ_RTREE_NEAREST_NEAREST_STATE_H

#include "rtree/nearest/batch.h"

/* Pins a scan keeps at most. */
#define SPQ_RTREE_PINS_MAX	32

struct SpqRtreeNearest
{
	MemoryContext context;		/* of all batches */
	int			norders;
	SpqRtreeOrder *orders;
	int			bounding;		/* the order that bounds are of */
	bool		is_bounded;		/* it has an argument */
	bool		has_more;		/* so has one behind it */
	bool		narrows;		/* its bounds decide a condition, too */
	SpqRtreeBatch *bounded;		/* has got them for that */
	Oid		   *types;			/* of distances: float8 */
	IndexOrderByDistance *distances;	/* of the current row */
	int64	   *keys;			/* of that, or of what is to be it */

	pairingheap queue;			/* of batches, but for the current one */
	SpqRtreeBatch *current;
	int			entry;			/* of the current batch, that was returned
								 * last, or -1 */
	SpqRtreeBatch *free;
	char	   *tuple;			/* for an index-only scan */

	SpqRtreeBatch *pinned[SPQ_RTREE_PINS_MAX];
	int			npinned;
	int			pins_max;
};

/* Return whether there is an order with other than a NULL argument. */
static inline bool
spq_rtree_has_argument(const IndexScanDescData *scan, int order)
{
	return !(scan->orderByData[order].sk_flags & SK_ISNULL);
}

/* Let the key of a batch be the least of what is left. */
static inline void
spq_rtree_batch_set_key(const SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	batch->key = batch->bound;
	batch->first_keys = NULL;
	batch->waiting_first = false;
	if (batch->is_leaf && batch->waiting && !binaryheap_empty(batch->waiting))
	{
		const int64 *keys = spq_rtree_batch_keys(batch, spq_rtree_batch_first_waiting(batch));
		int64		key = keys[nearest->bounding];

		if (key < batch->bound || (key == batch->bound && !nearest->has_more))
		{
			batch->key = key;
			batch->first_keys = keys;
			batch->waiting_first = true;
		}
	}
}

/* batch.c */
extern void spq_rtree_narrow_by_order(const void *nearest, const SpqRtreeColumns *columns,
									  uint8 *matches, uint8 *sure);
extern void spq_rtree_queue_part(SpqRtreeNearest *nearest, const SpqRtreePart *part, int64 key,
								 const int64 *keys, const SpqRtreeReturned *returned);
extern void spq_rtree_queue_page(IndexScanDesc scan, SpqRtreePart part, int64 key,
								 const int64 *keys, SpqRtreeReturned *returned);
extern void spq_rtree_let_wait(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, int entry);
extern void spq_rtree_leave_batch(IndexScanDesc scan, SpqRtreeBatch *batch);
extern int	spq_rtree_compare_batches(const pairingheap_node *a, const pairingheap_node *b,
									  void *arg);

/* nearest.c */
extern bool spq_rtree_find_keys(IndexScanDesc scan, const SpqRtreeBatch *batch, int entry);

/* put_back.c */
extern int	spq_rtree_pins_max(Relation index);
extern void spq_rtree_keep_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);
extern void spq_rtree_forget_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);
extern void spq_rtree_put_back(IndexScanDesc scan);
extern void spq_rtree_remember_row(SpqRtreeNearest *nearest, SpqRtreeBatch *batch,
								   ItemPointer tid);
extern bool spq_rtree_was_returned(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch,
								   ItemPointer tid);
extern SpqRtreeReturned *spq_rtree_copy_returned(const SpqRtreeNearest *nearest,
												 const SpqRtreeReturned *returned);
extern void spq_rtree_forget_returned(SpqRtreeReturned *returned);

#endif							/* SPQ_RTREE_NEAREST_NEAREST_STATE_H */
