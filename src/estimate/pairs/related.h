/*-------------------------------------------------------------------------
 *
 * related.h
 *	  Relations of boxes of two or three axes.
 *
 * A relation is an SpqRelation of src/box, which is compiled for a number of axes
 * and has no name in two dimensions for what concerns the third.  Hence the int.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_RELATED_H
#define SPQ_ESTIMATE_PAIRS_RELATED_H

extern bool spq_estimate_line_meets3(const float8 *line, const float8 *box, uint32 number);
extern bool spq_estimate_related3(int relation, const float8 *a, const float8 *b);

#endif							/* SPQ_ESTIMATE_PAIRS_RELATED_H */
