/*-------------------------------------------------------------------------
 *
 * quadtree_walk.c
 *	  The walk over a quadtree.  See inspect.h.
 *
 * A scan follows the nodes of an inner tuple whose labels pass the limits that
 * the query sets for the tuple (lattice/limits.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "inspect/inspect.h"
#include "lattice/limits.h"
#include "quadtree/query.h"
#include "quadtree_pages/walk.h"

/* A step; inner ones are kept while the walk is below them. */
typedef struct Step
{
	SpqInspectStep step;		/* first */
	SpqLabelLimits limits;		/* for the labels of an inner tuple that a
								 * scan visits */
} Step;

typedef struct Walk
{
	const SpqInspectVisitor *visitor;
	SpqQuadQuery query;			/* if the visitor has one */
	SpqInspectBox *boxes;		/* of a leaf, if the visitor wants them */
} Walk;

/* Return whether a scan visits a step, given what the node above says of it. */
static bool
is_visited(const Walk *walk, const Step *parent, bool of_nulls, uint64 label)
{
	/* all operators are strict */
	if (walk->visitor->query == NULL || of_nulls)
		return false;
	return parent == NULL ||
		(parent->step.visited && spq_label_passes(&parent->limits, label));
}

static void
set_limits(const Walk *walk, Step *inner)
{
	inner->limits = spq_label_no_limits();
	spq_label_limit(&inner->limits, walk->query.relation, walk->query.box,
					&inner->step.in_quadtree->frame);
}

/* Decide each tuple of a chain as leaf_consistent does. */
static void
find_matches(const Walk *walk, SpqInspectStep *leaf)
{
	const SpqPageStep *chain = leaf->in_quadtree;

	spq_page_foreach_in_chain(item, chain)
		leaf->matching += spq_quad_matches(walk->query, spq_page_chain_box(chain, item));
}

static void
set_boxes(const Walk *walk, SpqInspectStep *leaf)
{
	const SpqPageStep *chain = leaf->in_quadtree;
	int			n = 0;

	spq_page_foreach_in_chain(item, chain)
	{
		SpqInspectBox box = {.plane = *spq_page_chain_box(chain, item)};

		walk->boxes[n++] = box;
	}
	leaf->boxes = walk->boxes;
}

static void
fill_step(SpqInspectStep *step, const SpqPageStep *page_step, Step *parent)
{
	step->parent = parent ? &parent->step : NULL;
	step->level = page_step->level;
	step->inner = page_step->inner;
	step->of_nulls = page_step->of_nulls;
	step->block = page_step->tid.block;
	step->tuples = page_step->tuples;
	step->has_bounds = parent != NULL && !page_step->of_nulls;
	step->bounds.plane = page_step->bounds;
	step->oversize = page_step->oversize;
	step->below_oversize = page_step->below_oversize;
	step->in_quadtree = page_step;
}

static bool
visit(void *arg, SpqPageStep *page_step)
{
	Walk	   *walk = (Walk *) arg;
	const SpqInspectVisitor *visitor = walk->visitor;
	Step	   *parent = page_step->parent ? (Step *) page_step->parent->own : NULL;
	Step	   *own;
	SpqInspectStep *step;

	if (page_step->of_nulls && visitor->no_nulls)
		return false;
	own = palloc0(sizeof(Step));
	step = &own->step;
	fill_step(step, page_step, parent);
	step->visited = is_visited(walk, parent, page_step->of_nulls, page_step->label);
	if (step->visited && step->inner)
		set_limits(walk, own);
	else if (step->visited)
		find_matches(walk, step);
	if (walk->boxes && !step->inner && !step->of_nulls)
		set_boxes(walk, step);

	visitor->visit(visitor->arg, step);
	if (step->inner)
		page_step->own = own;
	else
		pfree(own);
	return true;
}

static bool
follow(void *arg, SpqPageStep *inner, int node, uint64 label)
{
	const Walk *walk = (const Walk *) arg;

	return !walk->visitor->only_visited ||
		is_visited(walk, (const Step *) inner->own, inner->of_nulls, label);
}

static void
left(void *arg, SpqPageStep *inner)
{
	const SpqInspectVisitor *visitor = ((Walk *) arg)->visitor;
	Step	   *own = (Step *) inner->own;

	own->step.tuples = inner->tuples;
	if (visitor->left)
		visitor->left(visitor->arg, &own->step);
	pfree(own);
}

void
spq_inspect_walk_quadtree(SpqPageReader *reader, const SpqInspectVisitor *visitor)
{
	Walk		walk = {.visitor = visitor};
	SpqPageVisitor page_visitor = {
		.visit = visit,
		.follow = follow,
		.left = left,
		.arg = &walk
	};

	if (visitor->query)
		walk.query = spq_quad_query(visitor->query->strategy, visitor->query->box);
	if (visitor->boxes)
		walk.boxes = palloc(SPQ_PAGE_MAX_ITEMS * sizeof(SpqInspectBox));
	spq_page_walk(reader, &page_visitor);
	if (walk.boxes)
		pfree(walk.boxes);
}
