/*-------------------------------------------------------------------------
 *
 * cache.h
 *	  Samples and estimates of the session, and facts about a query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_CACHE_CACHE_H
#define SPQ_ESTIMATE_CACHE_CACHE_H

#include "nodes/pathnodes.h"

#include "estimate/pairs/estimate.h"
#include "estimate/sample/sample.h"

/*
 * sample_cache.c
 *
 *		(table, expression) ... -> sample --+
 *											+--> estimate of the pair
 *		(table, expression) ... -> sample --+
 *
 * A sample is valid until one of its relations is altered, vacuumed or
 * analyzed, or its size changes by more than a tenth.
 */

extern void spq_estimate_cache_init(void);
extern const SpqEstimateSample *spq_estimate_sample(List *children, const SpqTypeOperand *operand,
													int rows, int block_rows);
extern const SpqEstimateSample *spq_estimate_sample_again(uint64 id);
extern void spq_estimate_forget_sample(uint64 id);
extern const SpqEstimate *spq_estimate_of_samples(const SpqEstimateSample *left,
												  const SpqEstimateSample *right,
												  const SpqEstimateQuestion *question);

/* query_memo.c */

/* The kinds of notes about a relation or a clause. */
typedef enum SpqEstimateNoteKind
{
	SPQ_ESTIMATE_NOTE_SPATIAL,	/* of a relation: positions of its spatial
								 * join clauses */
	SPQ_ESTIMATE_NOTE_INTERVALS,	/* of a relation: pairs of comparisons */
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

/* sampled_column.c */
extern const SpqEstimateSample *spq_estimate_column_sample(PlannerInfo *root,
														   const SpqEstimateExpression *column,
														   int block_rows, double *tuples);

#endif							/* SPQ_ESTIMATE_CACHE_CACHE_H */
