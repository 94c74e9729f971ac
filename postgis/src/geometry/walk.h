/*-------------------------------------------------------------------------
 *
 * walk.h
 *	  A walk over the runs of a shape, by the boxes of groups of runs.
 *
 *		level 2		[			][			]...
 *		level 1		[	][	 ][	]
 *		level 0		 1 2	   3 4...			runs
 *
 * The walk presents chains of runs, the longest first.  The caller skips a chain, or
 * descends into it.  So runs are visited in their order, and those of chains that
 * are skipped are not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_WALK_H
#define SPQ_GIS_WALK_H

#include "geometry/shape.h"

typedef struct SpqGisWalk
{
	const SpqGisShape *shape;
	const SpqGisBox *groups[SPQ_GIS_MOST_LEVELS + 1];	/* of each level, from 1
														 * on */
	int			level;			/* of the chain; 0: it is a run */
	int			run;			/* the first one of the chain */
	int			end;			/* the one after it */
} SpqGisWalk;

static inline void
spq_gis_walk_start(SpqGisWalk *walk, const SpqGisShape *shape, int run)
{
	walk->shape = shape;
	walk->level = shape->nlevels;
	walk->run = walk->end = run;
	walk->groups[1] = shape->groups;
	for (int level = 2, n = shape->ngroups; level <= shape->nlevels; level++)
	{
		walk->groups[level] = walk->groups[level - 1] + n;
		n = (n + SPQ_GIS_GROUP_RUNS - 1) / SPQ_GIS_GROUP_RUNS;
	}
}

/* Return the box of the next chain, or NULL at the end of the shape. */
static inline const SpqGisBox *
spq_gis_walk_chain(SpqGisWalk *walk)
{
	const SpqGisShape *shape = walk->shape;

	if (walk->run >= shape->nruns)
		return NULL;
	for (; walk->level > 0; walk->level--)
	{
		int			bits = walk->level * SPQ_GIS_GROUP_BITS,
					group = walk->run >> bits;

		if (walk->run != group << bits)
			continue;
		walk->end = Min((group + 1) << bits, shape->nruns);
		return &walk->groups[walk->level][group];
	}
	walk->end = walk->run + 1;
	return &shape->runs[walk->run].box;
}

/* Go into a chain that is not a run. */
static inline void
spq_gis_walk_descend(SpqGisWalk *walk)
{
	walk->level--;
}

/* Go on after a chain. */
static inline void
spq_gis_walk_skip(SpqGisWalk *walk)
{
	walk->run = walk->end;
	if (walk->run % SPQ_GIS_GROUP_RUNS != 0)
		return;
	while (walk->level < walk->shape->nlevels &&
		   (walk->run >> (walk->level * SPQ_GIS_GROUP_BITS)) % SPQ_GIS_GROUP_RUNS == 0)
		walk->level++;
}

/* Return the next run whose box meets a box, or NULL. */
static inline const SpqGisRun *
spq_gis_walk_to(SpqGisWalk *walk, const SpqGisBox *box)
{
	const SpqGisBox *chain;

	while ((chain = spq_gis_walk_chain(walk)) != NULL)
	{
		const SpqGisRun *run = &walk->shape->runs[walk->run];
		bool		meets = spq_gis_boxes_meet(chain, box);

		if (meets && walk->level > 0)
		{
			spq_gis_walk_descend(walk);
			continue;
		}
		spq_gis_walk_skip(walk);
		if (meets)
			return run;
	}
	return NULL;
}

#endif							/* SPQ_GIS_WALK_H */
