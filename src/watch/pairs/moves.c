/*-------------------------------------------------------------------------
 *
 * moves.c
 *	  Which of the changed objects may begin or end a pair, by the fences' index.
 *
 * For boxes and points, this answers without a query.  A search of the index finds
 * the fences near the old and the new place of all changed objects; an entry of the
 * index has the fence's box, so no fence is read from its table.
 *
 * A fence sees a place in one of three ways:
 *
 *		NEAR		within the distance
 *		BETWEEN		beyond it, but within the leave distance
 *		FAR			beyond the leave distance
 *
 * If it sees the old and the new place alike, and nothing else changed that
 * pairs depend on, then the pair stays as it is: held or not.
 * src/watch/README.md shows that this is right whatever else the statement
 * changes.  An entry may belong to a fence that is deleted, or whose condition
 * does not hold.  That only costs time: an object is settled that need not be.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/relation.h"
#include "utils/acl.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "rtree/windows_search.h"
#include "watch/pairs/changes.h"

/* Searched at a time.  With more, memory is taken from the system for each statement. */
#define MOVES_AT_ONCE 1024
#define FIRST_SIZE 64

typedef enum Sight
{
	FAR,
	BETWEEN,
	NEAR
} Sight;

/* A changed object. */
typedef struct Move
{
	Datum		key;
	bool		has_was;		/* a place before */
	bool		has_is;			/* and one after */
	bool		place_only;		/* nothing else changed */
	bool		settle;
} Move;

struct SpqWatchMoves
{
	const SpqWatch *watch;
	MemoryContext context;
	int			axes;
	int			place_numbers;	/* of the image of a place */
	bool		key_by_value;
	int16		key_length;
	bool		any;			/* settle whatever has a fence in its window */
	bool		stays;			/* settle pairs that stay, too */
	FmgrInfo	within;

	int			count;
	int			size;
	Move	   *moves;
	float8	   *windows;		/* 2 x axes numbers for each */
	float8	   *places;			/* images before and after */
};

/*
 * Return whether the functions below can find the objects to settle, and the owner
 * of the watch may read the fences.
 */
bool
spq_watch_can_search(const SpqWatch *watch, SpqWatchRole role)
{
	return role == SPQ_WATCH_OBJECTS && watch->plain && watch->position &&
		OidIsValid(watch->fences.index) && !spq_watch_wants(watch, SPQ_WATCH_OUTSIDE) &&
		pg_class_aclcheck(watch->fences.relid, watch->owner, ACL_SELECT) == ACLCHECK_OK;
}

/* Start to collect moves, in the current memory context. */
SpqWatchMoves *
spq_watch_start_moves(const SpqWatch *watch, const Form_pg_attribute place)
{
	SpqWatchMoves *moves = palloc0(sizeof(SpqWatchMoves));

	Assert(place->attlen > 0 && place->attlen <= (int) (SPQ_TYPE_NUMBERS * sizeof(float8)));
	moves->watch = watch;
	moves->context = CurrentMemoryContext;
	moves->axes = watch->position->axes;
	moves->place_numbers = place->attlen / sizeof(float8);
	get_typlenbyval(watch->objects.key_type, &moves->key_length, &moves->key_by_value);
	moves->any = spq_watch_wants(watch, SPQ_WATCH_CROSS);
	moves->stays = spq_watch_wants(watch, SPQ_WATCH_INSIDE);
	fmgr_info(watch->within_function, &moves->within);
	moves->size = FIRST_SIZE;
	moves->moves = palloc_array(Move, FIRST_SIZE);
	moves->windows = palloc_array(float8, FIRST_SIZE * 2 * moves->axes);
	moves->places = palloc_array(float8, FIRST_SIZE * 2 * moves->place_numbers);
	return moves;
}

/*
 * Set a window around a box of finite places that has all fences within the leave
 * distance, with room for the tolerance and the rounding of the comparison.
 */
static void
set_window(const SpqWatchMoves *moves, const float8 *box, float8 *window)
{
	int			axes = moves->axes;
	float8		distance = moves->watch->leave_distance;

	for (int axis = 0; axis < axes; axis++)
	{
		float8		high = box[axis],
					low = box[axes + axis],
					magnitude = Max(Max(fabs(high), fabs(low)), distance),
					margin = distance * (1 + 1e-9) + 2 * EPSILON + 8 * DBL_EPSILON * magnitude;

		window[axis] = high + margin;
		window[axes + axis] = low - margin;
	}
}

/* Make room for more moves. */
static void
grow(SpqWatchMoves *moves)
{
	int			size = Min(4 * moves->size, MOVES_AT_ONCE);

	moves->moves = repalloc(moves->moves, size * sizeof(Move));
	moves->windows = repalloc(moves->windows, size * 2 * moves->axes * sizeof(float8));
	moves->places = repalloc(moves->places, size * 2 * moves->place_numbers * sizeof(float8));
	moves->size = size;
}

/* Copy a place if there is one.  Return whether there is. */
static inline bool
copy_place(const SpqWatchMoves *moves, const Datum *place, float8 *image)
{
	const float8 *numbers;

	if (place == NULL)
		return false;
	numbers = (const float8 *) DatumGetPointer(*place);
	for (int i = 0; i < moves->place_numbers; i++)
		image[i] = numbers[i];
	return true;
}

/*
 * Settle an object if it begins or ends a pair.  A place is NULL if the object had
 * none, or has none; the box encloses both, and is finite.
 */
void
spq_watch_add_move(SpqWatchMoves *moves, SpqWatchChanges *changes, Datum key,
				   const Datum *was, const Datum *is, bool place_only, const float8 *box)
{
	Move	   *move;
	float8	   *places;

	if (moves->count == moves->size)
		grow(moves);
	set_window(moves, box, moves->windows + moves->count * 2 * moves->axes);
	places = moves->places + moves->count * 2 * moves->place_numbers;
	move = &moves->moves[moves->count++];
	if (moves->key_by_value)
		move->key = key;
	else
	{
		MemoryContext old = MemoryContextSwitchTo(moves->context);

		move->key = datumCopy(key, false, moves->key_length);
		MemoryContextSwitchTo(old);
	}
	move->place_only = place_only;
	move->settle = false;
	move->has_was = copy_place(moves, was, places);
	move->has_is = copy_place(moves, is, places + moves->place_numbers);
	if (moves->count == MOVES_AT_ONCE)
		spq_watch_search_moves(moves, changes);
}

static bool
is_within(SpqWatchMoves *moves, const float8 *place, const float8 *fence, float8 distance)
{
	return DatumGetBool(FunctionCall3(&moves->within, PointerGetDatum(place), PointerGetDatum(fence),
									  Float8GetDatum(distance)));
}

/* Return how a fence sees a place, if there is one. */
static Sight
see(SpqWatchMoves *moves, bool exists, const float8 *place, const float8 *fence)
{
	const SpqWatch *watch = moves->watch;

	if (!exists)
		return FAR;
	if (is_within(moves, place, fence, watch->distance))
		return NEAR;
	return watch->leave_distance > watch->distance &&
		is_within(moves, place, fence, watch->leave_distance) ? BETWEEN : FAR;
}

/* Process an entry of the index in a move's window.  Return true if it decides. */
static bool
found_fence(void *argument, int number, const float8 *fence)
{
	SpqWatchMoves *moves = argument;
	Move	   *move = &moves->moves[number];
	const float8 *places = moves->places + number * 2 * moves->place_numbers;
	Sight		was,
				is;

	if (moves->any)
		return move->settle = true;
	was = see(moves, move->has_was, places, fence);
	is = see(moves, move->has_is, places + moves->place_numbers, fence);
	move->settle = was != is || (is != FAR && (!move->place_only || moves->stays));
	return move->settle;
}

/*
 * Search for the fences near the collected moves, add the keys of the objects to
 * settle, and forget the moves.
 */
void
spq_watch_search_moves(SpqWatchMoves *moves, SpqWatchChanges *changes)
{
	MemoryContext context,
				old;
	Relation	index;

	if (moves->count == 0)
		return;
	context = AllocSetContextCreate(moves->context, "spqtree search", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);

	/* another session may have dropped the index just now */
	index = try_relation_open(moves->watch->fences.index, AccessShareLock);
	if (index != NULL)
	{
		spq_rtree_search_windows(index, GetLatestSnapshot(), moves->count, moves->windows,
								 found_fence, moves);
		relation_close(index, NoLock);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	for (int i = 0; i < moves->count; i++)
	{
		Move	   *move = &moves->moves[i];

		if (move->settle || index == NULL)
			changes->keys = accumArrayResult(changes->keys, move->key, false,
											 moves->watch->objects.key_type, changes->context);
		if (!moves->key_by_value)
			pfree(DatumGetPointer(move->key));
	}
	moves->count = 0;
}
