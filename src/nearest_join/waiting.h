/*-------------------------------------------------------------------------
 *
 * waiting.h
 *	  Boxes that a search has collected, whose distances are not known yet.
 *
 * They are sorted by the squares of their distances, which are known up to
 * rounding.  With a limit of all squares, most are sorted in one pass.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_WAITING_H
#define SPQ_NEAREST_JOIN_WAITING_H

typedef struct SpqNearestWaitingBox
{
	float8		square;			/* of its distance, about */
	uint32		entry;			/* of level 0 of the tree */
} SpqNearestWaitingBox;

typedef struct SpqNearestWaiting
{
	SpqNearestWaitingBox *boxes;
	SpqNearestWaitingBox *spare;	/* room for the same */
	uint32		count;
	uint32		most;			/* that there is room for */
} SpqNearestWaiting;

/* Begin with no boxes, with room for this many. */
extern void spq_nearest_waiting_begin(SpqNearestWaiting *waiting, MemoryContext context,
									  uint32 most);

/*
 * Sort boxes whose squares are at most "limit".  Those that at least k are nearer
 * than, also with a margin for rounding, may be left out.
 */
extern void spq_nearest_sort_waiting(SpqNearestWaiting *waiting, float8 limit, uint32 k);

extern void spq_nearest_waiting_end(SpqNearestWaiting *waiting);

#endif							/* SPQ_NEAREST_JOIN_WAITING_H */
