"""Searches of windows by our index, and by trees of other libraries in memory, which are lower bounds.

The libraries count boxes of arrays: they have no rows, no visibility, no SQL.
"""
import os

from common import median
from index_scan import scan_sql, windows
from report import Row, shown
from rivals_base import export, libraries, run

LIBRARIES = ("boost", "spatialindex", "geos")
SECTION = "Searches beside other libraries, lower bounds in C++"
ENDS = "SELECT (b[1])[0], (b[1])[1], (b[0])[0], (b[0])[1] FROM %s.%s"
PLAN = "index-only"


def measurements(args):
    """Return (name, run) of each."""
    at = windows(args)["u"]
    return [("U && %s, beside libraries" % rows, lambda b, r=rows, p=at[rows]: beside(b, r, p))
            for rows in ("10 rows", "1000 rows")]


def beside(bench, rows, probes):
    heap = bench.heaps.heap("u")
    found = libraries(bench.report, "index", LIBRARIES)
    if not found or "rtree" not in bench.cands:
        return
    probes, number = bench.heaps.probes(*probes)
    row = Row("index: U && %s, beside libraries" % rows, SECTION, "ms", (), ())
    sql = scan_sql("&&", "rtree", heap, probes)
    files = [export(bench, ENDS % (bench.schema, table), table) for table in (heap, probes)]
    builds = {}
    try:
        bench.choose(heap, "rtree", PLAN, sql)
        bench.timed("query", sql)   # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for candidate in bench.turns(i, ["rtree", *found]):
                if candidate == "rtree":
                    ms, answer = bench.timed("query", sql)
                else:
                    ((built, ms, answer),) = run("rivals", candidate, "windows", *files)
                    builds.setdefault(candidate, []).append(float(built))
                    answer += " rows"
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
    bench.report.line("index", "Builds of other libraries, in memory", ["row", *[bench.report.titles[c] for c in found]],
                      [row.name, *[shown(median(builds[c]), "ms") for c in found]])
