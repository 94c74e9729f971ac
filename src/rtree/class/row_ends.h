/*-------------------------------------------------------------------------
 *
 * row_ends.h
 *	  The ends of a row, from its spatial columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_ROW_ENDS_H
#define SPQ_RTREE_CLASS_ROW_ENDS_H

#include "fmgr.h"
#include "utils/rel.h"

#include "rtree/page/bounds.h"

/* How to find the ends of the rows of an index. */
typedef struct SpqRtreeRowEnds
{
	int			first;			/* spatial column, counted from 0 */
	int			ncolumns;
	FmgrInfo   *procs[SPQ_RTREE_AXES];	/* support function 1 of each */
} SpqRtreeRowEnds;

extern void spq_rtree_row_ends_init(SpqRtreeRowEnds *how, Relation index);

/*
 * Set "ends" to the ends of a row.  Return false if the row has no box: all
 * spatial columns are NULL.
 */
extern bool spq_rtree_row_ends(const SpqRtreeRowEnds *how, const Datum *values,
							   const bool *isnull, float8 *ends);

#endif							/* SPQ_RTREE_CLASS_ROW_ENDS_H */
