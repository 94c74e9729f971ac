"""What bench/join and bench/node share: data, rounds of candidates, bars, memory."""
import atexit
import csv
import os
import threading

import common
from common import Failure, escape, extension, median, say, table

SEEDS = {"u1": 0.25, "u2": 0.75, "s1": 0.5, "s2": 0.875, "circles": 0.125}


class Pair:
    """Candidates' rounds.  The first is spqtree, or its engine."""

    def __init__(self, section, what, candidates):
        self.section, self.what, self.candidates = section, what, candidates
        self.rounds = {c: [] for c in candidates}
        self.answers = {}

    def add(self, candidate, ms, answer):
        self.rounds[candidate].append(ms)
        if self.answers.setdefault(candidate, answer) != answer:
            raise Failure("%s: %s answers %s, then %s"
                          % (self.what, candidate, self.answers[candidate], answer))
        if len(set(self.answers.values())) > 1:
            raise Failure("%s: answers differ: %s" % (self.what, self.answers))

    def median(self, candidate):
        return median(self.rounds[candidate])

    def ratio(self, over, under):
        """Of the medians, and the smallest and the largest of a round."""
        each = [a / b for a, b in zip(self.rounds[over], self.rounds[under])]
        return self.median(over) / self.median(under), min(each), max(each)


def short(rows):
    """1000000 becomes 1M, 2000 becomes 2k."""
    return ("%gM" % (rows / 1e6) if rows >= 1e6 else "%gk" % (rows / 1e3) if rows >= 1e3
            else "%g" % rows)


def span(ratio):
    return "%.2f (%.2f–%.2f)" % ratio


class Results:
    """What has been measured so far."""

    def __init__(self):
        self.pairs = []             # for the CSV
        self.bars = []              # (what, measured, bar, reached)
        self.tables = {}            # section -> (head, rows)

    def turns(self, number, candidates):
        return candidates if number % 2 == 0 else candidates[::-1]

    def bar(self, what, measured, bar, reached):
        self.bars.append((what, measured, bar, "–" if reached is None else
                          "yes" if reached else "**no**"))
        say("  %s: %s; bar: %s" % (what, measured, bar))

    def line(self, section, head, row):
        self.tables.setdefault(section, (head, []))[1].append(row)

    def report(self, title, header):
        lines = ["# " + title, "", *["- " + h for h in header], ""]
        lines += table(["what", "measured", "bar", "reached"],
                       [[escape(cell) for cell in row] for row in self.bars])
        for section, (head, rows) in self.tables.items():
            lines += ["", "## " + section, ""]
            lines += table(head, [[escape(cell) for cell in row] for row in rows])
        return "\n".join(lines) + "\n"

    def write_csv(self, path):
        with open(path, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["section", "what", "candidate", "unit", "median", "min", "max",
                             "rounds", "pairs"])
            for p in self.pairs:
                for c, values in p.rounds.items():
                    writer.writerow([p.section, p.what, c, "ms"] + ["%.4f" % v for v in (
                        median(values), min(values), max(values))] + [len(values), p.answers[c]])


class Bench(Results):
    """With a private server, which is there when the first measurement asks for it."""

    schema = None

    def __init__(self, args):
        super().__init__()
        self.args = args
        self.db = None
        self.tables_of = {}

    def prepare(self):
        """What a benchmark needs once it has its session."""

    def server(self):
        """A session on the private server, with the extension."""
        if self.db:
            return self.db
        bindir = common.bindir()
        server = common.Server(bindir, self.args.keep)
        atexit.register(server.stop)
        server.start()
        self.psql, self.conninfo = os.path.join(bindir, "psql"), server.conninfo
        self.db = self.session()
        extension(self.db, bool(self.args.keep))
        self.prepare()
        return self.db

    def session(self):
        db = common.Session(self.psql, self.conninfo)
        atexit.register(db.close)
        db.run("SET search_path = %s, public" % self.schema)
        return db

    def data(self, rows):
        self.server()
        if rows not in self.tables_of:
            self.tables_of[rows] = common.Tables(self.db, self.schema, rows, self.args.data)
        return self.tables_of[rows]

    def loaded(self, name, rows=None, suffix="", square=None):
        """Name of a table that has been made: u1, u2, s1, s2, roads, buildings and so on.

        With so many rows, in the square that is for "square" of them.
        """
        rows = rows or self.args.rows
        data = self.data(square or rows)
        if name[1:] in ("1", "2"):
            recipe = "%s rows=%d%s v1" % (name, rows, " of %d" % square if square else "")
            data.ensure(name + suffix, recipe, lambda: data.make_generated(
                name + suffix, name[0], rows, SEEDS[name]))
        else:
            path = data.source(name)
            data.ensure(name, "%s size=%d v1" % (os.path.basename(path), os.path.getsize(path)),
                        lambda: data.make_from_file(name, path))
        return name + suffix


# --- memory ------------------------------------------------------------

def anonymous(pid):
    with open("/proc/%d/status" % pid) as lines:
        for line in lines:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
    raise Failure("no RssAnon in /proc/%d/status" % pid)


def peak(session, schema, memory, sql):
    """Time and answer in a session of its own, what memory it added, and had."""
    db = session()
    try:
        clock = common.Clock(db, schema)
        db.run("SET work_mem = '%s'" % memory)
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
