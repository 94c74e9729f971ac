"""Joins of ranges, and of times with intervals in two columns: the node, compared with PostgreSQL's plans.

Each plan is forced, and its name is checked.  A hash of all pairs of ids is part of the answer, so
that answers can be compared.  The estimates are those of the planner's choice with the library, and
of a session that has not loaded it.
"""
from common import Failure
from plans import NODE, ONLY_PLAIN_INDEX, WITHOUT_NODE
from postgis_join import JOIN, alone, guess
from report import short

RANGES, KEYED, POINTS = "Joins of ranges", "Equality and ranges", "Points in intervals of two columns"
OVERLAP = "a.during && b.during"
NO_OTHER = {"enable_hashjoin": "off", "enable_mergejoin": "off"}
LOOP = {**WITHOUT_NODE, **NO_OTHER, "enable_bitmapscan": "off", "enable_material": "off"}
HASH = {**WITHOUT_NODE, "enable_nestloop": "off", "enable_mergejoin": "off"}
# A rival that is slower than this many times bench.args.slow runs once.
ONCE = 5

# Equality of hours, with a row for each hour that an interval touches.
HOURS = ("SELECT count(*) || ' pairs, ' || coalesce(sum(hashint8extended(a.id, b.id)), 0) FROM {a} a JOIN"
         " (SELECT *, generate_series(date_trunc('hour', start), stop, '1 hour') AS hour FROM {b}) b"
         " ON date_trunc('hour', a.at) = b.hour AND a.at BETWEEN b.start AND b.stop")
# Right only where the ranges of a product do not overlap, so it is not a rival.
LATERAL = ("SELECT count(*) || ' pairs, ' || coalesce(sum(hashint8extended(a.id, b.id)), 0) FROM {a} a, LATERAL"
           " (SELECT * FROM {b} b WHERE b.product = a.product AND lower(b.valid) <= a.at"
           " ORDER BY lower(b.valid) DESC LIMIT 1) b WHERE b.valid @> a.at")


class Other:
    """A plan of PostgreSQL: settings, the beginning of its name, its index, and its statement if that differs."""

    def __init__(self, settings, name, index=(), sql=None, rival=True):
        self.settings, self.name, self.index, self.sql, self.rival = settings, name, index, sql, rival


def loop(table, kind):
    return Other(LOOP, "NL(", (table, kind))


class Join:
    def __init__(self, what, section, left, right, condition, others, goal=None):
        self.what, self.section, self.condition, self.goal = what, section, condition, goal
        self.left, self.right, self.others = left, right, others

    def __call__(self, bench):
        run(bench, self)


def joins(args):
    """Return all joins, with the number of rows of this run in their names."""
    rows, tenth, fifth = [short(max(args.rows // n, 1)) for n in (1, 10, 5)]

    def by_indexes(what, left, right, condition, goal=None):
        return Join(what, RANGES, left, right, condition, {
            "loop_gist": loop(right, "gist"), "loop_spgist": loop(right, "spgist")}, goal)

    return [
        by_indexes("%s x %s of varied lengths, &&" % (rows, rows), "varied1", "varied2", OVERLAP, 10),
        by_indexes("%s x %s short ones, &&" % (rows, rows), "short1", "short2", OVERLAP, 10),
        by_indexes("%s in %s, <@" % (tenth, tenth), "varied_few1", "varied_few2", "a.during <@ b.during"),
        Join("double bookings of %s" % tenth, KEYED, "bookings", "bookings",
             "a.room = b.room AND %s AND a.id < b.id" % OVERLAP,
             {"loop_gist": loop("bookings", "gist"), "hash": Other(HASH, "Hash Join(")}, 20),
        Join("%s sales and %s prices at their time" % (fifth, tenth), KEYED, "sales", "prices",
             "b.product = a.product AND b.valid @> a.at",
             {"loop_gist": loop("prices", "gist"), "hash": Other(HASH, "Hash Join("),
              "lateral": Other(WITHOUT_NODE, "NL(", ("prices", "btree"), LATERAL, rival=False)}),
        Join("%s moments BETWEEN the ends of %s spans" % (rows, tenth), POINTS, "moments", "spans",
             "a.at BETWEEN b.start AND b.stop",
             {"loop_btree": Other(LOOP, "NL(", ("moments", "btree")),
              "hours": Other(HASH, "Hash Join(", sql=HOURS)}, 10),
    ]


def run(bench, join):
    left, right = bench.table(join.left), bench.table(join.right)
    tables, sql = {left, right}, JOIN % (left, right, join.condition)
    others = {c: o for c, o in join.others.items()
              if bench.has_btree_gist or join.section != KEYED or o.index[-1:] != ("gist",)}
    # an index of the access method loads the library, also for a session that should not have it
    bench.drop_index(right, "rtree")
    made = {c: [bench.index(*o.index)] if o.index else [] for c, o in others.items()}
    bench.plans.show(tables, [])
    plans = {"node": forced(bench, sql, {**NODE, **NO_OTHER}, "SHJ(")}
    for cand, other in others.items():
        bench.plans.show(tables, made[cand])
        text = other.sql.format(a=left, b=right) if other.sql else sql
        plans[cand] = forced(bench, text, other.settings, other.name, bool(other.index))
    bench.plans.show(tables, sorted(set(sum(made.values(), []))))
    chosen = bench.plans.plan(sql, {})
    bench.plans.set({})             # for the execution, too
    row = bench.row(join.what, join.section, "ms", ("node",), [c for c, o in others.items() if o.rival])
    rounds(bench, row, plans)
    for plan in plans.values():
        bench.plans.check(plan)
    bench.wrong(row)
    answer = next(iter(row.answers.values()))
    pairs = int(answer.split()[0])
    row.detail = "%s pairs" % format(pairs, ",")
    bench.report.keep(row)
    if join.goal:
        bench.goal(row, join.goal)
    bench.line("Plans and estimates", ["row", "the node's plan", "the planner takes the node", "the others", "pairs",
                                       "estimated with spqtree", "by PostgreSQL"],
               [row.name, plans["node"].name, "yes" if chosen.is_node else "no: " + chosen.name,
                "; ".join(plans[c].name for c in others), format(pairs, ","),
                *[guess(p.rows, pairs) for p in (plans["node"], alone(bench, sql))]])
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})


def forced(bench, sql, settings, name, by_index=False):
    plan = bench.plans.plan(sql, settings)
    if not plan.name.startswith(name) or by_index and not plan.by_index:
        raise Failure("the plan is not %s...: %s\n%s" % (name, plan.name, sql))
    return plan


def rounds(bench, row, plans):
    """Run rounds in turns.  The first run of each warms up; that of a slow rival counts, too."""
    slow, turns = bench.args.slow, []
    for cand, plan in plans.items():
        ms, answer = bench.plans.time(plan)
        if ms > slow and cand != "node":
            row.add(cand, ms, answer)
        if ms <= ONCE * slow or cand == "node":
            turns.append(cand)
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, turns):
            row.add(cand, *bench.plans.time(plans[cand]))
        slowest = max(row.values[cand][-1] for cand in turns)
        if slowest > slow and i >= 2 or slowest > 3 * slow:
            break
