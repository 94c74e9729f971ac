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

#include "quadtree/bounds.h"

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

extern bool spq_region_holds(const SpqRegion *region, const SpqPlace *place);
extern SpqRegion spq_region_around(const SpqPlace *places, int n);
extern SpqRegion spq_region_join(const SpqRegion *region,
								 const SpqPlace *place);
extern SpqFrame spq_frame_of(const SpqPrefix *prefix);
extern SpqRegion spq_tuple_region(const SpqPrefix *prefix, bool all_the_same);
extern SpqPrefix spq_make_prefix(const SpqRegion *core, int cuts);
extern void spq_add_range(SpqPrefix *prefix, const SpqRegion *range);
extern int	spq_route(const SpqPrefix *prefix, const SpqPlace *place);
extern bool spq_has_node(const SpqPrefix *prefix, int node);
extern SpqBounds spq_node_reach(const SpqPrefix *prefix, int node);
extern SpqCell spq_node_cell(const SpqPrefix *prefix, int node);
extern int	spq_node_size(const SpqPrefix *prefix, int node);
extern int	spq_route_region(const SpqPrefix *prefix,
							 const SpqRegion *region);

#endif							/* SPQ_PREFIX_H */
