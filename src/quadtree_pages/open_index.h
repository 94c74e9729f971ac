/*-------------------------------------------------------------------------
 *
 * open_index.h
 *	  Opening an index to read its pages, or explaining why it cannot be read.
 *
 * The table is locked before the index, as everywhere in PostgreSQL:
 *
 *		spq_page_table_of_index()	the table, not locked yet
 *		table_open()				by the caller, who also checks privileges
 *		spq_page_open_index()		the index, if it is one of ours and valid
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_OPEN_INDEX_H
#define SPQ_QUADTREE_PAGES_OPEN_INDEX_H

#include "utils/rel.h"

/* The purpose of opening an index, in the words of error messages. */
typedef struct SpqPagePurpose
{
	const char *verb;			/* "cannot ... unlogged index" */
	const char *call;			/* call to run for each relid of a query */
	const char *elsewhere;		/* hint for other indexes, or NULL */
} SpqPagePurpose;

extern Oid	spq_page_table_of_index(Oid index_id);
extern Relation spq_page_open_index(Oid index_id, Oid heap_id,
									const SpqPagePurpose *purpose);

#endif							/* SPQ_QUADTREE_PAGES_OPEN_INDEX_H */
