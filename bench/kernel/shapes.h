/*-------------------------------------------------------------------------
 *
 * shapes.h
 *	  The arrays of boxes that the kernel and the engine join, and clocks.
 *
 * Random numbers are the same in each run, so that both programs join the same
 * boxes.  shapes.c names the shapes; with SPQ_DIM 3 there are fewer, in a cube.
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

/*
 * Make both sides of a shape, with "share" of their rows.  Exit if the shape is
 * unknown.
 */
extern void make_shape(const char *shape, double share, Rects *left, Rects *right);

/* Milliseconds of elapsed time, and of this process's processor time. */
extern double now(void);
extern double cpu_time(void);

#endif							/* SPQ_BENCH_SHAPES_H */
