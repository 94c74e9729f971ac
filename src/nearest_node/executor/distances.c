/*-------------------------------------------------------------------------
 *
 * distances.c
 *	  Distances of the rows in memory from the current value.
 *
 * The filter comes first: the distance of a row that it rejects is not
 * computed, since that might raise an error.
 *
 * PostgreSQL's functions for points and boxes are not called:
 * src/box/distance.c computes the same result, to the last bit, at a fraction
 * of the cost.  If the result is not finite, the function may raise an error,
 * so it is called for the rows that are returned.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/geo_decls.h"
#include "utils/memutils.h"

#include "box/distance.h"
#include "nearest_node/executor/state.h"
#include "prefetch.h"

/* Calls of the distance between two resets of its memory. */
#define CALLS_BETWEEN_RESETS	64

static float8
of_points(Datum a, Datum b)
{
	return spq_point_distance(DatumGetPointP(a), DatumGetPointP(b));
}

static float8
of_box_and_point(Datum a, Datum b)
{
	return spq_box_point_distance(DatumGetBoxP(a), DatumGetPointP(b));
}

static float8
of_point_and_box(Datum a, Datum b)
{
	return spq_box_point_distance(DatumGetBoxP(b), DatumGetPointP(a));
}

static float8
of_boxes(Datum a, Datum b)
{
	return spq_box_center_distance(DatumGetBoxP(a), DatumGetBoxP(b));
}

/* Return the function to use in place of another one, or NULL. */
SpqNearestQuick
spq_nearest_node_quick(Oid function)
{
	switch (function)
	{
		case F_POINT_DISTANCE:
			return of_points;
		case F_DIST_BP:
			return of_box_and_point;
		case F_DIST_PB:
			return of_point_and_box;
		case F_BOX_DISTANCE:
			return of_boxes;
		default:
			return NULL;
	}
}

/* Call the function for a row, and return its result. */
float8
spq_nearest_node_call(SpqNearestState *node, Datum value, bool *isnull)
{
	FunctionCallInfo call = node->call;
	MemoryContext old = MemoryContextSwitchTo(node->call_context);
	float8		distance;

	if (++node->ncalls % CALLS_BETWEEN_RESETS == 0)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(node->call_context);
	}
	call->args[node->argument].value = value;
	call->isnull = false;
	distance = DatumGetFloat8(FunctionCallInvoke(call));
	*isnull = call->isnull;
	MemoryContextSwitchTo(old);
	return distance;
}

/* Set the distance of a hit.  One that is NaN or null becomes infinite, and its id tells. */
static inline void
measure(SpqNearestState *node, SpqNearestHit *hit)
{
	Datum		value = spq_nearest_node_value(node, (uint32) hit->id);
	bool		isnull = false;

	if (node->quick)
		hit->distance = node->argument == 0 ? node->quick(value, node->call->args[1].value) :
			node->quick(node->call->args[0].value, value);
	else
		hit->distance = spq_nearest_node_call(node, value, &isnull);
	if (unlikely(isnull || isnan(hit->distance)))
	{
		hit->distance = get_float8_infinity();
		hit->id |= isnull ? SPQ_NEAREST_NULL_ID : SPQ_NEAREST_NAN_ID;
	}
}

/* Put a row into the scan tuple, without its distance. */
void
spq_nearest_node_load(SpqNearestState *node, MinimalTuple row)
{
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;
	ExprContext *econtext = node->css.ss.ps.ps_ExprContext;

	ResetExprContext(econtext);
	spq_nearest_load_row(row, ExecGetResultType(node->child[SPQ_NEAREST_READING]), scan);
	econtext->ecxt_scantuple = scan;
}

/*
 * Put the row of an entry of the tree into the scan tuple, without its distance.  Return false if the
 * row is not visible.
 */
bool
spq_nearest_node_load_entry(SpqNearestState *node, uint32 entry)
{
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot,
			   *slot;
	ExprContext *econtext = node->css.ss.ps.ps_ExprContext;
	int			natts;

	if (node->leaves == NULL)
	{
		spq_nearest_node_load(node, spq_nearest_node_row(node, entry));
		return true;
	}
	slot = spq_nearest_leaves_slot(node->leaves, entry);
	if (slot == NULL)
		return false;
	ResetExprContext(econtext);
	natts = slot->tts_tupleDescriptor->natts;
	slot_getallattrs(slot);
	ExecClearTuple(scan);
	memcpy(scan->tts_values, slot->tts_values, natts * sizeof(Datum));
	memcpy(scan->tts_isnull, slot->tts_isnull, natts * sizeof(bool));
	for (int i = natts; i < scan->tts_tupleDescriptor->natts; i++)
		scan->tts_isnull[i] = true;
	ExecStoreVirtualTuple(scan);
	econtext->ecxt_scantuple = scan;
	return true;
}

/* Return whether the row in the scan tuple satisfies the filter. */
bool
spq_nearest_node_accepts(SpqNearestState *node)
{
	return node->filter == NULL || ExecQual(node->filter, node->css.ss.ps.ps_ExprContext);
}

/* Leave out the rows that the filter rejects, and return how many are left. */
static uint32
filter(SpqNearestState *node, SpqNearestHit *hits, uint32 count)
{
	uint32		left = 0;

	for (uint32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (spq_nearest_node_load_entry(node, (uint32) hits[i].id) && spq_nearest_node_accepts(node))
			hits[left++] = hits[i];
	}
	return left;
}

uint32
spq_nearest_node_measure(void *argument, SpqNearestHit *hits, uint32 count)
{
	SpqNearestState *node = argument;

	if (node->leaves)
		count = spq_nearest_leaves_keep(node->leaves, hits, count);
	if (node->filter)
		count = filter(node, hits, count);

	/* values are anywhere in memory */
	for (uint32 i = 0; i < count && node->rows; i++)
		spq_prefetch(DatumGetPointer(node->rows[hits[i].id].value));
	for (uint32 i = 0; i < count; i++)
		measure(node, &hits[i]);
	return count;
}
