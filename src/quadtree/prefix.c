/*-------------------------------------------------------------------------
 *
 * prefix.c
 *	  Regions, and the nodes of an inner tuple.  See prefix.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "quadtree/prefix.h"

/*
 * Return the smallest region that holds all the places.
 *
 * It is uniform if every box would be oversize in a loose one, that is, if all
 * have the same size class and one cell of that size holds all their anchors.
 */
SpqQuadRegion
spq_quad_region_around(const SpqLatticePlace *places, int n)
{
	float8		xmin = places[0].x,
				xmax = places[0].x,
				ymin = places[0].y,
				ymax = places[0].y;
	int			least = places[0].size,
				most = places[0].size;
	SpqLatticeCell cell;

	for (int i = 1; i < n; i++)
	{
		xmin = Min(xmin, places[i].x);
		xmax = Max(xmax, places[i].x);
		ymin = Min(ymin, places[i].y);
		ymax = Max(ymax, places[i].y);
		least = Min(least, places[i].size);
		most = Max(most, places[i].size);
	}

	cell = spq_lattice_cell_around(xmin, ymin, xmax, ymax, most);
	if (least == most && cell.exp == most)
	{
		cell = spq_lattice_cell_around(xmin, ymin, xmax, ymax, SPQ_LATTICE_MIN_EXP);
		return spq_quad_make_region(cell, true, most);
	}
	return spq_quad_make_region(cell, false, 0);
}

/*
 * Return the smallest region that holds this region and a place outside of it.
 *
 * A tuple that cuts the result in 2 x 2 puts the old region and the new place
 * in different nodes.  So after a split the new box goes to an empty node,
 * which is why insertion terminates (see README.md).
 */
SpqQuadRegion
spq_quad_region_join(const SpqQuadRegion *region, const SpqLatticePlace *place)
{
	float8		xmin = Min(region->cell.x, place->x),
				xmax = Max(region->cell.x, place->x),
				ymin = Min(region->cell.y, place->y),
				ymax = Max(region->cell.y, place->y);
	SpqLatticeCell cell;

	if (region->uniform && place->size == region->size)
	{
		cell = spq_lattice_cell_around(xmin, ymin, xmax, ymax, region->cell.exp);
		if (cell.exp <= region->size)
			return spq_quad_make_region(cell, true, region->size);
	}
	cell = spq_lattice_cell_around(xmin, ymin, xmax, ymax,
								   Max(place->size, region->uniform ? region->size :
									   region->cell.exp));
	return spq_quad_make_region(cell, false, 0);
}

/*
 * Return the prefix of a tuple that cuts each axis of its base in 2^cuts
 * parts, or in as many as the base allows.
 */
SpqQuadPrefix
spq_quad_make_prefix(const SpqQuadRegion *base, int cuts)
{
	SpqQuadPrefix prefix;

	memset(&prefix, 0, sizeof(prefix));
	prefix.x = base->cell.x;
	prefix.y = base->cell.y;
	prefix.exp = base->cell.exp;
	prefix.range_exp = base->cell.exp;
	prefix.size = base->size;

	/*
	 * The whole plane is cut at the origin.  No sub-cell is smaller than the
	 * smallest cell of the lattice, which is not cut at all.
	 */
	prefix.cuts = base->cell.exp == SPQ_LATTICE_TOP_EXP ? 1 :
		Min(cuts, base->cell.exp - SPQ_LATTICE_MIN_EXP);
	if (base->uniform)
		prefix.flags |= SPQ_QUAD_BASE_UNIFORM;
	return prefix;
}

/* Add a range around the base to a prefix. */
void
spq_quad_add_range(SpqQuadPrefix *prefix, const SpqQuadRegion *range)
{
	prefix->range_exp = range->cell.exp;
	prefix->flags |= SPQ_QUAD_HAS_RANGE;
	if (range->uniform)
		prefix->flags |= SPQ_QUAD_RANGE_UNIFORM;
}

/*
 * Return the number of the node that holds all of a smaller region.  The tuple
 * must have no range and one cut, like the tuple that split_for_place() makes
 * for the region of spq_quad_region_join().
 */
int
spq_quad_route_region(const SpqQuadPrefix *prefix, const SpqQuadRegion *region)
{
	SpqQuadRegion base = spq_quad_base_region(prefix);

	Assert(prefix->cuts == 1 && !(prefix->flags & SPQ_QUAD_HAS_RANGE));
	return spq_quad_route_in(&base, 1, region->cell.x, region->cell.y,
							 region->uniform ? region->size : region->cell.exp,
							 0, SPQ_QUAD_NODE_OVERSIZE);
}

/* Return the cell that the anchors of a node's boxes are in. */
SpqLatticeCell
spq_quad_node_cell(const SpqQuadPrefix *prefix, int node)
{
	SpqLatticeCell cell;
	int			cuts = prefix->cuts;
	int			index = node;
	float8		side;

	if (node < SPQ_QUAD_NODE_RANGE)
		cell = spq_quad_base_cell(prefix);
	else
	{
		cell = spq_lattice_cell(prefix->x, prefix->y, prefix->range_exp);
		cuts = 1;
		index = node - SPQ_QUAD_NODE_RANGE;
	}
	if (spq_quad_node_is_oversize(node))
		return cell;

	cell.exp -= cuts;
	side = spq_lattice_pow2(cell.exp);
	cell.x += (index & ((1 << cuts) - 1)) * side;
	cell.y += (index >> cuts) * side;
	return cell;
}

/* Return the largest size class of the boxes of a node. */
int
spq_quad_node_size(const SpqQuadPrefix *prefix, int node)
{
	bool		uniform = (prefix->flags & (node < SPQ_QUAD_NODE_RANGE ?
											SPQ_QUAD_BASE_UNIFORM :
											SPQ_QUAD_RANGE_UNIFORM)) != 0;

	return uniform ? prefix->size : spq_quad_node_cell(prefix, node).exp;
}

/*
 * Return whether a tuple that is made with all of its nodes has this one.
 *
 * It has every node that a box can be routed to, and a node for oversize boxes
 * even if the base is uniform: SP-GiST requires that a tuple is not shorter
 * than one that becomes its parent.
 */
bool
spq_quad_has_node(const SpqQuadPrefix *prefix, int node)
{
	if (node >= SPQ_QUAD_NODE_RANGE)
		return (prefix->flags & SPQ_QUAD_HAS_RANGE) &&
			(node != SPQ_QUAD_NODE_RANGE_OVERSIZE ||
			 !(prefix->flags & SPQ_QUAD_RANGE_UNIFORM));
	return node == SPQ_QUAD_NODE_OVERSIZE || node < 1 << (2 * prefix->cuts);
}

/*
 * Return bounds that hold every box that can ever be routed to the node,
 * except boxes with swapped corners.
 *
 * A box extends at most half its size beyond its anchor.  The anchor is in the
 * node's cell, and rounded.
 */
SpqBoxBounds
spq_quad_node_reach(const SpqQuadPrefix *prefix, int node)
{
	SpqLatticeCell cell = spq_quad_node_cell(prefix, node);
	int			size = spq_quad_node_size(prefix, node);
	float8		side = spq_lattice_pow2(cell.exp);
	float8		reach;
	SpqBoxBounds bounds;

	if (size >= SPQ_LATTICE_MAX_EXP)
		return spq_box_bounds_everything();
	reach = 0.5 * spq_lattice_pow2(size) +
		8.0 * DBL_EPSILON * (fabs(cell.x) + fabs(cell.y) + side +
							 spq_lattice_pow2(size));
	bounds.xmin = cell.x - reach;
	bounds.ymin = cell.y - reach;
	bounds.xmax = cell.x + side + reach;
	bounds.ymax = cell.y + side + reach;
	return bounds;
}
