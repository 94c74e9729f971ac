/*-------------------------------------------------------------------------
 *
 * class.h
 *	  What an operator class supplies: numbers.
 *
 * Pages, kernels, build and insertion belong to the access method and know only
 * SPQ_RTREE_ENDS numbers per row.  A class has three support functions:
 *
 *	1	ends(type, internal) returns void: the ends of a datum, into a float8
 *		array of SPQ_RTREE_ENDS numbers.  For a type of that very size they are
 *		its image, and index-only scans return it.
 *	2	condition(internal, internal) returns void: of the ScanKey in the first
 *		argument, the SpqRtreeCondition in the second.
 *	3	order(internal, internal) returns void: of an ORDER BY ScanKey, the
 *		SpqRtreeOrder in the second argument.  A class without orders has none.
 *
 * Support functions are called once a row built or inserted, and once a scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_H
#define SPQ_RTREE_CLASS_H

#include "access/skey.h"
#include "utils/rel.h"

#include "rtree/condition.h"
#include "rtree/page.h"

#define SPQ_RTREE_ENDS_PROC			1
#define SPQ_RTREE_CONDITION_PROC	2
#define SPQ_RTREE_ORDER_PROC		3
#define SPQ_RTREE_PROCS				3

/* A nearest-neighbor order. */
typedef struct SpqRtreeOrder SpqRtreeOrder;
struct SpqRtreeOrder
{
	/* Return what the operator returns for a row, to the last bit. */
	float8		(*distance) (const SpqRtreeOrder *order, const float8 *ends);

	/*
	 * For each of the eight entries of a group, set a lower bound of that for
	 * all rows whose bounds its ends enclose; not below zero, and not NaN.
	 * The ends are those of an inner page, or of a leaf without NaN: then
	 * corners may be the wrong way round.
	 */
	void		(*least) (const SpqRtreeOrder *order,
						  const float8 (*ends)[SPQ_RTREE_GROUP], float8 *least);

	/* What the two need of the query, to be used as the class wants. */
	const void *argument;
	float8		numbers[SPQ_RTREE_ENDS];
};

/*
 * Return the ends of a datum.  The FmgrInfo is that of support function 1
 * (index_getprocinfo(index, 1, SPQ_RTREE_ENDS_PROC)).
 */
static inline void
spq_rtree_class_ends(FmgrInfo *ends_proc, Datum value, float8 *ends)
{
	FunctionCall2(ends_proc, value, PointerGetDatum(ends));
}

/*
 * Return whether the ends of a row are the image of its datum: so for all
 * classes whose type is passed by reference and as large as the ends.
 */
static inline bool
spq_rtree_returns_key(Relation index)
{
	return TupleDescAttr(RelationGetDescr(index), 0)->attlen ==
		SPQ_RTREE_ENDS * (int) sizeof(float8);
}

#endif							/* SPQ_RTREE_CLASS_H */
