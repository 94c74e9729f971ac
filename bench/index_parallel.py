"""Parallel scans: half of the table by an index-only scan, with and without workers.

Scans of our index can be parallel; those of GiST and SP-GiST use one process.
"""
from common import Failure, nodes
from index_base import RIVALS
from index_build import has_room
from report import Row, short

SECTION = "Parallel scans"
WORKERS = (0, 1, 2)
SETTINGS = ("parallel_setup_cost", "parallel_tuple_cost", "min_parallel_index_scan_size",
            "min_parallel_table_scan_size")


def name_of(rows):
    return "U %s && 50 %% of the rows, index-only" % short(rows)


def measurement(rows):
    """Return (name, run)."""
    return name_of(rows) + ", 0 to 2 workers", lambda b: half(b, rows)


def half(bench, rows):
    data, db = bench.heaps, bench.db
    if rows > bench.args.rows and not has_room(bench, rows, name_of(rows)):
        return
    heap = data.sized(rows, twin=False)
    side = data.side * (rows / bench.args.rows) ** 0.5
    low, high = [side / 2 + s * (side * 0.5 ** 0.5 - 50) / 2 for s in (-1, 1)]
    sql = ("SELECT count(*) || ' rows' FROM %s t WHERE t.b && '(%r,%r),(%r,%r)'::box"
           % (data.table(heap), low, low, high, high))
    bench.choose(heap, "seq", "seq", sql)
    _, truth = bench.timed("query", sql)
    db.run("; ".join("SET %s = 0" % name for name in SETTINGS))
    cands = {("rtree", n): [] for n in WORKERS}
    cands.update({(c, 0): [] for c in RIVALS if c in bench.cands})

    def run(cand, workers):
        db.run("SET max_parallel_workers_per_gather = %d" % workers)
        bench.choose(heap, cand, "index-only", sql)
        planned = max(n.get("Workers Planned", 0) for n in nodes(db.explain(sql)))
        if planned != workers:
            raise Failure("%d workers planned, not %d" % (planned, workers))
        ms, answer = bench.timed("query", sql)
        if answer != truth:
            bench.report.wrong.append("%s, %s, %d workers: %s, not %s" % (
                name_of(rows), cand, workers, answer, truth))
        return ms

    for one in cands:
        run(*one)
    for i in range(bench.args.rounds):
        for one in bench.turns(i, list(cands)):
            cands[one].append(run(*one))
    db.run("; ".join("RESET " + name for name in SETTINGS))
    db.run("SET max_parallel_workers_per_gather = 0")
    bench.report.titles["rtree_alone"] = "access method, one process"
    for workers in WORKERS:
        name = "index: %s, %d worker%s" % (name_of(rows), workers, "s"[:workers != 1])
        keep(bench, name, {"rtree": ("rtree", workers), **{c: (c, 0) for c in RIVALS}}, cands, truth)
        if workers:
            keep(bench, name + ", beside one process",
                 {"rtree": ("rtree", workers), "rtree_alone": ("rtree", 0)}, cands, truth)


def keep(bench, name, columns, times, answer):
    row = Row(name, SECTION, "ms", ("rtree",), [c for c in columns if c != "rtree"], "less", answer)
    for cand, key in columns.items():
        for ms in times.get(key, ()):
            row.add(cand, ms, answer)
    bench.report.keep(row)
