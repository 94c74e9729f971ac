/*-------------------------------------------------------------------------
 *
 * own_index.h
 *	  Which indexes are of our own access method.
 *
 * The access method asks for estimates, so its files are above this folder, and it says
 * itself how its indexes are known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_OWN_INDEX_H
#define SPQ_ESTIMATE_PATHS_OWN_INDEX_H

#include "access/amapi.h"
#include "nodes/pathnodes.h"

/* The cost function of our access method. */
extern amcostestimate_function spq_estimate_own_costs;

/* Return whether an index is of our own access method, whatever its name is. */
static inline bool
spq_estimate_is_own_index(const IndexOptInfo *index)
{
	return index->amcostestimate == spq_estimate_own_costs;
}

#endif							/* SPQ_ESTIMATE_PATHS_OWN_INDEX_H */
