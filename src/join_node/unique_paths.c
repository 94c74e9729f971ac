/*-------------------------------------------------------------------------
 *
 * unique_paths.c
 *	  Semi joins by an index of the large side.
 *
 *		... FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)
 *
 * PostgreSQL reads all of "big" for that: it can make the rows of "few" unique only if
 * the condition is an equality.  But it can make those of "big" unique, whatever the
 * condition is, by their addresses:
 *
 *		HashAggregate						each row of big once
 *		  Group Key: big.ctid
 *		  ->  Nested Loop					each pair that matches
 *				->  Seq Scan on few
 *				->  Index Scan on big
 *					  Index Cond: (b && few.b)
 *
 * These are PostgreSQL's own nodes, so memory, files, row marks, rescans and
 * EvalPlanQual are theirs.  Of the pairs of a row, the aggregate returns the first one,
 * as a semi join does: a query that locks rows checks them again with that row of "few".
 *
 * An address says which row it is if the rows come from one table, in one snapshot: so
 * "big" is a plain table, not a partitioned one.  Conditions are evaluated for other
 * pairs than a semi join evaluates them for, and more than once for a row of "big", so
 * none of them may be volatile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"

#include "compat.h"
#include "join_node/unique_paths.h"
#include "spatial/distance_clause.h"

/* Marks the address in the target of the nested loop. */
#define ADDRESS_REF	1

/* Return whether a join has a spatial condition, and only ones that may be evaluated often. */
static bool
has_fit_clauses(PlannerInfo *root, RelOptInfo *outerrel, List *restrictlist)
{
	bool		any = false;
	ListCell   *lc;

	if (contain_volatile_functions((Node *) extract_actual_clauses(restrictlist, false)) ||
		contain_volatile_functions((Node *) extract_actual_clauses(outerrel->baserestrictinfo, false)) ||
		contain_volatile_functions((Node *) outerrel->reltarget->exprs))
		return false;
	foreach(lc, restrictlist)
	{
		SpqSpatialOperator op;

		any = any || spq_spatial_join_clause(root, lfirst_node(RestrictInfo, lc), &op) != NULL;
	}
	return any;
}

/* Return where a target has the address of a relation's rows, or -1. */
static int
find_address(const PathTarget *target, Index relid)
{
	int			position = 0;
	ListCell   *lc;

	foreach(lc, target->exprs)
	{
		const Var  *var = lfirst(lc);

		if (IsA(var, Var) && var->varno == (int) relid &&
			var->varattno == SelfItemPointerAttributeNumber)
			return position;
		position++;
	}
	return -1;
}

/* Return a target that has the address, too, and marks it if "mark". */
static PathTarget *
with_address(const PathTarget *target, Index relid, bool mark)
{
	PathTarget *result = copy_pathtarget(unconstify(PathTarget *, target));
	int			position = find_address(result, relid);

	if (position < 0)
	{
		position = list_length(result->exprs);
		add_column_to_pathtarget(result,
								 (Expr *) makeVar(relid, SelfItemPointerAttributeNumber,
												  TIDOID, -1, InvalidOid, 0), 0);
		result->width += sizeof(ItemPointerData);
	}
	if (mark)
	{
		result->sortgrouprefs = palloc0(list_length(result->exprs) * sizeof(Index));
		result->sortgrouprefs[position] = ADDRESS_REF;
	}
	return result;
}

/*
 * Return the relation as it were if its rows' addresses were needed above it: then a scan
 * returns what its path says, instead of all columns.
 */
static RelOptInfo *
needing_address(RelOptInfo *rel)
{
	const int	address = SelfItemPointerAttributeNumber - rel->min_attr;
	int			count = rel->max_attr - rel->min_attr + 1;
	RelOptInfo *copy;

	if (!bms_is_empty(rel->attr_needed[address]))
		return rel;
	copy = makeNode(RelOptInfo);
	memcpy(copy, rel, sizeof(RelOptInfo));
	copy->attr_needed = palloc(count * sizeof(Relids));
	memcpy(copy->attr_needed, rel->attr_needed, count * sizeof(Relids));
	copy->attr_needed[address] = bms_make_singleton(0);
	return copy;
}

/*
 * Return a path like one of an index, or of bitmaps, that returns addresses, too; NULL for
 * another one.
 */
static Path *
returning_address(PlannerInfo *root, const Path *path, RelOptInfo *rel, double scans)
{
	Path	   *copy;

	if (IsA(path, IndexPath))
	{
		copy = (Path *) makeNode(IndexPath);
		memcpy(copy, path, sizeof(IndexPath));
	}
	else if (IsA(path, BitmapHeapPath))
	{
		copy = (Path *) makeNode(BitmapHeapPath);
		memcpy(copy, path, sizeof(BitmapHeapPath));
	}
	else
		return NULL;
	copy->parent = rel;
	copy->pathtarget = with_address(path->pathtarget, rel->relid, false);
	if (copy->pathtype == T_IndexOnlyScan && find_address(path->pathtarget, rel->relid) < 0)
	{
		/* the table has to be read for them, even if all of a page is visible */
		const IndexPath *index_path = (const IndexPath *) path;
		double		pages = index_pages_fetched(index_path->indexselectivity * rel->tuples * scans,
												rel->pages, index_path->indexinfo->pages, root);

		copy->pathtype = T_IndexScan;
		copy->total_cost += pages * rel->allvisfrac * random_page_cost / scans;
	}
	return copy;
}

/* Offer a semi join made of a path of the small side and one of the large side's index. */
static void
try_path(PlannerInfo *root, RelOptInfo *joinrel, Path *few, Path *big,
		 JoinPathExtraData *extra)
{
	Index		relid = big->parent->relid;
	JoinPathExtraData inner_extra = *extra;
	SortGroupClause *group = makeNode(SortGroupClause);
	JoinCostWorkspace workspace;
	NestPath   *pairs;
	Path	   *path;

	/* that says something of the other order of the two */
	inner_extra.inner_unique = false;
	spq_initial_cost_nestloop(root, &workspace, JOIN_INNER, few, big, &inner_extra);
	pairs = create_nestloop_path(root, joinrel, JOIN_INNER, &workspace, &inner_extra, few, big,
								 extra->restrictlist, NIL, NULL);
	path = &pairs->jpath.path;
	path->pathtarget = with_address(joinrel->reltarget, relid, true);
	path->rows = clamp_row_est(few->rows * big->rows);

	group->tleSortGroupRef = ADDRESS_REF;
	group->eqop = TIDEqualOperator;
	group->sortop = TIDLessOperator;
	group->hashable = true;
	add_path(joinrel, (Path *)
			 create_agg_path(root, joinrel, path, joinrel->reltarget, AGG_HASHED,
							 AGGSPLIT_SIMPLE, list_make1(group), NIL, NULL, joinrel->rows));
}

/*
 * Offer paths for the semi join of a table with other relations that search the table's
 * indexes for each of their rows.
 */
void
spq_node_unique_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
					  RelOptInfo *innerrel, JoinPathExtraData *extra)
{
	Path	   *few = innerrel->cheapest_total_path;
	RelOptInfo *rel;
	ListCell   *lc;

	if (outerrel->reloptkind != RELOPT_BASEREL || outerrel->rtekind != RTE_RELATION ||
		outerrel->ppilist == NIL ||
		root->simple_rte_array[outerrel->relid]->inh ||
		!bms_is_empty(joinrel->lateral_relids) ||
		few == NULL || PATH_REQ_OUTER(few) != NULL ||
		!has_fit_clauses(root, outerrel, extra->restrictlist))
		return;
	rel = needing_address(outerrel);
	foreach(lc, outerrel->pathlist)
	{
		const Path *path = lfirst(lc);
		Path	   *big;

		if (PATH_REQ_OUTER(path) == NULL ||
			!bms_is_subset(PATH_REQ_OUTER(path), innerrel->relids))
			continue;
		big = returning_address(root, path, rel, few->rows);
		if (big)
			try_path(root, joinrel, few, big, extra);
	}
}
