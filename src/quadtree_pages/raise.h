/*-------------------------------------------------------------------------
 *
 * raise.h
 *	  Raising damage of an index as an error, and other treatments of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_RAISE_H
#define SPQ_QUADTREE_PAGES_RAISE_H

#include "storage/block.h"
#include "storage/off.h"
#include "utils/relcache.h"

#include "compat.h"

/* The treatment of problems by a walk. */
typedef enum SpqPagePolicy
{
	SPQ_PAGE_RAISE,				/* raise the first one as an error */
	SPQ_PAGE_REPORT,			/* report problems, skip what is damaged, and
								 * continue */
	SPQ_PAGE_SILENT				/* like SPQ_PAGE_REPORT, but report nothing */
} SpqPagePolicy;

spq_noreturn extern void spq_page_raise(Relation index, BlockNumber block,
										OffsetNumber item, const char *problem);

#endif							/* SPQ_QUADTREE_PAGES_RAISE_H */
