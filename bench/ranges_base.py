"""Session, tables and indexes of the measurements of ranges.

    varied1, varied2, short1, short2 (id, during)   <-  varied2_rtree, varied2_gist, varied2_spgist
    bookings, reservations (id, room, during)       <-  bookings_rtree, bookings_gist
    versions (id, valid, system)                    <-  versions_rtree, versions_gist
    moments (id, at), spans (id, start, stop)       <-  moments_btree
    sales (id, product, at), prices (id, product, valid)    <-  prices_gist, prices_btree

Times are seconds after 2000, as timestamps.  pg_index.indisvalid shows the planner the indexes
of one candidate.
"""
import time

import common
from common import say
from data import Tables
from index_base import IndexBench
from join_base import JoinBench
from plans import Plans
from report import Row

SCHEMA = "bench_ranges"
TITLES = {"rtree": "spqtree AM", "gist": "GiST", "spgist": "SP-GiST", "node": "spatial hash join",
          "loop_gist": "nested loop over GiST", "loop_spgist": "nested loop over SP-GiST",
          "loop_btree": "nested loop over btree", "hash": "hash join by equality",
          "hours": "hash join by hours", "lateral": "LATERAL over btree"}

# Lengths in seconds.  Both have a mean of 1086: with a range every 870 s, each meets 2.5 others.
LENGTHS = {"varied": "exp(ln(1e4) * random())", "short": "2172 * random()"}
MEAN, GAP = 1086, 870
YEAR = 365 * 86400
# Bookings of a room in a year, and their mean length: one to eight hours.
OF_A_ROOM, MEAN_BOOKING = 100, 4.5 * 3600
PRICES_OF_A_PRODUCT = 100

AFTER = "timestamp '2000-01-01' + interval '1 second' * (%s)"
SECONDS = "interval '1 second' * (%s)"
RANGES = ("SELECT i AS id, tsrange(t, t + {length}) AS during FROM (SELECT i, {start} AS t"
          " FROM generate_series(1, {rows}) i OFFSET 0) s")
BOOKED = ("SELECT i AS id, room, tsrange(t, t + interval '1 hour' * (1 + floor(8 * random()))) AS during FROM"
          " (SELECT i, 1 + floor({rooms} * random())::int AS room, {start} AS t"
          " FROM generate_series(1, {rows}) i OFFSET 0) s")
# A bitemporal table: three of five rows are still what the database says.
VERSIONS = ("SELECT i AS id, tsrange(t, t + {length}) AS valid, tsrange(s, CASE WHEN i % 5 < 2 THEN s + {length} END)"
            " AS system FROM (SELECT i, {start} AS t, {start} AS s FROM generate_series(1, {rows}) i OFFSET 0) s")
SPANS = ("SELECT i AS id, t AS start, t + {length} AS stop FROM (SELECT i, {start} AS t"
         " FROM generate_series(1, {rows}) i OFFSET 0) s")
# The prices of a product follow each other without a gap, at random times.
PRICES = ("SELECT row_number() OVER (ORDER BY random()) AS id, product, tsrange(t, lead(t) OVER"
          " (PARTITION BY product ORDER BY t)) AS valid FROM (SELECT i % {products} AS product,"
          " CASE WHEN i < {products} THEN {first} ELSE {start} END AS t"
          " FROM generate_series(0, {rows} - 1) i OFFSET 0) s")

# The indexed columns, if not "during".
COLUMNS = {"bookings": "room, during", "reservations": "room, during", "reservations_target": "room, during",
           "versions": "valid, system", "moments": "at) INCLUDE (id", "prices": "product, valid"}
METHODS = {"rtree": "spqtree (%s)", "gist": "gist (%s)", "spgist": "spgist (%s)", "btree": "btree (%s)"}


def ranges(kind, rows, gap=GAP):
    """Return SQL for ranges with one of the kinds of lengths, as dense as one in this number of seconds."""
    return RANGES.format(rows=rows, length=SECONDS % LENGTHS[kind], start=AFTER % ("%r * random()" % (gap * rows)))


def booked(rows, rooms):
    return BOOKED.format(rows=rows, rooms=rooms, start=AFTER % ("900 * floor(%d * random())" % (YEAR // 900)))


class RangesBench(JoinBench, IndexBench):
    """Session, tables and turns, of joins and of indexes."""

    file = "ranges"
    schema = SCHEMA

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        self.db = self.session()
        common.extension(self.db, bool(args.keep))
        self.timed = common.Clock(self.db, SCHEMA).timed
        self.plans = Plans(self.db, SCHEMA, {"max_parallel_workers_per_gather": "0"})
        self.heaps = Tables(self.db, SCHEMA, args.rows, args.data, args.most)
        report.titles.update(TITLES)
        # GiST has no class for the column before the range without it
        self.has_btree_gist = bool(self.db.value(
            "SELECT 1 FROM pg_available_extensions WHERE name = 'btree_gist'"))
        if self.has_btree_gist:
            self.db.run("CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public")
        else:
            report.note(self.file, "btree_gist is not installed beside this server (Debian: postgresql-contrib)")

    def session(self, load=True):
        db = self.server.session()
        db.run("SET search_path = %s, public" % SCHEMA)
        if load:
            db.run("LOAD 'spqtree'")
        db.run("SET max_parallel_workers_per_gather = 0")
        return db

    def row(self, what, section, unit, ours, rivals, better="less", detail=""):
        return Row("ranges: " + what, section, unit, ours, rivals, better, detail)

    def wrong(self, row):
        """Report different answers, which fail the run."""
        if len(set(row.answers.values())) > 1:
            self.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))

    # Tables and indexes

    def made(self, name, sql, seed=0.5):
        """Make a table from this query, unless an earlier run did."""
        def make():
            self.db.run("SELECT setseed(%s)" % seed)
            self.db.run("CREATE TABLE %s.%s AS %s" % (SCHEMA, name, sql))
        self.heaps.ensure(name, "%s seed %s v1" % (sql.replace("'", ""), seed), make)
        return name

    def table(self, name):
        """Make a table for a measurement, and return its name."""
        rows, tenth = self.args.rows, max(self.args.rows // 10, 1)
        kind = name.rstrip("12").removesuffix("_few")
        if kind in LENGTHS:
            return self.made(name, ranges(kind, tenth if "few" in name else rows),
                             0.25 if name.endswith("1") else 0.75)
        if name == "dense_10":      # ranges that hold a moment, on average
            return self.made(name, ranges("varied", tenth, MEAN / 10))
        if name == "dense_1000":
            return self.made(name, ranges("varied", tenth, MEAN / 1000))
        if name == "bookings":
            return self.made(name, booked(tenth, max(tenth // OF_A_ROOM, 1)))
        if name == "reservations":
            return self.made(name, booked(rows, max(rows // 1000, 1)))
        if name == "versions":
            return self.made(name, VERSIONS.format(rows=rows, length=SECONDS % LENGTHS["varied"],
                                                   start=AFTER % ("%r * random()" % (GAP * rows))))
        if name == "moments":       # in a time that the spans cover 1.25 times
            return self.made(name, "SELECT i AS id, %s AS at FROM generate_series(1, %d) i" % (
                AFTER % ("%r * random()" % (GAP * tenth)), rows))
        if name == "spans":
            return self.made(name, SPANS.format(rows=tenth, length=SECONDS % LENGTHS["varied"],
                                                start=AFTER % ("%r * random()" % (GAP * tenth))))
        products = max(tenth // PRICES_OF_A_PRODUCT, 1)
        if name == "prices":
            return self.made(name, PRICES.format(
                rows=tenth, products=products, first=AFTER % "0", start=AFTER % ("%d * random()" % YEAR)))
        return self.made("sales", "SELECT i AS id, floor(%d * random())::int AS product, %s AS at"
                         " FROM generate_series(1, %d) i" % (
                             products, AFTER % ("%d * random()" % YEAR), max(rows // 5, 1)))

    def index_ddl(self, table, kind):
        columns = COLUMNS.get(table, "during")
        if (table, kind) == ("prices", "btree"):
            columns = "product, lower(valid)"
        return "CREATE INDEX %s_%s ON %s.%s USING %s" % (table, kind, SCHEMA, table, METHODS[kind] % columns)

    def index(self, table, kind):
        """Return the name of the index; build it if needed."""
        name = "%s_%s" % (table, kind)
        if self.db.value("SELECT to_regclass('%s.%s')" % (SCHEMA, name)) in (None, ""):
            started = time.time()
            self.db.run(self.index_ddl(table, kind))
            # also of the expression of an index
            self.db.run("ANALYZE %s.%s" % (SCHEMA, table))
            say("  made %s, %.1f s" % (name, time.time() - started))
        return name

    def drop_index(self, table, kind):
        self.db.run("DROP INDEX IF EXISTS %s.%s_%s" % (SCHEMA, table, kind))
