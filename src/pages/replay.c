/*-------------------------------------------------------------------------
 *
 * replay.c
 *	  In recovery: have the changes of pages that were looked at been made to
 *	  the end?
 *
 * A change of several pages is one record of the log.  Who writes it has all
 * the pages locked; who replays it changes them one after the other:
 *
 *		record R of pages a, b, c		a: R	b: R	c: old
 *										replayed: up to the record before R
 *
 * Each page that has been changed says so (its LSN is where R ends), and where
 * the replay has come to is known, too, and is not beyond R before R has been
 * replayed to the end.  So pages none of which is newer than where the replay
 * had come to before the first of them was read have nothing of a change that
 * was not on all of its pages.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "miscadmin.h"

#include "pages/read_page.h"

/* Where the replay has come to; beyond everything if there is none. */
XLogRecPtr
spq_page_replayed(void)
{
	return RecoveryInProgress() ? GetXLogReplayRecPtr(NULL) : PG_UINT64_MAX;
}

/*
 * Wait until a change has been replayed.  False if the replay stands still for
 * so long that the change may be none: a page that is damaged may say anything.
 */
bool
spq_page_wait_for_replay(SpqPageReader *reader, XLogRecPtr change)
{
	XLogRecPtr	replayed = spq_page_replayed();

	while (replayed < change)
	{
		XLogRecPtr	before = replayed;

		if (reader->patience <= 0)
			return false;
		CHECK_FOR_INTERRUPTS();
		pg_usleep(1000L);
		replayed = spq_page_replayed();
		if (replayed == before)
			reader->patience--;
	}
	return true;
}
