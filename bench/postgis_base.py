"""Session, tables and indexes of the comparison with PostGIS.

    lines, polygons, points (id, geom)   <-  lines_gist, lines_spqtree and so on

Rows are in random order.  pg_index.indisvalid shows the planner the indexes of one
candidate; those of spqtree are built after the joins have been measured.
"""
import gzip
import lzma
import os
import time

import common
from common import NoData, ROOT, say
from data import Tables
from join_base import JoinBench
from plans import Plans
from report import Row

SCHEMA = "bench_postgis"
TITLES = {"ours": "with spqtree", "workers": "with spqtree, 2 workers", "postgis": "best without spqtree",
          "rtree": "spqtree AM", "pgis_gist": "PostGIS GiST", "predicate": "spqtree's predicate",
          "own": "PostGIS' predicate", "function": "spqtree_cluster"}
KINDS = ("lines", "polygons", "points")

FROM_WKB = "SELECT osm_id AS id, ST_SetSRID(ST_GeomFromWKB(decode(wkb, 'hex')), 3857) AS geom FROM raw"
# Two files of the repository, a small town, to test the benchmark.
TOWN = {
    "lines": ("osm_town_streets.csv.gz", "street int8, number int, x float8, y float8",
              "SELECT street AS id, ST_SetSRID(ST_MakeLine(ST_MakePoint(x, y) ORDER BY number), 3857) AS geom"
              " FROM raw GROUP BY street HAVING count(*) > 1"),
    "points": ("osm_town_streets.csv.gz", "street int8, number int, x float8, y float8",
               "SELECT row_number() OVER (ORDER BY street, number) AS id,"
               " ST_SetSRID(ST_MakePoint(x, y), 3857) AS geom FROM raw"),
    "polygons": ("osm_town_areas.csv.gz", "id int8, area polygon",
                 "SELECT id, ST_SetSRID(area::geometry, 3857) AS geom FROM raw"),
}
# Tables derived from these.
DERIVED = {
    # more than a thousand vertices each
    "large": "SELECT id, ST_Segmentize(geom, ST_Perimeter(geom) / 1200) AS geom FROM"
             " (SELECT * FROM {polygons} ORDER BY ST_Area(geom) DESC, id LIMIT 300) s",
    "buildings": "SELECT id, geom FROM {polygons} WHERE ST_Area(geom) < 1000",
    "parcels": "SELECT id, geom FROM {polygons} WHERE ST_Area(geom) >= 1000",
}


class Geometries(Tables):
    """Makes the tables."""

    def geometry(self, name):
        """Return the name of a table, made if needed: lines, large, or "10 lines"."""
        if name in KINDS:
            self.real(name)
            return name
        if name in DERIVED:
            sql, kind = DERIVED[name], "polygons"
        else:
            number, kind = name.split()
            name = "%s_%s" % (kind, number)
            sql = "SELECT id, geom FROM {%s} ORDER BY hashint8extended(id, 42), id LIMIT %s" % (kind, number)
        self.real(kind)
        self.ensure(name, "%s of %s v1" % (name, self.most), lambda: self.db.run("CREATE TABLE %s AS %s" % (
            self.table(name), sql.format(**{kind: self.table(kind)}))))
        return name

    def real(self, kind):
        try:
            path = self.source("geometry_" + kind[:-1])
            columns, sql = "osm_id int8, wkb text", FROM_WKB
        except NoData:
            if self.most is None or self.most > 10000:
                raise
            file, columns, sql = TOWN[kind]
            path = os.path.join(ROOT, "data", file)
        self.ensure(kind, "%s size=%d most=%s v1" % (os.path.basename(path), os.path.getsize(path), self.most),
                    lambda: self.load(kind, path, columns, sql))

    def load(self, kind, path, columns, sql):
        opener = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(path)[1], open)
        self.db.run("CREATE TEMP TABLE raw (%s)" % columns)
        with opener(path, "rt") as lines:
            next(lines)
            self.db.run("COPY raw FROM STDIN (FORMAT csv)", lines)
        self.db.run("CREATE TABLE %s AS SELECT id, geom FROM (%s) s ORDER BY hashint8extended(id, 7), id%s"
                    % (self.table(kind), sql, " LIMIT %d" % self.most if self.most else ""))
        self.db.run("DROP TABLE raw")


class PostgisBench(JoinBench):
    """Session, tables and turns."""

    file = "postgis"

    def __init__(self, server, report, args):
        self.server, self.report, self.args = server, report, args
        self.db = self.session()
        self.missing = ""
        for name, package in (("postgis", "PostGIS (Debian: postgresql-NN-postgis-3)"),
                              ("spqtree_postgis", "the companion spqtree_postgis (make -C postgis install)")):
            if not self.db.value("SELECT 1 FROM pg_available_extensions WHERE name = '%s'" % name):
                self.missing = "%s is not installed beside this server" % package
                break
        if not self.missing:
            # otherwise each parallel worker loads PostGIS, which takes longer than a small join
            self.db.close()
            server.restart({"shared_preload_libraries": "postgis-3"})
            self.db = self.session()
        common.extension(self.db, bool(args.keep))
        report.titles.update(TITLES)
        self.timed = common.Clock(self.db, SCHEMA).timed
        self.plans = Plans(self.db, SCHEMA, {})
        self.tables = Geometries(self.db, SCHEMA, args.rows, args.data, args.most)
        if not self.missing:
            for name in ("postgis", "spqtree_postgis"):
                self.db.run("CREATE EXTENSION IF NOT EXISTS %s SCHEMA public" % name)
        if not self.missing and not any(h.startswith("PostGIS:") for h in report.header):
            report.header.append("PostGIS: " + self.db.value("SELECT postgis_lib_version()"))

    def session(self, load=True):
        db = self.server.session()
        db.run("SET search_path = %s, public" % SCHEMA)
        if load:
            db.run("LOAD 'spqtree'")
        db.run("SET max_parallel_workers_per_gather = 0")
        return db

    def attempt(self, measure, *what):
        """Skip a measurement that is impossible here, and note it in the report."""
        if self.missing:
            self.report.note(self.file, "left out: %s" % self.missing)
            return
        super().attempt(measure, *what)

    def row(self, what, section, unit="ms", ours=("ours",), rivals=("postgis",), detail=""):
        return Row("postgis: " + what, section, unit, ours, rivals, detail=detail)

    def wrong(self, row, answers):
        """Report different answers, which fail the run."""
        if len(set(answers.values())) > 1:
            self.report.wrong.append("%s: answers differ: %s" % (row.name, answers))

    def index(self, table, method):
        """Return the name of the index; build it if needed."""
        name = "%s_%s" % (table, method)
        if self.db.value("SELECT to_regclass('%s.%s')" % (SCHEMA, name)) in (None, ""):
            started = time.time()
            self.db.run(self.index_ddl(table, method))
            say("  made %s, %.1f s" % (name, time.time() - started))
        return name

    def index_ddl(self, table, method):
        return "CREATE INDEX %s_%s ON %s.%s USING %s (geom)" % (table, method, SCHEMA, table, method)
