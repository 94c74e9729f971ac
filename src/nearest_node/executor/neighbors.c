/*-------------------------------------------------------------------------
 *
 * neighbors.c
 *	  The rows in memory, in order of their distance from one value.
 *
 * A search returns as many rows as the plan above will request.  If that
 * number is not known, or an incremental sort requests more, the next search
 * returns twice as many.  It begins with the same rows, since rows at the same
 * distance have a fixed order:
 *
 *		k		[ 7 3 9 ]
 *		2 k		[ 7 3 9 1 8 2 ]
 *						^ go on here
 *
 * float8 has NaN after infinity, and nulls are last.  In a search all three are
 * infinite, and their ids differ in higher bits (distances.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "nearest_node/executor/state.h"

/* The first search if all rows are wanted. */
#define FIRST_OF_ALL	1000

/* The most hits of a search; there are no more rows in memory. */
#define MOST_HITS	((uint32) PG_INT32_MAX / 2)

/*
 * Return how many rows the plan above will ask for, if it has no filter that leaves
 * some out; -1 for all.
 */
int64
spq_nearest_node_wanted(SpqNearestState *node)
{
	uint64		count = 0;
	ListCell   *lc;

	ResetExprContext(node->outer_econtext);
	foreach(lc, node->count)
	{
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(lfirst(lc), node->outer_econtext, &isnull);

		/* LIMIT NULL is no limit, OFFSET NULL is 0; below 0 is an error above */
		if (isnull && lc == list_head(node->count))
			return -1;
		if (!isnull && DatumGetInt64(value) > 0)
			count += DatumGetInt64(value);
	}
	return count > MOST_HITS ? -1 : (int64) count;
}

/*
 * Set the largest distance from the current box at which a row can satisfy the
 * filter: its box overlaps all windows.
 *
 *			box		   window
 *			.---. . . . . . . .
 *			|	|	  |		  |		a box that overlaps the window is at most
 *			'---'	  |_______|		this far away from the other one
 *			 <----------------->
 *
 * The row's box in the condition may have a margin for tolerance and rounding, like
 * that of the window.  Return false if no row satisfies the filter.
 */
static bool
limit_distance(SpqNearestState *node, ExprContext *econtext)
{
	float8		most = get_float8_infinity();

	for (int i = 0; i < node->nwindows; i++)
	{
		float8		window[SPQ_TYPE_NUMBERS],
					distance = 0;
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(node->windows[i].expr, econtext, &isnull);

		if (isnull)
			return false;
		spq_type_box_of(&node->windows[i].bounds, value, window);
		for (int axis = 0; axis < node->axes; axis++)
		{
			float8		high = window[axis],
						low = window[node->axes + axis],
						size = Max(fabs(high), fabs(low)),
						apart = Max(high - node->box[axis], node->box[node->axes + axis] - low);

			apart = Max(apart, 0) + 8 * EPSILON + 1024 * DBL_EPSILON * size;
			distance = hypot(distance, apart);
		}
		if (distance < most)
			most = distance * (1 + 64 * DBL_EPSILON);
	}
	spq_nearest_search_within(node->search, most);
	return true;
}

/* Search for k rows. */
static void
search(SpqNearestState *node)
{
	node->nhits = spq_nearest_search(node->search, node->box, node->hits, 0);
}

/* Set how many rows a search finds. */
static void
set_k(SpqNearestState *node, uint32 k)
{
	if (k == node->k)
		return;
	spq_nearest_search_set_k(node->search, k);
	pfree(node->hits);
	node->hits = MemoryContextAllocHuge(node->context, k * sizeof(SpqNearestHit));
	node->k = k;
}

/* Choose k for a search: the rows wanted, or more if the last search had to go on. */
static uint32
choose_k(const SpqNearestState *node)
{
	uint32		most = Max(node->nrows, 1),
				k = node->wanted;

	if (node->k > k)
		k = node->nreturned > node->k / 4 ? node->k : Max(k, node->k / 2);
	return Min(k, most);
}

/*
 * Evaluate the arguments of the distance but the row's value, without compression or
 * TOAST pointers.
 */
static void
evaluate_others(SpqNearestState *node)
{
	ExprContext *econtext = node->outer_econtext;
	MemoryContext old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);

	for (int i = 0; i < node->nothers; i++)
	{
		NullableDatum *argument = &node->call->args[i < node->argument ? i : i + 1];

		argument->value = ExecEvalExpr(node->others[i], econtext, &argument->isnull);
		if (argument->isnull)
			node->null_value = true;
		else if (node->is_varlena[i])
			argument->value = PointerGetDatum(PG_DETOAST_DATUM(argument->value));
	}
	MemoryContextSwitchTo(old);
}

/* Begin to return rows in order of distance from the current value. */
void
spq_nearest_node_begin_search(SpqNearestState *node)
{
	ExprContext *econtext = node->outer_econtext;
	Datum		value;
	int64		wanted;
	bool		isnull;

	node->searches++;
	wanted = spq_nearest_node_wanted(node);
	node->wanted = wanted < 0 ? FIRST_OF_ALL : Max(wanted, 1);
	set_k(node, choose_k(node));
	node->nhits = node->nreturned = node->next_row = 0;
	node->limited = node->nwindows > 0;
	node->null_value = node->nulls_begun = false;
	if (node->nrows == 0 && node->nulls == NULL &&
		!(node->leaves && spq_nearest_leaves_has_nulls(node->leaves)))
		return;					/* no row needs the other values */
	evaluate_others(node);
	if (node->null_value || node->nrows == 0)
	{
		node->limited = false;
		return;
	}
	value = ExecEvalExprSwitchContext(node->outer_bounds, econtext, &isnull);
	if (isnull)
		memset(node->box, 0xff, sizeof(node->box)); /* NaN */
	else
		spq_type_box_of(&node->outer_box, value, node->box);
	spq_nearest_node_grow(node, node->box);
	if (!limit_distance(node, econtext))
		return;					/* no hits, and none after them */
	search(node);
}

/* Load the next row of the leaves without a distance. */
static bool
next_of_leaves(SpqNearestState *node)
{
	for (;;)
	{
		uint32		entry = spq_nearest_leaves_next(node->leaves, node->next_row, node->null_value);

		CHECK_FOR_INTERRUPTS();
		node->next_row = entry;
		if (entry == PG_UINT32_MAX)
			return false;
		node->next_row++;
		if (spq_nearest_node_load_entry(node, entry))
			return true;
	}
}

/* Load the next row without a distance.  Return false if there is none. */
static bool
next_without_distance(SpqNearestState *node)
{
	bool		should_free;

	if (node->limited)
		return false;
	if (node->leaves)
		return next_of_leaves(node);
	if (node->null_value && node->next_row < node->nrows)
		return spq_nearest_node_load_entry(node, node->next_row++);
	if (node->nulls == NULL)
		return false;
	if (!node->nulls_begun)
		tuplestore_rescan(node->nulls);
	node->nulls_begun = true;
	if (!tuplestore_gettupleslot(node->nulls, true, false, node->null_slot))
		return false;
	spq_nearest_node_load(node, ExecFetchSlotMinimalTuple(node->null_slot, &should_free));
	return true;
}

/*
 * Put the next row into the scan tuple.  Set *hit to where its distance is, or to NULL if
 * that is null.  Return false if there is no row.
 */
bool
spq_nearest_node_next(SpqNearestState *node, const SpqNearestHit **hit)
{
	if (node->nreturned == node->nhits && node->nhits == node->k && node->k < node->nrows)
	{
		set_k(node, Min(node->k <= MOST_HITS / 2 ? node->k * 2 : MOST_HITS, node->nrows));
		search(node);
	}
	if (node->nreturned < node->nhits)
	{
		*hit = &node->hits[node->nreturned++];
		return spq_nearest_node_load_entry(node, (uint32) (*hit)->id);
	}
	*hit = NULL;
	return next_without_distance(node);
}
