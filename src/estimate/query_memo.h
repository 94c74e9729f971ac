/*-------------------------------------------------------------------------
 *
 * query_memo.h
 *	  What estimates have found out about a query, for as long as it is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_QUERY_MEMO_H
#define SPQ_ESTIMATE_QUERY_MEMO_H

#include "nodes/pathnodes.h"

#include "estimate/box_expression.h"

/* An expression over a table, and its sample. */
typedef struct SpqEstimateKnownColumn
{
	SpqEstimateExpression column;
	int			block_rows;		/* as for the sample */
	uint64		sample;			/* its id; 0: none can be had */
	double		tuples;			/* of the tables sampled */
} SpqEstimateKnownColumn;

extern const SpqEstimateKnownColumn *spq_estimate_known_column(PlannerInfo *root,
															   const SpqEstimateExpression *column,
															   int block_rows);
extern void spq_estimate_know_column(PlannerInfo *root, const SpqEstimateKnownColumn *known);
extern bool spq_estimate_known_clauses(PlannerInfo *root, Index relid, Bitmapset **spatial);
extern void spq_estimate_know_clauses(PlannerInfo *root, Index relid, const Bitmapset *spatial);

#endif							/* SPQ_ESTIMATE_QUERY_MEMO_H */
