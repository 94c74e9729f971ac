/*-------------------------------------------------------------------------
 *
 * bullet.cpp
 *	  The broad phase of Bullet with trees of boxes.  See solids.hpp.
 *
 * Its numbers are floats, as Bullet is usually built.  New boxes get no margin;
 * those that move do, and these do not move.  The tree is as insertion leaves it:
 * btDbvtBroadphase::optimize() costs more than it saves in one search.
 *
 *-------------------------------------------------------------------------
 */
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include "solids.hpp"

#define TEXT_OF(number) #number
#define VERSION_OF(number) TEXT_OF(number)

class Space
{
	btDbvtBroadphase phase;

	static btVector3 corner(const double *at)
	{
		return btVector3(at[0], at[1], at[2]);
	}

public:
	static constexpr const char *version = VERSION_OF(BT_BULLET_VERSION);

	explicit Space(const std::vector<Solid> &solids)
	{
		/* all pairs at once, instead of those of each box as it comes */
		phase.m_deferedcollide = true;
		for (const Solid &s : solids)
			phase.createProxy(corner(s.low), corner(s.high), 0, NULL, 1, 1, NULL);
	}

	long pairs()
	{
		phase.calculateOverlappingPairs(NULL);
		return phase.getOverlappingPairCache()->getNumOverlappingPairs();
	}
};

int
main(int argc, char **argv)
{
	return run_solids<Space>(argc, argv);
}
