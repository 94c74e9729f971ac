"""Joins of types of other extensions, and of networks: the node beside PostgreSQL's plans.

    fences, things (id, c cube)         places_few, places (id, e earth)
    hosts (id, ip), nets (id, net)      spans_few, spans (id, s seg)

Each rival is a nested loop over an index of one of the two tables, forced by settings, or what the planner
chooses without spqtree.  One that would take long is run for a sample of its outer rows, which the node's
answer for the same sample checks, and its time is scaled.  Times are processor time of the session, which other
processes disturb less.  (This file is not types.py: that would hide a
module of Python.)
"""
from common import Failure, median
from plans import NODE, WITHOUT_NODE
from postgis_join import JOIN
from ranges_base import RangesBench, TITLES
from report import Row, short

NO_OTHER = {"enable_hashjoin": "off", "enable_mergejoin": "off"}
LOOP = {**WITHOUT_NODE, **NO_OTHER, "enable_bitmapscan": "off", "enable_material": "off", "enable_seqscan": "off"}
OUTER = {"loop_gist_b": "a", "loop_gist_a": "b", "loop_spgist_b": "a", "loop_spgist_a": "b"}
NAMES = {"node": TITLES["node"], "loop_gist_b": "nested loop over GiST of the second table",
         "loop_gist_a": "nested loop over GiST of the first table",
         "loop_spgist_b": "nested loop over SP-GiST of the second table",
         "loop_spgist_a": "nested loop over SP-GiST of the first table",
         "planner": "the planner's choice without spqtree"}
CUBES, EARTH, NETWORKS, INTERVALS = "Cubes", "Places on the Earth", "Networks", "Intervals"
# The part of the outer rows that tells how long a rival takes, and what takes long (times bench.args.slow).
FIRST, LONG = 50, 3

# With one row for each unit of volume or length, so that --rows does not change the pairs of a row.
CUBE = ("SELECT i AS id, cube(ARRAY[x, y, z], ARRAY[x + {size} * random(), y + {size} * random(), z + {size} * random()]) AS c"
        " FROM (SELECT i, {side} * random() AS x, {side} * random() AS y, {side} * random() AS z"
        " FROM generate_series(1, {rows}) i OFFSET 0) s")
# In the north of a part of the Earth that grows with the rows.
PLACE = ("SELECT i AS id, ll_to_earth(30 + {degrees} * random(), {degrees} * random()) AS e FROM generate_series(1, {rows}) i")
HOST = "SELECT i AS id, inet '10.0.0.0' + floor({addresses} * random())::bigint AS ip FROM generate_series(1, {rows}) i"
NET = ("SELECT i AS id, network(set_masklen(inet '10.0.0.0' + floor({addresses} * random())::bigint,"
       " 22 + floor(8 * random())::int)) AS net FROM generate_series(1, {rows}) i")
SPAN = ("SELECT i AS id, (x || ' .. ' || x + {length} * random())::seg AS s FROM (SELECT i, {side} * random() AS x"
        " FROM generate_series(1, {rows}) i OFFSET 0) s")


class Case:
    """A join: the tables and indexes of its rivals, and their statement if that differs."""

    def __init__(self, what, section, needs, left, right, condition, rivals, other=None):
        self.what, self.section, self.needs, self.condition = what, section, needs, condition
        self.left, self.right, self.rivals, self.other = left, right, rivals, other

    def __call__(self, bench):
        if bench.has(self.needs):
            run(bench, self)


def measurements(args):
    """Return (name, run) of each; run takes a TypesBench."""
    rows, few = args.rows, max(args.rows // 10, 1)
    sizes = "%s x %s" % (short(few), short(rows))
    side = rows ** (1 / 3)

    cubes = (("fences", CUBE.format(rows=few, side=side, size=2)), ("things", CUBE.format(rows=rows, side=side, size=1)))
    places = [(name, PLACE.format(rows=number, degrees=40 * (rows / 1e6) ** 0.5))
              for name, number in (("places_few", few), ("places", rows))]
    # an address for each 16, in both tables
    addresses = 16 * rows
    hosts = ("hosts", HOST.format(rows=rows, addresses=addresses))
    nets = ("nets", NET.format(rows=few, addresses=addresses))
    hosts4 = ("hosts4", "SELECT id, ip4(ip) AS ip FROM (%s) h" % hosts[1])
    nets4 = ("nets4", "SELECT id, ip4r(net) AS net FROM (%s) n" % nets[1])
    spans = (("spans_few", SPAN.format(rows=few, side=rows, length=20)), ("spans", SPAN.format(rows=rows, side=rows, length=2)))

    cube, earth, ip4r, seg = ["cube", "spqtree_cube"], ["cube", "earthdistance", "spqtree_cube"], ["ip4r", "spqtree_ip4r"], ["seg", "spqtree_seg"]
    by_gist = {"loop_gist_b": "gist (c)", "loop_gist_a": "gist (c)"}
    by_seg = {"loop_gist_b": "gist (s)", "loop_gist_a": "gist (s)"}
    by_spgist = {"loop_spgist_a": "spgist (ip)", "loop_spgist_b": "spgist (net)", "planner": None}
    found = [
        Case("cubes %s, &&" % sizes, CUBES, cube, *cubes, "a.c && b.c", by_gist),
        Case("cubes %s, @>" % sizes, CUBES, cube, *cubes, "a.c @> b.c", by_gist),
        # GiST has no distance as a condition
        Case("cubes %s, <-> <= 0.5" % sizes, CUBES, cube, *cubes, "a.c <-> b.c <= 0.5", {"loop_gist_b": "gist (c)"},
             "cube_enlarge(a.c, 0.5, 3) && b.c AND a.c <-> b.c <= 0.5"),
        Case("places %s, earth_box and earth_distance, 12 km" % sizes, EARTH, earth, *places,
             "earth_box(a.e, 12000) @> b.e AND earth_distance(a.e, b.e) < 12000", {"loop_gist_b": "gist (e)"}),
        Case("%s addresses in %s networks, <<=" % (short(rows), short(few)), NETWORKS, [], hosts, nets, "a.ip <<= b.net", by_spgist),
        Case("%s ip4 in %s ip4r, <<=" % (short(rows), short(few)), NETWORKS, ip4r, hosts4, nets4, "a.ip <<= b.net",
             {"loop_gist_b": "gist (net)", "loop_gist_a": "gist (ip4r(ip))"}),
        Case("seg %s, &&" % sizes, INTERVALS, seg, *spans, "a.s && b.s", by_seg),
        Case("seg %s, @>" % sizes, INTERVALS, seg, *spans, "a.s @> b.s", by_seg),
    ]
    return [("types: " + case.what, case) for case in found]


class TypesBench(RangesBench):
    """The session and the tables of ranges, and those of other types."""

    file = "types"

    def __init__(self, server, report, args):
        super().__init__(server, report, args)
        report.titles.update(NAMES)
        self.extensions = {}
        self.db.run("CREATE OR REPLACE FUNCTION %s.cpu() RETURNS float8 VOLATILE LANGUAGE sql RETURN"
                    " split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8 / 1e6" % self.schema)
        self.db.run("CREATE OR REPLACE FUNCTION %s.timed_cpu(statement text, OUT ms float8, OUT answer text) LANGUAGE plpgsql"
                    " AS $$ DECLARE t float8 := cpu(); began timestamptz := clock_timestamp();"
                    " BEGIN EXECUTE 'EXECUTE ' || statement INTO answer; ms := cpu() - t;"
                    " IF ms < 10 THEN ms := extract(epoch FROM clock_timestamp() - began) * 1000; END IF; END $$"
                    % self.schema)

    def time(self, plan):
        """Return milliseconds of processor time of one execution, and its answer.

        The system counts in ticks of some milliseconds: below ten, it is the elapsed time.
        """
        (found,) = self.db.run("SELECT * FROM %s.timed_cpu('%s')" % (self.schema, plan.statement))
        return float(found[0]), found[1]

    def has(self, names):
        """Create extensions, unless one is not installed: then say so."""
        for name in names:
            if name not in self.extensions:
                self.extensions[name] = bool(self.db.value("SELECT 1 FROM pg_available_extensions WHERE name = '%s'" % name))
            if not self.extensions[name]:
                self.report.note(self.file, "left out: the extension %s is not installed beside this server" % name)
                return False
            self.db.run("CREATE EXTENSION IF NOT EXISTS %s SCHEMA public" % name)
        return True

    def row(self, what, section, rivals, detail=""):
        return Row("types: " + what, section, "ms", ("node",), rivals, detail=detail)

    def index_of(self, table, definition):
        name = "%s_%s" % (table, definition.split()[0])
        if self.db.value("SELECT to_regclass('%s.%s')" % (self.schema, name)) in (None, ""):
            self.db.run("CREATE INDEX %s ON %s.%s USING %s" % (name, self.schema, table, definition))
            self.db.run("VACUUM ANALYZE %s.%s" % (self.schema, table))
        return name


class Rival:
    """A plan, for all rows or for each N-th row of its outer table."""

    def __init__(self, bench, case, cand, tables):
        self.bench, self.case, self.cand, self.tables = bench, case, cand, tables
        self.shown = []
        if cand in OUTER:
            inner = tables["b" if OUTER[cand] == "a" else "a"]
            self.shown = [bench.index_of(inner, case.rivals[cand])]
        self.part = 1

    def sql(self, condition):
        sampled = "" if self.part == 1 else " AND %s.id %% %d = 0" % (OUTER.get(self.cand, "a"), self.part)
        return JOIN % (self.tables["a"], self.tables["b"], condition + sampled)

    def planned(self, part):
        self.part = part
        self.bench.plans.show(self.tables.values(), self.shown)
        if self.cand == "planner":
            self.plan = self.bench.plans.plan(self.sql(self.case.condition), {"spqtree.enable": "off"})
            return
        self.plan = self.bench.plans.plan(self.sql(self.case.other or self.case.condition), LOOP)
        if not self.plan.name.startswith("NL(") or not self.plan.by_index:
            raise Failure("the plan is not a nested loop over %s: %s" % (self.shown[0], self.plan.name))

    def node_answer(self):
        """Return the answer of the node for the same part."""
        return self.bench.time(node_plan(self.bench, self.sql(self.case.condition)))[1]

    def time(self):
        ms, answer = self.bench.time(self.plan)
        return ms * self.part, answer


def node_plan(bench, sql):
    plan = bench.plans.plan(sql, {**NODE, **NO_OTHER})
    if not plan.is_node:
        raise Failure("the plan is not the node: %s\n%s" % (plan.name, sql))
    return plan


def run(bench, case):
    tables = {"a": bench.made(*case.left), "b": bench.made(*case.right)}
    # all indexes first: a new one makes the server plan statements again
    rivals = {cand: Rival(bench, case, cand, tables) for cand in case.rivals}
    if "planner" in rivals:          # among all of these indexes
        rivals["planner"].shown = sum((rival.shown for rival in rivals.values()), [])
    for rival in rivals.values():
        rival.planned(FIRST)
        if rival.time()[0] < LONG * bench.args.slow:
            rival.planned(1)
    bench.plans.show(tables.values(), [])
    mine = node_plan(bench, JOIN % (tables["a"], tables["b"], case.condition))
    bench.time(mine)
    row = bench.row(case.what, case.section, list(case.rivals))
    wanted = {cand: rival.node_answer() for cand, rival in rivals.items()}
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, ["node", *rivals]):
            bench.plans.set({})
            ms, answer = rivals[cand].time() if cand in rivals else bench.time(mine)
            row.add(cand, ms, answer)
        if max(median(row.values[cand]) for cand in rivals) > bench.args.slow and i >= 2:
            break
    for plan in (mine, *(rival.plan for rival in rivals.values())):
        bench.plans.check(plan)
    for cand, answer in wanted.items():
        if row.answers[cand] != answer:
            bench.report.wrong.append("%s: answers of %s differ: %s" % (row.name, cand, [row.answers[cand], answer]))
    parts = ["%s: a %dth of its outer rows, scaled" % (NAMES[cand], rival.part) for cand, rival in rivals.items() if rival.part > 1]
    row.detail = "; ".join(["%s pairs" % format(int(row.answers["node"].split()[0]), ","), *parts])
    bench.report.keep(row)
    bench.report.line(bench.file, "Plans", ["row", "the node's plan", "the others"],
                      [row.name, mine.name, "; ".join("%s %s" % (NAMES[c], r.plan.name) for c, r in rivals.items())])
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})
