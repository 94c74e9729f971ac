/*-------------------------------------------------------------------------
 *
 * damage.h
 *	  The methods' test for damaged inner tuples.
 *
 * PostgreSQL reads a zeroed page as inner tuples without contents, and passes
 * them to the methods with neither prefix nor labels.  The test raises an
 * error for these; spqtree_check finds other damage.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_DAMAGE_H
#define SPQ_QUADTREE_DAMAGE_H

#define spq_quad_expect_prefix(in) \
	do { \
		if (unlikely(!(in)->hasPrefix || (in)->nodeLabels == NULL)) \
			ereport(ERROR, \
					(errcode(ERRCODE_INDEX_CORRUPTED), \
					 errmsg("inner tuple of quadtree index is empty"), \
					 errdetail("A page of the index is damaged."), \
					 errhint("Run spqtree_check to locate the damage, then REINDEX the index."))); \
	} while (0)

#endif							/* SPQ_QUADTREE_DAMAGE_H */
