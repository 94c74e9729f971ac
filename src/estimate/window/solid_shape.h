/*-------------------------------------------------------------------------
 *
 * solid_shape.h
 *	  Shapes of three dimensions in the conditions of a scan.
 *
 * The operators' own functions (src/solid) decide which boxes meet a sphere,
 * ray, segment or frustum.  The part of a region that contains the centers of
 * these boxes follows from a few numbers: for a convex shape and boxes of
 * sides s, the volume of the centers is (Steiner's formula for boxes)
 *
 *		V + s_x A_x + s_y A_y + s_z A_z
 *		  + s_y s_z W_x + s_x s_z W_y + s_x s_y W_z + s_x s_y s_z
 *
 * V is the shape's volume, A_x the area of its shadow along x, W_x its width.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_WINDOW_SOLID_SHAPE_H
#define SPQ_ESTIMATE_WINDOW_SOLID_SHAPE_H

#include "types/type.h"

#define SPQ_ESTIMATE_SHAPE_NUMBERS 24

typedef struct SpqEstimateShape
{
	const SpqType *type;		/* NULL: everything within a distance of a box */
	bool		holds;			/* the condition is "box <@ shape", not && */
	double		distance;		/* of a type: by which the box is grown on
								 * each side before it is compared */
	float8		number[SPQ_ESTIMATE_SHAPE_NUMBERS]; /* the value, as stored */
} SpqEstimateShape;

/* The part of a region that a shape fills. */
typedef struct SpqEstimateFill
{
	bool		any;
	double		high[3];		/* bounds of the shape in the region */
	double		low[3];
	double		volume;			/* fraction of these that the shape fills */
	double		shadow[3];		/* the same for its shadow along each axis */
} SpqEstimateFill;

/* Return by how much boxes are grown on each side. */
static inline double
spq_estimate_shape_margin(const SpqEstimateShape *shape)
{
	return shape->type ? shape->distance : 0;
}

static inline bool
spq_estimate_shape_is_line(const SpqEstimateShape *shape)
{
	return shape->type && shape->type->line;
}

extern void spq_estimate_shape_set(SpqEstimateShape *shape, const SpqType *type,
								   const void *value);
extern void spq_estimate_shape_set_near_line(SpqEstimateShape *shape, const SpqType *type,
											 const void *value, double distance);
extern void spq_estimate_shape_set_near(SpqEstimateShape *shape, const float8 *box,
										double distance);
extern bool spq_estimate_shape_fits(const SpqEstimateShape *shape, const float8 *ends);
extern bool spq_estimate_shape_reaches(const SpqEstimateShape *shape, const double *center,
									   const double *half);
extern void spq_estimate_shape_fill(const SpqEstimateShape *shape, const double *low,
									const double *high, const double *size,
									SpqEstimateFill *fill);
extern double spq_estimate_filled(const SpqEstimateFill *fill, const double *side);

#endif							/* SPQ_ESTIMATE_WINDOW_SOLID_SHAPE_H */
