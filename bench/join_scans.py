"""The plan node beside sequential scans of its two tables: it cannot be faster than these."""
from common import median
from join_kinds import OVERLAP, node_plan
from report import short

SECTION = "The plan node beside scans of its tables"
# Tables, and how many times as long as the scans the join may take.
BESIDE = {"U": ("u1", "u2", 1.9), "S": ("s1", "s2", 2.6), "roads x buildings": ("roads", "buildings", 1.9)}
# What a join returns of its pairs.
RESULTS = {"counted": "count(*)", "an id of each side": "count(a.id) + count(b.id)"}
ROUNDS = 3                          # at least


def names():
    return ["beside scans, " + what for what in BESIDE]


def beside(bench, what):
    left, right, bar = BESIDE[what]
    tables = [bench.table(left), bench.table(right)]
    plans = {name: node_plan(bench, "SELECT %s FROM %s a JOIN %s b ON %s" % (result, *tables, OVERLAP),
                             set(tables), [])
             for name, result in RESULTS.items()}
    times = {name: [] for name in (*plans, "scans")}
    for i in range(max(bench.args.rounds, ROUNDS)):
        for name in bench.turns(i, list(times)):
            if name == "scans":
                ms = sum(bench.timed("query", "SELECT count(b) FROM " + t)[0] for t in tables)
            else:
                ms, _ = bench.plans.time(plans[name])
            times[name].append(ms)
    title = what if " " in what else "%s %s x %s" % (what, *[short(bench.args.rows)] * 2)
    for name, plan in plans.items():
        bench.plans.check(plan)
        ratios = sorted(a / b for a, b in zip(times[name], times["scans"]))
        bench.line(SECTION, ["row", "both scans", "the join", "times the scans (min–max)"],
                   ["%s, %s" % (title, name), "%.3g ms" % median(times["scans"]), "%.3g ms" % median(times[name]),
                    "%.2f (%.2f–%.2f)" % (median(ratios), ratios[0], ratios[-1])])
        bench.bar("join: %s beside scans of its tables, %s" % (title, name), "%.2f times" % median(ratios),
                  "at most %.3g times" % bar, median(ratios) <= bar)
    bench.plans.forget(plans.values())
    bench.plans.set({})
