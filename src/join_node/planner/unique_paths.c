/*-------------------------------------------------------------------------
 *
 * unique_paths.c
 *	  Semi joins by an index of the large side.
 *
 *		... FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)
 *
 * PostgreSQL reads all of "big" for this query: it can make the rows of "few"
 * unique only if the condition is an equality.  But with any condition, the
 * rows of "big" can be made unique by their addresses:
 *
 *		HashAggregate						each row of big once
 *		  Group Key: big.ctid
 *		  ->  Nested Loop					each pair that matches
 *				->  Seq Scan on few
 *				->  Index Scan on big
 *					  Index Cond: (b && few.b)
 *
 * All nodes are PostgreSQL's own, which handle memory, files, row marks,
 * rescans and EvalPlanQual.  Of the pairs of a row, the aggregate returns the
 * first one, as a semi join does.  A query that locks rows rechecks them with
 * that row of "few".
 *
 * An address identifies a row if all rows come from one table, in one
 * snapshot.  For partitions, and for the arms of a UNION ALL if these are
 * different tables, the table is one more column to group by.  But if a query
 * changes or locks partitions, other columns identify their rows
 * (row_identity.c), and we do not offer these paths.  Conditions are evaluated
 * for other pairs than in a semi join, and more than once for a row of "big",
 * so none of them may be volatile.
 *
 * A semi join stops at the first match of a row, but this plan reads all.  If
 * PostgreSQL has no statistics about the filters of "few", it assumes that they
 * keep few rows, and this plan is fast.  It would be slow if they keep all.  So its
 * cost is raised by the factor by which it would then be slower than a nested loop:
 * it is chosen if it gains more where the assumption is right than it loses where
 * it is wrong.  For the same reason a search of an index of "few" for each row of
 * "big", which stops at the first match, is preferred to a path that seems to be
 * faster, but not by much: it loses little where the assumption is right.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parse_oper.h"

#include "compat.h"
#include "estimate/join/selectivity.h"
#include "estimate/paths/paths.h"
#include "estimate/scan/scan.h"
#include "join_node/planner/planner.h"

/*
 * What reading a pair costs, and grouping it, in comparisons of a nested loop
 * (measured: 2.5 microseconds and 0.09).
 */
#define PAIR_COST	28

/*
 * How often the cost of another path, by estimate, a search that stops at the first
 * match may have.
 */
#define STOPPING_COST	4

/* add_path() considers costs equal that differ by less than 1 %. */
#define CHEAPER		0.98

typedef struct IdentityColumn
{
	AttrNumber	attribute;
	Oid			type;
	int32		width;
} IdentityColumn;

/*
 * The columns that identify a row: its address, and among several tables its
 * table.
 */
static const IdentityColumn identity[] = {
	{SelfItemPointerAttributeNumber, TIDOID, sizeof(ItemPointerData)},
	{TableOidAttributeNumber, OIDOID, sizeof(Oid)},
};

/*
 * Return whether a join has a spatial condition, and no volatile conditions or
 * columns.
 */
static bool
has_fit_clauses(PlannerInfo *root, RelOptInfo *outerrel, RelOptInfo *innerrel,
				List *restrictlist)
{
	const SpqSpatialSides sides = {outerrel->relids, innerrel->relids};
	bool		any = false;
	ListCell   *lc;

	if (contain_volatile_functions((Node *) extract_actual_clauses(restrictlist, false)) ||
		contain_volatile_functions((Node *) extract_actual_clauses(outerrel->baserestrictinfo, false)) ||
		contain_volatile_functions((Node *) outerrel->reltarget->exprs))
		return false;
	foreach(lc, restrictlist)
	{
		SpqSpatialOperator op;

		any = any || spq_estimate_clause_between(root, lfirst_node(RestrictInfo, lc),
												 restrictlist, &sides, &op) != NULL;
	}
	return any;
}

/* Return the fraction of rows that filters without statistics are assumed to keep. */
static double
assumed_fraction(PlannerInfo *root, const RelOptInfo *rel)
{
	double		fraction = 1;
	int			relid = -1;

	while ((relid = bms_next_member(rel->relids, relid)) >= 0)
	{
		const RelOptInfo *base = root->simple_rel_array[relid];
		ListCell   *lc;

		if (base == NULL)
			continue;			/* an outer join, from 16 on */
		foreach(lc, base->baserestrictinfo)
		{
			RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

			if (spq_estimate_is_assumed(root, rinfo))
				fraction *= clause_selectivity(root, (Node *) rinfo, 0, JOIN_INNER, NULL);
		}
	}
	return fraction;
}

/*
 * Offer searches of the indexes of "few" for each row of "big" at a cost below that
 * of the other paths, unless they cost many times as much.
 */
static void
prefer_stopping(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
				RelOptInfo *innerrel, JoinPathExtraData *extra)
{
	Path	   *big = outerrel->cheapest_total_path;
	Cost		least = -1;
	ListCell   *lc;

	if (big == NULL || PATH_REQ_OUTER(big) != NULL)
		return;
	foreach(lc, joinrel->pathlist)
	{
		const Path *path = lfirst(lc);

		if (PATH_REQ_OUTER(path) == NULL && (least < 0 || path->total_cost < least))
			least = path->total_cost;
	}
	foreach(lc, spq_estimate_index_scans(root, innerrel))
	{
		Path	   *few = lfirst(lc),
				   *path;
		JoinCostWorkspace workspace;

		if (!bms_is_subset(PATH_REQ_OUTER(few), outerrel->relids))
			continue;
		spq_initial_cost_nestloop(root, &workspace, JOIN_SEMI, big, few, extra);
		path = (Path *) create_nestloop_path(root, joinrel, JOIN_SEMI, &workspace, extra, big, few,
											 extra->restrictlist, NIL, NULL);
		if (path->total_cost < least || path->total_cost > least * STOPPING_COST)
			continue;
		path->total_cost = least * CHEAPER;
		path->startup_cost = Min(path->startup_cost, path->total_cost);
		add_path(joinrel, path);
	}
}

/*
 * Return by what factor reading all pairs costs more than a nested loop that stops
 * at the first match, if the filters without statistics keep all rows; at least 1,
 * and at most the factor by which these would raise the cost.  "fraction" is that
 * of the rows that they are assumed to keep.
 */
static double
factor_of_doubt(PlannerInfo *root, RelOptInfo *outerrel, RelOptInfo *innerrel,
				double fraction, List *restrictlist)
{
	double		few = innerrel->rows / fraction,
				matches = few,
				pairs,
				compared;
	ListCell   *lc;

	foreach(lc, restrictlist)
		matches *= spq_node_pair_selectivity(root, lfirst_node(RestrictInfo, lc), outerrel, innerrel);
	pairs = matches * outerrel->tuples;
	compared = few / (matches + 1) * outerrel->rows / Max(assumed_fraction(root, outerrel), 1e-100);
	return Max(Min(PAIR_COST * pairs / Max(compared, 1), 1 / fraction), 1);
}

/* Return the position of a relation's column in a target, or -1. */
static int
find_column(PathTarget *target, Index relid, AttrNumber attribute)
{
	int			position = 0;
	ListCell   *lc;

	foreach(lc, target->exprs)
	{
		const Var  *var = lfirst(lc);

		if (IsA(var, Var) && var->varno == (int) relid && var->varattno == attribute)
			return position;
		position++;
	}
	return -1;
}

/*
 * Return a copy of a target that also has the first "count" columns that
 * identify rows.  If "mark", set their sortgrouprefs to the numbers from 1 on.
 */
static PathTarget *
with_identity(PathTarget *target, Index relid, int count, bool mark)
{
	PathTarget *result = copy_pathtarget(target);

	for (int i = 0; i < count; i++)
	{
		if (find_column(result, relid, identity[i].attribute) >= 0)
			continue;
		add_column_to_pathtarget(result,
								 (Expr *) makeVar(relid, identity[i].attribute,
												  identity[i].type, -1, InvalidOid, 0), 0);
		result->width += identity[i].width;
	}
	if (mark)
	{
		result->sortgrouprefs = palloc0(list_length(result->exprs) * sizeof(Index));
		for (int i = 0; i < count; i++)
			result->sortgrouprefs[find_column(result, relid, identity[i].attribute)] = i + 1;
	}
	return result;
}

/*
 * Return the relation, or a copy of it, with its rows' addresses needed above
 * it.  Then a scan returns the columns of its path, instead of all columns.
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
 * Return a copy of an index scan or bitmap scan path that also returns the
 * columns that identify rows.  Return NULL for other paths.
 */
static Path *
scan_with_identity(PlannerInfo *root, Path *path, int count, double scans)
{
	RelOptInfo *rel = path->parent;
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
	copy->parent = needing_address(rel);
	copy->pathtarget = with_identity(path->pathtarget, rel->relid, count, false);
	if (copy->pathtype == T_IndexOnlyScan &&
		find_column(path->pathtarget, rel->relid, SelfItemPointerAttributeNumber) < 0)
	{
		/*
		 * an index-only scan lacks addresses, so the table must be read, even
		 * if all rows of a page are visible
		 */
		const IndexPath *index_path = (const IndexPath *) path;
		double		pages = index_pages_fetched(index_path->indexselectivity * rel->tuples * scans,
												rel->pages, index_path->indexinfo->pages, root);

		copy->pathtype = T_IndexScan;
		copy->total_cost += pages * rel->allvisfrac * random_page_cost / scans;
	}
	return copy;
}

/*
 * Return whether the columns that identify rows do so among all of these paths: each
 * table is read once, which the arms of a UNION ALL need not do.  The arms must not
 * have these columns in their own targets: the new ones come last.
 */
static bool
are_different_tables(PlannerInfo *root, List *paths, int count)
{
	List	   *tables = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		const Path *path = lfirst(lc);
		Index		relid = path->parent->relid;
		const RangeTblEntry *rte = root->simple_rte_array[relid];

		if (rte->rtekind != RTE_RELATION || list_member_oid(tables, rte->relid))
			return false;
		for (int i = 0; i < count; i++)
			if (find_column(path->pathtarget, relid, identity[i].attribute) >= 0)
				return false;
		tables = lappend_oid(tables, rte->relid);
	}
	return true;
}

/* Do the same for an Append of such paths. */
static Path *
append_with_identity(PlannerInfo *root, AppendPath *append, int count, double scans)
{
	AppendPath *copy = makeNode(AppendPath);
	ListCell   *lc;

	if (append->path.parallel_aware || append->subpaths == NIL ||
		(append->path.parent->rtekind != RTE_RELATION &&
		 !are_different_tables(root, append->subpaths, count)))
		return NULL;
	memcpy(copy, append, sizeof(AppendPath));
	copy->path.pathtarget = with_identity(append->path.pathtarget, append->path.parent->relid,
										  count, false);
	copy->subpaths = NIL;
	foreach(lc, append->subpaths)
	{
		Path	   *subpath = lfirst(lc),
				   *scan = scan_with_identity(root, subpath, count, scans);

		if (scan == NULL)
			return NULL;
		copy->subpaths = lappend(copy->subpaths, scan);
		copy->path.total_cost += scan->total_cost - subpath->total_cost;
	}
	return (Path *) copy;
}

/*
 * Offer a semi join made of a path of the small side and an index path of the
 * large side, whose rows "count" columns identify.  "doubt" is a factor of its cost.
 */
static void
try_path(PlannerInfo *root, RelOptInfo *joinrel, Path *few, Path *big, int count,
		 double doubt, JoinPathExtraData *extra)
{
	JoinPathExtraData inner_extra = *extra;
	List	   *groups = NIL;
	JoinCostWorkspace workspace;
	NestPath   *pairs;
	Path	   *path;

	/* inner_unique is about the other order of the two */
	inner_extra.inner_unique = false;
	spq_initial_cost_nestloop(root, &workspace, JOIN_INNER, few, big, &inner_extra);
	pairs = create_nestloop_path(root, joinrel, JOIN_INNER, &workspace, &inner_extra, few, big,
								 extra->restrictlist, NIL, NULL);
	path = &pairs->jpath.path;
	path->pathtarget = with_identity(joinrel->reltarget, big->parent->relid, count, true);
	path->rows = clamp_row_est(few->rows * big->rows);
	path->total_cost *= doubt;

	for (int i = 0; i < count; i++)
	{
		SortGroupClause *group = makeNode(SortGroupClause);

		group->tleSortGroupRef = i + 1;
		get_sort_group_operators(identity[i].type, true, true, false, &group->sortop,
								 &group->eqop, NULL, &group->hashable);
		groups = lappend(groups, group);
	}
	add_path(joinrel, (Path *)
			 create_agg_path(root, joinrel, path, joinrel->reltarget, AGG_HASHED,
							 AGGSPLIT_SIMPLE, groups, NIL, NULL, joinrel->rows));
}

/* Return whether a query changes or locks a relation. */
static bool
is_changed_or_locked(PlannerInfo *root, Index relid)
{
	ListCell   *lc;

	foreach(lc, root->rowMarks)
		if (lfirst_node(PlanRowMark, lc)->rti == relid)
		return true;
	return root->parse->resultRelation == (int) relid;
}

/*
 * Offer paths for the semi join of a table with other relations.  For each row
 * of those, they search the table's indexes.
 */
void
spq_node_unique_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
					  RelOptInfo *innerrel, JoinPathExtraData *extra)
{
	Path	   *few = innerrel->cheapest_total_path;
	bool		several;
	int			count;
	double		fraction,
				doubt;
	ListCell   *lc;

	if (outerrel->reloptkind != RELOPT_BASEREL || outerrel->ppilist == NIL)
		return;
	several = root->simple_rte_array[outerrel->relid]->inh;
	count = several ? 2 : 1;
	if ((several && is_changed_or_locked(root, outerrel->relid)) ||
		!bms_is_empty(joinrel->lateral_relids) ||
		few == NULL || PATH_REQ_OUTER(few) != NULL ||
		!has_fit_clauses(root, outerrel, innerrel, extra->restrictlist))
		return;
	fraction = Max(assumed_fraction(root, innerrel), 1e-100);
	doubt = factor_of_doubt(root, outerrel, innerrel, fraction, extra->restrictlist);
	foreach(lc, outerrel->pathlist)
	{
		Path	   *path = lfirst(lc),
				   *big;

		if (PATH_REQ_OUTER(path) == NULL ||
			!bms_is_subset(PATH_REQ_OUTER(path), innerrel->relids))
			continue;
		big = IsA(path, AppendPath) ?
			append_with_identity(root, (AppendPath *) path, count, few->rows) :
			scan_with_identity(root, path, count, few->rows);
		if (big)
			try_path(root, joinrel, few, big, count, doubt, extra);
	}
	if (fraction < 1)
		prefer_stopping(root, joinrel, outerrel, innerrel, extra);
}
