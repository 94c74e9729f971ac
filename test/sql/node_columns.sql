--
-- The columns that pass through the spatial hash join: of every size, passed by value
-- and by reference, null and not, one or many of a side; results that only copy columns.
--
-- Each answer is compared with that of the nested loop.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET hash_mem_multiplier = 1;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_columns;
SET search_path = node_columns;

-- Row i of a table: values of all sizes, extreme ones among them; each column but the
-- first is null in some rows.
CREATE FUNCTION some_rows(side int, n int)
RETURNS TABLE (id int, b box, i2 smallint, i4 int, i8 bigint, f4 real, f8 float8, yes boolean, c "char", day date, o oid, num numeric, t text, p point, ip uuid) LANGUAGE sql AS $$
  SELECT i, CASE WHEN i % 31 <> 5 THEN box(point(i * 7 % 50 + side * 0.3, i / 50), point(i * 7 % 50 + side * 0.3 + 0.9, i / 50 + 1.4)) END,
         (ARRAY[0, -1, 1, 32767, -32768, NULL])[1 + i % 6], (ARRAY[0, -1, 1, 2147483647, -2147483648, NULL])[1 + i % 6],
         (ARRAY[0, -1, 1, 4294967296, 9223372036854775807, -9223372036854775808, NULL])[1 + i % 7],
         (ARRAY[0, '-0', 1.5, 'NaN', '-Infinity', NULL]::real[])[1 + i % 6], (ARRAY[0, '-0', 1.5, 'NaN', '-Infinity', NULL]::float8[])[1 + i % 6],
         (ARRAY[true, false, NULL])[1 + i % 3], (ARRAY['a', E'\\377', '', NULL]::"char"[])[1 + i % 4], (ARRAY['2026-11-27', '-infinity', '4713-01-01 BC', NULL]::date[])[1 + i % 4],
         (ARRAY[0, 1, 2147483648, 4294967295, NULL]::oid[])[1 + i % 5], nullif(i % 5, 0)::numeric / 7, CASE WHEN i % 4 > 0 THEN repeat(chr(97 + i % 26), i % 40) END,
         CASE WHEN i % 3 > 0 THEN point(i, -i) END, CASE WHEN i % 3 > 0 THEN md5(i::text)::uuid END
  FROM generate_series(1, n) i
$$;
CREATE TABLE l AS SELECT * FROM some_rows(1, 400);
CREATE TABLE r AS SELECT * FROM some_rows(2, 300);
ANALYZE l, r;

CREATE TABLE target (nr serial, target text);
-- one column of either side, or none
INSERT INTO target (target)
SELECT format(f, c) FROM unnest(ARRAY['i2', 'i4', 'i8', 'f4', 'f8', 'yes', 'c', 'day', 'o', 'num', 't', 'p::text', 'ip']) c,
                         unnest(ARRAY['l.%1$s AS x, r.%1$s AS y', 'l.%1$s AS x', 'r.%1$s AS y', 'l.%1$s IS NULL AS x, r.%1$s AS y']) f;
-- several: twice, in another order, of one side only, by value and not
INSERT INTO target (target) VALUES
  (''), ('1 AS x'), ('l.id AS x, r.id AS y'), ('r.id AS x, l.id AS y'), ('l.id AS x, l.id AS y, l.i4 AS z'), ('l.i4 AS x, l.i8 AS y, l.yes AS z, r.c AS u, r.i2 AS v'),
  ('r.f8 AS x, r.day AS y, r.o AS z'), ('l.i4 AS x, l.t AS y, r.num AS z'), ('l.i8 % 7 + r.i4 % 5 AS x'), ('l.*'), ('r.*'), ('l.*, r.id AS rid, r.t AS rt'), ('l AS x, r.id AS y'), ('l AS x, r AS y'),
  ('l.id AS x, random() < 2 AS y, r.id AS z'), ('l.i8 AS x, r.b::text AS y'), ('l.b::text AS x, r.i8 AS y');
CREATE TABLE form (nr serial, form text);
INSERT INTO form (form) VALUES
  ('SELECT %s FROM l JOIN r ON l.b && r.b'), ('SELECT %s FROM l LEFT JOIN r ON l.b && r.b AND l.i4 < r.i4'), ('SELECT %s FROM l RIGHT JOIN r ON l.b && r.b AND l.yes'),
  ('SELECT %s FROM l JOIN r ON l.b && r.b AND l.i2 = r.i2'), ('SELECT %s FROM l LEFT JOIN r ON l.b && r.b WHERE r.id IS NULL OR r.i8 IS DISTINCT FROM l.i8');
SELECT form, count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM form f, target t, LATERAL tst.compared(format(form, target)) GROUP BY f.nr, form ORDER BY f.nr;
-- in batches
SET work_mem = '64kB';
SELECT form, count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM form f, target t, LATERAL tst.compared(format(form, target)) WHERE t.nr % 3 = 0 GROUP BY f.nr, form ORDER BY f.nr;
RESET work_mem;

-- rows of one side only
SELECT nr, "rows", same FROM target, LATERAL tst.compared(format('SELECT %s FROM l WHERE EXISTS (SELECT FROM r WHERE l.b && r.b AND l.i2 <> r.i2)', target)) WHERE target !~ '\mr\M' AND nr > 40 ORDER BY nr;
SELECT nr, "rows", same FROM target, LATERAL tst.compared(format('SELECT %s FROM r WHERE NOT EXISTS (SELECT FROM l WHERE l.b && r.b AND l.i2 <> r.i2)', target)) WHERE target !~ '\ml\M' AND nr > 40 ORDER BY nr;

-- more columns that are passed by value than a row of values has
SELECT format('CREATE TABLE wide%s AS SELECT id, b, %s FROM %s', n, string_agg(format('nullif(id %% %s, 1) AS c%s', i + 1, i), ', ' ORDER BY i), CASE n % 2 WHEN 0 THEN 'l' ELSE 'r' END)
FROM unnest(ARRAY[28, 29, 30, 31]) n, generate_series(1, n) i GROUP BY n ORDER BY n \gexec
ANALYZE;
SELECT n, "rows", same FROM unnest(ARRAY[28, 29, 30, 31]) n,
  LATERAL (SELECT format('SELECT w.id AS wid, %s, l.i4 FROM wide%s w RIGHT JOIN l ON l.b && w.b', string_agg('w.c' || i, ', ' ORDER BY i), n) AS query FROM generate_series(1, n) i) q,
  LATERAL tst.compared(query) ORDER BY n;

-- values of other forms: in memory as objects, out of line, compressed, aligned, of no fixed length; and many of them
CREATE TABLE formed AS SELECT id, b, i4, nullif(id % 5, 0) * interval '1 hour' AS pause, CASE WHEN id % 3 > 0 THEN repeat(md5(id::text), id % 97) END AS plain, CASE WHEN id % 4 > 0 THEN repeat('x', id * 30) END AS pressed, ARRAY[id, NULL, i4] AS list FROM l;
ALTER TABLE formed ALTER plain SET STORAGE EXTERNAL;
UPDATE formed SET plain = plain || '';
ANALYZE formed;
CREATE TABLE shown (nr serial, shown text);
INSERT INTO shown (shown) VALUES ('l.pause AS x, r.id AS y'), ('l.id % 2 AS x, l.pause AS y, r.pause AS z'), ('length(l.plain) AS x, md5(r.plain) AS y'), ('l.id AS x, length(r.pressed) AS y, md5(l.plain) AS z'), ('l.list AS x, r.pause AS y, r.id AS z'), ('l AS x, r.list AS y'), ('md5(l.*::text) AS x, md5(r.*::text) AS y');
SELECT nr, "rows", same FROM shown, LATERAL tst.compared(format('SELECT %s FROM formed l JOIN formed r ON l.b && r.b AND l.i4 IS DISTINCT FROM r.i4', shown)) ORDER BY nr;
SELECT nr, "rows", same FROM shown, LATERAL tst.compared(format('SELECT %s FROM formed l LEFT JOIN formed r ON l.b && r.b AND l.list <> r.list AND l.plain <> r.plain', shown)) ORDER BY nr;
SELECT nr, "rows", same FROM unnest(ARRAY['l.list AS x, r.list AS y', 'l.list[2] AS x, r.word::text AS y, l.id AS z', 'l.word::text AS x, r.list AS y']) WITH ORDINALITY t(shown, nr),
  LATERAL tst.compared(format('SELECT %s FROM (SELECT id, b, array_append(list, id) AS list, textout(plain) AS word FROM formed OFFSET 0) l JOIN (SELECT id, b, array_append(list, i4) AS list, textout(pressed) AS word FROM formed OFFSET 0) r ON l.b && r.b AND l.id <> r.id', shown)) ORDER BY nr;
SET work_mem = '64kB';
SELECT nr, "rows", same FROM shown, LATERAL tst.compared(format('SELECT %s FROM formed l JOIN formed r ON l.b && r.b AND l.list <> r.list AND l.id <> r.id', shown)) ORDER BY nr;
RESET work_mem;

-- pairs come from the engine some at a time: rescans in the middle, ends, cursors
SELECT "rows", same FROM tst.compared('SELECT x, q.* FROM generate_series(0, 200, 10) x, LATERAL (SELECT l.id, r.i4 FROM l JOIN r ON l.b && r.b AND l.id >= x AND r.id >= x OFFSET 0) q');
SELECT "rows", same FROM tst.compared('SELECT x, (SELECT count(*) FROM (SELECT FROM l JOIN r ON l.b && r.b LIMIT x) q) FROM generate_series(1, 300, 7) x');
SELECT "rows", same FROM tst.compared('SELECT x, q.id % 10 = x AS fits FROM generate_series(0, 9) x, LATERAL (SELECT l.id, r.i4 FROM l JOIN r ON l.b && r.b AND l.id % 10 = x LIMIT 10) q');
SELECT "rows", same FROM tst.compared('SELECT x, EXISTS (SELECT FROM l JOIN r ON l.b && r.b AND l.id + r.id = x) FROM generate_series(900, 1200, 10) x');
BEGIN;
SELECT tst.use_node(true);
DECLARE c CURSOR FOR SELECT l.id AS x, r.id AS y, r.i8 FROM l JOIN r ON l.b && r.b;
CREATE TABLE fetched (x int, y int, i8 bigint);
DO $$
DECLARE
  row record;
  cursor refcursor := 'c';
BEGIN
  LOOP
    FETCH cursor INTO row;
    EXIT WHEN NOT FOUND;
    INSERT INTO fetched VALUES (row.x, row.y, row.i8);
  END LOOP;
END $$;
SELECT tst.use_node(false);
SELECT count(*) FROM fetched;
SELECT count(*) FROM (SELECT l.id, r.id, r.i8 FROM l JOIN r ON l.b && r.b EXCEPT ALL TABLE fetched) q;
COMMIT;

-- Scans below the node return rows as they are stored, if nothing speaks against it:
-- dropped columns, columns that older rows lack, system columns and whole rows do;
-- tables with children have columns in several orders; and rows may come from elsewhere.
CREATE TABLE odd AS SELECT id, 'x'::text AS gone, b, i4, t FROM l;
ALTER TABLE odd DROP COLUMN gone;
CREATE TABLE later AS SELECT id, b, i8 FROM l WHERE id % 2 = 0;
ALTER TABLE later ADD COLUMN word text DEFAULT 'old', ADD COLUMN no int;
INSERT INTO later SELECT id, b, i8, 'new', id FROM l WHERE id % 2 = 1;
CREATE TABLE made (id int, twice int GENERATED ALWAYS AS (id * 2) STORED, b box, t text);
INSERT INTO made (id, b, t) SELECT id, b, t FROM l;
CREATE TABLE divided (id int, b box, i4 int, t text) PARTITION BY RANGE (id);
CREATE TABLE divided1 PARTITION OF divided FOR VALUES FROM (MINVALUE) TO (150);
CREATE TABLE divided2 (t text, gone int, i4 int, b box, id int);
ALTER TABLE divided2 DROP COLUMN gone;
ALTER TABLE divided ATTACH PARTITION divided2 FOR VALUES FROM (150) TO (MAXVALUE);
INSERT INTO divided SELECT id, b, i4, t FROM l;
CREATE TABLE parent AS SELECT id, b, t FROM l WHERE id <= 200;
CREATE TABLE child (extra int, t text, id int, b box);
INSERT INTO child SELECT i4, t, id, b FROM l WHERE id > 200;
ALTER TABLE child INHERIT parent;
CREATE TABLE long AS SELECT id, b, (SELECT string_agg(md5(i::text || l.id), '') FROM generate_series(1, 200) i) AS t, id % 5 AS k FROM l;
CREATE INDEX ON long (k);
CREATE DOMAIN small AS int CHECK (VALUE < 1000);
CREATE TYPE mood AS ENUM ('sad', 'glad');
CREATE TABLE named AS SELECT id, b, id::small AS d, CASE WHEN id % 3 > 0 THEN (ARRAY['sad', 'glad'])[1 + id % 2]::mood END AS m FROM l;
CREATE VIEW guarded WITH (security_barrier) AS SELECT t, b, id FROM l WHERE i4 IS NOT NULL;
ANALYZE;
CREATE TABLE source (nr serial, query text);
INSERT INTO source (query) VALUES
  ('SELECT o.t, r.id, o.id FROM odd o JOIN r ON o.b && r.b'), ('SELECT o, r.id FROM odd o LEFT JOIN r ON o.b && r.b'),
  ('SELECT a.word, r.id FROM later a JOIN r ON a.b && r.b'), ('SELECT a.word, a.no, r.t FROM later a RIGHT JOIN r ON a.b && r.b'),
  ('SELECT a.twice, r.i8 FROM made a JOIN r ON a.b && r.b'), ('SELECT a.t, r.id FROM made a JOIN r ON a.b && r.b AND a.twice > r.id'),
  ('SELECT a.ctid, r.id FROM l a JOIN r ON a.b && r.b'), ('SELECT a.tableoid::regclass, a.ctid, a.t, r.tableoid::regclass, r.i4 FROM l a LEFT JOIN r ON a.b && r.b'),
  ('SELECT a.t, a.i4, r.id FROM divided a JOIN r ON a.b && r.b'), ('SELECT a, a.tableoid::regclass, r.id FROM divided a JOIN r ON a.b && r.b'),
  ('SELECT a.t, r.i4 FROM divided2 a JOIN r ON a.b && r.b'), ('SELECT a.t, r.id FROM parent a JOIN r ON a.b && r.b'), ('SELECT a, r.id FROM parent a LEFT JOIN r ON a.b && r.b'),
  ('SELECT length(a.t), md5(a.t), r.id FROM long a JOIN r ON a.b && r.b'), ('SELECT a.id, r.t FROM long a JOIN r ON a.b && r.b AND a.k = 3'),
  ('SELECT a.d, r.id FROM named a JOIN r ON a.b && r.b'), ('SELECT a.m, r.i2 FROM named a JOIN r ON a.b && r.b'), ('SELECT a.m, a.d, r.id FROM named a RIGHT JOIN r ON a.b && r.b'),
  ('SELECT a.t, r.id FROM guarded a JOIN r ON a.b && r.b'), ('WITH a AS MATERIALIZED (SELECT t, b, id FROM l) SELECT a.t, a.id, r.id AS rid FROM a JOIN r ON a.b && r.b'),
  ('SELECT a.t, a.n, r.id FROM (SELECT b, t, row_number() OVER (ORDER BY id) AS n FROM l) a JOIN r ON a.b && r.b'), ('SELECT a.x, r.id FROM (SELECT b, i2 + 1 AS x FROM l OFFSET 0) a LEFT JOIN r ON a.b && r.b'),
  ('SELECT a.x, r.id FROM r LEFT JOIN (SELECT b, coalesce(i4, 7) AS x FROM l) a ON a.b && r.b'), ('SELECT a.i4, r.id FROM l a JOIN (SELECT * FROM r UNION ALL SELECT * FROM r) r ON a.b && r.b'),
  ('SELECT a.id, c.i4, r.id AS rid FROM l a JOIN r ON a.b && r.b JOIN l c ON c.b && r.b AND c.id < 100'), ('SELECT a.id, r.id AS rid, c.t FROM l a LEFT JOIN r ON a.b && r.b LEFT JOIN odd c ON c.b && r.b'),
  ('SELECT v.x, r.id FROM (VALUES (1, box ''((0,0),(9,9))''), (NULL, box ''((20,0),(22,3))'')) v (x, b) JOIN r ON v.b && r.b'),
  ('SELECT q.* FROM generate_series(1, 4) g, LATERAL (SELECT a.t, r.i4, g.g FROM l a JOIN r ON a.b && r.b AND a.id % 5 = g.g OFFSET 0) q');
SELECT nr, "rows", same FROM source, LATERAL tst.compared(query) ORDER BY nr;
-- below the node, an index and its bitmap
SET enable_seqscan = off;
SELECT "rows", same FROM tst.compared('SELECT a.t, a.id, r.id AS rid FROM long a JOIN r ON a.b && r.b AND a.k = 3');
SET enable_bitmapscan = off;
SELECT "rows", same FROM tst.compared('SELECT a.t, a.id, r.id AS rid FROM long a JOIN r ON a.b && r.b AND a.k = 3');
RESET enable_seqscan;
RESET enable_bitmapscan;
-- rows that are locked and changed
BEGIN;
SELECT tst.use_node(true);
EXPLAIN (VERBOSE, COSTS OFF) SELECT a.id, r.i4 FROM l a JOIN r ON a.b && r.b;
SELECT count(*), sum(a.id + r.id) FROM (SELECT a.id, r.id AS rid FROM l a JOIN r ON a.b && r.b FOR UPDATE) a JOIN r ON r.id = a.rid;
UPDATE odd SET i4 = r.id FROM r WHERE odd.b && r.b AND odd.id = r.id;
DELETE FROM later a USING r WHERE a.b && r.b AND a.id < r.id;
SELECT tst.use_node(false);
SELECT count(*) FROM odd JOIN r ON odd.b && r.b AND odd.id = r.id WHERE odd.i4 = r.id;
SELECT count(*) FROM later a JOIN r ON a.b && r.b AND a.id < r.id;
COMMIT;
-- tables with as many columns as there can be
DO $$
BEGIN
  EXECUTE 'CREATE TABLE many AS SELECT id, b, ' || (SELECT string_agg(format('(id + %s)::smallint AS c%1$s', i), ', ') FROM generate_series(1, 1590) i) || ' FROM l';
END $$;
ANALYZE many;
SELECT "rows", same FROM tst.compared('SELECT a.c1590, c.c1589, a.c7 FROM many a JOIN many c ON a.b && c.b AND a.id < c.id');

-- Estimates that are far too high: there is no memory for all these rows.
CREATE FUNCTION few() RETURNS TABLE (id int, b box) LANGUAGE sql STABLE ROWS 1e9 AS 'SELECT id, b FROM r WHERE id < 100 OFFSET 0';
SET work_mem = '1GB';
SELECT "rows", same FROM tst.compared('SELECT f.id, r.i4 FROM few() f JOIN r ON f.b && r.b');
SELECT "rows", same FROM tst.compared('SELECT f.id, g.id AS gid FROM few() f JOIN few() g ON f.b && g.b');
RESET work_mem;

-- workers that share the build side
BEGIN;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SELECT count(*) AS targets, sum("rows") AS "rows", bool_and(same) AS same
FROM target t, LATERAL tst.compared(format('SELECT %s FROM l JOIN r ON l.b && r.b', target)) WHERE t.nr % 4 = 0;
COMMIT;

DROP SCHEMA node_columns CASCADE;
