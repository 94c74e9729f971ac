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
typedef enum SpqTarget
{
	SPQ_TO_INNER,
	SPQ_TO_CHAIN,
	SPQ_TO_NOTHING				/* see the problem */
} SpqTarget;

extern char *spq_look_at_target(SpqReader *reader, Page page, SpqTupleAt *at,
								bool of_nulls, SpqTarget *target);
extern bool spq_read_inner(SpqReader *reader, Page page, SpqTupleAt at,
						   SpGistInnerTuple *tuple);
extern bool spq_still_leads(SpqReader *reader, SpqTupleAt parent, int node,
							SpqTupleAt child);
extern bool spq_problem_stays(SpqReader *reader, SpqTupleAt parent, int node,
							  SpqTupleAt child, bool of_nulls);

#endif							/* SPQ_DOWNLINK_H */
