"""Searches by our index, and by indexes of other libraries in memory, which are lower bounds.

    windows of boxes, and the nearest boxes: the boxes of U; trees in C++ and in JavaScript
    windows of points: their centers; a k-d tree in JavaScript

The libraries count boxes of arrays: they have no rows, no visibility, no SQL.
"""
import os

import index_types
from common import median
from index_scan import NEAREST, near, scan_sql, windows
from report import Row, shown
from rivals_base import export, libraries, run

SECTION = "Searches beside other libraries, lower bounds"
BOXES = ("boost", "spatialindex", "geos", "flatbush", "rbush")
NEIGHBORS = 10
ENDS = "SELECT (b[1])[0], (b[1])[1], (b[0])[0], (b[0])[1] FROM %s"
POINTS = "SELECT p[0], p[1], p[0], p[1] FROM %s"
# The distances' sum, too, so that ties do not matter.
NEAR = ("SELECT sum(x.n) || ' rows, sum of distances ' || round(sum(x.d)::numeric, 2) FROM {probes} q, LATERAL"
        " (SELECT count(*) AS n, sum(d) AS d FROM (SELECT t.b <-> q.p AS d FROM {table} t ORDER BY t.b <-> q.p"
        " LIMIT %d) y OFFSET 0) x" % NEIGHBORS)
PLAN = "index-only"


class Beside:
    """A row: the libraries, what they are told to do with two files, and how these are made of table and probes."""

    def __init__(self, what, among, probes, task, files, last=()):
        self.name = "%s, beside libraries" % what
        self.among, self.probes, self.task, self.files, self.last = among, probes, task, files, last

    def __call__(self, bench):
        if "rtree" not in bench.cands:
            return
        found = libraries(bench.report, "index", self.among)
        if found:
            measure(bench, self, found)

    def prepare(self, bench, probes):
        """Return the table and the statement; the planner sees our index."""
        data = bench.heaps
        if self.among == ("kdbush",):
            table = index_types.make(bench)
            sql = index_types.sql_of("p", "<@", table, data.table(probes))
            bench.force(index_types.TABLE, index_types.indexed(bench, "p", "rtree"), PLAN, sql)
            return table, sql
        heap = data.heap("u")
        table = data.table(heap)
        sql = (NEAR.format(table=table, probes=data.table(probes)) if self.task == "nearest"
               else scan_sql("&&", "rtree", heap, probes))
        bench.choose(heap, "rtree", PLAN, sql)
        return table, sql


def measurements(args):
    """Return (name, run) of each."""
    at = windows(args)["u"]
    found = [Beside("U && %s" % rows, BOXES, at[rows], "windows", (ENDS, ENDS)) for rows in ("10 rows", "1000 rows")]
    found.append(Beside("U %s%d" % (NEAREST, NEIGHBORS), ("flatbush",), near("u"), "nearest", (ENDS, POINTS),
                        (NEIGHBORS,)))
    found += [Beside("points <@ %s" % rows, ("kdbush",), at[rows], "windows", (POINTS, ENDS))
              for rows in ("10 rows", "1000 rows")]
    return [(beside.name, beside) for beside in found]


def measure(bench, beside, found):
    probes, number = bench.heaps.probes(*beside.probes)
    row = Row("index: " + beside.name, SECTION, "ms", (), ())
    table, sql = beside.prepare(bench, probes)
    files = [export(bench, ends % of, "libraries_%d" % i) for i, (ends, of) in enumerate(
        zip(beside.files, (table, bench.heaps.table(probes))))]
    builds = {}
    try:
        bench.timed("query", sql)   # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for candidate in bench.turns(i, ["rtree", *found]):
                if candidate == "rtree":
                    ms, answer = bench.timed("query", sql)
                else:
                    ((built, ms, answer, *total),) = run("rivals", candidate, beside.task, *files, *beside.last)
                    builds.setdefault(candidate, []).append(float(built))
                    answer = ", sum of distances ".join((answer + " rows", *total))
                row.add(candidate, float(ms) / number, answer)
    finally:
        for file in files:
            os.unlink(file)
    for candidate in found:
        if row.answers[candidate] != row.answers["rtree"]:
            bench.report.note("index", "%s: %s finds %s, not %s" % (
                row.name, bench.report.titles[candidate], row.answers[candidate], row.answers["rtree"]))
    row.detail = "%s probes, %.1f rows each" % (format(number, ","), int(row.answers["rtree"].split()[0]) / number)
    bench.report.keep(row)
    for candidate in found:
        bench.report.line("index", "Builds of other libraries, in memory", ["row", "library", "it builds its index in"],
                          [row.name, bench.report.titles[candidate], shown(median(builds[candidate]), "ms")])
