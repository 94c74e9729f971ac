/*-------------------------------------------------------------------------
 *
 * line.c
 *	  The straight line on which a value lies.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/type.h"

/*
 * Divide the direction by its largest number, so that this becomes 1.  Return
 * false if a number is too large or too small, or is NaN.
 */
static bool
scale(SpqLine *line)
{
	float8		largest = 0;

	for (int i = 0; i < SPQ_LINE_AXES; i++)
		largest = Max(largest, fabs(line->along[i]));
	for (int i = 0; i < SPQ_LINE_AXES; i++)
	{
		if (!(fabs(line->at[i]) <= SPQ_LINE_MOST))
			return false;
		if (line->along[i] == 0)
			continue;
		line->along[i] /= largest;
		if (!(fabs(line->along[i]) >= 1 / SPQ_LINE_MOST))
			return false;
	}
	return line->reach <= SPQ_LINE_MOST;
}

/*
 * Set the line through a point in a direction.  "reach" is the distance at which
 * points beside it count.
 */
void
spq_type_set_line(SpqLine *line, const float8 *at, const float8 *along, int axes, float8 reach)
{
	memset(line, 0, sizeof(SpqLine));
	for (int i = 0; i < axes; i++)
	{
		line->at[i] = at[i];
		line->along[i] = along[i];
	}
	line->reach = reach;
	if (!scale(line))
		for (int i = 0; i < SPQ_LINE_AXES; i++)
			line->at[i] = line->along[i] = get_float8_nan();
}
