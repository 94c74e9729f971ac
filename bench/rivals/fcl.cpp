/*-------------------------------------------------------------------------
 *
 * fcl.cpp
 *	  The manager of FCL with a tree of boxes.  See solids.hpp.
 *
 * An object of FCL has a shape around its middle and a place, so its corners are
 * rounded.
 *
 *-------------------------------------------------------------------------
 */
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>

#include "solids.hpp"

typedef fcl::CollisionObject<double> Object;

class Space
{
	std::vector<std::unique_ptr<Object>> objects;
	fcl::DynamicAABBTreeCollisionManager<double> manager;

	/* asked of each pair whose boxes overlap; true would end the search */
	static bool count(Object *, Object *, void *pairs)
	{
		++*(long *) pairs;
		return false;
	}

public:
	static constexpr const char *version = FCL_VERSION;

	explicit Space(const std::vector<Solid> &solids)
	{
		std::vector<Object *> all;

		for (const Solid &s : solids)
		{
			fcl::Vector3<double> low(s.low), high(s.high);

			objects.push_back(std::make_unique<Object>(
				std::make_shared<fcl::Box<double>>(high - low), fcl::Matrix3<double>::Identity(),
				(low + high) / 2));
			all.push_back(objects.back().get());
		}
		manager.registerObjects(all);
		manager.setup();
	}

	long pairs()
	{
		long		found = 0;

		manager.collide(&found, count);
		return found;
	}
};

int
main(int argc, char **argv)
{
	return run_solids<Space>(argc, argv);
}
