/*-------------------------------------------------------------------------
 *
 * query.h
 *	  Where a scan for a box goes: the decisions of the class's own methods,
 *	  for a visitor of the tree.
 *
 *		visit() of an inner tuple		spq_inspect_query_enter()
 *		follow() of its nodes			spq_inspect_query_follows()
 *		leaves of a chain				spq_inspect_query_decide()
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_QUERY_H
#define SPQ_INSPECT_QUERY_H

#include "lattice/limits.h"
#include "quadtree/query.h"
#include "quadtree_pages/step.h"

typedef struct SpqInspectQuery
{
	SpqQuadQuery query;			/* refers to the box that it was given */
	SpqLabelLimits limits;		/* of the inner tuple that was entered last */
} SpqInspectQuery;

/* Parse a query by a box, which must last. */
static inline void
spq_inspect_query_init(SpqInspectQuery *query, int strategy, const BOX *box)
{
	query->query = spq_quad_query(strategy, BoxPGetDatum(box));
}

/* An inner tuple of the tree of boxes, of which the nodes come next. */
static inline void
spq_inspect_query_enter(SpqInspectQuery *query, const SpqPageStep *inner)
{
	query->limits = spq_label_no_limits();
	spq_label_limit(&query->limits, query->query.relation, query->query.box,
					&inner->frame);
}

/* Return what a scan makes of a leaf. */
static inline SpqQuadAnswer
spq_inspect_query_decide(const SpqInspectQuery *query, const SpqPageStep *chain,
						 OffsetNumber item)
{
	return spq_quad_decide(query->query, SGLTDATAPTR(spq_page_chain_tuple(chain, item)),
						   chain->leaf_kind);
}

/* Would a scan follow a node of that tuple, of which this label holds? */
static inline bool
spq_inspect_query_follows(const SpqInspectQuery *query, uint64 label)
{
	return spq_label_passes(&query->limits, label);
}

#endif							/* SPQ_INSPECT_QUERY_H */
