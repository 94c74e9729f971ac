/*-------------------------------------------------------------------------
 *
 * scan_clauses.h
 *	  How selective the spatial conditions of a scan are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_CLAUSES_H
#define SPQ_ESTIMATE_SCAN_CLAUSES_H

#include "nodes/pathnodes.h"

extern bool spq_estimate_scan_clauses(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_SCAN_CLAUSES_H */
