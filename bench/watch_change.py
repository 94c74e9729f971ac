"""Statements that change no pair, fences that move, and objects that watch each other."""
from common import median
from report import short
from watch_base import SCHEMA, TITLES, place
from watch_moves import side_of

IDLE = "Statements that change no pair"
FENCES = "Moved fences"
SELF = "Who sees whom: a frame"
VIEWERS, VIEW = 1000, 500           # boxes of 500 m, which contain about 25 objects
FRAME = 1000 / 60

# A statement, prepared by PL/pgSQL, many times in a transaction, each time on other rows.
LOOP = """CREATE OR REPLACE FUNCTION {name}(first int, times int) RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
	FOR i IN first..first + times - 1 LOOP
		UPDATE {table} SET {change} WHERE id BETWEEN i * {rows} + 1 AND (i + 1) * {rows};
	END LOOP;
END $f$"""


def idle(bench, number):
    """Measure in the server, and in a client, including the transaction and the communication."""
    bench.make_fences("boxes", number, side_of(number))
    for cand in ("watch", "none"):
        # far from all fences
        bench.make_objects(cand, bench.objects, place("0", side_of(number)) + " - point(1e6, 1e6)")
        bench.watch(cand)
    for what, change, rows in (("1 row far from fences", "p = p + point(1, 1)", 1),
                               ("100 rows far from fences", "p = p + point(1, 1)", 100),
                               ("1000 rows far from fences", "p = p + point(1, 1)", 1000),
                               ("another column of 1 row", "note = note + 1", 1),
                               ("another column of 100 rows", "note = note + 1", 100)):
        if bench.objects < rows:        # a short run
            continue
        inside(bench, what, change, rows)
        by_client(bench, what, change, rows)
    bench.unwatch("idle")


def inside(bench, what, change, rows):
    row = bench.row(what, IDLE, "ms", ("none",))
    times = min(200 if rows == 1 else 40, bench.objects // rows)
    for cand in ("watch", "none"):
        bench.db.run(LOOP.format(name="loop_" + cand, table="objects_" + cand, change=change, rows=rows))
        bench.timed("query", "SELECT loop_%s(0, %d)" % (cand, times))
    for i in range(4 * bench.args.rounds):
        # rows that this transaction has not changed
        first = (i * times) % max(bench.objects // rows - times, 1)
        for cand in bench.turns(i, ["watch", "none"]):
            row.add(cand, bench.timed("query", "SELECT loop_%s(%d, %d)" % (cand, first, times))[0] / times)
    row.detail = "%d statements in a transaction" % times
    bench.report.keep(row)
    bench.at_most(row, 1.3 if rows == 1000 else 2)


def by_client(bench, what, change, rows):
    row = bench.row(what + ", by a client", IDLE, "ms", ("none",), "a transaction each, pgbench")
    for i in range(bench.args.rounds):
        for cand in bench.turns(i, ["watch", "none"]):
            script = ("\\set i :i + 1\n\\set n (:i * %d) %% %d\nUPDATE %s.objects_%s SET %s WHERE id BETWEEN :n + 1"
                      " AND :n + %d;\n" % (rows, bench.objects, SCHEMA, cand, change, rows))
            _, took = bench.load(script, bench.seconds(1 / 10))
            row.add(cand, median(took))
    bench.report.keep(row)
    bench.at_most(row, 1.3 if rows == 1000 else 2)


def viewers(bench):
    """Measure viewers whose areas move, by the index on objects."""
    side = side_of(bench.objects)
    bench.db.run("DROP TABLE IF EXISTS fences, fences_gist CASCADE")
    cands = ["watch", "none"]
    for cand, table in (("watch", "fences"), ("none", "fences_none")):
        bench.db.run("DROP TABLE IF EXISTS %s CASCADE" % table)
        bench.db.run("CREATE TABLE %s (id int PRIMARY KEY, b box)" % table)
        bench.db.run("INSERT INTO %s SELECT id, box(c - point(%d, %d), c + point(%d, %d)) FROM (SELECT id, %s c FROM"
                     " generate_series(1, %d) id) s" % (table, *(VIEW // 2,) * 4, place("0", side), VIEWERS))
        bench.db.run("CREATE INDEX ON %s USING spqtree (b)" % table)
        bench.db.run("VACUUM ANALYZE %s" % table)
    bench.make_objects("watch", bench.objects, place("5", side))
    bench.db.run("CREATE INDEX ON objects_watch USING spqtree (p)")
    bench.watch("watch")
    for number in (1, 100):
        row = bench.row("%d viewer%s moved" % (number, "s"[:number > 1]), FENCES, "ms", ("none",),
                        "%s objects, %d viewers" % (short(bench.objects), VIEWERS))
        before = bench.events("watch")
        count = 0
        for i in range(bench.args.rounds):
            for cand in bench.turns(i, cands):
                script = ("\\set a random(0, %d)\n\\set x random(-20, 20)\nUPDATE %s.%s SET b = b + point(:x, 10)"
                          " WHERE id BETWEEN :a * %d + 1 AND (:a + 1) * %d;\n" % (
                              VIEWERS // number - 1, SCHEMA, "fences" if cand == "watch" else "fences_none",
                              number, number))
                _, took = bench.load(script, bench.seconds(1 / 10))
                row.add(cand, median(took))
                count += len(took) if cand == "watch" else 0
        row.detail += ", %.1f events a statement" % ((bench.events("watch") - before) / max(count, 1))
        bench.report.keep(row)
    bench.unwatch("viewers")


def players_of(args):
    return (1000, 15000) if args.rows >= 100000 else (400, 1000)


def players(bench, number):
    """Measure players that all move in one statement; each pair within a radius is kept."""
    if bench.lacks("%s players" % short(number), "point"):
        return
    side, radius = 10 * number ** 0.5, 16       # about eight neighbors
    for cand in ("watch", "none"):
        bench.make_objects(cand, number, "point(%r * %s, %r * %s)" % (
            side, "(hashint8extended(id, 21) / 18446744073709551616.0::float8 + 0.5)",
            side, "(hashint8extended(id, 22) / 18446744073709551616.0::float8 + 0.5)"))
        bench.db.run("CREATE INDEX ON objects_%s USING spqtree (p)" % cand)
    bench.db.run("SELECT spqtree_watch('%s.pairs', '%s.objects_watch', 'p', distance => %d)" % (
        SCHEMA, SCHEMA, radius))
    row = bench.row("%s players, a frame" % short(number), SELF, "ms", ("none",))
    before = bench.events("watch")
    frames = 4 * bench.args.rounds
    for i in range(frames):
        angle = "radians(hashint8extended(id, %d) %% 360)" % (i // 10)
        for cand in bench.turns(i, ["watch", "none"]):
            row.add(cand, bench.timed("command", "UPDATE objects_%s SET p = p + point(cos(%s), sin(%s))" % (
                cand, angle, angle))[0])
    row.detail = "%s pairs, %d events a frame" % (
        bench.db.value("SELECT count(*) FROM pairs"), (bench.events("watch") - before) // frames)
    bench.report.keep(row)
    bench.unwatch("players")
