/*-------------------------------------------------------------------------
 *
 * spatialindex.cpp
 *	  The R*-tree of libspatialindex in memory, bulk-loaded.  See tasks.hpp.
 *
 *-------------------------------------------------------------------------
 */
#include <algorithm>
#include <cmath>

#include <spatialindex/SpatialIndex.h>

#include "tasks.hpp"

namespace si = SpatialIndex;

/* What a bulk load reads. */
class Stream : public si::IDataStream
{
	const std::vector<si::Region> &items;
	size_t		next = 0;

public:
	explicit Stream(const std::vector<si::Region> &items) : items(items)
	{
	}

	si::IData *getNext() override
	{
		si::Region	r = items[next];

		return new si::RTree::Data(0, NULL, r, (si::id_type) next++);
	}

	bool hasNext() override { return next < items.size(); }
	uint32_t size() override { return items.size(); }
	void rewind() override { next = 0; }
};

/* What a search calls for each row: to count it, or to add its distance. */
class Visitor : public si::IVisitor
{
	const std::vector<si::Region> *items = NULL;
	double		x = 0,
				y = 0;

public:
	long		found = 0,
				most = 0;
	double		sum = 0;

	Visitor() = default;
	Visitor(const std::vector<si::Region> *items, double x, double y, long most)
		: items(items), x(x), y(y), most(most)
	{
	}

	void visitNode(const si::INode &) override { }
	void visitData(std::vector<const si::IData *> &) override { }

	void visitData(const si::IData &data) override
	{
		/* rows as far away as the last one are visited, too */
		if (items != NULL && found < most)
		{
			const si::Region &r = (*items)[data.getIdentifier()];

			sum += std::hypot(std::max({r.m_pLow[0] - x, x - r.m_pHigh[0], 0.0}),
							  std::max({r.m_pLow[1] - y, y - r.m_pHigh[1], 0.0}));
		}
		found++;
	}
};

class Index
{
	const std::vector<si::Region> &items;
	si::IStorageManager *storage;
	si::ISpatialIndex *tree;

public:
	typedef std::vector<si::Region> Items;
	static constexpr const char *version = SIDX_RELEASE_NAME;
	static const bool finds_nearest = true;

	static Items load(const std::vector<Rect> &boxes, double slack)
	{
		Items		items;

		items.reserve(boxes.size());
		for (const Rect &r : boxes)
		{
			Rect		w = widened(r, slack);
			double		low[] = {w.lx, w.ly},
						high[] = {w.hx, w.hy};

			items.push_back(si::Region(low, high, 2));
		}
		return items;
	}

	/* Sort-tile-recursive packing, as in the library's own examples. */
	explicit Index(const Items &items) : items(items)
	{
		Stream		stream(items);
		si::id_type id;

		storage = si::StorageManager::createNewMemoryStorageManager();
		tree = si::RTree::createAndBulkLoadNewRTree(si::RTree::BLM_STR, stream, *storage, 0.9, 16, 16, 2,
													si::RTree::RV_RSTAR, id);
	}

	~Index()
	{
		delete tree;
		delete storage;
	}

	long count(const si::Region &window) const
	{
		Visitor		visitor;

		tree->intersectsWithQuery(window, visitor);
		return visitor.found;
	}

	double nearest(double x, double y, int k) const
	{
		double		at[] = {x, y};
		Visitor		visitor(&items, x, y, k);

		tree->nearestNeighborQuery(k, si::Point(at, 2), visitor);
		return visitor.sum;
	}
};

int
main(int argc, char **argv)
{
	return run_task<Index>(argc, argv);
}
