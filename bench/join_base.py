"""Common to the measurements of joins: session, tables, indexes, memory."""
import os
import re
import threading
import time

import common
from common import Failure, say
from data import Tables
from plans import Plans
from report import Row

SCHEMA = "bench_join"
SEEDS = {"u1": 0.25, "u2": 0.75, "s1": 0.5, "s2": 0.875, "same1": 0, "same2": 0,
         "circles": 0.125}
CLASSES = {"gist": "gist (%s %s_ops)", "spq": "spgist (b spqtree_box_ops)",
           "rtree": "spqtree (b)", "rtree_id": "spqtree (b) INCLUDE (id)", "quad": "spgist (p quad_point_ops)"}
TITLES = {"node": "spatial hash join", "function": "spqtree_join()",
          "loop": "best without spqtree", "loop_spq": "best nested loop over spqtree's index",
          "engine": "engine alone", "engine3": "engine alone, three dimensions", "kernel": "bare kernel in C",
          "boost": "Boost's R-tree", "double loop": "double loop in C",
          "double loop without branches": "double loop in C, without branches"}


class JoinBench:
    file = "join"                   # of the report

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        self.tables_of = {}
        self.db = self.session()
        common.extension(self.db, bool(args.keep))
        common.Clock(self.db, SCHEMA)
        self.timed = common.Clock(self.db, SCHEMA).timed
        self.plans = Plans(self.db, SCHEMA, {})
        report.titles.update(TITLES)

    def close(self):
        self.db.run("UPDATE pg_index SET indisvalid = true WHERE NOT indisvalid")
        self.db.close()

    def session(self, load=True):
        db = self.server.session()
        db.run("SET search_path = %s, public" % SCHEMA)
        if load:
            db.run("LOAD 'spqtree'")
        db.run("SET max_parallel_workers_per_gather = 0")
        return db

    def turns(self, number, candidates):
        return candidates if number % 2 == 0 else candidates[::-1]

    def row(self, what, section, ours, rivals, detail=""):
        return Row("join: " + what, section, "ms", ours, rivals, detail=detail)

    def line(self, section, head, row):
        self.report.line(self.file, section, head, row)

    def bar(self, what, measured, bar, reached):
        """Add a figure that is not a comparison of candidates."""
        self.line("Goals", ["what", "measured", "goal", "reached"],
                  [what, measured, bar, "–" if reached is None else "yes" if reached
                   else "**no**"])
        say("  %s: %s; goal: %s" % (what, measured, bar))

    def goal(self, row, least):
        """Add a goal: this many times as good as the rival; below 1, the required share of its speed."""
        found = row.verdict(row.ours[0])
        if not found:
            return
        rival, (ratio, *_), _ = found
        if least < 1:
            self.bar(row.name, "%.2f times the time of %s" % (1 / ratio, self.report.titles[rival]),
                     "at most %.3g times" % (1 / least), ratio >= least)
        else:
            self.bar(row.name, "%.2f times as good as %s" % (ratio, self.report.titles[rival]),
                     "%g times" % least, ratio >= least)

    # Tables and indexes

    def data(self, rows):
        if rows not in self.tables_of:
            self.tables_of[rows] = Tables(self.db, SCHEMA, rows, self.args.data, self.args.most)
        return self.tables_of[rows]

    def loaded(self, name, rows=None, square=None):
        """Return the name of a table, made if needed: u1, u2, s1, s2, same1, roads and so on.

        It has this number of rows, in the square for "square" rows.
        """
        if name[:-1] not in ("u", "s", "same"):
            self.data(self.args.rows).from_file(name, name)
            return name
        rows = rows or self.args.rows
        square = round(square or rows)
        data = self.data(square)
        table = "%s_%d%s" % (name, rows, "" if square == rows else "_of_%d" % square)
        data.ensure(table, "%s rows=%d of %d v1" % (name, rows, square), lambda: (
            data.make_generated(table, name[:-1], rows, SEEDS[name])))
        return table

    def made(self, name, sql):
        self.data(self.args.rows).ensure(
            name, "%s v1" % re.sub(r"'", "", sql),
            lambda: self.db.run("CREATE TABLE %s.%s AS %s" % (SCHEMA, name, sql)))
        return name

    def table(self, name):
        """Make a table for a measurement, and return its name."""
        small = max(self.args.rows // 10, 1)
        if name.endswith(" small"):
            return self.loaded(name[:2], max(self.args.rows // 100, 1), self.args.rows)
        if name == "cities":
            return self.made(name, "SELECT id, center(b) AS p FROM %s"
                             % self.loaded("cities_points"))
        if name == "parts":
            return self.loaded("world_country_parts")
        if name.endswith(" in order"):
            kept = self.table(name[:-len(" in order")])
            return self.made(kept + "_in_order", "SELECT id, b FROM %s ORDER BY id" % kept)
        if name == "around buildings":
            return self.made("around_buildings", "SELECT id, box(c - point(500, 500),"
                             " c + point(500, 500)) AS b FROM (SELECT id, center(b) AS c"
                             " FROM %s) s" % self.loaded("buildings"))
        if name == "points":
            return self.made(name, "SELECT id, center(b) AS p FROM %s"
                             % self.loaded("u1", small))
        if name in ("circles1", "circles2"):
            return self.made(name, "SELECT id, circle(center(b), sqrt(area(b)) / 2 + 1) AS c"
                             " FROM %s" % self.loaded("u" + name[-1], small))
        if name in ("polygons1", "polygons2"):
            return self.made(name, "SELECT id, polygon(5, c) AS g FROM %s"
                             % self.table("circles" + name[-1]))
        return self.loaded(name)

    def index(self, table, column, kind):
        name = "%s_%s" % (table, kind)
        if not self.db.value("SELECT to_regclass('%s.%s')" % (SCHEMA, name)):
            how = CLASSES[kind]
            if kind == "gist":
                how = how % (column, "point" if column == "p" else "box")
            started = time.time()
            self.db.run("CREATE INDEX %s ON %s USING %s" % (name, table, how))
            say("  made %s, %.1f s" % (name, time.time() - started))
        return name

    def attempt(self, measure, *what):
        """Skip a measurement without data, and note it in the report."""
        try:
            measure(self, *what)
        except common.NoData as e:
            self.report.note(self.file, "%s left out: %s" % (what[0], str(e).split(",")[0]))


# --- memory ------------------------------------------------------------

def anonymous(pid):
    with open("/proc/%d/status" % pid) as lines:
        for line in lines:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
    raise Failure("no RssAnon in /proc/%d/status" % pid)


def peak(bench, memory, sql, settings=None):
    """Return time and answer in a new session, the memory it added, and had before."""
    db = bench.session()
    try:
        clock = common.Clock(db, SCHEMA)
        db.run("SET work_mem = '%s'" % memory)
        if settings:
            db.run(settings)
        pid = int(db.value("SELECT pg_backend_pid()"))
        idle = most = anonymous(pid)
        done = threading.Event()

        def watch():
            nonlocal most
            while not done.wait(0.005):
                most = max(most, anonymous(pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            ms, answer = clock.timed("query", sql)
        finally:
            done.set()
            watcher.join()
        return ms, answer, most - idle, idle
    finally:
        db.close()
