/*-------------------------------------------------------------------------
 *
 * clauses.h
 *	  The conditions that form the key of a join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_CLAUSES_H
#define SPQ_JOIN_NODE_PLANNER_CLAUSES_H

#include "nodes/pathnodes.h"

#include "join_node/planner/part_clauses.h"

typedef struct SpqNodeClauses
{
	RestrictInfo *key;			/* the spatial condition, or the one it
								 * implies */
	RestrictInfo *condition;	/* the spatial condition as written */
	List	   *clear;			/* the conditions that hold for boxes that
								 * clearly overlap */
	SpqSpatialOperator op;		/* left operand: the outer relation's */
	double		per_match;		/* pairs whose boxes are in the relation that
								 * the engine searches for, per pair that
								 * satisfies the condition */
	List	   *hash;			/* RestrictInfos of equalities */
	SpqNodeParts parts;			/* conditions on parts, if any */
} SpqNodeClauses;

extern bool spq_node_find_clauses(PlannerInfo *root, RelOptInfo *joinrel,
								  RelOptInfo *outerrel, RelOptInfo *innerrel,
								  JoinType jointype, List *restrictlist,
								  SpqNodeClauses *clauses);
extern Selectivity spq_node_pair_selectivity(PlannerInfo *root,
											 RestrictInfo *rinfo,
											 RelOptInfo *outerrel,
											 RelOptInfo *innerrel);
extern void spq_node_orient_clause(RestrictInfo *rinfo, Relids left,
								   Expr **left_arg, Expr **right_arg,
								   bool *commuted);

#endif							/* SPQ_JOIN_NODE_PLANNER_CLAUSES_H */
