/*-------------------------------------------------------------------------
 *
 * lines.h
 *	  What the files of this folder call in each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ADVISE_LINES_H
#define SPQ_ADVISE_LINES_H

#include "advise/advise.h"

/* advise.c */
extern List *spq_advise_plan(const char *string);

/* statements.c */
extern List *spq_advise_statements(void);

/* typed_literals.c */
extern char *spq_advise_typed_literals(const char *query);

/* names.c */
extern char *spq_advise_text(SpqReasons *reasons, PlannerInfo *root, Node *expr);
extern char *spq_advise_condition(SpqReasons *reasons, PlannerInfo *root, Node *clause);
extern char *spq_advise_index(const IndexOptInfo *index);
extern char *spq_advise_name(PlannerInfo *root, int place);
extern char *spq_advise_relations(PlannerInfo *root, Relids relids);
extern Node *spq_advise_outer(SpqReasons *reasons, PlannerInfo *root, Node *clause, int *level);

/* path_walk.c */
typedef void (*SpqAdviseVisit) (PlannerInfo *root, Path *path, void *arg);
extern void spq_advise_paths(PlannerInfo *root, Path *path, SpqAdviseVisit visit, void *arg);

/* kinds.c */
extern bool spq_advise_is_spatial(Node *expr);
extern char *spq_advise_companion(Node *expr);

/* joins.c */
extern void spq_advise_join(SpqReasons *reasons, const SpqReasonJoin *join, Path *path);

/* refusals.c */
extern bool spq_advise_concerns(const SpqReasonClause *clause);
extern void spq_advise_refusal(SpqReasons *reasons, PlannerInfo *root,
							   const SpqReasonClause *clause);

/* scans.c */

/* A condition that a scan of an index uses. */
typedef struct SpqAdviseUse
{
	Node	   *clause;
	IndexOptInfo *index;
} SpqAdviseUse;

extern void spq_advise_scans(SpqReasons *reasons, PlannerInfo *root, List *uses);

/* loops.c */
extern bool spq_advise_loop(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel,
							RestrictInfo *rinfo);

/* lines.c */
extern void spq_advise_add(SpqReasons *reasons, Oid relation, char *object, char *finding,
						   char *advice);

#endif							/* SPQ_ADVISE_LINES_H */
