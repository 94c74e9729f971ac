/*-------------------------------------------------------------------------
 *
 * equivalent.h
 *	  Functions that are faster than those of another extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EQUIVALENT_H
#define SPQ_SPATIAL_EQUIVALENT_H

#include "nodes/pg_list.h"

extern List *spq_spatial_use_equivalents(List *clauses);

#endif							/* SPQ_SPATIAL_EQUIVALENT_H */
