/*-------------------------------------------------------------------------
 *
 * scalar_filter.h
 *	  Conditions on the scalar columns before the spatial one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_SCALAR_FILTER_H
#define SPQ_RTREE_CONDITIONS_SCALAR_FILTER_H

#include "rtree/conditions/filters.h"

/*
 * Parse a scan's conditions on scalars, before all others.  Comparisons with codes
 * go to the list of comparisons, and the rest goes to the filter.  If no row can
 * satisfy the conditions, the scan reads nothing.
 */
extern void spq_rtree_parse_scalars(IndexScanDesc scan, SpqRtreeConditions *conditions);

/*
 * Return whether rows whose codes are from low to high may pass the filter, given the
 * elements that the first columns are compared with.
 */
extern bool spq_rtree_codes_between(const SpqRtreeScalarFilter *filter, float8 low,
									float8 high);

/* Return whether rows are asked for what their codes do not tell. */
static inline bool
spq_rtree_asks_scalars(const SpqRtreeScalarFilter *filter)
{
	return filter->nkeys > 0 || filter->nsets > 0;
}

/* Return whether a row of a leaf passes the filter, comparisons with codes aside. */
extern bool spq_rtree_passes_scalars(const SpqRtreeScalarFilter *filter, Page page, int entry);

#endif							/* SPQ_RTREE_CONDITIONS_SCALAR_FILTER_H */
