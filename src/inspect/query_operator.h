/*-------------------------------------------------------------------------
 *
 * query_operator.h
 *	  The operator of a query, in the operator family of the index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_QUERY_OPERATOR_H
#define SPQ_INSPECT_QUERY_OPERATOR_H

#include "inspect/inspect.h"

extern void spq_inspect_check_axes(const SpqInspectIndex *inspected, Oid query_type,
								   const char *function);

/* Set strategy and function of a query. */
extern void spq_inspect_find_operator(const SpqInspectIndex *inspected, const char *name,
									  Oid query_type, SpqInspectQuery *query);
extern void spq_inspect_find_overlap(const SpqInspectIndex *inspected, Oid query_type,
									 SpqInspectQuery *query);

#endif							/* SPQ_INSPECT_QUERY_OPERATOR_H */
