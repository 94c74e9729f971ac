/*-------------------------------------------------------------------------
 *
 * kept.c
 *	  Shapes that are kept from one call to the next.
 *
 * A join calls a predicate with the same rows repeatedly, at the same
 * addresses: of rows of the join's build side, or of rows on a page of an
 * index scan.  So the address of a datum finds its shape.  Another row may
 * have been stored there since, so the stored bytes are compared, too; of a
 * value in a TOAST table, they are the pointer to it.
 *
 *		datum -- address --> entry	 bytes == entry's copy ?  its shape
 *											   no:	  make one, in its place
 *
 * Geometries with few points are not kept.  If all shapes exceed work_mem
 * times hash_mem_multiplier, they are forgotten together.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "kept.h"

typedef struct KeptEntry
{
	uintptr_t	address;
	Size		length;			/* length of the stored bytes, with their
								 * header */
	char	   *stored;
	SpqGisShape *shape;			/* NULL if the geometry has none */
	char		status;
} KeptEntry;

#define SH_PREFIX kept
#define SH_ELEMENT_TYPE KeptEntry
#define SH_KEY_TYPE uintptr_t
#define SH_KEY address
#define SH_HASH_KEY(table, key) hash_combine(murmurhash32((uint32) (key)), (uint32) ((uint64) (key) >> 32))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

/*
 * Initial number of entries of a table, also after all shapes were forgotten.
 */
#define START_ENTRIES	256

struct SpqGisKept
{
	MemoryContext context;		/* contains the table and everything it points
								 * to */
	kept_hash  *table;
	Size		size;			/* approximate size of shapes and bytes */
	Size		limit;
};

static void
start_table(SpqGisKept *kept)
{
	kept->table = kept_create(kept->context, START_ENTRIES, NULL);
	kept->size = 0;
}

/* Prepare to keep shapes, as long as the memory context "parent" lives. */
SpqGisKept *
spq_gis_kept_create(MemoryContext parent)
{
	SpqGisKept *kept = MemoryContextAlloc(parent, sizeof(SpqGisKept));

	kept->context = AllocSetContextCreate(parent, "spqtree shapes", ALLOCSET_DEFAULT_SIZES);
	kept->limit = get_hash_memory_limit();
	start_table(kept);
	return kept;
}

/* Forget all shapes if they exceed the limit.  None of them may be in use. */
void
spq_gis_kept_trim(SpqGisKept *kept)
{
	if (kept->size > kept->limit)
	{
		MemoryContextReset(kept->context);
		start_table(kept);
	}
}

/*
 * Make the shape of a datum, in the current memory context.  Return NULL if it
 * has none.
 */
static SpqGisShape *
shape_of(Datum geometry)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry),
			   *plain = PG_DETOAST_DATUM_PACKED(geometry);
	SpqGisShape *shape = spq_gis_make_shape(VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain));

	if (plain != stored)
		pfree(plain);
	return shape;
}

/* Return the memory that an entry takes, with its place in the table. */
static Size
entry_size(const KeptEntry *entry)
{
	return entry->length + (entry->shape ? entry->shape->size : 0) + 2 * sizeof(KeptEntry);
}

/* Return the entry of a datum, with its shape; make it if necessary. */
static KeptEntry *
find_entry(SpqGisKept *kept, Datum geometry)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry);
	Size		length = VARSIZE_ANY(stored);
	MemoryContext outer;
	KeptEntry  *entry;
	bool		found;

	entry = kept_lookup(kept->table, (uintptr_t) stored);
	if (entry && entry->length == length && memcmp(entry->stored, stored, length) == 0)
		return entry;

	outer = MemoryContextSwitchTo(kept->context);
	entry = kept_insert(kept->table, (uintptr_t) stored, &found);
	if (found)
	{
		kept->size -= entry_size(entry);
		if (entry->shape)
			pfree(entry->shape);
		if (entry->stored)
			pfree(entry->stored);
	}

	/* after an error below, the entry matches nothing and can be replaced */
	entry->length = 0;
	entry->shape = NULL;
	entry->stored = NULL;
	kept->size += entry_size(entry);

	entry->stored = palloc(length);
	memcpy(entry->stored, stored, length);
	entry->shape = shape_of(geometry);
	kept->size -= entry_size(entry);
	entry->length = length;
	kept->size += entry_size(entry);
	MemoryContextSwitchTo(outer);
	return entry;
}

/*
 * Return the shape of a geometry, or NULL if it has none.  The shape is in
 * "room", or in the current memory context, or kept until spq_gis_kept_trim().
 */
const SpqGisShape *
spq_gis_kept_shape(SpqGisKept *kept, Datum geometry, SpqGisSmallShape *room)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geometry);

	if (VARATT_IS_EXTERNAL(stored) && !VARATT_IS_EXTERNAL_ONDISK(stored))
		return shape_of(geometry);	/* in the caller's memory context */
	if (!VARATT_IS_EXTERNAL(stored) && !VARATT_IS_COMPRESSED(stored) &&
		spq_gis_is_small(VARDATA_ANY(stored), VARSIZE_ANY_EXHDR(stored)))
	{
		const SpqGisShape *small = spq_gis_small_shape(VARDATA_ANY(stored),
													   VARSIZE_ANY_EXHDR(stored), room);

		if (small)
			return small;
	}
	return find_entry(kept, geometry)->shape;
}
