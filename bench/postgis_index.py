"""Indexes of geometries: building, size, and small probes, compared with GiST.

Probes run in PL/pgSQL functions whose statements are planned once, so that planning is
not measured:

    FOR q IN SELECT * FROM probes LOOP SELECT count(*) FROM t WHERE ST_Intersects(t.geom, q.w) ...
"""
from common import Failure, nodes
from postgis_base import KINDS, SCHEMA

# Candidate: access method.
CANDIDATES = {"rtree": "spqtree", "pgis_gist": "gist"}
PROBES = 2000
# A window around a place, and a distance, in meters (of EPSG:3857).
SIDE, DISTANCE = 100, 20
COUNT = "SELECT count(*) FROM {t} t WHERE "
ASKED = {
    "&& small window": COUNT + "t.geom && {w}",
    "ST_Intersects small window": COUNT + "ST_Intersects(t.geom, {w})",
    "ST_DWithin 20 m": COUNT + "ST_DWithin(t.geom, {p}, %d)" % DISTANCE,
    "nearest 10": "SELECT sum(d) FROM (SELECT t.geom <-> {p} AS d FROM {t} t ORDER BY t.geom <-> {p} LIMIT 10) s",
}
# Required ratios to GiST.
GOALS = {"ST_Intersects small window": 1.5, "nearest 10": 3, "build": 1, "size": 1}

def measurements():
    return [("index of %s" % kind, lambda b, k=kind: b.attempt(lambda b, _: index(b, k), "index of " + k))
            for kind in KINDS]


def index(bench, kind):
    bench.tables.geometry(kind)
    bench.db.run("SET spqtree.enable_hashjoin = on; SET enable_seqscan = off; SET enable_bitmapscan = off;"
                 " SET plan_cache_mode = force_generic_plan")
    try:
        build(bench, kind)
        probes(bench, kind)
    finally:
        bench.db.run("RESET enable_seqscan; RESET enable_bitmapscan; RESET plan_cache_mode")


def row_of(bench, kind, what, section, unit):
    return bench.row("%s, %s" % (kind, what), section, unit, ("rtree",), ("pgis_gist",))


def keep(bench, row, what):
    bench.report.keep(row)
    if what in GOALS:
        bench.goal(row, GOALS[what])


def build(bench, kind):
    """Measure CREATE INDEX on the loaded table, by one process; PostGIS's GiST build sorts."""
    took, size = [row_of(bench, kind, what, section, unit) for what, section, unit in (
        ("build", "Build", "s"), ("size", "Size", "MB"))]
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, list(CANDIDATES)):
            bench.db.run("DROP INDEX IF EXISTS %s.%s_%s" % (SCHEMA, kind, CANDIDATES[cand]))
            bench.db.run("CHECKPOINT")
            took.add(cand, bench.timed("command", bench.index_ddl(kind, CANDIDATES[cand]))[0] / 1000)
    for cand in CANDIDATES:
        size.add(cand, int(bench.db.value("SELECT pg_relation_size('%s.%s_%s')" % (SCHEMA, kind, CANDIDATES[cand]))) / 2 ** 20)
    took.detail = size.detail = "%s rows" % format(int(bench.db.value("SELECT count(*) FROM " + kind)), ",")
    keep(bench, took, "build")
    keep(bench, size, "size")


def asker(bench, kind, cand, number, text, type="geometry"):
    """Return a function that runs all probes by this candidate's index, planned only once."""
    name = "%s.ask_%s_%s_%d" % (SCHEMA, kind, cand, number)
    bench.db.run(
        "CREATE OR REPLACE FUNCTION %s() RETURNS text LANGUAGE plpgsql SET spqtree.enable_equivalents = %s AS $$ DECLARE q record; found float8;"
        " total float8 := 0; BEGIN FOR q IN SELECT * FROM %s.probes_%s ORDER BY n LOOP %s;"
        " total := total + coalesce(found, 0); END LOOP; RETURN round(total::numeric, 3); END $$" % (
            name, "on" if cand == "rtree" else "off", SCHEMA, kind, text.format(t=kind, w="q.w", p="q.p").replace(
                " FROM ", " INTO found FROM ", 1)))
    index = "%s_%s" % (kind, CANDIDATES[cand])
    bench.plans.show([kind], [index])
    bench.db.run("PREPARE asked (%s) AS " % type + text.format(t=kind, w="$1", p="$1"))
    found = [n.get("Index Name") for n in nodes(bench.db.explain(
        "EXECUTE asked (ST_SetSRID(ST_MakePoint(0, 0), %s))" % (
            "3857" if type == "geometry" else "4326"))) if n.get("Relation Name")]
    bench.db.run("DEALLOCATE asked")
    if found != [index]:
        raise Failure("%s, %s: the plan has %s" % (kind, text, found))
    bench.timed("query", "SELECT %s()" % name)
    return name


def probes(bench, kind):
    """Make windows and points around pseudo-random rows of the table."""
    number = max(20, round(PROBES * bench.args.share))
    bench.tables.ensure("probes_" + kind, "%d of %s v1" % (number, bench.args.most), lambda: bench.db.run(
        "CREATE TABLE {0}.probes_{1} AS SELECT row_number() OVER (ORDER BY h, id) AS n, p, ST_Expand(p, {2}) AS w FROM"
        " (SELECT id, hashint8extended(id, 42) AS h, ST_GeometryN(ST_Points(geom), 1) AS p FROM {1}"
        " ORDER BY h, id LIMIT {3}) s".format(SCHEMA, kind, SIDE / 2, number)))
    for asked, (what, text) in enumerate(ASKED.items()):
        row = row_of(bench, kind, what, "Small probes", "ms")
        names = {cand: asker(bench, kind, cand, asked, text) for cand in CANDIDATES}
        for i in range(bench.args.rounds):
            for cand in bench.turns(i, list(CANDIDATES)):
                ms, answer = bench.timed("query", "SELECT %s()" % names[cand])
                row.add(cand, ms / number, answer)
        bench.wrong(row, row.answers)
        mean = float(row.answers["pgis_gist"]) / number
        row.detail = "%s probes%s" % (format(number, ","), "" if what == "nearest 10" else ", %.1f rows each" % mean)
        keep(bench, row, what)
