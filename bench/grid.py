"""Does the planner choose well?  Its choice against every other plan, over a grid of sizes.

    rows of the smaller side  x  of the larger  x  density  x  indexes  x  LIMIT 10 or none

"dense": in a square so small that each row of the larger side meets one row of
the smaller; "sparse": so large that each row of the smaller side meets one row
of the larger.  For each cell, the default plan and the plans that settings and
hidden indexes lead to are timed; a plan is stopped when it takes 1.5 times as
long as the best so far.  Then the choice and the best two other plans take
turns.
"""
import csv
import math
import os

import join_planning
from common import say
from join_base import SCHEMA, JoinBench
from plans import NESTED_LOOPS, NODE, Plans
from report import short

SIZES = (1, 10, 1000, 100000, 1000000)
S_SIZES = ((1000, 100000), (1000, 1000000), (100000, 100000), (100000, 1000000),
           (1000000, 1000000))
CLASSES = {"gist": "gist (b box_ops)", "spq": "spgist (b spqtree_box_ops)",
           "rtree": "spqtree (b)"}
LIMIT = 10
BAR = 1.5
MAX_PAIRS = 1e9                    # a nested loop without index is not tried beyond this
HOPELESS = 20                       # times the best plan: the choice is stopped
FIRST_LIMIT = 60000                 # ms
ENOUGH = 20                         # ms, of executions within one measurement
MAX_TIMES = 200

COUNT = "SELECT count(*) FROM %s a JOIN %s b ON a.b && b.b"
FIRST = ("SELECT count(i + j) FROM (SELECT a.id AS i, b.id AS j FROM %%s a JOIN %%s b"
         " ON a.b && b.b LIMIT %d) r" % LIMIT)


class Combination:
    """A combination of two tables."""

    def __init__(self, kind, small, large, density):
        self.kind, self.small, self.large, self.density = kind, small, large, density
        self.square = small if density == "dense" else large
        self.name = "choice: %s %s x %s %s" % (kind.upper(), short(small), short(large), density)

    def indexes(self):
        """Yield the sides that have an index, and its class."""
        yield "", ()
        for how in CLASSES:
            yield "larger %s" % how, ((1, how),)
            if self.small < self.large:
                yield "smaller %s" % how, ((0, how),)
            yield "both %s" % how, ((0, how), (1, how))


def combinations(args):
    found = []
    for i, small in enumerate(SIZES):
        for large in SIZES[i:]:
            for density in ("sparse", "dense")[:1 if small == large else 2]:
                found.append(Combination("u", small, large, density))
    found += [Combination("s", *sizes, "sparse") for sizes in S_SIZES]
    return [c for c in found if c.large <= args.rows]


class Cell:
    """The results of one combination, choice of indexes, and limit."""

    def __init__(self, combination, index, limit, chosen, plans):
        self.combination, self.index, self.limit = combination, index, limit
        self.chosen = chosen
        self.plans = plans          # the plans timed in full, and the choice
        self.answer = None

    @property
    def best(self):
        return min(self.plans, key=lambda p: p.median())

    @property
    def node(self):
        return min((p for p in self.plans if p.is_node), key=lambda p: p.median(), default=None)

    @property
    def ratio(self):
        return self.chosen.median() / self.best.median()


def milliseconds(plan):
    ms = plan.median()
    return "slower" if ms == math.inf else "%.3f ms" % ms if ms < 10 else "%.0f ms" % ms


def factor(ratio):
    return "over %d" % HOPELESS if ratio == math.inf else "%.2f" % ratio


class Grid:
    def __init__(self, bench):
        self.bench, self.schema = bench, SCHEMA
        self.cells = []
        # PostgreSQL's defaults where the server of the benchmarks has other settings
        self.plans = Plans(bench.db, self.schema, {
            "work_mem": "4MB", "max_parallel_workers_per_gather": bench.args.workers})

    def run(self, combo):
        self.combination(combo)
        self.plans.set({})

    def combination(self, combo):
        tables = [self.bench.loaded("%s%d" % (combo.kind, side + 1), rows, combo.square)
                  for side, rows in enumerate((combo.small, combo.large))]
        for table in tables:
            for how, definition in CLASSES.items():
                self.bench.db.run("CREATE INDEX IF NOT EXISTS %s_%s ON %s USING %s"
                                  % (table, how, table, definition))
        for index, made in combo.indexes():
            shown = ["%s_%s" % (tables[side], how) for side, how in made]
            for limit in (None, LIMIT):
                self.cell(combo, tables, index, shown, limit)

    def candidates(self, sql, combo, tables, shown, limit):
        """Return the planner's choice, and all other plans."""
        found = {}
        one = [{"max_parallel_workers_per_gather": "0"}]
        self.plans.show(tables, shown)
        (chosen,) = self.plans.collect(sql, [{}], found).values()
        self.plans.collect(sql, [NODE, *NESTED_LOOPS], found)
        if any(p.workers for p in found.values()):
            self.plans.collect(sql, [{**s, **one[0]} for s in (NODE, *NESTED_LOOPS)], found)
        if len(shown) == 2:         # the planner chooses one side as the outer one: force the other
            for only in shown:
                self.plans.show(tables, [only])
                self.plans.collect(sql, NESTED_LOOPS, found)
        if shown:
            self.plans.show(tables, [])
            self.plans.collect(sql, NESTED_LOOPS[:2], found)
        left_out = [p for p in found.values()
                    if p is not chosen and not p.is_node and not p.by_index and not limit
                    and combo.small * combo.large > MAX_PAIRS]
        self.plans.forget(left_out)
        others = sorted((p for p in found.values() if p is not chosen and p not in left_out),
                        key=lambda p: (not p.is_node, p.cost))
        return chosen, others

    def measure(self, plan, limit):
        """Measure one execution, or the mean of many short ones."""
        ms, answer = self.plans.time(plan, 1, limit)
        if ms is not None and ms < ENOUGH:
            times = min(math.ceil(ENOUGH / ms), MAX_TIMES)
            ms, answer = self.plans.time(plan, times, limit)
        return ms, answer

    def cell(self, combo, tables, index, shown, limit):
        sql = (FIRST if limit else COUNT) % tuple(tables)
        chosen, others = self.candidates(sql, combo, tables, shown, limit)
        cell = Cell(combo, index, limit, chosen, [chosen])
        best = None
        for plan in (*others, chosen):
            allowed = (FIRST_LIMIT if best is None else HOPELESS * best if plan is chosen
                       else BAR * best)
            ms, answer = self.measure(plan, allowed)
            if ms is None:
                continue
            if cell.answer not in (None, answer):
                self.bench.report.wrong.append("%s: %s answers %s, not %s" % (
                    combo.name, plan.name, answer, cell.answer))
            cell.answer = answer
            plan.times.append(ms)
            if plan is not chosen:
                cell.plans.append(plan)
            best = min(ms, best or ms)
        rest = sorted(cell.plans, key=lambda p: p.median())
        # one round is enough unless the choice looks bad
        if (rest[0] is not chosen and chosen.times
                and (self.bench.args.rounds > 1 or cell.ratio > BAR)):
            finalists = [chosen, *[p for p in rest[:3] if p is not chosen][:2]]
            for plan in finalists:
                plan.times.clear()
            cell.plans = finalists + [p for p in cell.plans
                                      if p.is_node and p not in finalists]
            for number in range(self.bench.args.rounds):
                for plan in self.bench.turns(number, finalists):
                    plan.times.append(self.measure(plan, 0)[0])
        self.plans.show(tables, shown)
        for plan in {chosen, cell.best}:
            self.plans.check(plan)
        self.plans.forget([chosen, *others])
        self.cells.append(cell)
        if cell.ratio > BAR:
            say("    %s%s: %s times: %s %s, best: %s %s" % (
                index or "no index", ", limit" if limit else "", factor(cell.ratio),
                chosen.name, milliseconds(chosen), cell.best.name, milliseconds(cell.best)))

    # Output

    def report(self):
        self.cells.sort(key=lambda c: -c.ratio)
        head = ["sides", "index", "limit", "rows", "estimated", "chosen", "it takes", "its cost",
                "best", "it takes", "its cost", "times the best"]
        title = "Choices over the grid that are not the best, worst first"
        for cell in self.cells:
            if cell.chosen is cell.best:
                continue
            self.bench.line(title, head, [
                cell.combination.name[8:], cell.index or "–", str(cell.limit or "–"),
                cell.answer, "%.0f" % cell.chosen.rows,
                cell.chosen.name, milliseconds(cell.chosen), cell.chosen.shown_cost(),
                cell.best.name, milliseconds(cell.best), cell.best.shown_cost(),
                factor(cell.ratio)])
        worst = self.cells[0]
        bad = sum(c.ratio > BAR for c in self.cells)
        ours = sum(c.ratio > BAR and c.chosen.is_node != c.best.is_node for c in self.cells)
        right = sum(c.chosen is c.best for c in self.cells)
        self.bench.report.note(
            "choice", "%d choices: %d are the best, %d take more than %g times as long (%d: the"
            " node in place of another plan, or the other way); worst: %s (%s, index: %s%s)"
            % (len(self.cells), right, bad, BAR, ours, factor(worst.ratio),
               worst.combination.name[8:], worst.index or "none",
               ", limit" if worst.limit else ""))

    def write_csv(self, path):
        with open(path, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["data", "smaller", "larger", "density", "index", "limit", "rows",
                             "plan", "chosen", "ms", "times the best", "cost", "estimated rows"])
            for c in self.cells:
                for p in sorted(c.plans, key=lambda p: p.median()):
                    writer.writerow([c.combination.kind.upper(), c.combination.small,
                                     c.combination.large, c.combination.density, c.index,
                                     c.limit or "", c.answer, p.name,
                                     "chosen" if p is c.chosen else "",
                                     "%.4f" % p.median(), "%.3f" % (p.median() / c.best.median()),
                                     p.shown_cost(), "%.0f" % p.rows])


class ChoiceBench(JoinBench):
    """Reports all cells together, after all have been measured."""
    file = "choice"

    def __init__(self, server, report, args):
        super().__init__(server, report, args)
        self.grid = Grid(self)

    def close(self):
        if self.grid.cells:
            self.grid.report()
            if self.args.out:
                os.makedirs(self.args.out, exist_ok=True)
                self.grid.write_csv(os.path.join(self.args.out, "choice.csv"))
        super().close()


def measurements(args):
    return [("choice: estimates", join_planning.estimates)] + [
        (c.name, lambda b, c=c: b.grid.run(c)) for c in combinations(args)]
