/*-------------------------------------------------------------------------
 *
 * spool.c
 *	  Rows on disk: written once, then read from the start any number of times.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"

#include "join/bins/spool.h"

/*
 * Append an item; with "payload", its payload as well.  "context" owns the
 * file.
 */
void
spq_join_spool_write(SpqJoinSpool *spool, const SpqJoinItem *item, bool payload,
					 MemoryContext context)
{
	if (spool->file == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		spool->file = BufFileCreateTemp(false);
		MemoryContextSwitchTo(old);
	}
	spq_file_write(spool->file, item, sizeof(SpqJoinItem));
	if (payload)
	{
		SpqJoinPayload *p = spq_join_payload_of(item->ref);

		spq_file_write(spool->file, p, offsetof(SpqJoinPayload, data) + p->length);
	}
	spool->count++;
}

/*
 * Read the next item; with "payload", its payload into memory of
 * "payloads".  Return false at the end.
 */
bool
spq_join_spool_read(SpqJoinSpool *spool, SpqJoinItem *item, bool payload,
					SpqJoinPayloads *payloads)
{
	if (spool->nread == spool->count)
		return false;
	spq_file_read(spool->file, item, sizeof(SpqJoinItem));
	if (payload)
	{
		uint64		length;
		SpqJoinPayload *p;

		spq_file_read(spool->file, &length, sizeof(length));
		p = spq_join_new_payload(payloads, length);
		spq_file_read(spool->file, p->data, length);
		item->ref = (uint64) (uintptr_t) p->data;
	}
	spool->nread++;
	return true;
}

/* Continue reading at the first row.  Required between writing and reading. */
void
spq_join_spool_rewind(SpqJoinSpool *spool)
{
	if (spool->file != NULL && BufFileSeek(spool->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a temporary file of a spatial join")));
	spool->nread = 0;
}

/* Close the file, which frees its disk space. */
void
spq_join_spool_close(SpqJoinSpool *spool)
{
	if (spool->file != NULL)
		BufFileClose(spool->file);
	spool->file = NULL;
	spool->count = spool->nread = 0;
}
