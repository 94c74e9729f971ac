/*-------------------------------------------------------------------------
 *
 * query.c
 *	  A parsed scan condition, and how it decides a leaf.  See query.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "quadtree/query.h"

/*
 * Return whether the relation holds for every box that a compact leaf may stand
 * for.  Too rarely called to inline.
 */
bool
spq_quad_compact_matches(SpqQuadQuery query, const SpqCompactBox *leaf)
{
	BOX			outer = spq_compact_outer_box(leaf);
	BOX			inner = spq_compact_inner_box(leaf);

	return spq_box_corners_related(query.relation, 0, spq_box_corners(&inner),
								   query.box) &&
		spq_box_corners_related(query.relation, 0, spq_box_corners(&outer),
								query.box);
}
