/*-------------------------------------------------------------------------
 *
 * trees.c
 *	  Two orders of a tree of boxes compared, without a server.
 *
 *		rtree	the access method's, with its own code: groups of rows along a
 *				Hilbert curve are packed from the top down, rows go where they
 *				need the least enlargement, pages split as in the R*-tree.
 *		keyed	leaves follow each other along the curve, rows go where their
 *				key belongs, pages split where the curve leaves a cell of the
 *				quadtree.  An inner entry also has a key, so fewer fit.
 *
 * Both are built at once, or grown by insertion in random order or by x, and
 * searched by windows of 1 to 1000 rows and by points.
 *
 *		trees NAME [SHARE | FILE]	u, s and others of shapes.c; or a file with
 *									lines xmin,ymin,xmax,ymax,...
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <stdio.h>

/* the C library's, not the server's */
#undef printf
#undef fprintf
#undef snprintf
#undef qsort

#include "rtree/class/kernel.h"
#include "rtree/page/append_row.h"
#include "rtree/page/page.h"
#include "rtree/place/choose.h"
#include "rtree/place/curve.h"
#include "rtree/place/pack.h"
#include "rtree/place/split.h"

#include "shapes.h"

#define FILL		0.9
#define WINDOWS		2000
/* Most rows of a leaf of boxes. */
#define BOX_LEAF_MAX \
	(SPQ_RTREE_SPACE(2) / (int) SPQ_RTREE_LEAF_SIZE(4) * SPQ_RTREE_GROUP)

#define LEAF_FILLED ((int) (FILL * BOX_LEAF_MAX))
#define INNER_FILLED ((int) (FILL * SPQ_RTREE_INNER_MAX))

/* Most entries of an inner page of the keyed tree: bounds, child and key. */
#define KEYED_INNER_MAX \
	((int) (SPQ_RTREE_SPACE(2) / (SPQ_RTREE_GROUP * (sizeof(BOX) + 4 + sizeof(uint64))) * \
			SPQ_RTREE_GROUP))

/* Pages and rows read since these were last zeroed. */
static long leaves_read,
			inner_read,
			rows_found;

static uint64
key_of(const SpqRtreeBounds *bounds)
{
	return spq_rtree_curve_key(bounds, 2, NULL);
}

typedef struct Keyed
{
	uint64		key;
	SpqRtreeBounds bounds;
}			Keyed;

static int
compare_keyed(const void *a, const void *b)
{
	uint64		x = ((const Keyed *) a)->key,
				y = ((const Keyed *) b)->key;

	return x < y ? -1 : x > y;
}

/*
 * Return the first entry after the curve, from low to high, crosses the border
 * of the largest cell.
 */
static int
border(const Keyed * rows, int low, int high)
{
	int			best = high;
	uint64		largest = 0;

	for (int i = high; i >= low; i--)
	{
		uint64		differ = rows[i].key ^ rows[i - 1].key;

		/* compare only the highest bits */
		if ((differ & ~largest) > largest)
		{
			largest = differ;
			best = i;
		}
	}
	return best;
}

/*
 * The R-tree
 */

typedef struct Tree
{
	char	  **pages;
	int			count;
	int			capacity;
	int			root;
} Tree;

static int
new_page(Tree *tree, int level)
{
	if (tree->count == tree->capacity)
	{
		tree->capacity = Max(1000, tree->capacity * 2);
		tree->pages = realloc(tree->pages, tree->capacity * sizeof(char *));
	}
	tree->pages[tree->count] = malloc(BLCKSZ);
	spq_rtree_page_init(tree->pages[tree->count], level, 0);
	return tree->count++;
}

static void
free_tree(Tree *tree)
{
	for (int i = 0; i < tree->count; i++)
		free(tree->pages[i]);
	free(tree->pages);
}

static SpqRtreeRow
row_of(const SpqRtreeBounds *bounds)
{
	SpqRtreeRow row;

	memset(&row, 0, sizeof(row));
	memcpy(row.ends, bounds, sizeof(row.ends));
	return row;
}

/*
 * Pack the entries of a level into pages.  Replace them by the downlinks to
 * these pages, and return their number.
 */
static int
make_level(Tree *tree, SpqRtreePackItem *items, int n, int level, double *packing)
{
	int		   *page_end = malloc(n * sizeof(int));
	double		started = cpu_time();
	int			pages = spq_rtree_pack(items, n, 2, NULL, level ? INNER_FILLED : LEAF_FILLED, 1, level == 0, page_end);
	int			begin = 0;

	*packing += cpu_time() - started;
	for (int i = 0; i < pages; i++)
	{
		int			number = new_page(tree, level);
		char	   *page = tree->pages[number];

		for (; begin < page_end[i]; begin++)
		{
			if (level == 0)
			{
				SpqRtreeRow row = row_of(&items[begin].bounds);

				spq_rtree_append_row(page, &row);
			}
			else
			{
				SpqRtreeDownlink downlink = {items[begin].bounds, items[begin].number, 0};

				spq_rtree_append_downlink(page, &downlink);
			}
		}
		items[i].bounds = spq_rtree_promise(page);
		items[i].number = number;
	}
	free(page_end);
	return pages;
}

/*
 * Build the tree from groups of rows, each of which fills a number of inner
 * pages.  These are packed group by group or, if "global" is set, from the
 * leaves of all groups.
 */
static Tree
build_rtree(const Keyed * rows, int n, int inner_per_group, bool global)
{
	Tree		tree = {0};
	double		started = cpu_time(),
				sorted,
				packing = 0;
	Keyed	   *keyed = malloc(n * sizeof(Keyed));
	const int	group = LEAF_FILLED * INNER_FILLED * inner_per_group;
	SpqRtreePackItem *items = calloc(Max(n, 2), sizeof(SpqRtreePackItem));
	SpqRtreePackItem *inner = calloc(Max(n, 2), sizeof(SpqRtreePackItem));
	int			ninner = 0,
				level = global ? 0 : 1;

	memcpy(keyed, rows, n * sizeof(Keyed));
	qsort(keyed, n, sizeof(Keyed), compare_keyed);
	sorted = cpu_time();
	for (int begin = 0, end; begin < n; begin = end)
	{
		int			pages;

		end = n - begin <= group ? n : border(keyed, begin + group / 2, begin + group);
		for (int i = begin; i < end; i++)
			items[i - begin].bounds = keyed[i].bounds;
		pages = make_level(&tree, items, end - begin, 0, &packing);
		if (!global)
			pages = make_level(&tree, items, pages, 1, &packing);
		memcpy(inner + ninner, items, pages * sizeof(SpqRtreePackItem));
		ninner += pages;
	}
	while (ninner > 1)
		ninner = make_level(&tree, inner, ninner, ++level, &packing);
	tree.root = inner[0].number;
	printf("  build: %.0f ms a million, of these sort %.0f, pack %.0f\n",
		   (cpu_time() - started) * 1e6 / n, (sorted - started) * 1e6 / n, packing * 1e6 / n);
	free(keyed);
	free(items);
	free(inner);
	return tree;
}

/* Split a page.  Return the right half. */
static int
split_page(Tree *tree, int number)
{
	static SpqRtreeBounds bounds[BOX_LEAF_MAX];
	static bool right[BOX_LEAF_MAX];
	char		old[BLCKSZ];
	int			other;
	int			level,
				count;

	memcpy(old, tree->pages[number], BLCKSZ);
	level = spq_rtree_special(old)->level;
	count = spq_rtree_count(old);
	other = new_page(tree, level);
	spq_rtree_page_init(tree->pages[number], level, 0);
	for (int i = 0; i < count; i++)
	{
		if (level == 0)
		{
			SpqRtreeRow row = spq_rtree_get_row(old, i);

			bounds[i] = spq_rtree_bounds_of(row.ends, 2);
		}
		else
			bounds[i] = spq_rtree_entry_bounds(old, i);
	}
	spq_rtree_choose_split(bounds, NULL, count, 2, 0, right);
	for (int i = 0; i < count; i++)
	{
		char	   *page = tree->pages[right[i] ? other : number];

		if (level == 0)
		{
			SpqRtreeRow row = spq_rtree_get_row(old, i);

			spq_rtree_append_row(page, &row);
		}
		else
		{
			SpqRtreeDownlink downlink = spq_rtree_get_downlink(old, i);

			spq_rtree_append_downlink(page, &downlink);
		}
	}
	return other;
}

static void
insert_rtree(Tree *tree, const SpqRtreeBounds *bounds)
{
	int			path[SPQ_RTREE_LEVELS],
				entries[SPQ_RTREE_LEVELS];
	int			depth = 0,
				level;
	SpqRtreeRow row = row_of(bounds);

	path[0] = tree->root;
	while (!spq_rtree_is_leaf(tree->pages[path[depth]]))
	{
		char	   *page = tree->pages[path[depth]];

		entries[depth] = spq_rtree_choose_child(page, bounds);
		path[depth + 1] = spq_rtree_child(page, entries[depth]);
		depth++;
	}
	if (spq_rtree_page_has_room(tree->pages[path[depth]], 0))
	{
		spq_rtree_append_row(tree->pages[path[depth]], &row);
		for (int i = 0; i < depth; i++)
		{
			char	   *page = tree->pages[path[i]];
			SpqRtreeDownlink downlink = spq_rtree_get_downlink(page, entries[i]);

			spq_rtree_bounds_add(&downlink.bounds, bounds);
			spq_rtree_put_downlink(page, entries[i], &downlink);
		}
		return;
	}

	/* Split the topmost full page first, then its child, one at a time. */
	level = depth;
	while (level > 0 && !spq_rtree_page_has_room(tree->pages[path[level - 1]], 0))
		level--;
	{
		int			left = path[level];
		int			right = split_page(tree, left);
		SpqRtreeDownlink l = {spq_rtree_promise(tree->pages[left]), left, right};
		SpqRtreeDownlink r = {spq_rtree_promise(tree->pages[right]), right, 0};

		/* the bounding keys may have been widened from below */
		l.bounds = spq_rtree_page_hull(tree->pages[left]);
		r.bounds = spq_rtree_page_hull(tree->pages[right]);
		if (level == 0)
		{
			tree->root = new_page(tree, spq_rtree_special(tree->pages[left])->level + 1);
			spq_rtree_append_downlink(tree->pages[tree->root], &l);
		}
		else
			spq_rtree_put_downlink(tree->pages[path[level - 1]], entries[level - 1], &l);
		spq_rtree_append_downlink(tree->pages[level ? path[level - 1] : tree->root], &r);
	}
	insert_rtree(tree, bounds);
}

static void
ask_rtree(Tree *tree, int number, const SpqRtreeComparison *leaf,
		  const SpqRtreeComparison *inner, int ncomparisons)
{
	char	   *page = tree->pages[number];
	int			count = spq_rtree_count(page);
	bool		is_leaf = spq_rtree_is_leaf(page);

	if (is_leaf)
		leaves_read++;
	else
		inner_read++;
	for (int group = 0; group * SPQ_RTREE_GROUP < count; group++)
	{
		uint32		match = spq_rtree_match_group((const float8 (*)[SPQ_RTREE_GROUP])
												  spq_rtree_group(page, group),
												  is_leaf ? leaf : inner, ncomparisons);

		if (count - group * SPQ_RTREE_GROUP < SPQ_RTREE_GROUP)
			match &= (1 << (count - group * SPQ_RTREE_GROUP)) - 1;
		if (is_leaf)
			rows_found += __builtin_popcount(match);
		else
			for (; match != 0; match &= match - 1)
				ask_rtree(tree, spq_rtree_child(page, group * SPQ_RTREE_GROUP + __builtin_ctz(match)),
						  leaf, inner, ncomparisons);
	}
}

/*
 * The keyed tree
 */

typedef struct TreeNode
{
	int			level;
	int			count;
	SpqRtreeBounds hull;
	Keyed		entries[BOX_LEAF_MAX + 1];
	struct TreeNode *children[BOX_LEAF_MAX + 1];
}			TreeNode;

static TreeNode *
new_node(int level)
{
	TreeNode   *node = malloc(level ? sizeof(TreeNode) : offsetof(TreeNode, children));

	node->level = level;
	node->count = 0;
	node->hull = spq_rtree_bounds_nothing();
	return node;
}

static void
free_node(TreeNode * node)
{
	for (int i = 0; node->level > 0 && i < node->count; i++)
		free_node(node->children[i]);
	free(node);
}

static void
add_to_node(TreeNode * node, int place, const Keyed * entry, TreeNode * child)
{
	memmove(node->entries + place + 1, node->entries + place,
			(node->count - place) * sizeof(Keyed));
	node->entries[place] = *entry;
	if (node->level > 0)
	{
		memmove(node->children + place + 1, node->children + place,
				(node->count - place) * sizeof(TreeNode *));
		node->children[place] = child;
	}
	node->count++;
	spq_rtree_bounds_add(&node->hull, &entry->bounds);
}

static TreeNode *
build_keyed(const Keyed * rows, int n)
{
	Keyed	   *entries = malloc(n * sizeof(Keyed));
	TreeNode  **nodes = malloc(n * sizeof(TreeNode *));
	int			level = 0;

	memcpy(entries, rows, n * sizeof(Keyed));
	qsort(entries, n, sizeof(Keyed), compare_keyed);
	for (;;)
	{
		int			most = level ? KEYED_INNER_MAX : BOX_LEAF_MAX,
					made = 0;

		for (int begin = 0, end; begin < n; begin = end)
		{
			TreeNode   *node = new_node(level);
			Keyed		up;

			end = n - begin <= most ? n :
				border(entries, begin + (int) ((2 * FILL - 1) * most), begin + most);
			up.key = entries[begin].key;
			for (int i = begin; i < end; i++)
				add_to_node(node, node->count, &entries[i], level ? nodes[i] : NULL);
			up.bounds = node->hull;
			entries[made] = up;
			nodes[made++] = node;
		}
		n = made;
		level++;
		if (n == 1)
			break;
	}
	{
		TreeNode   *root = nodes[0];

		free(entries);
		free(nodes);
		return root;
	}
}

/* Insert a row.  Return the right half if the node was split, else NULL. */
static TreeNode *
insert_keyed(TreeNode * node, const Keyed * row)
{
	int			low = 0,
				high = node->count;

	/* find the first entry whose key is above the row's */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (node->entries[middle].key <= row->key)
			low = middle + 1;
		else
			high = middle;
	}
	if (node->level == 0)
		add_to_node(node, low, row, NULL);
	else
	{
		int			place = Max(low - 1, 0);
		TreeNode   *child = node->children[place];
		TreeNode   *right = insert_keyed(child, row);

		spq_rtree_bounds_add(&node->hull, &row->bounds);
		node->entries[place].key = Min(node->entries[place].key, row->key);
		node->entries[place].bounds = child->hull;
		if (right)
		{
			Keyed		up = {right->entries[0].key, right->hull};

			add_to_node(node, place + 1, &up, right);
		}
	}
	if (node->count > (node->level ? KEYED_INNER_MAX : (int) BOX_LEAF_MAX))
	{
		TreeNode   *right = new_node(node->level);
		int			cut = border(node->entries, 0.4 * node->count, 0.6 * node->count);
		int			count = node->count;

		for (int i = cut; i < count; i++)
			add_to_node(right, right->count, &node->entries[i],
						node->level ? node->children[i] : NULL);
		node->count = cut;
		node->hull = spq_rtree_bounds_nothing();
		for (int i = 0; i < cut; i++)
			spq_rtree_bounds_add(&node->hull, &node->entries[i].bounds);
		return right;
	}
	return NULL;
}

static bool
meets(const SpqRtreeBounds *a, const SpqRtreeBounds *b)
{
	bool		meet = true;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		meet &= a->low[axis] <= b->high[axis] && a->high[axis] >= b->low[axis];
	return meet;
}

static void
ask_keyed(TreeNode * node, const SpqRtreeBounds *window)
{
	if (node->level == 0)
		leaves_read++;
	else
		inner_read++;
	for (int i = 0; i < node->count; i++)
		if (meets(&node->entries[i].bounds, window))
		{
			if (node->level == 0)
				rows_found++;
			else
				ask_keyed(node->children[i], window);
		}
}

static int
count_leaves(TreeNode * node)
{
	int			leaves = 0;

	if (node->level == 0)
		return 1;
	for (int i = 0; i < node->count; i++)
		leaves += count_leaves(node->children[i]);
	return leaves;
}

/*
 * Windows
 */

static SpqRtreeBounds centers[WINDOWS];
static double window_sides[4];	/* of 1, 10, 100, 1000 rows */

static SpqRtreeBounds
window(int i, double side)
{
	SpqRtreeBounds bounds = centers[i];

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		bounds.low[axis] -= side / 2;
		bounds.high[axis] += side / 2;
	}
	return bounds;
}

/* Search all windows of a side.  Return the mean time in microseconds. */
static double
ask_all(Tree *tree, TreeNode * root, double side)
{
	double		started = cpu_time();

	leaves_read = inner_read = rows_found = 0;
	for (int i = 0; i < WINDOWS; i++)
	{
		SpqRtreeBounds bounds = window(i, side);

		if (tree)
		{
			SpqRtreeComparison leaf[2 * SPQ_DIM],
						inner[2 * SPQ_DIM];

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				SpqRtreeComparison low = {.end = SPQ_DIM + axis,.at_most = true,.number = bounds.high[axis]},
							high = {.end = axis,.at_most = false,.number = bounds.low[axis]};

				leaf[2 * axis] = inner[2 * axis] = low;
				leaf[2 * axis + 1] = inner[2 * axis + 1] = high;
			}
			ask_rtree(tree, tree->root, leaf, inner, 2 * SPQ_DIM);
		}
		else
			ask_keyed(root, &bounds);
	}
	return (cpu_time() - started) * 1e3 / WINDOWS;
}

/*
 * Choose window centers distributed like the rows, and sides that give windows
 * of 1, 10 ... rows.
 */
static void
make_windows(Tree *tree, const Keyed * rows, int n)
{
	double		side = 0;

	for (int i = 0; i < WINDOWS; i++)
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			const SpqRtreeBounds *row = &rows[(int64) i * n / WINDOWS].bounds;
			double		shift = (i * 7919 % WINDOWS / (double) WINDOWS - 0.5);

			centers[i].low[axis] = centers[i].high[axis] =
				0.5 * (row->low[axis] + row->high[axis]) + shift * (row->high[axis] - row->low[axis]);
		}
	for (int i = 0; i < 4; i++)
	{
		double		low = side,
					high = Max(2 * side, 1e-3),
					wanted = pow(10, i);

		for (ask_all(tree, NULL, high); rows_found < wanted * WINDOWS; ask_all(tree, NULL, high))
			high *= 2;

		for (int step = 0; step < 45; step++)
		{
			double		middle = 0.5 * (low + high);

			ask_all(tree, NULL, middle);
			if (rows_found > wanted * WINDOWS)
				high = middle;
			else
				low = middle;
			if (high - low < 1e-3 * high)
				break;
		}
		window_sides[i] = side = high;
	}
}

static void
report(const char *name, Tree *tree, TreeNode * root, int n, int leaves, double insertion)
{
	printf("  %-22s fill %.2f", name, (double) n / leaves / BOX_LEAF_MAX);
	if (insertion > 0)
		printf("  insertion %.2f us", insertion);
	printf("\n    leaves + inner pages:");
	for (int i = -1; i < 4; i++)
	{
		double		time = ask_all(tree, root, i < 0 ? 0 : window_sides[i]);

		printf("  %s %.2f + %.2f", i < 0 ? "point" : i == 0 ? "1" : i == 1 ? "10" : i == 2 ? "100" : "1000",
			   (double) leaves_read / WINDOWS, (double) inner_read / WINDOWS);
		if (tree)
			printf(" (%.2f us)", time);
		if (i < 0)
			printf(" [%.1f rows]", (double) rows_found / WINDOWS);
	}
	printf("\n");
}

static int
rtree_leaves(Tree *tree)
{
	int			leaves = 0;

	for (int i = 0; i < tree->count; i++)
		leaves += spq_rtree_is_leaf(tree->pages[i]);
	return leaves;
}

static int
compare_x(const void *a, const void *b)
{
	double		x = ((const Keyed *) a)->bounds.low[0],
				y = ((const Keyed *) b)->bounds.low[0];

	return x < y ? -1 : x > y;
}

static void
grow(const char *order, const Keyed * rows, int n)
{
	char		name[64];
	double		started;

	snprintf(name, sizeof(name), "rtree, grown %s", order);
	{
		Tree		tree = {0};

		started = cpu_time();
		tree.root = new_page(&tree, 0);
		for (int i = 0; i < n; i++)
			insert_rtree(&tree, &rows[i].bounds);
		report(name, &tree, NULL, n, rtree_leaves(&tree), (cpu_time() - started) * 1e3 / n);
		free_tree(&tree);
	}
	{
		TreeNode   *root = new_node(0);

		snprintf(name, sizeof(name), "keyed, grown %s", order);
		started = cpu_time();
		for (int i = 0; i < n; i++)
		{
			Keyed		row = {key_of(&rows[i].bounds), rows[i].bounds};
			TreeNode   *right = insert_keyed(root, &row);

			if (right)
			{
				TreeNode   *top = new_node(root->level + 1);
				Keyed		l = {root->entries[0].key, root->hull},
							r = {right->entries[0].key, right->hull};

				add_to_node(top, 0, &l, root);
				add_to_node(top, 1, &r, right);
				root = top;
			}
		}
		report(name, NULL, root, n, count_leaves(root), (cpu_time() - started) * 1e3 / n);
		free_node(root);
	}
}

/* Read the rows of a file, in random order. */
static Keyed *
read_rows(const char *path, int *n)
{
	FILE	   *file = fopen(path, "r");
	char		line[1000];
	int			capacity = 1000;
	Keyed	   *rows = malloc(capacity * sizeof(Keyed));

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	*n = 0;
	while (fgets(line, sizeof(line), file))
	{
		Keyed		row;

		if (sscanf(line, "%lf,%lf,%lf,%lf", &row.bounds.low[0], &row.bounds.low[1],
				   &row.bounds.high[0], &row.bounds.high[1]) != 4)
			continue;
		if (*n == capacity)
			rows = realloc(rows, (capacity *= 2) * sizeof(Keyed));
		rows[(*n)++] = row;
	}
	fclose(file);
	srand48(1);
	for (int i = *n - 1; i > 0; i--)
	{
		int			j = (int) (drand48() * (i + 1));
		Keyed		swap = rows[i];

		rows[i] = rows[j];
		rows[j] = swap;
	}
	return rows;
}

int
main(int argc, char **argv)
{
	Keyed	   *rows;
	int			n;
	double		started;

	if (argc < 2)
	{
		fprintf(stderr, "usage: trees NAME [SHARE | FILE]\n");
		return 1;
	}
	if (argc > 2 && atof(argv[2]) == 0)
		rows = read_rows(argv[2], &n);
	else
	{
		Rects		left,
					right;

		make_shape(argv[1], argc > 2 ? atof(argv[2]) : 1, &left, &right);
		n = left.count;
		rows = malloc(n * sizeof(Keyed));
		for (int i = 0; i < n; i++)
			memcpy(&rows[i].bounds, &left.rect[i], sizeof(Rect));
	}
	printf("%s, %d rows\n", argv[1], n);
	started = cpu_time();
	for (int i = 0; i < n; i++)
		rows[i].key = key_of(&rows[i].bounds);
	printf("  keys: %.0f ms a million\n", (cpu_time() - started) * 1e6 / n);

	for (int variant = 0; variant < 4; variant++)
	{
		int			inner_per_group = variant < 2 ? 1 : variant == 2 ? 4 : 1000;
		Tree		tree = build_rtree(rows, n, inner_per_group, variant > 0);
		char		name[64];

		snprintf(name, sizeof(name), "rtree, built, %d%s", inner_per_group,
				 variant ? " global" : "");
		if (variant == 0)
			make_windows(&tree, rows, n);
		report(name, &tree, NULL, n, rtree_leaves(&tree), 0);
		free_tree(&tree);
	}
	{
		TreeNode   *root = build_keyed(rows, n);

		report("keyed, built", NULL, root, n, count_leaves(root), 0);
		free_node(root);
	}
	grow("at random", rows, n);
	qsort(rows, n, sizeof(Keyed), compare_x);
	grow("by x", rows, n);
	free(rows);
	return 0;
}
