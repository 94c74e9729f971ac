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
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "inspect/query_operator.h"
#include "rtree/class.h"
#include "rtree/rtree.h"

/* Return the number of axes of an index. */
int
spq_inspect_axes(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_axes(index) : 2;
}

/*
 * Raise an error unless a query, of a type, has the axes of the index.  The function is
 * that for boxes of two dimensions.
 */
void
spq_inspect_check_axes(Relation index, Oid query_type, const char *function)
{
	bool		flat = query_type == BOXOID;

	if (spq_inspect_axes(index) == (flat ? 2 : 3))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 flat ? errmsg("index \"%s\" has three dimensions, but the query is a box of two",
						   RelationGetRelationName(index)) :
			 errmsg("index \"%s\" has two dimensions, but the query is a box of three",
					RelationGetRelationName(index)),
			 flat ? errhint("%s3 takes a box3.", function) :
			 errhint("%s takes a box.", function)));
}

/* As spq_inspect_strategy(), but return 0 if there is no such operator. */
static int
find_strategy(Relation index, const char *name, Oid query_type, Oid *function)
{
	int			column = spq_rtree_is(index) ? spq_rtree_box_column(index) : 1;
	CatCList   *members = SearchSysCacheList1(AMOPSTRATEGY,
											  ObjectIdGetDatum(index->rd_opfamily[column - 1]));
	int			strategy = 0;

	for (int i = 0; i < members->n_members && strategy == 0; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&members->members[i]->tuple);

		if (member->amoppurpose == AMOP_SEARCH &&
			member->amoplefttype == index->rd_opcintype[column - 1] &&
			member->amoprighttype == query_type &&
			strcmp(name, get_opname(member->amopopr)) == 0)
		{
			strategy = member->amopstrategy;
			*function = get_opcode(member->amopopr);
		}
	}
	ReleaseSysCacheList(members);
	return strategy;
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
	int			column = spq_rtree_is(index) ? spq_rtree_box_column(index) : 1;
	int			strategy = find_strategy(index, name, query_type, function);

	if (strategy == 0 && query_type != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box3 is not supported by this operator class",
						name, format_type_be(index->rd_opcintype[column - 1])),
				 errhint("With a box3, indexes of points support <@, those of boxes &&, @>, <@, ~= and the directions.")));
	if (strategy == 0 && index->rd_opcintype[column - 1] != BOXOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\" between %s and box is not supported by this operator class",
						name, format_type_be(index->rd_opcintype[column - 1])),
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
	/* of points, of segments */
	static const char *const others[] = {"<@", "?#"};
	int			strategy = find_strategy(index, "&&", query_type, function);

	for (int i = 0; i < (int) lengthof(others) && strategy == 0; i++)
		strategy = find_strategy(index, others[i], query_type, function);
	return strategy != 0 ? strategy :
		spq_inspect_strategy(index, "&&", query_type, function);
}
