/*-------------------------------------------------------------------------
 *
 * join_node.h
 *	  Spatial Hash Join, a join node for PostgreSQL's planner and executor.
 *
 *		 clauses.c	   which conditions make the key, which are filters
 *		 paths.c	   offers paths for a join			   (planner, each join)
 *		 cost.c		   what they cost
 *		 hash_paths.c  what PostgreSQL's hash joins cost which have a spatial
 *					   condition as their filter
 *		 plan.c		   path -> plan						   (planner, once)
 *		 execute.c	   rows in, rows out				   (executor)
 *		 sides.c	   a row of a side: its box, its hash, what is kept of it
 *		 parallel.c	   a build side shared by workers
 *		 explain.c	   what EXPLAIN shows
 *
 * This file has what planner and executor both know: what a plan says.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_H
#define SPQ_JOIN_NODE_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

#include "spatial/operators.h"

/*
 * The name in EXPLAIN, by which workers find our methods as well.  It carries
 * the extension's name, because all libraries of a server share the namespace,
 * and a worker runs whatever is registered there.
 */
#define SPQ_NODE_NAME "Spqtree Spatial Hash Join"

/*
 * What kind of join it is, in terms of the sides: a left join may preserve the
 * probes or the build rows.
 */
#define SPQ_NODE_EMIT_PAIRS		0x01
#define SPQ_NODE_EMIT_PROBES		0x02	/* those without a match */
#define SPQ_NODE_EMIT_BUILDS		0x04	/* those without a match */
#define SPQ_NODE_ONE_PER_PROBE	0x08	/* one match of a probe is enough */
#define SPQ_NODE_ONE_PER_BUILD	0x10	/* one match of a build row is enough */
#define SPQ_NODE_SEMI			0x20	/* only for EXPLAIN: so it was asked
										 * for */

/* The sides, as indexes into arrays and lists. */
enum
{
	SPQ_NODE_PROBE,
	SPQ_NODE_BUILD,
	SPQ_NODE_SIDES
};

/* custom_private of a CustomPath: lists of RestrictInfos, and integers */
enum
{
	SPQ_NODE_PATH_KEY,			/* the spatial clause */
	SPQ_NODE_PATH_HASH,			/* equalities */
	SPQ_NODE_PATH_ALL,			/* all clauses of the join, these included */
	SPQ_NODE_PATH_NUMBERS		/* as SPQ_NODE_PLAN_NUMBERS, without the last */
};

/* custom_private of a CustomScan */
enum
{
	SPQ_NODE_PLAN_NUMBERS,		/* see below */
	SPQ_NODE_PLAN_HASH,			/* three Oids of each equality: functions for
								 * probe and build, collation */
	SPQ_NODE_PLAN_COLUMN_SIDES, /* of the scan tuple: which side it comes from */
	SPQ_NODE_PLAN_COLUMNS		/* and its number there */
};

/* integers of a plan */
enum
{
	SPQ_NODE_NUMBER_KIND,		/* SPQ_NODE_EMIT_... */
	SPQ_NODE_NUMBER_PREDICATE,	/* of probe and build */
	SPQ_NODE_NUMBER_EXACT,		/* need not be looked at again */
	SPQ_NODE_NUMBER_PROBE,		/* SpqBoundsKind */
	SPQ_NODE_NUMBER_BUILD,
	SPQ_NODE_NUMBER_SHARED,		/* build side shared by workers */
	SPQ_NODE_NUMBER_PROBE_FUNCTION, /* Oids, if SPQ_BOUNDS_FUNCTION */
	SPQ_NODE_NUMBER_BUILD_FUNCTION,
	SPQ_NODE_NUMBER_COLLATION	/* Oid, of the operator */
};

/*
 * custom_exprs of a CustomScan.  Those of the sides are the argument of the
 * spatial operator, then those of equalities.  (plan.qual is not used: EXPLAIN
 * would show it without the names of tables, as for a scan.)
 */
enum
{
	SPQ_NODE_EXPRS_PROBE,
	SPQ_NODE_EXPRS_BUILD,
	SPQ_NODE_EXPRS_RECHECK,		/* join conditions to evaluate for a pair */
	SPQ_NODE_EXPRS_FILTER,		/* conditions above the join, for each row */
	SPQ_NODE_EXPRS_COND,		/* only to be shown: the key */
	SPQ_NODE_EXPRS_JOIN_FILTER	/* only to be shown: conditions beside the key */
};

/* What clauses.c finds out about a join. */
typedef struct SpqNodeClauses
{
	RestrictInfo *key;
	SpqSpatialOperator op;		/* left is the outer relation's */
	List	   *hash;			/* RestrictInfos of equalities */
} SpqNodeClauses;

extern bool spq_node_find_clauses(PlannerInfo *root, RelOptInfo *joinrel,
								  RelOptInfo *outerrel, RelOptInfo *innerrel,
								  JoinType jointype, List *restrictlist,
								  SpqNodeClauses *clauses);
extern Selectivity spq_node_pair_selectivity(PlannerInfo *root, RestrictInfo *rinfo,
											 RelOptInfo *outerrel,
											 RelOptInfo *innerrel);
extern void spq_node_orient_clause(RestrictInfo *rinfo, Relids left,
								   Expr **left_arg, Expr **right_arg, bool *commuted);

/* paths.c */
extern void spq_node_init(void);

/* cost.c */
extern double spq_node_parallel_divisor(const Path *path);
extern void spq_node_cost(PlannerInfo *root, CustomPath *path,
						  List *restrictlist, const SpqNodeClauses *clauses,
						  bool shared);

extern void spq_node_recost_hash_paths(PlannerInfo *root, RelOptInfo *joinrel,
									   RelOptInfo *outerrel, RelOptInfo *innerrel,
									   JoinType jointype, RestrictInfo *key);

/* plan.c */
extern Plan *spq_node_plan(PlannerInfo *root, RelOptInfo *rel,
						   CustomPath *best_path, List *tlist, List *clauses,
						   List *custom_plans);
extern const CustomScanMethods spq_node_scan_methods;

/* execute.c */
extern Node *spq_node_create_state(CustomScan *cscan);

#endif							/* SPQ_JOIN_NODE_H */
