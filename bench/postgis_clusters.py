"""Clusters by DBSCAN: ST_ClusterDBSCAN with spqtree and without, and spqtree_cluster.

The answers are the numbers of clusters and of rows in none; tests compare the groups.
"""
from postgis_base import SCHEMA

POINTS = 1000000
NEIGHBORS = 20
# what, table, distance, rows that make a core, goal
CLUSTERS = (
    ("points, %d neighbors each, clusters" % NEIGHBORS, "cluster_points", (NEIGHBORS / 3.14159265) ** 0.5, 5, 5),
    ("polygons within 1 m, clusters", "polygons", 1, 1, 10),
)
WINDOW = ("SELECT max(cluster) + 1 || ' clusters, ' || count(*) - count(cluster) || ' rows in none' FROM"
          " (SELECT ST_ClusterDBSCAN(geom, {2}, {3}) OVER () AS cluster FROM {0}.{1}) s")
ASKED = {
    "ours": WINDOW,
    "function": "SELECT max(cluster) + 1 || ' clusters, ' || count(*) - count(cluster) || ' rows in none' FROM"
                " spqtree_cluster('SELECT id, geom FROM {0}.{1}', {2}, {3})",
    "postgis": WINDOW,
}


def measurements():
    return [(c[0], lambda b, what=c[0]: b.attempt(clusters, what)) for c in CLUSTERS]


def make(bench, table, number):
    """Make points in a square with one for each unit of area, in random order."""
    place = "(hashint8extended(id, %d) & 1073741823) / 1073741824.0 * %r"
    bench.db.run("CREATE TABLE %s.%s AS SELECT id, ST_MakePoint(%s, %s) AS geom FROM generate_series(1, %d) AS id" % (
        SCHEMA, table, place % (1, number ** 0.5), place % (2, number ** 0.5), number))


def clusters(bench, what):
    table, distance, minpoints, goal = next(c[1:] for c in CLUSTERS if c[0] == what)
    if table == "cluster_points":
        number = max(1000, round(POINTS * bench.args.share))
        bench.tables.ensure(table, "%d v1" % number, lambda: make(bench, table, number))
    else:
        table = bench.tables.geometry(table)
    row = bench.row(what, "Clusters", ours=("ours", "function"))
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, list(ASKED)):
            bench.db.run("SET spqtree.enable_equivalents = %s" % ("off" if cand == "postgis" else "on"))
            row.add(cand, *bench.timed("query", ASKED[cand].format(SCHEMA, table, distance, minpoints)))
        slowest = max(map(max, row.values.values()))
        if slowest > bench.args.slow and i >= 2 or slowest > 2 * bench.args.slow and i >= 1:
            break
    bench.db.run("RESET spqtree.enable_equivalents")
    bench.wrong(row, row.answers)
    row.detail = row.answers["ours"]
    bench.report.keep(row)
    bench.goal(row, goal)
