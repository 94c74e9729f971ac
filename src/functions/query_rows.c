/*-------------------------------------------------------------------------
 *
 * query_rows.c
 *	  Rows (id, box) of a query given as text.
 *
 * The executor runs the query with the caller's rights, row security and
 * snapshot.  A DestReceiver of our own takes the rows out of the executor's slot.
 * SPI would copy them into tuple tables first, which takes several times as long
 * (docs/notes/functions.md).
 *
 * After an error, or when a LIMIT ends the caller early, the caller's resource
 * owner and memory context release what is left.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "functions/query_rows.h"
#include "spatial/operators.h"

#define MAX_SHOWN 200			/* bytes of a query in an error context */

/* What the second column may be. */
typedef enum BoxType
{
	BOX_TYPE_NONE,
	BOX_TYPE_BOX,
	BOX_TYPE_BOX3,
	BOX_TYPE_POINT3
} BoxType;

/* "pub" comes first: this is what a DestReceiver points to. */
typedef struct RowReceiver
{
	DestReceiver pub;
	Oid			id_type;
	BoxType		box_type;
	const char *argument;
	SpqQueryRow callback;
	void	   *arg;
} RowReceiver;

struct SpqQueryRows
{
	const char *query;
	const char *argument;		/* its name, for messages */
	PlannedStmt *plan;
	MemoryContext context;		/* lasts until the last row */
	QueryDesc  *desc;			/* NULL before the start, and after the end */
	RowReceiver receiver;
};

/* Add the query to an error, with the position of the error in it. */
static void
error_context(void *arg)
{
	SpqQueryRows *rows = arg;
	int			position = geterrposition(),
				length,
				shown;

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(rows->query);
	}
	length = strlen(rows->query);
	shown = pg_mbcliplen(rows->query, length, MAX_SHOWN);
	errcontext("%s of a spatial join: %.*s%s", rows->argument, shown, rows->query,
			   shown < length ? " ..." : "");
}

static void
push_error_context(ErrorContextCallback *callback, SpqQueryRows *rows)
{
	callback->callback = error_context;
	callback->arg = rows;
	callback->previous = error_context_stack;
	error_context_stack = callback;
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;
	const float8 *box;
	float8		corners[2][3];
	int64		id;

	slot_getsomeattrs(slot, 2);
	if (slot->tts_isnull[1])
		return true;			/* matches nothing */
	if (slot->tts_isnull[0])
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("id in the result of %s must not be null",
						receiver->argument),
				 errhint("Exclude such rows, or number the rows with row_number() OVER ().")));

	switch (receiver->id_type)
	{
		case INT2OID:
			id = DatumGetInt16(slot->tts_values[0]);
			break;
		case INT4OID:
			id = DatumGetInt32(slot->tts_values[0]);
			break;
		default:
			id = DatumGetInt64(slot->tts_values[0]);
			break;
	}
	box = (const float8 *) DatumGetPointer(slot->tts_values[1]);
	if (receiver->box_type == BOX_TYPE_POINT3)
	{
		memcpy(corners[0], box, sizeof(corners[0]));
		memcpy(corners[1], box, sizeof(corners[1]));
		box = corners[0];
	}
	receiver->callback(receiver->arg, id, box);
	return true;
}

static void
receive_start(DestReceiver *self, int operation, TupleDesc typeinfo)
{
}

static void
receive_end(DestReceiver *self)
{
}

static void
not_a_select(const char *argument)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s must be a SELECT", argument),
			 errhint("Use a SELECT that returns an id and a box.")));
}

/*
 * Tell what a type is to a join.  Points of the plane are not taken: they compare
 * exactly, and boxes with a tolerance.
 */
static BoxType
box_type_of(Oid type)
{
	static const char *const symbols[] = {"spq_box3_in", "spq_point3_in"};
	Oid			input,
				param;

	if (type == BOXOID)
		return BOX_TYPE_BOX;
	getTypeInputInfo(type, &input, &param);
	switch (spq_spatial_own_symbol(input, symbols, lengthof(symbols)))
	{
		case 0:
			return BOX_TYPE_BOX3;
		case 1:
			return BOX_TYPE_POINT3;
		default:
			return BOX_TYPE_NONE;
	}
}

/* Check that the columns are an integer and a box, or domains over these. */
static void
check_columns(SpqQueryRows *rows)
{
	TupleDesc	desc = ExecCleanTypeFromTL(rows->plan->planTree->targetlist);
	Oid			id_type;
	BoxType		box_type;

	if (desc->natts != 2)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s must return two columns, not %d",
						rows->argument, desc->natts),
				 errhint("Select an integer id and a box, in this order.")));

	id_type = getBaseType(TupleDescAttr(desc, 0)->atttypid);
	box_type = box_type_of(getBaseType(TupleDescAttr(desc, 1)->atttypid));
	if (id_type != INT2OID && id_type != INT4OID && id_type != INT8OID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first column of %s must be an integer, not %s",
						rows->argument, format_type_be(TupleDescAttr(desc, 0)->atttypid)),
				 errhint("Select an id of type smallint, integer or bigint, then a box.")));
	if (box_type == BOX_TYPE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("second column of %s must be a box, box3 or point3, not %s",
						rows->argument, format_type_be(TupleDescAttr(desc, 1)->atttypid)),
				 errhint("Convert it with box(polygon), box(point, point) or text::box; in space, with box3(lseg3) or box3(point3, point3).  Note that box(circle) is the inscribed square.")));
	rows->receiver.id_type = id_type;
	rows->receiver.box_type = box_type;
	FreeTupleDesc(desc);
}

/*
 * Parse, check and plan a query, which must be one SELECT that does not write.
 * The current memory context must last until the last row.
 */
SpqQueryRows *
spq_query_rows_plan(const char *query, const char *argument)
{
	SpqQueryRows *rows = palloc0(sizeof(SpqQueryRows));
	ErrorContextCallback callback;
	List	   *parsed;
	List	   *analyzed;
	RawStmt    *statement;

	rows->query = query;
	rows->argument = argument;
	rows->context = CurrentMemoryContext;
	push_error_context(&callback, rows);

	parsed = pg_parse_query(query);
	if (list_length(parsed) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("%s must be one statement, not %d",
						argument, list_length(parsed)),
				 errhint("Use a SELECT that returns an id and a box.")));
	statement = linitial_node(RawStmt, parsed);
	if (!IsA(statement->stmt, SelectStmt) ||
		((SelectStmt *) statement->stmt)->intoClause != NULL)
		not_a_select(argument);

	analyzed = pg_analyze_and_rewrite_fixedparams(statement, query, NULL, 0, NULL);
	if (list_length(analyzed) != 1)
		elog(ERROR, "SELECT was rewritten to %d statements", list_length(analyzed));
	/* INTO can hide in the first branch of a UNION */
	if (linitial_node(Query, analyzed)->commandType != CMD_SELECT)
		not_a_select(argument);
	rows->plan = pg_plan_query(linitial_node(Query, analyzed), query, 0, NULL);
	if (!CommandIsReadOnly(rows->plan))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s must not write or lock rows", argument),
				 errhint("Use a SELECT without FOR UPDATE, and without INSERT, UPDATE or DELETE in WITH.")));

	rows->receiver.pub.receiveSlot = receive_row;
	rows->receiver.pub.rStartup = receive_start;
	rows->receiver.pub.rShutdown = receive_end;
	rows->receiver.pub.rDestroy = receive_end;
	rows->receiver.pub.mydest = DestNone;
	rows->receiver.argument = argument;
	check_columns(rows);

	error_context_stack = callback.previous;
	return rows;
}

/* Return the number of dimensions of the boxes. */
int
spq_query_rows_axes(const SpqQueryRows *rows)
{
	return rows->receiver.box_type == BOX_TYPE_BOX ? 2 : 3;
}

/* Return the planner's estimate of the number of rows. */
double
spq_query_rows_estimate(const SpqQueryRows *rows)
{
	return rows->plan->planTree->plan_rows;
}

/*
 * Start a query, which opens its tables.  Do this soon after planning: a lock
 * does not keep this session itself from changing a table, as a function in the
 * other query may do, but an open table cannot be changed.
 */
void
spq_query_rows_start(SpqQueryRows *rows)
{
	ErrorContextCallback errors;
	MemoryContext old = MemoryContextSwitchTo(rows->context);

	push_error_context(&errors, rows);
	rows->desc = CreateQueryDesc(rows->plan, rows->query, GetActiveSnapshot(),
								 InvalidSnapshot, &rows->receiver.pub, NULL,
								 NULL, 0);
	PushActiveSnapshot(rows->desc->snapshot);
	ExecutorStart(rows->desc, 0);
	PopActiveSnapshot();
	error_context_stack = errors.previous;
	MemoryContextSwitchTo(old);
}

/*
 * Pass up to max_rows rows of a started query to the callback (0: all rows).
 * Return false if there are no more.
 */
bool
spq_query_rows_run(SpqQueryRows *rows, uint64 max_rows, SpqQueryRow callback, void *arg)
{
	ErrorContextCallback errors;
	MemoryContext old;

	if (rows->desc == NULL)
		return false;
	old = MemoryContextSwitchTo(rows->context);
	push_error_context(&errors, rows);
	rows->receiver.callback = callback;
	rows->receiver.arg = arg;
	PushActiveSnapshot(rows->desc->snapshot);
	spq_executor_run(rows->desc, max_rows);
	PopActiveSnapshot();
	error_context_stack = errors.previous;
	MemoryContextSwitchTo(old);

	if (max_rows > 0 && rows->desc->estate->es_processed == max_rows)
		return true;
	spq_query_rows_end(rows);
	return false;
}

void
spq_query_rows_end(SpqQueryRows *rows)
{
	QueryDesc  *desc = rows->desc;

	if (desc == NULL)
		return;
	rows->desc = NULL;
	ExecutorFinish(desc);
	ExecutorEnd(desc);
	FreeQueryDesc(desc);
}
