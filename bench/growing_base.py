"""Server, tables and indexes of the measurements of growth.

    growing_N_1 (id, b)  <-  growing_N_1_rtree, growing_N_1_gist
    growing_N_2 (id, b)      for joins

Boxes are uniform and as dense as those of U for every N.  The tables of one size are dropped before
those of the next are made.  Two ways to run the server:

    warm            shared_buffers as for all measurements; what is measured has run before
    beyond memory   small shared_buffers; files were dropped from the system's cache just before
"""
import contextlib
import os
import threading

import common
from data import Tables
from index_base import IndexBench, Heaps, SCHEMA
from growing_outlook import expected, told
from report import Row, short

FILE = "growing"
TITLES = {"rtree": "spqtree AM", "gist": "GiST", "table": "the table", "node": "spatial hash join",
          "loop_gist": "nested loop over GiST"}
SEEDS = {1: 0.25, 2: 0.75}
# WAL counts as disk space, too
WARM = {"max_wal_size": "4GB"}
BEYOND = {**WARM, "shared_buffers": "128MB", "effective_io_concurrency": "32"}
# Disk space: two tables, or one with two indexes and what a build writes; WAL.
BYTES_A_ROW = 300
SPARE = 5 * 10 ** 9
LIMIT = 3600                        # seconds, for the rival

# An error of the statement's timeout ends it without a time.
LIMITED = """CREATE OR REPLACE FUNCTION {schema}.limited(q text, OUT ms float8) LANGUAGE plpgsql AS $$
DECLARE t timestamptz;
BEGIN t := clock_timestamp(); EXECUTE q; ms := extract(epoch FROM clock_timestamp() - t) * 1000;
EXCEPTION WHEN query_canceled THEN ms := NULL; END $$"""


class GrowingBench(IndexBench):
    """Session, tables and turns; knows which index could not be built in time."""

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        self.mode = self.rows = None
        self.room = True
        self.missing = set()
        self.connect()
        common.extension(self.db, bool(args.keep))
        self.cands = [c for c in ("rtree", "gist") if c in args.candidates]
        self.heaps = Heaps(self.db, args, False)
        self.db.run(LIMITED.format(schema=SCHEMA))
        report.titles.update(TITLES)

    def row(self, what, rows, section, unit, ours=("rtree",), rivals=("gist",)):
        row = Row("%s: %s" % (FILE, what), section, unit, ours, rivals)
        row.size = rows
        return row

    def rounds(self, rows, most=99):
        """Return the number of rounds: two if the table is larger than U."""
        return min(self.args.rounds, most, 99 if rows <= self.args.rows else 2)

    def close(self):
        self.drop()
        super().close()
        self.server.restart()

    # Server

    def warm(self):
        if self.mode != "warm":
            self.db.close()
            self.server.restart(WARM)
            self.connect()
        self.mode = "warm"

    def beyond(self):
        """Start the server with small buffers, and with nothing in the system's cache."""
        self.db.close()
        self.server.forget()
        self.server.start(BEYOND)
        self.connect()
        self.mode = "beyond"

    @contextlib.contextmanager
    def disk(self):
        """Yield a list, to which the most bytes of tables, indexes and temporary files are added."""
        folder = os.path.join(self.server.data, "base")
        most, done, found = [0], threading.Event(), []

        def watch():
            while True:
                most[0] = max(most[0], used(folder))
                if done.wait(1):
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield found
        finally:
            done.set()
            watcher.join()
            found.append(most[0])

    # Tables and indexes

    def table(self, rows, number=1):
        """Return the name of a table of this size, made if needed; None if the disk lacks room."""
        self.warm()
        if rows != self.rows:
            self.drop()
            self.rows = rows
            wanted = rows * BYTES_A_ROW + SPARE * (rows > self.args.rows)
            self.room = wanted <= self.server.free_disk()
            if not self.room:
                self.report.note(FILE, "%s rows left out: they want %d GB of disk" % (
                    short(rows), wanted // 10 ** 9))
        if not self.room:
            return None
        name = "growing_%d_%d" % (rows, number)
        boxes = Tables(self.db, SCHEMA, rows, self.args.data)
        self.heaps.ensure(name, "growing rows=%d v1" % rows,
                          lambda: boxes.make_generated(name, "u", rows, SEEDS[number]))
        return name

    def drop(self):
        """Drop all tables, unless they are kept for the next run."""
        self.heaps.drop(*[name for (name,) in self.db.run(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '%s'::regnamespace"
            " AND relname ~ '^(probes_)?growing_'" % SCHEMA)])

    def drop_index(self, heap, cand):
        self.db.run("DROP INDEX IF EXISTS " + self.heaps.table("%s_%s" % (heap, cand)))
        self.heaps.seen.discard("%s_%s" % (heap, cand))

    def create(self, heap, cand):
        """Build an index.  Return the milliseconds, or None if the rival did not end in time."""
        self.db.run("SET statement_timeout = %d" % (LIMIT * 1000 if cand == "gist" else 0))
        ms = self.db.value("SELECT ms FROM %s.limited($q$%s$q$)" % (SCHEMA, self.heaps.index_ddl(heap, cand)))
        self.db.run("RESET statement_timeout")
        return float(ms) if ms else None

    def hopeless(self, measure, cand, rows, what):
        """Return whether the rival would take longer than the limit, by the smaller sizes; note it."""
        seconds = expected(self.report.rows, measure, cand, rows) if cand == "gist" else None
        if not seconds or seconds <= LIMIT:
            return False
        self.gave_up(cand, what, "it would take %s by the smaller sizes" % told(seconds, "s"))
        return True

    def gave_up(self, cand, what, why):
        self.report.note(FILE, "%s: %s left out: %s" % (what, TITLES[cand], why))

    def has(self, heap, cand):
        """Return whether the table has the index; build it if it was not tried."""
        if self.db.value("SELECT to_regclass('%s')" % self.heaps.table("%s_%s" % (heap, cand))):
            return True
        if (heap, cand) in self.missing:
            return False
        if self.create(heap, cand) is None:
            self.missing.add((heap, cand))
            return False
        return True


def used(folder):
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += os.stat(os.path.join(where, name)).st_blocks * 512
    return total
