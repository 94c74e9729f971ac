/*-------------------------------------------------------------------------
 *
 * number.c
 *	  Values of ordered types as float8.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "datatype/timestamp.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/cash.h"
#include "utils/date.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/pg_lsn.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "range/number.h"

/* Below this, float8 has every half of a whole number. */
#define HALVES_END	((float8) (INT64CONST(1) << 52))

/* Fewer days than this have fewer microseconds. */
#define EXACT_DAYS	((INT64CONST(1) << 52) / USECS_PER_DAY)

/* Return how values of a type, or of a domain over it, become numbers. */
SpqNumberKind
spq_number_kind(Oid type)
{
	switch (getBaseType(type))
	{
		case INT2OID:
			return SPQ_NUMBER_INT2;
		case INT4OID:
			return SPQ_NUMBER_INT4;
		case INT8OID:
			return SPQ_NUMBER_INT8;
		case FLOAT4OID:
			return SPQ_NUMBER_FLOAT4;
		case FLOAT8OID:
			return SPQ_NUMBER_FLOAT8;
		case NUMERICOID:
			return SPQ_NUMBER_NUMERIC;
		case DATEOID:
			return SPQ_NUMBER_DATE;
		case TIMESTAMPOID:
			return SPQ_NUMBER_TIMESTAMP;
		case TIMESTAMPTZOID:
			return SPQ_NUMBER_TIMESTAMPTZ;
		case TIMEOID:
			return SPQ_NUMBER_TIME;
		case INTERVALOID:
			return SPQ_NUMBER_INTERVAL;
		case OIDOID:
			return SPQ_NUMBER_OID;
		case MONEYOID:
			return SPQ_NUMBER_MONEY;
		case PG_LSNOID:
			return SPQ_NUMBER_LSN;
		case UUIDOID:
			return SPQ_NUMBER_UUID;
		default:
			return SPQ_NUMBER_NONE;
	}
}

/*
 * Return whether the order of values of two kinds, by the operators of one
 * operator family, is that of their numbers.
 *
 * Dates and timestamps are numbers of microseconds since 2000.  A date or
 * timestamp is compared with a timestamp with time zone by way of the session's
 * time zone, so they are not comparable here.
 */
bool
spq_numbers_comparable(SpqNumberKind a, SpqNumberKind b)
{
	if (a == SPQ_NUMBER_NONE || b == SPQ_NUMBER_NONE)
		return false;
	if (a == SPQ_NUMBER_DATE || a == SPQ_NUMBER_TIMESTAMP)
		return b == SPQ_NUMBER_DATE || b == SPQ_NUMBER_TIMESTAMP;
	if (a <= SPQ_NUMBER_INT8)
		return b <= SPQ_NUMBER_INT8;
	if (a == SPQ_NUMBER_FLOAT4 || a == SPQ_NUMBER_FLOAT8)
		return b == SPQ_NUMBER_FLOAT4 || b == SPQ_NUMBER_FLOAT8;
	return a == b;
}

/*
 * Return whether low and high are always within two units in the last place of a
 * value, unless they are infinite.  The numbers of a large interval are those of the
 * ends of a day.
 */
bool
spq_number_is_close(SpqNumberKind kind)
{
	return kind != SPQ_NUMBER_INTERVAL;
}

/* Return the number of a value that is this number, rounded. */
static SpqNumber
rounded(float8 value)
{
	SpqNumber	number;

	number.low = number.above = nextafter(value, -get_float8_infinity());
	number.high = number.below = nextafter(value, get_float8_infinity());
	return number;
}

/* Return the number of one of the ends of a type. */
static SpqNumber
infinite(bool positive)
{
	SpqNumber	number;

	number.low = number.high = number.above = number.below =
		positive ? get_float8_infinity() : -get_float8_infinity();
	return number;
}

/*
 * Return the number of a value whose neighbors are at least 1 away, computed
 * with at most one rounding.
 */
static SpqNumber
whole(float8 value)
{
	SpqNumber	number;

	if (!(fabs(value) < HALVES_END))
		return rounded(value);
	number.low = number.high = value;
	number.above = value + 0.5;
	number.below = value - 0.5;
	return number;
}

/* As in the order of float8, NaN is above infinity; here it is infinity. */
static SpqNumber
of_float8(float8 value)
{
	SpqNumber	number;

	if (isnan(value) || isinf(value))
		return infinite(isnan(value) || value > 0);
	number.low = number.high = number.above = value;
	number.below = nextafter(value, -get_float8_infinity());
	return number;
}

/* A numeric beyond float8 is infinite, and above the largest float8. */
static SpqNumber
of_numeric(Datum value)
{
	float8		nearest = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));

	return isnan(nearest) ? infinite(true) : rounded(nearest);
}

static SpqNumber
of_timestamp(Timestamp value)
{
	if (TIMESTAMP_NOT_FINITE(value))
		return infinite(TIMESTAMP_IS_NOEND(value));
	return whole(value);
}

static SpqNumber
of_date(DateADT value)
{
	if (DATE_NOT_FINITE(value))
		return infinite(DATE_IS_NOEND(value));
	return whole(value * (float8) USECS_PER_DAY);
}

/*
 * PostgreSQL compares intervals as if months had 30 days, and days 24 hours.
 * Equal intervals get the same number, whatever units they are written in.  If
 * it is large, it is that of whole days.
 */
static SpqNumber
of_interval(const Interval *value)
{
	int64		days = value->month * (int64) DAYS_PER_MONTH + value->day +
		value->time / USECS_PER_DAY,
				time = value->time % USECS_PER_DAY;
	SpqNumber	number;

	if (time < 0)
	{
		days--;
		time += USECS_PER_DAY;
	}
	if (days >= -EXACT_DAYS && days < EXACT_DAYS)
		return whole((float8) (days * USECS_PER_DAY + time));
	number = rounded(days * (float8) USECS_PER_DAY);
	number.high = number.below = rounded((days + 1) * (float8) USECS_PER_DAY - 1).high;
	return number;
}

/* The first 8 bytes of an uuid decide most comparisons. */
static SpqNumber
of_uuid(const pg_uuid_t *value)
{
	uint64		first;

	memcpy(&first, value->data, sizeof(first));
	return rounded((float8) pg_ntoh64(first));
}

/* Return the number of a value that is not NULL. */
SpqNumber
spq_number_of(SpqNumberKind kind, Datum value)
{
	switch (kind)
	{
		case SPQ_NUMBER_INT2:
			return whole(DatumGetInt16(value));
		case SPQ_NUMBER_INT4:
			return whole(DatumGetInt32(value));
		case SPQ_NUMBER_INT8:
			return whole(DatumGetInt64(value));
		case SPQ_NUMBER_FLOAT4:
			return of_float8(DatumGetFloat4(value));
		case SPQ_NUMBER_FLOAT8:
			return of_float8(DatumGetFloat8(value));
		case SPQ_NUMBER_NUMERIC:
			return of_numeric(value);
		case SPQ_NUMBER_DATE:
			return of_date(DatumGetDateADT(value));
		case SPQ_NUMBER_TIMESTAMP:
		case SPQ_NUMBER_TIMESTAMPTZ:
			return of_timestamp(DatumGetTimestamp(value));
		case SPQ_NUMBER_TIME:
			return whole(DatumGetTimeADT(value));
		case SPQ_NUMBER_INTERVAL:
			return of_interval(DatumGetIntervalP(value));
		case SPQ_NUMBER_OID:
			return whole(DatumGetObjectId(value));
		case SPQ_NUMBER_MONEY:
			return whole(DatumGetCash(value));
		case SPQ_NUMBER_LSN:
			return whole((float8) DatumGetLSN(value));
		case SPQ_NUMBER_UUID:
			return of_uuid(DatumGetUUIDP(value));
		case SPQ_NUMBER_NONE:
			break;
	}
	elog(ERROR, "values of this type are no numbers");
}

/* Return the number of the value of a kind that is about this one.  NaN is infinity. */
SpqNumber
spq_number_from(SpqNumberKind kind, float8 value)
{
	switch (kind)
	{
		case SPQ_NUMBER_FLOAT4:
		case SPQ_NUMBER_FLOAT8:
			return of_float8(value);
		case SPQ_NUMBER_NUMERIC:
		case SPQ_NUMBER_UUID:
			return isnan(value) || isinf(value) ? of_float8(value) : rounded(value);
		default:
			return isnan(value) || isinf(value) ? of_float8(value) : whole(rint(value));
	}
}
