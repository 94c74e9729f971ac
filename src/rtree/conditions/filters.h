/*-------------------------------------------------------------------------
 *
 * filters.h
 *	  The conditions of a scan: filters of the entries of its pages.
 *
 *		bounds		a downlink by its bounds
 *		rows		a row by its ends
 *		scalars		both by scalar columns
 *		choices		both by the elements of an array, for the spatial column
 *
 * An entry that may lead to a row of the result passes all filters for its
 * kind.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_FILTERS_H
#define SPQ_RTREE_CONDITIONS_FILTERS_H

#include "access/relscan.h"

#include "rtree/class/class.h"
#include "rtree/keys/code.h"
#include "rtree/page/page.h"

/* A condition's own tests of bounds and rows (condition.h). */
typedef struct SpqRtreeReach
{
	bool		(*reaches) (const void *argument, const float8 *bounds);
	const void *argument;
	void		(*prefilter) (const void *argument, const SpqRtreeColumns *columns,
							  uint8 *matches, uint8 *sure); /* or NULL */
	const void *prefilter_argument;
	Size		argument_size;
} SpqRtreeReach;

/* An element of an array that a scalar column is compared with. */
typedef struct SpqRtreeElement
{
	uint64		bits;			/* of the column in rows with this value */
	Datum		value;
} SpqRtreeElement;

/* A condition that a scalar column equals an element of an array. */
typedef struct SpqRtreeSet
{
	ScanKey		key;
	bool		has_bits;		/* elements are sorted by their bits */
	bool		asks;			/* the operator is evaluated for rows */
	int			nelements;
	SpqRtreeElement *elements;
} SpqRtreeSet;

/* An element of an array that the spatial column is compared with. */
typedef struct SpqRtreeAlternative
{
	Datum		argument;
	int			ncomparisons;
	int			first;			/* of its comparisons */
	bool		exact;
	SpqRtreeAsk ask;
	SpqRtreeReach reach;		/* its function may be NULL */
} SpqRtreeAlternative;

/* A condition that the spatial column satisfies with an element of an array. */
typedef struct SpqRtreeChoice
{
	ScanKey		key;
	bool		asks;			/* rows have the image of a datum */
	int			nalternatives;
	SpqRtreeAlternative *alternatives;
	SpqRtreeComparison *comparisons;	/* of all of them, with columns of
										 * leaves */
	int			nnear;
	int		   *near;			/* numbers of those near the current page */
} SpqRtreeChoice;

/*
 * A condition on the spatial column whose operator can be evaluated for rows.
 */
typedef struct SpqRtreeOperator
{
	ScanKey		key;
	SpqRtreeAsk ask;
} SpqRtreeOperator;

/*
 * The filter of entries of inner pages: what the bounds of a downlink that leads to
 * matching rows satisfy.
 */
typedef struct SpqRtreeBoundsFilter
{
	SpqRtreeComparison *comparisons;	/* as in SpqRtreeConditions, with the
										 * columns of inner pages */
	int			nreaches;
	SpqRtreeReach *reach;		/* conditions with a test of their own */
} SpqRtreeBoundsFilter;

/* The filter of rows by their ends. */
typedef struct SpqRtreeRowFilter
{
	SpqRtreeComparison *comparisons;	/* the same, with the columns of
										 * leaves */

	/*
	 * All keys with an operator, if rows have the image of a datum.  Those
	 * that are not exact come first.
	 */
	int			noperators;
	int			ninexact;
	SpqRtreeOperator *operators;

	/*
	 * The executor rechecks all rows, or those without bounds: always without
	 * images, and from the first row on for which an operator may raise an
	 * error.
	 */
	bool		recheck;
	bool		recheck_unbounded;
} SpqRtreeRowFilter;

/*
 * The filter of rows and bounds by scalar columns: scalar_filter.c.  Comparisons with
 * codes, which stand first among the others, decide where they can.
 */
typedef struct SpqRtreeScalarFilter
{
	Relation	index;
	SpqRtreeCoder *coder;
	TupleDesc	payload_desc;	/* NULL: scalars are read from codes */

	/* conditions with one value that neither codes nor the executor decide */
	int			nkeys;
	ScanKey    *keys;

	/* conditions with the elements of an array */
	int			nsets;
	SpqRtreeSet *sets;

	/*
	 * The codes that rows can have: those of the first "nprefix" columns
	 * consist of the bits of these elements.  A column compared with one
	 * value has a single element.  nprefix is 0 if comparisons with codes say
	 * the same.
	 */
	int			nprefix;
	SpqRtreeElement single[INDEX_MAX_KEYS];
	const SpqRtreeElement *elements[INDEX_MAX_KEYS];
	int			nelements[INDEX_MAX_KEYS];
} SpqRtreeScalarFilter;

/* The conditions of a scan: an entry matches if it passes the filters. */
typedef struct SpqRtreeConditions
{
	bool		reads_tree;		/* rows with a box may satisfy them */
	bool		reads_nulls;	/* so do all rows without one */
	const SpqRtreeLayout *leaf_layout;

	int			ncomparisons;
	int			ncodes;			/* of these: with codes, the first ones */
	SpqRtreeBoundsFilter bounds;
	SpqRtreeRowFilter rows;
	SpqRtreeScalarFilter scalars;

	/* conditions with arrays on the spatial column: choice.c */
	int			nchoices;
	SpqRtreeChoice *choices;

	/* memory for calls of operators, or NULL: calls.c */
	MemoryContext arguments;	/* of the scan, not toasted */
	MemoryContext short_lived;
} SpqRtreeConditions;

/* Add a comparison, with the columns of leaves and of inner pages. */
static inline void
spq_rtree_add_comparison(SpqRtreeConditions *conditions, const SpqRtreeComparison *comparison)
{
	SpqRtreeComparison *of_rows = &conditions->rows.comparisons[conditions->ncomparisons],
			   *of_bounds = &conditions->bounds.comparisons[conditions->ncomparisons++];

	*of_rows = *of_bounds = *comparison;
	of_rows->end = spq_rtree_row_column(conditions->leaf_layout, comparison);
	of_rows->rounded = spq_rtree_rounded(comparison);
	of_bounds->end = spq_rtree_bounding_end(comparison, conditions->leaf_layout->axes);
}

/* Replace the number of a comparison that was added. */
static inline void
spq_rtree_change_comparison(SpqRtreeConditions *conditions, int which, float8 number)
{
	conditions->bounds.comparisons[which].number = number;
	conditions->rows.comparisons[which].number = number;
	conditions->rows.comparisons[which].rounded =
		spq_rtree_rounded(&conditions->rows.comparisons[which]);
}

#endif							/* SPQ_RTREE_CONDITIONS_FILTERS_H */
