/*-------------------------------------------------------------------------
 *
 * foreign_index.h
 *	  Index conditions that other extensions have for functions of theirs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_FOREIGN_INDEX_H
#define SPQ_RTREE_FOREIGN_INDEX_H

extern void spq_rtree_foreign_index_init(void);

#endif							/* SPQ_RTREE_FOREIGN_INDEX_H */
