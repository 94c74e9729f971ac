/*-------------------------------------------------------------------------
 *
 * argument.h
 *	  The test for an operator's argument that an index scan lacks.
 *
 * A parameter that does not reach a parallel worker is 0 there, and not marked as
 * NULL.  The planner must not let a worker do a scan with such a parameter
 * (estimate/paths/index_paths.c).  If one does, it raises an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ARGUMENT_H
#define SPQ_ARGUMENT_H

/* Raise an error if a datum that is passed by reference is missing. */
#define spq_expect_argument(datum) \
	do { \
		if (unlikely(DatumGetPointer(datum) == NULL)) \
			elog(ERROR, "index scan lacks the argument of an operator"); \
	} while (0)

#endif							/* SPQ_ARGUMENT_H */
