/*-------------------------------------------------------------------------
 *
 * operators.c
 *	  The implications of an operator for the bounding boxes of its arguments.
 *
 * PostgreSQL's own operators are in a table, identified by the function that
 * evaluates them.  Ours are in two tables, of the plane and of space,
 * identified by the symbol of the function.  Other operators are known if they
 * belong to an operator class of SP-GiST that uses one of our config methods.
 * Such a class guarantees that its operators number 3, 6, 7 and 8 imply that
 * the boxes returned by its compress method overlap.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/spgist.h"
#include "access/stratnum.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_type_d.h"
#include "utils/catcache.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "spatial/operators/operator_table.h"
#include "spatial/operators/own_function.h"

typedef struct BuiltinOperator
{
	Oid			function;
	SpqSpatialKnown known;
} BuiltinOperator;

#define EXACT	SPQ_SPATIAL_EXACT

/*
 * Two circles with radii r and s meet if the centers are in a circle of radius
 * r + s.  Their boxes meet if they are in a square of that half side: pi / 4.
 * Polygons may have any shape, so these are guesses.
 */
#define ROUND	(M_PI / 4)
#define POLYGONS_OVERLAP 0.8
#define POLYGON_CONTAINS 0.6

/* Guesses, too, for segments and paths. */
#define SEGMENTS_CROSS	0.3
#define SEGMENT_IN_BOX	0.7
#define POINT_ON_SEGMENT	0.01

#define BOX_	SPQ_SPATIAL_BOX
#define POINT_	SPQ_SPATIAL_POINT
#define CIRCLE_ SPQ_SPATIAL_CIRCLE
#define POLY_	SPQ_SPATIAL_POLYGON
#define LSEG_	SPQ_SPATIAL_LSEG
#define PATH_	SPQ_SPATIAL_PATH

/*
 * The operators of box, circle and polygon, whose functions PostgreSQL names
 * alike.  "others" is the fraction of ~= and of the directional ones.
 */
#define OPERATORS_OF(type, overlaps, contains, others) \
	{F_##type##_OVERLAP, {SPQ_BOX_OVERLAPS, overlaps, type##_, type##_}}, \
	{F_##type##_CONTAIN, {SPQ_BOX_CONTAINS, contains, type##_, type##_}}, \
	{F_##type##_CONTAINED, {SPQ_BOX_CONTAINED, contains, type##_, type##_}}, \
	{F_##type##_SAME, {SPQ_BOX_SAME, others, type##_, type##_}}, \
	{F_##type##_LEFT, {SPQ_BOX_LEFT, others, type##_, type##_}}, \
	{F_##type##_OVERLEFT, {SPQ_BOX_OVERLEFT, others, type##_, type##_}}, \
	{F_##type##_RIGHT, {SPQ_BOX_RIGHT, others, type##_, type##_}}, \
	{F_##type##_OVERRIGHT, {SPQ_BOX_OVERRIGHT, others, type##_, type##_}}, \
	{F_##type##_BELOW, {SPQ_BOX_BELOW, others, type##_, type##_}}, \
	{F_##type##_OVERBELOW, {SPQ_BOX_OVERBELOW, others, type##_, type##_}}, \
	{F_##type##_ABOVE, {SPQ_BOX_ABOVE, others, type##_, type##_}}, \
	{F_##type##_OVERABOVE, {SPQ_BOX_OVERABOVE, others, type##_, type##_}}

/*
 * src/spatial/README.md explains why each operator that is not along one axis
 * implies that the boxes overlap.  Two points are the same (~=) if and only if
 * their boxes are.
 */
static const BuiltinOperator builtin_operators[] = {
	OPERATORS_OF(BOX, EXACT, EXACT, EXACT),
	{F_BOX_CONTAIN_PT, {SPQ_BOX_MEETS, EXACT, BOX_, POINT_}},
	{F_ON_PB, {SPQ_BOX_MEETS, EXACT, POINT_, BOX_}},

	{F_POINT_EQ, {SPQ_BOX_SAME, EXACT, POINT_, POINT_}},
	{F_POINT_LEFT, {SPQ_BOX_LEFT, EXACT, POINT_, POINT_}},
	{F_POINT_RIGHT, {SPQ_BOX_RIGHT, EXACT, POINT_, POINT_}},
	{F_POINT_BELOW, {SPQ_BOX_BELOW, EXACT, POINT_, POINT_}},
	{F_POINT_ABOVE, {SPQ_BOX_ABOVE, EXACT, POINT_, POINT_}},

	OPERATORS_OF(CIRCLE, ROUND, ROUND, 1),
	{F_CIRCLE_CONTAIN_PT, {SPQ_BOX_OVERLAPS, ROUND, CIRCLE_, POINT_}},
	{F_PT_CONTAINED_CIRCLE, {SPQ_BOX_OVERLAPS, ROUND, POINT_, CIRCLE_}},

	OPERATORS_OF(POLY, POLYGONS_OVERLAP, POLYGON_CONTAINS, 1),
	{F_POLY_CONTAIN_PT, {SPQ_BOX_OVERLAPS, POLYGON_CONTAINS, POLY_, POINT_}},
	{F_PT_CONTAINED_POLY, {SPQ_BOX_OVERLAPS, POLYGON_CONTAINS, POINT_, POLY_}},

	{F_LSEG_INTERSECT, {SPQ_BOX_OVERLAPS, SEGMENTS_CROSS, LSEG_, LSEG_}},
	{F_LSEG_EQ, {SPQ_BOX_SAME, 1, LSEG_, LSEG_}},
	{F_INTER_SB, {SPQ_BOX_OVERLAPS, SEGMENT_IN_BOX, LSEG_, BOX_}},
	{F_ON_SB, {SPQ_BOX_CONTAINED, 1, LSEG_, BOX_}},
	{F_ON_PS, {SPQ_BOX_OVERLAPS, POINT_ON_SEGMENT, POINT_, LSEG_}},

	{F_PATH_INTER, {SPQ_BOX_OVERLAPS, SEGMENTS_CROSS, PATH_, PATH_}},
	{F_ON_PPATH, {SPQ_BOX_OVERLAPS, POLYGON_CONTAINS, POINT_, PATH_}},
};

/* The operators of this extension in the plane (src/shapes). */
static const SpqSpatialOwn own_operators[] = {
	{"spq_box_overlaps_circle", {SPQ_BOX_OVERLAPS, ROUND, BOX_, CIRCLE_}},
	{"spq_circle_overlaps_box", {SPQ_BOX_OVERLAPS, ROUND, CIRCLE_, BOX_}},
	{"spq_box_in_circle", {SPQ_BOX_CONTAINED, ROUND, BOX_, CIRCLE_}},
	{"spq_circle_holds_box", {SPQ_BOX_CONTAINS, ROUND, CIRCLE_, BOX_}},
	{"spq_box_overlaps_polygon", {SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP, BOX_, POLY_}},
	{"spq_polygon_overlaps_box", {SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP, POLY_, BOX_}},
	{"spq_box_in_polygon", {SPQ_BOX_CONTAINED, POLYGON_CONTAINS, BOX_, POLY_}},
	{"spq_polygon_holds_box", {SPQ_BOX_CONTAINS, POLYGON_CONTAINS, POLY_, BOX_}},
	{"spq_box_meets_lseg", {SPQ_BOX_OVERLAPS, SEGMENT_IN_BOX, BOX_, LSEG_}},
};

static void
describe(const SpqSpatialKnown *known, SpqSpatialOperator *op)
{
	Assert(spq_spatial_axes(known->left) == spq_spatial_axes(known->right));
	op->axes = spq_spatial_axes(known->left);
	op->relation = known->relation;
	op->exact = known->fraction == EXACT;
	op->fraction = op->exact ? 1 : known->fraction;
	op->predicate = op->exact ? op->relation : SPQ_BOX_OVERLAPS;
	op->left.kind = known->left;
	op->right.kind = known->right;
	op->left.function = op->right.function = InvalidOid;
	op->condition = InvalidOid;
	op->exchanged = false;
	op->clear_axes = 0;
	op->partners = NIL;
}

static bool
builtin_operator(Oid opno, SpqSpatialOperator *op)
{
	Oid			function = get_opcode(opno);

	for (size_t i = 0; i < lengthof(builtin_operators); i++)
	{
		if (builtin_operators[i].function != function)
			continue;
		describe(&builtin_operators[i].known, op);
		return true;
	}
	return false;
}

/*
 * Describe an operator whose function is in a table.  Return false if it is
 * not there.
 */
static bool
describe_own(const char *symbol, const SpqSpatialOwn *table, int count,
			 SpqSpatialOperator *op)
{
	for (int i = 0; i < count; i++)
	{
		if (strcmp(symbol, table[i].symbol) != 0)
			continue;
		describe(&table[i].known, op);
		return true;
	}
	return false;
}

static bool
own_operator(Oid opno, SpqSpatialOperator *op)
{
	const char *symbol = spq_spatial_symbol(get_opcode(opno));

	return symbol != NULL &&
		(describe_own(symbol, own_operators, lengthof(own_operators), op) ||
		 describe_own(symbol, spq_spatial_solid_operators,
					  spq_spatial_solid_operator_count, op));
}

/* Return whether the config method of this operator family is ours. */
static bool
is_our_family(Oid opfamily, Oid opcintype)
{
	static const char *const symbols[] = {"spq_box_config", "spq_box_compact_config"};
	Oid			config = get_opfamily_proc(opfamily, opcintype, opcintype,
										   SPGIST_CONFIG_PROC);

	return OidIsValid(config) &&
		spq_spatial_own_symbol(config, symbols, lengthof(symbols)) >= 0;
}

static bool
is_compact_box(Oid type)
{
	static const char *const symbol = "spq_compact_box_in";
	Oid			input,
				param;

	getTypeInputInfo(type, &input, &param);
	return spq_spatial_own_symbol(input, &symbol, 1) >= 0;
}

/*
 * Describe how a value of a type yields its box, by the family's compress
 * method.  Return false if that returns something else.
 */
static bool
family_operand(Oid opfamily, Oid type, SpqSpatialOperand *operand)
{
	Oid			result;

	operand->function = get_opfamily_proc(opfamily, type, type,
										  SPGIST_COMPRESS_PROC);
	operand->kind = SPQ_SPATIAL_BOX;
	if (!OidIsValid(operand->function))
		return type == BOXOID;
	result = get_func_rettype(operand->function);
	operand->kind = result == BOXOID ? SPQ_SPATIAL_FUNCTION : SPQ_SPATIAL_COMPACT;
	return result == BOXOID || is_compact_box(result);
}

static bool
family_operator(Oid opno, SpqSpatialOperator *op)
{
	CatCList   *catlist = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(opno));
	bool		found = false;

	for (int i = 0; i < catlist->n_members && !found; i++)
	{
		Form_pg_amop amop = (Form_pg_amop) GETSTRUCT(&catlist->members[i]->tuple);

		if (amop->amopmethod != SPGIST_AM_OID || amop->amoppurpose != AMOP_SEARCH)
			continue;
		switch (amop->amopstrategy)
		{
			case RTOverlapStrategyNumber:
			case RTSameStrategyNumber:
			case RTContainsStrategyNumber:
			case RTContainedByStrategyNumber:
				break;
			default:
				continue;
		}
		if (!op_strict(opno) ||
			!is_our_family(amop->amopfamily, amop->amoplefttype))
			continue;
		op->predicate = op->relation = SPQ_BOX_OVERLAPS;
		op->axes = 2;
		op->exact = false;
		op->fraction = 1;
		op->condition = InvalidOid;
		op->exchanged = false;
		op->clear_axes = 0;
		op->partners = NIL;
		found = family_operand(amop->amopfamily, amop->amoplefttype, &op->left) &&
			family_operand(amop->amopfamily, amop->amoprighttype, &op->right);
	}
	ReleaseSysCacheList(catlist);
	return found;
}

/* Describe an operator.  Return false if nothing is known of it. */
bool
spq_spatial_operator(Oid opno, SpqSpatialOperator *op)
{
	return builtin_operator(opno, op) ||
		(opno >= FirstNormalObjectId &&
		 (own_operator(opno, op) || family_operator(opno, op)));
}

/*
 * Like spq_spatial_operator(), but return false also if the operator cannot be
 * used for a spatial join, because it does not imply that the boxes overlap.
 */
bool
spq_spatial_join_operator(Oid opno, SpqSpatialOperator *op)
{
	return spq_spatial_operator(opno, op) && !spq_box_is_axial(op->relation);
}
