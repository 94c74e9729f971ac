/*-------------------------------------------------------------------------
 *
 * statements.c
 *	  What to do about the statements on which the current role has spent most time.
 *
 * pg_stat_statements has the texts.  Each is planned as a query that is given to
 * spqtree_advise, and planning evaluates functions.  So only statements that this
 * very role sent to the server are planned, with the names and rights of today: it
 * could send them again.
 *
 * Many of them cannot be planned: a table is gone, or the text, which has $1 instead
 * of its constants, has lost their types.  Each is planned in a subtransaction, which
 * is rolled back, and takes its locks with it.  None is waited for.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "advise/advise.h"

/* The number of statements that are planned. */
#define MOST_STATEMENTS 100

#define LOCK_TIMEOUT "100ms"

/* A statement, as pg_stat_statements has it. */
typedef struct Statement
{
	char	   *id;
	char	   *query;
	char	   *calls;
	double		total;			/* in milliseconds */
} Statement;

static void
set_locally(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * Run something in a subtransaction, and roll that back.  Return what it returns, or
 * NIL if it fails.
 */
static List *
try_to(List *(*run) (const void *arg), const void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	int			level = NewGUCNestLevel();
	ErrorData  *volatile error = NULL;
	List	   *volatile result = NIL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		set_locally("lock_timeout", LOCK_TIMEOUT);
		result = run(arg);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
	}
	PG_END_TRY();
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	AtEOXact_GUC(false, level);
	if (error && error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		ReThrowError(error);
	return result;
}

/* Return the schema of pg_stat_statements, or NULL if it is not there. */
static char *
find_schema(void)
{
	if (SPI_execute("SELECT pg_catalog.quote_ident(n.nspname)"
					" FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace"
					" WHERE e.extname = 'pg_stat_statements'", true, 1) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	return SPI_processed == 0 ? NULL :
		SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
}

/*
 * Return the statements, those that took most time first.  Before version 1.9,
 * statements within functions cannot be told apart: there is no column "toplevel".
 */
static List *
read_statements(const void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	List	   *result = NIL;
	char	   *schema;

	set_locally("search_path", "pg_catalog, pg_temp");
	SPI_connect();
	schema = find_schema();
	if (schema &&
		SPI_execute(psprintf("SELECT s.queryid, s.query, s.calls, s.total_exec_time"
							 " FROM %s.pg_stat_statements AS s"
							 " WHERE s.dbid = %u AND s.userid = %u AND s.toplevel AND s.query IS NOT NULL"
							 " ORDER BY s.total_exec_time DESC, s.queryid LIMIT %d",
							 schema, MyDatabaseId, GetUserId(), MOST_STATEMENTS), true, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; schema && i < SPI_processed; i++)
	{
		MemoryContext before = MemoryContextSwitchTo(context);
		HeapTuple	tuple = SPI_tuptable->vals[i];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		Statement  *statement = palloc(sizeof(Statement));
		bool		isnull;

		statement->id = SPI_getvalue(tuple, desc, 1);
		statement->query = SPI_getvalue(tuple, desc, 2);
		statement->calls = SPI_getvalue(tuple, desc, 3);
		statement->total = DatumGetFloat8(SPI_getbinval(tuple, desc, 4, &isnull));
		result = lappend(result, statement);
		MemoryContextSwitchTo(before);
	}
	SPI_finish();
	return result;
}

static List *
plan(const void *query)
{
	return spq_advise_plan(spq_advise_typed_literals(query));
}

static char *
time_of(double milliseconds)
{
	return milliseconds < 10 ? psprintf("%.1f ms", milliseconds) :
		milliseconds < 10000 ? psprintf("%.0f ms", milliseconds) :
		psprintf("%.0f s", milliseconds / 1000);
}

/* Return whether one of the lines gives the same advice. */
static bool
is_advised(const List *lines, const char *advice)
{
	ListCell   *lc;

	foreach(lc, lines)
	{
		if (strcmp(((SpqAdviseLine *) lfirst(lc))->advice, advice) == 0)
			return true;
	}
	return false;
}

/*
 * Return lines for the statements about which there is something to do.  Advice for
 * several is given once, for that which took most time.
 */
List *
spq_advise_statements(void)
{
	List	   *statements = try_to(read_statements, NULL),
			   *result = NIL;
	MemoryContext planning = AllocSetContextCreate(CurrentMemoryContext, "spqtree advice",
												   ALLOCSET_DEFAULT_SIZES),
				context = CurrentMemoryContext;
	ListCell   *lc1,
			   *lc2;

	foreach(lc1, statements)
	{
		const Statement *statement = lfirst(lc1);
		List	   *lines;

		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(planning);
		lines = try_to(plan, statement->query);
		MemoryContextSwitchTo(context);
		foreach(lc2, lines)
		{
			const SpqAdviseLine *line = lfirst(lc2);
			SpqAdviseLine *copy;

			if (line->advice == NULL || is_advised(result, line->advice))
				continue;
			copy = palloc(sizeof(SpqAdviseLine));
			copy->relation = line->relation;
			copy->object = psprintf("query %s: %s", statement->id, line->object);
			copy->finding = psprintf("%s; %s %s took %s", line->finding, statement->calls,
									 strcmp(statement->calls, "1") == 0 ? "call" : "calls",
									 time_of(statement->total));
			copy->advice = pstrdup(line->advice);
			result = lappend(result, copy);
		}
		MemoryContextReset(planning);
	}
	MemoryContextDelete(planning);
	return result;
}
