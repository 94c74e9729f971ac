"""A frame of a scene in space where most boxes rest: pairs of two resting boxes are left out.

A self-join of all boxes finds these as well, and must be told which boxes move.
"""
from common import median
from join_base import SCHEMA

SEED = 0.0625
# Boxes, one in how many moves, and memory; the table is partitioned by whether a box moves.
SCENES = {"10k boxes, one in ten moving": (10000, 10, "64MB"),
          "100k boxes, one in ten moving": (100000, 10, "64MB"),
          "100k boxes, one in five moving": (100000, 5, "64MB"),
          "100k boxes, one in a hundred moving": (100000, 100, "64MB"),
          "100k boxes, one in a thousand moving": (100000, 1000, "64MB"),
          "100k boxes, one in a hundred moving, work_mem 4MB": (100000, 100, "4MB")}
SECTION = "A frame of a scene where most boxes rest"
# Each scene has the same number of bodies per volume: they lie in heaps, so that resting ones touch.
BODIES = """SELECT i AS id, i %% %d = 0 AS moving, box3(x - h, y - h, z - h, x + h, y + h, z + h) AS b
FROM (SELECT i, 0.5 + random() * 0.5 AS h, %r * random() AS x, %r * random() AS y, 6 * random() AS z
	FROM generate_series(1, %d) i OFFSET 0) s"""
STATEMENTS = {
    "apart": "SELECT count(*) FROM (SELECT * FROM spqtree_join('SELECT id, b FROM %(t)s WHERE moving',"
             " 'SELECT id, b FROM %(t)s WHERE NOT moving') UNION ALL"
             " SELECT * FROM spqtree_self_join('SELECT id, b FROM %(t)s WHERE moving')) p",
    "indexed": "SELECT count(*) FROM (SELECT a.id, b.id FROM %(t)s_true a JOIN %(t)s_false b ON a.b && b.b UNION ALL"
               " SELECT * FROM spqtree_self_join('SELECT id, b FROM %(t)s WHERE moving')) p",
    "moving": "SELECT count(*) FROM %(t)s a JOIN %(t)s b ON a.b && b.b WHERE a.moving"
            " AND (NOT b.moving OR a.id < b.id)",
    "everything": "SELECT count(*) FROM %(t)s a JOIN %(t)s b ON a.b && b.b AND a.id < b.id"
                " WHERE a.moving OR b.moving",
    "filtered": "SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM %(t)s') p"
                " JOIN %(t)s a ON a.id = p.id1 JOIN %(t)s b ON b.id = p.id2 WHERE a.moving OR b.moving",
    "all": "SELECT count(*) FROM spqtree_self_join('SELECT id, b FROM %(t)s')",
}
TITLES = {"indexed": "resting ones by their index, and moving with each other",
          "apart": "moving with resting, and moving with each other",
          "moving": "spatial hash join: moving with all",
          "everything": "spatial hash join: all with all, then a filter",
          "filtered": "self join of all, then a filter", "all": "self join of all"}


def prepare(bench, candidate):
    """Set up a candidate; one is a nested loop over the index."""
    bench.db.run("SET spqtree.enable_hashjoin = %s" % ("off" if candidate == "indexed" else "on"))


def resting(bench, title):
    rows, part, memory = SCENES[title]
    name = "resting_%d_%d" % (rows, part)
    edge = 100 * (rows / 10000) ** 0.5

    def make():
        bench.db.run("SELECT setseed(%s)" % SEED)
        bench.db.run("CREATE TABLE %s.%s (id int, moving bool, b box3) PARTITION BY LIST (moving)"
                     % (SCHEMA, name))
        for what in ("true", "false"):
            bench.db.run("CREATE TABLE {0}.{1}_{2} PARTITION OF {0}.{1} FOR VALUES IN ({2})".format(
                SCHEMA, name, what))
        bench.db.run("INSERT INTO %s.%s %s" % (SCHEMA, name, BODIES % (part, edge, edge, rows)))
        bench.db.run("CREATE INDEX ON %s.%s_false USING spqtree (b)" % (SCHEMA, name))
    bench.data(bench.args.rows).ensure(name, "%d boxes, 1 in %d v3" % (rows, part), make)
    bench.report.titles.update(TITLES)
    row = bench.row(title, SECTION, ("indexed", "apart", "moving"), ("filtered", "everything"))
    statements = {c: sql % {"t": "%s.%s" % (SCHEMA, name)} for c, sql in STATEMENTS.items()}
    bench.db.run("SET work_mem = '%s'" % memory)
    for candidate, sql in statements.items():
        prepare(bench, candidate)
        bench.timed("query", sql)
    for i in range(4 * bench.args.rounds):
        for candidate in bench.turns(i, list(statements)):
            prepare(bench, candidate)
            row.add(candidate, *bench.timed("query", statements[candidate]))
    prepare(bench, "")
    bench.db.run("RESET work_mem")
    if len({row.answers[c] for c in statements if c != "all"}) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = "%s pairs of %s" % (row.answers["apart"], row.answers["all"])
    bench.report.keep(row)
    bench.line("Resting boxes left out", ["row", "pairs", "of all", "times as fast as the self join of all"],
               [row.name, row.answers["apart"], row.answers["all"],
                "%.2f" % (median(row.values["all"]) / median(row.values["apart"]))])
