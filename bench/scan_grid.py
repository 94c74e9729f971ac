"""Does the planner choose well among scans of a table with an index of the access method?

    table  x  condition  x  rows found, from 1 to half of the table  x  what is selected

A point is a statement with eight windows of up to a thousand rows, or one larger window:

    SELECT sum(v) FROM (SELECT count(*) v FROM t WHERE b && '...' UNION ALL SELECT ...) s

For each point, the planner's choice is timed next to the plans that settings force:
index-only, plain, bitmap and sequential scan; for nearest neighbors, the index or a sort.
Regret is the time of the choice over that of the fastest plan.
"""
import csv
import os
import time

from common import say
from grid import BAR, HOPELESS, factor, milliseconds
from join_base import SCHEMA, JoinBench

TABLES = ("u1", "u1 in rows", "s1", "roads", "roads in order")
ROWS = (1, 10, 100, 1000)
SHARES = (0.01, 0.03, 0.1, 0.25, 0.5)
NEAREST = (1, 10, 100, 1000, 10000, 100000)
CENTERS = 8                         # windows in one statement, if of up to ROWS[-1] rows; else one
ENOUGH = 15                         # ms, of executions within one measurement
MAX_TIMES = 500
CLOSE = 1.15                        # a choice as good as this is not measured again
AGAIN = 4                           # factor for the rounds of a choice above the bar
MINUTES = 11                        # after this time the rest is left out

OFF = lambda *names: {"enable_%s" % n: "off" for n in names}
FORCED = (OFF("indexscan", "indexonlyscan", "bitmapscan"),
          OFF("seqscan", "bitmapscan"),
          OFF("seqscan", "bitmapscan", "indexonlyscan"),
          OFF("seqscan", "indexscan", "indexonlyscan"))
# The indexes that exist; GiST alone is shown, but not judged.
INDEXES = {"rtree": "", "rtree gist": ", beside GiST", "gist": ", GiST alone"}
# What is selected: a column that the index has, or not.
FORMS = {"count": "count(*)", "sum": "sum(a.id)"}


class Point:
    def __init__(self, table, what, rows, form, sql, indexes="rtree"):
        self.table, self.what, self.rows, self.form = table, what, rows, form
        self.sql, self.indexes = sql, indexes
        self.chosen = self.plans = self.answer = None

    @property
    def name(self):
        return "%s %s %s, %s%s" % (self.table, self.what, format(self.rows, ","), self.form,
                                   INDEXES[self.indexes])

    @property
    def best(self):
        return min(self.plans, key=lambda p: p.median())

    @property
    def regret(self):
        return self.chosen.median() / self.best.median()


def box(x, y, half):
    return "'(%r,%r),(%r,%r)'::box" % (x - half, y - half, x + half, y + half)


class ScanBench(JoinBench):
    """Reports all points together."""
    file = "scans"

    def __init__(self, server, report, args):
        super().__init__(server, report, args)
        self.points = []
        self.left_out = 0
        self.began = time.time()
        self.plans.base = {"work_mem": "4MB", "max_parallel_workers_per_gather": 0}

    def ready(self, name):
        if name == "u1 in rows":    # stored in an order that neighbors share
            table = self.loaded("u1")
            return self.made("u1_in_rows", "SELECT id, b FROM %s ORDER BY"
                             " floor((center(b))[1] / 1000), (center(b))[0]" % table)
        return self.table(name)

    def windows(self, table, number):
        """Return {rows: [(x, y, half of the side)]}, around rows of the table."""
        sizes = [r for r in ROWS if r < number / 100] + [round(s * number) for s in SHARES]
        found = {n: [] for n in sizes}
        for center in range(CENTERS):
            (x, y), = self.db.run("SELECT c[0], c[1] FROM (SELECT center(b) AS c FROM %s ORDER BY"
                                  " hashint8extended(id, 9), id OFFSET %d LIMIT 1) s"
                                  % (table, 7 * center))
            x, y = float(x), float(y)
            halves = self.db.run("SELECT unnest(percentile_disc(ARRAY[%s]::float8[]) WITHIN GROUP"
                                 " (ORDER BY greatest(abs(c[0] - %r), abs(c[1] - %r)))) FROM"
                                 " (SELECT center(b) AS c FROM %s) s" % (
                                     ",".join("%r" % (n / number) for n in sizes), x, y, table))
            for n, (half,) in zip(sizes, halves):
                if center == 0 or n <= ROWS[-1]:
                    found[n].append((x, y, float(half)))
        return found

    def statements(self, name, table):
        number = int(self.db.value("SELECT count(*) FROM %s" % table))
        windows = self.windows(table, number)
        centers = [(x, y) for x, y, _ in next(iter(windows.values()))]
        points = []

        def add(what, rows, form, arms, indexes="rtree"):
            sql = "SELECT sum(v) FROM (%s) s" % " UNION ALL ".join("(%s)" % a for a in arms)
            points.append(Point(name, what, rows, form, sql, indexes))

        for form, what in FORMS.items():
            select = "SELECT %s AS v FROM %s a WHERE a.b %%s %%s" % (what, table)
            for rows, at in windows.items():
                for indexes in INDEXES:
                    if indexes == "rtree" or name in ("u1", "roads"):
                        add("&&", rows, form, [select % ("&&", box(*w)) for w in at], indexes)
            for rows in list(windows)[1::3]:
                add("<@", rows, form, [select % ("<@", box(x, y, half * 1.2))
                                       for x, y, half in windows[rows]])
            add("@>", 1, form, [select % ("@>", box(x, y, 0)) for x, y in centers])
            some = "SELECT %s(v) AS v FROM (SELECT %s AS v FROM %s a%%s%%s LIMIT %%d) s"
            by_distance = " ORDER BY a.b <-> point(%r,%r)"

            def target(x, y):
                return {"count": ("sum", "a.b <-> point(%r,%r)" % (x, y)),
                        "sum": ("sum", "a.id")}[form] + (table,)

            for k in NEAREST:
                if k < number:
                    add("nearest", k, form, [some % target(x, y) % (
                        "", by_distance % (x, y), k) for x, y in centers[:8 if k < 10000 else 1]])
            for rows in list(windows)[1::3]:
                at = windows[rows]
                add("nearest 10 of &&", rows, form, [some % target(x, y) % (
                    " WHERE a.b && " + box(x, y, half), by_distance % (x, y), 10)
                    for x, y, half in at])
                for indexes in ("rtree", "gist"):
                    add("first 10 of &&", rows, form, [
                        some % ("count", target(x, y)[1], table) % (
                            " WHERE a.b && " + box(x, y, half), "", 10)
                        for x, y, half in at], indexes)
        return points

    def run(self, name):
        table = self.ready(name)
        for kind in ("rtree", "gist"):
            self.index(table, "b", kind)
        self.db.run("VACUUM ANALYZE %s" % table)
        for point in self.statements(name, table):
            if time.time() - self.began > MINUTES * 60:
                self.left_out += 1
                continue
            self.measure(point, table)
            self.points.append(point)
        self.plans.set({})

    def candidates(self, point, table):
        indexes = ["%s_%s" % (table, kind) for kind in point.indexes.split()]
        found = {}
        self.plans.show([table], indexes)
        (chosen,) = self.plans.collect(point.sql, [{}], found).values()
        for index in indexes:
            self.plans.show([table], [index])
            self.plans.collect(point.sql, FORCED, found)
        self.plans.show([table], indexes)
        return chosen, [chosen] + sorted((p for p in found.values() if p is not chosen),
                                         key=lambda p: p.cost)

    def once(self, plan, limit):
        ms, answer = self.plans.time(plan, 1, limit)
        if ms is not None and ms < ENOUGH:
            ms, answer = self.plans.time(plan, min(max(round(ENOUGH / ms), 2), MAX_TIMES), 0)
        return ms, answer

    def measure(self, point, table):
        point.chosen, everyone = self.candidates(point, table)
        point.plans = []
        best = None
        for plan in everyone:
            ms, answer = self.once(plan, HOPELESS * 60000 if best is None else max(2 * best, 5))
            if ms is None:
                continue
            if point.answer not in (None, answer) and (
                    point.form == "count" and not point.what.startswith("nearest")):
                self.report.wrong.append("%s: %s answers %s, not %s" % (
                    point.name, plan.name, answer, point.answer))
            point.answer = answer
            plan.times.append(ms)
            point.plans.append(plan)
            best = min(ms, best or ms)
        if point.regret > CLOSE:
            rest = sorted(point.plans, key=lambda p: p.median())
            finalists = [point.chosen, *[p for p in rest[:3] if p is not point.chosen][:2]]
            for plan in finalists:
                plan.times.clear()
            self.alternate(finalists, self.args.rounds)
            if point.regret > BAR:
                self.alternate(finalists, self.args.rounds * (AGAIN - 1))
            point.plans = finalists
        self.plans.forget(everyone)
        if point.regret > BAR:
            say("    %s: %s times: %s %s, best: %s %s" % (
                point.name, factor(point.regret), point.chosen.name, milliseconds(point.chosen),
                point.best.name, milliseconds(point.best)))

    def alternate(self, finalists, rounds):
        for number in range(rounds):
            for plan in self.turns(number, finalists):
                plan.times.append(self.once(plan, 0)[0])

    def close(self):
        if self.points:
            self.write()
        super().close()

    def write(self):
        self.points.sort(key=lambda p: -p.regret)
        head = ["point", "estimated rows", "chosen", "it takes", "its cost", "best", "it takes",
                "its cost", "regret"]
        for p in self.points:
            if p.chosen is not p.best:
                self.line("Choices that are not the fastest, worst first", head, [
                    p.name, "%.0f" % p.chosen.scanned, p.chosen.name, milliseconds(p.chosen),
                    p.chosen.shown_cost(), p.best.name, milliseconds(p.best), p.best.shown_cost(),
                    factor(p.regret)])
        ours, gist = ([p for p in self.points if (p.indexes == "gist") == alone]
                      for alone in (False, True))
        summary = "scans: " + "; ".join(
            "%s%d points, worst regret %s (%s), %d above %g" % (
                title, len(points), factor(points[0].regret), points[0].name,
                sum(p.regret > BAR for p in points), BAR)
            for title, points in (("", ours), ("GiST alone: ", gist)) if points)
        if self.left_out:
            summary += "; %d points left out after %d minutes" % (self.left_out, MINUTES)
        self.report.note("scans", summary)
        if self.args.out:
            os.makedirs(self.args.out, exist_ok=True)
            with open(os.path.join(self.args.out, "scans.csv"), "w", newline="") as out:
                writer = csv.writer(out, lineterminator="\n")
                writer.writerow(["table", "condition", "rows", "selected", "indexes", "plan",
                                 "chosen", "ms", "times the best", "cost", "estimated rows"])
                for p in self.points:
                    for plan in sorted(p.plans, key=lambda q: q.median()):
                        writer.writerow([p.table, p.what, p.rows, p.form, p.indexes,
                                         plan.name, "chosen" if plan is p.chosen else "",
                                         "%.4f" % plan.median(),
                                         "%.3f" % (plan.median() / p.best.median()),
                                         plan.shown_cost(), "%.0f" % plan.scanned])


def measurements(args):
    return [("scans: " + name, lambda b, n=name: b.run(n)) for name in TABLES]
