/*-------------------------------------------------------------------------
 *
 * validate.c
 *	  Validation of operator classes: they must be complete and correct.
 *
 * Also which of their members ALTER OPERATOR FAMILY may drop.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/amapi.h"
#include "access/amvalidate.h"
#include "access/htup_details.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "rtree/class/class.h"
#include "rtree/keys/code.h"
#include "rtree/rtree.h"
#include "types/registry.h"

/* The operator class that is validated. */
typedef struct Subject
{
	Oid			opfamily;
	Oid			input_type;
	char	   *name;			/* of the family */
} Subject;

/*
 * Report a problem.  If core reports it for its own methods, the words are the
 * same.
 */
#define complain(...) \
	ereport(INFO, \
			(errcode(ERRCODE_INVALID_OBJECT_DEFINITION), errmsg(__VA_ARGS__)))

static char *
family_name(Oid opfamily)
{
	HeapTuple	tuple = SearchSysCache1(OPFAMILYOID, ObjectIdGetDatum(opfamily));
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator family %u", opfamily);
	name = pstrdup(NameStr(((Form_pg_opfamily) GETSTRUCT(tuple))->opfname));
	ReleaseSysCache(tuple);
	return name;
}

/*
 * Return whether a function takes two arguments, the second one a seed of type
 * bigint, and returns a hash of type bigint.  The first argument may have any
 * type, because core's functions are used for several types that are stored
 * alike.
 */
static bool
is_hash_function(Oid function)
{
	Oid		   *types;
	int			n;

	return get_func_signature(function, &types, &n) == INT8OID && n == 2 && types[1] == INT8OID;
}

static bool
validate_function(const Subject *subject, Form_pg_amproc proc)
{
	bool		ok = false;

	if (proc->amproclefttype != proc->amprocrighttype)
	{
		complain("operator family \"%s\" of access method %s contains support function %s with different left and right input types",
				 subject->name, "spqtree", format_procedure(proc->amproc));
		return false;
	}
	switch (proc->amprocnum)
	{
		case SPQ_RTREE_ENDS_PROC:
			ok = check_amproc_signature(proc->amproc, VOIDOID, false, 2, 2,
										proc->amproclefttype, INTERNALOID);
			break;
		case SPQ_RTREE_CONDITION_PROC:
		case SPQ_RTREE_ORDER_PROC:
			ok = check_amproc_signature(proc->amproc, VOIDOID, true, 2, 2,
										INTERNALOID, INTERNALOID);
			break;
		case SPQ_RTREE_HASH_PROC:
			ok = is_hash_function(proc->amproc);
			break;
		case SPQ_RTREE_TYPE_PROC:
			ok = check_amproc_signature(proc->amproc, INTERNALOID, true, 1, 1, INTERNALOID);
			break;
		default:
			complain("operator family \"%s\" of access method %s contains function %s with invalid support number %d",
					 subject->name, "spqtree", format_procedure(proc->amproc),
					 proc->amprocnum);
			return false;
	}
	if (!ok)
		complain("operator family \"%s\" of access method %s contains function %s with wrong signature for support number %d",
				 subject->name, "spqtree", format_procedure(proc->amproc),
				 proc->amprocnum);
	return ok;
}

static bool
validate_operator(const Subject *subject, Form_pg_amop op)
{
	bool		valid = true;
	Oid			result = BOOLOID;

	if (op->amopstrategy < 1)
	{
		complain("operator family \"%s\" of access method %s contains operator %s with invalid strategy number %d",
				 subject->name, "spqtree", format_operator(op->amopopr),
				 op->amopstrategy);
		valid = false;
	}
	if (op->amoppurpose == AMOP_ORDER)
	{
		result = get_op_rettype(op->amopopr);

		/* the search compares distances as float8 */
		if (result != FLOAT8OID ||
			!opfamily_can_sort_type(op->amopsortfamily, result))
		{
			complain("operator family \"%s\" of access method %s contains incorrect ORDER BY opfamily specification for operator %s",
					 subject->name, "spqtree", format_operator(op->amopopr));
			valid = false;
		}
		if (!OidIsValid(get_opfamily_proc(subject->opfamily, op->amoplefttype,
										  op->amoplefttype, SPQ_RTREE_ORDER_PROC)))
		{
			complain("operator family \"%s\" of access method %s contains unsupported ORDER BY specification for operator %s",
					 subject->name, "spqtree", format_operator(op->amopopr));
			valid = false;
		}
	}
	if (!check_amop_signature(op->amopopr, result, op->amoplefttype, op->amoprighttype))
	{
		complain("operator family \"%s\" of access method %s contains operator %s with wrong signature",
				 subject->name, "spqtree", format_operator(op->amopopr));
		valid = false;
	}
	return valid;
}

/* Return whether a type is box or box3. */
static bool
is_box(Oid type)
{
	const SpqType *known = spq_type_of(type);

	return known && known->is_box;
}

/* Return whether a set of support functions has this one. */
static bool
has_function(uint64 functions, int number)
{
	return (functions & (UINT64CONST(1) << number)) != 0;
}

/*
 * Check the storage type, of a datum's image or of bounds: its length must fit
 * the ends.  A class for both positions stores two numbers instead.
 */
static bool
validate_storage(Form_pg_opclass form, bool for_both)
{
	const char *class_name = NameStr(form->opcname);
	Oid			stored = OidIsValid(form->opckeytype) ? form->opckeytype : form->opcintype;
	int			length = get_typlen(stored);

	if (for_both && stored == form->opcintype)
		return true;
	if (for_both)
		complain("operator class \"%s\" of access method %s has both support function %d and storage type %s",
				 class_name, "spqtree", SPQ_RTREE_HASH_PROC, format_type_be(stored));
	else if (stored != form->opcintype && !is_box(stored))
		complain("operator class \"%s\" of access method %s has storage type %s, which is neither box nor box3",
				 class_name, "spqtree", format_type_be(stored));
	else if (spq_rtree_axes_of_length(length) == 0 || get_typbyval(stored))
		complain("operator class \"%s\" of access method %s needs storage type box or box3 for type %s",
				 class_name, "spqtree", format_type_be(form->opcintype));
	else
		return true;
	return false;
}

/* Return whether strategy 1 of a class is equality. */
static bool
has_equality(const Subject *subject)
{
	Oid			type = subject->input_type;
	Oid			equality = get_opfamily_member(subject->opfamily, type, type,
											   SPQ_RTREE_EQUAL_STRATEGY);

	return OidIsValid(equality) && get_mergejoin_opfamilies(equality) != NIL;
}

/*
 * Return whether this is a class for scalars: equality is its only operator,
 * and it has none of the functions of a spatial class.
 */
static bool
is_scalar_class(const Subject *subject, uint64 functions, uint64 operators)
{
	return (functions & ~(UINT64CONST(1) << SPQ_RTREE_HASH_PROC)) == 0 &&
		operators == UINT64CONST(1) << SPQ_RTREE_EQUAL_STRATEGY && has_equality(subject);
}

/*
 * Check that a class stores bounds with the axes of its type's descriptor.  One
 * for both positions has no storage type.
 */
static bool
validate_described(Form_pg_opclass form, bool for_both)
{
	const SpqType *type = form->opcdefault ? spq_type_of(form->opcintype) : NULL;

	if (type == NULL ||
		(type->box != NULL &&
		 (for_both || get_typlen(form->opckeytype) == 2 * type->axes * (int) sizeof(float8))))
		return true;
	complain("operator class \"%s\" of access method %s does not store the bounds that support function %d describes",
			 NameStr(form->opcname), "spqtree", SPQ_RTREE_TYPE_PROC);
	return false;
}

/*
 * Check that the class has the support functions and the storage that it needs.
 */
static bool
validate_complete(const Subject *subject, List *groups, Form_pg_opclass form)
{
	const char *class_name = NameStr(form->opcname);
	uint64		functions = 0,
				operators = 0;
	bool		valid = true,
				for_both;
	ListCell   *lc;

	foreach(lc, groups)
	{
		const OpFamilyOpFuncGroup *group = lfirst(lc);

		/* operators with other right-hand types need no functions */
		if (group->lefttype == subject->input_type &&
			group->righttype == subject->input_type)
		{
			functions = group->functionset;
			operators = group->operatorset;
		}
	}
	if (is_scalar_class(subject, functions, operators))
		return true;
	for_both = has_function(functions, SPQ_RTREE_ENDS_PROC) &&
		has_function(functions, SPQ_RTREE_HASH_PROC);
	valid &= validate_storage(form, for_both);
	if (has_function(functions, SPQ_RTREE_TYPE_PROC))
		valid &= validate_described(form, for_both);
	if (for_both && !has_equality(subject))
	{
		complain("operator class \"%s\" of access method %s has support function %d, but strategy %d is not equality",
				 class_name, "spqtree", SPQ_RTREE_HASH_PROC, SPQ_RTREE_EQUAL_STRATEGY);
		valid = false;
	}
	for (int number = SPQ_RTREE_ENDS_PROC; number <= SPQ_RTREE_CONDITION_PROC; number++)
	{
		if (has_function(functions, number))
			continue;
		complain("operator class \"%s\" of access method %s is missing support function %d",
				 class_name, "spqtree", number);
		valid = false;
	}
	return valid;
}

/*
 * Return whether an operator class is valid.  Report each problem in an INFO
 * message, as core's methods do.
 */
bool
spq_rtree_validate(Oid opclass)
{
	HeapTuple	class_tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	Form_pg_opclass form;
	Subject		subject;
	CatCList   *operators;
	CatCList   *functions;
	bool		valid = true;

	if (!HeapTupleIsValid(class_tuple))
		elog(ERROR, "cache lookup failed for operator class %u", opclass);
	form = (Form_pg_opclass) GETSTRUCT(class_tuple);
	subject.opfamily = form->opcfamily;
	subject.input_type = form->opcintype;
	subject.name = family_name(form->opcfamily);

	operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(subject.opfamily));
	functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(subject.opfamily));
	for (int i = 0; i < functions->n_members; i++)
		valid &= validate_function(&subject, (Form_pg_amproc)
								   GETSTRUCT(&functions->members[i]->tuple));
	for (int i = 0; i < operators->n_members; i++)
		valid &= validate_operator(&subject, (Form_pg_amop)
								   GETSTRUCT(&operators->members[i]->tuple));
	valid &= validate_complete(&subject, identify_opfamily_groups(operators, functions),
							   form);
	ReleaseCatCacheList(functions);
	ReleaseCatCacheList(operators);
	ReleaseSysCache(class_tuple);
	return valid;
}

/*
 * Set the dependencies of members that are added to a class or family.  A class
 * cannot work without its ends, condition and hash, nor without strategy 1 if that
 * is equality; these stay bound to the class that CREATE OPERATOR CLASS makes.  The others depend on
 * the family, and can be dropped from it, whichever command added them.  So
 * ALTER OPERATOR FAMILY in an update script makes the same dependencies as CREATE
 * OPERATOR CLASS in a new installation.
 */
void
spq_rtree_adjust_members(Oid opfamily, Oid opclass, List *operators, List *functions)
{
	ListCell   *lc;

	foreach(lc, list_concat_copy(operators, functions))
	{
		OpFamilyMember *member = lfirst(lc);

		if (member->is_func ? member->number == SPQ_RTREE_ORDER_PROC :
			member->number != SPQ_RTREE_EQUAL_STRATEGY)
		{
			member->ref_is_hard = false;
			member->ref_is_family = true;
			member->refobjid = opfamily;
		}
	}
}
