/*-------------------------------------------------------------------------
 *
 * crowd.h
 *	  Crowds: many rows in one spot, which are neighbors of each other.
 *
 * A caller uses them like this:
 *
 *		crowds = spq_crowds_begin(&spec);
 *		for each row
 *			if (!spq_crowds_take(crowds, row, box))
 *				join the row by itself
 *		spq_crowds_divide(crowds, single, member, arg);
 *		for each crowd, which the engine knows by its box and number
 *			join it as one row; of its members, spq_crowd_read() some
 *		spq_crowds_end(crowds);
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_CROWD_H
#define SPQ_CLUSTER_CROWD_H

#include "join/engine/join.h"

typedef struct SpqCrowds SpqCrowds;

typedef struct SpqCrowdSpec
{
	int			axes;
	double		distance;		/* of neighbors; 0: they meet */
	uint32		least;			/* number of rows of a crowd */
	double		expected;		/* number of rows, or 0 */
	Size		memory;
} SpqCrowdSpec;

/* A crowd.  Its first row is the first in the order of rows. */
typedef struct SpqCrowd
{
	uint64		start;			/* of its members in the file */
	uint64		count;
	uint32		first;
	float8		box[2 * SPQ_JOIN_MAX_AXES];
} SpqCrowd;

typedef struct SpqCrowdMember
{
	float8		box[2 * SPQ_JOIN_MAX_AXES];
	uint32		row;
} SpqCrowdMember;

/* Receive a row that was taken, but is in no crowd. */
typedef void (*SpqCrowdSingle) (void *arg, uint32 row, const float8 *box);

/* Receive a row of a crowd, which has this first row. */
typedef void (*SpqCrowdRow) (void *arg, uint32 first, uint32 row);

extern SpqCrowds *spq_crowds_begin(const SpqCrowdSpec *spec);
extern bool spq_crowds_take(SpqCrowds *crowds, uint32 row, const float8 *box);
extern void spq_crowds_divide(SpqCrowds *crowds, SpqCrowdSingle single, SpqCrowdRow member,
							  void *arg);
extern uint32 spq_crowds_count(const SpqCrowds *crowds);
extern const SpqCrowd *spq_crowd(const SpqCrowds *crowds, uint32 n);
extern uint32 spq_crowd_read(SpqCrowds *crowds, const SpqCrowd *crowd, uint64 start,
							 SpqCrowdMember *members, uint32 room);
extern void spq_crowds_end(SpqCrowds *crowds);

#endif							/* SPQ_CLUSTER_CROWD_H */
