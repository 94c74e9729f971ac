/*-------------------------------------------------------------------------
 *
 * query_memo.h
 *	  What estimates have found out about a query, for as long as it is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_CACHE_QUERY_MEMO_H
#define SPQ_ESTIMATE_CACHE_QUERY_MEMO_H

#include "nodes/pathnodes.h"

#include "estimate/sample/box_expression.h"

/* What a note of a relation or of a clause says. */
typedef enum SpqEstimateNoteKind
{
	SPQ_ESTIMATE_NOTE_SPATIAL,	/* of a relation: places of its spatial join
								 * clauses */
	SPQ_ESTIMATE_NOTE_CLAUSE,	/* of a join clause: what it is */
	SPQ_ESTIMATE_NOTE_JOIN,		/* of a join clause: its estimate */
	SPQ_ESTIMATE_NOTE_SCAN		/* of a condition on a table: its estimate; of
								 * a table: whether it has any */
} SpqEstimateNoteKind;

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
extern const void *spq_estimate_note(PlannerInfo *root, const void *about,
									 SpqEstimateNoteKind kind);
extern void spq_estimate_take_note(PlannerInfo *root, const void *about,
								   SpqEstimateNoteKind kind, const void *note, Size size);

#endif							/* SPQ_ESTIMATE_CACHE_QUERY_MEMO_H */
