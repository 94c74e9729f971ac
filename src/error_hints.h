/*-------------------------------------------------------------------------
 *
 * error_hints.h
 *	  Hints of PostgreSQL's errors about operator classes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ERROR_HINTS_H
#define SPQ_ERROR_HINTS_H

extern void spq_error_hints_begin(ErrorContextCallback *callback, const Node *statement);
extern void spq_error_hints_init(void);

#endif							/* SPQ_ERROR_HINTS_H */
