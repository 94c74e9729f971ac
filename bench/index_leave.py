"""A crowd fills some of ten districts and moves on through all of them: are pages reused?

After VACUUM, pages without entries are free for rows anywhere; a file never shrinks.
Reports pages in use and file size, each divided by its value when all rows were there.
"""
from index_base import SCHEMA
from index_build import megabytes

CANDS = ("rtree", "spqtree", "gist")
DISTRICTS = 10
ROUNDS = 10
SECTION = "A crowd that leaves"
# A district is 1,000 wide; its number follows from the row, and places within it are uniform.
CROWD = """SELECT i AS id, box(point(x, y), point(x + 1, y + 1)) AS b
FROM (SELECT i, 1000 * (i %% %d + random()) AS x, 1000 * random() AS y FROM generate_series(1, %d) i OFFSET 0) s"""
MOVE = "b + point(CASE WHEN id %% %(n)d = %(last)d THEN %(back)d ELSE 1000 END, 10 * (random() - 0.5))"


def used_pages(bench, index):
    """Return the number of pages with entries, or None if unknown."""
    return float(bench.db.value("SELECT pages - empty_pages FROM spqtree_stats('%s')" % index))


def left(bench):
    data = bench.heaps
    rows = max(data.rows // 10, 1000)
    cands = [c for c in CANDS if c in bench.cands]
    detail = "%d rows" % rows
    used, again, round_ = [bench.row("crowd, " + what, SECTION, "x before", detail) for what in (
        "pages in use after nine of ten left", "file size after as many came elsewhere",
        "file size after moving round %d times" % ROUNDS)]
    for cand in cands:
        name = "crowd_" + cand
        table, index = data.table(name), "%s.%s_%s" % (SCHEMA, name, cand)
        bench.db.run("DROP TABLE IF EXISTS %s" % table)
        bench.db.run("SELECT setseed(0.25)")
        bench.db.run("CREATE TABLE %s WITH (autovacuum_enabled = off) AS %s" % (table, CROWD % (DISTRICTS, rows)))
        bench.db.run(data.index_ddl(name, cand))
        data.seen.add("%s_%s" % (name, cand))
        size = megabytes(bench, "%s_%s" % (name, cand))
        pages = used_pages(bench, index) if cand != "gist" else None
        bench.db.run("DELETE FROM %s WHERE id %% %d <> 0" % (table, DISTRICTS))
        bench.db.run("VACUUM %s" % table)
        if pages:
            used.add(cand, used_pages(bench, index) / pages)
        # rows arrive in empty districts, and reuse free pages once no snapshot can see the old rows
        bench.db.run("INSERT INTO {0} SELECT id + {1}, b + point(1000 * {2}, 0) FROM ({3}) c"
                     " WHERE id % {2} <> 0".format(table, rows, DISTRICTS, CROWD % (DISTRICTS, rows)))
        again.add(cand, megabytes(bench, "%s_%s" % (name, cand)) / size)
        move = MOVE % {"n": DISTRICTS, "last": DISTRICTS - 1, "back": -1000 * (DISTRICTS - 1)}
        for _ in range(ROUNDS):
            bench.db.run("UPDATE %s SET b = %s" % (table, move))
            bench.db.run("VACUUM %s" % table)
        round_.add(cand, megabytes(bench, "%s_%s" % (name, cand)) / size)
        bench.db.run("DROP TABLE %s" % table)
    for row in (used, again, round_):
        bench.report.keep(row)
