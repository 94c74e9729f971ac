/*-------------------------------------------------------------------------
 *
 * own_function.h
 *	  Functions of this library, known by their symbols.
 *
 * The extension can be in any schema, and anyone can use the SQL name of a
 * function.  The name of a C function in our library is ours alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_OWN_FUNCTION_H
#define SPQ_TYPES_OWN_FUNCTION_H

/* Return the symbol of a function of this library, palloc'd, or NULL for any other. */
extern char *spq_own_symbol(Oid function);

/* Return the place of a function's symbol among these, or -1. */
extern int	spq_own_symbol_place(Oid function, const char *const *symbols, int count);

/* Return whether a function is of this library and its symbol begins with this. */
extern bool spq_own_prefix(Oid function, const char *prefix);

/*
 * Return the function of this extension with this name and these argument types, if
 * its symbol begins with the prefix and the user may call it; else InvalidOid.
 */
extern Oid	spq_own_function(const char *name, const char *prefix, int nargs,
							 const Oid *types);

#endif							/* SPQ_TYPES_OWN_FUNCTION_H */
