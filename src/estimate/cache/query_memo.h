/*-------------------------------------------------------------------------
 *
 * query_memo.h
 *	  What estimates have learned about a query, kept while the query is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_CACHE_QUERY_MEMO_H
#define SPQ_ESTIMATE_CACHE_QUERY_MEMO_H

#include "nodes/pathnodes.h"

#include "estimate/sample/box_expression.h"

/* The kinds of notes about a relation or a clause. */
typedef enum SpqEstimateNoteKind
{
	SPQ_ESTIMATE_NOTE_SPATIAL,	/* of a relation: positions of its spatial
								 * join clauses */
	SPQ_ESTIMATE_NOTE_CLAUSE,	/* of a join clause: what it is */
	SPQ_ESTIMATE_NOTE_JOIN,		/* of a join clause: its estimate */
	SPQ_ESTIMATE_NOTE_SCAN,		/* of a condition on a table: its estimate; of
								 * a table: whether it has any */
	SPQ_ESTIMATE_NOTE_INDEX		/* of a table: index scans with spatial
								 * parameters */
} SpqEstimateNoteKind;

/* An expression over a table, and its sample. */
typedef struct SpqEstimateKnownColumn
{
	SpqEstimateExpression column;
	int			block_rows;		/* as of the sample */
	uint64		sample;			/* its id; 0 if there is none */
	double		tuples;			/* of the sampled tables */
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
