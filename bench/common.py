"""Common to the benchmarks: a private server, a session, a clock, messages."""
import argparse
import atexit
import json
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

# Printed with the results.  fsync is off because the disk is not measured; WAL is
# still written.
SETTINGS = {
    "shared_buffers": None,         # a quarter of the memory, see below
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
}


def quarter_of_memory(most=4096):
    with open("/proc/meminfo") as lines:
        (total,) = [int(line.split()[1]) // 1024 for line in lines if line.startswith("MemTotal")]
    return "%dMB" % min(most, max(128, total // 4))


SETTINGS["shared_buffers"] = quarter_of_memory()


class Failure(Exception):
    """An error for the user: one line, without a traceback."""


class NoData(Failure):
    """A file with real boxes is missing."""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Print a line before each measurement; bench/run turns it into a bar on a terminal.

    [41/120] index: U && 10 rows, plain   3:05, about 6:10 left
    """

    def __init__(self, weights):
        """weights: the expected duration of each measurement, in any unit."""
        self.weights, self.done, self.started = weights, 0, time.time()

    def next(self, name):
        share = sum(self.weights[:self.done]) / sum(self.weights)
        self.done += 1
        spent = time.time() - self.started
        # the first few measurements do not tell yet
        left = ", about %s left" % clock(spent * (1 - share) / share) if share > 0.05 else ""
        say("[%d/%d] %s   %s%s" % (self.done, len(self.weights), name, clock(spent), left))


def clock(seconds):
    return "%d:%02d" % divmod(round(seconds), 60)


def median(values):
    return statistics.median(values)


# --- psql --------------------------------------------------------------

class Session:
    """A psql process that stays open.  A failed statement ends it (ON_ERROR_STOP)."""

    MARK = "-- end of answer --"

    def __init__(self, psql, conninfo):
        env = dict(os.environ, PGOPTIONS="-c client_min_messages=warning")
        self.proc = subprocess.Popen(
            [psql, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
             "-d", conninfo],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=env, text=True)

    def run(self, sql, data=None):
        """Send one statement (and the lines of a COPY), and return its rows."""
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
        self.proc.stdout.close()


# --- the private server ------------------------------------------------

class Server:
    """A temporary server on a Unix socket, which is left running with --keep."""

    def __init__(self, bindir, keep):
        self.bindir = bindir
        self.keep = keep
        # initdb and the server refuse to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if keep:
            self.dir = os.path.abspath(keep)
            os.makedirs(self.dir, exist_ok=True)
            # Its owner is changed below, so it must not be a directory with other content.
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

    def command(self, *words, check=True, env={}):
        words = [os.path.join(self.bindir, words[0]), *words[1:]]
        if self.user:
            words = ["runuser", "-u", self.user, "--", *words]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, text=True, cwd="/",
                              env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and done.returncode != 0:
            raise Failure("%s: %s" % (" ".join(words), done.stdout))
        return done.returncode

    def free_disk(self):
        """Return the free bytes on the disk of the server."""
        return shutil.disk_usage(self.dir).free

    def restart(self, settings={}, env={}):
        """Empty shared buffers, and change settings and environment until the next restart.  Ends all sessions."""
        self.command("pg_ctl", "stop", "-w", "-m", "fast", "-D", self.data)
        self.start(settings, env)

    def forget(self):
        """Stop the server, and drop its files from the system's cache.  Ends all sessions."""
        self.command("pg_ctl", "stop", "-w", "-m", "fast", "-D", self.data)
        for folder, _, names in os.walk(self.data):
            for name in names:
                file = os.open(os.path.join(folder, name), os.O_RDONLY)
                # only pages that are on the disk can be dropped
                os.fdatasync(file)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)

    def start(self, settings={}, env={}):
        if not self.is_cluster():
            say("initdb in %s" % self.data)
            self.command("initdb", "-D", self.data, "-A", "trust", "-U", "postgres",
                         "-E", "UTF8", "--locale=C", "--no-sync")
        if self.command("pg_ctl", "status", "-D", self.data, check=False) == 0:
            # its programs were those of an earlier run
            say("restarting the server in %s" % self.dir)
            self.command("pg_ctl", "stop", "-w", "-m", "fast", "-D", self.data)
        options = ["-c listen_addresses=''", "-c unix_socket_directories='%s'" % self.dir]
        options += ["-c %s='%s'" % (k, v) for k, v in {**SETTINGS, **settings}.items()]
        if self.command("pg_ctl", "start", "-w", "-D", self.data, "-l", self.log,
                        "-o", " ".join(options), check=False, env=env) != 0:
            with open(self.log) as log:
                raise Failure("the server did not start:\n" + "".join(log.readlines()[-10:]))

    def session(self):
        db = Session(os.path.join(self.bindir, "psql"), self.conninfo)
        atexit.register(db.close)
        return db

    def stop(self):
        if self.keep:
            say("server left running: psql '%s'" % self.conninfo)
            say("stop it with: kill -INT $(head -1 %s/postmaster.pid)" % self.data)
            return
        self.command("pg_ctl", "stop", "-m", "immediate", "-D", self.data, check=False)
        shutil.rmtree(self.dir, ignore_errors=True)


# --- time --------------------------------------------------------------

class Clock:
    """Measures one EXECUTE by clock_timestamp() in the server, without the network."""

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
        """Return milliseconds, and the value of the query's only column."""
        quoted = "$q$" + sql + "$q$"
        (row,) = self.db.run("SELECT * FROM %s.timed_%s(%s)" % (self.schema, kind, quoted))
        return float(row[0]), row[1]


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


# --- output ------------------------------------------------------------

def optimization(library):
    """Return the -O options in the library's debugging information."""
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
        say("the installed extension was compiled with %s: the figures are meaningless"
            % ", ".join(sorted(found)))
    return ", ".join(sorted(found)) or "unknown optimization"


def describe(db, paths=("src", "sql", "Makefile")):
    """Return the header of the results: commit, versions, settings."""
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
    used = len(os.sched_getaffinity(0))
    library = db.value("SELECT setting || '/spqtree.so' FROM pg_config WHERE name = 'PKGLIBDIR'")
    settings = ", ".join("%s=%s" % (n, db.value("SHOW " + n)) for n in SETTINGS)
    return ["commit: " + commit,
            "server: PostgreSQL " + db.value("SHOW server_version"),
            "extension: compiled with " + optimization(library),
            "processor: %s, %d cores%s" % (model, os.cpu_count(), ", of which %d are used" % used
                                           if used < os.cpu_count() else ""),
            "settings: " + settings]


def extension(db, again):
    if again:
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
        raise argparse.ArgumentTypeError("%r is not a positive number" % text)
    return int(text)


def bindir():
    """Return the directory of the programs: BINDIR, or that of PG_CONFIG."""
    if "BINDIR" in os.environ:
        return os.environ["BINDIR"]
    config = os.environ.get("PG_CONFIG", "pg_config")
    return subprocess.run([config, "--bindir"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def listed(known):
    """Return a type for argparse: a comma-separated list of these words."""
    def read(text):
        words = text.split(",")
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError("%r is not one of %s" % (word, ", ".join(known)))
        return words
    return read


def run_main(name, main):
    """Run main(); print a failure as one line, and stop the server on an interrupt."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except Failure as e:
        sys.exit("%s: %s" % (name, e))
    except KeyboardInterrupt:
        sys.exit("%s: interrupted" % name)
