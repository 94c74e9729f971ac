/*-------------------------------------------------------------------------
 *
 * linear_frame.h
 *	  The frame of a linear quadtree, and the cells' places in it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_LINEAR_FRAME_H
#define SPQ_DIVIDE_LINEAR_FRAME_H

#include "box/box.h"
#include "divide/linear_cell.h"

extern bool spq_linear_frame_valid(const BOX *frame);
extern uint32 spq_linear_place(float8 low, float8 high, float8 x);
extern SpqLinearCell spq_linear_smallest_cell(const BOX *box, const BOX *frame, int max_level);
extern BOX	spq_linear_cell_box(SpqLinearCell cell, const BOX *frame);

#endif							/* SPQ_DIVIDE_LINEAR_FRAME_H */
