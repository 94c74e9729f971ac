/*-------------------------------------------------------------------------
 *
 * query_memo.c
 *	  What estimates have learned about a query, kept while the query is planned.
 *
 * Partitions share the sample of their table.  Finding that sample means
 * visiting all partitions, so it is found once and not again for each of them:
 *
 *		t_1 -+
 *		t_2 -+->  column of t  ->  number of the sample		found for t_1,
 *		t_3 -+										and known for the others
 *
 * The same is true for estimates of clauses, of which partitions have copies.
 *
 * PlannerInfo has no room for data of extensions, so there is a list of the
 * queries that are being planned.  There may be several: subqueries, and
 * queries of functions that the planner calls.  An entry lives in the memory
 * of its planner run and leaves the list when that memory is released, also
 * after an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/ilist.h"

#include "estimate/cache/cache.h"

/* A fact about a relation or a clause of the query. */
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

/* Return the memo of a query, or NULL. */
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

/* Return the memo of a query; make it if there is none. */
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
	/* the last table is the most likely one */
	for (int i = list_length(memo->columns) - 1; i >= 0; i--)
	{
		SpqEstimateKnownColumn *known = list_nth(memo->columns, i);

		if (known->column.varno == column->varno && known->block_rows == block_rows &&
			known->column.operand.type == column->operand.type &&
			equal(known->column.expr, column->expr))
			return known;
	}
	return NULL;
}

/* Return what is known about an expression over a table, or NULL. */
const SpqEstimateKnownColumn *
spq_estimate_known_column(PlannerInfo *root, const SpqEstimateExpression *column,
						  int block_rows)
{
	const Memo *memo = find_memo(root);

	return memo ? find_column(memo, column, block_rows) : NULL;
}

/* Remember what was found out about an expression over a table. */
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

/*
 * Add a note of this many bytes about something that has no note of this kind.
 */
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
