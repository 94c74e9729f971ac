/*-------------------------------------------------------------------------
 *
 * type_kind.h
 *	  How the values of a type yield their box.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_TYPE_KIND_H
#define SPQ_SPATIAL_OPERATORS_TYPE_KIND_H

#include "spatial/operators/value_box.h"

/*
 * Set the kind of a type of PostgreSQL or of this extension.  Return false for all
 * others, domains among them, and for segments, paths and rays.
 */
extern bool spq_spatial_kind_of_type(Oid type, SpqSpatialKind *kind);

#endif							/* SPQ_SPATIAL_OPERATORS_TYPE_KIND_H */
