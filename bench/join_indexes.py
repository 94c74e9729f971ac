"""Joins that read indexes, beside scans of the tables and the best plans without them."""
from common import Failure, median
from join_base import peak
from join_kinds import OVERLAP
from plans import INDEXES, INDEX_FIRST, NODE, WITHOUT_NODE
from report import short

SECTION = "Joins that read indexes"
HEAD = ["row", "both scans", "best other plan", "the join", "times the scans", "times as fast as the other"]
# Tables; how many times as long as the scans the join may take, counted and with ids.
BESIDE = {"U": ("u1", "u2", 0.5, 0.5), "S": ("s1", "s2", 0.5, 0.5), "roads x buildings": ("roads", "buildings", 0.6, 0.8)}
RESULTS = {"counted": "count(*)", "an id of each side": "count(a.id) + count(b.id)"}
FASTER = 5                          # times today's node
THIN = 0.0316                       # sides of boxes of which one in a thousand meets another
BATCHES = {1000: 3, 10000: 3, 100000: 3}    # rows, and how many times as fast as the best other plan
ROUNDS = 3                          # at least
PEAK = 10                           # MB


def names():
    return (["indexes, " + what for what in BESIDE] + ["indexes, one row in a thousand", "indexes, two processes", "indexes, memory"] +
            ["indexes, %s rows" % short(n) for n in BATCHES])


def measure(bench, name):
    what = name[len("indexes, "):]
    if what in BESIDE:
        beside(bench, what)
    elif what == "one row in a thousand":
        thousandth(bench)
    elif what == "two processes":
        processes(bench)
    elif what == "memory":
        memory(bench)
    else:
        batch(bench, next(n for n in BATCHES if "%s rows" % short(n) == what))


def ready(bench, tables, kind):
    shown = [bench.index(t, "b", kind) for t in tables]
    for table in tables:
        bench.db.run("VACUUM ANALYZE %s" % table)
    bench.plans.base = {"max_parallel_workers_per_gather": "0"}
    bench.plans.show(set(tables), shown)


def index_plan(bench, sql, more=()):
    plan = bench.plans.plan(sql, {**INDEXES, **dict(more)})
    if "IXJ(" not in plan.name:
        raise Failure("not the join of indexes: " + plan.name)
    return plan


def compare(bench, title, tables, ours, others, bars):
    """Time a plan, the best of others, and the scans of the tables in turns.  Return the first two."""
    times = {name: [] for name in ("ours", *[p.name for p in others], "scans")}
    answers = set()
    for i in range(max(bench.args.rounds, ROUNDS)):
        for name in bench.turns(i, list(times)):
            if name == "scans":
                ms = sum(bench.timed("query", "SELECT count(b) FROM " + t)[0] for t in tables)
            else:
                ms, answer = bench.plans.time(ours if name == "ours" else next(p for p in others if p.name == name))
                answers.add(answer)
            times[name].append(ms)
    if len(answers) != 1:
        raise Failure("%s: different answers: %s" % (title, sorted(answers)))
    best = min((median(times[p.name]) for p in others))
    mine, scans = median(times["ours"]), median(times["scans"])
    bench.line(SECTION, HEAD, [title, "%.3g ms" % scans, "%.3g ms" % best, "%.3g ms" % mine, "%.2f" % (mine / scans),
                               "%.2f" % (best / mine)])
    of_scans, faster = bars
    if of_scans:
        bench.bar("join: %s, by indexes beside scans of the tables" % title, "%.2f times" % (mine / scans),
                  "at most %.3g times" % of_scans, mine / scans <= of_scans)
    if faster:
        bench.bar("join: %s, by indexes beside the best other plan" % title, "%.2f times as fast" % (best / mine),
                  "%g times" % faster, best / mine >= faster)
    bench.plans.forget([ours, *others])
    bench.plans.set({})
    return mine, best


def beside(bench, what):
    left, right, *bars = BESIDE[what]
    tables = [bench.table(left), bench.table(right)]
    title = what if " " in what else "%s %s x %s" % (what, *[short(bench.args.rows)] * 2)
    ready(bench, tables, "rtree_id")
    for (name, result), bar in zip(RESULTS.items(), bars):
        sql = "SELECT %s FROM %s a JOIN %s b ON %s" % (result, *tables, OVERLAP)
        compare(bench, "%s, %s" % (title, name), tables, index_plan(bench, sql), [bench.plans.plan(sql, NODE)], (bar, FASTER))
    thin_out(bench, title, tables)


def thin_out(bench, title, tables):
    """A thousandth of the pages of each table is not all-visible."""
    for table in tables:
        bench.db.run("UPDATE %s SET id = id WHERE ctid IN (SELECT format('(%%s,1)', page)::tid FROM generate_series(0,"
                     " pg_relation_size('%s') / 8192 - 1, 1000) page)" % (table, table))
    sql = "SELECT count(*) FROM %s a JOIN %s b ON %s" % (*tables, OVERLAP)
    compare(bench, "%s, counted, 0.1 %% of the pages not all-visible" % title, tables, index_plan(bench, sql),
            [bench.plans.plan(sql, NODE)], (None, None))
    for table in tables:
        bench.db.run("VACUUM %s" % table)


def thousandth(bench):
    tables = [bench.made("thin_%s" % t, "SELECT id, box(c - h, c + h) AS b FROM (SELECT id, center(b) AS c,"
                         " (b[0] - b[1]) * point(%g, 0) AS h FROM %s) s" % (THIN / 2, bench.table(t))) for t in ("u1", "u2")]
    ready(bench, tables, "rtree")
    sql = "SELECT count(*), sum(a.id), sum(b.id) FROM %s a JOIN %s b ON %s" % (*tables, OVERLAP)
    sql = "SELECT count || ' ' || a || ' ' || b FROM (%s) s (count, a, b)" % sql
    compare(bench, "one row in a thousand of both tables, ids not in the indexes", tables, index_plan(bench, sql),
            [bench.plans.plan(sql, NODE)], (None, FASTER))


def processes(bench):
    tables = [bench.table("u1"), bench.table("u2")]
    ready(bench, tables, "rtree_id")
    sql = "SELECT count(*) FROM %s a JOIN %s b ON %s" % (*tables, OVERLAP)
    two = index_plan(bench, sql, {"max_parallel_workers_per_gather": "1", "parallel_setup_cost": "0", "parallel_tuple_cost": "0",
                                  "min_parallel_index_scan_size": "0"}.items())
    if two.workers != 1:
        raise Failure("not two processes: " + two.name)
    ours, one = compare(bench, "U, counted, two processes (other plan: the same join, one)", tables, two, [index_plan(bench, sql)],
                        (None, 1.85))


def memory(bench):
    tables = [bench.table("u1"), bench.table("u2")]
    ready(bench, tables, "rtree_id")
    sql = "SELECT count(*) FROM %s a JOIN %s b ON %s" % (*tables, OVERLAP)
    found = {}
    for name, switches in (("indexes", INDEXES), ("hash join", NODE)):
        off = "; ".join("SET %s = %s" % item for item in switches.items())
        found[name] = peak(bench, "64MB", sql, off)[2]
    bench.line(SECTION + ": memory", ["row", "indexes", "spatial hash join"],
               ["U %s x %s, counted" % (*[short(bench.args.rows)] * 2,), "%.1f MB" % found["indexes"], "%.1f MB" % found["hash join"]])
    bench.bar("join: U, peak memory by indexes", "%.1f MB" % found["indexes"], "at most %d MB" % PEAK, found["indexes"] <= PEAK)


def batch(bench, rows):
    big = bench.table("u2")
    rows = min(rows, bench.args.rows)
    small = bench.made("batch_%d" % rows, "SELECT id, b FROM %s ORDER BY id::bigint * 7919 %% 1000003, id LIMIT %d" % (bench.table("u1"), rows))
    ready(bench, [big], "rtree_id")
    bench.db.run("ANALYZE %s" % small)
    sql = "SELECT count(*) + sum(b.id) FROM %s a JOIN %s b ON %s" % (small, big, OVERLAP)
    others = {}
    for switches in (NODE, WITHOUT_NODE, {**WITHOUT_NODE, **INDEX_FIRST}):
        plan = bench.plans.plan(sql, switches)
        if plan.name in others:
            bench.plans.forget([plan])
        else:
            others[plan.name] = plan
    compare(bench, "%s rows with the index of %s" % (short(rows), short(bench.args.rows)), [big], index_plan(bench, sql),
            list(others.values()), (None, BATCHES.get(rows)))
