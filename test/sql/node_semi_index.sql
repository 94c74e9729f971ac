--
-- Semi joins by an index of the large side, whose rows are made unique by their addresses:
-- the rows of a plan without, for random tables, conditions and statements.  SPQTREE_SEED
-- sets another seed than 1, or a new one with "time".
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
\set seed 1
\getenv seed SPQTREE_SEED
CREATE SCHEMA node_semi_index;
SET search_path = node_semi_index, public;
CREATE TABLE setup AS SELECT CASE :'seed' WHEN 'time' THEN extract(epoch FROM clock_timestamp())::bigint ELSE coalesce(nullif(:'seed', ''), '1')::bigint END AS seed;
DO $$ BEGIN RAISE LOG 'spqtree: semi joins by an index with seed %', (SELECT seed FROM setup); END $$;
CREATE FUNCTION filled(seed bigint, n int, side float8) RETURNS TABLE (id int, k int, b box, p point, c circle, t text) LANGUAGE sql AS $$
  SELECT i, tst.rndint(seed, i, 5, 0, 4), CASE WHEN i % 17 > 0 THEN box(point(x, y), point(x + w, y + h)) END, CASE WHEN i % 19 > 0 THEN point(x, y) END, circle(point(x, y), w), repeat('x', tst.rndint(seed, i, 6, 0, 60))
  FROM (SELECT i, tst.rnd(seed, i, 1) * 100 AS x, tst.rnd(seed, i, 2) * 100 AS y, tst.rnd(seed, i, 3) * side AS w, tst.rnd(seed, i, 4) * side AS h FROM generate_series(1, n) i OFFSET 0) v
$$;
CREATE TABLE big AS SELECT v.* FROM setup, filled(seed, 4000, 1) v;
INSERT INTO big SELECT 5000 + i, i % 5, box(point('NaN', i), point(i, 1)), point('NaN', i), circle(point(i, i), 'NaN'), 'nan' FROM generate_series(1, 5) i;
INSERT INTO big SELECT 6000 + i, i % 5, '(50,50),(50,50)', '(50,50)', '<(50,50),0>', 'same' FROM generate_series(1, 40) i;
CREATE TABLE few AS SELECT v.* FROM setup, filled(seed + 1, 18, 9) v;
INSERT INTO few SELECT 100 + id, k, b, p, c, t FROM few WHERE id < 4;
INSERT INTO few VALUES (201, 1, '(50,50),(49,49)', '(50,50)', '<(50,50),1>'), (202, 2, box(point('NaN', 0), point(1, 1)), point('NaN', 0), circle(point(0, 0), 'NaN')), (203, 3, '(50,50),(50,50)', '(50,50)', '<(50,50),0.1>');
CREATE INDEX ON big USING spqtree (b);
CREATE INDEX ON big USING spqtree (p);
CREATE INDEX ON big USING spqtree (k, c);
ANALYZE big, few;

-- What the plan makes unique, in one line; and whether the answers with and without it differ.
CREATE FUNCTION uses(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  line text;
  hit boolean := false;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    hit := hit OR line ~ 'Group Key: .*ctid';
  END LOOP;
  RETURN hit;
END $$;
CREATE FUNCTION compare_semi(query text, OUT used boolean, OUT different bigint, OUT matches boolean) LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL spqtree.enable_unique_semijoin = on;
  SET LOCAL spqtree.enable_hashjoin = off;
  used := uses(query);
  EXECUTE 'CREATE TEMP TABLE ours AS ' || query;
  SET LOCAL spqtree.enable_unique_semijoin = off;
  IF uses(query) THEN RAISE EXCEPTION 'not turned off: %', query; END IF;
  EXECUTE 'CREATE TEMP TABLE theirs AS ' || query;
  SELECT count(*) INTO different FROM (SELECT ours::text FROM ours EXCEPT ALL SELECT theirs::text FROM theirs UNION ALL (SELECT theirs::text FROM theirs EXCEPT ALL SELECT ours::text FROM ours)) s;
  SELECT count(*) > 0 INTO matches FROM theirs;
  DROP TABLE ours, theirs;
END $$;
SELECT condition, c.* FROM unnest(ARRAY[
  'few.b && big.b', 'big.b @> few.b', 'big.b <@ few.b', 'big.p <@ few.b', 'big.p <@ few.c', 'few.c && big.c AND few.k = big.k', 'spqtree_dwithin(big.p, few.p, 2)', 'big.p <-> few.p < 2', 'spqtree_dwithin(big.b, few.b, 1.5)',
  'few.b && big.b AND few.k = big.k', 'few.b && big.b AND few.k <> big.k AND length(few.t) < length(big.t)', 'few.b && big.b AND big.k IN (1, 3) AND few.id > 5']) condition,
  compare_semi('SELECT big.id, big.k FROM big WHERE EXISTS (SELECT FROM few WHERE ' || condition || ')') c;
SELECT query, count(*) FILTER (WHERE used) OVER () > 8 AS "used by most", different, matches FROM unnest(ARRAY[
  'SELECT count(*) FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)', 'SELECT b FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)', 'SELECT big AS row, ctid AS address, tableoid AS of FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)',
  'SELECT id, length(t) + k AS e FROM big WHERE b && ANY (SELECT b FROM few)', 'SELECT id FROM big WHERE EXISTS (SELECT FROM few f JOIN few g USING (k) WHERE f.b && big.b AND g.id <> f.id)',
  'SELECT big.id, o.id AS o FROM big JOIN few o ON o.k = big.k AND o.id < 3 WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)', 'SELECT o.id, v.n FROM few o, LATERAL (SELECT count(*) AS n FROM big WHERE big.k = o.k AND EXISTS (SELECT FROM few WHERE few.b && big.b)) v',
  'SELECT o.id, v.n FROM few o, LATERAL (SELECT count(*) AS n FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND few.k > o.k)) v', 'SELECT o.id, v.id AS v FROM few o LEFT JOIN (SELECT * FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)) v ON v.k = o.k AND v.id < 300',
  'SELECT id FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b) AND EXISTS (SELECT FROM few WHERE few.p <-> big.p < 8)', 'SELECT id FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b) ORDER BY id DESC LIMIT 5',
  'WITH u AS (SELECT * FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)) SELECT k, count(*), min(id) FROM u GROUP BY k']) query, compare_semi(query) c;
-- more rows than memory holds
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
CREATE TABLE many AS SELECT g.id * 100 + i AS id, b, repeat('y', 50) AS t FROM big g, generate_series(1, 5) i;
CREATE INDEX ON many USING spqtree (b);
ANALYZE many;
SET enable_seqscan = off;
SELECT c.* FROM compare_semi('SELECT id, t FROM many WHERE EXISTS (SELECT FROM few WHERE spqtree_expand(few.b, 12) && many.b)') c;
RESET enable_seqscan;
RESET work_mem;
RESET hash_mem_multiplier;
-- with other workers beside it
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT c.* FROM compare_semi('SELECT m.id, v.id AS v FROM many m JOIN (SELECT id, k FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)) v ON v.id = m.id / 100') c;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- changes: each row once
SET spqtree.enable_hashjoin = off;
CREATE FUNCTION change(query text, OUT used boolean, OUT different bigint, OUT changed boolean) LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMP TABLE before AS TABLE big;
  SET LOCAL spqtree.enable_unique_semijoin = on;
  used := uses(query);
  EXECUTE query;
  CREATE TEMP TABLE ours AS TABLE big;
  TRUNCATE big;
  INSERT INTO big TABLE before;
  SET LOCAL spqtree.enable_unique_semijoin = off;
  EXECUTE query;
  SELECT count(*) INTO different FROM (SELECT ours::text FROM ours EXCEPT ALL SELECT big::text FROM big UNION ALL (SELECT big::text FROM big EXCEPT ALL SELECT ours::text FROM ours)) s;
  SELECT count(*) > 0 INTO changed FROM (SELECT before::text FROM before EXCEPT ALL SELECT big::text FROM big) s;
  TRUNCATE big;
  INSERT INTO big TABLE before;
  DROP TABLE before, ours;
END $$;
SELECT statement, c.* FROM unnest(ARRAY['DELETE FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)', 'UPDATE big SET k = k + 10, b = b + point(1, 1) WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)',
  'UPDATE big SET b = few.b FROM few WHERE few.id = 3 AND few.k = big.k AND EXISTS (SELECT FROM few f WHERE f.b && big.b)', 'DELETE FROM big USING few o WHERE o.k = big.k AND o.id < 4 AND big.p <@ ANY (SELECT c FROM few)',
  'MERGE INTO big USING few o ON o.id = 1 AND o.k = big.k AND EXISTS (SELECT FROM few f WHERE f.b && big.b) WHEN MATCHED THEN UPDATE SET k = 9']) statement, change(statement) c;
RESET spqtree.enable_unique_semijoin;

-- Plans
EXPLAIN (COSTS OFF) SELECT count(*) FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b);
EXPLAIN (COSTS OFF) SELECT big.id FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND few.k <> big.k) FOR UPDATE;
EXPLAIN (COSTS OFF, VERBOSE) DELETE FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b) RETURNING id;
EXPLAIN (COSTS OFF) SELECT id FROM big WHERE b && ANY (SELECT b FROM few);
SELECT (SELECT count(*) FROM (SELECT big.id FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND few.k <> big.k) FOR UPDATE) v) = (SELECT count(DISTINCT big.id) FROM big JOIN few ON few.b && big.b AND few.k <> big.k) AS same;
-- partitions, one of them with other columns, and children: an address is one of each of them
CREATE TABLE parted (id int, b box) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (2000);
CREATE TABLE parted_2 (gone text, b box, id int);
ALTER TABLE parted_2 DROP COLUMN gone;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES FROM (2000) TO (9000);
CREATE TABLE ancestor AS SELECT id, b FROM big WHERE id % 2 = 0;
CREATE TABLE descendant (more int) INHERITS (ancestor);
INSERT INTO descendant SELECT id, b, k FROM big WHERE id % 2 = 1;
CREATE INDEX ON ancestor USING spqtree (b);
CREATE INDEX ON descendant USING spqtree (b);
INSERT INTO parted SELECT id, b FROM big;
CREATE INDEX ON parted USING spqtree (b);
CREATE INDEX ON big (id);
ANALYZE parted, big, ancestor, descendant;
SELECT query, c.* FROM unnest(ARRAY['SELECT id FROM parted WHERE EXISTS (SELECT FROM few WHERE few.b && parted.b)', 'SELECT parted AS row, tableoid AS of, ctid AS address FROM parted WHERE EXISTS (SELECT FROM few WHERE few.b && parted.b AND few.k < 4)',
  'SELECT count(*) FROM parted WHERE b && ANY (SELECT b FROM few) AND id < 1500', 'SELECT id, b FROM ancestor WHERE EXISTS (SELECT FROM few WHERE few.b && ancestor.b)']) query, compare_semi(query) c;
-- the arms of a UNION ALL, if they are different tables
CREATE TABLE second_big AS SELECT id + 10000 AS id, k + 1 AS k, b, p FROM big WHERE id % 2 = 0;
CREATE INDEX ON second_big USING spqtree (b);
ANALYZE second_big;
CREATE VIEW arms AS SELECT id, b FROM big UNION ALL SELECT id, b FROM second_big;
CREATE VIEW three_arms AS SELECT id, b, k + 1 AS k FROM big UNION ALL SELECT id, b, 7 FROM second_big UNION ALL SELECT id, b, NULL FROM parted;
CREATE VIEW same_arms AS SELECT id, b FROM big UNION ALL SELECT id, b FROM big;
CREATE VIEW addresses AS SELECT id, b, ctid AS address FROM big UNION ALL SELECT id, b, ctid FROM second_big;
CREATE VIEW filtered_arms AS SELECT id, b FROM big WHERE k = 2 UNION ALL SELECT id, b FROM second_big;
SELECT query, c.used, c.different, c.matches FROM unnest(ARRAY['SELECT id FROM arms WHERE EXISTS (SELECT FROM few WHERE few.b && arms.b)', 'SELECT arms AS row FROM arms WHERE EXISTS (SELECT FROM few WHERE few.b && arms.b AND few.k < 4)', 'SELECT count(*), min(k) FROM three_arms WHERE b && ANY (SELECT b FROM few)',
  'SELECT id, k FROM three_arms t WHERE EXISTS (SELECT FROM few WHERE few.b && t.b AND few.k <> t.k)', 'SELECT id FROM same_arms WHERE EXISTS (SELECT FROM few WHERE few.b && same_arms.b)', 'SELECT id, address FROM addresses WHERE EXISTS (SELECT FROM few WHERE few.b && addresses.b)',
  'SELECT id FROM filtered_arms WHERE EXISTS (SELECT FROM few WHERE few.b && filtered_arms.b)', 'SELECT o.id, v.n FROM few o, LATERAL (SELECT count(*) AS n FROM arms WHERE EXISTS (SELECT FROM few WHERE few.b && arms.b AND few.k > o.k)) v']) query, compare_semi(query) c;
EXPLAIN (COSTS OFF) SELECT count(*) FROM arms WHERE EXISTS (SELECT FROM few WHERE few.b && arms.b);
UPDATE few SET k = k FROM arms WHERE arms.id = few.id AND EXISTS (SELECT FROM few f WHERE f.b && arms.b);

-- not where a condition is volatile, partitions are changed or locked, the query has no spatial condition, or it is an anti join
SELECT query, uses(query) FROM unnest(ARRAY['SELECT FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND big.id > random())', 'SELECT FROM big WHERE big.id > random() AND EXISTS (SELECT FROM few WHERE few.b && big.b)',
  'SELECT FROM parted WHERE EXISTS (SELECT FROM few WHERE few.b && parted.b) FOR UPDATE', 'DELETE FROM parted WHERE EXISTS (SELECT FROM few WHERE few.b && parted.b)', 'SELECT FROM big WHERE EXISTS (SELECT FROM few WHERE few.id = big.id)',
  'SELECT FROM big WHERE EXISTS (SELECT FROM few WHERE few.id < big.id AND big.id < 5)', 'SELECT FROM big WHERE NOT EXISTS (SELECT FROM few WHERE few.b && big.b)', 'SELECT FROM parted_1 WHERE EXISTS (SELECT FROM few WHERE few.b && parted_1.b)']) query;
-- a prepared statement, and a cursor
PREPARE found (int) AS SELECT count(*) = (SELECT count(DISTINCT big.id) FROM big JOIN few ON few.b && big.b AND few.id >= $1) AS same, count(*) > 0 AS some FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND few.id >= $1);
SET plan_cache_mode = force_generic_plan;
EXECUTE found (0);
EXECUTE found (300);
RESET plan_cache_mode;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b AND few.id = 201) AND id > 6000 ORDER BY id;
FETCH 2 FROM c;
MOVE BACKWARD ALL FROM c;
FETCH 2 FROM c;
COMMIT;
-- Filters that cannot be sampled are assumed to keep few rows. If they keep all, a semi join stops at the first of many matches, but this
-- plan reads them all: with many matches a row, a search that stops is taken; with few matches, or statistics, this plan.
CREATE TABLE dense AS SELECT i AS id, 'chr' || i % 2 AS chrom, int4range(i, i + 500) AS r FROM generate_series(1, 2000) i;
CREATE TABLE other_dense AS SELECT * FROM dense;
CREATE TABLE wide AS SELECT i AS id, int4range(i * 10, i * 10 + 5) AS r, repeat('x', 100) AS t FROM generate_series(1, 20000) i;
CREATE TABLE sparse AS SELECT i AS id, 'chr' || i % 2 AS chrom, int4range(i * 100, i * 100 + 5) AS r FROM generate_series(1, 2000) i;
CREATE INDEX ON dense USING spqtree (r);
CREATE INDEX ON other_dense USING spqtree (r);
CREATE INDEX ON wide USING spqtree (r);
CREATE INDEX ON sparse USING spqtree (r);
VACUUM ANALYZE dense, other_dense, wide, sparse;
CREATE FUNCTION nodes_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  nodes text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    nodes := concat_ws(', ', nodes, substring(line FROM '^(?: *->)? *(HashAggregate|Nested Loop.*|Custom Scan.*|Seq Scan|.*Scan using [^ ]*|Materialize|Hash .*Join|Bitmap [^ ]* Scan)'));
  END LOOP;
  RETURN nodes;
END $$;
SELECT condition, nodes_of('SELECT FROM dense a WHERE ' || condition) FROM unnest(ARRAY[
  'reverse(a.chrom) = ''1rhc'' AND right(a.chrom, 1) = ''1'' AND EXISTS (SELECT FROM other_dense b WHERE a.r && b.r AND reverse(b.chrom) = ''1rhc'' AND right(b.chrom, 1) = ''1'')',
  'reverse(a.chrom) = ''1rhc'' AND EXISTS (SELECT FROM other_dense b WHERE a.r && b.r AND reverse(b.chrom) = ''1rhc'')', 'EXISTS (SELECT FROM other_dense b WHERE a.r && b.r AND b.id = 77)']) condition;
SELECT condition, uses('SELECT FROM wide a WHERE ' || condition) AS "unique" FROM unnest(ARRAY['EXISTS (SELECT FROM sparse b WHERE a.r && b.r AND reverse(b.chrom) = ''x'' AND b.id % 2 = 3)', 'EXISTS (SELECT FROM sparse b WHERE a.r && b.r AND b.id < 3)']) condition;
-- row security: rows that the policy hides are not counted, and the condition comes after it
CREATE ROLE spqtree_semi;
GRANT USAGE ON SCHEMA node_semi_index TO spqtree_semi;
GRANT SELECT ON big, few TO spqtree_semi;
CREATE POLICY of_role ON big FOR SELECT TO spqtree_semi USING (k = 2);
ALTER TABLE big ENABLE ROW LEVEL SECURITY;
CREATE TABLE truth AS SELECT count(*) FROM big WHERE k = 2 AND EXISTS (SELECT FROM few WHERE few.b && big.b);
GRANT SELECT ON truth TO spqtree_semi;
SET ROLE spqtree_semi;
SELECT (SELECT count(*) FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)) = count AS same, uses('SELECT FROM big WHERE EXISTS (SELECT FROM few WHERE few.b && big.b)') FROM truth;
RESET ROLE;
DROP OWNED BY spqtree_semi;
DROP ROLE spqtree_semi;
