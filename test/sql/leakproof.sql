--
-- Operators that are LEAKPROOF: what they are, that they raise no error and say nothing
-- whatever the values are, and that conditions with them reach an index below row
-- security and security barriers.
--
LOAD 'spqtree';
SET client_min_messages = notice;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA leakproof;
SET search_path = leakproof, public;
SELECT p.oid::regprocedure AS leakproof FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'spqtree' WHERE proleakproof ORDER BY p.oid::regprocedure::text COLLATE "C";

-- Every number at each place of a value, and all odd ones at once.
CREATE TABLE odd AS SELECT i, x FROM unnest('{NaN,Infinity,-Infinity,0,-0,1,-1,4.9e-324,-2.3e-308,1e-300,1e-6,-1e-6,9.999999999999999e-07,1e16,1e154,-1e200,1.7976931348623157e308,-1.7976931348623157e308}'::float8[]) WITH ORDINALITY u (x, i);
CREATE TABLE box_value AS SELECT box(point(x, y), point(1, 2)) AS v FROM (SELECT a.x, b.x AS y FROM odd a, odd b) s UNION ALL SELECT box(point(1, 2), point(x, y)) FROM (SELECT a.x, b.x AS y FROM odd a, odd b WHERE a.i % 3 = 0) s;
CREATE TABLE point_value AS SELECT point(a.x, b.x) AS v FROM odd a, odd b;
CREATE TABLE circle_value AS SELECT circle(point(a.x, b.x), c.x) AS v FROM odd a, odd b, odd c WHERE (a.i + b.i) % 4 = 0;
CREATE TABLE point3_value AS SELECT point3(a.x, b.x, c.x) AS v FROM odd a, odd b, odd c WHERE (a.i + b.i + c.i) % 9 = 0;
CREATE TABLE box3_value AS SELECT box3(point3(a.x, b.x, c.x), point3(c.x, a.x, 1)) AS v FROM odd a, odd b, odd c WHERE (a.i + b.i + c.i) % 9 < 2;
CREATE TABLE lseg3_value AS SELECT lseg3(point3(a.x, b.x, 1), point3(b.x, 0, a.x)) AS v FROM odd a, odd b;
CREATE TABLE sphere3_value AS SELECT sphere3(point3(a.x, b.x, 1), abs(c.x)) AS v FROM odd a, odd b, odd c WHERE (a.i + b.i + c.i) % 9 = 0 AND c.x <> 'NaN';
CREATE TABLE ray3_value AS SELECT ray3(point3(a.x, b.x, 1), point3(b.x, 1, c.x)) AS v FROM odd a, odd b, odd c WHERE (a.i + b.i + c.i) % 7 = 0 AND abs(b.x) < 'Infinity' AND abs(c.x) < 'Infinity';
CREATE TABLE frustum3_value AS SELECT frustum3_column_major(ARRAY[a.x, 0, 0, 0, 0, b.x, 0, 0, 0, 0, 1, 0, c.x, 0, 0, 1], true) AS v FROM odd a, odd b, odd c WHERE a.x <> 0 AND b.x <> 0 AND NOT abs(a.x) BETWEEN 1e200 AND 'Infinity' AND NOT abs(b.x) BETWEEN 1e200 AND 'Infinity' AND abs(c.x) < 1e200 AND (a.i + b.i + c.i) % 5 = 0;
CREATE TABLE "double precision_value" AS SELECT x AS v FROM odd;
-- Call a function with all pairs of values, and with all distances; return how often, and whether it was ever NULL.
CREATE FUNCTION call_all(f regprocedure, OUT calls bigint, OUT nulls bigint) LANGUAGE plpgsql AS $$
DECLARE
  types text[] := (SELECT array_agg(format_type(t, NULL) ORDER BY i) FROM pg_proc p, unnest(proargtypes) WITH ORDINALITY u (t, i) WHERE p.oid = f);
BEGIN
  EXECUTE format('SELECT count(*), count(*) FILTER (WHERE %s(%s) IS NULL) FROM %s', (SELECT proname FROM pg_proc WHERE oid = f), (SELECT string_agg(format('v%s.v', i), ', ') FROM generate_series(1, cardinality(types)) i),
                 (SELECT string_agg(format('%s v%s', CASE WHEN t LIKE 'double%' OR i > 2 THEN quote_ident(t || '_value') WHEN cardinality(types) > 2 THEN format('(SELECT v FROM %I LIMIT 120)', t || '_value') ELSE format('(SELECT v FROM %I LIMIT 400)', t || '_value') END, i), ', ') FROM unnest(types) WITH ORDINALITY u (t, i))) INTO calls, nulls;
END $$;
SELECT count(*), min(calls) > 2000 AS often, sum(nulls) AS nulls FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'spqtree', call_all(p.oid::regprocedure) WHERE proleakproof;

-- Plans below row security: the tenant and the box are conditions of the index.
CREATE TABLE thing AS SELECT i AS id, i % 20 AS tenant, box3(point3(i % 100, i % 77, i % 13), point3(i % 100 + 1, i % 77 + 1, i % 13 + 1)) AS b3, point3(i % 100, i % 77, i % 13) AS p3,
  box(point(i % 100, i % 77), point(i % 100 + 1, i % 77 + 1)) AS b, point(i % 100, i % 77) AS p FROM generate_series(1, 6000) i;
CREATE INDEX thing_b3 ON thing USING spqtree (tenant, b3);
CREATE INDEX thing_p3 ON thing USING spqtree (tenant, p3);
CREATE INDEX thing_b ON thing USING spqtree (tenant, b);
CREATE INDEX thing_p ON thing USING spqtree (tenant, p);
ANALYZE thing;
CREATE ROLE spqtree_leakproof;
GRANT USAGE ON SCHEMA leakproof TO spqtree_leakproof;
GRANT SELECT ON thing TO spqtree_leakproof;
CREATE POLICY of_tenant ON thing FOR SELECT TO spqtree_leakproof USING (tenant = current_setting('leakproof.tenant')::int);
ALTER TABLE thing ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION tell(text, anyelement) RETURNS boolean COST 0.0001 LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'seen %', $2; RETURN true; END $$;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, b3, b FROM thing WHERE tenant = 7;
GRANT SELECT ON barrier TO spqtree_leakproof;
CREATE TABLE truth AS SELECT (SELECT count(*) FROM thing WHERE tenant = 7 AND b3 && box3(point3(10, 10, 0), point3(30, 30, 9))) AS boxes, (SELECT count(*) FROM thing WHERE tenant = 7 AND p3 <-> point3(20, 20, 5) < 12) AS near;
GRANT SELECT ON truth TO spqtree_leakproof;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET leakproof.tenant = 7;
SET ROLE spqtree_leakproof;
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE b3 && box3(point3(10, 10, 0), point3(30, 30, 9));
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE p3 <@ box3(point3(10, 10, 0), point3(30, 30, 9));
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE p3 <-> point3(20, 20, 5) < 12;
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE spqtree_dwithin(p, point '(20,20)', 5);
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE b && circle '<(20,20),5>';
EXPLAIN (COSTS OFF) SELECT id FROM barrier WHERE b3 && box3(point3(10, 10, 0), point3(30, 30, 9));
SELECT (SELECT count(*) FROM thing WHERE b3 && box3(point3(10, 10, 0), point3(30, 30, 9))) = boxes AS boxes, (SELECT count(*) FROM thing WHERE p3 <-> point3(20, 20, 5) < 12) = near AS near, (SELECT count(*) FROM barrier WHERE b3 && box3(point3(10, 10, 0), point3(30, 30, 9))) = boxes AS barrier FROM truth;
-- a function of anybody comes after the policy
SELECT count(*) FROM thing WHERE b3 && box3(point3(7, 7, 7), point3(8, 8, 8)) AND tell('thing', id);
-- a join of two tables below row security has the condition as its key
SET enable_nestloop = off;
SET enable_indexscan = off;
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM thing a JOIN thing c ON a.b3 && c.b3;
RESET enable_nestloop;
RESET enable_indexscan;
SET enable_seqscan = off;
RESET ROLE;
DROP INDEX thing_p, thing_p3, thing_b3;
SET ROLE spqtree_leakproof;
-- PostgreSQL's own operator is not leakproof, until the administrator says so
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE b && box '(30,30),(10,10)';
RESET ROLE;
BEGIN;
ALTER FUNCTION box_overlap(box, box) LEAKPROOF;
SET LOCAL ROLE spqtree_leakproof;
EXPLAIN (COSTS OFF) SELECT id FROM thing WHERE b && box '(30,30),(10,10)';
ROLLBACK;
DROP OWNED BY spqtree_leakproof;
DROP ROLE spqtree_leakproof;
