/*-------------------------------------------------------------------------
 *
 * coasts.h
 *	  Polygons that are rough like a coast, and points in their boxes.
 *
 * Random numbers are the same in each run, so that all programs locate the same
 * points in the same polygon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BENCH_COASTS_H
#define SPQ_BENCH_COASTS_H

typedef struct Place
{
	double		x,
				y;
} Place;

typedef struct Coast
{
	int			vertices;
	Place	   *place;			/* of the vertices, and the first one again */
	Place		low,
				high;			/* corners of its box */
} Coast;

extern Coast make_coast(int vertices);
extern Place *make_places(const Coast *coast, int count);

#endif							/* SPQ_BENCH_COASTS_H */
