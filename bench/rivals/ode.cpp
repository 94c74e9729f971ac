/*-------------------------------------------------------------------------
 *
 * ode.cpp
 *	  The space of ODE with sweep and prune.  See solids.hpp.
 *
 * A body of ODE has a middle and sides, so its corners are rounded.
 *
 *-------------------------------------------------------------------------
 */
#include <ode/ode.h>

#include "solids.hpp"

class Space
{
	dSpaceID	space;

	static void count(void *pairs, dGeomID, dGeomID)
	{
		++*(long *) pairs;
	}

public:
	static constexpr const char *version = dODE_VERSION;

	explicit Space(const std::vector<Solid> &solids)
	{
		dInitODE();
		space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
		for (const Solid &s : solids)
		{
			dGeomID		box = dCreateBox(space, s.high[0] - s.low[0], s.high[1] - s.low[1],
										 s.high[2] - s.low[2]);

			dGeomSetPosition(box, (s.low[0] + s.high[0]) / 2, (s.low[1] + s.high[1]) / 2,
							 (s.low[2] + s.high[2]) / 2);
		}
	}

	long pairs()
	{
		long		found = 0;

		dSpaceCollide(space, &found, count);
		return found;
	}
};

int
main(int argc, char **argv)
{
	return run_solids<Space>(argc, argv);
}
