/*-------------------------------------------------------------------------
 *
 * range_clause.h
 *	  Conditions on two ranges, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_CLAUSES_RANGE_CLAUSE_H
#define SPQ_SPATIAL_CLAUSES_RANGE_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/clauses/line_clause.h"

extern bool spq_spatial_range_line(RestrictInfo *rinfo, SpqSpatialLine *line);
extern OpExpr *spq_spatial_range_clause(Node *clause, SpqSpatialOperator *op);
extern Node *spq_spatial_interval(Node *lower, Node *upper, bool lower_inclusive,
								  bool upper_inclusive);
extern bool spq_spatial_is_range_box(Oid function);

#endif							/* SPQ_SPATIAL_CLAUSES_RANGE_CLAUSE_H */
