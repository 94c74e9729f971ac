"""Joins in three dimensions compared with the same in the plane, and the frame of a scene."""
from plans import NESTED_LOOPS, Plans
from report import short
from space_base import SCHEMA

SECTION = "Joins"
OVERLAP = "SELECT count(*) FROM %s a JOIN %s b ON a.b && b.b"
FUNCTION = ("SELECT count(*) FROM spqtree_join('SELECT id, b FROM %s', 'SELECT id, b FROM %s')")
LOOPS = {"loop_cube": ("cube", "a.c && b.c"), "loop_3d": ("pgis_3d", "a.g &/& b.g")}
TITLES = {"node": "spatial hash join", "function": "spqtree_join()", "plane_node": "spatial hash join, 2-D",
          "plane_function": "spqtree_join(), 2-D",
          "loop_cube": "nested loop over cube's GiST", "loop_3d": "nested loop over PostGIS's SP-GiST 3-D"}
# Without batches, also in space.
AMPLE = "256MB"
# A frame: boxes that move in a hall, and all pairs that collide.
BODIES, FRAME = 10000, 16.6
SCENE = ("SELECT i AS id, point3(100 * random(), 100 * random(), 20 * random()) AS p,"
         " point3(4 * random() - 2, 4 * random() - 2, 4 * random() - 2) AS v, 0.25 + 0.75 * random() AS half"
         " FROM generate_series(1, %d) i" % BODIES)
MOVED = ("SELECT id, box3(x + vx * {0} - half, y + vy * {0} - half, z + vz * {0} - half, x + vx * {0} + half,"
         " y + vy * {0} + half, z + vz * {0} + half) AS b FROM bench_space.scene")
FRAMES = {"function": "SELECT count(*) FROM spqtree_self_join('%(moved)s')",
          "node": "SELECT count(*) FROM (%(moved)s) a JOIN (%(moved)s) b ON a.b && b.b AND a.id < b.id"}


def measurements(args):
    tenth = max(args.rows // 10, 1)
    return [("join %s x %s" % (short(args.rows), short(args.rows)), join),
            ("join %s x %s" % (short(tenth), short(tenth)), join_of_few), ("scene", scene)]


def prepared(bench):
    bench.report.titles.update(TITLES)
    bench.db.run("LOAD 'spqtree'")
    if not hasattr(bench, "plans"):
        bench.plans = Plans(bench.db, SCHEMA, {"max_parallel_workers_per_gather": "0"})
        bench.db.run("CREATE OR REPLACE FUNCTION %s.works(q text) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN"
                     " EXECUTE q; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$" % SCHEMA)


def works(bench, sql):
    return bench.db.value("SELECT %s.works($q$%s$q$)" % (SCHEMA, sql)) == "t"


def by_node(bench, sql):
    """Return the plan with the node, or None."""
    plan = bench.plans.plan(sql, {"enable_nestloop": "off", "enable_seqscan": "on"})
    return plan if plan.is_node else None


def plans_of(bench, pairs):
    """Return the candidates that this version has."""
    found = {}
    for cand, (sql, a, b) in pairs.items():
        if sql == FUNCTION:
            if works(bench, "SELECT * FROM (%s) s" % (sql % ("(SELECT * FROM %s LIMIT 1) a" % a, b))):
                found[cand] = bench.plans.plan(sql % (a, b), {})
        elif by_node(bench, sql % (a, b)):
            found[cand] = by_node(bench, sql % (a, b))
    return found


def timed(bench, row, plans, rounds):
    bench.plans.set({})             # for the execution, too
    for cand in plans:
        if not cand.startswith("loop"):
            bench.plans.time(plans[cand])
    for i in range(rounds):
        for cand in bench.turns(i, list(plans)):
            if cand.startswith("loop") and i:
                continue
            ms, answer = bench.plans.time(plans[cand])
            row.add(cand, ms, answer)
    answers = {a for c, a in row.answers.items() if not c.startswith("plane")}
    if len(answers) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = ", ".join(sorted({"%s pairs%s" % (
        format(int(answer), ","), " in the plane" * cand.startswith("plane"))
                                   for cand, answer in row.answers.items()}, key=len))
    bench.report.keep(row)
    bench.db.run("DEALLOCATE ALL")
    bench.plans.set({})


def join(bench):
    """Measure U with another table, compared with as many boxes and pairs in the plane."""
    prepared(bench)
    data = bench.heaps
    a, b, c, d = data.heap("u"), data.heap("u2"), data.plane("plane"), data.plane("plane2")
    for cand, sql, suffix, memory in (("node", OVERLAP, "", AMPLE), ("function", FUNCTION, ", by function", AMPLE),
                                      ("node", OVERLAP, ", work_mem 64MB", "64MB")):
        bench.plans.base["work_mem"] = memory
        row = bench.row("join %s x %s%s" % (short(data.rows), short(data.rows), suffix), SECTION, "ms",
                        ("plane_" + cand,), ours=(cand,))
        plans = plans_of(bench, {cand: (sql, a, b), "plane_" + cand: (sql, c, d)})
        if cand not in plans:
            bench.report.note("space", "%s: this version has none in three dimensions" % row.name)
        timed(bench, row, plans, bench.args.rounds)
        if memory == AMPLE:
            bench.goal(row, row.name + ", beside the same in the plane", 1 / 1.3, "plane_" + cand, cand)
    del bench.plans.base["work_mem"]
    bench.plans.set({})
    data.drop("u2")
    data.drop("plane")
    data.drop("plane2")


def join_of_few(bench):
    """Measure a tenth of U with U, compared with nested loops over others' indexes."""
    prepared(bench)
    data = bench.heaps
    a, b = data.heap("few"), data.heap("few2")
    row = bench.row("join %s x %s" % (short(data.few), short(data.few)), SECTION, "ms", tuple(LOOPS),
                    ours=("node", "function"))
    plans = plans_of(bench, {"node": (OVERLAP, a, b), "function": (FUNCTION, a, b)})
    for cand, (kind, condition) in LOOPS.items():
        if kind not in bench.cands:
            continue
        inner, outer = data.twin(b, kind), data.twin(a, kind)
        data.show_only(outer, "")
        data.show_only(inner, data.index(b, kind))
        plans[cand] = bench.plans.plan("SELECT count(*) FROM %s a JOIN %s b ON %s" % (outer, inner, condition),
                                       {**NESTED_LOOPS[2]})
    timed(bench, row, plans, 3)
    data.drop("few2")


def scene(bench):
    """Find all colliding pairs of ten thousand boxes, which move between frames."""
    prepared(bench)
    data = bench.heaps
    data.made("bodies", SCENE, "%d bodies v1" % BODIES, 0.125)
    data.made("scene", "SELECT id, x(p) AS x, y(p) AS y, z(p) AS z, x(v) AS vx, y(v) AS vy, z(v) AS vz, half"
              " FROM %s ORDER BY id" % data.table("bodies"), "%d moving v1" % BODIES)
    data.made("still", MOVED.format("0.0"), "%d still v1" % BODIES)
    row = bench.row("a frame of %s boxes" % format(BODIES, ","), "A frame of a scene", "ms", ("loop_cube",),
                    ours=("function", "node"))

    def frame(cand, number):
        sql = FRAMES[cand] % {"moved": MOVED.format(repr(number / 60))}
        if cand == "node":
            plan = by_node(bench, sql)
            found = bench.plans.time(plan)
            bench.plans.forget([plan])
            return found
        return bench.timed("query", sql)

    cands = [c for c in FRAMES if (works(bench, FRAMES[c] % {"moved": MOVED.format("0")}) if c == "function"
                                   else by_node(bench, FRAMES[c] % {"moved": MOVED.format("0")}))]
    if not cands:
        bench.report.note("space", "%s: this version has neither node nor functions in three dimensions" % row.name)
    truth = None
    if "cube" in bench.cands:
        table = data.twin("still", "cube")
        data.show_only(table, data.index("still", "cube"))
        plan = bench.plans.plan("SELECT count(*) FROM {0} a JOIN {0} b ON a.c && b.c AND a.id < b.id".format(table),
                                NESTED_LOOPS[2])
        for _ in range(2):
            ms, truth = bench.plans.time(plan)
            row.add("loop_cube", ms)
    for number in range(4 * bench.args.rounds):
        pairs = {}
        for cand in bench.turns(number, cands):
            ms, pairs[cand] = frame(cand, number)
            if number:              # the first one is compared
                row.add(cand, ms)
        if len({*pairs.values(), *([truth] if truth and not number else [])}) > 1:
            bench.report.wrong.append("%s: frame %d: pairs differ: %s, by cube %s" % (row.name, number, pairs, truth))
        row.detail = "%s pairs" % "".join(list(pairs.values())[:1])
    bench.report.keep(row)
    bench.plans.set({})
    if cands:
        best = min(cands, key=row.median)
        bench.reached(row.name, "%.1f ms by %s" % (row.median(best), TITLES[best]), "under %g ms" % FRAME,
                      row.median(best) < FRAME)
