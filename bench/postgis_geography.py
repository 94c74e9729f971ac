"""Indexes of geographies: small probes, compared with GiST.

The geographies are the geometries of the other measurements, in degrees.  Probes are
those of postgis_index.py: functions whose statements are planned once.
"""
from postgis_base import SCHEMA
from postgis_index import CANDIDATES, COUNT, PROBES, asker

KINDS = ("lines", "points")
# Radius of a window, and distances, in meters.
RADIUS = 50
ASKED = {
    "&& small window": COUNT + "t.geom && {w}",
    "ST_DWithin 20 m": COUNT + "ST_DWithin(t.geom, {p}, 20)",
    "ST_DWithin 100 m": COUNT + "ST_DWithin(t.geom, {p}, 100)",
}
GOAL = 1.3


def measurements():
    return [("geographies, %s" % kind, lambda b, k=kind: b.attempt(lambda b, _: index(b, k), "geographies, " + k))
            for kind in KINDS]


def index(bench, kind):
    bench.tables.geometry(kind)
    table = kind + "_geog"
    bench.tables.ensure(table, "%s of %s v1" % (table, bench.args.most), lambda: bench.db.run(
        "CREATE TABLE {0}.{1} AS SELECT id, ST_Transform(geom, 4326)::geography AS geom FROM {2} ORDER BY"
        " hashint8extended(id, 7), id".format(SCHEMA, table, kind)))
    for method in CANDIDATES.values():
        bench.index(table, method)
    bench.db.run("SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan")
    try:
        probes(bench, kind, table)
    finally:
        bench.db.run("RESET enable_seqscan; RESET enable_bitmapscan; RESET plan_cache_mode")


def probes(bench, kind, table):
    """Make windows and points around pseudo-random rows of the table."""
    number = max(20, round(PROBES * bench.args.share))
    bench.tables.ensure("probes_" + table, "%d of %s v1" % (number, bench.args.most), lambda: bench.db.run(
        "CREATE TABLE {0}.probes_{1} AS SELECT row_number() OVER (ORDER BY h, id) AS n, p, ST_Buffer(p, {2}) AS w FROM"
        " (SELECT id, hashint8extended(id, 42) AS h, ST_GeometryN(ST_Points(geom::geometry), 1)::geography AS p FROM {1}"
        " ORDER BY h, id LIMIT {3}) s".format(SCHEMA, table, RADIUS, number)))
    for asked, (what, text) in enumerate(ASKED.items()):
        row = bench.row("%s as geographies, %s" % (kind, what), "Small probes", "ms", ("rtree",), ("pgis_gist",))
        names = {cand: asker(bench, table, cand, asked, text, "geography") for cand in CANDIDATES}
        for i in range(bench.args.rounds):
            for cand in bench.turns(i, list(CANDIDATES)):
                ms, answer = bench.timed("query", "SELECT %s()" % names[cand])
                row.add(cand, ms / number, answer)
        bench.wrong(row, row.answers)
        row.detail = "%s probes, %.1f rows each" % (format(number, ","), float(row.answers["pgis_gist"]) / number)
        bench.report.keep(row)
        bench.goal(row, GOAL)
