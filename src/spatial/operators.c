/*-------------------------------------------------------------------------
 *
 * operators.c
 *	  Which operators a spatial join can be made of, and what box each of their
 *	  arguments yields.
 *
 * PostgreSQL's own are in a table.  Others come by way of an SP-GiST operator
 * class that has our config method: it promises that its operators number 3, 6,
 * 7 and 8 imply that the boxes overlap which its compress method makes.
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
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "spatial/operators.h"

extern Datum spq_box_config(PG_FUNCTION_ARGS);

typedef struct CoreOperator
{
	Oid			operator;		/* as in pg_operator.dat, the same for ever */
	SpqRelation predicate;
	bool		exact;
	SpqBoundsKind left,
				right;
} CoreOperator;

#define BOX_	SPQ_BOUNDS_BOX
#define POINT_	SPQ_BOUNDS_POINT
#define CIRCLE_ SPQ_BOUNDS_CIRCLE
#define POLY_	SPQ_BOUNDS_POLYGON

/*
 * Why each implies that the boxes overlap is in README.md.  Two points are the
 * same (~=) if and only if their boxes are.
 */
static const CoreOperator core_operators[] = {
	{500, SPQ_BOX_OVERLAPS, true, BOX_, BOX_}, /* && */
	{802, SPQ_BOX_OVERLAPS, true, BOX_, BOX_}, /* ?# */
	{498, SPQ_BOX_CONTAINS, true, BOX_, BOX_}, /* @> */
	{497, SPQ_BOX_CONTAINED, true, BOX_, BOX_},	/* <@ */
	{499, SPQ_BOX_SAME, true, BOX_, BOX_}, /* ~= */
	{433, SPQ_BOX_MEETS, true, BOX_, POINT_},	/* @> */
	{511, SPQ_BOX_MEETS, true, POINT_, BOX_},	/* <@ */
	{510, SPQ_BOX_SAME, true, POINT_, POINT_}, /* ~= */
	{1513, SPQ_BOX_OVERLAPS, false, CIRCLE_, CIRCLE_}, /* && */
	{1511, SPQ_BOX_OVERLAPS, false, CIRCLE_, CIRCLE_}, /* @> */
	{1510, SPQ_BOX_OVERLAPS, false, CIRCLE_, CIRCLE_}, /* <@ */
	{1512, SPQ_BOX_OVERLAPS, false, CIRCLE_, CIRCLE_}, /* ~= */
	{759, SPQ_BOX_OVERLAPS, false, CIRCLE_, POINT_},	/* @> */
	{758, SPQ_BOX_OVERLAPS, false, POINT_, CIRCLE_},	/* <@ */
	{492, SPQ_BOX_OVERLAPS, false, POLY_, POLY_},	/* && */
	{490, SPQ_BOX_OVERLAPS, false, POLY_, POLY_},	/* @> */
	{489, SPQ_BOX_OVERLAPS, false, POLY_, POLY_},	/* <@ */
	{491, SPQ_BOX_OVERLAPS, false, POLY_, POLY_},	/* ~= */
	{757, SPQ_BOX_OVERLAPS, false, POLY_, POINT_}, /* @> */
	{756, SPQ_BOX_OVERLAPS, false, POINT_, POLY_}, /* <@ */
};

/* Is the config method of this operator class ours? */
static bool
is_our_family(Oid opfamily, Oid opcintype)
{
	Oid			config = get_opfamily_proc(opfamily, opcintype, opcintype,
										   SPGIST_CONFIG_PROC);
	FmgrInfo	finfo;

	if (!OidIsValid(config))
		return false;
	fmgr_info(config, &finfo);
	return finfo.fn_addr == spq_box_config;
}

/* How a type yields its box, according to the family's compress method. */
static bool
family_operand(Oid opfamily, Oid type, SpqOperand *operand)
{
	operand->function = get_opfamily_proc(opfamily, type, type,
										  SPGIST_COMPRESS_PROC);
	operand->kind = SPQ_BOUNDS_FUNCTION;
	if (OidIsValid(operand->function))
		return get_func_rettype(operand->function) == BOXOID;
	operand->kind = SPQ_BOUNDS_BOX;
	return type == BOXOID;
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
		op->predicate = SPQ_BOX_OVERLAPS;
		op->exact = false;
		found = family_operand(amop->amopfamily, amop->amoplefttype, &op->left) &&
			family_operand(amop->amopfamily, amop->amoprighttype, &op->right);
	}
	ReleaseSysCacheList(catlist);
	return found;
}

/*
 * Can a spatial join be made of this operator?  If it can, says how.
 */
bool
spq_spatial_operator(Oid opno, SpqSpatialOperator *op)
{
	for (size_t i = 0; i < lengthof(core_operators); i++)
	{
		const CoreOperator *core = &core_operators[i];

		if (core->operator != opno)
			continue;
		op->predicate = core->predicate;
		op->exact = core->exact;
		op->left.kind = core->left;
		op->right.kind = core->right;
		op->left.function = op->right.function = InvalidOid;
		return true;
	}
	return opno >= FirstNormalObjectId && family_operator(opno, op);
}

/*
 * "exact": will the condition on boxes decide?  "collation": of the operator.
 */
void
spq_bounds_init(SpqBoundsOf *bounds, const SpqOperand *operand, bool exact,
				Oid collation)
{
	bounds->kind = operand->kind;
	bounds->exact = exact;
	bounds->collation = collation;
	if (operand->kind == SPQ_BOUNDS_FUNCTION)
		fmgr_info(operand->function, &bounds->function);
}

/*
 * The box of a circle, a little too large: what it is compared with takes
 * several roundings of numbers of the size of radius and centre.
 */
static void
circle_bounds(const CIRCLE *circle, BOX *box)
{
	double		radius = fabs(circle->radius) * (1 + 16 * DBL_EPSILON),
				dx = radius + fabs(circle->center.x) * (4 * DBL_EPSILON),
				dy = radius + fabs(circle->center.y) * (4 * DBL_EPSILON);

	box->low.x = circle->center.x - dx;
	box->low.y = circle->center.y - dy;
	box->high.x = circle->center.x + dx;
	box->high.y = circle->center.y + dy;
}

/*
 * Where the operator will decide, a box with NaN or infinity becomes one that
 * overlaps all others: what the operator makes of these is its own affair (a
 * polygon with a corner at infinity can hold points outside of its box).  Others
 * grow by a few units in the last place, because |a - b| <= EPSILON, as many
 * operators compare, and a <= b + EPSILON, as boxes do, are rounded differently.
 */
static void
make_safe(BOX *box)
{
	const double infinity = get_float8_infinity();
	double		sum = fabs(box->low.x) + fabs(box->low.y) +
		fabs(box->high.x) + fabs(box->high.y);

	if (!(sum < infinity))
	{
		box->high.x = box->high.y = infinity;
		box->low.x = box->low.y = -infinity;
		return;
	}
	box->low.x -= (fabs(box->low.x) + EPSILON) * (4 * DBL_EPSILON);
	box->low.y -= (fabs(box->low.y) + EPSILON) * (4 * DBL_EPSILON);
	box->high.x += (fabs(box->high.x) + EPSILON) * (4 * DBL_EPSILON);
	box->high.y += (fabs(box->high.y) + EPSILON) * (4 * DBL_EPSILON);
}

/* The box of a value that is not null. */
void
spq_bounds_of(SpqBoundsOf *bounds, Datum value, BOX *box)
{
	switch (bounds->kind)
	{
		case SPQ_BOUNDS_BOX:
			*box = *DatumGetBoxP(value);
			break;
		case SPQ_BOUNDS_POINT:
			box->high = box->low = *DatumGetPointP(value);
			break;
		case SPQ_BOUNDS_CIRCLE:
			circle_bounds(DatumGetCircleP(value), box);
			break;
		case SPQ_BOUNDS_POLYGON:
			{
				/* it starts with its box; the rest may be long, and elsewhere */
				const int	end = offsetof(POLYGON, p);
				POLYGON    *polygon = (POLYGON *)
					PG_DETOAST_DATUM_SLICE(value, 0, end - VARHDRSZ);

				*box = polygon->boundbox;
				if ((Pointer) polygon != DatumGetPointer(value))
					pfree(polygon);
				break;
			}
		case SPQ_BOUNDS_FUNCTION:
			*box = *DatumGetBoxP(FunctionCall1Coll(&bounds->function,
												   bounds->collation, value));
			break;
	}
	if (!bounds->exact)
		make_safe(box);
}
