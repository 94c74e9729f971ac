/*-------------------------------------------------------------------------
 *
 * crowd_pairs.h
 *	  Whether members of two crowds are neighbors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_CROWD_PAIRS_H
#define SPQ_CLUSTER_CROWD_PAIRS_H

#include "cluster/crowd.h"
#include "cluster/nearness.h"

/* Members of a crowd that are read at a time. */
#define SPQ_CROWD_PART	128

extern bool spq_crowds_meet_soon(SpqCrowds *crowds, const SpqNearness *nearness,
								 const SpqCrowd *a, const SpqCrowd *b);
extern bool spq_crowds_meet(SpqCrowds *crowds, const SpqNearness *nearness,
							const SpqCrowd *a, const SpqCrowd *b, Size memory);

#endif							/* SPQ_CLUSTER_CROWD_PAIRS_H */
