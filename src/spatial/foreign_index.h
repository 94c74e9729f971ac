/*-------------------------------------------------------------------------
 *
 * foreign_index.h
 *	  Index conditions that other extensions have for functions of theirs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_FOREIGN_INDEX_H
#define SPQ_SPATIAL_FOREIGN_INDEX_H

extern void spq_spatial_foreign_index_init(void);

#endif							/* SPQ_SPATIAL_FOREIGN_INDEX_H */
