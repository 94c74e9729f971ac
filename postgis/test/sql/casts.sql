--
-- Casts between box3 and PostGIS' box3d.
--
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION spqtree;
CREATE SCHEMA solid_postgis;
CREATE EXTENSION postgis SCHEMA solid_postgis;
-- the error of an index says what is missing
CREATE EXTENSION postgis_raster SCHEMA solid_postgis;
CREATE TABLE indexed (g solid_postgis.geometry, e solid_postgis.geography, r solid_postgis.raster, flat solid_postgis.box2d, solid solid_postgis.box3d);
\set VERBOSITY default
CREATE INDEX ON indexed USING spqtree (g);
CREATE INDEX ON indexed USING spqtree (e);
CREATE INDEX ON indexed USING spqtree (solid_postgis.ST_Transform(g, 3857));
CREATE INDEX ON indexed USING spqtree (r);
CREATE INDEX ON indexed USING spqtree (flat);
CREATE INDEX ON indexed USING spqtree (solid);
\set VERBOSITY terse
-- what others have put into the extension's schema does not get into the extension
CREATE FUNCTION st_xmin(solid_postgis.box3d) RETURNS float8 IMMUTABLE LANGUAGE sql RETURN 1;
CREATE EXTENSION spqtree_postgis;
DROP FUNCTION st_xmin(solid_postgis.box3d);
CREATE FUNCTION same(solid_postgis.geometry, solid_postgis.geometry) RETURNS boolean IMMUTABLE LANGUAGE sql RETURN true;
CREATE OPERATOR ~= (LEFTARG = solid_postgis.geometry, RIGHTARG = solid_postgis.geometry, FUNCTION = same);
CREATE EXTENSION spqtree_postgis;
DROP OPERATOR ~= (solid_postgis.geometry, solid_postgis.geometry);
DROP FUNCTION same(solid_postgis.geometry, solid_postgis.geometry);
CREATE EXTENSION spqtree_postgis;
SET search_path = public;
CREATE INDEX ON indexed USING spqtree (g);
CREATE INDEX ON indexed USING spqtree (e);
CREATE INDEX ON indexed USING spqtree (solid_postgis.ST_ConvexHull(r));
CREATE INDEX ON indexed USING spqtree ((flat::solid_postgis.geometry));
CREATE INDEX ON indexed USING spqtree ((solid::box3));
DROP TABLE indexed;
DROP EXTENSION postgis_raster;
SELECT b::box3 FROM unnest(ARRAY['BOX3D(1 2 3,4 5 6)', 'BOX3D(1 2 3,1 2 3)', 'BOX3D(0.1 -1e300 1e-300,4 5 6)']::solid_postgis.box3d[]) b;
SELECT b, b::solid_postgis.box3d::text, b::solid_postgis.box3d::box3 = b AS back FROM unnest('{"(1,2,3),(6,5,4)","(1,2,3),(1,2,3)","(0.1,1e30,1e-30),(1,2,3)"}'::box3[]) b;
SELECT solid_postgis.ST_GeomFromText('LINESTRING Z (1 2 3, 0 5 4)', 4326)::solid_postgis.box3d::box3 AS geometry, solid_postgis.ST_GeomFromText('POINT(1 2)')::solid_postgis.box3d::box3 AS flat, solid_postgis.ST_GeomFromText('POINT EMPTY')::solid_postgis.box3d::box3 AS empty;
CREATE TABLE solid_box3d (d solid_postgis.box3d, b box3);
INSERT INTO solid_box3d SELECT box3 '(1,2,3),(4,5,6)', solid_postgis.box3d 'BOX3D(1 2 3,4 5 7)';
SELECT d::text, b FROM solid_box3d;
DROP TABLE solid_box3d;
DROP EXTENSION spqtree_postgis;
DROP EXTENSION postgis;
DROP SCHEMA solid_postgis;
