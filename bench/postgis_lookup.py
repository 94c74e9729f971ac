"""Single look-ups: which polygons contain a point, with our predicate and with PostGIS' own.

Both use the same GiST index and the same plan, and each look-up is an execution of its
own, so nothing that a predicate keeps serves more than one of them.
"""
from postgis_base import SCHEMA
from postgis_index import PROBES

# Vertices of a polygon; the polygons of a table lie so that about five contain a point.
VERTICES = (5, 20, 100, 500)
POLYGONS = 10000
HITS = 5
ASKED = {
    "ST_Contains": "ST_Contains(t.geom, q.p)",
    "ST_DWithin": "ST_DWithin(t.geom, q.p, 1)",
}
CANDIDATES = {"predicate": "on", "own": "off"}
GOALS = {"ST_Contains": 1 / 1.05}


def measurements():
    return [("look-ups, %d vertices" % n, lambda b, n=n: b.attempt(lambda b, _: lookups(b, n), "look-ups"))
            for n in VERTICES]


def make(bench, table, vertices, polygons):
    """Make polygons around places of a square: the radius varies by a third, so does each vertex."""
    number = "(hashint8extended(%s, %d) & 1048575) / 1048576.0"
    bench.db.run(
        "CREATE TABLE {schema}.{table} AS SELECT id, ST_SetSRID(ST_MakePolygon(ST_AddPoint(l, ST_StartPoint(l))), 3857) AS geom"
        " FROM (SELECT id, ST_MakeLine(ST_MakePoint(x + r * s * cos(2 * pi() * k / {n}), y + r * s * sin(2 * pi() * k / {n}))"
        " ORDER BY k) AS l FROM (SELECT id, {side} * {x} AS x, {side} * {y} AS y, 100 * (0.8 + 0.4 * {radius}) AS r"
        " FROM generate_series(1, {polygons}) AS id) p, LATERAL (SELECT k, 0.8 + 0.4 * {vertex} AS s"
        " FROM generate_series(1, {n}) AS k) v GROUP BY id) s".format(
            schema=SCHEMA, table=table, n=vertices, polygons=polygons,
            side=(3.14159 * 100 ** 2 * polygons / HITS) ** 0.5, x=number % ("id", 1), y=number % ("id", 2),
            radius=number % ("id", 3), vertex=number % ("id * 1000 + k", 4)))


def lookups(bench, vertices):
    number = max(20, round(PROBES * bench.args.share))
    polygons = max(200, round(POLYGONS * bench.args.share))
    table = "rings_%d" % vertices
    bench.tables.ensure(table, "%d v1" % polygons, lambda: make(bench, table, vertices, polygons))
    bench.tables.ensure("points_of_" + table, "%d of %d v1" % (number, polygons), lambda: bench.db.run(
        "CREATE TABLE {0}.points_of_{1} AS SELECT id AS n, ST_Centroid(geom) AS p FROM {1}"
        " ORDER BY hashint8extended(id, 42) LIMIT {2}".format(SCHEMA, table, number)))
    bench.plans.show([table], [bench.index(table, "gist")])
    bench.db.run("SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan")
    try:
        for what, condition in ASKED.items():
            measure(bench, table, vertices, number, what, condition)
    finally:
        bench.db.run("RESET enable_seqscan; RESET enable_bitmapscan; RESET plan_cache_mode")


def measure(bench, table, vertices, number, what, condition):
    row = bench.row("polygons of %d vertices, look-up by %s" % (vertices, what), "Look-ups",
                    ours=("predicate",), rivals=("own",))
    names = {}
    for cand, enabled in CANDIDATES.items():
        names[cand] = "%s.look_up_%s_%s_%s" % (SCHEMA, table, what.lower(), cand)
        bench.db.run(
            "CREATE OR REPLACE FUNCTION %s() RETURNS text LANGUAGE plpgsql SET spqtree.enable_equivalents = %s AS $$ DECLARE q record;"
            " found bigint; total bigint := 0; BEGIN FOR q IN SELECT * FROM %s.points_of_%s ORDER BY n LOOP SELECT count(*)"
            " INTO found FROM %s t WHERE %s; total := total + found; END LOOP; RETURN total; END $$" % (
                names[cand], enabled, SCHEMA, table, table, condition))
        bench.timed("query", "SELECT %s()" % names[cand])
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, list(CANDIDATES)):
            ms, answer = bench.timed("query", "SELECT %s()" % names[cand])
            row.add(cand, ms / number, answer)
    bench.wrong(row, row.answers)
    row.detail = "%s look-ups, %.1f rows each" % (format(number, ","), float(row.answers["own"]) / number)
    bench.report.keep(row)
    if what in GOALS:
        bench.goal(row, GOALS[what])
