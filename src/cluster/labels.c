/*-------------------------------------------------------------------------
 *
 * labels.c
 *	  Memory for the clusters of rows.  See labels.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "cluster/labels.h"
#include "large_memory.h"

#define FIRST_ROOM	1024

void
spq_labels_init(SpqLabels *labels, MemoryContext context, Size memory)
{
	labels->context = context;
	labels->limit = (uint32) Min(Max(memory / sizeof(uint32), FIRST_ROOM), SPQ_LABEL_MAX);
	labels->room = FIRST_ROOM;
	labels->count = 0;
	labels->label = spq_large_alloc(context, labels->room * sizeof(uint32));
}

/* Get room for more rows. */
void
spq_labels_enlarge(SpqLabels *labels)
{
	if (labels->room == labels->limit)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("cannot cluster more than %u rows with the memory that work_mem allows",
						labels->limit),
				 errdetail("A row takes 8 bytes of work_mem times hash_mem_multiplier."),
				 labels->limit < SPQ_LABEL_MAX ? errhint("Increase work_mem or hash_mem_multiplier.") : 0));
	labels->room = (uint32) Min((uint64) 2 * labels->room, labels->limit);
	labels->label = spq_large_realloc(labels->label, (Size) labels->room * sizeof(uint32));
}
