"""Draws the pictures of docs/tutorial.md from the rows that its queries return.

usage: town.py TITLE SOURCE FILE <ROWS

Each row is a kind and a shape of PostgreSQL, with a tab between them. The first row has the kind
"frame" and a box. Kinds are drawn in the order of STYLES.
"""
import re
import sys

from drawings import Drawing, EMPTY, FAINT, GREY, LINE, RAMP, TEAL, WHITE

WIDTH, MARGIN, HEAD = 900, 16, 52
# kind: fill, stroke, width of the line; a point is a dot
STYLES = {'area': (EMPTY, LINE, .8), 'near area': (RAMP[1], RAMP[2], .8), 'piece': ('none', GREY, 1),
          'near piece': ('none', RAMP[5], 1.4), 'drive': ('none', WHITE, 1.6), 'outside': (FAINT, WHITE, 1),
          'inside': (TEAL, WHITE, 1)}


def main():
    title, source, name = sys.argv[1:]
    shapes = {kind: [] for kind in STYLES}
    frame = None
    for line in sys.stdin:
        kind, shape = line.rstrip('\n').split('\t')
        points = [tuple(map(float, p)) for p in re.findall(r'\(?(-?[\d.]+),(-?[\d.]+)\)', shape)]
        if kind == 'frame':
            (right, top), (left, bottom) = points
            frame = left, bottom, right, top
        else:
            shapes[kind].append(points)
    scale = (WIDTH - 2 * MARGIN) / (frame[2] - frame[0])
    tall = (frame[3] - frame[1]) * scale
    drawing = Drawing(title, WIDTH, round(tall + HEAD + MARGIN))
    drawing.parts.insert(1, f'<!-- {source} -->')
    drawing.text(MARGIN, 32, title, 15, '#e8e6f0', ' font-weight="600"')
    drawing.parts.append(f'<svg x="{MARGIN}" y="{HEAD}" width="{WIDTH - 2 * MARGIN}" height="{tall:.0f}">')
    for kind, (fill, stroke, width) in STYLES.items():
        # one path for all: a smaller file
        d = ''
        for points in shapes[kind]:
            at = [((x - frame[0]) * scale, (frame[3] - y) * scale) for x, y in points]
            if len(at) == 1:
                drawing.dot(*at[0], 6, fill)
                drawing.path(f'M{at[0][0] - 6:.1f} {at[0][1]:.1f}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0', stroke, width)
            else:
                d += 'M' + 'L'.join(f'{x:.0f} {y:.0f}' for x, y in at) + ('Z' if fill != 'none' else '')
        if d:
            drawing.path(d, stroke, width, ' fill-rule="evenodd" fill-opacity=".45"' if fill != 'none' else '', fill)
    drawing.parts.append('</svg>')
    drawing.write(name)


main()
