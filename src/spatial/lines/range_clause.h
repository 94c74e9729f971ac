/*-------------------------------------------------------------------------
 *
 * range_clause.h
 *	  Conditions on two ranges, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_LINES_RANGE_CLAUSE_H
#define SPQ_SPATIAL_LINES_RANGE_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/lines/line_box.h"

extern bool spq_spatial_range_line(RestrictInfo *rinfo, SpqSpatialLine *line);
extern OpExpr *spq_spatial_range_clause(Node *clause, bool overlaps, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_LINES_RANGE_CLAUSE_H */
