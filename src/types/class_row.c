/*-------------------------------------------------------------------------
 *
 * class_row.c
 *	  The row of an operator in the class of a type.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/strategy.h"
#include "types/registry.h"

/* Return the row with a strategy number in a list, or NULL. */
static const SpqTypeOperator *
find_strategy(const SpqTypeOperator *list, const SpqType *left, int strategy)
{
	for (; list && list->left; list++)
		if (list->strategy == strategy && list->left == left)
			return list;
	return NULL;
}

static const SpqTypeOperator *
row_of(const SpqType *type, const SpqType *left, int strategy)
{
	const SpqTypeOperator *row = find_strategy(type->operators, left, strategy);

	if (row == NULL)
		row = find_strategy(type->distances, left, strategy);
	if (row == NULL)
		row = find_strategy(type->orders, left, strategy);
	return row;
}

const SpqTypeOperator *
spq_type_class_row(const SpqType *left, int strategy)
{
	/* the last one, for scans that are repeated */
	static const SpqTypeOperator *row = NULL;

	if (row && row->left == left && row->strategy == strategy)
		return row;
	row = row_of(left, left, strategy);
	for (int i = 0; row == NULL && spq_types[i]; i++)
		row = row_of(spq_types[i], left, strategy);
	if (row == NULL)
		spq_box_unknown_strategy(strategy);
	return row;
}

const SpqTypeOperator *
spq_type_own_row(const SpqType *type, int strategy)
{
	const SpqTypeOperator *row = type->operators;

	while (row && row->strategy != 0 && row->strategy != strategy)
		row++;
	return row && row->strategy != 0 ? row : NULL;
}
