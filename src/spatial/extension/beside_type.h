/*-------------------------------------------------------------------------
 *
 * beside_type.h
 *	  Functions that belong to the extension of a type, or to an extension that
 *	  requires it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_BESIDE_TYPE_H
#define SPQ_SPATIAL_EXTENSION_BESIDE_TYPE_H

extern bool spq_spatial_is_beside_type(Oid function, Oid type);

#endif							/* SPQ_SPATIAL_EXTENSION_BESIDE_TYPE_H */
