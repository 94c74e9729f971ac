/*-------------------------------------------------------------------------
 *
 * query_memo.c
 *	  What estimates have found out about a query, for as long as it is planned.
 *
 * Partitions share the sample of their table.  To find that sample, all partitions
 * are looked at; so it is found once, not once for each of them:
 *
 *		t_1 -+
 *		t_2 -+->  column of t  ->  number of the sample		found for t_1,
 *		t_3 -+										and known for the others
 *
 * So it is with the estimates of clauses, of which partitions have copies.
 *
 * PlannerInfo has no room for data of extensions.  So there is a list of the queries
 * that are being planned.  There may be several: subqueries, and queries of functions
 * that the planner calls.  An entry lives in the memory of its planner
 * run, and leaves the list when that is released, after an error as well.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/ilist.h"

#include "estimate/cache/query_memo.h"

/* Something about a relation or a clause of the query. */
typedef struct Note
{
	const void *about;
	SpqEstimateNoteKind kind;
	void	   *text;
} Note;

typedef struct Memo
{
	dlist_node	node;
	MemoryContextCallback at_end;
	PlannerInfo *root;
	List	   *columns;		/* SpqEstimateKnownColumn */
	List	   *notes;			/* Note */
} Memo;

static dlist_head memos = DLIST_STATIC_INIT(memos);

static void
forget(void *memo)
{
	dlist_delete(&((Memo *) memo)->node);
}

/* Return what is known of a query, or NULL. */
static Memo *
find_memo(PlannerInfo *root)
{
	dlist_iter	iter;

	dlist_foreach(iter, &memos)
	{
		Memo	   *memo = dlist_container(Memo, node, iter.cur);

		if (memo->root == root)
			return memo;
	}
	return NULL;
}

/* The same, made now if there is nothing. */
static Memo *
get_memo(PlannerInfo *root)
{
	Memo	   *memo = find_memo(root);

	if (memo)
		return memo;
	memo = MemoryContextAllocZero(root->planner_cxt, sizeof(Memo));
	memo->root = root;
	memo->at_end.func = forget;
	memo->at_end.arg = memo;
	dlist_push_head(&memos, &memo->node);
	MemoryContextRegisterResetCallback(root->planner_cxt, &memo->at_end);
	return memo;
}

static SpqEstimateKnownColumn *
find_column(const Memo *memo, const SpqEstimateExpression *column, int block_rows)
{
	/* the one asked for is most likely that of the last table */
	for (int i = list_length(memo->columns) - 1; i >= 0; i--)
	{
		SpqEstimateKnownColumn *known = list_nth(memo->columns, i);

		if (known->column.varno == column->varno && known->block_rows == block_rows &&
			known->column.operand.kind == column->operand.kind &&
			equal(known->column.expr, column->expr))
			return known;
	}
	return NULL;
}

/* Return what is known of an expression over a table, or NULL. */
const SpqEstimateKnownColumn *
spq_estimate_known_column(PlannerInfo *root, const SpqEstimateExpression *column,
						  int block_rows)
{
	const Memo *memo = find_memo(root);

	return memo ? find_column(memo, column, block_rows) : NULL;
}

/* Remember what has been found out about an expression over a table. */
void
spq_estimate_know_column(PlannerInfo *root, const SpqEstimateKnownColumn *known)
{
	Memo	   *memo = get_memo(root);
	SpqEstimateKnownColumn *own = find_column(memo, &known->column, known->block_rows);

	if (!own)
	{
		MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);

		own = palloc(sizeof(SpqEstimateKnownColumn));
		*own = *known;
		own->column.expr = copyObject(known->column.expr);
		memo->columns = lappend(memo->columns, own);
		MemoryContextSwitchTo(old);
	}
	own->sample = known->sample;
	own->tuples = known->tuples;
}

/* Return a note about a relation or a clause of the query, or NULL. */
const void *
spq_estimate_note(PlannerInfo *root, const void *about, SpqEstimateNoteKind kind)
{
	const Memo *memo = find_memo(root);

	for (int i = memo ? list_length(memo->notes) - 1 : -1; i >= 0; i--)
	{
		const Note *note = list_nth(memo->notes, i);

		if (note->about == about && note->kind == kind)
			return note->text;
	}
	return NULL;
}

/* Take a note, of this many bytes, of what there is no note yet. */
void
spq_estimate_take_note(PlannerInfo *root, const void *about, SpqEstimateNoteKind kind,
					   const void *text, Size size)
{
	Memo	   *memo = get_memo(root);
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);
	Note	   *note = palloc(sizeof(Note));

	note->about = about;
	note->kind = kind;
	note->text = palloc(size);
	memcpy(note->text, text, size);
	memo->notes = lappend(memo->notes, note);
	MemoryContextSwitchTo(old);
}
