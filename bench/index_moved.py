"""Every row moves a hundred times, with autovacuum on: how much do index and queries grow?

A tenth of the rows moves in each statement.  Autovacuum has PostgreSQL's defaults, but
runs every second, because a hundred moves take a minute here and days in practice.
Reports index size, pages and time of a query after the last move, each divided by that
of the same index rebuilt.
"""
import common
from index_base import SCHEMA
from index_build import megabytes
from index_scan import scan_sql, touched
from report import short

CANDS = ("rtree", "spqtree", "gist")
MOVES = 100
PARTS = 10
SETTINGS = {"autovacuum": "on", "autovacuum_naptime": "1s"}
MOVE = "b + point(%(step)d * cosd(%(angle)s), %(step)d * sind(%(angle)s))"
STEP = 100                          # twice the mean side of a box


def moved(bench, moves=MOVES):
    data = bench.heaps
    rows = max(data.rows // 25, 100)
    source = data.table(data.heap("u"))
    cands = [c for c in CANDS if c in bench.cands]
    sized, pages, took, updated = [bench.row("moved %d times, %s" % (moves, what), "Moved a hundred"
                                             " times, autovacuum on", unit, detail)
                                   for what, unit, detail in (
        ("index size", "x new", "%s rows" % short(rows)),
        ("index pages a query", "x new", "&& 10 rows"),
        ("time of a query", "x new", "&& 10 rows, plain"),
        ("updates", "s", "all"))]
    leave_alone(bench)
    restart(bench, SETTINGS)
    try:
        for cand in cands:
            name = "moved_" + cand
            index = "%s_%s" % (name, cand)
            bench.db.run("DROP TABLE IF EXISTS %s" % data.table(name))
            bench.db.run("CREATE TABLE %s AS SELECT row_number() OVER () AS id, b FROM (SELECT b"
                         " FROM %s LIMIT %d) s" % (data.table(name), source, rows))
            bench.db.run(data.index_ddl(name, cand))
            data.seen.add(index)
            bench.db.run("VACUUM ANALYZE %s" % data.table(name))
            updated.add(cand, move_all(bench, data.table(name), moves))
            old = state(bench, name, cand, rows)
            bench.db.run("REINDEX INDEX %s" % data.table(index))
            new = state(bench, name, cand, rows)
            for row, before, after in zip((sized, pages, took), old, new):
                row.add(cand, before / after)
            bench.db.run("DROP TABLE %s" % data.table(name))
    finally:
        restart(bench, {})
    for row in (sized, pages, took, updated):
        bench.report.keep(row)


def leave_alone(bench):
    """Keep autovacuum from all other tables: the snapshot of its ANALYZE keeps dead rows."""
    for (table,) in bench.db.run("SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND"
                                 " relnamespace = '%s'::regnamespace" % SCHEMA):
        bench.db.run("ALTER TABLE %s SET (autovacuum_enabled = off)" % table)


def restart(bench, settings):
    bench.db.close()
    bench.server.restart(settings)
    bench.connect()


def move_all(bench, table, moves):
    """Return the seconds of all updates together."""
    seconds = 0
    for number in range(moves):
        move = MOVE % {"step": STEP, "angle": "hashint8extended(id, %d) %% 360" % number}
        for part in range(PARTS):
            ms, _ = bench.timed("command", "UPDATE %s SET b = %s WHERE id %% %d = %d" % (
                table, move, PARTS, part))
            seconds += ms / 1000
    return seconds


def state(bench, name, cand, rows):
    """Return size, pages of the index per query, and time of a query."""
    probes, number = "probes_moved", min(2000, rows)
    bench.db.run("DROP TABLE IF EXISTS %s.%s" % (SCHEMA, probes))
    bench.db.run("CREATE TABLE %s.%s AS SELECT row_number() OVER () AS n, center(b) AS p,"
                 " box(center(b) - point(122, 122), center(b) + point(122, 122)) AS b"
                 " FROM %s.%s WHERE id <= %d" % (SCHEMA, probes, SCHEMA, name, number))
    size = megabytes(bench, "%s_%s" % (name, cand))
    sql = scan_sql("&&", cand, name, probes)
    bench.choose(name, cand, "bitmap", sql)
    pages = touched(bench, sql, name, cand)
    bench.choose(name, cand, "plain", sql)
    times = [bench.timed("query", sql)[0] for _ in range(5)]
    return size, pages, common.median(times[1:])
