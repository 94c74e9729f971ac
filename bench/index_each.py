"""The k nearest for each row of another table, in one statement.

The outer rows are random points; their order is unrelated to their positions.
"""
from common import Failure
from index_base import BOXES
from report import short

SECTION = "The nearest for each row of another table"
# Outer rows, rows of the table with the index, k.
CASES = ((1000, 2000, 5), (100000, 10 ** 6, 10))
LONG = 10000
DISTANCES = ("SELECT %s FROM %s o, LATERAL (SELECT t.b <-> o.p AS d FROM %s t ORDER BY t.b <-> o.p"
             " LIMIT %d) x%s")


def measurements(args):
    """Return (name, run) of each."""
    for number, rows, k in CASES:
        rows = min(rows, args.rows)
        yield "nearest %d of %s for each of %s" % (
            k, short(rows), short(number)), lambda b, c=(number, rows, k): each(b, *c)


def outer(bench, number):
    """Make a table of this many points, scaled like probes."""
    data = bench.heaps
    number = max(20, round(number * bench.args.share))
    name = "points_%d" % number
    data.ensure(name, "points in %r" % data.side, lambda: bench.db.run(
        "CREATE TABLE %s AS SELECT i AS n, point((hashint8extended(i, 1) & 1048575) / 1048576.0 * %r,"
        " (hashint8extended(i, 2) & 1048575) / 1048576.0 * %r) AS p FROM generate_series(1, %d) i"
        % (data.table(name), data.side, data.side, number)))
    return data.table(name), number


def each(bench, number, rows, k):
    data = bench.heaps
    heap = data.sized(rows, twin=False)
    points, number = outer(bench, number)
    row = bench.row("nearest %d of %s for each of %s" % (k, short(rows), short(number)), SECTION,
                    "ms", "the statement")
    sql = DISTANCES % ("count(*) || ' rows'", points, data.table(heap), k, "")
    few = DISTANCES % ("string_agg(round(d::numeric, 4)::text, ';' ORDER BY o.n, d)", points,
                       data.table(heap), k, " WHERE o.n <= %d" % min(bench.args.checked, number))
    bench.choose(heap, "seq", "seq", few)
    truth = bench.timed("query", few)[1]
    cands = [c for c in bench.cands if c in BOXES]
    for cand in cands:
        bench.choose(heap, cand, "index-only", few)
        if bench.timed("query", few)[1] != truth:
            bench.report.wrong.append("%s: %s differs from the sequential scan" % (row.name, cand))
    # a single statement that runs for seconds varies little
    for i in range(bench.args.rounds if number < LONG else min(bench.args.rounds, 2)):
        for cand in bench.turns(i, cands):
            if not bench.choose(heap, cand, "index-only", sql):
                raise Failure("no index-only scan by %s" % cand)
            ms, answer = bench.timed("query", sql)
            row.add(cand, ms, answer)
    row.size = number
    bench.report.keep(row)
    if heap != "u":
        data.drop(heap)
