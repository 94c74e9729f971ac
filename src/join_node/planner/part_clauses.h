/*-------------------------------------------------------------------------
 *
 * part_clauses.h
 *	  Join conditions on the part that owns a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_PART_CLAUSES_H
#define SPQ_JOIN_NODE_PLANNER_PART_CLAUSES_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"

/* The conditions on parts of a join whose key is && of the divided boxes. */
typedef struct SpqNodeParts
{
	RestrictInfo *owner;		/* spqtree_pair_part(a, b, P) = part; NULL if
								 * there are none */
	Const	   *partitioning;	/* P */
	List	   *clauses;		/* RestrictInfos: owner, and equalities of
								 * parts */
	List	   *values;			/* Vars and Consts that these compare */
} SpqNodeParts;

extern void spq_node_find_parts(const RestrictInfo *key, SpqRelation predicate,
								const SpqType *left, const SpqType *right,
								List *join_clauses, SpqNodeParts *parts);
extern List *spq_node_parts_of_side(const SpqNodeParts *parts, Relids relids);

#endif							/* SPQ_JOIN_NODE_PLANNER_PART_CLAUSES_H */
