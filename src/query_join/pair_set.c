/*-------------------------------------------------------------------------
 *
 * pair_set.c
 *	  The difference between two sets of pairs, within a limit of memory.
 *
 * Pairs are in a hash table, with flags for the facts known of each pair.  If
 * the table becomes too large, all pairs go into a sort, which brings the
 * flags of equal pairs together.  With a table, new pairs are reported when
 * they are found; with a sort, at the end.
 *
 * Invariant: the facts known of a pair are the union of its flags in the
 * table, or in all its rows in the sort.  Pairs move from the table to the
 * sort with their flags, including REPORTED, so no pair is reported twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "access/tupdesc.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "prefetch.h"
#include "query_join/pair_set.h"

/* Facts known of a pair. */
#define PAIR_HELD		1		/* it held before */
#define PAIR_HOLDS		2		/* it holds now, if it held before */
#define PAIR_ENTERS		4		/* it holds now, even if it did not hold
								 * before */
#define PAIR_REPORTED	8		/* it has been reported as new */

typedef struct PairKey
{
	int64		a;
	int64		b;
} PairKey;

typedef struct PairEntry
{
	PairKey		key;
	uint32		hash;
	uint8		status;			/* for simplehash.h */
	uint8		flags;
} PairEntry;

#define SH_PREFIX pairs
#define SH_ELEMENT_TYPE PairEntry
#define SH_KEY_TYPE PairKey
#define SH_KEY key
#define SH_HASH_KEY(table, k) hash_bytes((const unsigned char *) &(k), sizeof(PairKey))
#define SH_EQUAL(table, x, y) ((x).a == (y).a && (x).b == (y).b)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

#define MIN_TABLE_SIZE	256
#define FILL			0.8		/* less than the fill at which simplehash.h
								 * grows */

struct SpqPairSet
{
	MemoryContext context;
	Size		memory;
	pairs_hash *table;			/* NULL: all pairs are in the sort */
	uint32		limit;			/* number of pairs that the table may have */
	pairs_iterator iterator;
	bool		listing;		/* spq_pair_set_next() has been called */

	Tuplesortstate *sort;
	TupleTableSlot *put;
	TupleTableSlot *got;
	PairKey		key;			/* next pair of the sort, read ahead */
	int			flags;			/* its flags; 0: there are no more pairs */
};

/* Create a set, in a context below the current one. */
SpqPairSet *
spq_pair_set_begin(Size memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spatial pairs", ALLOCSET_DEFAULT_SIZES);
	SpqPairSet *set = MemoryContextAllocZero(context, sizeof(SpqPairSet));
	uint64		size = MIN_TABLE_SIZE;

	set->context = context;
	set->memory = memory;
	/* while a table grows, the old one, of half the size, still exists */
	while (size < PG_UINT32_MAX / 2 && 2 * size * sizeof(PairEntry) / 2 * 3 <= memory)
		size *= 2;
	set->limit = (uint32) (size * FILL);
	set->table = pairs_create(context, MIN_TABLE_SIZE, NULL);
	return set;
}

static void
put_pair(SpqPairSet *set, PairKey key, int flags)
{
	ExecClearTuple(set->put);
	set->put->tts_values[0] = Int64GetDatum(key.a);
	set->put->tts_values[1] = Int64GetDatum(key.b);
	set->put->tts_values[2] = Int16GetDatum(flags);
	memset(set->put->tts_isnull, false, 3 * sizeof(bool));
	ExecStoreVirtualTuple(set->put);
	tuplesort_puttupleslot(set->sort, set->put);
}

/* Move all pairs to a sort. */
static void
begin_sort(SpqPairSet *set)
{
	MemoryContext old = MemoryContextSwitchTo(set->context);
	TupleDesc	desc = CreateTemplateTupleDesc(3);
	AttrNumber	columns[2] = {1, 2};
	Oid			operators[2] = {Int8LessOperator, Int8LessOperator};
	Oid			collations[2] = {InvalidOid, InvalidOid};
	bool		nulls_first[2] = {false, false};
	PairEntry  *entry;

	TupleDescInitEntry(desc, 1, "a", INT8OID, -1, 0);
	TupleDescInitEntry(desc, 2, "b", INT8OID, -1, 0);
	TupleDescInitEntry(desc, 3, "flags", INT2OID, -1, 0);
	spq_finalize_descriptor(desc);
	set->put = MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
	set->got = MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
	set->sort = tuplesort_begin_heap(desc, 2, columns, operators, collations, nulls_first,
									 (int) Min(Max(set->memory / 1024, 64), MAX_KILOBYTES),
									 NULL, TUPLESORT_NONE);
	pairs_start_iterate(set->table, &set->iterator);
	while ((entry = pairs_iterate(set->table, &set->iterator)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		put_pair(set, entry->key, entry->flags);
	}
	pairs_destroy(set->table);
	set->table = NULL;
	MemoryContextSwitchTo(old);
}

/*
 * Return a pair with its hash, and prefetch the memory where the lookup
 * begins.
 */
SpqHashedPair
spq_pair_set_hash(const SpqPairSet *set, int64 a, int64 b)
{
	PairKey		key = {a, b};
	SpqHashedPair pair = {a, b, hash_bytes((const unsigned char *) &key, sizeof(key))};

	if (set->table != NULL)
		spq_prefetch(&set->table->data[pair.hash & set->table->sizemask]);
	return pair;
}

/*
 * Find or create the entry of a pair.  Return NULL if all pairs are in the
 * sort.
 */
static PairEntry *
insert_pair(SpqPairSet *set, PairKey key, uint32 hash)
{
	PairEntry  *entry;
	bool		found;

	if (set->table != NULL && set->table->members >= set->limit)
		begin_sort(set);
	if (set->table == NULL)
		return NULL;
	entry = pairs_insert_hash(set->table, key, hash, &found);
	if (!found)
		entry->flags = 0;
	return entry;
}

/* Add a pair that held before.  A pair may be added more than once. */
void
spq_pair_set_hold(SpqPairSet *set, SpqHashedPair pair)
{
	PairKey		key = {pair.a, pair.b};
	PairEntry  *entry = insert_pair(set, key, pair.hash);

	if (entry)
		entry->flags |= PAIR_HELD;
	else
		put_pair(set, key, PAIR_HELD);
}

/*
 * Add a pair that holds now; without may_enter, a pair that holds now only if
 * it held before.  Return true if the pair is known to be new.  If that is not
 * known yet, spq_pair_set_next() reports it.
 */
bool
spq_pair_set_find(SpqPairSet *set, SpqHashedPair pair, bool may_enter)
{
	PairKey		key = {pair.a, pair.b};
	PairEntry  *entry;

	if (set->table == NULL)
	{
		put_pair(set, key, may_enter ? PAIR_ENTERS : PAIR_HOLDS);
		return false;
	}
	entry = pairs_lookup_hash(set->table, key, pair.hash);
	if (entry != NULL)
	{
		entry->flags |= PAIR_HOLDS;
		return false;
	}
	if (!may_enter)
		return false;
	entry = insert_pair(set, key, pair.hash);
	if (entry)
		entry->flags = PAIR_ENTERS | PAIR_REPORTED;
	else
		put_pair(set, key, PAIR_ENTERS | PAIR_REPORTED);
	return true;
}

/* Read the next pair of the sort ahead. */
static void
read_ahead(SpqPairSet *set)
{
	bool		isnull;

	set->flags = 0;
	if (!tuplesort_gettupleslot(set->sort, true, false, set->got, NULL))
		return;
	set->key.a = DatumGetInt64(slot_getattr(set->got, 1, &isnull));
	set->key.b = DatumGetInt64(slot_getattr(set->got, 2, &isnull));
	set->flags = DatumGetInt16(slot_getattr(set->got, 3, &isnull));
}

/* Return the next pair with the union of its flags, or false at the end. */
static bool
next_sorted(SpqPairSet *set, PairKey *key, int *flags)
{
	MemoryContext old = MemoryContextSwitchTo(set->context);

	if (!set->listing)
	{
		tuplesort_performsort(set->sort);
		read_ahead(set);
	}
	*key = set->key;
	*flags = set->flags;
	while (set->flags != 0)
	{
		read_ahead(set);
		if (set->key.a != key->a || set->key.b != key->b)
			break;
		*flags |= set->flags;
	}
	MemoryContextSwitchTo(old);
	return *flags != 0;
}

static bool
next_in_table(SpqPairSet *set, PairKey *key, int *flags)
{
	PairEntry  *entry;

	if (!set->listing)
		pairs_start_iterate(set->table, &set->iterator);
	entry = pairs_iterate(set->table, &set->iterator);
	if (entry == NULL)
		return false;
	*key = entry->key;
	*flags = entry->flags;
	return true;
}

/*
 * Return the next pair that is new and has not been reported, or that no
 * longer holds.  Return false at the end.  No pairs may be added after the
 * first call.
 */
bool
spq_pair_set_next(SpqPairSet *set, int64 *a, int64 *b, bool *entered)
{
	PairKey		key;
	int			flags;

	for (;;)
	{
		bool		more = set->table ? next_in_table(set, &key, &flags) :
			next_sorted(set, &key, &flags);

		CHECK_FOR_INTERRUPTS();
		set->listing = true;
		if (!more)
			return false;
		if (flags & PAIR_HELD ? (flags & (PAIR_HOLDS | PAIR_ENTERS)) == 0 :
			(flags & PAIR_ENTERS) != 0 && (flags & PAIR_REPORTED) == 0)
			break;
	}
	*a = key.a;
	*b = key.b;
	*entered = (flags & PAIR_HELD) == 0;
	return true;
}

void
spq_pair_set_end(SpqPairSet *set)
{
	if (set->sort)
		tuplesort_end(set->sort);
	MemoryContextDelete(set->context);
}
