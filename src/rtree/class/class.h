/*-------------------------------------------------------------------------
 *
 * class.h
 *	  What an operator class supplies: numbers.
 *
 * Pages, kernels, build and insertion belong to the access method and know only
 * the ends of a row: a high one for each axis, then the low ones.  What is stored says
 * how many axes there are: a box of 2 x 2 or 2 x 3 numbers, or a point of 2 or 3.
 * A class has three support functions:
 *
 *	1	ends(type, internal) returns void: the ends of a datum, into a float8
 *		array.  They begin with its image, which index-only scans return; or, of a
 *		class with STORAGE box or box3, they are bounds of it, in order and without NaN.
 *		Of a point leaves have no more than the image; its ends are those of
 *		spq_rtree_get_ends().
 *	2	condition(internal, internal) returns void: of the ScanKey in the first
 *		argument, the SpqRtreeCondition in the second.
 *	3	order(internal, internal) returns void: of an ORDER BY ScanKey, the
 *		SpqRtreeOrder in the second argument.  A class without orders has none.
 *
 * If the ends are bounds only, then the rows that satisfy a condition are more than
 * those that satisfy the operator, and distances are lower bounds: the executor
 * asks the operators for each row.  It does not have to if a condition says that it is
 * exact; but of rows whose ends are not finite.
 *
 * A class for scalars, which go before the box in an index of several columns, has
 * one operator, equality, and none of these three functions, but may have
 *
 *	4	hash(type, bigint) returns bigint: as for a hash index, and for all types
 *		that the operator family has operators between.  What it is for: code.h.
 *
 * Support functions are called once a row built or inserted, and once a scan.
 * A scan calls functions of operators only if they raise no error: a condition says so
 * (condition.h), and of scalars spq_rtree_may_ask().
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

#define SPQ_RTREE_ENDS_PROC			1
#define SPQ_RTREE_CONDITION_PROC	2
#define SPQ_RTREE_ORDER_PROC		3
#define SPQ_RTREE_HASH_PROC			4
#define SPQ_RTREE_PROCS				4

/* The columns of the ends of a page: its groups, one after the other. */
typedef struct SpqRtreeColumns
{
	const char *first;			/* group */
	Size		size;			/* of a group */
	int			ngroups;
	int			low;			/* column of the first low end */
	bool		of_rows;		/* else of bounds */
	const uint8 *matches;		/* or NULL: a byte for each group; of one
								 * without a bit nothing is asked */
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

/* A nearest-neighbor order. */
typedef struct SpqRtreeOrder SpqRtreeOrder;
struct SpqRtreeOrder
{
	/*
	 * Return what the operator returns for a row, to the last bit, and what
	 * the class wants where the operator raises an error; or, of a class
	 * whose ends are bounds only, a lower bound of that.
	 */
	float8		(*distance) (const SpqRtreeOrder *order, const float8 *ends);

	/*
	 * For each place of all groups, set a square of which spq_rtree_root()
	 * (gap.h) is a lower bound of that for all rows whose bounds its ends
	 * enclose; finite, and not below zero.  The ends are those of an inner
	 * page, or of a leaf without NaN: then corners may be the wrong way
	 * round, and columns of high and low ends the same.
	 */
	void		(*least) (const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
						  float8 *squares);

	/*
	 * If set: the test of all (condition.h) of a condition with the same
	 * argument.  In a search with such a condition "least" decides it, too:
	 * "missed" is the square of what surely does not satisfy it.
	 */
	void		(*prefilter) (const void *argument, const SpqRtreeColumns *columns,
							  uint8 *matches, uint8 *sure);
	float8		missed;

	/* What these need of the query, to be used as the class wants. */
	const void *argument;
	float8		numbers[SPQ_RTREE_ENDS];
};

/* Return a support function of the class of the spatial column. */
static inline FmgrInfo *
spq_rtree_class_proc(Relation index, int number)
{
	return index_getprocinfo(index, spq_rtree_box_column(index), number);
}

/*
 * Return the ends of a datum.  The FmgrInfo is that of support function 1
 * (spq_rtree_class_proc(index, SPQ_RTREE_ENDS_PROC)).
 */
static inline void
spq_rtree_class_ends(FmgrInfo *ends_proc, Datum value, float8 *ends)
{
	FunctionCall2(ends_proc, value, PointerGetDatum(ends));
}

/* Leave a row to the executor: the operator may raise an error. */
extern SpqRtreeAnswer spq_rtree_ask_executor(const ScanKeyData *key, Datum argument,
											 const float8 *ends);

/* Return the condition of a key of the spatial column. */
static inline SpqRtreeCondition
spq_rtree_class_condition(Relation index, const ScanKeyData *key)
{
	SpqRtreeCondition condition = {.exact = false,.ask = spq_rtree_ask_executor};

	FunctionCall2(spq_rtree_class_proc(index, SPQ_RTREE_CONDITION_PROC),
				  PointerGetDatum(key), PointerGetDatum(&condition));
	return condition;
}

/* Return how many axes a stored box or point of this length has, or 0 if it is neither. */
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
 * Return whether the ends of a row begin with the image of its datum.  Otherwise the
 * class has STORAGE box or box3, or should have it (validate.c).
 */
static inline bool
spq_rtree_returns_key(Relation index)
{
	int			column = spq_rtree_box_column(index) - 1;
	Form_pg_attribute stored = TupleDescAttr(RelationGetDescr(index), column);

	if (spq_rtree_axes_of_length(stored->attlen) == 0 || stored->attbyval)
		return false;
	return stored->atttypid == index->rd_opcintype[column] ||
		getBaseType(stored->atttypid) == index->rd_opcintype[column];
}

/* Return the length of what is stored of a datum. */
static inline int
spq_rtree_stored_length(Relation index)
{
	return TupleDescAttr(RelationGetDescr(index), spq_rtree_box_column(index) - 1)->attlen;
}

/* Return the number of axes of an index; two, of an invalid class. */
static inline int
spq_rtree_axes(Relation index)
{
	return spq_rtree_axes_of_length(spq_rtree_stored_length(index)) == 3 ? 3 : 2;
}

/* Return whether datums are points. */
static inline bool
spq_rtree_keeps_points(Relation index)
{
	return spq_rtree_stored_length(index) == spq_rtree_axes(index) * (int) sizeof(float8);
}

#endif							/* SPQ_RTREE_CLASS_CLASS_H */
