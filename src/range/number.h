/*-------------------------------------------------------------------------
 *
 * number.h
 *	  Values of ordered types as float8.
 *
 * The numbers keep the order of the values: if a <= b for the type, then the
 * low number of a is at most the high number of b.  Most values have one exact
 * number, which is both.  Other values lie between two neighboring numbers:
 *
 *		int, timestamp ... of less than 2^52		float8			others
 *
 *		  below  low  above							below low		low		high
 *		----|-----|-----|----					------|---|---		-|---v---|-
 *		   -1/2  high  +1/2							 high above	   above   below
 *					above							 pred
 *
 * "above" is the low number of what is just above a value, the lower bound of
 * a range that excludes it; "below" is the high number of what is just below.
 * Whole numbers leave room for both, so for these types the numbers of bounds
 * are ordered exactly as the bounds are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RANGE_NUMBER_H
#define SPQ_RANGE_NUMBER_H

/* How a type's values become numbers. */
typedef enum SpqNumberKind
{
	SPQ_NUMBER_NONE,			/* they do not */
	SPQ_NUMBER_INT2,
	SPQ_NUMBER_INT4,
	SPQ_NUMBER_INT8,
	SPQ_NUMBER_FLOAT4,
	SPQ_NUMBER_FLOAT8,
	SPQ_NUMBER_NUMERIC,
	SPQ_NUMBER_DATE,
	SPQ_NUMBER_TIMESTAMP,
	SPQ_NUMBER_TIMESTAMPTZ,
	SPQ_NUMBER_TIME,
	SPQ_NUMBER_INTERVAL,
	SPQ_NUMBER_OID,
	SPQ_NUMBER_MONEY,
	SPQ_NUMBER_LSN,
	SPQ_NUMBER_UUID
} SpqNumberKind;

typedef struct SpqNumber
{
	float8		low;			/* at most the value */
	float8		high;			/* at least the value */
	float8		above;			/* at most any larger value */
	float8		below;			/* at least any smaller value */
} SpqNumber;

extern SpqNumberKind spq_number_kind(Oid type);
extern SpqNumber spq_number_of(SpqNumberKind kind, Datum value);
extern SpqNumber spq_number_from(SpqNumberKind kind, float8 value);
extern bool spq_number_is_close(SpqNumberKind kind);
extern bool spq_numbers_comparable(SpqNumberKind a, SpqNumberKind b);

#endif							/* SPQ_RANGE_NUMBER_H */
