/*-------------------------------------------------------------------------
 *
 * lseg3_functions.c
 *	  Line segments of three dimensions in SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/functions/solid_io.h"
#include "solid/geometry/box3.h"
#include "solid/geometry/shapes3.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_lseg3_in);
PG_FUNCTION_INFO_V1(spq_lseg3_out);
PG_FUNCTION_INFO_V1(spq_lseg3_recv);
PG_FUNCTION_INFO_V1(spq_lseg3_make);
PG_FUNCTION_INFO_V1(spq_lseg3_length);
PG_FUNCTION_INFO_V1(spq_box3_of_lseg3);

#define LSEG3_NUMBERS (sizeof(SpqSegment3) / sizeof(float8))

Datum
spq_lseg3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "lseg3");
	SpqSegment3 *segment = palloc(sizeof(SpqSegment3));

	if (!spq_input_points(&input, true, 2, segment->p) || !spq_input_end(&input))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(segment);
}

Datum
spq_lseg3_out(PG_FUNCTION_ARGS)
{
	const SpqSegment3 *segment = PG_GETARG_LSEG3_P(0);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, '[');
	spq_output_point(&out, &segment->p[0]);
	appendStringInfoChar(&out, ',');
	spq_output_point(&out, &segment->p[1]);
	appendStringInfoChar(&out, ']');
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_lseg3_recv(PG_FUNCTION_ARGS)
{
	SpqSegment3 *segment = palloc(sizeof(SpqSegment3));

	spq_receive_numbers(fcinfo, (float8 *) segment, LSEG3_NUMBERS);
	PG_RETURN_POINTER(segment);
}

SPQ_SQL_FUNCTION(spq_lseg3_send, return spq_send_numbers((const float8 *) PG_GETARG_LSEG3_P(0), LSEG3_NUMBERS))

/* lseg3(point3, point3) */
Datum
spq_lseg3_make(PG_FUNCTION_ARGS)
{
	SpqSegment3 *segment = palloc(sizeof(SpqSegment3));

	segment->p[0] = *PG_GETARG_POINT3_P(0);
	segment->p[1] = *PG_GETARG_POINT3_P(1);
	PG_RETURN_POINTER(segment);
}

/* length(lseg3): the distance of its ends */
Datum
spq_lseg3_length(PG_FUNCTION_ARGS)
{
	const SpqSegment3 *segment = PG_GETARG_LSEG3_P(0);

	PG_RETURN_FLOAT8(spq_box3_distance(spq_point3_corners(&segment->p[0]),
									   spq_point3_corners(&segment->p[1])));
}

/* box3(lseg3): its bounds */
Datum
spq_box3_of_lseg3(PG_FUNCTION_ARGS)
{
	const SpqSegment3 *segment = PG_GETARG_LSEG3_P(0);
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_box3_of_corners(segment->p[0].x, segment->p[1].x, box);
	PG_RETURN_POINTER(box);
}

SPQ_SQL_OPERATOR(spq_box3_overlaps_lseg3, spq_lseg3_overlaps_box3, BOOL, BOX3, LSEG3, spq_segment3_meets_box)
