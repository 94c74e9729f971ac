"""The engine alone, in C without a server, compared with a bare kernel and other libraries.

These only find pairs, from arrays, in parts of space or by an index packed at once:
they are lower bounds of the cost of a join, not rivals.
"""
from report import short, span
from rivals_base import libraries, run

# Shapes of kernel/shapes.c: description, rows of the sides.
SHAPES = {
    "u": ("U", 1000000, 1000000),
    "s": ("S", 1000000, 1000000),
    "pareto": ("sides over five decades", 500000, 500000),
    "nested": ("clusters in clusters", 1000000, 1000000),
    "cover": ("S, and one box over everything", 1000000, 1000000),
    "same": ("all the same", 10000, 10000),
    "large-small": ("U", 2000000, 2000),
    "small-large": ("U", 2000, 2000000),
    "points": ("points of a lattice", 1000000, 1000000),
    "points-boxes": ("points x U", 1000000, 1000000),
    "thin": ("long and thin", 200000, 200000),
    "far": ("intervals and values in places far apart", 50000, 50000),
    "timestamps": ("seconds and events at night", 1000000, 1000000),
    "prefixes": ("networks and addresses", 100000, 100000),
}
# Shapes whose coordinates are finer than the engine's units, and the most pairs that it may compare, as a multiple of
# the pairs and rows.
FINE = ("far", "timestamps", "prefixes")
COMPARED = 4
SECTION = "The engine alone, and lower bounds in C"
# Shapes with as many pairs in three dimensions.
SOLID = ("u", "s")
SECTION3 = "The engine alone, in three dimensions"
# Rounds of the engine and of the kernel, unless there is only one, and the most of a library.  The
# engine asks for huge pages.  In a virtual machine, the host may first have to find the memory for
# them: of twelve runs of shape u, three took more than twice as long, most of that in the system's
# clearing of pages.
ROUNDS = 7
LIBRARY_ROUNDS = 3
# Shapes that other libraries than Boost join, and from how many milliseconds on once.
OTHERS = ("u", "s")
SLOW = 5000


def share(bench):
    """Return the share of the shapes' rows to use."""
    return bench.args.rows / 10 ** 6


def titled(bench, shape):
    title, left, right = SHAPES[shape]
    return "%s %s x %s" % (title, short(max(left * share(bench), 1)),
                           short(max(right * share(bench), 1)))


def rounds(bench):
    """Return how many rounds to measure the engine and the kernel in."""
    return ROUNDS if bench.args.rounds > 1 else 1


def engine3(bench, shape):
    """Compare three dimensions with two."""
    row = bench.row("engine in space, " + titled(bench, shape), SECTION3, (), ())
    looked_at = {}
    for i in range(rounds(bench)):
        for candidate in bench.turns(i, ["engine3", "engine"]):
            ((ms, pairs, looked_at[candidate]),) = run("kernel", candidate, shape, share(bench))
            row.add(candidate, float(ms), pairs)
    row.detail = "%s pairs; in the plane %s" % (row.answers["engine3"], row.answers["engine"])
    bench.report.keep(row)
    # relative to the time in the plane: the inverse of "times as good"
    bench.line("Three dimensions beside two",
               ["row", "times the time in the plane (min–max)", "pairs compared in space",
                "in the plane"],
               [row.name, span(row.ratio("engine", "engine3")),
                *(format(int(looked_at[c]), ",") for c in ("engine3", "engine"))])


def fine(bench, row, times):
    bench.bar(row.name + ", pairs compared", "%.2f times the pairs and rows" % times, "at most %d times" % COMPARED,
              times <= COMPARED)


def engine(bench, shape):
    title = titled(bench, shape)
    row = bench.row("engine, " + title, SECTION, (), ())
    others = libraries(bench.report, "join",
                       ("boost", "cgal", "spatialindex", "geos") if shape in OTHERS else ("boost",))
    for i in range(rounds(bench)):
        now = others if i < LIBRARY_ROUNDS else []
        for candidate in bench.turns(i, ["engine", "kernel", *now]):
            if candidate == "kernel":
                ((ms, pairs),) = run("kernel", "kernel", shape, share(bench))
                row.add("kernel", float(ms), pairs)
            elif candidate == "engine":
                ((ms, pairs, compared),) = run("kernel", "engine", shape, share(bench))
                row.add("engine", float(ms), pairs)
            elif i == 0 or row.median(candidate) < SLOW:
                ((built, ms, pairs),) = run("rivals", candidate, "join", shape, share(bench))
                row.add(candidate, float(built) + float(ms), pairs)
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = row.answers["engine"] + " pairs"
    if shape in FINE:
        fine(bench, row, int(compared) / (int(pairs) + share(bench) * sum(SHAPES[shape][1:])))
    bench.report.keep(row)
    # our time relative to the bound's: the inverse of "times as good"
    bench.line("Times of the lower bounds", ["row", "times the kernel's time (min–max)",
                                             "times Boost's time (min–max)", "pairs compared"],
               [row.name, span(row.ratio("kernel", "engine")),
                span(row.ratio("boost", "engine")) if "boost" in others else "–",
                format(int(compared), ",")])
    if len(others) > 1:
        bench.line("The engine's time relative to other libraries'",
                   ["row", *["times that of %s (min–max)" % bench.report.titles[c] for c in others]],
                   [row.name, *[span(row.ratio(c, "engine")) for c in others]])
