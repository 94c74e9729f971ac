/*-------------------------------------------------------------------------
 *
 * payload.h
 *	  The INCLUDE columns of a row: an index tuple of these columns alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAYLOAD_H
#define SPQ_RTREE_PAYLOAD_H

#include "access/itup.h"
#include "utils/rel.h"

/*
 * Return the descriptor of payloads, allocated in the current memory context,
 * or NULL if the index has no INCLUDE columns.  Attribute i of it is attribute
 * i + 1 of the index.
 */
extern TupleDesc spq_rtree_payload_descriptor(Relation index);

/*
 * Return the payload of a row, allocated in the current memory context, or NULL
 * if the descriptor is.  Values and isnull are those of the index, beginning
 * with its key.  A payload too large for a page raises an error.
 */
extern IndexTuple spq_rtree_form_payload(Relation index, TupleDesc descriptor,
										 Datum *values, bool *isnull);

#endif							/* SPQ_RTREE_PAYLOAD_H */
