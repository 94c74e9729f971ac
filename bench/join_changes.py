"""Pairs that enter and leave in a frame of moving objects, compared with EXCEPT of two joins."""
from common import median
from join_base import SCHEMA

SEED = 0.375
SECTION = "A frame of moving objects: pairs that enter and leave"
NUMBERS = (100, 1000, 5000, 10000, 15000)
# Number of objects, one in how many moves, and the distance of pairs (None: boxes overlap).
LARGE = 1000000
SCENES = [(n, 1, None) for n in NUMBERS] + [(15000, 10, None), (15000, 1, 5), (LARGE, 1, None)]
# Circles of radius 0.5 to 2.5 in 1280 x 720, as in the game; each moves by up to 2 on each axis.
# The largest scene is as dense as that of 15,000.
BODIES = """SELECT i AS id, box(p - r, p + r) AS b, box(p + d - r, p + d + r) AS c
FROM (SELECT i, point(1280 * {scale} * random(), 720 * {scale} * random()) AS p, point(s, s) AS r, CASE WHEN i %% %d = 0
		THEN point(4 * random() - 2, 4 * random() - 2) ELSE point(0, 0) END AS d
	FROM (SELECT i, 0.5 + 2 * random() AS s FROM generate_series(1, %d) i OFFSET 0) q OFFSET 0) s"""
COUNT = ("SELECT count(*) FILTER (WHERE kind = 'enter') || ' enter, ' ||"
         " count(*) FILTER (WHERE kind = 'leave') || ' leave' FROM ")
BEFORE, AFTER = "'SELECT id, b FROM %(t)s_before'", "'SELECT id, b FROM %(t)s_after'"
EXCEPT = ("(SELECT 'enter' AS kind, e.* FROM ({now} EXCEPT {before}) e"
          " UNION ALL SELECT 'leave', l.* FROM ({before} EXCEPT {now}) l) c")
JOINED = "SELECT a.id, b.id FROM %(t)s_{0} a JOIN %(t)s_{0} b ON %(on)s AND a.id < b.id"
STATEMENTS = {
    "changes": COUNT + "spqtree_self_join_changes(%s, %s%%(distance)s)" % (BEFORE, AFTER),
    "kept": COUNT + "spqtree_self_join_changes('SELECT * FROM %%(t)s_pairs', %s%%(distance)s)" % AFTER,
    "except": COUNT + EXCEPT.format(
        now="SELECT * FROM spqtree_self_join(%s%%(distance)s)" % AFTER,
        before="SELECT * FROM spqtree_self_join(%s%%(distance)s)" % BEFORE),
    "except_loop": COUNT + EXCEPT.format(now=JOINED.format("after"), before=JOINED.format("before")),
    "pairs": "SELECT count(*) FROM spqtree_self_join(%s%%(distance)s)" % AFTER,
}
TITLES = {"changes": "spqtree_self_join_changes() of two states",
          "kept": "spqtree_self_join_changes() of the pairs before and a state",
          "except": "EXCEPT of spqtree_self_join()", "except_loop": "EXCEPT of nested loops over GiST",
          "pairs": "pairs alone"}
LARGE_FRAME = 500               # ms
FRAME, PAIRS = 16.6, 13.5        # ms: a sixtieth of a second; a game in memory


def names():
    return ["changes of %s" % title(*scene) for scene in SCENES]


def scale(number):
    return (number / 15000) ** 0.5 if number == LARGE else 1


def title(number, part, distance):
    return "%s objects%s%s" % (format(number, ","), "" if part == 1 else ", one in %d moving" % part,
                               "" if distance is None else ", within %d" % distance)


def changes(bench, scene):
    number, part, distance = SCENES[scene]
    if LARGE == number > bench.args.rows:
        return
    name = "frame_%d_%d" % (number, part)

    def make():
        db = bench.db
        db.run("SELECT setseed(%s)" % SEED)
        db.run("DROP TABLE IF EXISTS %s_before, %s_after" % (name, name))
        db.run("CREATE TABLE %s.%s AS %s" % (SCHEMA, name, (BODIES % (part, number)).format(scale=repr(scale(number)))))
        db.run("CREATE TABLE %s.%s_before AS SELECT id, b FROM %s" % (SCHEMA, name, name))
        db.run("CREATE TABLE %s.%s_after AS SELECT id, c AS b FROM %s" % (SCHEMA, name, name))
        db.run("VACUUM ANALYZE %s_before, %s_after" % (name, name))
    bench.data(bench.args.rows).ensure(name, "%d bodies, 1 in %d v1" % (number, part), make)
    for state in ("before", "after") if number != LARGE else ():
        bench.index("%s_%s" % (name, state), "b", "gist")
    words = {"t": "%s.%s" % (SCHEMA, name), "distance": "" if distance is None else ", %d" % distance,
             "on": "a.b && b.b" if distance is None else "b.b && spqtree_expand(a.b, %d)"
                   " AND spqtree_dwithin(a.b, b.b, %d)" % (distance, distance)}
    bench.db.run("DROP TABLE IF EXISTS %s_pairs" % name)
    bench.db.run("CREATE TABLE %s.%s_pairs AS SELECT * FROM spqtree_self_join(%s)" % (
        SCHEMA, name, (BEFORE + "%(distance)s") % words))
    bench.db.run("VACUUM ANALYZE %s_pairs" % name)
    bench.report.titles.update(TITLES)
    row = bench.row("changes of %s" % title(*SCENES[scene]), SECTION, ("changes", "kept"),
                    ("except",) if number == LARGE else ("except", "except_loop"))
    statements = {c: sql % words for c, sql in STATEMENTS.items() if number != LARGE or c != "except_loop"}
    # the rival uses PostgreSQL's joins
    bench.db.run("SET spqtree.enable_hashjoin = off")
    for sql in statements.values():
        bench.timed("query", sql)
    for i in range(4 * bench.args.rounds):
        for candidate in bench.turns(i, list(statements)):
            # the slow one runs fewer rounds
            if candidate != "except_loop" or i < bench.args.rounds:
                row.add(candidate, *bench.timed("query", statements[candidate]))
    bench.db.run("RESET spqtree.enable_hashjoin")
    if len({row.answers[c] for c in statements if c != "pairs"}) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = "%s of %s pairs" % (row.answers["changes"], format(int(row.answers["pairs"]), ","))
    bench.report.keep(row)
    bench.line("Frames of moving objects", ["row", "pairs", "pairs alone", "enter and leave, from two states",
                                            "enter and leave, from the pairs before and a state"],
               [row.name, format(int(row.answers["pairs"]), ","),
                *("%.2f ms" % median(row.values[c]) for c in ("pairs", "changes", "kept"))])
    if (number, part, distance) == (15000, 1, None):
        for what, candidate, goal in (("all that enter and leave", "changes", FRAME),
                                      ("pairs alone", "pairs", PAIRS)):
            ms = median(row.values[candidate])
            bench.bar("a frame of 15,000 objects, %s" % what, "%.2f ms" % ms, "%.1f ms" % goal, ms <= goal)
    if number == LARGE:
        for candidate, what in (("kept", "from the pairs before and a state"), ("changes", "from two states")):
            ms = median(row.values[candidate])
            bench.bar("a frame of 1,000,000 objects, %s" % what, "%.0f ms" % ms, "%d ms" % LARGE_FRAME,
                      ms <= LARGE_FRAME)
