/*-------------------------------------------------------------------------
 *
 * query_join.h
 *	  A join of two queries, or of one with itself.
 *
 * A caller drives a join like this:
 *
 *		spq_query_join_plan(&join, left, right, &spec);
 *		spq_query_join_start(&join);
 *		spq_query_join_build(&join);
 *		while (spq_query_join_next(&join, &pair))
 *			use the pair
 *		spq_query_join_end(&join);
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUERY_JOIN_QUERY_JOIN_H
#define SPQ_QUERY_JOIN_QUERY_JOIN_H

#include "access/htup.h"
#include "fmgr.h"
#include "nodes/execnodes.h"

#include "join/engine/join.h"
#include "query_join/query_rows.h"

/*
 * All zero before the join begins.  spq_query_join_end() may be called at any
 * time.  With spec.build_payload, pairs have boxes.
 */
typedef struct SpqQueryJoin
{
	const SpqJoinEngine *engine;	/* for the dimension of the boxes */
	SpqJoinSpec spec;
	SpqJoin    *join;
	SpqQueryRows *build;
	SpqQueryRows *probes;		/* NULL in a join with itself */
	bool		left_is_build;
} SpqQueryJoin;

/* A pair.  Its boxes, if it has any, are valid until the next call. */
typedef struct SpqQueryJoinPair
{
	int64		left;
	int64		right;
	const float8 *left_box;
	const float8 *right_box;
} SpqQueryJoinPair;

/*
 * A call of a set-returning function.  Its own state begins with this.  It belongs
 * to the context of all calls, and is zero at first.
 */
typedef struct SpqQueryCall
{
	const struct SpqQuerySet *set;
	ExprContext *econtext;
	TupleDesc	desc;			/* of the result */
	HeapTupleHeader result;		/* for a function that returns one row again
								 * and again, with other numbers */
} SpqQueryCall;

/* A set-returning function. */
typedef struct SpqQuerySet
{
	Size		size;			/* of its state */
	void		(*begin) (FunctionCallInfo fcinfo, SpqQueryCall *call);
	/* return the next row, or NULL at the end */
	HeapTupleHeader (*next) (SpqQueryCall *call);
	/* close queries and joins, also those that have not begun */
	void		(*end) (SpqQueryCall *call);
} SpqQuerySet;

extern Datum spq_query_set(FunctionCallInfo fcinfo, const SpqQuerySet *set);
extern HeapTupleHeader spq_query_row(const SpqQueryCall *call, Datum third);
extern char *spq_query_text_argument(FunctionCallInfo fcinfo, int n, const char *name);
extern float8 spq_query_length_argument(FunctionCallInfo fcinfo, int n, const char *name,
										const char *hint);
extern SpqRelation spq_query_predicate_argument(FunctionCallInfo fcinfo, int n);
extern void spq_query_read_distance(FunctionCallInfo fcinfo, int n, SpqJoinSpec *spec);
extern void spq_query_check_dimensions(const SpqQueryRows *left, const char *left_name,
									   const SpqQueryRows *right, const char *right_name);

extern void spq_query_join_plan(SpqQueryJoin *join, SpqQueryRows *left,
								SpqQueryRows *right, const SpqJoinSpec *spec);
extern void spq_query_join_start(SpqQueryJoin *join);
extern void spq_query_join_build(SpqQueryJoin *join);
extern bool spq_query_join_next(SpqQueryJoin *join, SpqQueryJoinPair *pair);
extern void spq_query_join_end(SpqQueryJoin *join);

#endif							/* SPQ_QUERY_JOIN_QUERY_JOIN_H */
