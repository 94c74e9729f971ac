"""The shapes of a chip that touch, by the node and by KLayout, the editor and checker of layouts.

The chip is made up: wires on tracks that are 200 apart, 100 wide and 200 to 4,200 long, in both directions,
and vias of 100 by 100 between them, all in one layer.  Numbers are integers, so both find the same.
"""
import os
import shutil
import subprocess

from common import Failure, HERE
from join_others import SECTION
from report import short
from rivals_base import export

TITLE = "KLayout"
CHIP = ("SELECT i AS id, box(point(x, y), point(x + CASE WHEN kind < 0.4 THEN length ELSE 100 END,"
        " y + CASE WHEN kind BETWEEN 0.4 AND 0.8 THEN length ELSE 100 END)) AS b FROM (SELECT i, random() AS kind,"
        " 200 * floor({tracks} * random()) AS x, 200 * floor({tracks} * random()) AS y,"
        " 200 * (1 + floor(20 * random() ^ 3)) AS length FROM generate_series(1, {rows}) i OFFSET 0) s")
# Shapes that begin where two tracks cross.
CROWDED = 0.2
ENDS = "SELECT (b[1])[0]::int, (b[1])[1]::int, (b[0])[0]::int, (b[0])[1]::int FROM %s"
PAIRS = "SELECT count(*) FROM {0} a JOIN {0} b ON a.b && b.b AND a.id < b.id"


def by_klayout(file):
    """Return milliseconds of the build and of the search, and pairs."""
    command = ["klayout", "-zz", "-b", "-r", os.path.join(HERE, "rivals", "klayout.rb"), "-rd", "boxes=" + file]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    words = done.stdout.split()
    if done.returncode or len(words) != 3:
        raise Failure("%s: %s%s" % (" ".join(command), done.stdout, done.stderr))
    return float(words[0]), float(words[1]), words[2]


def chip(bench):
    found = ["klayout"] if shutil.which("klayout") else []
    if found:
        bench.report.titles["klayout"] = TITLE
    else:
        bench.report.note("join", "%s left out: no such program (Debian: klayout)" % TITLE)
    rows = max(bench.args.rows // 10, 1)
    table = "chip"
    bench.db.run("SELECT setseed(0.5)")
    bench.made(table, CHIP.format(rows=rows, tracks=round((rows / CROWDED) ** 0.5)))
    row = bench.row("touching shapes of a chip of %s, beside KLayout" % short(rows), SECTION, ("node",), found)
    bench.db.run("SET enable_nestloop = off")
    file = export(bench, ENDS % table, "chip_ends")
    said = []
    try:
        sql = PAIRS.format(table)
        if not any("Spqtree Spatial Hash Join" in line[0] for line in bench.db.run("EXPLAIN " + sql)):
            bench.report.wrong.append("%s: no node in the plan" % row.name)
        bench.timed("query", sql)   # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for candidate in bench.turns(i, ["node", *found]):
                if candidate == "node":
                    row.add(candidate, *bench.timed("query", sql))
                    continue
                built, ms, pairs = by_klayout(file)
                row.add(candidate, built + ms, pairs)
        if found:
            said = [subprocess.run(["klayout", "-v"], stdout=subprocess.PIPE, text=True).stdout.strip()]
    finally:
        bench.db.run("RESET enable_nestloop")
        os.unlink(file)
    if len(set(row.answers.values())) > 1:
        bench.report.wrong.append("%s: answers differ: %s" % (row.name, row.answers))
    row.detail = "; ".join(["%s pairs" % format(int(row.answers["node"]), ","), *said])
    bench.report.keep(row)
