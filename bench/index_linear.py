"""A btree on the cells of a linear quadtree, compared with the access method.

    u_linear (id, b, cell)      <-  btree (cell) INCLUDE (id, b)
    u                           <-  u_rtree
"""
from index_scan import answers, scan_sql
from report import Row

TITLE = "btree on quadtree cells"
LEVELS = 16
MOST = 1000                         # probes


def measurements(scans):
    """Return (name, run) of each."""
    for scan in scans:
        if (scan.kind, scan.order, scan.op, scan.plan) == ("u", "", "&&", "index-only"):
            yield "linear quadtree, " + scan.name, lambda b, s=scan: beside(b, s)


def linear_sql(table, probes, frame, first=0, each=False):
    source = probes if not first else "(SELECT * FROM %s WHERE n <= %d)" % (probes, first)
    return ("SELECT %s FROM %s q, LATERAL (SELECT count(*) AS n FROM spqtree_quad_ranges(q.b, %s,"
            " %d) r, LATERAL (SELECT FROM %s t WHERE t.cell BETWEEN r.first AND r.last AND t.b && q.b"
            " OFFSET 0) c OFFSET 0) x" % (
                "string_agg(x.n::text, ';' ORDER BY q.n)" if each else "sum(x.n) || ' rows'",
                source, frame, LEVELS, table))


def beside(bench, scan):
    data = bench.heaps
    heap = data.heap("u")
    table = data.table("u_linear")
    frame = "box '(0,0),(%r,%r)'" % (data.side, data.side)
    probes, number = data.probes(*scan.probes)
    number = min(number, MOST)
    bench.report.titles["linear"] = TITLE
    row = Row("index: linear quadtree, " + scan.name, "A btree on the cells of a linear quadtree",
              "ms", ("rtree",), ("linear",), "less", "%s probes" % format(number, ","))
    data.ensure("u_linear", "cells of %s, %d levels" % (frame.replace("'", ""), LEVELS), lambda: (
        bench.db.run("CREATE TABLE %s AS SELECT id, b, spqtree_quad_cell(b, %s, %d) AS cell FROM"
                     " %s" % (table, frame, LEVELS, data.table(heap))),
        bench.db.run("CREATE INDEX u_linear_cell ON %s (cell) INCLUDE (id, b)" % table),
        bench.db.run("VACUUM ANALYZE %s" % table)))
    few = min(number, bench.args.checked)
    probes_table = data.table(probes)
    sql = {"rtree": scan_sql("&&", "rtree", heap, probes, number),
           "linear": linear_sql(table, probes_table, frame, number)}
    truth = answers(bench, scan, heap, "seq", probes, few)
    found = bench.timed("query", linear_sql(table, probes_table, frame, few, each=True))[1]
    if found.split(";") != truth:
        bench.report.wrong.append("%s: the btree differs from the sequential scan" % row.name)
    for i in range(min(bench.args.rounds, 3)):
        for cand in bench.turns(i, list(sql)):
            bench.choose(heap, "rtree", scan.plan, sql["rtree"])
            ms, answer = bench.timed("query", sql[cand])
            row.add(cand, ms / number, answer)
    bench.report.keep(row)
