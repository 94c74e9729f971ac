"""The k nearest boxes of each point: LATERAL in memory, spqtree_nearest_join(), LATERAL over an index."""
from join_base import SCHEMA

SECTION = "The nearest of each row"
KINDS = {"nearest leaves": "rtree", "loop_rtree": "rtree", "loop_gist": "gist"}
TITLES = {"nearest rows": "LATERAL, rows in memory", "nearest rows on disk": "LATERAL, rows in a file (work_mem 4 MB)",
          "nearest leaves": "LATERAL, leaves of an index", "nearest": "spqtree_nearest_join()", "loop_rtree": "LATERAL over spqtree AM",
          "loop_gist": "LATERAL over GiST"}
NODE = {"nearest rows": "256MB", "nearest rows on disk": "4MB", "nearest leaves": "256MB"}      # work_mem
NEIGHBORS = (1, 10)
BARS = {1: ("loop_rtree", 2.5), 10: ("nearest rows", 2.6)}      # how many times as fast leaves should be
FUNCTION = ("SELECT count(*) || ' rows, ' || round(sum(distance)::numeric, 3) FROM spqtree_nearest_join("
            "'SELECT id, box(p, p) FROM {points}', 'SELECT id, b FROM {boxes}', {k})")
LATERAL = ("SELECT count(*) || ' rows, ' || round(sum(d)::numeric, 3) FROM {points} a, LATERAL ("
           "SELECT id, b <-> a.p AS d FROM {boxes} ORDER BY b <-> a.p LIMIT {k}) n")


def nearest(bench, k):
    db, report = bench.db, bench.report
    points, boxes = bench.table("points"), bench.table("u2")
    indexes = {c: bench.index(boxes, "b", kind) for c, kind in KINDS.items()}
    words = {"points": points, "boxes": boxes, "k": k}
    report.titles.update(TITLES)
    row = bench.row("nearest %d" % k, SECTION, (*NODE, "nearest", "loop_rtree"), ("loop_gist",))
    answers = {}
    for i in range(bench.args.rounds + 1):
        for candidate in bench.turns(i, list(TITLES)):
            # the planner sees one index, or none
            db.run("UPDATE pg_index SET indisvalid = (indexrelid = %s)"
                   " WHERE indrelid = '%s.%s'::regclass"
                   % ("'%s.%s'::regclass" % (SCHEMA, indexes[candidate]) if candidate in KINDS else "0",
                      SCHEMA, boxes))
            db.run("SET spqtree.enable_nearest = %s" % ("on" if candidate in NODE else "off"))
            db.run("SET work_mem = '%s'" % NODE.get(candidate, "256MB"))
            sql = (FUNCTION if candidate == "nearest" else LATERAL).format(**words)
            if candidate in NODE:
                plan = "\n".join(line[0] for line in db.run("EXPLAIN " + sql))
                if "Nearest Rows" not in plan or ("Seq Scan on %s" % boxes in plan) == (candidate in KINDS):
                    report.wrong.append("%s: not the plan of %s:\n%s" % (row.name, candidate, plan))
            ms, answers[candidate] = bench.timed("query", sql)
            if i > 0:
                row.add(candidate, ms)
    db.run("UPDATE pg_index SET indisvalid = true WHERE NOT indisvalid")
    db.run("RESET spqtree.enable_nearest")
    db.run("RESET work_mem")
    if len(set(answers.values())) > 1:
        report.wrong.append("%s: answers differ: %s" % (row.name, answers))
    row.detail = answers["nearest"].split(",")[0]
    report.keep(row)
    other, times = BARS[k]
    faster = row.median(other) / row.median("nearest leaves")
    bench.bar("join: nearest %d, by leaves beside %s" % (k, TITLES[other]), "%.2f times as fast" % faster,
              "%g times" % times, faster >= times)
