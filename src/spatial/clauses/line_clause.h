/*-------------------------------------------------------------------------
 *
 * line_clause.h
 *	  Conditions that intervals overlap, alone or in pairs, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_CLAUSES_LINE_CLAUSE_H
#define SPQ_SPATIAL_CLAUSES_LINE_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"

/* The name of the C function that makes a box in the plane of two. */
#define SPQ_SPATIAL_PLANE_PREFIX	"spq_plane_box"

/* One or several conditions, which imply that two boxes on a line overlap. */
typedef struct SpqSpatialLine
{
	Node	   *left,			/* the boxes */
			   *right;
	Relids		left_relids,
				right_relids;
	List	   *conditions;		/* RestrictInfos, in their order */
	bool		clear;			/* true of all boxes that overlap by more than
								 * rounding */
} SpqSpatialLine;

extern bool spq_spatial_belong_together(const RestrictInfo *a, const RestrictInfo *b);
extern OpExpr *spq_spatial_line_clause(RestrictInfo *rinfo, List *conditions,
									   SpqSpatialOperator *op);
extern OpExpr *spq_spatial_boxes_overlap(Node *left, Node *right, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_CLAUSES_LINE_CLAUSE_H */
