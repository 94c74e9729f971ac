/*-------------------------------------------------------------------------
 *
 * build_memory.c
 *	  A sort of byte strings in memory, for CREATE INDEX.
 *
 * While all rows fit the memory of the build, this takes the place of a
 * tuplesort.  It costs a fraction of the time: values are written once, where
 * they stay, and what is sorted are words of 64 bits, by counting.
 *
 *		pieces		| value | value | value | ...	in the order of the table
 *					   ^		^
 *		entries		[ word, . ][ word, . ] ...		sorted
 *
 * The word of an entry has the first bytes of its value.  Entries with the same
 * word are sorted by the next eight bytes, and so on, up to the end of values.
 *
 * By words, entries are sorted from the top down.  A few passes of a radix sort
 * by counting order them by the uppermost bits in which they differ, more bits
 * than there are rows.  So what these bits do not decide are short runs, which
 * are sorted by comparisons, or, where keys crowd, in the same way again.
 *
 * Values are read in the order of their words, not in that of memory.  Each is
 * requested from memory long before it is read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"

#include "compat.h"
#include "large_memory.h"
#include "prefetch.h"
#include "rtree/bulk_load/build_memory.h"

/*
 * The sizes of pieces of memory: each is as large as all before together, within these
 * limits, and at most this fraction of the sort's memory.
 */
#define LEAST_PIECE		((Size) 32 * 1024)
#define LARGEST_PIECE	((Size) 8 * 1024 * 1024)
#define PIECES			8

/* How many values before it is read a value is requested. */
#define AHEAD			16

/* With fewer entries, comparisons are quicker than counting. */
#define LEAST_COUNTED	1024

/* A sort by counting: by some bits, in several digits. */
#define DIGIT_BITS		11
#define DIGITS			3
#define COUNTED_BITS	(DIGITS * DIGIT_BITS)

/* Interrupts are served once in this many steps, a power of two. */
#define CHECK_STEPS		((Size) 1 << 16)

typedef struct Entry
{
	uint64		word;			/* eight bytes of the value */
	struct varlena *value;
} Entry;

typedef struct Piece
{
	struct Piece *next;
	char	   *first;			/* value, aligned */
	char	   *end;			/* of the values */
	char	   *limit;			/* of the piece */
} Piece;

struct SpqRtreeMemorySort
{
	MemoryContext context;
	Size		memory;
	Size		used;			/* size of all pieces */
	Size		count;			/* values */
	Piece	   *pieces;			/* in the order of values */
	Piece	   *last;
	Entry	   *entries;		/* once sorted */
	Size		nread;
};

#define ST_SORT order_by_word
#define ST_ELEMENT_TYPE Entry
#define ST_COMPARE(a, b) (((a)->word > (b)->word) - ((a)->word < (b)->word))
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

SpqRtreeMemorySort *
spq_rtree_memory_sort_begin(int memory)
{
	SpqRtreeMemorySort *sort = palloc0(sizeof(SpqRtreeMemorySort));

	sort->context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build rows",
										  ALLOCSET_SMALL_SIZES);
	sort->memory = (Size) memory * 1024;
	return sort;
}

/*
 * Add a piece of memory with room for a value of this size.  Return false if the
 * sort's memory does not suffice.
 */
static bool
add_piece(SpqRtreeMemorySort *sort, Size size)
{
	Size		piece_size = Min(Max(sort->used, LEAST_PIECE), LARGEST_PIECE);
	Piece	   *piece;

	piece_size = Max(Min(piece_size, sort->memory / PIECES),
					 sizeof(Piece) + SPQ_LINE_SIZE + size);
	if (sort->used + piece_size + 2 * (sort->count + 1) * sizeof(Entry) > sort->memory)
		return false;
	piece = spq_large_alloc(sort->context, piece_size);
	piece->next = NULL;
	piece->first = piece->end = (char *) TYPEALIGN(SPQ_LINE_SIZE, piece + 1);
	piece->limit = (char *) piece + piece_size;
	if (sort->last)
		sort->last->next = piece;
	else
		sort->pieces = piece;
	sort->last = piece;
	sort->used += piece_size;
	return true;
}

struct varlena *
spq_rtree_memory_sort_add(SpqRtreeMemorySort *sort, Size size)
{
	Size		space = MAXALIGN(size);
	char	   *value;

	if (sort->last == NULL || space > (Size) (sort->last->limit - sort->last->end))
	{
		if (!add_piece(sort, space))
			return NULL;
	}
	else if (sort->used + 2 * (sort->count + 1) * sizeof(Entry) > sort->memory)
		return NULL;
	value = sort->last->end;
	sort->last->end += space;
	sort->count++;
	return (struct varlena *) value;
}

/* Return the value after this one in a piece. */
static inline char *
after(char *value)
{
	return value + MAXALIGN(VARSIZE_ANY(value));
}

/*
 * Return eight bytes of a value from an offset on, as a number; zeros follow its
 * last byte.
 */
static inline uint64
word_of(struct varlena *value, Size offset)
{
	Size		size = VARSIZE_ANY_EXHDR(value);
	uint64		word = 0;

	if (size >= offset + sizeof(word))
		memcpy(&word, VARDATA_ANY(value) + offset, sizeof(word));
	else if (size > offset)
		memcpy(&word, VARDATA_ANY(value) + offset, size - offset);
	return pg_ntoh64(word);
}

/*
 * Set the words of entries to those from an offset on.  Return whether any value
 * has bytes there.
 */
static bool
load_words(Entry *entries, Size n, Size offset)
{
	bool		found = false;

	for (Size i = 0; i < n; i++)
	{
		if (i + AHEAD < n)
			spq_prefetch(entries[i + AHEAD].value);
		entries[i].word = word_of(entries[i].value, offset);
		found |= VARSIZE_ANY_EXHDR(entries[i].value) > offset;
	}
	return found;
}

/*
 * Sort entries by COUNTED_BITS bits of their words, from this one up: by
 * counting, from the lowest digit up.
 */
static void
sort_by_counting(Entry *entries, Entry *spare, Size n, int shift)
{
	Size		places[DIGITS][1 << DIGIT_BITS] = {{0}};
	Entry	   *from = entries,
			   *to = spare;

	for (Size i = 0; i < n; i++)
	{
		uint64		bits = entries[i].word >> shift;

		for (int digit = 0; digit < DIGITS; digit++)
			places[digit][bits >> (digit * DIGIT_BITS) & ((1 << DIGIT_BITS) - 1)]++;
	}
	for (int digit = 0; digit < DIGITS; digit++)
	{
		Size	   *place = places[digit];
		int			from_bit = shift + digit * DIGIT_BITS;
		Size		before = 0;
		Entry	   *swap = from;

		for (int value = 0; value < 1 << DIGIT_BITS; value++)
		{
			Size		count = place[value];

			place[value] = before;
			before += count;
		}
		CHECK_FOR_INTERRUPTS();
		for (Size i = 0; i < n; i++)
			to[place[from[i].word >> from_bit & ((1 << DIGIT_BITS) - 1)]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != entries)
		memcpy(entries, from, n * sizeof(Entry));
}

/* Sort entries by their words. */
static void
sort_by_word(Entry *entries, Entry *spare, Size n)
{
	uint64		differing = 0;
	int			shift;

	if (n < LEAST_COUNTED)
	{
		order_by_word(entries, n);
		return;
	}
	for (Size i = 1; i < n; i++)
		differing |= entries[i].word ^ entries[0].word;
	if (differing == 0)
		return;
	shift = Max(pg_leftmost_one_pos64(differing) + 1 - COUNTED_BITS, 0);
	sort_by_counting(entries, spare, n, shift);
	if (shift == 0)
		return;
	for (Size begin = 0, end; begin < n; begin = end)
	{
		for (end = begin + 1; end < n; end++)
			if (entries[end].word >> shift != entries[begin].word >> shift)
				break;
		if (end > begin + 1)
			sort_by_word(entries + begin, spare + begin, end - begin);
		if ((begin & (CHECK_STEPS - 1)) == 0)
			CHECK_FOR_INTERRUPTS();
	}
}

/*
 * Sort entries whose values are equal before an offset, by their words, which are
 * those from this offset on, and by what follows.
 */
static void
sort_entries(Entry *entries, Entry *spare, Size n, Size offset)
{
	check_stack_depth();
	sort_by_word(entries, spare, n);
	offset += sizeof(uint64);
	for (Size begin = 0, end; begin < n; begin = end)
	{
		for (end = begin + 1; end < n && entries[end].word == entries[begin].word;)
			end++;
		if (end > begin + 1 && load_words(entries + begin, end - begin, offset))
			sort_entries(entries + begin, spare + begin, end - begin, offset);
	}
}

void
spq_rtree_memory_sort_perform(SpqRtreeMemorySort *sort)
{
	Entry	   *spare;
	Size		i = 0;

	if (sort->count == 0)
		return;
	sort->entries = spq_large_alloc(sort->context, sort->count * sizeof(Entry));
	spare = spq_large_alloc(sort->context, sort->count * sizeof(Entry));
	for (Piece *piece = sort->pieces; piece; piece = piece->next)
		for (char *place = piece->first; place < piece->end; place = after(place))
		{
			struct varlena *value = (struct varlena *) place;

			sort->entries[i].value = value;
			sort->entries[i++].word = word_of(value, 0);
		}
	Assert(i == sort->count);
	sort_entries(sort->entries, spare, sort->count, 0);
	pfree(spare);
}

struct varlena *
spq_rtree_memory_sort_next(SpqRtreeMemorySort *sort)
{
	if (sort->nread == sort->count)
		return NULL;
	if (sort->nread + AHEAD < sort->count)
		spq_prefetch(sort->entries[sort->nread + AHEAD].value);
	return sort->entries[sort->nread++].value;
}

void
spq_rtree_memory_sort_empty(SpqRtreeMemorySort *sort,
							void (*take) (void *arg, struct varlena *value),
							void (*flush) (void *arg), void *arg)
{
	while (sort->pieces)
	{
		Piece	   *piece = sort->pieces;

		CHECK_FOR_INTERRUPTS();
		for (char *value = piece->first; value < piece->end; value = after(value))
			take(arg, (struct varlena *) value);
		flush(arg);
		sort->pieces = piece->next;
		pfree(piece);
	}
	sort->last = NULL;
	sort->used = sort->count = 0;
}

void
spq_rtree_memory_sort_end(SpqRtreeMemorySort *sort)
{
	MemoryContextDelete(sort->context);
	pfree(sort);
}
