/*-------------------------------------------------------------------------
 *
 * box_sample.c
 *	  Some boxes of a sequence.  See box_sample.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "picture/model/box_sample.h"

void
spq_picture_sample_init(SpqPictureSample *sample, int max)
{
	sample->boxes = palloc(max * sizeof(SpqInspectBox));
	sample->n = 0;
	sample->max = max;
	sample->seen = 0;
	sample->stride = 1;
}

/*
 * Add the next box of the sequence.  If the sample is full, drop every second
 * box.
 */
void
spq_picture_sample_add(SpqPictureSample *sample, const SpqInspectBox *box)
{
	int64		number = sample->seen++;

	if (number % sample->stride != 0)
		return;
	if (sample->n == sample->max)
	{
		for (int i = 0; i < sample->max / 2; i++)
			sample->boxes[i] = sample->boxes[2 * i];
		sample->n /= 2;
		sample->stride *= 2;
		if (number % sample->stride != 0)
			return;
	}
	sample->boxes[sample->n++] = *box;
}
