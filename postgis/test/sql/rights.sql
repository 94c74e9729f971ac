-- Functions that only our plans call: a role without EXECUTE on them gets another plan, also of a
-- generic plan that was made for a role that has it; and the same rows.
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA rights;
SET search_path = rights, public;
CREATE ROLE gis_alice;
CREATE ROLE gis_bob;
GRANT USAGE ON SCHEMA rights TO gis_alice, gis_bob;
CREATE TABLE a AS SELECT i AS id, ST_Buffer(ST_Point(i * 37 % 100, i * 61 % 100), 3, 2) AS geom FROM generate_series(1, 300) i;
CREATE TABLE b AS SELECT i AS id, ST_Point(i * 41 % 100 + 0.25, i * 67 % 100 + 0.5) AS geom FROM generate_series(1, 300) i;
CREATE TABLE g AS SELECT id, ST_SetSRID(geom, 4326)::geography AS geog FROM b WHERE ST_Y(geom) < 90;
CREATE INDEX ON a USING spqtree (geom);
CREATE INDEX ON b USING gist (geom);
ANALYZE a, b, g;
GRANT SELECT ON a, b, g TO gis_alice, gis_bob;
SET plan_cache_mode = force_generic_plan;

-- Functions of which Alice may call each, and Bob none; whether Alice's plan calls the first one, as
-- EXPLAIN shows it; her answer and his, in either order.
CREATE FUNCTION answers(functions text[], query text, shown text, bob_first boolean DEFAULT false,
                        OUT called boolean, OUT alice text, OUT bob text) LANGUAGE plpgsql AS $$
DECLARE
  f text;
  line text;
BEGIN
  called := false;
  FOREACH f IN ARRAY functions LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM public', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO gis_alice', f);
  END LOOP;
  EXECUTE 'PREPARE q AS ' || query;
  IF bob_first THEN
    SET LOCAL ROLE gis_bob;
    EXECUTE 'EXECUTE q' INTO bob;
  END IF;
  SET LOCAL ROLE gis_alice;
  EXECUTE 'EXECUTE q' INTO alice;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) EXECUTE q' LOOP
    called := called OR strpos(line, shown) > 0;
  END LOOP;
  SET LOCAL ROLE gis_bob;
  IF NOT bob_first THEN
    EXECUTE 'EXECUTE q' INTO bob;
  END IF;
  RESET ROLE;
  EXECUTE 'DEALLOCATE q';
  FOREACH f IN ARRAY functions LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM gis_alice', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO public', f);
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  EXECUTE 'DEALLOCATE q';
  bob := sqlerrm;
END $$;

-- Keys of joins, and the predicates that the node calls.
SET enable_nestloop = off;
SET spqtree.enable_indexjoin = off;
SELECT * FROM answers('{spqtree_bounds(geometry)}', 'SELECT count(*) FROM a JOIN b ON ST_Intersects(a.geom, b.geom)', 'spqtree_bounds');
SELECT * FROM answers('{"spqtree_bounds(geometry, float8)"}', 'SELECT count(*) FROM a JOIN b ON ST_DWithin(a.geom, b.geom, 1)', 'spqtree_bounds');
SELECT * FROM answers('{spqtree_bounds(geography)}', 'SELECT count(*) FROM g a JOIN g b ON a.geog && b.geog', 'spqtree_bounds');
SELECT * FROM answers('{"_spqtree_st_intersects(geometry, geometry)"}', 'SELECT count(*) FROM a JOIN b ON ST_Intersects(a.geom, b.geom)', 'Spatial Hash Join');
SELECT * FROM answers('{"_spqtree_st_distance_within(geometry, geometry, float8)"}', 'SELECT count(*) FROM a JOIN b ON ST_Distance(a.geom, b.geom) < 1', 'Spatial Hash Join');
-- one without the other: the predicate that the query names, and ours in its place
BEGIN;
REVOKE EXECUTE ON FUNCTION st_intersects(geometry, geometry) FROM public;
SET LOCAL ROLE gis_bob;
SELECT count(*) FROM a JOIN b ON ST_Intersects(a.geom, b.geom);
ROLLBACK;
-- a plan of one role, whose right is revoked afterwards
PREPARE later AS SELECT count(*) FROM a JOIN b ON ST_Intersects(a.geom, b.geom);
SET ROLE gis_bob;
EXECUTE later;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION st_intersects(geometry, geometry) FROM public;
SET ROLE gis_bob;
EXECUTE later;
RESET ROLE;
GRANT EXECUTE ON FUNCTION st_intersects(geometry, geometry) TO public;
DEALLOCATE later;

RESET enable_nestloop;
RESET spqtree.enable_indexjoin;

-- Nearest rows.
SELECT * FROM answers('{spqtree_bounds(geometry)}', 'SELECT round(sum(d)::numeric, 6) FROM b, LATERAL (SELECT ST_Distance(a.geom, b.geom) AS d FROM a ORDER BY ST_Distance(a.geom, b.geom) LIMIT 3) n', 'Spqtree Nearest Rows');

-- Filters, and conditions for an index.
SET spqtree.enable_hashjoin = off;
SELECT * FROM answers('{"_spqtree_st_intersects(geometry, geometry)"}', 'SELECT count(*) FROM b JOIN a ON ST_Intersects(a.geom, b.geom)', '_spqtree_st_intersects');
SET enable_seqscan = off;
SELECT * FROM answers('{"st_expand(geometry, float8)"}', 'SELECT count(*) FROM generate_series(1, 5) i, a WHERE ST_Distance(a.geom, ST_Point(i * 10, 5)) < 3', 'st_expand');

DROP SCHEMA rights CASCADE;
DROP ROLE gis_alice, gis_bob;
