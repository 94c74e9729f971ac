/*-------------------------------------------------------------------------
 *
 * subquery.h
 *	  Subqueries that are run for each row of another relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SUBQUERY_SUBQUERY_H
#define SPQ_SUBQUERY_SUBQUERY_H

#include "nodes/pathnodes.h"

/* passed_values.c */

/* Return whether an expression depends on values of another query. */
extern bool spq_subquery_depends(PlannerInfo *root, Node *node);

/*
 * Return whether an expression consists of columns, parameters, constants, conversions of
 * numbers, and functions such as point(x, y), none of which raises an error.
 */
extern bool spq_subquery_is_safe(const Node *node);
extern double spq_subquery_outer_rows(PlannerInfo *root, Node *node);

/* table_conditions.c */

/* Return whether a relation is a table of a subquery, whose rows can be read once for all. */
extern bool spq_subquery_is_table(PlannerInfo *root, RelOptInfo *rel);
extern bool spq_subquery_divide_conditions(PlannerInfo *root, RelOptInfo *rel, List **for_all,
										   List **for_value, List **late);

/* reading_path.c */

/*
 * Return the cheapest path that returns a value, and the columns that expressions
 * use, of all rows that satisfy these conditions.  Return NULL for foreign tables, or if
 * all partitions are pruned.
 */
extern Path *spq_subquery_reading_path(PlannerInfo *root, RelOptInfo *rel, List *conditions,
									   Expr *value, List *exprs);

/* Return a copy of a relation that has these conditions and this target, for such a path. */
extern RelOptInfo *spq_subquery_reading_rel(PlannerInfo *root, RelOptInfo *rel, List *conditions,
											Expr *value, List *exprs);

#endif							/* SPQ_SUBQUERY_SUBQUERY_H */
