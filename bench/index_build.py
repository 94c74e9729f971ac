"""Building: time and size by number and order of rows, and the shape of the index."""
import pages
from common import Failure
from index_base import RIVALS, SCHEMA, TITLES, on_geometry
from report import Row, short

# Disk space that must remain free in addition.
BYTES_A_ROW = 2500                  # heap, twin, seven indexes and their WAL
SPARE = 8 * 10 ** 9


def build(bench, what, heap, rounds, cands=None):
    """Measure CREATE INDEX on the loaded table, and the size of the last index."""
    data, db = bench.heaps, bench.db
    time_row = bench.row("build " + what, "Build", "s", "CREATE INDEX")
    size_row = bench.row("size " + what, "Size", "MB", "after CREATE INDEX")
    cands = [c for c in cands or bench.cands if c != "seq"]
    for i in range(rounds):
        for cand in bench.turns(i, cands):
            name = "%s_%s" % (data.holder(heap, cand), cand)
            db.run("DROP INDEX IF EXISTS " + data.table(name))
            db.run("CHECKPOINT")
            ms, _ = bench.timed("command", data.index_ddl(heap, cand))
            data.seen.add(name)
            time_row.add(cand, ms / 1000)
    for cand in cands:
        size_row.add(cand, megabytes(bench, "%s_%s" % (data.holder(heap, cand), cand)))
    rows = int(db.value("SELECT count(*) FROM " + data.table(heap)))
    for row in (time_row, size_row):
        row.detail = "%s rows" % short(rows)
        row.size = rows
        bench.report.keep(row)


def megabytes(bench, index):
    return int(bench.db.value("SELECT pg_relation_size('%s')" % bench.heaps.table(index))) / 2 ** 20


def has_room(bench, rows, what):
    """Return whether the disk has enough room; add a note if not."""
    if rows * BYTES_A_ROW + SPARE * (rows > bench.args.rows) <= bench.server.free_disk():
        return True
    bench.report.note("index", "%s left out: it wants %d GB of disk" % (
        what, (rows * BYTES_A_ROW + SPARE) // 10 ** 9))
    return False


def build_sized(bench, rows, rounds):
    """Build U with this number of rows, if the disk has room."""
    what = "U %s rows" % short(rows)
    if not has_room(bench, rows, "build " + what):
        return
    # for more rows than U, only the access method and its rivals: the rest would double the time
    large = rows > bench.args.rows
    heap = bench.heaps.sized(rows, twin=not large)
    build(bench, what, heap, rounds, [c for c in bench.cands
                                      if c in ("rtree", *RIVALS) or not large])
    if large and "rtree" in bench.cands:
        with_worker(bench, what, heap)
    if heap != "u" and not large:   # for vacuum_few()
        bench.heaps.drop(heap)


def with_worker(bench, what, heap):
    """Measure CREATE INDEX by the leader and a worker, compared with one process."""
    data, db = bench.heaps, bench.db
    index = "%s_rtree" % data.holder(heap, "rtree")
    bench.report.titles["rtree_alone"] = "access method, one process"
    row = Row("index: build %s, with a worker" % what, "Parallel builds", "s", ("rtree",),
              ("rtree_alone",), "less", "CREATE INDEX, max_parallel_maintenance_workers = 1")
    db.run("SET min_parallel_table_scan_size = 0")
    for i in range(bench.args.build_rounds):
        for cand in bench.turns(i, ["rtree", "rtree_alone"]):
            db.run("DROP INDEX IF EXISTS " + data.table(index))
            db.run("CHECKPOINT")
            db.run("SET max_parallel_maintenance_workers = %d" % (cand == "rtree"))
            ms, _ = bench.timed("command", data.index_ddl(heap, "rtree"))
            row.add(cand, ms / 1000)
    db.run("RESET max_parallel_maintenance_workers")
    db.run("RESET min_parallel_table_scan_size")
    bench.report.keep(row)


def shape(bench, kind, order=""):
    """Read depth and chain length from the index pages."""
    db, data = bench.db, bench.heaps
    if not db.value("SELECT 1 FROM pg_available_extensions WHERE name = 'pageinspect'"):
        bench.report.note("index", "no pageinspect on this server: depth and chains not measured")
        return
    db.run("CREATE EXTENSION IF NOT EXISTS pageinspect SCHEMA %s" % SCHEMA)
    heap = data.heap(kind, order)
    cands = [c for c in bench.cands if c != "seq" and not on_geometry(c)]
    texts = {}
    for cand in cands:
        index = data.table(data.index(heap, cand))

        def read(first, last):
            return [bytes.fromhex(row[0]) for row in db.run(
                "SELECT encode(get_raw_page('%s', i), 'hex') FROM generate_series(%d, %d) i"
                % (index, first, last))]

        if cand == "gist":
            texts[cand] = "depth %d" % pages.gist_depth(lambda n: read(n, n)[0])
            continue
        if cand == "rtree":
            texts[cand] = "depth %d" % pages.rtree_depth(lambda n: read(n, n)[0])
            continue
        number = int(db.value("SELECT pg_relation_size('%s')"
                              " / current_setting('block_size')::int" % index))
        everything = []
        for first in range(0, number, 1000):
            everything += read(first, min(number, first + 1000) - 1)
        found = pages.spgist_shape(everything)
        rows = sum(found["chains"])
        heap_rows = int(db.value("SELECT count(*) FROM %s" % data.table(heap)))
        if rows != heap_rows:
            raise Failure("%s: %d rows found in the pages, %d in the table"
                          % (index, rows, heap_rows))
        weighted = sum(d * n for d, n in zip(found["depths"], found["chains"])) / rows
        texts[cand] = "depth %.1f (max %d), chain %.1f (max %d), %s inner tuples" % (
            weighted, max(found["depths"]), rows / len(found["chains"]),
            max(found["chains"]), format(found["inner"], ","))
    bench.report.line("index", "Depth (inner tuples or pages above a row) and chain length",
                      ["index", *[bench.report.titles[c] for c in cands]],
                      [" ".join(filter(None, (TITLES[kind], order))),
                       *[texts.get(c, "–") for c in cands]])


def inserts(bench, kind, order=""):
    """Insert as many rows again in one statement, into a fresh copy with the index just built.

    There is no checkpoint between build and insert: it would add full-page images.
    """
    data, db = bench.heaps, bench.db
    rows = max(data.rows // 5, 1)
    heap = data.heap(kind, order)
    row = bench.row("insert %s" % " ".join(filter(None, (TITLES[kind], order))),
                    "Inserts by one statement", "s",
                    "%s rows into %s" % (short(rows), short(rows)))
    for i in range(min(bench.args.rounds, bench.args.build_rounds, 2)):
        for cand in bench.turns(i, [c for c in bench.cands if c != "seq"]):
            source = data.table(data.holder(heap, cand))
            target = data.table(data.holder("target", cand))
            db.run("DROP TABLE IF EXISTS %s" % target)
            db.run("CHECKPOINT")
            db.run("CREATE TABLE %s AS SELECT * FROM %s LIMIT %d" % (target, source, rows))
            db.run(data.index_ddl("target", cand))
            ms, _ = bench.timed("command", "INSERT INTO %s SELECT * FROM %s OFFSET %d LIMIT %d"
                                % (target, source, data.rows - rows, rows))
            row.add(cand, ms / 1000)
            db.run("DROP TABLE %s" % target)
    bench.report.keep(row)
