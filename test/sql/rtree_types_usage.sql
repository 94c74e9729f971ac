--
-- The access method's classes for point, circle, polygon, lseg and path in use: which plans
-- the planner makes of its own accord, constraints, values out of line, NULLs, indexes that are built
-- beside writers, the functions that look at indexes.
--
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '10min';
CREATE TABLE shape (id int, p point, c circle, y polygon, s lseg, w path);
INSERT INTO shape
SELECT i, point(x, y), circle(point(x, y), r), polygon(5, circle(point(x, y), r + 0.1)), lseg(point(x, y), point(x + r, y + (i % 3 - 1) * 2 * r)),
       CASE i % 2 WHEN 0 THEN pclose(path(polygon(6, circle(point(x, y), r + 0.1)))) ELSE popen(path(polygon(7, circle(point(x, y), r + 0.1)))) END
FROM generate_series(1, 20000) i, LATERAL (SELECT tst.rnd(421, i, 1) * 1000 AS x, tst.rnd(421, i, 2) * 1000 AS y, tst.rnd(421, i, 3) * 15 AS r) v;
CREATE INDEX shape_p ON shape USING spqtree (p);
CREATE INDEX shape_c ON shape USING spqtree (c);
CREATE INDEX shape_y ON shape USING spqtree (y) INCLUDE (id);
CREATE INDEX shape_s ON shape USING spqtree (s) WITH (fillfactor = 60);
CREATE INDEX shape_w ON shape USING spqtree (w);
VACUUM ANALYZE shape;

-- The planner takes the index.
CREATE FUNCTION index_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Scan.* (using|on) shape_|Seq Scan' THEN
      RETURN substring(line FROM '(Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan)') || coalesce(' ' || substring(line FROM ' (?:using|on) (shape_.)'), '');
    END IF;
  END LOOP;
END $$;
SELECT condition, index_of('SELECT id FROM shape WHERE ' || condition) AS plan
FROM unnest(ARRAY['p <@ box ''((100,100),(120,120))''', 'p <@ circle ''<(100,100),20>''', 'p <@ polygon ''((100,100),(120,100),(110,120))''', 'p ~= point ''(100,100)''',
  'p <@ lseg ''[(100,100),(120,120)]''', 'p <@ path ''((100,100),(120,100),(110,120))''',
  'c && circle ''<(100,100),20>''', 'c @> point ''(100,100)''', 'point ''(100,100)'' <@ c', 'c <@ circle ''<(100,100),20>''', 'c ~= circle ''<(100,100),20>''',
  'y && polygon ''((100,100),(120,100),(110,120))''', 'y @> point ''(100,100)''', 'y <@ polygon ''((100,100),(120,100),(110,120))''', 'c && box ''((100,100),(120,120))''', 'y @> box ''((100,100),(101,101))''',
  's ?# lseg ''[(100,100),(120,120)]''', 's ?# box ''((100,100),(120,120))''', 's <@ box ''((100,100),(120,120))''', 's = lseg ''[(100,100),(120,120)]''',
  'w ?# path ''[(100,100),(120,120)]''', 'point ''(100,100)'' <@ w', 'c IS NULL']) WITH ORDINALITY AS u(condition, nr) ORDER BY nr;
SELECT ordering, index_of(format('SELECT id FROM shape ORDER BY %s LIMIT 10', ordering)) AS plan
FROM unnest('{"p <-> point ''(100,100)''","p <-> box ''((100,100),(120,120))''","p <-> polygon ''((100,100),(120,100),(110,120))''","p <-> circle ''<(100,100),20>''","p <-> lseg ''[(100,100),(120,120)]''","p <-> path ''[(100,100),(120,120)]''",
  "c <-> point ''(100,100)''","c <-> circle ''<(100,100),20>''","c <-> polygon ''((100,100),(120,100),(110,120))''",
  "y <-> point ''(100,100)''","y <-> polygon ''((100,100),(120,100),(110,120))''","y <-> circle ''<(100,100),20>''",
  "s <-> point ''(100,100)''","s <-> lseg ''[(100,100),(120,120)]''","s <-> box ''((100,100),(120,120))''","w <-> point ''(100,100)''","w <-> path ''[(100,100),(120,120)]''"}'::text[]) WITH ORDINALITY AS u(ordering, nr) ORDER BY nr;
-- Points come from the index alone, shapes from the table.
SELECT index_of('SELECT p FROM shape WHERE p <@ circle ''<(100,100),20>''') AS points, index_of('SELECT p FROM shape ORDER BY p <-> polygon ''((100,100),(120,100),(110,120))'' LIMIT 10') AS nearest,
       index_of('SELECT id FROM shape WHERE y @> point ''(100,100)''') AS polygons, index_of('SELECT id FROM shape WHERE y IS NULL') AS nulls;
-- Rows that the bounds do not leave out, the operator does.
DO $$
DECLARE
  line text;
BEGIN
  FOR line IN EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT id FROM shape WHERE c @> point '(500,500)' LOOP
    IF line ~ 'Recheck' THEN
      RAISE NOTICE '%', line;
    END IF;
  END LOOP;
END $$;
SELECT count(*), (SELECT count(*) FROM (SELECT * FROM shape OFFSET 0) s WHERE c @> point '(500,500)') AS expected FROM shape WHERE c @> point '(500,500)';

-- Joins by the index.
SET enable_hashjoin = off;
SET spqtree.enable_hashjoin = off;
SELECT count(*) AS "points in circles" FROM (SELECT c FROM shape WHERE id <= 500 OFFSET 0) a JOIN shape b ON b.p <@ a.c;
SELECT count(*) AS "segments that cross" FROM (SELECT s FROM shape WHERE id <= 500 OFFSET 0) a JOIN shape b ON b.s ?# a.s;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SELECT count(*) AS "points in circles" FROM (SELECT c FROM shape WHERE id <= 500 OFFSET 0) a JOIN shape b ON b.p <@ a.c;
SELECT count(*) AS "segments that cross" FROM (SELECT s FROM shape WHERE id <= 500 OFFSET 0) a JOIN shape b ON b.s ?# a.s;
RESET enable_hashjoin;
RESET spqtree.enable_hashjoin;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_bitmapscan;

-- What looks at indexes.
SELECT i, (SELECT count(*) FROM spqtree_check(i::regclass, true)) AS problems, (SELECT tuples FROM spqtree_stats(i::regclass)) AS tuples,
       (SELECT count(*) > 1 FROM spqtree_nodes(i::regclass)) AS nodes, (SELECT count(*) = 1 FROM xmlparse(DOCUMENT spqtree_svg(i::regclass))) AS picture
FROM unnest('{shape_p,shape_c,shape_y,shape_s,shape_w}'::text[]) i;
SELECT rows_found, rechecked, pages < (SELECT pages FROM spqtree_stats('shape_p')) AS few FROM spqtree_explain('shape_p', '((100,100),(120,120))', '<@') AS e(a, b, d, f, g, pages, rows_found, rechecked);
SELECT rows_found, rechecked FROM spqtree_explain('shape_s', '((100,100),(120,120))', '?#') AS e(a, b, d, f, g, pages, rows_found, rechecked);
SELECT count(*) FROM shape WHERE p <@ box '((100,100),(120,120))';
SELECT count(*) FROM shape WHERE s ?# box '((100,100),(120,120))';
SELECT rows_found, rechecked FROM spqtree_explain('shape_c', '((100,100),(120,120))', '&&') AS e(a, b, d, f, g, pages, rows_found, rechecked);
SELECT count(*) FROM shape WHERE c && box '((100,100),(120,120))';
SELECT * FROM spqtree_explain('shape_w', '((100,100),(120,120))', '&&');
-- The operator is the family's, whatever the search path has.
CREATE SCHEMA other_way;
CREATE FUNCTION other_way.never(circle, box) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT false';
CREATE OPERATOR other_way.&& (LEFTARG = circle, RIGHTARG = box, FUNCTION = other_way.never);
SET search_path = pg_catalog;
SELECT rows FROM public.spqtree_explain('public.shape_c', '((100,100),(120,120))', '&&');
SELECT rows FROM public.spqtree_explain('public.shape_s', '((100,100),(120,120))', '?#');
SET search_path = other_way, public;
SELECT rows FROM spqtree_explain('shape_c', '((100,100),(120,120))', '&&');
RESET search_path;
DROP OPERATOR other_way.&& (circle, box);
DROP FUNCTION other_way.never;
DROP SCHEMA other_way;

-- Exclusion constraints.
\set VERBOSITY terse
CREATE TABLE shapes_apart (c circle, p point, s lseg, EXCLUDE USING spqtree (c WITH &&), EXCLUDE USING spqtree (p WITH ~=), EXCLUDE USING spqtree (s WITH =));
INSERT INTO shapes_apart SELECT circle(point(i, i), 0.5), point(i, i), lseg(point(i, i), point(i, i + 1)) FROM generate_series(1, 1000) i;
INSERT INTO shapes_apart (c) VALUES ('<(10.5,10.5),0.2>');
INSERT INTO shapes_apart (c) VALUES ('<(10.5,10.5),0.3>');
INSERT INTO shapes_apart (p) VALUES ('(10,10.0000005)');
INSERT INTO shapes_apart (p) VALUES ('(10,10.000002)');
INSERT INTO shapes_apart (s) VALUES ('[(10,10),(10,11)]');
INSERT INTO shapes_apart (s) VALUES ('[(10,11),(10,10)]'), (NULL), (NULL);
UPDATE shapes_apart SET c = circle(center(c), 0.8) WHERE c ~= circle '<(10,10),0.5>';
\set VERBOSITY default
SELECT count(*), count(c) AS c, count(p) AS p, count(s) AS s FROM shapes_apart;
DROP TABLE shapes_apart;

-- Values that are long: compressed, out of line, with a header of one byte.
CREATE TABLE long_shape (id int, y polygon, w path);
ALTER TABLE long_shape ALTER y SET STORAGE EXTERNAL;
INSERT INTO long_shape SELECT i, polygon(2 + n, circle(point(i % 50 * 10, i / 50 * 10), 4)), path(polygon(2 + n, circle(point(i % 50 * 10, i / 50 * 10), 4)))
FROM generate_series(1, 1000) i, LATERAL (SELECT CASE i % 20 WHEN 0 THEN 2000 WHEN 1 THEN 300 ELSE i % 5 END AS n) v;
CREATE INDEX long_y ON long_shape USING spqtree (y);
CREATE INDEX long_w ON long_shape USING spqtree (w);
INSERT INTO long_shape SELECT id + 1000, y, w FROM long_shape;
ANALYZE long_shape;
SELECT count(DISTINCT indexrelid) AS indexes, count(problem) AS problems FROM pg_index LEFT JOIN LATERAL spqtree_check(indexrelid, true) ON true WHERE indrelid = 'long_shape'::regclass;
SET enable_seqscan = off;
SELECT count(*) FROM long_shape WHERE y @> point '(101,101)';
SELECT count(*) FROM long_shape WHERE point '(101,101)' <@ w;
SELECT count(*) FROM long_shape WHERE y && (SELECT y FROM long_shape WHERE id = 420);
SELECT count(*) FROM shape WHERE p <@ (SELECT y FROM long_shape WHERE id = 420);
SELECT count(*) FROM shape t JOIN long_shape l ON t.p <@ l.y;
SELECT count(DISTINCT p::text) FROM (SELECT p FROM shape ORDER BY p <-> (SELECT y FROM long_shape WHERE id = 420) LIMIT 10) s;
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM long_shape WHERE y @> point '(101,101)';
SELECT count(*) FROM long_shape WHERE point '(101,101)' <@ w;
SELECT count(*) FROM long_shape WHERE y && (SELECT y FROM long_shape WHERE id = 420);
SELECT count(*) FROM shape WHERE p <@ (SELECT y FROM long_shape WHERE id = 420);
SELECT count(*) FROM shape t JOIN long_shape l ON t.p <@ l.y;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_bitmapscan;
RESET enable_seqscan;

-- The key is among the INCLUDE columns, too: an order reads the table, since an index-only scan cannot sort by bounds of distances.
CREATE TABLE twice (id int, c circle, p point);
INSERT INTO twice SELECT i, circle(point(i, i), 1), point(i, i) FROM generate_series(1, 3000) i;
CREATE INDEX twice_c ON twice USING spqtree (c) INCLUDE (c, id);
CREATE INDEX twice_p ON twice USING spqtree (circle(p, 1)) INCLUDE (p);
VACUUM ANALYZE twice;
SET enable_seqscan = off;
SELECT id, c FROM twice ORDER BY c <-> point '(100,100.4)' LIMIT 2;
SELECT p FROM twice ORDER BY circle(p, 1) <-> point '(100,100.4)', p[0] LIMIT 4;
SELECT c FROM twice WHERE c @> point '(100,100.4)';
RESET enable_seqscan;
SELECT attname, pg_index_column_has_property('twice_c', attnum, 'returnable') AS returnable FROM pg_attribute WHERE attrelid = 'twice_c'::regclass ORDER BY attnum;
DROP TABLE twice;

-- Domains, expressions, conditions, CONCURRENTLY.
CREATE DOMAIN place AS point;
CREATE DOMAIN disk AS circle;
CREATE TABLE domains (id int, p place, d disk);
INSERT INTO domains SELECT i, point(i, i), circle(point(i, i), 1) FROM generate_series(1, 3000) i;
CREATE INDEX CONCURRENTLY ON domains USING spqtree (p) INCLUDE (id);
CREATE INDEX CONCURRENTLY ON domains USING spqtree (d) INCLUDE (id) WHERE id % 2 = 0;
CREATE INDEX ON domains USING spqtree (center(d)) WHERE id % 2 = 0;
DELETE FROM domains WHERE id % 3 = 0;
VACUUM ANALYZE domains;
UPDATE domains SET p = point(p[0] + 0.5, p[1]), d = circle(center(d), 2) WHERE id % 5 = 0;
REINDEX TABLE CONCURRENTLY domains;
INSERT INTO domains SELECT i, point(i, i), circle(point(i, i), 1) FROM generate_series(3001, 6000) i;
SELECT count(DISTINCT indexrelid) AS indexes, count(problem) AS problems FROM pg_index LEFT JOIN LATERAL spqtree_check(indexrelid, true) ON true WHERE indrelid = 'domains'::regclass;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*), min(id) FROM domains WHERE p <@ box '((100,100),(200,200))';
SELECT count(*), min(id) FROM domains WHERE d @> point '(200,200.5)' AND id % 2 = 0;
EXPLAIN (COSTS OFF) SELECT id FROM domains WHERE center(d) <@ box '((100,100),(200,200))' AND id % 2 = 0;
EXPLAIN (COSTS OFF) SELECT id, p FROM domains WHERE p <@ box '((100,100),(200,200))';
SELECT id, p FROM domains ORDER BY p <-> point '(1000,1001)' LIMIT 3;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE domains;
DROP DOMAIN place, disk;

-- A class of one's own has to say how its ends are stored.
CREATE OPERATOR CLASS no_storage FOR TYPE polygon USING spqtree AS
  OPERATOR 3 && (polygon, polygon), FUNCTION 1 _spqtree_polygon_ends(polygon, internal), FUNCTION 2 _spqtree_polygon_condition(internal, internal);
CREATE OPERATOR CLASS strange_storage FOR TYPE polygon USING spqtree AS
  OPERATOR 3 && (polygon, polygon), FUNCTION 1 _spqtree_polygon_ends(polygon, internal), FUNCTION 2 _spqtree_polygon_condition(internal, internal), STORAGE lseg;
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname IN ('no_storage', 'strange_storage') ORDER BY opcname;
CREATE INDEX long_without ON long_shape USING spqtree (y no_storage);
INSERT INTO long_shape SELECT id + 2000, y, w FROM long_shape WHERE id <= 10;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
DROP INDEX long_y;
SELECT count(*) FROM long_shape WHERE y && (SELECT y FROM long_shape WHERE id = 420);
SELECT count(*) FROM spqtree_check('long_without', true);
DROP INDEX long_without;
DROP OPERATOR FAMILY no_storage USING spqtree;
DROP OPERATOR FAMILY strange_storage USING spqtree;
DROP TABLE shape, long_shape;
DROP FUNCTION index_of;

-- Distances whose squares are smaller than any number are in order, too.
CREATE TABLE tiny_points AS SELECT point(x, 0) AS p FROM unnest('{2.0e-162,1.7e-162,1.9e-162}'::float8[]) x;
CREATE INDEX ON tiny_points USING spqtree (p);
SET enable_seqscan = off;
SELECT array_agg(d) FROM (SELECT p <-> point(0, 0) AS d FROM tiny_points ORDER BY p <-> point(0, 0)) s;
RESET enable_seqscan;

-- More leaves of rows with the same first distance than a scan has pins: the second one decides, each row is returned once.
CREATE TABLE tied_boxes AS SELECT i AS id, box(point(-1 - i % 89, -1 - i % 97), point(1 + i % 83, 1 + i % 79)) AS b FROM generate_series(1, 8000) i;
CREATE INDEX ON tied_boxes USING spqtree (b);
VACUUM ANALYZE tied_boxes;
SET enable_seqscan = off;
SELECT count(*), count(DISTINCT b::text), bool_and(d >= before) AS ordered
FROM (SELECT b, d, lag(d, 1, 0) OVER (ROWS UNBOUNDED PRECEDING) AS before
      FROM (SELECT b, b <-> box(point(5, 5), point(9, 7)) AS d FROM tied_boxes
            ORDER BY b <-> point(0, 0), b <-> box(point(5, 5), point(9, 7))) s) s;
RESET enable_seqscan;
DROP TABLE tiny_points, tied_boxes;
