"""The first hit of rays by Embree, a lower bound: in C, without rows or SQL, with floats, in one thread."""
import math
import os

from common import median
from report import shown, span
from rivals_base import export, libraries, run
from space_scan import whole

SECTION = "Embree, a lower bound of the first hit"
ENDS = "SELECT %s FROM %%s" % ", ".join("%s(%s(b))" % (axis, end) for end in ("low", "high") for axis in "xyz")
# Distances differ by this where a coordinate has the rounding of floats.
ROUNDING = 0.01


def written(bench, probes):
    """Write the rays to a file, with directions of length 1."""
    path = os.path.join(bench.server.dir, "rays_of_embree.csv")
    with open(path, "w") as out:
        for (text,) in bench.db.run("SELECT r FROM %s ORDER BY n" % bench.heaps.table(probes)):
            *origin, x, y, z, reach = (float(v) for v in text.translate(str.maketrans("", "", "<>()")).split(","))
            length = math.hypot(x, y, z)
            print(*map(repr, (*origin, x / length, y / length, z / length, reach)), sep=",", file=out)
    return path


def unlike(one, other):
    return one != other if "-" in (one, other) else abs(float(one) - float(other)) > ROUNDING


def beside(bench, row, kind, first, probes, number):
    """Add Embree's time of the same rays to a row.  first: SQL of a first hit."""
    if "rtree" not in row.values or not libraries(bench.report, "space", ["embree"]):
        return
    holder = bench.heaps.table(bench.heaps.twin(kind, "rtree"))
    sql = whole(first.format(holder), bench.heaps.table(probes), number, "coalesce(x.d::text, '-')", each=True)
    bench.use(kind, "rtree", "index-only", sql)
    ours = bench.timed("query", sql)[1].split(";")
    files = [export(bench, ENDS % holder, "boxes_of_embree"), written(bench, probes)]
    builds = []
    try:
        for _ in range(min(bench.args.rounds, 3)):
            (built, ms), *distances = run("rivals", "embree", *files)
            builds.append(float(built))
            row.add("embree", float(ms) / number)
    finally:
        for file in files:
            os.unlink(file)
    differ = sum(unlike(a, b) for a, (b,) in zip(ours, distances)) + abs(len(ours) - len(distances))
    bench.report.line("space", SECTION, ["row", "times Embree's time (min–max)", "Embree builds its tree in",
                                         "rays whose first box is at another distance"],
                      [row.name, span(row.ratio("embree", "rtree")), shown(median(builds), "ms"),
                       "%d of %s" % (differ, format(number, ","))])
