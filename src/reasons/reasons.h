/*-------------------------------------------------------------------------
 *
 * reasons.h
 *	  What the planner's hooks have seen of the joins of a statement.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_REASONS_REASONS_H
#define SPQ_REASONS_REASONS_H

#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

/* What a condition of a join is to the spatial hash join. */
typedef enum SpqReason
{
	SPQ_REASON_KEY,				/* it can be the key */
	SPQ_REASON_HASH,			/* an equality, hashed beside the key */
	SPQ_REASON_NO_KEY,			/* implies nothing about boxes of both sides */
	SPQ_REASON_FILTER,			/* above an outer join */
	SPQ_REASON_SECURITY,		/* others must be evaluated before it */
	SPQ_REASON_VOLATILE,
	SPQ_REASON_SUBQUERY,
	SPQ_REASON_RIGHTS			/* no right to execute a function in the key */
} SpqReason;

typedef struct SpqReasonClause
{
	Node	   *clause;			/* of the query, as planned */
	SpqReason	reason;
	JoinType	jointype;		/* JOIN_RIGHT is JOIN_LEFT */
} SpqReasonClause;

/* A join for which the planner has asked the hook. */
typedef struct SpqReasonJoin
{
	PlannerInfo *root;
	Relids		relids;
	List	   *clauses;		/* SpqReasonClause */
	Node	   *key;			/* the condition chosen, or NULL */
	bool		guessed;		/* how many pairs satisfy it */
	bool		of_target;		/* changes a table that an extension may store */
	bool		other_is_wanted;	/* other extensions restrict joins (19) */
	double		own_cost;		/* of the cheapest spatial hash join; -1: none */
	double		build_rows,
				memory;			/* that its build side takes, in bytes */
	double		other_cost;		/* of the cheapest other join; -1: none */
	double		arms_cost;		/* of a join for each arm of an OR; -1: none */
} SpqReasonJoin;

/* A table of a subquery whose rows can be kept in memory for many searches. */
typedef struct SpqReasonSearch
{
	PlannerInfo *root;
	Index		relid;
	double		memory;			/* in bytes, of at most */
	double		limit;
} SpqReasonSearch;

/* A query level that was planned.  Inner levels come first. */
typedef struct SpqReasonQuery
{
	PlannerInfo *root;
	RelOptInfo *final;
	List	   *params;			/* for each level around it, from the inside,
								 * the PlannerParamItems of its variables */
} SpqReasonQuery;

typedef struct SpqReasons
{
	MemoryContext context;		/* of all that is below */
	List	   *joins;			/* SpqReasonJoin */
	List	   *searches;		/* SpqReasonSearch */
	List	   *queries;		/* SpqReasonQuery */
	PlannedStmt *statement;		/* the result */
	List	   *lines;			/* what was found (advise/advise.h) */
} SpqReasons;

/* Where to note reasons; NULL nearly always. */
extern SpqReasons *spq_reasons;

/* Whether to note something of a join.  Joins of two partitions are left out. */
#define spq_reasons_wanted(joinrel) (spq_reasons != NULL && !IS_OTHER_REL(joinrel))

extern SpqReasons *spq_reasons_want(void);
extern bool spq_reasons_matter(void);
extern SpqReasons *spq_reasons_begin(void);
extern void spq_reasons_end(SpqReasons *before);

extern void spq_reasons_note_query(PlannerInfo *root, RelOptInfo *final);
extern SpqReasonJoin *spq_reasons_join(PlannerInfo *root, RelOptInfo *joinrel);
extern void spq_reasons_note_search(PlannerInfo *root, Index relid, double memory, double limit);
extern void spq_reasons_note_clause(PlannerInfo *root, RelOptInfo *joinrel, RestrictInfo *rinfo,
									JoinType jointype, SpqReason reason);

#endif							/* SPQ_REASONS_REASONS_H */
