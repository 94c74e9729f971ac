/*-------------------------------------------------------------------------
 *
 * centers.h
 *	  Centers and sizes of the boxes of a sample, and their scale.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_CENTERS_H
#define SPQ_ESTIMATE_SAMPLE_CENTERS_H

#include "estimate/sample/sample_boxes.h"

/* What is known of the boxes on one axis. */
typedef struct SpqEstimateCentersAxis
{
	double		extent_low;		/* range of the boxes */
	double		extent_high;
	double		low;			/* range of the centers */
	double		high;
	double		scale;			/* extent of the middle half of the centers,
								 * never 0 */
	double	   *center;			/* of each box, clipped to the extent */
	double	   *half;			/* half its size */
} SpqEstimateCentersAxis;

struct SpqEstimateCenters
{
	bool		too_large;		/* differences of coordinates could overflow;
								 * the rest is not set */
	SpqEstimateCentersAxis axis[SPQ_ESTIMATE_MAX_AXES];
};

extern SpqEstimateCenters *spq_estimate_find_centers(const SpqEstimateSample *sample);

#endif							/* SPQ_ESTIMATE_SAMPLE_CENTERS_H */
