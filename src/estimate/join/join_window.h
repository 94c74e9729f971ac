/*-------------------------------------------------------------------------
 *
 * join_window.h
 *	  Joins of which a side, or both, has to be in a window.
 *
 * PostgreSQL multiplies the rows of both sides with the selectivity of the join, and takes
 * all three as independent.  But of rows in one window far more match than of others:
 *
 *		a.b && b.b AND a.b && W AND b.b && W
 *
 *		+-----------------+		pairs of rows in the window, from the rows of both
 *		|	+----+		  |		samples in it.  Where these are too few, from those of a
 *		|	| W	 |	grown |		larger window: a row meets as many others there as in
 *		|	+----+		  |		the window itself
 *		+-----------------+
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H
#define SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H

#include "estimate/join/join_side.h"

extern double spq_estimate_restrict_sides(SpqEstimateSide *left, SpqEstimateSide *right);

#endif							/* SPQ_ESTIMATE_JOIN_JOIN_WINDOW_H */
