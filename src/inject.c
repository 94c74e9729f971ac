/*-------------------------------------------------------------------------
 *
 * inject.c
 *	  For tests: errors, crashes and delays at certain points.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "inject.h"

#ifdef USE_ASSERT_CHECKING

#include <signal.h>
#include <unistd.h>

#include "access/xlog.h"
#include "common/pg_prng.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/guc.h"

static char *inject = NULL;

/* Define the setting. */
void
spq_inject_init(void)
{
	DefineCustomStringVariable("spqtree.inject",
							   "Errors, crashes and delays for tests.",
							   NULL,
							   &inject,
							   "",
							   PGC_SUSET,
							   GUC_NOT_IN_SAMPLE,
							   NULL, NULL, NULL);
}

/*
 * Find the next item about a point in a list, and advance the list past it.
 * Return false if there is none.
 */
static bool
next_item(const char **list, const char *point, char *action, int *number)
{
	Size		length = strlen(point);

	while (*list != NULL && **list != '\0')
	{
		const char *item = *list;

		*list = strchr(item, ',');
		if (*list != NULL)
			*list += 1 + strspn(*list + 1, " ");
		if (strncmp(item, point, length) == 0 &&
			sscanf(item + length, " %15s %d", action, number) == 2)
			return true;
	}
	return false;
}

/*
 * Wait until nobody holds an advisory lock, as taken by
 * pg_advisory_lock(bigint).
 */
static void
wait_for_advisory_lock(int number)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, number, 1);
	(void) LockAcquire(&tag, ShareLock, false, false);
	LockRelease(&tag, ShareLock, false);
}

/* Do what the setting says about a point.  The caller may hold locks. */
void
spq_inject(const char *point)
{
	const char *list = inject;
	char		action[16];
	int			number;

	while (next_item(&list, point, action, &number))
	{
		if (strcmp(action, "wait") == 0)
			wait_for_advisory_lock(number);
		else if (pg_prng_uint64(&pg_global_prng_state) % number != 0)
			continue;
		else if (strcmp(action, "error") == 0)
			ereport(ERROR,
					(errcode(ERRCODE_TRIGGERED_ACTION_EXCEPTION),
					 errmsg("injected error at point \"%s\"", point)));
		else if (strcmp(action, "crash") == 0)
		{
			XLogFlush(XactLastRecEnd);
			kill(getpid(), SIGKILL);
		}
		else
			pg_usleep(20000);
	}
}

/* Return whether a page with this number of entries counts as full. */
bool
spq_inject_full(int count)
{
	const char *list = inject;
	char		action[16];
	int			number;

	return next_item(&list, "page", action, &number) && strcmp(action, "full") == 0 &&
		count >= number;
}

#endif							/* USE_ASSERT_CHECKING */
