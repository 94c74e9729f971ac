/*-------------------------------------------------------------------------
 *
 * raise.h
 *	  Raising damage of an index as an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_RAISE_H
#define SPQ_QUADTREE_PAGES_RAISE_H

#include "storage/block.h"
#include "storage/off.h"
#include "utils/relcache.h"

#include "compat.h"

spq_noreturn extern void spq_page_raise(Relation index, BlockNumber block,
										OffsetNumber item, const char *problem);

#endif							/* SPQ_QUADTREE_PAGES_RAISE_H */
