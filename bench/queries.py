"""Realistic queries on OpenStreetMap's geometries: estimates, and the cost of the planner's choices.

    query  ->  plan that is chosen     its rows, estimated and true     its time
           ->  plans that settings force                                the best of their times

"Off" is the factor by which the estimate is too large or too small; "regret" is the time
of the chosen plan over that of the best plan found.  Queries are written as users of
PostGIS write them.  A plan is stopped when it takes longer than the best so far, with a
margin.
"""
import csv
import math
import os

from common import median, say
from join_planning import times_off
from plans import INDEX_FIRST, NODE, WITHOUT_NODE
from postgis_base import SCHEMA, PostgisBench

# Goals over all queries, and the number of exceptions to the last.
OFF_MOST, OFF_MEDIAN, REGRET, EXCEPTIONS = 100, 2.5, 1.5, 2

FIRST_LIMIT, HOPELESS = 60000, 20   # ms; times the best plan: the choice is stopped
SHORT, TIMES = 20, 25               # ms of one measurement, executions at most
SWITCHES = [
    {}, NODE, WITHOUT_NODE, {**NODE, **INDEX_FIRST}, {**WITHOUT_NODE, **INDEX_FIRST},
    {**WITHOUT_NODE, "enable_bitmapscan": "off"}, {"enable_bitmapscan": "off"},
    {**WITHOUT_NODE, **INDEX_FIRST, "enable_bitmapscan": "off"},
    {**WITHOUT_NODE, "enable_material": "off"}, INDEX_FIRST,
]

# A window around a town, and one that a subquery computes.
TOWN = "ST_MakeEnvelope(940000, 6330000, 990000, 6380000, 3857)"
HERE = "(SELECT ST_Expand(geom, 2000) FROM points WHERE id = (SELECT min(id) FROM points))"
GRID = ("ST_%sGrid(%d, (SELECT ST_SetSRID(ST_Extent(geom)::geometry, 3857) FROM %s WHERE geom && "
        + TOWN + "))")
MEET = "ST_Intersects(a.geom, b.geom)"

QUERIES = {
    # exact predicates, by types
    "points in parcels": "parcels a JOIN points b ON ST_Contains(a.geom, b.geom)",
    "points x parcels, intersects": "points a JOIN parcels b ON " + MEET,
    "points on lines": "points a JOIN lines b ON " + MEET,
    "points with points within 100 m": "points a JOIN points b ON ST_DWithin(a.geom, b.geom, 100) AND a.id < b.id",
    "points within 20 m of lines": "points a JOIN lines b ON ST_DWithin(a.geom, b.geom, 20)",
    "points within 500 m of polygons": "points a JOIN polygons b ON ST_DWithin(a.geom, b.geom, 500)",
    "lines x parcels": "lines a JOIN parcels b ON " + MEET,
    "lines in parcels": "parcels a JOIN lines b ON ST_Covers(a.geom, b.geom)",
    "lines that cross": "lines a JOIN lines b ON ST_Crosses(a.geom, b.geom) AND a.id < b.id",
    "lines that touch": "lines a JOIN lines b ON ST_Touches(a.geom, b.geom) AND a.id < b.id",
    "buildings x parcels": "buildings a JOIN parcels b ON " + MEET,
    "buildings within parcels": "buildings a JOIN parcels b ON ST_Within(a.geom, b.geom)",
    "polygons that overlap": "polygons a JOIN polygons b ON ST_Overlaps(a.geom, b.geom) AND a.id < b.id",
    "polygons that touch": "polygons a JOIN polygons b ON ST_Touches(a.geom, b.geom) AND a.id < b.id",
    "polygons that are equal": "polygons a JOIN polygons b ON ST_Equals(a.geom, b.geom) AND a.id < b.id",
    "boxes of lines x polygons": "lines a JOIN polygons b ON a.geom && b.geom",
    # one side is an expression
    "lines with buffers of points": "few_points a JOIN lines b ON ST_Intersects(ST_Buffer(a.geom, 50), b.geom)",
    "points in buffers of lines": "few_lines a JOIN few_points b ON ST_Intersects(ST_Buffer(a.geom, 20), b.geom)",
    "points in grown boxes": "parcels a JOIN points b ON ST_Expand(a.geom, 100) && b.geom",
    "points in transformed parcels": "parcels a JOIN geo b ON ST_Intersects(ST_Transform(a.geom, 4326), b.geom)",
    "points x parcels, both transformed":
        "parcels a JOIN points b ON ST_Contains(ST_Transform(a.geom, 4326), ST_Transform(b.geom, 4326))",
    "points in centers' parcels": "parcels a JOIN parcels b ON ST_Contains(a.geom, ST_Centroid(b.geom))",
    "points within 500 m, cast": "geo_few a JOIN geo b ON ST_DWithin(a.geom::geography, b.geom::geography, 500)",
    "points within 500 m, geography": "geog_few a JOIN geog b ON ST_DWithin(a.geog, b.geog, 500)",
    # one side is not a table
    "points in hexagons of 5 km": GRID % ("Hexagon", 5000, "points") + " a JOIN points b ON " + MEET,
    "points in squares of 500 m": GRID % ("Square", 500, "points") + " a JOIN points b ON " + MEET,
    "hexagons x points x parcels": GRID % ("Hexagon", 5000, "points") + " a JOIN points b ON " + MEET
                                   + " JOIN parcels c ON ST_Contains(c.geom, b.geom)",
    "values": "(VALUES (1, %s), (2, ST_Expand(%s, 20000)), (3, ST_Expand(%s, 80000))) AS v (id, geom)"
              " JOIN lines b ON v.geom && b.geom" % ((TOWN,) * 3),
    "CTE of buffers": "(WITH g AS MATERIALIZED (SELECT id, ST_Buffer(geom, 100) AS geom FROM points WHERE id %% 10 = 0)"
                      " SELECT b.id FROM g a JOIN lines b ON %s) q" % MEET,
    "CTE of parcels": "(WITH g AS MATERIALIZED (SELECT * FROM parcels) SELECT b.id FROM g a JOIN points b ON %s) q" % MEET,
    "made boxes": "(SELECT ST_MakeEnvelope(x, y, x + 1000, y + 1000, 3857) AS geom FROM generate_series(900000, 1300000, 1000) x,"
                  " generate_series(6100000, 6500000, 1000) y) a JOIN points b ON a.geom && b.geom",
    # windows
    "parcels in a town": "parcels a WHERE ST_Intersects(a.geom, %s)" % TOWN,
    "crossings in a town": "lines a JOIN lines b ON ST_Crosses(a.geom, b.geom) AND a.id < b.id WHERE a.geom && {0} AND b.geom && {0}".format(TOWN),
    "lines x parcels, window on both": "lines a JOIN parcels b ON %s WHERE a.geom && %s AND b.geom && %s" % (MEET, TOWN, TOWN),
    "buildings x parcels, window on one": "buildings a JOIN parcels b ON %s WHERE a.geom && %s" % (MEET, TOWN),
    "buildings x parcels, window on both": "buildings a JOIN parcels b ON %s WHERE a.geom && %s AND b.geom && %s" % (MEET, TOWN, TOWN),
    "small windows on both": "lines a JOIN polygons b ON a.geom && b.geom WHERE a.geom && {0} AND b.geom && {0}".format(
        "ST_MakeEnvelope(960000, 6345000, 970000, 6350000, 3857)"),
    "window of a subquery": "lines a WHERE a.geom && %s" % HERE,
    "window of a subquery on both": "lines a JOIN parcels b ON %s WHERE a.geom && %s AND b.geom && %s" % (MEET, HERE, HERE),
    "window of a CTE": "(WITH w AS (SELECT %s AS geom) SELECT a.id FROM lines a, w WHERE a.geom && w.geom) q" % TOWN,
    "parcels x lines x points in a town": "parcels a JOIN lines b ON {0} JOIN points c ON ST_Contains(a.geom, c.geom)"
                                          " WHERE a.geom && {1} AND b.geom && {1}".format(MEET, TOWN),
    "points per parcel, then lines near": "parcels a JOIN points b ON ST_Contains(a.geom, b.geom)"
                                          " JOIN lines c ON ST_DWithin(b.geom, c.geom, 10)",
    # rows with a match, and without
    "parcels with points": "parcels a WHERE EXISTS (SELECT FROM points b WHERE %s)" % MEET,
    "points without parcels": "points a WHERE NOT EXISTS (SELECT FROM parcels b WHERE %s)" % MEET,
    "lines near points": "lines a WHERE EXISTS (SELECT FROM points b WHERE ST_DWithin(a.geom, b.geom, 20))",
}

# Tables that a query may name, in addition to those of postgis_base.
MADE = {
    "few_points": "SELECT * FROM {points} WHERE id % 20 = 0",
    "few_lines": "SELECT * FROM {lines} WHERE id % 20 = 0",
    "geo": "SELECT id, ST_Transform(geom, 4326) AS geom FROM {points}",
    "geo_few": "SELECT id, ST_Transform(geom, 4326) AS geom FROM {points} WHERE id % 40 = 0",
    "geog": "SELECT id, ST_Transform(geom, 4326)::geography AS geog FROM {points}",
    "geog_few": "SELECT id, ST_Transform(geom, 4326)::geography AS geog FROM {points} WHERE id % 40 = 0",
}


class Found:
    """The results of a query."""

    def __init__(self, name, chosen, truth, plans):
        self.name, self.chosen, self.truth = name, chosen, truth
        self.plans = plans
        self.best = min(plans, key=lambda p: p.median())
        self.off = times_off(chosen.estimate, truth)

    @property
    def regret(self):
        return self.chosen.median() / self.best.median()


def estimate(top):
    """Return the estimate of the rows that are counted: those below the aggregate."""
    return next((p["Plan Rows"] for p in top.get("Plans", ()) if p.get("Parent Relationship") == "Outer"), top["Plan Rows"])


class QueriesBench(PostgisBench):
    """Reports all queries together, after all have been measured."""

    file = "queries"

    def __init__(self, server, report, args):
        super().__init__(server, report, args)
        self.found = []
        if self.missing:
            return
        for table in ("lines", "polygons", "points", "parcels", "buildings"):
            self.tables.geometry(table)
            self.index(table, "gist")
        for table, sql in MADE.items():
            self.tables.ensure(table, "%s of %s v1" % (table, args.most), lambda s=sql, t=table: self.db.run(
                "CREATE TABLE %s.%s AS %s" % (
                    SCHEMA, t, s.format(points=self.tables.table("points"), lines=self.tables.table("lines")))))
            column = "geog" if table.startswith("geog") else "geom"
            self.db.run("CREATE INDEX IF NOT EXISTS %s_gist ON %s.%s USING gist (%s)" % (table, SCHEMA, table, column))

    def plan(self, sql, switches):
        plan = self.plans.plan(sql, switches)
        plan.estimate = estimate(self.plans._explain(plan.statement))
        return plan

    def timed_plan(self, plan, limit):
        ms, answer = self.plans.time(plan, 1, limit)
        if ms is not None and ms < SHORT:
            ms, answer = self.plans.time(plan, min(math.ceil(SHORT / max(ms, 0.01)), TIMES), limit)
        return ms, answer

    def query(self, name):
        sql = "SELECT count(*) FROM " + QUERIES[name]
        chosen = self.plan(sql, {})
        found = {chosen.name: chosen}
        for switches in SWITCHES[1:]:
            plan = self.plan(sql, switches)
            if plan.name in found:
                self.plans.forget([plan])
            else:
                found[plan.name] = plan
        self.plans.set({})
        best = answer = None
        for plan in sorted(found.values(), key=lambda p: (p is chosen, p.cost)):
            limit = (FIRST_LIMIT if best is None else HOPELESS * best if plan is chosen else 1.2 * best)
            ms, said = self.timed_plan(plan, limit)
            if ms is None:
                continue
            if answer not in (None, said):
                self.report.wrong.append("%s: %s answers %s, not %s" % (name, plan.name, said, answer))
            answer = said
            plan.times.append(ms)
            best = min(ms, best or ms)
        timed = [p for p in found.values() if p.times]
        for number in range(1, self.args.rounds):
            for plan in self.turns(number, [p for p in timed if p.median() < 1.3 * best or p is chosen]):
                if plan.times:
                    plan.times.append(self.timed_plan(plan, 0)[0])
        if answer is None:
            say("    not measured: all plans take more than %d s" % (FIRST_LIMIT / 1000))
        else:
            self.found.append(Found(name, chosen, int(answer), [*timed, *([] if chosen.times else [chosen])]))
            last = self.found[-1]
            say("    %s of %s rows, %.2f times off; regret %.2f" % (
                format(round(chosen.estimate), ","), format(last.truth, ","), last.off, last.regret))
        self.plans.forget(found.values())
        self.db.run("DEALLOCATE ALL")

    def close(self):
        if self.found:
            self.write()
        super().close()

    def write(self):
        for f in sorted(self.found, key=lambda f: -f.off):
            self.line("Queries, worst estimate first",
                      ["query", "rows", "estimate", "times off", "chosen", "it takes", "best", "it takes", "regret"],
                      [f.name, format(f.truth, ","), format(round(f.chosen.estimate), ","), "%.2f" % f.off,
                       f.chosen.name, "%.1f ms" % f.chosen.median(), "the same" if f.best is f.chosen else f.best.name,
                       "%.1f ms" % f.best.median(), "%.2f" % f.regret])
        off = [f.off for f in self.found]
        worst = max(self.found, key=lambda f: f.off)
        regrets = sorted(self.found, key=lambda f: -f.regret)
        bad = [f for f in regrets if f.regret > REGRET]
        self.bar("estimates of %d queries" % len(off), "worst: %s, %.1f times off" % (worst.name, worst.off),
                 "at most %g times" % OFF_MOST, worst.off <= OFF_MOST)
        self.bar("estimates, median", "%.2f times off" % median(off), "%g times" % OFF_MEDIAN, median(off) <= OFF_MEDIAN)
        self.bar("regret", "; ".join("%s: %.2f" % (f.name, f.regret) for f in regrets[:max(3, len(bad))]),
                 "at most %g, but for %d queries" % (REGRET, EXCEPTIONS), len(bad) <= EXCEPTIONS)
        if self.args.out:
            os.makedirs(self.args.out, exist_ok=True)
            with open(os.path.join(self.args.out, "queries.csv"), "w", newline="") as out:
                writer = csv.writer(out, lineterminator="\n")
                writer.writerow(["query", "rows", "plan", "chosen", "ms", "cost", "estimated rows"])
                for f in self.found:
                    for p in sorted(f.plans, key=lambda p: p.median()):
                        writer.writerow([f.name, f.truth, p.name, "chosen" if p is f.chosen else "",
                                         "%.3f" % p.median(), p.shown_cost(), "%.0f" % p.estimate])


def measurements(args):
    return [("queries: " + name, lambda b, n=name: b.attempt(lambda b, n: b.query(n), n)) for name in QUERIES]
