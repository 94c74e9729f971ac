/*-------------------------------------------------------------------------
 *
 * gist_conditions.h
 *	  Index conditions that other extensions have for functions of theirs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_GIST_CONDITIONS_H
#define SPQ_RTREE_GIST_CONDITIONS_H

extern void spq_rtree_gist_conditions_init(void);

#endif							/* SPQ_RTREE_GIST_CONDITIONS_H */
