/*-------------------------------------------------------------------------
 *
 * damage.h
 *	  What the methods look at before they trust an inner tuple.
 *
 * A page that has lost its content reads as inner tuples without anything in
 * them: PostgreSQL hands those on with neither prefix nor labels.  That is told here;
 * any other damage is for spqtree_check to find.
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
					 errmsg("inner tuple of a quadtree index has no content"), \
					 errdetail("A page of the index is damaged."), \
					 errhint("spqtree_check tells where. Please REINDEX the index."))); \
	} while (0)

#endif							/* SPQ_QUADTREE_DAMAGE_H */
