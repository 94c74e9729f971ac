/*-------------------------------------------------------------------------
 *
 * downlink.h
 *	  What a downlink leads to, and whether it still does.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DOWNLINK_H
#define SPQ_DOWNLINK_H

#include "pages/read_page.h"

/* What a downlink leads to. */
typedef enum SpqPageTarget
{
	SPQ_PAGE_TO_INNER,
	SPQ_PAGE_TO_CHAIN,
	SPQ_PAGE_TO_NOTHING				/* see the problem */
} SpqPageTarget;

extern char *spq_page_follow(SpqPageReader *reader, Page page, SpqPageTid *at,
								bool of_nulls, SpqPageTarget *target);
extern bool spq_page_read_inner(SpqPageReader *reader, Page page, SpqPageTid at,
						   SpGistInnerTuple *tuple);
extern bool spq_page_still_leads(SpqPageReader *reader, SpqPageTid parent, int node,
							SpqPageTid child);
extern bool spq_page_problem_persists(SpqPageReader *reader, SpqPageTid parent, int node,
							  SpqPageTid child, bool of_nulls);

#endif							/* SPQ_DOWNLINK_H */
