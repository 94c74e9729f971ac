/*-------------------------------------------------------------------------
 *
 * resolve.h
 *	  From the names in a definition to locked objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_RESOLVE_H
#define SPQ_WATCH_RESOLVE_H

#include "watch/definition/watch.h"

extern bool spq_watch_resolve(SpqWatch *watch);

#endif							/* SPQ_WATCH_RESOLVE_H */
