/*-------------------------------------------------------------------------
 *
 * sample_boxes.h
 *	  The boxes of a sample, and where they come from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_SAMPLE_BOXES_H
#define SPQ_ESTIMATE_SAMPLE_SAMPLE_BOXES_H

#include "nodes/pg_list.h"
#include "storage/itemptr.h"

#include "spatial/operators/operators.h"

/*
 * A plain table, a partition or an arm of UNION ALL, and the expression that
 * yields its boxes.
 */
typedef struct SpqEstimateChild
{
	Oid			relid;
	double		pages;			/* according to the planner */
	double		tuples;
	Node	   *expr;			/* spq_estimate_expression_key() */
	List	   *rows;			/* constant rows, if there is no table */
} SpqEstimateChild;

typedef struct SpqEstimateCenters SpqEstimateCenters;	/* sample.h */

/* Where a box comes from. */
typedef struct SpqEstimateRow
{
	uint32		number;			/* row_number(), equal in all samples */
	uint16		block;			/* the number of its block */
	uint16		child;			/* the number of its child */
	ItemPointerData tid;
} SpqEstimateRow;

typedef struct SpqEstimateSample
{
	uint64		id;				/* unique in the session */
	uint64		source;			/* equal for the same relations */
	int			rows;			/* rows read, including nulls */
	int			count;			/* boxes; rows without null, NaN and skipped
								 * values */
	int			axes;			/* of the boxes: 2 or 3 */
	bool		lines;			/* the boxes are of segments or rays */
	float8	   *ends;			/* for each box, "axes" high ends and as many
								 * low ends */
	SpqEstimateRow *row;		/* for each box */
	bool		tried;			/* values may be tried later */
	List	   *children;		/* SpqEstimateChild */
	double		pages;			/* of the whole relation */
	bool		complete;		/* these are all rows */
	SpqEstimateCenters *centers;	/* of the boxes; NULL if there are none or
									 * the sample is complete */
} SpqEstimateSample;

#define SPQ_ESTIMATE_MAX_AXES	3
#define SPQ_ESTIMATE_ENDS		SPQ_TYPE_NUMBERS

/* Return the high and the low corner of a box in a sample. */
static inline const float8 *
spq_estimate_high(const SpqEstimateSample *sample, int i)
{
	return &sample->ends[2 * sample->axes * i];
}

static inline const float8 *
spq_estimate_low(const SpqEstimateSample *sample, int i)
{
	return spq_estimate_high(sample, i) + sample->axes;
}

#endif							/* SPQ_ESTIMATE_SAMPLE_SAMPLE_BOXES_H */
