--
-- The compact class: leaves of four float4, rounded outward.  It answers as a
-- sequential scan does, for every box; what its leaves do not tell is asked of the
-- row.  The tables are those of the files before, copied.
--
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION tst.compact(tab regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %s_compact (LIKE %1$s)', tab);
  EXECUTE format('CREATE INDEX %s_compact_b ON %1$s_compact USING spgist (b spqtree_box_compact_ops)', tab);
  EXECUTE format('INSERT INTO %s_compact TABLE %1$s', tab);
END $$;
SELECT tst.compact(t) FROM unnest('{uniform,lattice,epsilon,near,ties,circles,far,rounding,ends,exact,extreme}'::regclass[]) t;
VACUUM ANALYZE uniform_compact, lattice_compact, epsilon_compact, near_compact, ties_compact, circles_compact,
  far_compact, rounding_compact, ends_compact, exact_compact, extreme_compact;

-- Every operator.
CREATE TABLE exact_few AS SELECT * FROM exact_q WHERE qid % 40 = 0;
CREATE TABLE compact_case (tab regclass, qry regclass);
INSERT INTO compact_case VALUES ('uniform_compact', 'uniform_q'), ('lattice_compact', 'lattice_q'), ('epsilon_compact', 'epsilon_q'),
  ('exact_compact', 'exact_few'), ('extreme_compact', 'extreme_q'), ('rounding_compact', 'rounding_q');
SELECT tab, sum(queries) AS queries, count(*) FILTER (WHERE rows > 0) AS operators, sum("index") AS "index", sum(bitmap) AS bitmap
FROM compact_case, LATERAL tst.compare(tab, qry, '{index,bitmap}') GROUP BY tab ORDER BY tab::text COLLATE "C";

-- Nearest neighbors: the executor puts them in order, by the operator's value.
SELECT * FROM tst.compare_order('near_compact', 'near_q', 10, plans => '{index}');
SELECT * FROM tst.compare_order('near_compact', 'near_few', NULL, plans => '{index}');
SELECT * FROM tst.compare_order('near_compact', 'near_q', 25, 't.b && q.b', plans => '{index}');
SELECT * FROM tst.compare_order('near_compact', 'near_q', 25, 't.b <@ box ''((-10,-10),(30,20))'' AND t.id % 3 = 1', plans => '{index}');
SELECT * FROM tst.compare_order('near_compact', 'near_few', NULL, 't.b IS NULL', plans => '{index}');
SELECT * FROM tst.compare_order('near_compact', 'near_q', 40, plans => '{index}',
         orderings => '{"t.b <-> q.p, t.b <-> q.b","t.b <-> q.b, t.b <-> q.p"}');
SELECT * FROM tst.compare_order('ties_compact', 'ties_q', NULL, plans => '{index}');
SELECT * FROM tst.compare_order('circles_compact', 'circles_q', NULL, plans => '{index}');
SELECT * FROM tst.compare_order('far_compact', 'far_q', 30, plans => '{index}');
SELECT * FROM tst.compare_order('far_compact', 'far_few', NULL, plans => '{index}');
SELECT * FROM tst.compare_order('rounding_compact', 'rounding_q', 10, plans => '{index}');
SELECT * FROM tst.compare_order('rounding_compact', 'rounding_few', NULL, plans => '{index}');
SELECT * FROM tst.compare_order('ends_compact', 'ends_q', 200, plans => '{index}');

--
-- Where the rounding is: float4 numbers, what is just beside them, half way
-- between them, an EPSILON off; the largest and the smallest float4 and what is
-- beyond them.  Every pair of numbers is a side.
--
CREATE TABLE edge_number AS
SELECT row_number() OVER (ORDER BY v)::int AS n, v
FROM (SELECT DISTINCT s * (f + d) AS v
      FROM unnest('{0,1,-1}'::float8[]) s,
           (VALUES (0.1::float4::float8, '{0,1.3877787807814457e-17,-1.3877787807814457e-17,3.725290298461914e-09,7.450580596923828e-09,-7.450580596923828e-09,1e-6,1.01e-6,-1e-6}'::float8[]),
                   (1, '{0,2.220446049250313e-16,-1.1102230246251565e-16,1.1920928955078125e-07,5.960464477539063e-08,-5.960464477539063e-08,1e-6,-1e-6}'::float8[]),
                   (16777216, '{0,1,-1,2,1e-6,3}'::float8[]),
                   (3.4028234663852886e+38, '{0,1e31,3e31,-1e31,1e300}'::float8[]),
                   (1.401298464324817e-45, '{0,-5e-324,5e-324,-7e-46,7e-46}'::float8[]),
                   ('Infinity', '{0}'::float8[]), ('NaN', '{0}'::float8[])) g(f, ds),
           unnest(ds) d) u;
CREATE TABLE edge (id serial, b box);
CREATE INDEX edge_b ON edge USING spgist (b spqtree_box_compact_ops);
INSERT INTO edge (b)
SELECT box(point(x.v, y.v), point(z.v, w.v))
FROM edge_number x JOIN edge_number z ON true
     JOIN edge_number y ON y.n = (x.n * 7 + z.n * 3) % (SELECT count(*) FROM edge_number) + 1
     JOIN edge_number w ON w.n = (x.n * 5 + z.n * 11) % (SELECT count(*) FROM edge_number) + 1
ORDER BY tst.rnd(90, x.n, z.n);
-- the number alone: a point
INSERT INTO edge (b) SELECT box(point(v, v), point(v, v)) FROM edge_number;
VACUUM ANALYZE edge;
SELECT count(*) > 3000 AS many FROM edge;
CREATE TABLE edge_q AS
SELECT id AS qid, b, b[id % 2] AS p FROM edge WHERE id % 71 = 0 OR id > (SELECT max(id) - (SELECT count(*) FROM edge_number) FROM edge);
SELECT operator, queries, rows > 0 AS rows, "index", bitmap FROM tst.compare('edge', 'edge_q', '{index,bitmap}');
CREATE TABLE edge_few AS SELECT * FROM edge_q WHERE qid % 2 = 0 AND p <-> point(0, 0) < 1e300 AND b <-> box '((0,0),(0,0))' < 1e300;
CREATE TABLE edge_finite AS SELECT * FROM edge WHERE b <-> point(0, 0) < 1e300 AND b <-> box '((0,0),(0,0))' < 1e300;
CREATE INDEX edge_finite_b ON edge_finite USING spgist (b spqtree_box_compact_ops);
ANALYZE edge_finite;
SELECT * FROM tst.compare_order('edge_finite', 'edge_few', 50, plans => '{index}');
SELECT ordering, queries, rows > 0 AS rows, "index" FROM tst.compare_order('edge_finite', 'edge_few', NULL, 't.b &> q.b', plans => '{index}');

-- Boxes with their low side above the high one, as the box of a circle of
-- negative radius is: by less than a float4 can tell, and by more.
CREATE TABLE inverted (id int, b box);
CREATE INDEX inverted_b ON inverted USING spgist (b spqtree_box_compact_ops);
INSERT INTO inverted
SELECT i, box(circle(point(x, y), -r))
FROM generate_series(1, 3000) i,
     LATERAL (SELECT tst.rndint(91, i, 1, -50, 50) AS x, tst.rndint(91, i, 2, -50, 50) + tst.rnd(91, i, 3) AS y,
                     ('{1e-9,1e-7,1e-6,1e-3,5}'::float8[])[1 + i % 5] AS r) v;
VACUUM ANALYZE inverted;
SELECT count(*) FILTER (WHERE (b[1])[0] > (b[0])[0]) > 2000 AS inverted FROM inverted;
CREATE TABLE inverted_q AS
SELECT id AS qid, CASE id % 2 WHEN 0 THEN b ELSE box(b[0], b[1]) END AS b, b[id % 2] AS p FROM inverted WHERE id % 41 = 0;
SELECT operator, queries, "index", bitmap FROM tst.compare('inverted', 'inverted_q', '{index,bitmap}');
SELECT ordering, queries, "index" FROM tst.compare_order('inverted', 'inverted_q', NULL, plans => '{index}');
SELECT * FROM spqtree_check('inverted_b', true);

--
-- How it is used.
--
-- Rows are asked where a leaf does not tell, and only there.
CREATE FUNCTION rechecked(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  PERFORM tst.allow('index');
  EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT json) ' || query INTO plan;
  plan := plan -> 0 -> 'Plan';
  RETURN format('%s: %s rows, %s removed', plan ->> 'Node Type', (plan ->> 'Actual Rows')::numeric::int, coalesce(plan ->> 'Rows Removed by Index Recheck', '0'));
END $$;
CREATE TABLE tenths AS SELECT i AS id, box(point(i * 0.1, 0), point(i * 0.1, 1)) AS b FROM generate_series(1, 10000) i;
CREATE INDEX tenths_b ON tenths USING spgist (b spqtree_box_compact_ops) INCLUDE (id);
VACUUM ANALYZE tenths;
-- 819.3 and 800.1 are in the table: one side of it, or some float4 beside it.
SELECT rechecked($$SELECT FROM tenths WHERE b && box '((800.1,0),(819.3,1))'$$);
SELECT rechecked($$SELECT FROM tenths WHERE b && box '((800.10001,0),(819.29999,1))'$$);
SELECT rechecked($$SELECT FROM tenths WHERE b << box '((819.30001,0),(819.4,1))'$$);
SELECT rechecked($$SELECT FROM tenths WHERE b @> point '(0.3,0.5)'$$);
SELECT rechecked($$SELECT FROM tenths WHERE b ~= box '((0.3,0),(0.3,1))'$$);
DROP FUNCTION rechecked;

-- No index-only scans of boxes; of what is included there are.
SELECT prop, pg_index_column_has_property('tenths_b', 1, prop) AS key,
       pg_index_column_has_property('tenths_b', 2, prop) AS included
FROM unnest('{returnable,distance_orderable,search_nulls,search_array,orderable}'::text[]) prop;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT b FROM tenths WHERE b && box '((5,0),(6,1))';
EXPLAIN (COSTS OFF) SELECT id FROM tenths ORDER BY b <-> point '(5,5)' LIMIT 3;
EXPLAIN (COSTS OFF) SELECT sum(id) FROM tenths;
SELECT sum(id) FROM tenths;
RESET enable_bitmapscan;
RESET enable_seqscan;
DROP TABLE tenths;

-- It is smaller by an eighth at least, though small indexes are mostly inner pages.
CREATE INDEX uniform_plain_b ON uniform_compact USING spgist (b spqtree_box_ops);
CREATE INDEX uniform_again_b ON uniform_compact USING spgist (b spqtree_box_compact_ops);
SELECT pg_relation_size('uniform_again_b') < 0.88 * pg_relation_size('uniform_plain_b') AS smaller;
DROP INDEX uniform_plain_b, uniform_again_b;

-- Exclusion constraints: boxes that are apart by less than a float4 tells.
CREATE TABLE apart (id int, b box, EXCLUDE USING spgist (b spqtree_box_compact_ops WITH &&));
INSERT INTO apart SELECT i, box(point(16777216 + i * 0.001, 0), point(16777216 + i * 0.001 + 0.0009, 1)) FROM generate_series(1, 2000) i;
\set VERBOSITY terse
INSERT INTO apart VALUES (0, box(point(16777217.0009, 0.5), point(16777217.00091, 0.6)));
\set VERBOSITY default
INSERT INTO apart VALUES (0, box(point(16777217.00093, 0.5), point(16777217.00097, 0.6)));
SELECT count(*) FROM apart;

-- Rows that come and go, in every kind of table.
CREATE UNLOGGED TABLE fleeting (id int, b box);
CREATE INDEX fleeting_b ON fleeting USING spgist (b spqtree_box_compact_ops) INCLUDE (id);
INSERT INTO fleeting SELECT id, b FROM uniform;
UPDATE fleeting SET b = b + point(0.1, 0.1) WHERE id % 2 = 0;
DELETE FROM fleeting WHERE id % 3 = 0;
VACUUM fleeting;
INSERT INTO fleeting SELECT id + 10000, b + point(0.3, 0) FROM uniform;
INSERT INTO fleeting SELECT i, NULL FROM generate_series(1, 500) i;
SELECT sum(rows) > 0 AS rows, sum("index" + bitmap) AS wrong FROM tst.compare('fleeting', 'uniform_q', '{index,bitmap}', '{&&,<@,>>,@> point}');
SELECT * FROM spqtree_check('fleeting_b', true);
REINDEX INDEX CONCURRENTLY fleeting_b;
SELECT sum(rows) > 0 AS rows, sum("index" + bitmap) AS wrong FROM tst.compare('fleeting', 'uniform_q', '{index,bitmap}', '{&&,<@,>>,@> point}');
SELECT * FROM spqtree_check('fleeting_b', true);
CREATE TEMP TABLE briefly (id int, b box);
CREATE INDEX briefly_b ON briefly USING spgist (b spqtree_box_compact_ops);
INSERT INTO briefly SELECT id, b FROM fleeting;
SELECT sum(rows) > 0 AS rows, sum("index" + bitmap) AS wrong FROM tst.compare('briefly', 'uniform_q', '{index,bitmap}', '{&&,<@,>>,@> point}');
SELECT * FROM spqtree_check('briefly_b', true);
DROP TABLE briefly, fleeting;

-- The type: a box of float4 around the box.
SELECT v AS box, v::spqtree_compact_box AS compact, v::spqtree_compact_box::text::spqtree_compact_box::text = v::spqtree_compact_box::text AS again
FROM unnest(string_to_array('(0,0),(0,0);(0.1,-0.1),(0.3,0.1);(1e-320,-1e-320),(-1e-320,-1e-50);(1e39,-1e39),(1e300,-1e300);(NaN,1),(0,Infinity);(-Infinity,16777217),(1,2)', ';')) v;
SELECT 'no box'::spqtree_compact_box;
DROP FUNCTION tst.compact;
