/*-------------------------------------------------------------------------
 *
 * build_units.c
 *	  CREATE INDEX: the units of the axes, from a sample of the table's rows.
 *
 * Some blocks, evenly spread over the table, are read before the whole table
 * is.  They do not depend on the number of processes that build the index, and
 * so neither do the units.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "storage/bufmgr.h"

#include "rtree/bulk_load/build_state.h"
#include "rtree/class/class.h"

/*
 * The most blocks that are read, and the most rows that are taken from them.
 */
#define SAMPLE_BLOCKS	32
#define SAMPLE_ROWS		4096

typedef struct Sample
{
	const SpqRtreeBuild *build;
	int			count;
	SpqRtreeBounds rows[SAMPLE_ROWS];
} Sample;

static void
add_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		bool tuple_is_alive, void *state)
{
	Sample	   *sample = state;
	float8		ends[SPQ_RTREE_ENDS];

	if (sample->count == SAMPLE_ROWS ||
		!spq_rtree_row_ends(&sample->build->row_ends, values, isnull, ends))
		return;
	sample->rows[sample->count++] = spq_rtree_bounds_of(ends, sample->build->axes);
}

void
spq_rtree_sample_units(SpqRtreeBuild *build, IndexInfo *info)
{
	Sample	   *sample = palloc(sizeof(Sample));
	BlockNumber blocks = RelationGetNumberOfBlocks(build->heap);
	int			ranges = Min(blocks, SAMPLE_BLOCKS);
	float8		base = spq_rtree_base(build->index);

	sample->build = build;
	sample->count = 0;
	for (int i = 0; i < ranges; i++)
		table_index_build_range_scan(build->heap, build->index, info, false, false, false,
									 (uint64) i * blocks / ranges, 1, add_row, sample, NULL);
	build->units = base > 0 ?
		spq_rtree_choose_units_of_digits(sample->rows, sample->count, base) :
		spq_rtree_choose_units(sample->rows, sample->count, build->axes);
	pfree(sample);
}
