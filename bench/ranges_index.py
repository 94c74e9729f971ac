"""Indexes of ranges: building, size, scans and inserts, compared with PostgreSQL's.

A probe set is a table of moments and windows around them; one statement runs all of it, as in
index_scan.py.  A sequential scan of the first few probes computes the correct answers.
"""
from common import nodes
from ranges_base import AFTER, GAP, MEAN, MEAN_BOOKING, SECONDS, YEAR
from report import short

BUILD, SCANS, INSERTS = "Building and size", "Scans", "Inserts by one statement"
METHODS = ("rtree", "gist", "spgist")
KEYED = ("rtree", "gist")           # SP-GiST has no index of two columns
GOALS = {"build": 3, "size": 1.5, "10 rows": 2.5}
ROOM = "t.room = q.room AND "


class Scan:
    """One row of a table: data, operator, rows that it finds, number and length of the probes, plan."""

    def __init__(self, table, title, op, rows, number, span, seconds=1, plan="plain"):
        """span: the seconds in which the probes are."""
        self.table, self.title, self.op, self.rows, self.plan = table, title, op, rows, plan
        self.number, self.span, self.seconds = number, span, seconds
        self.cands = METHODS if title in ("varied lengths", "short ones") else KEYED
        self.name = "%s %s %s, %s" % (title, op, rows, plan)

    def __call__(self, bench):
        scan(bench, self)

    def condition(self):
        if self.title == "two ranges":
            return {"&& and @>": "t.valid && q.during AND t.system @> q.known",
                    "<@ and <@": "t.valid <@ q.during AND t.system <@ q.recorded"}[self.op]
        return (ROOM if self.title == "bookings" else "") + (
            "t.during && q.during" if self.op == "&&" else "t.during @> q.at")

    def sql(self, probes, first, each=False):
        """Return a statement for the first probes, with one answer or each probe's."""
        return ("SELECT %s FROM (SELECT * FROM %s WHERE n <= %d) q, LATERAL (SELECT count(*) AS n FROM %s t"
                " WHERE %s OFFSET 0) x" % ("string_agg(x.n::text, ';' ORDER BY q.n)" if each else
                                           "sum(x.n) || ' rows'", probes, first, self.table, self.condition()))


def of_ranges(args):
    """Return (name, run) of the indexes of a range alone."""
    span, tenth = GAP * args.rows, max(args.rows // 10, 1)
    window = {rows: max(rows * GAP - MEAN, 1) for rows in (1, 10, 1000)}
    yield "build of varied lengths", lambda b: build(b, "varied2", "varied lengths", METHODS, 2)
    scans = [Scan("varied2", "varied lengths", "&&", "1 row", 3000, span, window[1]),
             Scan("varied2", "varied lengths", "&&", "10 rows", 2000, span, window[10]),
             Scan("varied2", "varied lengths", "&&", "10 rows", 2000, span, window[10], "index-only"),
             Scan("varied2", "varied lengths", "&&", "1000 rows", 100, span, window[1000]),
             Scan("varied2", "varied lengths", "&&", "1000 rows", 100, span, window[1000], "bitmap"),
             Scan("varied2", "varied lengths", "@> element", "1 row", 3000, span),
             # tables of their own, where this number of ranges holds a moment
             Scan("dense_10", "varied lengths", "@> element", "10 rows", 2000, MEAN / 10 * tenth),
             Scan("dense_1000", "varied lengths", "@> element", "1000 rows", 100, MEAN / 1000 * tenth)]
    for one in scans:
        yield one.name, one
    yield "build of short ones", lambda b: build(b, "short2", "short ones", METHODS, 1)
    for one in (Scan("short2", "short ones", "&&", "10 rows", 2000, span, window[10]),
                Scan("short2", "short ones", "@> element", "1 row", 3000, span)):
        yield one.name, one
    yield "insert of varied lengths", lambda b: insert(b, "varied1", "varied lengths", METHODS)


def of_bookings(args):
    """Return (name, run) of the indexes of a room and a range; each room has a thousand reservations."""
    of_room = min(args.rows, 1000)
    window = {rows: max(rows * YEAR / of_room - MEAN_BOOKING, 1) for rows in (1, 10)}
    yield "build of bookings", lambda b: build(b, "reservations", "bookings", KEYED, 1)
    for one in (Scan("reservations", "bookings", "&&", "1 row", 3000, YEAR, window[1]),
                Scan("reservations", "bookings", "&&", "10 rows", 2000, YEAR, window[10]),
                Scan("reservations", "bookings", "@> element", "1 row", 3000, YEAR)):
        yield one.name, one
    yield "insert of bookings", lambda b: insert(b, "reservations", "bookings", KEYED)


def of_versions(args):
    """Return (name, run) of the indexes of two ranges of a bitemporal table."""
    span = GAP * args.rows
    yield "build of two ranges", lambda b: build(b, "versions", "two ranges", KEYED, 1)
    # at a random moment, three rows of ten are what the database says; the last two of five end
    for one in (Scan("versions", "two ranges", "&& and @>", "10 rows", 1000, span, max(33 * GAP - MEAN, 1)),
                Scan("versions", "two ranges", "<@ and <@", "10 rows", 1000, span, span * (25 / args.rows) ** 0.5)):
        yield one.name, one


def among(bench, cands):
    return [c for c in cands if cands is not KEYED or c != "gist" or bench.has_btree_gist]


def row_of(bench, what, section, unit, detail=""):
    return bench.row(what, section, unit, ("rtree",), ("gist", "spgist"), detail=detail)


def build(bench, table, title, cands, rounds):
    """Measure CREATE INDEX on the loaded table, and the size of the last index."""
    db, rows = bench.db, "%s rows" % short(bench.args.rows)
    bench.table(table)
    took = row_of(bench, "build %s" % title, BUILD, "s", rows)
    size = row_of(bench, "size %s" % title, BUILD, "MB", rows)
    cands = among(bench, cands)
    for i in range(min(rounds, bench.args.build_rounds)):
        for cand in bench.turns(i, cands):
            bench.drop_index(table, cand)
            db.run("CHECKPOINT")
            took.add(cand, bench.timed("command", bench.index_ddl(table, cand))[0] / 1000)
    for cand in cands:
        size.add(cand, int(db.value("SELECT pg_relation_size('%s_%s')" % (table, cand))) / 2 ** 20)
    for row, goal in ((took, "build"), (size, "size")):
        bench.report.keep(row)
        bench.goal(row, GOALS[goal])


def probes(bench, one):
    """Make a table of rooms, moments and windows around them; return its name and number of rows."""
    number = max(3 if one.number < 100 else 20, round(one.number * bench.args.share))
    rooms = bench.db.value("SELECT max(room) FROM %s" % one.table) if one.title == "bookings" else "1"
    half = SECONDS % repr(one.seconds / 2)
    more, known = "", ""
    if one.title == "two ranges":
        more, known = ", known, tsrange(known - %s, known + %s) AS recorded" % (half, half), ", {at} AS known"
    name = bench.made("probes_%s_%d_%d" % (one.table, one.seconds, number), (
        "SELECT n, room, at, tsrange(at - {half}, at + {half}) AS during" + more + " FROM (SELECT n,"
        " 1 + floor({rooms} * random())::int AS room, {at} AS at" + known +
        " FROM generate_series(1, {number}) n OFFSET 0) s"
    ).format(half=half, rooms=rooms, number=number, at=AFTER % ("%r * random()" % one.span)))
    return name, number


def scan(bench, one):
    bench.table(one.table)
    table, number = probes(bench, one)
    checked = one.sql(table, min(number, bench.args.checked), each=True)
    sql = one.sql(table, number)
    bench.force(one.table, "", "plain", checked)
    truth = bench.timed("query", checked)[1]
    row = row_of(bench, one.name, SCANS, "ms")
    cands = among(bench, one.cands)

    def use(cand, text):
        # ranges have no index-only scan by the access method
        plan = "plain" if (cand, one.plan) == ("rtree", "index-only") else one.plan
        bench.force(one.table, bench.index(one.table, cand), plan, text)

    read = {}
    for cand in cands:
        use(cand, checked)
        if bench.timed("query", checked)[1] != truth:
            bench.report.wrong.append("%s: %s differs from the sequential scan" % (row.name, cand))
        use(cand, sql)
        read[cand] = pages(bench, sql, "%s_%s" % (one.table, cand)) / number
        bench.timed("query", sql)
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, cands):
            use(cand, sql)
            ms, answer = bench.timed("query", sql)
            row.add(cand, ms / number, answer)
    bench.wrong(row)
    found = int(row.answers["rtree"].split()[0]) / number
    row.detail = "%s probes, %.1f rows each" % (format(number, ","), found)
    row.size = found
    bench.report.keep(row)
    if one.rows in GOALS and one.plan == "plain":
        bench.goal(row, GOALS[one.rows])
    bench.line("Pages of the scan node touched a probe, all in memory",
               ["row", *[bench.report.titles[c] for c in METHODS]],
               [row.name, *["%.1f" % read[c] if c in read else "–" for c in METHODS]])
    bench.plans.set({})


def pages(bench, sql, index):
    top = bench.db.explain(sql, "ANALYZE, BUFFERS, TIMING off, COSTS off")
    (node,) = [n for n in nodes(top) if n.get("Index Name") == index]
    return node["Shared Hit Blocks"] + node["Shared Read Blocks"]


def insert(bench, source, title, cands):
    """Insert as many rows again in one statement, into a table with the index just built."""
    rows = max(bench.args.rows // 10, 1)
    bench.table(source)
    row = row_of(bench, "insert %s" % title, INSERTS, "s", "%s rows into %s" % (short(rows), short(rows)))
    target = "reservations_target" if cands is KEYED else "target"
    for i in range(min(bench.args.build_rounds, 2)):
        for cand in bench.turns(i, among(bench, cands)):
            bench.db.run("DROP TABLE IF EXISTS %s" % target)
            bench.db.run("CHECKPOINT")
            bench.db.run("CREATE TABLE %s AS SELECT * FROM %s LIMIT %d" % (target, source, rows))
            bench.db.run(bench.index_ddl(target, cand))
            row.add(cand, bench.timed("command", "INSERT INTO %s SELECT * FROM %s OFFSET %d LIMIT %d" % (
                target, source, rows, rows))[0] / 1000)
            bench.db.run("DROP TABLE %s" % target)
    bench.report.keep(row)
