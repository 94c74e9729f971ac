"""The data: boxes made by the server from fixed seeds, or read from data/."""
import gzip
import lzma
import os
import time

from common import Failure, NoData, ROOT, say


class Tables:
    """Makes tables when a measurement needs them.

    A table has a comment with its recipe, which is set last.  With --keep, a later
    run reuses a table only if the recipe is the same and the table was finished.
    """

    def __init__(self, db, schema, rows, directory, most=None):
        self.db = db
        self.schema = schema
        self.rows = rows            # of U and of S
        self.directory = directory  # directory of *.csv.gz
        self.most = most            # rows of a file to read, for short runs
        self.seen = set()
        # N rows cover N/1e6 of the square, so --rows does not change the rows per probe.
        self.side = 1e5 * (rows / 1e6) ** 0.5

    def table(self, name):
        return "%s.%s" % (self.schema, name)

    def ensure(self, name, recipe, make):
        """Call make(), unless the table exists and was made by this recipe."""
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

    def show_only(self, holder, index):
        """Let the planner see only one index of the heap, or none."""
        self.db.run("UPDATE pg_index SET indisvalid = (indexrelid = %s) WHERE indrelid ="
                    " '%s'::regclass" % ("'%s'::regclass" % self.table(index) if index else "0",
                                         self.table(holder)))

    def generated(self, kind, rows):
        """Return a query for the boxes of U or S, or identical boxes, in random order."""
        if kind == "same":
            return ("SELECT i AS id, '(105,105),(100,100)'::box AS b FROM generate_series(1, %d) i"
                    % rows)
        if kind == "u":
            return ("SELECT i AS id, box(point(x, y), point(x + w, y + h)) AS b FROM ("
                    "SELECT i, %r * random() x, %r * random() y,"
                    " -50 * ln(1 - random()) w, -50 * ln(1 - random()) h"
                    " FROM generate_series(1, %d) i OFFSET 0) r"
                    % (self.side, self.side, rows))
        # The center of a cluster is a hash of its number, so that rows inserted later
        # fall into the same clusters.  sqrt(-2 ln u) with cos and sin of 2 pi v makes
        # two normal deviates.  Sides: median 10, three deviations to either side are
        # 0.1 .. 1000.
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
            for name in ("osm_" + kind, kind, kind.replace("_points", "")):
                for ending in ("", ".gz", ".xz"):
                    path = os.path.join(directory, "%s.csv%s" % (name, ending))
                    if os.path.exists(path):
                        return path
        raise NoData("no %s.csv, .csv.gz or .csv.xz in %s: name the directory with"
                     " --data, or leave %s out with --only" % (kind, self.directory, kind))

    def from_file(self, name, kind):
        path = self.source(kind)
        self.ensure(name, "%s size=%d most=%s v1" % (
            os.path.basename(path), os.path.getsize(path), self.most),
                    lambda: self.make_from_file(name, path))

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
                    " AS b FROM raw ORDER BY hashint8extended(id, 7), id%s"
                    % (self.table(name), " LIMIT %d" % self.most if self.most else ""))
        self.db.run("DROP TABLE raw")
