/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  Rows of the operators of a type.
 *
 * Each operator has one row, from which the operator classes in SQL are made,
 * too ("@operators", sql/expand.awk):
 *
 *		strategy, name, left, right, function, relation, fraction
 *
 * "strategy" is its number in the class of the left type, or 0.  The function of
 * a builtin row is its OID in fmgroids.h; that of an own row, its symbol.
 *
 * A row must be on one line.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_ROWS_H
#define SPQ_TYPES_ROWS_H

#include "utils/fmgroids.h"

#include "types/type.h"

#define EXACT	SPQ_TYPE_EXACT
#define PROPER	SPQ_TYPE_PROPER

#define BUILTIN(strategy, name, left, right, oid, relation, fraction) \
	ROW(strategy, left, right, SPQ_TYPE_BUILTIN(oid), relation, fraction)
#define OWN(strategy, name, left, right, symbol, relation, fraction) \
	ROW(strategy, left, right, SPQ_TYPE_OWN(symbol), relation, fraction)

/* The same, for operators by which a class orders rows. */
#define BUILTIN_ORDER(strategy, name, left, right, oid) \
	ROW(strategy, left, right, SPQ_TYPE_BUILTIN(oid), SPQ_BOX_WITHIN, 1)
#define OWN_ORDER(strategy, name, left, right, symbol) \
	ROW(strategy, left, right, SPQ_TYPE_OWN(symbol), SPQ_BOX_WITHIN, 1)

#define ROW(strategy_, left_, right_, function_, relation_, fraction_) \
	{.function = function_,.relation = relation_,.fraction = fraction_, \
	.left = &spq_type_##left_,.right = &spq_type_##right_,.strategy = strategy_}

#endif							/* SPQ_TYPES_ROWS_H */
