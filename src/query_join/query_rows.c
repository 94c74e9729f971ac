/*-------------------------------------------------------------------------
 *
 * query_rows.c
 *	  Rows (id, box), pairs of ids, boxes, or rows (id, value), from a query given
 *	  as text.
 *
 * The executor runs the query with the caller's rights, row security and
 * snapshot.  A DestReceiver of our own takes the rows from the executor's
 * slot.  SPI would first copy them into tuple tables, which takes several
 * times as long (docs/notes/functions.md).
 *
 * After an error, the caller's resource owner and memory context release
 * everything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "query_join/query_rows.h"
#include "spatial/extension/member.h"
#include "types/registry.h"

#define MAX_SHOWN 200			/* bytes of a query in an error context */

/* Possible types of the last column. */
typedef enum BoxType
{
	BOX_TYPE_NONE,
	BOX_TYPE_POINT,
	BOX_TYPE_BOX,
	BOX_TYPE_BOX3,
	BOX_TYPE_POINT3
} BoxType;

/* "pub" must come first: the executor has a pointer to it. */
typedef struct RowReceiver
{
	DestReceiver pub;
	Oid			id_type;
	Oid			second_type;	/* type of a pair's second id, or of a value;
								 * else InvalidOid */
	BoxType		box_type;
	FmgrInfo	bounds;			/* function that returns the box of a value of
								 * another extension's type; fn_oid is invalid
								 * if there is none */
	MemoryContext row_context;	/* for results of that function */
	const char *argument;
	SpqQueryRow callback;
	SpqQueryPair pair_callback;
	SpqQueryValue value_callback;
	void	   *arg;
} RowReceiver;

struct SpqQueryRows
{
	const char *query;
	const char *argument;		/* argument's name, for messages */
	SpqQueryColumns columns;
	PlannedStmt *plan;
	MemoryContext context;		/* lives until the last row */
	QueryDesc  *desc;			/* NULL before the start and after the end */
	RowReceiver receiver;
};

/*
 * Add the query to the context of an error, and make the error's position
 * relative to it.
 */
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
	errcontext(rows->columns == SPQ_QUERY_PLACES ?
			   "%s of a partitioning: %.*s%s" :
			   "%s of a spatial join: %.*s%s",
			   rows->argument, shown, rows->query, shown < length ? " ..." : "");
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
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static int64
integer_value(Oid type, Datum value)
{
	switch (type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		default:
			return DatumGetInt64(value);
	}
}

/* Pass a value to the callback as a box. */
static void
pass_box(RowReceiver *receiver, int64 id, Datum value)
{
	const float8 *box = (const float8 *) DatumGetPointer(value);
	int			axes = receiver->box_type == BOX_TYPE_POINT ? 2 : 3;
	float8		corners[6];

	if (receiver->box_type == BOX_TYPE_POINT || receiver->box_type == BOX_TYPE_POINT3)
	{
		memcpy(corners, box, sizeof(float8) * axes);
		memcpy(corners + axes, box, sizeof(float8) * axes);
		box = corners;
	}
	receiver->callback(receiver->arg, id, box);
}

/*
 * Pass the box of a value of another extension's type to the callback, if the
 * value has one.
 */
static void
pass_bounds(RowReceiver *receiver, Datum value)
{
	LOCAL_FCINFO(fcinfo, 1);
	MemoryContext old = MemoryContextSwitchTo(receiver->row_context);
	Datum		box;

	InitFunctionCallInfoData(*fcinfo, &receiver->bounds, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	box = FunctionCallInvoke(fcinfo);
	MemoryContextSwitchTo(old);
	if (!fcinfo->isnull)
		pass_box(receiver, 0, box);
	MemoryContextReset(receiver->row_context);
}

static bool
receive_place(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;

	slot_getsomeattrs(slot, 1);
	if (slot->tts_isnull[0])
		return true;
	if (OidIsValid(receiver->bounds.fn_oid))
		pass_bounds(receiver, slot->tts_values[0]);
	else
		pass_box(receiver, 0, slot->tts_values[0]);
	return true;
}

static void
null_id(const RowReceiver *receiver)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("id in the result of %s must not be null",
					receiver->argument),
			 errhint("Exclude such rows, or number the rows with row_number() OVER ().")));
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;

	slot_getsomeattrs(slot, 2);
	if (slot->tts_isnull[1])
		return true;			/* matches nothing */
	if (slot->tts_isnull[0])
		null_id(receiver);

	pass_box(receiver, integer_value(receiver->id_type, slot->tts_values[0]),
			 slot->tts_values[1]);
	return true;
}

static bool
receive_value(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;

	slot_getsomeattrs(slot, 2);
	if (slot->tts_isnull[0])
		null_id(receiver);
	receiver->value_callback(receiver->arg,
							 integer_value(receiver->id_type, slot->tts_values[0]),
							 slot->tts_values[1], slot->tts_isnull[1]);
	return true;
}

static bool
receive_pair(TupleTableSlot *slot, DestReceiver *self)
{
	RowReceiver *receiver = (RowReceiver *) self;

	slot_getsomeattrs(slot, 2);
	if (slot->tts_isnull[0] || slot->tts_isnull[1])
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("ids in the result of %s must not be null",
						receiver->argument)));
	receiver->pair_callback(receiver->arg,
							integer_value(receiver->id_type, slot->tts_values[0]),
							integer_value(receiver->second_type, slot->tts_values[1]));
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

static int
select_hint(const SpqQueryRows *rows)
{
	return rows->columns == SPQ_QUERY_PLACES ?
		errhint("Use a SELECT that returns a box or a point.") :
		errhint("Use a SELECT that returns an id and a box.");
}

static void
not_a_select(const SpqQueryRows *rows)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s must be a SELECT", rows->argument),
			 select_hint(rows)));
}

/* Classify a type. */
static BoxType
box_type_of(Oid type)
{
	const SpqType *known = spq_type_of(type);

	if (known && known->is_box)
		return known->axes == 2 ? BOX_TYPE_BOX : BOX_TYPE_BOX3;
	if (known && known->is_point)
		return known->axes == 2 ? BOX_TYPE_POINT : BOX_TYPE_POINT3;
	return BOX_TYPE_NONE;
}

/*
 * Find the function that returns the box of a value of another extension's
 * type.  Return the type of its result, or BOX_TYPE_NONE.
 */
static BoxType
find_bounds(SpqQueryRows *rows, Oid type)
{
	Oid			function = spq_spatial_find_bounds(type);
	AclResult	rights;

	if (!OidIsValid(function))
		return BOX_TYPE_NONE;
	rights = spq_function_aclcheck(function, GetUserId());
	if (rights != ACLCHECK_OK)
		aclcheck_error(rights, OBJECT_FUNCTION, get_func_name(function));
	fmgr_info_cxt(function, &rows->receiver.bounds, rows->context);
	rows->receiver.row_context = AllocSetContextCreate(rows->context, "spqtree bounds",
													   ALLOCSET_DEFAULT_SIZES);
	return box_type_of(get_func_rettype(function));
}

/*
 * Check that there is one column: a box, a point, a value that has a box, or a
 * domain over one of these.
 */
static void
check_place(SpqQueryRows *rows)
{
	TupleDesc	desc = ExecCleanTypeFromTL(rows->plan->planTree->targetlist);
	Oid			type;

	if (desc->natts != 1)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s must return one column, not %d", rows->argument, desc->natts),
				 errhint("Select a box or a point.")));
	type = TupleDescAttr(desc, 0)->atttypid;
	rows->receiver.box_type = box_type_of(getBaseType(type));
	if (rows->receiver.box_type == BOX_TYPE_NONE)
		rows->receiver.box_type = find_bounds(rows, getBaseType(type));
	if (rows->receiver.box_type == BOX_TYPE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column of %s must be a box, point, box3 or point3, not %s",
						rows->argument, format_type_be(type)),
				 errhint("Convert it as the boxes that are to be listed by spqtree_parts, such as with box(polygon).  Types of PostGIS need the extension spqtree_postgis.")));
	rows->receiver.pub.receiveSlot = receive_place;
	FreeTupleDesc(desc);
}

/*
 * Check that the columns are an integer and a box, or two integers, or domains
 * over these.
 */
static void
check_columns(SpqQueryRows *rows)
{
	const SpqQueryColumns columns = rows->columns;
	TupleDesc	desc = ExecCleanTypeFromTL(rows->plan->planTree->targetlist);
	Oid			id_type,
				second_type;
	BoxType		box_type = BOX_TYPE_NONE;

	if (desc->natts != 2)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("%s must return two columns, not %d",
						rows->argument, desc->natts),
				 columns == SPQ_QUERY_PAIRS ?
				 errhint("Select the two integer ids of a pair.") :
				 errhint("Select an integer id and a box, in this order.")));

	id_type = getBaseType(TupleDescAttr(desc, 0)->atttypid);
	second_type = getBaseType(TupleDescAttr(desc, 1)->atttypid);
	if (!is_integer(id_type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first column of %s must be an integer, not %s",
						rows->argument, format_type_be(TupleDescAttr(desc, 0)->atttypid)),
				 columns == SPQ_QUERY_PAIRS ?
				 errhint("Select two ids of type smallint, integer or bigint.") :
				 errhint("Select an id of type smallint, integer or bigint, then a box.")));
	rows->receiver.id_type = id_type;
	rows->receiver.second_type = InvalidOid;
	rows->receiver.box_type = BOX_TYPE_NONE;
	if (columns == SPQ_QUERY_VALUES)
	{
		rows->receiver.second_type = TupleDescAttr(desc, 1)->atttypid;
		rows->receiver.pub.receiveSlot = receive_value;
		FreeTupleDesc(desc);
		return;
	}
	if (columns != SPQ_QUERY_BOXES && is_integer(second_type))
	{
		rows->receiver.second_type = second_type;
		rows->receiver.pub.receiveSlot = receive_pair;
		FreeTupleDesc(desc);
		return;
	}
	if (columns == SPQ_QUERY_PAIRS)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("second column of %s must be an integer, not %s",
						rows->argument, format_type_be(TupleDescAttr(desc, 1)->atttypid)),
				 errhint("Select the pairs that held before, as kept by the caller or as returned by spqtree_join.")));

	/* a point in the plane compares exactly, but a box with a tolerance */
	box_type = box_type_of(second_type);
	if (box_type == BOX_TYPE_NONE || box_type == BOX_TYPE_POINT)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg(columns == SPQ_QUERY_EITHER ?
						"second column of %s must be a box, box3, point3 or integer, not %s" :
						"second column of %s must be a box, box3 or point3, not %s",
						rows->argument, format_type_be(TupleDescAttr(desc, 1)->atttypid)),
				 errhint("Convert it with box(polygon), box(point, point) or text::box; in space, with box3(lseg3) or box3(point3, point3).  Note that box(circle) is the inscribed square.")));
	rows->receiver.box_type = box_type;
	FreeTupleDesc(desc);
}

/*
 * Parse, check and plan a query.  It must be one SELECT that does not write.
 * The current memory context must live until the last row.
 */
SpqQueryRows *
spq_query_rows_plan(const char *query, const char *argument, SpqQueryColumns columns)
{
	SpqQueryRows *rows = palloc0(sizeof(SpqQueryRows));
	ErrorContextCallback callback;
	List	   *parsed;
	List	   *analyzed;
	RawStmt    *statement;

	rows->query = query;
	rows->argument = argument;
	rows->columns = columns;
	rows->context = CurrentMemoryContext;
	push_error_context(&callback, rows);

	parsed = pg_parse_query(query);
	if (list_length(parsed) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("%s must be one statement, not %d",
						argument, list_length(parsed)),
				 select_hint(rows)));
	statement = linitial_node(RawStmt, parsed);
	if (!IsA(statement->stmt, SelectStmt) ||
		((SelectStmt *) statement->stmt)->intoClause != NULL)
		not_a_select(rows);

	analyzed = pg_analyze_and_rewrite_fixedparams(statement, query, NULL, 0, NULL);
	if (list_length(analyzed) != 1)
		elog(ERROR, "SELECT was rewritten to %d statements", list_length(analyzed));
	/* the first branch of a UNION may have INTO */
	if (linitial_node(Query, analyzed)->commandType != CMD_SELECT)
		not_a_select(rows);
	rows->plan = spq_plan_query(linitial_node(Query, analyzed), query, 0);
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
	if (columns == SPQ_QUERY_PLACES)
		check_place(rows);
	else
		check_columns(rows);

	error_context_stack = callback.previous;
	return rows;
}

bool
spq_query_rows_are_pairs(const SpqQueryRows *rows)
{
	return OidIsValid(rows->receiver.second_type);
}

/* Return the type of the second column of a query of SPQ_QUERY_VALUES. */
Oid
spq_query_rows_value_type(const SpqQueryRows *rows)
{
	return rows->receiver.second_type;
}

/* Return the number of dimensions of the boxes. */
int
spq_query_rows_axes(const SpqQueryRows *rows)
{
	switch (rows->receiver.box_type)
	{
		case BOX_TYPE_POINT:
		case BOX_TYPE_BOX:
			return 2;
		default:
			return 3;
	}
}

/* Return the planner's estimate of the number of rows. */
double
spq_query_rows_estimate(const SpqQueryRows *rows)
{
	return rows->plan->planTree->plan_rows;
}

/*
 * Start a query.  This opens its tables.  Do this soon after planning: locks
 * do not prevent this session itself from changing a table, as a function in
 * the other query may do, but an open table cannot be changed.
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
 * Run a query for up to max_rows rows (0: all).  Return false if there are no
 * more.
 */
static bool
run_query(SpqQueryRows *rows, uint64 max_rows)
{
	ErrorContextCallback errors;
	MemoryContext old;

	if (rows->desc == NULL)
		return false;
	old = MemoryContextSwitchTo(rows->context);
	push_error_context(&errors, rows);
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

/*
 * Pass up to max_rows rows (0: all) of a started query to the callback.
 * Return false if there are no more.
 */
bool
spq_query_rows_run(SpqQueryRows *rows, uint64 max_rows, SpqQueryRow callback, void *arg)
{
	rows->receiver.callback = callback;
	rows->receiver.arg = arg;
	return run_query(rows, max_rows);
}

/* Pass all pairs of a started query to the callback. */
void
spq_query_rows_run_pairs(SpqQueryRows *rows, SpqQueryPair callback, void *arg)
{
	rows->receiver.pair_callback = callback;
	rows->receiver.arg = arg;
	run_query(rows, 0);
}

/* The same for rows with values. */
void
spq_query_rows_run_values(SpqQueryRows *rows, SpqQueryValue callback, void *arg)
{
	rows->receiver.value_callback = callback;
	rows->receiver.arg = arg;
	run_query(rows, 0);
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
