/*-------------------------------------------------------------------------
 *
 * part_sample.c
 *	  Build a partitioning from the rows of a query.
 *
 * All rows are read, and a sample of them is kept, hundreds for each part:
 * with n rows for a part, the relative error of its size is about 1 / sqrt(n).
 * Each row has the same chance.  The random numbers are the same each time, so
 * the same rows in the same order make the same parts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "divide/part_build.h"
#include "query_join/query_join.h"
#include "query_join/query_rows.h"

PG_FUNCTION_INFO_V1(spq_partition);

#define ROWS_PER_PART 400
#define MIN_SAMPLE 40000
#define SEED 20190613

typedef struct Sample
{
	float8	   *boxes;
	int			axes;
	int			room;			/* number of boxes allocated */
	int			limit;			/* number of boxes to keep */
	uint64		seen;			/* rows so far with a box without NaN */
	pg_prng_state random;
} Sample;

/* Return an integer argument.  Raise an error if it is out of range. */
static int
integer_argument(FunctionCallInfo fcinfo, int n, const char *name)
{
	int			value = PG_GETARG_INT32(n);

	if (value < 1 || value > SPQ_PART_MAX_PARTS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be between 1 and %d", name, SPQ_PART_MAX_PARTS)));
	return value;
}

static Size
box_size(const Sample *sample)
{
	return 2 * sample->axes * sizeof(float8);
}

/*
 * Return the number of boxes to keep: enough for this many parts, within the
 * memory of a hash table.
 */
static int
sample_limit(int axes, int parts)
{
	double		wanted = Max((double) parts * ROWS_PER_PART, MIN_SAMPLE),
				fits = get_hash_memory_limit() /
		(2 * axes * sizeof(float8) + SPQ_PART_BUILD_BYTES);

	return (int) Min(Min(wanted, fits), PG_INT32_MAX / 2);
}

/* Add a row to the sample (reservoir sampling: Vitter 1985, algorithm R). */
static void
take_row(void *arg, int64 id, const float8 *box)
{
	Sample	   *sample = arg;
	uint64		at = sample->seen;

	if (spq_part_has_nan(box, 2 * sample->axes))
		return;
	sample->seen++;
	if (at >= (uint64) sample->limit)
	{
		at = pg_prng_uint64_range(&sample->random, 0, at);
		if (at >= (uint64) sample->limit)
			return;
	}
	else if (at == (uint64) sample->room)
	{
		sample->room = Min(2 * sample->room, sample->limit);
		sample->boxes = repalloc_huge(sample->boxes, box_size(sample) * sample->room);
	}
	memcpy((char *) sample->boxes + box_size(sample) * at, box, box_size(sample));
}

static void
note_fewer_parts(const Sample *sample, int parts, int wanted)
{
	bool		limited = sample->seen > (uint64) sample->limit &&
		sample->limit < (double) wanted * ROWS_PER_PART;

	ereport(NOTICE,
			(errmsg("partitioning has %d of %d parts", parts, wanted),
			 limited ?
			 errdetail("The sample of %d rows that fits into memory cannot be divided further.",
					   sample->limit) :
			 errdetail("The boxes of the query cannot be divided further."),
			 limited ? errhint("Increase work_mem or hash_mem_multiplier.") : 0));
}

/*
 * spqtree_partition(query text, parts integer, max_copies integer)
 *	returns spqtree_partitioning
 *
 * Build a partitioning with at most this many parts that balances the boxes or
 * points of a query.
 */
Datum
spq_partition(PG_FUNCTION_ARGS)
{
	char	   *query = spq_query_text_argument(fcinfo, 0, "query");
	SpqQueryRows *rows;
	Sample		sample = {.room = 1024};
	SpqPartTree *tree;
	int			parts,
				max_copies = 0;

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", "parts")));
	parts = integer_argument(fcinfo, 1, "parts");
	if (!PG_ARGISNULL(2))
		max_copies = integer_argument(fcinfo, 2, "max_copies");

	rows = spq_query_rows_plan(query, "query", SPQ_QUERY_PLACES);
	sample.axes = spq_query_rows_axes(rows);
	sample.limit = sample_limit(sample.axes, parts);
	sample.room = Min(sample.room, sample.limit);
	sample.boxes = palloc(box_size(&sample) * sample.room);
	pg_prng_seed(&sample.random, SEED);
	spq_query_rows_start(rows);
	spq_query_rows_run(rows, 0, take_row, &sample);

	tree = spq_part_build(sample.boxes, (int) Min(sample.seen, (uint64) sample.limit),
						  sample.axes, parts, max_copies);
	if (tree->parts < parts)
		note_fewer_parts(&sample, tree->parts, parts);
	PG_RETURN_POINTER(tree);
}
