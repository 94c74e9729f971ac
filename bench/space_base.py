"""Candidates, tables and probes in three dimensions.

Each type has its own heap with the same boxes in the same order. That of cube also has
the box3, to filter conditions that cube cannot express.

    u (id, b box3)                  <-  u_rtree, or none: a sequential scan
    u_cube (id, c cube, b box3)     <-  u_cube_cube
    u_geom (id, g geometry)         <-  u_geom_pgis_nd, u_geom_pgis_3d

A geometry is the diagonal of its box, the shortest geometry with this box.
"""
import time

import common
from common import say
from data import Tables
from index_base import IndexBench
from report import Row

SCHEMA = "bench_space"
RIVALS = ("cube", "pgis_nd", "pgis_3d")
# Candidate: title, text after the name of the heap, text after USING.
CANDIDATES = {
    "rtree": ("spqtree AM", "", "spqtree (b)"),
    "cube": ("cube GiST", "_cube", "gist (c)"),
    "pgis_nd": ("PostGIS GiST nD", "_geom", "gist (g gist_geometry_ops_nd)"),
    "pgis_3d": ("PostGIS SP-GiST 3-D", "_geom", "spgist (g spgist_geometry_ops_3d)"),
    "seq": ("sequential scan", "", None),
    "plane": ("spqtree AM, 2-D", "", "spqtree (b)"),
}
TITLES = {"u": "U", "u_shuffled": "U shuffled", "u_sorted": "U sorted", "s": "S", "city": "city"}
# The boxes of U in other orders, for indexes that depend on the order of the rows.
ORDERS = {"u_shuffled": "hashint8extended(id, 5), id", "u_sorted": "x(low(b)), id"}
SEEDS = {"u": 0.25, "u2": 0.75, "few": 0.375, "few2": 0.625, "s": 0.5, "plane": 0.25, "plane2": 0.75}

CUBE = "cube(ARRAY[x(low({0})), y(low({0})), z(low({0}))], ARRAY[x(high({0})), y(high({0})), z(high({0}))])"
GEOMETRY = ("ST_MakeLine(ST_MakePoint(x(low({0})), y(low({0})), z(low({0}))),"
            " ST_MakePoint(x(high({0})), y(high({0})), z(high({0}))))")

UNIFORM = ("SELECT i AS id, box3(x, y, z, x + w, y + d, z + h) AS b FROM (SELECT i, {side!r} * random() x,"
           " {side!r} * random() y, {side!r} * random() z, -50 * ln(1 - random()) w,"
           " -50 * ln(1 - random()) d, -50 * ln(1 - random()) h FROM generate_series(1, {rows}) i OFFSET 0) r")

# As S of data.py: the center of a cluster is a hash of its number. Three deviations of a
# side's logarithm to either side of 10 are 0.1 and 1000.
CLUSTERED = """
SELECT i AS id, box3(x - w / 2, y - d / 2, z - h / 2, x + w / 2, y + d / 2, z + h / 2) AS b FROM (
	SELECT i, {side!r} * {x} + 100 * m1 * cosd(360 * v1) x, {side!r} * {y} + 100 * m1 * sind(360 * v1) y,
		{side!r} * {z} + 100 * m2 * cosd(360 * v2) z, 10 * exp(ln(10) * 2 / 3 * m2 * sind(360 * v2)) w,
		10 * exp(ln(10) * 2 / 3 * m3 * cosd(360 * v3)) d, 10 * exp(ln(10) * 2 / 3 * m3 * sind(360 * v3)) h
	FROM (SELECT i, floor({clusters} * random())::int8 c,
		sqrt(-2 * ln(1 - random())) m1, random() v1, sqrt(-2 * ln(1 - random())) m2, random() v2,
		sqrt(-2 * ln(1 - random())) m3, random() v3 FROM generate_series(1, {rows}) i OFFSET 0) r
	OFFSET 0) s"""

# Real buildings with made-up storeys: their number is the side of the footprint's square in
# units of 7 m, times a number between 0.5 and 1.5 that is a hash of the building's, from 1 to 40;
# each is 3 m high. A storey is cut along its longer side, into parts of at most 25 m.
CITY = """
SELECT row_number() OVER () AS id, CASE WHEN w >= d
	THEN box3(x + w * part / parts, y, 3 * storey, x + w * (part + 1) / parts, y + d, 3 * storey + 3)
	ELSE box3(x, y + d * part / parts, 3 * storey, x + w, y + d * (part + 1) / parts, 3 * storey + 3) END AS b
FROM (SELECT id, (b[1])[0] x, (b[1])[1] y, width(b) w, height(b) d,
		greatest(1, least(40, round(sqrt(area(b)) / 7 * (1 + {chance}))))::int storeys,
		greatest(1, ceil(greatest(width(b), height(b)) / 25))::int parts FROM {buildings} OFFSET 0) s,
	generate_series(0, storeys - 1) storey, generate_series(0, parts - 1) part
ORDER BY hashint8extended(id * 1000000 + storey * 10000 + part, 7), id, storey, part LIMIT {rows}"""


def chance(value, seed):
    """Return SQL for a number from 0 to 1, by hash."""
    return "(hashint8extended(%s, %d) / 18446744073709551616.0::float8 + 0.5)" % (value, seed)


class Spaces(Tables):
    """Tables with the tables of other types, indexes and probes."""

    def __init__(self, db, args, cands):
        super().__init__(db, SCHEMA, args.rows, args.data, args.most)
        self.args, self.cands = args, cands
        # N rows fill N/1e6 of the cube; few: a tenth of the rows
        self.edge = 1e4 * (args.rows / 1e6) ** (1 / 3)
        self.few = max(args.rows // 10, 1)

    def heap(self, kind):
        """Return the name of the table with this data; make it and the other types' tables if needed."""
        rows = self.few if kind.startswith("few") else self.rows
        edge = 1e4 * (rows / 1e6) ** (1 / 3)
        if kind in ORDERS:
            sql = "SELECT * FROM %s ORDER BY %s" % (self.table(self.heap("u")), ORDERS[kind])
        elif kind == "city":
            self.from_file("buildings", "buildings")
            sql = CITY.format(buildings=self.table("buildings"), rows=rows,
                              chance=chance("id", 11) + " - 0.5")
        elif kind == "s":
            sql = CLUSTERED.format(side=edge, rows=rows, clusters=max(1, rows // 1000),
                                   **{axis: chance("c", i) for i, axis in enumerate("xyz", 1)})
        else:
            sql = UNIFORM.format(side=edge, rows=rows)
        self.made(kind, sql, "%s rows=%d v1" % (kind, rows), SEEDS.get(kind, 0))
        return kind

    def plane(self, kind):
        """Return U in two dimensions."""
        self.ensure(kind, "%s rows=%d v1" % (kind, self.rows),
                    lambda: self.make_generated(kind, "u", self.rows, SEEDS[kind]))
        return kind

    def made(self, name, sql, recipe, seed=0):
        def make():
            self.db.run("SELECT setseed(%s)" % seed)
            self.db.run("CREATE TABLE %s AS %s" % (self.table(name), sql))
        self.ensure(name, recipe, make)

    def twin(self, name, cand):
        """Return the heap of this candidate; make it if needed."""
        holder = name + CANDIDATES[cand][1]
        if holder != name:
            made = ("SELECT id, %s AS c, b" % CUBE if cand == "cube" else "SELECT id, %s AS g" % GEOMETRY)
            self.made(holder, "%s FROM %s" % (made.format("b"), self.table(name)), "of %s rows=%d v1" % (
                name, self.rows))
        return holder

    def drop(self, name):
        if not self.args.keep:
            for holder in (name, name + "_cube", name + "_geom"):
                self.db.run("DROP TABLE IF EXISTS %s" % self.table(holder))
                self.seen = {s for s in self.seen if s != holder and not s.startswith(holder + "_")}

    def index_name(self, name, cand):
        return "%s_%s" % (name + CANDIDATES[cand][1], cand)

    def index_ddl(self, name, cand):
        return "CREATE INDEX %s ON %s USING %s" % (
            self.index_name(name, cand), self.table(self.twin(name, cand)), CANDIDATES[cand][2])

    def index(self, name, cand):
        """Return the name of the index; make it if needed."""
        made = self.index_name(name, cand)
        if made not in self.seen:
            if self.db.value("SELECT to_regclass('%s')" % self.table(made)) in (None, ""):
                started = time.time()
                self.db.run(self.index_ddl(name, cand))
                say("  made %s, %.1f s" % (made, time.time() - started))
            self.seen.add(made)
        return made

    def probes(self, name, sql, number):
        """Make a table with n, p, b and, to compare other types, cp, c and g; return its name and number.

        sql: rows of p point3 and b box3, where {number} stands for their number.
        """
        number = max(3 if number < 100 else 20, round(number * self.args.share))
        table = "probes_" + name
        more = "".join([", cube(ARRAY[x(p), y(p), z(p)]) AS cp, %s AS c" % CUBE.format("b")
                        if "cube" in self.cands else "",
                        ", %s AS g" % GEOMETRY.format("b") if "pgis_3d" in self.cands else ""])
        self.made(table, "SELECT row_number() OVER () AS n, *%s FROM (%s) s" % (
            more, sql.format(number=number)), "%d of rows=%d v1" % (number, self.rows))
        return table, number

    def some(self, heap, number):
        """Return SQL for rows of the table, the same ones each time."""
        return "SELECT * FROM %s ORDER BY hashint8extended(id, 42), id LIMIT %s" % (
            self.table(heap), number)


class SpaceBench(IndexBench):
    """Session, candidates and turns."""

    schema = SCHEMA

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        if args.keep:               # their columns were dropped with the extension
            db = server.session()
            db.run("DROP SCHEMA IF EXISTS %s CASCADE" % SCHEMA)
            db.close()
        self.connect()
        common.extension(self.db, False)
        report.titles.update((c, CANDIDATES[c][0]) for c in CANDIDATES)
        self.cands = ["rtree", *RIVALS, "seq"]
        if not self.db.value(
                "SELECT 1 FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod WHERE amname = 'spqtree'"
                " AND opcintype = to_regtype('box3')"):
            self.leave_out(["rtree"], "this version has no index of box3")
        for name, package, needs in (("cube", "postgresql-contrib", ["cube"]),
                                     ("postgis", "postgresql-NN-postgis-3", ["pgis_nd", "pgis_3d"])):
            if self.db.value("SELECT 1 FROM pg_available_extensions WHERE name = '%s'" % name):
                self.db.run("CREATE EXTENSION IF NOT EXISTS %s SCHEMA public" % name)
                report.header += [line for line in ["%s: %s" % (name, self.db.value(
                    "SELECT extversion FROM pg_extension WHERE extname = '%s'" % name))]
                    if not any(h.lower().startswith(name + ":") for h in report.header)]
            else:
                self.leave_out(needs, "%s is not installed beside this server (Debian: %s)" % (name, package))
        self.heaps = Spaces(self.db, args, self.cands)

    def among(self, kind):
        """Return the candidates on this data, without the sequential scan."""
        return [c for c in self.cands if c != "seq" and (kind not in ORDERS or not c.startswith("pgis"))]

    def leave_out(self, cands, why):
        for cand in cands:
            self.cands.remove(cand)
            self.report.note("space", "%s left out: %s" % (CANDIDATES[cand][0], why))

    def row(self, what, section, unit, rivals=RIVALS, detail="", ours=("rtree",)):
        return Row("space: " + what, section, unit, ours, rivals, "less", detail)

    def goal(self, row, what, least, rival=None, ours="rtree"):
        """Add a goal: this many times as good as a rival, or as the best of them."""
        rival = rival or row.best_rival()
        if rival is None or not row.values.get(ours) or not row.values.get(rival):
            return
        ratio, title = row.ratio(ours, rival)[0], self.report.titles[rival]
        if least < 1:
            self.reached(what, "%.2f times the time of %s" % (1 / ratio, title),
                         "at most %.3g times" % (1 / least), ratio >= least)
        else:
            self.reached(what, "%.3g times as good as %s" % (ratio, title), "%g times" % least, ratio >= least)

    def reached(self, what, measured, goal, reached):
        self.report.line("space", "Goals", ["what", "measured", "goal", "reached"],
                         [what, measured, goal, "yes" if reached else "**no**"])
        say("  %s: %s; goal: %s: %s" % (what, measured, goal, "yes" if reached else "NO"))

    def use(self, name, cand, plan, sql):
        """Let the planner see only the candidate's index of this data, and require this kind of plan."""
        self.force(self.heaps.twin(name, cand), "" if cand == "seq" else self.heaps.index(name, cand),
                   plan, sql)
