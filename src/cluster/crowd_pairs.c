/*-------------------------------------------------------------------------
 *
 * crowd_pairs.c
 *	  Whether members of two crowds are neighbors.
 *
 * Only members near the box of the other crowd can be.  If there are few of them, all
 * pairs are compared.  If there are many, the nearest member of one crowd is searched for
 * each of the other, a little farther than neighbors are: nothing found means that
 * none are neighbors, and a pair found is compared.  Where only rounding or the
 * tolerance of && lies between the two, all pairs decide after all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "miscadmin.h"

#include "cluster/crowd_pairs.h"
#include "nearest_join/nearest_join.h"

#define FEW_PAIRS	1000000		/* compared in less time than a tree is made */

/* More than boxes that overlap with PostgreSQL's tolerance are apart. */
#define TOLERANCE	(4 * EPSILON)

/* More than what rounds the distance of boxes. */
#define ROUNDING	1e-12

/* Read a part of a crowd, and keep the members that are near a box.  Return their number. */
static uint32
members_near(SpqCrowds *crowds, const SpqNearness *nearness, const SpqCrowd *crowd, uint64 at,
			 const float8 *box, SpqCrowdMember *members)
{
	uint32		n = spq_crowd_read(crowds, crowd, at, members, SPQ_CROWD_PART),
				kept = 0;

	CHECK_FOR_INTERRUPTS();
	for (uint32 i = 0; i < n; i++)
		if (spq_nearness_boxes(nearness, members[i].box, box))
			members[kept++] = members[i];
	return kept;
}

/* Compare all pairs of the first "most" members of each crowd. */
static bool
any_pair(SpqCrowds *crowds, const SpqNearness *nearness, const SpqCrowd *a, const SpqCrowd *b,
		 uint64 most)
{
	SpqCrowdMember a_members[SPQ_CROWD_PART],
				b_members[SPQ_CROWD_PART];

	for (uint64 at_a = 0; at_a < Min(a->count, most); at_a += SPQ_CROWD_PART)
	{
		uint32		na = members_near(crowds, nearness, a, at_a, b->box, a_members);

		if (na == 0)
			continue;
		for (uint64 at_b = 0; at_b < Min(b->count, most); at_b += SPQ_CROWD_PART)
		{
			uint32		nb = members_near(crowds, nearness, b, at_b, a->box, b_members);

			for (uint32 i = 0; i < na; i++)
				for (uint32 j = 0; j < nb; j++)
					if (spq_nearness_boxes(nearness, a_members[i].box, b_members[j].box))
						return true;
		}
	}
	return false;
}

/* Return whether members of the first parts of two crowds are neighbors. */
bool
spq_crowds_meet_soon(SpqCrowds *crowds, const SpqNearness *nearness, const SpqCrowd *a,
					 const SpqCrowd *b)
{
	return any_pair(crowds, nearness, a, b, SPQ_CROWD_PART);
}

/* The members of crowd b, by which one of crowd a is looked up. */
static void
add_right_members(SpqNearestJoin *join, SpqCrowds *crowds, const SpqNearness *nearness,
				  const SpqCrowd *a, const SpqCrowd *b)
{
	SpqCrowdMember members[SPQ_CROWD_PART];

	for (uint64 at = 0; at < b->count; at += SPQ_CROWD_PART)
	{
		uint32		n = members_near(crowds, nearness, b, at, a->box, members);

		for (uint32 i = 0; i < n; i++)
			spq_nearest_join_right(join, 0, members[i].box);
	}
	spq_nearest_join_right_done(join);
}

/* Return whether the nearest join finds a pair of members. */
static bool
any_near(SpqCrowds *crowds, const SpqNearness *nearness, const SpqCrowd *a, const SpqCrowd *b,
		 double distance, Size memory)
{
	SpqNearestSpec spec = {.axes = nearness->axes,.k = 1,.max_distance = distance,.memory = memory};
	SpqNearestJoin *join = spq_nearest_join_begin(&spec);
	SpqCrowdMember members[SPQ_CROWD_PART];
	SpqNearestPair pair;
	uint64		at = 0;
	uint32		n = 0,
				next = 0;
	bool		found = false,
				ended = false;

	add_right_members(join, crowds, nearness, a, b);
	while (!found && !ended)
	{
		CHECK_FOR_INTERRUPTS();
		switch (spq_nearest_join_next(join, &pair))
		{
			case SPQ_NEAREST_PAIR:
				found = true;
				break;
			case SPQ_NEAREST_WANTS_LEFT:
				for (uint64 room = spq_nearest_join_room(join); room > 0; room--)
				{
					for (; next == n && at < a->count; at += SPQ_CROWD_PART)
					{
						n = members_near(crowds, nearness, a, at, b->box, members);
						next = 0;
					}
					if (next == n)
					{
						spq_nearest_join_left_done(join);
						break;
					}
					spq_nearest_join_left(join, 0, members[next++].box);
				}
				break;
			case SPQ_NEAREST_END:
				ended = true;
				break;
		}
	}
	spq_nearest_join_end(join);
	return found;
}

/* Return whether any members of two crowds are neighbors. */
bool
spq_crowds_meet(SpqCrowds *crowds, const SpqNearness *nearness, const SpqCrowd *a,
				const SpqCrowd *b, Size memory)
{
	double		distance = nearness->distance,
				farther = distance * (1 + ROUNDING),
				nearer = distance * (1 - ROUNDING);

	if ((double) a->count * (double) b->count > FEW_PAIRS &&
		(distance == 0 || distance > DBL_MIN / DBL_EPSILON) &&
		spq_all_finite(a->box, 2 * nearness->axes) && spq_all_finite(b->box, 2 * nearness->axes))
	{
		if (nearness->axes == 2 && !nearness->exact && distance <= TOLERANCE)
			farther += TOLERANCE;
		if (!any_near(crowds, nearness, a, b, farther, memory))
			return false;
		if (any_near(crowds, nearness, a, b, nearer, memory))
			return true;
	}
	return any_pair(crowds, nearness, a, b, PG_UINT64_MAX);
}
