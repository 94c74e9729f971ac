/*-------------------------------------------------------------------------
 *
 * interval_clause.h
 *	  Two comparisons of numbers, as a condition on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_CLAUSES_INTERVAL_CLAUSE_H
#define SPQ_SPATIAL_CLAUSES_INTERVAL_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"

extern OpExpr *spq_spatial_interval_clause(RestrictInfo *rinfo, List *conditions,
										   SpqSpatialOperator *op);
extern bool spq_spatial_is_comparison(RestrictInfo *rinfo);

#endif							/* SPQ_SPATIAL_CLAUSES_INTERVAL_CLAUSE_H */
