/*-------------------------------------------------------------------------
 *
 * label_test.c
 *	  Node labels: lattice/label.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "lattice/label.h"

static SpqLabelFrame
any_frame(void)
{
	for (;;)
	{
		float8		x = odd_number(),
					y = odd_number();
		SpqLatticeCell cell;

		if (fabs(x) >= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP) ||
			fabs(y) >= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
			continue;
		cell = spq_lattice_cell(x, y, lrand48() % 2 ? random_int(-20, 20) :
								random_int(SPQ_LATTICE_MIN_EXP, SPQ_LATTICE_TOP_EXP));
		return spq_label_frame(&cell);
	}
}

static void
test_decoding(void)
{
	for (int i = 0; i < 100; i++)
	{
		SpqLabelFrame frame = any_frame();
		float8		last = -get_float8_infinity();

		for (int code = -SPQ_LABEL_CODE_INF; code <= SPQ_LABEL_CODE_INF; code++)
		{
			float8		value = spq_label_decode_code(code, frame.x, frame.side);

			check(value >= last, "code %d corner %g side %g: %g after %g",
				  code, frame.x, frame.side, value, last);
			last = value;
		}
		check(isinf(last), "%g", last);
		check(spq_label_decode_code(0, frame.x, frame.side) == frame.x, "%g", frame.x);
	}
	finish_test("decoding is monotonic over all codes");
}

static void
test_encoding(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqLabelFrame frame = any_frame();
		float8		v = lrand48() % 2 ? odd_number() :
			frame.x + frame.side * (drand48() * 4 - 2);
		int			low,
					high;

		if (lrand48() % 20 == 0)
			v = lrand48() % 2 ? get_float8_infinity() : -get_float8_infinity();
		low = spq_label_encode_low(v, frame.x, &frame);
		high = spq_label_encode_high(v, frame.x, &frame);
		check(spq_label_decode_code(low, frame.x, frame.side) <= v,
			  "v %g corner %g side %g code %d", v, frame.x, frame.side, low);
		check(spq_label_decode_code(high, frame.x, frame.side) >= v,
			  "v %g corner %g side %g code %d", v, frame.x, frame.side, high);
		check(abs(low) <= SPQ_LABEL_CODE_INF && abs(high) <= SPQ_LABEL_CODE_INF,
			  "codes %d %d", low, high);
	}
	finish_test("codes of low bounds are not above, of high bounds not below");

	for (int i = 0; i < 100000; i++)
	{
		SpqLatticeCell cell = spq_lattice_cell(random_int(-1000, 1000), 0,
											   random_int(-10, 10));
		SpqLabelFrame frame = spq_label_frame(&cell);
		float8		v = frame.x + frame.side * drand48();
		float8		step = frame.side / 128;

		check(v - spq_label_decode_code(spq_label_encode_low(v, frame.x, &frame),
										frame.x, frame.side) <= step, "v %g", v);
		check(spq_label_decode_code(spq_label_encode_high(v, frame.x, &frame),
									frame.x, frame.side) - v <= step, "v %g", v);
	}
	finish_test("inside a cell, a code is within 1/128 of its side");
}

static void
test_labels(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqLabelFrame frame = any_frame();
		BOX			box = any_box();
		SpqBoxBounds bounds = spq_box_bounds(&box);
		int			node = random_int(0, 31);
		uint64		packed = spq_label_encode(node, &bounds, &frame);
		SpqBoxBounds decoded = spq_label_decode(packed, &frame);
		SpqLabel	label;

		spq_label_unpack(packed, &label);
		check(label.node == node, "%d %d", label.node, node);
		check(spq_label_pack(&label) == packed, "node %d", node);
		check(spq_box_bounds_hold(&decoded, &bounds), "x %g .. %g",
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
		SpqBoxBounds bounds = spq_box_bounds(&box1),
					more = spq_box_bounds(&box2),
					wide = lrand48() % 2 ? bounds : spq_box_bounds_nothing();
		SpqLatticePlace place = spq_lattice_place(&box2);
		SpqLatticeCell cell = spq_lattice_cell(place.x, place.y,
											   random_int(SPQ_LATTICE_MIN_EXP, SPQ_LATTICE_TOP_EXP));
		SpqBoxBounds before = wide;

		spq_label_widen(&wide, &more, &cell, lrand48() % 2);
		check(spq_box_bounds_hold(&wide, &more), "%g .. %g in %g .. %g",
			  more.xmin, more.xmax, wide.xmin, wide.xmax);
		check(spq_box_bounds_hold(&wide, &before), "%g .. %g in %g .. %g",
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
