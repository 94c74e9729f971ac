/*-------------------------------------------------------------------------
 *
 * default_class.h
 *	  The default operator class of a type, cached.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_DEFAULT_CLASS_H
#define SPQ_SPATIAL_EXTENSION_DEFAULT_CLASS_H

extern Oid	spq_spatial_default_class(Oid type, Oid access_method);

#endif							/* SPQ_SPATIAL_EXTENSION_DEFAULT_CLASS_H */
