/*-------------------------------------------------------------------------
 *
 * reach.h
 *	  Whether the walk visits every tuple, once; and the format of each page.
 *
 *		spq_check_reach_begin()
 *		spq_check_reach_note()	the targets of downlinks, sorted
 *		spq_check_reach_end()	the pages in order, with the targets on each:
 *									an inner tuple or head of a chain that is
 *									not among them, or twice, is a suspect
 *								a second walk, only if there are suspects
 *								a second look at each suspect
 *
 * The sort takes at most a quarter of maintenance_work_mem, and goes to a file
 * beyond that.  Pages are read in the order of the sort.
 *
 * While others write to the index, a tuple that was added after the walk
 * passed is a suspect, and the second walk visits it.  If the second walk does
 * not visit it, and the tuple is still there afterwards, it was there during
 * the whole second walk.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_REACH_H
#define SPQ_CHECK_REACH_H

#include "check/report.h"

typedef struct SpqCheckReach SpqCheckReach;

extern SpqCheckReach *spq_check_reach_begin(SpqCheck *check);
extern void spq_check_reach_note(SpqCheckReach *reach, SpqPageTid target);
extern void spq_check_reach_end(SpqCheckReach *reach);

#endif							/* SPQ_CHECK_REACH_H */
