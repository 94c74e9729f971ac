--
-- Cubes of 0 to 100 dimensions, by an index and by a spatial hash join: the same rows as by a nested loop
-- over all pairs, for every operator and number there is.  SPQTREE_SEED sets another seed than 1, or a new
-- one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA cubes;
SET search_path = cubes, public;
CREATE EXTENSION spqtree_cube CASCADE;
CREATE TABLE setup AS SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint
  ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: cubes with seed %', (SELECT seed FROM setup); END $$;
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'spqtree_cube_ops';
-- all objects of the extension
\getenv abs_srcdir PG_ABS_SRCDIR
\set ECHO none
\i :abs_srcdir/definitions.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(': ', object, definition, comment) FROM definition WHERE extname = 'spqtree_cube' ORDER BY object, definition;
\pset format aligned
\pset tuples_only off
DROP VIEW definition;

-- A number: small ones that touch, 0 often, steps of the last place, numbers whose squares vanish or overflow, and odd ones.
CREATE FUNCTION number(seed bigint, i bigint, k int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE i % 9 WHEN 8 THEN ('{NaN,Infinity,-Infinity,0,-0,1,-1,1e-300,1e-170,1e200,-1e100,3e38,1}'::float8[])[tst.rndint(seed, i, k, 1, 13)]
                    WHEN 7 THEN 1e9 + tst.rndint(seed, i, k, 0, 9) * 2.0::float8 ^ -23
                    WHEN 6 THEN tst.rndint(seed, i, k, 0, 3) * 1e-170
                    WHEN 5 THEN tst.rndint(seed, i, k, -1, 1)
                    WHEN 4 THEN tst.rnd(seed, i, k) * 6
                    ELSE tst.rndint(seed, i, k, -2, 6) / 2.0 END
$$;
-- A cube: a point, or corners in any order; dimensions beyond the third are mostly 0.
CREATE FUNCTION cubes(seed bigint, n int) RETURNS TABLE (id int, c cube, d float8, i int) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 4 = 0 THEN cube(a) ELSE cube(a, b) END,
         CASE i % 4 WHEN 0 THEN number(seed, i, 6) ELSE tst.rndint(seed, i, 6, -1, 3) END, tst.rndint(seed, i, 8, -1, 3)
  FROM (SELECT i, ('{0,1,2,3,3,3,4,7,100}'::int[])[tst.rndint(seed, i, 9, 1, 9)] AS dim FROM generate_series(1, n) i OFFSET 0) v,
       LATERAL (SELECT coalesce(array_agg(x ORDER BY k), '{}') AS a,
                       coalesce(array_agg(CASE tst.rndint(seed, i, 10 + k, 0, 4) WHEN 0 THEN x WHEN 1 THEN number(seed, i, 1000 + k)
                                          ELSE x + tst.rndint(seed, i, 300 + k, -1, 2) END ORDER BY k), '{}') AS b
                FROM (SELECT k, CASE WHEN k > 3 AND tst.rndint(seed, i, 400 + k, 0, 5) > 0 THEN 0 ELSE number(seed, i, 500 + k) END AS x
                      FROM generate_series(1, dim) k OFFSET 0) w) x
$$;
CREATE TABLE item AS SELECT v.* FROM setup, cubes(seed, 400) v;
INSERT INTO item (id) VALUES (1001);
INSERT INTO item VALUES (1002, '()', 1, 1), (1003, cube(array_fill(1::float8, '{100}')), 1, 1), (1004, '(5,5,5),(6,6,6)', 1, 1),
                        (1005, '(5.5)', 1, 1), (1006, '(1e-170)', 0, 0), (1007, '(inf,1,2),(inf,1,2)', 1, 1);
CREATE TABLE probe AS SELECT v.* FROM setup, cubes(seed + 1, 80) v UNION ALL SELECT v.* FROM item v WHERE id % 7 = 0 OR id > 1001;
INSERT INTO probe (id) VALUES (1001);
ANALYZE item;
ANALYZE probe;
SELECT count(DISTINCT cube_dim(c)) AS dimensions, bool_or(NOT cube_is_point(c)) AND bool_or(cube_is_point(c)) AS points,
       bool_or(c::text ~ 'NaN') AND bool_or(c::text ~ 'Inf') AS odd FROM item;
-- The box that joins and indexes compare
SELECT c, spqtree_bounds(c), spqtree_bounds(c, 1), spqtree_bounds(c, 'Infinity') = spqtree_bounds(c, 'NaN') AS everything, spqtree_bounds(c, -1) AS none
FROM unnest('{(),"(1),(2)","(3,1),(2,4)","(NaN,1,2),(0,0,inf)","(1,2,3,4),(0,0,0,0)","(inf,1,-inf)"}'::cube[]) c;

-- The rows of a condition, by a plan that has to have something in it.
CREATE FUNCTION answer(form text, condition text, pattern text, OUT planned boolean, OUT ids bigint, OUT pairs text[])
LANGUAGE plpgsql AS $$
DECLARE
  query text := format(form, condition);
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
SELECT row_number() OVER () AS nr, condition
FROM unnest(ARRAY['x.c && y.c', 'x.c @> y.c', 'x.c <@ y.c', 'x.c = y.c', 'y.c @> x.c', 'cube_overlap(y.c, x.c)',
  'cube_enlarge(y.c, 0.5, 3) @> x.c', 'cube_enlarge(y.c, y.d, 3) && x.c', 'cube_enlarge(y.c, y.d, 100) && x.c',
  'x.c <-> y.c <= 0', 'x.c <-> y.c < 1.5', '1 >= (y.c <-> x.c)', 'cube_distance(x.c, y.c) <= 1e-100', 'x.c <-> y.c < -1', 'x.c <-> y.c <= 1e150',
  'x.c <-> y.c < real ''0.5''', 'x.c <-> y.c <= y.i', 'NOT y.i < (x.c <-> y.c)', 'cube_distance(x.c, y.c) <= y.d', 'x.c <-> y.c < x.d',
  'x.c <-> y.c <= x.d + y.d', 'x.c <-> y.c <= ''NaN''', 'x.c <-> y.c < ''NaN''', 'x.c <-> y.c <= ''Infinity''',
  'x.c <#> y.c < 2', 'distance_taxicab(y.c, x.c) <= y.d']) condition;
CREATE FUNCTION inner_join() RETURNS text LANGUAGE sql RETURN 'SELECT y.id AS probe, x.id FROM probe y JOIN item x ON %s';
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET spqtree.enable_hashjoin = off;
CREATE TABLE by_row AS SELECT c.*, a.* FROM condition c, answer(inner_join(), condition, 'Seq Scan on item') a;
SELECT bool_and(planned) AS planned, count(*) FILTER (WHERE ids > 20) AS some, sum(ids) > 20000 AS many FROM by_row;

-- the join node; the function of an operator is no operator
SET spqtree.enable_hashjoin = on;
SET enable_nestloop = off;
SET enable_hashjoin = off;
SELECT r.condition, a.planned, tst.differing(r.pairs, a.pairs) FROM by_row r, answer(inner_join(), condition, 'Spqtree Spatial Hash Join') a
WHERE NOT a.planned OR a.pairs <> r.pairs;
-- other joins, with workers too; NaN equals all numbers in =, so that the merge join loses rows
CREATE FUNCTION other_joins(which text, OUT form text, OUT condition text, OUT "rows" bigint, OUT same boolean) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
  FOR form, condition IN SELECT f, c.condition FROM condition c,
    unnest(ARRAY['SELECT y.id AS probe, x.id FROM probe y LEFT JOIN item x ON %s', 'SELECT y.id FROM probe y WHERE EXISTS (SELECT FROM item x WHERE %s)',
                 'SELECT y.id FROM probe y WHERE NOT EXISTS (SELECT FROM item x WHERE %s)']) f WHERE c.condition ~ which AND c.condition !~ 'cube_overlap| = '
  LOOP
    SELECT c.* INTO "rows", same FROM tst.compared(format(form, condition)) c;
    RETURN NEXT;
  END LOOP;
END $$;
SELECT count(*) AS joins, count(*) FILTER (WHERE "rows" > 10) > 50 AS some, min(form || condition) FILTER (WHERE NOT same) AS differing FROM other_joins('');
RESET enable_material;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT count(*) AS joins, min(form || condition) FILTER (WHERE NOT same) AS differing FROM other_joins('&&|@>|1.5|y.d');
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET enable_hashjoin;
SET enable_material = off;

-- indexes, half built and half inserted; a distance, too, may come from a column, and be NaN or infinite
SET spqtree.enable_hashjoin = off;
SET enable_nestloop = on;
SET enable_seqscan = off;
CREATE TABLE kept AS SELECT * FROM item WHERE id % 2 = 0;
DELETE FROM item WHERE id % 2 = 0;
CREATE INDEX item_c ON item USING spqtree (c);
INSERT INTO item SELECT * FROM kept;
SELECT * FROM spqtree_check('item_c', true);
CREATE FUNCTION by_index(pattern text) RETURNS TABLE (condition text, planned boolean, differing text) LANGUAGE sql AS $$
  SELECT r.condition, a.planned, tst.differing(r.pairs, a.pairs)
  FROM by_row r, answer(inner_join(), condition, pattern) a WHERE NOT a.planned OR a.pairs <> r.pairs
$$;
SELECT * FROM by_index('(Index|Bitmap Index).* item_c');
SET enable_indexscan = off;
SELECT * FROM by_index('Bitmap Index Scan on item_c');
RESET enable_indexscan;
-- GiST loses rows with NaN, and those that cubes of more dimensions contain, so distances are no conditions for it
DROP INDEX item_c;
CREATE INDEX item_c ON item USING gist (c);
SELECT condition, planned, differing FROM by_index('Index.* item_c') WHERE condition ~ '<->' ORDER BY 1 LIMIT 2;
DROP INDEX item_c;
-- order: distances of the first rows, for every probe
CREATE FUNCTION nearest(operator text, pattern text, OUT planned boolean, OUT distances text) LANGUAGE plpgsql AS $$
DECLARE
  query text := replace('SELECT string_agg(s::text, chr(10) ORDER BY y.id) FROM probe y, LATERAL (SELECT y.id, array_agg(d) AS d FROM
    (SELECT x.c OPERATOR y.c AS d FROM item x WHERE x.c IS NOT NULL ORDER BY x.c OPERATOR y.c LIMIT 20) v) s WHERE y.c IS NOT NULL', 'OPERATOR', operator);
  line text;
BEGIN
  planned := false;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    planned := planned OR line ~ pattern;
  END LOOP;
  EXECUTE query INTO distances;
END $$;
RESET enable_seqscan;
SET spqtree.enable_nearest = off;
CREATE TABLE in_order AS SELECT operator, n.* FROM unnest('{<->,<#>}'::text[]) operator, nearest(operator, 'Sort') n;
SELECT operator, planned, length(distances) > 1000 AS some FROM in_order;
SET spqtree.enable_nearest = on;
SELECT o.operator, n.planned, n.distances = o.distances AS same FROM in_order o, nearest(operator, 'Nearest Rows') n;
SET spqtree.enable_nearest = off;
SET enable_seqscan = off;
SET enable_sort = off;
CREATE INDEX item_c ON item USING spqtree (c);
SELECT o.operator, n.planned, n.distances = o.distances AS same FROM in_order o, nearest(operator, 'Index.* using item_c') n;
RESET enable_seqscan;
RESET enable_sort;
RESET spqtree.enable_nearest;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_memoize;
RESET spqtree.enable_hashjoin;
DROP TABLE item, probe;

-- Plans and estimates
CREATE TABLE house AS SELECT i AS id, cube(ARRAY[x, y, z], ARRAY[x + tst.rnd(3, i, 4) * 9, y + tst.rnd(3, i, 5) * 9, z + 5]) AS c, (i % 10)::float8 AS d
FROM (SELECT i, tst.rnd(3, i, 1) * 1000 AS x, tst.rnd(3, i, 2) * 1000 AS y, tst.rnd(3, i, 3) * 20 AS z FROM generate_series(1, 6000) i OFFSET 0) v;
CREATE TABLE fence AS SELECT * FROM house WHERE id % 5 = 0;
ANALYZE house;
ANALYZE fence;
EXPLAIN (COSTS OFF) SELECT f.id, h.id FROM fence f JOIN house h ON f.c && h.c;
EXPLAIN (COSTS OFF) SELECT f.id, h.id FROM fence f JOIN house h ON f.c <-> h.c < f.d;
EXPLAIN (COSTS OFF) SELECT f.id, h.id FROM fence f LEFT JOIN house h ON f.c @> h.c;
EXPLAIN (COSTS OFF) SELECT f.id, n.id FROM fence f, LATERAL (SELECT h.id FROM house h ORDER BY h.c <-> f.c LIMIT 2) n;
CREATE FUNCTION estimated(query text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN expected BETWEEN actual / 3 AND actual * 3 THEN 'within 3 times' ELSE format('%s expected, %s found', expected, actual) END
  FROM (SELECT tst.expected_rows(query) AS expected, cardinality(tst.rows(query)) AS actual) v
$$;
SELECT condition, estimated('SELECT f.id, h.id FROM fence f JOIN house h ON ' || condition)
FROM unnest('{f.c && h.c,f.c @> h.c,f.c <-> h.c < 5,f.c <-> h.c < f.d,"cube_enlarge(f.c, 20, 3) @> h.c"}'::text[]) condition;
SELECT condition, estimated('SELECT id FROM house h WHERE ' || condition)
FROM unnest('{"c && ''(100,100,0),(300,200,9)''","c <@ ''(100,100,0),(500,500,30)''","c <-> ''(500,500,5)'' < 50"}'::text[]) condition;
CREATE INDEX house_c ON house USING spqtree (c);
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM house WHERE c && '(100,100,0),(110,110,9)';
EXPLAIN (COSTS OFF) SELECT id FROM house WHERE '(100,100,0),(120,120,9)' @> c;
EXPLAIN (COSTS OFF) SELECT f.id, h.id FROM fence f JOIN house h ON h.c <-> f.c < f.d WHERE f.id = 7;
EXPLAIN (COSTS OFF) SELECT id FROM house ORDER BY c <-> '(1,2,3)' LIMIT 3;
RESET enable_bitmapscan;
-- Exclusion constraints
CREATE TABLE berth (c cube, EXCLUDE USING spqtree (c WITH &&));
INSERT INTO berth VALUES ('(1,1,1),(2,2,2)'), ('(3,3,3),(4,4,4)'), ('(1,1,1,5),(2,2,2,6)');
INSERT INTO berth VALUES ('(2,2,2),(3,2,2)');
DROP TABLE house, fence, berth;
DROP EXTENSION cube CASCADE;
DROP SCHEMA cubes CASCADE;
