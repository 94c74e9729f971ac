--
-- spqtree_dwithin of any two shapes in the plane: the distance is that of PostgreSQL's
-- own functions, as far as these are exact; special values.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
CREATE SCHEMA within_shapes;
SET search_path = within_shapes, public;
SELECT setseed(0.17);
CREATE TABLE shape AS
SELECT i AS id, p, circle(p, r) AS c, box(p, p + point(w, h)) AS b, lseg(p, p + point(w - 2, h - 2)) AS s,
       CASE i % 5 WHEN 0 THEN polygon(box(p, p + point(w, h))) WHEN 1 THEN polygon(3 + i % 7, circle(p, r + 0.5))
         WHEN 2 THEN polygon(format('(%s,%s),(%s,%s),(%s,%s)', p[0], p[1], p[0] + w, p[1] + h, p[0] + r, p[1] - w))
         WHEN 3 THEN polygon(format('(%s,%s),(%s,%s)', p[0], p[1], p[0] + w, p[1] + r))
         ELSE (SELECT polygon(format('(%s)', string_agg(format('(%s,%s)', p[0] + x, p[1] + y), ',' ORDER BY n)))
               FROM unnest('{0,8,8,6,6,2,2,0}'::int[], '{0,0,8,8,2,2,8,8}'::int[]) WITH ORDINALITY u(x, y, n)) END AS g
FROM (SELECT i, point(floor(random() * 40) / 2, floor(random() * 40) / 2) AS p, floor(random() * 6) AS w, floor(random() * 5) AS h, floor(random() * 6) / 2 AS r
      FROM generate_series(1, 80) i OFFSET 0) v;
-- as what PostgreSQL has distances of: a polygon, to be made larger by a radius
CREATE TABLE kind (kind text, line text, radius text);
INSERT INTO kind VALUES ('p', 'polygon(format(''(%s,%s)'', $.p[0], $.p[1]))', '0'), ('c', 'polygon(format(''(%s,%s)'', ($.c::point)[0], ($.c::point)[1]))', 'radius($.c)'),
  ('b', 'polygon($.b)', '0'), ('s', 'polygon(translate(($.s)::text, ''[]'', ''()''))', '0'), ('g', '$.g', '0');
CREATE FUNCTION try(k kind, l kind, OUT pairs bigint, OUT wrong bigint, OUT "near" bigint, OUT touching bigint) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(*), count(*) FILTER (WHERE spqtree_dwithin(x.%s, y.%s, d) <> (apart <= d + 1e-9)
                                                      OR spqtree_dwithin(x.%1$s, y.%2$s, d) <> spqtree_dwithin(y.%2$s, x.%1$s, d)),
                         count(*) FILTER (WHERE spqtree_dwithin(x.%1$s, y.%2$s, d) AND d > 0), count(*) FILTER (WHERE spqtree_dwithin(x.%1$s, y.%2$s, 0) AND d = 0)
                  FROM shape x, shape y, unnest(''{0,0.31,2}''::float8[]) d, LATERAL (SELECT ((%s) <-> (%s)) - (%s) - (%s) AS apart) v',
                 k.kind, l.kind, replace(k.line, '$', 'x'), replace(l.line, '$', 'y'), replace(k.radius, '$', 'x'), replace(l.radius, '$', 'y')) INTO pairs, wrong, "near", touching;
END $$;
SELECT k.kind, l.kind, t.* FROM kind k, kind l, try(k, l) t WHERE (k.kind, l.kind) <> ('s', 's') ORDER BY 1, 2;

-- With a distance of 0, what PostgreSQL's operators say, and ours.
SELECT count(*) FILTER (WHERE (x.p <@ y.c) AND NOT spqtree_dwithin(x.p, y.c, 0)) AS "p <@ c", count(*) FILTER (WHERE (x.p <@ y.g) <> spqtree_dwithin(x.p, y.g, 0)) AS "p <@ g",
       count(*) FILTER (WHERE (x.c && y.c) <> spqtree_dwithin(x.c, y.c, 0)) AS "c && c", count(*) FILTER (WHERE (x.g && y.g) <> spqtree_dwithin(x.g, y.g, 0)) AS "g && g",
       count(*) FILTER (WHERE (x.b && y.c) <> spqtree_dwithin(x.b, y.c, 0)) AS "b && c", count(*) FILTER (WHERE (x.b && y.g) <> spqtree_dwithin(x.b, y.g, 0)) AS "b && g",
       count(*) FILTER (WHERE (x.p ~= y.p) <> spqtree_dwithin(x.p, y.p, 0)) AS "p ~= p"
FROM shape x, shape y;
-- In shapes as small as buildings in degrees, PostgreSQL's point <@ polygon takes points
-- far outside for inside.  Here, a small polygon has the shape of a large one: what counts
-- as 0 there is 0.003 here.
CREATE TABLE small AS SELECT id, point(p[0] / 3e3, p[1] / 3e3) AS p, c * point(1e-3 / 3, 0) AS c, polygon(path(g) * point(1e-3 / 3, 0)) AS g FROM shape;
SELECT count(*) FILTER (WHERE spqtree_dwithin(x.p, y.g, 0) <> spqtree_dwithin(v.p, w.g, 0.003)) AS "p, g", count(*) FILTER (WHERE spqtree_dwithin(x.g, y.g, 0) <> spqtree_dwithin(v.g, w.g, 0.003)) AS "g, g", count(*) FILTER (WHERE spqtree_dwithin(x.c, y.g, 0) <> spqtree_dwithin(v.c, w.g, 0.003)) AS "c, g",
       count(*) FILTER (WHERE spqtree_dwithin(x.c, y.p, 0) <> spqtree_dwithin(v.c, w.p, 0.003)) AS "c, p", count(*) FILTER (WHERE (x.p <@ y.g) <> (v.p <@ w.g)) > 0 AS "p <@ g", count(*) FILTER (WHERE (x.p <@ y.g) < spqtree_dwithin(x.p, y.g, 0)) AS "only here"
FROM small x JOIN shape v USING (id), small y JOIN shape w USING (id);

-- Inside is a distance of 0, at any depth; a hole is outside.
SELECT d, spqtree_dwithin(g, point '(50,50)', d) AS point, spqtree_dwithin(g, circle '<(50,50),1>', d) AS circle, spqtree_dwithin(g, lseg '[(50,50),(51,50)]', d) AS lseg,
       spqtree_dwithin(g, polygon '(50,50),(51,50),(50,51)', d) AS polygon, spqtree_dwithin(polygon '(50,50),(51,50),(50,51)', g, d) AS "other way", spqtree_dwithin(circle '<(50,50),80>', polygon '(50,50),(51,50),(50,51)', d) AS "in circle",
       spqtree_dwithin(circle '<(50,50),80>', circle '<(40,50),1>', d) AS circles, spqtree_dwithin(circle '<(50,50),80>', lseg '[(50,50),(51,50)]', d) AS "lseg in circle"
FROM (VALUES (polygon '(0,0),(100,0),(100,100),(0,100)')) v(g), unnest('{0,5e-324,1,Infinity,-0,-5e-324,-1,-Infinity,NaN}'::float8[]) d;
SELECT d, spqtree_dwithin(g, point '(8,5)', d) AS point, spqtree_dwithin(g, circle '<(8,5),1>', d) AS circle, spqtree_dwithin(g, lseg '[(8,5),(8,9)]', d) AS lseg, spqtree_dwithin(g, box '((7,5),(9,8))', d) AS box, spqtree_dwithin(g, polygon(path(g) * point '(0.2,0)' + point '(6.5,6)'), d) AS polygon
FROM (VALUES (polygon '(0,0),(16,0),(16,16),(12,16),(12,2),(4,2),(4,16),(0,16)')) v(path), LATERAL (SELECT path::path::polygon) u(g), unnest('{0,1,1.999999,2,2.999999,3,4}'::float8[]) d;

-- Special values: nothing is near a NaN, a polygon or a segment with an infinite corner, or
-- a circle with a radius below 0; no errors.
CREATE TABLE special (nr serial, p point, c circle, b box, s lseg, g polygon);
INSERT INTO special (p, c, b, s, g) VALUES
  ('(NaN,1)', '<(NaN,1),1>', '((NaN,1),(2,2))', '[(NaN,1),(2,2)]', '(NaN,1),(2,2),(0,4)'), ('(1,Infinity)', '<(1,Infinity),2>', '((1,1),(Infinity,Infinity))', '[(1,1),(Infinity,2)]', '(1,1),(Infinity,2),(0,5)'),
  ('(-Infinity,Infinity)', '<(1,1),Infinity>', '((-Infinity,-Infinity),(Infinity,Infinity))', '[(-Infinity,1),(Infinity,1)]', '(1,1)'), ('(1e308,-1e308)', '<(1,1),NaN>', '((-1e308,-1e308),(1e308,1e308))', '[(-1e300,0),(1e300,0)]', '(-1e300,-1e300),(1e300,-1e300),(0,1e300)'),
  ('(1,1)', circle(point '(1,1)', -1), '((1,1),(1,1))', '[(1,1),(1,1)]', '(1,1),(1,1),(1,1)'), ('(5e-324,0)', circle(point '(1,1)', -1e-7), '((0,0),(5e-324,5e-324))', '[(0,0),(5e-324,5e-324)]', '(0,0),(4,0),(0,4)'),
  ('(0,0)', '<(1,Infinity),Infinity>', '((Infinity,0),(Infinity,1))', '[(0,0),(4,4)]', '(0,0),(4,4),(4,0),(0,4)');
CREATE FUNCTION near(k text, l text, d float8, OUT pairs text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT string_agg(x.nr || ''-'' || y.nr, '' '' ORDER BY x.nr, y.nr) FROM special x, special y WHERE spqtree_dwithin(x.%I, y.%I, $1)', k, l) INTO pairs USING d;
END $$;
SELECT k, l, d, near(k, l, d) FROM unnest('{p,c,b,s,g}'::text[]) WITH ORDINALITY a(k, i), unnest('{p,c,b,s,g}'::text[]) WITH ORDINALITY b(l, j), unnest('{0,2,Infinity}'::float8[]) d
WHERE i <= j AND (k, l) <> ('s', 's') ORDER BY i, j, d;
SELECT k, l, d FROM unnest('{p,c,b,s,g}'::text[]) k, unnest('{p,c,b,s,g}'::text[]) l, unnest('{0,2,Infinity}'::float8[]) d WHERE k < l AND (near(k, l, d), near(l, k, d)) IS NULL;
SELECT spqtree_dwithin(NULL::point, polygon '(0,0)', 1) IS NULL AS "null", spqtree_dwithin(point '(0,0)', NULL::circle, 1) IS NULL AS "null", spqtree_dwithin(point '(0,0)', polygon '(0,0)', NULL) IS NULL AS "null";

-- What is within a distance overlaps this box; NULL if nothing is.
SELECT spqtree_expand(circle '<(1,1),2>', 3) AS circle, spqtree_expand(circle '<(1,1),2>', 3) @> box '((-4,-4),(6,6))' AS holds, spqtree_expand(polygon '(0,0),(4,0),(0,8)', 1) AS polygon, spqtree_expand(circle(point '(1,1)', -1), 5) AS "below 0",
       spqtree_expand(circle '<(1,NaN),2>', 3) AS nan, spqtree_expand(polygon '(0,0)', -1) AS negative, spqtree_expand(circle '<(1,1),Infinity>', 0) AS infinite;

DROP SCHEMA within_shapes CASCADE;
