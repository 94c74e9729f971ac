/*-------------------------------------------------------------------------
 *
 * member.h
 *	  Functions that the descriptors of other extensions' types name.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_MEMBER_H
#define SPQ_SPATIAL_EXTENSION_MEMBER_H

#include "nodes/primnodes.h"

#include "types/type.h"

/* For all types, those that have no descriptor with functions, too. */
extern const SpqType *spq_spatial_member_type(Oid type);
extern Oid	spq_spatial_find_bounds(Oid type);
extern Oid	spq_spatial_bounds_function(Oid type, bool distance);
extern Oid	spq_spatial_bounds3_function(Oid type);
extern Oid	spq_spatial_bounds_along_function(Oid type);
extern Oid	spq_spatial_radius_function(Oid arc, Oid type);
extern Oid	spq_spatial_within_function(Oid type, int nargs, const Oid *types);
extern Oid	spq_spatial_type_function(Oid type, const char *name, int nargs, const Oid *types);

/* For all functions. */
extern bool spq_spatial_is_bounds(Oid function);
extern bool spq_spatial_is_plain_bounds(Oid function);
extern bool spq_spatial_is_harmless_member(Oid function);
extern bool spq_spatial_is_distance(Oid function);
extern Oid	spq_spatial_implied(Oid function);
extern Oid	spq_spatial_equivalent(Oid function);
extern Oid	spq_spatial_tried(Oid function);
extern FuncExpr *spq_spatial_bounds_without_call(const FuncExpr *bounds);

#endif							/* SPQ_SPATIAL_EXTENSION_MEMBER_H */
