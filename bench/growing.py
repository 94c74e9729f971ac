"""Cost as work grows: one table at several sizes, in memory and beyond it."""
from collections import namedtuple

import index_cold
from common import Failure, nodes
from growing_base import FILE, GrowingBench, TITLES
from growing_outlook import BEYOND_MEMORY, IN_MEMORY, measure_of
from index_build import megabytes
from index_scan import NEAREST, answers, compare, scan_sql
from plans import Plans, WITHOUT_NODE
from report import short

# What is searched, side of the window, probes in memory and beyond it.
Scan = namedtuple("Scan", "op rows side number few plan")
SCANS = (Scan("&&", "10 rows", 245, 6000, 60, "plain"), Scan("&&", "1000 rows", 3110, 200, 6, "plain"),
         Scan(NEAREST + "10", "", 0, 2000, 60, "plain"))
BEYOND_ROUNDS = 5                   # of scans, at most
JOIN_ROUNDS = 3                     # beyond memory, at most
MEMORY = "64MB"                     # work_mem of joins
LOOP_MOST = 10 ** 6                 # rows up to which a nested loop is measured
LONG = 10000                        # ms, above which it runs once
DISK = "Batches, and disk space"
BUILDS, SIZES, JOINS = "Building", "Size of table and index", "Joins with work_mem " + MEMORY
SCANS_WARM, SCANS_BEYOND = "Plain scans, in memory", "Plain scans, beyond memory"


def measurements(args):
    """Return (name, run) of each; run takes a GrowingBench."""
    found = []
    for rows in args.growing:
        found.append((build_name(rows), lambda b, n=rows: build(b, n)))
        found += [(scan_name(s, rows), lambda b, n=rows, s=s: scan(b, n, s)) for s in SCANS]
        found.append((join_name(rows), lambda b, n=rows: join(b, n)))
    return [("%s: %s" % (FILE, name), run) for name, run in found]


def build_name(rows):
    return "build %s rows" % short(rows)


def scan_name(scan, rows):
    return "%s of %s" % (" ".join(filter(None, (scan.op, scan.rows))), short(rows))


def join_name(rows):
    return "join %s x %s" % (short(rows), short(rows))


def disk_line(bench, what, batches, most):
    bench.report.line(FILE, DISK, ["row", "batches", "most in use by tables, indexes and temporary files"],
                      [what, batches, "%.2f GB" % (most / 1e9)])


def build(bench, rows):
    """Measure CREATE INDEX beyond memory, then in memory, where its index stays; then the size."""
    heap = bench.table(rows)
    if not heap:
        return
    name = build_name(rows)
    found = [bench.row(name + where, rows, BUILDS, "s") for where in (IN_MEMORY, BEYOND_MEMORY)]
    with bench.disk() as most:
        for row in found[::-1]:
            beyond = row is found[1]
            cands = [c for c in bench.cands if not bench.hopeless(measure_of(row), c, rows, row.name)]
            for i in range(bench.rounds(rows, bench.args.build_rounds)):
                for cand in bench.turns(i, cands):
                    # the rival takes minutes then
                    if i > 0 and (cand == "gist" and rows > bench.args.rows or not row.values.get(cand)):
                        continue
                    bench.drop_index(heap, cand)
                    bench.db.run("CHECKPOINT")
                    (bench.beyond if beyond else bench.warm)()
                    ms = bench.create(heap, cand)
                    if ms is None:
                        bench.gave_up(cand, row.name, "it did not end in an hour")
                    else:
                        row.add(cand, ms / 1000)
            if not beyond:
                bench.missing |= {(heap, c) for c in bench.cands if not row.values.get(c)}
    size = bench.row("size %s rows" % short(rows), rows, SIZES, "MB")
    for cand in bench.cands:
        if bench.has(heap, cand):
            size.add(cand, megabytes(bench, "%s_%s" % (heap, cand)))
    size.add("table", megabytes(bench, heap))
    for row in (*found, size):
        bench.report.keep(row)
    disk_line(bench, name, "–", most[0])


def scan(bench, rows, what):
    """Measure plain scans in memory; then a few of the probes, each run with nothing in memory."""
    heap = bench.table(rows)
    if not heap:
        return
    db, name = bench.db, scan_name(what, rows)
    cands = [c for c in bench.cands if bench.has(heap, c)]
    number = max(20, round(what.number * bench.args.share))
    few, checked = min(what.few, number), min(bench.args.checked, number)
    probes = index_cold.probes(bench, heap, rows, what.side, number)
    warm = bench.row(name + IN_MEMORY, rows, SCANS_WARM, "ms")
    cold = bench.row(name + BEYOND_MEMORY, rows, SCANS_BEYOND, "ms")
    truth = answers(bench, what, heap, "seq", probes, checked)
    for cand in cands:
        compare(bench, warm, cand, truth, answers(bench, what, heap, cand, probes, checked))
        # the first run fills the buffers
        db.run(scan_sql(what.op, cand, heap, probes))
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, cands):
            timed(bench, warm, cand, heap, what, probes, number)
    for i in range(min(bench.args.rounds, BEYOND_ROUNDS)):
        for cand in bench.turns(i, cands):
            bench.beyond()
            # the windows themselves
            bench.db.run("SELECT count(*) FROM %s" % bench.heaps.table(probes))
            timed(bench, cold, cand, heap, what, probes, few, few)
    for row, probed in ((warm, number), (cold, few)):
        row.detail = "%d probes" % probed
        same_answers(bench, row)
        bench.report.keep(row)


def timed(bench, row, cand, heap, what, probes, number, first=0):
    sql = scan_sql(what.op, cand, heap, probes, first)
    bench.choose(heap, cand, what.plan, sql)
    ms, answer = bench.timed("query", sql)
    row.add(cand, ms / number, answer)


def same_answers(bench, row):
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))


def join(bench, rows):
    """Measure the node in memory and beyond it, and for small tables a nested loop over GiST."""
    one, two = bench.table(rows), bench.table(rows, 2)
    if not one:
        return
    name = join_name(rows)
    warm = bench.row(name + IN_MEMORY, rows, JOINS, "ms", ("node",), ("loop_gist",))
    cold = bench.row(name + BEYOND_MEMORY, rows, JOINS, "ms", ("node",), ())
    loop = rows <= LOOP_MOST and "gist" in bench.cands and bench.has(one, "gist")
    if not loop and not bench.args.keep:
        for cand in bench.cands:    # no longer needed, and large
            bench.drop_index(one, cand)
    plans, plan = planned(bench, "node", one, two)
    with bench.disk() as most:
        top = bench.db.explain("EXECUTE " + plan.statement, "ANALYZE, TIMING off, COSTS off")
    (batches,) = [n["Batches"] for n in nodes(top) if "Batches" in n]
    for _ in range(bench.rounds(rows)):
        warm.add("node", *plans.time(plan))
    if loop:
        plans, plan = planned(bench, "loop_gist", one, two)
        for i in range(bench.rounds(rows)):
            if i == 0 or warm.median("loop_gist") < LONG:
                warm.add("loop_gist", *plans.time(plan))
    for _ in range(bench.rounds(rows, JOIN_ROUNDS)):
        bench.beyond()
        plans, plan = planned(bench, "node", one, two)
        cold.add("node", *plans.time(plan))
        if cold.answers["node"] != warm.answers["node"]:
            bench.report.wrong.append("%s: answers differ" % name)
    for row in (warm, cold):
        row.detail = row.answers["node"] + " pairs"
        same_answers(bench, row)
        bench.report.keep(row)
    disk_line(bench, name, str(batches), most[0])


def planned(bench, cand, one, two):
    """Prepare the join by this candidate.  Return the plans of the session, and its plan."""
    bench.db.run("LOAD 'spqtree'")
    plans = Plans(bench.db, bench.schema, {"max_parallel_workers_per_gather": "0", "work_mem": MEMORY})
    sql = "SELECT count(*) FROM %s a JOIN %s b ON a.b && b.b" % (one, two)
    if cand == "node":
        plans.show([one, two], [])
        plan = plans.plan(sql, {"enable_nestloop": "off"})
    else:
        plans.show([one, two], [one + "_gist"])
        plan = plans.plan(sql, {**WITHOUT_NODE, "enable_material": "off", "enable_bitmapscan": "off"})
    if not (plan.is_node if cand == "node" else plan.name.startswith("NL(b, a.gist")):
        raise Failure("the plan is no %s: %s" % (TITLES[cand], plan.name))
    plans.set({})
    return plans, plan
