/*-------------------------------------------------------------------------
 *
 * lseg3_type.c
 *	  The type lseg3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/space/space.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const SpqSegment3 *segment = (SpqSegment3 *) DatumGetPointer(value);

	spq_box3_of_corners(segment->p[0].x, segment->p[1].x, (SpqBox3 *) numbers);
}

static void
line_of(Datum value, SpqLine *line)
{
	const SpqSegment3 *segment = (SpqSegment3 *) DatumGetPointer(value);
	float8		along[SPQ_AXES];

	for (int i = 0; i < SPQ_AXES; i++)
		along[i] = segment->p[1].x[i] - segment->p[0].x[i];
	spq_type_set_line(line, segment->p[0].x, along, SPQ_AXES, 0);
}

static bool
meets(const void *segment, const float8 *box)
{
	return spq_segment3_meets_box(segment, (const SpqBox3 *) box);
}

static const SpqTypeOperator operators[] = {
	OWN(54, "&&", box3, lseg3, "spq_box3_overlaps_lseg3", SPQ_BOX_OVERLAPS, LINE_IN_BOX),
	OWN(0, "&&", lseg3, box3, "spq_lseg3_overlaps_box3", SPQ_BOX_OVERLAPS, LINE_IN_BOX),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {SPQ_TYPE_OWN("spq_lseg3_make"), SPQ_TYPE_NO_FUNCTION};

const SpqType spq_type_lseg3 = {
	.name = "lseg3",
	.axes = 3,
	.box = box_of,
	.line = line_of,
	.operators = operators,
	.harmless = harmless,
	.size = sizeof(SpqSegment3),
	.meets = meets,
};
