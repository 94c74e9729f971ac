"""The measurements of indexes, in an order that keeps each table only while it is needed."""
from index_base import ORDERS, TITLES
import index_build
import index_change
import index_cold
import index_columns
import index_each
import index_grow
import index_leave
import index_libraries
import index_moved
import index_parallel
import index_scan
import index_types


def measurements(args):
    """Return (name, run) of each; run takes an IndexBench."""
    found = []

    def add(name, run):
        found.append(("index: " + name, run))

    scans = index_scan.scans(args)
    below = [n for n in args.sizes if n <= args.rows]
    for rows in [n for n in below if n < args.rows]:
        add("build U %s rows" % index_build.short(rows), lambda b, n=rows:
            index_build.build_sized(b, n, b.args.build_rounds))
    for kind in ("u", "s", "roads", "buildings", "same"):
        for order in ORDERS:
            if order and kind not in ("u", "s"):
                continue
            title = " ".join(filter(None, (TITLES[kind], order)))
            if kind == "u" and not order:
                title = "U %s rows" % index_build.short(args.rows)
            add("build " + title, lambda b, t=title, k=kind, o=order: index_build.build(
                b, t, b.heaps.heap(k, o), 1 if o or k == "s" else min(
                    b.args.rounds, b.args.build_rounds if k == "u" else 2)))
            if kind != "same" and not order:
                add("shape " + title, lambda b, k=kind, o=order: index_build.shape(b, k, o))
            for scan in scans:
                if (scan.kind, scan.order) == (kind, order):
                    add(scan.name, scan.run)
            for scan in index_scan.cold_scans(args):
                if (scan.kind, scan.order) == (kind, order):
                    add(scan.name + ", cold", lambda b, s=scan: index_scan.cold(b, s))
            if kind == "u" and not order:
                for change in index_change.SCRIPTS:
                    add("%s, pgbench" % change, lambda b, c=change: index_change.throughput(b, c))
                add("vacuum after deleting a third", index_change.vacuum)
                for name, run in (*index_each.measurements(args),
                                  index_parallel.measurement(args.rows), *index_columns.measurements(args),
                                  *index_types.measurements(args),
                                  *index_libraries.measurements(args)):
                    add(name, run)
            if kind in ("u", "s") and not order:
                add("insert " + TITLES[kind], lambda b, k=kind: index_build.inserts(b, k))
            if kind != "same":
                for name, run in index_grow.measurements(args, kind, order):
                    add(name, run)
            if order:
                found[-1] = (found[-1][0], then(found[-1][1], lambda b, k=kind, o=order: b.heaps.drop(
                    "%s_%s" % (k, o.replace("-", "")))))
    add("moving", lambda b: index_change.churn(b, b.args.updates))
    add("moved %d times" % index_moved.MOVES, index_moved.moved)
    add("crowd that leaves", index_leave.left)
    for rows in [n for n in args.sizes if n > args.rows]:
        add("build U %s rows" % index_build.short(rows), lambda b, n=rows:
            index_build.build_sized(b, n, 1))
    for name, run in index_cold.measurements(args):
        add(name, run)
    found[-1] = (found[-1][0], then(found[-1][1], index_cold.drop))
    # uses the indexes that were built last
    if args.sizes[-1] > args.rows:
        add(*index_parallel.measurement(args.sizes[-1]))
    add("vacuum of %s rows, 1 %% dead" % index_build.short(args.sizes[-1]), index_change.vacuum_few)
    return found


def then(run, last):
    """Return a measurement that calls "last" after it."""
    def both(bench):
        run(bench)
        last(bench)
    return both
