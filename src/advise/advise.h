/*-------------------------------------------------------------------------
 *
 * advise.h
 *	  Sentences about the plan of a statement.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ADVISE_ADVISE_H
#define SPQ_ADVISE_ADVISE_H

#include "advise/about/lines.h"

/* describe.c: make lines of what was noted while a statement was planned. */
extern void spq_advise_describe(SpqReasons *reasons, PlannedStmt *statement);

/* plan_query.c */
extern List *spq_advise_plan(const char *string);

/* statements.c */
extern List *spq_advise_statements(void);

/* typed_literals.c */
extern char *spq_advise_typed_literals(const char *query);

/* path_walk.c */
typedef void (*SpqAdviseVisit) (PlannerInfo *root, Path *path, void *arg);
extern void spq_advise_paths(PlannerInfo *root, Path *path, SpqAdviseVisit visit, void *arg);

#endif							/* SPQ_ADVISE_ADVISE_H */
