/*-------------------------------------------------------------------------
 *
 * reasons.c
 *	  What the planner's hooks have seen of the joins of a statement.
 *
 * EXPLAIN (SPQTREE) and spqtree_advise want reasons for the next statement that
 * is planned.  Planning may plan other statements, those of functions that it
 * evaluates.  So the first call of the planner takes the request, and calls within
 * it find none:
 *
 *		want		   begin						 end
 *		 |	  wanted	 |	 spq_reasons				  |
 *		 +---------------+		 begin ... end			  +--- the caller reads
 *						 |		 NULL					  |
 *
 * A request dies with the memory context in which it was made, if no statement is
 * planned, or an error ends it.
 *
 * GEQO plans many orders of joins in memory that it frees after each.  So what is
 * noted is copied, but for clauses, which last as long as the query.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "reasons/reasons.h"

SpqReasons *spq_reasons;

static SpqReasons *wanted;

static void
forget(void *reasons)
{
	if (wanted == reasons)
		wanted = NULL;
	if (spq_reasons == reasons)
		spq_reasons = NULL;
}

/*
 * Ask for the reasons of the next statement that is planned.  They are in the
 * current memory context.
 */
SpqReasons *
spq_reasons_want(void)
{
	SpqReasons *reasons = palloc0(sizeof(SpqReasons));
	MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));

	callback->func = forget;
	callback->arg = reasons;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	reasons->context = CurrentMemoryContext;
	wanted = reasons;
	return reasons;
}

/* Return whether the planner must call begin and end. */
bool
spq_reasons_matter(void)
{
	return wanted != NULL || spq_reasons != NULL;
}

/* A call of the planner begins.  Return what its end restores. */
SpqReasons *
spq_reasons_begin(void)
{
	SpqReasons *before = spq_reasons;

	spq_reasons = wanted;
	wanted = NULL;
	return before;
}

void
spq_reasons_end(SpqReasons *before)
{
	spq_reasons = before;
}

/* Note that a query level has been planned, up to its final paths. */
void
spq_reasons_note_query(PlannerInfo *root, RelOptInfo *final)
{
	MemoryContext before = MemoryContextSwitchTo(spq_reasons->context);
	SpqReasonQuery *query = palloc0(sizeof(SpqReasonQuery));

	query->root = root;
	query->final = final;
	/* the levels will forget them */
	for (PlannerInfo *outer = root->parent_root; outer; outer = outer->parent_root)
		query->params = lappend(query->params, list_copy(outer->plan_params));
	spq_reasons->queries = lappend(spq_reasons->queries, query);
	MemoryContextSwitchTo(before);
}

/* Return what is noted of a join; note it if it is new. */
SpqReasonJoin *
spq_reasons_join(PlannerInfo *root, RelOptInfo *joinrel)
{
	MemoryContext before;
	SpqReasonJoin *join;
	ListCell   *lc;

	foreach(lc, spq_reasons->joins)
	{
		join = lfirst(lc);
		if (join->root == root && bms_equal(join->relids, joinrel->relids))
			return join;
	}
	before = MemoryContextSwitchTo(spq_reasons->context);
	join = palloc0(sizeof(SpqReasonJoin));
	join->root = root;
	join->relids = bms_copy(joinrel->relids);
	join->own_cost = join->other_cost = join->arms_cost = -1;
	spq_reasons->joins = lappend(spq_reasons->joins, join);
	MemoryContextSwitchTo(before);
	return join;
}

/* Note what a table takes in memory, of at most how much. */
void
spq_reasons_note_search(PlannerInfo *root, Index relid, double memory, double limit)
{
	MemoryContext before = MemoryContextSwitchTo(spq_reasons->context);
	SpqReasonSearch *search = palloc(sizeof(SpqReasonSearch));

	search->root = root;
	search->relid = relid;
	search->memory = memory;
	search->limit = limit;
	spq_reasons->searches = lappend(spq_reasons->searches, search);
	MemoryContextSwitchTo(before);
}

/*
 * Note what a condition of a join is.  The planner asks for a join of three
 * relations once for each pair into which it can be divided: a condition may be the
 * key for one of them, and that counts.  A semi join may be an inner join of distinct
 * rows, too.
 */
void
spq_reasons_note_clause(PlannerInfo *root, RelOptInfo *joinrel, RestrictInfo *rinfo,
						JoinType jointype, SpqReason reason)
{
	SpqReasonJoin *join = spq_reasons_join(root, joinrel);
	MemoryContext before;
	SpqReasonClause *noted;
	ListCell   *lc;

	if (jointype == JOIN_RIGHT)
		jointype = JOIN_LEFT;
	foreach(lc, join->clauses)
	{
		noted = lfirst(lc);
		if (noted->clause == (Node *) rinfo->clause)
		{
			noted->reason = Min(noted->reason, reason);
			if (noted->jointype == JOIN_INNER)
				noted->jointype = jointype;
			return;
		}
	}
	before = MemoryContextSwitchTo(spq_reasons->context);
	noted = palloc(sizeof(SpqReasonClause));
	noted->clause = (Node *) rinfo->clause;
	noted->reason = reason;
	noted->jointype = jointype;
	join->clauses = lappend(join->clauses, noted);
	MemoryContextSwitchTo(before);
}
