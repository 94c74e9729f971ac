"""Scans of a table on disk: its blocks are neither in the server's buffers nor in the system's cache.

Before each run the server is stopped, and its files are dropped from the cache.  The cost of a read
is that of the disk, so ratios hold for one machine only.  Other rows have a disk of given speed, by
disk/slow_reads.c.
"""
import collections
import os

from data import Tables
from index_base import SCHEMA
from index_scan import NEAREST, scan_sql
from report import short
from rivals_base import built

# Microseconds a read, and reads at a time.  The first is what a local SSD takes, the second a disk in a network.
Disk = collections.namedtuple("Disk", "title latency channels")
OWN = Disk("", 0, 0)
DISKS = (OWN, Disk("0.12 ms a read", 120, 32), Disk("1 ms a read", 1000, 16))
SECTION = "Cold cache: time"
SIMULATED = "Cold cache of a slower disk: time"
CANDS = ("rtree", "gist")
# for both: the default was 1 before PostgreSQL 18, which is for a single magnetic disk
SETTINGS = {"effective_io_concurrency": "32"}
# Operator, rows, side of the window, probes, plans.
SCANS = [("&&", "100 rows", 950, 60, ("plain", "bitmap", "index-only")),
         ("&&", "1000 rows", 3110, 12, ("plain", "bitmap", "index-only")),
         (NEAREST + "100", "", 0, 60, ("plain", "index-only"))]
ROUNDS = 5
BEST = "best plan that reads rows"


def measurements(args):
    """Return (name, run) of each."""
    return [(named(op, rows, disk), lambda b, d=disk, s=scan: measure(b, d, *s))
            for disk in DISKS for scan in SCANS for op, rows in [scan[:2]]]


def named(op, rows, disk=OWN):
    return "cold %s" % " ".join(filter(None, (op, rows))) + (disk.title and ", %s" % disk.title)


def heap(bench):
    """Make a table four times as large as U, with rows of 250 bytes and boxes as dense as those of U."""
    data, rows = bench.heaps, 4 * bench.args.rows
    boxes = Tables(data.db, SCHEMA, rows, data.args.data)

    def make():
        data.db.run("SELECT setseed(0.25)")
        data.db.run("CREATE TABLE %s AS SELECT *, repeat('x', 200) AS pad FROM (%s) g"
                    % (data.table("cold"), boxes.generated("u", rows)))
    data.ensure("cold", "cold rows=%d v1" % rows, make)
    return "cold", rows


def probes(bench, table, rows, side, number):
    """Make probes around random rows of the table."""
    name = "probes_%s_%d" % (table, side)
    bench.heaps.ensure(name, "%s rows=%d side=%d number=%d" % (table, rows, side, number), lambda: bench.db.run(
        "CREATE TABLE {to} AS SELECT row_number() OVER () AS n, c AS p,"
        " box(c - point({half}, {half}), c + point({half}, {half})) AS b FROM (SELECT center(b) AS c FROM {table}"
        " ORDER BY hashint8extended(id, 42), id LIMIT {number}) s".format(
            to=bench.heaps.table(name), half=side / 2, table=bench.heaps.table(table), number=number)))
    return name


def timed(bench, cand, plan, sql, table, disk=OWN):
    """Return milliseconds and the answer of a query when nothing is in memory but the catalogs."""
    bench.db.close()
    if disk is OWN:
        bench.server.forget()
        bench.server.start(SETTINGS)
    else:
        bench.server.restart(SETTINGS, {"LD_PRELOAD": os.path.join(built("disk"), "slow_reads.so"),
                                        "SLOW_READS": "%d %d" % (disk.latency, disk.channels)})
    bench.connect()
    bench.db.run("SELECT count(*) FROM %s" % bench.heaps.table(table))
    bench.choose("cold", cand, plan, sql)
    return bench.timed("query", sql)


def measure(bench, disk, op, rows, side, number, plans):
    name, size = heap(bench)
    cands = [c for c in CANDS if c in bench.cands]
    table = probes(bench, name, size, side, number)
    section = SIMULATED if disk.latency else SECTION
    found = {plan: bench.row("%s, %s" % (named(op, rows, disk), plan), section, "ms") for plan in plans}
    best = bench.row("%s, %s" % (named(op, rows, disk), BEST), section, "ms")
    for cand in cands:
        bench.heaps.index(name, cand)
    bench.db.run("CHECKPOINT")
    for number_of_round in range(min(bench.args.rounds, ROUNDS)):
        for plan, row in found.items():
            for cand in bench.turns(number_of_round, cands):
                ms, answer = timed(bench, cand, plan, scan_sql(op, cand, name, table), table, disk)
                row.add(cand, ms / number, answer)
    for cand in cands:
        reads = [row for plan, row in found.items() if plan != "index-only"]
        best.values[cand] = min(reads, key=lambda row: row.median(cand)).values[cand]
    for row in [*found.values()] + ([best] if len(reads) > 1 else []):
        row.detail = "%d probes in %s rows" % (number, short(size))
        bench.report.keep(row)
    bench.server.restart()
    bench.connect()


def drop(bench):
    bench.heaps.drop("cold", *["probes_cold_%d" % scan[2] for scan in SCANS])
