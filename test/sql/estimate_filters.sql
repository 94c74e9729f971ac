-- How many rows the planner expects of joins of which one side has conditions without statistics. Each
-- line says whether that is within twice the truth. No condition is evaluated that could fail.

LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET datestyle = iso;
CREATE SCHEMA estimate_filters;
SET search_path = estimate_filters, public;

-- The row count that EXPLAIN has for the table "a" in a query, and for that of a join with a condition.
CREATE FUNCTION rows_of_a(query text, node jsonpath DEFAULT '$.**[*] ? (@."Alias" == "a" && @."Node Type" == "Seq Scan")."Plan Rows"')
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan, node);
END $$;
CREATE FUNCTION expected_rows(condition text) RETURNS float8 LANGUAGE sql
RETURN rows_of_a('SELECT FROM a JOIN b ON a.box && b.box WHERE ' || condition);
CREATE FUNCTION is_near(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE truth float8; expected float8 := expected_rows(condition);
BEGIN
	EXECUTE 'SELECT count(*) FROM a WHERE ' || condition INTO truth;
	RETURN CASE WHEN expected BETWEEN truth / 2 AND truth * 2 THEN 'yes' ELSE format('no: %s, and are %s', expected, truth) END;
END $$;

SELECT setseed(0.25);
CREATE TABLE a AS
SELECT i AS id, (i % 100)::int2 AS c, i::int8 * 1000 AS large, i % 7 = 0 AS yes, 'note ' || i AS note,
       jsonb_build_object('kind', CASE WHEN i % 3 = 0 THEN 'house' ELSE 'barn' END, 'n', i % 10, 'list', jsonb_build_array(i % 4)) AS doc,
       date '2020-01-01' + i % 1000 AS day, box(p, p + point(1, 1)) AS box
FROM generate_series(1, 20000) i, LATERAL (SELECT point(100 * random(), 100 * random() + 0 * i) AS p) q;
CREATE TABLE b AS SELECT id, box FROM a WHERE id % 10 = 0;
ANALYZE a, b;
SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = on;

SELECT condition, is_near(condition) FROM unnest(ARRAY[
	'(a.id + a.c) % 16 = 0', 'a.id * a.c > 1000000', 'a.id / 100 < 150', 'a.large % 3000 = 0', 'abs(a.id - 10000) < 3000',
	'mod(a.id, 7) <> 1', 'a.id % 10 IN (1, 2, 3)', 'a.c * 2 BETWEEN 10 AND 50', '-7 * (a.id % 2) = 0', 'a.id::int8 + a.large > 15015000',
	'a.c & 3 = 1', 'hashint4(a.id) % 3 = 0', 'NOT (a.id % 2 = 0)', '(a.id % 5 = 0 OR a.c = 3)', '(a.yes AND a.id % 2 = 0) IS NOT TRUE',
	'a.id / 3.0 < 600', 'a.id * 0.25::float8 > 4600', 'a.id % (a.c + 1) = 0', 'mod(a.id, 3 * a.c + 1) = 0', '@ (a.id - 10000) < 500', '(a.large - a.id) / 10 % 7 = 3',
	'a.day + 100 < date ''2022-10-01''', 'a.day - date ''2020-01-01'' < 900', 'a.day + a.c * interval ''1 day'' < timestamp ''2022-08-15''', 'coalesce(a.c, 0) + 1 > 95',
	'length(a.note) = 9', 'upper(a.note) LIKE ''%7''', 'a.doc ->> ''kind'' = ''house''', 'a.doc ->> ''kind'' LIKE ''h%''', 'a.doc @> ''{"kind": "barn"}''', 'a.doc ? ''kind''',
	'a.doc #>> ''{list,0}'' = ''2''', 'a.doc -> ''n'' IS NOT NULL', 'extract(dow FROM a.day) = 1', 'extract(year FROM a.day) = 2020']) condition;

-- what the planner leaves alone: it could fail for some row
SELECT condition, expected_rows(condition) > 0 AS planned FROM unnest(ARRAY[
	'(a.doc ->> ''n'')::int = 3', '10 / (a.id - 10000) = 1', 'a.id % (a.c - 50) = 0', 'a.note LIKE ''a\''', 'a.doc ->> ''kind'' LIKE ''a\''',
	'extract(hour FROM a.day) = 1', 'sqrt(a.id - 10000) > 1', 'a.id::int2 = 5', 'a.id + 2147483000 > 5 AND false', 'a.large * 9223372036854775 > 5',
	'a.id - (-2147483648) > 0', 'a.box[5] <-> point(0, 0) < 1']) condition;
-- nor is a sum that overflows computed as an integer
SELECT expected_rows('a.id + 2147483000 > 2147483500') BETWEEN 15000 AND 25000 AS most;

-- nor a product of thousands of factors: it would overflow as numeric, too
CREATE TABLE one AS SELECT box, 9223372036854775807 AS large FROM a LIMIT 1;
ANALYZE one;
DO $$ DECLARE product text := 'a.large'; BEGIN
	FOR i IN 1..13 LOOP
		product := '(' || product || '*' || product || ')';
	END LOOP;
	PERFORM rows_of_a('SELECT FROM one a JOIN b ON a.box && b.box WHERE 1 = ' || product);
END $$;
SELECT expected_rows('0 < ' || repeat('a.id % 2 + ', 20) || '1') > 15000 AS short, expected_rows('0 < ' || repeat('a.id % 2 + ', 60) || '1') > 15000 AS long;

-- rows that the user must not see tell nothing
CREATE TABLE secret AS SELECT * FROM a;
ANALYZE secret;
\set secret 'SELECT rows_of_a(\'SELECT FROM secret a JOIN b ON a.box && b.box WHERE a.doc ->> \'\'kind\'\' = \'\'house\'\'\')'
CREATE ROLE regress_spqtree_filters;
GRANT USAGE ON SCHEMA estimate_filters TO regress_spqtree_filters;
GRANT SELECT ON b TO regress_spqtree_filters;
:secret BETWEEN 5000 AND 8000 AS owner;
GRANT SELECT ON secret TO regress_spqtree_filters;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (id % 2 = 0);
SET ROLE regress_spqtree_filters;
:secret < 100 AS row_security;
RESET ROLE;

-- large documents: those of a few rows are read
CREATE TABLE documents AS
SELECT id, box, jsonb_build_object('kind', doc ->> 'kind', 'text', (SELECT string_agg(md5(id || ' ' || n), '') FROM generate_series(1, 300) n)) AS doc
FROM a WHERE id <= 1000;
ANALYZE documents;
CREATE FUNCTION blocks_of_planning() RETURNS int8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (BUFFERS, FORMAT json) SELECT FROM documents a JOIN b ON a.box && b.box WHERE a.doc ->> ''kind'' = ''house''' INTO plan;
	RETURN (plan #>> '{0,Planning,Shared Hit Blocks}')::int8 + (plan #>> '{0,Planning,Shared Read Blocks}')::int8;
END $$;
SELECT pg_table_size('documents') / 8192 > 1000 AS large, blocks_of_planning() < 1000 AS few;
-- nor are many documents that were compressed to a few bytes
CREATE TABLE compressed AS SELECT id, box, doc ->> 'kind' AS kind, repeat('barn ' || id, 4000) AS text, repeat('.', 500) AS other FROM a WHERE id <= 2000;
ANALYZE compressed;
CREATE FUNCTION blocks_for(condition text) RETURNS int8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (BUFFERS, FORMAT json) SELECT FROM compressed a JOIN b ON a.box && b.box WHERE ' || condition INTO plan;
	RETURN (plan #>> '{0,Planning,Shared Hit Blocks}')::int8 + (plan #>> '{0,Planning,Shared Read Blocks}')::int8;
END $$;
SELECT blocks_for('lower(a.kind) = ''a''') > 0 AS first, blocks_for('lower(a.kind) = ''barn''') - blocks_for('lower(a.text) = ''barn''') > 30 AS fewer;


-- partitions share a sample
CREATE TABLE parted (LIKE a) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (5000);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (5000) TO (30000);
INSERT INTO parted SELECT * FROM a;
ANALYZE parted;
SELECT rows_of_a('SELECT FROM parted JOIN b ON parted.box && b.box WHERE doc ->> ''kind'' = ''house''',
                 '$.**[*] ? (@."Node Type" == "Append")."Plan Rows"') BETWEEN 5000 AND 8000 AS both;

DROP SCHEMA estimate_filters CASCADE;
DROP ROLE regress_spqtree_filters;
