/*-------------------------------------------------------------------------
 *
 * tree_query.h
 *	  Where a scan for a box goes in an index of access method spqtree, and which
 *	  rows match, for a visitor of the tree: the functions of scans decide
 *	  (spq_rtree_match_inner(), spq_rtree_match_leaf()).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_TREE_QUERY_H
#define SPQ_INSPECT_TREE_QUERY_H

#include "rtree/scan/match.h"

typedef struct SpqTreeQuery
{
	SpqRtreeConditions conditions;	/* refers to the rest */
	ScanKeyData key;
	SpqRtreeOperator operator;
	SpqRtreeComparison of_rows[SPQ_RTREE_COMPARISONS];
	SpqRtreeComparison of_bounds[SPQ_RTREE_COMPARISONS];
} SpqTreeQuery;

extern void spq_tree_query_init(SpqTreeQuery *query, Relation index, int strategy,
								Oid operator_function, Datum box);

/* Return whether an entry is among the matches that the functions of scans set. */
static inline bool
spq_tree_query_has(const uint8 *matches, int entry)
{
	return (matches[entry / SPQ_RTREE_GROUP] & (1 << entry % SPQ_RTREE_GROUP)) != 0;
}

#endif							/* SPQ_INSPECT_TREE_QUERY_H */
