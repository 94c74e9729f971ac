--
-- Indexes of boxes in three dimensions in use: updates, VACUUM, scalar columns before the
-- box, parallel builds and scans, constraints, classes that are wrong.
--
SET statement_timeout = '5min';
SET max_parallel_workers_per_gather = 0;

CREATE TABLE solid_item (id int, kind int, label text, b box3);
CREATE INDEX solid_item_b ON solid_item USING spqtree (kind, label, b) INCLUDE (id);
INSERT INTO solid_item
SELECT i, CASE WHEN i % 50 <> 0 THEN i % 3 END, CASE i % 4 WHEN 0 THEN 'pipe' WHEN 1 THEN 'wall' ELSE 'duct ' || i % 20 END,
       CASE WHEN i % 40 <> 3 THEN box3(point3(x, y, z), point3(x + w, y + w / 2, z + w / 3)) END
FROM generate_series(1, 6000) i,
     LATERAL (SELECT tst.rnd(130, i, 1) * 100 AS x, tst.rnd(130, i, 2) * 100 AS y, tst.rnd(130, i, 3) * 20 AS z, tst.rnd(130, i, 4) ^ 4 * 20 AS w) v;

-- Each answer by the index, and by the table.
CREATE FUNCTION solid_item_wrong() RETURNS TABLE (cond text, wrong bigint, rows boolean) LANGUAGE plpgsql AS $$
DECLARE
  truth text;
  answer text;
BEGIN
  FOREACH cond IN ARRAY '{kind = 1 AND label = ''wall'' AND b && box3(p\, r),kind IN (0\,2) AND b && sphere3(p\, 20),kind IS NULL AND b && ray3(p\, r),
      label = ''pipe'' AND b <@ sphere3(p\, 30),b IS NULL AND kind = 2,b && lseg3(p\, r),kind = 2 AND b |>> box3(p\, r),b = ANY (ARRAY[box3(p\, r)]) OR kind = 1 AND b @> p,kind > 1 AND b && ANY (ARRAY[box3(p\, r)\, box3(p)])}'::text[] LOOP
    cond := btrim(cond, E' \n');
    PERFORM tst.allow('seq');
    EXECUTE format('SELECT string_agg(n || '' '' || h, '','') FROM solid_item_q q, LATERAL (SELECT count(*) AS n, coalesce(bit_xor(hashint8extended(id, 1)), 0) AS h FROM solid_item t WHERE %s) s', cond) INTO truth;
    PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true), set_config('enable_indexonlyscan', 'on', true), set_config('enable_bitmapscan', 'on', true);
    EXECUTE format('SELECT string_agg(n || '' '' || h, '','') FROM solid_item_q q, LATERAL (SELECT count(*) AS n, coalesce(bit_xor(hashint8extended(id, 1)), 0) AS h FROM solid_item t WHERE %s) s', cond) INTO answer;
    wrong := (truth IS DISTINCT FROM answer)::int;
    rows := truth ~ '[1-9]\d* -?\d';
    RETURN NEXT;
  END LOOP;
END $$;
CREATE TABLE solid_item_q AS
SELECT point3(tst.rnd(131, i, 1) * 100, tst.rnd(131, i, 2) * 100, tst.rnd(131, i, 3) * 20) AS p, point3(tst.rnd(131, i, 4) * 100, tst.rnd(131, i, 5) * 100, tst.rnd(131, i, 6) * 20) AS r FROM generate_series(1, 15) i;
VACUUM ANALYZE solid_item;
SELECT * FROM solid_item_wrong();
SELECT * FROM spqtree_check('solid_item_b', true);

-- Rows move, are deleted, get another kind, and the space is used again.
UPDATE solid_item SET b = box3(point3(x(low(b)) + 3, y(low(b)), z(low(b)) - 1), high(b)) WHERE id % 3 = 0;
UPDATE solid_item SET kind = 7, label = NULL WHERE id % 10 = 1;
DELETE FROM solid_item WHERE id % 4 = 2;
SELECT sum(wrong) AS wrong FROM solid_item_wrong();
VACUUM solid_item;
SELECT sum(wrong) AS wrong FROM solid_item_wrong();
INSERT INTO solid_item SELECT id + 10000, kind, label, b FROM solid_item;
DELETE FROM solid_item WHERE z(low(b)) < 10;
VACUUM ANALYZE solid_item;
SELECT sum(wrong) AS wrong FROM solid_item_wrong();
SELECT * FROM spqtree_check('solid_item_b', true);

-- A build by several processes makes the same index.
CREATE TABLE solid_many AS
SELECT i AS id, box3(point3(x, y, z), point3(x + 1, y + 1, z + 1)) AS b
FROM generate_series(1, 20000) i, LATERAL (SELECT tst.rnd(132, i, 1) * 100 AS x, tst.rnd(132, i, 2) * 100 AS y, tst.rnd(132, i, 3) * 100 AS z) v;
ALTER TABLE solid_many SET (parallel_workers = 3);
SET max_parallel_maintenance_workers = 0;
CREATE INDEX solid_many_serial ON solid_many USING spqtree (b);
SET max_parallel_maintenance_workers = 3;
SET min_parallel_table_scan_size = 0;
CREATE INDEX solid_many_parallel ON solid_many USING spqtree (b);
SELECT pg_relation_size('solid_many_serial') = pg_relation_size('solid_many_parallel') AS same_size;
SELECT * FROM spqtree_check('solid_many_parallel', true);
DROP INDEX solid_many_serial;
VACUUM ANALYZE solid_many;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_index_scan_size = 0;
SET max_parallel_workers_per_gather = 3;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM solid_many WHERE b && frustum3 '[(1,0,0,0),(-1,0,0,50),(0,1,0,0),(0,-1,0,50),(0,0,1,0),(0,0,-1,50)]';
SELECT count(*) FROM solid_many WHERE b && frustum3 '[(1,0,0,0),(-1,0,0,50),(0,1,0,0),(0,-1,0,50),(0,0,1,0),(0,0,-1,50)]';
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
RESET enable_seqscan;
SELECT count(*) FROM solid_many WHERE b && frustum3 '[(1,0,0,0),(-1,0,0,50),(0,1,0,0),(0,-1,0,50),(0,0,1,0),(0,0,-1,50)]';
RESET ALL;

-- A first hit reads a handful of pages, of the index and of the table.
CREATE FUNCTION solid_pages(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  PERFORM tst.allow('index only');
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ' || query INTO plan;
  RETURN (plan->0->'Plan'->>'Shared Hit Blocks')::int + (plan->0->'Plan'->>'Shared Read Blocks')::int;
END $$;
SELECT max(solid_pages(format('SELECT b FROM solid_many WHERE b && %L::ray3 ORDER BY b <-> %1$L::ray3 LIMIT 1', ray3(p, point3(-1, 0.1, 0.3))))) < 30 AS few
FROM (SELECT point3(105, tst.rnd(133, i, 1) * 100, tst.rnd(133, i, 2) * 50) AS p FROM generate_series(1, 20) i) v;
-- also what no ray hits
SELECT solid_pages('SELECT b FROM solid_many WHERE b && ray3 ''<(0,0,-1),(1,1,0)>'' ORDER BY b <-> ray3 ''<(0,0,-1),(1,1,0)>'' LIMIT 1') < 3 AS few;

-- An exclusion constraint
CREATE TABLE solid_room (building int, b box3, EXCLUDE USING spqtree (building WITH =, b WITH &&));
INSERT INTO solid_room VALUES (1, '((0,0,0),(1,1,1))'), (1, '((2,0,0),(3,1,1))'), (2, '((0,0,0),(9,9,9))');
INSERT INTO solid_room VALUES (1, '((1,1,1),(2,2,2))');

-- Classes that store what does not fit.
CREATE OPERATOR CLASS solid_wrong_storage FOR TYPE box3 USING spqtree AS
  OPERATOR 3 && (box3, box3), FUNCTION 1 _spqtree_box3_ends(box3, internal), FUNCTION 2 _spqtree_box3_condition(internal, internal), STORAGE lseg3;
CREATE OPERATOR CLASS solid_no_storage FOR TYPE sphere3 USING spqtree AS
  OPERATOR 3 && (sphere3, sphere3), FUNCTION 1 _spqtree_box3_ends(box3, internal), FUNCTION 2 _spqtree_box3_condition(internal, internal);
CREATE OPERATOR CLASS solid_no_order FOR TYPE point3 USING spqtree AS
  OPERATOR 15 <-> (point3, point3) FOR ORDER BY float_ops, FUNCTION 1 _spqtree_point3_ends(point3, internal), FUNCTION 2 _spqtree_point3_condition(internal, internal);
CREATE OPERATOR CLASS solid_missing FOR TYPE point3 USING spqtree AS OPERATOR 6 ~= (point3, point3);
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname LIKE 'solid%' OR opcname IN ('box3_ops', 'point3_ops') AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree') ORDER BY opcname COLLATE "C";
DROP OPERATOR FAMILY solid_wrong_storage USING spqtree;
DROP OPERATOR FAMILY solid_no_storage USING spqtree;
DROP OPERATOR FAMILY solid_no_order USING spqtree;
DROP OPERATOR FAMILY solid_missing USING spqtree;
