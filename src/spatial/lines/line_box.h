/*-------------------------------------------------------------------------
 *
 * line_box.h
 *	  Boxes on a line, of ranges and intervals, as expressions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_LINES_LINE_BOX_H
#define SPQ_SPATIAL_LINES_LINE_BOX_H

#include "nodes/pathnodes.h"

#include "range/range_box.h"
#include "spatial/operators/operators.h"

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

extern bool spq_spatial_is_range_box(Oid function);
extern bool spq_spatial_is_interval_box(Oid function);
extern bool spq_spatial_range_box_use(Oid function, SpqRangeUse *use);
extern Node *spq_spatial_range_box(Node *range, bool multirange, SpqRangeUse use);
extern Node *spq_spatial_interval_box(Node *lower, Node *upper, bool lower_inclusive,
									  bool upper_inclusive, float8 null_lower, float8 null_upper);
extern Node *spq_spatial_plane_box(Node *x, Node *y);
extern OpExpr *spq_spatial_boxes_overlap(Node *left, Node *right, SpqSpatialOperator *op);
extern bool spq_spatial_belong_together(const RestrictInfo *a, const RestrictInfo *b);

#endif							/* SPQ_SPATIAL_LINES_LINE_BOX_H */
