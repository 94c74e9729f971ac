/*-------------------------------------------------------------------------
 *
 * tuple.c
 *	  Columns and index tuples of rows, for index-only scans.
 *
 * Without other columns, a tuple consists of the row's TID and the image of its
 * key, with which its ends begin.  With INCLUDE columns, the leaf has an index
 * tuple of these alone, the payload, and the key is inserted before its data:
 *
 *		payload			| header, nulls of 2.. |		| data of 2.. |
 *		index tuple		| header, nulls of 1.. | image	| data of 2.. |
 *
 * All of these spans are MAXALIGNed, so the alignment stays.
 *
 * In an index with several key columns the tuple is formed from all of them.
 * The scalars, which come first, are in the payload, or in an exact code.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/keys/code.h"
#include "rtree/keys/payload.h"
#include "rtree/scan/tuple.h"
#include "rtree/store/buffer.h"

StaticAssertDecl(sizeof(float8) % MAXIMUM_ALIGNOF == 0,
				 "the key does not change the alignment of what follows");
StaticAssertDecl(SPQ_RTREE_TUPLE_SIZE <= INDEX_SIZE_MASK,
				 "an index tuple can have the largest payload");

static IndexTuple
get_payload(Relation index, Page page, BlockNumber block, int entry)
{
	IndexTuple	payload = spq_rtree_find_payload(page, entry);

	if (payload == NULL)
		spq_rtree_damaged(index, block, "a row has no INCLUDE columns");
	return payload;
}

/* Set the bitmap of nulls: a bit for the key, then those of the payload. */
static void
set_nulls(IndexTuple tuple, bool has_key, IndexTuple payload)
{
	uint8	   *bits = (uint8 *) (tuple + 1);
	const uint8 *more = payload && IndexTupleHasNulls(payload) ?
		(const uint8 *) (payload + 1) : NULL;
	uint8		carry = has_key ? 1 : 0;

	for (size_t byte = 0; byte < sizeof(IndexAttributeBitMapData); byte++)
	{
		uint8		here = more ? more[byte] : 0xFF;

		bits[byte] = (here << 1) | carry;
		carry = here >> 7;
	}
}

/*
 * Set the columns of an entry of a leaf, which is the block's page or a copy of it.  They
 * are in the page, or in "key", which has room for the ends.
 */
void
spq_rtree_row_values(const SpqRtreeScan *state, Relation index, Page page, BlockNumber block,
					 int entry, float8 *key, Datum *values, bool *isnull)
{
	int			box = state->coder.nscalars,
				spatial = spq_rtree_spatial_columns(index);
	bool		has_key = state->returns_key &&
		!(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS);

	if (state->wide)
	{
		int			natts = state->payload_desc->natts;

		index_deform_tuple(get_payload(index, page, block, entry), state->payload_desc,
						   values, isnull);
		memmove(&values[box + spatial], &values[box], (natts - box) * sizeof(values[0]));
		memmove(&isnull[box + spatial], &isnull[box], (natts - box) * sizeof(isnull[0]));
	}
	else if (box > 0)
	{
		float8		code = spq_rtree_code(page, entry);

		for (int column = 0; column < box; column++)
			values[column] = spq_rtree_decode(&state->coder, code, column, &isnull[column]);
	}
	if (has_key)
		spq_rtree_get_ends(spq_rtree_layout(page), spq_rtree_group(page, entry / SPQ_RTREE_GROUP),
						   entry % SPQ_RTREE_GROUP, key);
	for (int column = box; column < box + spatial; column++)
	{
		values[column] = PointerGetDatum(key);
		isnull[column] = !has_key;
	}
}

/* Form the index tuple of an entry of an index with several key columns. */
static Size
form_keyed_tuple(const SpqRtreeScan *state, Relation index, Page page, BlockNumber block,
				 int entry, char *place)
{
	float8		key[SPQ_RTREE_ENDS];
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];
	IndexTuple	tuple;
	Size		size;

	spq_rtree_row_values(state, index, page, block, entry, key, values, isnull);
	tuple = index_form_tuple(RelationGetDescr(index), values, isnull);
	tuple->t_tid = *spq_rtree_tid(page, entry);
	size = IndexTupleSize(tuple);
	if (size > SPQ_RTREE_TUPLE_SIZE)
		spq_rtree_damaged(index, block, "a row is too large");
	memcpy(place, tuple, size);
	pfree(tuple);
	return size;
}

/*
 * Form the index tuple of an entry of a leaf, which is the block's page or a
 * copy of it.  Return its size.
 */
Size
spq_rtree_form_tuple(const SpqRtreeScan *state, Relation index, Page page,
					 BlockNumber block, int entry, char *place)
{
	const SpqRtreeColumn *columns = spq_rtree_group_columns(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	IndexTuple	tuple = (IndexTuple) place;
	bool		has_key = state->returns_key &&
		!(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS);
	IndexTuple	payload;
	uint16		info;
	Size		size;

	if (IndexRelationGetNumberOfKeyAttributes(index) > 1)
		return form_keyed_tuple(state, index, page, block, entry, place);
	payload = state->wide ? get_payload(index, page, block, entry) : NULL;
	info = payload ? payload->t_info & (INDEX_NULL_MASK | INDEX_VAR_MASK) : 0;
	if (!has_key)
		info |= INDEX_NULL_MASK;
	size = IndexInfoFindDataOffset(info);
	if (info & INDEX_NULL_MASK)
		set_nulls(tuple, has_key, payload);
	if (has_key)
	{
		float8	   *ends = (float8 *) (place + size);

		for (int end = 0; end < state->key_size / (int) sizeof(float8); end++)
			ends[end] = columns[end][i];
		size += state->key_size;
	}
	if (payload)
	{
		Size		start = IndexInfoFindDataOffset(payload->t_info);

		memcpy(place + size, (const char *) payload + start,
			   IndexTupleSize(payload) - start);
		size += IndexTupleSize(payload) - start;
	}
	tuple->t_tid = *spq_rtree_tid(page, entry);
	tuple->t_info = info | size;
	return size;
}
