/*-------------------------------------------------------------------------
 *
 * extension_function.h
 *	  Functions of other extensions, known by name and owner.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_EXTENSION_FUNCTION_H
#define SPQ_TYPES_EXTENSION_FUNCTION_H

extern Oid	spq_extension_function(const char *name, int nargs, const Oid *types, Oid extension);
extern bool spq_extension_body_finds(Oid function, Oid called);

#endif							/* SPQ_TYPES_EXTENSION_FUNCTION_H */
