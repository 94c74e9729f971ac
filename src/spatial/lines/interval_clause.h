/*-------------------------------------------------------------------------
 *
 * interval_clause.h
 *	  Two comparisons of numbers, as a condition on two intervals.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_LINES_INTERVAL_CLAUSE_H
#define SPQ_SPATIAL_LINES_INTERVAL_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/lines/line_box.h"

extern bool spq_spatial_interval_line(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
									  SpqSpatialLine *line);
extern OpExpr *spq_spatial_open_comparison(Node *clause);

#endif							/* SPQ_SPATIAL_LINES_INTERVAL_CLAUSE_H */
