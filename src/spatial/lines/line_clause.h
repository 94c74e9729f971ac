/*-------------------------------------------------------------------------
 *
 * line_clause.h
 *	  Conditions that intervals overlap, alone or in pairs, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_LINES_LINE_CLAUSE_H
#define SPQ_SPATIAL_LINES_LINE_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"

extern OpExpr *spq_spatial_line_clause(PlannerInfo *root, RestrictInfo *rinfo,
									   List *conditions, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_LINES_LINE_CLAUSE_H */
