-- How many rows the planner expects of spatial joins. Each line says whether
-- that is within 3 times of the truth; PostgreSQL by itself expects 0.5 % of
-- all pairs. Half of the tables are small enough to be read whole.

LOAD 'spqtree';
SET client_min_messages = warning;
CREATE SCHEMA node_estimates;
SET search_path = node_estimates;
SET max_parallel_workers_per_gather = 0;

-- The row count that EXPLAIN has for the node at the top, or below it.
CREATE FUNCTION expected_rows(query text, node text DEFAULT NULL) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	IF node IS NULL THEN
		RETURN plan #> '{0,Plan,Plan Rows}';
	END IF;
	RETURN (SELECT min((n -> 'Plan Rows')::float8)
			FROM jsonb_path_query(plan, 'strict $.**.Plans[*]') n
			WHERE n ->> 'Node Type' LIKE node);
END $$;

CREATE FUNCTION within_3_times(what text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	truth float8;
	expected float8 := expected_rows('SELECT 1 ' || what);
BEGIN
	EXECUTE 'SELECT count(*) ' || what INTO truth;
	IF greatest(expected, 1) BETWEEN greatest(truth, 1) / 3 AND greatest(truth, 1) * 3 THEN
		RETURN 'yes';
	END IF;
	RETURN format('no: %s, and are %s', expected, truth);
END $$;

SELECT setseed(0.5);

-- half a match for each row, or two; boxes of quite different sizes; some null
CREATE TABLE small_a AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b, p
FROM generate_series(1, 2000) i, LATERAL (SELECT point(1000 * random(), 1000 * random() + 0 * i) AS p) q;
CREATE TABLE small_b AS SELECT i AS id, CASE WHEN i % 10 > 0 THEN box(p, p + point(s, s)) END AS b, p,
	circle(p, s) AS c, box(p, p + point(s, s))::polygon AS g
FROM generate_series(1, 2000) i, LATERAL (SELECT point(1000 * random(), 1000 * random() + 0 * i) AS p, exp(5 * random()) AS s) q;
CREATE TABLE large_a AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b, p
FROM generate_series(1, 60000) i, LATERAL (SELECT point(5000 * random(), 5000 * random() + 0 * i) AS p) q;
CREATE TABLE copied AS SELECT * FROM large_a ORDER BY p[0];
CREATE TABLE large_b AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b, circle(p, 5) AS c
FROM generate_series(1, 60000) i, LATERAL (SELECT point(5000 * random(), 5000 * random() + 0 * i) AS p) q;
-- in clusters, sorted by them
CREATE TABLE clustered AS SELECT i AS id, box(p, p + point(10 * random(), 10 * random())) AS b
FROM generate_series(1, 60000) i, LATERAL (SELECT point(300 * (i / 5000) + 100 * random(), 500 * (i / 20000) + 100 * random()) AS p) q;
CREATE TABLE parted (id int, b box) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT id, b FROM large_a;
CREATE INDEX ON large_b USING spgist (b);
CREATE INDEX ON small_a USING gist (b);
VACUUM ANALYZE small_a;
VACUUM ANALYZE small_b;
VACUUM ANALYZE large_a;
VACUUM ANALYZE large_b;
VACUUM ANALYZE copied;
VACUUM ANALYZE clustered;
VACUUM ANALYZE parted;

CREATE TABLE joins (id serial, what text);
INSERT INTO joins (what) VALUES
	('FROM small_a a JOIN small_b b ON a.b && b.b'),
	('FROM small_a a JOIN small_b b ON a.b @> b.b'),
	('FROM small_a a JOIN small_b b ON a.b <@ b.b'),
	('FROM small_a a JOIN small_b b ON b.b @> a.p'),
	('FROM small_a a JOIN small_b b ON a.p <@ b.c'),
	('FROM small_a a JOIN small_b b ON a.p <@ b.g'),
	('FROM small_b a JOIN small_b b ON a.c && b.c'),
	('FROM small_b a JOIN small_b b ON a.c @> b.c'),
	('FROM small_b a JOIN small_b b ON a.g && b.g'),
	('FROM large_a a JOIN large_b b ON a.b && b.b'),
	('FROM large_a a JOIN large_a b ON a.b && b.b'),
	('FROM large_a a JOIN copied b ON a.b ~= b.b'),
	('FROM large_a a JOIN copied b ON a.p ~= b.p'),
	('FROM large_a a JOIN large_b b ON a.p <@ b.c'),
	('FROM copied a JOIN large_b b ON a.b && b.b'),
	('FROM large_a a JOIN small_b b ON a.b && b.b'),
	('FROM clustered a JOIN clustered b ON a.b && b.b'),
	('FROM parted a JOIN large_b b ON a.b && b.b'),
	('FROM parted a JOIN parted b ON a.b && b.b'),
	('FROM (SELECT b FROM large_a UNION ALL SELECT b FROM clustered) a JOIN large_b b ON a.b && b.b'),
	('FROM (SELECT * FROM large_a OFFSET 0) a JOIN large_b b ON a.b && b.b'),
	('FROM large_a a LEFT JOIN small_b b ON a.b && b.b'),
	('FROM small_a a FULL JOIN small_b b ON a.b && b.b');

-- rows with and without a match
INSERT INTO joins (what) VALUES
	('FROM small_a a WHERE EXISTS (SELECT FROM small_b b WHERE a.b && b.b)'),
	('FROM small_b b WHERE EXISTS (SELECT FROM small_a a WHERE a.b && b.b)'),
	('FROM small_a a WHERE NOT EXISTS (SELECT FROM small_b b WHERE a.b && b.b)'),
	('FROM small_b b WHERE NOT EXISTS (SELECT FROM small_a a WHERE a.b && b.b)'),
	('FROM large_a a WHERE EXISTS (SELECT FROM small_b b WHERE a.b && b.b)'),
	('FROM large_a a WHERE EXISTS (SELECT FROM large_b b WHERE a.b && b.b AND b.id < 3000)'),
	('FROM large_a a WHERE NOT EXISTS (SELECT FROM clustered b WHERE a.b && b.b)');

-- streets: each crosses each; few clusters, sorted in different ways; rows of
-- a table with themselves, through another expression
CREATE TABLE streets AS SELECT i AS id, box(point(0, i), point(10000, i)) AS b FROM generate_series(1, 4000) i;
CREATE TABLE avenues AS SELECT i AS id, box(point(i, 0), point(i, 10000)) AS b FROM generate_series(1, 4000) i;
CREATE TABLE centers AS SELECT i AS id, point(10000 * random(), 10000 * random()) AS p, 10 ^ (1 + 2 * random()) AS s FROM generate_series(1, 100) i;
CREATE TABLE skewed AS SELECT i AS id, box(p, p + point(w, h)) AS b, p, circle(p, w) AS c FROM (
	SELECT i, c.p + point(c.s * sqrt(-2 * ln(1 - u)) * cosd(360 * v), c.s * sqrt(-2 * ln(1 - u)) * sind(360 * v)) AS p,
		exp(3 * random()) AS w, exp(3 * random()) AS h
	FROM (SELECT i, 1 + floor(100 * random() * random()) AS k, random() AS u, random() AS v FROM generate_series(1, 100000) i) r
	JOIN centers c ON c.id = r.k) q;
CREATE TABLE skewed_x AS SELECT * FROM skewed ORDER BY p[0];
VACUUM ANALYZE streets;
VACUUM ANALYZE avenues;
VACUUM ANALYZE skewed;
VACUUM ANALYZE skewed_x;
INSERT INTO joins (what) VALUES
	('FROM streets a JOIN avenues b ON a.b && b.b'),
	('FROM skewed a JOIN large_a b ON a.b && b.b'),
	('FROM skewed a JOIN skewed b ON a.b && b.b'),
	('FROM skewed a JOIN skewed_x b ON a.b && b.b'),
	('FROM skewed a JOIN skewed b ON a.p <@ b.c');

-- The first statement of a session expects as many rows as any other one.
CREATE TABLE seen AS SELECT 1 AS session, what, expected_rows('SELECT 1 ' || what) AS rows FROM joins;
INSERT INTO seen SELECT 2, what, expected_rows('SELECT 1 ' || what) FROM joins;
\c -
LOAD 'spqtree';
SET client_min_messages = warning;
SET search_path = node_estimates;
SET max_parallel_workers_per_gather = 0;
INSERT INTO seen SELECT 3, what, expected_rows('SELECT 1 ' || what) FROM joins ORDER BY id DESC;
SELECT what, array_agg(DISTINCT rows) AS rows FROM seen GROUP BY what HAVING count(DISTINCT rows) > 1;

SELECT what, within_3_times(what) FROM joins ORDER BY id;

-- a scan inside of a nested loop returns what there is for one row
SET enable_seqscan = off;
SET spqtree.enable_hashjoin = off;
SELECT expected_rows('SELECT FROM small_b a JOIN large_b b ON a.b && b.b', 'Index%Scan') < 50 AS plain;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SELECT expected_rows('SELECT FROM small_b a JOIN large_b b ON a.b && b.b', 'Bitmap%Scan') < 50 AS bitmap;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_seqscan;
RESET spqtree.enable_hashjoin;

-- Where the smaller side lies in one place of the larger one, or beside it, a
-- nested loop reads only that part of an index; the node reads all.
CREATE FUNCTION chosen(outer_table text, inner_table text DEFAULT 'wide') RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE format('EXPLAIN (FORMAT json) SELECT sum(a.id + b.id) FROM %I a JOIN %I b ON a.b && b.b',
				   outer_table, inner_table) INTO plan;
	RETURN jsonb_path_query_first(plan, 'strict $.**."Node Type" ? (@ == "Nested Loop" || @ == "Custom Scan")') #>> '{}';
END $$;
SELECT setseed(0.25);
CREATE TABLE wide AS SELECT i AS id, box(p, p + point(10, 10)) AS b
FROM generate_series(1, 200000) i, LATERAL (SELECT point(10000 * random(), 10000 * random() + 0 * i) AS p) q;
CREATE TABLE scattered AS SELECT id, b FROM wide WHERE id % 80 = 0;
CREATE TABLE one_place AS SELECT i AS id, box(p, p + point(10, 10)) AS b
FROM generate_series(1, 2500) i, LATERAL (SELECT point(5000 + 100 * random(), 5000 + 100 * random() + 0 * i) AS p) q;
CREATE TABLE beside AS SELECT i AS id, box(p, p + point(10, 10)) AS b
FROM generate_series(1, 5000) i, LATERAL (SELECT point(20000 + 9000 * random(), 9000 * random() + 0 * i) AS p) q;
CREATE INDEX ON wide USING spgist (b public.spqtree_box_ops);
VACUUM ANALYZE wide;
VACUUM ANALYZE scattered;
VACUUM ANALYZE one_place;
VACUUM ANALYZE beside;
SELECT side, chosen(side) FROM unnest('{scattered,one_place,beside}'::text[]) AS side;

-- without samples each row of the larger side is expected to have a match
SET spqtree.sample_rows = 0;
SELECT expected_rows('SELECT FROM large_a a JOIN small_b b ON a.b && b.b') AS unsampled;
RESET spqtree.sample_rows;

-- a sample is taken again when its table has changed
BEGIN;
SELECT expected_rows('SELECT FROM small_a a JOIN small_b b ON a.b && b.b') > 100 AS before;
UPDATE small_a SET b = box(point(-1e6, -1e6), point(-1e6, -1e6));
ANALYZE small_a;
SELECT expected_rows('SELECT FROM small_a a JOIN small_b b ON a.b && b.b') AS after;
ROLLBACK;
SELECT expected_rows('SELECT FROM small_a a JOIN small_b b ON a.b && b.b') > 100 AS before;

-- empty, all null, not a number, infinite
CREATE TEMP TABLE odd AS SELECT id, CASE WHEN id % 4 = 0 THEN box '(inf,inf),(-inf,-inf)'
	WHEN id % 4 = 1 THEN box '(nan,1),(0,0)' WHEN id % 4 = 2 THEN box '(1e308,1),(-1e308,0)' END AS b
FROM generate_series(1, 2000) id;
CREATE TEMP TABLE empty_table (b box);
CREATE TEMP TABLE nothing AS SELECT NULL::box AS b FROM generate_series(1, 2000);
ANALYZE odd;
ANALYZE nothing;
SELECT what, within_3_times(what) FROM (VALUES
	('FROM odd a JOIN odd b ON a.b && b.b'),
	('FROM odd a JOIN odd b ON a.b ~= b.b'),
	('FROM odd a JOIN small_a b ON a.b && b.b'),
	('FROM odd a JOIN nothing b ON a.b && b.b'),
	('FROM odd a JOIN empty_table b ON a.b && b.b')
) AS v(what);

-- joins of partitions in workers: 10,000 rows of each, divided among these
CREATE TABLE half_a (k int, id int, b box) PARTITION BY LIST (k);
CREATE TABLE half_a1 PARTITION OF half_a FOR VALUES IN (1);
CREATE TABLE half_a2 PARTITION OF half_a FOR VALUES IN (2);
CREATE TABLE half_b (k int, id int, b box) PARTITION BY LIST (k);
CREATE TABLE half_b1 PARTITION OF half_b FOR VALUES IN (1);
CREATE TABLE half_b2 PARTITION OF half_b FOR VALUES IN (2);
INSERT INTO half_a SELECT i % 2 + 1, i, '((0,0),(1000,1000))' FROM generate_series(1, 20000) i;
INSERT INTO half_b TABLE half_a;
ANALYZE half_a, half_b;
SET enable_partitionwise_join = on;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT expected_rows('SELECT FROM half_a a JOIN half_b b ON a.k = b.k AND a.id = b.id AND a.b && b.b', 'Hash Join') BETWEEN 3000 AND 7000 AS divided;
RESET enable_partitionwise_join;

-- a transaction that is serializable leaves no locks by planning
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM (SELECT expected_rows('SELECT FROM parted a JOIN large_b b ON b.b && a.b') OFFSET 0) e,
	pg_locks WHERE mode = 'SIReadLock' AND relation IN ('parted_0'::regclass, 'large_b'::regclass);
COMMIT;

RESET search_path;
DROP SCHEMA node_estimates CASCADE;
