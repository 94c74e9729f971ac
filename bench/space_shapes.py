"""Rays and frustums, which no other type has, compared with sequential scans and cube's bounding boxes.

cube's candidate finds the bounding box by its index and filters the rows found; for
the first hit it must read all of them.
"""
import math
import random

import space_embree
from space_base import TITLES
from space_scan import SUM, measure

SECTION = "Rays and frustums"
RAYS, CAMERAS, SEED = 2000, 20, 1
REACH = {"u": 2000, "s": 2000, "city": 1000, "few": 2000}
FIRST = ("SELECT count(*) AS n, sum(d) AS d FROM (SELECT t.b <-> q.r AS d FROM {0} t WHERE t.b && q.r"
         " ORDER BY t.b <-> q.r LIMIT 1) y")
FIRST_BY_CUBE = ("SELECT count(*) AS n, sum(d) AS d FROM (SELECT t.b <-> q.r AS d FROM {0} t WHERE"
                 " t.c && q.rc AND t.b && q.r ORDER BY t.b <-> q.r LIMIT 1) y")
IN_VIEW = "SELECT count(*) AS n FROM {0} t WHERE t.b && q.f"
IN_VIEW_BY_CUBE = "SELECT count(*) AS n FROM {0} t WHERE t.c && q.fc AND t.b && q.f"
# Tangents of half the angle of view, for a picture of 16 by 9.
TALL = math.tan(math.radians(30))
WIDE = TALL * 16 / 9


def inserted(bench, name, columns, rows, recipe):
    """Make a table of probes from these rows."""
    table = bench.heaps.table(name)

    def make():
        bench.db.run("CREATE TABLE %s (%s)" % (table, columns))
        bench.db.run("INSERT INTO %s VALUES %s" % (table, ", ".join(rows())))
    bench.heaps.ensure(name, recipe, make)
    return name


def cube_of(*corners):
    """Return SQL for the smallest cube around these points."""
    return "cube(ARRAY[%s], ARRAY[%s])" % tuple(
        ", ".join(repr(end(axis)) for axis in zip(*corners)) for end in (min, max))


def points(bench, sql):
    """Return rows of three numbers."""
    return [[float(v) for v in row] for row in bench.db.run("SELECT x(p), y(p), z(p) FROM (%s) s" % sql)]


def point(p):
    return "point3(%r, %r, %r)" % tuple(p)


def direction(rnd, flat):
    """Return a random direction; flat: nearly level, as when looking along streets."""
    while True:
        d = [rnd.uniform(-1, 1) for _ in range(3)]
        length = math.hypot(*d)
        if 0.1 < length <= 1:
            d = [c / length for c in d]
            return [d[0], d[1], d[2] / 10 if flat else d[2]]


# Rays

def rays(bench, kind, number):
    """Make rays from places beside boxes, in any direction; in a city, from 30 m above a building."""
    number = max(20, round(number * bench.args.share))
    data, reach = bench.heaps, REACH[kind]
    city = kind == "city"

    def rows():
        rnd = random.Random(SEED)
        for n, p in enumerate(points(bench, "SELECT center(b) AS p FROM (%s) s" % data.some(kind, number)), 1):
            origin = [c + rnd.uniform(-100, 100) for c in p]
            if city:
                origin[2] = rnd.uniform(2, 30)
            d = direction(rnd, city)
            length = math.hypot(*d)
            end = [a + reach * c / length for a, c in zip(origin, d)]
            yield "(%d, ray3(%s, %s, %d)%s)" % (
                n, point(origin), point(d), reach, ", " + cube_of(origin, end) if "cube" in bench.cands else "")
    name = inserted(bench, "rays_" + kind, "n int, r ray3" + (", rc cube" if "cube" in bench.cands else ""), rows,
                    "%d rays of rows=%d v1" % (number, data.rows))
    return name, number


def asked_of(bench, kind, by, by_cube, probes, number, slow):
    data, asked = bench.heaps, {}
    for cand in bench.cands:
        if cand in ("rtree", "seq", "cube"):
            holder = data.table(data.twin(kind, cand))
            asked[cand] = ((by_cube if cand == "cube" else by).format(holder), probes,
                           "plain" if cand == "cube" else "index-only", number if cand == "rtree" else slow)
    return asked


def first_hit(bench, kind):
    """Measure the first hit, compared with a small probe of a table in the plane."""
    data = bench.heaps
    kind = data.heap(kind)
    probes, number = rays(bench, kind, RAYS)
    row = bench.row("%s first hit by a ray" % TITLES.get(kind, kind), SECTION, "ms", ("cube", "seq"))
    asked = asked_of(bench, kind, FIRST, FIRST_BY_CUBE, probes, number, max(3, number // 10))
    holders = dict.fromkeys(asked, kind)
    if kind == "u" and "rtree" in bench.cands:
        plane = data.plane("plane")
        small = "probes_plane"
        data.made(small, "SELECT row_number() OVER () AS n, box(c - point(54, 54), c + point(54, 54)) AS b"
                  " FROM (SELECT center(b) AS c FROM (%s) s) s" % data.some(plane, 5000),
                  "of rows=%d v1" % data.rows)
        asked["plane"] = ("SELECT count(*) AS n, 0 AS d FROM %s t WHERE t.b && q.b" % data.table(plane), small,
                          "index-only", number)
        holders["plane"] = plane
    measure(bench, row, holders, asked, SUM, 5 if kind == "u" else 3)
    space_embree.beside(bench, row, kind, FIRST, probes, number)
    bench.goal(row, row.name + ", beside a probe of ten rows in the plane", 1 / 3, "plane")
    return row


def first_hit_of_few(bench):
    """Measure a tenth of U, compared with a sequential scan of 100,000 boxes."""
    kind = bench.heaps.heap("few")
    probes, number = rays(bench, kind, RAYS)
    row = bench.row("first hit by a ray, a tenth of U", SECTION, "ms", ("cube", "seq"))
    measure(bench, row, kind, asked_of(bench, kind, FIRST, FIRST_BY_CUBE, probes, number, max(3, number // 10)),
            SUM, 3, seq=20)
    space_embree.beside(bench, row, kind, FIRST, probes, number)
    bench.goal(row, row.name, 100, "seq")


# Frustums

def camera(target, forward, far):
    """Return the planes and corners of a camera that has its target in the middle of its view."""
    length = math.hypot(*forward)
    f = [c / length for c in forward]
    side = [f[1], -f[0], 0.0] if abs(f[2]) < 0.9 else [0.0, f[2], -f[1]]
    length = math.hypot(*side)
    r = [c / length for c in side]
    u = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]]
    eye = [t - c * far / 2 for t, c in zip(target, f)]
    near = far / 1000

    def plane(normal, offset=0.0):
        return [*normal, offset - sum(n * e for n, e in zip(normal, eye))]
    planes = [plane(f, -near), plane([-c for c in f], far)]
    for axis, slope in ((r, WIDE), (u, TALL)):
        for sign in (1, -1):
            planes.append(plane([c * slope + sign * a for c, a in zip(f, axis)]))
    corners = [[e + d * (c + h * WIDE * a + v * TALL * b) for e, c, a, b in zip(eye, f, r, u)]
               for d in (near, far) for h in (-1, 1) for v in (-1, 1)]
    return "frustum3(ARRAY[%s])" % ", ".join(repr(n) for p in planes for n in p), corners


def cameras(bench, kind, number):
    """Make cameras that look at boxes of the data, from where they see one row in a hundred."""
    number = max(3, round(number * bench.args.share))
    data, city = bench.heaps, kind == "city"
    sample = kind + "_sample"
    few = min(10000, data.rows)
    data.made(sample, data.some(kind, few), "%d of rows=%d v1" % (few, data.rows))

    def rows():
        rnd = random.Random(SEED)
        targets = points(bench, "SELECT center(b) AS p FROM (%s) s" % data.some(kind, number))
        for n, target in enumerate(targets, 1):
            forward = direction(rnd, False)
            if city:                # from above
                forward[2] = -abs(forward[2]) - 0.2
            low, high = 10.0, 1e6
            for _ in range(20):     # it sees more from farther away
                far = math.sqrt(low * high)
                seen = int(bench.db.value("SELECT count(*) FROM %s t WHERE t.b && %s" % (
                    data.table(sample), camera(target, forward, far)[0])))
                low, high = (far, high) if seen < few / 100 else (low, far)
            made, corners = camera(target, forward, high)
            yield "(%d, %s%s)" % (n, made, ", " + cube_of(*corners) if "cube" in bench.cands else "")
    name = inserted(bench, "cameras_" + kind, "n int, f frustum3" + (", fc cube" if "cube" in bench.cands else ""),
                    rows, "%d cameras of rows=%d v1" % (number, data.rows))
    return name, number


def frustum(bench, kind):
    kind = bench.heaps.heap(kind)
    probes, number = cameras(bench, kind, CAMERAS)
    row = bench.row("%s && frustum, 1 %% of the rows" % TITLES[kind], SECTION, "ms", ("cube", "seq"))
    measure(bench, row, kind, asked_of(bench, kind, IN_VIEW, IN_VIEW_BY_CUBE, probes, number, number),
            "x.n::text", 3)
    bench.goal(row, row.name, 10)
