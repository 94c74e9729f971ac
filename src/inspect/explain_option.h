/*-------------------------------------------------------------------------
 *
 * explain_option.h
 *	  EXPLAIN (ANALYZE, SPQTREE).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_EXPLAIN_OPTION_H
#define SPQ_INSPECT_EXPLAIN_OPTION_H

/* Add the option, where the server has options of extensions. */
extern void spq_inspect_option_init(void);

#endif							/* SPQ_INSPECT_EXPLAIN_OPTION_H */
