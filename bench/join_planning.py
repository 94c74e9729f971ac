"""Around the join: planning time, memory, growth, and accuracy of row estimates, also of scans."""
import json
import math

from common import Failure, median, nodes, say
from join_base import peak
from join_kinds import ANTI, FUNCTION, HOLDS, INNER, LEFT, OVERLAP, SEMI
from report import short

# Joins that are estimated: form, left, right, condition.
ESTIMATES = {
    "U x U": (INNER, "u1", "u2", OVERLAP),
    "S x S": (INNER, "s1", "s2", OVERLAP),
    "U, a hundredth x all": (INNER, "u1 small", "u2", OVERLAP),
    "S, a hundredth x all": (INNER, "s1 small", "s2", OVERLAP),
    "roads x buildings": (INNER, "roads", "buildings", OVERLAP),
    "roads x landuse": (INNER, "roads", "landuse", OVERLAP),
    "roads x roads": (INNER, "roads", "roads", OVERLAP),
    "cities in parts": (INNER, "cities", "parts", HOLDS),
    "cities in counties": (INNER, "cities", "us_counties", HOLDS),
    "counties x counties": (INNER, "us_counties", "us_counties", OVERLAP),
    "U, boxes that hold points": (INNER, "points", "u2", HOLDS),
    "U, boxes in boxes": (INNER, "u1", "u2", "a.b <@ b.b"),
    "circles": (INNER, "circles1", "circles2", "a.c && b.c"),
    "circles that hold points": (INNER, "points", "circles2", "a.p <@ b.c"),
    "polygons": (INNER, "polygons1", "polygons2", "a.g && b.g"),
    "polygons that hold points": (INNER, "points", "polygons2", "a.p <@ b.g"),
    "U x U, semi": (SEMI, "u1", "u2", OVERLAP),
    "U x U, anti": (ANTI, "u1", "u2", OVERLAP),
    "U, a hundredth, semi": (SEMI, "u1 small", "u2", OVERLAP),
    "S x S, semi": (SEMI, "s1", "s2", OVERLAP),
    "S x S, anti": (ANTI, "s1", "s2", OVERLAP),
    "roads x buildings, semi": (SEMI, "roads", "buildings", OVERLAP),
    "roads x buildings, anti": (ANTI, "roads", "buildings", OVERLAP),
    "buildings x roads, anti": (ANTI, "buildings", "roads", OVERLAP),
    "roads x buildings, left": (LEFT, "roads", "buildings", OVERLAP),
    "cities in parts, semi": (SEMI, "cities", "parts", HOLDS),
    "cities in parts, anti": (ANTI, "cities", "parts", HOLDS),
}
ESTIMATE_BAR = 3
ESTIMATE_SESSIONS = 3               # each with its own samples

GROWTH = (0.25, 0.5, 1, 2)          # of --rows
GROWTH_MEM = "1GB"
MEMORY = ["4MB", "64MB"]            # work_mem

# Windows around rows of these tables, as parts of the side of the data.  "In order": stored as in
# the file, which is about the order of digitizing.
SCANS = ("U", "roads", "roads in order", "buildings", "buildings in order")
SCAN_SIDES = (0.00005, 0.0001, 0.0003, 0.0006, 0.0012, 0.0025, 0.005, 0.01, 0.03, 0.1, 0.2, 0.4)
SCAN_WINDOWS = 15                   # of each side
# Results from this part of the table on, and the factor by which an estimate may be off.
SCAN_CLASSES = {"1 % and more": (0.01, 2), "0.1 to 1 %": (0.001, 10), "below 0.1 %": (0, 10)}
SCAN_ROWS = 20                      # rows by which the last two may be off in any case

# Statements to plan: form, tables.
IN_WINDOW = "SELECT count(*) FROM %s a WHERE a.b && '(%g,%g),(%g,%g)'"
PLANNING = {"U x U": ("u1", "u2"), "roads x buildings": ("roads", "buildings"),
            "S x S": ("s1", "s2"), "U in a window": ("u1",), "roads in a window": ("roads",)}
PLANNING_BAR = {1: 0.02, 2: 0.1}    # ms added, by tables
PLANNING_SESSIONS = 15
PLANNING_TIMES = 25                 # in a session


def planning(bench):
    head = ["what", "without the library", "first time: added", "remembered: added",
            "sampling off: added"]
    for what, tables in PLANNING.items():
        tables = [bench.table(t) for t in tables]
        bench.plans.show(set(tables), [bench.index(t, "b", "gist") for t in tables])
        if len(tables) == 2:
            statements = [INNER % (*tables, OVERLAP)]
        else:
            # elsewhere each time, as in practice, because a processor learns what one window needs
            side, x, y = extent(bench, tables[0])
            places = [(x + side * (i * 0.381966 % 0.75), y + side * (i * 0.618034 % 0.75))
                      for i in range(PLANNING_TIMES)]
            statements = [IN_WINDOW % (tables[0], low, left, low + side / 4, left + side / 4)
                          for low, left in places]
        kinds = ("without", "first", "remembered", "sampling off")
        took = {kind: [] for kind in kinds}

        def planned(db, times=PLANNING_TIMES):
            explain = "EXPLAIN (SUMMARY on, COSTS off, FORMAT json) "
            return [json.loads("\n".join("\t".join(r) for r in db.run(
                explain + statements[i % len(statements)])))[0]["Planning Time"]
                for i in range(times)]
        for _ in range(PLANNING_SESSIONS):
            db = bench.session(load=False)
            planned(db)         # to fill the session's catalog caches
            without = median(planned(db))
            db.run("LOAD 'spqtree'")
            took["without"].append(without)
            took["first"].append(planned(db, 1)[0] - without)
            took["remembered"].append(median(planned(db)) - without)
            db.run("SET spqtree.sample_rows = 0")
            took["sampling off"].append(median(planned(db)) - without)
            db.close()
        bench.line("Planning time", head, [what, *["%.3f ms (%.3f–%.3f)" % (
            median(took[k]), min(took[k]), max(took[k])) for k in kinds]])
        most = PLANNING_BAR[len(tables)]
        for kind, bar in (("first", 2), ("remembered", most), ("sampling off", most)):
            bench.bar("planning, %s, %s" % (what, kind),
                      "%.3f ms added" % median(took[kind]),
                      "at most %g ms" % bar, median(took[kind]) <= bar)


def memory(bench):
    """Measure the node and the function with little work_mem, each in a new session."""
    left, right = bench.table("u1"), bench.table("u2")
    bench.plans.show({left, right}, [])
    what = "U %s x %s" % ((short(bench.args.rows),) * 2)
    queries = {"node": INNER % (left, right, OVERLAP), "function": FUNCTION % (left, right)}
    head = ["what", "work_mem", "peak above idle (largest)", "batches", "EXPLAIN's memory"]
    rows, added = {}, {}
    for memory in MEMORY:
        rows[memory] = bench.row("%s, work_mem %s" % (what, memory), "Memory", (), ())
    for i in range(bench.args.rounds):
        for memory in bench.turns(i, MEMORY):
            for name in bench.turns(i, list(queries)):
                ms, answer, most, _ = peak(bench, memory, queries[name])
                rows[memory].add(name, ms, answer)
                added.setdefault((name, memory), []).append(most)
    for memory, row in rows.items():
        row.detail = row.answers["node"] + " rows"
        bench.report.keep(row)
        bench.db.run("SET work_mem = '%s'" % memory)
        top = bench.db.explain(queries["node"], "ANALYZE, TIMING off")
        bench.db.run("RESET work_mem")
        found = [n for n in nodes(top) if "Batches" in n]
        seen = ("%d" % found[0]["Batches"], "%d kB" % found[0]["Memory Usage"]) if found else (
            "not the node's plan", "–")
        for name in queries:
            bench.line("Memory beside the times", head, [
                "%s, %s" % (row.name, bench.report.titles[name]), memory,
                "%.1f MB" % max(added[name, memory]),
                *(seen if name == "node" else ("–", "–"))])


def estimate(bench, what):
    form, left, right, condition = ESTIMATES[what]
    left, right = bench.table(left), bench.table(right)
    bench.plans.show({left, right}, [])
    counted = form % (left, right, condition)
    rows = counted.replace(counted[7:counted.index(" FROM ")], "1", 1)
    truth = int(bench.db.value("SELECT count(*) FROM (%s) r" % rows))
    guesses = []
    for _ in range(ESTIMATE_SESSIONS):
        db = bench.session()
        guesses.append(db.explain(rows, "COSTS on")["Plan Rows"])
        db.close()
    db = bench.session(load=False)
    without = db.explain(rows, "COSTS on")["Plan Rows"]
    db.close()
    worst = max(times_off(g, truth) for g in guesses)
    bench.estimated.append((what, worst))
    bench.line("Estimates of rows", ["what", "rows", "estimates", "worst: times off",
                                     "without the library"],
               [what, format(truth, ","), ", ".join(format(g, ",") for g in guesses),
                "%.2f" % worst if worst <= ESTIMATE_BAR else "**%.2f**" % worst,
                format(without, ",")])


def extent(bench, table):
    """Return the side of a square as large as the data, and its lower left corner."""
    ((x, y, width, height),) = bench.db.run(
        "SELECT min((b[1])[0]), min((b[1])[1]), max((b[0])[0]) - min((b[1])[0]),"
        " max((b[0])[1]) - min((b[1])[1]) FROM %s" % table)
    return math.sqrt(float(width) * float(height)), float(x), float(y)


def times_off(guess, truth):
    return max(guess, 1) / max(truth, 1) if guess > truth else max(truth, 1) / max(guess, 1)


def scan_estimate(bench, what):
    """Compare the rows expected of b && window with the true number, for windows around rows."""
    table = bench.table("u1" if what == "U" else what)
    side, _, _ = extent(bench, table)
    total = int(bench.db.value("SELECT count(*) FROM %s" % table))
    bench.plans.show({table}, [bench.index(table, "b", "gist")])
    windows = bench.db.run(
        "SELECT w.b, (SELECT count(*) FROM %s t WHERE t.b && w.b) FROM (SELECT box(c - point(s, s),"
        " c + point(s, s)) AS b FROM unnest(ARRAY%r::float8[]) part, LATERAL (SELECT center(b) AS c,"
        " part * %r / 2 AS s FROM %s ORDER BY hashint8extended(id, (part * 1000)::int8), id"
        " LIMIT %d) r) w" % (table, list(SCAN_SIDES), side, table, SCAN_WINDOWS))
    found = {name: [] for name in SCAN_CLASSES}
    for window, truth in windows:
        truth = int(truth)
        guess = bench.db.explain("SELECT FROM %s WHERE b && '%s'" % (table, window),
                                 "COSTS on")["Plan Rows"]
        name = next(n for n, (part, _) in SCAN_CLASSES.items() if truth >= part * total)
        found[name].append((guess, truth))
    for name, (part, allowed) in SCAN_CLASSES.items():
        off = [times_off(*pair) for pair in found[name]]
        if not off:
            continue
        outside = sum(o > allowed and (part == 0.01 or abs(g - t) > SCAN_ROWS)
                      for o, (g, t) in zip(off, found[name]))
        guess, truth = found[name][off.index(max(off))]
        bench.line("Estimates of scans", ["table", "part of the table in the window", "windows",
                                          "outside of the bounds", "times off: median", "worst",
                                          "its rows", "its estimate"],
                   [what, name, str(len(off)), "%d (%.1f %%)" % (outside, 100 * outside / len(off)),
                    "%.2f" % median(off), "%.2f" % max(off), format(truth, ","),
                    format(guess, ",")])


def scan_estimates(bench):
    for what in SCANS:
        say("  %s" % what)
        bench.attempt(scan_estimate, what)


def estimates(bench):
    bench.estimated = []
    for what in ESTIMATES:
        say("  %s" % what)
        bench.attempt(estimate, what)
    worst = max(bench.estimated, key=lambda e: e[1])
    bench.bar("estimates, %d joins" % len(bench.estimated), "worst: %s, %.2f times off" % worst,
              "at most %g times off" % ESTIMATE_BAR, worst[1] <= ESTIMATE_BAR)


def growth(bench):
    """Measure U x U of constant density; fit the exponent to the medians by least squares."""
    times = {}
    for share in GROWTH:
        rows = max(round(bench.args.rows * share), 1)
        left, right = bench.loaded("u1", rows), bench.loaded("u2", rows)
        sql = FUNCTION % (left, right)
        for memory in (GROWTH_MEM, "64MB"):
            times[rows, memory] = ([], sql)
    pairs = {}
    for i in range(-1, bench.args.rounds):
        for rows, memory in (list(times) if i % 2 == 0 else list(times)[::-1]):
            found, sql = times[rows, memory]
            bench.db.run("SET work_mem = '%s'" % memory)
            ms, answer = bench.timed("query", sql)
            if i >= 0:  # the first rounds load the tables
                found.append(ms)
            if pairs.setdefault(rows, answer) != answer:
                raise Failure("growth: %s pairs, then %s" % (pairs[rows], answer))
    bench.db.run("RESET work_mem")
    for memory in (GROWTH_MEM, "64MB"):
        points = [(math.log(rows), math.log(median(found)))
                  for (rows, m), (found, _) in times.items() if m == memory]
        xs, ys = [sum(p[k] for p in points) / len(points) for k in (0, 1)]
        slope = (sum((x - xs) * (y - ys) for x, y in points)
                 / sum((x - xs) ** 2 for x, _ in points))
        bench.bar("growth of U x U, work_mem %s" % memory, "rows^%.2f" % slope,
                  "at most rows^1.1" if memory == GROWTH_MEM else "reported",
                  slope <= 1.1 if memory == GROWTH_MEM else None)
    for rows in sorted(pairs):
        for memory in (GROWTH_MEM, "64MB"):
            row = bench.row("growth, U %s x %s, work_mem %s" % (short(rows), short(rows), memory),
                            "Growth of spqtree_join()", (), (), pairs[rows] + " rows")
            for ms in times[rows, memory][0]:
                row.add("function", ms, pairs[rows])
            bench.report.keep(row)
