/*-------------------------------------------------------------------------
 *
 * prefix.h
 *	  What an inner tuple covers, and which of its nodes a box goes to.
 *
 * A region is a set of places (see lattice.h): a cell, and the size classes
 * that it takes.
 *
 *	loose region (cell)				anchor in the cell, size class at most the
 *									cell's exponent: every box that fits it
 *	uniform region (cell, size)		anchor in the cell, size class exactly
 *									that, which is at least the cell's
 *									exponent: boxes as large as the cell or
 *									larger, all alike
 *
 * An inner tuple splits one region, its core, on the lattice: into 2 x 2 or
 * 4 x 4 sub-cells.  In a loose region a box goes to the sub-cell of its
 * anchor if it fits it by size, else to the node for oversize boxes.  In a
 * uniform region the anchor alone decides.
 *
 * Often nearly all boxes of a page are in one sub-cell of the cell around
 * them.  Then the core is the region around that majority, and the tuple has
 * a second, wider region, its range, for the rest, cut in 2 x 2:
 *
 *			+-------------------+-------------------+
 *			|		 19			|		 20			|	range
 *			|					|	*				|
 *			|					|					|	21: oversize in the
 *			+-------------------+-------------------+		range
 *			|		 17			|		 18			|
 *			|		  +--+--+	|					|	core: 0 .. 15
 *			|		  |2 |3 |	|					|	16: oversize in the
 *			|		  +--+--+	|			*		|		core
 *			|		  |0 |1 |	|					|
 *			|		  +--+--+	|					|
 *			+-------------------+-------------------+
 *
 * So a tuple never has one full node and empty ones, which core would answer
 * by spreading its boxes over nodes at random (allTheSame).
 *
 * A tuple holds the boxes of its range.  One that is allTheSame holds those
 * of its core: its boxes are all in one place.
 *
 * Invariants, for every inner tuple:
 * 1. core and range are regions, and the core is part of the range;
 * 2. the place of every box below is in what the tuple holds;
 * 3. every box below is within the last label of its node's number, and
 *	  is under the node that spq_route() names.
 * Searching depends on the first half of 3 alone.
 *
 * The prefix is stored as a value of type circle, which never is one: any
 * core type of 24 bytes and double alignment would do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PREFIX_H
#define SPQ_PREFIX_H

#include "lattice/bounds.h"

/* Node numbers. */
#define SPQ_NODE_OVERSIZE		16
#define SPQ_NODE_RANGE			17	/* first of four */
#define SPQ_NODE_RANGE_OVERSIZE 21
#define SPQ_NODES				22

/* Prefix flags. */
#define SPQ_CORE_UNIFORM		0x01
#define SPQ_RANGE_UNIFORM		0x02
#define SPQ_HAS_RANGE			0x04	/* range is wider than the core */
#define SPQ_LABELS_VOID			0x08	/* allTheSame tuple whose labels do not
										 * bound; the parent's do */

typedef struct SpqPrefix
{
	float8		x;				/* low corner of the core's cell */
	float8		y;
	int16		exp;			/* exponent of the core's cell */
	int16		range_exp;		/* exponent of the range's cell */
	int16		size;			/* size class, if a region is uniform */
	uint8		cuts;			/* each axis of the core is cut in 2^cuts */
	uint8		flags;
} SpqPrefix;

StaticAssertDecl(sizeof(SpqPrefix) == sizeof(CIRCLE),
				 "prefix must have the size of its container");

typedef struct SpqRegion
{
	SpqCell		cell;
	bool		uniform;
	int			size;			/* of a uniform region */
} SpqRegion;

static inline bool
spq_node_is_oversize(int node)
{
	return node == SPQ_NODE_OVERSIZE || node == SPQ_NODE_RANGE_OVERSIZE;
}

static inline const SpqPrefix *
DatumGetSpqPrefix(Datum datum)
{
	return (const SpqPrefix *) DatumGetPointer(datum);
}

static inline SpqCell
spq_core_cell(const SpqPrefix *prefix)
{
	SpqCell		cell;

	cell.x = prefix->x;
	cell.y = prefix->y;
	cell.exp = prefix->exp;
	return cell;
}

/*
 * What follows up to spq_route() is in line because each insertion does it at
 * every level: as calls, with structs handed back by way of memory, it was an
 * eighth of the time of a build.
 */

static inline SpqRegion
spq_make_region(SpqCell cell, bool uniform, int size)
{
	SpqRegion	region;

	region.cell = cell;
	region.uniform = uniform;
	region.size = uniform ? size : 0;
	return region;
}

static inline bool
spq_region_holds(const SpqRegion *region, const SpqPlace *place)
{
	return (region->uniform ? place->size == region->size :
			place->size <= region->cell.exp) &&
		spq_cell_holds(&region->cell, place->x, place->y);
}

static inline SpqRegion
spq_core_region(const SpqPrefix *prefix)
{
	return spq_make_region(spq_core_cell(prefix),
					   (prefix->flags & SPQ_CORE_UNIFORM) != 0, prefix->size);
}

static inline SpqRegion
spq_range_region(const SpqPrefix *prefix)
{
	return spq_make_region(spq_cell_at(prefix->x, prefix->y, prefix->range_exp),
					   (prefix->flags & SPQ_RANGE_UNIFORM) != 0,
					   prefix->size);
}

/*
 * The frame of a tuple's labels.
 *
 * Codes reach from 2^-30 to 2^33 sides of the frame.  In a uniform core the
 * boxes are what is large, not the cell; sizes that are off the lattice say
 * nothing, so there it is the unit.  For a range that is much wider than the
 * core, the frame is up to 2^20 times as wide as the core, too.
 */
static inline SpqFrame
spq_frame_of(const SpqPrefix *prefix)
{
	SpqCell		cell = spq_core_cell(prefix);

	if (cell.exp == SPQ_CELL_TOP)
		return spq_frame(&cell);
	if (prefix->flags & SPQ_CORE_UNIFORM)
		cell.exp = prefix->size < SPQ_CELL_MAX ? prefix->size :
			Max(cell.exp, 0);
	if (prefix->flags & SPQ_HAS_RANGE)
	{
		int			exp = Min(prefix->range_exp - 30, cell.exp + 20);

		cell.exp = Max(cell.exp, exp);
	}
	return spq_frame(&cell);
}

/* What a tuple holds. */
static inline SpqRegion
spq_tuple_region(const SpqPrefix *prefix, bool all_the_same)
{
	if ((prefix->flags & SPQ_HAS_RANGE) && !all_the_same)
		return spq_range_region(prefix);
	return spq_core_region(prefix);
}

/* Node number within one region. */
static inline int
spq_route_in(const SpqRegion *region, int cuts, float8 x, float8 y, int size,
		 int first_node, int oversize_node)
{
	if (!region->uniform && size > region->cell.exp - cuts)
		return oversize_node;
	return first_node + spq_subcell(&region->cell, cuts, x, y);
}

/* Number of the node that a box in the tuple's region goes to. */
static inline int
spq_route(const SpqPrefix *prefix, const SpqPlace *place)
{
	SpqRegion	core = spq_core_region(prefix);
	SpqRegion	range;

	if (!(prefix->flags & SPQ_HAS_RANGE) || spq_region_holds(&core, place))
		return spq_route_in(&core, prefix->cuts, place->x, place->y, place->size,
						0, SPQ_NODE_OVERSIZE);

	range = spq_range_region(prefix);
	return spq_route_in(&range, 1, place->x, place->y, place->size,
					SPQ_NODE_RANGE, SPQ_NODE_RANGE_OVERSIZE);
}

extern SpqRegion spq_region_around(const SpqPlace *places, int n);
extern SpqRegion spq_region_join(const SpqRegion *region,
								 const SpqPlace *place);
extern SpqPrefix spq_make_prefix(const SpqRegion *core, int cuts);
extern void spq_add_range(SpqPrefix *prefix, const SpqRegion *range);
extern bool spq_has_node(const SpqPrefix *prefix, int node);
extern SpqBounds spq_node_reach(const SpqPrefix *prefix, int node);
extern SpqCell spq_node_cell(const SpqPrefix *prefix, int node);
extern int	spq_node_size(const SpqPrefix *prefix, int node);
extern int	spq_route_region(const SpqPrefix *prefix,
							 const SpqRegion *region);

#endif							/* SPQ_PREFIX_H */
