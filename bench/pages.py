"""Shape of an index, read from its pages (by contrib/pageinspect).

GiST: all leaves have the same depth, which is counted on the way down along first entries.

spqtree: each page of the tree has its level; the root is block 1.

SP-GiST: inner tuples contain nodes; a node points to an inner tuple or to a
chain of leaf tuples on one page:

    root page -- inner tuple --node--> inner tuple --node--> leaf -> leaf -> leaf
    depth of the chain: 2 (inner tuples passed)          its length: 3

Layouts are those of access/gist.h, access/spgist_private.h, src/rtree/page/page.h and
storage/bufpage.h on a little-endian machine.
"""
import struct

PAGE_HEADER = 24
LIVE, REDIRECT = 0, 1
SPGIST_ROOT, SPGIST_META_FLAG, SPGIST_LEAF_FLAG = 1, 1, 4
GIST_LEAF_FLAG = 1
RTREE_ROOT = 1


def item(page, offset):
    """Return the offset of the tuple of this line pointer (numbered from 1)."""
    pointer, = struct.unpack_from("<I", page, PAGE_HEADER + 4 * (offset - 1))
    return pointer & 0x7FFF


def items(page):
    lower, = struct.unpack_from("<H", page, 12)
    return (lower - PAGE_HEADER) // 4


def special(page):
    return struct.unpack_from("<H", page, 16)[0]


def tid(page, at):
    high, low, offset = struct.unpack_from("<HHH", page, at)
    return (high << 16) | low, offset


def gist_depth(get_page):
    """Return the number of levels of inner pages above the leaves."""
    block, depth = 0, 0
    while True:
        page = get_page(block)
        flags, = struct.unpack_from("<H", page, special(page) + 12)
        if flags & GIST_LEAF_FLAG:
            return depth
        block, depth = tid(page, item(page, 1))[0], depth + 1


def rtree_depth(get_page):
    """Return the number of levels of inner pages above the leaves."""
    page = get_page(RTREE_ROOT)
    level, = struct.unpack_from("<H", page, special(page) + 36)     # after bounds and link
    return level


def chain_length(page, offset):
    length = 0
    while offset != 0:
        at = item(page, offset)
        state, info = struct.unpack_from("<IH", page, at)
        if state & 3 == REDIRECT:
            return None
        length += state & 3 == LIVE
        offset = info & 0x3FFF
    return length


def spgist_shape(pages):
    """Walk from the root: {"depths": [one per chain], "chains": [length], "inner": n}.

    pages: the pages of the index, by block number.  NULLs are left out.
    """
    shape = {"depths": [], "chains": [], "inner": 0}
    todo = [(SPGIST_ROOT, 1, 0)]
    while todo:
        block, offset, depth = todo.pop()
        page = pages[block]
        flags, = struct.unpack_from("<H", page, special(page))
        if block == SPGIST_ROOT and flags & SPGIST_LEAF_FLAG:
            # A small index: the root page is all leaf tuples, without chains.
            shape["depths"].append(0)
            shape["chains"].append(items(page))
            continue
        at = item(page, offset)
        head, = struct.unpack_from("<I", page, at)
        if head & 3 == REDIRECT:
            todo.append((*tid(page, at + 6), depth))
            continue
        if flags & SPGIST_LEAF_FLAG:
            shape["depths"].append(depth)
            shape["chains"].append(chain_length(page, offset))
            continue
        shape["inner"] += 1
        nodes, prefix = (head >> 3) & 0x1FFF, head >> 16
        at += 8 + prefix
        for _ in range(nodes):
            info, = struct.unpack_from("<H", page, at + 6)
            child = tid(page, at)
            # The pointer of an empty node is invalid.
            if child[1] != 0:
                todo.append((*child, depth + 1))
            at += info & 0x1FFF
    return shape
