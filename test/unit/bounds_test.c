/*-------------------------------------------------------------------------
 *
 * bounds_test.c
 *	  Node labels: lattice/bounds.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "lattice/bounds.h"

static SpqFrame
any_frame(void)
{
	for (;;)
	{
		float8		x = odd_number(),
					y = odd_number();
		SpqCell		cell;

		if (fabs(x) >= spq_pow2(SPQ_CELL_MAX) ||
			fabs(y) >= spq_pow2(SPQ_CELL_MAX))
			continue;
		cell = spq_cell_at(x, y, lrand48() % 2 ? random_int(-20, 20) :
						   random_int(SPQ_CELL_MIN, SPQ_CELL_TOP));
		return spq_frame(&cell);
	}
}

static void
test_decoding(void)
{
	for (int i = 0; i < 100; i++)
	{
		SpqFrame	frame = any_frame();
		float8		last = -get_float8_infinity();

		for (int code = -SPQ_CODE_INF; code <= SPQ_CODE_INF; code++)
		{
			float8		value = spq_decode(code, frame.x, frame.side);

			check(value >= last, "code %d corner %g side %g: %g after %g",
				  code, frame.x, frame.side, value, last);
			last = value;
		}
		check(isinf(last), "%g", last);
		check(spq_decode(0, frame.x, frame.side) == frame.x, "%g", frame.x);
	}
	finish_test("decoding is monotonic over all codes");
}

static void
test_encoding(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqFrame	frame = any_frame();
		float8		v = lrand48() % 2 ? odd_number() :
		frame.x + frame.side * (drand48() * 4 - 2);
		int			low,
					high;

		if (lrand48() % 20 == 0)
			v = lrand48() % 2 ? get_float8_infinity() : -get_float8_infinity();
		low = spq_encode_low(v, frame.x, &frame);
		high = spq_encode_high(v, frame.x, &frame);
		check(spq_decode(low, frame.x, frame.side) <= v,
			  "v %g corner %g side %g code %d", v, frame.x, frame.side, low);
		check(spq_decode(high, frame.x, frame.side) >= v,
			  "v %g corner %g side %g code %d", v, frame.x, frame.side, high);
		check(abs(low) <= SPQ_CODE_INF && abs(high) <= SPQ_CODE_INF,
			  "codes %d %d", low, high);
	}
	finish_test("codes of low bounds are not above, of high bounds not below");

	for (int i = 0; i < 100000; i++)
	{
		SpqCell		cell = spq_cell_at(random_int(-1000, 1000), 0,
									   random_int(-10, 10));
		SpqFrame	frame = spq_frame(&cell);
		float8		v = frame.x + frame.side * drand48();
		float8		step = frame.side / 128;

		check(v - spq_decode(spq_encode_low(v, frame.x, &frame),
							 frame.x, frame.side) <= step, "v %g", v);
		check(spq_decode(spq_encode_high(v, frame.x, &frame),
						 frame.x, frame.side) - v <= step, "v %g", v);
	}
	finish_test("inside a cell, a code is within 1/128 of its side");
}

static void
test_labels(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqFrame	frame = any_frame();
		BOX			box = any_box();
		SpqBounds	bounds = spq_bounds_of_box(&box);
		int			node = random_int(0, 31);
		uint64		packed = spq_encode_label(node, &bounds, &frame);
		SpqBounds	decoded = spq_decode_label(packed, &frame);
		SpqLabel	label;

		spq_unpack_label(packed, &label);
		check(label.node == node, "%d %d", label.node, node);
		check(spq_pack_label(&label) == packed, "node %d", node);
		check(spq_bounds_hold(&decoded, &bounds), "x %g .. %g",
			  bounds.xmin, bounds.xmax);
		if (isnan(box.low.x) || isnan(box.high.x))
			check(isinf(decoded.xmin) && isinf(decoded.xmax), "%g .. %g",
				  decoded.xmin, decoded.xmax);
	}
	finish_test("a label holds the box that it was made of");
}

static void
test_widening(void)
{
	for (int i = 0; i < 300000; i++)
	{
		BOX			box1 = any_box(),
					box2 = any_box();
		SpqBounds	bounds = spq_bounds_of_box(&box1),
					more = spq_bounds_of_box(&box2),
					wide = lrand48() % 2 ? bounds : spq_bounds_nothing();
		SpqPlace	place = spq_place_of_box(&box2);
		SpqCell		cell = spq_cell_at(place.x, place.y,
									   random_int(SPQ_CELL_MIN, SPQ_CELL_TOP));
		SpqBounds	before = wide;

		spq_bounds_widen(&wide, &more, &cell, lrand48() % 2);
		check(spq_bounds_hold(&wide, &more), "%g .. %g in %g .. %g",
			  more.xmin, more.xmax, wide.xmin, wide.xmax);
		check(spq_bounds_hold(&wide, &before), "%g .. %g in %g .. %g",
			  before.xmin, before.xmax, wide.xmin, wide.xmax);
	}
	finish_test("widened bounds hold what they held, and the box");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_decoding();
	test_encoding();
	test_labels();
	test_widening();
	return tests_failed > 0;
}
