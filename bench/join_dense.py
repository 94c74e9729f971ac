"""Semi and anti joins whose rows have many matches, of which the first is enough.

A nested loop also stops at the first match, and needs no memory.
"""
from join_kinds import ANTI, GIST, OVERLAP, SEMI, best, compare, node_plan, opponents
from plans import NESTED_LOOPS
from report import short

WORK_MEM = ("256MB", "1MB", "64kB")


class Dense:
    """One row of the table for each work_mem."""
    section = "Semi and anti joins of dense boxes"
    workers = False

    def __init__(self, what, form, left, right, indexed):
        self.what, self.form, self.left, self.right = what, form, left, right
        self.indexed = indexed      # by GiST; without it nested loops read tables from the start

    def __call__(self, bench):
        bench.attempt(lambda b, _: run(b, self), self.what)


def joins(args):
    few, many = max(args.rows // 100, 1), args.rows
    found = [Dense("same %s in %s, semi join" % (short(few), short(many)), SEMI,
                   ("same1", few), ("same2", many), False),
             Dense("same %s in %s, anti join" % (short(many), short(few)), ANTI,
                   ("same2", many), ("same1", few), False)]
    for kind, form in (("semi", SEMI), ("anti", ANTI)):
        found.append(Dense("buildings near roads, %s join" % kind, form, "around buildings",
                           "roads", True))
    return found


def run(bench, join):
    left, right = [bench.loaded(*t) if isinstance(t, tuple) else bench.table(t)
                   for t in (join.left, join.right)]
    sql = join.form % (left, right, OVERLAP)
    shown = [bench.index(t, "b", k) for t in (left, right) for k in GIST if join.indexed]
    for memory in WORK_MEM:
        bench.plans.base = {"max_parallel_workers_per_gather": "0", "work_mem": memory}
        node = node_plan(bench, sql, {left, right}, shown)
        chosen = bench.plans.plan(sql, {})
        if join.indexed:
            loops = opponents(bench, sql, (left, shown[:1]), (right, shown[1:]))
            bench.plans.show({left, right}, shown)
        else:
            loops = bench.plans.collect(sql, NESTED_LOOPS, {}).values()
        bench.plans.set({})
        compare(bench, join, "%s, work_mem %s" % (join.what, memory),
                {"node": node, "loop": best(bench, loops)}, chosen)
        bench.db.run("DEALLOCATE ALL")
    bench.plans.base = {}
    bench.plans.set({})
