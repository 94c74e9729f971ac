/*-------------------------------------------------------------------------
 *
 * number_list.h
 *	  A list of numbers, written once and then read in the same order: in memory
 *	  up to a limit, and on disk beyond it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_NUMBER_LIST_H
#define SPQ_CLUSTER_NUMBER_LIST_H

typedef struct SpqNumbers SpqNumbers;

extern SpqNumbers *spq_numbers_begin(Size memory);
extern void spq_numbers_append(SpqNumbers *numbers, int64 number);
extern void spq_numbers_rewind(SpqNumbers *numbers);
extern bool spq_numbers_next(SpqNumbers *numbers, int64 *number);
extern void spq_numbers_end(SpqNumbers *numbers);

#endif							/* SPQ_CLUSTER_NUMBER_LIST_H */
