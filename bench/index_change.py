"""Costs of changes: single-row statements by pgbench, vacuum, and an index after many changes."""
import os
import re
import subprocess
import tempfile

from common import Failure
from index_base import on_geometry
import index_build
from index_build import megabytes
from index_scan import Scan, measure
from report import short

CLIENTS = (1, 4)

# One transaction of each kind, on boxes and on geometries.  Each client has its own
# rows, so that no row is deleted twice.
PLACE = "\\set x random(0, {side})\n\\set y random(0, {side})\n\\set w random(1, 100)\n"
OWN = "\\set i :i + 1\n\\set id :i * {clients} + :client_id + 1\n"
ANY = "\\set id random(1, {rows})\n"
BOX = ("box(point(:x::float8, :y::float8),"
       " point(:x::float8 + :w::float8, :y::float8 + :w::float8))")
ENVELOPE = ("ST_MakeEnvelope(:x::float8, :y::float8, :x::float8 + :w::float8,"
            " :y::float8 + :w::float8)")
SCRIPTS = {
    "insert": (PLACE, "INSERT INTO {table} VALUES (0, %s)"),
    "update": (PLACE + ANY, "UPDATE {table} SET {column} = %s WHERE id = :id"),
    "delete": (OWN, "DELETE FROM {table} WHERE id = :id"),
}


def script(kind, cand, table, bench, clients, rows):
    sets, sql = SCRIPTS[kind]
    if "%s" in sql:
        sql = sql % (ENVELOPE if on_geometry(cand) else BOX)
    return (sets + sql + ";\n").format(
        side=round(bench.heaps.side), rows=rows, clients=clients, table=table,
        column="g" if on_geometry(cand) else "b")


def fresh(bench, cand, rows, name="changed"):
    """Copy the first rows of U, with an index to find rows by id, and the candidate's."""
    data, db = bench.heaps, bench.db
    holder = data.holder(name, cand)
    db.run("DROP TABLE IF EXISTS %s" % data.table(holder))
    db.run("CREATE TABLE %s AS SELECT row_number() OVER () AS id, %s FROM (SELECT * FROM %s LIMIT"
           " %d) s" % (data.table(holder), "g" if on_geometry(cand) else "b",
                       data.table(data.holder(data.heap("u"), cand)), rows))
    if name == "changed":
        db.run("CREATE INDEX ON %s (id)" % data.table(holder))
    db.run(data.index_ddl(name, cand))
    db.run("VACUUM ANALYZE %s" % data.table(holder))
    return data.table(holder)


def throughput(bench, kind):
    """Measure transactions per second, with one and with four clients."""
    for clients in CLIENTS:
        number = max(bench.args.transactions // (1 if clients == 1 else 2), 5)
        rows = max(bench.heaps.rows // 10, number * clients + clients)
        row = bench.row("%s, %d client%s" % (kind, clients, "s"[:clients > 1]),
                        "Throughput of transactions of one row, by pgbench", "1/s",
                        "%s transactions each, table of %s rows" % (
                            short(number), short(min(rows, bench.heaps.rows))), "more")
        for i in range(min(bench.args.rounds, bench.args.build_rounds, 3 if kind == "insert" else 2)):
            for cand in bench.turns(i, [c for c in bench.cands if c != "seq"]):
                table = fresh(bench, cand, rows)
                bench.db.run("CHECKPOINT")
                row.add(cand, pgbench(bench, script(kind, cand, table, bench, clients, rows),
                                      clients, number))
                bench.db.run("DROP TABLE %s" % table)
        row.size = clients
        bench.report.keep(row)


def pgbench(bench, text, clients, number):
    program = os.path.join(bench.server.bindir, "pgbench")
    if not os.path.exists(program):
        raise Failure("there is no %s (Debian: postgresql-contrib)" % program)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as out:
        out.write(text)
        out.flush()
        done = subprocess.run(
            [program, "-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-t", str(number),
             "-D", "i=-1", "--random-seed=7", "-f", out.name, bench.server.conninfo],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = re.search(r"^tps = ([0-9.]+) ", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found or "processed: %d/%d" % (
            (number * clients,) * 2) not in done.stdout:
        raise Failure("pgbench: %s%s" % (done.stdout, done.stderr))
    return float(found.group(1))


def vacuum(bench):
    """Measure VACUUM after every third row was deleted."""
    rows = max(bench.heaps.rows // 5, 3)
    row = bench.row("vacuum after deleting a third", "Vacuum", "s", "of %s rows" % short(rows))
    for i in range(min(bench.args.rounds, bench.args.build_rounds)):
        for cand in bench.turns(i, [c for c in bench.cands if c != "seq"]):
            table = fresh(bench, cand, rows, "vacuumed")
            bench.db.run("DELETE FROM %s WHERE id %% 3 = 0" % table)
            # VACUUM cannot run inside a function, so take psql's time of the whole statement
            row.add(cand, statement_seconds(bench.db, "VACUUM (INDEX_CLEANUP on) %s" % table))
            bench.db.run("DROP TABLE %s" % table)
    bench.report.keep(row)


def vacuum_few(bench):
    """Measure time and WAL of VACUUM of a large table after one row in a hundred was deleted.

    Also without an index: the cost of vacuuming the table alone.
    """
    data, db, rows = bench.heaps, bench.db, bench.args.sizes[-1]
    if not index_build.has_room(bench, rows, "vacuum of %s rows" % short(rows)):
        return
    heap = data.sized(rows, twin=False)
    what = "vacuum of %s rows, 1 %% dead" % short(rows)
    took, wrote = bench.row(what, "Vacuum", "s"), bench.row(what + ", WAL", "Vacuum", "MB")
    tables = {c: data.table("thinned_" + c) for c in ("rtree", "gist", "seq") if c in bench.cands}
    for cand, table in tables.items():
        db.run("DROP TABLE IF EXISTS %s" % table)
        if cand == "gist" and heap != "u":
            continue
        db.run("CREATE TABLE %s AS SELECT id, b FROM %s" % (table, data.table(heap)))
        if cand != "seq":
            db.run(data.index_ddl("thinned_" + cand, cand))
    if heap != "u":
        # GiST's index takes longest to build and exists: use the table on which it was built
        gist = data.index(heap, "gist")
        for (name,) in db.run("SELECT indexrelid::regclass FROM pg_index WHERE indrelid = '%s'"
                              "::regclass AND indexrelid <> '%s'::regclass" % (
                                  data.table(heap), data.table(gist))):
            db.run("DROP INDEX %s" % name)
        db.run("ALTER TABLE %s RENAME TO thinned_gist" % data.table(heap))
        data.seen -= {n for n in data.seen if n.startswith(heap)}
    for table in tables.values():
        db.run("VACUUM ANALYZE %s" % table)
    for i in range(min(bench.args.rounds, bench.args.build_rounds)):
        for cand in bench.turns(i, list(tables)):
            db.run("DELETE FROM %s WHERE id %% 100 = %d" % (tables[cand], i))
            # so WAL contains a full image of each page that changes
            db.run("CHECKPOINT")
            began = db.value("SELECT pg_current_wal_lsn()")
            took.add(cand, statement_seconds(
                db, "VACUUM (INDEX_CLEANUP on, PARALLEL 0, TRUNCATE off) %s" % tables[cand]))
            wrote.add(cand, float(db.value(
                "SELECT (pg_current_wal_lsn() - '%s') / 1e6" % began)))
    for table in tables.values():
        db.run("DROP TABLE %s" % table)
    bench.report.keep(took)
    bench.report.keep(wrote)


def statement_seconds(db, sql):
    began = float(db.value("SELECT extract(epoch FROM clock_timestamp())"))
    db.run(sql)
    return float(db.value("SELECT extract(epoch FROM clock_timestamp())")) - began


def churn(bench, updates):
    """Move every row by a small step, several times, with a vacuum after each time.

    Each candidate's index is the only one on its table, as in practice.  Then
    measure the same table with the index rebuilt.
    """
    data, db = bench.heaps, bench.db
    data.heap("moving")
    cands = [c for c in bench.cands if c != "seq"]
    tables = {}
    rows = data.rows_of("moving")
    took = bench.row("moving, update of every row", "After churn", "s",
                     "%s rows, %d times" % (short(rows), updates))
    for cand in cands:
        name = "churned_" + cand
        holder = data.holder(name, cand)
        tables[cand] = name
        db.run("DROP TABLE IF EXISTS %s" % data.table(holder))
        db.run("CREATE TABLE %s AS TABLE %s" % (data.table(holder),
                                                data.table(data.holder("moving", cand))))
        db.run(data.index_ddl(name, cand))
        db.run("VACUUM ANALYZE %s" % data.table(holder))
        data.seen.add("%s_%s" % (holder, cand))
    for number in range(updates):
        step = "%d + %d" % (number * 2, 1)
        angle = "hashint8extended(id, %s) %% 360" % step
        for cand in bench.turns(number, cands):
            table = data.table(data.holder(tables[cand], cand))
            move = ("g = ST_Translate(g, 100 * cosd(%s), 100 * sind(%s))" if on_geometry(cand)
                    else "b = b + point(100 * cosd(%s), 100 * sind(%s))") % (angle, angle)
            ms, _ = bench.timed("command", "UPDATE %s SET %s" % (table, move))
            took.add(cand, ms / 1000)
            db.run("CHECKPOINT")
            db.run("VACUUM %s" % table)
    bench.report.keep(took)
    measure_churned(bench, tables, cands, "after churn")
    for cand in cands:
        holder = data.holder(tables[cand], cand)
        db.run("REINDEX INDEX %s" % data.table("%s_%s" % (holder, cand)))
        db.run("VACUUM (FREEZE, ANALYZE) %s" % data.table(holder))
    measure_churned(bench, tables, cands, "made anew")
    for cand in cands:
        db.run("DROP TABLE %s" % data.table(data.holder(tables[cand], cand)))


def measure_churned(bench, tables, cands, suffix):
    data = bench.heaps
    size = bench.row("size moving, " + suffix, "After churn", "MB")
    for cand in cands:
        size.add(cand, megabytes(bench, "%s_%s" % (data.holder(tables[cand], cand), cand)))
    bench.report.keep(size)
    for plan in ("index-only", "plain"):
        scan = Scan("moving", "&&", "10 rows", ("moving", "moving", "center", 5000, 620), plan,
                    suffix=", " + suffix, section="After churn")
        scan.applies = lambda cand, s=scan: cand != "seq" and Scan.applies(s, cand)
        measure(bench, scan, lambda cand: tables["spqtree" if cand == "seq" else cand])


