"""The search for nearest boxes alone, in C without a server, compared with a bare kernel and other libraries.

All of them find the same boxes in arrays, in the order of a curve.  They are lower bounds
of the cost of a nearest join, not rivals.
"""
from join_engine import LIBRARY_ROUNDS, rounds, share, titled
from report import short, span
from rivals_base import libraries, run

SHAPES = ("u", "s")
NEIGHBORS = (1, 10, 100)
SECTION = "The nearest search alone, and lower bounds in C"
# Program: its folder, and the candidate.
OURS = {"engine": ("kernel", "nearest_engine"), "kernel": ("kernel", "nearest")}
# Slower than this, in milliseconds, a library runs once.
SLOW = 5000


def engine(bench, shape):
    """Measure building and searching."""
    points = "%s points x %s boxes" % (short(max(round(10 ** 5 * share(bench)), 1)), titled(bench, shape).split(" x ")[1])
    title = "nearest engine, %s %s" % (shape.upper(), points)
    build = bench.row(title + ", build", SECTION, (), ())
    found = [search(bench, shape, k, "%s, k=%d" % (title, k), build) for k in NEIGHBORS]
    for row, computed in [(build, "–"), *found]:
        bench.report.keep(row)
        # our time relative to the bound's: the inverse of "times as good"
        bench.line("Times of the lower bounds of the nearest search",
                   ["row", "times the kernel's time (min–max)", "times Boost's time (min–max)",
                    "distances computed"],
                   [row.name, span(row.ratio("kernel", "engine")),
                    span(row.ratio("boost", "engine")) if "boost" in row.values else "–", computed])


def search(bench, shape, k, title, build):
    """Return a row, and how many distances the engine computed; add to the row of builds."""
    row = bench.row(title, SECTION, (), ())
    others = libraries(bench.report, "join", ("boost", "spatialindex"))
    for i in range(rounds(bench)):
        for candidate in bench.turns(i, [*OURS, *(others if i < LIBRARY_ROUNDS else [])]):
            if i > 0 and row.median(candidate) > SLOW:
                continue
            program = OURS.get(candidate, ("rivals", candidate, "nearest"))
            ((built, ms, found, total, *more),) = run(*program, shape, share(bench), k)
            build.add(candidate, float(built))
            row.add(candidate, float(ms), "%s boxes, sum of distances %s" % (found, total))
            if candidate == "engine":
                (computed,) = more
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = row.answers["engine"].split(",")[0]
    return row, format(int(computed), ",")
