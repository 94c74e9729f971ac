/*-------------------------------------------------------------------------
 *
 * rows_on_disk.h
 *	  Rows that do not fit into memory, in the order of a curve.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_ROWS_ON_DISK_H
#define SPQ_NEAREST_NODE_EXECUTOR_ROWS_ON_DISK_H

#include "access/htup.h"

#include "nearest_join/packed_tree.h"

typedef struct SpqNearestDisk SpqNearestDisk;

/* Begin to write rows.  Everything is allocated in the current memory context. */
extern SpqNearestDisk *spq_nearest_disk_begin(int axes, Size memory);
extern void spq_nearest_disk_add(SpqNearestDisk *disk, const float8 *box, MinimalTuple row);

/* Put the rows in order, and return a tree of them. */
extern SpqPackedTree *spq_nearest_disk_done(SpqNearestDisk *disk);

/* Return the row of an entry of the tree, valid until the next call. */
extern MinimalTuple spq_nearest_disk_row(SpqNearestDisk *disk, uint32 entry);

/* Return the size of the file. */
extern uint64 spq_nearest_disk_size(const SpqNearestDisk *disk);

extern void spq_nearest_disk_end(SpqNearestDisk *disk);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_ROWS_ON_DISK_H */
