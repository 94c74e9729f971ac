"""(x, y, t): boxes of moving objects, whose axes have different units; index pages that a query reads.

    trips (id, b)           meters, meters, seconds since 1970
    trips_ms, trips_ks      the same in milliseconds, and in thousands of seconds
"""
from common import Failure, nodes
from index_base import PLANS
from report import Row
from space_base import chance
from space_scan import compare, whole

SECTION = "Moving boxes (x, y, t): pages of the index a query"
UNITS = {"trips": 1.0, "trips_ms": 1e3, "trips_ks": 1e-3}
STEPS = 100                         # of a trip
DAYS = 30
# Sides of windows, in meters and seconds.
SPACE = {"narrow": 1000, "wide": 20000}
TIME = {"narrow": 300, "wide": 86400}
PROBES = 1000

# A hundred steps of thirty seconds for each vehicle, which starts anywhere in the square and
# during these days, and turns a little at each step.
TRIPS = """
SELECT row_number() OVER () AS id, box3(least(x - dx, x), least(y - dy, y), {unit!r} * (t - dt),
	greatest(x - dx, x), greatest(y - dy, y), {unit!r} * t) AS b
FROM (SELECT v, k, dx, dy, dt, {side!r} * {hx} + sum(dx) OVER w AS x, {side!r} * {hy} + sum(dy) OVER w AS y,
		1.7e9::float8 + 86400.0::float8 * {days} * {ht} + sum(dt) OVER w AS t
	FROM (SELECT v, k, dt, dt * speed * cosd(heading) AS dx, dt * speed * sind(heading) AS dy
		FROM (SELECT v, k, dt, speed, 360 * {hd} + sum(turn) OVER (PARTITION BY v ORDER BY k) AS heading
			FROM (SELECT v, k, 1 - 30 * ln(1 - random()) AS dt, 5 + 20 * random() AS speed,
					60 * (random() - 0.5) AS turn
				FROM generate_series(1, {vehicles}) v, generate_series(1, {steps}) k OFFSET 0) r) s) p
	WINDOW w AS (PARTITION BY v ORDER BY k)) m
ORDER BY hashint8extended(v::int8 * 1000 + k, 7), v, k"""


def measurements():
    return [("%s, pages" % name, lambda b, n=name: pages(b, n)) for name in UNITS]


def trips(bench, name):
    data = bench.heaps
    if name == "trips":
        hashes = {"h" + c: chance("v", i) for i, c in enumerate("xytd", 1)}
        data.made(name, TRIPS.format(unit=1.0, side=1e5 * (data.rows / 1e6) ** 0.5, days=DAYS, steps=STEPS,
                                     vehicles=max(data.rows // STEPS, 1), **hashes),
                  "rows=%d v1" % data.rows, 0.625)
    else:
        trips(bench, "trips")
        data.made(name, "SELECT id, box3(x(low(b)), y(low(b)), {0!r} * z(low(b)), x(high(b)), y(high(b)),"
                  " {0!r} * z(high(b))) AS b FROM {1}".format(UNITS[name], data.table("trips")),
                  "rows=%d v1" % data.rows)
    return name


def pages(bench, name):
    """Count pages for four shapes of windows: narrow or wide in space, narrow or wide in time."""
    data, unit = bench.heaps, UNITS[name]
    trips(bench, name)
    suffix = {"trips": "", "trips_ms": ", t in milliseconds", "trips_ks": ", t in thousands of seconds"}[name]
    cands = [c for c in bench.cands if c in ("rtree", "cube")]
    total = Row("space: trips, the four shapes together" + suffix, SECTION, "pages", ("rtree",), ("cube",))
    sums = dict.fromkeys(cands, 0)
    worst = []
    for space, side in SPACE.items():
        for time, span in TIME.items():
            probes, number = data.probes(
                "%s_%s_%s" % (name, space, time),
                "SELECT p, box3(x(p) - {0}, y(p) - {0}, z(p) - {1}, x(p) + {0}, y(p) + {0}, z(p) + {1}) AS b"
                " FROM (SELECT center(b) AS p FROM ({2}) s) s".format(
                    side / 2, span / 2 * unit, data.some(name, "{number}")), PROBES)
            row = Row("space: trips, %s in space, %s in time%s" % (space, time, suffix), SECTION, "pages",
                      ("rtree",), ("cube",))
            inner = "SELECT count(*) AS n FROM %s t WHERE %s"
            few = min(bench.args.checked, number)
            truth, rows = None, 0
            for cand in ["seq", *cands]:
                holder = data.table(data.twin(name, cand))
                asked = inner % (holder, "t.c && q.c" if cand == "cube" else "t.b && q.b")
                each = whole(asked, data.table(probes), few, each=True)
                bench.use(name, cand, "bitmap", each)
                found = bench.timed("query", each)[1].split(";")
                if cand == "seq":
                    truth = found
                    continue
                compare(bench, row, cand, truth, found)
                all_of = whole(asked, data.table(probes), number)
                bench.use(name, cand, "bitmap", all_of)
                rows, read = counted(bench, data.index_name(name, cand), all_of)
                row.add(cand, read / number)
                sums[cand] += read / number
            row.detail = "%d probes, %.1f rows each" % (number, rows / number)
            bench.report.keep(row)
            if set(cands) <= set(row.values) and len(cands) == 2:
                worst.append(row.ratio("rtree", "cube")[0])
    for cand in cands:
        total.add(cand, sums[cand])
    total.detail = "sum of the four"
    bench.report.keep(total)
    if worst:
        bench.reached("%s: the worst of the four" % total.name, "%.2f of the pages that cube reads" % (
            1 / min(worst)), "at most 1", min(worst) >= 1)
        ratio = total.ratio("rtree", "cube")[0]
        bench.reached("%s: pages" % total.name, "%.2f of those that cube reads" % (1 / ratio), "at most 0.33",
                      ratio >= 3)
    if name != "trips":
        data.drop(name)


def counted(bench, index, sql):
    """Return the rows, and the pages of this index, that all probes together read."""
    top = bench.db.explain(sql, "ANALYZE, BUFFERS, TIMING off, COSTS off")
    (node,) = [one for one in nodes(top) if one.get("Index Name") == index]
    if node["Node Type"] != PLANS["bitmap"][1]:
        raise Failure("no bitmap scan of %s" % index)
    return node["Actual Rows"] * node["Actual Loops"], node["Shared Hit Blocks"] + node["Shared Read Blocks"]
