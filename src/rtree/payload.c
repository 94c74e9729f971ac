/*-------------------------------------------------------------------------
 *
 * payload.c
 *	  The INCLUDE columns of a row.  See payload.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/page.h"
#include "rtree/payload.h"

TupleDesc
spq_rtree_payload_descriptor(Relation index)
{
	TupleDesc	all = RelationGetDescr(index);
	TupleDesc	descriptor;

	if (all->natts == 1)
		return NULL;
	descriptor = CreateTemplateTupleDesc(all->natts - 1);
	for (int i = 1; i < all->natts; i++)
		TupleDescCopyEntry(descriptor, i, all, i + 1);
	return descriptor;
}

IndexTuple
spq_rtree_form_payload(Relation index, TupleDesc descriptor, Datum *values, bool *isnull)
{
	IndexTuple	payload;

	if (descriptor == NULL)
		return NULL;
	payload = index_form_tuple(descriptor, values + 1, isnull + 1);
	if (IndexTupleSize(payload) > SPQ_RTREE_PAYLOAD_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("INCLUDE columns of an index row require %zu bytes, maximum size is %d",
						IndexTupleSize(payload), SPQ_RTREE_PAYLOAD_MAX),
				 errdetail("The index is \"%s\".", RelationGetRelationName(index)),
				 errhint("Values that are too large cannot be included in an index.")));
	return payload;
}
