/*-------------------------------------------------------------------------
 *
 * inject.c
 *	  For tests: errors, crashes and delays at points between records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/inject.h"

#ifdef USE_ASSERT_CHECKING

#include <signal.h>
#include <unistd.h>

#include "access/xlog.h"
#include "common/pg_prng.h"
#include "miscadmin.h"
#include "utils/guc.h"

static char *inject = NULL;

/* Define the setting. */
void
spq_rtree_inject_init(void)
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

/* Do what the setting says of a point.  Locks may be held. */
void
spq_rtree_inject(const char *point)
{
	Size		length = strlen(point);

	for (const char *item = inject; item != NULL && *item != '\0';)
	{
		char		action[16];
		int			one_in;

		if (strncmp(item, point, length) == 0 &&
			sscanf(item + length, " %15s %d", action, &one_in) == 2 &&
			pg_prng_uint64(&pg_global_prng_state) % one_in == 0)
		{
			if (strcmp(action, "error") == 0)
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
		item = strchr(item, ',');
		if (item != NULL)
			item += 1 + strspn(item + 1, " ");
	}
}

#endif							/* USE_ASSERT_CHECKING */
