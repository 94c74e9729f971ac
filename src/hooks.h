/*-------------------------------------------------------------------------
 *
 * hooks.h
 *	  All hooks of the library.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_HOOKS_H
#define SPQ_HOOKS_H

extern void spq_hooks_install(void);

#endif							/* SPQ_HOOKS_H */
