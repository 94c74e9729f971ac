/*-------------------------------------------------------------------------
 *
 * code.h
 *	  The scalar columns of an index before the box, as one number.
 *
 * In an index on (tenant, floor, b), all scalars of a row together have a
 * *code*, an integer below 2^52, which a float8 represents exactly.  Each
 * column has some of its bits, the first column the highest ones:
 *
 *		| bits of tenant | bits of floor |
 *
 * So equality on the first column, or the first few, is a range of codes: two
 * comparisons, as with an end of a box (kernel.h).  Equality on a later column
 * alone does not restrict the code.
 *
 * If the types are integers (or stored as such) and their bits fit together,
 * bits are values: codes are *exact*, and rows need no other copy of their
 * scalars.  Otherwise bits are those of a hash.  A leaf then has the scalars in
 * payloads, where the operator itself compares rows with a matching code.  A
 * column whose class has no hash function has no bits.
 *
 * NULL has the bits 0; in an exact code, a value v has those of v + 1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_KEYS_CODE_H
#define SPQ_RTREE_KEYS_CODE_H

#include "access/skey.h"
#include "utils/rel.h"

#include "rtree/class/key_columns.h"

/* Bits of a code. */
#define SPQ_RTREE_CODE_BITS		52

/* The most columns that an exact code has, each with at least nine bits. */
#define SPQ_RTREE_EXACT_MAX		(SPQ_RTREE_CODE_BITS / 9)

/* A scalar column. */
typedef struct SpqRtreeScalar
{
	FmgrInfo   *hash;			/* NULL: it has no bits */
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

/* Raise an error unless the key is scalar columns, then spatial ones. */
extern void spq_rtree_check_columns(Relation index);

/* Prepare for an index, which may have no scalars. */
extern void spq_rtree_coder_init(SpqRtreeCoder *coder, Relation index);

/*
 * Return the code of a row, or SPQ_RTREE_NO_CODE if there are no scalars.  The
 * values begin with the scalars.
 */
extern float8 spq_rtree_code_of(const SpqRtreeCoder *coder, const Datum *values,
								const bool *isnull);

/* Return the value of a column in an exact code. */
extern Datum spq_rtree_decode(const SpqRtreeCoder *coder, float8 code, int column,
							  bool *isnull);

/* What a condition of a scan says about the bits of a column. */
typedef enum SpqRtreeBits
{
	SPQ_RTREE_BITS_UNKNOWN,		/* nothing */
	SPQ_RTREE_BITS_KNOWN,
	SPQ_RTREE_BITS_NONE			/* no row can satisfy it */
} SpqRtreeBits;

/* How to find the bits for the arguments of a condition. */
typedef struct SpqRtreeArgument
{
	const SpqRtreeScalar *scalar;
	SpqRtreeBits kind;			/* of all arguments, except as below */
	bool		constant;		/* bits are 0 */
	bool		exact;
	bool		other_type;		/* than the column's: NONE is possible */
	Oid			hash;
	FmgrInfo   *function;
	FmgrInfo	function_space;
} SpqRtreeArgument;

/*
 * Prepare for the arguments of a condition, which may have an array of them.
 */
extern void spq_rtree_argument_init(SpqRtreeArgument *argument, const SpqRtreeCoder *coder,
									Relation index, ScanKey key);

/*
 * Return whether the operator of a key on a scalar raises no error, so that it
 * may be evaluated for rows whose visibility is not known.
 */
extern bool spq_rtree_may_ask(Relation index, const ScanKeyData *key);

/*
 * Find the bits of a column in the rows that satisfy its condition with this
 * argument.
 */
extern SpqRtreeBits spq_rtree_argument_bits(SpqRtreeArgument *argument, Datum value,
											uint64 *bits);

#endif							/* SPQ_RTREE_KEYS_CODE_H */
