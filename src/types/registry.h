/*-------------------------------------------------------------------------
 *
 * registry.h
 *	  All types, and the type of a value or an operator.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_REGISTRY_H
#define SPQ_TYPES_REGISTRY_H

#include "types/type.h"

/* All types, then the other ways to get a box.  Ends with NULL. */
extern const SpqType *const spq_types[];

/*
 * Return the number that stands for a type in a plan: its place in the list, or
 * if it is of another extension, its OID.
 */
extern int	spq_type_number(const SpqType *type, Oid oid);

/* class_row.c */

/*
 * Return the row of the operator with this strategy number in the class of a
 * type of ours.
 */
extern const SpqTypeOperator *spq_type_class_row(const SpqType *left, int strategy);

/* Return the row with this strategy number among the operators of a type, or NULL. */
extern const SpqTypeOperator *spq_type_own_row(const SpqType *type, int strategy);

/* type_of.c */

/* Return the type for which a number stands. */
extern const SpqType *spq_type_numbered(int number);

/*
 * Return the type with this OID, or NULL if nothing is known of it, as of
 * domains.
 */
extern const SpqType *spq_type_of(Oid type);

/*
 * Return the function of the default class that describes a type of another
 * extension, or InvalidOid.
 */
extern Oid	spq_type_support_function(Oid type);

/*
 * Return the descriptor of a type that such a function returns, and check its
 * version.
 */
extern const SpqType *spq_type_described_by(FmgrInfo *function, Oid type);

/* Return what is known of the operator that a function evaluates, or NULL. */
extern const SpqTypeOperator *spq_type_operator(Oid function);

/* Return whether a function is a distance of values of these types. */
extern bool spq_type_is_distance(Oid function, bool *fuzzy);

/* Return whether a function makes a value, and raises no error for any argument. */
extern bool spq_type_is_harmless(Oid function);

#endif							/* SPQ_TYPES_REGISTRY_H */
