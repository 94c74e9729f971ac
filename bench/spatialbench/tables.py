"""Makes the tables of SpatialBench: generated in one database, loaded by COPY into the other."""
import os
import threading
import time

from common import Failure, clock, say
from sides import connect

HERE = os.path.dirname(os.path.realpath(__file__))
GEOMETRIES = [("trip", "t_pickuploc"), ("trip", "t_dropoffloc"), ("building", "b_boundary"),
              ("zone", "z_boundary")]
KEYS = [("customer", "c_custkey"), ("driver", "d_driverkey"), ("vehicle", "v_vehiclekey"),
        ("trip", "t_tripkey"), ("building", "b_buildingkey"), ("zone", "z_zonekey")]


def at_once(*tasks):
    """Run functions in threads, and raise the first of their errors."""
    errors = []

    def guarded(task):
        try:
            task()
        except Failure as e:
            errors.append(e)
    threads = [threading.Thread(target=guarded, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def generate(server, scale):
    """Fill the database gist, in two sessions: trips are half of the work."""
    db = connect(server, "gist")
    db.run("CREATE EXTENSION spqtree_postgis CASCADE")
    db.run("\\i %s\n;" % os.path.join(HERE, "generate.sql"))
    db.run("SELECT spatialbench.load_base()")
    other = connect(server, "gist")
    for session in (db, other):
        session.run("SET search_path = spatialbench, public")

    def rest():
        for part in ("people", "buildings", "zones"):
            other.run("SELECT load_%s(%s)" % (part, scale))
    at_once(lambda: db.run("SELECT load_trips(%s)" % scale), rest)
    for session in (db, other):
        session.close()


def copy(server):
    """Load the tables into the database own, as a user would.  Return seconds of COPY."""
    source, target = connect(server, "gist"), connect(server, "own")
    target.run("CREATE EXTENSION spqtree_postgis CASCADE")
    target.run("\\i %s\n;" % os.path.join(HERE, "generate.sql"))
    file, seconds = os.path.join(server.dir, "copy"), 0
    for table, _ in KEYS:
        source.run("COPY spatialbench.%s TO '%s' (FORMAT binary)" % (table, file))
        began = time.time()
        target.run("COPY spatialbench.%s FROM '%s' (FORMAT binary)" % (table, file))
        seconds += time.time() - began
        os.remove(file)
    for session in (source, target):
        session.close()
    return seconds


def finish(server, database, method):
    """Add keys and indexes.  Return (seconds for keys, for indexes, for VACUUM ANALYZE)."""
    db = connect(server, database)
    db.run("SET search_path = spatialbench, public")
    times = [time.time()]
    for table, column in KEYS:
        db.run("ALTER TABLE %s ADD CONSTRAINT %s_pkey PRIMARY KEY (%s)" % (table, column, column))
    times.append(time.time())
    for table, column in GEOMETRIES:
        db.run("CREATE INDEX %s_%s ON %s USING %s (%s)" % (method, column, table, method, column))
    times.append(time.time())
    db.run("VACUUM ANALYZE")
    times.append(time.time())
    db.close()
    return [b - a for a, b in zip(times, times[1:])]


def prepare(server, scale):
    """Make both databases.  Seconds of each step are kept in a table, for later runs."""
    db = server.session()
    for database in ("own", "gist"):
        db.run("DROP DATABASE IF EXISTS " + database)
        db.run("CREATE DATABASE " + database)
    began = time.time()
    generate(server, scale)
    generated = time.time() - began
    say("generated in %s" % clock(generated))
    copied = copy(server)
    keys, gist, _ = finish(server, "gist", "gist")
    _, own, vacuum = finish(server, "own", "spqtree")
    db.run("CREATE TABLE IF NOT EXISTS loaded (scale float8, step text, seconds float8)")
    db.run("TRUNCATE loaded")
    for step, seconds in (("generate", generated), ("copy", copied), ("keys", keys), ("gist", gist),
                          ("own", own), ("vacuum", vacuum)):
        db.run("INSERT INTO loaded VALUES (%s, '%s', %.3f)" % (scale, step, seconds))
    db.run("CHECKPOINT")
    db.close()


def loaded(server):
    """Return (scale, {step: seconds}) of the tables that are there, or None."""
    db = server.session()
    rows = []
    if db.value("SELECT to_regclass('loaded') IS NOT NULL") == "t":
        rows = db.run("SELECT scale, step, seconds FROM loaded")
    db.close()
    return (float(rows[0][0]), {step: float(s) for _, step, s in rows}) if rows else None


def sizes(db):
    """Return [(table, rows, vertices on average, at most, MB)]."""
    found = []
    for table, column in GEOMETRIES[1:]:
        found.append([table] + db.run(
            "SELECT count(*), round(avg(ST_NPoints(%s))), max(ST_NPoints(%s)),"
            " round(pg_table_size('%s') / 1e6) FROM %s" % (column, column, table, table))[0])
    return found
