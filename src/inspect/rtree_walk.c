/*-------------------------------------------------------------------------
 *
 * rtree_walk.c
 *	  The walk over an index of access method spqtree.  See inspect.h.
 *
 * Each inner page is compared with the query once, when the walk reaches it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "inspect/inspect.h"
#include "rtree/conditions/calls.h"
#include "rtree/conditions/conditions.h"
#include "rtree/conditions/match.h"
#include "rtree/extension_class/extension_class.h"

/* A page on the path of the walk. */
typedef struct Step
{
	SpqInspectStep step;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];	/* of the query, if a scan
												 * visits the page */
} Step;

typedef struct Walk
{
	const SpqInspectVisitor *visitor;
	SpqInspectBox *boxes;		/* of a leaf, if the visitor wants them */
	Step		path[SPQ_RTREE_LEVELS]; /* by level of the page; 0: leaves */

	/* the query, as the only key of a scan */
	ScanKeyData key;
	SpqRtreeConditions conditions;
	SpqRtreeComparison of_rows[SPQ_RTREE_COMPARISONS];
	SpqRtreeComparison of_bounds[SPQ_RTREE_COMPARISONS];
	SpqRtreeReach reach;
} Walk;

/*
 * Parse a query.  If the index is of a type of another extension, the box
 * stands for a value with these bounds.
 */
static void
parse_query(Walk *walk, SpqTreeReader *reader, const SpqInspectQuery *query)
{
	Relation	index = reader->index;
	SpqRtreeConditions *conditions = &walk->conditions;
	SpqRtreeCondition condition;

	ScanKeyInit(&walk->key, spq_rtree_box_column(index), query->strategy, query->function,
				query->box);
	condition = spq_rtree_extension_described(index) == NULL ?
		spq_rtree_class_condition(index, &walk->key) :
		spq_rtree_extension_box_condition(index, query->strategy,
										  (const float8 *) DatumGetPointer(query->box));
	conditions->reads_tree = true;
	conditions->scalars.index = index;
	conditions->scalars.coder = &reader->coder;
	conditions->leaf_layout = spq_rtree_layout_of(0, reader->leaf_flags);
	conditions->rows.comparisons = walk->of_rows;
	conditions->rows.operators = palloc(sizeof(SpqRtreeOperator));
	conditions->bounds.comparisons = walk->of_bounds;
	conditions->bounds.reach = &walk->reach;
	spq_rtree_add_condition(conditions, &walk->key, &condition);
}

/* Return whether the query matches an entry of a page that a scan visits. */
static bool
matches_entry(const Step *own, int entry)
{
	return (own->matches[entry / SPQ_RTREE_GROUP] & (1 << entry % SPQ_RTREE_GROUP)) != 0;
}

/* Return whether a scan visits the child of an entry, or the root. */
static bool
is_visited(const Walk *walk, const Step *parent, bool of_nulls, int entry)
{
	/* all operators are strict */
	if (walk->visitor->query == NULL || of_nulls)
		return false;
	return parent == NULL || (parent->step.visited && matches_entry(parent, entry));
}

static void
find_matches(Walk *walk, Step *own)
{
	SpqRtreeConditions *conditions = &walk->conditions;
	Page		page = own->step.in_rtree->page;

	if (own->step.inner)
	{
		spq_rtree_match_inner(conditions, page, own->matches);
		return;
	}
	own->step.matching = spq_rtree_match_leaf(conditions, page, false, own->matches);
	if (conditions->rows.ninexact > 0 || conditions->rows.recheck ||
		(spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN))
		own->step.rechecked = own->step.matching;
}

static SpqInspectBox
box_of_row(Page page, int entry)
{
	SpqRtreeRow row = spq_rtree_get_row(page, entry);
	int			axes = spq_rtree_page_axes(page);
	SpqInspectBox box = {0};

	box.plane.high.x = row.ends[0];
	box.plane.high.y = row.ends[1];
	box.plane.low.x = row.ends[axes];
	box.plane.low.y = row.ends[axes + 1];
	if (axes == 3)
	{
		box.depth.high = row.ends[2];
		box.depth.low = row.ends[axes + 2];
	}
	return box;
}

static void
set_boxes(const Walk *walk, SpqInspectStep *leaf)
{
	for (int entry = 0; entry < leaf->tuples; entry++)
		walk->boxes[entry] = box_of_row(leaf->in_rtree->page, entry);
	leaf->boxes = walk->boxes;
}

/* Set what a page promises; the root promises nothing, so take its entries. */
static void
set_bounds(SpqInspectStep *step)
{
	Page		page = step->in_rtree->page;
	SpqRtreeBounds promised = step->parent ? spq_rtree_promise(page) :
		spq_rtree_page_hull(page);

	step->has_bounds = !spq_rtree_bounds_are_nothing(&promised);
	step->bounds.plane.xmin = promised.low[0];
	step->bounds.plane.ymin = promised.low[1];
	step->bounds.plane.xmax = promised.high[0];
	step->bounds.plane.ymax = promised.high[1];
	if (spq_rtree_page_axes(page) == 3)
	{
		step->bounds.depth.low = promised.low[2];
		step->bounds.depth.high = promised.high[2];
	}
}

static void
fill_step(SpqInspectStep *step, const SpqTreeStep *tree_step, Step *parent)
{
	memset(step, 0, sizeof(SpqInspectStep));
	step->parent = parent ? &parent->step : NULL;
	step->level = tree_step->depth;
	step->inner = tree_step->level > 0;
	step->of_nulls = tree_step->of_nulls;
	step->block = tree_step->block;
	step->tuples = tree_step->rows;
	step->in_rtree = tree_step;
	if (!step->of_nulls)
		set_bounds(step);
}

static bool
visit(void *arg, SpqTreeStep *tree_step)
{
	Walk	   *walk = (Walk *) arg;
	const SpqInspectVisitor *visitor = walk->visitor;
	Step	   *parent = tree_step->parent ? &walk->path[tree_step->parent->level] : NULL;
	Step	   *own = &walk->path[tree_step->level];
	SpqInspectStep *step = &own->step;

	fill_step(step, tree_step, parent);
	step->visited = is_visited(walk, parent, step->of_nulls, tree_step->entry);
	if (step->visited)
		find_matches(walk, own);
	if (walk->boxes && !step->inner && !step->of_nulls)
		set_boxes(walk, step);
	visitor->visit(visitor->arg, step);
	return true;
}

static bool
follow(void *arg, SpqTreeStep *inner, int entry)
{
	const Walk *walk = (const Walk *) arg;

	return !walk->visitor->only_visited ||
		is_visited(walk, &walk->path[inner->level], false, entry);
}

static void
left(void *arg, SpqTreeStep *inner)
{
	Walk	   *walk = (Walk *) arg;
	SpqInspectStep *step = &walk->path[inner->level].step;

	step->tuples = inner->rows;
	if (walk->visitor->left)
		walk->visitor->left(walk->visitor->arg, step);
}

void
spq_inspect_walk_rtree(SpqTreeReader *reader, const SpqInspectVisitor *visitor)
{
	Walk	   *walk = palloc0(sizeof(Walk));
	SpqTreeVisitor tree_visitor = {
		.visit = visit,
		.follow = follow,
		.left = left,
		.no_nulls = visitor->no_nulls,
		.arg = walk
	};

	walk->visitor = visitor;
	if (visitor->query)
		parse_query(walk, reader, visitor->query);
	if (visitor->boxes)
		walk->boxes = palloc(SPQ_RTREE_LEAF_MAX * sizeof(SpqInspectBox));
	spq_tree_walk(reader, &tree_visitor);
	if (walk->boxes)
		pfree(walk->boxes);
	spq_rtree_end_calls(&walk->conditions);
	pfree(walk);
}
