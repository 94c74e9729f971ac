"""Joins of geometries as users write them, with the node and without.

Ours is the planner's choice with the library loaded and GiST indexes on both sides.
The rival is the fastest of the plans without the node, which are found by showing the
indexes of one side, of the other, or of both.  A hash of all pairs of ids is part of
the answer, so that answers can be compared.
"""
from common import say
from join_kinds import PARALLEL_SETTINGS, WORKERS
from plans import WITHOUT_NODE, Plan, describe

JOIN = ("SELECT count(*) || ' pairs, ' || coalesce(sum(hashint8extended(a.id, b.id)), 0)"
        " FROM %s a JOIN %s b ON %s")
NEVER = "Never slower"
# The ratio that the grid allows.
SLOWER = 1.1
WITHOUT = [WITHOUT_NODE, {**WITHOUT_NODE, "enable_bitmapscan": "off"},
           {**WITHOUT_NODE, "enable_seqscan": "off", "enable_bitmapscan": "off"}]
INTERSECTS = "ST_Intersects(a.geom, b.geom)"


class Join:
    def __init__(self, what, left, right, condition=INTERSECTS, goal=None, workers=False, section=NEVER):
        self.what, self.left, self.right, self.condition = what, left, right, condition
        self.goal, self.workers, self.section = goal, workers, section

    def __call__(self, bench):
        bench.attempt(run, self)

    def __str__(self):
        return "postgis: " + self.what


def predicate(name, left, right, goal=None, more="", **others):
    pair = "%s%s" % (left, "" if left == right else " x " + right)
    return Join("%s, %s" % (pair, name), left, right,
                ("a.geom && b.geom" if name == "&&" else "%s(a.geom, b.geom)" % name) + more, goal,
                section="Joins", **others)


OTHER = " AND a.id < b.id"
JOINS = [
    predicate("ST_Intersects", "lines", "polygons", 8, workers=True),
    predicate("ST_Intersects", "points", "polygons", 15, workers=True),
    Join("points x lines, ST_DWithin 20 m", "points", "lines", "ST_DWithin(a.geom, b.geom, 20)", 6,
         section="Joins"),
    # PostGIS takes minutes for all lines with all lines
    Join("20k lines x lines, ST_Crosses", "20000 lines", "lines", "ST_Crosses(a.geom, b.geom)" + OTHER, 10,
         section="Joins"),
    predicate("ST_Touches", "polygons", "polygons", more=OTHER),
    predicate("ST_Contains", "polygons", "lines"),
    predicate("ST_Overlaps", "polygons", "polygons", more=OTHER),
    predicate("ST_Equals", "polygons", "polygons", more=OTHER),
    predicate("&&", "lines", "polygons"),
]
GRID = [
    Join("points in polygons, ST_Contains", "polygons", "points", "ST_Contains(a.geom, b.geom)"),
    Join("points in 300 polygons of 1,000 vertices", "large", "points", "ST_Contains(a.geom, b.geom)"),
    Join("lines x 300 polygons of 1,000 vertices", "lines", "large"),
    Join("buildings x parcels", "buildings", "parcels"),
    Join("polygons with polygons", "polygons", "polygons", INTERSECTS + OTHER),
    Join("lines with lines", "lines", "lines", INTERSECTS + OTHER),
    Join("points x polygons within 5 m", "points", "polygons", "ST_DWithin(a.geom, b.geom, 5)"),
    Join("points x lines within 5 m", "points", "lines", "ST_DWithin(a.geom, b.geom, 5)"),
    Join("5k points x points within 500 m", "5000 points", "points", "ST_DWithin(a.geom, b.geom, 500)"),
] + [Join("%d %s x %s" % (number, few, many), "%d %s" % (number, few), many)
     for number in (10, 100) for few, many in (
         ("points", "polygons"), ("lines", "polygons"), ("polygons", "lines"), ("polygons", "points"))]


def measurements():
    return [(join.what, join) for join in JOINS + GRID]


def without(bench, sql, indexes):
    """Return the plans without the node that use an index, of either side or both."""
    found = {}
    for shown in dict.fromkeys([tuple(dict.fromkeys(indexes)), *[(i,) for i in indexes]]):
        bench.plans.show({i[:-len("_gist")] for i in indexes}, shown)
        bench.plans.collect(sql, WITHOUT, found)
    cheapest = min(found.values(), key=lambda p: p.cost)
    bench.plans.forget([p for p in found.values() if not p.by_index and p is not cheapest])
    return sorted((p for p in found.values() if p.by_index or p is cheapest), key=lambda p: p.cost)


def trial(bench, plans):
    """Return the fastest plan and its time.  A plan a little slower than the best so far is stopped."""
    best = least = None
    for plan in plans:
        ms, answer = bench.plans.time(plan, 1, 1.05 * least if least else 0)
        if ms is not None and (least is None or ms < least):
            best, least, found = plan, ms, answer
    say("  opponent of %d: %s" % (len(plans), best.name))
    return best, least, found


def run(bench, join):
    left, right = [bench.tables.geometry(t) for t in (join.left, join.right)]
    indexes = [bench.index(t, "gist") for t in dict.fromkeys((left, right))]
    sql = JOIN % (left, right, join.condition)
    bench.plans.base = {}
    row = bench.row(join.what, join.section)
    plans = without(bench, sql, indexes)
    bench.plans.show({left, right}, indexes)
    ours = bench.plans.plan(sql, {})
    best, first, answer = trial(bench, plans)
    bench.plans.time(ours)
    rounds(bench, row, {"ours": ours, "postgis": best}, first, answer)
    bench.goal(row, join.goal or 1 / SLOWER)
    found = int(answer.split()[0])
    bench.line("Plans and estimates", ["row", "with spqtree", "best without", "the same plan", "pairs",
                                       "estimated with spqtree", "by PostGIS"],
               [row.name, ours.name, best.name, "yes" if ours.name == best.name else "no", format(found, ","),
                *[guess(p.rows, found) for p in (ours, alone(bench, sql))]])
    if join.workers:
        parallel(bench, join, sql, ours)
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})


def guess(rows, found):
    return "%s (%.3g times)" % (format(round(rows), ","), rows / max(found, 1))


def alone(bench, sql):
    """Return the plan in a session that has not loaded the library."""
    db = bench.session(load=False)
    top = db.explain(sql, "COSTS on")
    db.close()
    return Plan(describe(top), "", top)


def rounds(bench, row, plans, first=None, answer=None):
    """Run rounds in turns.  The trial of a slow rival is its first round, of a very slow one the only one."""
    slow = bench.args.slow
    if first and first > 3 * slow:
        row.add("postgis", first, answer)
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, list(plans)):
            if cand != "postgis" or not first or first <= 5 * slow:
                row.add(cand, *bench.plans.time(plans[cand]))
        slowest = max(map(max, row.values.values()))
        if slowest > slow and i >= 2 or slowest > 2 * slow and i >= 1:
            break
    for plan in plans.values():
        bench.plans.check(plan)
    bench.wrong(row, row.answers)
    row.detail = next(iter(row.answers.values())).split(",")[0]
    bench.report.keep(row)


def parallel(bench, join, sql, ours):
    """Compare the same plan with two workers and with one process."""
    what = "%s, %d workers, beside one process" % (join.what, WORKERS)
    for switches in PARALLEL_SETTINGS:
        plan = bench.plans.plan(sql, switches)
        if plan.is_node and plan.workers == WORKERS:
            break
        bench.plans.forget([plan])
    else:
        bench.report.note("postgis", "%s left out: the planner takes %s" % (what, plan.name))
        return
    row = bench.row(what, "Joins", ours=("workers",), rivals=("ours",))
    bench.plans.set(switches)       # for the execution, too
    bench.plans.time(plan)
    rounds(bench, row, {"workers": plan, "ours": ours})
    bench.goal(row, 1.7)
