/*-------------------------------------------------------------------------
 *
 * inspect.h
 *	  Opening an index for inspection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_INSPECT_H
#define SPQ_INSPECT_INSPECT_H

#include "pages/read_page.h"

typedef struct SpqInspectIndex
{
	Relation	heap;
	SpqPageReader reader;		/* of the index */
} SpqInspectIndex;

extern void spq_inspect_open(SpqInspectIndex *inspected, Oid index_id,
							 const char *call);
extern void spq_inspect_close(SpqInspectIndex *inspected);

#endif							/* SPQ_INSPECT_INSPECT_H */
