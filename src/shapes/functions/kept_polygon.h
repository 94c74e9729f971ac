/*-------------------------------------------------------------------------
 *
 * kept_polygon.h
 *	  Polygons as arguments of functions: values from TOAST tables are kept
 *	  between calls.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHAPES_FUNCTIONS_KEPT_POLYGON_H
#define SPQ_SHAPES_FUNCTIONS_KEPT_POLYGON_H

#include "fmgr.h"
#include "utils/geo_decls.h"

extern POLYGON *spq_polygon_argument(FunctionCallInfo fcinfo, int n);
extern void spq_polygon_release(FunctionCallInfo fcinfo, int n, const POLYGON *polygon);

#endif							/* SPQ_SHAPES_FUNCTIONS_KEPT_POLYGON_H */
