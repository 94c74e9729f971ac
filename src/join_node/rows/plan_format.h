/*-------------------------------------------------------------------------
 *
 * plan_format.h
 *	  The contents of paths and plans of a spatial hash join.
 *
 * PostgreSQL copies and serializes plans, so a plan consists of lists of
 * nodes, integers and Oids.  The enums below name the slots of these lists:
 *
 *		CustomPath		custom_paths	{ probe, build }
 *						custom_private	SPQ_NODE_PATH_...
 *
 *		CustomScan		custom_plans	{ probe, build }
 *						custom_exprs	SPQ_NODE_EXPRS_...
 *						custom_private	SPQ_NODE_PLAN_...
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_ROWS_PLAN_FORMAT_H
#define SPQ_JOIN_NODE_ROWS_PLAN_FORMAT_H

#include "nodes/plannodes.h"

/*
 * The name in EXPLAIN, and the name by which parallel workers find the node's
 * methods.  It contains the extension's name because all libraries of a server
 * register their nodes in one namespace.
 */
#define SPQ_NODE_NAME "Spqtree Spatial Hash Join"
#define SPQ_NODE_INDEX_NAME "Spqtree Index Join"

/*
 * The kind of a join, in terms of the sides: a left join may preserve the
 * probe rows or the build rows.
 */
#define SPQ_NODE_EMIT_PAIRS		0x01
#define SPQ_NODE_EMIT_PROBES	0x02	/* unmatched probes */
#define SPQ_NODE_EMIT_BUILDS	0x04	/* unmatched build rows */
#define SPQ_NODE_ONE_PER_PROBE	0x08	/* one match of a probe is enough */
#define SPQ_NODE_ONE_PER_BUILD	0x10	/* one match of a build row is enough */
#define SPQ_NODE_SEMI			0x20	/* semi join; used by EXPLAIN only */

/* The sides, as indexes into arrays and lists. */
enum
{
	SPQ_NODE_PROBE,
	SPQ_NODE_BUILD,
	SPQ_NODE_SIDES
};

/* custom_private of a CustomPath: RestrictInfos, and integers */
enum
{
	SPQ_NODE_PATH_KEY,			/* the spatial clause */
	SPQ_NODE_PATH_HASH,			/* list of equalities in the key */
	SPQ_NODE_PATH_ALL,			/* list of all join clauses, including these
								 * two */
	SPQ_NODE_PATH_CLEAR,		/* list of those that hold for boxes that
								 * clearly overlap */
	SPQ_NODE_PATH_DISTANCES,	/* list of expressions */
	SPQ_NODE_PATH_NUMBERS,		/* SPQ_NODE_NUMBER_..., without COLLATION */
	SPQ_NODE_PATH_COUNTS,		/* as SPQ_NODE_PLAN_COUNTS */
	SPQ_NODE_PATH_HAVING		/* RestrictInfos of the conditions on whole
								 * counts */
};

/* custom_private of a CustomScan */
enum
{
	SPQ_NODE_PLAN_NUMBERS,		/* SPQ_NODE_NUMBER_... */
	SPQ_NODE_PLAN_HASH,			/* three Oids for each equality: hash
								 * functions of probe and build, collation */
	SPQ_NODE_PLAN_COLUMN_SIDES, /* for each column of the scan tuple, the side
								 * that it comes from */
	SPQ_NODE_PLAN_COLUMNS,		/* and its attribute number in that side's
								 * plan */
	SPQ_NODE_PLAN_COUNTS		/* for each of the last columns, a partial
								 * count: the events that count, bits of 1 <<
								 * SpqJoinEvent */
};

/* Whether rows are counted, not returned. */
typedef enum SpqNodeCounted
{
	SPQ_NODE_NOT_COUNTED,
	SPQ_NODE_COUNTED,
	SPQ_NODE_COUNTED_BY_PROBE,	/* for each probe row */
	SPQ_NODE_COUNTED_BY_BUILD	/* for each build row */
} SpqNodeCounted;

/* Which children are index scans whose indexes the node reads itself. */
typedef enum SpqNodeIndexes
{
	SPQ_NODE_NO_INDEX,
	SPQ_NODE_BUILD_INDEX,
	SPQ_NODE_BOTH_INDEXES
} SpqNodeIndexes;

/* The integers of SPQ_NODE_PATH_NUMBERS and SPQ_NODE_PLAN_NUMBERS */
enum
{
	SPQ_NODE_NUMBER_KIND,		/* flags SPQ_NODE_EMIT_..., ONE_PER_..., SEMI */
	SPQ_NODE_NUMBER_PREDICATE,	/* SpqRelation between probe and build box */
	SPQ_NODE_NUMBER_EXACT,		/* no recheck: the boxes decide */
	SPQ_NODE_NUMBER_PROBE,		/* number of the type of the probe's values */
	SPQ_NODE_NUMBER_BUILD,		/* the same of the build row's values */
	SPQ_NODE_NUMBER_SHARED,		/* workers share the build side */
	SPQ_NODE_NUMBER_PROBE_FUNCTION, /* Oids of functions that return a
									 * bounding box, or InvalidOid */
	SPQ_NODE_NUMBER_BUILD_FUNCTION,
	SPQ_NODE_NUMBER_CLEAR_AXES, /* the number of axes on which boxes must
								 * clearly overlap to need less recheck; or 0 */
	SPQ_NODE_NUMBER_LINES,		/* probes are compared as lines, not as boxes */
	SPQ_NODE_NUMBER_INDEXES,	/* SpqNodeIndexes */
	SPQ_NODE_NUMBER_COUNTED,	/* SpqNodeCounted */
	SPQ_NODE_NUMBER_COLLATION	/* Oid, the spatial operator's collation */
};

/*
 * custom_exprs of a CustomScan: lists of expressions.  The list of a side
 * starts with its argument of the spatial operator, followed by its arguments
 * of the equalities.  (plan.qual stays empty, because EXPLAIN would show it
 * without table names, as it does for scans.)
 */
enum
{
	SPQ_NODE_EXPRS_PROBE,
	SPQ_NODE_EXPRS_BUILD,
	SPQ_NODE_EXPRS_RECHECK,		/* join conditions to evaluate for each pair */
	SPQ_NODE_EXPRS_RECHECK_CLEAR,	/* those of them to evaluate for pairs
									 * whose boxes clearly overlap */
	SPQ_NODE_EXPRS_FILTER,		/* conditions above the join, evaluated for
								 * each row, or, on whole counts, for each
								 * group */
	SPQ_NODE_EXPRS_COND,		/* the key: for EXPLAIN, and to check
								 * privileges */
	SPQ_NODE_EXPRS_JOIN_FILTER, /* conditions besides the key: for EXPLAIN,
								 * and to check privileges */

	/* if there are conditions on parts (part_clauses.c) */
	SPQ_NODE_EXPRS_PARTITIONING,	/* a list with the constant, or empty */
	SPQ_NODE_EXPRS_PROBE_PARTS, /* values that must equal the owner of the
								 * probe row's pairs */
	SPQ_NODE_EXPRS_BUILD_PARTS,
	SPQ_NODE_EXPRS_DISTANCES	/* if the node reads indexes: boxes may be
								 * apart by the sum of these */
};

#endif							/* SPQ_JOIN_NODE_ROWS_PLAN_FORMAT_H */
