/*-------------------------------------------------------------------------
 *
 * shapes.h
 *	  The arrays of boxes that the kernel and the engine join, and a clock.
 *
 * Random numbers are the same at each run: both programs join the same boxes.
 * Shapes are named in shapes.c; with SPQ_DIM 3 there are fewer, in a cube.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BENCH_SHAPES_H
#define SPQ_BENCH_SHAPES_H

/* laid out as PostgreSQL's BOX, or as box3 */
typedef struct Rect
{
#if SPQ_DIM == 3
	double		hx,
				hy,
				hz,
				lx,
				ly,
				lz;
#else
	double		hx,
				hy,
				lx,
				ly;
#endif
} Rect;

typedef struct Rects
{
	Rect	   *rect;
	int			count;
} Rects;

/* Makes both sides of a shape, "share" of their rows.  Ends the program if the
 * shape is unknown. */
extern void make_shape(const char *shape, double share, Rects *left, Rects *right);

/* Milliseconds: by the clock on the wall, and of this process on a processor. */
extern double now(void);
extern double cpu_time(void);

#endif							/* SPQ_BENCH_SHAPES_H */
