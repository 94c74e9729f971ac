/*-------------------------------------------------------------------------
 *
 * query_operator.c
 *	  The operator that is meant by a query of an index that is inspected.
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

/* Return the number of axes of an index. */
int
spq_inspect_axes(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_axes(index) : 2;
}

/* Return the number of the column that queries are about. */
static int
spatial_column(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_box_column(index) : 1;
}

static Oid
indexed_type(Relation index)
{
	return index->rd_opcintype[spatial_column(index) - 1];
}

/*
 * Return the name of the function by which values of another extension's type are
 * indexed; NULL if the index has none.
 */
static const char *
bounds_function(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_extension_name(index) : NULL;
}

/*
 * Raise an error unless a query, of a type, has the axes of the index.  The function is
 * that for boxes of two dimensions.
 */
void
spq_inspect_check_axes(Relation index, Oid query_type, const char *function)
{
	bool		flat = query_type == BOXOID;
	const char *bounds = bounds_function(index);
	const char *example = bounds == NULL ? "" :
		psprintf(", such as %s(%s)", bounds, format_type_be(indexed_type(index)));

	if (spq_inspect_axes(index) == (flat ? 2 : 3))
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
operators_of(Relation index)
{
	return SearchSysCacheList1(AMOPSTRATEGY,
							   ObjectIdGetDatum(index->rd_opfamily[spatial_column(index) - 1]));
}

/* Return whether an operator compares what is indexed with queries of a type. */
static bool
takes_query(Relation index, Form_pg_amop member, Oid query_type)
{
	/* a box stands for a value of another extension's type */
	Oid			right_type = bounds_function(index) ? indexed_type(index) : query_type;

	return member->amoppurpose == AMOP_SEARCH &&
		member->amoplefttype == indexed_type(index) && member->amoprighttype == right_type;
}

/* As spq_inspect_strategy(), but return 0 if there is no such operator. */
static int
find_strategy(Relation index, const char *name, Oid query_type, Oid *function)
{
	CatCList   *members = operators_of(index);
	int			strategy = 0;

	for (int i = 0; i < members->n_members && strategy == 0; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		if (takes_query(index, member, query_type) &&
			strcmp(name, get_opname(member->amopopr)) == 0)
		{
			strategy = member->amopstrategy;
			*function = get_opcode(member->amopopr);
		}
	}
	ReleaseSysCacheList(members);
	return strategy;
}

/* Raise an error that says what operators an index of another extension's type has. */
static void
refuse_operator(Relation index, const char *name, Oid query_type)
{
	CatCList   *members = operators_of(index);
	const char *type = format_type_be(indexed_type(index));
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < members->n_members; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		if (takes_query(index, member, query_type))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
							 get_opname(member->amopopr));
	}
	ReleaseSysCacheList(members);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("operator \"%s\" between values of type %s is not supported by this operator class",
					name, type),
			 errhint("Supported operators are %s, with a %s such as %s(%s).", names.data,
					 format_type_be(query_type), bounds_function(index), type)));
}

/*
 * Return the strategy number of an operator between the index's type and that of the
 * query, in the index's operator family, and its function.  It is the family that says
 * which operator is meant: that of another schema may have the name, and the family's
 * may be in no schema of the search path.
 */
int
spq_inspect_strategy(Relation index, const char *name, Oid query_type, Oid *function)
{
	int			strategy = find_strategy(index, name, query_type, function);

	if (strategy == 0 && bounds_function(index))
		refuse_operator(index, name, query_type);
	if (strategy == 0 && query_type != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box3 is not supported by this operator class",
						name, format_type_be(indexed_type(index))),
				 errhint("With a box3, indexes of points support <@, those of boxes &&, @>, <@, ~= and the directions.")));
	if (strategy == 0 && indexed_type(index) != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box is not supported by this operator class",
						name, format_type_be(indexed_type(index))),
				 errhint("With a box, indexes of points support <@, of circles and polygons && and @>, of segments ?# and <@, of paths none.")));
	if (strategy == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between boxes is not supported by this operator class",
						name),
				 errhint("Supported operators are &&, @>, <@, ~=, <<, &<, &>, >>, <<|, &<|, |&> and |>>.")));
	return strategy;
}

/*
 * Return the strategy number of the operator by which what is indexed and a box
 * overlap, and its function.
 */
int
spq_inspect_overlap_strategy(Relation index, Oid query_type, Oid *function)
{
	/* of points, of segments, of geometries in space */
	static const char *const others[] = {"<@", "?#", "&&&"};
	int			strategy = find_strategy(index, "&&", query_type, function);

	for (int i = 0; i < (int) lengthof(others) && strategy == 0; i++)
		strategy = find_strategy(index, others[i], query_type, function);
	return strategy != 0 ? strategy :
		spq_inspect_strategy(index, "&&", query_type, function);
}
