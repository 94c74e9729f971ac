"""Indexes of points, circles, polygons, segments and paths: the access method's classes and PostgreSQL's.

    u_types (id, p, c, y, s, w)     the centers of U, and shapes as large as its boxes
    u_types_p_rtree, u_types_p_gist, u_types_p_quad ...     an index for each class
"""
from index_scan import NEAREST, near, windows
from report import Row

SECTION = "Points and other shapes"
TABLE = "u_types"

# Candidates of each column: text after USING.  PostgreSQL has no classes for segments and paths.
INDEXES = {
    "p": {"rtree": "spqtree (p)", "gist": "gist (p)", "quad": "spgist (p quad_point_ops)",
          "kd": "spgist (p kd_point_ops)"},
    "c": {"rtree": "spqtree (c)", "gist": "gist (c)"},
    "y": {"rtree": "spqtree (y)", "gist": "gist (y)", "spgist": "spgist (y)"},
    "s": {"rtree": "spqtree (s)"},
    "w": {"rtree": "spqtree (w)"},
}
TYPES = {"p": "points", "c": "circles", "y": "polygons", "s": "segments", "w": "paths"}
TITLES = {"quad": "SP-GiST quad", "kd": "SP-GiST kd"}

# Query arguments for column t and probe q.
ARGUMENTS = {
    "p": "q.b", "c": "circle(q.p, ((q.b)[0] - (q.b)[1])[0] / 2)", "y": "polygon(q.b)",
    "s": "lseg((q.b)[0], (q.b)[1])", "w": "path(polygon(q.b))"}
OPERATORS = {"p": "<@", "c": "&&", "y": "&&", "s": "?#", "w": "?#"}


def measurements(args):
    """Return (name, run) of each."""
    at = windows(args)["u"]
    asked = [("p", "<@", rows, at[rows], "index-only")
             for rows in ("1 row", "10 rows", "100 rows", "1000 rows")]
    asked += [("p", NEAREST + k, "", near("u", k), "index-only") for k in ("1", "10", "100")]
    for column in "cysw":
        asked += [(column, OPERATORS[column], rows, at[rows], "plain")
                  for rows in ("1 row", "10 rows", "1000 rows")]
        asked += [(column, NEAREST + "10", "", near("u"), "plain")]
    for column, op, rows, probes, plan in asked:
        name = " ".join(filter(None, (TYPES[column], op, rows))) + ", " + plan
        yield name, lambda b, c=column, o=op, q=probes, p=plan, n=name: types(b, c, o, q, p, n)


def sql_of(column, op, table, probes, first=0, each=False):
    source = probes if not first else "(SELECT * FROM %s WHERE n <= %d)" % (probes, first)
    if op.startswith(NEAREST):
        d = "t.%s <-> q.p" % column
        inner = ("(SELECT count(*) AS n, sum(d) AS d FROM (SELECT %s AS d FROM %s t ORDER BY %s"
                 " LIMIT %s) y OFFSET 0)" % (d, table, d, op[len(NEAREST):]))
        one = "x.n || ' rows, ' || round(x.d::numeric, 4)"
    else:
        inner = ("(SELECT count(*) AS n FROM (SELECT t.%s FROM %s t WHERE t.%s %s %s OFFSET 0) y"
                 " OFFSET 0)" % (column, table, column, op, ARGUMENTS[column]))
        one = "x.n::text"
    return "SELECT %s FROM %s q, LATERAL %s x" % (
        "string_agg(%s, ';' ORDER BY q.n)" % one if each else "sum(x.n) || ' rows'", source, inner)


def make(bench):
    data = bench.heaps
    table = data.table(TABLE)
    heap = data.table(data.heap("u"))
    data.ensure(TABLE, "shapes of %s" % heap, lambda: (
        bench.db.run("CREATE TABLE %s AS SELECT id, center(b) AS p, circle(center(b), width(b) / 2)"
                     " AS c, polygon(b) AS y, lseg(b[0], b[1]) AS s, path(polygon(b)) AS w FROM %s"
                     % (table, heap)),
        bench.db.run("VACUUM ANALYZE %s" % table)))
    return table


def indexed(bench, column, cand):
    """Return the name of the index; make it if needed."""
    index = "%s_%s_%s" % (TABLE, column, cand)
    if bench.db.value("SELECT to_regclass('%s')" % bench.heaps.table(index)) in (None, ""):
        bench.db.run("CREATE INDEX %s ON %s USING %s" % (index, bench.heaps.table(TABLE), INDEXES[column][cand]))
    return index


def types(bench, column, op, probes, plan, name):
    """Measure one row of the table."""
    data = bench.heaps
    table = make(bench)
    probes, number = data.probes(*probes)
    probes = data.table(probes)
    bench.report.titles.update(TITLES)
    cands = INDEXES[column]
    row = Row("index: " + name, SECTION, "ms", ("rtree",), [c for c in cands if c != "rtree"],
              "less", "%s probes" % format(number, ","))
    few = min(number, bench.args.checked)
    sql = sql_of(column, op, table, probes)
    tested = sql_of(column, op, table, probes, few, each=True)
    bench.force(TABLE, "", plan, tested)
    truth = bench.timed("query", tested)[1]
    for cand in cands:
        bench.force(TABLE, indexed(bench, column, cand), plan, tested)
        if bench.timed("query", tested)[1] != truth:
            bench.report.wrong.append("%s: %s differs from the sequential scan" % (row.name, cand))
    for i in range(min(bench.args.rounds, 3)):
        for cand in bench.turns(i, list(cands)):
            bench.force(TABLE, indexed(bench, column, cand), plan, sql)
            ms, answer = bench.timed("query", sql)
            row.add(cand, ms / number, answer)
    bench.report.keep(row)
