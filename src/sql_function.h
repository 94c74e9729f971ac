/*-------------------------------------------------------------------------
 *
 * sql_function.h
 *	  Functions of SQL that consist of one statement.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SQL_FUNCTION_H
#define SPQ_SQL_FUNCTION_H

#include "fmgr.h"

#define SPQ_SQL_FUNCTION(name, statement) \
PG_FUNCTION_INFO_V1(name); \
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	statement; \
}

/*
 * Define the function of an operator "a op b", which is function(b, a), and that
 * of its commutator.  "type" is of the result.
 */
#define SPQ_SQL_OPERATOR(name, commuted, type, a, b, function) \
SPQ_SQL_FUNCTION(name, PG_RETURN_##type(function(PG_GETARG_##b##_P(1), PG_GETARG_##a##_P(0)))) \
SPQ_SQL_FUNCTION(commuted, PG_RETURN_##type(function(PG_GETARG_##b##_P(0), PG_GETARG_##a##_P(1))))

#endif							/* SPQ_SQL_FUNCTION_H */
