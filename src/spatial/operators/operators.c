/*-------------------------------------------------------------------------
 *
 * operators.c
 *	  The implications of an operator for the bounding boxes of its arguments.
 *
 * Operators of the types in src/types are described there, and those of types of
 * other extensions by their class of the access method.  Other operators are known
 * if they belong to an operator class of SP-GiST that uses one of our
 * config methods.  Such a class guarantees that its operators number 3, 6, 7
 * and 8 imply that the boxes returned by its compress method overlap.
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
#include "commands/defrem.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "spatial/operators/operators.h"
#include "types/default_class.h"
#include "types/own_function.h"
#include "types/registry.h"

static void
describe(const SpqTypeOperator *known, SpqSpatialOperator *op)
{
	Assert(known->left->axes == known->right->axes);
	op->axes = known->left->axes;
	op->relation = known->relation;
	op->exact = known->fraction == SPQ_TYPE_EXACT;
	op->proper = known->fraction == SPQ_TYPE_PROPER;
	op->fraction = op->exact || op->proper ? 1 : known->fraction;
	op->predicate = op->exact ? op->relation : SPQ_BOX_OVERLAPS;
	op->left.type = known->left;
	op->right.type = known->right;
	op->left.function = op->right.function = InvalidOid;
	op->left.oid = op->right.oid = InvalidOid;
	op->condition = InvalidOid;
	op->exchanged = false;
	op->clear_axes = 0;
	op->partners = NIL;
}

/* Return whether the config method of this operator family is ours. */
static bool
is_our_family(Oid opfamily, Oid opcintype)
{
	static const char *const symbol = "spq_box_config";
	Oid			config = get_opfamily_proc(opfamily, opcintype, opcintype,
										   SPGIST_CONFIG_PROC);

	return OidIsValid(config) &&
		spq_own_symbol_place(config, &symbol, 1) >= 0;
}

/*
 * Describe how a value of a type yields its box, by the family's compress
 * method.  Return false if that returns something else.
 */
static bool
family_operand(Oid opfamily, Oid type, SpqTypeOperand *operand)
{
	operand->function = get_opfamily_proc(opfamily, type, type,
										  SPGIST_COMPRESS_PROC);
	operand->type = OidIsValid(operand->function) ? &spq_type_function : &spq_type_box;
	return BOXOID == (OidIsValid(operand->function) ? get_func_rettype(operand->function) : type);
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
		op->proper = false;
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

/* Return whether a family is that of a type's default class. */
static bool
is_default_family(Oid family, Oid type, Oid access_method)
{
	Oid			opclass = spq_type_default_class(type, access_method);

	return OidIsValid(opclass) && get_opclass_family(opclass) == family;
}

/*
 * Describe an operator of a type of another extension, by the default class of
 * the access method.  In the plane, boxes are compared with EPSILON, so the operator
 * decides.
 */
static bool
class_operator(Oid opno, SpqSpatialOperator *op)
{
	CatCList   *catlist = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(opno));
	Oid			am = catlist->n_members > 0 ? get_am_oid("spqtree", true) : InvalidOid;
	bool		found = false;

	for (int i = 0; i < catlist->n_members && !found; i++)
	{
		Form_pg_amop amop = (Form_pg_amop) GETSTRUCT(&catlist->members[i]->tuple);
		SpqTypeOperator known;
		const SpqType *left,
				   *right;
		const SpqTypeOperator *row;

		if (amop->amopmethod != am || amop->amoppurpose != AMOP_SEARCH || !op_strict(opno) ||
			!is_default_family(amop->amopfamily, amop->amoplefttype, am))
			continue;
		left = spq_type_of(amop->amoplefttype);
		right = spq_type_of(amop->amoprighttype);
		if (left == NULL || left->version == 0 || right == NULL || left->axes != right->axes)
			continue;
		if (left->bounds != NULL)
			continue;			/* extension_clause.c */
		row = spq_type_own_row(left, amop->amopstrategy);
		if (row == NULL)
			continue;
		known = *row;
		known.left = left;
		known.right = right;
		if (known.fraction == SPQ_TYPE_EXACT && left->axes == 2)
			known.fraction = 1;
		describe(&known, op);
		op->left.oid = amop->amoplefttype;
		op->right.oid = amop->amoprighttype;
		found = true;
	}
	ReleaseSysCacheList(catlist);
	return found;
}

/* The same for the commutator of such an operator, which need not be in the class. */
static bool
commuted_operator(Oid opno, SpqSpatialOperator *op)
{
	Oid			commutator = get_commutator(opno);
	SpqTypeOperand left;

	if (!OidIsValid(commutator) || !op_strict(opno) || !class_operator(commutator, op))
		return false;
	op->relation = spq_box_commute(op->relation);
	op->predicate = spq_box_commute(op->predicate);
	left = op->left;
	op->left = op->right;
	op->right = left;
	return true;
}

bool
spq_spatial_scan_operator(Oid opno, SpqSpatialOperator *op)
{
	const SpqTypeOperator *known = spq_type_operator(get_opcode(opno));

	if (known)
		describe(known, op);
	return known || (opno >= FirstNormalObjectId &&
					 (class_operator(opno, op) || commuted_operator(opno, op) ||
					  family_operator(opno, op)));
}

bool
spq_spatial_operator(Oid opno, SpqSpatialOperator *op)
{
	return spq_spatial_scan_operator(opno, op) && op->left.type->box && op->right.type->box;
}

bool
spq_spatial_join_operator(Oid opno, SpqSpatialOperator *op)
{
	return spq_spatial_operator(opno, op) && !spq_box_is_axial(op->relation);
}
