/*-------------------------------------------------------------------------
 *
 * box_sample.h
 *	  Some boxes of a sequence whose length is not known: every one, then every
 *	  second, fourth, ... box, so that between half of the maximum and the
 *	  maximum remain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_MODEL_BOX_SAMPLE_H
#define SPQ_PICTURE_MODEL_BOX_SAMPLE_H

#include "inspect/inspect.h"

typedef struct SpqPictureSample
{
	SpqInspectBox *boxes;
	int			n;
	int			max;			/* even */
	int64		seen;			/* boxes of the sequence */
	int64		stride;			/* one box in this many is kept */
} SpqPictureSample;

extern void spq_picture_sample_init(SpqPictureSample *sample, int max);
extern void spq_picture_sample_add(SpqPictureSample *sample, const SpqInspectBox *box);

#endif							/* SPQ_PICTURE_MODEL_BOX_SAMPLE_H */
