-- The join node decides the conditions on parts by itself.  Its rows are those of a
-- nested loop, also where the values of "part" are not those of spqtree_parts.

LOAD 'spqtree';
SET client_min_messages = warning;
CREATE SCHEMA join_parts;
SET search_path = join_parts, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- Rows that differ between the node and a nested loop, and whether the node was used.
CREATE FUNCTION compare(what text, OUT node boolean, OUT "rows" bigint, OUT differ bigint) LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	SET LOCAL enable_hashjoin = off;
	SET LOCAL spqtree.enable_hashjoin = always;
	SET LOCAL enable_mergejoin = off;
	SET LOCAL enable_nestloop = off;
	node := false;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || what LOOP
		node := node OR line LIKE '%Spqtree Spatial Hash Join%';
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE by_node AS ' || what;
	SET LOCAL enable_nestloop = on;
	SET LOCAL spqtree.enable_hashjoin = off;
	EXECUTE 'CREATE TEMP TABLE by_loop AS ' || what;
	SET LOCAL spqtree.enable_hashjoin = on;
	SET LOCAL enable_hashjoin = on;
	SET LOCAL enable_mergejoin = on;
	SELECT count(*) INTO "rows" FROM by_loop;
	SELECT count(*) INTO differ FROM ((TABLE by_node EXCEPT ALL TABLE by_loop) UNION ALL (TABLE by_loop EXCEPT ALL TABLE by_node)) d;
	DROP TABLE by_node, by_loop;
END $$;

-- Boxes of many sizes; some of the values of "part" are wrong or null, and so are boxes.
SELECT setseed(0.25);
CREATE TABLE a AS
SELECT i AS id, CASE i % 101 WHEN 0 THEN NULL WHEN 1 THEN box(point('NaN', 1), point(2, 3)) WHEN 2 THEN box(point('-Infinity', y), point('Infinity', y + 1))
                ELSE box(point(x, y), point(x + s, y + s)) END AS b
FROM (SELECT i, 1000 * random() AS x, 1000 * random() AS y, 100 * random() ^ 6 AS s FROM generate_series(1, 1200) i) v;
CREATE TABLE b AS SELECT id, CASE WHEN id % 7 = 0 THEN b ELSE b + point(3, -2) END AS b FROM a;
SELECT spqtree_partition('SELECT b FROM a', 12) AS p \gset
SELECT spqtree_partition('SELECT b FROM a', 12, max_copies => 3) AS limited \gset
CREATE TABLE pa AS SELECT id, CASE WHEN id % 50 = 3 THEN part % 12 + 1 WHEN id % 50 <> 4 THEN part END AS part, part AS part2, b, id % 5 AS n
FROM a, unnest(spqtree_parts(b, :'p')) part;
CREATE TABLE pb AS SELECT id, CASE WHEN id % 40 = 3 THEN part % 12 + 1 WHEN id % 40 <> 4 THEN part END AS part, part AS part2, b, id % 7 AS n
FROM b, unnest(spqtree_parts(b, :'p')) part;
CREATE TABLE la AS SELECT id, part, b FROM a, unnest(spqtree_parts(b, :'limited')) part;
CREATE TABLE lb AS SELECT id, part, b FROM b, unnest(spqtree_parts(b, :'limited')) part;
CREATE TABLE sa AS SELECT id, part, box3(b, id % 9, id % 9 + 1) AS b FROM a, unnest(spqtree_parts(box3(b, id % 9, id % 9 + 1), '3d x500 1 y300 z4 2 3 4')) part WHERE NOT b::text ~ 'NaN';
ANALYZE;
CREATE TABLE conditions (number int, name text, condition text);
INSERT INTO conditions SELECT row_number() OVER (), name, format(condition, :'p') FROM (VALUES
	('part', 'a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part'),
	('exchanged', 'b.part = a.part AND b.b && a.b AND b.part = spqtree_pair_part(b.b, a.b, %L)'),
	('one side', 'a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part'),
	('two columns', 'a.part = b.part AND a.part = a.part2 AND b.part2 = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = b.part2'),
	('two columns of different sides', 'a.part = b.part2 AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = b.part2 AND b.part = a.part2'),
	('constant', 'a.part = 5 AND b.part = 5 AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = 5'),
	('constant only', 'a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = 5'),
	('no part', 'a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = 99'),
	('part 0', 'a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = 0'),
	('more', 'a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = a.part AND a.n <> b.n'),
	('other boxes', 'a.part = b.part AND a.b && b.b AND spqtree_pair_part(a.b, b.b + point(1, 1), %L) = a.part')) v (name, condition);

SELECT number, name, (compare('SELECT a.id, a.part, b.id AS id2, b.part AS part2 FROM pa a JOIN pb b ON ' || condition)).* FROM conditions ORDER BY 1;
-- no columns are needed
SELECT number, name, (compare('SELECT count(*) FROM pa a JOIN pb b ON ' || condition)).* FROM conditions ORDER BY 1;
SELECT number, kind, c.node, c.differ
FROM conditions, (VALUES
	('left', 'SELECT a.id, b.id AS id2 FROM pa a LEFT JOIN pb b ON %s'),
	('right', 'SELECT a.id, b.id AS id2 FROM pa a RIGHT JOIN pb b ON %s'),
	('semi', 'SELECT id, part FROM pa a WHERE EXISTS (SELECT FROM pb b WHERE %s)'),
	('anti', 'SELECT id, part FROM pa a WHERE NOT EXISTS (SELECT FROM pb b WHERE %s)')) v (kind, query), compare(format(query, condition)) c
WHERE number IN (1, 3, 10) ORDER BY 1, 2;
SELECT (compare(format('SELECT a.id, b.id AS id2, a.part FROM la a JOIN lb b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, %L) = part', :'limited'))).*;
SELECT (compare('SELECT a.id, b.id AS id2, a.part FROM sa a JOIN sa b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, ''3d x500 1 y300 z4 2 3 4'') = part')).*;

-- a distance: the owner is that of boxes as they are, also where they begin at a split
CREATE TABLE da AS SELECT id, part, b FROM (SELECT id, box(point(floor(x), floor(y)), point(floor(x) + 40, floor(y) + 9)) AS b FROM (SELECT id, (b[1])[0] AS x, (b[1])[1] AS y FROM a WHERE id % 101 > 2) v) w, unnest(spqtree_parts(b, '2d x500 y200 1 2 x700 3 4')) part;
CREATE TABLE db AS SELECT id, part, b FROM (SELECT id, box(point(500 + id % 2 * 200 - 2, id), point(500 + id % 2 * 200 + 1, id + 1)) AS b FROM generate_series(1, 1000) id) v, unnest(spqtree_parts(spqtree_expand(b, 2), '2d x500 y200 1 2 x700 3 4')) part;
ANALYZE da, db;
EXPLAIN (COSTS OFF) SELECT count(*) FROM da a JOIN db b USING (part) WHERE spqtree_dwithin(a.b, b.b, 2) AND spqtree_pair_part(a.b, spqtree_expand(b.b, 2), '2d x5000 1 2') = part;
SELECT (compare('SELECT a.id, b.id AS id2, a.part FROM da a JOIN db b USING (part) WHERE spqtree_dwithin(a.b, b.b, 2) AND spqtree_pair_part(a.b, spqtree_expand(b.b, 2), ''2d x500 y200 1 2 x700 3 4'') = part')).*;
-- a value of an outer query is no column of the join
SELECT c.part, (SELECT count(*) FROM pa a JOIN pb b ON a.b && b.b AND spqtree_pair_part(a.b, b.b, :'p') = c.part) =
               (SELECT count(*) FROM pa a JOIN pb b ON (a.b && b.b) IS TRUE AND spqtree_pair_part(a.b, b.b, :'p') = c.part) AS equal
FROM (VALUES (1), (7)) c (part);

-- Files, and several processes
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT number, (compare('SELECT a.id, a.part, b.id AS id2 FROM pa a JOIN pb b ON ' || condition)).* FROM conditions WHERE number IN (1, 3) ORDER BY 1;
SELECT number, (compare('SELECT count(*) FROM pa a LEFT JOIN pb b ON ' || condition)).* FROM conditions WHERE number IN (1, 3) ORDER BY 1;
RESET work_mem;
RESET hash_mem_multiplier;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT number, (compare('SELECT a.id, a.part, b.id AS id2 FROM pa a JOIN pb b ON ' || condition)).* FROM conditions WHERE number IN (1, 3, 10) ORDER BY 1;
SET max_parallel_workers_per_gather = 0;

-- The function's privilege is required, though the node does not call it.
CREATE ROLE spqtree_join_parts;
GRANT USAGE ON SCHEMA join_parts TO spqtree_join_parts;
GRANT SELECT ON pa, pb TO spqtree_join_parts;
REVOKE EXECUTE ON FUNCTION spqtree_pair_part(box, box, spqtree_partitioning) FROM PUBLIC;
SET ROLE spqtree_join_parts;
SELECT count(*) FROM pa a JOIN pb b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '2d x500 1 2') = part;
RESET ROLE;
GRANT EXECUTE ON FUNCTION spqtree_pair_part(box, box, spqtree_partitioning) TO PUBLIC;

-- Rows within one part need no hash of the part.
EXPLAIN (COSTS OFF) SELECT count(*) FROM pa a JOIN pb b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '2d x500 1 2') = part;

RESET search_path;
DROP SCHEMA join_parts CASCADE;
DROP ROLE spqtree_join_parts;
