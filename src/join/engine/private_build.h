/*-------------------------------------------------------------------------
 *
 * private_build.h
 *	  The build side of one process.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_PRIVATE_BUILD_H
#define SPQ_JOIN_ENGINE_PRIVATE_BUILD_H

#include "join/engine/join_state.h"

extern const SpqJoinBuildMethods spq_join_private_build;

extern void spq_join_add_build(SpqJoin *join, const SpqJoinItem *item);
extern void spq_join_private_done(SpqJoin *join);

#endif							/* SPQ_JOIN_ENGINE_PRIVATE_BUILD_H */
