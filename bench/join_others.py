"""A join by the node, compared with the same rows in other systems: DuckDB, Shapely in Python, libraries in JavaScript.

They run in one process and one thread, from tables and objects in memory.  They compare
exactly, whereas PostgreSQL's && has a tolerance of 1e-6, so two counts are expected.
"""
import os
import subprocess

from common import Failure
from report import short
from rivals_base import JAVASCRIPT, NO_PACKAGE, duckdb, export, javascript, shapely

SECTION = "Other systems"
IN_JAVASCRIPT = ("box_intersect", "flatbush")
TITLES = {"duckdb": "DuckDB", "shapely": "Shapely", **{c: JAVASCRIPT[c][0] for c in IN_JAVASCRIPT}}
ENDS = "SELECT (b[1])[0], (b[1])[1], (b[0])[0], (b[0])[1] FROM %s"
JOIN = "SELECT count(*) FROM %s a JOIN %s b ON a.b && b.b"
EXACT = (" AND (a.b[1])[0] <= (b.b[0])[0] AND (b.b[1])[0] <= (a.b[0])[0]"
         " AND (a.b[1])[1] <= (b.b[0])[1] AND (b.b[1])[1] <= (a.b[0])[1]")


def found(bench):
    """Return the commands of the systems that are there; note the others."""
    commands = {"duckdb": duckdb(), "shapely": shapely(),
                **{c: javascript(c) and [*javascript(c), "join"] for c in IN_JAVASCRIPT}}
    for name in list(commands):
        if not commands[name]:
            why = "no such module of Python (Debian: python3-shapely)" if name == "shapely" else NO_PACKAGE
            del commands[name]
            bench.report.note("join", "%s left out: %s" % (TITLES[name], why))
    return commands


def joined(command, files):
    """Return milliseconds, pairs, and the version of the system."""
    done = subprocess.run([*command, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure("%s: %s" % (" ".join(command), done.stderr))
    ms, pairs, *version = done.stdout.split()
    return float(ms), pairs, " ".join(version)


def others(bench):
    db, report = bench.db, bench.report
    rows = max(bench.args.rows // 10, 1)
    tables = [bench.loaded(name, rows) for name in ("u1", "u2")]
    commands = found(bench)
    report.titles.update((c, TITLES[c]) for c in commands)
    row = bench.row("U %s x %s, beside other systems" % (short(rows), short(rows)), SECTION, ("node",),
                    tuple(commands))
    files = [export(bench, ENDS % table, "%s_ends" % table) for table in tables]
    sql = JOIN % tuple(tables)
    versions = {}
    db.run("SET enable_nestloop = off")
    try:
        if not any("Spqtree Spatial Hash Join" in line[0] for line in db.run("EXPLAIN " + sql)):
            report.wrong.append("%s: no node in the plan" % row.name)
        exact = db.value(sql + EXACT)
        bench.timed("query", sql)   # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for candidate in bench.turns(i, ["node", *commands]):
                if candidate == "node":
                    row.add(candidate, *bench.timed("query", sql))
                    continue
                ms, pairs, versions[candidate] = joined(commands[candidate], files)
                row.add(candidate, ms, pairs)
    finally:
        db.run("RESET enable_nestloop")
        for file in files:
            os.unlink(file)
    for candidate in commands:
        if row.answers[candidate] != exact:
            report.note("join", "%s: %s finds %s pairs, not %s" % (
                row.name, TITLES[candidate], row.answers[candidate], exact))
    row.detail = "%s pairs; %s if compared exactly, as the others do%s" % (
        row.answers["node"], exact, "".join("; %s %s" % (TITLES[c], v) for c, v in sorted(versions.items())))
    report.keep(row)
