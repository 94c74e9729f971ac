--
-- Boxes and circles, polygons, segments, and distances: what the operators return,
-- and that index and join return the same.
--
LOAD 'spqtree';
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
SET spqtree.enable_indexjoin = off;   -- nested loops by indexes, and the hash join

-- Circles: the closest and the farthest point of the box, with the tolerance of
-- PostgreSQL's own operators.
SELECT c, b && c AS "&&", c && b AS "&& box", b <@ c AS "<@", c @> b AS "@> box"
FROM (VALUES (box '((3,4),(6,8))')) v(b), unnest('{"<(0,0),5>","<(0,0),4.9999991>","<(0,0),4.99>","<(0,0),10>","<(0,0),9.9999991>","<(0,0),9.99>","<(4,5),0>","<(3,4),0>","<(0,0),Infinity>","<(0,0),NaN>","<(NaN,0),9>"}'::circle[]) c;
-- a point, as circles of no radius have it; a radius below 0
SELECT bool_and((box(p, p) && c) = (circle(p, 0) && c)) AS overlaps,
       bool_and((box(p, p) <@ c) = (circle(p, 0) <@ c)) AS contained
FROM (SELECT point(x, y) AS p FROM generate_series(-6, 6) x, generate_series(-6, 6) y) points,
     unnest('{"<(0,0),5>","<(0,0),0>","<(1,2),3>","<(1,1),4.9999995>"}'::circle[]) c;
SELECT box '((0,0),(1,1))' && circle(point '(0,0)', r) AS "&&", box '((0,0),(0,0))' <@ circle(point '(0,0)', r) AS "<@"
FROM unnest('{-1e-7,-1e-5,-1}'::float8[]) r;

-- Polygons: any, borders included.
CREATE TABLE plain_polygon (name text, p polygon);
INSERT INTO plain_polygon VALUES
  ('rectangle', '(0,0),(8,0),(8,8),(0,8)'), ('triangle', '(0,0),(8,0),(0,8)'),
  ('U', '(0,0),(8,0),(8,8),(6,8),(6,2),(2,2),(2,8),(0,8)'),
  ('line', '(0,0),(8,8)'), ('point', '(3,3)'), ('repeated', '(0,0),(0,0),(8,0),(8,0),(8,8),(0,8),(0,8)'),
  ('bow tie', '(0,0),(8,8),(8,0),(0,8)'), ('star', '(4,8),(6,0),(0,5),(8,5),(2,0)'),
  ('clockwise', '(0,8),(8,8),(8,0),(0,0)');
SELECT b::text, string_agg(name, ', ' ORDER BY name) FILTER (WHERE b && p AND p && b) AS overlaps,
       string_agg(name, ', ' ORDER BY name) FILTER (WHERE b <@ p AND p @> b) AS contained
FROM plain_polygon, unnest(ARRAY['((1,1),(2,2))', '((3,3),(5,5))', '((3,3),(3,3))', '((0,4),(0,7))', '((1,1),(7,1))',
                                 '((1,6),(7,6))', '((8,8),(9,9))',
  '((6,6),(7,7))', '((-1,-1),(9,9))', '((8.0000005,3),(9,4))', '((7,3),(8.0000005,4))', '((8.000002,3),(9,4))',
  '((2,2),(6,4))', '((1,1),(6,2))', '((3,0),(5,1))',
  '((-Infinity,-Infinity),(Infinity,Infinity))', '((-Infinity,3),(Infinity,3))',
  '((NaN,1),(2,2))']::box[]) WITH ORDINALITY v(b, nr) GROUP BY b::text, nr ORDER BY nr;
-- corners at infinity, or NaN
SELECT box '((0,0),(1,1))' && p AS "&&", box '((0,0),(1,1))' <@ p AS "<@"
FROM unnest(ARRAY['(0,0),(Infinity,0),(0,Infinity)', '(0,0),(NaN,1),(1,0)']::polygon[]) p;
-- PostgreSQL's own operators of the box as a polygon return the same where neither is flat,
-- and the polygon does not meet itself.
SELECT count(*) FILTER (WHERE b && p) AS "&&", count(*) FILTER (WHERE (b && p) <> (polygon(b) && p)) AS differ,
       count(*) FILTER (WHERE b <@ p) AS "<@", count(*) FILTER (WHERE (b <@ p) <> (polygon(b) <@ p)) AS differ
FROM plain_polygon, (SELECT box(point(x, y), point(x + w, y + h)) AS b
                     FROM generate_series(-2, 9) x, generate_series(-2, 9) y, generate_series(1, 4) w,
                          generate_series(1, 4) h) boxes
WHERE name NOT IN ('bow tie', 'star', 'line', 'point');

-- Segments: PostgreSQL's own operator, with the sides exchanged.
SELECT bool_and((b ?# s) = (s ?# b)) AS same, count(*) FILTER (WHERE b ?# s)
FROM (SELECT box(point(x, y), point(x + 2, y + 1)) AS b FROM generate_series(-5, 5) x, generate_series(-5, 5) y) boxes,
     unnest('{"(0,0),(3,4)","(0,0),(0,0)","(-9,-9),(9,9)","(-9,1),(9,1)","(5,-9),(5,9)"}'::lseg[]) s;
SELECT oprname, oprleft::regtype, oprright::regtype, oprcom::regoperator, oprrest, oprjoin FROM pg_operator
WHERE oid IN ('?#(box,lseg)'::regoperator, 'pg_catalog.?#(lseg,box)'::regoperator);

-- Distance: of the closest points.  As with spqtree_join, boxes that overlap (with
-- tolerance) are within any, but nothing is within a distance below 0.
SELECT d, spqtree_dwithin(b, box '((3,4),(6,8))', d) AS box, spqtree_dwithin(b, point '(3,4)', d) AS point,
       spqtree_dwithin(point '(3,4)', b, d) AS "point, box",
       spqtree_dwithin(b, lseg '((0,10),(10,0))', d) AS lseg,
       spqtree_dwithin(lseg '((0,10),(10,0))', b, d) AS "lseg, box",
       spqtree_dwithin(b, box '((0,0),(1,1))', d) AS overlapping
FROM (VALUES (box '((-1,-1),(0,0))')) v(b),
     unnest('{5,4.9999991,0,-0.0,-1e-7,-1,NaN,Infinity,-Infinity,7.0711,7.071,NULL}'::float8[]) d;
SELECT spqtree_dwithin(box '((0,0),(1,1))', box '((1.0000005,0),(2,2))', 0) AS "overlaps",
       spqtree_dwithin(box '((NaN,0),(1,1))', box '((0,0),(2,2))', 'Infinity') AS nan,
       spqtree_dwithin(box '((Infinity,0),(Infinity,1))', box '((0,0),(2,2))', 1e308) AS far,
       spqtree_dwithin(box '((-Infinity,0),(Infinity,1))', point '(0,3)', 2) AS wide,
       spqtree_dwithin(NULL::box, point '(0,3)', 2) AS "null";
SELECT spqtree_expand(box '((0,0),(1,2))', 5) @> box '((-5,-5),(6,7))' AS box,
       spqtree_expand(point '(1,1)', 2) AS point, spqtree_expand(lseg '((3,0),(0,3))', 0) AS lseg,
       spqtree_expand(box '((0,0),(1,1))', -1) AS negative, spqtree_expand(box '((0,0),(1,1))', 'NaN') AS nan,
       spqtree_expand(box '((0,NaN),(1,1))', 1) AS "nan box",
       spqtree_expand(point '(0,0)', 'Infinity') AS infinite, spqtree_expand(point '(0,0)', 1e308) AS large;

--
-- Plans.
--
SELECT setseed(0.5);
CREATE TABLE bx (id int, b box, p point, d float8);
INSERT INTO bx SELECT i, box(p, p + point(random() * random() * 4, random() * random() * 4)), p, random() * 3
FROM (SELECT i, point(random() * 100, random() * 100) AS p FROM generate_series(1, 3000) i) points;
CREATE INDEX bx_b ON bx USING spqtree (b);
VACUUM ANALYZE bx;
CREATE TABLE sh (c circle, g polygon, s lseg, b box, p point, d float8);
INSERT INTO sh SELECT circle(p, d), polygon(6, circle(p, d)), lseg(p, p + point(d, -3)), box(p, p + point(d, d)), p, d
FROM (SELECT point(random() * 100, random() * 100) AS p, random() * 8 AS d FROM generate_series(1, 300)) points;
VACUUM ANALYZE sh;

EXPLAIN (COSTS OFF) SELECT b FROM bx WHERE b && circle '<(50,50),5>';
EXPLAIN (COSTS OFF) SELECT b FROM bx WHERE circle '<(50,50),5>' @> b;
EXPLAIN (COSTS OFF) SELECT id FROM bx WHERE polygon '(50,50),(60,50),(50,60)' && b;
EXPLAIN (COSTS OFF) SELECT b FROM bx WHERE b <@ polygon '(50,50),(60,50),(50,60)' ORDER BY b <-> point '(50,50)'
LIMIT 3;
EXPLAIN (COSTS OFF) SELECT b FROM bx WHERE b ?# lseg '(50,50),(60,55)';
EXPLAIN (COSTS OFF) SELECT b FROM bx WHERE lseg '(50,50),(60,55)' ?# b;
EXPLAIN (COSTS OFF) SELECT id FROM bx WHERE spqtree_dwithin(b, box '(50,50),(51,51)', 3);
EXPLAIN (COSTS OFF) SELECT id FROM bx WHERE spqtree_dwithin(lseg '(50,50),(51,51)', b, 3);
EXPLAIN (COSTS OFF) SELECT id FROM bx WHERE spqtree_dwithin(b, box '(50,50),(51,51)', -3);
PREPARE near(point, float8) AS SELECT id FROM bx WHERE spqtree_dwithin(b, $1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near('(50,50)', 3);
RESET plan_cache_mode;
-- a distance that is a column of the table itself is no use to its index
EXPLAIN (COSTS OFF) SELECT id FROM bx WHERE spqtree_dwithin(b, point '(50,50)', d);
-- joins: the distance constant, of either side, of both
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON bx.b && sh.c;
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON sh.s ?# bx.b;
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.b, 3);
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.p, sh.d);
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(sh.s, bx.b, bx.d) AND bx.id % 2 = 0;
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.b, sh.d + bx.d);
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.b, bx.d * sh.d);
EXPLAIN (COSTS OFF) SELECT 1 FROM bx WHERE NOT EXISTS (SELECT FROM sh WHERE spqtree_dwithin(bx.b, sh.b, sh.d));
EXPLAIN (COSTS OFF) SELECT 1 FROM sh LEFT JOIN bx ON spqtree_dwithin(bx.b, sh.b, sh.d);
SET spqtree.enable_hashjoin = off;
EXPLAIN (COSTS OFF) SELECT 1 FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.p, sh.d);
EXPLAIN (COSTS OFF) SELECT 1 FROM sh, LATERAL (SELECT FROM bx WHERE bx.b ?# sh.s) x;
RESET spqtree.enable_hashjoin;

-- Row estimates, within a factor of two (of three, for segments) where there are many rows.
CREATE FUNCTION pg_temp.estimate(query text, factor float8) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json; estimated float8; actual float8;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  estimated := plan #>> '{0,Plan,Plan Rows}'; actual := plan #>> '{0,Plan,Actual Rows}';
  RETURN CASE WHEN estimated BETWEEN actual / factor AND actual * factor THEN 'good'
    ELSE format('estimated %s, actual %s', estimated, actual) END;
END $$;
SELECT pg_temp.estimate('SELECT FROM bx WHERE b && circle ''<(50,50),20>''', 2),
       pg_temp.estimate('SELECT FROM bx WHERE b <@ circle ''<(50,50),20>''', 2),
       pg_temp.estimate('SELECT FROM bx WHERE b <@ polygon ''(10,10),(80,20),(20,60)''', 2),
       pg_temp.estimate('SELECT FROM bx WHERE b ?# lseg ''(10,10),(80,20)''', 3),
       pg_temp.estimate('SELECT FROM bx WHERE b ?# lseg ''(10,10),(80,90)''', 3),
       pg_temp.estimate('SELECT FROM bx WHERE spqtree_dwithin(b, point ''(50,50)'', 20)', 2),
       pg_temp.estimate('SELECT FROM bx WHERE spqtree_dwithin(b, point ''(50,50)'', d)', 2);
SELECT pg_temp.estimate('SELECT FROM bx WHERE spqtree_dwithin(b, lseg ''(10,10),(80,90)'', 0)', 2),
       pg_temp.estimate('SELECT FROM bx WHERE spqtree_dwithin(b, lseg ''(10,10),(80,90)'', 3)', 2),
       pg_temp.estimate('SELECT FROM bx WHERE spqtree_dwithin(b, lseg ''(10,10),(80,12)'', 20)', 2);
SELECT pg_temp.estimate('SELECT FROM bx JOIN sh ON bx.b && sh.c', 2),
       pg_temp.estimate('SELECT FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.b, 2)', 2),
       pg_temp.estimate('SELECT FROM bx JOIN sh ON spqtree_dwithin(bx.b, sh.b, sh.d)', 2),
       pg_temp.estimate('SELECT FROM bx JOIN sh ON spqtree_dwithin(sh.p, bx.b, bx.d)', 2),
       pg_temp.estimate('SELECT FROM bx JOIN sh ON spqtree_dwithin(sh.b, bx.b, bx.d + sh.d)', 2),
       pg_temp.estimate('SELECT FROM bx WHERE EXISTS (SELECT FROM sh WHERE spqtree_dwithin(bx.b, sh.b, 1))', 2);

--
-- Index and join against the nested loop over all pairs.
--
INSERT INTO bx SELECT 5000 + i, b
FROM unnest(ARRAY['((0,0),(100,100))', '((50,50),(50,50))', '((-Infinity,-Infinity),(Infinity,Infinity))',
                  '((20,-Infinity),(30,Infinity))',
  '((NaN,20),(30,40))', '((20,20),(NaN,NaN))', '((Infinity,Infinity),(Infinity,Infinity))',
  '((-1e300,-1e300),(1e300,1e300))', '((50,0),(50,100))', NULL]::box[]) WITH ORDINALITY h(b, i);
INSERT INTO bx SELECT 6000 + i, box(p, p + point(w, h)), p, i % 5 - 1
FROM (SELECT i, point(i % 20, i / 20) AS p, i % 3 AS w, i % 2 AS h FROM generate_series(0, 399) i) lattice;
UPDATE bx SET d = 'NaN' WHERE id % 97 = 0;
UPDATE bx SET d = 'Infinity' WHERE id % 101 = 0;
-- corners the wrong way round, by less than the tolerance
INSERT INTO bx
SELECT 7000 + i, box(point(i, i), point(i + 1, i + 2)) # box(point(i + 1.0000005, i), point(i + 2, i + 2))
FROM generate_series(1, 20) i;
SELECT count(*) AS inverted FROM bx WHERE (b[0])[0] < (b[1])[0];
DELETE FROM sh WHERE ctid NOT IN (SELECT ctid FROM sh LIMIT 60);
INSERT INTO sh
SELECT circle(p, d), polygon(3 + i % 4, circle(p, d + 1)), lseg(p, p + point(d, i % 3 - 1)),
       box(p, p + point(d, i % 2)), p, d
FROM (SELECT i, point(i % 7 * 3, i / 3), i % 6 FROM generate_series(0, 59) i) lattice(i, p, d);
INSERT INTO sh (g, c, d, p, b) VALUES ('(0,0),(8,8),(8,0),(0,8)', '<(0,0),0>', 0, '(3,3)', '((0,0),(0,0))'),
  ('(4,8),(6,0),(0,5),(8,5),(2,0)', '<(5,5),Infinity>', -1, '(5,5)', '((4,4),(5,5))'),
  ('(3,3)', '<(NaN,5),3>', 'NaN', '(NaN,5)', '((NaN,4),(5,5))'),
  ('(3,3),(3,3),(3,3)', '<(5,5),NaN>', 'Infinity', '(5,5)', '((4,4),(5,5))'),
  ('(0,0),(Infinity,0),(0,9)', '<(Infinity,5),3>', 1e308, '(Infinity,5)',
   '((-Infinity,-Infinity),(Infinity,Infinity))'), ('(0,0),(NaN,0),(0,9)', NULL, 2, NULL, NULL),
  ('(0,0),(0,0),(19,0),(19,0),(19,19),(0,19),(0,19)', '<(1e308,1e308),1e308>', 5, '(1e308,0)',
   '((-1e308,-1e308),(1e308,1e308))'), (NULL, '<(3,3),1e-7>', NULL, '(3,3)', '((3,3),(4,4))'),
  ('(0,0),(20,0),(20,20),(18,20),(18,2),(2,2),(2,20),(0,20)', circle(point '(3,3)', -5), 3, '(9,9)', '((3,3),(4,4))'),
  ('(-1e300,-1e300),(1e300,-1e300),(0,1e300)', circle(point '(3,3)', -1e-7), 1e-7, '(9,9)', '((9,9),(9,9))');
ANALYZE bx;
ANALYZE sh;
CREATE FUNCTION pg_temp.compare(condition text, "where" text DEFAULT 'true') RETURNS TABLE (pairs bigint, "index" text,
    node text) LANGUAGE plpgsql AS $$
DECLARE query text := format('SELECT bx.id, sh.ctid FROM bx JOIN sh ON %s WHERE %s', condition, "where");
  plain text[]; other text[]; line text; plan text;
BEGIN
  SET LOCAL spqtree.enable_hashjoin = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_indexonlyscan = off;
  plain := tst.rows(query);
  pairs := cardinality(plain);
  SET LOCAL enable_indexscan = on; SET LOCAL enable_seqscan = off; SET LOCAL enable_material = off;
  plan := ''; FOR line IN EXECUTE 'EXPLAIN ' || query LOOP plan := plan || line; END LOOP;
  other := tst.rows(query);
  "index" := CASE WHEN plan !~ 'Index Cond' THEN 'not used' ELSE coalesce(tst.differing(plain, other), 'same') END;
  SET LOCAL spqtree.enable_hashjoin = on; SET LOCAL enable_nestloop = off; SET LOCAL enable_indexscan = off;
  SET LOCAL enable_seqscan = on;
  plan := ''; FOR line IN EXECUTE 'EXPLAIN ' || query LOOP plan := plan || line; END LOOP;
  other := tst.rows(query);
  node := CASE WHEN plan !~ 'Spatial Hash Join' THEN 'not used' ELSE coalesce(tst.differing(plain, other), 'same') END;
  RETURN NEXT;
  SET LOCAL enable_nestloop = on;
END $$;
SELECT condition, c.*
FROM unnest(ARRAY['bx.b && sh.c', 'sh.c && bx.b', 'bx.b <@ sh.c', 'sh.c @> bx.b', 'bx.b && sh.g', 'sh.g && bx.b',
                  'bx.b <@ sh.g', 'sh.g @> bx.b',
  'spqtree_dwithin(bx.b, sh.b, 1)', 'spqtree_dwithin(sh.b, bx.b, 0)', 'spqtree_dwithin(bx.b, sh.b, sh.d)',
  'spqtree_dwithin(sh.p, bx.b, 2.5)', 'spqtree_dwithin(bx.b, sh.p, sh.d)',
  'spqtree_dwithin(bx.b, sh.s, 1)', 'spqtree_dwithin(sh.s, bx.b, sh.d)', 'spqtree_dwithin(bx.b, sh.b, -1)',
  'spqtree_dwithin(bx.b, sh.p, ''Infinity'')', 'spqtree_dwithin(bx.b, sh.p, ''NaN'')']) condition,
  pg_temp.compare(condition) c;
-- with the distance in the indexed table, the index is no use
SELECT condition, c.*
FROM unnest(ARRAY['spqtree_dwithin(bx.b, sh.b, bx.d)', 'spqtree_dwithin(sh.p, bx.b, bx.d)',
                  'spqtree_dwithin(bx.b, sh.s, bx.d)', 'spqtree_dwithin(bx.b, sh.b, bx.d + sh.d)',
                  'spqtree_dwithin(sh.p, bx.b, bx.d + sh.d)',
  'spqtree_dwithin(bx.b, sh.p, bx.d + sh.d + 1)', 'spqtree_dwithin(bx.b, sh.s, (sh.d - 3) + (bx.d - 1))']) condition,
  pg_temp.compare(condition) c;
-- PostgreSQL's operator of segments raises errors for infinite and huge numbers
SELECT condition, c.*
FROM unnest(ARRAY['bx.b ?# sh.s', 'sh.s ?# bx.b']) condition,
     pg_temp.compare(condition, 'bx.id < 5000 OR bx.id >= 6000') c;

-- Constant segments: the index is asked for a polygon around the segment, if it has numbers.
CREATE FUNCTION pg_temp.near_constants() RETURNS TABLE (queries bigint, by_polygon bigint, total bigint, differ bigint)
LANGUAGE plpgsql AS $$
DECLARE q text; line text; n text; truth text; r record;
BEGIN
  queries := 0; by_polygon := 0; total := 0; differ := 0;
  FOR r IN SELECT s, d
  FROM (SELECT s, i % 8 AS i FROM (SELECT s, row_number() OVER () AS i FROM sh WHERE s IS NOT NULL) x
        WHERE i % 3 = 0) y, unnest('{0,0.5,3,1e-7,1e200,Infinity,NaN,-1}'::float8[]) WITH ORDINALITY u(d, nr)
          WHERE nr IN (1, 3, i + 1)
           UNION ALL SELECT s, d FROM unnest('{"[(20,20),(20,20)]","[(10,10),(90,80)]","[(90,10),(10,80)]","[(50,-1e9),(50,1e9)]","[(-1e100,-1e100),(1e100,1e100)]","[(Infinity,3),(4,5)]","[(NaN,3),(4,5)]"}'::lseg[]) s, unnest('{0,1,10,Infinity}'::float8[]) d LOOP
    q := format('SELECT count(*) || '' '' || coalesce(sum(id), 0) FROM bx WHERE spqtree_dwithin(b, %L::lseg, %L)', r.s, r.d);
    PERFORM tst.allow('seq');
    EXECUTE q INTO truth;
    PERFORM tst.allow('index');
    EXECUTE q INTO n;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || q LOOP
      by_polygon := by_polygon + (line ~ 'Index Cond: \(b && .*polygon')::int;
    END LOOP;
    queries := queries + 1; total := total + split_part(truth, ' ', 1)::bigint;
    differ := differ + (n IS DISTINCT FROM truth)::int;
  END LOOP;
  RETURN NEXT;
END $$;
SELECT * FROM pg_temp.near_constants();
-- the window alone, if the distance is a parameter
PREPARE near_line(float8) AS SELECT count(*) FROM bx WHERE spqtree_dwithin(b, lseg '[(10,10),(90,80)]', $1);
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) EXECUTE near_line(1);
EXECUTE near_line(1);
SET plan_cache_mode = force_custom_plan;
EXECUTE near_line(1);
RESET plan_cache_mode;
RESET enable_seqscan;
DEALLOCATE near_line;

-- Other indexes: PostgreSQL's own, and our quadtrees; and of points.
DROP INDEX bx_b;
CREATE INDEX bx_spgist ON bx USING spgist (b);
SELECT * FROM pg_temp.compare('spqtree_dwithin(bx.b, sh.s, 2)');
DROP INDEX bx_spgist;
CREATE INDEX bx_quad ON bx USING spgist (b spqtree_box_ops);
SELECT * FROM pg_temp.near_constants();
SELECT * FROM pg_temp.compare('spqtree_dwithin(bx.b, sh.p, sh.d)');
DROP INDEX bx_quad;
CREATE INDEX bx_points ON bx USING gist (p);
SELECT * FROM pg_temp.compare('spqtree_dwithin(bx.p, sh.b, 2)');
DROP INDEX bx_points;
-- GiST cannot hold huge boxes, and does not find all infinite ones
DELETE FROM bx WHERE id BETWEEN 5000 AND 5999;
CREATE INDEX bx_gist ON bx USING gist (b);
SELECT * FROM pg_temp.compare('spqtree_dwithin(bx.b, sh.b, sh.d)');
DROP INDEX bx_gist;

-- Long segments, and boxes near them by any order of magnitude: what PostgreSQL takes for
-- a point of a segment is farther from it, the longer it is.
CREATE TABLE sight (id int, s lseg);
INSERT INTO sight VALUES (1, '(0,0),(1000,137)'), (2, '(0,0),(1000,1000)'), (3, '(500,0),(500.00001,1000)'),
  (4, '(0,300),(1000,300)'), (5, '(1000,0),(0,999.9999)'), (6, '(400,400),(400,400)');
CREATE TABLE beside (id int, b box);
INSERT INTO beside
SELECT row_number() OVER (), box(corner, corner + point(w * (1 - 2 * (k % 2)), w * (1 - k % 4 / 2 * 2)))
FROM (SELECT k, (s[0] + (s[1] - s[0]) * point(t / 500.0, 0)) + point(0, power(10, -(t + k) % 9) * (1 - (t + k) % 2 * 2)) AS corner, power(10, t % 5 - 3) AS w
      FROM sight, generate_series(0, 500) t, generate_series(0, 7) k) at;
CREATE INDEX beside_b ON beside USING spqtree (b);
VACUUM ANALYZE beside;
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_material = off;
CREATE TABLE seen AS SELECT sight.id, count(*), sum(beside.id) FROM sight JOIN beside ON b ?# s GROUP BY 1;
SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_seqscan = on; SET spqtree.enable_hashjoin = off;
SELECT bool_and((b ?# s) = (s ?# b)) AS same FROM sight, beside;
SELECT sight.id, count(*) > 100 AS some, (count(*), sum(beside.id)) = (SELECT x.count, x.sum FROM seen x
    WHERE x.id = sight.id) AS same
FROM sight JOIN beside ON b ?# s GROUP BY sight.id ORDER BY sight.id;
RESET spqtree.enable_hashjoin; RESET enable_seqscan; RESET enable_indexscan; RESET enable_indexonlyscan; RESET enable_bitmapscan; RESET enable_material;
-- Of the index, a scan reads the pages along the shape, not all in its window.
CREATE TABLE many AS SELECT box(point(x, y), point(x + 0.5, y + 0.5)) AS b
FROM generate_series(1, 200) x, generate_series(1, 200) y;
CREATE INDEX many_b ON many USING spqtree (b);
VACUUM ANALYZE many;
CREATE FUNCTION pg_temp.part_read(condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT b FROM many WHERE b ' || condition INTO plan;
  RETURN ((plan #>> '{0,Plan,Shared Hit Blocks}')::float8 + (plan #>> '{0,Plan,Shared Read Blocks}')::float8) / (pg_relation_size('many_b') / current_setting('block_size')::int);
END $$;
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT pg_temp.part_read($$?# lseg '(1,1),(200,200)'$$) < 0.25 AS lseg,
       pg_temp.part_read($$&& polygon '(1,1),(200,200),(200,190)'$$) < 0.3 AS polygon,
       pg_temp.part_read($$<@ polygon '(1,1),(200,200),(200,190)'$$) < 0.3 AS "in",
       pg_temp.part_read($$&& box '(1,1),(200,200)'$$) > 0.9 AS box;
RESET enable_seqscan; RESET enable_bitmapscan;
DROP TABLE sight, beside, seen, many;

-- Partitions, and parallel plans.
CREATE TABLE pa (k int, id int, b box, d float8) PARTITION BY LIST (k);
CREATE TABLE pa1 PARTITION OF pa FOR VALUES IN (0);
CREATE TABLE pa2 PARTITION OF pa FOR VALUES IN (1, 2);
INSERT INTO pa SELECT id % 3, id, b, id % 4 FROM bx;
CREATE TABLE pb (k int, id int, p point) PARTITION BY LIST (k);
CREATE TABLE pb1 PARTITION OF pb FOR VALUES IN (0);
CREATE TABLE pb2 PARTITION OF pb FOR VALUES IN (1, 2);
INSERT INTO pb SELECT id % 3, id, p FROM bx;
ANALYZE pa, pb;
-- before 19 partitions are always joined one by one; from 19 on where that is cheaper, as here, for the
-- Append of the pairs has fewer rows than those of the tables
SET enable_partitionwise_join = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM pa
  JOIN pb ON pa.k = pb.k AND pa.id < pb.id AND spqtree_dwithin(pa.b, pb.p, pa.d);
SELECT count(*), sum(pa.id::bigint * pb.id) FROM pa
  JOIN pb ON pa.k = pb.k AND pa.id < pb.id AND spqtree_dwithin(pa.b, pb.p, pa.d);
RESET enable_partitionwise_join;
SET spqtree.enable_hashjoin = off;
SELECT count(*), sum(pa.id::bigint * pb.id) FROM pa
  JOIN pb ON pa.k = pb.k AND pa.id < pb.id AND spqtree_dwithin(pa.b, pb.p, pa.d);
RESET spqtree.enable_hashjoin;
SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM bx x JOIN bx y ON spqtree_dwithin(x.b, y.b, y.d) WHERE y.id > 500;
SELECT count(*), sum(x.id::bigint * y.id) FROM bx x JOIN bx y ON spqtree_dwithin(x.b, y.b, y.d);
SET max_parallel_workers_per_gather = 0; SET spqtree.enable_hashjoin = off;
SELECT count(*), sum(x.id::bigint * y.id) FROM bx x JOIN bx y ON spqtree_dwithin(x.b, y.b, y.d);
RESET spqtree.enable_hashjoin; RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size;
DROP TABLE pa, pb;

-- Values out of line.
CREATE TABLE big (g polygon);
ALTER TABLE big ALTER g SET STORAGE external;
INSERT INTO big SELECT polygon(400, circle(point(i * 10, i * 10), 8)) FROM generate_series(1, 9) i;
CREATE INDEX bx_b ON bx USING spqtree (b);
SET enable_seqscan = off;
SELECT count(*) FROM big JOIN bx ON b && g;
SELECT count(*) FROM big JOIN bx ON b <@ g;
RESET enable_seqscan;
SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;
SELECT count(*) FROM big JOIN bx ON b && g;
SELECT count(*) FROM big JOIN bx ON b <@ g;
RESET enable_indexscan; RESET enable_bitmapscan; RESET enable_indexonlyscan;

-- DROP EXTENSION leaves PostgreSQL's operator as it was.
BEGIN;
SET LOCAL client_min_messages = warning;   -- other files leave indexes
DROP EXTENSION spqtree CASCADE;
SELECT oprcom FROM pg_operator WHERE oid = 'pg_catalog.?#(lseg,box)'::regoperator;
ROLLBACK;
DROP TABLE bx, sh, big, plain_polygon;

-- Corners the wrong way round, as of the common part of two boxes that touch within EPSILON: what
-- is in a polygon overlaps its bounds, which is how the join finds it.
CREATE TABLE turned AS SELECT box '((0,0),(1,1))' # box '((1.0000009,0),(2,2))' AS b, g
FROM unnest('{"(0,0),(1,0),(1,1),(0,1)","(0,0),(0.9999991,0),(0.9999991,1),(0,1)"}'::polygon[]) g;
SELECT x.b, y.g, x.b <@ y.g AS "<@" FROM turned x, turned y WHERE x.g ~= y.g;
SET enable_nestloop = off;
SELECT count(*) FROM turned x JOIN turned y ON x.b <@ y.g;
SELECT count(*) FROM turned x JOIN turned y ON x.g @> y.b;
RESET enable_nestloop;
DROP TABLE turned;

-- A polygon in a TOAST table is kept from one call to the next, until another comes: the results
-- are those of the polygon in the row, for one box after another and one polygon after another.
CREATE TABLE in_row (id int, g polygon);
ALTER TABLE in_row ALTER g SET STORAGE PLAIN;
CREATE TABLE toasted (id int, g polygon);
ALTER TABLE toasted ALTER g SET STORAGE EXTERNAL;
INSERT INTO in_row
SELECT k, ('(' || string_agg(format('(%s,%s)', 3 * k + 5 * cosd(i * 0.9), 5 * sind(i * 0.9)), ','
                             ORDER BY i) || ')')::polygon
FROM generate_series(1, 4) k, generate_series(0, 399) i GROUP BY k;
INSERT INTO toasted SELECT * FROM in_row;
SELECT pg_relation_size(reltoastrelid) > 0 AS toasted FROM pg_class WHERE oid = 'toasted'::regclass;
CREATE TABLE kept_pairs AS SELECT id, n, box(point(n, n % 7), point(n + 1, n % 7 + 1)) AS b
FROM generate_series(1, 4) id, generate_series(-5, 20) n;
SELECT o, count(*) FILTER (WHERE b && t.g) AS "&&", count(*) FILTER (WHERE b <@ t.g) AS "<@",
       count(*) FILTER (WHERE (b && t.g) <> (b && i.g) OR (t.g && b) <> (i.g && b) OR (b <@ t.g) <> (b <@ i.g)
                        OR (t.g @> b) <> (i.g @> b)) AS differ,
       count(*) FILTER (WHERE spqtree_dwithin(t.g, b, 1)) AS near,
       count(*) FILTER (WHERE spqtree_dwithin(t.g, b, 1) <> spqtree_dwithin(i.g, b, 1)) AS differ,
       count(*) FILTER (WHERE spqtree_dwithin(t.g, u.g, n)) AS "near u",
       count(*) FILTER (WHERE spqtree_dwithin(t.g, u.g, n) <> spqtree_dwithin(i.g, u.g, n)) AS differ
FROM (SELECT 'box' AS o, p.* FROM (SELECT * FROM kept_pairs ORDER BY id, n) p UNION ALL SELECT 'polygon', p.*
      FROM (SELECT * FROM kept_pairs ORDER BY n, id) p) v
  JOIN toasted t USING (id) JOIN in_row i USING (id) JOIN toasted u ON u.id = 5 - v.id GROUP BY o ORDER BY o;
SET enable_nestloop = off;
SET spqtree.enable_hashjoin = always;
SELECT count(*) FROM kept_pairs p JOIN toasted t ON p.b && t.g;
RESET enable_nestloop;
RESET spqtree.enable_hashjoin;
SELECT count(*) FROM kept_pairs p JOIN in_row t ON p.b && t.g;
DROP TABLE in_row, toasted, kept_pairs;
