"""Joins within a distance that is a column: spqtree_dwithin(), compared with PostgreSQL's operators.

    within_boxes (id, b)            boxes of U      <-  GiST, the access method
    within_points (id, p, d)        points of U, each with a distance of its own, 1 to 100
"""
from join_kinds import best, compare, node_plan, opponents
from report import short

SECTION = "Within a distance that is a column"
WITHIN = "SELECT count(*) FROM %s a JOIN %s b ON spqtree_dwithin(b.b, a.p, a.d)"
# A window around the point, and the distance of the rows in it.
WITHOUT = ("SELECT count(*) FROM %s a JOIN %s b ON b.b && box(a.p - point(a.d, a.d),"
           " a.p + point(a.d, a.d)) AND b.b <-> a.p <= a.d")


class Within:
    section = SECTION

    def __init__(self, rows):
        self.rows = rows
        self.what = "U %s points within a column's distance of %s boxes" % (short(rows), short(rows))

    def __call__(self, bench):
        run(bench, self)


def joins(args):
    return [Within(max(args.rows // 10, 1))]


def run(bench, join):
    boxes = bench.made("within_boxes", "SELECT id, b FROM %s" % bench.loaded("u2", join.rows))
    points = bench.made("within_points", "SELECT id, center(b) AS p, 1 + id %% 100 AS d FROM %s"
                        % bench.loaded("u1", join.rows))
    gist, rtree = bench.index(boxes, "b", "gist"), bench.index(boxes, "b", "rtree")
    bench.plans.base = {"max_parallel_workers_per_gather": "0"}
    ours, theirs = WITHIN % (points, boxes), WITHOUT % (points, boxes)
    tables = {points, boxes}
    found = {"node": node_plan(bench, ours, tables, [gist, rtree])}
    chosen = bench.plans.plan(ours, {})
    for candidate, sql, index in (("loop", theirs, gist), ("loop_spq", ours, rtree)):
        found[candidate] = best(bench, opponents(bench, sql, (points, []), (boxes, [index])))
    # the node's EXPLAIN sees both indexes again
    bench.plans.show(tables, [gist, rtree])
    compare(bench, join, join.what, found, chosen)
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})
