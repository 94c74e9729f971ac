/*-------------------------------------------------------------------------
 *
 * extension_class.h
 *	  Bounds of values of other extensions' types.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_EXTENSION_CLASS_EXTENSION_CLASS_H
#define SPQ_RTREE_EXTENSION_CLASS_EXTENSION_CLASS_H

#include "fmgr.h"
#include "utils/relcache.h"

#include "rtree/class/condition.h"
#include "types/type.h"

/* How the values of a type yield their bounds, in a class of a column's type. */
typedef struct SpqRtreeExtension
{
	Oid			type;
	const SpqType *column;
	SpqTypeBoxOf how;			/* its type is NULL if nothing is known */
} SpqRtreeExtension;

/* What is known about the bounds of a value. */
typedef enum SpqRtreeKnown
{
	SPQ_RTREE_KNOWN,
	SPQ_RTREE_PARTLY,			/* not on all axes */
	SPQ_RTREE_ABSENT			/* the value has none */
} SpqRtreeKnown;

extern SpqRtreeExtension *spq_rtree_extension_type(FmgrInfo *flinfo, Oid type, Oid column_type,
												   int axes);
extern SpqRtreeKnown spq_rtree_extension_bounds(const SpqRtreeExtension *extension, Datum value,
												float8 *ends);
extern const SpqType *spq_rtree_extension_described(Relation index);
extern bool spq_rtree_extension_has_floats(Relation index);
extern SpqRtreeCondition spq_rtree_extension_box_condition(Relation index, int strategy,
														   const float8 *box);

#endif							/* SPQ_RTREE_EXTENSION_CLASS_EXTENSION_CLASS_H */
