/*-------------------------------------------------------------------------
 *
 * tree_inspect.h
 *	  The functions that inspect, for an index of access method spqtree.
 *
 * Each fills the row, or the rows, of its SQL function.  What an index of this kind
 * does not have, such as cells, is null.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_TREE_INSPECT_H
#define SPQ_INSPECT_TREE_INSPECT_H

#include "nodes/execnodes.h"
#include "utils/geo_decls.h"

#include "inspect/inspect.h"
#include "rtree_pages/tree_read.h"

extern void spq_tree_stats(SpqTreeReader *reader, Datum *values, bool *nulls);
extern void spq_tree_nodes(SpqTreeReader *reader, ReturnSetInfo *result);
extern void spq_tree_explain(SpqTreeReader *reader, int strategy, Oid operator_function,
							 Datum query, Datum *values, bool *nulls);

#endif							/* SPQ_INSPECT_TREE_INSPECT_H */
