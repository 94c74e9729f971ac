"""Random queries, planned with spqtree and without: is any plan slower than PostgreSQL's own?

    seed, number  ->  two tables, a condition, a filter, a form  ->  spqtree.enable = on   its time
                                                                 ->  spqtree.enable = off  its time

The condition and the tables are the same on both sides, with the same indexes, so that the
ratio of the times shows the planner's features alone.  Plans that are equal, with
their conditions, are not timed.  A query that seems slower is measured in more rounds, in which
the two plans take turns, before it counts.
"""
import csv
import math
import os
import random
import re
import time
import zlib

from common import median, say
from plans import Plans
from postgis_base import PostgisBench

SCHEMA = "bench_beside"

BAR, SLOWER = 1.5, 1.2              # no ratio is above BAR; those above SLOWER are counted
LEAST = 0.3                         # ms: smaller differences do not count
CLEAR = 0.8                         # a ratio below this is not measured again
AGAIN = 4                           # factor for the rounds of a query that seems slower
HOPELESS = 5                        # times the plan with spqtree: the other one is stopped
LONGEST = 20000                     # ms: a plan with spqtree is stopped
FEW, PATIENCE = 3, 15               # after these seconds of rounds, this number of rounds is enough
ENOUGH, MAX_TIMES = 20, 100         # ms of one measurement, executions at most
MINUTES = 14                        # after this time the rest is left out

SIZES = (1000, 5000, 20000, 100000)     # rows of tables, if U has a million
EXTENTS = (5, 50, 50, 500)          # of a value, in a square of side 1e5
TABLES = 8                          # of each type

# How a value is made of x, y, z (a position), r, s (two random numbers) and E (its extent), and
# the indexes that PostgreSQL, spqtree or PostGIS has for its type.
TYPES = {
    "box": ("box(point(x, y), point(x + r * E, y + s * E))", "gist spqtree"),
    "point": ("point(x, y)", "gist spqtree"),
    "circle": ("circle(point(x, y), r * E)", "gist spqtree"),
    "polygon": ("polygon(box(point(x, y), point(x + r * E, y + s * E)))", "gist spqtree"),
    "lseg": ("lseg(point(x, y), point(x + (2 * r - 1) * E, y + (2 * s - 1) * E))", "spqtree"),
    "box3": ("box3(point3(x, y, z), point3(x + r * E, y + s * E, z + 10))", "spqtree"),
    "point3": ("point3(x, y, z)", "spqtree"),
    "lseg3": ("lseg3(point3(x, y, z), point3(x + (2 * r - 1) * E, y + (2 * s - 1) * E, z + (r - 0.5) * E))", ""),
    "sphere3": ("sphere3(point3(x, y, z), r * E)", ""),
    "int4range": ("int4range((x * 10)::int, (x * 10 + 1 + r * E * 10)::int)", "gist spqtree"),
    "tstzrange": ("tstzrange(timestamptz '2020-01-01 UTC' + x * 10 * interval '1 s',"
                  " timestamptz '2020-01-01 UTC' + (x * 10 + 1 + r * E) * interval '1 s')", "gist spqtree"),
    "int4": ("(x * 10)::int", "btree"),
    "gpoint": ("ST_SetSRID(ST_MakePoint(x, y), 3857)", "gist spqtree"),
    "gline": ("ST_SetSRID(ST_MakeLine(ST_MakePoint(x, y),"
              " ST_MakePoint(x + (2 * r - 1) * E, y + (2 * s - 1) * E)), 3857)", "gist spqtree"),
    "gpoly": ("ST_Buffer(ST_SetSRID(ST_MakePoint(x, y), 3857), 1 + r * E, 4)", "gist spqtree"),
}
OF_POSTGIS = ("gpoint", "gline", "gpoly")
FAMILIES = {"PostGIS": OF_POSTGIS, "space": ("box3", "point3", "lseg3", "sphere3"),
            "ranges": ("int4range", "tstzrange", "int4")}      # others are in the plane

# Types of the two sides, and the condition; D is a distance.
CONDITIONS = [
    ("box", "box", "a.v && b.v"), ("box", "point", "a.v @> b.v"), ("point", "box", "a.v <@ b.v"),
    ("box", "box", "a.v @> b.v"), ("circle", "circle", "a.v && b.v"), ("circle", "point", "a.v @> b.v"),
    ("polygon", "polygon", "a.v && b.v"), ("polygon", "point", "a.v @> b.v"), ("lseg", "box", "a.v ?# b.v"),
    ("lseg", "lseg", "a.v ?# b.v"), ("point", "point", "spqtree_dwithin(a.v, b.v, D)"),
    ("box", "box", "spqtree_dwithin(a.v, b.v, D)"), ("point", "point", "a.v <-> b.v < D"),
    ("box3", "box3", "a.v && b.v"), ("box3", "point3", "a.v @> b.v"), ("lseg3", "box3", "b.v && a.v"),
    ("sphere3", "point3", "a.v @> b.v"), ("sphere3", "sphere3", "a.v && b.v"),
    ("int4range", "int4range", "a.v && b.v"), ("int4range", "int4", "a.v @> b.v"),
    ("tstzrange", "tstzrange", "a.v && b.v"),
    ("gpoly", "gpoint", "ST_Intersects(a.v, b.v)"), ("gpoly", "gpoint", "ST_Contains(a.v, b.v)"),
    ("gline", "gpoly", "ST_Intersects(a.v, b.v)"), ("gline", "gline", "ST_Crosses(a.v, b.v)"),
    ("gpoint", "gpoint", "ST_DWithin(a.v, b.v, D)"), ("gpoly", "gpoly", "ST_Intersects(a.v, b.v)"),
    ("gpoint", "gline", "ST_DWithin(a.v, b.v, D)"), ("gpoly", "gpoly", "a.v && b.v"),
]
DISTANCES = (5, 50, 200)
FILTERS = ("", "", "", "a.kind = 3", "b.kind = 2", "a.id < 100", "b.id % 10 = 0", "a.note LIKE 'a%'",
           "a.kind = 1 AND b.kind = 1", "a.kind = b.kind", "a.id <> b.id")
# {0}, {1}: the tables.  {2}: the condition and the filter.  {3}: a limit.
FORMS = {
    "count": "SELECT count(*) FROM {0} a JOIN {1} b ON {2}",
    "ids": "SELECT concat_ws(' ', sum(a.id::int8 * b.id), max(a.note)) FROM {0} a JOIN {1} b ON {2}",
    "left": "SELECT concat_ws(' ', count(*), count(b.id)) FROM {0} a LEFT JOIN {1} b ON {2}",
    "exists": "SELECT count(*) FROM {0} a WHERE EXISTS (SELECT FROM {1} b WHERE {2})",
    "not exists": "SELECT count(*) FROM {0} a WHERE NOT EXISTS (SELECT FROM {1} b WHERE {2})",
    "limit": "SELECT count(i + j) FROM (SELECT a.id AS i, b.id AS j FROM {0} a JOIN {1} b ON {2} LIMIT {3}) r",
    "group by": "SELECT concat_ws(' ', count(*), sum(n)) FROM"
                " (SELECT a.id, count(*) AS n FROM {0} a JOIN {1} b ON {2} GROUP BY a.id) r",
    "lateral": "SELECT sum(n) FROM {0} a, LATERAL (SELECT count(*) AS n FROM {1} b WHERE {2}) r",
}
OFTEN = ("count", "count", *FORMS)
LIMITS = (1, 10, 1000)
PAGE_COSTS = (4, 1.1)               # random_page_cost, in turn

TABLE = """CREATE TABLE %(schema)s.%(name)s AS SELECT i AS id, i %% 7 AS kind, md5(i::text) AS note, %(value)s AS v
    FROM (SELECT i, %(x)s AS x, %(y)s AS y, 1000 * random() AS z, random() AS r, random() AS s
          FROM generate_series(1, %(rows)d) i) q"""
# A row's coordinate: anywhere, or near the center of one of twenty clusters.
ANYWHERE = "100000 * random()"
CLUSTERED = "(hashint4(i %% 20 + %d)::float8 / 4294967296 + 0.5) * 90000 + 2000 * (random() + random() - 1)"


class Table:
    """A table of values of one type, and which of its indexes the query has."""

    def __init__(self, args, kind, number, index):
        draw = random.Random("%d %s %d" % (args.seed, kind, number))
        self.kind, self.index = kind, index
        self.rows = max(SIZES[number % len(SIZES)] * args.rows // 10 ** 6, 100)
        self.extent = draw.choice(EXTENTS)
        self.clustered = draw.random() < 0.4
        self.name = "%s_%d" % (kind, number)

    def __str__(self):
        return "%s %s, %s%s%s" % (format(self.rows, ","), self.kind, "clustered, " if self.clustered else "",
                                  "extent %d, " % self.extent, self.index or "no index")


class Query:
    """A query is drawn from the seed and its number, whatever else is measured."""

    def __init__(self, args, number):
        draw = random.Random("%d query %d" % (args.seed, number))
        left, right, condition = draw.choice(CONDITIONS)
        at = draw.randrange(TABLES), draw.randrange(TABLES)
        indexes = [draw.choice(["", *of, of[-1]] if of else [""]) for of in
                   (TYPES[kind][1].split() for kind in (left, right))]
        if (left, at[0]) == (right, at[1]):
            indexes[1] = indexes[0]     # the two sides are one table
        self.tables = [Table(args, *one) for one in zip((left, right), at, indexes)]
        condition = re.sub(r"\bD\b", str(draw.choice(DISTANCES)), condition)
        if draw.random() < 0.3:         # exchange the sides
            self.tables.reverse()
            condition = re.sub(r"\b[ab]\.", lambda side: {"a.": "b.", "b.": "a."}[side.group()], condition)
        self.filter, self.form = draw.choice(FILTERS), draw.choice(OFTEN)
        self.page_cost = PAGE_COSTS[number % len(PAGE_COSTS)]
        self.sql = FORMS[self.form].format(
            *[table.name for table in self.tables],
            condition + (" AND " + self.filter if self.filter else ""), draw.choice(LIMITS))
        self.name = "%d, %s of %s" % (number, self.form, condition)
        self.postgis = left in OF_POSTGIS
        self.ours = self.theirs = None
        self.same = False
        self.rounds = []                # of pairs of times

    @property
    def ratio(self):
        return 1 if self.same else median([a / b if a < math.inf else a for a, b in self.rounds])

    @property
    def slower(self):
        """Return whether the difference is clear: if small, it is that of the machine."""
        return self.ratio > SLOWER and median([a - min(b, LONGEST) for a, b in self.rounds]) > LEAST

    def classes(self):
        """Yield what the query has in common with others."""
        yield "form", self.form
        yield "types", next((f for f, kinds in FAMILIES.items() if self.tables[0].kind in kinds), "plane")
        indexes = [table.index not in ("", "btree") for table in self.tables]
        yield "indexes", ("none", "of one table", "of both tables")[sum(indexes)]
        yield "filter", self.filter or "none"
        yield "random_page_cost", "%g" % self.page_cost
        yield "plans", "the same" if self.same else "the node" if "SHJ(" in self.ours.name \
            else "index join" if "IXJ(" in self.ours.name else "PostgreSQL's nodes, chosen otherwise"


def milliseconds(times):
    ms = median(times)
    return "stopped" if ms == math.inf else "%.3g ms" % ms if ms < 1000 else "%.3g s" % (ms / 1000)


def shown(ratio):
    return "over 1" if ratio == math.inf else "under %g" % (1 / HOPELESS) if ratio < 1 / HOPELESS else "%.2f" % ratio


class BesideBench(PostgisBench):
    """Reports all queries together, after all have been measured."""

    file = "beside"

    def __init__(self, server, report, args):
        super().__init__(server, report, args)
        self.found, self.made, self.left_out, self.unmeasured = [], set(), 0, []
        self.began = time.time()
        self.db.run("DROP SCHEMA IF EXISTS %s CASCADE" % SCHEMA)
        self.db.run("CREATE SCHEMA %s" % SCHEMA)
        self.db.run("SET search_path = %s, public" % SCHEMA)
        # PostgreSQL's default where the server of the benchmarks has another setting
        self.plans = Plans(self.db, SCHEMA, {"work_mem": "4MB", "max_parallel_workers_per_gather": 0})
        if self.missing:
            report.note(self.file, "the types of PostGIS are left out: %s" % self.missing)

    def table(self, table):
        """Make a table with all indexes, if needed."""
        if table.name in self.made:
            return
        self.made.add(table.name)
        center = (lambda k: CLUSTERED % k) if table.clustered else lambda _: ANYWHERE
        self.db.run("SELECT setseed(%r)" % (zlib.crc32(("%d %s" % (self.args.seed, table.name)).encode()) / 2 ** 32))
        self.db.run(TABLE % {
            "schema": SCHEMA, "name": table.name, "value": re.sub(r"\bE\b", str(table.extent), TYPES[table.kind][0]),
            "x": center(0), "y": center(100), "rows": table.rows})
        self.db.run("ALTER TABLE %s ADD CONSTRAINT %s_pkey PRIMARY KEY (id)" % (table.name, table.name))
        for index in TYPES[table.kind][1].split():
            self.db.run("CREATE INDEX %s_%s ON %s USING %s (v)" % (table.name, index, table.name, index))
        self.db.run("CHECKPOINT")
        self.db.run("VACUUM (FREEZE, ANALYZE) %s" % table.name)

    def plan(self, query, enable):
        plan = self.plans.plan(query.sql, {"spqtree.enable": enable, "random_page_cost": query.page_cost})
        plan.shape = self.db.explain("EXECUTE " + plan.statement, "COSTS off, VERBOSE")
        return plan

    def once(self, plan, limit=0):
        ms, answer = self.plans.time(plan, 1, limit)
        if ms is not None and ms < ENOUGH:
            ms, answer = self.plans.time(plan, min(math.ceil(ENOUGH / max(ms, 0.01)), MAX_TIMES))
        return (math.inf if ms is None else ms), answer

    def query(self, query):
        if time.time() - self.began > MINUTES * 60:
            self.left_out += 1
            return
        for table in query.tables:
            self.table(table)
        names = {table.name: table.index for table in query.tables}
        self.plans.show(names, ["%s_pkey" % n for n in names] + ["%s_%s" % (n, i) for n, i in names.items() if i])
        query.ours, query.theirs = (self.plan(query, enable) for enable in ("on", "off"))
        self.plans.set({})
        query.same = query.ours.shape == query.theirs.shape
        if query.same or self.measure(query):
            self.found.append(query)
        else:
            self.unmeasured.append(query.name)
        self.plans.forget([query.ours, query.theirs])

    def measure(self, query):
        """Return whether one of the plans ran to its end."""
        ms, answer = self.once(query.ours, LONGEST)
        other, said = self.once(query.theirs, LONGEST if ms == math.inf else max(min(HOPELESS * ms, LONGEST), 2 * ms, 50))
        if min(ms, other) == math.inf:
            return False
        if None not in (answer, said) and answer != said:
            self.report.wrong.append("%s answers %s, and %s without spqtree: %s" % (query.name, answer, said, query.sql))
        query.rounds = [(ms, other)]
        if max(ms, other) < math.inf and query.ratio > CLEAR:
            query.rounds.clear()
            self.alternate(query, self.args.rounds)
            if query.slower:
                self.alternate(query, self.args.rounds * (AGAIN - 1))
        for plan in (query.ours, query.theirs):
            self.plans.check(plan)
        if query.slower:
            say("    %s times, %s: %s %s, without spqtree %s %s" % (
                shown(query.ratio), query.sql, query.ours.name, milliseconds([a for a, _ in query.rounds]),
                query.theirs.name, milliseconds([b for _, b in query.rounds])))
        return True

    def alternate(self, query, rounds):
        began = time.time()
        for number in range(rounds):
            if number >= FEW and time.time() - began > PATIENCE:
                break
            times = [(plan, self.once(plan)[0]) for plan in self.turns(number, [query.ours, query.theirs])]
            query.rounds.append(tuple(ms for _, ms in self.turns(number, times)))

    def close(self):
        if self.found:
            self.write()
        super().close()

    def write(self):
        slower = sorted((q for q in self.found if not q.same and q.slower), key=lambda q: -q.ratio)
        for q in slower:
            self.line("Slower than without spqtree, worst first",
                      ["query", "tables", "random_page_cost", "times as long", "plan", "it takes", "its cost", "without spqtree",
                       "it takes", "its cost", "SQL"],
                      [q.name, "; ".join(map(str, q.tables)), "%g" % q.page_cost, shown(q.ratio), q.ours.name,
                       milliseconds([a for a, _ in q.rounds]), q.ours.shown_cost(), q.theirs.name,
                       milliseconds([b for _, b in q.rounds]), q.theirs.shown_cost(), q.sql])
        classes = {}
        for q in self.found:
            for one in q.classes():
                classes.setdefault(one, []).append(q)
        for (kind, value), queries in sorted(classes.items()):
            self.line("Times as long as without spqtree, by class",
                      ["class", "queries", "with the same plan", "median", "median of other plans", "worst",
                       "above %g" % SLOWER],
                      ["%s: %s" % (kind, value), str(len(queries)), str(sum(q.same for q in queries)),
                       shown(median([q.ratio for q in queries])),
                       shown(median([q.ratio for q in queries if not q.same] or [1])),
                       shown(max(q.ratio if q.same or q.slower else min(q.ratio, SLOWER) for q in queries)),
                       str(sum(q in slower for q in queries))])
        other = [q for q in self.found if not q.same]
        self.report.note(self.file, "seed %d: %d queries, of which %d have the same plan with and without spqtree;"
                         " of the others, %d take less than half the time, and %d more than %g times" % (
                             self.args.seed, len(self.found), len(self.found) - len(other),
                             sum(q.ratio < 0.5 for q in other), len(slower), SLOWER))
        self.bar("queries that take longer than without spqtree", "%d of %d above %g times; worst: %s" % (
            len(slower), len(self.found), SLOWER, ", ".join(
                "%s: %s" % (q.name, shown(q.ratio)) for q in slower[:3]) or "none"),
            "none above %g" % BAR, not slower or slower[0].ratio <= BAR)
        if self.left_out:
            self.report.note(self.file, "%d queries left out after %d minutes" % (self.left_out, MINUTES))
        if self.unmeasured:
            self.report.note(self.file, "not measured, since both plans take more than %d s: %s" % (
                LONGEST / 1000, "; ".join(self.unmeasured)))
        if self.args.out:
            os.makedirs(self.args.out, exist_ok=True)
            with open(os.path.join(self.args.out, "beside.csv"), "w", newline="") as out:
                self.rows(csv.writer(out, lineterminator="\n"))

    def rows(self, writer):
        writer.writerow(["query", "SQL", "tables", "random_page_cost", "times as long", "slower", "rounds", "plan", "ms",
                         "cost", "estimated rows", "plan without spqtree", "ms", "cost", "estimated rows"])
        for q in sorted(self.found, key=lambda q: -q.ratio):
            row = [q.name, q.sql, "; ".join(map(str, q.tables)), "%g" % q.page_cost, "%.3f" % q.ratio,
                   "slower" if not q.same and q.slower else "", len(q.rounds)]
            for side, plan in enumerate((q.ours, q.theirs)):
                times = [pair[side] for pair in q.rounds]
                row += [plan.name, "%.3f" % median(times) if times else "", plan.shown_cost(), "%.0f" % plan.rows]
            writer.writerow(row)


def measurements(args):
    queries = [Query(args, number) for number in range(1, args.queries + 1)]
    return [("beside: " + q.name, lambda b, q=q: b.missing and q.postgis or b.query(q)) for q in queries]
