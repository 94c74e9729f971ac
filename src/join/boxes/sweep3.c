/*-------------------------------------------------------------------------
 *
 * sweep3.c
 *	  The sweep in three dimensions: its source, compiled once more.
 *
 * It is apart from boxes3.c because it has many copies of its loops, one for
 * each predicate, which take the compiler most of its time and memory.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/boxes/sweep.c"
