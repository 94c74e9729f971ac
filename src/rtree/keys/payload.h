/*-------------------------------------------------------------------------
 *
 * payload.h
 *	  The columns of a row other than the box, as an index tuple of their own.
 *
 * An index has payloads if it has INCLUDE columns, or scalar columns whose code
 * does not determine them (code.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_KEYS_PAYLOAD_H
#define SPQ_RTREE_KEYS_PAYLOAD_H

#include "access/itup.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

/*
 * Return the descriptor of payloads, allocated in the current memory context,
 * or NULL if the index has none.  Its attributes are those of the index without
 * the box, and have the same numbers as there.
 */
extern TupleDesc spq_rtree_payload_descriptor(Relation index);

/*
 * Return the payload of a row, allocated in the current memory context, or NULL
 * if the descriptor is NULL.  "values" and "isnull" are those of the index.  If
 * the payload is too large for a page, raise an error.
 */
extern IndexTuple spq_rtree_form_payload(Relation index, TupleDesc descriptor,
										 Datum *values, bool *isnull);

/*
 * Return the payload of an entry of a leaf, or NULL if it has the wrong size or is not
 * within the page.
 */
extern IndexTuple spq_rtree_find_payload(Page page, int entry);

/* Return the layout flags that all leaves of an index have, except FLOATS. */
extern uint16 spq_rtree_leaf_flags(Relation index);

/* The same with FLOATS, for the first leaf of a new index. */
extern uint16 spq_rtree_new_leaf_flags(Relation index);

#endif							/* SPQ_RTREE_KEYS_PAYLOAD_H */
