/*-------------------------------------------------------------------------
 *
 * default_class.h
 *	  The default operator class of a type, cached.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_DEFAULT_CLASS_H
#define SPQ_TYPES_DEFAULT_CLASS_H

extern Oid	spq_type_default_class(Oid type, Oid access_method);

#endif							/* SPQ_TYPES_DEFAULT_CLASS_H */
