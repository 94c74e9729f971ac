/*-------------------------------------------------------------------------
 *
 * kept.c
 *	  Shapes that are kept from one call to the next.
 *
 * A join calls a predicate with the same rows repeatedly, at the same
 * addresses: of rows of the join's build side, or of rows on a page of an
 * index scan.  So the address of a datum finds its shape, or its place in a TOAST
 * table, wherever the pointer to it is.  Another row may have been stored there
 * since, so the stored bytes are compared, too; of a value in a TOAST table, they
 * are the pointer.
 *
 *		datum -- place --> entry	bytes == entry's copy ?  its shape
 *											  no:	 make one, in its place
 *
 * Predicates of one query that make the same of geometries share what is kept: their
 * calls have one memory context.  A call is over before the next one begins.
 *
 * Geometries with few points are not kept.  If all shapes exceed work_mem
 * times hash_mem_multiplier, the least used ones are forgotten.  A join uses its
 * shapes in turns, one for each block of rows, so the one that was not used for
 * the longest time is the next to be used.
 *
 * A search for the geometries around a constant may use each of them only
 * once.  Then a shape is kept from its second use on.  The first time, the
 * entry gets only a digest of the stored bytes, by which the second use is
 * recognized:
 *
 *		first use		digest					a shape for this call
 *		second			digest, bytes, shape
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "compat.h"
#include "kept.h"

/*
 * Where a value is stored.  Two arguments of a call never have one place, unless they
 * are one value: the shape of the first one is in use while the second one's is made.
 */
typedef struct KeptPlace
{
	Oid			toast;			/* InvalidOid: in memory */
	uintptr_t	value;			/* in the TOAST table; or its address */
} KeptPlace;

typedef struct KeptEntry
{
	KeptPlace	place;
	Size		length;			/* length of the stored bytes, with their
								 * header */
	uint64		digest;			/* of these bytes; used only if stored is NULL */
	char	   *stored;			/* NULL after the first use */
	void	   *value;			/* NULL if the geometry has none */
	Size		size;			/* of the value */
	uint32		uses;			/* less those of long ago */
	char		status;
} KeptEntry;

#define SH_PREFIX kept
#define SH_ELEMENT_TYPE KeptEntry
#define SH_KEY_TYPE KeptPlace
#define SH_KEY place
#define SH_HASH_KEY(table, key) \
	hash_combine(murmurhash32((uint32) (key).value), (uint32) ((uint64) (key).value >> 32) ^ (key).toast)
#define SH_EQUAL(table, a, b) ((a).value == (b).value && (a).toast == (b).toast)
#define SH_SCOPE static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

/* Initial number of entries of a table: many calls see only a few geometries. */
#define START_ENTRIES	16

/* How much of the limit the shapes take that are not forgotten. */
#define FRACTION_KEPT	0.875

/* Classes of shapes: not used again, used once, twice, four times, and so on. */
#define USE_CLASSES		33

/* Uses before this many limits of new shapes count half. */
#define AGE				4

struct SpqGisKept
{
	SpqGisKept *next;			/* in all_kept */
	MemoryContextCallback callback;
	MemoryContext parent;
	MemoryContext context;		/* contains the table and everything it points
								 * to; NULL until the first entry */
	kept_hash  *table;
	bool		at_second_use;
	SpqGisMake	make;
	Size		size;			/* approximate size of shapes and bytes */
	Size		limit;
	Size		made;			/* since uses were halved */
};

static SpqGisKept *all_kept;

static void
start_table(SpqGisKept *kept)
{
	kept->table = NULL;			/* if the next step raises an error */
	kept->table = kept_create(kept->context, START_ENTRIES, NULL);
	kept->size = 0;
}

/* The parent is reset or deleted. */
static void
forget(void *kept)
{
	SpqGisKept **link = &all_kept;

	while (*link != kept)
		link = &(*link)->next;
	*link = (*link)->next;
}

/*
 * Return what keeps what "make" makes of geometries, from their first or second
 * use on, as long as the memory context "parent" lives.  Each call of a query that
 * asks for it adds to its limit.
 */
SpqGisKept *
spq_gis_kept_get(MemoryContext parent, bool at_second_use, SpqGisMake make)
{
	SpqGisKept *kept;

	for (kept = all_kept; kept; kept = kept->next)
		if (kept->parent == parent && kept->at_second_use == at_second_use && kept->make == make)
		{
			kept->limit += get_hash_memory_limit();
			return kept;
		}
	kept = MemoryContextAllocZero(parent, sizeof(SpqGisKept));
	kept->callback.func = forget;
	kept->callback.arg = kept;
	MemoryContextRegisterResetCallback(parent, &kept->callback);
	kept->next = all_kept;
	all_kept = kept;
	kept->parent = parent;
	kept->at_second_use = at_second_use;
	kept->make = make;
	kept->limit = get_hash_memory_limit();
	return kept;
}

/* Return the memory that an entry takes, with its place in the table. */
static Size
entry_size(const KeptEntry *entry)
{
	return (entry->stored ? entry->length : 0) + (entry->value ? entry->size : 0) +
		2 * sizeof(KeptEntry);
}

/* Free what an entry points to. */
static void
free_entry(SpqGisKept *kept, KeptEntry *entry)
{
	kept->size -= entry_size(entry);
	if (entry->value)
		pfree(entry->value);
	if (entry->stored)
		pfree(entry->stored);
}

/* Return a class of entries, the higher the more they were used. */
static int
use_class(const KeptEntry *entry)
{
	return entry->uses > 0 ? 1 + pg_leftmost_one_pos32(entry->uses) : 0;
}

/*
 * Forget the least used shapes, such that those that are left take at most
 * FRACTION_KEPT of the limit.  When the new shapes exceed AGE limits, a turn is
 * probably over, and earlier uses count half.
 */
static void
forget_least_used(SpqGisKept *kept)
{
	Size		size[USE_CLASSES] = {0},
				left = 0;
	int			least = USE_CLASSES;
	bool		aged = kept->made > AGE * kept->limit;
	kept_iterator i;
	KeptEntry  *entry;

	kept_start_iterate(kept->table, &i);
	while ((entry = kept_iterate(kept->table, &i)) != NULL)
		size[use_class(entry)] += entry_size(entry);
	while (least > 0 && left + size[least - 1] <= kept->limit * FRACTION_KEPT)
		left += size[--least];

	kept_start_iterate(kept->table, &i);
	while ((entry = kept_iterate(kept->table, &i)) != NULL)
	{
		if (use_class(entry) < least)
		{
			free_entry(kept, entry);
			kept_delete_item(kept->table, entry);
		}
		else if (aged)
			entry->uses /= 2;
	}
	if (aged)
		kept->made = 0;
}

/* Forget some shapes if all exceed the limit.  None of them may be in use. */
void
spq_gis_kept_trim(SpqGisKept *kept)
{
	if (kept->size > kept->limit)
		forget_least_used(kept);
}

/*
 * Make the shape of a datum, in the current memory context.  Return NULL if it
 * has none.
 */
static void *
shape_of(const SpqGisKept *kept, Datum geometry, Size *size)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry),
			   *plain = PG_DETOAST_DATUM_PACKED(geometry);
	void	   *shape = kept->make(VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain), size);

	if (plain != stored)
		pfree(plain);
	return shape;
}

/*
 * Return a digest of stored bytes: those of a box in the header, of the first
 * points, or of a pointer to a TOAST table.  The end of a large value may not
 * be in the processor's cache yet.
 */
static uint64
digest_of(const struct varlena *stored, Size length)
{
	uint64		digest = 0;
	Size		used = Min(length, sizeof(digest));

	memcpy(&digest, (const char *) stored + Min(sizeof(digest), length - used), used);
	return digest;
}

static KeptPlace
place_of(struct varlena *stored)
{
	KeptPlace	place = {InvalidOid, (uintptr_t) stored};

	if (VARATT_IS_EXTERNAL_ONDISK(stored))
	{
		struct varatt_external pointer;

		VARATT_EXTERNAL_GET_POINTER(pointer, stored);
		place.toast = pointer.va_toastrelid;
		place.value = pointer.va_valueid;
	}
	return place;
}

/*
 * Return an entry for these stored bytes, of which nothing is known yet.  It
 * takes the place of another one there.
 */
static KeptEntry *
new_entry(SpqGisKept *kept, KeptPlace place)
{
	KeptEntry  *entry;
	bool		found;

	if (kept->context == NULL)
		kept->context = AllocSetContextCreate(kept->parent, "spqtree shapes",
											  ALLOCSET_DEFAULT_SIZES);
	if (kept->table == NULL)
		start_table(kept);
	entry = kept_insert(kept->table, place, &found);
	if (found)
		free_entry(kept, entry);
	entry->length = 0;
	entry->digest = 0;
	entry->uses = 0;
	entry->value = NULL;
	entry->stored = NULL;
	kept->size += entry_size(entry);
	return entry;
}

/* Copy stored bytes and make their shape. */
static void
fill_entry(SpqGisKept *kept, KeptEntry *entry, Datum geometry, Size length)
{
	MemoryContext outer = MemoryContextSwitchTo(kept->context);

	/* after an error below, the entry matches nothing and can be replaced */
	entry->length = 0;
	kept->size -= entry_size(entry);
	entry->stored = memcpy(palloc(length), DatumGetPointer(geometry), length);
	entry->value = shape_of(kept, geometry, &entry->size);
	entry->length = length;
	kept->size += entry_size(entry);
	kept->made += entry_size(entry);
	MemoryContextSwitchTo(outer);
}

/*
 * Return the shape of a datum, kept, or for its first use in the current memory
 * context.
 */
static const void *
find_shape(SpqGisKept *kept, Datum geometry)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry);
	Size		length = VARSIZE_ANY(stored);
	KeptPlace	place = place_of(stored);
	KeptEntry  *entry = kept->table ? kept_lookup(kept->table, place) : NULL;
	uint64		digest;
	Size		size;

	if (entry && entry->stored && entry->length == length &&
		memcmp(entry->stored, stored, length) == 0)
	{
		entry->uses++;
		return entry->value;
	}
	if (kept->at_second_use)
	{
		digest = digest_of(stored, length);
		if (entry == NULL || entry->stored || entry->length != length || entry->digest != digest)
		{
			entry = new_entry(kept, place);
			entry->digest = digest;
			entry->length = length;
			return shape_of(kept, geometry, &size);
		}
	}
	else
		entry = new_entry(kept, place);
	fill_entry(kept, entry, geometry, length);
	return entry->value;
}

/*
 * Return what is made of a geometry, or NULL if that is nothing.  It is in the
 * current memory context, or kept until spq_gis_kept_trim().  Two arguments of a
 * call that are one stored value may get the same one.
 */
const void *
spq_gis_kept_value(SpqGisKept *kept, Datum geometry)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry);
	Size		size;

	if (VARATT_IS_EXTERNAL(stored) && !VARATT_IS_EXTERNAL_ONDISK(stored))
		return shape_of(kept, geometry, &size); /* in the caller's memory
												 * context */
	return find_shape(kept, geometry);
}

/* Make a shape to be kept. */
void *
spq_gis_make_kept_shape(const char *bytes, Size length, Size *size)
{
	SpqGisShape *shape = spq_gis_make_shape(bytes, length);

	*size = shape ? shape->size : 0;
	return shape;
}

/*
 * Return the shape of a geometry, or NULL if it has none.  A small one is in
 * "room".
 */
const SpqGisShape *
spq_gis_kept_shape(SpqGisKept *kept, Datum geometry, SpqGisSmallShape *room)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry);

	if (!VARATT_IS_EXTERNAL(stored) && !VARATT_IS_COMPRESSED(stored) &&
		spq_gis_is_small(VARDATA_ANY(stored), VARSIZE_ANY_EXHDR(stored)))
	{
		const SpqGisShape *small = spq_gis_small_shape(VARDATA_ANY(stored),
													   VARSIZE_ANY_EXHDR(stored), room);

		if (small)
			return small;
	}
	return spq_gis_kept_value(kept, geometry);
}
