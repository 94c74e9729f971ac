/*-------------------------------------------------------------------------
 *
 * numbers.c
 *	  Numbers in a picture: short coordinates, readable counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/elements/elements.h"

/*
 * Append a coordinate of the paper, rounded to tenths, in as few characters as
 * possible, because most of a picture is coordinates.
 */
void
spq_picture_append_tenths(StringInfo svg, float8 value)
{
	int64		tenths = (int64) rint(value * 10);

	if (tenths < 0)
		appendStringInfoChar(svg, '-');
	tenths = tenths < 0 ? -tenths : tenths;
	if (tenths >= 10 || tenths == 0)
		appendStringInfo(svg, INT64_FORMAT, tenths / 10);
	if (tenths % 10 != 0)
		appendStringInfo(svg, ".%d", (int) (tenths % 10));
}

/* Append 1234567 as 1,234,567. */
void
spq_picture_append_count(StringInfo svg, int64 count)
{
	char		digits[32];
	int			n = snprintf(digits, sizeof(digits), INT64_FORMAT, count);

	for (int i = 0; i < n; i++)
	{
		if (i > 0 && (n - i) % 3 == 0)
			appendStringInfoChar(svg, ',');
		appendStringInfoChar(svg, digits[i]);
	}
}

/* Append a round number in few characters: 0.01, 500, 2k, 5M, 1e+12. */
void
spq_picture_append_short(StringInfo svg, float8 value)
{
	if (fabs(value) >= 1e3 && fabs(value) < 1e6)
		appendStringInfo(svg, "%gk", value / 1e3);
	else if (fabs(value) >= 1e6 && fabs(value) < 1e9)
		appendStringInfo(svg, "%gM", value / 1e6);
	else
		appendStringInfo(svg, "%g", value);
}

/*
 * Append a coordinate for readers, with a precision of about a thousandth of
 * the range shown.
 */
void
spq_picture_append_coordinate(StringInfo svg, float8 value, float8 shown)
{
	int			decimals = 3 - (int) ceil(log10(shown));

	if (fabs(value) < 1e12 && decimals <= 12)
	{
		float8		unit = decimals < 0 ? pow(10, -decimals) : 1;

		if (decimals < 0)
			value = rint(value / unit) * unit;
		/* no minus before zero */
		appendStringInfo(svg, "%.*f", Max(decimals, 0),
						 fabs(value) * pow(10, decimals) < 0.5 ? 0.0 : value);
	}
	else
		appendStringInfo(svg, "%.6g", value);
}
