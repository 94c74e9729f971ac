--
-- The spatial hash join shows no hidden rows: row security, security-barrier views,
-- leaky functions, privileges, changing roles.
--
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA node_rights;
SET search_path = node_rights;
CREATE ROLE node_alice;
CREATE ROLE node_bob;
GRANT ALL ON SCHEMA node_rights TO node_alice, node_bob;
CREATE TABLE place (id int, b box, owner text);
INSERT INTO place SELECT i, box(point(i % 20, i / 20), point(i % 20 + 1, i / 20 + 1)), CASE i % 3 WHEN 0 THEN 'node_alice' ELSE 'node_bob' END FROM generate_series(0, 399) i;
CREATE TABLE spot (id int, p point);
INSERT INTO spot SELECT i, point(i % 10 + 0.5, i / 10 + 0.5) FROM generate_series(0, 199) i;
ANALYZE place, spot;
ALTER TABLE place ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON place USING (owner = current_user);
GRANT SELECT, UPDATE, DELETE ON place TO node_alice, node_bob;
GRANT SELECT ON spot TO node_alice, node_bob;

-- Functions that report rows which are not Alice's, as cheap as possible, so that the
-- planner would call them first.
CREATE FUNCTION tell(owner text) RETURNS boolean STABLE COST 0.0000001 LANGUAGE plpgsql AS $$
BEGIN
  IF owner <> 'node_alice' THEN
    RAISE EXCEPTION 'this is a row of %', owner;
  END IF;
  RETURN true;
END $$;
CREATE FUNCTION tell_box(b box, owner text) RETURNS box STABLE COST 0.0000001 LANGUAGE plpgsql AS $$ BEGIN PERFORM tell(owner); RETURN b; END $$;
SET enable_nestloop = off;
SET enable_mergejoin = off;

SET ROLE node_alice;
EXPLAIN (COSTS OFF) SELECT p.id, s.id FROM place p JOIN spot s ON s.p <@ p.b;
SELECT count(*), count(*) FILTER (WHERE p.owner = 'node_alice') AS hers FROM place p JOIN spot s ON s.p <@ p.b;
SELECT count(*), count(p.id) FROM place p RIGHT JOIN spot s ON s.p <@ p.b;
SELECT count(*), count(p.id) FROM place p FULL JOIN spot s ON s.p <@ p.b;
SELECT count(*) FROM spot s WHERE EXISTS (SELECT FROM place p WHERE s.p <@ p.b);
SELECT count(*) FROM spot s WHERE NOT EXISTS (SELECT FROM place p WHERE s.p <@ p.b);
SELECT count(*) FROM place p JOIN place q ON p.b && q.b AND p.id < q.id;
-- in a filter, in a join condition, in the condition of an outer join
SELECT count(*) FROM place p JOIN spot s ON s.p <@ p.b AND tell(p.owner);
EXPLAIN (COSTS OFF) SELECT FROM place p JOIN spot s ON s.p <@ tell_box(p.b, p.owner);
SELECT count(*) FROM place p JOIN spot s ON s.p <@ tell_box(p.b, p.owner);
SELECT count(*) FROM spot s LEFT JOIN place p ON s.p <@ p.b AND tell(p.owner || repeat('', s.id));
RESET ROLE;

-- a security-barrier view, and another view, which leaks and proves the test
CREATE VIEW behind WITH (security_barrier) AS SELECT * FROM place WHERE owner = 'node_alice';
CREATE VIEW before AS SELECT p.* FROM place p WHERE owner = 'node_alice' AND length(repeat(owner, 3)) > 3;
GRANT SELECT ON behind, before TO node_bob;
SET ROLE node_bob;
EXPLAIN (COSTS OFF) SELECT FROM behind p JOIN spot s ON s.p <@ p.b AND tell(p.owner);
SELECT count(*) FROM behind p JOIN spot s ON s.p <@ p.b AND tell(p.owner);
SELECT count(*) FROM behind p JOIN spot s ON s.p <@ tell_box(p.b, p.owner);
SELECT count(*) FROM behind p FULL JOIN spot s ON s.p <@ tell_box(p.b, p.owner);
RESET ROLE;
SET ROLE node_bob;
SELECT count(*) FROM before p JOIN spot s ON s.p <@ p.b AND tell(p.owner);
RESET ROLE;
-- a barrier over a join: the view's own conditions come first
CREATE VIEW pairs WITH (security_barrier) AS SELECT p.id, s.id AS spot, p.owner FROM place p JOIN spot s ON s.p <@ p.b AND p.owner || s.id LIKE 'node_alice%';
GRANT SELECT ON pairs TO node_bob;
SET ROLE node_bob;
EXPLAIN (COSTS OFF) SELECT FROM pairs WHERE tell(owner);
SELECT count(*) FROM pairs WHERE tell(owner);
RESET ROLE;

-- a volatile function in the condition is called for each pair: no node
CREATE FUNCTION shaken(box) RETURNS box VOLATILE LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$;
EXPLAIN (COSTS OFF) SELECT FROM place p FULL JOIN spot s ON s.p <@ shaken(p.b);

-- UPDATE and DELETE under row security
BEGIN;
SET ROLE node_alice;
UPDATE place p SET owner = p.owner FROM spot s WHERE s.p <@ p.b;
DELETE FROM place p USING spot s WHERE s.p <@ p.b;
RESET ROLE;
SELECT owner, count(*) FROM place GROUP BY 1 ORDER BY 1;
ROLLBACK;

-- a prepared statement with several roles
SET plan_cache_mode = force_generic_plan;
PREPARE hers AS SELECT count(*), min(p.owner), max(p.owner) FROM place p JOIN spot s ON s.p <@ p.b;
EXECUTE hers;
SET ROLE node_alice;
EXECUTE hers;
SET ROLE node_bob;
EXECUTE hers;
SET row_security = off;
EXECUTE hers;
RESET row_security;
RESET ROLE;
RESET plan_cache_mode;

-- privileges: on the table, on columns, on functions of the condition
REVOKE ALL ON spot FROM node_bob;
SET ROLE node_bob;
SELECT count(*) FROM place p JOIN spot s ON s.p <@ p.b;
RESET ROLE;
GRANT SELECT (id) ON spot TO node_bob;
SET ROLE node_bob;
SELECT count(s.id) FROM place p JOIN spot s ON s.p <@ p.b;
RESET ROLE;
GRANT SELECT (p) ON spot TO node_bob;
CREATE FUNCTION moved(point) RETURNS point IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$;
REVOKE EXECUTE ON FUNCTION moved FROM public;
SET ROLE node_bob;
SELECT count(s.id) FROM place p JOIN spot s ON s.p <@ p.b;
SELECT count(s.id) FROM place p JOIN spot s ON moved(s.p) <@ p.b;
RESET ROLE;

DROP SCHEMA node_rights CASCADE;
DROP ROLE node_alice, node_bob;
