--
-- spqtree_dwithin of spheres and segments in space.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA within_solid;
SET search_path = within_solid, public;
SELECT setseed(0.23);
CREATE TABLE thing AS
SELECT i AS id, p, box3(p, p + point3(u, v, w)) AS b, sphere3(p, w / 2) AS s, lseg3(p, p + point3(v - 2, w - 2, u - 2)) AS l
FROM (SELECT i, point3(floor(random() * 12), floor(random() * 12), floor(random() * 12)) AS p, floor(random() * 5) AS u, floor(random() * 5) AS v, floor(random() * 5) AS w
      FROM generate_series(1, 120) i OFFSET 0) c;

-- Spheres: the distance from the center, less the radii; with a distance of 0 the operators.
SELECT d, count(*) FILTER (WHERE spqtree_dwithin(x.s, y.p, d) <> ((x.p <-> y.p) - radius(x.s) <= d)) AS point, count(*) FILTER (WHERE spqtree_dwithin(y.b, x.s, d) <> ((y.b <-> x.p) - radius(x.s) <= d)) AS box,
       count(*) FILTER (WHERE spqtree_dwithin(x.s, y.s, d) <> ((x.p <-> y.p) - radius(x.s) - radius(y.s) <= d)) AS sphere, count(*) FILTER (WHERE spqtree_dwithin(x.s, y.b, d) AND NOT x.s && y.b) AS apart,
       count(*) FILTER (WHERE spqtree_dwithin(x.s, y.p, d) <> spqtree_dwithin(y.p, x.s, d) OR spqtree_dwithin(x.s, y.b, d) <> spqtree_dwithin(y.b, x.s, d) OR spqtree_dwithin(x.s, y.s, d) <> spqtree_dwithin(y.s, x.s, d)) AS asymmetric
FROM thing x, thing y, unnest('{0,0.9,2.3}'::float8[]) d GROUP BY d ORDER BY d;
SELECT count(*) FILTER (WHERE spqtree_dwithin(x.s, y.s, 0) <> (x.s && y.s)) AS sphere, count(*) FILTER (WHERE spqtree_dwithin(x.s, y.b, 0) <> (x.s && y.b)) AS box, count(*) FILTER (WHERE spqtree_dwithin(x.s, y.p, 0) <> (x.s @> y.p)) AS point,
       count(*) FILTER (WHERE spqtree_dwithin(x.l, y.b, 0) <> (x.l && y.b)) AS lseg, count(*) FILTER (WHERE x.l && y.b) > 0 AS some
FROM thing x, thing y;

-- Segments, beside 65 points of each.
CREATE TABLE along AS SELECT id, n, point3(x(l[0]) + (x(l[1]) - x(l[0])) * n / 64, y(l[0]) + (y(l[1]) - y(l[0])) * n / 64, z(l[0]) + (z(l[1]) - z(l[0])) * n / 64) AS p FROM thing, generate_series(0, 64) n WHERE id <= 40;
WITH apart AS MATERIALIZED (
  SELECT x.id, y.id AS other, min(a.p <-> y.p) AS p, min(a.p <-> y.b) AS b, min(a.p <-> y.p) - radius(y.s) AS s FROM thing x JOIN along a USING (id), thing y GROUP BY x.id, y.id, y.s
)
SELECT d, count(*) FILTER (WHERE NOT spqtree_dwithin(x.l, y.p, d + 1e-12) AND a.p <= d) AS "point missed", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.p, d) AND a.p > d + length(x.l) / 128 + 1e-12) AS "point wrong", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.p, d)) AS point,
       count(*) FILTER (WHERE NOT spqtree_dwithin(x.l, y.b, d + 1e-12) AND a.b <= d) AS "box missed", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.b, d) AND a.b > d + length(x.l) / 128 + 1e-12) AS "box wrong", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.b, d)) AS box,
       count(*) FILTER (WHERE NOT spqtree_dwithin(x.l, y.s, d + 1e-12) AND a.s <= d) AS "sphere missed", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.s, d) AND a.s > d + length(x.l) / 128 + 1e-12) AS "sphere wrong", count(*) FILTER (WHERE spqtree_dwithin(x.l, y.s, d)) AS sphere,
       count(*) FILTER (WHERE spqtree_dwithin(x.l, y.p, d) <> spqtree_dwithin(y.p, x.l, d) OR spqtree_dwithin(x.l, y.b, d) <> spqtree_dwithin(y.b, x.l, d) OR spqtree_dwithin(x.l, y.s, d) <> spqtree_dwithin(y.s, x.l, d)) AS asymmetric
FROM thing x JOIN apart a USING (id) JOIN thing y ON y.id = a.other, unnest('{0,0.9,2.3}'::float8[]) d GROUP BY d ORDER BY d;

-- Special values.
SELECT d, spqtree_dwithin(lseg3 '[(0,0,0),(10,0,0)]', point3 '(5,3,4)', d) AS lseg, spqtree_dwithin(lseg3 '[(0,0,0),(1e300,0,0)]', point3 '(5e299,3e290,4e290)', d * 1e290) AS large, spqtree_dwithin(lseg3 '[(0,0,0),(0,0,0)]', box3 '((3,4,0),(9,9,0))', d) AS point,
       spqtree_dwithin(lseg3 '[(0,0,0),(10,10,0)]', box3 '((-Infinity,-Infinity,5),(Infinity,Infinity,Infinity))', d) AS infinite, spqtree_dwithin(sphere3 '<(0,0,0),1>', sphere3 '<(9,0,0),3>', d) AS sphere
FROM unnest('{5,4.999,0,-1,NaN,Infinity}'::float8[]) d;
SELECT spqtree_dwithin(sphere3 '<(0,0,0),Infinity>', box3 '((Infinity,0,0),(Infinity,1,1))', 0) AS infinite, spqtree_dwithin(sphere3 '<(0,0,0),NaN>', point3 '(0,0,0)', 1) AS nan, spqtree_dwithin(sphere3 '<(0,NaN,0),Infinity>', point3 '(0,0,0)', 1) AS nan,
       spqtree_dwithin(lseg3 '[(0,0,0),(Infinity,0,0)]', box3 '((0,0,0),(1,1,1))', 1) AS lseg, spqtree_dwithin(lseg3 '[(0,0,0),(NaN,0,0)]', box3 '((0,0,0),(1,1,1))', 1) AS "nan lseg", spqtree_dwithin(lseg3 '[(0,0,0),(1,0,0)]', box3 '((Infinity,0,0),(Infinity,1,1))', 1e308) AS far,
       spqtree_dwithin(NULL::lseg3, box3 '((0,0,0),(1,1,1))', 1) IS NULL AS "null";
SELECT spqtree_expand(sphere3 '<(0,0,0),1>', 2) && point3 '(3,3,3)'::box3 AS sphere, spqtree_expand(lseg3 '[(0,0,0),(1,2,3)]', 0) AS lseg, spqtree_expand(sphere3 '<(0,0,0),1>', -1) AS negative, spqtree_expand(lseg3 '[(0,0,0),(1,2,NaN)]', 1) AS nan;

DROP SCHEMA within_solid CASCADE;
