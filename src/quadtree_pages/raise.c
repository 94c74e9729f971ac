/*-------------------------------------------------------------------------
 *
 * raise.c
 *	  Raising damage of an index as an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/rel.h"

#include "quadtree_pages/raise.h"

/* Raise a problem of a page, or of one of its items if "item" is valid. */
void
spq_page_raise(Relation index, BlockNumber block, OffsetNumber item,
			   const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is damaged", RelationGetRelationName(index)),
			 OffsetNumberIsValid(item) ?
			 errdetail("Block %u, item %u: %s.", block, item, problem) :
			 errdetail("Block %u: %s.", block, problem),
			 errhint("Run spqtree_check to list all problems, then REINDEX the index.")));
}
