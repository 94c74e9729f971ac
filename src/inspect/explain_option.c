/*-------------------------------------------------------------------------
 *
 * explain_option.c
 *	  EXPLAIN (ANALYZE, SPQTREE): what each scan of an index has read.
 *
 *		->  Index Scan using t_b on t (actual rows=40.00 loops=3)
 *			  Index Cond: (b && q.b)
 *			  Index Searches: 3
 *			  Spqtree: height=3 inner=9 leaf=14 entries=1201 matches=120
 *
 * The counts are totals of all loops, as those of buffers and searches.  A scan
 * keeps them until its end, which comes after EXPLAIN.
 *
 * A worker's scan ends with the worker, and there is no place to leave its counts
 * for the leader.  So of a node that also ran in workers, EXPLAIN shows what the
 * leader has read, and says so.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "inspect/explain_option.h"

#ifdef SPQ_EXPLAIN_OPTIONS

#include "commands/defrem.h"
#include "commands/explain.h"
#include "nodes/execnodes.h"

#include "rtree/rtree.h"
#include "rtree/scan/scan_state.h"

#define OPTION_NAME "spqtree"

static int	extension_id;

/* Return whether an EXPLAIN has the option. */
bool
spq_inspect_option_is_chosen(ExplainState *es)
{
	const bool *option = GetExplainExtensionState(es, extension_id);

	return option != NULL && *option;
}

/* ExplainOptionHandler */
static void
set_option(ExplainState *es, DefElem *element, ParseState *pstate)
{
	bool	   *option = palloc(sizeof(bool));

	*option = defGetBoolean(element);
	SetExplainExtensionState(es, extension_id, option);
}

/*
 * Find the index that a node scans, and its scan, which is NULL before the first
 * row.  Return false if the node scans none, or one of another access method.
 */
static bool
find_scan(PlanState *node, Relation *index, IndexScanDesc *scan)
{
	switch (nodeTag(node))
	{
		case T_IndexScanState:
			*index = ((IndexScanState *) node)->iss_RelationDesc;
			*scan = ((IndexScanState *) node)->iss_ScanDesc;
			break;
		case T_IndexOnlyScanState:
			*index = ((IndexOnlyScanState *) node)->ioss_RelationDesc;
			*scan = ((IndexOnlyScanState *) node)->ioss_ScanDesc;
			break;
		case T_BitmapIndexScanState:
			*index = ((BitmapIndexScanState *) node)->biss_RelationDesc;
			*scan = ((BitmapIndexScanState *) node)->biss_ScanDesc;
			break;
		default:
			return false;
	}
	return *index != NULL && spq_rtree_is(*index);
}

/* Return the number of levels of an index, that of the leaves included. */
static int
index_height(Relation index)
{
	Buffer		root = spq_rtree_read(index, SPQ_RTREE_ROOT, BUFFER_LOCK_SHARE,
									  SPQ_RTREE_ANY_LEVEL);
	int			height = spq_rtree_special(BufferGetPage(root))->level + 1;

	UnlockReleaseBuffer(root);
	return height;
}

static void
show_counts(int height, const SpqRtreeScanCounts *counts, bool leader_only, ExplainState *es)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		ExplainIndentText(es);
		appendStringInfo(es->str, "Spqtree: height=%d inner=" INT64_FORMAT " leaf=" INT64_FORMAT
						 " entries=" INT64_FORMAT " matches=" INT64_FORMAT,
						 height, counts->inner_pages, counts->leaf_pages, counts->entries,
						 counts->matches);
		if (counts->rechecked > 0)
			appendStringInfo(es->str, " rechecked=" INT64_FORMAT, counts->rechecked);
		appendStringInfoString(es->str, leader_only ? " (leader only)\n" : "\n");
		return;
	}
	ExplainOpenGroup("Spqtree", "Spqtree", true, es);
	ExplainPropertyInteger("Height", NULL, height, es);
	ExplainPropertyInteger("Inner Pages", NULL, counts->inner_pages, es);
	ExplainPropertyInteger("Leaf Pages", NULL, counts->leaf_pages, es);
	ExplainPropertyInteger("Entries", NULL, counts->entries, es);
	ExplainPropertyInteger("Matches", NULL, counts->matches, es);
	ExplainPropertyInteger("Rechecked", NULL, counts->rechecked, es);
	ExplainPropertyBool("Leader Only", leader_only, es);
	ExplainCloseGroup("Spqtree", "Spqtree", true, es);
}

/* Show the counts of a node, if the option is chosen. */
void
spq_inspect_explain_node(PlanState *node, ExplainState *es)
{
	static const SpqRtreeScanCounts none;
	Relation	index;
	IndexScanDesc scan;

	if (!spq_inspect_option_is_chosen(es) || node->instrument == NULL || !find_scan(node, &index, &scan))
		return;

	/* text says only "(never executed)" of such a node */
	if (node->instrument->nloops == 0 && es->format == EXPLAIN_FORMAT_TEXT)
		return;
	show_counts(index_height(index), scan ? &((SpqRtreeScan *) scan->opaque)->counts : &none,
				node->worker_instrument != NULL, es);
}

/* Add the option to EXPLAIN. */
void
spq_inspect_option_init(void)
{
	extension_id = GetExplainExtensionId(OPTION_NAME);
	spq_register_explain_option(OPTION_NAME, set_option);
}

#endif							/* SPQ_EXPLAIN_OPTIONS */
