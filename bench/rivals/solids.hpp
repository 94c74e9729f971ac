/*-------------------------------------------------------------------------
 *
 * solids.hpp
 *	  What the programs with a broad phase of another library do.
 *
 *		pairs BOXES		a file with lines lx,ly,lz,hx,hy,hz: count the pairs of
 *						boxes that overlap, each once
 *		version			of the library
 *
 * A broad phase is what an engine for physics or robots asks in each step: which
 * bodies may touch?  It has
 *
 *		version			of the library;
 *		Space()			of boxes, which puts them all in;
 *		pairs()			to count.
 *
 * "pairs" prints milliseconds of processor time to put the boxes in and to
 * count, and the pairs.  Objects that the library wants to be given, instead of
 * numbers, are made in Space(), so they count.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RIVALS_SOLIDS_HPP
#define SPQ_RIVALS_SOLIDS_HPP

#include "tasks.hpp"

struct Solid
{
	double		low[3],
				high[3];
};

static inline std::vector<Solid>
read_solids(const char *path)
{
	std::vector<Solid> solids;
	Solid		s;
	FILE	   *file = fopen(path, "r");

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf", &s.low[0], &s.low[1], &s.low[2],
				  &s.high[0], &s.high[1], &s.high[2]) == 6)
		solids.push_back(s);
	fclose(file);
	return solids;
}

template <typename Space> int
count_solids(const char *path)
{
	std::vector<Solid> solids = read_solids(path);
	double		start = cpu_time(),
				built;
	Space		space(solids);
	long		pairs;

	built = cpu_time();
	pairs = space.pairs();
	printf("%.3f %.3f %ld\n", built - start, cpu_time() - built, pairs);
	return 0;
}

template <typename Space> int
run_solids(int argc, char **argv)
{
	if (print_version(argc, argv, Space::version))
		return 0;
	if (argc == 3 && strcmp(argv[1], "pairs") == 0)
		return count_solids<Space>(argv[2]);
	fprintf(stderr, "usage: %s pairs BOXES\n", argv[0]);
	return 1;
}

#endif							/* SPQ_RIVALS_SOLIDS_HPP */
