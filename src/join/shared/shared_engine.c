/*-------------------------------------------------------------------------
 *
 * shared_engine.c
 *	  Shared build sides of one dimension as a table of functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/shared/shared_engine.h"

const SpqSharedEngine SPQ_SHARED_ENGINE = {
	.size = spq_shared_size,
	.init = spq_shared_init,
	.reinit = spq_shared_reinit,
	.begin = spq_join_begin_shared,
	.wants_build = spq_join_wants_build,
};
