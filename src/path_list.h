/*-------------------------------------------------------------------------
 *
 * path_list.h
 *	  Lists of paths in the order of add_path(), without its other effect.
 *
 * add_path() frees a path that another one beats.  Paths that the planner has made
 * before may be kept by other extensions, whose own paths contain them.  So such
 * paths are never passed to add_path() again: if their costs change, they are put
 * into the order that it expects, and remain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PATH_LIST_H
#define SPQ_PATH_LIST_H

#include "nodes/pathnodes.h"

#include "compat.h"

/*
 * Return whether a path comes before another one in a list.  Follows add_path()
 * (copies.list).
 */
static inline bool
spq_path_comes_before(const Path *a, const Path *b)
{
	if (spq_disabled_nodes(a) != spq_disabled_nodes(b))
		return spq_disabled_nodes(a) < spq_disabled_nodes(b);
	return a->total_cost < b->total_cost;
}

/* Return a list of paths with others inserted, all in order of cost. */
static inline List *
spq_insert_paths(List *paths, const List *others)
{
	ListCell   *lc;

	foreach(lc, others)
	{
		int			place = list_length(paths);

		while (place > 0 && spq_path_comes_before(lfirst(lc), list_nth(paths, place - 1)))
			place--;
		paths = list_insert_nth(paths, place, lfirst(lc));
	}
	return paths;
}

#endif							/* SPQ_PATH_LIST_H */
