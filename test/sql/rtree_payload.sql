--
-- INCLUDE columns of the access method spqtree: of every kind, as the table has them,
-- after building, insertion, splits and VACUUM.
--
SET statement_timeout = '5min';
CREATE TYPE pay_mood AS ENUM ('low', 'fair', 'high');
CREATE DOMAIN pay_share AS numeric CHECK (VALUE >= 0);
CREATE TABLE payload (b box, id int, c "char", flag bool, s int2, l int8, f float8, num pay_share, name name, short text, long text, comp text,
  bytes bytea, ints int[], texts text[], mood pay_mood, doc jsonb, span int4range, key uuid, day timestamptz, place point, shape polygon, rec pg_catalog.tid);
CREATE FUNCTION fill_payload(first int, last int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO payload
  SELECT CASE WHEN i % 50 = 1 THEN NULL ELSE box(point(x, y), point(x + 2, y + 3)) END, i,
         CASE WHEN i % 3 > 0 THEN chr(65 + i % 26) END::"char", CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END, CASE WHEN i % 7 > 0 THEN i % 32000 END,
         i * 10000000019, CASE WHEN i % 5 = 0 THEN 'NaN' ELSE i / 7.0 END, CASE WHEN i % 4 > 0 THEN i ^ 3 / 1000.0::numeric END, 'n' || i,
         CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'row ' || i END,
         -- as it is
         CASE WHEN i % 10 = 0 THEN (SELECT string_agg(md5((i * 100 + k)::text), '') FROM generate_series(1, i % 13) k) END,
         -- compressed here, and moved out of the table's row there
         CASE i % 20 WHEN 3 THEN repeat('abc' || i, 500) WHEN 4 THEN repeat('x', 30000) END,
         decode(md5(i::text), 'hex'), CASE WHEN i % 2 = 0 THEN ARRAY[i, NULL, -i] END, CASE WHEN i % 9 = 0 THEN ARRAY['a', NULL, repeat('b', i % 60)] END,
         (enum_range(NULL::pay_mood))[1 + i % 3], CASE WHEN i % 8 = 0 THEN jsonb_build_object('i', i, 'list', ARRAY[1, i]) END, int4range(i, i + 5),
         md5(i::text)::uuid, timestamptz '2000-01-01 UTC' + i * interval '1 hour', point(i, -i), CASE WHEN i % 16 = 0 THEN polygon(box(point(0, 0), point(i, i))) END, format('(%s,1)', i)::tid
  FROM generate_series(first, last) i, LATERAL (SELECT tst.rnd(210, i, 1) * 100 AS x, tst.rnd(210, i, 2) * 100 AS y) v;
$$;
SELECT fill_payload(1, 1000);
CREATE INDEX payload_b ON payload USING spqtree (b)
  INCLUDE (id, c, flag, s, l, f, num, name, short, long, comp, bytes, ints, texts, mood, doc, span, key, day, place, shape, rec);
SELECT fill_payload(1001, 2500);
VACUUM ANALYZE payload;
-- The rows of an index-only scan against those of the table.
CREATE FUNCTION compare_payload() RETURNS TABLE (query text, rows bigint, different bigint) LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean;
BEGIN
  FOREACH query IN ARRAY ARRAY['', $q$WHERE b && box '((20,20),(60,70))'$q$, 'WHERE b IS NULL', $q$WHERE b >> box '((50,0),(50,0))' AND id % 2 = 0$q$, $q$ORDER BY b <-> point '(50,50)' LIMIT 700$q$] LOOP
    PERFORM tst.allow('index only');
    hit := false;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT * FROM payload ' || query LOOP
      hit := hit OR line LIKE '%Index Only Scan%';
    END LOOP;
    IF NOT hit THEN RAISE EXCEPTION 'no index-only scan' USING DETAIL = query; END IF;
    EXECUTE 'CREATE TEMP TABLE of_index ON COMMIT DROP AS SELECT * FROM payload ' || query;
    PERFORM tst.allow('seq');
    SELECT count(*) INTO rows FROM of_index;
    EXECUTE 'SELECT count(*) FROM (SELECT p::text COLLATE "C" FROM of_index p EXCEPT ALL SELECT p::text COLLATE "C" FROM payload p ' || CASE WHEN query LIKE 'ORDER%' THEN '' ELSE query END || ') d' INTO different;
    DROP TABLE of_index;
    RETURN NEXT;
  END LOOP;
END $$;
SELECT * FROM compare_payload();
-- Updates that move rows, deletions, reuse.
UPDATE payload SET b = b + point(30, 0), short = 'moved' WHERE id % 3 = 0;
DELETE FROM payload WHERE id % 5 = 0;
VACUUM payload;
SELECT * FROM compare_payload();
SELECT fill_payload(3001, 4000);
VACUUM payload;
SELECT * FROM compare_payload();
REINDEX INDEX payload_b;
SELECT * FROM compare_payload();
DROP TABLE payload;
DROP FUNCTION compare_payload, fill_payload;
DROP DOMAIN pay_share;
DROP TYPE pay_mood;

-- Of every length up to the largest: few rows a page, down to four.
CREATE TABLE lengths (id int, b box, t text);
ALTER TABLE lengths ALTER t SET STORAGE external;
CREATE INDEX lengths_b ON lengths USING spqtree (b) INCLUDE (id, t);
INSERT INTO lengths
SELECT i, box(point(x, y), point(x + 1, y + 1)), repeat(chr(65 + i % 26), i % 1601)
FROM generate_series(1, 6000) i, LATERAL (SELECT tst.rnd(211, i, 1) * 100 AS x, tst.rnd(211, i, 2) * 100 AS y) v;
VACUUM ANALYZE lengths;
CREATE FUNCTION compare_lengths() RETURNS TABLE (n bigint, wrong bigint) LANGUAGE sql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT count(*), count(*) FILTER (WHERE t <> repeat(chr(65 + id % 26), id % 1601)) FROM lengths WHERE b && box '((-1,-1),(200,200))';
$$;
SELECT * FROM compare_lengths();
SELECT * FROM tst.check_index('lengths', 6);
DELETE FROM lengths WHERE id % 1601 BETWEEN 100 AND 1500;
VACUUM lengths;
SELECT * FROM compare_lengths();
INSERT INTO lengths
SELECT i, box(point(x, y), point(x + 1, y + 1)), repeat(chr(65 + i % 26), i % 1601)
FROM generate_series(6001, 12000) i, LATERAL (SELECT tst.rnd(211, i, 1) * 100 AS x, tst.rnd(211, i, 2) * 100 AS y) v;
VACUUM lengths;
SELECT * FROM compare_lengths();
SELECT * FROM tst.check_index('lengths', 6);
REINDEX INDEX lengths_b;
SELECT * FROM compare_lengths();
SELECT * FROM tst.check_index('lengths', 6);
-- All in one place, the longest: they cannot be told apart.
TRUNCATE lengths;
INSERT INTO lengths SELECT i, '((1,1),(2,2))', repeat(chr(65 + i % 26), i % 1601) FROM generate_series(0, 3) k, generate_series(k * 1601 + 1500, k * 1601 + 1600) i;
INSERT INTO lengths SELECT i, NULL, repeat(chr(65 + i % 26), i % 1601) FROM generate_series(1500, 1600) i;
VACUUM lengths;
SELECT * FROM compare_lengths();
SELECT count(*), sum(length(t)) FROM lengths WHERE b IS NULL;
SELECT * FROM tst.check_index('lengths', 1, proportion => 5);
REINDEX INDEX lengths_b;
SELECT * FROM compare_lengths();
SELECT * FROM tst.check_index('lengths', 1, proportion => 5);
-- Too long: an error that says so, for a box and for NULL, on insertion and in a build;
-- everything else stays as it was.
\set VERBOSITY terse
INSERT INTO lengths SELECT 1, '((1,1),(2,2))', repeat('x', 2500);
INSERT INTO lengths SELECT 1, NULL, repeat('x', 2500);
INSERT INTO lengths SELECT i, '((1,1),(2,2))', repeat('x', i) FROM generate_series(1600, 3000) i;
\set VERBOSITY default
SELECT * FROM compare_lengths();
DROP INDEX lengths_b;
INSERT INTO lengths SELECT 1, NULL, repeat('x', 2500);
\set VERBOSITY terse
CREATE INDEX lengths_b ON lengths USING spqtree (b) INCLUDE (id, t);
UPDATE lengths SET b = '((3,3),(4,4))' WHERE b IS NULL;
CREATE INDEX lengths_b ON lengths USING spqtree (b) INCLUDE (id, t);
\set VERBOSITY default
-- compressible, it is not too long
ALTER TABLE lengths ALTER t SET STORAGE extended;
CREATE INDEX lengths_b ON lengths USING spqtree (b) INCLUDE (id, t);
SELECT count(*) > 100 AS rows FROM lengths WHERE b && box '((3,3),(4,4))';
DROP TABLE lengths;
DROP FUNCTION compare_lengths;

-- INCLUDE of the box itself, of another box, of a dropped column's neighbor, of a generated column.
CREATE TABLE twice (gone int, b box, other box, g float8 GENERATED ALWAYS AS ((b[0])[0]) STORED);
ALTER TABLE twice DROP gone;
INSERT INTO twice SELECT box(point(i, i), point(i + 1, i + 1)), box(point(-i, -i), point(-i, 0)) FROM generate_series(1, 1000) i;
CREATE INDEX twice_b ON twice USING spqtree (b) INCLUDE (b, other, g);
INSERT INTO twice SELECT box(point(i, i), point(i + 1, i + 1)), NULL FROM generate_series(1001, 1500) i;
VACUUM ANALYZE twice;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT b, other, g FROM twice WHERE b && box '((999.5,999.5),(1001.5,1001.5))';
SELECT b, other, g FROM twice WHERE b && box '((999.5,999.5),(1001.5,1001.5))' ORDER BY g;
SELECT count(*) FROM twice WHERE other && box '((-5,-5),(0,0))';
DROP TABLE twice;
