/*-------------------------------------------------------------------------
 *
 * replay.c
 *	  Waiting for the replay of a change.  See replay.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "miscadmin.h"

#include "quadtree_pages/replay.h"

/* Return the replay position.  Outside recovery, return the largest LSN. */
XLogRecPtr
spq_page_replayed(void)
{
	return RecoveryInProgress() ? GetXLogReplayRecPtr(NULL) : PG_UINT64_MAX;
}

/*
 * Wait until a change has been replayed.  Return false if replay makes no
 * progress for so long that there may be no such change: a damaged page can
 * have any LSN.
 */
bool
spq_page_wait_for_replay(SpqPageReader *reader, XLogRecPtr change)
{
	XLogRecPtr	replayed = spq_page_replayed();

	while (replayed < change)
	{
		XLogRecPtr	before = replayed;

		if (reader->stall_ms <= 0)
			return false;
		CHECK_FOR_INTERRUPTS();
		pg_usleep(1000L);
		replayed = spq_page_replayed();
		if (replayed == before)
			reader->stall_ms--;
	}
	return true;
}
