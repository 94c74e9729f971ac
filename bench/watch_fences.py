"""What a dwell time costs, and fences around shops: many circles that overlap, moves by many clients.

    objects_none    (id, p, note)   no watch
    objects_watch   the same        a watch: pairs
    objects_dwell   the same        a watch with a dwell time: pairs_dwell
    objects_timer   the same        the same, and a timer: pairs_timer
    fences          (id, b)         <-  USING spqtree (b)
    centers         (id, p)         of the circles

docs/compare.md says where the shops are from.
"""
from common import say
from report import Row, short
from watch_base import SCHEMA, place
from watch_moves import side_of

COST = "A dwell time"
SHOPS_TITLE = "Fences around shops"
TITLES = {"dwell": "watch with a dwell time", "timer": "watch with a dwell time, and a timer"}
PAIRS = {"watch": "pairs", "dwell": "pairs_dwell", "timer": "pairs_timer"}
DWELL = "1 second"
# Each second: what is due, some pairs at a time, as docs/moving.md recommends.
TIMER = ("DO $$ BEGIN LOOP EXIT WHEN spqtree_settle_watch('%s.pairs_timer', 1000) < 1000; COMMIT; END LOOP; END $$;\n"
         % SCHEMA)
TOWNS, SHOPS, RADIUS, CLIENTS = 300, 23000, 5, 20
SPREAD = 4.27                       # km: a shop is in 23 circles
LAND = (4500, 2500)                 # km


def start(bench, cand):
    """Watch the objects of a candidate."""
    if cand in PAIRS:
        bench.db.run("SELECT spqtree_watch('%s.%s', '%s.objects_%s', 'p', '%s.fences', 'b'%s)" % (
            SCHEMA, PAIRS[cand], SCHEMA, cand, SCHEMA, "" if cand == "watch" else ", dwell => '%s'" % DWELL))


def end(bench, what, cands):
    """Check the pairs, and end the watches."""
    for cand in cands:
        if cand not in PAIRS:
            continue
        bad = int(bench.db.value("SELECT count(*) FROM spqtree_check_watch('%s')" % PAIRS[cand]))
        if bad:
            bench.report.wrong.append("watch: %s, %s: %d pairs are wrong" % (what, cand, bad))
        bench.db.run("SELECT spqtree_unwatch('%s')" % PAIRS[cand])
        bench.db.run("DROP TABLE %s_events" % PAIRS[cand])
    bench.db.run("DROP TABLE %s" % ", ".join("objects_" + cand for cand in cands))


def events(bench, cand):
    return int(bench.db.value("SELECT count(*) FROM %s_events" % PAIRS[cand])) if cand in PAIRS else 0


def rows(what, section, detail):
    """Return a row of rates, in which watches with a dwell time are compared with one without, and one of events."""
    return (Row("watch: " + what, section, "1/s", ("dwell", "timer"), ("watch",), "more", detail),
            Row("watch: %s, events" % what, section, "1/s", ("dwell", "timer"), (), "more", detail))


def add(bench, rate, logged, cand, load, each=1):
    """Run a load and add its moves and events."""
    before = events(bench, cand)
    tps, took = load(cand)
    rate.add(cand, tps * each)
    if cand in PAIRS:
        logged.add(cand, (events(bench, cand) - before) / (len(took) / tps) + 1e-9)


def dwell(bench, number):
    """Measure the same moves without a watch, with one, and with a dwell time, with and without a timer."""
    bench.report.titles.update(TITLES)
    side, cands = side_of(number), ["none", "watch", "dwell", "timer"]
    bench.make_fences("boxes", number, side)
    for cand in cands:
        bench.make_objects(cand, bench.objects, place("-1", side))
        start(bench, cand)
    seconds = bench.seconds(1 / 4)
    for each in (100, 1):
        total = bench.make_moves(each, side, bench.objects if each > 1 else max(bench.objects // 10, 1))
        rate, logged = rows("%d move%s a statement, %s fences, dwell" % (each, "s"[:each > 1], short(number)), COST,
                            "dwell %s, %d s a round" % (DWELL, seconds))
        for cand in cands:
            bench.put_back(cand, place("-1", side))
        for i in range(bench.args.rounds):
            for cand in bench.turns(i, cands):
                add(bench, rate, logged, cand,
                    lambda c: bench.move(c, each, total, seconds, beside=TIMER if c == "timer" else None), each)
        bench.report.keep(rate)
        bench.report.keep(logged)
        bench.db.run("DROP TABLE moves_%d" % each)
    end(bench, "dwell", cands)


def make_shops(bench, number):
    """Make circles around shops in towns, and return in how many a shop is."""
    towns = max(TOWNS * number // SHOPS, 1)
    bench.db.run("DROP TABLE IF EXISTS fences, fences_gist, centers CASCADE")
    bench.db.run("SELECT setseed(0.5)")
    bench.db.run(
        "CREATE TABLE centers AS SELECT s.id, point(t.x + %r * s.r * cos(s.a), t.y + %r * s.r * sin(s.a)) AS p FROM"
        " (SELECT id, sqrt(-2 * ln(1 - random())) AS r, 2 * pi() * random() AS a FROM generate_series(1, %d) id"
        " OFFSET 0) s JOIN (SELECT town, %d * random() AS x, %d * random() AS y FROM generate_series(1, %d) town"
        " OFFSET 0) t ON town = 1 + s.id %% %d" % (SPREAD, SPREAD, number, *LAND, towns, towns))
    bench.db.run("ALTER TABLE centers ADD PRIMARY KEY (id)")
    bench.db.run("CREATE TABLE fences AS SELECT id, circle(p, %d) AS b FROM centers" % RADIUS)
    bench.db.run("ALTER TABLE fences ADD PRIMARY KEY (id)")
    bench.db.run("CREATE INDEX ON fences USING spqtree (b)")
    bench.db.run("VACUUM ANALYZE centers, fences")
    return float(bench.db.value("SELECT count(*)::float8 / %d FROM centers c JOIN fences f"
                                " ON spqtree_dwithin(c.p, f.b, 0)" % number))


def shops(bench):
    """Measure twenty clients that set one position each, of a vehicle at a shop: its own again, or another shop."""
    bench.report.titles.update(TITLES)
    number = min(SHOPS, bench.args.rows)
    cands = ["none", "watch", "dwell", "timer"]
    circles = make_shops(bench, number)
    for cand in cands:
        bench.make_objects(cand, number, "(SELECT c.p FROM centers c WHERE c.id = id.id)")
        start(bench, cand)
    seconds = bench.seconds(1 / 5)
    detail = "%s circles, a shop is in %.0f; dwell %s, %d s a round" % (short(number), circles, DWELL, seconds)
    for what, shop in (("positions unchanged", ":v"), ("positions at other shops", "(:s + %d) %% %d + 1")):
        rate, logged = rows("%s, %d clients" % (what, CLIENTS), SHOPS_TITLE, detail)
        for i in range(bench.args.rounds):
            for cand in bench.turns(i, cands):
                # pgbench draws the same numbers in each round: other shops for the same vehicles
                where = shop if shop == ":v" else shop % (i * 7919, number)
                script = ("\\set v random(1, %d)\n\\set s random(1, %d)\nUPDATE %s.objects_%s SET p ="
                          " (SELECT c.p FROM %s.centers c WHERE c.id = %s) WHERE id = :v;\n"
                          % (number, number, SCHEMA, cand, SCHEMA, where))
                add(bench, rate, logged, cand, lambda c: bench.load(
                    script, seconds, CLIENTS, TIMER if c == "timer" else None))
        bench.report.keep(rate)
        if shop != ":v":
            bench.report.keep(logged)
    say("  a shop is in %.1f circles" % circles)
    end(bench, "shops", cands)
    bench.db.run("DROP TABLE centers")
