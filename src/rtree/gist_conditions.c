/*-------------------------------------------------------------------------
 *
 * gist_conditions.c
 *	  Index conditions that other extensions provide for their functions.
 *
 * The planner asks a support function whether an index can help with its
 * function:
 *
 *		ST_Intersects(geom, $1)		geom && $1, if the index has an operator &&
 *
 * PostGIS's support function answers for GiST, SP-GiST and BRIN only, and
 * looks for the operator in the operator family that the planner passes.  So
 * for an index of our access method, the planner gets a GiST family instead,
 * provided that all operators of that family are in ours, too.  The executor
 * does not see it: it finds the operators in the family that the index really
 * has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "rtree/gist_conditions.h"
#include "rtree/rtree.h"

/* Return whether a family has all operators of another one. */
static bool
includes_family(Oid family, Oid other)
{
	CatCList   *operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(other));
	bool		includes = true;

	for (int i = 0; i < operators->n_members && includes; i++)
	{
		Form_pg_amop op = (Form_pg_amop) GETSTRUCT(&operators->members[i]->tuple);

		includes = SearchSysCacheExists3(AMOPOPID, ObjectIdGetDatum(op->amopopr),
										 CharGetDatum(op->amoppurpose),
										 ObjectIdGetDatum(family));
	}
	ReleaseSysCacheList(operators);
	return includes;
}

/* Return the GiST family whose operators are in ours, or InvalidOid. */
static Oid
same_family_of_gist(Oid family, Oid type)
{
	Oid			overlaps = get_opfamily_member(family, type, type, RTOverlapStrategyNumber),
				found = InvalidOid;
	CatCList   *families;

	if (overlaps < FirstNormalObjectId)
		return InvalidOid;
	families = SearchSysCacheList1(AMOPOPID, ObjectIdGetDatum(overlaps));
	for (int i = 0; i < families->n_members && !OidIsValid(found); i++)
	{
		Form_pg_amop op = (Form_pg_amop) GETSTRUCT(&families->members[i]->tuple);

		if (op->amopmethod == GIST_AM_OID && op->amopstrategy == RTOverlapStrategyNumber &&
			includes_family(family, op->amopfamily))
			found = op->amopfamily;
	}
	ReleaseSysCacheList(families);
	return found;
}

/* Make an index of ours on types of other extensions look like one of GiST. */
static void
show_families(IndexOptInfo *index)
{
	for (int column = 0; column < index->nkeycolumns; column++)
	{
		Oid			family;

		if (index->opcintype[column] < FirstNormalObjectId)
			continue;
		family = same_family_of_gist(index->opfamily[column], index->opcintype[column]);
		if (OidIsValid(family))
			index->opfamily[column] = family;
	}
}

/* Show the planner the families of GiST for the indexes of a relation. */
void
spq_rtree_show_gist_families(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->amcostestimate == spq_rtree_cost_estimate)
			show_families(index);
	}
}
