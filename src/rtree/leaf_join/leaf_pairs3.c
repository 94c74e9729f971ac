/*-------------------------------------------------------------------------
 *
 * leaf_pairs3.c
 *	  The same as leaf_pairs.c, for boxes of three axes.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "leaf_pairs.c"
