/*-------------------------------------------------------------------------
 *
 * label.c
 *	  Encode node labels.  See label.h for the format and the invariants.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "lattice/label.h"

/*
 * How far a bound is widened beyond the new box: by a share of the distance
 * that the box extends beyond its cell, but at least by a share of the cell's
 * side.  Small shares give tight bounds, large ones few markers (choose.c).
 * docs/notes/quadtree.md has the measurements behind these values.
 */
#define WIDEN_BY_OVERHANG	0.125
#define WIDEN_BY_SIDE		(1.0 / 64)

/*
 * Return a code whose value is at most a few steps from the given one.
 */
int
spq_label_code_near(float8 value, float8 corner, float8 per_side)
{
	float8		sides = fabs((value - corner) * per_side);
	uint64		steps;
	int			code;

	if (isnan(sides))			/* infinity minus infinity, or zero times it */
		return value > corner ? SPQ_LABEL_CODE_INF :
			value < corner ? -SPQ_LABEL_CODE_INF : 0;
	steps = spq_box_bits(sides) >> SPQ_LABEL_CODE_SHIFT;
	if (steps < SPQ_LABEL_CODE_FIRST)
		code = 0;
	else if (steps - SPQ_LABEL_CODE_FIRST + 1 > SPQ_LABEL_CODE_INF)
		code = SPQ_LABEL_CODE_INF;
	else
		code = (int) (steps - SPQ_LABEL_CODE_FIRST) + 1;
	return value < corner ? -code : code;
}

/* Return the largest code, or nearly, that decodes to at most this value. */
int
spq_label_encode_low(float8 value, float8 corner, const SpqLabelFrame *frame)
{
	int			code = spq_label_code_near(value, corner, frame->per_side);

	while (code > -SPQ_LABEL_CODE_INF &&
		   !(spq_label_decode_code(code, corner, frame->side) <= value))
		code--;
	return code;
}

/* Return the smallest code, or nearly, that decodes to at least this value. */
int
spq_label_encode_high(float8 value, float8 corner, const SpqLabelFrame *frame)
{
	int			code = spq_label_code_near(value, corner, frame->per_side);

	while (code < SPQ_LABEL_CODE_INF &&
		   !(spq_label_decode_code(code, corner, frame->side) >= value))
		code++;
	return code;
}

/*
 * Return how far to move a bound beyond the new box, on one axis.
 *
 * "inside" is the distance from the end of the box to the edge of the node's
 * cell, negative if the box extends beyond it.  Margins up to the far edges of
 * the largest cells would be useless; there the margin is a share of the
 * distance between the end of the box and zero.
 */
static inline float8
margin(float8 inside, float8 value, const SpqLatticeCell *cell, bool oversize)
{
	float8		side = spq_lattice_pow2(cell->exp);

	/* infinity minus infinity is NaN, which is encoded as infinity */
	if (cell->exp >= SPQ_LATTICE_MAX_EXP)
		return WIDEN_BY_OVERHANG * fabs(value);
	if (inside < 0)
		return Max(WIDEN_BY_OVERHANG * -inside, WIDEN_BY_SIDE * side);
	if (oversize)
		return WIDEN_BY_SIDE * side;
	return inside;
}

/*
 * Widen the bounds of a node with this cell to hold a box.
 *
 * Similar boxes will follow, so move bounds farther than this box requires: to
 * the edge of the cell if the box ends inside it, else beyond the box by a
 * share of the distance that it extends beyond the cell.  Keep the bounds of
 * an oversize node tight: its few boxes rarely fill the cell, and without
 * tight bounds most scans that reach the tuple would read them.
 */
void
spq_label_widen(SpqBoxBounds *bounds, const SpqBoxBounds *box, const SpqLatticeCell *cell,
				bool oversize)
{
	float8		side = spq_lattice_pow2(cell->exp);

	if (!(bounds->xmin <= box->xmin))
		bounds->xmin = box->xmin -
			margin(box->xmin - cell->x, box->xmin, cell, oversize);
	if (!(bounds->ymin <= box->ymin))
		bounds->ymin = box->ymin -
			margin(box->ymin - cell->y, box->ymin, cell, oversize);
	if (!(bounds->xmax >= box->xmax))
		bounds->xmax = box->xmax +
			margin(cell->x + side - box->xmax, box->xmax, cell, oversize);
	if (!(bounds->ymax >= box->ymax))
		bounds->ymax = box->ymax +
			margin(cell->y + side - box->ymax, box->ymax, cell, oversize);
}

/*
 * Widen the bounds of a node to hold its cell, and boxes that extend beyond
 * the cell by up to this distance.
 */
void
spq_label_foresee(SpqBoxBounds *bounds, const SpqLatticeCell *cell, float8 overhang)
{
	float8		side = spq_lattice_pow2(cell->exp);
	SpqBoxBounds foreseen;

	if (cell->exp >= SPQ_LATTICE_MAX_EXP)
		return;
	foreseen.xmin = cell->x - overhang;
	foreseen.ymin = cell->y - overhang;
	foreseen.xmax = cell->x + side + overhang;
	foreseen.ymax = cell->y + side + overhang;
	spq_box_bounds_add(bounds, &foreseen);
}

/* Return the label of a node with these bounds, or slightly wider ones. */
uint64
spq_label_encode(int node, const SpqBoxBounds *bounds, const SpqLabelFrame *frame)
{
	SpqLabel	label;

	label.node = node;
	label.xmin = spq_label_encode_low(bounds->xmin, frame->x, frame);
	label.ymin = spq_label_encode_low(bounds->ymin, frame->y, frame);
	label.xmax = spq_label_encode_high(bounds->xmax, frame->x, frame);
	label.ymax = spq_label_encode_high(bounds->ymax, frame->y, frame);
	return spq_label_pack(&label);
}
