"""All pairs of boxes of a table that overlap, in space: by the node, and by libraries in memory, which are lower bounds.

    CGAL                 its join of boxes
    Bullet, ODE, FCL     broad phases of engines for physics and robots, which make these pairs in each step

They count pairs of arrays: they have no rows, no visibility, no SQL.  Bullet's numbers are floats, and
ODE and FCL compute corners from a middle and sides, so that pairs may differ that nearly touch.  So there
are two tables: U, where the numbers of pairs must be within what rounding explains, and U with integers,
where they must be equal.
"""
import os

from common import median
from report import Row, short, shown, span
from rivals_base import export, libraries, run
from space_join import by_node, prepared

SECTION = "All pairs of a table, beside libraries"
LIBRARIES = ("cgal", "bullet", "ode", "fcl")
ENDS = "SELECT %s FROM %%s" % ", ".join("%s(%s(b))" % (axis, end) for end in ("low", "high") for axis in "xyz")
PAIRS = "SELECT count(*) FROM {0} a JOIN {0} b ON a.b && b.b AND a.id < b.id"
SELF = "SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM %s')"
# Of two floats below 16,384, each.
ROUNDING = 0.001
# With sides of at least 1: ODE leaves out boxes with a side of 0.
WHOLE = "SELECT id, box3(x, y, z, x + w, y + d, z + h) AS b FROM (SELECT id, %s FROM {few}) s" % ", ".join(
    ["round(%s(low(b))) AS %s" % (axis, axis) for axis in "xyz"]
    + ["1 + round(%s(high(b)) - %s(low(b))) AS %s" % (axis, axis, side) for axis, side in zip("xyz", "wdh")])
# U with sides that are longer by so much.
GROWN = "(SELECT id, box3(%s) AS b FROM {table} WHERE %s)" % (
    ", ".join("%s(%s(b)) %s {by}" % (axis, end, sign) for end, sign in (("low", "-"), ("high", "+")) for axis in "xyz"),
    " AND ".join("%s(high(b)) - %s(low(b)) + 2 * ({by}) >= 0" % (axis, axis) for axis in "xyz"))


def measurements(args):
    rows = short(max(args.rows // 10, 1))
    return [("pairs of %s%s" % (rows, title), lambda b, k=kind, t=title: pairs(b, k, t))
            for kind, title in (("few", ""), ("whole", " of integers"))]


def pairs(bench, kind, title):
    prepared(bench)
    found = libraries(bench.report, "space", LIBRARIES)
    if not found:
        return
    data = bench.heaps
    few = data.table(data.heap("few"))
    if kind == "whole":
        data.made(kind, WHOLE.format(few=few), "integers of few rows=%d v1" % data.rows)
    table = data.table(kind)
    row = Row("space: pairs of %s%s, beside libraries" % (short(data.few), title), SECTION, "ms", (), ())
    data.show_only(kind, "")
    plans = {"node": by_node(bench, PAIRS.format(table)), "function": bench.plans.plan(SELF % table, {})}
    bench.plans.set({})             # for the execution, too
    file = export(bench, ENDS % table, "boxes_of_pairs")
    builds = {}
    try:
        for plan in plans.values():
            bench.plans.time(plan)  # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for candidate in bench.turns(i, [*plans, *found]):
                if candidate in plans:
                    row.add(candidate, *bench.plans.time(plans[candidate]))
                    continue
                ((built, ms, answer),) = run("rivals", candidate, "pairs", file)
                builds.setdefault(candidate, []).append(float(built))
                row.add(candidate, float(built) + float(ms), answer)
    finally:
        os.unlink(file)
    row.detail = row.answers["node"] + " pairs"
    compared(bench, row, kind, found)
    bench.report.keep(row)
    for candidate in found:
        bench.report.line("space", "Pairs beside libraries: times", [
            "row", "library", "it builds in", "spatial hash join's time relative to build and search (min–max)"],
            [row.name, bench.report.titles[candidate], shown(median(builds[candidate]), "ms"),
             span(row.ratio(candidate, "node"))])
    bench.db.run("DEALLOCATE ALL")


def compared(bench, row, kind, found):
    """Compare the numbers of pairs: all are equal, or where numbers are rounded, as near as that explains."""
    ours = row.answers["node"]
    least, most = ours, ours
    if kind == "few":
        least, most = (bench.db.value(PAIRS.format(GROWN.format(table=bench.heaps.table(kind), by=by)))
                       for by in (-ROUNDING, ROUNDING))
        bench.report.line("space", "Pairs beside libraries: answers", [
            "row", "spqtree", *[bench.report.titles[c] for c in found], "with boxes %g smaller" % ROUNDING, "larger"],
            [row.name, ours, *[row.answers[c] for c in found], least, most])
    if row.answers["function"] != ours:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    for candidate in found:
        # CGAL's numbers are ours
        exact = kind != "few" or candidate == "cgal"
        if exact and row.answers[candidate] != ours:
            bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
        elif not int(least) <= int(row.answers[candidate]) <= int(most):
            bench.report.note("space", "%s: %s finds %s pairs, not from %s to %s" % (
                row.name, bench.report.titles[candidate], row.answers[candidate], least, most))
