/*-------------------------------------------------------------------------
 *
 * class.h
 *	  The contents of an operator class: numbers.
 *
 * Pages, kernels, CREATE INDEX and insertion know only the ends of a row: the
 * high ends of all axes, then the low ends.  The length of the stored type
 * determines the number of axes: a box has 2 x 2 or 2 x 3 numbers, a point 2 or
 * 3.  A spatial class has three support functions:
 *
 *	1	ends(type, internal) returns void: set a float8 array to the ends of a
 *		datum.  They begin with its image, which index-only scans return.  If
 *		the class has STORAGE box or box3, they are bounds of the datum instead,
 *		in order and without NaN.  Leaves of points store only the image; the
 *		ends of a point are those that spq_rtree_get_ends() returns.
 *	2	condition(internal, internal) returns void: set the SpqRtreeCondition
 *		in the second argument, from the ScanKey in the first.
 *	3	order(internal, internal) returns void: set the SpqRtreeOrder in the
 *		second argument, from the ORDER BY ScanKey in the first.  A class
 *		without orders has none.
 *
 * If the ends are only bounds, more rows satisfy a condition than satisfy the
 * operator, and distances are lower bounds, so the executor rechecks each row.
 * If the condition is exact, only rows whose ends are not finite need a
 * recheck.
 *
 * A class for scalars, which precede the box in an index of several columns,
 * has one operator, equality, and none of these three functions.  It may have
 *
 *	4	hash(type, bigint) returns bigint: as for a hash index, for all types
 *		that the operator family has operators between.  code.h says what it
 *		is for.
 *
 * A class for a type of another extension may have
 *
 *	5	type(internal) returns internal: return the descriptor of the type
 *		(types/type.h).  Functions 1 and 2 of extension_class.c need it, and with
 *		it, the operators of the class can be joined.
 *
 * A class for *both* is spatial as the last column of a key, and scalar before
 * a spatial column of another class.  It has functions 1, 2 and 4, and equality
 * as strategy 1.  It has no STORAGE, since a scalar is stored as it is.  If
 * spatial, a datum becomes two numbers, a low and a high end.  A leaf stores
 * them as a point of the plane, or, if the key ends with two or three such
 * columns (key_columns.h), as the ends of a box on the column's axis:
 *
 *		(during)			point	x = low, y = high
 *		(valid, system)		box		low.x .. high.x, low.y .. high.y
 *
 * Functions 1 and 2 treat them as a point in either case, and function 2 sets
 * only comparisons.  If the class has function 5 as well, it is spatial only as
 * the last column, and stores the box of the type, of two or three axes:
 *
 *		(net)				box		inet_type.c
 *		(net, during)		point	that of "during": "net" is a scalar
 *
 * Neither the numbers nor the box are the datum, so rows are rechecked here as
 * well.
 *
 * Function 1 is called once for each row built or inserted, functions 2 and 3
 * once for each key of a scan (or each element of a key's array).  A scan calls
 * the function of an operator only if it raises no error: a condition says so
 * (condition.h), and spq_rtree_may_ask() does for scalars.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_CLASS_H
#define SPQ_RTREE_CLASS_CLASS_H

#include "access/genam.h"
#include "access/skey.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "rtree/class/condition.h"
#include "rtree/class/key_columns.h"
#include "rtree/page/page.h"

/* The columns of ends of a page, group by group. */
typedef struct SpqRtreeColumns
{
	const char *first;			/* group */
	Size		size;			/* of a group */
	int			ngroups;
	int			low;			/* column of the first low end */
	bool		of_rows;		/* else of bounds */
	const uint8 *matches;		/* NULL, or a byte for each group: a group
								 * without a bit may be skipped */
} SpqRtreeColumns;

static inline SpqRtreeColumns
spq_rtree_columns(Page page)
{
	SpqRtreeColumns columns = {
		spq_rtree_group(page, 0), spq_rtree_group_size(page),
		spq_rtree_groups(spq_rtree_count(page)), spq_rtree_layout(page)->low,
		spq_rtree_is_leaf(page), NULL
	};

	return columns;
}

/* The ends of a leaf of floats as float8. */
typedef struct SpqRtreeWideLeaf
{
	SpqRtreeColumn columns[SPQ_RTREE_SPACE(2) / sizeof(SpqRtreeFloatColumn)];
} SpqRtreeWideLeaf;

/*
 * The same, of float8 for all pages: those of a leaf of floats are copied to
 * "wide".
 */
static inline SpqRtreeColumns
spq_rtree_wide_columns(Page page, SpqRtreeWideLeaf *wide)
{
	SpqRtreeColumns columns = spq_rtree_columns(page);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);

	if (likely(!layout->floats))
		return columns;
	for (int g = 0; g < columns.ngroups; g++)
		spq_rtree_widen(layout, columns.first + g * layout->size,
						&wide->columns[g * layout->ends]);
	columns.first = (const char *) wide->columns;
	columns.size = SPQ_RTREE_COLUMNS_SIZE(layout->ends);
	return columns;
}

/* A nearest-neighbor order. */
typedef struct SpqRtreeOrder SpqRtreeOrder;
struct SpqRtreeOrder
{
	/*
	 * Return what the operator returns for a row, to the last bit, or a value
	 * of the class's choice if the operator raises an error.  If the class's
	 * ends are only bounds, return a lower bound of that.
	 */
	float8		(*distance) (const SpqRtreeOrder *order, const float8 *ends);

	/*
	 * For each place of all groups, set a square whose spq_rtree_root()
	 * (gap.h) is a lower bound of the distances of all rows that the place's
	 * ends enclose.  Squares are finite and not negative.  The ends are those
	 * of an inner page, or of a leaf without NaN; on a leaf, corners may be
	 * the wrong way round, and the columns of high and low ends may be the
	 * same.
	 */
	void		(*least) (const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
						  float8 *squares);

	/*
	 * If set: the prefilter (condition.h) of a condition with the same
	 * argument.  In a search with that condition, "least" decides the
	 * condition, too: it sets the square to "missed" if no row can satisfy
	 * it.
	 */
	void		(*prefilter) (const void *argument, const SpqRtreeColumns *columns,
							  uint8 *matches, uint8 *sure);
	float8		missed;

	/* The query, in the form that these functions need. */
	const void *argument;
	float8		numbers[SPQ_RTREE_ENDS];
};

/* Return a support function of the first spatial column. */
static inline FmgrInfo *
spq_rtree_class_proc(Relation index, int number)
{
	return index_getprocinfo(index, spq_rtree_box_column(index), number);
}

/* Leave a row to the executor, because the operator may raise an error. */
extern SpqRtreeAnswer spq_rtree_ask_executor(const ScanKeyData *key, Datum argument,
											 const float8 *ends);

/* Return the condition of a key of a spatial column. */
extern SpqRtreeCondition spq_rtree_class_condition(Relation index, const ScanKeyData *key);

/* Return the number of axes of a stored box or point of this length, or 0. */
static inline int
spq_rtree_axes_of_length(int length)
{
	switch (length)
	{
		case 2 * sizeof(float8):
		case 4 * sizeof(float8):
			return 2;
		case 3 * sizeof(float8):
		case 6 * sizeof(float8):
			return 3;
		default:
			return 0;
	}
}

/*
 * Return whether the ends of a row begin with the image of its datum.  If not,
 * the class has STORAGE box or box3, is for both positions, or is invalid
 * (validate.c).
 */
static inline bool
spq_rtree_returns_key(Relation index)
{
	int			column = spq_rtree_box_column(index) - 1;
	Form_pg_attribute stored = TupleDescAttr(RelationGetDescr(index), column);

	/* a type of a class for both positions may be as long as a box */
	if (spq_rtree_axes_of_length(stored->attlen) == 0 || stored->attbyval ||
		spq_rtree_class_is_for_both(index, column + 1))
		return false;
	return stored->atttypid == index->rd_opcintype[column] ||
		getBaseType(stored->atttypid) == index->rd_opcintype[column];
}

/* Return the length of the stored type of the first spatial column. */
static inline int
spq_rtree_stored_length(Relation index)
{
	return TupleDescAttr(RelationGetDescr(index), spq_rtree_box_column(index) - 1)->attlen;
}

/* Return the number of axes of an index; 2 if its class is invalid. */
static inline int
spq_rtree_axes(Relation index)
{
	int			columns = spq_rtree_spatial_columns(index);
	const SpqType *boxed;

	if (columns > 1)
		return columns;
	boxed = spq_rtree_boxed_type(index, spq_rtree_box_column(index));
	if (boxed != NULL)
		return boxed->axes;
	return spq_rtree_axes_of_length(spq_rtree_stored_length(index)) == 3 ? 3 : 2;
}

/* Return the base of the axes' digits (place/digits.h), or 0. */
static inline float8
spq_rtree_base(Relation index)
{
	const SpqType *boxed = spq_rtree_boxed_type(index, spq_rtree_box_column(index));

	return boxed ? boxed->base : 0;
}

/* Return whether the index stores points. */
static inline bool
spq_rtree_keeps_points(Relation index)
{
	int			length = spq_rtree_stored_length(index),
				column = spq_rtree_box_column(index);

	if (spq_rtree_spatial_columns(index) > 1)
		return false;
	if (spq_rtree_class_is_for_both(index, column))
		return spq_rtree_class_has_axis(index, column);
	return length == spq_rtree_axes(index) * (int) sizeof(float8);
}

#endif							/* SPQ_RTREE_CLASS_CLASS_H */
