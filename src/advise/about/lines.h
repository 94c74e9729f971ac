/*-------------------------------------------------------------------------
 *
 * lines.h
 *	  What the files of this folder call in each other, and what makes lines of the parts
 *	  of a plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ADVISE_ABOUT_LINES_H
#define SPQ_ADVISE_ABOUT_LINES_H

#include "reasons/reasons.h"

/* A row of spqtree_advise, or a table of the statement ("object" is NULL). */
typedef struct SpqAdviseLine
{
	Oid			relation;		/* or InvalidOid */
	char	   *object;
	char	   *finding;
	char	   *advice;			/* or NULL */
} SpqAdviseLine;

/* names.c */
extern char *spq_advise_text(SpqReasons *reasons, PlannerInfo *root, Node *expr);
extern char *spq_advise_object(const char *kind, SpqReasons *reasons, PlannerInfo *root, Node *expr);
extern char *spq_advise_index(const IndexOptInfo *index);
extern char *spq_advise_name(PlannerInfo *root, int place);
extern char *spq_advise_relations(PlannerInfo *root, Relids relids);
extern Node *spq_advise_outer(SpqReasons *reasons, PlannerInfo *root, Node *clause, int *level);

/* kinds.c */
extern bool spq_advise_is_spatial(Node *expr);
extern const char *spq_advise_extension(Oid type);
extern char *spq_advise_companion(Node *expr);

/* srids.c */
extern void spq_advise_srids(SpqReasons *reasons, PlannerInfo *root, Node *clause);

/* joins.c */
extern void spq_advise_join(SpqReasons *reasons, const SpqReasonJoin *join, Path *path);

/* refusals.c */
extern bool spq_advise_concerns(PlannerInfo *root, const SpqReasonClause *clause);
extern void spq_advise_refusal(SpqReasons *reasons, const SpqReasonJoin *join,
							   const SpqReasonClause *clause);

/* operands.c */

/* The operand of a condition or an order that has columns of its table. */
typedef struct SpqAdviseOperand
{
	Node	   *expr;
	Oid			operator;		/* with the operand on the left; InvalidOid: a
								 * function */
	Oid			function;
	char		purpose;		/* AMOP_SEARCH or AMOP_ORDER */
	bool		only_ours;		/* PostgreSQL's classes are not searched */
	bool		if_known;		/* searched once parameters are known */
} SpqAdviseOperand;

extern bool spq_advise_operand(Node *clause, SpqAdviseOperand *operand);
extern bool spq_advise_searched(PlannerInfo *root, Node *clause, SpqAdviseOperand *operand);
extern const IndexOptInfo *spq_advise_find_index(RelOptInfo *rel, const SpqAdviseOperand *operand,
												 bool *usable);
extern bool spq_advise_can_be_indexed(Node *expr);
extern bool spq_advise_has_indexes(Oid relid);
extern char *spq_advise_index_for(PlannerInfo *root, const RelOptInfo *rel,
								  const SpqAdviseOperand *operand);
extern char *spq_advise_btree_for(PlannerInfo *root, const RelOptInfo *rel,
								  const SpqAdviseOperand *operand);
extern bool spq_advise_is_child(PlannerInfo *root, const RelOptInfo *parent, RelOptInfo *rel);
extern Node *spq_advise_of_child(PlannerInfo *root, const RelOptInfo *parent,
								 const RelOptInfo *child, Node *expr);
extern void spq_advise_unless_small(double rows, char **finding, char **advice);

/* scans.c */

/* A condition that a scan of a relation uses, or the order in which it returns rows. */
typedef struct SpqAdviseUse
{
	const RelOptInfo *rel;
	Node	   *clause;			/* NULL: an order, by a node of ours */
	IndexOptInfo *index;		/* or NULL */
} SpqAdviseUse;

extern void spq_advise_scans(SpqReasons *reasons, PlannerInfo *root, List *uses);

/* orders.c */
extern void spq_advise_order(SpqReasons *reasons, PlannerInfo *root, List *uses);

/* loops.c */
extern Node *spq_advise_loop(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel,
							 RestrictInfo *rinfo, char **finding, char **advice);
extern void spq_advise_search(const SpqReasons *reasons, const PlannerInfo *root, const RelOptInfo *rel,
							  char **finding, char **advice);

/* lines.c */
extern void spq_advise_add(SpqReasons *reasons, Oid relation, char *object, char *finding,
						   char *advice);

#endif							/* SPQ_ADVISE_ABOUT_LINES_H */
