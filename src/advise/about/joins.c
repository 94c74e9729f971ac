/*-------------------------------------------------------------------------
 *
 * joins.c
 *	  How a join is run, and what a spatial hash join would cost.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"

#include "advise/about/lines.h"
#include "join_node/rows/plan_format.h"
#include "join_node/join_node.h"
#include "settings.h"

/* Advice to raise work_mem ends here, in MB. */
#define MOST_WORK_MEM 1024

#define GUESSED "; the number of pairs is a guess, since one side has no sample"

/* Return the index that the inner side of a nested loop searches, or NULL. */
static const IndexOptInfo *
inner_index(const Path *path)
{
	switch (nodeTag(path))
	{
		case T_IndexPath:
			return ((const IndexPath *) path)->indexinfo;
		case T_BitmapHeapPath:
			return inner_index(((const BitmapHeapPath *) path)->bitmapqual);
		case T_MemoizePath:
			return inner_index(((const MemoizePath *) path)->subpath);
		case T_ProjectionPath:
			return inner_index(((const ProjectionPath *) path)->subpath);
		default:
			return NULL;
	}
}

/* Return what a path is, in words. */
static char *
method_of(const Path *path)
{
	const IndexOptInfo *index;

	switch (nodeTag(path))
	{
		case T_HashPath:
			return "hash join";
		case T_MergePath:
			return "merge join";
		case T_CustomPath:
			return pstrdup(((const CustomPath *) path)->methods->CustomName);
		default:
			index = inner_index(((const JoinPath *) path)->innerjoinpath);
			if (index)
				return psprintf("nested loop by %s", spq_advise_index(index));
			return "nested loop";
	}
}

static char *
size_of(double bytes)
{
	return bytes < 10 * 1024 ? psprintf("%.0f bytes", ceil(bytes)) :
		bytes < 10 * 1024 * 1024 ? psprintf("%.0f kB", ceil(bytes / 1024)) :
		psprintf("%.0f MB", ceil(bytes / (1024 * 1024)));
}

/*
 * Say whether the build side fits into memory.  Set *advice to the setting with which
 * it would, if it does not.
 */
static char *
memory_of(const SpqReasonJoin *join, char **advice)
{
	double		limit = spq_node_memory_limit(),
				work_mem_mb = ceil(join->memory / limit * work_mem / 1024);
	char	   *takes = psprintf("its build side of %.0f rows takes %s", join->build_rows,
								 size_of(join->memory));

	if (join->memory <= limit)
		return psprintf("%s, in one batch", takes);
	if (work_mem_mb <= MOST_WORK_MEM)
		*advice = psprintf("SET work_mem = '%.0fMB'", work_mem_mb);
	return psprintf("%s, but work_mem allows %s: it is joined in batches, by temporary files",
					takes, size_of(limit));
}

/* Say what keeps the planner from a join that it could have, or return NULL. */
static char *
prevented(const SpqReasonJoin *join, char **advice)
{
	if (spq_enable_hashjoin == SPQ_HASHJOIN_OFF)
	{
		*advice = "SET spqtree.enable_hashjoin = on";
		return "spqtree.enable_hashjoin is off";
	}
	if (join->of_target)
		return "another extension may store the table that is changed, so only PostgreSQL's joins read it";
	if (!enable_hashjoin && spq_enable_hashjoin != SPQ_HASHJOIN_ALWAYS)
	{
		*advice = "SET enable_hashjoin = on";
		return "enable_hashjoin is off";
	}
	if (join->other_is_wanted)
		return "another extension asks for other joins";
	if (join->own_cost < 0)
		return "one side depends on rows of the other";
	return NULL;
}

/* Describe a join that reads indexes: those of both sides, or that of the second. */
static char *
join_of_indexes(SpqReasons *reasons, const SpqReasonJoin *join, const CustomPath *path)
{
	const Path *probe = linitial(path->custom_paths);
	const List *numbers = list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS);
	char	   *key = spq_advise_text(reasons, join->root, join->key),
			   *build = spq_advise_index(inner_index(lsecond(path->custom_paths))),
			   *finding;

	if (list_nth_int(numbers, SPQ_NODE_NUMBER_INDEXES) == SPQ_NODE_BOTH_INDEXES)
		finding = psprintf("join by %s of %s with %s, cost %.0f", key,
						   spq_advise_index(inner_index(probe)), build, path->path.total_cost);
	else
		finding = psprintf("join by %s of %.0f rows, in batches, with %s, cost %.0f", key, probe->rows,
						   build, path->path.total_cost);
	if (join->own_cost >= 0)
		finding = psprintf("%s; a spatial hash join would cost %.0f", finding, join->own_cost);
	return finding;
}

static bool
has_name(const Path *path, const char *name)
{
	return IsA(path, CustomPath) && strcmp(((const CustomPath *) path)->methods->CustomName, name) == 0;
}

/* Describe the joins by the arms of an OR, of which this is the path of one. */
static void
add_arms(SpqReasons *reasons, const SpqReasonJoin *join, char *object)
{
	char	   *finding = psprintf("a join for each arm of the OR, one after the other, cost %.0f",
								   join->arms_cost);

	if (join->other_cost >= 0)
		finding = psprintf("%s; without it %.0f", finding, join->other_cost);
	spq_advise_add(reasons, InvalidOid, object, finding, NULL);
}

/* Describe a join of the plan. */
void
spq_advise_join(SpqReasons *reasons, const SpqReasonJoin *join, Path *path)
{
	PlannerInfo *root = join->root;
	bool		own = has_name(path, SPQ_NODE_NAME),
				of_arm = join->key == NULL && (own || has_name(path, SPQ_NODE_INDEX_NAME)),
				concerns = false;
	char	   *object = psprintf("join of %s", spq_advise_relations(root, join->relids)),
			   *method = method_of(path),
			   *advice = NULL,
			   *reason;
	ListCell   *lc;

	foreach(lc, join->clauses)
		concerns |= spq_advise_concerns(root, lfirst(lc));
	if (!concerns && !own)
		return;

	if (of_arm)
		add_arms(reasons, join, object);
	else if (has_name(path, SPQ_NODE_INDEX_NAME))
		spq_advise_add(reasons, InvalidOid, object,
					   join_of_indexes(reasons, join, (CustomPath *) path), NULL);
	else if (own)
	{
		char	   *finding = psprintf("spatial hash join by %s, cost %.0f",
									   spq_advise_text(reasons, root, join->key), path->total_cost);

		if (join->other_cost >= 0)
			finding = psprintf("%s; without it %.0f", finding, join->other_cost);
		finding = psprintf("%s; %s", finding, memory_of(join, &advice));
		if (join->guessed)
			finding = psprintf("%s%s", finding, GUESSED);
		spq_advise_add(reasons, InvalidOid, object, finding, advice);
	}
	else if (join->key)
	{
		char	   *key = spq_advise_text(reasons, root, join->key);

		reason = prevented(join, &advice);
		if (reason)
			reason = psprintf("%s, cost %.0f; no spatial hash join by %s: %s", method,
							  path->total_cost, key, reason);
		else
			reason = psprintf("%s, cost %.0f; a spatial hash join by %s would cost %.0f%s", method,
							  path->total_cost, key, join->own_cost, join->guessed ? GUESSED : "");
		spq_advise_add(reasons, InvalidOid, object, reason, advice);
	}
	else
		spq_advise_add(reasons, InvalidOid, object,
					   psprintf("%s, cost %.0f; no condition can be the key of a spatial hash join",
								method, path->total_cost), NULL);
	foreach(lc, join->clauses)
	{
		const SpqReasonClause *clause = lfirst(lc);

		spq_advise_srids(reasons, root, clause->clause);
		if (join->key == NULL && !of_arm && spq_advise_concerns(root, clause))
			spq_advise_refusal(reasons, join, clause);
	}
}
