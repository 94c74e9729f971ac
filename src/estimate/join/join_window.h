/*-------------------------------------------------------------------------
 *
 * join_window.h
 *	  Samples of joins in which one side or both must be in a window.
 *
 * PostgreSQL multiplies the rows of both sides by the selectivity of the join,
 * as if all three were independent.  But rows in the same window match far
 * more often than others:
 *
 *		a.b && b.b AND a.b && W AND b.b && W
 *
 *		+-----------------+		pairs of rows in the window, from the rows of
 *		|	+----+		  |		both samples in it; if these are too few, from
 *		|	| W	 |	grown |		those of a larger window: a row meets as many
 *		|	+----+		  |		others there as in the window itself
 *		+-----------------+
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H
#define SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H

#include "estimate/join/join_side.h"

extern double spq_estimate_restrict_sides(SpqEstimateSide *left, SpqEstimateSide *right);

#endif							/* SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H */
