-- Functions count by the extension to which they belong, not by their names: that of the type, and
-- that of the function which describes the type in its operator class.
LOAD 'spqtree';
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA members;
CREATE SCHEMA hostile;
SET search_path = members, public;
CREATE TABLE a AS SELECT i AS id, ST_Buffer(ST_Point(i * 37 % 100, i * 61 % 100), 3, 2) AS geom FROM generate_series(1, 300) i;
CREATE TABLE b AS SELECT i AS id, ST_Point(i * 41 % 100 + 0.25, i * 67 % 100 + 0.5) AS geom FROM generate_series(1, 300) i;
ANALYZE a, b;
SELECT 'SELECT count(*) FROM a JOIN b ON ST_Intersects(a.geom, b.geom)' AS joined,
	'SELECT count(*) FROM a JOIN b ON ST_Distance(a.geom, b.geom) < 1' AS compared \gset
-- The lines of a plan that name functions.
CREATE FUNCTION called(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
		IF line ~ '(Cond|Filter): ' THEN
			RETURN NEXT trim(line);
		END IF;
	END LOOP;
END $$;
SELECT called(:'joined');
SELECT called(:'compared');
:joined;
:compared;

-- Functions of the same names and types, which find nothing, in a schema that is searched first.
SET search_path = hostile, members, public;
CREATE FUNCTION hostile.spqtree_bounds(geometry) RETURNS box LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN box '(1e9,1e9),(1e9,1e9)';
CREATE FUNCTION hostile.spqtree_bounds(geometry, float8) RETURNS box LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN box '(1e9,1e9),(1e9,1e9)';
CREATE FUNCTION hostile._spqtree_st_intersects(geometry, geometry) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN false;
CREATE FUNCTION hostile._spqtree_st_distance_within(geometry, geometry, float8) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ST_DWithin($1, $2, 0);
CREATE FUNCTION hostile._spqtree_geometry_type(internal) RETURNS internal AS 'spqtree_postgis', 'spq_gis_geography_type' LANGUAGE c;
SELECT called(:'joined');
SELECT called(:'compared');
:joined;
:compared;
-- PostGIS' names, for functions that do something else: they have no equivalent, and imply nothing
CREATE FUNCTION hostile.st_intersects(geometry, geometry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN ST_X(ST_Centroid($1)) < 10 AND ST_X($2) > 90; END';
CREATE FUNCTION hostile.st_distance(geometry, geometry) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN ST_X($2) - ST_X(ST_Centroid($1)); END';
SELECT called(:'joined');
SELECT called(:'compared');
SELECT (:joined) = (SELECT count(*) FROM a, b WHERE ST_X(ST_Centroid(a.geom)) < 10 AND ST_X(b.geom) > 90) AS same,
	(:compared) = (SELECT count(*) FROM a, b WHERE ST_X(b.geom) - ST_X(ST_Centroid(a.geom)) < 1) AS same_compared;
SET search_path = members, public;
DROP SCHEMA hostile CASCADE;

-- A kept plan, of which another session drops the extension that it calls.
SET plan_cache_mode = force_generic_plan;
PREPARE kept AS :joined;
EXECUTE kept;
SELECT called('EXECUTE kept');
SELECT current_database() AS database \gset
\setenv PGDATABASE :database
\! psql -Xq -c 'SET client_min_messages = warning' -c 'DROP EXTENSION spqtree_postgis CASCADE'
EXECUTE kept;
SELECT called('EXECUTE kept');
SELECT called(:'compared');
:compared;
-- ... and creates it in another schema
\! psql -Xq -c 'SET client_min_messages = warning' -c 'CREATE SCHEMA elsewhere' -c 'CREATE EXTENSION spqtree_postgis SCHEMA elsewhere'
EXECUTE kept;
SELECT called(:'joined');
SELECT called(:'compared');
:compared;
CREATE INDEX a_geom ON a USING spqtree (geom);
SELECT count(*) FROM spqtree_check('a_geom', true);
SET enable_seqscan = off;
SELECT count(*) FROM a WHERE ST_Intersects(geom, ST_MakeEnvelope(10, 10, 20, 20));
SET enable_seqscan = on;
DROP INDEX a_geom;
-- a member that leaves its extension is a stranger, for sessions that begin then
ALTER EXTENSION spqtree_postgis DROP FUNCTION elsewhere._spqtree_st_intersects(geometry, geometry);
\c
LOAD 'spqtree';
SET search_path = members, public;
SELECT called(:'joined');
:joined;
ALTER EXTENSION spqtree_postgis ADD FUNCTION elsewhere._spqtree_st_intersects(geometry, geometry);
-- nor is a function trusted that somebody else has added to the extension
CREATE ROLE members_carol;
CREATE FUNCTION members._spqtree_st_intersects(geometry, geometry) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN false;
ALTER FUNCTION members._spqtree_st_intersects OWNER TO members_carol;
ALTER EXTENSION spqtree_postgis DROP FUNCTION elsewhere._spqtree_st_intersects(geometry, geometry);
ALTER EXTENSION spqtree_postgis ADD FUNCTION members._spqtree_st_intersects(geometry, geometry);
\c
LOAD 'spqtree';
SET search_path = members, public;
SELECT called(:'joined');
:joined;
ALTER EXTENSION spqtree_postgis ADD FUNCTION elsewhere._spqtree_st_intersects(geometry, geometry);
ALTER EXTENSION spqtree_postgis DROP FUNCTION members._spqtree_st_intersects(geometry, geometry);
DROP FUNCTION members._spqtree_st_intersects;
DROP ROLE members_carol;
-- the class is what counts: without the one that describes the type, nothing is known of it
ALTER OPERATOR FAMILY elsewhere.spqtree_geometry_ops USING spqtree DROP FUNCTION 5 (geometry);
BEGIN;
ALTER EXTENSION spqtree_postgis DROP OPERATOR CLASS elsewhere.spqtree_geometry_ops USING spqtree;
DROP OPERATOR CLASS elsewhere.spqtree_geometry_ops USING spqtree CASCADE;
SELECT called(:'joined');
:joined;
ROLLBACK;
SELECT called(:'joined');

SET client_min_messages = warning;
DROP EXTENSION spqtree_postgis CASCADE;
CREATE EXTENSION spqtree_postgis;
DROP SCHEMA members, elsewhere CASCADE;
