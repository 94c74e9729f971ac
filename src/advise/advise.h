/*-------------------------------------------------------------------------
 *
 * advise.h
 *	  Sentences about the plan of a statement.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ADVISE_ADVISE_H
#define SPQ_ADVISE_ADVISE_H

#include "reasons/reasons.h"

/* A row of spqtree_advise, or a table of the statement ("object" is NULL). */
typedef struct SpqAdviseLine
{
	Oid			relation;		/* or InvalidOid */
	char	   *object;
	char	   *finding;
	char	   *advice;			/* or NULL */
} SpqAdviseLine;

/* describe.c: make lines of what was noted while a statement was planned. */
extern void spq_advise_describe(SpqReasons *reasons, PlannedStmt *statement);

#endif							/* SPQ_ADVISE_ADVISE_H */
