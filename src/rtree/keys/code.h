/*-------------------------------------------------------------------------
 *
 * code.h
 *	  The scalar columns of an index before the box, as one number.
 *
 * In an index on (tenant, floor, b) all scalars of a row together have a *code*, an
 * integer below 2^52, which a float8 holds exactly.  Each column has some bits of
 * it, the first column the highest ones:
 *
 *		| bits of tenant | bits of floor |
 *
 * So equality on the first column, or the first few, is a range of codes: two
 * comparisons, as with an end of a box (kernel.h).  Equality on a later column
 * alone says nothing of the code.
 *
 * If the types are integers (or what is stored as such) and fit together, then
 * bits are values: codes are *exact*, and rows need no other copy of their scalars.
 * Else bits are those of a hash; a leaf has the scalars in payloads, and a row
 * whose code matches is compared there by the operator itself.  A column whose
 * class has no hash function has no bits.
 *
 * NULL has the bits 0, in an exact code a value v those of v + 1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_KEYS_CODE_H
#define SPQ_RTREE_KEYS_CODE_H

#include "access/skey.h"
#include "utils/rel.h"

#include "rtree/class/key_columns.h"

/* The one strategy of a class for scalars. */
#define SPQ_RTREE_EQUAL_STRATEGY	1

/* Bits of a code. */
#define SPQ_RTREE_CODE_BITS		52

/* More columns than an exact code has, of nine bits at least. */
#define SPQ_RTREE_EXACT_MAX		(SPQ_RTREE_CODE_BITS / 9)

/* A column. */
typedef struct SpqRtreeScalar
{
	FmgrInfo   *hash;			/* NULL: has no bits */
	Oid			collation;
	int			bits;
	int			shift;			/* to the lowest of its bits */
} SpqRtreeScalar;

typedef struct SpqRtreeCoder
{
	int			nscalars;
	bool		exact;			/* bits are values */
	SpqRtreeScalar scalars[INDEX_MAX_KEYS];
} SpqRtreeCoder;

/* Raise an error unless all columns of the key but the last one are scalars. */
extern void spq_rtree_check_columns(Relation index);

/* Prepare for an index; of one without scalars it has none. */
extern void spq_rtree_coder_init(SpqRtreeCoder *coder, Relation index);

/* Return the code of a row, or SPQ_RTREE_NO_CODE; values begin with the scalars. */
extern float8 spq_rtree_code_of(const SpqRtreeCoder *coder, const Datum *values,
								const bool *isnull);

/* Return the value of a column in an exact code. */
extern Datum spq_rtree_decode(const SpqRtreeCoder *coder, float8 code, int column,
							  bool *isnull);

/* What a condition of a scan says of the bits of a column. */
typedef enum SpqRtreeBits
{
	SPQ_RTREE_BITS_UNKNOWN,		/* nothing */
	SPQ_RTREE_BITS_KNOWN,
	SPQ_RTREE_BITS_NONE			/* no row can satisfy it */
} SpqRtreeBits;

/* How to find that out for the arguments of a condition. */
typedef struct SpqRtreeArgument
{
	const SpqRtreeScalar *scalar;
	SpqRtreeBits kind;			/* of all arguments, but see below */
	bool		constant;		/* bits are 0 */
	bool		exact;
	bool		other_type;		/* than the column's; then NONE is possible */
	Oid			hash;
	FmgrInfo   *function;
	FmgrInfo	function_space;
} SpqRtreeArgument;

/* Prepare for the arguments of a condition: it may be an array of them. */
extern void spq_rtree_argument_init(SpqRtreeArgument *argument, const SpqRtreeCoder *coder,
									Relation index, ScanKey key);

/*
 * Return whether the operator of a key on a scalar may be asked of rows of which nobody
 * knows whether they are visible: it raises no error.
 */
extern bool spq_rtree_may_ask(Relation index, const ScanKeyData *key);

/* Find the bits of a column in all rows that satisfy its condition with this argument. */
extern SpqRtreeBits spq_rtree_argument_bits(SpqRtreeArgument *argument, Datum value,
											uint64 *bits);

#endif							/* SPQ_RTREE_KEYS_CODE_H */
