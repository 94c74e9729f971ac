"""Indexes grown by insertion: every row is inserted into a table with an empty index.

Each candidate has a table of its own, u_sorted_grown_gist (id, b), whose rows are in
the order of the source.  After its scans it is dropped.
"""
import index_scan
from index_base import BOXES
from index_build import megabytes
from index_scan import titled
from report import short


def table_of(kind, order, cand):
    return "%s_grown_%s" % ("_".join(filter(None, (kind, order.replace("-", "")))), cand)


def candidates(bench):
    return [c for c in BOXES if c in bench.cands]


def grow(bench, kind, order):
    """Measure INSERT of all rows in one statement, and the size of the index."""
    data, db = bench.heaps, bench.db
    source = data.table(data.heap(kind, order))
    rows = int(db.value("SELECT count(*) FROM " + source))
    took = bench.row("grow " + titled(kind, order), "Inserts of all rows into an empty index", "s",
                     "%s rows in one statement" % short(rows))
    size = bench.row("size %s" % titled(kind, order, True), "Size", "MB",
                     "%s rows, by insertion" % short(rows))
    for cand in candidates(bench):
        name = table_of(kind, order, cand)
        db.run("DROP TABLE IF EXISTS %s" % data.table(name))
        db.run("CREATE TABLE %s (LIKE %s)" % (data.table(name), source))
        db.run(data.index_ddl(name, cand))
        db.run("CHECKPOINT")
        ms, _ = bench.timed("command", "INSERT INTO %s SELECT * FROM %s"
                            % (data.table(name), source))
        took.add(cand, ms / 1000)
        db.run("CHECKPOINT")        # see Tables.ensure
        db.run("VACUUM (FREEZE, ANALYZE) %s" % data.table(name))
        index = "%s_%s" % (name, cand)
        data.seen.add(index)
        size.add(cand, megabytes(bench, index))
    bench.report.keep(took)
    bench.report.keep(size)


def scan(bench, one):
    """Measure one row of scans, on tables that grow() has made."""
    missing = [c for c in candidates(bench) if bench.db.value(
        "SELECT to_regclass('%s')" % bench.heaps.table(table_of(one.kind, one.order, c)))
        in (None, "")]
    if missing:                     # possible with --only
        grow(bench, one.kind, one.order)
    index_scan.measure(bench, one, lambda cand: table_of(
        one.kind, one.order, candidates(bench)[0] if cand == "seq" else cand))


def drop(bench, kind, order):
    bench.heaps.drop(*[table_of(kind, order, c) for c in BOXES])


def measurements(args, kind, order):
    """Return (name, run) of each."""
    found = [("grow " + titled(kind, order), lambda b: grow(b, kind, order))]
    found += [(s.name, lambda b, s=s: scan(b, s))
              for s in index_scan.each_operator(args, kind, order, grown=True)]
    name, last = found[-1]

    def then_drop(bench):
        last(bench)
        drop(bench, kind, order)
    return found[:-1] + [(name, then_drop)]
