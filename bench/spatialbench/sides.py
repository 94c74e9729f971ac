"""The sides that are compared: a session on one of the databases, warm or cold."""
import atexit
import os
import time

import common
from common import Failure

# name: database, whether the library is loaded, title in the results
SIDES = {"without": ("gist", False, "PostGIS with GiST indexes"),
         "with": ("gist", True, "the same tables and indexes, library loaded"),
         "own": ("own", True, "indexes `USING spqtree` in place of GiST, library loaded"),
         "bare": ("own", True, "no indexes of geometries, library loaded")}

# The planner ignores the indexes of geometries while this is false.
VALID = ("UPDATE pg_index SET indisvalid = %s WHERE indexrelid IN (SELECT oid FROM pg_class"
         " WHERE relname LIKE 'spqtree\\_%%') AND indisvalid <> %s")


def connect(server, database):
    db = common.Session(os.path.join(server.bindir, "psql"),
                        server.conninfo.replace("dbname=postgres", "dbname=" + database))
    atexit.register(db.close)
    return db


class Side:
    """A session, which is replaced when a statement is stopped."""

    def __init__(self, server, name, limit):
        self.server, self.limit = server, limit
        self.database, self.loaded, _ = SIDES[name]
        self.valid = "false" if name == "bare" else "true"
        self.db = None
        self.open()

    def open(self):
        if self.db:
            self.db.close()
        self.db = connect(self.server, self.database)
        self.db.run("SET search_path = spatialbench, public")
        if self.loaded:
            self.db.run("LOAD 'spqtree'")
        # the same format of times and numbers in every answer
        self.db.run("SET extra_float_digits = 1")
        self.db.run("SET statement_timeout = %d" % (self.limit * 1000))
        self.process = self.db.value("SELECT pg_backend_pid()")

    def processor(self):
        """Return the processor time of the backend in seconds."""
        with open("/proc/%s/schedstat" % self.process) as file:
            return int(file.read().split()[0]) / 1e9

    def select_indexes(self):
        if self.database == "own":
            self.db.run(VALID % (self.valid, self.valid))

    def plan(self, query):
        self.select_indexes()
        return word(self.db.explain(query))

    def run(self, query):
        """Return (rows, core-seconds, seconds), or None if the query was stopped."""
        self.select_indexes()
        before, began = self.processor(), time.perf_counter()
        try:
            rows = self.db.run(query)
        except Failure as e:
            if "statement timeout" not in str(e):
                raise
            self.open()
            return None
        return rows, self.processor() - before, time.perf_counter() - began


def word(plan):
    """Return the joins and scans of a plan, in a few words."""
    found = []
    for node in common.nodes(plan):
        kind = node["Node Type"]
        if kind == "Custom Scan":
            found.append(node["Custom Plan Provider"].replace("Spqtree ", "").lower())
        elif kind in ("Nested Loop", "Hash Join", "Merge Join"):
            found.append(kind.lower())
        elif "Index Name" in node and not node["Index Name"].endswith("key_pkey"):
            found.append(node["Index Name"])
    return " > ".join(found) or "scan"
