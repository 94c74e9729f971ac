/*-------------------------------------------------------------------------
 *
 * call.h
 *	  A call of a function that PostGIS' function of the same name may decide.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_CALL_H
#define SPQ_GIS_CALL_H

#include "fmgr.h"

#include "kept.h"

#define SPQ_GIS_MAX_ARGS	4

/* State of one call in a query. */
typedef struct SpqGisCall
{
	FmgrInfo	original;		/* found when it is called first */
	SpqGisKept *kept;
} SpqGisCall;

extern SpqGisCall *spq_gis_get_call(FmgrInfo *flinfo, SpqGisMake make);
extern Datum spq_gis_ask(FunctionCallInfo fcinfo, SpqGisCall *call);

#endif							/* SPQ_GIS_CALL_H */
