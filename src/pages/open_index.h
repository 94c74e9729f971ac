/*-------------------------------------------------------------------------
 *
 * open_index.h
 *	  Opening an index to look into it: which ones can be looked into.
 *
 * The table is locked before the index, as everywhere:
 *
 *		spq_page_table_of_index()	the table, not yet locked
 *		table_open()			and the rights of the caller, who sees to them
 *		spq_page_open_index()		the index, if it is one of ours, with content
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_OPEN_INDEX_H
#define SPQ_OPEN_INDEX_H

#include "utils/rel.h"

/* What the index is opened for, in the words of errors. */
typedef struct SpqPagePurpose
{
	const char *verb;			/* "cannot ... an index of" */
	const char *call;			/* for the column relid of a query */
	const char *elsewhere;		/* what there is for other indexes, or NULL */
} SpqPagePurpose;

extern Oid	spq_page_table_of_index(Oid index_id);
extern Relation spq_page_open_index(Oid index_id, Oid heap_id,
							   const SpqPagePurpose *purpose);

#endif							/* SPQ_OPEN_INDEX_H */
