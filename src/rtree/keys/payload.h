/*-------------------------------------------------------------------------
 *
 * payload.h
 *	  The columns of a row but for the box: an index tuple of these columns alone.
 *
 * An index has payloads if it has INCLUDE columns, or scalar columns whose code does
 * not say all of them (code.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_KEYS_PAYLOAD_H
#define SPQ_RTREE_KEYS_PAYLOAD_H

#include "access/itup.h"
#include "utils/rel.h"

/*
 * Return the descriptor of payloads, allocated in the current memory context,
 * or NULL if the index has none.  Attributes are those of the index without the
 * box, and have the numbers that they have there.
 */
extern TupleDesc spq_rtree_payload_descriptor(Relation index);

/*
 * Return the payload of a row, allocated in the current memory context, or NULL
 * if the descriptor is.  Values and isnull are those of the index.  A payload too
 * large for a page raises an error.
 */
extern IndexTuple spq_rtree_form_payload(Relation index, TupleDesc descriptor,
										 Datum *values, bool *isnull);

/* Return the flags that all leaves of an index have. */
extern uint16 spq_rtree_leaf_flags(Relation index);

#endif							/* SPQ_RTREE_KEYS_PAYLOAD_H */
