/*-------------------------------------------------------------------------
 *
 * calls.c
 *	  Memory for calls of operators from a scan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "rtree/scan/calls.h"

void
spq_rtree_prepare_calls(SpqRtreeConditions *conditions)
{
	MemoryContext parent = GetMemoryChunkContext(conditions->operators);

	if (conditions->arguments)
		return;
	conditions->arguments = AllocSetContextCreate(parent, "spqtree arguments",
												  ALLOCSET_SMALL_SIZES);
	conditions->short_lived = AllocSetContextCreate(parent, "spqtree operators",
													ALLOCSET_SMALL_SIZES);
}

void
spq_rtree_forget_arguments(SpqRtreeConditions *conditions)
{
	if (conditions->arguments)
		MemoryContextReset(conditions->arguments);
}

void
spq_rtree_end_calls(SpqRtreeConditions *conditions)
{
	if (!conditions->arguments)
		return;
	MemoryContextDelete(conditions->arguments);
	MemoryContextDelete(conditions->short_lived);
	conditions->arguments = conditions->short_lived = NULL;
}
