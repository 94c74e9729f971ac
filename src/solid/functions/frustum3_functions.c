/*-------------------------------------------------------------------------
 *
 * frustum3_functions.c
 *	  Type frustum3 in SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/fmgrprotos.h"

#include "compat.h"
#include "solid/functions/solid_io.h"
#include "solid/geometry/shapes3.h"
#include "sql_function.h"

/* numbers of a plane, of a frustum, of a 4 x 4 matrix */
#define PLANE_NUMBERS 4
#define NUMBERS (SPQ_FRUSTUM3_PLANES * PLANE_NUMBERS)
#define MATRIX_NUMBERS 16

/* the first planes are the sides: left, right, bottom, top */
#define SIDES 4

StaticAssertDecl(sizeof(SpqFrustum3) == NUMBERS * sizeof(float8), "numbers of a frustum");

PG_FUNCTION_INFO_V1(spq_frustum3_in);
PG_FUNCTION_INFO_V1(spq_frustum3_out);
PG_FUNCTION_INFO_V1(spq_frustum3_recv);
PG_FUNCTION_INFO_V1(spq_frustum3_of_planes);
PG_FUNCTION_INFO_V1(spq_frustum3_planes);

/*
 * Return whether all planes have a direction; report an infinite normal as an
 * error.  A normal of zero is allowed: all of space is in front of the plane
 * or behind it.  The far plane of a camera that sees to infinity is an
 * example.
 */
static bool
is_valid(const SpqFrustum3 *frustum, struct Node *escontext, int code)
{
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
		for (int axis = 0; axis < SPQ_AXES; axis++)
			if (isinf(frustum->plane[i].normal[axis]))
				spq_ereturn(escontext, false,
							(errcode(code),
							 errmsg("plane normals of a frustum must be finite"),
							 errdetail("Plane %d of the frustum has an infinite normal.", i + 1)));
	return true;
}

/*
 * Raise an error if a side of the frustum has no direction: the matrix, for
 * example one of zeros, is not that of a camera.  The near plane and the far
 * plane may have none.
 */
static void
check_sides(const SpqFrustum3 *frustum)
{
	for (int i = 0; i < SIDES; i++)
	{
		const float8 *normal = frustum->plane[i].normal;

		if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("matrix is not a camera matrix"),
					 errdetail("Side plane %d of the frustum has a zero normal.", i + 1)));
	}
}

/* [(a,b,c,d),(a,b,c,d), ...]: six planes */
Datum
spq_frustum3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "frustum3");
	SpqFrustum3 *frustum = palloc(sizeof(SpqFrustum3));
	float8	   *number = (float8 *) frustum;

	if (!spq_input_expect(&input, '['))
		PG_RETURN_NULL();
	for (int i = 0; i < NUMBERS; i++)
	{
		bool		begins = i % PLANE_NUMBERS == 0,
					ends = (i + 1) % PLANE_NUMBERS == 0;

		if ((i > 0 && !spq_input_expect(&input, ',')) ||
			(begins && !spq_input_expect(&input, '(')) ||
			!spq_input_number(&input, &number[i]) ||
			(ends && !spq_input_expect(&input, ')')))
			PG_RETURN_NULL();
	}
	if (!spq_input_expect(&input, ']') || !spq_input_end(&input) ||
		!is_valid(frustum, input.escontext, ERRCODE_INVALID_PARAMETER_VALUE))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(frustum);
}

Datum
spq_frustum3_out(PG_FUNCTION_ARGS)
{
	const float8 *number = (float8 *) PG_GETARG_FRUSTUM3_P(0);
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < NUMBERS; i++)
	{
		appendStringInfoString(&out, i == 0 ? "[(" : i % PLANE_NUMBERS == 0 ? "),(" : ",");
		spq_output_number(&out, number[i]);
	}
	appendStringInfoString(&out, ")]");
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_frustum3_recv(PG_FUNCTION_ARGS)
{
	SpqFrustum3 *frustum = palloc(sizeof(SpqFrustum3));

	spq_receive_numbers(fcinfo, (float8 *) frustum, NUMBERS);
	is_valid(frustum, NULL, ERRCODE_INVALID_BINARY_REPRESENTATION);
	PG_RETURN_POINTER(frustum);
}

SPQ_SQL_FUNCTION(spq_frustum3_send, return spq_send_numbers((float8 *) PG_GETARG_FRUSTUM3_P(0), NUMBERS))

/*
 * Return the numbers of an array of any dimensions.  They are in the array,
 * not copied.  Raise an error unless there are as many as expected.
 */
static const float8 *
array_numbers(ArrayType *array, int expected, const char *what)
{
	int			count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));

	if (count != expected)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("wrong number of array elements"),
				 errdetail("%s requires %d numbers, but the array has %d.", what, expected, count)));
	if (array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("array must not contain nulls")));
	return (const float8 *) ARR_DATA_PTR(array);
}

/* frustum3(planes float8[]) */
Datum
spq_frustum3_of_planes(PG_FUNCTION_ARGS)
{
	SpqFrustum3 *frustum = palloc(sizeof(SpqFrustum3));

	memcpy(frustum, array_numbers(PG_GETARG_ARRAYTYPE_P(0), NUMBERS, "A frustum of six planes"),
		   sizeof(SpqFrustum3));
	is_valid(frustum, NULL, ERRCODE_INVALID_PARAMETER_VALUE);
	PG_RETURN_POINTER(frustum);
}

/* Return the frustum of a matrix, an array of its rows or of its columns. */
static Datum
frustum_of_matrix(FunctionCallInfo fcinfo, bool row_major)
{
	const float8 *number = array_numbers(PG_GETARG_ARRAYTYPE_P(0), MATRIX_NUMBERS,
										 "A 4 x 4 matrix");
	float8		matrix[4][4];
	const float8 *row[4];
	SpqFrustum3 *frustum = palloc(sizeof(SpqFrustum3));

	for (int i = 0; i < 4; i++)
	{
		row[i] = matrix[i];
		for (int j = 0; j < 4; j++)
		{
			matrix[i][j] = row_major ? number[4 * i + j] : number[4 * j + i];
			if (isinf(matrix[i][j]))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("matrix must be finite")));
		}
	}
	spq_frustum3_of_matrix(row, PG_GETARG_BOOL(1), frustum);
	/* sums may have overflowed */
	is_valid(frustum, NULL, ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE);
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
		if (isinf(frustum->plane[i].offset))
			float_overflow_error();
	check_sides(frustum);
	PG_RETURN_POINTER(frustum);
}

/* frustum3_row_major(matrix float8[], depth_from_zero bool) */
SPQ_SQL_FUNCTION(spq_frustum3_row_major, return frustum_of_matrix(fcinfo, true))

/* frustum3_column_major(matrix float8[], depth_from_zero bool) */
SPQ_SQL_FUNCTION(spq_frustum3_column_major, return frustum_of_matrix(fcinfo, false))

/* Return the planes, as an array of six by four. */
Datum
spq_frustum3_planes(PG_FUNCTION_ARGS)
{
	const float8 *number = (float8 *) PG_GETARG_FRUSTUM3_P(0);
	Datum		elements[NUMBERS];
	int			length[2] = {SPQ_FRUSTUM3_PLANES, PLANE_NUMBERS},
				first[2] = {1, 1};

	for (int i = 0; i < NUMBERS; i++)
		elements[i] = Float8GetDatum(number[i]);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(elements, NULL, 2, length, first, FLOAT8OID,
											 sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

SPQ_SQL_OPERATOR(spq_box3_overlaps_frustum3, spq_frustum3_overlaps_box3, BOOL, BOX3, FRUSTUM3, spq_frustum3_meets_box)
SPQ_SQL_OPERATOR(spq_box3_in_frustum3, spq_frustum3_contains_box3, BOOL, BOX3, FRUSTUM3, spq_frustum3_holds_box)
SPQ_SQL_OPERATOR(spq_point3_in_frustum3, spq_frustum3_contains_point3, BOOL, POINT3, FRUSTUM3, spq_frustum3_holds_point)
