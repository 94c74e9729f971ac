/*-------------------------------------------------------------------------
 *
 * inject.c
 *	  For tests: errors, crashes, delays and orders of steps at certain points.
 *
 * For the action "step", shared memory has the state of a few sessions:
 *
 *		RUNNING		it runs, or waits for a lock or a pin, or has not begun
 *		STOPPED		it waits at a point until the controller lets it go on
 *		ENDED		it has called spq_inject_end()
 *
 * The controller lets one session go on, and waits until all sessions are at rest:
 * stopped, ended, or blocked by another session.  Whether a session is blocked is
 * seen from its PGPROC; it takes no time limit.  A session that holds page locks may
 * stop, because a latch can be waited for while interrupts are held off.
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
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

/* The number of sessions whose steps a controller can order. */
#define SESSIONS	8

/* After this many milliseconds the controller takes a session to hang. */
#define PATIENCE	60000

/* The wait event of a cleanup lock, and in 19 the class of page locks, too. */
#define WAITS_FOR_PIN	0x04000000U
#define WAIT_CLASS		0xFF000000U

typedef enum StepState
{
	RUNNING,
	STOPPED,
	ENDED
} StepState;

typedef struct Stepped
{
	PGPROC	   *proc;			/* NULL if it has not come to rest yet */
	volatile int state;
	char		point[32];		/* if it is stopped: where */
} Stepped;

typedef struct Steps
{
	Latch	   *controller;		/* set whenever a session changes state */
	Stepped		session[SESSIONS];
} Steps;

static char *inject = NULL;

/* Define the setting. */
void
spq_inject_init(void)
{
	DefineCustomStringVariable("spqtree.inject",
							   "Errors, crashes, delays and orders of steps for tests.",
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

/* Return the state of all sessions, which is in shared memory. */
static Steps *
shared_steps(void)
{
	static Steps *steps = NULL;

	if (steps == NULL)
	{
		bool		found;

		LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
		steps = ShmemInitStruct("spqtree steps", sizeof(Steps), &found);
		if (!found)
			memset(steps, 0, sizeof(Steps));
		LWLockRelease(AddinShmemInitLock);
	}
	return steps;
}

static Stepped *
stepped_session(int number)
{
	if (number < 0 || number >= SESSIONS)
		elog(ERROR, "sessions have numbers from 0 to %d", SESSIONS - 1);
	return &shared_steps()->session[number];
}

/* Change the state of this session, and wake the controller. */
static void
come_to_rest(Stepped *self, StepState state)
{
	Steps	   *steps = shared_steps();

	self->proc = MyProc;
	pg_write_barrier();
	self->state = state;
	pg_memory_barrier();
	if (steps->controller)
		SetLatch(steps->controller);
}

/*
 * Stop at a point until the controller lets this session go on.  The block is that
 * of the page about to be locked, or InvalidBlockNumber.
 */
static void
stop_at(const char *point, BlockNumber block, int number)
{
	Stepped    *self = stepped_session(number);

	if (BlockNumberIsValid(block))
		snprintf(self->point, sizeof(self->point), "%s %u", point, block);
	else
		strlcpy(self->point, point, sizeof(self->point));
	come_to_rest(self, STOPPED);
	for (;;)
	{
		ResetLatch(MyLatch);
		if (self->state != STOPPED)
			break;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, -1, PG_WAIT_EXTENSION);
		CHECK_FOR_INTERRUPTS();
	}
}

/*
 * Return whether a session waits for what another one holds.  Its wait event alone
 * does not tell, because it remains until the session, after it was woken, runs.
 */
static bool
is_blocked(PGPROC * proc)
{
	uint32		event = *(volatile uint32 *) &proc->wait_event_info;
	bool		waits_for_page = (event & WAIT_CLASS) == WAITS_FOR_PIN;

	if (proc->waitStatus == PROC_WAIT_STATUS_WAITING)
		return true;
	if (event == WAITS_FOR_PIN)
		return !proc->procLatch.is_set;
#if PG_VERSION_NUM < 190000
	waits_for_page = event == (PG_WAIT_LWLOCK | LWTRANCHE_BUFFER_CONTENT);
#endif

	/* 1: since 16, LW_WS_WAITING; 0 and 2 are for a session that was woken */
	return waits_for_page && *(volatile uint8 *) &proc->lwWaiting == 1;
}

static bool
is_at_rest(const Stepped *session)
{
	int			state = session->state;

	pg_read_barrier();
	if (state == STOPPED)
		return true;
	if (session->proc == NULL)
		return false;

	/* its last transaction has ended, too, if it waits for its client */
	if (state == ENDED)
		return session->proc->wait_event_info == WAIT_EVENT_CLIENT_READ;
	return is_blocked(session->proc);
}

PG_FUNCTION_INFO_V1(spq_inject_begin);
PG_FUNCTION_INFO_V1(spq_inject_go);
PG_FUNCTION_INFO_V1(spq_inject_end);

/* spq_inject_begin() returns void: become the controller.  No session has begun. */
Datum
spq_inject_begin(PG_FUNCTION_ARGS)
{
	Steps	   *steps = shared_steps();

	for (int i = 0; i < SESSIONS; i++)
		steps->session[i].state = RUNNING;
	steps->controller = MyLatch;
	PG_RETURN_VOID();
}

/*
 * spq_inject_end(session int) returns void: the session has no more steps.  It calls
 * this before its first order, too, so that its PGPROC is known.
 */
Datum
spq_inject_end(PG_FUNCTION_ARGS)
{
	come_to_rest(stepped_session(PG_GETARG_INT32(0)), ENDED);
	PG_RETURN_VOID();
}

/*
 * spq_inject_go(session int, begun int) returns text: let a session go on, or
 * none if it is NULL, because a session has just begun.  When all sessions that have
 * begun, which are the bits of "begun", are at rest, return for each its point, "blocked" or "ended", with commas
 * between them.
 *
 * The controller should be in another database than the sessions, so that its
 * snapshot does not keep VACUUM from removing rows.
 */
Datum
spq_inject_go(PG_FUNCTION_ARGS)
{
	Stepped    *chosen = PG_ARGISNULL(0) ? NULL : stepped_session(PG_GETARG_INT32(0));
	int			begun = PG_GETARG_INT32(1);
	Steps	   *steps = shared_steps();
	TimestampTz start = GetCurrentTimestamp();
	StringInfoData result;

	if (chosen != NULL && chosen->state == STOPPED)
	{
		chosen->state = RUNNING;
		pg_memory_barrier();
		SetLatch(&chosen->proc->procLatch);
	}

	/*
	 * twice: the first time, a session that was seen blocked may have been
	 * woken since
	 */
	for (int i = 0; i < 2 * SESSIONS;)
	{
		int			number = i % SESSIONS;

		if ((begun & (1 << number)) == 0 || is_at_rest(&steps->session[number]))
		{
			i++;
			continue;
		}
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		if (TimestampDifferenceExceeds(start, GetCurrentTimestamp(), PATIENCE))
			elog(ERROR, "session %d does not come to rest", number);
		i = 0;
	}

	initStringInfo(&result);
	for (int i = 0; i < SESSIONS; i++)
	{
		const Stepped *session = &steps->session[i];

		if ((begun & (1 << i)) == 0)
			continue;
		if (result.len > 0)
			appendStringInfoChar(&result, ',');
		appendStringInfoString(&result, session->state == STOPPED ? session->point :
							   session->state == ENDED ? "ended" : "blocked");
	}
	PG_RETURN_TEXT_P(cstring_to_text_with_len(result.data, result.len));
}

/* Do what the setting says about a point.  The caller may hold locks. */
static void
pass(const char *point, BlockNumber block)
{
	const char *list = inject;
	char		action[16];
	int			number;

	while (next_item(&list, point, action, &number))
	{
		if (strcmp(action, "wait") == 0)
			wait_for_advisory_lock(number);
		else if (strcmp(action, "step") == 0)
			stop_at(point, block, number);
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

void
spq_inject(const char *point)
{
	pass(point, InvalidBlockNumber);
}

/* Pass the point "lock", before a lock of this page is requested. */
void
spq_inject_lock(BlockNumber block)
{
	pass("lock", block);
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
