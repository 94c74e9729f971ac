/*-------------------------------------------------------------------------
 *
 * make_path.c
 *	  A path of the node, made of two others; its cost is the caller's concern.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "optimizer/appendinfo.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "join_node/planner/planner.h"
#include "join_node/rows/plan_format.h"
#include "types/registry.h"

/*
 * Translate the clauses in a path of a partitioned relation for one of its
 * children.
 */
static List *
reparameterize(PlannerInfo *root, List *custom_private, RelOptInfo *child_rel)
{
	List	   *result = NIL;

	for (int i = 0; i < SPQ_NODE_PATH_NUMBERS; i++)
		result = lappend(result,
						 spq_adjust_appendrel_attrs_multilevel(root,
															   list_nth(custom_private, i),
															   child_rel));
	for (int i = SPQ_NODE_PATH_NUMBERS; i <= SPQ_NODE_PATH_HAVING; i++)
		result = lappend(result, list_nth(custom_private, i));
	return result;
}

static const CustomPathMethods path_methods = {
	.CustomName = SPQ_NODE_NAME,
	.PlanCustomPath = spq_node_plan,
	.ReparameterizeCustomPathByChild = reparameterize,
};

static bool
is_safe(const SpqTypeOperand *operand)
{
	return !OidIsValid(operand->function) ||
		func_parallel(operand->function) == PROPARALLEL_SAFE;
}

/* Return whether workers may compute the boxes of both operands. */
bool
spq_node_is_parallel_safe(const SpqSpatialOperator *op)
{
	return is_safe(&op->left) && is_safe(&op->right);
}

static const CustomPathMethods index_path_methods = {
	.CustomName = SPQ_NODE_INDEX_NAME,
	.PlanCustomPath = spq_node_plan,
	.ReparameterizeCustomPathByChild = reparameterize,
};

/* Make a path of two others.  Its cost is not set. */
CustomPath *
spq_node_make_path(const SpqNodeContext *context, Path *probe, Path *build, SpqNodePathKind kind,
				   Relids required_outer, List **restrictlist)
{
	CustomPath *path = makeNode(CustomPath);
	const SpqSpatialOperator *op = &context->clauses->op;
	SpqRelation predicate = op->predicate;
	const SpqTypeOperand *probe_operand = kind.exchanged ? &op->right : &op->left,
			   *build_operand = kind.exchanged ? &op->left : &op->right;
	List	   *numbers;

	*restrictlist = context->extra->restrictlist;
	path->path.pathtype = T_CustomScan;
	path->path.parent = context->joinrel;
	path->path.pathtarget = context->joinrel->reltarget;
	path->path.param_info =
		get_joinrel_parampathinfo(context->root, context->joinrel,
								  kind.exchanged ? build : probe,
								  kind.exchanged ? probe : build,
								  context->extra->sjinfo, required_outer,
								  restrictlist);
	path->path.parallel_aware = kind.partial;
	path->path.parallel_safe = context->joinrel->consider_parallel &&
		probe->parallel_safe && build->parallel_safe &&
		spq_node_is_parallel_safe(op);
	path->path.parallel_workers = kind.partial ? probe->parallel_workers : 0;
	spq_count_disabled_nodes(&path->path, probe, build,
							 (!kind.indexes && spq_node_is_disabled()) ||
							 spq_other_join_is_wanted(context->root, context->extra,
													  path->path.parallel_workers > 0));
	path->path.rows = path->path.param_info ? path->path.param_info->ppi_rows :
		context->joinrel->rows;
	if (kind.partial)
		path->path.rows = clamp_row_est(path->path.rows /
										spq_node_parallel_divisor(&path->path));
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_paths = list_make2(probe, build);
	spq_set_custom_restrictinfo(path, *restrictlist);
	path->methods = kind.indexes ? &index_path_methods : &path_methods;

	if (kind.exchanged)
		predicate = spq_box_commute(predicate);
	numbers = list_make5_int(kind.kind, predicate, op->exact,
							 spq_type_number(probe_operand->type, probe_operand->oid),
							 spq_type_number(build_operand->type, build_operand->oid));
	numbers = lappend_int(numbers, kind.shared);
	numbers = lappend_int(numbers, probe_operand->function);
	numbers = lappend_int(numbers, build_operand->function);
	numbers = lappend_int(numbers, op->clear_axes);
	numbers = lappend_int(numbers, false);	/* SPQ_NODE_NUMBER_LINES */
	numbers = lappend_int(numbers, kind.indexes);
	numbers = lappend_int(numbers, SPQ_NODE_NOT_COUNTED);
	path->custom_private = list_make4(context->clauses->key, context->clauses->hash,
									  *restrictlist, context->clauses->clear);
	path->custom_private = lappend(path->custom_private, kind.distances);
	path->custom_private = lappend(path->custom_private, numbers);
	path->custom_private = lappend(path->custom_private, NIL);	/* SPQ_NODE_PATH_COUNTS */
	path->custom_private = lappend(path->custom_private, NIL);	/* SPQ_NODE_PATH_HAVING */
	return path;
}
