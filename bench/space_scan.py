"""Building, windows and nearest neighbors in three dimensions.

Windows are searched by the best kind of scan of each candidate, which is index-only
for those that store the box, and by plain scans of all candidates.
"""
from space_base import ORDERS, TITLES
from report import short

# Side of windows that meet about ten and a hundred rows.
SIDES = {"u": (163, 411), "s": (48, 145), "city": (22, 110)}
NEAREST = "nearest 10"
CONDITIONS = {"rtree": "t.b && q.b", "seq": "t.b && q.b", "cube": "t.c && q.c",
              "pgis_nd": "t.g &&& q.g", "pgis_3d": "t.g &/& q.g"}
DISTANCES = {"rtree": "t.b <-> q.p", "seq": "t.b <-> q.p", "cube": "t.c <-> q.cp"}
COUNT, SUM = "x.n::text", "x.n || ' rows, ' || coalesce(round(x.d::numeric, 3), -1)"
# Number of probes that take long.
SLOW = 1000


def build(bench, kind):
    """Measure CREATE INDEX on the loaded table, and the size of the last index."""
    data, db, title = bench.heaps, bench.db, TITLES[kind]
    data.heap(kind)
    took = bench.row("build " + title, "Build", "s")
    size = bench.row("size " + title, "Size", "MB")
    cands = bench.among(kind)
    for cand in cands:
        data.twin(kind, cand)
    for i in range(min(bench.args.build_rounds, 2 if kind == "u" else 1)):
        for cand in bench.turns(i, cands):
            name = data.index_name(kind, cand)
            db.run("DROP INDEX IF EXISTS " + data.table(name))
            db.run("CHECKPOINT")
            took.add(cand, bench.timed("command", data.index_ddl(kind, cand))[0] / 1000)
            data.seen.add(name)
    for cand in cands:
        size.add(cand, megabytes(bench, data.index_name(kind, cand)))
    rows = int(db.value("SELECT count(*) FROM " + data.table(kind)))
    for row in (took, size):
        row.detail, row.size = "%s rows" % short(rows), rows
        bench.report.keep(row)
    if kind in ORDERS:
        return
    bench.goal(took, took.name, 5)
    if "rtree" in cands:
        bench.reached(size.name, "%.1f MB" % size.median("rtree"), "at most 60 MB of a million rows",
                      size.median("rtree") <= 60 * max(rows / 1e6, 0.1))


def megabytes(bench, index):
    return int(bench.db.value("SELECT pg_relation_size('%s')" % bench.heaps.table(index))) / 2 ** 20


def whole(inner, probes, number, one=COUNT, each=False):
    """Return a statement for this number of probes: the sum of their answers, or each."""
    return "SELECT %s FROM (SELECT * FROM %s WHERE n <= %d) q, LATERAL (%s OFFSET 0) x" % (
        "string_agg(%s, ';' ORDER BY q.n)" % one if each else "sum(x.n) || ' rows'", probes, number, inner)


def best_plan(cand):
    return "plain" if cand.startswith("pgis") else "index-only"


class Scan:
    def __init__(self, kind, rows, probes, side, plan):
        """rows: about the number that a window meets, or NEAREST.  plan: plain, or the best."""
        self.kind, self.rows, self.number, self.side, self.plan = kind, rows, probes, side, plan
        self.name = "%s %s%s" % (TITLES[kind], rows if rows == NEAREST else "&& " + rows,
                                 ", plain" if plan == "plain" else "")

    def asked(self, bench, cand):
        """Return a probe's question as SQL."""
        holder = bench.heaps.table(bench.heaps.twin(self.kind, cand))
        if self.rows == NEAREST:
            d = DISTANCES[cand]
            return ("SELECT count(*) AS n, sum(d) AS d FROM (SELECT %s AS d FROM %s t ORDER BY %s LIMIT 10) y"
                    % (d, holder, d))
        return "SELECT count(*) AS n FROM %s t WHERE %s" % (holder, CONDITIONS[cand])

    def run(self, bench):
        data = bench.heaps
        kind = data.heap(self.kind)
        half = self.side / 2
        probes, number = data.probes(
            "%s_%g" % (kind, self.side), "SELECT p, box3(x(p) - {0}, y(p) - {0}, z(p) - {0}, x(p) + {0},"
            " y(p) + {0}, z(p) + {0}) AS b FROM (SELECT center(b) AS p FROM ({1}) s) s".format(
                half, data.some(kind, "{number}")), self.number)
        nearest = self.rows == NEAREST
        row = bench.row(self.name, "Nearest" if nearest else "Small probes", "ms")
        measure(bench, row, kind, {cand: (self.asked(bench, cand), probes,
                                          self.plan if self.plan == "plain" else best_plan(cand),
                                          number if cand == "rtree" else min(number, SLOW))
                                   for cand in [*bench.among(kind), "seq"] if cand in (DISTANCES if nearest else CONDITIONS)},
                SUM if nearest else COUNT, 5 if self.kind == "u" else 3)
        if self.plan != "plain" and kind not in ORDERS:
            bench.goal(row, row.name, 50 if nearest else 20)


def measure(bench, row, kind, asked, one, rounds=99, seq=None):
    """asked: {candidate: (SQL of a probe, table of probes, plan, number)}; with that of a sequential scan.

    seq: the number that the sequential scan answers, if more than are compared.
    """
    data = bench.heaps
    few = min(bench.args.checked, min(number for _, _, _, number in asked.values()))
    kind_of = {cand: kind if isinstance(kind, str) else kind[cand] for cand in asked}
    texts, truth = {}, None
    for cand in ["seq", *[c for c in asked if c != "seq"]]:
        inner, probes, plan, number = asked[cand]
        if cand == "seq":
            number, plan = min(number, seq or few), "plain"
        texts[cand] = (whole(inner, data.table(probes), number, one), plan, number)
        each = whole(inner, data.table(probes), few, one, each=True)
        bench.use(kind_of[cand], cand, plan, each)
        found = bench.timed("query", each)[1]
        if cand == "seq":
            truth = found
        elif cand != "plane":
            compare(bench, row, cand, truth.split(";"), found.split(";"))
        if cand != "seq":           # to read it into memory
            bench.use(kind_of[cand], cand, plan, texts[cand][0])
            bench.timed("query", texts[cand][0])
    for i in range(min(bench.args.rounds, rounds)):
        for cand in bench.turns(i, list(texts)):
            if cand == "seq" and i > 0 and not seq:
                continue
            sql, plan, number = texts[cand]
            bench.use(kind_of[cand], cand, plan, sql)
            ms, answer = bench.timed("query", sql)
            row.add(cand, ms / number, answer)
    first = "rtree" if "rtree" in texts else "seq"
    number = texts[first][2]
    row.size = int(row.answers[first].split()[0]) / number
    row.detail = "%s probes, %.1f rows each" % (format(number, ","), row.size)
    bench.report.keep(row)
    return row


def compare(bench, row, cand, truth, found):
    unlike = sum(a != b for a, b in zip(truth, found)) + abs(len(truth) - len(found))
    if not unlike:
        return
    if cand == "pgis_nd":
        bench.report.note("space", "%s finds other rows than the sequential scan in some probes: its"
                          " boxes are float4" % bench.report.titles[cand])
        return
    text = "%s: %s differs from the sequential scan in %d of %d probes" % (
        row.name, bench.report.titles[cand], unlike, len(truth))
    if cand == "rtree":
        bench.report.wrong.append(text)
    bench.report.note("space", text)


def scans():
    found = []
    for kind, (small, large) in SIDES.items():
        found += [Scan(kind, "10 rows", 5000, small, "best"), Scan(kind, "10 rows", 5000, small, "plain"),
                  Scan(kind, "100 rows", 2000, large, "best"), Scan(kind, NEAREST, 2000, small, "best")]
    return found + [Scan(kind, what, number, SIDES["u"][0], "best") for kind in ORDERS
                    for what, number in (("10 rows", 5000), (NEAREST, 2000))]
