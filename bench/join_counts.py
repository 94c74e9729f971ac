"""Joins that are counted in the node, and subqueries for each row, beside the same with the setting off."""
from common import median
from report import short

SECTION = "Counts, and subqueries for each row"
HEAD = ["row", "pairs", "before", "now", "times as fast"]
PAIRS = 20                          # of each row, where many
ROUNDS = 3                          # at least
# Query of tables a and b, the setting, how many times as fast it should be, rows of a and b as parts of --rows, and
# pairs of a row of a.
CASES = {
    "counted": ("SELECT count(*), NULL::bigint FROM {a} a JOIN {b} b ON a.b && b.b", "counts", None, 1, 1, PAIRS),
    "by row": ("SELECT sum(n), count(*) FROM (SELECT a.id, count(*) AS n FROM {a} a JOIN {b} b ON a.b && b.b GROUP BY a.id) t",
               "counts", 5, 1, 1, PAIRS),
    "by row, no key": ("SELECT sum(n), count(*) FROM (SELECT a.id, count(*) AS n FROM {a} a JOIN {b} b ON a.b && b.b GROUP BY a.id) t",
                       "counts", None, 1, 1, PAIRS),
    "by row, left": ("SELECT sum(n), count(*) FROM (SELECT a.id, count(b.id) AS n FROM {a} a LEFT JOIN {b} b ON a.b && b.b"
                     " GROUP BY a.id) t", "counts", None, 1, 1, PAIRS),
    "by row of a small table": ("SELECT sum(n), count(*) FROM (SELECT a.id, count(*) AS n FROM {a} a JOIN {b} b ON a.b && b.b"
                                " GROUP BY a.id) t", "counts", None, 1000, 1, 100 * PAIRS),
    "a subquery for each row": ("SELECT sum(n), count(*) FROM (SELECT (SELECT count(*) FROM {b} b WHERE a.b && b.b) AS n"
                                " FROM {a} a) t", "repeated", None, 1000, 10, 1),
}


def names():
    return ["counts, " + what for what in CASES]


def measure(bench, name):
    what = name[len("counts, "):]
    query, setting, bar, of_a, of_b, pairs = CASES[what]
    rows = [max(bench.args.rows // n, 10) for n in (of_a, of_b)]
    tables = [bench.loaded(kind, n, max(rows) / pairs) for kind, n in zip(("u1", "u2"), rows)]
    bench.db.run("; ".join("ALTER TABLE %s ALTER id SET NOT NULL" % t for t in tables))
    # groups of a table with a key are counted without an aggregate, those of others with one
    key = tables[0] + "_key"
    bench.db.run("ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s" % (tables[0], key))
    keys = [] if "no key" in what else [key]
    if keys:
        bench.db.run("ALTER TABLE %s ADD CONSTRAINT %s PRIMARY KEY (id)" % (tables[0], key))
    sql = query.format(a=tables[0], b=tables[1])
    times, answers = {"on": [], "off": []}, set()
    bench.plans.base = {"max_parallel_workers_per_gather": "0"}
    bench.plans.set({})
    bench.plans.show(set(tables), keys)
    for i in range(max(bench.args.rounds, ROUNDS)):
        for value in bench.turns(i, list(times)):
            bench.db.run("SET spqtree.enable_%s = %s" % (setting, value))
            ms, answer = bench.timed("query", "SELECT s || ' ' || coalesce(n, 0) FROM (%s) q (s, n)" % sql)
            times[value].append(ms)
            answers.add(answer)
    bench.db.run("RESET spqtree.enable_%s" % setting)
    title = "%s: U %s x %s" % (what, *map(short, rows))
    if len(answers) != 1:
        bench.report.wrong.append("%s: answers differ: %s" % (title, answers))
    before, now = median(times["off"]), median(times["on"])
    bench.line(SECTION, HEAD, [title, answers.pop().split()[0], "%.3g ms" % before, "%.3g ms" % now, "%.2f" % (before / now)])
    if bar:
        bench.bar("join: %s, counted in the node" % title, "%.2f times as fast" % (before / now), "%g times" % bar, before / now >= bar)
