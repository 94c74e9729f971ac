/*-------------------------------------------------------------------------
 *
 * waiting.c
 *	  Rows of a leaf that wait to be returned.
 *
 * A scan takes all matching rows out of a leaf while it has the page's lock, and
 * returns them later.  README.md, VACUUM, says when it has to keep the pin until
 * then.
 *
 * An index-only scan is given index tuples.  That of an index without INCLUDE
 * columns is the row's TID and ends.  With them, the leaf has an index tuple of
 * the INCLUDE columns alone, and the key goes in front of its data:
 *
 *		payload			| header, nulls of 2.. |		| data of 2.. |
 *		index tuple		| header, nulls of 1.. | ends	| data of 2.. |
 *
 * All of these parts are MAXALIGNed, so that alignment stays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/itup.h"
#include "port/pg_bitutils.h"

#include "rtree/buffer.h"
#include "rtree/scan.h"

#define ENDS_SIZE	(SPQ_RTREE_ENDS * sizeof(float8))

StaticAssertDecl(ENDS_SIZE % MAXIMUM_ALIGNOF == 0,
				 "the key does not change the alignment of what follows");

/* What the key may add to a payload: a bitmap of nulls and the ends. */
#define KEY_SIZE	(MAXALIGN(sizeof(IndexAttributeBitMapData)) + ENDS_SIZE)

/* Room for the index tuples of a leaf: headers, payloads, and keys. */
#define TUPLES_SIZE \
	(BLCKSZ + SPQ_RTREE_LEAF_MAX * (MAXALIGN(sizeof(IndexTupleData)) + KEY_SIZE))

StaticAssertDecl(TUPLES_SIZE <= PG_UINT16_MAX || BLCKSZ > 8192,
				 "an offset of an index tuple fits its type");

/* Prepare for the rows of a first leaf. */
void
spq_rtree_waiting_init(IndexScanDesc scan, SpqRtreeWaiting *waiting)
{
	waiting->pin = InvalidBuffer;
	waiting->count = 0;
	waiting->ndead = 0;
	waiting->tuples = scan->xs_want_itup ? palloc(TUPLES_SIZE) : NULL;
}

/* Copy the ends of an entry. */
static inline void
copy_ends(const SpqRtreeLeafGroup *group, int i, float8 *ends)
{
	for (int end = 0; end < SPQ_RTREE_ENDS; end++)
		ends[end] = group->ends[end][i];
}

/*
 * Form the index tuple of a row with a key, and of its payload, if any.  Return
 * its size.
 */
static Size
form_tuple(const SpqRtreeLeafGroup *group, int i, bool has_key, IndexTuple payload,
		   char *place)
{
	IndexTuple	tuple = (IndexTuple) place;
	uint16		info = payload ? payload->t_info & (INDEX_NULL_MASK | INDEX_VAR_MASK) : 0;
	Size		size;

	tuple->t_tid = group->tid[i];
	if (!has_key)
		info |= INDEX_NULL_MASK;
	size = IndexInfoFindDataOffset(info);

	if (info & INDEX_NULL_MASK)
	{
		bits8	   *bits = (bits8 *) (tuple + 1);
		const bits8 *more = payload && IndexTupleHasNulls(payload) ?
			(const bits8 *) (payload + 1) : NULL;
		bits8		carry = has_key ? 1 : 0;

		for (size_t byte = 0; byte < sizeof(IndexAttributeBitMapData); byte++)
		{
			bits8		here = more ? more[byte] : 0xFF;

			bits[byte] = (here << 1) | carry;
			carry = here >> 7;
		}
	}
	if (has_key)
	{
		copy_ends(group, i, (float8 *) (place + size));
		size += ENDS_SIZE;
	}
	if (payload)
	{
		Size		start = IndexInfoFindDataOffset(payload->t_info);

		memcpy(place + size, (const char *) payload + start,
			   IndexTupleSize(payload) - start);
		size += IndexTupleSize(payload) - start;
	}
	tuple->t_info = info | size;
	return size;
}

/* Return the payload of an entry, after a look at whether it is within the page. */
static IndexTuple
get_payload(IndexScanDesc scan, Buffer buffer, const SpqRtreeLeafGroup *group, int i)
{
	Page		page = BufferGetPage(buffer);
	Size		offset = ((const SpqRtreeWideGroup *) group)->payload[i];
	IndexTuple	payload = (IndexTuple) ((char *) page + offset);

	if (offset < ((PageHeader) page)->pd_upper || offset != MAXALIGN(offset) ||
		offset + sizeof(IndexTupleData) > ((PageHeader) page)->pd_special ||
		offset + IndexTupleSize(payload) > ((PageHeader) page)->pd_special ||
		IndexTupleSize(payload) < IndexInfoFindDataOffset(payload->t_info))
		spq_rtree_damaged(scan->indexRelation, BufferGetBlockNumber(buffer),
						  "it has no room for the columns of a row");
	return payload;
}

/* Take the matching rows out of a leaf, which is pinned and locked. */
void
spq_rtree_take_rows(IndexScanDesc scan, Buffer buffer, const uint8 *matches,
					SpqRtreeWaiting *waiting)
{
	const SpqRtreeScan *state = scan->opaque;
	Page		page = BufferGetPage(buffer);
	bool		has_key = state->returns_key &&
		!(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page)),
				count = 0;
	Size		size = 0;

	waiting->block = BufferGetBlockNumber(buffer);
	waiting->lsn = BufferGetLSNAtomic(buffer);
	for (int g = 0; g < ngroups; g++)
	{
		const SpqRtreeLeafGroup *group = spq_rtree_leaf_group(page, g);

		for (uint32 left = matches[g]; left != 0; left &= left - 1)
		{
			int			i = pg_rightmost_one_pos32(left);

			waiting->tid[count] = group->tid[i];
			waiting->entry[count] = g * SPQ_RTREE_GROUP + i;
			if (waiting->tuples)
			{
				waiting->offset[count] = size;
				if (has_key && !state->wide)
				{
					/* the usual case */
					IndexTuple	tuple = (IndexTuple) (waiting->tuples + size);

					tuple->t_tid = group->tid[i];
					tuple->t_info = MAXALIGN(sizeof(IndexTupleData)) + ENDS_SIZE;
					copy_ends(group, i,
							  (float8 *) ((char *) tuple + MAXALIGN(sizeof(IndexTupleData))));
					size += MAXALIGN(sizeof(IndexTupleData)) + ENDS_SIZE;
				}
				else
					size += form_tuple(group, i, has_key,
									   state->wide ? get_payload(scan, buffer, group, i) : NULL,
									   waiting->tuples + size);
			}
			count++;
		}
	}
	waiting->count = count;
}

/* Let a row be the scan's current one. */
void
spq_rtree_return_row(IndexScanDesc scan, SpqRtreeWaiting *waiting, int row)
{
	scan->xs_heaptid = waiting->tid[row];
	if (waiting->tuples)
		scan->xs_itup = (IndexTuple) (waiting->tuples + waiting->offset[row]);
	scan->xs_recheck = false;
}

/* Note that the executor found a row dead to all. */
void
spq_rtree_note_dead(SpqRtreeWaiting *waiting, int row)
{
	Assert(waiting->ndead < waiting->count);
	waiting->dead[waiting->ndead++] = row;
}

/*
 * Set the bits of rows that are dead.  That the TID is still in its place says
 * that the row is the same if VACUUM has not been here: the page was pinned all
 * the time, or has not changed.  (An entry may have moved by a split; then it is
 * not marked.)
 */
static void
mark_dead(IndexScanDesc scan, SpqRtreeWaiting *waiting)
{
	Buffer		buffer = waiting->pin;
	Page		page;
	bool		marked = false;

	if (!BufferIsValid(buffer))
		buffer = ReadBuffer(scan->indexRelation, waiting->block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	page = BufferGetPage(buffer);

	if (BufferIsValid(waiting->pin) || BufferGetLSNAtomic(buffer) == waiting->lsn)
	{
		for (int i = 0; i < waiting->ndead; i++)
		{
			int			row = waiting->dead[i];
			int			entry = waiting->entry[row];

			if (entry < spq_rtree_count(page) &&
				ItemPointerEquals(spq_rtree_tid(page, entry), &waiting->tid[row]))
			{
				spq_rtree_leaf_group(page, entry / SPQ_RTREE_GROUP)->dead |=
					1 << entry % SPQ_RTREE_GROUP;
				marked = true;
			}
		}
		if (marked)
			MarkBufferDirtyHint(buffer, true);
	}

	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (!BufferIsValid(waiting->pin))
		ReleaseBuffer(buffer);
}

/* Have done with the rows of a leaf. */
void
spq_rtree_leave_leaf(IndexScanDesc scan, SpqRtreeWaiting *waiting)
{
	if (waiting->ndead > 0)
		mark_dead(scan, waiting);
	if (BufferIsValid(waiting->pin))
		ReleaseBuffer(waiting->pin);
	waiting->pin = InvalidBuffer;
	waiting->count = 0;
	waiting->ndead = 0;
}
