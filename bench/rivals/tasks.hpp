/*-------------------------------------------------------------------------
 *
 * tasks.hpp
 *	  What the programs with an index of another library do.
 *
 *		join SHAPE SHARE		the smaller side of a shape is indexed, the other's
 *								boxes are windows; pairs are counted
 *		windows BOXES WINDOWS	files with lines lx,ly,hx,hy; the rows in the
 *								windows are counted
 *		nearest SHAPE SHARE K	the K boxes nearest to each point, as
 *								kernel/nearest.c finds them
 *		version					of the library
 *
 * An index has
 *
 *		version		of the library;
 *		Items		a vector of boxes as the library takes them, and static
 *		load()		to make it, which is not measured;
 *		count()		to count the boxes that a window meets;
 *		nearest()	to sum the distances of the k boxes nearest to a point, if
 *					"finds_nearest".  Points are sorted along a Z-curve first,
 *					which is faster than any order.
 *
 * Each task prints milliseconds of processor time to build the index and to
 * search it, and the number of boxes found; "nearest" also the sum of distances.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RIVALS_TASKS_HPP
#define SPQ_RIVALS_TASKS_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C"
{
#include "shapes.h"
}

/* PostgreSQL's && lets boxes be that far apart. */
static const double epsilon = 1e-6;

static inline Rect
widened(const Rect &r, double slack)
{
	return Rect{r.hx + slack, r.hy + slack, r.lx - slack, r.ly - slack};
}

static inline std::vector<Rect>
read_boxes(const char *path)
{
	std::vector<Rect> boxes;
	Rect		r;
	FILE	   *file = fopen(path, "r");

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (fscanf(file, "%lf,%lf,%lf,%lf", &r.lx, &r.ly, &r.hx, &r.hy) == 4)
		boxes.push_back(r);
	fclose(file);
	return boxes;
}

static inline std::vector<Rect>
vector_of(const Rects &rects)
{
	return std::vector<Rect>(rects.rect, rects.rect + rects.count);
}

/* Count the pairs of boxes and windows. */
template <typename Index> int
count_pairs(const std::vector<Rect> &boxes, const std::vector<Rect> &windows)
{
	auto		items = Index::load(boxes, 0),
				queries = Index::load(windows, epsilon);
	long		pairs = 0;
	double		start = cpu_time(),
				built;
	Index		index(items);

	built = cpu_time();
	for (auto &query : queries)
		pairs += index.count(query);
	printf("%.3f %.3f %ld\n", built - start, cpu_time() - built, pairs);
	return 0;
}

template <typename Index> int
join(const char *shape, double share)
{
	Rects		left,
				right;

	make_shape(shape, share, &left, &right);
	return left.count < right.count ? count_pairs<Index>(vector_of(left), vector_of(right)) :
		count_pairs<Index>(vector_of(right), vector_of(left));
}

/* Return a place along a Z-curve: the bits of both numbers in turn. */
static inline uint64_t
place(uint32_t x, uint32_t y)
{
	uint64_t	result = 0;

	for (int bit = 0; bit < 16; bit++)
		result |= (uint64_t) (x >> bit & 1) << 2 * bit | (uint64_t) (y >> bit & 1) << (2 * bit + 1);
	return result;
}

struct Point
{
	double		x,
				y;
	uint64_t	place;
};

/* Return the middles of the first boxes. */
static inline std::vector<Point>
middles(const Rects &boxes, int count)
{
	std::vector<Point> points;

	for (int i = 0; i < count; i++)
	{
		const Rect &r = boxes.rect[i];

		points.push_back(Point{(r.lx + r.hx) / 2, (r.ly + r.hy) / 2, 0});
	}
	return points;
}

static inline void
sort_points(std::vector<Point> &points)
{
	double		left = HUGE_VAL,
				low = HUGE_VAL,
				size = 0;

	for (const Point &p : points)
	{
		left = std::min(left, p.x);
		low = std::min(low, p.y);
	}
	for (const Point &p : points)
		size = std::max({size, p.x - left, p.y - low});
	for (Point &p : points)
		p.place = size > 0 ? place((p.x - left) / size * 65535, (p.y - low) / size * 65535) : 0;
	std::sort(points.begin(), points.end(),
			  [](const Point &a, const Point &b) { return a.place < b.place; });
}

template <typename Index> int
nearest(const char *shape, double share, int k)
{
	Rects		outer,
				inner;

	make_shape(shape, share, &outer, &inner);
	k = k < inner.count ? k : inner.count;

	auto		items = Index::load(vector_of(inner), 0);
	std::vector<Point> points = middles(outer, outer.count / 10);
	double		start = cpu_time(),
				built,
				sum = 0;
	Index		index(items);

	built = cpu_time();
	sort_points(points);
	for (const Point &p : points)
		sum += index.nearest(p.x, p.y, k);
	printf("%.3f %.3f %ld %.2f\n", built - start, cpu_time() - built, (long) points.size() * k, sum);
	return 0;
}

static inline bool
print_version(int argc, char **argv, const char *version)
{
	return argc == 2 && strcmp(argv[1], "version") == 0 && puts(version) >= 0;
}

template <typename Index> int
run_task(int argc, char **argv)
{
	if (print_version(argc, argv, Index::version))
		return 0;
	if (argc == 4 && strcmp(argv[1], "join") == 0)
		return join<Index>(argv[2], atof(argv[3]));
	if (argc == 4 && strcmp(argv[1], "windows") == 0)
		return count_pairs<Index>(read_boxes(argv[2]), read_boxes(argv[3]));
	if constexpr (Index::finds_nearest)
	{
		if (argc == 5 && strcmp(argv[1], "nearest") == 0)
			return nearest<Index>(argv[2], atof(argv[3]), atoi(argv[4]));
	}
	fprintf(stderr, "usage: %s join SHAPE SHARE\n       %s windows BOXES WINDOWS\n", argv[0], argv[0]);
	if (Index::finds_nearest)
		fprintf(stderr, "       %s nearest SHAPE SHARE K\n", argv[0]);
	return 1;
}

#endif							/* SPQ_RIVALS_TASKS_HPP */
