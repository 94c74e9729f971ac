/*-------------------------------------------------------------------------
 *
 * payload.c
 *	  The columns of a row other than the box.  See payload.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "rtree/class/class.h"
#include "rtree/extension_class/extension_class.h"
#include "rtree/keys/code.h"
#include "rtree/keys/payload.h"
#include "rtree/page/page.h"

/* Return whether the code of a row determines its scalars. */
static bool
code_is_exact(Relation index)
{
	SpqRtreeCoder coder;

	spq_rtree_coder_init(&coder, index);
	return coder.exact;
}

uint16
spq_rtree_leaf_flags(Relation index)
{
	bool		keyed = spq_rtree_has_scalars(index);
	uint16		flags = keyed ? SPQ_RTREE_KEYED : 0;

	if (RelationGetNumberOfAttributes(index) > IndexRelationGetNumberOfKeyAttributes(index) ||
		(keyed && !code_is_exact(index)))
		flags |= SPQ_RTREE_WIDE;
	if (spq_rtree_keeps_points(index))
		flags |= SPQ_RTREE_POINTS;
	if (spq_rtree_axes(index) == 3)
		flags |= SPQ_RTREE_THREE_AXES;
	return flags;
}

uint16
spq_rtree_new_leaf_flags(Relation index)
{
	return spq_rtree_leaf_flags(index) |
		(spq_rtree_extension_has_floats(index) ? SPQ_RTREE_FLOATS : 0);
}

TupleDesc
spq_rtree_payload_descriptor(Relation index)
{
	TupleDesc	all = RelationGetDescr(index);
	TupleDesc	descriptor;
	int			box = spq_rtree_box_column(index),
				spatial = spq_rtree_spatial_columns(index);

	if ((spq_rtree_leaf_flags(index) & SPQ_RTREE_WIDE) == 0)
		return NULL;
	descriptor = CreateTemplateTupleDesc(all->natts - spatial);
	for (int i = 1; i <= descriptor->natts; i++)
	{
		int			column = i < box ? i : i + spatial;

		TupleDescCopyEntry(descriptor, i, all, column);
		TupleDescAttr(descriptor, i - 1)->attnum = column;
	}
	spq_finalize_descriptor(descriptor);
	return descriptor;
}

IndexTuple
spq_rtree_form_payload(Relation index, TupleDesc descriptor, Datum *values, bool *isnull)
{
	int			scalars = spq_rtree_box_column(index) - 1,
				spatial = spq_rtree_spatial_columns(index);
	Datum		columns[INDEX_MAX_KEYS] = {0};	/* for the compiler */
	bool		nulls[INDEX_MAX_KEYS] = {0};
	IndexTuple	payload;
	Size		most;

	if (descriptor == NULL)
		return NULL;
	most = spq_rtree_payload_max(spq_rtree_leaf_flags(index));
	for (int i = 0; i < descriptor->natts; i++)
	{
		int			column = i < scalars ? i : i + spatial;

		columns[i] = values[column];
		nulls[i] = isnull[column];
	}
	payload = index_form_tuple(descriptor, columns, nulls);
	if (IndexTupleSize(payload) > most)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 scalars > 0 ?
				 errmsg("columns of an index row other than the spatial one require %zu bytes, maximum size is %zu",
						IndexTupleSize(payload), most) :
				 errmsg("INCLUDE columns of an index row require %zu bytes, maximum size is %zu",
						IndexTupleSize(payload), most),
				 errdetail("The index is \"%s\".", RelationGetRelationName(index)),
				 errhint("Store shorter values, or remove columns from the index.")));
	return payload;
}

IndexTuple
spq_rtree_find_payload(Page page, int entry)
{
	IndexTuple	payload = spq_rtree_payload(page, entry);

	if (payload == NULL || IndexTupleSize(payload) < IndexInfoFindDataOffset(payload->t_info) ||
		IndexTupleSize(payload) > SPQ_RTREE_PAYLOAD_MAX)
		return NULL;
	return payload;
}
