"""The k nearest boxes of each point: spqtree_nearest_join(), and LATERAL over an index."""
from join_base import SCHEMA

SECTION = "The nearest of each row"
KINDS = {"loop_rtree": "rtree", "loop_gist": "gist"}
TITLES = {"nearest": "spqtree_nearest_join()", "loop_rtree": "LATERAL over spqtree AM",
          "loop_gist": "LATERAL over GiST"}
NEIGHBORS = (1, 10)
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
    row = bench.row("nearest %d" % k, SECTION, ("nearest",), tuple(KINDS))
    answers = {}
    for i in range(bench.args.rounds + 1):
        for candidate in bench.turns(i, ("nearest", *KINDS)):
            # the planner sees one index
            db.run("UPDATE pg_index SET indisvalid = (indexrelid = '%s.%s'::regclass)"
                   " WHERE indrelid = '%s.%s'::regclass"
                   % (SCHEMA, indexes.get(candidate, indexes["loop_rtree"]), SCHEMA, boxes))
            sql = (LATERAL if candidate in KINDS else FUNCTION).format(**words)
            ms, answers[candidate] = bench.timed("query", sql)
            if i > 0:
                row.add(candidate, ms)
    db.run("UPDATE pg_index SET indisvalid = true WHERE NOT indisvalid")
    if len(set(answers.values())) > 1:
        report.wrong.append("%s: answers differ: %s" % (row.name, answers))
    row.detail = answers["nearest"].split(",")[0]
    report.keep(row)
