/*-------------------------------------------------------------------------
 *
 * query.h
 *	  Where a scan for a box goes: the decisions of the class's own methods,
 *	  for a visitor of the tree.
 *
 *		visit() of an inner tuple		spq_inspect_query_enter()
 *		follow() of its nodes			spq_inspect_query_follows()
 *		leaves of a chain				spq_box_matches(), of a compact index
 *										spq_leaf_may_match() (match.h)
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUERY_H
#define SPQ_QUERY_H

#include "pages/step.h"
#include "lattice/limits.h"
#include "quadtree/strategy.h"

typedef struct SpqInspectQuery
{
	int			strategy;		/* of the operator, the box on its right */
	BOX			box;
	SpqLimits	limits;			/* of the inner tuple that was entered last */
} SpqInspectQuery;

/* An inner tuple of the tree of boxes, of which the nodes come next. */
static inline void
spq_inspect_query_enter(SpqInspectQuery *query, const SpqPageStep *inner)
{
	query->limits = spq_label_no_limits();
	spq_label_limit(&query->limits, spq_quad_relation(query->strategy), &query->box,
					&inner->frame);
}

/* Would a scan follow a node of that tuple, of which this label holds? */
static inline bool
spq_inspect_query_follows(const SpqInspectQuery *query, uint64 label)
{
	return spq_label_passes(&query->limits, label);
}

#endif							/* SPQ_QUERY_H */
