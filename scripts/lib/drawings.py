#!/usr/bin/env python3
"""Draws how the indexes and the join work: how-rtree.svg, how-quadtree.svg and
how-join.svg in DIRECTORY.

The drawings apply the rules of src/rtree, src/quadtree and src/join to a few
made-up boxes: pages, cells and bounds are real, only smaller.
"""
import math
import random
import sys

PAPER, EMPTY, RULE, LINE = '#0d0f1a', '#191c2e', '#34374d', '#2b2f47'
TEXT, FAINT, TEAL, WHITE = '#e8e6f0', '#9a98b0', '#3fd0c9', '#ffffff'
RAMP = ['#543986', '#77439b', '#ab4a92', '#d45a7c', '#f27369', '#fe9862', '#febf77', '#fce29e']
GREY = '#4b4e60'

WIDTH, HEIGHT, SIDE, TOP = 1020, 494, 308, 66
LEFT = [24, 356, 688]


class Drawing:
    def __init__(self, title, width=WIDTH, height=HEIGHT):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" '
            'font-family="system-ui, \'Segoe UI\', \'Helvetica Neue\', \'DejaVu Sans\', sans-serif">',
            f'<title>{title}</title>',
            f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>']

    def rect(self, x, y, w, h, fill='none', stroke='none', width=1.0, more=''):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" '
                          f'fill="{fill}" stroke="{stroke}" stroke-width="{width}"{more}/>')

    def path(self, d, stroke, width=1.0, more='', fill='none'):
        self.parts.append(f'<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"{more}/>')

    def dot(self, x, y, r, fill):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{fill}"/>')

    def text(self, x, y, text, size=12, fill=FAINT, more=''):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{more}>{text}</text>')

    def panel(self, number, title, lines, ground=True):
        left = LEFT[number]
        # the site shows panels below each other where there is no room beside each other
        self.parts.append(f'<view id="panel{number + 1}" viewBox="{left - 14} 0 {SIDE + 28} {HEIGHT}"><title>{title}</title></view>')
        self.text(left, 34, f'{number + 1}', 18, RAMP[5], ' font-weight="600"')
        self.text(left + 20, 34, title, 15, TEXT, ' font-weight="600"')
        if ground:
            self.rect(left, TOP - 14, SIDE, SIDE, EMPTY)
        for i, line in enumerate(lines):
            self.text(left, TOP + SIDE + 14 + 18 * i, line)

    def grid(self, left, parts, more=''):
        step = SIDE / parts
        d = ''.join(f'M{left + i * step:.1f} {TOP - 14}v{SIDE}M{left} {TOP - 14 + i * step:.1f}h{SIDE}'
                    for i in range(1, parts))
        self.path(d, LINE, 1, more)

    def write(self, name):
        with open(name, 'w', encoding='ascii') as file:
            file.write('\n'.join(self.parts) + '\n</svg>\n')


def at(left, x, y):
    """Return the position on paper of a point of the unit square, with y upward."""
    return left + x * SIDE, TOP - 14 + (1 - y) * SIDE


def draw_box(drawing, left, box, **how):
    x, y = at(left, box[0], box[3])
    drawing.rect(x, y, (box[2] - box[0]) * SIDE, (box[3] - box[1]) * SIDE, **how)


def bounds(boxes):
    return (min(b[0] for b in boxes), min(b[1] for b in boxes),
            max(b[2] for b in boxes), max(b[3] for b in boxes))


def overlap(a, b):
    return a[0] <= b[2] and a[2] >= b[0] and a[1] <= b[3] and a[3] >= b[1]


def center(box):
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def node_of(box, cuts=4):
    """Return the node of a cell cut in 4 x 4 that a box goes to; 16 if it is too large."""
    if max(box[2] - box[0], box[3] - box[1]) > 1 / cuts:
        return 16
    x, y = center(box)
    return int(y * cuts) * cuts + int(x * cuts)


def index_boxes():
    """Return clusters of small boxes, and some large ones."""
    rng = random.Random(7)
    boxes = []
    for cx, cy, spread, n in ((.16, .2, .05, 9), (.4, .61, .06, 10), (.63, .62, .04, 7),
                              (.87, .86, .05, 7), (.62, .14, .05, 6)):
        for _ in range(n):
            x, y = rng.gauss(cx, spread), rng.gauss(cy, spread)
            w, h = rng.uniform(.015, .07), rng.uniform(.015, .07)
            boxes.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    boxes += [(.30, .42, .58, .55), (.05, .60, .19, .93)]
    return [b for b in boxes if min(b) > .005 and max(b) < .995]


def draw_quadtree(directory):
    boxes = index_boxes()
    nodes = {}
    for box in boxes:
        nodes.setdefault(node_of(box), []).append(box)
    large = nodes.pop(16)
    color = {n: RAMP[(i * 5 + 3) % 8] for i, n in enumerate(sorted(nodes))}
    drawing = Drawing('How the quadtree works')

    # the place of a box
    left = LEFT[0]
    drawing.panel(0, 'Each box has one place', [
        'Split lines are fixed, at powers of two. The',
        'center of a box determines its cell. A box',
        'may extend beyond its cell by half; a larger',
        'one is stored above. Split lines do not',
        'depend on insertion order.'])
    for n in nodes:
        x, y = at(left, n % 4 / 4, (n // 4 + 1) / 4)
        drawing.rect(x, y, SIDE / 4, SIDE / 4, color[n], more=' fill-opacity=".16"')
    drawing.grid(left, 4)
    for box in large:
        draw_box(drawing, left, box, fill=TEAL, stroke=TEAL, more=' fill-opacity=".12"')
    for n, members in nodes.items():
        for box in members:
            draw_box(drawing, left, box, fill=color[n], stroke=color[n], more=' fill-opacity=".25"')
    for box in boxes:
        drawing.dot(*at(left, *center(box)), 1.5, WHITE)

    # the tree
    left = LEFT[1]
    drawing.panel(1, 'A node has the bounds below it', [
        'An inner tuple has a node for each part of',
        'its cell that has boxes: the number of the',
        'part and the bounds of its boxes, in 8 bytes.',
        'A node leads to a chain of boxes, or to an',
        'inner tuple that splits the part again.'], ground=False)
    slots = sorted(nodes)[:7] + [16]
    width = SIDE / len(slots)
    top = TOP + 4
    drawing.text(left, top - 8, 'inner tuple', 11)
    for i, n in enumerate(slots):
        x = left + i * width
        tint = TEAL if n == 16 else color[n]
        drawing.rect(x, top, width, 44, EMPTY, RULE)
        drawing.text(x + width / 2, top + 15, str(n), 11, TEXT, ' text-anchor="middle"')
        drawing.rect(x + 8, top + 23, width - 16, 13, tint, tint, 1, ' fill-opacity=".25"')
    busy = max(nodes, key=lambda n: len(nodes[n]))
    inner = slots.index(busy)

    def chain(x, y, count, tint):
        for k in range(count):
            drawing.rect(x - 10, y + k * 13, 20, 9, tint, tint, 1, ' fill-opacity=".25"')

    for i, n in enumerate(slots):
        x = left + (i + .5) * width
        count = min(len(nodes.get(n, large)), 6)
        if i == inner:
            continue
        drawing.path(f'M{x:.1f} {top + 44}V{top + 66}', RULE, 1.2)
        chain(x, top + 70, count, TEAL if n == 16 else color[n])
    x = left + (inner + .5) * width
    bottom = top + 168
    drawing.path(f'M{x:.1f} {top + 44}V{bottom}', RULE, 1.2)
    parts = 4
    first = min(max(left, x - 2 * width), left + SIDE - parts * width)
    for k in range(parts):
        drawing.rect(first + k * width, bottom, width, 30, EMPTY, RULE)
        drawing.rect(first + k * width + 10, bottom + 9, width - 20, 12, color[busy], color[busy], 1,
                     ' fill-opacity=".25"')
        drawing.path(f'M{first + (k + .5) * width:.1f} {bottom + 30}v18', RULE, 1.2)
        chain(first + (k + .5) * width, bottom + 52, (3, 2, 3, 2)[k], color[busy])
    drawing.text(left + SIDE, top - 8, 'too large', 11, TEAL, ' text-anchor="end"')

    # a search
    left = LEFT[2]
    query = (.44, .47, .76, .72)
    every = dict(nodes)
    every[16] = large
    met = {n for n in every if overlap(bounds(every[n]), query)}
    found = sum(overlap(b, query) for b in boxes)
    looked = sum(len(every[n]) for n in met)
    drawing.panel(2, 'A search follows the bounds', [
        'A scan follows the nodes whose bounds overlap',
        'the query, with four integer comparisons',
        f'each: here {len(met)} of {len(every)}. It visits {looked} of {len(boxes)}',
        f'boxes and finds {found}. The rest of the index',
        'is never read.'])
    drawing.grid(left, 4)
    for n in sorted(every, key=lambda n: n in met):
        tint = (TEAL if n == 16 else color[n]) if n in met else GREY
        for box in every[n]:
            hit = n in met and overlap(box, query)
            draw_box(drawing, left, box, fill=tint, stroke=tint,
                     more=f' fill-opacity="{".75" if hit else ".12"}"')
        draw_box(drawing, left, bounds(every[n]), stroke=tint, width=1.3, more=' stroke-dasharray="4 3"')
    draw_box(drawing, left, query, stroke=PAPER, width=4.5)
    draw_box(drawing, left, query, stroke=WHITE, width=2)
    drawing.write(directory + '/how-quadtree.svg')


def z_order(x, y, bits=3):
    key = 0
    for i in range(bits):
        key |= (int(x * 2 ** bits) >> i & 1) << 2 * i | (int(y * 2 ** bits) >> i & 1) << 2 * i + 1
    return key


def join_boxes(seed, n, size):
    rng = random.Random(seed)
    boxes = []
    while len(boxes) < n:
        x, y = rng.random(), rng.random()
        if rng.random() > .25 + .75 * math.exp(-8 * ((x - .4) ** 2 + (y - .5) ** 2)):
            continue
        w, h = rng.uniform(.4, 1) * size, rng.uniform(.4, 1) * size
        box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        if min(box) > .01 and max(box) < .99:
            boxes.append(box)
    return sorted(boxes, key=lambda b: (z_order(*center(b)), b))


def cut(boxes, size):
    """Divide boxes into pages of this size, all full but one, by cuts with the least sum of sides."""
    if len(boxes) <= size:
        return [boxes]
    best = None
    for axis in (0, 1):
        ordered = sorted(boxes, key=lambda b: (b[axis] + b[axis + 2], b))
        pages = -(-len(boxes) // size)
        for at_page in range(pages // 3 or 1, pages - (pages // 3 or 1) + 1):
            halves = ordered[:at_page * size], ordered[at_page * size:]
            if halves[1]:
                sides = sum(b[2] - b[0] + b[3] - b[1] for b in map(bounds, halves))
                if best is None or sides < best[0]:
                    best = sides, halves
    return cut(best[1][0], size) + cut(best[1][1], size)


def larger(box, by):
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def draw_rtree(directory):
    leaf_size, inner_size = 8, 4
    boxes = join_boxes(23, 96, .06)
    leaves = cut(boxes, leaf_size)
    groups = []
    for group in cut([bounds(leaf) for leaf in leaves], inner_size):
        groups.append([leaf for leaf in leaves if bounds(leaf) in group])
    groups.sort(key=lambda g: bounds(sum(g, []))[0])
    leaves = [leaf for group in groups for leaf in group]
    tints = [TEAL, RAMP[3], RAMP[6]] + RAMP
    of_group = {i: g for g, group in enumerate(groups) for i, leaf in enumerate(leaves) if leaf in group}
    inner = [bounds(sum(group, [])) for group in groups]
    drawing = Drawing('How the R-tree works')

    # pages of boxes
    left = LEFT[0]
    drawing.panel(0, 'Neighbors share a page', [
        'CREATE INDEX sorts the boxes along a curve',
        'and cuts them into full pages that overlap',
        f'little. A page has about 200 boxes, here {leaf_size}.',
        'Its bounds (filled) go to the level above,',
        'whose pages have bounds, too (dashed).'])
    for i, leaf in enumerate(leaves):
        tint = tints[of_group[i]]
        draw_box(drawing, left, bounds(leaf), fill=tint, stroke=tint, width=1.3, more=' fill-opacity=".13"')
        for box in leaf:
            draw_box(drawing, left, box, fill=tint, stroke='none', more=' fill-opacity=".55"')
    for g, box in enumerate(inner):
        draw_box(drawing, left, larger(box, .008), stroke=tints[g], width=1.4, more=' stroke-dasharray="5 3"')

    # the levels
    query = (.40, .40, .60, .58)
    met_inner = {g for g, box in enumerate(inner) if overlap(box, query)}
    met = {i for i, leaf in enumerate(leaves) if of_group[i] in met_inner and overlap(bounds(leaf), query)}
    left = LEFT[1]
    drawing.panel(1, 'Each level bounds the next', [
        'An entry of an inner page has the bounds of',
        'one page below. A page stores them by columns,',
        'so eight entries are compared at once. The',
        'pages of a level are linked from left to right:',
        'a scan follows the link after a split.'], ground=False)
    middle = left + SIDE / 2
    width, top = SIDE / len(leaves), TOP + 4
    levels = top, top + 96, top + 192
    for y, name in ((levels[0] - 8, 'root'), (levels[1] - 20, 'inner pages'), (levels[2] + 97, 'leaf pages')):
        drawing.text(left, y, name, 11)

    def page(x, y, entries, on, step=17):
        """Draw a page with its entries: (color, whether a search follows it)."""
        drawing.rect(x, y, step * len(entries) + 6, 32, EMPTY, WHITE if on else RULE, 1.2 if on else 1)
        for k, (tint, follow) in enumerate(entries):
            drawing.rect(x + 5 + k * step, y + 8, step - 4, 16, tint, tint, 1,
                         f' fill-opacity="{".75" if follow else ".2"}"')
        return [x + 3 + (k + .5) * step for k in range(len(entries))]

    downlinks = page(middle - (17 * len(groups) + 6) / 2, levels[0],
                     [(tints[g], g in met_inner) for g in range(len(groups))], True)
    first = 0
    for g, group in enumerate(groups):
        count = len(group)
        center_x = left + (first + count / 2) * width
        on = g in met_inner
        x = center_x - (17 * count + 6) / 2
        drawing.path(f'M{downlinks[g]:.1f} {levels[0] + 32}L{center_x:.1f} {levels[1]}',
                     WHITE if on else RULE, 1.6 if on else 1.1)
        below = page(x, levels[1], [(tints[g], first + k in met) for k in range(count)], on)
        if g + 1 < len(groups):
            drawing.path(f'M{x + 17 * count + 6:.1f} {levels[1] + 16}h12l-4 -3m4 3l-4 3', GREY, 1)
        for k in range(count):
            i, leaf_x = first + k, left + (first + k) * width
            on = i in met
            drawing.path(f'M{below[k]:.1f} {levels[1] + 32}L{leaf_x + width / 2:.1f} {levels[2]}',
                         WHITE if on else RULE, 1.6 if on else 1.1)
            drawing.rect(leaf_x + 1.5, levels[2], width - 6, 82, EMPTY, WHITE if on else RULE, 1.2 if on else 1)
            for n, box in enumerate(leaves[i]):
                drawing.rect(leaf_x + 5, levels[2] + 5 + 9.2 * n, width - 13, 6, tints[g], tints[g], 1,
                             f' fill-opacity="{".85" if on and overlap(box, query) else ".2"}"')
            if i + 1 < len(leaves):
                drawing.path(f'M{leaf_x + width - 4.5:.1f} {levels[2] + 41}h5', GREY, 1)
        first += count

    # a search
    left = LEFT[2]
    found = sum(overlap(b, query) for b in boxes)
    drawing.panel(2, 'A query reads what it meets', [
        'A query (white) goes down to the pages whose',
        f'bounds it overlaps: here {len(met_inner)} of {len(inner)} inner pages and',
        f'{len(met)} of {len(leaves)} leaf pages. Of the {sum(len(leaves[i]) for i in met)} boxes in them,',
        f'{found} match, each decided exactly. The other',
        'pages are not read.'])
    for i, leaf in enumerate(leaves):
        tint = tints[of_group[i]] if i in met else GREY
        draw_box(drawing, left, bounds(leaf), fill=tint, stroke=tint, width=1.3 if i in met else .8,
                 more=' fill-opacity=".13"')
        for box in leaf:
            hit = i in met and overlap(box, query)
            draw_box(drawing, left, box, fill=tint, stroke='none', more=f' fill-opacity="{".9" if hit else ".35"}"')
    for g, box in enumerate(inner):
        draw_box(drawing, left, larger(box, .008), stroke=tints[g] if g in met_inner else GREY, width=1.2,
                 more=' stroke-dasharray="5 3"')
    draw_box(drawing, left, query, stroke=PAPER, width=4.5)
    draw_box(drawing, left, query, stroke=WHITE, width=2)
    drawing.write(directory + '/how-rtree.svg')


def draw_join(directory):
    build = join_boxes(11, 48, .07)
    bucket = 4
    buckets = [build[i:i + bucket] for i in range(0, len(build), bucket)]
    tints = [RAMP[i * 8 // len(buckets)] for i in range(len(buckets))]
    drawing = Drawing('How the spatial hash join works')

    left = LEFT[0]
    drawing.panel(0, 'Boxes sorted by cell', [
        'One side is read into memory and sorted by',
        'the cell of the center of each box, along a',
        'curve: neighbors in space become neighbors',
        'in memory. Large boxes have larger cells',
        'and are sorted separately.'])
    drawing.grid(left, 8)
    points = [at(left, *center(b)) for b in build]
    for i in range(len(build) - 1):
        (x0, y0), (x1, y1) = points[i], points[i + 1]
        drawing.path(f'M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}', tints[i // bucket], 1.4, ' stroke-opacity=".8"')
    for i, box in enumerate(build):
        draw_box(drawing, left, box, fill=tints[i // bucket], stroke=tints[i // bucket], more=' fill-opacity=".3"')

    left = LEFT[1]
    drawing.panel(1, 'Neighbors share a bucket', [
        '8 to 32 consecutive boxes (here 4) make a',
        'bucket. Bounds of buckets make buckets of',
        'bounds, up to a single one: a tree without',
        'gaps. No box is stored twice, so no pair is',
        'returned twice.'])
    for i, members in enumerate(buckets):
        for box in members:
            draw_box(drawing, left, box, fill=tints[i], stroke='none', more=' fill-opacity=".45"')
        draw_box(drawing, left, bounds(members), fill=tints[i], stroke=tints[i], width=1.3, more=' fill-opacity=".08"')
    for i in range(0, len(buckets), 4):
        outer = bounds([bounds(m) for m in buckets[i:i + 4]])
        outer = (outer[0] - .008, outer[1] - .008, outer[2] + .008, outer[3] + .008)
        draw_box(drawing, left, outer, stroke=WHITE, width=1.2, more=' stroke-opacity=".55" stroke-dasharray="5 3"')

    left = LEFT[2]
    probes = [b for b in join_boxes(5, 40, .09)]
    groups = [probes[i:i + bucket] for i in range(0, len(probes), bucket)]
    probe = max(groups, key=lambda g: sum(overlap(p, b) for p in g for b in build))
    reach = bounds(probe)
    met = [i for i, members in enumerate(buckets) if overlap(bounds(members), reach)]
    pairs = sum(overlap(p, b) for p in probe for b in build)
    drawing.panel(2, 'Buckets meet buckets', [
        'The other side is read in buckets, too. Each',
        'goes down the tree as one box; this one',
        f'overlaps {len(met)} of {len(buckets)} buckets. A box is compared',
        f'with a whole bucket at once: {pairs} pairs, each',
        'decided exactly.'])
    for i, members in enumerate(buckets):
        tint = tints[i] if i in met else GREY
        for box in members:
            hit = i in met and any(overlap(p, box) for p in probe)
            draw_box(drawing, left, box, fill=tint, stroke='none',
                     more=f' fill-opacity="{".9" if hit else ".3"}"')
        draw_box(drawing, left, bounds(members), stroke=tint, width=1.3 if i in met else .8)
    for box in probe:
        draw_box(drawing, left, box, fill=TEAL, stroke=TEAL, width=1.3, more=' fill-opacity=".2"')
    draw_box(drawing, left, reach, stroke=PAPER, width=4.5)
    draw_box(drawing, left, reach, stroke=TEAL, width=2)
    drawing.write(directory + '/how-join.svg')


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('usage: drawings.py DIRECTORY')
    draw_rtree(sys.argv[1])
    draw_quadtree(sys.argv[1])
    draw_join(sys.argv[1])
