"""Moves of objects among fences: by one client in statements of some size, and by eight at once."""
from common import median, say
from join_base import anonymous
from report import short
from watch_base import AREA, RIVALS, SCHEMA, TITLES, aisle, percentile, place

SECTION = "Moves by one client"
SIZES = (1, 10, 1000)
SUSTAINED = 100                     # rows of the statement that is measured in more detail
WRITERS = 8


def side_of(number):
    """Return the side of a square with as many fences per km2 as U has boxes."""
    return 1e5 * (number / 1e6) ** 0.5


def start(bench, number, cands):
    """Make fences and objects, and watch the objects.  Return milliseconds of the watch."""
    side = side_of(number)
    bench.make_fences("boxes", number, side)
    for cand in cands:
        bench.make_objects(cand, bench.objects, place("-1", side))
    return {cand: bench.watch(cand) for cand in cands}["watch"]


def moves(bench, number):
    """Measure a sustained load of statements with a hundred moves each."""
    fences = "%s fences" % short(number)
    created = bench.row("create, " + fences, "Creation and size", "ms")
    created.add("watch", start(bench, number, list(TITLES)))
    pairs = int(bench.db.value("SELECT count(*) FROM pairs"))
    created.detail = "%s objects, %d pairs" % (short(bench.objects), pairs)
    bench.report.keep(created)
    size = bench.row("size of pairs, " + fences, "Creation and size", "MB", detail="%d pairs, two indexes" % pairs)
    size.add("watch", float(bench.db.value("SELECT pg_total_relation_size('pairs') / 1e6")))
    bench.report.keep(size)
    statements(bench, SUSTAINED, number, list(TITLES))
    memory(bench, fences)
    bench.unwatch(fences)


def sizes(bench, number):
    """Measure statements with fewer and with more moves."""
    start(bench, number, list(TITLES))
    for each in SIZES:
        statements(bench, each, number, list(TITLES))
    bench.unwatch("sizes")


def statements(bench, each, number, cands):
    """Measure statements with the given number of moves."""
    side = side_of(number)
    what = "%d move%s a statement, %s fences" % (each, "s"[:each > 1], short(number))
    # for single moves, enough objects for the duration
    total = bench.make_moves(each, side, bench.objects if each >= 100 else max(bench.objects // 10, each))
    rate = bench.row(what, SECTION, "1/s", better="more")
    half = bench.row(what + ", median", "Time of a statement", "ms")
    worst = bench.row(what + ", 99th percentile", "Time of a statement", "ms")
    logged = bench.row(what + ", events", "Events", "1/s", (), better="more")
    for cand in cands:
        bench.put_back(cand, place("-1", side))
    # a sustained load, twice, or short ones in turns
    seconds = bench.seconds(1 if each == SUSTAINED else 1 / 20)
    for i in range(min(bench.args.rounds, 2) if each == SUSTAINED else bench.args.rounds):
        for cand in bench.turns(i, cands):
            before = bench.events(cand) if cand != "none" else 0
            tps, took = bench.move(cand, each, total, seconds)
            rate.add(cand, tps * each)
            half.add(cand, median(took))
            worst.add(cand, percentile(took, 0.99))
            if cand != "none":
                logged.add(cand, (bench.events(cand) - before) / (len(took) / tps) + 1e-9)
    rate.detail = "%d s a round" % seconds
    for row in (rate, half, worst, logged):
        bench.report.keep(row)
    if each == SUSTAINED:
        bench.reached(rate.name, "%s moves/s" % format(round(rate.median("watch")), ","), "10,000 moves/s",
                      rate.median("watch") >= 10000)
        bench.reached(worst.name, "%.3g ms" % worst.median("watch"), "at most 25 ms", worst.median("watch") <= 25)
    if each == max(SIZES):
        bench.at_most(half, 2)
    bench.db.run("DROP TABLE moves_%d" % each)


def beside(bench, number):
    """Measure large statements that move objects among fences, but near none."""
    side, each = side_of(number), max(SIZES)
    bench.make_fences("boxes", number, side)
    bench.clear_aisles()
    for cand in ("watch", "none"):
        bench.make_objects(cand, bench.objects, aisle("-1", side))
        bench.watch(cand)
    total = bench.make_moves(each, side, bench.objects, aisle)
    row = bench.row("%d moves a statement, near none of %s fences" % (each, short(number)), "Time of a statement",
                    "ms", ("none",))
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, ["watch", "none"]):
            row.add(cand, median(bench.move(cand, each, total, bench.seconds(1 / 20))[1]))
    bench.report.keep(row)
    bench.at_most(row, 1.3)
    bench.unwatch("beside")


def memory(bench, fences):
    """Measure a session's memory after a hundred statements, less that after its first, trivial one."""
    row = bench.row("memory of a session, " + fences, "Creation and size", "MB")
    for cand in ("watch", *RIVALS, "none"):
        db = bench.server.session()
        pid = int(db.value("SELECT pg_backend_pid()"))
        idle = anonymous(pid)
        for i in range(100 if bench.seconds() else 3):
            db.run("UPDATE %s.objects_%s SET p = p + point(1, 1) WHERE id %% 1000 = %d" % (SCHEMA, cand, i))
        row.add(cand, max(anonymous(pid) - idle, 0.001))
        db.close()
    bench.report.keep(row)


def shapes(bench, kind, number):
    """Measure fences that are not boxes, for which the rivals would need other triggers."""
    side, what = side_of(number), "%d moves a statement, %s %s" % (SUSTAINED, short(number), kind)
    if bench.lacks(what, AREA[kind]):
        return
    bench.make_fences(kind, number, side)
    for cand in ("watch", "none"):
        bench.make_objects(cand, bench.objects, place("-1", side))
        bench.watch(cand)
    total = bench.make_moves(SUSTAINED, side, bench.objects)
    rate = bench.row(what, SECTION, "1/s", (), better="more")
    worst = bench.row(what + ", 99th percentile", "Time of a statement", "ms", ())
    for cand in ("watch", "none"):
        tps, took = bench.move(cand, SUSTAINED, total, bench.seconds(1 / 4))
        rate.add(cand, tps * SUSTAINED)
        worst.add(cand, percentile(took, 0.99))
    bench.report.keep(rate)
    bench.report.keep(worst)
    bench.unwatch(what)


def writers(bench, number):
    """Measure eight clients that move their own objects, beside one that moves a fence each second."""
    side = side_of(number)
    cands = [c for c in TITLES if c != "row"]
    start(bench, number, cands)
    total = bench.make_moves(SUSTAINED, side, bench.objects)
    for what, change in (("%d writers" % WRITERS, None),
                         ("%d writers, a fence moved each second" % WRITERS,
                          "\\set id random(1, %d)\nUPDATE %s.{fences} SET b = b + point(1, 1) WHERE id = :id;\n"
                          % (number, SCHEMA))):
        row = bench.row(what, "Moves by eight clients", "1/s", ("statement",), better="more",
                        detail="%d moves a statement, %s fences" % (SUSTAINED, short(number)))
        slow = bench.row(what + ", 99th percentile", "Moves by eight clients", "ms", ("statement",))
        for i in range(2 if bench.seconds() else 1):
            for cand in bench.turns(i, cands):
                table = "fences" if cand == "watch" else "fences_gist"
                tps, took = bench.move(cand, SUSTAINED, total, bench.seconds(1 / 2), WRITERS,
                                       change and change.format(fences=table))
                row.add(cand, tps * SUSTAINED)
                slow.add(cand, percentile(took, 0.99))
        bench.report.keep(row)
        bench.report.keep(slow)
    say("  %s moves/s without a watch" % format(round(row.median("none")), ","))
    bench.unwatch("writers")
