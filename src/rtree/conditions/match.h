/*-------------------------------------------------------------------------
 *
 * match.h
 *	  Which entries of a page satisfy a scan's conditions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_MATCH_H
#define SPQ_RTREE_CONDITIONS_MATCH_H

#include "rtree/conditions/filters.h"

extern int	spq_rtree_match_inner(const SpqRtreeConditions *conditions, Page page,
								  uint8 *matches);
extern int	spq_rtree_match_leaf(SpqRtreeConditions *conditions, Page page,
								 bool skip_dead, uint8 *matches);

#endif							/* SPQ_RTREE_CONDITIONS_MATCH_H */
