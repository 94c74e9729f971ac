/*-------------------------------------------------------------------------
 *
 * nearest_join.c
 *	  For each row of one side, the k nearest rows of the other.  See
 *	  nearest_join.h.
 *
 * Half of the memory holds a packed tree of the right side, the other half a
 * batch of the left side, in the order of a curve, so that each search begins
 * near the one before.  If the right side does not fit, it is written to a file,
 * and each batch is compared with one piece of it after the other.  Then a batch
 * keeps the nearest rows of the pieces so far; a row's k-th one limits its search
 * in the next piece.  Each batch builds the trees of all pieces again.
 *
 *		right side		 | piece | piece | piece |	a tree of each, in turn
 *							 |		 |		 |
 *		left side	batch  --+-------+-------+-->  the k nearest of each row
 *					batch  --+-------+-------+-->
 *
 * After an error, the memory context and the resource owner release everything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "nearest_join/nearest_join.h"
#include "nearest_join/rows.h"
#include "nearest_join/search.h"

/* The most neighbors of a row: they are in memory. */
#define MOST_NEIGHBORS	10000000

/* The fewest rows of a piece, however little memory there is. */
#define LEAST_PIECE	1024

struct SpqNearestJoin
{
	SpqNearestSpec spec;
	MemoryContext context;		/* for everything */

	/* the right side: one tree, or rows in a file */
	SpqNearestRows right;		/* read, or of the current piece */
	uint64		nright;
	BufFile    *file;			/* NULL if one tree has all rows */
	SpqPackedTree *tree;
	SpqNearestSearch *search;

	/* the batch of the left side */
	SpqNearestRows left;
	bool		left_done;
	SpqNearestPlace *order;		/* NULL while the batch is read */
	SpqNearestHit *hits;		/* of the current row, or k for each row */
	uint32	   *nhits;			/* of each row, with a file */
	uint32		place;			/* of the current row in the order */
	uint32		current;		/* that row */
	uint32		ncurrent;		/* its hits, of which some were returned */
	uint32		returned;
};

SpqNearestJoin *
spq_nearest_join_begin(const SpqNearestSpec *spec)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spqtree nearest join",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SpqNearestJoin *join = palloc0(sizeof(SpqNearestJoin));
	Size		row_size = sizeof(int64) + 2 * spec->axes * sizeof(float8);

	join->spec = *spec;
	join->context = context;
	row_size += spq_packed_tree_row_size(spec->axes);
	spq_nearest_rows_begin(&join->right, spec->axes, Max(spec->memory / 2 / row_size, LEAST_PIECE));
	MemoryContextSwitchTo(old);
	return join;
}

/* Write the rows of the right side that have been read to the file. */
static void
write_right(SpqNearestJoin *join)
{
	if (join->file == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(join->context);

		join->file = BufFileCreateTemp(false);
		MemoryContextSwitchTo(old);
	}
	spq_nearest_rows_write(&join->right, join->file);
	join->right.count = 0;
}

void
spq_nearest_join_right(SpqNearestJoin *join, int64 id, const float8 *box)
{
	if (join->spec.k == 0)
		return;
	if (join->right.count == join->right.most)
		write_right(join);
	if (spq_nearest_rows_add(&join->right, id, box))
		join->nright++;
}

/* Build the tree of the right rows in memory, and begin to search it. */
static void
begin_tree(SpqNearestJoin *join)
{
	join->tree = spq_packed_tree_build(join->right.boxes, join->right.ids, join->right.count,
									   join->spec.axes);
	join->search = spq_nearest_search_begin(join->tree, join->spec.k, join->spec.max_distance);
}

static void
end_tree(SpqNearestJoin *join)
{
	if (join->search)
		spq_nearest_search_end(join->search);
	if (join->tree)
		spq_packed_tree_free(join->tree);
	join->search = NULL;
	join->tree = NULL;
}

void
spq_nearest_join_right_done(SpqNearestJoin *join)
{
	MemoryContext old = MemoryContextSwitchTo(join->context);
	Size		row_size = sizeof(int64) + 2 * join->spec.axes * sizeof(float8) +
		2 * sizeof(SpqNearestPlace);

	join->spec.k = Min(join->spec.k, join->nright);
	if (join->spec.k > MOST_NEIGHBORS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("k exceeds the maximum %d", MOST_NEIGHBORS)));
	if (join->file != NULL)
	{
		write_right(join);
		row_size += join->spec.k * sizeof(SpqNearestHit) + sizeof(uint32);
	}
	else
	{
		begin_tree(join);
		spq_nearest_rows_end(&join->right);
	}
	spq_nearest_rows_begin(&join->left, join->spec.axes, join->spec.memory / 2 / row_size);
	MemoryContextSwitchTo(old);
}

uint64
spq_nearest_join_room(const SpqNearestJoin *join)
{
	return join->left.most - join->left.count;
}

void
spq_nearest_join_left(SpqNearestJoin *join, int64 id, const float8 *box)
{
	spq_nearest_rows_add(&join->left, id, box);
}

void
spq_nearest_join_left_done(SpqNearestJoin *join)
{
	join->left_done = true;
}

/* Return the place for the hits of a row of the batch, with a file. */
static SpqNearestHit *
hits_of(const SpqNearestJoin *join, uint32 row)
{
	return join->hits + (Size) row * join->spec.k;
}

/* Compare the batch with one piece of the right side after the other. */
static void
search_pieces(SpqNearestJoin *join)
{
	uint64		remaining = join->nright;

	memset(join->nhits, 0, join->left.count * sizeof(uint32));
	if (BufFileSeek(join->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a temporary file of a spatial join")));
	while (remaining > 0)
	{
		spq_nearest_rows_read(&join->right, join->file, remaining);
		remaining -= join->right.count;
		begin_tree(join);
		for (uint32 place = 0; place < join->left.count; place++)
		{
			uint32		row = spq_nearest_place_index(join->order[place]);

			CHECK_FOR_INTERRUPTS();
			join->nhits[row] = spq_nearest_search(join->search,
												  spq_nearest_rows_box(&join->left, row),
												  hits_of(join, row), join->nhits[row]);
		}
		end_tree(join);
	}
}

/* Sort a batch that has been read.  With a file, find all its hits. */
static void
begin_batch(SpqNearestJoin *join)
{
	MemoryContext old = MemoryContextSwitchTo(join->context);
	Size		count = join->left.count,
				nhits = (join->file ? count : 1) * join->spec.k;

	join->order = MemoryContextAllocHuge(join->context, 2 * count * sizeof(SpqNearestPlace));
	spq_nearest_order(join->left.boxes, count, join->spec.axes, join->order);
	join->hits = MemoryContextAllocHuge(join->context, Max(nhits, 1) * sizeof(SpqNearestHit));
	if (join->file)
	{
		join->nhits = MemoryContextAllocHuge(join->context, count * sizeof(uint32));
		search_pieces(join);
	}
	join->place = 0;
	join->ncurrent = join->returned = 0;
	MemoryContextSwitchTo(old);
}

/* Forget a batch, and read the next one. */
static void
end_batch(SpqNearestJoin *join)
{
	pfree(join->order);
	pfree(join->hits);
	if (join->nhits)
		pfree(join->nhits);
	join->order = NULL;
	join->hits = NULL;
	join->nhits = NULL;
	join->left.count = 0;
}

/* Find the hits of the next row of the batch. */
static void
next_row(SpqNearestJoin *join)
{
	uint32		row = spq_nearest_place_index(join->order[join->place++]);

	CHECK_FOR_INTERRUPTS();
	join->current = row;
	join->returned = 0;
	join->ncurrent = join->file ? join->nhits[row] :
		spq_nearest_search(join->search, spq_nearest_rows_box(&join->left, row), join->hits, 0);
}

SpqNearestEvent
spq_nearest_join_next(SpqNearestJoin *join, SpqNearestPair *pair)
{
	const SpqNearestHit *hit;

	if (join->spec.k == 0)
		return SPQ_NEAREST_END;
	for (;;)
	{
		if (join->order == NULL)
		{
			if (!join->left_done && spq_nearest_join_room(join) > 0)
				return SPQ_NEAREST_WANTS_LEFT;
			if (join->left.count == 0)
				return SPQ_NEAREST_END;
			begin_batch(join);
		}
		while (join->returned == join->ncurrent && join->place < join->left.count)
			next_row(join);
		if (join->returned < join->ncurrent)
			break;
		end_batch(join);
	}
	hit = (join->file ? hits_of(join, join->current) : join->hits) + join->returned++;
	pair->left = join->left.ids[join->current];
	pair->right = hit->id;
	pair->distance = hit->distance;
	return SPQ_NEAREST_PAIR;
}

void
spq_nearest_join_end(SpqNearestJoin *join)
{
	if (join->file)
		BufFileClose(join->file);
	MemoryContextDelete(join->context);
}
