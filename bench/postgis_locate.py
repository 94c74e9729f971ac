"""Points in huge polygons: the companion's shape without a server, compared with a bare kernel.

The kernel looks a cell up, and compares the edges in it, without regard to rounding.  It
is a lower bound for ways that look at edges, not a rival; cells without edges can be faster.
"""
from join_engine import rounds
from report import short, span
from rivals_base import run

VERTICES = (100, 1000, 10000, 100000, 400000)
POINTS = 1000000
SECTION = "Points in a polygon, and a lower bound in C"
PROGRAMS = {"shape": "locate_engine", "kernel": "locate"}
# Nanoseconds a point in the largest polygon: of the first points, and of later ones.
GOALS = (200, 50)


def measurements():
    return [("points in a polygon of %s vertices" % format(n, ","), lambda b, n=n: b.attempt(locate, n))
            for n in VERTICES]


def locate(bench, vertices):
    count = max(1000, round(POINTS * bench.args.share))
    title = "polygon of %s vertices" % format(vertices, ",")
    made, first, later = (bench.row("%s, %s" % (title, what), SECTION, ours=(), rivals=()) for what in (
        "made", "the first points", "later points"))
    bench.report.titles.update(shape="the companion's shape", kernel="bare kernel in C")
    for i in range(rounds(bench)):
        for candidate in bench.turns(i, list(PROGRAMS)):
            ((building, at_first, after, *inside),) = run("kernel", PROGRAMS[candidate], vertices, count)
            made.add(candidate, float(building))
            first.add(candidate, float(at_first) / count, inside[0])
            later.add(candidate, float(after) / count, inside[1])
    for row, points in ((made, None), (first, 0), (later, count)):
        bench.wrong(row, row.answers)
        if points is not None:
            row.detail = "%s after %s, %s in it" % (short(count), short(points), row.answers["shape"])
        bench.report.keep(row)
    # our time relative to the bound's: the inverse of "times as good"
    for row in (first, later):
        bench.line("Times of the lower bound", ["row", "times the kernel's time (min–max)"],
                   [row.name, span(row.ratio("kernel", "shape"))])
    if vertices == VERTICES[-1]:
        for row, goal in zip((first, later), GOALS):
            ns = row.median("shape") * 10 ** 6
            bench.bar(row.name, "%.0f ns a point" % ns, "at most %d ns" % goal, ns <= goal)
