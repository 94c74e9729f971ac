"""Neighbors of an object through the nodes of an index, compared with a search by the index.

Nodes of a tree know their bounds, so the nodes whose bounds touch a node's contain all
objects near its own.  Are these found faster than by a window?
"""
import time

from join_base import SCHEMA

SECTION = "Neighbors of an object, through nodes and by search"
KINDS = {"rtree": "USING spqtree", "spq": "spgist, quadtree"}
DISTANCE, PROBES = 50, 500
SEED = 0.625
TITLES = {"window": "search by the index", "nodes_kept": "neighbors of nodes, in a table",
          "nodes_read": "spqtree_nodes() at each search"}
WINDOW = ("SELECT count(*) FROM %(t)s_probes o, LATERAL (SELECT FROM %(t)s x"
          " WHERE spqtree_dwithin(x.b, o.b, %(d)d) OFFSET 0) y")
# the objects of neighboring nodes are stored by node, in memory like the index
KEPT = ("SELECT count(*) FROM %(t)s_probes o, LATERAL (SELECT FROM %(h)s_home h"
        " JOIN %(h)s_touching t ON t.node = h.node JOIN %(h)s_home x ON x.node = t.neighbor"
        " WHERE h.id = o.id AND spqtree_dwithin(x.b, o.b, %(d)d) OFFSET 0) y")
# the objects of a node are found by a window of its bounds
READ = ("SELECT count(*) FROM (SELECT * FROM %(t)s_probes ORDER BY id LIMIT %(few)d) o, LATERAL ("
        "SELECT DISTINCT x.id FROM spqtree_nodes('%(i)s') m JOIN spqtree_nodes('%(i)s') n"
        " ON n.bounds && spqtree_expand(m.bounds, %(d)d) JOIN %(t)s x ON x.b <@ n.bounds"
        " WHERE m.kind = 'leaf' AND n.kind = 'leaf' AND m.bounds @> o.b"
        " AND spqtree_dwithin(x.b, o.b, %(d)d)) y")
FEW = 3


def neighbors(bench, kind):
    db = bench.db
    table = "%s.neighbors_%d" % (SCHEMA, bench.args.rows // 10)
    name = table.split(".")[1]

    def make():
        db.run("CREATE TABLE %s AS SELECT id, b FROM %s" % (
            table, bench.loaded("u1", max(bench.args.rows // 10, 1))))
        db.run("SELECT setseed(%s)" % SEED)
        db.run("DROP TABLE IF EXISTS %s_probes" % table)
        db.run("CREATE TABLE %s_probes AS SELECT * FROM %s ORDER BY random() LIMIT %d"
               % (table, table, PROBES))
        db.run("VACUUM ANALYZE %s_probes" % name)
    bench.data(bench.args.rows).ensure(name, "neighbors v1", make)
    index = bench.index(name, "b", kind)
    home = "%s_%s" % (table, kind)
    words = {"t": table, "h": home, "i": index, "d": DISTANCE, "few": FEW}
    # only one candidate at a time has the index
    other = next(k for k in KINDS if k != kind)
    if db.value("SELECT to_regclass('%s.%s_%s')" % (SCHEMA, name, other)):
        db.run("DROP INDEX %s_%s" % (name, other))
    started = time.time()
    db.run("DROP TABLE IF EXISTS %s_nodes, %s_home, %s_touching" % (home, home, home))
    db.run("CREATE TABLE %s_nodes AS SELECT row_number() OVER () AS node, bounds, cell"
           " FROM spqtree_nodes('%s') WHERE kind = 'leaf' AND NOT null_keys" % (home, index))
    # any node that encloses a box may be its home: if boxes are near, so are the bounds
    db.run("CREATE TABLE %s_home AS SELECT DISTINCT ON (x.id) x.id, n.node, x.b FROM %s x JOIN %s_nodes n"
           " ON n.bounds @> x.b ORDER BY x.id, area(n.bounds)" % (home, table, home))
    db.run("CREATE TABLE %s_touching AS SELECT m.node, n.node AS neighbor FROM %s_nodes m"
           " JOIN %s_nodes n ON n.bounds && spqtree_expand(m.bounds, %d)" % (home, home, home, DISTANCE))
    db.run("CREATE INDEX ON %s_home (id)" % home)
    db.run("CREATE INDEX ON %s_home (node) INCLUDE (b)" % home)
    db.run("CREATE INDEX ON %s_touching (node) INCLUDE (neighbor)" % home)
    db.run("VACUUM ANALYZE %s_home, %s_touching, %s_nodes" % (home, home, home))
    built = time.time() - started
    bench.report.titles.update(TITLES)
    probes = int(db.value("SELECT count(*) FROM %s_probes" % table))
    row = bench.row("neighbors within %d, %s" % (DISTANCE, KINDS[kind]), SECTION, ("window",),
                    ("nodes_kept", "nodes_read"))
    found = {}
    for switch in ("spqtree.enable_hashjoin", "enable_seqscan", "enable_hashjoin", "enable_mergejoin"):
        db.run("SET %s = off" % switch)
    for i in range(bench.args.rounds + 1):
        for candidate, sql, share in bench.turns(i, [("window", WINDOW, probes), ("nodes_kept", KEPT, probes)]):
            ms, answer = bench.timed("query", sql % words)
            found[candidate] = answer
            if i > 0:
                row.add(candidate, ms / share)
    for switch in ("enable_hashjoin", "enable_mergejoin", "spqtree.enable_hashjoin"):
        db.run("RESET %s" % switch)
    for i in range(2):
        ms, few = bench.timed("query", READ % words)
        row.add("nodes_read", ms / min(FEW, probes))
    truth_few = db.value(WINDOW.replace("%(t)s_probes", "(SELECT * FROM %(t)s_probes ORDER BY id"
                                        " LIMIT %(few)d)") % words)
    db.run("RESET enable_seqscan")
    if found["window"] != found["nodes_kept"] or few != truth_few:
        bench.report.wrong.append("%s: answers differ: %s, %s, %s" % (row.name, found, few, truth_few))
    looked = db.value("SELECT count(*) FROM %s_probes o JOIN %s_home h USING (id)"
                      " JOIN %s_touching t ON t.node = h.node JOIN %s_home x ON x.node = t.neighbor"
                      % (table, home, home, home))
    nodes, touching = db.run("SELECT (SELECT count(*) FROM %s_nodes), (SELECT count(*) FROM %s_touching)"
                             % (home, home))[0]
    row.detail = "%.1f rows" % (int(found["window"]) / probes)
    bench.report.keep(row)
    bench.line("Neighbors through nodes", ["row", "rows found", "rows in neighboring nodes", "neighbors of a node",
                                           "to find neighbors of all nodes, and the node of each row"],
               [row.name, "%.1f" % (int(found["window"]) / probes), "%.0f" % (int(looked) / probes),
                "%.1f" % (int(touching) / int(nodes)), "%.2f s" % built])
