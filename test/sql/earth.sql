--
-- The extension earthdistance by index and spatial hash join, its queries unchanged: the same rows as by a nested
-- loop over all pairs.  SPQTREE_SEED sets another seed than 1, or a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA earths;
CREATE SCHEMA earths_other;
SET search_path = earths, public;
CREATE EXTENSION spqtree_cube CASCADE;
CREATE EXTENSION earthdistance;
CREATE TABLE setup AS SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
  ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: earths with seed %', (SELECT seed FROM setup); END $$;

-- Places: anywhere, in clusters of some meters and kilometers, opposite ones, at poles and on the date line; the same ones
CREATE FUNCTION places(seed bigint, n int) RETURNS TABLE (id int, lat float8, lon float8, p earth, r float8) LANGUAGE sql AS $$
  SELECT i, lat, lon, ll_to_earth(lat, lon), (('{0,1,10,1000,50000,1e6,1e7,20037606,20037607,1e8,-5,NaN,Infinity,1e-200}'::float8[])[tst.rndint(seed, i, 5, 1, 14)])
  FROM (SELECT i, CASE i % 6 WHEN 0 THEN 90 * tst.rndint(seed, i, 1, -1, 1) WHEN 1 THEN 180 * tst.rnd(seed, i, 1) - 90 WHEN 2 THEN -47 - tst.rndint(seed, i, 1, 0, 9) * 1e-5
                      ELSE 47 + tst.rnd(seed, i, 1) ^ 6 END AS lat,
               CASE i % 5 WHEN 0 THEN 180 * tst.rndint(seed, i, 2, -1, 1) WHEN 1 THEN 360 * tst.rnd(seed, i, 2) - 180 WHEN 2 THEN -172 + tst.rndint(seed, i, 2, 0, 9) * 1e-5
                      ELSE 8 + tst.rnd(seed, i, 2) ^ 6 END AS lon FROM generate_series(1, n) i OFFSET 0) v
$$;
CREATE TABLE item AS SELECT v.* FROM setup, places(seed, 300) v;
INSERT INTO item (id) VALUES (1001);
CREATE TABLE probe AS SELECT v.* FROM setup, places(seed + 1, 80) v UNION ALL SELECT v.* FROM item v WHERE id % 7 = 0;
INSERT INTO probe (id) VALUES (1002);
ANALYZE item;
ANALYZE probe;

-- The functions in C return the same, to the last bit, and raise the same errors.
CREATE FUNCTION same_errors(a text, b text) RETURNS boolean LANGUAGE sql RETURN tst.error('SELECT ' || a) IS NOT DISTINCT FROM tst.error('SELECT ' || b);
SET extra_float_digits = 1;
SELECT count(*) > 300 AS many, count(*) FILTER (WHERE _spqtree_ll_to_earth(lat, lon)::text IS DISTINCT FROM ll_to_earth(lat, lon)::text) AS differ,
       max(cube_distance(_spqtree_try_ll_to_earth(lat, lon), p)) < 1e-6 AS near
FROM (TABLE item UNION ALL TABLE probe) v;
SELECT count(*) FILTER (WHERE _spqtree_sec_to_gc(x) IS DISTINCT FROM sec_to_gc(x)) AS differ, count(*) FILTER (WHERE _spqtree_gc_to_sec(x) IS DISTINCT FROM gc_to_sec(x)) AS differ,
       count(*) FILTER (WHERE abs(_spqtree_try_gc_to_sec(x) - gc_to_sec(x)) > 1e-6) AS differ
FROM (SELECT tst.rnd(seed, i, 1) * 2.1e7 AS x FROM setup, generate_series(1, 1000) i
      UNION ALL SELECT unnest('{NaN,Infinity,-Infinity,0,-0,-1,1e300,20037606,20037607,12756336,12756337,1e-290}'::float8[])) v;
SELECT a, same_errors(format('ll_to_earth(%s)', a), format('_spqtree_ll_to_earth(%s)', a))
FROM unnest('{"''NaN'', 1","1, ''Infinity''","1e-323, 1","2e300, 1e308"}'::text[]) a;
SELECT same_errors('sec_to_gc(1e-323)', '_spqtree_sec_to_gc(1e-323)'), same_errors('gc_to_sec(1e-323)', '_spqtree_gc_to_sec(1e-323)');
SELECT _spqtree_try_ll_to_earth('NaN', 1), _spqtree_try_ll_to_earth(1, 'Infinity'), _spqtree_try_gc_to_sec(1e-323) < 1 AS none;
SET extra_float_digits = 0;

-- The rows of a condition, by a plan that has to have something in it.
CREATE FUNCTION answer(condition text, pattern text, OUT planned boolean, OUT ids bigint, OUT pairs text[])
LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT y.id AS probe, x.id FROM probe y JOIN item x ON %s', condition);
  line text;
BEGIN
  planned := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    planned := planned OR line ~ pattern;
  END LOOP;
  pairs := tst.rows(query);
  ids := cardinality(pairs);
END $$;
CREATE TABLE condition AS
SELECT row_number() OVER () AS nr, replace(replace(c, 'X', place), 'Y', replace(place, 'x.', 'y.')) AS condition
FROM unnest(ARRAY['x.p', 'll_to_earth(x.lat, x.lon)']) place,
     unnest(ARRAY['earth_box(Y, 1000) @> X', 'X <@ earth_box(Y, 1e6)', 'earth_box(Y, y.r) @> X', 'earth_box(Y, y.r) @> X AND earth_distance(Y, X) < y.r',
     'earth_distance(X, Y) < 1000', 'earth_distance(Y, X) <= 0', '1e6 > earth_distance(Y, X)', 'earth_distance(X, Y) <= 20037606', 'earth_distance(X, Y) < 2e7',
     'earth_distance(Y, X) < y.r', 'earth_distance(Y, X) <= y.r', 'earth_distance(Y, X) <= ''NaN''', 'earth_distance(Y, X) < -1', 'X <-> Y < 100',
     'sec_to_gc(X <-> Y) < 50000', 'earth_distance(Y, X) < y.r AND x.id <> y.id']) c;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET spqtree.enable = off;
CREATE TABLE by_row AS SELECT c.*, a.* FROM condition c, answer(condition, 'Seq Scan on item') a;
SELECT bool_and(planned) AS planned, count(*) FILTER (WHERE ids > 20) > 24 AS some FROM by_row;
SET spqtree.enable = on;
SET enable_nestloop = off;
SELECT r.condition, a.planned, tst.differing(r.pairs, a.pairs) FROM by_row r, answer(condition, 'Spqtree Spatial Hash Join') a WHERE NOT a.planned OR a.pairs <> r.pairs;
-- by indexes of the column, and of the expression
SET spqtree.enable_hashjoin = off;
SET enable_nestloop = on;
SET enable_seqscan = off;
CREATE INDEX item_p ON item USING spqtree (p);
CREATE INDEX item_ll ON item USING spqtree (ll_to_earth(lat, lon));
SELECT r.condition, a.planned, tst.differing(r.pairs, a.pairs) FROM by_row r, answer(condition, '(Index|Bitmap Index).* item_(p|ll)') a
WHERE NOT a.planned OR a.pairs <> r.pairs;
DROP INDEX item_p, item_ll;
RESET enable_seqscan;
SET spqtree.enable_hashjoin = on;

-- Another radius: the function earth() as the manual says; one that comes first in the search path; the right to call it
CREATE OR REPLACE FUNCTION earth() RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 1e6::float8';
CREATE FUNCTION near(OUT "rows" bigint, OUT same boolean, OUT planned boolean) LANGUAGE plpgsql AS $$
DECLARE
  query text := 'SELECT x.id, y.id FROM probe y JOIN item x ON earth_distance(x.p, y.p) < 50000';
  found text[];
BEGIN
  SET enable_nestloop = off;
  planned := tst.plan_of(query) ~ 'Spatial Hash Join';
  found := tst.rows(query);
  SET enable_nestloop = on;
  SET spqtree.enable = off;
  same := found = tst.rows(query);
  SET spqtree.enable = on;
  "rows" := cardinality(found);
END $$;
SELECT "rows" > 1000 AS many, same, planned FROM near();
SELECT _spqtree_sec_to_gc(10) = sec_to_gc(10) AS same, round(sec_to_gc(10)::numeric, 9) AS distance;
CREATE FUNCTION earths_other.earth() RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 500.0::float8';
SET search_path = earths_other, earths, public;
SELECT "rows" > 1000 AS many, same FROM near();
SELECT _spqtree_sec_to_gc(10) = sec_to_gc(10) AS same, _spqtree_gc_to_sec(10) = gc_to_sec(10) AS same;
-- a function of the same name is another one
CREATE FUNCTION earths_other.sec_to_gc(float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT CASE WHEN $1 > 1 THEN 0 ELSE $1 END';
SET enable_nestloop = off;
SELECT tst.plan_of('SELECT x.id, y.id FROM probe y JOIN item x ON earths_other.sec_to_gc(x.p <-> y.p) < 100') ~ 'Spatial' AS planned;
SET search_path = earths, public;
DROP SCHEMA earths_other CASCADE;
REVOKE EXECUTE ON FUNCTION earth() FROM PUBLIC;
CREATE ROLE regress_earth;
GRANT USAGE ON SCHEMA earths TO regress_earth;
GRANT SELECT ON ALL TABLES IN SCHEMA earths TO regress_earth;
SET ROLE regress_earth;
SELECT tst.plan_of('SELECT x.id, y.id FROM probe y JOIN item x ON x.p <-> y.p < 100') ~ 'Spatial' AS cubes,
       tst.plan_of('SELECT x.id, y.id FROM probe y JOIN item x ON earth_distance(x.p, y.p) < 100') ~ 'Spatial' AS earth;
\set VERBOSITY terse
SELECT _spqtree_sec_to_gc(10);
\set VERBOSITY default
RESET ROLE;
DROP OWNED BY regress_earth;
DROP ROLE regress_earth;
GRANT EXECUTE ON FUNCTION earth() TO PUBLIC;
CREATE OR REPLACE FUNCTION earth() RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ''6378168''::float8';
DROP TABLE item, probe;

-- Plans and estimates
RESET enable_nestloop;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_memoize;
CREATE TABLE shop AS SELECT i AS id, 47 + tst.rnd(5, i, 1) AS lat, 8 + tst.rnd(5, i, 2) * 2 AS lon, (i % 5 * 1000)::float8 AS r FROM generate_series(1, 5000) i;
CREATE TABLE home AS SELECT i AS id, ll_to_earth(47 + tst.rnd(6, i, 1), 8 + tst.rnd(6, i, 2) * 2) AS p FROM generate_series(1, 2000) i;
ANALYZE shop;
ANALYZE home;
EXPLAIN (COSTS OFF) SELECT h.id, s.id FROM home h JOIN shop s ON earth_box(ll_to_earth(s.lat, s.lon), s.r) @> h.p AND earth_distance(h.p, ll_to_earth(s.lat, s.lon)) < s.r;
EXPLAIN (COSTS OFF) SELECT h.id, s.id FROM home h LEFT JOIN shop s ON earth_distance(h.p, ll_to_earth(s.lat, s.lon)) < 500;
CREATE FUNCTION estimated(query text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN expected BETWEEN actual / 3 AND actual * 3 THEN 'within 3 times' ELSE format('%s expected, %s found', expected, actual) END
  FROM (SELECT tst.expected_rows(query) AS expected, cardinality(tst.rows(query)) AS actual) v
$$;
SELECT condition, estimated('SELECT h.id, s.id FROM home h JOIN shop s ON ' || condition)
FROM unnest(ARRAY['earth_box(h.p, 5000) @> ll_to_earth(s.lat, s.lon)', 'earth_box(ll_to_earth(s.lat, s.lon), s.r) @> h.p', 'earth_distance(h.p, ll_to_earth(s.lat, s.lon)) < 5000',
  'earth_distance(h.p, ll_to_earth(s.lat, s.lon)) < s.r', 'earth_box(ll_to_earth(s.lat, s.lon), s.r) @> h.p AND earth_distance(h.p, ll_to_earth(s.lat, s.lon)) < s.r']) condition;
SELECT condition, estimated('SELECT id FROM shop WHERE ' || condition)
FROM unnest(ARRAY['earth_box(ll_to_earth(47.5, 9), 20000) @> ll_to_earth(lat, lon)', 'earth_distance(ll_to_earth(47.5, 9), ll_to_earth(lat, lon)) < 20000',
  'earth_box(ll_to_earth(47.5, 9), 20000) @> ll_to_earth(lat, lon) AND earth_distance(ll_to_earth(47.5, 9), ll_to_earth(lat, lon)) < 20000']) condition;
CREATE INDEX shop_ll ON shop USING spqtree (ll_to_earth(lat, lon));
CREATE INDEX home_p ON home USING spqtree (p);
SET enable_bitmapscan = off;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM home WHERE p <@ earth_box(ll_to_earth(47, 8), 500);
EXPLAIN (COSTS OFF) SELECT id FROM home WHERE earth_distance(ll_to_earth(47, 8), p) < 500;
EXPLAIN (COSTS OFF) SELECT id FROM shop ORDER BY ll_to_earth(lat, lon) <-> ll_to_earth(47, 8) LIMIT 3;
DROP EXTENSION cube CASCADE;
DROP SCHEMA earths CASCADE;
