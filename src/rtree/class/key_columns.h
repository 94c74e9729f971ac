/*-------------------------------------------------------------------------
 *
 * key_columns.h
 *	  The key columns of an index: scalar columns, then the spatial ones.
 *
 * There is one spatial column, the last one of the key.  But if the key ends
 * with several columns of classes for both positions that store two numbers
 * (class.h), up to three of them are spatial, each with an axis of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_KEY_COLUMNS_H
#define SPQ_RTREE_CLASS_KEY_COLUMNS_H

#include "access/genam.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "rtree/page/bounds.h"
#include "types/registry.h"

/* Support functions of a class; class.h describes them. */
#define SPQ_RTREE_ENDS_PROC			1
#define SPQ_RTREE_CONDITION_PROC	2
#define SPQ_RTREE_ORDER_PROC		3
#define SPQ_RTREE_HASH_PROC			4
#define SPQ_RTREE_TYPE_PROC			SPQ_TYPE_SUPPORT
#define SPQ_RTREE_PROCS				5

/* Equality, the one strategy of a scalar column. */
#define SPQ_RTREE_EQUAL_STRATEGY	1

/*
 * Return whether the class of a key column is for both positions, scalar and
 * spatial.
 */
static inline bool
spq_rtree_class_is_for_both(Relation index, int column)
{
	return OidIsValid(index_getprocid(index, column, SPQ_RTREE_ENDS_PROC)) &&
		OidIsValid(index_getprocid(index, column, SPQ_RTREE_HASH_PROC));
}

/*
 * Return the type whose boxes a class for both positions stores, or NULL if it
 * is another class, or stores two numbers.
 */
static inline const SpqType *
spq_rtree_boxed_type(Relation index, int column)
{
	if (!spq_rtree_class_is_for_both(index, column) ||
		!OidIsValid(index_getprocid(index, column, SPQ_RTREE_TYPE_PROC)))
		return NULL;
	return spq_type_described_by(index_getprocinfo(index, column, SPQ_RTREE_TYPE_PROC),
								 index->rd_opcintype[column - 1]);
}

/* The same for a class of this family, given the type that it indexes. */
static inline const SpqType *
spq_rtree_family_boxed_type(Oid family, Oid type)
{
	if (!OidIsValid(get_opfamily_proc(family, type, type, SPQ_RTREE_HASH_PROC)) ||
		!OidIsValid(get_opfamily_proc(family, type, type, SPQ_RTREE_TYPE_PROC)))
		return NULL;
	return spq_type_of(type);
}

/* Return whether a class for both positions stores two numbers. */
static inline bool
spq_rtree_class_has_axis(Relation index, int column)
{
	return spq_rtree_class_is_for_both(index, column) &&
		spq_rtree_boxed_type(index, column) == NULL;
}

/* Return the number of spatial columns. */
static inline int
spq_rtree_spatial_columns(Relation index)
{
	int			last = IndexRelationGetNumberOfKeyAttributes(index),
				n = 1;

	if (last == 1 || !spq_rtree_class_has_axis(index, last))
		return 1;
	while (n < Min(last, SPQ_RTREE_AXES) && spq_rtree_class_has_axis(index, last - n))
		n++;
	return n;
}

/* Return the number of the first spatial column. */
static inline int
spq_rtree_box_column(Relation index)
{
	return IndexRelationGetNumberOfKeyAttributes(index) - spq_rtree_spatial_columns(index) + 1;
}

static inline bool
spq_rtree_has_scalars(Relation index)
{
	return spq_rtree_box_column(index) > 1;
}

#endif							/* SPQ_RTREE_CLASS_KEY_COLUMNS_H */
