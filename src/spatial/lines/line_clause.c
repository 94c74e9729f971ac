/*-------------------------------------------------------------------------
 *
 * line_clause.c
 *	  Conditions that intervals overlap, alone or in pairs, as conditions on boxes.
 *
 *		a.during && b.during				two ranges (range_clause.c)
 *		a.at BETWEEN b.low AND b.high		two comparisons (interval_clause.c)
 *
 * Each of these is a condition on two boxes on a line.  Two of them between the same
 * relations are one on boxes in the plane:
 *
 *		a.valid && b.valid AND a.system && b.system			x: valid, y: system
 *		p.x BETWEEN b.x1 AND b.x2 AND
 *		p.y BETWEEN b.y1 AND b.y2							a point in a box
 *
 * In the order of the conditions, the first and the second belong together,
 * then the third and the fourth.  The first one stands for all; the others are
 * not spatial conditions by themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "spatial/lines/interval_clause.h"
#include "spatial/lines/line_clause.h"
#include "spatial/lines/range_clause.h"

/*
 * Find the boxes on a line for which a condition stands.  Return false if it stands
 * for none.
 */
static bool
find_line(PlannerInfo *root, RestrictInfo *rinfo, List *conditions, SpqSpatialLine *line)
{
	return spq_spatial_range_line(rinfo, line) ||
		spq_spatial_interval_line(root, rinfo, conditions, line);
}

static void
exchange_sides(SpqSpatialLine *line)
{
	Node	   *box = line->left;
	Relids		relids = line->left_relids;

	line->left = line->right;
	line->left_relids = line->right_relids;
	line->right = box;
	line->right_relids = relids;
}

/*
 * Return whether two lines are between the same sides.  Exchange those of the second
 * one if they are in the other order.
 */
static bool
same_sides(const SpqSpatialLine *line, SpqSpatialLine *other)
{
	if (bms_equal(line->left_relids, other->right_relids) &&
		bms_equal(line->right_relids, other->left_relids))
		exchange_sides(other);
	return bms_equal(line->left_relids, other->left_relids) &&
		bms_equal(line->right_relids, other->right_relids);
}

/*
 * Find the line to which another one, that of a condition, is the first or second.
 * Return false if the condition is the second; set *found if it is the first and
 * there is a second one.
 */
static bool
find_second(PlannerInfo *root, RestrictInfo *rinfo, const SpqSpatialLine *line,
			List *conditions, SpqSpatialLine *second, bool *found)
{
	bool		passed = false;
	int			before = 0;
	ListCell   *lc;

	*found = false;
	foreach(lc, conditions)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);

		if (other == rinfo)
		{
			if (before % 2 == 1)
				return false;
			passed = true;
			continue;
		}
		if (!spq_spatial_belong_together(other, rinfo) ||
			!find_line(root, other, conditions, second) || !same_sides(line, second))
			continue;
		if (passed)
		{
			*found = true;
			return true;
		}
		before++;
	}
	return true;
}

/*
 * If a condition stands for boxes on a line, or for boxes in the plane together with
 * others, return the condition that they overlap, and describe the operator.
 * Otherwise return NULL.  "conditions" are all conditions of the join, or all those of
 * one of its relations.
 */
OpExpr *
spq_spatial_line_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						SpqSpatialOperator *op)
{
	SpqSpatialLine line,
				second;
	bool		two;
	OpExpr	   *clause;

	if (!find_line(root, rinfo, conditions, &line) ||
		!find_second(root, rinfo, &line, conditions, &second, &two))
		return NULL;
	if (two)
	{
		Node	   *left = spq_spatial_plane_box(line.left, second.left),
				   *right = spq_spatial_plane_box(line.right, second.right);

		two = left != NULL && right != NULL;
		line.left = two ? left : line.left;
		line.right = two ? right : line.right;
		line.clear &= !two || second.clear;
		if (two)
			line.conditions = list_concat(line.conditions, second.conditions);
	}
	clause = spq_spatial_boxes_overlap(line.left, line.right, op);
	if (clause == NULL)
		return NULL;
	op->partners = list_delete_ptr(line.conditions, rinfo);
	op->clear_axes = !line.clear ? 0 : two ? 2 : 1;
	return clause;
}
