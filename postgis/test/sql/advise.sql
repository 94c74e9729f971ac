--
-- spqtree_advise(query) of types of PostGIS: without the companion, and with it.
--
SET client_min_messages = warning;
SELECT current_database() AS before \gset
CREATE DATABASE regress_spqtree_advise_postgis;
ALTER DATABASE regress_spqtree_advise_postgis SET session_preload_libraries = 'spqtree';
\c regress_spqtree_advise_postgis
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
CREATE EXTENSION postgis;
CREATE EXTENSION spqtree;
CREATE TABLE zone AS SELECT i AS id, ST_MakeEnvelope(i % 10, i / 10, i % 10 + 1, i / 10 + 1) AS geom FROM generate_series(0, 99) i;
ALTER TABLE zone ADD PRIMARY KEY (id);
CREATE TABLE poi AS SELECT i AS id, ST_Point(i % 100 / 10.0, i / 100 / 10.0) AS geom FROM generate_series(0, 9999) i;
ANALYZE zone, poi;
CREATE FUNCTION advised(query text, OUT object text, OUT finding text, OUT advice text) RETURNS SETOF record LANGUAGE sql AS $$
SELECT object, regexp_replace(finding, '\m(cost|it|of|takes|allows) \d+( rows)?( bytes| kB| MB)?', '\1 N', 'g'), advice
FROM spqtree_advise(query) WHERE object !~ '^setting effective' $$;

SELECT * FROM advised('SELECT * FROM zone z JOIN poi p ON ST_Intersects(z.geom, p.geom)');
SELECT * FROM advised('SELECT * FROM poi WHERE ST_DWithin(geom, ST_Point(1, 1), 2)');
CREATE EXTENSION spqtree_postgis;
SELECT * FROM advised('SELECT * FROM zone z JOIN poi p ON ST_Intersects(z.geom, p.geom)');
SELECT * FROM advised('SELECT * FROM zone z JOIN poi p ON ST_Distance(z.geom, p.geom) < 0.1');
SELECT * FROM advised('SELECT * FROM zone z JOIN poi p ON ST_Disjoint(z.geom, p.geom)');
SELECT * FROM advised('SELECT z.id, (SELECT count(*) FROM poi p WHERE ST_Contains(z.geom, p.geom)) FROM zone z');
SELECT * FROM advised('SELECT * FROM poi WHERE geom && ST_MakeEnvelope(1, 1, 2, 2)');
SELECT * FROM advised('SELECT * FROM poi WHERE ST_Within(ST_Buffer(geom, 1), ST_MakeEnvelope(1, 1, 2, 2))');
-- the advice, and then the index
SELECT advice FROM advised('SELECT * FROM poi WHERE ST_DWithin(geom, ST_Point(1, 1), 0.2)') \gexec
ANALYZE poi;
SELECT * FROM advised('SELECT * FROM poi WHERE ST_DWithin(geom, ST_Point(1, 1), 0.2)');
-- distances
SELECT * FROM advised('SELECT * FROM poi WHERE ST_DistanceSphere(geom, $1) < $2');
SELECT * FROM advised('SELECT * FROM poi WHERE ST_Distance(geom, ST_Point(1, 1)) <= 0.1');
-- what meets
SELECT * FROM advised('SELECT * FROM zone a JOIN zone b ON NOT ST_Disjoint(a.geom, b.geom)') WHERE object ~ 'condition';
SELECT count(*) FROM zone a JOIN zone b ON NOT ST_Disjoint(a.geom, b.geom);
SELECT count(*) FROM zone a JOIN zone b ON st_intersects(a.geom, b.geom);
-- the size that a new index is said to have, and has
CREATE TABLE sized AS SELECT geom, geom::geography AS geog FROM poi UNION ALL SELECT ST_Translate(geom, 0.01, 0.03), ST_Translate(geom, 0.01, 0.03)::geography FROM poi;
CREATE INDEX ON sized USING gist (geom);
CREATE INDEX ON sized USING gist (geog);
CREATE TABLE said AS SELECT substring(object, '(geo.)_idx$') AS col, substring(finding, 'about (.*)') AS size, advice FROM spqtree_advise() WHERE object ~ 'index sized';
SELECT advice FROM said ORDER BY col \gexec
SELECT s.col, pg_relation_size(i.indexrelid) / pg_size_bytes(s.size)::float8 BETWEEN 0.9 AND 1.1 AS right
FROM said s JOIN pg_index i ON i.indrelid = 'sized'::regclass AND pg_get_indexdef(i.indexrelid) ~ format('USING spqtree \(%s\)', s.col) ORDER BY s.col;

-- two systems of coordinates
CREATE TABLE degrees AS SELECT id, ST_SetSRID(geom, 4326)::geometry(Polygon, 4326) AS geom FROM zone;
CREATE TABLE meters AS SELECT id, ST_Transform(ST_SetSRID(geom, 4326), 3857)::geometry(Point, 3857) AS geom FROM poi;
CREATE TABLE globe AS SELECT id, geom::geography(Polygon, 4326) AS geog FROM degrees;
ANALYZE degrees, meters, globe;
SELECT * FROM advised('SELECT count(*) FROM degrees d JOIN meters m ON ST_Contains(d.geom, m.geom)');
SELECT * FROM advised('SELECT count(*) FROM degrees d JOIN meters m ON d.geom && m.geom OR d.id = m.id') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT count(*) FROM degrees a JOIN degrees b ON ST_Intersects(a.geom, b.geom)') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT count(*) FROM degrees d JOIN zone z ON ST_Intersects(d.geom, z.geom)') WHERE object ~ 'condition';
SELECT * FROM advised('SELECT count(*) FROM globe a JOIN globe b ON ST_Intersects(a.geog, b.geog)') WHERE object ~ 'condition';
SELECT count(*) > 9000 AS found FROM degrees d JOIN meters m ON ST_Contains(d.geom, st_transform(m.geom, 4326));

-- the form has the same rows
SELECT count(*), sum(n) FROM (SELECT z.id, (SELECT count(*) FROM poi p WHERE ST_Contains(z.geom, p.geom)) AS n FROM zone z) s;
SELECT count(*), sum(n) FROM (SELECT z.id, count(p.id) AS n FROM zone z LEFT JOIN poi p ON ST_Contains(z.geom, p.geom) GROUP BY z.id) s;

\c :before
DROP DATABASE regress_spqtree_advise_postgis;
