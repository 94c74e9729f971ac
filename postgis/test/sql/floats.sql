-- Indexes of geometries store ends in single precision, which is that of PostGIS' boxes.
SET client_min_messages = warning;
CREATE FUNCTION wide_ends(geometry, internal) RETURNS void AS 'spqtree', 'spq_rtree_extension_ends' LANGUAGE c IMMUTABLE STRICT;
CREATE OPERATOR CLASS wide_geometry FOR TYPE geometry USING spqtree AS
	OPERATOR 3 &&, OPERATOR 6 ~=, OPERATOR 7 ~, OPERATOR 8 @, OPERATOR 13 <-> FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 wide_ends(geometry, internal), FUNCTION 2 _spqtree_bounds_condition(internal, internal),
	FUNCTION 3 _spqtree_bounds_order(internal, internal), STORAGE box;
-- "plain" has no index, "older" one with ends in double precision, "newer" one as it is now
CREATE TABLE plain AS SELECT i AS id, st_makeenvelope(x, y, x + rnd(3, i, 3), y + rnd(3, i, 4)) AS geom
FROM generate_series(1, 6000) AS i, LATERAL (SELECT rnd(300, i, 1) AS x, rnd(300, i, 2) AS y) AS corner;
INSERT INTO plain SELECT 10000 + i, st_makepoint(rnd(300, i, 1), i / 3.0) FROM generate_series(1, 900) AS i;
INSERT INTO plain VALUES (20001, NULL), (20002, 'POINT EMPTY'), (20003, st_makepoint('NaN', 1)), (20004, st_makepoint(1, 'Infinity')),
	(20005, st_makepoint(1e300, -1e300)), (20006, st_makepoint(3e38, 3.5e38)), (20007, st_makepoint(1e-46, -1e-46)),
	(20008, st_makepoint(16777217, 16777219)), (20009, st_makepoint(0.1, 0.1));
CREATE TABLE older AS TABLE plain;
CREATE TABLE newer AS TABLE plain;
CREATE TABLE grown (LIKE plain);
CREATE INDEX older_geom ON older USING spqtree (geom wide_geometry);
CREATE INDEX newer_geom ON newer USING spqtree (geom);
CREATE INDEX grown_geom ON grown USING spqtree (geom);
INSERT INTO grown SELECT * FROM plain ORDER BY id % 97, id;
SELECT pg_relation_size('newer_geom') < 0.65 * pg_relation_size('older_geom') AS smaller,
	pg_relation_size('grown_geom') < pg_relation_size('older_geom') AS smaller_grown;
-- The function of "older" becomes that of today: its pages stay what they were.
CREATE OR REPLACE FUNCTION wide_ends(geometry, internal) RETURNS void AS 'spqtree', 'spq_rtree_extension_float_ends' LANGUAGE c IMMUTABLE STRICT;
CREATE PROCEDURE change(t text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO %1$I SELECT id + 30000, st_translate(geom, 0.1, 0.3) FROM plain WHERE id < 20003', t);
	EXECUTE format('DELETE FROM %1$I WHERE id %% 3 = 1', t);
END $$;
SELECT format('CALL change(%L)', t), format('VACUUM %I', t) FROM unnest('{older,newer,grown}'::text[]) AS t \gexec
INSERT INTO plain SELECT id + 30000, st_translate(geom, 0.1, 0.3) FROM plain WHERE id < 20003;
DELETE FROM plain WHERE id % 3 = 1;
SELECT format('INSERT INTO %I SELECT id + 70000, st_translate(geom, 0.7, 0.2) FROM plain WHERE id < 3000', t)
FROM unnest('{older,newer,grown,plain}'::text[]) AS t \gexec
SELECT t, c.* FROM unnest('{older,newer,grown}'::text[]) AS t, LATERAL spqtree_check((t || '_geom')::regclass) AS c;
-- Windows whose sides are between two numbers of single precision, and on them; and the nearest rows.
CREATE TABLE asked AS SELECT i AS id, st_makeenvelope(x, y, x + w, y + w) AS geom
FROM generate_series(1, 300) AS i, LATERAL (SELECT rnd(3000, i, 1) * 0.1 AS x, rnd(3000, i, 2) * 0.1 AS y, rnd(90, i, 3) * 0.1 AS w) AS corner;
INSERT INTO asked SELECT 1000 + id, geom FROM plain WHERE id % 50 = 0 OR id BETWEEN 20001 AND 20009;
CREATE FUNCTION ask(t text, operator text, OUT used bool, OUT pairs text[]) LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off
	SET spqtree.enable_hashjoin = off SET enable_material = off AS $$
DECLARE
	query text := format('SELECT array_agg(a.id || '' '' || r.id ORDER BY a.id, r.id) FROM asked AS a, LATERAL (%s) AS r',
		CASE operator WHEN '<->' THEN format('SELECT round((geom <-> a.geom)::numeric, 6) AS id FROM %I WHERE NOT st_isempty(geom) AND id NOT BETWEEN 20003 AND 20006 ORDER BY geom <-> a.geom LIMIT 7', t)
		ELSE format('SELECT id FROM %I AS t WHERE t.geom %s a.geom', t, operator) END);
	line text;
BEGIN
	used := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		used := used OR line LIKE '%Index Scan%' || t || '_geom%';
	END LOOP;
	EXECUTE query INTO pairs;
END $$;
DELETE FROM asked WHERE id BETWEEN 21001 AND 21006;
SELECT operator, count(*) FILTER (WHERE i.used) AS by_index, sum(lost.n) AS lost, sum(added.n) AS "made up",
	min(t || ' lost ' || lost.example) AS first_lost, min(t || ' made up ' || added.example) AS first_made_up
FROM unnest('{&&,~=,~,@,<->}'::text[]) AS operator CROSS JOIN LATERAL ask('plain', operator) AS p,
	unnest('{older,newer,grown}'::text[]) AS t CROSS JOIN LATERAL ask(t, operator) AS i,
	LATERAL (SELECT count(*) AS n, min(r) AS example FROM (SELECT unnest(p.pairs) EXCEPT ALL SELECT unnest(i.pairs)) AS s (r)) AS lost,
	LATERAL (SELECT count(*) AS n, min(r) AS example FROM (SELECT unnest(i.pairs) EXCEPT ALL SELECT unnest(p.pairs)) AS s (r)) AS added
GROUP BY operator ORDER BY operator;
-- any element of an array, with a scalar before the geometry, and with INCLUDE
CREATE INDEX newer_parts ON newer USING spqtree ((id % 7), geom) INCLUDE (id);
SELECT * FROM spqtree_check('newer_parts');
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM newer WHERE id % 7 = 3 AND geom && st_makeenvelope(10.1, 20.1, 90.7, 60.3);
SELECT (SELECT count(*) FROM newer WHERE id % 7 = 3 AND geom && st_makeenvelope(10.1, 20.1, 90.7, 60.3)) = (SELECT count(*) FROM plain WHERE id % 7 = 3 AND geom && st_makeenvelope(10.1, 20.1, 90.7, 60.3)) AS with_scalar,
	(SELECT count(*) FROM newer WHERE geom && ANY ((SELECT array_agg(geom) FROM asked WHERE id < 40)::geometry[])) = (SELECT count(*) FROM plain WHERE geom && ANY ((SELECT array_agg(geom) FROM asked WHERE id < 40)::geometry[])) AS with_array;
DROP TABLE plain, older, newer, grown, asked;
DROP OPERATOR FAMILY wide_geometry USING spqtree CASCADE;
DROP FUNCTION wide_ends, ask;
DROP PROCEDURE change;
