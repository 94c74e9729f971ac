-- The streets and areas of a town, from data/, in meters of EPSG:3857, and three copies of it
-- beside it. The template of the databases of all clients.
SET client_min_messages = warning;
CREATE EXTENSION spqtree_postgis CASCADE;

CREATE TABLE nodes (street int, number int, x float8, y float8);
\copy nodes FROM PROGRAM 'gzip -dc /spqtree/data/osm_town_streets.csv.gz' (FORMAT csv, HEADER)
CREATE TABLE streets (
  id int PRIMARY KEY,
  kind text NOT NULL,
  geom geometry(LineString, 3857) NOT NULL);
INSERT INTO streets
SELECT street, (ARRAY['residential', 'service', 'footway', 'track', 'primary'])[1 + street % 5],
       ST_SetSRID(ST_MakeLine(ST_Point(x, y) ORDER BY number), 3857)
FROM nodes GROUP BY street HAVING count(*) > 1;
INSERT INTO streets
SELECT copy * 10000 + id, kind, ST_Translate(geom, copy % 2 * 5000, copy / 2 * 5000) FROM streets, generate_series(1, 3) copy;
DROP TABLE nodes;

CREATE TABLE shapes (id int, area polygon);
\copy shapes FROM PROGRAM 'gzip -dc /spqtree/data/osm_town_areas.csv.gz' (FORMAT csv, HEADER)
CREATE TABLE areas (
  id int PRIMARY KEY,
  kind text NOT NULL,
  geom geometry(Polygon, 3857) NOT NULL);
INSERT INTO areas
SELECT id, (ARRAY['forest', 'meadow', 'farmland'])[1 + id % 3], ST_SetSRID(area::geometry, 3857) FROM shapes;
INSERT INTO areas
SELECT copy * 10000 + id, kind, ST_Translate(geom, copy % 2 * 5000, copy / 2 * 5000) FROM areas, generate_series(1, 3) copy;
DROP TABLE shapes;

CREATE INDEX streets_geom ON streets USING spqtree (geom);
CREATE INDEX streets_kind_geom ON streets USING spqtree (kind, geom);
CREATE INDEX areas_geom ON areas USING spqtree (geom);

-- Stalls of markets, which do not overlap.
CREATE TABLE stalls (
  id int PRIMARY KEY,
  market int NOT NULL,
  geom geometry(Polygon, 3857) NOT NULL,
  CONSTRAINT stalls_apart EXCLUDE USING spqtree (market WITH =, geom WITH &&));
INSERT INTO stalls
SELECT i, i % 4, ST_MakeEnvelope(1254000 + i * 3, 6362000, 1254000 + i * 3 + 2, 6362002, 3857)
FROM generate_series(1, 400) i;
VACUUM ANALYZE;

-- Names of the access methods of a table's indexes for searches in the plane.
CREATE FUNCTION spatial_methods(regclass) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(string_agg(DISTINCT amname, ' ' ORDER BY amname), 'none')
  FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam
  WHERE indrelid = $1 AND amname IN ('spqtree', 'gist', 'spgist', 'brin')
$$;

-- Problems of all indexes of the access method.
CREATE FUNCTION problems() RETURNS bigint
LANGUAGE sql AS $$
  SELECT count(*) FROM pg_class c JOIN pg_am a ON a.oid = relam, spqtree_check(c.oid) p
  WHERE amname = 'spqtree' AND relkind = 'i'
$$;
