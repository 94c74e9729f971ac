/*-------------------------------------------------------------------------
 *
 * kept_polygon.c
 *	  Polygons as arguments of functions: values from TOAST tables are kept
 *	  between calls.
 *
 * A join calls a function with the same large polygon and one box after
 * another.  Fetching and decompressing it takes much longer than most answers.
 * So each call site keeps the last polygon of each argument that came from a
 * TOAST table, and finds it by its TOAST pointer in the row.  (A pointer names
 * another value only after the OIDs of the TOAST table have been used up
 * once.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"

#include "compat.h"
#include "shapes/functions/kept_polygon.h"

typedef struct KeptPolygon
{
	struct varatt_external pointer;
	POLYGON    *polygon;		/* NULL: nothing is kept */
} KeptPolygon;

#define MAX_ARGUMENTS	2

/* Return where a call site keeps an argument, or NULL if it cannot. */
static KeptPolygon *
place_of(FunctionCallInfo fcinfo, int n)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	Assert(n < MAX_ARGUMENTS);
	if (flinfo == NULL)
		return NULL;
	if (flinfo->fn_extra == NULL)
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt,
												  MAX_ARGUMENTS * sizeof(KeptPolygon));
	return (KeptPolygon *) flinfo->fn_extra + n;
}

/* Return a polygon, for spq_polygon_release(). */
POLYGON *
spq_polygon_argument(FunctionCallInfo fcinfo, int n)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(PG_GETARG_DATUM(n));
	KeptPolygon *kept = VARATT_IS_EXTERNAL_ONDISK(stored) ? place_of(fcinfo, n) : NULL;
	struct varatt_external pointer;
	MemoryContext old;

	if (kept == NULL)
		return PG_GETARG_POLYGON_P(n);
	VARATT_EXTERNAL_GET_POINTER(pointer, stored);
	if (kept->polygon != NULL)
	{
		if (memcmp(&pointer, &kept->pointer, sizeof(pointer)) == 0)
			return kept->polygon;
		pfree(kept->polygon);
		kept->polygon = NULL;	/* should the next step fail */
	}
	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	kept->polygon = PG_GETARG_POLYGON_P(n);
	MemoryContextSwitchTo(old);
	kept->pointer = pointer;
	return kept->polygon;
}

/* Free a copy of a polygon that is not kept. */
void
spq_polygon_release(FunctionCallInfo fcinfo, int n, const POLYGON *polygon)
{
	Pointer		stored = DatumGetPointer(PG_GETARG_DATUM(n));

	if ((Pointer) polygon != stored &&
		(!VARATT_IS_EXTERNAL_ONDISK(stored) || fcinfo->flinfo == NULL))
		pfree(unconstify(POLYGON *, polygon));
}
