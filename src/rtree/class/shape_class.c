/*-------------------------------------------------------------------------
 *
 * shape_class.c
 *	  The operator classes for circle, polygon, lseg and path: support functions.
 *	  See class.h and shape.h.
 *
 * The index has the bounds of a shape, not the shape.  So the executor
 * evaluates the operator for each row found, and sorts by distances that it
 * computes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "rtree/class/gap.h"
#include "rtree/class/shape.h"
#include "types/registry.h"

static void
set_condition(const ScanKeyData *key, const SpqType *own, SpqRtreeCondition *condition)
{
	SpqRtreeShape shape = spq_rtree_shape(key, spq_type_class_row(own, key->sk_strategy));

	spq_rtree_shape_condition(&shape, condition);
}

static void
set_order(const ScanKeyData *key, const SpqType *own, SpqRtreeOrder *order)
{
	SpqRtreeShape shape = spq_rtree_shape(key, spq_type_class_row(own, key->sk_strategy));

	order->distance = spq_rtree_bound_of_row;
	order->least = spq_rtree_shape_least;
	order->argument = NULL;
	memcpy(order->numbers, &shape.box, sizeof(shape.box));
}

/*
 * _spqtree_TYPE_ends(TYPE, internal), _spqtree_TYPE_condition(internal, internal) and
 * _spqtree_TYPE_order(internal, internal), which return void.
 */
#define SUPPORT_FUNCTIONS(type) \
PG_FUNCTION_INFO_V1(spq_rtree_##type##_ends); \
PG_FUNCTION_INFO_V1(spq_rtree_##type##_condition); \
PG_FUNCTION_INFO_V1(spq_rtree_##type##_order); \
\
Datum \
spq_rtree_##type##_ends(PG_FUNCTION_ARGS) \
{ \
	spq_rtree_shape_ends(&spq_type_##type, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1)); \
	PG_RETURN_VOID(); \
} \
\
Datum \
spq_rtree_##type##_condition(PG_FUNCTION_ARGS) \
{ \
	set_condition((const ScanKeyData *) PG_GETARG_POINTER(0), &spq_type_##type, \
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1)); \
	PG_RETURN_VOID(); \
} \
\
Datum \
spq_rtree_##type##_order(PG_FUNCTION_ARGS) \
{ \
	set_order((const ScanKeyData *) PG_GETARG_POINTER(0), &spq_type_##type, \
			  (SpqRtreeOrder *) PG_GETARG_POINTER(1)); \
	PG_RETURN_VOID(); \
} \
\
extern int	no_such_variable

SUPPORT_FUNCTIONS(circle);
SUPPORT_FUNCTIONS(polygon);
SUPPORT_FUNCTIONS(lseg);
SUPPORT_FUNCTIONS(path);
