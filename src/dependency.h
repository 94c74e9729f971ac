/*-------------------------------------------------------------------------
 *
 * dependency.h
 *	  The objects that an object depends on, in pg_depend.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DEPENDENCY_H
#define SPQ_DEPENDENCY_H

#include "catalog/pg_depend.h"

extern Oid	spq_find_dependency(Oid class, Oid object,
								bool (*wanted) (Form_pg_depend dependency, const void *arg),
								const void *arg);

#endif							/* SPQ_DEPENDENCY_H */
