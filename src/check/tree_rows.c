/*-------------------------------------------------------------------------
 *
 * tree_rows.c
 *	  The rows of leaves: each by itself, and against the table (heap.h).  Rows
 *	  of the table are converted to the form of leaves.
 *
 * If there are several spatial columns, the ends take the place of the first
 * one, and the others are NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"

#include "check/tree_parts.h"
#include "rtree/class/class.h"
#include "rtree/class/row_ends.h"

/* Extract the columns of a row.  Return whether they are sound. */
static bool
columns_of_row(SpqTreeCheck *tree, const SpqTreeStep *leaf, int entry, SpqRtreeRow *row,
			   Datum *values, bool *nulls)
{
	const SpqRtreeCoder *coder = &tree->reader.coder;
	TupleDesc	columns = tree->reader.columns;
	int			box = coder->nscalars,
				spatial = spq_rtree_spatial_columns(tree->check->index);

	*row = spq_rtree_get_row(leaf->page, entry);
	if (columns == NULL)
	{
		for (int i = 0; i < box; i++)
			values[i] = spq_rtree_decode(coder, row->code, i, &nulls[i]);
	}
	else
	{
		if (spq_tree_payload_columns(leaf->page, entry, columns, values, nulls) != NULL)
			return false;
		memmove(&values[box + spatial], &values[box], (columns->natts - box) * sizeof(Datum));
		memmove(&nulls[box + spatial], &nulls[box], (columns->natts - box) * sizeof(bool));
	}
	memset(&nulls[box], true, spatial * sizeof(bool));
	values[box] = PointerGetDatum(row->ends);
	nulls[box] = leaf->of_nulls;
	return true;
}

/*
 * Test whether a row's code is that of its columns, and store the row for the
 * comparison with the table.  A compressed value may be damaged, which raises
 * an error that is reported here.
 */
static void
note_row(SpqTreeCheck *tree, const SpqTreeStep *leaf, int entry, SpqRtreeRow *row,
		 Datum *values, bool *nulls)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		float8		code = spq_rtree_code_of(&tree->reader.coder, values, nulls);

		if (code != row->code)
			spq_check_report(tree->check, leaf->block, entry + 1,
							 psprintf("code of the row is %.0f, but that of its columns is %.0f",
									  row->code, code));
		if (tree->heap && !(row->dead && tree->dead_are_skipped))
			spq_check_heap_leaf(tree->heap, &row->tid, values, nulls);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		if (geterrcode() != ERRCODE_DATA_CORRUPTED)
			PG_RE_THROW();
		FlushErrorState();
		spq_check_report(tree->check, leaf->block, entry + 1,
						 "included columns cannot be decompressed");
	}
	PG_END_TRY();
}

/* Check the rows of a leaf, except for what was checked with its page. */
void
spq_check_tree_rows(SpqTreeCheck *tree, const SpqTreeStep *leaf)
{
	int			count = spq_rtree_count(leaf->page);
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeRow row;

		if (!columns_of_row(tree, leaf, entry, &row, values, nulls) ||
			!ItemPointerIsValid(&row.tid))
			continue;
		if (spq_check_beyond_table(tree->check, &row.tid))
			spq_check_report(tree->check, leaf->block, entry + 1,
							 psprintf("leaf points to row (%u,%u), but the table has %u blocks",
									  ItemPointerGetBlockNumber(&row.tid),
									  ItemPointerGetOffsetNumber(&row.tid),
									  tree->check->heap_blocks));

		/* a row that scans skip counts as missing */
		if (tree->reader.coder.nscalars > 0 ||
			(tree->heap && !(row.dead && tree->dead_are_skipped)))
			note_row(tree, leaf, entry, &row, values, nulls);
	}
}

/* Convert a row of the table to the form of leaves. */
static void
store_key(SpqCheck *check, Datum *values, bool *nulls)
{
	float8	   *ends = palloc(SPQ_RTREE_ENDS * sizeof(float8));
	SpqRtreeRowEnds how;
	bool		has_box;

	spq_rtree_row_ends_init(&how, check->index);
	has_box = spq_rtree_row_ends(&how, values, nulls, ends);
	memset(&nulls[how.first], true, how.ncolumns * sizeof(bool));
	values[how.first] = PointerGetDatum(ends);
	nulls[how.first] = !has_box;
}

/* Visit a step of the second walk, which looks for duplicates. */
static bool
visit_again(void *arg, SpqTreeStep *step)
{
	for (int entry = 0; step->level == 0 && entry < spq_rtree_count(step->page); entry++)
	{
		SpqRtreeRow row = spq_rtree_get_row(step->page, entry);
		SpqPageTid	tid = {step->block, entry + 1};

		if (ItemPointerIsValid(&row.tid))
			spq_check_heap_again((SpqCheckHeap *) arg, &row.tid, tid);
	}
	return true;
}

static void
walk_again(SpqCheck *check, SpqCheckHeap *heap_check)
{
	SpqTreeVisitor visitor = {
		.visit = visit_again,
		.policy = SPQ_PAGE_SILENT,
		.arg = heap_check
	};

	spq_tree_walk(check->tree_reader, &visitor);
}

/* Return the columns of rows as stored, the key as its ends. */
static TupleDesc
stored_columns(Relation index)
{
	TupleDesc	columns = CreateTupleDescCopy(RelationGetDescr(index));
	Form_pg_attribute key = TupleDescAttr(columns, spq_rtree_box_column(index) - 1);

	key->attbyval = false;
	key->attlen = 2 * spq_rtree_axes(index) * sizeof(float8);
	key->attalign = TYPALIGN_DOUBLE;
	return columns;
}

/* Begin to compare rows with those of the table. */
SpqCheckHeap *
spq_check_tree_rows_begin(SpqCheck *check)
{
	/* used until spq_check_heap_end() */
	SpqCheckRows *rows = palloc(sizeof(SpqCheckRows));

	rows->columns = stored_columns(check->index);
	rows->key = spq_rtree_box_column(check->index) - 1;
	rows->store = store_key;
	rows->walk = walk_again;
	return spq_check_heap_begin(check, rows);
}
