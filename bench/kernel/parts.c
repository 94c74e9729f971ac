/*-------------------------------------------------------------------------
 *
 * parts.c
 *	  A join of two arrays of boxes in plain C, in parts and lanes.
 *
 * Both sides are divided into parts of space, at most 16 x 16, in one pass.  An
 * entry of 16 bytes stands for a box in a part that it meets; its ends are
 * positions between the borders of the part:
 *
 *			0		 1	2  3	..	   16383  16384		 16385
 *		 before |------------- of this part -------------|	 behind
 *
 * Then parts are joined one by one, in the processor's cache.  The entries of
 * the right side go into tiles, into all that the box meets, as lanes of 16-bit
 * numbers.  An entry of the left side is compared with the lanes of each of its
 * tiles, 16 at once.  In a lane, 0 stands for a low end before the tile.
 *
 * Positions are monotone: a <= b implies the same for their positions, and a
 * greater position implies a greater number.  So
 *
 *		a difference below 0	the boxes are apart
 *		all differences above 0 the boxes meet: no double is read
 *		otherwise				a tie: the doubles decide
 *
 * A pair counts in the tile that contains the low corner of the intersection.
 * There, on each axis, at least one of the boxes begins (Dittrich, Seeger 2000).
 *
 * EPSILON: the ends of a left box are moved outward by 2 EPSILON first, so that
 * none of the pairs is missed (src/join/README.md).  If this changes a position,
 * and if a box has its corners swapped, all its candidates are ties.
 *
 * A right box that meets more than 16 tiles of a part is in a list of the part,
 * with which all its left entries are compared.  A crowded part is divided again;
 * what was before or behind the part stays so, whatever the new arithmetic says.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "parts.h"

#define POSITION_BITS	14
#define POSITIONS		(1 << POSITION_BITS)	/* of a part, along an axis */
#define BEFORE			0
#define BEHIND			(POSITIONS + 1)
#define NO_BOX			(POSITIONS + 2) /* low end of a lane without a box */

#define PART_BITS		4		/* most parts a side, as a power of two */
#define ROOMY			4		/* a part is wider than this many mean boxes */
#define TILE_BITS		8		/* the same for tiles of a part */
#define TILE_BOXES		24		/* right boxes in a tile, about */
#define MANY_TILES		16		/* a box in more than these is in the list */
#define CROWDED			1024	/* boxes in the tile of a box, on average */
#define FEW_BOXES		4096	/* not worth a division */
#define MAX_DEPTH		12

#define LANES			16
#define FOUND			256		/* masks of found pairs that are kept */
#define TIES			1024
#define CHUNK_ENTRIES	127
#define PIECE			(2048 * 1024)	/* memory that is requested at once */

#define Min(a, b)	((a) < (b) ? (a) : (b))
#define Max(a, b)	((a) > (b) ? (a) : (b))

#ifdef __x86_64__
#define FOR_MACHINES __attribute__((target_clones("avx2", "default")))
#else
#define FOR_MACHINES
#endif

typedef struct Entry
{
	uint16_t	low[2],
				high[2];
	uint32_t	row;
	uint32_t	unsure;			/* its candidates are ties */
} Entry;

typedef struct Chunk
{
	struct Chunk *next;
	uint64_t	unused;			/* entries begin at a multiple of 16 bytes */
	Entry		entry[CHUNK_ENTRIES];
} Chunk;

/* The entries of one side in a part. */
typedef struct Part
{
	Entry	   *next,
			   *end;			/* of the last chunk */
	uint32_t	count;
	Chunk	   *first,
			   *last;
} Part;

/* A division of space. */
typedef struct Grid
{
	int			bits;			/* log2 of the parts a side */
	double		low[2],
				scale[2];		/* positions per unit */
} Grid;

typedef int16_t Lane16 __attribute__((vector_size(2 * LANES)));

typedef struct LaneBlock
{
	Lane16		low[2],
				high[2];
} LaneBlock;

typedef struct Found
{
	uint32_t	mask,
				row,
				lane;
} Found;

/* Memory in pieces.  What was allocated last is freed first. */
static struct
{
	char	  **piece;
	int			npieces,
				used;			/* pieces in use */
	size_t		at;				/* in the last one */
}			arena;

static Rects side[2];
static bool all_unsure;
static TakePairs take_pairs;
static void *take_argument;

/* the part that is being joined */
static LaneBlock *lanes;
static uint32_t *lane_row;
static size_t lanes_size;
static uint32_t *tile_first,
		   *tile_next;

static Found found[FOUND];
static uint32_t nfound;
static Pair buffer[FOUND * LANES];
static Pair tie[TIES];
static uint32_t nties;

static void *
must(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

static Chunk *
new_chunk(void)
{
	if (arena.used == 0 || arena.at + sizeof(Chunk) > PIECE)
	{
		if (arena.used == arena.npieces)
		{
			arena.piece = must(realloc(arena.piece, sizeof(char *) * (arena.npieces + 1)));
			arena.piece[arena.npieces++] = must(aligned_alloc(64, PIECE));
		}
		arena.used++;
		arena.at = 0;
	}
	arena.at += sizeof(Chunk);
	return (Chunk *) (arena.piece[arena.used - 1] + arena.at - sizeof(Chunk));
}

static __attribute__((noinline))
void
add_chunk(Part *part)
{
	Chunk	   *chunk = new_chunk();

	if (part->count > 0)
		part->last->next = chunk;
	else
		part->first = chunk;
	part->last = chunk;
	part->next = chunk->entry;
	part->end = chunk->entry + CHUNK_ENTRIES;
}

static inline void
add_entry(Part *part, Entry entry)
{
	if (part->next == part->end)
		add_chunk(part);
	*part->next++ = entry;
	part->count++;
}

/* Run through the entries of a part. */
#define FOR_EACH_ENTRY(part, e) \
	for (struct {const Chunk *chunk; uint32_t left;} at_ = {(part)->first, (part)->count}; at_.left > 0; \
		 at_.left -= Min(at_.left, CHUNK_ENTRIES), at_.chunk = at_.left > 0 ? at_.chunk->next : NULL) \
		for (const Entry *e = at_.chunk->entry, *end_ = fetch_next(at_.chunk, at_.left); e < end_; e++)

/* Prefetch the next chunk, and return the end of this one. */
static inline const Entry *
fetch_next(const Chunk *chunk, uint32_t left)
{
	if (left > CHUNK_ENTRIES)
		for (size_t i = 0; i < sizeof(Chunk); i += 64)
			__builtin_prefetch((const char *) chunk->next + i);
	return chunk->entry + Min(left, CHUNK_ENTRIES);
}

/*
 * Return the position of x, from 0 on.  Monotone for all x and all scales from
 * 0 to infinity; 0 * infinity gives position 0.
 */
static inline uint32_t
position(double x, double low, double scale, double last)
{
	double		p = (x - low) * scale;

	p = p > 0 ? p : 0;
	return p < last ? p : last;
}

static inline bool
swapped(const Rect *r)
{
	return !(r->lx <= r->hx && r->ly <= r->hy);
}

/* The positions of a box: low x, low y, high x, high y. */
static inline void
positions(const Grid *grid, const Rect *r, double slack, uint32_t *at)
{
	double		last = ((double) POSITIONS * (1 << grid->bits)) - 1;

	at[0] = position(Min(r->lx, r->hx) - slack, grid->low[0], grid->scale[0], last);
	at[1] = position(Min(r->ly, r->hy) - slack, grid->low[1], grid->scale[1], last);
	at[2] = position(Max(r->lx, r->hx) + slack, grid->low[0], grid->scale[0], last);
	at[3] = position(Max(r->ly, r->hy) + slack, grid->low[1], grid->scale[1], last);
}

static inline double
slack_of(int which)
{
	return which == 0 ? 2 * PARTS_EPSILON : 0;
}

/*
 * Add a box to all parts that it meets.  "from" is NULL, or its entry in the part
 * that the grid divides.
 */
static inline __attribute__((always_inline))
void
add_box(const Grid *grid, int which, uint32_t row, const Entry *from, Part *parts)
{
	const Rect *r = &side[which].rect[row];
	const uint32_t in_part = POSITIONS - 1,
				last = (1 << grid->bits) - 1;
	uint32_t	at[4],
				low[2],
				high[2];
	Entry		e;

	e.row = row;
	e.unsure = from != NULL && from->unsure;
	positions(grid, r, slack_of(which), at);
	if (which == 0)
	{
		uint32_t	exact[4];

		positions(grid, r, 0, exact);
		e.unsure |= memcmp(at, exact, sizeof(at)) != 0 || swapped(r);
	}
	for (int axis = 0; axis < 2; axis++)
	{
		low[axis] = at[axis] >> POSITION_BITS;
		high[axis] = at[2 + axis] >> POSITION_BITS;
		e.low[axis] = (at[axis] & in_part) + 1;
		e.high[axis] = (at[2 + axis] & in_part) + 1;
		if (from != NULL && from->low[axis] == BEFORE)
		{
			low[axis] = 0;
			e.low[axis] = BEFORE;
		}
		if (from != NULL && from->high[axis] == BEHIND)
		{
			high[axis] = last;
			e.high[axis] = BEHIND;
		}
	}
	if (low[0] == high[0] && low[1] == high[1])
	{
		add_entry(&parts[(low[1] << grid->bits) + low[0]], e);
		return;
	}
	for (uint32_t y = low[1]; y <= high[1]; y++)
	{
		for (uint32_t x = low[0]; x <= high[0]; x++)
		{
			Entry		copy = e;

			copy.low[0] = x == low[0] ? e.low[0] : BEFORE;
			copy.low[1] = y == low[1] ? e.low[1] : BEFORE;
			copy.high[0] = x == high[0] ? e.high[0] : BEHIND;
			copy.high[1] = y == high[1] ? e.high[1] : BEHIND;
			add_entry(&parts[(y << grid->bits) + x], copy);
		}
	}
}

/* The operator &&, as PostgreSQL compares. */
static inline bool
related(const Rect *a, const Rect *b)
{
	return (a->lx <= b->hx + PARTS_EPSILON) & (b->lx <= a->hx + PARTS_EPSILON) &
		(a->ly <= b->hy + PARTS_EPSILON) & (b->ly <= a->hy + PARTS_EPSILON);
}

static void
give_found(void)
{
	uint32_t	n = 0;

	for (uint32_t i = 0; i < nfound; i++)
	{
		uint32_t	mask = found[i].mask;

		for (; mask != 0; mask &= mask - 1)
		{
			buffer[n].left = found[i].row;
			buffer[n++].right = lane_row[found[i].lane + __builtin_ctz(mask)];
		}
	}
	if (n > 0)
		take_pairs(take_argument, buffer, n);
	nfound = 0;
}

/* Fetch the boxes of all ties at once, then decide. */
static void
decide_ties(void)
{
	uint32_t	n = 0;

	for (uint32_t i = 0; i < nties; i++)
	{
		__builtin_prefetch(&side[0].rect[tie[i].left]);
		__builtin_prefetch(&side[1].rect[tie[i].right]);
	}
	for (uint32_t i = 0; i < nties; i++)
	{
		Pair		pair = tie[i];

		tie[n] = pair;
		n += related(&side[0].rect[pair.left], &side[1].rect[pair.right]);
	}
	if (n > 0)
		take_pairs(take_argument, tie, n);
	nties = 0;
}

static __attribute__((noinline))
void
add_ties(uint32_t mask, uint32_t row, uint32_t lane)
{
	for (; mask != 0; mask &= mask - 1)
	{
		tie[nties].left = row;
		tie[nties].right = lane_row[lane + __builtin_ctz(mask)];
		if (++nties == TIES)
			decide_ties();
	}
}

/* Return a bit for each lane below 0. */
static inline __attribute__((always_inline))
uint32_t
below_zero(Lane16 v)
{
#ifdef __SSE2__
	return _mm_movemask_epi8(_mm_packs_epi16(
											 (__m128i) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7),
											 (__m128i) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
#else
	uint32_t	bits = 0;

	for (int i = 0; i < LANES; i++)
		bits |= (uint32_t) (v[i] < 0) << i;
	return bits;
#endif
}

/* An entry of the left side, ready to be compared. */
typedef struct Probe
{
	Lane16		low[2],
				high[2],
				begins[2];		/* its low end, or 0 if before the tile */
} Probe;

static inline __attribute__((always_inline))
Lane16
all(int16_t x)
{
	return x - (Lane16)
	{
		0
	};
}

/*
 * Compare an entry with lanes.  "once" says that pairs may be found in other tiles,
 * too.
 */
static inline __attribute__((always_inline))
void
compare(const Probe *p, const Entry *e, uint32_t lane, uint32_t end, bool once)
{
	uint32_t	sure = e->unsure || all_unsure ? 0 : (1 << LANES) - 1;

	for (; lane < end; lane += LANES)
	{
		const LaneBlock *b = &lanes[lane / LANES];
		Lane16		d0 = p->high[0] - b->low[0],
					d1 = p->high[1] - b->low[1],
					d2 = b->high[0] - p->low[0],
					d3 = b->high[1] - p->low[1];
		uint32_t	apart = below_zero(d0 | d1 | d2 | d3),
					perhaps = below_zero((d0 - 1) | (d1 - 1) | (d2 - 1) | (d3 - 1)),
					here = (1 << LANES) - 1,
					certain,
					ties;

		if (once)
			here &= ~below_zero(((p->begins[0] | b->low[0]) - 1) |
								((p->begins[1] | b->low[1]) - 1));
		certain = here & ~perhaps & sure;
		ties = here & ~apart & ~certain;
		if (__builtin_expect(ties != 0, 0))
			add_ties(ties, e->row, lane);

		/* no branch: whether there is a pair is unpredictable */
		found[nfound].mask = certain;
		found[nfound].row = e->row;
		found[nfound].lane = lane;
		nfound += certain != 0;
		if (nfound == FOUND)
			give_found();
	}
}

/* The tiles of an entry, along one axis. */
static inline uint32_t
low_tile(uint16_t low, int shift)
{
	return low == BEFORE ? 0 : (uint32_t) (low - 1) >> shift;
}

static inline uint32_t
high_tile(uint16_t high, int shift, uint32_t last)
{
	return high == BEHIND ? last : (uint32_t) (high - 1) >> shift;
}

typedef struct Tiles
{
	uint32_t	x0,
				y0,
				x1,
				y1;
} Tiles;

static inline Tiles
tiles_of(const Entry *e, int shift, uint32_t last)
{
	Tiles		t = {low_tile(e->low[0], shift), low_tile(e->low[1], shift),
	high_tile(e->high[0], shift, last), high_tile(e->high[1], shift, last)};

	return t;
}

static inline uint32_t
tile_count(Tiles t)
{
	return (t.x1 - t.x0 + 1) * (t.y1 - t.y0 + 1);
}

static inline void
set_lane(uint32_t lane, int16_t low_x, int16_t low_y, int16_t high_x, int16_t high_y)
{
	LaneBlock  *block = &lanes[lane / LANES];

	((int16_t *) &block->low[0])[lane % LANES] = low_x;
	((int16_t *) &block->low[1])[lane % LANES] = low_y;
	((int16_t *) &block->high[0])[lane % LANES] = high_x;
	((int16_t *) &block->high[1])[lane % LANES] = high_y;
}

static inline void
put(uint32_t tile, const Entry *e, bool first_x, bool first_y)
{
	uint32_t	lane = tile_next[tile]++;

	set_lane(lane, first_x ? e->low[0] : BEFORE, first_y ? e->low[1] : BEFORE,
			 e->high[0], e->high[1]);
	lane_row[lane] = e->row;
}

/*
 * Put the entries of the right side into tiles: those of tile t are in the lanes from
 * tile_first[t] on, those in many tiles behind the last tile.  Return false, with
 * nothing done, if the part should be divided.
 */
static bool
fill_tiles(const Part *right, int bits, bool divisible)
{
	const uint32_t last = (1 << bits) - 1,
				ntiles = 1 << (2 * bits);
	const int	shift = POSITION_BITS - bits;
	uint64_t	squares = 0;
	uint32_t	lane = 0;

	memset(tile_first, 0, sizeof(uint32_t) * (ntiles + 2));
	FOR_EACH_ENTRY(right, e)
	{
		Tiles		t = tiles_of(e, shift, last);

		if (tile_count(t) > MANY_TILES)
			tile_first[ntiles]++;
		else
			for (uint32_t y = t.y0; y <= t.y1; y++)
				for (uint32_t x = t.x0; x <= t.x1; x++)
					tile_first[(y << bits) + x]++;
	}
	for (uint32_t t = 0; t < ntiles; t++)
		squares += (uint64_t) tile_first[t] * tile_first[t];
	if (divisible && squares / CROWDED > right->count)
		return false;

	for (uint32_t t = 0; t <= ntiles; t++)
	{
		uint32_t	n = tile_first[t];

		tile_first[t] = tile_next[t] = lane;
		lane += (n + LANES - 1) / LANES * LANES;
	}
	tile_first[ntiles + 1] = lane;
	if (lane > lanes_size)
	{
		free(lanes);
		free(lane_row);
		lanes_size = Max(2 * lanes_size, lane);
		lanes_size = (lanes_size + LANES - 1) / LANES * LANES;
		lanes = must(aligned_alloc(64, lanes_size / LANES * sizeof(LaneBlock)));
		lane_row = must(malloc(lanes_size * sizeof(uint32_t)));
	}
	FOR_EACH_ENTRY(right, e)
	{
		Tiles		t = tiles_of(e, shift, last);

		if (tile_count(t) > MANY_TILES)
			put(ntiles, e, true, true);
		else
			for (uint32_t y = t.y0; y <= t.y1; y++)
				for (uint32_t x = t.x0; x <= t.x1; x++)
					put((y << bits) + x, e, x == t.x0, y == t.y0);
	}
	for (uint32_t t = 0; t <= ntiles; t++)
		while (tile_next[t] < tile_first[t + 1])
			set_lane(tile_next[t]++, NO_BOX, NO_BOX, 0, 0);
	return true;
}

/* Compare the entries of the left side with the tiles. */
FOR_MACHINES static void
compare_with_tiles(const Part *left, int bits)
{
	const uint32_t last = (1 << bits) - 1,
				ntiles = 1 << (2 * bits);
	const int	shift = POSITION_BITS - bits;
	const uint32_t list = tile_first[ntiles],
				end_of_list = tile_first[ntiles + 1];

	FOR_EACH_ENTRY(left, e)
	{
		Tiles		t = tiles_of(e, shift, last);
		Probe		p = {{all(e->low[0]), all(e->low[1])}, {all(e->high[0]), all(e->high[1])},
		{all(e->low[0]), all(e->low[1])}};
		bool		begins = e->low[0] != BEFORE && e->low[1] != BEFORE;

		for (uint32_t y = t.y0; y <= t.y1; y++)
		{
			for (uint32_t x = t.x0; x <= t.x1; x++)
			{
				uint32_t	tile = (y << bits) + x;

				if (begins && x == t.x0 && y == t.y0)
					compare(&p, e, tile_first[tile], tile_first[tile + 1], false);
				else
				{
					p.begins[0] = x == t.x0 ? p.low[0] : all(BEFORE);
					p.begins[1] = y == t.y0 ? p.low[1] : all(BEFORE);
					compare(&p, e, tile_first[tile], tile_first[tile + 1], true);
				}
			}
		}
		p.begins[0] = p.low[0];
		p.begins[1] = p.low[1];
		if (list < end_of_list)
			compare(&p, e, list, end_of_list, !begins);
	}
	give_found();
}

static void join_parts(const Grid *grid, Part *const *parts, int depth);

/*
 * Divide a part again.  New parts are wider than a few of its boxes, as far as a
 * sample says.
 */
static void
divide(const Grid *grid, uint32_t x, uint32_t y, Part *const *part, int depth)
{
	Grid		finer = {.bits = PART_BITS};
	Part	   *parts[2];
	int			used = arena.used;
	size_t		at = arena.at;
	uint64_t	sum = 0,
				n = 0;

	for (int which = 0; which < 2; which++)
	{
		FOR_EACH_ENTRY(part[which], e)
		{
			sum += Max(e->high[0] - e->low[0], e->high[1] - e->low[1]);
			n++;
		}
	}
	while (finer.bits > 1 && (sum << finer.bits) * ROOMY > n * POSITIONS)
		finer.bits--;
	for (int axis = 0; axis < 2; axis++)
	{
		finer.low[axis] = grid->low[axis] + (axis == 0 ? x : y) * (POSITIONS / grid->scale[axis]);
		finer.scale[axis] = ldexp(grid->scale[axis], finer.bits);
	}
	for (int which = 0; which < 2; which++)
	{
		parts[which] = must(calloc((size_t) 1 << (2 * finer.bits), sizeof(Part)));
		FOR_EACH_ENTRY(part[which], e)
			add_box(&finer, which, e->row, e, parts[which]);
	}
	join_parts(&finer, parts, depth + 1);
	free(parts[0]);
	free(parts[1]);
	arena.used = used;
	arena.at = at;
}

static void
join_parts(const Grid *grid, Part *const *parts, int depth)
{
	bool		divisible = depth < MAX_DEPTH;

	for (int axis = 0; axis < 2; axis++)
		divisible = divisible && grid->scale[axis] > 0 && grid->scale[axis] < DBL_MAX / POSITIONS;
	for (uint32_t y = 0; y >> grid->bits == 0; y++)
	{
		for (uint32_t x = 0; x >> grid->bits == 0; x++)
		{
			Part	   *part[2] = {&parts[0][(y << grid->bits) + x], &parts[1][(y << grid->bits) + x]};
			int			bits = 0;

			if (part[0]->count == 0 || part[1]->count == 0)
				continue;
			while (bits < TILE_BITS && (uint64_t) TILE_BOXES << (2 * bits) < part[1]->count)
				bits++;
			if (fill_tiles(part[1], bits, divisible && part[1]->count > FEW_BOXES))
				compare_with_tiles(part[0], bits);
			else
				divide(grid, x, y, part, depth);
		}
	}
}

static inline bool
has_nan(const Rect *r)
{
	return isnan(r->lx) || isnan(r->ly) || isnan(r->hx) || isnan(r->hy);
}

/* Return the grid that fits both sides, without their infinities. */
static Grid
fit_grid(void)
{
	Grid		grid = {.bits = PART_BITS};
	double		low[2] = {DBL_MAX, DBL_MAX},
				high[2] = {-DBL_MAX, -DBL_MAX},
				sum = 0;
	int			n = 0;

	for (int which = 0; which < 2; which++)
	{
		for (int i = 0; i < side[which].count; i++)
		{
			const Rect *r = &side[which].rect[i];

			/*
			 * halves, so that the difference does not overflow; NaN changes
			 * nothing
			 */
			low[0] = r->lx * 0.5 < low[0] ? r->lx * 0.5 : low[0];
			low[1] = r->ly * 0.5 < low[1] ? r->ly * 0.5 : low[1];
			high[0] = r->hx * 0.5 > high[0] ? r->hx * 0.5 : high[0];
			high[1] = r->hy * 0.5 > high[1] ? r->hy * 0.5 : high[1];
			if (which == 1 && swapped(r))
				all_unsure |= !has_nan(r);
		}
	}
	for (int axis = 0; axis < 2; axis++)
	{
		low[axis] = Max(low[axis], -DBL_MAX / 4);
		high[axis] = Min(high[axis], DBL_MAX / 4);
		grid.low[axis] = 2 * low[axis];
	}
	for (int which = 0; which < 2; which++)
	{
		for (int i = 0; i < side[which].count; i += side[which].count / 500 + 1)
		{
			const Rect *r = &side[which].rect[i];
			double		share = Max((r->hx * 0.5 - r->lx * 0.5) / (high[0] - low[0]),
									(r->hy * 0.5 - r->ly * 0.5) / (high[1] - low[1]));

			sum += share >= 0 ? Min(share, 1) : 0;
			n++;
		}
	}
	while (grid.bits > 0 && ldexp(sum, grid.bits) * ROOMY > n)
		grid.bits--;
	for (int axis = 0; axis < 2; axis++)
		grid.scale[axis] = high[axis] > low[axis] ?
			ldexp((double) POSITIONS, grid.bits) * 0.5 / (high[axis] - low[axis]) : 0;
	return grid;
}

/* Divide a side into the parts of the first grid. */
static void
divide_side(const Grid *grid, int which, Part *parts)
{
	for (int i = 0; i < side[which].count; i++)
		if (!has_nan(&side[which].rect[i]))
			add_box(grid, which, i, NULL, parts);
}

void
join_in_parts(Rects left, Rects right, TakePairs take, void *argument)
{
	Grid		grid;
	Part	   *parts[2];

	side[0] = left;
	side[1] = right;
	all_unsure = false;
	take_pairs = take;
	take_argument = argument;
	grid = fit_grid();
	tile_first = must(malloc(sizeof(uint32_t) * ((1 << (2 * TILE_BITS)) + 2)));
	tile_next = must(malloc(sizeof(uint32_t) * ((1 << (2 * TILE_BITS)) + 2)));
	for (int which = 0; which < 2; which++)
	{
		parts[which] = must(calloc((size_t) 1 << (2 * grid.bits), sizeof(Part)));
		divide_side(&grid, which, parts[which]);
	}
	join_parts(&grid, parts, 0);
	decide_ties();

	for (int i = 0; i < arena.npieces; i++)
		free(arena.piece[i]);
	free(arena.piece);
	memset(&arena, 0, sizeof(arena));
	free(parts[0]);
	free(parts[1]);
	free(tile_first);
	free(tile_next);
	free(lanes);
	free(lane_row);
	lanes = NULL;
	lane_row = NULL;
	lanes_size = 0;
}
