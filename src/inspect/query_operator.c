/*-------------------------------------------------------------------------
 *
 * query_operator.c
 *	  The operator of a query, in the operator family of the index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "inspect/query_operator.h"
#include "rtree/class/class.h"
#include "rtree/extension_class/extension_class.h"
#include "rtree/rtree.h"

static Oid
indexed_type(const SpqInspectIndex *inspected)
{
	return inspected->index->rd_opcintype[inspected->column - 1];
}

/*
 * Return the descriptor of the type of another extension, or NULL if the index
 * is not of such a type.
 */
static const SpqType *
described(const SpqInspectIndex *inspected)
{
	return inspected->is_rtree ? spq_rtree_extension_described(inspected->index) : NULL;
}

/* Return what a query of an index of such a type may be, for hints. */
static const char *
example_of_bounds(const SpqInspectIndex *inspected)
{
	const char *function = described(inspected)->bounds,
			   *type = format_type_be(indexed_type(inspected));

	return function ? psprintf("%s(%s)", function, type) : psprintf("the bounds of a %s", type);
}

/*
 * Raise an error unless a query of this type has the axes of the index.
 * "function" is the SQL function for boxes of two dimensions.
 */
void
spq_inspect_check_axes(const SpqInspectIndex *inspected, Oid query_type, const char *function)
{
	bool		flat = query_type == BOXOID;
	Relation	index = inspected->index;
	const char *example = described(inspected) == NULL ? "" :
		psprintf(", such as %s", example_of_bounds(inspected));

	if (inspected->axes == (flat ? 2 : 3))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 flat ? errmsg("index \"%s\" has three dimensions, but the query is a box of two",
						   RelationGetRelationName(index)) :
			 errmsg("index \"%s\" has two dimensions, but the query is a box of three",
					RelationGetRelationName(index)),
			 flat ? errhint("%s3 takes a box3%s.", function, example) :
			 errhint("%s takes a box%s.", function, example)));
}

static CatCList *
operators_of(const SpqInspectIndex *inspected)
{
	return SearchSysCacheList1(AMOPSTRATEGY,
							   ObjectIdGetDatum(inspected->index->rd_opfamily[inspected->column - 1]));
}

/* Return whether an operator compares indexed values with queries of a type. */
static bool
takes_query(const SpqInspectIndex *inspected, Form_pg_amop member, Oid query_type)
{
	Oid			type = indexed_type(inspected);

	/* for another extension's type, the box stands for a value of the type */
	Oid			right_type = described(inspected) ? type : query_type;

	return member->amoppurpose == AMOP_SEARCH &&
		member->amoplefttype == type && member->amoprighttype == right_type;
}

/*
 * As spq_inspect_find_operator(), but return false if there is no such
 * operator.
 */
static bool
find_operator(const SpqInspectIndex *inspected, const char *name, Oid query_type,
			  SpqInspectQuery *query)
{
	CatCList   *members = operators_of(inspected);
	bool		found = false;

	for (int i = 0; i < members->n_members && !found; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		found = takes_query(inspected, member, query_type) &&
			strcmp(name, get_opname(member->amopopr)) == 0;
		if (found)
		{
			query->strategy = member->amopstrategy;
			query->function = get_opcode(member->amopopr);
		}
	}
	ReleaseSysCacheList(members);
	return found;
}

/*
 * Raise an error that lists the operators of an index of another extension's
 * type.
 */
static void
refuse_extension_operator(const SpqInspectIndex *inspected, const char *name, Oid query_type)
{
	CatCList   *members = operators_of(inspected);
	const char *type = format_type_be(indexed_type(inspected));
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < members->n_members; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		if (takes_query(inspected, member, query_type))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
							 get_opname(member->amopopr));
	}
	ReleaseSysCacheList(members);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("operator \"%s\" between values of type %s is not supported by this operator class",
					name, type),
			 errhint("Supported operators are %s, with a %s such as %s.", names.data,
					 format_type_be(query_type), example_of_bounds(inspected))));
}

/*
 * Raise an error that lists the operators that the index has for the query's
 * type.
 */
static void
refuse_operator(const SpqInspectIndex *inspected, const char *name, Oid query_type)
{
	Oid			type = indexed_type(inspected);

	if (described(inspected))
		refuse_extension_operator(inspected, name, query_type);
	if (query_type != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box3 is not supported by this operator class",
						name, format_type_be(type)),
				 errhint("With a box3, indexes of points support <@, those of boxes &&, @>, <@, ~= and the directions.")));
	if (type != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box is not supported by this operator class",
						name, format_type_be(type)),
				 errhint("With a box, indexes of points support <@, of circles and polygons && and @>, of segments ?# and <@, of paths and ranges none.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("operator \"%s\" between boxes is not supported by this operator class",
					name),
			 errhint("Supported operators are &&, @>, <@, ~=, <<, &<, &>, >>, <<|, &<|, |&> and |>>.")));
}

/*
 * Find the operator of this name between the indexed type and that of the
 * query, or raise an error.  The index's operator family decides: an operator
 * of another schema may have the name, and the family's may be in no schema of
 * the search path.
 */
void
spq_inspect_find_operator(const SpqInspectIndex *inspected, const char *name, Oid query_type,
						  SpqInspectQuery *query)
{
	if (!find_operator(inspected, name, query_type, query))
		refuse_operator(inspected, name, query_type);
}

/* Find the operator by which indexed values and a box overlap. */
void
spq_inspect_find_overlap(const SpqInspectIndex *inspected, Oid query_type,
						 SpqInspectQuery *query)
{
	/* the others: for points, for segments, for geometries in space */
	static const char *const names[] = {"&&", "<@", "?#", "&&&"};

	for (int i = 0; i < (int) lengthof(names); i++)
		if (find_operator(inspected, names[i], query_type, query))
			return;
	refuse_operator(inspected, names[0], query_type);
}
