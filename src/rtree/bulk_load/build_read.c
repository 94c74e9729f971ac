/*-------------------------------------------------------------------------
 *
 * build_read.c
 *	  Sorted rows of CREATE INDEX, read subtree by subtree.  See build_subtree.h.
 *
 * A subtree ends where the curve crosses the border of a large cell, so that
 * subtrees are compact; in an index with scalar columns, preferably where the
 * code changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"

#include "rtree/bulk_load/build_subtree.h"

/*
 * The progress is reported, and interrupts are served, once in this many rows.
 */
#define REPORT_ROWS		1024

struct SpqRtreeSubtreeReader
{
	const SpqRtreeBuild *build;
	SpqRtreeSort *sort;
	int64		left;			/* rows still to be read */
	int64		nread;
	int64		nsubtrees;
	uint8		last_key[SPQ_RTREE_SORT_KEY_SIZE];

	/* The current subtree. */
	SpqRtreeSubtree *subtree;
	int			count;			/* rows read, with those after its end */
	Size		size;			/* what they take in pages */
	uint32		payload_end;	/* where the next payload goes */
	uint8	   *common;			/* by row: how many leading bits of its key
								 * are those of the row before */
};

SpqRtreeSubtreeReader *
spq_rtree_subtree_reader(const SpqRtreeBuild *build, const SpqRtreeBuildRows *rows)
{
	SpqRtreeSubtreeReader *reader = palloc0(sizeof(SpqRtreeSubtreeReader));

	reader->build = build;
	reader->sort = rows->sort;
	reader->left = rows->count;
	reader->common = palloc(build->subtree_max);
	return reader;
}

/* Return how many leading bits two keys have in common. */
static int
common_bits(const uint8 *a, const uint8 *b)
{
	for (int i = 0; i < SPQ_RTREE_SORT_KEY_SIZE; i++)
		if (a[i] != b[i])
			return 8 * i + 7 - pg_leftmost_one_pos32(a[i] ^ b[i]);
	return 8 * SPQ_RTREE_SORT_KEY_SIZE;
}

/* Count a row that has been added to the subtree. */
static void
count_row(SpqRtreeSubtreeReader *reader, const SpqRtreeRow *row)
{
	reader->size += spq_rtree_build_row_size(reader->build, row);
	reader->payload_end += spq_rtree_payload_size(row);
	reader->count++;
}

/* Read the next row of the sort into the subtree. */
static void
read_row(SpqRtreeSubtreeReader *reader)
{
	SpqRtreeSubtree *subtree = reader->subtree;
	SpqRtreeRow *row = &spq_rtree_subtree_rows(subtree)[reader->count];
	uint8		key[SPQ_RTREE_SORT_KEY_SIZE];

	if (!spq_rtree_sort_next(reader->sort, row, key, (char *) subtree + reader->payload_end))
		elog(ERROR, "sorted rows of index \"%s\" ended too early",
			 RelationGetRelationName(reader->build->index));

	if (reader->build->payload_desc != NULL)
		spq_rtree_subtree_payload_at(reader->build, subtree)[reader->count] = reader->payload_end;
	reader->common[reader->count] = common_bits(reader->last_key, key);
	memcpy(reader->last_key, key, SPQ_RTREE_SORT_KEY_SIZE);
	count_row(reader, row);
	reader->left--;
	reader->nread++;
	if (reader->nread % REPORT_ROWS == 0)
	{
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, reader->nread);
		CHECK_FOR_INTERRUPTS();
	}
}

/* Begin a subtree with the rows after the end of the one before. */
static void
begin_subtree(SpqRtreeSubtreeReader *reader, SpqRtreeSubtree *subtree)
{
	const SpqRtreeBuild *build = reader->build;
	SpqRtreeSubtree *before = reader->subtree;
	int			begin = before ? before->count : 0;
	int			rest = reader->count - begin;

	reader->subtree = subtree;
	reader->count = 0;
	reader->size = 0;
	reader->payload_end = 0;
	if (build->payload_desc != NULL)
		reader->payload_end = spq_rtree_subtree_payloads(build, subtree);

	/* in the memory of the same subtree, rows and payloads move only forward */
	for (int i = 0; i < rest; i++)
	{
		SpqRtreeRow row = spq_rtree_subtree_row(build, before, begin + i);
		Size		size = spq_rtree_payload_size(&row);

		spq_rtree_subtree_rows(subtree)[i] = row;
		reader->common[i] = reader->common[begin + i];
		if (build->payload_desc != NULL)
		{
			spq_rtree_subtree_payload_at(build, subtree)[i] = reader->payload_end;
			memmove((char *) subtree + reader->payload_end, row.payload, size);
			row.payload = (char *) subtree + reader->payload_end;
		}
		count_row(reader, &row);
	}
}

/*
 * Return how many of the rows that were read belong to the subtree: all, if no
 * others are left; otherwise those up to the place in the last quarter where
 * the curve crosses the border of the largest cell.
 */
static int
subtree_end(const SpqRtreeSubtreeReader *reader)
{
	int			most = reader->count,
				best;

	if (reader->left == 0)
		return most;

	/* leave the last subtree enough rows for a page */
	if (reader->left < most / 4)
		most -= most / 4;
	best = most - most / 4;
	for (int i = best; i < most; i++)
		if (reader->common[i] <= reader->common[best])
			best = i;
	return best;
}

bool
spq_rtree_read_subtree(SpqRtreeSubtreeReader *reader, SpqRtreeSubtree *subtree)
{
	const SpqRtreeBuild *build = reader->build;

	begin_subtree(reader, subtree);
	while (reader->left > 0 && reader->count < build->subtree_max &&
		   reader->size < build->subtree_size)
		read_row(reader);
	if (reader->count == 0)
		return false;
	subtree->number = reader->nsubtrees++;
	subtree->count = subtree_end(reader);
	subtree->more = subtree->count < reader->count || reader->left > 0;
	return true;
}
