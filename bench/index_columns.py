"""Several columns in one index: a tenant and a box, compared with btree_gist and with an index of one tenant.

    u_tenants_1000 (id, tenant, b)          the rows of U, divided among 1000 tenants
        <-  u_tenants_1000_rtree, u_tenants_1000_gist
    u_tenants_1000_grown, u_alone           all rows inserted; the rows of one tenant
"""
from common import Failure, nodes
from index_base import PLANS
from index_build import megabytes
from report import Row, short

SECTION = "A tenant and a box in one index"
INDEXES = {"rtree": "spqtree (tenant, b)", "gist": "gist (tenant, b)"}
PROBES, NEAREST_PROBES = 3000, 1500
SAMPLED = 10                        # tenants that have an index of their own
WITHIN = "&& small window"
NEAREST = "nearest 10"


def tenants_of(args):
    """Return the numbers of tenants with 100,000, 1000 and 10 rows each, of a million rows."""
    return 10, max(args.rows // 1000, 2), max(args.rows // 10, 20)


def measurements(args):
    """Return (name, run) of each."""
    for n in tenants_of(args):
        name = "%s tenants, " % short(n)
        yield name + "build", lambda b, n=n: build(b, n)
        for what, plan in ((WITHIN, "index-only"), (WITHIN, "plain"), (NEAREST, "index-only")):
            yield "%s%s, %s" % (name, what, plan), lambda b, n=n, w=what, p=plan: scan(b, n, w, p)
        yield name + "pages", lambda b, n=n: pages(b, n)


def make(bench, n):
    """Make table and probes: windows with ten rows of the tenant, at most a quarter of its rows."""
    data = bench.heaps
    table = "u_tenants_%d" % n
    heap = data.table(data.heap("u"))
    data.ensure(table, "tenants of %s" % heap, lambda: bench.db.run(
        "CREATE TABLE %s AS SELECT id, (id %% %d)::int AS tenant, b FROM %s"
        % (data.table(table), n, heap)))
    rows = data.rows / n
    half = (data.side * (min(10, rows / 4) / rows) ** 0.5 - 50) / 2
    probes = "probes_tenants_%d" % n
    number = max(20, round(PROBES * bench.args.share))
    data.ensure(probes, "windows of %r in %s, %d" % (half, table, number), lambda: bench.db.run(
        "CREATE TABLE %s AS SELECT row_number() OVER () AS n, tenant, c AS p, box(c - point(%r, %r),"
        " c + point(%r, %r)) AS b FROM (SELECT tenant, center(b) AS c FROM %s"
        " ORDER BY hashint8extended(id, 42), id LIMIT %d) s"
        % ((data.table(probes),) + (half,) * 4 + (data.table(table), number))))
    return table, probes, number


def rows_of(bench, what, n, unit, **more):
    return Row("index: %s tenants, %s" % (short(n), what), SECTION, unit, ("rtree",), ("gist",),
               **more)


def candidates(bench):
    """Return the candidates that this server has; add a note if it lacks btree_gist."""
    if bench.db.value("SELECT 1 FROM pg_available_extensions WHERE name = 'btree_gist'"):
        bench.db.run("CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public")
        return list(INDEXES)
    bench.report.note("index", "tenants: btree_gist is not installed beside this server")
    return ["rtree"]


def index(bench, table, cand):
    """Return the name of a candidate's index; build it if needed."""
    name = "%s_%s" % (table, cand)
    if bench.db.value("SELECT to_regclass('%s')" % bench.heaps.table(name)) in (None, ""):
        bench.db.run("CREATE INDEX %s ON %s USING %s" % (name, bench.heaps.table(table),
                                                         INDEXES[cand]))
    return name


def build(bench, n):
    """Measure time and size, once."""
    table, _, _ = make(bench, n)
    took = rows_of(bench, "build", n, "s", detail="%s rows" % short(bench.heaps.rows))
    size = rows_of(bench, "size", n, "MB", detail="%s rows" % short(bench.heaps.rows))
    for cand in candidates(bench):
        bench.db.run("DROP INDEX IF EXISTS %s" % bench.heaps.table("%s_%s" % (table, cand)))
        bench.db.run("CHECKPOINT")
        ms, _ = bench.timed("command", "CREATE INDEX %s_%s ON %s USING %s" % (
            table, cand, bench.heaps.table(table), INDEXES[cand]))
        took.add(cand, ms / 1000)
        size.add(cand, megabytes(bench, "%s_%s" % (table, cand)))
    bench.report.keep(took)
    bench.report.keep(size)


def sql_of(what, table, probes, each=False):
    if what == NEAREST:
        inner = ("(SELECT count(*) AS n, sum(d) AS d FROM (SELECT t.b <-> q.p AS d FROM %s t WHERE"
                 " t.tenant = q.tenant ORDER BY t.b <-> q.p LIMIT 10) y OFFSET 0)" % table)
        one = "x.n || ' rows, ' || round(x.d::numeric, 4)"
    else:
        inner = ("(SELECT count(*) AS n FROM %s t WHERE t.tenant = q.tenant AND t.b && q.b OFFSET 0)"
                 % table)
        one = "x.n::text"
    return "SELECT %s FROM %s q, LATERAL %s x" % (
        "string_agg(%s, ';' ORDER BY q.n)" % one if each else "sum(x.n) || ' rows'", probes, inner)


def scan(bench, n, what, plan):
    data = bench.heaps
    table, probes, number = make(bench, n)
    if what == NEAREST:
        number = max(20, round(NEAREST_PROBES * bench.args.share))
    some = "(SELECT * FROM %s WHERE n <= %d)"
    sql = sql_of(what, data.table(table), some % (data.table(probes), number))
    tested = sql_of(what, data.table(table),
                    some % (data.table(probes), min(number, bench.args.checked)), each=True)
    bench.force(table, "", plan, tested)
    truth = bench.timed("query", tested)[1]
    row = rows_of(bench, "%s, %s" % (what, plan), n, "ms")
    cands = candidates(bench)
    for cand in cands:
        bench.force(table, index(bench, table, cand), plan, tested)
        if bench.timed("query", tested)[1] != truth:
            bench.report.wrong.append("%s: %s differs from the sequential scan" % (row.name, cand))
        bench.force(table, index(bench, table, cand), plan, sql)
        bench.timed("query", sql)
    for i in range(min(bench.args.rounds, 3)):
        for cand in bench.turns(i, cands):
            bench.force(table, index(bench, table, cand), plan, sql)
            ms, answer = bench.timed("query", sql)
            row.add(cand, ms / number, answer)
    found = int(row.answers["rtree"].split()[0]) / number
    row.detail = "%s probes, %.1f rows each" % (format(number, ","), found)
    bench.report.keep(row)


# Pages

def pages(bench, n):
    """Compare pages read per query with those of an index of that tenant's rows alone."""
    data, db = bench.heaps, bench.db
    table, _, _ = make(bench, n)
    bench.report.titles["alone"] = "index of the tenant alone"
    sampled = [i * n // SAMPLED for i in range(min(SAMPLED, n))]
    sets = {"": windows(bench, n, sampled), ", large window": windows(bench, n, sampled, 0.25)}
    for grown in (False, True):
        shared = table
        if grown:
            shared = table + "_grown"
            fill(bench, shared, "rtree", INDEXES["rtree"], data.table(table), grown)
        cands = ["rtree"] if grown else candidates(bench)
        found = {which: dict.fromkeys([*cands, "alone"], 0) for which in sets}
        for tenant in sampled:
            fill(bench, "u_alone", "rtree", "spqtree (b)", "(SELECT * FROM %s WHERE tenant = %d)"
                 % (data.table(table), tenant), grown)
            for which, probes in sets.items():
                probes = "(SELECT * FROM %s WHERE tenant = %d)" % (data.table(probes), tenant)
                for cand in cands:
                    found[which][cand] += read(bench, shared, index(bench, shared, cand),
                                               sql_of(WITHIN, data.table(shared), probes))
                found[which]["alone"] += read(bench, "u_alone", "u_alone_rtree",
                                              sql_of(WITHIN, data.table("u_alone"), probes))
        depths = [depth(bench, name) for name in (shared, "u_alone")]
        for which, probes in sets.items():
            row = Row("index: %s tenants, pages a query%s, %s" % (
                short(n), which, "grown" if grown else "built"), SECTION, "pages", ("rtree",), ("alone",))
            number = int(db.value("SELECT count(*) FROM " + data.table(probes)))
            for cand, all_read in found[which].items():
                row.add(cand, all_read / number)
            row.detail = "%s probes of %d tenants, depth %.1f, alone %.1f" % (
                format(number, ","), len(sampled), *depths)
            bench.report.keep(row)
    data.drop("u_alone", table + "_grown", table)


def depth(bench, table):
    name = table + "_rtree"
    bench.heaps.show_only(table, name)
    return float(bench.db.value("SELECT average_depth FROM spqtree_stats('%s')"
                                % bench.heaps.table(name)))


def windows(bench, n, sampled, part=0):
    """Make probes of these tenants, up to fifty of each: small windows, or this part of the square."""
    data = bench.heaps
    table, probes, _ = make(bench, n)
    name = "probes_sampled_%d%s" % (n, "_large" if part else "")
    half = data.side * part ** 0.5 / 2 if part else float(
        bench.db.value("SELECT width(b) / 2 FROM %s LIMIT 1" % data.table(probes)))
    data.ensure(name, "of %s, %s" % (table, half), lambda: bench.db.run(
        "CREATE TABLE %s AS SELECT n, tenant, p, box(p - point(%r, %r), p + point(%r, %r)) AS b FROM"
        " (SELECT row_number() OVER (PARTITION BY tenant ORDER BY id) AS n, tenant, center(b) AS p"
        " FROM %s WHERE tenant IN (%s)) s WHERE n <= 50"
        % ((data.table(name),) + (half,) * 4 + (data.table(table), ", ".join(map(str, sampled))))))
    return name


def fill(bench, name, cand, using, source, grown):
    """Make a table of these rows, with its index built afterwards, or grown by one statement."""
    db, table = bench.db, bench.heaps.table(name)
    db.run("DROP TABLE IF EXISTS %s" % table)
    db.run("CREATE TABLE %s (id int8, tenant int, b box)" % table)
    ddl = "CREATE INDEX %s_%s ON %s USING %s" % (name, cand, table, using)
    rows = "INSERT INTO %s SELECT id, tenant, b FROM %s s" % (table, source)
    for statement in (ddl, rows) if grown else (rows, ddl):
        db.run(statement)
    db.run("ANALYZE %s" % table)


def read(bench, table, name, sql):
    """Return the pages of this index that all probes together read."""
    bench.force(table, name, "bitmap", sql)
    top = bench.db.explain(sql, "ANALYZE, BUFFERS, TIMING off, COSTS off")
    (node,) = [one for one in nodes(top) if one.get("Index Name") == name]
    if node["Node Type"] != PLANS["bitmap"][1]:
        raise Failure("no bitmap scan of %s" % name)
    return node["Shared Hit Blocks"] + node["Shared Read Blocks"]
