/*-------------------------------------------------------------------------
 *
 * embree.cpp
 *	  The first boxes that rays hit, by Embree.
 *
 *		embree BOXES RAYS
 *
 * BOXES has lines lx,ly,lz,hx,hy,hz; RAYS has lines x,y,z,dx,dy,dz,length, where
 * the direction has length 1.  The boxes are a geometry of the user's: Embree
 * builds its tree of their bounds and calls hit() for boxes whose bounds a ray
 * may meet.  Its coordinates are floats, from the middle of all boxes on.  One
 * thread.
 *
 * Prints milliseconds of elapsed time to build the tree and to follow all rays;
 * then a line for each ray: the distance from its origin to the first box, 0 if
 * it begins in one, or "-".
 *
 *-------------------------------------------------------------------------
 */
#include <array>
#include <cmath>
#include <limits>

#include <embree3/rtcore.h>

#include "tasks.hpp"

struct Solid
{
	float		low[3],
				high[3];
};

struct Ray
{
	double		origin[3],
				direction[3],
				length;
};

/* What hit() needs of a ray beyond what Embree passes. */
struct Context
{
	RTCIntersectContext embree;	/* first, so that hit() finds the rest */
	float		inverse[3];		/* of its direction */
};

static void
bound(const RTCBoundsFunctionArguments *call)
{
	const Solid &s = ((const Solid *) call->geometryUserPtr)[call->primID];

	call->bounds_o->lower_x = s.low[0];
	call->bounds_o->lower_y = s.low[1];
	call->bounds_o->lower_z = s.low[2];
	call->bounds_o->upper_x = s.high[0];
	call->bounds_o->upper_y = s.high[1];
	call->bounds_o->upper_z = s.high[2];
}

static void
hit(const RTCIntersectFunctionNArguments *call)
{
	const Solid &s = ((const Solid *) call->geometryUserPtr)[call->primID];
	const float *inverse = ((const Context *) call->context)->inverse;
	RTCRayHit  *found = (RTCRayHit *) call->rayhit;
	const float origin[] = {found->ray.org_x, found->ray.org_y, found->ray.org_z};
	float		enter = found->ray.tnear,
				leave = found->ray.tfar;

	if (!call->valid[0])
		return;
	for (int axis = 0; axis < 3; axis++)
	{
		float		one = (s.low[axis] - origin[axis]) * inverse[axis],
					other = (s.high[axis] - origin[axis]) * inverse[axis];

		enter = std::fmax(enter, std::fmin(one, other));
		leave = std::fmin(leave, std::fmax(one, other));
	}
	if (enter <= leave)
	{
		found->ray.tfar = enter;
		found->hit.geomID = call->geomID;
		found->hit.primID = call->primID;
	}
}

static FILE *
opened(const char *path)
{
	FILE	   *file = fopen(path, "r");

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	return file;
}

/* Read boxes, and set their middle. */
static std::vector<Solid>
read_solids(const char *path, double *middle)
{
	FILE	   *file = opened(path);
	std::vector<std::array<double, 6>> boxes;
	std::array<double, 6> b;
	std::vector<Solid> solids;

	while (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]) == 6)
		boxes.push_back(b);
	fclose(file);
	for (int axis = 0; axis < 3; axis++)
	{
		double		low = HUGE_VAL,
					high = -HUGE_VAL;

		for (const auto &box : boxes)
		{
			low = std::fmin(low, box[axis]);
			high = std::fmax(high, box[axis + 3]);
		}
		middle[axis] = (low + high) / 2;
	}
	for (const auto &box : boxes)
	{
		Solid		s;

		for (int axis = 0; axis < 3; axis++)
		{
			s.low[axis] = box[axis] - middle[axis];
			s.high[axis] = box[axis + 3] - middle[axis];
		}
		solids.push_back(s);
	}
	return solids;
}

static std::vector<Ray>
read_rays(const char *path)
{
	FILE	   *file = opened(path);
	std::vector<Ray> rays;
	Ray			r;

	while (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &r.origin[0], &r.origin[1], &r.origin[2],
				  &r.direction[0], &r.direction[1], &r.direction[2], &r.length) == 7)
		rays.push_back(r);
	fclose(file);
	return rays;
}

int
main(int argc, char **argv)
{
	if (print_version(argc, argv, RTC_VERSION_STRING))
		return 0;
	if (argc != 3)
	{
		fprintf(stderr, "usage: embree BOXES RAYS\n");
		return 1;
	}

	double		middle[3];
	std::vector<Solid> solids = read_solids(argv[1], middle);
	std::vector<Ray> rays = read_rays(argv[2]);
	std::vector<float> distances(rays.size());
	RTCDevice	device = rtcNewDevice("threads=1");
	RTCScene	scene = rtcNewScene(device);
	double		start = now(),
				built,
				done;
	RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);

	rtcSetGeometryUserPrimitiveCount(geometry, solids.size());
	rtcSetGeometryUserData(geometry, solids.data());
	rtcSetGeometryBoundsFunction(geometry, bound, NULL);
	rtcSetGeometryIntersectFunction(geometry, hit);
	rtcCommitGeometry(geometry);
	rtcAttachGeometry(scene, geometry);
	rtcReleaseGeometry(geometry);
	rtcCommitScene(scene);

	built = now();
	for (size_t i = 0; i < rays.size(); i++)
	{
		const Ray  &r = rays[i];
		Context		context;
		RTCRayHit	found = {};

		rtcInitIntersectContext(&context.embree);
		for (int axis = 0; axis < 3; axis++)
			context.inverse[axis] = 1 / (float) r.direction[axis];
		found.ray.org_x = r.origin[0] - middle[0];
		found.ray.org_y = r.origin[1] - middle[1];
		found.ray.org_z = r.origin[2] - middle[2];
		found.ray.dir_x = r.direction[0];
		found.ray.dir_y = r.direction[1];
		found.ray.dir_z = r.direction[2];
		found.ray.tfar = r.length;
		found.ray.mask = -1;
		found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
		rtcIntersect1(scene, &context.embree, &found);
		distances[i] = found.hit.geomID == RTC_INVALID_GEOMETRY_ID ?
			std::numeric_limits<float>::infinity() : found.ray.tfar;
	}
	done = now();
	printf("%.3f %.3f\n", built - start, done - built);
	for (float d : distances)
	{
		if (std::isinf(d))
			printf("-\n");
		else
			printf("%.9g\n", d);
	}
	rtcReleaseScene(scene);
	rtcReleaseDevice(device);
	return 0;
}
