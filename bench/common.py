"""What the benchmarks share: a private server, a session, data, tables of results."""
import argparse
import gzip
import json
import lzma
import os
import pwd
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)

# Printed with the results.  fsync is off because the disk is not what is
# measured; WAL is written all the same.
SETTINGS = {
    "shared_buffers": "2GB",
    "maintenance_work_mem": "256MB",
    "work_mem": "64MB",
    "max_wal_size": "16GB",
    "min_wal_size": "2GB",
    "checkpoint_timeout": "1h",
    "synchronous_commit": "off",
    "fsync": "off",
    "autovacuum": "off",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "synchronize_seqscans": "off",
    "enable_seqscan": "off",
}


class Failure(Exception):
    """Something the user should read as one line, without a traceback."""


class NoData(Failure):
    """A file with real boxes is not there."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def median(values):
    return statistics.median(values)


# --- psql --------------------------------------------------------------

class Session:
    """A psql that stays open.  A failed statement ends it (ON_ERROR_STOP)."""

    MARK = "-- end of answer --"

    def __init__(self, psql, conninfo):
        env = dict(os.environ, PGOPTIONS="-c client_min_messages=warning")
        self.proc = subprocess.Popen(
            [psql, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
             "-d", conninfo],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=env, text=True)

    def run(self, sql, data=None):
        """Send one statement (and the lines of a COPY), return its rows."""
        try:
            self.proc.stdin.write(sql + ";\n")
            if data is not None:
                for chunk in data:
                    self.proc.stdin.write(chunk)
                self.proc.stdin.write("\\.\n")
            self.proc.stdin.write("\\echo '%s'\n" % self.MARK)
            self.proc.stdin.flush()
        except BrokenPipeError:
            pass
        lines = []
        while True:
            line = self.proc.stdout.readline()
            if line == "":
                raise Failure("psql: %s\n(statement: %s)"
                              % ("\n".join(lines).strip(), sql[:300]))
            line = line.rstrip("\n")
            if line == self.MARK:
                return [row.split("\t") for row in lines]
            lines.append(line)

    def value(self, sql):
        rows = self.run(sql)
        return rows[0][0] if rows else None

    def explain(self, sql, options="COSTS off"):
        rows = self.run("EXPLAIN (%s, FORMAT json) %s" % (options, sql))
        return json.loads("\n".join("\t".join(r) for r in rows))[0]["Plan"]

    def close(self):
        try:
            self.proc.stdin.close()
        except BrokenPipeError:
            pass
        self.proc.wait()


# --- the private server ------------------------------------------------

class Server:
    """A throw-away server on a unix socket; with --keep it outlives the run."""

    def __init__(self, bindir, keep):
        self.bindir = bindir
        self.keep = keep
        # initdb and the server refuse to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if keep:
            self.dir = os.path.abspath(keep)
            os.makedirs(self.dir, exist_ok=True)
            # It changes hands below: never a directory of somebody else's.
            if os.listdir(self.dir) and not self.is_cluster():
                raise Failure("--keep %s: neither empty nor the directory of an earlier run"
                              % keep)
        else:
            self.dir = tempfile.mkdtemp(prefix="spqtree-bench.")
        if self.user:
            who = pwd.getpwnam(self.user)
            os.chown(self.dir, who.pw_uid, who.pw_gid)
        os.chmod(self.dir, 0o755)
        self.log = os.path.join(self.dir, "log")
        self.conninfo = "host=%s port=5432 user=postgres dbname=postgres" % self.dir

    @property
    def data(self):
        return os.path.join(self.dir, "data")

    def is_cluster(self):
        return os.path.exists(os.path.join(self.data, "PG_VERSION"))

    def command(self, *words, check=True):
        words = [os.path.join(self.bindir, words[0]), *words[1:]]
        if self.user:
            words = ["runuser", "-u", self.user, "--", *words]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, text=True, cwd="/",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and done.returncode != 0:
            raise Failure("%s: %s" % (" ".join(words), done.stdout))
        return done.returncode

    def start(self):
        if not self.is_cluster():
            say("initdb in %s" % self.data)
            self.command("initdb", "-D", self.data, "-A", "trust", "-U", "postgres",
                         "-E", "UTF8", "--locale=C", "--no-sync")
        if self.command("pg_ctl", "status", "-D", self.data, check=False) == 0:
            say("using the running server in %s" % self.dir)
            return
        options = ["-c listen_addresses=''", "-c unix_socket_directories='%s'" % self.dir]
        options += ["-c %s='%s'" % (k, v) for k, v in SETTINGS.items()
                    if k != "enable_seqscan"]
        if self.command("pg_ctl", "start", "-w", "-D", self.data, "-l", self.log,
                        "-o", " ".join(options), check=False) != 0:
            with open(self.log) as log:
                raise Failure("the server did not start:\n" + "".join(log.readlines()[-10:]))

    def stop(self):
        if self.keep:
            say("server left running: psql '%s'" % self.conninfo)
            say("stop it with: %s%s/pg_ctl stop -D %s"
                % ("runuser -u postgres -- " if self.user else "", self.bindir, self.data))
            return
        self.command("pg_ctl", "stop", "-m", "immediate", "-D", self.data, check=False)
        shutil.rmtree(self.dir, ignore_errors=True)


# --- data --------------------------------------------------------------

class Tables:
    """Makes the tables when a measurement asks for them.

    What was made carries a comment with its recipe, set last: with --keep a
    later run reuses a table only if the recipe is the same and the making was
    finished.
    """

    def __init__(self, db, schema, rows, directory):
        self.db = db
        self.schema = schema
        self.rows = rows            # of U and of S
        self.directory = directory  # where data/*.csv.gz are
        self.seen = set()
        # N rows cover N/1e6 of the square: as many rows a probe at any --rows.
        self.side = 1e5 * (rows / 1e6) ** 0.5

    def table(self, name):
        return "%s.%s" % (self.schema, name)

    def ensure(self, name, recipe, make):
        """Run make(), unless the table exists and was made by this recipe."""
        if name in self.seen:
            return
        had = self.db.value("SELECT obj_description(to_regclass('%s'), 'pg_class')"
                            % self.table(name))
        if had != recipe:
            started = time.time()
            self.db.run("DROP TABLE IF EXISTS %s" % self.table(name))
            make()
            # An asynchronous commit may not be flushed yet: VACUUM could not
            # mark such rows visible to all, and index-only scans need that.
            self.db.run("CHECKPOINT")
            self.db.run("VACUUM (FREEZE, ANALYZE) %s" % self.table(name))
            self.db.run("COMMENT ON TABLE %s IS '%s'" % (self.table(name), recipe))
            say("made %-14s %s rows, %.1f s"
                % (name, self.db.value("SELECT count(*) FROM %s" % self.table(name)),
                   time.time() - started))
        self.seen.add(name)

    def generated(self, kind, rows):
        """The query whose rows are the boxes of U or S, in random order."""
        if kind == "u":
            return ("SELECT i AS id, box(point(x, y), point(x + w, y + h)) AS b FROM ("
                    "SELECT i, %r * random() x, %r * random() y,"
                    " -50 * ln(1 - random()) w, -50 * ln(1 - random()) h"
                    " FROM generate_series(1, %d) i OFFSET 0) r"
                    % (self.side, self.side, rows))
        # A cluster's centre is a hash of its number, so that the rows that
        # are inserted later fall into the same clusters.  sqrt(-2 ln u) with
        # cos and sin of 2 pi v makes two normal deviates.  Sides: median 10,
        # three deviations to either side are 0.1 .. 1000.
        uniform = "(hashint8extended(c, %d) / 18446744073709551616.0::float8 + 0.5)"
        return ("SELECT i AS id, box(point(cx - w / 2, cy - h / 2),"
                " point(cx + w / 2, cy + h / 2)) AS b FROM ("
                "SELECT i, %(side)r * %(ux)s + 300 * m1 * cosd(360 * v1) cx,"
                " %(side)r * %(uy)s + 300 * m1 * sind(360 * v1) cy,"
                " 10 * exp(ln(10) * 2 / 3 * m2 * cosd(360 * v2)) w,"
                " 10 * exp(ln(10) * 2 / 3 * m2 * sind(360 * v2)) h"
                " FROM (SELECT i, floor(%(clusters)d * random())::int8 c,"
                " sqrt(-2 * ln(1 - random())) m1, random() v1,"
                " sqrt(-2 * ln(1 - random())) m2, random() v2"
                " FROM generate_series(1, %(rows)d) i OFFSET 0) r OFFSET 0) s"
                % {"side": self.side, "rows": rows, "ux": uniform % 1, "uy": uniform % 2,
                   "clusters": max(1, self.rows // 1000)})

    def make_generated(self, name, kind, rows, seed):
        self.db.run("SELECT setseed(%s)" % seed)
        self.db.run("CREATE TABLE %s AS %s"
                    % (self.table(name), self.generated(kind, rows)))

    def source(self, kind):
        for directory in (self.directory, os.path.join(ROOT, "data")):
            for name in ("osm_" + kind, kind):
                for ending in ("", ".gz", ".xz"):
                    path = os.path.join(directory, "%s.csv%s" % (name, ending))
                    if os.path.exists(path):
                        return path
        raise NoData("no %s.csv, .csv.gz or .csv.xz in %s: name the directory with"
                     " --data, or leave %s out with --only" % (kind, self.directory, kind))

    def make_from_file(self, name, path):
        opener = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(path)[1], open)
        with opener(path, "rt") as lines:
            header = next(lines).strip().split(",")
            if header[:5] != ["xmin", "ymin", "xmax", "ymax", "id"]:
                raise Failure("%s: header is %s, not xmin,ymin,xmax,ymax,id"
                              % (path, ",".join(header)))
            self.db.run("CREATE TEMP TABLE raw (x1 float8, y1 float8, x2 float8,"
                        " y2 float8, id int8%s)" % "".join(
                            ", more_%d text" % i for i in range(len(header) - 5)))
            self.db.run("COPY raw FROM STDIN (FORMAT csv)", lines)
        self.db.run("CREATE TABLE %s AS SELECT id, box(point(x1, y1), point(x2, y2))"
                    " AS b FROM raw ORDER BY hashint8extended(id, 7), id" % self.table(name))
        self.db.run("DROP TABLE raw")


# --- time --------------------------------------------------------------

class Clock:
    """Takes clock_timestamp() around one EXECUTE, in the server: no network."""

    def __init__(self, db, schema):
        self.db, self.schema = db, schema
        db.run("CREATE SCHEMA IF NOT EXISTS %s" % schema)
        for kind, into in (("query", " INTO answer"), ("command", "")):
            db.run("CREATE OR REPLACE FUNCTION %s.timed_%s(q text, OUT ms float8,"
                   " OUT answer text) LANGUAGE plpgsql AS $$ DECLARE t timestamptz;"
                   " BEGIN t := clock_timestamp(); EXECUTE q%s;"
                   " ms := extract(epoch FROM clock_timestamp() - t) * 1000; END $$"
                   % (schema, kind, into))

    def timed(self, kind, sql):
        """Milliseconds, and what a query answers in its only column."""
        quoted = "$q$" + sql + "$q$"
        (row,) = self.db.run("SELECT * FROM %s.timed_%s(%s)" % (self.schema, kind, quoted))
        return float(row[0]), row[1]


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


# --- output ------------------------------------------------------------

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(r) + " |" for r in rows]


def escape(text):
    return text.replace("|", "\\|")


def optimization(library):
    """-O2 and its like, read from what the compiler left in the library."""
    try:
        done = subprocess.run(["readelf", "--debug-dump=info", library], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return "unknown optimization"
    found = set()
    for line in done.stdout.splitlines():
        if "DW_AT_producer" in line:
            found.add((re.findall(r" (-O\w*)", line) or ["-O0"])[-1])
    if found - {"-O2", "-O3"}:
        say("the installed extension was compiled with %s: this is no measurement"
            % ", ".join(sorted(found)))
    return ", ".join(sorted(found)) or "unknown optimization"


def describe(db, paths=("src", "sql", "Makefile")):
    """The lines that come before the results: what ran, where and how."""
    def git(*words):
        done = subprocess.run(["git", "-C", ROOT, "-c", "safe.directory=*", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""
    commit = git("rev-parse", "--short=12", "HEAD") or "unknown"
    if git("status", "--porcelain", "--", *paths):
        commit += ", with changes not committed"
    model = "unknown processor"
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    library = db.value("SELECT setting || '/spqtree.so' FROM pg_config WHERE name = 'PKGLIBDIR'")
    settings = ", ".join("%s=%s" % (n, db.value("SHOW " + n)) for n in SETTINGS)
    return ["commit: " + commit,
            "server: PostgreSQL " + db.value("SHOW server_version"),
            "extension: compiled with " + optimization(library),
            "processor: %s, %d cores" % (model, os.cpu_count()),
            "settings: " + settings]


def extension(db, anew):
    if anew:
        db.run("DROP EXTENSION IF EXISTS spqtree CASCADE")
    try:
        db.run("CREATE EXTENSION IF NOT EXISTS spqtree")
    except Failure as e:
        raise Failure("%s\nis the extension installed (make install)?" % e)


# --- command line ------------------------------------------------------

def regex(text):
    try:
        return re.compile(text)
    except re.error as e:
        raise argparse.ArgumentTypeError("bad regular expression: %s" % e)


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("%r is no positive number" % text)
    return int(text)


def bindir():
    """Where the programs are of the PostgreSQL that PG_CONFIG names."""
    config = os.environ.get("PG_CONFIG", "pg_config")
    return subprocess.run([config, "--bindir"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def run_main(name, main):
    """Failures are one line, an interrupt leaves no server behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except Failure as e:
        sys.exit("%s: %s" % (name, e))
    except KeyboardInterrupt:
        sys.exit("%s: interrupted" % name)
