/*-------------------------------------------------------------------------
 *
 * buffer_page.c
 *	  Prefetch pages that a scan is about to visit.  See buffer_page.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist_private.h"
#include "storage/buf_internals.h"
#include "storage/bufpage.h"

#include "compat.h"
#include "prefetch.h"
#include "quadtree/buffer_page.h"

/*
 * About the number of pages of an index of two million boxes; a power of two.
 */
#define N_SLOTS		16384

/* Header and line pointers of a page of leaf tuples. */
#define FIRST_BYTES 640

/* All nodes of our inner tuples have the same length. */
#define NODE_SIZE	(SGNTHDRSZ + sizeof(Datum))

static int	slots[N_SLOTS];		/* numbers of buffers, from 0 */

static inline int *
slot_of(uint32 relation, BlockNumber block)
{
	return &slots[(relation * 0x9E3779B1 + block) % N_SLOTS];
}

static inline BufferDesc *
descriptor_of(const char *page)
{
	return GetBufferDescriptor((page - BufferBlocks) / BLCKSZ);
}

/*
 * Remember which buffer a page is in.  The page must be pinned, as it is when
 * SP-GiST calls a method with a datum on it.
 */
static void
remember_page(const char *page)
{
	BufferDesc *descriptor = descriptor_of(page);

	*slot_of(spq_buffer_relation(descriptor), descriptor->tag.blockNum) =
		(page - BufferBlocks) / BLCKSZ;
}

/* Prefetch a page, except for the hole between line pointers and tuples. */
void
spq_quad_fetch_leaf_page(const char *page)
{
	const PageHeaderData *header = (const PageHeaderData *) page;

	remember_page(page);
	for (int i = 0; i < header->pd_lower; i += SPQ_LINE_SIZE)
		spq_prefetch(page + i);
	for (int i = header->pd_upper; i < BLCKSZ; i += SPQ_LINE_SIZE)
		spq_prefetch(page + i);
}

/*
 * Prefetch the pages of some children, if their buffers are remembered.
 * "prefix" points to the parent's prefix on its page.
 */
void
spq_quad_prefetch_children(const SpqQuadPrefix *prefix, const int *nodes, int n)
{
	const char *parent = spq_quad_buffer_page(prefix);
	const char *first_node = (const char *) (prefix + 1);
	uint32		relation;

	if (parent == NULL)
		return;
	remember_page(parent);
	relation = spq_buffer_relation(descriptor_of(parent));
	for (int i = 0; i < n; i++)
	{
		SpGistNodeTuple node =
			(SpGistNodeTuple) (first_node + nodes[i] * NODE_SIZE);
		int			buffer;
		const char *page;

		/* a damaged tuple may claim more nodes than it has */
		if ((const char *) (node + 1) > parent + BLCKSZ)
			return;
		buffer = *slot_of(relation,
						  ItemPointerGetBlockNumberNoCheck(&node->t_tid));
		page = BufferBlocks + (Size) buffer * BLCKSZ;
		spq_prefetch(GetBufferDescriptor(buffer));
		for (int at = 0; at < FIRST_BYTES; at += SPQ_LINE_SIZE)
			spq_prefetch(page + at);
		spq_prefetch(page + BLCKSZ - SPQ_LINE_SIZE);
	}
}
