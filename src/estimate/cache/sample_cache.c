/*-------------------------------------------------------------------------
 *
 * sample_cache.c
 *	  A cache of samples and estimates for the session.
 *
 * There are few of both, so the search is linear.  A change of a relation only
 * marks an entry as stale, because it may happen while the entry is made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/inval.h"
#include "utils/memutils.h"

#include "estimate/cache/cache.h"
#include "estimate/sample/sample.h"

#define MAX_SAMPLES		64
#define MAX_ESTIMATES	64

typedef struct CachedSample
{
	MemoryContext context;		/* NULL if the entry is free */
	List	   *children;
	SpqTypeOperand operand;
	int			wanted;			/* rows */
	int			block_rows;
	bool		stale;
	uint64		used;			/* time of the last use, in uses */
	SpqEstimateSample sample;
} CachedSample;

typedef struct CachedEstimate
{
	uint64		left;			/* ids of samples; 0 if the entry is free */
	uint64		right;
	SpqEstimateQuestion question;
	SpqEstimate estimate;
} CachedEstimate;

static MemoryContext cache_context = NULL;
static CachedSample samples[MAX_SAMPLES];
static CachedEstimate *estimates = NULL;
static int	next_estimate = 0;
static uint64 use_count = 0;
static uint64 changes = 0;		/* of any relation */

static void
relation_changed(Datum arg, Oid relid)
{
	changes++;
	for (int i = 0; i < MAX_SAMPLES; i++)
	{
		ListCell   *lc;

		if (!samples[i].context || samples[i].stale)
			continue;
		if (!OidIsValid(relid))
			samples[i].stale = true;
		foreach(lc, samples[i].children)
			if (((SpqEstimateChild *) lfirst(lc))->relid == relid)
			samples[i].stale = true;
	}
}

void
spq_estimate_cache_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

/*
 * Return whether two lists have the same relations, with about the same sizes.
 */
static bool
same_children(List *old, List *new)
{
	ListCell   *a,
			   *b;

	if (list_length(old) != list_length(new))
		return false;
	forboth(a, old, b, new)
	{
		const SpqEstimateChild *x = lfirst(a),
				   *y = lfirst(b);

		if (x->relid != y->relid || !equal(x->expr, y->expr) || !equal(x->rows, y->rows) ||
			fabs(x->pages - y->pages) > x->pages / 10)
			return false;
	}
	return true;
}

static void
forget(CachedSample *entry)
{
	MemoryContext context = entry->context;

	entry->context = NULL;
	entry->children = NIL;
	if (context)
		MemoryContextDelete(context);
}

/* Copy a list of children.  Most expressions are equal; these are copied once. */
static List *
copy_children(List *children)
{
	List	   *copies = NIL;
	Node	   *expr = NULL;
	ListCell   *lc;

	foreach(lc, children)
	{
		SpqEstimateChild *copy = palloc(sizeof(SpqEstimateChild));

		*copy = *(SpqEstimateChild *) lfirst(lc);
		if (!expr || !equal(copy->expr, expr))
			expr = copyObject(copy->expr);
		copy->expr = expr;
		copy->rows = copyObject(copy->rows);
		copies = lappend(copies, copy);
	}
	return copies;
}

/*
 * Return a sample of "children" (SpqEstimateChild), new or cached.  It is valid
 * as long as it is one of the MAX_SAMPLES that were used last: an estimate takes
 * two together.
 */
const SpqEstimateSample *
spq_estimate_sample(List *children, const SpqTypeOperand *operand,
					int rows, int block_rows)
{
	CachedSample *entry = NULL;
	MemoryContext context,
				old;
	SpqEstimateSample sample;
	List	   *own_children;
	uint64		changes_before = changes;

	for (int i = 0; i < MAX_SAMPLES; i++)
	{
		CachedSample *other = &samples[i];

		if (other->context && other->operand.type == operand->type &&
			other->wanted == rows && other->block_rows == block_rows &&
			same_children(other->children, children))
		{
			entry = other;
			break;
		}
		/* otherwise replace the least recently used entry */
		if (!entry || !other->context ||
			(entry->context && other->used < entry->used))
			entry = other;
	}
	if (entry->context && !entry->stale &&
		entry->operand.type == operand->type &&
		entry->wanted == rows && entry->block_rows == block_rows &&
		same_children(entry->children, children))
	{
		entry->used = ++use_count;
		return &entry->sample;
	}

	/* made aside, so that an error leaves nothing half-made in the cache */
	if (!cache_context)
		cache_context = AllocSetContextCreate(TopMemoryContext, "spatial samples",
											  ALLOCSET_DEFAULT_SIZES);
	context = AllocSetContextCreate(CurrentMemoryContext, "spatial sample",
									ALLOCSET_START_SMALL_SIZES);
	old = MemoryContextSwitchTo(context);
	own_children = copy_children(children);
	forget(entry);
	spq_estimate_take_sample(&sample, own_children, operand, rows, block_rows);
	sample.ends = repalloc(sample.ends, sizeof(float8) * 2 * sample.axes * Max(sample.count, 1));
	sample.row = repalloc(sample.row, sizeof(SpqEstimateRow) * Max(sample.count, 1));
	if (sample.value_size > 0)
		sample.values = repalloc(sample.values, sample.value_size * Max(sample.count, 1));
	MemoryContextSwitchTo(old);

	MemoryContextSetParent(context, cache_context);
	entry->children = own_children;
	entry->operand = *operand;
	entry->wanted = rows;
	entry->block_rows = block_rows;
	entry->used = ++use_count;
	entry->sample = sample;
	entry->stale = changes != changes_before;
	entry->context = context;
	return &entry->sample;
}

/*
 * Return the sample with this id, or NULL if it is stale or no longer cached.
 * It counts as used now.
 */
const SpqEstimateSample *
spq_estimate_sample_again(uint64 id)
{
	for (int i = 0; i < MAX_SAMPLES; i++)
	{
		CachedSample *entry = &samples[i];

		if (!entry->context || entry->stale || entry->sample.id != id)
			continue;
		entry->used = ++use_count;
		return &entry->sample;
	}
	return NULL;
}

/* Take the sample with this id again when it is next asked for. */
void
spq_estimate_forget_sample(uint64 id)
{
	for (int i = 0; i < MAX_SAMPLES; i++)
		if (samples[i].context && samples[i].sample.id == id)
			samples[i].stale = true;
}

static bool
same_question(const SpqEstimateQuestion *a, const SpqEstimateQuestion *b)
{
	return a->predicate == b->predicate && a->shape == b->shape &&
		a->trial.function == b->trial.function && a->trial.exchanged == b->trial.exchanged &&
		a->other_rows == b->other_rows && a->lines == b->lines;
}

/* Return the estimate for two samples and a question, new or cached. */
const SpqEstimate *
spq_estimate_of_samples(const SpqEstimateSample *left, const SpqEstimateSample *right,
						const SpqEstimateQuestion *question)
{
	CachedEstimate *entry;
	SpqEstimate estimate;

	if (!cache_context)
		cache_context = AllocSetContextCreate(TopMemoryContext, "spatial samples",
											  ALLOCSET_DEFAULT_SIZES);
	if (!estimates)
		estimates = MemoryContextAllocZero(cache_context,
										   sizeof(CachedEstimate) * MAX_ESTIMATES);
	for (int i = 0; i < MAX_ESTIMATES; i++)
	{
		entry = &estimates[i];
		if (entry->left == left->id && entry->right == right->id &&
			same_question(&entry->question, question))
			return &entry->estimate;
	}
	spq_estimate_join(left, right, question, &estimate);
	entry = &estimates[next_estimate];
	next_estimate = (next_estimate + 1) % MAX_ESTIMATES;
	entry->left = left->id;
	entry->right = right->id;
	entry->question = *question;
	entry->estimate = estimate;
	return &entry->estimate;
}
