/*-------------------------------------------------------------------------
 *
 * planner.h
 *	  What the files of this room call in each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_PLANNER_H
#define SPQ_JOIN_NODE_PLANNER_PLANNER_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "optimizer/paths.h"

#include "join_node/rows/plan_format.h"
#include "spatial/operators/operators.h"

/* part_clauses.c */

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

/* clauses.c */
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
	double		meeting_per_match;	/* the same of pairs whose boxes meet:
									 * these are compared, also if the
									 * relation is containment */
	double		left_part;		/* of the key's left side, in reach of the
								 * rows of its right side */
	double		right_part;
	bool		guessed;		/* no sample tells how many; for reasons only */
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

/* cost.c */

/*
 * Return the fraction of candidates that is evaluated if rows drop out at
 * their first match.  If a row's m matches are spread evenly among its
 * candidates, the first match comes after 1 / (m + 1) of them; assume twice
 * that for safety, as PostgreSQL does for its own joins.  A row without a
 * match has candidates only if there are conditions besides the key.
 */
extern double spq_node_share_of_candidates(const SemiAntiJoinFactors *factors, bool more_conditions);
extern bool spq_node_is_disabled(void);
extern Cost spq_node_cost_of_exchange(PlannerInfo *root, const CustomPath *path);
extern double spq_node_parallel_divisor(const Path *path);
extern double spq_node_build_memory(const SpqSpatialOperator *op, const Path *build);
extern bool spq_node_cost(PlannerInfo *root, CustomPath *path,
						  List *restrictlist, const SpqNodeClauses *clauses,
						  const SemiAntiJoinFactors *factors, bool shared, bool exchanged);


/* make_path.c */

/* The join for which paths are made. */
typedef struct SpqNodeContext
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	JoinPathExtraData *extra;
	const SpqNodeClauses *clauses;
} SpqNodeContext;

/*
 * Make a path whose cost is not set.  "exchanged" says that the probe side is the
 * inner relation, "partial" that the probe path is partial, "shared" that the build path
 * is partial, too.
 * *restrictlist is set to the conditions that the path evaluates.
 */
typedef struct SpqNodePathKind
{
	int			kind;			/* flags SPQ_NODE_EMIT_..., ONE_PER_..., SEMI */
	bool		exchanged;
	bool		partial;
	bool		shared;
	SpqNodeIndexes indexes;
	List	   *distances;		/* by whose sum boxes in the indexes may be
								 * apart */
} SpqNodePathKind;

extern CustomPath *spq_node_make_path(const SpqNodeContext *context, Path *probe, Path *build,
									  SpqNodePathKind kind, Relids required_outer,
									  List **restrictlist);

extern bool spq_node_is_parallel_safe(const SpqSpatialOperator *op);

/* index_join_paths.c */
extern void spq_node_index_paths(const SpqNodeContext *context, RelOptInfo *probe,
								 RelOptInfo *build, int kind);

/* or_arms.c */
extern List *spq_node_or_arms(PlannerInfo *root, RelOptInfo *joinrel,
							  const RelOptInfo *outerrel, const RelOptInfo *innerrel,
							  List *restrictlist);

/* hash_paths.c */
extern void spq_node_recost_hash_paths(PlannerInfo *root, RelOptInfo *joinrel,
									   RelOptInfo *outerrel,
									   RelOptInfo *innerrel,
									   JoinType jointype, RestrictInfo *condition);

/* plan.c */
extern Plan *spq_node_plan(PlannerInfo *root, RelOptInfo *rel,
						   CustomPath *best_path, List *tlist, List *clauses,
						   List *custom_plans);

/* row_identity.c */
extern Path *spq_node_hide_row_identity(CustomPath *path);
extern void spq_node_name_row_identity(PlannerInfo *root, List *columns, List *tlist);

/* unique_paths.c */
extern void spq_node_unique_paths(PlannerInfo *root, RelOptInfo *joinrel,
								  RelOptInfo *outerrel, RelOptInfo *innerrel,
								  JoinPathExtraData *extra);

#endif							/* SPQ_JOIN_NODE_PLANNER_PLANNER_H */
