"""Overlaps of the intervals of a genome, by the node and by the programs of that field: NCLS and bedtools.

    reads        short ones, as a machine reads them
    annotations  from 10 to 100,000 long, so that many lie inside others

All are half-open intervals of integers on one axis.  Either all pairs are listed, or the partners of
each row are counted.  NCLS works on arrays in Python; bedtools reads text and writes text.
"""
import os
import shutil
import subprocess
import time

from common import Failure, median
from plans import NODE
from ranges_join import forced
from report import short, shown
from rivals_base import python_with

SECTION = "Intervals beside other programs"
# Places for each row, and the lengths of rows.
GAP = 3100
KINDS = {"reads": "50 + floor(100 * random())::int", "annotations": "floor(10 * exp(ln(1e4) * random()))::int"}
ROWS = ("SELECT i AS id, int8range(s, s + length) AS during FROM (SELECT i, floor(%d::float8 * random())::int8 AS s,"
        " %s AS length FROM generate_series(1, %d) i OFFSET 0) r")
TASKS = {
    "pairs": "SELECT count(*) || ' pairs, ' || sum(a.id # b.id) FROM %s a JOIN %s b ON a.during && b.during",
    "counts": ("SELECT sum(n) || ' pairs of ' || count(*) FILTER (WHERE n > 0) || ' rows, ' || sum(n * n) FROM (SELECT"
               " a.id, count(b.id) AS n FROM %s a LEFT JOIN %s b ON a.during && b.during GROUP BY a.id) t"),
}
LINES = "SELECT 1, lower(during), upper(during), id FROM %s ORDER BY %s"
TITLES = {"ncls": "NCLS", "bedtools": "bedtools", "bedtools_sorted": "bedtools, sorted files"}
JOINS = [(left, "annotations", task) for left in KINDS for task in TASKS]


def measurements(args):
    """Return (name, run) of each."""
    rows = short(args.rows)
    return [("%s %s x %s annotations, %s" % (rows, left, rows, task),
             lambda b, j=(left, right, task): beside(b, *j)) for left, right, task in JOINS]


def table(bench, name, seed):
    rows = bench.args.rows
    bench.made(name, ROWS % (GAP * rows, KINDS[name.rstrip("2")], rows), seed)
    # so that the node counts rows by it, and their counts are whole
    bench.db.run("ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s" % (bench.heaps.table(name), key(name)))
    bench.db.run("ALTER TABLE %s ADD CONSTRAINT %s PRIMARY KEY (id)" % (bench.heaps.table(name), key(name)))
    return name


def key(name):
    """Return the name of a table's primary key."""
    return name + "_key"


def found(bench):
    """Return commands; note the missing programs."""
    commands = {"ncls": python_with("ncls", "ncls_join.py")}
    for cand, more in (("bedtools", []), ("bedtools_sorted", ["-sorted"])):
        commands[cand] = shutil.which("bedtools") and ["bedtools", "intersect", *more]
    for cand, why in (("ncls", "no such module of Python (Debian: python3-ncls)"),
                      ("bedtools", "no such program (Debian: bedtools)")):
        if not commands[cand]:
            bench.report.note("ranges", "%s left out: %s" % (TITLES[cand], why))
    return {cand: command for cand, command in commands.items() if command}


def written(bench, name, sort):
    path = os.path.join(bench.server.dir, "%s_%s.bed" % (name, "sorted" if sort else "as_stored"))
    bench.db.run("COPY (%s) TO '%s'" % (LINES % (bench.heaps.table(name), "2, 3" if sort else "id"), path))
    return path


def run(command, read=None):
    """Run a command, and return what "read" makes of its output."""
    with subprocess.Popen(command, stdout=subprocess.PIPE if read else subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True) as process:
        found = read and read(process.stdout)
        said = process.stderr.read()
    if process.returncode:
        raise Failure("%s: %s" % (" ".join(command), said))
    return found


def pairs_of(lines):
    """Return the answer in lines of bedtools with both rows."""
    number = ids = 0
    for line in lines:
        _, _, _, left, _, _, _, right = line.split("\t")
        number += 1
        ids += int(left) ^ int(right)
    return "%d pairs, %d" % (number, ids)


def counts_of(lines):
    """Return the answer in lines of bedtools with a row and a number."""
    counts = [int(line.rpartition("\t")[2]) for line in lines]
    return "%d pairs of %d rows, %d" % (sum(counts), sum(n > 0 for n in counts), sum(n * n for n in counts))


def by_bedtools(command, task, files):
    """Return a function that measures it once: elapsed ms, without the reader of what it writes."""
    command = [*command, *({"pairs": ["-wa", "-wb"], "counts": ["-c"]}[task]), "-a", files[0], "-b", files[1]]
    answer = run(command, pairs_of if task == "pairs" else counts_of)

    def once():
        started = time.perf_counter()
        run(command)
        return (time.perf_counter() - started) * 1000, answer
    return once


def by_ncls(command, task, files, builds):
    """Return a function that measures it once, and adds the part of its time that is its build."""
    def once():
        built, ms, answer, _ = run([*command, task, *files], lambda out: out.read()).strip().split("\t")
        builds.append(float(built))
        return float(built) + float(ms), answer
    return once


def versions(commands, files):
    """Return the text of their versions."""
    said = []
    if "ncls" in commands:
        said.append("NCLS " + run([*commands["ncls"], "counts", *files], lambda out: out.read()).split()[-1])
    if "bedtools" in commands:
        said.append(run(["bedtools", "--version"], lambda out: out.read()).strip())
    return "; ".join(said)


def beside(bench, left, right, task):
    commands, rows = found(bench), short(bench.args.rows)
    bench.report.titles.update((c, TITLES[c]) for c in commands)
    tables = [table(bench, left, 0.25), table(bench, right + "2", 0.75)]
    row = bench.row("%s %s x %s %s, %s" % (rows, left, rows, right, task), SECTION, "ms", ("node",), tuple(commands))
    bench.plans.show(set(tables), [key(name) for name in tables])
    plan = forced(bench, TASKS[task] % tuple(tables), NODE, "SHJ(")
    bench.plans.set({})
    files = {cand: [written(bench, name, cand == "bedtools_sorted") for name in tables] for cand in commands}
    builds = []
    once = {cand: by_ncls(command, task, files[cand], builds) if cand == "ncls"
            else by_bedtools(command, task, files[cand]) for cand, command in commands.items()}
    once["node"] = lambda: bench.plans.time(plan)
    try:
        once["node"]()              # to warm up
        for i in range(min(bench.args.rounds, 3)):
            for cand in bench.turns(i, list(once)):
                row.add(cand, *once[cand]())
        version = versions(commands, next(iter(files.values()), None))
    finally:
        for file in set(sum(files.values(), [])):
            os.unlink(file)
    bench.plans.check(plan)
    bench.wrong(row)
    row.detail = "; ".join(filter(None, (row.answers["node"].rpartition(",")[0], version)))
    bench.report.keep(row)
    if builds:
        bench.line("Builds of NCLS, a part of its time", ["row", "it builds its lists in"],
                   [row.name, shown(median(builds), "ms")])
    bench.db.run("DEALLOCATE ALL")
