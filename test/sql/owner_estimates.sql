-- How many rows the planner expects of joins of rows that are copied into the parts
-- that they touch: the equality of parts goes with the overlap, and the owner's
-- condition keeps each pair once, however many copies there are.

LOAD 'spqtree';
SET client_min_messages = warning;
CREATE SCHEMA owner_estimates;
SET search_path = owner_estimates, public;
SET max_parallel_workers_per_gather = 0;

CREATE FUNCTION within_3_times(what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
	truth float8;
	expected float8;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) SELECT 1 ' || what INTO plan;
	expected := plan #> '{0,Plan,Plan Rows}';
	EXECUTE 'SELECT count(*) ' || what INTO truth;
	RETURN CASE WHEN truth >= 500 AND expected BETWEEN truth / 3 AND truth * 3 THEN 'yes' ELSE format('no: %s, and are %s', expected, truth) END;
END $$;

SELECT setseed(0.5);
CREATE TABLE a AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b
FROM generate_series(1, 60000) i, LATERAL (SELECT point(5000 * random(), 5000 * random() + 0 * i) AS p) q;
CREATE TABLE b AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b
FROM generate_series(1, 60000) i, LATERAL (SELECT point(5000 * random(), 5000 * random() + 0 * i) AS p) q;
CREATE TABLE clustered AS SELECT i AS id, box(p, p + point(5 * random(), 5 * random())) AS b
FROM generate_series(1, 30000) i, LATERAL (SELECT point(300 * (i % 12) + 300 * random() * random(), 500 * (i % 3) + 100 * random()) AS p) q;
SELECT spqtree_partition('SELECT b FROM a UNION ALL SELECT b FROM b', 100) AS fine, spqtree_partition('SELECT b FROM clustered', 400) AS clusters \gset
CREATE TABLE fine_a AS SELECT id, b, part FROM a, unnest(spqtree_parts(b, :'fine')) part;
CREATE TABLE fine_b AS SELECT id, b, part FROM b, unnest(spqtree_parts(b, :'fine')) part;
CREATE TABLE fine_clustered AS SELECT id, b, part FROM clustered, unnest(spqtree_parts(b, :'clusters')) part;
SELECT spqtree_partition('SELECT b FROM a UNION ALL SELECT b FROM b', 32) AS p \gset
CREATE TABLE parts_a AS SELECT id, b, part FROM a, unnest(spqtree_parts(b, :'p')) part;
CREATE TABLE parts_b AS SELECT id, b, part FROM b, unnest(spqtree_parts(b, :'p')) part;
-- a few large boxes have most of the pairs, and many copies
SELECT spqtree_partition('SELECT b FROM a', 256) AS many \gset
CREATE TABLE large AS SELECT id, b FROM a WHERE id % 20 = 0 UNION ALL SELECT -id, box((b[1]), b[1] + point(1500, 1000)) FROM a WHERE id % 2000 = 0;
CREATE TABLE large_parts AS SELECT id, b, part FROM large, unnest(spqtree_parts(b, :'many')) part ORDER BY hashint4(id), part;
CREATE TABLE small_parts AS SELECT id, b, part FROM b, unnest(spqtree_parts(b, :'many')) part WHERE id % 20 = 0;
CREATE TABLE solid_a AS SELECT id, box3(b, id % 20, id % 20 + 1) AS b, part FROM a, unnest(spqtree_parts(box3(b, id % 20, id % 20 + 1), '3d x1000 1 x3000 2 3')) part;
CREATE TABLE solid_b AS SELECT id, box3(b, id % 20, id % 20 + 1) AS b, part FROM b, unnest(spqtree_parts(box3(b, id % 20, id % 20 + 1), '3d x1000 1 x3000 2 3')) part;
CREATE TABLE hashed_a (LIKE fine_a) PARTITION BY HASH (part);
CREATE TABLE hashed_a0 PARTITION OF hashed_a FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_a1 PARTITION OF hashed_a FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE hashed_b (LIKE fine_b) PARTITION BY HASH (part);
CREATE TABLE hashed_b0 PARTITION OF hashed_b FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_b1 PARTITION OF hashed_b FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hashed_a SELECT * FROM fine_a;
INSERT INTO hashed_b SELECT * FROM fine_b;
ANALYZE fine_a, fine_b, fine_clustered, parts_a, parts_b, large_parts, small_parts, solid_a, solid_b, hashed_a, hashed_b;

SELECT within_3_times(format('FROM fine_a a JOIN fine_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'fine')) AS fine,
       within_3_times(format('FROM fine_a a JOIN fine_b b ON a.part = b.part WHERE b.b && a.b AND b.part = spqtree_pair_part(b.b, a.b, %L)', :'fine')) AS commuted,
       within_3_times(format('FROM fine_clustered a JOIN fine_clustered b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'clusters')) AS clustered;
SELECT within_3_times(format('FROM parts_a a JOIN parts_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'p')) AS parts,
       within_3_times('FROM solid_a a JOIN solid_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, ''3d x1000 1 x3000 2 3'') = part') AS "in space",
       within_3_times(format('FROM large_parts a JOIN small_parts b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'many')) AS large;
SELECT within_3_times(format('FROM fine_a a LEFT JOIN fine_b b ON a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part', :'fine')) AS "left",
       within_3_times(format('FROM fine_a a WHERE EXISTS (SELECT FROM fine_b b WHERE a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part)', :'fine')) AS semi,
       within_3_times(format('FROM fine_a a WHERE NOT EXISTS (SELECT FROM fine_b b WHERE a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part)', :'fine')) AS anti;
SELECT within_3_times(format('FROM hashed_a a JOIN hashed_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'fine')) AS partitions;
SET enable_partitionwise_join = on;
SELECT within_3_times(format('FROM hashed_a a JOIN hashed_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'fine')) AS "partition by partition";
RESET enable_partitionwise_join;
RESET search_path;
DROP SCHEMA owner_estimates CASCADE;
