"""A frame of a game: all pairs of colliding circles by one statement, compared with a nested loop in C."""
import os
import subprocess

from common import median, nodes, say
from join_base import SCHEMA, SEEDS
from rivals_base import built

GAMES = (5000, 15000)
# Rivals: with "&&", as usually written, and without branches, which is faster.
PLAIN_LOOP = "double loop"
LOOPS = {PLAIN_LOOP: (), "double loop without branches": ("branchless",)}
# PostgreSQL's box(circle) is inside the circle, and would miss pairs
BOXES = {
    "box(circle)": "box(circle(center(c), radius(c) * 1.41421357))",
    "box(point, point)": "box(center(c) - point(radius(c), radius(c)),"
                         " center(c) + point(radius(c), radius(c)))",
}
JOINED = ("SELECT count(*) FROM spqtree_self_join('SELECT id, %(box)s FROM %(t)s') p"
          " JOIN %(t)s a ON a.id = p.id1 JOIN %(t)s b ON b.id = p.id2 WHERE a.c && b.c")
ARRAY = ("SELECT count(*) FROM (SELECT array_agg(c ORDER BY id) AS c FROM %(t)s OFFSET 0) a,"
         " spqtree_self_join('SELECT id, %(box)s FROM %(t)s') p WHERE a.c[p.id1] && a.c[p.id2]")
# Variants of a frame: statement and settings.
FRAMES = {
    "as planned": (JOINED, {}),
    "hash joins": (JOINED, {"enable_nestloop": "off", "enable_mergejoin": "off"}),
    "nested loops over the primary key": (
        JOINED, {"enable_hashjoin": "off", "enable_mergejoin": "off"}),
    "array by id": (ARRAY, {}),
}


def game(bench, number):
    name = "circles%d" % number
    # the functions are measured, not the planner's node
    bench.db.run("SET spqtree.enable_hashjoin = off; SET spqtree.sample_rows = 0")
    data = bench.data(bench.args.rows)

    def make():
        bench.db.run("SELECT setseed(%s)" % SEEDS["circles"])
        bench.db.run("CREATE TABLE %s.%s (id int PRIMARY KEY, c circle)" % (SCHEMA, name))
        bench.db.run("INSERT INTO %s.%s SELECT i, circle(point(1280 * random(),"
                    " 720 * random()), 0.5 + 2 * random()) FROM generate_series(1, %d) i"
                    % (SCHEMA, name, number))
    data.ensure(name, "%d circles v1" % number, make)
    path = os.path.join(built("kernel"), name)
    with open(path, "w") as out:
        for row in bench.db.run("SELECT (center(c))[0], (center(c))[1], radius(c) FROM %s"
                               " ORDER BY id" % name):
            out.write(" ".join(row) + "\n")
    loops = {title: subprocess.Popen([os.path.join(built("kernel"), "circles"), path, *how],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
             for title, how in LOOPS.items()}

    def frame_in_c(title):
        loop = loops[title]
        loop.stdin.write("\n")
        loop.stdin.flush()
        ms, pairs = loop.stdout.readline().split()
        return float(ms), pairs

    # run each variant a few times; the fastest is the candidate
    trials, plans = {}, {}
    for frame, (statement, switches) in FRAMES.items():
        for box, expression in BOXES.items():
            sql = statement % {"t": name, "box": expression}
            for switch, value in switches.items():
                bench.db.run("SET %s = %s" % (switch, value))
            trials[frame, box] = median([bench.timed("query", sql)[0] for _ in range(9)])
            plans[frame, box] = " > ".join(
                n["Node Type"] for n in nodes(bench.db.explain(sql)))
            for switch in switches:
                bench.db.run("RESET %s" % switch)
    best = min(trials, key=trials.get)
    alone = "SELECT count(*) FROM spqtree_self_join('SELECT id, %s FROM %s')" % (
        BOXES[best[1]], name)
    statement, switches = FRAMES[best[0]]
    sql = statement % {"t": name, "box": BOXES[best[1]]}
    say("  %s: %s" % (best[0], plans[best]))
    for switch, value in switches.items():
        bench.db.run("SET %s = %s" % (switch, value))
    row = bench.row("game, %s circles" % format(number, ","), "A frame of a game",
                    ("function",), tuple(LOOPS))
    for title in LOOPS:
        frame_in_c(title)
    for i in range(4 * bench.args.rounds):
        for candidate in bench.turns(i, ["function", *LOOPS]):
            row.add(candidate, *(frame_in_c(candidate) if candidate in LOOPS
                                 else bench.timed("query", sql)))
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    # the share of the time that the join takes
    boxes = [bench.timed("query", alone) for _ in range(9)]
    for switch in (*switches, "spqtree.enable_hashjoin", "spqtree.sample_rows"):
        bench.db.run("RESET %s" % switch)
    for loop in loops.values():
        loop.stdin.close()
        loop.wait()
    row.detail = row.answers["function"] + " pairs"
    bench.report.keep(row)
    bench.line("The statements of a frame",
               ["row", "the statement", "of it the self join alone", "other statements"],
               [row.name, "%s, %s" % best,
                "%.2f ms, %s pairs" % (median([ms for ms, _ in boxes]),
                                       format(int(boxes[0][1]), ",")),
                "; ".join("%s, %s: %.2f ms" % (*v, ms) for v, ms in trials.items()
                          if v != best)])
