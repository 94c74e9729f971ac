/*-------------------------------------------------------------------------
 *
 * inner_format.h
 *	  What an inner tuple of our operator class may look like.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INNER_FORMAT_H
#define SPQ_INNER_FORMAT_H

#include "access/spgist_private.h"

extern char *spq_page_inner_problem(SpGistInnerTuple tuple, Size length,
							   bool of_nulls);

#endif							/* SPQ_INNER_FORMAT_H */
