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

/* How the values of a type yield their bounds. */
typedef struct SpqRtreeExtension
{
	Oid			type;
	int			axes;
	SpqTypeBoxOf described;		/* by its descriptor, if "type" is not NULL */
	FmgrInfo	function;		/* else by its bounds function */
} SpqRtreeExtension;

/* What is known about the bounds of a value. */
typedef enum SpqRtreeKnown
{
	SPQ_RTREE_KNOWN,
	SPQ_RTREE_PARTLY,			/* not on all axes */
	SPQ_RTREE_ABSENT			/* the value has none */
} SpqRtreeKnown;

extern SpqRtreeExtension *spq_rtree_extension_type(FmgrInfo *flinfo, Oid type, Oid column_type,
												   bool in_space);
extern SpqRtreeKnown spq_rtree_extension_bounds(SpqRtreeExtension *extension, Datum value, float8 *ends);
extern const char *spq_rtree_extension_name(Relation index);
extern bool spq_rtree_extension_has_floats(Relation index);
extern SpqRtreeCondition spq_rtree_extension_box_condition(Relation index, int strategy,
														   const float8 *box);

#endif							/* SPQ_RTREE_EXTENSION_CLASS_EXTENSION_CLASS_H */
