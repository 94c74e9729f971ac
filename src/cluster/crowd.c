/*-------------------------------------------------------------------------
 *
 * crowd.c
 *	  Crowds: many rows in one spot, which are neighbors of each other.
 *
 * A million rows in one spot have 5 * 10^11 pairs.  But all of them are core rows of
 * one cluster, and a join with the crowd as one row has few pairs.
 *
 * The spot of a row is a point, derived from its box alone.  Enlarge the box on
 * each side by a little less than r = distance / (2 sqrt(axes)), and of the numbers
 * in each of its intervals take the one whose bits end with most zeros:
 *
 *		   [------]			  ends 100101 and 101010
 *			   |			  spot 101000
 *		[--------]
 *
 * (Interval trees keep whole intervals at such numbers; Edelsbrunner 1980.  Doubles
 * of one sign have the order of their bits.)
 *
 * Rows of one spot are neighbors: on each axis the intervals have a number in
 * common, so their gap is less than 2 r; on all axes the gaps together are less
 * than the distance.  Without a distance the boxes themselves have that point.
 *
 * A small table of counters, which spots share by a hash, tells where there may
 * be many rows.  The first rows of a spot are joined one by one; further ones are
 * taken, sorted by their spots, and become crowds if there are enough of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/tupdesc.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"
#include "storage/buffile.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

#include "cluster/crowd.h"
#include "compat.h"
#include "large_memory.h"

/*
 * This number of rows of a spot are joined one by one.  More would make more pairs,
 * fewer would sort rows that are in no crowd.
 */
#define SINGLES			64

#define MIN_COUNTERS	1024
#define MAX_COUNTERS	(1 << 24)

struct SpqCrowds
{
	MemoryContext context;
	int			axes;
	double		reach;			/* r, or 0 */
	uint32		least;
	Size		memory;
	uint8	   *counter;
	uint32		mask;			/* number of counters - 1 */
	Tuplesortstate *sort;		/* NULL: none has been taken */
	TupleTableSlot *put;
	TupleTableSlot *got;
	BufFile    *file;			/* members, one crowd after another */
	SpqCrowd   *crowd;
	uint32		count;
	uint32		room;
};

SpqCrowds *
spq_crowds_begin(const SpqCrowdSpec *spec)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spatial crowds",
												  ALLOCSET_DEFAULT_SIZES);
	SpqCrowds  *crowds = MemoryContextAllocZero(context, sizeof(SpqCrowds));
	uint32		counters = MIN_COUNTERS;

	crowds->context = context;
	crowds->axes = spec->axes;
	/* the margin is more than what rounding can do: see spot_of_interval() */
	crowds->reach = spec->distance / (2 * sqrt(spec->axes)) * 0.999;
	if (crowds->reach < DBL_MIN / DBL_EPSILON)
		crowds->reach = 0;		/* a number with fewer bits would be rounded
								 * more */
	crowds->least = Max(spec->least, 2);
	crowds->memory = spec->memory;
	while (counters < MAX_COUNTERS && counters < spec->expected &&
		   2 * (Size) counters <= spec->memory / 2)
		counters *= 2;
	crowds->mask = counters - 1;
	crowds->counter = spq_large_alloc(context, counters);
	memset(crowds->counter, 0, counters);
	return crowds;
}

void
spq_crowds_end(SpqCrowds *crowds)
{
	if (crowds->sort)
		tuplesort_end(crowds->sort);
	if (crowds->file)
		BufFileClose(crowds->file);
	MemoryContextDelete(crowds->context);
}

uint32
spq_crowds_count(const SpqCrowds *crowds)
{
	return crowds->count;
}

const SpqCrowd *
spq_crowd(const SpqCrowds *crowds, uint32 n)
{
	return &crowds->crowd[n];
}

/* Of the numbers between two, both not negative, return the one with most zeros. */
static float8
roundest(float8 low, float8 high)
{
	union
	{
		float8		number;
		uint64		bits;
	}			l = {low}, h = {high};

	/* keep the bits of "high" down to the first in which low - 1 differs */
	h.bits &= ~((UINT64CONST(1) << pg_leftmost_one_pos64((l.bits - 1) ^ h.bits)) - 1);
	return h.number;
}

/*
 * Set the spot of an interval.  Where the reach is not much more than the spacing
 * of doubles, the interval is not enlarged: otherwise rounding could enlarge it by
 * more than the margin.
 */
static bool
spot_of_interval(float8 low, float8 high, double reach, float8 *spot)
{
	if (!(low <= high))
		return false;
	if (reach > fabs(low) * 1e-9 && reach > fabs(high) * 1e-9)
	{
		low -= reach;
		high += reach;
	}
	if (low <= 0 && high >= 0)
		*spot = 0;
	else if (low > 0)
		*spot = roundest(low, high);
	else
		*spot = -roundest(-high, -low);
	return true;
}

/* Set the spot of a box.  Return false if it has none. */
static bool
spot_of(const SpqCrowds *crowds, const float8 *box, float8 *spot)
{
	int			axes = crowds->axes;

	for (int axis = 0; axis < axes; axis++)
		if (!spot_of_interval(box[axes + axis], box[axis], crowds->reach, &spot[axis]))
			return false;
	return true;
}

/* Begin the sort by spots. */
static void
begin_sort(SpqCrowds *crowds)
{
	MemoryContext old = MemoryContextSwitchTo(crowds->context);
	TupleDesc	desc = CreateTemplateTupleDesc(1);
	AttrNumber	column = 1;
	Oid			less = lookup_type_cache(BYTEAOID, TYPECACHE_LT_OPR)->lt_opr,
				collation = InvalidOid;
	bool		nulls_first = false;

	TupleDescInitEntry(desc, 1, "row", BYTEAOID, -1, 0);
	spq_finalize_descriptor(desc);
	crowds->put = MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
	crowds->got = MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
	crowds->sort = tuplesort_begin_heap(desc, 1, &column, &less, &collation, &nulls_first,
										(int) Min(Max(crowds->memory / 2 / 1024, 64), MAX_KILOBYTES),
										NULL, TUPLESORT_NONE);
	MemoryContextSwitchTo(old);
}

/*
 * The contents of a sorted row: bytes that are equal for the same spot, then the
 * row, so that rows of one spot come in their order.
 */
typedef struct SortedRow
{
	char		header[VARHDRSZ];
	char		data[SPQ_JOIN_MAX_AXES * sizeof(float8) + sizeof(uint32) +
					 2 * SPQ_JOIN_MAX_AXES * sizeof(float8)];
} SortedRow;

static void
put_row(SpqCrowds *crowds, uint32 row, const float8 *spot, const float8 *box)
{
	SortedRow	sorted;
	Size		spot_bytes = crowds->axes * sizeof(float8),
				length = VARHDRSZ + 3 * spot_bytes + sizeof(uint32);
	uint32		order = pg_hton32(row);

	SET_VARSIZE(&sorted, length);
	memcpy(sorted.data, spot, spot_bytes);
	memcpy(sorted.data + spot_bytes, &order, sizeof(order));
	memcpy(sorted.data + spot_bytes + sizeof(order), box, 2 * spot_bytes);
	ExecClearTuple(crowds->put);
	crowds->put->tts_values[0] = PointerGetDatum(&sorted);
	crowds->put->tts_isnull[0] = false;
	ExecStoreVirtualTuple(crowds->put);
	tuplesort_puttupleslot(crowds->sort, crowds->put);
}

/*
 * Take a row if there are many in its spot.  Return false if the row has to be
 * joined by itself.
 */
bool
spq_crowds_take(SpqCrowds *crowds, uint32 row, const float8 *box)
{
	float8		spot[SPQ_JOIN_MAX_AXES];
	uint8	   *counter;

	if (!spot_of(crowds, box, spot))
		return false;
	counter = &crowds->counter[hash_bytes((const unsigned char *) spot,
										  crowds->axes * sizeof(float8)) & crowds->mask];
	if (*counter < SINGLES)
	{
		(*counter)++;
		return false;
	}
	if (crowds->sort == NULL)
		begin_sort(crowds);
	put_row(crowds, row, spot, box);
	return true;
}

static void
seek_member(SpqCrowds *crowds, uint64 member)
{
	if (BufFileSeek(crowds->file, 0, (off_t) (member * sizeof(SpqCrowdMember)), SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of spatial clusters")));
}

/*
 * Read members of a crowd, from number "start" on.  Return how many: fewer than there
 * is room for only at the end.
 */
uint32
spq_crowd_read(SpqCrowds *crowds, const SpqCrowd *crowd, uint64 start, SpqCrowdMember *members,
			   uint32 room)
{
	uint32		n = (uint32) Min(room, crowd->count - start);

	if (n == 0)
		return 0;
	seek_member(crowds, crowd->start + start);
	spq_file_read(crowds->file, members, n * sizeof(SpqCrowdMember));
	return n;
}

/* Read the next sorted row.  Return false at the end. */
static bool
get_row(SpqCrowds *crowds, float8 *spot, SpqCrowdMember *member)
{
	Size		spot_bytes = crowds->axes * sizeof(float8);
	const char *data;
	bool		isnull;
	uint32		order;

	if (!tuplesort_gettupleslot(crowds->sort, true, false, crowds->got, NULL))
		return false;
	data = VARDATA_ANY(DatumGetPointer(slot_getattr(crowds->got, 1, &isnull)));
	memset(member, 0, sizeof(*member));
	memcpy(spot, data, spot_bytes);
	memcpy(&order, data + spot_bytes, sizeof(order));
	member->row = pg_ntoh32(order);
	memcpy(member->box, data + spot_bytes + sizeof(order), 2 * spot_bytes);
	return true;
}

/* Begin a crowd behind the last one. */
static SpqCrowd *
new_crowd(SpqCrowds *crowds)
{
	SpqCrowd   *crowd;

	if (crowds->count == crowds->room)
	{
		crowds->room = crowds->room ? 2 * crowds->room : 64;
		crowds->crowd = crowds->crowd ?
			repalloc_huge(crowds->crowd, crowds->room * sizeof(SpqCrowd)) :
			MemoryContextAllocHuge(crowds->context, crowds->room * sizeof(SpqCrowd));
	}
	crowd = &crowds->crowd[crowds->count];
	memset(crowd, 0, sizeof(*crowd));
	if (crowds->count > 0)
		crowd->start = crowd[-1].start + crowd[-1].count;
	seek_member(crowds, crowd->start);
	return crowd;
}

static void
add_member(SpqCrowds *crowds, SpqCrowd *crowd, const SpqCrowdMember *member)
{
	int			axes = crowds->axes;

	if (crowd->count++ == 0)
	{
		crowd->first = member->row;
		memcpy(crowd->box, member->box, sizeof(crowd->box));
	}
	for (int axis = 0; axis < axes; axis++)
	{
		crowd->box[axis] = Max(crowd->box[axis], member->box[axis]);
		crowd->box[axes + axis] = Min(crowd->box[axes + axis], member->box[axes + axis]);
	}
	spq_file_write(crowds->file, member, sizeof(*member));
}

/* Keep a crowd, or return its rows if there are not enough. */
static void
finish_crowd(SpqCrowds *crowds, SpqCrowd *crowd, SpqCrowdSingle single, SpqCrowdRow row, void *arg)
{
	SpqCrowdMember members[128];

	for (uint64 at = 0; at < crowd->count;)
	{
		uint32		n = spq_crowd_read(crowds, crowd, at, members, lengthof(members));

		CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < n; i++)
		{
			if (crowd->count >= crowds->least)
				row(arg, crowd->first, members[i].row);
			else
				single(arg, members[i].row, members[i].box);
		}
		at += n;
	}
	if (crowd->count >= crowds->least)
		crowds->count++;
}

/* All rows have been seen: make crowds of those that were taken. */
void
spq_crowds_divide(SpqCrowds *crowds, SpqCrowdSingle single, SpqCrowdRow row, void *arg)
{
	MemoryContext old = MemoryContextSwitchTo(crowds->context);
	float8		spot[SPQ_JOIN_MAX_AXES],
				last[SPQ_JOIN_MAX_AXES];
	SpqCrowdMember member;
	SpqCrowd   *crowd = NULL;

	pfree(crowds->counter);
	crowds->counter = NULL;
	if (crowds->sort)
	{
		tuplesort_performsort(crowds->sort);
		crowds->file = BufFileCreateTemp(false);
		while (get_row(crowds, spot, &member))
		{
			/* compare bytes, as the sort does */
			if (crowd && memcmp(spot, last, crowds->axes * sizeof(float8)) != 0)
			{
				finish_crowd(crowds, crowd, single, row, arg);
				crowd = NULL;
			}
			if (crowd == NULL)
				crowd = new_crowd(crowds);
			memcpy(last, spot, sizeof(last));
			add_member(crowds, crowd, &member);
		}
		if (crowd)
			finish_crowd(crowds, crowd, single, row, arg);
		ExecDropSingleTupleTableSlot(crowds->got);
		ExecDropSingleTupleTableSlot(crowds->put);
		tuplesort_end(crowds->sort);
		crowds->sort = NULL;
	}
	MemoryContextSwitchTo(old);
}
