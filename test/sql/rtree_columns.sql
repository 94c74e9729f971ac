--
-- The access method spqtree with scalar columns before the spatial one: every way
-- to scan, against the sequential scan; in indexes that were built, and grown.
--
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '5min';   -- a loop without end shall be a failure
SELECT setseed(0.15);

-- Rows of a condition by a sequential scan, an index scan, an index-only scan (if
-- all columns are asked for that are in the index) and a bitmap scan.  Returns how
-- many rows there are, or raises an error.
CREATE FUNCTION tst.columns_agree(tab text, columns text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT coalesce(array_agg(r ORDER BY r), ''{}'') FROM
                        (SELECT (%s)::text COLLATE "C" AS r FROM %s WHERE %s) s', columns, tab, condition);
  how record; expected text[]; found text[]; plan json;
BEGIN
  FOR how IN SELECT * FROM (VALUES ('Seq Scan', true, false, false, false), ('Index Scan', false, true, false, false),
                                   ('Index Only Scan', false, true, true, false), ('Bitmap Heap Scan', false, false, false, true))
                           v(node, seq, idx, index_only, bitmap) LOOP
    PERFORM set_config('enable_seqscan', how.seq::text, true), set_config('enable_indexscan', how.idx::text, true),
            set_config('enable_indexonlyscan', how.index_only::text, true), set_config('enable_bitmapscan', how.bitmap::text, true);
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    -- 17 sees by itself that some conditions exclude each other
    IF how.node <> 'Index Only Scan' AND plan::text NOT LIKE format('%%"Node Type": "%s"%%', how.node)
       AND plan::text NOT LIKE '%"One-Time Filter": "false"%' THEN
      RAISE EXCEPTION 'no %: % %', how.node, query, plan;
    END IF;
    EXECUTE query INTO found;
    expected := coalesce(expected, found);
    IF expected <> found THEN
      RAISE EXCEPTION '%: %: %', how.node, tst.differing(expected, found), query;
    END IF;
  END LOOP;
  RETURN cardinality(expected);
END $$;

-- 1. Integers, whose code is exact; the others' is a hash.  Boxes with all that is odd.
CREATE FUNCTION tst.columns_box(i int) RETURNS box LANGUAGE sql AS $$
  SELECT CASE WHEN i % 97 = 0 THEN NULL
              WHEN i % 101 = 0 THEN box(point('NaN', i % 7), point(5, 'NaN'))
              WHEN i % 103 = 0 THEN box(point('-Infinity', 3), point('Infinity', 9))
              WHEN i % 107 = 0 THEN box(point(1, 2), point(3, 4)) * point(-1, 0)
              ELSE box(point(x, y), point(x + 2 * random(), y + 2 * random())) END
  FROM (SELECT 100 * random() AS x, 100 * random() AS y) r $$;
CREATE TABLE columns_made AS
SELECT i AS id,
       nullif((random() ^ 3 * 60)::int, 7) AS tenant,
       nullif((random() * 5)::int2, 3::int2) AS floor,
       nullif('name ' || (random() ^ 2 * 40)::int, 'name 5') AS name,
       nullif((random() * 30)::int / 4.0, 2) AS price,
       CASE WHEN i % 13 > 0 THEN date '2026-01-01' + (random() * 20)::int END AS day,
       tst.columns_box(i) AS b
FROM generate_series(1, 6000) i;
CREATE TABLE columns_case (tab text PRIMARY KEY, key text, include text, columns text);
INSERT INTO columns_case VALUES
  ('columns_1', 'tenant, b', NULL, 'tenant, b::text'),
  ('columns_2', 'tenant, floor, b', NULL, 'floor, tenant, b::text'),
  ('columns_3', 'tenant, b', 'id, name', 'name, tenant, b::text, id'),
  ('columns_4', 'name, b', NULL, 'name, b::text'),
  ('columns_5', 'name, floor, b', 'id', 'id, name, floor, b::text'),
  ('columns_6', 'price, day, tenant, floor, b', NULL, 'price, day, tenant, floor, b::text');
DO $$
DECLARE c record;
BEGIN
  FOR c IN SELECT * FROM columns_case LOOP
    EXECUTE format('CREATE TABLE %s AS SELECT * FROM columns_made WHERE id %% 2 = 0', c.tab);
    EXECUTE format('CREATE INDEX %s_i ON %1$s USING spqtree (%s)%s', c.tab, c.key, ' INCLUDE (' || c.include || ')');
    EXECUTE format('INSERT INTO %s SELECT * FROM columns_made WHERE id %% 2 > 0', c.tab);
    -- the same, grown from nothing
    EXECUTE format('CREATE TABLE %s_grown AS SELECT * FROM columns_made LIMIT 0', c.tab);
    EXECUTE format('CREATE INDEX %s_grown_i ON %1$s_grown USING spqtree (%s)%s WITH (fillfactor = 70)', c.tab, c.key, ' INCLUDE (' || c.include || ')');
    EXECUTE format('INSERT INTO %s_grown SELECT * FROM columns_made', c.tab);
  END LOOP;
END $$;
INSERT INTO columns_case SELECT tab || '_grown', key, include, columns FROM columns_case;

CREATE TABLE columns_condition (part text, condition text);
INSERT INTO columns_condition VALUES
  ('tenant', 'tenant = 3'), ('tenant', 'tenant = 59'), ('tenant', 'tenant = 1000'), ('tenant', 'tenant = 3::int8'), ('tenant', 'tenant = 4::int2'),
  ('tenant', 'tenant = 8589934595'), ('tenant', 'tenant IS NULL'), ('tenant', 'tenant IS NOT NULL'), ('tenant', 'tenant = (SELECT NULL::int)'),
  ('tenant', 'tenant = 3 AND tenant = 4::int2'), ('tenant', 'tenant = 5 AND tenant IS NOT NULL'), ('tenant', 'tenant = 5 AND tenant IS NULL'),
  ('floor', 'floor = 2'), ('floor', 'floor = 2::int2'), ('floor', 'floor = 70000'), ('floor', 'floor IS NULL'), ('floor', 'floor IS NOT NULL'),
  ('name', 'name = ''name 3'''), ('name', 'name = ''name''::name COLLATE "default"'), ('name', 'name = ''name 30''::name COLLATE "default"'), ('name', 'name IS NULL'),
  ('price', 'price = 1.50'), ('price', 'price = 2'), ('price', 'price IS NULL'), ('day', 'day = ''2026-01-07'''), ('day', 'day IS NULL'),
  ('b', 'b && ''(10,10),(40,45)'''), ('b', 'b <@ ''(0,0),(100,50)'''), ('b', 'b @> point(30,30)'), ('b', 'b IS NULL'), ('b', 'b IS NOT NULL'),
  ('b', 'b ~= box(point(''NaN'', 3), point(5, ''NaN''))'), ('b', 'b << ''(20,20),(21,21)'' AND b |>> ''(0,0),(1,5)''');
-- Each alone, and pairs and triples of different columns, as far as the index has
-- them; one of every few.
CREATE FUNCTION tst.columns_all(one_in int, out tab text, out queries bigint, out rows numeric) RETURNS SETOF record LANGUAGE sql AS $$
  WITH one AS (SELECT c.tab, c.key, c.columns, q.part, q.condition FROM columns_case c JOIN columns_condition q ON c.key ~ ('\m' || q.part || '\M')),
       query AS (SELECT tab, columns, condition FROM one UNION
                 SELECT x.tab, x.columns, x.condition || ' AND ' || y.condition FROM one x JOIN one y ON x.tab = y.tab AND x.part < y.part
                 UNION
                 SELECT x.tab, x.columns, x.condition || ' AND ' || y.condition || ' AND ' || z.condition
                 FROM one x JOIN one y ON x.tab = y.tab AND x.part < y.part JOIN one z ON y.tab = z.tab AND y.part < z.part
                 WHERE hashtext(x.condition || y.condition || z.condition) % 5 = 0)
  SELECT tab, count(*), sum(tst.columns_agree(tab, columns, condition)) FROM query WHERE hashtext(tab || condition) % one_in = 0 GROUP BY tab ORDER BY tab $$;
VACUUM ANALYZE columns_1, columns_2, columns_3, columns_4, columns_5, columns_6,
  columns_1_grown, columns_2_grown, columns_3_grown, columns_4_grown, columns_5_grown, columns_6_grown;
SELECT * FROM tst.columns_all(5);
SELECT tab, block, item, problem FROM columns_case, spqtree_check((tab || '_i')::regclass, true);

-- 2. After rows moved, came and went, and VACUUM.
CREATE FUNCTION tst.columns_change(round int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE t text;
BEGIN
  FOR t IN SELECT tab FROM columns_case ORDER BY tab LOOP
    EXECUTE format('UPDATE %s SET b = b + point(30, id %% 20) WHERE id %% 5 = %s', t, round);
    EXECUTE format('UPDATE %s SET tenant = (tenant + 1) %% 60, name = ''name '' || id %% 45, price = price + 0.25 WHERE id %% 7 = %s', t, round);
    EXECUTE format('DELETE FROM %s WHERE tenant BETWEEN 10 + %s AND 20 OR (id %% 3 = %2$s AND day IS NULL)', t, round);
    EXECUTE format('INSERT INTO %s SELECT id + 10000 * %s, tenant, floor, name, price, day, b FROM columns_made WHERE id %% 4 = %2$s', t, round);
  END LOOP;
END $$;
SELECT tst.columns_change(1);
VACUUM columns_1, columns_2, columns_3, columns_4, columns_5, columns_6,
  columns_1_grown, columns_2_grown, columns_3_grown, columns_4_grown, columns_5_grown, columns_6_grown;
SELECT * FROM tst.columns_all(12);
SELECT tst.columns_change(2);
SELECT * FROM tst.columns_all(15);   -- some rows dead, none removed
VACUUM ANALYZE columns_1, columns_2, columns_3, columns_4, columns_5, columns_6,
  columns_1_grown, columns_2_grown, columns_3_grown, columns_4_grown, columns_5_grown, columns_6_grown;
SELECT * FROM tst.columns_all(13);
SELECT tab, block, item, problem FROM columns_case, spqtree_check((tab || '_i')::regclass, true);

-- 3. In order of distance, of a tenant, of all, and without a box.
CREATE FUNCTION tst.columns_nearest(tab text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT array_agg(row(d, n)) FROM (SELECT d, count(*) AS n FROM (SELECT b <-> point(40,60) AS d FROM %s WHERE %s ORDER BY b <-> point(40,60) LIMIT 300) s GROUP BY d ORDER BY d) s', tab, condition);
  expected text; found text; n bigint;
BEGIN
  PERFORM set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
  EXECUTE query INTO expected;
  PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true);
  EXECUTE query INTO found;
  IF expected IS DISTINCT FROM found THEN RAISE EXCEPTION 'other distances: %', query; END IF;
  EXECUTE format('SELECT count(*) FROM %s WHERE %s', tab, condition) INTO n;
  RETURN n;
END $$;
EXPLAIN (COSTS off) SELECT id FROM columns_2 WHERE tenant = 3 AND floor = 2 ORDER BY b <-> point(40,60) LIMIT 10;
SELECT condition, tst.columns_nearest('columns_1', condition) AS "1", tst.columns_nearest('columns_2_grown', condition) AS "2 grown",
       tst.columns_nearest('columns_3', condition) AS "3"
FROM unnest(ARRAY['tenant = 3', 'tenant = 59', 'tenant IS NULL', 'tenant = 4 AND b << ''(90,90),(91,91)''', 'tenant = 1000', 'true']) condition;

-- 4. Each type with a default class, and equal values that are stored differently.
CREATE TYPE columns_mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE columns_pair AS (x int, m money);
CREATE DOMAIN columns_code AS text CHECK (length(value) < 20);
CREATE TABLE columns_type (nr serial, type text, v1 text, v2 text, also_v1 text);
INSERT INTO columns_type (type, v1, v2, also_v1) VALUES
  ('int2', '-5', '32767', NULL), ('int4', '-2147483648', '2147483647', NULL), ('int8', '-9000000000', '5', NULL), ('oid', '4294967295', '0', NULL),
  ('float4', '0', '1.5', '-0'), ('float8', 'NaN', '-Infinity', NULL), ('numeric', '1.50', 'NaN', '1.5'), ('bool', 'f', 't', NULL),
  ('"char"', 'a', '', NULL), ('text', 'a', 'A', NULL), ('varchar(9)', 'x', 'y', NULL), ('char(5)', 'a', 'b', 'a  '), ('name', 'n', 'm', NULL),
  ('bytea', '\x00', '\x0001', NULL), ('date', '-infinity', '2026-02-03', NULL), ('time', '01:02', '24:00', NULL), ('timetz', '01:02+01', '01:02+02', NULL),
  ('timestamp', 'infinity', '2026-02-03 01:00', NULL), ('timestamptz', '2026-02-03 01:00Z', '2026-02-03 02:00Z', '2026-02-03 02:00+01'),
  ('interval', '1 day', '1 mon', '24:00'), ('uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', NULL),
  ('inet', '10.0.0.1', '10.0.0.0/8', NULL), ('cidr', '10.0.0.0/8', '10.0.0.0/16', NULL), ('macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04', NULL),
  ('macaddr8', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:06', NULL), ('money', '1.50', '-2', NULL), ('bit(3)', '101', '110', NULL),
  ('varbit', '1', '01', NULL), ('columns_mood', 'sad', 'happy', NULL), ('int[]', '{1,2}', '{1,NULL}', NULL), ('money[]', '{1}', '{2}', NULL),
  ('columns_pair[]', '{"(1,2)"}', '{"(1,3)"}', NULL), ('int4range', '[1,2]', '[1,2)', '[1,3)'), ('nummultirange', '{[1,2]}', '{}', NULL),
  ('columns_pair', '(1,2)', '(1,)', NULL), ('pg_lsn', '0/1', '1/0', NULL), ('xid8', '5', '18446744073709551615', NULL),
  ('jsonb', '{"a": 1}', '[]', '{"a": 1.0}'), ('tid', '(1,2)', '(2,1)', NULL), ('oidvector', '1 2', '2 1', NULL),
  ('tsvector', 'a b', 'a', 'b a'), ('tsquery', 'a & b', 'a', NULL), ('columns_code', 'p', 'q', NULL);
CREATE FUNCTION tst.columns_of_type(type text, v1 text, v2 text, also_v1 text, out by_index text, out by_table text) LANGUAGE plpgsql AS $$
DECLARE query text := 'SELECT (SELECT count(*) FROM columns_typed WHERE v = $1::TYPE AND b && ''(0,0),(50,50)'') || '' ''
  || (SELECT count(*) FROM columns_typed WHERE v = $2::TYPE) || '' '' || (SELECT count(*) FROM columns_typed WHERE v IS NULL)';
BEGIN
  query := replace(replace(replace(query, 'TYPE', type), '$1', quote_literal(v1)), '$2', quote_literal(v2));
  EXECUTE format('CREATE TABLE columns_typed (id int, v %s, b box)', type);
  EXECUTE format('CREATE INDEX columns_typed_i ON columns_typed USING spqtree (v, b)');
  EXECUTE format('INSERT INTO columns_typed SELECT i, CASE i %% 4 WHEN 0 THEN %L::%s WHEN 1 THEN %L::%2$s WHEN 2 THEN %L::%2$s END, box(point(i,i),point(i+1,i+1)) FROM generate_series(1,100) i',
                 v1, type, v2, coalesce(also_v1, v1));
  SET LOCAL enable_seqscan = off;
  EXECUTE query INTO by_index;
  REINDEX INDEX columns_typed_i;
  SET LOCAL enable_bitmapscan = off;
  EXECUTE query INTO by_table;
  by_index := by_index || ' / ' || by_table;
  SET LOCAL enable_seqscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;
  EXECUTE query INTO by_table;
  SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on; SET LOCAL enable_bitmapscan = on;
  DROP TABLE columns_typed;
END $$;
SET lc_monetary = 'C';
SELECT type, by_index, by_table FROM columns_type, LATERAL tst.columns_of_type(type, v1, v2, also_v1) ORDER BY nr;
-- oid8 is a type of 19; its values are those of xid8.
DO $$
DECLARE
  query text := 'SELECT by_index || '', '' || by_table FROM tst.columns_of_type(%L, ''5'', ''18446744073709551615'', NULL)';
  of_oid8 text;
  of_xid8 text;
BEGIN
  IF to_regtype('oid8') IS NOT NULL THEN
    EXECUTE format(query, 'oid8') INTO of_oid8;
    EXECUTE format(query, 'xid8') INTO of_xid8;
    ASSERT of_oid8 = of_xid8, of_oid8;
  END IF;
END $$;
-- All types that a btree index can have are among them.
SELECT opcintype::regtype FROM pg_opclass b WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'btree') AND opcdefault AND oid < 16384
EXCEPT SELECT opcintype::regtype FROM pg_opclass s WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'spqtree') AND opcdefault;

-- 5. A collation in which different bytes are equal, and the type of a user.
CREATE TABLE columns_other (id int, c text COLLATE "C", u columns_pair, b box);
INSERT INTO columns_other SELECT i, 'c' || i % 5, row(i % 4, (i % 3)::money)::columns_pair, box(point(i,i), point(i,i)) FROM generate_series(1, 300) i;
CREATE INDEX columns_other_i ON columns_other USING spqtree (c, u, b);
SET enable_seqscan = off;
EXPLAIN (COSTS off) SELECT id FROM columns_other WHERE c = 'c1' COLLATE "POSIX" AND u = row(1, 1::money)::columns_pair;
SELECT count(*) FROM columns_other WHERE c = 'c1' AND u = row(1, 1::money)::columns_pair AND b << '(200,200),(200,200)';
SET enable_seqscan = on;
CREATE COLLATION columns_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE columns_collated AS SELECT v COLLATE columns_ci AS t, v::name COLLATE columns_ci AS n, box(point(i,i), point(i,i)) AS b
FROM (SELECT i, CASE i % 3 WHEN 0 THEN 'abc' WHEN 1 THEN 'ABC' ELSE 'other' END AS v FROM generate_series(1, 300) i) s;
CREATE INDEX columns_collated_t ON columns_collated USING spqtree (t, b);
CREATE INDEX columns_collated_n ON columns_collated USING spqtree (n, b);
CREATE VIEW columns_counts AS
SELECT (SELECT count(*) FROM columns_collated WHERE t = 'aBc') AS text, (SELECT count(*) FROM columns_collated WHERE t = 'aBc'::name COLLATE columns_ci) AS text_by_name,
       (SELECT count(*) FROM columns_collated WHERE n = 'aBc' COLLATE columns_ci) AS name, (SELECT count(*) FROM columns_collated WHERE n = 'aBc'::text COLLATE columns_ci) AS name_by_text;
SELECT * FROM columns_counts;
SET enable_seqscan = off;
EXPLAIN (COSTS off) SELECT count(*) FROM columns_collated WHERE t = 'aBc'::name COLLATE columns_ci;
SELECT * FROM columns_counts;
CREATE FUNCTION columns_eq(point, point) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1[0] = $2[0]; END';
CREATE FUNCTION columns_hash(point, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT hashfloat8extended($1[0], $2)';
CREATE FUNCTION columns_cmp(point, point) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT btfloat8cmp($1[0], $2[0])';
CREATE OPERATOR =|= (FUNCTION = columns_eq, LEFTARG = point, RIGHTARG = point, COMMUTATOR = =|=);
CREATE OPERATOR CLASS columns_x FOR TYPE point USING spqtree AS OPERATOR 1 =|=, FUNCTION 4 columns_hash(point, bigint);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'columns_x';   -- no btree knows the operator as equality
CREATE OPERATOR CLASS columns_btree FOR TYPE point USING btree AS OPERATOR 3 =|=, FUNCTION 1 columns_cmp(point, point);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'columns_x';
CREATE TABLE columns_user AS SELECT point(i % 10, i) AS p, box(point(i,i), point(i,i)) AS b FROM generate_series(1, 500) i;
CREATE INDEX columns_user_i ON columns_user USING spqtree (p columns_x, b);
EXPLAIN (COSTS off) SELECT count(*) FROM columns_user WHERE p =|= point(3, -1) AND b && '(0,0),(100,100)';
SELECT count(*) FROM columns_user WHERE p =|= point(3, -1) AND b && '(0,0),(100,100)';
RESET enable_seqscan;

-- 6. No two bookings of a room where they overlap.
CREATE TABLE columns_booking (room int, floor text, area box,
  EXCLUDE USING spqtree (room WITH =, area WITH &&), CONSTRAINT floors EXCLUDE USING spqtree (floor WITH =, room WITH =, area WITH ~=));
INSERT INTO columns_booking SELECT i % 10, 'f', box(point(i, 0), point(i + 9, 1)) FROM generate_series(1, 500) i;
\set VERBOSITY terse
INSERT INTO columns_booking VALUES (3, 'f', '(100,0),(101,1)');
INSERT INTO columns_booking VALUES (3, 'f', '(1000,0),(1001,1)'), (3, 'g', '(1001,1),(1002,2)');
INSERT INTO columns_booking VALUES (11, 'f', '(100,0),(101,1)'), (NULL, 'f', '(100,0),(101,1)'), (3, 'f', NULL);
INSERT INTO columns_booking VALUES (11, 'f', '(100,0),(100,1)') ON CONFLICT DO NOTHING;
SELECT count(*) FROM columns_booking;

-- 7. What is refused.
CREATE INDEX ON columns_made USING spqtree (b, tenant);
CREATE INDEX ON columns_made USING spqtree (b, b);
CREATE INDEX ON columns_made USING spqtree (tenant, floor);
CREATE UNLOGGED TABLE columns_unlogged AS SELECT tenant, b FROM columns_made LIMIT 100;
CREATE INDEX ON columns_unlogged USING spqtree (b, tenant);
CREATE INDEX columns_unlogged_i ON columns_unlogged USING spqtree (tenant, b) INCLUDE (tenant);
ALTER TABLE columns_unlogged SET LOGGED;
SELECT count(*) FROM spqtree_check('columns_unlogged_i', true);
INSERT INTO columns_4 (name, b) SELECT string_agg(md5(i::text), ''), '(1,1),(2,2)' FROM generate_series(1, 100) i;
CREATE INDEX CONCURRENTLY columns_4_partial ON columns_4 USING spqtree (upper(name), tenant, b) WHERE floor > 1;
REINDEX INDEX CONCURRENTLY columns_4_partial;
SELECT count(*) FROM spqtree_check('columns_4_partial', true);
SELECT pg_get_indexdef('columns_4_partial'::regclass);

-- 8. A class's hash function that other processes must not call: it reads a temporary table.
CREATE TEMP TABLE columns_factor AS SELECT 3 AS factor;
CREATE FUNCTION columns_unsafe(int, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN (SELECT factor * $1 FROM columns_factor); END';
CREATE OPERATOR CLASS columns_unsafe_ops FOR TYPE int USING spqtree AS OPERATOR 1 =, FUNCTION 4 columns_unsafe(int, bigint);
CREATE TABLE columns_many AS SELECT i % 50 AS tenant, i % 3 AS floor, box(point(i % 173, i % 211), point(i % 173, i % 211)) AS b FROM generate_series(1, 30000) i;
ALTER TABLE columns_many SET (parallel_workers = 2);
SET min_parallel_table_scan_size = 0;
CREATE INDEX columns_many_i ON columns_many USING spqtree (floor, tenant columns_unsafe_ops, b);
SELECT count(*) FROM spqtree_check('columns_many_i', true);
DROP INDEX columns_many_i;   -- no other session can call its function
RESET min_parallel_table_scan_size;

-- 9. A constraint that is checked at the end; a cursor that outlives its transaction, and rows
-- that are deleted while it is open.
CREATE TABLE columns_later (room int, name text, area box,
  CONSTRAINT later EXCLUDE USING spqtree (room WITH =, area WITH &&) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT later_by_name EXCLUDE USING spqtree (name WITH =, room WITH =, area WITH &&) DEFERRABLE);
INSERT INTO columns_later SELECT i % 10, 'n' || i % 3, box(point(i, 0), point(i + 9, 1)) FROM generate_series(1, 500) i;
BEGIN;
UPDATE columns_later SET area = area + point(10, 0);   -- each to where another is until then
INSERT INTO columns_later VALUES (3, 'other', '(100,0),(101,1)');
DELETE FROM columns_later WHERE name = 'other';
COMMIT;
BEGIN;
INSERT INTO columns_later VALUES (3, 'other', '(100,0),(101,1)');
COMMIT;
BEGIN;
SET CONSTRAINTS later_by_name DEFERRED;
INSERT INTO columns_later SELECT room, name, area FROM columns_later WHERE room = 3 LIMIT 1;
SET CONSTRAINTS later_by_name IMMEDIATE;
ROLLBACK;
SELECT count(*) FROM columns_later;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE INDEX columns_later_i ON columns_later USING spqtree (name, area);
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT area <-> point(0, 0) FROM columns_later WHERE name IN ('n1', 'n2') ORDER BY area <-> point(0, 0);
DECLARE scrolled SCROLL CURSOR WITH HOLD FOR SELECT count(*) OVER (), room FROM columns_later WHERE room = 3 AND area && '(0,0),(1000,1)';
DECLARE updated CURSOR FOR SELECT * FROM columns_later WHERE room = 4 FOR UPDATE;
FETCH 2 FROM held;
MOVE 3 FROM updated;
DELETE FROM columns_later WHERE CURRENT OF updated;
COMMIT;
DELETE FROM columns_later WHERE name IN ('n1', 'n2');
VACUUM columns_later;
FETCH 2 FROM held;
MOVE 1000 FROM held;
FETCH LAST FROM scrolled;
FETCH FIRST FROM scrolled;
CLOSE ALL;
SELECT count(*) FROM columns_later WHERE name = 'n0';
SELECT count(*) FROM spqtree_check('columns_later_i', true);
RESET enable_seqscan;
RESET enable_bitmapscan;
