--
-- One setting switches off all that the library does when queries are planned: the plans, with
-- their costs, are those of a session without it.
--
-- The database lacks the extension: with it, the planner of 18 and later loads the library for
-- any equality, to ask the access method.
--
SELECT current_database() AS before \gset
CREATE DATABASE regress_spqtree_enable;
\c regress_spqtree_enable
SET client_min_messages = warning;
SET jit = off;

CREATE FUNCTION a_table(name text, size int, width float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I WITH (autovacuum_enabled = off) AS
    SELECT i AS id, i %% 10 AS kind, box(point(x, y), point(x + %s, y + %s)) AS b, point(x, y) AS p, circle(point(x, y), 1) AS c,
      box(point(x, y), point(x + 1, y + 1))::polygon AS g
    FROM generate_series(1, %s) i, LATERAL (SELECT i * 617 %% 1009 AS x, i * 389 %% 1013 AS y) q', name, width, width, size);
END $$;
SELECT a_table('few', 10, 20), a_table('many', 20000, 1), a_table('plain', 20000, 2);
CREATE TABLE parts (LIKE plain) PARTITION BY HASH (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0) WITH (autovacuum_enabled = off);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1) WITH (autovacuum_enabled = off);
INSERT INTO parts SELECT * FROM plain;
CREATE INDEX many_b ON many USING gist (b);
CREATE INDEX many_p ON many USING gist (p);
CREATE INDEX many_id ON many (id);
CREATE INDEX parts_b ON parts USING spgist (b);
VACUUM ANALYZE few, many, plain, parts;

CREATE TABLE query (id serial, text text);
INSERT INTO query (text) VALUES
('SELECT * FROM plain WHERE b && box ''(100,100),(0,0)'''),
('SELECT * FROM many WHERE b && box ''(100,100),(0,0)'''),
('SELECT * FROM parts WHERE b <@ box ''(100,100),(0,0)'' AND kind = 3'),
('SELECT * FROM many WHERE p <@ circle ''<(500,500),100>'' ORDER BY id'),
('SELECT * FROM many ORDER BY p <-> point ''(1,1)'' LIMIT 5'),
('SELECT * FROM many a JOIN plain o ON a.b && o.b'),
('SELECT * FROM few a JOIN many o ON a.b && o.b'),
('SELECT * FROM few a JOIN plain o ON a.b @> o.p'),
('SELECT * FROM many a LEFT JOIN plain o ON a.b && o.b AND a.kind = o.kind'),
('SELECT * FROM many a JOIN plain o ON a.b && o.b AND a.id = o.id'),
('SELECT * FROM many o WHERE EXISTS (SELECT FROM few a WHERE a.b && o.b)'),
('SELECT * FROM many o WHERE NOT EXISTS (SELECT FROM plain a WHERE a.b && o.b)'),
('SELECT * FROM plain a JOIN many o ON a.p <-> o.p < 2'),
('SELECT * FROM plain a JOIN plain o ON a.c && o.c'),
('SELECT * FROM plain a JOIN plain o ON a.g && o.g JOIN few f ON f.b && a.b'),
('SELECT * FROM parts a JOIN plain o ON a.b && o.b'),
('SELECT * FROM many a JOIN plain o ON a.id = o.id WHERE a.b && box ''(100,100),(0,0)'''),
('UPDATE many SET kind = a.kind FROM few a WHERE a.b && many.b');

CREATE FUNCTION plans(what text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  q query;
  plan json;
BEGIN
  FOR q IN SELECT * FROM query ORDER BY id LOOP
    EXECUTE 'EXPLAIN (FORMAT json, VERBOSE) ' || q.text INTO plan;
    INSERT INTO plans VALUES (what, q.id, plan::text);
  END LOOP;
END $$;
CREATE TABLE plans (what text, query int, plan text);

SELECT plans('without');
LOAD 'spqtree';
SELECT plans('on');
SET spqtree.enable = off;
SELECT plans('off');
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET enable_partitionwise_join = on;
SELECT plans('off, parallel');
\c -
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET enable_partitionwise_join = on;
SELECT plans('without, parallel');

-- none differs
SELECT a.what, query, text, a.plan AS off, b.plan AS without
FROM plans a JOIN plans b USING (query) JOIN query ON query = query.id
WHERE (a.what, b.what) IN (('off', 'without'), ('off, parallel', 'without, parallel')) AND a.plan <> b.plan
ORDER BY 1, 2;
-- but for the setting most would
SELECT count(*) FILTER (WHERE a.plan <> b.plan) > 12 AS most
FROM plans a JOIN plans b USING (query) WHERE a.what = 'on' AND b.what = 'without';

-- The node is a hash join: enable_hashjoin = off makes it the last choice, as PostgreSQL's.
\c -
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
LOAD 'spqtree';
CREATE FUNCTION node_taken(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
  plan text;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan LIKE '%Spqtree Spatial Hash Join%';
END $$;
SELECT node_taken('SELECT FROM many a JOIN plain o ON a.b && o.b') AS enabled;
SET enable_hashjoin = off;
SELECT node_taken('SELECT FROM many a JOIN plain o ON a.b && o.b') AS disabled;
SET enable_nestloop = off;
SELECT node_taken('SELECT FROM many a JOIN plain o ON a.b && o.b') AS both_disabled;
RESET enable_nestloop;
SET spqtree.enable_hashjoin = always;
SELECT node_taken('SELECT FROM many a JOIN plain o ON a.b && o.b') AS always;
SET spqtree.enable_hashjoin = on;
-- there is no other plan
SELECT node_taken('SELECT FROM many a FULL JOIN plain o ON a.b && o.b') AS only_choice;

\c :before
DROP DATABASE regress_spqtree_enable;
