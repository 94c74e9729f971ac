/*-------------------------------------------------------------------------
 *
 * prefix.h
 *	  The region of an inner tuple, and the node to which it routes a box.
 *
 * A region is a set of places (see lattice.h): a cell, and the size classes
 * that it accepts.
 *
 *	loose region (cell)				anchor in the cell, size class at most the
 *									cell's exponent: every box that fits it
 *	uniform region (cell, size)		anchor in the cell, exactly this size
 *									class, which is at least the cell's
 *									exponent: boxes as large as the cell or
 *									larger, all of one size class
 *
 * An inner tuple splits one region, its base, on the lattice: into 2 x 2 or
 * 4 x 4 sub-cells.  In a loose region, a box whose size fits the sub-cell of
 * its anchor goes to that sub-cell, any other to the node for oversize boxes.
 * In a uniform region the anchor alone decides.
 *
 * Often nearly all boxes of a page are in one sub-cell of the cell around
 * them.  Then the base is the region around that majority, and the tuple has
 * a second, wider region for the rest, its range, which is cut in 2 x 2:
 *
 *			+-------------------+-------------------+
 *			|		 19			|		 20			|	range
 *			|					|	*				|
 *			|					|					|	21: oversize in the
 *			+-------------------+-------------------+		range
 *			|		 17			|		 18			|
 *			|		  +--+--+	|					|	base: 0 .. 15
 *			|		  |2 |3 |	|					|	16: oversize in the
 *			|		  +--+--+	|			*		|		base
 *			|		  |0 |1 |	|					|
 *			|		  +--+--+	|					|
 *			+-------------------+-------------------+
 *
 * So the boxes of a new tuple are in one node only if all have the same place.
 * PostgreSQL spreads such boxes over nodes at random (allTheSame).
 *
 * A tuple holds the boxes of its range.  An allTheSame tuple holds those of
 * its base: its boxes all have the same place.
 *
 * Invariants, for every inner tuple:
 * 1. base and range are regions, and the base is part of the range;
 * 2. the place of every box below is in the region that the tuple holds;
 * 3. every box below is within the last label of its node's number, and
 *	  is under the node that spq_quad_route() returns.
 * Searching depends on the first half of 3 alone.
 *
 * The prefix is stored as a value of type circle, but is not a circle: any
 * built-in type of 24 bytes and double alignment would do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PREFIX_H
#define SPQ_QUADTREE_PREFIX_H

#include "lattice/label.h"

/* Node numbers. */
#define SPQ_QUAD_NODE_OVERSIZE		16
#define SPQ_QUAD_NODE_RANGE			17	/* first of four */
#define SPQ_QUAD_NODE_RANGE_OVERSIZE 21
#define SPQ_QUAD_NODES				22

/* Prefix flags. */
#define SPQ_QUAD_BASE_UNIFORM		0x01
#define SPQ_QUAD_RANGE_UNIFORM		0x02
#define SPQ_QUAD_HAS_RANGE			0x04	/* range is wider than the base */
#define SPQ_QUAD_LABELS_VOID			0x08	/* allTheSame tuple whose
												 * labels do not bound; the
												 * parent's do */

typedef struct SpqQuadPrefix
{
	float8		x;				/* low corner of the base's cell */
	float8		y;
	int16		exp;			/* exponent of the base's cell */
	int16		range_exp;		/* exponent of the range's cell */
	int16		size;			/* size class, if a region is uniform */
	uint8		cuts;			/* each axis of the base is cut in 2^cuts */
	uint8		flags;
} SpqQuadPrefix;

StaticAssertDecl(sizeof(SpqQuadPrefix) == sizeof(CIRCLE),
				 "prefix must have the size of its container");

typedef struct SpqQuadRegion
{
	SpqLatticeCell cell;
	bool		uniform;
	int			size;			/* of a uniform region */
} SpqQuadRegion;

static inline bool
spq_quad_node_is_oversize(int node)
{
	return node == SPQ_QUAD_NODE_OVERSIZE || node == SPQ_QUAD_NODE_RANGE_OVERSIZE;
}

static inline const SpqQuadPrefix *
DatumGetSpqQuadPrefix(Datum datum)
{
	return (const SpqQuadPrefix *) DatumGetPointer(datum);
}

static inline SpqLatticeCell
spq_quad_base_cell(const SpqQuadPrefix *prefix)
{
	SpqLatticeCell cell;

	cell.x = prefix->x;
	cell.y = prefix->y;
	cell.exp = prefix->exp;
	return cell;
}

/*
 * The functions from here to spq_quad_route() are inline because each
 * insertion calls them at every level: as calls, with structs returned through
 * memory, they took an eighth of the time of a build.
 */

static inline SpqQuadRegion
spq_quad_make_region(SpqLatticeCell cell, bool uniform, int size)
{
	SpqQuadRegion region;

	region.cell = cell;
	region.uniform = uniform;
	region.size = uniform ? size : 0;
	return region;
}

static inline bool
spq_quad_region_holds(const SpqQuadRegion *region, const SpqLatticePlace *place)
{
	return (region->uniform ? place->size == region->size :
			place->size <= region->cell.exp) &&
		spq_lattice_cell_holds(&region->cell, place->x, place->y);
}

static inline SpqQuadRegion
spq_quad_base_region(const SpqQuadPrefix *prefix)
{
	return spq_quad_make_region(spq_quad_base_cell(prefix),
								(prefix->flags & SPQ_QUAD_BASE_UNIFORM) != 0, prefix->size);
}

static inline SpqQuadRegion
spq_quad_range_region(const SpqQuadPrefix *prefix)
{
	return spq_quad_make_region(spq_lattice_cell(prefix->x, prefix->y, prefix->range_exp),
								(prefix->flags & SPQ_QUAD_RANGE_UNIFORM) != 0,
								prefix->size);
}

/*
 * Return the frame of a tuple's labels.
 *
 * Codes represent distances from 2^-30 to 2^33 sides of the frame.  In a
 * uniform base the boxes may be much larger than the cell, so the frame is as
 * large as the boxes; if their size exceeds the lattice, as large as the cell,
 * but at least 1.  If the range is much wider than the base, so is the frame,
 * up to 2^20 times.
 */
static inline SpqLabelFrame
spq_quad_frame(const SpqQuadPrefix *prefix)
{
	SpqLatticeCell cell = spq_quad_base_cell(prefix);

	if (cell.exp == SPQ_LATTICE_TOP_EXP)
		return spq_label_frame(&cell);
	if (prefix->flags & SPQ_QUAD_BASE_UNIFORM)
		cell.exp = prefix->size < SPQ_LATTICE_MAX_EXP ? prefix->size :
			Max(cell.exp, 0);
	if (prefix->flags & SPQ_QUAD_HAS_RANGE)
	{
		int			exp = Min(prefix->range_exp - 30, cell.exp + 20);

		cell.exp = Max(cell.exp, exp);
	}
	return spq_label_frame(&cell);
}

/* Return the region that a tuple holds. */
static inline SpqQuadRegion
spq_quad_tuple_region(const SpqQuadPrefix *prefix, bool all_the_same)
{
	if ((prefix->flags & SPQ_QUAD_HAS_RANGE) && !all_the_same)
		return spq_quad_range_region(prefix);
	return spq_quad_base_region(prefix);
}

/* Return the number of the node that a place in a region goes to. */
static inline int
spq_quad_route_in(const SpqQuadRegion *region, int cuts, float8 x, float8 y, int size,
				  int first_node, int oversize_node)
{
	if (!region->uniform && size > region->cell.exp - cuts)
		return oversize_node;
	return first_node + spq_lattice_subcell(&region->cell, cuts, x, y);
}

/* Return the number of the node that a place in the tuple's region goes to. */
static inline int
spq_quad_route(const SpqQuadPrefix *prefix, const SpqLatticePlace *place)
{
	SpqQuadRegion base = spq_quad_base_region(prefix);
	SpqQuadRegion range;

	if (!(prefix->flags & SPQ_QUAD_HAS_RANGE) || spq_quad_region_holds(&base, place))
		return spq_quad_route_in(&base, prefix->cuts, place->x, place->y, place->size,
								 0, SPQ_QUAD_NODE_OVERSIZE);

	range = spq_quad_range_region(prefix);
	return spq_quad_route_in(&range, 1, place->x, place->y, place->size,
							 SPQ_QUAD_NODE_RANGE, SPQ_QUAD_NODE_RANGE_OVERSIZE);
}

extern SpqQuadRegion spq_quad_region_around(const SpqLatticePlace *places, int n);
extern SpqQuadRegion spq_quad_region_join(const SpqQuadRegion *region,
										  const SpqLatticePlace *place);
extern SpqQuadPrefix spq_quad_make_prefix(const SpqQuadRegion *base, int cuts);
extern void spq_quad_add_range(SpqQuadPrefix *prefix, const SpqQuadRegion *range);
extern bool spq_quad_has_node(const SpqQuadPrefix *prefix, int node);
extern SpqBoxBounds spq_quad_node_reach(const SpqQuadPrefix *prefix, int node);
extern SpqLatticeCell spq_quad_node_cell(const SpqQuadPrefix *prefix, int node);
extern int	spq_quad_node_size(const SpqQuadPrefix *prefix, int node);
extern int	spq_quad_route_region(const SpqQuadPrefix *prefix,
								  const SpqQuadRegion *region);

#endif							/* SPQ_QUADTREE_PREFIX_H */
