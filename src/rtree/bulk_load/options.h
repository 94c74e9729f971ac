/*-------------------------------------------------------------------------
 *
 * options.h
 *	  WITH (fillfactor = ...).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_OPTIONS_H
#define SPQ_RTREE_BULK_LOAD_OPTIONS_H

#include "utils/rel.h"

extern bytea *spq_rtree_options(Datum options, bool validate);
extern int	spq_rtree_fillfactor(Relation index);

#endif							/* SPQ_RTREE_BULK_LOAD_OPTIONS_H */
