/*-------------------------------------------------------------------------
 *
 * labels.h
 *	  The clusters of rows: a union-find forest of four bytes a row.
 *
 * A row is a core row, which is in the forest, or it is not (yet).  In its place
 * a row that is not in the forest has another number, so four bytes are enough
 * for all:
 *
 *		WAITING   how many neighbors it has, itself included; 0: none, ever
 *		CORE	  its parent in the forest; a root is its own
 *		BORDER	  its first core neighbor, in the order of rows
 *		NUMBERED  a root whose cluster has a number
 *
 * Invariant: a parent is never a later row than its child, so a root is the first
 * core row of its cluster.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_LABELS_H
#define SPQ_CLUSTER_LABELS_H

#define SPQ_LABEL_CORE		((uint32) 0 << 30)
#define SPQ_LABEL_WAITING	((uint32) 1 << 30)
#define SPQ_LABEL_BORDER	((uint32) 2 << 30)
#define SPQ_LABEL_NUMBERED	((uint32) 3 << 30)
#define SPQ_LABEL_KIND		((uint32) 3 << 30)
#define SPQ_LABEL_VALUE		(~SPQ_LABEL_KIND)

/* Largest number of rows, and largest number that a label holds. */
#define SPQ_LABEL_MAX		SPQ_LABEL_VALUE

typedef struct SpqLabels
{
	MemoryContext context;
	uint32	   *label;
	uint32		count;
	uint32		room;
	uint32		limit;			/* of the number of rows */
} SpqLabels;

extern void spq_labels_init(SpqLabels *labels, MemoryContext context, Size memory);
extern void spq_labels_enlarge(SpqLabels *labels);

static inline uint32
spq_label_kind(const SpqLabels *labels, uint32 row)
{
	return labels->label[row] & SPQ_LABEL_KIND;
}

static inline uint32
spq_label_value(const SpqLabels *labels, uint32 row)
{
	return labels->label[row] & SPQ_LABEL_VALUE;
}

/* Add a row.  Return its number. */
static inline uint32
spq_labels_add(SpqLabels *labels, uint32 label)
{
	if (labels->count == labels->room)
		spq_labels_enlarge(labels);
	labels->label[labels->count] = label;
	return labels->count++;
}

/* Make a row, which is in no cluster, a cluster of its own. */
static inline void
spq_label_make_core(SpqLabels *labels, uint32 row)
{
	labels->label[row] = SPQ_LABEL_CORE | row;
}

/*
 * Return the root of a core row's cluster.  On the way, let each second row point
 * to its grandparent, so that later ways are shorter.
 */
static inline uint32
spq_label_root(SpqLabels *labels, uint32 row)
{
	uint32	   *label = labels->label;

	for (;;)
	{
		uint32		parent = label[row],
					grandparent;

		if (parent == row || (parent & SPQ_LABEL_KIND) != SPQ_LABEL_CORE)
			return row;			/* the latter is a root with a number */
		grandparent = label[parent];
		if (grandparent == parent || (grandparent & SPQ_LABEL_KIND) != SPQ_LABEL_CORE)
			return parent;
		label[row] = grandparent;
		row = grandparent;
	}
}

/* Unite the clusters of two core rows. */
static inline void
spq_label_unite(SpqLabels *labels, uint32 a, uint32 b)
{
	a = spq_label_root(labels, a);
	b = spq_label_root(labels, b);
	if (a < b)
		labels->label[b] = a;
	else if (b < a)
		labels->label[a] = b;
}

#endif							/* SPQ_CLUSTER_LABELS_H */
