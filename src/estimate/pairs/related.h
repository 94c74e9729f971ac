/*-------------------------------------------------------------------------
 *
 * related.h
 *	  Relations of boxes of three axes.
 *
 * "relation" is an SpqRelation of src/box as compiled for three axes.  It is
 * an int, because the SpqRelation of two axes does not name the relations of
 * the third axis.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_RELATED_H
#define SPQ_ESTIMATE_PAIRS_RELATED_H

extern bool spq_estimate_line_meets(const float8 *line, const float8 *box, int axes,
									uint32 number);
extern bool spq_estimate_related3(int relation, const float8 *a, const float8 *b);

#endif							/* SPQ_ESTIMATE_PAIRS_RELATED_H */
