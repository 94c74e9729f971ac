/*-------------------------------------------------------------------------
 *
 * own_index.h
 *	  Which indexes belong to our access method.
 *
 * The access method uses estimates, so this folder must not use its files.
 * Instead, its cost function identifies its indexes; _PG_init() sets it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_OWN_INDEX_H
#define SPQ_ESTIMATE_PATHS_OWN_INDEX_H

#include "access/amapi.h"
#include "nodes/pathnodes.h"

/* The cost function of our access method. */
extern amcostestimate_function spq_estimate_own_costs;

/*
 * Return whether an index belongs to our access method, whatever its name is.
 */
static inline bool
spq_estimate_is_own_index(const IndexOptInfo *index)
{
	return index->amcostestimate == spq_estimate_own_costs;
}

#endif							/* SPQ_ESTIMATE_PATHS_OWN_INDEX_H */
