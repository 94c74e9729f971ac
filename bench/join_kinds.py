"""Joins in plain statements: the planner's node and spqtree_join(), compared with the best other plan.

The statement is planned without the node under many settings, for each choice of the
built-in indexes that the planner may see; all distinct plans are tried, and the fastest
is the rival.  The best of the plans over spqtree's own index is measured, too, but is
not a rival.
"""
from common import Failure, say
from plans import NESTED_LOOPS, NODE
from report import short

# Forms of a join of a and b.  The second counts matched and unmatched rows.
INNER = "SELECT count(*) FROM %s a JOIN %s b ON %s"
LEFT = "SELECT count(*) || ' rows, ' || count(b.b) || ' matched' FROM %s a LEFT JOIN %s b ON %s"
SEMI = "SELECT count(*) FROM %s a WHERE EXISTS (SELECT FROM %s b WHERE %s)"
ANTI = "SELECT count(*) FROM %s a WHERE NOT EXISTS (SELECT FROM %s b WHERE %s)"
FORMS = {"": INNER, ", left join": LEFT, ", semi join": SEMI, ", anti join": ANTI}
OVERLAP, HOLDS = "a.b && b.b", "b.b @> a.p"
FUNCTION = ("SELECT count(*) FROM spqtree_join('SELECT id, b FROM %s',"
            " 'SELECT id, b FROM %s')")

NAMES = {"u": "U", "s": "S", "same": "same"}
# Classes of the indexes that either side has.
GIST, BOTH, POINTS = ("gist",), ("gist", "spq"), ("gist", "quad")
WORKERS = 2
# with the current costs; otherwise with costs that give workers
PARALLEL_SETTINGS = [
    {"max_parallel_workers_per_gather": str(WORKERS)},
    {"max_parallel_workers_per_gather": str(WORKERS), "min_parallel_table_scan_size": "0",
     "min_parallel_index_scan_size": "0", "parallel_setup_cost": "0",
     "parallel_tuple_cost": "0"},
]


class Join:
    """One row of a table, or two: also with workers."""

    def __init__(self, what, section, left, right, form="", condition=OVERLAP, kinds=(BOTH, BOTH),
                 workers=False):
        self.what, self.section, self.form = what + form, section, FORMS[form]
        self.left, self.right = left, right     # arguments of JoinBench.loaded(), or a name
        self.condition, self.kinds, self.workers = condition, kinds, workers

    def name(self):
        return self.what

    def __call__(self, bench):
        bench.attempt(lambda b, _: run(b, self), self.what)


def sizes(args):
    """Return all joins that are measured, for this number of rows."""
    whole, tenth, hundredth, thousandth = [max(args.rows // n, 1) for n in (1, 10, 100, 1000)]
    found = []

    def two(kind, a, b, section, what=None, square=None, **more):
        found.append(Join(
            what or "%s %s x %s" % (NAMES[kind], short(a), short(b)), section,
            (kind + "1", a, square or max(a, b)), (kind + "2", b, square or max(a, b)), **more))

    for a, b in ((thousandth, thousandth), (thousandth, whole), (hundredth, hundredth),
                 (hundredth, whole), (tenth, tenth), (tenth, whole)):
        two("u", a, b, "Sizes")
    two("u", whole, whole, "Sizes", kinds=(GIST, GIST), workers=True)
    for pairs in (0.01, 0.1, 10, 100):
        two("u", tenth, tenth, "Selectivity", "U %s x %s, %g pairs a row" % (
            short(tenth), short(tenth), pairs), tenth / pairs)
    two("s", tenth, tenth, "Skew")
    two("s", whole, whole, "Skew", kinds=(GIST, GIST))
    found.append(Join("U x S %s" % short(tenth), "Skew", ("u1", tenth, tenth),
                      ("s2", tenth, tenth)))
    two("same", max(thousandth * 2, 20), max(thousandth * 2, 20), "Skew")
    for form in list(FORMS)[1:]:
        two("u", tenth, tenth, "Left, semi and anti joins", form=form)
    for form in FORMS:
        found.append(Join("roads x buildings", "Left, semi and anti joins" if form else
                          "Real boxes", "roads", "buildings", form))
        found.append(Join("cities in parts", "Points in boxes", "cities", "parts", form, HOLDS,
                          (POINTS, ("spq",))))
        found.append(Join("U points in boxes", "Points in boxes", "points", "u2", form, HOLDS,
                          (POINTS, ("spq",))))
    found.append(Join("roads x roads", "Real boxes", "roads", "roads"))
    return found


def opponents(bench, sql, left, right, switches=({},)):
    """Return the plans by index without the node, for each choice of indexes."""
    tables = {left[0], right[0]}
    found = {}
    for a in ("", *left[1]):
        for b in ("", *right[1]):
            shown = [i for i in (a, b) if i]
            if not shown:
                continue
            bench.plans.show(tables, shown)
            bench.plans.collect(sql, [{**n, **s} for n in NESTED_LOOPS for s in switches], found)
    bench.plans.forget([p for p in found.values() if not p.by_index])
    return [p for p in found.values() if p.by_index]


def best(bench, plans):
    """Return the fastest plan.  A plan that takes a little longer than the best so far is stopped."""
    trials = {}
    for plan in sorted(plans, key=lambda p: p.cost):
        ms, _ = bench.plans.time(plan, 1, 1.05 * min(trials.values(), default=0))
        if ms is not None:
            trials[plan] = ms
    say("  opponent of %d: %s" % (len(plans), min(trials, key=trials.get).name))
    return min(trials, key=trials.get)


def node_plan(bench, sql, tables, shown, every=({},), workers=0):
    bench.plans.show(tables, shown)
    for switches in every:
        plan = bench.plans.plan(sql, {**NODE, **switches})
        if plan.is_node and plan.workers == workers:
            return plan
        bench.plans.forget([plan])
    raise Failure("not the node, or not with %d workers: %s" % (workers, plan.name))


def run(bench, join):
    left, right = [bench.loaded(*t) if isinstance(t, tuple) else bench.table(t)
                   for t in (join.left, join.right)]
    sides = [(left, [bench.index(left, "p" if join.condition == HOLDS else "b", k)
                     for k in join.kinds[0]]),
             (right, [bench.index(right, "b", k) for k in join.kinds[1]])]
    tables, shown = {left, right}, sides[0][1] + sides[1][1]
    bench.plans.base = {"max_parallel_workers_per_gather": "0"}
    sql = join.form % (left, right, join.condition)
    node = node_plan(bench, sql, tables, shown)
    chosen = bench.plans.plan(sql, {})
    found = {"node": node}
    if join.form == INNER and join.condition == OVERLAP:
        # the function runs its own queries as sequential scans
        found["function"] = bench.plans.plan(FUNCTION % (left, right), {})
    builtin, ours = [[(t, [i for i in indexes if i.endswith("_spq") == spq]) for t, indexes in sides]
                     for spq in (False, True)]
    for candidate, indexed in (("loop", builtin), ("loop_spq", ours)):
        plans = opponents(bench, sql, *indexed)
        if plans:
            found[candidate] = best(bench, plans)
    compare(bench, join, join.what, found, chosen)
    if join.workers:
        parallel = [p for p in opponents(bench, sql, *builtin, PARALLEL_SETTINGS)
                    if p.workers == WORKERS]
        if not parallel:
            raise Failure("%s: no parallel nested loop" % join.what)
        compare(bench, join, "%s, %d workers" % (join.what, WORKERS), {
            "node": node_plan(bench, sql, tables, shown, PARALLEL_SETTINGS, WORKERS),
            "loop": best(bench, parallel)})
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})


def compare(bench, join, what, plans, chosen=None):
    row = bench.row(what, join.section, ("node", "function"), ("loop",))
    for candidate in ("node", "function"):      # the others are warm already
        if candidate in plans:
            bench.plans.time(plans[candidate])
    for i in range(bench.args.rounds):
        for candidate in bench.turns(i, list(plans)):
            ms, answer = bench.plans.time(plans[candidate])
            row.add(candidate, ms, answer)
        slowest = max(map(max, row.values.values()))
        if slowest > bench.args.slow and i >= 2 or slowest > 3 * bench.args.slow and i >= 1:
            break
    for candidate, plan in plans.items():
        if candidate != "function":
            bench.plans.check(plan)
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, ", ".join(
            "%s: %s" % (plans[c].name, a) for c, a in row.answers.items())))
    row.detail = row.answers["node"] + ("" if "matched" in row.answers["node"] else " rows")
    bench.report.keep(row)
    bench.line("Plans", ["row", "best without spqtree", "over spqtree's index", "the node's",
                         "the planner takes the node"],
               [row.name, *[plans[c].name if c in plans else "–"
                            for c in ("loop", "loop_spq", "node")],
                "–" if not chosen else "yes" if chosen.is_node else "no"])
