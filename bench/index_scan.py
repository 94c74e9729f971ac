"""Scans: one statement runs a whole set of probes, so that parsing and planning do not count.

The candidates take turns within a round, every second round in the opposite
order.  A sequential scan of the first few probes computes the correct answers.
"""
from common import Failure, nodes
from index_base import BOXES, ORDERS, OURS, SCHEMA, TITLES, on_geometry

# Operators of geometries that have other names.
GEOMETRY = {"<@": "@", "@>": "~"}
# &< and similar operators follow the same code path as these.
DIRECTIONS = {"<<": "left", ">>": "right", "<<|": "below", "|>>": "above"}
INPUTS = ("u", "s", "roads", "buildings")
# Sides of windows that find about 1, 100 and 1000 rows, and 1 % of all.
ROADS, BUILDINGS, S_1P = (5, 1000, 4400, 7200), (1, 500, 2150), 9500
NEAREST = "nearest "
# In the window of a probe: a circle, a triangle, its diagonal.  The condition with our
# operator, and the best one with PostgreSQL's.
SHAPES = {
    "&& circle": ("t.b && q.c", "t.b && q.b AND (t.b <-> q.p) <= q.r"),
    "&& polygon": ("t.b && q.t", "t.b && q.tb AND polygon(t.b) && q.t"),
    "<@ polygon": ("t.b <@ q.t", "t.b <@ q.tb AND polygon(t.b) <@ q.t"),
    "?# lseg": ("t.b ?# q.s", "t.b && q.b AND q.s ?# t.b"),
    "dwithin point": ("spqtree_dwithin(t.b, q.p, q.r)", "t.b && q.b AND (t.b <-> q.p) <= q.r"),
}
SHAPES_OF = ("(SELECT *, box(t) AS tb FROM (SELECT *, circle(p, width(b) / 2) AS c, width(b) / 2 AS r,"
             " polygon(3, circle(p, width(b) / 2)) AS t, lseg(b[0], b[1]) AS s FROM %s z) z OFFSET 0)")


def condition(op, cand):
    if on_geometry(cand):
        return "t.g ~ q.gp" if op == "@> point" else "t.g %s q.g" % GEOMETRY.get(op, op)
    if op == "@> point":            # the built-in classes lack it
        return "t.b @> q.p" if cand in OURS or cand == "seq" else "t.b && box(q.p, q.p)"
    if op in SHAPES:
        return SHAPES[op][cand != "rtree"]
    return "t.b %s q.b" % op


def scan_sql(op, cand, holder, probes, first=0, each=False):
    """Return a statement for all probes or the first few, with one answer or each probe's."""
    source = "%s.%s" % (SCHEMA, probes)
    if first:
        source = "(SELECT * FROM %s WHERE n <= %d)" % (source, first)
    if op in SHAPES:
        source = SHAPES_OF % source
    if op.startswith(NEAREST):
        d = "t.g <-> q.gp" if on_geometry(cand) else "t.b <-> q.p"
        inner = ("(SELECT count(*) AS n, sum(d) AS d FROM (SELECT %s AS d FROM %s.%s t ORDER BY %s"
                 " LIMIT %s) y OFFSET 0)" % (d, SCHEMA, holder, d, op[len(NEAREST):]))
        one, all_of = "x.n || ' rows, ' || round(x.d::numeric, 4)", "sum(x.n) || ' rows'"
    else:
        inner = "(SELECT count(*) AS n FROM %s.%s t WHERE %s OFFSET 0)" % (
            SCHEMA, holder, condition(op, cand))
        one, all_of = "x.n::text", "sum(x.n) || ' rows'"
    return "SELECT %s FROM %s q, LATERAL %s x" % (
        "string_agg(%s, ';' ORDER BY q.n)" % one if each else all_of, source, inner)


def titled(kind, order, grown=False):
    return " ".join(filter(None, (TITLES[kind], order, "grown" if grown else "")))


class Scan:
    """One row of a table: data, order of its rows, operator, probes, kind of plan."""

    def __init__(self, kind, op, rows, probes, plan, order="", suffix="", section=None,
                 among=None, grown=False, rounds=99):
        """among: the candidates, if not all.  grown: the indexes were grown by insertion.

        rounds: the maximum number.
        """
        self.kind, self.op, self.probes, self.plan, self.order = kind, op, probes, plan, order
        self.among, self.grown, self.rounds = among, grown, rounds
        what = op if op.startswith(NEAREST) else "%s %s" % (op, rows)
        self.name = "%s %s, %s%s" % (titled(kind, order, grown), what, plan, suffix)
        self.section = section or "Scans, %s" % plan

    def applies(self, cand):
        if self.among and cand not in self.among:
            return False
        if cand == "seq":
            return self.plan == "plain" and not self.order
        if self.plan == "index-only" and on_geometry(cand):
            return False            # it does not store the box
        return not (self.op.startswith(NEAREST) and cand == "pgis_spgist")

    def run(self, bench):
        heap = bench.heaps.heap(self.kind, self.order)
        measure(bench, self, heap)


def measure(bench, scan, heap):
    """heap: the name of a table, or a function that returns that of each candidate."""
    heaps, args = bench.heaps, bench.args
    at = heap if callable(heap) else lambda cand: heap
    probes, number = heaps.probes(*scan.probes)
    row = bench.row(scan.name, scan.section, "ms")
    few = min(number, args.checked)
    sql, buffers = {}, {}
    truth = answers(bench, scan, at("seq"), "seq", probes, few)
    for cand in [c for c in bench.cands if scan.applies(c)]:
        text = scan_sql(scan.op, cand, heaps.holder(at(cand), cand), probes,
                        few if cand == "seq" else 0)
        if not bench.choose(at(cand), cand, scan.plan, text):
            bench.report.note("index", "%s: no %s scan by %s" % (
                row.name, scan.plan, bench.report.titles[cand]))
            continue
        sql[cand] = text
        if cand != "seq":
            buffers[cand] = touched(bench, text, at(cand), cand)
            compare(bench, row, cand, truth,
                    answers(bench, scan, at(cand), cand, probes, few))
        # both have read everything, so the cache is warm
    for i in range(min(args.rounds, scan.rounds)):
        for cand in bench.turns(i, list(sql)):
            if cand == "seq" and i > 0:
                continue
            bench.choose(at(cand), cand, scan.plan, sql[cand])
            ms, answer = bench.timed("query", sql[cand])
            row.add(cand, ms / (few if cand == "seq" else number),
                    None if cand == "seq" else answer)
    rows = int(row.answers["spqtree"].split()[0]) if row.answers.get("spqtree") else 0
    row.detail = "%s probes, %.1f rows each" % (format(number, ","), rows / number)
    row.size = rows / number
    bench.report.keep(row)
    if buffers:
        cands = [c for c in bench.cands if c != "seq"]
        bench.report.line("index", "Pages of the scan node touched a probe, all in memory",
                          ["row", *[bench.report.titles[c] for c in cands]],
                          [row.name, *["%.1f" % buffers[c] if c in buffers else "–"
                                       for c in cands]])


def answers(bench, scan, heap, cand, probes, few):
    """Return the answer of each of the first few probes."""
    text = scan_sql(scan.op, cand, bench.heaps.holder(heap, cand), probes, few, each=True)
    bench.choose(heap, cand, scan.plan, text)
    return bench.timed("query", text)[1].split(";")


def compare(bench, row, cand, truth, found):
    unlike = sum(a != b for a, b in zip(truth, found)) + abs(len(truth) - len(found))
    if not unlike:
        return
    if on_geometry(cand):
        bench.report.note("index", "%s finds other rows than the sequential scan of boxes in some"
                          " probes: its keys are float4, the boxes are float8"
                          % bench.report.titles[cand])
        return
    text = "%s: %s differs from the sequential scan in %d of %d probes" % (
        row.name, bench.report.titles[cand], unlike, len(truth))
    if cand in OURS:
        bench.report.wrong.append(text)
    bench.report.note(row.file, text)


def touched(bench, sql, heap, cand):
    """Return the pages per probe of the scan node (bitmap: of the index only)."""
    top = bench.db.explain(sql, "ANALYZE, BUFFERS, TIMING off, COSTS off")
    (node,) = [n for n in nodes(top)
               if n.get("Index Name") == "%s_%s" % (bench.heaps.holder(heap, cand), cand)]
    if node.get("Heap Fetches", 0):
        raise Failure("%s: %d heap fetches in an index-only scan: is an old transaction"
                      " open on this server?" % (heap, node["Heap Fetches"]))
    return (node["Shared Hit Blocks"] + node["Shared Read Blocks"]) / node["Actual Loops"]


def cold(bench, scan):
    """Measure the blocks per probe that a freshly started server reads.

    It measures no time, because the operating system's cache is warm.
    """
    heap = bench.heaps.heap(scan.kind)
    probes, number = bench.heaps.probes(*scan.probes)
    few = min(number, 200)
    row = bench.row(scan.name + ", cold", "Cold cache: blocks read a probe", "blocks",
                    "%d probes after a restart" % few)
    for cand in [c for c in bench.cands if c != "seq" and scan.applies(c)]:
        bench.heaps.index(heap, cand)
        bench.db.close()
        bench.server.restart()
        bench.connect()
        text = scan_sql(scan.op, cand, bench.heaps.holder(heap, cand), probes, few)
        if not bench.choose(heap, cand, scan.plan, text):
            continue
        top = bench.db.explain(text, "ANALYZE, BUFFERS, TIMING off, COSTS off")
        (node,) = [n for n in nodes(top)
                   if n.get("Index Name") == "%s_%s" % (bench.heaps.holder(heap, cand), cand)]
        row.add(cand, node["Shared Read Blocks"] / few)
    bench.report.keep(row)


# --- what is measured ---------------------------------------------------

def windows(args):
    """Return probes by data and rows found; the number in a row's name is a size, not a count."""
    side = 1e5 * (args.rows / 1e6) ** 0.5
    share = lambda part: side * part ** 0.5 - 50    # a square that meets this share of U
    return {
        "u": {"1 row": ("u_1", "u", "center", 10000, 5),
              "10 rows": ("u_10", "u", "center", 6000, 245),
              "100 rows": ("u_100", "u", "center", 2000, 950),
              "1000 rows": ("u_1000", "u", "center", 200, 3110),
              "1 % of the rows": ("u_1p", "u", "center", 20, share(0.01)),
              "10 % of the rows": ("u_10p", "u", "center", 4, share(0.1))},
        "s": {"2 rows": ("s_1", "s", "center", 6000, 5),
              "10 rows": ("s_10", "s", "center", 8000, 65),
              "40 rows": ("s_40", "s", "center", 4000, 160),
              "100 rows": ("s_100", "s", "center", 2000, 270),
              "1000 rows": ("s_1000", "s", "center", 200, 1100),
              "1 % of the rows": ("s_1p", "s", "center", 20, S_1P * (args.rows / 1e6) ** 0.5)},
        "roads": {"3 rows": ("roads_1", "roads", "center", 10000, ROADS[0]),
                  "20 rows": ("roads", "roads", "center", 5000, 250),
                  "100 rows": ("roads_100", "roads", "center", 2000, ROADS[1]),
                  "1000 rows": ("roads_1000", "roads", "center", 300, ROADS[2]),
                  "1 % of the rows": ("roads_1p", "roads", "center", 20, ROADS[3])},
        "buildings": {"1 row": ("buildings_1", "buildings", "center", 10000, BUILDINGS[0]),
                      "10 rows": ("buildings", "buildings", "center", 5000, 100),
                      "100 rows": ("buildings_100", "buildings", "center", 2000, BUILDINGS[1]),
                      # which is 1 %
                      "1000 rows": ("buildings_1000", "buildings", "center", 300, BUILDINGS[2])},
    }


def near(kind, k="10", number=2000):
    number = number if k != "100" else number // 4
    return ("%s_near_%d" % (kind, number), kind, "center", number)


def scans(args):
    """Return all scans of indexes that were built."""
    found = in_full(args)
    names = {s.name for s in found}
    for kind in INPUTS:
        for order in ("", *(o for o in ORDERS if o and kind in ("u", "s"))):
            found += [s for s in each_operator(args, kind, order) if s.name not in names]
    return found


def in_full(args):
    """Return the scans by all candidates, of random, clustered and real boxes in random order."""
    at = windows(args)
    overlap, itself = at["u"], ("u_itself", "u", "itself", 6000)
    found = []
    for plan in ("index-only", "plain", "bitmap"):
        found += [Scan("u", "&&", rows, probes, plan) for rows, probes in overlap.items()
                  if plan != "bitmap" or rows in ("10 rows", "1000 rows", "10 % of the rows")]
        found += [Scan("s", "&&", rows, at["s"][rows], plan) for rows in ("40 rows", "1000 rows")
                  if plan != "bitmap" or rows == "1000 rows"]
        found += [Scan("roads", "&&", "20 rows", at["roads"]["20 rows"], plan),
                  Scan("buildings", "&&", "10 rows", at["buildings"]["10 rows"], plan),
                  Scan("same", "&&", "all rows", ("same_all", "same", "center", 5, 1), plan)]
    for plan in ("index-only", "plain"):
        found += [Scan("u", NEAREST + k, "", near("u", k), plan) for k in ("1", "10", "100")]
        found += [Scan(kind, NEAREST + "10", "", near(kind), plan) for kind in ("s", "roads")]
        found += [Scan("u", "<@", "80 rows", overlap["100 rows"], plan),
                  Scan("u", "@>", "1 row", overlap["1 row"], plan),
                  Scan("u", "~=", "1 row", itself, plan),
                  Scan("u", "@> point", "1 row", overlap["1 row"], plan),
                  Scan("s", "<@", "20 rows", at["s"]["40 rows"], plan),
                  Scan("s", "@>", "1 row", at["s"]["2 rows"], plan),
                  Scan("s", "@> point", "2 rows", at["s"]["2 rows"], plan)]
    return found + by_shapes(args) + [
        Scan("u", op, "1 % of the rows", ("u_" + where, "u", where, 20), "plain")
        for op, where in DIRECTIONS.items()]


def each_operator(args, kind, order="", grown=False):
    """Return the same list for every kind of input, by indexes on boxes, with few probes."""
    at = windows(args)[kind]
    few = {rows: (name + "_few", base, how, min(number, 2000), side)
           for rows, (name, base, how, number, side) in at.items()}
    least, inside = next(iter(few)), {"s": "60 rows", "roads": "70 rows"}.get(kind, "80 rows")
    section = ("Scans of indexes grown by insertion" if grown else
               "Scans of tables sorted by x or along a Z-curve" if order else None)

    def scan(op, rows, probes, plan):
        return Scan(kind, op, rows, probes, plan, order, section=section, among=BOXES, grown=grown,
                    rounds=3)

    found = [scan("&&", rows, few[rows], "index-only") for rows in few
             if not rows.startswith(("40 ", "10 %"))]
    found += [scan(NEAREST + k, "", near(kind, k), "index-only") for k in ("1", "10", "100")]
    found += [scan("<@", inside, few["100 rows"], "index-only"),
              scan("@> point", least, few[least], "index-only")]
    return found + [scan("&&", rows, few[rows], "plain") for rows in few
                    if rows in ("10 rows", "20 rows", "1000 rows")]


def by_shapes(args):
    """Return scans by circles, polygons and segments in windows of the size in the row's name."""
    at = windows(args)
    return [Scan(kind, op, rows, at[kind][rows], plan, section="Scans by other shapes",
                 among=(*BOXES, "seq"), rounds=3)
            for plan in ("index-only", "plain") for op in SHAPES
            for kind, rows in (("u", "100 rows"), ("u", "1000 rows"), ("s", "1000 rows"))
            if plan == "index-only" or (kind, rows) == ("u", "1000 rows")]


def cold_scans(args):
    at = windows(args)
    found = [Scan("u", "&&", rows, at["u"][rows], plan)
             for plan in ("index-only", "plain") for rows in ("10 rows", "1000 rows")]
    return found + [Scan("u", NEAREST + "10", "", near("u"), "index-only", among=BOXES),
                    Scan("s", "&&", "40 rows", at["s"]["40 rows"], "index-only", among=BOXES),
                    Scan("roads", "&&", "20 rows", at["roads"]["20 rows"], "index-only",
                         among=BOXES)]
