/*-------------------------------------------------------------------------
 *
 * query_operator.h
 *	  The operator that is meant by a query of an index that is inspected.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_QUERY_OPERATOR_H
#define SPQ_INSPECT_QUERY_OPERATOR_H

#include "utils/relcache.h"

extern int	spq_inspect_axes(Relation index);
extern void spq_inspect_check_axes(Relation index, Oid query_type, const char *function);
extern int	spq_inspect_strategy(Relation index, const char *name, Oid query_type,
								 Oid *function);
extern int	spq_inspect_overlap_strategy(Relation index, Oid query_type, Oid *function);

#endif							/* SPQ_INSPECT_QUERY_OPERATOR_H */
